//! Compressible neo-Hookean elasticity: W = ½μ(tr C − 3) − μ ln J + ½λ ln²J. Source: Bonet–Wood, Nonlinear continuum mechanics
//! for finite element analysis, §6.4.3.

use nalgebra::Matrix3;

use super::{Isotropic, Material, MaterialError, Response, Strain, Tangent, Voigt};

/// Rubber-like elasticity for large strains; the constants are those of small strains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeoHookean(pub Isotropic);

/// Which two axes each component joins.
const AXES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)];

impl Material for NeoHookean {
    fn strain(&self) -> Strain {
        Strain::GreenLagrange
    }

    /// S = μ(I − C⁻¹) + λ ln J C⁻¹, ∂S/∂E = λ C⁻¹⊗C⁻¹ + 2(μ − λ ln J) C⁻¹⊙C⁻¹. Written in E, so that small strains lose no digits.
    fn respond(&self, strain: &Voigt, _: &[f64], _: &mut [f64]) -> Result<Response, MaterialError> {
        let e = Matrix3::new(
            strain[0],
            0.5 * strain[3],
            0.5 * strain[5], //
            0.5 * strain[3],
            strain[1],
            0.5 * strain[4], //
            0.5 * strain[5],
            0.5 * strain[4],
            strain[2],
        );
        let c = Matrix3::identity() + 2.0 * e;
        let (trace, minors) = (e.trace(), 0.5 * (e.trace().powi(2) - e.norm_squared()));
        // det C = 1 + 2 tr E + 4 II + 8 det E
        let beyond = 4.0 * minors + 8.0 * e.determinant();
        let change = 2.0 * trace + beyond;
        let definite = change > -1.0 && c[(0, 0)] > 0.0 && c[(0, 0)] * c[(1, 1)] > c[(0, 1)] * c[(0, 1)];
        let inverse = c.try_inverse().filter(|_| definite);
        let Some(inverse) = inverse else {
            return Err(MaterialError::Strain { what: "a squared volume ratio", value: 1.0 + change });
        };
        let (lambda, mu, log) = (self.0.lambda(), self.0.shear(), 0.5 * change.ln_1p());
        let s = (inverse * e + e * inverse) * mu + inverse * (lambda * log);
        let factor = mu - lambda * log;
        let tangent = Tangent::from_fn(|a, b| {
            let ((i, j), (k, l)) = (AXES[a], AXES[b]);
            lambda * inverse[(i, j)] * inverse[(k, l)]
                + factor * (inverse[(i, k)] * inverse[(j, l)] + inverse[(i, l)] * inverse[(j, k)])
        });
        let stress = Voigt::from_fn(|a, _| s[AXES[a]]);
        // μ(tr E − ln J), whose first orders cancel
        let energy = 0.5 * mu * (above_logarithm(change) - beyond) + 0.5 * lambda * log * log;
        Ok(Response { stress, tangent, energy, dissipated: 0.0 })
    }
}

/// x − ln(1 + x) to rounding of itself, by ln(1 + x) = 2 artanh(x/(2 + x)) near 0.
fn above_logarithm(x: f64) -> f64 {
    if x.abs() > 0.2 {
        return x - x.ln_1p();
    }
    let s = x / (2.0 + x);
    // s³/3 + s⁵/5 + … + s¹⁷/17
    let series = (1..9).rev().fold(0.0, |sum, k| s * s * (sum + 1.0 / f64::from(2 * k + 1)));
    s * x - 2.0 * s * series
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    /// Of strains far below rounding of 1 the energy is that of small strain, ½λ tr² + μ E:E, and its change is the work of the stress.
    #[test]
    fn small_strains_lose_no_digits() {
        let material = NeoHookean(Isotropic::new(3.0, 0.3).unwrap());
        let (lambda, mu) = (material.0.lambda(), material.0.shear());
        for direction in [[1.0, -1.0, 0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0, 0.0, 0.0], [0.3, -0.5, 0.1, 0.7, -0.4, 0.2]] {
            for size in [1e-12, 1e-9, 1e-6] {
                let e = Voigt::from(direction) * size;
                let trace = e[0] + e[1] + e[2];
                let square = e.rows(0, 3).norm_squared() + 0.5 * e.rows(3, 3).norm_squared();
                let r = material.respond(&e, &[], &mut []).unwrap();
                let linear = 0.5 * lambda * trace * trace + mu * square;
                assert!((r.energy / linear - 1.0).abs() < 10.0 * size + 1e-14, "{e:?}: {} for {linear}", r.energy);
                assert!((0.5 * r.stress.dot(&e) / linear - 1.0).abs() < 10.0 * size + 1e-14, "{e:?}");
            }
        }
        for x in [-0.2_f64, -0.199, -0.05, 1e-3, 0.1, 0.199, 0.2, 0.21, 3.0] {
            let plain = x - x.ln_1p();
            assert!((above_logarithm(x) - plain).abs() < 2e-16 + 1e-15 * plain, "{x}");
        }
    }
}
