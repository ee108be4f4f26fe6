//! Parameters of `Electrical(…)` in a model file. Reading only; what they mean is in the other rooms.

use mpcd_core::{
    Between, Quantity, Slot, TimeFunction,
    quantity::{Number, Positive, Temperature},
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{force::ForceChoice, network::OpenCircuit};

/// Currents through the contacts: Kirchhoff's laws on the network of bodies, pushing contacts and the elements of meshes that conduct.
///
/// A contact conducts when it pushes and both materials have an `electrical` part. Its conductance is that of the contact
/// spot (`law`) in series with the bulk of both bodies. A mesh whose material has a `conductivity` conducts through its elements, which are its
/// bulk; another mesh is one lump of one potential.
///
/// Signs: a current fed into a group is positive, one drawn from it negative; the current of a contact is positive from its
/// candidate to its antagonist; power that electrodes give is positive.
///
/// Numbers: `resistance` between the two electrodes (Ω) (infinite without a path; no number when there are not exactly two),
/// `electrode_current` fed in (A), `joule_total` (W), `floating_islands` (joined bodies that touch no electrode),
/// `floating_bodies` (all conducting bodies whose potential nothing defines; it is written as 0 V), `electrode_power` given by the
/// electrodes (W). Of the contacts that conduct, all points of a face as one: `strong_contacts`, the part of them that carries more
/// than their mean current; `strong_joule`, the part of the Joule power made in those; `current_top_tenth`, the part of the sum of
/// all currents that the strongest tenth carries. `film_broken`: mean of what the laws remember (empty without such a law).
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Params {
    /// Conductance of a contact spot between all groups that `laws` does not name: Constant(conductance), Hertz, CubeRoot(scale),
    /// Holm(hardness), Power(scale, exponent), Oxide(bare, film, …), Bonded(conductance, bare), Neck(bare), Insulating, or a law of your own.
    pub law: Slot,
    /// Other laws between pairs of groups: (between: (group, group), law).
    #[serde(default)]
    pub laws: Vec<Between>,
    /// Temperature of the bodies where no module computes it. Default: 293.15 K.
    #[serde(default)]
    pub temperature: Option<Quantity<Temperature, Positive>>,
    /// Whether the spot between two metals conducts by the temperatures that its own current makes in it (laws without memory that read the `conductivity`, a
    /// `temperature_coefficient` above 0, no meshes). Default: true; false takes the temperatures of the bodies.
    #[serde(default = "yes")]
    pub self_heating: bool,
    /// Which force the law sees: Instant (that of the step) or Averaged(time: …). Default: Instant.
    #[serde(default)]
    pub force: ForceChoice,
    /// Groups held at a potential.
    #[serde(default)]
    pub potential: Vec<PotentialElectrode>,
    /// Groups fed with a current; where no group is held, the currents must add up to zero and the potential of the strongest sink is 0 V.
    #[serde(default)]
    pub current: Vec<CurrentElectrode>,
    /// "cholesky", "gauss-seidel", "cg" or "auto". Default: "auto" (Cholesky or "cg", which of the two counts fewer operations).
    #[serde(default = "auto")]
    pub solver: String,
    /// Bound on Σ_bodies |current in − out| / Σ_electrodes |I|. Default: 1e-11.
    #[serde(default)]
    pub tolerance: Option<Quantity<Number, Positive>>,
    /// Most sweeps of Gauss–Seidel, or iterations of "cg". Default: 1000000.
    #[serde(default)]
    pub max_iterations: Option<u64>,
    /// A current without return: Stop (an error that names the bodies) or SwitchOff (no current until there is a path). Default: Stop.
    #[serde(default)]
    pub on_open_circuit: OpenCircuit,
}

/// A group, or a side of meshes, held at a potential.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PotentialElectrode {
    /// The group, or a part of its meshes that conduct: `"block.top"`.
    pub group: String,
    /// Potential of all its bodies in time (V).
    pub value: TimeFunction,
}

/// A group, or a side of meshes, fed with a current.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CurrentElectrode {
    /// The group, or a part of its meshes that conduct: `"block.top"`.
    pub group: String,
    /// Total current fed into the group in time (A), negative when drawn.
    pub value: TimeFunction,
    /// How a group of several bodies, or a side, takes the current: Equipotential or Evenly. Default: Equipotential.
    #[serde(default)]
    pub spread: Spread,
}

/// How a group of several bodies, or a side, takes a current.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum Spread {
    /// The group is one electrode: its bodies share one potential, and each takes what its contacts draw.
    #[default]
    Equipotential,
    /// Each body takes the same part of the current, over its side or all its surface the same per area where it is a mesh that conducts.
    Evenly,
}

fn yes() -> bool {
    true
}

fn auto() -> String {
    "auto".to_owned()
}
