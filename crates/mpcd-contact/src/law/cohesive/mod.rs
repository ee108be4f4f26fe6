//! Cohesive contacts: a bond whose stiffness falls with damage, solved together with unilateral contact and friction. The shapes of the
//! traction–opening curves are in the rooms beside; here is what they share: the local problem, memory, area and range.

mod damage;
mod extrinsic;
mod softening;

use mpcd_core::{
    InputError, Mat3, Quantity, Vec3,
    quantity::{Area, Length, NonNegative, Number, Positive},
};
use mpcd_friction::{Cone, LocalLaw, Springs};
use schemars::JsonSchema;
use serde::{Deserialize, de::DeserializeOwned};

use super::{
    Begin, Law, LawData, LawInput, LawKind, Memory, Reaches, Remembers, SLACK, Shares, StagePoint, Stages, Tally,
    local::{Parallel, coulomb, first_root},
    spread::{Carried, spread},
    whole::whole,
};

pub use damage::{MonerieAcary, RaousCangemiCocouMonerie};
pub use extrinsic::Extrinsic;
pub use softening::{Bilinear, Exponential, Trapezoidal};

/// What friction does while the bond is damaged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum FrictionOfDamage {
    /// μ times the damage: none in an intact bond, all of it in a broken one.
    Grows,
    /// μ from the start.
    Stays,
}

/// What all bonds share.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bonding {
    friction: f64,
    grows: bool,
    area: Option<f64>,
    bond_distance: Option<f64>,
    range: f64,
}

/// Parameters that all bonds share, as they stand in the model file.
pub(crate) struct BondingParams {
    pub(crate) friction: Quantity<Number, NonNegative>,
    pub(crate) friction_of_damage: FrictionOfDamage,
    pub(crate) area: Option<Quantity<Area, Positive>>,
    pub(crate) bond_distance: Option<Quantity<Length, NonNegative>>,
    pub(crate) range: Option<Quantity<Length, Positive>>,
}

impl BondingParams {
    fn build(self, default_range: f64) -> Bonding {
        Bonding {
            friction: self.friction.si(),
            grows: self.friction_of_damage == FrictionOfDamage::Grows,
            area: self.area.map(|a| a.si()),
            bond_distance: self.bond_distance.map(|d| d.si()),
            range: self.range.map_or(default_range, |r| r.si()),
        }
    }
}

/// A traction–opening curve with damage x from 0 (intact) to 1 (broken): traction = stiffness(x) ∘ opening.
pub trait Bond: std::fmt::Debug + Copy + Send + Sync + 'static {
    /// Name in the model file.
    const NAME: &'static str;
    /// Its parameters.
    type Params: DeserializeOwned + JsonSchema;

    /// Builds the curve and what all bonds share.
    ///
    /// # Errors
    /// What is wrong in the parameters taken together.
    fn build(params: Self::Params) -> Result<(Self, Bonding), InputError>;

    /// Normal and tangential stiffness per area at damage `x` [Pa/m], falling to zero at 1.
    fn stiffness(&self, x: f64) -> [f64; 2];

    /// Damage that the opening (normal ≥ 0, tangential ≥ 0) (m) at the end of a step of `h` asks for, at most 1. The bond takes it if it
    /// is more than what it has, `x`.
    fn demand(&self, opening: [f64; 2], x: f64, h: f64) -> f64;

    /// Whether an undamaged bond is rigid and carries this traction (normal pull, tangential) (Pa). `None`: it is not rigid.
    fn holds(&self, traction: [f64; 2]) -> Option<bool> {
        let _ = traction;
        None
    }

    /// The greatest traction of any direction that a rigid one carries (Pa).
    fn strength(&self) -> f64 {
        0.0
    }
}

/// Damage from which a rigid bond that gives way is looked at: below it its secant stiffness has no number.
const LEAST: f64 = 1e-9;

/// Damage below which a rigid bond is taken to hold: what the solver's tolerance leaves of an opening.
const NOISE: f64 = 1e-6;

/// The most damage with which a rigid bond that gives way goes into the next stage.
const ONSET: f64 = 1e-4;

/// Difference of damage between what the motion and what the impulse ask for, were they so much further apart, that asks for a finer solve.
const UNCLEAR: f64 = 1e-3;
const MARGIN: f64 = 10.0;

/// Places in the memory.
const DAMAGE: usize = 0;
const BONDED: usize = 1;
const AREA: usize = 2;
const REFERENCE: usize = 3;

/// A cohesive contact law with the curve `B`.
#[derive(Debug, Clone, Copy)]
pub struct Cohesive<B> {
    bond: B,
    bonding: Bonding,
}

/// One bonded contact of the step.
#[derive(Debug, Clone, Copy)]
struct Bonded<B> {
    bond: B,
    bonding: Bonding,
    x: f64,
    /// Damage held in this stage of the solve.
    held: Option<f64>,
    area: f64,
    /// Opening at the start (m), local; the normal part ≥ 0.
    opening: Vec3,
    /// Speed at which it asks to close the opening while it is rigid [m/s].
    asks: Vec3,
    h: f64,
}

impl<B: Bond> Bonded<B> {
    fn friction(&self, x: f64) -> f64 {
        self.bonding.friction * if self.bonding.grows { x } else { 1.0 }
    }

    /// Stiffness of the whole bond as impulse per opening [N s/m], local.
    fn spring(&self, x: f64) -> Vec3 {
        let [n, t] = self.bond.stiffness(x);
        Vec3::new(n, t, t) * (self.area * self.h)
    }

    /// Impulse and opening at the end of the step, were the damage `x`.
    fn at(&self, w: &Mat3, q: &Vec3, x: f64) -> (Vec3, Vec3) {
        let parallel = Parallel::new(w, q, self.spring(x), self.opening, self.h);
        let shifted = parallel.q + Vec3::x() * (self.opening.x / self.h);
        let r = coulomb(&parallel.w, &shifted, self.friction(x));
        (parallel.total(&r), parallel.opening(&r))
    }

    fn demand(&self, opening: &Vec3) -> f64 {
        self.bond.demand([opening.x.max(0.0), opening.y.hypot(opening.z)], self.x, self.h)
    }

    fn is_rigid(&self, x: f64) -> bool {
        x <= 0.0 && self.bond.holds([0.0; 2]).is_some()
    }

    /// Damage with which a rigid bond that gives way goes on: what its opening asks for while its neighbours stay as they are. More than that
    /// would let go of its strength before it is used.
    fn onset(&self, w: &Mat3, q: &Vec3) -> f64 {
        first_root(|x| x - self.demand(&self.at(w, q, x).1), LEAST, 1.0).min(ONSET)
    }

    /// Whether a rigid intact bond carries this impulse.
    fn carries(&self, r: &Vec3) -> bool {
        let traction = r / (self.h * self.area);
        self.bond.holds([(-traction.x).max(0.0), traction.y.hypot(traction.z)]) == Some(true)
    }

    /// The impulse of a rigid bond: no opening at all.
    fn rigid(&self, w: &Mat3, q: &Vec3) -> Option<Vec3> {
        let planar = w[(2, 2)] == 0.0;
        let mut block = *w;
        if planar {
            block[(2, 2)] = 1.0;
        }
        let mut r = -(block.try_inverse()? * (q + self.asks));
        if planar {
            r.z = 0.0;
        }
        Some(r)
    }
}

impl<B: Bond> LocalLaw for Bonded<B> {
    fn name(&self) -> &str {
        B::NAME
    }

    fn solve(&self, w: &Mat3, q: &Vec3) -> Vec3 {
        if let Some(held) = self.held {
            return self.at(w, q, held).0;
        }
        let rigid = self.is_rigid(self.x);
        if rigid {
            if let Some(r) = self.rigid(w, q).filter(|r| self.carries(r)) {
                return r;
            }
        } else {
            let (r, opening) = self.at(w, q, self.x);
            if self.demand(&opening) <= self.x {
                return r;
            }
        }
        // The least damage x with x ≥ demand(opening(x)): more damage opens more, so the first root is the one that is reached.
        let start = if rigid { LEAST } else { self.x };
        let x = first_root(|x| x - self.demand(&self.at(w, q, x).1), start, 1.0);
        self.at(w, q, x).0
    }

    fn springs(&self) -> Option<Springs> {
        let x = self.held.filter(|x| !self.is_rigid(*x))?;
        Some(Springs { stiffness: self.spring(x), opening: self.opening, h: self.h, friction: self.friction(x) })
    }
}

impl<B: Bond> Cohesive<B> {
    fn bonded(&self, input: &LawInput) -> Option<Bonded<B>> {
        let m = &input.memory;
        if m.numbers[BONDED] == 0.0 {
            return None;
        }
        // On a face the two surfaces say themselves how far they have slid apart.
        let xi = input.slip.unwrap_or(m.vectors[0]);
        let opening = Vec3::new(input.opening_from(m.numbers[REFERENCE]), xi.y, xi.z);
        Some(Bonded {
            bond: self.bond,
            bonding: self.bonding,
            x: m.numbers[DAMAGE],
            held: input.held,
            area: m.numbers[AREA],
            opening,
            asks: input.asks(&opening),
            h: input.h,
        })
    }
}

impl<B: Bond> Law for Cohesive<B> {
    fn prepare(&self, input: &LawInput) -> Option<LawData> {
        let Some(bonded) = self.bonded(input) else {
            return Some(LawData::of_cone(Cone::coulomb(self.bonding.friction)).with_normal_shift(input.gap_speed()));
        };
        if bonded.held.is_some_and(|held| bonded.is_rigid(held)) {
            return Some(whole(input, (bonded.area, self.bond.strength(), self.bonding.friction), &self.drift(input)));
        }
        Some(LawData::of_local(bonded))
    }

    fn on_displacements(&self) -> Result<(), &'static str> {
        Ok(())
    }

    fn friction(&self) -> f64 {
        self.bonding.friction
    }

    fn is_local(&self) -> bool {
        true
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

impl<B: Bond> Remembers for Cohesive<B> {
    fn initial(&self, input: &LawInput) -> Memory {
        let mut memory = Memory::default();
        if input.start && input.gap_before() <= self.bonding.bond_distance.unwrap_or(0.01 * input.length()) {
            let area = self.bonding.area.map_or_else(|| input.area(), |a| a * input.share);
            let area = if input.is_no_part() { 0.0 } else { area };
            memory.numbers = [0.0, f64::from(u8::from(area > 0.0)), area, input.gap];
        }
        memory
    }

    fn accept(&self, input: &LawInput, u: &Vec3, r: &Vec3, memory: &mut Memory) -> Shares {
        let Some(bonded) = self.bonded(input) else { return Shares::default() };
        let mut opening = bonded.opening + u * input.h;
        opening.x = opening.x.max(0.0);
        let is_noise = || bonded.demand(&((u + bonded.asks) * input.h)) <= NOISE;
        let (holds, x) = match bonded.held {
            Some(held) => (bonded.is_rigid(held), held),
            None if bonded.x <= 0.0 && input.holds.unwrap_or_else(|| bonded.carries(r) && is_noise()) => (true, bonded.x),
            None => (false, bonded.demand(&opening).clamp(bonded.x, 1.0)),
        };
        memory.vectors = [Vec3::new(0.0, opening.y, opening.z), Vec3::new(0.0, u.y, u.z)];
        memory.numbers[DAMAGE] = x;
        if !holds && (x >= 1.0 || opening.x > self.bonding.range) {
            memory.numbers[BONDED] = 0.0;
        }
        if holds {
            return Shares { bond: *r, ..Shares::default() };
        }
        let pull = bonded.spring(x).component_mul(&opening);
        let stored = if memory.numbers[BONDED] > 0.0 { 0.5 * pull.dot(&opening) / input.h } else { 0.0 };
        Shares { bond: -pull, stored, ..Shares::default() }
    }

    fn tally(&self, memory: &Memory) -> Tally {
        let bonded = memory.numbers[BONDED] > 0.0;
        // drawn out of its range it is broken, whatever its curve says
        let damage = if bonded || memory.numbers[AREA] == 0.0 { memory.numbers[DAMAGE] } else { 1.0 };
        Tally { bonded, damage, area: memory.numbers[AREA], anchored: bonded, pull: 0.0 }
    }

    fn bonds(&self) -> bool {
        true
    }
}

impl<B: Bond> Stages for Cohesive<B> {
    /// The points of a patch are held from the start. Rigid ones share what the patch carries in ways that only the patch can tell; those with a
    /// stiffness would be loaded by a sweep one after the other, and the first could give way under what all of them carry.
    fn begin(&self, input: &LawInput) -> Option<Begin> {
        let bonded = self.bonded(input)?;
        Some(Begin { held: bonded.held.unwrap_or(bonded.x), at_once: input.share < 1.0 })
    }

    fn is_gradual(&self) -> bool {
        true
    }

    fn is_rigid(&self, input: &LawInput) -> bool {
        self.bonded(input).is_some_and(|bonded| bonded.held.is_some_and(|held| bonded.is_rigid(held)))
    }

    fn drift(&self, input: &LawInput) -> Vec3 {
        let along = self.bonded(input).map_or_else(Vec3::zeros, |bonded| bonded.opening);
        Vec3::new(input.gap - input.memory.numbers[REFERENCE], along.y, along.z)
    }

    fn slack(&self, input: &LawInput) -> f64 {
        SLACK * input.length().min(self.bonding.range)
    }

    /// The opening of the motion is off the one that the impulse says, −r/D, by a part of what would damage the bond: a stiff bond on a body that long steps
    /// let go far turns the error of a solve into damage, which does not heal.
    fn is_unclear(&self, point: &StagePoint<'_>, _: f64) -> bool {
        let Some(bonded) = self.bonded(point.input).filter(|b| !b.is_rigid(point.held) && point.r.x <= 0.0) else { return false };
        let moved = bonded.opening + point.u * point.input.h;
        let spring = bonded.spring(bonded.held.unwrap_or_else(|| bonded.demand(&moved).clamp(bonded.x, 1.0)));
        let told = Vec3::from_fn(|k, _| if spring[k] > 0.0 { -point.r[k] / spring[k] } else { moved[k] });
        let far = told + (moved - told) * MARGIN;
        bonded.demand(&far).min(1.0) - bonded.demand(&told).max(point.held) > UNCLEAR
    }

    /// A rigid bond that its contact is solved with as such holds if it bears what would close it altogether: what a solve leaves of its velocity is no opening, however short the curve.
    fn holds(&self, point: &StagePoint<'_>) -> Option<bool> {
        let bonded = self.bonded(point.input).filter(|b| b.held.is_none() && b.is_rigid(b.x))?;
        let r = bonded.rigid(&point.block, &(point.u - point.block * point.r))?;
        Some(bonded.carries(&r))
    }

    fn raise(&self, patch: &mut [StagePoint<'_>]) {
        let rigid = |p: &StagePoint<'_>| self.bonded(p.input).is_some_and(|b| b.is_rigid(p.held));
        let mut carried: Vec<Carried> = patch.iter().filter(|p| rigid(p)).map(StagePoint::carried).collect();
        spread(&mut carried, patch.first().map_or([true; 3], |p| p.turns));
        let mut carried = carried.iter();
        for point in patch {
            let Some(bonded) = self.bonded(point.input) else { continue };
            let rigid = if bonded.is_rigid(point.held) { carried.next() } else { None };
            point.held = match rigid {
                Some(own) if bonded.carries(&own.r) => point.held,
                // with its part of what the patch carries: the solver may have left all of it to a neighbour
                Some(own) => bonded.onset(&point.block, &(point.u - point.block * own.r)),
                None => bonded.demand(&(bonded.opening + point.u * point.input.h)).clamp(point.held, 1.0),
            };
        }
    }
}

impl<B: Bond> Reaches for Cohesive<B> {
    fn range(&self, memory: Option<&Memory>) -> f64 {
        memory.filter(|m| m.numbers[BONDED] > 0.0).map_or(0.0, |m| self.bonding.range + m.numbers[REFERENCE].max(0.0))
    }

    fn reach(&self) -> f64 {
        // A bond made over a gap is longer by that; the default gap is 1 % of a length that only the contact knows.
        self.bonding.range + self.bonding.bond_distance.unwrap_or(0.0)
    }
}

impl<B: Bond> LawKind for Cohesive<B> {
    const NAME: &'static str = B::NAME;
    type Params = B::Params;

    fn build(params: B::Params) -> Result<Self, InputError> {
        let (bond, bonding) = B::build(params)?;
        Ok(Self { bond, bonding })
    }
}

#[cfg(test)]
mod tests;
