//! Gradient methods: they minimise `½ rᵀWr + rᵀq̃` over a product of convex sets, products with W being all they need of it.
//! Coulomb's law is no such minimum; an outer fixed point around the convex problem makes it one: what the convex
//! problem holds still is set anew as soon as it is solved better than Coulomb's law is met.

mod conjugate;
mod existence;
mod impossible;
mod nesterov;

pub use conjugate::ConjugateProjectedGradient;
pub use existence::{Existence, existence};
pub use impossible::{Impossible, impossible};
pub use nesterov::AcceleratedProjectedGradient;

use super::prepared::PreparedProblem;

/// Iterations at most when the caller does not say.
const DEFAULT_ITERATIONS: usize = 100_000;
/// Iterations between two looks at the error.
const LOOK_EVERY: usize = 10;
/// The convex problem is changed when its residual is below this share of that of the problem it would become.
const OUTER_SHARE: f64 = 0.3;

/// λ_max(W_cc) of each contact, 1 where no impulse acts: one scalar per contact keeps projections orthogonal.
fn metric<const D: usize>(problem: &PreparedProblem<D>) -> Vec<f64> {
    (0..problem.contacts()).map(|c| crate::error::natural_step(problem.lambda_max(c)).recip()).collect()
}

/// Norm of a residual given contact by contact.
fn size<const D: usize>(contacts: usize, residual: impl Fn(usize) -> [f64; D]) -> f64 {
    (0..contacts).map(|c| residual(c).iter().map(|v| v * v).sum::<f64>()).sum::<f64>().sqrt()
}
