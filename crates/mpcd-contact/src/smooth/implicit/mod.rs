//! The implicit form (Kishino 1988, as Dubois–Renouf 2021 describe it): smooth laws under an implicit integrator, the contacts' tangent
//! stiffness assembled as penalties.
//!
//! M(V⁺ − V⁻) = h[θF(q⁺, V⁺) + (1−θ)F⁻], q⁺ = q + h(θV⁺ + (1−θ)V⁻), by Newton's method with M + hθC + h²θ²K, each linear problem
//! by conjugate gradients. A sliding contact brings its normal part alone: its friction follows the normal force of the iterate before,
//! which keeps the matrix symmetric. Contacts are found anew in every iterate, so the result is that of the true geometry.

mod linear;

use mpcd_core::{Kinematics, Quat, Vec3};

use crate::{
    error::ContactError,
    rotation::{inverse_or_zero, turned},
};

use super::{
    columns::{Columns, acceleration, angular_momentum, impose, isotropic_response, spin_at},
    engine::{Engine, Evaluation, Surroundings},
};
use linear::Linear;

/// When Newton's method stops.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) tolerance: f64,
    pub(crate) max_iterations: u32,
}

/// How it ended.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Outcome {
    pub(crate) iterations: u32,
    pub(crate) residual: f64,
}

/// Buffers that change no bit.
#[derive(Debug, Default)]
pub(crate) struct Implicit {
    position: Vec<Vec3>,
    orientation: Vec<Quat>,
    velocity: Vec<Vec3>,
    spin: Vec<Vec3>,
    /// Residual: momentum, angular momentum.
    residual: Vec<[Vec3; 2]>,
    linear: Linear,
}

/// One sub-step and its time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub(crate) t: f64,
    pub(crate) dt: f64,
    pub(crate) theta: f64,
}

impl Implicit {
    /// One sub-step.
    pub(crate) fn substep(
        &mut self,
        engine: &mut Engine,
        columns: &mut Columns,
        around: &Surroundings<'_>,
        k: &mut Kinematics,
        span: Span,
        growth: Option<&[f64]>,
        settings: Settings,
    ) -> Result<Outcome, ContactError> {
        self.position.clone_from(&k.position);
        self.orientation.clone_from(&k.orientation);
        for (i, body) in engine.bodies.iter().enumerate() {
            let (force, torque) = engine.push(i, false);
            let mut v = k.velocity[i] + acceleration(body, &force, &around.setup.gravity) * span.dt;
            let mut w = k.angular_velocity[i];
            if body.isotropic {
                w += torque.component_mul(&isotropic_response(body, k.size[i])) * span.dt;
            }
            impose(&engine.loads, i, span.t + span.dt, &mut v, &mut w);
            (k.velocity[i], k.angular_velocity[i]) = (v, w);
        }
        let mut residual = self.look(engine, columns, around, k, span, growth)?;
        let mut iterations = 0;
        while residual > settings.tolerance && iterations < settings.max_iterations {
            iterations += 1;
            self.linear.solve(engine, k, span, &self.residual);
            self.velocity.clone_from(&k.velocity);
            self.spin.clone_from(&k.angular_velocity);
            let mut part = 1.0;
            loop {
                for (i, [dv, dw]) in self.linear.solution().iter().enumerate() {
                    k.velocity[i] = self.velocity[i] + dv * part;
                    k.angular_velocity[i] = self.spin[i] + dw * part;
                }
                let found = self.look(engine, columns, around, k, span, growth)?;
                // A full step that opens or closes contacts may overshoot: shorten it until the residual falls.
                let enough = found < residual || part < 0.02;
                part *= 0.5;
                if enough {
                    residual = found;
                    break;
                }
            }
        }
        self.take_impulses(engine, columns, around, k, span);
        Ok(Outcome { iterations, residual })
    }

    /// Moves the bodies with the velocities of `k`, finds the forces, and returns the relative residual.
    fn look(
        &mut self,
        engine: &mut Engine,
        columns: &mut Columns,
        around: &Surroundings<'_>,
        k: &mut Kinematics,
        span: Span,
        growth: Option<&[f64]>,
    ) -> Result<f64, ContactError> {
        let Span { t, dt, theta } = span;
        for i in 0..k.len() {
            let drift = k.velocity[i] * theta + columns.start.linear[i] * (1.0 - theta);
            let spin = k.angular_velocity[i] * theta + columns.start.spin[i] * (1.0 - theta);
            k.position[i] = self.position[i] + drift * dt;
            k.orientation[i] = turned(&self.orientation[i], &spin, dt);
            (columns.drift.linear[i], columns.drift.spin[i]) = (drift, spin);
        }
        engine.evaluate(around, &Evaluation { now: k, mean: columns.drift.slices(), dt, time: t + dt, growth, whole: true })?;
        self.residual.clear();
        let (mut sum, mut scale) = (0.0, 0.0);
        for (i, b) in engine.bodies.iter().enumerate() {
            let (impulse, moment) = Self::impulse(engine, around, span, i);
            let (v0, w0) = (columns.start.linear[i], columns.start.spin[i]);
            let size = k.size[i];
            let inertia = b.inertia_at(size);
            let gained = if b.isotropic {
                inertia.component_mul(&(k.angular_velocity[i] - w0))
            } else {
                angular_momentum(b, &k.orientation[i], size, &k.angular_velocity[i])
                    - angular_momentum(b, &self.orientation[i], size, &w0)
            };
            let off = ((k.velocity[i] - v0) * b.mass - impulse).component_mul(&b.free);
            let off_spin = (gained - moment).component_mul(&b.free_spin);
            self.residual.push([off, off_spin]);
            let (m, j) = (inverse_or_zero(b.mass), inverse_or_zero(inertia.min()));
            sum += off.norm_squared() * m + off_spin.norm_squared() * j;
            scale += b.mass * (v0.norm_squared() + k.velocity[i].norm_squared() + (around.setup.gravity * dt).norm_squared());
            scale += (engine.new_loads.applied[i] * dt).norm_squared() * m;
            scale += inertia.max() * (w0.norm_squared() + k.angular_velocity[i].norm_squared());
        }
        for s in &engine.spots {
            let side = |body: mpcd_core::BodyId| engine.pairs.mobility(body, 1.0).translation;
            scale += (s.force * dt).norm_squared() * (side(s.key.candidate) + side(s.key.antagonist));
        }
        Ok(if sum > 0.0 { (sum / scale).sqrt() } else { 0.0 })
    }

    /// Impulse and moment of impulse of the sub-step, gravity included.
    fn impulse(engine: &Engine, around: &Surroundings<'_>, span: Span, i: usize) -> (Vec3, Vec3) {
        let ((f0, m0), (f1, m1)) = (engine.push(i, false), engine.push(i, true));
        let (start, end) = (span.dt * (1.0 - span.theta), span.dt * span.theta);
        (f0 * start + f1 * end + around.setup.gravity * (engine.bodies[i].mass * span.dt), m0 * start + m1 * end)
    }

    /// The velocities that the impulses found give exactly: what is left of the residual moves no book.
    fn take_impulses(&self, engine: &Engine, columns: &Columns, around: &Surroundings<'_>, k: &mut Kinematics, span: Span) {
        for (i, b) in engine.bodies.iter().enumerate() {
            let (impulse, moment) = Self::impulse(engine, around, span, i);
            let size = k.size[i];
            let mut v = columns.start.linear[i] + (impulse * inverse_or_zero(b.mass)).component_mul(&b.free);
            let mut w = if b.isotropic {
                columns.start.spin[i] + moment.component_mul(&isotropic_response(b, size))
            } else {
                let before = angular_momentum(b, &self.orientation[i], size, &columns.start.spin[i]);
                spin_at(b, &k.orientation[i], size, &(before + moment), engine.loads.imposed_spin(i, span.t + span.dt))
            };
            impose(&engine.loads, i, span.t + span.dt, &mut v, &mut w);
            (k.velocity[i], k.angular_velocity[i]) = (v, w);
        }
    }
}
