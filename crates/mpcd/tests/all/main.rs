//! The program as a user meets it: every test runs the real binary and reads what it prints and writes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, reason = "tests")]

mod broken;
mod commands;
mod fclib;
mod files;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// `mpcd` with these arguments, in `folder`.
fn mpcd(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_mpcd")).args(arguments).current_dir(folder).env("NO_COLOR", "1").output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A model of the gallery.
fn gallery(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models")).join(name)
}
