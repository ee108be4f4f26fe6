//! Bodies of like size in a grid: how wide its cells are, their order, and where the bodies of a cell are. No pairs.
//!
//! Cells are numbered along rows of x, then y, then z, and the bodies sorted by cell, so that a row of cells is one run of
//! bodies. Where the cells are few enough for a table of all of them, sorting is counting and a look-up is a load; cells of
//! few bodies in a wide space are made wider until they are. Where that would crowd bodies into some of the cells (clusters
//! far apart, a stray far away) there is no table: the bodies are sorted by comparing, and look-ups search.

use std::ops::Range;

use mpcd_core::{BodyId, Dimension, Vec3};
use rayon::prelude::*;

/// Room for rounding in the positions of cells and in squared distances.
pub(super) const ROUNDING: f64 = 1e-8;
/// Cells along an axis where there is no table: what lies farther shares the outermost cell.
const AXIS_BITS: u32 = 21;
const LAST_CELL: u32 = (1 << AXIS_BITS) - 2;
/// Cells of a table: so many, and so many per body.
const TABLE: [usize; 2] = [256, 8];
/// Bodies per cell that wider cells aim at.
const OCCUPANCY: f64 = 0.5;
/// What looking up a row costs over looking at a body.
const ROW: f64 = 3.0;
/// So many bodies in the cell of a body on average are too many, where narrower cells might have fewer.
const CROWD: usize = 6;

/// The bounding sphere of a finite body, or of an image of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sphere {
    pub(super) x: Vec3,
    pub(super) r: f64,
    pub(super) body: BodyId,
    /// See [`crate::narrow::Pair::ranked`].
    pub(super) rank: u8,
    /// Whether the body is a ball or disc, so that the sphere says all.
    pub(super) round: bool,
    pub(super) image: bool,
}

/// Where cells are. Cell 0 and the last of an axis stay empty so that ±1 is never a carry.
#[derive(Debug, Default)]
struct Grid {
    lower: Vec3,
    /// Cells per metre.
    per_metre: f64,
    /// The last cell of each axis that may hold bodies.
    last: [u32; 3],
    /// From a cell to the next along y, along z.
    strides: [u64; 2],
}

impl Grid {
    /// The cell of a point by axis. Monotone along each axis, so near points have near cells.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast saturates, the clamp does the rest")]
    #[inline]
    fn cell(&self, x: &Vec3) -> [u64; 3] {
        let along = |k: usize| u64::from((((x[k] - self.lower[k]) * self.per_metre) as u32).min(self.last[k] - 1) + 1);
        [along(0), along(1), along(2)]
    }

    #[inline]
    fn number(&self, [x, y, z]: [u64; 3]) -> u64 {
        z * self.strides[1] + y * self.strides[0] + x
    }
}

/// Bodies of like size, sorted by cell.
#[derive(Debug, Default)]
pub(super) struct Level {
    /// Places of the bodies among all spheres.
    pub(super) members: Vec<u32>,
    /// Largest bounding radius (m).
    pub(super) largest: f64,
    grid: Grid,
    /// Cell and place of each body, rising.
    order: Vec<(u64, u32)>,
    /// Cell of each body, in the order of the members, then rising.
    cells: Vec<u64>,
    /// The bodies in that order.
    pub(super) spheres: Vec<Sphere>,
    /// Where the bodies of each cell start; empty where there is no table.
    starts: Vec<u32>,
}

impl Level {
    /// Chooses the cells and sorts the members into them. Bodies of one cell are in the order of all spheres.
    pub(super) fn sort(&mut self, spheres: &[Sphere], dimension: Dimension, range: f64) {
        self.spheres.clear();
        self.cells.clear();
        if self.members.is_empty() {
            return;
        }
        let infinity = Vec3::repeat(f64::INFINITY);
        let places = self.members.iter().map(|&place| &spheres[place as usize].x);
        let (lower, upper) = places.fold((infinity, -infinity), |(lower, upper), x| (lower.inf(x), upper.sup(x)));
        let extent = upper - lower;
        let narrow = (2.0 * self.largest + range).max(self.largest) * (1.0 + ROUNDING);
        let sides = extent.map(|side| side.max(narrow));
        let (space, power) = match dimension {
            Dimension::Planar => (sides.x * sides.y, 0.5),
            Dimension::Spatial => (sides.x * sides.y * sides.z, 1.0 / 3.0),
        };
        let roomy = narrow.max((space * OCCUPANCY / self.members.len() as f64).powf(power));
        if self.count(spheres, lower, &extent, roomy) && (roomy == narrow || self.crowd() <= CROWD)
            || roomy > narrow && self.count(spheres, lower, &extent, narrow)
        {
            self.sort_by_counting(spheres);
        } else {
            self.sort_by_comparing(spheres, lower, &extent, narrow);
        }
    }

    /// Counts the members of each cell, unless a table of all cells would be too long.
    fn count(&mut self, spheres: &[Sphere], lower: Vec3, extent: &Vec3, width: f64) -> bool {
        let per_metre = if width > 0.0 { 1.0 / width } else { 0.0 };
        let most = TABLE[0] + TABLE[1] * self.members.len();
        let cells = extent.map(|side| (side * per_metre).floor() + 3.0);
        let fits = cells.x * cells.y * cells.z <= most as f64;
        if !fits {
            return false;
        }
        self.grid = Grid { lower, per_metre, last: last(&cells), strides: [0; 2] };
        let [x, y, z] = self.grid.last.map(|last| u64::from(last) + 2);
        self.grid.strides = [x, x * y];
        self.starts.clear();
        self.starts.resize((x * y * z) as usize + 1, 0);
        self.cells.clear();
        for &place in &self.members {
            let cell = self.grid.number(self.grid.cell(&spheres[place as usize].x));
            self.cells.push(cell);
            self.starts[cell as usize] += 1;
        }
        true
    }

    /// The number of bodies in the cell of a body, its mean over all bodies, rounded down; of cells just counted.
    fn crowd(&self) -> usize {
        self.starts.iter().map(|&count| (count as usize).pow(2)).sum::<usize>() / self.members.len()
    }

    /// Sorts the members into the cells just counted.
    fn sort_by_counting(&mut self, spheres: &[Sphere]) {
        let mut before = 0;
        for start in &mut self.starts {
            before += std::mem::replace(start, before);
        }
        self.order.clear();
        self.order.resize(self.members.len(), (0, 0));
        for (&cell, &place) in self.cells.iter().zip(&self.members) {
            let next = &mut self.starts[cell as usize];
            self.order[*next as usize] = (cell, place);
            *next += 1;
        }
        // Each start has moved to the start of the next cell.
        self.starts.rotate_right(1);
        self.starts[0] = 0;
        self.take_order(spheres);
    }

    fn sort_by_comparing(&mut self, spheres: &[Sphere], lower: Vec3, extent: &Vec3, width: f64) {
        let per_metre = if width > 0.0 { 1.0 / width } else { 0.0 };
        let cells = extent.map(|side| (side * per_metre).floor() + 3.0);
        self.grid = Grid { lower, per_metre, last: last(&cells), strides: [1 << AXIS_BITS, 1 << (2 * AXIS_BITS)] };
        self.starts.clear();
        self.order.clear();
        let grid = &self.grid;
        let cell_of = |&place: &u32| (grid.number(grid.cell(&spheres[place as usize].x)), place);
        self.order.extend(self.members.iter().map(cell_of));
        self.order.par_sort_unstable();
        self.take_order(spheres);
    }

    fn take_order(&mut self, spheres: &[Sphere]) {
        self.cells.clear();
        self.cells.extend(self.order.iter().map(|(cell, _)| *cell));
        self.spheres.extend(self.order.iter().map(|(_, place)| spheres[*place as usize]));
    }

    /// Cell of each body, rising.
    pub(super) fn cells(&self) -> &[u64] {
        &self.cells
    }

    /// From a cell to the next along y, along z.
    pub(super) const fn strides(&self) -> [u64; 2] {
        self.grid.strides
    }

    /// The cells by axis of two corners of a box.
    #[inline]
    pub(super) fn corners(&self, from: &Vec3, to: &Vec3) -> [[u64; 3]; 2] {
        [self.grid.cell(from), self.grid.cell(to)]
    }

    /// The number of a cell.
    #[inline]
    pub(super) fn number(&self, cell: [u64; 3]) -> u64 {
        self.grid.number(cell)
    }

    /// What it costs these bodies to look up those of another level within `reach` (m): rows and bodies looked at.
    pub(super) fn asking(&self, other: &Self, reach: f64) -> f64 {
        let spans = [0, 1, 2].map(|k| {
            let cells = f64::from(other.grid.last[k]);
            (2.0 * reach.max(0.0) * other.grid.per_metre + 1.0).min(cells) / if k == 0 { cells } else { 1.0 }
        });
        let rows = spans[1] * spans[2];
        let per_row = other.spheres.len() as f64 / (f64::from(other.grid.last[1]) * f64::from(other.grid.last[2]));
        let searching = if other.starts.is_empty() { (other.spheres.len() as f64).log2() } else { 0.0 };
        self.spheres.len() as f64 * rows * (ROW + searching + per_row * spans[0])
    }

    /// The bodies of the rows between two corners.
    #[inline]
    pub(super) fn rows(&self, [from, to]: [[u64; 3]; 2]) -> impl Iterator<Item = Range<usize>> {
        let rows = (from[2]..=to[2]).flat_map(move |z| (from[1]..=to[1]).map(move |y| (y, z)));
        rows.map(move |(y, z)| self.run(self.number([from[0], y, z]), self.number([to[0], y, z]), None))
    }

    /// The bodies of the cells between two of one row, both included. Without a table the first is looked for from `hint` on,
    /// a place not behind it, if there is one.
    #[inline]
    pub(super) fn run(&self, from: u64, to: u64, hint: Option<usize>) -> Range<usize> {
        if let (Some(&start), Some(&end)) = (self.starts.get(from as usize), self.starts.get(to as usize + 1)) {
            return start as usize..end as usize;
        }
        let start = match hint {
            Some(hint) => hint + self.cells[hint..].iter().take_while(|c| **c < from).count(),
            None => self.cells.partition_point(|c| *c < from),
        };
        start..start + self.cells[start..].iter().take_while(|c| **c <= to).count()
    }
}

/// The last cells of a grid so many cells long and wide, with the empty ones at both ends.
fn last(cells: &Vec3) -> [u32; 3] {
    [0, 1, 2].map(|k| ((cells[k] - 2.0) as u32).clamp(1, LAST_CELL))
}
