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

    /// S = μ(I − C⁻¹) + λ ln J C⁻¹, ∂S/∂E = λ C⁻¹⊗C⁻¹ + 2(μ − λ ln J) C⁻¹⊙C⁻¹.
    fn respond(&self, e: &Voigt, _: &[f64], _: &mut [f64]) -> Result<Response, MaterialError> {
        let c = Matrix3::new(
            1.0 + 2.0 * e[0],
            e[3],
            e[5], //
            e[3],
            1.0 + 2.0 * e[1],
            e[4], //
            e[5],
            e[4],
            1.0 + 2.0 * e[2],
        );
        let square = c.determinant();
        let definite = square > 0.0 && c[(0, 0)] > 0.0 && c[(0, 0)] * c[(1, 1)] > c[(0, 1)] * c[(0, 1)];
        let inverse = c.try_inverse().filter(|_| definite);
        let Some(inverse) = inverse else {
            return Err(MaterialError::Strain { what: "a squared volume ratio", value: square });
        };
        let (lambda, mu, log) = (self.0.lambda(), self.0.shear(), 0.5 * square.ln());
        let identity = Matrix3::identity();
        let s = (identity - inverse) * mu + inverse * (lambda * log);
        let factor = mu - lambda * log;
        let tangent = Tangent::from_fn(|a, b| {
            let ((i, j), (k, l)) = (AXES[a], AXES[b]);
            lambda * inverse[(i, j)] * inverse[(k, l)]
                + factor * (inverse[(i, k)] * inverse[(j, l)] + inverse[(i, l)] * inverse[(j, k)])
        });
        let stress = Voigt::from_fn(|a, _| s[AXES[a]]);
        let energy = mu * (e[0] + e[1] + e[2]) - mu * log + 0.5 * lambda * log * log;
        Ok(Response { stress, tangent, energy, dissipated: 0.0 })
    }
}
