//! Coulomb's law with Archard's wear: the volume that sliding takes off the two bodies.

use mpcd_core::{
    InputError, Quantity, Vec3,
    quantity::{NonNegative, Number, Positive, Pressure},
};
use mpcd_friction::Cone;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Law, LawData, LawInput, LawKind, Wears};

/// Parameters of `Wear`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WearParams {
    /// Friction coefficient μ.
    pub friction: Quantity<Number, NonNegative>,
    /// Archard's coefficient k.
    pub coefficient: Quantity<Number, NonNegative>,
    /// Hardness H of the softer surface.
    pub hardness: Quantity<Pressure, Positive>,
}

/// Archard: V̇ = k F_n v_t/H. The volume is shared by the two bodies, which keep its sum (field `worn_volume`); shapes stay.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wear {
    friction: f64,
    /// k/H [1/Pa].
    rate: f64,
}

impl Law for Wear {
    fn prepare(&self, input: &LawInput) -> Option<LawData> {
        Some(LawData::of_cone(Cone::coulomb(self.friction)).with_normal_shift(input.gap_speed()))
    }

    fn on_displacements(&self) -> Result<(), &'static str> {
        Ok(())
    }

    fn friction(&self) -> f64 {
        self.friction
    }

    fn wear(&self) -> Option<&dyn Wears> {
        (self.rate > 0.0).then_some(self as _)
    }
}

impl Wears for Wear {
    fn worn(&self, u: &Vec3, r: &Vec3) -> f64 {
        self.rate * r.x.max(0.0) * u.y.hypot(u.z)
    }
}

impl LawKind for Wear {
    const NAME: &'static str = "CoulombWithWear";
    type Params = WearParams;

    fn build(p: WearParams) -> Result<Self, InputError> {
        Ok(Self { friction: p.friction.si(), rate: p.coefficient.si() / p.hardness.si() })
    }
}
