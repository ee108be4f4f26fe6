//! `history.csv`: one row per step, its header fixed when the run starts, each row on disk before the next step.

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::{OutputError, Saved};
use crate::run::Start;
use crate::sink::{Sink, SinkFile, write_atomically};

/// One value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A whole number.
    Integer(u64),
    /// A real number, written with all its digits (`0.1`, `1e-9`).
    Real(f64),
    /// A word.
    Text(String),
    /// Nothing: the quantity has no value in this run.
    Empty,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(i) => write!(f, "{i}"),
            Self::Real(x) => write!(f, "{x:?}"),
            Self::Text(t) => f.write_str(t),
            Self::Empty => Ok(()),
        }
    }
}

impl From<u64> for Cell {
    fn from(value: u64) -> Self {
        Self::Integer(value)
    }
}

impl From<usize> for Cell {
    fn from(value: usize) -> Self {
        Self::Integer(value as u64)
    }
}

/// What is no number has no value: a ratio of nothing to nothing, as the hottest of no contacts.
impl From<f64> for Cell {
    fn from(value: f64) -> Self {
        if value.is_nan() { Self::Empty } else { Self::Real(value) }
    }
}

impl From<&str> for Cell {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Empty, Into::into)
    }
}

/// A history file, open for more rows.
pub struct History {
    file: Box<dyn SinkFile>,
    path: PathBuf,
    columns: Vec<String>,
    line: Vec<u8>,
    rows: usize,
    last_step: Option<u64>,
}

impl fmt::Debug for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("History").field("path", &self.path).field("rows", &self.rows).finish_non_exhaustive()
    }
}

impl History {
    /// Opens the file. The first column must be `step`. A fresh start replaces it; a resumed one keeps the rows up to
    /// its step and drops later ones and a row that was cut off.
    ///
    /// # Errors
    /// [`OutputError::HistoryHeader`], [`OutputError::HistoryColumns`] when the file has other columns,
    /// [`OutputError::Read`], [`OutputError::Write`].
    pub fn start(sink: &Arc<dyn Sink>, path: &Path, columns: &[String], start: Start) -> Result<Self, OutputError> {
        let twice = |i: usize| columns[..i].contains(&columns[i]);
        if columns.first().map(String::as_str) != Some("step") || (0..columns.len()).any(twice) {
            return Err(OutputError::HistoryHeader { found: columns.join(",") });
        }
        let mut content = csv_line(path, columns.iter())?;
        let mut kept = Kept::default();
        if let Start::Resume { step, .. } = start {
            let read = sink.read(path).map_err(|source| OutputError::Read { path: path.to_path_buf(), source })?;
            if let Some(old) = read {
                kept = keep(path, &old, columns, step)?;
                content.extend_from_slice(&kept.bytes);
            }
        }
        write_atomically(sink.as_ref(), path, &content)?;
        let file = sink.append(path).map_err(|e| OutputError::write(path, "open", e))?;
        let (rows, last_step) = (kept.rows, kept.last_step);
        Ok(Self { file, path: path.to_path_buf(), columns: columns.to_vec(), line: Vec::new(), rows, last_step })
    }

    /// Looks whether the file still has what a checkpoint counts on: this many rows up to its step. Nothing is written.
    ///
    /// # Errors
    /// [`OutputError::HistoryRows`], and those of [`History::start`].
    pub fn check(sink: &dyn Sink, path: &Path, columns: &[String], step: u64, rows: usize) -> Result<(), OutputError> {
        let read = sink.read(path).map_err(|source| OutputError::Read { path: path.to_path_buf(), source })?;
        let found = match read {
            Some(old) => keep(path, &old, columns, step)?.rows,
            None => 0,
        };
        let short = || OutputError::HistoryRows { path: path.to_path_buf(), step, expected: rows, found };
        if found == rows { Ok(()) } else { Err(short()) }
    }

    /// Waits until the device has all rows.
    ///
    /// # Errors
    /// [`OutputError::Write`].
    pub fn sync(&mut self) -> Result<(), OutputError> {
        let saved = Saved { rows: self.rows, ..Saved::default() };
        self.file.finish().map_err(|e| OutputError::write(&self.path, "write", e).after(&saved))
    }

    /// Appends one row and hands it to the system.
    ///
    /// # Errors
    /// [`OutputError::HistoryRow`] when the row does not fit the columns; [`OutputError::Write`].
    pub fn append(&mut self, row: &[Cell]) -> Result<(), OutputError> {
        if row.len() != self.columns.len() {
            let (expected, found) = (self.columns.len(), row.len());
            return Err(OutputError::HistoryRow { path: self.path.clone(), expected, found });
        }
        self.line = csv_line(&self.path, row.iter())?;
        let saved = Saved { rows: self.rows, ..Saved::default() };
        self.file
            .write_all(&self.line)
            .and_then(|()| self.file.flush())
            .map_err(|e| OutputError::write(&self.path, "append to", e).after(&saved))?;
        self.rows += 1;
        if let Some(Cell::Integer(step)) = row.first() {
            self.last_step = Some(*step);
        }
        Ok(())
    }

    /// Number of rows in the file.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Step of the last row.
    pub fn last_step(&self) -> Option<u64> {
        self.last_step
    }
}

/// The rows of an earlier file that stay.
#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    rows: usize,
    last_step: Option<u64>,
}

fn keep(path: &Path, old: &[u8], columns: &[String], up_to: u64) -> Result<Kept, OutputError> {
    // a run killed while writing leaves a last line without its end
    let whole = old.iter().rposition(|&b| b == b'\n').map_or(0, |end| end + 1);
    let read_error = |e: csv::Error| OutputError::Read { path: path.to_path_buf(), source: std::io::Error::other(e) };
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(&old[..whole]);
    let found: Vec<String> = reader.headers().map_err(read_error)?.iter().map(str::to_owned).collect();
    if found != columns {
        let (expected, found) = (columns.join(","), found.join(","));
        return Err(OutputError::HistoryColumns { path: path.to_path_buf(), expected, found });
    }
    let mut kept = Kept::default();
    for record in reader.records() {
        let record = record.map_err(read_error)?;
        let Some(step) = record.get(0).and_then(|s| s.parse::<u64>().ok()) else {
            break;
        };
        if step > up_to || record.len() != columns.len() || kept.last_step.is_some_and(|last| step <= last) {
            break;
        }
        kept.bytes.extend(csv_line(path, record.iter())?);
        kept.rows += 1;
        kept.last_step = Some(step);
    }
    Ok(kept)
}

/// One line of comma separated values, quoted where needed.
fn csv_line(path: &Path, cells: impl Iterator<Item = impl fmt::Display>) -> Result<Vec<u8>, OutputError> {
    let fail = |problem: String| OutputError::Encode { path: path.to_path_buf(), problem };
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(cells.map(|c| c.to_string())).map_err(|e| fail(e.to_string()))?;
    writer.into_inner().map_err(|e| fail(e.to_string()))
}
