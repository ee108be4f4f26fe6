//! The `thermal` part of a material, and what the module looks up of it per body and per pair. No law here.

use std::sync::Arc;

use mpcd_core::{
    InputError, MaterialId, Quantity, Setup,
    hertz::{ElasticMaterial, PairModuli, pair_conductivity},
    quantity::{Expansion, Fraction, HeatConductivity, Number, SpecificHeat},
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::property::{Curve, OfTemperature};

/// The `thermal` part of a material. A body without it is insulated.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ThermalMaterial {
    /// Heat conductivity: a number, or a list of (temperature, conductivity), linear between and constant outside.
    pub conductivity: OfTemperature<HeatConductivity>,
    /// Specific heat: a number, or a list of (temperature, specific heat).
    pub specific_heat: OfTemperature<SpecificHeat>,
    /// Emissivity of the surface for the radiation between neighbours, 0 … 1. Default: 0.
    #[serde(default)]
    pub emissivity: Option<Quantity<Number, Fraction>>,
    /// Linear thermal expansion α. Default: 0.
    #[serde(default)]
    pub expansion: Option<Quantity<Expansion>>,
}

/// Thermal properties of all materials.
#[derive(Debug, Clone)]
pub(crate) struct Materials {
    thermal: Vec<Option<ThermalMaterial>>,
    densities: Vec<f64>,
    moduli: PairModuli,
}

impl Materials {
    /// Reads the parts `thermal` and, where the law needs it, `elastic`.
    pub(crate) fn read(setup: &Setup, needs_elastic: bool) -> Result<Self, InputError> {
        let thermal = setup.material_parts::<ThermalMaterial>("thermal")?;
        if thermal.iter().all(Option::is_none) {
            return Err(InputError::new("no material of the model has thermal properties")
                .help("add `thermal: (conductivity: …, specific_heat: …)` to the materials that take heat"));
        }
        let n = thermal.len();
        let elastic =
            if needs_elastic { setup.material_parts::<ElasticMaterial>("elastic")? } else { (0..n).map(|_| None).collect() };
        if needs_elastic && !thermal.iter().zip(&elastic).any(|(t, e)| t.is_some() && e.is_some()) {
            return Err(InputError::new("this law needs the elasticity of the materials, and no thermal material has it")
                .help("add `elastic: (young: …, poisson: …)` to the thermal materials")
                .at("law"));
        }
        let densities = setup.materials.iter().map(|m| m.density).collect();
        Ok(Self { thermal, densities, moduli: PairModuli::of(&elastic) })
    }

    /// The thermal part of a material.
    pub(crate) fn of(&self, material: MaterialId) -> Option<&ThermalMaterial> {
        self.thermal[material.index()].as_ref()
    }

    /// Linear expansion (1/K), 0 where there is none.
    pub(crate) fn expansion(&self, material: MaterialId) -> f64 {
        self.of(material).and_then(|m| m.expansion).map_or(0.0, |a| a.si())
    }

    /// Specific heat over temperature, where it depends on it.
    pub(crate) fn specific_heat(&self, material: MaterialId) -> Option<Arc<Curve>> {
        self.of(material).map(|m| m.specific_heat.curve()).filter(|c| !c.is_constant()).map(|c| Arc::new(c.clone()))
    }

    /// Whether some conductivity depends on temperature.
    pub(crate) fn conductivity_varies(&self) -> bool {
        self.thermal.iter().flatten().any(|m| !m.conductivity.curve().is_constant())
    }

    /// Conductivity (W/(m K)) and E* (Pa) of a contact between two thermal materials at their temperatures (K).
    pub(crate) fn pair(&self, ids: [MaterialId; 2], temperatures: [f64; 2]) -> Option<(f64, Option<f64>)> {
        let curve = |side: usize| Some(self.of(ids[side])?.conductivity.curve());
        Some((series([curve(0)?, curve(1)?], temperatures), self.moduli.of_pair(ids[0], ids[1])))
    }

    /// Whether a material is thermal.
    pub(crate) fn is_thermal(&self, material: MaterialId) -> bool {
        self.of(material).is_some()
    }

    /// 1/(1/ε_i + 1/ε_j − 1) of two grey surfaces that see each other alone; 0 where one does not radiate.
    pub(crate) fn exchange(&self, ids: [MaterialId; 2]) -> f64 {
        let emissivity = |id: MaterialId| self.of(id).and_then(|m| m.emissivity).map_or(0.0, |e| e.si());
        let [a, b] = ids.map(emissivity);
        if a > 0.0 && b > 0.0 { 1.0 / (1.0 / a + 1.0 / b - 1.0) } else { 0.0 }
    }

    /// Part of the heat made between two surfaces that enters the first: e_i/(e_i + e_j), e = √(kρc) at their temperatures (K).
    pub(crate) fn share(&self, ids: [MaterialId; 2], temperatures: [f64; 2]) -> f64 {
        let effusivity = |side: usize| {
            let (density, t) = (self.densities[ids[side].index()], temperatures[side]);
            self.of(ids[side]).map_or(0.0, |m| (m.conductivity.curve().at(t) * density * m.specific_heat.curve().at(t)).sqrt())
        };
        let (a, b) = (effusivity(0), effusivity(1));
        if a + b > 0.0 { a / (a + b) } else { 0.5 }
    }
}

/// Conductivity (W/(m K)) of two equal constrictions in series whose far ends have these temperatures (K): [`pair_conductivity`] of the means of their k between
/// their end and the spot. The flow in a body is that of the potential ∫ k dT (Kirchhoff's transformation), so the spot has the temperature T at which
/// ∫ k_i dT from T_i to T and ∫ k_j dT from T_j to T add up to 0. For equal materials this is the mean of k from T_i to T_j.
fn series(curves: [&Curve; 2], ends: [f64; 2]) -> f64 {
    let [a, b] = curves;
    if (a.is_constant() && b.is_constant()) || ends[0] == ends[1] {
        return pair_conductivity(a.at(ends[0]), b.at(ends[1]));
    }
    // T − T_i between 0 and T_j − T_i: Newton's method, inside what is known to hold the zero of a rising function
    let fall = ends[1] - ends[0];
    let (mut low, mut high) = if fall > 0.0 { (0.0, fall) } else { (fall, 0.0) };
    let mut rise = fall * b.at(ends[1]) / (a.at(ends[0]) + b.at(ends[1]));
    for _ in 0..SPOT_ROUNDS {
        let unbalanced = a.over(ends[0], rise) + b.over(ends[1], rise - fall);
        if unbalanced > 0.0 {
            high = rise;
        } else {
            low = rise;
        }
        let newton = rise - unbalanced / (a.at(ends[0] + rise) + b.at(ends[0] + rise));
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        let done = (next - rise).abs() <= 1e-14 * fall.abs();
        rise = next;
        if done {
            break;
        }
    }
    let mean = |curve: &Curve, from: f64, by: f64| if by == 0.0 { curve.at(from) } else { curve.over(from, by) / by };
    pair_conductivity(mean(a, ends[0], rise), mean(b, ends[1], rise - fall))
}

/// Most rounds for the temperature of a spot; halving alone takes fifty.
const SPOT_ROUNDS: usize = 60;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    /// k = 10 + 0.1 (T − 300) on both sides: the mean from 300 K to 400 K is 15. Beside a constant 30, from 300 K: x with 10x + 0.05x² = 30 (100 − x),
    /// and 2·30 (100 − x)/100 flows per degree.
    #[test]
    fn a_spot_has_the_temperature_that_lets_the_heat_pass() {
        let rising = Curve::through(vec![(300.0, 10.0), (500.0, 30.0)]).unwrap();
        assert!((series([&rising, &rising], [300.0, 400.0]) - 15.0).abs() < 1e-12);
        assert!((series([&rising, &rising], [400.0, 300.0]) - 15.0).abs() < 1e-12);
        let even = Curve::constant(30.0);
        let x = -400.0 + (400.0_f64 * 400.0 + 60_000.0).sqrt();
        let want = 0.6 * (100.0 - x);
        for (found, name) in
            [(series([&rising, &even], [300.0, 400.0]), "one way"), (series([&even, &rising], [400.0, 300.0]), "the other way")]
        {
            assert!((found / want - 1.0).abs() < 1e-13, "{name}: {found}, expected {want}");
        }
        // no difference, and one of rounding: the mean of the values there
        let level = pair_conductivity(12.0, 30.0);
        assert!((series([&rising, &even], [320.0, 320.0]) / level - 1.0).abs() < 1e-14);
        assert!((series([&rising, &even], [320.0, 320.0 + 1e-10]) / level - 1.0).abs() < 1e-9);
        // past a bend: 10 at 250 K and at 300 K, then up to 30 and no further
        let mean = (500.0 + 4000.0 + 3000.0) / 350.0;
        assert!((series([&rising, &rising], [250.0, 600.0]) / mean - 1.0).abs() < 1e-13);
    }
}
