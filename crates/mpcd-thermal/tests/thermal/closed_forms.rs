//! VALIDATION §11: chain, two bodies equalising, orders in h, maximum principle.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use mpcd_core::{BodyId, PhysicsEntry};
use mpcd_thermal::Thermal;

use crate::kit::{Bench, POINT, Rig, number};

pub(crate) fn entry() -> PhysicsEntry {
    PhysicsEntry::of::<Thermal>()
}

pub(crate) const STEEL: [(&str, &str); 2] =
    [("thermal", "(conductivity: 50, specific_heat: 500, expansion: 1.2e-5)"), ("elastic", "(young: 210e9, poisson: 0.3)")];

/// A row of spheres of radius 5 mm, each a group of its own (`s0`, `s1`, …), pressed with `force`.
pub(crate) fn row(n: usize, force: f64, h: f64) -> (Bench, Vec<BodyId>) {
    let mut bench = Bench::new(h);
    let steel = bench.material("steel", 7800.0, &STEEL);
    let ids: Vec<_> = (0..n).map(|k| bench.sphere(&format!("s{k}"), steel, 5e-3)).collect();
    ids.windows(2).for_each(|w| {
        bench.touch(w[0], w[1], force);
    });
    (bench, ids)
}

/// Force under which Hertz' radius is `a`.
pub(crate) fn force_for(a: f64) -> f64 {
    let e_star = 210e9 / (2.0 * (1.0 - 0.09));
    let mpcd_core::ContactGeometry::Point { reduced_radius, .. } = POINT else { panic!("a point") };
    4.0 * e_star * a.powi(3) / (3.0 * reduced_radius)
}

/// Ten spheres, k 50, a 0.1 mm, 100 K between the ends: 2ka·100/9 = 0.111111 W, linear profile.
#[test]
fn v11_chain_of_ten_spheres() {
    for solver in ["cholesky", "cg"] {
        let (bench, _) = row(10, force_for(1e-4), 1e10);
        let text = format!(
            r#"Thermal(law: Hertz, temperature: 0, solver: "{solver}",
            boundary: [Temperature(group: "s0", value: 100), Temperature(group: "s9", value: 0)])"#
        );
        let mut rig = Rig::new(&entry(), &text, &bench);
        let mut report = rig.step(&bench).unwrap();
        for _ in 0..3 {
            report = rig.step(&bench).unwrap();
        }
        assert!(report.balances[0].imbalance() <= 1e-10, "{solver}: {:?}", report.balances);
        for q in rig.written("heat") {
            assert!((q - 1.0 / 9.0).abs() < 1e-10, "{solver}: {q} W");
        }
        for (k, t) in rig.written("temperature").iter().enumerate() {
            assert!((t - 100.0 * (9 - k) as f64 / 9.0).abs() < 1e-7, "{solver}: {t}");
        }
    }
}

/// Error of the temperature difference of two equalising spheres after one τ, in `steps` steps.
fn equalising(theta: f64, steps: u32) -> f64 {
    let tau = 7800.0 * 4.0 / 3.0 * std::f64::consts::PI * 5e-3_f64.powi(3) * 500.0 / (2.0 * 0.01);
    assert!((tau - 102.1018).abs() < 5e-5, "{tau}");
    let (bench, _) = row(2, 1.0, tau / f64::from(steps));
    let text = format!(
        r#"Thermal(law: Constant(conductance: 0.01), theta: {theta}, temperature: 300, initial: [(group: "s0", temperature: 400)])"#
    );
    let mut rig = Rig::new(&entry(), &text, &bench);
    (0..steps).for_each(|_| drop(rig.step(&bench).unwrap()));
    let t = rig.written("temperature");
    assert!((t[0] + t[1] - 700.0).abs() < 1e-10, "heat is kept: {t:?}");
    t[0] - t[1] - 100.0 * (-1.0_f64).exp()
}

#[test]
fn v11_two_spheres_equalise_with_the_order_of_the_scheme() {
    for (theta, order) in [(1.0, 1.0), (0.5, 2.0)] {
        let errors = [10, 20, 40, 80].map(|n| equalising(theta, n).abs());
        for pair in errors.windows(2) {
            let slope = (pair[0] / pair[1]).log2();
            assert!((slope - order).abs() < 0.06, "θ = {theta}: {errors:?}");
        }
    }
    // the time constant itself, from the decay of the trapezoidal rule: 102.1018 s within 1e-6
    assert!(equalising(0.5, 2000).abs() < 1e-5);
}

/// A stiff step must stay between the temperatures there are; with the trapezoidal rule it would not.
#[test]
fn temperatures_stay_between_those_at_the_start() {
    for h in [1e-3, 1.0, 1e3, 1e6] {
        let (bench, _) = row(7, 500.0, h);
        let text = r#"Thermal(law: Hertz, temperature: 300, initial: [(group: "s2", temperature: 900), (group: "s5", temperature: 100)])"#;
        let mut rig = Rig::new(&entry(), text, &bench);
        let mut last = (100.0, 900.0);
        for _ in 0..20 {
            let report = rig.step(&bench).unwrap();
            let (low, high) = (number(&report, "temperature_min"), number(&report, "temperature_max"));
            assert!(low >= last.0 - 1e-9 && high <= last.1 + 1e-9, "h = {h}: {low} … {high} after {last:?}");
            last = (low, high);
            assert!((number(&report, "heat_stored")).abs() < 1e-9);
            assert!(report.balances[0].imbalance() <= 1e-10);
        }
    }
}

/// The checks can fail: a wrong conductance shows in the chain, a trapezoidal rule in the maximum principle.
#[test]
fn broken_physics_is_seen() {
    let (bench, _) = row(10, 1.01 * force_for(1e-4), 1e10);
    let text = r#"Thermal(law: Hertz, temperature: 0, boundary: [Temperature(group: "s0", value: 100), Temperature(group: "s9", value: 0)])"#;
    let mut rig = Rig::new(&entry(), text, &bench);
    rig.step(&bench).unwrap();
    assert!((rig.written("heat")[4] - 1.0 / 9.0).abs() > 1e-4);

    let (bench, _) = row(7, 500.0, 1e6);
    let text = r#"Thermal(law: Hertz, theta: 0.5, temperature: 3000, initial: [(group: "s2", temperature: 3600)])"#;
    let report = Rig::new(&entry(), text, &bench).step(&bench).unwrap();
    assert!(number(&report, "temperature_min") < 2999.0);
}
