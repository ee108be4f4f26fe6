//! Laws of stress and strain by name, `solid: (law: NeoHookean)`: those that ship, and what a crate of a user's own adds with one line. From parameters
//! and the elastic constants of a material to a [`Material`]; no element, no body.

use std::{fmt::Debug, sync::Arc};

use mpcd_core::{
    InputError, Named, NamedLaws, Quantity,
    quantity::{NonNegative, Number, Positive, Pressure},
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Hardening, Isotropic, J2, LinearElastic, Material, MaterialError, NeoHookean, SaintVenantKirchhoff};

/// A law of stress and strain that a model can name: its parameters, which with the elastic constants of the material make the law at a point.
pub trait SolidLaw: Debug + Send + Sync {
    /// The law at a point.
    ///
    /// # Errors
    /// A parameter that is impossible with these constants.
    fn material(&self, elastic: Isotropic) -> Result<Arc<dyn Material>, MaterialError>;
}

/// The laws of stress and strain of a program, by name.
pub type SolidLaws = NamedLaws<dyn SolidLaw>;

/// The laws that ship; [`NamedLaws::with`] adds one.
#[must_use]
pub fn solid_laws() -> SolidLaws {
    NamedLaws::new("solid law").with::<Linear>().with::<Moderate>().with::<Rubber>().with::<Plastic>()
}

/// Hooke's law for small strain and small rotation.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Linear {}

/// Hooke's law between Green–Lagrange strain and second Piola–Kirchhoff stress: large rotation, moderate strain.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Moderate {}

/// Compressible neo-Hookean, W = ½μ(tr C − 3) − μ ln J + ½λ ln²J: large strain.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rubber {}

/// Von Mises plasticity with isotropic hardening, small strain.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plastic {
    /// First yield stress.
    yield_stress: Quantity<Pressure, Positive>,
    /// Hardening modulus; default 0.
    hardening: Option<Quantity<Pressure, NonNegative>>,
    /// Yield stress at which the exponential part of the hardening ends, and its rate; default none.
    saturation: Option<(Quantity<Pressure, Positive>, Quantity<Number, NonNegative>)>,
}

impl SolidLaw for Linear {
    fn material(&self, elastic: Isotropic) -> Result<Arc<dyn Material>, MaterialError> {
        Ok(Arc::new(LinearElastic(elastic)))
    }
}

impl SolidLaw for Moderate {
    fn material(&self, elastic: Isotropic) -> Result<Arc<dyn Material>, MaterialError> {
        Ok(Arc::new(SaintVenantKirchhoff(elastic)))
    }
}

impl SolidLaw for Rubber {
    fn material(&self, elastic: Isotropic) -> Result<Arc<dyn Material>, MaterialError> {
        Ok(Arc::new(NeoHookean(elastic)))
    }
}

impl SolidLaw for Plastic {
    fn material(&self, elastic: Isotropic) -> Result<Arc<dyn Material>, MaterialError> {
        let (first, modulus) = (self.yield_stress.si(), self.hardening.map_or(0.0, |h| h.si()));
        let hardening = match self.saturation {
            Some((stress, rate)) => Hardening::saturating(first, modulus, stress.si(), rate.si()),
            None => Hardening::linear(first, modulus),
        };
        Ok(Arc::new(J2 { elastic, hardening: hardening? }))
    }
}

/// Names of the laws whose parameters are the law itself.
macro_rules! named {
    ($($law:ident: $name:literal),*) => {$(
        impl Named<dyn SolidLaw> for $law {
            const NAME: &'static str = $name;
            type Params = Self;
            fn build(law: Self, _: &SolidLaws) -> Result<Arc<dyn SolidLaw>, InputError> {
                Ok(Arc::new(law))
            }
        }
    )*};
}

named!(Linear: "Linear", Moderate: "SaintVenantKirchhoff", Rubber: "NeoHookean", Plastic: "J2");
