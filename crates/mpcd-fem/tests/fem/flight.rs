//! A block of rubber that tumbles in free flight: momentum and moment of momentum are kept, and by the conserving scheme energy.

use std::sync::Arc;

use mpcd_core::{Mat3, Vec3};
use mpcd_fem::{
    Body, Cell, Conditions, Isotropic, MassKind, Material, MaterialError, Mesh, Model, NeoHookean, Newton, Response, Scheme,
    Space, State, Strain, Voigt,
};

use crate::{model, neo_hookean, saint_venant};

/// Largest relative changes of momentum, moment of momentum and energy over a flight of `steps` steps, and the part of the energy that
/// was strain at the most.
fn flight(material: impl Material + 'static, scheme: Scheme, cell: Cell, steps: usize, h: f64) -> [f64; 4] {
    pressed_flight(material, scheme, cell, (steps, h), 0.0)
}

/// The same under a pressure (Pa) on all sides.
fn pressed_flight(
    material: impl Material + 'static,
    scheme: Scheme,
    cell: Cell,
    (steps, h): (usize, f64),
    pressure: f64,
) -> [f64; 4] {
    let mesh = Mesh::cuboid([0.3, 0.2, 0.1], [2, 1, 1], cell).unwrap();
    let model = model(mesh, Space::Solid, material, 1000.0);
    let mut body = Body::new(model.clone(), scheme).unwrap().with_newton(Newton { tolerance: 1e-15, iterations: 30 });
    let mut state: State = model.rest();
    let (spin, centre) = (Vec3::new(20.0, 3.0, 10.0), Vec3::new(0.15, 0.1, 0.05));
    for (node, x) in model.mesh().nodes().iter().enumerate() {
        let v = Vec3::new(0.5, -0.3, 0.2) + spin.cross(&(x - centre)) + 5.0 * Vec3::new(x.x - 0.15, 0.0, 0.0);
        state.velocity[3 * node..3 * node + 3].copy_from_slice(v.as_slice());
    }
    let energy = |body: &Body, s: &State| body.energies(s).unwrap();
    let moment = |body: &Body, s: &State| {
        // about the place where the centre has flown
        let (p, l) = body.momenta(s).unwrap();
        let c = centre + Vec3::new(0.5, -0.3, 0.2) * s.time;
        (p, l - c.cross(&p))
    };
    let (p0, l0) = moment(&body, &state);
    let e0 = energy(&body, &state).kinetic;
    let sides = ["left", "right", "bottom", "top", "back", "front"].into_iter().filter(|_| pressure != 0.0);
    let free = sides.fold(Conditions::default(), |c, side| c.with_pressure(&model, side, pressure).unwrap());
    let mut worst = [0.0_f64; 4];
    for _ in 0..steps {
        state = body.advance(&state, h, &free, &free).unwrap().0;
        let ((p, l), e) = (moment(&body, &state), energy(&body, &state));
        let now =
            [(p - p0).norm() / p0.norm(), (l - l0).norm() / l0.norm(), ((e.kinetic + e.strain) / e0 - 1.0).abs(), e.strain / e0];
        (0..4).for_each(|k| worst[k] = worst[k].max(now[k]));
    }
    worst
}

#[test]
fn v8_tumbling_block_keeps_momenta_and_energy() {
    let scheme = Scheme::Conserving { mass: MassKind::Consistent };
    let (steps, h) = (10_000, 2e-3);
    for found in [
        flight(saint_venant(1e6, 0.3), scheme, Cell::Hex8, steps, h),
        flight(neo_hookean(1e6, 0.3), scheme, Cell::Hex8, steps, h),
        flight(neo_hookean(1e6, 0.3), scheme, Cell::Tet10, 100, h),
    ] {
        let [momentum, moment, energy, strain] = found;
        assert!(momentum < 1e-12 && moment < 1e-12 && energy < 1e-10, "{found:?}");
        assert!(strain > 0.02, "the block hardly deforms: {found:?}");
    }
}

/// A pressure on all sides pushes and turns nothing as a whole, however the block deforms: taken as the mean of both ends of the step it turned it by parts of a hundred.
#[test]
fn a_pressure_all_around_turns_nothing() {
    let scheme = Scheme::Conserving { mass: MassKind::Consistent };
    for (cell, h) in [(Cell::Hex8, 2e-3), (Cell::Tet4, 2e-3), (Cell::Hex20, 1e-3), (Cell::Tet10, 1e-3)] {
        let [momentum, moment, _, strain] = pressed_flight(neo_hookean(1e6, 0.3), scheme, cell, (100, h), 1e5);
        assert!(momentum < 1e-12 && moment < 1e-12, "{cell:?}: {momentum:e}, {moment:e}");
        assert!(strain > 0.02, "the block hardly deforms: {strain}");
    }
}

/// Neo-Hooke's law with its energy as it is written, in which numbers of the size of the modulus cancel.
#[derive(Debug)]
struct Plain(Isotropic);

impl Material for Plain {
    fn strain(&self) -> Strain {
        Strain::GreenLagrange
    }

    fn respond(&self, e: &Voigt, old: &[f64], new: &mut [f64]) -> Result<Response, MaterialError> {
        let response = NeoHookean(self.0).respond(e, old, new)?;
        let c = Mat3::new(1.0 + 2.0 * e[0], e[3], e[5], e[3], 1.0 + 2.0 * e[1], e[4], e[5], e[4], 1.0 + 2.0 * e[2]);
        let (mu, log) = (self.0.shear(), 0.5 * c.determinant().ln());
        Ok(Response { energy: 0.5 * mu * (c.trace() - 3.0) - mu * log + 0.5 * self.0.lambda() * log * log, ..response })
    }
}

/// Small strains of a material of large ones: a spinning ring that is strained by 1e-6 and less from step to step, whose energies are rounding beside
/// its modulus, takes few iterations of Newton's method and keeps its energy; of a foreign material that loses them as well, as far as they are told.
#[test]
fn small_strains_take_few_iterations() {
    let ring = || Mesh::annulus(0.95, 1.05, std::f64::consts::TAU, [1, 16], Cell::Quad8).unwrap();
    let space = Space::PlaneStrain { thickness: 1.0 };
    let plain = Plain(Isotropic::new(1e6, 0.3).unwrap());
    spin_a_ring(&model(ring(), space, neo_hookean(1e6, 0.3), 1000.0), 1e-10);
    spin_a_ring(&model(ring(), space, plain, 1000.0), 1e-6);
}

fn spin_a_ring(model: &Arc<Model>, tolerance: f64) {
    for (h, spin) in [(5e-3, 1.0), (1e-3, 1.0), (5e-3, 0.05)] {
        let mut body =
            Body::new(model.clone(), Scheme::Conserving { mass: MassKind::Consistent }).unwrap().with_symmetric_tangent();
        let mut state: State = model.rest();
        for (node, x) in model.mesh().nodes().iter().enumerate() {
            state.velocity[2 * node..2 * node + 2].copy_from_slice(&[-spin * x.y, spin * x.x]);
        }
        let energy = |body: &Body, s: &State| body.energies(s).map(|e| e.kinetic + e.strain).unwrap();
        let (start, free, none) = (energy(&body, &state), Conditions::default(), vec![0.0; model.unknowns()]);
        for n in 0..60 {
            let mut step = body.begin(&state, h, &free, &free).unwrap();
            loop {
                body.linearise(&mut step).unwrap();
                if body.correct(&mut step, &none).unwrap() {
                    break;
                }
            }
            assert!(step.iterations() <= 8, "h {h}, spin {spin}, step {n}: {} iterations", step.iterations());
            state = body.finish(step).unwrap().0;
        }
        assert!((energy(&body, &state) / start - 1.0).abs() < tolerance, "h {h}, spin {spin}");
    }
}

/// The explicit scheme keeps both momenta too; its energy oscillates and does not drift.
#[test]
fn explicit_flight_keeps_momenta() {
    let [momentum, moment, energy, _] = flight(saint_venant(1e6, 0.3), Scheme::Explicit, Cell::Hex8, 4000, 2e-4);
    assert!(momentum < 1e-12 && moment < 1e-12 && energy < 1e-2, "{momentum:e} {moment:e} {energy:e}");
}

/// The θ-scheme of a large motion keeps momentum alone: its moment of momentum is wrong by the square of the step.
#[test]
fn theta_flight_loses_moment_at_second_order() {
    let scheme = Scheme::Theta { theta: 0.5, mass: MassKind::Consistent };
    let run = |steps, h| flight(saint_venant(1e6, 0.3), scheme, Cell::Hex8, steps, h);
    let ([p, coarse, ..], [_, fine, ..]) = (run(50, 1e-3), run(100, 5e-4));
    let order = (coarse / fine).log2();
    assert!(p < 1e-12 && (order - 2.0).abs() < 0.4, "{p:e} {coarse:e} {fine:e} {order}");
}
