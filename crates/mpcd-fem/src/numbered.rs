//! The meshes of a model as parts of one network of bodies and nodes: bodies come first, then the nodes of all meshes, body after body, as the rows
//! of fields of nodes do. Numbers and geometry at rest; what flows belongs to the caller.

use std::ops::Range;

use mpcd_core::{MaterialId, Setup};

use crate::{
    error::FemError,
    heat::{HeatMesh, Meshed},
};

/// The mesh of a body, with its place in the network.
#[derive(Debug, Clone)]
pub struct BodyMesh {
    /// Number of the body.
    pub body: usize,
    /// Its first node in the network.
    pub first: usize,
    /// How it conducts.
    pub heat: HeatMesh,
    /// Weight of each node in the mean over the volume, ∫ N_a dV over it; they add up to 1.
    pub shares: Vec<f64>,
    /// Material of each element.
    pub materials: Vec<MaterialId>,
}

impl BodyMesh {
    /// Its nodes in the network.
    pub fn nodes(&self) -> Range<usize> {
        self.first..self.first + self.shares.len()
    }

    /// Its nodes in the network that are a named part of it, or all.
    ///
    /// # Errors
    /// [`FemError::Mesh`] for a part that it does not have.
    pub fn part(&self, part: Option<&str>) -> Result<Vec<usize>, FemError> {
        Ok(match part {
            Some(part) => self.heat.mesh().nodes_of(part)?.into_iter().map(|n| self.first + n).collect(),
            None => self.nodes().collect(),
        })
    }

    /// The materials of its elements, each once, in the order in which elements have them.
    pub fn kinds(&self) -> Vec<MaterialId> {
        let mut out: Vec<MaterialId> = Vec::new();
        for material in &self.materials {
            if !out.contains(material) {
                out.push(*material);
            }
        }
        out
    }

    /// Mean over its volume of what the nodes of the network have.
    pub fn mean(&self, values: &[f64]) -> f64 {
        self.shares.iter().zip(&values[self.nodes()]).map(|(share, value)| share * value).sum()
    }

    /// Mean over the nodes of an element of what nodes of the network have.
    pub fn mean_of_element(&self, e: usize, value: impl Fn(usize) -> f64) -> f64 {
        let nodes = self.heat.mesh().element(e);
        nodes.iter().map(|n| value(self.first + n)).sum::<f64>() / nodes.len() as f64
    }
}

/// All meshes of a model, body after body.
#[derive(Debug, Clone, Default)]
pub struct BodyMeshes {
    list: Vec<BodyMesh>,
    bodies: usize,
}

impl BodyMeshes {
    /// The meshes of a model.
    ///
    /// # Errors
    /// What finite elements cannot be made of: [`HeatMesh::new`].
    pub fn new(setup: &Setup) -> Result<Self, FemError> {
        let mut out = Self { list: Vec::new(), bodies: setup.bodies.len() };
        for content in &setup.meshes {
            let Some(meshed) = content.get::<Meshed>() else { continue };
            let heat = HeatMesh::new(Meshed::clone(&meshed))?;
            let integrals = heat.integrals()?;
            let volume: f64 = integrals.iter().sum();
            let shares = integrals.iter().map(|v| v / volume).collect();
            let material = |e: usize| setup.material_in(content.body, e);
            let materials = (0..heat.mesh().elements()).map(material).collect();
            out.list.push(BodyMesh { body: content.body.index(), first: out.nodes(), heat, shares, materials });
        }
        Ok(out)
    }

    /// The meshes.
    pub fn iter(&self) -> std::slice::Iter<'_, BodyMesh> {
        self.list.iter()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Number of nodes of the network: bodies and nodes of meshes.
    pub fn nodes(&self) -> usize {
        self.list.last().map_or(self.bodies, |last| last.nodes().end)
    }

    /// Place of the mesh of a body among all; `None` where it has none.
    pub fn place(&self, body: usize) -> Option<usize> {
        self.list.binary_search_by_key(&body, |m| m.body).ok()
    }

    /// The mesh of a body; `None` where it has none.
    pub fn of(&self, body: usize) -> Option<&BodyMesh> {
        self.place(body).map(|k| &self.list[k])
    }

    /// The body of a node of the network.
    pub fn body_of(&self, node: usize) -> usize {
        if node < self.bodies {
            return node;
        }
        let after = self.list.partition_point(|m| m.first <= node);
        after.checked_sub(1).map_or(node, |k| self.list[k].body)
    }
}
