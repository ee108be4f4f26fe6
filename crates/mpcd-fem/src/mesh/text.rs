//! Words and numbers of a text with the line they stand in. Knows no format.

use std::str::FromStr;

use super::MeshError;

/// What is left of a text.
pub(super) struct Text<'a> {
    file: &'a str,
    rest: &'a str,
    line: usize,
}

impl<'a> Text<'a> {
    pub(super) fn new(file: &'a str, text: &'a str) -> Self {
        Self { file, rest: text, line: 1 }
    }

    /// The file.
    pub(super) fn file(&self) -> &'a str {
        self.file
    }

    /// The next word, between white space; `None` at the end.
    pub(super) fn word(&mut self) -> Option<&'a str> {
        self.skip_space();
        let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    /// The next number.
    pub(super) fn number<T: FromStr>(&mut self, expected: &'static str) -> Result<T, MeshError> {
        let found = self.word().unwrap_or("the end of the file");
        found.parse().map_err(|_| self.fault(expected, found))
    }

    /// A coordinate: a finite number.
    pub(super) fn coordinate(&mut self) -> Result<f64, MeshError> {
        let value: f64 = self.number("a coordinate")?;
        if value.is_finite() { Ok(value) } else { Err(self.fault("a finite coordinate", &value.to_string())) }
    }

    /// The next words in double quotes, or one word without.
    pub(super) fn quoted(&mut self, expected: &'static str) -> Result<&'a str, MeshError> {
        self.skip_space();
        let Some(inner) = self.rest.strip_prefix('"') else {
            return self.word().ok_or_else(|| self.fault(expected, "the end of the file"));
        };
        let Some(end) = inner.find(['"', '\n']) else { return Err(self.fault(expected, "a quote that does not end")) };
        self.rest = inner[end..].strip_prefix('"').unwrap_or(&inner[end..]);
        Ok(&inner[..end])
    }

    /// The next word, which must be this one.
    pub(super) fn keyword(&mut self, keyword: &'static str) -> Result<(), MeshError> {
        match self.word() {
            Some(word) if word == keyword => Ok(()),
            other => Err(self.fault(keyword, other.unwrap_or("the end of the file"))),
        }
    }

    /// Leaves out everything up to and with a keyword.
    pub(super) fn skip_past(&mut self, keyword: &str) -> Result<(), MeshError> {
        while let Some(word) = self.word() {
            if word == keyword {
                return Ok(());
            }
        }
        Err(self.fault("the end of a section", "the end of the file"))
    }

    /// Line of what was read last, from 1.
    pub(super) const fn line(&self) -> usize {
        self.line
    }

    pub(super) fn fault(&self, expected: &'static str, found: &str) -> MeshError {
        let found: String = found.chars().take(40).collect();
        MeshError::Syntax { file: self.file.to_owned(), line: self.line, expected, found: format!("`{found}`") }
    }

    fn skip_space(&mut self) {
        let trimmed = self.rest.trim_start();
        self.line += self.rest[..self.rest.len() - trimmed.len()].matches('\n').count();
        self.rest = trimmed;
    }
}
