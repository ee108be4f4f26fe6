//! The module through its contract: laws and materials from text, electrodes, islands, books, rejected steps, error texts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use mpcd_core::{BodyId, PhysicsEntry};
use mpcd_electrical::Electrical;

use crate::kit::{Bench, Rig, build, number};

const STEEL: [(&str, &str); 2] = [("electrical", "(conductivity: 1.4e6)"), ("elastic", "(young: \"210 GPa\", poisson: 0.3)")];

fn entry() -> PhysicsEntry {
    PhysicsEntry::of::<Electrical>()
}

/// A row of spheres, each a group of its own (`s0`, `s1`, …), pressed with `force`.
fn row(n: usize, force: f64, h: f64) -> (Bench, Vec<BodyId>) {
    let mut bench = Bench::new(h);
    let steel = bench.material("steel", 7800.0, &STEEL);
    let ids: Vec<_> = (0..n).map(|k| bench.sphere(&format!("s{k}"), steel, 5e-3)).collect();
    ids.windows(2).for_each(|w| {
        bench.touch(w[0], w[1], force);
    });
    (bench, ids)
}

#[test]
fn v10_chain_of_ten_steel_spheres() {
    let (bench, _) = row(10, 10.0, 1e-4);
    let text = r#"Electrical(law: Hertz, potential: [(group: "s9", value: 0)], current: [(group: "s0", value: 2)])"#;
    let mut rig = Rig::new(&entry(), text, &bench);
    let report = rig.step(&bench).unwrap();
    let r = number(&report, "resistance");
    assert!((r - 58.90245e-3).abs() < 5e-9, "{r}");
    let v = rig.written("potential");
    assert!((v[0] - 2.0 * r).abs() < 1e-14 && v[9] == 0.0);
    assert!((number(&report, "joule_total") - 4.0 * r).abs() < 1e-12);
    // candidates come first in the row, and the current flows that way
    assert!(rig.written("current").iter().all(|i| (i - 2.0).abs() < 1e-12));
    assert!(report.balances[0].imbalance() < 1e-12);
}

#[test]
fn two_held_groups_and_two_fed_groups_measure_the_same_resistance() {
    let (bench, _) = row(4, 10.0, 1e-4);
    let resistance = |electrodes: &str| {
        let mut rig = Rig::new(&entry(), &format!("Electrical(law: Constant(conductance: 3), {electrodes})"), &bench);
        number(&rig.step(&bench).unwrap(), "resistance")
    };
    for electrodes in [
        r#"potential: [(group: "s0", value: 1), (group: "s3", value: -2)]"#,
        r#"potential: [(group: "s3", value: 4)], current: [(group: "s0", value: -0.1)]"#,
        r#"current: [(group: "s0", value: 0.5), (group: "s3", value: -0.5)]"#,
    ] {
        let r = resistance(electrodes);
        assert!((r - 1.0).abs() < 1e-13, "{electrodes}: {r}");
    }
    let none = resistance(r#"potential: [(group: "s0", value: 1), (group: "s1", value: 1), (group: "s3", value: -2)]"#);
    assert!(none.is_nan());
}

#[test]
fn only_contacts_that_push_between_conductors_conduct() {
    let (mut bench, ids) = row(3, 10.0, 1e-4);
    let wood = bench.material("wood", 600.0, &[]);
    let lacquer = bench.material("lacquer", 600.0, &[("electrical", "(conductivity: 1, insulating: true)")]);
    let board = bench.sphere("board", wood, 0.0);
    let coat = bench.sphere("coat", lacquer, 0.0);
    bench.touch(ids[0], board, 5.0);
    bench.touch(ids[2], board, 5.0);
    bench.touch(ids[0], coat, 5.0);
    let open = bench.touch(ids[0], ids[2], 0.0);
    let text = r#"Electrical(law: Hertz, potential: [(group: "s0", value: 1), (group: "s2", value: 0)])"#;
    let mut rig = Rig::new(&entry(), text, &bench);
    let report = rig.step(&bench).unwrap();
    assert!((number(&report, "resistance") - 2.0 * 58.90245e-3 / 9.0).abs() < 1e-9);
    assert_eq!(rig.written("current")[bench.row(open)], 0.0);
    assert_eq!(number(&report, "floating_bodies"), 0.0);
}

#[test]
fn floating_parts_are_reported_and_carry_nothing() {
    let (mut bench, ids) = row(6, 10.0, 1e-4);
    // the row breaks between 2 and 3: 3–4–5 floats
    bench.contact_mut(mpcd_core::ContactKey { candidate: ids[2], antagonist: ids[3], feature: 0 }).r.x = 0.0;
    let text = r#"Electrical(law: Hertz, potential: [(group: "s0", value: 5), (group: "s2", value: 3)])"#;
    let mut rig = Rig::new(&entry(), text, &bench);
    let report = rig.step(&bench).unwrap();
    assert_eq!((number(&report, "floating_islands"), number(&report, "floating_bodies")), (1.0, 3.0));
    assert_eq!(rig.written("potential")[3..], [0.0; 3]);
    assert_eq!(rig.written("current")[2..], [0.0; 3]);
    assert!(report.warnings[0].contains("to an electrode; their potential"));
}

#[test]
fn an_electrode_of_several_bodies_is_one_equipotential_or_takes_evenly() {
    // three spheres in parallel onto one plate, of different conductance
    let mut bench = Bench::new(1e-3);
    let steel = bench.material("steel", 7800.0, &STEEL);
    let plate = bench.sphere("plate", steel, 0.0);
    let top: Vec<_> = (0..3).map(|_| bench.sphere("top", steel, 5e-3)).collect();
    for (k, &s) in top.iter().enumerate() {
        bench.touch(plate, s, [1.0, 8.0, 27.0][k]);
    }
    let run = |bench: &Bench, spread: &str| {
        let text = format!(
            r#"Electrical(law: CubeRoot(), potential: [(group: "plate", value: 0)], current: [(group: "top", value: 6, spread: {spread})])"#
        );
        let mut rig = Rig::new(&entry(), &text, bench);
        let report = rig.step(bench).unwrap();
        (rig.written("potential"), rig.written("current"), number(&report, "resistance"))
    };
    let (v, i, r) = run(&bench, "Equipotential");
    assert!(v[1..].iter().all(|v| (v - 1.0).abs() < 1e-14) && (r - 1.0 / 6.0).abs() < 1e-14);
    assert!(i.iter().zip([-1.0, -2.0, -3.0]).all(|(i, want)| (i - want).abs() < 1e-14), "{i:?}");
    let (v, i, r) = run(&bench, "Evenly");
    assert!(i.iter().all(|i| (i + 2.0).abs() < 1e-13) && (v[2] - 1.0).abs() < 1e-13 && r.is_nan());
    // what does not conduct takes no part
    let glass = bench.material("glass", 2500.0, &[]);
    let last = bench.sphere("top", glass, 5e-3);
    bench.touch(plate, last, 1.0);
    let (_, i, _) = run(&bench, "Evenly");
    assert!(i[..3].iter().all(|i| (i + 2.0).abs() < 1e-13) && i[3] == 0.0, "{i:?}");
}

/// Of two steel balls of 5 mm Hertz' spot is R* = 2.5 mm wide under 4/3 E* R*² = 0.96 MN.
#[test]
fn a_spot_as_wide_as_its_bodies_is_told() {
    for (force, told) in [(0.9e6, false), (1.0e6, true)] {
        let (bench, _) = row(2, force, 1e-3);
        let text =
            r#"Electrical(law: Hertz, self_heating: false, potential: [(group: "s0", value: 1), (group: "s1", value: 0)])"#;
        let report = Rig::new(&entry(), text, &bench).step(&bench).unwrap();
        assert_eq!(report.warnings.iter().any(|w| w.contains("as wide as what touches there")), told, "{:?}", report.warnings);
    }
}

/// An impact of impulse I in one step: the mean force sees I/τ whatever h, the instantaneous one I/h.
#[test]
fn averaged_force_does_not_depend_on_the_step() {
    let current = |force: &str, h: f64, steps: u32| {
        let (mut bench, ids) = row(2, 1.0, h);
        let text = format!(
            r#"Electrical(law: Power(scale: 2, exponent: 1), force: {force}, potential: [(group: "s0", value: 1), (group: "s1", value: 0)])"#
        );
        let mut rig = Rig::new(&entry(), &text, &bench);
        let key = mpcd_core::ContactKey { candidate: ids[0], antagonist: ids[1], feature: 0 };
        bench.contact_mut(key).r.x = 1e-3;
        rig.step(&bench).unwrap();
        let at_impact = rig.written("current")[0];
        // then it rests under 3 N
        bench.contact_mut(key).r.x = 3.0 * h;
        (0..steps).for_each(|_| drop(rig.step(&bench).unwrap()));
        let at_rest = rig.written("current")[0];
        // what no longer pushes has no spot, whatever it bore in the mean
        bench.contact_mut(key).r.x = 0.0;
        rig.step(&bench).unwrap();
        assert_eq!(rig.written("current")[0], 0.0);
        (at_impact, at_rest)
    };
    let (a, _) = current("Averaged(time: \"10 ms\")", 1e-5, 0);
    let (b, rest) = current("Averaged(time: \"10 ms\")", 1e-6, 200_000);
    assert!((a / b - 1.0).abs() < 1e-3 && (b - 0.2).abs() < 1e-3, "{a} {b}");
    assert!((rest - 6.0).abs() < 1e-6, "{rest}");
    let (a, _) = current("Instant", 1e-5, 0);
    let (b, _) = current("Instant", 1e-6, 0);
    assert!((b / a - 10.0).abs() < 1e-9);
}

#[test]
fn a_rejected_step_leaves_no_trace() {
    let (mut bench, _) = row(5, 10.0, 1e-3);
    let text = r#"Electrical(law: Hertz, force: Averaged(time: 0.1), potential: [(group: "s0", value: "sin(t)"), (group: "s4", value: 0)], solver: "gauss-seidel")"#;
    let (mut straight, mut disturbed) = (Rig::new(&entry(), text, &bench), Rig::new(&entry(), text, &bench));
    for k in 0..5 {
        straight.step(&bench).unwrap();
        bench.network.contacts.iter_mut().for_each(|c| c.r.x *= 7.0);
        disturbed.trial(&bench).unwrap();
        disturbed.module.drop_caches();
        bench.network.contacts.iter_mut().for_each(|c| c.r.x /= 7.0);
        let saved = disturbed.save();
        disturbed.module.load(&saved).unwrap();
        disturbed.step(&bench).unwrap();
        assert_eq!(straight.save(), disturbed.save(), "step {k}");
        assert_eq!(straight.written("current"), disturbed.written("current"));
    }
}

#[test]
fn a_missed_tolerance_is_a_status_that_names_the_place() {
    let (bench, _) = row(60, 10.0, 1e-3);
    let text = r#"Electrical(law: Hertz, potential: [(group: "s0", value: 1), (group: "s59", value: 0)], solver: "gauss-seidel", max_iterations: 30)"#;
    let report = Rig::new(&entry(), text, &bench).step(&bench).unwrap();
    assert_eq!(report.status, mpcd_core::Status::MaxIterations);
    assert_eq!((report.stages.len(), report.stages[0].solver.as_str(), report.iterations), (1, "gauss-seidel", 30));
    assert!(report.worst.contains("(group \"s") && report.worst.contains("max_iterations"), "{}", report.worst);
    assert!(report.balances[0].imbalance() > 1e-3, "the book shows what is missing");
}

#[test]
fn a_current_without_return_names_the_bodies_or_waits() {
    let (mut bench, ids) = row(4, 10.0, 1e-3);
    let key = mpcd_core::ContactKey { candidate: ids[1], antagonist: ids[2], feature: 0 };
    bench.contact_mut(key).r.x = 0.0;
    let electrodes = r#"potential: [(group: "s3", value: 0)], current: [(group: "s0", value: 0.5)]"#;
    let error =
        Rig::new(&entry(), &format!("Electrical(law: Hertz, {electrodes})"), &bench).step(&bench).unwrap_err().to_string();
    assert_eq!(
        error,
        "module `Electrical` cannot go on: 0.5 A is fed in and has no return: electrode \"s0\" feeds body 0 (group \"s0\"), body 1 (group \"s1\"). \
         Hold a potential on a group that touches this part, draw the same current from it, or write `on_open_circuit: SwitchOff` to wait until there is a path. Bodies that no impulse moves (`Fixed` or driven) have no contact with each other"
    );
    let mut rig = Rig::new(&entry(), &format!("Electrical(law: Hertz, {electrodes}, on_open_circuit: SwitchOff)"), &bench);
    let report = rig.step(&bench).unwrap();
    assert!(report.warnings.iter().any(|w| w.contains("the current of group \"s0\" was switched off")), "{:?}", report.warnings);
    assert!(number(&report, "resistance").is_infinite() && report.balances[0].imbalance() == 0.0);
    assert_eq!(number(&report, "electrode_current"), 0.0);
    bench.contact_mut(key).r.x = 1e-2;
    let report = rig.step(&bench).unwrap();
    assert!((number(&report, "electrode_current") - 0.5).abs() < 1e-12 && report.warnings.is_empty());
}

#[test]
fn what_is_wrong_in_the_model_is_said_with_a_remedy() {
    let (bench, _) = row(2, 10.0, 1e-3);
    let two = r#"potential: [(group: "s0", value: 1), (group: "s1", value: 0)]"#;
    let cases = [
        ("Electrical(law: Hertz, current: [(group: \"s0\", value: 1)])", "the current has no return"),
        ("Electrical(law: Hertz)", "Electrical has no electrode"),
        ("Electrical(law: Hertz, potential: [(group: \"s0\", value: 1), (group: \"s0\", value: 0)])", "an electrode twice"),
        ("Electrical(law: Hertz, potential: [(group: \"s7\", value: 1)])", "unknown group `s7`"),
        (&format!("Electrical(law: Hertz, {two}, max_iterations: 0)"), "`max_iterations` is 0"),
        (&format!("Electrical(law: Hertz, {two}, solver: \"cholesk\")"), "unknown electrical solver `cholesk`"),
        (&format!("Electrical(law: Hertz, {two}, tolerance: -1)"), "above zero, found -1"),
        (&format!("Electrical(law: Herz, {two})"), "Herz"),
        (&format!("Electrical(law: Hertz, {two}, tolerence: 1e-9)"), "tolerence"),
        (&format!("Electrical(law: Constant(conductance: \"3 m\"), {two})"), "expected a quantity in S"),
    ];
    for (text, part) in cases {
        let error = build(&entry(), text, &bench).err().unwrap_or_else(|| panic!("{text} was accepted"));
        assert!(error.message.contains(part), "{text}: {}", error.message);
        assert!(error.help.is_some() || error.message.contains("expected"), "{text}: {}", error.message);
    }
    let mut bare = Bench::new(1e-3);
    let plain = bare.material("plain", 1.0, &[("electrical", "()")]);
    bare.sphere("s0", plain, 1.0);
    bare.sphere("s1", plain, 1.0);
    let error = build(&entry(), &format!("Electrical(law: Hertz, {two})"), &bare).err().unwrap();
    assert!(error.message.contains("material \"plain\" conducts but has no conductivity"), "{error}");
    let mut wood = Bench::new(1e-3);
    let plain = wood.material("wood", 1.0, &[]);
    wood.sphere("s0", plain, 1.0);
    let error = build(&entry(), &format!("Electrical(law: Hertz, {two})"), &wood).err().unwrap();
    assert!(error.message.contains("no material of the model conducts"), "{error}");
}

#[test]
fn a_boundary_value_that_is_no_number_names_group_and_time() {
    let (bench, _) = row(2, 10.0, 1e-3);
    let text = r#"Electrical(law: Hertz, potential: [(group: "s0", value: "1/(t-0.002)"), (group: "s1", value: 0)])"#;
    let mut rig = Rig::new(&entry(), text, &bench);
    rig.step(&bench).unwrap();
    let error = rig.step(&bench).unwrap_err().to_string();
    assert!(error.contains("the potential of group \"s0\" is inf at t = 0.002 s"), "{error}");
}

/// Two electrodes that feed nothing until 2 ms join their part to the outside all the same; a part without one floats.
#[test]
fn a_part_that_electrodes_feed_does_not_float_while_they_feed_nothing() {
    let (mut bench, ids) = row(5, 10.0, 1e-3);
    bench.contact_mut(mpcd_core::ContactKey { candidate: ids[2], antagonist: ids[3], feature: 0 }).r.x = 0.0;
    let feed = |group: &str, most: f64| format!("(group: \"{group}\", value: Table([(0, 0), (0.002, 0), (0.004, {most})]))");
    for (last, floats) in [("s2", 2.0), ("s1", 2.0)] {
        let text = format!("Electrical(law: Constant(conductance: 3), current: [{}, {}])", feed("s0", 4.0), feed(last, -4.0));
        let mut rig = Rig::new(&entry(), &text, &bench);
        for current in [0.0, 0.0, 2.0, 4.0] {
            let report = rig.step(&bench).unwrap();
            let islands = (number(&report, "floating_islands"), number(&report, "floating_bodies"));
            assert_eq!(islands, (1.0, floats), "{last}, {current} A");
            assert!((number(&report, "electrode_current") - current).abs() < 1e-12, "{last}, {current} A");
        }
    }
    bench.contact_mut(mpcd_core::ContactKey { candidate: ids[2], antagonist: ids[3], feature: 0 }).r.x = 1e-2;
    let text = format!("Electrical(law: Constant(conductance: 3), current: [{}, {}])", feed("s0", 4.0), feed("s4", -4.0));
    let report = Rig::new(&entry(), &text, &bench).step(&bench).unwrap();
    assert_eq!((number(&report, "floating_islands"), number(&report, "floating_bodies")), (0.0, 0.0));
    assert!(report.warnings.is_empty(), "{:?}", report.warnings);
}
