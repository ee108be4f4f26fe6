//! A box on a plane: each corner within the alert distance is a point of its own, so that a block stands on its face.

use mpcd_core::{ContactGeometry, Dimension, Vec3, patch::on_patch};

use super::{Pair, Scene};
use crate::{shape::Shape, touch::Touch};

/// A corner of a box above a plane.
pub(super) struct Corner {
    /// Distance from the plane (m).
    pub(super) gap: f64,
    /// Normal of the plane.
    n: Vec3,
    /// Number of the corner: bit k is set where the corner is on the positive side of axis k.
    feature: u64,
    /// From the centre of the box, world axes (m).
    arm: Vec3,
    /// Its share of the area that lies on the plane (m²); 0 of a corner that does not.
    area: f64,
}

impl Scene<'_> {
    /// Hands all corners to `sink`, by rising number: 4 in a planar model, 8 in space.
    pub(super) fn box_on_plane(&self, pair: Pair, mut sink: impl FnMut(Corner)) {
        let (Shape::Box { half }, Shape::Plane { normal }) =
            (&self.shapes[pair.candidate.index()], &self.shapes[pair.antagonist.index()])
        else {
            return;
        };
        let n = self.plane_normal(pair.antagonist, normal);
        let centre = self.ball(pair.candidate).x - self.antagonist(pair).x;
        let height = n.dot(&centre);
        let half = self.flat(*half) * self.size(pair.candidate);
        let lengths = half.norm() + centre.norm();
        let corners = if self.dimension == Dimension::Planar { 4 } else { 8 };
        let corner = |feature: u64| {
            let corner = Vec3::from_fn(|k, _| if feature >> k & 1 == 1 { half[k] } else { -half[k] });
            let arm = self.world(pair.candidate, &corner);
            Corner { gap: height + n.dot(&arm), n, feature, arm, area: 0.0 }
        };
        let face = self.face_down(pair, &n);
        let lowest = (0..corners).map(&corner).reduce(|a, b| if b.gap < a.gap { b } else { a });
        let lies = |c: &Corner| {
            let on = |low: &Corner| on_patch(c.gap, low.gap, (c.arm - low.arm).norm(), lengths);
            c.feature >> face.axis & 1 == face.side && lowest.as_ref().is_some_and(on)
        };
        let lying = (0..corners).filter(|&f| lies(&corner(f))).count();
        // Three corners of a rectangle hold half of it; an edge and a corner have no area.
        let area = match (corners / 2, lying) {
            (all, some) if all == some as u64 => face.area,
            (_, 3) => 0.5 * face.area,
            _ => 0.0,
        };
        for feature in 0..corners {
            let corner = corner(feature);
            let share = if lies(&corner) { area / lying as f64 } else { 0.0 };
            sink(Corner { area: share, ..corner });
        }
    }

    pub(super) fn touch_of_corner(&self, pair: Pair, corner: &Corner) -> Touch {
        let point = self.ball(pair.candidate).x + corner.arm;
        Touch {
            key: pair.key(corner.feature),
            point,
            frame: self.frame(corner.n),
            gap: corner.gap,
            geometry: ContactGeometry::Flat { area: corner.area },
            least_radius: f64::INFINITY,
            arm_candidate: corner.arm,
            arm_antagonist: point - self.antagonist(pair).x,
            growth_candidate: -corner.n.dot(&corner.arm) / self.size(pair.candidate),
            growth_antagonist: 0.0,
        }
    }

    /// The face that looks at the plane most.
    fn face_down(&self, pair: Pair, n: &Vec3) -> Face {
        let Shape::Box { half } = &self.shapes[pair.candidate.index()] else { return Face { axis: 0, side: 0, area: 0.0 } };
        let s = self.size(pair.candidate);
        let seen = self.local(pair.candidate, n);
        let axis = seen.iamax();
        let area = match self.dimension {
            Dimension::Planar => 2.0 * (if axis == 0 { half.y } else { half.x }) * s * 2.0 * half.z,
            Dimension::Spatial => 4.0 * s * s * half.x * half.y * half.z / half[axis],
        };
        Face { axis, side: u64::from(seen[axis] < 0.0), area }
    }
}

/// A face of a box.
struct Face {
    /// The axis across it.
    axis: usize,
    /// The bit that its corners have for this axis.
    side: u64,
    /// Its area (m²).
    area: f64,
}
