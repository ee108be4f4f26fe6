//! The `electrical` part of a material, and what the module looks up of it per pair. No law here.

use mpcd_core::{
    InputError, MaterialId, Quantity, Setup,
    hertz::{ElasticMaterial, PairModuli, pair_conductivity},
    quantity::{Conductance, Conductivity, Positive},
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::law::Needs;

/// The `electrical` part of a material. A material without it does not conduct.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ElectricalMaterial {
    /// Conductivity, for the laws that need it (Hertz, Holm).
    #[serde(default)]
    pub conductivity: Option<Quantity<Conductivity, Positive>>,
    /// Conductance C_i of a body's own bulk, in series with each of its contacts. Default: infinite (constriction only).
    #[serde(default)]
    pub bulk: Option<Quantity<Conductance, Positive>>,
    /// Whether the material insulates after all. Default: false.
    #[serde(default)]
    pub insulating: bool,
}

/// Electrical properties of all materials.
#[derive(Debug, Clone)]
pub(crate) struct Materials {
    electrical: Vec<Option<ElectricalMaterial>>,
    moduli: PairModuli,
}

impl Materials {
    /// Reads the parts `electrical` and, where the law needs it, `elastic`.
    pub(crate) fn read(setup: &Setup, needs: Needs) -> Result<Self, InputError> {
        let electrical: Vec<Option<ElectricalMaterial>> = setup
            .material_parts::<ElectricalMaterial>("electrical")?
            .into_iter()
            .map(|part| part.filter(|p| !p.insulating))
            .collect();
        if electrical.iter().all(Option::is_none) {
            return Err(InputError::new("no material of the model conducts")
                .help("add `electrical: (conductivity: …)` to the materials that conduct"));
        }
        for (part, material) in electrical.iter().zip(&setup.materials) {
            if needs.conductivity && part.is_some_and(|p| p.conductivity.is_none()) {
                return Err(InputError::new(format!(
                    "material \"{}\" conducts but has no conductivity, which this law needs",
                    material.name
                ))
                .help("write `electrical: (conductivity: …)`, or `insulating: true`")
                .at("law"));
            }
        }
        let n = electrical.len();
        let elastic =
            if needs.elastic { setup.material_parts::<ElasticMaterial>("elastic")? } else { (0..n).map(|_| None).collect() };
        if needs.elastic && !electrical.iter().zip(&elastic).any(|(c, e)| c.is_some() && e.is_some()) {
            return Err(InputError::new(
                "the law Hertz needs the elasticity of the materials, and no conducting material has it",
            )
            .help("add `elastic: (young: …, poisson: …)` to the conducting materials")
            .at("law"));
        }
        Ok(Self { electrical, moduli: PairModuli::of(&elastic) })
    }

    /// Whether a material conducts.
    pub(crate) fn conducts(&self, material: MaterialId) -> bool {
        self.electrical[material.index()].is_some()
    }

    /// Properties of a contact between two materials; `None` when one of them insulates.
    pub(crate) fn pair(&self, i: MaterialId, j: MaterialId) -> Option<Pair> {
        let (a, b) = (self.electrical[i.index()]?, self.electrical[j.index()]?);
        let conductivity = a.conductivity.zip(b.conductivity).map(|(a, b)| pair_conductivity(a.si(), b.si()));
        let bulk = |m: ElectricalMaterial| m.bulk.map_or(f64::INFINITY, |c| c.si());
        Some(Pair { bulk: (bulk(a), bulk(b)), conductivity, effective_modulus: self.moduli.of_pair(i, j) })
    }
}

/// What a contact between two conducting materials has of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair {
    /// Bulk conductances (S), may be infinite.
    pub(crate) bulk: (f64, f64),
    /// Harmonic mean of the conductivities (S/m).
    pub(crate) conductivity: Option<f64>,
    /// E* (Pa).
    pub(crate) effective_modulus: Option<f64>,
}
