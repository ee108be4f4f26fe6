//! The last digits by Newton: for methods that come near a solution and cannot come nearer.

use super::newton::NewtonSystem;
use super::nonsmooth::{NonsmoothNewton, Reformulation};
use super::prepared::PreparedProblem;
use super::settings::Watch;
use crate::report::Stage;

/// Steps at most: near a solution either a few suffice or none helps.
const STEPS: usize = 20;

/// Newton steps on Alart and Curnier's equation from the best impulses so far; a better error goes to the watch.
pub fn polish<const D: usize>(problem: &PreparedProblem<D>, watch: &mut Watch<D>) -> Stage {
    let mut x = watch.best_impulses().to_vec();
    let newton = NonsmoothNewton::new(Reformulation::AlartCurnier);
    let iterations = newton.iterate(problem, &mut NewtonSystem::of(problem), &mut x, STEPS, watch);
    Stage { name: "newton", iterations, error: problem.judge(watch.best_impulses()).0.scaled }
}
