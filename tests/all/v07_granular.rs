//! VALIDATION §7, granular bands, each with three seeds, the silo with one.

use std::f64::consts::PI;

use mpcd_sim::Simulation;

use crate::granular::{build, column, steps};

/// A column of discs of aspect ratio `aspect` on a rough floor against a smooth wall is let go; the normalised run-out.
fn run_out(aspect: f64, seed: u64) -> f64 {
    let (width, radius) = (1.0, 0.03);
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
        physics: [Contact(solver: "nlgs-accelerated", tolerance: 1e-4, max_iterations: 500)])"#,
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

/// Discs between a fixed rough row and a rough row that moves at `speed` and is pressed on with unit pressure, each of its discs free to
/// rise; periodic along x; d = ρ = 1. Of the middle, over the last two thirds of the run: (inertial number, μ* = σ_xy/σ_yy, solid fraction).
fn sheared(speed: f64, seed: u64) -> (f64, f64, f64) {
    let text = format!(
        r#"(dimension: 2, periodic: (x: 14), time: (step: 0.01, end: 100, on_failure: Continue), materials: {{"m": (density: 1)}},
        bodies: [
          (group: "grains", material: "m",
           packing: Grow(from: (0, 1), to: (14, 11), sizes: Uniform(min: 0.4, max: 0.6), fraction: 0.78, seed: {seed})),
          (group: "low", material: "m", packing: Lattice(from: (0, 0), to: (14, 1), sizes: Fixed(radius: 0.5))),
          (group: "high", material: "m", packing: Lattice(from: (0, 11), to: (14, 12), sizes: Fixed(radius: 0.5))),
        ],
        interactions: [
          (between: ("grains", "grains"), law: Coulomb(friction: 0.4, contact: GapUnclipped)),
          (between: ("grains", "low"), law: Coulomb(friction: 0.4, contact: GapUnclipped)),
          (between: ("grains", "high"), law: Coulomb(friction: 0.4, contact: GapUnclipped)),
          (between: ("high", "high"), law: NoContact), (between: ("high", "low"), law: NoContact),
        ],
        loads: [
          (on: "low", load: Fixed), (on: "high", load: Velocity(x: {speed}, spin_z: 0)), (on: "high", load: Force(y: -1)),
        ],
        physics: [Contact(solver: "nlgs-accelerated", tolerance: 1e-3, max_iterations: 500)],
        output: (probes: [
          (name: "sxy", of: "stress", component: XY, group: "grains", region: (from: (0, 3), to: (14, 8))),
          (name: "syy", of: "stress", component: YY, group: "grains", region: (from: (0, 3), to: (14, 8))),
          (name: "p", of: "stress", component: Mean, group: "grains", region: (from: (0, 3), to: (14, 8))),
          (name: "phi", of: "solid_fraction", group: "grains", region: (from: (0, 3), to: (14, 8))),
        ]))"#
    );
    let mut run = build(&text, &[]);
    let (mut sxy, mut syy, mut p, mut phi, mut rate, mut count) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    // Its first third shears the packing by two and more.
    let total = 6000;
    for step in 0..total {
        let outcome = run.step().unwrap();
        if step < total / 3 {
            continue;
        }
        let number = |name: &str| column(&run, &outcome, name).unwrap();
        sxy += number("sxy");
        syy += number("syy");
        p += number("p");
        phi += number("phi");
        rate += middle_shear_rate(&run, 3.0, 8.0);
        count += 1.0;
    }
    // I = γ̇ d √(ρ/p) of the means.
    ((rate / count) * (count / p).sqrt(), -sxy / syy, phi / count)
}

/// Slope of v_x over y by least squares for the grains between two heights.
fn middle_shear_rate(run: &Simulation, from: f64, to: f64) -> f64 {
    let k = run.world().kinematics;
    let grains = run.setup().bodies_of("grains").unwrap();
    let rows: Vec<(f64, f64)> = grains.iter().map(|b| (k.position[b.index()].y, k.velocity[b.index()].x)).collect();
    let inside: Vec<&(f64, f64)> = rows.iter().filter(|(y, _)| (from..to).contains(y)).collect();
    let n = inside.len() as f64;
    let (y, v) = inside.iter().fold((0.0, 0.0), |(a, b), (y, v)| (a + y / n, b + v / n));
    let (yy, yv) = inside.iter().fold((0.0, 0.0), |(a, b), (u, w)| (a + (u - y).powi(2), b + (u - y) * (w - v)));
    yv / yy
}

/// Plane shear, recalled: μ* ≈ 0.25 + 1.1 I, Φ ≈ 0.81 − 0.3 I.
#[test]
fn v07_plane_shear() {
    for seed in [1, 2, 3] {
        let (i, mu, phi) = sheared(1.0, seed);
        assert!((0.05..0.2).contains(&i), "I = {i}");
        assert!((mu - 0.25 - 1.1 * i).abs() < 0.08, "I = {i}: μ* = {mu}");
        assert!((phi - 0.81 + 0.3 * i).abs() < 0.03, "I = {i}: Φ = {phi}");
    }
}

/// K of Janssen's law σ = γ λ (1 − e^(−depth/λ)), λ = D/(4 μ K), that fits stresses at depths best (least squares, to 1e-3); the mean weight of
/// a volume γ (N/m³), the diameter and the friction of the wall given.
fn janssen_fit(rows: &[(f64, f64)], gamma: f64, diameter: f64, friction: f64) -> f64 {
    let misfit = |k: f64| {
        let lambda = diameter / (4.0 * friction * k);
        rows.iter().map(|(depth, sigma)| (gamma * lambda * (1.0 - (-depth / lambda).exp()) - sigma).powi(2)).sum::<f64>()
    };
    (1..=2000).map(|i| f64::from(i) * 1e-3).min_by(|a, b| misfit(*a).total_cmp(&misfit(*b))).unwrap()
}

/// The silo of the gallery with 400 larger spheres, filled to 2.4 diameters, from three seeds: when the wall has moved up, the stress in
/// slices follows Janssen with K in 0.4–0.9, and the bottom carries what is left.
#[test]
fn v07_janssen_of_the_first_seed() {
    janssen(1);
}

#[test]
fn v07_janssen_of_the_second_seed() {
    janssen(2);
}

#[test]
fn v07_janssen_of_the_third_seed() {
    janssen(3);
}

fn janssen(seed: u64) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/granular/silo.ron");
    let text = std::fs::read_to_string(path).unwrap();
    let mut run = build(
        &text,
        &[
            "bodies[0].packing.to=(0.035, 0.035, 0.7)",
            "bodies[0].packing.sizes=Uniform(min: 0.007, max: 0.009)",
            "bodies[0].packing.count=400",
            &format!("bodies[0].packing.seed={seed}"),
            "bodies[1].shape=HollowCylinder(radius: 0.05, wall: 0.005, length: 1)",
            "bodies[1].at=(0, 0, 0.5)",
            "interactions[0].law.rolling=0.0008",
            "interactions[1].law.rolling=0.0008",
            "interactions[2].law.rolling=0.0008",
        ],
    );
    let (diameter, friction, slice) = (0.1, 0.5, 0.02);
    let section = PI / 4.0 * diameter * diameter;
    steps(&mut run, 500);
    let (mut bottom, mut wall, mut top, mut stress) = (0.0, 0.0, 0.0, [0.0; 12]);
    let count = 100;
    for _ in 0..count {
        let outcome = run.step().unwrap();
        let mean = |name: &str| column(&run, &outcome, name).unwrap() / f64::from(count);
        bottom -= mean("bottom");
        wall -= mean("wall");
        top += mean("top");
        for (k, s) in stress.iter_mut().enumerate() {
            *s += mean(&format!("z{:02}", 2 * k)) * 4.0 / PI;
        }
    }
    assert!(top > 2.0 * diameter, "filled to {top} m");
    // Without the first slice, where layers lie on the bottom, and the uneven surface.
    let rows: Vec<(f64, f64)> = stress
        .iter()
        .enumerate()
        .map(|(k, s)| ((k as f64 + 0.5) * slice, *s))
        .filter(|(z, _)| *z > slice && *z + 0.5 * slice < top - slice)
        .map(|(z, s)| (top - z, s))
        .collect();
    let weight = bottom + wall;
    let k = janssen_fit(&rows, weight / (section * top), diameter, friction);
    assert!((0.4..0.9).contains(&k), "seed {seed}: K = {k}");
    let lambda = diameter / (4.0 * friction * k);
    let share = lambda / top * (1.0 - (-top / lambda).exp());
    assert!(
        (bottom / weight - share).abs() < 0.1,
        "seed {seed}: the bottom carries {} of the weight, Janssen {share}",
        bottom / weight
    );
}
