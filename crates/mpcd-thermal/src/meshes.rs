//! The meshes of deformable bodies as parts of the heat network: their nodes, what these store and conduct, their surfaces, and what is seen of
//! them as of whole bodies. Geometry is that at rest. No contacts, no solver.

use mpcd_core::{BodyId, InputError, Setup, SurfacePoint};
use mpcd_fem::{HeatMesh, Meshed, Space, SurfaceShare};

use crate::{
    material::Materials,
    network::{HeatNetwork, Link, Node},
};

/// One mesh.
#[derive(Debug)]
struct MeshBody {
    body: usize,
    /// Its first node in the network, and how many it has.
    first: usize,
    nodes: usize,
    /// How it conducts; `None` of an insulated one.
    heat: Option<HeatMesh>,
    /// Part of the body that each node stands for; they add up to 1.
    shares: Vec<f64>,
    /// The end of the network that is the mean over all of it.
    mean: usize,
}

/// All meshes of a model, body after body.
#[derive(Debug, Default)]
pub(crate) struct Meshes {
    list: Vec<MeshBody>,
    bodies: usize,
}

impl Meshes {
    /// Adds the nodes of all meshes to a network of the bodies, and what they conduct; the bodies that they belong to take no part themselves.
    ///
    /// # Errors
    /// What finite elements cannot be made of.
    pub(crate) fn build(setup: &Setup, materials: &Materials, network: &mut HeatNetwork) -> Result<Self, InputError> {
        let mut out = Self { list: Vec::new(), bodies: setup.bodies.len() };
        for content in &setup.meshes {
            let body = content.body.index();
            let Some(meshed) = content.get::<Meshed>() else { continue };
            let (material, nodes) = (setup.bodies.material[body], meshed.mesh.nodes().len());
            let first = network.nodes.len();
            let heat = HeatMesh::new(Meshed::clone(&meshed))?;
            let volumes = heat.volumes()?;
            let volume: f64 = volumes.iter().sum();
            let shares: Vec<f64> = volumes.iter().map(|v| v / volume).collect();
            let whole = network.nodes[body];
            network.nodes[body] = Node::Absent;
            for share in &shares {
                network.nodes.push(match whole {
                    Node::Free { capacity } => Node::Free { capacity: capacity * share },
                    other => other,
                });
                network.base.push(network.base[body]);
                network.specific.push(materials.specific_heat(material));
                network.source.push(0.0);
            }
            let heat = Some(heat).filter(|_| whole != Node::Absent);
            out.list.push(MeshBody { body, first, nodes, heat, shares, mean: 0 });
        }
        // ends are numbered from the number of nodes on, which is known now
        for mesh in &mut out.list {
            let terms = mesh.shares.iter().enumerate().map(|(k, share)| (mesh.first + k, *share));
            mesh.mean = network.nodes.len() + network.points.push(terms);
        }
        network.points.keep();
        out.conduct(materials, setup, &network.base.clone(), network);
        Ok(out)
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether some mesh takes part.
    pub(crate) fn any_heat(&self) -> bool {
        self.list.iter().any(|m| m.heat.is_some())
    }

    fn of(&self, body: usize) -> Option<&MeshBody> {
        self.list.binary_search_by_key(&body, |m| m.body).ok().map(|k| &self.list[k])
    }

    /// Whether a body is a mesh.
    pub(crate) fn is_mesh(&self, body: usize) -> bool {
        self.of(body).is_some()
    }

    /// The bodies whose meshes expand.
    pub(crate) fn any_expands(&self, setup: &Setup, materials: &Materials) -> bool {
        self.list.iter().any(|m| m.heat.is_some() && materials.expansion(setup.bodies.material[m.body]) != 0.0)
    }

    /// The end that stands for a whole body: its node, of a mesh its mean.
    pub(crate) fn end_of(&self, body: usize) -> usize {
        self.of(body).map_or(body, |mesh| mesh.mean)
    }

    /// The end of a side of a contact: of a mesh where the contact lies on it.
    pub(crate) fn end_of_side(&self, body: usize, at: Option<&SurfacePoint>, network: &mut HeatNetwork) -> usize {
        match (self.of(body), at) {
            (Some(mesh), Some(point)) => {
                network.nodes.len() + network.points.push(point.parts().map(|(node, w)| (mesh.first + node, w)))
            }
            _ => self.end_of(body),
        }
    }

    /// The body of a node of the network.
    pub(crate) fn body_of(&self, node: usize) -> usize {
        if node < self.bodies {
            return node;
        }
        let after = self.list.partition_point(|m| m.first <= node);
        after.checked_sub(1).map_or(node, |k| self.list[k].body)
    }

    /// Nodes of the network that are a named part of a mesh, or all of it.
    ///
    /// # Errors
    /// A part that it does not have.
    pub(crate) fn nodes(&self, body: usize, part: Option<&str>) -> Result<Vec<usize>, InputError> {
        let Some((mesh, heat)) = self.of(body).and_then(|m| Some((m, m.heat.as_ref()?))) else { return Ok(vec![body]) };
        Ok(match part {
            Some(part) => heat.mesh().nodes_of(part)?.into_iter().map(|n| mesh.first + n).collect(),
            None => (mesh.first..mesh.first + mesh.nodes).collect(),
        })
    }

    /// The surface of a part of a mesh, or all of it, as new points that are kept: ends with areas (m²).
    ///
    /// # Errors
    /// A part that it does not have, or that is no group of faces.
    pub(crate) fn surface(
        &self,
        body: usize,
        part: Option<&str>,
        network: &mut HeatNetwork,
    ) -> Result<Vec<(usize, f64)>, InputError> {
        let Some((mesh, heat)) = self.of(body).and_then(|m| Some((m, m.heat.as_ref()?))) else { return Ok(Vec::new()) };
        let (nodes, points) = (network.nodes.len(), &mut network.points);
        let mut end = |share: &SurfaceShare| nodes + points.push(share.point.parts().map(|(n, w)| (mesh.first + n, w)));
        let found = heat.surface(part)?.iter().map(|share| (end(share), share.area)).collect();
        network.points.keep();
        Ok(found)
    }

    /// What the meshes conduct, each element at the mean temperature (K) of its nodes.
    pub(crate) fn conduct(&self, materials: &Materials, setup: &Setup, temperatures: &[f64], network: &mut HeatNetwork) {
        network.solids.clear();
        for mesh in &self.list {
            let Some(heat) = &mesh.heat else { continue };
            let Some(material) = materials.of(setup.bodies.material[mesh.body]) else { continue };
            let curve = material.conductivity.curve();
            let mean = |e: usize| {
                let nodes = heat.mesh().element(e);
                nodes.iter().map(|n| temperatures[mesh.first + n]).sum::<f64>() / nodes.len() as f64
            };
            let conductances = heat.conductances(|e| if curve.is_constant() { curve.at(0.0) } else { curve.at(mean(e)) });
            let pairs = heat.pairs().iter().zip(conductances);
            network.solids.extend(pairs.map(|(&(a, b), g)| Link { ends: (mesh.first + a, mesh.first + b), conductance: g }));
        }
    }

    /// Gives the body of each mesh the mean over its nodes, by volume.
    pub(crate) fn take_means(&self, rises: &mut [f64]) {
        for mesh in self.list.iter().filter(|m| m.heat.is_some()) {
            let own = &rises[mesh.first..mesh.first + mesh.nodes];
            rises[mesh.body] = mesh.shares.iter().zip(own).map(|(share, rise)| share * rise).sum();
        }
    }

    /// The free strain of all nodes of meshes, in the order of their rows: what they are warmer than at the start (K) times the expansion.
    pub(crate) fn free_strain(&self, materials: &Materials, setup: &Setup, rises: &[f64], out: &mut [f64]) {
        let mut rows = out.iter_mut();
        for mesh in &self.list {
            let alpha = if mesh.heat.is_some() { materials.expansion(setup.bodies.material[mesh.body]) } else { 0.0 };
            rises[mesh.first..mesh.first + mesh.nodes].iter().zip(&mut rows).for_each(|(rise, row)| *row = alpha * rise);
        }
    }

    /// Beside an axisymmetric mesh the mass and the surface of a rigid body, which are those of its shape in the plane, say nothing about its heat.
    ///
    /// # Errors
    /// A rigid body whose temperature is free there.
    pub(crate) fn refuse_free_lumps_beside_rings(&self, setup: &Setup, network: &HeatNetwork) -> Result<(), InputError> {
        let rings = setup.meshes.iter().filter_map(|m| m.get::<Meshed>()).any(|m| m.space == Space::Axisymmetric);
        let free = (0..setup.bodies.len()).find(|&b| !self.is_mesh(b) && matches!(network.nodes[b], Node::Free { .. }));
        match free.filter(|_| rings) {
            None => Ok(()),
            Some(body) => {
                let label = setup.body_label(BodyId::from_index(body));
                Err(InputError::new(format!(
                    "the temperature of {label} is free, but a mesh of the model is axisymmetric: what a shape in the plane stores is not what its ring stores"
                ))
                .help("hold it with `Temperature(group: …, value: …)`, or make it a mesh")
                .at("boundary"))
            }
        }
    }

    /// The shapes of bodies that radiate to each other are those of lumps.
    ///
    /// # Errors
    /// When a mesh takes part.
    pub(crate) fn refuse_radiation(&self, setup: &Setup) -> Result<(), InputError> {
        let Some(mesh) = self.list.iter().find(|m| m.heat.is_some()) else { return Ok(()) };
        let label = setup.body_label(mpcd_core::BodyId::from_index(mesh.body));
        Err(InputError::new(format!("neighbours exchange radiation as lumps of one temperature, but {label} is a mesh"))
            .help("remove `radiation: true`, or take the `thermal` part from its material; `Radiation(…)` to surroundings acts on meshes")
            .at("radiation"))
    }
}
