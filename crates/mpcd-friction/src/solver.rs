//! The trait every solver of the rigid problem stands behind, and the names by which a model file reaches them.

use crate::auto::Auto;
use crate::nlgs::{AcceleratedNlgs, Jacobi, Nlgs};
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

    /// Whether it takes contacts under a [`crate::LocalLaw`]; other solvers refuse them.
    fn takes_laws(&self) -> bool {
        false
    }

    /// Whether it carries a cell whose lengths move; other solvers refuse it.
    fn takes_cells(&self) -> bool {
        false
    }

    /// Solves in place: nodes go from free to final velocities, contacts from starting impulses to the solution.
    ///
    /// # Errors
    /// A problem that cannot be posed ([`ProblemError`]); missing the tolerance is not an error but a status. On error
    /// the problem is unchanged.
    fn solve(&mut self, problem: &mut RigidProblem, settings: &SolveSettings) -> Result<SolveInfo, ProblemError>;
}

/// Names of the solvers of the rigid problem.
pub const RIGID_SOLVERS: [&str; 4] = ["auto", "nlgs", "nlgs-accelerated", "jacobi"];

/// A solver was asked for by a name that no solver has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no solver is called `{name}`{}; the solvers are: {}", suggest(.suggestion.as_deref()), RIGID_SOLVERS.join(", "))]
pub struct UnknownSolver {
    /// The name asked for.
    pub name: String,
    /// The nearest name there is, if one is near.
    pub suggestion: Option<String>,
}

fn suggest(name: Option<&str>) -> String {
    name.map_or_else(String::new, |name| format!(" (did you mean `{name}`?)"))
}

/// The solver of this name. The solver named is the one that runs: nothing falls back in silence.
///
/// # Errors
/// [`UnknownSolver`], with the nearest name.
pub fn solver_by_name(name: &str) -> Result<Box<dyn RigidSolver>, UnknownSolver> {
    match name {
        "auto" => Ok(Box::new(Auto::default())),
        "nlgs" => Ok(Box::new(Nlgs::default())),
        "nlgs-accelerated" => Ok(Box::new(AcceleratedNlgs::default())),
        "jacobi" => Ok(Box::new(Jacobi::default())),
        _ => Err(UnknownSolver {
            name: name.to_owned(),
            suggestion: RIGID_SOLVERS
                .into_iter()
                .map(|known| (strsim::jaro_winkler(known, &name.to_lowercase()), known))
                .filter(|(similarity, _)| *similarity > 0.7)
                .max_by(|a, b| a.0.total_cmp(&b.0))
                .map(|(_, known)| known.to_owned()),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_gives_the_solver_of_that_name() {
        for name in RIGID_SOLVERS {
            assert_eq!(solver_by_name(name).map(|s| s.name()), Ok(name));
        }
    }

    #[test]
    fn an_unknown_name_says_what_there_is() {
        let message = |name| solver_by_name(name).err().map(|e| e.to_string()).unwrap_or_default();
        assert_eq!(
            message("NLSG"),
            "no solver is called `NLSG` (did you mean `nlgs`?); the solvers are: auto, nlgs, nlgs-accelerated, jacobi"
        );
        assert_eq!(message("quux"), "no solver is called `quux`; the solvers are: auto, nlgs, nlgs-accelerated, jacobi");
    }
}
