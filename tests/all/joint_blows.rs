//! Joints that change velocities within a step (drives that start, stops, wires that are caught, starts that fit no joint) and what their bodies touch or are bonded to: that follows, and
//! is not thrown at the speeds which led there. What joints do by themselves is not tested here.

use std::fmt::Write as _;

use mpcd_sim::Simulation;

use crate::granular::{build, column, steps};

/// Cubes of 0.1 m in a row along an axis (0: x, 1: the vertical) with one joint to the ground on the first, named `j`.
struct Row<'a> {
    space: bool,
    axis: usize,
    masses: &'a [f64],
    law: &'a str,
    joint: &'a str,
    gravity: f64,
    contact: &'a str,
    start: [f64; 2],
}

impl Row<'_> {
    fn vector(&self, x: f64, up: f64) -> String {
        if self.space { format!("({x:?}, 0, {up:?})") } else { format!("({x:?}, {up:?})") }
    }

    fn text(&self) -> String {
        let dimension = if self.space { 3 } else { 2 };
        let mut out = format!(
            "(dimension: {dimension}, gravity: {}, time: (step: 1e-3, end: 1, on_failure: Stop), ",
            self.vector(0.0, -self.gravity)
        );
        out += "materials: {\"m\": (density: 1000)}, bodies: [";
        let shape = if self.space { "Box(size: (0.1, 0.1, 0.1))" } else { "Box(size: (0.1, 0.1))" };
        for (k, mass) in self.masses.iter().enumerate() {
            let along = 0.1 * k as f64;
            let at = if self.axis == 0 { self.vector(along, 0.0) } else { self.vector(0.0, along) };
            let start = self.vector(self.start[0], self.start[1]);
            let _ =
                write!(out, "(group: \"g{k}\", material: \"m\", shape: {shape}, at: {at}, mass: {mass:?}, velocity: {start}),");
        }
        out += "], interactions: [";
        for a in 0..self.masses.len() {
            for b in a + 1..self.masses.len() {
                let law = if b == a + 1 { self.law } else { "NoContact" };
                let _ = write!(out, "(between: (\"g{a}\", \"g{b}\"), law: {law}),");
            }
        }
        let _ = write!(
            out,
            "], joints: [(to_ground: \"g0\", name: \"j\", joint: {})], physics: [Contact({})])",
            self.joint, self.contact
        );
        out
    }
}

const PUSHER: Row<'_> = Row {
    space: false,
    axis: 0,
    masses: &[1.0, 1.0],
    law: "Coulomb(friction: 0.3)",
    joint: "",
    gravity: 0.0,
    contact: "",
    start: [0.0; 2],
};

fn velocity(run: &Simulation, body: usize) -> [f64; 3] {
    let now = &run.world().kinematics;
    [now.velocity[body].x, now.velocity[body].y, now.velocity[body].z]
}

fn balance(run: &Simulation, outcome: &mpcd_sim::StepOutcome) -> f64 {
    column(run, outcome, "book_energy").map_or(0.0, f64::abs).max(column(run, outcome, "book_momentum").map_or(0.0, f64::abs))
}

/// What a slider or a leaf pushes from rest goes as fast as that, with the impulse m v, however it is driven, whatever the masses. The solve that leads the pusher
/// through its way of a whole step, from rest, has it go twice as fast.
#[test]
fn what_a_drive_pushes_from_rest_goes_as_fast_as_the_drive() {
    for space in [false, true] {
        for masses in [&[1.0, 1.0][..], &[1.0, 1e6], &[1e3, 1.0, 1e-3], &[1.0, 10.0, 100.0, 1e3, 1e4]] {
            for drive in ["speed: 2", "travel: \"2*t\"", "travel: \"2*(t - 0.1*t^2)\"", "speed: \"2 - 0.2*t\""] {
                let axis = if space { "(1, 0, 0)" } else { "(1, 0)" };
                let joint = format!("Slider(axis: {axis}, {drive})");
                let row = Row { space, masses, joint: &joint, ..PUSHER };
                let mut run = build(&row.text(), &[]);
                for k in 1..=3 {
                    let outcome = steps(&mut run, 1);
                    let t = 1e-3 * f64::from(k);
                    let own =
                        if drive.contains("0.") { 2.0 - 0.4 * t * if drive.contains("speed") { 0.5 } else { 1.0 } } else { 2.0 };
                    assert!((velocity(&run, 0)[0] - own).abs() < 1e-6, "{drive}: {:?}", velocity(&run, 0));
                    for body in 1..masses.len() {
                        let v = velocity(&run, body);
                        // what is slowed down is left
                        assert!(
                            (v[0] - 2.0).abs() < 1e-3 && v[1].abs() < 1e-4 && v[2].abs() < 1e-4,
                            "{drive}, {masses:?}, step {k}: {body} has {v:?}"
                        );
                    }
                    assert!(balance(&run, &outcome) < 1e-12, "{drive}: {}", balance(&run, &outcome));
                    if k == 1 {
                        let pushed: f64 = masses[1..].iter().sum();
                        let r: f64 = run
                            .world()
                            .network
                            .contacts
                            .iter()
                            .filter(|c| c.key.candidate.index() + c.key.antagonist.index() == 1)
                            .map(|c| c.r.x)
                            .sum();
                        assert!((r - 2.0 * pushed).abs() < 1e-3 * 2.0 * pushed, "{drive}, {masses:?}: {r} of {}", 2.0 * pushed);
                    }
                }
            }
        }
    }
}

/// A leaf on a hinge that begins to turn gives a disc, ball or edge at the arm x the speed ω x.
#[test]
fn what_a_leaf_sweeps_from_rest_has_its_speed_there() {
    for (dimension, joint, place) in [
        (2, "Pin(at: (0, 0), speed: 2)", ["(0.5, 0)", "(0.7, 0.1)"]),
        (3, "Hinge(at: (0, 0, 0), axis: (0, 0, 1), angle: \"2*t\")", ["(0.5, 0, 0)", "(0.7, 0.1, 0)"]),
    ] {
        for mass in [1e-3, 2.0, 1e5] {
            let [leaf, ball] = if dimension == 2 {
                ["Box(size: (1, 0.1))", "Disc(radius: 0.05)"]
            } else {
                ["Box(size: (1, 0.1, 0.3))", "Sphere(radius: 0.05)"]
            };
            let text = format!(
                "(dimension: {dimension}, time: (step: 1e-3, end: 1), materials: {{\"m\": (density: 1000)}}, bodies: [
                    (group: \"leaf\", material: \"m\", shape: {leaf}, at: {}, mass: 1), (group: \"ball\", material: \"m\", shape: {ball}, at: {}, mass: {mass:?})],
                interactions: [(between: (\"leaf\", \"ball\"), law: Coulomb(friction: 0))], joints: [(to_ground: \"leaf\", joint: {joint})], physics: [Contact()])",
                place[0], place[1]
            );
            let mut run = build(&text, &[]);
            steps(&mut run, 1);
            // it is met at x = 0.7 - 0.1 ω h: normal and speed of the middle of the step
            let v = velocity(&run, 1);
            assert!((v[1] - 1.4).abs() < 2e-5 && v[0].abs() < 3e-3, "{joint}, {mass}: {v:?}");
        }
    }
}

/// What falls with a tray that a stop or a wire catches comes to rest on it, wherever in the step that is, and gives it its momentum; by the velocities that lead
/// the tray to its place alone it bounced, by up to all of its speed.
#[test]
fn what_lies_on_a_tray_that_is_caught_stays_on_it() {
    for space in [false, true] {
        for masses in [&[1.0, 1.0][..], &[1.0, 1e5], &[100.0, 1.0, 1e-2]] {
            for reach in [0.0501, 0.0503, 0.0507, 0.0509] {
                for wire in [false, true] {
                    let (up, from, to) =
                        if space { ("(0, 0, 1)", "(0, 0, 0)", "(0, 0, 1)") } else { ("(0, 1)", "(0, 0)", "(0, 1)") };
                    let joint = if wire {
                        format!("Wire(from: {from}, to: {to}, length: {:?})", 1.0 + reach)
                    } else {
                        format!("Slider(axis: {up}, limits: (-{reach:?}, 1))")
                    };
                    let row = Row { space, axis: 1, masses, joint: &joint, gravity: 10.0, ..PUSHER };
                    let mut run = build(&row.text(), &[]);
                    let vertical = if space { 2 } else { 1 };
                    let mut caught = 0;
                    for k in 1..=110 {
                        let before = velocity(&run, 0)[vertical];
                        let outcome = steps(&mut run, 1);
                        assert!(balance(&run, &outcome) < 1e-10, "{joint}, step {k}: {}", balance(&run, &outcome));
                        if velocity(&run, 0)[vertical] > -0.5 && before < -0.5 {
                            caught = k;
                            let whole: f64 = masses[1..].iter().sum();
                            let r: f64 = run
                                .world()
                                .network
                                .contacts
                                .iter()
                                .filter(|c| c.key.candidate.index() + c.key.antagonist.index() == 1)
                                .map(|c| c.r.x.abs())
                                .sum();
                            let asked = whole * (10.0 * 1e-3 - before);
                            assert!((r - asked).abs() < 1e-3 * asked, "{joint}, {masses:?}: {r} of {asked}");
                        }
                        for body in 0..masses.len() {
                            let v = velocity(&run, body)[vertical];
                            assert!(caught == 0 || v.abs() < 1e-4, "{joint}, {masses:?}, step {k}: {body} has {v}");
                        }
                    }
                    assert!(caught > 90, "{joint}: caught in step {caught}");
                }
            }
        }
    }
}

/// Boxes bonded in a row to one that a pin turns from rest go round with it from the first step on, under the moment I ω/h; with a motor's moment they speed up as
/// one body. Strengths beyond all measure leave digits of it.
#[test]
fn a_bonded_row_turns_with_its_pin_from_the_first_step_on() {
    for strength in ["1e6", "1e8", "1e20"] {
        for masses in [&[1.0, 1.0][..], &[1.0; 4], &[1.0, 1e-2, 10.0]] {
            let law = format!("MohrCoulomb(friction: 0.3, cohesion: {strength}, tensile_strength: {strength})");
            let about: f64 = masses.iter().enumerate().map(|(k, m)| m * (0.01 / 6.0 + 0.01 * (k * k) as f64)).sum();
            for motor in [false, true] {
                let joint = if motor {
                    format!("Pin(at: (0, 0), motor: (speed: 2, torque: {:?}))", 100.0 * about)
                } else {
                    "Pin(at: (0, 0), speed: 2)".to_owned()
                };
                let mut run = build(&Row { masses, law: &law, joint: &joint, ..PUSHER }.text(), &[]);
                for k in 1..=5 {
                    let outcome = steps(&mut run, 1);
                    let asked = if motor { 0.1 * f64::from(k) } else { 2.0 };
                    let spins: Vec<f64> = run.world().kinematics.angular_velocity.iter().map(|w| w.z).collect();
                    assert!(
                        spins.iter().all(|w| (w - asked).abs() < 5e-3 * asked),
                        "{strength}, {masses:?}, {joint}, step {k}: {spins:?} for {asked}"
                    );
                    let torque = column(&run, &outcome, "j_torque").unwrap();
                    let moment = if motor { 100.0 * about } else { 2e3 * about };
                    assert!(k > 1 || (torque - moment).abs() < 1e-3 * moment, "{strength}, {masses:?}: {torque} for {moment}");
                }
            }
        }
    }
}

/// Two boxes bonded to each other that start across their pin keep the angular momentum about it, Σ m x v_y: 1.1 kg m²/s, of 0.6133 kg m².
#[test]
fn a_start_that_fits_no_joint_is_lost_for_what_is_bonded_too() {
    let text = "(dimension: 2, time: (step: 1e-3, end: 1), materials: {\"m\": (density: 1000)}, bodies: [
            (group: \"a\", material: \"m\", shape: Box(size: (0.1, 0.1)), at: (0.5, 0), mass: 1, velocity: (1, 1)),
            (group: \"b\", material: \"m\", shape: Box(size: (0.1, 0.1)), at: (0.6, 0), mass: 1, velocity: (1, 1))],
        interactions: [(between: (\"a\", \"b\"), law: MohrCoulomb(friction: 0.5, cohesion: 1e8, tensile_strength: 1e8))],
        joints: [(to_ground: \"a\", joint: Pin(at: (0, 0)))], physics: [Contact()])";
    let mut run = build(text, &[]);
    for k in 1..=5 {
        steps(&mut run, 1);
        let spins = &run.world().kinematics.angular_velocity;
        let asked = 1.1 / (0.01 / 3.0 + 0.61);
        assert!(spins.iter().all(|w| (w.z - asked).abs() < 1e-4), "step {k}: {spins:?} for {asked}");
    }
}

/// What the last block of a row of three has, whose first one is on a slider that starts at 2 m/s.
fn last_of(law: &str, more: &str) -> f64 {
    let with_mesh = ["a", "b", "c"].map(|g| format!(", (between: (\"{g}\", \"d\"), law: NoContact)")).concat();
    let apart = if more.is_empty() { "" } else { &with_mesh };
    let text = format!(
        "(dimension: 2, time: (step: 1e-3, end: 1, on_failure: Stop), materials: {{\"m\": (density: 1000, elastic: (young: 1e6, poisson: 0.3))}}, bodies: [
            (group: \"a\", material: \"m\", shape: Box(size: (0.1, 0.1)), mass: 1),
            (group: \"b\", material: \"m\", shape: Box(size: (0.1, 0.1)), at: (0.1, 0), mass: 1),
            (group: \"c\", material: \"m\", shape: Box(size: (0.1, 0.1)), at: (0.2, 0), mass: 1){more}],
        interactions: [(between: (\"a\", \"b\"), law: {law}), (between: (\"b\", \"c\"), law: {law}), (between: (\"a\", \"c\"), law: NoContact){apart}],
        joints: [(to_ground: \"a\", joint: Slider(axis: (1, 0), speed: 2))], physics: [Contact()])"
    );
    let mut run = build(&text, &[]);
    steps(&mut run, 1);
    run.world().kinematics.velocity[2].x
}

/// Laws that are of velocities follow: friction that depends on the slip, films, what gives back what it was struck with; a mesh elsewhere changes nothing.
#[test]
fn every_law_of_velocities_follows_the_drive() {
    let film = "Lubrication(viscosity: 100, roughness: 1e-6, range: 1e-3, friction: 0)";
    for law in [
        "Coulomb(friction: 0.3)",
        "Regularised(friction: 0.3, speed: 0.1)",
        "VelocityWeakening(friction: 0.5, sliding: 0.3, speed: 0.1)",
        film,
    ] {
        let v = last_of(law, "");
        assert!((v - 2.0).abs() < 2e-3, "{law}: {v}");
    }
    let mesh = ", (group: \"d\", material: \"m\", shape: Mesh(of: Rectangle(size: (0.1, 0.1), cells: (2, 2), element: Q4)), at: (50, 0))";
    let v = last_of("Coulomb(friction: 0.3)", mesh);
    assert!((v - 2.0).abs() < 1e-4, "beside a mesh: {v}");
}

/// A block that comes at 1 m/s against a slider in the step in which that starts at 2 m/s gives back e of what it had before.
#[test]
fn what_is_struck_as_a_drive_starts_gives_back_what_it_had() {
    for law in ["Poisson", "Stronge"] {
        for e in [0.05, 0.5, 1.0] {
            let text = format!(
                "(dimension: 2, time: (step: 1e-3, end: 1, on_failure: Stop), materials: {{\"m\": (density: 1000)}}, bodies: [
                    (group: \"a\", material: \"m\", shape: Box(size: (0.1, 0.1)), mass: 1),
                    (group: \"b\", material: \"m\", shape: Box(size: (0.1, 0.1)), at: (0.1, 0), mass: 1, velocity: (-1, 0))],
                interactions: [(between: (\"a\", \"b\"), law: {law}(friction: 0, restitution: {e:?}))],
                joints: [(to_ground: \"a\", joint: Slider(axis: (1, 0), speed: 2))], physics: [Contact()])"
            );
            let mut run = build(&text, &[]);
            steps(&mut run, 1);
            let v = run.world().kinematics.velocity[1].x;
            assert!((v - 2.0 - e).abs() < 1e-4, "{law}, {e}: {v}");
        }
    }
}

/// What is felt is measured about the joint, not by the speed at which all goes: a tray on a rail at 1 km/s starts upward at 5 cm/s.
#[test]
fn a_drive_on_what_moves_uniformly_is_felt_alike() {
    for fast in [0.0, 10.0, 1e3] {
        let text = format!(
            "(dimension: 2, gravity: (0, -10), time: (step: 1e-3, end: 1, on_failure: Stop), materials: {{\"m\": (density: 1000)}}, bodies: [
                (group: \"rail\", material: \"m\", shape: Box(size: (0.1, 0.1)), at: (0, -1), velocity: ({fast:?}, 0)),
                (group: \"a\", material: \"m\", shape: Box(size: (1, 0.1)), mass: 1, velocity: ({fast:?}, 0)),
                (group: \"b\", material: \"m\", shape: Box(size: (0.1, 0.1)), at: (0, 0.1), mass: 1, velocity: ({fast:?}, 0))],
            interactions: [(between: (\"a\", \"b\"), law: Coulomb(friction: 0.3)), (between: (\"a\", \"rail\"), law: NoContact), (between: (\"b\", \"rail\"), law: NoContact)],
            loads: [(on: \"rail\", load: Velocity(x: {fast:?}, y: 0, spin_z: 0))],
            joints: [(between: (\"a\", \"rail\"), joint: Slider(axis: (0, 1), speed: 0.05))], physics: [Contact()])"
        );
        let mut run = build(&text, &[]);
        steps(&mut run, 1);
        let v = run.world().kinematics.velocity[2].y;
        assert!((v - 0.05).abs() < 1e-5, "{fast}: {v}");
    }
}

/// Friction of what slides on a tray is μ N against its slip in every step, those at whose end the tray turns round too.
#[test]
fn what_slides_on_a_tray_that_turns_round_is_braked_as_it_slips() {
    let text = "(dimension: 2, gravity: (0, -10), time: (step: 1e-3, end: 1, on_failure: Stop), materials: {\"m\": (density: 1000)}, bodies: [
            (group: \"a\", material: \"m\", shape: Box(size: (5, 0.1)), mass: 1),
            (group: \"b\", material: \"m\", shape: Box(size: (0.1, 0.1)), at: (0, 0.1), mass: 1)],
        interactions: [(between: (\"a\", \"b\"), law: Coulomb(friction: 0.3))],
        joints: [(to_ground: \"a\", joint: Slider(axis: (1, 0), travel: \"2*abs(t - 0.05) - 0.1\"))], physics: [Contact()])";
    let mut run = build(text, &[]);
    steps(&mut run, 50);
    let v = run.world().kinematics.velocity[1].x;
    assert!((v + 0.15).abs() < 1e-5, "{v}");
    steps(&mut run, 25);
    let v = run.world().kinematics.velocity[1].x;
    assert!((v + 0.075).abs() < 4e-3, "{v}");
}
