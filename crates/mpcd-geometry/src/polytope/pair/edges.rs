//! Pairs of edges: separation along their common normal, and distance of two segments. In a planar model the edges are
//! corners: they have no common normal, only a distance.

use mpcd_core::Vec3;

use super::view::{Buffers, View};

/// Sine below which two edges have no common normal.
const PARALLEL: f64 = 1e-7;
/// Rounding of a common normal of nearly parallel edges.
const ROUGH: f64 = 1e-8;
/// Rounding of a product of two unit vectors.
const ROUNDING: f64 = 1e-13;

/// More than what rounding may add to a square.
const ABOVE: f64 = 1.0 + 1e-9;

/// Two edges, and their nearest points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crossing {
    pub(super) edges: [u16; 2],
    /// Where on the edges the points are, 0 to 1.
    pub(super) places: [f64; 2],
    pub(super) points: [Vec3; 2],
    /// From second to first: unit common normal; or zero.
    pub(super) normal: Vec3,
}

impl Crossing {
    fn new(edges: [u16; 2], a: [Vec3; 2], b: [Vec3; 2]) -> Self {
        let places = nearest_places(a, b);
        let points = [a[0] + places[0] * (a[1] - a[0]), b[0] + places[1] * (b[1] - b[0])];
        Self { edges, places, points, normal: Vec3::zeros() }
    }

    pub(super) fn apart(&self) -> Vec3 {
        self.points[0] - self.points[1]
    }

    /// Whether both points are inside of their edges.
    pub(super) fn is_inside(&self) -> bool {
        self.places.iter().all(|p| (0.0..=1.0).contains(p) && *p != 0.0 && *p != 1.0)
    }
}

/// Leaves in `near` the edges that can have a point within `reach` (m) of the other polytope; n from second to first.
pub(super) fn choose(first: &View, second: &View, n: &Vec3, reach: f64, near: &mut [Vec<u16>; 2]) {
    let (above, below) = (second.highest(n) + reach, first.lowest(n) - reach);
    for (view, chosen, sign, bound) in [(first, 0, 1.0, above), (second, 1, -1.0, -below)] {
        near[chosen].clear();
        for (i, edge) in view.hull.edges.iter().enumerate() {
            let [a, b] = edge.ends.map(|v| sign * n.dot(&view.vertices[v as usize]));
            if a.min(b) <= bound {
                near[chosen].push(i as u16);
            }
        }
    }
}

/// The pair of the chosen edges with the largest separation along a common normal that belongs to both, if there is one; and
/// that separation (m).
pub(super) fn widest(first: &View, second: &View, near: &[Vec<u16>; 2]) -> Option<(f64, Crossing)> {
    let mut best: Option<(f64, Crossing)> = None;
    for &i in &near[0] {
        let a = &first.hull.edges[i as usize];
        let (along, into) = (first.direction(&a.direction), a.inward.map(|v| first.direction(&v)));
        let ends = first.ends(i);
        for &j in &near[1] {
            let b = &second.hull.edges[j as usize];
            let into_b = b.inward.map(|v| second.direction(&v));
            // Towards the first body: m is a normal of the second's edge, −m one of the first's. Its length comes later.
            let mut m = along.cross(&second.direction(&b.direction));
            let tilt = m.dot(&(into[0] + into[1] - into_b[0] - into_b[1]));
            if tilt < 0.0 {
                m = -m;
            }
            if into.iter().any(|v| m.dot(v) < -ROUNDING) || into_b.iter().any(|v| m.dot(v) > ROUNDING) {
                continue;
            }
            let length = m.norm();
            if length < PARALLEL {
                continue;
            }
            m /= length;
            // Between any points of the two edges, but for rounding.
            let far = ends[0] - second.ends(j)[0];
            let rough = m.dot(&far) + ROUGH * far.norm();
            if tilt != 0.0 && best.is_some_and(|(most, _)| rough < most) {
                continue;
            }
            let mut crossing = Crossing::new([i, j], ends, second.ends(j));
            let mut apart = m.dot(&crossing.apart());
            if tilt == 0.0 && apart < 0.0 {
                (m, apart) = (-m, -apart);
            }
            if best.is_none_or(|(most, _)| apart > most) {
                crossing.normal = m;
                best = Some((apart, crossing));
            }
        }
    }
    best
}

/// The pair of the chosen edges with the smallest distance, and that distance (m).
pub(super) fn nearest(first: &View, second: &View, near: &[Vec<u16>; 2]) -> Option<(f64, Crossing)> {
    let mut best: Option<(f64, Crossing)> = None;
    let middle = |[a, b]: [Vec3; 2]| (a + b) * 0.5;
    let half = |[a, b]: [Vec3; 2]| 0.5 * (b - a).norm();
    let longest = near[1].iter().map(|&j| half(second.ends(j))).fold(0.0, f64::max);
    let mut root = f64::INFINITY;
    for &i in &near[0] {
        let a = first.ends(i);
        let (centre, around) = (middle(a), half(a) + longest);
        for &j in &near[1] {
            let b = second.ends(j);
            // Their middles are so far apart that they cannot be nearer than the best.
            if (centre - middle(b)).norm_squared() > (around + root).powi(2) * ABOVE {
                continue;
            }
            let crossing = Crossing::new([i, j], a, b);
            let distance = crossing.apart().norm_squared();
            if best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, crossing));
                root = distance.sqrt();
            }
        }
    }
    let (distance, mut crossing) = best?;
    if crossing.is_inside() {
        let [d, e] = [crossing.edges[0], crossing.edges[1]].map(usize::from);
        let m = first.direction(&first.hull.edges[d].direction).cross(&second.direction(&second.hull.edges[e].direction));
        if m.norm() >= PARALLEL {
            let m = m.normalize();
            crossing.normal = if m.dot(&crossing.apart()) < 0.0 { -m } else { m };
        }
    }
    Some((distance.sqrt(), crossing))
}

/// The places (0 to 1) of the nearest points of two segments; segments without length are points.
/// Ericson, Real-Time Collision Detection (2005), §5.1.9.
fn nearest_places(a: [Vec3; 2], b: [Vec3; 2]) -> [f64; 2] {
    let (u, v, w) = (a[1] - a[0], b[1] - b[0], a[0] - b[0]);
    let (uu, vv, uv) = (u.norm_squared(), v.norm_squared(), u.dot(&v));
    let (uw, vw) = (u.dot(&w), v.dot(&w));
    if uu == 0.0 && vv == 0.0 {
        return [0.0; 2];
    }
    if uu == 0.0 {
        return [0.0, (vw / vv).clamp(0.0, 1.0)];
    }
    if vv == 0.0 {
        return [(-uw / uu).clamp(0.0, 1.0), 0.0];
    }
    // |u × v|² rather than uu vv − uv²: the difference has no digits left where the segments are nearly parallel.
    let cross = u.cross(&v);
    let area = cross.norm_squared();
    let s = if area > PARALLEL * PARALLEL * uu * vv { (w.cross(&v).dot(&-cross) / area).clamp(0.0, 1.0) } else { 0.5 };
    let t = (uv * s + vw) / vv;
    if (0.0..=1.0).contains(&t) {
        return [s, t];
    }
    let t = t.clamp(0.0, 1.0);
    [((uv * t - uw) / uu).clamp(0.0, 1.0), t]
}

impl Buffers {
    /// All edges of both.
    pub(super) fn choose_all(near: &mut [Vec<u16>; 2], hulls: [&View; 2]) {
        for (chosen, view) in near.iter_mut().zip(hulls) {
            chosen.clear();
            chosen.extend(0..view.hull.edges.len() as u16);
        }
    }
}
