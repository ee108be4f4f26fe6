//! The sweep: a contact problem compiled to compact records, and the passes over them that projection methods need.
//!
//! One compact record per contact, one cache line per body. What may be done here: compile, update every contact once,
//! rebuild the velocities from the impulses, sum the error: what [`Sweeper`] says. When to stop is the solvers' business.

mod angular;
mod bare;
mod block;
mod bodies;
mod carry;
mod cell;
mod compile;
mod compliance;
mod diagonal;
mod full;
mod lanes;
mod laws;
mod momentum;
mod order;
mod passes;
#[cfg(test)]
mod plain;
mod sight;
mod sweeper;
mod system;
mod vector;
mod violation;

#[cfg(test)]
pub(crate) use block::largest_eigenvalue;
pub(crate) use momentum::Momentum;
pub(crate) use passes::Direction;
pub(crate) use sight::{OF_IMPULSE, OF_SPEED};
pub(crate) use sweeper::Sweeper;
pub(crate) use system::{Splitting, System};
pub(crate) use violation::Breach;
