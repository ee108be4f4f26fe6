//! VALIDATION §6, flat contacts through the whole program: blocks that land, slide over a joint and over an edge, walls at rest.
//! What the points of a face do may not be seen in what the body feels.

#![allow(clippy::print_stdout, reason = "numbers for the reader of a test run")]

use mpcd_core::{ContactKey, Vec3};
use mpcd_sim::{Simulation, StepOutcome};

use crate::granular::build;

const G: f64 = 9.81;
/// Half the edge of the moving cube (m).
const HALF: f64 = 0.1;
const WEIGHT: f64 = 2000.0 * 8.0 * HALF * HALF * HALF * G;
const STEP: f64 = 1e-3;
/// Friction coefficient.
const MU: f64 = 0.3;

/// A cube (body 0) over what `ground` says, in space.
fn scene(cube: &str, ground: &str, loads: &str, warm: bool) -> Simulation {
    let text = format!(
        r#"(dimension: 3, gravity: (0, 0, -{G}), time: (step: {STEP}, end: 1000), materials: {{"stone": (density: 2000)}},
        bodies: [
          (group: "cube", material: "stone", shape: Box(half: ({HALF}, {HALF}, {HALF})), {cube}),
          {ground}
        ],
        interactions: [(between: ("cube", "ground"), law: Coulomb(friction: {MU}))],
        loads: [{loads}],
        physics: [Contact(solver: "auto", tolerance: 1e-9, warm_start: {warm})])"#
    );
    build(&text, &[])
}

/// What the cube feels in a step, and through which points.
struct Felt {
    /// Sum of the contact forces (N).
    force: Vec3,
    /// Their moment about the mass centre [N m].
    moment: Vec3,
    /// Keys and places of the points (m), by key.
    points: Vec<(ContactKey, Vec3)>,
    iterations: u64,
}

fn felt(run: &Simulation, outcome: &StepOutcome) -> Felt {
    let world = run.world();
    // Forces act in the middle of the step.
    let centre = world.kinematics.position[0] - 0.5 * outcome.h * world.kinematics.velocity[0];
    let (mut force, mut moment) = (Vec3::zeros(), Vec3::zeros());
    for contact in world.network.iter() {
        let sign = if contact.key.candidate.index() == 0 { 1.0 } else { -1.0 };
        let f = sign * contact.force(outcome.h);
        force += f;
        moment += (contact.point - centre).cross(&f);
    }
    let points = world.network.iter().map(|c| (c.key, c.point)).collect();
    Felt { force, moment, points, iterations: outcome.iterations }
}

/// The worst of a quasi-static passage, forces over the weight, moments over weight times half the edge.
#[derive(Debug, Default)]
struct Worst {
    /// Of force and moment from step to step.
    jump: f64,
    /// Of force and moment from what equilibrium asks for.
    off: f64,
    /// Points that moved no more than the cube in a step and yet have another key.
    renamed: usize,
    /// Steps in which points came, went or got another key.
    events: usize,
    /// Sweeps of the solver, over the steps without such an event.
    iterations: u64,
}

/// Goes on for `steps` steps in which the contact force should be `want` and its moment zero; points move up to `way` (m) a step.
fn passage(run: &mut Simulation, steps: usize, want: Vec3, way: f64) -> Worst {
    let mut worst = Worst::default();
    let mut last: Option<Felt> = None;
    for _ in 0..steps {
        let outcome = run.step().unwrap();
        let now = felt(run, &outcome);
        let relative = |force: Vec3, moment: Vec3| (force.norm() / WEIGHT).max(moment.norm() / (WEIGHT * HALF));
        worst.off = worst.off.max(relative(now.force - want, now.moment));
        if let Some(last) = &last {
            worst.jump = worst.jump.max(relative(now.force - last.force, now.moment - last.moment));
            worst.renamed += renamed(last, &now, way);
            let same = last.points.iter().map(|p| p.0).eq(now.points.iter().map(|p| p.0));
            worst.events += usize::from(!same);
            worst.iterations += if same { now.iterations } else { 0 };
        }
        last = Some(now);
    }
    worst
}

/// Points with another key than the only point of the same bodies that was within `way` before.
fn renamed(before: &Felt, now: &Felt, way: f64) -> usize {
    let changed = |(key, point): &&(ContactKey, Vec3)| {
        let pair = |k: &ContactKey| (k.candidate, k.antagonist);
        let mut near = before.points.iter().filter(|(k, x)| pair(k) == pair(key) && (x - point).norm() <= way);
        matches!((near.next(), near.next()), (Some((k, _)), None) if k != key)
    };
    now.points.iter().filter(changed).count()
}

const UP: Vec3 = Vec3::new(0.0, 0.0, WEIGHT);
/// Bricks wider than the cube, their tops at z = 0, that meet at x = 0.
const BRICKS: &str = r#"(group: "ground", material: "stone", shape: Box(half: (0.25, 0.2, 0.05)), at: (-0.25, 0, -0.05)),
          (group: "ground", material: "stone", shape: Box(half: (0.25, 0.2, 0.05)), at: (0.25, 0, -0.05))"#;
const HELD: &str = r#"(on: "ground", load: Fixed)"#;

/// A cube falls 1 mm tilted by 0.02 rad, rocks to rest, and stands on its four corners.
fn lands(ground: &str, held: &str) {
    let cube = |tilt: &str| format!("at: (-0.22, 0.03, 0.103), rotation: ({tilt}, 0.02)");
    for tilt in ["(0, 1, 0)", "(1, 0.3, 0)"] {
        let mut run = scene(&cube(tilt), ground, held, true);
        let mut pushed: Vec<ContactKey> = Vec::new();
        for _ in 0..1500 {
            run.step().unwrap();
            pushed.extend(run.world().network.iter().filter(|c| c.r.x > 0.0).map(|c| c.key));
        }
        let rest: Vec<ContactKey> = run.world().network.iter().map(|c| c.key).collect();
        assert_eq!(rest.len(), 4, "tilted about {tilt}: points {rest:?}");
        assert!(pushed.iter().all(|k| rest.contains(k)), "tilted about {tilt}: pushed {pushed:?}, stands on {rest:?}");
        let worst = passage(&mut run, 500, UP, 1e-6);
        // A warm start is the solution already: one sweep sees it.
        assert_eq!(worst.iterations, 499, "tilted about {tilt}: {worst:?}");
        println!("tilted about {tilt}: {worst:?}");
        assert!(worst.events == 0 && worst.renamed == 0, "tilted about {tilt}: {worst:?}");
        assert!(worst.off <= 1e-6 && worst.jump <= 1e-6, "tilted about {tilt}: {worst:?}");
        let k = run.world().kinematics;
        let (speed, spin) = (k.velocity[0].norm(), k.angular_velocity[0].norm());
        assert!(speed < 1e-9 && spin < 1e-8, "tilted about {tilt}: {speed:e} m/s, {spin:e} rad/s");
        assert!((k.position[0].z - HALF).abs() < 1e-6, "tilted about {tilt}: {:e} m too high", k.position[0].z - HALF);
        let cold = passage(&mut scene("at: (-0.22, 0.03, 0.1)", ground, held, false), 500, UP, 1e-6);
        println!("without warm start: {cold:?}");
        assert!(cold.iterations >= 2 * worst.iterations, "{cold:?}");
    }
}

#[test]
fn v06_a_tilted_cube_lands_flat_on_a_plane() {
    lands(r#"(group: "ground", material: "stone", shape: Plane(normal: (0, 0, 1)))"#, "");
}

#[test]
fn v06_a_tilted_cube_lands_flat_on_a_brick() {
    lands(r#"(group: "ground", material: "stone", shape: Box(half: (0.5, 0.5, 0.05)), at: (0, 0, -0.05))"#, HELD);
}

/// Slides a cube turned by `turn` about z over `ground` along x at 5 cm/s, from `from` to `to` (m).
fn slides(ground: &str, turn: f64, from: f64, to: f64) -> Worst {
    let speed = 0.05;
    let loads = format!(r#"(on: "cube", load: Velocity(x: {speed})), {HELD}"#);
    let mut run = scene(&format!("at: ({from}, 0.03, {HALF}), rotation: ((0, 0, 1), {turn})"), ground, &loads, true);
    let steps = ((to - from) / (speed * STEP)).round() as usize;
    for _ in 0..5 {
        run.step().unwrap();
    }
    let worst = passage(&mut run, steps - 5, Vec3::new(-MU * WEIGHT, 0.0, WEIGHT), 1.5 * speed * STEP);
    println!("turned by {turn}: {worst:?}");
    let x = run.world().kinematics.position[0];
    assert!((x - Vec3::new(to, 0.03, HALF)).norm() < 1e-6, "turned by {turn}: stands at {x:?}");
    worst
}

/// The resultant of equilibrium in every step, whatever the points do: the weight up, μ times it back, no moment about the
/// mass centre, so that the normal forces act μ HALF ahead of it.
fn smooth(ground: &str, turn: f64, from: f64, to: f64) {
    let worst = slides(ground, turn, from, to);
    assert!(worst.off <= 1e-6 && worst.jump <= 1e-6, "turned by {turn}: {worst:?}");
    // Four corners pass an edge of each of two bricks.
    assert!(worst.events <= 8 && worst.renamed <= 8, "turned by {turn}: {worst:?}");
}

#[test]
fn v06_a_cube_slides_over_the_joint_of_two_bricks() {
    smooth(BRICKS, 0.0, -0.13, 0.13);
    smooth(BRICKS, 0.3, -0.13, 0.13);
}

#[test]
fn v06_a_cube_slides_over_an_edge() {
    // The normal forces act at x + μ HALF, which must stay on the brick: up to x = 0.21.
    let brick = r#"(group: "ground", material: "stone", shape: Box(half: (0.25, 0.2, 0.05)), at: (0, 0, -0.05))"#;
    smooth(brick, 0.0, 0.1, 0.21);
    smooth(brick, 0.3, 0.1, 0.21);
}

/// What a wall at rest does after it settled.
#[derive(Debug)]
struct Rest {
    bodies: usize,
    /// Largest speed of any brick in any step [m/s], spin times half its length included.
    speed: f64,
    /// Farthest way of any brick's centre (m).
    drift: f64,
    /// Deepest penetration (m).
    depth: f64,
    /// Error of the force on the floor over the weight, largest.
    weight: f64,
    iterations: u64,
}

/// A running bond of bricks of 0.2 m × 0.1 m × 1 m in the plane.
fn wall(bricks: usize, courses: usize, settle: usize, steps: usize) -> Rest {
    let packing = format!("Wall(brick: (0.2, 0.1), bricks: {bricks}, courses: {courses}, bond: Running)");
    rest_of(&packing, "", 0.2 * 0.1 * (bricks * courses) as f64, settle, steps)
}

/// Blocks of stone on a floor, with more `planes` if they need any; `area` is theirs in all (m²).
fn rest_of(packing: &str, planes: &str, area: f64, settle: usize, steps: usize) -> Rest {
    let text = format!(
        r#"(dimension: 2, gravity: (0, -{G}), time: (step: {STEP}, end: 1000), materials: {{"stone": (density: 2000)}},
        bodies: [
          (group: "bricks", material: "stone", packing: {packing}),
          {planes}
          (group: "floor", material: "stone", shape: Plane(normal: (0, 1))),
        ],
        interactions: [
          (between: ("bricks", "bricks"), law: Coulomb(friction: 0.6)), (between: ("bricks", "floor"), law: Coulomb(friction: 0.6)),
        ],
        physics: [Contact(solver: "auto", tolerance: 1e-8)])"#
    );
    let mut run = build(&text, &[]);
    let floor = run.setup().bodies.mass.iter().filter(|m| **m > 0.0).count();
    for _ in 0..settle {
        run.step().unwrap();
    }
    let start = run.world().kinematics.position.clone();
    let weight = 2000.0 * area * G;
    let mut rest = Rest { bodies: floor, speed: 0.0, drift: 0.0, depth: 0.0, weight: 0.0, iterations: 0 };
    for _ in 0..steps {
        let outcome = run.step().unwrap();
        let world = run.world();
        for (v, w) in world.kinematics.velocity.iter().zip(&world.kinematics.angular_velocity) {
            rest.speed = rest.speed.max(v.norm() + 0.1 * w.norm());
        }
        rest.depth = world.network.iter().map(|c| -c.gap).fold(rest.depth, f64::max);
        let on_floor = world.network.iter().filter(|c| c.key.antagonist.index() >= floor);
        let carried: f64 = on_floor.map(|c| c.force(outcome.h).y).sum();
        rest.weight = rest.weight.max((carried / weight - 1.0).abs());
        rest.iterations += outcome.iterations;
    }
    rest.drift = run.world().kinematics.position.iter().zip(&start).map(|(x, y)| (x - y).norm()).fold(0.0, f64::max);
    println!("{packing} after {settle} steps, over {steps}: {rest:?}");
    rest
}

fn stands(rest: &Rest) {
    assert!(rest.speed < 1e-6, "{rest:?}");
    assert!(rest.depth < 1e-4 * 0.1, "{rest:?}");
    assert!(rest.weight < 1e-4, "{rest:?}");
    assert!(rest.drift < 1e-6, "{rest:?}");
}

/// Cells that fill a box stand in it: joints in all directions, several faces to each cell. How much the walls take is not unique; what
/// floor and walls take together is the weight.
#[test]
fn v06_a_box_full_of_voronoi_cells_rests() {
    let sides = r#"(group: "floor", material: "stone", shape: Plane(normal: (1, 0))),
          (group: "floor", material: "stone", shape: Plane(normal: (-1, 0)), at: (1.2, 0)),"#;
    let rest = rest_of("Voronoi(from: (0, 0), to: (1.2, 0.8), count: 80, seed: 3)", sides, 1.2 * 0.8, 200, 300);
    assert_eq!(rest.bodies, 80);
    stands(&rest);
}

#[test]
fn v06_a_wall_rests() {
    let rest = wall(8, 8, 200, 300);
    assert_eq!(rest.bodies, 68);
    stands(&rest);
}

#[test]
#[ignore = "ten thousand steps of a thousand bricks take minutes"]
fn v06_a_wall_of_a_thousand_bricks_rests() {
    let rest = wall(40, 25, 500, 10_000);
    assert!(rest.bodies >= 1000, "{rest:?}");
    stands(&rest);
}

/// A cylinder between two edges and one whose end lies across them do not sink. Lying at h over edges at the distance R from its axis, each of its four
/// points carries mg R/(4h).
#[test]
fn v06_sides_and_ends_on_edges_stay() {
    let edge = |x: f64| {
        format!(
            "(group: \"g\", material: \"m\", shape: Polyhedron(vertices: [(0, -0.5, 0), (0, 0.5, 0), (-0.05, -0.5, -0.2), (0.05, -0.5, -0.2), \
             (-0.05, 0.5, -0.2), (0.05, 0.5, -0.2)]), at: ({x}, 0, 0))"
        )
    };
    let blocks = "(group: \"g\", material: \"m\", shape: Box(size: (0.2, 1, 0.2)), at: (-0.16, 0, -0.1)),
        (group: \"g\", material: \"m\", shape: Box(size: (0.2, 1, 0.2)), at: (0.16, 0, -0.1))";
    let ridges = |x: f64| format!("{}, {}", edge(-x), edge(x));
    let lying = "Cylinder(radius: 0.1, length: 0.5), rotation: ((1, 0, 0), \"90 deg\"), at: (0, 0, 0.08)";
    let standing = "Cylinder(radius: 0.25, length: 0.2), at: (0.03, 0.02, 0.1)";
    for (ground, body, height, share) in [
        (blocks.to_owned(), lying, 0.08, Some(0.1 / (4.0 * 0.08))),
        (ridges(0.06), lying, 0.08, Some(0.1 / (4.0 * 0.08))),
        (ridges(0.15), standing, 0.1, None),
    ] {
        let mut run = build(
            &format!(
                r#"(dimension: 3, gravity: (0, 0, -{G}), time: (step: {STEP}, end: 1000), materials: {{"m": (density: 1000)}},
        bodies: [{ground}, (group: "b", material: "m", shape: {body}, mass: 2)],
        interactions: [(between: ("g", "b"), law: Coulomb(friction: 0)), (between: ("g", "g"), law: NoContact)],
        loads: [(on: "g", load: Fixed)], physics: [Contact()])"#
            ),
            &[],
        );
        for _ in 0..200 {
            run.step().unwrap();
        }
        let world = run.world();
        assert!((world.kinematics.position[2].z - height).abs() < 1e-8, "{body}: {}", world.kinematics.position[2].z);
        let forces: Vec<f64> = world.network.contacts.iter().map(|c| c.r.x / STEP).collect();
        assert_eq!(forces.len(), 4, "{body}");
        if let Some(share) = share {
            assert!(forces.iter().all(|f| (f / (2.0 * G * share) - 1.0).abs() < 1e-6), "{body}: {forces:?}");
        }
        assert!(world.kinematics.angular_velocity[2].norm() < 1e-9, "{body}");
    }
}
