//! What of a polygon's area each of its corners stands for. A pressure that is the same everywhere is carried by the corners as it is by the area only where
//! the shares have the polygon's middle, too: a face pulled or pressed through its middle neither leans nor breaks at one side first. No bodies, no contacts.

use mpcd_core::{Mat3, Vec3};

/// Part of a size below which a determinant is that of points on one line.
const ON_ONE_LINE: f64 = 1e-12;

/// Writes the shares of the corners of a convex polygon that runs around `n`, either way, and returns its area (m²), seen along `n`.
///
/// The shares add up to 1, none is negative, and Σ share · corner is the middle of the area: each triangle of two corners that follow each other and the middle of the
/// outline gives a third of its area to each of the three, and what that middle has goes to the corners by the lengths of their sides, by which it is their mean. So a corner
/// that is there twice counts once, and those of a regular polygon or a rectangle are equal. Without an area all are.
pub(crate) fn of_polygon(corners: impl Iterator<Item = Vec3> + Clone, n: &Vec3, shares: &mut Vec<f64>) -> f64 {
    let count = corners.clone().count();
    shares.clear();
    shares.resize(count, 0.0);
    let sides = || corners.clone().zip(corners.clone().cycle().skip(1)).enumerate();
    let length = |a: Vec3, b: Vec3| (b - a - n * n.dot(&(b - a))).norm();
    let outline: f64 = sides().map(|(_, (a, b))| length(a, b)).sum();
    let middle = sides().map(|(_, (a, b))| (a + b) * (0.5 * length(a, b) / outline)).sum::<Vec3>();
    let triangle = |a: Vec3, b: Vec3| 0.5 * n.dot(&(a - middle).cross(&(b - middle)));
    let area: f64 = sides().map(|(_, (a, b))| triangle(a, b)).sum();
    if outline == 0.0 || area == 0.0 {
        shares.fill(1.0 / count as f64);
        return 0.0;
    }
    for (k, (a, b)) in sides() {
        let part = (triangle(a, b) / area).max(0.0) / 3.0 + length(a, b) / (6.0 * outline);
        shares[k] += part;
        shares[(k + 1) % count] += part;
    }
    area.abs()
}

/// The least changes (by the sum of squares) of `shares` at `points` by which they add up to `whole` and have their middle at `middle`, as seen along `n`, and none is
/// negative: what would be stays at 0 while the others go on. As far as that goes: points on one line have their middle there.
pub(crate) fn fit(points: &[Vec3], shares: &mut [f64], n: &Vec3, whole: f64, middle: &Vec3) {
    let seen = |p: &Vec3| {
        let arm = p - middle;
        arm - n * n.dot(&arm)
    };
    for _ in 0..points.len() {
        let free = || points.iter().zip(&*shares).filter(|(_, s)| **s > 0.0).map(|(p, s)| (seen(p), *s));
        let count = free().count() as f64;
        let Some((alpha, beta)) = change(free, count, n, whole) else { return };
        let change = |arm: &Vec3| alpha + beta.dot(arm);
        let most = free().map(|(arm, s)| (change(&arm), s)).filter(|(d, _)| *d < 0.0).map(|(d, s)| -s / d);
        let part = most.fold(1.0, f64::min);
        for (p, share) in points.iter().zip(&mut *shares).filter(|(_, s)| **s > 0.0) {
            let by = change(&seen(p));
            // The one that ends the step is at 0, whatever rounding makes of it.
            let ends = by < 0.0 && -*share / by <= part && part < 1.0;
            *share = if ends { 0.0 } else { (*share + part * by).max(0.0) };
        }
        if part >= 1.0 {
            return;
        }
    }
}

/// The changes α + β · arm of shares, from arms about a middle and what is there; `None` where the points lie on one line.
fn change<I: Iterator<Item = (Vec3, f64)>>(points: impl Fn() -> I, count: f64, n: &Vec3, whole: f64) -> Option<(f64, Vec3)> {
    let sum = points().map(|(arm, _)| arm).sum::<Vec3>();
    let spread: Mat3 = points().map(|(arm, _)| arm * arm.transpose()).sum();
    let size = spread.trace();
    let lacks = whole - points().map(|(_, share)| share).sum::<f64>();
    let lean = -points().map(|(arm, share)| arm * share).sum::<Vec3>();
    // Schur complement of the count: (Σ arm armᵀ − s sᵀ/N) β = lean − s lacks/N; along n, where arms have nothing, the matrix is that of a unit vector.
    let about = spread - sum * sum.transpose() / count + n * n.transpose() * size;
    if size <= 0.0 || about.determinant() <= ON_ONE_LINE * size.powi(3) {
        return None;
    }
    let beta = about.try_inverse()? * (lean - sum * (lacks / count));
    Some(((lacks - sum.dot(&beta)) / count, beta))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A polygon in a slanted plane, from its plane coordinates.
    fn slanted(corners: &[[f64; 2]]) -> (Vec<Vec3>, Vec3) {
        let (e, f) = (Vec3::new(0.6, 0.0, 0.8), Vec3::y());
        (corners.iter().map(|[x, y]| Vec3::new(3.0, -2.0, 1.0) + e * *x + f * *y).collect(), e.cross(&f))
    }

    fn middle(points: &[Vec3], shares: &[f64]) -> Vec3 {
        points.iter().zip(shares).map(|(p, s)| p * *s).sum()
    }

    #[test]
    fn shares_have_the_area_and_its_middle() {
        let house = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 2.0], [0.0, 1.0]];
        let (points, n) = slanted(&house);
        let mut shares = Vec::new();
        for n in [n, -n] {
            // A square of 2 under a triangle of 1: middle at (1, (2·½ + 1·4/3)/3).
            assert!((of_polygon(points.iter().copied(), &n, &mut shares) - 3.0).abs() < 1e-14);
            let exact = slanted(&[[1.0, 7.0 / 9.0]]).0[0];
            assert!((middle(&points, &shares) - exact).norm() < 1e-14 && (shares.iter().sum::<f64>() - 1.0).abs() < 1e-14);
            assert!(shares.iter().all(|s| *s > 0.0));
        }
        let (points, n) = slanted(&[[0.0, 0.0], [3.0, 0.0], [3.0, 1.0], [0.0, 1.0]]);
        of_polygon(points.iter().copied(), &n, &mut shares);
        assert!(shares.iter().all(|s| (s - 0.25).abs() < 1e-15));
    }

    #[test]
    fn without_area_all_are_alike() {
        let (points, n) = slanted(&[[0.0, 0.0], [1.0, 0.0], [3.0, 0.0]]);
        let mut shares = Vec::new();
        assert_eq!(of_polygon(points.iter().copied(), &n, &mut shares), 0.0);
        assert!(shares.iter().all(|s| (s - 1.0 / 3.0).abs() < 1e-15));
    }

    #[test]
    fn fitted_shares_have_the_middle_asked_for() {
        let (points, n) = slanted(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.5]]);
        let (mut shares, goal) = (vec![0.5; 4], slanted(&[[0.8, 0.7]]).0[0]);
        fit(&points, &mut shares, &n, 3.0, &goal);
        assert!((shares.iter().sum::<f64>() - 3.0).abs() < 1e-14 && (middle(&points, &shares) / 3.0 - goal).norm() < 1e-14);
        // Near a corner others end at 0.
        let goal = points[0] * 0.9 + (points[1] + points[3]) * 0.05;
        fit(&points, &mut shares, &n, 3.0, &goal);
        assert!((shares.iter().sum::<f64>() - 3.0).abs() < 1e-13 && (middle(&points, &shares) / 3.0 - goal).norm() < 1e-13);
        assert!(shares.iter().all(|s| *s >= 0.0) && shares[2] == 0.0, "{shares:?}");
    }

    #[test]
    fn a_narrow_strip_is_no_line() {
        let (points, n) = slanted(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1e-5], [0.0, 1e-5]]);
        let (mut shares, goal) = (vec![0.5; 4], slanted(&[[0.8, 0.5e-5]]).0[0]);
        fit(&points, &mut shares, &n, 2.0, &goal);
        assert!(
            (shares.iter().sum::<f64>() - 2.0).abs() < 1e-9 && (middle(&points, &shares) / 2.0 - goal).norm() < 1e-9,
            "{shares:?}"
        );
    }
}
