//! Properties that change steeply with temperature, temperatures at absolute zero: steps that settle, against closed forms.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use mpcd_core::Status;

use crate::{
    closed_forms::entry,
    kit::{Bench, Rig, number},
};

const PI: f64 = std::f64::consts::PI;

/// Three balls in a row with 10 N, the outer ones held at 300 and 700 K, the middle one of a conductivity that falls (or rises) from one value to another within
/// 10 K anywhere between: in a step that is long for its heat it comes to where as much flows in as out, 2 a ∫ k dT to both sides, and in steps that are not its
/// books close. Conductances taken at the temperatures of the round before go round for ever.
#[test]
fn a_conductivity_that_falls_within_ten_kelvin_settles() {
    for (low, high) in [(300.0, 10.0), (10.0, 300.0), (3000.0, 1.0)] {
        for knot in (310..690).step_by(37) {
            for h in [1.0, 100.0, 1e9] {
                let mut bench = Bench::new(h);
                let steel = bench.material(
                    "a",
                    7800.0,
                    &[("thermal", "(conductivity: 50, specific_heat: 500)"), ("elastic", "(young: 2.1e11, poisson: 0.3)")],
                );
                let part = format!("(conductivity: [({knot}, {low}), ({}, {high})], specific_heat: 385)", knot + 10);
                let odd = bench.material("b", 8900.0, &[("thermal", &part), ("elastic", "(young: 2.1e11, poisson: 0.3)")]);
                let ids = [bench.sphere("s0", odd, 5e-3), bench.sphere("s1", odd, 5e-3), bench.sphere("s2", steel, 5e-3)];
                bench.touch(ids[0], ids[1], 10.0);
                bench.touch(ids[1], ids[2], 10.0);
                let text = r#"Thermal(law: Hertz, temperature: 300, boundary: [Temperature(group: "s0", value: 300), Temperature(group: "s2", value: 700)])"#;
                let mut rig = Rig::new(&entry(), text, &bench);
                for step in 0..3 {
                    let report = rig.step(&bench).unwrap();
                    assert_eq!(report.status, Status::Converged, "{low}-{high} at {knot} K, h {h}, step {step}: {report:?}");
                    assert!(report.balances[0].imbalance() <= 1e-11);
                }
                let heats = rig.written("heat");
                if h > 1e6 {
                    // the spot to the steel ball is at t with ∫ k_b from T₁ to t = 50 (700 − t); 2 a k̄ with the mean k̄ of each half
                    let t = rig.written("temperature")[1];
                    let k = |x: f64| low + (high - low) * ((x - f64::from(knot)) / 10.0).clamp(0.0, 1.0);
                    let over = |from: f64, to: f64| {
                        let n = 200_000_u32;
                        (0..n).map(|i| k(from + (to - from) * (f64::from(i) + 0.5) / f64::from(n))).sum::<f64>() * (to - from)
                            / f64::from(n)
                    };
                    let (mut cold, mut hot) = (t, 700.0);
                    for _ in 0..60 {
                        let middle = 0.5 * (cold + hot);
                        if over(t, middle) > 50.0 * (700.0 - middle) { hot = middle } else { cold = middle }
                    }
                    let (inflow, outflow) = (2.0 * 50.0 * (700.0 - cold), over(300.0, t));
                    assert!((inflow / outflow - 1.0).abs() < 1e-5, "{low}-{high} at {knot} K: {t} K, {inflow} {outflow}");
                    assert!((heats[0] / heats[1] - 1.0).abs() < 1e-6, "{heats:?}");
                }
            }
        }
    }
}

/// A ball at 300 K, where its table of specific heats has a knot, warmed by a microjoule a step: Σ|F| is known to digits of that, not to those of 300 K. It
/// is warmer by E/(m c); over a bend from 400 to 100000 J/(kg K) within a hundredth of a degree and back (it melts) by what is left of E beyond it.
#[test]
fn a_body_that_starts_at_a_knot_takes_its_heat() {
    let ball = 7800.0 * 4.0 / 3.0 * PI * 125e-9;
    for table in ["[(300, 385), (900, 420)]", "[(200, 300), (300, 385), (300.001, 390), (900, 420)]"] {
        for power in [1.0, -1.0, 1e-6, 1e3] {
            let mut bench = Bench::new(1e-6);
            let metal = bench.material("m", 7800.0, &[("thermal", &format!("(conductivity: 50, specific_heat: {table})"))]);
            bench.sphere("a", metal, 5e-3);
            let text = format!(r#"Thermal(law: Insulating, temperature: 300, boundary: [Power(group: "a", value: {power})])"#);
            let mut rig = Rig::new(&entry(), &text, &bench);
            let report = rig.step(&bench).unwrap();
            assert_eq!(report.status, Status::Converged, "{table} {power}: {report:?}");
            assert!((number(&report, "heat_stored") / (power * 1e-6) - 1.0).abs() < 1e-12, "{table} {power}");
        }
    }
    // to and fro over the knot, as sin(600 t) W in steps of 1 ms: at each end the sum of what was given
    let mut bench = Bench::new(1e-3);
    let metal = bench.material("m", 7800.0, &[("thermal", "(conductivity: 50, specific_heat: [(300, 385), (900, 420)])")]);
    bench.sphere("a", metal, 10e-3);
    let text = r#"Thermal(law: Insulating, temperature: 300, boundary: [Power(group: "a", value: "sin(600*t)")])"#;
    let (mut rig, mut given) = (Rig::new(&entry(), text, &bench), 0.0);
    for step in 1..=100_u32 {
        let report = rig.step(&bench).unwrap();
        given += 1e-3 * (0.6 * f64::from(step)).sin();
        assert_eq!(report.status, Status::Converged, "step {step}: {report:?}");
        assert!((number(&report, "heat_stored") - given).abs() < 1e-14 && report.balances[0].imbalance() <= 1e-11, "step {step}");
    }
    let melts = "[(300, 400), (300.1, 400), (300.11, 100000), (300.12, 400), (900, 400)]";
    // 100 J to 300.1 K are 4, the bend 0.01 · (400 + 100000) = 1004 a kilogram, the rest 400 a degree
    for beyond in [-50.0, 1.0, 500.0] {
        let mut bench = Bench::new(1.0);
        let metal = bench.material("m", 7800.0, &[("thermal", &format!("(conductivity: 50, specific_heat: {melts})"))]);
        bench.sphere("a", metal, 5e-3);
        let energy = ball * (40.0 + 1004.0 + 400.0 * beyond);
        let text = format!(r#"Thermal(law: Insulating, temperature: 300, boundary: [Power(group: "a", value: {energy:e})])"#);
        let mut rig = Rig::new(&entry(), &text, &bench);
        let report = rig.step(&bench).unwrap();
        assert_eq!(report.status, Status::Converged, "{beyond}: {report:?}");
        let (t, want) = (rig.written("temperature")[0], 300.12 + beyond);
        if beyond > 0.0 {
            assert!((t - want).abs() < 1e-9, "{t}, expected {want}");
        }
    }
}

/// Bodies at 0 K that touch: what the contact solver's rounding takes from them, −10⁻¹⁶ J, they do not have, and it stands in the book. A body that has as much
/// gives it, and what a boundary draws beyond is refused. A body that a wall at 0 K has cooled for ever is at 0 K, not below.
#[test]
fn rounding_draws_no_heat_from_absolute_zero() {
    let run = |temperature: &str, heat: f64, boundary: &str| {
        let mut bench = Bench::new(1e-3);
        let metal = bench.material(
            "m",
            7800.0,
            &[("thermal", "(conductivity: 50, specific_heat: 500)"), ("elastic", "(young: 2.1e11, poisson: 0.3)")],
        );
        let ids = [bench.sphere("s0", metal, 5e-3), bench.sphere("s1", metal, 5e-3)];
        let key = bench.touch(ids[0], ids[1], 10.0);
        bench.contact_mut(key).heat_impact = heat;
        let mut rig = Rig::new(&entry(), &format!("Thermal(law: Hertz, temperature: {temperature}{boundary})"), &bench);
        rig.step(&bench).map(|report| (rig.written("temperature"), report))
    };
    for temperature in ["0", "1e-18"] {
        let (t, report) = run(temperature, -1e-16, "").unwrap();
        assert!(t.iter().all(|t| *t >= 0.0 && *t <= 1e-18), "{t:?}");
        assert!(report.balances[0].imbalance() <= 1e-11, "{:?}", report.balances[0]);
    }
    let (t, _) = run("1", -1e-3, "").unwrap();
    let capacity = 7800.0 * 4.0 / 3.0 * PI * 125e-9 * 500.0;
    assert!(t.iter().all(|t| (t - (1.0 - 5e-4 / capacity)).abs() < 1e-12), "{t:?}");
    let error = run("0", 0.0, r#", boundary: [Power(group: "s0", value: -1e-9)]"#).err().unwrap().to_string();
    assert!(error.contains("below absolute zero"), "{error}");
    let mut bench = Bench::new(1e7);
    let metal = bench.material(
        "m",
        7800.0,
        &[("thermal", "(conductivity: 50, specific_heat: 500)"), ("elastic", "(young: 2.1e11, poisson: 0.3)")],
    );
    let ids: Vec<_> = (0..4).map(|k| bench.sphere(&format!("s{k}"), metal, 5e-3)).collect();
    ids.windows(2).for_each(|w| {
        bench.touch(w[0], w[1], 1.0);
    });
    let mut rig =
        Rig::new(&entry(), r#"Thermal(law: Hertz, temperature: 293.15, boundary: [Temperature(group: "s0", value: 0)])"#, &bench);
    for _ in 0..40 {
        let report = rig.step(&bench).unwrap();
        assert!(report.balances[0].imbalance() <= 1e-10);
        assert!(rig.written("temperature").iter().all(|t| *t >= 0.0), "{:?}", rig.written("temperature"));
    }
}
