//! Joints where a number could be lost: rows whose blocks are round but for rounding, and bodies that a joint lets come together.

use crate::granular::{build, column};

/// The block of a row had a deviator of 1e-110, whose cube is zero: 0/0, and a panic or "error NaN" by the law.
#[test]
fn a_motor_that_presses_on_a_floor_meets_no_number_that_is_none() {
    let hinge = |shape: &str| {
        format!(
            r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: 1e-3, end: 0.02, theta: 0.5), materials: {{"m": (density: 1000)}},
            bodies: [(group: "t", material: "m", shape: {shape}, at: (0, 0, 0.1), mass: 100), (group: "floor", material: "m", shape: Plane(normal: (0, 0, 1)))],
            interactions: [(between: ("t", "floor"), law: Coulomb(friction: 0))],
            joints: [(to_ground: "t", name: "j", joint: Hinge(at: (-1, 0, 0.1), axis: (0, -1, 0), motor: (speed: -1, torque: 1)))],
            physics: [Contact()], output: (probes: [(name: "held", of: "resultant", component: Z, group: "t")]))"#
        )
    };
    for shape in ["Sphere(radius: 0.1)", "Box(size: (0.2, 0.2, 0.2))"] {
        let mut run = build(&hinge(shape), &[]);
        while !run.finished() {
            let step = run.step().unwrap_or_else(|e| panic!("{shape}: {e}"));
            // moments about the hinge: the weight and the torque of 1 N m at 1 m; a face bears anywhere between its edges, at 0.9 m to 1.1 m
            let (held, off) = (column(&run, &step, "held").unwrap(), if shape.starts_with("Sphere") { 0.0 } else { 0.1 });
            assert!(held > 981.0 / (1.0 + off) && held < 982.982 / (1.0 - off), "{shape}: {held} N at t = {}", run.time());
        }
    }
    let rolling = "Coulomb(friction: 0.3, rolling: 0.001)";
    let model = format!(
        r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: 1e-3, end: 0.03, theta: 1), materials: {{"m": (density: 1000)}},
        bodies: [
          (group: "b", material: "m", shape: Box(size: (0.2, 0.2, 0.2)), at: (0, 0, 0.1), mass: 1),
          (group: "t", material: "m", shape: Box(size: (0.2, 0.2, 0.2)), at: (0, 0, 0.3), mass: 1),
          (group: "floor", material: "m", shape: Plane(normal: (0, 0, 1))),
        ],
        interactions: [(between: ("b", "floor"), law: {rolling}), (between: ("b", "t"), law: {rolling}), (between: ("t", "floor"), law: {rolling})],
        joints: [(to_ground: "t", name: "j", joint: Slider(axis: (0, 0, 1), motor: (speed: -1, force: 50)))],
        physics: [Contact()], output: (probes: [(name: "held", of: "resultant", component: Z, group: "floor")]))"#
    );
    let mut run = build(&model, &[]);
    let mut held = 0.0;
    while !run.finished() {
        let step = run.step().unwrap_or_else(|e| panic!("{e}"));
        held = column(&run, &step, "held").unwrap();
    }
    // both weights and the force of the motor
    assert!((held + 2.0 * 9.81 + 50.0).abs() < 1e-3 * 69.62, "{held} N");
}

/// A slider let its upper body fall through the lower one.
#[test]
fn bodies_on_a_slider_touch() {
    for (dimension, shape, axis, up) in
        [(2, "Box(size: (0.2, 0.2))", "(0, 1)", "(0, -9.81)"), (3, "Sphere(radius: 0.1)", "(0, 1, 0)", "(0, -9.81, 0)")]
    {
        let at = |y: f64| if dimension == 2 { format!("(0, {y})") } else { format!("(0, {y}, 0)") };
        let model = format!(
            r#"(dimension: {dimension}, gravity: {up}, time: (step: 1e-3, end: 0.4), materials: {{"m": (density: 1000)}},
            bodies: [
              (group: "low", material: "m", shape: {shape}, at: {}),
              (group: "up", material: "m", shape: {shape}, at: {}),
            ],
            interactions: [(between: ("low", "up"), law: Coulomb(friction: 0.5))],
            loads: [(on: "low", load: Fixed)],
            joints: [(between: ("up", "low"), name: "j", joint: Slider(axis: {axis}))],
            physics: [Contact()], output: (probes: [(name: "y", of: "position", component: Y, group: "up")]))"#,
            at(0.1),
            at(0.5)
        );
        let mut run = build(&model, &[]);
        let mut y = f64::NAN;
        while !run.finished() {
            let step = run.step().unwrap_or_else(|e| panic!("{dimension}D: {e}"));
            y = column(&run, &step, "y").unwrap();
        }
        assert!((y - 0.3).abs() < 1e-3, "{dimension}D: the upper body is at {y} m");
    }
}
