//! Patch tests: on distorted meshes with curved edges, a linear displacement of the boundary is a linear displacement of all
//! nodes, and its stress is uniform. Every element, every kinematic, small and large strain.

use mpcd_core::{Mat3, Vec3};
use mpcd_fem::{Cell, Conditions, Material, Newton, Space, Statics};

use crate::{PLANAR, SPATIAL, distorted, linear, model, neo_hookean, saint_venant, unit};

const PLANE_STRAIN: Space = Space::PlaneStrain { thickness: 0.3 };
const PLANE_STRESS: Space = Space::PlaneStress { thickness: 0.3 };

/// Largest error of a displacement and of a stress, relative to the largest of each.
fn errors(cell: Cell, space: Space, material: impl Material + 'static, gradient: Mat3) -> (f64, f64) {
    let n = if cell.dimension() == 2 { 3 } else { 2 };
    let size = if cell.is_quadratic() { 0.03 } else { 0.06 };
    // away from the axis, which is a boundary without surface
    let mesh = unit(cell, n).moved(|x| if space == Space::Axisymmetric { x + 0.5 * Vec3::x() } else { x }).unwrap();
    let model = model(distorted(mesh, size), space, material, 1.0);
    let field = |x: Vec3| gradient * x;
    let moved = Conditions::default().with_field(&model, "skin", field).unwrap();
    let exact = Newton { tolerance: 1e-13, iterations: 30 };
    let mut statics = Statics::new(model.clone()).with_newton(exact);
    let (state, _) = statics.solve(&model.rest(), &Conditions::default(), &moved, 1).unwrap();
    let d = cell.dimension();
    let mut displacement: f64 = 0.0;
    for (node, x) in model.mesh().nodes().iter().enumerate() {
        (0..d).for_each(|i| displacement = displacement.max((state.displacement[node * d + i] - field(*x)[i]).abs()));
    }
    let first = model.point_values(&state, 0).unwrap()[0].stress;
    let mut stress: f64 = 0.0;
    for e in 0..model.mesh().elements() {
        for value in model.point_values(&state, e).unwrap() {
            stress = stress.max((value.stress - first).amax());
        }
    }
    (displacement / gradient.amax(), stress / first.amax())
}

fn check(cell: Cell, space: Space, material: impl Material + 'static, gradient: Mat3) {
    let name = format!("{} {space:?} {material:?}", cell.name());
    let (displacement, stress) = errors(cell, space, material, gradient);
    assert!(displacement < 1e-10 && stress < 1e-10, "{name}: {displacement:e} {stress:e}");
}

#[test]
fn v8_patch_test_plane() {
    let small = Mat3::new(1e-3, 4e-4, 0.0, -2e-4, 5e-4, 0.0, 0.0, 0.0, 0.0);
    let large = Mat3::new(0.2, 0.15, 0.0, -0.1, -0.08, 0.0, 0.0, 0.0, 0.0);
    for cell in PLANAR {
        for space in [PLANE_STRAIN, PLANE_STRESS] {
            check(cell, space, linear(1e3, 0.3), small);
            check(cell, space, saint_venant(1e3, 0.3), large);
            check(cell, space, neo_hookean(1e3, 0.3), large);
        }
    }
}

/// In axisymmetry only u_r = a r, u_z = b z has a uniform stress in balance.
#[test]
fn v8_patch_test_axisymmetric() {
    for cell in PLANAR {
        check(cell, Space::Axisymmetric, linear(1e3, 0.3), Mat3::from_diagonal(&Vec3::new(1e-3, -4e-4, 0.0)));
        let large = Mat3::from_diagonal(&Vec3::new(0.2, -0.1, 0.0));
        check(cell, Space::Axisymmetric, saint_venant(1e3, 0.3), large);
        check(cell, Space::Axisymmetric, neo_hookean(1e3, 0.3), large);
    }
}

#[test]
fn v8_patch_test_solid() {
    let shape = Mat3::new(1.0, 0.4, -0.2, -0.3, 0.5, 0.6, 0.1, -0.5, -0.7);
    for cell in SPATIAL {
        check(cell, Space::Solid, linear(1e3, 0.3), shape * 1e-3);
        check(cell, Space::Solid, saint_venant(1e3, 0.3), shape * 0.15);
        check(cell, Space::Solid, neo_hookean(1e3, 0.3), shape * 0.15);
    }
}
