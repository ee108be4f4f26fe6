//! Square matrices that are not symmetric, over a fixed pattern, stored by columns (sprs). No solver here.

use std::sync::Arc;

use sprs::CsMat;

use crate::columns::Columns;
use crate::error::SparseError;
use crate::symmetric::SymmetricMatrix;

/// The entries of a square matrix and where each has its value.
#[derive(Debug, PartialEq, Eq)]
pub struct GeneralPattern {
    entry_slots: Vec<usize>,
    columns: Columns,
}

impl GeneralPattern {
    /// The pattern of a matrix of this size with these entries (row, column). Entries may repeat; their values then
    /// add up.
    ///
    /// # Errors
    /// [`SparseError::IndexOutOfRange`].
    pub fn from_entries(size: usize, entries: &[(usize, usize)]) -> Result<Arc<Self>, SparseError> {
        if let Some(k) = entries.iter().position(|&(i, j)| i >= size || j >= size) {
            let (row, column) = entries[k];
            return Err(SparseError::IndexOutOfRange { entry: k, row, column, size });
        }
        let mut order: Vec<usize> = (0..entries.len()).collect();
        order.sort_unstable_by_key(|&k| (entries[k].1, entries[k].0, k));
        let mut entry_slots = vec![0; entries.len()];
        let mut column_starts = Vec::with_capacity(size + 1);
        let mut rows = Vec::with_capacity(entries.len());
        let mut next = order.into_iter().peekable();
        for column in 0..size {
            let start = rows.len();
            column_starts.push(start);
            while let Some(k) = next.next_if(|&k| entries[k].1 == column) {
                if rows.len() == start || rows[rows.len() - 1] != entries[k].0 {
                    rows.push(entries[k].0);
                }
                entry_slots[k] = rows.len() - 1;
            }
        }
        column_starts.push(rows.len());
        Ok(Arc::new(Self { entry_slots, columns: Columns { starts: column_starts, rows } }))
    }

    /// Number of rows and columns.
    pub fn size(&self) -> usize {
        self.columns.size()
    }

    /// Stored entries.
    pub fn stored(&self) -> usize {
        self.columns.stored()
    }

    /// Where the entries are: rows rise in each column.
    pub(crate) fn columns(&self) -> &Columns {
        &self.columns
    }
}

/// A square matrix over a [`GeneralPattern`].
#[derive(Clone, Debug)]
pub struct GeneralMatrix {
    pattern: Arc<GeneralPattern>,
    matrix: CsMat<f64>,
}

impl GeneralMatrix {
    /// The matrix of this pattern with all values 0.
    pub fn zeros(pattern: &Arc<GeneralPattern>) -> Self {
        Self { pattern: Arc::clone(pattern), matrix: pattern.columns.zeros() }
    }

    /// The pattern.
    pub fn pattern(&self) -> &Arc<GeneralPattern> {
        &self.pattern
    }

    /// Number of rows and columns.
    pub fn size(&self) -> usize {
        self.pattern.size()
    }

    /// The matrix, by columns.
    pub fn as_sprs(&self) -> &CsMat<f64> {
        &self.matrix
    }

    /// Values in the order of the stored entries.
    pub(crate) fn values(&self) -> &[f64] {
        self.matrix.data()
    }

    /// Sets all values to 0, ready to be filled again.
    pub fn clear(&mut self) {
        self.matrix.data_mut().fill(0.0);
    }

    /// Adds to an entry, by its number in the list that made the pattern.
    pub fn add(&mut self, entry: usize, value: f64) {
        let slot = self.pattern.entry_slots[entry];
        self.matrix.data_mut()[slot] += value;
    }

    /// Adds a multiple of a symmetric matrix, all of whose entries must be in this pattern.
    ///
    /// # Errors
    /// [`SparseError::OtherPattern`].
    pub fn add_symmetric(&mut self, factor: f64, other: &SymmetricMatrix) -> Result<(), SparseError> {
        if other.size() != self.size() {
            return Err(SparseError::OtherPattern);
        }
        let Columns { starts, rows } = &self.pattern.columns;
        let slot = |row: usize, column: usize| {
            let range = starts[column]..starts[column + 1];
            rows[range.clone()].binary_search(&row).map(|k| range.start + k).map_err(|_| SparseError::OtherPattern)
        };
        let Columns { starts: lower_starts, rows: lower_rows } = other.pattern().columns();
        for column in 0..other.size() {
            for k in lower_starts[column]..lower_starts[column + 1] {
                let (row, value) = (lower_rows[k], factor * other.values()[k]);
                self.matrix.data_mut()[slot(row, column)?] += value;
                if row != column {
                    self.matrix.data_mut()[slot(column, row)?] += value;
                }
            }
        }
        Ok(())
    }

    /// Makes the equations of the marked unknowns `unknown = right-hand side` and takes them out of the others. Their diagonal must
    /// be in the pattern.
    ///
    /// # Errors
    /// [`SparseError::Length`].
    pub fn isolate(&mut self, marked: &[bool]) -> Result<(), SparseError> {
        let n = self.size();
        if marked.len() != n {
            return Err(SparseError::Length { what: "list of isolated unknowns", expected: n, found: marked.len() });
        }
        let Columns { starts, rows } = &self.pattern.columns;
        let values = self.matrix.data_mut();
        for column in 0..n {
            for slot in starts[column]..starts[column + 1] {
                if marked[column] || marked[rows[slot]] {
                    values[slot] = f64::from(u8::from(rows[slot] == column));
                }
            }
        }
        Ok(())
    }

    /// `y = A x`.
    ///
    /// # Errors
    /// [`SparseError::Length`].
    pub fn multiply(&self, x: &[f64], y: &mut [f64]) -> Result<(), SparseError> {
        for (what, found) in [("vector to multiply", x.len()), ("result", y.len())] {
            if found != self.size() {
                return Err(SparseError::Length { what, expected: self.size(), found });
            }
        }
        y.fill(0.0);
        for column in 0..x.len() {
            for slot in self.pattern.columns.starts[column]..self.pattern.columns.starts[column + 1] {
                y[self.pattern.columns.rows[slot]] += self.values()[slot] * x[column];
            }
        }
        Ok(())
    }

    /// Checks that all values are finite.
    pub(crate) fn check_finite(&self) -> Result<(), SparseError> {
        self.pattern.columns.check_finite(self.values())
    }
}
