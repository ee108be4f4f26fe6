//! Bodies inside hollow ones, at speeds of many widths a step: they come back from the wall, or the run stops in words. And what a model of
//! such a kind may leave out: the inertia of a thin segment. Each against a number computed by hand.

use std::path::Path;

use mpcd::{Registry, StandardRegistry};
use mpcd_sim::{Model, Simulation};

fn built(text: &str) -> Result<Simulation, String> {
    let model = Model::parse_with(text, "containers", "containers.ron", Path::new(""), &[], &mpcd::shapes())
        .map_err(|e| e.to_string())?;
    Simulation::build(&model, &Registry::standard()).map_err(|e| format!("{e:?}"))
}

fn rolling_in(container: &str, speed: f64, step: f64, law: &str) -> Simulation {
    built(&format!(
        r#"(dimension: 3, gravity: (0, 0, -10), time: (step: {step}, end: 10), materials: {{"s": (density: 1000)}},
        bodies: [
            (group: "a", material: "s", shape: Sphere(radius: 0.02), at: (0, 0, 0.02), velocity: ({speed:?}, 0, 0)),
            (group: "w", material: "s", {container}),
        ],
        loads: [(on: "w", load: Fixed)],
        interactions: [(between: ("a", "w"), law: {law})],
        physics: [Contact()])"#
    ))
    .unwrap()
}

/// A ball slides over the floor of a closed cylinder to its wall, at all speeds and phases: half of its velocity comes back from there, and
/// it never stands still on the way.
#[test]
fn a_ball_comes_back_from_the_wall_of_a_closed_cylinder() {
    let cylinder = "shape: HollowCylinder(radius: 1, wall: 0.02, length: 1, closed: true), at: (0, 0, 0.5)";
    for speed in [0.3, 0.51, 0.7, 1.5, 2.0, 3.0, 5.0, 10.0, 20.0] {
        let mut run = rolling_in(cylinder, speed, 0.01, "Coulomb(friction: 0, restitution: 0.5)");
        let steps = (1.3 * 0.98 / speed / 0.01).ceil() as usize + 5;
        let (mut still, mut last) = (0, 0.0);
        for step in 0..steps {
            run.step().unwrap_or_else(|e| panic!("{speed} m/s, step {step}: {e}"));
            let x = run.world().kinematics.position[0].x;
            still = if x == last { still + 1 } else { 0 };
            assert!(x < 0.98 + 1e-3 && still < 3, "{speed} m/s, step {step}: x = {x}, {still} steps without a way");
            last = x;
        }
        let v = run.world().kinematics.velocity[0].x;
        assert!((v + 0.5 * speed).abs() < 1e-6 * speed, "{speed} m/s: comes back with {v}");
    }
}

/// Round the inside of a ring with a way of a twentieth of its radius in a step: the tangent leads 1.2 mm into the wall, more than what is let
/// pass. It goes on, or is stopped in words; it does not stand where it is with the velocity it had.
#[test]
fn a_disc_that_slides_round_a_ring_moves_or_is_stopped() {
    for (speed, step) in [(50.0, 1e-3), (100.0, 1e-3), (400.0, 1e-3), (5.0, 1e-3)] {
        let mut run = built(&format!(
            r#"(dimension: 2, time: (step: {step}, end: 10), materials: {{"s": (density: 1000)}},
            bodies: [
                (group: "a", material: "s", shape: Disc(radius: 0.02), at: (0.98, 0), velocity: (0, {speed:?})),
                (group: "w", material: "s", shape: HollowDisc(radius: 1, wall: 0.02)),
            ],
            loads: [(on: "w", load: Fixed)],
            interactions: [(between: ("a", "w"), law: Coulomb(friction: 0))],
            physics: [Contact()])"#
        ))
        .unwrap();
        let mut before = run.world().kinematics.position[0];
        for k in 0..20 {
            let h = match run.step() {
                Ok(outcome) => outcome.h,
                Err(stopped) => {
                    let words = stopped.to_string();
                    assert!(words.contains("went through") || words.contains("overlap"), "{speed}: {words}");
                    break;
                }
            };
            let now = run.world().kinematics.position[0];
            assert!((now - before).norm() > 0.5 * speed * h, "{speed} m/s, step {k}: a way of {}", (now - before).norm());
            before = now;
        }
    }
}

/// A rod without a radius turns as a thin rod does: hung by its end and let go from the horizontal, ω̇ = −3g/2L at first.
#[test]
fn a_segment_without_a_radius_swings_as_a_thin_rod() {
    for (dimension, gravity, [from, to], at) in [
        (2, "(0, -9.81)", ["(-0.5, 0)", "(0.5, 0)"], "(0.5, 0)"),
        (3, "(0, -9.81, 0)", ["(-0.5, 0, 0)", "(0.5, 0, 0)"], "(0.5, 0, 0)"),
    ] {
        let origin = if dimension == 2 { "(0, 0)" } else { "(0, 0, 0)" };
        let mut run = built(&format!(
            r#"(dimension: {dimension}, gravity: {gravity}, time: (step: 1e-4, end: 1), materials: {{"s": (density: 1000)}},
            bodies: [(group: "rod", material: "s", shape: Segment(from: {from}, to: {to}), mass: 2, at: {at})],
            joints: [(to_ground: "rod", joint: Pin(at: {origin}))],
            interactions: [(between: ("rod", "rod"), law: NoContact)],
            physics: [Contact(tolerance: 1e-10)])"#
        ))
        .unwrap_or_else(|e| panic!("{e}"));
        for _ in 0..100 {
            run.step().unwrap();
        }
        let spin = run.world().kinematics.angular_velocity[0].z;
        assert!((spin + 1.5 * 9.81 * 0.01).abs() < 1e-4, "{dimension}D: {spin}");
    }
}

/// `Velocity` with `Fixed` or `Locked` on one axis, in either order, is refused; on other axes it is not.
#[test]
fn an_axis_is_held_or_driven() {
    let model = |loads: &str| {
        format!(
            r#"(dimension: 2, time: (step: 1e-3, end: 1), materials: {{"s": (density: 1000)}},
            bodies: [(group: "a", material: "s", shape: Disc(radius: 0.02))],
            loads: [{loads}], interactions: [(between: ("a", "a"), law: NoContact)], physics: [Contact()])"#
        )
    };
    let drive = r#"(on: "a", load: Velocity(x: 0.1))"#;
    for hold in [r#"(on: "a", load: Fixed)"#, r#"(on: "a", load: Locked(axes: [X]))"#] {
        for loads in [format!("{drive}, {hold}"), format!("{hold}, {drive}")] {
            let refused = built(&model(&loads)).err().unwrap_or_default();
            assert!(refused.contains("held and driven"), "{loads}: {refused}");
        }
    }
    built(&model(&format!(r#"{drive}, (on: "a", load: Locked(axes: [Y, SpinZ]))"#))).unwrap();
}

/// One body so fast that every pair of a thousand comes within its way of a step: refused before memory is taken, with what helps.
#[test]
fn more_pairs_than_can_be_looked_at_are_refused() {
    let mut run = built(
        r#"(dimension: 2, time: (step: 0.01, end: 1), materials: {"s": (density: 1000)},
        bodies: [
            (group: "bed", material: "s", as: Disc(), packing: Lattice(from: (0, 0), to: (0.8, 0.8), sizes: Fixed(radius: "5 mm"))),
            (group: "fast", material: "s", shape: Disc(radius: 0.005), at: (-50, 5), velocity: (1000, 0)),
        ],
        interactions: [
            (between: ("bed", "bed"), law: Coulomb(friction: 0.3)), (between: ("bed", "fast"), law: Coulomb(friction: 0.3)),
            (between: ("fast", "fast"), law: NoContact),
        ],
        physics: [Contact()])"#,
    )
    .unwrap_or_else(|e| panic!("{e}"));
    let words = run.step().err().map_or_else(String::new, |e| e.to_string());
    assert!(words.contains("more than can be looked at; shorten the time step"), "{words}");
}
