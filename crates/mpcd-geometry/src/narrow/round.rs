//! A ball or disc against anything.

use mpcd_core::{BodyId, Dimension, Vec3};

use super::{Ball, Pair, Scene, curved};
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

impl Scene<'_> {
    /// The touch of a round candidate, whatever its gap.
    pub(super) fn touch_of_round(&self, pair: Pair) -> Touch {
        let (c, a) = (self.ball(pair.candidate), self.antagonist(pair));
        let surface = if a.is_round() { self.surface_of_round(pair) } else { self.surface_near(pair) };
        let Surface { gap, n, curvature, growth } = surface;
        let own = self.curvature_of_round(pair.candidate);
        // The candidate's part of the gap, R_c/(R_c + R_a): see [`Touch`].
        let part = curvature[0] / (own[0] + curvature[0]);
        let arm_candidate = -(c.r + part * gap) * n;
        let point = c.x + arm_candidate;
        let arm_antagonist = if a.is_round() { (a.r + (1.0 - part) * gap) * n } else { point - a.x };
        let length = self.thickness(pair.candidate).min(self.thickness(pair.antagonist));
        Touch {
            key: pair.key(0),
            point,
            frame: self.frame(n),
            gap,
            geometry: curved(own[0] + curvature[0], own[1] + curvature[1], length),
            arm_candidate,
            arm_antagonist,
            growth_candidate: self.shapes[pair.candidate.index()].radius().unwrap_or(0.0),
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
            Shape::Ball { .. } | Shape::Disc { .. } | Shape::Solid(_) => self.surface_of_round(pair),
        }
    }

    fn surface_of_round(&self, pair: Pair) -> Surface {
        let (c, a) = (self.ball(pair.candidate), self.antagonist(pair));
        let apart = c.x - a.x;
        let distance = apart.norm();
        let n = if distance > NO_DIRECTION * (c.r + a.r) { apart / distance } else { self.up() };
        Surface {
            gap: gap(c, &a),
            n,
            curvature: self.curvature_of_round(pair.antagonist),
            growth: self.shapes[pair.antagonist.index()].radius().unwrap_or(0.0),
        }
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

    fn curvature_of_round(&self, body: BodyId) -> [f64; 2] {
        let k = 1.0 / self.ball(body).r;
        if matches!(self.shapes[body.index()], Shape::Disc { .. }) { [k, 0.0] } else { [k, k] }
    }

    /// Extent along z in a planar model (m); infinite where the shape does not end there.
    pub(super) fn thickness(&self, body: BodyId) -> f64 {
        self.shapes[body.index()].thickness()
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
