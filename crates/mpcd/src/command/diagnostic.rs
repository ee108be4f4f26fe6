//! Errors as pictures: the place in the model file, what was expected, what to do. A picture shows a few lines, and of a long line a
//! part, however large the model. No command lives here.

use std::fmt;

use miette::{
    Diagnostic, GraphicalReportHandler, LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents,
};
use mpcd_core::{InputError, input::shortened};
use mpcd_sim::{
    ModelErrors,
    model::{Excerpt, MESSAGE, SHOWN},
};

/// The lines of the model around an error, under the numbers that they have in the file.
#[derive(Debug)]
struct Lines<'a> {
    name: &'a str,
    excerpt: Excerpt,
}

impl SourceCode for Lines<'_> {
    fn read_span<'b>(
        &'b self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'b> + 'b>, MietteError> {
        let found = self.excerpt.text.read_span(span, before, after)?;
        // Where the span alone is asked for, its column is that in the file.
        let cut = if before + after == 0 { self.excerpt.cut } else { 0 };
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.to_owned(),
            found.data(),
            *found.span(),
            found.line() + self.excerpt.line,
            found.column() + cut,
            found.line_count(),
        )))
    }
}

/// One error of a model file in miette's terms.
#[derive(Debug)]
struct Picture<'a> {
    error: &'a InputError,
    lines: Option<Lines<'a>>,
    argument: Option<String>,
}

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shortened(&self.error.message, MESSAGE))
    }
}

impl std::error::Error for Picture<'_> {}

impl Diagnostic for Picture<'_> {
    fn help<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        let argument = self.argument.as_ref().map(|a| format!("this text comes from --set {}", shortened(a, MESSAGE)));
        let parts: Vec<String> = self.error.help.iter().cloned().chain(argument).collect();
        (!parts.is_empty()).then(|| Box::new(parts.join("\n")) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.lines.as_ref().map(|lines| lines as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.lines.as_ref()?.excerpt.span.clone();
        Some(Box::new(std::iter::once(LabeledSpan::underline(span))))
    }
}

/// All errors of a model as text for the terminal, the first place as `file:line:column` on a line of its own.
pub(super) fn render(errors: &ModelErrors, colour: bool) -> String {
    let theme = if colour { miette::GraphicalTheme::unicode() } else { miette::GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(120);
    let mut out = String::new();
    for error in errors.errors.iter().take(SHOWN) {
        let place = errors
            .line_column(error)
            .map_or_else(|| errors.name.clone(), |(line, column)| format!("{}:{line}:{column}", errors.name));
        let picture = Picture {
            error,
            lines: errors.excerpt(error, 1).map(|excerpt| Lines { name: &errors.name, excerpt }),
            argument: errors.argument(error).map(str::to_owned),
        };
        out.push_str(&place);
        out.push('\n');
        if handler.render_report(&mut out, &picture).is_err() {
            out.push_str(&shortened(&error.message, MESSAGE));
        }
        out.push('\n');
    }
    let count = errors.errors.len();
    if count > SHOWN {
        out.push_str(&format!("{} more errors are not shown\n", count - SHOWN));
    }
    out.push_str(&format!("{count} error{} in {}", if count == 1 { "" } else { "s" }, errors.name));
    out
}
