//! All errors of a model at once, with the text they point into.

use std::{fmt, ops::Range, sync::Arc};

use mpcd_core::{InputError, input::Place};

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

    fn show(&self, error: &InputError, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((line, column)) = self.line_column(error) else {
            write!(f, "{}: {}", self.name, error.message)?;
            return error.help.as_ref().map_or(Ok(()), |help| write!(f, "\n  help: {help}"));
        };
        writeln!(f, "{}:{line}:{column}: {}", self.name, error.message)?;
        let shown = self.text.lines().nth(line - 1).unwrap_or("");
        let span = self.span(error).unwrap_or(0..0);
        let width = self.text[span].lines().next().unwrap_or("").chars().count().max(1);
        let number = line.to_string();
        writeln!(f, "  {number} | {shown}")?;
        write!(f, "  {} | {}{}", " ".repeat(number.len()), " ".repeat(column - 1), "^".repeat(width))?;
        if let Some(argument) = self.argument(error) {
            write!(f, "\n  from: --set {argument}")?;
        }
        error.help.as_ref().map_or(Ok(()), |help| write!(f, "\n  help: {help}"))
    }
}

impl fmt::Display for ModelErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, error) in self.errors.iter().enumerate() {
            if i > 0 {
                f.write_str("\n\n")?;
            }
            self.show(error, f)?;
        }
        Ok(())
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
}
