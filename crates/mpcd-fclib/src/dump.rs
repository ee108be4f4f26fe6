//! From the contact problem of a time step to a stored one.

use std::path::Path;

use crate::error::FclibError;
use crate::read::{Info, Stored};
use crate::write::{Solution, write_with_guesses};
use mpcd_friction::local::{LocalError, NotCoulomb, RigidForm};
use mpcd_friction::problem::{ContactDimension, ContactProblem};

/// Why a contact problem could not be stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DumpError {
    /// The problem is more than FCLIB can say.
    #[error(transparent)]
    Law(#[from] NotCoulomb),
    /// The problem cannot be posed.
    #[error(transparent)]
    Problem(#[from] LocalError),
    /// The file could not be written.
    #[error(transparent)]
    File(#[from] FclibError),
}

/// Stores the contact problem of a step in global form (M, H, f, w, μ), its starting impulses as the first guess. The
/// impulses are those to which the laws apply, `r + impulse_shift`.
///
/// # Errors
/// [`DumpError`].
pub fn dump(path: impl AsRef<Path>, problem: &ContactProblem, info: Info) -> Result<(), DumpError> {
    match problem.dimension {
        ContactDimension::Two => store::<2>(path.as_ref(), problem, info),
        ContactDimension::Three => store::<3>(path.as_ref(), problem, info),
    }
}

fn store<const D: usize>(path: &Path, problem: &ContactProblem, info: Info) -> Result<(), DumpError> {
    let form = RigidForm::<D>::new(problem)?;
    let global = form.to_global()?;
    let impulses = form.impulses().to_vec();
    let unknowns = global.unknown_velocities(&impulses)?;
    let mut velocities = global.velocity_shift.clone();
    for (value, (row, column)) in &global.transfer {
        velocities[column / D][column % D] += value * unknowns[row];
    }
    let guess = Solution { velocities, impulses, unknowns: Some(unknowns) };
    let stored = Stored { local: None, global: Some(global), info, warnings: Vec::new() };
    Ok(write_with_guesses(path, &stored, &[guess])?)
}
