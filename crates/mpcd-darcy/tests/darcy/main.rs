//! Tests of mpcd-darcy: analytic values, conservation, orders of convergence.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "tests")]

mod analytic;
mod biot;
mod coupling;
mod deposit;
mod fluid_heat;
mod linear;
mod module;
mod moving;
mod orders;
mod pistons;
mod settling;
mod shapes;
mod split;
mod support;
mod translation;
mod wander;
mod warm;
