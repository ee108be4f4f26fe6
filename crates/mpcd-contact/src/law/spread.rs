//! What each point of a patch carries where only the patch's resultant is known. Rigid bodies leave the shares of many points open; a bond of
//! small uniform compliance does not: its tractions are linear over the patch (Navier), and so they are here.

use mpcd_core::{Mat3, Vec3};
use mpcd_friction::rigid::RigidProblem;

/// A point of a patch: place and impulse, local (n, t, s), and its part of the patch's area.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carried {
    /// Place (m).
    pub at: Vec3,
    /// Impulse [N s].
    pub r: Vec3,
    /// Part of the area; only ratios count.
    pub share: f64,
}

/// Replaces the impulses by those with the same resultant force and moment whose tractions are linear over the patch: normal ones a + b·y, tangential
/// ones c + ω n × y, y the place from the middle. Points on one line carry no moment about it, and so keep none. `turns` says about which of the axes
/// (n, t, s) the bodies can turn against each other: a moment about another one is whatever holds them, and a bond of small compliance that is
/// stretched evenly makes none.
pub fn spread(points: &mut [Carried], turns: [bool; 3]) {
    let all: f64 = points.iter().map(|p| p.share).sum();
    if points.len() < 2 || all <= 0.0 {
        return;
    }
    let middle = points.iter().map(|p| p.at * p.share).sum::<Vec3>() / all;
    let force = points.iter().map(|p| p.r).sum::<Vec3>() / all;
    let (mut tt, mut ts, mut ss) = (0.0, 0.0, 0.0);
    let (mut moment, mut torsion) = ([0.0; 2], 0.0);
    for p in points.iter() {
        let y = p.at - middle;
        tt += p.share * y.y * y.y;
        ts += p.share * y.y * y.z;
        ss += p.share * y.z * y.z;
        moment[0] += p.r.x * y.y;
        moment[1] += p.r.x * y.z;
        torsion += y.y * p.r.z - y.z * p.r.y;
    }
    let polar = tt + ss;
    // Tractions that change along t turn about s, those along s about t.
    let slope = match turns {
        [_, true, true] => solve([tt, ts, ss], moment),
        [_, false, true] if tt > 0.0 => [moment[0] / tt, 0.0],
        [_, true, false] if ss > 0.0 => [0.0, moment[1] / ss],
        _ => [0.0; 2],
    };
    let turn = if turns[0] && polar > 0.0 { torsion / polar } else { 0.0 };
    for p in points.iter_mut() {
        let y = p.at - middle;
        let normal = force.x + slope[0] * y.y + slope[1] * y.z;
        p.r = Vec3::new(normal, force.y - turn * y.z, force.z + turn * y.y) * p.share;
    }
}

/// About which axes of a contact frame two bodies can turn against each other.
pub(crate) fn turns(problem: &RigidProblem, candidate: usize, antagonist: usize, axes: [Vec3; 3]) -> [bool; 3] {
    let inertia = |node: usize| problem.nodes.get(node).map_or_else(Mat3::zeros, |n| n.inverse_inertia.matrix());
    let response = inertia(candidate) + inertia(antagonist);
    axes.map(|axis| axis.dot(&(response * axis)) > 0.0)
}

/// b of [[tt, ts], [ts, ss]] b = m, without what lies across a line of points.
fn solve([tt, ts, ss]: [f64; 3], m: [f64; 2]) -> [f64; 2] {
    let polar = tt + ss;
    let determinant = tt * ss - ts * ts;
    if determinant > 1e-12 * polar * polar {
        return [(ss * m[0] - ts * m[1]) / determinant, (tt * m[1] - ts * m[0]) / determinant];
    }
    if polar <= 0.0 {
        return [0.0; 2];
    }
    // One line: the matrix is polar · e eᵀ.
    let along = if tt >= ss { [tt, ts] } else { [ts, ss] };
    let length = along[0].hypot(along[1]);
    let e = [along[0] / length, along[1] / length];
    let size = (e[0] * m[0] + e[1] * m[1]) / polar;
    [size * e[0], size * e[1]]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resultants(points: &[Carried]) -> (Vec3, Vec3) {
        let force = points.iter().map(|p| p.r).sum();
        (force, points.iter().map(|p| p.at.cross(&p.r)).sum())
    }

    fn face() -> Vec<Carried> {
        let at = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]];
        let r = [[1.0, 0.3, 0.0], [-5.0, 0.1, 2.0], [0.0, 0.0, -1.0], [2.0, 0.7, 0.4]];
        at.iter().zip(r).map(|(a, r)| Carried { at: Vec3::new(0.0, a[0], a[1]), r: r.into(), share: 0.25 }).collect()
    }

    #[test]
    fn force_and_moment_stay_and_tractions_are_linear() {
        let before = face();
        let mut after = before.clone();
        spread(&mut after, [true; 3]);
        let ((f, m), (g, l)) = (resultants(&before), resultants(&after));
        assert!((f - g).norm() < 1e-14 && (m - l).norm() < 1e-14, "{m:?} {l:?}");
        // Linear over a rectangle: the sums over both diagonals are one.
        assert!((after[0].r + after[2].r - after[1].r - after[3].r).norm() < 1e-14);
        // What another distribution of the same resultants is does not matter.
        let mut other = before.clone();
        for (k, sign) in [(0, 1.0), (1, -1.0), (2, 1.0), (3, -1.0)] {
            other[k].r.x += 7.0 * sign;
        }
        spread(&mut other, [true; 3]);
        assert!(after.iter().zip(&other).all(|(a, b)| (a.r - b.r).norm() < 1e-14));
    }

    /// Held against turning, all points carry their part of the force, and nothing of the moment that the shares happen to make.
    #[test]
    fn bodies_that_cannot_turn_share_evenly() {
        let mut points = face();
        spread(&mut points, [false; 3]);
        assert!(points.iter().all(|p| (p.r - Vec3::new(-0.5, 0.275, 0.35)).norm() < 1e-14));
        // About s alone: what changes along t stays.
        let mut points = face();
        spread(&mut points, [false, false, true]);
        let along_t = |points: &[Carried]| points.iter().map(|p| p.r.x * (p.at.y - 1.0)).sum::<f64>();
        assert!((along_t(&points) - along_t(&face())).abs() < 1e-14 && (points[0].r.x - points[3].r.x).abs() < 1e-14);
    }

    #[test]
    fn two_points_keep_what_each_carries_along_the_normal() {
        let mut line = [
            Carried { at: Vec3::new(0.0, 1.0, 2.0), r: Vec3::new(3.0, 0.5, 0.0), share: 0.5 },
            Carried { at: Vec3::new(0.0, 4.0, 6.0), r: Vec3::new(-1.0, 0.0, 0.25), share: 0.5 },
        ];
        let before = line;
        spread(&mut line, [true; 3]);
        assert!((line[0].r.x - 3.0).abs() < 1e-14 && (line[1].r.x + 1.0).abs() < 1e-14);
        let sum = |l: &[Carried; 2]| l[0].r + l[1].r;
        assert!((sum(&line) - sum(&before)).norm() < 1e-14);
    }
}
