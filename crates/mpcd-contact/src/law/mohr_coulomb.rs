//! A brittle bond: it holds up to Mohr–Coulomb's limit, then it is broken for good and friction is left. The limit is held against what the resultant
//! of the patch makes at a point, not against the point's own share, which rigid bodies leave open.

use mpcd_core::{
    InputError, Quantity, Vec3,
    quantity::{Area, Length, NonNegative, Number, Positive, Pressure},
};
use mpcd_friction::Cone;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    Begin, Law, LawData, LawInput, LawKind, Memory, Reaches, Remembers, Shares, StagePoint, Stages, Tally,
    spread::{Carried, spread},
    whole::whole,
};

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
    /// Area of a bond: of a whole face. Default: that of the contact.
    #[serde(default)]
    pub area: Option<Quantity<Area, Positive>>,
    /// Gap up to which bodies are bonded at the start. Default: 1 % of the reduced radius or of the contact's edge.
    #[serde(default)]
    pub bond_distance: Option<Quantity<Length, NonNegative>>,
}

/// r_n ≥ −T S h and ‖r_t‖ ≤ c S h + μ r_n while bonded, r the point's part of what its patch carries ([`spread`]); a bond that would go beyond
/// breaks in that step, and the step is solved without it.
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

/// What is held: whole, or broken.
const WHOLE: f64 = 0.0;
const BROKEN: f64 = 1.0;

impl Law for MohrCoulomb {
    fn is_rigid_bond(&self) -> bool {
        true
    }

    fn prepare(&self, input: &LawInput) -> Option<LawData> {
        let m = &input.memory.numbers;
        if m[BONDED] == 0.0 || input.held == Some(BROKEN) {
            return Some(LawData::of_cone(Cone::coulomb(self.friction)).with_normal_shift(input.gap_speed()));
        }
        Some(whole(input, (m[AREA], self.strength(), self.friction), &self.drift(input)))
    }

    fn on_displacements(&self) -> Result<(), &'static str> {
        Ok(())
    }

    fn friction(&self) -> f64 {
        self.friction
    }

    fn memory(&self) -> Option<&dyn Remembers> {
        Some(self)
    }

    fn stages(&self) -> Option<&dyn Stages> {
        Some(self)
    }

    fn reach(&self) -> Option<&dyn Reaches> {
        Some(self)
    }
}

impl MohrCoulomb {
    /// The greater of tensile strength and cohesion (Pa).
    fn strength(&self) -> f64 {
        self.tensile.max(self.excess + self.friction * self.tensile)
    }

    /// Whether a bond of this area carries the impulse `r` in a step of `h`.
    fn carries(&self, r: &Vec3, area: f64, h: f64) -> bool {
        let normal = r.x + self.tensile * area * h;
        let bound = self.excess * area * h + self.friction * normal;
        normal > 0.0 && r.y.hypot(r.z) < bound * (1.0 - 1e-9)
    }
}

impl Remembers for MohrCoulomb {
    fn initial(&self, input: &LawInput) -> Memory {
        let mut memory = Memory::default();
        if input.start && input.gap_before() <= self.bond_distance.unwrap_or(0.01 * input.length()) {
            let area = self.area.map_or_else(|| input.area(), |a| a * input.share);
            memory.numbers = [f64::from(u8::from(area > 0.0)), area, input.gap, 0.0];
        }
        memory
    }

    fn accept(&self, input: &LawInput, _: &Vec3, r: &Vec3, memory: &mut Memory) -> Shares {
        let m = &mut memory.numbers;
        if input.held == Some(BROKEN) {
            m[BONDED] = 0.0;
        }
        // What a bond carries beyond friction and push is its own.
        let own = m[BONDED] > 0.0 && (r.x < 0.0 || r.y.hypot(r.z) > self.friction * r.x);
        Shares { bond: if own { *r } else { Vec3::zeros() }, ..Shares::default() }
    }

    fn tally(&self, memory: &Memory) -> Tally {
        let bonded = memory.numbers[BONDED] > 0.0;
        let area = memory.numbers[AREA];
        Tally { bonded, damage: f64::from(u8::from(!bonded && area > 0.0)), area, anchored: bonded, pull: 0.0 }
    }

    fn bonds(&self) -> bool {
        true
    }
}

impl Reaches for MohrCoulomb {
    fn range(&self, memory: Option<&Memory>) -> f64 {
        memory.filter(|m| m.numbers[BONDED] > 0.0).map_or(0.0, |m| m.numbers[REFERENCE].max(0.0))
    }

    fn reach(&self) -> f64 {
        self.bond_distance.unwrap_or(0.0)
    }
}

impl Stages for MohrCoulomb {
    fn begin(&self, input: &LawInput) -> Option<Begin> {
        (input.memory.numbers[BONDED] > 0.0).then_some(Begin { held: input.held.unwrap_or(WHOLE), at_once: true })
    }

    fn is_rigid(&self, input: &LawInput) -> bool {
        input.memory.numbers[BONDED] > 0.0 && input.held == Some(WHOLE)
    }

    fn drift(&self, input: &LawInput) -> Vec3 {
        let along = input.slip.unwrap_or_default();
        Vec3::new(input.gap - input.memory.numbers[REFERENCE], along.y, along.z)
    }

    fn raise(&self, patch: &mut [StagePoint<'_>]) {
        let mut carried: Vec<Carried> = patch.iter().filter(|p| p.held == WHOLE).map(StagePoint::carried).collect();
        spread(&mut carried, patch.first().map_or([true; 3], |p| p.turns));
        for (point, carried) in patch.iter_mut().filter(|p| p.held == WHOLE).zip(carried) {
            if !self.carries(&carried.r, point.input.memory.numbers[AREA], point.input.h) {
                point.held = BROKEN;
            }
        }
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
        if tensile > 0.0 && cohesion == 0.0 {
            return Err(InputError::new("a bond without friction whose `cohesion` is 0, as it is by default there, breaks by the least shear, whatever `tensile_strength` says")
                .help("expected a `cohesion` above 0: the shear strength without normal load")
                .at("friction"));
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
