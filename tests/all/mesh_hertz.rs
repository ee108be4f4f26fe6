//! Hertz's pressure from finite elements: a rigid disc and a rigid ball on elastic blocks, by the forces at the nodes. Halves and quarters of the
//! bodies stand for the whole.

use crate::granular::build;

const YOUNG: f64 = 1e6;
const POISSON: f64 = 0.3;
/// Young's modulus of plane strain.
const EFFECTIVE: f64 = YOUNG / (1.0 - POISSON * POISSON);
const RADIUS: f64 = 0.5;

/// Impulses over time at the contacts on the block (normal force, N, by place, m).
fn forces(dimension: usize, block: &str, round: &str, loads: &str, at: &str) -> Vec<([f64; 3], f64)> {
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
    pushes.map(|c| ([c.point.x, c.point.y, c.point.z], c.r.x / step)).collect()
}

/// `p = p₀ √(1 − x²/b²)`, `b² = 4 P R/(π E*)`, `p₀ = 2 P/(π b)`.
#[test]
fn a_disc_presses_as_hertz_says() {
    let line = 500.0;
    let half_width = (4.0 * line * RADIUS / (std::f64::consts::PI * EFFECTIVE)).sqrt();
    let peak = 2.0 * line / (std::f64::consts::PI * half_width);
    let found = forces(
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
}

/// `p = p₀ √(1 − r²/a²)`, `a³ = 3 F R/(4 E*)`, `p₀ = 3 F/(2 π a²)`: the pressure at the nodes.
#[test]
fn a_ball_presses_as_hertz_says() {
    let radius: f64 = 0.03;
    let force = 4.0 * EFFECTIVE * radius.powi(3) / (3.0 * RADIUS);
    let found = forces(
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
}
