//! The solver that chooses for its user.
//!
//! The problem is split into its independent islands; each is solved by a chain in which every member hands its best
//! impulses to the next:
//! 1. some Gauss–Seidel sweeps: they end most loose problems at coarse tolerances for less than one factorisation;
//! 2. interior-point steps with the friction term inside Newton: reach the neighbourhood of a solution from anywhere;
//! 3. nonsmooth Newton (Alart–Curnier) as soon as the statuses of the contacts are clear: ends at rounding;
//! 4. the proximal-point iteration around it, where the solution is degenerate or impulses are not unique;
//! 5. the interior point once more from other starts, each followed by 3 and 4.
//!
//! What each member is worth was measured on the stored collection; the test `auto_without` switches each one off.

use super::interior::InteriorPoint;
use super::islands::islands;
use super::newton::NewtonSystem;
use super::nlgs::Sweeper;
use super::nonsmooth::{NonsmoothNewton, Reformulation, proximal};
use super::prepared::PreparedProblem;
use super::settings::{LocalSettings, LocalSolver, Watch};
use crate::report::{SolveInfo, Stage, Status};

/// The chain's members, each of which can be switched off to see what it is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Auto {
    /// Split into independent islands.
    pub islands: bool,
    /// Gauss–Seidel sweeps before anything else.
    pub sweeps: usize,
    /// Interior-point steps.
    pub interior: bool,
    /// Damp the friction term where the interior point jams.
    pub damped: bool,
    /// Newton polishing on the identified statuses.
    pub polish: bool,
    /// Proximal-point iteration.
    pub proximal: bool,
}

impl Default for Auto {
    fn default() -> Self {
        Self { islands: true, sweeps: 20, interior: true, damped: true, polish: true, proximal: true }
    }
}

/// Sweeps between two looks at the error.
const LOOK_EVERY: usize = 10;
/// Sizes of the interior point's starts, in turn, and the equation of the proximal-point iteration after each.
const STARTS: [(f64, Reformulation); 4] = [
    (1.0, Reformulation::AlartCurnier),
    (10.0, Reformulation::NaturalMap),
    (0.1, Reformulation::JeanMoreau),
    (100.0, Reformulation::FischerBurmeister),
];
/// Interior-point steps per start.
const INTERIOR_STEPS: usize = 60;
/// Errors (in the measure that decides) below which polishing is tried during the interior-point steps.
const POLISH_BELOW: [f64; 3] = [1e-3, 1e-5, 1e-7];
/// Newton steps of such a trial, and of the polishing after the interior point.
const TRIAL_STEPS: usize = 8;
const POLISH_STEPS: usize = 60;
/// Newton steps of the proximal-point iteration per start.
const PROXIMAL_STEPS: usize = 2500;

/// Collects the stages of a chain.
#[derive(Default)]
struct Log {
    stages: Vec<Stage>,
    iterations: usize,
    contact_updates: u64,
}

impl Log {
    fn add(&mut self, name: &'static str, iterations: usize, error: f64) {
        self.iterations += iterations;
        if iterations == 0 {
            return;
        }
        match self.stages.iter_mut().find(|stage| stage.name == name) {
            Some(stage) => {
                stage.iterations += iterations;
                stage.error = error;
            }
            None => self.stages.push(Stage { name, iterations, error }),
        }
    }
}

impl Auto {
    fn chain<const D: usize>(&self, problem: &PreparedProblem<D>, watch: &mut Watch<D>, log: &mut Log) {
        if self.sweep(problem, watch, log) {
            return;
        }
        let mut system = NewtonSystem::of(problem);
        for (start, reformulation) in STARTS {
            if self.interior && self.interior_point(problem, &mut system, start, watch, log) {
                return;
            }
            if self.polish && self.newton(problem, &mut system, POLISH_STEPS, watch, log) {
                return;
            }
            if self.proximal {
                let mut x = watch.best_impulses().to_vec();
                let newton = NonsmoothNewton::new(reformulation);
                let done = proximal::iterate(&newton, problem, &mut system, &mut x, PROXIMAL_STEPS, watch);
                log.add("proximal newton", done, watch.best());
            }
            if watch.content() || watch.out_of_time() || !self.interior {
                return;
            }
        }
    }

    fn sweep<const D: usize>(&self, problem: &PreparedProblem<D>, watch: &mut Watch<D>, log: &mut Log) -> bool {
        let mut x = watch.best_impulses().to_vec();
        let mut u = problem.local().velocities(&x);
        if watch.see(&problem.errors(&x, &u), &x) {
            return true;
        }
        let sweeper = Sweeper::new(problem);
        let mut done = 0;
        while done < self.sweeps {
            sweeper.sweep(problem, &mut x);
            done += 1;
            if done % LOOK_EVERY == 0 || done == self.sweeps {
                problem.local().velocities_into(&x, &mut u);
                if watch.see(&problem.errors(&x, &u), &x) {
                    break;
                }
            }
        }
        log.contact_updates += (done * x.len()) as u64;
        log.add("nlgs", done, watch.best());
        watch.content()
    }

    fn interior_point<const D: usize>(
        &self,
        problem: &PreparedProblem<D>,
        system: &mut NewtonSystem<D>,
        start: f64,
        watch: &mut Watch<D>,
        log: &mut Log,
    ) -> bool {
        let method = InteriorPoint { start, damped: self.damped };
        let mut trials = POLISH_BELOW.iter().peekable();
        let mut inner = Log::default();
        let (done, _) = method.iterate(problem, system, INTERIOR_STEPS, watch, |_, error, watch, system| {
            let mut try_now = false;
            while trials.next_if(|limit| error < **limit).is_some() {
                try_now = true;
            }
            try_now && self.polish && self.newton(problem, system, TRIAL_STEPS, watch, &mut inner)
        });
        log.add("interior point", done, watch.best());
        for stage in inner.stages {
            log.add(stage.name, stage.iterations, stage.error);
        }
        watch.content() || watch.out_of_time()
    }

    fn newton<const D: usize>(
        &self,
        problem: &PreparedProblem<D>,
        system: &mut NewtonSystem<D>,
        most: usize,
        watch: &mut Watch<D>,
        log: &mut Log,
    ) -> bool {
        let mut x = watch.best_impulses().to_vec();
        let newton = NonsmoothNewton::new(Reformulation::AlartCurnier);
        let done = newton.iterate(problem, system, &mut x, most, watch);
        log.add("newton", done, watch.best());
        watch.content() || watch.out_of_time()
    }
}

impl<const D: usize> LocalSolver<D> for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn solve(&mut self, problem: &PreparedProblem<D>, r: &mut [[f64; D]], settings: &LocalSettings) -> SolveInfo {
        let name = LocalSolver::<D>::name(self);
        if problem.contacts() == 0 {
            return SolveInfo::no_contact(name);
        }
        let mut log = Log::default();
        let mut watch = Watch::new(settings, r);
        let parts = if self.islands { islands(&problem.local().delassus) } else { Vec::new() };
        if parts.len() > 1 {
            let mut joined = r.to_vec();
            for part in &parts {
                let island = problem.island(part);
                let start: Vec<[f64; D]> = part.iter().map(|&c| r[c]).collect();
                let limits = LocalSettings {
                    tolerance: settings.tolerance * PreparedProblem::<D>::ISLAND_SHARE,
                    time_limit: watch.time_left(),
                    ..*settings
                };
                let mut own = Watch::new(&limits, &start);
                self.chain(&island, &mut own, &mut log);
                for (&c, value) in part.iter().zip(own.best_impulses()) {
                    joined[c] = *value;
                }
            }
            watch.see(&problem.judge(&joined).0, &joined);
        }
        if !watch.content() {
            self.chain(problem, &mut watch, &mut log);
        }
        watch.finish(name, problem, r, Status::Stalled, log.iterations, log.contact_updates, log.stages)
    }
}
