//! Angular rows of a contact, as plain data: what bounds the moment that its two bodies exert on each other there.

use nalgebra::Vector3;

/// Law of the relative angular velocity of a contact, about its n (spin), t and s (rolling) axes. With contact dimension 2
/// only the turning about s = z takes part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Angular {
    /// Resistance: `‖m_rolling‖ ≤ rolling · r̃_n` against the rolling, `|m_spin| ≤ spinning · r̃_n` against the spin.
    Resistance {
        /// Coefficient of rolling resistance μ_r ≥ 0 (m).
        rolling: f64,
        /// Coefficient of spinning resistance μ_s ≥ 0 (m).
        spinning: f64,
        /// Where rolling is resisted about one direction of the tangent plane alone: its components along t and s, a unit vector. With contact
        /// dimension 2 rolling has one axis, and this is not looked at.
        about: Option<[f64; 2]>,
    },
    /// The relative angular velocity plus `shift` plus `compliance ∘ moment` is held at zero about some of the axes: all of them in a weld,
    /// t and s in a hinge about n.
    Held {
        /// Added to the relative angular velocity, local (rad/s): what corrects drift.
        shift: Vector3<f64>,
        /// Diagonal compliance, local (rad/s per N m s, ≥ 0): torsion springs.
        compliance: Vector3<f64>,
        /// About which axes; about the others the impulse moment stays what it is at the start of the solve.
        axes: [bool; 3],
    },
}

impl Angular {
    /// A relative turning that is held about all axes, plus `shift` (local, rad/s).
    #[must_use]
    pub fn weld(shift: Vector3<f64>) -> Self {
        Self::Held { shift, compliance: Vector3::zeros(), axes: [true; 3] }
    }
}
