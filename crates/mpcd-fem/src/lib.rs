//! Finite elements for deformable bodies. Floor 1: uses mpcd-core and mpcd-sparse; knows no contact, no model file, no loop.
//!
//! The rooms, from the ground up:
//! - [`Mesh`]: nodes, elements, named groups; built-in meshes, gmsh and VTU files, the outward [`Skin`];
//! - [`Cell`]: kinds of elements with their shape functions and quadrature;
//! - [`Material`]: the law at a point, as a trait to implement elsewhere; [`LinearElastic`], [`SaintVenantKirchhoff`],
//!   [`NeoHookean`], [`J2`], [`KelvinVoigt`]; [`SolidLaws`] name them in model files;
//! - [`Model`]: mesh, kinematic ([`Space`]), [`Section`]s; [`Conditions`] act on it; [`State`] is what it carries;
//! - [`Body`]: a model with a [`Scheme`] in time. A step is open in the middle for contact: [`Body::begin`], [`Body::linearise`],
//!   impulses from contact, [`Body::correct`], [`Body::finish`]; [`Body::compliance`] is M̃⁻¹ on the unknowns of a boundary;
//! - [`Statics`]: paths of loads without inertia;
//! - [`HeatMesh`]: what a mesh stores and conducts of heat, or of anything else that flows by a gradient.
//!
//! ```
//! use std::sync::Arc;
//! use mpcd_fem::{Cell, Conditions, FemError, Isotropic, LinearElastic, Mesh, Model, Prescribed, Section, Space, Statics};
//! # fn main() -> Result<(), FemError> {
//! // a bar of 2 m pulled by 1 mm, free to get thinner
//! let mesh = Mesh::rectangle([2.0, 0.1], [8, 2], Cell::Quad8)?;
//! let steel = Section::new(LinearElastic(Isotropic::new(210e9, 0.3)?), 7800.0)?;
//! let model = Arc::new(Model::new(mesh, Space::PlaneStress { thickness: 0.01 }, &steel)?);
//! let pulled = Conditions::default()
//!     .with_held(&model, "left", 0, Prescribed::Displacement(0.0))?
//!     .with_held(&model, "origin", 1, Prescribed::Displacement(0.0))?
//!     .with_held(&model, "right", 0, Prescribed::Displacement(1e-3))?;
//! let (state, reactions) = Statics::new(model.clone()).solve(&model.rest(), &Conditions::default(), &pulled, 1)?;
//! let force: f64 = model.mesh().nodes_of("right")?.iter().map(|n| reactions[2 * n]).sum();
//! assert!((force / (210e9 * 1e-3 * 1e-3 / 2.0) - 1.0).abs() < 1e-9);
//! # Ok(()) }
//! ```
#![forbid(unsafe_code)]

mod body;
mod cell;
mod error;
mod factor;
mod heat;
mod material;
mod mesh;
mod model;
mod numbered;
mod solid_law;
mod written;

pub use body::{Balance, Body, BodyTimes, Compliance, Energies, Kick, Newton, NodalForces, Scheme, Statics, Step};
pub use cell::{Cell, MAX_NODES, Purpose, Rule, Shape};
pub use error::FemError;
pub use heat::{HeatMesh, Meshed, SurfaceShare};
pub use material::{
    Hardening, Isotropic, J2, KelvinVoigt, LinearElastic, Material, MaterialError, NeoHookean, Response, SaintVenantKirchhoff,
    Strain, Tangent, Voigt, contract, von_mises,
};
pub use mesh::{Face, Mesh, MeshError, Skin, SkinFace};
pub use model::{Conditions, Loose, MassKind, Model, PointValue, Prescribed, Section, Space, State};
pub use numbered::{BodyMesh, BodyMeshes};
pub use solid_law::{SolidLaw, SolidLaws, solid_laws};
pub use written::{ElementName, MeshSource, SolidMaterial};
