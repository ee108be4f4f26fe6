//! Joints that conduct: current and heat through rods, springs, wires and welds, whole and broken, in tension and compression, beside contacts, and what is refused.

use std::path::Path;

use mpcd::StandardRegistry;
use mpcd_core::Book;
use mpcd_sim::{Model, Registry, Simulation};

use crate::granular::{build, column, steps};

/// A model of balls of 1 kg in a row along x, 3 m apart, without gravity; `joints` in RON.
fn model(balls: usize, joints: &str, more: &str, physics: &str) -> String {
    let ball = |k: usize| format!(r#"(group: "b{k}", material: "m", shape: Sphere(radius: 1), at: ({}, 0, 0))"#, 3 * k);
    let bodies: Vec<String> = (0..balls).map(ball).collect();
    let pairs = (0..balls).flat_map(|i| (0..i).map(move |j| (j, i)));
    let laws: Vec<String> = pairs.map(|(j, i)| format!(r#"(between: ("b{j}", "b{i}"), law: Coulomb(friction: 0))"#)).collect();
    format!(
        r#"(dimension: 3, time: (step: "10 ms", end: 100, theta: 0.5),
  materials: {{"m": (density: 0.238732414637843, electrical: (conductivity: 1e4), thermal: (conductivity: 50, specific_heat: 500)), "glass": (density: 1)}},
  bodies: [{}],
  interactions: [{}],
  joints: [{joints}], {more}
  physics: [{physics}])"#,
        bodies.join(", "),
        laws.join(", ")
    )
}

const VOLTS: &str = r#"Contact(), Electrical(law: Constant(conductance: 7), on_open_circuit: SwitchOff, potential: [(group: "b0", value: 10), (group: "b1", value: 0)])"#;

fn read(run: &mut Simulation, count: u64, name: &str) -> f64 {
    let outcome = steps(run, count);
    column(run, &outcome, name).unwrap()
}

/// Every kind of joint, pulled and pushed: I = G U, all of it made heat.
#[test]
fn a_joint_carries_current_whether_it_pushes_or_pulls() {
    for joint in
        ["Rod()", "Wire()", "Spring(stiffness: 1e4)", "Weld()", "Pin()", "Hinge(axis: (0, 0, 1))", "Slider(axis: (1, 0, 0))"]
    {
        for force in [-20.0, 20.0] {
            let joints = format!(r#"(between: ("b0", "b1"), joint: {joint}, name: "strap", conducts: (electrical: "40 S"))"#);
            let loads = format!(r#"loads: [(on: "b0", load: Fixed), (on: "b1", load: Force(x: {force}))],"#);
            let probe = r#"output: (probes: [(name: "probe", of: "joint_current", joint: "strap")]),"#;
            let mut run = build(&model(2, &joints, &(loads + probe), VOLTS), &[]);
            let outcome = steps(&mut run, 3);
            let of = |name: &str| column(&run, &outcome, name).unwrap();
            assert!((of("strap_current") - 400.0).abs() < 1e-9, "{joint}, {force} N: {} A", of("strap_current"));
            assert_eq!(of("probe"), of("strap_current"));
            assert!((of("joule_total") - 4000.0).abs() < 1e-8 && (of("resistance") - 0.025).abs() < 1e-12);
            for book in [Book::Charge, Book::Electricity] {
                assert!(run.books().account(book).unwrap().worst < 1e-12);
            }
        }
    }
}

/// Between bodies that no force moves there is no contact, and a spring may stand for it: fixed ones, and one that is driven away at 1 m/s, whose spring of 100 N/m
/// pulls with 5 N at 50 ms and breaks where it would pull with more than 12 N. Heat warms the free one of a chain by K ΔT t/(m c) at first.
#[test]
fn a_spring_between_bodies_that_no_force_moves_conducts() {
    let spring = |more: &str, part: &str| {
        format!(r#"(between: ("b0", "b1"), joint: Spring(stiffness: 100{more}), name: "strap", conducts: ({part}))"#)
    };
    let current = "electrical: 40";
    let fixed = r#"loads: [(on: "b0", load: Fixed), (on: "b1", load: Fixed)],"#;
    assert!((read(&mut build(&model(2, &spring("", current), fixed, VOLTS), &[]), 3, "strap_current") - 400.0).abs() < 1e-9);
    let away = r#"loads: [(on: "b0", load: Fixed), (on: "b1", load: Velocity(x: 1, y: 0, z: 0))],"#;
    let mut run = build(&model(2, &spring(", break_force: 12", current), away, VOLTS), &[]);
    let outcome = steps(&mut run, 5);
    let pull = column(&run, &outcome, "strap_force").unwrap();
    assert!((pull - 4.5).abs() < 0.51, "{pull} N");
    assert!((column(&run, &outcome, "strap_current").unwrap() - 400.0).abs() < 1e-9);
    assert_eq!(read(&mut run, 10, "strap_current"), 0.0);
    let heat = r#"Contact(), Thermal(law: Constant(conductance: 7), initial: [(group: "b1", temperature: 300)], boundary: [Temperature(group: "b0", value: 400)])"#;
    let mut run = build(&model(2, &spring("", "thermal: 2"), fixed, heat), &[]);
    let warmed = read(&mut run, 10, "temperature_min") - 300.0;
    assert!((warmed / (2.0 * 100.0 * 0.1 / 500.0) - 1.0).abs() < 1e-3, "{warmed} K");
    let rod = r#"(between: ("b0", "b1"), joint: Rod(), conducts: (electrical: 40))"#;
    let refused = Model::parse_with(&model(2, rod, fixed, VOLTS), "t", "t.ron", Path::new("."), &[], &mpcd::shapes())
        .map_err(|e| e.to_string())
        .and_then(|m| Simulation::build(&m, &Registry::standard()).map(|_| ()).map_err(|e| e.to_string()));
    let words = refused.unwrap_err();
    assert!(words.contains("no force can move either end of this joint"), "{words}");
}

/// Beside a contact that pushes: 40 S + 7 S. A broken one carries nothing, from the step on in which it was pulled too hard, unless the model says that the current
/// does not know it.
#[test]
fn a_broken_joint_carries_nothing_and_a_contact_stands_beside_a_whole_one() {
    let touching = model(
        2,
        r#"(between: ("b0", "b1"), joint: Spring(stiffness: 1, length: 2), conducts: (electrical: 40))"#,
        r#"loads: [(on: "b0", load: Fixed), (on: "b1", load: Force(x: -5))],"#,
        VOLTS,
    );
    let touching = touching.replace("at: (3, 0, 0)", "at: (2, 0, 0)");
    assert!((read(&mut build(&touching, &[]), 3, "electrode_current") - 470.0).abs() < 1e-9);
    let pulled = model(
        2,
        r#"(between: ("b0", "b1"), joint: Rod(break_force: 20), name: "strap", conducts: (electrical: 40))"#,
        r#"loads: [(on: "b0", load: Fixed), (on: "b1", load: Force(x: "1000*t"))],"#,
        VOLTS,
    );
    // 5 N in the first step, the mean of its ends, 15 N in the second, 25 N in the third
    let mut run = build(&pulled, &[]);
    assert!((read(&mut run, 2, "strap_current") - 400.0).abs() < 1e-9);
    assert_eq!(read(&mut run, 1, "strap_current"), 0.0);
    assert!(
        run.counters().warning_words().iter().any(|w| w.contains("b0") || w.contains("return"))
            || read(&mut run, 1, "electrode_current") == 0.0
    );
    let deaf = pulled.replace("loads:", r#"coupling: Staggered(off: [(field: "joint_holds", to: "Electrical")]), loads:"#);
    assert!((read(&mut build(&deaf, &[]), 5, "strap_current") - 400.0).abs() < 1e-9);
}

/// Wheatstone's bridge out of balance, of five springs: R = 1, 2, 3, 4 Ω and 5 Ω across. By hand: I = 13/30 … of 1 V.
#[test]
fn wheatstones_bridge_of_joints() {
    let arms = [(0, 1, 1.0), (1, 3, 2.0), (0, 2, 3.0), (2, 3, 4.0), (1, 2, 5.0)];
    let joint = |(i, j, r): (usize, usize, f64)| {
        format!(r#"(between: ("b{i}", "b{j}"), joint: Spring(stiffness: 10), name: "r{r}", conducts: (electrical: {}))"#, 1.0 / r)
    };
    let joints: Vec<String> = arms.into_iter().map(joint).collect();
    let physics = r#"Contact(), Electrical(law: Insulating, potential: [(group: "b0", value: 1), (group: "b3", value: 0)])"#;
    let mut run = build(&model(4, &joints.join(", "), "", physics), &[]);
    let outcome = steps(&mut run, 1);
    let of = |name: &str| column(&run, &outcome, name).unwrap();
    // nodal equations: (1 + 1/2 + 1/5) a − b/5 = 1, −a/5 + (1/3 + 1/4 + 1/5) b = 1/3
    let det = 1.7 * (47.0 / 60.0) - 0.04;
    let [a, b] = [(47.0 / 60.0 + 1.0 / 15.0) / det, (1.7 / 3.0 + 0.2) / det];
    for (name, want) in [
        ("r1_current", 1.0 - a),
        ("r2_current", a / 2.0),
        ("r3_current", (1.0 - b) / 3.0),
        ("r4_current", b / 4.0),
        ("r5_current", (a - b) / 5.0),
    ] {
        assert!((of(name) - want).abs() < 1e-12, "{name}: {} for {want}", of(name));
    }
    assert!((1.0 / of("resistance") - (1.0 - a) - (1.0 - b) / 3.0).abs() < 1e-12);
}

/// Two lumps of 500 J/K that a rod joins: ΔT falls as e^(−2Kt/C), and what one gives the other takes; a broken rod passes nothing.
#[test]
fn heat_passes_through_a_joint() {
    let heat = r#"Contact(), Thermal(law: Insulating, temperature: 300, initial: [(group: "b1", temperature: 400)], coupling: (dilatation: false), theta: 0.5)"#;
    let rod = r#"(between: ("b0", "b1"), joint: Rod(break_force: 1e3), name: "rod", conducts: (thermal: "200 W/K"))"#;
    let text = model(2, rod, r#"loads: [(on: "b0", load: Fixed)],"#, heat);
    let mut run = build(&text, &[]);
    let outcome = steps(&mut run, 100);
    let temperature = run.field("temperature").unwrap().to_vec();
    let want = 100.0 * (-2.0 * 200.0 / 500.0_f64).exp();
    assert!(((temperature[1] - temperature[0]) / want - 1.0).abs() < 1e-5, "{temperature:?} for {want} K");
    assert!((temperature[0] + temperature[1] - 700.0).abs() < 1e-9);
    // of the step's mean, from the first body to the second
    let flow = column(&run, &outcome, "rod_heat").unwrap();
    assert!((flow / (-200.0 * want * (0.004_f64).exp()) - 1.0).abs() < 1e-4, "{flow} W");
    assert!(run.books().account(Book::Heat).unwrap().worst < 1e-12);
    let torn = text.replace(r#"load: Fixed)]"#, r#"load: Fixed), (on: "b1", load: Force(x: 1e4))]"#);
    let mut run = build(&torn, &[]);
    assert_eq!(read(&mut run, 5, "rod_heat"), 0.0);
    assert_eq!(run.field("temperature").unwrap(), [300.0, 400.0]);
}

/// Joule heat of a joint: half to each body, U² G t in all.
#[test]
fn joule_heat_of_a_joint_warms_its_bodies() {
    let strap = r#"(between: ("b0", "b1"), joint: Rod(), conducts: (electrical: 40))"#;
    let both = format!("{VOLTS}, Thermal(law: Insulating, temperature: 300, coupling: (dilatation: false))");
    for (switch, rise) in [("", 4.0), ("joule: false, ", 0.0)] {
        let physics = both.replace("(dilatation", &format!("({switch}dilatation"));
        let mut run = build(&model(2, strap, r#"loads: [(on: "b0", load: Fixed)],"#, &physics), &[]);
        steps(&mut run, 100);
        // 4000 W for a second into twice 500 J/K
        for t in run.field("temperature").unwrap() {
            assert!((t - 300.0 - rise).abs() < 1e-9, "{t} K");
        }
        assert!(run.books().account(Book::Heat).unwrap().worst < 1e-12);
    }
}

#[test]
fn what_cannot_conduct_is_refused_by_name() {
    let text = |joint: &str| model(2, joint, "", VOLTS);
    let fault = |text: &str| {
        let model = Model::parse_with(text, "model", "model.ron", Path::new("."), &[], &mpcd::shapes());
        let built = model.and_then(|model| Simulation::build(&model, &Registry::standard()));
        built.map(|_| ()).expect_err(text).to_string()
    };
    let between = |conducts: &str| format!(r#"(between: ("b0", "b1"), joint: Rod(), conducts: {conducts})"#);
    let cases = [
        (text(&between("(elektrical: 40)")), "elektrical"),
        (text(&between("(electrical: -40)")), "zero or above"),
        (text(&between("(electrical: \"40 W/K\")")), "in S"),
        (text(&between("(electrical: 40, electrical: 41)")), "given twice"),
        (text(&between("40")), "written"),
        (text(&between("(electrical: 40)").replace("joint: Rod()", "joint: Rod(), name: \"electrode\"")), "another column"),
        (text(r#"(to_ground: "b0", joint: Rod(to: (0, 5, 0)), conducts: (electrical: 40))"#), "ground"),
        (
            model(3, r#"(between: ("b1", "b2"), joint: Rod(), conducts: (electrical: 40))"#, "", VOLTS).replacen(
                r#"group: "b2", material: "m""#,
                r#"group: "b2", material: "glass""#,
                1,
            ),
            "does not",
        ),
    ];
    for (text, word) in cases {
        let said = fault(&text);
        assert!(said.contains(word), "{word}: {said}");
    }
}
