//! The sections of a model file as they are written: one place for every key of the top level, its documentation, and its
//! default. Only shapes of data here; meaning and checks are in the rooms beside.

use std::collections::BTreeMap;

use mpcd_core::{
    TimeFunction,
    quantity::{
        Acceleration, Angle, Density, Duration, Length, Mass, MomentOfInertia, NonNegative, Number, Positive, Quantity, Rate,
        Speed, UpperHalf, Vector, Viscosity,
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    joints::JointSection,
    materials::MaterialsSchema,
    piece::{Open, Piece, Word},
};
use crate::probes::{DistributionSection, ProbeSection};

/// A model: everything one simulation needs.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename = "Model")]
pub struct ModelFile {
    /// Shown in reports and pictures; the name of the file where it is left out.
    #[schemars(with = "Option<String>")]
    pub(super) title: Option<Piece>,
    /// 2 (the xy plane) or 3.
    #[schemars(with = "u8")]
    pub(super) dimension: Option<Piece>,
    /// Gravity, the same everywhere; default none.
    #[schemars(with = "Option<Vector<Acceleration>>")]
    pub(super) gravity: Option<Piece>,
    /// Axes along which the model repeats, and what moves their lengths; default none.
    #[schemars(with = "Option<PeriodicSection>")]
    pub(super) periodic: Option<Piece>,
    /// Step, end, and what to do when a step fails.
    #[schemars(with = "TimeSection")]
    pub(super) time: Option<Piece>,
    /// Materials by name.
    #[schemars(with = "MaterialsSchema")]
    pub(super) materials: Option<Piece>,
    /// Single bodies and packings, each in a named group.
    #[schemars(with = "Vec<BodySection>")]
    pub(super) bodies: Option<Piece>,
    /// Which contact law acts between which groups: one for every pair that can meet (`NoContact` lets a pair pass through each other).
    #[schemars(with = "Vec<InteractionSection>")]
    pub(super) interactions: Option<Piece>,
    /// Forces and imposed motions on groups.
    #[schemars(with = "Vec<LoadSection>")]
    pub(super) loads: Option<Piece>,
    /// Joints between bodies, or of bodies and the ground.
    #[schemars(with = "Vec<JointSection>")]
    pub(super) joints: Option<Piece>,
    /// The physics modules, in the order they run in a step.
    #[schemars(with = "Vec<Open>")]
    pub(super) physics: Option<Piece>,
    /// Once through per step, or repeated until the exchanged fields agree. Default: repeated where a module asks for it.
    #[schemars(with = "Option<CouplingSection>")]
    pub(super) coupling: Option<Piece>,
    /// What is written, and how often.
    #[schemars(with = "OutputSection")]
    pub(super) output: Option<Piece>,
}

/// Lengths after which the model repeats: what leaves on one side meets the images of the others.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PeriodicSection {
    /// Period along x.
    pub x: Option<Quantity<Length, Positive>>,
    /// Period along y.
    pub y: Option<Quantity<Length, Positive>>,
    /// Period along z, in space.
    pub z: Option<Quantity<Length, Positive>>,
    /// Stresses that the lengths follow (Pa), compression positive; functions of time. All axes of the model must then be periodic.
    pub stress: Option<CellComponents>,
    /// Growth of lengths over the lengths [1/s], negative to compress; functions of time.
    pub rate: Option<CellComponents>,
    /// Inertia of each length that follows a stress; default the mass of all bodies.
    pub mass: Option<Quantity<Mass, Positive>>,
    /// Stress per rate of the length that resists its motion; a cell without contacts shrinks at the rate stress/viscosity in the end. Default 0.
    pub viscosity: Option<Quantity<Viscosity, NonNegative>>,
}

/// A function of time for each axis of the cell that is moved.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct CellComponents {
    /// Along x.
    pub x: Option<TimeFunction>,
    /// Along y.
    pub y: Option<TimeFunction>,
    /// Along z, in space.
    pub z: Option<TimeFunction>,
}

/// Time stepping.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TimeSection {
    /// Length of a step.
    pub step: Quantity<Duration, Positive>,
    /// Time at which the run ends; the last step is shortened where it does not fit.
    pub end: Quantity<Duration, Positive>,
    /// Weight of the end of the step in the θ-scheme.
    #[serde(default = "half")]
    pub theta: Quantity<Number, UpperHalf>,
    /// What a step does that misses a tolerance.
    #[serde(default)]
    pub on_failure: OnFailure,
    /// Shorter steps while fields change fast, or a module asks for them; `step` is then the longest.
    #[serde(default)]
    pub adapt: Option<AdaptSection>,
}

/// Steps of unequal length: `step` in 2, 4, 8 … equal parts.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdaptSection {
    /// How often a step may be halved (1 to 20). A step that would have to be shorter ends the run.
    pub halvings: u8,
    /// How much fields that modules write may change in a step.
    #[serde(default)]
    pub change: Vec<ChangeSection>,
}

/// The largest change of a field in one step that is accepted.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeSection {
    /// A field that a module writes.
    pub field: Word,
    /// Largest change of any of its rows (of the length of a vector), in the unit of the field.
    pub by: Quantity<Number, Positive>,
}

fn half() -> Quantity<Number, UpperHalf> {
    // ½ is in the range of its own type.
    Quantity::new(0.5).unwrap_or_else(|| unreachable!())
}

/// What a step does that misses a tolerance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum OnFailure {
    /// The run stops with a message that says what to try; everything up to the step before is written.
    Stop,
    /// The step is accepted as it is, counted and reported.
    Continue,
    /// The step is done again with half its length, up to this many times (1 to 20), then the run stops. Default: 4 times.
    Halve(u8),
}

impl Default for OnFailure {
    fn default() -> Self {
        Self::Halve(4)
    }
}

/// One body, or a packing of many.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodySection {
    /// Name of the group; the first use makes it.
    pub(super) group: Word,
    /// Name of the material.
    pub(super) material: Word,
    /// Other materials for groups of elements of a mesh, such as `{"core": "steel"}`: groups of the file of the mesh, or `regions` of its shape.
    /// `material` fills the elements that none of them has.
    #[schemars(with = "Option<BTreeMap<String, Word>>", extend("x-noun" = "{\"group of elements\": \"material\", …}"))]
    pub(super) materials: Option<Piece>,
    /// Shape of a single body, such as `Disc(radius: "1 mm")`.
    #[schemars(with = "Option<Open>")]
    pub(super) shape: Option<Piece>,
    /// Position of a single body; default the origin.
    #[schemars(with = "Option<Vector<Length>>")]
    pub(super) at: Option<Piece>,
    /// How a single body is turned: an angle about z, or `((x, y, z), angle)`; default not at all.
    #[schemars(with = "Option<Quantity<Angle>>")]
    pub(super) rotation: Option<Piece>,
    /// Mass of a single body instead of density times volume; its moments of inertia scale with it. A plane that is pushed
    /// by a load needs one.
    #[schemars(with = "Option<Quantity<Mass, Positive>>")]
    pub(super) mass: Option<Piece>,
    /// Moments of inertia of a single body about its centre of mass instead of those of its shape [kg m²]: one number about z in a planar
    /// model, in space `(x, y, z)` about the principal axes of its shape.
    #[schemars(with = "Option<Vector<MomentOfInertia>>")]
    pub(super) inertia: Option<Piece>,
    /// Velocity at the start; default at rest.
    #[schemars(with = "Option<Vector<Speed>>")]
    pub(super) velocity: Option<Piece>,
    /// Angular velocity at the start: a number about z, or a vector; default none.
    #[schemars(with = "Option<Vector<Rate>>")]
    pub(super) spin: Option<Piece>,
    /// Many bodies at once: `Lattice(…)`, `Deposit(…)`, `Wall(…)`, …, or `Csv(file: "…")` with the columns x, y, z, r in metres.
    #[schemars(with = "Option<Open>")]
    pub(super) packing: Option<Piece>,
    /// What stands in the places of a packing: `Sphere`; in a planar model `Disc(thickness: …)`; `Grain(corners: …, thickness: …,
    /// seed: …)`, convex with random corners on the rim of its place; or any shape that fits into every place, turned at random.
    /// Default spheres in space, discs of thickness 1 m in the plane.
    #[serde(rename = "as")]
    #[schemars(with = "Option<Open>")]
    pub(super) kind: Option<Piece>,
}

/// The law between two groups.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InteractionSection {
    /// The two groups, in any order; the same twice for contacts within a group.
    pub(super) between: (Word, Word),
    /// The contact law, such as `Coulomb(friction: 0.3)`.
    #[schemars(with = "Open")]
    pub(super) law: Piece,
}

/// A load on a group.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoadSection {
    /// The group.
    pub(super) on: Word,
    /// The load, such as `Force(y: -500)`, `Velocity(y: 0.1)`, `Fixed`.
    #[schemars(with = "Open")]
    pub(super) load: Piece,
}

/// How the modules of a step are coupled.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub enum CouplingSection {
    /// Each module once per step, in the order of `physics`.
    Staggered(StaggeredSection),
    /// The named modules are repeated within the step until the fields they exchange agree.
    Iterated(IteratedSection),
    /// Each module once per step, and nothing flows back: what a module reads of a later one stays as at the start.
    Serial(SerialSection),
    /// Every cycle to 1e-10 by `QuasiNewton`: the solution of all equations of the step together, and an error where a module does not solve its own as finely.
    Monolithic(MonolithicSection),
}

impl CouplingSection {
    /// The edges that carry nothing.
    pub(crate) fn off(&self) -> &[EdgeSection] {
        match self {
            Self::Staggered(section) => &section.off,
            Self::Iterated(section) => &section.off,
            Self::Serial(_) => &[],
            Self::Monolithic(section) => &section.off,
        }
    }

    /// Most repetitions of a step, where it is repeated.
    pub(crate) const fn repetitions(&self) -> Option<u32> {
        match self {
            Self::Staggered(_) | Self::Serial(_) => None,
            Self::Iterated(section) => Some(section.max_iterations),
            Self::Monolithic(section) => Some(section.max_iterations),
        }
    }

    /// The paces of single modules.
    pub(crate) fn pace(&self) -> &[PaceSection] {
        match self {
            Self::Staggered(section) => &section.pace,
            Self::Iterated(section) => &section.pace,
            Self::Serial(section) => &section.pace,
            Self::Monolithic(section) => &section.pace,
        }
    }
}

/// Once through the modules.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct StaggeredSection {
    /// Coupling edges that carry nothing.
    pub off: Vec<EdgeSection>,
    /// Modules that take several steps in one of the loop, or one in several.
    pub pace: Vec<PaceSection>,
}

/// Once through the modules, without what flows back.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SerialSection {
    /// Modules that take several steps in one of the loop, or one in several.
    pub pace: Vec<PaceSection>,
}

/// All equations of a step together.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct MonolithicSection {
    /// Coupling edges that carry nothing.
    pub off: Vec<EdgeSection>,
    /// Modules that take several steps in one of the loop, or one in several.
    pub pace: Vec<PaceSection>,
    /// Largest change of an exchanged field from one repetition to the next, relative to the field, and largest tolerance of a repeated module.
    pub tolerance: Quantity<Number, Positive>,
    /// Most repetitions in one step.
    pub max_iterations: u32,
}

fn monolithic_tolerance() -> Quantity<Number, Positive> {
    Quantity::new(1e-10).unwrap_or_else(|| unreachable!())
}

impl Default for MonolithicSection {
    fn default() -> Self {
        Self { off: Vec::new(), pace: Vec::new(), tolerance: monolithic_tolerance(), max_iterations: 100 }
    }
}

impl MonolithicSection {
    /// The repetition that it is.
    pub(crate) fn repetition(&self) -> IteratedSection {
        IteratedSection {
            tolerance: Some(self.tolerance),
            max_iterations: self.max_iterations,
            relaxation: Relaxation::QuasiNewton,
            ..IteratedSection::default()
        }
    }
}

/// A coupling edge that is switched off: the reader sees the field as it was at the start of the run.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EdgeSection {
    /// The field.
    pub field: Word,
    /// The module that shall not see it change.
    pub to: Word,
}

/// The pace of a module that does not move the bodies: `substeps` or `every`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PaceSection {
    /// The module.
    pub module: Word,
    /// Equal parts in which it takes each step of the loop.
    pub substeps: Option<u32>,
    /// Steps of the loop to one of its own, which covers the time of all of them.
    pub every: Option<u32>,
}

/// Repetition within the step.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IteratedSection {
    /// Coupling edges that carry nothing.
    #[serde(default)]
    pub off: Vec<EdgeSection>,
    /// Modules that take several steps in one of the loop, or one in several.
    #[serde(default)]
    pub pace: Vec<PaceSection>,
    /// The modules that are repeated; default the smallest cycles around the modules that ask for it.
    #[serde(default)]
    pub modules: Vec<Word>,
    /// Largest change of an exchanged field from one repetition to the next, relative to the field. Default: 1e-6, or 100 times
    /// the loosest tolerance of a repeated module if that is more: forces known to 1e-5 cannot agree to 1e-6.
    #[serde(default)]
    pub tolerance: Option<Quantity<Number, Positive>>,
    /// Most repetitions in one step.
    #[serde(default = "coupling_maximum")]
    pub max_iterations: u32,
    /// How the exchanged fields are mixed from one repetition to the next.
    #[serde(default)]
    pub relaxation: Relaxation,
}

impl Default for IteratedSection {
    fn default() -> Self {
        Self {
            off: Vec::new(),
            pace: Vec::new(),
            modules: Vec::new(),
            tolerance: None,
            max_iterations: coupling_maximum(),
            relaxation: Relaxation::default(),
        }
    }
}

const fn coupling_maximum() -> u32 {
    50
}

/// How exchanged fields are mixed from one repetition to the next.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub enum Relaxation {
    /// `Aitken`, and `QuasiNewton` from what the repetitions so far have shown where a dozen of them do not agree.
    #[default]
    Auto,
    /// Aitken's Δ²: the factor follows from the last two repetitions.
    Aitken,
    /// Always this factor; 1 takes the new values as they are.
    Fixed(Quantity<Number, Positive>),
    /// Newton's method on all exchanged fields at once, with an inverse Jacobian from the repetitions of the step (interface quasi-Newton
    /// by least squares).
    QuasiNewton,
}

/// What is written.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OutputSection {
    /// Steps between frames for ParaView; default a hundredth of the run.
    pub every: Option<u32>,
    /// Time between frames instead of steps.
    pub interval: Option<Quantity<Duration, Positive>>,
    /// Names of the fields in the frames, `coordination` and `contact_pressure` of bodies among them; default all.
    pub fields: Option<Vec<Word>>,
    /// Steps between rows of `history.csv`; default 1.
    pub history_every: Option<u32>,
    /// Steps between checkpoints; default one with a frame, unless checkpoints then took more than a twentieth of the time. The end of a
    /// run always has one.
    pub checkpoint_every: Option<u32>,
    /// At the end of the run, solve one more step from so many different starting impulses (2 to 10,000), and say how far all numbers differ: what of them
    /// depends on forces that rigid contacts leave open. The run itself stays as it is.
    pub spread: Option<u16>,
    /// Further columns of `history.csv`.
    #[serde(default)]
    pub probes: Vec<ProbeSection>,
    /// How often forces or speeds occur, each in a file of its own with a row for every frame.
    #[serde(default)]
    pub distributions: Vec<DistributionSection>,
}

/// Density of a material and what belongs to modules.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub(super) struct MaterialSection {
    /// Density.
    #[allow(dead_code, reason = "documents the key; it is read beside the open parts")]
    pub(super) density: Quantity<Density, Positive>,
}
