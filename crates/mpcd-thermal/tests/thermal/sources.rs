//! Heat made at contacts and in bodies: where it goes, and that the book counts it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use mpcd_core::{Balance, FieldSpec, FieldStore, PhysicsEntry, Support, Unit, field::SupportSizes};
use mpcd_electrical::Electrical;

use crate::{
    closed_forms::{STEEL, entry, row},
    kit::{Bench, Rig, number},
};

fn flow(balance: &Balance, name: &str) -> f64 {
    balance.flows.iter().find(|(n, _)| *n == name).unwrap_or_else(|| panic!("no flow {name}")).1.x
}

/// A block of 1 kg at 5 m/s, μ 0.3, slides 1.698947 s to rest on a floor: the 12.5 J of its kinetic energy, as friction heat per
/// step −r_t·½(u⁺ + u⁻), all arrive in the block (the floor is massless and insulated), whatever the step.
#[test]
fn v11_friction_heat_of_a_sliding_block() {
    for h in [1e-2, 1.3e-3] {
        let mut bench = Bench::new(h);
        let steel = bench.material("steel", 7800.0, &STEEL);
        let block = bench.body("block", steel, 1.0, 1.0 / 7800.0, 0.01);
        let floor = bench.body("floor", steel, 0.0, 0.0, 0.0);
        let key = bench.touch(block, floor, 9.81);
        let mut rig = Rig::new(&entry(), "Thermal(law: Hertz, temperature: 300)", &bench);
        assert!(rig.module.warnings()[0].contains("1 massless boundaries"));
        let (mut v, mut t, mut friction, mut stored) = (5.0_f64, 0.0, 0.0, 0.0);
        while v > 0.0 {
            let after = (v - 0.3 * 9.81 * h).max(0.0);
            bench.contact_mut(key).heat_friction = (v - after) * 0.5 * (v + after);
            t += (v - after) / (0.3 * 9.81);
            v = after;
            let report = rig.step(&bench).unwrap();
            friction += flow(&report.balances[0], "friction");
            stored = number(&report, "heat_stored");
            assert!(report.balances[0].imbalance() <= 1e-10, "{:?}", report.balances);
        }
        assert!((t - 1.698947).abs() < 1e-6);
        assert!((friction - 12.5).abs() < 1e-12 && (stored - 12.5).abs() < 1e-11, "{friction} {stored}");
        let temperature = rig.written("temperature")[0];
        assert!((temperature - 300.0 - 12.5 / 500.0).abs() < 1e-11, "{temperature}");
        assert_eq!(rig.written("temperature")[1], 300.0);
    }
}

/// Two half spaces rubbing share heat as their effusivities √(kρc).
#[test]
fn contact_heat_is_shared_by_effusivity() {
    let mut bench = Bench::new(1e-6);
    let steel = bench.material("steel", 7800.0, &STEEL);
    let glass = bench.material("glass", 2500.0, &[("thermal", "(conductivity: 1, specific_heat: 800)")]);
    let wood = bench.material("wood", 600.0, &[]);
    let a = bench.sphere("a", steel, 5e-3);
    let b = bench.sphere("b", glass, 5e-3);
    let c = bench.sphere("c", wood, 5e-3);
    let ab = bench.touch(a, b, 0.0);
    let bc = bench.touch(b, c, 0.0);
    let mut rig = Rig::new(&entry(), "Thermal(law: Constant(conductance: 1), coupling: (impact: false))", &bench);
    bench.contact_mut(ab).heat_friction = 1.0;
    bench.contact_mut(ab).heat_impact = 77.0;
    let capacity = |body: mpcd_core::BodyId, c: f64| bench.setup.bodies.mass[body.index()] * c;
    let (steel_c, glass_c) = (capacity(a, 500.0), capacity(b, 800.0));
    let report = rig.step(&bench).unwrap();
    let t = rig.written("temperature");
    let (e, f) = ((50.0 * 7800.0 * 500.0_f64).sqrt(), (1.0 * 2500.0 * 800.0_f64).sqrt());
    assert!(((t[0] - 293.15) * steel_c - e / (e + f)).abs() < 1e-9 && ((t[1] - 293.15) * glass_c - f / (e + f)).abs() < 1e-9);
    assert_eq!(flow(&report.balances[0], "impact"), 0.0);
    // a body that takes no part leaves all heat to the other
    bench.contact_mut(ab).heat_friction = 0.0;
    bench.contact_mut(bc).heat_friction = 2.0;
    rig.step(&bench).unwrap();
    let after = rig.written("temperature");
    assert!(((after[1] - t[1]) * glass_c - 2.0).abs() < 1e-9 && after[2] == 293.15);
}

/// Heat between two bodies that take none is counted as lost, and that into a held body as taken by it: the book still closes.
#[test]
fn heat_that_no_body_stores_is_in_the_book() {
    let (mut bench, ids) = row(3, 10.0, 1e-3);
    let wood = bench.material("wood", 600.0, &[]);
    let (p, q) = (bench.sphere("p", wood, 1e-2), bench.sphere("q", wood, 1e-2));
    let pq = bench.touch(p, q, 1.0);
    let first = bench.network.contacts[0].key;
    let mut rig = Rig::new(&entry(), r#"Thermal(law: Hertz, boundary: [Temperature(group: "s0", value: 293.15)])"#, &bench);
    bench.contact_mut(pq).heat_impact = 0.3;
    bench.contact_mut(first).heat_friction = 0.7;
    let report = rig.step(&bench).unwrap();
    let book = &report.balances[0];
    assert_eq!(flow(book, "made where nothing takes heat"), -0.3);
    assert!((flow(book, "held bodies") + 0.35).abs() < 1e-6, "{book:?}");
    assert!(book.imbalance() <= 1e-10 && ids.len() == 3, "{book:?}");
}

/// Joule power goes half and half into the two bodies; a chain of both modules, as the loop would run them.
#[test]
fn joule_heat_of_the_electrical_module_arrives() {
    let mut bench = Bench::new(1e-2);
    let mut parts = STEEL.to_vec();
    parts.push(("electrical", "(conductivity: 1.4e6)"));
    let steel = bench.material("steel", 7800.0, &parts);
    let ids: Vec<_> = (0..4).map(|k| bench.sphere(&format!("s{k}"), steel, 5e-3)).collect();
    ids.windows(2).for_each(|w| {
        bench.touch(w[0], w[1], 10.0);
    });
    let text = r#"Electrical(law: Hertz, potential: [(group: "s3", value: 0)], current: [(group: "s0", value: 50)])"#;
    let mut electrical = Rig::new(&PhysicsEntry::of::<Electrical>(), text, &bench);
    let mut thermal = Rig::new(&entry(), "Thermal(law: Constant(conductance: 0))", &bench);
    let mut serial = Rig::new(&entry(), "Thermal(law: Constant(conductance: 0), coupling: (joule: false))", &bench);
    electrical.step(&bench).unwrap();
    let spec = FieldSpec::scalar("joule_power", Unit::POWER, Support::Contact);
    let sizes = SupportSizes { bodies: 4, contacts: 3, ..SupportSizes::default() };
    for rig in [&mut thermal, &mut serial] {
        rig.fields = FieldStore::new([spec], &sizes);
        rig.fields.swap("joule_power", &mut electrical.written("joule_power"));
    }
    let report = thermal.step(&bench).unwrap();
    let per_contact = 2500.0 / 152.7950 * 1e-2;
    assert!((flow(&report.balances[0], "joule") - 3.0 * per_contact).abs() < 1e-5);
    let capacity = 500.0 * bench.setup.bodies.mass[0];
    let rises: Vec<f64> = thermal.written("temperature").iter().map(|t| (t - 293.15) * capacity / per_contact).collect();
    for (rise, want) in rises.iter().zip([0.5, 1.0, 1.0, 0.5]) {
        assert!((rise - want).abs() < 1e-5, "{rises:?}");
    }
    assert!(report.balances[0].imbalance() <= 1e-10);
    let report = serial.step(&bench).unwrap();
    assert_eq!(number(&report, "heat_stored"), 0.0);
}

/// A user's module gives heat to bodies through the field `heat_source`.
#[test]
fn a_heat_source_field_is_read() {
    let (bench, _) = row(2, 0.0, 0.5);
    let mut rig = Rig::new(&entry(), "Thermal(law: Hertz)", &bench);
    let spec = FieldSpec::scalar("heat_source", Unit::POWER, Support::Body);
    rig.fields = FieldStore::new([spec], &SupportSizes { bodies: 2, contacts: 1, ..SupportSizes::default() });
    rig.fields.swap("heat_source", &mut vec![0.0, 3.0]);
    let report = rig.step(&bench).unwrap();
    assert!((number(&report, "heat_stored") - 1.5).abs() < 1e-12 && flow(&report.balances[0], "heat source") == 1.5);
    assert_eq!(rig.written("temperature")[0], 293.15);
    rig.fields.swap("heat_source", &mut vec![f64::NAN, 0.0]);
    let error = rig.step(&bench).unwrap_err().to_string();
    assert!(error.contains("the heat given to body 0 (group \"s0\") is NaN W"), "{error}");
}
