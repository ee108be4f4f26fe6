//! Deformable bodies in whole models: contact of finite elements with rigid bodies and with each other, against formulas.

use mpcd_core::{ContactNetwork, MeshView};
use mpcd_sim::Simulation;

use crate::granular::build;

fn steps(run: &mut Simulation, n: usize) {
    for _ in 0..n {
        run.step().unwrap();
    }
}

fn array<'a>(mesh: &'a MeshView, name: &str) -> &'a [f64] {
    &mesh.arrays.iter().find(|a| a.name == name).unwrap().values
}

/// Largest and least of a component of an array of vectors (3) or tensors (9).
fn range(mesh: &MeshView, name: &str, component: usize) -> (f64, f64) {
    let each = mesh.arrays.iter().find(|a| a.name == name).unwrap().components;
    let of = || array(mesh, name).chunks_exact(each).map(|v| v[component]);
    (of().fold(f64::INFINITY, f64::min), of().fold(f64::NEG_INFINITY, f64::max))
}

/// Sum of the impulses on the candidates, world axes.
fn impulse(network: &ContactNetwork) -> mpcd_core::Vec3 {
    network.iter().map(|c| c.frame.to_world(&c.r)).sum()
}

/// A bar of length 1 m strikes a rigid wall at 1 m/s: the force is E A v/c from touch to parting, which is 2L/c; it leaves as it came.
#[test]
fn a_bar_strikes_a_wall() {
    let (young, density, area): (f64, f64, f64) = (210e9, 7800.0, 4e-4);
    let c = (young / density).sqrt();
    for (dimension, mesh, wall) in [
        (
            2,
            r#"Mesh(of: Rectangle(size: (1, 0.02), cells: (100, 1), element: Q4), plane: PlaneStress, thickness: 0.02)"#,
            "(1, 0)",
        ),
        (3, r#"Mesh(of: Cuboid(size: (1, 0.02, 0.02), cells: (100, 1, 1), element: Hex8))"#, "(1, 0, 0)"),
    ] {
        let zero = if dimension == 2 { "(0, 0)" } else { "(0, 0, 0)" };
        let speed = if dimension == 2 { "(-1, 0)" } else { "(-1, 0, 0)" };
        let mut run = build(
            &format!(
                r#"(dimension: {dimension}, time: (step: 1e-6, end: 5e-4, theta: 0.5),
  materials: {{"m": (density: {density}, elastic: (young: {young}, poisson: 0))}},
  bodies: [
    (group: "bar", material: "m", shape: {mesh}, at: {zero}, velocity: {speed}),
    (group: "wall", material: "m", shape: Plane(normal: {wall})),
  ],
  interactions: [(between: ("bar", "wall"), law: Coulomb(friction: 0))],
  physics: [Contact(tolerance: 1e-9)])"#
            ),
            &[],
        );
        let (mut given, mut time, mut middle): (f64, f64, Vec<f64>) = (0.0, 0.0, Vec::new());
        for k in 0..450 {
            run.step().unwrap();
            let force = impulse(run.world().network).x / 1e-6;
            given += force * 1e-6;
            time += if force > 1.0 { 1e-6 } else { 0.0 };
            if (50..330).contains(&k) {
                middle.push(force);
            }
        }
        let mean = middle.iter().sum::<f64>() / middle.len() as f64;
        assert!((mean / (young * area / c) - 1.0).abs() < 2e-3, "{dimension}D: force {mean}");
        assert!((time / (2.0 / c) - 1.0).abs() < 0.02, "{dimension}D: {time} s of {} s", 2.0 / c);
        // What remains in vibrations of the mesh is missing in the speed.
        assert!((given / (2.0 * density * area) - 1.0).abs() < 0.02, "{dimension}D: impulse {given}");
    }
}

/// A block under its weight on a floor, in the plane and in space, of linear and quadratic cells: the floor carries ρgV, and the stress over the
/// floor is −ρg(H − y) where nothing holds the sides.
#[test]
fn a_block_stands_on_a_floor() {
    for (dimension, mesh, at, g) in [
        (2, "Rectangle(size: (1, 1), cells: (4, 4), element: Q4)", "(0, 0)", "(0, -10)"),
        (2, "Rectangle(size: (1, 1), cells: (3, 3), element: Q8)", "(0, 0)", "(0, -10)"),
        (2, "Rectangle(size: (1, 1), cells: (3, 3), element: T6)", "(0, 0)", "(0, -10)"),
        (3, "Cuboid(size: (1, 1, 1), cells: (2, 2, 2), element: Hex8)", "(0, 0, 0)", "(0, -10, 0)"),
        (3, "Cuboid(size: (1, 1, 1), cells: (2, 2, 2), element: Hex20)", "(0, 0, 0)", "(0, -10, 0)"),
        (3, "Cuboid(size: (1, 1, 1), cells: (2, 2, 2), element: Tet10)", "(0, 0, 0)", "(0, -10, 0)"),
    ] {
        let mut run = build(
            &format!(
                r#"(dimension: {dimension}, gravity: {g}, time: (step: 0.05, end: 20, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e6, poisson: 0))}},
  bodies: [
    (group: "block", material: "m", shape: Mesh(of: {mesh}), at: {at}),
    (group: "floor", material: "m", shape: Plane(normal: {}), at: {at}),
  ],
  interactions: [(between: ("block", "floor"), law: Coulomb(friction: 0))],
  physics: [Contact(tolerance: 1e-8)])"#,
                if dimension == 2 { "(0, 1)" } else { "(0, 1, 0)" }
            ),
            &[],
        );
        steps(&mut run, 200);
        let force = impulse(run.world().network).y / 0.05;
        assert!((force / 1e4 - 1.0).abs() < 1e-4, "{mesh}: the floor carries {force} N of 10000 N");
        let meshes = run.meshes();
        let (low, high) = range(&meshes[0], "displacement", 1);
        // ρgH²/(2E): what the top sinks.
        let sunk = 1e4 / 2e6;
        assert!(high.abs() < 1e-3 * sunk && (low / -sunk - 1.0).abs() < 1e-3, "{mesh}: {low} of {}", -sunk);
    }
}

/// Two blocks whose meshes do not match under a pressure: the stress is the same everywhere, whichever lies below.
#[test]
fn contact_patch_test() {
    for (a, b) in [("(7, 3)", "(5, 4)"), ("(3, 2)", "(8, 2)"), ("(4, 2)", "(4, 2)")] {
        let mut run = build(
            &format!(
                r#"(dimension: 2, time: (step: 0.02, end: 10, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e6, poisson: 0.3))}},
  bodies: [
    (group: "low", material: "m", shape: Mesh(of: Rectangle(size: (1, 0.5), cells: {a}, element: Q4))),
    (group: "high", material: "m", shape: Mesh(of: Rectangle(size: (1, 0.5), cells: {b}, element: Q4)), at: (0, 0.5)),
  ],
  interactions: [(between: ("low", "high"), law: Coulomb(friction: 0))],
  loads: [(on: "low.bottom", load: Locked(axes: [Y])), (on: "low.left", load: Locked(axes: [X])),
    (on: "high.left", load: Locked(axes: [X])), (on: "high.top", load: Pressure(pressure: 1000))],
  physics: [Contact(tolerance: 1e-8)])"#
            ),
            &[],
        );
        steps(&mut run, 300);
        for mesh in run.meshes() {
            let (low, high) = range(&mesh, "stress", 4);
            assert!((low + 1000.0).abs() < 5.0 && (high + 1000.0).abs() < 5.0, "{a} on {b}: {low} to {high}");
        }
    }
}
