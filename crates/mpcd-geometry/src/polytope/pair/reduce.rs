//! From many points of one contact to four that carry the same. A choice between equals goes to the lower feature, so that
//! rounding does not change it.

use mpcd_core::Vec3;

use super::types::ManifoldPoint;

/// Most points of a contact.
pub(super) const MOST_POINTS: usize = 4;

/// Shares `size` (m² or m), that of a patch, among the points on it, and leaves at most four points, those on the patch before others.
/// Points on the patch come with a share of 1, others with 0; without a size there is no patch, and all are alike.
pub(super) fn share_out(points: &mut Vec<ManifoldPoint>, size: f64, n: &Vec3, near: f64) {
    if size <= 0.0 {
        points.iter_mut().for_each(|p| p.share = 0.0);
    }
    reduce(points, true, MOST_POINTS, n, near);
    let lying = points.iter().filter(|p| p.share > 0.0).count();
    reduce(points, false, MOST_POINTS - lying, n, near);
    points.iter_mut().for_each(|p| p.share *= size / lying.max(1) as f64);
}

/// Leaves at most `most` (four or fewer) of the `points` (sorted by feature) on the patch, or of those that are not: the farthest from the middle, the
/// farthest from that one, the farthest from the line between them, and the one farthest outside of these three; of the ones left the deepest
/// always is one. `near` (m): lengths that differ by less are equal.
fn reduce(points: &mut Vec<ManifoldPoint>, on_patch: bool, most: usize, n: &Vec3, near: f64) {
    let is_one = |p: &ManifoldPoint| (p.share > 0.0) == on_patch;
    let count = points.iter().filter(|p| is_one(p)).count();
    if count <= most {
        return;
    }
    let middle = points.iter().filter(|p| is_one(p)).map(|p| p.point).sum::<Vec3>() / count as f64;
    let best = |worth: &dyn Fn(&ManifoldPoint) -> f64| {
        let mut best = (0, f64::NEG_INFINITY);
        for (i, p) in points.iter().enumerate().filter(|(_, p)| is_one(p)) {
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
    let kept = &mut kept[..most];
    let deepest = best(&|p| -p.gap);
    let shallow = |i: usize| points[i].gap > points[deepest].gap + near;
    if !kept.contains(&deepest) && kept.iter().all(|&i| shallow(i)) {
        let apart = |i: usize| (points[i].point - points[deepest].point).norm();
        if let Some(k) = (0..most).min_by(|&i, &j| apart(kept[i]).total_cmp(&apart(kept[j]))) {
            kept[k] = deepest;
        }
    }
    let mut number = 0;
    points.retain(|p| {
        number += 1;
        !is_one(p) || kept.contains(&(number - 1))
    });
}
