//! A deformable body in a stored problem: its part of W as it stands, and the masses and levers that say the same.
//!
//! `C = L Lᵀ` by a Cholesky factorisation with pivots, which ends at the rank of C: with unit masses the levers are the rows of L. Where
//! few numbers suffice (a body that is nearly rigid, few contacts), that is a node of the bodies' form. In a file the unknowns are the
//! velocities at the pivots, with the mass `C_PP⁻¹`, from which those at all other rows follow.

use nalgebra::DMatrix;

use super::block::Block;
use crate::problem::Compliance;

/// Rank up to which the body is a node of the bodies' form; beyond, systems are eliminated to the contacts.
const SMALL: usize = 48;
/// Pivots below this share of the largest diagonal entry, times the order, are rounding.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// One deformable body, contact dimension `D`.
#[derive(Debug, Clone)]
pub(super) struct SoftForm<const D: usize> {
    /// Its contacts in the problem.
    pub(super) contacts: Vec<usize>,
    /// `D` rows for each of them.
    matrix: DMatrix<f64>,
    /// The factor, if its rank is small.
    small: Option<Factor>,
}

/// `C = L Lᵀ` and the rows that were pivots.
#[derive(Debug, Clone)]
struct Factor {
    lower: DMatrix<f64>,
    pivots: Vec<usize>,
}

/// What a file says of a body: `mass` of the unknowns, and `transfer`, the velocity of each row for a unit of each unknown.
pub(super) struct Stored {
    pub(super) mass: DMatrix<f64>,
    pub(super) transfer: DMatrix<f64>,
}

impl<const D: usize> SoftForm<D> {
    pub(super) fn new(compliance: &Compliance) -> Self {
        let n = D * compliance.contacts.len();
        let full = |k: usize| 3 * (k / D) + k % D;
        let at = |i: usize, j: usize| compliance.matrix[(full(i), full(j))];
        let matrix = DMatrix::from_fn(n, n, |i, j| 0.5 * (at(i, j) + at(j, i)));
        let small = factor(&matrix, SMALL);
        Self { contacts: compliance.contacts.clone(), matrix, small }
    }

    /// Block of W between two of its contacts.
    pub(super) fn block(&self, a: usize, b: usize) -> Block<D> {
        std::array::from_fn(|i| std::array::from_fn(|j| self.matrix[(D * a + i, D * b + j)]))
    }

    /// What impulses at all its contacts do to the velocities there.
    pub(super) fn response(&self, impulses: &[[f64; D]]) -> Vec<[f64; D]> {
        let given = nalgebra::DVector::from_iterator(self.matrix.ncols(), impulses.iter().flatten().copied());
        let moved = &self.matrix * given;
        moved.as_slice().chunks_exact(D).map(|u| std::array::from_fn(|k| u[k])).collect()
    }

    /// Unknowns of unit mass that say the same, if few do.
    pub(super) fn rank(&self) -> Option<usize> {
        self.small.as_ref().map(|factor| factor.pivots.len())
    }

    /// The rows of H of a contact on these unknowns.
    pub(super) fn lever(&self, at: usize) -> Vec<[f64; D]> {
        let rows = |factor: &Factor| {
            let column = |k: usize| std::array::from_fn(|i| factor.lower[(D * at + i, k)]);
            (0..factor.pivots.len()).map(column).collect()
        };
        self.small.as_ref().map_or_else(Vec::new, rows)
    }

    /// As a file says it; `None` where numbers cease to be finite.
    pub(super) fn stored(&self) -> Option<Stored> {
        let factor = self.small.clone().or_else(|| factor(&self.matrix, self.matrix.nrows()))?;
        let at_pivots = factor.lower.select_rows(&factor.pivots);
        let inverse = at_pivots.clone().solve_lower_triangular(&DMatrix::identity(at_pivots.nrows(), at_pivots.nrows()))?;
        let mass = inverse.tr_mul(&inverse);
        let mut transfer = &factor.lower * &inverse;
        for (k, &pivot) in factor.pivots.iter().enumerate() {
            transfer.row_mut(pivot).fill(0.0);
            transfer[(pivot, k)] = 1.0;
        }
        mass.iter().chain(&transfer).all(|x| x.is_finite()).then_some(Stored { mass, transfer })
    }
}

/// Factorises up to the rank; `None` where that is more than `most`.
fn factor(matrix: &DMatrix<f64>, most: usize) -> Option<Factor> {
    let n = matrix.nrows();
    let mut left: Vec<f64> = matrix.diagonal().iter().copied().collect();
    let enough = ROUNDING * n as f64 * left.iter().fold(0.0_f64, |m, x| m.max(*x));
    let mut columns: Vec<f64> = Vec::new();
    let mut pivots: Vec<usize> = Vec::new();
    loop {
        let (mut pivot, mut largest) = (0, enough);
        for (i, value) in left.iter().enumerate() {
            if *value > largest {
                (pivot, largest) = (i, *value);
            }
        }
        if largest <= enough {
            let lower = DMatrix::from_vec(n, pivots.len(), columns);
            return Some(Factor { lower, pivots });
        }
        if pivots.len() == most {
            return None;
        }
        let mut column: Vec<f64> = matrix.column(pivot).iter().copied().collect();
        for before in columns.chunks_exact(n) {
            let share = before[pivot];
            column.iter_mut().zip(before).for_each(|(x, b)| *x -= share * b);
        }
        let root = largest.sqrt();
        column.iter_mut().for_each(|x| *x /= root);
        pivots.iter().for_each(|&done| column[done] = 0.0);
        column[pivot] = root;
        left.iter_mut().zip(&column).for_each(|(x, c)| *x -= c * c);
        left[pivot] = 0.0;
        pivots.iter().for_each(|&done| left[done] = 0.0);
        pivots.push(pivot);
        columns.extend(column);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::random::SplitMix;

    /// A matrix of rank 4 and order 12: the factor gives it back, and so do the mass and transfer of a file.
    #[test]
    fn a_factor_ends_at_the_rank() {
        let mut random = SplitMix::new(5);
        let half = DMatrix::from_fn(12, 4, |_, j| random.signed() * 10.0_f64.powi(-(j as i32)));
        let matrix = &half * half.transpose();
        let found = factor(&matrix, 12).unwrap();
        assert_eq!(found.pivots.len(), 4);
        let off = (&found.lower * found.lower.transpose() - &matrix).norm() / matrix.norm();
        assert!(off < 1e-14, "{off:e}");
        assert!(factor(&matrix, 3).is_none());

        let velocity = vec![nalgebra::Vector3::zeros(); 4];
        let form =
            SoftForm::<3>::new(&Compliance { contacts: vec![0, 1, 2, 3], velocity, matrix: matrix.clone(), is_rigid: false });
        let Stored { mass, transfer } = form.stored().unwrap();
        let spread = mass.symmetric_eigenvalues();
        let condition = spread.max() / spread.min();
        let back = &transfer * mass.lu().solve(&transfer.transpose()).unwrap();
        let off = (back - &matrix).norm() / matrix.norm();
        // the mass was made, and is solved with here, to rounding times its condition
        assert!(condition < 1e9 && off < 10.0 * f64::EPSILON * condition, "{off:e} {condition:e}");
    }
}
