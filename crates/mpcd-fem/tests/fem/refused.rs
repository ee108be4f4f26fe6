//! What models and steps refuse, and how: every message names the cause and what to do.

use std::sync::Arc;

use mpcd_core::Vec3;
use mpcd_fem::{
    Body, Cell, Conditions, FemError, Isotropic, J2, KelvinVoigt, LinearElastic, MassKind, Material, MaterialError, Model,
    NeoHookean, Newton, Prescribed, Response, SaintVenantKirchhoff, Scheme, Section, Space, Statics, Strain, Tangent, Voigt,
};

use crate::{linear, model, saint_venant, unit};

const PLANE: Space = Space::PlaneStrain { thickness: 1.0 };
const THETA: Scheme = Scheme::Theta { theta: 0.5, mass: MassKind::Consistent };

#[test]
fn models_that_do_not_fit() {
    let section = Section::new(linear(1.0, 0.3), 1.0).unwrap();
    let text = |mesh, space| Model::new(mesh, space, &section).unwrap_err().to_string();
    assert!(text(unit(Cell::Quad4, 1), Space::Solid).contains("dimension 2, but the kinematic `solid` needs 3"));
    assert!(text(unit(Cell::Tet4, 1), PLANE).contains("needs 2"));
    assert!(text(unit(Cell::Quad4, 1), Space::PlaneStress { thickness: 0.0 }).contains("thickness is 0"));
    let left = unit(Cell::Quad4, 1).moved(|x| x - Vec3::x()).unwrap();
    assert!(text(left, Space::Axisymmetric).contains("node 1 lies at radius -1 m"));
}

#[test]
fn schemes_and_steps_out_of_range() {
    let model = model(unit(Cell::Quad4, 2), PLANE, linear(1.0, 0.3), 1.0);
    let scheme = |theta| Scheme::Theta { theta, mass: MassKind::Consistent };
    assert!(Body::new(model.clone(), scheme(0.4)).is_err() && Body::new(model.clone(), scheme(f64::NAN)).is_err());
    let free = Conditions::default();
    let mut body = Body::new(model.clone(), THETA).unwrap();
    assert!(body.advance(&model.rest(), 0.0, &free, &free).is_err());
    let mut short = model.rest();
    short.velocity.pop();
    let error = body.advance(&short, 1.0, &free, &free).unwrap_err();
    assert_eq!(error, FemError::Length { what: "velocity", expected: 18, found: 17 });
    short = model.rest();
    short.history.push(0.0);
    assert!(body.advance(&short, 1.0, &free, &free).is_err());
    assert!(body.respond(&[0.0]).is_err());
    assert!(free.clone().with_held(&model, "left", 2, Prescribed::Velocity(0.0)).is_err());
    assert!(free.clone().with_held(&model, "left", 0, Prescribed::Velocity(f64::NAN)).is_err());
    assert!(free.clone().with_pressure(&model, "lefd", 1.0).unwrap_err().to_string().contains("`left`"));
    assert!(free.clone().with_traction(&model, "left", Vec3::new(f64::INFINITY, 0.0, 0.0)).is_err());
    let nan = Conditions::default().with_gravity(Vec3::new(f64::NAN, 0.0, 0.0));
    assert!(body.advance(&model.rest(), 1.0, &nan, &nan).is_err(), "a load that is no number");
    let moving = free.clone().with_held(&model, "left", 0, Prescribed::Velocity(1.0)).unwrap();
    let error = Statics::new(model.clone()).solve(&model.rest(), &free, &moving, 1).unwrap_err().to_string();
    assert!(error.contains("prescribe a displacement"), "{error}");
}

/// The explicit step is bounded, and the bound is real: just below it the motion stays, just above it blows up.
#[test]
fn explicit_steps_have_a_bound() {
    // one element, so that the bound of elements is that of the body
    let model = model(unit(Cell::Quad4, 1), PLANE, linear(1e4, 0.3), 10.0);
    let mut body = Body::new(model.clone(), Scheme::Explicit).unwrap();
    let (stable, element) = body.stable_step(&model.rest()).unwrap();
    assert_eq!(element, 0);
    let free = Conditions::default();
    let mut start = model.rest();
    (0..8).for_each(|k| start.velocity[k] = (2.3 * k as f64).sin());
    let error = body.advance(&start, 1.01 * stable, &free, &free).unwrap_err().to_string();
    assert!(error.contains("longer than the explicit scheme bears") && error.contains("element 1"), "{error}");
    let energy = |body: &Body, s: &mpcd_fem::State| body.energies(s).map(|e| e.kinetic + e.strain).unwrap();
    let before = energy(&body, &start);
    let mut state = start.clone();
    for _ in 0..2000 {
        state = body.advance(&state, 0.99 * stable, &free, &free).unwrap().0;
    }
    assert!(energy(&body, &state) < 100.0 * before);
    // the same motion by hand with a step beyond the bound
    let h = 1.02 * stable;
    let mass = 10.0 / 4.0;
    let (mut u, mut v) = (start.displacement.clone(), start.velocity);
    for _ in 0..2000 {
        (0..8).for_each(|k| u[k] += 0.5 * h * v[k]);
        let forces = model.forces(&mpcd_fem::State { displacement: u.clone(), ..model.rest() }).unwrap();
        (0..8).for_each(|k| v[k] -= h * forces[k] / mass);
        (0..8).for_each(|k| u[k] += 0.5 * h * v[k]);
    }
    let size = v.iter().map(|v| v * v).sum::<f64>();
    assert!(size > 1e10 || size.is_nan(), "the bound is far from the true one: {size}");
}

/// A step in which an element would turn inside out is cut; a load that no step bears ends in words.
#[test]
fn steps_that_fail_are_cut_or_refused() {
    let model = model(unit(Cell::Quad4, 2), PLANE, saint_venant(1e3, 0.3), 1.0);
    let mut body = Body::new(model.clone(), THETA).unwrap();
    let free = Conditions::default();
    let at = |u: f64| {
        let c = free.clone().with_fixed(&model, "left").unwrap();
        c.with_held(&model, "right", 1, Prescribed::Displacement(u)).unwrap()
    };
    let (state, balance) = body.advance(&model.rest(), 0.5, &at(0.0), &at(0.8)).unwrap();
    let right = model.mesh().nodes_of("right").unwrap()[0];
    assert!((state.displacement[2 * right + 1] - 0.8).abs() < 1e-12 && (state.time - 0.5).abs() < 1e-15);
    assert!(balance.residual().abs() < 1e-6 * balance.held.abs());
    let crushed =
        free.clone().with_fixed(&model, "left").unwrap().with_held(&model, "right", 0, Prescribed::Displacement(-1.5)).unwrap();
    let fixed = free.clone().with_fixed(&model, "left").unwrap();
    let error = Statics::new(model.clone()).with_newton(Newton { iterations: 8, ..Newton::default() });
    let error = { error }.solve(&model.rest(), &fixed, &crushed, 1).unwrap_err().to_string();
    assert!(
        error.contains("rectangle") && (error.contains("turns inside out") || error.contains("no balance of forces")),
        "{error}"
    );
}

/// The stress across a plate vanishes as the sum of the law's and the viscous one: the two are condensed apart, which is right where they thin alike, and refused elsewhere.
#[test]
fn plane_stress_with_a_viscosity_that_thins_otherwise() {
    let elastic = Isotropic::new(1e6, 0.3).unwrap();
    let other = Isotropic::new(1e6, 0.1).unwrap();
    let stress = Space::PlaneStress { thickness: 1.0 };
    let build = |section: Section, space| Model::new(unit(Cell::Quad4, 2), space, &section).map(|_| ());
    let viscous = |material: Arc<dyn Material>| Section::new(KelvinVoigt::new(material, 0.1).unwrap(), 1.0).unwrap();
    let plastic = || J2 { elastic, hardening: mpcd_fem::Hardening::linear(1e4, 0.0).unwrap() };
    for space in [stress, PLANE] {
        let refused = space == stress;
        assert!(build(viscous(Arc::new(LinearElastic(elastic))), space).is_ok());
        assert!(build(viscous(Arc::new(SaintVenantKirchhoff(elastic))), space).is_ok());
        assert!(build(Section::new(NeoHookean(elastic), 1.0).unwrap(), space).is_ok());
        for section in [
            viscous(Arc::new(NeoHookean(elastic))),
            viscous(Arc::new(plastic())),
            Section::new(NeoHookean(elastic), 1.0).unwrap().with_rayleigh(0.0, 0.1).unwrap(),
            Section::new(Unlike { elastic, viscous: other }, 1.0).unwrap(),
        ] {
            assert_eq!(build(section, space) == Err(FemError::ViscousPlane), refused);
        }
    }
}

/// Linear, and viscous with another ratio of Poisson.
#[derive(Debug)]
struct Unlike {
    elastic: Isotropic,
    viscous: Isotropic,
}

impl Material for Unlike {
    fn strain(&self) -> Strain {
        Strain::Small
    }

    fn is_linear(&self) -> bool {
        true
    }

    fn respond(&self, e: &Voigt, old: &[f64], new: &mut [f64]) -> Result<Response, MaterialError> {
        LinearElastic(self.elastic).respond(e, old, new)
    }

    fn viscosity(&self) -> Option<Tangent> {
        let zero = Voigt::zeros();
        LinearElastic(self.viscous).respond(&zero, &[], &mut []).ok().map(|r| r.tangent)
    }
}
