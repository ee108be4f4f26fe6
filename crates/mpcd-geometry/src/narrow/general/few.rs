//! Of the many points in which a triangulated surface lies flat on a body in one plane those stay that span it, with all the area and its middle: rigid bodies know no others.
//! No search for contacts.

use mpcd_core::Vec3;

use super::Spot;
use crate::{corner_shares, outline};

/// Most points of one plane.
const MOST: usize = 8;
/// Sine of an angle, and part of a size, within which points are in one plane.
const SAME_PLANE: f64 = 1e-6;
/// Part of a size below which points are one.
const ONE: f64 = 1e-9;

/// Leaves few of the spots from `start` on that share an area. Of those in one place the first stays.
pub(super) fn leave_few(spots: &mut Vec<Spot>, start: usize, size: f64) {
    let is_flat = |s: &Spot| s.share > 0.0 && s.curvature == [0.0; 2];
    let mut left: Vec<usize> = (start..spots.len()).filter(|k| is_flat(&spots[*k])).collect();
    let mut drop = Vec::new();
    while let Some(&lead) = left.first() {
        let Spot { n, on_first, gap, .. } = spots[lead];
        let level = on_first - gap * n;
        let in_plane = |k: &usize| {
            let s = &spots[*k];
            s.n.dot(&n) > 0.0
                && s.n.cross(&n).norm() <= SAME_PLANE
                && n.dot(&(s.on_first - s.gap * s.n - level)).abs() <= SAME_PLANE * size
        };
        let (ones, others): (Vec<usize>, Vec<usize>) = left.iter().partition(|k| in_plane(k));
        left = others;
        let points: Vec<Vec3> = ones.iter().map(|k| spots[*k].on_first).collect();
        let mut corners = outline::hull(&points, &n);
        if corners.len() < 3 {
            continue;
        }
        outline::thin(&mut corners, |k| points[k], &n, MOST, [ONE * size; 2], None);
        let first_at = |k: usize| points.iter().position(|p| (p - points[k]).norm() <= ONE * size).unwrap_or(k);
        // Around the outline still.
        let mut kept: Vec<usize> = corners.into_iter().map(first_at).collect();
        kept.dedup();
        let area: f64 = ones.iter().map(|k| spots[*k].share).sum();
        let middle = ones.iter().map(|k| spots[*k].on_first * (spots[*k].share / area)).sum::<Vec3>();
        let places: Vec<Vec3> = kept.iter().map(|k| points[*k]).collect();
        let mut shares = Vec::new();
        corner_shares::of_polygon(places.iter().copied(), &n, &mut shares);
        shares.iter_mut().for_each(|s| *s *= area);
        corner_shares::fit(&places, &mut shares, &n, area, &middle);
        // A point keeps a trace, so that it stays one of its patch.
        kept.iter().zip(shares).for_each(|(k, share)| spots[ones[*k]].share = share.max(ONE * area));
        drop.extend(ones.iter().enumerate().filter(|(i, _)| !kept.contains(i)).map(|(_, k)| *k));
    }
    drop.sort_unstable();
    let mut place = 0;
    spots.retain(|_| {
        place += 1;
        drop.binary_search(&(place - 1)).is_err()
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_is_spanned_by_its_corners() {
        let spot = |k: usize, z: f64| Spot {
            feature: k as u64,
            on_first: Vec3::new((k % 7) as f64, (k / 7 % 7) as f64, z),
            n: Vec3::z(),
            gap: -1e-9,
            part: 0.0,
            curvature: [0.0; 2],
            share: if k.is_multiple_of(7) { 2.0 } else { 1.0 },
            roundness: 1.0,
        };
        // Each point twice, and a plane above.
        let mut spots: Vec<Spot> = (0..98).map(|k| spot(k, 0.0)).chain((0..4).map(|k| spot(k * 8, 1.0))).collect();
        let area: f64 = spots[..98].iter().map(|s| s.share).sum();
        let moment: Vec3 = spots[..98].iter().map(|s| s.on_first * s.share).sum();
        leave_few(&mut spots, 0, 10.0);
        let names: Vec<u64> = spots.iter().map(|s| s.feature).collect();
        assert_eq!(names, [0, 6, 42, 48, 0, 8, 16, 24]);
        let left: Vec3 = spots[..4].iter().map(|s| s.on_first * s.share).sum();
        assert!((spots[..4].iter().map(|s| s.share).sum::<f64>() - area).abs() < 1e-9 && (left - moment).norm() < 1e-7);
    }
}
