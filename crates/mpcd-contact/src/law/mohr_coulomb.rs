//! A brittle bond: it holds up to Mohr–Coulomb's limit, then it is broken for good and friction is left.

use mpcd_core::{
    InputError, Mat3, Quantity, Vec3,
    quantity::{Area, Length, NonNegative, Number, Positive, Pressure},
};
use mpcd_friction::{Cone, LocalLaw};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Law, LawData, LawInput, LawKind, Memory, Shares, Tally, local::coulomb_with_cohesion};

/// Parameters of `MohrCoulomb`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MohrCoulombParams {
    /// Friction coefficient μ, of the bond and after it.
    pub friction: Quantity<Number, NonNegative>,
    /// Tensile strength T.
    pub tensile_strength: Quantity<Pressure, NonNegative>,
    /// Shear strength c without normal load, at least μ T. Default: μ T, the tip of the cone.
    #[serde(default)]
    pub cohesion: Option<Quantity<Pressure, NonNegative>>,
    /// Area of a bond. Default: that of the contact.
    #[serde(default)]
    pub area: Option<Quantity<Area, Positive>>,
    /// Gap up to which bodies are bonded at the start. Default: 1 % of the reduced radius or of the contact's edge.
    #[serde(default)]
    pub bond_distance: Option<Quantity<Length, NonNegative>>,
}

/// r_n ≥ −T S h and ‖r_t‖ ≤ c S h + μ r_n while bonded; a bond that reached its limit in a step is broken from the next one on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MohrCoulomb {
    friction: f64,
    tensile: f64,
    /// c − μT ≥ 0 (Pa).
    excess: f64,
    area: Option<f64>,
    bond_distance: Option<f64>,
}

/// Memory: 1 while bonded, area, gap at which it was made.
const BONDED: usize = 0;
const AREA: usize = 1;
const REFERENCE: usize = 2;

#[derive(Debug)]
struct Limit {
    friction: f64,
    /// (c − μT) S h.
    cohesion: f64,
}

impl LocalLaw for Limit {
    fn name(&self) -> &'static str {
        MohrCoulomb::NAME
    }

    fn solve(&self, w: &Mat3, q: &Vec3) -> Vec3 {
        coulomb_with_cohesion(w, q, self.friction, self.cohesion)
    }
}

impl Law for MohrCoulomb {
    fn prepare(&self, input: &LawInput) -> Option<LawData> {
        let m = &input.memory.numbers;
        if m[BONDED] == 0.0 {
            return Some(LawData::of_cone(Cone::coulomb(self.friction)).with_normal_shift(input.gap_speed()));
        }
        let pull = input.h * m[AREA];
        let mut data = if self.excess > 0.0 {
            LawData::of_local(Limit { friction: self.friction, cohesion: self.excess * pull })
        } else {
            LawData::of_cone(Cone::coulomb(self.friction))
        };
        data.velocity_shift.x = input.opening_from(m[REFERENCE]) / input.h;
        data.impulse_shift.x = self.tensile * pull;
        Some(data)
    }

    fn on_displacements(&self) -> Result<(), &'static str> {
        Ok(())
    }

    fn friction(&self) -> f64 {
        self.friction
    }

    fn remembers(&self) -> bool {
        true
    }

    fn is_local(&self) -> bool {
        self.excess > 0.0
    }

    fn initial(&self, input: &LawInput) -> Memory {
        let mut memory = Memory::default();
        if input.start && input.gap <= self.bond_distance.unwrap_or(0.01 * input.length()) {
            memory.numbers = [1.0, self.area.unwrap_or_else(|| input.area()), input.gap, 0.0];
        }
        memory
    }

    fn accept(&self, input: &LawInput, _: &Vec3, r: &Vec3, memory: &mut Memory) -> Shares {
        let m = &mut memory.numbers;
        if m[BONDED] == 0.0 {
            return Shares::default();
        }
        let pull = input.h * m[AREA];
        let normal = r.x + self.tensile * pull;
        let bound = self.excess * pull + self.friction * normal;
        if normal <= 0.0 || r.y.hypot(r.z) >= bound * (1.0 - 1e-9) {
            m[BONDED] = 0.0;
        }
        // What a bond carries beyond friction and push is its own.
        Shares { bond: if normal <= 0.0 || r.x < 0.0 { *r } else { Vec3::zeros() }, ..Shares::default() }
    }

    fn tally(&self, memory: &Memory) -> Tally {
        Tally { bonded: memory.numbers[BONDED] > 0.0, damage: 0.0 }
    }
}

impl LawKind for MohrCoulomb {
    const NAME: &'static str = "MohrCoulomb";
    type Params = MohrCoulombParams;

    fn build(p: MohrCoulombParams) -> Result<Self, InputError> {
        let (friction, tensile) = (p.friction.si(), p.tensile_strength.si());
        let tip = friction * tensile;
        let cohesion = p.cohesion.map_or(tip, |c| c.si());
        if cohesion < tip {
            return Err(InputError::new(format!(
                "`cohesion` {cohesion} Pa is below friction times `tensile_strength`, {tip} Pa; the bond would slide before it is pulled"
            ))
            .help(format!("expected at least {tip}, or a tensile strength of at most {}", cohesion / friction))
            .at("cohesion"));
        }
        Ok(Self {
            friction,
            tensile,
            excess: cohesion - tip,
            area: p.area.map(|a| a.si()),
            bond_distance: p.bond_distance.map(|d| d.si()),
        })
    }
}
