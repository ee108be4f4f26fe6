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
pub(crate) fn range(mesh: &MeshView, name: &str, component: usize) -> (f64, f64) {
    let each = mesh.arrays.iter().find(|a| a.name == name).unwrap().components;
    let of = || array(mesh, name).chunks_exact(each).map(|v| v[component]);
    (of().fold(f64::INFINITY, f64::min), of().fold(f64::NEG_INFINITY, f64::max))
}

/// Sum of the impulses on the candidates, world axes.
pub(crate) fn impulse(network: &ContactNetwork) -> mpcd_core::Vec3 {
    network.iter().map(|c| c.frame.to_world(&c.r)).sum()
}

/// A block with damping by mass α flies: V (1 + αhθ) = V₀ (1 − αh(1 − θ)) in each step, and its drag stands in the balance of momentum. Falling on a floor
/// the balances close as well.
#[test]
fn drag_by_mass_stands_in_the_balances() {
    for (gravity, speed) in [("(0, 0)", 1.0), ("(0, -10)", 0.5)] {
        let mut run = build(
            &format!(
                r#"(dimension: 2, gravity: {gravity}, time: (step: "1 ms", end: 0.05, theta: 0.5),
  materials: {{"m": (density: 1000, elastic: (young: "100 MPa", poisson: 0.3), solid: (mass_damping: 50)), "f": (density: 1000)}},
  bodies: [
    (group: "block", material: "m", shape: Mesh(of: Rectangle(size: (0.2, 0.2), cells: (4, 4), element: Q4)), at: (0, 0), velocity: ({speed}, 0)),
    (group: "floor", material: "f", shape: Plane(normal: (0, 1))),
  ],
  interactions: [(between: ("block", "floor"), law: Coulomb(friction: 0.3))],
  physics: [Contact(tolerance: 1e-9)],
  output: (probes: [(name: "vx", of: "velocity", component: X, group: "block")]))"#
            ),
            &[],
        );
        steps(&mut run, 20);
        for book in [mpcd_core::Book::Momentum, mpcd_core::Book::Energy] {
            let worst = run.books().account(book).unwrap().worst;
            assert!(worst < 1e-10, "gravity {gravity}: {} open by {worst:e}", book.name());
        }
        if speed == 1.0 {
            let outcome = run.step().unwrap();
            let vx = crate::granular::column(&run, &outcome, "vx").unwrap();
            let want = (0.975_f64 / 1.025).powi(21);
            assert!((vx / want - 1.0).abs() < 1e-9, "{vx} {want}");
        }
    }
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

/// A bar of steel, 1 m long and of 3.14 cm², at 0.1 m/s and 50 µm from a rigid wall: it strikes after 5.0e-4 s, touches for 2L/c = 3.85450e-4 s with a mean force of
/// 1270.827 N, and leaves at the speed with which it came and undeformed but for vibrations of the mesh.
#[test]
fn v08_a_bar_strikes_a_wall_from_a_gap() {
    let step = 5e-7;
    for (dimension, mesh, at, normal, velocity) in [
        (
            2,
            "Mesh(of: Rectangle(size: (1, 0.01), cells: (200, 1), element: Q4), plane: PlaneStress, thickness: 0.0314)",
            "(5e-5, 0)",
            "(1, 0)",
            "(-0.1, 0)",
        ),
        (
            3,
            "Mesh(of: Cuboid(size: (1, 0.01, 0.0314), cells: (200, 1, 1), element: Hex8))",
            "(5e-5, 0, 0)",
            "(1, 0, 0)",
            "(-0.1, 0, 0)",
        ),
    ] {
        let mut run = build(
            &format!(
                r#"(dimension: {dimension}, time: (step: {step}, end: 2e-3, theta: 0.5),
  materials: {{"m": (density: 7800, elastic: (young: 210e9, poisson: 0))}},
  bodies: [
    (group: "bar", material: "m", shape: {mesh}, at: {at}, velocity: {velocity}),
    (group: "wall", material: "m", shape: Plane(normal: {normal})),
  ],
  interactions: [(between: ("bar", "wall"), law: Coulomb(friction: 0))],
  physics: [Contact(tolerance: 1e-9)])"#
            ),
            &[],
        );
        let (mut given, mut time, mut first) = (0.0, 0.0, None);
        for k in 1..=2000 {
            run.step().unwrap();
            let push = impulse(run.world().network).x;
            given += push;
            if push > 0.0 {
                time += step;
                first.get_or_insert(f64::from(k) * step);
            }
        }
        let struck = first.unwrap();
        let told = format!("{dimension}D: struck at {struck:e} s, for {time:e} s with {} N; impulse {given} N s", given / time);
        assert!((struck / 5.0e-4 - 1.0).abs() < 2e-3 && (time / 3.854_50e-4 - 1.0).abs() < 5e-3, "{told}");
        assert!((given / time / 1270.827 - 1.0).abs() < 5e-3, "{told}");
        let mass = 7800.0 * 3.14e-4;
        let speed = run.world().kinematics.velocity[0].x;
        assert!((given / (mass * (0.1 + speed)) - 1.0).abs() < 1e-6, "{told}, {speed} m/s");
        assert!((speed / 0.1 - 1.0).abs() < 0.01, "{told}, {speed} m/s");
        let mesh = &run.meshes()[0];
        let ends = ["left", "right"].map(|part| {
            let nodes = mesh.topology.part(part).unwrap();
            nodes.iter().map(|n| mesh.points[*n].x).sum::<f64>() / nodes.len() as f64
        });
        // in contact it is shorter by v₀ L/c, 1.9e-5 m
        assert!((ends[1] - ends[0] - 1.0).abs() < 3e-6, "{told}, {} m long", ends[1] - ends[0]);
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

/// Two blocks whose meshes do not match under a pressure: the stress is the same everywhere, whichever lies below, for every kind of cell.
#[test]
fn contact_patch_test() {
    let plane = [
        ("(7, 3)", "Q4", "(5, 4)", "Q4"),
        ("(3, 2)", "Q4", "(8, 2)", "T3"),
        ("(4, 2)", "Q4", "(4, 2)", "Q4"),
        ("(3, 2)", "Q8", "(5, 4)", "Q4"),
        ("(5, 2)", "Q8", "(3, 4)", "T6"),
        ("(3, 2)", "T6", "(5, 2)", "T3"),
    ];
    let space = [
        ("(3, 2, 3)", "Hex8", "(2, 2, 2)", "Hex8"),
        ("(3, 1, 2)", "Tet4", "(2, 1, 3)", "Hex8"),
        ("(2, 1, 3)", "Hex20", "(3, 1, 2)", "Hex8"),
        ("(2, 1, 1)", "Tet10", "(1, 1, 2)", "Hex20"),
    ];
    for (dimension, (a, of_a, b, of_b)) in plane.map(|c| (2, c)).into_iter().chain(space.map(|c| (3, c))) {
        let (shape, size, up, more) = if dimension == 2 {
            ("Rectangle", "(1, 0.5)", "(0, 0.5)", "")
        } else {
            let back = r#"(on: "low.back", load: Locked(axes: [Z])), (on: "high.back", load: Locked(axes: [Z])),"#;
            ("Cuboid", "(1, 0.5, 1)", "(0, 0.5, 0)", back)
        };
        let mut run = build(
            &format!(
                r#"(dimension: {dimension}, time: (step: 0.1, end: 10, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e6, poisson: 0.3))}},
  bodies: [
    (group: "low", material: "m", shape: Mesh(of: {shape}(size: {size}, cells: {a}, element: {of_a}))),
    (group: "high", material: "m", shape: Mesh(of: {shape}(size: {size}, cells: {b}, element: {of_b})), at: {up}),
  ],
  interactions: [(between: ("low", "high"), law: Coulomb(friction: 0))],
  loads: [(on: "low.bottom", load: Locked(axes: [Y])), (on: "low.left", load: Locked(axes: [X])), {more}
    (on: "high.left", load: Locked(axes: [X])), (on: "high.top", load: Pressure(pressure: 1000))],
  physics: [Contact(tolerance: 1e-8)])"#
            ),
            &[],
        );
        steps(&mut run, 40);
        for mesh in run.meshes() {
            let (low, high) = range(&mesh, "stress", 4);
            let off = (low + 1000.0).abs().max((high + 1000.0).abs());
            assert!(off < 0.1, "{of_a} {a} under {of_b} {b}: {low} to {high}");
        }
    }
}

/// Mode I, meshes that do not match: what the drive gives until nothing holds any more is the energy of the bond times its area; the force never
/// exceeds the strength times the area; every bond breaks; the two halves are at rest afterwards but for what θ left.
#[test]
fn a_bonded_interface_opens_with_its_energy() {
    for (dimension, a, b, area) in [
        (
            2,
            "Rectangle(size: (0.1, 0.05), cells: (7, 3), element: Q4)",
            "Rectangle(size: (0.1, 0.05), cells: (5, 4), element: Q4)",
            0.1,
        ),
        (
            2,
            "Rectangle(size: (0.1, 0.05), cells: (4, 2), element: Q8)",
            "Rectangle(size: (0.1, 0.05), cells: (16, 2), element: T3)",
            0.1,
        ),
        (
            3,
            "Cuboid(size: (0.1, 0.05, 0.1), cells: (3, 2, 3), element: Hex8)",
            "Cuboid(size: (0.1, 0.05, 0.1), cells: (2, 2, 2), element: Hex8)",
            0.01,
        ),
    ] {
        let (zero, up) = if dimension == 2 { ("(0, 0)", "(0, 0.05)") } else { ("(0, 0, 0)", "(0, 0.05, 0)") };
        let z = if dimension == 2 { "" } else { "z: 0, " };
        let mut run = build(
            &format!(
                r#"(dimension: {dimension}, time: (step: 2e-5, end: 1, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: 0))}},
  bodies: [
    (group: "low", material: "m", shape: Mesh(of: {a}), at: {zero}),
    (group: "high", material: "m", shape: Mesh(of: {b}), at: {up}),
  ],
  interactions: [(between: ("low", "high"), law: Bilinear(normal_stiffness: 1e10, tensile_strength: 1e5, energy: 50, friction: 0))],
  loads: [(on: "low.bottom", load: Fixed), (on: "high.top", load: Velocity(x: 0, {z}y: 0.1))],
  physics: [Contact(tolerance: 1e-8)])"#
            ),
            &[],
        );
        let (mut work, mut most): (f64, f64) = (0.0, 0.0);
        for _ in 0..600 {
            run.step().unwrap();
            let pulled = run.world().network.iter().map(|c| c.frame.to_world(&c.r).y).sum::<f64>().abs() / 2e-5;
            work += pulled * 0.1 * 2e-5;
            most = most.max(pulled);
        }
        assert!((work / (50.0 * area) - 1.0).abs() < 0.01, "{a}: {work} J of {} J", 50.0 * area);
        assert!(most < 1.001e5 * area && most > 0.99e5 * area, "{a}: {most} N of {} N", 1e5 * area);
        assert!(run.world().network.iter().all(|c| c.r.norm() == 0.0), "{a} still holds");
    }
}

/// An elastic block that slides down an incline of angle α with friction μ < tan α has the acceleration g (sin α − μ cos α) of a rigid one; with
/// μ > tan α it stays.
#[test]
fn an_elastic_block_slides_down() {
    for (friction, slides) in [(0.2, true), (0.8, false)] {
        let (sin, cos) = (0.5_f64, 0.75_f64.sqrt());
        let mut run = build(
            &format!(
                r#"(dimension: 2, gravity: ({}, {}), time: (step: 1e-3, end: 2, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e8, poisson: 0.3))}},
  bodies: [
    (group: "block", material: "m", shape: Mesh(of: Rectangle(size: (0.2, 0.1), cells: (6, 3), element: Q8))),
    (group: "plane", material: "m", shape: Plane(normal: (0, 1))),
  ],
  interactions: [(between: ("block", "plane"), law: Coulomb(friction: {friction}))],
  physics: [Contact(tolerance: 1e-8)])"#,
                10.0 * sin,
                -10.0 * cos
            ),
            &[],
        );
        steps(&mut run, 500);
        let speed = run.world().kinematics.velocity[0].x;
        let expected = if slides { 10.0 * (sin - friction * cos) * 0.5 } else { 0.0 };
        assert!((speed - expected).abs() < 2e-3, "μ = {friction}: {speed} m/s of {expected} m/s");
        let force = impulse(run.world().network).norm() / 1e-3;
        let weight = 20.0 * 10.0;
        let carried = if slides { weight * cos * (1.0 + friction * friction).sqrt() } else { weight };
        assert!((force / carried - 1.0).abs() < 5e-3, "μ = {friction}: {force} N of {carried} N");
    }
}

/// A ball much smaller than the facets it rolls on, and one much larger: both go from sliding to rolling at 5/7 of their speed, and are carried.
#[test]
fn balls_small_and_large_roll_on_a_mesh() {
    for (radius, cells) in [(0.02, 2), (0.3, 12)] {
        let mass = 4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius * 1000.0;
        let mut run = build(
            &format!(
                r#"(dimension: 3, gravity: (0, -10, 0), time: (step: 1e-3, end: 2, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: 0.3))}},
  bodies: [
    (group: "block", material: "m", shape: Mesh(of: Cuboid(size: (1, 0.2, 1), cells: ({cells}, 1, {cells}), element: Hex8)), at: (-0.4, -0.2, -0.45)),
    (group: "ball", material: "m", shape: Sphere(radius: {radius}), at: (0, {radius}, 0), velocity: (0.2, 0, 0.1)),
  ],
  interactions: [(between: ("block", "ball"), law: Coulomb(friction: 0.4))],
  loads: [(on: "block.bottom", load: Fixed)],
  physics: [Contact()])"#
            ),
            &[],
        );
        let mut carried = 0.0;
        for k in 0..400 {
            run.step().unwrap();
            carried += if k < 200 { 0.0 } else { impulse(run.world().network).y.abs() };
        }
        let v = run.world().kinematics.velocity[1];
        assert!((v.x - 0.2 * 5.0 / 7.0).abs() < 3e-3 && (v.z - 0.1 * 5.0 / 7.0).abs() < 3e-3, "radius {radius}: {v:?}");
        assert!((carried / (mass * 10.0 * 0.2) - 1.0).abs() < 0.02, "radius {radius}: {carried} of {}", mass * 2.0);
    }
}

/// Nothing is in the way of what slides over a flat surface without friction: not the nodes of a mesh, not the joint of two flush boxes, nor their
/// corners when a node comes to lie on them to the last bit.
#[test]
fn nothing_is_in_the_way_on_flat_ground() {
    let boxes = r#"(group: "base", material: "m", shape: Box(size: (2.6, 0.5)), at: (0, -0.25)),
    (group: "base", material: "m", shape: Box(size: (2.6, 0.5)), at: (2.6, -0.25))"#;
    let mesh = r#"(group: "base", material: "m", shape: Mesh(of: Rectangle(size: (4.5, 0.5), cells: (11, 2), element: Q4)), at: (-1, -0.5))"#;
    for (ground, hold, moving) in [
        (boxes, r#"(on: "base", load: Fixed)"#, "Mesh(of: Rectangle(size: (1, 0.3), cells: (6, 2), element: Q4)), at: (0, 0)"),
        (
            mesh,
            r#"(on: "base.bottom", load: Fixed)"#,
            "Mesh(of: Rectangle(size: (1, 0.3), cells: (4, 2), element: Q8)), at: (0, 0)",
        ),
        (mesh, r#"(on: "base.bottom", load: Fixed)"#, "Box(size: (1, 0.3)), at: (0.5, 0.15)"),
    ] {
        let mut run = build(
            &format!(
                r#"(dimension: 2, gravity: (0, -10), time: (step: 2e-3, end: 2, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e8, poisson: 0.2))}},
  bodies: [(group: "block", material: "m", shape: {moving}, velocity: (1, 0)), {ground}],
  interactions: [(between: ("block", "base"), law: Coulomb(friction: 0)), (between: ("base", "base"), law: NoContact)],
  loads: [{hold}], physics: [Contact()])"#
            ),
            &[],
        );
        steps(&mut run, 500);
        let v = run.world().kinematics.velocity[0].x;
        assert!((v - 1.0).abs() < 2e-3, "{moving} on {ground}: {v} m/s");
    }
}

/// Bodies with curved surfaces lie on facets larger than themselves: a cylinder on its side, an ellipsoid, the tip of a surface.
#[test]
fn curved_bodies_lie_on_coarse_meshes() {
    for (shape, turn, height) in [
        ("Cylinder(radius: 0.1, length: 0.3)", ", rotation: ((0, 1, 0), 1.5707963267948966)", 0.1),
        ("Ellipsoid(radii: (0.15, 0.12, 0.1))", "", 0.1),
        ("Capsule(radius: 0.1, length: 0.4)", "", 0.1),
    ] {
        let mut run = build(
            &format!(
                r#"(dimension: 3, gravity: (0, 0, -10), time: (step: 2e-3, end: 2, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: 0.2))}},
  bodies: [(group: "lying", material: "m", shape: {shape}, at: (0.03, 0.02, {height}){turn}),
    (group: "base", material: "m", shape: Mesh(of: Cuboid(size: (2, 2, 0.5), cells: (2, 2, 1), element: Hex8)), at: (-0.9, -1.1, -0.5))],
  interactions: [(between: ("lying", "base"), law: Coulomb(friction: 0.5))],
  loads: [(on: "base.back", load: Fixed)], physics: [Contact()])"#
            ),
            &[],
        );
        steps(&mut run, 200);
        let z = run.world().kinematics.position[0].z;
        assert!((z - height).abs() < 2e-4, "{shape}: {z} of {height}");
        let weight = 10.0 * run.setup().bodies.mass[0];
        let force = impulse(run.world().network).z.abs() / 2e-3;
        assert!((force / weight - 1.0).abs() < 1e-3, "{shape}: {force} N of {weight} N");
    }
}

/// A stiff plate under a uniform pressure: the default tolerance gives the stress, not the rigid motion alone.
#[test]
fn stress_in_stiff_bodies_by_default() {
    for h in [1e-2, 1e-3] {
        let mut run = build(
            &format!(
                r#"(dimension: 2, time: (step: {h}, end: 2, theta: 1),
  materials: {{"steel": (density: 7800, elastic: (young: 2.1e11, poisson: 0))}},
  bodies: [(group: "plate", material: "steel", shape: Mesh(of: Rectangle(size: (1, 0.5), cells: (8, 4), element: Q4))),
    (group: "table", material: "steel", shape: Box(size: (2, 0.2)), at: (0.5, -0.1))],
  interactions: [(between: ("plate", "table"), law: Coulomb(friction: 0.3))],
  loads: [(on: "table", load: Fixed), (on: "plate.top", load: Pressure(pressure: Ramp(from: 0, to: 1e6, start: 0, end: 0.1)))],
  physics: [Contact()])"#
            ),
            &[],
        );
        steps(&mut run, (0.2 / h) as usize);
        let (low, high) = range(&run.meshes()[0], "stress", 4);
        assert!((low + 1e6).abs() < 1e4 && (high + 1e6).abs() < 1e4, "h = {h}: {low} to {high}");
    }
}

/// Sides that are held where they touch what does not move are carried by their supports.
#[test]
fn a_held_side_on_the_floor() {
    let mut run = build(
        r#"(dimension: 2, gravity: (0, -10), time: (step: 1e-3, end: 1, theta: 1),
  materials: {"m": (density: 1000, elastic: (young: 1e7, poisson: 0.2))},
  bodies: [(group: "block", material: "m", shape: Mesh(of: Rectangle(size: (1, 1), cells: (3, 3), element: Q4))),
    (group: "floor", material: "m", shape: Plane(normal: (0, 1)))],
  interactions: [(between: ("block", "floor"), law: Coulomb(friction: 0.3))],
  loads: [(on: "block.left", load: Fixed)], physics: [Contact()])"#,
        &[],
    );
    steps(&mut run, 600);
    let meshes = run.meshes();
    let sum = |name: &str| array(&meshes[0], name).chunks_exact(3).map(|v| v[1]).sum::<f64>();
    assert!(
        ((sum("reaction") + sum("contact_force")) / 1e4 - 1.0).abs() < 0.05,
        "{} and {}",
        sum("reaction"),
        sum("contact_force")
    );
}

/// What deformable bodies cannot do is said by name.
#[test]
fn what_meshes_cannot_do_is_refused() {
    let model = |bodies: &str, law: &str, more: &str, physics: &str| {
        format!(
            r#"(dimension: 2, time: (step: 1e-3, end: 1), {more}
  materials: {{"m": (density: 1000, elastic: (young: 1e8, poisson: 0.3)), "bare": (density: 1000)}},
  bodies: [(group: "floor", material: "m", shape: Plane(normal: (0, 1))), {bodies}],
  interactions: [(between: ("block", "floor"), law: {law})], physics: [{physics}])"#
        )
    };
    let block = r#"(group: "block", material: "m", shape: Mesh(of: Rectangle(size: (1, 1), cells: (2, 2))))"#;
    let plain = "Coulomb(friction: 0)";
    for (text, words) in [
        (model(&block.replace("\"m\"", "\"bare\""), plain, "", "Contact()"), "has no `elastic` constants"),
        (model(&block.replace("(2, 2)", "(0, 2)"), plain, "", "Contact()"), "number of cells"),
        (model(block, plain, r#"loads: [(on: "block.lft", load: Fixed)],"#, "Contact()"), "unknown group of the mesh `lft`"),
        (model(block, plain, r#"loads: [(on: "block", load: Pressure(pressure: 1))],"#, "Contact()"), "no side is named"),
        (model(block, plain, r#"loads: [(on: "floor.top", load: Fixed)],"#, "Contact()"), "has rigid bodies"),
        (model(block, plain, r#"loads: [(on: "block.top", load: Velocity(spin_z: 1))],"#, "Contact()"), "nodes have no rotation"),
        (model(block, "Poisson(restitution: 0.5, friction: 0)", "", "Contact()"), "phases of impact"),
        (model(block, "MohrCoulomb(friction: 0.5, tensile_strength: 1000)", "", "Contact()"), "bonds without giving way"),
        (
            model(
                block,
                plain,
                r#"loads: [(on: "block.left", load: Fixed), (on: "block.left", load: Velocity(x: 1))],"#,
                "Contact()",
            ),
            "in two ways",
        ),
        (model(block, plain, "periodic: (x: 10),", "Contact()"), "no periodic cell"),
        (model(block, plain, "", "Contact(scheme: Explicit())"), "moves rigid bodies only"),
    ] {
        let parsed = mpcd_sim::Model::parse_with(&text, "m", "m.ron", std::path::Path::new("."), &[], &mpcd::shapes());
        let built = parsed.and_then(|m| Simulation::build(&m, &<mpcd::Registry as mpcd::StandardRegistry>::standard()));
        let said = built.map(|_| ()).expect_err(&text).to_string();
        assert!(said.contains(words), "{said}\nhas no `{words}`");
    }
}

/// A mesh that lies deep in another one, or a ball in a mesh, is told before the run: it would find no way out.
#[test]
fn meshes_that_lie_in_each_other_are_refused() {
    let text = |other: &str| {
        format!(
            r#"(dimension: 2, time: (step: 1e-3, end: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e8, poisson: 0.3))}},
  bodies: [(group: "a", material: "m", shape: Mesh(of: Rectangle(size: (1, 1), cells: (2, 2)))), (group: "b", material: "m", {other})],
  interactions: [(between: ("a", "b"), law: Coulomb(friction: 0))], physics: [Contact()])"#
        )
    };
    let built = |text: &str| {
        let model = mpcd_sim::Model::parse_with(text, "m", "m.ron", std::path::Path::new("."), &[], &mpcd::shapes())?;
        Simulation::build(&model, &<mpcd::Registry as mpcd::StandardRegistry>::standard())
    };
    for inside in [
        "shape: Mesh(of: Rectangle(size: (1, 1), cells: (3, 3))), at: (0.3, 0.6)",
        "shape: Mesh(of: Rectangle(size: (0.2, 0.2), cells: (1, 1))), at: (0.4, 0.4)",
        "shape: Disc(radius: 0.1), at: (0.5, 0.5)",
        "shape: Mesh(of: Rectangle(size: (1, 1), cells: (2, 2)))",
        "shape: Mesh(of: Rectangle(size: (1, 1), cells: (2, 2))), at: (0.001, 0)",
    ] {
        let said = built(&text(inside)).map(|_| ()).expect_err(inside).to_string();
        assert!(said.contains("deep in"), "{said}");
    }
    for beside in [
        "shape: Mesh(of: Rectangle(size: (1, 1), cells: (3, 3))), at: (0.3, 1)",
        "shape: HollowDisc(radius: 2, wall: 0.1), at: (0.5, 0.5)",
        "shape: Disc(radius: 0.1), at: (0.5, 1.1)",
    ] {
        built(&text(beside)).map(|_| ()).unwrap_or_else(|e| panic!("{beside}: {e}"));
    }
}
