//! Resistance to rolling of bodies that rest on several points: what does not roll is not turned, what rolls or tips is resisted as on one point.

use mpcd_sim::Simulation;

use crate::granular::{build, column};

/// The last values of columns.
fn last<const N: usize>(mut run: Simulation, names: [&str; N]) -> [f64; N] {
    let mut values = [0.0; N];
    while !run.finished() {
        let step = run.step().unwrap();
        values = names.map(|name| column(&run, &step, name).unwrap());
    }
    values
}

const PROBES: &str = r#"output: (probes: [(name: "v_x", of: "velocity", component: X, group: "s"), (name: "v_y", of: "velocity", component: Y, group: "s"),
    (name: "w_z", of: "angular_velocity", component: Z, group: "s")]))"#;

/// A body of 2 kg on a plane, and how its law resists turning.
fn on_a_plane(shape: &str, motion: &str, law: &str, contact: &str) -> [f64; 3] {
    let run = build(
        &format!(
            r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: 1e-3, end: 0.1), materials: {{"m": (density: 1000)}},
  bodies: [(group: "s", material: "m", shape: {shape}, {motion}, mass: 2), (group: "p", material: "m", shape: Plane(normal: (0, 0, 1)))],
  interactions: [(between: ("s", "p"), law: Coulomb(friction: 0.3, {law}))], physics: [Contact(tolerance: 1e-10, {contact})], {PROBES}"#
        ),
        &[],
    );
    last(run, ["v_x", "v_y", "w_z"])
}

const BRICK: &str = "Box(size: (0.2, 0.2, 0.1))";
const CLUSTER: &str = "Cluster(parts: [(shape: Sphere(radius: 0.05), at: (0.1, 0, 0)), (shape: Sphere(radius: 0.05), at: (-0.05, 0.08660254037844387, 0)), \
                       (shape: Sphere(radius: 0.05), at: (-0.05, -0.08660254037844387, 0))])";
const STANDING: &str = "Cylinder(radius: 0.1, length: 0.1)";
const LYING: &str = "Cylinder(radius: 0.05, length: 0.4)";

/// What slides on a face or on three points does not turn, whatever the order of the sweeps: it is slowed by μ g. What spins in place does not drift.
#[test]
fn what_slides_is_not_turned() {
    let slowed = 1.0 - 0.3 * 9.81 * 0.1 / f64::hypot(1.0, 1.7);
    for shape in [BRICK, CLUSTER, STANDING] {
        for contact in ["", "order: Reverse", "order: Symmetric", "order: Shuffled(seed: 3)"] {
            for law in ["rolling: 0.01", "rolling: 0.03, spinning: 0.02"] {
                let [x, y, w] = on_a_plane(shape, "at: (0, 0, 0.05), velocity: (1, 1.7, 0)", law, contact);
                let off = (x - slowed).abs().max((y - 1.7 * slowed).abs()).max(w.abs());
                assert!(off < 1e-6, "{shape}, {law}, {contact}: ({x}, {y}) m/s for {slowed} times the start, {w} rad/s");
            }
        }
        let [x, y, _] = on_a_plane(shape, "at: (0, 0, 0.05), spin: (0, 0, 20)", "rolling: 0.03", "");
        assert!(x.hypot(y) < 1e-6, "{shape} spins in place: drifts at ({x}, {y}) m/s");
    }
}

/// A cylinder that slides along its axis has one moment, about it; one that rolls down a slope is resisted by it as a disc and a ball are.
#[test]
fn what_lies_on_a_line_rolls_against_its_resistance() {
    // the axis of a cylinder is its z
    let lying = "at: (0, 0, 0.05), rotation: ((1, 0, 0), 1.5707963267948966), velocity: (0, 1.7, 0)";
    let [x, y, w] = on_a_plane(LYING, lying, "rolling: 0.01", "");
    assert!((y - (1.7 - 0.3 * 9.81 * 0.1)).abs() < 1e-6 && x.abs().max(w.abs()) < 1e-6, "({x}, {y}) m/s, {w} rad/s");
    let down = |dimension: u32, shape: &str, angle: f64, resistance: f64| {
        let (sine, cosine) = angle.sin_cos();
        let (gravity, normal, at, turned) = if dimension == 2 {
            (format!("({}, {})", 9.81 * sine, -9.81 * cosine), "(0, 1)", "(0, 0.05)", "")
        } else {
            let turned = if shape.starts_with("Cyl") { ", rotation: ((1, 0, 0), 1.5707963267948966)" } else { "" };
            (format!("({}, 0, {})", 9.81 * sine, -9.81 * cosine), "(0, 0, 1)", "(0, 0, 0.05)", turned)
        };
        let probes = r#"output: (probes: [(name: "v_x", of: "velocity", component: X, group: "s")]))"#;
        let run = build(
            &format!(
                r#"(dimension: {dimension}, gravity: {gravity}, time: (step: 1e-3, end: 0.2), materials: {{"m": (density: 1000)}},
  bodies: [(group: "s", material: "m", shape: {shape}, at: {at}{turned}), (group: "p", material: "m", shape: Plane(normal: {normal}))],
  interactions: [(between: ("s", "p"), law: Coulomb(friction: 0.8, rolling: {resistance}))], physics: [Contact(tolerance: 1e-10)], {probes}"#
            ),
            &[],
        );
        last(run, ["v_x"])[0]
    };
    for (dimension, shape, turning) in [(3, LYING, 0.5), (2, "Disc(radius: 0.05)", 0.5), (3, "Sphere(radius: 0.05)", 0.4)] {
        let angle = 0.3_f64;
        let expected = 9.81 * (angle.sin() - 0.004 / 0.05 * angle.cos()) / (1.0 + turning) * 0.2;
        let found = down(dimension, shape, angle, 0.004);
        assert!((found / expected - 1.0).abs() < 1e-6, "{shape}: {found} m/s for {expected}");
        let held = down(dimension, shape, 0.07, 0.004);
        assert!(held.abs() < 1e-9, "{shape} below its angle of rolling: {held} m/s");
    }
}

/// A tall block on a slope tips where its weight points beside its edge by more than the coefficient: what the face carries, and the moment of the edge.
#[test]
fn what_tips_is_resisted_at_its_edge() {
    for (dimension, shape) in [(2, "Box(size: (0.1, 0.3))"), (3, "Box(size: (0.1, 0.2, 0.3))")] {
        let turned = |slope: f64, rolling: f64| {
            let (sine, cosine) = slope.atan().sin_cos();
            let (x, up, at, normal) = (9.81 * sine, -9.81 * cosine, 0.15, 1);
            let (gravity, place, normal, spin) = if dimension == 2 {
                (format!("({x}, {up})"), format!("(0, {at})"), format!("(0, {normal})"), "Z")
            } else {
                (format!("({x}, 0, {up})"), format!("(0, 0, {at})"), format!("(0, 0, {normal})"), "Y")
            };
            let run = build(
                &format!(
                    r#"(dimension: {dimension}, gravity: {gravity}, time: (step: 1e-3, end: 0.5), materials: {{"m": (density: 1000)}},
  bodies: [(group: "s", material: "m", shape: {shape}, at: {place}), (group: "p", material: "m", shape: Plane(normal: {normal}))],
  interactions: [(between: ("s", "p"), law: Coulomb(friction: 1, rolling: {rolling}))], physics: [Contact(tolerance: 1e-8)],
  output: (probes: [(name: "w", of: "angular_velocity", component: {spin}, group: "s")]))"#
                ),
                &[],
            );
            last(run, ["w"])[0].abs()
        };
        // half the width over half the height is 1/3, with 0.02 m more 0.467
        assert!(turned(0.32, 0.0) < 1e-6, "{shape} does not stand by itself");
        assert!(turned(0.36, 0.0) > 0.1, "{shape} does not tip by itself");
        assert!(turned(0.44, 0.02) < 1e-3, "{shape} tips in spite of its resistance: {} rad/s", turned(0.44, 0.02));
        assert!(turned(0.5, 0.02) > 0.1, "{shape} does not tip against its resistance");
    }
}

/// The same in long steps and under a press, at 0.94 to 0.985 of what tips; and a wheel of a hundred flat sides holds and rolls as a disc does.
#[test]
fn resistance_does_not_hang_on_the_step() {
    for (step, slope, press) in [(1e-2, 0.44, 0.0), (5e-3, 0.46, 0.0), (2e-3, 0.44, 20.0), (1e-3, 0.46, 100.0)] {
        let (sine, cosine) = f64::atan(slope).sin_cos();
        let weight = 1000.0 * 0.1 * 0.3 * 9.81;
        let run = build(
            &format!(
                r#"(dimension: 2, gravity: ({}, {}), time: (step: {step}, end: 0.5), materials: {{"m": (density: 1000)}},
  bodies: [(group: "s", material: "m", shape: Box(size: (0.1, 0.3)), at: (0, 0.15)), (group: "p", material: "m", shape: Plane(normal: (0, 1)))],
  interactions: [(between: ("s", "p"), law: Coulomb(friction: 1, rolling: 0.02))], physics: [Contact(tolerance: 1e-8)],
  loads: [(on: "s", load: Force(x: {}, y: {}))],
  output: (probes: [(name: "y", of: "position", component: Y, group: "s"), (name: "x", of: "position", component: X, group: "s")]))"#,
                9.81 * sine,
                -9.81 * cosine,
                press * weight * sine,
                -press * weight * cosine
            ),
            &[],
        );
        let [y, x] = last(run, ["y", "x"]);
        assert!((y - 0.15).abs() < 1e-5 && x.abs() < 1e-5, "steps of {step} s under {press} weights: ({x}, {y}) m");
    }
    let sides = 100;
    let corners: Vec<String> = (0..sides)
        .map(|k| {
            let angle = (f64::from(k) + 0.5) * std::f64::consts::TAU / f64::from(sides) - std::f64::consts::FRAC_PI_2;
            format!("({}, {})", 0.05 * angle.cos(), 0.05 * angle.sin())
        })
        .collect();
    let wheel = |slope: f64, speed: f64, step: f64| {
        let height = 0.05 * (std::f64::consts::PI / f64::from(sides)).cos();
        let run = build(
            &format!(
                r#"(dimension: 2, gravity: ({}, {}), time: (step: {step}, end: 0.2), materials: {{"m": (density: 1000)}},
  bodies: [(group: "s", material: "m", shape: Polygon(vertices: [{}]), at: (0, {height}), velocity: ({speed}, 0), spin: {}),
    (group: "p", material: "m", shape: Plane(normal: (0, 1)))],
  interactions: [(between: ("s", "p"), law: Coulomb(friction: 1, rolling: 0.004))], physics: [Contact(tolerance: 1e-8)],
  output: (probes: [(name: "v", of: "velocity", component: X, group: "s")]))"#,
                9.81 * slope.atan().sin(),
                -9.81 * slope.atan().cos(),
                corners.join(", "),
                -speed / 0.05
            ),
            &[],
        );
        last(run, ["v"])[0]
    };
    // half a side more than the coefficient: 0.111; the moments alone 0.08
    for step in [1e-3, 5e-3] {
        let held = wheel(0.072, 0.0, step);
        assert!(held.abs() < 1e-6, "a wheel on a slope of 0.072, steps of {step} s: {held} m/s");
    }
    assert!(wheel(0.13, 0.0, 1e-3) > 0.01);
}
