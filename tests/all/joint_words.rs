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

/// A body on a slider flew off at a constant speed, its balance no number and left out: what drives a joint is refused where it is none, and may end with the run.
#[test]
fn what_drives_a_joint_is_a_number() {
    let model = |joint: &str, end: f64| {
        build(
            &format!(
                r#"(dimension: 2, time: (step: 1e-3, end: {end}), materials: {{"m": (density: 1000)}},
  bodies: [(group: "b", material: "m", shape: Disc(radius: 0.1), mass: 1)], joints: [(to_ground: "b", name: "j", joint: {joint})], physics: [Contact()])"#
            ),
            &[],
        )
    };
    for joint in [
        r#"Slider(axis: (1, 0), travel: "sqrt(0.005-t)-sqrt(0.005)")"#,
        r#"Slider(axis: (1, 0), speed: "sqrt(0.005-t)")"#,
        r#"Slider(axis: (1, 0), motor: (speed: "sqrt(0.005-t)", force: 5))"#,
        r#"Pin(at: (0, 0), speed: "1/(0.005-t)")"#,
        r#"Pin(at: (0, 0), motor: (speed: "asin(200*t)", torque: 5))"#,
    ] {
        let mut run = model(joint, 0.02);
        let error = (0..20).find_map(|_| run.step().err().map(|e| e.to_string())).unwrap_or_else(|| panic!("{joint}: goes on"));
        assert!(
            error.contains("the motion that drives the joint of") && error.contains("is not a finite number at t = 0.00"),
            "{joint}: {error}"
        );
    }
    let mut run = model(r#"Slider(axis: (1, 0), travel: "0.1*sqrt(0.0100001-t)-0.1*sqrt(0.0100001)")"#, 0.01);
    while !run.finished() {
        run.step().unwrap();
    }
    assert!((run.world().kinematics.position[0].x + 0.01).abs() < 1e-4, "{:?}", run.world().kinematics.position[0]);
}

/// What has no contact because a joint holds it together, and what a joint in a periodic cell takes for its length, are said; not where a joint conducts, or 0 is written, or ends are near.
#[test]
fn what_a_joint_leaves_out_is_said() {
    let told = |model: &str, word: &str| build(model, &[]).summary().warnings.iter().any(|w| w.contains(word));
    let welded = |conducts: &str, thermal: &str| {
        format!(
            r#"(dimension: 2, time: (step: 1e-3, end: 0.01), materials: {{"m": (density: 1000, thermal: (conductivity: 1, specific_heat: 1)), "n": (density: 1000)}},
  bodies: [(group: "a", material: "m", shape: Box(size: (0.1, 0.1))), (group: "b", material: "{thermal}", shape: Box(size: (0.1, 0.1)), at: (0.1, 0))],
  joints: [(between: ("a", "b"), joint: Weld(){conducts})], physics: [Contact(), Thermal(law: Constant(conductance: 1), temperature: 300)])"#
        )
    };
    let word = "are held together by a joint";
    assert!(told(&welded("", "m"), word));
    for quiet in [welded(", conducts: (thermal: 3)", "m"), welded(", conducts: (thermal: 0)", "m"), welded("", "n")] {
        assert!(!told(&quiet, word), "{quiet}");
    }
    let in_a_cell = |second: f64, joint: &str| {
        format!(
            r#"(dimension: 2, periodic: (x: 1), time: (step: 1e-3, end: 0.01), materials: {{"m": (density: 1000)}},
  bodies: [(group: "a", material: "m", shape: Disc(radius: 0.05), at: (0.9, 0)), (group: "b", material: "m", shape: Disc(radius: 0.05), at: ({second}, 0))],
  interactions: [(between: ("a", "b"), law: Coulomb(friction: 0))],
  joints: [(between: ("a", "b"), joint: {joint})], physics: [Contact()])"#
        )
    };
    let word = "their nearest images are";
    for joint in ["Rod()", "Spring(stiffness: 10)", "Pin()", "Weld()"] {
        assert!(told(&in_a_cell(0.1, joint), word), "{joint}");
        assert!(!told(&in_a_cell(1.1, joint), word) && !told(&in_a_cell(0.7, joint), word), "{joint}");
    }
}

/// With θ > ½ the share of a spring alone in what the scheme dissipates has any sign: where the energy of the whole falls in every step nothing is made, which was told.
#[test]
fn a_spring_that_is_damped_by_the_scheme_makes_no_energy() {
    for theta in [0.5, 0.75, 1.0] {
        for joint in [
            "Spring(to: (0, 1), stiffness: 1e5, damping: 100)",
            "Spring(to: (0, 1), stiffness: 1e4)",
            "Pin(at: (0.3, 0), start: 1, spring: (stiffness: 30, damping: 0.3))",
        ] {
            let text = format!(
                r#"(dimension: 2, gravity: (0, -9.81), time: (step: 1e-3, end: 0.3, theta: {theta}), materials: {{"m": (density: 1000)}},
  bodies: [(group: "b", material: "m", shape: Disc(radius: 0.1), mass: 2, at: (0, 0))], joints: [(to_ground: "b", name: "j", joint: {joint})], physics: [Contact(tolerance: 1e-9)])"#
            );
            let mut run = build(&text, &[]);
            let mut last = f64::INFINITY;
            let mut most = 0.0_f64;
            while !run.finished() {
                let step = run.step().unwrap();
                let all: f64 =
                    ["e_kinetic", "e_potential", "e_joint"].iter().map(|name| column(&run, &step, name).unwrap()).sum();
                let kinetic = column(&run, &step, "e_kinetic").unwrap();
                most = most.max(kinetic);
                assert!(all < last + 1e-9 * most.max(1.0), "{joint}, theta {theta}: {all} J after {last} J");
                last = all;
            }
            let told: Vec<String> = run.summary().warnings.into_iter().filter(|w| w.contains("`work`")).collect();
            assert!(told.is_empty(), "{joint}, theta {theta}: {told:?}");
        }
    }
}
