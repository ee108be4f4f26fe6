//! Nonsmooth Newton methods on all contacts at once (Acary–Brémond–Dubois), with a proximal term for rank-deficient W.
//!
//! `F(r, W r + q) = 0` contact by contact; Newton's step solves `(A W + B + δ) dr = −F`. δ, relative to the natural
//! scale of impulses, keeps the system regular where impulses are not unique (hyperstatic contacts): it bends the step,
//! not the solution, and falls with the residual.

mod fischer;
pub(super) mod fold;
mod functions;
pub(super) mod proximal;
#[cfg(test)]
mod tests;

pub use functions::Reformulation;

use super::newton::NewtonSystem;
use super::prepared::PreparedProblem;
use super::settings::{LocalSettings, LocalSolver, Watch};
use super::small::norm;
use super::work;
use crate::error::natural_step;
use crate::report::{SolveInfo, Status};

/// Newton steps at most when the caller does not say.
const DEFAULT_STEPS: usize = 200;
/// Halvings of a step at most.
const HALVINGS: usize = 8;
/// Steps without a better error after which the method gives up.
const PATIENCE: usize = 40;

/// A nonsmooth Newton solver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NonsmoothNewton {
    /// Which equation is solved.
    pub reformulation: Reformulation,
    /// Whether steps are shortened until ‖F‖ falls.
    pub line_search: bool,
    /// Largest relative proximal term; 0 switches it off.
    pub proximal: f64,
    /// Steps without a better error after which it gives up.
    pub patience: usize,
}

impl NonsmoothNewton {
    /// With line search and the usual proximal term.
    #[must_use]
    pub const fn new(reformulation: Reformulation) -> Self {
        Self { reformulation, line_search: true, proximal: 1e-4, patience: PATIENCE }
    }
}

/// F, A, B of all contacts at one point.
pub(super) struct Linearisation<const D: usize> {
    pub(super) value: Vec<[f64; D]>,
    pub(super) a: Vec<super::block::Block<D>>,
    pub(super) b: Vec<super::block::Block<D>>,
}

impl NonsmoothNewton {
    fn linearise<const D: usize>(&self, problem: &PreparedProblem<D>, r: &[[f64; D]], u: &[[f64; D]]) -> Linearisation<D> {
        let n = problem.contacts();
        work::count(work::LINEARISATION * n as u64);
        let mut all = Linearisation { value: Vec::with_capacity(n), a: Vec::with_capacity(n), b: Vec::with_capacity(n) };
        for c in 0..n {
            let rho = natural_step(problem.lambda_max(c));
            let one = self.reformulation.linearise(problem.local().friction[c], rho, &r[c], &u[c]);
            all.value.push(one.value);
            all.a.push(one.a);
            all.b.push(one.b);
        }
        all
    }

    /// Newton steps from `r`, with a system analysed before. Returns the number of steps.
    pub(super) fn iterate<const D: usize>(
        &self,
        problem: &PreparedProblem<D>,
        system: &mut NewtonSystem<D>,
        r: &mut [[f64; D]],
        most: usize,
        watch: &mut Watch<D>,
    ) -> usize {
        let local = problem.local();
        let mut u = local.velocities(r);
        let (mut step, mut trial, mut trial_u) = (Vec::new(), r.to_vec(), u.clone());
        let mut since_best = 0;
        let first = norm(&self.linearise(problem, r, &u).value);
        for done in 0..=most {
            let best = watch.best();
            if watch.see(&problem.errors(r, &u), r) || done == most || watch.out_of_time() {
                return done;
            }
            since_best = if watch.best() < best { 0 } else { since_best + 1 };
            let mut lin = self.linearise(problem, r, &u);
            let size = norm(&lin.value);
            if since_best > self.patience || !(size > 0.0) {
                return done;
            }
            let delta = self.proximal * (size / first).clamp(1e-8, 1.0);
            for block in &mut lin.b {
                for k in 0..D {
                    block[k][k] += delta;
                }
            }
            system.factorise(problem, &lin.a, &lin.b);
            lin.value.iter_mut().flatten().for_each(|v| *v = -*v);
            system.solve(problem, &lin.value, &mut step);
            let mut alpha = 1.0;
            let mut best_trial = (f64::INFINITY, 1.0);
            for _ in 0..=if self.line_search { HALVINGS } else { 0 } {
                for c in 0..r.len() {
                    trial[c] = std::array::from_fn(|k| r[c][k] + alpha * step[c][k]);
                }
                local.velocities_into(&trial, &mut trial_u);
                let after = norm(&self.linearise(problem, &trial, &trial_u).value);
                if after < best_trial.0 {
                    best_trial = (after, alpha);
                }
                if after < (1.0 - 0.1 * alpha) * size {
                    break;
                }
                alpha *= 0.5;
            }
            let alpha = best_trial.1;
            for c in 0..r.len() {
                for k in 0..D {
                    r[c][k] += alpha * step[c][k];
                }
            }
            local.velocities_into(r, &mut u);
            if !norm(r).is_finite() {
                return done + 1;
            }
        }
        most
    }
}

impl<const D: usize> LocalSolver<D> for NonsmoothNewton {
    fn name(&self) -> &'static str {
        match self.reformulation {
            Reformulation::AlartCurnier => "nsn-ac",
            Reformulation::JeanMoreau => "nsn-jm",
            Reformulation::NaturalMap => "nsn-nm",
            Reformulation::FischerBurmeister => "nsn-fb",
        }
    }

    fn solve(&mut self, problem: &PreparedProblem<D>, r: &mut [[f64; D]], settings: &LocalSettings) -> SolveInfo {
        let mut watch = Watch::new(settings, r);
        let mut system = NewtonSystem::of(problem);
        let mut x = r.to_vec();
        let most = settings.max_iterations.unwrap_or(DEFAULT_STEPS);
        let done = self.iterate(problem, &mut system, &mut x, most, &mut watch);
        let status = if done == most { Status::MaxIterations } else { Status::Stalled };
        watch.finish(LocalSolver::<D>::name(self), problem, r, status, done, 0, Vec::new())
    }
}

/// Proximal-point iteration around the nonsmooth Newton method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProximalNewton {
    /// The Newton method of the inner problems.
    pub newton: NonsmoothNewton,
    /// Whether the centres are carried on with momentum.
    pub accelerated: bool,
}

impl Default for ProximalNewton {
    fn default() -> Self {
        Self { newton: NonsmoothNewton::new(Reformulation::AlartCurnier), accelerated: true }
    }
}

impl<const D: usize> LocalSolver<D> for ProximalNewton {
    fn name(&self) -> &'static str {
        "prox-nsn"
    }

    fn solve(&mut self, problem: &PreparedProblem<D>, r: &mut [[f64; D]], settings: &LocalSettings) -> SolveInfo {
        let mut watch = Watch::new(settings, r);
        let mut system = NewtonSystem::of(problem);
        let mut x = r.to_vec();
        let most = settings.max_iterations.unwrap_or(10 * DEFAULT_STEPS);
        let done = proximal::iterate(
            &self.newton,
            proximal::Manner { accelerated: self.accelerated, alike: false },
            problem,
            &mut system,
            &mut x,
            most,
            &mut watch,
        );
        let status = if done >= most { Status::MaxIterations } else { Status::Stalled };
        watch.finish(LocalSolver::<D>::name(self), problem, r, status, done, 0, Vec::new())
    }
}
