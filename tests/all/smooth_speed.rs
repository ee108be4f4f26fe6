//! `SmoothContact` chooses its sub-steps so that no pair comes into contact unseen, whatever moves the surfaces: speed, spin, weight, loads, drives, growth. The step of the model may be long: what comes of a blow is that of short steps.

use mpcd_sim::Simulation;

use crate::granular::{build, column};

/// The column's largest value, and the last.
fn largest(mut run: Simulation, name: &str) -> (f64, f64) {
    let (mut most, mut last) = (f64::MIN, 0.0);
    while !run.finished() {
        let step = run.step().unwrap();
        last = column(&run, &step, name).unwrap();
        most = most.max(last);
    }
    let said = run.summary().warnings;
    assert!(said.is_empty(), "{said:?}");
    (most, last)
}

/// A free rod that turns meets a free ball: energy may only fall, to what short steps leave. A sub-step of the whole step let the tip 25 mm into the ball: 443 J of 0.3 J.
#[test]
fn the_tip_of_a_rod_that_turns_is_seen_coming() {
    for (dimension, law) in [
        (3, "Hooke(stiffness: 1e6, friction: 0.3, restitution: 0.5)"),
        (2, "Hooke(stiffness: 1e6, friction: 0.3, restitution: 0.5)"),
        (3, "Hertz(friction: 0.3, restitution: 0.5)"),
    ] {
        let scene = |h: f64, settings: &str| {
            let (ball, rod, spin) = if dimension == 3 {
                (
                    "shape: Sphere(radius: 0.05), at: (0.2, 0.2, 0)",
                    "shape: Capsule(radius: 0.025, length: 0.5), at: (0, 0, 0)",
                    "(0, 0, 5)",
                )
            } else {
                ("shape: Disc(radius: 0.05), at: (0.2, 0.2)", "shape: Box(size: (0.5, 0.05)), at: (0, 0)", "5")
            };
            build(
                &format!(
                    r#"(dimension: {dimension}, time: (step: {h}, end: 0.3), materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: 0.3))}},
  bodies: [(group: "ball", material: "m", {ball}), (group: "rod", material: "m", {rod}, spin: {spin})],
  interactions: [(between: ("rod", "ball"), law: {law})],
  physics: [SmoothContact({settings})])"#
                ),
                &[],
            )
        };
        let (_, fine) = largest(scene(1e-4, ""), "e_kinetic");
        for h in [1e-2, 5e-3, 1.5e-3] {
            let (most, last) = largest(scene(h, ""), "e_kinetic");
            assert!(
                (last / fine - 1.0).abs() < 0.01 && most < 1.0 * start(dimension),
                "{dimension}D, {law}, {h} s: {last} J at the end, {fine} J by short steps; {most} J at most"
            );
        }
    }
}

/// ½ I ω² (J) of the rod, and a hair.
fn start(dimension: u8) -> f64 {
    let (r, l, rho) = (0.025_f64, 0.5, 1000.0);
    let inertia = if dimension == 2 {
        rho * l * 2.0 * r * (l * l + 4.0 * r * r) / 12.0
    } else {
        let (cylinder, ball) = (std::f64::consts::PI * r * r * l * rho, 4.0 / 3.0 * std::f64::consts::PI * r.powi(3) * rho);
        // two half balls at the ends: 83/320 m r² about their middle, 3/8 r beyond the end
        cylinder * (3.0 * r * r + l * l) / 12.0 + ball * (83.0 / 320.0 * r * r + (0.5 * l + 0.375 * r).powi(2))
    };
    0.5 * inertia * 25.0 * (1.0 + 1e-9)
}

/// A blade that is driven hits a ball at rest near its tip: without friction the ball leaves at (1 + e) times the speed of the blade there, along its normal. At 100 rad/s the blade went through it.
#[test]
fn a_driven_blade_hits_what_is_in_its_way() {
    for (spin, h, begins) in
        [(1.0, 0.02, false), (3.0, 5e-3, false), (10.0, 1e-3, false), (100.0, 1e-3, false), (1.0, 0.05, true)]
    {
        // the drive that begins: at rest until a time within a step, where the ball is near
        let drive = if begins { format!("\"{spin} * max(0, min(1, 1e4*(t - 0.02)))\"") } else { spin.to_string() };
        let ahead: f64 = if begins { 0.04 } else { 0.3 };
        let radius = 0.02;
        // the ball's centre at distance 0.9 from the axis, so far from the blade's face
        let ball = (0.9 * ahead.cos(), 0.9 * ahead.sin());
        let run = build(
            &format!(
                r#"(dimension: 3, time: (step: {h}, end: {}), materials: {{"m": (density: 1000)}},
  bodies: [(group: "blade", material: "m", shape: Box(size: (2, 0.02, 0.2)), at: (0, 0, 0)), (group: "ball", material: "m", shape: Sphere(radius: {radius}), at: ({}, {}, 0))],
  interactions: [(between: ("ball", "blade"), law: Hooke(stiffness: {}, friction: 0, restitution: 0.5))],
  loads: [(on: "blade", load: Velocity(x: 0, y: 0, z: 0, spin_x: 0, spin_y: 0, spin_z: {drive}))],
  physics: [SmoothContact()],
  output: (probes: [(name: "v", of: "velocity", group: "ball")]))"#,
                (ahead / spin + if begins { 0.05 } else { 0.0 }).max(2.0 * h),
                ball.0,
                ball.1,
                // overlaps of some mm
                1e6 * (spin / 10.0).powi(2).max(1.0)
            ),
            &[],
        );
        let (most, last) = largest(run, "v");
        // r ω (1 + e) at the place of contact: 0.9 m from the axis, less what the half thickness and the radius take of the lever
        let lever = (0.9_f64 * 0.9 - 0.03_f64.powi(2)).sqrt();
        let expected = lever * spin * 1.5;
        assert!((last / expected - 1.0).abs() < 0.03 && most < 1.03 * expected, "{spin} rad/s, {h} s: {last} m/s for {expected}");
    }
}

/// From rest: no ball rises above where it was let go, whether its weight, a load that sets in or what grows brings it into contact. The whole step of 5 ms let it 0.1 mm into the plane: 6 to 80,000 m/s.
#[test]
fn what_falls_from_rest_does_not_rise_above_it() {
    for young in ["5 MPa", "5 GPa", "70 GPa"] {
        for (gap, h) in [(1e-4, 5e-3), (1e-5, 5e-3), (1e-4, 2e-3), (5e-2, 5e-3)] {
            if gap > 1e-2 && young != "5 MPa" {
                continue;
            }
            let run = build(
                &format!(
                    r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: {h}, end: {}), materials: {{"sand": (density: 2600, elastic: (young: "{young}", poisson: 0.3)), "floor": (density: 2600)}},
  bodies: [(group: "floor", material: "floor", shape: Plane(normal: (0, 0, 1))), (group: "ball", material: "sand", shape: Sphere(radius: "1 mm"), at: (0, 0, {}))],
  interactions: [(between: ("ball", "floor"), law: Hertz(friction: 0.3, restitution: 0.5))],
  physics: [SmoothContact()],
  output: (probes: [(name: "z", of: "position", component: Z, group: "ball")]))"#,
                    if gap > 1e-2 { 0.15 } else { 0.02 },
                    1e-3 + gap
                ),
                &[],
            );
            let (most, last) = largest(run, "z");
            assert!(most < 1e-3 + gap + 1e-9 && last > 0.99e-3, "{young}, {gap} m, {h} s: {most} m, {last} m at the end");
        }
    }
}

/// A force that sets in within a long step, pushes a box at rest against a stop and lets go again: what comes back is e times its speed.
#[test]
fn a_load_that_sets_in_is_seen_coming() {
    let of = |h: f64| {
        let run = build(
            &format!(
                r#"(dimension: 2, time: (step: {h}, end: 0.2), materials: {{"m": (density: 1000)}},
  bodies: [(group: "box", material: "m", shape: Box(size: (0.1, 0.1)), mass: 1, at: (0, 0)), (group: "stop", material: "m", shape: Box(size: (0.1, 0.3)), at: (0.1005, 0))],
  interactions: [(between: ("box", "stop"), law: Hooke(stiffness: 1e6, friction: 0, restitution: 0.5))],
  loads: [(on: "stop", load: Fixed()), (on: "box", load: Force(x: "200 * t / 0.05"))],
  physics: [SmoothContact()])"#
            ),
            &[],
        );
        largest(run, "e_kinetic").0
    };
    let fine = of(2e-4);
    for h in [0.05, 0.02, 5e-3] {
        let most = of(h);
        // seen at the ends of steps only: never more than on the way
        assert!(most < 1.01 * fine, "{h} s: {most} J for {fine}");
    }
}

/// A ball that is heated grows by 0.3 mm in one step, between two planes that are 0.2 mm from it: it is caught in sub-steps, and what its springs hold is ½ k δ² each.
#[test]
fn what_grows_is_seen_coming() {
    for h in [0.02, 1e-3] {
        let mut run = build(
            &format!(
                r#"(dimension: 3, time: (step: {h}, end: 0.06),
  materials: {{"m": (density: 1000, thermal: (conductivity: 1e3, specific_heat: 1e3, expansion: 1e-3)), "w": (density: 1000)}},
  bodies: [(group: "b", material: "m", shape: Sphere(radius: 0.01), at: (0, 0, 0)), (group: "w", material: "w", shape: Plane(normal: (0, 0, 1)), at: (0, 0, -0.0102)),
    (group: "w", material: "w", shape: Plane(normal: (0, 0, -1)), at: (0, 0, 0.0102))],
  interactions: [(between: ("b", "w"), law: Hooke(stiffness: 1e5, friction: 0, damping: 5))],
  loads: [(on: "w", load: Fixed)],
  physics: [SmoothContact(), Thermal(law: Constant(conductance: 0), temperature: 300, boundary: [Temperature(group: "b", value: Ramp(from: 300, to: 330, end: 0.02))])])"#
            ),
            &[],
        );
        let (mut moves, mut strain) = (0.0_f64, 0.0);
        while !run.finished() {
            let step = run.step().unwrap();
            moves = moves.max(column(&run, &step, "e_kinetic").unwrap());
            strain = column(&run, &step, "e_strain").unwrap();
        }
        let held = 2.0 * 0.5 * 1e5 * 1e-4_f64.powi(2);
        assert!((strain / held - 1.0).abs() < 1e-3, "{h} s: {strain} J in the springs, {held} J");
        assert!(moves < 1e-3 * held, "{h} s: {moves} J of motion");
    }
}

/// What a load or a drive does within a long step counts, though it is 0 at its ends and in its middle: an impulse of 200·10⁻³ √π N s in a pulse, and a wall that swings into a disc at rest.
#[test]
fn what_a_drive_does_within_a_step_counts() {
    let pulse = build(
        r#"(dimension: 2, time: (step: 0.02, end: 0.04), materials: {"m": (density: 1000)},
  bodies: [(group: "b", material: "m", shape: Disc(radius: 0.01), mass: 0.005, at: (0, 0)), (group: "w", material: "m", shape: Plane(normal: (0, 1)), at: (0, -1))],
  interactions: [(between: ("b", "w"), law: Hooke(stiffness: 1e5, friction: 0))],
  loads: [(on: "w", load: Fixed), (on: "b", load: Force(x: "200*exp(-((t - 0.01)/0.001)^2)"))], physics: [SmoothContact()],
  output: (probes: [(name: "v", of: "velocity", group: "b")]))"#,
        &[],
    );
    let expected = 200.0 * 1e-3 * std::f64::consts::PI.sqrt() / 0.005;
    let (_, found) = largest(pulse, "v");
    assert!((found / expected - 1.0).abs() < 5e-3, "{found} m/s of {expected}");
    let driven = |h: f64| {
        let run = build(
            &format!(
                r#"(dimension: 2, time: (step: {h}, end: 0.04), materials: {{"m": (density: 1000)}},
  bodies: [(group: "w", material: "m", shape: Box(size: (0.02, 0.2)), at: (0, 0)), (group: "b", material: "m", shape: Disc(radius: 0.02), at: (0.06, 0))],
  interactions: [(between: ("b", "w"), law: Hooke(stiffness: 1e7, friction: 0, restitution: 0.5))],
  loads: [(on: "w", load: Velocity(x: "20*sin(2*PI*50*t)", y: 0, spin_z: 0))], physics: [SmoothContact()],
  output: (probes: [(name: "v", of: "velocity", group: "b")]))"#
            ),
            &[],
        );
        largest(run, "v").1
    };
    let fine = driven(1e-4);
    assert!(fine > 20.0, "{fine} m/s");
    for h in [1e-3, 0.02] {
        assert!((driven(h) / fine - 1.0).abs() < 0.01, "{h} s: {} m/s for {fine}", driven(h));
    }
}

/// A ball that an implicit integrator throws at a plane, the speed and the settings given: the speed at which it comes back, and whether its
/// sub-steps are told to be too long, by its way and by the energy made.
fn thrown(speed: f64, h: f64, settings: &str) -> (f64, [bool; 2]) {
    let mut run = build(
        &format!(
            r#"(dimension: 3, time: (step: {h}, end: {}, theta: 0.5), materials: {{"m": (density: 1000)}},
  bodies: [(group: "b", material: "m", shape: Sphere(radius: 0.01), mass: 1e-4, at: (0, 0, 0.011), velocity: (0, 0, -{speed})), (group: "w", material: "m", shape: Plane(normal: (0, 0, 1)))],
  interactions: [(between: ("b", "w"), law: Hooke(stiffness: 1e5, friction: 0, restitution: 0.7))],
  physics: [SmoothContact(integrator: Implicit(){settings})],
  output: (probes: [(name: "v", of: "velocity", component: Z, group: "b")]))"#,
            (4e-3 / speed).max(4.0 * h)
        ),
        &[],
    );
    let mut back: f64 = 0.0;
    while !run.finished() {
        let step = run.step().unwrap();
        back = column(&run, &step, "v").unwrap();
    }
    let said = run.summary().warnings;
    let words = ["of its radius within an implicit sub-step", "the implicit integrator made"];
    (back, words.map(|words| said.iter().any(|w| w.contains(words))))
}

/// An implicit sub-step that is longer than its contacts, or in which a body moves by more than its radius, is told where the model wants it.
#[test]
fn implicit_steps_that_are_too_long_are_told() {
    // the contact lasts π √(m/k) = 0.1 ms
    assert_eq!(thrown(1.0, 5e-6, ", substeps: 1").1, [false, false]);
    assert_eq!(thrown(1.0, 1e-4, ", substeps: 1").1, [false, true]);
    assert_eq!(thrown(1.0, 1e-4, ", substeps: 20").1, [false, false]);
    assert!(thrown(30.0, 1e-3, ", substeps: 1").1[0]);
}

/// Left to itself `Implicit` halves what is too long: a ball bounces as it must at any step and speed.
#[test]
fn implicit_steps_that_are_too_long_are_cut() {
    for (speed, h) in [(1.0, 1e-6), (1.0, 1e-5), (1.0, 1e-4), (1.0, 1e-3), (1.0, 0.02), (30.0, 1e-3), (100.0, 0.01)] {
        let (back, told) = thrown(speed, h, "");
        assert!((back / (0.7 * speed) - 1.0).abs() < 0.02, "{speed} m/s at {h} s: comes back at {back} m/s");
        assert_eq!(told, [false, false], "{speed} m/s at {h} s");
    }
}

/// A thin plate stops what an implicit step would carry through it: what a blade, a rod's tip and a ball meet within a step is hit.
#[test]
fn implicit_steps_carry_nothing_through_a_plate() {
    for (speed, h) in [(3.0_f64, 1e-3), (30.0, 1e-3), (30.0, 0.01)] {
        let mut run = build(
            &format!(
                r#"(dimension: 2, time: (step: {h}, end: {}, theta: 0.5), materials: {{"m": (density: 1000)}},
  bodies: [(group: "b", material: "m", shape: Disc(radius: 0.01), mass: 1e-3, at: (0, 0.05), velocity: (0, -{speed})), (group: "w", material: "m", shape: Box(size: (0.2, 0.001)))],
  interactions: [(between: ("b", "w"), law: Hooke(stiffness: 1e7, friction: 0, restitution: 0.9))],
  loads: [(on: "w", load: Fixed)], physics: [SmoothContact(integrator: Implicit())],
  output: (probes: [(name: "v", of: "velocity", component: Y, group: "b")]))"#,
                (0.08 / speed).max(2.0 * h)
            ),
            &[],
        );
        let mut back: f64 = 0.0;
        while !run.finished() {
            let step = run.step().unwrap();
            back = column(&run, &step, "v").unwrap();
        }
        assert!((back / (0.9 * speed) - 1.0).abs() < 0.02, "{speed} m/s at {h} s: comes back at {back} m/s");
    }
}

/// A heap at rest asks for no cuts: with θ = 1 a step is one sub-step, also under a load that rises at a steady rate.
#[test]
fn implicit_steps_at_rest_are_long() {
    for (load, more) in [("", 0.0), (r#"(on: "b", load: Force(z: Ramp(from: 0, to: -0.4, end: 0.8)))"#, 2.0 * 0.2)] {
        let mut run = build(
            &format!(
                r#"(dimension: 3, time: (step: 2e-3, end: 0.4, theta: 1), materials: {{"m": (density: 1000)}}, gravity: (0, 0, -9.81),
  bodies: [(group: "b", material: "m", shape: Sphere(radius: 0.01), at: (0, 0, 0.01)), (group: "b", material: "m", shape: Sphere(radius: 0.01), at: (0, 0, 0.03)),
    (group: "w", material: "m", shape: Plane(normal: (0, 0, 1)))],
  interactions: [(between: ("b", "b"), law: Hooke(stiffness: 1e5, friction: 0.3)), (between: ("b", "w"), law: Hooke(stiffness: 1e5, friction: 0.3))],
  loads: [{load}], physics: [SmoothContact(integrator: Implicit())],
  output: (probes: [(name: "f", of: "normal_force", group: "w")]))"#
            ),
            &[],
        );
        let (mut substeps, mut force): (f64, f64) = (0.0, 0.0);
        while !run.finished() {
            let step = run.step().unwrap();
            (substeps, force) = (column(&run, &step, "substeps").unwrap(), column(&run, &step, "f").unwrap());
        }
        let expected = 2.0 * 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-6 * 9.81 + more;
        assert!((force / expected - 1.0).abs() < 2e-3, "{load}: {force} N of {expected}");
        assert!((substeps - 1.0).abs() < f64::EPSILON, "{load}: {substeps} sub-steps");
    }
}

/// Balls that graze each other between two sub-steps, a pulse of force and a drive within a step: what is seen is what explicit sub-steps see.
#[test]
fn implicit_steps_see_what_explicit_ones_see() {
    let grazing = |integrator: &str, from: f64| {
        let run = build(
            &format!(
                r#"(dimension: 2, time: (step: 1e-3, end: 0.02), materials: {{"m": (density: 1000)}},
  bodies: [(group: "b", material: "m", shape: Disc(radius: 0.01), at: (-{from}, 0), velocity: (10, 0)), (group: "b", material: "m", shape: Disc(radius: 0.01), at: ({from}, 0.0196), velocity: (-10, 0))],
  interactions: [(between: ("b", "b"), law: Hooke(stiffness: 1e7, friction: 0))], physics: [SmoothContact({integrator})],
  output: (probes: [(name: "v", of: "velocity", component: Y, group: "b", reduce: Max)]))"#
            ),
            &[],
        );
        largest(run, "v").1
    };
    for from in [0.03, 0.032, 0.035, 0.0373] {
        let (explicit, implicit) = (grazing("", from), grazing("integrator: Implicit()", from));
        assert!(explicit > 0.5 && (implicit / explicit - 1.0).abs() < 0.02, "from {from} m: {implicit} m/s for {explicit}");
    }
    let moved = |load: &str, integrator: &str| {
        let run = build(
            &format!(
                r#"(dimension: 2, time: (step: 0.02, end: 0.04), materials: {{"m": (density: 1000)}},
  bodies: [(group: "w", material: "m", shape: Box(size: (0.02, 0.2)), at: (0, 0)), (group: "b", material: "m", shape: Disc(radius: 0.02), mass: 0.1, at: (0.06, 0))],
  interactions: [(between: ("b", "w"), law: Hooke(stiffness: 1e7, friction: 0, restitution: 0.5))], loads: [{load}], physics: [SmoothContact({integrator})],
  output: (probes: [(name: "v", of: "velocity", component: X, group: "b")]))"#
            ),
            &[],
        );
        largest(run, "v").1
    };
    for load in [
        r#"(on: "w", load: Fixed), (on: "b", load: Force(x: "20*exp(-((t - 0.01)/0.002)^2)"))"#,
        r#"(on: "w", load: Velocity(x: "20*sin(2*PI*50*t)", y: 0, spin_z: 0))"#,
    ] {
        let (explicit, implicit) = (moved(load, ""), moved(load, "integrator: Implicit()"));
        assert!(explicit > 0.5 && (implicit / explicit - 1.0).abs() < 0.02, "{load}: {implicit} m/s for {explicit}");
    }
}
