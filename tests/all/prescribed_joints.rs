//! Joints of bodies that are prescribed along what the joint holds, and joints that let go when contacts are driven against them: wires that go slack, limits that are left, motors that stall.

use mpcd_sim::Simulation;

use crate::granular::{build, column};

/// Runs to the end; the columns of the last step.
fn ended(text: &str, names: &[&str]) -> (Simulation, Vec<f64>) {
    let mut run = build(text, &[]);
    let mut last = Vec::new();
    while !run.finished() {
        let step = run.step().unwrap_or_else(|e| panic!("{e}\n{text}"));
        let residual = column(&run, &step, "residual").unwrap();
        assert!(residual <= 1e-5, "residual {residual:e} at {} s\n{text}", run.time());
        last = names.iter().map(|name| column(&run, &step, name).unwrap_or_else(|| panic!("no {name}"))).collect();
    }
    // the momentum of joints with contacts closes to what their rounds leave
    let told: Vec<String> = run.summary().warnings.iter().filter(|w| !w.starts_with("the book of momentum")).cloned().collect();
    assert_eq!(told, Vec::<String>::new(), "{text}");
    (run, last)
}

/// A disc at (1, 0), or two of them side by side, of which the first is driven along x.
fn driven(joint: &str, load: &str) -> String {
    format!(
        r#"(dimension: 2, time: (step: 1e-2, end: 0.5), materials: {{"m": (density: 1000)}},
        bodies: [(group: "a", material: "m", shape: Disc(radius: 0.1), mass: 2, at: (1, 0)), (group: "b", material: "m", shape: Disc(radius: 0.1), mass: 2, at: (2, 0))],
        joints: [{joint}], loads: [{load}], interactions: [(between: ("a", "b"), law: NoContact)], physics: [Contact()])"#
    )
}

/// What is prescribed along a rigid joint leaves it no force: that is refused by name and at once, also where other directions of the bodies are free; what gives way, breaks or lets the motion be is not.
#[test]
fn what_is_prescribed_along_a_joint_is_refused() {
    let load = r#"(on: "a", load: Velocity(x: 1))"#;
    let both = r#"(on: "a", load: Velocity(x: -1)), (on: "b", load: Locked(axes: [X]))"#;
    let spun = r#"(on: "a", load: Velocity(spin_z: 2))"#;
    let ground = |joint: &str| format!(r#"(to_ground: "a", name: "j", joint: {joint})"#);
    let pair = |joint: &str| format!(r#"(between: ("a", "b"), name: "j", joint: {joint})"#);
    let refused = [
        (ground("Rod(to: (0, 0), break_force: 10)"), load),
        (ground("Wire(to: (0, 0))"), load),
        (ground("Pin(at: (1, 0))"), load),
        (ground("Weld()"), load),
        (ground("Slider(axis: (1, 0), limits: (-1, 0.1))"), load),
        (ground("Slider(axis: (1, 0), speed: 3)"), load),
        (ground("Hinge(at: (1, 0), speed: 3)"), spun),
        (ground("Hinge(at: (1, 0), limits: (-1, 0.1))"), spun),
        (pair("Rod()"), both),
        (pair("Wire()"), both),
        (pair("Pin(at: (1.5, 0))"), both),
    ];
    for (joint, load) in refused {
        let mut run = build(&driven(&joint, load), &[]);
        let words = loop {
            assert!(!run.finished(), "{joint} is not refused");
            if let Err(e) = run.step() {
                break e.to_string();
            }
        };
        assert!(words.contains("no impulse moves either of them") && words.contains("(group \"a\")"), "{joint}: {words}");
        assert!(!words.contains("halved"), "{joint}: {words}");
    }
    let allowed = [
        (ground("Slider(axis: (1, 0))"), load),
        (ground("Slider(axis: (1, 0), limits: (-1, 0.6))"), load),
        (ground("Slider(axis: (1, 0), speed: 1)"), load),
        (ground("Wire(to: (0, 0), length: 2)"), load),
        (ground("Spring(to: (0, 0), stiffness: 1000)"), load),
        (ground("Rod(to: (1, 2))"), r#"(on: "a", load: Locked(axes: [X]))"#),
        (ground("Pin(at: (1, 0))"), spun),
        (pair("Rod()"), r#"(on: "a", load: Velocity(x: 1)), (on: "b", load: Velocity(x: 1))"#),
    ];
    for (joint, load) in allowed {
        ended(&driven(&joint, load), &["residual"]);
    }
}

/// A motor that cannot keep its speed gives its force, against what is prescribed too: as a brake, and where it pushes on. Its work is F times the way.
#[test]
fn a_motor_against_a_prescribed_motion_gives_its_force() {
    for (speed, sign) in [(3.0, 1.0), (0.0, -1.0), (-2.0, -1.0), (1.0, 0.0)] {
        let slider = format!(r#"(to_ground: "a", name: "j", joint: Slider(axis: (1, 0), motor: (speed: {speed}, force: 5)))"#);
        let (_, found) = ended(&driven(&slider, r#"(on: "a", load: Velocity(x: 1))"#), &["j_thrust", "j_drive", "j_travel"]);
        assert!(
            (found[0] - 5.0 * sign).abs() < 1e-9 && (found[1] - 2.5 * sign).abs() < 1e-9 && (found[2] - 0.5).abs() < 1e-9,
            "{speed}: {found:?}"
        );
        let hinge = format!(r#"(to_ground: "a", name: "j", joint: Hinge(at: (1, 0), motor: (speed: {speed}, torque: 5)))"#);
        let (_, found) = ended(&driven(&hinge, r#"(on: "a", load: Velocity(spin_z: 1))"#), &["j_torque", "j_drive", "j_angle"]);
        assert!(
            (found[0] - 5.0 * sign).abs() < 1e-9 && (found[1] - 2.5 * sign).abs() < 1e-4 && (found[2] - 0.5).abs() < 1e-9,
            "{speed}: {found:?}"
        );
    }
}

/// A box or a disc hangs on a wire, and a plate that is driven up lifts it: the wire goes slack in the step of the touch, and the plate bears m g.
#[test]
fn a_wire_goes_slack_under_what_is_lifted() {
    for (dimension, shape, low) in [
        (2, "Box(size: (0.1, 0.1))", 0.05),
        (2, "Disc(radius: 0.05)", 0.05),
        (3, "Box(size: (0.1, 0.1, 0.1))", 0.05),
        (3, "Sphere(radius: 0.05)", 0.05),
    ] {
        for (friction, h, theta) in [(0.0, 1e-2, 0.5), (0.3, 1e-2, 1.0), (0.0, 1e-3, 0.5), (0.3, 1e-3, 0.5)] {
            let (up, top, at, plate, drive, key) = match dimension {
                2 => ("(0, -10)", "(0, 2)", "(0, -0.155)", "Box(size: (1, 0.1))", "x: 0, y: 1, spin_z: 0", "Y"),
                _ => (
                    "(0, 0, -10)",
                    "(0, 0, 2)",
                    "(0, 0, -0.155)",
                    "Box(size: (1, 1, 0.1))",
                    "x: 0, y: 0, z: 1, spin_x: 0, spin_y: 0, spin_z: 0",
                    "Z",
                ),
            };
            let text = format!(
                r#"(dimension: {dimension}, gravity: {up}, time: (step: {h}, end: 0.3, theta: {theta}), materials: {{"m": (density: 1000)}},
                bodies: [(group: "a", material: "m", shape: {shape}, mass: 2), (group: "p", material: "m", shape: {plate}, at: {at})],
                joints: [(to_ground: "a", name: "j", joint: Wire(to: {top}))], loads: [(on: "p", load: Velocity({drive}))],
                interactions: [(between: ("a", "p"), law: Coulomb(friction: {friction}))], physics: [Contact()],
                output: (probes: [(name: "N", of: "resultant", component: {key}, group: "a")]))"#
            );
            let (run, found) = ended(&text, &["j_force", "N"]);
            let place = run.world().kinematics.position[0][dimension - 1];
            assert!(found[0].abs() < 1e-9 && (found[1] - 20.0).abs() < 1e-4, "{dimension}D {shape} {friction} {h}: {found:?}");
            assert!((place - (0.195 + low)).abs() < 1e-5, "{dimension}D {shape} {friction} {h}: {place}");
        }
    }
}

/// An arm rests on the lower limit of its hinge, or is held there by a motor that is too weak, and a block that is driven up lifts it: its corner at x = 0.7 m is then on the lower side, y = x tan φ − 0.05 m/cos φ.
#[test]
fn a_limit_is_left_under_what_is_lifted() {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let angle = 0.5_f64 * (low + high);
        if 0.7 * angle.tan() - 0.05 / angle.cos() < 0.195 { low = angle } else { high = angle }
    }
    for hinge in ["limits: (0, 1)", "motor: (speed: 0, torque: 50)", "limits: (0, 1), motor: (speed: -1, torque: 5)"] {
        for (block, friction, h, close) in [
            ("Box(size: (0.2, 0.1))", 0.0, 1e-2, 1e-3),
            ("Box(size: (0.2, 0.1))", 0.3, 1e-2, 1e-3),
            ("Box(size: (0.2, 0.1))", 0.3, 1e-3, 1e-4),
            ("Box(size: (0.2, 0.1))", 0.0, 1e-4, 1e-5),
        ] {
            let text = format!(
                r#"(dimension: 2, gravity: (0, -10), time: (step: {h}, end: 0.3), materials: {{"m": (density: 1000)}},
                bodies: [(group: "a", material: "m", shape: Box(size: (1, 0.1)), mass: 2, at: (0.5, 0)), (group: "p", material: "m", shape: {block}, at: (0.8, -0.155))],
                joints: [(to_ground: "a", name: "j", joint: Hinge(at: (0, 0), {hinge}))], loads: [(on: "p", load: Velocity(x: 0, y: 1, spin_z: 0))],
                interactions: [(between: ("a", "p"), law: Coulomb(friction: {friction}))], physics: [Contact()])"#
            );
            let (_, found) = ended(&text, &["j_angle"]);
            assert!((found[0] - high).abs() < close, "{hinge} {friction} {h}: {} rad, not {high}", found[0]);
        }
    }
}

/// A motor that stands against another joint gives all it can, and the other bears it.
#[test]
fn a_stalled_motor_gives_all_it_can() {
    let motor = |speed: f64, force: f64| {
        format!(r#"(to_ground: "a", name: "j", joint: Slider(axis: (1, 0), motor: (speed: {speed}, force: {force})))"#)
    };
    let others = [
        r#"(to_ground: "a", name: "k", joint: Weld())"#,
        r#"(to_ground: "a", name: "k", joint: Rod(to: (2, 0)))"#,
        r#"(to_ground: "a", name: "k", joint: Wire(to: (0, 0)))"#,
        r#"(to_ground: "a", name: "k", joint: Slider(axis: (1, 0), limits: (-1, 0)))"#,
    ];
    for force in [5.0, 150.0, 5000.0] {
        for other in others {
            let (run, found) = ended(&driven(&format!("{}, {other}", motor(1.0, force)), ""), &["j_thrust", "k_force"]);
            assert!(found.iter().all(|f| (f - force).abs() < 1e-9 * force), "{force} {other}: {found:?}");
            assert!((run.world().kinematics.position[0].x - 1.0).abs() < 1e-9, "{force} {other}");
        }
    }
    let hinges = [
        r#"(to_ground: "a", name: "k", joint: Weld())"#,
        r#"(to_ground: "a", name: "k", joint: Hinge(at: (1, 0), limits: (-1, 0)))"#,
    ];
    for other in hinges {
        let hinge = r#"(to_ground: "a", name: "j", joint: Hinge(at: (1, 0), motor: (speed: 1, torque: 5)))"#;
        let (_, found) = ended(&driven(&format!("{hinge}, {other}"), ""), &["j_torque", "k_moment"]);
        assert!(found.iter().all(|m| (m - 5.0).abs() < 1e-9), "{other}: {found:?}");
    }
    // two against each other: the stronger one wins by 7 N, on 2 kg for half a second, and keeps its speed where it has it
    let second = motor(-1.0, 3.0).replace(r#""j""#, r#""k""#);
    let (run, found) = ended(&driven(&format!("{}, {second}", motor(1.0, 10.0)), ""), &["j_thrust", "k_thrust"]);
    assert!((found[0] - 3.0).abs() < 1e-6 && (found[1] + 3.0).abs() < 1e-6, "{found:?}");
    assert!((run.world().kinematics.velocity[0].x - 1.0).abs() < 1e-9);
}

/// A motor whose speed passes that of what is prescribed turns its force round; one that keeps its speed gives none, wherever the body is.
#[test]
fn a_motor_turns_round_and_rests_with_a_prescribed_motion() {
    let one = |motor: &str, x: f64, load: &str, h: f64, end: f64| {
        let text = format!(
            r#"(dimension: 2, time: (step: {h}, end: {end}), materials: {{"m": (density: 1000)}},
            bodies: [(group: "a", material: "m", shape: Disc(radius: 0.1), mass: 2, at: ({x}, 0))],
            joints: [(to_ground: "a", name: "j", joint: Slider(axis: (1, 0), motor: ({motor}, force: 5)))], loads: [(on: "a", load: Velocity(x: {load}))], physics: [Contact()])"#
        );
        ended(&text, &["j_thrust", "j_drive"]).1
    };
    for h in [1e-2, 1e-3] {
        assert!((one("speed: Ramp(from: -1, to: 1, start: 0.1, end: 0.4)", 1.0, "0", h, 0.5)[0] - 5.0).abs() < 1e-9);
        assert!((one("speed: Ramp(from: 1, to: -1, start: 0.1, end: 0.4)", 0.0, "0", h, 0.5)[0] + 5.0).abs() < 1e-9);
        // cos 20 t is negative at 0.1 s
        assert!((one("speed: 0", 3.0, "\"sin(20*t)\"", h, 0.1)[0] + 5.0).abs() < 1e-9);
        assert!((one("speed: 0", 3.0, "\"sin(20*t)\"", h, 0.2)[0] - 5.0).abs() < 1e-9);
    }
    for (x, speed, h) in [(0.0, 1e-3, 1e-4), (1.0, 1e-3, 1e-4), (1e4, 1e-2, 1e-2), (-3.0, 2.0, 1e-3)] {
        let found = one(&format!("speed: {speed}"), x, &format!("{speed}"), h, 100.0 * h);
        assert!(found.iter().all(|f| *f == 0.0), "{x} {speed}: {found:?}");
    }
}

/// Bodies that are driven alike keep their joints for as many steps as one likes, at the origin and far from it, and what turns about its own axis keeps its hinge.
#[test]
fn what_rounding_moves_along_a_joint_is_no_motion() {
    let both = |joint: &str, v: f64| {
        let pair = format!(r#"(between: ("a", "b"), name: "j", joint: {joint})"#);
        driven(&pair, &format!(r#"(on: "a", load: Velocity(x: {v})), (on: "b", load: Velocity(x: {v}))"#))
            .replace("step: 1e-2, end: 0.5", "step: 1e-4, end: 0.4")
    };
    for joint in ["Rod()", "Weld()", "Slider(axis: (1, 0), limits: (-1, 1))"] {
        for v in [0.37, 1e-3, 1e3] {
            ended(&both(joint, v), &["residual"]);
        }
    }
    for (at, spin) in [("(0, 0)", 3.0), ("(0, 0)", 1e-9), ("(0.3, 0)", 300.0), ("(1e4, 0)", 3.0)] {
        let text = format!(
            r#"(dimension: 2, time: (step: 1e-3, end: 0.5), materials: {{"m": (density: 1000)}}, bodies: [(group: "a", material: "m", shape: Disc(radius: 0.1), mass: 2, at: {at})],
            joints: [(to_ground: "a", name: "j", joint: Hinge(at: {at}, speed: {spin}))], loads: [(on: "a", load: Velocity(spin_z: {spin}))], physics: [Contact()])"#
        );
        ended(&text, &["j_angle"]);
    }
}

/// A box between a rod above and a plate that is driven up has no motion: that is refused, whatever the friction, and no step is accepted with forces that grow without end.
#[test]
fn a_box_under_a_rod_is_not_lifted() {
    for friction in [0.0, 0.3, 0.5] {
        for (h, theta, v) in [(1e-2, 0.5, 0.01), (1e-3, 1.0, 0.1), (1e-2, 1.0, 0.1), (1e-3, 0.5, 1.0)] {
            let text = format!(
                r#"(dimension: 2, gravity: (0, -10), time: (step: {h}, end: 0.2, theta: {theta}), materials: {{"m": (density: 1000)}},
                bodies: [(group: "a", material: "m", shape: Box(size: (0.1, 0.1)), mass: 2), (group: "p", material: "m", shape: Box(size: (1, 0.1)), at: (0, -0.1))],
                joints: [(to_ground: "a", name: "r", joint: Rod(to: (0, 2)))], loads: [(on: "p", load: Velocity(x: 0, y: {v}, spin_z: 0))],
                interactions: [(between: ("a", "p"), law: Coulomb(friction: {friction}))], physics: [Contact(max_iterations: 500)])"#
            );
            let mut run = build(&text, &[]);
            while let Ok(step) = run.step() {
                assert!(!run.finished(), "{friction} {h} {theta} {v} is lifted");
                let force = column(&run, &step, "r_force").unwrap();
                assert!(force < 1e4, "{friction} {h} {theta} {v}: {force:e} N at {} s", run.time());
            }
        }
    }
}
