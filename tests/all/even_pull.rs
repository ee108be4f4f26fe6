//! Bonds of meshes that are pulled evenly: on a rigid body and on an alike mesh, none is damaged before the strength is reached, and together they bear that.

use crate::granular::{build, column, steps};

/// A block pulled off by a load that rises to 1.3 of what the bonds bear in 1.3 s, drawn aside by a part of that: where the first damage is, and the first that is whole,
/// over that strength.
fn pulled((space, cells): (u8, &str), other: &str, (energy, aside): (f64, f64)) -> [f64; 2] {
    let (size, z, rigid) = match space {
        2 => ("Rectangle(size: (0.4, 0.2)", "y", "Box(size: (1, 0.2)), at: (0.2, -0.1)"),
        _ => ("Cuboid(size: (0.4, 0.4, 0.2)", "z", "Box(size: (1, 1, 0.2)), at: (0.2, 0.2, -0.1)"),
    };
    let (top, below) = if space == 2 { ("top", "bottom") } else { ("front", "back") };
    let floor = match other {
        "rigid" => format!(r#"(group: "f", material: "r", shape: {rigid})"#),
        "plane" => r#"(group: "f", material: "r", shape: Plane(normal: (0, 0, 1)))"#.to_owned(),
        _ => {
            let at = if space == 2 { "(0, -0.2)" } else { "(0, 0, -0.2)" };
            format!(r#"(group: "f", material: "m", shape: Mesh(of: {size}, cells: {cells})), at: {at})"#)
        }
    };
    let held = match other {
        "rigid" => r#", (on: "f", load: Fixed)"#.to_owned(),
        "plane" => String::new(),
        _ => format!(r#", (on: "f.{below}", load: Fixed)"#),
    };
    let aside = 2e4 * aside;
    let mut run = build(
        &format!(
            r#"(dimension: {space}, time: (step: "10 ms", end: 2, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e8, poisson: 0)), "r": (density: 1000)}},
  bodies: [(group: "b", material: "m", shape: Mesh(of: {size}, cells: {cells}))), {floor}],
  interactions: [(between: ("b", "f"), law: Extrinsic(friction: 0.3, strength: 1e4, energy: {energy}))],
  loads: [(on: "b.{top}", load: Traction({z}: Ramp(from: 0, to: 2e4, end: 2), x: Ramp(from: 0, to: {aside}, end: 2))){held}],
  physics: [Contact()], output: (probes: [(name: "d", of: "damage", reduce: Max)]))"#
        ),
        &[],
    );
    let (mut begins, mut breaks, mut now) = (None, None, 0.0);
    while breaks.is_none() && now < 1.3 {
        let last = steps(&mut run, 1);
        now = last.time;
        let damage = column(&run, &last, "d").unwrap_or(1.0);
        begins = begins.or((damage > 0.0).then_some(now));
        breaks = (damage >= 1.0).then_some(now);
    }
    [begins, breaks].map(|t| t.unwrap_or(f64::NAN))
}

/// Quadratic cells on a rigid body had broken at 0.68 to 0.75; damage of linear ones on an alike mesh began at 0.54, of Tet10 at 0.37.
#[test]
fn bonds_that_are_pulled_evenly_bear_their_strength() {
    let cells = [
        (2, "(4, 2), element: Q4"),
        (2, "(4, 2), element: Q8"),
        (2, "(4, 2), element: T6"),
        (2, "(16, 2), element: Q8"),
        (3, "(2, 2, 1), element: Hex8"),
        (3, "(2, 2, 1), element: Tet10"),
    ];
    for mesh in cells {
        for other in ["rigid", "mesh"] {
            let [begins, breaks] = pulled(mesh, other, (1e-3, 0.0));
            // steps of 0.01 of the load
            assert!(begins > 0.95 && breaks > 0.985 && breaks < 1.025, "{mesh:?} on {other}: {begins}, {breaks}");
        }
    }
}

/// A face of Hex20 has nine points for eight nodes. Damage began at 0.2 to 0.35, and at 0.1 with four cells along each side; they bore 0.94 to 1.02.
#[test]
fn more_points_than_nodes_bear_their_strength() {
    for (mesh, cells) in ["(1, 1, 1), element: Hex20", "(2, 2, 1), element: Hex20"].into_iter().enumerate() {
        for (place, other) in ["rigid", "plane", "mesh"].into_iter().enumerate() {
            // one of the two for each, the other on the other mesh
            let energy = [1e-3, 10.0][(mesh + place) % 2];
            let [begins, breaks] = pulled((3, cells), other, (energy, 0.0));
            // steps of 0.01 of the load, halved where damage rises
            assert!(begins > 0.985 && begins < 1.015, "{cells} on {other}, {energy}: begins at {begins}");
            // what is spent of a softening curve while it breaks is borne over a few steps
            assert!(breaks > 0.985 && breaks < 1.025, "{cells} on {other}, {energy}: breaks at {breaks}");
        }
    }
}

/// Drawn aside by a tenth of the pull at the top, at h of a side 2h: σ (1 + 6·0.1·h/2h) at the edge, beside a shear of 0.1 σ.
#[test]
fn more_points_than_nodes_are_bent_as_a_beam() {
    let edge = f64::hypot(1.3, 0.1);
    for other in ["rigid", "plane", "mesh"] {
        let [begins, breaks] = pulled((3, "(1, 1, 1), element: Hex20"), other, (10.0, 0.1));
        assert!((begins * edge - 1.0).abs() < 0.04 && breaks > begins, "{other}: {begins}, {breaks}");
    }
}

/// A pull of A t (σ = 1 at t = 1 s) on bonds of this strength, over σ: the most that they bear of it.
fn most((body, floor, up): (&str, &str, &str), pull: &str, (strength, energy): (f64, f64)) -> f64 {
    let dimension = if up == "z" { 3 } else { 2 };
    let component = up.to_uppercase();
    let mut run = build(
        &format!(
            r#"(dimension: {dimension}, time: (step: "10 ms", end: 2, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e8, poisson: 0)), "r": (density: 1000)}},
  bodies: [(group: "b", {body}), (group: "f", material: "r", {floor})],
  interactions: [(between: ("b", "f"), law: Extrinsic(friction: 0.3, strength: {strength}, energy: {energy}))],
  loads: [{pull}, (on: "f", load: Fixed)], physics: [Contact()],
  output: (probes: [(name: "force", of: "resultant", component: {component}, group: "f")]))"#
        ),
        &[],
    );
    let (mut most, mut now) = (0.0_f64, 0.0);
    while now < 1.04 {
        let last = steps(&mut run, 1);
        now = last.time;
        most = most.max(column(&run, &last, "force").unwrap());
    }
    most
}

/// A bond that has begun to give way by a billionth in a step that ends at its strength bore 1.01 of that in the next, up to 1.1 in longer steps; and one of which a step
/// asks 1.01 bore that.
#[test]
fn bonds_bear_no_more_than_their_strength() {
    let mesh = "material: \"m\", shape: Mesh(of: Cuboid(size: (1, 1, 0.2), cells: (2, 2, 1), element: Hex8))";
    let floor = "shape: Box(size: (3, 3, 0.2)), at: (0.5, 0.5, -0.1)";
    let pull = r#"(on: "b.front", load: Traction(z: Ramp(from: 0, to: 2e4, end: 2)))"#;
    for off in [-1e-6, 0.0, 1e-7, 1e-6] {
        let force = most((mesh, floor, "z"), pull, (1e4 * (1.0 - off), 1e4)) / 1e4;
        assert!((force - 1.0).abs() < 1e-3, "mesh, {off}: {force}");
    }
    let (block, floor) = (
        r#"material: "r", shape: Box(size: (0.4, 0.2)), at: (0.2, 0.1), mass: 1"#,
        "shape: Box(size: (1, 0.2)), at: (0.2, -0.1)",
    );
    let pull = r#"(on: "b", load: Force(y: Ramp(from: 0, to: 8000, end: 2)))"#;
    for off in [-1e-3, -3e-4, 1e-6] {
        let force = most((block, floor, "y"), pull, (1e4 * (1.0 - off), 10.0)) / 4e3;
        assert!((force - 1.0).abs() < 2e-3, "block, {off}: {force}");
    }
}

/// Two meshes with cells of one size: the same one has the contact points in every step, and no others come.
#[test]
fn alike_meshes_keep_their_contact_points() {
    let block = "shape: Mesh(of: Cuboid(size: (0.4, 0.4, 0.2), cells: (2, 2, 1), element: Hex8))";
    let mut run = build(
        &format!(
            r#"(dimension: 3, time: (step: "10 ms", end: 2, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e8, poisson: 0.3))}},
  bodies: [(group: "b", material: "m", {block}), (group: "f", material: "m", {block}, at: (0, 0, -0.2))],
  interactions: [(between: ("b", "f"), law: Extrinsic(friction: 0.3, strength: 1e6, energy: 1e3))],
  loads: [(on: "b.front", load: Traction(z: Ramp(from: 0, to: 2e4, end: 2), x: Ramp(from: 0, to: 1e3, end: 1))), (on: "f.back", load: Fixed)],
  physics: [Contact()])"#
        ),
        &[],
    );
    let keys = |run: &mpcd_sim::Simulation| run.world().network.iter().map(|c| c.key).collect::<Vec<_>>();
    steps(&mut run, 1);
    let first = keys(&run);
    assert_eq!(first.len(), 9);
    for step in 0..60 {
        steps(&mut run, 1);
        assert_eq!(keys(&run), first, "step {step}");
    }
}
