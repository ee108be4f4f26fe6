//! What can stop the contact module during a step. Faults of the model file are `InputError`s, raised when it is built.

use mpcd_core::{PortMisuse, SolveError};
use mpcd_friction::problem::ProblemError;
use mpcd_geometry::GeometryError;

/// A step of the contact module that cannot be computed.
#[derive(Debug, thiserror::Error)]
pub enum ContactError {
    /// Detection failed.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// A field that was not declared.
    #[error(transparent)]
    Port(#[from] PortMisuse),
    /// The discrete problem is malformed.
    #[error("the contact problem cannot be posed: {0}")]
    Problem(#[from] ProblemError),
    /// A deformable body cannot be stepped.
    #[error("{body}: {source}")]
    Deformable {
        /// Which body.
        body: String,
        /// What finite elements say.
        source: Box<mpcd_fem::FemError>,
    },
    /// No motion meets the conditions of all contacts.
    #[error("{words}")]
    NoMotion {
        /// Who is pinched between whom, why, and what helps.
        words: String,
    },
    /// A load is not a finite number.
    #[error("the load on {body} is not a finite number at t = {time} s; check its function of time")]
    Load {
        /// Which body.
        body: String,
        /// When (s).
        time: f64,
    },
    /// A prescribed velocity is not a finite number.
    #[error("the velocity prescribed to {body} is not a finite number at t = {time} s; check its function of time")]
    Imposed {
        /// Which body.
        body: String,
        /// When (s).
        time: f64,
    },
    /// What drives a joint is not a finite number.
    #[error("the motion that drives the joint of {bodies} is not a finite number at t = {time} s; check its function of time")]
    Drive {
        /// Which bodies.
        bodies: String,
        /// When (s).
        time: f64,
    },
    /// A joint whose bodies are prescribed along what it holds.
    #[error(
        "the joint of {bodies} holds a direction in which no impulse moves either of them, and what is prescribed of them misses its condition there by {missed:.2e} m (what turns, at its lever) at t = {time:.6e} s: its force cannot be computed; free one of them along that direction, prescribe a motion that the joint allows, or write what gives way in its place (a `Spring`, a `motor` with a `force` or `torque`)"
    )]
    Unmoved {
        /// Which bodies.
        bodies: String,
        /// By how much (m).
        missed: f64,
        /// When (s).
        time: f64,
    },
    /// θ with a scheme that has none.
    #[error(
        "`theta` of `time` is {theta}, but `scheme: Explicit` of Contact has no θ; remove `theta`, or write Contact(scheme: MoreauJean)"
    )]
    Theta {
        /// What is asked for.
        theta: f64,
    },
    /// θ with explicit deformable bodies.
    #[error(
        "`theta` of `time` is {theta}, but deformable bodies move by `deformable: (scheme: {scheme})`, which has {wanted}; set `theta: {wanted}`, or remove `scheme`"
    )]
    ThetaOfMeshes {
        /// The scheme, and the one θ that it bears.
        scheme: &'static str,
        /// That θ.
        wanted: f64,
        /// What is asked for.
        theta: f64,
    },
    /// Deformable bodies cannot grow.
    #[error(
        "another module changes the size of {body} to {size} of what it was at t = {time} s, but a deformable body grows by its elements alone; let the module write `free_strain` of its nodes and leave 1 in `size_factor`"
    )]
    Growth {
        /// Which body.
        body: String,
        /// Size factor.
        size: f64,
        /// When (s).
        time: f64,
    },
    /// A velocity is not a finite number.
    #[error(
        "the velocity of {body} is not a finite number after the step at t = {time} s; reduce the time step or look for a fault in its loads or size"
    )]
    NotFinite {
        /// Which body.
        body: String,
        /// When (s).
        time: f64,
    },
    /// The motion of the cell is not a finite number.
    #[error(
        "the motion of the periodic cell is not a finite number at t = {time} s; check its `stress` and `rate`, functions of time"
    )]
    Cell {
        /// When (s).
        time: f64,
    },
    /// A body shrank to nothing.
    #[error("the size factor of {body} is {size} at t = {time} s, expected above zero; check expansion and temperature")]
    Size {
        /// Which body.
        body: String,
        /// Its size factor.
        size: f64,
        /// When (s).
        time: f64,
    },
    /// A watchdog saw that the result would be wrong.
    #[error("{words}. To go on all the same, write `watch: ({what}: Warn)` in Contact")]
    Watched {
        /// Which watchdog.
        what: &'static str,
        /// What it saw.
        words: String,
    },
    /// A sub-step longer than the stable one.
    #[error(
        "a sub-step of {substep:.3e} s is longer than the largest stable one of {integrator}, {stable:.3e} s: the contact of {candidate} and {antagonist} has the stiffness {stiffness:.3e} N/m; set `substeps` of SmoothContact to at least {needed} for this time step, or leave it out to have the sub-steps chosen"
    )]
    UnstableStep {
        /// Length of the sub-step (s).
        substep: f64,
        /// Integrator.
        integrator: &'static str,
        /// Largest stable sub-step (s).
        stable: f64,
        /// One body of the contact that limits it.
        candidate: String,
        /// The other.
        antagonist: String,
        /// Its stiffness [N/m].
        stiffness: f64,
        /// Sub-steps that would do.
        needed: u64,
    },
    /// Far too many sub-steps.
    #[error(
        "the contacts ask for {needed:.1e} sub-steps in a step of {h:.3e} s, expected at most {most}; use a softer law, a shorter time step, fewer `steps_per_contact`, or integrator: Implicit"
    )]
    TooManySubsteps {
        /// Wanted number.
        needed: f64,
        /// Step (s).
        h: f64,
        /// Largest number.
        most: u64,
    },
    /// A smooth law met surfaces it is not made for.
    #[error("the law of the contact of {candidate} and {antagonist} expects {expected}; choose another law for their groups")]
    SmoothShape {
        /// One body.
        candidate: String,
        /// The other.
        antagonist: String,
        /// What the law expects.
        expected: &'static str,
    },
}

impl ContactError {
    /// As the error of the module, which says whether a shorter step could avoid it.
    pub(crate) fn of(self, module: &'static str) -> SolveError {
        if self.is_at_any_step() { SolveError::at_any_step(module, self) } else { SolveError::new(module, self) }
    }

    /// Bodies that are pinched stay so, what has turned too far does not turn back, what swings ever farther in long steps does so in those after a short one, and what the model asks for stands in the model.
    fn is_at_any_step(&self) -> bool {
        match self {
            Self::NoMotion { .. }
            | Self::Unmoved { .. }
            | Self::Port(_)
            | Self::Load { .. }
            | Self::Imposed { .. }
            | Self::Drive { .. }
            | Self::Cell { .. }
            | Self::Theta { .. }
            | Self::ThetaOfMeshes { .. }
            | Self::Growth { .. }
            | Self::UnstableStep { .. }
            | Self::SmoothShape { .. } => true,
            Self::Watched { what, .. } => ["turn", "prescribed", "parted", "swing"].contains(what),
            _ => false,
        }
    }
}
