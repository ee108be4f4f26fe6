//! Loads against closed forms: Lamé's thick ring, pressure that follows, gravity in axisymmetry.

use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use mpcd_core::Vec3;
use mpcd_fem::{Body, Cell, Conditions, Mesh, Model, Newton, Prescribed, Scheme, Space, State, Statics};

use crate::{SPATIAL, linear, model, neo_hookean, unit};

/// u(r) of a ring a ≤ r ≤ b in plane strain with pressure p inside.
fn lame(young: f64, poisson: f64, a: f64, b: f64, p: f64, r: f64) -> f64 {
    (1.0 + poisson) / young * a * a * p / (b * b - a * a) * ((1.0 - 2.0 * poisson) * r + b * b / r)
}

#[test]
fn thick_ring_under_pressure() {
    let (young, poisson, a, b, p) = (1e5, 0.3, 1.0, 2.0, 10.0);
    let check = |model: &Arc<Model>, held: Conditions, tolerance: f64| {
        let loaded = held.with_pressure(model, "inner", p).unwrap();
        let (state, _) = Statics::new(model.clone()).solve(&model.rest(), &Conditions::default(), &loaded, 1).unwrap();
        for (node, x) in model.mesh().nodes().iter().enumerate() {
            // in axisymmetry the radius is x alone
            let r = if model.space() == Space::Axisymmetric { x.x } else { x.norm() };
            let out = if model.space() == Space::Axisymmetric { Vec3::x() } else { x / r };
            let found = state.displacement[2 * node] * out.x + state.displacement[2 * node + 1] * out.y;
            let exact = lame(young, poisson, a, b, p, r);
            assert!((found / exact - 1.0).abs() < tolerance, "{:?} r {r}: {found} {exact}", model.space());
        }
    };
    for (cell, tolerance) in [(Cell::Quad8, 2e-4), (Cell::Tri6, 2e-4), (Cell::Quad4, 1e-2)] {
        let ring = Mesh::annulus(a, b, 0.5 * PI, [16, 24], cell).unwrap();
        let ring = model(ring, Space::PlaneStrain { thickness: 0.1 }, linear(young, poisson), 1.0);
        let held = Conditions::default().with_held(&ring, "start", 1, Prescribed::Displacement(0.0)).unwrap();
        check(&ring, held.with_held(&ring, "end", 0, Prescribed::Displacement(0.0)).unwrap(), tolerance);
        let mut tube = Mesh::rectangle([b - a, 0.3], [8, 2], cell).unwrap().moved(|x| x + Vec3::new(a, 0.0, 0.0)).unwrap();
        tube.add_faces_where("inner", |x| (x.x - a).abs() < 1e-9).unwrap();
        let tube = model(tube, Space::Axisymmetric, linear(young, poisson), 1.0);
        let held = Conditions::default().with_held(&tube, "bottom", 1, Prescribed::Displacement(0.0)).unwrap();
        check(&tube, held.with_held(&tube, "top", 1, Prescribed::Displacement(0.0)).unwrap(), tolerance);
    }
}

/// A rubber cube under pressure on all sides shrinks to where Cauchy's stress is −p, not to where the force at rest is.
#[test]
fn pressure_follows_large_strain() {
    let (young, poisson, p) = (1000.0, 0.3, 60.0);
    for cell in SPATIAL {
        let model = model(unit(cell, 1), Space::Solid, neo_hookean(young, poisson), 1.0);
        let free = Conditions::default();
        let held = [("left", 0), ("bottom", 1), ("back", 2)]
            .into_iter()
            .fold(free.clone(), |c, (group, axis)| c.with_held(&model, group, axis, Prescribed::Displacement(0.0)).unwrap());
        let loaded = held.with_pressure(&model, "skin", p).unwrap();
        let mut statics = Statics::new(model.clone()).with_newton(Newton { tolerance: 1e-11, iterations: 8 });
        let (state, _) = statics.solve(&model.rest(), &free, &loaded, 2).unwrap();
        for value in model.point_values(&state, 0).unwrap() {
            assert!(
                (value.stress[0] / -p - 1.0).abs() < 1e-8 && value.von_mises < 1e-6 * p,
                "{}: {:?}",
                cell.name(),
                value.stress
            );
        }
    }
}

/// A pressure on one side alone, whose stiffness is not symmetric: a rubber block is pressed to 0.4 of its modulus in one step, by few iterations of
/// every kind of step; Cauchy's stress is that of the pressure everywhere.
#[test]
fn a_pressure_on_one_side_takes_few_iterations() {
    let (young, p) = (1000.0, 400.0);
    for (mesh, space) in [
        (unit(Cell::Quad8, 2), Space::PlaneStrain { thickness: 0.3 }),
        (unit(Cell::Quad4, 3), Space::PlaneStrain { thickness: 1.0 }),
        (unit(Cell::Hex20, 1), Space::Solid),
        (unit(Cell::Tet10, 1), Space::Solid),
    ] {
        let model = model(mesh, space, neo_hookean(young, 0.3), 1e-9);
        let sides = [("left", 0), ("bottom", 1), ("back", 2)].into_iter().take(model.dimension());
        let held = sides
            .fold(Conditions::default(), |c, (group, axis)| c.with_held(&model, group, axis, Prescribed::Velocity(0.0)).unwrap());
        let loaded = held.with_pressure(&model, "top", p).unwrap();
        let newton = Newton { tolerance: 1e-11, iterations: 12 };
        let stressed = |state: &State| {
            for value in model.point_values(state, 0).unwrap() {
                assert!((value.stress[1] / -p - 1.0).abs() < 1e-8, "{:?}", value.stress);
                assert!(value.stress[0].abs() < 1e-6 * p, "{:?}", value.stress);
            }
        };
        for symmetric in [false, true] {
            let mut body = Body::new(model.clone(), Scheme::Static).unwrap().with_newton(newton);
            if symmetric {
                body = body.with_symmetric_tangent();
            }
            let mut step = body.begin(&model.rest(), 1.0, &loaded, &loaded).unwrap();
            let none = vec![0.0; model.unknowns()];
            while {
                body.linearise(&mut step).unwrap();
                !body.correct(&mut step, &none).unwrap()
            } {}
            stressed(&body.finish(step).unwrap().0);
        }
        let still = ["left", "bottom", "back"].into_iter().enumerate().take(model.dimension());
        let held = still.fold(Conditions::default(), |c, (axis, group)| {
            c.with_held(&model, group, axis, Prescribed::Displacement(0.0)).unwrap()
        });
        let loaded = held.with_pressure(&model, "top", p).unwrap();
        stressed(
            &Statics::new(model.clone()).with_newton(newton).solve(&model.rest(), &Conditions::default(), &loaded, 1).unwrap().0,
        );
    }
}

/// The weight of a ring and its pressure on the ground are those of the whole ring; a linear traction is the area times it.
#[test]
fn axisymmetric_loads_are_those_of_the_ring() {
    let mesh = Mesh::rectangle([0.5, 2.0], [3, 4], Cell::Tri6).unwrap().moved(|x| x + Vec3::x()).unwrap();
    let model = model(mesh, Space::Axisymmetric, linear(1e5, 0.2), 10.0);
    let volume = PI * (1.5 * 1.5 - 1.0) * 2.0;
    assert!((model.mass() / (10.0 * volume) - 1.0).abs() < 1e-13);
    assert!((model.area("left").unwrap() / (TAU * 2.0) - 1.0).abs() < 1e-13);
    let held = Conditions::default().with_held(&model, "bottom", 1, Prescribed::Displacement(0.0)).unwrap();
    let heavy = held.with_gravity(Vec3::new(0.0, -9.81, 0.0)).with_traction(&model, "top", Vec3::new(0.0, -7.0, 0.0)).unwrap();
    let (_, reactions) = Statics::new(model.clone()).solve(&model.rest(), &Conditions::default(), &heavy, 1).unwrap();
    let weight = 9.81 * 10.0 * volume + 7.0 * PI * (1.5 * 1.5 - 1.0);
    assert!((reactions.iter().sum::<f64>() / weight - 1.0).abs() < 1e-10);
}
