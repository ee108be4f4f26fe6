//! A lid a thousand times as heavy as the bed of grains that it falls on and presses together, with the solver of the default.

use crate::granular::{build, column};

/// 144 discs of 0.287 kg in all, laid loosely, under a lid of 286 kg; it sinks at 0.4 m/s until the bed jams.
const MODEL: &str = r#"(dimension: 2, time: (step: "1 ms", end: "80 ms"), gravity: (0, -9.81),
    materials: {"m": (density: 2500)},
    bodies: [
      (group: "grains", material: "m", as: Disc(thickness: "10 mm"),
       packing: Deposit(from: (0, 0), to: (0.12, 0.312), sizes: Uniform(min: "4 mm", max: "6 mm"), count: 144, seed: 1)),
      (group: "box", material: "m", shape: Plane(normal: (0, 1))),
      (group: "box", material: "m", shape: Plane(normal: (1, 0))),
      (group: "box", material: "m", shape: Plane(normal: (-1, 0)), at: (0.12, 0)),
      (group: "lid", material: "m", shape: Plane(normal: (0, -1)), at: (0, 0.131), mass: 286),
    ],
    interactions: [
      (between: ("grains", "grains"), law: Coulomb(friction: 0.4)),
      (between: ("grains", "box"), law: Coulomb(friction: 0.4)),
      (between: ("grains", "lid"), law: Coulomb(friction: 0.4)),
      (between: ("lid", "box"), law: NoContact),
    ],
    loads: [(on: "lid", load: Locked(axes: [X]))],
    physics: [Contact()],
    output: (probes: [
      (name: "v", of: "velocity", component: Y, group: "lid"),
      (name: "carried", of: "resultant", component: Y, group: "box"),
    ]))"#;

/// Every step ends, if need be in halves; then the lid rests and the box carries it with the grains.
#[test]
fn a_heavy_lid_comes_to_rest_on_grains() {
    let mut run = build(MODEL, &[]);
    let mut last = None;
    while !run.finished() {
        last = Some(run.step().unwrap_or_else(|e| panic!("t = {}: {e}", run.time())));
    }
    let last = last.unwrap();
    let [v, carried] = ["v", "carried"].map(|name| column(&run, &last, name).unwrap());
    let weight = 9.81 * (286.0 + 0.287);
    assert!(v.abs() < 1e-4, "the lid moves at {v} m/s");
    assert!((carried + weight).abs() < 0.02 * weight, "the box carries {carried} N of {weight} N");
}

/// Twenty discs between a floor, a lid and walls without friction, with what moves them.
fn bed(seed: u64, end: f64, motion: &str) -> String {
    format!(
        r#"(dimension: 2, gravity: (0, -9.81), time: (step: 0.001, end: {end}),
        materials: {{"m": (density: 1000, thermal: (conductivity: 1, specific_heat: 1000, expansion: 1e-4))}},
        bodies: [
          (group: "g", material: "m", as: Disc(thickness: 0.01),
           packing: Deposit(from: (0, 0), to: (0.03, 0.12), sizes: Uniform(min: 0.004, max: 0.005), count: 20, seed: {seed})),
          (group: "floor", material: "m", shape: Plane(normal: (0, 1))),
          (group: "lid", material: "m", shape: Plane(normal: (0, -1)), at: (0, 0.0621)),
          (group: "sides", material: "m", shape: Plane(normal: (1, 0))),
          (group: "sides", material: "m", shape: Plane(normal: (-1, 0)), at: (0.03, 0)),
        ],
        interactions: [
          (between: ("g", "g"), law: Coulomb(friction: 0.3)),
          (between: ("g", "floor"), law: Coulomb(friction: 0.3)),
          (between: ("g", "lid"), law: Coulomb(friction: 0.3)),
          (between: ("g", "sides"), law: Coulomb(friction: 0)),
          (between: ("lid", "floor"), law: NoContact),
          (between: ("lid", "sides"), law: NoContact),
        ],
        {motion},
        output: (probes: [(name: "lid", of: "resultant", component: Y, group: "lid")]))"#
    )
}

/// Runs a bed until it is refused, and says how; accepted steps have no more force on the lid than `most` (N), its discs weighing 0.1 N each.
fn refusal(model: &str, most: f64) -> String {
    let mut run = build(model, &[]);
    while !run.finished() {
        match run.step() {
            Ok(step) => {
                let force = column(&run, &step, "lid").unwrap();
                assert!(force.abs() < most, "accepted with {force} N on 0.1 N of discs");
            }
            Err(error) => return format!("{error:?}"),
        }
    }
    panic!("the bed jams before the end");
}

/// Twenty discs with friction 0.3 that a driven lid presses together: friction jams them between lid and floor, and no impulses hold them apart,
/// however large. They grew to 10¹⁰ N, whose rounding hid that discs went into each other at a fifth of the lid's speed.
#[test]
fn a_bed_that_friction_jams_under_a_driven_lid_is_not_accepted() {
    let drive = r#"loads: [(on: "lid", load: Velocity(x: 0, y: -0.05, spin_z: 0))], physics: [Contact()]"#;
    refusal(&bed(1, 0.04, drive), 1e6);
}

/// The same bed under a lid that stands still, while heat swells the discs: friction makes the forces grow there too.
#[test]
fn a_bed_that_friction_jams_while_it_swells_is_not_accepted() {
    for seed in [1, 2] {
        let swelling = r#"physics: [Contact(), Thermal(law: Constant(conductance: 1e-3),
            boundary: [Temperature(group: "g", value: "300 + 10000*t")], initial: [(group: "g", temperature: 300)])]"#;
        let said = refusal(&bed(seed, 0.2, swelling), 1e6);
        assert!(said.contains("jam"), "told by the overlap alone, or without the reason: {said}");
    }
}

/// The same two beds in steps so long that the bodies would fall by many times the motion that jams them (g h of 0.1 and 0.5 m/s, 1 mm/s of the lid, 0.1 mm/s of
/// growth): forces grew to 10¹⁰ and 10⁵ N there, as what they miss is little beside g h.
#[test]
fn beds_that_jam_in_long_steps_are_not_accepted() {
    let drive = r#"loads: [(on: "lid", load: Velocity(x: 0, y: -0.001, spin_z: 0))], physics: [Contact()]"#;
    let swelling = r#"physics: [Contact(), Thermal(law: Constant(conductance: 1e-3),
        boundary: [Temperature(group: "g", value: "300 + 100*t")], initial: [(group: "g", temperature: 300)])]"#;
    for (motion, step) in [(drive, 0.01), (swelling, 0.05)] {
        let model = bed(1, 100.0 * step, motion).replace("step: 0.001", &format!("step: {step}")).replace("0.0621", "0.0619");
        let said = refusal(&model, 1e3);
        assert!(!said.contains("came to overlap"), "told by the overlap alone: {said}");
    }
}
