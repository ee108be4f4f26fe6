//! The trait every solver of the rigid problem stands behind, and the names by which a model file reaches them.

use crate::report::SolveInfo;
use crate::rigid::{ProblemError, RigidProblem};
use crate::settings::SolveSettings;

/// A solver of the rigid frictional contact problem.
///
/// A solver owns its working memory and reuses it: after the first steps a solve allocates nothing. That memory is a
/// cache; dropping it between solves changes no bit of any result.
pub trait RigidSolver: Send {
    /// Name under which the solver is reached, and which its reports carry.
    fn name(&self) -> &'static str;

    /// Solves in place: nodes go from free to final velocities, contacts from starting impulses to the solution.
    ///
    /// # Errors
    /// A problem that cannot be posed ([`ProblemError`]); missing the tolerance is not an error but a status. On error
    /// the problem is unchanged.
    fn solve(&mut self, problem: &mut RigidProblem, settings: &SolveSettings) -> Result<SolveInfo, ProblemError>;
}
