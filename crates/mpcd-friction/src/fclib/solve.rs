//! From a file to a solution: what `mpcd fclib solve` calls.

use std::path::Path;
use std::time::{Duration, Instant};

use super::error::FclibError;
use super::read::{Stored, StoredProblem, read};
use super::write::Solution;
use crate::local::{LocalError, LocalSettings, LocalSolver, LocalWarning, PreparedProblem, existence, local_solver};
use crate::report::SolveInfo;

/// A solved stored problem.
#[derive(Debug, Clone)]
pub struct Solved<const D: usize> {
    /// u, r and, for global problems, v.
    pub solution: Solution<D>,
    /// Report of the solver.
    pub info: SolveInfo,
    /// Time from W (or M and H) as plain data to the solution, without reading and without writing.
    pub time: Duration,
}

/// A solved file of either contact dimension.
#[derive(Debug, Clone)]
pub enum SolvedFile {
    /// Contact dimension 2.
    Planar(Solved<2>),
    /// Contact dimension 3.
    Spatial(Solved<3>),
}

impl SolvedFile {
    /// Report of the solver.
    #[must_use]
    pub const fn info(&self) -> &SolveInfo {
        match self {
            Self::Planar(solved) => &solved.info,
            Self::Spatial(solved) => &solved.info,
        }
    }

    /// Time of assembly and solution.
    #[must_use]
    pub const fn time(&self) -> Duration {
        match self {
            Self::Planar(solved) => solved.time,
            Self::Spatial(solved) => solved.time,
        }
    }

    /// Number of contacts.
    #[must_use]
    pub const fn contacts(&self) -> usize {
        match self {
            Self::Planar(solved) => solved.solution.impulses.len(),
            Self::Spatial(solved) => solved.solution.impulses.len(),
        }
    }

    /// Copies `source` to `target` with the solution as `/solution`.
    ///
    /// # Errors
    /// [`FclibError`], where the copy cannot be written.
    pub fn write(&self, source: &Path, target: &Path) -> Result<(), FclibError> {
        match self {
            Self::Planar(solved) => super::write::write_solution(source, target, &solved.solution),
            Self::Spatial(solved) => super::write::write_solution(source, target, &solved.solution),
        }
    }
}

/// Solves a stored problem: assembles the local form where the file has none, uses M and H where it has them.
///
/// # Errors
/// [`LocalError`], where the problem cannot be posed. Missing the tolerance is a status, not an error.
pub fn solve<const D: usize>(
    stored: &Stored<D>,
    solver: &mut dyn LocalSolver<D>,
    settings: &LocalSettings,
) -> Result<Solved<D>, LocalError> {
    let start = Instant::now();
    let problem = PreparedProblem::new(stored.to_local()?, stored.global.as_ref())?;
    solver.check(&problem)?;
    let mut impulses = vec![[0.0; D]; problem.contacts()];
    let info = solver.solve(&problem, &mut impulses, settings);
    let time = start.elapsed();
    let velocities = problem.local().velocities(&impulses);
    let unknowns = stored.global.as_ref().map(|global| global.unknown_velocities(&impulses)).transpose()?;
    Ok(Solved { solution: Solution { velocities, impulses, unknowns }, info, time })
}

/// Reads a file and solves it with the solver of this name (see [`crate::local::LOCAL_SOLVERS`]).
///
/// # Errors
/// [`FclibError`]: the file cannot be read, its problem cannot be posed, or no solver has this name.
pub fn solve_file(path: impl AsRef<Path>, solver: &str, settings: &LocalSettings) -> Result<SolvedFile, FclibError> {
    let path = path.as_ref();
    let problem = |source| FclibError::Problem { path: path.into(), source };
    Ok(match read(path)? {
        StoredProblem::Planar(stored) => {
            let mut solver = local_solver(solver).map_err(problem)?;
            SolvedFile::Planar(solve(&stored, &mut *solver, settings).map_err(problem)?)
        }
        StoredProblem::Spatial(stored) => {
            let mut solver = local_solver(solver).map_err(problem)?;
            SolvedFile::Spatial(solve(&stored, &mut *solver, settings).map_err(problem)?)
        }
    })
}

/// The sufficient test of existence (see [`crate::local::Existence`]) on a file's problem, in words.
///
/// # Errors
/// [`FclibError`], where the file cannot be read or its problem cannot be posed.
pub fn existence_report(path: impl AsRef<Path>) -> Result<String, FclibError> {
    fn report<const D: usize>(stored: &Stored<D>) -> Result<String, LocalError> {
        Ok(existence(&PreparedProblem::new(stored.to_local()?, None)?).to_string())
    }
    let path = path.as_ref();
    let said = match read(path)? {
        StoredProblem::Planar(stored) => report(&stored),
        StoredProblem::Spatial(stored) => report(&stored),
    };
    said.map_err(|source| FclibError::Problem { path: path.into(), source })
}

/// Everything about a file's problem that deserves a word: what reading put right, asymmetry, negative eigenvalues,
/// immovable contacts. Costs some products with W.
///
/// # Errors
/// [`FclibError`], where the file cannot be read or its problem cannot be posed.
pub fn warnings(path: impl AsRef<Path>) -> Result<Vec<LocalWarning>, FclibError> {
    let path = path.as_ref();
    let problem = |source| FclibError::Problem { path: path.into(), source };
    let (mut list, found) = match read(path)? {
        StoredProblem::Planar(stored) => (stored.warnings.clone(), stored.to_local().map_err(problem)?.warnings()),
        StoredProblem::Spatial(stored) => (stored.warnings.clone(), stored.to_local().map_err(problem)?.warnings()),
    };
    list.extend(found);
    Ok(list)
}
