//! Conjugate gradients preconditioned by the diagonal, for matrices that it dominates, as heat capacities do in short steps: nothing is to be made beforehand. No physics, no
//! judgement of the solution: the caller computes its own residual.

use crate::error::{SparseError, check_vector};
use crate::precondition::{Jacobi, Preconditioner};
use crate::reduce::{dot, max_abs, sum_by};
use crate::symmetric::SymmetricMatrix;

/// The solver. All memory is kept.
#[derive(Clone, Debug, Default)]
pub(crate) struct ScaledGradients {
    diagonal: Jacobi,
    r: Vec<f64>,
    z: Vec<f64>,
    p: Vec<f64>,
    q: Vec<f64>,
}

impl ScaledGradients {
    /// Takes the diagonal of a matrix.
    ///
    /// # Errors
    /// As [`Jacobi::update`].
    pub(crate) fn update(&mut self, matrix: &SymmetricMatrix) -> Result<(), SparseError> {
        self.diagonal.update(matrix)
    }

    /// Solves A x = b from x = 0 with the matrix that was taken until Σ|b − A x| as the iteration carries it is at most `rest`, and returns the iterations. `x` is only written.
    /// Not to come so far is no error: the iterations have run out, or a direction had no positive curvature.
    ///
    /// # Errors
    /// [`SparseError::Length`], [`SparseError::NonFiniteVector`].
    pub(crate) fn solve(
        &mut self,
        matrix: &SymmetricMatrix,
        b: &[f64],
        x: &mut [f64],
        rest: f64,
        max_iterations: u64,
    ) -> Result<u64, SparseError> {
        let n = matrix.size();
        check_vector("right-hand side", b, n)?;
        if x.len() != n {
            return Err(SparseError::Length { what: "solution", expected: n, found: x.len() });
        }
        x.fill(0.0);
        // so that no square is beyond the range of numbers
        let unit = max_abs(b);
        let goal = rest / unit;
        let Self { diagonal, r, z, p, q } = self;
        r.clear();
        r.extend(b.iter().map(|b| b / unit));
        if unit == 0.0 || sum_by(n, |i| r[i].abs()) <= goal {
            return Ok(0);
        }
        [&mut *z, &mut *p, &mut *q].into_iter().for_each(|column| column.resize(n, 0.0));
        diagonal.apply(r, z);
        p.copy_from_slice(z);
        let (mut square, mut iterations) = (dot(r, z), 0);
        while iterations < max_iterations {
            matrix.multiply_unchecked(p, q);
            let curvature = dot(p, q);
            if curvature.is_nan() || curvature <= 0.0 {
                break;
            }
            let step = square / curvature;
            for ((x, r), (p, q)) in x.iter_mut().zip(&mut *r).zip(p.iter().zip(&*q)) {
                *x += step * p;
                *r -= step * q;
            }
            iterations += 1;
            if sum_by(n, |i| r[i].abs()) <= goal {
                break;
            }
            diagonal.apply(r, z);
            let next = dot(r, z);
            let turn = next / square;
            square = next;
            p.iter_mut().zip(&*z).for_each(|(p, z)| *p = z + turn * *p);
        }
        x.iter_mut().for_each(|x| *x *= unit);
        Ok(iterations)
    }
}
