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

#[test]
fn a_case_follows_from_its_seed_and_number() {
    let models = ["(a: 1, b: \"x y\", // c\n d: [Disc(r: -1.5e-3)])", "(\u{e9}: {\"k\": 2})"].map(str::to_owned).to_vec();
    let (one, two) = (Mutator::new(models.clone()), Mutator::new(models));
    let cases: Vec<String> = (0..2000).map(|n| one.case(7, n)).collect();
    assert!((0..).zip(&cases).all(|(n, case)| *case == two.case(7, n)));
    let different = cases.iter().collect::<std::collections::BTreeSet<_>>().len();
    assert!(different > 1000, "{different}");
}

/// Models that are built in a moment.
fn small(models: Vec<String>) -> Vec<String> {
    models.into_iter().filter(|m| !["Deposit", "Grow", "Voronoi", "Lattice"].iter().any(|slow| m.contains(slow))).collect()
}
