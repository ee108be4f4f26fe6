//! What meshes stand in contact with, in whole models: every rigid shape in the plane and in space, every law, every solver by its name. Forces against
//! weights, motions against those of the default solver.

use mpcd_sim::Simulation;

use crate::granular::{build, steps};

/// Sum of the contact forces on the nodes of the first mesh (N).
pub(crate) fn carried(run: &Simulation) -> [f64; 3] {
    let forces = run.meshes()[0].arrays.iter().find(|a| a.name == "contact_force").unwrap().values.clone();
    forces.chunks(3).fold([0.0; 3], |sum, f| std::array::from_fn(|k| sum[k] + f[k]))
}

fn displacement(run: &Simulation) -> Vec<f64> {
    run.meshes()[0].arrays.iter().find(|a| a.name == "displacement").unwrap().values.clone()
}

/// A scene under gravity along the last axis, come to rest.
pub(crate) fn at_rest(space: usize, bodies: &str, law: &str, loads: &str, more: &str) -> Simulation {
    let (down, stop) = if space == 2 { ("(0, -10)", 1.0) } else { ("(0, 0, -10)", 1.0) };
    let mut run = build(
        &format!(
            "(dimension: {space}, gravity: {down}, time: (step: 5e-3, end: {stop}, theta: 1),\n\
             materials: {{\"m\": (density: 1000, elastic: (young: 1e8, poisson: 0.2)), \"r\": (density: 1000, elastic: (young: 1e9, poisson: 0.2))}},\n\
             bodies: [{bodies}], interactions: [(between: (\"mesh\", \"other\"), law: {law})], loads: [{loads}], physics: [Contact({more})])"
        ),
        &[],
    );
    steps(&mut run, 120);
    run
}

/// Every rigid shape that has a mass lies on a mesh and presses with its weight.
#[test]
fn every_rigid_shape_lies_on_a_mesh() {
    let cube = "(-0.1, -0.1, -0.1), (0.1, -0.1, -0.1), (-0.1, 0.1, -0.1), (0.1, 0.1, -0.1), (-0.1, -0.1, 0.1), (0.1, -0.1, 0.1), (-0.1, 0.1, 0.1), (0.1, 0.1, 0.1)";
    let tetrahedron = "vertices: [(-0.2, -0.1, 0), (0.2, -0.1, 0), (0, 0.2, 0), (0, 0, 0.2)], triangles: [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]";
    let shapes = [
        (2, "Disc(radius: 0.1)".to_owned(), 0.1),
        (2, "Sphere(radius: 0.1)".to_owned(), 0.1),
        (2, "Box(size: (0.3, 0.2))".to_owned(), 0.1),
        (2, "Polygon(vertices: [(-0.2, 0), (0.2, 0), (0, 0.2)])".to_owned(), 0.0),
        (2, "Capsule(radius: 0.1, length: 0.2)".to_owned(), 0.1),
        (2, "HollowDisc(radius: 0.1, wall: 0.05)".to_owned(), 0.15),
        (2, "Cluster(parts: [(shape: Disc(radius: 0.1), at: (-0.15, 0)), (shape: Disc(radius: 0.1), at: (0.15, 0))])".to_owned(), 0.1),
        (3, "Sphere(radius: 0.1)".to_owned(), 0.1),
        (3, "Box(size: (0.3, 0.2, 0.2))".to_owned(), 0.1),
        (3, format!("Polyhedron(vertices: [{cube}])"), 0.1),
        (3, "Capsule(radius: 0.1, length: 0.2)".to_owned(), 0.1),
        (3, "Cylinder(radius: 0.1, length: 0.2)".to_owned(), 0.1),
        (3, "Ellipsoid(radii: (0.15, 0.12, 0.1))".to_owned(), 0.1),
        (3, "Superellipsoid(radii: (0.15, 0.12, 0.1), exponents: (4, 4))".to_owned(), 0.1),
        (3, "HollowSphere(radius: 0.1, wall: 0.05)".to_owned(), 0.15),
        (3, "HollowCylinder(radius: 0.1, wall: 0.05, length: 0.2)".to_owned(), 0.1),
        (3, format!("Surface({tetrahedron})"), 0.0),
        (3, "Cluster(parts: [(shape: Sphere(radius: 0.1), at: (-0.15, 0, 0)), (shape: Sphere(radius: 0.1), at: (0.15, 0, 0)), (shape: Sphere(radius: 0.1), at: (0, 0.15, 0))])".to_owned(), 0.1),
    ];
    for (space, shape, low) in shapes {
        let (slab, at, lying) = if space == 2 {
            ("Mesh(of: Rectangle(size: (1, 0.3), cells: (9, 2), element: Q4))", "(-0.47, -0.3)", format!("(0.013, {low})"))
        } else {
            let slab = "Mesh(of: Cuboid(size: (1, 1, 0.3), cells: (5, 5, 1), element: Hex8))";
            (slab, "(-0.47, -0.52, -0.3)", format!("(0.013, 0.007, {low})"))
        };
        let side = if space == 2 { "bottom" } else { "back" };
        // `Surface` and hollow bodies are placed by their own origin as the others are: the centre of mass is where it falls.
        let bodies = format!(
            "(group: \"mesh\", material: \"m\", shape: {slab}, at: {at}), (group: \"other\", material: \"r\", shape: {shape}, at: {lying})"
        );
        let run = at_rest(space, &bodies, "Coulomb(friction: 0.5)", &format!("(on: \"mesh.{side}\", load: Fixed)"), "");
        let weight = 10.0 * run.setup().bodies.mass[1];
        let force = -carried(&run)[space - 1];
        assert!((force / weight - 1.0).abs() < 1e-3, "{space}D {shape}: {force} N of {weight} N");
    }
}

/// A mesh lies on, or in, every rigid shape that can hold it, and is carried with its weight.
#[test]
fn a_mesh_lies_on_every_rigid_shape() {
    let floor = "vertices: [(-2, -2, 0), (2, -2, 0), (2, 2, 0), (-2, 2, 0)], triangles: [(0, 1, 2), (0, 2, 3)]";
    let shapes = [
        (2, "Plane(normal: (0, 1))".to_owned(), "(0, 0)", 0.0),
        (2, "Segment(from: (-1, 0), to: (1, 0), radius: 0.1)".to_owned(), "(0, 0)", 0.1),
        (2, "Box(size: (2, 0.2))".to_owned(), "(0, 0)", 0.1),
        (2, "Polygon(vertices: [(-1, 0), (1, 0), (0, -1)])".to_owned(), "(0, 0)", 0.0),
        (3, "Plane(normal: (0, 0, 1))".to_owned(), "(0, 0, 0)", 0.0),
        (3, "Box(size: (2, 2, 0.2))".to_owned(), "(0, 0, 0)", 0.1),
        (3, "Cylinder(radius: 1, length: 0.2)".to_owned(), "(0, 0, 0)", 0.1),
        (2, "HollowDisc(radius: 0.5, wall: 0.05)".to_owned(), "(0, 0)", -0.45),
        (3, "HollowSphere(radius: 0.5, wall: 0.05)".to_owned(), "(0, 0, 0)", -0.42),
        (3, "HollowCylinder(radius: 0.5, wall: 0.05, length: 0.6, closed: true)".to_owned(), "(0, 0, 0)", -0.3),
        (3, format!("Surface({floor})"), "(0, 0, 0)", 0.0),
    ];
    for (space, shape, at, top) in shapes {
        let (block, high) = if space == 2 {
            ("Mesh(of: Rectangle(size: (0.4, 0.2), cells: (4, 2), element: Q8))", format!("(-0.2, {top})"))
        } else {
            ("Mesh(of: Cuboid(size: (0.4, 0.3, 0.2), cells: (2, 2, 1), element: Hex20))", format!("(-0.2, -0.15, {top})"))
        };
        let bodies = format!(
            "(group: \"mesh\", material: \"m\", shape: {block}, at: {high}), (group: \"other\", material: \"r\", shape: {shape}, at: {at})"
        );
        let fixed = if shape.starts_with("Plane") { "" } else { "(on: \"other\", load: Fixed)" };
        let run = at_rest(space, &bodies, "Coulomb(friction: 0.5)", fixed, "");
        let weight = 10.0 * run.setup().bodies.mass[0];
        let force = carried(&run)[space - 1];
        assert!((force / weight - 1.0).abs() < 1e-3, "{space}D on {shape}: {force} N of {weight} N");
        let nodes = &run.meshes()[0].points;
        let deepest = nodes.iter().map(|p| depth_in(&shape, p, space)).fold(f64::NEG_INFINITY, f64::max);
        assert!(deepest.abs() < 1e-4, "{space}D on {shape}: a node of a block of 0.4 m is {deepest} m below the surface");
    }
}

/// How deep a point is below the surface that a mesh lies on, in [`a_mesh_lies_on_every_rigid_shape`] (m).
fn depth_in(shape: &str, p: &mpcd_core::Vec3, space: usize) -> f64 {
    let flat = |top: f64| top - p[space - 1];
    if shape.starts_with("HollowDisc") || shape.starts_with("HollowSphere") {
        p.norm() - 0.5
    } else if shape.starts_with("HollowCylinder") {
        // between the wall around and the lower cap
        (p.x.hypot(p.y) - 0.5).max(flat(-0.3))
    } else if shape.starts_with("Segment") || shape.starts_with("Box") || shape.starts_with("Cylinder") {
        flat(0.1)
    } else {
        flat(0.0)
    }
}

/// Under every law a block of cells at rest is carried with its weight, by a rigid floor and by another mesh.
#[test]
fn a_mesh_rests_under_every_law() {
    for law in [
        "Coulomb(friction: 0.3)",
        "StaticDynamic(friction: 0.3, sliding: 0.2)",
        "SlipWeakening(friction: 0.5, sliding: 0.3, distance: 0.01)",
        "VelocityWeakening(friction: 0.5, sliding: 0.3, speed: 0.1)",
        "Regularised(friction: 0.4, speed: 0.01)",
        "Convex(friction: 0.3)",
        "Elastic(stiffness: \"10 MN/m\", friction: 0.5)",
        "RaousCangemiCocouMonerie(normal_stiffness: 1e9, tangential_stiffness: 5e8, energy: 0.5, viscosity: 1e-3, friction: 0.4)",
        "MonerieAcary(normal_stiffness: 1e9, tangential_stiffness: 1e9, energy: 10, friction: 0.5)",
        "Bilinear(friction: 0.3, normal_stiffness: 1e9, tensile_strength: 1e5, energy: 100)",
        "Exponential(normal_stiffness: 1e9, tensile_strength: 1e5, energy: 100, friction: 0.5)",
        "Trapezoidal(normal_stiffness: 1e9, tensile_strength: 1e5, energy: 100, plateau: 0.3, friction: 0.4)",
        "Extrinsic(strength: 1e5, energy: 100, friction: 0.5)",
        "Capillary(force: 1, rupture: \"5 mm\", friction: 0.3)",
        "Lubrication(viscosity: 0.1, roughness: \"1 mm\", range: \"5 mm\", friction: 0.3)",
        "CoulombWithWear(friction: 0.3, coefficient: 1e-3, hardness: \"1 GPa\")",
    ] {
        for (space, other) in [
            (2, "Plane(normal: (0, 1))"),
            (2, "Mesh(of: Rectangle(size: (1, 0.2), cells: (7, 1), element: Q4)), at: (-0.5, -0.2)"),
            (3, "Plane(normal: (0, 0, 1))"),
        ] {
            let block = if space == 2 {
                "Mesh(of: Rectangle(size: (0.4, 0.2), cells: (4, 2), element: Q4)), at: (-0.2, 0)"
            } else {
                "Mesh(of: Cuboid(size: (0.4, 0.3, 0.2), cells: (2, 2, 1), element: Hex8)), at: (-0.2, -0.15, 0)"
            };
            let bodies = format!(
                "(group: \"mesh\", material: \"m\", shape: {block}), (group: \"other\", material: \"m\", shape: {other})"
            );
            let held = if other.starts_with("Mesh") { "(on: \"other.bottom\", load: Fixed)" } else { "" };
            let run = at_rest(space, &bodies, law, held, "");
            let weight = 10.0 * run.setup().bodies.mass[0];
            let force = carried(&run)[space - 1];
            assert!((force / weight - 1.0).abs() < 1e-3, "{space}D {law} on {other}: {force} N of {weight} N");
        }
    }
}

/// An elastic block between a floor and a stone that is drawn along with it: whatever solver is named, the motion is that of the default one.
#[test]
fn named_solvers_move_meshes_alike() {
    for space in [2, 3] {
        let moved = |more: &str| {
            let (block, stone, floor, drawn) = if space == 2 {
                (
                    "Mesh(of: Rectangle(size: (0.4, 0.2), cells: (4, 2), element: Q4)), at: (-0.2, 0)",
                    "Box(size: (0.3, 0.1)), at: (0, 0.25)",
                    "Plane(normal: (0, 1))",
                    "Force(x: 40)",
                )
            } else {
                (
                    "Mesh(of: Cuboid(size: (0.4, 0.3, 0.2), cells: (2, 2, 1), element: Hex8)), at: (-0.2, -0.15, 0)",
                    "Box(size: (0.3, 0.2, 0.1)), at: (0, 0, 0.25)",
                    "Plane(normal: (0, 0, 1))",
                    "Force(x: 8)",
                )
            };
            let down = if space == 2 { "(0, -10)" } else { "(0, 0, -10)" };
            let mut run = build(
                &format!(
                    "(dimension: {space}, gravity: {down}, time: (step: 2e-3, end: 1, theta: 1),\n\
                     materials: {{\"m\": (density: 1000, elastic: (young: 1e5, poisson: 0.2)), \"r\": (density: 1000)}},\n\
                     bodies: [(group: \"mesh\", material: \"m\", shape: {block}), (group: \"stone\", material: \"r\", shape: {stone}), (group: \"floor\", material: \"r\", shape: {floor})],\n\
                     interactions: [(between: (\"mesh\", \"floor\"), law: Coulomb(friction: 0.4)), (between: (\"mesh\", \"stone\"), law: Coulomb(friction: 0.6)), (between: (\"stone\", \"floor\"), law: NoContact)],\n\
                     loads: [(on: \"stone\", load: {drawn})], physics: [Contact({more})])"
                ),
                &[],
            );
            steps(&mut run, 40);
            displacement(&run)
        };
        let default = moved("");
        let size = default.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        assert!(size > 1e-4, "{size}");
        for solver in [
            "nlgs",
            "nlgs-accelerated",
            "nlgs-ac",
            "nsn-ac",
            "nsn-jm",
            "nsn-nm",
            "nsn-fb",
            "hybrid",
            "admm",
            "ipm",
            "prox-nsn",
            "quasi-nlgs",
        ] {
            let found = moved(&format!("solver: \"{solver}\", tolerance: 1e-7, max_iterations: 100000"));
            let apart = default.iter().zip(&found).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
            assert!(apart < 1e-4 * size, "{space}D {solver}: {apart:e} of {size:e} m");
        }
    }
}
