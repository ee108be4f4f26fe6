//! The meshes of deformable bodies as parts of the resistor network: which conduct through their elements, what these conduct at their temperatures,
//! the ends of contacts on them, and what their current heats. Geometry is that at rest. No contacts, no boundary values, no solver.
//!
//! A mesh whose material has a conductivity conducts through its elements; one of another material is one lump, as a rigid body is. Where no mesh
//! conducts through its elements the network is that of the bodies alone.

use mpcd_core::{BodyId, Contact, ContactNetwork, InputError, MaterialId, Setup, SurfacePoint, Vec3};
use mpcd_fem::{BodyMesh, BodyMeshes};

use crate::{
    error::ElectricalError,
    material::Materials,
    network::{Branch, ResistorNetwork},
    solve::NetworkSolver,
};

/// What the elements of a mesh have.
#[derive(Debug)]
struct Elements {
    /// Volume that each node stands for in each element (m³).
    volumes: Vec<f64>,
    /// [`mpcd_fem::HeatMesh::mean_gradients`].
    gradients: Vec<Vec3>,
    /// Conductivity of each now (S/m).
    conductivities: Vec<f64>,
}

/// All meshes of a model, body after body.
#[derive(Debug, Default)]
pub(crate) struct Meshes {
    all: BodyMeshes,
    /// Of each of them; `None` of a lump.
    elements: Vec<Option<Elements>>,
    /// Whether some conductivity depends on temperature.
    varies: bool,
}

impl Meshes {
    /// The meshes of a model, without conductivities yet: [`Self::conduct`] comes next.
    ///
    /// # Errors
    /// What finite elements cannot be made of.
    pub(crate) fn build(setup: &Setup, materials: &Materials) -> Result<Self, InputError> {
        let all = BodyMeshes::new(setup)?;
        for mesh in all.iter() {
            one_kind(setup, materials, mesh)?;
        }
        let has_conductivity = |mesh: &BodyMesh| mesh.kinds().into_iter().all(|kind| materials.has_conductivity(kind));
        if !all.iter().any(has_conductivity) {
            return Ok(Self::default());
        }
        let mut out = Self { all, elements: Vec::new(), varies: false };
        for mesh in out.all.iter() {
            let conducts = has_conductivity(mesh);
            let volumes = conducts.then(|| mesh.heat.local_integrals()).transpose()?;
            out.varies |= conducts && mesh.kinds().into_iter().any(|kind| materials.varies(kind));
            let gradients = if conducts { mesh.heat.mean_gradients()? } else { Vec::new() };
            out.elements.push(volumes.map(|volumes| Elements { volumes, gradients, conductivities: Vec::new() }));
        }
        Ok(out)
    }

    /// Whether some mesh conducts through its elements.
    pub(crate) fn any(&self) -> bool {
        !self.all.is_empty()
    }

    /// Whether some conductivity depends on temperature.
    pub(crate) const fn varies(&self) -> bool {
        self.varies
    }

    /// Nodes of the network: bodies, and nodes of meshes where some mesh conducts.
    pub(crate) fn nodes(&self, bodies: usize) -> usize {
        self.all.nodes().max(bodies)
    }

    /// The mesh of a body, if it conducts through its elements.
    pub(crate) fn of(&self, body: usize) -> Option<&BodyMesh> {
        self.all.of(body).filter(|_| self.all.place(body).is_some_and(|k| self.elements[k].is_some()))
    }

    /// The meshes that conduct through their elements.
    fn conducting(&self) -> impl Iterator<Item = (&BodyMesh, &Elements)> {
        self.all.iter().zip(&self.elements).filter_map(|(mesh, elements)| Some((mesh, elements.as_ref()?)))
    }

    /// The body of a node of the network.
    pub(crate) fn body_of(&self, node: usize) -> usize {
        self.all.body_of(node)
    }

    /// The materials of conducting meshes.
    pub(crate) fn materials(&self) -> Vec<MaterialId> {
        let mut found: Vec<MaterialId> = Vec::new();
        for (mesh, _) in self.conducting() {
            for material in mesh.kinds() {
                if !found.contains(&material) {
                    found.push(material);
                }
            }
        }
        found
    }

    /// Where a contact lies on meshes.
    pub(crate) fn places<'a>(&self, network: &'a ContactNetwork, contact: &Contact) -> [Option<&'a SurfacePoint>; 2] {
        if self.any() { network.mesh_points(&contact.key) } else { [None; 2] }
    }

    /// The end of a side of a contact: the node of the body, or where the contact lies on a mesh that conducts, which without such a place is its
    /// mean. `node_of` says which node of the network stands for each.
    pub(crate) fn end_of_side(
        &self,
        body: usize,
        at: Option<&SurfacePoint>,
        node_of: &[usize],
        network: &mut ResistorNetwork,
    ) -> usize {
        let Some(mesh) = self.of(body) else { return node_of[body] };
        let mut terms: Vec<(usize, f64)> = Vec::new();
        let mut add = |(node, w): (usize, f64)| match terms.iter_mut().find(|term| term.0 == node_of[node]) {
            Some(term) => term.1 += w,
            None => terms.push((node_of[node], w)),
        };
        match at {
            Some(point) => point.parts().for_each(|(n, w)| add((mesh.first + n, w))),
            None => mesh.nodes().zip(mesh.shares.iter().copied()).for_each(add),
        }
        network.nodes() + network.points.push(terms)
    }

    /// The mean of what the nodes of the network have at a side of a contact; that of the body where it lies on no conducting mesh.
    pub(crate) fn at_side(&self, body: usize, at: Option<&SurfacePoint>, value: impl Fn(usize) -> f64) -> f64 {
        match (self.of(body), at) {
            (Some(mesh), Some(point)) => point.parts().map(|(n, w)| w * value(mesh.first + n)).sum(),
            _ => value(body),
        }
    }

    /// Puts what the meshes conduct into the network, each element at the mean temperature (K) of its nodes.
    ///
    /// # Errors
    /// [`ElectricalError::Conductivity`].
    pub(crate) fn conduct(
        &mut self,
        (materials, setup): (&Materials, &Setup),
        temperature: impl Fn(usize) -> f64,
        node_of: &[usize],
        network: &mut ResistorNetwork,
    ) -> Result<(), ElectricalError> {
        network.inner.clear();
        for (mesh, elements) in self.all.iter().zip(&mut self.elements) {
            let Some(elements) = elements else { continue };
            let body = BodyId::from_index(mesh.body);
            elements.conductivities.clear();
            for e in 0..mesh.heat.mesh().elements() {
                let of = (body, mesh.materials[e]);
                elements.conductivities.push(materials.conductivity(setup, of, mesh.mean_of_element(e, &temperature))?);
            }
            let conductances = mesh.heat.conductances(|e| elements.conductivities[e]);
            let pairs = mesh.heat.pairs().iter().zip(conductances);
            let node = |n: usize| node_of[mesh.first + n];
            network.inner.extend(pairs.map(|(&(a, b), conductance)| Branch { ends: (node(a), node(b)), conductance }));
        }
        Ok(())
    }

    /// Joule power of the elements after a solve, given to the nodes of all meshes (W).
    pub(crate) fn heat(&self, solver: &NetworkSolver, node_of: &[usize], out: &mut Vec<f64>) {
        out.clear();
        for (mesh, elements) in self.all.iter().zip(&self.elements) {
            let Some(elements) = elements else {
                out.resize(out.len() + mesh.nodes().len(), 0.0);
                continue;
            };
            let node = |n: usize| node_of[mesh.first + n];
            let over = |a: usize, b: usize| solver.drop_across((node(a), node(b)));
            out.extend(mesh.heat.dissipated(|e| elements.conductivities[e], over, &elements.volumes));
        }
    }

    /// Current density in all elements of meshes after a solve, in the order of their rows, world axes of the start (A/m²).
    pub(crate) fn current_densities(&self, setup: &Setup, solver: &NetworkSolver, node_of: &[usize], out: &mut [[f64; 3]]) {
        let mut rows = out.iter_mut();
        for (mesh, elements) in self.all.iter().zip(&self.elements) {
            let own = rows.by_ref().take(mesh.heat.mesh().elements());
            let Some(elements) = elements else {
                own.for_each(|row| *row = [0.0; 3]);
                continue;
            };
            let over = |a: usize, b: usize| solver.drop_across((node_of[mesh.first + a], node_of[mesh.first + b]));
            let turn = setup.initial.orientation[mesh.body];
            let fluxes = mesh.heat.fluxes(|e| elements.conductivities[e], over, &elements.gradients);
            own.zip(fluxes).for_each(|(row, flux)| *row = (turn * flux).into());
        }
    }

    /// Gives the body of each conducting mesh the mean over its volume, and the nodes of a lump what its body has.
    pub(crate) fn complete(&self, values: &mut [f64]) {
        for (mesh, elements) in self.all.iter().zip(&self.elements) {
            if elements.is_some() {
                values[mesh.body] = mesh.mean(values);
            } else {
                let value = values[mesh.body];
                values[mesh.nodes()].fill(value);
            }
        }
    }
}

/// All materials of a mesh have a conductivity, or all are those of a lump, or all insulate.
///
/// # Errors
/// Two of different kinds.
fn one_kind(setup: &Setup, materials: &Materials, mesh: &BodyMesh) -> Result<(), InputError> {
    let body = BodyId::from_index(mesh.body);
    let words = |kind: MaterialId| match (materials.conducts(kind), materials.has_conductivity(kind)) {
        (true, true) => "has a `conductivity`",
        (true, false) => "conducts without one, as a lump",
        (false, _) => "insulates",
    };
    let base = setup.material_of(body);
    let Some(other) = mesh.kinds().into_iter().find(|kind| words(*kind) != words(base)) else { return Ok(()) };
    let name = |kind: MaterialId| &setup.materials[kind.index()].name;
    Err(InputError::new(format!(
        "in {} the material `{}` {}, but `{}` {}: current in a part of a mesh is not computed",
        setup.body_label(body),
        name(base),
        words(base),
        name(other),
        words(other)
    ))
    .help("give all materials of the mesh `electrical: (conductivity: …)` (a poor conductor has a small one), or make the parts two bodies")
    .at(name(other)))
}
