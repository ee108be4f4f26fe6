//! Columns of one sub-step: velocities at its start, of its drift, and their mean; and the turning of single bodies.

use mpcd_core::{Kinematics, Mat3, Quat, Vec3};

use crate::{
    loads::Loads,
    motion::BodyConstants,
    rotation::{inverse_or_zero, world_inertia},
};

/// Velocities and spins, body by body.
#[derive(Debug, Default)]
pub(crate) struct Velocities {
    pub(crate) linear: Vec<Vec3>,
    pub(crate) spin: Vec<Vec3>,
}

impl Velocities {
    pub(crate) fn resize(&mut self, n: usize) {
        self.linear.resize(n, Vec3::zeros());
        self.spin.resize(n, Vec3::zeros());
    }

    pub(crate) fn copy_from(&mut self, k: &Kinematics) {
        self.linear.clone_from(&k.velocity);
        self.spin.clone_from(&k.angular_velocity);
    }

    /// ½ (start + k).
    pub(crate) fn mean_of(&mut self, start: &Self, k: &Kinematics) {
        self.resize(k.len());
        for i in 0..k.len() {
            self.linear[i] = (start.linear[i] + k.velocity[i]) * 0.5;
            self.spin[i] = (start.spin[i] + k.angular_velocity[i]) * 0.5;
        }
    }

    pub(crate) fn slices(&self) -> (&[Vec3], &[Vec3]) {
        (&self.linear, &self.spin)
    }
}

/// Buffers of one sub-step; caches that change no bit.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    /// At the start of the sub-step.
    pub(crate) start: Velocities,
    /// That move the bodies from start to end.
    pub(crate) drift: Velocities,
    /// ½ (V⁻ + V⁺).
    pub(crate) mean: Velocities,
    /// Angular momentum in the middle of the sub-step [kg m²/s], where moments are unequal.
    pub(crate) momentum: Vec<Vec3>,
    /// Kinetic energy at the start (J), where moments are unequal.
    pub(crate) energy: Vec<f64>,
    /// World inertia at the start, where moments are unequal and some axes of turning are not free.
    pub(crate) inertia: Vec<Mat3>,
    /// Momentum and angular momentum that the scheme adds to the impulses ½h(F⁻ + F⁺) [N s, N m s].
    pub(crate) extra: Velocities,
}

impl Columns {
    /// Starts a sub-step of the motion `k`.
    pub(crate) fn start(&mut self, k: &Kinematics, bodies: &[BodyConstants]) {
        let n = k.len();
        self.start.copy_from(k);
        self.drift.resize(n);
        self.momentum.resize(n, Vec3::zeros());
        self.energy.clear();
        self.energy.extend((0..n).map(|i| if bodies[i].isotropic { 0.0 } else { bodies[i].kinetic_energy(k, i) }));
        self.inertia.clear();
        let inertia = |(i, b): (usize, &BodyConstants)| if b.turns_aslant() { inertia_of(b, k, i) } else { Mat3::zeros() };
        self.inertia.extend(bodies.iter().enumerate().map(inertia));
    }
}

/// World inertia of a body.
pub(crate) fn inertia_of(body: &BodyConstants, k: &Kinematics, i: usize) -> Mat3 {
    world_inertia(&k.orientation[i], &body.inertia_at(k.size[i]))
}

/// Acceleration on the free axes [m/s²].
pub(crate) fn acceleration(body: &BodyConstants, force: &Vec3, gravity: &Vec3) -> Vec3 {
    (force * inverse_or_zero(body.mass) + gravity).component_mul(&body.free)
}

/// Angular acceleration per moment on the free axes, where ω = L/I holds for every orientation [1/(kg m²)].
pub(crate) fn isotropic_response(body: &BodyConstants, size: f64) -> Vec3 {
    body.inertia_at(size).map(inverse_or_zero).component_mul(&body.free_spin)
}

/// World angular momentum of a body with unequal moments.
pub(crate) fn angular_momentum(body: &BodyConstants, q: &Quat, size: f64, omega: &Vec3) -> Vec3 {
    world_inertia(q, &body.inertia_at(size)) * omega
}

/// Spin of a body with unequal moments that has the angular momentum `momentum` on its free axes at the orientation `q`, where
/// the others turn as `held` says.
pub(crate) fn spin_at(body: &BodyConstants, q: &Quat, size: f64, momentum: &Vec3, held: Vec3) -> Vec3 {
    body.axes(held).spin(q, &body.inertia_at(size), momentum)
}

/// The same after turning with itself for `dt`.
pub(crate) fn implicit_spin(body: &BodyConstants, q: &Quat, size: f64, momentum: &Vec3, held: Vec3, dt: f64) -> Vec3 {
    body.axes(held).implicit_spin(q, &body.inertia_at(size), momentum, dt)
}

/// Puts held and driven axes to what is imposed at time `t`.
pub(crate) fn impose(loads: &Loads, i: usize, t: f64, velocity: &mut Vec3, spin: &mut Vec3) {
    for k in 0..3 {
        if let Some(v) = loads.imposed(i, k, t) {
            velocity[k] = v;
        }
        if let Some(v) = loads.imposed(i, k + 3, t) {
            spin[k] = v;
        }
    }
}
