//! The second half of the kernel: what grains gave to cells and faces is spread along each axis in turn, so that the kernel is as wide
//! as the grains ask, wherever the cells lie. No grains here.
//!
//! # Why
//! A kernel that is one cell wide feels the cells: a grain's force changes as it moves past them. What is seen of the cells is the part of the
//! kernel's spectrum at wave numbers beyond 2π over the cell, folded back; a kernel that is some cells wide has next to nothing there. To give
//! every grain to hundreds of cells would cost as much for each of them. A narrow kernel on the grain followed by passes over the
//! grid is the same convolution for 27 cells a grain.
//!
//! # A pass
//! cᵢ ← a cᵢ₋₁ + (1 − 2a) cᵢ + a cᵢ₊₁, a ≤ ¼, adds the variance 2a cell² and is smooth up to the shortest wave. At a closed end cells are
//! mirrored. Then with the flux q through faces, cᵢ₊ = cᵢ + qᵢ − qᵢ₊₁ stays true if q passes through the same filter with q at the ends left as it is:
//! the change of c₀ becomes (1 − a)(q₀ − q₁) + a (q₁ − q₂) = q₀ − (a q₀ + (1 − 2a) q₁ + a q₂). So cells still close to rounding.
//! The cross-section is mirrored about the end itself (s₋₁ = s₁), which keeps Σ s with ends counted half: each grain keeps its share in a uniform
//! gradient. The way back from pressure to grains takes the transpose, so that the force stays the adjoint.
//!
//! # Cells far finer than the grains
//! σ² in cells² grows with the square of σ over a cell, and so would the number of passes. Beyond `MOST_PASSES` of them a pass is implicit instead: with W the
//! matrix of a pass above, whatever the line, c ← (2 − W)⁻¹ c adds the same variance 2a cell² for any a (`smooth_implicit`). It is positive, and since W of the cells
//! times the difference of faces is the difference of faces times W of the fluxes, so are the inverses: cells still close, and the transpose is the inverse of the transpose.

use crate::{
    deposit::Deposit,
    grid::{FaceField, Grid},
    smooth_implicit::ImplicitPass,
};

/// Variance of the narrow kernel on a grain, in cells².
const NARROW: f64 = 0.25;
/// Most variance that a pass adds, in cells²: a = ¼.
const MOST: f64 = 0.5;
/// Most passes along an axis; where it would take more, [`IMPLICIT`] implicit ones are as cheap.
const MOST_PASSES: usize = 12;
/// Their number: the kernel then has a kurtosis 3 + 3/6, the hat that `smoothing` names 3 − 3/5.
const IMPLICIT: usize = 6;

/// How the ends of a line are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// Cells, or faces across another axis: mirrored.
    Mirrored,
    /// Joined ends.
    Joined,
    /// Fluxes through the faces across the axis: those of the ends stay.
    Flux,
    /// Cross-sections of those faces: mirrored about the end.
    Section,
    /// The transpose of that.
    Adjoint,
}

/// Passes along one axis.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Passes {
    count: usize,
    /// Half the variance that one adds, in cells².
    a: f64,
    implicit: bool,
}

/// Passes per axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Smoother {
    passes: [Passes; 3],
}

/// Weights of one entry of a line in a pass: of itself, of the one before, of the one after.
pub(crate) type Weights = [f64; 3];

impl Passes {
    const NONE: Self = Self { count: 0, a: 0.0, implicit: false };
}

impl Smoother {
    /// Widens the narrow kernel to the standard deviation `sigma` (m), and to `least` cells at the least.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive number")]
    pub fn new(grid: &Grid, sigma: f64, least: f64) -> Self {
        let passes = |axis: usize| {
            let cells = (sigma / grid.written_spacing(axis)).max(least);
            let more = (cells * cells - NARROW).max(0.0);
            // no wider than the grid is long: beyond that all is even anyway
            let more = more.min((grid.cells(axis) * grid.cells(axis)) as f64);
            let count = (more / MOST - 1e-9).ceil().max(0.0) as usize;
            if grid.cells(axis) == 1 || count == 0 {
                return Passes::NONE;
            }
            let implicit = count > MOST_PASSES;
            let count = if implicit { IMPLICIT } else { count };
            Passes { count, a: 0.5 * more / count as f64, implicit }
        };
        Self { passes: std::array::from_fn(passes) }
    }

    /// A pass over nothing: the narrow kernel alone.
    #[must_use]
    pub const fn none() -> Self {
        Self { passes: [Passes::NONE; 3] }
    }

    /// The least standard deviation of the whole kernel along an axis of more than one cell (m).
    #[must_use]
    pub fn narrowest(&self, grid: &Grid) -> f64 {
        let variance = |p: &Passes| NARROW + 2.0 * p.a * p.count as f64;
        let along = |d: usize| variance(&self.passes[d]).sqrt() * grid.written_spacing(d);
        let all = (0..3).filter(|d| grid.cells(*d) > 1).map(along).fold(f64::INFINITY, f64::min);
        if all.is_finite() { all } else { along(0) }
    }

    /// Widens all that grains gave.
    pub fn widen(&self, grid: &Grid, deposit: &mut Deposit) {
        let Deposit { solid_before, solid_after, growth, volume_over_radius, .. } = deposit;
        for cells in [solid_before, solid_after, growth, volume_over_radius] {
            self.cells(grid, cells);
        }
        for d in 0..3 {
            let mut component: Vec<f64> = deposit.moved.iter().map(|v| v[d]).collect();
            self.cells(grid, &mut component);
            deposit.moved.iter_mut().zip(component).for_each(|(v, x)| v[d] = x);
        }
        self.faces(grid, &mut deposit.solid_flux, Line::Flux);
        self.faces(grid, &mut deposit.cross_section, Line::Section);
        self.faces(grid, &mut deposit.carried, Line::Section);
    }

    /// The transpose, for what goes from faces to grains.
    pub fn gather(&self, grid: &Grid, values: &mut FaceField) {
        self.faces(grid, values, Line::Adjoint);
    }

    /// Widens a number per cell.
    pub fn cells(&self, grid: &Grid, values: &mut [f64]) {
        // most are zero all over where nothing grows
        if values.iter().any(|v| *v != 0.0) {
            let count = [0, 1, 2].map(|d| grid.cells(d));
            for axis in 0..3 {
                self.along(grid, axis, Line::Mirrored, count, values);
            }
        }
    }

    fn faces(&self, grid: &Grid, values: &mut FaceField, own: Line) {
        for (across, values) in values.0.iter_mut().enumerate() {
            let count = [0, 1, 2].map(|d| if d == across { grid.faces_per_line(d) } else { grid.cells(d) });
            for axis in 0..3 {
                self.along(grid, axis, if axis == across { own } else { Line::Mirrored }, count, values);
            }
        }
    }

    fn along(&self, grid: &Grid, axis: usize, line: Line, count: [usize; 3], values: &mut [f64]) {
        let Passes { count: passes, a, implicit } = self.passes[axis];
        if passes == 0 {
            return;
        }
        let line = if grid.periodic(axis) { Line::Joined } else { line };
        let n = count[axis];
        let weights: Vec<Weights> = (0..n).map(|i| weights(line, a, i, n)).collect();
        let stride: usize = count[..axis].iter().product();
        if implicit {
            return ImplicitPass::new(&weights).apply(passes, stride, values);
        }
        let mut work = Work::default();
        for block in values.chunks_exact_mut(stride * n) {
            for from in (0..stride).step_by(WIDTH) {
                let width = WIDTH.min(stride - from);
                for _ in 0..passes {
                    work.pass(block, stride, from, width, &weights, line == Line::Joined);
                }
            }
        }
    }
}

/// Lines that go side by side, so that what they touch stays near the processor.
const WIDTH: usize = 512;

fn weights(line: Line, a: f64, i: usize, n: usize) -> Weights {
    let end = |i: usize| i == 0 || i + 1 == n;
    let of = |j: usize| match line {
        Line::Mirrored | Line::Joined => a,
        Line::Flux => {
            if end(i) {
                0.0
            } else {
                a
            }
        }
        Line::Section => {
            if end(i) {
                2.0 * a
            } else {
                a
            }
        }
        Line::Adjoint => {
            if end(j) {
                2.0 * a
            } else {
                a
            }
        }
    };
    let own = match line {
        Line::Flux if end(i) => 1.0,
        Line::Mirrored if n == 1 => 1.0,
        Line::Mirrored if end(i) => 1.0 - a,
        _ => 1.0 - 2.0 * a,
    };
    let joined = line == Line::Joined;
    let before = if i > 0 {
        of(i - 1)
    } else if joined {
        a
    } else {
        0.0
    };
    let after = if i + 1 < n {
        of(i + 1)
    } else if joined {
        a
    } else {
        0.0
    };
    [own, before, after]
}

/// What was there before it was overwritten.
#[derive(Default)]
struct Work {
    before: Vec<f64>,
    first: Vec<f64>,
}

impl Work {
    /// One pass along the lines `from..from + width` of a block whose entries along the axis are `stride` apart.
    fn pass(&mut self, block: &mut [f64], stride: usize, from: usize, width: usize, weights: &[Weights], joined: bool) {
        let n = weights.len();
        if stride == 1 {
            return line_pass(block, weights, joined);
        }
        let row = |i: usize| i * stride + from..i * stride + from + width;
        self.first.clear();
        self.first.extend_from_slice(&block[row(0)]);
        self.before.clear();
        if joined {
            self.before.extend_from_slice(&block[row(n - 1)]);
        } else {
            self.before.resize(width, 0.0);
        }
        for (i, &[own, low, high]) in weights.iter().enumerate() {
            if i + 1 < n {
                let (head, tail) = block.split_at_mut((i + 1) * stride);
                let (now, after) = (&mut head[row(i)], &tail[from..from + width]);
                blend(now, &mut self.before, after, [own, low, high]);
            } else {
                blend(&mut block[row(i)], &mut self.before, &self.first, [own, low, high]);
            }
        }
    }
}

/// One pass along one line.
fn line_pass(line: &mut [f64], weights: &[Weights], joined: bool) {
    let first = line[0];
    let mut before = if joined { line[line.len() - 1] } else { 0.0 };
    for i in 0..line.len() {
        let [own, low, high] = weights[i];
        let (old, after) = (line[i], line.get(i + 1).copied().unwrap_or(first));
        line[i] = own * old + low * before + high * after;
        before = old;
    }
}

fn blend(now: &mut [f64], before: &mut [f64], after: &[f64], [own, low, high]: Weights) {
    for ((x, b), a) in now.iter_mut().zip(before).zip(after) {
        let old = *x;
        *x = own * old + low * *b + high * *a;
        *b = old;
    }
}
