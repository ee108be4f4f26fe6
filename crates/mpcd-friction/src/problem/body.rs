//! One rigid body as the contact problem sees it.

use nalgebra::{Matrix3, Vector3};

/// Inverse rotational inertia of a body about its centre of mass, in world axes (kg⁻¹ m⁻²).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum InverseInertia {
    /// The same about every axis (balls), zero if rotations are locked.
    Isotropic(f64),
    /// Symmetric positive semi-definite tensor; a locked axis is in its null space.
    Tensor(Matrix3<f64>),
}

impl InverseInertia {
    /// As a 3 × 3 matrix.
    #[must_use]
    #[inline]
    pub fn matrix(&self) -> Matrix3<f64> {
        match self {
            Self::Isotropic(scalar) => Matrix3::from_diagonal_element(*scalar),
            Self::Tensor(tensor) => *tensor,
        }
    }
}

/// A rigid body of the contact problem.
///
/// Before the solve the velocities are the *free* velocities (what they would be without contact impulses), after it
/// the final ones. With contact dimension 2 only `velocity.x`, `velocity.y` and `angular_velocity.z` take part.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Body {
    /// Velocity of the centre of mass (m/s).
    pub velocity: Vector3<f64>,
    /// Angular velocity in world axes (rad/s).
    pub angular_velocity: Vector3<f64>,
    /// Inverse mass along each world axis (kg⁻¹): three times 1/m for a free body, zero on a locked axis.
    pub inverse_mass: Vector3<f64>,
    /// Inverse inertia in world axes.
    pub inverse_inertia: InverseInertia,
}

impl Body {
    /// A free body with an inertia tensor: inverse mass (kg⁻¹) and inverse inertia in world axes (kg⁻¹ m⁻²).
    #[must_use]
    pub fn free(
        velocity: Vector3<f64>,
        angular_velocity: Vector3<f64>,
        inverse_mass: f64,
        inverse_inertia: Matrix3<f64>,
    ) -> Self {
        Self {
            velocity,
            angular_velocity,
            inverse_mass: Vector3::repeat(inverse_mass),
            inverse_inertia: InverseInertia::Tensor(inverse_inertia),
        }
    }

    /// A free ball (or disc in 2D): inverse mass (kg⁻¹) and inverse inertia about any axis (kg⁻¹ m⁻²).
    #[must_use]
    pub fn ball(velocity: Vector3<f64>, angular_velocity: Vector3<f64>, inverse_mass: f64, inverse_inertia: f64) -> Self {
        Self {
            velocity,
            angular_velocity,
            inverse_mass: Vector3::repeat(inverse_mass),
            inverse_inertia: InverseInertia::Isotropic(inverse_inertia),
        }
    }

    /// A body whose motion is prescribed: no impulse changes it.
    #[must_use]
    pub fn driven(velocity: Vector3<f64>, angular_velocity: Vector3<f64>) -> Self {
        Self::ball(velocity, angular_velocity, 0.0, 0.0)
    }

    /// A body at rest that nothing moves.
    #[must_use]
    pub fn fixed() -> Self {
        Self::driven(Vector3::zeros(), Vector3::zeros())
    }

    /// Locks the translation along the world axes that are `true`.
    #[must_use]
    pub fn with_locked_translations(mut self, locked: [bool; 3]) -> Self {
        for (axis, lock) in locked.into_iter().enumerate() {
            if lock {
                self.inverse_mass[axis] = 0.0;
            }
        }
        self
    }

    /// Whether an impulse moves it.
    #[must_use]
    #[inline]
    pub fn moves(&self) -> bool {
        self.inverse_mass != Vector3::zeros() || self.inverse_inertia.matrix() != Matrix3::zeros()
    }

    /// Length that makes its turning comparable with its velocity: √(largest inverse mass/largest inverse moment) (m); 1 m where the
    /// body only turns, 0 where it does not turn.
    #[must_use]
    pub fn gyration(&self) -> f64 {
        let (mass, inertia) = (self.inverse_mass.max(), self.inverse_inertia.matrix().diagonal().max());
        match (mass > 0.0, inertia > 0.0) {
            (_, false) => 0.0,
            (false, true) => 1.0,
            (true, true) => (mass / inertia).sqrt(),
        }
    }

    /// What no impulse changes of its motion: velocity (m/s) and spin (rad/s), those of a driven body, what is locked of another.
    fn prescribed(&self) -> [Vector3<f64>; 2] {
        let locked = self.velocity.zip_map(&self.inverse_mass, |v, mass| if mass == 0.0 { v } else { 0.0 });
        let turns = self.inverse_inertia.matrix() != Matrix3::zeros();
        [locked, if turns { Vector3::zeros() } else { self.angular_velocity }]
    }

    /// Whether something moves it that no impulse changes.
    pub(crate) fn has_drive(&self) -> bool {
        self.prescribed() != [Vector3::zeros(); 2]
    }

    /// Speed that what no impulse changes of its motion gives the material point at `lever` from the centre of mass (m/s): the whole motion of a driven body, what is
    /// locked of another.
    #[must_use]
    pub fn drive_at(&self, lever: &Vector3<f64>) -> f64 {
        let [velocity, spin] = self.prescribed();
        (velocity + spin.cross(lever)).norm()
    }

    /// Velocity of the material point at `lever` from the centre of mass.
    #[must_use]
    #[inline]
    pub fn velocity_at(&self, lever: &Vector3<f64>) -> Vector3<f64> {
        self.velocity + self.angular_velocity.cross(lever)
    }
}
