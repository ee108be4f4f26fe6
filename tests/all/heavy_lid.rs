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
