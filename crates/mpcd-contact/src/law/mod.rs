//! Contact laws: the trait, the laws that ship, the table of laws between groups, and the registry by which a user adds one.

mod abilities;
mod capillary;
mod cohesive;
mod convex;
mod coulomb;
mod elastic;
mod friction;
mod impact;
pub mod local;
mod lubrication;
mod memory;
mod mohr_coulomb;
mod registry;
mod solvable;
pub mod spread;
mod table;
mod wear;
mod whole;

use std::sync::Arc;

use mpcd_core::{ContactGeometry, Vec3};
use mpcd_friction::{Cone, LocalLaw};

pub(crate) use abilities::SLACK;
pub use abilities::{Begin, Reaches, Remembers, Restitutes, Restitution, StagePoint, Stages, Tally, Wears};
pub use capillary::Capillary;
pub use cohesive::{Bilinear, Cohesive, Exponential, Extrinsic, MonerieAcary, RaousCangemiCocouMonerie, Trapezoidal};
pub use convex::Convex;
pub use coulomb::{Coulomb, CoulombParams, Unilateral};
pub use elastic::Elastic;
pub use friction::{Regularised, SlipWeakening, StaticDynamic, VelocityWeakening};
pub(crate) use impact::SecondPhase;
pub use impact::{Impact, Poisson, Stronge};
pub use lubrication::Lubrication;
pub(crate) use memory::{Cursor, heirs, place_of};
pub use memory::{Memory, Remembered};
pub use mohr_coulomb::MohrCoulomb;
pub(crate) use registry::Entry;
pub use registry::{LawKind, LawRegistry, Laws};
pub use table::LawTable;
pub(crate) use table::{Method, NON_SMOOTH, SMOOTH};
pub use wear::Wear;

/// Part of a patch that is none: far below that of the smallest cell of a mesh.
const NO_PART: f64 = 1e-10;

/// What a law may look at when a step is prepared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LawInput {
    /// Gap (m) in the contact configuration. If `ahead`, the part of the gap at the end of the step that does not depend on the motion.
    pub gap: f64,
    /// Gap (m) that loads alone close in a small part of the step: laws on velocities take such a contact for closed ([`LawInput::is_closed`]). 0 where the
    /// gap is not open.
    pub closes: f64,
    /// Whether gap + h·u is the gap at the end of the step itself (scheme `Explicit`), and not a foreseen one.
    pub ahead: bool,
    /// Relative velocity (n, t, s) of the two surfaces at the start of the step [m/s]: that of the bodies less their growth in the step before.
    pub u_before: Vec3,
    /// Speed at which the two surfaces grow towards each other [m/s] (dilatation).
    pub growth: f64,
    /// Length of the step (s).
    pub h: f64,
    /// Part of the step that is between the contact configuration and its end: θ; 1 where gap + h·u is the gap at the end.
    pub theta: f64,
    /// Shape of the touching surfaces.
    pub geometry: ContactGeometry,
    /// The smaller radius of two curved surfaces (m); infinite where it is not known, which is taken as equal radii.
    pub least_radius: f64,
    /// Whether this is the first step of the run: what is bonded at the start is bonded now.
    pub start: bool,
    /// Gap at the start of the step (m), where the contact configuration is another one: [`LawInput::gap_before`].
    pub before: Option<f64>,
    /// The point's part of its patch, 0 to 1: what a law says of a contact as a whole (a stiffness, a pull) it says of this part of it.
    pub share: f64,
    /// Thickness of the two bodies across a planar model (m); `None` in space.
    pub thickness: Option<f64>,
    /// Whether bonds hold the two bodies as one, here or elsewhere: what leads both along arcs is none of the gap.
    pub as_one: bool,
    /// Whether one of the two bodies is a mesh: its contact points stay where they are on it, so that gaps change as the other body slides past them.
    pub on_mesh: bool,
    /// Whether what is one contact of the two bodies lies elsewhere, and nearer: the raised corners of a box that leans. Told to laws that reach through a gap ([`Reaches`]).
    pub beside: bool,
    /// The gap (m) where two convex bodies are nearest, of laws that reach; `None` of other pairs.
    pub nearest: Option<f64>,
    /// What the law remembers of this contact, in the present frame; [`Remembers::initial`] for a new contact.
    pub memory: Memory,
    /// Where a bond is kept by material points of the two surfaces: how far they are apart along the surface, local (0, t, s) (m).
    pub slip: Option<Vec3>,
    /// How far what turns has led the material points of what is held together apart on the way to the contact configuration, local (n, t, s) (m): `gap` and `slip` are without it.
    pub led: Vec3,
    /// Time (s) from the contact configuration on in which bonds close what is open of them: `h`, and more for a while after longer steps.
    pub closing: f64,
    /// Speed at which the two material points closed when the step began, (n, t, s), positive where the gap falls [m/s]; where `closing` is more than `h`.
    pub closed: Vec3,
    /// What is held in this stage of the solve ([`Stages`]); `None` where the law finds its own.
    pub held: Option<f64>,
    /// What [`Stages::holds`] said of the point after the last stage.
    pub holds: Option<bool>,
    /// What [`Stages::raise`] said of the patch after the last stage; 0 where it said nothing.
    pub note: f64,
}

impl LawInput {
    /// An input with nothing before it: gap 0, at rest, a step of `h` (s), the whole of a contact of this shape.
    #[must_use]
    pub fn new(geometry: ContactGeometry, h: f64) -> Self {
        Self {
            gap: 0.0,
            closes: 0.0,
            ahead: false,
            u_before: Vec3::zeros(),
            growth: 0.0,
            h,
            theta: 1.0,
            geometry,
            least_radius: f64::INFINITY,
            start: false,
            before: None,
            share: 1.0,
            on_mesh: false,
            thickness: None,
            as_one: false,
            beside: false,
            nearest: None,
            memory: Memory::default(),
            slip: None,
            led: Vec3::zeros(),
            closing: h,
            closed: Vec3::zeros(),
            held: None,
            holds: None,
            note: 0.0,
        }
    }

    /// The gap at the start of the step (m): what decides whether bodies are in touch, wet or bonded when a run begins, however fast they part.
    #[must_use]
    pub fn gap_before(&self) -> f64 {
        self.before.unwrap_or(self.gap)
    }

    /// Speed (n, t, s) at which a bond asks to close what is `open` of it (m) [m/s]: at once, but for what longer steps left open, which it goes on closing in their time.
    #[must_use]
    pub fn asks(&self, open: &Vec3) -> Vec3 {
        if self.closing <= self.h {
            return open / self.h;
        }
        self.closed + (open / self.closing - self.closed) * (self.h / self.closing)
    }

    /// Whether the point has no part of what its patch carries: beside what is deepest of something round, or a corner of a face that an even pressure leaves free.
    #[must_use]
    pub fn is_no_part(&self) -> bool {
        self.share <= NO_PART
    }

    /// Time from the contact configuration to the end of the step (s).
    #[must_use]
    pub fn to_end(&self) -> f64 {
        self.theta * self.h
    }

    /// Whether a condition on velocities holds in this step: the contact is closed, or so nearly that loads close it at once. Else what a solve leaves
    /// of the motion would open a contact at rest, and let its bodies fall freely through the next step.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.gap <= self.closes
    }

    /// Reduced radius of curved surfaces, or the edge of a square as large as a flat patch (m).
    #[must_use]
    pub fn length(&self) -> f64 {
        match self.geometry {
            ContactGeometry::Point { reduced_radius, .. } | ContactGeometry::Line { reduced_radius, .. } => reduced_radius,
            ContactGeometry::Flat { area } if self.share > 0.0 => (area / self.share).sqrt(),
            ContactGeometry::Flat { .. } => 0.0,
        }
    }

    /// How far the gap is open beyond `reference` (m); a gap below it counts as open by nothing, except where the end of the step is the
    /// contact configuration: there the condition is met whatever the gap was.
    #[must_use]
    pub fn opening_from(&self, reference: f64) -> f64 {
        let opening = self.gap - reference;
        if self.ahead { opening } else { opening.max(0.0) }
    }

    /// The speed at which the gap may close within the step [m/s]: max(g, 0)/h, the contact foreseen at the end of the step; g/h where
    /// that end is the contact configuration.
    #[must_use]
    pub fn gap_speed(&self) -> f64 {
        self.opening_from(0.0) / self.h
    }

    /// Area by which tractions act (m²): this point's part of a flat patch; of curved surfaces the cross-section of the smaller body, πr² or 2r times
    /// the length of the line, with r the smaller radius, 2R* where only the reduced radius is known.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.geometry.section(self.least_radius)
    }
}

/// What relates ũ and r̃ in one contact.
#[derive(Debug, Clone)]
pub enum LawResponse {
    /// A cone, which every solver takes.
    Cone(Cone),
    /// A law that solves its own local problem; solvers that visit contact by contact take it (`nlgs`, `nlgs-accelerated`).
    Local(Arc<dyn LocalLaw>),
}

/// One contact of the discrete problem: the law holds between ũ = u + shift + compliance ∘ r̃ and r̃ = r + impulse shift
/// (PHYSICS §4). Thermal growth is subtracted from ũ_n by the assembly, for every law alike.
#[derive(Debug, Clone)]
pub struct LawData {
    /// Relation between ũ and r̃.
    pub response: LawResponse,
    /// Added to the relative velocity, (n, t, s) [m/s].
    pub velocity_shift: Vec3,
    /// Diagonal compliance [m/s per N s].
    pub compliance: Vec3,
    /// Added to the impulse [N s].
    pub impulse_shift: Vec3,
    /// Coefficients of rolling and spinning resistance (m); the moments are bound by them times r̃_n.
    pub rolling: Option<[f64; 2]>,
}

impl LawData {
    fn of(response: LawResponse) -> Self {
        let zero = Vec3::zeros();
        Self { response, velocity_shift: zero, compliance: zero, impulse_shift: zero, rolling: None }
    }

    /// The law of `cone` without shifts.
    #[must_use]
    pub fn of_cone(cone: Cone) -> Self {
        Self::of(LawResponse::Cone(cone))
    }

    /// A law that solves its own local problem.
    #[must_use]
    pub fn of_local(law: impl LocalLaw + 'static) -> Self {
        Self::of(LawResponse::Local(Arc::new(law)))
    }

    /// The same with `shift` (m/s) added to the normal velocity.
    #[must_use]
    pub fn with_normal_shift(mut self, shift: f64) -> Self {
        self.velocity_shift.x += shift;
        self
    }
}

/// Shares of the impulse that are not friction and impact, for the books, and what the law stores.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Shares {
    /// Part of r (n, t, s) that comes from bonds and springs [N s].
    pub bond: Vec3,
    /// Part of r (n, t, s) that comes from viscous forces [N s].
    pub viscous: Vec3,
    /// Energy the law stores at the end of the step (J).
    pub stored: f64,
    /// Energy that what was stored before became more by because its springs are another part of the patch now (J): no motion gave it.
    pub restrung: f64,
    /// Where a spring takes part of the tangential motion: how the rest is shared. `None`: what is neither bond nor viscous rubs over the whole motion.
    pub slid: Option<Slid>,
}

/// The tangential motion of a contact whose spring carries what friction bounds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Slid {
    /// Relative velocity of the two surfaces, the one that [`Remembers::accept`] is given, (0, t, s) [m/s].
    pub motion: Vec3,
    /// The part of it that slides; the spring takes the rest.
    pub sliding: Vec3,
}

impl Slid {
    /// What slides of the mean velocity of the step (n, t, s) [m/s], over which impulses work: `sliding`, and of what the mean differs from the velocity at the end its own
    /// part. All of it where the spring stays as it is, none where the contact sticks.
    #[must_use]
    pub fn of_mean(&self, mean: &Vec3) -> Vec3 {
        let (sliding, sprung) = (self.sliding.norm(), (self.motion - self.sliding).norm());
        if sliding == 0.0 {
            return Vec3::zeros();
        }
        self.sliding + (Vec3::new(0.0, mean.y, mean.z) - self.motion) * (sliding / (sliding + sprung))
    }
}

/// A contact law between two groups: its local problem, and by the types it hands out what else it can do.
pub trait Law: std::fmt::Debug + Send + Sync {
    /// The discrete law of this step, or `None` when the contact can exert no impulse in it.
    fn prepare(&self, input: &LawInput) -> Option<LawData>;

    /// Whether the law keeps its meaning where its condition is put on the displacement of the step, in the configuration at its end (scheme
    /// `Explicit`): its shift is [`LawInput::gap_speed`], and it has no restitution.
    ///
    /// # Errors
    /// Why not, as the end of the sentence "the law …".
    fn on_displacements(&self) -> Result<(), &'static str> {
        Err("does not say that it can be put on displacements (`Law::on_displacements`)")
    }

    /// Whether it asks [`LawInput::is_closed`]; the answer costs a look at what loads do to all that hangs together.
    fn asks_whether_closed(&self) -> bool {
        true
    }

    /// Whether bodies overlap by what the law states (a compliance), so that an overlap is no fault.
    fn yields(&self) -> bool {
        false
    }

    /// Whether it parts what overlaps within the step, at a velocity that grows as steps get shorter.
    fn parts_overlaps(&self) -> bool {
        false
    }

    /// Whether it bonds without giving way, so that a load has its way through several points by statics alone.
    fn is_rigid_bond(&self) -> bool {
        false
    }

    /// Friction coefficient, for reports.
    fn friction(&self) -> f64 {
        0.0
    }

    /// Whether [`Law::prepare`] may answer with [`LawResponse::Local`]. Solvers that cannot take it are refused when the model is read.
    fn is_local(&self) -> bool {
        false
    }

    /// Whether it bounds a moment between the bodies by the normal impulse.
    fn resists_rolling(&self) -> bool {
        false
    }

    /// What it remembers of a contact. Laws without memory cost nothing for it.
    fn memory(&self) -> Option<&dyn Remembers> {
        None
    }

    /// Whether a step may have to be solved in stages.
    fn stages(&self) -> Option<&dyn Stages> {
        None
    }

    /// Whether it holds contacts beyond the alert distance.
    fn reach(&self) -> Option<&dyn Reaches> {
        None
    }

    /// What it gives back of an impact.
    fn restitution(&self) -> Restitution<'_> {
        Restitution::None
    }

    /// Whether it wears surfaces off.
    fn wear(&self) -> Option<&dyn Wears> {
        None
    }

    /// Whether a film lies between what does not touch, so stiff that it bears what a solve leaves open.
    fn is_film(&self) -> bool {
        false
    }
}
