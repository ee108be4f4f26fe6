//! The module through its contract: ports and couplings, sizes, gas, rejected steps, random networks.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use mpcd_tests::random::cases;
use proptest::prelude::*;

use mpcd_core::{Access, BodyId};

use crate::{
    closed_forms::{STEEL, entry, row},
    kit::{Bench, Rig, build, number},
};

#[test]
fn ports_follow_the_coupling() {
    let (bench, _) = row(2, 1.0, 1e-3);
    let ports = |text: &str| {
        let ports = build(&entry(), text, &bench).unwrap().ports();
        ports.iter().map(|p| (p.field.name, p.access, p.optional)).collect::<Vec<_>>()
    };
    let all = ports("Thermal(law: Hertz)");
    assert!(all.contains(&("size_factor", Access::Write, false)) && all.contains(&("joule_power", Access::Fresh, true)));
    assert!(all.contains(&("heat_source", Access::Fresh, true)) && all.contains(&("temperature", Access::Write, false)));
    let few = ports("Thermal(law: Hertz, coupling: (joule: false, dilatation: false))");
    assert!(few.iter().all(|p| p.0 != "size_factor" && p.0 != "joule_power"), "{few:?}");
}

/// A bar of α 1.2e-5 heated by 100 K grows by 1.2e-3.
#[test]
fn sizes_follow_the_rise_over_the_start() {
    let (bench, _) = row(2, 0.0, 1.0);
    let text = r#"Thermal(law: Hertz, temperature: 350, boundary: [Temperature(group: "s0", value: 450)])"#;
    let mut rig = Rig::new(&entry(), text, &bench);
    rig.step(&bench).unwrap();
    let size = rig.written("size_factor");
    assert!((size[0] - 1.0012).abs() < 1e-15 && size[1] == 1.0, "{size:?}");
}

/// Gas conducts where nothing touches, and beside the spot where something does.
#[test]
fn gas_bridges_gaps() {
    let heat = |gap: f64, force: f64, gas: &str| {
        let (mut bench, _) = row(2, force, 1e-10);
        bench.network.contacts[0].gap = gap;
        let text = format!(r#"Thermal(law: Hertz{gas}, temperature: 300, initial: [(group: "s0", temperature: 310)])"#);
        let mut rig = Rig::new(&entry(), &text, &bench);
        rig.step(&bench).unwrap();
        rig.written("heat")[0]
    };
    let air = ", gas: (conductivity: 0.026, jump_distance: \"0.4 µm\")";
    assert_eq!(heat(1e-5, 0.0, ""), 0.0);
    let (near, far) = (heat(1e-5, 0.0, air), heat(1e-4, 0.0, air));
    let want = 10.0 * std::f64::consts::PI * 0.026 * (5.0052e-3 * (1e-2_f64 / 1.04e-5).ln_1p() - 5e-3);
    assert!((near / want - 1.0).abs() < 1e-9 && far < near, "{near} {want} {far}");
    let (solid, both, touching) = (heat(0.0, 10.0, ""), heat(0.0, 10.0, air), heat(0.0, 0.0, air));
    assert!((both - solid - touching).abs() < 1e-9 * both);
}

#[test]
fn a_rejected_step_leaves_no_trace() {
    let (mut bench, _) = row(5, 10.0, 1e-1);
    let text = r#"Thermal(law: Hertz, initial: [(group: "s1", temperature: 600)], boundary: [Radiation(group: "s0", emissivity: 1, ambient: 900), Temperature(group: "s4", value: "300+t")])"#;
    let (mut straight, mut disturbed) = (Rig::new(&entry(), text, &bench), Rig::new(&entry(), text, &bench));
    for k in 0..5 {
        straight.step(&bench).unwrap();
        bench.network.contacts.iter_mut().for_each(|c| c.heat_friction += 7.0);
        disturbed.trial(&bench).unwrap();
        disturbed.module.drop_caches();
        bench.network.contacts.iter_mut().for_each(|c| c.heat_friction = 0.0);
        let saved = disturbed.save();
        disturbed.module.load(&saved).unwrap();
        disturbed.step(&bench).unwrap();
        assert_eq!(straight.save(), disturbed.save(), "step {k}");
        assert_eq!(straight.written("heat"), disturbed.written("heat"));
    }
}

#[test]
fn contacts_without_elasticity_are_named() {
    let mut bench = Bench::new(1e-3);
    let steel = bench.material("steel", 7800.0, &STEEL);
    let stone = bench.material("stone", 2700.0, &[("thermal", "(conductivity: 2, specific_heat: 800)")]);
    bench.sphere("a", steel, 1e-2);
    let b = bench.sphere("b", stone, 1e-2);
    let c = bench.sphere("c", stone, 1e-2);
    bench.touch(b, c, 1.0);
    let error = Rig::new(&entry(), "Thermal(law: Hertz)", &bench).step(&bench).unwrap_err().to_string();
    assert!(error.contains("between body 1 (group \"b\") and body 2 (group \"c\"): the law needs `elastic"), "{error}");
}

/// Two bodies, exponent of the force, friction heat.
type RandomContact = (usize, usize, f64, f64);

/// Number of bodies, contacts, exponent of h.
fn random() -> impl Strategy<Value = (usize, Vec<RandomContact>, f64)> {
    (3_usize..25).prop_flat_map(|n| {
        let contact = (0..n, 0..n, -2.0..3.0_f64, 0.0..1e-3_f64);
        (Just(n), proptest::collection::vec(contact, 1..3 * n), -4.0..4.0_f64)
    })
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn books_close_on_random_networks((n, contacts, exponent) in random()) {
        let mut bench = Bench::new(10_f64.powf(exponent));
        let steel = bench.material("steel", 7800.0, &STEEL);
        for k in 0..n {
            bench.sphere(&format!("s{}", k.min(2)), steel, 1e-3 * (1 + k % 4) as f64);
        }
        for (i, j, force, heat) in contacts.into_iter().filter(|c| c.0 != c.1) {
            let key = bench.touch(BodyId::from_index(i), BodyId::from_index(j), 10_f64.powf(force));
            bench.contact_mut(key).heat_friction = heat;
        }
        let run = |solver: &str| {
            let text = format!(
                r#"Thermal(law: Hertz, solver: "{solver}", initial: [(group: "s2", temperature: 500)], boundary: [Temperature(group: "s0", value: 250), Convection(group: "s1", coefficient: 10, ambient: 800)])"#
            );
            let mut rig = Rig::new(&entry(), &text, &bench);
            let mut worst = 0.0_f64;
            for _ in 0..4 {
                let report = rig.step(&bench).unwrap();
                worst = worst.max(report.balances[0].imbalance());
                assert_eq!(report.status, mpcd_core::Status::Converged, "{report:?}");
                assert!(number(&report, "temperature_min") >= 250.0 - 1e-6);
            }
            (rig.written("temperature"), worst)
        };
        let ((a, worst_a), (b, worst_b)) = (run("cholesky"), run("cg"));
        prop_assert!(worst_a <= 1e-10 && worst_b <= 1e-10, "{} {}", worst_a, worst_b);
        for (a, b) in a.iter().zip(&b) {
            prop_assert!((a - b).abs() <= 1e-8 * a.abs(), "{} {}", a, b);
        }
    }
}
