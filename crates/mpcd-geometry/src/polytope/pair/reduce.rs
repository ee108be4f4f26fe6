//! From many points of one contact to four that carry the same. A choice between equals goes to the lower feature, so that
//! rounding does not change it.

use mpcd_core::Vec3;

use super::types::ManifoldPoint;

/// Most points of a contact.
pub(super) const MOST_POINTS: usize = 4;

/// Leaves at most four of `points` (sorted by feature): the farthest from the middle, the farthest from that one, the farthest
/// from the line between them, and the one farthest outside of these three; the deepest always stays. `near` (m): lengths that
/// differ by less are equal.
pub(super) fn reduce(points: &mut Vec<ManifoldPoint>, n: &Vec3, near: f64) {
    if points.len() <= MOST_POINTS {
        return;
    }
    let middle = points.iter().map(|p| p.point).sum::<Vec3>() / points.len() as f64;
    let best = |worth: &dyn Fn(&ManifoldPoint) -> f64| {
        let mut best = (0, f64::NEG_INFINITY);
        for (i, p) in points.iter().enumerate() {
            let worth = worth(p);
            if worth > best.1 + near {
                best = (i, worth);
            }
        }
        best.0
    };
    let a = best(&|p| (p.point - middle).norm());
    let from = points[a].point;
    let b = best(&|p| (p.point - from).norm());
    // How far a point is outside of the line from i to j, as seen from a third one.
    let line = |i: usize, j: usize, third: usize| {
        let from = points[i].point;
        let out = n.cross(&(points[j].point - from)).try_normalize(0.0).unwrap_or_else(Vec3::zeros);
        let out = if out.dot(&(points[third].point - from)) > 0.0 { -out } else { out };
        move |p: &ManifoldPoint| out.dot(&(p.point - from))
    };
    let between = line(a, b, a);
    let c = best(&|p| between(p).abs());
    let sides = (line(a, b, c), line(b, c, a), line(c, a, b));
    let d = best(&|p| sides.0(p).max(sides.1(p)).max(sides.2(p)));
    let mut kept = [a, b, c, d];
    let deepest = best(&|p| -p.gap);
    let shallow = |i: usize| points[i].gap > points[deepest].gap + near;
    if !kept.contains(&deepest) && kept.iter().all(|&i| shallow(i)) {
        let apart = |i: usize| (points[i].point - points[deepest].point).norm();
        if let Some(k) = (0..MOST_POINTS).min_by(|&i, &j| apart(kept[i]).total_cmp(&apart(kept[j]))) {
            kept[k] = deepest;
        }
    }
    let mut number = 0;
    points.retain(|_| {
        number += 1;
        kept.contains(&(number - 1))
    });
}
