//! Moving meshes as frames and probes see them, as plain data: where nodes are, which cells they make, what they carry. No mechanics.

use std::sync::Arc;

use crate::{field::names, ids::BodyId, math::Vec3};

/// What the nodes of a mesh may carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MeshQuantity {
    /// Way from the place at rest (m).
    Displacement,
    /// Velocity (m/s).
    Velocity,
    /// Force at held and driven unknowns (N), the mean over the last step; 0 at free ones.
    Reaction,
    /// Force of the contacts (N), the mean over the last step.
    ContactForce,
    /// Pressure of the contacts (Pa) over the surface around a node, compression positive, the mean over the last step; 0 where nothing touches.
    ContactPressure,
    /// Cauchy stress (Pa), tension positive.
    Stress,
    /// Strain in the measure of the material.
    Strain,
    /// Equivalent stress of von Mises (Pa).
    VonMises,
    /// Equivalent plastic strain.
    PlasticStrain,
    /// Temperature (K), where a module gives one to the nodes.
    Temperature,
    /// Electrical potential (V), where a module gives one to the nodes.
    Potential,
}

impl MeshQuantity {
    /// All, in the order of the frames.
    pub const ALL: [Self; 11] = [
        Self::Displacement,
        Self::Velocity,
        Self::Reaction,
        Self::ContactForce,
        Self::ContactPressure,
        Self::Stress,
        Self::Strain,
        Self::VonMises,
        Self::PlasticStrain,
        Self::Temperature,
        Self::Potential,
    ];

    /// Name in the frames.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Displacement => "displacement",
            Self::Velocity => "velocity",
            Self::Reaction => "reaction",
            Self::ContactForce => "contact_force",
            Self::ContactPressure => "contact_pressure",
            Self::Stress => "stress",
            Self::Strain => "strain",
            Self::VonMises => "von_mises",
            Self::PlasticStrain => "plastic_strain",
            Self::Temperature => names::TEMPERATURE,
            Self::Potential => names::POTENTIAL,
        }
    }

    /// The field that holds it, where it is one of a module beside the one that moves the bodies.
    #[must_use]
    pub const fn field(self) -> Option<&'static str> {
        match self {
            Self::Temperature => Some(names::NODE_TEMPERATURE),
            Self::Potential => Some(names::NODE_POTENTIAL),
            _ => None,
        }
    }

    /// Numbers of a node: 1, 3, or 9 of a tensor by rows.
    #[must_use]
    pub const fn components(self) -> usize {
        match self {
            Self::Displacement | Self::Velocity | Self::Reaction | Self::ContactForce => 3,
            Self::Stress | Self::Strain => 9,
            Self::ContactPressure | Self::VonMises | Self::PlasticStrain | Self::Temperature | Self::Potential => 1,
        }
    }
}

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

/// What stays of a mesh while it moves.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshTopology {
    /// Type number of each cell in VTK files, and its nodes in VTK's order.
    pub cells: Vec<(u8, Vec<usize>)>,
    /// Named parts (groups of nodes, faces or elements) by name, with their nodes, rising.
    pub parts: Vec<(String, Vec<usize>)>,
}

impl MeshTopology {
    /// The nodes of a part, if it has one of that name.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<&[usize]> {
        self.parts.iter().find(|(own, _)| own == name).map(|(_, nodes)| nodes.as_slice())
    }
}

/// A deformable body at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct MeshView {
    /// Whose.
    pub body: BodyId,
    /// Its cells and parts.
    pub topology: Arc<MeshTopology>,
    /// Where the nodes are (m).
    pub points: Vec<Vec3>,
    /// Its volume there (m³): of a planar one its area times its thickness at rest.
    pub volume: f64,
    /// What the nodes carry: what was asked for, in the order of [`MeshQuantity::ALL`].
    pub arrays: Vec<MeshArray>,
    /// Of a mesh of several materials, what its groups of elements carry that is not that of the whole at their rim: stress and strain are those of
    /// their own elements. By name, as `arrays`.
    pub of_groups: Vec<(String, Vec<MeshArray>)>,
}

impl MeshView {
    /// The mean place of the nodes of each element (m).
    pub fn middles(&self) -> impl Iterator<Item = Vec3> + '_ {
        let middle = |nodes: &Vec<usize>| nodes.iter().map(|n| self.points[*n]).sum::<Vec3>() / nodes.len().max(1) as f64;
        self.topology.cells.iter().map(move |(_, nodes)| middle(nodes))
    }

    /// The array of a quantity, if it was asked for.
    #[must_use]
    pub fn array(&self, quantity: MeshQuantity) -> Option<&MeshArray> {
        self.arrays.iter().find(|a| a.name == quantity.name())
    }

    /// The same as a part has it: a group of elements its own where the mesh has several materials.
    #[must_use]
    pub fn array_of(&self, part: &str, quantity: MeshQuantity) -> Option<&MeshArray> {
        let own = self.of_groups.iter().find(|(name, _)| name == part);
        own.and_then(|(_, arrays)| arrays.iter().find(|a| a.name == quantity.name())).or_else(|| self.array(quantity))
    }
}
