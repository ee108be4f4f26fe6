//! The model reader under damaged models: a few hundred cases, the same in every run, and every case that once went wrong. The
//! program `fuzz_models` (in `examples/`) makes as many as there is time for, with limits of time and memory.

#[path = "../fuzz/target.rs"]
mod target;

use mpcd_tests::mutate::Mutator;

#[test]
fn damaged_models_are_refused_or_built() {
    let (registry, mutator) = (target::registry(), Mutator::new(small(target::models())));
    let cases = std::env::var("MPCD_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    for number in 0..cases {
        let text = mutator.case(1, number);
        if let Err(problem) = target::check(&registry, &text) {
            panic!("case {number}: {problem}\n{text}");
        }
    }
}

#[test]
fn what_once_went_wrong_does_not_again() {
    let (registry, corpus) = (target::registry(), target::corpus());
    assert!(!corpus.is_empty());
    for (file, text) in corpus {
        if let Err(problem) = target::check(&registry, &text) {
            panic!("{}: {problem}", file.display());
        }
    }
}

/// Models that are built in a moment.
fn small(models: Vec<String>) -> Vec<String> {
    models.into_iter().filter(|m| !["Deposit", "Grow", "Voronoi", "Lattice"].iter().any(|slow| m.contains(slow))).collect()
}
