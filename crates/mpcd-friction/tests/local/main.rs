//! Stored problems: files, solvers, the collection.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, clippy::print_stdout, reason = "tests")]

mod fclib;
mod shared;
mod solvers;
