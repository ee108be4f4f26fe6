//! Everything that can go wrong on the way out, each with what was saved before and what to do.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What had been saved completely when a write failed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Saved {
    /// Number of complete frames listed by the collections.
    pub frames: usize,
    /// Step and time (s) of the last of them.
    pub last: Option<(u64, f64)>,
    /// Number of complete rows of the history.
    pub rows: usize,
}

impl fmt::Display for Saved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.last, self.rows) {
            (Some((step, time)), _) => {
                write!(f, "{} complete frame(s), the last at step {step}, t = {time} s", self.frames)
            }
            (None, 0) => write!(f, "nothing yet"),
            (None, rows) => write!(f, "{rows} complete row(s) of the history"),
        }
    }
}

/// Errors of mpcd-output.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The file system refused.
    #[error(
        "could not {action} `{}`: {source}.\nSaved before that: {saved}; these files are complete and can be opened.\n\
         Make room or choose a writable folder with `-o DIR`, then run the same command with `--resume`: \
         it goes on from the last checkpoint.",
        path.display()
    )]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What was tried, as a verb.
        action: &'static str,
        /// What the system said.
        source: io::Error,
        /// What was safe by then.
        saved: Saved,
    },
    /// A file of an earlier run could not be read back on resume.
    #[error("could not read `{}` to resume from it: {source}. Start afresh with `--overwrite`, or restore the file.", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A `.pvd` file that is to be continued is not one of ours.
    #[error("`{}` cannot be continued: {problem}. Start afresh with `--overwrite`, or move the file away.", path.display())]
    Collection {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A history that is to be continued has other columns.
    #[error(
        "`{}` cannot be continued: its columns are `{found}` but this run writes `{expected}`. \
         Resume with the model that wrote it, or start afresh with `--overwrite`.",
        path.display()
    )]
    HistoryColumns {
        /// The file.
        path: PathBuf,
        /// Columns of this run.
        expected: String,
        /// Columns of the file.
        found: String,
    },
    /// A history has other rows than the checkpoint counts on.
    #[error(
        "`{}` has {found} rows up to step {step}, but the checkpoint counts on {expected}: rows were lost or changed. Restore the \
         file, or start afresh with `--overwrite`.",
        path.display()
    )]
    HistoryRows {
        /// The file.
        path: PathBuf,
        /// Step of the checkpoint.
        step: u64,
        /// Rows at the checkpoint.
        expected: usize,
        /// Rows found.
        found: usize,
    },
    /// The list of frames is shorter than the checkpoint counts on.
    #[error(
        "`{}` lists {found} frames up to t = {time} s, but the checkpoint counts on {expected}: frames were lost or changed. Restore \
         the file, or start afresh with `--overwrite`.",
        path.display()
    )]
    Frames {
        /// The collection.
        path: PathBuf,
        /// Time of the checkpoint (s).
        time: f64,
        /// Frames at the checkpoint.
        expected: usize,
        /// Frames found.
        found: usize,
    },
    /// A file of a frame is missing or cut off.
    #[error(
        "`{}`, of the frame at t = {time} s, is {problem}, but the checkpoint counts on it. Restore the file, or start afresh with \
         `--overwrite`.",
        path.display()
    )]
    FrameFile {
        /// The file.
        path: PathBuf,
        /// Time of the frame (s).
        time: f64,
        /// What is wrong.
        problem: &'static str,
    },
    /// Another process runs in the folder.
    #[error(
        "a run is going on in the folder `{}`{}: two runs would write over each other. Wait for it or stop it, or choose another \
         folder with `-o DIR`.",
        path.display(),
        holder.map_or_else(String::new, |pid| format!(" (process {pid})"))
    )]
    Locked {
        /// The folder.
        path: PathBuf,
        /// Number of the process, where it is known.
        holder: Option<u32>,
    },
    /// A fresh run was asked for in a folder that has one.
    #[error(
        "the folder `{}` holds {run}; nothing was changed. `--overwrite` removes the files of that run and starts afresh, `--resume` \
         goes on with it, `-o DIR` writes elsewhere.",
        path.display()
    )]
    Used {
        /// The folder.
        path: PathBuf,
        /// What is there.
        run: String,
    },
    /// A file that no run of mpcd wrote has the name of one that the run would write.
    #[error(
        "`{}` is in the way: the run would write a file of this name, and no run of mpcd is known to have written this one. Move it \
         away, or choose another folder with `-o DIR`.",
        path.display()
    )]
    InTheWay {
        /// The file.
        path: PathBuf,
    },
    /// The record of a run cannot be read.
    #[error(
        "`{}`, the record of the run in this folder, cannot be read: {problem}. Restore it, or move the folder away.",
        path.display()
    )]
    Record {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// The first column of a history must be `step`, and columns must have different names.
    #[error("the columns of a history must start with `step` and have different names, found `{found}`")]
    HistoryHeader {
        /// The columns asked for.
        found: String,
    },
    /// A row has another number of cells than the header.
    #[error("a row of `{}` needs {expected} cells, one per column, but got {found}", path.display())]
    HistoryRow {
        /// The file.
        path: PathBuf,
        /// Number of columns.
        expected: usize,
        /// Number of cells.
        found: usize,
    },
    /// An array does not fit its support.
    #[error(
        "array `{name}` over {support}: expected {entities} x {components} numbers (with at least one component), found {found}"
    )]
    ArrayLength {
        /// Array name.
        name: String,
        /// Points, cells, ...
        support: &'static str,
        /// Number of entities.
        entities: usize,
        /// Numbers per entity.
        components: usize,
        /// Numbers found.
        found: usize,
    },
    /// An array has no name or the name of another.
    #[error("array name `{name}` over {support} is empty or used twice; give every array its own name")]
    ArrayName {
        /// Array name.
        name: String,
        /// Points, cells, ...
        support: &'static str,
    },
    /// A cell names a point that does not exist.
    #[error("a cell refers to point {index}, but there are {points} points (numbered from 0)")]
    CellPoint {
        /// Index found.
        index: u64,
        /// Number of points.
        points: usize,
    },
    /// A mesh has another number of cell kinds than cells.
    #[error("a mesh of {cells} cells needs as many cell types, found {types}")]
    CellTypes {
        /// Number of cells.
        cells: usize,
        /// Number of types.
        types: usize,
    },
    /// A grid with a spacing that is not positive and finite.
    #[error("a grid needs a finite origin and positive finite spacings, found origin {origin:?}, spacing {spacing:?}")]
    Spacing {
        /// Origin found.
        origin: [f64; 3],
        /// Spacing found.
        spacing: [f64; 3],
    },
    /// A frame that would step back in time.
    #[error("a frame at t = {time} s cannot follow the frame at t = {last} s; times must be finite and must not decrease")]
    FrameTime {
        /// Time asked for.
        time: f64,
        /// Time of the frame before.
        last: f64,
    },
    /// Two collections would have the same file name.
    #[error("the model or part name `{name}` is used twice: `{name}.pvd` would be written by both; rename one of them")]
    NameClash {
        /// The name.
        name: String,
    },
    /// A name that cannot be a file name.
    #[error(
        "the {what} has no name that can be used in the names of its results: rename the file, with letters, digits, blanks and `.-_+=,()@` only"
    )]
    NoName {
        /// Model or part.
        what: &'static str,
    },
    /// A data set could not be encoded as VTK.
    #[error("`{}` could not be encoded: {problem}", path.display())]
    Encode {
        /// The file.
        path: PathBuf,
        /// What the encoder said.
        problem: String,
    },
}

impl OutputError {
    /// A refused file operation; `saved` is filled in by the caller that knows it.
    pub fn write(path: &Path, action: &'static str, source: io::Error) -> Self {
        Self::Write { path: path.to_path_buf(), action, source, saved: Saved::default() }
    }

    /// The same error, saying what had been saved before it.
    #[must_use]
    pub fn after(self, progress: &Saved) -> Self {
        match self {
            Self::Write { path, action, source, .. } => Self::Write { path, action, source, saved: progress.clone() },
            other => other,
        }
    }
}
