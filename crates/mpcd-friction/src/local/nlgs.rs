//! Nonlinear Gauss–Seidel on stored Delassus blocks (SDL organisation of Dubois–Renouf) with the exact local solver.

use super::prepared::PreparedProblem;
use super::settings::{LocalSettings, LocalSolver, Watch};
use crate::exact::LocalBlock;
use crate::report::{SolveInfo, Status};

/// Sweeps at most when the caller does not say.
const DEFAULT_SWEEPS: usize = 100_000;
/// The error costs a sweep: it is computed after these many.
const CHECK_EVERY: usize = 10;

/// The diagonal blocks of W, each turned to the frame the exact local solver wants.
#[derive(Debug, Clone)]
pub(super) struct Sweeper<const D: usize> {
    blocks: Vec<Option<(LocalBlock, f64, f64)>>,
}

impl<const D: usize> Sweeper<D> {
    pub(super) fn new(problem: &PreparedProblem<D>) -> Self {
        let w = &problem.local().delassus;
        let blocks = (0..w.len())
            .map(|c| {
                let block = w.diagonal(c);
                let mut full = [[0.0; 3]; 3];
                for i in 0..D {
                    for j in 0..D {
                        full[i][j] = 0.5 * (block[i][j] + block[j][i]);
                    }
                }
                LocalBlock::prepare::<D>(&full)
            })
            .collect();
        Self { blocks }
    }

    /// Solves contact `c` exactly with all other impulses fixed.
    pub(super) fn update(&self, problem: &PreparedProblem<D>, c: usize, r: &mut [[f64; D]]) {
        let Some((block, cosine, sine)) = &self.blocks[c] else {
            r[c] = [0.0; D];
            return;
        };
        let local = problem.local();
        let mut q = local.delassus.row_product(c, r);
        for k in 0..D {
            q[k] += local.free_velocity[c][k];
        }
        let (q, old) = (turn(&q, *cosine, *sine), turn(&r[c], *cosine, *sine));
        let own = block.apply(&old);
        let free: [f64; D] = std::array::from_fn(|k| q[k] - own[k]);
        let new = block.solve_coulomb(local.friction[c], &free);
        r[c] = turn(&new, *cosine, -*sine);
    }

    /// One sweep, forward.
    pub(super) fn sweep(&self, problem: &PreparedProblem<D>, r: &mut [[f64; D]]) {
        for c in 0..self.blocks.len() {
            self.update(problem, c, r);
        }
    }

    /// One sweep, backward.
    pub(super) fn sweep_back(&self, problem: &PreparedProblem<D>, r: &mut [[f64; D]]) {
        for c in (0..self.blocks.len()).rev() {
            self.update(problem, c, r);
        }
    }
}

/// Tangents turned: `t' = c t + s_ s`, `s' = −s_ t + c s`.
#[inline]
fn turn<const D: usize>(x: &[f64; D], cosine: f64, sine: f64) -> [f64; D] {
    let mut y = *x;
    if D == 3 {
        y[1] = cosine * x[1] + sine * x[2];
        y[2] = cosine * x[2] - sine * x[1];
    }
    y
}

/// Nonlinear Gauss–Seidel, forward sweeps, exact local solver.
#[derive(Debug, Clone, Default)]
pub struct Nlgs;

impl<const D: usize> LocalSolver<D> for Nlgs {
    fn name(&self) -> &'static str {
        "nlgs"
    }

    fn solve(&mut self, problem: &PreparedProblem<D>, r: &mut [[f64; D]], settings: &LocalSettings) -> SolveInfo {
        let sweeper = Sweeper::new(problem);
        let mut watch = Watch::new(settings, r);
        let mut x = r.to_vec();
        let most = settings.max_iterations.unwrap_or(DEFAULT_SWEEPS);
        let mut u = vec![[0.0; D]; x.len()];
        let mut done = 0;
        loop {
            if done % CHECK_EVERY == 0 || done == most {
                problem.local().velocities_into(&x, &mut u);
                if watch.see(&problem.errors(&x, &u), &x) || done == most || watch.out_of_time() {
                    break;
                }
            }
            sweeper.sweep(problem, &mut x);
            done += 1;
        }
        let updates = (done * x.len()) as u64;
        watch.finish(LocalSolver::<D>::name(self), problem, r, Status::MaxIterations, done, updates, Vec::new())
    }
}
