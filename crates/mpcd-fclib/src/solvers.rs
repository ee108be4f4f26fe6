//! Solvers of this crate in the table of names, and the table with them.

use mpcd_friction::local::{self, ForeignSolver, LocalError, LocalSolver};

use crate::conic::Conic;

static CONIC: ForeignSolver =
    ForeignSolver { name: "conic", planar: || Box::new(Conic::default()), spatial: || Box::new(Conic::default()) };
static CONIC_CONVEX: ForeignSolver =
    ForeignSolver { name: "conic-convex", planar: || Box::new(Conic::RELAXED), spatial: || Box::new(Conic::RELAXED) };

/// Puts the solvers of this crate into [`mpcd_friction`]'s table, for this process. Once is enough, more does no harm. A name that another
/// crate took before stays with it, and a warning is logged.
pub fn register_solvers() {
    for solver in [&CONIC, &CONIC_CONVEX] {
        if let Err(taken) = local::register_solver(solver) {
            tracing::warn!("{taken}");
        }
    }
}

/// Every name that [`local_solver`] knows.
#[must_use]
pub fn local_solver_names() -> Vec<&'static str> {
    register_solvers();
    local::local_solver_names()
}

/// The solver of this name, of `mpcd-friction` or of this crate.
///
/// # Errors
/// [`LocalError::UnknownSolver`], with a near name where there is one.
pub fn local_solver<const D: usize>(name: &str) -> Result<Box<dyn LocalSolver<D>>, LocalError> {
    register_solvers();
    local::local_solver(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_its_own_and_these_solvers_are_among_them() {
        let names = local_solver_names();
        assert_eq!(names, local_solver_names(), "registered twice, listed once");
        assert_eq!(names.len(), 31);
        assert!(names.contains(&"conic") && names.contains(&"conic-convex"));
        for name in names {
            assert!(local_solver::<2>(name).is_ok_and(|s| s.name() == name));
            assert!(local_solver::<3>(name).is_ok_and(|s| s.name() == name));
        }
        let message = local_solver::<2>("konic").err().map(|e| e.to_string()).unwrap_or_default();
        assert!(message.starts_with("no solver `konic`; did you mean `conic`?; known: auto"), "{message}");
        assert!(message.ends_with("conic, conic-convex"), "{message}");
    }
}
