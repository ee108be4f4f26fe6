//! The scale an interior-point method works in: every cone the second-order cone, every diagonal block of W with
//! largest eigenvalue 1, free velocities of size 1. W itself is not copied.

use crate::local::block::Block;
use crate::local::prepared::PreparedProblem;
use crate::local::spectrum::largest_eigenvalue;

/// `r = κ E x`, `E_c = σ_c diag(1/μ, 1, 1)`, x in the second-order cone; velocities are `E u/κ`. Without friction
/// `E_c = σ_c diag(1, 0, 0)`: the tangential components stay zero.
pub(super) struct Scale<const D: usize> {
    factors: Vec<[f64; D]>,
    size: f64,
}

impl<const D: usize> Scale<D> {
    pub(super) fn new(problem: &PreparedProblem<D>) -> Self {
        let local = problem.local();
        let factors: Vec<[f64; D]> = (0..local.contacts())
            .map(|c| {
                let mu = local.friction[c];
                let mut factor = if mu > 0.0 { [1.0; D] } else { [0.0; D] };
                factor[0] = if mu > 0.0 { 1.0 / mu } else { 1.0 };
                let block = local.delassus.diagonal(c);
                let turned = std::array::from_fn(|i| std::array::from_fn(|j| factor[i] * block[i][j] * factor[j]));
                let lambda = largest_eigenvalue::<D>(&turned);
                let sigma = if lambda > 0.0 { 1.0 / lambda.sqrt() } else { 1.0 };
                factor.map(|f| f * sigma)
            })
            .collect();
        let mut size = 0.0_f64;
        for (q, factor) in local.free_velocity.iter().zip(&factors) {
            for k in 0..D {
                size = size.max((q[k] * factor[k]).abs());
            }
        }
        Self { factors, size: if size > 0.0 { size } else { 1.0 } }
    }

    /// Impulses from scaled ones.
    pub(super) fn impulses(&self, x: &[[f64; D]], r: &mut [[f64; D]]) {
        for ((value, factor), x) in r.iter_mut().zip(&self.factors).zip(x) {
            *value = std::array::from_fn(|k| self.size * factor[k] * x[k]);
        }
    }

    /// Scaled velocity of a contact.
    pub(super) fn velocity(&self, contact: usize, u: &[f64; D]) -> [f64; D] {
        std::array::from_fn(|k| u[k] * self.factors[contact][k] / self.size)
    }

    /// The blocks A and B of `(E W E + C) x = b` written for `z = E x`: `A = E`, `B = C E⁻¹`.
    pub(super) fn blocks(&self, contact: usize, c: &Block<D>) -> (Block<D>, Block<D>) {
        let factor = &self.factors[contact];
        let (mut a, mut b) = ([[0.0; D]; D], [[0.0; D]; D]);
        for k in 0..D {
            a[k][k] = factor[k];
            for i in 0..D {
                if factor[k] > 0.0 {
                    b[i][k] = c[i][k] / factor[k];
                } else if i == k {
                    b[i][k] = 1.0; // a component that does not exist: its increment is zero
                }
            }
        }
        (a, b)
    }

    /// `x = E⁻¹ z`.
    pub(super) fn unscale(&self, z: &mut [[f64; D]]) {
        for (value, factor) in z.iter_mut().zip(&self.factors) {
            for k in 0..D {
                value[k] = if factor[k] > 0.0 { value[k] / factor[k] } else { 0.0 };
            }
        }
    }
}
