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

    /// A spot of a share on a plane.
    fn flat(feature: u64, on_first: Vec3, n: Vec3, gap: f64) -> Spot {
        Spot { feature, on_first, n, gap, part: 0.0, curvature: [0.0; 2], share: 1.0, roundness: 1.0 }
    }

    #[test]
    fn eight_of_many_corners_stay() {
        // Twelve around, and their middle, which no corner is.
        let around = |k: u64| {
            let (s, c) = (std::f64::consts::TAU * k as f64 / 12.0).sin_cos();
            flat(k, Vec3::new(c, s, 0.0), Vec3::z(), 0.0)
        };
        let mut spots: Vec<Spot> = (0..12).map(around).chain([flat(12, Vec3::zeros(), Vec3::z(), 0.0)]).collect();
        leave_few(&mut spots, 0, 1.0);
        let left: Vec3 = spots.iter().map(|s| s.on_first * s.share).sum();
        assert!(spots.len() == 8 && spots.iter().all(|s| s.feature < 12 && s.share > 0.0), "{spots:?}");
        assert!((spots.iter().map(|s| s.share).sum::<f64>() - 13.0).abs() < 1e-12 && left.norm() < 1e-12, "{spots:?}");
    }

    #[test]
    fn a_plane_is_that_of_the_second_body_on_one_side_of_it() {
        // Of a body that leans the corners are at different heights, and so are the gaps.
        let leaning = |k: u64| {
            let [x, y] = [(1 + k % 3) as f64, (k / 3) as f64];
            flat(k, Vec3::new(x, y, 5.0 - 1e-3 * x), Vec3::z(), -1e-3 * x)
        };
        // On the other side of the same plane, with corners of its own farther out.
        let below = |k: u64| {
            let [x, y] = [3.0 * (k % 2) as f64 - 1.0, 3.0 * (k / 2) as f64 - 1.0];
            flat(10 + k, Vec3::new(x, y, 5.0), -Vec3::z(), 0.0)
        };
        let mut spots: Vec<Spot> = (0..9).map(leaning).chain((0..4).map(below)).collect();
        leave_few(&mut spots, 0, 3.0);
        let names: Vec<u64> = spots.iter().map(|s| s.feature).collect();
        assert_eq!(names, [0, 2, 6, 8, 10, 11, 12, 13]);
        let share = |side: f64| spots.iter().filter(|s| s.n.z == side).map(|s| s.share).sum::<f64>();
        assert!((share(1.0) - 9.0).abs() < 1e-12 && (share(-1.0) - 4.0).abs() < 1e-12, "{spots:?}");
    }

    #[test]
    fn what_is_curved_stays() {
        let line =
            |k: u64| Spot { curvature: [2.0, 0.0], ..flat(k, Vec3::new((k % 3) as f64, (k / 3) as f64, 0.0), Vec3::z(), 0.0) };
        let all: Vec<Spot> = (0..9).map(line).collect();
        let mut spots = all.clone();
        leave_few(&mut spots, 0, 3.0);
        assert_eq!(spots, all);
    }
}
