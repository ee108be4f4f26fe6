//! Floor 2: the pressure of a fluid in the pores between grains, on a regular grid, in the plane and in space by one code.
//!
//! What lives here: the deposit of grains on the grid, the fluids, the finite-volume balance and its solution, the force back
//! on the grains, the walls that bound it, and the [`Darcy`] module that ties them to a model. What may not: contacts, motion, the
//! making of shapes, linear solvers (they are in mpcd-sparse).
//!
//! The way of one step: [`pistons`] (walls → where the grid ends) → [`deposit`] and [`smooth`] (grains → solid volume and its flux) → [`medium`] (pores, ū, permeability) and [`warmth`] (of a gas) →
//! [`step`] ([`schedule`] of [`pass`]es) → [`force`] (pressure → grains) and [`heat`] (of the fluid). Equations and signs stand at the top of [`fluid`],
//! [`deposit`], [`pass`] and [`force`].
//!
//! Source: Dubois and Renouf, *Discrete Element Methods for the simulation of divided media* (2021), "Fluid", after McNamara,
//! Flekkøy and Måløy, Phys. Rev. E 61 (2000) 4054. Its Carman–Kozeny law has a misprint, (1 − φ²) for (1 − φ)².
#![forbid(unsafe_code)]

pub mod advect;
pub mod biot;
mod build;
mod darcy;
pub mod deposit;
pub mod ends;
mod error;
pub mod fluid;
pub mod force;
pub mod frame;
pub mod grains;
pub mod grid;
pub mod heat;
pub mod kernel;
pub mod linear;
pub mod medium;
pub mod params;
pub mod pass;
pub mod pistons;
pub mod schedule;
pub mod smooth;
mod smooth_implicit;
pub mod source_form;
mod start;
pub mod step;
pub mod warmth;

pub use darcy::{Darcy, DarcyState};
pub use error::DarcyError;

/// What a registry must know of the module. It stands here so that it is compiled with this crate, not again in every program.
#[must_use]
pub fn physics() -> mpcd_core::PhysicsEntry {
    mpcd_core::PhysicsEntry::of::<Darcy>()
}
