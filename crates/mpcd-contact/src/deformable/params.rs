//! Parameters of deformable bodies in `Contact(deformable: (…))`.

use mpcd_core::InputError;
use mpcd_fem::{MassKind, Model, Scheme};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::error::ContactError;

/// How deformable bodies are stepped.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DeformableParams {
    /// How mass is given to nodes; default `Consistent`. Not with `scheme: Explicit`, which has a diagonal one, nor with `Static`, which has none.
    pub mass: Option<MassName>,
    /// Scheme in time; default `Theta`.
    pub scheme: SchemeName,
}

/// How mass is given to nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum MassName {
    /// By the shape functions.
    Consistent,
    /// A diagonal.
    Lumped,
}

/// Scheme in time of deformable bodies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum SchemeName {
    /// The θ-scheme with the `theta` of the model.
    #[default]
    Theta,
    /// Central difference with lumped mass; `theta` must be ½ and the step below that of the stiffest element.
    Explicit,
    /// The midpoint rule with a stress that keeps energy and both momenta of large motions to rounding (Simo–Tarnow, Gonzalez); `theta` must be ½.
    /// Not for plasticity, nor for thermal strain.
    Conserving,
    /// Without inertia: the forces at the end of every step are in balance, time is that of the loads alone. `theta` must be 1, and loads
    /// must hold every body against motions as a whole: contacts and joints alone do not. Rigid bodies keep theirs.
    Static,
}

impl DeformableParams {
    /// The scheme for a θ.
    pub(super) const fn scheme(&self, theta: f64) -> Scheme {
        let mass = match self.mass {
            None | Some(MassName::Consistent) => MassKind::Consistent,
            Some(MassName::Lumped) => MassKind::Lumped,
        };
        match self.scheme {
            SchemeName::Explicit => Scheme::Explicit,
            SchemeName::Theta => Scheme::Theta { theta, mass },
            SchemeName::Conserving => Scheme::Conserving { mass },
            SchemeName::Static => Scheme::Static,
        }
    }

    /// The name of a scheme that bears one θ alone, and this θ.
    const fn only_theta(&self) -> Option<(&'static str, f64)> {
        match self.scheme {
            SchemeName::Theta => None,
            SchemeName::Explicit => Some(("Explicit", 0.5)),
            SchemeName::Conserving => Some(("Conserving", 0.5)),
            SchemeName::Static => Some(("Static", 1.0)),
        }
    }

    /// Why a θ of the model is not that of the scheme.
    pub(crate) fn refuses(&self, theta: f64) -> Option<ContactError> {
        let (scheme, wanted) = self.only_theta()?;
        (theta != wanted).then_some(ContactError::ThetaOfMeshes { scheme, wanted, theta })
    }

    /// What the scheme cannot have in this material.
    ///
    /// # Errors
    /// A history where energy is to be conserved; a mass where there is none.
    pub(super) fn check(&self, model: &Model, label: &str) -> Result<(), InputError> {
        if self.scheme == SchemeName::Conserving && model.has_history() {
            return Err(InputError::new(format!(
                "`scheme: Conserving` was asked for, but the material of {label} has a history (plasticity, damage), whose energy is not conserved"
            ))
            .help("remove `scheme`, or take an elastic law")
            .at("scheme"));
        }
        let idle = match (self.mass, self.scheme) {
            (Some(_), SchemeName::Static) => Some("`scheme: Static` has no inertia, so `mass` has no meaning"),
            (Some(MassName::Consistent), SchemeName::Explicit) => {
                Some("`scheme: Explicit` has a diagonal mass, but `mass: Consistent` was asked for")
            }
            _ => None,
        };
        idle.map_or(Ok(()), |why| Err(InputError::new(why).help("remove `mass`").at("mass")))
    }

    /// Refuses what was said of bodies that there are not.
    pub(super) fn refuse_without_meshes(&self) -> Result<(), InputError> {
        if *self == Self::default() {
            return Ok(());
        }
        Err(InputError::new("`deformable` says how deformable bodies are stepped, but the model has none")
            .help("remove `deformable`, or give a body a shape Mesh(…)")
            .at("deformable"))
    }
}
