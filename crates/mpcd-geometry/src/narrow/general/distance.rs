//! Distance and direction of two convex bodies known by their support points alone: Gilbert, Johnson, Keerthi (1988,
//! doi:10.1109/56.2083) while they are apart, the expanding polytope of van den Bergen (2001) while they overlap. No shapes.

use mpcd_core::{Frame, Vec3};

/// Most vertices of the expanding polytope, and most faces.
const VERTICES: usize = 96;
const FACES: usize = 2 * VERTICES;
/// Most steps of the search while the bodies are apart.
const STEPS: usize = 64;

/// Part of the size by which a point must be above a face to be seen from it: coplanar points, of which a flat end has many, are
/// not, whatever their rounding.
const SEEN: f64 = 1e-12;

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

/// The nearest points of two bodies, or the shortest way out where they overlap. `support(d)` gives the point of the
/// difference first − second that is farthest along d. `size` is their length scale (m), `start` any direction. Bodies farther
/// apart than `range` need no exact answer: `None`.
pub(super) fn apart(support: impl Fn(&Vec3) -> Support, start: Vec3, size: f64, range: f64) -> Option<Apart> {
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
            return None;
        }
        if length - bound <= 1e-13 * length || simplex.holds(&next.w) {
            let (on_first, on_second) = simplex.witnesses();
            return Some(Apart { n: v / length, on_first, on_second });
        }
        simplex.add(next);
    }
    if simplex.count < 4 && simplex.nearest().norm() > zero {
        let v = simplex.nearest();
        let (on_first, on_second) = simplex.witnesses();
        return Some(Apart { n: v.normalize(), on_first, on_second });
    }
    let start = simplex.tetrahedron(&support, size);
    Some(Expanding::new(start).run(&support, size))
}

/// Improves the normal: the gap along n, n·w(n), is largest at the right one, and w(n) is its gradient. First a search in
/// shrinking steps if the bodies overlap, for the polytope above stops where its room ends; then Newton's method with the second
/// derivatives by differences, which converges where both surfaces are curved. What is not better is not taken.
pub(super) fn polish(support: impl Fn(&Vec3) -> Support, found: &mut Apart) -> f64 {
    let at = |n: &Vec3| {
        let p = support(&-n);
        (p.w.dot(n), p)
    };
    let (mut gap, mut here) = at(&found.n);
    let mut better = false;
    if gap < 0.0 {
        let mut step = 0.02;
        while step > 1e-8 {
            let f = Frame::spatial(found.n);
            let around = (0..8).map(|k| {
                let (sin, cos) = (std::f64::consts::FRAC_PI_4 * f64::from(k)).sin_cos();
                (found.n + step * (cos * f.t + sin * f.s)).normalize()
            });
            let best = around.map(|n| (n, at(&n))).max_by(|a, b| a.1.0.total_cmp(&b.1.0));
            match best.filter(|b| b.1.0 > gap) {
                Some((n, (value, point))) => (found.n, gap, here, better) = (n, value, point, true),
                None => step *= 0.35,
            }
        }
    }
    for _ in 0..8 {
        let (f, step) = (Frame::spatial(found.n), 1e-5);
        let change = |d: &Vec3| (at(&(found.n + step * d).normalize()).1.w - here.w) / step;
        let (by_t, by_s) = (change(&f.t), change(&f.s));
        let (tt, ss, ts) = (f.t.dot(&by_t) - gap, f.s.dot(&by_s) - gap, 0.5 * (f.s.dot(&by_t) + f.t.dot(&by_s)));
        let (gt, gs) = (f.t.dot(&here.w), f.s.dot(&here.w));
        let det = tt * ss - ts * ts;
        let move_by = Vec3::new((ts * gs - ss * gt) / det, (ts * gt - tt * gs) / det, 0.0);
        // Not a number where the surfaces are flat.
        if move_by.norm().partial_cmp(&0.1) != Some(std::cmp::Ordering::Less) {
            break;
        }
        let n = (found.n + move_by.x * f.t + move_by.y * f.s).normalize();
        let (value, point) = at(&n);
        if value <= gap {
            break;
        }
        (found.n, gap, here, better) = (n, value, point, true);
    }
    if better {
        (found.on_first, found.on_second) = (here.on_first, here.on_second);
    }
    gap
}

/// Up to four support points; what is kept spans the point of their hull nearest to the origin.
struct Simplex {
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
    fn tetrahedron(&self, support: impl Fn(&Vec3) -> Support, size: f64) -> [Support; 4] {
        let mut points = self.points;
        let mut count = self.count.min(4);
        let thin = 1e-9 * size;
        while count < 4 {
            let p = |k: usize| points[k].w;
            let directions: [Vec3; 6] = match count {
                1 => [Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y(), Vec3::z(), -Vec3::z()],
                2 => {
                    let f = Frame::spatial((p(1) - p(0)).try_normalize(0.0).unwrap_or_else(Vec3::x));
                    [f.t, -f.t, f.s, -f.s, f.t + f.s, -f.t - f.s]
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

#[derive(Debug, Clone, Copy)]
struct Face {
    corners: [u8; 3],
    n: Vec3,
    distance: f64,
}

/// A polytope inside the difference of two overlapping bodies that grows where its surface is nearest to the origin.
struct Expanding {
    points: [Support; VERTICES],
    count: usize,
    faces: [Face; FACES],
    face_count: usize,
}

impl Expanding {
    fn new(start: [Support; 4]) -> Self {
        let blank = Face { corners: [0; 3], n: Vec3::zeros(), distance: f64::INFINITY };
        let mut out = Self { points: [start[0]; VERTICES], count: 4, faces: [blank; FACES], face_count: 0 };
        out.points[..4].copy_from_slice(&start);
        let [a, b, c, d] = start.map(|p| p.w);
        // Outward faces, whichever way the four points turn.
        let faces: [[u8; 3]; 4] = if (b - a).cross(&(c - a)).dot(&(d - a)) < 0.0 {
            [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]]
        } else {
            [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
        };
        faces.into_iter().for_each(|f| out.push(f));
        out
    }

    fn push(&mut self, corners: [u8; 3]) {
        let [a, b, c] = corners.map(|k| self.points[k as usize].w);
        let n = (b - a).cross(&(c - a));
        // A face without area never is the nearest.
        let (n, distance) = n.try_normalize(0.0).map_or((Vec3::x(), f64::INFINITY), |n| (n, n.dot(&a)));
        if self.face_count < FACES {
            self.faces[self.face_count] = Face { corners, n, distance };
            self.face_count += 1;
        }
    }

    #[allow(clippy::cast_possible_truncation, reason = "at most 96 points")]
    fn run(mut self, support: impl Fn(&Vec3) -> Support, size: f64) -> Apart {
        let mut best = self.nearest();
        while self.count < VERTICES {
            let next = support(&best.n);
            if next.w.dot(&best.n) - best.distance <= 2.0 * SEEN * size {
                break;
            }
            self.points[self.count] = next;
            let new = self.count as u8;
            self.count += 1;
            // The faces that see the new point go; their rim joins it.
            let mut rim = [[0_u8; 2]; FACES];
            let mut sides = 0;
            let mut i = 0;
            while i < self.face_count {
                let face = self.faces[i];
                if face.n.dot(&next.w) - face.n.dot(&self.points[face.corners[0] as usize].w) <= SEEN * size {
                    i += 1;
                    continue;
                }
                for k in 0..3 {
                    let (a, b) = (face.corners[k], face.corners[(k + 1) % 3]);
                    match rim[..sides].iter().position(|s| *s == [b, a]) {
                        Some(twin) => {
                            sides -= 1;
                            rim[twin] = rim[sides];
                        }
                        None if sides < FACES => {
                            rim[sides] = [a, b];
                            sides += 1;
                        }
                        None => {}
                    }
                }
                self.face_count -= 1;
                self.faces[i] = self.faces[self.face_count];
            }
            if sides == 0 || self.face_count + sides > FACES {
                break;
            }
            for [a, b] in rim.into_iter().take(sides) {
                self.push([a, b, new]);
            }
            let found = self.nearest();
            if !found.distance.is_finite() {
                break;
            }
            best = found;
        }
        self.witness(&best)
    }

    fn nearest(&self) -> Face {
        self.faces[..self.face_count].iter().copied().min_by(|a, b| a.distance.total_cmp(&b.distance)).unwrap_or(self.faces[0])
    }

    fn witness(&self, face: &Face) -> Apart {
        let p = face.corners.map(|k| self.points[k as usize]);
        let foot = face.n * face.distance;
        let normal = (p[1].w - p[0].w).cross(&(p[2].w - p[0].w));
        let area2 = normal.norm_squared();
        let part = |a: Vec3, b: Vec3| (a - foot).cross(&(b - foot)).dot(&normal) / area2;
        let (u, v) = (part(p[1].w, p[2].w), part(p[2].w, p[0].w));
        let weights = if (u + v).is_finite() { [u, v, 1.0 - u - v] } else { [1.0, 0.0, 0.0] };
        let of = |point: fn(&Support) -> Vec3| (0..3).map(|i| weights[i] * point(&p[i])).sum();
        let n = if face.n == Vec3::zeros() { Vec3::z() } else { -face.n };
        Apart { n, on_first: of(|p| p.on_first), on_second: of(|p| p.on_second) }
    }
}
