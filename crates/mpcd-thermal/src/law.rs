//! Conduction laws: normal force → heat conductance of a contact. Open: a user's law is one small type on [`ConductionLaw`] with its
//! name ([`Named`]) and joins [`conduction_laws`] by one line. Necks that grow are in their own room.
//! The gas in the gap is beside it, in its own room.

use mpcd_core::{
    InputError, Named, NamedLaws, Quantity,
    hertz::{constriction_conductance, contact_radius},
    network::ContactGeometry,
    quantity::{HeatConductance, HeatTransfer, NonNegative, Number, Positive, Pressure},
};
use schemars::JsonSchema;
use serde::Deserialize;
use std::{f64::consts::PI, sync::Arc};

use crate::{bonded::Bonded, sinter::Sinter};

/// What a law may know about a contact that pushes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// Shape of the touching surfaces.
    pub geometry: ContactGeometry,
    /// Normal force (N), above zero.
    pub force: f64,
    /// Effective modulus E* (Pa); `None` when neither material is elastic.
    pub effective_modulus: Option<f64>,
    /// Conductivity of the pair (W/(m K)), 2k_ik_j/(k_i + k_j).
    pub conductivity: f64,
}

impl Spot {
    /// Size of the elastic contact spot (m); `None` without elasticity.
    fn radius(&self) -> Option<f64> {
        Some(contact_radius(&self.geometry, self.force, self.effective_modulus?))
    }
}

/// A conduction law.
pub trait ConductionLaw: std::fmt::Debug + Send + Sync {
    /// Heat conductance of a contact (W/K), finite and 0 or above; `None` when it needs elasticity and the spot has none.
    fn conductance(&self, spot: &Spot) -> Option<f64>;

    /// Whether the law reads the `elastic` part of the materials.
    fn needs_elastic(&self) -> bool {
        false
    }

    /// What it remembers of a contact, if anything.
    fn memory(&self) -> Option<&dyn Grows> {
        None
    }

    /// What passes through bonds over the area that they hold, whether the contact pushes or pulls (W/(m² K)).
    fn transfer_of_bonds(&self) -> f64 {
        0.0
    }
}

/// What a law remembers of a contact: one number, kept as long as the contact pushes. All points of a face have it in common.
pub trait Grows {
    /// Of a contact that has just begun to push.
    fn start(&self) -> f64;

    /// What it is after a time of heat (s) at a temperature (K), the mean of the two bodies at the start of the step.
    fn grow(&self, memory: f64, spot: &Spot, time: f64, temperature: f64) -> f64;

    /// Heat conductance with it (W/K); `None` as [`ConductionLaw::conductance`].
    fn conductance(&self, spot: &Spot, memory: f64) -> Option<f64>;

    /// Whether it makes something only where bodies meet at points: a model of the plane, where they meet along lines, then refuses it.
    fn needs_points(&self) -> bool {
        false
    }

    /// Radius of the neck that is remembered so (m), 0 where the law makes none; other modules may read it.
    fn neck(&self, memory: f64) -> f64 {
        let _ = memory;
        0.0
    }
}

/// The same conductance for every contact that pushes.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Constant {
    /// Heat conductance of a contact.
    pub conductance: Quantity<HeatConductance, NonNegative>,
}

impl ConductionLaw for Constant {
    fn conductance(&self, _: &Spot) -> Option<f64> {
        Some(self.conductance.si())
    }
}

/// Constriction of the elastic contact spot: [`constriction_conductance`] of Hertz' [`contact_radius`] (Batchelor and O'Brien
/// 1977). A point has H = 2 k a, a line H = πkL/(2 ln(8R*/a)).
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Hertz {}

impl ConductionLaw for Hertz {
    fn conductance(&self, spot: &Spot) -> Option<f64> {
        Some(constriction_conductance(&spot.geometry, spot.radius()?, spot.conductivity))
    }
    fn needs_elastic(&self) -> bool {
        true
    }
}

/// H = A h₀ (p/p₀)^n with the contact area A (of Hertz, or the flat one) and the mean pressure p = F/A.
/// For rough conforming surfaces n = 0.95 (Cooper, Mikic and Yovanovich 1969).
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PressurePower {
    /// Heat transfer coefficient h₀ at the reference pressure.
    pub coefficient: Quantity<HeatTransfer, Positive>,
    /// Reference pressure p₀.
    pub reference: Quantity<Pressure, Positive>,
    /// Exponent n, 0 or above: 0 is the same coefficient under every pressure. Default: 0.95.
    #[serde(default)]
    pub exponent: Option<Quantity<Number, NonNegative>>,
}

impl ConductionLaw for PressurePower {
    fn conductance(&self, spot: &Spot) -> Option<f64> {
        let area = match spot.geometry {
            ContactGeometry::Flat { area } => area,
            ContactGeometry::Point { .. } => PI * spot.radius()?.powi(2),
            ContactGeometry::Line { length, .. } => 2.0 * spot.radius()? * length,
        };
        // An edge or a corner has no area, and conducts nothing.
        if area <= 0.0 {
            return Some(0.0);
        }
        let exponent = self.exponent.map_or(0.95, |n| n.si());
        Some(area * self.coefficient.si() * (spot.force / area / self.reference.si()).powf(exponent))
    }
    fn needs_elastic(&self) -> bool {
        true
    }
}

/// No heat passes through the solid between these groups.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Insulating {}

impl ConductionLaw for Insulating {
    fn conductance(&self, _: &Spot) -> Option<f64> {
        Some(0.0)
    }
}

/// [`Hertz`] by its other name.
#[derive(Debug, Clone, Copy)]
pub enum BatchelorOBrien {}

/// Names of the laws whose parameters are the law itself.
macro_rules! named {
    ($($name:ident: $law:ident),*) => {$(
        impl Named<dyn ConductionLaw> for $name {
            const NAME: &'static str = stringify!($name);
            type Params = $law;
            fn build(law: $law, _: &NamedLaws<dyn ConductionLaw>) -> Result<Arc<dyn ConductionLaw>, InputError> {
                Ok(Arc::new(law))
            }
        }
    )*};
}

named!(Constant: Constant, Hertz: Hertz, BatchelorOBrien: Hertz, PressurePower: PressurePower, Insulating: Insulating);

/// The conduction laws of a program, by name.
pub type ConductionLaws = NamedLaws<dyn ConductionLaw>;

/// The laws that ship; [`NamedLaws::with`] adds one.
#[must_use]
pub fn conduction_laws() -> ConductionLaws {
    NamedLaws::new("conduction law")
        .with::<Constant>()
        .with::<Hertz>()
        .with::<BatchelorOBrien>()
        .with::<PressurePower>()
        .with::<Sinter>()
        .with::<Bonded>()
        .with::<Insulating>()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn spot(force: f64, geometry: ContactGeometry) -> Spot {
        Spot { geometry, force, effective_modulus: Some(210e9 / (2.0 * (1.0 - 0.09))), conductivity: 50.0 }
    }

    /// H = 2 k a, a = (3 F R*/4E*)^⅓ = 54.5696 µm.
    #[test]
    fn v11_contact_conductance() {
        let point = ContactGeometry::Point { reduced_radius: 2.5e-3, roundness: 1.0 };
        let h = |f| Hertz {}.conductance(&spot(f, point)).unwrap();
        assert!((h(10.0) - 2.0 * 50.0 * 54.5696e-6).abs() < 1e-8, "{}", h(10.0));
        assert!((h(80.0) / h(10.0) - 2.0).abs() < 1e-14);
        let line = ContactGeometry::Line { reduced_radius: 2.5e-3, length: 0.1 };
        let a = contact_radius(&line, 10.0, 210e9 / 1.82);
        let resistance = 2.0 * (4.0 * 5e-3 / a).ln() / (PI * 50.0 * 0.1);
        assert!((Hertz {}.conductance(&spot(10.0, line)).unwrap() * resistance - 1.0).abs() < 1e-12);
        assert!(Hertz {}.conductance(&Spot { effective_modulus: None, ..spot(1.0, point) }).is_none());
    }

    #[test]
    fn pressure_law_follows_its_exponent() {
        let law =
            PressurePower { coefficient: Quantity::new(1e4).unwrap(), reference: Quantity::new(1e6).unwrap(), exponent: None };
        let flat = ContactGeometry::Flat { area: 1e-4 };
        let h = |f| law.conductance(&spot(f, flat)).unwrap();
        assert!((h(100.0) - 1.0).abs() < 1e-12 && (h(1000.0) - 10_f64.powf(0.95)).abs() < 1e-12);
        // With exponent 0 the area is all that counts: that of Hertz' disc, πa² with a = 54.5696 µm.
        let even = PressurePower { exponent: Some(Quantity::new(0.0).unwrap()), ..law };
        let point = even.conductance(&spot(10.0, ContactGeometry::Point { reduced_radius: 2.5e-3, roundness: 1.0 })).unwrap();
        assert!((point / (1e4 * PI * 54.5696e-6_f64.powi(2)) - 1.0).abs() < 1e-5, "{point}");
    }
}
