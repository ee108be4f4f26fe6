//! Counted work against measured time, for Laplacians with and without heat capacities: a table from which the weights of the
//! choice between Cholesky and conjugate gradients come.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark")]

use std::time::Instant;

use mpcd_sparse::{Goal, SymmetricMatrix, SymmetricSystem, SystemMethod};

/// A grid of `side` nodes along each of `dimension` axes with couplings 0.5 … 1.5, `diagonal` more at each node, its first and last
/// layers held.
fn fill(system: &mut SymmetricSystem, side: usize, dimension: u32, diagonal: f64) -> usize {
    let n = side.pow(dimension);
    let mut edges = Vec::new();
    for k in 0..n {
        for d in 0..dimension {
            let step = side.pow(d);
            if k / step % side + 1 < side {
                edges.push((k, k + step));
            }
        }
    }
    let mut seed = 5_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        0.5 + (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let values = |matrix: &mut SymmetricMatrix| {
        (0..edges.len()).for_each(|e| matrix.add_conductance(e, random()));
        (0..n).for_each(|i| matrix.add_diagonal(i, diagonal));
    };
    system.refill(n, edges.iter().copied(), values, |i| i % side == 0 || i % side + 1 == side).unwrap();
    n
}

fn timed<T>(job: impl FnOnce() -> T) -> (f64, T) {
    let clock = Instant::now();
    let out = job();
    (clock.elapsed().as_secs_f64(), out)
}

fn main() {
    println!("dim     n  diagonal | analysis  factor   solve |     cg  its  expected | counted direct  iterative  choice  right");
    for (dimension, sides) in [(2, [16, 32, 100, 200, 316]), (3, [8, 12, 18, 27, 36])] {
        for side in sides {
            for diagonal in [0.0, 1e-4, 1e-2, 1.0, 100.0] {
                let mut system = SymmetricSystem::default();
                let n = fill(&mut system, side, dimension, diagonal);
                let b: Vec<f64> = (0..n).map(|k| ((k * 7919) % 101) as f64 - 50.0).collect();
                let goal = Goal { rest: 1e-11 * b.iter().map(|b| b.abs()).sum::<f64>(), max_iterations: 100_000 };
                let mut x = vec![0.0; n];
                let (cg, iterations) = timed(|| {
                    system.prepare(SystemMethod::ConjugateGradients).unwrap();
                    system.solve(&b, &mut x, Goal { rest: goal.rest * 1e3, ..goal }).unwrap()
                });
                let (first, ()) = timed(|| system.prepare(SystemMethod::Cholesky).unwrap());
                let (factor, ()) = timed(|| system.prepare(SystemMethod::Cholesky).unwrap());
                let (solve, _) = timed(|| system.solve(&b, &mut x, goal).unwrap());
                let work = system.work(1e-8).unwrap();
                let direct = work.direct < work.iterative;
                let analysed = if direct || work.iterative > work.direct { work.direct } else { f64::NAN };
                println!(
                    "{dimension} {n:7} {diagonal:9} | {:8.4} {factor:8.4} {solve:7.4} | {cg:7.4} {iterations:4} {:8.0} | {analysed:10.2e} {:10.2e}  {} {}",
                    first - factor,
                    work.iterations,
                    work.iterative,
                    if direct { "cholesky" } else { "cg" },
                    if direct == (first + 2.0 * solve < cg) { "" } else { "no" }
                );
            }
        }
    }
}
