//! The only place that touches the file system. Everything is written through [`Sink`], so that a full disk, a folder
//! that cannot be written and a run killed half way can be acted out in tests.

use std::fmt::Debug;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::OutputError;

/// A file open for writing.
pub trait SinkFile: Write + Send {
    /// Hands everything to the device; a full disk may say so only now.
    ///
    /// # Errors
    /// Whatever the device says.
    fn finish(&mut self) -> io::Result<()>;
}

/// Where files go.
pub trait Sink: Debug + Send + Sync {
    /// Makes a folder and those above it; it may exist already.
    ///
    /// # Errors
    /// Whatever the file system says.
    fn create_folder(&self, path: &Path) -> io::Result<()>;
    /// Makes an empty file, replacing one of that name.
    ///
    /// # Errors
    /// Whatever the file system says.
    fn create(&self, path: &Path) -> io::Result<Box<dyn SinkFile>>;
    /// Opens a file at its end; makes it when missing.
    ///
    /// # Errors
    /// Whatever the file system says.
    fn append(&self, path: &Path) -> io::Result<Box<dyn SinkFile>>;
    /// The whole content of a file, `None` when there is no such file.
    ///
    /// # Errors
    /// Whatever the file system says, except that the file is missing.
    fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>>;
    /// Moves a file over another in one step.
    ///
    /// # Errors
    /// Whatever the file system says.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;
    /// Removes a file.
    ///
    /// # Errors
    /// Whatever the file system says.
    fn remove(&self, path: &Path) -> io::Result<()>;
}

/// The real file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskSink;

impl DiskSink {
    /// The disk as a shared sink, ready for [`crate::RunOutput::start`].
    pub fn shared() -> Arc<dyn Sink> {
        Arc::new(Self)
    }
}

struct DiskFile(fs::File);

impl Write for DiskFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl SinkFile for DiskFile {
    fn finish(&mut self) -> io::Result<()> {
        self.0.flush()?;
        match self.0.sync_data() {
            // pipes and character devices cannot be synchronised, which is no fault of theirs
            Err(e) if e.kind() == io::ErrorKind::InvalidInput => Ok(()),
            other => other,
        }
    }
}

impl Sink for DiskSink {
    fn create_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir_all(path)
    }
    fn create(&self, path: &Path) -> io::Result<Box<dyn SinkFile>> {
        Ok(Box::new(DiskFile(fs::File::create(path)?)))
    }
    fn append(&self, path: &Path) -> io::Result<Box<dyn SinkFile>> {
        Ok(Box::new(DiskFile(fs::OpenOptions::new().create(true).append(true).open(path)?)))
    }
    fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        match fs::read(path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(e) => Err(e),
        }
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }
}

/// Writes a whole file beside its place (`NAME.tmp`), then renames it: readers see the old file or the new one, never
/// half of it, whenever the program is killed. On failure the half-written file is removed, which may free the room that
/// was missing.
///
/// # Errors
/// [`OutputError::Write`] naming `path`.
pub fn write_atomically(sink: &dyn Sink, path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    write(sink, path, bytes, |file| file.flush())
}

/// As [`write_atomically`], and waits until the device has the bytes, so that the file survives a power cut too: for
/// checkpoints. Frames do without, because waiting costs some 10 ms a file.
///
/// # Errors
/// [`OutputError::Write`] naming `path`.
pub fn write_durably(sink: &dyn Sink, path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    write(sink, path, bytes, |file| file.finish())
}

fn write(
    sink: &dyn Sink,
    path: &Path,
    bytes: &[u8],
    end: impl Fn(&mut dyn SinkFile) -> io::Result<()>,
) -> Result<(), OutputError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    let beside = PathBuf::from(name);
    let attempt = || {
        let mut file = sink.create(&beside).map_err(|e| OutputError::write(path, "create", e))?;
        file.write_all(bytes).map_err(|e| OutputError::write(path, "write", e))?;
        end(file.as_mut()).map_err(|e| OutputError::write(path, "write", e))?;
        drop(file);
        sink.rename(&beside, path).map_err(|e| OutputError::write(path, "put in place", e))
    };
    attempt().inspect_err(|_| {
        // Best effort: the first error is the one worth telling.
        let _ = sink.remove(&beside);
    })
}
