//! The elastic contact spot: its size, and how well anything flows through it. Shared by every physics on the contacts.
//! What may not live here: which quantity flows, and laws that are not of the elastic spot.

use crate::{ids::MaterialId, network::ContactGeometry, quantity, quantity::Quantity};
use schemars::JsonSchema;
use serde::Deserialize;
use std::f64::consts::PI;

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
    /// Plane-strain compliance (1 − ν²)/E (1/Pa).
    #[must_use]
    pub fn compliance(&self) -> f64 {
        (1.0 - self.poisson.si().powi(2)) / self.young.si()
    }
}

/// Effective modulus E* of a pair (Pa): 1/E* = (1−ν_i²)/E_i + (1−ν_j²)/E_j. `None` where a material has no elastic part:
/// that side counts as rigid; with both rigid the result is `None`.
#[must_use]
pub fn effective_modulus(elastic: &[Option<ElasticMaterial>], i: MaterialId, j: MaterialId) -> Option<f64> {
    let side = |m: MaterialId| elastic[m.index()].as_ref().map_or(0.0, ElasticMaterial::compliance);
    let sum = side(i) + side(j);
    (sum > 0.0).then(|| 1.0 / sum)
}

/// Effective moduli of all pairs of materials.
#[derive(Debug, Clone)]
pub struct PairModuli {
    materials: usize,
    /// E* (Pa), row by row.
    moduli: Vec<Option<f64>>,
}

impl PairModuli {
    /// From the `elastic` part of each material.
    #[must_use]
    pub fn of(elastic: &[Option<ElasticMaterial>]) -> Self {
        let (n, id) = (elastic.len(), MaterialId::from_index);
        Self { materials: n, moduli: (0..n * n).map(|k| effective_modulus(elastic, id(k / n), id(k % n))).collect() }
    }

    /// E* of a pair (Pa); `None` when neither is elastic.
    ///
    /// # Panics
    /// When there is no such material.
    #[must_use]
    pub fn of_pair(&self, i: MaterialId, j: MaterialId) -> Option<f64> {
        self.moduli[i.index() * self.materials + j.index()]
    }
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
        ContactGeometry::Point { reduced_radius, .. } => (0.75 * force * reduced_radius / effective_modulus).cbrt(),
        ContactGeometry::Line { reduced_radius, length } => {
            (4.0 * force / length * reduced_radius / (PI * effective_modulus)).sqrt()
        }
        ContactGeometry::Flat { area } => (area / PI).sqrt(),
    }
}

/// Conductivity k of a pair (unit of the conductivities), 2/(1/k_i + 1/k_j): what [`constriction_conductance`] takes, because
/// the two sides of a spot are in series and each has half the spot's resistance when they are alike.
#[must_use]
pub fn pair_conductivity(i: f64, j: f64) -> f64 {
    2.0 / (1.0 / i + 1.0 / j)
}

/// Conductance of a contact spot of size `a` = [`contact_radius`] (m) by constriction, in the unit of `conductivity` × m:
/// S for S/m, W/K for W/(m K). 0 for a = 0.
///
/// Point (Holm 1967; Batchelor and O'Brien 1977): the flow from a half space into a disc of radius a at one potential meets
/// 1/(4ka); two of them in series give C = 2 k a, hence C ∝ F^⅓ with Hertz' radius.
///
/// Flat: the disc of the same area.
///
/// Line (planar model, no half space: its resistance is infinite in the plane): a source and a sink opposite each other on the
/// rim of a disc make the potential I ln(r₁/r₂)/(πkL), exact for the disc; a strip of half-width a at one potential acts as the
/// radius a/2, the mean logarithm over its density 1/√(a² − x²). From the contact to the middle of the disc that is
/// ln(4R_i/a)/(πkL), and with R_i = 2R* on both sides C = πkL / (2 ln(8R*/a)). Hertz does not hold for a > R*, where a counts
/// as R*. Against the exact disc with two electrodes of half-width a, C is low by 2.3·10⁻⁴ at a = R*/5 and by 1.0 % at a = R*.
#[must_use]
pub fn constriction_conductance(geometry: &ContactGeometry, a: f64, conductivity: f64) -> f64 {
    match *geometry {
        ContactGeometry::Point { .. } | ContactGeometry::Flat { .. } => 2.0 * conductivity * a,
        ContactGeometry::Line { reduced_radius, length } => {
            PI * conductivity * length / (2.0 * (8.0 * reduced_radius / a.min(reduced_radius)).ln())
        }
    }
}

/// Whether a spot that conducts so (in the unit of `conductivity` × m) is as wide as R* or wider, so that its bodies are no half spaces and the
/// conductance is none that [`constriction_conductance`] knows; never of what is flat.
#[must_use]
pub fn is_wide(geometry: &ContactGeometry, conductance: f64, conductivity: f64) -> bool {
    let at = |reduced_radius: f64| constriction_conductance(geometry, reduced_radius, conductivity);
    match *geometry {
        ContactGeometry::Point { reduced_radius, .. } | ContactGeometry::Line { reduced_radius, .. } => {
            conductance > 0.0 && conductance >= at(reduced_radius)
        }
        ContactGeometry::Flat { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    /// VALIDATION §10: steel pair R 5 mm, E 210e9, ν 0.3, F 10 N: a = 54.5696 µm.
    #[test]
    fn v10_steel_pair_contact_radius() {
        let e_star = 210e9 / (2.0 * (1.0 - 0.09));
        let a = contact_radius(&ContactGeometry::Point { reduced_radius: 2.5e-3, roundness: 1.0 }, 10.0, e_star);
        assert!((a - 54.5696e-6).abs() < 1e-10, "{a}");
    }

    /// Two half-spaces of 1 and 3 in series: 2·3/(1 + 3) = 1.5, not their mean. A line wider than R* conducts as one of R*: πkL/(2 ln 8).
    #[test]
    fn unequal_sides_are_in_series_and_a_wide_line_is_capped() {
        assert_eq!(pair_conductivity(1.0, 3.0), 1.5);
        let line = ContactGeometry::Line { reduced_radius: 1e-3, length: 0.1 };
        let most = PI * 50.0 * 0.1 / (2.0 * 8.0_f64.ln());
        for a in [1e-3, 2e-3, 1.0] {
            assert!((constriction_conductance(&line, a, 50.0) / most - 1.0).abs() < 1e-14);
        }
        assert!(constriction_conductance(&line, 5e-4, 50.0) < most);
    }

    #[test]
    fn a_spot_is_wide_from_the_reduced_radius_on() {
        let line = ContactGeometry::Line { reduced_radius: 1e-3, length: 0.1 };
        let point = ContactGeometry::Point { reduced_radius: 1e-3, roundness: 1.0 };
        for geometry in [line, point] {
            let of = |a: f64| is_wide(&geometry, constriction_conductance(&geometry, a, 50.0), 50.0);
            assert_eq!([0.9e-3, 1e-3, 1.0].map(of), [false, true, true]);
        }
        assert!(!is_wide(&ContactGeometry::Flat { area: 1.0 }, 1e9, 1.0));
    }

    #[test]
    fn a_point_conducts_as_two_half_spaces_and_a_flat_contact_as_its_circle() {
        let point = ContactGeometry::Point { reduced_radius: 2.5e-3, roundness: 1.0 };
        let half_space = 1.0 / (4.0 * 50.0 * 1e-4);
        assert!((constriction_conductance(&point, 1e-4, 50.0) * 2.0 * half_space - 1.0).abs() < 1e-15);
        let flat = ContactGeometry::Flat { area: PI * 1e-8 };
        let a = contact_radius(&flat, 1.0, 1e9);
        assert!((constriction_conductance(&flat, a, 50.0) * 2.0 * half_space - 1.0).abs() < 1e-15);
        // unlike half spaces in series: 1/(4 k_i a) + 1/(4 k_j a)
        let unlike = 1.0 / (4.0 * 50.0 * 1e-4) + 1.0 / (4.0 * 2.0 * 1e-4);
        assert!((constriction_conductance(&point, 1e-4, pair_conductivity(50.0, 2.0)) * unlike - 1.0).abs() < 1e-15);
    }

    /// The exact disc: two opposite arcs of half angle α = a/R as electrodes. The disc goes to the upper half plane by
    /// x = tan(θ/2) and on to a rectangle by sn⁻¹, so its resistance is 2K(k)/(K(k′)σL) with k = tan²(π/4 − α/2).
    fn exact_disc(alpha: f64) -> f64 {
        fn mean(mut a: f64, mut b: f64) -> f64 {
            while (a - b).abs() > 1e-15 * a {
                (a, b) = (0.5 * (a + b), (a * b).sqrt());
            }
            a
        }
        let k = (0.25 * PI - 0.5 * alpha).tan().powi(2);
        // 1 − k² without its cancellation; K(k) = π/(2 agm(1, k′))
        let complement = (4.0 * alpha.sin() / (1.0 + alpha.sin()).powi(2)).sqrt();
        2.0 * mean(1.0, k) / mean(1.0, complement)
    }

    #[test]
    fn a_line_conducts_as_the_exact_disc_up_to_the_square_of_the_angle() {
        let (radius, length, sigma) = (3e-3, 0.2, 50.0);
        let geometry = ContactGeometry::Line { reduced_radius: 0.5 * radius, length };
        // resistances of the disc by the law (two contacts, of two half discs each) and exactly, in units of 1/σL
        let by_law = |alpha: f64| sigma * length / constriction_conductance(&geometry, alpha * radius, sigma);
        let error = |alpha: f64| by_law(alpha) - exact_disc(alpha);
        for alpha in [0.2, 0.1, 0.05, 0.025] {
            let order = (error(alpha) / error(0.5 * alpha)).log2();
            assert!((order - 2.0).abs() < 0.02, "α = {alpha}: {order}");
        }
        let part = |alpha: f64| exact_disc(alpha) / by_law(alpha) - 1.0;
        assert!((part(0.1) + 2.26e-4).abs() < 1e-6 && (part(0.5) + 1.04e-2).abs() < 1e-4, "{} {}", part(0.1), part(0.5));
        // beyond Hertz' range the spot stays as it is there, and without a spot nothing flows
        let at = |a: f64| constriction_conductance(&geometry, a, sigma);
        assert_eq!(at(10.0 * radius), at(0.5 * radius));
        assert_eq!(at(0.0), 0.0);
    }

    #[test]
    fn pair_moduli_are_those_of_the_pairs() {
        let elastic = |young| ElasticMaterial { young: Quantity::new(young).unwrap(), poisson: Quantity::new(0.3).unwrap() };
        let materials = [Some(elastic(210e9)), None, Some(elastic(70e9))];
        let pairs = PairModuli::of(&materials);
        let id = MaterialId::from_index;
        for (i, j) in (0..9).map(|k| (id(k / 3), id(k % 3))) {
            assert_eq!(pairs.of_pair(i, j), effective_modulus(&materials, i, j));
        }
        assert_eq!(pairs.of_pair(id(1), id(1)), None);
        assert!((pairs.of_pair(id(0), id(1)).unwrap() * 0.91 / 210e9 - 1.0).abs() < 1e-15);
    }
}
