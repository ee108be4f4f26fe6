//! Hertz's pressure from finite elements: a rigid disc and a rigid ball on elastic blocks, by the forces at the nodes. Halves and quarters of the
//! bodies stand for the whole.

use mpcd_core::MeshQuantity;

use crate::granular::build;

const YOUNG: f64 = 1e6;
const POISSON: f64 = 0.3;
/// Young's modulus of plane strain.
const EFFECTIVE: f64 = YOUNG / (1.0 - POISSON * POISSON);
const RADIUS: f64 = 0.5;

/// Impulses over time at the contacts on the block (normal force, N, by place, m), and the largest contact pressure of its nodes (Pa).
fn forces(dimension: usize, block: &str, round: &str, loads: &str, at: &str) -> (Vec<([f64; 3], f64)>, f64) {
    let (step, steps) = (0.05, 30);
    let mut run = build(
        &format!(
            r#"(dimension: {dimension}, time: (step: {step}, end: 10, theta: 1),
  materials: {{"m": (density: 1, elastic: (young: {YOUNG}, poisson: {POISSON}))}},
  bodies: [
    (group: "block", material: "m", shape: Mesh(of: {block})),
    (group: "round", material: "m", shape: {round}(radius: {RADIUS}), at: {at}),
  ],
  interactions: [(between: ("block", "round"), law: Coulomb(friction: 0))],
  loads: [(on: "block.bottom", load: Locked(axes: [Y])), (on: "block.left", load: Locked(axes: [X])), {loads}],
  physics: [Contact(tolerance: 1e-8)])"#
        ),
        &[],
    );
    (0..steps).for_each(|_| {
        run.step().unwrap();
    });
    let pushes = run.world().network.iter().filter(|c| c.r.x > 0.0);
    let meshes = run.meshes_with(&[MeshQuantity::ContactPressure]);
    let most = meshes[0].arrays[0].values.iter().fold(0.0_f64, |a, b| a.max(*b));
    (pushes.map(|c| ([c.point.x, c.point.y, c.point.z], c.r.x / step)).collect(), most)
}

/// `p = p₀ √(1 − x²/b²)`, `b² = 4 P R/(π E*)`, `p₀ = 2 P/(π b)`.
#[test]
fn a_disc_presses_as_hertz_says() {
    let line = 500.0;
    let half_width = (4.0 * line * RADIUS / (std::f64::consts::PI * EFFECTIVE)).sqrt();
    let peak = 2.0 * line / (std::f64::consts::PI * half_width);
    let (found, most) = forces(
        2,
        "Rectangle(size: (1, 1), cells: (40, 30), element: Q4, grading: (100, 0.01))",
        "Disc",
        r#"(on: "round", load: Force(x: 0, y: -250)), (on: "round", load: Locked(axes: [X, SpinZ]))"#,
        "(0, 1.5)",
    );
    let whole: f64 = found.iter().map(|f| f.1).sum();
    assert!((whole / 250.0 - 1.0).abs() < 1e-3, "{whole} N");
    let mut places: Vec<(f64, f64)> = found.iter().map(|(x, f)| (x[0], *f)).collect();
    places.sort_by(|a, b| a.0.total_cmp(&b.0));
    let edge = places[places.len() - 1].0;
    assert!((edge / half_width - 1.0).abs() < 0.1, "{edge} m of {half_width} m");
    let mut count = 0;
    for k in 1..places.len() - 1 {
        let (x, force) = places[k];
        if x < 0.8 * half_width {
            let pressure = force / (0.5 * (places[k + 1].0 - places[k - 1].0));
            let theory = peak * (1.0 - (x / half_width).powi(2)).sqrt();
            assert!((pressure - theory).abs() < 0.03 * peak, "at {x} m: {pressure} Pa of {theory} Pa");
            count += 1;
        }
    }
    assert!(count > 5, "{count} nodes");
    assert!((most / peak - 1.0).abs() < 0.03, "`contact_pressure` of {most} Pa, p₀ = {peak} Pa");
}

/// `p = p₀ √(1 − r²/a²)`, `a³ = 3 F R/(4 E*)`, `p₀ = 3 F/(2 π a²)`: the pressure at the nodes.
#[test]
fn a_ball_presses_as_hertz_says() {
    let radius: f64 = 0.03;
    let force = 4.0 * EFFECTIVE * radius.powi(3) / (3.0 * RADIUS);
    let (found, most) = forces(
        3,
        "Cuboid(size: (1, 1, 1), cells: (16, 12, 16), element: Hex8, grading: (60, 0.02, 60))",
        "Sphere",
        &format!(
            r#"(on: "block.back", load: Locked(axes: [Z])), (on: "round", load: Force(x: 0, y: -{}, z: 0)), (on: "round", load: Locked(axes: [X, Z, SpinX, SpinY, SpinZ]))"#,
            0.25 * force
        ),
        "(0, 1.5, 0)",
    );
    let whole: f64 = found.iter().map(|f| f.1).sum();
    assert!((4.0 * whole / force - 1.0).abs() < 1e-3, "{whole} N of {} N", 0.25 * force);
    // lines of nodes along x, and along z
    let mut lines: Vec<f64> = found.iter().filter(|f| f.0[2] == 0.0).map(|f| f.0[0]).collect();
    lines.sort_by(f64::total_cmp);
    let width = |x: f64| {
        let k = lines.iter().position(|line| (line - x).abs() < 1e-4).unwrap();
        let before = if k == 0 { 0.0 } else { 0.5 * (lines[k - 1] + lines[k]) };
        (lines.get(k + 1).map(|next| 0.5 * (next + lines[k])), before)
    };
    let peak = 1.5 * force / (std::f64::consts::PI * radius * radius);
    let mut count = 0;
    for ([x, _, z], pushed) in &found {
        let distance = x.hypot(*z);
        let ((Some(x1), x0), (Some(z1), z0)) = (width(*x), width(*z)) else { continue };
        if distance < 0.6 * radius {
            let pressure = pushed / ((x1 - x0) * (z1 - z0));
            let theory = peak * (1.0 - (distance / radius).powi(2)).sqrt();
            assert!((pressure - theory).abs() < 0.03 * peak, "({x}, {z}): {pressure} Pa of {theory} Pa");
            count += 1;
        }
    }
    assert!(count > 8, "{count} nodes");
    assert!((most / peak - 1.0).abs() < 0.03, "`contact_pressure` of {most} Pa, p₀ = {peak} Pa");
}

/// A sphere of 10 mm on a rigid plane, E = 200 GPa, ν = 0.3, 100 N (the same contact as that of a rigid sphere on a block so large): contact radius
/// a = 0.1505535 mm from ∫ r² dF = ⅖ F a² and by the last node that is pressed, approach δ = 2.266636 µm, p₀ = 2.106491 GPa. A block is
/// stiffer than a half-space: δ is 1.6 % less with 33 a, and 0.7 % with 133 a.
#[test]
fn v08_a_ball_on_an_axis_has_radius_approach_and_pressure_of_hertz() {
    let (force, a, delta, peak): (f64, f64, f64, f64) = (100.0, 0.150_553_5e-3, 2.266_636e-6, 2.106_491e9);
    for (side, cells, growth, lowest, highest) in [(5e-3, 44, 120.0, -0.02, -0.012), (20e-3, 60, 400.0, -0.01, -0.004)] {
        let mut run = build(
            &format!(
                r#"(dimension: 2, time: (step: 1, end: 100, theta: 1),
  materials: {{"m": (density: 7800, elastic: (young: 200e9, poisson: 0.3))}},
  bodies: [
    (group: "block", material: "m", shape: Mesh(of: Rectangle(size: ({side}, {side}), cells: ({cells}, {cells}), element: Q4, grading: ({growth}, {})), plane: Axisymmetric)),
    (group: "ball", material: "m", shape: Disc(radius: 10e-3), at: (0, {}), mass: 0.03),
  ],
  interactions: [(between: ("block", "ball"), law: Coulomb(friction: 0))],
  loads: [(on: "block.bottom", load: Locked(axes: [Y])),
    (on: "ball", load: Force(x: 0, y: -{force})), (on: "ball", load: Locked(axes: [X, SpinZ]))],
  physics: [Contact(tolerance: 1e-10)])"#,
                1.0 / growth,
                side + 10e-3
            ),
            &[],
        );
        let start = run.world().kinematics.position[1].y;
        (0..30).for_each(|_| {
            run.step().unwrap();
        });
        let approach = start - run.world().kinematics.position[1].y;
        let block = &run.meshes_with(&[MeshQuantity::ContactForce, MeshQuantity::ContactPressure])[0];
        let mut pressed: Vec<(f64, f64)> = block
            .points
            .iter()
            .zip(block.arrays[0].values.chunks_exact(3))
            .map(|(x, f)| (x.x, -f[1]))
            .filter(|(_, f)| *f > 0.0)
            .collect();
        pressed.sort_by(|a, b| a.0.total_cmp(&b.0));
        let whole: f64 = pressed.iter().map(|(_, f)| f).sum();
        let radius = (2.5 * pressed.iter().map(|(r, f)| r * r * f).sum::<f64>() / whole).sqrt();
        let (edge, before) = (pressed[pressed.len() - 1].0, pressed[pressed.len() - 2].0);
        let most = block.arrays[1].values.iter().fold(0.0_f64, |a, b| a.max(*b));
        let told = format!("{side} m: {whole} N, a {radius:e} and {edge:e} m, δ {approach:e} m, p₀ {most:e} Pa");
        assert!((whole / force - 1.0).abs() < 1e-6, "{told}");
        assert!((radius / a - 1.0).abs() < 5e-3 && (edge - a).abs() < 1.5 * (edge - before), "{told}");
        assert!((lowest..highest).contains(&(approach / delta - 1.0)), "{told}");
        assert!((most / peak - 1.0).abs() < 5e-3, "{told}");
    }
}
