//! Energy books of every scheme close, and each line is what it says.

use std::sync::Arc;

use mpcd_core::Vec3;
use mpcd_fem::{
    Balance, Body, Cell, Conditions, KelvinVoigt, MassKind, Mesh, Model, Newton, Prescribed, Scheme, Section, Space, State,
};

use crate::{linear, neo_hookean, saint_venant};

const MASS: MassKind = MassKind::Consistent;
const SCHEMES: [Scheme; 5] = [
    Scheme::Theta { theta: 0.5, mass: MASS },
    Scheme::Theta { theta: 0.8, mass: MASS },
    Scheme::Theta { theta: 1.0, mass: MassKind::Lumped },
    Scheme::Conserving { mass: MASS },
    Scheme::Explicit,
];

fn plate(section: &Section, space: Space) -> Arc<Model> {
    let mesh = Mesh::rectangle([1.0, 0.5], [4, 2], Cell::Quad4).unwrap();
    Arc::new(Model::new(mesh, space, section).unwrap())
}

/// Pulled at the right, shaken at the left, under gravity.
fn run(model: &Arc<Model>, scheme: Scheme, h: f64, steps: usize) -> (State, Balance, f64) {
    let at = |k: usize| {
        let t = h * k as f64;
        Conditions::default()
            .with_gravity(Vec3::new(0.0, -9.81, 0.0))
            .with_fixed(model, "left")
            .unwrap()
            .with_held(model, "left", 1, Prescribed::Velocity(0.3 * (20.0 * t).sin()))
            .unwrap()
            .with_traction(model, "right", Vec3::new(200.0 * (30.0 * t).sin(), 0.0, 0.0))
            .unwrap()
    };
    let mut body = Body::new(model.clone(), scheme).unwrap().with_newton(Newton { tolerance: 1e-13, iterations: 30 });
    let (mut state, mut total, mut traffic) = (model.rest(), Balance::default(), 0.0);
    let start = body.energies(&state).unwrap();
    for k in 0..steps {
        let (next, balance) = body.advance(&state, h, &at(k), &at(k + 1)).unwrap();
        state = next;
        traffic += balance.external.abs() + balance.held.abs() + balance.kinetic.abs() + balance.strain.abs();
        total.add(&balance);
    }
    let end = body.energies(&state).unwrap();
    assert!((end.kinetic - start.kinetic - total.kinetic).abs() < 1e-11 * traffic);
    assert!((end.strain - start.strain - total.strain).abs() < 1e-11 * traffic);
    (state, total, traffic)
}

#[test]
fn books_close_in_every_scheme() {
    let steel = linear(1e5, 0.3);
    let (stress, strain) = (Space::PlaneStress { thickness: 0.1 }, Space::PlaneStrain { thickness: 0.1 });
    let sections = [
        (Section::new(steel, 10.0).unwrap(), stress),
        (Section::new(steel, 10.0).unwrap().with_rayleigh(3.0, 2e-4).unwrap(), stress),
        (Section::new(saint_venant(1e5, 0.3), 10.0).unwrap().with_rayleigh(1.0, 1e-4).unwrap(), stress),
        (Section::new(neo_hookean(1e5, 0.3), 10.0).unwrap().with_rayleigh(1.0, 0.0).unwrap(), stress),
        (Section::new(KelvinVoigt::new(Arc::new(neo_hookean(1e5, 0.3)), 1e-4).unwrap(), 10.0).unwrap(), strain),
    ];
    for (which, (section, space)) in sections.iter().enumerate() {
        let model = plate(section, *space);
        for scheme in SCHEMES {
            let (_, total, traffic) = run(&model, scheme, 2e-4, 200);
            let rest = total.residual().abs() / traffic;
            assert!(rest < 1e-10, "section {which} {scheme:?}: {rest:e} {total:?}");
            assert!(total.plastic == 0.0 && total.contact == 0.0);
            assert!(total.external != 0.0 && total.held != 0.0);
            assert!(if which == 0 { total.viscous.abs() < 1e-12 * traffic } else { total.viscous > 1e-6 * traffic });
            let implicit_linear = model.is_linear() && scheme != Scheme::Explicit;
            let conserving = matches!(scheme, Scheme::Conserving { .. });
            if implicit_linear || conserving {
                assert!(total.scheme.abs() < 1e-11 * traffic, "section {which} {scheme:?}: {:e}", total.scheme);
            }
            assert!(if scheme.theta() > 0.5 { total.theta < 0.0 } else { total.theta.abs() < 1e-12 * traffic });
        }
    }
}

/// What the θ-scheme does not tell of a large motion falls with the square of the step.
#[test]
fn scheme_line_is_second_order() {
    let model = plate(&Section::new(saint_venant(1e5, 0.3), 10.0).unwrap(), Space::PlaneStress { thickness: 0.1 });
    let line = |h: f64, steps| run(&model, SCHEMES[0], h, steps).1.scheme.abs();
    let order = (line(2e-4, 200) / line(1e-4, 400)).log2();
    assert!((order - 2.0).abs() < 0.3, "{order}");
}
