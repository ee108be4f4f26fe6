//! Static friction of whole faces: when a body at rest lets go, and how it moves on.

use crate::granular::{build, column};

/// A box of 1 kg under a horizontal force of 10 N/s, μ_s = 0.6, μ_d = 0.3, g = 10 m/s²: it rests up to 6 N, at 0.6 s, and has 5 t² − 3 t from there on, 0.8 m/s at 0.8 s. In space it let go at 4.5 N by
/// the default tolerance: the tangential shares of its four corners, of which the statics says the sum alone, had come to their limits against each other.
#[test]
fn a_box_on_its_face_lets_go_at_its_static_limit() {
    for (dimension, shape, way, tolerance) in [
        (2, "Box(size: (0.2, 0.1))", "x", "1e-5"),
        (3, "Box(size: (0.2, 0.2, 0.1))", "x", "1e-5"),
        (3, "Box(size: (0.2, 0.2, 0.1))", "y", "1e-5"),
        (3, "Box(size: (0.2, 0.2, 0.1))", "x", "1e-8"),
        (3, "Cylinder(radius: 0.1, length: 0.1)", "x", "1e-5"),
    ] {
        let (up, at) = if dimension == 2 { ("(0, -10)", "(0, 0.05)") } else { ("(0, 0, -10)", "(0, 0, 0.05)") };
        let normal = if dimension == 2 { "(0, 1)" } else { "(0, 0, 1)" };
        let text = format!(
            r#"(dimension: {dimension}, gravity: {up}, time: (step: 1e-3, end: 0.8), materials: {{"m": (density: 1000)}},
            bodies: [(group: "b", material: "m", mass: 1, shape: {shape}, at: {at}), (group: "f", material: "m", shape: Plane(normal: {normal}))],
            interactions: [(between: ("b", "f"), law: StaticDynamic(friction: 0.6, sliding: 0.3))],
            loads: [(on: "b", load: Force({way}: Ramp(from: 0, to: 10, end: 1)))], physics: [Contact(tolerance: {tolerance})],
            output: (probes: [(name: "v", of: "velocity", component: Norm, group: "b")]))"#
        );
        let mut run = build(&text, &[]);
        let mut v = 0.0;
        while !run.finished() {
            let step = run.step().unwrap_or_else(|e| panic!("{text}: {e}"));
            v = column(&run, &step, "v").unwrap();
            assert!(run.time() > 0.595 || v < 1e-4, "{dimension} {shape} {way} {tolerance}: {v} m/s at {} s", run.time());
        }
        assert!((v - 0.8).abs() < 0.02, "{dimension} {shape} {way} {tolerance}: {v} m/s");
    }
}
