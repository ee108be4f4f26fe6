//! How a mesh comes to be, and how it loses nodes. Checks of geometry are next door.

use std::collections::BTreeMap;

use mpcd_core::Vec3;

use super::{Mesh, MeshError};
use crate::cell::Cell;

impl Mesh {
    /// A mesh whose nodes and elements have numbers in a file.
    pub(super) fn labelled(
        name: &str,
        nodes: Vec<Vec3>,
        elements: &[(Cell, Vec<usize>)],
        (node_labels, element_labels): (Vec<usize>, Vec<usize>),
    ) -> Result<Self, MeshError> {
        let mesh = Self::unchecked(name, nodes, elements, (node_labels, element_labels))?;
        mesh.check_unused()?;
        mesh.check_shapes()?;
        Ok(mesh)
    }

    /// A mesh whose lists fit together, its shapes not looked at.
    pub(super) fn unchecked(
        name: &str,
        nodes: Vec<Vec3>,
        elements: &[(Cell, Vec<usize>)],
        (node_labels, element_labels): (Vec<usize>, Vec<usize>),
    ) -> Result<Self, MeshError> {
        let file = || name.to_owned();
        let Some((first, _)) = elements.first() else {
            return Err(MeshError::Empty { file: file(), what: "elements" });
        };
        let dimension = first.dimension();
        let mut starts = vec![0];
        let mut connectivity = Vec::new();
        for (e, (cell, list)) in elements.iter().enumerate() {
            let problem = if cell.dimension() != dimension || dimension < 2 {
                Some(format!("has dimension {}, expected 2 or 3 and the same for all elements", cell.dimension()))
            } else if list.len() != cell.nodes() {
                Some(format!("has {} nodes, expected {}", list.len(), cell.nodes()))
            } else if let Some(node) = list.iter().find(|&&node| node >= nodes.len()) {
                Some(format!("has the node with index {node}, but there are only {}", nodes.len()))
            } else {
                let twice = (1..list.len()).find(|&k| list[..k].contains(&list[k]));
                twice.map(|k| format!("has node {} twice", node_labels[list[k]]))
            };
            if let Some(problem) = problem {
                let (element, cell) = (element_labels[e], cell.name());
                return Err(MeshError::Connectivity { file: file(), element, cell, problem });
            }
            connectivity.extend_from_slice(list);
            starts.push(connectivity.len());
        }
        if let Some([first, again]) = repeated(elements) {
            let (element, cell, first) = (element_labels[again], elements[again].0.name(), element_labels[first]);
            return Err(MeshError::Repeated { file: file(), line: None, element, cell, first });
        }
        let cells = elements.iter().map(|(cell, _)| *cell).collect();
        let none = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let (name, (element_groups, face_groups, node_groups)) = (file(), none);
        Ok(Self {
            name,
            dimension,
            nodes,
            cells,
            starts,
            connectivity,
            node_labels,
            element_labels,
            element_groups,
            face_groups,
            node_groups,
        })
    }

    /// The same mesh with every node where a rule puts it (a scale from millimetres, a curved shape, a distortion).
    ///
    /// # Errors
    /// [`MeshError`] for elements that this folds.
    pub fn moved(mut self, place: impl Fn(Vec3) -> Vec3) -> Result<Self, MeshError> {
        self.nodes.iter_mut().for_each(|x| *x = place(*x));
        self.check_shapes()?;
        Ok(self)
    }

    /// Which nodes belong to an element.
    pub(super) fn used(&self) -> Vec<bool> {
        let mut used = vec![false; self.nodes.len()];
        self.connectivity.iter().for_each(|&node| used[node] = true);
        used
    }

    /// Takes out the nodes that no element has, also from the groups of nodes. The others keep their order and labels.
    pub(super) fn drop_unused_nodes(&mut self) {
        let used = self.used();
        let mut new = vec![usize::MAX; used.len()];
        let kept: Vec<usize> = (0..used.len()).filter(|&node| used[node]).collect();
        kept.iter().enumerate().for_each(|(k, &node)| new[node] = k);
        self.nodes = kept.iter().map(|&node| self.nodes[node]).collect();
        self.node_labels = kept.iter().map(|&node| self.node_labels[node]).collect();
        self.connectivity.iter_mut().for_each(|node| *node = new[*node]);
        for members in self.node_groups.values_mut() {
            *members = members.iter().map(|&node| new[node]).filter(|&node| node != usize::MAX).collect();
        }
    }
}

/// The first element that has the corners of one before it, behind that. Whatever the order of its nodes, it would take the mesh's surface away.
fn repeated(elements: &[(Cell, Vec<usize>)]) -> Option<[usize; 2]> {
    let mut seen: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
    elements.iter().enumerate().find_map(|(e, (cell, list))| {
        let mut corners = list[..cell.corners()].to_vec();
        corners.sort_unstable();
        let first = *seen.entry(corners).or_insert(e);
        (first != e).then_some([first, e])
    })
}
