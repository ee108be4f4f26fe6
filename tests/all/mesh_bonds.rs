//! Interfaces between meshes: energy, mode and mesh; a crack that runs along a beam.

use crate::deformable::impulse;
use crate::granular::build;
use mpcd_core::{Book, MeshQuantity, Vec3};

/// What a drive of `high.top` with this velocity gives until nothing holds any more (J), by the forces that the interface carries.
fn work(a: &str, b: &str, [x, y]: [f64; 2], (step, steps): (f64, usize)) -> f64 {
    let mut run = build(
        &format!(
            r#"(dimension: 2, time: (step: {step}, end: 1, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: 0))}},
  bodies: [
    (group: "low", material: "m", shape: Mesh(of: Rectangle(size: (0.1, 0.05), {a}))),
    (group: "high", material: "m", shape: Mesh(of: Rectangle(size: (0.1, 0.05), {b})), at: (0, 0.05)),
  ],
  interactions: [(between: ("low", "high"),
    law: Bilinear(normal_stiffness: 1e10, tensile_strength: 1e5, energy: 50, shear_energy: 100, friction: 0))],
  loads: [(on: "low.bottom", load: Fixed), (on: "high.top", load: Velocity(x: {x}, y: {y}))],
  physics: [Contact(tolerance: 1e-8, watch: (turn: Warn))])"#
        ),
        &[],
    );
    let mut work = 0.0;
    for _ in 0..steps {
        run.step().unwrap();
        work += impulse(run.world().network).dot(&Vec3::new(x, y, 0.0)).abs();
    }
    let left = impulse(run.world().network).norm() / step;
    assert!(left < 1e-3 * 1e5 * 0.1, "{a} on {b}, ({x}, {y}): {left} N still hold");
    work
}

/// Modes I, II and both at once (equal openings: 1/G = ½/G_I + ½/G_II), on meshes that do not match, from two cells to twenty.
#[test]
fn interfaces_take_their_energy_in_every_mode_on_every_mesh() {
    let modes = [([0.0, 0.1], 50.0), ([0.1, 0.0], 100.0), ([0.1, 0.1], 1.0 / (0.5 / 50.0 + 0.5 / 100.0))];
    for (velocity, energy) in modes {
        for (a, b) in [
            ("cells: (2, 1), element: Q4", "cells: (3, 2), element: Q4"),
            ("cells: (7, 3), element: Q4", "cells: (5, 4), element: T3"),
            ("cells: (4, 2), element: Q8", "cells: (7, 2), element: T6"),
            ("cells: (20, 2), element: Q4", "cells: (23, 2), element: Q4"),
        ] {
            let found = work(a, b, velocity, (1e-4, 230)) / 0.1;
            assert!((found / energy - 1.0).abs() < 0.03, "{velocity:?}, {a} on {b}: {found} J/m² of {energy}");
        }
    }
}

/// A bond of `MonerieAcary` between five cells and seven of all but rigid meshes, C = 1e12 Pa/m, w = 100 J/m², driven along y: traction (Pa), 1 − `damage` and the opening (m)
/// after each step.
fn opened(viscosity: &str, drive: &str, (step, steps): (f64, usize)) -> Vec<(f64, f64, f64)> {
    let mut run = build(
        &format!(
            r#"(dimension: 2, time: (step: {step}, end: 1000, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e16, poisson: 0))}},
  bodies: [
    (group: "low", material: "m", shape: Mesh(of: Rectangle(size: (0.1, 0.05), cells: (5, 2), element: Q4))),
    (group: "high", material: "m", shape: Mesh(of: Rectangle(size: (0.1, 0.05), cells: (7, 2), element: Q4)), at: (0, 0.05)),
  ],
  interactions: [(between: ("low", "high"),
    law: MonerieAcary(normal_stiffness: 1e12, tangential_stiffness: 1e12, energy: 100, friction: 0{viscosity}))],
  loads: [(on: "low.bottom", load: Fixed), (on: "high.top", load: Velocity(x: 0, y: {drive}))],
  physics: [Contact(tolerance: 1e-10)])"#
        ),
        &[],
    );
    let mut out = Vec::new();
    for _ in 0..steps {
        run.step().unwrap();
        let traction = impulse(run.world().network).y.abs() / step / 0.1;
        let damage = run.field("damage").unwrap();
        let [least, most] = [f64::min, f64::max].map(|of| damage.iter().copied().reduce(of).unwrap());
        assert!(most - least < 1e-6, "damage of {least} to {most}");
        let meshes = run.meshes_with(&[MeshQuantity::ContactPressure]);
        for (mesh, side) in meshes.iter().zip(["top", "bottom"]) {
            let nodes = mesh.topology.part(side).unwrap();
            let pulled = nodes.iter().map(|n| -mesh.arrays[0].values[*n]);
            let off = pulled.map(|p| (p - traction).abs()).fold(0.0, f64::max);
            assert!(traction < 1.0 || off < 1e-4 * traction, "{side}: off by {off} Pa of a pull of {traction}");
        }
        let height = |k: usize, side: &str| meshes[k].points[meshes[k].topology.part(side).unwrap()[0]].y;
        out.push((traction, 1.0 - most, height(1, "bottom") - height(0, "top")));
    }
    out
}

/// R = β² C u, β = min(1, w/(C u²)): 10 MPa at 10 µm, 1.25 MPa at 20 µm and 0.08 MPa at 50 µm; back from 20 µm along the secant β² C; w to separation.
#[test]
fn v09_a_bond_between_meshes_that_do_not_match_softens_as_monerie_and_acary_say() {
    // 0.1 µm a step
    let found = opened("", "1e-4", (1e-3, 500));
    let at = |steps: usize| found[steps - 1];
    for (steps, opening, traction) in [(100, 10e-6, 10e6), (200, 20e-6, 1.25e6), (500, 50e-6, 0.08e6)] {
        let (pull, beta, u) = at(steps);
        assert!((u / opening - 1.0).abs() < 1e-4, "{u} m");
        assert!((pull / traction - 1.0).abs() < 5e-4, "{u} m: {pull} Pa of {traction}, β {beta}");
        assert!((beta - (100.0 / (1e12 * u * u)).min(1.0)).abs() < 1e-5, "{u} m: β {beta}");
    }
    let peak = found.iter().map(|f| f.0).fold(0.0, f64::max);
    assert!((peak / 10e6 - 1.0).abs() < 5e-4, "{peak} Pa");
    let mut work = 0.0;
    for pair in found.windows(2) {
        work += 0.5 * (pair[0].0 + pair[1].0) * (pair[1].2 - pair[0].2);
    }
    // what is left beyond is w/2 (u₀/u)²
    assert!((work + 2.0 - 100.0).abs() < 0.01, "{work} J/m² to 50 µm");
    // to 20 µm, back to 5 µm and on to 20 µm again
    let back =
        opened("", "Table([(0, 1e-4), (0.2, 1e-4), (0.2005, -1e-4), (0.35, -1e-4), (0.3505, 1e-4), (1000, 1e-4)])", (1e-3, 500));
    for (k, (pull, beta, u)) in back.iter().enumerate().skip(201).take(297) {
        let secant = beta * beta * 1e12 * u;
        assert!((pull - secant).abs() < 1e-4 * 1.25e6, "step {k}, {u} m: {pull} Pa, the secant {secant}");
        assert!((beta - 0.25).abs() < 1e-4, "step {k}, {u} m: β {beta}");
    }
}

/// With a viscosity of b = 1e-3 a bond that is held at twice u₀ goes to β = ¼, and to no less.
#[test]
fn v09_a_viscous_bond_between_meshes_is_held_at_twice_u0() {
    let found = opened(", viscosity: 1e-3", "Table([(0, 1), (20e-6, 1), (20.5e-6, 0), (1000, 0)])", (1e-6, 120));
    assert!(found.windows(2).all(|pair| pair[1].1 <= pair[0].1 + 1e-12), "β rises");
    let (pull, beta, u) = found[119];
    assert!((u / 20e-6 - 1.0).abs() < 1e-4, "{u} m");
    assert!((beta - 0.25).abs() < 1e-5 && (pull / 1.25e6 - 1.0).abs() < 1e-4, "β {beta}, {pull} Pa");
    // when it comes there β is behind
    assert!(found[19].1 > 0.35, "{}", found[19].1);
}

/// Double cantilever beam: arms of bending stiffness EI, width b, pulled 2w apart at the end. As long as the crack runs,
/// `P = √((G b)^{3/2} (EI)^{1/2}/(3 w))`, wherever it begins (beam theory: w = P a³/(3 EI), G = P² a²/(b EI)).
#[test]
fn a_crack_runs_along_a_beam() {
    let (young, width, height, energy): (f64, f64, f64, f64) = (70e9, 0.02, 0.003, 250.0);
    let mut run = build(
        &format!(
            r#"(dimension: 2, time: (step: 0.01, end: 1, theta: 1),
  materials: {{"al": (density: 2700, elastic: (young: {young}, poisson: 0))}},
  bodies: [
    (group: "low", material: "al", shape: Mesh(of: Rectangle(size: (0.08, {height}), cells: (32, 1), element: Q8), plane: PlaneStress, thickness: {width}), at: (0, -{height})),
    (group: "high", material: "al", shape: Mesh(of: Rectangle(size: (0.08, {height}), cells: (29, 1), element: Q8), plane: PlaneStress, thickness: {width})),
  ],
  interactions: [(between: ("low", "high"), law: Bilinear(normal_stiffness: 1e14, tensile_strength: 20e6, energy: {energy}, friction: 0))],
  loads: [(on: "low.right", load: Locked(axes: [X])), (on: "high.right", load: Locked(axes: [X])),
    (on: "low.left", load: Velocity(y: -0.006)), (on: "high.left", load: Velocity(y: 0.006))],
  physics: [Contact(watch: (turn: Warn))])"#
        ),
        &[],
    );
    let stiffness = young * width * height * height * height / 12.0;
    let (mut sum, mut count) = (0.0, 0.0);
    for step in 1..=14 {
        run.step().unwrap();
        let force = impulse(run.world().network).y.abs() / 0.01;
        let opening = 0.006 * 0.01 * f64::from(step);
        let theory = ((energy * width).powf(1.5) * stiffness.sqrt() / (3.0 * opening)).sqrt();
        if step > 5 {
            // The crack goes from node to node.
            assert!((force / theory - 1.0).abs() < 0.08, "{opening} m: {force} N of {theory} N");
            (sum, count) = (sum + force / theory, count + 1.0);
        }
    }
    let mean = sum / count;
    assert!((mean - 1.0).abs() < 0.02, "mean force over theory {mean}");
}

/// A soft bar on a stiff, brittle interface: when the bond begins to fail, the bar has σ²L/2E per area stored, fifty times what the interface can take (G), so
/// that statics would have to run back. Steps cut by the change of the damage follow the interface to its end, and it takes G A; whole steps find it broken.
#[test]
fn steps_are_cut_where_an_interface_snaps() {
    let (energy, area) = (5.0, 0.1);
    let taken = |time: &str, element: &str, other: &str| {
        let mut run = build(
            &format!(
                r#"(dimension: 2, time: (step: "5 ms", end: "0.6 s", theta: 1, {time}),
  materials: {{"m": (density: 1000, elastic: (young: "10 MPa", poisson: 0))}},
  bodies: [
    (group: "low", material: "m", shape: Mesh(of: Rectangle(size: (0.1, 0.05), {other}))),
    (group: "high", material: "m", shape: Mesh(of: Rectangle(size: (0.1, 0.5), {element})), at: (0, 0.05))],
  interactions: [(between: ("low", "high"), law: Bilinear(normal_stiffness: 1e10, tensile_strength: 1e5, energy: {energy}, friction: 0))],
  loads: [(on: "low", load: Fixed), (on: "high.top", load: Velocity(x: 0, y: 0.01))],
  physics: [Contact()])"#
            ),
            &[],
        );
        let (mut strongest, mut highest): (f64, f64) = (0.0, 0.0);
        let mut before = 0.0;
        while !run.finished() {
            let outcome = run.step().unwrap();
            strongest = strongest.max(impulse(run.world().network).y.abs() / outcome.h);
            let damage = run.field("damage").unwrap().iter().fold(0.0_f64, |a, b| a.max(*b));
            assert!(damage >= before || damage == 0.0, "β heals: {before} to {damage}");
            (before, highest) = (damage, highest.max(damage));
        }
        assert!((strongest / (1e5 * area) - 1.0).abs() < 0.02, "{strongest} N");
        assert!(highest > 0.99, "{highest}");
        -run.books().account(Book::Energy).unwrap().flow("cohesion").unwrap().x / (energy * area)
    };
    let cut = r#"adapt: (halvings: 16, change: [(field: "damage", by: 0.005)])"#;
    for (high, low) in [
        ("cells: (2, 10), element: Q4", "cells: (3, 1), element: Q4"),
        ("cells: (5, 40), element: Q4", "cells: (7, 2), element: Q4"),
        ("cells: (3, 10), element: T6", "cells: (2, 1), element: Q8"),
    ] {
        let found = taken(cut, high, low);
        assert!((found - 1.0).abs() < 0.03, "{high} on {low}: {found} of G A");
    }
    let whole = taken("on_failure: Stop", "cells: (2, 10), element: Q4", "cells: (3, 1), element: Q4");
    assert!((whole - 1.0).abs() > 0.1, "{whole}");
}

/// A bar hangs in a bond that could carry a hundred times as much, in steps in which nothing but the bond would let it go 10⁵ m: what a solve leaves of that
/// may not become damage.
#[test]
fn long_steps_damage_no_bond_that_carries_its_load() {
    let mut run = build(
        r#"(dimension: 2, time: (step: 100, end: 1e6, theta: 1),
  materials: {"m": (density: 1000, elastic: (young: 1e9, poisson: 0))},
  bodies: [
    (group: "a", material: "m", shape: Mesh(of: Rectangle(size: (1, 0.1), cells: (8, 3), element: Q4))),
    (group: "b", material: "m", shape: Mesh(of: Rectangle(size: (1, 0.1), cells: (6, 2), element: Q4)), at: (1, 0))],
  interactions: [(between: ("a", "b"), law: Bilinear(normal_stiffness: 1e10, tensile_strength: 1e6, energy: 500, friction: 0.3))],
  loads: [(on: "a.left", load: Fixed), (on: "b.right", load: Traction(x: 1e4))],
  physics: [Contact()])"#,
        &[],
    );
    // what a solve leaves of an overlap stays, and adds up: after 190 of these steps the bar has turned by 0.02 rad
    for step in 1..=150 {
        let start = run.time();
        run.step().unwrap();
        let damage = run.field("damage").unwrap().iter().fold(0.0_f64, |a, b| a.max(*b));
        assert!(damage == 0.0, "step {step}: {damage}");
        // the watchdog may halve a step in which such errors look like an overlap
        let carried = impulse(run.world().network).x.abs() / (run.time() - start);
        assert!((carried / 1000.0 - 1.0).abs() < 1e-4, "step {step}: {carried} N");
    }
}

/// What a bond of strength 1e5 Pa and 100 J/m² carries, over its strength, step after step.
fn carries(text: &str, area: f64, step: f64, count: usize) -> Vec<f64> {
    let mut run = build(text, &[]);
    let one = |_| {
        run.step().unwrap_or_else(|e| panic!("{e}\n{text}"));
        impulse(run.world().network).y.abs() / (step * area * 1e5)
    };
    (0..count).map(one).collect()
}

/// Two blocks that give way by 4e-5 m at the strength are drawn apart by u: the bond opens by d with u = d + 4e-5 m (1 − d/δ_c), δ_c = 2 mm, and carries
/// 1 − d/δ_c of its strength. The damage that it comes to is far below what the first opening asks for in a straight line.
#[test]
fn a_rigid_bond_gives_way_on_a_soft_body_by_its_curve() {
    let exact = |u: f64| 1.0 - (u - 4e-5) / (1.0 - 4e-5 / 2e-3) / 2e-3;
    for (dimension, a, b) in [
        (2, "Rectangle(size: (0.5, 0.2), cells: (1, 1), element: Q4)", "Rectangle(size: (0.5, 0.2), cells: (1, 1), element: Q4)"),
        (2, "Rectangle(size: (0.5, 0.2), cells: (5, 2), element: Q4)", "Rectangle(size: (0.5, 0.2), cells: (3, 2), element: Q8)"),
        (
            3,
            "Cuboid(size: (0.5, 0.2, 0.5), cells: (1, 1, 1), element: Hex8)",
            "Cuboid(size: (0.5, 0.2, 0.5), cells: (2, 1, 2), element: Hex8)",
        ),
    ] {
        let (at, still) = if dimension == 2 { ("(0, 0.2)", "") } else { ("(0, 0.2, 0)", ", z: 0") };
        let text = format!(
            r#"(dimension: {dimension}, time: (step: 0.02, end: 1, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: 0))}},
  bodies: [(group: "a", material: "m", shape: Mesh(of: {a})), (group: "b", material: "m", shape: Mesh(of: {b}), at: {at})],
  interactions: [(between: ("a", "b"), law: Extrinsic(strength: 1e5, energy: 100, friction: 0.3))],
  loads: [(on: "a.bottom", load: Fixed), (on: "b.top", load: Velocity(x: 0, y: 0.003{still}))],
  physics: [Contact(deformable: (scheme: Static))])"#
        );
        let area = if dimension == 2 { 0.5 } else { 0.25 };
        for (k, found) in (1..).zip(carries(&text, area, 0.02, 10)) {
            let exact = exact(0.003 * 0.02 * f64::from(k));
            assert!((found - exact).abs() < 1e-5, "{a} on {b}, step {k}: {found} of {exact}");
        }
    }
}

/// The same of rigid bodies, on a face and at a point: m/h² (δ − 2δ₁ + δ₀) = P − σA(1 − δ/δ_c).
#[test]
fn a_rigid_bond_gives_way_under_a_rigid_body_by_its_curve() {
    let (step, pull) = (2e-4, 1.5);
    for (dimension, shape, area) in [
        (2, "Box(size: (0.2, 0.1))", ""),
        (3, "Box(size: (0.2, 0.1, 1))", ""),
        (2, "Disc(radius: 0.05)", ", area: 0.2"),
        (3, "Sphere(radius: 0.05)", ", area: 0.2"),
    ] {
        let (at, up, force) = if dimension == 2 {
            ("(0, 0.05)", "(0, 1)", format!("y: {}", pull * 2e4))
        } else {
            ("(0, 0.05, 0)", "(0, 1, 0)", format!("y: {}", pull * 2e4))
        };
        let text = format!(
            r#"(dimension: {dimension}, time: (step: {step}, end: 1, theta: 1), materials: {{"m": (density: 1000)}},
  bodies: [(group: "a", material: "m", shape: Plane(normal: {up})), (group: "b", material: "m", shape: {shape}, at: {at}, mass: 20)],
  interactions: [(between: ("a", "b"), law: Extrinsic(strength: 1e5, energy: 100, friction: 0.3{area}))],
  loads: [(on: "a", load: Fixed), (on: "b", load: Force({force}))],
  physics: [Contact(tolerance: 1e-9)])"#
        );
        // δ/δ_c, with σA h²/(m δ_c) and P h²/(m δ_c)
        let a = 2e4 * step * step / (20.0 * 2e-3);
        let (mut before, mut x) = (0.0, 0.0);
        for (k, found) in (1..).zip(carries(&text, 0.2, step, 6)) {
            let next = (2.0 * x - before + pull * a - a) / (1.0 - a);
            (before, x) = (x, next);
            assert!((found - (1.0 - x)).abs() < 1e-5, "{shape}, step {k}: {found} of {}", 1.0 - x);
        }
    }
}

/// A block bonded to a rigid box of its own size, sheared along a side until nothing holds: the nodes of the rim ahead go over the rim of the box in the first
/// step, and hold until they are damaged. The work of the slip is G_II A.
#[test]
fn bonds_hold_beyond_the_rim_of_what_they_are_bonded_to() {
    let (area, energy) = (0.15, 900.0);
    for (element, cells, sign, scheme) in [
        ("Hex8", "(3, 1, 2)", 1.0, "Static"),
        ("Hex8", "(3, 1, 2)", -1.0, "Theta"),
        ("Hex8", "(3, 1, 3)", 1.0, "Static"),
        ("Hex8", "(2, 1, 2)", 1.0, "Static"),
        ("Hex20", "(3, 1, 2)", 1.0, "Static"),
        ("Tet4", "(3, 1, 2)", 1.0, "Static"),
    ] {
        for angle in [0.0_f64, 0.3] {
            let speed = 1.5e-3 * sign;
            let (x, z) = (speed * angle.cos(), speed * angle.sin());
            let mut run = build(
                &format!(
                    r#"(dimension: 3, time: (step: 0.01, end: 2, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e11, poisson: 0)), "n": (density: 1000)}},
  bodies: [(group: "a", material: "m", shape: Mesh(of: Cuboid(size: (0.5, 0.2, 0.3), cells: {cells}, element: {element}))),
    (group: "o", material: "n", shape: Box(size: (0.5, 0.2, 0.3)), at: (0.25, -0.1, 0.15))],
  interactions: [(between: ("a", "o"), law: Bilinear(normal_stiffness: 1e10, tensile_strength: 1e6, energy: 300,
    shear_strength: 2e6, shear_energy: {energy}, friction: 0))],
  loads: [(on: "o", load: Fixed), (on: "a.top", load: Velocity(x: {x}, y: 0, z: {z}))],
  physics: [Contact(deformable: (scheme: {scheme}))])"#
                ),
                &[],
            );
            let what = format!("{element} {cells}, {sign}, {angle} rad, {scheme}");
            let (mut work, mut first) = (0.0, 0);
            for k in 0..120 {
                run.step().unwrap();
                let f = impulse(run.world().network);
                work += (f.x * x + f.z * z).abs();
                let damage = run.field("damage").unwrap().iter().fold(0.0_f64, |a, b| a.max(*b));
                let held = run.field("bonded_area").unwrap().iter().filter(|a| **a > 0.0).count();
                if k == 0 {
                    first = held;
                }
                assert!(damage > 0.0 || held == first, "{what}: step {k}, {held} bonds of {first} without damage");
            }
            assert!((work / (energy * area) - 1.0).abs() < 0.01, "{what}: {work} J of {} J", energy * area);
        }
    }
}

/// The same of a block on another mesh of its own size, whose rims part as it is sheared: in the plane of the interface, with a turn, and with a pull.
#[test]
fn bonds_of_two_meshes_hold_beyond_their_rims() {
    let (area, energy) = (0.06, 100.0);
    for (number, (low, high, element)) in [
        ("(3, 1, 2)", "(3, 2, 2)", "Hex8"),
        ("(4, 1, 3)", "(3, 2, 2)", "Hex8"),
        ("(4, 1, 3)", "(3, 2, 2)", "Tet4"),
        ("(3, 1, 2)", "(3, 1, 2)", "Hex20"),
        ("(2, 1, 2)", "(3, 1, 2)", "Tet10"),
    ]
    .into_iter()
    .enumerate()
    {
        // every second of the pairs of meshes and ways
        let ways = [[1e-3, 0.0, 0.0], [0.8e-3, 0.0, -0.6e-3], [0.7e-3, 0.7e-3, 0.0]];
        for (_, [x, y, z]) in ways.into_iter().enumerate().filter(|(way, _)| (number + way) % 2 == 0) {
            let mut run = build(
                &format!(
                    r#"(dimension: 3, time: (step: 0.02, end: 4, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: 0.2))}},
  bodies: [(group: "t", material: "m", shape: Mesh(of: Cuboid(size: (0.3, 0.1, 0.2), cells: {high}, element: {element}))),
    (group: "r", material: "m", shape: Mesh(of: Cuboid(size: (0.3, 0.1, 0.2), cells: {low}, element: {element})), at: (0, -0.1, 0))],
  interactions: [(between: ("t", "r"), law: Bilinear(normal_stiffness: 1e10, tensile_strength: 2e5, energy: {energy}, friction: 0))],
  loads: [(on: "t.top", load: Velocity(x: {x}, y: {y}, z: {z})), (on: "r.bottom", load: Fixed)],
  physics: [Contact(deformable: (scheme: Static))])"#
                ),
                &[],
            );
            let what = format!("{element} {high} on {low}, ({x}, {y}, {z})");
            let (mut work, mut first) = (0.0, 0);
            for k in 0..150 {
                run.step().unwrap_or_else(|e| panic!("{what}, step {k}: {e}"));
                let f = impulse(run.world().network);
                work += f.dot(&Vec3::new(x, y, z)).abs();
                let damage = run.field("damage").unwrap().iter().fold(0.0_f64, |a, b| a.max(*b));
                let held = run.field("bonded_area").unwrap().iter().filter(|a| **a > 0.0).count();
                if k == 0 {
                    first = held;
                }
                assert!(damage > 0.0 || held == first, "{what}: step {k}, {held} bonds of {first} without damage");
            }
            assert!((work / (energy * area) - 1.0).abs() < 0.02, "{what}: {work} J of {} J", energy * area);
        }
    }
}

/// Meshes are sheared under a pressure p while their bond gives: T = σ(1 − x) + μ p x with x = δ/δ_c of an extrinsic law whose friction grows with the damage, whatever slides out
/// beside what on the way. A point that came out below the bond had none, took the pressure of a whole node, and rubbed with all of μ: 1.2 to 2.5 times T.
#[test]
fn friction_grows_with_the_damage_alone_while_meshes_slide() {
    let plane = |cells: &str| format!("Rectangle(size: (0.1, 0.05), {cells})");
    let space = |cells: &str| format!("Cuboid(size: (0.1, 0.05, 0.1), {cells})");
    let wide = "Rectangle(size: (0.2, 0.05), cells: (8, 2), element: Q8)), at: (-0.05, 0".to_owned();
    let q8 = plane("cells: (4, 2), element: Q8");
    let cases = [
        (2, q8.clone(), q8.clone()),
        (2, plane("cells: (4, 2), element: Q4"), plane("cells: (3, 2), element: Q8")),
        (2, wide, q8),
        (3, space("cells: (2, 1, 2), element: Hex8"), space("cells: (1, 1, 1), element: Hex20")),
        (3, space("cells: (2, 1, 2), element: Hex8"), space("cells: (3, 1, 3), element: Hex8")),
        (3, space("cells: (2, 1, 2), element: Tet4"), space("cells: (3, 1, 3), element: Tet4")),
    ];
    for (dimension, low, high) in cases {
        let (area, at, side) = if dimension == 2 { (0.1, "(0, 0.05)", "") } else { (0.01, "(0, 0.05, 0)", ", z: 0") };
        let mut run = build(
            &format!(
                r#"(dimension: {dimension}, time: (step: 0.02, end: 0.6, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e12, poisson: 0))}},
  bodies: [(group: "low", material: "m", shape: Mesh(of: {low})), (group: "high", material: "m", shape: Mesh(of: {high}), at: {at})],
  interactions: [(between: ("low", "high"), law: Extrinsic(strength: 1e5, energy: 50, friction: 0.4))],
  loads: [(on: "low.bottom", load: Fixed),
    (on: "high.top", load: Velocity(x: Table([(0, 0), (0.1, 0), (0.1000001, 0.002), (9, 0.002)]), y: Table([(0, -2e-6), (0.1, -2e-6), (0.1000001, 0), (9, 0)]){side}))],
  physics: [Contact(deformable: (scheme: Static), watch: (turn: Warn))])"#
            )
            .replace(", 0))), (group: \"high\"", ", 0)), (group: \"high\""),
            &[],
        );
        let what = format!("{high} on {low}");
        let first = {
            run.step().unwrap();
            run.world().network.len()
        };
        while !run.finished() {
            let step = run.step().unwrap();
            let slid = 0.002 * (step.time - 0.1);
            if slid < 5e-5 {
                continue;
            }
            let force = impulse(run.world().network) / step.h;
            let x = slid / 1e-3;
            let theory = 1e5 * area * (1.0 - x) + 0.4 * force.y.abs() * x;
            assert!((force.x.abs() / theory - 1.0).abs() < 2e-3, "{what}: at {slid} m {} N of {theory} N", force.x);
            assert_eq!(run.world().network.len(), first, "{what}: at {slid} m");
        }
    }
}
