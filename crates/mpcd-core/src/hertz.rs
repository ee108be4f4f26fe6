//! The size of an elastic contact spot, shared by every physics that flows through contacts.

use crate::{ids::MaterialId, network::ContactGeometry, quantity, quantity::Quantity};
use schemars::JsonSchema;
use serde::Deserialize;

/// The `elastic` part of a material.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ElasticMaterial {
    /// Young's modulus.
    pub young: Quantity<quantity::Pressure, quantity::Positive>,
    /// Poisson's ratio.
    pub poisson: Quantity<quantity::Number, quantity::PoissonRange>,
}

impl ElasticMaterial {
    /// Plane-strain compliance (1 − ν²)/E [1/Pa].
    #[must_use]
    pub fn compliance(&self) -> f64 {
        (1.0 - self.poisson.si().powi(2)) / self.young.si()
    }
}

/// Effective modulus E* of a pair [Pa]: 1/E* = (1−ν_i²)/E_i + (1−ν_j²)/E_j. `None` where a material has no elastic part:
/// that side counts as rigid; with both rigid the result is `None`.
#[must_use]
pub fn effective_modulus(elastic: &[Option<ElasticMaterial>], i: MaterialId, j: MaterialId) -> Option<f64> {
    let side = |m: MaterialId| elastic[m.index()].as_ref().map_or(0.0, ElasticMaterial::compliance);
    let sum = side(i) + side(j);
    (sum > 0.0).then(|| 1.0 / sum)
}

/// Radius (point), half-width (line) or equivalent radius (flat) of the contact spot (m) under a normal force (N).
///
/// Hertz: point a = (3 F R*/4E*)^⅓, line a = √(4 (F/L) R*/(π E*)), flat a = √(A/π) as soon as it pushes.
#[must_use]
pub fn contact_radius(geometry: &ContactGeometry, force: f64, effective_modulus: f64) -> f64 {
    if force <= 0.0 {
        return 0.0;
    }
    match *geometry {
        ContactGeometry::Point { reduced_radius } => (0.75 * force * reduced_radius / effective_modulus).cbrt(),
        ContactGeometry::Line { reduced_radius, length } => {
            (4.0 * force / length * reduced_radius / (std::f64::consts::PI * effective_modulus)).sqrt()
        }
        ContactGeometry::Flat { area } => (area / std::f64::consts::PI).sqrt(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// VALIDATION §10: steel pair R 5 mm, E 210e9, ν 0.3, F 10 N: a = 54.5696 µm.
    #[test]
    fn v10_steel_pair_contact_radius() {
        let e_star = 210e9 / (2.0 * (1.0 - 0.09));
        let a = contact_radius(&ContactGeometry::Point { reduced_radius: 2.5e-3 }, 10.0, e_star);
        assert!((a - 54.5696e-6).abs() < 1e-10, "{a}");
    }
}
