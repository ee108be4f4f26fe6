//! J2 plasticity of an element against a cycle by hand.

use mpcd_fem::{Balance, Body, Conditions, Hardening, Isotropic, J2, MassKind, Newton, Prescribed, Scheme, Space, Statics};

use crate::{PLANAR, SPATIAL, model, unit};

const YOUNG: f64 = 200e3;
const YIELD: f64 = 200.0;
const H: f64 = 20e3;

fn steel() -> J2 {
    J2 { elastic: Isotropic::new(YOUNG, 0.3).unwrap(), hardening: Hardening::linear(YIELD, H).unwrap() }
}

/// Uniaxial stress with isotropic hardening: pulled to ε₁ = 0.004, pushed back to ε₂ = −0.001. By hand: the first yield at ε = σ_y/E;
/// then dσ/dε = EH/(E + H); the radius grows to σ₁; it yields again at −σ₁ and goes on with the same slope.
#[test]
fn uniaxial_cycle_by_hand() {
    let slope = YOUNG * H / (YOUNG + H);
    let (e1, e2) = (0.004, -0.001);
    let s1 = YIELD + slope * (e1 - YIELD / YOUNG);
    let s2 = -s1 + slope * (e2 - (e1 - 2.0 * s1 / YOUNG));
    let plastic1 = e1 - s1 / YOUNG;
    let alpha = plastic1 + (plastic1 - (e2 - s2 / YOUNG)).abs();
    assert!(s2 < -s1 && s2.is_finite());
    for cell in PLANAR.into_iter().chain(SPATIAL) {
        let solid = cell.dimension() == 3;
        let space = if solid { Space::Solid } else { Space::PlaneStress { thickness: 1.0 } };
        let model = model(unit(cell, 1), space, steel(), 1.0);
        let at = |u: f64| {
            let c = Conditions::default().with_held(&model, "left", 0, Prescribed::Displacement(0.0)).unwrap();
            let c = c.with_held(&model, "right", 0, Prescribed::Displacement(u)).unwrap();
            let c = c.with_held(&model, "bottom", 1, Prescribed::Displacement(0.0)).unwrap();
            if solid { c.with_held(&model, "back", 2, Prescribed::Displacement(0.0)).unwrap() } else { c }
        };
        let mut statics = Statics::new(model.clone()).with_newton(Newton { tolerance: 1e-12, iterations: 30 });
        let (first, _) = statics.solve(&model.rest(), &Conditions::default(), &at(e1), 3).unwrap();
        let (second, _) = statics.solve(&first, &at(e1), &at(e2), 4).unwrap();
        for (state, expected) in [(&first, s1), (&second, s2)] {
            for value in model.node_values(state).unwrap() {
                assert!((value.stress[0] / expected - 1.0).abs() < 1e-9, "{}: {} {expected}", cell.name(), value.stress[0]);
                assert!(value.stress[1].abs() < 1e-8 && (value.von_mises / expected.abs() - 1.0).abs() < 1e-9);
            }
        }
        let found = model.point_values(&second, 0).unwrap()[0].plastic;
        assert!((found / alpha - 1.0).abs() < 1e-9, "{}: {found} {alpha}", cell.name());
    }
}

/// The dissipated energy of a slow pull is the plastic work ∫σ dε_p, to the first order of the steps.
#[test]
fn plastic_work_is_in_the_balance() {
    let model = model(unit(mpcd_fem::Cell::Quad8, 1), Space::PlaneStress { thickness: 1.0 }, steel(), 1e-6);
    let mut body = Body::new(model.clone(), Scheme::Theta { theta: 1.0, mass: MassKind::Consistent }).unwrap();
    let (steps, e1) = (200, 0.004);
    let at = |u: f64| {
        let c = Conditions::default().with_held(&model, "left", 0, Prescribed::Displacement(0.0)).unwrap();
        let c = c.with_held(&model, "bottom", 1, Prescribed::Displacement(0.0)).unwrap();
        c.with_held(&model, "right", 0, Prescribed::Displacement(u)).unwrap()
    };
    let (mut state, mut total) = (model.rest(), Balance::default());
    for k in 0..steps {
        let u = |k: i32| at(e1 * f64::from(k) / f64::from(steps));
        let (next, balance) = body.advance(&state, 0.1, &u(k), &u(k + 1)).unwrap();
        total.add(&balance);
        state = next;
    }
    let s1 = YIELD + YOUNG * H / (YOUNG + H) * (e1 - YIELD / YOUNG);
    let work = 0.5 * (YIELD + s1) * (e1 - s1 / YOUNG);
    assert!((total.plastic / work - 1.0).abs() < 2e-3, "{} {work}", total.plastic);
    assert!(total.residual().abs() < 1e-9 * total.held.abs(), "{total:?} {:e}", total.residual());
    assert!((total.strain - 0.5 * s1 * s1 / YOUNG).abs() < 1e-6 * total.strain);
}
