//! A ball or disc against anything.

use mpcd_core::{BodyId, ContactGeometry, Dimension, Vec3};

use super::{Ball, Pair, Scene, curved, general::roundness};
use crate::{shape::Shape, touch::Touch};

/// Below this fraction of the lengths involved, a distance has no direction left in f64.
const NO_DIRECTION: f64 = 1e-14;

/// The antagonist's surface where a round candidate is nearest.
pub(super) struct Surface {
    /// From this surface to the candidate's (m).
    pub(super) gap: f64,
    /// Outward unit normal.
    n: Vec3,
    /// Principal curvatures [1/m]: in the plane (across a capsule), and along z (along a capsule).
    curvature: [f64; 2],
    /// −∂gap/∂size (m).
    growth: f64,
}

/// Gap of two balls or discs (m).
#[inline]
pub(super) fn gap(c: &Ball, a: &Ball) -> f64 {
    (c.x - a.x).norm() - (c.r + a.r)
}

/// Principal curvatures of a ball or disc [1/m], as in [`Surface`].
fn curvature_of_round(ball: &Ball) -> [f64; 2] {
    let k = 1.0 / ball.r;
    [k, if ball.is_disc() { 0.0 } else { k }]
}

impl Scene<'_> {
    /// The touch of two balls or discs, whatever its gap: what fills most models, with one look at each body and one division
    /// by the sum of the radii.
    #[inline(always)]
    pub(super) fn touch_of_rounds(&self, pair: Pair) -> Touch {
        let (c, a) = (self.ball(pair.candidate), self.antagonist(pair));
        let (gap, n) = (gap(c, &a), self.normal_of_rounds(c, &a));
        // The candidate's part of the gap: see [`Touch`]; times R_a the reduced radius.
        let part = c.r / (c.r + a.r);
        let reduced_radius = part * a.r;
        let arm_candidate = -(c.r + part * gap) * n;
        let length = c.thickness.min(a.thickness);
        let of_two = |curvature: [f64; 2]| curved(curvature, roundness(curvature), length);
        let geometry = match (c.is_disc(), a.is_disc()) {
            (false, false) => ContactGeometry::Point { reduced_radius, roundness: 1.0 },
            (true, true) => ContactGeometry::Line { reduced_radius, length },
            // A disc is flat along z, a ball is not.
            (true, false) => of_two([1.0 / reduced_radius, 1.0 / a.r]),
            (false, true) => of_two([1.0 / reduced_radius, 1.0 / c.r]),
        };
        Touch {
            key: pair.key(0),
            point: c.x + arm_candidate,
            frame: self.frame(n),
            gap,
            geometry,
            least_radius: c.r.min(a.r),
            arm_candidate,
            arm_antagonist: (a.r + (1.0 - part) * gap) * n,
            growth_candidate: c.reference,
            growth_antagonist: a.reference,
        }
    }

    /// The touch of a round candidate on something else, whatever its gap.
    pub(super) fn touch_of_round(&self, pair: Pair) -> Touch {
        let (c, a) = (self.ball(pair.candidate), self.antagonist(pair));
        let Surface { gap, n, curvature, growth } = self.surface_near(pair);
        let own = curvature_of_round(c);
        // The candidate's part of the gap, R_c/(R_c + R_a): see [`Touch`].
        let part = curvature[0] / (own[0] + curvature[0]);
        let sum = [own[0] + curvature[0], own[1] + curvature[1]];
        let arm_candidate = -(c.r + part * gap) * n;
        let point = c.x + arm_candidate;
        let length = c.thickness.min(a.thickness);
        Touch {
            key: pair.key(0),
            point,
            frame: self.frame(n),
            gap,
            geometry: curved(sum, roundness(sum), length),
            least_radius: 1.0 / own[0].max(curvature[0]),
            arm_candidate,
            arm_antagonist: point - a.x,
            growth_candidate: c.reference,
            growth_antagonist: growth,
        }
    }

    /// The surface of an antagonist that is not round.
    pub(super) fn surface_near(&self, pair: Pair) -> Surface {
        let (c, a) = (self.ball(pair.candidate), self.antagonist(pair));
        let body = pair.antagonist;
        match &self.shapes[body.index()] {
            Shape::Plane { normal } => {
                let n = self.plane_normal(body, normal);
                Surface { gap: n.dot(&(c.x - a.x)) - c.r, n, curvature: [0.0; 2], growth: 0.0 }
            }
            Shape::Segment { half, thickness_radius } => self.surface_of_segment(c, &a, body, half, *thickness_radius),
            Shape::Box { half } => self.surface_of_box(c, &a, body, half),
            Shape::Ball { .. } | Shape::Disc { .. } | Shape::Solid(_) => Surface {
                gap: gap(c, &a),
                n: self.normal_of_rounds(c, &a),
                curvature: curvature_of_round(&a),
                growth: a.reference,
            },
        }
    }

    #[inline]
    fn normal_of_rounds(&self, c: &Ball, a: &Ball) -> Vec3 {
        let apart = c.x - a.x;
        let distance = apart.norm();
        if distance > NO_DIRECTION * (c.r + a.r) { apart / distance } else { self.up() }
    }

    fn surface_of_segment(&self, c: &Ball, a: &Ball, body: BodyId, half: &Vec3, reference_radius: f64) -> Surface {
        let s = self.size(body);
        let (axis, radius) = (self.world(body, half), s * reference_radius);
        let from_centre = c.x - a.x;
        let length2 = axis.norm_squared();
        let place = if length2 > 0.0 { (from_centre.dot(&axis) / (s * length2)).clamp(-1.0, 1.0) } else { 0.0 };
        let apart = from_centre - s * place * axis;
        let distance = apart.norm();
        let n = if distance > NO_DIRECTION * (c.r + radius) { apart / distance } else { self.across(&axis) };
        let at_end = place.abs() == 1.0;
        let curvature = match (radius > 0.0, self.dimension, at_end) {
            (false, ..) | (true, Dimension::Planar, false) => [0.0; 2], // sharp edges count as flat
            (true, Dimension::Spatial, true) => [1.0 / radius; 2],
            (true, Dimension::Spatial, false) | (true, Dimension::Planar, true) => [1.0 / radius, 0.0],
        };
        let growth = n.dot(&axis) * place + reference_radius;
        Surface { gap: distance - (c.r + radius), n, curvature, growth }
    }

    fn surface_of_box(&self, c: &Ball, a: &Ball, body: BodyId, reference_half: &Vec3) -> Surface {
        let s = self.size(body);
        let half = self.flat(*reference_half) * s;
        let centre = self.local(body, &(c.x - a.x));
        let nearest = Vec3::from_fn(|i, _| centre[i].clamp(-half[i], half[i]));
        let apart = centre - nearest;
        let distance = apart.norm();
        if distance > NO_DIRECTION * (c.r + half.max()) {
            let n = apart / distance;
            let growth = n.dot(&nearest) / s;
            return Surface { gap: distance - c.r, n: self.world(body, &n), curvature: [0.0; 2], growth };
        }
        // The centre is inside: out through the face with the least way to go, the first axis of equals.
        let axes = if self.dimension == Dimension::Planar { 2 } else { 3 };
        let mut face = 0;
        for i in 1..axes {
            if half[i] - centre[i].abs() < half[face] - centre[face].abs() {
                face = i;
            }
        }
        let mut n = Vec3::zeros();
        n[face] = if centre[face] < 0.0 { -1.0 } else { 1.0 };
        let depth = half[face] - centre[face].abs();
        Surface { gap: -depth - c.r, n: self.world(body, &n), curvature: [0.0; 2], growth: reference_half[face] }
    }

    /// The normal of two balls with one and the same centre: +y in a planar model, +z in space.
    fn up(&self) -> Vec3 {
        match self.dimension {
            Dimension::Planar => Vec3::y(),
            Dimension::Spatial => Vec3::z(),
        }
    }

    /// The normal of a ball whose centre is on the axis of a segment: in a planar model to the left of the way from its first
    /// end to its second, in space the first tangent of the frame about the axis.
    fn across(&self, axis: &Vec3) -> Vec3 {
        match (axis.try_normalize(0.0), self.dimension) {
            (None, _) => self.up(),
            (Some(e), Dimension::Planar) => Vec3::new(-e.y, e.x, 0.0),
            (Some(e), Dimension::Spatial) => self.frame(e).t,
        }
    }
}
