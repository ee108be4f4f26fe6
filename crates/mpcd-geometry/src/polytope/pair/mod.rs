//! Two bodies near each other, one of them a polytope: gaps, normals, contact points. Pure functions of poses; buffers are the
//! caller's, so nothing is allocated once they have grown.

mod clip;
mod edges;
mod faces;
mod half_space;
mod manifold;
mod nearest;
mod reduce;
mod types;
mod view;

pub use half_space::on_half_space;
pub use manifold::manifold;
pub(crate) use manifold::part_of_first;
pub use nearest::{Nearest, nearest};
pub use types::{Manifold, ManifoldPoint, Patch, Placed, Reach};
