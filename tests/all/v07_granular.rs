//! VALIDATION §7, granular bands, each with three seeds.

use crate::granular::{build, steps};

/// A column of discs of aspect ratio `aspect` on a rough floor against a smooth wall is let go; the normalised run-out.
fn run_out(aspect: f64, seed: u64) -> f64 {
    let (width, radius) = (1.0, 0.02);
    let height = aspect * width;
    let text = format!(
        r#"(dimension: 2, gravity: (0, -9.81), time: (step: 2e-3, end: 4, on_failure: Continue), materials: {{"m": (density: 2500)}},
        bodies: [
          (group: "grains", material: "m",
           packing: Deposit(from: (0, 0), to: ({width}, {height}), sizes: Uniform(min: {}, max: {}), seed: {seed})),
          (group: "floor", material: "m", shape: Plane(normal: (0, 1))),
          (group: "wall", material: "m", shape: Plane(normal: (1, 0))),
        ],
        interactions: [
          (between: ("grains", "grains"), law: Coulomb(friction: 0.5)),
          (between: ("grains", "floor"), law: Coulomb(friction: 0.5)),
          (between: ("grains", "wall"), law: Coulomb(friction: 0)),
        ],
        physics: [Contact(tolerance: 1e-4, max_iterations: 500)])"#,
        0.8 * radius,
        1.2 * radius
    );
    let mut run = build(&text, &[]);
    // Long after the fall of the column, √(2H/g): only single discs still roll.
    let time = 6.0 * (height / 9.81).sqrt();
    steps(&mut run, (time / 2e-3) as u64);
    let grains = run.setup().bodies_of("grains").unwrap();
    let mut x: Vec<f64> = grains.iter().map(|b| run.world().kinematics.position[b.index()].x).collect();
    x.sort_by(f64::total_cmp);
    // The front: what discs that roll away alone do not move.
    (x[x.len() * 98 / 100] - width) / width
}

/// Staron and Hinch: (L∞ − L₀)/L₀ ≈ 2.5 a for a ≲ 2; recalled, so a band.
#[test]
fn v07_column_collapse() {
    for aspect in [0.8, 1.5] {
        let found = [1, 2, 3].map(|seed| run_out(aspect, seed) / aspect);
        assert!(found.iter().all(|f| (1.5..3.5).contains(f)), "a = {aspect}: run-out over a {found:?}");
    }
}
