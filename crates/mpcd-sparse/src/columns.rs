//! Where the entries of a matrix stored by columns are: what symmetric and general patterns share. No values, no meaning.

use faer::sparse::SymbolicSparseColMatRef;
use sprs::CsMat;

use crate::error::SparseError;

/// Starts of the columns, one more than there are, and the row of each stored entry.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Columns {
    pub(crate) starts: Vec<usize>,
    pub(crate) rows: Vec<usize>,
}

impl Columns {
    /// Number of columns.
    pub(crate) fn size(&self) -> usize {
        self.starts.len() - 1
    }

    /// Stored entries.
    pub(crate) fn stored(&self) -> usize {
        self.rows.len()
    }

    /// The square matrix of these entries with all values 0.
    pub(crate) fn zeros(&self) -> CsMat<f64> {
        let n = self.size();
        CsMat::new_csc((n, n), self.starts.clone(), self.rows.clone(), vec![0.0; self.stored()])
    }

    /// The same as faer sees it.
    pub(crate) fn structure(&self) -> SymbolicSparseColMatRef<'_, usize> {
        let n = self.size();
        SymbolicSparseColMatRef::new_checked(n, n, &self.starts, None, &self.rows)
    }

    /// Checks that all values, in the order of the stored entries, are finite.
    pub(crate) fn check_finite(&self, values: &[f64]) -> Result<(), SparseError> {
        let Some(slot) = values.iter().position(|v| !v.is_finite()) else { return Ok(()) };
        let column = self.starts.partition_point(|&start| start <= slot) - 1;
        Err(SparseError::NonFiniteMatrix { row: self.rows[slot], column, value: values[slot] })
    }

    /// What an error says of a matrix that does not fit into memory.
    pub(crate) fn too_large(&self) -> SparseError {
        SparseError::TooLarge { size: self.size(), entries: self.stored() }
    }
}
