//! Pair laws, a user's law, properties over temperature, radiation between neighbours, the time of heat, boundary powers.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::sync::Arc;

use mpcd_core::{BodyId, ContactGeometry, InputError, Named, NamedLaws};
use mpcd_thermal::{ConductionLaw, ConductionLaws, Spot, conduction_laws, view};

use crate::{
    closed_forms::{STEEL, entry, row},
    kit::{Bench, Rig, build, number},
};

const SIGMA: f64 = 5.670_374_419e-8;

/// 3 W/K everywhere but 1 W/K between s0 and s1: held at 400 and 300 K, 100/(1 + 1/3) = 75 W.
#[test]
fn pairs_of_groups_have_their_own_laws() {
    let (bench, _) = row(3, 10.0, 1e9);
    let text = |laws: &str| {
        format!(
            r#"Thermal(law: Constant(conductance: 3), laws: [{laws}], temperature: 300, boundary: [Temperature(group: "s0", value: 400), Temperature(group: "s2", value: 300)])"#
        )
    };
    let mut rig = Rig::new(&entry(), &text(r#"(between: ("s1", "s0"), law: Constant(conductance: 1))"#), &bench);
    let report = rig.step(&bench).unwrap();
    assert!((rig.written("heat")[0] - 75.0).abs() < 1e-6);
    assert!((number(&report, "heat_in_s0") - 75.0).abs() < 1e-6 && (number(&report, "heat_in_s2") + 75.0).abs() < 1e-6);
    for (laws, part) in [
        (r#"(between: ("s0", "s9"), law: Hertz)"#, "unknown group `s9`"),
        (r#"(between: ("s0", "s1"), law: Herz)"#, "unknown conduction law `Herz`"),
        (r#"(between: ("s0", "s1"), law: Hertz), (between: ("s1", "s0"), law: Hertz)"#, "have two conduction laws"),
    ] {
        let error = build(&entry(), &text(laws), &bench).err().unwrap_or_else(|| panic!("{laws} was accepted"));
        assert!(error.message.contains(part), "{laws}: {error}");
    }
}

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
struct Pad {
    /// Length over which it conducts (m).
    length: f64,
}

impl ConductionLaw for Pad {
    fn conductance(&self, spot: &Spot) -> Option<f64> {
        Some(self.length * spot.conductivity)
    }
}

impl Named<dyn ConductionLaw> for Pad {
    const NAME: &'static str = "Pad";
    type Params = Self;
    fn build(law: Self, _: &NamedLaws<dyn ConductionLaw>) -> Result<Arc<dyn ConductionLaw>, InputError> {
        Ok(Arc::new(law))
    }
}

/// Steel conducts 50 W/(m K): over a pad of 2 cm 1 W/K.
#[test]
fn a_users_law_joins_by_one_line() {
    let (mut bench, _) = row(2, 10.0, 1.0);
    bench.setup.insert::<ConductionLaws>(conduction_laws().with::<Pad>());
    let text = r#"Thermal(law: Pad(length: 0.02), boundary: [Temperature(group: "s0", value: 310), Temperature(group: "s1", value: 300)])"#;
    let mut rig = Rig::new(&entry(), text, &bench);
    rig.step(&bench).unwrap();
    assert!((rig.written("heat")[0] - 10.0).abs() < 1e-12);
}

/// A sphere with c = 400 + (T − 300) J/(kg K) from 300 K on takes 1 kJ: m (400 r + r²/2) = 1000, whatever the steps, and the book closes.
#[test]
fn the_enthalpy_is_the_integral_of_the_specific_heat() {
    for (h, steps) in [(1.0, 1), (0.125, 8)] {
        let mut bench = Bench::new(h);
        let part = "(conductivity: 50, specific_heat: [(300, 400), (1300, 1400)])";
        let metal = bench.material("metal", 1000.0, &[("thermal", part)]);
        bench.body("b", metal, 0.01, 1e-5, 1e-3);
        let mut rig = Rig::new(
            &entry(),
            r#"Thermal(law: Constant(conductance: 1), temperature: 300, boundary: [Power(group: "b", value: 1000)])"#,
            &bench,
        );
        let mut last = None;
        for _ in 0..steps {
            let report = rig.step(&bench).unwrap();
            assert_eq!(report.status, mpcd_core::Status::Converged);
            assert!(report.balances[0].imbalance() <= 1e-11, "{:?}", report.balances);
            last = Some(report);
        }
        let rise = -400.0 + (160_000.0_f64 + 200_000.0).sqrt();
        assert!((rig.written("temperature")[0] - 300.0 - rise).abs() < 1e-9, "{:?}", rig.written("temperature"));
        assert!((number(&last.unwrap(), "heat_stored") - 1000.0).abs() < 1e-8);
    }
}

/// Two equal spheres at 300 and 500 K meet where the enthalpy is shared: ∫c dT of the one is that of the other, not the mean temperature.
#[test]
fn two_bodies_meet_at_equal_enthalpy() {
    let part = "(conductivity: 50, specific_heat: [(300, 400), (500, 600)])";
    let mut bench = Bench::new(1e9);
    let metal = bench.material("metal", 1000.0, &[("thermal", part)]);
    let (a, b) = (bench.sphere("a", metal, 5e-3), bench.sphere("b", metal, 5e-3));
    bench.touch(a, b, 1.0);
    let text = r#"Thermal(law: Constant(conductance: 1), temperature: 300, initial: [(group: "b", temperature: 500)])"#;
    let mut rig = Rig::new(&entry(), text, &bench);
    let report = rig.step(&bench).unwrap();
    // 400 x + x²/2 = (400·200 + 200²/2)/2 = 50 000
    let rise = -400.0 + (160_000.0_f64 + 100_000.0).sqrt();
    let t = rig.written("temperature");
    assert!((t[0] - 300.0 - rise).abs() < 1e-6 && (t[1] - 300.0 - rise).abs() < 1e-6, "{t:?}");
    assert!(number(&report, "heat_stored").abs() < 1e-7 && report.balances[0].imbalance() <= 1e-11);
}

/// k = 10 + 0.1 (T − 300): three spheres by a pad of 1 m between 300 and 400 K. ∫ k dT is 1,500 W/m over both pads, so 750 over each (Kirchhoff's transformation):
/// 10 x + 0.05 x² = 750 for the middle one, x = T − 300.
#[test]
fn conductivity_is_that_of_the_temperatures_found() {
    let want = 300.0 - 100.0 + 25_000.0_f64.sqrt();
    for h in [1e12, 1e3] {
        let mut bench = Bench::new(h);
        let metal = bench.material("metal", 1000.0, &[("thermal", "(conductivity: [(300, 10), (400, 20)], specific_heat: 500)")]);
        let ids: Vec<_> = (0..3).map(|i| bench.sphere(&format!("s{i}"), metal, 5e-3)).collect();
        ids.windows(2).for_each(|w| {
            bench.touch(w[0], w[1], 1.0);
        });
        bench.setup.insert::<ConductionLaws>(conduction_laws().with::<Pad>());
        let text = r#"Thermal(law: Pad(length: 1), temperature: 300, boundary: [Temperature(group: "s0", value: 300), Temperature(group: "s2", value: 400)])"#;
        let mut rig = Rig::new(&entry(), text, &bench);
        for _ in 0..4 {
            let report = rig.step(&bench).unwrap();
            assert_eq!(report.status, mpcd_core::Status::Converged);
            assert!(report.balances[0].imbalance() <= 1e-10);
        }
        assert!((rig.written("temperature")[1] - want).abs() < 1e-7, "{:?}, expected {want}", rig.written("temperature"));
    }
}

fn radiating(h: f64, emissivity: [f64; 2]) -> (Bench, [BodyId; 2]) {
    let mut bench = Bench::new(h);
    let ids = [0, 1].map(|k| {
        let part = format!("(conductivity: 50, specific_heat: 500, emissivity: {})", emissivity[k]);
        let metal = bench.material(&format!("m{k}"), 7800.0, &[("thermal", &part)]);
        bench.sphere(&format!("s{k}"), metal, 5e-3)
    });
    (bench, ids)
}

/// Parallel faces of 1 cm² at 1000 and 300 K, ε 0.8 and 0.5: σ A (T₁⁴ − T₂⁴)/(1/0.8 + 1/0.5 − 1) = 2.49975 W, in books as in columns.
#[test]
fn faces_exchange_radiation_as_parallel_plates() {
    let (mut bench, [a, b]) = radiating(1e-3, [0.8, 0.5]);
    for _ in 0..4 {
        bench.contact(a, b, ContactGeometry::Flat { area: 0.25e-4 }, 0.0);
    }
    let text = r#"Thermal(law: Constant(conductance: 0), radiation: true, boundary: [Temperature(group: "s0", value: 1000), Temperature(group: "s1", value: 300)])"#;
    let free = r#"Thermal(law: Constant(conductance: 0), radiation: true, temperature: 300, boundary: [Temperature(group: "s0", value: 1000)])"#;
    let want = SIGMA * 1e-4 * (1e12 - 8.1e9) / (1.0 / 0.8 + 1.0 / 0.5 - 1.0);
    assert!((want - 2.49975).abs() < 1e-4, "{want}");
    let mut rig = Rig::new(&entry(), free, &bench);
    let report = rig.step(&bench).unwrap();
    assert!((number(&report, "heat_in_s0") / want - 1.0).abs() < 1e-6);
    assert!((number(&report, "heat_stored") / (want * 1e-3) - 1.0).abs() < 1e-6 && report.balances[0].imbalance() <= 1e-11);
    // between two held bodies nothing is stored, and nothing is given to what stores
    let report = Rig::new(&entry(), text, &bench).step(&bench).unwrap();
    assert_eq!(number(&report, "heat_in_s0"), 0.0);
}

/// Two black spheres within reach exchange σ A F (T₁⁴ − T₂⁴), F = 0.0754 where they touch; two of them alone end at equal temperature in
/// one long step, and both spend the heat that they had.
#[test]
fn spheres_radiate_to_their_neighbours() {
    let (mut bench, [a, b]) = radiating(1e-3, [1.0, 1.0]);
    bench.touch(a, b, 0.0);
    let text = r#"Thermal(law: Constant(conductance: 0), radiation: true, temperature: 300, boundary: [Temperature(group: "s0", value: 1000)])"#;
    let report = Rig::new(&entry(), text, &bench).step(&bench).unwrap();
    let surface = 4.0 * std::f64::consts::PI * 25e-6;
    let want = SIGMA * surface * view::sphere_to_sphere(5e-3, 5e-3, 1e-2) * (1e12 - 8.1e9);
    assert!((number(&report, "heat_in_s0") / want - 1.0).abs() < 1e-6);
    for h in [1e3, 1e6, 1e9] {
        let (mut bench, [a, b]) = radiating(h, [0.9, 0.3]);
        bench.touch(a, b, 0.0);
        let text = r#"Thermal(law: Constant(conductance: 0), radiation: true, temperature: 200, initial: [(group: "s0", temperature: 1400)])"#;
        let mut rig = Rig::new(&entry(), text, &bench);
        let mut report = rig.step(&bench).unwrap();
        assert_eq!(report.stages[0].solver, "lu");
        for _ in 0..if h < 1e5 { 400 } else { 3 } {
            assert_eq!(report.status, mpcd_core::Status::Converged, "{report:?}");
            report = rig.step(&bench).unwrap();
        }
        let t = rig.written("temperature");
        assert!((t[0] - 800.0).abs() < 1e-3 && (t[1] - 800.0).abs() < 1e-3, "{h}: {t:?}");
        assert!(report.balances[0].imbalance() <= 1e-11);
    }
}

/// A chain of six faces between 1200 and 300 K by radiation alone: T⁴ falls evenly.
#[test]
fn a_chain_of_radiating_faces_has_an_even_fourth_power() {
    let mut bench = Bench::new(1e12);
    let metal = bench.material("m", 7800.0, &[("thermal", "(conductivity: 50, specific_heat: 500, emissivity: 0.6)")]);
    let ids: Vec<_> = (0..6).map(|k| bench.sphere(&format!("s{k}"), metal, 5e-3)).collect();
    ids.windows(2).for_each(|w| {
        bench.contact(w[0], w[1], ContactGeometry::Flat { area: 1e-4 }, 0.0);
    });
    let text = r#"Thermal(law: Constant(conductance: 0), radiation: true, temperature: 300, boundary: [Temperature(group: "s0", value: 1200), Temperature(group: "s5", value: 300)])"#;
    let mut rig = Rig::new(&entry(), text, &bench);
    let report = rig.step(&bench).unwrap();
    assert_eq!(report.status, mpcd_core::Status::Converged, "{report:?}");
    let (hot, cold) = (1200.0_f64.powi(4), 300.0_f64.powi(4));
    for (k, t) in rig.written("temperature").iter().enumerate() {
        let want = (hot + (cold - hot) * k as f64 / 5.0).powf(0.25);
        assert!((t - want).abs() < 1e-3, "{k}: {t}, expected {want}");
    }
}

/// What a body sees of its neighbour it does not radiate to the surroundings: a black sphere beside a plane that is held at the same 0 K as
/// they loses as much as one that is alone.
#[test]
fn a_neighbour_hides_its_part_of_the_surroundings() {
    let lost = |neighbour: bool| {
        let mut bench = Bench::new(1e-3);
        let black = bench.material("m", 7800.0, &[("thermal", "(conductivity: 50, specific_heat: 500, emissivity: 1)")]);
        let (a, wall) = (bench.sphere("a", black, 5e-3), bench.sphere("wall", black, 0.0));
        if neighbour {
            bench.touch(a, wall, 0.0);
        }
        let text = r#"Thermal(law: Constant(conductance: 0), radiation: true, temperature: 900, boundary: [Temperature(group: "wall", value: 0), Radiation(group: "a", emissivity: 1, ambient: 0)])"#;
        let report = Rig::new(&entry(), text, &bench).step(&bench).unwrap();
        (number(&report, "heat_stored"), number(&report, "heat_in_a") / number(&report, "heat_in_wall"))
    };
    let (alone, beside) = (lost(false), lost(true));
    assert!((beside.0 / alone.0 - 1.0).abs() < 1e-12 && (beside.1 - 1.0).abs() < 1e-12, "{alone:?} {beside:?}");
}

#[test]
fn radiation_without_an_emissivity_is_refused() {
    let (bench, _) = row(2, 1.0, 1e-3);
    let error = build(&entry(), "Thermal(law: Hertz, radiation: true)", &bench).err().unwrap();
    assert!(error.message.contains("no thermal material has an emissivity above zero"), "{error}");
    let (warm, _) = radiating(1.0, [0.5; 2]);
    let text = r#"Thermal(law: Constant(conductance: 1), radiation: true, solver: "cg")"#;
    let error = build(&entry(), text, &warm).err().unwrap();
    assert!(error.message.contains("which \"cg\" cannot solve"), "{error}");
    let mut bench = Bench::new(1.0);
    bench.material("m", 1.0, &[("thermal", "(conductivity: 1, specific_heat: 1, emissivity: 1.2)")]);
    let error = build(&entry(), "Thermal(law: Constant(conductance: 1), radiation: true)", &bench).err().unwrap();
    assert!(error.message.contains("between 0 and 1, found 1.2"), "{error}");
    for scale in ["0", "-1"] {
        let (bench, _) = row(2, 1.0, 1e-3);
        let error = build(&entry(), &format!("Thermal(law: Hertz, time_scale: {scale})"), &bench).err().unwrap();
        assert!(error.message.contains("above zero"), "{error}");
    }
}

/// The time of heat: steps of 1 ms with `time_scale: 3.6e6` are hours. A sphere cools by convection as in steps of an hour, a boundary that
/// changes by the day changes by the day, and the friction heat of a step is what it is.
#[test]
fn heat_has_its_own_time() {
    let cooled = |h: f64, scale: &str| {
        let (mut bench, _) = row(1, 0.0, h);
        let steel = mpcd_core::MaterialId::from_index(0);
        let floor = bench.body("floor", steel, 0.0, 0.0, 0.0);
        let key = bench.touch(BodyId::from_index(0), floor, 1.0);
        bench.contact_mut(key).heat_friction = 0.02;
        let text = format!(
            r#"Thermal(law: Constant(conductance: 0), temperature: 300{scale}, boundary: [Convection(group: "s0", coefficient: 0.01, ambient: "300 + 20*sin(t/13750.98708)")])"#
        );
        let mut rig = Rig::new(&entry(), &text, &bench);
        for _ in 0..30 {
            let report = rig.step(&bench).unwrap();
            assert!(report.balances[0].imbalance() <= 1e-10);
        }
        let report = rig.step(&bench).unwrap();
        (rig.written("temperature")[0], number(&report, "heat_time"), report.warnings.len())
    };
    let (hours, scaled) = (cooled(3600.0, ""), cooled(1e-3, ", time_scale: 3.6e6"));
    assert!((hours.0 - scaled.0).abs() < 1e-9 && (hours.0 - 300.0).abs() > 0.5, "{hours:?} {scaled:?}");
    assert!((scaled.1 - 31.0 * 3600.0).abs() < 1e-6 && (hours.1 - scaled.1).abs() < 1e-6);
    // in steps of an hour friction of the mechanics is suspicious
    assert_eq!((hours.2, scaled.2), (1, 0));
}

/// What the boundaries give and what is made is what is stored, step by step, by the columns of the history alone.
#[test]
fn boundary_powers_account_for_what_is_stored() {
    let (mut bench, ids) = row(5, 10.0, 10.0);
    let key = mpcd_core::ContactKey { candidate: ids[2], antagonist: ids[3], feature: 0 };
    bench.contact_mut(key).heat_friction = 3.0;
    let first = mpcd_core::ContactKey { candidate: ids[0], antagonist: ids[1], feature: 0 };
    bench.contact_mut(first).heat_impact = 2.0;
    let text = r#"Thermal(law: Hertz, temperature: 300, boundary: [Temperature(group: "s0", value: 400), Convection(group: "s2", coefficient: 50, ambient: 250),
        Power(group: "s2", value: 0.3), Flux(group: "s3", value: -100), Radiation(group: "s4", emissivity: 0.7, ambient: 500)])"#;
    let mut rig = Rig::new(&entry(), text, &bench);
    let mut before = 0.0;
    for _ in 0..5 {
        let report = rig.step(&bench).unwrap();
        let columns = ["heat_in_s0", "heat_in_s2", "heat_in_s3", "heat_in_s4", "heat_made"];
        let power: f64 = columns.iter().map(|c| number(&report, c)).sum();
        let stored = number(&report, "heat_stored");
        assert!((power * 10.0 - (stored - before)).abs() < 1e-9, "{power} W, {} J", stored - before);
        // half of the heat of the impact goes to the held body
        assert!(report.balances[0].imbalance() < 1e-10, "{:e}", report.balances[0].imbalance());
        before = stored;
    }
    // flux on s3 by hand: −100 W/m² on 4π · 25 mm²
    let report = rig.step(&bench).unwrap();
    assert!((number(&report, "heat_in_s3") + 100.0 * 4.0 * std::f64::consts::PI * 25e-6).abs() < 1e-15);
    assert!((number(&report, "heat_made") - 0.5).abs() < 1e-15 && STEEL.len() > 1);
}

/// Four steps to one of temperatures: nothing moves in three of them, what is made waits, and the fourth is a step over the time of all.
#[test]
fn temperatures_move_in_every_fourth_step() {
    let run = |h: f64, every: &str, heat: f64| {
        let (mut bench, ids) = row(3, 10.0, h);
        let key = mpcd_core::ContactKey { candidate: ids[1], antagonist: ids[2], feature: 0 };
        bench.contact_mut(key).heat_friction = heat;
        bench.contact_mut(key).r.x = 10.0 * h;
        let text = format!(
            r#"Thermal(law: Hertz, temperature: 300{every}, boundary: [Temperature(group: "s0", value: "400 + t"), Power(group: "s2", value: 0.1)])"#
        );
        let rig = Rig::new(&entry(), &text, &bench);
        (bench, rig)
    };
    let (bench, mut rig) = run(1.0, ", every: 4", 0.5);
    for step in 1..=8_u32 {
        let report = rig.step(&bench).unwrap();
        let saved = rig.save();
        rig.module.load(&saved).unwrap();
        assert!(report.balances[0].imbalance() <= 1e-11, "{:?}", report.balances);
        let moved = rig.written("temperature")[2] > 300.0;
        assert_eq!(moved, step >= 4, "step {step}");
        assert_eq!(number(&report, "heat_time"), f64::from(step / 4 * 4), "step {step}");
    }
    let (long, mut plain) = run(4.0, "", 2.0);
    plain.step(&long).unwrap();
    plain.step(&long).unwrap();
    for (a, b) in rig.written("temperature").iter().zip(plain.written("temperature")) {
        assert!((a - b).abs() < 1e-10, "{a} {b}");
    }
    // the same in halves: the first of two does not count
    let (halves, mut parts) = run(0.5, ", every: 4", 0.25);
    for half in 1..=16_u32 {
        parts.whole = half % 2 == 0;
        parts.step(&halves).unwrap();
        let moved = parts.written("temperature")[2] > 300.0;
        assert_eq!(moved, half >= 8, "half {half}");
    }
    for (a, b) in rig.written("temperature").iter().zip(parts.written("temperature")) {
        assert!((a - b).abs() < 1e-10, "{a} {b}");
    }
    let error = build(&entry(), "Thermal(law: Hertz, every: 0)", &bench).err().unwrap();
    assert!(error.message.contains("expected `every` of 1 or more"), "{error}");
}

/// x⁵ = K t: a neck of 50 µm after 1,000 s whatever the steps, 2 k x = 5 mW/K; at the temperature where e^(−T_a/T) is 1/32 it is half as wide. A
/// contact that opens begins anew, and a neck is no wider than 0.6 of the reduced radius, 1.5 mm.
#[test]
fn necks_grow_as_the_fifth_root_of_time() {
    let conducts = |h: f64, steps: u32, temperature: f64, law: &str| {
        let (mut bench, ids) = row(2, 1e-3, h);
        let text = format!(
            r#"Thermal(law: {law}, temperature: {temperature}, boundary: [Temperature(group: "s0", value: {}), Temperature(group: "s1", value: {})])"#,
            temperature + 1e-6,
            temperature - 1e-6
        );
        let key = mpcd_core::ContactKey { candidate: ids[0], antagonist: ids[1], feature: 0 };
        let mut rig = Rig::new(&entry(), &text, &bench);
        for _ in 0..steps {
            rig.trial(&bench).unwrap();
            rig.step(&bench).unwrap();
            let saved = rig.save();
            rig.module.load(&saved).unwrap();
        }
        let grown = rig.written("heat")[0] / 2e-6;
        let push = bench.network.contacts[0].r.x;
        bench.contact_mut(key).r.x = 0.0;
        rig.step(&bench).unwrap();
        bench.contact_mut(key).r.x = push;
        rig.step(&bench).unwrap();
        (grown, rig.written("heat")[0] / 2e-6)
    };
    let rate = 50e-6_f64.powi(5) / 1000.0;
    let plain = format!("Sinter(bare: Constant(conductance: 1e-9), rate: {rate:e})");
    for (h, steps) in [(1000.0, 1), (10.0, 100)] {
        let (grown, anew) = conducts(h, steps, 900.0, &plain);
        assert!((grown / 5e-3 - 1.0).abs() < 1e-6, "{grown} W/K");
        assert!((anew / (2.0 * 50.0 * (rate * h).powf(0.2)) - 1.0).abs() < 1e-6, "{anew} W/K");
    }
    let warm = format!("Sinter(bare: Constant(conductance: 1e-9), rate: {rate:e}, activation: {})", 900.0 * 32.0_f64.ln());
    assert!((conducts(10.0, 100, 900.0, &warm).0 / 2.5e-3 - 1.0).abs() < 1e-6);
    assert!((conducts(1e15, 1, 900.0, &plain).0 / (2.0 * 50.0 * 1.5e-3) - 1.0).abs() < 1e-6);
    // x^n = K t by viscous flow and along the surface: 50 µm after 1000 s each
    for n in [2, 7] {
        let law = format!("Sinter(bare: Constant(conductance: 1e-9), rate: {:e}, exponent: {n})", 50e-6_f64.powi(n) / 1000.0);
        assert!((conducts(10.0, 100, 900.0, &law).0 / 5e-3 - 1.0).abs() < 1e-6, "{n}");
    }
    // where the spot is wider than the neck it conducts
    let wide = format!("Sinter(bare: Constant(conductance: 0.5), rate: {rate:e})");
    assert!((conducts(10.0, 100, 900.0, &wide).0 / 0.5 - 1.0).abs() < 1e-6);
    let (bench, _) = row(2, 1.0, 1.0);
    for (text, part) in [
        ("Sinter(bare: Sinter(bare: Hertz, rate: 1), rate: 1)", "cannot have the law `Sinter`"),
        ("Sinter(bare: Hertz, rate: -1)", "zero or above, found -1"),
        ("Sinter(bare: Hertz, rate: 1, exponent: 0.5)", "expected 1 or above"),
        ("Sinter(bare: Hertz, rate: 1, activation: -1)", "zero or above, found -1"),
    ] {
        let error =
            build(&entry(), &format!("Thermal(law: {text})"), &bench).err().unwrap_or_else(|| panic!("{text} was accepted"));
        assert!(error.message.contains(part), "{text}: {error}");
    }
}

/// "auto" counts: a spatial network with capacities goes to conjugate gradients, a small one to Cholesky, and both methods give the same; where
/// one conductance in a hundred is a million times the others, more rounds are needed than were counted with, and it still converges.
#[test]
fn auto_counts_operations() {
    use mpcd_thermal::{HeatNetwork, HeatSolver, Method, SolverSettings, network::Node};
    let step = |side: usize, method: Method, uneven: f64| {
        let n = side.pow(3);
        let mut net = HeatNetwork::new(vec![300.0; n]);
        net.nodes.fill(Node::Free { capacity: 2.0 });
        net.nodes[0] = Node::Held;
        for k in 0..n {
            for step in [1, side, side * side] {
                if k / step % side + 1 < side {
                    net.join(k, k + step, if (k * 7919 + step) % 100 == 0 { uneven } else { 1.0 });
                }
            }
        }
        let (before, mut after) = (vec![0.0; n], vec![0.0; n]);
        after[0] = 10.0;
        let outcome =
            HeatSolver::new(SolverSettings { method, ..SolverSettings::default() }).step(&net, 1.0, &before, &mut after).unwrap();
        assert_eq!(outcome.status, mpcd_core::Status::Converged, "{outcome:?}");
        (outcome.stages.iter().map(|s| s.solver.clone()).collect::<Vec<_>>(), after)
    };
    let (cg, auto) = step(20, Method::Auto, 1.0);
    assert_eq!(cg, ["cg"]);
    let (_, direct) = step(20, Method::Cholesky, 1.0);
    assert!(auto.iter().zip(&direct).all(|(a, b)| (a - b).abs() < 1e-10));
    assert_eq!(step(9, Method::Auto, 1.0).0, ["cholesky"]);
    let (stages, auto) = step(20, Method::Auto, 1e6);
    let (_, direct) = step(20, Method::Cholesky, 1e6);
    assert!(auto.iter().zip(&direct).all(|(a, b)| (a - b).abs() < 1e-9), "{stages:?}");
}
