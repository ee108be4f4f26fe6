//! Damage with the energy w of adhesion: Raous–Cangémi–Cocou–Monerie and Monerie–Acary.

use mpcd_core::{
    InputError, Quantity,
    quantity::{Area, Kind, Length, NonNegative, Number, Positive, SurfaceEnergy},
    unit::Unit,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Bond, Bonding, BondingParams, FrictionOfDamage};

/// A stiffness per area [Pa/m].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BondStiffness {}

impl Kind for BondStiffness {
    const UNIT: Unit = Unit::new(-2, 1, -2, 0, 0);
    const NOUN: &'static str = "a stiffness per area";
}

/// A viscosity of damage [J s/m²].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DamageViscosity {}

impl Kind for DamageViscosity {
    const UNIT: Unit = Unit::new(0, 1, -1, 0, 0);
    const NOUN: &'static str = "a viscosity of damage";
}

/// Parameters of `RaousCangemiCocouMonerie` and `MonerieAcary`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DamageParams {
    /// Normal stiffness C_N of the intact bond.
    pub normal_stiffness: Quantity<BondStiffness, Positive>,
    /// Tangential stiffness C_T of the intact bond.
    pub tangential_stiffness: Quantity<BondStiffness, Positive>,
    /// Energy w that separates a unit of area.
    pub energy: Quantity<SurfaceEnergy, Positive>,
    /// Viscosity b of the damage. Default none.
    #[serde(default)]
    pub viscosity: Option<Quantity<DamageViscosity, NonNegative>>,
    /// Friction coefficient μ.
    pub friction: Quantity<Number, NonNegative>,
    /// Whether friction grows with damage. Default: `Stays` for Raous–Cangémi–Cocou–Monerie, `Grows` for Monerie–Acary.
    #[serde(default)]
    pub friction_of_damage: Option<FrictionOfDamage>,
    /// Area of a bond: of a whole face. Default: that of the contact.
    #[serde(default)]
    pub area: Option<Quantity<Area, Positive>>,
    /// Gap up to which bodies are bonded at the start. Default: 1 % of the reduced radius or of the contact's edge.
    #[serde(default)]
    pub bond_distance: Option<Quantity<Length, NonNegative>>,
    /// Opening at which a bond is cut. Default: 100 times the opening √(w/C_N) at which damage begins; 0.005 % of w is then left.
    #[serde(default)]
    pub range: Option<Quantity<Length, Positive>>,
}

/// R = β²(C_N⟨δ_n⟩ n + C_T δ_t), b β̇ = −⟨β(C_N⟨δ_n⟩² + C_T δ_t²) − w⟩, β never heals. Damage x is 1 − β.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Damage {
    normal: f64,
    tangential: f64,
    energy: f64,
    viscosity: f64,
}

impl Damage {
    fn build(p: DamageParams, default: FrictionOfDamage) -> (Self, Bonding) {
        let damage = Self {
            normal: p.normal_stiffness.si(),
            tangential: p.tangential_stiffness.si(),
            energy: p.energy.si(),
            viscosity: p.viscosity.map_or(0.0, |b| b.si()),
        };
        let begins = (damage.energy / damage.normal.min(damage.tangential)).sqrt();
        let bonding = BondingParams {
            friction: p.friction,
            friction_of_damage: p.friction_of_damage.unwrap_or(default),
            area: p.area,
            bond_distance: p.bond_distance,
            range: p.range,
        };
        (damage, bonding.build(100.0 * begins))
    }

    fn stiffness(&self, x: f64) -> [f64; 2] {
        let beta = 1.0 - x;
        [beta * beta * self.normal, beta * beta * self.tangential]
    }

    /// β⁺ = (h w + b β)/(b + h(C_N⟨δ_n⟩² + C_T δ_t²)), at most β.
    fn demand(&self, [n, t]: [f64; 2], x: f64, h: f64) -> f64 {
        let beta = 1.0 - x;
        let drive = self.normal * n * n + self.tangential * t * t;
        let next = (h * self.energy + self.viscosity * beta) / (self.viscosity + h * drive);
        1.0 - next.min(beta)
    }
}

macro_rules! damage_law {
    ($(#[$doc:meta])* $name:ident, $friction:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct $name(Damage);

        impl Bond for $name {
            const NAME: &'static str = stringify!($name);
            type Params = DamageParams;

            fn build(p: DamageParams) -> Result<(Self, Bonding), InputError> {
                let (damage, bonding) = Damage::build(p, $friction);
                Ok((Self(damage), bonding))
            }
            fn stiffness(&self, x: f64) -> [f64; 2] {
                self.0.stiffness(x)
            }
            fn demand(&self, opening: [f64; 2], x: f64, h: f64) -> f64 {
                self.0.demand(opening, x, h)
            }
        }
    };
}

damage_law! {
    /// Adhesion, friction and unilateral contact (Raous, Cangémi and Cocou 1999; Monerie 2000); friction acts from the start.
    RaousCangemiCocouMonerie, FrictionOfDamage::Stays
}

damage_law! {
    /// Monerie and Acary 2001: the same damage; friction grows as the bond is lost.
    MonerieAcary, FrictionOfDamage::Grows
}
