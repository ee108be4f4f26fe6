//! Vectors, rotations and contact frames. Thin names over nalgebra; no mechanics.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use serde::{Deserialize, Serialize};

/// A vector in space [unit of its quantity].
pub type Vec3 = Vector3<f64>;
/// A 3×3 matrix.
pub type Mat3 = Matrix3<f64>;
/// A rotation from body axes to world axes.
pub type Quat = UnitQuaternion<f64>;

/// A right-handed contact frame (n, t, s). n is the unit normal of the antagonist's surface and points to the candidate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Unit normal, from antagonist to candidate.
    pub n: Vec3,
    /// First unit tangent.
    pub t: Vec3,
}

impl Frame {
    /// The planar frame: t = (−n_y, n_x, 0), s = +z. `n` must be a unit vector of the xy plane.
    #[must_use]
    pub fn planar(n: Vec3) -> Self {
        Self { n, t: Vec3::new(-n.y, n.x, 0.0) }
    }

    /// A spatial frame whose tangents depend on the unit vector `n` alone (so that restarts and threads agree).
    #[must_use]
    #[inline]
    pub fn spatial(n: Vec3) -> Self {
        // The axis least aligned with n gives a well-conditioned cross product. Which one it is no processor can foresee in a
        // packing, so it is chosen without a branch.
        let a = n.abs();
        let x = (a.x <= a.y) & (a.x <= a.z);
        let y = !x & (a.y <= a.z);
        let axis = Vec3::new(f64::from(x), f64::from(y), f64::from(!(x | y)));
        let t = n.cross(&axis).normalize();
        Self { n, t }
    }

    /// Second unit tangent, n × t: to the last digit +z in a planar frame. It is not held, as a network of millions of contacts has frames three times over.
    #[must_use]
    #[inline]
    pub fn s(&self) -> Vec3 {
        let is_planar = self.n.z == 0.0 && self.t.x == -self.n.y && self.t.y == self.n.x && self.t.z == 0.0;
        if is_planar { Vec3::z() } else { self.n.cross(&self.t) }
    }

    /// World vector → (n, t, s) components.
    #[must_use]
    #[inline]
    pub fn to_local(&self, v: &Vec3) -> Vec3 {
        Vec3::new(self.n.dot(v), self.t.dot(v), self.s().dot(v))
    }

    /// (n, t, s) components → world vector.
    #[must_use]
    #[inline]
    pub fn to_world(&self, v: &Vec3) -> Vec3 {
        self.n * v.x + self.t * v.y + self.s() * v.z
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_right_handed_and_orthonormal() {
        for n in [Vec3::x(), Vec3::y(), Vec3::z(), Vec3::new(0.3, -0.4, 0.5), Vec3::new(-1.0, 1e-9, 1e-9)] {
            let f = Frame::spatial(n.normalize());
            assert!((f.n.cross(&f.t) - f.s()).norm() < 1e-15 && f.n.dot(&f.t).abs() < 1e-15);
        }
        let f = Frame::planar(Vec3::new(0.6, 0.8, 0.0));
        assert!((f.n.cross(&f.t) - f.s()).norm() < 1e-15);
        assert_eq!(f.s(), Vec3::z());
        let v = Vec3::new(1.0, 2.0, 3.0);
        assert!((f.to_world(&f.to_local(&v)) - v).norm() < 1e-14);
    }
}
