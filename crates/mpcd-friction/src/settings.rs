//! What a caller chooses about a solve: tolerance, iteration limit, sweep order.

use serde::{Deserialize, Serialize};

use crate::problem::ProblemError;

/// Order in which a projection method visits the contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum SweepOrder {
    /// By colours: no two contacts of a colour share a free body, so a colour can be swept by any number of threads
    /// with the same bits. Runs on the current rayon pool. Contacts of a body with more than 64 of them close the
    /// sweep, in series.
    #[default]
    Coloured,
    /// In the order given.
    Forward,
    /// From the last contact to the first.
    Reverse,
    /// Forward and reverse in turn; each counts as one sweep.
    Symmetric,
    /// In one permutation drawn from the seed, the same in every sweep.
    Shuffled {
        /// Seed of the permutation.
        seed: u64,
    },
}

/// Tolerance and limits of one solve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SolveSettings {
    /// Scale-free error to reach (see [`crate::error`]), without unit. Default 1e-5.
    pub tolerance: f64,
    /// Most iterations (sweeps). Default 20,000.
    pub max_iterations: usize,
    /// Order of the sweep, for the methods that sweep.
    pub order: SweepOrder,
}

impl Default for SolveSettings {
    fn default() -> Self {
        Self { tolerance: 1e-5, max_iterations: 20_000, order: SweepOrder::default() }
    }
}

impl SolveSettings {
    /// Checks the ranges.
    ///
    /// # Errors
    /// [`ProblemError::Setting`] naming the setting, its value and what it may be.
    pub fn validate(&self) -> Result<(), ProblemError> {
        if !(self.tolerance > 0.0 && self.tolerance.is_finite()) {
            return Err(ProblemError::Setting {
                setting: "tolerance",
                value: self.tolerance.to_string(),
                expected: "a positive number",
            });
        }
        if self.max_iterations == 0 {
            return Err(ProblemError::Setting { setting: "max_iterations", value: "0".to_owned(), expected: "at least 1" });
        }
        Ok(())
    }
}
