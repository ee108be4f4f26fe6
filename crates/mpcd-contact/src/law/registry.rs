//! Laws by name. A user's law joins with one line: `LawRegistry::standard().with::<MyLaw>()`.

use std::sync::Arc;

use mpcd_core::{Fragment, InputError};
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;

use super::{
    Bilinear, Capillary, Cohesive, Convex, Coulomb, Elastic, Exponential, Extrinsic, Law, Lubrication, MohrCoulomb, MonerieAcary,
    Poisson, RaousCangemiCocouMonerie, Regularised, SlipWeakening, StaticDynamic, Stronge, Trapezoidal, VelocityWeakening, Wear,
};

/// A law that can be named in a model file.
pub trait LawKind: Law + Sized + 'static {
    /// Name in the model file.
    const NAME: &'static str;
    /// Its parameters.
    type Params: DeserializeOwned + JsonSchema;

    /// Builds the law.
    ///
    /// # Errors
    /// What is wrong in the parameters taken together.
    fn build(params: Self::Params) -> Result<Self, InputError>;
}

pub(crate) struct Entry<L: ?Sized> {
    pub(crate) name: &'static str,
    pub(crate) schema: fn() -> Schema,
    pub(crate) build: fn(&Fragment) -> Result<Arc<L>, InputError>,
}

impl<L: ?Sized> Clone for Entry<L> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<L: ?Sized> Copy for Entry<L> {}

/// All laws of one method a program knows.
pub struct Laws<L: ?Sized> {
    entries: Vec<Entry<L>>,
}

/// All laws of the non-smooth method (`Contact`) a program knows.
pub type LawRegistry = Laws<dyn Law>;

impl<L: ?Sized> Default for Laws<L> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}
impl<L: ?Sized> Clone for Laws<L> {
    fn clone(&self) -> Self {
        Self { entries: self.entries.clone() }
    }
}
impl<L: ?Sized> std::fmt::Debug for Laws<L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

impl LawRegistry {
    /// The laws that ship.
    #[must_use]
    pub fn standard() -> Self {
        Self::default()
            .with::<Coulomb>()
            .with::<StaticDynamic>()
            .with::<SlipWeakening>()
            .with::<VelocityWeakening>()
            .with::<Regularised>()
            .with::<Convex>()
            .with::<Poisson>()
            .with::<Stronge>()
            .with::<Elastic>()
            .with::<Cohesive<RaousCangemiCocouMonerie>>()
            .with::<Cohesive<MonerieAcary>>()
            .with::<Cohesive<Bilinear>>()
            .with::<Cohesive<Exponential>>()
            .with::<Cohesive<Trapezoidal>>()
            .with::<Cohesive<Extrinsic>>()
            .with::<MohrCoulomb>()
            .with::<Capillary>()
            .with::<Lubrication>()
            .with::<Wear>()
    }

    /// Adds a law.
    #[must_use]
    pub fn with<K: LawKind>(self) -> Self {
        self.with_entry(Entry {
            name: K::NAME,
            schema: || schemars::schema_for!(K::Params),
            build: |fragment| {
                let law = K::build(fragment.parse_body()?).map_err(|e| e.within(fragment))?;
                Ok(Arc::new(law))
            },
        })
    }
}

impl<L: ?Sized> Laws<L> {
    pub(crate) fn with_entry(mut self, entry: Entry<L>) -> Self {
        self.entries.push(entry);
        self
    }

    /// Names of the laws.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + Clone + '_ {
        self.entries.iter().map(|e| e.name)
    }

    /// Name and parameter schema of every law.
    pub fn schemas(&self) -> impl Iterator<Item = (&'static str, Schema)> + '_ {
        self.entries.iter().map(|e| (e.name, (e.schema)()))
    }

    /// Builds the law written in `fragment`; `NoContact` gives `None`.
    ///
    /// # Errors
    /// An unknown name or wrong parameters, at their place.
    pub fn build(&self, fragment: &Fragment) -> Result<Option<Arc<L>>, InputError> {
        if fragment.name() == "NoContact" {
            return Ok(None);
        }
        let known = self.names().chain(["NoContact"]);
        let entry = self.entries.iter().find(|e| e.name == fragment.name());
        entry.map_or_else(
            || Err(InputError::unknown("law", fragment.name(), known).within(fragment)),
            |e| (e.build)(fragment).map(Some),
        )
    }
}
