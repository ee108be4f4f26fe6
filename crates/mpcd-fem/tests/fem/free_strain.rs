//! Free strain, as of heat: a free body takes it without stress, a held one is stressed by it, and its work is in the books.

use std::sync::Arc;

use mpcd_core::Vec3;
use mpcd_fem::{
    Balance, Body, Cell, Conditions, FemError, Hardening, Isotropic, J2, KelvinVoigt, MassKind, Model, NeoHookean, Prescribed,
    Scheme, Section, Space, Statics,
};

use crate::{PLANAR, SPATIAL, distorted, linear, model, neo_hookean, saint_venant, unit};

fn spaces(cell: Cell) -> Vec<Space> {
    if cell.dimension() == 3 { vec![Space::Solid] } else { vec![Space::PlaneStress { thickness: 0.2 }, Space::Axisymmetric] }
}

fn uniform(model: &Model, strain: f64) -> Vec<f64> {
    vec![strain; model.mesh().nodes().len()]
}

/// All nodes go out by the free strain, and no stress is left; of large strain for laws of large strain.
#[test]
fn a_free_body_swells_without_stress() {
    for cell in PLANAR.into_iter().chain(SPATIAL) {
        for space in spaces(cell) {
            for (section, strain) in [
                (Section::new(linear(1e3, 0.3), 1.0).unwrap(), 1.2e-3),
                (Section::new(saint_venant(1e3, 0.3), 1.0).unwrap(), 0.2),
                (Section::new(neo_hookean(1e3, 0.3), 1.0).unwrap(), -0.2),
            ] {
                let name = format!("{} {space:?} {strain}", cell.name());
                let round = space == Space::Axisymmetric;
                let mesh = unit(cell, 2).moved(|x| if round { x + 0.5 * Vec3::x() } else { x }).unwrap();
                let mut mesh = distorted(mesh, 0.03);
                // three nodes hold the motions as a whole and nothing else
                let nodes = mesh.nodes().to_vec();
                let near = |corner: Vec3| {
                    let distance = |x: &Vec3| (x - corner).norm();
                    (0..nodes.len()).min_by(|a, b| distance(&nodes[*a]).total_cmp(&distance(&nodes[*b]))).unwrap()
                };
                let corners = [Vec3::zeros(), Vec3::x(), Vec3::y()].map(near);
                let groups = ["first", "second", "third"];
                groups.iter().zip(corners).for_each(|(group, n)| mesh.add_nodes_where(group, |x| x == nodes[n]).unwrap());
                let model = Arc::new(Model::new(mesh, space, &section).unwrap());
                let held: &[(usize, usize)] = match space {
                    Space::Axisymmetric => &[(0, 1)],
                    Space::Solid => &[(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)],
                    _ => &[(0, 0), (0, 1), (1, 1)],
                };
                let mut conditions = Conditions::default().with_free_strain(&model, uniform(&model, strain)).unwrap();
                for &(k, axis) in held {
                    let to = Prescribed::Displacement(strain * nodes[corners[k]][axis]);
                    conditions = conditions.with_held(&model, groups[k], axis, to).unwrap();
                }
                let mut statics = Statics::new(model.clone());
                let (state, reactions) = statics.solve(&model.rest(), &Conditions::default(), &conditions, 4).unwrap();
                let d = model.dimension();
                let wrong = |k: usize| (state.displacement[k] - strain * nodes[k / d][k % d]).abs();
                let error = (0..model.unknowns()).map(wrong).fold(0.0, f64::max);
                let values = model.node_values(&state).unwrap();
                let stress = values.iter().map(|v| v.stress.amax()).fold(0.0, f64::max);
                assert!(error < 1e-8 * strain.abs() && stress < 1e-7 * 1e3 * strain.abs(), "{name}: {error:e} m, {stress:e} Pa");
                assert!(reactions.iter().all(|r| r.abs() < 1e-7), "{name}");
                // the whole strain is told, across the plane too
                let told = if strain == 1.2e-3 { strain } else { 0.5 * ((1.0 + strain).powi(2) - 1.0) };
                let axial = values.iter().flat_map(|v| [v.strain[0], v.strain[1], v.strain[2]]);
                axial.for_each(|e| assert!((e / told - 1.0).abs() < 1e-7, "{name}: {e} of {told}"));
            }
        }
    }
}

/// Held at both ends, free across: −E α ΔT in all cells (VALIDATION §11: −252 MPa); held all around −E α ΔT/(1 − 2ν).
#[test]
fn v11_constrained_bar() {
    let (young, poisson, strain) = (210e9, 0.3, 1.2e-3);
    for cell in PLANAR.into_iter().chain(SPATIAL) {
        let space = if cell.dimension() == 3 { Space::Solid } else { Space::PlaneStress { thickness: 0.2 } };
        let model = model(unit(cell, 2), space, linear(young, poisson), 7800.0);
        let ends = |axes: &[(&str, usize)]| {
            let conditions = Conditions::default().with_free_strain(&model, uniform(&model, strain)).unwrap();
            axes.iter()
                .fold(conditions, |c, (side, axis)| c.with_held(&model, side, *axis, Prescribed::Displacement(0.0)).unwrap())
        };
        let mut axes = vec![("left", 0), ("right", 0), ("bottom", 1)];
        if cell.dimension() == 3 {
            axes.push(("back", 2));
        }
        let solve =
            |conditions| Statics::new(model.clone()).solve(&model.rest(), &Conditions::default(), &conditions, 1).unwrap();
        let (state, reactions) = solve(ends(&axes));
        for value in model.node_values(&state).unwrap() {
            assert!((value.stress[0] / -252e6 - 1.0).abs() < 1e-9, "{}: {}", cell.name(), value.stress[0]);
            assert!(value.stress[1].abs() < 1.0 && value.stress[2].abs() < 1.0, "{}: {:?}", cell.name(), value.stress);
        }
        let d = cell.dimension();
        let wall: f64 = model.mesh().nodes_of("right").unwrap().iter().map(|n| reactions[n * d]).sum();
        let area = if d == 3 { 1.0 } else { 0.2 };
        assert!((wall / (-252e6 * area) - 1.0).abs() < 1e-9, "{}: wall {wall}", cell.name());
        if d == 3 {
            axes.extend([("top", 1), ("front", 2)]);
            let (state, _) = solve(ends(&axes));
            let expected = -252e6 / (1.0 - 2.0 * poisson);
            for value in model.node_values(&state).unwrap() {
                assert!((0..3).all(|k| (value.stress[k] / expected - 1.0).abs() < 1e-9), "{}: {:?}", cell.name(), value.stress);
            }
        }
    }
}

/// A plate that swells unevenly and in time, held at one side: the books close, and what swelling does is the larger part of what is stored.
#[test]
fn swelling_works_in_the_books() {
    let mass = MassKind::Consistent;
    let elastic = Isotropic::new(1e5, 0.3).unwrap();
    let sections = [
        (Section::new(linear(1e5, 0.3), 10.0).unwrap(), 1e-3),
        (Section::new(KelvinVoigt::new(Arc::new(linear(1e5, 0.3)), 1e-4).unwrap(), 10.0).unwrap(), 1e-3),
        (Section::new(J2 { elastic, hardening: Hardening::linear(60.0, 1e4).unwrap() }, 10.0).unwrap(), 1e-3),
        (Section::new(NeoHookean(elastic), 10.0).unwrap(), 0.05),
    ];
    for (which, (section, size)) in sections.iter().enumerate() {
        let mesh = unit(Cell::Quad8, 2);
        let model = Arc::new(Model::new(mesh, Space::PlaneStress { thickness: 0.1 }, section).unwrap());
        for scheme in [Scheme::Theta { theta: 0.5, mass }, Scheme::Theta { theta: 1.0, mass }, Scheme::Explicit] {
            let h = 1e-4;
            let at = |k: usize| {
                let part = (f64::from(k as u32) / 100.0).min(1.0);
                let strain = model.mesh().nodes().iter().map(|x| size * part * (1.0 + x.x * x.y)).collect();
                Conditions::default().with_fixed(&model, "left").unwrap().with_free_strain(&model, strain).unwrap()
            };
            let mut body = Body::new(model.clone(), scheme).unwrap();
            let (mut state, mut total, mut traffic) = (model.rest(), Balance::default(), 0.0);
            for k in 0..100 {
                let (next, balance) = body.advance(&state, h, &at(k), &at(k + 1)).unwrap();
                state = next;
                traffic += balance.swelling.abs() + balance.strain.abs() + balance.kinetic.abs();
                total.add(&balance);
            }
            let energies = body.energies(&state).unwrap();
            let name = format!("section {which} {scheme:?}");
            assert!((energies.strain - total.strain).abs() < 1e-11 * traffic, "{name}");
            assert!(total.residual().abs() < 1e-9 * traffic, "{name}: {:e} of {traffic:e}", total.residual());
            assert!(total.swelling > 0.2 * energies.strain && energies.strain > 0.0, "{name}: {total:?}");
            if which == 0 && scheme != Scheme::Explicit {
                assert!(total.scheme.abs() < 1e-11 * traffic, "{name}: {:e}", total.scheme);
            }
            // stress and work are derivatives of one energy: what they do not tell of it is of third order
            if which != 2 {
                assert!(total.scheme.abs() < 1e-3 * total.swelling, "{name}: {:e} of {:e}", total.scheme, total.swelling);
            }
            assert_eq!(total.plastic > 0.0, which == 2, "{name}");
        }
    }
}

#[test]
fn free_strain_that_cannot_be_is_refused() {
    let model = model(unit(Cell::Quad4, 1), Space::PlaneStress { thickness: 1.0 }, linear(1.0, 0.3), 1.0);
    for (strain, part) in [(vec![0.0; 3], "free strain"), (vec![f64::NAN; 4], "finite"), (vec![-1.5; 4], "above −1")] {
        let error = Conditions::default().with_free_strain(&model, strain).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    let swollen = Conditions::default().with_free_strain(&model, vec![1e-3; 4]).unwrap();
    let mut body = Body::new(model.clone(), Scheme::Conserving { mass: MassKind::Consistent }).unwrap();
    let error = body.advance(&model.rest(), 1e-3, &swollen, &swollen).unwrap_err();
    assert!(matches!(error, FemError::Unsupported { .. }), "{error}");
}
