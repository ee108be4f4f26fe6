//! The pressure of contacts at the nodes of meshes: that of an even load at every node, whatever the cells, and none where nothing touches. Hertz's is in
//! [`crate::mesh_hertz`] and [`crate::mesh_rings`], that of bonds in [`crate::mesh_bonds`].

use mpcd_core::{MeshQuantity, MeshView};
use mpcd_sim::Simulation;

use crate::granular::{build, column, steps};
use crate::mesh_words::built;

/// Place and contact pressure of the nodes of each mesh.
fn pressures(run: &Simulation) -> Vec<(MeshView, Vec<f64>)> {
    let meshes = run.meshes_with(&[MeshQuantity::ContactPressure]);
    meshes.into_iter().map(|m| (m.clone(), m.array(MeshQuantity::ContactPressure).unwrap().values.clone())).collect()
}

/// The least and the largest of the nodes of a part.
fn range(of: &(MeshView, Vec<f64>), part: &str) -> (f64, f64) {
    let nodes = of.0.topology.part(part).unwrap();
    nodes.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), n| (low.min(of.1[*n]), high.max(of.1[*n])))
}

/// Blocks under an even pressure on a plane: at every node below F/A of the base as it is then, 0 at all others.
#[test]
fn an_even_load_gives_its_pressure_at_every_node() {
    let plane = |cells: &str, more: &str| (2, format!("Rectangle(size: (2, 1), cells: {cells}){more}"));
    let solid = |cells: &str| (3, format!("Cuboid(size: (2, 1, 1.5), cells: {cells})"));
    let stress = ", plane: PlaneStress, thickness: 0.3";
    for (dimension, mesh) in [
        plane("(1, 1), element: Q4", ""),
        plane("(4, 2), element: Q4", stress),
        plane("(9, 3), element: Q4, grading: (5, 1)", stress),
        plane("(5, 2), element: T3", ""),
        plane("(3, 2), element: Q8", stress),
        plane("(4, 1), element: T6", ""),
        plane("(1, 1), element: Q4", ", plane: Axisymmetric"),
        plane("(6, 2), element: Q4", ", plane: Axisymmetric"),
        plane("(3, 2), element: Q8", ", plane: Axisymmetric"),
        plane("(4, 2), element: Q4", ", plane: Axisymmetric, inner_radius: 0.5"),
        solid("(1, 1, 1), element: Hex8"),
        solid("(3, 1, 2), element: Hex8"),
        solid("(4, 2, 5), element: Hex8, grading: (4, 1, 0.5)"),
        solid("(3, 1, 2), element: Tet4"),
        solid("(2, 1, 2), element: Hex20"),
        solid("(2, 1, 1), element: Tet10"),
    ] {
        let (normal, back) =
            if dimension == 2 { ("(0, 1)", "") } else { ("(0, 1, 0)", r#"(on: "block.back", load: Locked(axes: [Z])), "#) };
        let left = if mesh.contains("Axisymmetric") { "" } else { r#"(on: "block.left", load: Locked(axes: [X])), "# };
        let mut run = build(
            &format!(
                r#"(dimension: {dimension}, time: (step: 1, end: 100, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e6, poisson: 0.3))}},
  bodies: [
    (group: "block", material: "m", shape: Mesh(of: {mesh})),
    (group: "floor", material: "m", shape: Plane(normal: {normal})),
  ],
  interactions: [(between: ("block", "floor"), law: Coulomb(friction: 0))],
  loads: [{left}{back}(on: "block.top", load: Traction(y: -1e4))],
  physics: [Contact(tolerance: 1e-12)],
  output: (probes: [(name: "p", of: "mesh_contact_pressure", group: "block.bottom"),
    (name: "most", of: "mesh_contact_pressure", group: "block", reduce: Max)]))"#
            ),
            &[],
        );
        let last = steps(&mut run, 20);
        let found = pressures(&run).remove(0);
        let force: f64 = run.world().network.iter().map(|c| c.r.x).sum();
        let span = |axis: usize| {
            let at = found.0.topology.part("bottom").unwrap().iter().map(|n| found.0.points[*n][axis]);
            at.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
        };
        let ((x0, x1), (z0, z1)) = (span(0), span(2));
        let area = match dimension {
            3 => (x1 - x0) * (z1 - z0),
            _ if mesh.contains("Axisymmetric") => std::f64::consts::PI * (x1 * x1 - x0 * x0),
            _ if mesh.contains("thickness") => 0.3 * (x1 - x0),
            _ => x1 - x0,
        };
        let (expected, (low, high)) = (force / area, range(&found, "bottom"));
        assert!((expected / 1e4 - 1.0).abs() < 1e-2, "{mesh}: {expected} Pa");
        let off = (low / expected - 1.0).abs().max((high / expected - 1.0).abs());
        assert!(off < 1e-6, "{mesh}: {low} to {high} Pa of {expected}");
        assert_eq!(range(&found, "top"), (0.0, 0.0), "{mesh}");
        let probes = ["p", "most"].map(|name| column(&run, &last, name).unwrap());
        assert!(probes.iter().all(|p| (p / expected - 1.0).abs() < 1e-6), "{mesh}: {probes:?} of {expected}");
    }
}

/// Between meshes that do not match, one of them wider: both sides have the pressure that passes, up to the rim of what touches.
#[test]
fn both_sides_of_meshes_that_do_not_match_have_the_pressure() {
    for (dimension, low, high) in [
        (2, "Rectangle(size: (1, 0.5), cells: (7, 3), element: Q4)", "Rectangle(size: (1, 0.5), cells: (5, 2), element: Q4)"),
        (2, "Rectangle(size: (1, 0.5), cells: (3, 2), element: Q8)", "Rectangle(size: (1, 0.5), cells: (8, 2), element: T3)"),
        (
            3,
            "Cuboid(size: (1, 0.5, 1), cells: (3, 1, 2), element: Hex8)",
            "Cuboid(size: (1, 0.5, 1), cells: (2, 1, 4), element: Hex8)",
        ),
    ] {
        let (up, more) = if dimension == 2 {
            ("(0, 0.5)", "")
        } else {
            ("(0, 0.5, 0)", r#", (on: "low.back", load: Locked(axes: [Z])), (on: "high.back", load: Locked(axes: [Z]))"#)
        };
        let mut run = build(
            &format!(
                r#"(dimension: {dimension}, time: (step: 1, end: 100, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e6, poisson: 0))}},
  bodies: [(group: "low", material: "m", shape: Mesh(of: {low})), (group: "high", material: "m", shape: Mesh(of: {high}), at: {up})],
  interactions: [(between: ("low", "high"), law: Coulomb(friction: 0))],
  loads: [(on: "low.bottom", load: Locked(axes: [Y])), (on: "low.left", load: Locked(axes: [X])), (on: "high.left", load: Locked(axes: [X])),
    (on: "high.top", load: Traction(y: -1e4)){more}],
  physics: [Contact(tolerance: 1e-12)])"#
            ),
            &[],
        );
        steps(&mut run, 20);
        let found = pressures(&run);
        for (low, high) in [range(&found[0], "top"), range(&found[1], "bottom")] {
            assert!((low / 1e4 - 1.0).abs().max((high / 1e4 - 1.0).abs()) < 1e-6, "{low} to {high} Pa");
        }
    }
}

/// What is round touches in places without an area of their own: the pressures of the nodes times the areas around these are its weight, on a node and between two.
#[test]
fn the_pressures_below_a_disc_bear_its_weight() {
    for at in ["(0.5, 1.3)", "(0.43, 1.3)"] {
        let mut run = build(
            &format!(
                r#"(dimension: 2, gravity: (0, -10), time: (step: 1, end: 100, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e7, poisson: 0.3))}},
  bodies: [(group: "block", material: "m", shape: Mesh(of: Rectangle(size: (1, 1), cells: (8, 8), element: Q4))),
    (group: "on", material: "m", shape: Disc(radius: 0.3), at: {at}, mass: 100)],
  interactions: [(between: ("block", "on"), law: Coulomb(friction: 0))],
  loads: [(on: "block.bottom", load: Fixed), (on: "on", load: Locked(axes: [X, SpinZ]))],
  physics: [Contact(tolerance: 1e-12)])"#
            ),
            &[],
        );
        steps(&mut run, 20);
        let (mesh, pressure) = pressures(&run).remove(0);
        let mut top: Vec<(f64, f64)> =
            mesh.topology.part("top").unwrap().iter().map(|n| (mesh.points[*n].x, pressure[*n])).collect();
        top.sort_by(|a, b| a.0.total_cmp(&b.0));
        let sum: f64 = top.windows(3).map(|w| w[1].1 * 0.5 * (w[2].0 - w[0].0)).sum();
        assert!((sum / 1000.0 - 1.0).abs() < 2e-3, "at {at}: {sum} N, {top:?}");
        assert!(top.iter().all(|(_, p)| *p >= 0.0), "{top:?}");
    }
}

/// `contact_pressure` stays the mean stress of a whole body; that of nodes has a name of its own, and rigid bodies have none.
#[test]
fn the_two_pressures_have_two_names() {
    let text = |probe: &str| {
        format!(
            r#"(dimension: 2, time: (step: 1, end: 100, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e6, poisson: 0))}},
  bodies: [(group: "block", material: "m", shape: Mesh(of: Rectangle(size: (1, 2), cells: (2, 2), element: Q4))),
    (group: "floor", material: "m", shape: Plane(normal: (0, 1)))],
  interactions: [(between: ("block", "floor"), law: Coulomb(friction: 0))],
  loads: [(on: "block.top", load: Traction(y: -1e3)), (on: "block.left", load: Locked(axes: [X]))],
  physics: [Contact(tolerance: 1e-12)], output: (fields: ["contact_pressure"], probes: [{probe}]))"#
        )
    };
    let mut run = build(
        &text(
            r#"(name: "body", of: "contact_pressure", group: "block"), (name: "nodes", of: "mesh_contact_pressure", group: "block.bottom")"#,
        ),
        &[],
    );
    let last = steps(&mut run, 20);
    // 1/(2 V) Σ ℓ f, f below the centre alone
    let [body, nodes] = ["body", "nodes"].map(|name| column(&run, &last, name).unwrap());
    assert!((body / 250.0 - 1.0).abs() < 2e-3 && (nodes / 1e3 - 1.0).abs() < 1e-6, "{body}, {nodes}");
    let said = built(&text(r#"(name: "p", of: "mesh_contact_pressure", group: "floor")"#)).map(|_| ()).unwrap_err();
    assert!(said.contains("`mesh_contact_pressure` is of the nodes of deformable bodies"), "{said}");
    let said = built(&text(r#"(name: "p", of: "contact_pressure", group: "block.bottom")"#)).map(|_| ()).unwrap_err();
    assert!(said.contains("is of whole bodies") && said.contains("`mesh_contact_pressure`"), "{said}");
}
