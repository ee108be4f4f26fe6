//! Integration tests of the crate, one binary: files, read, written and refused. Solvers, the conic ones among them, are judged beside
//! the others in `mpcd-friction`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, clippy::print_stdout, reason = "tests")]

mod bad_files;
mod files;
