//! Conductance laws: normal force → conductance of the contact spot C_m. Open: a user's law is one small type on
//! [`ConductanceLaw`] with its name ([`Named`]) and joins [`conductance_laws`] by one line. What is not here: where forces and
//! currents come from, and how rounds of them are ended.

mod bonded;
mod neck;
mod oxide;
mod spots;

use std::sync::Arc;

use mpcd_core::{InputError, NamedLaws, network::ContactGeometry};

pub use bonded::{Bonded, BondedParams};
pub use neck::{Neck, NeckParams};
pub use oxide::{Breakdown, Oxide, OxideParams};
pub use spots::{Constant, CubeRoot, Hertz, Holm, Insulating, Power};

/// The conductance laws of a program, by name.
pub type ConductanceLaws = NamedLaws<dyn ConductanceLaw>;

/// The laws that ship; [`NamedLaws::with`] adds one.
#[must_use]
pub fn conductance_laws() -> ConductanceLaws {
    NamedLaws::new("conductance law")
        .with::<Constant>()
        .with::<Hertz>()
        .with::<CubeRoot>()
        .with::<Holm>()
        .with::<Power>()
        .with::<Oxide>()
        .with::<Bonded>()
        .with::<Neck>()
        .with::<Insulating>()
}

/// What a law may know about a contact that pushes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spot {
    /// Shape of the touching surfaces.
    pub geometry: ContactGeometry,
    /// Normal force (N), above zero.
    pub force: f64,
    /// Effective modulus E* (Pa); `None` when neither material is elastic.
    pub effective_modulus: Option<f64>,
    /// Conductivity of the pair at the temperatures of its bodies (S/m), 2σ_iσ_j/(σ_i + σ_j); `None` when a material has none.
    pub conductivity: Option<f64>,
}

/// A conductance law.
pub trait ConductanceLaw: std::fmt::Debug + Send + Sync {
    /// Conductance of the spot (S), finite and 0 or above; `None` when the spot lacks what [`Self::needs`] says. Of a law that
    /// remembers, the conductance of a contact that has just begun to push.
    fn conductance(&self, spot: &Spot) -> Option<f64>;

    /// What the law reads of the materials.
    fn needs(&self) -> Needs {
        Needs::default()
    }

    /// What it remembers of a contact, if anything.
    fn memory(&self) -> Option<&dyn Remembers> {
        None
    }

    /// Whether the disc of a neck (the field `neck`) conducts where it does so better than the spot.
    fn follows_necks(&self) -> bool {
        false
    }

    /// Whether it lets nothing pass, whatever the contact.
    fn insulates(&self) -> bool {
        false
    }

    /// What bonds conduct over the area that they hold, whether the contact pushes or pulls, beside the spot (S/m²).
    fn conductance_of_bonds(&self) -> f64 {
        0.0
    }
}

/// What a law remembers of a contact: one number, kept as long as the contact pushes. All points of a face have it in common.
pub trait Remembers {
    /// Of a contact that has just begun to push.
    fn start(&self) -> f64;

    /// What a step leaves of it before its current flows.
    fn begin(&self, memory: f64, spot: &Spot, passed: &Passed) -> f64;

    /// Conductance of the spot (S), finite and above zero; `None` when the spot lacks something.
    fn conductance(&self, spot: &Spot, memory: f64) -> Option<f64>;

    /// The memory with which the contact carries the current that was found. The network is solved again until no memory changes
    /// the conductance of its contact.
    fn carry(&self, spot: &Spot, carried: &Carried) -> f64;

    /// Where the memory follows the current so that the drop stays at a limit: that limit. The conductance is then |I| over the limit, between that of what the
    /// step begins with and that of the memory [`Held::most`]; networks of many such contacts are solved by Newton's method. `None` where it does otherwise.
    fn held(&self) -> Option<Held> {
        None
    }
}

/// A contact whose drop is held at a limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Held {
    /// The limit (V), above zero.
    pub drop: f64,
    /// The memory with which the contact conducts most.
    pub most: f64,
}

/// What happened to a contact since the step before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Passed {
    /// Time (s).
    pub time: f64,
    /// Way that the surfaces slid over each other (m).
    pub slid: f64,
}

/// What the last solve of the network found at a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carried {
    /// What the step began with ([`Remembers::begin`]).
    pub begin: f64,
    /// What the solve was made with.
    pub memory: f64,
    /// Current through the contact, without its sign (A).
    pub current: f64,
    /// Power to which the change of the conductance may be raised, 1 or above: found by how the rounds before went.
    pub vigour: f64,
}

/// Material properties a law reads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Needs {
    /// `conductivity` of both materials.
    pub conductivity: bool,
    /// The `elastic` part of at least one of the two materials.
    pub elastic: bool,
}

impl Needs {
    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match (self.conductivity, self.elastic) {
            (true, true) => "`electrical: (conductivity: …)` of both and `elastic: (young: …, poisson: …)` of one of the two",
            (true, false) => "`electrical: (conductivity: …)` of both",
            (false, true) => "`elastic: (young: …, poisson: …)` of one of the two",
            (false, false) => "nothing of the materials",
        }
    }
}

/// Conductance of a contact: bodies i, j and spot in series, C_iC_j/(C_i + C_j + C_iC_j/C_m) (Dubois–Renouf (5)) (S).
/// A conductance may be infinite; any of 0 makes it 0.
#[must_use]
pub fn in_series(body_i: f64, body_j: f64, spot: f64) -> f64 {
    if body_i == f64::INFINITY && body_j == f64::INFINITY {
        return spot;
    }
    1.0 / (1.0 / body_i + 1.0 / body_j + 1.0 / spot)
}

/// A law without anything to check.
fn shared(law: impl ConductanceLaw + 'static) -> Result<Arc<dyn ConductanceLaw>, InputError> {
    Ok(Arc::new(law))
}
