//! Central differences of rigid bodies, with Carpenter's damping β: free motion, configuration at the end of the step, velocities.
//!
//! The β-method (Dubois–Renouf 2021, Carpenter (2)) is v_i = v_{i−1} + h[(1−β) a_{i−1} + β a_i], q_{i+1} = q_i + h v_i + ½h² a_i. With the
//! velocity V = v_i + (1−β) h a_i, which is known when the next step starts, it reads
//!
//! ```text
//! V⁺ = V⁻ + k M⁻¹(F + H r/h) ,   q_{i+1} = q_i + h U ,   U = V⁻ + s M⁻¹(F + H r/h) ,   s = (β + ½) k
//! ```
//!
//! F the loads at t_i, r/h the forces of contacts, k = h. V is the velocity at the end of the step less βh; for β = ½ it is U, the velocity of the
//! middle of the step. Where the length changes (and in the first step, before which there is none) k = βh⁻ + (1−β)h and s = βh⁻ + ½h: forces act for that, those of contacts
//! as all others, so that laws have one h and r/h is the force. In the first step, where V is that of the start, r is an impulse on V and θ r one on U; the forces
//! of contacts that yield act as loads do in it as well, so that what rests on its spring stays at rest.

use mpcd_core::{Kinematics, Quat, Step, Vec3};
use mpcd_friction::problem::{Body, InverseInertia};
use mpcd_geometry::Touch;

use crate::{
    loads::Loads,
    motion::{BodyConstants, Forces, Twist, across},
    rotation::{inverse_or_zero, turned, world_inertia},
};

/// The relative velocity (n, t, s) of two bodies with the velocities `twists` [m/s].
pub(crate) fn twist_across(twists: &[Twist], touch: &Touch) -> Vec3 {
    touch.frame.to_local(&across(touch, |body| twists[body]))
}

/// The lengths of time of a step (s), and θ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Times {
    pub(crate) h: f64,
    /// k: how long loads act on the velocity.
    pub(crate) kick: f64,
    /// s: how long they act on the mean velocity of the step.
    pub(crate) share: f64,
    /// Weight of h times a force of contacts in the mean velocity: s/h, θ in the first step.
    pub(crate) weight: f64,
    /// What contacts give to momenta, over h times their forces: k/h, 1 in the first step.
    pub(crate) gain: f64,
    /// What contacts that yield give to momenta, over h times their forces: k/h in every step.
    pub(crate) soft_gain: f64,
    /// By how much the velocities before and after are earlier than the positions.
    pub(crate) lag: [f64; 2],
}

impl Times {
    /// Of a step of `h` after one of `last` (0: none).
    pub(crate) fn new(damping: f64, h: f64, last: f64) -> Self {
        let (kick, share) = (damping * last + (1.0 - damping) * h, damping * last + 0.5 * h);
        let (weight, gain) = if last > 0.0 { (share / h, kick / h) } else { (0.5 + damping, 1.0) };
        Self { h, kick, share, weight, gain, soft_gain: kick / h, lag: [damping * last, damping * h] }
    }

    /// Impulse that a contact that yields has in the problem, over h times its force: 1 but in the first step.
    pub(crate) fn soft(&self) -> f64 {
        if self.gain == self.soft_gain { 1.0 } else { self.share / (self.h * self.weight) }
    }

    /// What contacts that yield give to momenta beside what follows from the mean velocities, over h times their forces: 0 but in the first step.
    pub(crate) fn soft_rest(&self) -> f64 {
        if self.gain == self.soft_gain { 0.0 } else { self.soft_gain - self.back() * self.weight * self.soft() }
    }

    /// What the forces of contacts add to the velocities, over what they add to the mean velocities.
    fn back(&self) -> f64 {
        self.gain / self.weight
    }
}

/// World angular momentum at the time of the velocity, `lag` before the orientation.
fn momentum(orientation: &Quat, principal: &Vec3, spin: &Vec3, lag: f64) -> Vec3 {
    world_inertia(&turned(orientation, spin, -lag), principal) * spin
}

/// Motion of all bodies in a step; buffers reused from step to step.
#[derive(Debug, Default)]
pub(crate) struct Motion {
    /// Velocities V without contacts.
    free: Vec<Twist>,
    /// Mean velocities U without contacts.
    free_mean: Vec<Twist>,
    /// Angular momenta (of V, of U) without contacts, of bodies that turn freely with unequal moments.
    free_momentum: Vec<[Vec3; 2]>,
    /// Mean velocities U that the last solve came to.
    pub(crate) mean: Vec<Twist>,
    /// Angular momentum of U that the last solve came to.
    momentum: Vec<Vec3>,
    /// Impulses and moments on V beside what follows from U, where contacts that yield give some; empty where none do.
    pub(crate) beside: Vec<Twist>,
    /// World inertia by which the last nodes responded.
    inertia: Vec<nalgebra::Matrix3<f64>>,
}

/// Whether the angular momentum of the body on its free axes, not its angular velocity, is the unknown.
const fn tumbles(body: &BodyConstants) -> bool {
    !body.isotropic
}

impl Motion {
    /// Free motion of all bodies.
    pub(crate) fn start(
        &mut self,
        bodies: &[BodyConstants],
        loads: &Loads,
        forces: &Forces,
        gravity: &Vec3,
        step: &Step,
        times: &Times,
        prev: &Kinematics,
    ) {
        for list in [&mut self.free, &mut self.free_mean] {
            list.clear();
        }
        self.free_momentum.clear();
        for (i, body) in bodies.iter().enumerate() {
            let acceleration =
                ((forces.applied[i] + forces.fluid[i]) * inverse_or_zero(body.mass) + gravity).component_mul(&body.free);
            let held = [step.end() - times.lag[1], step.time + 0.5 * step.h].map(|t| loads.imposed_spin(i, t));
            let ([mut end_spin, mut mean_spin], momenta) = free_spins(body, &forces.torque[i], held, times, prev, i);
            let (mut end, mut mean) =
                (prev.velocity[i] + acceleration * times.kick, prev.velocity[i] + acceleration * times.share);
            for k in 0..3 {
                let at = |axis: usize| {
                    let (end, middle) = (step.end() - times.lag[1], step.time + 0.5 * step.h);
                    Some((loads.imposed(i, axis, end)?, loads.imposed(i, axis, middle)?))
                };
                if let Some(v) = at(k) {
                    (end[k], mean[k]) = v;
                }
                if let Some(v) = at(k + 3) {
                    (end_spin[k], mean_spin[k]) = v;
                }
            }
            self.free.push((end, end_spin));
            self.free_mean.push((mean, mean_spin));
            self.free_momentum.push(momenta);
        }
        self.mean.clone_from(&self.free_mean);
        self.momentum.clear();
        self.momentum.extend(self.free_momentum.iter().map(|m| m[1]));
    }

    /// The nodes of the problem: what bodies with the impulses found so far would do without them, and how they respond.
    pub(crate) fn nodes(&mut self, bodies: &[BodyConstants], prev: &Kinematics, times: &Times, nodes: &mut Vec<Body>) {
        nodes.clear();
        self.inertia.clear();
        for (i, body) in bodies.iter().enumerate() {
            let middle = turned(&prev.orientation[i], &self.mean[i].1, 0.5 * times.h);
            let response = body.inverse_inertia(&middle, prev.size[i]);
            let (velocity, mut spin) = self.free_mean[i];
            self.inertia.push(nalgebra::Matrix3::zeros());
            if tumbles(body) {
                self.inertia[i] = world_inertia(&middle, &body.inertia_at(prev.size[i]));
                spin = self.mean[i].1 - response.matrix() * (self.momentum[i] - self.free_momentum[i][1]);
            }
            nodes.push(Body {
                velocity,
                angular_velocity: spin,
                inverse_mass: body.free * (inverse_or_zero(body.mass) * times.weight),
                inverse_inertia: match response {
                    InverseInertia::Isotropic(j) => InverseInertia::Isotropic(j * times.weight),
                    InverseInertia::Tensor(j) => InverseInertia::Tensor(j * times.weight),
                },
            });
        }
    }

    /// Takes the mean velocities of the solved problem; `free` are the angular velocities it started from.
    pub(crate) fn take(&mut self, bodies: &[BodyConstants], prev: &Kinematics, times: &Times, free: &[Vec3], nodes: &[Body]) {
        for (i, (body, node)) in bodies.iter().zip(nodes).enumerate() {
            self.mean[i] = (node.velocity, node.angular_velocity);
            if tumbles(body) {
                self.momentum[i] = self.free_momentum[i][1] + self.inertia[i] * (node.angular_velocity - free[i]);
                let inertia = body.inertia_at(prev.size[i]);
                let axes = body.axes(self.free_mean[i].1);
                self.mean[i].1 = axes.implicit_spin(&prev.orientation[i], &inertia, &self.momentum[i], 0.5 * times.h);
            }
        }
    }

    /// Puts the bodies where the mean velocities lead.
    pub(crate) fn place(&self, prev: &Kinematics, h: f64, next: &mut Kinematics) {
        for (i, (v, w)) in self.mean.iter().enumerate() {
            next.position[i] = prev.position[i] + v * h;
            let still = *w == Vec3::zeros();
            next.orientation[i] = if still { prev.orientation[i] } else { turned(&prev.orientation[i], w, h) };
        }
    }

    /// Velocities at the end of the step, from those without contacts and what the impulses added.
    pub(crate) fn finish(&self, bodies: &[BodyConstants], times: &Times, prev: &Kinematics, next: &mut Kinematics) {
        for (i, body) in bodies.iter().enumerate() {
            let (free, free_mean, mean) = (self.free[i], self.free_mean[i], self.mean[i]);
            let (pushed, turned_by) = self.answer(bodies, prev, times, i);
            next.velocity[i] = free.0 + (mean.0 - free_mean.0) * times.back() + pushed;
            next.angular_velocity[i] = if tumbles(body) {
                let momentum = self.free_momentum[i][0]
                    + (self.momentum[i] - self.free_momentum[i][1]) * times.back()
                    + self.inertia[i] * turned_by;
                let axes = body.axes(free.1);
                axes.implicit_spin(&next.orientation[i], &body.inertia_at(next.size[i]), &momentum, -times.lag[1])
            } else {
                free.1 + (mean.1 - free_mean.1) * times.back() + turned_by
            };
        }
    }

    /// How the velocities of a body answer to what is given to V beside what follows from U.
    fn answer(&self, bodies: &[BodyConstants], prev: &Kinematics, times: &Times, i: usize) -> Twist {
        let Some((push, moment)) = self.beside.get(i) else { return Twist::default() };
        let body = &bodies[i];
        let middle = turned(&prev.orientation[i], &self.mean[i].1, 0.5 * times.h);
        let turn = body.inverse_inertia(&middle, prev.size[i]).matrix() * moment;
        ((push * inverse_or_zero(body.mass)).component_mul(&body.free), turn)
    }
}

/// Angular velocities (of V, of U) without contacts, and the momenta of a body with unequal moments; `held` are the angular
/// velocities of the axes that are not free.
fn free_spins(
    body: &BodyConstants,
    torque: &Vec3,
    held: [Vec3; 2],
    times: &Times,
    prev: &Kinematics,
    i: usize,
) -> ([Vec3; 2], [Vec3; 2]) {
    let spin = prev.angular_velocity[i];
    let inertia = body.inertia_at(prev.size[i]);
    let lengths = [times.kick, times.share];
    if body.isotropic {
        let response = inertia.map(inverse_or_zero).component_mul(&body.free_spin);
        return (lengths.map(|t| spin + torque.component_mul(&response) * t), [Vec3::zeros(); 2]);
    }
    let before = momentum(&prev.orientation[i], &inertia, &spin, times.lag[0]);
    let momenta = lengths.map(|t| before + torque * t);
    let mean = body.axes(held[1]).implicit_spin(&prev.orientation[i], &inertia, &momenta[1], 0.5 * times.h);
    let end = turned(&prev.orientation[i], &mean, times.h);
    ([body.axes(held[0]).implicit_spin(&end, &inertia, &momenta[0], -times.lag[1]), mean], momenta)
}
