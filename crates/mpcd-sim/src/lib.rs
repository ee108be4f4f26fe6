//! From a model file to a finished run: reads the model, builds the modules through a registry, checks their ports,
//! steps them in time, keeps the books, writes outputs and checkpoints. Knows no physics by name.
//!
//! The rooms, in the order data pass through them:
//! - [`model`] (with [`splice`] for `--set`): text to sections, all errors at once, each with its place;
//! - [`registry`]: what a model may name;
//! - [`simulation`] and [`step`]: modules, fields, clock, and the loop; the coupling cycle is in `coupling`, `edges`, `relax`
//!   and `quasi_newton`, what modules must be together in `together`, modules at a pace of their own in `pace`, steps of unequal length in `clock` and `adapt`;
//! - [`books`], [`counters`], [`probes`]: what is added up, counted and looked at;
//! - `frames`, `history`, [`checkpoint`]: what leaves a run; [`claim`]: the folder it goes to; [`runner`]: the run from start or checkpoint to its end;
//! - [`describe`](mod@describe): what `check` and `explain` say; [`testkit`]: perturbed runs that must give the same bits.
#![forbid(unsafe_code)]

mod adapt;
pub mod books;
pub mod budget;
pub mod checkpoint;
pub mod claim;
mod clock;
pub mod counters;
mod coupling;
pub mod describe;
mod digest;
mod drawing;
mod edges;
pub mod error;
mod frames;
mod history;
pub mod model;
mod pace;
pub mod probes;
mod quasi_newton;
pub mod registry;
mod relax;
pub mod runner;
mod scan;
mod setup;
pub mod simulation;
pub mod splice;
mod spread;
pub mod step;
pub mod testkit;
mod together;

pub use claim::Claim;
pub use coupling::Cycle;
pub use describe::{Description, describe};
pub use error::{CheckpointError, Missed, RunError};
pub use model::{Model, ModelErrors};
pub use registry::Registry;
pub use runner::{Ended, Observer, RunOptions, RunSummary, run};
pub use simulation::Simulation;
pub use step::StepOutcome;
