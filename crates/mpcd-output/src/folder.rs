//! The folder of a run: who is in it (`mpcd.lock`), which run it holds (`run.json`, and the model as it was read under `input/`),
//! and which of its files are that run's own. Clearing removes these and no other. What is in frames and rows is not known here.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::error::OutputError;
use crate::run::{FRAMES, check_name};
use crate::sink::{Lock, Sink, write_atomically, write_durably};
use crate::summary::Summary;

/// Folder of the checkpoints inside the output folder.
pub const CHECKPOINTS: &str = "checkpoint";
/// The newest checkpoint, the one before, and one that is being written.
pub const CHECKPOINT_FILES: [&str; 3] = ["latest.mpcd", "previous.mpcd", "new.mpcd"];
/// The log.
pub const LOG: &str = "mpcd.log";
/// The summary.
pub const SUMMARY: &str = "summary.json";
/// The history.
pub const HISTORY: &str = "history.csv";
const RECORD: &str = "run.json";
const LOCK: &str = "mpcd.lock";
const INPUT: &str = "input";

/// A file that a model names, by its content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadFile {
    /// Its name in the model.
    pub file: String,
    /// Digest of what was in it.
    pub digest: String,
}

/// `run.json`: what ran in a folder, from what, and under which names it writes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Version of mpcd that started the run.
    pub mpcd_version: String,
    /// The run: another for each fresh start, the same after a resume. Its checkpoints carry it.
    pub run: String,
    /// Name of the model, of its `.pvd` and of its copy `input/NAME.ron`.
    pub model: String,
    /// The model file as the user gave it.
    pub model_file: String,
    /// Digest of the model with the values of `--set` in place, the end of the run left out, and of the files it names.
    pub model_digest: String,
    /// The arguments of `--set`, in order.
    pub set: Vec<String>,
    /// Files that the model names.
    pub reads: Vec<ReadFile>,
    /// Steps at which the run was resumed.
    pub resumed: Vec<u64>,
    /// Parts of the frames: each has a collection and files under `vtk/`.
    pub parts: Vec<String>,
    /// Tables with a row for every frame.
    pub tables: Vec<String>,
}

/// Files of a run, by the folder they are in; the output folder itself has no name.
const PLACES: [&str; 4] = [CHECKPOINTS, "", FRAMES, INPUT];

impl Record {
    /// Whether the run of this record writes a file of this name in that folder; half-written ones (`NAME.tmp`) count as well.
    fn owns(&self, place: &str, name: &str) -> bool {
        let name = name.strip_suffix(".tmp").unwrap_or(name);
        match place {
            CHECKPOINTS => CHECKPOINT_FILES.contains(&name),
            INPUT => name.strip_suffix(".ron") == Some(&self.model),
            FRAMES => self.parts.iter().any(|part| is_frame(part, name)),
            _ => {
                let list = |name: &str| name == self.model || self.parts.iter().any(|p| p == name);
                [RECORD, SUMMARY, HISTORY, LOG].contains(&name)
                    || self.tables.iter().any(|t| t == name)
                    || name.strip_suffix(".pvd").is_some_and(list)
            }
        }
    }

    /// What there is to say about a run to someone who would write over it.
    fn describe(&self, sink: &dyn Sink, folder: &Path) -> String {
        let summary = sink.read(&folder.join(SUMMARY)).ok().flatten();
        let summary = summary.and_then(|bytes| serde_json::from_slice::<Summary>(&bytes).ok());
        let reached = summary.map_or_else(
            || "which did not end in order".to_owned(),
            |s| format!("which reached t = {} s in {} steps", s.time, s.steps),
        );
        format!("a run of `{}` already, {reached}", self.model)
    }
}

/// `PART.ext` or `PART_STEP.ext`, the step of eight digits or more.
fn is_frame(part: &str, name: &str) -> bool {
    let Some((stem, "vtp" | "vti" | "vtu")) = name.rsplit_once('.') else { return false };
    let step = |rest: &str| rest.len() >= 8 && rest.bytes().all(|b| b.is_ascii_digit());
    stem.strip_prefix(part).is_some_and(|rest| rest.is_empty() || rest.strip_prefix('_').is_some_and(step))
}

/// An output folder that this process has for itself until it is dropped.
#[derive(Debug)]
pub struct RunFolder {
    sink: Arc<dyn Sink>,
    path: PathBuf,
    lock: Lock,
}

impl RunFolder {
    /// Makes the folder where it is missing and takes its lock. The lock goes with the process: none is ever left behind.
    ///
    /// # Errors
    /// [`OutputError::Locked`] when another process runs there, [`OutputError::Write`].
    pub fn claim(sink: Arc<dyn Sink>, path: &Path) -> Result<Self, OutputError> {
        sink.create_folder(path).map_err(|e| OutputError::write(path, "create the folder", e))?;
        let file = path.join(LOCK);
        let lock = sink.lock(&file).map_err(|e| OutputError::write(&file, "lock", e))?;
        if let Lock::Taken(holder) = lock {
            return Err(OutputError::Locked { path: path.to_path_buf(), holder });
        }
        Ok(Self { sink, path: path.to_path_buf(), lock })
    }

    /// False where the file system has no locks, so that nobody keeps a second run out.
    pub fn locked(&self) -> bool {
        matches!(self.lock, Lock::Ours(_))
    }

    /// The record of the run that is in the folder.
    ///
    /// # Errors
    /// [`OutputError::Record`], [`OutputError::Read`].
    pub fn record(&self) -> Result<Option<Record>, OutputError> {
        let path = self.path.join(RECORD);
        let read = self.sink.read(&path).map_err(|source| OutputError::Read { path: path.clone(), source })?;
        let parse = |bytes: Vec<u8>| {
            serde_json::from_slice(&bytes).map_err(|e| OutputError::Record { path: path.clone(), problem: e.to_string() })
        };
        read.map(parse).transpose()
    }

    /// Makes the folder that of a fresh run. What an earlier run left is removed with `overwrite`, and refused without it; files
    /// of no run stay, and are refused where the run would write over them. `text` is the model as it was read.
    ///
    /// # Errors
    /// [`OutputError::Used`], [`OutputError::InTheWay`], [`OutputError::NameClash`], [`OutputError::NoName`],
    /// [`OutputError::Record`], [`OutputError::Read`], [`OutputError::Write`].
    pub fn start(&self, record: &Record, text: &str, overwrite: bool) -> Result<(), OutputError> {
        check_name(&record.model, "model")?;
        if record.parts.contains(&record.model) {
            return Err(OutputError::NameClash { name: record.model.clone() });
        }
        let before = match self.record()? {
            Some(before) => Some(before),
            // Runs of earlier versions have no record; their names are those of the new run.
            None => self.looks_like_a_run()?.then(|| record.clone()),
        };
        let used = || before.as_ref().map(|b| b.describe(self.sink.as_ref(), &self.path));
        if let Some(run) = used().filter(|_| !overwrite) {
            return Err(OutputError::Used { path: self.path.clone(), run });
        }
        let mut old = Vec::new();
        for place in PLACES {
            for name in self.list(place)? {
                if before.as_ref().is_some_and(|b| b.owns(place, &name)) {
                    old.push(self.path.join(place).join(name));
                } else if record.owns(place, &name) && name != LOG && !name.ends_with(".tmp") {
                    return Err(OutputError::InTheWay { path: self.path.join(place).join(name) });
                }
            }
        }
        self.clear(old)?;
        self.keep(record, text)
    }

    /// Writes down that the run goes on from this step, and the model that it goes on with.
    ///
    /// # Errors
    /// [`OutputError::Write`], [`OutputError::Encode`].
    pub fn resumed(&self, record: &Record, text: &str) -> Result<(), OutputError> {
        self.keep(record, text)
    }

    fn list(&self, place: &str) -> Result<Vec<String>, OutputError> {
        let path = self.path.join(place);
        self.sink.list(&path).map_err(|source| OutputError::Read { path, source })
    }

    /// A summary or a checkpoint is there.
    fn looks_like_a_run(&self) -> Result<bool, OutputError> {
        let summary = self.path.join(SUMMARY);
        let read = self.sink.read(&summary).map_err(|source| OutputError::Read { path: summary, source })?;
        let summary = read.is_some_and(|bytes| serde_json::from_slice::<Summary>(&bytes).is_ok());
        Ok(summary || self.list(CHECKPOINTS)?.iter().any(|name| CHECKPOINT_FILES.contains(&name.as_str())))
    }

    /// Removes these files, checkpoints first and the record last, so that a clearing that is cut off can be done again.
    fn clear(&self, old: Vec<PathBuf>) -> Result<(), OutputError> {
        let record = self.path.join(RECORD);
        let (last, files): (Vec<_>, Vec<_>) = old.into_iter().partition(|path| *path == record);
        for path in files.into_iter().chain(last) {
            self.sink.remove(&path).map_err(|e| OutputError::write(&path, "remove", e))?;
        }
        for place in PLACES.into_iter().filter(|p| !p.is_empty()) {
            // A folder with files of somebody else stays.
            let _ = self.sink.remove_folder(&self.path.join(place));
        }
        Ok(())
    }

    /// The record first: it is what makes the other files those of the run, whenever the process is killed.
    fn keep(&self, record: &Record, text: &str) -> Result<(), OutputError> {
        let path = self.path.join(RECORD);
        let fail = |e: serde_json::Error| OutputError::Encode { path: path.clone(), problem: e.to_string() };
        let mut bytes = serde_json::to_vec_pretty(record).map_err(fail)?;
        bytes.push(b'\n');
        write_durably(self.sink.as_ref(), &path, &bytes)?;
        let folder = self.path.join(INPUT);
        self.sink.create_folder(&folder).map_err(|e| OutputError::write(&folder, "create the folder", e))?;
        write_atomically(self.sink.as_ref(), &folder.join(format!("{}.ron", record.model)), text.as_bytes())
    }
}
