//! Energies of a body, and where energy went in a step. Measured from forces and motions, never as what is left.

use mpcd_core::Vec3;

use super::{Body, Scheme, Step};
use crate::error::FemError;
use crate::model::{Displacements, State};

/// Energies of a state (J).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energies {
    /// ½ vᵀMv.
    pub kinetic: f64,
    /// Stored in the material.
    pub strain: f64,
}

/// Energy in one step (J): changes on one side, where it came from and went to on the other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balance {
    /// Change of kinetic energy.
    pub kinetic: f64,
    /// Change of stored energy.
    pub strain: f64,
    /// Work of loads.
    pub external: f64,
    /// Work of the reactions at prescribed motions.
    pub held: f64,
    /// Work of contact impulses, r·½(v⁻ + v).
    pub contact: f64,
    /// Dissipated by viscosity and Rayleigh damping.
    pub viscous: f64,
    /// Dissipated by the materials (plasticity).
    pub plastic: f64,
    /// Work that a change of the free strain does against the stress, ∫ ∂W/∂s ds by the trapezoidal rule.
    pub swelling: f64,
    /// (½ − θ)(|ΔV|²_M + Δu·Δf − r·ΔV): what a θ above ½ takes away; not heat.
    pub theta: f64,
    /// Change of stored and dissipated energy that the work of the mean internal force does not tell: third order in the step,
    /// zero for linear bodies, rounding for the conserving scheme.
    pub scheme: f64,
    /// Impulse of the loads (N s).
    pub loads: Vec3,
    /// Impulse of the reactions at prescribed motions (N s).
    pub reactions: Vec3,
    /// Impulse of the damping by mass, which holds bodies against the ground (N s).
    pub drag: Vec3,
    /// Sum of the sizes of the impulses of loads and reactions, node by node (N s).
    pub pushed: f64,
    /// What the rounding of displacements may leave in the energies (J): ε Σ K_kk |u_k| |Δu_k|. A body that is moved as a whole has no forces but these.
    pub rounding_work: f64,
    /// The same in the impulses (N s): ε h Σ K_kk |u_k|.
    pub rounding_impulse: f64,
}

/// Of a sum of numbers, the part of their sizes that rounding leaves.
pub(super) const ROUNDING: f64 = 8.0 * f64::EPSILON;

impl Balance {
    /// What does not close (J): rounding and the tolerance of Newton's method.
    pub fn residual(&self) -> f64 {
        self.kinetic + self.strain
            - (self.external + self.held + self.contact - self.viscous - self.plastic + self.swelling + self.theta + self.scheme)
    }

    /// Adds the next step.
    pub fn add(&mut self, other: &Self) {
        self.kinetic += other.kinetic;
        self.strain += other.strain;
        self.external += other.external;
        self.held += other.held;
        self.contact += other.contact;
        self.viscous += other.viscous;
        self.plastic += other.plastic;
        self.swelling += other.swelling;
        self.theta += other.theta;
        self.scheme += other.scheme;
        self.loads += other.loads;
        self.reactions += other.reactions;
        self.drag += other.drag;
        self.pushed += other.pushed;
        self.rounding_work += other.rounding_work;
        self.rounding_impulse += other.rounding_impulse;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

impl Body {
    /// Kinetic and stored energy of a state (J).
    ///
    /// # Errors
    /// [`FemError::Element`], [`FemError::Length`].
    pub fn energies(&self, state: &State) -> Result<Energies, FemError> {
        let kinetic = 0.5 * dot(&state.velocity, &self.inertia_of(&state.velocity)?);
        let at = Displacements::End { u: &state.displacement, rate: None, free: &state.free_strain };
        Ok(Energies { kinetic, strain: self.model.internal(at, &state.history, None)?.energy })
    }

    /// Sum over all nodes of a vector given by unknowns.
    fn total(&self, of: impl Fn(usize) -> f64) -> Vec3 {
        let d = self.model.dimension();
        let mut sum = Vec3::zeros();
        (0..self.model.unknowns()).for_each(|k| sum[k % d] += of(k));
        sum
    }

    pub(super) fn balance(&self, step: &Step, displacement: &[f64]) -> Result<Balance, FemError> {
        let (h, theta) = (step.h, self.scheme.theta());
        let n = step.velocity.len();
        let elastic = |u: &[f64], history: &[f64], free: &[f64]| {
            self.model.internal(Displacements::End { u, rate: None, free }, history, None)
        };
        let (free0, free1) = (&step.start.free_strain, &step.free_strain);
        let (v0, v1) = (&step.start.velocity, &step.velocity);
        let difference = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>();
        let (jump, moved) = (difference(v1, v0), difference(displacement, &step.start.displacement));
        let mean = |k: usize| theta * v1[k] + (1.0 - theta) * v0[k];
        // ½(v¹ + v⁰)·M(v¹ − v⁰) is the change of ½ v·Mv without its cancellation
        let inertia = self.inertia_of(&jump)?;
        let sum: Vec<f64> = v1.iter().zip(v0).map(|(a, b)| 0.5 * (a + b)).collect();
        let mut balance = Balance {
            kinetic: dot(&sum, &inertia),
            external: dot(&moved, &step.load),
            held: (0..n).filter(|&k| step.held[k]).map(|k| mean(k) * (step.residual[k] - step.impulse[k])).sum(),
            contact: dot(&step.impulse, &sum),
            plastic: step.internal.dissipated,
            loads: self.total(|k| h * step.load[k]),
            reactions: self.total(|k| if step.held[k] { step.residual[k] - step.impulse[k] } else { 0.0 }),
            ..Balance::default()
        };
        let d = self.model.dimension();
        let held = |k: usize| if step.held[k] { step.residual[k] - step.impulse[k] } else { 0.0 };
        for node in 0..n / d {
            let size = |of: &dyn Fn(usize) -> f64| (0..d).map(|i| of(node * d + i).powi(2)).sum::<f64>().sqrt();
            balance.pushed += size(&|k| h * step.load[k]) + size(&held);
        }
        for (k, stiffness) in self.stiffness.iter().enumerate() {
            let force = ROUNDING * stiffness * displacement[k].abs().max(step.start.displacement[k].abs());
            balance.rounding_work += force * moved[k].abs();
            balance.rounding_impulse += force * h;
        }
        if let Some(damping) = self.times_damping(&(0..n).map(mean).collect::<Vec<f64>>())? {
            balance.viscous += dot(&moved, &damping);
            balance.drag = self.total(|k| -h * damping[k]);
        }
        let viscous = self.model.is_viscous();
        let before =
            if viscous { elastic(&step.start.displacement, &step.start.history, free0)? } else { step.internal_start.clone() };
        let after = elastic(displacement, &step.internal.history, free1)?;
        balance.strain = after.energy - before.energy;
        balance.swelling = (0..free1.len()).map(|k| 0.5 * (before.by_free[k] + after.by_free[k]) * (free1[k] - free0[k])).sum();
        // work of the elastic part of the internal force over the step
        let work = match self.scheme {
            Scheme::Theta { .. } | Scheme::Static => {
                let trapezoid = 0.5 * (dot(&moved, &before.force) + dot(&moved, &after.force));
                let change = dot(&moved, &after.force) - dot(&moved, &before.force);
                balance.theta = (0.5 - theta) * (dot(&jump, &inertia) + change - dot(&step.impulse, &jump));
                let total = theta * dot(&moved, &step.internal.force) + (1.0 - theta) * dot(&moved, &step.internal_start.force);
                balance.viscous += total - (trapezoid + (theta - 0.5) * change);
                trapezoid
            }
            Scheme::Conserving { .. } => {
                balance.viscous += h * step.internal.viscous;
                dot(&moved, &step.internal.force) - h * step.internal.viscous
            }
            Scheme::Explicit => {
                let middle: Vec<f64> = step.start.displacement.iter().zip(v0).map(|(u, v)| u + 0.5 * h * v).collect();
                let total = dot(&moved, &step.internal.force);
                let work = if viscous {
                    dot(&moved, &elastic(&middle, &step.start.history, &step.middle_strain())?.force)
                } else {
                    total
                };
                balance.viscous += total - work;
                work
            }
        };
        balance.scheme = balance.strain + balance.plastic - work - balance.swelling;
        Ok(balance)
    }
}
