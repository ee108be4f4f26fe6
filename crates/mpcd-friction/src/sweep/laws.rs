//! Contacts under a user's law: the law and the block it is asked with.

use std::sync::Arc;

use nalgebra::{Matrix3, Vector3};

use crate::law::LocalLaw;

/// A contact whose local problem a user's law solves.
#[derive(Debug, Clone)]
pub(super) struct LawContact {
    pub(super) law: Arc<dyn LocalLaw>,
    pub(super) block: Matrix3<f64>,
}

impl LawContact {
    /// Impulse for the velocity `u` that goes with the impulse `r`.
    pub(super) fn solve<const D: usize>(&self, u: &[f64; D], r: &[f64; D]) -> [f64; D] {
        let mut velocity = Vector3::zeros();
        let mut impulse = Vector3::zeros();
        velocity.as_mut_slice()[..D].copy_from_slice(u);
        impulse.as_mut_slice()[..D].copy_from_slice(r);
        let answer = self.law.solve(&self.block, &(velocity - self.block * impulse));
        let mut r = [0.0; D];
        r.copy_from_slice(&answer.as_slice()[..D]);
        r
    }
}
