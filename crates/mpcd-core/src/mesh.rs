//! Moving meshes as frames and probes see them, as plain data: where nodes are, which cells they make, what they carry. No mechanics.

use crate::{ids::BodyId, math::Vec3};

/// Numbers at the nodes of a mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshArray {
    /// Name in the frames.
    pub name: &'static str,
    /// Numbers of a node: 1, 3, or 9 of a tensor by rows.
    pub components: usize,
    /// Node after node.
    pub values: Vec<f64>,
}

/// A deformable body at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshView {
    /// Whose.
    pub body: BodyId,
    /// Where the nodes are (m).
    pub points: Vec<Vec3>,
    /// Type number of each cell in VTK files, and its nodes in VTK's order.
    pub cells: Vec<(u8, Vec<usize>)>,
    /// What the nodes carry.
    pub arrays: Vec<MeshArray>,
}
