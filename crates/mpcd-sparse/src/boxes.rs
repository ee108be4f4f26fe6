//! Diffusion on the cells of a regular box grid: diagonal plus graph Laplacian of a conductance per face, solved by conjugate gradients with
//! a multigrid cycle as preconditioner, at a cost per cell that does not grow with the grid. No physics, no other matrices.
//!
//! A cycle: a forward sweep of Gauss–Seidel, the residual summed over pairs of cells along each axis, the same there, its
//! correction given back to both, a backward sweep; so it is symmetric, as conjugate gradients need. Pairs have as diagonal the sum of
//! theirs, and between them the sum of the conductances over the distance of their middles (1 to 2): with sums alone a correction would
//! be half of what it should be (Wesseling 1988, doi:10.1137/0909014). An axis whose conductances are far below those of
//! others waits until these have caught up. The last level is one cell, where the answer is exact; so a vessel that exchanges nothing
//! with the outside costs no more than others.

use crate::cg::{CgParams, CgReport, CgWorkspace, Operator, solve_operator};
use crate::error::{SparseError, check_vector};
use crate::precondition::Preconditioner;

/// Part of the largest mean conductance of an axis below which another axis is not yet paired.
const WEAK: f64 = 0.3;

/// One level: values over cells, x fastest.
#[derive(Debug, Clone, Default)]
struct Level {
    count: [usize; 3],
    /// What stands on the diagonal beside the conductances.
    own: Vec<f64>,
    /// Conductance to the next cell along each axis; of the last of a line to the first, 0 where they are not joined.
    up: [Vec<f64>; 3],
    /// Inverse of the whole diagonal.
    inverse: Vec<f64>,
    /// Which axes are paired to make the next level.
    paired: [bool; 3],
}

/// The system.
#[derive(Debug, Clone, Default)]
pub struct BoxSystem {
    levels: Vec<Level>,
}

/// Memory of solves.
#[derive(Debug, Clone, Default)]
pub struct BoxWorkspace {
    cg: CgWorkspace,
    levels: std::cell::RefCell<Vec<Vectors>>,
}

#[derive(Debug, Clone, Default)]
struct Vectors {
    x: Vec<f64>,
    b: Vec<f64>,
    r: Vec<f64>,
}

impl BoxSystem {
    /// Takes a grid of `count` cells along x, y, z: `own` adds to the diagonal of each cell, `up[axis]` has for each cell the
    /// conductance to the next cell along that axis (of the last of a line: to the first, 0 where the line is open).
    ///
    /// # Errors
    /// [`SparseError::Length`], [`SparseError::NonFiniteVector`]; [`SparseError::NotPositiveDefinite`] for a cell whose diagonal is not
    /// above zero.
    pub fn fill(&mut self, count: [usize; 3], own: &[f64], up: [&[f64]; 3]) -> Result<(), SparseError> {
        let n = count.iter().product();
        check_vector("diagonal", own, n)?;
        for conductance in up {
            check_vector("conductances", conductance, n)?;
        }
        self.levels.resize_with(1, Level::default);
        let first = &mut self.levels[0];
        first.count = count;
        first.own.clear();
        first.own.extend_from_slice(own);
        for (mine, given) in first.up.iter_mut().zip(up) {
            mine.clear();
            mine.extend_from_slice(given);
        }
        // no cell is its own neighbour
        for axis in (0..3).filter(|a| count[*a] == 1) {
            first.up[axis].fill(0.0);
        }
        loop {
            let last = self.levels.len() - 1;
            self.levels[last].finish()?;
            if self.levels[last].len() == 1 {
                return Ok(());
            }
            let next = self.levels[last].next();
            self.levels.push(next);
        }
    }

    /// Number of cells.
    #[must_use]
    pub fn size(&self) -> usize {
        self.levels.first().map_or(0, Level::len)
    }

    /// Solves A x = b from the given `x`.
    ///
    /// # Errors
    /// [`SparseError::NotFilled`], [`SparseError::Length`], [`SparseError::NonFiniteVector`]. Not to converge is no error: see [`CgReport::status`].
    pub fn solve(&self, b: &[f64], x: &mut [f64], params: CgParams, work: &mut BoxWorkspace) -> Result<CgReport, SparseError> {
        let Some(first) = self.levels.first() else { return Err(SparseError::NotFilled) };
        let vectors = work.levels.get_mut();
        vectors.resize_with(self.levels.len(), Vectors::default);
        for (v, level) in vectors.iter_mut().zip(&self.levels) {
            for values in [&mut v.x, &mut v.b, &mut v.r] {
                values.resize(level.len(), 0.0);
            }
        }
        let cycle = Cycle { system: self, vectors: &work.levels };
        solve_operator(first, b, x, &cycle, params, &mut work.cg)
    }
}

/// One multigrid cycle as an approximate inverse.
struct Cycle<'a> {
    system: &'a BoxSystem,
    vectors: &'a std::cell::RefCell<Vec<Vectors>>,
}

impl Preconditioner for Cycle<'_> {
    fn size(&self) -> usize {
        self.system.size()
    }

    fn apply(&self, r: &[f64], z: &mut [f64]) {
        let mut vectors = self.vectors.borrow_mut();
        vectors[0].b.copy_from_slice(r);
        descend(&self.system.levels, &mut vectors);
        z.copy_from_slice(&vectors[0].x);
    }
}

/// Solves the first of these levels roughly: x from b.
fn descend(levels: &[Level], vectors: &mut [Vectors]) {
    let ([level, coarser @ ..], [v, rest @ ..]) = (levels, vectors) else { return };
    let Vectors { x, b, r } = v;
    if coarser.is_empty() {
        x[0] = b[0] * level.inverse[0];
        return;
    }
    x.fill(0.0);
    level.sweep(b, x, true);
    level.residual(b, x, r);
    level.restrict(r, coarser[0].count, &mut rest[0].b);
    descend(coarser, rest);
    level.prolong(coarser[0].count, &rest[0].x, x);
    level.sweep(b, x, false);
}

/// The neighbours of a row of cells: its values and conductances along y and z, with 0 where there is none.
struct Around<'a> {
    /// (values of the neighbour row, conductances to it)
    rows: [(&'a [f64], &'a [f64]); 4],
}

impl Level {
    fn len(&self) -> usize {
        self.own.len()
    }

    /// The neighbour row of row (y, z) along an axis, and which row's conductances lead to it.
    fn beside(&self, at: [usize; 2], axis: usize, high: bool) -> Option<(usize, usize)> {
        let n = self.count[axis];
        if n == 1 {
            return None;
        }
        let mut other = at;
        let i = &mut other[axis - 1];
        *i = if high { (*i + 1) % n } else { (*i + n - 1) % n };
        let row = |at: [usize; 2]| at[0] + self.count[1] * at[1];
        Some((row(other), if high { row(at) } else { row(other) }))
    }

    /// Whole diagonal, and which axes to pair next.
    fn finish(&mut self) -> Result<(), SparseError> {
        let nx = self.count[0];
        let mut diagonal = self.own.clone();
        let mut sums = [0.0; 3];
        for at in 0..self.count[1] * self.count[2] {
            let from = at * nx;
            let mut sum = 0.0;
            for i in 0..nx {
                let k = self.up[0][from + i];
                diagonal[from + i] += k;
                diagonal[if i + 1 == nx { from } else { from + i + 1 }] += k;
                sum += k;
            }
            sums[0] += sum;
            for axis in [1, 2] {
                let Some((other, _)) = self.beside([at % self.count[1], at / self.count[1]], axis, true) else { continue };
                let mut sum = 0.0;
                for i in 0..nx {
                    let k = self.up[axis][from + i];
                    diagonal[from + i] += k;
                    diagonal[other * nx + i] += k;
                    sum += k;
                }
                sums[axis] += sum;
            }
        }
        if let Some(row) = diagonal.iter().position(|d| !(*d > 0.0 && d.is_finite())) {
            return Err(SparseError::NotPositiveDefinite { row, pivot: diagonal[row], diagonal: diagonal[row] });
        }
        self.inverse = diagonal.into_iter().map(|d| 1.0 / d).collect();
        let largest = (0..3).filter(|a| self.count[*a] > 1).map(|a| sums[a]).fold(0.0, f64::max);
        self.paired = std::array::from_fn(|a| self.count[a] > 1 && sums[a] >= WEAK * largest);
        Ok(())
    }

    /// Calls `visit(fine cell, coarse cell)` for all cells, in order.
    fn for_each_pair(&self, coarse: [usize; 3], mut visit: impl FnMut(usize, usize)) {
        let half = |axis: usize, i: usize| if self.paired[axis] { i / 2 } else { i };
        let mut cell = 0;
        for k in 0..self.count[2] {
            for j in 0..self.count[1] {
                let row = coarse[0] * (half(1, j) + coarse[1] * half(2, k));
                for i in 0..self.count[0] {
                    visit(cell, row + half(0, i));
                    cell += 1;
                }
            }
        }
    }

    /// The level of pairs.
    fn next(&self) -> Self {
        let count: [usize; 3] = std::array::from_fn(|a| if self.paired[a] { self.count[a].div_ceil(2) } else { self.count[a] });
        let n = count.iter().product();
        let mut out = Self { count, own: vec![0.0; n], up: std::array::from_fn(|_| vec![0.0; n]), ..Self::default() };
        self.for_each_pair(count, |fine, coarse| out.own[coarse] += self.own[fine]);
        let half = |axis: usize, i: usize| if self.paired[axis] { i / 2 } else { i };
        // one over the distance from the pair of cell i to the next, if cell i is the last of its pair
        let leads = |axis: usize, i: usize| {
            let (fine, coarse) = (self.count[axis], count[axis]);
            let size = |pair: usize| if !self.paired[axis] || 2 * pair + 1 == fine { 1.0 } else { 2.0 };
            let last = !self.paired[axis] || i % 2 == 1 || i + 1 == fine;
            (coarse > 1 && last).then(|| 2.0 / (size(half(axis, i)) + size((half(axis, i) + 1) % coarse)))
        };
        let along: Vec<Option<f64>> = (0..self.count[0]).map(|i| leads(0, i)).collect();
        for at in 0..self.count[1] * self.count[2] {
            let [j, k] = [at % self.count[1], at / self.count[1]];
            let (from, to) = (at * self.count[0], count[0] * (half(1, j) + count[1] * half(2, k)));
            for (i, weight) in along.iter().enumerate() {
                if let Some(weight) = weight {
                    out.up[0][to + half(0, i)] += weight * self.up[0][from + i];
                }
            }
            for (axis, place) in [(1, j), (2, k)] {
                let Some(weight) = leads(axis, place) else { continue };
                for i in 0..self.count[0] {
                    out.up[axis][to + half(0, i)] += weight * self.up[axis][from + i];
                }
            }
        }
        out
    }

    fn restrict(&self, fine: &[f64], coarse: [usize; 3], out: &mut [f64]) {
        out.fill(0.0);
        self.for_each_pair(coarse, |cell, pair| out[pair] += fine[cell]);
    }

    fn prolong(&self, coarse: [usize; 3], values: &[f64], out: &mut [f64]) {
        self.for_each_pair(coarse, |cell, pair| out[cell] += values[pair]);
    }

    /// A sweep of Gauss–Seidel, in the order of the cells or against it.
    fn sweep(&self, b: &[f64], x: &mut [f64], forward: bool) {
        let (nx, rows) = (self.count[0], self.count[1] * self.count[2]);
        let (zeros, mut known) = (vec![0.0; nx], vec![0.0; nx]);
        for step in 0..rows {
            let at = if forward { step } else { rows - 1 - step };
            let (from, to) = (at * nx, at * nx + nx);
            let (low, rest) = x.split_at_mut(from);
            let (row, high) = rest.split_at_mut(nx);
            let values = |r: usize| if r < at { &low[r * nx..r * nx + nx] } else { &high[(r - at - 1) * nx..(r - at) * nx] };
            let around = self.around(at, &zeros, values);
            let (b, inverse, kx) = (&b[from..to], &self.inverse[from..to], &self.up[0][from..to]);
            // all but the neighbour that this sweep has just been to, side by side; then that one, in turn
            let known = &mut known[..nx];
            around.sums(known);
            if forward {
                for i in 0..nx - 1 {
                    known[i] += b[i] + kx[i] * row[i + 1];
                }
                known[nx - 1] += b[nx - 1];
                // the line closes on itself where its ends are joined
                known[0] += kx[nx - 1] * row[nx - 1];
                let mut flow = 0.0;
                for i in 0..nx {
                    let joined = if i + 1 == nx { kx[i] * row[0] } else { 0.0 };
                    row[i] = (known[i] + joined + flow) * inverse[i];
                    flow = kx[i] * row[i];
                }
            } else {
                known[0] += b[0];
                for i in 1..nx {
                    known[i] += b[i] + kx[i - 1] * row[i - 1];
                }
                known[nx - 1] += kx[nx - 1] * row[0];
                let mut flow = 0.0;
                for i in (0..nx).rev() {
                    let joined = if i == 0 { kx[nx - 1] * row[nx - 1] } else { 0.0 };
                    row[i] = (known[i] + joined + flow) * inverse[i];
                    flow = if i > 0 { kx[i - 1] * row[i] } else { 0.0 };
                }
            }
        }
    }

    fn around<'a>(&'a self, at: usize, zeros: &'a [f64], values: impl Fn(usize) -> &'a [f64]) -> Around<'a> {
        let nx = self.count[0];
        let place = [at % self.count[1], at / self.count[1]];
        let side = |axis: usize, high: bool| match self.beside(place, axis, high) {
            Some((row, leads)) => (values(row), &self.up[axis][leads * nx..leads * nx + nx]),
            None => (zeros, zeros),
        };
        Around { rows: [side(1, false), side(1, true), side(2, false), side(2, true)] }
    }

    fn residual(&self, b: &[f64], x: &[f64], r: &mut [f64]) {
        self.multiply(x, r);
        r.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r);
    }
}

impl Around<'_> {
    /// Σ conductance × neighbour along y and z, for each cell of the row.
    fn sums(&self, out: &mut [f64]) {
        let n = out.len();
        let [(a, ka), (b, kb), (c, kc), (d, kd)] = self.rows.map(|(x, k)| (&x[..n], &k[..n]));
        for i in 0..n {
            out[i] = a[i] * ka[i] + b[i] * kb[i] + c[i] * kc[i] + d[i] * kd[i];
        }
    }

    /// own × x + Σ conductance × difference along y and z, for each cell of the row.
    fn outflow(&self, own: &[f64], x: &[f64], out: &mut [f64]) {
        let n = out.len();
        let [(a, ka), (b, kb), (c, kc), (d, kd)] = self.rows.map(|(x, k)| (&x[..n], &k[..n]));
        let (own, x) = (&own[..n], &x[..n]);
        for i in 0..n {
            out[i] =
                own[i] * x[i] + ka[i] * (x[i] - a[i]) + kb[i] * (x[i] - b[i]) + kc[i] * (x[i] - c[i]) + kd[i] * (x[i] - d[i]);
        }
    }
}

impl Operator for Level {
    fn size(&self) -> usize {
        self.len()
    }

    fn multiply(&self, x: &[f64], y: &mut [f64]) {
        let (nx, rows) = (self.count[0], self.count[1] * self.count[2]);
        let zeros = vec![0.0; nx];
        for at in 0..rows {
            let (from, to) = (at * nx, at * nx + nx);
            let around = self.around(at, &zeros, |r| &x[r * nx..r * nx + nx]);
            let (x, y, own, kx) = (&x[from..to], &mut y[from..to], &self.own[from..to], &self.up[0][from..to]);
            around.outflow(own, x, y);
            for i in 0..nx - 1 {
                y[i] += kx[i] * (x[i] - x[i + 1]);
            }
            for i in 1..nx {
                y[i] -= kx[i - 1] * (x[i - 1] - x[i]);
            }
            let flow = kx[nx - 1] * (x[nx - 1] - x[0]);
            y[nx - 1] += flow;
            y[0] -= flow;
        }
    }
}
