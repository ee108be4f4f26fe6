//! A piece of the model file, kept as text with its place, to be read by the room that knows what it means.

use std::{ops::Range, sync::Arc};

use ron::extensions::Extensions;
use serde::de::DeserializeOwned;

use super::{InputError, nearest};

/// The RON dialect of model files: no `Some(…)`, newtypes unwrapped.
#[must_use]
pub fn ron_options() -> ron::Options {
    ron::Options::default()
        .with_default_extension(Extensions::IMPLICIT_SOME | Extensions::UNWRAP_NEWTYPES | Extensions::UNWRAP_VARIANT_NEWTYPES)
}

/// Part of a source text. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Fragment {
    source: Arc<str>,
    range: Range<usize>,
}

impl Fragment {
    /// The whole of a text.
    #[must_use]
    pub fn whole(source: impl Into<Arc<str>>) -> Self {
        let source = source.into();
        Self { range: 0..source.len(), source }
    }

    /// The bytes `range` of a text, without the blanks and comments around them. A range outside the text is cut to it.
    #[must_use]
    pub fn new(source: Arc<str>, range: Range<usize>) -> Self {
        let end = range.end.min(source.len());
        let mut out = Self { range: range.start.min(end)..end, source };
        out.range.start += blank_len(out.text());
        out.range.end = out.range.start + out.text().trim_end().len();
        out
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.source.get(self.range.clone()).unwrap_or("")
    }

    /// The whole source it is part of.
    #[must_use]
    pub const fn source(&self) -> &Arc<str> {
        &self.source
    }

    /// Its bytes in the source.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.range.clone()
    }

    /// The leading name: `Disc` of `Disc(radius: 1)`; empty where there is none.
    #[must_use]
    pub fn name(&self) -> &str {
        let text = self.text();
        let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
        if text.starts_with(|c: char| c.is_alphabetic() || c == '_') { &text[..end] } else { "" }
    }

    /// Bytes of the leading name, or of the first character where there is none.
    #[must_use]
    pub fn name_span(&self) -> Range<usize> {
        let len = self.name().len();
        let first = self.text().chars().next().map_or(0, char::len_utf8);
        self.range.start..self.range.start + len.max(first)
    }

    /// Bytes of the first occurrence of `word` in this fragment: a quoted name first, then a whole word.
    #[must_use]
    pub fn find(&self, word: &str) -> Option<Range<usize>> {
        let text = self.text();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let quoted = text.find(&format!("\"{word}\"")).map(|i| i + 1);
        let whole = || {
            text.match_indices(word)
                .map(|(i, _)| i)
                .find(|&i| !text[..i].ends_with(is_word) && !text[i + word.len()..].starts_with(is_word))
        };
        let at = self.range.start + quoted.or_else(whole)?;
        Some(at..at + word.len())
    }

    /// Reads the fragment as `T`.
    ///
    /// # Errors
    /// What the reader expected, at its place in the file.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, InputError> {
        parse_at(self.text(), self.range.start)
    }

    /// Reads `Name(…)` as the parameters `T` of `Name`; a bare `Name` reads as `Name()`.
    ///
    /// # Errors
    /// What the reader expected, at its place in the file.
    pub fn parse_body<T: DeserializeOwned>(&self) -> Result<T, InputError> {
        let skip = self.name().len();
        let rest = &self.text()[skip..];
        let lead = blank_len(rest);
        if rest[lead..].is_empty() {
            return parse_at("()", self.range.start).map_err(|e| e.span(self.name_span()));
        }
        parse_at(&rest[lead..], self.range.start + skip + lead)
    }
}

/// Bytes of blanks and comments at the start of `text`.
fn blank_len(text: &str) -> usize {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.find('\n').map_or("", |i| &comment[i..]);
        } else if let Some(comment) = rest.strip_prefix("/*") {
            rest = comment.find("*/").map_or("", |i| &comment[i + 2..]);
        } else {
            return text.len() - rest.len();
        }
    }
}

fn parse_at<T: DeserializeOwned>(text: &str, offset: usize) -> Result<T, InputError> {
    ron_options().from_str(text).map_err(|e| located(&e, text, offset))
}

/// Turns an error of the RON reader into a diagnostic with a byte span and, for a misspelt key, the nearest one.
fn located(error: &ron::error::SpannedError, text: &str, offset: usize) -> InputError {
    let start = offset + byte_of(text, error.span.start);
    let end = (offset + byte_of(text, error.span.end)).max(start + 1);
    match &error.code {
        ron::Error::MissingStructField { field, .. } => {
            InputError::new(format!("the key `{field}` is missing; expected it before this place"))
                .help(format!("add `{field}: …`; `mpcd doc` tells what it may be"))
                .span(start..end)
        }
        // The reader's own words name types of the program, which a user does not know.
        ron::Error::NoSuchStructField { expected, found, .. } => unknown("key", found, expected).span(start..end),
        ron::Error::NoSuchEnumVariant { expected, found, .. } => unknown("choice", found, expected).span(start..end),
        code => {
            // where something else than brackets may follow
            let ends = matches!(code, ron::Error::ExpectedComma | ron::Error::TrailingCharacters);
            match bare_name(text, byte_of(text, error.span.end)).filter(|_| ends) {
                Some(name) => InputError::new(format!("`{name}` takes nothing here, so it has no brackets"))
                    .help(format!("write `{name}` instead of `{name}()`"))
                    .span(start..end),
                None => InputError::new(code.to_string()).span(start..end),
            }
        }
    }
}

/// The name before empty brackets at which the reader stopped: that of a choice without parameters.
fn bare_name(text: &str, stop: usize) -> Option<&str> {
    let at = text.get(..stop)?.trim_end_matches(')').trim_end().trim_end_matches('(');
    let rest = text[at.len()..].trim_start().strip_prefix('(')?.trim_start();
    let word = at.trim_end();
    let name = &word[word.rfind(|c: char| !(c.is_alphanumeric() || c == '_')).map_or(0, |i| i + 1)..];
    (rest.starts_with(')') && name.starts_with(char::is_uppercase)).then_some(name)
}

fn unknown(what: &str, found: &str, expected: &'static [&'static str]) -> InputError {
    let known = match expected {
        [] => "none".to_owned(),
        [only] => format!("`{only}`"),
        more => format!("one of {}", more.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
    };
    let error = InputError::new(format!("unknown {what} `{found}`; expected {known}"));
    match nearest(found, expected.iter().copied()) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error,
    }
}

/// Byte offset of a position that counts lines and characters from 1.
fn byte_of(text: &str, at: ron::error::Position) -> usize {
    let line_start: usize = text.split_inclusive('\n').take(at.line.saturating_sub(1)).map(str::len).sum();
    let line = &text[line_start..];
    line.char_indices().nth(at.col.saturating_sub(1)).map_or(text.len(), |(i, _)| line_start + i)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, dead_code, reason = "tests")]
    use super::*;
    use crate::input::Place;

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Disc {
        radius: f64,
        friction: Option<f64>,
    }

    #[test]
    fn a_fragment_knows_its_name_and_place() {
        let source: Arc<str> = "[ // a disc\n  Disc(radius: 1.5), ]".into();
        let f = Fragment::new(source.clone(), 1..source.len() - 2);
        assert_eq!(f.name(), "Disc");
        assert_eq!(&source[f.name_span()], "Disc");
        let f = Fragment::new(source.clone(), 1..source.len() - 3);
        assert_eq!(f.parse_body::<Disc>().unwrap().radius, 1.5);
        assert_eq!(&source[f.find("radius").unwrap()], "radius");
    }

    #[test]
    fn errors_point_into_the_file() {
        let source: Arc<str> = "x = Disc(radius: 1.0, fricton: 0.3)".into();
        let f = Fragment::new(source.clone(), 4..source.len());
        let e = f.parse_body::<Disc>().unwrap_err();
        assert_eq!(e.help.as_deref(), Some("did you mean `friction`?"));
        let Place::Span(span) = e.place else { panic!("no span") };
        assert!(source[span.start..].contains("fricton") || source[..span.start].ends_with("fricton"), "{span:?}");
        let e = Fragment::whole("Disc(radius: -)").parse_body::<Disc>().unwrap_err();
        assert!(matches!(e.place, Place::Span(_)));
    }

    #[derive(Debug, serde::Deserialize)]
    enum Way {
        Auto,
        Fixed(f64),
    }

    #[derive(Debug, serde::Deserialize)]
    struct Mixed {
        way: Way,
    }

    /// Only empty brackets behind a choice without parameters are told so.
    #[test]
    fn a_choice_without_parameters_has_no_brackets() {
        let said = |text: &str| {
            let error = Fragment::whole(text).parse::<Mixed>().unwrap_err();
            (error.to_string(), error.help.unwrap_or_default())
        };
        for brackets in ["()", "( )", " ()"] {
            let (words, help) = said(&format!("(way: Auto{brackets})"));
            assert!(words.contains("`Auto` takes nothing here"), "{words}");
            assert_eq!(help, "write `Auto` instead of `Auto()`");
        }
        for other in ["(way: Auto(1))", "(way: Fixed())", "(way: Auto", "(way: Auto(", "()", "(way: Fixed(())", ""] {
            assert!(!said(other).0.contains("takes nothing"), "{other}: {}", said(other).0);
        }
    }

    #[test]
    fn odd_ranges_do_not_panic() {
        let f = Fragment::new("// only".into(), 0..999);
        assert_eq!(f.text(), "");
        assert_eq!(f.name_span(), f.span().start..f.span().start);
        assert!(f.parse::<Disc>().is_err());
    }
}
