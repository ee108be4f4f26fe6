//! The convex law (Maury; Anitescu): Coulomb's cone without the term that ties opening to sliding.

use mpcd_core::{
    InputError, Quantity,
    quantity::{NonNegative, Number},
};
use mpcd_friction::Cone;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Law, LawData, LawInput, LawKind};

/// Parameters of `Convex`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConvexParams {
    /// Friction coefficient μ.
    pub friction: Quantity<Number, NonNegative>,
}

/// g/h + u_n ≥ μ‖u_t‖ (Maury; Anitescu; Lefebvre-Lepot 2022). One convex problem per step, so every solver ends; but a body that
/// slides at v hovers at hμv over its support.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Convex {
    friction: f64,
}

impl Law for Convex {
    fn prepare(&self, input: &LawInput) -> Option<LawData> {
        Some(LawData::of_cone(Cone::Convex { friction: self.friction }).with_normal_shift(input.gap / input.h))
    }

    fn on_displacements(&self) -> Result<(), &'static str> {
        Ok(())
    }

    fn friction(&self) -> f64 {
        self.friction
    }
}

impl LawKind for Convex {
    const NAME: &'static str = "Convex";
    type Params = ConvexParams;

    fn build(p: ConvexParams) -> Result<Self, InputError> {
        Ok(Self { friction: p.friction.si() })
    }
}
