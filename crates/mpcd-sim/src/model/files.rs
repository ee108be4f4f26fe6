//! Files that a model names: read relative to its folder, and kept for its digest.

use std::path::{Path, PathBuf};

use mpcd_core::InputError;
use mpcd_geometry::ShapeFiles;

/// Files that a model names, kept for its digest.
pub(crate) struct Files {
    folder: PathBuf,
    contents: Vec<Vec<u8>>,
}

impl Files {
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_path_buf(), contents: Vec::new() }
    }

    /// What was read, in order.
    pub(super) fn contents(&self) -> impl Iterator<Item = &[u8]> {
        self.contents.iter().map(Vec::as_slice)
    }

    /// The name of a file for messages, and what is in it.
    pub(super) fn read(&mut self, file: &str) -> Result<(String, &[u8]), InputError> {
        let path = self.folder.join(file);
        let shown = path.display().to_string();
        let bytes = std::fs::read(&path).map_err(|e| {
            InputError::new(format!("cannot read the file `{shown}`: {e}"))
                .help("file names are relative to the folder of the model; check the name")
                .at(file)
        })?;
        self.contents.push(bytes);
        Ok((shown, self.contents.last().map_or(&[], Vec::as_slice)))
    }
}

impl ShapeFiles for Files {
    fn read(&mut self, file: &str) -> Result<Vec<u8>, InputError> {
        Self::read(self, file).map(|(_, bytes)| bytes.to_vec())
    }
}
