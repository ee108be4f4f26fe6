//! FCLIB files: round trips, the stored collection, damaged files.

use mpcd_fclib::{self as fclib, Solution, Stored, StoredProblem};
use mpcd_friction::local::{BlockMatrix, GlobalProblem, LocalProblem, matrix_from_entries};
use mpcd_tests::random::cases;
use proptest::prelude::*;

use mpcd_tests::kit::{shared, stored_problems};

/// The worked example of the format's description, and a global form that condenses to something else entirely.
fn sample() -> Stored<3> {
    let w = [15.0, -1.0, -2.0, -1.0, 14.0, 1.0, -2.0, 1.0, 16.0];
    let local = LocalProblem {
        delassus: BlockMatrix::from_entries(1, (0..9).map(|k| (k / 3, k % 3, w[k]))),
        free_velocity: vec![[-1.0, 2.0, 3.0]],
        friction: vec![0.1],
    };
    let n = 100;
    let global = GlobalProblem {
        mass: matrix_from_entries("M", (n, n), (0..n).map(|i| (i, i, 1.0 + i as f64))).unwrap(),
        transfer: matrix_from_entries("H", (n, 3), [(0, 0, 1.0), (1, 1, 1.0), (99, 2, -1.0)]).unwrap(),
        load: (0..n).map(|i| i as f64 / 7.0).collect(),
        velocity_shift: vec![[0.0, 0.5, -0.5]],
        friction: vec![0.1],
    };
    let info = fclib::Info { title: "one contact".into(), description: "μ = 0.1".into(), math_info: String::new() };
    Stored { local: Some(local), global: Some(global), info, warnings: Vec::new() }
}

#[test]
fn what_is_written_is_read_back_bit_by_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.hdf5");
    let problem = sample();
    fclib::write(&path, &problem).unwrap();
    let StoredProblem::Spatial(back) = fclib::read(&path).unwrap() else { panic!("dimension") };
    assert_eq!(back.local, problem.local);
    assert_eq!(back.global, problem.global);
    assert_eq!(back.info.title, "one contact");
    assert_eq!(back.info.description, "? = 0.1");
}

#[test]
fn a_solution_goes_into_a_copy_and_replaces_an_older_one() {
    let folder = tempfile::tempdir().unwrap();
    let (source, target) = (folder.path().join("one.hdf5"), folder.path().join("one.solution.hdf5"));
    fclib::write(&source, &sample()).unwrap();
    let before = std::fs::read(&source).unwrap();
    let solution = Solution { velocities: vec![[0.0; 3]], impulses: vec![[1.0, 2.0, 3.0]], unknowns: Some(vec![0.5; 100]) };
    fclib::write_solution(&source, &target, &solution).unwrap();
    let second = folder.path().join("two.hdf5");
    fclib::write_solution(&target, &second, &solution).unwrap();
    assert_eq!(std::fs::read(&source).unwrap(), before);
    let StoredProblem::Spatial(back) = fclib::read(&second).unwrap() else { panic!("dimension") };
    assert_eq!(back.local, sample().local);
    assert_eq!(fclib::read_impulses::<3>(&second).unwrap(), Some(solution.impulses));
}

#[test]
fn messages_say_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.hdf5");
    let message = || fclib::read(&path).unwrap_err().to_string();
    assert!(message().contains("not a readable HDF5 file"));
    std::fs::write(&path, "text").unwrap();
    assert!(message().contains("not a readable HDF5 file"), "{}", message());

    let mut wrong = sample();
    wrong.global = None;
    if let Some(local) = &mut wrong.local {
        local.free_velocity[0][1] = f64::NAN;
    }
    fclib::write(&path, &wrong).unwrap();
    assert!(message().contains("q: entry 1 is not finite"), "{}", message());
    if let Some(local) = &mut wrong.local {
        local.free_velocity = vec![[0.0; 3]; 2];
    }
    fclib::write(&path, &wrong).unwrap();
    assert!(message().contains("`fclib_local/vectors/q`: has 6 entries, expected 3"), "{}", message());
    wrong.local = None;
    fclib::write(&path, &wrong).unwrap();
    assert!(message().contains("no group fclib_local or fclib_global"), "{}", message());
}

/// Both forms of each stored problem are one problem: condensation gives the stored W and q.
#[test]
fn the_whole_collection_is_read_and_both_forms_agree() {
    let files = stored_problems();
    for path in &files {
        match fclib::read(path).unwrap() {
            StoredProblem::Planar(stored) => forms_agree(path, &stored),
            StoredProblem::Spatial(stored) => forms_agree(path, &stored),
        }
    }
    assert!(files.is_empty() || files.len() == 103);
}

fn forms_agree<const D: usize>(path: &std::path::Path, stored: &Stored<D>) {
    let (Some(local), Some(global)) = (&stored.local, &stored.global) else { return };
    let condensed = global.condense().unwrap();
    let largest = local.delassus.entries().fold(0.0_f64, |m, e| m.max(e.2.abs()));
    for (row, column, value) in local.delassus.entries() {
        let block = condensed.delassus.get(row / D, column / D);
        let other = block.map_or(0.0, |b| b[row % D][column % D]);
        assert!((value - other).abs() <= 1e-9 * largest, "{}: W({row}, {column}) {value} {other}", path.display());
    }
    let largest = local.free_velocity.iter().flatten().fold(0.0_f64, |m, v| m.max(v.abs()));
    for (a, b) in local.free_velocity.iter().flatten().zip(condensed.free_velocity.iter().flatten()) {
        assert!((a - b).abs() <= 1e-9 * largest, "{}: q {a} {b}", path.display());
    }
}

fn fuzz_sources() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.hdf5");
    fclib::write(&path, &sample()).unwrap();
    let mut sources = vec![std::fs::read(&path).unwrap()];
    for name in ["sic-Rover1039.hdf5", "gen-chain-a-00010.hdf5"] {
        if let Some(path) = shared(&format!("fclib/open/{name}")) {
            sources.push(std::fs::read(path).unwrap());
        }
    }
    sources
}

proptest! {
    #![proptest_config(cases(256))]

    /// A truncated file or one with flipped bits is read or refused; it never panics and never takes absurd memory.
    #[test]
    fn damaged_files_do_no_harm(pick in 0usize..3, cut in 0.0..1.0f64, truncate: bool, flips in prop::collection::vec((0.0..1.0f64, 0u8..8), 1..6)) {
        thread_local!(static SOURCES: Vec<Vec<u8>> = fuzz_sources());
        let mut bytes = SOURCES.with(|s| s[pick % s.len()].clone());
        if truncate {
            bytes.truncate((cut * bytes.len() as f64) as usize);
        }
        let length = bytes.len();
        for (at, bit) in flips {
            if let Some(byte) = bytes.get_mut((at * length as f64) as usize) {
                *byte ^= 1 << bit;
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("damaged.hdf5");
        std::fs::write(&path, &bytes).unwrap();
        if let Ok(StoredProblem::Spatial(stored)) = fclib::read(&path) {
            let _ = stored.to_local();
        }
    }
}
