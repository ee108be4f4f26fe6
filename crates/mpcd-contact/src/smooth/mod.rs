//! Smooth contact dynamics: contact forces as functions of overlap and velocity, integrated in small sub-steps.
//!
//! What lives here: force laws, integrators, their stable step, the books of a smooth step. What may not: shapes and detection
//! (`mpcd-geometry`), loads, groups and rotations (shared with the non-smooth method, one floor of this crate).

mod bodies;
mod books;
mod columns;
mod crossing;
mod cutting;
mod dashpot;
mod engine;
mod forecast;
mod gear;
mod implicit;
pub mod law;
mod pairs;
mod params;
mod physics;
mod response;
mod schedule;
mod spot;
mod stability;
mod state;
mod verlet;

pub use law::{SmoothLaw, SmoothLawKind, SmoothLawRegistry};
pub use params::{Integrator, SmoothParams};
pub use physics::SmoothContact;
pub use state::SmoothState;
