//! Rotations: the exponential update of a quaternion and Newton–Euler without torque for any inertia.
//!
//! World angular momentum L is the primary unknown, so a free body keeps it to rounding. With θ = ½ the update of the
//! axes, exp(h/2 ω⁺) exp(h/2 ω⁻), is symmetric in time: the energy of a free top stays bounded, O(h²).

use mpcd_core::{Mat3, Quat, Vec3};

/// The orientation after turning with the world angular velocity `omega` [rad/s] for `h` (s).
pub(crate) fn turned(orientation: &Quat, omega: &Vec3, h: f64) -> Quat {
    // Normalised each time: the product of two unit quaternions drifts by rounding alone.
    let mut q = Quat::from_scaled_axis(omega * h) * orientation;
    q.renormalize();
    q
}

/// The orientation after turning by Cayley's map of `h` times the mean angular velocity `omega` [rad/s]: by 2 arctan(h‖ω‖/2) about it. Every
/// point a of the body then moves by exactly h ω × ā, ā the mean of its places before and after, so that impulses at mean places do the work
/// that their displacement says and leave the angular momentum as it is (Betsch and Steinmann 2001, doi:10.1002/nme.77).
pub(crate) fn turned_at_mean(orientation: &Quat, omega: &Vec3, h: f64) -> Quat {
    let half = omega * (0.5 * h);
    let turn = Quat::from_quaternion(nalgebra::Quaternion::from_parts(1.0, half));
    let mut q = turn * orientation;
    q.renormalize();
    q
}

/// World inertia of a body with principal moments `principal` [kg m²].
pub(crate) fn world_inertia(orientation: &Quat, principal: &Vec3) -> Mat3 {
    let r = orientation.to_rotation_matrix();
    r * Mat3::from_diagonal(principal) * r.inverse()
}

/// World inverse inertia; a zero moment locks its axis.
pub(crate) fn world_inverse_inertia(orientation: &Quat, principal: &Vec3) -> Mat3 {
    let r = orientation.to_rotation_matrix();
    r * Mat3::from_diagonal(&principal.map(inverse_or_zero)) * r.inverse()
}

/// 1/x, and 0 for 0: no inertia means no response.
pub(crate) fn inverse_or_zero(x: f64) -> f64 {
    if x > 0.0 { 1.0 / x } else { 0.0 }
}

/// Whether all moments are the same: then ω = L/I whatever the orientation.
pub(crate) fn is_isotropic(principal: &Vec3) -> bool {
    principal.x == principal.y && principal.y == principal.z
}

/// Which world axes of a body turn freely (1) and which are held or driven (0), and how fast the latter turn [rad/s].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FreeAxes {
    pub(crate) free: Vec3,
    pub(crate) held: Vec3,
}

impl FreeAxes {
    /// The angular velocity whose angular momentum on the free axes is that of `momentum`. With f the free axes and d the others,
    /// (I ω)_f = I_ff ω_f + I_fd ω_d: what holds the axes d gives moments about them alone, so that L_f is what forces make it and
    /// ω_f = I_ff⁻¹ (L_f − I_fd ω_d).
    pub(crate) fn spin(&self, orientation: &Quat, principal: &Vec3, momentum: &Vec3) -> Vec3 {
        if self.free == Vec3::repeat(1.0) {
            return world_inverse_inertia(orientation, principal) * momentum;
        }
        let world = world_inertia(orientation, principal);
        let held = self.held - self.held.component_mul(&self.free);
        held + inverse_on(&world, &self.free) * (momentum - world * held)
    }

    /// The angular velocity ω⁺ that has the angular momentum L on the free axes after turning with itself for `h`,
    /// I(exp(h ω⁺) R) ω⁺ = L.
    pub(crate) fn implicit_spin(&self, orientation: &Quat, principal: &Vec3, momentum: &Vec3, h: f64) -> Vec3 {
        let landing = |omega: &Vec3| (turned(orientation, omega, h), turned_by(omega, h));
        self.spin_where(landing, orientation, principal, momentum)
    }

    /// The same where `landing` says to which orientation an angular velocity leads, and by how much that turns with it (s); the search starts from the one at `orientation`.
    /// Newton's method: of a slender body ω ← I⁻¹L by itself goes away from its end, as the little that a spin about its length tilts it is more than that spin over I_axial.
    pub(crate) fn spin_where(
        &self,
        landing: impl Fn(&Vec3) -> (Quat, Mat3),
        orientation: &Quat,
        principal: &Vec3,
        momentum: &Vec3,
    ) -> Vec3 {
        let start = self.spin(orientation, principal, momentum);
        if principal.min() <= 0.0 {
            return self.by_turns(landing, start, principal, momentum);
        }
        let (mask, held) = (Mat3::from_diagonal(&self.free), self.held - self.held.component_mul(&self.free));
        let (mut omega, mut last) = (start, f64::INFINITY);
        for _ in 0..SEARCHES {
            let (there, by) = landing(&omega);
            let inertia = world_inertia(&there, principal);
            let own = inertia * omega;
            // turned by δ, I ω becomes I ω + δ × I ω − I (δ × ω)
            let turning = (inertia * omega.cross_matrix() - own.cross_matrix()) * by;
            let whole = mask * (inertia + turning) * mask + (Mat3::identity() - mask);
            let Some(inverse) = whole.try_inverse() else { break };
            let change = inverse * (mask * (momentum - own));
            omega = held + (omega + change).component_mul(&self.free);
            let change = change.norm();
            if change <= ENDS * omega.norm() || (change >= 0.5 * last && change <= ROUNDED * omega.norm()) {
                return omega;
            }
            last = change;
        }
        self.by_turns(landing, start, principal, momentum)
    }

    /// The same by ω ← I⁻¹L, which contracts like h‖ω‖ where moments are alike.
    fn by_turns(&self, landing: impl Fn(&Vec3) -> (Quat, Mat3), start: Vec3, principal: &Vec3, momentum: &Vec3) -> Vec3 {
        let mut omega = start;
        for _ in 0..50 {
            let next = self.spin(&landing(&omega).0, principal, momentum);
            let change = (next - omega).norm();
            omega = next;
            if change <= ENDS * omega.norm() {
                break;
            }
        }
        omega
    }
}

/// Most iterations of Newton's method; the change of a spin, over it, at which it has ended, and at which it may have where changes grow no smaller: about a short
/// axis a spin is known to the rounding of the whole momentum over the inertia there.
const SEARCHES: usize = 20;
const ENDS: f64 = 1e-15;
const ROUNDED: f64 = 1e-6;

/// By how much [`turned`] turns more for more of `omega` (s): h times the left Jacobian of the exponential.
pub(crate) fn turned_by(omega: &Vec3, h: f64) -> Mat3 {
    let turn = omega * h;
    let angle = turn.norm();
    let (first, second) = if angle < 1e-2 {
        (0.5 - angle * angle / 24.0, 1.0 / 6.0 - angle * angle / 120.0)
    } else {
        ((1.0 - angle.cos()) / (angle * angle), (angle - angle.sin()) / (angle * angle * angle))
    };
    let cross = turn.cross_matrix();
    (Mat3::identity() + cross * first + cross * cross * second) * h
}

/// The same of [`turned_at_mean`] for its mean angular velocity.
pub(crate) fn turned_at_mean_by(omega: &Vec3, h: f64) -> Mat3 {
    let half = omega * (0.5 * h);
    (Mat3::identity() + half.cross_matrix()) * (h / (1.0 + half.norm_squared()))
}

/// The inverse of a world inertia on the free axes alone, zero on the others: their rows and columns are replaced by the
/// identity, inverted, and cut out.
pub(crate) fn inverse_on(world: &Mat3, free: &Vec3) -> Mat3 {
    let mask = Mat3::from_diagonal(free);
    let whole = mask * world * mask + (Mat3::identity() - mask);
    whole.try_inverse().map_or_else(Mat3::zeros, |inverse| mask * inverse * mask)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A free asymmetric top over 10⁴ steps: (|ΔL|/L, largest relative energy error).
    fn top(h: f64) -> (f64, f64) {
        let principal = Vec3::new(1.0, 2.0, 3.5);
        let mut q = Quat::from_euler_angles(0.3, -0.2, 0.9);
        let mut omega = q * Vec3::new(0.4, 2.0, 0.3);
        let start = world_inertia(&q, &principal) * omega;
        let energy = |w: &Vec3, q: &Quat| 0.5 * w.dot(&(world_inertia(q, &principal) * w));
        let first = energy(&omega, &q);
        let free = FreeAxes { free: Vec3::repeat(1.0), held: Vec3::zeros() };
        let mut worst = 0.0_f64;
        for _ in 0..10_000 {
            let momentum = world_inertia(&q, &principal) * omega;
            let middle = turned(&q, &omega, 0.5 * h);
            omega = free.implicit_spin(&middle, &principal, &momentum, 0.5 * h);
            q = turned(&middle, &omega, 0.5 * h);
            worst = worst.max((energy(&omega, &q) / first - 1.0).abs());
        }
        let end = world_inertia(&q, &principal) * omega;
        ((end - start).norm() / start.norm(), worst)
    }

    /// I(q⁺) ω = L to rounding of L, from a rod of 1 mm in 0.5 m (1 : 170,000) that turns across with a little about its length to a ball that turns by a radian, and with axes held.
    #[test]
    fn the_spin_after_a_step_has_the_momentum_asked_for() {
        let about_length = Vec3::new(1e-3, 0.2, 8.0);
        for (principal, spin, h, free) in [
            (Vec3::new(5e-7, 0.083, 0.083), about_length, 4e-3, Vec3::repeat(1.0)),
            (Vec3::new(5e-7, 0.083, 0.083), about_length, 30e-3, Vec3::repeat(1.0)),
            (Vec3::new(0.083, 5e-7, 0.08), Vec3::new(3.0, 1e-2, 4.0), 10e-3, Vec3::repeat(1.0)),
            (Vec3::new(1.0, 2.0, 2.5), Vec3::new(0.4, -0.5, 0.3), 1.0, Vec3::repeat(1.0)),
            (Vec3::new(1.0, 0.5, 0.7), Vec3::new(0.4, 2.0, 0.3), 0.1, Vec3::new(1.0, 0.0, 1.0)),
        ] {
            let q = Quat::from_euler_angles(0.3, -0.2, 0.9);
            let momentum = world_inertia(&q, &principal) * (q * spin);
            let axes = FreeAxes { free, held: Vec3::new(0.0, 0.1, 0.0) };
            let omega = axes.implicit_spin(&q, &principal, &momentum, h);
            let left = (world_inertia(&turned(&q, &omega, h), &principal) * omega - momentum).component_mul(&free);
            assert!(left.norm() < 1e-12 * momentum.norm(), "{principal:?}, {h}: {left:?} of {momentum:?}");
            assert!(free.y == 1.0 || omega.y == 0.1, "{omega:?}");
        }
    }

    /// The derivatives of both updates against differences of the updates themselves.
    #[test]
    fn what_a_spin_turns_more_is_the_derivative_of_the_update() {
        type Update = (fn(&Quat, &Vec3, f64) -> Quat, fn(&Vec3, f64) -> Mat3);
        let updates: [Update; 2] = [(turned, turned_by), (turned_at_mean, turned_at_mean_by)];
        for (update, by) in updates {
            for omega in [Vec3::new(0.3, -2.0, 1.1), Vec3::new(1e-3, 2e-3, 0.0), Vec3::zeros()] {
                let (h, small) = (0.7, 1e-6);
                for k in 0..3 {
                    let more = |way: f64| update(&Quat::identity(), &(omega + Vec3::ith(k, way * small)), h);
                    let found = (more(1.0) * more(-1.0).inverse()).scaled_axis() / (2.0 * small);
                    let wanted = by(&omega, h).column(k).into_owned();
                    assert!((found - wanted).norm() < 1e-8, "{omega:?}, {k}: {found:?} and {wanted:?}");
                }
            }
        }
    }

    #[test]
    fn a_free_asymmetric_top_keeps_momentum_and_bounds_energy_to_second_order() {
        let (drift, coarse) = top(2e-2);
        let (_, fine) = top(1e-2);
        assert!(drift <= 1e-10, "momentum drift {drift:e}");
        let order = (coarse / fine).log2();
        assert!(coarse < 1e-2 && (1.8..2.2).contains(&order), "energy error {coarse:e}, {fine:e}, order {order}");
    }
}
