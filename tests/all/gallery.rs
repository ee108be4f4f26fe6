//! The gallery, each model in a short form of the same file (`--set`): it runs, its contacts, currents and heats are there,
//! its books close, and the bits are the same for a rejected step, dropped caches, a resumed run, one thread and two.

use std::path::PathBuf;

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

const CASES: [Case; 5] = [
    Case {
        path: "contact/bouncing-balls.ron",
        sets: &["bodies[0].at=(-0.4, 0, 0.11)", "time.end=1"],
        steps: 80,
        positive: &[],
        books: &[],
    },
    Case { path: "contact/sliding-to-rolling.ron", sets: &[], steps: 40, positive: &[], books: &[] },
    Case {
        path: "contact/spheres-in-a-box.ron",
        sets: &[
            "bodies[0].packing.count=300",
            "bodies[0].packing.to=(0.06, 0.06, 0.6)",
            "bodies[3].at=(0.06, 0, 0)",
            "bodies[5].at=(0, 0.06, 0)",
        ],
        steps: 80,
        positive: &[],
        books: &[],
    },
    Case {
        path: "coupled/compacted-discs.ron",
        sets: &[
            "bodies[0].packing.count=256",
            "bodies[0].packing.to=(\"60 mm\", \"62 mm\")",
            "bodies[2].at=(0, \"62 mm\")",
            "bodies[4].at=(\"60 mm\", 0)",
        ],
        steps: 260,
        positive: &["joule_power", "heat"],
        books: &[Book::Charge, Book::Heat],
    },
    Case {
        path: "coupled/settling-in-fluid.ron",
        sets: &["bodies[0].packing.count=200"],
        steps: 60,
        positive: &[],
        books: &[Book::Fluid],
    },
];

fn build(case: &Case) -> Result<Simulation, ModelErrors> {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../models")).join(case.path);
    let sets: Vec<String> = case.sets.iter().map(|s| (*s).to_owned()).collect();
    Simulation::build(&Model::read(&path, &sets)?, &Registry::standard())
}

fn runs(case: &Case) {
    let mut simulation = build(case).unwrap_or_else(|e| panic!("{e}"));
    let mut pushing = 0;
    for step in 0..case.steps {
        let outcome = simulation.step().unwrap_or_else(|e| panic!("{} at step {step}: {e}", case.path));
        pushing = pushing.max(outcome.iterations);
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
fn bouncing_balls() {
    runs(&CASES[0]);
    same(&CASES[0], 80);
}

#[test]
fn sliding_to_rolling() {
    runs(&CASES[1]);
    same(&CASES[1], 40);
}

#[test]
fn spheres_in_a_box() {
    runs(&CASES[2]);
    same(&CASES[2], 60);
}

#[test]
fn compacted_discs() {
    runs(&CASES[3]);
    same(&CASES[3], 60);
}

#[test]
fn settling_in_fluid() {
    runs(&CASES[4]);
    same(&CASES[4], 30);
}
