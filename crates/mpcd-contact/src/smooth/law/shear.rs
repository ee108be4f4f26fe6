//! The tangential part that the laws share: none, viscous, or incremental elastic, under Coulomb's cap.

use mpcd_core::{
    Quantity,
    quantity::{Damping, NonNegative, Number, Positive},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{NormalForce, Shear, SpotInput};

/// Tangential force below Coulomb's limit μN.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum Tangential {
    /// −η_t V_t. Creeps under a steady load.
    Viscous {
        /// Viscous damping η_t.
        damping: Quantity<Damping, Positive>,
    },
    /// A spring that grows by −K_t h V_t (Cundall and Strack 1979), remembered while the contact lasts.
    Elastic {
        /// K_t over the normal stiffness. Default 0.8 = 2(1−ν)/(2−ν) at ν = 1/3 (Mindlin).
        #[serde(default)]
        ratio: Option<Quantity<Number, Positive>>,
        /// Damping ratio of the spring, 1 is critical. Default: that of the normal direction.
        #[serde(default)]
        damping_ratio: Option<Quantity<Number, NonNegative>>,
    },
}

/// Stiffness ratio 2(1−ν)/(2−ν) at ν = 1/3.
const RATIO: f64 = 0.8;

impl Default for Tangential {
    fn default() -> Self {
        Self::Elastic { ratio: None, damping_ratio: None }
    }
}

impl Tangential {
    /// Stiffness and damping for a normal stiffness; `normal_ratio` is the damping ratio of the normal direction.
    pub(crate) fn shear(&self, spot: &SpotInput, normal: &NormalForce, normal_ratio: f64) -> Shear {
        match self {
            Self::Viscous { damping } => Shear { stiffness: 0.0, damping: damping.si() },
            Self::Elastic { ratio, damping_ratio } => elastic_shear(
                ratio.map_or(RATIO, |r| r.si()) * normal.stiffness,
                damping_ratio.map_or(normal_ratio, |d| d.si()),
                spot.tangential_mass,
            ),
        }
    }
}

/// A spring with the damping ratio `ratio` for the mass it moves.
pub(crate) fn elastic_shear(stiffness: f64, ratio: f64, mass: f64) -> Shear {
    Shear { stiffness, damping: 2.0 * ratio * (mass * stiffness).sqrt() }
}
