//! Errors as pictures: the place in the model file, what was expected, what to do. No command lives here.

use std::fmt;

use miette::{Diagnostic, GraphicalReportHandler, LabeledSpan, NamedSource, SourceCode};
use mpcd_core::InputError;
use mpcd_sim::ModelErrors;

/// One error of a model file in miette's terms.
#[derive(Debug)]
struct Picture<'a> {
    error: &'a InputError,
    source: Option<NamedSource<String>>,
    span: Option<std::ops::Range<usize>>,
    argument: Option<String>,
}

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.error.message)
    }
}

impl std::error::Error for Picture<'_> {}

impl Diagnostic for Picture<'_> {
    fn help<'b>(&'b self) -> Option<Box<dyn fmt::Display + 'b>> {
        let argument = self.argument.as_ref().map(|a| format!("this text comes from --set {a}"));
        let parts: Vec<String> = self.error.help.iter().cloned().chain(argument).collect();
        (!parts.is_empty()).then(|| Box::new(parts.join("\n")) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|s| s as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.span.clone()?;
        Some(Box::new(std::iter::once(LabeledSpan::underline(span))))
    }
}

/// All errors of a model as text for the terminal, the first place as `file:line:column` on a line of its own.
pub(super) fn render(errors: &ModelErrors, colour: bool) -> String {
    let theme = if colour { miette::GraphicalTheme::unicode() } else { miette::GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(120);
    let mut out = String::new();
    for error in &errors.errors {
        let span = errors.span(error);
        let place = errors
            .line_column(error)
            .map_or_else(|| errors.name.clone(), |(line, column)| format!("{}:{line}:{column}", errors.name));
        let picture = Picture {
            error,
            source: span.is_some().then(|| NamedSource::new(&errors.name, errors.text.to_string())),
            span,
            argument: errors.argument(error).map(str::to_owned),
        };
        out.push_str(&place);
        out.push('\n');
        if handler.render_report(&mut out, &picture).is_err() {
            out.push_str(&error.message);
        }
        out.push('\n');
    }
    let count = errors.errors.len();
    out.push_str(&format!("{count} error{} in {}", if count == 1 { "" } else { "s" }, errors.name));
    out
}
