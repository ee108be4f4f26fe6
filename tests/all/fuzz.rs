//! The readers of models and of mesh files under damaged ones: a few hundred cases, the same in every run, and every case that once went wrong. The
//! program `fuzz_models` (in `examples/`) makes as many as there is time for, with limits of time and memory.

#[path = "../fuzz/target.rs"]
mod target;

use mpcd_tests::mutate::Mutator;
use target::{Case, Cases};

#[test]
fn damaged_models_are_refused_or_built() {
    let (registry, cases) = (target::registry(), Cases::new(small(target::models())));
    for number in 0..count(400) {
        run(&registry, &cases.case(1, number, false), &format!("case {number}"));
    }
}

/// Files of gmsh in both versions and grids of VTK, in text and bytes.
#[test]
fn damaged_mesh_files_are_refused_or_read() {
    let (registry, cases) = (target::registry(), Cases::new(vec!["()".to_owned()]));
    let mut kinds = std::collections::BTreeSet::new();
    for number in 0..count(3000) {
        let case = cases.case(1, number, true);
        kinds.insert(case.extension().to_owned());
        run(&registry, &case, &format!("case {number}"));
    }
    assert!(kinds.iter().eq(["msh", "vtu"]), "{kinds:?}");
}

#[test]
fn what_once_went_wrong_does_not_again() {
    let (registry, corpus) = (target::registry(), target::corpus());
    let meshes = corpus.iter().filter(|(_, case)| matches!(case, Case::Mesh(..))).count();
    assert!(meshes > 5 && corpus.len() > meshes + 5, "{meshes} meshes of {}", corpus.len());
    for (file, case) in corpus {
        run(&registry, &case, &file.display().to_string());
    }
}

fn count(few: u64) -> u64 {
    std::env::var("MPCD_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(few)
}

fn run(registry: &mpcd_sim::Registry, case: &Case, what: &str) {
    if let Err(problem) = target::check(registry, case) {
        panic!("{what}: {problem}\n{}", String::from_utf8_lossy(case.bytes()));
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
