//! What can be wrong with an FCLIB file.

use std::path::PathBuf;

use mpcd_friction::local::LocalError;

/// Why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FclibError {
    /// The file cannot be opened as HDF5.
    #[error("{}: not a readable HDF5 file: {reason}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the HDF5 layer says.
        reason: String,
    },
    /// A dataset is missing or cannot be read.
    #[error("{}: dataset `{dataset}`: {reason}; the file is damaged or not an FCLIB file", path.display())]
    Dataset {
        /// The file.
        path: PathBuf,
        /// Path of the dataset in the file.
        dataset: String,
        /// What is wrong.
        reason: String,
    },
    /// There is neither a local nor a global problem in the file.
    #[error("{}: no group fclib_local or fclib_global; expected an FCLIB file", path.display())]
    NoProblem {
        /// The file.
        path: PathBuf,
    },
    /// The file holds something this reader refuses to ignore.
    #[error("{}: {what} is not supported; {cure}", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// What it holds.
        what: String,
        /// What to do.
        cure: &'static str,
    },
    /// The problem read is not well posed.
    #[error("{}: {source}", path.display())]
    Problem {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: LocalError,
    },
    /// A file could not be written.
    #[error("{}: cannot write: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        reason: String,
    },
}
