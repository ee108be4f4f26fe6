//! Where the stored problems lie; loud when they are missing.

use std::path::PathBuf;

/// A path of the shared material; `None`, said loudly, where it is missing.
pub(crate) fn shared(relative: &str) -> Option<PathBuf> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")).join(relative);
    if path.exists() {
        return Some(path);
    }
    assert!(std::env::var_os("MPCD_REQUIRE_SHARED").is_none(), "{} is required and missing", path.display());
    eprintln!("SKIPPED: {} is missing", path.display());
    None
}

/// The files of the open collection, by name.
pub(crate) fn collection() -> Vec<PathBuf> {
    let Some(folder) = shared("fclib/open") else { return Vec::new() };
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "hdf5"));
    files.sort();
    files
}
