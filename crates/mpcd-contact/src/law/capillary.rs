//! A liquid bridge: a constant pull from the moment two bodies touch until it ruptures.

use mpcd_core::{
    InputError, Quantity, Vec3,
    quantity::{Force, Length, NonNegative, Number, Positive},
};
use mpcd_friction::Cone;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Law, LawData, LawInput, LawKind, Memory, Reaches, Remembers, Shares, Tally};

/// Parameters of `Capillary`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CapillaryParams {
    /// Pull of the bridge.
    pub force: Quantity<Force, NonNegative>,
    /// Gap at which it ruptures.
    pub rupture: Quantity<Length, Positive>,
    /// Gap at which it forms. Default: when the bodies touch; at the start of a run between all that are as near then.
    #[serde(default)]
    pub formation: Option<Quantity<Length, NonNegative>>,
    /// Friction coefficient μ.
    pub friction: Quantity<Number, NonNegative>,
}

/// Places in the memory: 1 of a wet pair, and the pull of the last step at this point (N).
const WET: usize = 0;
const PULL: usize = 1;

/// Part of the length at which bridges rupture within which a node beside those that are wet touches.
const TOUCHES: f64 = 0.1;
/// The same of what touches at the end of a step but for rounding.
const ROUNDING: f64 = 1e-6;
/// The same of what is put there when a run begins: of bodies that turn in the first step the gap before it is known to second order.
const PLACED: f64 = 1e-3;

/// The contact law holds for r + h F n: a wet pair pulls with F until the gap exceeds the rupture distance, and its friction is
/// bound by μ(r_n + hF). On a face each point has its part of F.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capillary {
    force: f64,
    rupture: f64,
    formation: f64,
    friction: f64,
}

impl Capillary {
    /// What the bridge pulls with at this point (N): it is where the bodies are nearest.
    fn pull(&self, input: &LawInput) -> f64 {
        if input.beside { 0.0 } else { self.force * input.share }
    }

    /// The gap at which it forms (m).
    fn forms_at(&self) -> f64 {
        self.formation + ROUNDING * self.rupture
    }

    /// The gap that the bridge spans (m).
    fn spanned(input: &LawInput) -> f64 {
        input.nearest.unwrap_or(input.gap)
    }

    fn wet(&self, input: &LawInput) -> bool {
        let gap = Self::spanned(input);
        gap <= self.formation || (input.memory.numbers[WET] > 0.0 && gap <= self.rupture)
    }
}

impl Law for Capillary {
    fn prepare(&self, input: &LawInput) -> Option<LawData> {
        let mut data = LawData::of_cone(Cone::coulomb(self.friction)).with_normal_shift(input.gap_speed());
        if self.wet(input) {
            data.impulse_shift.x = self.pull(input) * input.h;
        }
        Some(data)
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

    fn reach(&self) -> Option<&dyn Reaches> {
        Some(self)
    }
}

impl Remembers for Capillary {
    /// A pair that touches when the run begins is wet, also where it parts: the bridge was there before.
    fn initial(&self, input: &LawInput) -> Memory {
        let mut memory = Memory::default();
        memory.numbers[WET] = f64::from(u8::from(input.start && input.gap_before() <= self.formation + PLACED * self.rupture));
        memory
    }

    /// A node that the contact goes on to touches but for what a solve leaves.
    fn lacks(&self, input: &LawInput) -> bool {
        input.memory.numbers[WET] == 0.0 && input.gap > self.formation && input.gap <= self.formation + TOUCHES * self.rupture
    }

    fn is_of_pair(&self, gap: f64) -> bool {
        gap <= self.rupture
    }

    fn has(&self, memory: &Memory) -> bool {
        memory.numbers[WET] > 0.0
    }

    /// What pushes touches, whatever the solve leaves of its gap.
    fn accept(&self, input: &LawInput, u: &Vec3, r: &Vec3, memory: &mut Memory) -> Shares {
        let wet = self.wet(input);
        let gap = Self::spanned(input) + input.h * u.x;
        let forms = gap <= self.forms_at() || r.x > 0.0;
        memory.numbers[WET] = f64::from(u8::from((wet && gap <= self.rupture) || forms));
        memory.numbers[PULL] = if wet { self.pull(input) } else { 0.0 };
        Shares { bond: if wet { Vec3::x() * (-self.pull(input) * input.h) } else { Vec3::zeros() }, ..Shares::default() }
    }

    fn tally(&self, memory: &Memory) -> Tally {
        Tally { bonded: memory.numbers[WET] > 0.0, pull: memory.numbers[PULL], ..Tally::default() }
    }

    fn pulls(&self) -> bool {
        true
    }
}

impl Reaches for Capillary {
    fn range(&self, memory: Option<&Memory>) -> f64 {
        if memory.is_some_and(|m| m.numbers[WET] > 0.0) { self.rupture } else { self.formation }
    }

    fn reach(&self) -> f64 {
        self.rupture.max(self.formation)
    }
}

impl LawKind for Capillary {
    const NAME: &'static str = "Capillary";
    type Params = CapillaryParams;

    fn build(p: CapillaryParams) -> Result<Self, InputError> {
        let (rupture, formation) = (p.rupture.si(), p.formation.map_or(0.0, |f| f.si()));
        if formation > rupture {
            return Err(InputError::new(format!(
                "the bridge forms at a gap of {formation} m and ruptures at {rupture} m; expected `formation` of at most `rupture`"
            ))
            .help("make `formation` smaller or `rupture` larger")
            .at("formation"));
        }
        Ok(Self { force: p.force.si(), rupture, formation, friction: p.friction.si() })
    }
}
