//! What friction takes at springs along the surface: contacts of which some points slide and others stick, against the work of the points that slide.

use crate::granular::{build, column};

/// A box of 10 kg, 0.2 m wide, on springs of 1 MN/m and, along the floor, 100 kN/m; it is pulled by F at its centre, up to 45 N, slowly.
fn pulled(dimension: usize, step: f64) -> String {
    let (size, at, up, normal) = match dimension {
        2 => ("(0.2, 0.2)", "(0, 0.0999019)", "(0, -9.81)", "(0, 1)"),
        _ => ("(0.2, 0.2, 0.2)", "(0, 0.0999019, 0)", "(0, -9.81, 0)", "(0, 1, 0)"),
    };
    format!(
        r#"(dimension: {dimension}, gravity: {up}, time: (step: {step:e}, end: 6.5, theta: 1), materials: {{"m": (density: 1000)}},
        bodies: [(group: "b", material: "m", shape: Box(size: {size}), at: {at}, mass: 10), (group: "f", material: "m", shape: Plane(normal: {normal}))],
        loads: [(on: "b", load: Force(x: Ramp(from: 0, to: 45, start: 0.5, end: 6.5)))],
        interactions: [(between: ("b", "f"), law: Elastic(stiffness: 1e6, damping: 3e3, tangential_stiffness: 1e5, friction: 0.5))],
        physics: [Contact()])"#
    )
}

/// The rear edge carries N = mg/2 − F H/w and slides where F/2 reaches μN, at 32.7 N; from there on it carries T = μN, the front F − T, and slides by ds = (dF − 2 dT)/k with k half of
/// the stiffness. The heat is ∫ T ds. The elastic work of the edge that sticks was taken for it as well: 7.2 mJ of 5.5.
#[test]
fn friction_takes_the_work_of_what_slides_alone() {
    let (mu, weight, lever, k) = (0.5, 98.1, 0.5, 0.5e5);
    let rear = |force: f64| mu * (0.5 * weight - lever * force);
    let (from, to) = (mu * 0.5 * weight / (0.5 + mu * lever), 45.0);
    // linear in F: exact by its middle
    let heat = rear(0.5 * (from + to)) * (1.0 + 2.0 * mu * lever) / k * (to - from);
    for (dimension, h) in [(2, 1e-3), (2, 5e-4), (3, 1e-3)] {
        let mut run = build(&pulled(dimension, h), &[]);
        let (mut friction, mut open) = (0.0, 0.0_f64);
        while !run.finished() {
            let step = run.step().unwrap_or_else(|e| panic!("{dimension} {h}: {e}"));
            friction = -column(&run, &step, "w_friction").unwrap();
            open = open.max(column(&run, &step, "book_energy").unwrap().abs());
        }
        assert!((friction / heat - 1.0).abs() < 1e-2, "{dimension} {h}: {friction:e} J of {heat:e} J");
        assert!(open < 1e-10, "{dimension} {h}: {open:e}");
    }
}

/// A slow pull stretches the springs along the surface as far as a fast one: T/k_t, at the default tolerance, of one point, of an edge and of a face, on a plane and on a box.
#[test]
fn a_slow_pull_stretches_springs_in_full() {
    let stretched = |dimension: usize, body: &str, floor: &str, pull: f64| {
        let (up, held) = if dimension == 2 { ("(0, -9.81)", "SpinZ") } else { ("(0, 0, -9.81)", "SpinX, SpinY, SpinZ") };
        let text = format!(
            r#"(dimension: {dimension}, gravity: {up}, time: (step: 1e-3, end: 1.1, theta: 1), materials: {{"m": (density: 1000)}},
            bodies: [(group: "b", material: "m", shape: {body}, mass: 2), (group: "f", material: "m", shape: {floor})],
            loads: [(on: "b", load: Locked(axes: [{held}])), (on: "f", load: Fixed), (on: "b", load: Force(x: Ramp(from: 0, to: {pull}, start: 0.2, end: 1)))],
            interactions: [(between: ("b", "f"), law: Elastic(stiffness: 1e6, damping: 1e3, tangential_stiffness: 1e6, friction: 0.5))],
            physics: [Contact()])"#
        );
        let mut run = build(&text, &[]);
        let start = run.world().kinematics.position[0].x;
        while !run.finished() {
            run.step().unwrap_or_else(|e| panic!("{body} on {floor}: {e}"));
        }
        run.world().kinematics.position[0].x - start
    };
    for (dimension, body, floor) in [
        (2, "Disc(radius: 0.05), at: (0, 0.05)", "Plane(normal: (0, 1))"),
        (2, "Box(size: (0.1, 0.1)), at: (0, 0.05)", "Plane(normal: (0, 1))"),
        (2, "Box(size: (0.1, 0.1)), at: (0, 0.05)", "Box(size: (1, 0.2)), at: (0, -0.1)"),
        (3, "Sphere(radius: 0.05), at: (0, 0, 0.05)", "Plane(normal: (0, 0, 1))"),
        (3, "Box(size: (0.1, 0.1, 0.1)), at: (0, 0, 0.05)", "Plane(normal: (0, 0, 1))"),
        (3, "Box(size: (0.1, 0.1, 0.1)), at: (0, 0, 0.05)", "Box(size: (1, 1, 0.2)), at: (0, 0, -0.1)"),
    ] {
        for pull in [5.0, 0.5, 1e-3] {
            let found = stretched(dimension, body, floor, pull) / (pull / 1e6);
            assert!((found - 1.0).abs() < 1e-3, "{body} on {floor}, {pull} N: {found} of T/k");
        }
    }
}

/// A ball that cannot turn slides to rest on a spring: nearly all of its energy becomes heat, whatever the step; and one that is held by the spring makes none.
#[test]
fn a_slide_to_rest_is_heat_and_a_swing_is_none() {
    let model = |speed: f64, friction: f64| {
        format!(
            r#"(dimension: 2, gravity: (0, -9.81), time: (step: 1e-3, end: 0.5), materials: {{"m": (density: 1000)}},
            bodies: [(group: "b", material: "m", shape: Disc(radius: 0.1), at: (0, 0.0999019), mass: 10, velocity: ({speed}, 0)),
                     (group: "f", material: "m", shape: Plane(normal: (0, 1)))],
            loads: [(on: "b", load: Locked(axes: [SpinZ]))],
            interactions: [(between: ("b", "f"), law: Elastic(stiffness: 1e6, tangential_stiffness: 1e6, friction: {friction}))],
            physics: [Contact()])"#
        )
    };
    let heat = |speed: f64, friction: f64| {
        let mut run = build(&model(speed, friction), &[]);
        let mut heat = 0.0;
        while !run.finished() {
            let step = run.step().unwrap_or_else(|e| panic!("{speed} {friction}: {e}"));
            heat = -column(&run, &step, "w_friction").unwrap();
        }
        heat
    };
    // it stops in 0.2 s; what stays is below (μmg)²/2k, the spring at its limit
    let (slid, kinetic, spring) = (heat(1.0, 0.5), 5.0, (0.5_f64 * 98.1).powi(2) / 2e6);
    assert!(slid < kinetic * (1.0 + 1e-9) && slid > kinetic - 3.0 * spring, "{slid} of {kinetic} less {spring}");
    let held = heat(1e-3, 0.5);
    assert!(held.abs() < 1e-9 * 5e-6, "{held:e} of 5e-6");
}

/// A plate presses a ball by 10 mm/s on a floor: the force of a step is the stiffness times the overlap at its end, for every θ. It was that of (1 − θ) h later, by half of a step's way for θ = ½.
#[test]
fn a_spring_is_as_long_as_the_gap_at_the_end_of_the_step() {
    for theta in [0.5, 0.75, 1.0] {
        let text = format!(
            r#"(dimension: 3, gravity: (0, 0, 0), time: (step: 1e-3, end: 0.025, theta: {theta}), materials: {{"m": (density: 1000)}},
            bodies: [(group: "plate", material: "m", shape: Plane(normal: (0, 0, -1)), at: (0, 0, 0.2)), (group: "b", material: "m", shape: Sphere(radius: 0.1), at: (0, 0, 0.1), mass: 1e-3),
                     (group: "floor", material: "m", shape: Plane(normal: (0, 0, 1)))],
            loads: [(on: "plate", load: Velocity(z: -0.01))],
            interactions: [(between: ("b", "plate"), law: Elastic(stiffness: 1e5, friction: 0)), (between: ("b", "floor"), law: Elastic(stiffness: 1e5, friction: 0))], physics: [Contact(tolerance: 1e-10)],
            output: (probes: [(name: "f", of: "normal_force", reduce: Max), (name: "z", of: "position", component: Z, group: "plate"), (name: "b", of: "position", component: Z, group: "b")]))"#
        );
        let mut run = build(&text, &[]);
        while !run.finished() {
            let step = run.step().unwrap_or_else(|e| panic!("{theta}: {e}"));
            let [f, z, b] = ["f", "z", "b"].map(|name| column(&run, &step, name).unwrap());
            let overlap = (0.1 - b).max(b + 0.1 - z);
            assert!((f - 1e5 * overlap).abs() < 1e-6 * f, "θ {theta}, {} s: {f} N at {overlap:e} m", run.time());
        }
    }
}

/// A disc swings on a spring pressed by its weight, Ω = hω = 0.1: its amplitude falls by the product of the roots, 1/(1 + θΩ²), in each step. It was 1/(1 + Ω²) for every θ.
#[test]
fn a_spring_damps_by_the_end_of_the_step_alone() {
    for theta in [0.5, 0.75, 1.0] {
        let (stiffness, mass, h) = (1e4_f64, 1.0, 1e-3);
        let rest = mass * 9.81 / stiffness;
        let text = format!(
            r#"(dimension: 2, gravity: (0, -9.81), time: (step: {h}, end: 0.2, theta: {theta}), materials: {{"m": (density: 1000)}},
            bodies: [(group: "b", material: "m", shape: Disc(radius: 0.1), at: (0, {}), mass: {mass}), (group: "f", material: "m", shape: Plane(normal: (0, 1)))],
            interactions: [(between: ("b", "f"), law: Elastic(stiffness: {stiffness}, friction: 0))], physics: [Contact(tolerance: 1e-12)],
            output: (probes: [(name: "y", of: "position", component: Y, group: "b"), (name: "v", of: "velocity", component: Y, group: "b")]))"#,
            0.1 - 0.5 * rest
        );
        let mut run = build(&text, &[]);
        // what an energy of the discrete swing falls by is the product of the roots, step for step: Cauchy–Binet of two states in a row
        let mut states: Vec<[f64; 2]> = Vec::new();
        while !run.finished() {
            let step = run.step().unwrap_or_else(|e| panic!("{theta}: {e}"));
            let [y, v] = ["y", "v"].map(|name| column(&run, &step, name).unwrap());
            states.push([y - (0.1 - rest), h * v]);
        }
        let area = |k: usize| states[k][0] * states[k + 1][1] - states[k][1] * states[k + 1][0];
        for k in 1..100 {
            let product = area(k + 1) / area(k);
            let wanted = 1.0 / (1.0 + theta * h * h * stiffness / mass);
            assert!((product - wanted).abs() < 1e-6, "θ {theta}, step {k}: {product} of {wanted}");
        }
    }
}

/// A square let go at 0.04 rad on springs without friction lands on one corner, whose spring is the whole contact's until the other one touches: it rocks with what no motion gave, and that is told; flat, or with a dashpot, nothing is made
/// and nothing told. In 3D as in 2D.
#[test]
fn springs_that_give_energy_as_corners_lift_are_told() {
    let run = |dimension: usize, tilt: f64, damping: f64, explicit: bool| {
        let (size, at, up, normal, held) = match dimension {
            2 => ("(0.2, 0.2)", "(0, {y})", "(0, -9.81)", "(0, 1)", ""),
            _ => (
                "(0.2, 0.2, 0.2)",
                "(0, {y}, 0)",
                "(0, -9.81, 0)",
                "(0, 1, 0)",
                r#"(on: "b", load: Locked(axes: [SpinX, SpinY, Z])), "#,
            ),
        };
        let at = at.replace("{y}", &format!("{:.12}", 0.1 * (tilt.cos() + tilt.sin())));
        let turned = if dimension == 2 { format!("{tilt}") } else { format!("((0, 0, 1), {tilt})") };
        let scheme = if explicit { ", scheme: Explicit()" } else { "" };
        let text = format!(
            r#"(dimension: {dimension}, gravity: {up}, time: (step: 5e-5, end: 0.8, theta: 0.5), materials: {{"m": (density: 1000)}},
            bodies: [(group: "b", material: "m", shape: Box(size: {size}), at: {at}, mass: 40, rotation: {turned}), (group: "f", material: "m", shape: Plane(normal: {normal}))],
            loads: [{held}(on: "f", load: Fixed)],
            interactions: [(between: ("b", "f"), law: Elastic(stiffness: 1e5, damping: {damping}, friction: 0))], physics: [Contact(watch: (swing: Warn){scheme})])"#
        );
        let mut run = build(&text, &[]);
        let (mut start, mut most) = (f64::NAN, 0.0_f64);
        while !run.finished() {
            let step = run.step().unwrap_or_else(|e| panic!("{dimension} {tilt}: {e}"));
            let energy: f64 = ["e_kinetic", "e_strain", "e_potential"].iter().map(|c| column(&run, &step, c).unwrap()).sum();
            start = if start.is_nan() { energy } else { start };
            most = most.max(energy - start);
        }
        let told = run.summary().warnings.iter().any(|w| w.contains("springs of faces made"));
        (most, told)
    };
    for dimension in [2, 3] {
        for explicit in [false, true] {
            let (made, told) = run(dimension, 0.04, 0.0, explicit);
            assert!(made > 0.5 && told, "{dimension} {explicit}: {made} J, told {told}");
            for (tilt, damping) in [(0.0, 0.0), (0.04, 1e3)] {
                let (made, told) = run(dimension, tilt, damping, explicit);
                assert!(made < 0.02 && !told, "{dimension} {tilt} {damping} {explicit}: {made} J, told {told}");
            }
        }
    }
}
