//! The hook for a contact law that is no cone: the user solves the local problem himself.

use nalgebra::{Matrix3, Vector3};

/// A law that answers the local problem of one contact: given `W_cc` and `q`, the impulse `r` for which
/// `(u = W_cc r + q, r)` obeys the law. Only solvers that visit one contact at a time (NLGS) accept it; others refuse
/// the problem with an error that names the law.
///
/// Components are normal first, `(n, t, s)`, in the contact's own frame; with contact dimension 2 the `s` row and
/// column of `W_cc`, and the `s` component of `q`, are zero and that of `r` is ignored.
pub trait LocalLaw: std::fmt::Debug + Send + Sync {
    /// Name of the law, for reports and errors.
    fn name(&self) -> &str;

    /// The impulse (N s) for the local Delassus block `w` (kg⁻¹, symmetric positive) and the local free velocity `q`
    /// (m/s). Must be a pure function of its arguments.
    fn solve(&self, w: &Matrix3<f64>, q: &Vector3<f64>) -> Vector3<f64>;

    /// The springs of a law that is a contact with springs beside it, which solvers that assemble the problem know how to take out. `None`:
    /// something else.
    fn springs(&self) -> Option<Springs> {
        None
    }

    /// Whether it is of velocities alone: so that it holds between the whole impulse of a step and the velocity at its end however the bodies came there.
    fn is_of_velocities(&self) -> bool {
        false
    }
}

/// A contact with springs in parallel: `r = r_c − D(δ + h u)`, with Coulomb's law between `r_c` and `u + (δ_n/h) n`. What a bond is while its damage
/// is held. Local, (n, t, s).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Springs {
    /// D, impulse for an opening (N s/m), ≥ 0.
    pub stiffness: Vector3<f64>,
    /// δ at the start of the step (m).
    pub opening: Vector3<f64>,
    /// Length of the step (s).
    pub h: f64,
    /// Friction coefficient of the contact.
    pub friction: f64,
}
