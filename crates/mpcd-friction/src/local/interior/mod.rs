//! Interior-point method with the friction term inside Newton.
//!
//! In scaled variables (every cone the second-order cone L) find x, y ∈ int L with `y − s(y) e = W x + q`,
//! `x∘y = σμ e`, μ → 0, where `s(y) = ‖y_t‖` is the sliding speed. Newton's step, eliminated to x:
//! `(W + Y C) dx = Y ρ + F`, `dy = ρ − C dx`, with `F = y − s e − W x − q`, `Y = I − θ e ∇sᵀ`, and
//! `C dx + dy = ρ` the complementarity linearised at the scaling point of Nesterov and Todd. So friction costs one
//! unsymmetric rank-one factor per contact in 3×3 algebra, and the system has the pattern of W, or of M + H Hᵀ.
//!
//! Acary, Armand, Nguyen and Shpakovych (2023) solve these equations with s as an unknown, unreduced. Theirs jams where
//! the path of solutions folds back in μ: the full Jacobian (θ = 1) then is nearly singular and steps collapse. Here
//! such a step is taken again with the friction term damped (θ = ½) or lagged (θ = 0: the system of a convex problem,
//! which is always regular), and μ waits while F is large beside it. Each iterate is judged by the natural-map error of
//! the problem itself; the best one is kept.

mod cone;
mod scale;
mod step;

use scale::Scale;
use step::Iterate;

use super::newton::NewtonSystem;
use super::prepared::PreparedProblem;
use super::settings::{LocalSettings, LocalSolver, Watch};
use super::work;
use crate::report::{SolveInfo, Status};

/// Steps at most when the caller does not say.
const DEFAULT_STEPS: usize = 200;
/// A step shorter than this is taken again with a tamer friction term.
const JAMMED: f64 = 0.1;
/// Shares θ of the friction term's derivative, tried in turn.
const FRICTION_SHARES: [f64; 3] = [1.0, 0.5, 0.0];
/// The method has collapsed when no share allows a step longer than this.
const COLLAPSED: f64 = 1e-8;
/// Steps within which the best error must halve.
const PATIENCE: usize = 12;
/// Fraction of the way to the boundary.
const TO_BOUNDARY: f64 = 0.99;

/// The interior-point method.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InteriorPoint {
    /// Size of the first x and y, relative to the scaled free velocities.
    pub start: f64,
    /// Whether jammed steps are taken again with a damped friction term.
    pub damped: bool,
}

impl Default for InteriorPoint {
    fn default() -> Self {
        Self { start: 1.0, damped: true }
    }
}

/// How a run of interior-point steps ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// The watch is content or out of time.
    Done,
    /// The step limit.
    Limit,
    /// Steps collapsed, errors ceased to fall, or numbers to be finite.
    Collapsed,
    /// The caller's condition holds.
    Handover,
}

impl InteriorPoint {
    /// Steps until the watch is content, steps collapse, `most` is reached, or `handover` (given the step number and
    /// the error of the iterate) says that it has done the work. Returns the number of steps.
    pub(super) fn iterate<const D: usize>(
        &self,
        problem: &PreparedProblem<D>,
        system: &mut NewtonSystem<D>,
        most: usize,
        watch: &mut Watch<D>,
        mut handover: impl FnMut(usize, f64, &mut Watch<D>, &mut NewtonSystem<D>) -> bool,
    ) -> (usize, Ending) {
        let scale = Scale::new(problem);
        let mut iterate = Iterate::new(problem.contacts(), self.start);
        let mut r = vec![[0.0; D]; problem.contacts()];
        let mut u = r.clone();
        let shares = if self.damped { &FRICTION_SHARES[..] } else { &FRICTION_SHARES[..1] };
        let mut done = 0;
        let (mut own_best, mut halved) = (f64::INFINITY, 0);
        loop {
            scale.impulses(&iterate.x, &mut r);
            problem.local().velocities_into(&r, &mut u);
            let errors = problem.errors(&r, &u);
            if watch.see(&errors, &r) || watch.out_of_time() {
                return (done, Ending::Done);
            }
            if done >= most {
                return (done, Ending::Limit);
            }
            let error = watch.measure(&errors);
            if done > 0 && handover(done, error, watch, system) {
                return (done, Ending::Handover);
            }
            if error < 0.5 * own_best {
                (own_best, halved) = (error, done);
            }
            if done >= halved + PATIENCE {
                return (done, Ending::Collapsed);
            }
            work::count(work::CONE_STEP * problem.contacts() as u64);
            iterate.linearise(&scale, &u);
            let mut length = 0.0;
            for &share in shares {
                length = iterate.direction(problem, &scale, system, share);
                if length > JAMMED {
                    break;
                }
            }
            let length = (TO_BOUNDARY * length).min(1.0);
            if !(length > COLLAPSED) || !iterate.advance(length) {
                return (done, Ending::Collapsed);
            }
            done += 1;
        }
    }
}

impl<const D: usize> LocalSolver<D> for InteriorPoint {
    fn name(&self) -> &'static str {
        "ipm"
    }

    fn solve(&mut self, problem: &PreparedProblem<D>, r: &mut [[f64; D]], settings: &LocalSettings) -> SolveInfo {
        let mut watch = Watch::new(settings, r);
        watch.see(&problem.judge(r).0, r);
        let mut system = NewtonSystem::of(problem);
        let most = settings.max_iterations.unwrap_or(DEFAULT_STEPS);
        let (done, ending) = self.iterate(problem, &mut system, most, &mut watch, |_, _, _, _| false);
        let status = if ending == Ending::Limit { Status::MaxIterations } else { Status::Stalled };
        watch.finish(LocalSolver::<D>::name(self), problem, r, status, done, 0, Vec::new())
    }
}
