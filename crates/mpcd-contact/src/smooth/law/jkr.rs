//! Johnson, Kendall and Roberts' adhesive contact of two spheres, true to its contact radius.
//!
//! With the work of adhesion w and B = √(2πw/E*) (Johnson, Kendall and Roberts 1971, doi:10.1098/rspa.1971.0141):
//! δ = a²/R − B√a, N = 4E*a³/(3R) − 2E*B a^3/2, U = ∫N dδ = E*(8a⁵/(15R²) − 4B a^7/2/(3R) + B²a²/2).
//! The stable branch ends where ∂δ/∂a = 0: a³ = πwR²/(8E*), δ = −3a²/R, N = −5/6 πwR. Its least force is the pull-off force
//! −3/2 πwR at a³ = 9πwR²/(8E*). Surfaces meet at δ = 0 and part at the end of the branch.

use std::f64::consts::PI;

use mpcd_core::{
    ContactGeometry, InputError, Quantity,
    quantity::{Fraction, NonNegative, Number, Positive, SurfaceEnergy},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    NormalForce, Shear, SmoothLaw, SmoothLawKind, SpotInput, Tangential,
    hertz::{pulling_ratio, viscous},
};

/// Adhesive elastic spheres after Johnson, Kendall and Roberts: pull-off at 3/2 πwR*, contact held beyond zero overlap until the
/// pull-off distance. (Module SmoothContact.)
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JkrParams {
    /// Work of adhesion w of the two surfaces (J/m²), w = γ_i + γ_j − γ_ij.
    pub adhesion: Quantity<SurfaceEnergy, Positive>,
    /// Friction coefficient μ; acts on N + 3πwR* (Thornton 1991, doi:10.1088/0022-3727/24/11/007).
    pub friction: Quantity<Number, NonNegative>,
    /// Restitution that the damping would give without adhesion. Default: 1, no damping.
    #[serde(default)]
    pub restitution: Option<Quantity<Number, Fraction>>,
    /// Tangential force below Coulomb's limit.
    #[serde(default)]
    pub tangential: Tangential,
}

/// The law of Johnson, Kendall and Roberts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Jkr {
    adhesion: f64,
    alpha: f64,
    friction: f64,
    tangential: Tangential,
}

impl Jkr {
    /// Contact radius at the end of the stable branch (m).
    fn last_radius(&self, radius: f64, modulus: f64) -> f64 {
        (PI * self.adhesion * radius * radius / (8.0 * modulus)).cbrt()
    }

    /// Contact radius on the stable branch, `None` past its end. Newton from above: the function is convex.
    fn contact_radius(&self, overlap: f64, radius: f64, modulus: f64) -> Option<f64> {
        let b = (2.0 * PI * self.adhesion / modulus).sqrt();
        let last = self.last_radius(radius, modulus);
        if overlap < -3.0 * last * last / radius {
            return None;
        }
        // At this start a²/R − B√a ≥ δ, for every δ.
        let mut a = (radius * overlap.max(0.0)).sqrt() + (b * radius).powi(2).cbrt();
        for _ in 0..100 {
            let value = a * a / radius - b * a.sqrt() - overlap;
            let slope = 2.0 * a / radius - 0.5 * b / a.sqrt();
            let next = (a - value / slope).max(last);
            if next >= a || a - next <= 1e-15 * a {
                return Some(next.min(a));
            }
            a = next;
        }
        Some(a)
    }
}

impl SmoothLaw for Jkr {
    fn normal(&self, spot: &SpotInput) -> Option<NormalForce> {
        if !spot.bonded && spot.overlap < 0.0 {
            return None;
        }
        let ContactGeometry::Point { reduced_radius: r, .. } = spot.geometry else { return None };
        let e = spot.modulus?;
        let a = self.contact_radius(spot.overlap, r, e)?;
        let b = (2.0 * PI * self.adhesion / e).sqrt();
        let elastic = e * (4.0 * a.powi(3) / (3.0 * r) - 2.0 * b * a * a.sqrt());
        let energy = e * (8.0 * a.powi(5) / (15.0 * r * r) - 4.0 * b * a.powi(3) * a.sqrt() / (3.0 * r) + 0.5 * b * b * a * a);
        // ∂N/∂δ grows without bound at the very end of the branch, over no distance; 2E*a bounds it elsewhere.
        let stiffness = 2.0 * e * a;
        let damping = viscous(spot, stiffness, self.alpha);
        let force = elastic + damping * spot.closing;
        Some(NormalForce {
            force,
            elastic,
            energy,
            stiffness,
            damping,
            friction_load: (force + 3.0 * PI * self.adhesion * r).max(0.0),
            bonded: true,
        })
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
        if matches!(geometry, ContactGeometry::Point { .. }) { Ok(()) } else { Err("spheres that touch at a point") }
    }
    fn reach(&self, reduced_radius: f64, modulus: f64) -> f64 {
        3.0 * self.last_radius(reduced_radius, modulus).powi(2) / reduced_radius
    }
}

impl SmoothLawKind for Jkr {
    const NAME: &'static str = "Jkr";
    type Params = JkrParams;
    fn build(p: JkrParams) -> Result<Self, InputError> {
        Ok(Self {
            adhesion: p.adhesion.si(),
            // surfaces that hold on to each other let the dashpot pull until they part
            alpha: pulling_ratio(p.restitution)?,
            friction: p.friction.si(),
            tangential: p.tangential,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    const R: f64 = 1e-3;
    const E: f64 = 1e7;
    const W: f64 = 0.2;

    fn law() -> Jkr {
        let quantity = |v| Quantity::new(v).unwrap();
        Jkr { adhesion: W, alpha: 0.0, friction: 0.3, tangential: Tangential::Viscous { damping: quantity(1.0) } }
    }

    fn at(overlap: f64) -> Option<NormalForce> {
        let geometry = ContactGeometry::Point { reduced_radius: R, roundness: 1.0 };
        law().normal(&SpotInput {
            overlap,
            closing: 0.0,
            geometry,
            modulus: Some(E),
            shear_modulus: None,
            mass: 1.0,
            tangential_mass: 1.0,
            bonded: true,
        })
    }

    #[test]
    fn pull_off_force_and_distance() {
        let a = (PI * W * R * R / (8.0 * E)).cbrt();
        let end = -3.0 * a * a / R;
        assert!(at(end * (1.0 - 1e-12)).is_some() && at(end * (1.0 + 1e-9)).is_none());
        assert!((law().reach(R, E) + end).abs() < 1e-15 * end.abs());
        // Under a falling load the contact gives way at the least force of the branch.
        let least = (0..=200_000).filter_map(|k| at(end * f64::from(k) / 2e5)).map(|n| n.force).fold(0.0, f64::min);
        assert!((least / (-1.5 * PI * W * R) - 1.0).abs() < 1e-9, "{least}");
        let last = at(end * (1.0 - 1e-14)).unwrap().force;
        assert!((last / (-5.0 / 6.0 * PI * W * R) - 1.0).abs() < 1e-5, "{last}");
        let first = at(0.0).unwrap().force;
        assert!((first / (-4.0 / 3.0 * PI * W * R) - 1.0).abs() < 1e-12, "{first}");
    }

    #[test]
    fn the_energy_is_the_integral_of_the_force_and_hertz_is_its_limit() {
        for overlap in [-1e-7, 0.0, 1e-6, 3e-5] {
            let d = 1e-10;
            let slope = (at(overlap + d).unwrap().energy - at(overlap - d).unwrap().energy) / (2.0 * d);
            let force = at(overlap).unwrap().force;
            assert!((slope - force).abs() < 1e-5 * force.abs(), "{overlap}: {slope} {force}");
        }
        let deep = at(1e-3).unwrap();
        let hertz = 4.0 / 3.0 * E * R.sqrt() * 1e-3_f64.powf(1.5);
        assert!((deep.force / hertz - 1.0).abs() < 0.05);
    }
}
