//! The `electrical` part of a material, and what the module looks up of it per pair. No law here.

use mpcd_core::{
    BodyId, InputError, MaterialId, PairLaws, Quantity, Setup,
    hertz::{ElasticMaterial, PairModuli, pair_conductivity},
    quantity::{Conductance, Conductivity, Expansion, Positive, Temperature},
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{error::ElectricalError, law::ConductanceLaw, warm::Metal};

/// The `electrical` part of a material. A material without it does not conduct.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ElectricalMaterial {
    /// Conductivity at the reference temperature, for the laws that need it (Hertz, Holm) and for the elements of meshes: with it a mesh conducts
    /// through its elements, without it it is one lump of one potential.
    #[serde(default)]
    pub conductivity: Option<Quantity<Conductivity, Positive>>,
    /// Conductance C_i of a body's own bulk at the reference temperature, in series with each of its contacts; it does not act where elements conduct. Default: infinite (constriction only).
    #[serde(default)]
    pub bulk: Option<Quantity<Conductance, Positive>>,
    /// α of σ(T) = σ₀/(1 + α(T − T₀)), for the bulk as well; 0.0039 1/K for copper. Default: 0.
    #[serde(default)]
    pub temperature_coefficient: Option<Quantity<Expansion>>,
    /// T₀ of it. Default: 293.15 K.
    #[serde(default)]
    pub reference_temperature: Option<Quantity<Temperature, Positive>>,
    /// Whether the material insulates after all. Default: false.
    #[serde(default)]
    pub insulating: bool,
}

/// Temperature of bodies and materials where nothing says another (K).
pub(crate) const ROOM: f64 = 293.15;

impl ElectricalMaterial {
    /// σ₀ over σ at a temperature (K).
    fn resistivity_ratio(&self, temperature: f64) -> f64 {
        let alpha = self.temperature_coefficient.map_or(0.0, |a| a.si());
        1.0 + alpha * (temperature - self.reference_temperature.map_or(ROOM, |t| t.si()))
    }
}

/// Electrical properties of all materials.
#[derive(Debug, Clone)]
pub(crate) struct Materials {
    electrical: Vec<Option<ElectricalMaterial>>,
    moduli: PairModuli,
}

impl Materials {
    /// Reads the parts `electrical` and, where a law needs it, `elastic`; `temperature` is that at the start where it is known (K).
    pub(crate) fn read(setup: &Setup, laws: &PairLaws<dyn ConductanceLaw>, temperature: f64) -> Result<Self, InputError> {
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
            let ratio = part.map_or(1.0, |p| p.resistivity_ratio(temperature));
            if ratio <= 0.0 {
                return Err(InputError::new(format!(
                    "the conductivity of material \"{}\" would be σ₀/{ratio} at {temperature} K; expected 1 + α(T − T₀) above zero",
                    material.name
                ))
                .help("correct `temperature_coefficient`, `reference_temperature` or the temperature")
                .within(&material.parts["electrical"]));
            }
        }
        check_conductivities(&electrical, setup, laws)?;
        let needs_elastic = laws.iter().any(|law| law.needs().elastic);
        let n = electrical.len();
        let elastic =
            if needs_elastic { setup.material_parts::<ElasticMaterial>("elastic")? } else { (0..n).map(|_| None).collect() };
        if needs_elastic && !electrical.iter().zip(&elastic).any(|(c, e)| c.is_some() && e.is_some()) {
            return Err(InputError::new(
                "the law Hertz needs the elasticity of the materials, and no conducting material has it",
            )
            .help("add `elastic: (young: …, poisson: …)` to the conducting materials")
            .at("law"));
        }
        Ok(Self { electrical, moduli: PairModuli::of(&elastic) })
    }

    fn of(&self, material: MaterialId) -> Option<&ElectricalMaterial> {
        self.electrical[material.index()].as_ref()
    }

    /// Whether a material conducts.
    pub(crate) fn conducts(&self, material: MaterialId) -> bool {
        self.of(material).is_some()
    }

    /// Whether a material conducts by a conductivity, as elements do.
    pub(crate) fn has_conductivity(&self, material: MaterialId) -> bool {
        self.of(material).is_some_and(|m| m.conductivity.is_some())
    }

    /// Whether some material is a metal: it conducts by a conductivity, worse the warmer it is.
    pub(crate) fn any_metal(&self) -> bool {
        let alpha = |m: &ElectricalMaterial| m.temperature_coefficient.map_or(0.0, |a| a.si());
        self.electrical.iter().flatten().any(|m| m.conductivity.is_some() && alpha(m) > 0.0)
    }

    /// Two metals, of which one conducts worse the warmer it is and none better.
    pub(crate) fn metals(&self, ids: [MaterialId; 2]) -> Option<[Metal; 2]> {
        let metal = |id: MaterialId| {
            let own = self.of(id)?;
            let alpha = own.temperature_coefficient.map_or(0.0, |a| a.si());
            let reference = own.reference_temperature.map_or(ROOM, |t| t.si());
            Some(Metal { at_reference: own.conductivity?.si(), reference, alpha })
        };
        let [Some(a), Some(b)] = ids.map(metal) else { return None };
        (a.alpha.min(b.alpha) >= 0.0 && a.alpha.max(b.alpha) > 0.0).then_some([a, b])
    }

    /// Whether it conducts by its temperature.
    pub(crate) fn varies(&self, material: MaterialId) -> bool {
        self.of(material).and_then(|m| m.temperature_coefficient).is_some_and(|a| a.si() != 0.0)
    }

    /// Whether it has a bulk resistance of lumps.
    pub(crate) fn has_bulk(&self, material: MaterialId) -> bool {
        self.of(material).is_some_and(|m| m.bulk.is_some())
    }

    /// Conductivity (S/m) of a material of a body at a temperature (K); 0 where it has none.
    pub(crate) fn conductivity(
        &self,
        setup: &Setup,
        (body, material): (BodyId, MaterialId),
        temperature: f64,
    ) -> Result<f64, ElectricalError> {
        let Some((own, at_reference)) = self.of(material).and_then(|m| Some((m, m.conductivity?.si()))) else { return Ok(0.0) };
        Ok(at_reference / ratio(own, setup, (body, material), temperature)?)
    }

    /// Properties of a contact between two bodies of these materials at their temperatures (K); `None` when one of them insulates.
    pub(crate) fn pair(
        &self,
        setup: &Setup,
        (bodies, ids): ([BodyId; 2], [MaterialId; 2]),
        temperatures: [f64; 2],
    ) -> Result<Option<Pair>, ElectricalError> {
        let [Some(a), Some(b)] = ids.map(|id| self.of(id)) else { return Ok(None) };
        let of = |k: usize, own: &ElectricalMaterial| ratio(own, setup, (bodies[k], ids[k]), temperatures[k]);
        let ratios = [of(0, a)?, of(1, b)?];
        let conductivity =
            a.conductivity.zip(b.conductivity).map(|(a, b)| pair_conductivity(a.si() / ratios[0], b.si() / ratios[1]));
        let bulk = |m: &ElectricalMaterial, ratio: f64| m.bulk.map_or(f64::INFINITY, |c| c.si() / ratio);
        Ok(Some(Pair {
            bulk: (bulk(a, ratios[0]), bulk(b, ratios[1])),
            conductivity,
            effective_modulus: self.moduli.of_pair(ids[0], ids[1]),
        }))
    }
}

/// σ₀ over σ of a material of a body at a temperature (K), above zero.
fn ratio(
    own: &ElectricalMaterial,
    setup: &Setup,
    (body, material): (BodyId, MaterialId),
    temperature: f64,
) -> Result<f64, ElectricalError> {
    let ratio = own.resistivity_ratio(temperature);
    if ratio > 0.0 {
        return Ok(ratio);
    }
    let (material, body) = (setup.materials[material.index()].name.clone(), setup.body_label(body));
    Err(ElectricalError::Conductivity { material, body, temperature, ratio })
}

/// What a law between two groups needs of the conductivities of their materials is there.
fn check_conductivities(
    electrical: &[Option<ElectricalMaterial>],
    setup: &Setup,
    laws: &PairLaws<dyn ConductanceLaw>,
) -> Result<(), InputError> {
    // one body of each group and material stands for all
    let mut kinds: Vec<(BodyId, MaterialId)> = Vec::new();
    let group = |b: BodyId| setup.bodies.group[b.index()];
    for body in (0..setup.bodies.len()).map(BodyId::from_index) {
        for material in setup.materials_of(body) {
            if !kinds.iter().any(|(b, m)| (group(*b), *m) == (group(body), material)) {
                kinds.push((body, material));
            }
        }
    }
    for ((a, kind), (b, beside)) in kinds.iter().flat_map(|a| kinds.iter().map(move |b| (*a, *b))) {
        let (mine, other) = (electrical[kind.index()], electrical[beside.index()]);
        let lacks = mine.is_some_and(|m| m.conductivity.is_none());
        if lacks && other.is_some() && laws.between(setup, a, b).needs().conductivity {
            let name = &setup.materials[kind.index()].name;
            return Err(InputError::new(format!("material \"{name}\" conducts but has no conductivity, which this law needs"))
                .help("write `electrical: (conductivity: …)`, or `insulating: true`")
                .at("law"));
        }
    }
    Ok(())
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
