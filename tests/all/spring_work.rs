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
