//! Polygons in space cut to lie over each other. No bodies.

use mpcd_core::Vec3;

/// Cuts `polygon` (two points for an edge) to what lies over the polygon `over` as seen along `n`, its side k moved in by
/// `inset(k)` (m).
/// `over` runs counter-clockwise as seen against `n`; over an edge of two points only an edge is cut, to its length.
pub(super) fn cut(polygon: &mut Vec<Vec3>, over: &[Vec3], n: &Vec3, inset: impl Fn(usize) -> f64, spare: &mut Vec<Vec3>) {
    let count = over.len();
    for k in 0..count {
        let (a, b) = (over[k], over[(k + 1) % count]);
        // Inward across the side; of an edge, along it.
        let inward = if count == 2 { b - a } else { n.cross(&(b - a)) };
        let Some(inward) = inward.try_normalize(0.0) else { continue };
        let by = inset(k);
        let height = |p: &Vec3| inward.dot(&(p - a)) - by;
        spare.clear();
        for (i, p) in polygon.iter().enumerate() {
            let before = &polygon[(i + polygon.len() - 1) % polygon.len()];
            let (h, h_before) = (height(p), height(before));
            if (h < 0.0) != (h_before < 0.0) && (polygon.len() > 2 || i > 0) {
                spare.push(before + (p - before) * (h_before / (h_before - h)));
            }
            if h >= 0.0 {
                spare.push(*p);
            }
        }
        std::mem::swap(polygon, spare);
    }
}

/// Twice the vector area of a polygon.
pub(super) fn vector_area(polygon: &[Vec3]) -> Vec3 {
    let mut out = Vec3::zeros();
    for k in 1..polygon.len().max(1) - 1 {
        out += (polygon[k] - polygon[0]).cross(&(polygon[k + 1] - polygon[0]));
    }
    out
}
