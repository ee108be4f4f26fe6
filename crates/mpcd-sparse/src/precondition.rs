//! Preconditioners of the conjugate gradients: the diagonal, and incomplete Cholesky without fill.

use std::sync::Arc;

use crate::columns::Columns;
use crate::error::SparseError;
use crate::symmetric::{SymmetricMatrix, SymmetricPattern};

/// An approximate inverse, symmetric positive definite.
pub trait Preconditioner {
    /// Number of rows and columns.
    fn size(&self) -> usize;
    /// `z = M⁻¹ r`; both have [`Preconditioner::size`] entries.
    fn apply(&self, r: &[f64], z: &mut [f64]);
}

/// The inverse of the diagonal.
#[derive(Clone, Debug, Default)]
pub struct Jacobi {
    inverse: Vec<f64>,
}

impl Jacobi {
    /// Takes the diagonal of a matrix.
    ///
    /// # Errors
    /// As [`Jacobi::update`].
    pub fn new(matrix: &SymmetricMatrix) -> Result<Self, SparseError> {
        let mut jacobi = Self::default();
        jacobi.update(matrix)?;
        Ok(jacobi)
    }

    /// The same for other values, in the memory of these.
    ///
    /// # Errors
    /// [`SparseError::NotPositiveDefinite`] when a diagonal entry is not positive, [`SparseError::NonFiniteMatrix`].
    pub fn update(&mut self, matrix: &SymmetricMatrix) -> Result<(), SparseError> {
        check_diagonal(matrix)?;
        self.inverse.clear();
        self.inverse.extend((0..matrix.size()).map(|i| 1.0 / matrix.diagonal(i)));
        Ok(())
    }
}

impl Preconditioner for Jacobi {
    fn size(&self) -> usize {
        self.inverse.len()
    }
    fn apply(&self, r: &[f64], z: &mut [f64]) {
        for ((z, r), d) in z.iter_mut().zip(r).zip(&self.inverse) {
            *z = r * d;
        }
    }
}

/// Incomplete Cholesky without fill, IC(0) (Meijerink and van der Vorst 1977). It exists for every M-matrix, such as a
/// graph Laplacian with a held node; for other matrices the diagonal is raised, little by little, until it does
/// (Manteuffel 1980).
#[derive(Clone, Debug)]
pub struct IncompleteCholesky {
    pattern: Arc<SymmetricPattern>,
    lower: Vec<f64>,
    shift: f64,
}

impl IncompleteCholesky {
    /// Factorises a matrix.
    ///
    /// # Errors
    /// As [`IncompleteCholesky::update`].
    pub fn new(matrix: &SymmetricMatrix) -> Result<Self, SparseError> {
        let mut factor = Self { pattern: Arc::clone(matrix.pattern()), lower: Vec::new(), shift: 0.0 };
        factor.update(matrix)?;
        Ok(factor)
    }

    /// The same for other values; allocates only for a larger pattern.
    ///
    /// # Errors
    /// [`SparseError::NotPositiveDefinite`] when a diagonal entry is not positive (or so small that no shift helps),
    /// [`SparseError::NonFiniteMatrix`].
    pub fn update(&mut self, matrix: &SymmetricMatrix) -> Result<(), SparseError> {
        check_diagonal(matrix)?;
        self.pattern = Arc::clone(matrix.pattern());
        self.shift = 0.0;
        // a large enough shift makes the matrix diagonally dominant, so this ends
        loop {
            self.lower.clear();
            self.lower.extend_from_slice(matrix.values());
            for i in 0..matrix.size() {
                self.lower[self.pattern.columns().starts[i]] *= 1.0 + self.shift;
            }
            let Err(row) = self.factorise() else { return Ok(()) };
            if self.shift > 1e100 {
                let diagonal = matrix.diagonal(row);
                return Err(SparseError::NotPositiveDefinite { row, pivot: f64::NAN, diagonal });
            }
            self.shift = if self.shift == 0.0 { 1e-3 } else { 2.0 * self.shift };
        }
    }

    /// By how much of itself the diagonal was raised; 0 for M-matrices.
    pub fn shift(&self) -> f64 {
        self.shift
    }

    /// Column by column; the row of the first pivot that is not positive where there is one.
    fn factorise(&mut self) -> Result<(), usize> {
        let Columns { starts, rows } = self.pattern.columns();
        for k in 0..self.pattern.size() {
            let (start, end) = (starts[k], starts[k + 1]);
            let pivot = self.lower[start];
            if !(pivot > 0.0 && pivot.is_finite()) {
                return Err(k);
            }
            let root = pivot.sqrt();
            self.lower[start] = root;
            for slot in start + 1..end {
                self.lower[slot] /= root;
            }
            for slot in start + 1..end {
                // column j takes what k gives it, where it has an entry
                let (j, factor) = (rows[slot], self.lower[slot]);
                let (mut mine, mut theirs) = (starts[j], slot);
                while mine < starts[j + 1] && theirs < end {
                    match rows[mine].cmp(&rows[theirs]) {
                        std::cmp::Ordering::Less => mine += 1,
                        std::cmp::Ordering::Greater => theirs += 1,
                        std::cmp::Ordering::Equal => {
                            self.lower[mine] -= factor * self.lower[theirs];
                            mine += 1;
                            theirs += 1;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

impl Preconditioner for IncompleteCholesky {
    fn size(&self) -> usize {
        self.pattern.size()
    }

    fn apply(&self, r: &[f64], z: &mut [f64]) {
        let (Columns { starts, rows }, lower) = (self.pattern.columns(), &self.lower);
        z.copy_from_slice(r);
        for k in 0..z.len() {
            z[k] /= lower[starts[k]];
            for slot in starts[k] + 1..starts[k + 1] {
                z[rows[slot]] -= lower[slot] * z[k];
            }
        }
        for k in (0..z.len()).rev() {
            for slot in starts[k] + 1..starts[k + 1] {
                z[k] -= lower[slot] * z[rows[slot]];
            }
            z[k] /= lower[starts[k]];
        }
    }
}

/// Checks that the values are finite and the diagonal is above zero.
pub(crate) fn check_diagonal(matrix: &SymmetricMatrix) -> Result<(), SparseError> {
    matrix.check_finite()?;
    match (0..matrix.size()).find(|&i| matrix.diagonal(i) <= 0.0) {
        Some(row) => {
            let diagonal = matrix.diagonal(row);
            Err(SparseError::NotPositiveDefinite { row, pivot: diagonal, diagonal })
        }
        None => Ok(()),
    }
}
