//! Isotropic linear elasticity in small strain, and the same law between Green–Lagrange strain and second Piola–Kirchhoff
//! stress (Saint-Venant–Kirchhoff).

use super::error::check;
use super::{Material, MaterialError, Response, Strain, Tangent, Voigt, contract};

/// Young's modulus and Poisson's ratio, checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Isotropic {
    young: f64,
    poisson: f64,
}

impl Isotropic {
    /// Young's modulus (Pa) above 0, Poisson's ratio between −1 and ½, both excluded.
    ///
    /// # Errors
    /// [`MaterialError::Parameter`].
    pub fn new(young: f64, poisson: f64) -> Result<Self, MaterialError> {
        check("Young's modulus", young, young > 0.0, "a finite number above zero (Pa)")?;
        let expected = "a number above −1 and below 0.5; an incompressible material has no displacement formulation, take 0.49 with quadratic elements";
        check("Poisson's ratio", poisson, poisson > -1.0 && poisson < 0.5, expected)?;
        let this = Self { young, poisson };
        check("first Lamé constant that follows", this.lambda(), true, "a finite number; move Poisson's ratio away from 0.5")?;
        Ok(this)
    }

    /// Young's modulus (Pa).
    pub fn young(&self) -> f64 {
        self.young
    }

    /// Poisson's ratio.
    pub fn poisson(&self) -> f64 {
        self.poisson
    }

    /// First Lamé constant (Pa).
    pub fn lambda(&self) -> f64 {
        self.young * self.poisson / ((1.0 + self.poisson) * (1.0 - 2.0 * self.poisson))
    }

    /// Shear modulus (Pa).
    pub fn shear(&self) -> f64 {
        self.young / (2.0 * (1.0 + self.poisson))
    }

    /// Bulk modulus (Pa).
    pub fn bulk(&self) -> f64 {
        self.young / (3.0 * (1.0 - 2.0 * self.poisson))
    }

    /// The matrix of elasticity (Pa).
    pub fn tangent(&self) -> Tangent {
        let (lambda, mu) = (self.lambda(), self.shear());
        Tangent::from_fn(|i, j| match (i, j) {
            (0..3, 0..3) => lambda + if i == j { 2.0 * mu } else { 0.0 },
            _ if i == j => mu,
            _ => 0.0,
        })
    }

    pub(super) fn respond(&self, strain: &Voigt) -> Response {
        let tangent = self.tangent();
        let stress = tangent * strain;
        Response { stress, tangent, energy: 0.5 * contract(&stress, strain), dissipated: 0.0 }
    }
}

/// Isotropic linear elasticity, small strain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearElastic(pub Isotropic);

impl Material for LinearElastic {
    fn strain(&self) -> Strain {
        Strain::Small
    }

    fn is_linear(&self) -> bool {
        true
    }

    fn respond(&self, strain: &Voigt, _: &[f64], _: &mut [f64]) -> Result<Response, MaterialError> {
        Ok(self.0.respond(strain))
    }
}

/// S = λ tr(E) I + 2μ E: large rotations, small to moderate strains (it softens in compression).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SaintVenantKirchhoff(pub Isotropic);

impl Material for SaintVenantKirchhoff {
    fn strain(&self) -> Strain {
        Strain::GreenLagrange
    }

    fn is_linear(&self) -> bool {
        true
    }

    fn respond(&self, strain: &Voigt, _: &[f64], _: &mut [f64]) -> Result<Response, MaterialError> {
        Ok(self.0.respond(strain))
    }
}
