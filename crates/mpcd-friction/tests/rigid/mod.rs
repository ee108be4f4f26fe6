//! The rigid problem and its solvers.

mod accelerated;
mod angular;
mod auto;
mod bits;
mod cell;
mod hard;
mod input;
#[path = "../../benches/nlgs_sweep/packing.rs"]
mod packing;
mod properties;
mod statics;
mod support;
