//! Current through bonds: c A (1 − x) in tension as in compression, on points, faces and meshes, whole, damaged and broken, in series with
//! the bulk of the bodies and beside spots with and without films.

use std::path::Path;

use mpcd::StandardRegistry;
use mpcd_core::Book;
use mpcd_sim::{Model, Registry, Simulation};

use crate::granular::{build, steps};

/// S/m²
const PER_AREA: f64 = 40.0;

const BOXES: &str = r#"(group: "a", material: "m", shape: Box(size: (0.2, 0.1)), at: (0, 0.05)), (group: "b", material: "m", shape: Box(size: (0.2, 0.1)), at: (0, -0.05))"#;
const BRICKS: &str = r#"(group: "a", material: "m", shape: Box(size: (0.2, 0.3, 0.1)), at: (0, 0, 0.05)), (group: "b", material: "m", shape: Box(size: (0.4, 0.5, 0.1)), at: (0, 0, -0.05))"#;
const BALLS: &str = r#"(group: "a", material: "m", shape: Sphere(radius: 0.1), at: (0, 0, 0.1)), (group: "b", material: "m", shape: Sphere(radius: 0.1), at: (0, 0, -0.1))"#;
const STRONG: &str = "Bilinear(normal_stiffness: 1e10, tensile_strength: 1e6, energy: 500, friction: 0.3)";
const BALL: &str = "Bilinear(normal_stiffness: 1e10, tensile_strength: 1e6, energy: 500, friction: 0.3, area: 0.02)";

struct Scene<'a> {
    bodies: &'a str,
    law: &'a str,
    dimension: u8,
    bulk: &'a str,
    conducts: &'a str,
}

impl Scene<'_> {
    fn text(&self, load: &str) -> String {
        let Self { bodies, law, dimension, bulk, conducts } = self;
        format!(
            r#"(dimension: {dimension}, time: (step: "1 ms", end: "1 s", theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: 0), electrical: (conductivity: 1e4{bulk}))}},
  bodies: [{bodies}],
  interactions: [(between: ("a", "b"), law: {law})],
  loads: [(on: "b", load: Fixed), {load}],
  physics: [Contact(tolerance: 1e-10), Electrical(law: {conducts}, on_open_circuit: SwitchOff, potential: [(group: "b", value: 0), (group: "a", value: 10)])])"#
        )
    }

    /// Current from "a" to "b" under a force upwards (N), after some steps (A); Joule heat is what the electrodes give.
    fn current(&self, force: f64, count: u64) -> f64 {
        let axis = if self.dimension == 2 { "y" } else { "z" };
        self.current_of(&format!("(on: \"a\", load: Force({axis}: {force}))"), count)
    }

    fn current_of(&self, load: &str, count: u64) -> f64 {
        let mut run = build(&self.text(load), &[]);
        steps(&mut run, count);
        let sum = |name: &str| run.field(name).unwrap().iter().sum::<f64>();
        let current = sum("current").abs();
        assert!((sum("joule_power") - 10.0 * current).abs() <= 1e-10 * current, "{}", sum("joule_power"));
        assert!(run.books().account(Book::Electricity).unwrap().worst <= 1e-10);
        current
    }
}

#[test]
fn a_bond_carries_current_whether_it_pushes_or_pulls() {
    let conducts = format!("Bonded(conductance: {PER_AREA}, bare: Insulating)");
    let brittle = "MohrCoulomb(friction: 0.3, tensile_strength: 1e6)";
    for (bodies, law, dimension, area) in
        [(BOXES, STRONG, 2, 0.2), (BRICKS, STRONG, 3, 0.06), (BRICKS, brittle, 3, 0.06), (BALLS, BALL, 3, 0.02)]
    {
        let scene = Scene { bodies, law, dimension, bulk: "", conducts: &conducts };
        for force in [-100.0, 100.0] {
            let (found, expected) = (scene.current(force, 5), PER_AREA * area * 10.0);
            assert!((found / expected - 1.0).abs() < 1e-9, "{law}, {force} N: {found} A of {expected}");
        }
        assert_eq!(scene.current(2e6 * area, 60), 0.0, "{law}: broken");
    }
}

/// Opening w at constant speed of a heavy body from a held one: x = 1 − σ (δ_f − w)/((δ_f − δ₀) K w).
#[test]
fn damage_takes_its_part_of_the_current() {
    let law = "Bilinear(normal_stiffness: 1e9, tensile_strength: 1e5, energy: 50, friction: 0.3, area: 0.01)";
    let bodies = r#"(group: "a", material: "m", shape: Sphere(radius: 20), at: (0, 0, 20), velocity: (0, 0, 0.01)), (group: "b", material: "m", shape: Sphere(radius: 20), at: (0, 0, -20))"#;
    let conducts = format!("Bonded(conductance: {PER_AREA}, bare: Hertz)");
    for count in [5_u64, 20, 50, 90, 120] {
        let w = 1e-5 * count as f64;
        let damage = (1.0 - 1e5 * (1e-3 - w) / (0.9e-3 * 1e9 * w)).clamp(0.0, 1.0);
        let found = Scene { bodies, law, dimension: 3, bulk: "", conducts: &conducts }.current_of("", count);
        let expected = PER_AREA * 0.01 * (1.0 - damage) * 10.0;
        // the bond pulls the heavy body back by some nanometres
        assert!((found - expected).abs() < 1e-4 * PER_AREA * 0.1, "{count}: {found} A of {expected}");
    }
}

/// Spot and bond side by side, and both in series with the bulk of the two bodies; on a point, and on the two or four points of a face.
#[test]
fn spot_bond_and_bulk_are_where_they_belong() {
    let conducts = format!("Bonded(conductance: {PER_AREA}, bare: Constant(conductance: 3))");
    for (bodies, law, dimension, area) in [(BOXES, STRONG, 2, 0.2), (BRICKS, STRONG, 3, 0.06), (BALLS, BALL, 3, 0.02)] {
        let scene = Scene { bodies, law, dimension, bulk: ", bulk: 20", conducts: &conducts };
        for (force, spot) in [(-100.0, 3.0), (100.0, 0.0)] {
            let (found, expected) = (scene.current(force, 5), 10.0 / (2.0 / 20.0 + 1.0 / (PER_AREA * area + spot)));
            assert!((found / expected - 1.0).abs() < 1e-9, "{bodies}, {force} N: {found} A of {expected}");
        }
    }
}

/// A film beside a bond has the drop of both: it breaks down to its limit while the bond takes its part of the current. The film of 1e-3 of
/// 3 S under 10 V in series with twice 20 S: the drop V of the contact is held at 4 V, where (10 − V) 10 S = V (C + c A).
#[test]
fn a_film_beside_a_bond_breaks_by_the_drop_of_both() {
    let per_area = 5.0;
    let conducts = format!(
        "Bonded(conductance: {per_area}, bare: Oxide(bare: Constant(conductance: 30), film: 1e-3, breaks: Voltage(limit: 4)))"
    );
    for (bodies, law, dimension, area) in [(BOXES, STRONG, 2, 0.2), (BRICKS, STRONG, 3, 0.06), (BALLS, BALL, 3, 0.02)] {
        let scene = Scene { bodies, law, dimension, bulk: ", bulk: 20", conducts: &conducts };
        let pushed = scene.current(-100.0, 5);
        assert!((pushed / (6.0 * 10.0) - 1.0).abs() < 1e-8, "{bodies}: {pushed} A");
        let (pulled, expected) = (scene.current(100.0, 5), 10.0 / (0.1 + 1.0 / (per_area * area)));
        assert!((pulled / expected - 1.0).abs() < 1e-9, "{bodies}: {pulled} A of {expected}");
    }
}

/// Two bars of 1 m end to end, pulled, on meshes that do not match: 1/(σ A), the bond and 1/(σ A) in series.
#[test]
fn meshes_carry_current_through_their_bonds() {
    for (one, other) in [("(8, 3), element: Q4", "(6, 2), element: Q4"), ("(5, 2), element: T6", "(4, 3), element: Q8")] {
        let text = format!(
            r#"(dimension: 2, time: (step: "1 ms", end: 10, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: 0), electrical: (conductivity: 50))}},
  bodies: [
    (group: "a", material: "m", shape: Mesh(of: Rectangle(size: (1, 0.1), cells: {one}))),
    (group: "b", material: "m", shape: Mesh(of: Rectangle(size: (1, 0.1), cells: {other})), at: (1, 0))],
  interactions: [(between: ("a", "b"), law: {STRONG})],
  loads: [(on: "a.left", load: Fixed), (on: "b.right", load: Traction(x: 1e4))],
  physics: [Contact(), Electrical(law: Bonded(conductance: {PER_AREA}, bare: Insulating),
    potential: [(group: "a.left", value: 10), (group: "b.right", value: 0)])])"#
        );
        let mut run = build(&text, &[]);
        steps(&mut run, 3);
        let found = run.field("current").unwrap().iter().sum::<f64>().abs();
        let expected = 10.0 * 0.1 / (1.0 / 50.0 + 1.0 / PER_AREA + 1.0 / 50.0);
        assert!((found / expected - 1.0).abs() < 1e-6, "{one}, {other}: {found} A of {expected}");
    }
}

#[test]
fn bonds_of_current_that_nobody_makes_are_refused() {
    let scene = Scene {
        bodies: BOXES,
        law: "Coulomb(friction: 0.3)",
        dimension: 2,
        bulk: "",
        conducts: "Bonded(conductance: 40, bare: Hertz)",
    };
    let refused = |text: &str| {
        let model = Model::parse_with(text, "model", "model.ron", Path::new("."), &[], &mpcd::shapes()).unwrap();
        Simulation::build(&model, &Registry::standard()).map(|_| ()).unwrap_err().to_string()
    };
    let error = refused(&scene.text(""));
    assert!(error.contains("`bonded_area`"), "{error}");
    for law in [
        "Oxide(bare: Bonded(conductance: 40, bare: Hertz), film: 0.1)",
        "Bonded(conductance: 1, bare: Bonded(conductance: 40, bare: Hertz))",
    ] {
        let error = refused(&Scene { law: STRONG, conducts: law, ..scene }.text(""));
        assert!(error.contains("cannot have the law `Bonded`"), "{law}: {error}");
    }
}
