//! What a model says about single edges and single modules of the coupling: edges that are switched off, and paces. Names are looked up here;
//! what follows from them is in `coupling` and `pace`.

use std::sync::Arc;

use mpcd_core::{InputError, port::Edge};

use crate::{
    coupling::Member,
    model::{EdgeSection, PaceSection},
    pace::Pace,
};

/// The edges that are switched off: reader and field.
///
/// # Errors
/// Edges that are not there, each with those that are.
pub(crate) fn switched_off(
    modules: &[Member],
    edges: &[Edge],
    listed: &[EdgeSection],
    text: &Arc<str>,
) -> Result<Vec<(usize, &'static str)>, Vec<InputError>> {
    // What a module reads back of itself is its memory.
    let known = || edges.iter().filter(|e| e.from != e.to);
    let words: Vec<String> = known().map(|e| format!("{} to {}", e.field.name, modules[e.to].name)).collect();
    let (mut out, mut errors) = (Vec::new(), Vec::new());
    for EdgeSection { field, to } in listed {
        let named = |e: &&Edge| e.field.name == field.text && modules[e.to].name.eq_ignore_ascii_case(&to.text);
        if let Some(edge) = known().find(named) {
            out.push((edge.to, edge.field.name));
            continue;
        }
        let asked = format!("{} to {}", field.text, to.text);
        let error = InputError::unknown("coupling edge", &asked, words.iter().map(String::as_str));
        let error =
            if words.is_empty() { error.help("no module of this model reads a field of another; remove `off`") } else { error };
        errors.push(error.span(field.piece.of(text).span()));
    }
    if errors.is_empty() { Ok(out) } else { Err(errors) }
}

/// Most parts of a step, and steps to one.
const MOST: u32 = 1_000_000;

/// The pace of each module, in the order of the model.
///
/// # Errors
/// Modules that do not exist, or whose pace cannot be another.
pub(crate) fn paces(modules: &[Member], listed: &[PaceSection], text: &Arc<str>) -> Result<Vec<Pace>, Vec<InputError>> {
    let mut out = vec![Pace::Each; modules.len()];
    let mut seen = vec![false; modules.len()];
    let mut errors = Vec::new();
    for section in listed {
        let word = &section.module.text;
        let span = section.module.piece.of(text).span();
        let Some(i) = modules.iter().position(|m| m.name.eq_ignore_ascii_case(word)) else {
            errors.push(InputError::unknown("module", word, modules.iter().map(|m| m.name)).span(span));
            continue;
        };
        let name = modules[i].name;
        let pace = match (section.substeps, section.every) {
            _ if modules[i].world => Err((
                format!("the module `{name}` moves the bodies, so the step of the run is its step"),
                "choose `step` of `time` for it, and let the other modules take `substeps` in it or run `every` so many of them",
            )),
            _ if seen[i] => Err((format!("the module `{name}` has two paces; expected one"), "remove one of the two")),
            (Some(0), None) | (None, Some(0)) => {
                Err((format!("the pace of `{name}` is 0; expected a number of 1 or more"), "write for example `every: 10`"))
            }
            (Some(n), None) | (None, Some(n)) if n > MOST => {
                Err((format!("the pace of `{name}` is {n}; expected at most {MOST}"), "choose another `step` of `time`"))
            }
            (Some(n), None) => Ok(if n == 1 { Pace::Each } else { Pace::Substeps(n) }),
            (None, Some(n)) => Ok(if n == 1 { Pace::Each } else { Pace::Every(n) }),
            _ => Err((
                format!(
                    "the pace of `{name}` needs `substeps` (parts of a step) or `every` (steps to one of its own), and not both"
                ),
                "write for example `(module: \"…\", every: 10)`",
            )),
        };
        match pace {
            Ok(pace) => (out[i], seen[i]) = (pace, true),
            Err((message, help)) => errors.push(InputError::new(message).help(help).span(span)),
        }
    }
    if errors.is_empty() { Ok(out) } else { Err(errors) }
}
