//! The mouth of an open tube: what falls in, what falls out, what rests on it.

use crate::granular::{build, column, steps};

/// A tube of 6 cm bore and 4 cm wall, 20 cm long, and what falls from above it on or beside its axis.
fn over_a_tube(body: &str, law: &str, more: &str) -> mpcd_sim::Simulation {
    build(
        &format!(
            r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: "0.5 ms", end: 1), materials: {{"m": (density: 1000)}},
  bodies: [(group: "b", material: "m", {body}), (group: "tube", material: "m", shape: HollowCylinder(radius: "6 cm", wall: "4 cm", length: "20 cm"))],
  interactions: [(between: ("b", "tube"), law: {law})], loads: [(on: "tube", load: Fixed)], {more}
  physics: [Contact()], output: (probes: [(name: "n", of: "resultant", component: Z, group: "tube")]))"#
        ),
        &[],
    )
}

/// What fits falls through an open tube without touching it, and out of it: its mouth was a lid from outside, and threw out what left it (z = −0.76 for −0.26 m).
#[test]
fn the_mouth_of_a_tube_is_open() {
    for law in ["Coulomb(friction: 0.5)", "Elastic(stiffness: 1e4, friction: 0)"] {
        for body in ["Sphere(radius: 0.01)", "Box(size: (0.02, 0.03, 0.02))", "Capsule(radius: 0.01, length: 0.03)"] {
            for x in [0.0, 0.03] {
                let mut run = over_a_tube(&format!("shape: {body}, at: ({x}, 0, 0.15)"), law, "");
                steps(&mut run, 700);
                let z = run.world().kinematics.position[0].z;
                let fallen = 0.15 - 0.5 * 9.81 * 0.35 * 0.35;
                assert!((z - fallen).abs() < 1e-3, "{body} at {x} m, {law}: {z} m, {fallen} m in free fall");
            }
        }
    }
}

/// A ball that is wider than the hole rests on the rim of that, √(R² − r²) above it; one over the wall on its end; one over the hole near the rim rolls in.
#[test]
fn balls_rest_on_the_mouth_of_a_tube() {
    let weight = |r: f64| 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * r * r * r * 9.81;
    let high = 0.1 + (0.08_f64 * 0.08 - 0.06 * 0.06).sqrt();
    for (r, at, z) in [(0.08, "(0, 0, 0.1529150262)", high), (0.08, "(0.002, 0, 0.16)", high), (0.01, "(0.08, 0, 0.11)", 0.11)] {
        let mut run = over_a_tube(&format!("shape: Sphere(radius: {r}), at: {at}"), "Coulomb(friction: 0.5)", "");
        let last = steps(&mut run, 1500);
        let (x, n) = (run.world().kinematics.position[0], column(&run, &last, "n").unwrap());
        assert!((x.z - z).abs() < 1e-3, "{r} m from {at}: at {x:?}, expected {z} m");
        assert!((-n / weight(r) - 1.0).abs() < 2e-2, "{r} m from {at}: {n} N of {}", weight(r));
    }
    let mut run = over_a_tube("shape: Sphere(radius: 0.01), at: (0.0585, 0, 0.111)", "Coulomb(friction: 0.5)", "");
    steps(&mut run, 1000);
    assert!(run.world().kinematics.position[0].z < 0.0, "{:?}", run.world().kinematics.position[0]);
}

/// A ball that rolls along a tube rolls out of it as it came (0.6 m/s became 9.6).
#[test]
fn a_ball_rolls_out_of_a_tube() {
    for law in ["Coulomb(friction: 0.5)", "Elastic(stiffness: 1e4, friction: 0.5)"] {
        let mut run = build(
            &format!(
                r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: "0.5 ms", end: 1), materials: {{"m": (density: 1000)}},
  bodies: [(group: "b", material: "m", shape: Sphere(radius: 0.01), at: (0, 0, -0.05), velocity: (0.6, 0, 0), spin: (0, 60, 0)),
    (group: "tube", material: "m", shape: HollowCylinder(radius: "6 cm", wall: "4 cm", length: "20 cm"), rotation: ((0, 1, 0), "90 deg"))],
  interactions: [(between: ("b", "tube"), law: {law})], loads: [(on: "tube", load: Fixed)], physics: [Contact()])"#
            ),
            &[],
        );
        steps(&mut run, 500);
        let (x, v) = (run.world().kinematics.position[0], run.world().kinematics.velocity[0]);
        // falls over the rim with what it had and what that height gives
        assert!(x.x > 0.13 && (v.x - 0.6).abs() < 0.05 && v.norm() < 2.0, "{law}: {x:?}, {v:?}");
    }
}
