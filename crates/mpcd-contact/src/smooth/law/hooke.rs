//! Hooke's law with viscous damping.

use mpcd_core::{
    InputError, Quantity,
    quantity::{Damping, Fraction, NonNegative, Number, Positive, Stiffness},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    NormalForce, Shear, SmoothLaw, SmoothLawKind, SpotInput, Tangential,
    damping::{ratio_with_tension, ratio_without_tension},
};

/// A linear spring and a dashpot: N = kδ + ηδ̇ while the surfaces overlap. (Module SmoothContact.)
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HookeParams {
    /// Normal stiffness k of each point that touches: a face has four, a line two.
    pub stiffness: Quantity<Stiffness, Positive>,
    /// Friction coefficient μ.
    pub friction: Quantity<Number, NonNegative>,
    /// Coefficient of normal restitution e_n, exact for two bodies and any speed; gives the damping.
    #[serde(default)]
    pub restitution: Option<Quantity<Number, Fraction>>,
    /// Viscous damping η, in the place of `restitution`.
    #[serde(default)]
    pub damping: Option<Quantity<Damping, NonNegative>>,
    /// Lets the damping pull while the surfaces part (the course's e_n = exp(−πα/√(1−α²))). Default: no tension.
    #[serde(default)]
    pub tension: bool,
    /// Tangential force below Coulomb's limit.
    #[serde(default)]
    pub tangential: Tangential,
}

/// How strongly a contact is damped.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Viscosity {
    /// Damping ratio α: η = 2α√(m k).
    Ratio(f64),
    /// η [N s/m].
    Given(f64),
}

/// Hooke's law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hooke {
    stiffness: f64,
    viscosity: Viscosity,
    tension: bool,
    friction: f64,
    tangential: Tangential,
}

impl Hooke {
    fn damping(&self, mass: f64) -> f64 {
        match self.viscosity {
            Viscosity::Ratio(alpha) => 2.0 * alpha * (mass * self.stiffness).sqrt(),
            Viscosity::Given(damping) => damping,
        }
    }
}

impl SmoothLaw for Hooke {
    fn normal(&self, spot: &SpotInput) -> Option<NormalForce> {
        if spot.overlap <= 0.0 {
            return None;
        }
        let elastic = self.stiffness * spot.overlap;
        let damping = self.damping(spot.mass);
        let whole = elastic + damping * spot.closing;
        let force = if self.tension { whole } else { whole.max(0.0) };
        Some(NormalForce {
            force,
            elastic,
            energy: 0.5 * elastic * spot.overlap,
            stiffness: self.stiffness,
            damping,
            friction_load: force.max(0.0),
            bonded: false,
        })
    }

    fn shear(&self, spot: &SpotInput, normal: &NormalForce) -> Shear {
        let critical = 2.0 * (spot.mass * self.stiffness).sqrt();
        let ratio = match self.viscosity {
            Viscosity::Ratio(alpha) => alpha,
            Viscosity::Given(damping) if critical > 0.0 => damping / critical,
            Viscosity::Given(_) => 0.0,
        };
        self.tangential.shear(spot, normal, ratio)
    }

    fn friction(&self) -> f64 {
        self.friction
    }
}

impl SmoothLawKind for Hooke {
    const NAME: &'static str = "Hooke";
    type Params = HookeParams;

    fn build(p: HookeParams) -> Result<Self, InputError> {
        let viscosity = match (p.restitution, p.damping) {
            (Some(_), Some(_)) => {
                return Err(InputError::new(
                    "`restitution` and `damping` both say how strongly the contact is damped; expected one",
                )
                .help("remove `damping`: restitution gives it for every pair of masses")
                .at("damping"));
            }
            (Some(e), None) if p.tension => Viscosity::Ratio(ratio_with_tension(positive(e.si())?)),
            (Some(e), None) => Viscosity::Ratio(ratio_without_tension(positive(e.si())?)),
            (None, damping) => Viscosity::Given(damping.map_or(0.0, |d| d.si())),
        };
        Ok(Self {
            stiffness: p.stiffness.si(),
            viscosity,
            tension: p.tension,
            friction: p.friction.si(),
            tangential: p.tangential,
        })
    }
}

/// Restitution of zero would need an infinite damping.
pub(super) fn positive(restitution: f64) -> Result<f64, InputError> {
    if restitution > 0.0 {
        return Ok(restitution);
    }
    Err(InputError::new("no finite damping gives restitution 0 to a smooth law; expected above 0 and at most 1")
        .help("write a small value such as 0.05, or use module Contact, where impacts may be perfectly plastic")
        .at("restitution"))
}
