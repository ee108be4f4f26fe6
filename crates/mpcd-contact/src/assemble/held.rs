//! Pairs that what holds their bodies keeps apart: no impulse moves them along the normal, and they do not close. They carry nothing, and are no rows of the problem.

use mpcd_core::Vec3;
use mpcd_friction::{Cone, problem::Body};
use mpcd_geometry::Touch;

use crate::law::{LawData, LawResponse};

/// Part of what impulses do to the bodies at the contact up to which they do nothing along the normal.
const NOTHING: f64 = 1e-12;

/// Whether a contact of rigid bodies that only pushes stays open, or just touches, whatever its impulse; `growth` is that of its normal (m/s), `h` the length of the step (s). One that closes all
/// the same is none: its force cannot be computed.
pub(super) fn is_held_apart(touch: &Touch, data: &LawData, growth: f64, bodies: &[Body], h: f64) -> bool {
    let sides = [(touch.key.candidate, &touch.arm_candidate), (touch.key.antagonist, &touch.arm_antagonist)];
    let [Some(c), Some(a)] = sides.map(|(body, _)| bodies.get(body.index())) else { return false };
    let n = &touch.frame.n;
    let is_free = |body: &Body| body.inverse_mass.component_mul(n).dot(n) > 0.0;
    if is_free(c) || is_free(a) {
        return false;
    }
    let LawResponse::Cone(Cone::Coulomb { .. } | Cone::Convex { .. } | Cone::Frictionless) = data.response else { return false };
    if data.compliance.x != 0.0 || data.impulse_shift != Vec3::zeros() {
        return false;
    }
    let moved = |body: &Body, arm: &Vec3, d: &Vec3| {
        let turned = arm.cross(d);
        body.inverse_mass.component_mul(d).dot(d) + turned.dot(&(body.inverse_inertia.matrix() * turned))
    };
    let along = |d: &Vec3| moved(c, &touch.arm_candidate, d) + moved(a, &touch.arm_antagonist, d);
    if along(n) > NOTHING * (along(&touch.frame.t) + along(&touch.frame.s())) {
        return false;
    }
    let opens = n.dot(&(c.velocity_at(&touch.arm_candidate) - a.velocity_at(&touch.arm_antagonist)));
    opens + data.velocity_shift.x - growth >= -touch.tolerance() / h
}
