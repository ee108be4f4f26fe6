//! A box on a plane: each corner within the alert distance is a point of its own, so that a block stands on its face.

use mpcd_core::{ContactGeometry, Dimension, Vec3};

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
        let height = n.dot(&(self.ball(pair.candidate).x - self.antagonist(pair).x));
        let half = self.flat(*half) * self.size(pair.candidate);
        let corners = if self.dimension == Dimension::Planar { 4 } else { 8 };
        for feature in 0..corners {
            let corner = Vec3::from_fn(|k, _| if feature >> k & 1 == 1 { half[k] } else { -half[k] });
            let arm = self.world(pair.candidate, &corner);
            sink(Corner { gap: height + n.dot(&arm), n, feature, arm });
        }
    }

    pub(super) fn touch_of_corner(&self, pair: Pair, corner: &Corner) -> Touch {
        let point = self.ball(pair.candidate).x + corner.arm;
        Touch {
            key: pair.key(corner.feature),
            point,
            frame: self.frame(corner.n),
            gap: corner.gap,
            geometry: ContactGeometry::Flat { area: self.corner_area(pair, &corner.n) },
            arm_candidate: corner.arm,
            arm_antagonist: point - self.antagonist(pair).x,
            growth_candidate: -corner.n.dot(&corner.arm) / self.size(pair.candidate),
            growth_antagonist: 0.0,
        }
    }

    /// A corner's share of the face that looks at the plane most (m²): a quarter of a rectangle, in a planar model half of an
    /// edge times the thickness. The same for every corner, however the box is tilted.
    fn corner_area(&self, pair: Pair, n: &Vec3) -> f64 {
        let Shape::Box { half } = &self.shapes[pair.candidate.index()] else { return 0.0 };
        let s = self.size(pair.candidate);
        let seen = self.local(pair.candidate, n).abs();
        match self.dimension {
            Dimension::Planar => (if seen.x > seen.y { half.y } else { half.x }) * s * 2.0 * half.z,
            Dimension::Spatial => s * s * half.x * half.y * half.z / half[seen.imax()],
        }
    }
}
