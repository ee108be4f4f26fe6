//! Contact laws: the trait, the table of laws between groups, and the registry by which a user adds one.

mod coulomb;
mod registry;
mod table;

use mpcd_core::Vec3;
use mpcd_friction::Cone;

pub use coulomb::{Coulomb, CoulombParams, Unilateral};
pub(crate) use registry::Entry;
pub use registry::{LawKind, LawRegistry, Laws};
pub use table::LawTable;
pub(crate) use table::Method;

/// What a law may look at when a step is prepared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LawInput {
    /// Gap (m) in the contact configuration.
    pub gap: f64,
    /// Relative velocity (n, t, s) at the start of the step [m/s]; surface growth not included.
    pub u_before: Vec3,
    /// Speed at which the two surfaces grow towards each other [m/s] (dilatation).
    pub growth: f64,
    /// Length of the step (s).
    pub h: f64,
}

/// One contact of the discrete problem: the law holds between ũ = u + shift + compliance ∘ r̃ and r̃ = r + impulse shift
/// (PHYSICS §4). Thermal growth is subtracted from ũ_n by the assembly, for every law alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LawData {
    /// Relation between ũ and r̃.
    pub cone: Cone,
    /// Added to the relative velocity, (n, t, s) [m/s].
    pub velocity_shift: Vec3,
    /// Diagonal compliance [m/s per N s].
    pub compliance: Vec3,
    /// Added to the impulse [N s].
    pub impulse_shift: Vec3,
}

impl LawData {
    /// The law of `cone` without shifts.
    #[must_use]
    pub fn of_cone(cone: Cone) -> Self {
        Self { cone, velocity_shift: Vec3::zeros(), compliance: Vec3::zeros(), impulse_shift: Vec3::zeros() }
    }
}

/// A contact law between two groups.
pub trait Law: std::fmt::Debug + Send + Sync {
    /// The discrete law of this step, or `None` when the contact can exert no impulse in it.
    fn prepare(&self, input: &LawInput) -> Option<LawData>;

    /// Friction coefficient, for reports.
    fn friction(&self) -> f64 {
        0.0
    }

    /// Whether the law gives back part of the velocity of approach. Such laws can create energy, and are watched.
    fn restitutes(&self) -> bool {
        false
    }
}
