//! What a solve says about itself. Status is not error: a solve that missed its tolerance still reports,
//! and the model file says what follows.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{ledger::Balance, typed::PortMisuse};

/// How an iterative solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// The tolerance was met.
    Converged,
    /// The maximum of iterations was reached first.
    MaxIterations,
    /// The residual stopped falling.
    Stalled,
}

impl Status {
    /// Name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::MaxIterations => "max_iterations",
            Self::Stalled => "stalled",
        }
    }
}

/// One stage of a solve: which method really ran, and how far it came.
#[derive(Debug, Clone, PartialEq)]
pub struct Stage {
    /// Name of the method.
    pub solver: String,
    /// Iterations (sweeps) it took.
    pub iterations: u64,
    /// Residual it left.
    pub residual: f64,
    /// How it ended.
    pub status: Status,
}

/// Something that can make a result wrong, seen in a step that was let pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    /// What was seen, in one word: the key of its policy in the model file.
    pub what: &'static str,
    /// Who, when, how much, and what to do.
    pub words: String,
}

/// The report of one module over one step.
#[derive(Debug, Clone, PartialEq)]
pub struct SolveReport {
    /// How the solve ended.
    pub status: Status,
    /// Total iterations.
    pub iterations: u64,
    /// Final residual, on the scale its tolerance is given in.
    pub residual: f64,
    /// The tolerance asked for.
    pub tolerance: f64,
    /// The methods that ran, in order.
    pub stages: Vec<Stage>,
    /// Where the residual is worst and what to try, for a message; empty when converged.
    pub worst: String,
    /// What did not end, where it is not the solve: `residual` and `tolerance` are then those of solves that did.
    pub search: Option<Search>,
    /// The books of this module over the step.
    pub balances: Vec<Balance>,
    /// Named numbers for `history.csv` (the same names every step).
    pub numbers: Vec<(&'static str, f64)>,
    /// Things the user should know.
    pub warnings: Vec<String>,
    /// What watchdogs saw and let pass: counted, the first of each kind is told.
    pub watched: Vec<Watched>,
    /// Why a shorter step would be better, though this one can be accepted: it is done again with half its length where the model lets steps that fail be halved.
    pub too_long: Option<String>,
    /// Wall time of parts of the step by name, for the summary of the run; no result may depend on it.
    pub phases: Vec<(&'static str, Duration)>,
}

impl SolveReport {
    /// The report of a module that solves nothing iteratively.
    #[must_use]
    pub const fn direct() -> Self {
        Self {
            status: Status::Converged,
            iterations: 0,
            residual: 0.0,
            tolerance: 0.0,
            stages: Vec::new(),
            worst: String::new(),
            search: None,
            balances: Vec::new(),
            numbers: Vec::new(),
            warnings: Vec::new(),
            watched: Vec::new(),
            too_long: None,
            phases: Vec::new(),
        }
    }

    /// A report of one stage.
    #[must_use]
    pub fn of_stage(stage: Stage, tolerance: f64) -> Self {
        Self {
            status: stage.status,
            iterations: stage.iterations,
            residual: stage.residual,
            tolerance,
            stages: vec![stage],
            ..Self::direct()
        }
    }
}

/// A search around the solves of a step that ended before its accuracy was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Search {
    /// What was sought, as "the search for the configuration of the contacts".
    pub what: &'static str,
    /// The key that bounds it, where more of it may help.
    pub more: Option<&'static str>,
    /// The key of its accuracy.
    pub accuracy: &'static str,
}

/// A step that could not be computed at all.
#[derive(Debug, thiserror::Error)]
#[error("module `{module}` cannot go on: {source}")]
pub struct SolveError {
    /// The module's name.
    pub module: &'static str,
    /// Its own error, which says what to do.
    pub source: Box<dyn std::error::Error + Send + Sync>,
    /// Whether a shorter step would meet it as well, so that trying one is of no use.
    pub at_any_step: bool,
}

impl SolveError {
    /// Wraps a module's own error.
    pub fn new(module: &'static str, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self { module, source: Box::new(source), at_any_step: false }
    }

    /// Wraps an error that no shorter step avoids: `on_failure: Halve` does not try one.
    pub fn at_any_step(module: &'static str, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self { at_any_step: true, ..Self::new(module, source) }
    }
}

impl From<PortMisuse> for SolveError {
    fn from(source: PortMisuse) -> Self {
        Self::at_any_step(source.module(), source)
    }
}
