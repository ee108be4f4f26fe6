//! The contact problem and its solvers.

mod accelerated;
mod acceptance;
mod angular;
mod auto;
mod bits;
mod cell;
mod compliance;
mod elastic;
mod hard;
mod input;
mod named;
mod no_motion;
#[path = "../../benches/nlgs_sweep/packing.rs"]
mod packing;
mod properties;
mod springs;
mod statics;
mod support;
