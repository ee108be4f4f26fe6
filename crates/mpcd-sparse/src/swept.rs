//! Conjugate gradients preconditioned by a symmetric sweep, in the arrangement of Eisenstat (1981, doi:10.1137/0902001): a backward and a forward
//! substitution do the work of a product and a preconditioner. No physics, no judgement of the solution: the caller computes its own residual.
//!
//! # The preconditioner
//! M = (D + L) D⁻¹ (D + Lᵀ) with L what is below the diagonal of A and D the pivots of an incomplete factorisation without fill. What would fill is
//! dropped, and [`LUMPED`] of it is taken from the diagonal instead (relaxed incomplete factorisation: Axelsson and Lindskog 1986,
//! doi:10.1007/BF01389447). For an M-matrix the pivots are above zero; where they are not, nothing is lumped and the diagonal is raised until they are
//! (Manteuffel 1980).
//!
//! # An iteration
//! Scaled so that D is 1, A = (1 + L) + (1 + Lᵀ) + K with K = diag(A) − 2. The gradients run on (1 + L)⁻¹ A (1 + Lᵀ)⁻¹, whose product with p is
//! t + (1 + L)⁻¹(p + K t), t = (1 + Lᵀ)⁻¹ p. So every coupling is read twice an iteration, not four times, and t is the direction of x itself.
//!
//! # The order
//! Rows are laid by levels: one that couples with none before it is of level 0, else one above the highest of those. Rows of a level do not wait for each
//! other, and stand by how many couplings they have, so that the processor foresees where each ends. The sweep is that of the order given.

use crate::error::{SparseError, check_vector};
use crate::precondition::check_diagonal;
use crate::reduce::{max_abs, sum_by};
use crate::symmetric::SymmetricMatrix;

/// Part of the dropped fill that the diagonal bears. All of it helps on even grids and fails in networks numbered at random (20,000 balls, to 1e-11: 61
/// iterations with 0, 55 with 0.8, 54 with 0.95, 255 with 1; numbered at random 78, 79, 89 and none).
const LUMPED: f64 = 0.8;

/// Couplings beyond which rows are not told apart by their number.
const MANY: usize = 15;

/// Couplings of each row with those before it, or after it.
#[derive(Clone, Debug, Default)]
struct Rows {
    starts: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
    /// Where runs of rows of one level with as many couplings each begin, and the number of rows.
    runs: Vec<u32>,
}

/// What a substitution does with the rows of a run.
trait Substitute {
    /// Takes a row with its couplings.
    fn row(&mut self, place: usize, columns: &[u32], values: &[f64]);
}

/// Σ values · x[columns], one after the other.
#[inline(always)]
fn product(columns: &[u32], values: &[f64], x: &[f64]) -> f64 {
    columns.iter().zip(values).fold(0.0, |sum, (column, value)| sum + value * x[*column as usize])
}

impl Rows {
    /// Makes room for the couplings counted.
    fn lay(&mut self, counts: impl Iterator<Item = u32>) {
        self.starts.clear();
        self.starts.push(0);
        let mut sum = 0;
        self.starts.extend(counts.map(|count| {
            sum += count;
            sum
        }));
        self.columns.clear();
        self.columns.resize(sum as usize, 0);
        self.values.clear();
        self.values.resize(sum as usize, 0.0);
    }

    fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }

    /// Σ of the couplings of a row times what they couple with.
    fn product(&self, row: usize, x: &[f64]) -> f64 {
        let range = self.range(row);
        product(&self.columns[range.clone()], &self.values[range], x)
    }

    /// Finds the runs; `ends` says where levels end.
    fn find_runs(&mut self, ends: impl Fn(usize) -> bool) {
        let Self { starts, runs, .. } = self;
        let rows = starts.len() - 1;
        let count = |row: usize| starts[row + 1] - starts[row];
        runs.clear();
        runs.extend((0..rows).filter(|&row| row == 0 || ends(row - 1) || count(row) != count(row - 1)).map(|row| row as u32));
        runs.push(rows as u32);
    }

    /// Goes over the rows of a run: the processor need not guess where each ends.
    #[inline(always)]
    fn over_run(&self, run: usize, to: &mut impl Substitute) {
        let rows = self.runs[run] as usize..self.runs[run + 1] as usize;
        let slots = self.starts[rows.start] as usize..self.starts[rows.end] as usize;
        let count = slots.len() / rows.len().max(1);
        let (columns, values) = (&self.columns[slots.clone()], &self.values[slots]);
        match count {
            0 => rows.for_each(|row| to.row(row, &[], &[])),
            1 => each::<1>(rows, columns, values, to),
            2 => each::<2>(rows, columns, values, to),
            3 => each::<3>(rows, columns, values, to),
            4 => each::<4>(rows, columns, values, to),
            5 => each::<5>(rows, columns, values, to),
            6 => each::<6>(rows, columns, values, to),
            7 => each::<7>(rows, columns, values, to),
            8 => each::<8>(rows, columns, values, to),
            _ => {
                let own = columns.chunks_exact(count).zip(values.chunks_exact(count));
                rows.zip(own).for_each(|(row, (columns, values))| to.row(row, columns, values));
            }
        }
    }

    /// Scales rows and columns.
    fn scale(&mut self, by: &[f64]) {
        for row in 0..by.len() {
            for m in self.range(row) {
                self.values[m] *= by[row] * by[self.columns[m] as usize];
            }
        }
    }
}

/// The rows of a run with `N` couplings each.
#[inline(always)]
fn each<const N: usize>(rows: std::ops::Range<usize>, columns: &[u32], values: &[f64], to: &mut impl Substitute) {
    let own = columns.as_chunks::<N>().0.iter().zip(values.as_chunks::<N>().0);
    rows.zip(own).for_each(|(row, (columns, values))| to.row(row, columns, values));
}

/// The next direction, and what the backward substitution makes of it.
struct Backward<'a> {
    turn: f64,
    r: &'a [f64],
    p: &'a mut [f64],
    t: &'a mut [f64],
}

impl Substitute for Backward<'_> {
    #[inline(always)]
    fn row(&mut self, place: usize, columns: &[u32], values: &[f64]) {
        let direction = self.r[place] + self.turn * self.p[place];
        self.p[place] = direction;
        self.t[place] = direction - product(columns, values, self.t);
    }
}

/// The forward substitution of the product with the direction, and the curvature along it.
struct Forward<'a> {
    beyond: &'a [f64],
    p: &'a [f64],
    t: &'a [f64],
    u: &'a mut [f64],
    sums: [f64; 4],
}

impl Substitute for Forward<'_> {
    #[inline(always)]
    fn row(&mut self, place: usize, columns: &[u32], values: &[f64]) {
        let (p, t) = (self.p[place], self.t[place]);
        let own = p + self.beyond[place] * t - product(columns, values, self.u);
        self.u[place] = own;
        self.sums[place % 4] += p * (own + t);
    }
}

/// The solver, with the matrix as it reads it. All memory is kept.
#[derive(Clone, Debug, Default)]
pub struct SweptGradients {
    /// Row of the matrix that stands at each place.
    order: Vec<u32>,
    before: Rows,
    after: Rows,
    /// 1/√D.
    scale: Vec<f64>,
    /// Diagonal of the scaled matrix less 2.
    beyond: Vec<f64>,
    /// Solution, residual behind the forward substitution, direction, what the backward and the forward substitution make of it.
    x: Vec<f64>,
    r: Vec<f64>,
    p: Vec<f64>,
    t: Vec<f64>,
    u: Vec<f64>,
    /// Per row of the matrix: its level, how many couplings with rows before and after it, its place.
    levels: Vec<u32>,
    counts: [Vec<u32>; 2],
    places: Vec<u32>,
    sorted: Vec<u32>,
    starts: Vec<u32>,
}

impl SweptGradients {
    /// Takes a matrix. Whether it took one before changes no bit.
    ///
    /// # Errors
    /// [`SparseError::NotPositiveDefinite`] where a diagonal entry is not above zero or so small that no shift helps,
    /// [`SparseError::NonFiniteMatrix`], [`SparseError::TooLarge`].
    pub fn update(&mut self, matrix: &SymmetricMatrix) -> Result<(), SparseError> {
        check_diagonal(matrix)?;
        if u32::try_from(matrix.pattern().stored()).is_err() {
            return Err(matrix.pattern().columns().too_large());
        }
        self.sort(matrix);
        self.read(matrix);
        self.factorise(matrix)?;
        self.before.scale(&self.scale);
        self.after.scale(&self.scale);
        Ok(())
    }

    /// Lays the rows by levels, by the number of couplings with rows before and after within each.
    fn sort(&mut self, matrix: &SymmetricMatrix) {
        let n = matrix.size();
        let [before, after] = &mut self.counts;
        for column in [&mut self.levels, &mut *before, &mut *after] {
            column.clear();
            column.resize(n, 0);
        }
        for (row, column, _) in couplings(matrix) {
            after[column] += 1;
            before[row] += 1;
            self.levels[row] = self.levels[row].max(self.levels[column] + 1);
        }
        let depth = self.levels.iter().max().map_or(0, |most| *most as usize + 1);
        let few = |counts: &[u32], row: u32| (counts[row as usize] as usize).min(MANY);
        let Self { order, sorted, levels, counts: [before, after], starts, .. } = self;
        order.clear();
        order.extend(0..n as u32);
        by_counting(order, sorted, (starts, MANY + 1), |row| few(after, row));
        by_counting(sorted, order, (starts, MANY + 1), |row| few(before, row));
        by_counting(order, sorted, (starts, depth), |row| levels[row as usize] as usize);
        std::mem::swap(order, sorted);
    }

    /// Reads the couplings into their places.
    fn read(&mut self, matrix: &SymmetricMatrix) {
        let Self { order, before, after, counts: [earlier, later], places, levels, .. } = self;
        places.clear();
        places.resize(order.len(), 0);
        order.iter().enumerate().for_each(|(place, row)| places[*row as usize] = place as u32);
        before.lay(order.iter().map(|row| earlier[*row as usize]));
        after.lay(order.iter().map(|row| later[*row as usize]));
        for (row, column, value) in couplings(matrix) {
            for (rows, counts, own, other) in
                [(&mut *before, &mut *earlier, row, column), (&mut *after, &mut *later, column, row)]
            {
                // from the end of the row's room to its start
                counts[own] -= 1;
                let slot = (rows.starts[places[own] as usize] + counts[own]) as usize;
                rows.columns[slot] = places[other];
                rows.values[slot] = value;
            }
        }
        let level = |place: usize| levels[order[place] as usize];
        let ends = |place: usize| level(place) != level(place + 1);
        before.find_runs(ends);
        after.find_runs(ends);
    }

    /// The pivots, into `scale`, and what the diagonal has beyond two of them.
    fn factorise(&mut self, matrix: &SymmetricMatrix) -> Result<(), SparseError> {
        let (mut lumped, mut shift) = (LUMPED, 0.0);
        while let Err(place) = self.pivots(matrix, lumped, shift) {
            if shift > 1e100 {
                let row = self.order[place] as usize;
                return Err(SparseError::NotPositiveDefinite { row, pivot: f64::NAN, diagonal: matrix.diagonal(row) });
            }
            // a large enough shift makes the matrix diagonally dominant, so this ends
            (lumped, shift) = match (lumped, shift) {
                (0.0, 0.0) => (0.0, 1e-3),
                (0.0, _) => (0.0, 2.0 * shift),
                _ => (0.0, 0.0),
            };
        }
        self.beyond.clear();
        for (place, row) in self.order.iter().enumerate() {
            let pivot = self.scale[place];
            self.beyond.push(matrix.diagonal(*row as usize) / pivot - 2.0);
            self.scale[place] = 1.0 / pivot.sqrt();
        }
        Ok(())
    }

    /// The pivots, row by row; the place of the first that is not above zero where there is one.
    fn pivots(&mut self, matrix: &SymmetricMatrix, lumped: f64, shift: f64) -> Result<(), usize> {
        let pivots = &mut self.scale;
        pivots.clear();
        pivots.extend(self.order.iter().map(|row| matrix.diagonal(*row as usize) * (1.0 + shift)));
        for place in 0..pivots.len() {
            let pivot = pivots[place];
            if !(pivot > 0.0 && pivot.is_finite()) {
                return Err(place);
            }
            let range = self.after.range(place);
            let (columns, values) = (&self.after.columns[range.clone()], &self.after.values[range]);
            let whole: f64 = values.iter().sum();
            for (column, value) in columns.iter().zip(values) {
                // of the fill between the rows that this one couples, each bears what is in its own row
                pivots[*column as usize] -= value / pivot * (value + lumped * (whole - value));
            }
        }
        Ok(())
    }

    /// Solves A x = b from x = 0 until Σ|b − A x| as the iteration carries it is at most `rest`, and returns the iterations. `x` is only written.
    /// Not to come so far is no error: the iterations have run out, or a direction had no positive curvature.
    ///
    /// # Errors
    /// [`SparseError::Length`], [`SparseError::NonFiniteVector`].
    pub fn solve(&mut self, b: &[f64], x: &mut [f64], rest: f64, max_iterations: u64) -> Result<u64, SparseError> {
        let n = self.order.len();
        check_vector("right-hand side", b, n)?;
        if x.len() != n {
            return Err(SparseError::Length { what: "solution", expected: n, found: x.len() });
        }
        x.fill(0.0);
        // so that no square is beyond the range of numbers
        let unit = max_abs(b);
        let total = sum_by(n, |i| (b[i] / unit).abs());
        let goal = rest / unit;
        if unit == 0.0 || total <= goal {
            return Ok(0);
        }
        self.start(b, unit);
        let mut square = sum_by(n, |i| self.r[i] * self.r[i]);
        // in the norm of the iteration, as if the residual kept its shape
        let mut target = square * (goal / total).powi(2);
        let (mut iterations, mut turn) = (0, 0.0);
        while iterations < max_iterations {
            self.backward(turn);
            let curvature = self.forward();
            if curvature.is_nan() || curvature <= 0.0 {
                break;
            }
            let next = self.advance(square / curvature);
            iterations += 1;
            turn = next / square;
            square = next;
            if square <= target {
                let left = self.carried();
                if left <= goal || square == 0.0 {
                    break;
                }
                target = square * (goal / left).powi(2).clamp(0.01, 0.5);
            }
        }
        for (place, row) in self.order.iter().enumerate() {
            x[*row as usize] = self.x[place] * self.scale[place] * unit;
        }
        Ok(iterations)
    }

    /// The residual of x = 0 behind the forward substitution.
    fn start(&mut self, b: &[f64], unit: f64) {
        let n = self.order.len();
        for column in [&mut self.x, &mut self.r, &mut self.p, &mut self.t, &mut self.u] {
            column.clear();
            column.resize(n, 0.0);
        }
        for place in 0..n {
            let own = b[self.order[place] as usize] / unit * self.scale[place];
            self.r[place] = own - self.before.product(place, &self.r);
        }
    }

    /// The next direction, and what the backward substitution makes of it.
    fn backward(&mut self, turn: f64) {
        let Self { after, r, p, t, .. } = self;
        let mut rows = Backward { turn, r, p, t };
        (0..after.runs.len() - 1).rev().for_each(|run| after.over_run(run, &mut rows));
    }

    /// The forward substitution of the product with the direction, and the curvature along it.
    fn forward(&mut self) -> f64 {
        let Self { before, beyond, p, t, u, .. } = self;
        let mut rows = Forward { beyond, p, t, u, sums: [0.0; 4] };
        (0..before.runs.len() - 1).for_each(|run| before.over_run(run, &mut rows));
        let [a, b, c, d] = rows.sums;
        (a + b) + (c + d)
    }

    /// Goes along the direction and returns the square of the residual.
    fn advance(&mut self, step: f64) -> f64 {
        let Self { x, r, t, u, .. } = self;
        let mut sums = [0.0; 4];
        for (place, ((x, r), (t, u))) in x.iter_mut().zip(r).zip(t.iter().zip(u)).enumerate() {
            *x += step * t;
            *r -= step * (*u + t);
            sums[place % 4] += *r * *r;
        }
        (sums[0] + sums[1]) + (sums[2] + sums[3])
    }

    /// Σ of the residual of the matrix itself, in absolute values, as it is carried along.
    fn carried(&self) -> f64 {
        sum_by(self.r.len(), |place| ((self.r[place] + self.before.product(place, &self.r)) / self.scale[place]).abs())
    }
}

/// The couplings of a matrix that are not zero, by columns: row, column, value.
fn couplings(matrix: &SymmetricMatrix) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
    let (columns, values) = (matrix.pattern().columns(), matrix.values());
    (0..matrix.size())
        .flat_map(move |column| (columns.starts[column] + 1..columns.starts[column + 1]).map(move |slot| (column, slot)))
        .filter(move |(_, slot)| values[*slot] != 0.0)
        .map(move |(column, slot)| (columns.rows[slot], column, values[slot]))
}

/// Puts the numbers of `from` into `to` by rising keys below `keys`; those of one key stay in turn. `starts` is memory.
fn by_counting(from: &[u32], to: &mut Vec<u32>, (starts, keys): (&mut Vec<u32>, usize), key: impl Fn(u32) -> usize) {
    starts.clear();
    starts.resize(keys + 1, 0);
    from.iter().for_each(|i| starts[key(*i) + 1] += 1);
    (0..keys).for_each(|k| starts[k + 1] += starts[k]);
    to.clear();
    to.resize(from.len(), 0);
    for &i in from {
        let slot = &mut starts[key(i)];
        to[*slot as usize] = i;
        *slot += 1;
    }
}
