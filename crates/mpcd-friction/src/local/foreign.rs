//! Solvers of stored problems that crates above this one bring into its table of names: those that need heavy libraries, and a user's own.
//!
//! The table is one per process, as a name must mean the same in a model, on the command line and in a program.

use std::any::Any;
use std::sync::{PoisonError, RwLock};

use super::names::LOCAL_SOLVERS;
use super::settings::LocalSolver;

/// A solver of another crate: its name, and how one is made in either contact dimension.
#[derive(Debug, Clone, Copy)]
pub struct ForeignSolver {
    /// The name that the solver bears.
    pub name: &'static str,
    /// Makes one for contacts of dimension 2.
    pub planar: fn() -> Box<dyn LocalSolver<2>>,
    /// Makes one for contacts of dimension 3.
    pub spatial: fn() -> Box<dyn LocalSolver<3>>,
}

impl ForeignSolver {
    /// A new one; `None` where the dimension is neither 2 nor 3.
    fn make<const D: usize>(&self) -> Option<Box<dyn LocalSolver<D>>> {
        let makers: [&dyn Any; 2] = [&self.planar, &self.spatial];
        makers.into_iter().find_map(|make| make.downcast_ref::<fn() -> Box<dyn LocalSolver<D>>>()).map(|make| make())
    }
}

/// Why a solver that its name belongs to is not in this program, and what brings it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AbsentSolver {
    /// The name that the solver bears.
    pub name: &'static str,
    /// Where it is, for a message of error.
    pub reason: &'static str,
}

/// Two solvers want one name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("another solver is called `{name}` already; give yours a name of its own")]
pub struct NameTaken {
    /// The name.
    pub name: String,
}

static FOREIGN: RwLock<Vec<&'static ForeignSolver>> = RwLock::new(Vec::new());
static ABSENT: RwLock<Vec<AbsentSolver>> = RwLock::new(Vec::new());

/// Says of a solver that this program was built without what to do about it. It stays unknown; who asks for it is told. The last word
/// on a name stands.
pub fn announce_absent(solver: AbsentSolver) {
    let mut table = ABSENT.write().unwrap_or_else(PoisonError::into_inner);
    table.retain(|known| known.name != solver.name);
    table.push(solver);
}

/// What was said of a solver of this name that is not here.
pub(crate) fn absent_reason(name: &str) -> Option<&'static str> {
    let table = ABSENT.read().unwrap_or_else(PoisonError::into_inner);
    table.iter().find(|solver| solver.name == name).map(|solver| solver.reason)
}

/// Puts a solver into the table of this process, after those that are there. The same one twice is one.
///
/// # Errors
/// [`NameTaken`]; the table is as before.
pub fn register_solver(solver: &'static ForeignSolver) -> Result<(), NameTaken> {
    let mut table = FOREIGN.write().unwrap_or_else(PoisonError::into_inner);
    match table.iter().find(|known| known.name == solver.name) {
        Some(known) if std::ptr::eq(*known, solver) => Ok(()),
        None if !LOCAL_SOLVERS.contains(&solver.name) => {
            table.push(solver);
            Ok(())
        }
        _ => Err(NameTaken { name: solver.name.to_owned() }),
    }
}

/// Names in the order in which their solvers came.
pub(super) fn foreign_names() -> Vec<&'static str> {
    FOREIGN.read().unwrap_or_else(PoisonError::into_inner).iter().map(|solver| solver.name).collect()
}

/// The solver of this name, if one was brought.
pub(super) fn foreign_solver<const D: usize>(name: &str) -> Option<Box<dyn LocalSolver<D>>> {
    let table = FOREIGN.read().unwrap_or_else(PoisonError::into_inner);
    table.iter().find(|solver| solver.name == name).and_then(|solver| solver.make())
}

#[cfg(test)]
mod tests {
    use super::super::admm::Admm;
    use super::super::names::{local_solver, local_solver_names};
    use super::*;

    static OWN: ForeignSolver = ForeignSolver { name: "own", planar: || Box::new(Admm), spatial: || Box::new(Admm) };
    static SECOND: ForeignSolver = ForeignSolver { name: "own", ..OWN };
    static TAKEN: ForeignSolver = ForeignSolver { name: "ipm", ..OWN };

    #[test]
    fn a_solver_that_is_not_here_says_where_it_is() {
        announce_absent(AbsentSolver { name: "far", reason: "it is far away" });
        announce_absent(AbsentSolver { name: "far", reason: "it is in the next room" });
        let message = local_solver::<2>("far").err().map(|e| e.to_string()).unwrap_or_default();
        assert!(message.starts_with("no solver `far`: it is in the next room; known: auto"), "{message}");
        let message = crate::solver_by_name("far").err().map(|e| e.to_string()).unwrap_or_default();
        assert!(
            message.starts_with("the solver `far` is not in this program: it is in the next room; the solvers are: "),
            "{message}"
        );
        assert!(!local_solver_names().contains(&"far"));
    }

    #[test]
    fn a_solver_of_another_crate_joins_the_table_under_a_name_of_its_own() {
        assert!(register_solver(&OWN).is_ok() && register_solver(&OWN).is_ok());
        assert_eq!(local_solver_names().iter().filter(|name| **name == "own").count(), 1);
        assert!(local_solver::<2>("own").is_ok_and(|s| s.name() == "admm"));
        assert!(local_solver::<3>("own").is_ok_and(|s| s.name() == "admm"));
        for solver in [&SECOND, &TAKEN] {
            let message = register_solver(solver).err().map(|e| e.to_string()).unwrap_or_default();
            let expected = format!("another solver is called `{}` already; give yours a name of its own", solver.name);
            assert_eq!(message, expected);
        }
    }
}
