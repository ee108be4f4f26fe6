//! Symmetric matrices over a fixed graph. The lower triangle is stored by columns (sprs), each column led by its
//! diagonal; an edge knows its slot, so that refilling the values needs no search. No solver here.

use std::sync::Arc;

use sprs::CsMat;

use crate::columns::Columns;
use crate::error::{SparseError, check_vector};

/// The graph of a symmetric matrix: nodes and edges, and where each has its value.
#[derive(Debug, PartialEq, Eq)]
pub struct SymmetricPattern {
    edges: Vec<(usize, usize)>,
    edge_slots: Vec<usize>,
    columns: Columns,
}

impl SymmetricPattern {
    /// The pattern of a matrix of this size with these off-diagonal entries (each stands for both (i, j) and (j, i)) and
    /// a full diagonal. Edges may repeat; their values then add up.
    ///
    /// # Errors
    /// [`SparseError::IndexOutOfRange`], [`SparseError::SelfEdge`].
    pub fn from_edges(size: usize, edges: &[(usize, usize)]) -> Result<Arc<Self>, SparseError> {
        for (k, &(i, j)) in edges.iter().enumerate() {
            if i >= size || j >= size {
                return Err(SparseError::IndexOutOfRange { entry: k, row: i, column: j, size });
            }
            if i == j {
                return Err(SparseError::SelfEdge { edge: k, node: i });
            }
        }
        // by columns, by counting; within each by row, equal ones in turn
        let place = |k: usize| (edges[k].0.min(edges[k].1), edges[k].0.max(edges[k].1));
        let mut ends = vec![0; size];
        (0..edges.len()).for_each(|k| ends[place(k).0] += 1);
        let mut sum = 0;
        ends.iter_mut().for_each(|end| {
            let count = *end;
            *end = sum;
            sum += count;
        });
        let mut order = vec![(0, 0); edges.len()];
        for k in 0..edges.len() {
            let (column, row) = place(k);
            order[ends[column]] = (row, k);
            ends[column] += 1;
        }

        let mut edge_slots = vec![0; edges.len()];
        let mut column_starts = Vec::with_capacity(size + 1);
        let mut rows = Vec::with_capacity(size + edges.len());
        let mut first = 0;
        for (column, &end) in ends.iter().enumerate() {
            column_starts.push(rows.len());
            rows.push(column);
            let own = &mut order[first..end];
            own.sort_unstable();
            for &(row, k) in own.iter() {
                if rows[rows.len() - 1] != row {
                    rows.push(row);
                }
                edge_slots[k] = rows.len() - 1;
            }
            first = end;
        }
        column_starts.push(rows.len());
        Ok(Arc::new(Self { edges: edges.to_vec(), edge_slots, columns: Columns { starts: column_starts, rows } }))
    }

    /// Number of rows and columns.
    pub fn size(&self) -> usize {
        self.columns.size()
    }

    /// The edges as given.
    pub fn edges(&self) -> &[(usize, usize)] {
        &self.edges
    }

    /// Stored entries: the diagonal and one triangle.
    pub fn stored(&self) -> usize {
        self.columns.stored()
    }

    /// Where the entries are, the lower triangle by columns: the first of each column is its diagonal, then rows rise.
    pub(crate) fn columns(&self) -> &Columns {
        &self.columns
    }
}

/// A symmetric matrix over a [`SymmetricPattern`].
#[derive(Clone, Debug)]
pub struct SymmetricMatrix {
    pattern: Arc<SymmetricPattern>,
    lower: CsMat<f64>,
    /// Sum of each row as it was filled, without what conductances between nodes give to the diagonal and take off it: a small one beside large
    /// conductances keeps its digits.
    row_sums: Vec<f64>,
}

impl SymmetricMatrix {
    /// The matrix of this pattern with all values 0.
    pub fn zeros(pattern: &Arc<SymmetricPattern>) -> Self {
        Self { pattern: Arc::clone(pattern), lower: pattern.columns.zeros(), row_sums: vec![0.0; pattern.size()] }
    }

    /// The pattern.
    pub fn pattern(&self) -> &Arc<SymmetricPattern> {
        &self.pattern
    }

    /// Number of rows and columns.
    pub fn size(&self) -> usize {
        self.pattern.size()
    }

    /// The lower triangle with the diagonal, by columns.
    pub fn lower(&self) -> &CsMat<f64> {
        &self.lower
    }

    /// Values in the order of the stored entries.
    pub(crate) fn values(&self) -> &[f64] {
        self.lower.data()
    }

    /// Sets all values to 0, ready to be filled again.
    pub fn clear(&mut self) {
        self.lower.data_mut().fill(0.0);
        self.row_sums.fill(0.0);
    }

    /// Adds to the entry of an edge, (i, j) and (j, i) alike.
    pub fn add(&mut self, edge: usize, value: f64) {
        let (i, j) = self.pattern.edges[edge];
        self.add_beside(edge, value);
        self.row_sums[i] += value;
        self.row_sums[j] += value;
    }

    /// Adds to a diagonal entry.
    pub fn add_diagonal(&mut self, node: usize, value: f64) {
        self.add_on(node, value);
        self.row_sums[node] += value;
    }

    /// Adds a conductance along an edge: + on both diagonals, − between, as in a graph Laplacian.
    pub fn add_conductance(&mut self, edge: usize, value: f64) {
        let (i, j) = self.pattern.edges[edge];
        self.add_beside(edge, -value);
        self.add_on(i, value);
        self.add_on(j, value);
    }

    fn add_beside(&mut self, edge: usize, value: f64) {
        let slot = self.pattern.edge_slots[edge];
        self.lower.data_mut()[slot] += value;
    }

    fn add_on(&mut self, node: usize, value: f64) {
        let slot = self.pattern.columns.starts[node];
        self.lower.data_mut()[slot] += value;
    }

    /// Sum of each row: for a Laplacian what joins a node to what is held.
    pub(crate) fn row_sums(&self) -> &[f64] {
        &self.row_sums
    }

    /// Entries below the diagonal: row, column, value.
    pub(crate) fn off_diagonal(&self) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
        let columns = &self.pattern.columns;
        let slots = move |column: usize| columns.starts[column] + 1..columns.starts[column + 1];
        (0..self.size()).flat_map(move |column| slots(column).map(move |slot| (columns.rows[slot], column, self.values()[slot])))
    }

    /// Adds a multiple of another matrix of the same pattern.
    ///
    /// # Errors
    /// [`SparseError::OtherPattern`].
    pub fn add_scaled(&mut self, factor: f64, other: &Self) -> Result<(), SparseError> {
        if !Arc::ptr_eq(&self.pattern, &other.pattern) && *self.pattern != *other.pattern {
            return Err(SparseError::OtherPattern);
        }
        self.lower.data_mut().iter_mut().zip(other.values()).for_each(|(a, b)| *a += factor * b);
        self.row_sums.iter_mut().zip(&other.row_sums).for_each(|(a, b)| *a += factor * b);
        Ok(())
    }

    /// A diagonal entry.
    pub fn diagonal(&self, node: usize) -> f64 {
        self.values()[self.pattern.columns.starts[node]]
    }

    /// Holds unknowns at known values (electrodes, walls of fixed temperature): their equations become
    /// `unknown = value`, and what they give to others moves to the right-hand side. The matrix stays symmetric, and
    /// positive definite if it was so on the others. One pass over the stored entries; the pattern stays.
    ///
    /// # Errors
    /// [`SparseError::Length`], [`SparseError::NonFiniteVector`] for a value that is not finite.
    pub fn hold(&mut self, known: &[Option<f64>], rhs: &mut [f64]) -> Result<(), SparseError> {
        let n = self.size();
        for (what, found) in [("list of held values", known.len()), ("right-hand side", rhs.len())] {
            if found != n {
                return Err(SparseError::Length { what, expected: n, found });
            }
        }
        for (row, value) in known.iter().enumerate().filter_map(|(row, k)| k.map(|v| (row, v))) {
            if !value.is_finite() {
                return Err(SparseError::NonFiniteVector { what: "list of held values", row, value });
            }
        }
        let pattern = Arc::clone(&self.pattern);
        let values = self.lower.data_mut();
        for column in 0..n {
            let start = pattern.columns.starts[column];
            for slot in start + 1..pattern.columns.starts[column + 1] {
                let row = pattern.columns.rows[slot];
                let (free, value) = match (known[row], known[column]) {
                    (None, None) => continue,
                    (Some(value), None) => (column, value),
                    (None, Some(value)) => (row, value),
                    (Some(_), Some(_)) => {
                        values[slot] = 0.0;
                        continue;
                    }
                };
                rhs[free] -= values[slot] * value;
                self.row_sums[free] -= values[slot];
                values[slot] = 0.0;
            }
            if known[column].is_some() {
                values[start] = 1.0;
                self.row_sums[column] = 1.0;
            }
        }
        for (r, value) in rhs.iter_mut().zip(known) {
            *r = value.unwrap_or(*r);
        }
        Ok(())
    }

    /// `y = A x`.
    ///
    /// # Errors
    /// [`SparseError::Length`], [`SparseError::NonFiniteVector`].
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) -> Result<(), SparseError> {
        check_vector("vector to multiply", x, self.size())?;
        if y.len() != self.size() {
            return Err(SparseError::Length { what: "result", expected: self.size(), found: y.len() });
        }
        self.multiply_unchecked(x, y);
        Ok(())
    }

    /// `y = A x` for vectors of the right length.
    pub(crate) fn multiply_unchecked(&self, x: &[f64], y: &mut [f64]) {
        let (starts, rows, values) = (&self.pattern.columns.starts, &self.pattern.columns.rows, self.values());
        y.fill(0.0);
        for column in 0..x.len() {
            let start = starts[column];
            let mut sum = values[start] * x[column];
            for slot in start + 1..starts[column + 1] {
                let row = rows[slot];
                y[row] += values[slot] * x[column];
                sum += values[slot] * x[row];
            }
            y[column] += sum;
        }
    }

    /// Checks that all values are finite.
    pub(crate) fn check_finite(&self) -> Result<(), SparseError> {
        self.pattern.columns.check_finite(self.values())
    }
}
