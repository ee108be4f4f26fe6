//! The skin of a mesh: the faces that belong to one element, turned outwards. What contact sees of a deformable body.

use std::collections::BTreeMap;

use super::{Face, Mesh, MeshError};
use crate::cell::Cell;

/// One face of the skin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkinFace {
    /// Which face of which element.
    pub face: Face,
    /// Its kind: L2, L3, T3, T6, Q4, Q8.
    pub cell: Cell,
    /// Its nodes; the normal by the right hand (2D: to the right of the way from the first to the second node) points out.
    pub nodes: Vec<usize>,
}

/// The boundary of a mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skin {
    /// Faces in the order of their elements.
    pub faces: Vec<SkinFace>,
    /// All nodes of the faces, rising.
    pub nodes: Vec<usize>,
}

impl Mesh {
    /// Extracts the boundary.
    ///
    /// # Errors
    /// [`MeshError::NonManifold`] when a face belongs to more than two elements, boundary faces meet in an edge (3D) or sides in a node (2D) by more or
    /// less than two, or boundary faces meet in a node (3D) and are not one fan around it.
    pub fn skin(&self) -> Result<Skin, MeshError> {
        let mut seen: BTreeMap<Vec<usize>, Vec<Face>> = BTreeMap::new();
        for element in 0..self.elements() {
            let cell = self.cell(element);
            for local in 0..cell.faces().len() {
                let face = Face { element, local };
                seen.entry(self.corners_of(face)).or_default().push(face);
            }
        }
        if let Some((corners, faces)) = seen.iter().find(|(_, faces)| faces.len() > 2) {
            let elements: Vec<usize> = faces.iter().map(|f| f.element).collect();
            return Err(self.non_manifold(corners, (elements.len(), "elements"), &elements));
        }
        let mut single: Vec<Face> = seen.into_values().filter(|faces| faces.len() == 1).map(|faces| faces[0]).collect();
        single.sort_unstable();
        let faces: Vec<SkinFace> = single
            .into_iter()
            .map(|face| {
                let (cell, nodes) = self.face(face);
                SkinFace { face, cell, nodes: nodes.collect() }
            })
            .collect();
        self.check_manifold(&faces)?;
        let mut nodes: Vec<usize> = faces.iter().flat_map(|f| f.nodes.iter().copied()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        Ok(Skin { faces, nodes })
    }

    /// Corner nodes of a face, rising: its name among all faces.
    pub(super) fn corners_of(&self, face: Face) -> Vec<usize> {
        let (cell, nodes) = self.face(face);
        let mut corners: Vec<usize> = nodes.take(cell.corners()).collect();
        corners.sort_unstable();
        corners
    }

    fn check_manifold(&self, faces: &[SkinFace]) -> Result<(), MeshError> {
        let mut rims: BTreeMap<Vec<usize>, Vec<usize>> = BTreeMap::new();
        for face in faces {
            let pairs = face.cell.edges().iter().map(|edge| edge.map(|k| face.nodes[k]));
            for [a, b] in pairs {
                let keys = if self.dimension == 2 { vec![vec![a], vec![b]] } else { vec![vec![a.min(b), a.max(b)]] };
                keys.into_iter().for_each(|key| rims.entry(key).or_default().push(face.face.element));
            }
        }
        match rims.iter().find(|(_, elements)| elements.len() != 2) {
            None if self.dimension == 2 => Ok(()),
            None => self.check_fans(faces),
            Some((nodes, elements)) => {
                let what = if self.dimension == 2 { "boundary sides" } else { "boundary faces" };
                Err(self.non_manifold(nodes, (elements.len(), what), elements))
            }
        }
    }

    /// Whether one can go around every corner from face to face over their edges and come by all faces there. Where two parts of a body meet in nothing but a
    /// node, all edges have their two faces and the boundary is no surface still.
    fn check_fans(&self, faces: &[SkinFace]) -> Result<(), MeshError> {
        // at each corner: the corners beside it on each face, and the element of that
        let mut around: BTreeMap<usize, Vec<([usize; 2], usize)>> = BTreeMap::new();
        for face in faces {
            let corners = &face.nodes[..face.cell.corners()];
            let count = corners.len();
            for (k, corner) in corners.iter().enumerate() {
                let beside = [corners[(k + 1) % count], corners[(k + count - 1) % count]];
                around.entry(*corner).or_default().push((beside, face.face.element));
            }
        }
        for (corner, mut fan) in around {
            let elements: Vec<usize> = fan.iter().map(|(_, element)| *element).collect();
            let mut count = 0;
            while !fan.is_empty() {
                walk(&mut fan);
                count += 1;
            }
            if count > 1 {
                return Err(self.non_manifold(&[corner], (count, "parts of the boundary without a common edge"), &elements));
            }
        }
        Ok(())
    }

    fn non_manifold(&self, nodes: &[usize], (count, what): (usize, &'static str), elements: &[usize]) -> MeshError {
        let mut elements: Vec<usize> = elements.iter().map(|&e| self.element_labels[e]).collect();
        elements.dedup();
        MeshError::NonManifold {
            file: self.name.clone(),
            nodes: nodes.iter().map(|&n| self.node_labels[n]).collect(),
            count,
            what,
            elements,
        }
    }
}

/// Takes out the faces around a corner that one comes by who goes around it over the edges, from the first on until it is there again. Every edge has two of them.
fn walk(fan: &mut Vec<([usize; 2], usize)>) {
    let Some(([start, mut next], _)) = fan.pop() else { return };
    while next != start {
        let Some(k) = fan.iter().position(|(beside, _)| beside.contains(&next)) else { return };
        let ([a, b], _) = fan.swap_remove(k);
        next = if a == next { b } else { a };
    }
}
