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
