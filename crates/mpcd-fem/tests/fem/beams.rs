//! Cantilevers: first bending frequency, elastica, and where elements lock.

use std::f64::consts::TAU;
use std::sync::Arc;

use mpcd_core::Vec3;
use mpcd_fem::{Body, Cell, Conditions, MassKind, Mesh, Model, Prescribed, Scheme, Space, State, Statics};

use crate::{PLANAR, linear, model, saint_venant};

const STRESS: Space = Space::PlaneStress { thickness: 1.0 };

/// Deflection of the middle of the free end.
fn tip(model: &Model, state: &State) -> Vec3 {
    let nodes = model.mesh().nodes_of("right").unwrap();
    let d = model.dimension();
    let sum: Vec3 = nodes.iter().map(|n| Vec3::new(state.displacement[d * n], state.displacement[d * n + 1], 0.0)).sum();
    sum / nodes.len() as f64
}

/// The first frequency of bending is 3.51602 √(EI/ρAL⁴): from the zeros of a free oscillation that starts in the first mode.
#[test]
fn v8_first_bending_frequency() {
    let (young, length, height, density) = (1e6, 10.0_f64, 0.2_f64, 1.0);
    for (cell, mass) in [(Cell::Quad8, MassKind::Consistent), (Cell::Quad8, MassKind::Lumped), (Cell::Tri6, MassKind::Consistent)]
    {
        let model = model(Mesh::rectangle([length, height], [20, 2], cell).unwrap(), STRESS, linear(young, 0.0), density);
        let omega = 3.51602 * (young * height.powi(2) / 12.0 / density / length.powi(4)).sqrt();
        let fixed = Conditions::default().with_fixed(&model, "left").unwrap();
        // the shape of the first mode, cosh − cos − σ(sinh − sin), with the rotation of its sections
        let (beta, sigma) = (1.875_104_069 / length, 0.734_095_514);
        let mut state = model.rest();
        for (node, x) in model.mesh().nodes().iter().enumerate() {
            let s = beta * x.x;
            let w = s.cosh() - s.cos() - sigma * (s.sinh() - s.sin());
            let slope = beta * (s.sinh() + s.sin() - sigma * (s.cosh() - s.cos()));
            state.displacement[2 * node] = -1e-3 * slope * (x.y - 0.5 * height);
            state.displacement[2 * node + 1] = 1e-3 * w;
        }
        let mut body = Body::new(model.clone(), Scheme::Theta { theta: 0.5, mass }).unwrap();
        let period = TAU / omega;
        let h = period / 200.0;
        let (mut zeros, mut before) = (Vec::new(), tip(&model, &state).y);
        for _ in 0..450 {
            state = body.advance(&state, h, &fixed, &fixed).unwrap().0;
            let now = tip(&model, &state).y;
            if now * before < 0.0 {
                zeros.push(state.time - h * now / (now - before));
            }
            before = now;
        }
        let found = TAU / (zeros[2] - zeros[0]);
        // the rotation of sections and shear make a beam of 1:50 softer by 0.1 %
        assert!((found / omega - 1.0).abs() < 3e-3, "{} {mass:?}: {}", cell.name(), found / omega);
    }
}

/// PL²/EI = 1 and 2: tip angle, u/L, w/L of the elastica, by Saint-Venant–Kirchhoff with ν = 0 on slender meshes.
#[test]
fn v8_elastica() {
    let (young, length, height) = (1e9, 1.0_f64, 0.01_f64);
    let rigidity = young * height.powi(3) / 12.0;
    for cell in [Cell::Quad8, Cell::Tri6, Cell::Hex20] {
        let solid = cell.dimension() == 3;
        let (mesh, space) = if solid {
            (Mesh::cuboid([length, height, 1.0], [24, 1, 1], cell).unwrap(), Space::Solid)
        } else {
            (Mesh::rectangle([length, height], [24, 1], cell).unwrap(), STRESS)
        };
        let model = model(mesh, space, saint_venant(young, 0.0), 1.0);
        let area = model.area("right").unwrap();
        let fixed = Conditions::default().with_fixed(&model, "left").unwrap();
        let loaded = |p: f64| {
            let traction = Vec3::new(0.0, p * rigidity / length.powi(2) / area, 0.0);
            fixed.clone().with_traction(&model, "right", traction).unwrap()
        };
        let mut statics = Statics::new(model.clone());
        let (one, _) = statics.solve(&model.rest(), &fixed, &loaded(1.0), 4).unwrap();
        let (two, _) = statics.solve(&one, &loaded(1.0), &loaded(2.0), 4).unwrap();
        for (state, angle, u, w) in [(&one, 0.46135, 0.05643, 0.30172), (&two, 0.78175, 0.16064, 0.49346)] {
            let moved = tip(&model, state);
            let found = end_angle(&model, state);
            assert!((moved.y / w - 1.0).abs() < 2e-3, "{}: w {} {w}", cell.name(), moved.y);
            assert!((-moved.x / u - 1.0).abs() < 5e-3, "{}: u {} {u}", cell.name(), -moved.x);
            assert!((found / angle - 1.0).abs() < 3e-3, "{}: angle {found} {angle}", cell.name());
        }
    }
}

/// Angle of the free end's section from its upper and lower nodes.
fn end_angle(model: &Model, state: &State) -> f64 {
    let places = state.positions(model);
    let mut nodes = model.mesh().nodes_of("right").unwrap();
    nodes.sort_by(|a, b| model.mesh().nodes()[*a].y.total_cmp(&model.mesh().nodes()[*b].y));
    let way = places[nodes[nodes.len() - 1]] - places[nodes[0]];
    // with thickness the two nodes may lie on different edges across it, where nothing varies
    (-way.x).atan2(way.y)
}

/// Deflection of a beam by a force at its end over the value of the theory.
fn stiffness(cell: Cell, space: Space, poisson: f64, young: f64, count: [usize; 2]) -> f64 {
    let (length, height) = (10.0_f64, 1.0);
    let model = model(Mesh::rectangle([length, height], count, cell).unwrap(), space, linear(young, poisson), 1.0);
    let fixed = Conditions::default()
        .with_held(&model, "left", 0, Prescribed::Displacement(0.0))
        .unwrap()
        .with_held(&model, "origin", 1, Prescribed::Displacement(0.0))
        .unwrap();
    let loaded = fixed.clone().with_traction(&model, "right", Vec3::new(0.0, 1.0, 0.0)).unwrap();
    let (state, _) = Statics::new(model.clone()).solve(&model.rest(), &fixed, &loaded, 1).unwrap();
    let plane = if matches!(space, Space::PlaneStrain { .. }) { young / (1.0 - poisson * poisson) } else { young };
    let shear = young / (2.0 * (1.0 + poisson));
    let theory = length.powi(3) / (3.0 * plane / 12.0) + length / (5.0 / 6.0 * shear);
    tip(&model, &state).y / theory
}

/// Linear elements lock where they bend: Q4 of 1:2 to 1/(1 + …) of the deflection, T3 worse; quadratic ones do not.
#[test]
fn linear_elements_lock_in_bending() {
    let found: Vec<f64> = PLANAR.into_iter().map(|cell| stiffness(cell, STRESS, 0.3, 1.0, [10, 1])).collect();
    let [t3, t6, q4, q8] = found[..] else { panic!() };
    assert!(t3 < 0.35 && q4 < 0.75 && t6 > 0.97 && q8 > 0.98 && q8 < 1.01 && t6 < 1.01, "{found:?}");
    assert!(stiffness(Cell::Quad4, STRESS, 0.3, 1.0, [80, 8]) > 0.98, "it goes away with the mesh");
}

/// Nearly incompressible plane strain: T3 and Q4 lock, T6 and Q8 hardly.
#[test]
fn linear_elements_lock_near_incompressibility() {
    let strain = Space::PlaneStrain { thickness: 1.0 };
    let ratio = |cell| stiffness(cell, strain, 0.4999, 1.0, [40, 4]) / stiffness(cell, strain, 0.3, 1.0, [40, 4]);
    let found: Vec<f64> = PLANAR.into_iter().map(ratio).collect();
    let [t3, t6, q4, q8] = found[..] else { panic!() };
    assert!(t3 < 0.3 && q4 < 0.4 && t6 > 0.95 && q8 > 0.95, "{found:?}");
}

/// Statics of a body that nothing holds is refused with the node and axis; a body in buckling is followed on its straight path or refused.
#[test]
fn free_bodies_have_no_statics() {
    let model = model(Mesh::rectangle([1.0, 1.0], [2, 2], Cell::Quad4).unwrap(), STRESS, linear(1.0, 0.3), 1.0);
    let pulled = Conditions::default().with_traction(&model, "right", Vec3::new(1.0, 0.0, 0.0)).unwrap();
    let error = Statics::new(model.clone()).solve(&model.rest(), &Conditions::default(), &pulled, 1).unwrap_err().to_string();
    assert!(error.contains("rectangle: nothing keeps node") && error.contains("hold enough nodes"), "{error}");
    // held along x alone it can still slide along y
    let held = pulled.with_held(&model, "left", 0, Prescribed::Displacement(0.0)).unwrap();
    let error = Statics::new(Arc::clone(&model)).solve(&model.rest(), &Conditions::default(), &held, 1).unwrap_err().to_string();
    assert!(error.contains("along y"), "{error}");
}
