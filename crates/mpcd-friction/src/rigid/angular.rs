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
    },
    /// The relative angular velocity plus `shift` is held at zero (a weld).
    Held {
        /// Added to the relative angular velocity, local (rad/s): what corrects drift.
        shift: Vector3<f64>,
    },
}
