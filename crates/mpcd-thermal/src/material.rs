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
        let conductivity = |side: usize| Some(self.of(ids[side])?.conductivity.curve().at(temperatures[side]));
        Some((pair_conductivity(conductivity(0)?, conductivity(1)?), self.moduli.of_pair(ids[0], ids[1])))
    }

    /// Whether both materials are thermal.
    pub(crate) fn are_thermal(&self, ids: [MaterialId; 2]) -> bool {
        ids.iter().all(|id| self.of(*id).is_some())
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
