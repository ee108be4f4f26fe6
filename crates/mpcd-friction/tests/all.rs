//! Integration tests of the crate, one binary: contact problems (`problem`) and stored ones (`local`).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, clippy::print_stdout, reason = "tests")]

mod local;
mod problem;
