//! Materials: the law of stress and strain at one point, as a trait that any crate can implement, and the laws that ship. No
//! element, no mesh.

mod elastic;
mod error;
mod neo_hookean;
mod plastic;
mod viscous;

use std::fmt::Debug;

use nalgebra::{Matrix6, Vector6};

pub use elastic::{Isotropic, LinearElastic, SaintVenantKirchhoff};
pub use error::MaterialError;
pub use neo_hookean::NeoHookean;
pub use plastic::{Hardening, J2};
pub use viscous::KelvinVoigt;

/// Six components of a symmetric tensor: xx, yy, zz, xy, yz, zx. Strains have engineering shears γ = 2ε; in axisymmetry
/// (x, y, z) are (r, axis, hoop).
pub type Voigt = Vector6<f64>;
/// Derivative of a stress by a strain, both as [`Voigt`].
pub type Tangent = Matrix6<f64>;

/// The strain a material is written in, and the stress that goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strain {
    /// ε = sym ∇u with Cauchy's stress: small displacements and rotations.
    Small,
    /// Green–Lagrange's E = ½(FᵀF − I) with the second Piola–Kirchhoff stress: any displacement (total Lagrangian).
    GreenLagrange,
}

/// What a material answers.
#[derive(Clone, Copy, Debug)]
pub struct Response {
    /// Stress (Pa).
    pub stress: Voigt,
    /// Its derivative by the strain (Pa), consistent with the step when there is history; symmetric.
    pub tangent: Tangent,
    /// Stored energy per reference volume (J/m³).
    pub energy: f64,
    /// Energy dissipated since the old history, per reference volume (J/m³), ≥ 0.
    pub dissipated: f64,
}

/// A law of stress and strain. It holds no state: its history variables belong to the quadrature point and come as slices of
/// [`Material::history_len`] numbers, all 0 in the virgin material.
pub trait Material: Debug + Send + Sync {
    /// The strain it is written in.
    fn strain(&self) -> Strain;

    /// Whether the stress is a constant matrix times the strain.
    fn is_linear(&self) -> bool {
        false
    }

    /// Number of history variables of a point.
    fn history_len(&self) -> usize {
        0
    }

    /// Stress and tangent at a strain, from the history at the start of the step; writes the history at its end. Called any
    /// number of times for one step, always with the same `old`.
    ///
    /// # Errors
    /// [`MaterialError::Strain`] when there is no answer at this strain; a step is then tried with half its length.
    fn respond(&self, strain: &Voigt, old: &[f64], new: &mut [f64]) -> Result<Response, MaterialError>;

    /// Viscosity V (Pa s): the stress V Ė is added to that of [`Material::respond`]. Symmetric, without negative eigenvalues.
    fn viscosity(&self) -> Option<Tangent> {
        None
    }

    /// Equivalent plastic strain kept in a history; `None` for materials without.
    fn plastic_strain(&self, _history: &[f64]) -> Option<f64> {
        None
    }
}

/// `σ : ε` of a stress and a strain.
pub fn contract(stress: &Voigt, strain: &Voigt) -> f64 {
    stress.dot(strain)
}

/// Von Mises' equivalent stress (Pa).
pub fn von_mises(s: &Voigt) -> f64 {
    let (a, b, c) = (s[0] - s[1], s[1] - s[2], s[2] - s[0]);
    (0.5 * (a * a + b * b + c * c) + 3.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5])).sqrt()
}
