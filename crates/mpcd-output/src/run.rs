//! The output of one run: frames under `vtk/`, and the collections `MODEL.pvd`, `bodies.pvd`, ... rewritten after each.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::data::DataSet;
use crate::error::{OutputError, Saved};
use crate::pvd::{self, Entry};
use crate::sink::{Sink, write_atomically};
use crate::vtk;

/// Folder of the frame files inside the output folder.
pub(crate) const FRAMES: &str = "vtk";
/// How every frame file ends.
const END: &[u8] = b"</VTKFile>";

/// When a frame was taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Step number, part of the file names.
    pub step: u64,
    /// Time (s).
    pub time: f64,
}

/// One part of a frame: `bodies`, `contacts`, `grid`, `mesh`, `walls`, ...
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Name of the part, of its collection and of its files.
    pub name: String,
    /// What to write.
    pub data: DataSet,
}

impl Part {
    /// A part of this name.
    pub fn new(name: impl Into<String>, data: DataSet) -> Self {
        Self { name: name.into(), data }
    }
}

/// How a run begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Start {
    /// Replaces the frames of an earlier run of the same model in the folder.
    Fresh,
    /// Goes on after this step and time (s); what is later is dropped, because the run will make it again.
    Resume {
        /// Step of the checkpoint.
        step: u64,
        /// Time of the checkpoint (s).
        time: f64,
    },
}

/// Writes the frames of a run.
#[derive(Debug)]
pub struct RunOutput {
    sink: Arc<dyn Sink>,
    folder: PathBuf,
    model: String,
    parts: Vec<String>,
    entries: Vec<Entry>,
    fixed: Vec<Entry>,
    last: Option<f64>,
    saved: Saved,
    /// Files that the device need not have yet.
    unsynced: Vec<PathBuf>,
}

impl RunOutput {
    /// Opens the folder (made when missing) for the model of this name. A fresh start puts an empty `MODEL.pvd` there,
    /// so that an unwritable folder is found before the first step; a resumed one keeps the frames up to its time.
    ///
    /// # Errors
    /// [`OutputError::Write`], [`OutputError::Read`], [`OutputError::Collection`], [`OutputError::NoName`].
    pub fn start(sink: Arc<dyn Sink>, folder: &Path, model: &str, start: Start) -> Result<Self, OutputError> {
        check_name(model, "model")?;
        let frames = folder.join(FRAMES);
        sink.create_folder(&frames).map_err(|e| OutputError::write(&frames, "create the folder", e))?;
        let mut out = Self {
            sink,
            folder: folder.to_path_buf(),
            model: model.to_owned(),
            parts: Vec::new(),
            entries: Vec::new(),
            fixed: Vec::new(),
            last: None,
            saved: Saved::default(),
            unsynced: Vec::new(),
        };
        let later = match start {
            // what an earlier run left would mix with the new frames; if its list cannot be read, it stays
            Start::Fresh => {
                let old = out.recover(f64::NEG_INFINITY).unwrap_or_default();
                out.parts.clear();
                old
            }
            Start::Resume { time, .. } => out.recover(time)?,
        };
        out.write_collections()?;
        for file in later {
            // Best effort: a file that stays is no longer listed and will be written over.
            let _ = out.sink.remove(&out.folder.join(file));
        }
        Ok(out)
    }

    /// Looks whether the folder still has what a checkpoint of this time (s) counts on: this many frames in `MODEL.pvd`, and all
    /// their files, whole. Nothing is written.
    ///
    /// # Errors
    /// [`OutputError::Frames`], [`OutputError::FrameFile`], [`OutputError::Collection`], [`OutputError::Read`].
    pub fn check(sink: &dyn Sink, folder: &Path, model: &str, time: f64, frames: usize) -> Result<(), OutputError> {
        let path = folder.join(format!("{model}.pvd"));
        let refused = |path: &Path| {
            let path = path.to_path_buf();
            move |source| OutputError::Read { path, source }
        };
        let entries = match sink.read(&path).map_err(refused(&path))? {
            Some(bytes) => pvd::parse(&path, &bytes)?.0,
            None => Vec::new(),
        };
        let kept: Vec<Entry> = entries.into_iter().filter(|e| e.time <= time).collect();
        let mut times: Vec<f64> = kept.iter().map(|e| e.time).collect();
        times.dedup();
        if times.len() != frames {
            return Err(OutputError::Frames { path, time, expected: frames, found: times.len() });
        }
        for entry in kept {
            let path = folder.join(&entry.file);
            let problem = match sink.tail(&path, END.len() as u64 + 2).map_err(refused(&path))? {
                None => "missing",
                Some(end) if !end.trim_ascii_end().ends_with(END) => "cut off",
                Some(_) => continue,
            };
            return Err(OutputError::FrameFile { path, time: entry.time, problem });
        }
        Ok(())
    }

    /// Waits until the device has everything written so far.
    ///
    /// # Errors
    /// [`OutputError::Write`].
    pub fn sync(&mut self) -> Result<(), OutputError> {
        if self.unsynced.is_empty() {
            return Ok(());
        }
        let lists = self.parts.iter().filter(|part| self.has_frames(part)).chain([&self.model]);
        let lists = lists.map(|name| self.folder.join(format!("{name}.pvd")));
        let folders = [self.folder.join(FRAMES), self.folder.clone()];
        for path in self.unsynced.iter().cloned().chain(lists).chain(folders) {
            self.sink.sync(&path).map_err(|e| OutputError::write(&path, "write", e).after(&self.saved))?;
        }
        self.unsynced.clear();
        Ok(())
    }

    /// The output folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What has been saved so far.
    pub fn saved(&self) -> &Saved {
        &self.saved
    }

    /// Writes a part that does not change (walls at rest); it is listed in every later frame. Call it again after
    /// [`RunOutput::start`] when resuming.
    ///
    /// # Errors
    /// As [`RunOutput::write_frame`].
    pub fn set_fixed(&mut self, part: Part) -> Result<(), OutputError> {
        let number = self.part_number(&part.name)?;
        let file = format!("{FRAMES}/{}.{}", part.name, part.data.extension());
        self.write_data(&file, part.data, 0.0)?;
        let entry = Entry { time: 0.0, part: self.parts[number].clone(), file };
        match self.fixed.iter_mut().find(|f| f.part == entry.part) {
            Some(old) => *old = entry,
            None => self.fixed.push(entry),
        }
        Ok(())
    }

    /// Writes all parts of a frame, each as it comes, then lists them. A frame at the time of the one before replaces it.
    ///
    /// # Errors
    /// [`OutputError::Write`] saying what is safe; [`OutputError::FrameTime`], [`OutputError::NameClash`],
    /// [`OutputError::NoName`] and those of [`DataSet::check`].
    pub fn write_frame(&mut self, frame: Frame, parts: impl IntoIterator<Item = Part>) -> Result<(), OutputError> {
        let last = self.last.unwrap_or(f64::NEG_INFINITY);
        if !frame.time.is_finite() || frame.time < last {
            return Err(OutputError::FrameTime { time: frame.time, last });
        }
        let mut new = Vec::new();
        for part in parts {
            let number = self.part_number(&part.name)?;
            let file = format!("{FRAMES}/{}_{:08}.{}", part.name, frame.step, part.data.extension());
            self.write_data(&file, part.data, frame.time)?;
            new.push(Entry { time: frame.time, part: self.parts[number].clone(), file });
        }
        new.extend(self.fixed.iter().map(|f| Entry { time: frame.time, ..f.clone() }));
        let replaces = self.last == Some(frame.time);
        self.entries.retain(|e| e.time < frame.time);
        self.entries.extend(new);
        self.write_collections()?;
        self.last = Some(frame.time);
        self.saved.frames += usize::from(!replaces);
        self.saved.last = Some((frame.step, frame.time));
        Ok(())
    }

    fn write_data(&mut self, file: &str, data: DataSet, time: f64) -> Result<(), OutputError> {
        let path = self.folder.join(file);
        vtk::write(self.sink.as_ref(), &path, data, time).map_err(|e| e.after(&self.saved))?;
        self.unsynced.push(path);
        Ok(())
    }

    fn part_number(&mut self, name: &str) -> Result<usize, OutputError> {
        check_name(name, "part")?;
        if name == self.model {
            return Err(OutputError::NameClash { name: name.to_owned() });
        }
        Ok(self.parts.iter().position(|p| p == name).unwrap_or_else(|| {
            self.parts.push(name.to_owned());
            self.parts.len() - 1
        }))
    }

    /// `MODEL.pvd` first: it is the one that a resumed run reads.
    fn write_collections(&self) -> Result<(), OutputError> {
        let all = pvd::render(self.entries.iter(), &self.parts);
        self.write_collection(&self.model, &all)?;
        for part in self.parts.iter().filter(|part| self.has_frames(part)) {
            let one = pvd::render(self.entries.iter().filter(|e| e.part == *part), std::slice::from_ref(part));
            self.write_collection(part, &one)?;
        }
        Ok(())
    }

    fn has_frames(&self, part: &str) -> bool {
        self.entries.iter().any(|e| e.part == part)
    }

    fn write_collection(&self, name: &str, text: &str) -> Result<(), OutputError> {
        let path = self.folder.join(format!("{name}.pvd"));
        write_atomically(self.sink.as_ref(), &path, text.as_bytes()).map_err(|e| e.after(&self.saved))
    }

    /// Takes over the frames up to `time` from `MODEL.pvd`; returns the files of later ones, which no list names any
    /// more, and the collections of parts that have no frame left.
    fn recover(&mut self, time: f64) -> Result<Vec<String>, OutputError> {
        let path = self.folder.join(format!("{}.pvd", self.model));
        let read = self.sink.read(&path).map_err(|source| OutputError::Read { path: path.clone(), source })?;
        let Some(bytes) = read else {
            return Ok(Vec::new());
        };
        let (entries, parts) = pvd::parse(&path, &bytes)?;
        for part in &parts {
            self.part_number(part)?;
        }
        let (kept, dropped): (Vec<_>, Vec<_>) = entries.into_iter().partition(|entry| entry.time <= time);
        let mut times: Vec<f64> = kept.iter().map(|e| e.time).collect();
        times.dedup();
        self.last = times.last().copied();
        self.saved.frames = times.len();
        self.saved.last = kept.last().map(|e| (step_of(&kept), e.time));
        self.entries = kept;
        let mut unlisted: Vec<String> = Vec::new();
        for Entry { part, file, .. } in dropped {
            let collection = format!("{part}.pvd");
            if !self.has_frames(&part) && !unlisted.contains(&collection) {
                unlisted.push(collection);
            }
            // only files that a run puts there are removed, whatever the list names
            let ours = file.strip_prefix(FRAMES).is_some_and(|rest| rest.starts_with('/') && !rest.contains(".."));
            if ours && self.entries.iter().all(|kept| kept.file != file) {
                unlisted.push(file);
            }
        }
        Ok(unlisted)
    }
}

/// The step of the last frame, from its file names (`NAME_STEP.ext`).
fn step_of(entries: &[Entry]) -> u64 {
    let number = |file: &str| file.rsplit_once('.')?.0.rsplit_once('_')?.1.parse().ok();
    entries.iter().rev().find_map(|e| number(&e.file)).unwrap_or(0)
}

pub(crate) fn check_name(name: &str, what: &'static str) -> Result<(), OutputError> {
    let fits = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' ' | '+' | '=' | ',' | '(' | ')' | '@');
    if name.is_empty() || name.starts_with('.') || !name.chars().all(fits) {
        return Err(OutputError::NoName { what });
    }
    Ok(())
}
