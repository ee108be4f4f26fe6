//! The list of near pairs and how long it holds: every pair whose separation was at most the alert distance plus a skin when
//! the list was made. It still holds every pair within the alert distance as long as no two surfaces can have come nearer
//! than the skin (Verlet 1967, doi:10.1103/PhysRev.159.98).

use mpcd_core::{BodyId, Quat, Vec3};
use rayon::prelude::*;

use super::{cells::Cells, level::Sphere};
use crate::{
    error::GeometryError,
    narrow::{Pair, Scene},
};

/// Whether two bodies interact at all.
pub(super) type Wanted = dyn Fn(BodyId, BodyId) -> bool + Send + Sync;

/// Bodies per parallel piece.
const PIECE: usize = 1024;
/// Skin of the first list over the typical radius, and the least and largest one.
const SKIN: [f64; 3] = [0.2, 0.02, 0.5];
/// How many calls a list should live.
const LIFE: f64 = 10.0;

/// Where a body was when the list was made, and how far its surface reaches.
#[derive(Debug, Clone, Copy)]
struct Posed {
    x: Vec3,
    q: Quat,
    size: f64,
    /// Largest distance of a surface point that matters from the centre: at reference size for a finite body (m); for a plane
    /// at the distance of the farthest body.
    reach: f64,
    /// Whether turning about the centre moves the surface.
    turns: bool,
}

/// A plane, ready to be asked for its distance.
struct Wall {
    body: BodyId,
    x: Vec3,
    n: Vec3,
}

/// Pairs on the list at most: so many, or so many for each body. A dense packing has 6 to 20 for each; where there are hundreds, a body goes a
/// good part of the scene's size in a step, and kilobytes are needed for each pair.
const MOST_PAIRS: usize = 200_000;
const MOST_FOR_A_BODY: usize = 200;

/// The near pairs and the buffers they are made with.
#[derive(Default)]
pub(super) struct NearPairs {
    /// Sorted pairs.
    pairs: Vec<Pair>,
    /// Pairs up to this separation are listed (m); `None` when there is no list.
    covered: Option<f64>,
    /// Farthest motion of a surface since the list was made (m), and in how many calls.
    moved: f64,
    calls: f64,
    posed: Vec<Posed>,
    spheres: Vec<Sphere>,
    walls: Vec<Wall>,
    cells: Cells,
    pieces: Vec<Vec<Pair>>,
    starts: Vec<usize>,
    /// How many lists were made.
    #[cfg(test)]
    pub(super) made: usize,
}

impl NearPairs {
    pub(super) fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    pub(super) fn forget(&mut self) {
        self.covered = None;
    }

    /// Whether every pair with separation ≤ `alert` is on the list.
    pub(super) fn covers(&mut self, scene: &Scene<'_>, alert: f64) -> bool {
        let Some(covered) = self.covered else { return false };
        let farthest_of = |(p, piece): (usize, &[Posed])| {
            piece.iter().zip(p * PIECE..).map(|(posed, i)| posed.moved(scene, i)).fold(0.0, f64::max)
        };
        self.moved = self.posed.par_chunks(PIECE).enumerate().map(farthest_of).reduce(|| 0.0, f64::max);
        self.calls += 1.0;
        // Two surfaces that each moved by at most half the room have come nearer by at most the room. The part in a thousand
        // left out is far above the rounding of the distances.
        let room = 0.999 * 0.5 * (covered - alert);
        room >= 0.0 && self.moved <= room
    }

    /// The skin for the next list (m): so thick that at the speed of late it lives for some calls, but not so thick that pairs
    /// multiply; as thin as can be where every call needs a new list anyway. A matter of cost alone: no result depends on it.
    fn skin(&self) -> f64 {
        // The harmonic mean is that of the small bodies, which have the most neighbours within a given skin.
        let sum: f64 = self.spheres.iter().map(|s| 1.0 / s.r).sum();
        let typical = if sum > 0.0 { self.spheres.len() as f64 / sum } else { 0.0 };
        let [first, least, largest] = SKIN.map(|part| part * typical);
        let per_call = 2.0 * self.moved / self.calls;
        match per_call {
            speed if speed > 0.5 * largest => least,
            speed if speed > 0.0 => (LIFE * speed).clamp(least, largest),
            _ => first,
        }
    }

    /// Makes the list anew.
    ///
    /// # Errors
    /// More pairs than can be looked at. There is no list then.
    pub(super) fn rebuild(&mut self, scene: &Scene<'_>, alert: f64, wanted: &Wanted) -> Result<(), GeometryError> {
        self.survey(scene);
        let covered = alert + self.skin();
        let bodies = self.spheres.len();
        let most = MOST_PAIRS.max(MOST_FOR_A_BODY * bodies);
        let too_many = |pairs: f64| GeometryError::TooManyPairs { pairs, bodies, alert };
        // What no memory holds is to be known before it is made.
        let expected = self.expected(alert);
        if expected > most as f64 {
            self.forget();
            return Err(too_many(expected));
        }
        (self.moved, self.calls) = (0.0, 0.0);
        self.pose(scene);
        let finite = self.spheres.len();
        self.cells.sort(&mut self.spheres, scene.dimension, covered, &scene.periods);
        let pieces = self.cells.pieces() + finite.div_ceil(PIECE);
        if self.pieces.len() < pieces {
            self.pieces.resize_with(pieces, Vec::new);
        }
        let (cells, spheres, walls) = (&self.cells, &self.spheres, &self.walls);
        let (by_cell, by_wall) = self.pieces[..pieces].split_at_mut(cells.pieces());
        let near = |a: &Sphere, b: &Sphere| {
            // A body and its own image are no pair.
            let pair = Pair::ranked((a.rank, a.body), (b.rank, b.body)).filter(|_| a.body != b.body && wanted(a.body, b.body))?;
            (a.round && b.round || scene.separation(pair, covered) <= covered).then_some(pair)
        };
        by_cell.par_iter_mut().enumerate().for_each(|(p, found)| {
            found.clear();
            cells.visit(p, |a, b| found.extend(near(a, b)));
        });
        by_wall.par_iter_mut().zip(spheres[..finite].par_chunks(PIECE)).for_each(|(found, spheres)| {
            found.clear();
            for (sphere, wall) in spheres.iter().flat_map(|s| walls.iter().map(move |w| (s, w))) {
                if wall.n.dot(&(sphere.x - wall.x)) - sphere.r <= covered {
                    let pair = Pair { candidate: sphere.body, antagonist: wall.body };
                    let holds = wanted(sphere.body, wall.body) && scene.separation(pair, covered) <= covered;
                    found.extend(holds.then_some(pair));
                }
            }
        });
        self.gather(scene, pieces);
        let pairs = self.pairs.len();
        if pairs > most {
            self.forget();
            return Err(too_many(pairs as f64));
        }
        self.covered = Some(covered);
        #[cfg(test)]
        {
            self.made += 1;
        }
        Ok(())
    }

    /// Pairs nearer than `alert` (m) that points spread evenly over the box of the bodies would make.
    fn expected(&self, alert: f64) -> f64 {
        let count = self.spheres.len() as f64;
        let share = |axis: usize| {
            let ends = self.spheres.iter().map(|s| s.x[axis]);
            let [low, high] = ends.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)]);
            if high > low { (2.0 * alert / (high - low)).clamp(0.0, 1.0) } else { 1.0 }
        };
        0.5 * count * count * share(0) * share(1) * share(2)
    }

    /// Bounding spheres of the finite bodies, normals of the planes.
    fn survey(&mut self, scene: &Scene<'_>) {
        self.spheres.clear();
        self.walls.clear();
        for (i, ball) in scene.balls.iter().enumerate() {
            let body = BodyId::from_index(i);
            match scene.bounding_radius(body) {
                Some(r) => self.spheres.push(Sphere {
                    x: ball.x,
                    r,
                    body,
                    rank: Pair::rank(&scene.shapes[i]),
                    round: scene.is_round(body),
                    image: false,
                }),
                None => self.walls.push(Wall { body, x: ball.x, n: scene.outward(body) }),
            }
        }
    }

    /// Remembers where everybody is.
    fn pose(&mut self, scene: &Scene<'_>) {
        let spheres = &self.spheres;
        self.posed.clear();
        self.posed.extend(scene.balls.iter().enumerate().map(|(i, ball)| {
            let body = BodyId::from_index(i);
            let k = scene.kinematics;
            let reach = scene.shapes[i]
                .bounding_radius(scene.dimension)
                .unwrap_or_else(|| spheres.iter().map(|s| (s.x - ball.x).norm() + s.r).fold(0.0, f64::max));
            Posed { x: ball.x, q: k.orientation[i], size: k.size[i], reach, turns: !scene.is_round(body) }
        }));
    }

    /// Sorts the pairs of the pieces into the list: by candidate with a counting sort, by antagonist within each candidate.
    fn gather(&mut self, scene: &Scene<'_>, pieces: usize) {
        let Self { pairs, pieces: found, starts, .. } = self;
        let found = &found[..pieces];
        starts.clear();
        starts.resize(scene.balls.len() + 1, 0);
        for pair in found.iter().flatten() {
            starts[pair.candidate.index() + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let blank = Pair { candidate: BodyId(0), antagonist: BodyId(0) };
        pairs.clear();
        pairs.resize(starts.last().copied().unwrap_or(0), blank);
        for &pair in found.iter().flatten() {
            let place = &mut starts[pair.candidate.index()];
            pairs[*place] = pair;
            *place += 1;
        }
        // Each start has moved to the end of its run.
        let mut from = 0;
        for &to in starts.iter() {
            pairs[from..to].sort_unstable_by_key(|pair| pair.antagonist);
            from = to;
        }
        if scene.periodic {
            // Near two faces of the cell a pair may have been met in more than one image.
            pairs.dedup();
        }
    }
}

impl Posed {
    /// The farthest that a surface point can have moved since (m).
    fn moved(&self, scene: &Scene<'_>, i: usize) -> f64 {
        let k = scene.kinematics;
        let mut moved = (scene.balls[i].x - self.x).norm();
        if !scene.is_plane(BodyId::from_index(i)) {
            moved += (k.size[i] - self.size).abs() * self.reach;
        }
        if self.turns {
            // |q − q₀| = 2 sin(θ/4) for the nearer of ±q, and the chord of the turn is at most twice that per unit radius.
            let (a, b) = (self.q.coords, k.orientation[i].coords);
            let quarter = (a - b).norm().min((a + b).norm());
            let scale = if scene.is_plane(BodyId::from_index(i)) { 1.0 } else { self.size.max(k.size[i]) };
            moved += 2.0 * quarter * self.reach * scale;
        }
        if moved.is_nan() { f64::INFINITY } else { moved }
    }
}
