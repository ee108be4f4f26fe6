//! The largest stable sub-step, the contact that sets it, and what the user learns of stiffness: contact time and level κ.
//!
//! Contact c adds to both its bodies the rate λ_c = max(k_n W_nn, k_t W_tt), W its inverse effective masses; splitting (u_i − u_j)²
//! by the masses makes Σ_c λ_c over a body's contacts an upper bound of the squared frequency ω² of any motion, tight for one pair.
//! Dampings add up alike: 2ξω = Σ_c max(η_n W_nn, η_t W_tt), η_t the largest of any direction; where it differs between directions at most
//! η_n W_nn + Σ_t η_t W_tt, the sum of what damps each direction.

use std::f64::consts::PI;

use mpcd_core::{ContactGeometry, Kinematics};

use super::{bodies::Incidence, pairs::Pairs, params::Integrator, spot::Spot};

/// Stiffness and damping of a contact over the masses it moves.
#[derive(Debug, Clone, Copy, Default)]
struct Rate {
    /// [1/s²]
    stiff: f64,
    /// [1/s]
    damped: f64,
    /// As `stiff`, with the stiffness the contact is going to have [1/s²].
    forecast: f64,
}

fn rate(spot: &Spot, pairs: &Pairs, now: &Kinematics) -> Rate {
    if !spot.near {
        return Rate::default();
    }
    let side = |body: mpcd_core::BodyId, arm: &mpcd_core::Vec3| {
        let m = pairs.mobility(body, now.size[body.index()]);
        let lever = arm - spot.frame.n * spot.frame.n.dot(arm);
        (m.translation + m.rotation * lever.norm_squared(), m.translation + m.rotation * arm.norm_squared())
    };
    let (c, a) = (side(spot.key.candidate, &spot.arm_candidate), side(spot.key.antagonist, &spot.arm_antagonist));
    let (normal, shear) = (c.0 + a.0, c.1 + a.1);
    let t = &spot.tangent;
    let ratio = if t.normal_stiffness > 0.0 { t.shear_stiffness / t.normal_stiffness } else { 1.0 };
    let of = |stiffness: f64| (stiffness * normal).max(stiffness * ratio * shear);
    let damped = (t.normal_damping * normal).max(t.dashpot.largest() * shear);
    let acting = if spot.acts() { t.normal_stiffness } else { 0.0 };
    Rate {
        stiff: of(acting),
        damped: t.dashpot.rate(t.normal_damping, spot, pairs, now).map_or(damped, |rate| rate.min(damped)),
        forecast: of(t.normal_stiffness.max(spot.forecast)),
    }
}

/// Largest stable sub-step of an oscillator (s), ω in 1/s, `damped` = 2ξω.
///
/// Verlet and the time-centred scheme: h ω ≤ 2(√(1+ξ²) − ξ), where the velocity of Verlet's forces is a whole sub-step ahead of the
/// last known force and counts twice. Gear: measured on the linear oscillator; undamped it grows by less than 1e-3 per sub-step up to
/// h ω = 0.5, and damped h ω ≤ √(1+(3.3ξ)²) − 3.3ξ. Checked against the amplification of each scheme in the tests.
pub(crate) fn stable_step(integrator: Integrator, omega: f64, damped: f64) -> f64 {
    if omega <= 0.0 && damped <= 0.0 {
        return f64::INFINITY;
    }
    let half = 0.5 * damped;
    // (√(ω² + s²h²) − s h)/ω² written as 1/(√(ω² + s²h²) + s h), which also serves ω = 0.
    let limit = |s: f64| 1.0 / (omega.hypot(s * half) + s * half);
    match integrator {
        Integrator::Verlet => 2.0 * limit(2.0),
        Integrator::TimeCentred => 2.0 * limit(1.0),
        Integrator::Gear => limit(3.3).min(if omega > 0.0 { 0.5 / omega } else { f64::INFINITY }),
        Integrator::Implicit { .. } => f64::INFINITY,
    }
}

/// What the contacts say about the sub-step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Limits {
    /// Largest stable sub-step (s).
    pub(crate) stable: f64,
    /// The stiffest contact of the body that sets it: index of the spot.
    pub(crate) worst: usize,
    /// Sub-step that resolves every contact, now and as forecast (s).
    pub(crate) wanted: f64,
    /// Shortest contact time π/√λ of the contacts that push (s); infinite where none does.
    pub(crate) contact_time: f64,
    /// Mean of R*/δ over the contacts that push: stiffness level κ; 0 where none does.
    pub(crate) level: f64,
}

impl Limits {
    /// Without contacts.
    pub(crate) const NONE: Self =
        Self { stable: f64::INFINITY, worst: 0, wanted: f64::INFINITY, contact_time: f64::INFINITY, level: 0.0 };
}

/// Buffers of [`Stability::limits`].
#[derive(Debug, Default)]
pub(crate) struct Stability {
    rates: Vec<Rate>,
}

impl Stability {
    /// Shortest contact time π/√λ of the contacts that push (s); infinite where none does.
    pub(crate) fn shortest_contact<'a>(spots: impl Iterator<Item = &'a Spot>, pairs: &Pairs, now: &Kinematics) -> f64 {
        let stiffest = spots.map(|s| rate(s, pairs, now).stiff).fold(0.0, f64::max);
        PI / stiffest.sqrt()
    }

    /// Looks at all spots and bodies. `resolution` is the number of sub-steps in a contact time; `fallback` a length for flat contacts.
    pub(crate) fn limits(
        &mut self,
        spots: &[Spot],
        incidence: &Incidence,
        pairs: &Pairs,
        now: &Kinematics,
        integrator: Integrator,
        resolution: f64,
        fallback: f64,
    ) -> Limits {
        self.rates.clear();
        self.rates.extend(spots.iter().map(|s| rate(s, pairs, now)));
        let mut out = Limits::NONE;
        let mut pushing = 0_u32;
        for (spot, rate) in spots.iter().zip(&self.rates) {
            out.wanted = out.wanted.min(PI / (resolution * rate.forecast.sqrt()));
            if rate.stiff > 0.0 {
                out.contact_time = out.contact_time.min(PI / rate.stiff.sqrt());
            }
            if spot.gap < 0.0 && spot.acts() {
                let radius = match spot.geometry {
                    ContactGeometry::Point { reduced_radius, .. } | ContactGeometry::Line { reduced_radius, .. } => {
                        reduced_radius
                    }
                    ContactGeometry::Flat { .. } => fallback,
                };
                out.level += radius / -spot.gap;
                pushing += 1;
            }
        }
        if pushing > 0 {
            out.level /= f64::from(pushing);
        }
        for body in 0..now.len() {
            let (mut now, mut soon) = (Rate::default(), 0.0);
            let mut stiffest = (0.0, 0);
            for (k, _) in incidence.of(body) {
                let r = self.rates[k];
                now.stiff += r.stiff;
                now.damped += r.damped;
                soon += r.forecast;
                if r.stiff + r.damped > stiffest.0 {
                    stiffest = (r.stiff + r.damped, k);
                }
            }
            let stable = stable_step(integrator, now.stiff.sqrt(), now.damped);
            if stable < out.stable {
                (out.stable, out.worst) = (stable, stiffest.1);
            }
            out.wanted = out.wanted.min(0.8 * stable_step(integrator, soon.max(0.0).sqrt(), now.damped));
        }
        out
    }
}
