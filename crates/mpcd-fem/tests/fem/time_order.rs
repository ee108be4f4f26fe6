//! Order of convergence in time of every scheme, for a linear and a large motion: from the differences of runs with halved steps.

use std::sync::Arc;

use mpcd_core::Vec3;
use mpcd_fem::{Body, Cell, Conditions, KelvinVoigt, MassKind, Material, Mesh, Model, Newton, Scheme, Section, Space, State};

use crate::{linear, neo_hookean, saint_venant};

const T: f64 = 0.4;

fn run(model: &Arc<Model>, scheme: Scheme, steps: usize) -> State {
    let fixed = Conditions::default().with_gravity(Vec3::new(0.0, -1.0, 0.0)).with_fixed(model, "left").unwrap();
    let pulled = fixed.clone().with_traction(model, "right", Vec3::new(2.0, 3.0, 0.0)).unwrap();
    let h = T / steps as f64;
    let mut body = Body::new(model.clone(), scheme).unwrap().with_newton(Newton { tolerance: 1e-12, iterations: 30 });
    let mut state = model.rest();
    for k in 0..steps {
        let at = |k: usize| Conditions::between(&fixed, &pulled, (k as f64 / steps as f64).powi(2));
        state = body.advance(&state, h, &at(k), &at(k + 1)).unwrap().0;
    }
    state
}

/// From the differences of the runs with n, 2n and 4n steps.
fn order(model: &Arc<Model>, scheme: Scheme, steps: usize) -> f64 {
    let [coarse, middle, fine] = [1, 2, 4].map(|k| run(model, scheme, k * steps));
    let difference = |a: &State, b: &State| -> f64 {
        let sum = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
        (sum(&a.displacement, &b.displacement) + T * T * sum(&a.velocity, &b.velocity)).sqrt()
    };
    (difference(&coarse, &middle) / difference(&middle, &fine)).log2()
}

fn bar(material: impl Material + 'static, damping: f64) -> Arc<Model> {
    let mesh = Mesh::rectangle([1.0, 0.5], [2, 1], Cell::Quad4).unwrap();
    let section = Section::new(material, 1.0).unwrap().with_rayleigh(damping, 0.0).unwrap();
    Arc::new(Model::new(mesh, Space::PlaneStrain { thickness: 1.0 }, &section).unwrap())
}

#[test]
fn v8_order_in_time_of_every_scheme() {
    let mass = MassKind::Consistent;
    let models = [bar(linear(100.0, 0.3), 1.0), bar(saint_venant(100.0, 0.3), 0.0), bar(neo_hookean(100.0, 0.3), 0.5)];
    for model in &models {
        let half = Scheme::Theta { theta: 0.5, mass };
        for (scheme, steps, expected, band) in [
            (half, 128, 2.0, 0.1),
            (Scheme::Theta { theta: 0.5, mass: MassKind::Lumped }, 128, 2.0, 0.1),
            (Scheme::Theta { theta: 1.0, mass }, 256, 1.0, 0.1),
            (Scheme::Theta { theta: 0.75, mass }, 256, 1.0, 0.1),
            (Scheme::Conserving { mass }, 128, 2.0, 0.1),
            (Scheme::Explicit, 64, 2.0, 0.1),
        ] {
            let found = order(model, scheme, steps);
            assert!((found - expected).abs() < band, "{scheme:?}: order {found}, expected {expected}");
        }
    }
}

/// Viscosity of the material keeps order 2 in the implicit schemes; the explicit one takes it from the velocity before, order 1.
#[test]
fn viscous_materials_keep_the_order() {
    let mass = MassKind::Consistent;
    for material in [Arc::new(linear(100.0, 0.3)) as Arc<dyn Material>, Arc::new(saint_venant(100.0, 0.3))] {
        let model = bar(KelvinVoigt::new(material, 0.02).unwrap(), 0.0);
        for (scheme, steps, expected, band) in [
            (Scheme::Theta { theta: 0.5, mass }, 16, 2.0, 0.1),
            (Scheme::Conserving { mass }, 16, 2.0, 0.1),
            (Scheme::Explicit, 64, 1.0, 0.1),
        ] {
            let found = order(&model, scheme, steps);
            assert!((found - expected).abs() < band, "{scheme:?}: order {found}, expected {expected}");
        }
    }
}

/// Newton's method converges by squares: few iterations where the motion is large, in every scheme and law. A tangent that is not the
/// derivative takes dozens. The viscous one leaves its unsymmetric part out and takes some more.
#[test]
fn newton_takes_few_iterations() {
    let mass = MassKind::Consistent;
    let viscous = KelvinVoigt::new(Arc::new(neo_hookean(100.0, 0.3)), 0.01).unwrap();
    for (model, bound) in
        [(bar(saint_venant(100.0, 0.3), 0.3), 6), (bar(neo_hookean(100.0, 0.3), 0.3), 6), (bar(viscous, 0.0), 12)]
    {
        for scheme in [Scheme::Theta { theta: 0.5, mass }, Scheme::Theta { theta: 1.0, mass }, Scheme::Conserving { mass }] {
            let fixed = Conditions::default().with_fixed(&model, "left").unwrap();
            let pulled = fixed.clone().with_traction(&model, "right", Vec3::new(0.0, 10.0, 0.0)).unwrap();
            let mut body = Body::new(model.clone(), scheme).unwrap().with_newton(Newton { tolerance: 1e-12, iterations: 30 });
            let none = vec![0.0; model.unknowns()];
            let mut step = body.begin(&model.rest(), 0.1, &pulled, &pulled).unwrap();
            loop {
                body.linearise(&mut step).unwrap();
                if body.correct(&mut step, &none).unwrap() {
                    break;
                }
            }
            assert!(step.iterations() <= bound, "{scheme:?} {bound}: {}", step.iterations());
            let moved = body.finish(step).unwrap().0.displacement.iter().fold(0.0_f64, |m, u| m.max(u.abs()));
            assert!(moved > 0.1, "{moved}");
        }
    }
}
