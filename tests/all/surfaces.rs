//! Triangulated surfaces on each other: what they carry, and that none sinks into another.

use std::fmt::Write;

use crate::granular::{build, column, steps};

/// A block as a closed surface, triangles wound outwards.
pub(crate) fn block([x, y, z]: [f64; 3]) -> String {
    let corner = |k: usize| [if k & 4 == 0 { -x } else { x }, if k & 2 == 0 { -y } else { y }, if k & 1 == 0 { -z } else { z }];
    let corners = (0..8).fold(String::new(), |mut out, k| {
        let [x, y, z] = corner(k).map(|c| 0.5 * c);
        write!(out, "({x:?}, {y:?}, {z:?}),").unwrap();
        out
    });
    let faces = "(0,1,3),(0,3,2),(4,6,7),(4,7,5),(0,4,5),(0,5,1),(2,3,7),(2,7,6),(0,2,6),(0,6,4),(1,5,7),(1,7,3)";
    format!("Surface(vertices: [{corners}], triangles: [{faces}])")
}

/// An open floor of n × n cells, 3 m wide.
fn sheet(n: usize) -> String {
    let place = |k: usize| 3.0 * k as f64 / n as f64 - 1.5;
    let mut corners = String::new();
    let mut faces = String::new();
    for i in 0..=n {
        for j in 0..=n {
            write!(corners, "({:?}, {:?}, 0.0),", place(i), place(j)).unwrap();
        }
    }
    let at = |i: usize, j: usize| i * (n + 1) + j;
    for i in 0..n {
        for j in 0..n {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            write!(faces, "({a},{b},{c}),({a},{c},{d}),").unwrap();
        }
    }
    format!("Surface(vertices: [{corners}], triangles: [{faces}])")
}

/// A block of 120 kg rests on floors of two and of many triangles, on a slab a millimetre thick. Its corners were lost one by one as they came to lie behind the
/// floor by rounding, and it fell through.
#[test]
fn a_block_stands_on_a_floor_of_triangles() {
    for (floor, below) in [(sheet(1), 0.0), (sheet(2), 0.0), (sheet(7), 0.0), (block([3.0, 3.0, 1e-3]), -5e-4)] {
        for turn in [0.0, 0.3] {
            let text = format!(
                r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: 1e-3, end: 0.3), materials: {{"m": (density: 1000)}},
                bodies: [(group: "a", material: "m", shape: {}, at: (0.05, 0.02, 0.3), rotation: ((0, 0, 1), {turn})),
                         (group: "f", material: "m", shape: {floor}, at: (0, 0, {below}))],
                interactions: [(between: ("a", "f"), law: Coulomb(friction: 0.5))], loads: [(on: "f", load: Fixed)], physics: [Contact()],
                output: (probes: [(name: "held", of: "resultant", component: Z, group: "f"), (name: "z", of: "position", component: Z, group: "a")]))"#,
                block([0.4, 0.5, 0.6])
            );
            let mut run = build(&text, &[]);
            let weight = 0.4 * 0.5 * 0.6 * 1000.0 * 9.81;
            while !run.finished() {
                let step = run.step().unwrap_or_else(|e| panic!("{floor}: {e}"));
                let [held, z] = ["held", "z"].map(|name| column(&run, &step, name).unwrap());
                assert!(
                    (held + weight).abs() < 1e-3 * weight,
                    "{floor}, turned by {turn}: {held} N of {weight} N at {} s",
                    run.time()
                );
                assert!((z - 0.3).abs() < 1e-6, "{floor}, turned by {turn}: {z} m at {} s", run.time());
            }
        }
    }
}

/// The top of the pile and what the floor bears after a while, of bricks one on the other, each moved and turned.
fn pile(bricks: &[([f64; 2], f64)], end: f64) -> (f64, f64) {
    let mut bodies = String::new();
    for (k, ([x, y], turn)) in bricks.iter().enumerate() {
        let z = 0.1 + 0.2 * k as f64;
        write!(
            bodies,
            r#"(group: "b", material: "m", shape: {}, at: ({x:?}, {y:?}, {z:?}), rotation: ((0, 0, 1), {turn:?})),"#,
            block([0.4, 0.3, 0.2])
        )
        .unwrap();
    }
    let text = format!(
        r#"(dimension: 3, gravity: (0, 0, -10), time: (step: 2e-3, end: {end}), materials: {{"m": (density: 1000)}},
        bodies: [(group: "floor", material: "m", shape: Plane(normal: (0, 0, 1))), {bodies}],
        interactions: [(between: ("b", "floor"), law: Coulomb(friction: 0.5)), (between: ("b", "b"), law: Coulomb(friction: 0.5))], physics: [Contact()],
        output: (probes: [(name: "top", of: "extent", component: Z, reduce: Max, group: "b"), (name: "fz", of: "resultant", component: Z, group: "b")]))"#
    );
    let mut run = build(&text, &[]);
    let mut last = [0.0; 2];
    while !run.finished() {
        let step = run.step().unwrap_or_else(|e| panic!("{bricks:?}: {e}"));
        last = ["top", "fz"].map(|name| column(&run, &step, name).unwrap());
    }
    (last[0], last[1])
}

/// Bricks of twelve triangles stand on each other: flush along one or both axes, where rounding decides on which side of a rim a corner is, and turned and moved, where most of what they touch with
/// are ridges that cross. They fell through each other, or lost points as soon as the gap was 0.
#[test]
fn piles_of_surfaces_stand() {
    let flush = vec![([0.0; 2], 0.0); 3];
    let along = vec![([0.0; 2], 0.0), ([0.05, 0.0], 0.0), ([0.1, 0.0], 0.0)];
    let [a, b, c, d] = [0.285, 1.333, 0.7, 2.1];
    let turned = vec![([0.0; 2], 0.0), ([0.019, -0.018], a), ([0.0, 0.01], a + b), ([0.02, 0.0], a + c)];
    let more = vec![([0.0; 2], 0.2), ([0.016, -0.026], 0.2 + b), ([-0.01, 0.02], d), ([0.0, -0.02], a)];
    for bricks in [flush, along, turned, more] {
        let (top, force) = pile(&bricks, 0.4);
        let [high, weight] = [0.2, 240.0].map(|of_one| of_one * bricks.len() as f64);
        assert!(
            (top - high).abs() < 1e-5 && (force / weight - 1.0).abs() < 1e-3,
            "{bricks:?}: top {top} of {high} m, {force} of {weight} N"
        );
    }
}

/// A brick without friction slides over a floor of many triangles as over a plane: an inner vertex of the floor that came before its lower edge caught it (1 → 0.57 m/s).
#[test]
fn no_vertex_of_a_level_floor_catches_what_slides() {
    for (cells, turn, y) in [(6, 0.0, 0.0), (6, 0.3, 0.02), (15, 0.0, 0.07), (15, 0.6, 0.0)] {
        let text = format!(
            r#"(dimension: 3, gravity: (0, 0, -10), time: (step: 2e-3, end: 0.6), materials: {{"m": (density: 1000)}},
            bodies: [(group: "f", material: "m", shape: {}), (group: "b", material: "m", shape: {}, at: (-0.3, {y:?}, 0.1), rotation: ((0, 0, 1), {turn:?}), velocity: (1, 0, 0))],
            interactions: [(between: ("f", "b"), law: Coulomb(friction: 0))], loads: [(on: "f", load: Fixed)], physics: [Contact()],
            output: (probes: [(name: "x", of: "position", component: X, group: "b"), (name: "z", of: "position", component: Z, group: "b")]))"#,
            sheet(cells),
            block([0.4, 0.3, 0.2])
        );
        let mut run = build(&text, &[]);
        while !run.finished() {
            let step = run.step().unwrap();
            let [x, z] = ["x", "z"].map(|name| column(&run, &step, name).unwrap());
            assert!(
                (x + 0.3 - step.time).abs() < 1e-6 && (z - 0.1).abs() < 1e-6,
                "{cells} cells, turned {turn}: x {x}, z {z} at {} s",
                step.time
            );
        }
    }
}

/// An edge that hangs over both sides of what it lies on touches it, though no corner of either is over the other's face.
#[test]
fn edges_longer_than_a_surface_touch_it() {
    let strip = "Surface(vertices: [(-0.1, -0.01, 0), (0.1, -0.01, 0), (0.1, 0.01, 0), (-0.1, 0.01, 0)], triangles: [(0, 1, 2), (0, 2, 3)])";
    let plate = block([0.2, 0.05, 0.02]);
    let edge = "Box(size: (0.02, 0.2, 0.02))";
    let high = 0.01 * 2.0_f64.sqrt();
    let on_strip =
        (strip.to_owned(), format!("shape: {edge}, at: (0, 0, {:?}), rotation: ((0, 1, 0), \"45 deg\")", high + 1e-3), high);
    let wedge = "Polyhedron(vertices: [(-0.01, -0.2, -0.03), (0.01, -0.2, -0.03), (0, -0.2, 0), (-0.01, 0.2, -0.03), (0.01, 0.2, -0.03), (0, 0.2, 0)])";
    let on_wedge = (wedge.to_owned(), format!("shape: {plate}, at: (0, 0, 0.011)"), 0.01);
    for (below, above, z) in [on_strip, on_wedge] {
        let text = format!(
            r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: 1e-3, end: 0.2), materials: {{"m": (density: 1000)}},
            bodies: [(group: "f", material: "m", shape: {below}), (group: "b", material: "m", {above})],
            interactions: [(between: ("f", "b"), law: Coulomb(friction: 0.5))], loads: [(on: "f", load: Fixed), (on: "b", load: Locked(axes: [X, Y, SpinX, SpinY, SpinZ]))], physics: [Contact()],
            output: (probes: [(name: "low", of: "extent", component: Z, reduce: Min, group: "b"), (name: "z", of: "position", component: Z, group: "b")]))"#
        );
        let mut run = build(&text, &[]);
        let mut low = 0.0;
        while !run.finished() {
            let step = run.step().unwrap();
            low = column(&run, &step, "low").unwrap();
        }
        // Its lowest point ends at 0, whatever its place is.
        assert!(low.abs() < 1e-5, "{above} on {below}: lowest point at {low} m, place to be {z} m");
    }
}

/// Springs under a load beside the middle of a brick of triangles bear it, and lean by T/(k h²/4), also beyond the tilt up to which a rigid face is level: the ridges of the face counted a second time.
#[test]
fn a_surface_leans_on_springs_as_a_box() {
    let (k, press, torque) = (1e5, 240.0, 6.0);
    for body in [block([0.4, 0.3, 0.2]), "Box(size: (0.4, 0.3, 0.2))".to_owned()] {
        for floor in [
            "Box(size: (4, 4, 1)), at: (0, 0, -0.5)".to_owned(),
            sheet(8),
            "Plane(normal: (0, 0, 1))".to_owned(),
            format!("{}, at: (0.3, 0.1, -0.5)", block([4.0, 4.0, 1.0])),
        ] {
            let held = if floor.contains("Plane") { "" } else { r#"(on: "f", load: Fixed),"# };
            let text = format!(
                r#"(dimension: 3, gravity: (0, 0, -10), time: (step: 2e-3, end: 2), materials: {{"m": (density: 1000)}},
                bodies: [(group: "f", material: "m", shape: {floor}), (group: "b", material: "m", shape: {body}, at: (0, 0, 0.1))],
                interactions: [(between: ("f", "b"), law: Elastic(stiffness: {k:?}, damping: 2e3, friction: 0.5))],
                loads: [{held} (on: "b", load: Force(torque_y: {torque:?}))], physics: [Contact(tolerance: 1e-10)],
                output: (probes: [(name: "z", of: "position", component: Z, group: "b"), (name: "low", of: "extent", component: Z, reduce: Min, group: "b"), (name: "fz", of: "resultant", component: Z, group: "b")]))"#
            );
            let mut run = build(&text, &[]);
            let mut last = [0.0; 3];
            while !run.finished() {
                let step = run.step().unwrap();
                last = ["z", "low", "fz"].map(|name| column(&run, &step, name).unwrap());
            }
            let [z, low, force] = last;
            let (sink, tilt) = (press / k, torque / (k * 0.04));
            assert!((force - press).abs() < 1e-3, "{body} on {floor}: {force} N");
            assert!((z - 0.1 + sink).abs() < 2e-3 * sink, "{body} on {floor}: sank {} of {sink} m", 0.1 - z);
            assert!(
                (-low - sink - 0.2 * tilt).abs() < 5e-3 * sink,
                "{body} on {floor}: lowest at {low}, must be {}",
                -sink - 0.2 * tilt
            );
        }
    }
}

/// A face that ends on a flat side has all of its area, 1/(2σ√(A/π)): a strip lacked 10⁻⁴ of its length along each rim.
#[test]
fn a_strip_stands_with_all_of_its_area() {
    let strip = block([1.0, 0.01, 0.02]);
    let box_strip = "Box(size: (1, 0.01, 0.02))";
    let wide = "Box(size: (2, 0.5, 0.02))";
    for (body, floor) in [(&*strip, wide), (box_strip, wide), (wide, &*strip), (&*strip, &*strip), (&*strip, box_strip)] {
        let mut run = build(
            &format!(
                r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: 0.001, end: 0.01),
  materials: {{"m": (density: 1000, elastic: (young: 1e7, poisson: 0), electrical: (conductivity: 1e5))}},
  bodies: [(group: "b", material: "m", shape: {body}, at: (0, 0, 0.02)), (group: "f", material: "m", shape: {floor}, at: (0, 0, 0))],
  interactions: [(between: ("b", "f"), law: Coulomb(friction: 0.9))], loads: [(on: "f", load: Fixed)],
  physics: [Contact(), Electrical(law: Hertz, current: [(group: "b", value: 1)], potential: [(group: "f", value: 0)], on_open_circuit: SwitchOff)])"#
            ),
            &[],
        );
        let wanted = 0.5 / 1e5 / (0.01 / std::f64::consts::PI).sqrt();
        while !run.finished() {
            let step = run.step().unwrap();
            let found = column(&run, &step, "resistance").unwrap();
            assert!((found / wanted - 1.0).abs() < 1e-6, "{body} on {floor}: {found} for {wanted}");
        }
    }
}

/// A ball exactly above the side that two triangles of a flat face have in common, or above a vertex of several, touches in one point, as beside it: its spring gives way as one does.
#[test]
fn a_ball_above_a_side_of_triangles_touches_once() {
    let corners = "(-0.05, -0.05, 0), (0.05, -0.05, 0), (0.05, 0.05, 0), (-0.05, 0.05, 0), (0, 0, 0)";
    let two = format!("Surface(vertices: [{corners}], triangles: [(0, 1, 2), (0, 2, 3)])").replace(", (0, 0, 0)]", "]");
    let four = format!("Surface(vertices: [{corners}], triangles: [(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)])");
    for (floor, place) in
        [(&two, "0, 0"), (&two, "0.02, 0.02"), (&two, "0.02, 0.01"), (&four, "0, 0"), (&four, "0.02, 0.02"), (&four, "1e-13, 0")]
    {
        let mut run = build(
            &format!(
                r#"(dimension: 3, time: (step: 1e-4, end: 1), materials: {{"m": (density: 1000)}},
  bodies: [(group: "a", material: "m", shape: Sphere(radius: 0.01), mass: 0.01, at: ({place}, 0.01)), (group: "f", material: "m", shape: {floor})],
  loads: [(on: "a", load: Force(z: -1)), (on: "f", load: Fixed)], interactions: [(between: ("a", "f"), law: Elastic(stiffness: 1e4, friction: 0, damping: 5))],
  physics: [Contact(tolerance: 1e-9)], output: (probes: [(name: "z", of: "position", component: Z, group: "a")]))"#
            ),
            &[],
        );
        let last = steps(&mut run, 600);
        let depth = 0.01 - column(&run, &last, "z").unwrap();
        assert!((depth - 1e-4).abs() < 1e-7, "{place} on {floor}: {depth} m");
    }
}

/// A grid of 2 × 2 cells of 5 cm bent along x = 0 by the slopes ±s, and one whose vertices lie on a plane but for single precision.
fn bent(slope: f64, single: bool) -> String {
    let mut text = String::from("Surface(vertices: [");
    for j in 0..3 {
        for i in 0..3 {
            let (x, y) = (0.05 * (f64::from(i) - 1.0), 0.05 * (f64::from(j) - 1.0));
            let z = if single { f64::from((0.3 * x + 0.2 * y) as f32) } else { -slope * x.abs() };
            write!(text, "({x:?}, {y:?}, {z:?}),").unwrap();
        }
    }
    text.push_str("], triangles: [");
    for j in 0..2 {
        for i in 0..2 {
            let k = 3 * j + i;
            write!(text, "({}, {}, {}), ({}, {}, {}),", k, k + 1, k + 4, k, k + 4, k + 3).unwrap();
        }
    }
    text.push_str("])");
    text
}

/// A ball on a ridge, above a vertex of it, above its middle and beside it, is held whatever the slopes are: where they differ by less than what makes a ridge, too (straight ridges let a ball through at
/// their vertices, and those below 1e-6 between their faces), and on a slope that single precision makes uneven. A groove as flat as that holds it once.
#[test]
fn no_ball_falls_through_a_ridge() {
    let at = |single: bool, y: f64| {
        let lift = 0.01 * if single { (1.0_f64 + 0.3 * 0.3 + 0.2 * 0.2).sqrt() } else { 1.0 };
        format!("0, {y}, {}", lift + if single { 0.2 * y } else { 0.0 })
    };
    for (slope, single) in [
        (0.3, false),
        (1e-2, false),
        (1e-4, false),
        (1e-6, false),
        (1e-7, false),
        (1e-10, false),
        (0.0, false),
        (-1e-7, false),
        (-1e-5, false),
        (0.0, true),
    ] {
        for y in [0.0, 1e-12, 0.013, 0.025] {
            let floor = bent(slope, single);
            let mut run = build(
                &format!(
                    r#"(dimension: 3, time: (step: 1e-4, end: 1), materials: {{"m": (density: 1000)}},
  bodies: [(group: "a", material: "m", shape: Sphere(radius: 0.01), mass: 0.01, at: ({})), (group: "f", material: "m", shape: {floor})],
  loads: [(on: "a", load: Force(x: {}, y: {}, z: -1)), (on: "f", load: Fixed)], interactions: [(between: ("a", "f"), law: Elastic(stiffness: 1e4, friction: 0.5, damping: 5))],
  physics: [Contact(tolerance: 1e-9)], output: (probes: [(name: "f", of: "resultant", component: Norm, group: "a"), (name: "z", of: "position", component: Z, group: "a")]))"#,
                    at(single, y),
                    if single { 0.3 } else { 0.0 },
                    if single { 0.2 } else { 0.0 },
                ),
                &[],
            );
            let last = steps(&mut run, 600);
            let [f, z] = ["f", "z"].map(|name| column(&run, &last, name).unwrap());
            let push = if single { 1.13_f64.sqrt() } else { 1.0 };
            let sunk = at(single, y).rsplit(", ").next().unwrap().parse::<f64>().unwrap() - z;
            // push/k along the normal
            let depth = 1e-4;
            assert!((f - push).abs() < 1e-5 && (sunk - depth).abs() < 0.02 * depth, "{slope:e} {single} {y}: {f} N, {sunk} m");
        }
    }
}

/// A ball on a ridge that is none (slopes of 1e-7) and against a wall of the same surface has both of them.
#[test]
fn a_ball_on_a_ridge_leans_on_a_wall_as_well() {
    let floor = bent(1e-7, false);
    // the wall stands on the far side of the floor and looks back over it
    let floor = floor
        .replace("], triangles: [", "(-0.05, 0.05, 0.05), (0.05, 0.05, 0.05)], triangles: [(6, 7, 9), (7, 10, 9), (7, 8, 10),");
    for (law, z, y) in [("Coulomb(friction: 0)", 0.0, 0.0), ("Elastic(stiffness: 1e4, friction: 0, damping: 5)", 2e-4, 1e-4)] {
        let mut run = build(
            &format!(
                r#"(dimension: 3, time: (step: 1e-4, end: 1), materials: {{"m": (density: 1000)}},
  bodies: [(group: "a", material: "m", shape: Sphere(radius: 0.01), mass: 0.01, at: (0, 0.04, 0.01)), (group: "f", material: "m", shape: {floor})],
  loads: [(on: "a", load: Force(y: 1, z: -2)), (on: "f", load: Fixed)], interactions: [(between: ("a", "f"), law: {law})],
  physics: [Contact(tolerance: 1e-9)], output: (probes: [(name: "y", of: "position", component: Y, group: "a"), (name: "z", of: "position", component: Z, group: "a")]))"#
            ),
            &[],
        );
        let last = steps(&mut run, 600);
        let [at_y, at_z] = ["y", "z"].map(|name| column(&run, &last, name).unwrap());
        assert!((at_y - 0.04 - y).abs() < 1e-6 && (at_z - 0.01 + z).abs() < 1e-6, "{law}: {at_y} {at_z}");
    }
}
