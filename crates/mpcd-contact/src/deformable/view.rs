//! What frames and probes see of deformable bodies: moved meshes with displacement, velocity and stress.

use mpcd_core::{MeshArray, MeshView};
use mpcd_fem::State;

use super::{Deformables, Member};

impl Deformables {
    /// The meshes in these states. Stress and strain are those of the nodes: means of their elements.
    pub(crate) fn views(&self, states: &[State]) -> Vec<MeshView> {
        self.members.iter().zip(states).map(|(member, state)| member.view(state)).collect()
    }
}

impl Member {
    fn view(&self, state: &State) -> MeshView {
        let mesh = self.model.mesh();
        let d = self.model.dimension();
        let vector = |all: &[f64]| all.chunks_exact(d).flat_map(|v| [v[0], v[1], if d == 3 { v[2] } else { 0.0 }]).collect();
        let mut arrays = vec![
            MeshArray { name: "displacement", components: 3, values: vector(&state.displacement) },
            MeshArray { name: "velocity", components: 3, values: vector(&state.velocity) },
        ];
        // A mesh that cannot say its stress was refused in the step that made it.
        if let Ok(values) = self.model.node_values(state) {
            let tensor = |v: &mpcd_fem::Voigt, shear: f64| {
                let [x, y, z, xy, yz, zx] = [v[0], v[1], v[2], shear * v[3], shear * v[4], shear * v[5]];
                [x, xy, zx, xy, y, yz, zx, yz, z]
            };
            arrays.push(MeshArray {
                name: "stress",
                components: 9,
                values: values.iter().flat_map(|v| tensor(&v.stress, 1.0)).collect(),
            });
            arrays.push(MeshArray {
                name: "strain",
                components: 9,
                values: values.iter().flat_map(|v| tensor(&v.strain, 0.5)).collect(),
            });
            arrays.push(MeshArray { name: "von_mises", components: 1, values: values.iter().map(|v| v.von_mises).collect() });
            arrays.push(MeshArray { name: "plastic_strain", components: 1, values: values.iter().map(|v| v.plastic).collect() });
        }
        MeshView {
            body: self.body,
            points: state.positions(&self.model),
            cells: (0..mesh.elements()).map(|e| (mesh.cell(e).vtk(), mesh.element(e).to_vec())).collect(),
            arrays,
        }
    }
}
