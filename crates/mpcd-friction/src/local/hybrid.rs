//! HYBRID (Acary–Brémond–Dubois): some Gauss–Seidel sweeps, then nonsmooth Newton from where they ended; where Newton
//! fails, more sweeps from the best impulses, twice as many, and Newton again.

use super::newton::NewtonSystem;
use super::nlgs::Sweeper;
use super::nonsmooth::{NonsmoothNewton, Reformulation};
use super::prepared::PreparedProblem;
use super::settings::{LocalSettings, LocalSolver, Watch};
use crate::report::{SolveInfo, Stage, Status};

/// Sweeps and Newton steps at most when the caller does not say.
const DEFAULT_ITERATIONS: usize = 20_000;
/// Sweeps between two looks at the error.
const LOOK_EVERY: usize = 10;
/// Newton steps per round.
const NEWTON_STEPS: usize = 100;

/// Gauss–Seidel, then Newton.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hybrid {
    /// Sweeps of the first round.
    pub sweeps: usize,
    /// The Newton method.
    pub newton: NonsmoothNewton,
}

impl Default for Hybrid {
    fn default() -> Self {
        Self { sweeps: 50, newton: NonsmoothNewton::new(Reformulation::AlartCurnier) }
    }
}

impl<const D: usize> LocalSolver<D> for Hybrid {
    fn name(&self) -> &'static str {
        "hybrid"
    }

    fn solve(&mut self, problem: &PreparedProblem<D>, r: &mut [[f64; D]], settings: &LocalSettings) -> SolveInfo {
        let sweeper = Sweeper::new(problem);
        let mut watch = Watch::new(settings, r);
        let mut system = None;
        let most = settings.max_iterations.unwrap_or(DEFAULT_ITERATIONS);
        let mut x = r.to_vec();
        let mut u = problem.local().velocities(&x);
        watch.see(&problem.errors(&x, &u), &x);
        let (mut sweeps, mut steps) = (0, 0);
        let mut stages = [Stage { name: "nlgs", iterations: 0, error: 0.0 }, Stage { name: "newton", iterations: 0, error: 0.0 }];
        let mut round = self.sweeps.max(1);
        while !watch.content() && sweeps + steps < most && !watch.out_of_time() {
            x.copy_from_slice(watch.best_impulses());
            for sweep in 1..=round.min(most - sweeps - steps) {
                sweeper.sweep(problem, &mut x);
                sweeps += 1;
                if sweep % LOOK_EVERY == 0 || sweep == round {
                    problem.local().velocities_into(&x, &mut u);
                    if watch.see(&problem.errors(&x, &u), &x) || watch.out_of_time() {
                        break;
                    }
                }
            }
            stages[0].error = watch.best();
            if watch.content() || watch.out_of_time() || sweeps + steps >= most {
                break;
            }
            let system = system.get_or_insert_with(|| NewtonSystem::of(problem));
            steps += self.newton.iterate(problem, system, &mut x, NEWTON_STEPS.min(most - sweeps - steps), &mut watch);
            stages[1].error = watch.best();
            round *= 2;
        }
        [stages[0].iterations, stages[1].iterations] = [sweeps, steps];
        let stages = stages.into_iter().filter(|stage| stage.iterations > 0).collect();
        let updates = (sweeps * r.len()) as u64;
        watch.finish(LocalSolver::<D>::name(self), problem, r, Status::MaxIterations, sweeps + steps, updates, stages)
    }
}
