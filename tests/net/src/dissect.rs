//! A rectangle or a block cut at random into prisms: its pieces, which of them touch on how much, and what they weigh together. No scenes.

use mpcd_core::Vec3;
use nalgebra::{Matrix3, SymmetricEigen};

use crate::{random::Draw, scene::Shape};

/// A convex prism along z; in the plane its height is 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// Corners, anticlockwise (m).
    pub corners: Vec<[f64; 2]>,
    /// Ends (m).
    pub ends: [f64; 2],
    /// Mass (kg).
    pub mass: f64,
}

/// How a block is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cuts {
    /// In the plane z = 0.
    pub planar: bool,
    /// Along the edges of the block alone: pieces are boxes.
    pub straight: bool,
    /// How many.
    pub count: usize,
}

/// Cuts a block of these edges (m), whose middle is the origin, with this density in the mean, pieces up to `ratio` times as dense as others. Each cut halves the largest piece across its longest way, more or less.
#[must_use]
pub fn cut(size: Vec3, cuts: Cuts, ratio: f64, draw: &mut Draw) -> Vec<Piece> {
    let (x, y, z) = (0.5 * size.x, 0.5 * size.y, 0.5 * size.z);
    let block = Piece { corners: vec![[-x, -y], [x, -y], [x, y], [-x, y]], ends: [-z, z], mass: 0.0 };
    let mut pieces = vec![block];
    for _ in 0..cuts.count {
        let Some(largest) = (0..pieces.len()).max_by(|a, b| pieces[*a].volume().total_cmp(&pieces[*b].volume())) else { break };
        let (a, b) = pieces.swap_remove(largest).halves(cuts, draw);
        pieces.extend([a, b]);
    }
    for piece in &mut pieces {
        piece.mass = 1000.0 * piece.volume() * draw.decades(ratio.recip().sqrt(), ratio.sqrt());
    }
    pieces
}

/// Centre of mass of all (m), mass (kg), and moments of inertia about it (kg m²).
#[must_use]
pub fn whole(pieces: &[Piece]) -> (Vec3, f64, Matrix3<f64>) {
    let mass: f64 = pieces.iter().map(|p| p.mass).sum();
    let centre = pieces.iter().map(|p| p.centre() * p.mass).sum::<Vec3>() / mass;
    let inertia = pieces
        .iter()
        .map(|p| {
            let r = p.centre() - centre;
            p.inertia() + p.mass * (Matrix3::identity() * r.norm_squared() - r * r.transpose())
        })
        .sum();
    (centre, mass, inertia)
}

/// The axis about which a body turns on steadily and comes back to it: that of the largest moment.
#[must_use]
pub fn steady_axis(inertia: &Matrix3<f64>) -> Vec3 {
    let eigen = SymmetricEigen::new(*inertia);
    eigen.eigenvectors.column(eigen.eigenvalues.imax()).into_owned()
}

/// Whether all pieces hang together by pairs for which this says so.
#[must_use]
pub fn hangs_together(count: usize, mut bonded: impl FnMut(usize, usize) -> bool) -> bool {
    let mut reached = vec![0];
    let mut next = 0;
    while let Some(&from) = reached.get(next) {
        next += 1;
        for to in 0..count {
            if !reached.contains(&to) && bonded(from, to) {
                reached.push(to);
            }
        }
    }
    reached.len() == count
}

impl Piece {
    fn height(&self) -> f64 {
        self.ends[1] - self.ends[0]
    }

    /// Volume (m³).
    #[must_use]
    pub fn volume(&self) -> f64 {
        area(&self.corners) * self.height()
    }

    /// Centre of mass (m).
    #[must_use]
    pub fn centre(&self) -> Vec3 {
        let mut sum = [0.0; 2];
        for (p, q) in sides(&self.corners) {
            let twice = p[0] * q[1] - q[0] * p[1];
            sum = [sum[0] + twice * (p[0] + q[0]), sum[1] + twice * (p[1] + q[1])];
        }
        let of = 6.0 * area(&self.corners);
        Vec3::new(sum[0] / of, sum[1] / of, 0.5 * (self.ends[0] + self.ends[1]))
    }

    /// Moments of inertia about the own centre (kg m²).
    #[must_use]
    pub fn inertia(&self) -> Matrix3<f64> {
        let c = self.centre();
        let [mut xx, mut yy, mut xy] = [0.0; 3];
        for (p, q) in sides(&self.corners) {
            let (p, q) = ([p[0] - c.x, p[1] - c.y], [q[0] - c.x, q[1] - c.y]);
            let twice = p[0] * q[1] - q[0] * p[1];
            xx += twice * (p[0] * p[0] + p[0] * q[0] + q[0] * q[0]) / 12.0;
            yy += twice * (p[1] * p[1] + p[1] * q[1] + q[1] * q[1]) / 12.0;
            xy += twice * (p[0] * q[1] + 2.0 * p[0] * p[1] + 2.0 * q[0] * q[1] + q[0] * p[1]) / 24.0;
        }
        let zz = self.height().powi(2) / 12.0;
        let of = self.mass / area(&self.corners);
        let (xx, yy, xy, zz) = (xx * of, yy * of, xy * of, zz * self.mass);
        Matrix3::new(yy + zz, -xy, 0.0, -xy, xx + zz, 0.0, 0.0, 0.0, xx + yy)
    }

    /// The same about its centre: a box where it is one.
    #[must_use]
    pub fn shape(&self, cuts: Cuts) -> Shape {
        let c = self.centre();
        if cuts.straight {
            let far = self.corners.iter().fold(Vec3::zeros(), |m, p| m.sup(&Vec3::new(p[0] - c.x, p[1] - c.y, 0.0)));
            return Shape::Box(Vec3::new(2.0 * far.x, 2.0 * far.y, if cuts.planar { 0.0 } else { self.height() }));
        }
        let ends = if cuts.planar { &[0.0][..] } else { &[-0.5, 0.5][..] };
        let corners =
            ends.iter().flat_map(|end| self.corners.iter().map(move |p| Vec3::new(p[0] - c.x, p[1] - c.y, end * self.height())));
        Shape::Hull(corners.collect())
    }

    /// How much two pieces have in common: the area of their faces; in the plane the length (m², m).
    #[must_use]
    pub fn shares(&self, other: &Self) -> f64 {
        let near = 1e-9;
        let high = self.ends[1].min(other.ends[1]) - self.ends[0].max(other.ends[0]);
        if high > near {
            let along = sides(&self.corners).flat_map(|a| sides(&other.corners).map(move |b| common(a, b, near))).sum::<f64>();
            return along * high;
        }
        if high < -near {
            return 0.0;
        }
        // one above the other
        let rest = sides(&other.corners).fold(self.corners.clone(), |rest, (p, q)| {
            let normal = [q[1] - p[1], p[0] - q[0]];
            part(&rest, normal, normal[0] * p[0] + normal[1] * p[1])
        });
        if rest.len() < 3 { 0.0 } else { area(&rest) }
    }

    fn halves(self, cuts: Cuts, draw: &mut Draw) -> (Self, Self) {
        let reach = |k: usize| {
            let of = |c: &[f64; 2]| c[k];
            let low = self.corners.iter().map(of).fold(f64::INFINITY, f64::min);
            (low, self.corners.iter().map(of).fold(f64::NEG_INFINITY, f64::max) - low)
        };
        let share = draw.between(0.35, 0.65);
        let ((x, wide), (y, deep)) = (reach(0), reach(1));
        if !cuts.planar && self.height() > wide.max(deep) {
            let middle = self.ends[0] + share * self.height();
            let piece = |ends| Self { ends, ..self.clone() };
            return (piece([self.ends[0], middle]), piece([middle, self.ends[1]]));
        }
        let tilt = if cuts.straight { 0.0 } else { draw.between(-0.5, 0.5) };
        let (normal, through) = if wide > deep {
            ([1.0, tilt], x + share * wide + tilt * (y + 0.5 * deep))
        } else {
            ([tilt, 1.0], y + share * deep + tilt * (x + 0.5 * wide))
        };
        let piece = |corners| Self { corners, ..self.clone() };
        (piece(part(&self.corners, normal, through)), piece(part(&self.corners, normal.map(|n| -n), -through)))
    }
}

fn sides(corners: &[[f64; 2]]) -> impl Iterator<Item = ([f64; 2], [f64; 2])> + '_ {
    (0..corners.len()).map(|k| (corners[k], corners[(k + 1) % corners.len()]))
}

fn area(corners: &[[f64; 2]]) -> f64 {
    sides(corners).map(|(p, q)| 0.5 * (p[0] * q[1] - q[0] * p[1])).sum()
}

/// What of a convex polygon has n · x ≤ `through`.
fn part(corners: &[[f64; 2]], n: [f64; 2], through: f64) -> Vec<[f64; 2]> {
    let beyond = |p: [f64; 2]| n[0] * p[0] + n[1] * p[1] - through;
    let mut out = Vec::new();
    for (p, q) in sides(corners) {
        let (a, b) = (beyond(p), beyond(q));
        if a <= 0.0 {
            out.push(p);
        }
        if a * b < 0.0 {
            let t = a / (a - b);
            out.push([p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]);
        }
    }
    out
}

/// Length that two sides which run against each other on one line have in common (m).
fn common(a: ([f64; 2], [f64; 2]), b: ([f64; 2], [f64; 2]), near: f64) -> f64 {
    let d = [a.1[0] - a.0[0], a.1[1] - a.0[1]];
    let length = d[0].hypot(d[1]);
    if length <= near {
        return 0.0;
    }
    let along = |p: [f64; 2]| ((p[0] - a.0[0]) * d[0] + (p[1] - a.0[1]) * d[1]) / length;
    let aside = |p: [f64; 2]| ((p[0] - a.0[0]) * d[1] - (p[1] - a.0[1]) * d[0]).abs() / length;
    if aside(b.0) > near || aside(b.1) > near {
        return 0.0;
    }
    (along(b.0).min(length) - along(b.1).max(0.0)).max(0.0)
}
