//! Files whose problem is wrong though the file is not: an error that names the place, or a warning in words; never a panic.

use mpcd_fclib::{self as fclib, Info, Stored, StoredProblem};
use mpcd_friction::local::{BlockMatrix, GlobalProblem, LocalProblem, LocalSettings, matrix_from_entries};

type Entry = (usize, usize, f64);

fn local() -> LocalProblem<2> {
    with_w(&[(0, 0, 2.0), (1, 1, 2.0), (0, 2, -0.5), (2, 0, -0.5), (2, 2, 2.0), (3, 3, 1.0)])
}

fn with_w(entries: &[Entry]) -> LocalProblem<2> {
    LocalProblem {
        delassus: BlockMatrix::from_entries(2, entries.iter().copied()),
        free_velocity: vec![[-1.0, 0.3], [-0.5, 0.0]],
        friction: vec![0.3, 0.4],
    }
}

fn global() -> GlobalProblem<2> {
    with_m(&[(0, 0, 1.0), (1, 1, 1.0), (2, 2, 2.0), (3, 3, 2.0)])
}

fn with_m(mass: &[Entry]) -> GlobalProblem<2> {
    let transfer = [(0, 0, 1.0), (1, 1, 1.0), (2, 0, -1.0), (3, 1, -1.0), (2, 2, 1.0), (3, 3, 1.0)];
    GlobalProblem {
        mass: matrix_from_entries("M", (4, 4), mass.iter().copied()).unwrap(),
        transfer: matrix_from_entries("H", (4, 4), transfer).unwrap(),
        load: vec![-1.0, 0.0, -2.0, 0.0],
        velocity_shift: vec![[0.0; 2]; 2],
        friction: vec![0.3, 0.4],
    }
}

fn stored(local: Option<LocalProblem<2>>, global: Option<GlobalProblem<2>>) -> Stored<2> {
    Stored { local, global, info: Info::default(), warnings: Vec::new() }
}

/// Writes, and says what reading makes of it.
fn refusal(problem: &Stored<2>) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.hdf5");
    fclib::write(&path, problem).unwrap();
    fclib::read(&path).map(|_| ()).expect_err("refused").to_string()
}

fn warnings(problem: &Stored<2>) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.hdf5");
    fclib::write(&path, problem).unwrap();
    fclib::warnings(&path).unwrap().iter().map(ToString::to_string).collect()
}

#[test]
fn numbers_that_are_none_are_named() {
    for bad in [f64::NAN, f64::INFINITY] {
        let mut w = local();
        w.delassus = BlockMatrix::from_entries(2, [(0, 0, 1.0), (1, 1, bad), (2, 2, 1.0), (3, 3, 1.0)]);
        assert!(refusal(&stored(Some(w), None)).contains("W: entry"));
        let mut mu = local();
        mu.friction[1] = bad;
        assert!(refusal(&stored(Some(mu), None)).contains("mu: entry 1 is not finite"));
        let mut f = global();
        f.load[2] = bad;
        assert!(refusal(&stored(None, Some(f))).contains("f: entry 2 is not finite"));
        let mut shift = global();
        shift.velocity_shift[1][0] = bad;
        assert!(refusal(&stored(None, Some(shift))).contains("w: entry 2 is not finite"));
        let m = with_m(&[(0, 0, 1.0), (1, 1, bad), (2, 2, 1.0), (3, 3, 1.0)]);
        assert!(refusal(&stored(None, Some(m))).contains("M: entry 1 is not finite"));
        let mut h = global();
        h.transfer = matrix_from_entries("H", (4, 4), [(0, 0, bad), (1, 1, 1.0)]).unwrap();
        assert!(refusal(&stored(None, Some(h))).contains("H: entry 0 is not finite"));
    }
}

#[test]
fn wrong_sizes_are_named() {
    let mut mu = local();
    mu.friction.push(0.1);
    assert!(refusal(&stored(Some(mu), None)).contains("`fclib_local/vectors/q`: has 4 entries, expected 6"));
    let mut f = global();
    f.load.pop();
    assert!(refusal(&stored(None, Some(f))).contains("`fclib_global/vectors/f`: has 3 entries, expected 4"));
    let mut w = global();
    w.velocity_shift.push([0.0; 2]);
    assert!(refusal(&stored(None, Some(w))).contains("`fclib_global/vectors/w`: has 6 entries, expected 4"));
    let mut h = global();
    h.transfer = matrix_from_entries("H", (5, 4), [(0, 0, 1.0)]).unwrap();
    assert!(refusal(&stored(None, Some(h))).contains("H (rows) has 5 entries, expected 4"));
    let mut odd = global();
    odd.transfer = matrix_from_entries("H", (4, 3), [(0, 0, 1.0)]).unwrap();
    assert!(refusal(&stored(None, Some(odd))).contains("H has 3 columns, expected a multiple of 2"));
    let mut other = global();
    other.friction.push(0.1);
    other.velocity_shift.push([0.0; 2]);
    other.transfer = matrix_from_entries("H", (4, 6), [(0, 0, 1.0)]).unwrap();
    assert!(refusal(&stored(Some(local()), Some(other))).contains("has 3 contacts, fclib_local has 2"));
}

#[test]
fn negative_friction_a_negative_diagonal_and_a_singular_mass_are_refused() {
    let mut mu = local();
    mu.friction[0] = -0.3;
    assert!(refusal(&stored(Some(mu), None)).contains("friction coefficient -0.3 is negative"));
    let w = with_w(&[(0, 0, -2.0), (1, 1, 1.0), (2, 2, 1.0), (3, 3, 1.0)]);
    assert!(refusal(&stored(Some(w), None)).contains("W_nn = -2e0 is negative"));
    let m = with_m(&[(0, 0, 1.0), (2, 2, 1.0), (3, 3, 1.0)]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("singular.hdf5");
    fclib::write(&path, &stored(None, Some(m))).unwrap();
    let error = fclib::solve_file(&path, "auto", &LocalSettings::default()).unwrap_err().to_string();
    assert!(error.contains("singular.hdf5: the mass matrix is singular"), "{error}");
}

#[test]
fn unsymmetric_and_indefinite_matrices_are_warned_of() {
    assert!(warnings(&stored(Some(local()), Some(global()))).is_empty());
    let skew = with_w(&[(0, 0, 2.0), (1, 1, 2.0), (0, 2, -0.5), (2, 2, 2.0), (3, 3, 1.0)]);
    assert!(warnings(&stored(Some(skew), None))[0].starts_with("W is not symmetric (relative difference 2.5e-1)"));
    let indefinite = with_w(&[(0, 0, 1.0), (0, 2, 2.0), (2, 0, 2.0), (1, 1, 1.0), (2, 2, 1.0), (3, 3, 1.0)]);
    assert!(warnings(&stored(Some(indefinite), None))[0].starts_with("W has a negative eigenvalue"));
    // a mass matrix beside a W that is as it should be
    let skew = with_m(&[(0, 0, 1.0), (0, 1, 0.5), (1, 0, 0.2), (1, 1, 1.0), (2, 2, 2.0), (3, 3, 2.0)]);
    assert!(warnings(&stored(Some(local()), Some(skew)))[0].starts_with("M is not symmetric"));
    let indefinite = with_m(&[(0, 0, 1.0), (1, 1, -1.0), (2, 2, 2.0), (3, 3, 2.0)]);
    assert!(warnings(&stored(Some(local()), Some(indefinite)))[0].starts_with("M has a negative eigenvalue"));
}

/// Whatever a solver makes of matrices that are none of a mechanical problem: no panic, no NaN, no false success.
#[test]
fn solvers_survive_matrices_that_make_no_sense() {
    let matrices: [&[Entry]; 3] = [
        &[(0, 0, 1.0), (0, 2, 2.0), (2, 0, 2.0), (1, 1, 1.0), (2, 2, 1.0), (3, 3, 1.0)],
        &[(0, 0, 2.0), (0, 1, 9.0), (1, 1, -1.0), (0, 2, -0.5), (2, 2, 2.0), (3, 3, 1.0)],
        &[(0, 1, 1.0), (1, 0, -1.0), (2, 3, 1e300), (3, 2, 1e-300)],
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("odd.hdf5");
    let settings = LocalSettings { max_iterations: Some(200), tolerance: 1e-8, ..LocalSettings::default() };
    for matrix in matrices {
        fclib::write(&path, &stored(Some(with_w(matrix)), None)).unwrap();
        assert!(matches!(fclib::read(&path).unwrap(), StoredProblem::Planar(_)));
        for solver in fclib::local_solver_names() {
            let solved = fclib::solve_file(&path, solver, &settings).unwrap();
            let fclib::SolvedFile::Planar(planar) = &solved else { panic!("dimension") };
            assert!(planar.solution.impulses.iter().flatten().all(|v| v.is_finite()), "{solver} {matrix:?}");
            let info = solved.info();
            assert!(!info.status.is_success() || info.errors.scaled <= 1e-8, "{solver} {matrix:?}: {info}");
        }
    }
}
