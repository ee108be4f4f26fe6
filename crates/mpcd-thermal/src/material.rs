//! The `thermal` part of a material, and what the module looks up of it per body and per pair. No law here.

use mpcd_core::{
    InputError, MaterialId, Quantity, Setup,
    hertz::{ElasticMaterial, PairModuli, pair_conductivity},
    quantity::{Expansion, HeatConductivity, Positive, SpecificHeat},
};
use schemars::JsonSchema;
use serde::Deserialize;

/// The `thermal` part of a material. A body without it is insulated.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ThermalMaterial {
    /// Heat conductivity.
    pub conductivity: Quantity<HeatConductivity, Positive>,
    /// Specific heat.
    pub specific_heat: Quantity<SpecificHeat, Positive>,
    /// Linear thermal expansion α. Default: 0.
    #[serde(default)]
    pub expansion: Option<Quantity<Expansion>>,
}

/// Thermal properties of all materials.
#[derive(Debug, Clone)]
pub(crate) struct Materials {
    thermal: Vec<Option<ThermalMaterial>>,
    /// √(kρc) (J/(m² K √s)).
    effusivity: Vec<f64>,
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
        let effusivity = thermal.iter().zip(&setup.materials);
        let effusivity =
            effusivity.map(|(t, m)| t.map_or(0.0, |t| (t.conductivity.si() * m.density * t.specific_heat.si()).sqrt())).collect();
        Ok(Self { thermal, effusivity, moduli: PairModuli::of(&elastic) })
    }

    /// The thermal part of a material.
    pub(crate) fn of(&self, material: MaterialId) -> Option<&ThermalMaterial> {
        self.thermal[material.index()].as_ref()
    }

    /// Linear expansion (1/K), 0 where there is none.
    pub(crate) fn expansion(&self, material: MaterialId) -> f64 {
        self.of(material).and_then(|m| m.expansion).map_or(0.0, |a| a.si())
    }

    /// Conductivity (W/(m K)) and E* (Pa) of a contact between two thermal materials.
    pub(crate) fn pair(&self, i: MaterialId, j: MaterialId) -> Option<(f64, Option<f64>)> {
        let (a, b) = (self.of(i)?.conductivity.si(), self.of(j)?.conductivity.si());
        Some((pair_conductivity(a, b), self.moduli.of_pair(i, j)))
    }

    /// Part of the heat made between two surfaces that enters the first: e_i/(e_i + e_j), e = √(kρc).
    pub(crate) fn share(&self, i: MaterialId, j: MaterialId) -> f64 {
        let (a, b) = (self.effusivity[i.index()], self.effusivity[j.index()]);
        if a + b > 0.0 { a / (a + b) } else { 0.5 }
    }
}
