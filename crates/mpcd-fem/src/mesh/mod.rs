//! Meshes: nodes, elements, named groups. Built-in meshes, readers, checks and the skin are in the rooms below. No material,
//! no unknowns.

mod build;
mod check;
mod error;
mod gmsh;
mod groups;
mod lower;
mod pairs;
mod parts;
mod quadratic;
mod round;
mod skin;
mod straight;
mod text;
mod vtu;

use std::collections::BTreeMap;

use mpcd_core::Vec3;

pub(crate) use check::jacobian;
pub use error::MeshError;
pub(crate) use pairs::NodePairs;
pub use skin::{Skin, SkinFace};

use crate::cell::Cell;

/// A face (3D) or side (2D) of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Face {
    /// The element.
    pub element: usize,
    /// Which of [`Cell::faces`].
    pub local: usize,
}

/// Nodes and elements with named groups. Positions are in metres; a planar mesh lies in z = 0 (axisymmetric: x is the
/// radius, y the axis). Every mesh that exists has passed the checks of [`Mesh::new`].
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    name: String,
    dimension: usize,
    nodes: Vec<Vec3>,
    cells: Vec<Cell>,
    starts: Vec<usize>,
    connectivity: Vec<usize>,
    node_labels: Vec<usize>,
    element_labels: Vec<usize>,
    element_groups: BTreeMap<String, Vec<usize>>,
    face_groups: BTreeMap<String, Vec<Face>>,
    node_groups: BTreeMap<String, Vec<usize>>,
}

impl Mesh {
    /// A mesh of these nodes (m) and elements, all planar or all spatial.
    ///
    /// # Errors
    /// [`MeshError`]: no elements, elements of mixed dimension or of missing nodes, reversed, folded or degenerate ones, nodes
    /// that are not finite, out of the plane or in no element.
    pub fn new(name: &str, nodes: Vec<Vec3>, elements: &[(Cell, Vec<usize>)]) -> Result<Self, MeshError> {
        let labels = ((1..=nodes.len()).collect(), (1..=elements.len()).collect());
        Self::labelled(name, nodes, elements, labels)
    }

    /// The name it was made with: the file of a mesh that was read.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// 2 or 3.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Positions of all nodes (m).
    pub fn nodes(&self) -> &[Vec3] {
        &self.nodes
    }

    /// Number of elements.
    pub fn elements(&self) -> usize {
        self.cells.len()
    }

    /// Kind of an element.
    pub fn cell(&self, element: usize) -> Cell {
        self.cells[element]
    }

    /// Nodes of an element, in the order of [`Cell`].
    pub fn element(&self, element: usize) -> &[usize] {
        &self.connectivity[self.starts[element]..self.starts[element + 1]]
    }

    /// Number of an element in its file.
    pub fn element_label(&self, element: usize) -> usize {
        self.element_labels[element]
    }

    /// Number of a node in its file.
    pub fn node_label(&self, node: usize) -> usize {
        self.node_labels[node]
    }

    /// Kind and nodes of a face, its normal pointing out of its element.
    pub fn face(&self, face: Face) -> (Cell, impl Iterator<Item = usize> + '_) {
        let cell = self.cells[face.element];
        let nodes = self.element(face.element);
        (cell.face().unwrap_or(Cell::Line2), cell.faces()[face.local].iter().map(move |&k| nodes[k]))
    }

    /// Lower and upper corner of the box around all nodes (m): a mesh in millimetres by mistake shows here.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let first = self.nodes.first().copied().unwrap_or_default();
        self.nodes.iter().fold((first, first), |(low, high), x| (low.inf(x), high.sup(x)))
    }
}
