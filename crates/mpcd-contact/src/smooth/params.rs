//! Parameters of `SmoothContact(…)` in the model file.

use mpcd_core::{
    Quantity,
    quantity::{Fraction, Length, Number, Positive},
};
use schemars::JsonSchema;
use serde::Deserialize;

/// How the equations of motion are integrated within a sub-step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum Integrator {
    /// Velocity Verlet, second order; forces that depend on velocity see v + ha.
    #[default]
    Verlet,
    /// Cundall's time-centred scheme: forces see the velocity of the middle of the sub-step, so damped contacts are first order.
    TimeCentred,
    /// Gear's predictor–corrector with five values; fourth order in smooth flight, less after a contact opens or closes.
    Gear,
    /// Implicit (Kishino's form): forces at the end of the sub-step, weighted with the model's θ, by Newton's method. No stable step.
    Implicit {
        /// Largest residual over the momenta and impulses of the sub-step.
        #[serde(default)]
        tolerance: Option<Quantity<Number, Positive>>,
        /// Most Newton iterations.
        #[serde(default)]
        max_iterations: Option<u32>,
    },
}

impl Integrator {
    /// Name in messages.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Verlet => "Verlet",
            Self::TimeCentred => "TimeCentred",
            Self::Gear => "Gear",
            Self::Implicit { .. } => "Implicit",
        }
    }
}

/// Smooth contact dynamics of rigid bodies: force laws (Hooke, Hertz, …) integrated in sub-steps of the model's step.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SmoothParams {
    /// How the equations of motion are integrated.
    pub integrator: Integrator,
    /// Number of equal sub-steps in a model step. Default: as many as contacts ask for (`steps_per_contact`, the stable step);
    /// with `Implicit` one, which is halved where it does not do.
    pub substeps: Option<u32>,
    /// Sub-steps in the duration of the shortest contact, where `substeps` is not given.
    pub steps_per_contact: Quantity<Number, Positive>,
    /// Cundall's local damping α: a force −α|F| sign V against each free motion, F the unbalanced force.
    /// 0.7 for quasi-static problems, 0.1 for waves.
    pub damping: Quantity<Number, Fraction>,
    /// Gap below which a pair is kept in the contact network. Default: 2 % of the smallest radius, and what adhesion asks for.
    pub alert: Option<Quantity<Length, Positive>>,
}

impl Default for SmoothParams {
    fn default() -> Self {
        let number = |v: f64| Quantity::new(v).unwrap_or_else(|| unreachable!("the default is positive"));
        Self {
            integrator: Integrator::default(),
            substeps: None,
            steps_per_contact: number(20.0),
            damping: Quantity::new(0.0).unwrap_or_else(|| unreachable!("zero is a fraction")),
            alert: None,
        }
    }
}
