//! What a projection method asks of whatever sweeps for it: one trait, so that the loop that decides when to look, when to stop and how far to move on does not know where the
//! records are. [`System`] sweeps on the threads of this machine; a device or several machines would stand behind the same face: problems, impulses and sums go
//! in and out as plain numbers, nothing is visited from outside. No method lives here.

use super::passes::Direction;
use super::system::{Splitting, System};
use super::vector::V3;
use super::violation::Breach;
use crate::error::{ErrorSum, FreeNorms, ScaledSum};
use crate::problem::{ContactProblem, ProblemError};
use crate::settings::SweepOrder;

/// What a sweep did, in the metric of the blocks: x are the impulses before it, g those after it, g' those after the one before.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Change {
    /// `Σ_c λ_c (g − x)·(g − g')`.
    pub(crate) along: f64,
    /// `Σ_c λ_c ‖g − x‖²`.
    pub(crate) square: f64,
}

/// Compiles a contact problem and sweeps over it. Impulses and velocities are its own until they are written back.
pub(crate) trait Sweeper<const D: usize> {
    /// Takes a problem that is valid around its contacts, with its starting impulses; velocities follow with [`Sweeper::rebuild`].
    ///
    /// # Errors
    /// The first fault of a contact; [`ProblemError::NoFreedom`] where no impulse can change the normal velocity of a contact.
    fn compile(&mut self, problem: &ContactProblem, order: SweepOrder, splitting: Splitting) -> Result<(), ProblemError>;

    /// How many contacts it has.
    fn contacts(&self) -> usize;

    /// Norms of the free velocities: of the problem alone, not of the impulses.
    fn free_norms(&mut self) -> FreeNorms;

    /// Velocities afresh: free velocities and what the impulses do to them.
    fn rebuild(&mut self);

    /// Sets all impulses to zero and the bodies free.
    fn reset(&mut self);

    /// One Gauss–Seidel sweep over all contacts.
    fn sweep(&mut self, direction: Direction);

    /// The same, each impulse moved on before by `beta` along its change from the sweep before the last to the last, and the velocities with them; what it did. The first
    /// since the problem was compiled has `beta` 0.
    fn sweep_on(&mut self, direction: Direction, beta: f64) -> Change;

    /// One Jacobi sweep: all contacts from the same velocities, then the velocities afresh.
    fn sweep_frozen(&mut self);

    /// Sums of the scale-free error, with the velocities as they are.
    fn scaled_sum(&mut self) -> ScaledSum;

    /// Looks at every law, island by island, with the velocities as they are; what is worst is [`Sweeper::worst`] from then on.
    fn look(&mut self);

    /// Both at once.
    fn look_and_sum(&mut self) -> ScaledSum;

    /// The same with the sums of all errors.
    fn look_and_judge(&mut self) -> ErrorSum;

    /// The worst breach of a law when it looked last.
    fn worst(&self) -> Breach;

    /// Copies the impulses, in an order of its own.
    fn keep(&mut self, kept: &mut Vec<V3>);

    /// Puts kept impulses back, with the velocities that belong to them.
    fn restore(&mut self, kept: &[V3]);

    /// Writes impulses and velocities back into the problem.
    fn write_back(&mut self, problem: &mut ContactProblem);
}

impl<const D: usize> Sweeper<D> for System {
    fn compile(&mut self, problem: &ContactProblem, order: SweepOrder, splitting: Splitting) -> Result<(), ProblemError> {
        self.compile::<D>(problem, order, splitting)
    }

    fn contacts(&self) -> usize {
        self.len()
    }

    fn free_norms(&mut self) -> FreeNorms {
        self.free_norms::<D>()
    }

    fn rebuild(&mut self) {
        self.rebuild::<D>();
    }

    fn reset(&mut self) {
        self.reset::<D>();
    }

    fn sweep(&mut self, direction: Direction) {
        self.sweep::<D>(direction);
    }

    fn sweep_on(&mut self, direction: Direction, beta: f64) -> Change {
        self.sweep_on::<D>(direction, beta)
    }

    fn sweep_frozen(&mut self) {
        self.sweep_frozen::<D>();
    }

    fn scaled_sum(&mut self) -> ScaledSum {
        self.scaled_sum::<D>()
    }

    fn look(&mut self) {
        self.look_at_islands::<D>();
    }

    fn look_and_sum(&mut self) -> ScaledSum {
        self.look_and_sum::<D>()
    }

    fn look_and_judge(&mut self) -> ErrorSum {
        self.error_and_islands::<D>().0
    }

    fn worst(&self) -> Breach {
        self.islands().worst()
    }

    fn keep(&mut self, kept: &mut Vec<V3>) {
        self.keep(kept);
    }

    fn restore(&mut self, kept: &[V3]) {
        self.restore::<D>(kept);
    }

    fn write_back(&mut self, problem: &mut ContactProblem) {
        self.write_back::<D>(problem);
    }
}
