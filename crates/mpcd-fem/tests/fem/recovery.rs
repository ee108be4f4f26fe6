//! Stress at nodes: the linear stress of pure bending comes back exactly from quadratic elements.

use mpcd_core::Vec3;
use mpcd_fem::{Cell, Conditions, Mesh, Space, Statics};

use crate::{linear, model};

/// u = κxy, v = −½κx² with ν = 0 has σ_xx = Eκy and nothing else.
#[test]
fn stress_of_bending_at_nodes() {
    let (young, kappa) = (1e3, 1e-2);
    let field = |x: Vec3| Vec3::new(kappa * x.x * x.y, -0.5 * kappa * x.x * x.x, 0.0);
    for cell in [Cell::Tri6, Cell::Quad8, Cell::Tet10, Cell::Hex20] {
        let solid = cell.dimension() == 3;
        let mut mesh = match solid {
            false => Mesh::rectangle([2.0, 1.0], [3, 2], cell).unwrap(),
            true => Mesh::cuboid([2.0, 1.0, 0.5], [3, 2, 1], cell).unwrap(),
        };
        mesh.add_faces_where("skin", |_| true).unwrap();
        let space = if solid { Space::Solid } else { Space::PlaneStress { thickness: 1.0 } };
        let model = model(mesh, space, linear(young, 0.0), 1.0);
        let bent = Conditions::default().with_field(&model, "skin", field).unwrap();
        let (state, _) = Statics::new(model.clone()).solve(&model.rest(), &Conditions::default(), &bent, 1).unwrap();
        for (node, value) in model.node_values(&state).unwrap().iter().enumerate() {
            let x = model.mesh().nodes()[node];
            let exact = young * kappa * x.y;
            assert!((value.stress[0] - exact).abs() < 1e-9 * young * kappa, "{} {x}: {}", cell.name(), value.stress[0]);
            assert!((value.von_mises - exact.abs()).abs() < 1e-9 * young * kappa && value.plastic == 0.0);
            assert!((value.place - x - field(x)).norm() < 1e-12);
        }
    }
}
