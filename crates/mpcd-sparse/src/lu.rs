//! LU factorisation with partial pivoting (faer, column ordering COLAMD), analysed once per pattern.

use std::fmt;
use std::sync::Arc;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SparseColMatRef;
use faer::sparse::linalg::lu::{LuRef, NumericLu, SymbolicLu, factorize_symbolic_lu};
use faer::{Conj, MatMut, Par};

use crate::error::{SparseError, check_vector};
use crate::general::{GeneralMatrix, GeneralPattern};

/// Relative error of a known solution above which the factors are refused: fewer than three digits would be left.
const LOST: f64 = 1e-3;

/// An LU factorisation over a fixed pattern.
pub struct Lu {
    pattern: Arc<GeneralPattern>,
    symbolic: SymbolicLu<usize>,
    numeric: NumericLu<usize, f64>,
    factor_memory: MemBuffer,
    solve_memory: MemBuffer,
    probe: Vec<f64>,
    image: Vec<f64>,
    factorised: bool,
}

impl fmt::Debug for Lu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lu").field("size", &self.pattern.size()).finish_non_exhaustive()
    }
}

impl Lu {
    /// Orders and analyses a pattern.
    ///
    /// # Errors
    /// [`SparseError::TooLarge`].
    pub fn analyse(pattern: &Arc<GeneralPattern>) -> Result<Self, SparseError> {
        let n = pattern.size();
        let too_large = || pattern.columns().too_large();
        let symbolic = factorize_symbolic_lu(pattern.columns().structure(), Default::default()).map_err(|_| too_large())?;
        let memory = |need| MemBuffer::try_new(need).map_err(|_| too_large());
        let factor_memory = memory(symbolic.factorize_numeric_lu_scratch::<f64>(Par::Seq, Default::default()))?;
        let solve_memory = memory(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq))?;
        // entries of different size and no simple ratio, so that a null space does not hide from it
        let probe = (0..n).map(|i| 1.0 + (i as f64 * 0.618_033_988_749_895).fract()).collect();
        let (numeric, image) = (NumericLu::new(), vec![0.0; n]);
        let pattern = Arc::clone(pattern);
        Ok(Self { pattern, symbolic, numeric, factor_memory, solve_memory, probe, image, factorised: false })
    }

    /// Number of rows and columns.
    pub fn size(&self) -> usize {
        self.pattern.size()
    }

    /// Factorises a matrix of the analysed pattern, then solves for a known solution to see that the factors are good.
    ///
    /// # Errors
    /// [`SparseError::OtherPattern`], [`SparseError::NonFiniteMatrix`], [`SparseError::Singular`].
    pub fn factorise(&mut self, matrix: &GeneralMatrix) -> Result<(), SparseError> {
        self.factorised = false;
        if !Arc::ptr_eq(matrix.pattern(), &self.pattern) && **matrix.pattern() != *self.pattern {
            return Err(SparseError::OtherPattern);
        }
        matrix.check_finite()?;
        let result = self.symbolic.factorize_numeric_lu(
            &mut self.numeric,
            SparseColMatRef::new(self.pattern.columns().structure(), matrix.values()),
            Par::Seq,
            MemStack::new(&mut self.factor_memory),
            Default::default(),
        );
        match result {
            Ok(_) => {}
            Err(faer::sparse::linalg::LuError::SymbolicSingular { index }) => {
                return Err(SparseError::Singular { row: index, error: f64::INFINITY });
            }
            Err(faer::sparse::linalg::LuError::Generic(_)) => {
                return Err(self.pattern.columns().too_large());
            }
        }
        self.factorised = true;
        self.check(matrix).inspect_err(|_| self.factorised = false)
    }

    /// Replaces a right-hand side by the solution.
    ///
    /// # Errors
    /// [`SparseError::NotFactorised`], [`SparseError::Length`], [`SparseError::NonFiniteVector`].
    pub fn solve_in_place(&mut self, rhs: &mut [f64]) -> Result<(), SparseError> {
        if !self.factorised {
            return Err(SparseError::NotFactorised);
        }
        check_vector("right-hand side", rhs, self.size())?;
        substitute(&self.symbolic, &self.numeric, &mut self.solve_memory, rhs);
        Ok(())
    }

    fn check(&mut self, matrix: &GeneralMatrix) -> Result<(), SparseError> {
        matrix.multiply(&self.probe, &mut self.image)?;
        substitute(&self.symbolic, &self.numeric, &mut self.solve_memory, &mut self.image);
        let error = |i: usize| ((self.image[i] - self.probe[i]) / self.probe[i]).abs();
        // written so that a NaN counts as worst
        let worse = |worst: usize, i: usize| if error(i) <= error(worst) { worst } else { i };
        let Some(row) = (0..self.size()).reduce(worse) else { return Ok(()) };
        if error(row) <= LOST { Ok(()) } else { Err(SparseError::Singular { row, error: error(row) }) }
    }
}

fn substitute(symbolic: &SymbolicLu<usize>, numeric: &NumericLu<usize, f64>, memory: &mut MemBuffer, rhs: &mut [f64]) {
    let n = rhs.len();
    let x = MatMut::from_column_major_slice_mut(rhs, n, 1);
    LuRef::new_unchecked(symbolic, numeric).solve_in_place_with_conj(Conj::No, x, Par::Seq, MemStack::new(memory));
}
