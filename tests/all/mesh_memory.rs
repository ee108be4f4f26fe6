//! Contacts that go on from node to node of a mesh keep what they remember as a whole: a liquid bridge, the way slid, a mean force, and films that lie above it; as on a rigid block.

use mpcd_sim::{Simulation, StepOutcome};

use crate::granular::{build, column, steps};

/// A rigid body on (or below) a block 2 m long and 0.2 m high whose upper side is at y or z = 0.
struct Scene<'a> {
    dimension: u8,
    block: &'a str,
    body: &'a str,
    gravity: f64,
    law: &'a str,
    load: &'a str,
    more: &'a str,
    h: f64,
}

impl Scene<'_> {
    fn run(&self) -> Simulation {
        let Self { dimension, block, body, gravity, law, load, more, h } = self;
        let (g, up, fixed) = match dimension {
            2 => (format!("(0, {gravity})"), "Y", if block.contains("Mesh") { "b.bottom" } else { "b" }),
            _ => (format!("(0, 0, {gravity})"), "Z", if block.contains("Mesh") { "b.back" } else { "b" }),
        };
        let text = format!(
            r#"(dimension: {dimension}, gravity: {g}, time: (step: {h}, end: 10, theta: 1),
            materials: {{"s": (density: 2000, elastic: (young: 1e9, poisson: 0.3), solid: (law: SaintVenantKirchhoff, stiffness_damping: 1e-5), electrical: (conductivity: 1e6))}},
            bodies: [(group: "a", material: "s", {body}), (group: "b", material: "s", {block})],
            interactions: [(between: ("a", "b"), law: {law})],
            loads: [{load} (on: "{fixed}", load: Fixed)],
            physics: [Contact(){more}],
            output: (every: 1000, probes: [(name: "r", of: "resultant", component: {up}, group: "a"), (name: "fx", of: "resultant", component: X, group: "a")]))"#
        );
        build(&text, &[])
    }
}

const RIGID: [&str; 2] = ["shape: Box(size: (2, 0.2)), at: (1, -0.1)", "shape: Box(size: (2, 0.6, 0.2)), at: (1, 0.3, -0.1)"];

fn meshes(dimension: u8) -> Vec<String> {
    let of = |element: &str, n: u32| match dimension {
        2 => format!("shape: Mesh(of: Rectangle(size: (2, 0.2), cells: ({n}, 2), element: {element})), at: (0, -0.2)"),
        _ => format!("shape: Mesh(of: Cuboid(size: (2, 0.6, 0.2), cells: ({n}, 4, 1), element: {element})), at: (0, 0, -0.2)"),
    };
    match dimension {
        2 => vec![of("Q4", 5), of("Q4", 37), of("Q8", 13)],
        _ => vec![of("Hex8", 20)],
    }
}

fn number(run: &Simulation, outcome: &StepOutcome, name: &str) -> f64 {
    column(run, outcome, name).unwrap()
}

/// What hangs by its bridge rolls and slides along the block and stays: it fell off at the first nodes.
#[test]
fn what_hangs_by_a_bridge_moves_along_a_mesh() {
    for (dimension, body, force, weight) in [
        (2, "shape: Disc(radius: 0.1), at: (0.213, 0.1), velocity: (1, 0)", 500, 2000.0 * std::f64::consts::PI * 0.01 * 5.0),
        (2, "shape: Box(size: (0.3, 0.1)), at: (0.313, 0.05), velocity: (1, 0)", 480, 300.0),
        (
            3,
            "shape: Sphere(radius: 0.1), at: (0.213, 0.3, 0.1), velocity: (1, 0, 0)",
            60,
            2000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3 * 5.0,
        ),
    ] {
        let law = format!("Capillary(force: {force}, rupture: 0.01, friction: 0.1)");
        for block in meshes(dimension) {
            let scene = Scene { dimension, block: &block, body, gravity: 5.0, law: &law, load: "", more: "", h: 1e-3 };
            let mut run = scene.run();
            for _ in 0..5 {
                let outcome = steps(&mut run, 50);
                let found = number(&run, &outcome, "r");
                assert!((found / -weight - 1.0).abs() < 0.02, "{body} on {block}: {found} N of {} N", -weight);
            }
            let [along, height] = [0, usize::from(dimension) - 1].map(|k| run.world().kinematics.position[0][k]);
            assert!(along > 0.3 && height < 0.101, "{body} on {block}: at {along} m, {height} m high");
        }
    }
}

/// μ falls from 0.6 to 0.2 over 0.1 m of slip, whatever the cells: it stayed at 0.27 to 0.50.
#[test]
fn friction_weakens_by_the_way_slid_over_a_mesh() {
    for (dimension, body) in [
        (2, "shape: Disc(radius: 0.1), at: (0.213, 0.1)"),
        (2, "shape: Box(size: (0.3, 0.1)), at: (0.313, 0.05)"),
        (3, "shape: Sphere(radius: 0.1), at: (0.213, 0.3, 0.1)"),
    ] {
        let load = match dimension {
            2 => r#"(on: "a", load: Velocity(x: 0.5, spin_z: 0)),"#,
            _ => r#"(on: "a", load: Velocity(x: 0.5, y: 0, spin_x: 0, spin_y: 0, spin_z: 0)),"#,
        };
        let law = "SlipWeakening(friction: 0.6, sliding: 0.2, distance: 0.1)";
        for block in std::iter::once(RIGID[usize::from(dimension) - 2].to_owned()).chain(meshes(dimension)) {
            let scene = Scene { dimension, block: &block, body, gravity: -10.0, law, load, more: "", h: 2e-3 };
            let mut run = scene.run();
            // the disc comes down on the elastic block and bounces no more
            steps(&mut run, 140);
            let (mut along, mut across) = (0.0, 0.0);
            for _ in 0..60 {
                let outcome = run.step().unwrap();
                along -= number(&run, &outcome, "fx");
                across += number(&run, &outcome, "r");
            }
            let found = along / across;
            assert!((found / 0.2 - 1.0).abs() < 0.01, "{body} on {block}: {found}");
        }
    }
}

/// The mean force of what slides along goes with it: the resistance of a spot 20 F^½ does not depend on which nodes bear.
#[test]
fn a_mean_force_goes_from_node_to_node() {
    let load = r#"(on: "a", load: Velocity(x: 0.5, spin_z: 0)),"#;
    let body = "shape: Disc(radius: 0.1), at: (0.213, 0.1)";
    for block in meshes(2) {
        let more = r#", Electrical(law: Power(scale: 20, exponent: 0.5), force: Averaged(time: "0.1 s"), potential: [(group: "b.bottom", value: 0)], current: [(group: "a", value: 10)])"#;
        let scene =
            Scene { dimension: 2, block: &block, body, gravity: -10.0, law: "Coulomb(friction: 0.1)", load, more, h: 2e-3 };
        let mut run = scene.run();
        steps(&mut run, 400);
        let weight = 2000.0 * std::f64::consts::PI * 0.01 * 10.0;
        let expected = 1.0 / (20.0 * f64::sqrt(weight));
        let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
        for _ in 0..100 {
            let outcome = run.step().unwrap();
            let resistance = number(&run, &outcome, "resistance");
            (least, most) = (least.min(resistance), most.max(resistance));
        }
        assert!(least > 0.97 * expected && most < 1.05 * expected, "{block}: {least} to {most} Ω of {expected} Ω");
    }
}

/// The film under a disc or a ball that slides above a mesh bears its weight in each step, and lets it down as it does above a rigid block: at the nodes it jumped by more than the weight.
#[test]
fn a_film_slides_along_a_mesh() {
    for (dimension, body, count) in [
        (2, "shape: Disc(radius: 0.1), at: (0.213, 0.105), velocity: (2, 0)", 200),
        (3, "shape: Sphere(radius: 0.1), at: (0.213, 0.313, 0.105), velocity: (2, 0.2, 0)", 100),
    ] {
        let law = "Lubrication(viscosity: 100, roughness: 1e-4, range: 0.05, friction: 0)";
        let run = |block: &str| {
            let scene = Scene { dimension, block, body, gravity: -10.0, law, load: "", more: "", h: 1e-3 };
            let mut run = scene.run();
            let mut forces = Vec::new();
            for _ in 0..count {
                let outcome = run.step().unwrap();
                forces.push(number(&run, &outcome, "r"));
            }
            (forces, run.world().kinematics.position[0][usize::from(dimension) - 1] - 0.105)
        };
        let (expected, descent) = run(RIGID[usize::from(dimension) - 2]);
        for block in meshes(dimension) {
            let (found, low) = run(&block);
            assert!((low / descent - 1.0).abs() < 2e-3, "{body} above {block}: {low} m for {descent} m");
            // what gives is pressed down in the first steps
            let off = found.iter().zip(&expected).skip(20).map(|(f, e)| (f / e - 1.0).abs()).fold(0.0, f64::max);
            assert!(off < 0.02, "{body} above {block}: {off} of the force in a step");
        }
    }
}
