//! What frames and probes see of deformable bodies: moved meshes with what was asked for at their nodes. Stress is recovered only then.

use std::sync::Arc;

use mpcd_core::{ContactNetwork, MeshArray, MeshQuantity, MeshTopology, MeshView};
use mpcd_fem::{Mesh, NodalForces, PointValue, State, Voigt};

use super::{Deformables, Member, loads::ALL};

/// Cells and named parts of a mesh.
pub(super) fn topology(mesh: &Mesh) -> Arc<MeshTopology> {
    let mut names: Vec<&str> = mesh.group_names().into_iter().flatten().filter(|name| *name != ALL).collect();
    names.sort_unstable();
    names.dedup();
    Arc::new(MeshTopology {
        cells: (0..mesh.elements()).map(|e| (mesh.cell(e).vtk(), mesh.element(e).to_vec())).collect(),
        parts: names.into_iter().filter_map(|name| Some((name.to_owned(), mesh.nodes_of(name).ok()?))).collect(),
    })
}

impl Deformables {
    /// The meshes in these states, with the wanted arrays. Stress and strain are those of the nodes: means of their elements. `network` has the contacts of the
    /// step of `h` (s) that led there.
    pub(crate) fn views(
        &self,
        (states, forces): (&[State], &[NodalForces]),
        (network, h): (&ContactNetwork, f64),
        wanted: &[MeshQuantity],
    ) -> Vec<MeshView> {
        let asked = wanted.contains(&MeshQuantity::ContactPressure);
        let mut pressures = if asked { self.pressures(states, network, h) } else { Vec::new() }.into_iter();
        let each = self.members.iter().zip(states).zip(forces);
        each.map(|((member, state), forces)| member.view(state, (forces, pressures.next().unwrap_or_default()), wanted)).collect()
    }
}

impl Member {
    fn view(&self, state: &State, (forces, pressure): (&NodalForces, Vec<f64>), wanted: &[MeshQuantity]) -> MeshView {
        let d = self.model.dimension();
        let vector = |all: &[f64]| all.chunks_exact(d).flat_map(|v| [v[0], v[1], if d == 3 { v[2] } else { 0.0 }]).collect();
        // A mesh that cannot say its stress was refused in the step that made it.
        let values = if wanted.iter().any(is_recovered) { self.model.node_values(state).unwrap_or_default() } else { Vec::new() };
        let of = |quantity: MeshQuantity| match quantity {
            MeshQuantity::Displacement => vector(&state.displacement),
            MeshQuantity::Velocity => vector(&state.velocity),
            MeshQuantity::Reaction => vector(&forces.reaction),
            MeshQuantity::ContactForce => vector(&forces.contact),
            MeshQuantity::ContactPressure => pressure.clone(),
            // of stress and strain, or not of mechanics
            other => recovered(&values, other),
        };
        let array = |q: MeshQuantity| MeshArray { name: q.name(), components: q.components(), values: of(q) };
        MeshView {
            body: self.body,
            topology: Arc::clone(&self.topology),
            points: state.positions(&self.model),
            volume: self.model.volume(state),
            arrays: MeshQuantity::ALL.into_iter().filter(|q| wanted.contains(q) && q.field().is_none()).map(array).collect(),
            of_groups: self.of_groups(state, wanted),
        }
    }

    /// Stress and strain of groups of elements, where several materials give them a value on either side.
    fn of_groups(&self, state: &State, wanted: &[MeshQuantity]) -> Vec<(String, Vec<MeshArray>)> {
        if !self.several || !wanted.iter().any(is_recovered) {
            return Vec::new();
        }
        let mesh = self.model.mesh();
        let arrays = |name: &str| {
            let elements = mesh.element_group(name).ok()?.iter().copied();
            let values = self.model.node_values_of(state, elements).ok()?;
            let array = |q: MeshQuantity| MeshArray { name: q.name(), components: q.components(), values: recovered(&values, q) };
            let all = MeshQuantity::ALL.into_iter().filter(|q| wanted.contains(q) && is_recovered(q));
            Some((name.to_owned(), all.map(array).collect()))
        };
        let [elements, faces, nodes] = mesh.group_names();
        // a name means nodes or faces first
        elements.into_iter().filter(|name| !faces.contains(name) && !nodes.contains(name)).filter_map(arrays).collect()
    }
}

/// Whether a quantity is made of stress and strain of elements.
const fn is_recovered(quantity: &MeshQuantity) -> bool {
    use MeshQuantity::{PlasticStrain, Strain, Stress, VonMises};
    matches!(quantity, Stress | Strain | VonMises | PlasticStrain)
}

/// The numbers of such a quantity; none of others.
fn recovered(values: &[PointValue], quantity: MeshQuantity) -> Vec<f64> {
    match quantity {
        MeshQuantity::Stress => values.iter().flat_map(|v| tensor(&v.stress, 1.0)).collect(),
        MeshQuantity::Strain => values.iter().flat_map(|v| tensor(&v.strain, 0.5)).collect(),
        MeshQuantity::VonMises => values.iter().map(|v| v.von_mises).collect(),
        MeshQuantity::PlasticStrain => values.iter().map(|v| v.plastic).collect(),
        _ => Vec::new(),
    }
}

/// A tensor by rows; `shear` is what the off-diagonal numbers count.
fn tensor(v: &Voigt, shear: f64) -> [f64; 9] {
    let [x, y, z, xy, yz, zx] = [v[0], v[1], v[2], shear * v[3], shear * v[4], shear * v[5]];
    [x, xy, zx, xy, y, yz, zx, yz, z]
}
