//! What stands on a corner, an end or something small on a flat mesh is held as by a rigid body of that shape, wherever the nodes lie: a flat frictionless
//! surface takes no speed from what slides on it, and bears what rests there.

use mpcd_core::Vec3;
use mpcd_sim::Simulation;

use crate::granular::{build, steps};

/// Bodies without friction of which those of the group "f" are fixed; `locked` are the axes that "b" may not turn about.
fn model(space: usize, bodies: &str, locked: &str, h: f64) -> Simulation {
    let down = if space == 2 { "(0, -10)" } else { "(0, 0, -10)" };
    let locked = if locked.is_empty() { String::new() } else { format!(", (on: \"b\", load: Locked(axes: [{locked}]))") };
    build(
        &format!(
            "(dimension: {space}, gravity: {down}, time: (step: {h}, end: 1, theta: 1),\n\
             materials: {{\"m\": (density: 1000, elastic: (young: 1e12, poisson: 0))}},\n\
             bodies: [{bodies}],\n\
             interactions: [(between: (\"b\", \"f\"), law: Coulomb(friction: 0)), (between: (\"f\", \"f\"), law: NoContact)],\n\
             loads: [(on: \"f\", load: Fixed){locked}], physics: [Contact(tolerance: 1e-12)])"
        ),
        &[],
    )
}

fn body(group: &str, words: &str) -> String {
    format!("(group: \"{group}\", material: \"m\", {words}), ")
}

fn slab(element: &str) -> String {
    body("f", &format!("shape: Mesh(of: Rectangle(size: (1.2, 0.2), cells: (12, 2), element: {element})), at: (0, -0.2)"))
}

/// The velocity (m/s) of the first body after a time (s).
fn velocity(mut run: Simulation, h: f64, time: f64) -> Vec3 {
    steps(&mut run, (time / h).round() as u64);
    run.world().kinematics.velocity[0]
}

/// A box that stands on its rear corner lost 1 % (leaning by 5°) to 40 % (by 30°) of its speed in 0.3 s: each node that it came over was an obstacle as its
/// leaning face, which does not come there before its corner.
#[test]
fn what_leans_over_flat_meshes_keeps_its_speed() {
    for degrees in [1.0_f64, 5.0, 20.0, 30.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let high = 0.05 * (sin + cos);
        for (element, h) in [("Q4", 2e-3), ("Q4", 5e-4), ("T6", 2e-3), ("Q8", 4e-3)] {
            let leaning =
                format!("shape: Box(size: (0.1, 0.1)), rotation: \"{degrees} deg\", at: (0.2013, {high}), velocity: (1, 0)");
            let v = velocity(model(2, &(body("b", &leaning) + &slab(element)), "SpinZ", h), h, 0.3);
            assert!((v - Vec3::x()).norm() < 1e-9, "a box that leans by {degrees}° on {element}, {h} s: {v:?}");
        }
        let solid =
            body("f", "shape: Mesh(of: Cuboid(size: (0.8, 0.4, 0.2), cells: (8, 3, 1), element: Hex8)), at: (0, -0.2, -0.2)");
        let leaning = format!(
            "shape: Box(size: (0.1, 0.1, 0.1)), rotation: ((0, 1, 0), \"-{degrees} deg\"), at: (0.2013, 0.013, {high}), velocity: (1, 0, 0)"
        );
        let v = velocity(model(3, &(body("b", &leaning) + &solid), "SpinX, SpinY, SpinZ", 2e-3), 2e-3, 0.2);
        assert!((v - Vec3::x()).norm() < 1e-9, "a box on its edge that leans by {degrees}°: {v:?}");
    }
    let line = "shape: Segment(from: (-0.05, -0.01), to: (0.05, 0.01)), mass: 1, at: (0.2013, 0.01), velocity: (1, 0)";
    let v = velocity(model(2, &(body("b", line) + &slab("Q4")), "SpinZ", 2e-3), 2e-3, 0.3);
    assert!((v - Vec3::x()).norm() < 1e-9, "a slanted line: {v:?}");
}

/// A plate over fixed corners, rigid or of a mesh, lost 11 to 18 % in 0.4 s, round meshes on a flat one 5 to 14 % in 0.5 s. A plate that is not rigid settles as it
/// comes to bear.
#[test]
fn meshes_slide_over_leaning_corners_and_round_meshes_over_flat_ones() {
    let plate =
        body("b", "shape: Mesh(of: Rectangle(size: (1.6, 0.2), cells: (16, 2), element: Q4)), at: (0.2, 0), velocity: (1, 0)");
    let (x, y) = (0.5_f64 * 0.1 * (20_f64.to_radians().cos() - 20_f64.to_radians().sin()), 0.064_085_638_205_578_86);
    for corner in [
        format!("shape: Box(size: (0.1, 0.1)), rotation: \"20 deg\", at: (X, {})", -y),
        "shape: Mesh(of: Rectangle(size: (0.1, 0.1), cells: (2, 2), element: Q4)), rotation: \"20 deg\", at: (X, Y)".to_owned(),
    ] {
        let mesh = corner.contains("Mesh");
        let corner = |at: f64| {
            // the reference point of a mesh is its own origin, here its lower left corner
            let (sin, cos) = 20_f64.to_radians().sin_cos();
            let place = if mesh { [at - 0.1 * (cos - sin), -0.1 * (cos + sin)] } else { [at - x, -y] };
            body("f", &corner.replace('X', &place[0].to_string()).replace('Y', &place[1].to_string()))
        };
        let v = velocity(model(2, &(plate.clone() + &corner(0.7) + &corner(1.3)), "", 2e-3), 2e-3, 0.2);
        assert!((v.x - 1.0).abs() < 1e-3, "a plate over leaning corners, of a mesh {mesh}: {v:?}");
    }
    for (round, cells) in [("Q8", "(4, 3)"), ("T3", "(4, 3)")] {
        let round =
            format!("shape: Mesh(of: Round(radius: 0.05, cells: {cells}, element: {round})), at: (0.2, 0.05), velocity: (1, 0)");
        let v = velocity(model(2, &(body("b", &round) + &slab("Q4")), "", 2e-3), 2e-3, 0.3);
        assert!((v.x - 1.0).abs() < 1e-3, "{round}: {v:?}");
    }
    let rounds =
        |at: f64| body("f", &format!("shape: Mesh(of: Round(radius: 0.05, cells: (3, 3), element: Q8)), at: ({at}, -0.05)"));
    let v = velocity(model(2, &(plate + &rounds(0.7037) + &rounds(1.3081)), "", 2e-3), 2e-3, 0.2);
    assert!((v.x - 1.0).abs() < 2e-3, "a plate over round meshes: {v:?}");
}

/// A capsule whose straight part ends above nodes at the end of a step was thrown up by the plane of the node ahead (6 % of its speed in 0.6 s, steps of 4 ms).
#[test]
fn capsules_whose_straight_parts_end_at_nodes_keep_their_speed() {
    for (x, h) in [(0.2, 4e-3), (0.2, 2e-3), (0.2, 1e-3), (0.25, 2e-3), (0.2013, 2e-3)] {
        let capsule =
            format!("shape: Segment(from: (-0.05, 0), to: (0.05, 0), radius: 0.02), mass: 5, at: ({x}, 0.02), velocity: (1, 0)");
        let v = velocity(model(2, &(body("b", &capsule) + &slab("Q4")), "", h), h, 0.6);
        assert!((v - Vec3::x()).norm() < 1e-7, "from {x} m, {h} s: {v:?}");
    }
}

/// The ends of a line have no faces: a plate on upright lines fell, and so did a line that stands on a mesh.
#[test]
fn the_ends_of_lines_touch_meshes() {
    let plate = body("b", "shape: Mesh(of: Rectangle(size: (1.6, 0.2), cells: (16, 2), element: Q4))");
    for degrees in [30.0_f64, 40.0, 60.0, 90.0, 140.0] {
        let (sin, cos) = degrees.to_radians().sin_cos();
        // a `Segment` is at the middle of its ends
        let post =
            |x: f64| body("f", &format!("shape: Segment(from: ({}, {}), to: (0, 0)), at: ({x}, 0)", -0.1 * cos, -0.1 * sin));
        let mut run = model(2, &(plate.clone() + &post(0.337) + &post(1.2813)), "", 2e-3);
        let before = run.world().kinematics.position[0].y;
        steps(&mut run, 100);
        let fallen = before - run.world().kinematics.position[0].y;
        assert!(fallen.abs() < 1e-6, "a plate on lines at {degrees}° fell by {fallen} m");
    }
    let line = "shape: Segment(from: (0, 0), to: (0, 0.1)), mass: 1, at: (0.437, 0)";
    let mut run = model(2, &(body("b", line) + &slab("Q4")), "SpinZ", 2e-3);
    let before = run.world().kinematics.position[0].y;
    steps(&mut run, 100);
    let fallen = before - run.world().kinematics.position[0].y;
    assert!(fallen.abs() < 1e-6, "an upright line fell by {fallen} m");
}

/// Discs and balls of a thousandth of a cell, beside a node or near the rim, fell through; those of two thousandths sank in by up to 0.4 of their radius.
#[test]
fn what_is_tiny_rests_beside_nodes() {
    for radius in [1e-5_f64, 1e-4, 2e-4, 1e-3] {
        for (x, what) in
            [(0.5, "node"), (1.2 - 1.01 * 1e-4, "rim"), (0.5 + 0.9 * radius, "beside a node"), (0.5 + 1.01 * radius, "beside")]
        {
            let disc = format!("shape: Disc(radius: {radius}), at: ({x}, {radius})");
            let mut run = model(2, &(body("b", &disc) + &slab("Q4")), "X, SpinZ", 1e-4);
            steps(&mut run, 100);
            let y = run.world().kinematics.position[0].y;
            // what is not over the surface may roll off
            if x + radius <= 1.2 {
                assert!((y - radius).abs() < 1e-3 * radius, "{radius} m, {what}: at {y} m");
            }
        }
    }
    let solid = body("f", "shape: Mesh(of: Cuboid(size: (0.4, 0.4, 0.2), cells: (4, 4, 1), element: Hex8)), at: (0, 0, -0.2)");
    let ball = "shape: Sphere(radius: 1e-4), at: (0.3999, 0.3999, 1e-4)";
    let mut run = model(3, &(body("b", ball) + &solid), "X, Y, SpinX, SpinY, SpinZ", 1e-4);
    steps(&mut run, 100);
    let z = run.world().kinematics.position[0].z;
    assert!((z - 1e-4).abs() < 1e-7, "a ball beside a corner: at {z} m");
}
