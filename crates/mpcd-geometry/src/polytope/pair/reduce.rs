//! From many points of one contact to eight that carry the same. A choice between equals goes to the lower feature, so that
//! rounding does not change it.

use mpcd_core::{Frame, Vec3};

use super::{types::ManifoldPoint, view::Buffers};
use crate::{corner_shares, outline};

/// Most points of a contact.
pub(super) const MOST_POINTS: usize = 8;

/// Leaves at most [`MOST_POINTS`] of the `points` (sorted by feature), those on the patch before others: one after the other goes the one without which the polygon that they span
/// loses least; the deepest stays. Those on the patch come with a share; what is left of them has the same sum, which is that of the patch, `size` (m² or m), and the same
/// middle. `near` (m): lengths that differ by less are equal.
pub(super) fn reduce(points: &mut Vec<ManifoldPoint>, buffers: &mut Buffers, size: f64, n: &Vec3, near: f64) {
    let on_patch = |p: &ManifoldPoint| p.share > 0.0;
    let lying = points.iter().filter(|p| on_patch(p)).count();
    let all: f64 = points.iter().map(|p| p.share).sum();
    let middle = points.iter().map(|p| p.point * p.share).sum::<Vec3>() / all;
    if points.len() > MOST_POINTS {
        thin(points, true, MOST_POINTS, &mut buffers.around, n, near);
        thin(points, false, MOST_POINTS - lying.min(MOST_POINTS), &mut buffers.around, n, near);
    }
    if lying == 0 {
        return;
    }
    points.iter_mut().for_each(|p| p.share *= size / all);
    if lying > MOST_POINTS {
        let Buffers { shares, places, .. } = buffers;
        shares.clear();
        places.clear();
        // On the patch they are the first to stay: here are no others.
        shares.extend(points.iter().map(|p| p.share));
        places.extend(points.iter().map(|p| p.point));
        corner_shares::fit(places, shares, n, size, &middle);
        points.iter_mut().zip(&*shares).for_each(|(p, share)| p.share = *share);
    }
}

/// Leaves at most `most` of the points on the patch, or of those that are not.
fn thin(points: &mut Vec<ManifoldPoint>, on_patch: bool, most: usize, around: &mut Vec<usize>, n: &Vec3, near: f64) {
    let is_one = |p: &ManifoldPoint| (p.share > 0.0) == on_patch;
    let count = points.iter().filter(|p| is_one(p)).count();
    if count <= most {
        return;
    }
    let middle = points.iter().filter(|p| is_one(p)).map(|p| p.point).sum::<Vec3>() / count as f64;
    let Frame { t, .. } = Frame::spatial(*n);
    let angle = |k: usize| {
        let arm = points[k].point - middle;
        n.cross(&t).dot(&arm).atan2(t.dot(&arm))
    };
    around.clear();
    around.extend((0..points.len()).filter(|k| is_one(&points[*k])));
    let deepest = around.iter().copied().reduce(|a, b| if points[b].gap < points[a].gap - near { b } else { a });
    around.sort_by(|a, b| angle(*a).total_cmp(&angle(*b)).then(a.cmp(b)));
    outline::thin(around, |k| points[k].point, n, most, [near, -1.0], deepest);
    around.sort_unstable();
    let mut number = 0;
    points.retain(|p| {
        number += 1;
        !is_one(p) || around.binary_search(&(number - 1)).is_ok()
    });
}
