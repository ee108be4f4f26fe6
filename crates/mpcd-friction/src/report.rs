//! What a solver says when it ends: status, counts, errors, stages. No numerics here.
//!
//! Status is not error: a solve that misses its tolerance is not an `Err`, it is reported and the caller decides.

use serde::Serialize;

use crate::acceptance::{Violation, greater};
use crate::error::{Errors, WorstContact};

/// How a solve ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[non_exhaustive]
pub enum Status {
    /// The scale-free error, computed afresh from the impulses returned, is at or below the tolerance, and (but for stored problems) so
    /// are the violations as velocities ([`crate::acceptance`]).
    Converged,
    /// The iteration limit was reached first.
    MaxIterations,
    /// The error stopped falling (or grew) long before the tolerance; more iterations would not help.
    Stalled,
    /// There was no contact: nothing to solve, nothing done.
    NoContact,
    /// It is proven that the problem has no solution.
    NoSolution,
}

impl Status {
    /// True where the result meets the tolerance (an empty problem does).
    #[must_use]
    pub const fn is_success(self) -> bool {
        matches!(self, Self::Converged | Self::NoContact)
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Converged => "converged",
            Self::MaxIterations => "maximum of iterations reached",
            Self::Stalled => "stalled",
            Self::NoContact => "no contact",
            Self::NoSolution => "no solution",
        })
    }
}

/// A proof that no motion meets the conditions of all contacts: Σ `share`·u_n is negative whatever the impulses are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NoMotion {
    /// Contacts that take part, with their shares (positive; squares sum up to 1).
    pub contacts: Vec<(usize, f64)>,
    /// `−Σ share·u_n` (m/s), positive: how fast they close together.
    pub closing: f64,
}

/// One part of a solver that combines several methods.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stage {
    /// Name of the method that ran.
    pub name: &'static str,
    /// Iterations (sweeps, Newton steps, …) it used.
    pub iterations: usize,
    /// Scale-free error when it ended.
    pub error: f64,
}

/// Report of one solve.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SolveInfo {
    /// Name of the solver that ran.
    pub solver: &'static str,
    /// How it ended.
    pub status: Status,
    /// Iterations: sweeps for projection methods, outer steps for others.
    pub iterations: usize,
    /// Local contact problems solved, all iterations together.
    pub contact_updates: u64,
    /// Errors of the impulses returned, computed afresh from them.
    pub errors: Errors,
    /// The contact furthest from its law; `None` without contacts.
    pub worst: Option<WorstContact>,
    /// What the result violates as velocities; `None` for stored problems, and without contacts.
    pub violation: Option<Violation>,
    /// With [`Status::NoSolution`], the proof where it is one by velocities.
    pub no_motion: Option<NoMotion>,
    /// Methods in the order in which they ran; empty where the solver is a single method.
    pub stages: Vec<Stage>,
}

impl SolveInfo {
    /// Report of a problem without contacts.
    #[must_use]
    pub const fn no_contact(solver: &'static str) -> Self {
        Self {
            solver,
            status: Status::NoContact,
            iterations: 0,
            contact_updates: 0,
            errors: Errors { scaled: 0.0, siconos: 0.0, q: 0.0 },
            worst: None,
            violation: None,
            no_motion: None,
            stages: Vec::new(),
        }
    }

    /// Whether sweeps alone ran. They end at no impulse at contacts that are open; other methods leave something there
    /// ([`crate::problem::ContactProblem::left_over`]).
    #[must_use]
    pub fn is_swept(&self) -> bool {
        let sweeps = |name: &str| name.starts_with("nlgs");
        if self.stages.is_empty() { sweeps(self.solver) } else { self.stages.iter().all(|stage| sweeps(stage.name)) }
    }

    /// The error that decides: [`Errors::scaled`] and, where they were looked at, the violations.
    #[must_use]
    pub fn error(&self) -> f64 {
        greater(self.errors.scaled, self.violation.map_or(0.0, |v| v.error()))
    }
}

impl std::fmt::Display for SolveInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}: {} after {} iterations, scale-free error {:.3e}",
            self.solver, self.status, self.iterations, self.errors.scaled
        )?;
        if let Some(worst) = self.worst {
            write!(f, ", worst contact {} (residual {:.3e})", worst.contact, worst.residual)?;
        }
        Ok(())
    }
}
