//! Parameters of `Contact(…)` in the model file.

use mpcd_core::{
    Quantity,
    quantity::{Length, Number, Positive},
};
use mpcd_friction::{SolveSettings, SweepOrder};
use schemars::JsonSchema;
use serde::Deserialize;

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

/// Non-smooth contact dynamics of rigid bodies (Moreau–Jean θ-scheme).
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ContactParams {
    /// Solver of the frictional contact problem: `nlgs-accelerated` (Gauss–Seidel with momentum), `auto` (the same, then Newton where
    /// sweeps crawl), `nlgs`, or `jacobi`.
    pub solver: String,
    /// Scale-free error at which the solver stops.
    pub tolerance: Quantity<Number, Positive>,
    /// Most sweeps in a step.
    pub max_iterations: usize,
    /// Order of the sweep.
    pub order: Order,
    /// Gap below which a pair is kept in the contact network. Default: 2 % of the smallest radius plus twice the
    /// largest distance a body moves in the step.
    pub alert: Option<Quantity<Length, Positive>>,
    /// Start each solve from the impulses of the last step.
    pub warm_start: bool,
}

impl Default for ContactParams {
    fn default() -> Self {
        Self {
            solver: "nlgs-accelerated".to_owned(),
            tolerance: Quantity::new(SolveSettings::default().tolerance)
                .unwrap_or_else(|| unreachable!("the default tolerance is positive")),
            max_iterations: SolveSettings::default().max_iterations,
            order: Order::default(),
            alert: None,
            warm_start: true,
        }
    }
}
