//! The model file and the files that it names, relative to its folder: read whole, within limits, and kept for the digest. What is
//! no plain file (a folder, a pipe, a device without end) is refused before it is opened.

use std::{
    io::Read,
    path::{Path, PathBuf},
};

use mpcd_core::InputError;
use mpcd_geometry::ShapeFiles;
use mpcd_output::ReadFile;

use crate::digest::digest;

/// Largest model file, and largest file that a model names (bytes).
const MODEL: u64 = 64 << 20;
const FILE: u64 = 4 << 30;

/// Everything in a file of at most `most` bytes.
fn read_plain(path: &Path, most: u64) -> Result<Vec<u8>, String> {
    let found = std::fs::metadata(path).map_err(|e| e.to_string())?;
    let kind = match found.file_type() {
        t if t.is_file() => None,
        t if t.is_dir() => Some("a folder"),
        _ => Some("a pipe, socket or device"),
    };
    if let Some(kind) = kind {
        return Err(format!("it is {kind}, expected a file"));
    }
    let too_large = |bytes: u64| format!("it has {bytes} bytes, expected at most {most}");
    if found.len() > most {
        return Err(too_large(found.len()));
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|e| e.to_string())?;
    // The file may grow while it is read.
    file.take(most + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
    if bytes.len() as u64 > most { Err(too_large(bytes.len() as u64)) } else { Ok(bytes) }
}

/// The text of a model file. A mark of the byte order at its start is left out.
pub(super) fn read_model(path: &Path) -> Result<String, String> {
    let bytes = read_plain(path, MODEL)?;
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err("it is written in UTF-16, expected UTF-8; save it as UTF-8".to_owned());
    }
    let text = String::from_utf8(bytes).map_err(|e| {
        let good = &e.as_bytes()[..e.utf8_error().valid_up_to()];
        let line = good.iter().filter(|b| **b == b'\n').count() + 1;
        format!("line {line} is not written in UTF-8; save it as UTF-8")
    })?;
    if text.trim().is_empty() {
        return Err("it is empty".to_owned());
    }
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Files that a model names, kept for its digest.
pub(crate) struct Files {
    folder: PathBuf,
    names: Vec<String>,
    contents: Vec<Vec<u8>>,
}

impl Files {
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_path_buf(), names: Vec::new(), contents: Vec::new() }
    }

    /// What was read, in order.
    pub(super) fn contents(&self) -> impl Iterator<Item = &[u8]> {
        self.contents.iter().map(Vec::as_slice)
    }

    /// What was read, by name and digest.
    pub(super) fn read_files(&self) -> Vec<ReadFile> {
        let digests = self.contents.iter().map(|c| digest(std::iter::once(c.as_slice())));
        self.names.iter().cloned().zip(digests).map(|(file, digest)| ReadFile { file, digest }).collect()
    }

    /// The name of a file for messages, and what is in it.
    pub(super) fn read(&mut self, file: &str) -> Result<(String, &[u8]), InputError> {
        let path = self.folder.join(file);
        let shown = path.display().to_string();
        let bytes = read_plain(&path, FILE).map_err(|problem| {
            InputError::new(format!("cannot read the file `{shown}`: {problem}"))
                .help("file names are relative to the folder of the model; check the name")
                .at(file)
        })?;
        self.names.push(file.to_owned());
        self.contents.push(bytes);
        Ok((shown, self.contents.last().map_or(&[], Vec::as_slice)))
    }
}

impl ShapeFiles for Files {
    fn read(&mut self, file: &str) -> Result<Vec<u8>, InputError> {
        Self::read(self, file).map(|(_, bytes)| bytes.to_vec())
    }
}
