//! Cells of a file that are of a lower dimension than its mesh, and have names: groups of faces and of nodes. No formats.

use std::collections::BTreeMap;

use super::{Face, Mesh, MeshError};
use crate::cell::Cell;

/// A cell of a lower dimension than the mesh.
pub(super) struct Lower {
    /// Its number in the file.
    pub(super) label: usize,
    /// Its kind; none of a single node.
    pub(super) kind: Option<Cell>,
    /// Its nodes, corners first, as the mesh numbers them; what is none is of no element.
    pub(super) nodes: Vec<usize>,
    /// The groups that it is of.
    pub(super) names: Vec<String>,
}

impl Mesh {
    /// Groups of faces (cells of one dimension less than the mesh) and of nodes (lower still).
    ///
    /// # Errors
    /// [`MeshError::Connectivity`] for a cell that is a side of no element.
    pub(super) fn name_lower(&mut self, cells: Vec<Lower>) -> Result<(), MeshError> {
        let mut by_corners: BTreeMap<Vec<usize>, Face> = BTreeMap::new();
        for element in 0..self.elements() {
            for local in 0..self.cell(element).faces().len() {
                let face = Face { element, local };
                by_corners.entry(self.corners_of(face)).or_insert(face);
            }
        }
        let used = self.used();
        let mut faces: BTreeMap<String, Vec<Face>> = BTreeMap::new();
        let mut points: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for Lower { label, kind, nodes, names } in cells {
            if kind.map_or(0, Cell::dimension) + 1 < self.dimension() {
                for name in names {
                    points.entry(name).or_default().extend(nodes.iter().filter(|n| used.get(**n) == Some(&true)));
                }
                continue;
            }
            let mut corners: Vec<usize> = nodes.into_iter().take(kind.map_or(1, Cell::corners)).collect();
            corners.sort_unstable();
            let Some(&face) = by_corners.get(&corners) else {
                let problem = "is a side of no element".to_owned();
                let (file, cell) = (self.name().to_owned(), kind.map_or("point", Cell::name));
                return Err(MeshError::Connectivity { file, element: label, cell, problem });
            };
            names.into_iter().for_each(|name| faces.entry(name).or_default().push(face));
        }
        faces.into_iter().try_for_each(|(name, members)| self.add_face_group(&name, members))?;
        points.into_iter().filter(|(_, m)| !m.is_empty()).try_for_each(|(name, members)| self.add_node_group(&name, members))
    }
}
