//! Bodies under a moment that contacts or bonds hold, or that nothing holds: what is held stays, what is free has the angular momentum that it was given, whatever its moments of inertia are and however long the steps.

use mpcd_core::{Quat, Vec3};
use mpcd_sim::Simulation;

use crate::granular::build;

/// A block on the floor under a moment that rises in 20 steps and stays (N m), with moments of inertia of its own or those given.
fn block((law, floor, gravity): (&str, &str, f64), inertia: &str, moment: [f64; 3], (h, theta): (f64, f64)) -> Simulation {
    let rise = |m: f64| format!("Ramp(from: 0, to: {m}, end: {})", 20.0 * h);
    let [x, y, z] = moment.map(rise);
    build(
        &format!(
            r#"(dimension: 3, gravity: (0, 0, {gravity}), time: (step: {h}, end: {}, theta: {theta}), materials: {{"m": (density: 1000)}},
  bodies: [(group: "block", material: "m", shape: Box(size: (0.1, 0.06, 0.04)), at: (0, 0, 0.02) {inertia}), (group: "floor", material: "m", {floor})],
  interactions: [(between: ("block", "floor"), law: {law})],
  loads: [(on: "floor", load: Fixed), (on: "block", load: Force(torque_x: {x}, torque_y: {y}, torque_z: {z}))], physics: [Contact(tolerance: 1e-10)])"#,
            400.0 * h
        ),
        &[],
    )
}

const PLANE: &str = "shape: Plane(normal: (0, 0, 1))";
const SLAB: &str = "shape: Box(size: (1, 1, 0.2)), at: (0, 0, -0.1)";
const BOND: &str =
    "Bilinear(normal_stiffness: 1e9, tangential_stiffness: 1e9, tensile_strength: 1e7, energy: 1e6, friction: 0.3)";
const WHOLE: &str = "MohrCoulomb(friction: 0.5, tensile_strength: 1e8, cohesion: 1e8)";

/// How far the block is from where it was in the middle of the run, as an angle (rad) and a way (m).
fn drift(run: &mut Simulation, of: &str) -> (f64, f64) {
    let place = |run: &Simulation| -> (Quat, Vec3) {
        let now = &run.world().kinematics;
        (now.orientation[0], now.position[0])
    };
    for _ in 0..200 {
        run.step().unwrap_or_else(|e| panic!("{of}: {e}"));
    }
    let (q, x) = place(run);
    while !run.finished() {
        run.step().unwrap_or_else(|e| panic!("{of}: {e}"));
    }
    let (r, y) = place(run);
    (q.angle_to(&r), (x - y).norm())
}

/// It sank by 339 µm a second, in ever larger steps at 1 ms (0.05 to 5 N m turned it through its bonds and its friction): what contacts had to hold was the moment of a body that turns at h M/J.
#[test]
fn what_is_held_against_a_moment_does_not_turn() {
    const EQUAL: &str = ", inertia: (1.5e-4, 1.5e-4, 1.5e-4)";
    for (scene, moment) in [
        ((BOND, PLANE, 0.0), [0.0, 2.0, 2.0]),
        ((BOND, SLAB, 0.0), [0.5, 2.0, 1.0]),
        ((WHOLE, SLAB, 0.0), [0.5, 1.0, 2.0]),
        (("Coulomb(friction: 2)", PLANE, -9.81), [0.0283, 0.0353, 0.0]),
        (("Coulomb(friction: 2)", SLAB, -9.81), [0.02, 0.02, 0.03]),
        (("Elastic(stiffness: 1e6, friction: 2)", SLAB, -9.81), [0.02, 0.02, 0.03]),
    ] {
        for inertia in ["", EQUAL] {
            for step in [(1e-3, 0.5), (5e-3, 0.5), (5e-3, 1.0)] {
                let of = format!("{scene:?}, {inertia}, {step:?}");
                let mut run = block(scene, inertia, moment, step);
                let (angle, way) = drift(&mut run, &of);
                assert!(angle < 1e-7 && way < 1e-8, "{of}: {angle} rad, {way} m");
                assert!(run.summary().warnings.is_empty(), "{of}: {:?}", run.summary().warnings);
            }
        }
    }
}

/// A weld bears what it is given, and what rounding does of it makes no energy that were worth a word.
#[test]
fn nothing_is_told_of_a_weld_at_rest() {
    let mut run = build(
        r#"(dimension: 3, time: (step: "1 ms", end: 0.1), materials: {"m": (density: 1000)},
  bodies: [(group: "block", material: "m", shape: Box(size: (0.1, 0.06, 0.04)))],
  joints: [(to_ground: "block", name: "j", joint: Weld(at: (0, 0, 0)))],
  loads: [(on: "block", load: Force(torque_x: 5, torque_y: 5, torque_z: 0))], physics: [Contact(tolerance: 1e-10)])"#,
        &[],
    );
    while !run.finished() {
        run.step().unwrap();
    }
    let said = run.summary().warnings;
    assert!(said.is_empty() && run.world().kinematics.orientation[0].angle() < 1e-12, "{said:?}");
}

/// I ω = ∫ M dt, however it turns.
#[test]
fn what_nothing_holds_has_the_angular_momentum_it_was_given() {
    for theta in [0.5, 1.0] {
        let moment = [0.02, -0.03, 0.05];
        let mut run = build(
            &format!(
                r#"(dimension: 3, time: (step: 2e-3, end: 1, theta: {theta}), materials: {{"m": (density: 1000)}},
  bodies: [(group: "block", material: "m", shape: Box(size: (0.1, 0.06, 0.04)), at: (0, 0, 0), spin: (1, 2, -3))],
  loads: [(on: "block", load: Force(torque_x: {}, torque_y: {}, torque_z: {}))], physics: [Contact()])"#,
                moment[0], moment[1], moment[2]
            ),
            &[],
        );
        let momentum = |run: &Simulation| {
            let (now, inertia) = (&run.world().kinematics, run.setup().bodies.inertia[0]);
            now.orientation[0] * inertia.component_mul(&now.orientation[0].inverse_transform_vector(&now.angular_velocity[0]))
        };
        let start = momentum(&run);
        while !run.finished() {
            run.step().unwrap();
            let wanted = start + Vec3::from(moment) * run.time();
            let off = (momentum(&run) - wanted).norm() / wanted.norm();
            assert!(off < 1e-11, "θ = {theta}, t = {}: {off}", run.time());
        }
    }
}

/// A spheroid that rolls about its axis has two centres of curvature. The one it would have as a ball may be where that of a slab is, which was taken for the round one then: 0.6 % slower, and friction that gave work.
#[test]
fn a_spheroid_rolls_down_a_slab_of_any_thickness_as_down_a_plane() {
    let mut ends = Vec::new();
    for floor in [PLANE, "shape: Box(size: (2, 2, 0.1)), at: (0, 0, -0.05)", "shape: Box(size: (2, 2, 0.04)), at: (0, 0, -0.02)"]
    {
        let mut run = build(
            &format!(
                r#"(dimension: 3, gravity: (4.1459, 0, -8.8909), time: (step: "4 ms", end: 0.6), materials: {{"m": (density: 1000)}},
  bodies: [(group: "b", material: "m", shape: Ellipsoid(radii: (0.02, 0.05, 0.02)), at: (0, 0, 0.02)), (group: "f", material: "m", {floor})],
  interactions: [(between: ("b", "f"), law: Coulomb(friction: 0.3))], loads: [(on: "f", load: Fixed)], physics: [Contact(tolerance: 1e-8)])"#
            ),
            &[],
        );
        while !run.finished() {
            run.step().unwrap();
        }
        ends.push(run.world().kinematics.velocity[0].x);
    }
    // J = 2/5 m a² about its axis
    let wanted = 4.1459 * 0.6 / 1.4;
    assert!(ends.iter().all(|v| (v / wanted - 1.0).abs() < 1e-6), "{ends:?}, not {wanted}");
}
