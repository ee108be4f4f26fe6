//! Nearest points of two convex bodies that are apart, known by their support points alone: Gilbert, Johnson, Keerthi (1988,
//! doi:10.1109/56.2083). No shapes, and nothing about overlapping bodies but the four points to start from.

use mpcd_core::{Frame, Vec3};

/// Most steps of the search while the bodies are apart.
const STEPS: usize = 128;

/// Height of four points, as part of their distance from the origin, below which rounding alone may have made it.
const FLAT: f64 = 1e-13;

/// A point of the difference of two bodies and the points that make it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Support {
    pub(super) w: Vec3,
    pub(super) on_first: Vec3,
    pub(super) on_second: Vec3,
}

/// Where two bodies are nearest.
#[derive(Debug, Clone, Copy)]
pub(super) struct Apart {
    /// Unit normal from the second body to the first.
    pub(super) n: Vec3,
    /// Nearest points.
    pub(super) on_first: Vec3,
    pub(super) on_second: Vec3,
}

/// What the search finds.
#[allow(clippy::large_enum_variant, reason = "on the stack for one call: detection allocates nothing")]
pub(super) enum Found {
    /// The bodies are farther apart than the range.
    Beyond,
    Apart(Apart),
    /// They overlap or touch: points of the difference about the origin or next to it.
    Overlap(Simplex),
}

/// The nearest points of two bodies. `support(d)` gives the point of the difference first − second that is farthest along d.
/// `size` is their length scale (m), `start` any direction. Bodies farther apart than `range` need no exact answer.
pub(super) fn distance(support: impl Fn(&Vec3) -> Support, start: Vec3, size: f64, range: f64) -> Found {
    let zero = 1e-10 * size;
    let mut simplex = Simplex::new(support(&-start));
    for _ in 0..STEPS {
        let v = simplex.nearest();
        let length = v.norm();
        if length <= zero || simplex.count == 4 {
            break;
        }
        let next = support(&-v);
        let bound = v.dot(&next.w) / length;
        if bound > range {
            return Found::Beyond;
        }
        if length - bound <= 1e-13 * length || simplex.holds(&next.w) {
            let (on_first, on_second) = simplex.witnesses();
            return Found::Apart(Apart { n: v / length, on_first, on_second });
        }
        simplex.add(next);
    }
    let v = simplex.nearest();
    if simplex.count < 4 && v.norm() > zero {
        let (on_first, on_second) = simplex.witnesses();
        return Found::Apart(Apart { n: v.normalize(), on_first, on_second });
    }
    Found::Overlap(simplex)
}

/// Up to four support points; what is kept spans the point of their hull nearest to the origin.
pub(super) struct Simplex {
    points: [Support; 4],
    weights: [f64; 4],
    count: usize,
}

impl Simplex {
    fn new(first: Support) -> Self {
        Self { points: [first; 4], weights: [1.0, 0.0, 0.0, 0.0], count: 1 }
    }

    fn add(&mut self, point: Support) {
        self.points[self.count] = point;
        self.count += 1;
    }

    fn holds(&self, w: &Vec3) -> bool {
        self.points[..self.count].iter().any(|p| p.w == *w)
    }

    /// The point of the hull nearest to the origin; drops the points that it does not need. All four stay if the origin is inside.
    fn nearest(&mut self) -> Vec3 {
        let mut best: Option<(f64, usize, [f64; 4])> = None;
        let all = 1_usize << self.count;
        for set in 1..all {
            if let Some(weights) = self.face(set)
                && weights.iter().take(self.count).all(|w| *w >= 0.0)
            {
                let v: Vec3 = (0..self.count).map(|i| weights[i] * self.points[i].w).sum();
                let distance = v.norm_squared();
                if best.is_none_or(|b| distance < b.0) {
                    best = Some((distance, set, weights));
                }
            }
        }
        let Some((_, set, weights)) = best else { return self.points[0].w };
        let mut kept = 0;
        for i in 0..self.count {
            if set >> i & 1 == 1 {
                self.points[kept] = self.points[i];
                self.weights[kept] = weights[i];
                kept += 1;
            }
        }
        self.count = kept;
        (0..kept).map(|i| self.weights[i] * self.points[i].w).sum()
    }

    /// The weights of the point nearest to the origin on the plane, line or point through a set; `None` if the set is flat.
    fn face(&self, set: usize) -> Option<[f64; 4]> {
        let mut members = [0; 4];
        let mut count = 0;
        for i in 0..self.count {
            if set >> i & 1 == 1 {
                members[count] = i;
                count += 1;
            }
        }
        let p = |k: usize| self.points[members[k]].w;
        let mut weights = [0.0; 4];
        match count {
            1 => weights[members[0]] = 1.0,
            2 => {
                let d = p(1) - p(0);
                let t = -p(0).dot(&d) / d.norm_squared();
                (weights[members[0]], weights[members[1]]) = (1.0 - t, t);
            }
            3 => {
                let n = (p(1) - p(0)).cross(&(p(2) - p(0)));
                let n2 = n.norm_squared();
                let (u, v) = (n.dot(&p(1).cross(&p(2))) / n2, n.dot(&p(2).cross(&p(0))) / n2);
                (weights[members[0]], weights[members[1]], weights[members[2]]) = (u, v, 1.0 - u - v);
            }
            _ => {
                let volume = (p(1) - p(0)).dot(&(p(2) - p(0)).cross(&(p(3) - p(0))));
                // Four points as good as in a plane are told apart from a volume about the origin.
                let sides =
                    [(1, 2, 0), (1, 3, 0), (2, 3, 0), (2, 3, 1)].map(|(i, j, k)| (p(i) - p(k)).cross(&(p(j) - p(k))).norm());
                let far = (0..4).map(|k| p(k).amax()).fold(0.0, f64::max);
                if volume.abs() <= FLAT * far * sides.into_iter().fold(0.0, f64::max) {
                    return None;
                }
                let part = |a: Vec3, b: Vec3, c: Vec3| a.dot(&b.cross(&c)) / volume;
                weights = [part(p(1), p(2), p(3)), -part(p(0), p(2), p(3)), part(p(0), p(1), p(3)), -part(p(0), p(1), p(2))];
            }
        }
        weights.iter().all(|w| w.is_finite()).then_some(weights)
    }

    fn witnesses(&self) -> (Vec3, Vec3) {
        let of = |point: fn(&Support) -> Vec3| (0..self.count).map(|i| self.weights[i] * point(&self.points[i])).sum();
        (of(|p| p.on_first), of(|p| p.on_second))
    }

    /// Four points with a volume about the origin or next to it.
    pub(super) fn tetrahedron(&self, support: impl Fn(&Vec3) -> Support, size: f64) -> [Support; 4] {
        let mut points = self.points;
        let mut count = self.count.min(4);
        let thin = 1e-9 * size;
        while count < 4 {
            let p = |k: usize| points[k].w;
            let directions: [Vec3; 6] = match count {
                1 => [Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y(), Vec3::z(), -Vec3::z()],
                2 => {
                    let f = Frame::spatial((p(1) - p(0)).try_normalize(0.0).unwrap_or_else(Vec3::x));
                    [f.t, -f.t, f.s(), -f.s(), f.t + f.s(), -f.t - f.s()]
                }
                _ => {
                    let n = (p(1) - p(0)).cross(&(p(2) - p(0)));
                    [n, -n, n, -n, n, -n]
                }
            };
            let off = |w: &Vec3| match count {
                1 => (w - p(0)).norm(),
                2 => (w - p(0)).cross(&(p(1) - p(0)).normalize()).norm(),
                _ => (w - p(0)).dot(&(p(1) - p(0)).cross(&(p(2) - p(0))).normalize()).abs(),
            };
            let found = directions.iter().map(&support).max_by(|a, b| off(&a.w).total_cmp(&off(&b.w)));
            let Some(found) = found.filter(|f| off(&f.w) > thin) else { break };
            points[count] = found;
            count += 1;
        }
        points
    }
}
