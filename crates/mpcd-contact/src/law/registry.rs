//! Laws by name. A user's law joins with one line: `LawRegistry::standard().with::<MyLaw>()`.

use std::sync::Arc;

use mpcd_core::{Fragment, InputError};
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;

use super::{Coulomb, Law};

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

#[derive(Debug, Clone)]
struct Entry {
    name: &'static str,
    schema: fn() -> Schema,
    build: fn(&Fragment) -> Result<Arc<dyn Law>, InputError>,
}

/// All laws a program knows.
#[derive(Debug, Clone, Default)]
pub struct LawRegistry {
    entries: Vec<Entry>,
}

impl LawRegistry {
    /// The laws that ship.
    #[must_use]
    pub fn standard() -> Self {
        Self::default().with::<Coulomb>()
    }

    /// Adds a law.
    #[must_use]
    pub fn with<L: LawKind>(mut self) -> Self {
        self.entries.push(Entry {
            name: L::NAME,
            schema: || schemars::schema_for!(L::Params),
            build: |fragment| {
                let law = L::build(fragment.parse_body()?).map_err(|e| e.within(fragment))?;
                Ok(Arc::new(law))
            },
        });
        self
    }

    /// Name and parameter schema of every law.
    pub fn schemas(&self) -> impl Iterator<Item = (&'static str, Schema)> + '_ {
        self.entries.iter().map(|e| (e.name, (e.schema)()))
    }

    /// Builds the law written in `fragment`; `NoContact` gives `None`.
    ///
    /// # Errors
    /// An unknown name or wrong parameters, at their place.
    pub fn build(&self, fragment: &Fragment) -> Result<Option<Arc<dyn Law>>, InputError> {
        if fragment.name() == "NoContact" {
            return Ok(None);
        }
        let known = self.entries.iter().map(|e| e.name).chain(["NoContact"]);
        let entry = self.entries.iter().find(|e| e.name == fragment.name());
        entry.map_or_else(
            || Err(InputError::unknown("law", fragment.name(), known).within(fragment)),
            |e| (e.build)(fragment).map(Some),
        )
    }
}
