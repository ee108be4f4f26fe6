//! An open slot inside the parameters of a module: `Name(…)`, kept unread with its place until a registry finds who reads it.

use std::{ops::Range, sync::Arc};

use ron::value::RawValue;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de::DeserializeOwned};

use super::{Fragment, InputError, Place};

/// Unread text inside the parameters of a module. A module is built from its parameters alone, without the text of the model;
/// so an error in a slot says where that text lies in memory, and [`InputError::within`] makes a place in the file of it.
#[derive(Debug, Clone)]
pub struct Slot {
    text: Fragment,
    address: usize,
}

impl Slot {
    /// A slot of a program's own, without a place in a model file.
    #[must_use]
    pub fn own(text: &str) -> Self {
        Self { text: Fragment::whole(text), address: 0 }
    }

    /// The leading name: `Holm` of `Holm(hardness: 1e9)`.
    #[must_use]
    pub fn name(&self) -> &str {
        self.text.name()
    }

    /// Reads `Name(…)` as the parameters `T` of `Name`.
    ///
    /// # Errors
    /// What the reader expected, at its place.
    pub fn parse_body<T: DeserializeOwned>(&self) -> Result<T, InputError> {
        self.text.parse_body().map_err(|e| self.place(e))
    }

    /// Gives an error the place of this slot, unless it has one in the file.
    #[must_use]
    pub fn place(&self, error: InputError) -> InputError {
        if matches!(error.place, Place::Lent(_)) {
            return error;
        }
        let mut out = error.within(&self.text);
        if let Place::Span(Range { start, end }) = out.place {
            out.place = Place::Lent(self.address.wrapping_add(start)..self.address.wrapping_add(end));
        }
        out
    }
}

impl<'de> Deserialize<'de> for Slot {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let raw = <&'de RawValue>::deserialize(d)?.get_ron();
        let text = Fragment::new(Arc::from(raw), 0..raw.len());
        Ok(Self { text, address: raw.as_ptr() as usize })
    }
}

impl JsonSchema for Slot {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Slot".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"x-noun": "Name(parameters); see the documentation of each name"})
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]
    use super::*;

    #[derive(Debug, Deserialize)]
    struct Outer {
        law: Slot,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Holm {
        #[allow(dead_code, reason = "read, not used")]
        hardness: f64,
    }

    #[test]
    fn errors_in_a_slot_have_their_place_in_the_file() {
        let source: Arc<str> = "head Module(law: /* soft */ Holm(hardnes: 1e9))".into();
        let module = Fragment::new(source.clone(), 5..source.len());
        let slot = module.parse_body::<Outer>().unwrap().law;
        assert_eq!(slot.name(), "Holm");
        let error = slot.parse_body::<Holm>().unwrap_err().within(&module);
        let Place::Span(span) = error.place else { panic!("{error:?}") };
        assert!(source[span.start..].starts_with("hardnes") || source[..span.start].ends_with("hardnes"), "{span:?}");
        let error = slot.place(InputError::unknown("law", "Holm", [].into_iter())).within(&module);
        assert_eq!(error.place, Place::Span(28..32));
        // a place that is not in the text is that of the module
        let error = Slot::own("Holm(x: 1)").parse_body::<Holm>().unwrap_err().within(&module);
        assert_eq!(error.place, Place::Span(5..11));
    }
}
