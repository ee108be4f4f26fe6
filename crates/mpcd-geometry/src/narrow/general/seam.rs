//! Where two bodies lie flush beside each other, an edge between them is an edge of each but none of their union. A body that moves over
//! the one must not feel the other's edge. This room tells it of two contacts of a body; which contacts are compared is the
//! detector's matter.
//!
//! Let a body M rest on Z, with all of M above a plane and all of Z below it, and meet Y at a point p with another normal. If p is
//! a point of Z as well and Y does not stand up over that plane, then M cannot come to touch Y but by leaving Z's plane: on
//! Z nothing of Y is in its way, and where Z ends, the plane's normal turns and Y is met with a normal of its own. Such a contact
//! is none of the union (its normal is no proximal normal of it: Clarke, Ledyaev, Stern, Wolenski, Nonsmooth Analysis and Control
//! Theory, 1998, §1.1). A step, a ramp, a brick that stands on the floor stand up over the plane, a gap is no part of Z: they stay.

use mpcd_core::{BodyId, Vec3};

use super::{Buffers, GRAZE, Item, Search, convex::lowest, meet};
use crate::shape::Core;

/// Sine of the angle up to which two normals do the same: what is done by one of them too many is below any number of a run.
const SLIGHT: f64 = 1e-4;
/// Part of the sizes up to which two bodies are level.
pub(super) const LEVEL: f64 = 1e-9;

/// A contact of the body at the origin with another one, its owner.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beside {
    pub(crate) owner: BodyId,
    /// The owner's centre, and the radius of a ball about it that holds the owner (m).
    pub(crate) centre: Vec3,
    pub(crate) reach: f64,
    /// On the owner's surface (m).
    pub(crate) point: Vec3,
    /// Unit normal towards the body at the origin.
    pub(crate) n: Vec3,
    pub(crate) gap: f64,
}

/// Whether two normals do not do the same.
pub(crate) fn may_turn(a: &Vec3, b: &Vec3) -> bool {
    a.cross(b).norm_squared() > SLIGHT * SLIGHT
}

impl Beside {
    /// A cheap test that most pairs of contacts fail: whether [`hides`] can be true.
    pub(crate) fn may_hide(&self, other: &Self) -> bool {
        self.n.dot(&other.n) > -SLIGHT && self.may_turn(other)
    }

    /// The same of [`turned`](super::turned): of what has sunk in, the side of what rises may look downwards.
    pub(crate) fn may_turn(&self, other: &Self) -> bool {
        let graze = GRAZE * self.reach.min(other.reach);
        self.n.dot(&(other.point - self.point)) <= graze
            && may_turn(&self.n, &other.n)
            && (other.point - self.centre).norm() <= self.reach + graze
    }
}

/// Whether a contact `by` of `mover` (at the origin), whose owner is `one`, makes the contact `other`, owned by `two` and not nearer,
/// one with an edge that the union of the two owners does not have.
pub(crate) fn hides(
    mover: &Item<'_>,
    [(by, one), (other, two)]: [(&Beside, &Item<'_>); 2],
    search: &Search,
    buffers: &mut Buffers,
) -> bool {
    let graze = GRAZE * mover.reach.min(one.reach).min(two.reach);
    let level = by.n.dot(&by.point);
    if by.n.dot(&other.point) > level + graze {
        return false;
    }
    let rounding = LEVEL * (size_of(mover) + size_of(two));
    let above = highest(two, &by.n, &other.point, graze, search, buffers) - level;
    // Bodies that have sunk in still pass what is level; what stands up a little they pass only until they have sunk that much.
    let passes = above <= rounding || above <= graze + by.gap.min(0.0);
    // Of a hollow or composed body another part may be below the plane, where it meets what it likes.
    passes && is_above(mover, &by.n, level + by.gap - rounding) && carries(one, by, &other.point, graze, search, buffers)
}

/// How large a body is; a half-space counts nothing.
pub(super) const fn size_of(item: &Item<'_>) -> f64 {
    if item.reach.is_finite() { item.reach } else { 0.0 }
}

/// Whether the owner of a contact holds a point; of a composed one the part that the contact is with.
fn carries(owner: &Item<'_>, by: &Beside, point: &Vec3, near: f64, search: &Search, buffers: &mut Buffers) -> bool {
    match owner.core {
        Core::Cluster(_) => {
            owner.parts().any(|part| holds(&part, &by.point, near, search, buffers) && holds(&part, point, near, search, buffers))
        }
        _ => holds(owner, point, near, search, buffers),
    }
}

/// Whether a body holds a point, or is within `near` of it.
pub(super) fn holds(item: &Item<'_>, point: &Vec3, near: f64, search: &Search, buffers: &mut Buffers) -> bool {
    let ball = Core::Round { radius: near, tapers: false };
    let probe = Item { core: &ball, x: *point, size: 1.0, reach: near, ..*item };
    let from = buffers.spots.len();
    meet(&probe, item, &Search { alert: 0.0, ..*search }, buffers);
    let found = buffers.spots.len() > from;
    buffers.spots.truncate(from);
    found
}

/// How high along `n` a body reaches; of a composed one or a surface the parts that are within `near` of `point`.
pub(super) fn highest(item: &Item<'_>, n: &Vec3, point: &Vec3, near: f64, search: &Search, buffers: &mut Buffers) -> f64 {
    match item.core {
        Core::Mesh(mesh) => {
            let at = item.local(point);
            let mut triangles = std::mem::take(&mut buffers.triangles);
            triangles.clear();
            mesh.near(&at, &at, near / item.size, &mut triangles);
            let vertices = triangles.iter().flat_map(|&t| mesh.triangle(t).vertices);
            let high = vertices.map(|v| n.dot(&item.world(&mesh.vertices()[v as usize]))).fold(f64::NEG_INFINITY, f64::max);
            buffers.triangles = triangles;
            if high.is_finite() { high } else { f64::INFINITY }
        }
        Core::Cluster(_) => {
            let mut high = f64::NEG_INFINITY;
            for part in item.parts() {
                if holds(&part, point, near, search, buffers) {
                    high = high.max(highest(&part, n, point, near, search, buffers));
                }
            }
            if high.is_finite() { high } else { f64::INFINITY }
        }
        Core::Hollow { .. } | Core::HalfSpace { .. } | Core::Deformable { .. } => f64::INFINITY,
        _ => support(item, n),
    }
}

/// Whether all of a body is at a height along `n` or above.
pub(super) fn is_above(item: &Item<'_>, n: &Vec3, height: f64) -> bool {
    match item.core {
        Core::Mesh(mesh) => mesh.vertices().iter().all(|v| n.dot(&item.world(v)) >= height),
        Core::Cluster(_) => item.parts().all(|part| is_above(&part, n, height)),
        Core::Hollow { outside, .. } => is_above(&item.with(outside), n, height),
        Core::HalfSpace { .. } | Core::Deformable { .. } => false,
        _ => -support(item, &-n) >= height,
    }
}

/// How high along `n` a convex body reaches (m).
fn support(item: &Item<'_>, n: &Vec3) -> f64 {
    n.dot(&lowest(item, &-n))
}
