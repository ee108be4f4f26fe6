//! The gallery, each model in a short form of the same file (`--set`): it runs, its contacts, currents and heats are there,
//! its books close, and the bits are the same for a rejected step, dropped caches, a resumed run, one thread and two.

mod benchmark;
mod contact;
mod coupled;
mod deformable;
mod granular;
mod hot_bed;
mod masonry;
mod references;

use std::path::{Path, PathBuf};

use mpcd::{Registry, StandardRegistry};
use mpcd_core::Book;
use mpcd_sim::{Model, ModelErrors, Simulation, testkit::same_bits};

struct Case {
    path: &'static str,
    /// The short form.
    sets: &'static [&'static str],
    steps: u64,
    /// Fields that must be above zero somewhere at the end.
    positive: &'static [&'static str],
    /// Books beside momentum and energy.
    books: &'static [Book],
}

/// Every case, so that no model is forgotten.
const CASES: [&[&Case]; 7] =
    [benchmark::CASES, contact::CASES, coupled::CASES, deformable::CASES, granular::CASES, hot_bed::CASES, masonry::CASES];

fn build(case: &Case) -> Result<Simulation, ModelErrors> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../models")).join(case.path);
    let sets: Vec<String> = case.sets.iter().map(|s| (*s).to_owned()).collect();
    Simulation::build(&Model::read_with(&path, &sets, &mpcd::shapes())?, &Registry::standard())
}

fn runs(case: &Case) {
    runs_seen(case, |_| {});
}

/// The same, with a look at each step.
fn runs_seen(case: &Case, mut see: impl FnMut(&mpcd_sim::StepOutcome)) {
    let mut simulation = build(case).unwrap_or_else(|e| panic!("{e}"));
    let mut pushing = 0;
    for step in 0..case.steps {
        let outcome = simulation.step().unwrap_or_else(|e| panic!("{} at step {step}: {e}", case.path));
        pushing = pushing.max(outcome.iterations);
        see(&outcome);
        assert!(outcome.penetration_max < 0.05, "{}: penetration {} at step {step}", case.path, outcome.penetration_max);
    }
    assert!(pushing > 0, "{}: no contact pushed", case.path);
    for name in case.positive {
        let values = simulation.field(name).unwrap_or_else(|| panic!("{}: nobody writes {name}", case.path));
        assert!(values.iter().any(|v| *v > 0.0), "{}: no {name}", case.path);
    }
    for book in [Book::Momentum, Book::Energy].iter().chain(case.books) {
        let account = simulation.books().account(*book).unwrap_or_else(|| panic!("{}: no book of {}", case.path, book.name()));
        assert!(
            account.worst <= 1e-10,
            "{}: the book of {} is open by {:e} at step {}",
            case.path,
            book.name(),
            account.worst,
            account.worst_step
        );
    }
}

fn same(case: &Case, steps: u64) {
    same_bits(&|| build(case), steps).unwrap_or_else(|e| panic!("{}: {e}", case.path));
}

#[test]
fn every_model_has_a_case() {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../models"));
    let mut missing = Vec::new();
    for group in std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_dir()) {
        for model in std::fs::read_dir(group).unwrap().map(|e| e.unwrap().path()) {
            let known = |case: &&Case| model == folder.join(Path::new(case.path));
            if model.extension().is_some_and(|e| e == "ron") && !CASES.iter().copied().flatten().copied().any(|c| known(&c)) {
                missing.push(model);
            }
        }
    }
    assert!(missing.is_empty(), "no case in tests/all/gallery for {missing:?}");
}
