//! The broad phase: pairs of finite bodies whose bounding spheres are near, in time proportional to their number.
//!
//! Bodies of like size (within a factor of two) share a level; each level is a grid of cells just as wide as its largest body
//! needs. Nothing is hashed: the bodies of a level are sorted by cell, rows along x are runs of the sorted list, and a sweep
//! through the list walks one pointer along each neighbouring row. A body also looks up the few cells that it reaches in
//! every coarser level. So a size ratio of 100 costs a few look-ups per body, and a wall is just a body of the coarsest level.

use mpcd_core::{BodyId, Dimension, Vec3};
use rayon::prelude::*;

/// Bodies per piece of work.
const PIECE: usize = 512;
/// Levels at most; all bodies more than 2³¹ times the smallest share the last.
const LEVELS: usize = 32;
/// Cells along an axis: what lies farther shares the outermost cell. Cell 0 and the last stay empty so that ±1 is no carry.
const AXIS_BITS: u32 = 21;
const LAST_CELL: u64 = (1 << AXIS_BITS) - 2;
/// Room for rounding in the positions of cells and in squared distances.
const ROUNDING: f64 = 1e-8;

/// The bounding sphere of a finite body.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sphere {
    pub(super) x: Vec3,
    pub(super) r: f64,
    pub(super) body: BodyId,
}

/// Bodies of like size, sorted by cell.
#[derive(Debug, Default)]
struct Level {
    /// Cell and place among all spheres: what is sorted.
    order: Vec<(u64, u32)>,
    /// Cell of each body, rising.
    cells: Vec<u64>,
    /// The bodies in the same order.
    spheres: Vec<Sphere>,
    /// Largest bounding radius (m).
    largest: f64,
    /// Cells per metre.
    per_metre: f64,
}

/// The sorted levels.
#[derive(Debug, Default)]
pub(super) struct Cells {
    levels: Vec<Level>,
    /// Pieces of work: level and first entry.
    pieces: Vec<(usize, usize)>,
    lower: Vec3,
    /// Pairs up to this distance of their spheres are wanted (m).
    range: f64,
    dimension: Dimension,
}

/// The rows of a coarser level that a body reaches: first place and last cell; kept from body to body, as neighbours reach
/// the same.
///
/// What a body reaches is no wider than two cells of the coarser level, so with all rounding there are at most 4 × 4 rows.
#[derive(Default)]
struct Rows {
    corners: Option<([u64; 3], [u64; 3])>,
    runs: [(usize, u64); 16],
    count: usize,
}

impl Rows {
    /// Looks up the rows between two corners, unless they are the ones of the body before.
    fn look_up(&mut self, coarse: &Level, from: [u64; 3], to: [u64; 3]) -> &[(usize, u64)] {
        if self.corners != Some((from, to)) {
            self.corners = Some((from, to));
            self.count = 0;
            let cells = (from[2]..=to[2]).flat_map(|z| (from[1]..=to[1]).map(move |y| (y, z)));
            for ((y, z), run) in cells.zip(&mut self.runs) {
                *run = (coarse.first_from(pack([from[0], y, z])), pack([to[0], y, z]));
                self.count += 1;
            }
        }
        &self.runs[..self.count]
    }
}

const fn pack(cell: [u64; 3]) -> u64 {
    cell[2] << (2 * AXIS_BITS) | cell[1] << AXIS_BITS | cell[0]
}

impl Level {
    /// Chooses the width of the cells and sorts the bodies of `order` by cell.
    fn sort(&mut self, spheres: &[Sphere], lower: &Vec3, range: f64) {
        let width = (2.0 * self.largest + range).max(self.largest) * (1.0 + ROUNDING);
        self.per_metre = if width > 0.0 { 1.0 / width } else { 0.0 };
        let mut order = std::mem::take(&mut self.order);
        for (cell, place) in &mut order {
            *cell = pack(self.cell(&spheres[*place as usize].x, lower));
        }
        order.par_sort_unstable();
        self.cells.clear();
        self.cells.extend(order.iter().map(|(cell, _)| *cell));
        self.spheres.clear();
        self.spheres.extend(order.iter().map(|(_, place)| spheres[*place as usize]));
        self.order = order;
    }

    /// The cell of a point, never on the rim of the numbering. Monotone along each axis, so near points have near cells.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast saturates, the clamp does the rest")]
    fn cell(&self, x: &Vec3, lower: &Vec3) -> [u64; 3] {
        [0, 1, 2].map(|k| (((x[k] - lower[k]) * self.per_metre) as u64).saturating_add(1).min(LAST_CELL))
    }

    /// The first place whose cell is not before `cell`.
    fn first_from(&self, cell: u64) -> usize {
        self.cells.partition_point(|c| *c < cell)
    }

    /// The bodies from a place on, up to the last one of `last_cell`.
    fn run(&self, start: usize, last_cell: u64) -> impl Iterator<Item = &Sphere> {
        self.cells[start..].iter().zip(&self.spheres[start..]).take_while(move |(c, _)| **c <= last_cell).map(|(_, s)| s)
    }
}

impl Cells {
    /// Sorts the bodies for pairs with a distance of their spheres ≤ `range`.
    pub(super) fn sort(&mut self, spheres: &[Sphere], dimension: Dimension, range: f64) {
        self.range = range;
        self.dimension = dimension;
        self.levels.resize_with(LEVELS, Level::default);
        for level in &mut self.levels {
            level.order.clear();
            level.largest = 0.0;
        }
        let smallest = spheres.iter().map(|s| s.r).fold(f64::INFINITY, f64::min);
        self.lower = spheres.iter().fold(Vec3::repeat(f64::INFINITY), |lower, s| lower.inf(&s.x));
        for (sphere, place) in spheres.iter().zip(0..) {
            let level = &mut self.levels[level_of(sphere.r / smallest)];
            level.largest = level.largest.max(sphere.r);
            level.order.push((0, place));
        }
        self.pieces.clear();
        for (l, level) in self.levels.iter_mut().enumerate() {
            level.sort(spheres, &self.lower, range);
            self.pieces.extend((0..level.order.len()).step_by(PIECE).map(|first| (l, first)));
        }
    }

    /// Number of pieces of work.
    pub(super) fn pieces(&self) -> usize {
        self.pieces.len()
    }

    /// Hands the near pairs of piece `p` to `found`: over all pieces every near pair exactly once.
    pub(super) fn visit(&self, p: usize, mut found: impl FnMut(BodyId, BodyId)) {
        let (l, first) = self.pieces[p];
        let last = (first + PIECE).min(self.levels[l].spheres.len());
        self.visit_level(l, first..last, &mut found);
        for coarse in self.levels[l + 1..].iter().filter(|level| !level.spheres.is_empty()) {
            self.visit_coarser(&self.levels[l].spheres[first..last], coarse, &mut found);
        }
    }

    /// Pairs within a level: each body with those behind it in its own cell, in the next cell of its row, and in the rows of
    /// larger y or z beside it.
    fn visit_level(&self, l: usize, range: std::ops::Range<usize>, found: &mut impl FnMut(BodyId, BodyId)) {
        let level = &self.levels[l];
        const Y: u64 = 1 << AXIS_BITS;
        const Z: u64 = 1 << (2 * AXIS_BITS);
        // From a cell to the middle cell of each row beside it.
        let rows: &[u64] = if self.dimension == Dimension::Planar { &[Y] } else { &[Y, Z - Y, Z, Z + Y] };
        let mut starts = [0; 4];
        if let Some(cell) = level.cells.get(range.start) {
            for (start, row) in starts.iter_mut().zip(rows) {
                *start = level.first_from(cell + row - 1);
            }
        }
        for i in range {
            let (cell, sphere) = (level.cells[i], &level.spheres[i]);
            for other in level.run(i + 1, cell + 1) {
                self.offer(sphere, other, found);
            }
            for (start, row) in starts.iter_mut().zip(rows) {
                let middle = cell + row;
                while level.cells.get(*start).is_some_and(|c| *c < middle - 1) {
                    *start += 1;
                }
                for other in level.run(*start, middle + 1) {
                    self.offer(sphere, other, found);
                }
            }
        }
    }

    /// Pairs of bodies of one level with those of a coarser one.
    fn visit_coarser(&self, fine: &[Sphere], coarse: &Level, found: &mut impl FnMut(BodyId, BodyId)) {
        let mut rows = Rows::default();
        for sphere in fine {
            let reach = Vec3::repeat((sphere.r + coarse.largest + self.range).max(0.0) * (1.0 + ROUNDING));
            let from = coarse.cell(&(sphere.x - reach), &self.lower);
            let to = coarse.cell(&(sphere.x + reach), &self.lower);
            let runs = rows.look_up(coarse, from, to).iter();
            for other in runs.flat_map(|&(start, last_cell)| coarse.run(start, last_cell)) {
                self.offer(sphere, other, found);
            }
        }
    }

    #[inline]
    fn offer(&self, a: &Sphere, b: &Sphere, found: &mut impl FnMut(BodyId, BodyId)) {
        let reach = (a.r + b.r + self.range).max(0.0) * (1.0 + ROUNDING);
        if (a.x - b.x).norm_squared() <= reach * reach {
            found(a.body, b.body);
        }
    }
}

/// The level of a body `ratio` times as large as the smallest.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 ≤ log₂ of a ratio ≥ 1 < 2²⁰")]
fn level_of(ratio: f64) -> usize {
    (ratio.log2() as usize).min(LEVELS - 1)
}
