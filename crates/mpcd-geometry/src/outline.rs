//! Outlines of points in a plane: which points span it, and which of these matter most. No bodies, no contacts.

use mpcd_core::{Frame, Vec3};

/// The places of the corners of the convex outline of points in a plane, counter-clockwise as seen against `n`, or the two ends of what is on a line (A. M. Andrew, Inf. Process. Lett. 9, 1979, doi:10.1016/0020-0190(79)90072-3).
pub(crate) fn hull(points: &[Vec3], n: &Vec3) -> Vec<usize> {
    let Frame { t, .. } = Frame::spatial(*n);
    let s = n.cross(&t);
    let mut sorted: Vec<usize> = (0..points.len()).collect();
    let key = |k: usize| [t.dot(&points[k]), s.dot(&points[k])];
    sorted.sort_by(|a, b| {
        let ([x, y], [u, v]) = (key(*a), key(*b));
        x.total_cmp(&u).then(y.total_cmp(&v)).then(a.cmp(b))
    });
    let half = |order: &mut dyn Iterator<Item = &usize>| {
        let mut chain: Vec<usize> = Vec::new();
        for &k in order {
            while let [.., a, b] = chain[..]
                && n.dot(&(points[b] - points[a]).cross(&(points[k] - points[b]))) <= 0.0
            {
                chain.pop();
            }
            chain.push(k);
        }
        chain.pop();
        chain
    };
    let mut out = half(&mut sorted.iter());
    out.extend(half(&mut sorted.iter().rev()));
    out
}

/// Leaves at most `most` corners of an outline, in their order, and of more than three none within `flat` (m) of the line between its neighbours: one after the other goes the one
/// without which it loses least, `keep` never. `near` (m): lengths that differ by less are equal, and of equals the one with the greater place goes, so that rounding does not choose.
pub(crate) fn thin(
    outline: &mut Vec<usize>,
    point: impl Fn(usize) -> Vec3,
    n: &Vec3,
    most: usize,
    [near, flat]: [f64; 2],
    keep: Option<usize>,
) {
    while outline.len() > most.min(3) {
        let count = outline.len();
        // As a distance from the line between its neighbours.
        let loss = |i: usize| {
            let [before, at, after] = [count - 1, 0, 1].map(|by| point(outline[(i + by) % count]));
            let line = after - before;
            let twice = n.dot(&(at - before).cross(&line)).abs();
            if line.norm() > near { twice / line.norm() } else { (at - before).norm() }
        };
        let mut least: Option<(usize, f64)> = None;
        for i in (0..count).filter(|i| Some(outline[*i]) != keep || most == 0) {
            let (here, other) = (loss(i), least);
            let is_less = other.is_none_or(|(k, loss)| here < loss - near || (here < loss + near && outline[i] > outline[k]));
            if is_less {
                least = Some((i, here));
            }
        }
        let Some((i, _)) = least.filter(|(_, loss)| count > most || *loss <= flat) else { break };
        outline.remove(i);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_spans_a_grid_are_its_corners() {
        let n = Vec3::new(0.0, 0.6, 0.8);
        let s = Vec3::new(0.0, 0.8, -0.6);
        let points: Vec<Vec3> = (0..25).map(|k| Vec3::x() * f64::from(k % 5) + s * f64::from(k / 5)).collect();
        for n in [n, -n] {
            let mut outline = hull(&points, &n);
            thin(&mut outline, |k| points[k], &n, 8, [1e-9; 2], None);
            let mut corners = outline.clone();
            corners.sort_unstable();
            assert_eq!(corners, [0, 4, 20, 24]);
            let turns = (0..4).all(|i| {
                let [a, b, c] = [0, 1, 2].map(|by| points[outline[(i + by) % 4]]);
                n.dot(&(b - a).cross(&(c - b))) > 0.0
            });
            assert!(turns, "{outline:?}");
        }
    }

    #[test]
    fn the_corner_nearest_to_the_line_beside_it_goes() {
        // A bulge of 0.1 on a side of 10, and one of 0.5 on a side of 1, whose triangle is half as large.
        let corners = [[0.0, 0.0], [5.0, -0.1], [10.0, 0.0], [10.5, 0.5], [10.0, 1.0], [0.0, 1.0]];
        let points = corners.map(|[x, y]| Vec3::new(x, y, 3.0));
        let left = |keep: Option<usize>| {
            let mut outline: Vec<usize> = (0..6).collect();
            thin(&mut outline, |k| points[k], &Vec3::z(), 5, [1e-9, -1.0], keep);
            outline
        };
        assert_eq!(left(None), [0, 2, 3, 4, 5]);
        // Where that is to stay the next one goes for it, 0.443 from its line.
        assert_eq!(left(Some(1)), [0, 1, 3, 4, 5]);
    }
}
