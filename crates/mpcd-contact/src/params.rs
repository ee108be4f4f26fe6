//! Parameters of `Contact(…)` in the model file.

use mpcd_core::{
    Quantity,
    quantity::{Length, Number, Positive, UpperHalf},
};
use mpcd_friction::{SolveSettings, SweepOrder};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{deformable::DeformableParams, shares::Pick, watch::WatchParams};

/// Order in which contacts are visited in a sweep.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum Order {
    /// By colours: contacts of a colour share no free body, so any number of threads gives the same bits.
    #[default]
    Coloured,
    /// By contact key.
    Forward,
    /// By contact key, last first.
    Reverse,
    /// Forward and reverse in turn.
    Symmetric,
    /// In one random order.
    Shuffled {
        /// Seed of the order.
        seed: u64,
    },
}

impl From<Order> for SweepOrder {
    fn from(order: Order) -> Self {
        match order {
            Order::Coloured => Self::Coloured,
            Order::Forward => Self::Forward,
            Order::Reverse => Self::Reverse,
            Order::Symmetric => Self::Symmetric,
            Order::Shuffled { seed } => Self::Shuffled { seed },
        }
    }
}

/// How a step is made.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub enum Scheme {
    /// Moreau–Jean: the θ-scheme, contacts in the configuration foreseen before the solve, conditions on velocities.
    #[default]
    MoreauJean,
    /// Central difference with the contact conditions in the configuration that the step leads to (Carpenter, Taylor and Katona 1991).
    Explicit {
        /// Numerical damping β of the central difference, ½ (none) to 1.
        #[serde(default = "half")]
        damping: Quantity<Number, UpperHalf>,
        /// Most solves of a step while the configuration is sought.
        #[serde(default = "passes")]
        passes: std::num::NonZeroUsize,
        /// Where the search stops: gaps over the smallest radius, and the turn of normals (rad).
        #[serde(default = "accuracy")]
        accuracy: Quantity<Number, Positive>,
    },
}

fn half() -> Quantity<Number, UpperHalf> {
    Quantity::new(0.5).unwrap_or_else(|| unreachable!("one half is between one half and one"))
}

fn passes() -> std::num::NonZeroUsize {
    std::num::NonZeroUsize::MIN.saturating_add(19)
}

fn accuracy() -> Quantity<Number, Positive> {
    Quantity::new(1e-6).unwrap_or_else(|| unreachable!("the default accuracy is positive"))
}

/// Non-smooth contact dynamics of rigid bodies.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ContactParams {
    /// How a step is made: `MoreauJean`, or `Explicit(damping: 0.5)`.
    pub scheme: Scheme,
    /// Solver of the frictional contact problem. `auto` sweeps with momentum and goes on, island by island, with interior points and Newton
    /// where sweeps crawl; a named solver runs alone: `nlgs-accelerated`, `nlgs`, `jacobi`, or any other of docs/friction/solvers.md that solves
    /// Coulomb's law.
    pub solver: String,
    /// Scale-free error at which the solver stops; what is missed as velocities and forces is bounded by multiples of it (docs/theory.md).
    /// Default 1e-5; 1e-8 where bodies deform, as stress is the small part of what impulses do to a stiff body, and where films (`Lubrication`) lie on more than balls, as one that a solve opens on a face has to be squeezed out again.
    pub tolerance: Option<Quantity<Number, Positive>>,
    /// Most sweeps in a step.
    pub max_iterations: usize,
    /// Order of the sweep.
    pub order: Order,
    /// Gap below which a pair is in the contact network whatever its motion; pairs that come to touch within the step are in it anyway.
    /// Default: 2 % of the smallest radius.
    pub alert: Option<Quantity<Length, Positive>>,
    /// Start each solve from the impulses of the last step.
    pub warm_start: bool,
    /// Which of the forces that rigid contacts leave open are taken: `Any` (what the solver finds), `MinimumNorm` or `Compliant`.
    pub forces: Pick,
    /// How deformable bodies are stepped: `(mass: Consistent, scheme: Theta)`.
    pub deformable: DeformableParams,
    /// What is watched while the model runs, and what follows: `(overlap: Warn, overlap_limit: 0.1)`.
    pub watch: WatchParams,
}

/// Default of [`ContactParams::tolerance`] where bodies deform or films lie on faces.
const FINE_TOLERANCE: f64 = 1e-8;

impl ContactParams {
    /// The tolerance asked for, or the default.
    pub(crate) fn tolerance(&self, fine: bool) -> f64 {
        let default = if fine { FINE_TOLERANCE } else { SolveSettings::default().tolerance };
        self.tolerance.map_or(default, |t| t.si())
    }
}

impl Default for ContactParams {
    fn default() -> Self {
        Self {
            scheme: Scheme::default(),
            solver: "auto".to_owned(),
            tolerance: None,
            max_iterations: SolveSettings::default().max_iterations,
            order: Order::default(),
            alert: None,
            warm_start: true,
            forces: Pick::default(),
            deformable: DeformableParams::default(),
            watch: WatchParams::default(),
        }
    }
}
