//! Laws that hold for a contact as a whole, between soft meshes: a face that bends a little is one contact, whatever number of nodes lie on it.

use mpcd_core::MeshQuantity;

use crate::granular::{build, column, steps};

const SOFT: &str =
    "elastic: (young: 1e7, poisson: 0.3), thermal: (conductivity: 1e6, specific_heat: 1e-3), electrical: (conductivity: 1e6)";

/// Two slabs of 0.2 m, one on the other.
fn slabs(material: &str, dimension: u8, shapes: [&str; 2], law: &str, physics: &str) -> String {
    let gravity = if dimension == 2 { "(0, -10)" } else { "(0, -10, 0)" };
    let at = if dimension == 2 { "(0, 0.2)" } else { "(0, 0.2, 0)" };
    let [low, high] = shapes;
    format!(
        r#"(dimension: {dimension}, gravity: {gravity}, time: (step: 0.02, end: 100, theta: 1),
  materials: {{"m": (density: 1000, {material})}},
  bodies: [(group: "a", material: "m", shape: {low}), (group: "b", material: "m", shape: {high}, at: {at})],
  interactions: [(between: ("a", "b"), law: {law})],
  loads: [(on: "a.bottom", load: Fixed)], physics: [Contact(tolerance: 1e-9){physics}])"#
    )
}

const PLANE: [&str; 2] = [
    "Mesh(of: Rectangle(size: (1, 0.2), cells: (7, 2), element: Q4))",
    "Mesh(of: Rectangle(size: (1, 0.2), cells: (5, 2), element: Q4))",
];
const RINGS: [&str; 2] = [
    "Mesh(of: Rectangle(size: (1, 0.2), cells: (7, 2), element: Q4), plane: Axisymmetric)",
    "Mesh(of: Rectangle(size: (0.6, 0.2), cells: (5, 2), element: Q4), plane: Axisymmetric, inner_radius: 0.2)",
];
const SPACE: [&str; 2] = [
    "Mesh(of: Cuboid(size: (1, 0.2, 1), cells: (4, 2, 4), element: Hex8))",
    "Mesh(of: Cuboid(size: (1, 0.2, 1), cells: (3, 2, 3), element: Hex8))",
];

/// 300 W through 30 W/K: 10 K.
#[test]
fn one_contact_conducts_heat_once() {
    for (dimension, shapes) in [(2, PLANE), (2, RINGS), (3, SPACE)] {
        let thermal = ", Thermal(law: Constant(conductance: 30), coupling: (dilatation: false), boundary: [
            Temperature(group: \"a.bottom\", value: 300), Power(group: \"b.top\", value: 300)])";
        let mut run = build(&slabs(SOFT, dimension, shapes, "Coulomb(friction: 0.3)", thermal), &[]);
        steps(&mut run, 30);
        let meshes = run.meshes_with(&[MeshQuantity::Temperature]);
        let mean = |k: usize| {
            let all = &meshes[k].arrays[0].values;
            all.iter().sum::<f64>() / all.len() as f64
        };
        let drop = mean(1) - mean(0);
        assert!((drop - 10.0).abs() < 1e-2, "{}: {drop} K", shapes[0]);
    }
}

/// 10 A through 5 S: 0.2 Ω.
#[test]
fn one_contact_conducts_current_once() {
    let current = ", Electrical(law: Constant(conductance: 5), potential: [(group: \"a\", value: 0)], current: [(group: \"b\", value: 10)])";
    let mut run = build(&slabs(SOFT, 2, PLANE, "Coulomb(friction: 0.3)", current), &[]);
    let last = steps(&mut run, 30);
    let resistance = column(&run, &last, "resistance").unwrap();
    assert!((resistance - 0.2).abs() < 1e-5, "{resistance} Ω");
}

/// A slab on a spring of stiffness k sinks by m g/k, in the plane and around an axis.
#[test]
fn one_contact_is_one_spring() {
    let stiff = "elastic: (young: 1e9, poisson: 0)";
    for (shapes, weight) in [(PLANE, 2000.0), (RINGS, 2000.0 * std::f64::consts::PI * (0.64 - 0.04))] {
        let mut run = build(&slabs(stiff, 2, shapes, "Elastic(stiffness: 1e6, friction: 0)", ""), &[]);
        steps(&mut run, 400);
        let meshes = run.meshes_with(&[MeshQuantity::Displacement]);
        let sunk = -meshes[1].arrays[0].values[1];
        assert!((sunk / (1e-6 * weight) - 1.0).abs() < 2e-3, "{}: {sunk} m of {} m", shapes[0], 1e-6 * weight);
    }
}

/// 1 W/(m² K) (p/Pa)^½.
const BY_PRESSURE: &str = "PressurePower(coefficient: 1, exponent: 0.5, reference: 1)";

/// Heat (W) that passes at 1 K from a rigid end to a block below, pressed by 100 N, by a law.
fn under_an_end(dimension: usize, block: &str, end: &str, law: &str) -> f64 {
    let (down, held, at) = if dimension == 2 {
        ("Force(y: -100)", "X, SpinZ", "(0.053, 0.15)")
    } else {
        ("Force(z: -100)", "X, Y, SpinX, SpinY, SpinZ", "(0.053, 0.046, 0.15)")
    };
    let side = if dimension == 2 { "low.bottom" } else { "low.back" };
    let fixed = if block.contains("Mesh(") { side } else { "low" };
    let mut run = build(
        &format!(
            "(dimension: {dimension}, time: (step: 1e-3, end: 1, theta: 1), materials: {{\"m\": (density: 1000, elastic: (young: 1e9, poisson: 0.2), thermal: (conductivity: 1e7, specific_heat: 100))}},\n\
             bodies: [(group: \"low\", material: \"m\", {block}), (group: \"end\", material: \"m\", shape: {end}, at: {at})],\n\
             interactions: [(between: (\"low\", \"end\"), law: Coulomb(friction: 0))],\n\
             loads: [(on: \"{fixed}\", load: Fixed), (on: \"end\", load: Locked(axes: [{held}])), (on: \"end\", load: {down})],\n\
             physics: [Contact(tolerance: 1e-10), Thermal(law: {law}, temperature: 300, coupling: (dilatation: false),\n\
               boundary: [Temperature(group: \"low\", value: 300), Temperature(group: \"end\", value: 301)])])"
        ),
        &[],
    );
    steps(&mut run, 60);
    run.field("heat").unwrap().iter().sum::<f64>().abs()
}

/// A flat rigid end conducts to a mesh by the area that they have in common, √(A F), as to a rigid block: its corners tilt the facets at its rim and lift nodes
/// beside them (half of the area on four cells), and such gaps are none of the bodies.
#[test]
fn flat_ends_conduct_by_their_own_area() {
    let flat = |cells: usize, element: &str| {
        format!("shape: Mesh(of: Rectangle(size: (0.1, 0.1), cells: ({cells}, {cells}), element: {element}))")
    };
    let deep = |cells: usize, element: &str| {
        format!("shape: Mesh(of: Cuboid(size: (0.1, 0.1, 0.1), cells: ({cells}, {cells}, 2), element: {element}))")
    };
    let ends = ["Box(size: (0.06, 0.1))", "Box(size: (0.05, 0.1))", "Box(size: (0.3, 0.1))"];
    for (end, width) in ends.into_iter().zip([0.06, 0.05, 0.1]) {
        let exact = f64::sqrt(width * 100.0);
        let rigid = under_an_end(2, "shape: Box(size: (0.1, 0.1)), at: (0.05, 0.05)", end, BY_PRESSURE);
        assert!((rigid / exact - 1.0).abs() < 1e-9, "{end}: {rigid}, {exact}");
        for block in [flat(2, "Q4"), flat(4, "Q4"), flat(8, "Q4"), flat(16, "Q4"), flat(3, "Q8"), flat(4, "Q8"), flat(4, "T3")] {
            let heat = under_an_end(2, &block, end, BY_PRESSURE);
            assert!((heat / exact - 1.0).abs() < 1e-3, "{end} on {block}: {} of it", heat / exact);
        }
    }
    let ends = ["Box(size: (0.06, 0.06, 0.1))", "Box(size: (0.05, 0.07, 0.1))"];
    for (end, area) in ends.into_iter().zip([0.0036, 0.0035]) {
        let exact = f64::sqrt(area * 100.0);
        let rigid = under_an_end(3, "shape: Box(size: (0.1, 0.1, 0.1)), at: (0.05, 0.05, 0.05)", end, BY_PRESSURE);
        assert!((rigid / exact - 1.0).abs() < 1e-9, "{end}: {rigid}, {exact}");
        for block in [deep(2, "Hex8"), deep(4, "Hex8"), deep(8, "Hex8"), deep(4, "Tet4")] {
            let heat = under_an_end(3, &block, end, BY_PRESSURE);
            assert!((heat / exact - 1.0).abs() < 1e-3, "{end} on {block}: {} of it", heat / exact);
        }
    }
}

/// A superellipsoid that is flat but for its rim conducts to a mesh what it conducts to a rigid block, wherever its nodes lie: all that it presses is one spot, with the
/// curvature that the body has on their plane (0.17 to 2.7 of it by the cells before, when each node was a spot of its own).
#[test]
fn bodies_flat_but_for_their_rim_conduct_as_on_a_rigid_block() {
    for (across, along) in [(2, 4), (2, 16), (8, 8)] {
        let end = format!("Superellipsoid(radii: (0.03, 0.03, 0.05), exponents: ({across}, {along}))");
        for law in [BY_PRESSURE, "Hertz()"] {
            let rigid = under_an_end(3, "shape: Box(size: (0.1, 0.1, 0.1)), at: (0.05, 0.05, 0.05)", &end, law);
            for (cells, element) in [(3, "Hex8"), (4, "Hex8"), (8, "Hex8"), (4, "Tet4")] {
                let block =
                    format!("shape: Mesh(of: Cuboid(size: (0.1, 0.1, 0.1), cells: ({cells}, {cells}, 2), element: {element}))");
                let heat = under_an_end(3, &block, &end, law);
                assert!((heat / rigid - 1.0).abs() < 1e-2, "{end}, {law}, {cells} cells {element}: {} of it", heat / rigid);
            }
        }
    }
}

/// Heat (W) that passes at 1 K to a block, rigid or of cells, from a body on it that a force presses into it, by an even conductance of the area that it has there.
fn pressed_in(space: usize, block: &str, body: &str, law: &str) -> f64 {
    let (load, held) = if space == 2 { ("Force(y: -1e4)", "X, SpinZ") } else { ("Force(z: -1e4)", "X, Y, SpinX, SpinY, SpinZ") };
    let fixed = match (block.contains("Mesh("), space) {
        (true, 2) => "low.bottom",
        (true, _) => "low.back",
        _ => "low",
    };
    let mut run = build(
        &format!(
            "(dimension: {space}, time: (step: 1e-3, end: 1, theta: 1), materials: {{\"m\": (density: 1000, elastic: (young: 1e8, poisson: 0.3), solid: (stiffness_damping: 1e-3), thermal: (conductivity: 1e9, specific_heat: 100))}},\n\
             bodies: [(group: \"low\", material: \"m\", shape: {block}), (group: \"on\", material: \"m\", shape: {body}, mass: 20)],\n\
             interactions: [(between: (\"low\", \"on\"), law: Coulomb(friction: 0.3))],\n\
             loads: [(on: \"{fixed}\", load: Fixed), (on: \"on\", load: Locked(axes: [{held}])), (on: \"on\", load: {load})],\n\
             physics: [Contact(tolerance: 1e-10), Thermal(law: {law}, temperature: 300,\n\
               boundary: [Temperature(group: \"low\", value: 300), Temperature(group: \"on\", value: 301)])])"
        ),
        &[],
    );
    steps(&mut run, 60);
    run.field("heat").unwrap().iter().sum::<f64>().abs()
}

/// A line of a curved body on a mesh is one, whichever of the nodes near it bear, and across the line where the body has pressed it in: discs conducted 0.04 to 0.45 of what they do on a
/// rigid block, lying cylinders that end on the mesh 0.41 to 10.9 of it.
#[test]
fn lines_of_curved_bodies_conduct_as_on_a_rigid_block() {
    let area = "PressurePower(coefficient: 1e3, exponent: 0, reference: 1e5)";
    let even = |cells: &str| format!("Mesh(of: Rectangle(size: (1, 0.2), cells: {cells})), at: (-0.5, -0.2)");
    let deep = |cells: &str| format!("Mesh(of: Cuboid(size: (1, 1, 0.2), cells: {cells})), at: (-0.5, -0.5, -0.2)");
    for radius in [0.2, 5.0, 50.0] {
        for law in [area, "Hertz"] {
            let disc = |x: f64| format!("Disc(radius: {radius:?}), at: ({x:?}, {radius:?})");
            let rigid = pressed_in(2, "Box(size: (1, 0.2)), at: (0, -0.1)", &disc(0.0), law);
            for (x, cells) in [
                (0.0, "(8, 2), element: Q4"),
                (0.03, "(8, 2), element: Q4"),
                (0.04, "(21, 4), element: Q4"),
                (0.02, "(7, 2), element: Q8"),
            ] {
                let found = pressed_in(2, &even(cells), &disc(x), law) / rigid;
                assert!((found - 1.0).abs() < 2e-3, "R = {radius} m at {x} m, {cells}, {law}: {found}");
            }
        }
    }
    let lying = |shape: &str, x: f64, y: f64| format!("{shape}, at: ({x:?}, {y:?}, 0.1)");
    for shape in [
        "Cylinder(radius: 0.1, length: 0.4), rotation: ((0, 1, 0), \"90 deg\")",
        "Segment(from: (-0.2, 0, 0), to: (0.2, 0, 0), radius: 0.1)",
    ] {
        let rigid = pressed_in(3, "Box(size: (1, 1, 0.2)), at: (0, 0, -0.1)", &lying(shape, 0.0, 0.0), area);
        for (x, y, cells) in [
            (0.0625, 0.0, "(8, 8, 2), element: Hex8"),
            (0.0625, 0.0625, "(8, 8, 2), element: Hex8"),
            (0.02, 0.03, "(8, 8, 2), element: Hex8"),
            (0.02, 0.03, "(5, 5, 1), element: Hex20"),
        ] {
            let found = pressed_in(3, &deep(cells), &lying(shape, x, y), area) / rigid;
            assert!((found - 1.0).abs() < 2e-3, "{shape} at ({x}, {y}), {cells}: {found}");
        }
    }
}

/// Flat faces whose rim lies within facets conduct by the area that they have, as on a rigid block: such a facet tilts and lifts the node on its far side, whose part of the face is touched all
/// the same (0.80 of it before).
#[test]
fn faces_whose_rim_lies_within_facets_conduct_by_their_own_area() {
    let area = "PressurePower(coefficient: 1e3, exponent: 0, reference: 1e5)";
    let deep = |cells: &str| format!("Mesh(of: Cuboid(size: (1, 1, 0.2), cells: {cells})), at: (-0.5, -0.5, -0.2)");
    let mut missed = Vec::new();
    for (number, shape) in [
        "Cylinder(radius: 0.1, length: 0.4)",
        "Cylinder(radius: 0.25, length: 0.4)",
        "Box(size: (0.3, 0.2, 0.4)), rotation: ((0, 0, 1), \"30 deg\")",
    ]
    .into_iter()
    .enumerate()
    {
        let standing = |x: f64, y: f64| format!("{shape}, at: ({x:?}, {y:?}, 0.2)");
        let rigid = pressed_in(3, "Box(size: (1, 1, 0.2)), at: (0, 0, -0.1)", &standing(0.0, 0.0), area);
        for (place, (x, y)) in [(0.0, 0.0), (0.02, 0.03), (0.0625, 0.0)].into_iter().enumerate() {
            let meshes = ["(8, 8, 2), element: Hex8", "(11, 11, 3), element: Hex8", "(8, 8, 1), element: Tet4"];
            // a Latin square: each pair of shape, place and mesh once
            let cells = meshes[(number + place) % 3];
            let found = pressed_in(3, &deep(cells), &standing(x, y), area) / rigid;
            if (found - 1.0).abs() > 2e-3 {
                missed.push(format!("{shape} at ({x}, {y}), {cells}: {found}"));
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// A mesh that hangs over both rims of another on which it lies, cells that do not match: nodes of either lift off by 1e-8 m between those that bear, which no cell resolves. The conductance is that of the
/// whole area under the whole weight, h₀ A √(p/p₀), whatever Young's modulus; it fell to 0.66 of it where the nodes lifted farther than the tolerance.
#[test]
fn cells_over_a_rim_lose_no_area() {
    let conducts = |(upper, width): (&str, f64), young: f64| {
        let mut run = build(
            &format!(
                r#"(dimension: 2, gravity: (0, -10), time: (step: 0.01, end: 1, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: {young}, poisson: 0.3), thermal: (conductivity: 1e7, specific_heat: 1e6))}},
  bodies: [(group: "a", material: "m", shape: Mesh(of: Rectangle(size: (1, 0.4), cells: (3, 2), element: Q4), plane: PlaneStress, thickness: 0.5), at: (-0.5, -0.2)),
    (group: "b", material: "m", shape: Mesh(of: Rectangle(size: ({width}, 0.3), {upper}), plane: PlaneStress, thickness: 0.5), at: ({}, 0.2))],
  interactions: [(between: ("a", "b"), law: Coulomb(friction: 0.3))], loads: [(on: "a.bottom", load: Fixed)],
  physics: [Contact(tolerance: 1e-10), Thermal(law: PressurePower(coefficient: 100, reference: 1000, exponent: 0.5), temperature: 300, initial: [(group: "b", temperature: 310)])],
  output: (probes: [(name: "q", of: "heat", reduce: Sum, group: "a"), (name: "Ta", of: "temperature", group: "a"), (name: "Tb", of: "temperature", group: "b")]))"#,
                -0.5 * width
            ),
            &[],
        );
        let last = steps(&mut run, 30);
        let [q, low, high] = ["q", "Ta", "Tb"].map(|name| column(&run, &last, name).unwrap());
        q.abs() / (high - low)
    };
    for upper in ["cells: (5, 2), element: Q4", "cells: (7, 2), element: Q4", "cells: (5, 2), element: T3"] {
        for width in [1.3, 1.4] {
            for young in [1e8, 1e9, 1e10] {
                let found = conducts((upper, width), young);
                let expected = 100.0 * 0.5 * f64::sqrt(1000.0 * 10.0 * width * 0.3 / 1000.0);
                assert!((found / expected - 1.0).abs() < 2e-3, "{upper}, {width} m, {young} Pa: {found} W/K of {expected}");
            }
        }
    }
}
