//! From a file to a solution: what `mpcd fclib solve` calls.

use std::path::Path;
use std::time::Duration;

use crate::clock::Clock;
use crate::error::FclibError;
use crate::read::{Stored, StoredProblem, read};
use crate::solvers::local_solver;
use crate::write::Solution;
use mpcd_friction::local::{
    Existence, GlobalProblem, LocalError, LocalSettings, LocalSolver, LocalWarning, PreparedProblem, counted_operations,
    existence,
};
use mpcd_friction::report::SolveInfo;

/// A solved stored problem.
#[derive(Debug, Clone)]
pub struct Solved<const D: usize> {
    /// u, r and, for global problems, v.
    pub solution: Solution<D>,
    /// Report of the solver.
    pub info: SolveInfo,
    /// Processor time from W (or M and H) as plain data to the solution, without reading and without writing.
    pub time: Duration,
    /// `‖M v − H r − f‖` relative to the largest of the three norms; global problems only.
    pub balance: Option<f64>,
    /// Floating-point operations of assembly and solution, counted by the solvers.
    pub flops: u64,
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

    /// `‖M v − H r − f‖` relative to the largest of the three norms; `None` without a global form.
    #[must_use]
    pub const fn balance(&self) -> Option<f64> {
        match self {
            Self::Planar(solved) => solved.balance,
            Self::Spatial(solved) => solved.balance,
        }
    }

    /// Floating-point operations, counted by the solvers.
    #[must_use]
    pub const fn flops(&self) -> u64 {
        match self {
            Self::Planar(solved) => solved.flops,
            Self::Spatial(solved) => solved.flops,
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
            Self::Planar(solved) => crate::write::write_solution(source, target, &solved.solution),
            Self::Spatial(solved) => crate::write::write_solution(source, target, &solved.solution),
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
    let (clock, before) = (Clock::start(), counted_operations());
    let problem = PreparedProblem::new(stored.to_local()?, stored.global.as_ref())?;
    solver.check(&problem)?;
    let mut impulses = vec![[0.0; D]; problem.contacts()];
    let info = solver.solve(&problem, &mut impulses, settings);
    let (time, flops) = (clock.elapsed(), counted_operations().wrapping_sub(before));
    let velocities = problem.local().velocities(&impulses);
    let unknowns = stored.global.as_ref().map(|global| global.unknown_velocities(&impulses)).transpose()?;
    let balance = stored.global.as_ref().zip(unknowns.as_ref()).map(|(global, v)| balance(global, v, &impulses));
    Ok(Solved { solution: Solution { velocities, impulses, unknowns }, info, time, balance, flops })
}

/// `‖M v − H r − f‖` relative to `max(‖M v‖, ‖H r‖, ‖f‖)`, each computed afresh (the first part of Siconos' error of a
/// global problem).
fn balance<const D: usize>(global: &GlobalProblem<D>, v: &[f64], r: &[[f64; D]]) -> f64 {
    let (mut momentum, mut push) = (vec![0.0; v.len()], vec![0.0; v.len()]);
    for (value, (row, column)) in &global.mass {
        momentum[row] += value * v[column];
    }
    for (value, (row, column)) in &global.transfer {
        push[row] += value * r[column / D][column % D];
    }
    let norm = |x: &mut dyn Iterator<Item = f64>| x.map(|v| v * v).sum::<f64>().sqrt();
    let left = norm(&mut (0..v.len()).map(|i| momentum[i] - push[i] - global.load[i]));
    let size = [&momentum, &push, &global.load].map(|x| norm(&mut x.iter().copied())).into_iter().fold(0.0, f64::max);
    if size > 0.0 { left / size } else { left }
}

/// Reads a file and solves it with the solver of this name (see [`crate::local_solver_names`]).
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

/// The sufficient test of existence (see [`mpcd_friction::local::Existence`]) on a file's problem: one word for tables (`holds`, `fails`,
/// `undecided`), and a sentence.
///
/// # Errors
/// [`FclibError`], where the file cannot be read or its problem cannot be posed.
pub fn existence_of(path: impl AsRef<Path>) -> Result<(&'static str, String), FclibError> {
    fn report<const D: usize>(stored: &Stored<D>) -> Result<(&'static str, String), LocalError> {
        let said = existence(&PreparedProblem::new(stored.to_local()?, None)?);
        let word = match said {
            Existence::Holds { .. } => "holds",
            Existence::Fails { .. } => "fails",
            Existence::Undecided => "undecided",
        };
        Ok((word, said.to_string()))
    }
    let path = path.as_ref();
    let said = match read(path)? {
        StoredProblem::Planar(stored) => report(&stored),
        StoredProblem::Spatial(stored) => report(&stored),
    };
    said.map_err(|source| FclibError::Problem { path: path.into(), source })
}

/// Everything about a file's problem that deserves a word: what reading put right, asymmetry and negative eigenvalues of W and M,
/// immovable contacts. Costs some products with W.
///
/// # Errors
/// [`FclibError`], where the file cannot be read or its problem cannot be posed.
pub fn warnings(path: impl AsRef<Path>) -> Result<Vec<LocalWarning>, FclibError> {
    fn of<const D: usize>(stored: &Stored<D>) -> Result<Vec<LocalWarning>, LocalError> {
        let mut list = stored.warnings.clone();
        list.extend(stored.global.iter().flat_map(GlobalProblem::warnings));
        list.extend(stored.to_local()?.warnings());
        Ok(list)
    }
    let path = path.as_ref();
    let list = match read(path)? {
        StoredProblem::Planar(stored) => of(&stored),
        StoredProblem::Spatial(stored) => of(&stored),
    };
    list.map_err(|source| FclibError::Problem { path: path.into(), source })
}
