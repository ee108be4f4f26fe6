//! Cone kinds and the projection on a friction cone; nothing about contacts or bodies.
//!
//! Local vectors are in the contact frame, normal first: `[n, t]` or `[n, t, s]`.

use serde::{Deserialize, Serialize};

/// Which set the impulse of a contact lives in.
///
/// `K` is the cone of admissible impulses; the relation is `K* ∋ u + g(u) ⊥ r ∈ K` with
/// `g(u) = (μ‖u_t‖, 0, 0)` for Coulomb and zero for the others (PHYSICS §3).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Cone {
    /// Signorini in the normal direction, Coulomb's law with this friction coefficient in the tangent plane.
    Coulomb {
        /// Friction coefficient μ ≥ 0, without unit.
        friction: f64,
    },
    /// The convex law (Maury; Anitescu): `K* ∋ u ⊥ r ∈ K` with Coulomb's cone and without `g(u)`. A sliding contact opens
    /// with `u_n = μ‖u_t‖`.
    Convex {
        /// Friction coefficient μ ≥ 0, without unit.
        friction: f64,
    },
    /// Signorini in the normal direction, no tangential impulse.
    Frictionless,
    /// All components of the relative velocity are held at zero, in both senses (a pin; with contact
    /// dimension 3 a ball joint).
    Bilateral,
    /// The normal component alone is held at zero, in both senses (a rod).
    BilateralNormal,
    /// The tangential components alone are held at zero, in both senses (a slider along the normal).
    BilateralTangential,
}

impl Cone {
    /// Coulomb's law with friction coefficient `friction`.
    #[must_use]
    pub const fn coulomb(friction: f64) -> Self {
        Self::Coulomb { friction }
    }

    /// Friction coefficient of the cone; zero where there is no friction cone.
    #[must_use]
    pub const fn friction(self) -> f64 {
        match self {
            Self::Coulomb { friction } | Self::Convex { friction } => friction,
            Self::Frictionless | Self::Bilateral | Self::BilateralNormal | Self::BilateralTangential => 0.0,
        }
    }

    /// Orthogonal projection of a local vector on `K`.
    #[must_use]
    pub fn project<const D: usize>(self, x: &[f64; D]) -> [f64; D] {
        match self {
            Self::Coulomb { friction } | Self::Convex { friction } => project_coulomb(friction, x),
            Self::Frictionless => {
                let mut p = [0.0; D];
                p[0] = x[0].max(0.0);
                p
            }
            Self::Bilateral => *x,
            Self::BilateralNormal => {
                let mut p = [0.0; D];
                p[0] = x[0];
                p
            }
            Self::BilateralTangential => {
                let mut p = *x;
                p[0] = 0.0;
                p
            }
        }
    }

    /// The velocity whose dual-cone condition is equivalent to the law: `u + g(u)`.
    #[must_use]
    pub fn shifted_velocity<const D: usize>(self, u: &[f64; D]) -> [f64; D] {
        let mut shifted = *u;
        if let Self::Coulomb { friction } = self {
            shifted[0] += friction * tangential_norm(u);
        }
        shifted
    }
}

/// Euclidean norm of the tangential part of a local vector.
#[inline]
#[must_use]
pub fn tangential_norm<const D: usize>(x: &[f64; D]) -> f64 {
    match D {
        2 => x[1].abs(),
        _ => x[1..].iter().map(|t| t * t).sum::<f64>().sqrt(),
    }
}

/// Orthogonal projection on `{‖x_t‖ ≤ μ x_n}`.
#[inline]
#[must_use]
pub fn project_coulomb<const D: usize>(friction: f64, x: &[f64; D]) -> [f64; D] {
    let tangential = tangential_norm(x);
    // The polar cone first: without friction, (−1, 0, 0) is in it and also meets 0 ≤ −0.
    if friction * tangential <= -x[0] {
        return [0.0; D];
    }
    if tangential <= friction * x[0] {
        return *x;
    }
    let normal = (friction * tangential + x[0]) / (1.0 + friction * friction);
    let mut p = [0.0; D];
    p[0] = normal;
    for k in 1..D {
        p[k] = friction * normal * x[k] / tangential;
    }
    p
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn projection_is_identity_inside_and_zero_in_the_polar_cone() {
        let inside = [1.0, 0.2, -0.3];
        assert_eq!(project_coulomb(0.5, &inside), inside);
        assert_eq!(project_coulomb(0.5, &[-1.0, 1.0, 1.0]), [0.0; 3]);
        assert_eq!(project_coulomb(0.0, &[-1.0, 0.0, 0.0]), [0.0; 3]);
        assert_eq!(Cone::Frictionless.project(&[2.0, 3.0]), [2.0, 0.0]);
        assert_eq!(Cone::Bilateral.project(&[-2.0, 3.0]), [-2.0, 3.0]);
    }

    #[test]
    fn projection_residual_is_orthogonal_to_the_projection() {
        for k in 0..200_i32 {
            let a = f64::from(k) * 0.37;
            let x = [a.sin() * 2.0, (1.7 * a).cos(), (0.3 * a).sin() * 3.0];
            let p = project_coulomb(0.6, &x);
            let dot: f64 = (0..3).map(|i| (x[i] - p[i]) * p[i]).sum();
            assert!(dot.abs() < 1e-14, "{dot:e}");
            assert!(tangential_norm(&p) <= 0.6 * p[0] * (1.0 + 1e-14) + 1e-300);
        }
    }
}
