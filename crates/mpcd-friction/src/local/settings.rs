//! What a caller chooses about the solution of a stored problem, and the trait its solvers stand behind.

use std::time::{Duration, Instant};

use super::prepared::PreparedProblem;
use super::problem::LocalError;
use crate::error::Errors;
use crate::report::{SolveInfo, Stage, Status};

/// Which scaling of the natural-map error decides (see [`crate::error`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Measure {
    /// Scale-free; what time stepping stops on.
    #[default]
    Scaled,
    /// Siconos' scaling; depends on units.
    Siconos,
    /// Relative to ‖q‖; depends on units.
    Q,
}

impl Measure {
    /// The error in this scaling.
    #[must_use]
    pub const fn of(self, errors: &Errors) -> f64 {
        match self {
            Self::Scaled => errors.scaled,
            Self::Siconos => errors.siconos,
            Self::Q => errors.q,
        }
    }

    /// The name under which files and commands know it: `scaled`, `siconos`, `q`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scaled => "scaled",
            Self::Siconos => "siconos",
            Self::Q => "q",
        }
    }
}

/// Tolerance and limits of the solution of a stored problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LocalSettings {
    /// Error to reach, without unit. Default 1e-5.
    pub tolerance: f64,
    /// Which error. Default scale-free.
    pub measure: Measure,
    /// Most iterations; `None` leaves it to the method.
    pub max_iterations: Option<usize>,
    /// Wall-clock limit. With one, the result may depend on the speed of the machine. Default none.
    pub time_limit: Option<Duration>,
}

impl Default for LocalSettings {
    fn default() -> Self {
        Self { tolerance: 1e-5, measure: Measure::default(), max_iterations: None, time_limit: None }
    }
}

/// A solver of stored problems.
pub trait LocalSolver<const D: usize>: Send {
    /// Name under which the solver is reached, and which its reports carry.
    fn name(&self) -> &'static str;

    /// Whether the solver takes this problem at all; by default every one.
    ///
    /// # Errors
    /// [`LocalError::TooLarge`], where a direct method would need too much memory. Its `solve` then does nothing.
    fn check(&self, problem: &PreparedProblem<D>) -> Result<(), LocalError> {
        let _ = problem;
        Ok(())
    }

    /// Solves; `r` holds a starting guess (zeros will do) and then the best impulses found. All three errors reported
    /// are computed afresh from them.
    fn solve(&mut self, problem: &PreparedProblem<D>, r: &mut [[f64; D]], settings: &LocalSettings) -> SolveInfo;
}

/// Keeps the best iterate of a solve, watches the limits, writes the report.
#[derive(Debug)]
pub struct Watch<const D: usize> {
    settings: LocalSettings,
    start: Instant,
    best: f64,
    best_impulses: Vec<[f64; D]>,
}

impl<const D: usize> Watch<D> {
    /// Starts the clock; the starting guess is the first best.
    pub fn new(settings: &LocalSettings, r: &[[f64; D]]) -> Self {
        Self { settings: *settings, start: Instant::now(), best: f64::INFINITY, best_impulses: r.to_vec() }
    }

    /// Looks at an iterate; true when it meets the tolerance.
    pub fn see(&mut self, errors: &Errors, r: &[[f64; D]]) -> bool {
        let error = self.settings.measure.of(errors);
        if error < self.best {
            self.best = error;
            self.best_impulses.copy_from_slice(r);
        }
        error <= self.settings.tolerance
    }

    /// An error in the measure that decides.
    pub const fn measure(&self, errors: &Errors) -> f64 {
        self.settings.measure.of(errors)
    }

    /// The error to reach.
    pub const fn tolerance(&self) -> f64 {
        self.settings.tolerance
    }

    /// Best error so far, in the measure that decides.
    pub const fn best(&self) -> f64 {
        self.best
    }

    /// The impulses with the best error.
    pub fn best_impulses(&self) -> &[[f64; D]] {
        &self.best_impulses
    }

    /// True once the tolerance was met.
    pub fn content(&self) -> bool {
        self.best <= self.settings.tolerance
    }

    /// True when the time is up.
    pub fn out_of_time(&self) -> bool {
        self.settings.time_limit.is_some_and(|limit| self.start.elapsed() >= limit)
    }

    /// Time left of the limit.
    pub fn time_left(&self) -> Option<Duration> {
        self.settings.time_limit.map(|limit| limit.saturating_sub(self.start.elapsed()))
    }

    /// Puts the best impulses into `r` and writes the report.
    pub fn finish(
        self,
        name: &'static str,
        problem: &PreparedProblem<D>,
        r: &mut [[f64; D]],
        failure: Status,
        iterations: usize,
        contact_updates: u64,
        stages: Vec<Stage>,
    ) -> SolveInfo {
        r.copy_from_slice(&self.best_impulses);
        let (errors, worst) = problem.judge(r);
        let converged = self.settings.measure.of(&errors) <= self.settings.tolerance;
        let status = if converged { Status::Converged } else { failure };
        SolveInfo { status, iterations, contact_updates, errors, worst, stages, ..SolveInfo::no_contact(name) }
    }
}
