//! The face to contact: free velocity, impulses, compliance of a boundary, and a small unilateral problem solved with them alone.

use std::sync::Arc;

use mpcd_core::Vec3;
use mpcd_fem::{Balance, Body, Cell, Conditions, MassKind, Mesh, Model, Scheme, Space};

use crate::{PLANAR, SPATIAL, distorted, linear, model, saint_venant, unit};

const MASS: MassKind = MassKind::Consistent;

/// Impulses on boundary unknowns, by compliance and by a solve of the whole body: the same velocities; the matrix is symmetric and
/// positive; held unknowns do not move.
#[test]
fn compliance_is_the_response_of_the_boundary() {
    for cell in SPATIAL {
        for scheme in [Scheme::Theta { theta: 0.6, mass: MASS }, Scheme::Explicit] {
            let model = model(unit(cell, 1), Space::Solid, linear(1e3, 0.3), 10.0);
            let fixed = Conditions::default().with_fixed(&model, "left").unwrap();
            let mut body = Body::new(model.clone(), scheme).unwrap();
            let h = 0.5 * body.stable_step(&model.rest()).unwrap().0;
            let mut step = body.begin(&model.rest(), h, &fixed, &fixed).unwrap();
            assert!(body.compliance(&[0]).is_err(), "nothing is factorised yet");
            body.linearise(&mut step).unwrap();
            let unknowns: Vec<usize> =
                model.mesh().skin().unwrap().nodes.iter().flat_map(|n| [3 * n, 3 * n + 1, 3 * n + 2]).collect();
            let compliance = body.compliance(&unknowns).unwrap();
            let impulse: Vec<f64> = (0..unknowns.len()).map(|k| (1.7 * k as f64).sin()).collect();
            let mut all = vec![0.0; model.unknowns()];
            unknowns.iter().zip(&impulse).for_each(|(&k, r)| all[k] = *r);
            let whole = body.respond(&all).unwrap();
            let mut found = vec![0.0; unknowns.len()];
            compliance.add(&impulse, &mut found);
            let size = whole.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            let held = model.mesh().nodes_of("left").unwrap();
            for (k, &unknown) in unknowns.iter().enumerate() {
                assert!((found[k] - whole[unknown]).abs() < 1e-12 * size);
                assert!(!held.contains(&(unknown / 3)) || found[k] == 0.0);
                for l in 0..unknowns.len() {
                    let size = compliance.at(k, k).max(compliance.at(l, l));
                    assert!((compliance.at(k, l) - compliance.at(l, k)).abs() <= 1e-12 * size);
                }
            }
            assert!(impulse.iter().zip(&found).map(|(r, v)| r * v).sum::<f64>() > 0.0);
            assert!(body.correct(&mut step, &all).unwrap());
            let (state, balance, forces) = body.finish_with_forces(step).unwrap();
            // From rest without loads, reactions and contacts alone give the momentum.
            let sum = |of: &[f64]| of.chunks_exact(3).map(|f| Vec3::new(f[0], f[1], f[2]) * h).sum::<Vec3>();
            let (reactions, contacts) = (sum(&forces.reaction), sum(&forces.contact));
            let missing = body.momenta(&state).unwrap().0 - reactions - contacts;
            assert!(missing.norm() < 1e-12 * (reactions.norm() + contacts.norm()) && reactions.norm() > 1e-3, "{missing}");
            let free = |k: &usize| !held.contains(&(k / 3));
            assert!((0..model.unknowns()).filter(free).all(|k| forces.reaction[k] == 0.0));
            assert!(balance.contact != 0.0 && balance.residual().abs() < 1e-12 * balance.contact.abs(), "{balance:?}");
            assert!(body.compliance(&[model.unknowns()]).is_err());
        }
    }
}

/// A bar of one column of elements that flies against a wall: Signorini on the velocity of its end by the compliance alone.
/// What it must do: touch for 2L/c, push with ρcv₀S (impulse over time), and fly off.
struct Impact {
    model: Arc<Model>,
    body: Body,
    end: Vec<usize>,
}

impl Impact {
    fn new(scheme: Scheme, elements: usize, large: bool) -> Self {
        let mesh = Mesh::rectangle([1.0, 0.02], [elements, 1], Cell::Quad4).unwrap();
        let space = Space::PlaneStress { thickness: 3.14e-4 / 0.02 };
        let model = if large {
            model(mesh, space, saint_venant(210e9, 0.0), 7800.0)
        } else {
            model(mesh, space, linear(210e9, 0.0), 7800.0)
        };
        let end = model.mesh().nodes_of("left").unwrap().into_iter().map(|n| 2 * n).collect();
        Self { body: Body::new(model.clone(), scheme).unwrap(), model, end }
    }

    /// Time of contact, impulse, final mean velocity, balance.
    fn run(&mut self, h: f64) -> (f64, f64, f64, Balance) {
        let (v0, gap, free) = (-0.1, 5e-5, Conditions::default());
        let mut state = self.model.rest();
        (0..self.model.mesh().nodes().len()).for_each(|n| state.velocity[2 * n] = v0);
        let (mut touched, mut impulse, mut total) = (0.0, 0.0, Balance::default());
        while state.time < 1.2e-3 {
            let mut step = self.body.begin(&state, h, &free, &free).unwrap();
            let (mut all, mut done) = (vec![0.0; self.model.unknowns()], false);
            while !done {
                self.body.linearise(&mut step).unwrap();
                let compliance = self.body.compliance(&self.end).unwrap();
                let closed: Vec<bool> =
                    self.end.iter().map(|&k| gap + state.displacement[k] + 0.5 * h * state.velocity[k] <= 0.0).collect();
                let u: Vec<f64> = self.end.iter().map(|&k| step.free_velocity()[k]).collect();
                let mut r = vec![0.0; u.len()];
                for _ in 0..200 {
                    for a in (0..r.len()).filter(|&a| closed[a]) {
                        let others: f64 = (0..r.len()).filter(|&b| b != a).map(|b| compliance.at(a, b) * r[b]).sum();
                        r[a] = ((-u[a] - others) / compliance.at(a, a)).max(0.0);
                    }
                }
                all.fill(0.0);
                self.end.iter().zip(&r).for_each(|(&k, r)| all[k] = *r);
                done = self.body.correct(&mut step, &all).unwrap();
            }
            let push: f64 = all.iter().sum();
            (touched, impulse) = (touched + if push > 0.0 { h } else { 0.0 }, impulse + push);
            let (next, balance) = self.body.finish(step).unwrap();
            total.add(&balance);
            state = next;
        }
        let p = self.body.momenta(&state).unwrap().0.x;
        (touched, impulse, p / self.model.mass(), total)
    }
}

#[test]
fn v8_impact_of_an_elastic_bar() {
    let c = (210e9_f64 / 7800.0).sqrt();
    let mass = 7800.0 * 3.14e-4;
    let schemes = [
        (Scheme::Theta { theta: 0.5, mass: MASS }, false),
        (Scheme::Theta { theta: 0.5, mass: MASS }, true),
        (Scheme::Explicit, false),
    ];
    for (scheme, large) in schemes {
        let mut impact = Impact::new(scheme, 200, large);
        let h = 0.8 * impact.body.stable_step(&impact.model.rest()).unwrap().0;
        let (touched, impulse, velocity, total) = impact.run(h);
        assert!((impulse / (mass * (0.1 + velocity)) - 1.0).abs() < 1e-6, "momentum is what the wall gave");
        assert!((velocity / 0.1 - 1.0).abs() < 0.02, "{scheme:?}: {velocity}");
        assert!((touched / (2.0 / c) - 1.0).abs() < 0.02, "{scheme:?}: {touched:e}");
        assert!((impulse / touched / 1270.827 - 1.0).abs() < 0.02, "{scheme:?}: {}", impulse / touched);
        let e0 = 0.5 * mass * 0.01;
        assert!(total.residual().abs() < 1e-7 * e0 && total.contact < 0.0 && total.contact > -0.03 * e0, "{total:?}");
    }
}

/// Lumped masses are positive at every node of every element, and add up to the mass: the compliance of the explicit scheme is
/// their inverse.
#[test]
fn lumped_masses_are_positive_and_complete() {
    for cell in PLANAR.into_iter().chain(SPATIAL) {
        let plane = if cell.dimension() == 3 {
            vec![Space::Solid]
        } else {
            vec![Space::PlaneStrain { thickness: 0.2 }, Space::Axisymmetric]
        };
        for space in plane {
            let model = model(distorted(unit(cell, 1).moved(|x| x + Vec3::x()).unwrap(), 0.02), space, linear(1e3, 0.3), 10.0);
            let mut body = Body::new(model.clone(), Scheme::Explicit).unwrap();
            let free = Conditions::default();
            let h = body.stable_step(&model.rest()).unwrap().0;
            let mut step = body.begin(&model.rest(), 0.5 * h, &free, &free).unwrap();
            body.linearise(&mut step).unwrap();
            let along_y: Vec<usize> = (0..model.mesh().nodes().len()).map(|n| n * cell.dimension() + 1).collect();
            let compliance = body.compliance(&along_y).unwrap();
            let masses: Vec<f64> = (0..along_y.len()).map(|k| 1.0 / compliance.at(k, k)).collect();
            assert!(masses.iter().all(|m| *m > 0.0), "{} {space:?}: {masses:?}", cell.name());
            assert!((masses.iter().sum::<f64>() / model.mass() - 1.0).abs() < 1e-12);
        }
    }
}

/// The free fall of a body: the free velocity is g h, and an impulse at one node carries its momentum.
#[test]
fn free_fall_and_a_blow() {
    let model = model(unit(Cell::Tet10, 1), Space::Solid, linear(1e3, 0.3), 10.0);
    let mut body = Body::new(model.clone(), Scheme::Theta { theta: 0.5, mass: MASS }).unwrap();
    let falling = Conditions::default().with_gravity(Vec3::new(0.0, 0.0, -9.81));
    let mut step = body.begin(&model.rest(), 1e-2, &falling, &falling).unwrap();
    body.linearise(&mut step).unwrap();
    assert!(step.free_velocity().chunks_exact(3).all(|v| v[0].abs() + v[1].abs() < 1e-12 && (v[2] + 0.0981).abs() < 1e-12));
    let mut impulse = vec![0.0; model.unknowns()];
    impulse[3 * 5 + 1] = 2.0;
    body.correct(&mut step, &impulse).unwrap();
    let (state, _) = body.finish(step).unwrap();
    let (p, _) = body.momenta(&state).unwrap();
    assert!((p - Vec3::new(0.0, 2.0, -0.981)).norm() < 1e-12, "{p}");
}
