//! A box cut into convex cells, each the points nearest to one of a number of random places: blocks that fill it without a void.
//! Cells are cut from the box by the planes half way to the neighbours, the near ones first, until none can cut more.

use mpcd_core::{
    Dimension, Quantity, Vec3,
    quantity::{Length, NonNegative, Positive, Vector},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    Block, PackingError, Random, Room,
    limit::{Kind, ROUNDS, allow},
};

/// Convex cells that fill a box, of sizes that are the more alike the more often they are relaxed.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VoronoiParams {
    /// Lower corner of the box.
    pub from: Vector<Length>,
    /// Upper corner of the box.
    pub to: Vector<Length>,
    /// Number of cells.
    pub count: usize,
    /// Seed of the random places; default 1.
    pub seed: Option<u64>,
    /// How often every place moves to the middle of its cell (Lloyd 1982, doi:10.1109/TIT.1982.1056489); default 5.
    pub relax: Option<u32>,
    /// Width of the joints between cells; default 0. The cells at a wall touch it.
    pub gap: Option<Quantity<Length, NonNegative>>,
    /// Thickness along z in a planar model; default 1 m.
    pub thickness: Option<Quantity<Length, Positive>>,
}

/// The cells, in the order of their random places.
///
/// # Errors
/// Corners out of order, no cell, or joints wider than a cell.
pub fn voronoi(params: &VoronoiParams, dimension: Dimension) -> Result<Vec<Block>, PackingError> {
    let mut room = Room::new(params.from.si(), params.to.si(), dimension, [None; 3])?;
    if params.count == 0 {
        return Err(PackingError::Structure { what: "the count of cells", value: 0.0, expected: "1 or more" });
    }
    allow(params.count as f64, Kind::Cut)?;
    let rounds = params.relax.unwrap_or(5);
    if rounds > ROUNDS {
        return Err(PackingError::Structure { what: "`relax`", value: f64::from(rounds), expected: "1000 rounds at most" });
    }
    let mut random = Random::new(params.seed.unwrap_or(1));
    let mut places: Vec<Vec3> = (0..params.count).map(|_| room.point(0.0, &mut random)).collect();
    if dimension == Dimension::Planar {
        // A thin plate: its cells have the cells of the plane as their faces.
        let half = 1e-2 * (room.measure() / places.len() as f64).sqrt();
        (room.from.z, room.to.z) = (-half, half);
    }
    for _ in 0..rounds {
        let bins = Bins::new(&room, &places);
        places = (0..places.len()).map(|i| bins.cell(&places, i, 0.0).middle()).collect();
        if dimension == Dimension::Planar {
            places.iter_mut().for_each(|p| p.z = 0.0);
        }
    }
    let gap = params.gap.map_or(0.0, |g| g.si());
    let bins = Bins::new(&room, &places);
    let thickness = params.thickness.map_or(1.0, |t| t.si());
    (0..places.len())
        .map(|i| {
            let cell = bins.cell(&places, i, 0.5 * gap);
            let vertices = if dimension == Dimension::Planar { cell.top() } else { cell.corners() };
            if vertices.len() <= dimension_of(dimension) {
                return Err(PackingError::Structure {
                    what: "the gap between cells (m)",
                    value: gap,
                    expected: "less than the width of the smallest cell",
                });
            }
            Ok(Block::Hull { vertices, thickness })
        })
        .collect()
}

const fn dimension_of(dimension: Dimension) -> usize {
    match dimension {
        Dimension::Planar => 2,
        Dimension::Spatial => 3,
    }
}

/// Cubes for each place at most.
const MOST_CUBES: f64 = 64.0;

/// The places sorted into cubes of about one place each.
struct Bins {
    room: Room,
    edge: f64,
    counts: [usize; 3],
    /// Places of each cube.
    places: Vec<Vec<usize>>,
}

impl Bins {
    fn new(room: &Room, places: &[Vec3]) -> Self {
        let axes = room.axes();
        let mut edge = (room.measure() / places.len() as f64).powf(1.0 / axes.len() as f64);
        let count = |k: usize, edge: f64| ((room.to[k] - room.from[k]) / edge).ceil().max(1.0);
        // A long thin box has cubes larger than a cell rather than many empty ones.
        while axes.clone().map(|k| count(k, edge)).product::<f64>() > MOST_CUBES * places.len() as f64 {
            edge *= 2.0;
        }
        let mut counts = [1; 3];
        for k in axes {
            counts[k] = count(k, edge) as usize;
        }
        let mut bins = Self { room: *room, edge, counts, places: vec![Vec::new(); counts.iter().product()] };
        for (i, p) in places.iter().enumerate() {
            let at = bins.number(bins.bin(p));
            bins.places[at].push(i);
        }
        bins
    }

    fn bin(&self, p: &Vec3) -> [usize; 3] {
        std::array::from_fn(|k| (((p[k] - self.room.from[k]) / self.edge) as usize).min(self.counts[k] - 1))
    }

    const fn number(&self, [i, j, k]: [usize; 3]) -> usize {
        (k * self.counts[1] + j) * self.counts[0] + i
    }

    /// The cell of a place, moved in by `inset` from its neighbours.
    fn cell(&self, places: &[Vec3], i: usize, inset: f64) -> Cell {
        let own = places[i];
        let home = self.bin(&own);
        let mut cell = Cell::of(&self.room);
        let mut later: Vec<(f64, usize)> = Vec::new();
        let farthest = self.counts.into_iter().max().unwrap_or(1);
        for shell in 0..=farthest {
            self.shell(home, shell, |j| {
                if j != i {
                    later.push(((places[j] - own).norm(), j));
                }
            });
            later.sort_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
            // All places nearer than this are known: what is beyond the shell is at least as far.
            let known = if shell == farthest { f64::INFINITY } else { self.edge * shell as f64 };
            while let Some((distance, j)) = later.pop_if(|(d, _)| *d <= known) {
                if 0.5 * distance - inset > cell.reach(&own) {
                    return cell;
                }
                if distance > 0.0 {
                    let n = (places[j] - own) / distance;
                    cell.cut(&n, n.dot(&own) + 0.5 * distance - inset);
                }
            }
        }
        cell
    }

    /// Visits the places in the cubes around one, this many cubes away.
    fn shell(&self, home: [usize; 3], shell: usize, mut visit: impl FnMut(usize)) {
        let range = |k: usize| home[k].saturating_sub(shell)..=(home[k] + shell).min(self.counts[k] - 1);
        for z in range(2) {
            for y in range(1) {
                for x in range(0) {
                    let away = [x, y, z].iter().zip(home).map(|(a, b)| a.abs_diff(b)).max().unwrap_or(0);
                    if away == shell {
                        self.places[self.number([x, y, z])].iter().for_each(|&j| visit(j));
                    }
                }
            }
        }
    }
}

/// A convex polyhedron: its faces, each counter-clockwise as seen from outside. The second one looks along z at first.
struct Cell {
    faces: Vec<Vec<Vec3>>,
}

impl Cell {
    fn of(room: &Room) -> Self {
        let corner = |bits: usize| Vec3::from_fn(|k, _| if bits >> k & 1 == 1 { room.to[k] } else { room.from[k] });
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3]];
        Self { faces: faces.iter().map(|f| f.iter().map(|&c| corner(c)).collect()).collect() }
    }

    fn reach(&self, from: &Vec3) -> f64 {
        self.faces.iter().flatten().map(|v| (v - from).norm()).fold(0.0, f64::max)
    }

    /// Takes away what is above n·x = offset.
    fn cut(&mut self, n: &Vec3, offset: f64) {
        let height = |v: &Vec3| n.dot(v) - offset;
        if self.faces.iter().flatten().all(|v| height(v) <= 0.0) {
            return;
        }
        let mut rim: Vec<Vec3> = Vec::new();
        for face in &mut self.faces {
            let mut kept = Vec::with_capacity(face.len() + 1);
            for (k, v) in face.iter().enumerate() {
                let next = &face[(k + 1) % face.len()];
                let (h, h_next) = (height(v), height(next));
                if h <= 0.0 {
                    kept.push(*v);
                }
                if (h <= 0.0) != (h_next <= 0.0) {
                    // From the lower end: the two faces of the edge then find the same bits.
                    let (low, high, a, b) = if h <= 0.0 { (v, next, h, h_next) } else { (next, v, h_next, h) };
                    let point = low + (high - low) * (a / (a - b));
                    kept.push(point);
                    rim.push(point);
                }
            }
            *face = kept;
        }
        // The face between the second and its neighbours may go: it keeps its place, empty.
        self.faces.push(around(rim, n));
    }

    /// All corners, each once.
    fn corners(&self) -> Vec<Vec3> {
        distinct(self.faces.iter().flatten())
    }

    /// The corners of the face that looks along z, at z = 0, in order.
    fn top(&self) -> Vec<Vec3> {
        distinct(self.faces[1].iter()).into_iter().map(|v| Vec3::new(v.x, v.y, 0.0)).collect()
    }

    /// Its centre of mass, from tetrahedra about a corner.
    fn middle(&self) -> Vec3 {
        let from = self.faces.iter().flatten().next().copied().unwrap_or_else(Vec3::zeros);
        let (mut volume, mut first) = (0.0, Vec3::zeros());
        for face in self.faces.iter().filter(|f| f.len() > 2) {
            for k in 2..face.len() {
                let [a, b, c] = [face[0], face[k - 1], face[k]].map(|v| v - from);
                let v = a.dot(&b.cross(&c));
                volume += v;
                first += v * (a + b + c) / 4.0;
            }
        }
        from + first / volume
    }
}

/// The points once each, in the order of their first appearance.
fn distinct<'a>(points: impl Iterator<Item = &'a Vec3>) -> Vec<Vec3> {
    let mut out: Vec<Vec3> = Vec::new();
    for p in points {
        if !out.contains(p) {
            out.push(*p);
        }
    }
    out
}

/// The points of a plane, once each, counter-clockwise about its normal.
fn around(points: Vec<Vec3>, n: &Vec3) -> Vec<Vec3> {
    let mut points = distinct(points.iter());
    let middle = points.iter().sum::<Vec3>() / points.len().max(1) as f64;
    let frame = mpcd_core::Frame::spatial(*n);
    let angle = |p: &Vec3| {
        let d = p - middle;
        d.dot(&frame.s()).atan2(d.dot(&frame.t))
    };
    points.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    points
}
