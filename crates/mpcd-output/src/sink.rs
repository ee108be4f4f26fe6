//! The only place that touches the file system. Everything is written through [`Sink`], so that a full disk, a folder
//! that cannot be written and a run killed half way can be acted out in tests.

use std::fmt::Debug;
use std::fs;
use std::io::{self, Read, Seek, SeekFrom, Write};
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
    /// Removes a folder that is empty.
    ///
    /// # Errors
    /// Whatever the file system says, of a folder that is not empty too.
    fn remove_folder(&self, path: &Path) -> io::Result<()>;
    /// Names of what is in a folder but folders, sorted; none where there is no such folder.
    ///
    /// # Errors
    /// Whatever the file system says.
    fn list(&self, folder: &Path) -> io::Result<Vec<String>>;
    /// The last bytes of a file, at most this many; `None` when there is no such file.
    ///
    /// # Errors
    /// Whatever the file system says, except that the file is missing.
    fn tail(&self, path: &Path, bytes: u64) -> io::Result<Option<Vec<u8>>>;
    /// Waits until the device has a file that was written before, or the names in a folder.
    ///
    /// # Errors
    /// Whatever the device says.
    fn sync(&self, path: &Path) -> io::Result<()>;
    /// Takes the lock file `path` (made where it is missing) for this process and writes its number into it.
    ///
    /// # Errors
    /// Whatever the file system says, except that somebody holds the lock.
    fn lock(&self, path: &Path) -> io::Result<Lock>;
}

/// What became of asking for a lock.
#[derive(Debug)]
pub enum Lock {
    /// It is ours for as long as this lives. The system frees it when the process ends, however it ends.
    Ours(fs::File),
    /// Another process has it; its number, where the file tells it.
    Taken(Option<u32>),
    /// This file system has no locks.
    Unknown,
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
    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }
    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(e),
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry?;
            // A name that is no text is none of ours.
            if let (false, Ok(name)) = (entry.file_type()?.is_dir(), entry.file_name().into_string()) {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }
    fn tail(&self, path: &Path, bytes: u64) -> io::Result<Option<Vec<u8>>> {
        let mut file = match fs::File::open(path) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(e),
        };
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(bytes)))?;
        let mut out = Vec::new();
        file.take(bytes).read_to_end(&mut out)?;
        Ok(Some(out))
    }
    fn sync(&self, path: &Path) -> io::Result<()> {
        if cfg!(not(unix)) && path.is_dir() {
            return Ok(()); // only Unix opens folders
        }
        match fs::File::open(path)?.sync_all() {
            Err(e) if matches!(e.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
            other => other,
        }
    }
    fn lock(&self, path: &Path) -> io::Result<Lock> {
        let mut file = fs::OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {
                file.set_len(0)?;
                file.write_all(format!("{}\n", std::process::id()).as_bytes())?;
                Ok(Lock::Ours(file))
            }
            Err(fs::TryLockError::WouldBlock) => {
                let mut text = String::new();
                let read = file.take(20).read_to_string(&mut text);
                Ok(Lock::Taken(read.ok().and_then(|_| text.trim().parse().ok())))
            }
            Err(fs::TryLockError::Error(e)) if e.kind() == io::ErrorKind::Unsupported => Ok(Lock::Unknown),
            Err(fs::TryLockError::Error(e)) => Err(e),
        }
    }
}

/// Writes a whole file beside its place (`NAME.tmp`), then renames it: readers see the old file or the new one, never
/// half of it, whenever the program is killed. On failure the half-written file is removed, which may free the room that
/// was missing.
///
/// # Errors
/// [`OutputError::Write`] naming `path`.
pub fn write_atomically(sink: &dyn Sink, path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    write(sink, path, |file| file.write_all(bytes), |file| file.flush())
}

/// As [`write_atomically`], with what `fill` writes: for files that need not be in memory as a whole.
///
/// # Errors
/// [`OutputError::Write`] naming `path`.
pub fn write_atomically_with(
    sink: &dyn Sink,
    path: &Path,
    fill: impl Fn(&mut dyn Write) -> io::Result<()>,
) -> Result<(), OutputError> {
    write(sink, path, |file| buffered(file, &fill), |file| file.flush())
}

/// As [`write_durably`], with what `fill` writes: for files that need not be in memory as a whole.
///
/// # Errors
/// [`OutputError::Write`] naming `path`.
pub fn write_durably_with(
    sink: &dyn Sink,
    path: &Path,
    fill: impl Fn(&mut dyn Write) -> io::Result<()>,
) -> Result<(), OutputError> {
    write(sink, path, |file| buffered(file, &fill), |file| file.finish())
}

/// Bytes that are handed to a file at a time.
const BUFFER: usize = 1 << 16;

fn buffered(file: &mut dyn SinkFile, fill: impl Fn(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = io::BufWriter::with_capacity(BUFFER, file);
    fill(&mut file)?;
    // what is left is handed over here; of a failed file nothing more is
    file.into_inner().map(|_| ()).map_err(io::IntoInnerError::into_error)
}

/// As [`write_atomically`], and waits until the device has the bytes, so that the file survives a power cut too: for
/// checkpoints. Frames do without, because waiting costs some 10 ms a file.
///
/// # Errors
/// [`OutputError::Write`] naming `path`.
pub fn write_durably(sink: &dyn Sink, path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    write(sink, path, |file| file.write_all(bytes), |file| file.finish())
}

fn write(
    sink: &dyn Sink,
    path: &Path,
    fill: impl Fn(&mut dyn SinkFile) -> io::Result<()>,
    end: impl Fn(&mut dyn SinkFile) -> io::Result<()>,
) -> Result<(), OutputError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmp");
    let beside = PathBuf::from(name);
    let attempt = || {
        let mut file = sink.create(&beside).map_err(|e| OutputError::write(path, "create", e))?;
        fill(file.as_mut()).map_err(|e| OutputError::write(path, "write", e))?;
        end(file.as_mut()).map_err(|e| OutputError::write(path, "write", e))?;
        drop(file);
        sink.rename(&beside, path).map_err(|e| OutputError::write(path, "put in place", e))
    };
    attempt().inspect_err(|_| {
        // Best effort: the first error is the one worth telling.
        let _ = sink.remove(&beside);
    })
}
