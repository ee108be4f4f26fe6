//! The smallest length of a shape: how far apart the two nearest parallel planes are that hold it, which tells what a deep overlap or
//! a long step is for it. No motion, no contacts.

use mpcd_core::{Dimension, Vec3};

use super::{Cavity, Core, Shape, SupportMap};
use crate::polytope::{FLAT, Polytope};

/// Hulls of more edges are looked at along the normals of their faces alone: between these lie so few directions that no other is
/// narrower by more than a small part.
const MOST_EDGES: usize = 1_000;
/// Room for rounding in the normals of an edge.
const ROUNDING: f64 = 1e-9;
/// Directions from which the least width of a curved body is sought, and how many of them are followed.
const STARTS: u32 = 256;
const FOLLOWED: usize = 4;

impl Shape {
    /// The smallest length of the shape at reference size (m): the least distance of two parallel planes (in a planar model lines)
    /// that hold it. A ball or disc has its diameter, a box its least edge, a capsule the diameter of its ends, a hollow body the
    /// thickness of its wall, a cluster the smallest length of its parts; a triangulated surface that encloses a volume the least
    /// edge of the box about it, in body axes. `None` for what has no thickness: planes, segments of radius 0, open surfaces.
    #[must_use]
    pub fn smallest_length(&self, dimension: Dimension) -> Option<f64> {
        match self {
            Self::Ball { radius } | Self::Disc { radius, .. } => Some(2.0 * radius),
            Self::Plane { .. } => None,
            Self::Segment { thickness_radius: r, .. } => (*r > 0.0).then_some(2.0 * r),
            Self::Box { half } => match dimension {
                Dimension::Planar => Some(2.0 * half.x.min(half.y)),
                Dimension::Spatial => Some(2.0 * half.min()),
            },
            Self::Solid(solid) => solid.smallest_length(),
        }
    }
}

impl Core {
    /// See [`Shape::smallest_length`].
    pub(super) fn smallest_length(&self) -> Option<f64> {
        match self {
            Self::Round { radius, .. } => (*radius > 0.0).then_some(2.0 * radius),
            Self::HalfSpace { .. } => None,
            Self::Deformable { half, .. } => half.iter().copied().filter(|h| *h > 0.0).reduce(f64::min).map(|h| 2.0 * h),
            Self::Polytope { hull, rounding } => {
                let width = hull.least_width() + 2.0 * rounding;
                (width > FLAT * hull.outer_radius()).then_some(width)
            }
            Self::Smooth(body) => Some(body.least_width()),
            Self::Hollow { cavity, outside } => {
                let [lower, upper] = outside.bounds();
                let half = (0.5 * (upper - lower)).inf(&-lower).inf(&upper);
                Some(match *cavity {
                    Cavity::Ball { radius } => half.x.min(half.y) - radius,
                    Cavity::Tube { radius, half_length, closed } => {
                        let side = half.x.min(half.y) - radius;
                        side.min(if closed { half.z - half_length } else { 2.0 * half.z })
                    }
                })
            }
            Self::Mesh(mesh) => {
                let [lower, upper] = self.bounds();
                mesh.is_closed().then(|| (upper - lower).min())
            }
            Self::Cluster(parts) => parts.iter().filter_map(|p| p.core.smallest_length()).min_by(f64::total_cmp),
        }
    }
}

impl Polytope {
    /// The least distance of two parallel planes (of a planar polygon: lines) that hold the hull (m). One of them has a face in it,
    /// or each of them an edge (Houle and Toussaint 1988, doi:10.1109/34.6790).
    fn least_width(&self) -> f64 {
        let along = |n: &Vec3| {
            let heights = self.vertices().iter().map(|v| n.dot(v));
            let [low, high] = heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], x| [l.min(x), h.max(x)]);
            high - low
        };
        let mut least = self.faces().iter().map(|f| along(&f.normal)).fold(f64::INFINITY, f64::min);
        if !self.is_planar() && self.edges().len() <= MOST_EDGES {
            for (i, a) in self.edges().iter().enumerate() {
                for b in &self.edges()[..i] {
                    let Some(m) = a.direction.cross(&b.direction).try_normalize(ROUNDING) else { continue };
                    let is_normal = |sign: f64| {
                        let outward = |inward: &[Vec3; 2], s: f64| inward.iter().all(|v| s * m.dot(v) <= ROUNDING);
                        outward(&a.inward, sign) && outward(&b.inward, -sign)
                    };
                    if is_normal(1.0) || is_normal(-1.0) {
                        least =
                            least.min(m.dot(&(self.vertices()[a.ends[0] as usize] - self.vertices()[b.ends[0] as usize])).abs());
                    }
                }
            }
        }
        // A segment in space has no face and lies in planes that are as near as one likes.
        if least.is_finite() { least } else { 0.0 }
    }
}

/// The least width of a convex body that is known by its farthest points (m): from the best of many directions downhill by steps
/// that become shorter, to a part in 10⁹.
pub(super) fn least_width(body: &(impl SupportMap + ?Sized)) -> f64 {
    let along = |n: &Vec3| n.dot(&(body.support(n) - body.support(&-n)));
    // Points of equal share of a half-sphere, on a spiral of the golden angle; and the axes.
    let golden = std::f64::consts::PI * (3.0 - 5_f64.sqrt());
    let spiral = (0..STARTS).map(|k| {
        let z = (f64::from(k) + 0.5) / f64::from(STARTS);
        let (sin, cos) = (golden * f64::from(k)).sin_cos();
        let r = (1.0 - z * z).sqrt();
        Vec3::new(r * cos, r * sin, z)
    });
    let mut starts: Vec<(f64, Vec3)> =
        [Vec3::x(), Vec3::y(), Vec3::z()].into_iter().chain(spiral).map(|n| (along(&n), n)).collect();
    starts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let followed = starts.into_iter().take(FOLLOWED).map(|(mut least, mut n)| {
        let mut step = 0.1;
        while step > 1e-9 {
            let f = mpcd_core::Frame::spatial(n);
            let around = [f.t, -f.t, f.s(), -f.s(), f.t + f.s(), f.t - f.s(), f.s() - f.t, -f.t - f.s()];
            let tried = around.map(|d| (n + step * d).normalize()).map(|n| (along(&n), n));
            match tried.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)) {
                Some(better) if better.0 < least => (least, n) = better,
                _ => step *= 0.5,
            }
        }
        least
    });
    followed.fold(f64::INFINITY, f64::min)
}
