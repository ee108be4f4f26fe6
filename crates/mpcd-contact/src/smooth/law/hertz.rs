//! Hertz' law with a damping of constant restitution, and with Mindlin's tangential stiffness.

use std::f64::consts::PI;

use mpcd_core::{
    ContactGeometry, InputError, Quantity,
    quantity::{Fraction, NonNegative, Number},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    NormalForce, Shear, SmoothLaw, SmoothLawKind, SpotInput, Tangential,
    damping::{ratio_with_tension, ratio_without_tension},
    hooke::positive,
    shear::elastic_shear,
};

/// What laws of curved surfaces say to flat ones.
pub(super) const CURVED: &str = "curved surfaces (spheres, discs); use Hooke for flat ones";

/// Elastic contact of two curved surfaces, E* from the materials' `elastic` part: N = 4/3 E* √R* δ^3/2 for spheres,
/// N = π/4 E* L δ for discs of a planar model. (Module SmoothContact.)
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HertzParams {
    /// Friction coefficient μ.
    pub friction: Quantity<Number, NonNegative>,
    /// Coefficient of normal restitution e_n, the same for every speed. Default: 1, no damping.
    #[serde(default)]
    pub restitution: Option<Quantity<Number, Fraction>>,
    /// Tangential force below Coulomb's limit.
    #[serde(default)]
    pub tangential: Tangential,
}

/// Hertz' law with Mindlin's tangential stiffness 8 G* a and its history. (Module SmoothContact.)
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HertzMindlinParams {
    /// Friction coefficient μ.
    pub friction: Quantity<Number, NonNegative>,
    /// Coefficient of normal restitution e_n, the same for every speed. Default: 1, no damping.
    #[serde(default)]
    pub restitution: Option<Quantity<Number, Fraction>>,
    /// Damping ratio of the tangential spring, 1 is critical. Default: that of the normal direction.
    #[serde(default)]
    pub damping_ratio: Option<Quantity<Number, NonNegative>>,
}

/// The damping ratio that a restitution asks for.
pub(super) fn damping_ratio(restitution: Option<Quantity<Number, Fraction>>) -> Result<f64, InputError> {
    restitution.map_or(Ok(0.0), |e| Ok(ratio_without_tension(positive(e.si())?)))
}

/// The same where the surfaces hold on to each other, so that the dashpot may pull.
pub(super) fn pulling_ratio(restitution: Option<Quantity<Number, Fraction>>) -> Result<f64, InputError> {
    restitution.map_or(Ok(0.0), |e| Ok(ratio_with_tension(positive(e.si())?)))
}

/// The elastic part of Hertz' contact: force, energy and stiffness at an overlap.
///
/// Point: N = 4/3 E* √R* δ^3/2, a = √(R*δ). Line: the logarithm of the approach of two cylinders is replaced by
/// N = π/4 E* L δ, which has the right half-width a = √(4 N R*/(π L E*)) = √(R*δ) (Popov 2010).
pub(super) fn elastic(spot: &SpotInput) -> Option<NormalForce> {
    let (d, modulus) = (spot.overlap, spot.modulus?);
    if d <= 0.0 {
        return None;
    }
    let (force, energy, stiffness) = match spot.geometry {
        ContactGeometry::Point { reduced_radius, .. } => {
            let stiffness = 2.0 * modulus * (reduced_radius * d).sqrt();
            let force = stiffness * d / 1.5;
            (force, 0.4 * force * d, stiffness)
        }
        ContactGeometry::Line { length, .. } => {
            let stiffness = 0.25 * PI * modulus * length;
            (stiffness * d, 0.5 * stiffness * d * d, stiffness)
        }
        ContactGeometry::Flat { .. } => return None,
    };
    Some(NormalForce { force, elastic: force, energy, stiffness, damping: 0.0, friction_load: force, bonded: false })
}

/// Viscous damping [N s/m] of constant restitution: √5 α √(m 2k/3) = √5 α √(m 4/3 E* a) at a point, 2α√(mk) at a line.
pub(super) fn viscous(spot: &SpotInput, stiffness: f64, alpha: f64) -> f64 {
    let factor = if matches!(spot.geometry, ContactGeometry::Point { .. }) { (10.0_f64 / 3.0).sqrt() } else { 2.0 };
    factor * alpha * (spot.mass * stiffness).sqrt()
}

fn damped(spot: &SpotInput, alpha: f64) -> Option<NormalForce> {
    let mut out = elastic(spot)?;
    out.damping = viscous(spot, out.stiffness, alpha);
    out.force = (out.elastic + out.damping * spot.closing).max(0.0);
    out.friction_load = out.force;
    Some(out)
}

fn curved(geometry: &ContactGeometry) -> Result<(), &'static str> {
    if matches!(geometry, ContactGeometry::Flat { .. }) { Err(CURVED) } else { Ok(()) }
}

/// Hertz' law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hertz {
    alpha: f64,
    friction: f64,
    tangential: Tangential,
}

impl SmoothLaw for Hertz {
    fn normal(&self, spot: &SpotInput) -> Option<NormalForce> {
        damped(spot, self.alpha)
    }
    fn shear(&self, spot: &SpotInput, normal: &NormalForce) -> Shear {
        self.tangential.shear(spot, normal, self.alpha)
    }
    fn friction(&self) -> f64 {
        self.friction
    }
    fn needs_modulus(&self) -> bool {
        true
    }
    fn accepts(&self, geometry: &ContactGeometry) -> Result<(), &'static str> {
        curved(geometry)
    }
}

impl SmoothLawKind for Hertz {
    const NAME: &'static str = "Hertz";
    type Params = HertzParams;
    fn build(p: HertzParams) -> Result<Self, InputError> {
        Ok(Self { alpha: damping_ratio(p.restitution)?, friction: p.friction.si(), tangential: p.tangential })
    }
}

/// Hertz and Mindlin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HertzMindlin {
    alpha: f64,
    friction: f64,
    shear_alpha: f64,
}

impl SmoothLaw for HertzMindlin {
    fn normal(&self, spot: &SpotInput) -> Option<NormalForce> {
        damped(spot, self.alpha)
    }
    fn shear(&self, spot: &SpotInput, normal: &NormalForce) -> Shear {
        // 8 G* a = 4 G*/E* · 2 E* a; for two bodies of one material this ratio is 2(1−ν)/(2−ν).
        let ratio = spot.shear_modulus.zip(spot.modulus).map_or(0.0, |(g, e)| 4.0 * g / e);
        elastic_shear(ratio * normal.stiffness, self.shear_alpha, spot.tangential_mass)
    }
    fn friction(&self) -> f64 {
        self.friction
    }
    fn needs_modulus(&self) -> bool {
        true
    }
    fn accepts(&self, geometry: &ContactGeometry) -> Result<(), &'static str> {
        curved(geometry)
    }
}

impl SmoothLawKind for HertzMindlin {
    const NAME: &'static str = "HertzMindlin";
    type Params = HertzMindlinParams;
    fn build(p: HertzMindlinParams) -> Result<Self, InputError> {
        let alpha = damping_ratio(p.restitution)?;
        Ok(Self { alpha, friction: p.friction.si(), shear_alpha: p.damping_ratio.map_or(alpha, |d| d.si()) })
    }
}
