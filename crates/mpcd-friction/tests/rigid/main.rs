//! Integration tests of the rigid problem and its solvers.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stderr, reason = "tests")]

mod accelerated;
mod bits;
mod hard;
mod input;
#[path = "../../benches/nlgs_sweep/packing.rs"]
mod packing;
mod properties;
mod statics;
mod support;
