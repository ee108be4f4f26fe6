//! `SmoothContact` on faces and lines, and what it says of forces: a contact is one whatever its points, the force of a step is the whole impulse of it, and what it cannot do is said.

use mpcd_sim::Simulation;

use crate::granular::{build, column};

/// With gravity but where the body starts with a velocity.
fn drop(dimension: u8, shape: &str, (law, start): (&str, &str), (h, end): (f64, f64), settings: &str) -> Simulation {
    let g = if start.is_empty() { -10.0 } else { 0.0 };
    let (up, down) = if dimension == 2 { ("(0, 1)", format!("(0, {g})")) } else { ("(0, 0, 1)", format!("(0, 0, {g})")) };
    let axis = if dimension == 2 { "Y" } else { "Z" };
    build(
        &format!(
            r#"(dimension: {dimension}, gravity: {down}, time: (step: {h}, end: {end}), materials: {{"m": (density: 1000, elastic: (young: 1e7, poisson: 0.3))}},
  bodies: [(group: "b", material: "m", {shape}, mass: 1{start}), (group: "f", material: "m", shape: Plane(normal: {up}))],
  interactions: [(between: ("b", "f"), law: {law})],
  physics: [SmoothContact({settings})],
  output: (probes: [(name: "z", of: "position", component: {axis}, group: "b"), (name: "v", of: "velocity", component: {axis}, group: "b"), (name: "floor", of: "resultant", component: {axis}, group: "f")]))"#
        ),
        &[],
    )
}

/// Bodies that stand on a plane at this height of their centres, on so many points.
const BODIES: [(u8, &str, f64, f64); 8] = [
    (2, "shape: Disc(radius: 0.1), at: (0, 0.1)", 0.1, 1.0),
    (3, "shape: Sphere(radius: 0.1), at: (0, 0, 0.1)", 0.1, 1.0),
    (2, "shape: Box(size: (0.2, 0.2)), at: (0, 0.1)", 0.1, 2.0),
    (2, "shape: Polygon(vertices: [(-0.1, -0.05), (0.1, -0.05), (0.1, 0.05), (-0.1, 0.05)]), at: (0, 0.05)", 0.05, 2.0),
    (3, "shape: Box(size: (0.2, 0.1, 0.2)), at: (0, 0, 0.1)", 0.1, 4.0),
    (3, "shape: Cylinder(radius: 0.1, length: 0.2), at: (0, 0, 0.1)", 0.1, 4.0),
    (3, "shape: Cylinder(radius: 0.1, length: 0.2), rotation: ((1, 0, 0), \"90 deg\"), at: (0, 0, 0.1)", 0.1, 2.0),
    (3, "shape: Capsule(radius: 0.1, length: 0.2), at: (0, 0, 0.1)", 0.1, 2.0),
];

/// mg/(nk) under the weight on n points, as the book says, and the e of a drop by points, lines and faces alike: the dashpots of a face shared the damping of its whole mass once each (0.28 of four points for 0.5).
#[test]
fn a_face_gives_back_what_hookes_law_is_asked_to() {
    for (dimension, shape, height, points) in BODIES {
        let mut run = drop(dimension, shape, ("Hooke(stiffness: 1e4, damping: 150, friction: 0.3)", ""), (1e-3, 1.0), "");
        let mut sag = 0.0;
        while !run.finished() {
            let step = run.step().unwrap();
            sag = height - column(&run, &step, "z").unwrap();
        }
        assert!((sag * points / 1e-3 - 1.0).abs() < 1e-6, "{shape}: sinks by {sag} m");
        let z = if dimension == 2 { "(0, -1)" } else { "(0, 0, -1)" };
        for (tension, e) in [("", 0.5), (", tension: true", 0.5), ("", 0.2)] {
            let law = format!("Hooke(stiffness: 1e6, restitution: {e}, friction: 0{tension})");
            let mut run = drop(dimension, shape, (&law, &format!(", velocity: {z}")), (1e-4, 0.012), "steps_per_contact: 200");
            let mut after = 0.0;
            while !run.finished() {
                let step = run.step().unwrap();
                after = column(&run, &step, "v").unwrap();
            }
            assert!((after - e).abs() < 0.01, "{shape}, e = {e}{tension}: {after} m/s");
        }
    }
}

/// Hertz' law on a line has the stiffness of its length; its dashpot that of the body that it stops.
#[test]
fn a_line_gives_back_what_hertz_law_is_asked_to() {
    for (dimension, shape) in [(2, BODIES[0].1), (3, BODIES[1].1), (3, BODIES[6].1)] {
        let z = if dimension == 2 { "(0, -1)" } else { "(0, 0, -1)" };
        let law = "Hertz(restitution: 0.5, friction: 0)";
        let mut run = drop(dimension, shape, (law, &format!(", velocity: {z}")), (2e-4, 0.02), "steps_per_contact: 200");
        let mut after = 0.0;
        while !run.finished() {
            let step = run.step().unwrap();
            after = column(&run, &step, "v").unwrap();
        }
        assert!((after - 0.5).abs() < 0.01, "{shape}: {after} m/s");
    }
}

/// The steps are a fiftieth to twice as long as a contact lasts: the floor's force is the momentum of the step, weight apart, in every one.
#[test]
fn the_force_of_a_step_is_its_whole_impulse() {
    for (law, start) in [
        ("Hooke(stiffness: 1e5, restitution: 0.9, friction: 0)", 0.3),
        ("Hertz(restitution: 0.9, friction: 0)", 0.3),
        ("Jkr(adhesion: 0.05, restitution: 0.9, friction: 0)", 0.3),
    ] {
        for h in [2e-4, 1e-3, 5e-3, 2e-2, 5e-2] {
            let shape = format!("shape: Sphere(radius: 0.1), at: (0, 0, {})", 0.1 + start);
            let mut run = drop(3, &shape, (law, ""), (h, 1.0), "");
            let mut before = 0.0;
            let mut touched = 0;
            while !run.finished() {
                let step = run.step().unwrap();
                let [v, force] = ["v", "floor"].map(|name| column(&run, &step, name).unwrap());
                let wanted = -((v - before) / h + 10.0);
                touched += usize::from(force != 0.0);
                assert!(
                    (force - wanted).abs() < 1e-7 * (10.0 + wanted.abs()),
                    "{law}, {h} s, t = {}: {force} N of {wanted} N",
                    run.time()
                );
                before = v;
            }
            assert!(touched > 0, "{law}, {h} s");
        }
    }
}

/// Next to no adhesion: the dashpot of surfaces that hold on may pull.
#[test]
fn jkr_gives_back_what_it_is_asked_to() {
    for e in [0.3, 0.5, 0.8] {
        let law = format!("Jkr(adhesion: 1e-9, restitution: {e}, friction: 0)");
        let shape = "shape: Sphere(radius: 0.1), at: (0, 0, 0.1)";
        let mut run = drop(3, shape, (&law, ", velocity: (0, 0, -1)"), (2e-4, 0.03), "steps_per_contact: 200");
        let mut after = 0.0;
        while !run.finished() {
            let step = run.step().unwrap();
            after = column(&run, &step, "v").unwrap();
        }
        assert!((after - e).abs() < 0.01, "e = {e}: {after} m/s");
    }
}

#[test]
fn what_smooth_contact_cannot_do_is_said() {
    let text = r#"(dimension: 3, gravity: (0, 0, -10), time: (step: 1e-3, end: 0.3), materials: {"m": (density: 1000)},
  bodies: [(group: "b", material: "m", shape: Sphere(radius: 0.1))],
  joints: [(to_ground: "b", joint: Weld())], interactions: [(between: ("b", "b"), law: Hooke(stiffness: 1e5, friction: 0))], physics: [SmoothContact()])"#;
    let model = mpcd_sim::Model::parse_with(text, "model", "model.ron", std::path::Path::new("."), &[], &mpcd::shapes()).unwrap();
    let registry = <mpcd::Registry as mpcd::StandardRegistry>::standard();
    let error = Simulation::build(&model, &registry).err().map(|e| e.to_string()).unwrap_or_default();
    assert!(error.contains("`SmoothContact` has no joints"), "{error}");
    let told = |stiffness: f64| {
        let law = format!("Hooke(stiffness: {stiffness}, damping: 20, friction: 0)");
        let mut run = drop(3, BODIES[1].1, (&law, ""), (1e-3, 0.5), "");
        while !run.finished() {
            run.step().unwrap();
        }
        run.summary().warnings.iter().any(|w| w.contains("of the radius that touches"))
    };
    // 10 mm and 40 mm of 100 mm under the weight of 1 kg
    assert!(!told(1e3) && told(2.5e2));
}

/// Of two bodies that no impulse moves `SmoothContact` knows no force and nothing passes, as under `Contact`: where one is driven onto the other, or heat should pass, it is said; where both stand and nothing should pass, it is not.
#[test]
fn pairs_that_nothing_moves_are_said() {
    let told = |thermal: &str, (down, more): (f64, &str)| {
        let mut run = build(
            &format!(
                r#"(dimension: 3, time: (step: 1e-3, end: 0.03), materials: {{"m": (density: 1000, elastic: (young: 1e7, poisson: 0.3){thermal})}},
  bodies: [(group: "b", material: "m", shape: Sphere(radius: 0.01), at: (0, 0, 0.0101)), (group: "f", material: "m", shape: Box(size: (0.1, 0.1, 0.1)), at: (0, 0, -0.05))],
  interactions: [(between: ("b", "f"), law: Hertz(friction: 0.3))],
  loads: [(on: "f", load: Fixed), (on: "b", load: Velocity(x: 0, y: 0, z: {down}, spin_x: 0, spin_y: 0{more}))],
  physics: [SmoothContact(){}])"#,
                if thermal.is_empty() { "" } else { ", Thermal(law: Constant(conductance: 1), temperature: 300)" }
            ),
            &[],
        );
        while !run.finished() {
            run.step().unwrap();
        }
        let said = run.summary().warnings;
        ["came to touch", "nothing passes"].map(|words| said.iter().any(|w| w.contains(words)))
    };
    let heat = ", thermal: (conductivity: 1, specific_heat: 1)";
    let all = ", spin_z: 0";
    assert_eq!(told("", (-0.01, all)), [true, false]);
    assert_eq!(told(heat, (-0.01, all)), [true, true]);
    // free to spin, it is a pair
    assert_eq!(told(heat, (-0.01, "")), [false, false]);
    assert_eq!(told("", (0.0, all)), [false, false]);
}

/// A capsule that falls on its side at a small angle passes from a point to a line within the blow: what the jump of its law makes is told. It was not.
#[test]
fn what_a_law_makes_between_line_and_point_is_told() {
    for (law, tilt, tells) in [("Hertz", 0.03, true), ("Hertz", 0.0, false), ("Hertz", 0.6, false), ("Hooke", 0.03, false)] {
        let stiffness = if law == "Hooke" { "stiffness: 1e6, " } else { "" };
        let mut run = build(
            &format!(
                r#"(dimension: 3, time: (step: 1e-5, end: 2e-3), materials: {{"m": (density: 2500, elastic: (young: 1e8, poisson: 0.3))}},
  bodies: [(group: "b", material: "m", shape: Capsule(radius: 0.01, length: 0.04), rotation: ((0, 1, 0), {tilt}), at: (0, 0, {}), velocity: (0, 0, -5)),
    (group: "f", material: "m", shape: Box(size: (1, 1, 0.2)), at: (0, 0, -0.1))],
  loads: [(on: "f", load: Fixed)], interactions: [(between: ("b", "f"), law: {law}({stiffness}friction: 0))],
  physics: [SmoothContact()])"#,
                0.0102 + 0.02 * f64::sin(tilt)
            ),
            &[],
        );
        while !run.finished() {
            run.step().unwrap();
        }
        let said = run.summary().warnings;
        assert_eq!(said.iter().any(|w| w.contains("their force jumps")), tells, "{law}, {tilt} rad: {said:?}");
    }
}

/// A ball written to touch a plane of any tilt, drawn away by a fifth of its pull-off force 3/2 π w R: it sticks, whatever the rounding of its place. At 8, 16, 24, … degrees it flew off.
#[test]
fn what_is_written_to_touch_sticks() {
    for degrees in [0, 8, 12, 16, 20, 24, 28, 32, 40] {
        let (s, c) = f64::from(degrees).to_radians().sin_cos();
        // a centimetre along the plane, and one away from it
        let (x, z) = (0.02 * c - 0.01 * s, 0.02 * s + 0.01 * c);
        let mut run = build(
            &format!(
                r#"(dimension: 3, time: (step: 2e-4, end: 0.01), materials: {{"m": (density: 1000, elastic: (young: 1e6, poisson: 0.3)), "r": (density: 2500, elastic: (young: 1e9, poisson: 0.3))}},
  bodies: [(group: "b", material: "m", shape: Sphere(radius: 0.01), at: ({x}, 0, {z})), (group: "s", material: "r", shape: Plane(normal: ({}, 0, {c})))],
  interactions: [(between: ("b", "s"), law: Jkr(adhesion: 0.5, friction: 0.3, restitution: 0.3))], loads: [(on: "b", load: Force(x: {}, z: {}))], physics: [SmoothContact()])"#,
                -s,
                -0.005 * s,
                0.005 * c
            ),
            &[],
        );
        while !run.finished() {
            run.step().unwrap();
        }
        let at = run.world().kinematics.position[0];
        let gap = -s * at.x + c * at.z - 0.01;
        assert!(gap < 0.0, "{degrees} degrees: {gap} m");
    }
}
