//! Faces of rigid bodies, whichever shape they have and whatever they lie on: their area and its middle, by bonds, springs and what tips.

use std::fmt::Write;

use crate::{
    granular::{build, column},
    surfaces::block,
};

/// A prism of height 0.2 m over corners in the plane, whose middle is returned, as is its area.
fn prism(corners: &[[f64; 2]]) -> (String, f64, [f64; 2]) {
    let mut text = String::new();
    let (mut area, mut moment) = (0.0, [0.0; 2]);
    for (k, [x, y]) in corners.iter().enumerate() {
        write!(text, "({x:?}, {y:?}, -0.1), ({x:?}, {y:?}, 0.1),").unwrap();
        let [u, v] = corners[(k + 1) % corners.len()];
        let twice = x * v - u * y;
        area += 0.5 * twice;
        moment = [moment[0] + twice * (x + u) / 6.0, moment[1] + twice * (y + v) / 6.0];
    }
    (format!("Polyhedron(vertices: [{text}])"), area, moment.map(|m| m / area))
}

fn polygon(n: usize) -> Vec<[f64; 2]> {
    let angle = |k: usize| std::f64::consts::TAU * k as f64 / n as f64;
    (0..n).map(|k| [0.2 * angle(k).cos(), 0.2 * angle(k).sin()]).collect()
}

/// What lies on the floor's level z = 0: its shape with its place, area on the floor (m²), and the middle of that from the centre of mass (m).
struct Lies {
    body: String,
    floor: String,
    area: f64,
    arm: [f64; 2],
}

fn cases() -> Vec<Lies> {
    let plane = "shape: Plane(normal: (0, 0, 1))".to_owned();
    let slab = "shape: Box(size: (4, 4, 1)), at: (0, 0, -0.5)".to_owned();
    let end = "shape: Cylinder(radius: 2, length: 1), at: (0, 0, -0.5)".to_owned();
    let parts = "shape: Cluster(parts: [(shape: Box(size: (2.2, 4, 1)), at: (-1, 0, 0)), (shape: Box(size: (2.2, 4, 1)), at: (1, 0, 0))]), at: (0, 0, -0.5)";
    let sheet = format!("shape: {}, at: (0.3, -0.1, -0.5)", block([4.0, 4.0, 1.0]));
    let trapezoid = vec![[0.3, -0.2], [0.3, 0.2], [-0.2, 0.05], [-0.2, -0.05]];
    let mut out = Vec::new();
    for corners in [polygon(5), polygon(7), polygon(9), trapezoid, vec![[0.3, 0.0], [0.0, 0.1], [-0.1, 0.0], [0.0, -0.1]]] {
        let (shape, area, _) = prism(&corners);
        for floor in [&plane, &slab, &end, &sheet] {
            out.push(Lies { body: format!("shape: {shape}, at: (0, 0, 0.1)"), floor: floor.clone(), area, arm: [0.0; 2] });
        }
    }
    let brick = "shape: Box(size: (0.4, 0.3, 0.2)), at: (0, 0, 0.1)";
    let parted = "shape: Cluster(parts: [(shape: Box(size: (0.25, 0.3, 0.2)), at: (-0.075, 0, 0)), (shape: Box(size: (0.3, 0.3, 0.2)), at: (0.05, 0, 0))]), at: (0, 0, 0.1)";
    let shell = format!("shape: {}, at: (0, 0, 0.1)", block([0.4, 0.3, 0.2]));
    for (body, floor) in [
        (brick, parts),
        (parted, parts),
        (parted, &plane),
        (&shell, &plane),
        (&shell, &slab),
        (&shell, &end),
        (&shell, &sheet),
        (brick, &sheet),
    ] {
        out.push(Lies { body: body.to_owned(), floor: floor.to_owned(), area: 0.12, arm: [0.0; 2] });
    }
    // A half, a corner, and a triangle of a turned brick hang over the edge of a table.
    let table = "shape: Box(size: (4, 4, 1)), at: (-2, 0, -0.5)".to_owned();
    let over = |body: String, area: f64, arm: [f64; 2]| Lies { body, floor: table.clone(), area, arm };
    out.push(over("shape: Box(size: (0.4, 0.3, 0.2)), at: (-0.1, 0, 0.1)".to_owned(), 0.09, [-0.05, 0.0]));
    out.push(over(format!("shape: {}, at: (-0.1, 0, 0.1)", block([0.4, 0.3, 0.2])), 0.09, [-0.05, 0.0]));
    // A square of 0.3 on its corner, the corner cut off 0.05 before its tip: 0.09 less a triangle of height 0.05, whose middle is 0.05/3 from the edge.
    let (half, cut) = (0.15 * 2.0_f64.sqrt(), 0.05);
    let area = 0.09 - cut * cut;
    let arm = -(cut * cut) * (half - cut * 2.0 / 3.0) / area;
    let turned =
        format!("shape: Box(size: (0.3, 0.3, 0.2)), at: ({:?}, 0, 0.1), rotation: ((0, 0, 1), 0.7853981633974483)", cut - half);
    out.push(over(turned, area, [arm, 0.0]));
    out
}

fn model(case: &Lies, law: &str, load: &str, time: &str) -> String {
    let Lies { body, floor, .. } = case;
    let held = if floor.contains("Plane") { "" } else { r#"(on: "floor", load: Fixed),"# };
    let probe = if law.contains("strength") { r#"(name: "area", of: "bonded_area", reduce: Sum),"# } else { "" };
    format!(
        r#"(dimension: 3, gravity: (0, 0, 0), time: ({time}), materials: {{"m": (density: 1000)}},
        bodies: [(group: "floor", material: "m", {floor}), (group: "b", material: "m", {body})],
        interactions: [(between: ("floor", "b"), law: {law})], loads: [{held} (on: "b", load: Force({load}))], physics: [Contact(tolerance: 1e-10)],
        output: (probes: [{probe} (name: "low", of: "extent", component: Z, reduce: Min, group: "b"),
                          (name: "high", of: "extent", component: Z, reduce: Max, group: "b")]))"#
    )
}

/// A bond under a pull through the middle of its face holds up to strength × area, and breaks there.
#[test]
fn a_bond_has_the_strength_of_its_face() {
    for case in cases() {
        let whole = 1e4 * case.area;
        // The force acts at the centre of mass: a moment takes it to the middle of the face.
        let [x, y] = case.arm.map(|a| 2.0 * whole * a);
        let ramp = |to: f64| format!("Ramp(from: 0, to: {to:?}, end: 1)");
        let load = format!("z: {}, torque_x: {}, torque_y: {}", ramp(2.0 * whole), ramp(y), ramp(-x));
        let law = "MohrCoulomb(tensile_strength: 1e4, cohesion: 3e4, friction: 0.5)";
        let mut run = build(&model(&case, law, &load, "step: 5e-3, end: 0.6"), &[]);
        let mut held = 0.0;
        while !run.finished() {
            let step = run.step().unwrap();
            let area = column(&run, &step, "area").unwrap();
            if area == 0.0 {
                break;
            }
            // The rim of a surface's triangles takes no part by 1e-4 of the smaller size.
            assert!((area / case.area - 1.0).abs() < 2e-3, "{} on {}: {area} m² of {}", case.body, case.floor, case.area);
            held = 2.0 * step.time;
        }
        assert!((held - 1.0).abs() < 0.015, "{} on {}: broke at {held} of its strength", case.body, case.floor);
    }
}

/// Springs under a face that is pressed through its middle give way alike.
#[test]
fn springs_under_a_face_do_not_lean() {
    for case in cases() {
        let press = 100.0;
        let [x, y] = case.arm.map(|a| -press * a);
        let load = format!("z: {:?}, torque_x: {y:?}, torque_y: {:?}", -press, -x);
        let mut run = build(
            &model(&case, "Elastic(stiffness: 1e5, damping: 2e3, friction: 0.5)", &load, "step: 2e-3, end: 1, theta: 1"),
            &[],
        );
        let mut last = [0.0; 2];
        while !run.finished() {
            let step = run.step().unwrap();
            last = ["low", "high"].map(|name| column(&run, &step, name).unwrap());
        }
        for (at, z) in last.iter().zip([0.0, 0.2]) {
            assert!((at - z + 1e-3).abs() < 2e-6, "{} on {}: {at} m, must be {}", case.body, case.floor, z - 1e-3);
        }
    }
}

/// A prism of five or seven sides under a force at its centre stands until that tips it over an edge: weight × the distance of the edge from the middle over the height of the centre. It used to stand
/// on four of its corners and rocked at a third of that.
#[test]
fn prisms_stand_until_they_tip() {
    for n in [5, 7] {
        let corners = polygon(n);
        let (shape, area, _) = prism(&corners);
        let side = std::f64::consts::PI / n as f64;
        let tip = area * 0.2 * 1000.0 * 10.0 * 0.2 * side.cos() / 0.1;
        for floor in ["shape: Plane(normal: (0, 0, 1))", "shape: Box(size: (4, 4, 1)), at: (0, 0, -0.5)"] {
            for edge in 0..n {
                let (s, c) = ((2 * edge + 1) as f64 * side).sin_cos();
                for (part, stands) in [(0.97, true), (1.03, false)] {
                    let held = if floor.contains("Plane") { "" } else { r#"(on: "floor", load: Fixed),"# };
                    let text = format!(
                        r#"(dimension: 3, gravity: (0, 0, -10), time: (step: 2e-3, end: 0.6), materials: {{"m": (density: 1000)}},
                        bodies: [(group: "floor", material: "m", {floor}), (group: "b", material: "m", shape: {shape}, at: (0, 0, 0.1))],
                        interactions: [(between: ("floor", "b"), law: Coulomb(friction: 5))], physics: [Contact()],
                        loads: [{held} (on: "b", load: Force(x: {:?}, y: {:?}))],
                        output: (probes: [(name: "high", of: "extent", component: Z, reduce: Max, group: "b")]))"#,
                        part * tip * c,
                        part * tip * s
                    );
                    let mut run = build(&text, &[]);
                    let mut high = 0.0;
                    while !run.finished() {
                        let step = run.step().unwrap();
                        high = column(&run, &step, "high").unwrap();
                    }
                    assert_eq!(
                        (high - 0.2).abs() < 1e-5,
                        stands,
                        "{n} sides on {floor}, edge {edge}, {part} of what tips it: {high} m"
                    );
                }
            }
        }
    }
}

/// Bars written as surfaces lie across each other and meet with their edges as boxes do. They used to fall through, as no corner of one is over a face of the other.
#[test]
fn surfaces_meet_with_their_ridges() {
    let size = [1.0, 0.2, 0.1];
    let as_box = format!("Box(size: ({:?}, {:?}, {:?}))", size[0], size[1], size[2]);
    // Flat across each other; askew; edge down on a flat face; edge on edge.
    let poses = [
        ([0.0, 0.0, 0.0], "(0, 0, 1), 1.5707963267948966", 0.1, [0.0, 0.0, 0.0]),
        ([0.1, 0.02, 0.0], "(0, 0, 1), 0.6", 0.12, [0.0, 0.0, 0.0]),
        ([0.0, 0.0, 0.0], "(0, 1, 1), 2.0", 0.4, [0.0, 0.0, 0.0]),
        ([0.0, 0.0, 0.0], "(0.3, 0.2, 1), 1.2", 0.45, [0.4, 0.0, 0.0]),
    ];
    for (k, (at, turn, height, lean)) in poses.iter().enumerate() {
        let fall = |shape: &str| {
            let text = format!(
                r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: 5e-4, end: 0.26), materials: {{"m": (density: 1000)}},
                bodies: [(group: "f", material: "m", shape: {shape}, rotation: ((1, 0, 0), {:?})),
                         (group: "b", material: "m", shape: {shape}, at: ({:?}, {:?}, {height:?}), rotation: ({turn}))],
                interactions: [(between: ("f", "b"), law: Coulomb(friction: 0.4))], loads: [(on: "f", load: Fixed)], physics: [Contact(tolerance: 1e-10)],
                output: (probes: [(name: "z", of: "position", component: Z, group: "b"), (name: "x", of: "position", component: X, group: "b"),
                                  (name: "w", of: "angular_velocity", group: "b")]))"#,
                lean[0], at[0], at[1]
            );
            let mut run = build(&text, &[]);
            let mut path = Vec::new();
            while !run.finished() {
                let step = run.step().unwrap();
                path.push(["z", "x", "w"].map(|name| column(&run, &step, name).unwrap()));
            }
            path
        };
        let (one, other) = (fall(&block(size)), fall(&as_box));
        // It has been caught: free fall would be 0.33 m.
        assert!(one.last().unwrap()[0] > height - 0.32, "pose {k}: {:?}", one.last());
        for (i, (a, b)) in one.iter().zip(&other).enumerate() {
            assert!(
                (0..3).all(|c| (a[c] - b[c]).abs() < 1e-3 * [1.0, 1.0, 10.0][c]),
                "pose {k}, step {i}: {a:?} of surfaces, {b:?} of boxes"
            );
        }
    }
}
