//! Resistance against the length of the step, with the force of the step and with one averaged over a stated time: an impact has a force that grows as 1/h, so what
//! goes by it has no limit; what goes by the mean has.

#![allow(clippy::print_stdout, reason = "the table of docs/theory.md is printed")]

use std::f64::consts::PI;

use crate::granular::{build, column, steps};

/// Density, radius, drop, gravity, conductivity and hardness of the ball.
const RHO: f64 = 7800.0;
const R: f64 = 5e-3;
const DROP: f64 = 5e-3;
const G: f64 = 9.81;
const SIGMA: f64 = 1.4e6;
const HARDNESS: f64 = 1.5e9;
/// Time of the mean (s).
const TAU: f64 = 2e-3;

/// What a step of length `h` makes of it: (least resistance in the impact, resistance at rest) (Ω).
fn resistances(dimension: u8, h: f64, force: &str) -> (f64, f64) {
    let (ball, zero) =
        if dimension == 2 { ("Disc(radius: 0.005, thickness: 0.01)", "") } else { ("Sphere(radius: 0.005)", ", 0") };
    let normal = if dimension == 2 { "(0, 1)" } else { "(0, 1, 0)" };
    let text = format!(
        r#"(dimension: {dimension}, gravity: (0, -{G}{zero}), time: (step: {h}, end: 1),
  materials: {{"steel": (density: {RHO}, electrical: (conductivity: {SIGMA}))}},
  bodies: [(group: "ball", material: "steel", shape: {ball}, at: (0, 0.01{zero})), (group: "plate", material: "steel", shape: Plane(normal: {normal}))],
  interactions: [(between: ("ball", "plate"), law: Coulomb(friction: 0))],
  physics: [Contact(tolerance: 1e-12), Electrical(law: Holm(hardness: {HARDNESS}), force: {force}, potential: [(group: "ball", value: 1), (group: "plate", value: 0)])],
  output: (every: 100000))"#
    );
    let mut run = build(&text, &[]);
    let (mut least, mut last) = (f64::INFINITY, f64::INFINITY);
    while run.time() < 0.06 - 0.5 * h {
        let outcome = steps(&mut run, 1);
        last = column(&run, &outcome, "resistance").unwrap_or(f64::INFINITY);
        least = least.min(last);
    }
    (least, last)
}

/// 1/(2σ√(F/πH)).
fn holm(force: f64) -> f64 {
    1.0 / (2.0 * SIGMA * (force / (PI * HARDNESS)).sqrt())
}

#[test]
fn a_mean_force_gives_a_resistance_that_does_not_depend_on_the_step() {
    let averaged = format!("Averaged(time: {TAU})");
    for dimension in [2, 3] {
        let mass = RHO * if dimension == 2 { PI * R * R * 0.01 } else { 4.0 / 3.0 * PI * R * R * R };
        let impulse = mass * (2.0 * G * DROP).sqrt();
        let (of_mean, at_rest) = (holm(impulse / TAU), holm(mass * G));
        for h in [4e-4, 2e-4, 1e-4, 5e-5, 2.5e-5] {
            let ((instant, rest), (mean, mean_rest)) =
                (resistances(dimension, h, "Instant"), resistances(dimension, h, &averaged));
            println!(
                "| {dimension} | {h:.2e} | {:.4} | {:.4} | {:.4} | {:.4} | {:.4} |",
                1e3 * instant,
                1e3 * mean,
                1e3 * of_mean,
                1e3 * rest,
                1e3 * mean_rest
            );
            // the impact, which a law of gaps spreads over one step or two: that of the step has no limit, that of the mean has one, to the first order in h
            let part = instant / holm(impulse / h);
            assert!((0.98..1.02 * 2.0_f64.sqrt()).contains(&part), "{dimension}D, h = {h}: {instant}, {part}");
            assert!((mean / of_mean - 1.0).abs() < h / TAU, "{dimension}D, h = {h}: {mean} instead of {of_mean}");
            // at rest both are that of the weight, whatever the step
            assert!(
                (rest / at_rest - 1.0).abs() < 1e-6 && (mean_rest / at_rest - 1.0).abs() < 1e-2,
                "{rest}, {mean_rest}, {at_rest}"
            );
        }
    }
}
