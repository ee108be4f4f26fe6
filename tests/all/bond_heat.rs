//! Heat through bonds: h A (1 − x) in tension as in compression, on points, faces and meshes, whole, damaged and broken.

use std::path::Path;

use mpcd::StandardRegistry;
use mpcd_core::Book;
use mpcd_sim::{Model, Registry, Simulation};

use crate::granular::{build, steps};

const TRANSFER: f64 = 40.0;

/// What passes from one held temperature to another 10 K below (W), and h A (1 − x) ΔT by the fields of the contact law.
fn passed(bodies: &str, law: &str, load: &str, (dimension, count): (u8, u64)) -> (f64, f64) {
    let text = format!(
        r#"(dimension: {dimension}, time: (step: "1 ms", end: "1 s", theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: 0), thermal: (conductivity: 50, specific_heat: 500))}},
  bodies: [{bodies}],
  interactions: [(between: ("a", "b"), law: {law})],
  loads: [(on: "b", load: Fixed), {load}],
  physics: [Contact(tolerance: 1e-10), Thermal(law: Bonded(transfer: {TRANSFER}, bare: Insulating), coupling: (friction: false, impact: false, dilatation: false),
    boundary: [Temperature(group: "a", value: 310), Temperature(group: "b", value: 300)])])"#
    );
    let mut run = build(&text, &[]);
    steps(&mut run, count);
    let sum = |name: &str| run.field(name).unwrap().iter().sum::<f64>();
    (sum("heat").abs(), TRANSFER * sum("bonded_area") * 10.0)
}

const BOXES: &str = r#"(group: "a", material: "m", shape: Box(size: (0.2, 0.1)), at: (0, 0.05)), (group: "b", material: "m", shape: Box(size: (0.2, 0.1)), at: (0, -0.05))"#;
const BRICKS: &str = r#"(group: "a", material: "m", shape: Box(size: (0.2, 0.3, 0.1)), at: (0, 0, 0.05)), (group: "b", material: "m", shape: Box(size: (0.4, 0.5, 0.1)), at: (0, 0, -0.05))"#;
const BALLS: &str = r#"(group: "a", material: "m", shape: Sphere(radius: 0.1), at: (0, 0, 0.1)), (group: "b", material: "m", shape: Sphere(radius: 0.1), at: (0, 0, -0.1))"#;
const STRONG: &str = "Bilinear(normal_stiffness: 1e10, tensile_strength: 1e6, energy: 500, friction: 0.3)";

#[test]
fn a_bond_conducts_whether_it_pushes_or_pulls() {
    let force = |dimension: u8, f: f64| {
        if dimension == 2 { format!("(on: \"a\", load: Force(y: {f}))") } else { format!("(on: \"a\", load: Force(z: {f}))") }
    };
    let ball = "Bilinear(normal_stiffness: 1e10, tensile_strength: 1e6, energy: 500, friction: 0.3, area: 0.02)";
    let brittle = "MohrCoulomb(friction: 0.3, tensile_strength: 1e6)";
    for (bodies, law, dimension, area) in
        [(BOXES, STRONG, 2, 0.2), (BRICKS, STRONG, 3, 0.06), (BRICKS, brittle, 3, 0.06), (BALLS, ball, 3, 0.02)]
    {
        for f in [-100.0, 100.0] {
            let (found, fields) = passed(bodies, law, &force(dimension, f), (dimension, 5));
            let expected = TRANSFER * area * 10.0;
            assert!((found / expected - 1.0).abs() < 1e-9, "{law}, {f} N: {found} W of {expected}");
            assert!((fields / expected - 1.0).abs() < 1e-9, "{law}, {f} N: {fields}");
        }
        // beyond its strength, 1e6 Pa
        let (found, fields) = passed(bodies, law, &force(dimension, 2e6 * area), (dimension, 60));
        assert_eq!((found, fields), (0.0, 0.0), "{law}: broken");
    }
}

/// Opening w at constant speed of a heavy body from a held one: x = 1 − σ (δ_f − w)/((δ_f − δ₀) K w).
#[test]
fn damage_takes_its_part_of_the_area() {
    let law = "Bilinear(normal_stiffness: 1e9, tensile_strength: 1e5, energy: 50, friction: 0.3, area: 0.01)";
    let heavy = r#"(group: "a", material: "m", shape: Sphere(radius: 20), at: (0, 0, 20), velocity: (0, 0, 0.01)), (group: "b", material: "m", shape: Sphere(radius: 20), at: (0, 0, -20))"#;
    for count in [5_u64, 20, 50, 90, 120] {
        let w = 1e-5 * count as f64;
        let damage = (1.0 - 1e5 * (1e-3 - w) / (0.9e-3 * 1e9 * w)).clamp(0.0, 1.0);
        let (found, _) = passed(heavy, law, "", (3, count));
        let expected = TRANSFER * 0.01 * (1.0 - damage) * 10.0;
        // the bond pulls the heavy body back by some nanometres
        assert!((found - expected).abs() < 1e-4 * TRANSFER * 0.1, "{count}: {found} W of {expected}");
    }
}

/// Two bars of 1 m end to end, each of its own temperature at the far end: k/L, the bond and k/L in series, on meshes that do not match, pulled.
#[test]
fn meshes_conduct_through_their_bonds() {
    for (one, other) in [("(8, 3), element: Q4", "(6, 2), element: Q4"), ("(5, 2), element: T6", "(4, 3), element: Q8")] {
        let text = format!(
            r#"(dimension: 2, time: (step: "1 ms", end: 10, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: 0), thermal: (conductivity: 50, specific_heat: 500))}},
  bodies: [
    (group: "a", material: "m", shape: Mesh(of: Rectangle(size: (1, 0.1), cells: {one}))),
    (group: "b", material: "m", shape: Mesh(of: Rectangle(size: (1, 0.1), cells: {other})), at: (1, 0))],
  interactions: [(between: ("a", "b"), law: {STRONG})],
  loads: [(on: "a.left", load: Fixed), (on: "b.right", load: Traction(x: 1e4))],
  physics: [Contact(), Thermal(law: Bonded(transfer: {TRANSFER}, bare: Insulating), temperature: 300, time_scale: 1e6, coupling: (friction: false, impact: false, dilatation: false),
    boundary: [Temperature(group: "a.left", value: 310), Temperature(group: "b.right", value: 300)])])"#
        );
        let mut run = build(&text, &[]);
        steps(&mut run, 600);
        let found = run.field("heat").unwrap().iter().sum::<f64>().abs();
        let expected = 10.0 * 0.1 / (1.0 / 50.0 + 1.0 / TRANSFER + 1.0 / 50.0);
        assert!((found / expected - 1.0).abs() < 1e-6, "{one}, {other}: {found} W of {expected}");
        assert!(run.books().account(Book::Heat).unwrap().worst <= 1e-10);
    }
}

/// A law of bonds where nothing makes bonds is refused by name.
#[test]
fn bonds_that_nobody_makes_are_refused() {
    let text = format!(
        r#"(dimension: 2, time: (step: 1, end: 1),
  materials: {{"m": (density: 1000, thermal: (conductivity: 50, specific_heat: 500))}},
  bodies: [{BOXES}], interactions: [(between: ("a", "b"), law: Coulomb(friction: 0.3))],
  physics: [Contact(), Thermal(law: Bonded(transfer: 40, bare: Insulating))])"#
    );
    let model = Model::parse_with(&text, "model", "model.ron", Path::new("."), &[], &mpcd::shapes()).unwrap();
    let error = Simulation::build(&model, &Registry::standard()).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("`bonded_area`"), "{error}");
    let turned = text
        .replace("Bonded(transfer: 40, bare: Insulating)", "Sinter(rate: 1e-9, bare: Bonded(transfer: 40, bare: Insulating))");
    let model = Model::parse_with(&turned, "model", "model.ron", Path::new("."), &[], &mpcd::shapes()).unwrap();
    let error = Simulation::build(&model, &Registry::standard()).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("cannot have the law `Bonded`"), "{error}");
}
