//! Laws of the bare spot, without memory.

use std::{f64::consts::PI, sync::Arc};

use mpcd_core::{
    InputError, Named, NamedLaws, Quantity,
    hertz::{constriction_conductance, contact_radius},
    quantity::{Conductance, Number, Positive, Pressure},
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{ConductanceLaw, Needs, Spot, shared};

/// Names of the laws whose parameters are the law itself.
macro_rules! named {
    ($($law:ident),*) => {$(
        impl Named<dyn ConductanceLaw> for $law {
            const NAME: &'static str = stringify!($law);
            type Params = Self;
            fn build(law: Self, _: &NamedLaws<dyn ConductanceLaw>) -> Result<Arc<dyn ConductanceLaw>, InputError> {
                shared(law)
            }
        }
    )*};
}

named!(Constant, Hertz, CubeRoot, Holm, Power, Insulating);

/// The same conductance for every contact that pushes.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Constant {
    /// Conductance of a contact.
    pub conductance: Quantity<Conductance, Positive>,
}

impl ConductanceLaw for Constant {
    fn conductance(&self, _: &Spot) -> Option<f64> {
        Some(self.conductance.si())
    }
}

/// Constriction of the elastic contact spot: [`constriction_conductance`] of Hertz' [`contact_radius`] (Holm). A point has
/// C = 2 a σ ∝ F^⅓, a line C = πσL / (2 ln(8R*/a)) with a ∝ F^½.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hertz {}

impl ConductanceLaw for Hertz {
    fn conductance(&self, spot: &Spot) -> Option<f64> {
        let a = contact_radius(&spot.geometry, spot.force, spot.effective_modulus?);
        Some(constriction_conductance(&spot.geometry, a, spot.conductivity?))
    }
    fn needs(&self) -> Needs {
        Needs { conductivity: true, elastic: true }
    }
}

/// C_m = scale · F^⅓ by name, whatever the geometry (LMGC90's `hertz`, also in the plane).
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CubeRoot {
    /// Conductance under 1 N (S/N^⅓).
    #[serde(default = "one")]
    pub scale: Quantity<Number, Positive>,
}

impl ConductanceLaw for CubeRoot {
    fn conductance(&self, spot: &Spot) -> Option<f64> {
        Some(self.scale.si() * spot.force.cbrt())
    }
}

/// Plastic spot (Holm): the area that carries is F/H, so a = √(F/πH) and C = 2 a σ ∝ F^½.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Holm {
    /// Hardness of the softer material.
    pub hardness: Quantity<Pressure, Positive>,
}

impl ConductanceLaw for Holm {
    fn conductance(&self, spot: &Spot) -> Option<f64> {
        Some(2.0 * (spot.force / (PI * self.hardness.si())).sqrt() * spot.conductivity?)
    }
    fn needs(&self) -> Needs {
        Needs { conductivity: true, elastic: false }
    }
}

/// C_m = scale · F^exponent.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Power {
    /// Conductance under 1 N (S/N^exponent).
    pub scale: Quantity<Number, Positive>,
    /// Exponent of the force, above zero: a contact that is pressed harder conducts better.
    pub exponent: Quantity<Number, Positive>,
}

impl ConductanceLaw for Power {
    fn conductance(&self, spot: &Spot) -> Option<f64> {
        Some(self.scale.si() * spot.force.powf(self.exponent.si()))
    }
}

/// No current passes between these groups.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Insulating {}

impl ConductanceLaw for Insulating {
    fn conductance(&self, _: &Spot) -> Option<f64> {
        Some(0.0)
    }
    fn insulates(&self) -> bool {
        true
    }
}

fn one() -> Quantity<Number, Positive> {
    #[expect(clippy::expect_used, reason = "1 is finite and above zero")]
    Quantity::new(1.0).expect("1 is in range")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::in_series;
    use mpcd_core::network::ContactGeometry;

    fn steel(force: f64, geometry: ContactGeometry) -> Spot {
        Spot { geometry, force, effective_modulus: Some(210e9 / (2.0 * (1.0 - 0.09))), conductivity: Some(1.4e6) }
    }
    const POINT: ContactGeometry = ContactGeometry::Point { reduced_radius: 2.5e-3, roundness: 1.0 };

    #[test]
    fn v10_steel_pair() {
        let c = Hertz {}.conductance(&steel(10.0, POINT)).unwrap();
        assert!((c - 152.7950).abs() < 5e-5, "{c}");
        assert!((9.0 / c - 58.90245e-3).abs() < 5e-9, "chain of 10 spheres: {}", 9.0 / c);
    }

    /// Holm: 100 N on 2 GPa carry on 5·10⁻⁸ m², a disc of a = 0.1262 mm: 2 a σ = 353.24 S. A power law at 16 N: 3 · 16^0.75 = 24 S.
    #[test]
    fn a_plastic_spot_and_a_power_have_their_numbers() {
        let holm = Holm { hardness: Quantity::new(2e9).unwrap() };
        let a = (5e-8 / PI).sqrt();
        assert!((holm.conductance(&steel(100.0, POINT)).unwrap() / (2.0 * a * 1.4e6) - 1.0).abs() < 1e-12);
        assert!((2.0 * a * 1.4e6 - 353.24).abs() < 0.005);
        let power = Power { scale: Quantity::new(3.0).unwrap(), exponent: Quantity::new(0.75).unwrap() };
        assert!((power.conductance(&steel(16.0, POINT)).unwrap() - 24.0).abs() < 1e-12);
    }

    #[test]
    fn v10_eight_times_the_force_twice_the_conductance() {
        let c = |f| Hertz {}.conductance(&steel(f, POINT)).unwrap();
        assert!((c(80.0) / c(10.0) - 2.0).abs() < 1e-14);
        let holm = Holm { hardness: Quantity::new(2e9).unwrap() };
        let c = |f| holm.conductance(&steel(f, POINT)).unwrap();
        assert!((c(40.0) / c(10.0) - 2.0).abs() < 1e-14);
    }

    /// The potential of the strip formula: two opposite strips of half-width a on a disc, as equipotentials with the
    /// density 1/√(a² − x²), whose mean logarithm is ln(a/2). Integrated here numerically.
    #[test]
    fn line_contact_is_the_resistance_of_a_disc_between_two_strips() {
        let (radius, a, sigma, length) = (3e-3, 4e-6, 50.0, 0.2);
        let n = 20_000;
        // potential at the strip's centre: (I/πσL)·mean of ln(distance to the far strip / distance to the near one)
        let mean: f64 = (0..n)
            .map(|k| {
                let x = a * (PI * (f64::from(k) + 0.5) / f64::from(n)).cos();
                (2.0 * radius / x.abs()).ln()
            })
            .sum::<f64>()
            / f64::from(n);
        let resistance = 2.0 * mean / (PI * sigma * length);
        // one disc has two contacts; two half discs make one contact of the law
        let geometry = ContactGeometry::Line { reduced_radius: radius / 2.0, length };
        let e_star = 1e9;
        let force = a * a * PI * e_star * length / (4.0 * radius / 2.0);
        let spot = Spot { geometry, force, effective_modulus: Some(e_star), conductivity: Some(sigma) };
        let c = Hertz {}.conductance(&spot).unwrap();
        assert!((c * resistance - 1.0).abs() < 1e-5, "{}", c * resistance);
    }

    #[test]
    fn bodies_and_spot_are_in_series() {
        assert_eq!(in_series(f64::INFINITY, f64::INFINITY, 3.0), 3.0);
        assert!((in_series(200.0, 200.0, 1.0) - 100.0 / 101.0).abs() < 1e-15);
        assert_eq!(in_series(0.0, 5.0, 3.0), 0.0);
        assert_eq!(in_series(f64::INFINITY, 5.0, 0.0), 0.0);
    }
}
