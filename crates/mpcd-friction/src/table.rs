//! The names by which a model file reaches the solvers of the contact problem. No numerics.

use crate::auto::Auto;
use crate::local::absent_reason;
use crate::named::{Named, condensed_names, is_relaxed};
use crate::nlgs::{AcceleratedNlgs, Jacobi, Nlgs};
use crate::solver::RigidSolver;

/// Names of the solvers that work on bodies and contacts as they are, without assembling W.
const OWN: [&str; 4] = ["auto", "nlgs", "nlgs-accelerated", "jacobi"];

/// Names of all solvers of the contact problem: those that work on bodies and contacts as they are, then those of stored problems, which run
/// on its condensed form.
#[must_use]
pub fn rigid_solver_names() -> Vec<&'static str> {
    OWN.into_iter().chain(condensed_names().filter(|name| !OWN.contains(name))).collect()
}

/// A solver was asked for by a name that no solver of the contact problem has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}; the solvers are: {}", self.why(), rigid_solver_names().join(", "))]
pub struct UnknownSolver {
    /// The name asked for.
    pub name: String,
    /// The nearest name there is, if one is near.
    pub suggestion: Option<String>,
}

impl UnknownSolver {
    fn why(&self) -> String {
        let Self { name, suggestion } = self;
        if is_relaxed(name) {
            return format!("`{name}` solves a convex relaxation of Coulomb's law, which no step accepts");
        }
        if let Some(reason) = absent_reason(name) {
            return format!("the solver `{name}` is not in this program: {reason}");
        }
        let near = suggestion.as_ref().map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"));
        format!("no solver is called `{name}`{near}")
    }
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
        _ => Named::new(name).map(|solver| -> Box<dyn RigidSolver> { Box::new(solver) }).ok_or_else(|| UnknownSolver {
            name: name.to_owned(),
            suggestion: rigid_solver_names()
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
        for name in rigid_solver_names() {
            assert_eq!(solver_by_name(name).map(|s| s.name()), Ok(name));
        }
    }

    /// One table: every name of a stored problem's solver is one of the contact problem, but for the relaxed ones.
    #[test]
    fn stored_problems_and_models_share_their_names() {
        for name in crate::local::LOCAL_SOLVERS {
            assert_eq!(solver_by_name(name).is_ok(), !is_relaxed(name), "{name}");
        }
    }

    #[test]
    fn an_unknown_name_says_what_there_is() {
        let message = |name| solver_by_name(name).err().map(|e| e.to_string()).unwrap_or_default();
        let all = rigid_solver_names().join(", ");
        assert_eq!(message("NLSG"), format!("no solver is called `NLSG` (did you mean `nlgs`?); the solvers are: {all}"));
        assert_eq!(message("quux"), format!("no solver is called `quux`; the solvers are: {all}"));
        assert_eq!(
            message("apgd-convex"),
            format!("`apgd-convex` solves a convex relaxation of Coulomb's law, which no step accepts; the solvers are: {all}")
        );
    }
}
