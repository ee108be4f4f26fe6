//! All errors of a model at once, with the text they point into.

use std::{fmt, ops::Range, sync::Arc};

use mpcd_core::{
    InputError,
    input::{Place, shortened},
};

use crate::splice::Spliced;

/// What is wrong with a model: at least one error.
#[derive(Debug, Clone)]
pub struct ModelErrors {
    /// Name of the file, as the user gave it.
    pub name: String,
    /// The text that was read, with `--set` values in place. Empty when the file could not be read.
    pub text: Arc<str>,
    /// The errors, in the order of their places.
    pub errors: Vec<InputError>,
    /// Values that came from the command line.
    pub spliced: Vec<Spliced>,
}

impl ModelErrors {
    /// Bytes of `text` an error points at.
    #[must_use]
    pub fn span(&self, error: &InputError) -> Option<Range<usize>> {
        match &error.place {
            Place::Span(span) if !self.text.is_empty() => {
                let boundary = |mut i: usize| {
                    i = i.min(self.text.len());
                    while !self.text.is_char_boundary(i) {
                        i -= 1;
                    }
                    i
                };
                Some(boundary(span.start)..boundary(span.end.max(span.start)))
            }
            _ => None,
        }
    }

    /// The `--set` argument an error points into.
    #[must_use]
    pub fn argument(&self, error: &InputError) -> Option<&str> {
        let span = self.span(error)?;
        self.spliced
            .iter()
            .find(|s| span.start < s.range.end && s.range.start < span.end.max(span.start + 1))
            .map(|s| s.argument.as_str())
    }

    /// Line and column of an error, both from 1, columns in characters.
    #[must_use]
    pub fn line_column(&self, error: &InputError) -> Option<(usize, usize)> {
        let before = &self.text[..self.span(error)?.start];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        Some((before.matches('\n').count() + 1, before[line_start..].chars().count() + 1))
    }

    /// The line of an error and `around` lines before and after it, long ones cut: what is shown of the text.
    #[must_use]
    pub fn excerpt(&self, error: &InputError, around: usize) -> Option<Excerpt> {
        let span = self.span(error)?;
        let end_of = |from: usize| self.text[from..].find('\n').map_or(self.text.len(), |i| from + i);
        let mut start = self.text[..span.start].rfind('\n').map_or(0, |i| i + 1);
        let (this, mut end) = (start, end_of(span.start));
        for _ in 0..around {
            start = self.text[..start.saturating_sub(1)].rfind('\n').map_or(0, |i| i + 1);
            end = if end < self.text.len() { end_of(end + 1) } else { end };
        }
        let line = self.text[..start].matches('\n').count();
        let mut out = Excerpt { line, ..Excerpt::default() };
        let mut at = start;
        for text in self.text[start..end].split('\n') {
            if at == this {
                let within = span.start - this..span.end.min(this + text.len()).max(span.start) - this;
                out.push_marked(text, within);
            } else {
                out.push_plain(text);
            }
            at += text.len() + 1;
        }
        Some(out)
    }

    fn show(&self, error: &InputError, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let message = shortened(&error.message, MESSAGE);
        let (Some((line, column)), Some(excerpt)) = (self.line_column(error), self.excerpt(error, 0)) else {
            write!(f, "{}: {message}", self.name)?;
            return error.help.as_ref().map_or(Ok(()), |help| write!(f, "\n  help: {help}"));
        };
        writeln!(f, "{}:{line}:{column}: {message}", self.name)?;
        let width = excerpt.text[excerpt.span.clone()].chars().count().max(1);
        let before = excerpt.text[..excerpt.span.start].chars().count();
        let number = line.to_string();
        writeln!(f, "  {number} | {}", excerpt.text.trim_end_matches('\r'))?;
        write!(f, "  {} | {}{}", " ".repeat(number.len()), " ".repeat(before), "^".repeat(width))?;
        if let Some(argument) = self.argument(error) {
            write!(f, "\n  from: --set {}", shortened(argument, MESSAGE))?;
        }
        error.help.as_ref().map_or(Ok(()), |help| write!(f, "\n  help: {help}"))
    }
}

/// Most characters of a message that are shown.
pub const MESSAGE: usize = 1_000;
/// Most errors that are shown.
pub const SHOWN: usize = 30;
/// Most characters of a line that are shown, and how many of them may stand before the place of an error.
const LINE: usize = 160;
const BEFORE: usize = 60;

/// A few lines of a model as they are shown around an error. Long lines are cut, which `…` marks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// The lines.
    pub text: String,
    /// Number of the first line, from 0.
    pub line: usize,
    /// Bytes of `text` the error points at, in one line.
    pub span: Range<usize>,
    /// Characters of the line of the error that were cut before what is shown of it, less the mark that stands for them.
    pub cut: usize,
    begun: bool,
}

impl Excerpt {
    fn push_plain(&mut self, line: &str) {
        self.separate();
        match line.char_indices().nth(LINE) {
            None => self.text.push_str(line),
            Some((end, _)) => self.text.extend([&line[..end], "…"]),
        }
    }

    /// The line that the error is in, at these bytes of it.
    fn push_marked(&mut self, line: &str, span: Range<usize>) {
        self.separate();
        let fits = line.chars().nth(LINE).is_none();
        let from = if fits { 0 } else { line[..span.start].char_indices().rev().nth(BEFORE - 1).map_or(0, |(i, _)| i) };
        let to = if fits { line.len() } else { line[from..].char_indices().nth(LINE).map_or(line.len(), |(i, _)| from + i) };
        if from > 0 {
            self.text.push('…');
            self.cut = line[..from].chars().count() - 1;
        }
        let shift = self.text.len();
        self.text.push_str(&line[from..to]);
        self.span = shift + span.start - from..shift + span.end.min(to).max(span.start) - from;
        if to < line.len() {
            self.text.push('…');
        }
    }

    fn separate(&mut self) {
        if self.begun {
            self.text.push('\n');
        }
        self.begun = true;
    }
}

impl fmt::Display for ModelErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.errors.iter().take(SHOWN).enumerate() {
            if i > 0 {
                f.write_str("\n\n")?;
            }
            self.show(error, f)?;
        }
        match self.errors.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, "\n\n{more} more errors are not shown"),
        }
    }
}

impl std::error::Error for ModelErrors {}

/// Errors found so far; reading goes on after each.
#[derive(Debug, Default)]
pub(crate) struct Collect(Vec<InputError>);

impl Collect {
    pub(crate) fn push(&mut self, error: InputError) {
        self.0.push(error);
    }

    /// The value, or the error into the collection.
    pub(crate) fn keep<T>(&mut self, result: Result<T, InputError>) -> Option<T> {
        result.map_err(|e| self.push(e)).ok()
    }

    /// The errors in the order of their places, equal ones once.
    pub(crate) fn finish(mut self) -> Vec<InputError> {
        let place = |e: &InputError| match &e.place {
            Place::Span(span) => span.start,
            _ => usize::MAX,
        };
        self.0.sort_by_key(place);
        self.0.dedup();
        self.0
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Errors so far.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}
