//! A block and a disc that a carriage drags over a floor by a slider, under forces so great that the tolerance of the solve does not see the drive: friction is μN
//! against the motion all the same.

use crate::granular::{build, column};

fn dragged(shape: &str, (mass, force, speed): (f64, f64, f64)) -> String {
    format!(
        r#"(dimension: 2, gravity: (0, -9.81), time: (step: 1e-3, end: 0.02),
        materials: {{"m": (density: 1000)}},
        bodies: [
          (group: "block", material: "m", shape: {shape}, at: (0, 0.1), mass: {mass}),
          (group: "carriage", material: "m", shape: Box(size: (0.1, 0.1)), at: (0, 1), mass: 1),
          (group: "floor", material: "m", shape: Plane(normal: (0, 1))),
        ],
        interactions: [
          (between: ("block", "floor"), law: Coulomb(friction: 0.5)),
          (between: ("block", "carriage"), law: NoContact),
          (between: ("carriage", "floor"), law: NoContact),
        ],
        joints: [(between: ("block", "carriage"), name: "rail", joint: Slider(axis: (0, 1)))],
        loads: [(on: "carriage", load: Velocity(x: {speed}, y: 0, spin_z: 0)), (on: "block", load: Force(y: -{force}))],
        physics: [Contact()],
        output: (probes: [
          (name: "drag", of: "resultant", component: X, group: "block"),
          (name: "held", of: "resultant", component: Y, group: "block"),
          (name: "v", of: "velocity", component: X, group: "block"),
          (name: "pulled", of: "joint_force", component: X, joint: "rail"),
        ]))"#
    )
}

/// Contacts that were held sticking between the drive and the floor were accepted with 10¹⁴ N, far outside their cones, or the step was refused.
#[test]
fn what_is_dragged_by_a_slider_rubs_by_its_weight() {
    for shape in ["Box(size: (0.4, 0.2))", "Disc(radius: 0.1)"] {
        for case in [
            (0.01, 1e5, 1e-2),
            (1.0, 1e3, 1e-4),
            (1.0, 1e3, 1e-6),
            (1.0, 1e4, 1e-3),
            (1e-3, 100.0, 1e-3),
            (10.0, 1e5, 1e-3),
            (1.0, 0.0, 1.0),
        ] {
            let (mass, force, speed) = case;
            let mut run = build(&dragged(shape, case), &[]);
            let weight = force + 9.81 * mass;
            let mut before = 0.0;
            while !run.finished() {
                let step = run.step().unwrap_or_else(|e| panic!("{shape} {case:?}: {e}"));
                let [drag, held, v, pulled] = ["drag", "held", "v", "pulled"].map(|name| column(&run, &step, name).unwrap());
                let said = format!("{shape} {case:?} t = {}: {drag} N and {held} N under {weight} N, {v} m/s", run.time());
                assert!((drag + 0.5 * weight).abs() < 1e-6 * weight && (held - weight).abs() < 1e-6 * weight, "{said}");
                assert!((v - speed).abs() < 1e-9 * speed, "{said}");
                // the first step gives the block its speed
                let gains = mass * (v - before) / 1e-3;
                assert!((pulled + drag - gains).abs() < 1e-6 * (weight + gains), "{said}: the rail pulls {pulled} N");
                before = v;
            }
        }
    }
}
