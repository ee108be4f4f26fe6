//! A look at the contact problems of a run, for whoever wants to store or study them. Changes nothing.

use std::fmt;
use std::sync::Arc;

use mpcd_core::Step;
use mpcd_friction::problem::ContactProblem;

/// Called with every contact problem before it is solved: bodies with their free velocities, contacts with their starting
/// impulses; and whether impacts are restituted in problems of their own that follow it (`Poisson`, `Stronge`). A part of the registry: `registry.with_part(ProblemObserver::new(…))`. A step that is repeated, by the
/// coupling or with a shorter length, is seen again.
#[derive(Clone)]
pub struct ProblemObserver(Arc<Look>);

type Look = dyn Fn(&Step, &ContactProblem, bool) + Send + Sync;

impl ProblemObserver {
    /// From what is to be called.
    pub fn new(look: impl Fn(&Step, &ContactProblem, bool) + Send + Sync + 'static) -> Self {
        Self(Arc::new(look))
    }

    pub(crate) fn look(&self, step: &Step, problem: &ContactProblem, restitutes: bool) {
        (self.0)(step, problem, restitutes);
    }
}

impl fmt::Debug for ProblemObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProblemObserver")
    }
}
