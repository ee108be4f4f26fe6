//! Kirchhoff currents on the contact network (Dubois–Renouf 2021, "Electricity"; Renouf and Fillot 2008).
//!
//! Nodes are bodies and the nodes of meshes that conduct, branches are the contacts that push. What lives here: conductance laws, the resistor network as plain
//! data with its solvers ([`network`], [`NetworkSolver`]), and the physics module [`Electrical`] that feeds them from the
//! contact network. What may not: heat, shapes, contact mechanics.
//!
//! ```
//! use mpcd_electrical::{NetworkSolver, ResistorNetwork, SolverSettings};
//! # fn main() -> Result<(), mpcd_electrical::NetworkError> {
//! // a square of unit resistors, 1 A in at corner 0, corner 2 at 0 V
//! let mut net = ResistorNetwork::new(4);
//! for (i, j) in [(0, 1), (1, 2), (2, 3), (3, 0)] {
//!     net.join(i, j, 1.0);
//! }
//! net.inject(0, 1.0);
//! net.hold(2, 0.0);
//! let mut potential = vec![0.0; 4];
//! NetworkSolver::new(SolverSettings::default()).solve(&net, &mut potential)?;
//! assert!((potential[0] - 1.0).abs() < 1e-14);
//! # Ok(()) }
//! ```
#![forbid(unsafe_code)]

mod contacts;
mod electrodes;
mod error;
mod films;
mod force;
mod joints;
mod kohlrausch;
mod law;
mod material;
mod meshes;
mod module;
pub mod network;
mod params;
mod paths;
mod report;
mod solve;
mod warm;

pub use error::{ElectricalError, NetworkError};
pub use force::{Averaging, ForceChoice};
pub use kohlrausch::{LORENZ_NUMBER, contact_temperature};
pub use law::{
    Bonded, BondedParams, Breakdown, Carried, ConductanceLaw, ConductanceLaws, Constant, CubeRoot, Held, Hertz, Holm, Insulating,
    Neck, NeckParams, Needs, Oxide, OxideParams, Passed, Power, Remembers, Spot, conductance_laws, in_series,
};
pub use material::ElectricalMaterial;
pub use module::{Electrical, State};
pub use network::{Branch, OpenCircuit, ResistorNetwork};
pub use params::{CurrentElectrode, Params, PotentialElectrode, Spread};
pub use solve::{Method, NetworkSolver, Outcome, SolverSettings};

/// What a registry must know of the module. It stands here so that it is compiled with this crate, not again in every program.
#[must_use]
pub fn physics() -> mpcd_core::PhysicsEntry {
    mpcd_core::PhysicsEntry::of::<Electrical>()
}
