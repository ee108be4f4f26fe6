//! A row of the contact network: made from a touch before the solve, and finished with what its solution says. No law, no problem.

use mpcd_core::{BodyId, Contact, ContactStatus, Kinematics, Vec3};
use mpcd_geometry::Touch;

use crate::{
    cell::Cell,
    deformable::Sides,
    law::Shares,
    motion::{Twist, across},
};

/// Work of bonds and of viscous forces in the step, and energy that laws store at its end (J).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Works {
    pub(crate) bond: f64,
    pub(crate) viscous: f64,
    pub(crate) stored: f64,
    /// Energy that springs got because they are other parts of their patches: [`Shares::restrung`].
    pub(crate) restrung: f64,
    /// Work of bodies that grow against the impulses.
    pub(crate) growth: f64,
    /// Energy that bonds stored whose contacts are gone.
    pub(crate) lost: f64,
    /// Sizes of what bonds and viscous forces push and pull with, against which contacts may push back as much [N s].
    pub(crate) pulled: f64,
    /// Energy that they would give the bodies at rest in the step (J).
    pub(crate) spared: f64,
    /// Normal work that comes from the turning of the contacts, not from a gap that changes (scheme `Explicit`).
    pub(crate) turning: f64,
}

/// Which contacts lie on deformable bodies, and how these move.
pub(crate) type Meshes<'a> = (&'a Sides, &'a [mpcd_fem::State]);

/// The row of a touch whose impulse is not known yet.
#[inline]
pub(crate) fn new_contact(touch: &Touch, law: u16, u_before: Vec3) -> Contact {
    Contact {
        key: touch.key,
        point: touch.point,
        frame: touch.frame,
        gap: touch.gap,
        geometry: touch.geometry,
        least_radius: touch.least_radius,
        law,
        u_before,
        u: u_before,
        r: Vec3::zeros(),
        heat_friction: 0.0,
        heat_impact: 0.0,
        status: ContactStatus::Open,
    }
}

/// Relative velocity (n, t, s) [m/s]; `cell` moves at the rate given.
#[inline]
pub(crate) fn relative_velocity(
    now: &Kinematics,
    (sides, states): Meshes<'_>,
    touch: &Touch,
    cell: Option<(&Cell, &Vec3)>,
) -> Vec3 {
    if sides.has(touch) {
        // the motion of a deformable side is that of its nodes
        let still = |body: usize| sides.is_deformable(BodyId::from_index(body));
        let rigid = |body| if still(body) { Twist::default() } else { (now.velocity[body], now.angular_velocity[body]) };
        return touch.frame.to_local(&across(touch, rigid)) + sides.relative_velocity(states, touch);
    }
    let mut u = across(touch, |body| (now.velocity[body], now.angular_velocity[body]));
    if let Some((cell, rate)) = cell {
        u += cell.branch(touch).component_mul(rate);
    }
    touch.frame.to_local(&u)
}

/// Heat −r·½(u⁺+u⁻) = −r·`mean` with the true surface velocity, split into normal and tangential work; what bonds and viscous forces do
/// apart from it; and the status. `normal` is the speed at which the gap opened, where it is known better than by the mean velocity.
pub(crate) fn finish(contact: &mut Contact, mean: &Vec3, normal: f64, friction: f64, shares: &Shares, works: &mut Works) {
    works.bond += shares.bond.dot(mean);
    works.viscous += shares.viscous.dot(mean);
    works.stored += shares.stored;
    works.restrung += shares.restrung;
    let r = contact.r - shares.bond - shares.viscous;
    contact.heat_impact = -r.x * normal;
    works.turning += r.x * (mean.x - normal);
    let rubbing = shares.slid.map_or(*mean, |slid| slid.of_mean(mean));
    contact.heat_friction = -(r.y * rubbing.y + r.z * rubbing.z);
    works.bond += r.y * (mean.y - rubbing.y) + r.z * (mean.z - rubbing.z);
    contact.status = status_of(contact, friction);
}

/// What the impulse and the velocity of a contact say of it.
#[inline]
pub(crate) fn status_of(contact: &Contact, friction: f64) -> ContactStatus {
    let size = |x: &Vec3| (x.y * x.y + x.z * x.z).sqrt();
    let tangential = size(&contact.r);
    if contact.r.x == 0.0 && tangential <= 0.0 {
        ContactStatus::Open
    } else if contact.r.x < 0.0 {
        ContactStatus::Stick
    } else if tangential >= friction * contact.r.x * (1.0 - 1e-9) && size(&contact.u) > 0.0 {
        ContactStatus::Slip
    } else {
        ContactStatus::Stick
    }
}
