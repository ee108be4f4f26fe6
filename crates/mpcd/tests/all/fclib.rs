//! `fclib dump`, `solve` and `bench`: problems taken from a run, solved again, compared; what is counted is the same each time.

use std::path::{Path, PathBuf};

use mpcd_fclib::{self as fclib, StoredProblem};

use super::{mpcd, text};

fn ok(folder: &Path, arguments: &[&str]) -> String {
    let output = mpcd(folder, arguments);
    assert!(output.status.success(), "{arguments:?}\n{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// A folder with the base model and its problems of every fifth step in `stored`.
fn dumped() -> (tempfile::TempDir, Vec<PathBuf>) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("model.ron"), include_str!("base.ron")).unwrap();
    let out = ok(folder.path(), &["fclib", "dump", "model.ron", "--every", "5", "-o", "stored"]);
    assert!(out.contains("4 problems in stored"), "{out}");
    let files = ["00005", "00010", "00015", "00020"].map(|n| folder.path().join(format!("stored/model-{n}.hdf5"))).to_vec();
    (folder, files)
}

/// A cell of a CSV table.
fn cells(table: &str, column: &str) -> Vec<String> {
    let mut lines = table.lines();
    let at = lines.next().unwrap().split(',').position(|c| c == column).unwrap();
    lines.map(|l| l.split(',').nth(at).unwrap().to_owned()).collect()
}

/// M, H, f, w, μ and the impulses of the step before are there; the guess is nearly the answer in a heap at rest.
#[test]
fn a_run_is_dumped_and_its_problems_are_solved() {
    let (folder, files) = dumped();
    for file in &files {
        let StoredProblem::Planar(stored) = fclib::read(file).unwrap() else { panic!("a planar model") };
        let global = stored.global.unwrap();
        assert!(stored.local.is_none() && global.contacts() > 10 && global.unknowns() > 30, "{}", file.display());
        assert!(global.friction.iter().all(|mu| *mu == 0.3));
        assert!(stored.info.title.starts_with("model, step "), "{}", stored.info.title);
        let guesses = fclib::read_guesses::<2>(file).unwrap();
        assert_eq!((guesses.len(), guesses[0].len()), (1, global.contacts()));
        assert!(guesses[0].iter().any(|r| r[0] > 0.0));
    }
    let names: Vec<String> = files.iter().map(|f| f.display().to_string()).collect();
    let mut arguments = vec!["fclib", "solve", "--tolerance", "1e-9", "--csv", "table.csv", "--solutions", "solved"];
    arguments.extend(names.iter().map(String::as_str));
    let out = ok(folder.path(), &arguments);
    assert_eq!(out.matches("status converged").count(), 4, "{out}");
    assert_eq!(out.matches("a solution exists").count(), 4, "{out}");
    let table = std::fs::read_to_string(folder.path().join("table.csv")).unwrap();
    assert!(cells(&table, "existence").iter().all(|c| c == "holds"), "{table}");
    assert!(cells(&table, "err_balance").iter().all(|c| c.parse::<f64>().unwrap() < 1e-13), "{table}");
    for file in &files {
        let name = format!("solved/{}.solution.hdf5", file.file_stem().unwrap().to_string_lossy());
        assert!(fclib::read_impulses::<2>(folder.path().join(name)).unwrap().is_some());
    }
}

/// The run's own answer: with the tolerance of the dump's model, the stored problem of a step has the impulses that are the guess of
/// the next one (all contacts persist in the heap at rest).
#[test]
fn the_next_guess_is_this_answer() {
    let folder = tempfile::tempdir().unwrap();
    let model = include_str!("base.ron").replace("tolerance: 1e-6", "tolerance: 1e-12");
    std::fs::write(folder.path().join("model.ron"), model).unwrap();
    ok(folder.path(), &["fclib", "dump", "model.ron", "-o", "stored"]);
    let path = |n: usize| folder.path().join(format!("stored/model-{n:05}.hdf5"));
    let settings = mpcd_friction::local::LocalSettings { tolerance: 1e-12, ..Default::default() };
    let solved = fclib::solve_file(path(12), "auto", &settings).unwrap();
    let fclib::SolvedFile::Planar(solved) = solved else { panic!("a planar model") };
    let next = &fclib::read_guesses::<2>(path(13)).unwrap()[0];
    // impulses of a heap need not be unique: what they do to the bodies is
    let total = |r: &[[f64; 2]]| r.iter().map(|v| v[0]).sum::<f64>();
    assert_eq!(solved.solution.impulses.len(), next.len());
    assert!((total(&solved.solution.impulses) / total(next) - 1.0).abs() < 1e-2);
}

#[test]
fn profiles_by_time_and_by_operations_and_the_same_count_again() {
    let (folder, _) = dumped();
    let count = |out: &str| {
        ok(folder.path(), &["fclib", "bench", "stored", "--solvers", "auto,nlgs,nsn-ac", "--tolerance", "1e-6", "-o", out]);
        let table = std::fs::read_to_string(folder.path().join(out).join("runs.csv")).unwrap();
        cells(&table, "flops")
    };
    let first = count("one");
    assert_eq!(first.len(), 12);
    assert!(first.iter().all(|c| c.parse::<u64>().unwrap() > 10_000), "{first:?}");
    assert_eq!(first, count("two"));
    for name in ["profile", "profile-flops"] {
        let svg = std::fs::read_to_string(folder.path().join(format!("one/{name}.svg"))).unwrap();
        assert!(svg.matches("<path").count() == 3 && !svg.contains("NaN"));
        assert!(
            std::fs::read_to_string(folder.path().join(format!("one/{name}.csv"))).unwrap().starts_with("solver,tau,share\n")
        );
    }
}

#[test]
fn what_cannot_be_dumped_is_said() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("model.ron"), include_str!("base.ron")).unwrap();
    let refused = |arguments: &[&str]| {
        let output = mpcd(folder.path(), arguments);
        assert!(!output.status.success(), "{arguments:?}");
        text(&output.stderr)
    };
    assert!(refused(&["fclib", "dump", "none.ron"]).contains("none.ron"));
    assert!(refused(&["fclib", "dump", "model.ron", "--every", "0"]).contains("--every"));
    assert!(refused(&["fclib", "dump", "model.ron", "--until=-1"]).contains("above zero"));
    std::fs::write(folder.path().join("file"), "").unwrap();
    assert!(refused(&["fclib", "dump", "model.ron", "-o", "file/below"]).contains("cannot make the folder"));
    let output = mpcd(folder.path(), &["fclib", "dump", "model.ron", "--every", "1000", "-o", "empty"]);
    assert!(output.status.success() && text(&output.stderr).contains("no step asked for had a contact"));
}
