//! The book and the README against the program: every model and fragment they show is accepted, every error they show is the
//! program's own, every link leads somewhere, every test they name exists.
//!
//! Marks in the info string of a code block:
//! - `ron model`: a whole model;
//! - `ron at PATH`: a value for PATH of the whole model above it, with or without its key;
//! - `ron each PATH`: as many such values, one a line;
//! - `text errors --set PATH=VALUE`: what the model above answers to these arguments.

use std::path::{Path, PathBuf};

use mpcd::{Registry, StandardRegistry};
use mpcd_sim::{Model, ModelErrors, Simulation};

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The README and the pages of the book: (path, text).
fn pages() -> Vec<(PathBuf, String)> {
    let folders = ["docs", "docs/friction", "docs/gallery"].map(|f| std::fs::read_dir(root().join(f)).unwrap());
    let mut paths: Vec<PathBuf> = folders.into_iter().flatten().map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "md"));
    paths.push(root().join("README.md"));
    paths.sort();
    paths.into_iter().map(|p| (p.clone(), std::fs::read_to_string(p).unwrap())).collect()
}

struct Block {
    info: String,
    line: usize,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let mut out = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in page.lines().enumerate() {
        match (open.take(), line.strip_prefix("```")) {
            (None, Some(info)) => open = Some(Block { info: info.to_owned(), line: number + 1, text: String::new() }),
            (Some(block), Some(_)) => out.push(block),
            (Some(mut block), None) => {
                block.text += line;
                block.text.push('\n');
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a code block is not closed");
    out
}

fn check(text: &str, sets: &[String]) -> Result<(), ModelErrors> {
    let model = Model::parse_with(text, "model", "model.ron", &root().join("docs"), sets, &mpcd::shapes())?;
    Simulation::build(&model, &Registry::standard()).map(|_| ())
}

/// `PATH=VALUE` for a value written with or without its key and a comma behind it.
fn set(path: &str, value: &str) -> String {
    let key = path.rsplit('.').next().unwrap_or(path);
    let value = value.trim();
    let value = value.strip_prefix(key).and_then(|v| v.trim_start().strip_prefix(':')).unwrap_or(value);
    format!("{path}={}", value.trim().trim_end_matches(','))
}

/// A line without its comment.
fn bare(line: &str) -> &str {
    line.split("//").next().unwrap_or(line).trim()
}

#[test]
fn every_model_and_fragment_is_accepted() {
    let mut count = 0;
    for (path, text) in pages() {
        let mut model = None;
        for block in blocks(&text) {
            let place = format!("{}:{}", path.display(), block.line);
            let mut accept = |sets: &[String], model: &str| {
                count += 1;
                check(model, sets).unwrap_or_else(|e| panic!("{place}: {e}"));
            };
            let base = || model.as_deref().unwrap_or_else(|| panic!("{place}: no whole model stands above"));
            if block.info == "ron model" {
                accept(&[], &block.text);
                model = Some(block.text);
            } else if let Some(at) = block.info.strip_prefix("ron at ") {
                accept(&[set(at, &block.text)], base());
            } else if let Some(at) = block.info.strip_prefix("ron each ") {
                block.text.lines().map(bare).filter(|l| !l.is_empty()).for_each(|l| accept(&[set(at, l)], base()));
            }
        }
    }
    assert!(count > 30, "the marks are not found any more: only {count} models and fragments");
}

#[test]
fn every_error_shown_is_the_programs_own() {
    // Pictures of the file wrap words and draw lines; the words themselves must agree.
    let words = |text: &str| {
        text.split(|c: char| c.is_whitespace() || "│×·".contains(c)).filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ")
    };
    let mut count = 0;
    for (path, text) in pages() {
        let mut model = None;
        for block in blocks(&text) {
            let place = format!("{}:{}", path.display(), block.line);
            if block.info == "ron model" {
                model = Some(block.text);
            } else if let Some(arguments) = block.info.strip_prefix("text errors") {
                let sets: Vec<String> = arguments.split(" --set ").skip(1).map(str::to_owned).collect();
                let errors = check(model.as_deref().unwrap(), &sets).expect_err(&place);
                let shown = words(&block.text);
                for error in &errors.errors {
                    for part in [Some(&error.message), error.help.as_ref()].into_iter().flatten() {
                        assert!(shown.contains(&words(part)), "{place}: the program says: {part}");
                    }
                }
                count += 1;
            }
        }
    }
    assert!(count > 0, "no error is shown any more");
}

#[test]
fn every_link_leads_somewhere() {
    for (path, text) in pages() {
        let folder = path.parent().unwrap_or(Path::new("."));
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = target.split('#').next().unwrap_or(target);
            if !file.is_empty() && !file.contains("://") {
                assert!(folder.join(file).exists(), "{} links to `{file}`, which does not exist", path.display());
            }
        }
    }
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    for (path, _) in pages() {
        let name = path.strip_prefix(root().join("docs")).unwrap_or(Path::new("README.md")).to_string_lossy().into_owned();
        assert!(
            name == "README.md" || name == "SUMMARY.md" || summary.contains(&format!("({name})")),
            "{name} is not in docs/SUMMARY.md"
        );
    }
}

/// Names of tests stand in backticks before the file that has them: in lines "Checked by …" and in the tables of
/// docs/verification.md and the pages beside it.
#[test]
fn every_test_that_is_named_exists() {
    let mut count = 0;
    for (path, text) in pages() {
        let place = path.display();
        // rows of coupled.md name other things too
        let mixed = path.ends_with("verification/coupled.md");
        let plain = ["verification.md", "verification/converged.md", "verification/deformable.md"];
        let tables = mixed || plain.iter().any(|page| path.ends_with(page));
        for line in text.lines().filter(|l| l.starts_with("Checked by") || (tables && l.starts_with('|'))) {
            let mut tests = Vec::new();
            for quoted in line.split('`').skip(1).step_by(2) {
                if !quoted.ends_with(".rs") {
                    if !mixed || quoted.matches('_').count() > 2 {
                        tests.push(quoted);
                    }
                    continue;
                }
                let source = std::fs::read_to_string(root().join(quoted)).unwrap_or_else(|e| panic!("{place}: {quoted}: {e}"));
                for test in tests.drain(..) {
                    count += 1;
                    assert!(source.contains(&format!("fn {test}(")), "{place}: {quoted} has no test `{test}`");
                }
            }
            assert!(tests.is_empty(), "{place}: no file is named for {tests:?}");
        }
    }
    assert!(count > 100, "only {count} tests are named");
}
