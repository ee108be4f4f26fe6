//! Problems and solutions to files that Siconos, FCLIB's C reader and h5py read: 32-bit integers, arrays of length 1
//! for scalars, fixed-length strings, deflate and shuffle for long arrays.

use std::path::Path;

use rust_hdf5::H5Group;
use sprs::CsMat;

use crate::error::FclibError;
use crate::file::{Reader, amend, create, create_group, delete_group, write_array, write_text};
use crate::matrix::{Encoded, encode_rows, encode_triplets};
use crate::read::{Info, Stored};

/// A solution as FCLIB stores it.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution<const D: usize> {
    /// Velocities u of the contacts (m/s), normal first.
    pub velocities: Vec<[f64; D]>,
    /// Impulses r of the contacts (N s), normal first.
    pub impulses: Vec<[f64; D]>,
    /// Velocities v of the unknowns of M; global problems only.
    pub unknowns: Option<Vec<f64>>,
}

/// Writes the forms that `problem` holds; an existing file is replaced.
///
/// # Errors
/// [`FclibError::Write`].
pub fn write<const D: usize>(path: impl AsRef<Path>, problem: &Stored<D>) -> Result<(), FclibError> {
    write_with_guesses(path, problem, &[])
}

/// Writes the forms that `problem` holds, and starting guesses as `/guesses/1`, `/guesses/2`, …; an existing file is
/// replaced.
///
/// # Errors
/// [`FclibError::Write`].
pub fn write_with_guesses<const D: usize>(
    path: impl AsRef<Path>,
    problem: &Stored<D>,
    guesses: &[Solution<D>],
) -> Result<(), FclibError> {
    create(path.as_ref(), |file| {
        let root = file.root_group();
        if let Some(local) = &problem.local {
            let group = start_group::<D>(&root, "fclib_local", &problem.info)?;
            let entries: Vec<_> = row_major(local.delassus.entries().filter(|e| e.2 != 0.0).collect());
            let n = D * local.contacts();
            write_matrix(&group, "W", encode_rows(n, n, &entries))?;
            let vectors = create_group(&group, "vectors")?;
            write_array(&vectors, "q", &flat(&local.free_velocity))?;
            write_array(&vectors, "mu", &local.friction)?;
        }
        if let Some(global) = &problem.global {
            let group = start_group::<D>(&root, "fclib_global", &problem.info)?;
            for (name, matrix) in [("M", &global.mass), ("H", &global.transfer)] {
                write_matrix(&group, name, encode_triplets(matrix.rows(), matrix.cols(), &entries_of(matrix)))?;
            }
            let vectors = create_group(&group, "vectors")?;
            write_array(&vectors, "f", &global.load)?;
            write_array(&vectors, "w", &flat(&global.velocity_shift))?;
            write_array(&vectors, "mu", &global.friction)?;
        }
        if !guesses.is_empty() {
            let group = create_group(&root, "guesses")?;
            let count = i32::try_from(guesses.len()).map_err(|_| "too many guesses".to_owned())?;
            write_array(&group, "number_of_guesses", &[count])?;
            for (k, guess) in guesses.iter().enumerate() {
                fill_solution(&create_group(&group, &(k + 1).to_string())?, guess)?;
            }
        }
        Ok(())
    })
}

/// Copies `source` to `target` and puts the solution there as `/solution`, in place of one that may be there.
/// `source` is not touched.
///
/// # Errors
/// [`FclibError::Write`], and what reading `source` finds.
pub fn write_solution<const D: usize>(
    source: impl AsRef<Path>,
    target: impl AsRef<Path>,
    solution: &Solution<D>,
) -> Result<(), FclibError> {
    let (source, target) = (source.as_ref(), target.as_ref());
    let has_solution = Reader::open(source)?.has_group("solution");
    copy(source, target)?;
    amend(target, |file| {
        if has_solution {
            delete_group(file, "solution")?;
        }
        fill_solution(&create_group(&file.root_group(), "solution")?, solution)
    })
}

fn fill_solution<const D: usize>(group: &H5Group, solution: &Solution<D>) -> Result<(), String> {
    if let Some(v) = &solution.unknowns {
        write_array(group, "v", v)?;
    }
    write_array(group, "u", &flat(&solution.velocities))?;
    write_array(group, "r", &flat(&solution.impulses))
}

/// Copies the bytes of a file, so that the copy can be written even where the source cannot.
fn copy(source: &Path, target: &Path) -> Result<(), FclibError> {
    let write = |e: std::io::Error| FclibError::Write { path: target.into(), reason: e.to_string() };
    let bytes = std::fs::read(source).map_err(write)?;
    std::fs::write(target, bytes).map_err(write)
}

fn start_group<const D: usize>(root: &H5Group, name: &str, info: &Info) -> Result<H5Group, String> {
    let group = create_group(root, name)?;
    write_array(&group, "spacedim", &[D as i32])?;
    let texts = create_group(&group, "info")?;
    write_text(&texts, "title", &info.title)?;
    write_text(&texts, "description", &info.description)?;
    write_text(&texts, "math_info", &info.math_info)?;
    Ok(group)
}

fn write_matrix(group: &H5Group, name: &str, matrix: Option<Encoded>) -> Result<(), String> {
    let matrix = matrix.ok_or_else(|| format!("{name} is too large for the 32-bit indices of FCLIB"))?;
    let group = create_group(group, name)?;
    let nzmax = i32::try_from(matrix.x.len()).map_err(|_| format!("{name} is too large for the 32-bit indices of FCLIB"))?;
    for (name, value) in [("m", matrix.m), ("n", matrix.n), ("nz", matrix.nz), ("nzmax", nzmax)] {
        write_array(&group, name, &[value])?;
    }
    write_array(&group, "p", &matrix.p)?;
    write_array(&group, "i", &matrix.i)?;
    write_array(&group, "x", &matrix.x)
}

fn row_major(mut entries: Vec<(usize, usize, f64)>) -> Vec<(usize, usize, f64)> {
    entries.sort_by_key(|e| (e.0, e.1));
    entries
}

fn entries_of(matrix: &CsMat<f64>) -> Vec<(usize, usize, f64)> {
    matrix.iter().map(|(value, (row, column))| (row, column, *value)).collect()
}

fn flat<const D: usize>(values: &[[f64; D]]) -> Vec<f64> {
    values.iter().flatten().copied().collect()
}
