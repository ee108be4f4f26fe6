//! Heat on the contact network (Dubois–Renouf 2021, "Thermal"; PHYSICS: lumped bodies, conduction through contacts).
//!
//! m c dT/dt = Σ_α H_α (T_j − T_i) + friction + impact + Joule + boundary, implicit in time. What lives here: conduction laws,
//! boundary conditions, the balance of the lumped bodies as plain data with its solver ([`HeatNetwork`], [`HeatSolver`]), and
//! the physics module [`Thermal`], which also makes bodies swell. What may not: currents, shapes, contact mechanics.
#![forbid(unsafe_code)]

mod bonded;
mod boundary;
mod error;
mod facing;
mod gas;
mod joints;
mod law;
mod material;
mod meshes;
mod module;
pub mod network;
mod params;
mod property;
mod report;
mod sinter;
mod solve;
mod sources;
mod surroundings;
mod unsymmetric;
pub mod view;

pub use bonded::{Bonded, BondedParams};
pub use error::{HeatError, ThermalError};
pub use gas::GasGap;
pub use law::{
    BatchelorOBrien, ConductionLaw, ConductionLaws, Constant, Grows, Hertz, Insulating, PressurePower, Spot, conduction_laws,
};
pub use material::ThermalMaterial;
pub use module::{State, Thermal};
pub use mpcd_sparse::Points;
pub use network::{Exchange, HeatNetwork, Link, Radiation};
pub use params::{BoundaryChoice, Coupling, InitialTemperature, Params};
pub use property::{Curve, OfTemperature};
pub use sinter::{Sinter, SinterParams};
pub use solve::{HeatSolver, Method, Outcome, SolverSettings};

/// What a registry must know of the module. It stands here so that it is compiled with this crate, not again in every program.
#[must_use]
pub fn physics() -> mpcd_core::PhysicsEntry {
    mpcd_core::PhysicsEntry::of::<Thermal>()
}
