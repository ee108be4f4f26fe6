//! Meshes that turn with rigid bodies, held by bonds and by friction: what holds them carries what the motion asks for and no more, whatever the step.

use crate::granular::{build, column};

const MATERIAL: &str = r#"materials: {"m": (density: 1000, elastic: (young: 1e8, poisson: 0.3), solid: (law: NeoHookean))}"#;

/// Largest numbers of these columns in a run.
fn most<const N: usize>(text: &str, names: [&str; N]) -> ([f64; N], [f64; N]) {
    let mut run = build(text, &[]);
    let (mut most, mut last) = ([0.0_f64; N], [0.0; N]);
    while !run.finished() {
        let step = run.step().unwrap_or_else(|e| panic!("{text}: {e}"));
        last = names.map(|name| column(&run, &step, name).unwrap());
        most = std::array::from_fn(|k| most[k].max(last[k].abs()));
    }
    (most, last)
}

/// A block bonded to a plate that turns by a quarter at 1 rad/s: the bond carries m ω² r = 2 N of 20 kN, and the block the stress of its own turning, ρω²r² of some Pa. A rigid point was led on a
/// tangent where nodes go along a chord: r(ωh)²/2 in a step, which added up to 0.83 of damage, and to 0.39 MPa under a bond too strong to be damaged.
#[test]
fn what_is_bonded_to_a_turning_plate_is_not_torn() {
    let quarter = std::f64::consts::FRAC_PI_2;
    for (steps, theta, strength) in [(200, 1.0, "1e5"), (50, 1.0, "1e5"), (200, 0.5, "1e5"), (200, 1.0, "1e8")] {
        let text = format!(
            r#"(dimension: 2, time: (step: {}, end: {quarter}, theta: {theta}), {MATERIAL},
            bodies: [(group: "b", material: "m", shape: Mesh(of: Rectangle(size: (0.2, 0.1), cells: (4, 3), element: Q4)), at: (-0.1, 0.05), spin: 1, velocity: (-0.1, 0)),
                     (group: "f", material: "m", shape: Box(size: (0.4, 0.1)), spin: 1)],
            interactions: [(between: ("b", "f"), law: Bilinear(friction: 0.3, tensile_strength: {strength}, energy: 1e7, normal_stiffness: 1e9))],
            loads: [(on: "f", load: Velocity(x: 0, y: 0, spin_z: 1))], physics: [Contact()],
            output: (probes: [(name: "d", of: "damage", reduce: Max), (name: "stress", of: "von_mises", group: "b", reduce: Max), (name: "f", of: "resultant", component: Norm, group: "f")]))"#,
            quarter / f64::from(steps)
        );
        let ([damage, stress, _], [.., force]) = most(&text, ["d", "stress", "f"]);
        assert!(damage == 0.0 && stress < 50.0, "{steps} steps, θ {theta}: damage {damage}, {stress} Pa");
        assert!((force / 2.0 - 1.0).abs() < 2e-2, "{steps} steps, θ {theta}: {force} N");
    }
}

/// The same in space, and a free pair of a mesh and a rigid block that spins.
#[test]
fn bonded_pairs_of_a_mesh_and_a_block_spin_as_one() {
    let law = "Bilinear(friction: 0.3, tensile_strength: 1e5, energy: 100, normal_stiffness: 1e9)";
    let space = format!(
        r#"(dimension: 3, time: (step: 0.0157, end: 1.57, theta: 1), {MATERIAL},
        bodies: [(group: "b", material: "m", shape: Mesh(of: Cuboid(size: (0.2, 0.2, 0.1), cells: (2, 2, 1), element: Hex8)), at: (-0.1, -0.1, 0.05), spin: (0, 0, 1)),
                 (group: "f", material: "m", shape: Box(size: (0.4, 0.4, 0.1)), spin: (0, 0, 1))],
        interactions: [(between: ("b", "f"), law: {law})], loads: [(on: "f", load: Velocity(x: 0, y: 0, z: 0, spin_x: 0, spin_y: 0, spin_z: 1))], physics: [Contact()],
        output: (probes: [(name: "d", of: "damage", reduce: Max), (name: "stress", of: "von_mises", group: "b", reduce: Max)]))"#
    );
    let free = format!(
        r#"(dimension: 2, time: (step: 7.85e-3, end: 1.57), {MATERIAL},
        bodies: [(group: "b", material: "m", shape: Mesh(of: Rectangle(size: (0.2, 0.1), cells: (4, 3), element: Q4)), at: (-0.1, 0), spin: 1, velocity: (-0.05, 0)),
                 (group: "f", material: "m", shape: Box(size: (0.2, 0.1)), at: (0, -0.05), spin: 1, velocity: (0.05, 0))],
        interactions: [(between: ("b", "f"), law: {law})], physics: [Contact()],
        output: (probes: [(name: "d", of: "damage", reduce: Max), (name: "stress", of: "von_mises", group: "b", reduce: Max)]))"#
    );
    for text in [space, free] {
        let ([damage, stress], _) = most(&text, ["d", "stress"]);
        assert!(damage == 0.0 && stress < 50.0, "damage {damage}, {stress} Pa in {text}");
    }
}

/// A block that rests by friction on a table that is set turning, to 0.5 rad/s: its stress is that of its weight, 547 Pa, and some Pa of the turning. It was led outwards until friction let it slip, at 1646 Pa.
#[test]
fn what_sticks_to_a_turntable_keeps_its_stress() {
    let text = format!(
        r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: 0.01, end: 2, theta: 1), {MATERIAL},
        bodies: [(group: "b", material: "m", shape: Mesh(of: Cuboid(size: (0.2, 0.2, 0.1), cells: (3, 3, 2), element: Hex8)), at: (-0.1, -0.1, 0)),
                 (group: "f", material: "m", shape: Box(size: (1, 1, 0.1)), at: (0, 0, -0.05))],
        interactions: [(between: ("b", "f"), law: Coulomb(friction: 0.5))],
        loads: [(on: "f", load: Velocity(x: 0, y: 0, z: 0, spin_x: 0, spin_y: 0, spin_z: Ramp(from: 0, to: 0.5, start: 0.5, end: 1)))], physics: [Contact()],
        output: (probes: [(name: "stress", of: "von_mises", group: "b", reduce: Max), (name: "v", of: "velocity", component: Norm, group: "b", reduce: Max)]))"#
    );
    let ([stress, _], [last, speed]) = most(&text, ["stress", "v"]);
    assert!(stress < 700.0 && (last / 548.0 - 1.0).abs() < 2e-2, "{stress} Pa, {last} Pa");
    assert!(speed < 1e-6, "{speed}");
}
