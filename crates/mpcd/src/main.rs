//! The binary `mpcd`: the command line over everything that ships.
#![forbid(unsafe_code)]

use mpcd::{Registry, StandardRegistry};

fn main() -> std::process::ExitCode {
    mpcd::cli(Registry::standard())
}
