//! Two bodies near each other, one of them a polytope: gaps, normals, contact points. Pure functions of poses; buffers are the
//! caller's, so nothing is allocated once they have grown.

mod types;

pub use types::{Manifold, ManifoldPoint, Placed, Reach};
