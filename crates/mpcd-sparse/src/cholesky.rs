//! Cholesky factorisation A = L Lᵀ (faer), analysed once per pattern; refactorising and solving allocate nothing.

use std::fmt;
use std::sync::Arc;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::LltError;
use faer::perm::PermRef;
use faer::sparse::SparseColMatRef;
use faer::sparse::linalg::cholesky::{
    LltRef, SymbolicCholesky, SymbolicCholeskyRaw, SymmetricOrdering, factorize_symbolic_cholesky, supernodal,
};
use faer::{Conj, MatMut, Par, Side};
use rayon::prelude::*;

use crate::error::{SparseError, check_vector};
use crate::ordering::{Ordering, dissect};
use crate::reduce::norm;
use crate::symmetric::{SymmetricMatrix, SymmetricPattern};

/// A matrix, scaled to a unit diagonal, whose smallest eigenvalue is below this is rounding and nothing else there.
const LOST: f64 = 64.0 * f64::EPSILON;

/// Only a matrix with a pivot below this part of its diagonal can be that near to singular (with ten decades to spare
/// for rows that hang on a null vector by little), so only then are two more solves spent on knowing.
const SUSPICIOUS: f64 = 1e-4;

/// Right-hand sides solved for at a time.
const COLUMNS: usize = 48;

/// Stored values per row above which an automatic ordering tries nested dissection too. Measured on Laplacians: with less
/// (planar networks up to 100,000 nodes, cubes up to 22 a side) minimum degree fills as little and is found in an eighth
/// of the time; with more (a cube of 31 a side: 296) dissection saves a fifth of the fill and 40 % of the factorisation.
const MUCH_FILL: usize = 200;

/// A Cholesky factorisation over a fixed pattern.
pub struct Cholesky {
    pattern: Arc<SymmetricPattern>,
    symbolic: SymbolicCholesky<usize>,
    values: Vec<f64>,
    factor_memory: MemBuffer,
    solve_memory: MemBuffer,
    probe: Vec<f64>,
    factorised: bool,
}

impl fmt::Debug for Cholesky {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (size, stored) = (self.pattern.size(), self.values.len());
        f.debug_struct("Cholesky").field("size", &size).field("stored", &stored).finish_non_exhaustive()
    }
}

impl Cholesky {
    /// Orders and analyses a pattern, and takes all memory that factorising and solving need.
    ///
    /// # Errors
    /// [`SparseError::TooLarge`].
    pub fn analyse(pattern: &Arc<SymmetricPattern>) -> Result<Self, SparseError> {
        Self::analyse_with(pattern, Ordering::Automatic)
    }

    /// The same with a chosen ordering.
    ///
    /// # Errors
    /// [`SparseError::TooLarge`], [`SparseError::Block`].
    pub fn analyse_with(pattern: &Arc<SymmetricPattern>, ordering: Ordering) -> Result<Self, SparseError> {
        let n = pattern.size();
        let too_large = || pattern.columns().too_large();
        let symbolic = match ordering {
            Ordering::MinimumDegree => analyse(pattern, None)?,
            Ordering::NestedDissection { block } => analyse(pattern, Some(dissect(pattern, block)?))?,
            Ordering::Automatic => {
                let symbolic = analyse(pattern, None)?;
                if symbolic.len_val() <= MUCH_FILL * n {
                    symbolic
                } else {
                    let other = analyse(pattern, Some(dissect(pattern, 1)?))?;
                    if other.len_val() < symbolic.len_val() { other } else { symbolic }
                }
            }
        };
        let memory = |need| MemBuffer::try_new(need).map_err(|_| too_large());
        let factor_memory = memory(symbolic.factorize_numeric_llt_scratch::<f64>(Par::Seq, Default::default()))?;
        let solve_memory = memory(symbolic.solve_in_place_scratch::<f64>(1, Par::Seq))?;
        let mut values = Vec::new();
        values.try_reserve_exact(symbolic.len_val()).map_err(|_| too_large())?;
        values.resize(symbolic.len_val(), 0.0);
        let (pattern, probe) = (Arc::clone(pattern), vec![0.0; n]);
        Ok(Self { pattern, symbolic, values, factor_memory, solve_memory, probe, factorised: false })
    }

    /// Number of rows and columns.
    pub fn size(&self) -> usize {
        self.pattern.size()
    }

    /// Stored values of the factor: a measure of fill and memory.
    pub fn stored(&self) -> usize {
        self.values.len()
    }

    /// Multiplications and additions of a factorisation: Σ over columns of the square of their stored length.
    pub fn operations(&self) -> f64 {
        let square = |length: usize| (length as f64).powi(2);
        match self.symbolic.raw() {
            SymbolicCholeskyRaw::Simplicial(simplicial) => simplicial.col_ptr().windows(2).map(|w| square(w[1] - w[0])).sum(),
            SymbolicCholeskyRaw::Supernodal(supernodal) => (0..supernodal.n_supernodes())
                .map(|s| {
                    let width = supernodal.supernode_end()[s] - supernodal.supernode_begin()[s];
                    let below = supernodal.supernode(s).pattern().len();
                    (1..=width).map(|k| square(below + k)).sum::<f64>()
                })
                .sum(),
        }
    }

    /// Factorises a matrix of the analysed pattern.
    ///
    /// # Errors
    /// [`SparseError::OtherPattern`], [`SparseError::NonFiniteMatrix`], [`SparseError::NotPositiveDefinite`] with the
    /// row; the last also when the matrix is singular to rounding: a floating island is not taken for a regular matrix.
    pub fn factorise(&mut self, matrix: &SymmetricMatrix) -> Result<(), SparseError> {
        self.factorised = false;
        if !Arc::ptr_eq(matrix.pattern(), &self.pattern) && **matrix.pattern() != *self.pattern {
            return Err(SparseError::OtherPattern);
        }
        matrix.check_finite()?;
        let result = self.symbolic.factorize_numeric_llt(
            &mut self.values,
            SparseColMatRef::new(self.pattern.columns().structure(), matrix.values()),
            Side::Lower,
            Default::default(),
            Par::Seq,
            MemStack::new(&mut self.factor_memory),
            Default::default(),
        );
        if let Err(LltError::NonPositivePivot { index }) = result {
            // faer counts from 1 column by column, but from 0 block by block
            let position = match self.symbolic.raw() {
                SymbolicCholeskyRaw::Simplicial(_) => index.saturating_sub(1),
                SymbolicCholeskyRaw::Supernodal(_) => index,
            };
            return Err(not_definite(matrix, self.unknown_at(position), f64::NAN));
        }
        if self.least_pivot(matrix) < SUSPICIOUS {
            self.check_regular(matrix)?;
        }
        self.factorised = true;
        Ok(())
    }

    /// Replaces a right-hand side by the solution.
    ///
    /// # Errors
    /// [`SparseError::NotFactorised`], [`SparseError::Length`], [`SparseError::NonFiniteVector`].
    pub fn solve_in_place(&mut self, rhs: &mut [f64]) -> Result<(), SparseError> {
        if !self.factorised {
            return Err(SparseError::NotFactorised);
        }
        let n = self.size();
        check_vector("right-hand side", rhs, n)?;
        substitute(&self.symbolic, &self.values, &mut self.solve_memory, rhs, n);
        Ok(())
    }

    /// Replaces several right-hand sides, one after the other in `columns`, by their solutions: faster than one at a time, and by
    /// several threads. The bits do not depend on their number.
    ///
    /// # Errors
    /// [`SparseError::NotFactorised`], [`SparseError::Length`] when the columns are not whole,
    /// [`SparseError::NonFiniteVector`], [`SparseError::TooLarge`].
    pub fn solve_columns_in_place(&self, columns: &mut [f64]) -> Result<(), SparseError> {
        if !self.factorised {
            return Err(SparseError::NotFactorised);
        }
        let n = self.size();
        if n == 0 {
            return Ok(());
        }
        check_vector("list of right-hand sides", columns, columns.len().div_ceil(n) * n)?;
        let need = self.symbolic.solve_in_place_scratch::<f64>(COLUMNS, Par::Seq);
        let (symbolic, values, pattern) = (&self.symbolic, &self.values, &self.pattern);
        columns.par_chunks_mut(COLUMNS * n).try_for_each(|some| {
            let mut memory = MemBuffer::try_new(need).map_err(|_| pattern.columns().too_large())?;
            substitute(symbolic, values, &mut memory, some, n);
            Ok(())
        })
    }

    /// The unknown that the factorisation treats at this position.
    fn unknown_at(&self, position: usize) -> usize {
        self.symbolic.perm().map_or(position, |p| p.arrays().0[position])
    }

    /// The smallest pivot as a part of its diagonal entry; 0 when there is a NaN.
    fn least_pivot(&self, matrix: &SymmetricMatrix) -> f64 {
        let lesser = |least: f64, position: usize, root: f64| {
            let part = root * root / matrix.diagonal(self.unknown_at(position));
            if part.is_nan() { 0.0 } else { least.min(part) }
        };
        match self.symbolic.raw() {
            SymbolicCholeskyRaw::Simplicial(s) => {
                // each column of L starts with its diagonal
                (0..self.size()).fold(1.0, |least, k| lesser(least, k, self.values[s.col_ptr()[k]]))
            }
            SymbolicCholeskyRaw::Supernodal(s) => {
                let factor = supernodal::SupernodalLltRef::new(s, &self.values);
                (0..s.n_supernodes()).fold(1.0, |least, block| {
                    let block = factor.supernode(block);
                    let columns = block.val().ncols();
                    (0..columns).fold(least, |least, k| lesser(least, block.start() + k, block.val()[(k, k)]))
                })
            }
        }
    }

    /// Two steps of inverse iteration on the matrix scaled to a unit diagonal, where the rounding of a Cholesky
    /// factorisation is of the order of eps whatever the contrast of the entries (Demmel 1989). A null vector grows so
    /// much in the first that the second gives its eigenvalue.
    fn check_regular(&mut self, matrix: &SymmetricMatrix) -> Result<(), SparseError> {
        let n = self.size();
        let Self { probe, symbolic, values, solve_memory, .. } = self;
        // entries of different size and no simple ratio, so that a null vector does not hide from it
        (0..n).for_each(|i| probe[i] = 1.0 + (i as f64 * 0.618_033_988_749_895).fract());
        let mut growth = 0.0;
        for _ in 0..2 {
            let length = norm(probe);
            (0..n).for_each(|i| probe[i] *= matrix.diagonal(i).sqrt() / length);
            substitute(symbolic, values, solve_memory, probe, n);
            (0..n).for_each(|i| probe[i] *= matrix.diagonal(i).sqrt());
            growth = norm(probe);
        }
        if growth * LOST < 1.0 {
            return Ok(());
        }
        let larger = |best: usize, i: usize| if probe[i].abs() > probe[best].abs() { i } else { best };
        let row = (0..n).fold(0, larger);
        Err(not_definite(matrix, row, matrix.diagonal(row) / growth))
    }
}

fn substitute(symbolic: &SymbolicCholesky<usize>, values: &[f64], memory: &mut MemBuffer, rhs: &mut [f64], n: usize) {
    let columns = rhs.len().checked_div(n).unwrap_or(0);
    let x = MatMut::from_column_major_slice_mut(rhs, n, columns);
    LltRef::new(symbolic, values).solve_in_place_with_conj(Conj::No, x, Par::Seq, MemStack::new(memory));
}

fn analyse(pattern: &SymmetricPattern, order: Option<Vec<usize>>) -> Result<SymbolicCholesky<usize>, SparseError> {
    let n = pattern.size();
    let inverse = order.as_deref().map(invert);
    let ordering = match (&order, &inverse) {
        (Some(forward), Some(inverse)) => SymmetricOrdering::Custom(PermRef::new_checked(forward, inverse, n)),
        _ => SymmetricOrdering::Amd,
    };
    factorize_symbolic_cholesky(pattern.columns().structure(), Side::Lower, ordering, Default::default())
        .map_err(|_| pattern.columns().too_large())
}

fn not_definite(matrix: &SymmetricMatrix, row: usize, pivot: f64) -> SparseError {
    SparseError::NotPositiveDefinite { row, pivot, diagonal: matrix.diagonal(row) }
}

fn invert(permutation: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; permutation.len()];
    for (position, &unknown) in permutation.iter().enumerate() {
        inverse[unknown] = position;
    }
    inverse
}
