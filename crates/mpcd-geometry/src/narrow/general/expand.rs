//! The expanding polytope (van den Bergen 2001): a polytope inside of the difference of two overlapping bodies that grows where
//! its surface is nearest to the origin, and so tells in which directions the shortest way out may be. No shapes.

use mpcd_core::Vec3;

use super::distance::{Apart, Support};

/// Most vertices, and most faces.
const VERTICES: usize = 96;
const FACES: usize = 2 * VERTICES;
/// Part of the size by which a point must be above a face to be seen from it: coplanar points, of which a flat end has many, are
/// not, whatever their rounding.
const SEEN: f64 = 1e-12;
/// The polytope has grown enough when the depth along its nearest face is known to this part of itself: what is left is done by
/// a search about the direction.
const KNOWN: f64 = 0.02;

#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    corners: [u8; 3],
    /// Outward unit normal.
    pub(super) n: Vec3,
    /// Of its plane from the origin (m): the way out in any direction through the face is no shorter.
    pub(super) distance: f64,
}

/// The polytope.
pub(super) struct Expanding {
    points: [Support; VERTICES],
    count: usize,
    faces: [Face; FACES],
    face_count: usize,
}

impl Expanding {
    /// About four points.
    pub(super) fn new(start: [Support; 4]) -> Self {
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

    /// Its faces, the nearest first.
    pub(super) fn sorted(&mut self) -> &[Face] {
        let faces = &mut self.faces[..self.face_count];
        faces.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance));
        faces
    }

    /// Grows it; the way out through its nearest face.
    #[allow(clippy::cast_possible_truncation, reason = "at most 96 points")]
    pub(super) fn grow(&mut self, support: impl Fn(&Vec3) -> Support, size: f64) -> Apart {
        let mut best = self.nearest();
        while self.count < VERTICES {
            let next = support(&best.n);
            let depth = next.w.dot(&best.n);
            if depth - best.distance <= (KNOWN * depth).max(2.0 * SEEN * size) {
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
