//! Energy and momentum of all deformable bodies in a step, for the balances of the contact module: measured by `mpcd-fem`, summed here.

use mpcd_core::Vec3;
use mpcd_fem::State;

use super::{Deformables, ring};
use crate::error::ContactError;

/// Part of its scale up to which a balance is closed: the rounding of displacements, alone where a body is moved as a whole, counts as that.
const CLOSED: f64 = 1e-10;

/// Sums over the deformable bodies.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Totals {
    /// Kinetic energy before and after (J).
    pub(crate) kinetic: [f64; 2],
    /// Stored energy before and after (J).
    pub(crate) strain: [f64; 2],
    /// Energy in the gravity of the model before and after (J).
    pub(crate) potential: [f64; 2],
    /// Momentum before and after (N s).
    pub(crate) momentum: [Vec3; 2],
    /// Work of loads, without that of the gravity of the model (J).
    pub(crate) loads: f64,
    /// Work at prescribed motions (J).
    pub(crate) held: f64,
    /// Dissipated by viscosity and plasticity (J).
    pub(crate) lost: f64,
    /// What the θ-scheme takes, and what the mean internal force does not tell (J).
    pub(crate) scheme: f64,
    /// Work of free strains (J).
    pub(crate) swelling: f64,
    /// Work of contact impulses on the bodies (J).
    pub(crate) contact: f64,
    /// Impulse of the gravity of the model (N s).
    pub(crate) gravity: Vec3,
    /// Impulse of the other loads, and of reactions at prescribed motions (N s).
    pub(crate) impulses: [Vec3; 2],
    /// Impulse of damping by mass (N s).
    pub(crate) drag: Vec3,
    /// Whether x is a radius: no body has momentum along it.
    pub(crate) axisymmetric: bool,
    /// Sum of the sizes of what works (J), and of what moves and pushes (N s).
    pub(crate) scale: [f64; 2],
}

impl Deformables {
    /// Sums up the step, once nothing changes velocities any more.
    ///
    /// # Errors
    /// What finite elements say of it.
    pub(crate) fn sum_up(&mut self, h: f64, before: &[State], after: &[State]) -> Result<(), ContactError> {
        let mut t = Totals { axisymmetric: self.is_axisymmetric(), ..Totals::default() };
        for k in 0..self.balances.len() {
            let Some(body) = self.members[k].dynamics.as_ref() else { continue };
            let mask = ring::mask(self.members[k].model.space());
            let mut moving = 0.0_f64;
            for (end, state) in [&before[k], &after[k]].into_iter().enumerate() {
                let energies = body.energies(state).map_err(|e| self.fault(k, e))?;
                t.kinetic[end] += energies.kinetic;
                // Σ m|v| of its nodes at most (Cauchy): what turns moves too, though it has no momentum
                moving = moving.max((2.0 * self.members[k].model.mass() * energies.kinetic).sqrt());
                t.strain[end] += energies.strain;
                t.momentum[end] += body.momenta(state).map_err(|e| self.fault(k, e))?.0.component_mul(&mask);
            }
            let model = &self.members[k].model;
            let weight = self.gravity * model.mass();
            let [start, end] = [&before[k], &after[k]].map(|state| weight.dot(&model.centre(state)));
            t.potential[0] -= start;
            t.potential[1] -= end;
            t.gravity += weight * h;
            let b = &self.balances[k];
            t.loads += b.external - (end - start);
            t.held += b.held;
            t.lost += b.viscous + b.plastic;
            t.scheme += b.theta + b.scheme;
            t.swelling += b.swelling;
            t.contact += b.contact;
            t.impulses[0] += (b.loads - weight * h).component_mul(&mask);
            t.impulses[1] += b.reactions.component_mul(&mask);
            t.drag += b.drag.component_mul(&mask);
            t.scale[0] += b.external.abs() + b.held.abs() + b.contact.abs() + b.viscous + b.plastic + b.swelling.abs();
            t.scale[1] += b.pushed + b.drag.norm() + moving;
            t.scale[0] += b.rounding_work / CLOSED;
            t.scale[1] += b.rounding_impulse / CLOSED;
        }
        self.totals = t;
        Ok(())
    }
}
