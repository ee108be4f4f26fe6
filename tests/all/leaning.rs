//! Rigid bodies that lean: what a law says of a contact it says once, wherever the two are nearest, and whichever of them is named first.

use crate::granular::{build, column};

/// Force or pull on a in the first step of these bodies.
fn first(dimension: usize, bodies: &str, law: &str, probe: &str) -> f64 {
    let text = format!(
        r#"(dimension: {dimension}, time: (step: 1e-6, end: 1e-6), materials: {{"m": (density: 1000)}}, bodies: [{bodies}],
        interactions: [(between: ("a", "b"), law: {law})], physics: [Contact()], output: (probes: [{probe}]))"#
    );
    let mut run = build(&text, &[]);
    let step = run.step().unwrap_or_else(|e| panic!("{e}\n{text}"));
    column(&run, &step, "f").unwrap_or_else(|| panic!("no value\n{text}"))
}

/// A bridge of 1 N pulls with 1 N whatever the body is and however it leans; its raised corners, ends and rims have none of their own. Two balls of one cluster have a bridge each.
#[test]
fn a_bridge_pulls_once() {
    let law = r#"Capillary(friction: 0, force: 1, rupture: "5 mm", formation: "5 mm")"#;
    let probe = r#"(name: "f", of: "adhesion", reduce: Sum)"#;
    let pyramid = "Polyhedron(vertices: [(-0.05, -0.05, -0.025), (0.05, -0.05, -0.025), (0.05, 0.05, -0.025), (-0.05, 0.05, -0.025), (0, 0, 0.075)])";
    let balls =
        "Cluster(parts: [(shape: Sphere(radius: 0.02), at: (-0.05, 0, 0)), (shape: Sphere(radius: 0.02), at: (0.05, 0, 0))])";
    for (dimension, shape, half, pull) in [
        (2, "Box(size: (0.1, 0.1))", 0.05, 1.0),
        (2, "Polygon(vertices: [(-0.05, -0.05), (0.05, -0.05), (0, 0.05)])", 0.05, 1.0),
        (2, "Capsule(radius: 0.02, length: 0.1)", 0.02, 1.0),
        (3, "Box(size: (0.1, 0.1, 0.1))", 0.05, 1.0),
        (3, "Capsule(radius: 0.02, length: 0.1)", 0.02, 1.0),
        (3, pyramid, 0.025, 1.0),
        (3, balls, 0.02, 2.0),
    ] {
        let floors = match dimension {
            2 => ["Plane(normal: (0, 1))", "Box(size: (1, 0.1)), at: (0, -0.05)"],
            _ => ["Plane(normal: (0, 0, 1))", "Box(size: (1, 1, 0.1)), at: (0, 0, -0.05)"],
        };
        for lean in [0.0, 5e-4, 5e-3, 0.02, 0.04] {
            let low = half * f64::cos(lean) + 0.05 * f64::sin(lean) + 1e-3;
            let [at, turn] = match dimension {
                2 => [format!("(0, {low:.12})"), format!("{lean}")],
                _ => [format!("(0, 0, {low:.12})"), format!("((0, 1, 0), {lean})")],
            };
            let body = format!(r#"(group: "a", material: "m", shape: {shape}, at: {at}, rotation: {turn}, mass: 1e6)"#);
            for floor in floors {
                let floor = format!(r#"(group: "b", material: "m", shape: {floor}, mass: 1e6)"#);
                for bodies in [format!("{body}, {floor}"), format!("{floor}, {body}")] {
                    let found = first(dimension, &bodies, law, probe);
                    assert!((found - pull).abs() < 1e-9, "{shape} at {lean}: {found} N\n{bodies}");
                }
            }
        }
    }
}

/// Boxes that lean on each other by some thousandths and overlap at several corners by different depths: springs are those of one face, in both orders of the two, on a box as on a plane.
#[test]
fn springs_of_leaning_boxes_hang_on_no_order() {
    let law = "Elastic(stiffness: 1e5, friction: 0)";
    let probe = r#"(name: "f", of: "resultant", component: Z, group: "a")"#;
    for k in 0..40 {
        let k = f64::from(k);
        let (turn, lean, deep) = (0.7 + 1.3 * k, 1e-3 * (1.2 + 0.1 * k), 1e-4 * (1.0 + 0.2 * k));
        let tilt = 0.05 * (lean.cos() + lean.sin() * (turn.cos().abs() + turn.sin().abs()));
        let body = |at: [f64; 2]| {
            format!(
                r#"(group: "a", material: "m", shape: Box(size: (0.1, 0.1, 0.1)), at: ({}, {}, {:.15}), rotation: (({}, {}, 0), {lean}), mass: 1e6)"#,
                at[0],
                at[1],
                tilt - deep,
                -turn.sin(),
                turn.cos()
            )
        };
        let on = |a: &str, b: &str| {
            let found = [format!("{a}, {b}"), format!("{b}, {a}")].map(|bodies| first(3, &bodies, law, probe));
            assert!((found[0] / found[1] - 1.0).abs() < 1e-6, "pose {k}: {found:?}\n{a}, {b}");
            found[0]
        };
        let plane = on(&body([0.0; 2]), r#"(group: "b", material: "m", shape: Plane(normal: (0, 0, 1)))"#);
        let wide =
            on(&body([0.0; 2]), r#"(group: "b", material: "m", shape: Box(size: (1, 1, 0.1)), at: (0, 0, -0.05), mass: 1e6)"#);
        assert!((wide / plane - 1.0).abs() < 1e-6, "pose {k}: {wide} N on a box, {plane} N on a plane");
        on(
            &body([-0.035 + 0.002 * k, -0.023]),
            r#"(group: "b", material: "m", shape: Box(size: (0.1, 0.1, 0.1)), at: (0, 0, -0.05), mass: 1e6)"#,
        );
    }
}

/// A block with a film under its face slides as one without: nothing moves along the normal, and what a solve leaves open is not hung on the film. v²/2μg.
#[test]
fn a_film_between_faces_in_touch_bears_nothing() {
    for (dimension, shape, floor) in [
        (3, "Box(size: (0.1, 0.1, 0.02))", "Plane(normal: (0, 0, 1))"),
        (3, "Box(size: (0.1, 0.1, 0.02))", "Box(size: (1, 1, 0.1)), at: (0, 0, -0.05)"),
        (3, "Sphere(radius: 0.01)", "Plane(normal: (0, 0, 1))"),
        (2, "Box(size: (0.1, 0.02))", "Plane(normal: (0, 1))"),
    ] {
        for h in [1e-2, 2e-3, 5e-4] {
            let (up, at, v, held) = match dimension {
                2 => ("(0, -9.81)", "(0, 0.01)", "(1, 0)", "SpinZ"),
                _ => ("(0, 0, -9.81)", "(0, 0, 0.01)", "(1, 0, 0)", "SpinX, SpinY, SpinZ"),
            };
            let text = format!(
                r#"(dimension: {dimension}, gravity: {up}, time: (step: {h}, end: 0.5), materials: {{"m": (density: 1000)}},
                bodies: [(group: "a", material: "m", shape: {shape}, at: {at}, velocity: {v}), (group: "b", material: "m", shape: {floor})],
                loads: [(on: "b", load: Fixed){}],
                interactions: [(between: ("a", "b"), law: Lubrication(friction: 0.3, viscosity: 1e-3, range: "1 mm", roughness: "0.01 mm"))], physics: [Contact()])"#,
                if shape.starts_with("Sphere") { format!(r#", (on: "a", load: Locked(axes: [{held}]))"#) } else { String::new() }
            );
            let mut run = build(&text, &[]);
            while !run.finished() {
                run.step().unwrap_or_else(|e| panic!("{e}\n{text}"));
            }
            let way = run.world().kinematics.position[0].x;
            assert!((way / (0.5 / (0.3 * 9.81)) - 1.0).abs() < 1e-4, "{dimension}D {shape} {h}: {way} m");
        }
    }
}

/// A bridge that formed at one corner goes to where the body is nearest as it leans over, and ruptures where the nearest place is too far: 3 N all along, then nothing.
#[test]
fn a_bridge_goes_to_where_the_bodies_are_nearest() {
    for (dimension, shape) in [(2, "Box(size: (0.2, 0.1))"), (3, "Box(size: (0.2, 0.1, 0.1))")] {
        for floor in ["Plane", "Box"] {
            let (at, turn, drive, floor, key) = match dimension {
                2 => (
                    "(0, 0.050499373)",
                    "0.005",
                    r#"x: 0, y: "0.001*max(0, min(1, (0.1-t)*1e4)) + 0.02*max(0, min(1, (t-0.7)*1e4))", spin_z: "-0.02*max(0,min(1,(t-0.2)*1e4))*max(0,min(1,(0.7-t)*1e4))""#,
                    if floor == "Plane" { "Plane(normal: (0, 1))" } else { "Box(size: (1, 0.1)), at: (0, -0.05)" },
                    "Y",
                ),
                _ => (
                    "(0, 0, 0.050499373)",
                    "((0, -1, 0), 0.005)",
                    r#"x: 0, y: 0, z: "0.001*max(0, min(1, (0.1-t)*1e4)) + 0.02*max(0, min(1, (t-0.7)*1e4))", spin_x: 0, spin_z: 0, spin_y: "0.02*max(0,min(1,(t-0.2)*1e4))*max(0,min(1,(0.7-t)*1e4))""#,
                    if floor == "Plane" { "Plane(normal: (0, 0, 1))" } else { "Box(size: (1, 1, 0.1)), at: (0, 0, -0.05)" },
                    "Z",
                ),
            };
            let text = format!(
                r#"(dimension: {dimension}, time: (step: 0.001, end: 1.2), materials: {{"m": (density: 1000)}},
                bodies: [(group: "d", material: "m", shape: {shape}, at: {at}, rotation: {turn}), (group: "f", material: "m", shape: {floor}, mass: 1e9)],
                interactions: [(between: ("d", "f"), law: Capillary(force: 3, rupture: 0.005, friction: 0))], loads: [(on: "d", load: Velocity({drive}))],
                physics: [Contact(alert: 0.01)], output: (probes: [(name: "F", of: "resultant", component: {key}, group: "d"), (name: "low", of: "extent", component: {key}, reduce: Min, group: "d")]))"#
            );
            let mut run = build(&text, &[]);
            let mut torn = false;
            while !run.finished() {
                let step = run.step().unwrap_or_else(|e| panic!("{e}\n{text}"));
                let [force, low] = ["F", "low"].map(|name| column(&run, &step, name).unwrap());
                torn |= low > 0.00505;
                let wanted = if torn {
                    0.0
                } else if low < 0.00495 {
                    -3.0
                } else {
                    force
                };
                assert!((force - wanted).abs() < 1e-6, "{dimension}D on {floor}: {force} N at {} s, {low} m\n{text}", run.time());
            }
            assert!(torn);
        }
    }
}
