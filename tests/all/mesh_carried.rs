//! Contacts of meshes of which supports carry both sides along the normal: bonds and springs hold all the same what can go along the surface.

use crate::granular::{build, column, steps};

/// A block that supports hold along the normal of its base, pulled along it; what it stands on is group `f`.
fn pulled(dimension: usize, base: &str, law: &str, locks: &str, time: &str) -> mpcd_sim::Simulation {
    let (block, area) = match dimension {
        2 => ("Rectangle(size: (0.1, 0.1), cells: (2, 2), element: Q4), plane: PlaneStress, thickness: 0.5", 0.05),
        _ => ("Cuboid(size: (0.1, 0.1, 0.5), cells: (2, 2, 2), element: Hex8)", 0.05),
    };
    let traction = 100.0 / area;
    build(
        &format!(
            r#"(dimension: {dimension}, time: {time},
  materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: 0))}},
  bodies: [(group: "b", material: "m", shape: Mesh(of: {block})), (group: "f", material: "m", {base})],
  interactions: [(between: ("b", "f"), law: {law})],
  loads: [{locks}, (on: "b.top", load: Traction(x: {traction}))],
  physics: [Contact(watch: (turn: Warn))],
  output: (every: 1000000, probes: [(name: "F", of: "resultant", component: X, group: "b"),
    (name: "N", of: "resultant", component: Y, group: "b"), (name: "v", of: "velocity", component: X, reduce: Mean, group: "b")]))"#
        ),
        &[],
    )
}

const BOND: &str = "Bilinear(friction: 0.5, tensile_strength: 1e6, energy: 100, normal_stiffness: 1e11, bond_distance: 1e-4)";
const TIME: &str = "(step: 1e-3, end: 0.3, theta: 1)";
const PLANE: &str = "shape: Plane(normal: (0, 1))";
const BOX: &str = "shape: Box(size: (0.3, 0.1)), at: (0.05, -0.05)";
const MESH: &str = "shape: Mesh(of: Rectangle(size: (0.2, 0.1), cells: (3, 2), element: Q4), plane: PlaneStress, thickness: 0.5), at: (-0.05, -0.1)";

/// All bonds were gone at once, with nothing said, and the block went away at 400 m/s².
#[test]
fn bonds_of_a_mesh_that_is_held_along_their_normal_hold_along_the_surface() {
    let body = r#"(on: "b", load: Locked(axes: [Y]))"#;
    for (dimension, base, locks) in [
        (2, PLANE, body.to_owned()),
        (2, PLANE, r#"(on: "b.bottom", load: Locked(axes: [Y]))"#.to_owned()),
        (2, PLANE, r#"(on: "b", load: Velocity(y: 0))"#.to_owned()),
        (2, BOX, format!(r#"{body}, (on: "f", load: Fixed)"#)),
        (2, MESH, format!(r#"{body}, (on: "f", load: Locked(axes: [Y])), (on: "f.bottom", load: Fixed)"#)),
        (3, "shape: Plane(normal: (0, 1, 0))", body.to_owned()),
    ] {
        let mut run = pulled(dimension, base, BOND, &locks, TIME);
        let last = steps(&mut run, 300);
        let [force, bonds, speed] = ["F", "bonds", "v"].map(|name| column(&run, &last, name).unwrap());
        assert_eq!(bonds, if dimension == 2 { 3.0 } else { 9.0 }, "{base}, {locks}");
        assert!((force + 100.0).abs() < 1e-3 && speed.abs() < 1e-6, "{base}, {locks}: {force} N, {speed} m/s");
    }
}

/// A spring 10 µm deep under a block that cannot rise: N = k g, and friction holds what is pulled at less than μ N.
#[test]
fn a_spring_under_a_mesh_that_is_held_along_its_normal_bears_by_its_depth() {
    let base = "shape: Plane(normal: (0, 1)), at: (0, 1e-5)";
    let law = "Elastic(friction: 0.5, stiffness: 1e8, tangential_stiffness: 1e8)";
    let mut run = pulled(2, base, law, r#"(on: "b", load: Locked(axes: [Y]))"#, TIME);
    let last = steps(&mut run, 300);
    let [force, normal] = ["F", "N"].map(|name| column(&run, &last, name).unwrap());
    assert!((force + 100.0).abs() < 1e-6 && (normal - 1e3).abs() < 1e-6, "{force} N, {normal} N");
}

/// Laws that only push carry nothing there, as before; a bond that gives in no way is refused, as it is for rigid bodies.
#[test]
fn what_only_pushes_carries_nothing_there_and_rigid_bonds_are_refused() {
    let lock = r#"(on: "b", load: Locked(axes: [Y]))"#;
    let mut run = pulled(2, PLANE, "Coulomb(friction: 0.5)", lock, TIME);
    let last = steps(&mut run, 10);
    assert_eq!(column(&run, &last, "F"), Some(0.0));
    let mut run = pulled(2, PLANE, "Extrinsic(friction: 0.5, strength: 1e6, energy: 100)", lock, TIME);
    let error = run.step().unwrap_err().to_string();
    assert!(error.contains("no impulse can change its normal velocity"), "{error}");
}

/// What presses a bond of two held sides cannot be computed, and is told or refused; pulled apart it says what its opening is.
#[test]
fn a_held_mesh_that_is_driven_into_what_it_is_bonded_to_is_told() {
    for rate in ["-1e-2", "-1e-4"] {
        let mut run = pulled(2, PLANE, BOND, &format!(r#"(on: "b", load: Velocity(y: {rate}))"#), TIME);
        let fault = (0..20).find_map(|_| run.step().err().map(|error| error.to_string()));
        let told = run.summary().warnings.iter().any(|w| w.contains("prescribed"));
        assert!(
            told || fault.as_ref().is_some_and(|f| f.contains("are held or driven where they meet")),
            "{rate} m/s: {fault:?}"
        );
    }
    let mut run = pulled(2, PLANE, BOND, r#"(on: "b", load: Velocity(y: 1e-5))"#, TIME);
    let last = steps(&mut run, 20);
    // 0.2 µm: 1e11 Pa/m on 0.05 m², less what has softened of it
    let pull = column(&run, &last, "N").unwrap();
    assert!(pull < -100.0 && !run.summary().warnings.iter().any(|w| w.contains("prescribed")), "{pull} N");
}

/// A double cantilever beam whose ends are driven apart: when the bond of the driven nodes has broken, which lie on each other but for rounding, nothing there can be pressed. The next step was refused.
#[test]
fn what_was_bonded_between_driven_nodes_stops_nothing() {
    let mut run = build(
        r#"(dimension: 2, time: (step: "0.05 ms", end: "4 ms", theta: 1), materials: {"m": (density: 1000, elastic: (young: 1e8, poisson: 0))},
  bodies: [(group: "A", material: "m", shape: Mesh(of: Rectangle(size: (0.1, 0.02), cells: (10, 1), element: Q4)), at: (0, 0)),
    (group: "B", material: "m", shape: Mesh(of: Rectangle(size: (0.1, 0.02), cells: (10, 1), element: Q4)), at: (0, -0.02))],
  interactions: [(between: ("A", "B"), law: Bilinear(tensile_strength: 1e5, energy: 10, normal_stiffness: 1e10, friction: 0))],
  loads: [(on: "A.left", load: Velocity(y: 0.05)), (on: "B.left", load: Velocity(y: -0.05)), (on: "B.right", load: Fixed)], physics: [Contact()],
  output: (probes: [(name: "damage", of: "damage", reduce: Max)]))"#,
        &[],
    );
    let mut damage = 0.0;
    while !run.finished() {
        let step = run.step().unwrap_or_else(|e| panic!("{} s: {e}", run.time()));
        damage = column(&run, &step, "damage").unwrap();
    }
    assert_eq!(damage, 1.0);
}
