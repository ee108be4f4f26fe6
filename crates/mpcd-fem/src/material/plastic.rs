//! Small-strain plasticity of von Mises (J2) with isotropic hardening, by radial return with the consistent tangent. Source:
//! Simo–Hughes, Computational Inelasticity, §3.3 and box 3.1.

use super::error::check;
use super::{Isotropic, Material, MaterialError, Response, Strain, Tangent, Voigt, contract};

/// Yield stress σ_y(α) = σ₀ + H α + (σ_∞ − σ₀)(1 − e^{−δα}), α the equivalent plastic strain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hardening {
    initial: f64,
    modulus: f64,
    saturation: f64,
    rate: f64,
}

impl Hardening {
    /// Linear hardening: first yield stress (Pa) above 0 and modulus H (Pa) not below 0.
    ///
    /// # Errors
    /// [`MaterialError::Parameter`].
    pub fn linear(initial: f64, modulus: f64) -> Result<Self, MaterialError> {
        Self::saturating(initial, modulus, initial, 0.0)
    }

    /// Linear and saturating (Voce) hardening: σ₀, H as in [`Hardening::linear`], σ_∞ (Pa) not below σ₀, rate δ not below 0.
    ///
    /// # Errors
    /// [`MaterialError::Parameter`].
    pub fn saturating(initial: f64, modulus: f64, saturation: f64, rate: f64) -> Result<Self, MaterialError> {
        check("first yield stress", initial, initial > 0.0, "a finite number above zero (Pa)")?;
        let softening = "a finite number not below zero (Pa); softening depends on the mesh without a length of its own";
        check("hardening modulus", modulus, modulus >= 0.0, softening)?;
        check("saturation stress", saturation, saturation >= initial, "a finite number not below the first yield stress (Pa)")?;
        check("rate of saturation", rate, rate >= 0.0, "a finite number not below zero")?;
        Ok(Self { initial, modulus, saturation, rate })
    }

    fn at(&self, alpha: f64) -> (f64, f64) {
        let (gain, left) = (self.saturation - self.initial, (-self.rate * alpha).exp());
        (self.initial + self.modulus * alpha + gain * (1.0 - left), self.modulus + gain * self.rate * left)
    }
}

/// Von Mises plasticity with isotropic hardening. History: the plastic strain (6, engineering shears) and α. All plastic work
/// counts as dissipated; the stored energy is the elastic one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct J2 {
    /// Elastic constants.
    pub elastic: Isotropic,
    /// Yield stress.
    pub hardening: Hardening,
}

impl Material for J2 {
    fn strain(&self) -> Strain {
        Strain::Small
    }

    fn history_len(&self) -> usize {
        7
    }

    fn plastic_strain(&self, history: &[f64]) -> Option<f64> {
        history.get(6).copied()
    }

    fn respond(&self, strain: &Voigt, old: &[f64], new: &mut [f64]) -> Result<Response, MaterialError> {
        new.copy_from_slice(old);
        let (mu, bulk) = (self.elastic.shear(), self.elastic.bulk());
        let plastic = Voigt::from_column_slice(&old[..6]);
        let trial = self.elastic.respond(&(strain - plastic));
        let deviator = deviator(&trial.stress);
        let norm = tensor_norm(&deviator);
        let limit = (2.0_f64 / 3.0).sqrt();
        if norm - limit * self.hardening.at(old[6]).0 <= 0.0 {
            return Ok(trial);
        }
        let gamma = self.consistency(norm, old[6])?;
        let direction = deviator / norm;
        let alpha = old[6] + limit * gamma;
        let slope = self.hardening.at(alpha).1;
        let stress = trial.stress - direction * (2.0 * mu * gamma);
        let flow = direction.component_mul(&Voigt::new(1.0, 1.0, 1.0, 2.0, 2.0, 2.0)) * gamma;
        (0..6).for_each(|k| new[k] = plastic[k] + flow[k]);
        new[6] = alpha;
        let theta = 1.0 - 2.0 * mu * gamma / norm;
        let turn = 1.0 / (1.0 + slope / (3.0 * mu)) - (1.0 - theta);
        let tangent =
            volumetric() * bulk + deviatoric() * (2.0 * mu * theta) - direction * direction.transpose() * (2.0 * mu * turn);
        let energy = 0.5 * contract(&stress, &(strain - plastic - flow));
        Ok(Response { stress, tangent, energy, dissipated: contract(&stress, &flow) })
    }
}

impl J2 {
    /// Newton's method on ‖s‖ − 2μγ = √⅔ σ_y(α + √⅔ γ): concave in γ, so that it converges from 0 without fail.
    fn consistency(&self, norm: f64, alpha: f64) -> Result<f64, MaterialError> {
        let (mu, limit) = (self.elastic.shear(), (2.0_f64 / 3.0).sqrt());
        let mut gamma = 0.0;
        for _ in 0..50 {
            let (stress, slope) = self.hardening.at(alpha + limit * gamma);
            let rest = norm - 2.0 * mu * gamma - limit * stress;
            gamma += rest / (2.0 * mu + 2.0 / 3.0 * slope);
            if rest.abs() <= 1e-14 * norm {
                return Ok(gamma);
            }
        }
        Err(MaterialError::Strain { what: "a trial stress", value: norm })
    }
}

fn deviator(s: &Voigt) -> Voigt {
    let mean = (s[0] + s[1] + s[2]) / 3.0;
    s - Voigt::new(mean, mean, mean, 0.0, 0.0, 0.0)
}

fn tensor_norm(s: &Voigt) -> f64 {
    (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] + 2.0 * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5])).sqrt()
}

/// I ⊗ I.
fn volumetric() -> Tangent {
    Tangent::from_fn(|i, j| f64::from(u8::from(i < 3 && j < 3)))
}

/// Strain with engineering shears → its deviator as a stress has it.
fn deviatoric() -> Tangent {
    Tangent::from_fn(|i, j| match (i == j, i < 3 && j < 3) {
        (true, true) => 2.0 / 3.0,
        (true, false) => 0.5,
        (false, true) => -1.0 / 3.0,
        _ => 0.0,
    })
}
