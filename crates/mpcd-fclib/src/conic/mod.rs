//! The convex relaxation of Coulomb's law by a conic interior-point solver (clarabel), and the outer fixed point on the
//! sliding speeds that makes it Coulomb's law (Cadoux 2009; Acary, Cadoux, Lemaréchal and Malick 2011).
//!
//! With s given, `K* ∋ u + s n ⊥ r ∈ K` is the optimality of a second-order cone program: see [`program`](self). s = 0 is the
//! relaxation, whose sliding contacts part at `u_n = μ‖u_t‖`; at `s = μ‖u_t‖` it is Coulomb's law. The map s ↦ μ‖u_t(s)‖ is no
//! contraction in general: its steps are shortened while they do not shrink.
//!
//! A gap of ε leaves angles of √ε between friction and sliding, so that in double precision the fixed point ends near an
//! error of 1e-8. From there some Newton steps on Coulomb's law go on to rounding.

mod program;

use program::Program;

use mpcd_friction::cone::tangential_norm;
use mpcd_friction::local::{LocalSettings, LocalSolver, PreparedProblem, Watch, polish};
use mpcd_friction::{SolveInfo, Stage, Status};

/// Outer steps at most when the caller does not say.
const DEFAULT_STEPS: usize = 200;
/// Outer steps without a better error after which the method gives up.
const PATIENCE: usize = 25;
/// The same where the error is below this, at which Newton's steps take over.
const NEAR: f64 = 1e-5;
const PATIENCE_NEAR: usize = 3;
/// Least share of an outer step that is taken.
const SHORTEST: f64 = 1.0 / 16.0;
/// Accuracy of a cone program relative to the tolerance, and the best there is in double precision.
const INNER_SHARE: f64 = 1e-4;
const INNER_BEST: f64 = 1e-13;

/// The conic solver. Iterations reported are outer steps (cone programs solved).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conic {
    /// Solve the convex relaxation (s = 0) alone. Its errors are reported all the same as those of Coulomb's law, so that
    /// a problem with sliding contacts ends as [`Status::Stalled`].
    pub relaxed: bool,
    /// End with Newton steps on Coulomb's law where the fixed point has come as near as cone programs are accurate.
    pub polish: bool,
}

impl Conic {
    /// The convex relaxation alone.
    pub const RELAXED: Self = Self { relaxed: true, polish: false };
}

impl Default for Conic {
    fn default() -> Self {
        Self { relaxed: false, polish: true }
    }
}

impl<const D: usize> LocalSolver<D> for Conic {
    fn name(&self) -> &'static str {
        if self.relaxed { "conic-convex" } else { "conic" }
    }

    fn solve(&mut self, problem: &PreparedProblem<D>, r: &mut [[f64; D]], settings: &LocalSettings) -> SolveInfo {
        let local = problem.local();
        let mut watch = Watch::new(settings, r);
        let most = if self.relaxed { 1 } else { settings.max_iterations.unwrap_or(DEFAULT_STEPS) };
        let slide =
            |u: &[[f64; D]]| -> Vec<f64> { u.iter().zip(&local.friction).map(|(u, mu)| mu * tangential_norm(u)).collect() };
        let mut u = local.velocities(r);
        let content = watch.see(&problem.errors(r, &u), r);
        let cold = r.iter().flatten().all(|v| *v == 0.0);
        let mut shift = if cold || self.relaxed { vec![0.0; r.len()] } else { slide(&u) };
        let accuracy = (INNER_SHARE * settings.tolerance).clamp(INNER_BEST, 1e-8);
        let mut program = if content { None } else { Program::new(problem, accuracy) };
        let (mut done, mut since_best) = (0, 0);
        let (mut share, mut last) = (1.0_f64, f64::INFINITY);
        let mut status = if program.is_none() { Status::Stalled } else { Status::MaxIterations };
        let mut relaxation = None;
        while let Some(program) = program.as_mut().filter(|_| done < most && !watch.out_of_time()) {
            let solved = program.solve(problem, &shift, watch.time_left());
            done += 1;
            let Some(x) = solved else {
                status = Status::Stalled;
                break;
            };
            local.velocities_into(&x, &mut u);
            let (best, errors) = (watch.best(), problem.errors(&x, &u));
            let content = watch.see(&errors, &x);
            relaxation.get_or_insert(Stage { name: "relaxation", iterations: 1, error: errors.scaled });
            since_best = if watch.best() < best { 0 } else { since_best + 1 };
            if content || self.relaxed || since_best > if watch.best() < NEAR { PATIENCE_NEAR } else { PATIENCE } {
                status = Status::Stalled;
                break;
            }
            let next = slide(&u);
            let change = next.iter().zip(&shift).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
            // growing steps are shortened, shrinking ones get their length back
            share = if change < last { (1.5 * share).min(1.0) } else { (0.5 * share).max(SHORTEST) };
            last = change;
            for (old, new) in shift.iter_mut().zip(&next) {
                *old += share * (new - *old);
            }
        }
        let mut stages: Vec<Stage> = relaxation.into_iter().collect();
        if done > 1 {
            stages.push(Stage {
                name: "fixed point",
                iterations: done - 1,
                error: problem.judge(watch.best_impulses()).0.scaled,
            });
        }
        if self.polish && !self.relaxed && !watch.content() && watch.best() < NEAR {
            stages.push(polish(problem, &mut watch));
        }
        watch.finish(LocalSolver::<D>::name(self), problem, r, status, done, 0, stages)
    }
}
