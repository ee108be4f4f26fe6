//! The meshes of deformable bodies as parts of the heat network: their nodes, what these store and conduct, their surfaces, and what is seen of
//! them as of whole bodies. Geometry is that at rest. No contacts, no solver.

mod fill;

use mpcd_core::{BodyId, InputError, MaterialId, Setup, SurfacePoint, Vec3};
use mpcd_fem::{BodyMesh, BodyMeshes, Meshed, Space, SurfaceShare};

use crate::{
    material::Materials,
    network::{HeatNetwork, Link, Node},
};

/// How a mesh takes part.
#[derive(Debug)]
struct Role {
    /// Whether its material has thermal properties.
    heat: bool,
    /// The end of the network that is the mean over all of it.
    mean: usize,
    /// [`mpcd_fem::HeatMesh::mean_gradients`] where it takes part.
    gradients: Vec<Vec3>,
}

/// All meshes of a model, body after body.
#[derive(Debug, Default)]
pub(crate) struct Meshes {
    all: BodyMeshes,
    /// Of each of them.
    roles: Vec<Role>,
}

impl Meshes {
    /// Adds the nodes of all meshes to a network of the bodies, and what they conduct; the bodies that they belong to take no part themselves.
    ///
    /// # Errors
    /// What finite elements cannot be made of.
    pub(crate) fn build(setup: &Setup, materials: &Materials, network: &mut HeatNetwork) -> Result<Self, InputError> {
        let mut out = Self { all: BodyMeshes::new(setup)?, roles: Vec::new() };
        for mesh in out.all.iter() {
            let (body, material) = (mesh.body, setup.bodies.material[mesh.body]);
            fill::check(setup, materials, mesh)?;
            let whole = network.nodes[body];
            network.nodes[body] = Node::Absent;
            let several = match setup.filling(BodyId::from_index(body)) {
                Some(filling) if whole != Node::Absent => Some(fill::capacities(setup, materials, mesh, filling.scale)?),
                _ => None,
            };
            let volumes = mesh.heat.volumes()?;
            let volume: f64 = volumes.iter().sum();
            if let Node::Free { .. } = whole {
                let filling = setup.filling(BodyId::from_index(body));
                let even = setup.bodies.mass[body] / volume;
                let density = |kind: MaterialId| filling.map_or(even, |f| setup.materials[kind.index()].density * f.scale);
                fill::consistent(materials, mesh, density, &mut network.storage)?;
            }
            for (k, own) in volumes.iter().enumerate() {
                let (capacity, specific) = match (&several, whole) {
                    (Some(all), _) => all[k].clone(),
                    (None, Node::Free { capacity }) => (capacity * (own / volume), materials.specific_heat(material)),
                    (None, _) => (0.0, materials.specific_heat(material)),
                };
                network.nodes.push(if matches!(whole, Node::Free { .. }) { Node::Free { capacity } } else { whole });
                network.base.push(network.base[body]);
                network.specific.push(specific);
                network.source.push(0.0);
            }
            let heat = whole != Node::Absent;
            let gradients = if heat { mesh.heat.mean_gradients()? } else { Vec::new() };
            out.roles.push(Role { heat, mean: 0, gradients });
        }
        // ends are numbered from the number of nodes on, which is known now
        for (mesh, role) in out.all.iter().zip(&mut out.roles) {
            let terms = mesh.nodes().zip(mesh.shares.iter().copied());
            role.mean = network.nodes.len() + network.points.push(terms);
        }
        network.points.keep();
        out.conduct(materials, &network.base.clone(), network);
        Ok(out)
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The nodes of each.
    pub(crate) fn ranges(&self) -> impl Iterator<Item = std::ops::Range<usize>> + '_ {
        self.all.iter().map(|mesh| mesh.nodes())
    }

    /// Whether some mesh takes part.
    pub(crate) fn any_heat(&self) -> bool {
        self.roles.iter().any(|role| role.heat)
    }

    /// The meshes that take part.
    fn with_heat(&self) -> impl Iterator<Item = &BodyMesh> {
        self.all.iter().zip(&self.roles).filter(|(_, role)| role.heat).map(|(mesh, _)| mesh)
    }

    /// The mesh of a body, if it takes part.
    fn of(&self, body: usize) -> Option<&BodyMesh> {
        self.all.of(body).filter(|_| self.all.place(body).is_some_and(|k| self.roles[k].heat))
    }

    /// Whether a body is a mesh.
    pub(crate) fn is_mesh(&self, body: usize) -> bool {
        self.all.place(body).is_some()
    }

    /// The bodies whose meshes expand.
    pub(crate) fn any_expands(&self, materials: &Materials) -> bool {
        self.with_heat().any(|m| m.kinds().into_iter().any(|kind| materials.expansion(kind) != 0.0))
    }

    /// Whether materials of one mesh expand differently.
    pub(crate) fn any_expands_unevenly(&self, materials: &Materials) -> bool {
        self.with_heat().any(|m| {
            let all: Vec<f64> = m.kinds().into_iter().map(|kind| materials.expansion(kind)).collect();
            all.windows(2).any(|pair| pair[0] != pair[1])
        })
    }

    /// The end that stands for a whole body: its node, of a mesh its mean.
    pub(crate) fn end_of(&self, body: usize) -> usize {
        self.all.place(body).map_or(body, |k| self.roles[k].mean)
    }

    /// The end of a side of a contact: of a mesh where the contact lies on it.
    pub(crate) fn end_of_side(&self, body: usize, at: Option<&SurfacePoint>, network: &mut HeatNetwork) -> usize {
        match (self.all.of(body), at) {
            (Some(mesh), Some(point)) => {
                network.nodes.len() + network.points.push(point.parts().map(|(node, w)| (mesh.first + node, w)))
            }
            _ => self.end_of(body),
        }
    }

    /// The body of a node of the network.
    pub(crate) fn body_of(&self, node: usize) -> usize {
        self.all.body_of(node)
    }

    /// Nodes of the network that are a named part of a mesh, or all of it.
    ///
    /// # Errors
    /// A part that it does not have.
    pub(crate) fn nodes(&self, body: usize, part: Option<&str>) -> Result<Vec<usize>, InputError> {
        Ok(match self.of(body) {
            Some(mesh) => mesh.part(part)?,
            None => vec![body],
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
        let Some(mesh) = self.of(body) else { return Ok(Vec::new()) };
        let (nodes, points) = (network.nodes.len(), &mut network.points);
        let mut end = |share: &SurfaceShare| nodes + points.push(share.point.parts().map(|(n, w)| (mesh.first + n, w)));
        let found = mesh.heat.surface(part)?.iter().map(|share| (end(share), share.area)).collect();
        network.points.keep();
        Ok(found)
    }

    /// What the meshes conduct, each element at the mean temperature (K) of its nodes.
    pub(crate) fn conduct(&self, materials: &Materials, temperatures: &[f64], network: &mut HeatNetwork) {
        network.solids.clear();
        for mesh in self.with_heat() {
            let heat = &mesh.heat;
            let conductances = heat.conductances(|e| conductivity(materials, mesh, e, |n| temperatures[n]));
            let pairs = heat.pairs().iter().zip(conductances);
            network.solids.extend(pairs.map(|(&(a, b), g)| Link { ends: (mesh.first + a, mesh.first + b), conductance: g }));
        }
    }

    /// Heat flux in all elements of meshes at these temperatures (K), in the order of their rows, world axes of the start (W/m²).
    pub(crate) fn fluxes(&self, materials: &Materials, setup: &Setup, temperature: impl Fn(usize) -> f64, out: &mut [[f64; 3]]) {
        let mut rows = out.iter_mut();
        for (mesh, role) in self.all.iter().zip(&self.roles) {
            let own = rows.by_ref().take(mesh.heat.mesh().elements());
            if !role.heat {
                own.for_each(|row| *row = [0.0; 3]);
                continue;
            }
            let over = |a: usize, b: usize| temperature(mesh.first + a) - temperature(mesh.first + b);
            let turn = setup.initial.orientation[mesh.body];
            let fluxes = mesh.heat.fluxes(|e| conductivity(materials, mesh, e, &temperature), over, &role.gradients);
            own.zip(fluxes).for_each(|(row, flux)| *row = (turn * flux).into());
        }
    }

    /// Gives the body of each mesh the mean over its nodes, by volume.
    pub(crate) fn take_means(&self, rises: &mut [f64]) {
        for mesh in self.with_heat() {
            rises[mesh.body] = mesh.mean(rises);
        }
    }

    /// The free strain of all nodes of meshes, in the order of their rows: what they are warmer than at the start (K) times the expansion, of several
    /// materials that which is largest.
    pub(crate) fn free_strain(&self, materials: &Materials, rises: &[f64], out: &mut [f64]) {
        let mut rows = out.iter_mut();
        for (mesh, role) in self.all.iter().zip(&self.roles) {
            let alpha = if role.heat { largest_expansion(materials, mesh) } else { 0.0 };
            rises[mesh.nodes()].iter().zip(&mut rows).for_each(|(rise, row)| *row = alpha * rise);
        }
    }

    /// What [`Self::free_strain`] counts in all elements of meshes, in the order of their rows: their expansion over the largest of their mesh.
    pub(crate) fn free_strain_factors(&self, materials: &Materials, out: &mut [f64]) {
        let mut rows = out.iter_mut();
        for (mesh, role) in self.all.iter().zip(&self.roles) {
            let alpha = if role.heat { largest_expansion(materials, mesh) } else { 0.0 };
            let own = |kind: &MaterialId| if alpha == 0.0 { 1.0 } else { materials.expansion(*kind) / alpha };
            mesh.materials.iter().zip(&mut rows).for_each(|(kind, row)| *row = own(kind));
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
        let Some(mesh) = self.with_heat().next() else { return Ok(()) };
        let label = setup.body_label(mpcd_core::BodyId::from_index(mesh.body));
        Err(InputError::new(format!("neighbours exchange radiation as lumps of one temperature, but {label} is a mesh"))
            .help("remove `radiation: true`, or take the `thermal` part from its material; `Radiation(…)` to surroundings acts on meshes")
            .at("radiation"))
    }
}

/// Conductivity (W/(m K)) of an element at the mean temperature (K) of its nodes; 0 of a material without.
fn conductivity(materials: &Materials, mesh: &BodyMesh, e: usize, temperature: impl Fn(usize) -> f64) -> f64 {
    let Some(material) = materials.of(mesh.materials[e]) else { return 0.0 };
    let curve = material.conductivity.curve();
    if curve.is_constant() { curve.at(0.0) } else { curve.at(mesh.mean_of_element(e, temperature)) }
}

/// The expansion of the material of a mesh that expands, or shrinks, most (1/K).
fn largest_expansion(materials: &Materials, mesh: &BodyMesh) -> f64 {
    let all = mesh.kinds().into_iter().map(|kind| materials.expansion(kind));
    all.fold(0.0, |most: f64, alpha| if alpha.abs() > most.abs() { alpha } else { most })
}
