//! Polygons and discs in space cut to lie over each other, and the areas that they have in common. No bodies.

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
        keep(polygon, height, spare);
        std::mem::swap(polygon, spare);
    }
}

/// Writes what of a convex polygon (two points for an edge) is where a height is 0 or more.
pub(super) fn keep(polygon: &[Vec3], height: impl Fn(&Vec3) -> f64, out: &mut Vec<Vec3>) {
    out.clear();
    for (i, p) in polygon.iter().enumerate() {
        let before = &polygon[(i + polygon.len() - 1) % polygon.len()];
        let (h, h_before) = (height(p), height(before));
        if (h < 0.0) != (h_before < 0.0) && (polygon.len() > 2 || i > 0) {
            out.push(before + (p - before) * (h_before / (h_before - h)));
        }
        if h >= 0.0 {
            out.push(*p);
        }
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

/// A disc in space: centre and radius (m), square to the normal that goes with it.
pub(super) type Disc = (Vec3, f64);

/// Cuts an edge of two points to what lies over a disc as seen along `n`.
pub(super) fn cut_to_disc(edge: &mut Vec<Vec3>, disc: &Disc, n: &Vec3) {
    let [a, b] = edge[..] else { return };
    let found = inside(&seen(&a, disc, n), &seen(&b, disc, n), disc.1);
    edge.clear();
    if let Some(found) = found {
        edge.extend(found.map(|t| a + t * (b - a)));
    }
}

/// From the centre of a disc to a point, as seen along `n`.
fn seen(p: &Vec3, disc: &Disc, n: &Vec3) -> Vec3 {
    let p = p - disc.0;
    p - n * n.dot(&p)
}

/// The part (0 to 1 each) of the way from `p` to `q` that is within `r` of the origin.
fn inside(p: &Vec3, q: &Vec3, r: f64) -> Option<[f64; 2]> {
    let d = q - p;
    let (dd, pd) = (d.norm_squared(), p.dot(&d));
    let root = pd * pd - dd * (p.norm_squared() - r * r);
    if dd == 0.0 || root <= 0.0 {
        return None;
    }
    let t = [-1.0, 1.0].map(|sign| ((sign * root.sqrt() - pd) / dd).clamp(0.0, 1.0));
    (t[0] < t[1]).then_some(t)
}

/// The area (m²) in which a disc lies over a polygon that runs around `n`, either way: of each side the triangle with the centre, as far as it is
/// inside, and sectors for the rest.
pub(super) fn disc_over(disc: &Disc, polygon: &[Vec3], n: &Vec3) -> f64 {
    let r = disc.1;
    let twice = |a: &Vec3, b: &Vec3| n.dot(&a.cross(b));
    let sector = |a: &Vec3, b: &Vec3| r * r * twice(a, b).atan2(a.dot(b));
    let of_side = |k: usize| {
        let (p, q) = (seen(&polygon[k], disc, n), seen(&polygon[(k + 1) % polygon.len()], disc, n));
        match inside(&p, &q, r) {
            None => sector(&p, &q),
            Some(found) => {
                let [a, b] = found.map(|t| p + t * (q - p));
                let before = if found[0] > 0.0 { sector(&p, &a) } else { 0.0 };
                let after = if found[1] < 1.0 { sector(&b, &q) } else { 0.0 };
                before + twice(&a, &b) + after
            }
        }
    };
    (0.5 * (0..polygon.len()).map(of_side).sum::<f64>()).abs()
}

/// The area (m²) in which two discs lie over each other as seen along `n`.
pub(super) fn discs_over(one: &Disc, two: &Disc, n: &Vec3) -> f64 {
    let (r, s, d) = (one.1, two.1, seen(&two.0, one, n).norm());
    if d >= r + s {
        return 0.0;
    }
    let least = r.min(s);
    if d <= (r - s).abs() {
        return std::f64::consts::PI * least * least;
    }
    let segment = |r: f64, s: f64| {
        let half = ((d * d + r * r - s * s) / (2.0 * d * r)).clamp(-1.0, 1.0).acos();
        r * r * (half - half.sin() * half.cos())
    };
    segment(r, s) + segment(s, r)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn areas_in_common_with_a_disc() {
        let n = Vec3::z();
        let square = |h: f64| [[h, h], [-h, h], [-h, -h], [h, -h]].map(|[x, y]| Vec3::new(x, y, 3.0));
        let disc = (Vec3::new(0.0, 0.0, 1.0), 0.5);
        // Inside, about, and with corners cut: 4 sectors and 8 triangles.
        assert!((disc_over(&disc, &square(1.0), &n) - 0.25 * PI).abs() < 1e-14);
        assert!((disc_over(&disc, &square(0.3), &n) - 0.36).abs() < 1e-14);
        let h: f64 = 0.4;
        let angle = PI / 2.0 - 2.0 * (h / 0.5).acos();
        let exact = 4.0 * (0.5 * 0.25 * angle + h * (0.25 - h * h).sqrt());
        assert!((disc_over(&disc, &square(h), &n) - exact).abs() < 1e-14);
        // Half of it over a side, the polygon the other way round.
        let mut half = square(1.0).map(|p| p + Vec3::x());
        half.reverse();
        assert!((disc_over(&disc, &half, &n) - 0.125 * PI).abs() < 1e-14);
        assert_eq!(disc_over(&(Vec3::new(5.0, 0.0, 0.0), 0.5), &[], &n), 0.0);
        assert!(disc_over(&(Vec3::new(5.0, 0.0, 0.0), 0.5), &square(1.0), &n) < 1e-14);
    }

    #[test]
    fn two_discs() {
        let n = Vec3::z();
        let disc = |x: f64, r: f64| (Vec3::new(x, 0.0, x), r);
        assert_eq!(discs_over(&disc(0.0, 1.0), &disc(2.0, 1.0), &n), 0.0);
        assert!((discs_over(&disc(0.0, 1.0), &disc(0.3, 0.5), &n) - 0.25 * PI).abs() < 1e-15);
        // Centres a radius apart: 2π/3 − √3/2.
        assert!((discs_over(&disc(0.0, 1.0), &disc(1.0, 1.0), &n) - (2.0 * PI / 3.0 - 0.75_f64.sqrt())).abs() < 1e-15);
    }

    #[test]
    fn an_edge_over_a_disc() {
        let mut edge = vec![Vec3::new(-3.0, 0.6, 5.0), Vec3::new(0.5, 0.6, 5.0)];
        cut_to_disc(&mut edge, &(Vec3::zeros(), 1.0), &Vec3::z());
        assert!((edge[0] - Vec3::new(-0.8, 0.6, 5.0)).norm() < 1e-15 && (edge[1].x - 0.5).abs() < 1e-15);
        cut_to_disc(&mut edge, &(Vec3::x() * 9.0, 1.0), &Vec3::z());
        assert!(edge.is_empty());
    }
}
