//! Nodes between the corners: a mesh of linear elements becomes one of quadratic elements.

use std::collections::BTreeMap;

use mpcd_core::Vec3;

use super::{Mesh, MeshError};
use crate::cell::Cell;

impl Mesh {
    /// The same mesh of quadratic elements with straight edges. Groups stay; a group of nodes gains the middle of every edge both
    /// of whose ends it has. Elements that are quadratic stay as they are only when all are.
    ///
    /// # Errors
    /// [`MeshError::Kind`] for a mesh with quadratic elements.
    pub fn to_quadratic(&self) -> Result<Self, MeshError> {
        self.with_edges(|a, b| 0.5 * (a + b))
    }

    /// The same with the middle of an edge where a rule puts it.
    pub(super) fn with_edges(&self, middle: impl Fn(Vec3, Vec3) -> Vec3) -> Result<Self, MeshError> {
        if let Some(cell) = self.cells.iter().find(|c| c.is_quadratic()) {
            return Err(MeshError::Kind { mesh: "to_quadratic", cell: cell.name(), expected: "linear elements" });
        }
        let mut nodes = self.nodes.clone();
        let mut labels = self.node_labels.clone();
        let mut next_label = labels.iter().max().map_or(1, |l| l + 1);
        let mut edges: BTreeMap<[usize; 2], usize> = BTreeMap::new();
        let mut elements: Vec<(Cell, Vec<usize>)> = Vec::with_capacity(self.elements());
        for e in 0..self.elements() {
            let cell = self.cell(e);
            let mut list = self.element(e).to_vec();
            for ends in cell.edges() {
                let [a, b] = ends.map(|k| self.element(e)[k]);
                let node = *edges.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                    nodes.push(middle(self.nodes[a.min(b)], self.nodes[a.max(b)]));
                    labels.push(next_label);
                    next_label += 1;
                    nodes.len() - 1
                });
                list.push(node);
            }
            elements.push((cell.quadratic(), list));
        }
        let mut mesh = Self::labelled(&self.name, nodes, &elements, (labels, self.element_labels.clone()))?;
        mesh.element_groups = self.element_groups.clone();
        mesh.face_groups = self.face_groups.clone();
        for (name, members) in &self.node_groups {
            let has = |n: &usize| members.binary_search(n).is_ok();
            let between = edges.iter().filter(|(ends, _)| ends.iter().all(has)).map(|(_, &node)| node);
            let mut all: Vec<usize> = members.iter().copied().chain(between).collect();
            all.sort_unstable();
            mesh.node_groups.insert(name.clone(), all);
        }
        Ok(mesh)
    }
}
