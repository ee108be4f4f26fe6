//! Extrinsic cohesion (Camacho and Ortiz 1996): rigid up to a limit of traction, then softening with energy G_c.

use mpcd_core::{
    InputError, Quantity,
    quantity::{Area, Length, NonNegative, Number, Positive, Pressure, SurfaceEnergy},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Bond, Bonding, BondingParams, FrictionOfDamage};

/// Parameters of `Extrinsic`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExtrinsicParams {
    /// Traction σ_c at which the bond begins to open.
    pub strength: Quantity<Pressure, Positive>,
    /// Energy G_c that separates a unit of area.
    pub energy: Quantity<SurfaceEnergy, Positive>,
    /// Strength in shear over that in tension. Default 1.
    #[serde(default)]
    pub shear_ratio: Option<Quantity<Number, Positive>>,
    /// Friction coefficient μ.
    pub friction: Quantity<Number, NonNegative>,
    /// Whether friction grows with damage (default) or stays.
    #[serde(default)]
    pub friction_of_damage: Option<FrictionOfDamage>,
    /// Area of a bond: of a whole face. Default: that of the contact.
    #[serde(default)]
    pub area: Option<Quantity<Area, Positive>>,
    /// Gap up to which bodies are bonded at the start. Default: 1 % of the reduced radius or of the contact's edge.
    #[serde(default)]
    pub bond_distance: Option<Quantity<Length, NonNegative>>,
}

/// Least opening at which a bond may part (m): a hundredth of an atom.
const LEAST: f64 = 1e-12;

/// Effective opening δ = √(⟨δ_n⟩² + γ²δ_t²) and traction √(T_n² + T_t²/γ²), γ the shear ratio; σ(δ) = σ_c(1 − δ/δ_c), δ_c = 2G_c/σ_c.
/// Damage x is the largest δ so far over δ_c; below it the bond unloads along the secant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extrinsic {
    strength: f64,
    critical: f64,
    ratio: f64,
}

impl Bond for Extrinsic {
    const NAME: &'static str = "Extrinsic";
    type Params = ExtrinsicParams;

    fn build(p: ExtrinsicParams) -> Result<(Self, Bonding), InputError> {
        let strength = p.strength.si();
        let law = Self { strength, critical: 2.0 * p.energy.si() / strength, ratio: p.shear_ratio.map_or(1.0, |r| r.si()) };
        if law.critical < LEAST {
            return Err(InputError::new(format!(
                "the bond parts at an opening of 2 `energy`/`strength` = {:.1e} m, which is less than places are known to",
                law.critical
            ))
            .help("write `MohrCoulomb` for what breaks at once, or for what never breaks; or more energy")
            .at("energy"));
        }
        let bonding = BondingParams {
            friction: p.friction,
            friction_of_damage: p.friction_of_damage.unwrap_or(FrictionOfDamage::Grows),
            area: p.area,
            bond_distance: p.bond_distance,
            range: None,
        };
        Ok((law, bonding.build(law.critical)))
    }

    fn stiffness(&self, x: f64) -> [f64; 2] {
        let secant = self.strength * (1.0 - x) / (x * self.critical);
        [secant, secant * self.ratio * self.ratio]
    }

    fn demand(&self, opening: [f64; 2], _: f64, _: f64) -> f64 {
        (opening[0].hypot(self.ratio * opening[1]) / self.critical).min(1.0)
    }

    fn holds(&self, traction: [f64; 2]) -> Option<bool> {
        Some(traction[0].hypot(traction[1] / self.ratio) <= self.strength)
    }

    fn strength(&self) -> f64 {
        self.strength * self.ratio.max(1.0)
    }
}
