//! Where to put bodies at the start: pure geometry, seeded, the same on every machine.

mod lattice;
mod random;
mod size_law;

pub use lattice::{Arrangement, LatticeParams, lattice};
pub use random::Random;
pub use size_law::{SizeLaw, SizeShare};
