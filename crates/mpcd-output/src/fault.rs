//! A sink that breaks on purpose: for tests here and in the crates above that must survive what disks do. It never waits for the
//! device, so that a run can be killed at each of its operations in little time.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::sink::{Lock, Sink, SinkFile};

/// What goes wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// No room after this many bytes in all.
    DiskFull {
        /// Bytes that still fit.
        bytes: u64,
    },
    /// Every file or folder whose path contains this text is refused.
    Refused {
        /// Part of a path.
        containing: String,
    },
    /// After this many operations (each opening, write, rename, ...) nothing works any more, as if the run were
    /// killed: not even tidying up. The write that is hit leaves half of its bytes.
    Killed {
        /// Operations that still work.
        operations: u64,
    },
}

/// A sink with a fault over another sink.
#[derive(Debug)]
pub struct FaultySink {
    inner: Arc<dyn Sink>,
    state: Arc<State>,
}

#[derive(Debug)]
struct State {
    fault: Fault,
    operations: AtomicU64,
    bytes: AtomicU64,
}

impl FaultySink {
    /// Puts a fault over a sink.
    pub fn new(inner: Arc<dyn Sink>, fault: Fault) -> Self {
        let state = State { fault, operations: AtomicU64::new(0), bytes: AtomicU64::new(0) };
        Self { inner, state: Arc::new(state) }
    }

    /// Operations asked for so far.
    pub fn operations(&self) -> u64 {
        self.state.operations.load(Ordering::Relaxed)
    }

    fn open(&self, file: io::Result<Box<dyn SinkFile>>) -> io::Result<Box<dyn SinkFile>> {
        Ok(Box::new(FaultyFile { inner: file?, state: Arc::clone(&self.state) }))
    }
}

impl State {
    /// Counts an operation; fails when it is one that must.
    fn operate(&self, path: Option<&Path>) -> io::Result<()> {
        let before = self.operations.fetch_add(1, Ordering::Relaxed);
        match &self.fault {
            Fault::Killed { operations } if before >= *operations => Err(io::Error::other("the run was killed")),
            Fault::Refused { containing } if path.is_some_and(|p| p.to_string_lossy().contains(containing)) => {
                Err(io::ErrorKind::PermissionDenied.into())
            }
            _ => Ok(()),
        }
    }
}

struct FaultyFile {
    inner: Box<dyn SinkFile>,
    state: Arc<State>,
}

impl Write for FaultyFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Err(e) = self.state.operate(None) {
            if self.state.operations.load(Ordering::Relaxed) == self.limit() + 1 {
                self.inner.write_all(&bytes[..bytes.len() / 2])?;
                self.inner.flush()?;
            }
            return Err(e);
        }
        let Fault::DiskFull { bytes: room } = self.state.fault else {
            return self.inner.write(bytes);
        };
        let used = self.state.bytes.load(Ordering::Relaxed);
        let fits = usize::try_from(room.saturating_sub(used)).unwrap_or(usize::MAX).min(bytes.len());
        if fits == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.state.bytes.fetch_add(fits as u64, Ordering::Relaxed);
        self.inner.write(&bytes[..fits])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.state.operate(None)?;
        self.inner.flush()
    }
}

impl FaultyFile {
    fn limit(&self) -> u64 {
        match self.state.fault {
            Fault::Killed { operations } => operations,
            _ => u64::MAX - 1,
        }
    }
}

impl SinkFile for FaultyFile {
    fn finish(&mut self) -> io::Result<()> {
        self.state.operate(None)?;
        self.inner.flush()
    }
}

impl Sink for FaultySink {
    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.state.operate(Some(path))?;
        self.inner.create_folder(path)
    }
    fn create(&self, path: &Path) -> io::Result<Box<dyn SinkFile>> {
        self.state.operate(Some(path))?;
        self.open(self.inner.create(path))
    }
    fn append(&self, path: &Path) -> io::Result<Box<dyn SinkFile>> {
        self.state.operate(Some(path))?;
        self.open(self.inner.append(path))
    }
    fn read(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        self.state.operate(Some(path))?;
        self.inner.read(path)
    }
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.state.operate(Some(to))?;
        self.inner.rename(from, to)
    }
    fn remove(&self, path: &Path) -> io::Result<()> {
        self.state.operate(Some(path))?;
        self.inner.remove(path)
    }
    fn remove_folder(&self, path: &Path) -> io::Result<()> {
        self.state.operate(Some(path))?;
        self.inner.remove_folder(path)
    }
    fn list(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.state.operate(Some(folder))?;
        self.inner.list(folder)
    }
    fn tail(&self, path: &Path, bytes: u64) -> io::Result<Option<Vec<u8>>> {
        self.state.operate(Some(path))?;
        self.inner.tail(path, bytes)
    }
    fn sync(&self, path: &Path) -> io::Result<()> {
        self.state.operate(Some(path))
    }
    fn lock(&self, path: &Path) -> io::Result<Lock> {
        self.state.operate(Some(path))?;
        self.inner.lock(path)
    }
}
