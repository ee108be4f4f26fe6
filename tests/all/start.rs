//! What fields hold before the first step, by numbers computed by hand: the first frame shows them.

use crate::granular::build;

const MATERIAL: &str = r#"materials: {"m": (density: 1000, thermal: (conductivity: 50, specific_heat: 500, expansion: 1e-3),
    electrical: (conductivity: 1e6), elastic: (young: 1e9, poisson: 0.2))}"#;

fn near(found: &[f64], want: &[f64]) {
    assert_eq!(found.len(), want.len());
    for (a, b) in found.iter().zip(want) {
        assert!((a - b).abs() <= 1e-12 * b.abs().max(1e-3), "{found:?}, expected {want:?}");
    }
}

/// Values of an array of a part of the frame.
fn shown(run: &mpcd_sim::Simulation, part: &str, name: &str) -> Vec<f64> {
    let frame = run.frame();
    let data = &frame.iter().find(|p| p.name == part).unwrap_or_else(|| panic!("no part {part}")).data;
    let arrays = match data {
        mpcd_output::DataSet::Points(points) => &points.arrays,
        mpcd_output::DataSet::Image(image) => &image.cell_arrays,
        _ => panic!("{part} has no arrays of fields"),
    };
    match &arrays.iter().find(|a| a.name == name).unwrap_or_else(|| panic!("no array {name}")).values {
        mpcd_output::Values::F64(values) => values.clone(),
        _ => panic!("{name} is no field"),
    }
}

/// Temperatures of two groups and of a held one; sizes are measured from each body's own start, and the held one starts where its
/// function is at t = 0: 1 + 1e-3 · (350 − 300).
#[test]
fn temperatures_and_sizes_of_the_first_frame() {
    let model = format!(
        r#"(dimension: 3, gravity: (0, 0, 0), time: (step: "1 ms", end: "10 ms"), {MATERIAL},
  bodies: [
    (group: "a", material: "m", shape: Sphere(radius: 0.1), at: (0, 0, 0)),
    (group: "b", material: "m", shape: Sphere(radius: 0.1), at: (1, 0, 0)),
    (group: "c", material: "m", shape: Sphere(radius: 0.1), at: (2, 0, 0)),
  ],
  interactions: [(between: ("a", "b"), law: NoContact), (between: ("a", "c"), law: NoContact), (between: ("b", "c"), law: NoContact)],
  physics: [Contact(), Thermal(law: Hertz, temperature: 300, initial: [(group: "b", temperature: 400)],
    boundary: [Temperature(group: "c", value: "350 + 10*t")])],
  output: (probes: [(name: "tb", of: "temperature", group: "b")]))"#
    );
    let mut run = build(&model, &[]);
    near(&shown(&run, "bodies", "temperature"), &[300.0, 400.0, 350.0]);
    near(&shown(&run, "bodies", "size_factor"), &[1.0, 1.0, 1.05]);
    // The lagged reader of sizes meets the start, not a body that has yet to grow.
    run.step().unwrap();
    let growth = run.world().kinematics.size[2];
    assert!((growth - 1.05).abs() < 1e-12, "{growth}");
}

/// Two electrodes; no contact carries a force yet.
#[test]
fn potentials_of_the_first_frame() {
    let model = format!(
        r#"(dimension: 3, gravity: (0, 0, 0), time: (step: "1 ms", end: "10 ms"), {MATERIAL},
  bodies: [
    (group: "a", material: "m", shape: Sphere(radius: 0.1), at: (0, 0, 0)),
    (group: "b", material: "m", shape: Sphere(radius: 0.1), at: (1, 0, 0)),
    (group: "c", material: "m", shape: Sphere(radius: 0.1), at: (2, 0, 0)),
  ],
  interactions: [(between: ("a", "b"), law: NoContact), (between: ("a", "c"), law: NoContact), (between: ("b", "c"), law: NoContact)],
  physics: [Contact(), Electrical(law: Hertz, potential: [(group: "a", value: 12), (group: "c", value: "-3 + t")])])"#
    );
    near(&shown(&build(&model, &[]), "bodies", "potential"), &[12.0, 0.0, -3.0]);
}

/// One ball of 0.1 m in the middle of one of two cells of 1 m³, with smoothing 0: φ = 1 − 4/3 π 0.1³ there, 1 in the other; the
/// pressure of the table at the middles of the cells; buoyancy 1000 · 9.81 · V and −V/(1−φ) ∇p on the ball.
#[test]
fn pores_of_the_first_frame() {
    let model = format!(
        r#"(dimension: 3, gravity: (0, -9.81, 0), time: (step: "1 us", end: "10 us"), {MATERIAL},
  bodies: [(group: "a", material: "m", shape: Sphere(radius: 0.1), at: (0.5, 0.5, 0.5), velocity: (0.25, 0, 0))],
  physics: [Contact(), Darcy(grid: (from: (0, 0, 0), to: (2, 1, 1), cells: (2, 1, 1)), fluid: Liquid(), smoothing: 0,
    initial: Table(axis: x, points: [(0, 100), (2, 300)]))])"#
    );
    let run = build(&model, &[]);
    let volume = 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    let x = shown(&run, "grid", "porosity");
    assert!((x[0] + x[1] - (2.0 - volume)).abs() < 1e-12, "{x:?}");
    near(&shown(&run, "grid", "pressure"), &[150.0, 250.0]);
    let velocity = shown(&run, "grid", "velocity");
    near(&velocity[..3], &[0.25, 0.0, 0.0]);
    let force = shown(&run, "bodies", "fluid_force");
    assert!((force[1] - 9.81e3 * volume).abs() < 1e-9, "{force:?}");
}

/// Two balls of 0.4 m in two cells of 1 m³, more than a tenth of each: there grains bear the gradient of α p, so that all forces along it are those on the
/// ends, −α (250 − 150) Pa · 1 m², in the first frame too.
#[test]
fn grains_that_yield_bear_their_part_in_the_first_frame() {
    for (biot, alpha) in [("", 1.0), ("biot: (coefficient: 0.96),", 0.96)] {
        let model = format!(
            r#"(dimension: 3, gravity: (0, 0, 0), time: (step: "1 us", end: "10 us"), {MATERIAL},
  bodies: [
    (group: "a", material: "m", shape: Sphere(radius: 0.4), at: (0.5, 0.5, 0.5)),
    (group: "a", material: "m", shape: Sphere(radius: 0.4), at: (1.5, 0.5, 0.5)),
  ],
  interactions: [(between: ("a", "a"), law: NoContact)],
  physics: [Contact(), Darcy(grid: (from: (0, 0, 0), to: (2, 1, 1), cells: (2, 1, 1)), fluid: Liquid(), smoothing: 0, {biot}
    porosity: (min: 0.2, max: 0.95), initial: Table(axis: x, points: [(0, 100), (2, 300)]))])"#
        );
        let force = shown(&build(&model, &[]), "bodies", "fluid_force");
        let all = force[0] + force[3];
        assert!((all + 100.0 * alpha).abs() < 1e-9, "{alpha}: {force:?}");
    }
}

/// What overlaps weighs once, as its weight on the floor shows. Hollow parts count whole: told, unless the model says what they weigh; two cubes side by side share nothing.
#[test]
fn what_parts_of_a_cluster_share_weighs_once() {
    let balls = "(shape: Sphere(radius: 0.1)), (shape: Sphere(radius: 0.1), at: (0.05, 0, 0))";
    let shell = "(shape: HollowSphere(radius: 0.1, wall: 0.01)), (shape: Sphere(radius: 0.05), at: (0.09, 0, 0))";
    let cubes = "(shape: Box(size: (0.2, 0.2, 0.2))), (shape: Box(size: (0.2, 0.2, 0.2)), at: (0.2, 0, 0))";
    let ball = |radius: f64| 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let lens = std::f64::consts::PI * (0.4 + 0.05) * 0.15_f64.powi(2) / 12.0;
    let hollow = ball(0.11) - ball(0.1) + ball(0.05);
    for (parts, more, volume, told) in [
        (balls, "", 2.0 * ball(0.1) - lens, false),
        (shell, "", hollow, true),
        (shell, ", mass: 5", 5e-3, false),
        (cubes, "", 0.016, false),
    ] {
        let text = format!(
            r#"(dimension: 3, gravity: (0, 0, -10), time: (step: 1e-3, end: 1), materials: {{"m": (density: 1000)}},
            bodies: [(group: "a", material: "m", shape: Cluster(parts: [{parts}]), at: (0, 0, 0.11){more}), (group: "f", material: "m", shape: Plane(normal: (0, 0, 1)))],
            interactions: [(between: ("a", "f"), law: Coulomb(friction: 0.3))], physics: [Contact()])"#
        );
        let run = build(&text, &[]);
        let mass = run.setup().bodies.mass[0];
        assert!((mass / (1e3 * volume) - 1.0).abs() < 1e-5, "{parts}{more}: {mass} kg for {}", 1e3 * volume);
        let words =
            "parts 1 and 2 of body 0 (group \"a\") overlap by 4.00e-2 m, and one of them does not tell where lines go through it";
        let warnings = run.summary().warnings;
        assert_eq!(warnings.iter().any(|w| w.starts_with(words)), told, "{parts}{more}: {warnings:?}");
    }
}
