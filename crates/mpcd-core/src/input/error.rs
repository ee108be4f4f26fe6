//! An error in what the user wrote: what is wrong, what was expected, what to do, and where.

use std::ops::Range;

use super::Fragment;

/// Where an error is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Not known yet: whoever holds the fragment says so with [`InputError::within`].
    Unknown,
    /// The first occurrence of this text in the fragment the error belongs to.
    Text(String),
    /// Bytes of the model file.
    Span(Range<usize>),
    /// Addresses of the text that the reader lent to a [`super::Slot`]: [`InputError::within`] makes bytes of the file of them.
    Lent(Range<usize>),
}

/// A diagnostic about the user's input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct InputError {
    /// What is wrong and what was expected.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// Where.
    pub place: Place,
}

impl InputError {
    /// An error whose place is not known yet.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None, place: Place::Unknown }
    }

    /// Adds what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Says which text of the fragment the error is about (a key, a quoted name).
    #[must_use]
    pub fn at(mut self, text: impl Into<String>) -> Self {
        self.place = Place::Text(text.into());
        self
    }

    /// Says which bytes of the file the error is about.
    #[must_use]
    pub fn span(mut self, span: Range<usize>) -> Self {
        self.place = Place::Span(span);
        self
    }

    /// A `max_iterations` of 0.
    #[must_use]
    pub fn no_iterations() -> Self {
        Self::new("`max_iterations` is 0, so no step could be solved; expected at least 1")
            .help("remove it: the default is for all models")
            .at("max_iterations")
    }

    /// `name` is no known `kind`; the nearest known name is offered and the quoted name is the place.
    pub fn unknown<'a>(kind: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Self {
        let mut list = known.clone().take(SHOWN).map(|k| format!("`{}`", shortened(k, 60))).collect::<Vec<_>>().join(", ");
        let more = known.clone().skip(SHOWN).count();
        if more > 0 {
            list.push_str(&format!(" and {more} more"));
        }
        let help = match nearest(name, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None if list.is_empty() => format!("the model has no {kind}; add one"),
            None => format!("known: {list}"),
        };
        let expected = if list.is_empty() { "none is known".to_owned() } else { format!("expected one of {list}") };
        Self::new(format!("unknown {kind} `{}`; {expected}", shortened(name, 60))).help(help).at(name)
    }

    /// Gives the error a place inside `fragment`, unless it already has one in the file.
    #[must_use]
    pub fn within(mut self, fragment: &Fragment) -> Self {
        self.place = match self.place {
            Place::Span(span) => Place::Span(span),
            Place::Unknown => Place::Span(fragment.name_span()),
            Place::Text(text) => Place::Span(fragment.find(&text).unwrap_or_else(|| fragment.name_span())),
            Place::Lent(addresses) => {
                let from = fragment.source().as_ptr() as usize;
                let span = addresses.start.wrapping_sub(from)..addresses.end.wrapping_sub(from);
                let inside = span.start < span.end && span.end <= fragment.source().len();
                Place::Span(if inside { span } else { fragment.name_span() })
            }
        };
        self
    }
}

/// Most names listed in a message.
const SHOWN: usize = 40;

/// At most `most` characters of a text; what is left out is counted.
#[must_use]
pub fn shortened(text: &str, most: usize) -> std::borrow::Cow<'_, str> {
    match text.char_indices().nth(most) {
        None => text.into(),
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()).into(),
    }
}

/// Longest name that is compared with others, in bytes.
const COMPARED: usize = 80;

/// The known name nearest to `name`, if one is near enough to be meant.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let short = |name: &str| name.len() <= COMPARED;
    known
        .filter(|k| short(name) && short(k))
        .map(|k| (strsim::damerau_levenshtein(&name.to_lowercase(), &k.to_lowercase()), k))
        .filter(|(d, k)| *d <= 1 + k.len().min(name.len()) / 4)
        .min_by_key(|(d, _)| *d)
        .map(|(_, k)| k)
}
