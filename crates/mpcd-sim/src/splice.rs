//! `--set a.b(1).c=VALUE`: replaces or adds a value in the text of a model before it is read.
//! Works on the text alone, so that comments, layout and the places of later errors stay true.

use std::ops::Range;

use mpcd_core::input::{nearest, ron_options};

use crate::scan::{self, Container, Kind};

/// A `--set` argument that cannot be applied. Its message shows the argument.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("--set {argument}: {problem}")]
pub struct SetError {
    /// The argument as given.
    pub argument: String,
    /// What is wrong, what was expected, what to do.
    pub problem: String,
}

/// A value that came from the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spliced {
    /// Its bytes in the text after splicing, with its key where the key was added.
    pub range: Range<usize>,
    /// The argument it came from.
    pub argument: String,
}

/// One step of a path.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    Key(String),
    Index(usize),
}

/// Applies all arguments in order. Returns the new text and where their values stand in it.
///
/// # Errors
/// [`SetError`] for every argument that is malformed or names a place the text does not have.
pub fn splice(text: &str, arguments: &[String]) -> Result<(String, Vec<Spliced>), Vec<SetError>> {
    let mut text = text.to_owned();
    let (mut done, mut errors) = (Vec::<Spliced>::new(), Vec::new());
    for argument in arguments {
        match edit(&text, argument) {
            Err(problem) => errors.push(SetError { argument: argument.clone(), problem }),
            Ok(Edit { replaced, lead, value, tail }) => {
                let start = replaced.start;
                let new = format!("{lead}{value}{tail}");
                done.retain(|s| !(replaced.start <= s.range.start && s.range.end <= replaced.end && !replaced.is_empty()));
                for s in done.iter_mut().filter(|s| s.range.start >= replaced.end) {
                    s.range = s.range.start + new.len() - replaced.len()..s.range.end + new.len() - replaced.len();
                }
                text.replace_range(replaced, &new);
                done.push(Spliced { range: start..start + lead.len() + value.len(), argument: argument.clone() });
            }
        }
    }
    if errors.is_empty() { Ok((text, done)) } else { Err(errors) }
}

/// Replace `replaced` by `lead + value + tail`.
struct Edit {
    replaced: Range<usize>,
    lead: String,
    value: String,
    tail: String,
}

fn edit(text: &str, argument: &str) -> Result<Edit, String> {
    let (path, value) = argument
        .split_once('=')
        .ok_or_else(|| "expected PATH=VALUE, as in `time.step=1e-4` or `bodies[1].at=(0, 2)`".to_owned())?;
    let parts = parse_path(path.trim())?;
    let value = ron_value(value.trim())?;
    let mut place = scan::skip_blank(text, 0)..text.len();
    let mut shown = String::new();
    for (depth, part) in parts.iter().enumerate() {
        let found = scan::container(text, place.clone());
        let last = depth + 1 == parts.len();
        let here = if shown.is_empty() { "the model".to_owned() } else { format!("`{shown}`") };
        match part {
            Part::Index(index) => place = item_at(&found, *index, &here)?,
            Part::Key(key) => match item_of(text, &found, key) {
                Some(value_place) => place = value_place,
                None if last => return insertion(&found, &place, key, value, &here),
                None => {
                    let nested = nested(&parts[depth + 1..], &value).filter(|_| !is_misspelt(text, &found, key));
                    let nested = nested.ok_or_else(|| missing_key(text, &found, key, &here))?;
                    return insertion(&found, &place, key, nested, &here);
                }
            },
        }
        match part {
            Part::Index(i) => shown.push_str(&format!("[{i}]")),
            Part::Key(k) if shown.is_empty() => shown.push_str(k),
            Part::Key(k) => shown.push_str(&format!(".{k}")),
        }
    }
    Ok(Edit { replaced: place, lead: String::new(), value, tail: String::new() })
}

fn item_at(found: &Container, index: usize, here: &str) -> Result<Range<usize>, String> {
    if found.kind != Kind::List {
        return Err(format!("{here} is no list, so it has no item [{index}]"));
    }
    found
        .items
        .get(index)
        .map(|i| i.value.clone())
        .ok_or_else(|| format!("{here} has {} item(s), numbered from 0, so there is no [{index}]", found.items.len()))
}

fn keys<'a>(text: &'a str, found: &Container) -> Vec<&'a str> {
    found.items.iter().filter_map(|i| i.key.clone()).map(|k| &text[k]).collect()
}

fn item_of(text: &str, found: &Container, key: &str) -> Option<Range<usize>> {
    found.items.iter().find(|i| i.key.clone().is_some_and(|k| &text[k] == key)).map(|i| i.value.clone())
}

/// The value of a key that is not there yet, with keys of its own down to the one that is set; `None` for an item of a list, of which nothing is there.
fn nested(parts: &[Part], value: &str) -> Option<String> {
    parts.iter().rev().try_fold(value.to_owned(), |value, part| match part {
        Part::Key(key) => Some(format!("({key}: {value})")),
        Part::Index(_) => None,
    })
}

/// Whether a key that is not there is nearly one that is.
fn is_misspelt(text: &str, found: &Container, key: &str) -> bool {
    nearest(key, keys(text, found).into_iter()).is_some()
}

fn missing_key(text: &str, found: &Container, key: &str, here: &str) -> String {
    let known = keys(text, found);
    match (nearest(key, known.iter().copied()), found.kind) {
        (Some(near), _) => format!("{here} has no `{key}`; did you mean `{near}`?"),
        (None, Kind::Struct | Kind::Map | Kind::BareName) if known.is_empty() => {
            format!("{here} has no `{key}`, nor any other key")
        }
        (None, Kind::Struct | Kind::Map) => format!("{here} has no `{key}`; it has: {}", known.join(", ")),
        (None, Kind::List) => format!("{here} is a list; choose an item with [0], [1], …"),
        (None, _) => format!("{here} is a single value and has no keys"),
    }
}

/// A key that its struct or map does not have yet.
fn insertion(found: &Container, place: &Range<usize>, key: &str, value: String, here: &str) -> Result<Edit, String> {
    let separator = if found.items.is_empty() { "" } else { ", " };
    let at = |lead: String, tail: &str, at: usize| Edit { replaced: at..at, lead, value, tail: tail.to_owned() };
    match found.kind {
        Kind::Struct => Ok(at(format!("{key}: "), separator, found.start)),
        Kind::Map => Ok(at(format!("\"{key}\": "), separator, found.start)),
        Kind::BareName => Ok(at(format!("({key}: "), ")", found.start.min(place.end))),
        Kind::List => Err(format!("{here} is a list; choose an item with [0], [1], …")),
        Kind::Leaf => Err(format!("{here} is a single value and has no key `{key}`")),
    }
}

/// The value as RON; what is no RON but plain words (`0.1 ms`, which a shell strips of its quotes) becomes a text.
fn ron_value(value: &str) -> Result<String, String> {
    if value.is_empty() {
        return Err("the value after `=` is missing".to_owned());
    }
    let problem = match ron_options().from_str::<serde::de::IgnoredAny>(value) {
        Ok(_) => return Ok(value.to_owned()),
        Err(e) => e.code,
    };
    if value.contains(|c| "()[]{}\":,'\\\n".contains(c)) {
        return Err(format!("`{value}` cannot be read as a value: {problem}"));
    }
    Ok(format!("\"{value}\""))
}

fn parse_path(path: &str) -> Result<Vec<Part>, String> {
    let malformed = || format!("`{path}` is no path; write keys with dots and items with brackets, as in `bodies[1].at`");
    let mut parts = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('[') {
            let (number, tail) = after.split_once(']').ok_or_else(malformed)?;
            parts.push(Part::Index(number.trim().parse().map_err(|_| malformed())?));
            rest = tail;
            continue;
        }
        if !parts.is_empty() {
            rest = rest.strip_prefix('.').ok_or_else(malformed)?;
        }
        let (key, tail) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').ok_or_else(malformed)?,
            None => rest.split_at(rest.find(['.', '[', '"']).unwrap_or(rest.len())),
        };
        if key.is_empty() {
            return Err(malformed());
        }
        parts.push(Part::Key(key.to_owned()));
        rest = tail;
    }
    if parts.is_empty() { Err(malformed()) } else { Ok(parts) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    const TEXT: &str = r#"( // the model
  time: (step: "1 ms", end: 2), // time: (step: 9)
  materials: { "steel wool": (density: 7800) },
  bodies: [ (group: "a", at: (0, 1)), (group: "b") ],
  physics: [ Contact, Electrical(solver: "auto"), ],
)"#;

    fn set(argument: &str) -> Result<String, String> {
        match splice(TEXT, &[argument.to_owned()]) {
            Ok((text, spliced)) => {
                let value = argument.split_once('=').unwrap().1;
                assert!(
                    text[spliced[0].range.clone()].trim_end_matches(['"', ')']).ends_with(value.trim_end_matches(['"', ')'])),
                    "{argument}"
                );
                Ok(text)
            }
            Err(e) => Err(e[0].to_string()),
        }
    }

    #[test]
    fn values_are_replaced_and_keys_are_added() {
        for (argument, part) in [
            ("time.step=2e-4", "time: (step: 2e-4, end: 2), // time: (step: 9)"),
            ("time.step=0.1 ms", "(step: \"0.1 ms\", end"),
            ("materials.steel wool.density=1", "(density: 1)"),
            ("materials.\"steel wool\".thermal=(a: 1)", "(thermal: (a: 1), density: 7800)"),
            ("materials.brass=(density: 2)", "{\"brass\": (density: 2),  \"steel wool\""),
            ("bodies[0].at[1]=7", "at: (0, 7)"),
            ("bodies[1].at=(5, 5)", "(at: (5, 5), group: \"b\")"),
            ("physics[0].tolerance=1e-9", "Contact(tolerance: 1e-9), Electrical"),
            ("physics[1].solver=\"cholesky\"", "Electrical(solver: \"cholesky\")"),
            ("title=\"x\"", "(title: \"x\",  // the model"),
            ("physics[0].watch.swing=Warn", "Contact(watch: (swing: Warn)), Electrical"),
            ("output.adapt.longest=1e-3", "(output: (adapt: (longest: 1e-3)),  // the model"),
            ("materials.brass.elastic.young=1e9", "{\"brass\": (elastic: (young: 1e9)),  \"steel wool\""),
        ] {
            let text = set(argument).unwrap();
            assert!(text.contains(part), "{argument}: {text}");
        }
    }

    #[test]
    fn wrong_arguments_say_what_was_expected() {
        for (argument, message) in [
            ("time.step", "--set time.step: expected PATH=VALUE, as in `time.step=1e-4` or `bodies[1].at=(0, 2)`"),
            ("time.step=", "--set time.step=: the value after `=` is missing"),
            ("tiem.step=1", "--set tiem.step=1: the model has no `tiem`; did you mean `time`?"),
            ("bodies[7].at=1", "--set bodies[7].at=1: `bodies` has 2 item(s), numbered from 0, so there is no [7]"),
            ("time.steps.x=1", "--set time.steps.x=1: `time` has no `steps`; did you mean `step`?"),
            (
                "output.probes[0].name=\"x\"",
                "--set output.probes[0].name=\"x\": the model has no `output`; it has: time, materials, bodies, physics",
            ),
            ("physics[0].loads[0].x=1", "--set physics[0].loads[0].x=1: `physics[0]` has no `loads`, nor any other key"),
            ("time[0]=1", "--set time[0]=1: `time` is no list, so it has no item [0]"),
            ("bodies.at=1", "--set bodies.at=1: `bodies` is a list; choose an item with [0], [1], …"),
            ("time.step.x=1", "--set time.step.x=1: `time.step` is a single value and has no key `x`"),
            ("time.step=(1", "--set time.step=(1: `(1` cannot be read as a value: Expected comma"),
            (
                "time..step=1",
                "--set time..step=1: `time..step` is no path; write keys with dots and items with brackets, as in `bodies[1].at`",
            ),
        ] {
            assert_eq!(set(argument).unwrap_err(), message);
        }
    }

    #[test]
    fn several_arguments_keep_their_places() {
        let arguments = ["time.end=33", "time.step=4444", "title=\"long title\"", "time.end=5"].map(str::to_owned);
        let (text, spliced) = splice(TEXT, &arguments).unwrap();
        let shown: Vec<_> = spliced.iter().map(|s| (&text[s.range.clone()], s.argument.as_str())).collect();
        assert_eq!(shown, [("4444", "time.step=4444"), ("title: \"long title\"", "title=\"long title\""), ("5", "time.end=5")]);
    }
}
