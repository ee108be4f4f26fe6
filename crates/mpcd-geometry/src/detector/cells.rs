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

/// A body of a level with its cell.
#[derive(Debug, Clone, Copy)]
struct Entry {
    cell: u64,
    sphere: Sphere,
}

/// Bodies of like size, sorted by cell.
#[derive(Debug, Default)]
struct Level {
    entries: Vec<Entry>,
    /// Largest bounding radius [m].
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
    /// Pairs up to this distance of their spheres are wanted [m].
    range: f64,
    dimension: Dimension,
}

/// The rows of a coarser level that a body reaches; kept from body to body, as neighbours reach the same.
///
/// What a body reaches is no wider than two cells of the coarser level, so with all rounding there are at most 4 × 4 rows.
#[derive(Default)]
struct Rows {
    corners: Option<([u64; 3], [u64; 3])>,
    runs: [(usize, usize); 16],
    count: usize,
}

impl Rows {
    /// Looks up the rows between two corners, unless they are the ones of the body before.
    fn look_up(&mut self, coarse: &Level, from: [u64; 3], to: [u64; 3]) -> &[(usize, usize)] {
        if self.corners != Some((from, to)) {
            self.corners = Some((from, to));
            self.count = 0;
            let cells = (from[2]..=to[2]).flat_map(|z| (from[1]..=to[1]).map(move |y| (y, z)));
            for ((y, z), run) in cells.zip(&mut self.runs) {
                *run = (coarse.first_from(pack([from[0], y, z])), coarse.first_from(pack([to[0], y, z]) + 1));
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
    /// The cell of a point, never on the rim of the numbering. Monotone along each axis, so near points have near cells.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast saturates, the clamp does the rest")]
    fn cell(&self, x: &Vec3, lower: &Vec3) -> [u64; 3] {
        [0, 1, 2].map(|k| (((x[k] - lower[k]) * self.per_metre) as u64).saturating_add(1).min(LAST_CELL))
    }

    /// The first entry whose cell is not before `cell`.
    fn first_from(&self, cell: u64) -> usize {
        self.entries.partition_point(|e| e.cell < cell)
    }
}

impl Cells {
    /// Sorts the bodies for pairs with a distance of their spheres ≤ `range`.
    pub(super) fn sort(&mut self, spheres: &[Sphere], dimension: Dimension, range: f64) {
        self.range = range;
        self.dimension = dimension;
        self.levels.resize_with(LEVELS, Level::default);
        for level in &mut self.levels {
            level.entries.clear();
            level.largest = 0.0;
        }
        let smallest = spheres.iter().map(|s| s.r).fold(f64::INFINITY, f64::min);
        self.lower = spheres.iter().fold(Vec3::repeat(f64::INFINITY), |lower, s| lower.inf(&s.x));
        for &sphere in spheres {
            let level = &mut self.levels[level_of(sphere.r / smallest)];
            level.largest = level.largest.max(sphere.r);
            level.entries.push(Entry { cell: 0, sphere });
        }
        self.pieces.clear();
        for (l, level) in self.levels.iter_mut().enumerate() {
            let width = (2.0 * level.largest + range).max(level.largest) * (1.0 + ROUNDING);
            level.per_metre = if width > 0.0 { 1.0 / width } else { 0.0 };
            let mut entries = std::mem::take(&mut level.entries);
            for entry in &mut entries {
                entry.cell = pack(level.cell(&entry.sphere.x, &self.lower));
            }
            entries.par_sort_unstable_by_key(|e| (e.cell, e.sphere.body));
            level.entries = entries;
            self.pieces.extend((0..level.entries.len()).step_by(PIECE).map(|first| (l, first)));
        }
    }

    /// Number of pieces of work.
    pub(super) fn pieces(&self) -> usize {
        self.pieces.len()
    }

    /// Hands the near pairs of piece `p` to `found`: over all pieces every near pair exactly once.
    pub(super) fn visit(&self, p: usize, mut found: impl FnMut(BodyId, BodyId)) {
        let (l, first) = self.pieces[p];
        let last = (first + PIECE).min(self.levels[l].entries.len());
        self.visit_level(l, first..last, &mut found);
        for coarse in self.levels[l + 1..].iter().filter(|level| !level.entries.is_empty()) {
            self.visit_coarser(&self.levels[l].entries[first..last], coarse, &mut found);
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
        if let Some(entry) = level.entries.get(range.start) {
            for (start, row) in starts.iter_mut().zip(rows) {
                *start = level.first_from(entry.cell + row - 1);
            }
        }
        for i in range {
            let entry = &level.entries[i];
            for other in level.entries[i + 1..].iter().take_while(|e| e.cell <= entry.cell + 1) {
                self.offer(&entry.sphere, &other.sphere, found);
            }
            for (start, row) in starts.iter_mut().zip(rows) {
                let middle = entry.cell + row;
                while level.entries.get(*start).is_some_and(|e| e.cell < middle - 1) {
                    *start += 1;
                }
                for other in level.entries[*start..].iter().take_while(|e| e.cell <= middle + 1) {
                    self.offer(&entry.sphere, &other.sphere, found);
                }
            }
        }
    }

    /// Pairs of bodies of one level with those of a coarser one.
    fn visit_coarser(&self, fine: &[Entry], coarse: &Level, found: &mut impl FnMut(BodyId, BodyId)) {
        let mut rows = Rows::default();
        for entry in fine {
            let reach = Vec3::repeat((entry.sphere.r + coarse.largest + self.range).max(0.0) * (1.0 + ROUNDING));
            let from = coarse.cell(&(entry.sphere.x - reach), &self.lower);
            let to = coarse.cell(&(entry.sphere.x + reach), &self.lower);
            let runs = rows.look_up(coarse, from, to).iter();
            for other in runs.flat_map(|&(start, end)| &coarse.entries[start..end]) {
                self.offer(&entry.sphere, &other.sphere, found);
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
