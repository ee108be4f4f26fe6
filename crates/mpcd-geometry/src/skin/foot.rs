//! The point of a facet that is nearest to a point, and the angle that the facet has there. No search.

use mpcd_core::Vec3;

use super::Skin;

/// Nearest point of one facet.
pub(super) struct Foot {
    pub(super) weights: [f64; 3],
    pub(super) place: Vec3,
    pub(super) distance: f64,
    /// How much the facet's normal counts where several meet: the angle that it has there.
    pub(super) angle: f64,
}

impl Skin {
    pub(super) fn foot(&self, facet: usize, p: &Vec3) -> Foot {
        let x = self.facet_places(facet);
        let weights = if self.depth.is_planar() { on_line(&x, p) } else { on_triangle(&x, p) };
        let place = x[0] * weights[0] + x[1] * weights[1] + x[2] * weights[2];
        let distance = (p - place).norm();
        Foot { weights, place, distance, angle: angle_at(self.depth.is_planar(), &x, &weights) }
    }
}

/// The angle about a point inside of a facet.
pub(super) const FULL: f64 = std::f64::consts::TAU;

/// The angle that a facet has at a point of it: all around inside, half of that on an edge, its own at a corner. A line has half of it at its ends.
fn angle_at(planar: bool, x: &[Vec3; 3], weights: &[f64; 3]) -> f64 {
    let count = if planar { 2 } else { 3 };
    let on = weights[..count].iter().filter(|w| **w > 0.0).count();
    if on == count {
        return FULL;
    }
    if planar || on == 2 {
        return 0.5 * FULL;
    }
    let corner = (0..3).find(|&k| weights[k] > 0.0).unwrap_or(0);
    let (a, b) = (x[(corner + 1) % 3] - x[corner], x[(corner + 2) % 3] - x[corner]);
    a.cross(&b).norm().atan2(a.dot(&b))
}

/// Weights of the corners of a line's point nearest to `p`.
fn on_line(x: &[Vec3; 3], p: &Vec3) -> [f64; 3] {
    let along = x[1] - x[0];
    let t = ((p - x[0]).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
    [1.0 - t, t, 0.0]
}

/// Weights of the corners of a triangle's point nearest to `p` (Ericson, Real-Time Collision Detection, 2005, §5.1.5).
fn on_triangle([a, b, c]: &[Vec3; 3], p: &Vec3) -> [f64; 3] {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(&ap), ac.dot(&ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(&bp), ac.dot(&bp));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = d1 / (d1 - d3);
        return [1.0 - t, t, 0.0];
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(&cp), ac.dot(&cp));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = d2 / (d2 - d6);
        return [1.0 - t, 0.0, t];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - t, t];
    }
    let all = va + vb + vc;
    let (v, w) = (vb / all, vc / all);
    [1.0 - v - w, v, w]
}
