//! From a file to problems as plain data, checked.

use std::path::Path;

use crate::error::FclibError;
use crate::file::Reader;
use crate::matrix::{RawMatrix, read_matrix};
use mpcd_friction::local::{BlockMatrix, GlobalProblem, LocalError, LocalProblem, LocalWarning, matrix_from_entries};

/// What a file says about itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Info {
    /// Title.
    pub title: String,
    /// Description.
    pub description: String,
    /// Mathematical remarks.
    pub math_info: String,
}

/// The forms of one problem that a file holds; at least one of the two is there.
#[derive(Debug, Clone, PartialEq)]
pub struct Stored<const D: usize> {
    /// W, q, μ.
    pub local: Option<LocalProblem<D>>,
    /// M, H, f, w, μ.
    pub global: Option<GlobalProblem<D>>,
    /// What the file says about itself.
    pub info: Info,
    /// What was put right while reading.
    pub warnings: Vec<LocalWarning>,
}

impl<const D: usize> Stored<D> {
    /// The local form, condensed where the file holds the global form only.
    ///
    /// # Errors
    /// [`LocalError`], from the condensation.
    pub fn to_local(&self) -> Result<LocalProblem<D>, LocalError> {
        match (&self.local, &self.global) {
            (Some(local), _) => Ok(local.clone()),
            (None, Some(global)) => global.condense(),
            (None, None) => Err(LocalError::Size { what: "W", found: 0, expected: 1 }),
        }
    }
}

/// A problem of either contact dimension.
#[derive(Debug, Clone, PartialEq)]
pub enum StoredProblem {
    /// Contact dimension 2.
    Planar(Stored<2>),
    /// Contact dimension 3.
    Spatial(Stored<3>),
}

/// Reads a file and checks what it holds.
///
/// # Errors
/// [`FclibError`] for files that are damaged, hold no problem, hold bilateral or rolling parts, or hold a problem that
/// is not well posed (sizes, NaN, negative friction).
pub fn read(path: impl AsRef<Path>) -> Result<StoredProblem, FclibError> {
    let file = Reader::open(path.as_ref())?;
    let (local, global) = (file.has_group("fclib_local"), file.has_group("fclib_global"));
    if !local && !global {
        if file.has_group("fclib_global_rolling") || file.has_group("fclib_local_rolling") {
            return Err(unsupported(&file, "rolling friction", "store the problem without its rolling part"));
        }
        return Err(FclibError::NoProblem { path: path.as_ref().into() });
    }
    for group in ["fclib_local/V", "fclib_local/R", "fclib_global/G"] {
        if file.has_group(group) {
            return Err(unsupported(&file, group, "eliminate the bilateral part before storing the problem"));
        }
    }
    let name = if local { "fclib_local/spacedim" } else { "fclib_global/spacedim" };
    match file.integer(name)? {
        2 => Ok(StoredProblem::Planar(read_stored(&file, local, global)?)),
        3 => Ok(StoredProblem::Spatial(read_stored(&file, local, global)?)),
        other => Err(file.fail(name, format!("is {other}, expected 2 or 3"))),
    }
}

fn unsupported(file: &Reader, what: &str, cure: &'static str) -> FclibError {
    FclibError::Unsupported { path: file.path().into(), what: what.into(), cure }
}

fn read_stored<const D: usize>(file: &Reader, local: bool, global: bool) -> Result<Stored<D>, FclibError> {
    let mut warnings = Vec::new();
    let problem = |source| FclibError::Problem { path: file.path().into(), source };
    let local = if local { Some(read_local::<D>(file)?) } else { None };
    let mut global = if global { Some(read_global::<D>(file)?) } else { None };
    if let Some(global) = &mut global {
        global.check().map_err(problem)?;
        warnings.extend(global.complete_mass());
    }
    if let Some(local) = &local {
        local.check().map_err(problem)?;
        if let Some(global) = global.as_ref().filter(|g| g.contacts() != local.contacts()) {
            return Err(file.fail(
                "fclib_global/vectors/mu",
                format!("has {} contacts, fclib_local has {}", global.contacts(), local.contacts()),
            ));
        }
    }
    let group = if local.is_some() { "fclib_local" } else { "fclib_global" };
    let text = |what: &str| file.text(&format!("{group}/info/{what}"));
    let info = Info { title: text("title"), description: text("description"), math_info: text("math_info") };
    Ok(Stored { local, global, info, warnings })
}

fn read_local<const D: usize>(file: &Reader) -> Result<LocalProblem<D>, FclibError> {
    let w = read_matrix(file, "fclib_local/W")?;
    if w.rows != w.columns || w.rows % D != 0 {
        return Err(file.fail("fclib_local/W/m", format!("W is {} × {}, expected a square multiple of {D}", w.rows, w.columns)));
    }
    let contacts = w.rows / D;
    let friction = vector(file, "fclib_local/vectors/mu", contacts)?;
    let free_velocity = by_contact(&vector(file, "fclib_local/vectors/q", w.rows)?);
    Ok(LocalProblem { delassus: BlockMatrix::from_entries(contacts, w.entries), free_velocity, friction })
}

fn read_global<const D: usize>(file: &Reader) -> Result<GlobalProblem<D>, FclibError> {
    let (mass, transfer) = (read_matrix(file, "fclib_global/M")?, read_matrix(file, "fclib_global/H")?);
    if transfer.columns % D != 0 {
        return Err(file.fail("fclib_global/H/n", format!("H has {} columns, expected a multiple of {D}", transfer.columns)));
    }
    let contacts = transfer.columns / D;
    let friction = vector(file, "fclib_global/vectors/mu", contacts)?;
    let load = vector(file, "fclib_global/vectors/f", mass.rows)?;
    let velocity_shift = by_contact(&vector(file, "fclib_global/vectors/w", transfer.columns)?);
    let matrix = |what, m: RawMatrix| {
        matrix_from_entries(what, (m.rows, m.columns), m.entries)
            .map_err(|source| FclibError::Problem { path: file.path().into(), source })
    };
    Ok(GlobalProblem { mass: matrix("M", mass)?, transfer: matrix("H", transfer)?, load, velocity_shift, friction })
}

fn vector(file: &Reader, name: &str, expected: usize) -> Result<Vec<f64>, FclibError> {
    let values = file.reals(name)?;
    if values.len() == expected {
        Ok(values)
    } else {
        Err(file.fail(name, format!("has {} entries, expected {expected}", values.len())))
    }
}

fn by_contact<const D: usize>(values: &[f64]) -> Vec<[f64; D]> {
    values.chunks_exact(D).map(|c| std::array::from_fn(|k| c[k])).collect()
}

/// Impulses stored in a file as `/solution/r`, or `None` where there is no solution. Beware: files dumped by some codes
/// hold zeros there.
///
/// # Errors
/// [`FclibError`] where the file or the solution cannot be read.
pub fn read_impulses<const D: usize>(path: impl AsRef<Path>) -> Result<Option<Vec<[f64; D]>>, FclibError> {
    impulses_at(&Reader::open(path.as_ref())?, "solution/r")
}

/// Impulses of the starting guesses in a file, `/guesses/1/r`, `/guesses/2/r`, …; those without impulses are left out.
///
/// # Errors
/// [`FclibError`] where the file or a guess cannot be read.
pub fn read_guesses<const D: usize>(path: impl AsRef<Path>) -> Result<Vec<Vec<[f64; D]>>, FclibError> {
    let file = Reader::open(path.as_ref())?;
    let count = "guesses/number_of_guesses";
    if !file.has(count) {
        return Ok(Vec::new());
    }
    let mut guesses = Vec::new();
    // a number that the file claims is no reason to look for long
    for k in (1..=file.count(count)?).take_while(|k| file.has_group(&format!("guesses/{k}"))) {
        guesses.extend(impulses_at(&file, &format!("guesses/{k}/r"))?);
    }
    Ok(guesses)
}

fn impulses_at<const D: usize>(file: &Reader, name: &str) -> Result<Option<Vec<[f64; D]>>, FclibError> {
    if !file.has(name) {
        return Ok(None);
    }
    let values = file.reals(name)?;
    if values.len() % D == 0 {
        Ok(Some(by_contact(&values)))
    } else {
        Err(file.fail(name, format!("has {} entries, expected a multiple of {D}", values.len())))
    }
}
