//! mpcd: multi-physics contact dynamics.
//!
//! The facade: what a program of your own needs in one place ([`prelude`]), the registry of all that ships ([`Registry::standard`] through
//! [`StandardRegistry`]), and the command line ([`cli`]). What lives here: names and commands. What may not: physics, files, numerics.
//!
//! ```no_run
//! use mpcd::prelude::*;
//! fn main() -> std::process::ExitCode {
//!     mpcd::cli(Registry::standard())
//! }
//! ```
#![forbid(unsafe_code)]

mod command;
mod registry;

pub use command::cli;
pub use mpcd_sim::Registry;
pub use registry::{StandardRegistry, shapes};

/// What conductance laws of your own may know and remember: [`mpcd_electrical`].
pub mod conductance {
    pub use mpcd_electrical::{Carried, ConductanceLaw, Needs, Passed, Remembers, Spot};
}

/// What conduction laws of your own may know: [`mpcd_thermal`].
pub mod conduction {
    pub use mpcd_thermal::{ConductionLaw, Spot};
}

/// What laws of stress and strain of your own may answer: [`mpcd_fem`].
pub mod solid {
    pub use mpcd_fem::{Isotropic, LinearElastic, Material, MaterialError, Response, Strain, Tangent, Voigt};
}

/// Meshes of a model, for modules of your own with fields on nodes and elements: [`mpcd_fem`].
pub mod meshes {
    pub use mpcd_fem::{BodyMesh, BodyMeshes};
}

/// Everything a module of your own usually needs.
pub mod prelude {
    pub use crate::registry::{StandardRegistry, shapes};
    pub use mpcd_contact::{Law, LawData, LawInput, LawKind, SmoothLaw, SmoothLawKind};
    pub use mpcd_core::{
        Balance, BodyId, Book, Contact, ContactKey, ContactNetwork, ContactStatus, Dimension, InputError, Inputs, Kinematics,
        Named, NamedLaws, Once, OptionalPort, Outputs, PerBody, PerCell, PerContact, PerElement, PerNode, Physics, Port,
        Quantity, ReadPort, Scalar, Setup, SolveError, SolveReport, Stage, Status, Step, TimeFunction, Unit, Vec3, Vector, World,
        WritePort, field::names, quantity,
    };
    pub use mpcd_electrical::ConductanceLaw;
    pub use mpcd_fem::SolidLaw;
    pub use mpcd_friction::Cone;
    pub use mpcd_geometry::{Core, PlacedShape, ShapeInput, ShapeKind, Solid, SupportMap};
    pub use mpcd_sim::Registry;
    pub use mpcd_thermal::ConductionLaw;
    pub use schemars::{self, JsonSchema};
    pub use serde::{self, Deserialize, Serialize};
}
