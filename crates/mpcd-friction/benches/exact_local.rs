//! The exact local solver on a million random blocks: condition up to 1e8, normal and tangents coupled, μ ≤ 2. Prints
//! the worst residual (scale-free natural map), how often slip may have several solutions, and the time of a solve.
//! `cargo bench -p mpcd-friction --bench exact_local`; without `--bench` a small sample runs.

#![allow(clippy::print_stdout, clippy::expect_used, reason = "a benchmark prints, and stops on any fault")]

use std::time::Instant;

use mpcd_friction::error::natural_map;
use mpcd_friction::exact::LocalBlock;
use mpcd_friction::{Cone, ErrorSum, FreeNorms};
use nalgebra::{Matrix3, Rotation3, Vector3};

/// Uniform in [0, 1) by SplitMix64.
fn uniform(state: &mut u64) -> f64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}

struct Sample {
    w: Matrix3<f64>,
    lambda: f64,
    block: LocalBlock,
    turn: (f64, f64),
    q: [f64; 3],
    friction: f64,
}

fn sample(state: &mut u64) -> Sample {
    let mut next = || uniform(state);
    let exponent = 8.0 * next();
    let lambda = 10f64.powf(6.0 * (next() - 0.5));
    let values = [0.0, next(), 1.0].map(|share| lambda * 10f64.powf(-exponent * share));
    let axis = Vector3::new(next() - 0.5, next() - 0.5, next() - 0.5);
    let turn = Rotation3::new(axis * (7.0 * next())).into_inner();
    let w = turn * Matrix3::from_diagonal(&Vector3::from(values)) * turn.transpose();
    let w = (w + w.transpose()) * 0.5;
    let rows = std::array::from_fn(|i| std::array::from_fn(|j| w[(i, j)]));
    let (block, c, s) = LocalBlock::prepare::<3>(&rows).expect("positive definite");
    Sample { w, lambda, block, turn: (c, s), q: std::array::from_fn(|_| 2.0 * next() - 1.0), friction: 2.0 * next() }
}

fn solve(sample: &Sample) -> Vector3<f64> {
    let ((c, s), q) = (sample.turn, sample.q);
    let turned = [q[0], c * q[1] + s * q[2], c * q[2] - s * q[1]];
    let r = sample.block.solve_coulomb::<3>(sample.friction, &turned);
    Vector3::new(r[0], c * r[1] - s * r[2], s * r[1] + c * r[2])
}

fn residual(sample: &Sample, r: &Vector3<f64>) -> f64 {
    let u: [f64; 3] = (sample.w * r + Vector3::from(sample.q)).into();
    let (mut free, mut sum) = (FreeNorms::default(), ErrorSum::default());
    free.add(&sample.q, sample.lambda);
    sum.add(0, Cone::coulomb(sample.friction), &(*r).into(), &u, sample.lambda);
    sum.errors(&free).scaled
}

fn main() {
    let count = if std::env::args().any(|a| a == "--bench") { 1_000_000 } else { 10_000 };
    let mut state = 2026;
    let (mut worst, mut several) = (0.0_f64, 0_usize);
    let mut cases = [0_usize; 3];
    let mut samples = Vec::with_capacity(10_000);
    let mut seconds = 0.0;
    for _ in 0..count / 10_000 {
        samples.clear();
        samples.extend((0..10_000).map(|_| sample(&mut state)));
        let clock = Instant::now();
        let answers: Vec<_> = samples.iter().map(solve).collect();
        seconds += clock.elapsed().as_secs_f64();
        for (sample, r) in samples.iter().zip(&answers) {
            worst = worst.max(residual(sample, r));
            several += usize::from(!sample.block.slip_is_unique::<3>(sample.friction));
            let slides = r.yz().norm() > sample.friction * r.x * (1.0 - 1e-9);
            cases[if r.x == 0.0 { 0 } else { 1 + usize::from(slides) }] += 1;
        }
    }
    // the measure itself: an impulse off by 1e-9 must show
    assert!(natural_map(Cone::coulomb(0.5), 1.0, &[1.0 + 1e-9, 0.0, 0.0], &[1e-9, 0.0, 0.0])[0] > 5e-10);
    println!(
        "{count} blocks: worst residual {worst:.2e}; open {}, stick {}, slip {}; slip possibly several {several}; {:.0} ns each",
        cases[0],
        cases[1],
        cases[2],
        seconds / count as f64 * 1e9
    );
    assert!(worst <= 1e-12, "the exact local solver misses 1e-12");
}
