//! The tangential dashpot of a spot: which mass slip moves in each direction, and what that makes of the law's damping ratio.
//! What may not live here: how strongly a law damps a mass (`law`), the spring beside the dashpot and Coulomb's limit (`response`).
//!
//! A push along t gives a slip W t, W = Σ 1/m + (r×)ᵀ J⁻¹ (r×) over both bodies on their free axes, r the lever of the middle of the
//! contact. On the tangent plane W has two principal directions; the law is asked for the mass 1/w of each. So the dashpot is
//! 2ζ √k W^(−½): linear in the slip, the same by any axes, continuous in the configuration.

use mpcd_core::{Kinematics, Vec3};
use serde::{Deserialize, Serialize};

use crate::rotation::inverse_or_zero;

use super::{
    law::{NormalForce, Shear, SmoothLaw, SpotInput},
    pairs::Pairs,
    spot::Spot,
};

/// Part of the largest answer to a push below which nothing moves in a direction: what rounding leaves where bodies are held or driven.
const HELD: f64 = 1e-12;
/// Part of it within which all directions answer alike, as round bodies do.
const ALIKE: f64 = 1e-12;

/// Viscous coefficients in the tangent plane.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Dashpot {
    /// A unit tangent, world axes; zero where all directions are alike.
    along: Vec3,
    /// Coefficients along it and across it [N s/m].
    first: f64,
    second: f64,
}

impl Dashpot {
    /// The same coefficient in all directions.
    fn alike(coefficient: f64) -> Self {
        Self { along: Vec3::zeros(), first: coefficient, second: coefficient }
    }

    /// The force that it has against `slip` (a tangential velocity), its sign turned.
    pub(crate) fn against(&self, slip: &Vec3) -> Vec3 {
        slip * self.second + self.along * ((self.first - self.second) * self.along.dot(slip))
    }

    /// The largest coefficient of any direction [N s/m].
    pub(crate) const fn largest(&self) -> f64 {
        self.first.max(self.second)
    }

    /// Over `time`, with a spring of `stiffness` in all directions beside it.
    pub(crate) fn with_spring(&self, time: f64, stiffness: f64) -> Self {
        Self { along: self.along, first: time * self.first + stiffness, second: time * self.second + stiffness }
    }

    /// An upper bound of the rates [1/s] at which it and a normal dashpot stop what moves at the spot: the trace of coefficients times W,
    /// at the spot's own levers. `None` where all directions are alike.
    pub(crate) fn rate(&self, normal: f64, spot: &Spot, pairs: &Pairs, now: &Kinematics) -> Option<f64> {
        if self.along == Vec3::zeros() {
            return None;
        }
        let levers = [&spot.arm_candidate, &spot.arm_antagonist];
        let of = |direction: &Vec3| direction.dot(&answer(spot, levers, pairs, now, direction));
        let (n, across) = (spot.frame.n, spot.frame.n.cross(&self.along));
        Some(normal * of(&n) + self.first * of(&self.along) + self.second * of(&across))
    }
}

/// Velocity of the candidate against the antagonist at these levers by a unit impulse `push` there [1/kg].
fn answer(spot: &Spot, levers: [&Vec3; 2], pairs: &Pairs, now: &Kinematics, push: &Vec3) -> Vec3 {
    pairs.answer(spot.key.candidate, now, levers[0], push) + pairs.answer(spot.key.antagonist, now, levers[1], push)
}

/// The spring and the dashpot of a law. `input` has the least mass that slip in any direction may move.
pub(crate) fn shear(
    spot: &Spot,
    law: &dyn SmoothLaw,
    (input, normal): (&SpotInput, &NormalForce),
    pairs: &Pairs,
    now: &Kinematics,
) -> (Shear, Dashpot) {
    let lightest = law.shear(input, normal);
    if lightest.damping == 0.0 {
        return (lightest, Dashpot::default());
    }
    let n = &spot.frame.n;
    let is_alike = |body, middle| pairs.is_alike(body, middle, n);
    if is_alike(spot.key.candidate, &spot.middle_candidate) && is_alike(spot.key.antagonist, &spot.middle_antagonist) {
        return (lightest, Dashpot::alike(lightest.damping));
    }
    let bound = spot.share * inverse_or_zero(input.tangential_mass);
    let (t, s) = (spot.frame.t, spot.frame.s());
    let levers = [&spot.middle_candidate, &spot.middle_antagonist];
    let (by_t, by_s) = (answer(spot, levers, pairs, now, &t), answer(spot, levers, pairs, now, &s));
    let (mean, half, mixed) =
        (0.5 * (t.dot(&by_t) + s.dot(&by_s)), 0.5 * (t.dot(&by_t) - s.dot(&by_s)), 0.5 * (t.dot(&by_s) + s.dot(&by_t)));
    let apart = half.hypot(mixed);
    if mean - apart >= (1.0 - ALIKE) * bound {
        return (lightest, Dashpot::alike(lightest.damping));
    }
    let damping = |answer: f64| {
        let tangential_mass = if answer > HELD * bound { spot.share / answer } else { 0.0 };
        law.shear(&SpotInput { tangential_mass, ..*input }, normal).damping
    };
    let angle = 0.5 * mixed.atan2(half);
    let along = t * angle.cos() + s * angle.sin();
    (lightest, Dashpot { along, first: damping(mean + apart), second: damping(mean - apart) })
}
