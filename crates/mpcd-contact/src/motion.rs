//! The θ-scheme of rigid bodies: free velocities, contact configuration, end of the step.
//!
//! q_m = q + h(1−θ)V⁻ ; M V_free = M V⁻ + h F ; q⁺ = q_m + hθ V⁺ (PHYSICS §2). Rotations as in [`crate::rotation`].

use std::ops::Index;

use mpcd_core::{
    BodyId, ContactKey, Dimension, Inputs, Kinematics, Mat3, OptionalPort, PerBody, Port, PortMisuse, Quat, ReadPort, Scalar,
    Setup, Step, Unit, Vec3, Vector, field::names,
};
use mpcd_friction::problem::{Body, InverseInertia};
use mpcd_geometry::Touch;
use rayon::prelude::*;

use crate::{
    error::ContactError,
    loads::Loads,
    rotation::{
        FreeAxes, inverse_on, inverse_or_zero, is_isotropic, turned, turned_at_mean, turned_at_mean_by, turned_by, world_inertia,
    },
    together::{PIECE, fill, is_shared},
};

/// Velocity [m/s] and angular velocity [rad/s] of a body.
pub(crate) type Twist = (Vec3, Vec3);

/// World velocity of the candidate against the antagonist at the point of touch, by the motions of rigid bodies (m/s).
#[inline]
pub(crate) fn across(touch: &Touch, twist: impl Fn(usize) -> Twist) -> Vec3 {
    between(&touch.key, [&touch.arm_candidate, &touch.arm_antagonist], twist)
}

/// The same from the arms of candidate and antagonist (m).
#[inline]
pub(crate) fn between(key: &ContactKey, arms: [&Vec3; 2], twist: impl Fn(usize) -> Twist) -> Vec3 {
    let velocity = |body: usize, arm: &Vec3| {
        let (v, w) = twist(body);
        v + w.cross(arm)
    };
    velocity(key.candidate.index(), arms[0]) - velocity(key.antagonist.index(), arms[1])
}

/// What a body brings to the step besides its motion.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyConstants {
    /// Mass (kg).
    pub(crate) mass: f64,
    /// Principal moments at reference size [kg m²].
    pub(crate) inertia: Vec3,
    /// 1 on free translations.
    pub(crate) free: Vec3,
    /// 1 on free rotations (world axes).
    pub(crate) free_spin: Vec3,
    /// Whether ω = L/I holds for every orientation on the free axes.
    pub(crate) isotropic: bool,
    /// Whether its principal axis z is the only axis it turns about.
    planar: bool,
    /// Whether it turns over a step as [`turned_at_mean`] says: bodies that joints hold, where nothing drives their turning.
    pub(crate) at_mean: bool,
    /// Whether its nodes move by themselves: none of its axes is free here.
    pub(crate) deformable: bool,
}

impl BodyConstants {
    /// Of every body of the set-up.
    pub(crate) fn of_setup(setup: &Setup, loads: &Loads) -> Vec<Self> {
        (0..setup.bodies.len())
            .map(|i| {
                let (free, free_spin) = loads.free_mask(i);
                let inertia = setup.bodies.inertia[i];
                // About a principal axis z alone the moment is constant too.
                let planar = setup.dimension == Dimension::Planar;
                let isotropic = is_isotropic(&inertia) || planar || free_spin == Vec3::zeros();
                Self {
                    mass: setup.bodies.mass[i],
                    inertia,
                    free,
                    free_spin,
                    isotropic,
                    planar,
                    at_mean: false,
                    deformable: loads.is_deformable(BodyId::from_index(i)),
                }
            })
            .collect()
    }

    /// Principal moments at size factor `size`: the mass stays, lengths scale.
    #[inline]
    pub(crate) fn inertia_at(&self, size: f64) -> Vec3 {
        self.inertia * (size * size)
    }

    /// Orientation at the end of a step that began with `start` (orientation, angular velocity), for the angular velocity `omega` at its
    /// end; `middle` is that of the contact configuration.
    #[inline]
    pub(crate) fn orientation_after(&self, start: (&Quat, &Vec3), middle: &Quat, omega: &Vec3, step: &Step) -> Quat {
        if self.at_mean {
            turned_at_mean(start.0, &(omega * step.theta + start.1 * (1.0 - step.theta)), step.h)
        } else {
            turned(middle, omega, step.h * step.theta)
        }
    }

    /// The orientation in which a body answers the impulses of a step whose free spin is `free`: that of the contact configuration, `now`. One that joints hold answers as it stands in the mean of its free motion, as
    /// they pull at the means of places: of a slender body the two answers differ by its whole response about its length as soon as it turns by √(I_axial/I) from one to the other.
    fn answers_at(&self, before: &Kinematics, now: &Kinematics, i: usize, free: &Vec3, step: &Step) -> Quat {
        if self.at_mean && !self.isotropic {
            let mean = free * step.theta + before.angular_velocity[i] * (1.0 - step.theta);
            turned(&before.orientation[i], &mean, 0.5 * step.h)
        } else {
            now.orientation[i]
        }
    }

    /// Angular velocity at the end of the step whose angular momentum on the free axes is that of `momentum` there.
    fn spin_of_momentum(
        &self,
        held: Vec3,
        before: &Kinematics,
        now: &Kinematics,
        i: usize,
        momentum: &Vec3,
        step: &Step,
    ) -> Vec3 {
        let start = (&before.orientation[i], &before.angular_velocity[i]);
        let landing = |omega: &Vec3| {
            let by = if self.at_mean {
                turned_at_mean_by(&(omega * step.theta + start.1 * (1.0 - step.theta)), step.h) * step.theta
            } else {
                turned_by(omega, step.h * step.theta)
            };
            (self.orientation_after(start, &now.orientation[i], omega, step), by)
        };
        self.axes(held).spin_where(landing, &now.orientation[i], &self.inertia_at(now.size[i]), momentum)
    }

    /// Momentum on the free axes [N s].
    #[inline]
    pub(crate) fn momentum(&self, velocity: &Vec3) -> Vec3 {
        velocity.component_mul(&self.free) * self.mass
    }

    /// Kinetic energy of the free axes (J).
    #[inline]
    pub(crate) fn kinetic_energy(&self, k: &Kinematics, i: usize) -> f64 {
        let v = k.velocity[i].component_mul(&self.free);
        let w = k.angular_velocity[i].component_mul(&self.free_spin);
        let inertia = self.inertia_at(k.size[i]);
        let spin = if self.isotropic {
            inertia.component_mul(&w).dot(&w)
        } else {
            (world_inertia(&k.orientation[i], &inertia) * w).dot(&w)
        };
        0.5 * (self.mass * v.norm_squared() + spin)
    }

    /// Inverse inertia on the free axes at this orientation and size factor.
    pub(crate) fn inverse_inertia(&self, orientation: &Quat, size: f64) -> InverseInertia {
        let inertia = self.inertia_at(size);
        if self.free_spin == Vec3::zeros() {
            return InverseInertia::Isotropic(0.0);
        }
        if self.planar {
            // Levers lie in the plane, so only the moment about z is ever asked for.
            return InverseInertia::Isotropic(inverse_or_zero(inertia.z));
        }
        if self.all_free() && is_isotropic(&inertia) {
            return InverseInertia::Isotropic(inverse_or_zero(inertia.x));
        }
        InverseInertia::Tensor(inverse_on(&world_inertia(orientation, &inertia), &self.free_spin))
    }

    /// No inverse moment on the free axes is larger, whatever the orientation, at reference size [1/(kg m²)].
    pub(crate) fn largest_inverse_inertia(&self) -> f64 {
        let inverse = self.inertia.map(inverse_or_zero);
        // A moment about an inclined axis lies between the principal ones.
        if self.isotropic { inverse.component_mul(&self.free_spin).max() } else { inverse.max() }
    }

    /// Angular velocity of the body, which is `spin` at the size factor `from`, at the size factor `to`: of the same angular momentum on its
    /// free axes.
    #[inline]
    pub(crate) fn spin_at_size(&self, orientation: &Quat, spin: &Vec3, from: f64, to: f64) -> Vec3 {
        if from == to {
            return *spin;
        }
        if self.isotropic || self.all_free() {
            let ratio = from / to;
            return spin + spin.component_mul(&self.free_spin) * (ratio * ratio - 1.0);
        }
        let momentum = world_inertia(orientation, &self.inertia_at(from)) * spin;
        self.axes(*spin).spin(orientation, &self.inertia_at(to), &momentum)
    }

    /// Whether held or driven axes can give work to the free ones.
    pub(crate) fn turns_aslant(&self) -> bool {
        !self.isotropic && !self.all_free()
    }

    /// What driven axes d give to the kinetic energy of the free ones f (J) while velocities change over `h`, two of them and the world
    /// inertias at their times given: −ω̄_f·Δ(I_fd ω_d), and −½ h ω̄_f·İ_ff ω̄_f = −h ω̄_f·(ω̄_d × Ī ω̄_f) from turning the inertia.
    pub(crate) fn work_of_driven_spin(&self, before: (&Mat3, &Vec3), after: (&Mat3, &Vec3), h: f64) -> f64 {
        let free = |spin: &Vec3| spin.component_mul(&self.free_spin);
        let driven = |spin: &Vec3| spin - free(spin);
        let given = after.0 * driven(after.1) - before.0 * driven(before.1);
        let (mean, inertia) = ((before.1 + after.1) * 0.5, (before.0 + after.0) * 0.5);
        let turned = driven(&mean).cross(&(inertia * free(&mean))) * h;
        -free(&mean).dot(&(given + turned))
    }

    /// Whether nothing holds or drives the body.
    #[inline]
    pub(crate) fn is_free(&self) -> bool {
        self.free == Vec3::repeat(1.0) && self.all_free()
    }

    /// Whether nothing holds or drives the body's turning.
    #[inline]
    pub(crate) fn all_free(&self) -> bool {
        self.free_spin == Vec3::repeat(1.0)
    }

    /// The free axes where the others turn as `spin` says.
    pub(crate) const fn axes(&self, spin: Vec3) -> FreeAxes {
        FreeAxes { free: self.free_spin, held: spin }
    }
}

/// A vector for each body; zero for all, without rows, where nothing gives one.
#[derive(Debug, Default)]
pub(crate) struct Rows(Vec<Vec3>);

static NOTHING: Vec3 = Vec3::new(0.0, 0.0, 0.0);

impl Index<usize> for Rows {
    type Output = Vec3;

    #[inline]
    fn index(&self, body: usize) -> &Vec3 {
        if self.0.is_empty() { &NOTHING } else { &self.0[body] }
    }
}

impl Rows {
    /// What is given to each body, if anything is.
    fn take(&mut self, given: Option<&[[f64; 3]]>) {
        self.0.clear();
        self.0.extend(given.into_iter().flatten().map(|v| Vec3::from(*v)));
    }

    /// The row of one of so many bodies, to add to it.
    fn row(&mut self, body: usize, bodies: usize) -> &mut Vec3 {
        self.0.resize(bodies, Vec3::zeros());
        &mut self.0[body]
    }
}

/// Force and moment on every body over the step [N, N m]; reused from step to step.
#[derive(Debug, Default)]
pub(crate) struct Forces {
    /// Loads of the model file and of users' modules.
    pub(crate) applied: Rows,
    /// Moments of the model file.
    pub(crate) torque: Rows,
    /// Force of the pore fluid.
    pub(crate) fluid: Rows,
}

const SIZE: OptionalPort<Scalar, PerBody> = ReadPort::lagged(names::SIZE_FACTOR, Unit::ONE).optional();
const FLUID: OptionalPort<Vector, PerBody> = ReadPort::lagged(names::FLUID_FORCE, Unit::FORCE).optional();
const FORCE: OptionalPort<Vector, PerBody> = ReadPort::lagged(names::BODY_FORCE, Unit::FORCE).optional();

/// Forces that other modules give, where there are any (N).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Given<'a> {
    body_force: Option<&'a [[f64; 3]]>,
    fluid: Option<&'a [[f64; 3]]>,
}

impl<'a> Given<'a> {
    /// Everything that a module which moves bodies reads of others: these forces, and sizes.
    pub(crate) fn ports() -> Vec<Port> {
        vec![SIZE.into(), FLUID.into(), FORCE.into()]
    }

    pub(crate) fn read(inputs: &Inputs<'a>) -> Result<Self, PortMisuse> {
        Ok(Self { body_force: inputs.read(FORCE)?, fluid: inputs.read(FLUID)? })
    }
}

impl Forces {
    /// Evaluates all loads: θ F(t+h) + (1−θ) F(t).
    pub(crate) fn evaluate(&mut self, loads: &Loads, step: &Step, setup: &Setup, given: Given<'_>) -> Result<(), ContactError> {
        let n = setup.bodies.len();
        for time in [step.time, step.end()] {
            if let Some(i) = loads.not_finite(time) {
                return Err(ContactError::Imposed { body: setup.body_label(BodyId::from_index(i)), time });
            }
        }
        self.applied.take(given.body_force);
        self.fluid.take(given.fluid);
        self.torque.take(None);
        for load in &loads.forces {
            let i = load.body.index();
            for (k, function) in load.components.iter().enumerate() {
                let Some(f) = function else { continue };
                let value = step.theta * f.at(step.end()) + (1.0 - step.theta) * f.at(step.time);
                let rows = if k < 3 { &mut self.applied } else { &mut self.torque };
                rows.row(i, n)[k % 3] += value;
            }
        }
        let bad = (0..n).find(|&i| !(self.applied[i] + self.fluid[i] + self.torque[i]).iter().all(|v| v.is_finite()));
        bad.map_or(Ok(()), |i| Err(ContactError::Load { body: setup.body_label(BodyId::from_index(i)), time: step.time }))
    }
}

/// Free motion of one step: moves `next` to the contact configuration and fills the nodes with free velocities.
pub(crate) fn predict(
    bodies: &[BodyConstants],
    loads: &Loads,
    forces: &Forces,
    gravity: &Vec3,
    step: &Step,
    prev: &Kinematics,
    next: &mut Kinematics,
    nodes: &mut Vec<Body>,
) {
    let h = step.h;
    let lead = |(i, (position, orientation)): (usize, (&mut Vec3, &mut Quat))| {
        *position = prev.position[i] + prev.velocity[i] * (h * (1.0 - step.theta));
        if prev.angular_velocity[i] != Vec3::zeros() {
            *orientation = turned(&prev.orientation[i], &prev.angular_velocity[i], h * (1.0 - step.theta));
        }
    };
    let Kinematics { position, orientation, .. } = next;
    if is_shared(bodies.len()) {
        position.par_iter_mut().zip(orientation).with_min_len(PIECE).enumerate().for_each(lead);
    } else {
        position.iter_mut().zip(orientation).enumerate().for_each(lead);
    }
    let next = &*next;
    let node = |(): &mut (), i: usize| {
        let body = &bodies[i];
        let acceleration = (forces.applied[i] + forces.fluid[i]) * inverse_or_zero(body.mass) + gravity;
        let mut velocity = prev.velocity[i] + acceleration.component_mul(&body.free) * h;
        let mut spin = free_spin(body, loads, forces, prev, next, i, step);
        for k in 0..3 {
            if let Some(v) = loads.imposed(i, k, step.end()) {
                velocity[k] = v;
            }
            if let Some(v) = loads.imposed(i, k + 3, step.end()) {
                spin[k] = v;
            }
        }
        let orientation = body.answers_at(prev, next, i, &spin, step);
        Body {
            velocity,
            angular_velocity: spin,
            inverse_mass: body.free * inverse_or_zero(body.mass),
            inverse_inertia: body.inverse_inertia(&orientation, next.size[i]),
        }
    };
    fill(nodes, bodies.len(), || (), node);
}

/// Angular velocity at the end of the step without contact impulses, as the solve adds to it what they do: that of the body left to itself, and what its moment does in the contact configuration.
fn free_spin(
    body: &BodyConstants,
    loads: &Loads,
    forces: &Forces,
    prev: &Kinematics,
    next: &Kinematics,
    i: usize,
    step: &Step,
) -> Vec3 {
    let omega = prev.angular_velocity[i];
    let inertia = body.inertia_at(prev.size[i]);
    if body.isotropic {
        let response = inertia.map(inverse_or_zero).component_mul(&body.free_spin);
        return omega + forces.torque[i].component_mul(&response) * step.h;
    }
    let (own, given) = (world_inertia(&prev.orientation[i], &inertia) * omega, forces.torque[i] * step.h);
    let held = loads.imposed_spin(i, step.end());
    if body.at_mean || given == Vec3::zeros() {
        return body.spin_of_momentum(held, prev, next, i, &(own + given), step);
    }
    // Contacts answer in the contact configuration, so what they have to hold is what the moment does there. With the spin that it would come to by itself, through an angle that nobody turns,
    // they would hold another moment, and the body turn by the difference.
    let there = world_inertia(&next.orientation[i], &inertia);
    body.spin_of_momentum(held, prev, next, i, &own, step) + inverse_on(&there, &body.free_spin) * given
}

/// Takes the velocities of the solve.
pub(crate) fn take_velocities(
    bodies: &[BodyConstants],
    step: &Step,
    (free, torque): (&[Vec3], &Rows),
    nodes: &[Body],
    before: &Kinematics,
    next: &mut Kinematics,
) {
    let mut spin = std::mem::take(&mut next.angular_velocity);
    let now = &*next;
    let one = |(i, ((spin, body), node)): (usize, ((&mut Vec3, &BodyConstants), &Body))| {
        *spin = end_spin(body, step, (&free[i], &torque[i]), node, before, now, i);
    };
    if is_shared(bodies.len()) {
        spin.par_iter_mut().zip(bodies).zip(nodes).with_min_len(PIECE).enumerate().for_each(one);
    } else {
        spin.iter_mut().zip(bodies).zip(nodes).enumerate().for_each(one);
    }
    next.angular_velocity = spin;
    next.velocity.iter_mut().zip(nodes).for_each(|(velocity, node)| *velocity = node.velocity);
}

/// Angular velocity at the end of the step from that of a node, `now` being the contact configuration, `free` what it is without impulses and `torque` the moment of loads (N m): a body with unequal moments of inertia keeps
/// its angular momentum, not its angular velocity.
pub(crate) fn end_spin(
    body: &BodyConstants,
    step: &Step,
    (free, torque): (&Vec3, &Vec3),
    node: &Body,
    before: &Kinematics,
    now: &Kinematics,
    i: usize,
) -> Vec3 {
    let is_left_alone = node.angular_velocity == *free && (body.at_mean || *torque == Vec3::zeros());
    if body.isotropic || is_left_alone {
        return node.angular_velocity;
    }
    let inertia = body.inertia_at(now.size[i]);
    let contact = world_inertia(&body.answers_at(before, now, i, free, step), &inertia) * (node.angular_velocity - free);
    let own = world_inertia(&before.orientation[i], &inertia) * before.angular_velocity[i];
    body.spin_of_momentum(*free, before, now, i, &(own + torque * step.h + contact), step)
}

/// Moves the bodies from the contact configuration to the end of the step.
pub(crate) fn correct(bodies: &[BodyConstants], step: &Step, before: &Kinematics, next: &mut Kinematics) {
    let dt = step.h * step.theta;
    let Kinematics { position, orientation, velocity, angular_velocity, .. } = next;
    let one = |(i, ((position, orientation), body)): (usize, ((&mut Vec3, &mut Quat), &BodyConstants))| {
        *position += velocity[i] * dt;
        let omega = angular_velocity[i];
        if omega != Vec3::zeros() || (body.at_mean && before.angular_velocity[i] != Vec3::zeros()) {
            let start = (&before.orientation[i], &before.angular_velocity[i]);
            *orientation = body.orientation_after(start, orientation, &omega, step);
        }
    };
    if is_shared(bodies.len()) {
        position.par_iter_mut().zip(orientation).zip(bodies).with_min_len(PIECE).enumerate().for_each(one);
    } else {
        position.iter_mut().zip(orientation).zip(bodies).enumerate().for_each(one);
    }
}

/// The sizes the bodies shall have at the end of the step, if somebody writes them.
pub(crate) fn new_sizes<'a>(inputs: &Inputs<'a>, step: &Step) -> Result<Option<&'a [f64]>, ContactError> {
    let Some(sizes) = inputs.read(SIZE)? else { return Ok(None) };
    match sizes.iter().position(|s| !(s.is_finite() && *s > 0.0)) {
        None => Ok(Some(sizes)),
        Some(i) => {
            Err(ContactError::Size { body: inputs.setup.body_label(BodyId::from_index(i)), size: sizes[i], time: step.time })
        }
    }
}

/// Gives the bodies their new sizes at constant angular momentum; returns the kinetic energy this adds (J).
pub(crate) fn grow(bodies: &[BodyConstants], sizes: &[f64], k: &mut Kinematics) -> f64 {
    let mut gained = 0.0;
    for (i, body) in bodies.iter().enumerate() {
        if k.size[i] == sizes[i] {
            continue;
        }
        let before = body.kinetic_energy(k, i);
        k.angular_velocity[i] = body.spin_at_size(&k.orientation[i], &k.angular_velocity[i], k.size[i], sizes[i]);
        k.size[i] = sizes[i];
        gained += body.kinetic_energy(k, i) - before;
    }
    gained
}

/// No velocity became infinite or undefined.
pub(crate) fn check_finite(velocity: &[Vec3], spin: &[Vec3], setup: &Setup, step: &Step) -> Result<(), ContactError> {
    let bad = velocity.iter().zip(spin).position(|(v, w)| !(v + w).iter().all(|x| x.is_finite()));
    bad.map_or(Ok(()), |i| Err(ContactError::NotFinite { body: setup.body_label(BodyId::from_index(i)), time: step.time }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_inverse_moment_is_larger_than_the_largest() {
        for free_spin in [Vec3::z(), Vec3::new(0.0, 1.0, 1.0), Vec3::repeat(1.0)] {
            let inertia = Vec3::new(0.2, 1.0, 3.0);
            let body = BodyConstants {
                mass: 1.0,
                inertia,
                free: Vec3::zeros(),
                free_spin,
                isotropic: false,
                planar: false,
                at_mean: false,
                deformable: false,
            };
            let most = |k: u32| {
                let q = Quat::from_euler_angles(0.1 * f64::from(k), 0.23 * f64::from(k), 0.0);
                body.inverse_inertia(&q, 1.0).matrix().symmetric_eigenvalues().max()
            };
            let found = (0..100).map(most).fold(0.0, f64::max);
            let bound = body.largest_inverse_inertia();
            assert!(found <= bound * (1.0 + 1e-12) && found > 0.9 * bound, "{free_spin}: {found} of {bound}");
        }
    }
}
