//! Parts of the model file that are kept with their place while the sections around them are read.
//! No section is known here.

use std::{borrow::Cow, sync::Arc};

use mpcd_core::input::{Fragment, ron_options};
use ron::value::RawValue;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de};

/// Unread text inside the source. The reader lends slices of the source itself, so that their address tells the place.
#[derive(Debug, Clone, Copy)]
pub struct Piece {
    address: usize,
    length: usize,
}

impl Piece {
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
        Ok(Self { address: raw.as_ptr() as usize, length: raw.len() })
    }
}

/// A name in quotes that is looked up later, with its place.
#[derive(Debug, Clone)]
pub struct Word {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub piece: Piece,
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let raw = <&'de RawValue>::deserialize(d)?.get_ron();
        let text = ron_options()
            .from_str(raw)
            .map_err(|_| de::Error::custom(format_args!("expected a name in quotes, found `{}`", raw.trim())))?;
        Ok(Self { text, piece: Piece { address: raw.as_ptr() as usize, length: raw.len() } })
    }
}

impl JsonSchema for Word {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "name".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "x-noun": "a name in quotes"})
    }
}

/// Something the model leaves open: its name is looked up in the registry and its parameters are read there.
pub(crate) enum Open {}

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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    #[derive(Deserialize)]
    struct Inner {
        name: Word,
        law: Piece,
    }

    #[derive(Deserialize)]
    struct Outer {
        items: Vec<Piece>,
    }

    #[test]
    fn nested_pieces_keep_their_place() {
        let source: Arc<str> = "( items: [ (name: \"a\", /* x */ law: /* y */ Coulomb(friction: 0.3) /* z */), 7 ] )".into();
        let outer: Outer = Fragment::whole(source.clone()).parse().unwrap();
        let inner: Inner = outer.items[0].of(&source).parse().unwrap();
        assert_eq!(&source[inner.name.piece.of(&source).span()], "\"a\"");
        let law = inner.law.of(&source);
        assert_eq!(law.name(), "Coulomb");
        assert_eq!(&source[law.name_span()], "Coulomb");
        assert_eq!(outer.items[1].of(&source).text(), "7");
    }
}
