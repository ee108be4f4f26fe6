//! Tests of mpcd-sparse against dense solutions, closed forms and conservation.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod allocation;
mod boxes;
mod cg;
mod cholesky;
mod dense;
mod graphs;
mod islands;
mod lu;
mod reduce;
mod swept;
mod system;
