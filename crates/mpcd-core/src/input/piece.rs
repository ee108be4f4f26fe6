//! A part of the model file that is kept with its place while what stands around it is read.

use std::{borrow::Cow, sync::Arc};

use ron::value::RawValue;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};

use super::Fragment;

/// Unread text inside the source. The reader lends slices of the source itself, so that their address tells the place.
#[derive(Debug, Clone, Copy)]
pub struct Piece {
    address: usize,
    length: usize,
}

impl Piece {
    /// The piece `text`, which must be a slice of the source that the reader lent; [`Piece::of`] cuts any other to nothing.
    #[must_use]
    pub fn lent(text: &str) -> Self {
        Self { address: text.as_ptr() as usize, length: text.len() }
    }

    /// The piece as a fragment of the text it was read from.
    #[must_use]
    pub fn of(self, source: &Arc<str>) -> Fragment {
        let start = self.address.wrapping_sub(source.as_ptr() as usize).min(source.len());
        Fragment::new(source.clone(), start..start.saturating_add(self.length))
    }
}

impl<'de> Deserialize<'de> for Piece {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let raw = <&'de RawValue>::deserialize(d)?.get_ron();
        Ok(Self::lent(raw))
    }
}

/// Something the model leaves open: its name is looked up in the registry and its parameters are read there.
#[derive(Debug)]
pub enum Open {}

impl JsonSchema for Open {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Name(…)".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"x-noun": "Name(parameters); see the documentation of each name"})
    }
}
