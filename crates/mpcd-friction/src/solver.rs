//! The trait that every solver of the contact problem stands behind. Their names are in `crate::table`.

use crate::problem::{ContactProblem, ProblemError};
use crate::report::SolveInfo;
use crate::settings::SolveSettings;

/// A solver of the rigid frictional contact problem.
///
/// A solver owns its working memory and reuses it: after the first steps a solve allocates nothing. That memory is a
/// cache; dropping it between solves changes no bit of any result.
pub trait RigidSolver: Send {
    /// Name under which the solver is reached, and which its reports carry.
    fn name(&self) -> &'static str;

    /// Whether it takes contacts under a [`crate::LocalLaw`]; other solvers refuse them.
    fn takes_laws(&self) -> bool {
        false
    }

    /// Whether it carries a cell whose lengths move; other solvers refuse it.
    fn takes_cells(&self) -> bool {
        false
    }

    /// Whether it takes what is not under Coulomb's law: joints, the convex law, laws of turning; other solvers refuse them.
    fn takes_joints(&self) -> bool {
        true
    }

    /// Gives back memory that grows with contacts and is made again at little cost.
    fn release(&mut self) {}

    /// Solves in place: bodies go from free to final velocities, contacts from starting impulses to the solution.
    ///
    /// # Errors
    /// A problem that cannot be posed ([`ProblemError`]); missing the tolerance is not an error but a status. On error
    /// the problem is unchanged.
    fn solve(&mut self, problem: &mut ContactProblem, settings: &SolveSettings) -> Result<SolveInfo, ProblemError>;
}
