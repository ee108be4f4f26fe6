//! Structures of blocks laid by hand: walls, columns, arches, vaults. Blocks touch face to face, with joints of no thickness.

mod arch;
mod wall;

use mpcd_core::Vec3;

pub use arch::{ArchParams, DomeParams, VaultParams, arch, dome, vault};
pub use wall::{Bond, ColumnsParams, WallParams, columns, wall};

use super::PackingError;

/// A convex block, in the axes of the model.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A box along the axes.
    Box {
        /// Middle (m).
        centre: Vec3,
        /// Half the edges (m); in a planar model `half.z` is half the thickness.
        half: Vec3,
    },
    /// The convex hull of points (m); in a planar model the corners of a polygon, counter-clockwise.
    Hull {
        /// The points (m).
        vertices: Vec<Vec3>,
        /// Thickness along z in a planar model (m).
        thickness: f64,
    },
}

fn positive(what: &'static str, number: usize) -> Result<(), PackingError> {
    if number > 0 { Ok(()) } else { Err(PackingError::Structure { what, value: 0.0, expected: "1 or more" }) }
}
