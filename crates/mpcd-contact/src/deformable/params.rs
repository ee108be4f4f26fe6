//! Parameters of deformable bodies in `Contact(deformable: (…))`.

use mpcd_fem::{MassKind, Scheme};
use schemars::JsonSchema;
use serde::Deserialize;

/// How deformable bodies are stepped.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DeformableParams {
    /// How mass is given to nodes; default `Consistent`.
    pub mass: MassName,
    /// Scheme in time; default `Theta`.
    pub scheme: SchemeName,
}

/// How mass is given to nodes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
pub enum MassName {
    /// By the shape functions.
    #[default]
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
}

impl DeformableParams {
    /// The scheme for a θ.
    pub(super) const fn scheme(&self, theta: f64) -> Scheme {
        match self.scheme {
            SchemeName::Explicit => Scheme::Explicit,
            SchemeName::Theta => Scheme::Theta {
                theta,
                mass: match self.mass {
                    MassName::Consistent => MassKind::Consistent,
                    MassName::Lumped => MassKind::Lumped,
                },
            },
        }
    }
}
