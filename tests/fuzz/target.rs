//! What the fuzzing of the model reader does with a case: reads it, builds it and describes it, as `mpcd check` does. Any answer is
//! right but a panic and an error that points beside the text.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use mpcd::{Registry, StandardRegistry};
use mpcd_sim::{Model, ModelErrors, Simulation, describe};

/// The sound models that cases are made from: the gallery, the models in the documentation, and the cases that once went wrong.
pub(crate) fn models() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in ["models", "docs", "tests/corpus", "crates/mpcd/tests/all"] {
        collect(&root.join(folder), &mut files);
    }
    // the packings of benchmarks take longer than a case may
    files.retain(|file| !file.components().any(|part| part.as_os_str() == "benchmark"));
    files.sort();
    let texts = files.iter().filter_map(|f| Some((f, std::fs::read_to_string(f).ok()?)));
    texts.flat_map(|(f, text)| if f.extension().is_some_and(|e| e == "md") { blocks(&text) } else { vec![text] }).collect()
}

/// The cases that once went wrong.
#[allow(dead_code, reason = "the program makes cases, the test reads these too")]
pub(crate) fn corpus() -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus"), &mut files);
    files.sort();
    files.into_iter().filter_map(|f| std::fs::read_to_string(&f).ok().map(|text| (f, text))).collect()
}

fn collect(folder: &Path, out: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).into_iter().flatten().filter_map(|e| Some(e.ok()?.path())) {
        if path.is_dir() {
            collect(&path, out);
        } else if path.extension().is_some_and(|e| e == "ron" || e == "md") {
            out.push(path);
        }
    }
}

/// Whole models in a page of the documentation.
fn blocks(page: &str) -> Vec<String> {
    let inside = page.split("```ron").skip(1).filter_map(|b| Some(b.split_once('\n')?.1.split("```").next()?.to_owned()));
    inside.filter(|b| b.contains("dimension:")).collect()
}

/// Reads a case as `mpcd check` does.
///
/// # Errors
/// The message of a panic, or what is wrong with an error.
pub(crate) fn check(registry: &Registry, text: &str) -> Result<(), String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/contact");
    let read = || match Model::parse_with(text, "case", "case.ron", &folder, &[], &mpcd::shapes()) {
        Ok(model) => match Simulation::build(&model, registry) {
            Ok(simulation) => {
                let _ = describe(&simulation).to_string();
                Ok(())
            }
            Err(errors) => sound(&errors),
        },
        Err(errors) => sound(&errors),
    };
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("panic: {}", text.unwrap_or("without words")))
    })
}

/// Errors say something, in few words, about a place in the text.
fn sound(errors: &ModelErrors) -> Result<(), String> {
    if errors.errors.is_empty() {
        return Err("refused without an error".to_owned());
    }
    for error in &errors.errors {
        if errors.span(error).is_some_and(|s| s.start > s.end || s.end > errors.text.len()) {
            return Err(format!("an error points beside the text: {error}"));
        }
    }
    match errors.to_string().len() {
        0 => Err("an error without words".to_owned()),
        long if long > 200_000 => Err(format!("a message of {long} bytes")),
        _ => Ok(()),
    }
}

/// Everything that a model may name.
#[must_use]
pub(crate) fn registry() -> Registry {
    Registry::standard()
}
