//! Steps in which loads alone would bring bodies many radii farther: what lies at rest does not look for pairs without end, what falls still lands.

use crate::granular::{build, column};

/// Balls on each other in a narrow periodic cell: at g h² of 25 cells each had thousands of images of all others for its neighbours.
#[test]
fn a_bed_at_rest_has_its_neighbours_alone() {
    for step in [0.01, 0.05, 0.2] {
        let text = format!(
            r#"(dimension: 3, gravity: (0, 0, -10), periodic: (x: 0.02, y: 0.02), time: (step: {step:?}, end: 10), materials: {{"m": (density: 2500)}},
            bodies: [
                (group: "balls", material: "m", as: Sphere(), packing: Lattice(from: (0, 0, 0), to: (0.02, 0.02, 0.04), sizes: Fixed(radius: 0.004))),
                (group: "floor", material: "m", shape: Plane(normal: (0, 0, 1))),
            ],
            interactions: [(between: ("balls", "balls"), law: Coulomb(friction: 0.5)), (between: ("balls", "floor"), law: Coulomb(friction: 0.5))],
            physics: [Contact()])"#
        );
        let mut run = build(&text, &[]);
        for _ in 0..3 {
            run.step().unwrap();
        }
        let (world, balls) = (run.world(), run.world().kinematics.position.len() - 1);
        let pairs = world.network.contacts.len();
        assert!(pairs >= balls && pairs < 40 * balls, "step {step}: {pairs} pairs of {balls} balls");
        let fastest = world.kinematics.velocity.iter().map(|v| v.norm()).fold(0.0, f64::max);
        assert!(fastest < 1e-3 * 10.0 * step, "step {step}: {fastest}");
    }
}

/// From rest a ball falls g h² = 40 radii in a step (to half a thousandth of that, the tolerance of forces that stop it), on a floor 10 to 60 radii below, on another ball, and in a row with one above it.
#[test]
fn what_falls_from_rest_in_a_long_step_lands() {
    for (height, beside) in [(0.1, false), (0.3, false), (0.6, false), (0.3, true)] {
        let below = if beside { r#"(group: "low", material: "m", shape: Sphere(radius: 0.01), at: (0, 0, 0.01)),"# } else { "" };
        let text = format!(
            r#"(dimension: 3, gravity: (0, 0, -10), time: (step: 0.2, end: 10), materials: {{"m": (density: 2500)}},
            bodies: [
                (group: "ball", material: "m", shape: Sphere(radius: 0.01), at: (0, 0, {height:?})),
                (group: "above", material: "m", shape: Sphere(radius: 0.01), at: (0, 0, {:?})),
                {below}
                (group: "floor", material: "m", shape: Plane(normal: (0, 0, 1))),
            ],
            interactions: [{}], physics: [Contact()])"#,
            height + 0.25,
            laws(beside)
        );
        let mut run = build(&text, &[]);
        for _ in 0..20 {
            run.step().unwrap();
            let z: Vec<f64> = run.world().kinematics.position.iter().map(|x| x.z).collect();
            let floor = if beside { 0.03 } else { 0.01 };
            assert!(z[0] > floor - 2e-4 && z[1] > z[0] + 0.02 - 2e-4, "{height}, {beside}: {z:?} at t = {}", run.time());
        }
        let z = run.world().kinematics.position[0].z;
        assert!((z - if beside { 0.03 } else { 0.01 }).abs() < 2e-4, "{height}, {beside}: it lies at {z}");
    }
}

fn laws(beside: bool) -> String {
    let groups: &[&str] = if beside { &["ball", "above", "low", "floor"] } else { &["ball", "above", "floor"] };
    let pairs = groups.iter().enumerate().flat_map(|(k, a)| groups[k + 1..].iter().map(move |b| (a, b)));
    pairs.map(|(a, b)| format!("(between: (\"{a}\", \"{b}\"), law: Coulomb(friction: 0)),")).collect()
}

/// A held floor takes the heat that currents make at its contact in every step of the mechanics, also in those in which temperatures wait: with steps of heat for ten of these
/// it was told of the last of ten alone.
#[test]
fn what_a_held_body_takes_while_temperatures_wait_is_told() {
    for every in [1, 2, 10] {
        let text = format!(
            r#"(dimension: 3, gravity: (0, 0, -10), time: (step: 0.01, end: 1), materials: {{"m": (density: 1000, elastic: (young: 1e11, poisson: 0.3),
                electrical: (conductivity: 1e6), thermal: (conductivity: 50, specific_heat: 500))}},
            bodies: [(group: "ball", material: "m", shape: Sphere(radius: 0.1), at: (0, 0, 0.1), mass: 4), (group: "floor", material: "m", shape: Plane(normal: (0, 0, 1)))],
            interactions: [(between: ("ball", "floor"), law: Coulomb(friction: 0.3))],
            physics: [Contact(tolerance: 1e-10), Electrical(law: Constant(conductance: 10), potential: [(group: "floor", value: 0)], current: [(group: "ball", value: "100*t")]),
                Thermal(law: Constant(conductance: 500), every: {every}, boundary: [Temperature(group: "floor", value: 293.15)])])"#
        );
        let mut run = build(&text, &[]);
        let (mut made, mut given) = (0.0, 0.0);
        for k in 1..=100 {
            let outcome = run.step().unwrap();
            made += 0.01 * run.field("joule_power").unwrap().iter().sum::<f64>();
            if k % every == 0 {
                given += 0.01 * f64::from(every) * column(&run, &outcome, "heat_in_floor").unwrap();
            }
        }
        let stored = 4.0 * 500.0 * (run.field("temperature").unwrap()[0] - 293.15);
        assert!((stored - made - given).abs() < 1e-9 * made, "every {every}: {stored} J stored, {made} J made, {given} J given");
    }
}

/// Under `Explicit` loads act for a mean of two steps. In one of another length than the one before, what divides impulses by its own says another force (108 N under a box of 19.6 N at a tenth of the
/// length), and that is told; in steps of one length nothing is.
#[test]
fn steps_of_another_length_are_told_of_explicit() {
    for (end, scheme, told) in [("0.0201", "Explicit()", true), ("0.02", "Explicit()", false), ("0.0201", "MoreauJean", false)] {
        let text = format!(
            r#"(dimension: 2, gravity: (0, -9.81), time: (step: 1e-3, end: {end}), materials: {{"m": (density: 1000)}},
  bodies: [(group: "b", material: "m", shape: Box(size: (0.2, 0.1)), at: (0, 0.05), mass: 2), (group: "f", material: "m", shape: Plane(normal: (0, 1)))],
  interactions: [(between: ("b", "f"), law: Coulomb(friction: 0.3))], physics: [Contact(tolerance: 1e-10, scheme: {scheme})],
  output: (probes: [(name: "n", of: "resultant", component: Y, group: "b")]))"#
        );
        let mut run = build(&text, &[]);
        let mut force = 0.0;
        while !run.finished() {
            let step = run.step().unwrap();
            force = column(&run, &step, "n").unwrap();
        }
        let warnings = run.summary().warnings;
        assert_eq!(warnings.iter().any(|w| w.contains("another length")), told, "{scheme} {end}: {warnings:?}");
        assert_eq!((force - 19.62).abs() < 1e-6, !told, "{scheme} {end}: {force} N");
    }
}
