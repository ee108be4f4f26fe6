//! What lies across a mesh in space with its ends beyond it, so that no corner and no node of either is near: carried with its weight, and no deeper
//! than it is pressed in, whatever the cells.

use crate::granular::{build, steps};
use crate::mesh_partners::{at_rest, carried};

/// A bar of finite elements along x, its top at z = 0, of these cells.
fn bar(cells: &str, element: &str) -> String {
    format!("shape: Mesh(of: Cuboid(size: (1, 0.2, 0.2), cells: {cells}, element: {element})), at: (-0.5, -0.1, -0.2)")
}

/// Long bodies on the bar: they fall through where only nodes and corners are looked at.
#[test]
fn what_lies_across_a_bar_is_held() {
    let across = [
        ("Box(size: (0.1, 1, 0.1)), at: (0.013, 0, 0.05)", 0.05),
        ("Box(size: (0.3, 1, 0.1)), at: (0.013, 0, 0.05)", 0.05),
        ("Segment(from: (0, -0.5, 0), to: (0, 0.5, 0), radius: 0.05), at: (0.013, 0, 0.05)", 0.05),
        ("Cylinder(radius: 0.05, length: 1), rotation: ((1, 0, 0), \"90 deg\"), at: (0.013, 0, 0.05)", 0.05),
        ("Mesh(of: Cuboid(size: (0.2, 1, 0.2), cells: (1, 3, 1), element: Hex8)), at: (-0.087, -0.5, 0)", 0.1),
        // turned by 30° about its corner
        (
            "Mesh(of: Cuboid(size: (0.2, 1, 0.2), cells: (1, 3, 1), element: Hex8)), rotation: ((0, 0, 1), \"30 deg\"), at: (0.176, -0.483, 0)",
            0.1,
        ),
        ("Mesh(of: Cuboid(size: (0.2, 1, 0.2), cells: (1, 3, 1), element: Tet10)), at: (-0.087, -0.5, 0)", 0.1),
    ];
    for (cells, element) in
        [("(3, 1, 1)", "Hex8"), ("(5, 1, 1)", "Hex8"), ("(6, 2, 1)", "Hex8"), ("(3, 1, 1)", "Tet4"), ("(3, 1, 1)", "Hex20")]
    {
        for (shape, high) in across {
            let (lower, case) = (bar(cells, element), format!("{shape} on {element} {cells}"));
            let material = if shape.starts_with("Mesh") { "m" } else { "r" };
            let bodies = format!(
                "(group: \"mesh\", material: \"m\", {lower}), (group: \"other\", material: \"{material}\", shape: {shape})"
            );
            let run = at_rest(3, &bodies, "Coulomb(friction: 0.5)", "(on: \"mesh.back\", load: Fixed)", "");
            let weight = 10.0 * run.setup().bodies.mass[1];
            let force = -carried(&run)[2];
            assert!((force / weight - 1.0).abs() < 1e-3, "{case}: {force} N of {weight} N");
            let z = run.world().kinematics.position[1].z;
            assert!((z - high).abs() < 2e-4, "{case}: at {z} m, not {high} m");
        }
    }
}

/// The bar on two rigid bodies that are longer than it is wide, which nothing moves.
#[test]
fn a_bar_across_rigid_bodies_is_held() {
    for (shape, low) in [
        ("Box(size: (0.1, 1, 0.1))", 0.05),
        ("Segment(from: (0, -0.5, 0), to: (0, 0.5, 0), radius: 0.05)", 0.05),
        ("Cylinder(radius: 0.05, length: 1), rotation: ((1, 0, 0), \"90 deg\")", 0.05),
    ] {
        for (cells, element) in [("(4, 1, 1)", "Hex8"), ("(4, 1, 1)", "Hex20"), ("(5, 2, 1)", "Tet10")] {
            let below = |x: f64| format!("(group: \"other\", material: \"r\", shape: {shape}, at: ({x}, 0, {}))", -0.2 - low);
            let bodies =
                format!("(group: \"mesh\", material: \"m\", {}), {}, {}", bar(cells, element), below(-0.37), below(0.36));
            let run = at_rest(3, &bodies, "Coulomb(friction: 0.5)", "(on: \"other\", load: Fixed)", "");
            let weight = 10.0 * run.setup().bodies.mass[0];
            let (force, case) = (carried(&run)[2], format!("{element} {cells} on {shape}"));
            assert!((force / weight - 1.0).abs() < 1e-3, "{case}: {force} N of {weight} N");
            let z = run.world().kinematics.position[0].z;
            assert!((z + 0.1).abs() < 2e-4, "{case}: at {z} m");
        }
    }
}

/// Edge over edge, both bodies turned about their own axis by 45°: the upper one keeps its height where they cross while it is held upright.
#[test]
fn an_edge_across_an_edge_is_held() {
    let turned = "rotation: ((1, 0, 0), \"45 deg\")";
    let half = 0.2 / 2.0_f64.sqrt();
    for upper in ["Box(size: (0.2, 1, 0.2))", "Mesh(of: Cuboid(size: (0.2, 1, 0.2), cells: (1, 3, 1), element: Hex8))"] {
        let is_mesh = upper.starts_with("Mesh");
        let roll = "rotation: ((0, 1, 0), \"45 deg\")";
        // a mesh turns about its own origin, a corner
        let at = if is_mesh { format!("({}, -0.47, {half})", 0.013 - half) } else { format!("(0.013, 0.03, {half})") };
        let (material, held) = if is_mesh {
            ("m", "(on: \"other\", load: Locked(axes: [X, Y]))")
        } else {
            ("r", "(on: \"other\", load: Locked(axes: [X, Y, SpinX, SpinY, SpinZ]))")
        };
        let bodies = format!(
            "(group: \"mesh\", material: \"m\", shape: Mesh(of: Cuboid(size: (1, 0.2, 0.2), cells: (3, 1, 1), element: Hex8)), {turned}, at: (-0.5, 0, {})), \
             (group: \"other\", material: \"{material}\", shape: {upper}, {roll}, at: {at})",
            -2.0 * half
        );
        let loads = format!("(on: \"mesh.left\", load: Fixed), (on: \"mesh.right\", load: Fixed), {held}");
        let run = at_rest(3, &bodies, "Coulomb(friction: 0.5)", &loads, "");
        let weight = 10.0 * run.setup().bodies.mass[1];
        let force = -carried(&run)[2];
        assert!((force / weight - 1.0).abs() < 1e-3, "{upper}: {force} N of {weight} N");
    }
}

/// A crib of eight bars in four layers, the lowest held: every layer bears what lies on it, though no rigid body is in it. The choice between sweeps and
/// Newton's method asked for the masses of rigid bodies, and went round for ever where there are none.
#[test]
fn a_crib_of_bars_bears_its_layers() {
    let layer = |n: u32| {
        let bar = |a: f64| match n % 2 {
            0 => format!("(size: (1, 0.1, 0.1), cells: (3, 1, 1), element: Hex8)), at: (0, {a}, {})", 0.1 * f64::from(n)),
            _ => format!("(size: (0.1, 1, 0.1), cells: (1, 3, 1), element: Hex8)), at: ({a}, 0, {})", 0.1 * f64::from(n)),
        };
        [0.1, 0.8].map(|a| format!("(group: \"l{n}\", material: \"m\", shape: Mesh(of: Cuboid{})", bar(a))).join(", ")
    };
    let bodies = [0, 1, 2, 3].map(layer).join(", ");
    let law = |a: usize, b: usize| format!("(between: (\"l{a}\", \"l{b}\"), law: Coulomb(friction: 0.3))");
    let pairs = (0..4).flat_map(|a| (a..4).map(move |b| law(a, b))).collect::<Vec<_>>().join(", ");
    let mut run = build(
        &format!(
            "(dimension: 3, gravity: (0, 0, -10), time: (step: 0.01, end: 1, theta: 1),\n\
             materials: {{\"m\": (density: 1000, elastic: (young: 1e8, poisson: 0.3), solid: (law: SaintVenantKirchhoff, retardation: 0.002))}},\n\
             bodies: [{bodies}], interactions: [{pairs}], loads: [(on: \"l0.back\", load: Fixed)], physics: [Contact()])"
        ),
        &[],
    );
    steps(&mut run, 40);
    for (n, mesh) in run.meshes().iter().enumerate() {
        let forces = &mesh.arrays.iter().find(|a| a.name == "contact_force").unwrap().values;
        let (up, down) = forces.chunks(3).fold((0.0, 0.0), |(up, down), f| (up + f[2].max(0.0), down - f[2].min(0.0)));
        // 10 kg a bar, two in a layer
        let (below, above) = (100.0 * (4.0 - (n / 2) as f64), 100.0 * (3.0 - (n / 2) as f64));
        assert!((down - above).abs() < 0.2, "bar {n} bears {down} N, not {above} N");
        assert!(n < 2 || (up - below).abs() < 0.2, "bar {n} is borne by {up} N, not {below} N");
    }
}
