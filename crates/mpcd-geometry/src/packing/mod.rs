//! Where to put bodies at the start: pure geometry, seeded, the same on every machine. No model file, no masses, no motion.

mod deposit;
mod error;
mod grow;
mod hull;
mod lattice;
mod limit;
mod masonry;
mod random;
mod room;
mod size_law;
mod voronoi;

pub use deposit::{DepositParams, deposit};
pub use error::PackingError;
pub use grow::{GrowParams, grow};
pub use hull::{grain, hull};
pub use lattice::{Arrangement, LatticeParams, lattice};
pub use masonry::{
    ArchParams, Block, Bond, ColumnsParams, DomeParams, VaultParams, WallParams, arch, columns, dome, vault, wall,
};
pub use random::Random;
pub use room::Room;
pub use size_law::{GradingPoint, SizeLaw, SizeShare};
pub use voronoi::{VoronoiParams, voronoi};
