//! The problem in the scale an interior-point method works in: every cone the second-order cone, every diagonal block
//! of W with largest eigenvalue 1, free velocities of size 1.

use crate::local::block::BlockMatrix;
use crate::local::bodies::BodyForm;
use crate::local::prepared::PreparedProblem;
use crate::local::spectrum::largest_eigenvalue;

/// `r = κ E x`, `E_c = σ_c diag(1/μ, 1, 1)`; x in the second-order cone. Without friction E_c = σ_c diag(1, 0, 0): the
/// tangential components stay zero.
pub(super) struct Scaled<const D: usize> {
    pub(super) w: BlockMatrix<D>,
    pub(super) q: Vec<[f64; D]>,
    pub(super) bodies: Option<BodyForm<D>>,
    factors: Vec<[f64; D]>,
    size: f64,
}

impl<const D: usize> Scaled<D> {
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
        let entries = local.delassus.entries().map(|(i, j, value)| (i, j, value * factors[i / D][i % D] * factors[j / D][j % D]));
        let w = BlockMatrix::from_entries(local.contacts(), entries);
        let mut q: Vec<[f64; D]> = local.free_velocity.clone();
        for (value, factor) in q.iter_mut().zip(&factors) {
            for k in 0..D {
                value[k] *= factor[k];
            }
        }
        let largest = q.iter().flatten().fold(0.0_f64, |m, v| m.max(v.abs()));
        let size = if largest > 0.0 { largest } else { 1.0 };
        q.iter_mut().flatten().for_each(|v| *v /= size);
        let mut bodies = problem.bodies().cloned();
        if let Some(bodies) = &mut bodies {
            bodies.scale(&factors);
        }
        Self { w, q, bodies, factors, size }
    }

    /// Impulses from scaled ones.
    pub(super) fn impulses(&self, x: &[[f64; D]], r: &mut [[f64; D]]) {
        for ((value, factor), x) in r.iter_mut().zip(&self.factors).zip(x) {
            *value = std::array::from_fn(|k| self.size * factor[k] * x[k]);
        }
    }

    /// Scaled impulses from impulses.
    pub(super) fn scaled(&self, r: &[[f64; D]]) -> Vec<[f64; D]> {
        let one = |r: &[f64; D], factor: &[f64; D]| {
            std::array::from_fn(|k| if factor[k] > 0.0 { r[k] / (self.size * factor[k]) } else { 0.0 })
        };
        r.iter().zip(&self.factors).map(|(r, f)| one(r, f)).collect()
    }
}
