//! Signorini's condition with Coulomb friction and Newton's impact law.

use mpcd_core::{
    InputError, Quantity, Vec3,
    quantity::{Fraction, Length, NonNegative, Number, Speed},
};
use mpcd_friction::Cone;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Law, LawData, LawInput, LawKind, Restitution};

/// Where the unilateral condition is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum Unilateral {
    /// On the velocity of a closed contact: g ≤ 0 ⇒ 0 ≤ ũ_n ⊥ r_n ≥ 0.
    Velocity,
    /// On the gap foreseen at the end of the step: 0 ≤ max(g, 0)/h + u_n ⊥ r_n ≥ 0. No new penetration to first order.
    Gap,
    /// The same without the maximum (Maury): old penetration is pushed out within the step.
    GapUnclipped,
}

/// Parameters of `Coulomb`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CoulombParams {
    /// Friction coefficient μ.
    pub friction: Quantity<Number, NonNegative>,
    /// Newton's coefficient of normal restitution e_n.
    #[serde(default)]
    pub restitution: Option<Quantity<Number, Fraction>>,
    /// Coefficient of tangential restitution e_t.
    #[serde(default)]
    pub tangential_restitution: Option<Quantity<Number, Fraction>>,
    /// Approach speed below which nothing is restituted.
    #[serde(default)]
    pub restitution_threshold: Option<Quantity<Speed, NonNegative>>,
    /// Coefficient of rolling resistance μ_r: the moment against rolling is at most μ_r r_n.
    #[serde(default)]
    pub rolling: Option<Quantity<Length, NonNegative>>,
    /// Coefficient of spinning resistance μ_s: the moment against spin about the normal is at most μ_s r_n.
    #[serde(default)]
    pub spinning: Option<Quantity<Length, NonNegative>>,
    /// Where the unilateral condition is written. Default: `Velocity` if there is restitution, else `Gap`.
    #[serde(default)]
    pub contact: Option<Unilateral>,
}

/// Signorini, Coulomb, Newton.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coulomb {
    friction: f64,
    normal_restitution: f64,
    tangential_restitution: f64,
    threshold: f64,
    contact: Unilateral,
    rolling: Option<[f64; 2]>,
}

impl Coulomb {
    fn gives_back(&self) -> bool {
        self.normal_restitution > 0.0 || self.tangential_restitution > 0.0
    }

    /// Shift of Newton's law: ũ_n = u_n + e_n u_n⁻, and ũ_t = u_t + e_t u_t⁻ where the surfaces approach. A closed contact whose surfaces part, and that is struck
    /// from elsewhere within the step, may come nearer by e_n u_n⁻ as well (Moreau's form): with V⁺ = (1+e) P(V⁻) − e V⁻, P the projection on what the contacts leave
    /// open, energy cannot grow, |V⁺|² = (1−e²)|P|² + e²|V⁻|². Source: Moreau 1988, doi 10.1007/978-3-7091-2624-0_1.
    fn restitution_shift(&self, u_before: &Vec3) -> Vec3 {
        let (e_n, e_t) = (self.normal_restitution, self.tangential_restitution);
        if u_before.x.abs() < self.threshold {
            Vec3::zeros()
        } else if u_before.x > 0.0 {
            Vec3::x() * (e_n * u_before.x)
        } else {
            Vec3::new(e_n * u_before.x, e_t * u_before.y, e_t * u_before.z)
        }
    }
}

/// Of a contact at rest that is all but closed the rest of the gap may close, so that gaps do not add up. A blow is met as it comes.
fn left_open(input: &LawInput) -> Vec3 {
    let rests = input.gap > 0.0 && input.u_before.x * input.h > -input.closes;
    if rests { Vec3::x() * (input.gap / input.h) } else { Vec3::zeros() }
}

impl Law for Coulomb {
    fn asks_whether_closed(&self) -> bool {
        self.contact == Unilateral::Velocity
    }

    fn parts_overlaps(&self) -> bool {
        self.contact == Unilateral::GapUnclipped
    }

    fn prepare(&self, input: &LawInput) -> Option<LawData> {
        let shift = match self.contact {
            Unilateral::Velocity if !input.is_closed() => return None,
            Unilateral::Velocity => self.restitution_shift(&input.u_before) + left_open(input),
            Unilateral::Gap => Vec3::x() * input.gap_speed(),
            Unilateral::GapUnclipped => Vec3::x() * (input.gap / input.h),
        };
        Some(LawData { velocity_shift: shift, rolling: self.rolling, ..LawData::of_cone(Cone::coulomb(self.friction)) })
    }

    fn on_displacements(&self) -> Result<(), &'static str> {
        match self.contact {
            _ if self.gives_back() => Err("gives back part of the velocity of approach"),
            Unilateral::Velocity => Err("puts its condition on the velocity (`contact: Velocity`)"),
            Unilateral::Gap | Unilateral::GapUnclipped => Ok(()),
        }
    }

    fn resists_rolling(&self) -> bool {
        self.rolling.is_some()
    }

    fn friction(&self) -> f64 {
        self.friction
    }

    fn restitution(&self) -> Restitution<'_> {
        if self.gives_back() { Restitution::Velocity } else { Restitution::None }
    }
}

impl LawKind for Coulomb {
    const NAME: &'static str = "Coulomb";
    type Params = CoulombParams;

    fn build(p: CoulombParams) -> Result<Self, InputError> {
        let e_n = p.restitution.map_or(0.0, |q| q.si());
        let e_t = p.tangential_restitution.map_or(0.0, |q| q.si());
        let restitutes = e_n > 0.0 || e_t > 0.0;
        if p.restitution_threshold.is_some() && p.restitution.is_none() && p.tangential_restitution.is_none() {
            return Err(InputError::new(
                "`restitution_threshold` says below which speed nothing is given back, but no restitution is given",
            )
            .help("give `restitution`, or remove `restitution_threshold`")
            .at("restitution_threshold"));
        }
        let default = if restitutes { Unilateral::Velocity } else { Unilateral::Gap };
        let contact = p.contact.unwrap_or(default);
        if restitutes && contact != Unilateral::Velocity {
            return Err(InputError::new(format!(
                "`contact: {contact:?}` stops bodies before they touch and so implies no restitution, but restitution {e_n} and tangential_restitution {e_t} are given"
            ))
            .help("expected `contact: Velocity` with restitution, or no restitution with a gap law")
            .at("contact"));
        }
        let resistance = [p.rolling, p.spinning].map(|q| q.map_or(0.0, |q| q.si()));
        let rolling = (resistance != [0.0; 2]).then_some(resistance);
        Ok(Self {
            friction: p.friction.si(),
            normal_restitution: e_n,
            tangential_restitution: e_t,
            threshold: p.restitution_threshold.map_or(0.0, |q| q.si()),
            contact,
            rolling,
        })
    }
}
