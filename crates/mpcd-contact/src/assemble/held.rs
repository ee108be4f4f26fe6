//! Pairs that what holds their bodies keeps apart: no impulse moves them along the normal, and they do not close. They carry nothing, and are no rows of the problem.

use mpcd_core::Vec3;
use mpcd_friction::{
    Cone,
    problem::{Body, ContactDimension, Frame, Side},
};
use mpcd_geometry::Touch;

use crate::law::{LawData, LawResponse};

/// Part of what impulses do to the bodies at the contact up to which they do nothing along the normal.
const NOTHING: f64 = 1e-12;

/// Whether a contact of rigid bodies that only pushes stays open, or just touches, whatever its impulse; `growth` is that of its normal (m/s), `h` the length of the step (s). One that closes all
/// the same is none: its force cannot be computed.
pub(super) fn is_held_apart(touch: &Touch, data: &LawData, growth: f64, bodies: &[Body], h: f64) -> bool {
    let [candidate, antagonist] = [
        Side { body: touch.key.candidate.index(), lever: touch.arm_candidate, sign: 1.0 },
        Side { body: touch.key.antagonist.index(), lever: touch.arm_antagonist, sign: -1.0 },
    ];
    let [Some(c), Some(a)] = [candidate, antagonist].map(|side| bodies.get(side.body)) else { return false };
    let n = &touch.frame.n;
    let is_free = |body: &Body| body.inverse_mass.component_mul(n).dot(n) > NOTHING * body.inverse_mass.sum();
    if is_free(c) || is_free(a) {
        return false;
    }
    if !only_pushes(data) {
        return false;
    }
    let frame = Frame::from_normal_and_tangent(touch.frame.n, touch.frame.t);
    let moved = candidate.block(c, &frame, ContactDimension::Three) + antagonist.block(a, &frame, ContactDimension::Three);
    if moved[(0, 0)] > NOTHING * (moved[(1, 1)] + moved[(2, 2)]) {
        return false;
    }
    let opens = n.dot(&(candidate.velocity(c) + antagonist.velocity(a)));
    opens + data.velocity_shift.x - growth >= -touch.tolerance() / h
}

/// Whether a law asks for nothing but that bodies do not overlap, and friction: no spring, no bond.
pub(super) fn only_pushes(data: &LawData) -> bool {
    let is_cone = matches!(data.response, LawResponse::Cone(Cone::Coulomb { .. } | Cone::Convex { .. } | Cone::Frictionless));
    is_cone && data.compliance.x == 0.0 && data.impulse_shift == Vec3::zeros()
}
