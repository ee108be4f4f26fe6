//! Wall time of what a body computes, told apart. No computation.

use std::time::{Duration, Instant};

use super::Body;
use crate::error::FemError;
use crate::factor::Factor;

/// Wall time of the parts of steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BodyTimes {
    /// Sums over elements: forces, stiffness, energies.
    pub assembled: Duration,
    /// Factorisations of M̃, the analysis of its pattern with the first.
    pub factorised: Duration,
    /// Solutions with the factor: the free motion, and the answer to impulses.
    pub solved: Duration,
}

impl BodyTimes {
    fn all(&self) -> Duration {
        self.assembled + self.factorised + self.solved
    }
}

impl Body {
    /// The times since this was last called.
    pub fn take_times(&mut self) -> BodyTimes {
        std::mem::take(&mut self.times)
    }

    /// Factorises on the clock of factorisations.
    pub(super) fn with_factor(&mut self, run: impl FnOnce(&mut Factor) -> Result<(), FemError>) -> Result<(), FemError> {
        let started = Instant::now();
        run(&mut self.factor)?;
        self.times.factorised += started.elapsed();
        Ok(())
    }

    /// What ran since `started` and is on none of the clocks since they showed `before` was a sum over elements.
    pub(super) fn count_assembly(&mut self, started: Instant, before: BodyTimes) {
        let known = self.times.all().saturating_sub(before.all());
        self.times.assembled += started.elapsed().saturating_sub(known);
    }
}
