//! What each point of a patch carries where only the patch's resultant is known. Rigid bodies leave the shares of many points open; a bond of
//! small uniform compliance does not: its tractions are linear over the patch (Navier), and so they are here.

use mpcd_core::{Mat3, Vec3};
use mpcd_friction::problem::ContactProblem;

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

/// Replaces the impulses by the tractions at the points, times their parts of the area, that are linear over the patch and have its resultant force
/// and moment: normal ones a + b·y, tangential ones c + ω n × y, y the place from the middle. The moment is that of tractions over the area between
/// the points, not of the area gathered in them, which would carry three times as much on a rectangle. Points on one line carry no moment about it. `turns` says about which of the axes
/// (n, t, s) the bodies can turn against each other: a moment about another one is whatever holds them, and a bond of small compliance that is
/// stretched evenly makes none.
pub fn spread(points: &mut [Carried], turns: [bool; 3]) {
    let all: f64 = points.iter().map(|p| p.share).sum();
    if points.len() < 2 || all <= 0.0 {
        return;
    }
    let middle = points.iter().map(|p| p.at * p.share).sum::<Vec3>() / all;
    let force = points.iter().map(|p| p.r).sum::<Vec3>() / all;
    let [tt, ts, ss] = second_moments(points, &middle).map(|moment| moment * all);
    let (mut moment, mut torsion) = ([0.0; 2], 0.0);
    for p in points.iter() {
        let y = p.at - middle;
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

/// Second moments (tt, ts, ss) over the area (m²) of the convex polygon between the points, about `middle`; of the line between them where they
/// are on one.
fn second_moments(points: &[Carried], middle: &Vec3) -> [f64; 3] {
    let hull = hull(points.iter().map(|p| [p.at.y - middle.y, p.at.z - middle.z]).collect());
    let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
    let sides = || hull.iter().zip(hull.iter().cycle().skip(1)).map(|(a, b)| (*a, *b));
    let area: f64 = 0.5 * sides().map(|(a, b)| cross(a, b)).sum::<f64>();
    let length = sides().map(|(a, b)| (b[0] - a[0]).hypot(b[1] - a[1])).fold(0.0, f64::max);
    if area <= 1e-9 * length * length {
        // There and back: each end once.
        let ends = |of: fn(&[f64; 2]) -> f64| {
            hull.iter().map(of).fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)))
        };
        let (t, s) = (ends(|p| p[0]), ends(|p| p[1]));
        let sign = if hull.iter().map(|p| p[0] * p[1]).sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
        let (t, s) = (t.1 - t.0, sign * (s.1 - s.0));
        return [t * t / 12.0, t * s / 12.0, s * s / 12.0];
    }
    let sum = |i: usize, k: usize| {
        let of = |(a, b): ([f64; 2], [f64; 2])| {
            let mixed = a[i] * a[k] + b[i] * b[k] + 0.5 * (a[i] * b[k] + a[k] * b[i]);
            cross(a, b) * mixed / 12.0
        };
        sides().map(of).sum::<f64>() / area
    };
    [sum(0, 0), sum(0, 1), sum(1, 1)]
}

/// The corners of the convex hull, counterclockwise (Andrew's monotone chain).
fn hull(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    let chain = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let mut out: Vec<[f64; 2]> = Vec::new();
        for p in points {
            let turns_left = |a: [f64; 2], b: [f64; 2]| (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0.0;
            while out.len() >= 2 && !turns_left(out[out.len() - 2], out[out.len() - 1]) {
                out.pop();
            }
            out.push(p);
        }
        out.pop();
        out
    };
    let mut corners = chain(&mut points.iter().copied());
    corners.extend(chain(&mut points.iter().rev().copied()));
    corners
}

/// About which axes of a contact frame two bodies can turn against each other.
pub(crate) fn turns(problem: &ContactProblem, candidate: usize, antagonist: usize, axes: [Vec3; 3]) -> [bool; 3] {
    let inertia = |node: usize| problem.bodies.get(node).map_or_else(Mat3::zeros, |n| n.inverse_inertia.matrix());
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

    /// σ = F/A ± 6 M/(A h) at the corners of a rectangle, in both directions, whatever shares have the same resultants.
    #[test]
    fn tractions_of_a_rectangle_are_those_of_navier() {
        let before = face();
        let mut after = before.clone();
        spread(&mut after, [true; 3]);
        let (f, m) = resultants(&before);
        assert!((resultants(&after).0 - f).norm() < 1e-14);
        let middle = Vec3::new(0.0, 1.0, 0.5);
        let m = m - middle.cross(&f);
        for (carried, corner) in after.iter().zip(&before) {
            let y = corner.at - middle;
            // the moment of σ about the middle: m_s = −∫σ y_t, m_t = ∫σ y_s
            let wanted = f.x + 6.0 * (m.y * y.z.signum() / 1.0 - m.z * y.y.signum() / 2.0);
            assert!((carried.r.x / 0.25 - wanted).abs() < 1e-12, "{} {wanted}", carried.r.x / 0.25);
        }
        let mut other = before.clone();
        for (k, sign) in [(0, 1.0), (1, -1.0), (2, 1.0), (3, -1.0)] {
            other[k].r.x += 7.0 * sign;
        }
        spread(&mut other, [true; 3]);
        assert!(after.iter().zip(&other).all(|(a, b)| (a.r - b.r).norm() < 1e-13));
    }

    /// A moment T about the normal: beside the mean, tractions T ρ/J across the way from the middle, J = (a² + b²)/12 over the whole area; in the corners that
    /// is three times the moment.
    #[test]
    fn a_moment_about_the_normal_turns_the_tractions_round() {
        let middle = Vec3::new(0.0, 1.0, 0.5);
        let torsion = |points: &[Carried]| points.iter().map(|p| (p.at - middle).cross(&p.r).x).sum::<f64>();
        let before = face();
        let mut after = before.clone();
        spread(&mut after, [true; 3]);
        // Σ y_t r_s − y_s r_t of the four corners
        let moment = 0.5 * 0.3 + (2.0 + 0.5 * 0.1) - 1.0 - (0.4 + 0.5 * 0.7);
        assert!((torsion(&before) - moment).abs() < 1e-14 && (torsion(&after) - 3.0 * moment).abs() < 1e-13);
        for carried in &after {
            let y = carried.at - middle;
            let own = Vec3::new(0.0, carried.r.y, carried.r.z) / 0.25 - Vec3::new(0.0, 1.1, 1.4);
            let wanted = Vec3::new(0.0, -y.z, y.y) * (moment * 12.0 / (4.0 + 1.0));
            assert!((own - wanted).norm() < 1e-12, "{own:?} {wanted:?}");
        }
    }

    /// Triangle: the second moment about the centroid is a quarter of that of its corners; a ring of 64 points: R²/4 of a disc.
    #[test]
    fn second_moments_are_those_of_the_area() {
        let carried = |t: f64, s: f64| Carried { at: Vec3::new(0.0, t, s), r: Vec3::zeros(), share: 1.0 };
        let triangle = [carried(-1.0, -1.0), carried(2.0, -1.0), carried(-1.0, 2.0)];
        let [tt, ts, ss] = second_moments(&triangle, &Vec3::zeros());
        assert!((tt - 0.5).abs() < 1e-14 && (ss - 0.5).abs() < 1e-14 && (ts + 0.25).abs() < 1e-14, "{tt} {ts} {ss}");
        let ring: Vec<Carried> =
            (0..64).map(|k| f64::from(k) * std::f64::consts::PI / 32.0).map(|a| carried(a.cos(), a.sin())).collect();
        let [tt, ts, ss] = second_moments(&ring, &Vec3::zeros());
        assert!((tt - 0.25).abs() < 1e-3 && (ss - 0.25).abs() < 1e-3 && ts.abs() < 1e-14);
        let line = [carried(-1.0, 2.0), carried(1.0, -2.0)];
        let [tt, ts, ss] = second_moments(&line, &Vec3::zeros());
        assert!((tt - 1.0 / 3.0).abs() < 1e-14 && (ts + 2.0 / 3.0).abs() < 1e-14 && (ss - 4.0 / 3.0).abs() < 1e-14);
    }

    /// Held against turning, all points carry their part of the force, and nothing of the moment that the shares happen to make.
    #[test]
    fn bodies_that_cannot_turn_share_evenly() {
        let mut points = face();
        spread(&mut points, [false; 3]);
        assert!(points.iter().all(|p| (p.r - Vec3::new(-0.5, 0.275, 0.35)).norm() < 1e-14));
        // About s alone: the tractions at the corners, three times what the corners would carry.
        let mut points = face();
        spread(&mut points, [false, false, true]);
        let along_t = |points: &[Carried]| points.iter().map(|p| p.r.x * (p.at.y - 1.0)).sum::<f64>();
        assert!((along_t(&points) - 3.0 * along_t(&face())).abs() < 1e-13 && (points[0].r.x - points[3].r.x).abs() < 1e-14);
    }

    /// Two points of a line: their mean, and three times the difference.
    #[test]
    fn a_line_bends_as_a_beam() {
        let mut line = [
            Carried { at: Vec3::new(0.0, 1.0, 2.0), r: Vec3::new(3.0, 0.5, 0.0), share: 0.5 },
            Carried { at: Vec3::new(0.0, 4.0, 6.0), r: Vec3::new(-1.0, 0.0, 0.25), share: 0.5 },
        ];
        let before = line;
        spread(&mut line, [true; 3]);
        assert!((line[0].r.x - (1.0 + 3.0 * 2.0)).abs() < 1e-13 && (line[1].r.x - (1.0 - 3.0 * 2.0)).abs() < 1e-13);
        let sum = |l: &[Carried; 2]| l[0].r + l[1].r;
        assert!((sum(&line) - sum(&before)).norm() < 1e-14);
    }
}
