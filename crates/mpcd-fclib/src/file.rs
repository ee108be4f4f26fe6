//! The one place that knows the HDF5 library: named arrays out of a file, with sizes checked before memory is taken.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use rust_hdf5::{H5Dataset, H5File};

use crate::error::FclibError;

/// Deflate cannot expand more than this: a dataset that claims to is damaged.
const LARGEST_EXPANSION: u64 = 1100;
/// Chunks and contiguous data may be missing (all fill values) up to this many bytes.
const SMALL: u64 = 1 << 20;

/// An open FCLIB file, for reading.
pub(crate) struct Reader {
    path: PathBuf,
    file: H5File,
    names: Vec<String>,
    limit: u64,
}

/// Runs a call into the HDF5 library. A damaged file can make its decoder panic (index out of bounds deep in a filter or
/// B-tree); that is turned into an error here, so that no file can stop a program. The library holds no state that
/// outlives the reader.
fn guard<T>(call: impl FnOnce() -> Result<T, rust_hdf5::Hdf5Error>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("the HDF5 structure is damaged".into()),
    }
}

impl Reader {
    pub(crate) fn open(path: &Path) -> Result<Self, FclibError> {
        let open = |reason| FclibError::Open { path: path.into(), reason };
        let length = std::fs::metadata(path).map_err(|e| open(e.to_string()))?.len();
        let file = guard(|| H5File::options().no_locking().open(path)).map_err(open)?;
        let names = guard(|| Ok(file.dataset_names())).map_err(open)?;
        let names = names.into_iter().map(|name| name.trim_start_matches('/').to_string()).collect();
        Ok(Self { path: path.into(), file, names, limit: length.saturating_mul(LARGEST_EXPANSION).max(SMALL) })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// True if the file has this dataset.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|n| n == name)
    }

    /// True if the file has any dataset below this group.
    pub(crate) fn has_group(&self, group: &str) -> bool {
        self.names.iter().any(|n| n.strip_prefix(group).is_some_and(|rest| rest.starts_with('/')))
    }

    pub(crate) fn fail(&self, dataset: &str, reason: impl Into<String>) -> FclibError {
        FclibError::Dataset { path: self.path.clone(), dataset: dataset.into(), reason: reason.into() }
    }

    fn dataset(&self, name: &str) -> Result<H5Dataset, FclibError> {
        if !self.has(name) {
            return Err(self.fail(name, "missing"));
        }
        let dataset = guard(|| self.file.dataset(name)).map_err(|reason| self.fail(name, reason))?;
        let bytes = guard(|| {
            let shape = dataset.shape();
            Ok(shape.iter().try_fold(dataset.element_size() as u64, |n, &d| n.checked_mul(d as u64)))
        });
        match bytes {
            Ok(Some(bytes)) if bytes <= self.limit => Ok(dataset),
            Ok(_) => Err(self.fail(name, "claims more data than the file can hold")),
            Err(reason) => Err(self.fail(name, reason)),
        }
    }

    /// An array of integers, each not below −2³¹.
    pub(crate) fn integers(&self, name: &str) -> Result<Vec<i64>, FclibError> {
        let dataset = self.dataset(name)?;
        guard(|| dataset.read_numeric_as::<i64>()).map_err(|reason| self.fail(name, reason))
    }

    /// An array of reals.
    pub(crate) fn reals(&self, name: &str) -> Result<Vec<f64>, FclibError> {
        let dataset = self.dataset(name)?;
        guard(|| dataset.read_numeric_as::<f64>()).map_err(|reason| self.fail(name, reason))
    }

    /// The one integer of a dataset of length 1.
    pub(crate) fn integer(&self, name: &str) -> Result<i64, FclibError> {
        match self.integers(name)?[..] {
            [value] => Ok(value),
            ref other => Err(self.fail(name, format!("has {} entries, expected 1", other.len()))),
        }
    }

    /// The one count of a dataset of length 1.
    pub(crate) fn count(&self, name: &str) -> Result<usize, FclibError> {
        let value = self.integer(name)?;
        usize::try_from(value).map_err(|_| self.fail(name, format!("is {value}, expected a count")))
    }

    /// A string, empty where it is missing or unreadable: titles are not worth an error.
    pub(crate) fn text(&self, name: &str) -> String {
        let Ok(dataset) = self.dataset(name) else { return String::new() };
        guard(|| dataset.read_strings_lossy()).ok().and_then(|s| s.into_iter().next()).unwrap_or_default()
    }
}

/// Arrays longer than this are written in compressed chunks.
const COMPRESS_ABOVE: usize = 64;

/// Calls that write, their errors as text.
pub(crate) fn write_array<T: rust_hdf5::H5Type>(group: &rust_hdf5::H5Group, name: &str, data: &[T]) -> Result<(), String> {
    guard(|| {
        let mut builder = group.new_dataset::<T>().shape([data.len()]);
        if data.len() > COMPRESS_ABOVE {
            builder = builder.chunk(&[data.len()]).shuffle_deflate(6);
        }
        builder.create(name)?.write_raw(data)
    })
}

/// A fixed-length, null-terminated string.
pub(crate) fn write_text(group: &rust_hdf5::H5Group, name: &str, text: &str) -> Result<(), String> {
    use rust_hdf5::format::messages::datatype::DatatypeMessage;
    let mut bytes: Vec<u8> = text.chars().map(|c| if c.is_ascii() { c as u8 } else { b'?' }).collect();
    bytes.push(0);
    let size = u32::try_from(bytes.len()).map_err(|_| format!("`{name}` is too long"))?;
    guard(|| {
        group.new_dataset::<u8>().scalar().datatype(DatatypeMessage::fixed_string(size)).create(name)?.write_raw_bytes(&bytes)
    })
}

/// Creates a file in the format of HDF5 1.8, lets `fill` write it, closes it.
pub(crate) fn create(path: &Path, fill: impl FnOnce(&H5File) -> Result<(), String>) -> Result<(), FclibError> {
    let file = guard(|| H5File::options().no_locking().libver(rust_hdf5::LibverBound::V18).create(path));
    finish(path, file, fill)
}

/// Opens a file to add to it, lets `fill` write it, closes it.
pub(crate) fn amend(path: &Path, fill: impl FnOnce(&H5File) -> Result<(), String>) -> Result<(), FclibError> {
    let file = guard(|| H5File::options().no_locking().open_rw(path));
    finish(path, file, fill)
}

fn finish(path: &Path, file: Result<H5File, String>, fill: impl FnOnce(&H5File) -> Result<(), String>) -> Result<(), FclibError> {
    let write = |reason| FclibError::Write { path: path.into(), reason };
    let file = file.map_err(write)?;
    fill(&file).map_err(write)?;
    guard(|| file.close()).map_err(write)
}

/// Makes a group; the error as text.
pub(crate) fn create_group(parent: &rust_hdf5::H5Group, name: &str) -> Result<rust_hdf5::H5Group, String> {
    guard(|| parent.create_group(name))
}

/// Removes a group where it exists.
pub(crate) fn delete_group(file: &H5File, name: &str) -> Result<(), String> {
    guard(|| file.delete_group(name))
}
