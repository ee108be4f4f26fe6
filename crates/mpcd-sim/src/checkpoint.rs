//! Checkpoints: everything that changes in a run as bytes, in a file that is either whole or not there.
//!
//! `checkpoint/latest.mpcd` and the one before it, `checkpoint/previous.mpcd`. A file is: a mark, the length of the header,
//! the header, the content (postcard, compressed with lz4), and a digest of all that.

use std::io::{self, Read, Write};
use std::path::Path;

use mpcd_output::{OutputError, Sink, Start, folder, sink::write_durably_with};
use serde::{Deserialize, Serialize};

use crate::{
    books::Books,
    clock::Position,
    counters::Counters,
    digest::Running,
    error::{CheckpointError, RunError},
    pace::Gathered,
    simulation::Simulation,
};

const MARK: &[u8] = b"mpcd checkpoint\n";
const FOLDER: &str = folder::CHECKPOINTS;
const LATEST: &str = folder::CHECKPOINT_FILES[0];
const PREVIOUS: &str = folder::CHECKPOINT_FILES[1];
const NEW: &str = folder::CHECKPOINT_FILES[2];
const DIGEST: usize = 32;
/// Part of a step by which the time of a checkpoint may be off the end of the model and be it.
const AT_END: f64 = 1e-6;
/// Version of the content; checkpoints of another one are refused.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "-24");

/// What a checkpoint says about itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// Version that wrote it.
    pub version: String,
    /// Digest of the model.
    pub model: String,
    /// Accepted steps.
    pub step: u64,
    /// Time (s).
    pub time: f64,
    /// What is in the folder beside it.
    pub beside: Beside,
}

/// The files that a checkpoint goes with: the run that wrote it, and how far its frames and tables had come.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beside {
    /// The run.
    pub run: String,
    /// Frames.
    pub frames: usize,
    /// Rows of the history, then of the other tables.
    pub rows: Vec<usize>,
    /// Whether there are one frame, and one row of each other table, more than these: a run that stopped between two frames has shown where, and one that goes on drops
    /// that.
    pub shown: bool,
}

impl Beside {
    /// From where frames, and the tables written with them, go on after a checkpoint of this step and time (s): what lies behind is kept.
    pub(crate) fn frames_from(&self, step: u64, time: f64) -> Start {
        if self.shown {
            Start::Resume { step: step.saturating_sub(1), time: time.next_down() }
        } else {
            Start::Resume { step, time }
        }
    }
}

/// Everything that changes in a run, as it is read; [`Simulation::put`] writes it.
#[derive(Deserialize)]
struct Content {
    position: Position,
    last_h: f64,
    books: Books,
    counters: Counters,
    modules: Vec<(String, Vec<u8>)>,
    /// What modules at a pace of their own did not see yet.
    gathered: Vec<Gathered>,
    fields: Vec<(String, Vec<f64>)>,
}

impl Simulation {
    /// Everything that changes in a run, as bytes. Equal bytes mean equal runs.
    ///
    /// # Errors
    /// When the state of a module cannot be written.
    pub fn save(&self) -> Result<Vec<u8>, RunError> {
        let mut out = Vec::new();
        self.put(&mut out)?;
        Ok(out)
    }

    /// Writes what [`Content`] reads, part by part: postcard puts nothing between them, and the states of the modules are not copied.
    fn put(&self, mut out: &mut dyn Write) -> Result<(), RunError> {
        let fail = |e: postcard::Error| CheckpointError::Content { problem: e.to_string() };
        out = postcard::to_io(&(self.clock.position, self.last_h, &self.books, &self.counters), out).map_err(fail)?;
        out = postcard::to_io(&self.slots.len(), out).map_err(fail)?;
        for slot in &self.slots {
            out = postcard::to_io(&(slot.module.name(), slot.module.state_bytes()?), out).map_err(fail)?;
            slot.module.save_to(out)?;
        }
        let gathered: Vec<&Gathered> = self.slots.iter().map(|s| &s.gathered).collect();
        let fields: Vec<(&str, &[f64])> = self.fields.iter().map(|f| (f.spec.name, &f.data[..])).collect();
        postcard::to_io(&(gathered, fields), out).map_err(fail)?;
        Ok(())
    }

    /// Puts the run where [`Self::save`] was called.
    ///
    /// # Errors
    /// When the bytes belong to other modules or fields. The simulation is then of no further use.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), RunError> {
        let fail = |problem: String| CheckpointError::Content { problem };
        let content: Content = postcard::from_bytes(bytes).map_err(|e| fail(e.to_string()))?;
        let here: Vec<_> = self.slots.iter().map(|s| s.module.name()).collect();
        let there: Vec<_> = content.modules.iter().map(|(n, _)| n.as_str()).collect();
        if here != there {
            return Err(fail(format!("it has the modules {}, the model has {}", there.join(", "), here.join(", "))).into());
        }
        for (slot, (_, state)) in self.slots.iter_mut().zip(&content.modules) {
            slot.module.load(state)?;
            slot.module.drop_caches();
        }
        if content.gathered.len() != self.slots.len() {
            return Err(fail("its modules have other paces".to_owned()).into());
        }
        for (slot, gathered) in self.slots.iter_mut().zip(content.gathered) {
            slot.gathered = gathered;
        }
        self.refresh();
        let sizes = self.sizes(self.work.contacts);
        let fits = |(f, (name, data)): (&mpcd_core::field::Field, &(String, Vec<f64>))| {
            f.spec.name == name && data.len() == sizes.rows(f.spec.support) * f.spec.components
        };
        if content.fields.len() != self.fields.iter().count() || !self.fields.iter().zip(&content.fields).all(fits) {
            return Err(fail("its fields are not those of the modules".to_owned()).into());
        }
        for (field, (_, data)) in self.fields.iter_mut().zip(content.fields) {
            field.data = data;
        }
        self.clock.stand(content.position);
        self.last_h = content.last_h;
        self.books = content.books;
        self.counters = content.counters;
        Ok(())
    }

    /// What a checkpoint of the present state says about itself.
    #[must_use]
    pub fn header(&self, beside: Beside) -> Header {
        let (version, model) = (VERSION.to_owned(), self.model.digest.clone());
        Header { version, model, step: self.steps(), time: self.time(), beside }
    }
}

/// Writes a checkpoint into the output folder; the one before is kept. The device must have what it counts on.
///
/// # Errors
/// The file system refused, or a module's state cannot be written. The checkpoints that were there stay.
pub fn write(simulation: &Simulation, beside: Beside, sink: &dyn Sink, folder: &Path) -> Result<(), RunError> {
    let folder = folder.join(FOLDER);
    let latest = folder.join(LATEST);
    let header = simulation.header(beside);
    sink.create_folder(&folder).map_err(|e| OutputError::write(&folder, "create the folder", e))?;
    let new = folder.join(NEW);
    write_durably_with(sink, &new, |file| put_file(&header, simulation, file))?;
    let exists = sink.list(&folder).is_ok_and(|names| names.iter().any(|name| name == LATEST));
    if exists {
        sink.rename(&latest, &folder.join(PREVIOUS)).map_err(|e| OutputError::write(&latest, "keep", e))?;
    }
    sink.rename(&new, &latest).map_err(|e| OutputError::write(&latest, "put in place", e))?;
    sink.sync(&folder).map_err(|e| OutputError::write(&latest, "put in place", e))?;
    Ok(())
}

/// Restores the latest checkpoint of an output folder, or the one before where the latest is damaged. Returns what it says
/// about itself. `run` is the run whose files are in the folder, where that is known.
///
/// # Errors
/// None is there, it is of another run, model or version, or all are damaged.
pub fn resume(simulation: &mut Simulation, run: Option<&str>, sink: &dyn Sink, folder: &Path) -> Result<Header, RunError> {
    let folder = folder.join(FOLDER);
    let mut damage = None;
    for name in [LATEST, PREVIOUS] {
        let path = folder.join(name);
        let file = path.display().to_string();
        let read = sink.read(&path).map_err(|source| CheckpointError::Read { file: file.clone(), source })?;
        let Some(bytes) = read else { continue };
        match decode(&bytes) {
            Ok((header, body)) => {
                check(&header, run, simulation, &file)?;
                let content = unpack(body).map_err(|problem| CheckpointError::Damaged { file, problem })?;
                simulation.restore(&content)?;
                return Ok(header);
            }
            Err(problem) => {
                tracing::warn!("the checkpoint `{file}` is damaged ({problem}); trying the one before");
                damage = damage.or(Some(CheckpointError::Damaged { file, problem }));
            }
        }
    }
    Err(damage.unwrap_or(CheckpointError::Missing { folder: folder.display().to_string() }).into())
}

fn check(header: &Header, run: Option<&str>, simulation: &Simulation, file: &str) -> Result<(), CheckpointError> {
    let file = file.to_owned();
    if header.version != VERSION {
        return Err(CheckpointError::Version { file, found: header.version.clone(), expected: VERSION.to_owned() });
    }
    if header.model != simulation.model.digest {
        return Err(CheckpointError::Model { file, found: header.model.clone(), expected: simulation.model.digest.clone() });
    }
    let end = simulation.end();
    if header.time > end + AT_END * simulation.model.time.step.si() {
        return Err(CheckpointError::Beyond { file, time: header.time, end });
    }
    match run {
        None => Err(CheckpointError::NoRecord { file }),
        Some(run) if run != header.beside.run => Err(CheckpointError::Run { file }),
        Some(_) => Ok(()),
    }
}

/// Writes the file of a checkpoint; the content is packed as it is written, for it is large.
fn put_file(header: &Header, simulation: &Simulation, file: &mut dyn Write) -> io::Result<()> {
    let mut out = Summed { file, sum: Running::default(), refused: None };
    let put = put_parts(header, simulation, &mut out);
    // what packs and serialises does not pass on what the file said
    match (put, out.refused) {
        (_, Some(refused)) => Err(refused),
        (Err(problem), None) => Err(io::Error::other(problem)),
        (Ok(()), None) => out.file.write_all(out.sum.finish().as_bytes()),
    }
}

fn put_parts(header: &Header, simulation: &Simulation, out: &mut Summed<'_>) -> Result<(), RunError> {
    let fail = |problem: String| CheckpointError::Content { problem };
    let header = postcard::to_stdvec(header).map_err(|e| fail(e.to_string()))?;
    for part in [MARK, &(header.len() as u64).to_le_bytes(), &header] {
        out.write_all(part).map_err(|e| fail(e.to_string()))?;
    }
    let mut packer = lz4_flex::frame::FrameEncoder::new(out);
    simulation.put(&mut packer)?;
    packer.finish().map_err(|e| fail(e.to_string()))?;
    Ok(())
}

/// A file, the digest of what went into it, and why it takes no more.
struct Summed<'a> {
    file: &'a mut dyn Write,
    sum: Running,
    refused: Option<io::Error>,
}

impl Write for Summed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.file.write(bytes) {
            Ok(taken) => {
                self.sum.add(&bytes[..taken]);
                Ok(taken)
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => Err(e),
            Err(e) => {
                let kind = e.kind();
                self.refused.get_or_insert(e);
                Err(kind.into())
            }
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Header and packed content, if the digest is right.
fn decode(bytes: &[u8]) -> Result<(Header, &[u8]), String> {
    if !bytes.starts_with(MARK) {
        return Err("it is no checkpoint".to_owned());
    }
    let end = bytes.len().checked_sub(DIGEST).filter(|end| *end > MARK.len() + 8).ok_or("it is cut off")?;
    let (all, sum) = bytes.split_at(end);
    if Running::of(all).as_bytes() != sum {
        return Err("its checksum is wrong".to_owned());
    }
    let (length, rest) = all[MARK.len()..].split_at(8);
    let length = u64::from_le_bytes(length.try_into().map_err(|_| "it is cut off")?);
    let length = usize::try_from(length).ok().filter(|l| *l <= rest.len()).ok_or("its header is too long")?;
    let (header, body) = rest.split_at(length);
    Ok((postcard::from_bytes(header).map_err(|e| e.to_string())?, body))
}

fn unpack(body: &[u8]) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    lz4_flex::frame::FrameDecoder::new(body).read_to_end(&mut out).map_err(|e| e.to_string())?;
    Ok(out)
}

/// What is inside two saves, name by name, where they differ; `None` when they are equal. For tests.
pub(crate) fn first_difference(a: &[u8], b: &[u8]) -> Option<String> {
    if a == b {
        return None;
    }
    let (Ok(a), Ok(b)) = (postcard::from_bytes::<Content>(a), postcard::from_bytes::<Content>(b)) else {
        return Some("unreadable state".to_owned());
    };
    let module = a.modules.iter().zip(&b.modules).find(|(x, y)| x != y).map(|(x, _)| format!("the state of module `{}`", x.0));
    let bits = |f: &[f64]| f.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    let field =
        a.fields.iter().zip(&b.fields).find(|(x, y)| bits(&x.1) != bits(&y.1)).map(|(x, _)| format!("the field `{}`", x.0));
    Some(module.or(field).unwrap_or_else(|| "clock, books or counters".to_owned()))
}
