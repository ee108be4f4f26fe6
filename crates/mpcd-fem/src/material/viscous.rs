//! Kelvin–Voigt: any material with a viscosity beside it.

use std::sync::Arc;

use super::error::check;
use super::{Material, MaterialError, Response, Strain, Tangent, Voigt};

/// σ = σ(ε) + τ D ε̇, D the tangent of the material at rest, τ the retardation time.
#[derive(Clone, Debug)]
pub struct KelvinVoigt {
    material: Arc<dyn Material>,
    viscosity: Tangent,
}

impl KelvinVoigt {
    /// A material and its retardation time (s), not below 0.
    ///
    /// # Errors
    /// [`MaterialError::Parameter`]; [`MaterialError::Strain`] from the material at rest.
    pub fn new(material: Arc<dyn Material>, retardation: f64) -> Result<Self, MaterialError> {
        check("retardation time", retardation, retardation >= 0.0, "a finite number not below zero (s)")?;
        let old = vec![0.0; material.history_len()];
        let tangent = material.respond(&Voigt::zeros(), &old, &mut old.clone())?.tangent;
        let viscosity = tangent * retardation + material.viscosity().unwrap_or_default();
        Ok(Self { material, viscosity })
    }
}

impl Material for KelvinVoigt {
    fn strain(&self) -> Strain {
        self.material.strain()
    }

    fn is_linear(&self) -> bool {
        self.material.is_linear()
    }

    fn history_len(&self) -> usize {
        self.material.history_len()
    }

    fn respond(&self, strain: &Voigt, old: &[f64], new: &mut [f64]) -> Result<Response, MaterialError> {
        self.material.respond(strain, old, new)
    }

    fn viscosity(&self) -> Option<Tangent> {
        Some(self.viscosity)
    }

    fn plastic_strain(&self, history: &[f64]) -> Option<f64> {
        self.material.plastic_strain(history)
    }
}
