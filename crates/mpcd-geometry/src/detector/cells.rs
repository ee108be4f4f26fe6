//! The broad phase: pairs of finite bodies whose bounding spheres are near, in time proportional to their number.
//!
//! Bodies of like size (within a factor of two) share a level; each level is a grid of cells at least as wide as its largest
//! body needs. Nothing is hashed: the bodies of a level are sorted by cell, rows along x are runs of the sorted list, and a
//! sweep through the list looks at its own and the neighbouring rows. Of two levels the bodies of one look up the cells that
//! they reach in the other: whichever way fewer rows and bodies are looked at. Small bodies crowded about large ones ask the
//! large ones, large bodies among scattered small ones ask the small ones. So a size ratio of 100 costs a few look-ups per
//! body, and a wall is just a body of the coarsest level.
//!
//! In a cell that repeats, a body near a face also stands beyond the other one as an image; only so far as bodies of its own
//! level reach, for the images of large bodies are there for the small ones.

use std::ops::Range;

use mpcd_core::{Dimension, Vec3};

use super::level::{Level, ROUNDING, Sphere};

/// Bodies per piece of work.
const PIECE: usize = 512;
/// Levels at most; all bodies more than 2³¹ times the smallest share the last.
const LEVELS: usize = 32;

/// The sorted levels.
#[derive(Debug, Default)]
pub(super) struct Cells {
    levels: Vec<Level>,
    /// Pieces of work: level and first entry.
    pieces: Vec<(usize, usize)>,
    /// Which levels each level looks up: bits.
    asks: [u32; LEVELS],
    /// Pairs up to this distance of their spheres are wanted (m).
    range: f64,
    dimension: Dimension,
}

/// Near bodies that are written down, and bodies between two looks whether there is room.
const NEAR: usize = 256;
const PART: usize = 32;
/// Rows that are kept.
const ROWS: usize = 16;

/// The bodies of another level that a body may reach, as runs of its rows; kept from body to body, as neighbours reach the same.
#[derive(Default)]
struct Rows {
    corners: [u64; 2],
    runs: [Range<usize>; ROWS],
    count: usize,
}

impl Rows {
    /// Looks up at most [`ROWS`] rows between two corners, unless they are the ones of the body before.
    #[inline]
    fn look_up(&mut self, other: &Level, corners: [[u64; 3]; 2]) -> &[Range<usize>] {
        let numbers = corners.map(|cell| other.number(cell));
        if self.corners != numbers {
            self.corners = numbers;
            self.count = 0;
            for run in other.rows(corners).filter(|run| !run.is_empty()) {
                if let Some(free) = self.runs.get_mut(self.count) {
                    *free = run;
                    self.count += 1;
                }
            }
        }
        &self.runs[..self.count]
    }
}

/// Bodies of one level meeting those of another, or their own.
///
/// Which of them are near no processor can foresee, and where it waits for a wrong guess it does not load ahead. So near ones
/// are written down without a branch and handed over many at a time.
struct Meeting<'a, F> {
    askers: &'a [Sphere],
    others: &'a [Sphere],
    range: f64,
    found: &'a mut F,
    /// Places of near bodies among askers and others.
    near: [[u32; 2]; NEAR],
    count: usize,
}

impl<'a, F: FnMut(&Sphere, &Sphere)> Meeting<'a, F> {
    fn new(askers: &'a Level, others: &'a Level, range: f64, found: &'a mut F) -> Self {
        Self { askers: &askers.spheres, others: &others.spheres, range, found, near: [[0; 2]; NEAR], count: 0 }
    }

    /// One asker meets a run of others.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "places are 32 bits")]
    fn offer(&mut self, asker: usize, run: Range<usize>) {
        let a = &self.askers[asker];
        for (part, first) in self.others[run.clone()].chunks(PART).zip(run.step_by(PART)) {
            if self.count + PART > NEAR {
                self.hand_over();
            }
            let mut count = self.count;
            for (b, place) in part.iter().zip(first..) {
                let reach = (a.r + self.range + b.r) * (1.0 + ROUNDING);
                self.near[count] = [asker as u32, place as u32];
                count += usize::from((a.x - b.x).norm_squared() <= reach * reach);
            }
            self.count = count;
        }
    }

    /// Hands over what is written down; two images are left out.
    fn hand_over(&mut self) {
        for near in &self.near[..self.count] {
            let [asker, other] = near.map(|place| place as usize);
            let (a, b) = (&self.askers[asker], &self.others[other]);
            if !(a.image && b.image) {
                (self.found)(a, b);
            }
        }
        self.count = 0;
    }
}

impl Cells {
    /// Sorts the bodies for pairs with a distance of their spheres ≤ `range`, in a cell with these periods: brings the spheres
    /// into the cell and adds the images.
    pub(super) fn sort(&mut self, spheres: &mut Vec<Sphere>, dimension: Dimension, range: f64, periods: &[Option<f64>; 3]) {
        self.range = range;
        self.dimension = dimension;
        self.levels.resize_with(LEVELS, Level::default);
        for level in &mut self.levels {
            level.members.clear();
            level.largest = 0.0;
        }
        let smallest = spheres.iter().map(|s| s.r).fold(f64::INFINITY, f64::min);
        let per_smallest = 1.0 / smallest;
        for sphere in spheres.iter() {
            let level = &mut self.levels[level_of(sphere.r * per_smallest)];
            level.largest = level.largest.max(sphere.r);
        }
        let levels = &self.levels;
        images(spheres, periods, |r| (r + levels[level_of(r * per_smallest)].largest + range) * (1.0 + ROUNDING));
        for (sphere, place) in spheres.iter().zip(0..) {
            self.levels[level_of(sphere.r * per_smallest)].members.push(place);
        }
        self.pieces.clear();
        for (l, level) in self.levels.iter_mut().enumerate() {
            level.sort(spheres, dimension, range);
            self.pieces.extend((0..level.spheres.len()).step_by(PIECE).map(|first| (l, first)));
        }
        self.choose_askers();
    }

    /// Of every two levels, which looks up the other.
    fn choose_askers(&mut self) {
        self.asks = [0; LEVELS];
        let levels = self.levels.iter().enumerate().filter(|(_, level)| !level.spheres.is_empty());
        for (f, fine) in levels.clone() {
            for (c, coarse) in levels.clone().skip_while(|(c, _)| *c <= f) {
                let reach = fine.largest + coarse.largest + self.range;
                if coarse.asking(fine, reach) < fine.asking(coarse, reach) {
                    self.asks[c] |= 1 << f;
                } else {
                    self.asks[f] |= 1 << c;
                }
            }
        }
    }

    /// Number of pieces of work.
    pub(super) fn pieces(&self) -> usize {
        self.pieces.len()
    }

    /// Hands the near pairs of piece `p` to `found`: over all pieces every near pair of spheres exactly once, but for pairs of
    /// images, which others stand for. A body and its own image may be among them.
    pub(super) fn visit(&self, p: usize, mut found: impl FnMut(&Sphere, &Sphere)) {
        let (l, first) = self.pieces[p];
        let last = (first + PIECE).min(self.levels[l].spheres.len());
        self.visit_level(l, first..last, &mut found);
        for (_, other) in self.levels.iter().enumerate().filter(|(m, _)| self.asks[l] >> m & 1 == 1) {
            self.visit_other(&self.levels[l], first..last, other, &mut found);
        }
    }

    /// Pairs within a level: each body with those behind it in its own cell, in the next cell of its row, and in the rows of
    /// larger y or z beside it.
    fn visit_level(&self, l: usize, range: Range<usize>, found: &mut impl FnMut(&Sphere, &Sphere)) {
        let level = &self.levels[l];
        let cells = level.cells();
        // From a cell to the middle cell of each row beside it.
        let [y, z] = level.strides();
        let rows = [y, z - y, z, z + y];
        let rows = if self.dimension == Dimension::Planar { &rows[..1] } else { &rows[..] };
        let mut runs: [Option<Range<usize>>; 4] = [const { None }; 4];
        let (mut here, mut last) = (range.start..range.start, None);
        let mut meeting = Meeting::new(level, level, self.range, found);
        for i in range {
            let cell = cells[i];
            if last != Some(cell) {
                last = Some(cell);
                here = level.run(cell, cell + 1, Some(i));
                for (run, row) in runs.iter_mut().zip(rows) {
                    let middle = cell + row;
                    *run = Some(level.run(middle - 1, middle + 1, run.take().map(|run| run.start)));
                }
            }
            meeting.offer(i, i + 1..here.end);
            for run in runs.iter().flatten() {
                meeting.offer(i, run.clone());
            }
        }
        meeting.hand_over();
    }

    /// Pairs of bodies of one level with those of another.
    fn visit_other(&self, level: &Level, range: Range<usize>, other: &Level, found: &mut impl FnMut(&Sphere, &Sphere)) {
        let mut kept = Rows::default();
        let mut meeting = Meeting::new(level, other, self.range, found);
        for i in range {
            let sphere = &level.spheres[i];
            let reach = Vec3::repeat((sphere.r + other.largest + self.range).max(0.0) * (1.0 + ROUNDING));
            let corners = other.corners(&(sphere.x - reach), &(sphere.x + reach));
            let [from, to] = corners;
            if (to[1] - from[1] + 1) * (to[2] - from[2] + 1) <= ROWS as u64 {
                for run in kept.look_up(other, corners) {
                    meeting.offer(i, run.clone());
                }
            } else {
                for run in other.rows(corners) {
                    meeting.offer(i, run);
                }
            }
        }
        meeting.hand_over();
    }
}

/// The level of a body `ratio` times as large as the smallest: the exponent of the ratio, which is one or more.
#[allow(clippy::cast_possible_truncation, reason = "eleven bits")]
const fn level_of(ratio: f64) -> usize {
    let exponent = (ratio.to_bits() >> (f64::MANTISSA_DIGITS - 1)) as usize;
    let level = exponent.saturating_sub(f64::MAX_EXP as usize - 1);
    if level < LEVELS { level } else { LEVELS - 1 }
}

/// Brings all spheres into the cell, and adds images beyond a face of those that are within their reach of the opposite one.
fn images(spheres: &mut Vec<Sphere>, periods: &[Option<f64>; 3], reach: impl Fn(f64) -> f64) {
    let repeated: [(usize, f64); 3] = [0, 1, 2].map(|k| (k, periods[k].unwrap_or(f64::INFINITY)));
    let repeated = || repeated.iter().copied().filter(|(_, l)| l.is_finite());
    if repeated().next().is_none() {
        return;
    }
    for i in 0..spheres.len() {
        let first = spheres.len();
        let reach = reach(spheres[i].r);
        for (k, l) in repeated() {
            let x = &mut spheres[i].x[k];
            if !(0.0..l).contains(x) {
                *x -= l * (*x / l).floor();
            }
        }
        for (k, l) in repeated() {
            for j in std::iter::once(i).chain(first..spheres.len()) {
                let sphere = spheres[j];
                for shift in [(sphere.x[k] <= reach).then_some(l), (sphere.x[k] >= l - reach).then_some(-l)] {
                    spheres.extend(shift.map(|shift| Sphere { x: sphere.x + shift * Vec3::ith(k, 1.0), image: true, ..sphere }));
                }
            }
        }
    }
}
