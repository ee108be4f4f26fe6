//! The loop with small modules of its own: models, errors, coupling, policies, checkpoints, runs, faults.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod adapt;
mod bits;
mod checkpoints;
mod contract;
mod coupling;
mod describe;
mod edges;
mod errors;
mod fakes;
mod faults;
mod folders;
mod fuzz;
mod pace;
mod policies;
mod runs;
