//! Steps without inertia, and the symmetric part of the tangent: against the load path of statics, and against the whole tangent.

use std::sync::Arc;

use mpcd_core::Vec3;
use mpcd_fem::{Body, Cell, Conditions, MassKind, Mesh, Newton, Prescribed, Scheme, Space, State, Statics};

use crate::{model, neo_hookean, saint_venant};

fn differ(a: &[f64], b: &[f64]) -> f64 {
    let largest = a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs())) / largest
}

/// A block of rubber, held left, loaded by gravity and drawn right by a third of its length: steps of any length end where the load path of statics does,
/// with its reactions, and their balances close.
#[test]
fn static_steps_are_the_load_path() {
    for (mesh, space) in [
        (Mesh::rectangle([1.0, 0.5], [4, 2], Cell::Quad8).unwrap(), Space::PlaneStrain { thickness: 0.3 }),
        (Mesh::rectangle([1.0, 0.5], [4, 2], Cell::Quad4).unwrap(), Space::PlaneStress { thickness: 0.3 }),
        (Mesh::cuboid([1.0, 0.5, 0.5], [3, 1, 1], Cell::Tet10).unwrap(), Space::Solid),
    ] {
        let model = model(mesh, space, neo_hookean(1e5, 0.3), 1000.0);
        let at = |part: f64| {
            let c = Conditions::default().with_gravity(Vec3::new(0.0, -3.0 * part, 0.0)).with_fixed(&model, "left").unwrap();
            c.with_held(&model, "right", 0, Prescribed::Displacement(0.33 * part)).unwrap()
        };
        let (path, reactions) = Statics::new(model.clone()).solve(&model.rest(), &at(0.0), &at(1.0), 4).unwrap();
        for (h, count) in [(1e-4, 4_u32), (1.0, 4), (1e5, 8)] {
            let mut body =
                Body::new(model.clone(), Scheme::Static).unwrap().with_newton(Newton { tolerance: 1e-12, iterations: 30 });
            let mut state = model.rest();
            for k in 0..count {
                let part = |k: u32| f64::from(k) / f64::from(count);
                let (next, balance) = body.advance(&state, h, &at(part(k)), &at(part(k + 1))).unwrap();
                let scale = balance.strain.abs() + balance.held.abs() + balance.external.abs();
                assert!(balance.residual().abs() < 1e-10 * scale && balance.kinetic == 0.0, "{balance:?}");
                state = next;
            }
            assert!(differ(&path.displacement, &state.displacement) < 1e-9, "h = {h}");
            assert_eq!(body.momenta(&state).unwrap(), (Vec3::zeros(), Vec3::zeros()));
            let (_, balance) = body.advance(&state, h, &at(1.0), &at(1.0)).unwrap();
            let pulled: f64 = model.mesh().nodes_of("left").unwrap().iter().map(|n| reactions[n * model.dimension()]).sum();
            let right: f64 = model.mesh().nodes_of("right").unwrap().iter().map(|n| reactions[n * model.dimension()]).sum();
            assert!((balance.reactions.x / h).abs() < 1e-6 * pulled.abs() && (pulled + right).abs() < 1e-6 * pulled.abs());
        }
    }
}

/// A body that nothing holds has no statics: told with a node and an axis, whatever its law is.
#[test]
fn static_steps_want_supports() {
    let space = Space::PlaneStrain { thickness: 1.0 };
    let block = |material: Arc<mpcd_fem::Model>| {
        let mut body = Body::new(material.clone(), Scheme::Static).unwrap();
        let down = Conditions::default().with_gravity(Vec3::new(0.0, -1.0, 0.0));
        body.advance(&material.rest(), 1.0, &down, &down).unwrap_err().to_string()
    };
    let mesh = || Mesh::rectangle([1.0, 1.0], [2, 2], Cell::Quad4).unwrap();
    for said in [
        block(model(mesh(), space, crate::linear(1e5, 0.3), 1000.0)),
        block(model(mesh(), space, neo_hookean(1e5, 0.3), 1000.0)),
        block(model(mesh(), space, saint_venant(1e5, 0.3), 1000.0)),
    ] {
        assert!(said.contains("nothing keeps node"), "{said}");
    }
}

/// With the symmetric part of its tangent the conserving scheme finds the same motion, and what it condenses is symmetric.
#[test]
fn symmetric_tangents_find_the_same_motion() {
    let mesh = || Mesh::cuboid([0.3, 0.2, 0.1], [2, 1, 1], Cell::Hex8).unwrap();
    for model in
        [model(mesh(), Space::Solid, saint_venant(1e5, 0.3), 1000.0), model(mesh(), Space::Solid, neo_hookean(1e5, 0.3), 1000.0)]
    {
        let scheme = Scheme::Conserving { mass: MassKind::Consistent };
        let newton = Newton { tolerance: 1e-13, iterations: 60 };
        let mut start: State = model.rest();
        let (spin, centre) = (Vec3::new(20.0, 3.0, 10.0), Vec3::new(0.15, 0.1, 0.05));
        for (node, x) in model.mesh().nodes().iter().enumerate() {
            let v = spin.cross(&(x - centre)) + 5.0 * Vec3::new(x.x - 0.15, 0.0, 0.0);
            start.velocity[3 * node..3 * node + 3].copy_from_slice(v.as_slice());
        }
        let free = Conditions::default();
        let fly = |mut body: Body| {
            let mut state = start.clone();
            for _ in 0..50 {
                state = body.advance(&state, 2e-3, &free, &free).unwrap().0;
            }
            let surface: Vec<usize> = (0..model.unknowns()).step_by(3).collect();
            let c = body.compliance(&surface).unwrap();
            let skew = (0..surface.len()).flat_map(|i| (0..surface.len()).map(move |j| (i, j)));
            (state, skew.map(|(i, j)| (c.at(i, j) - c.at(j, i)).abs()).fold(0.0, f64::max) / c.at(0, 0))
        };
        let (whole, skew) = fly(Body::new(model.clone(), scheme).unwrap().with_newton(newton));
        let (part, none) = fly(Body::new(model.clone(), scheme).unwrap().with_newton(newton).with_symmetric_tangent());
        assert!(differ(&whole.displacement, &part.displacement) < 1e-9, "{:e}", differ(&whole.displacement, &part.displacement));
        assert!(skew > 1e-6 && none < 1e-12, "the whole tangent is off symmetry by {skew:e}, its symmetric part by {none:e}");
    }
}
