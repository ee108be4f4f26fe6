//! Laws by name, for modules whose laws are written in their own parameters: what ships, and what a user's crate adds with one line.
//! No law lives here.

use std::sync::Arc;

use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;

use crate::input::{InputError, Slot};

/// A law of the kind `L` (`dyn ConductanceLaw`, …) that can be named in a model file.
pub trait Named<L: ?Sized + 'static> {
    /// Name in the model file.
    const NAME: &'static str;
    /// Its parameters.
    type Params: DeserializeOwned + JsonSchema;

    /// Builds the law; `laws` reads the slots that its own parameters leave open.
    ///
    /// # Errors
    /// What is wrong in the parameters taken together.
    fn build(params: Self::Params, laws: &NamedLaws<L>) -> Result<Arc<L>, InputError>;
}

type Build<L> = fn(&Slot, &NamedLaws<L>) -> Result<Arc<L>, InputError>;

struct Entry<L: ?Sized + 'static> {
    name: &'static str,
    schema: fn() -> Schema,
    build: Build<L>,
}

/// All laws of one kind that a program knows.
pub struct NamedLaws<L: ?Sized + 'static> {
    /// What the laws are called in messages: "conductance law".
    kind: &'static str,
    entries: Vec<Entry<L>>,
}

impl<L: ?Sized> Clone for NamedLaws<L> {
    fn clone(&self) -> Self {
        let copy = |e: &Entry<L>| Entry { name: e.name, schema: e.schema, build: e.build };
        Self { kind: self.kind, entries: self.entries.iter().map(copy).collect() }
    }
}

impl<L: ?Sized> std::fmt::Debug for NamedLaws<L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

impl<L: ?Sized> NamedLaws<L> {
    /// No law yet; `kind` is what they are called in messages.
    #[must_use]
    pub const fn new(kind: &'static str) -> Self {
        Self { kind, entries: Vec::new() }
    }

    /// Adds a law; one of the same name is replaced.
    #[must_use]
    pub fn with<K: Named<L>>(mut self) -> Self {
        self.entries.retain(|e| e.name != K::NAME);
        self.entries.push(Entry {
            name: K::NAME,
            schema: || schemars::schema_for!(K::Params),
            build: |slot, laws| K::build(slot.parse_body()?, laws).map_err(|e| slot.place(e)),
        });
        self
    }

    /// What the laws are called.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        self.kind
    }

    /// Names of the laws.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + Clone + '_ {
        self.entries.iter().map(|e| e.name)
    }

    /// Name and parameter schema of every law.
    pub fn schemas(&self) -> impl Iterator<Item = (&'static str, Schema)> + '_ {
        self.entries.iter().map(|e| (e.name, (e.schema)()))
    }

    /// Builds the law written in a slot.
    ///
    /// # Errors
    /// An unknown name or wrong parameters, at their place.
    pub fn build(&self, slot: &Slot) -> Result<Arc<L>, InputError> {
        match self.entries.iter().find(|e| e.name == slot.name()) {
            Some(entry) => (entry.build)(slot, self),
            None => Err(slot.place(InputError::unknown(self.kind, slot.name(), self.names()))),
        }
    }
}
