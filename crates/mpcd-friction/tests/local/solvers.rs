//! Solvers of stored problems against small problems with known answers, and on the collection.

use std::time::Duration;

use mpcd_friction::Status;
use mpcd_friction::fclib::{self, StoredProblem};
use mpcd_friction::local::{
    Auto, BlockMatrix, LOCAL_SOLVERS, LocalProblem, LocalSettings, LocalSolver, Measure, PreparedProblem, local_solver,
};

use super::shared::{collection, shared};

fn solvers<const D: usize>() -> Vec<Box<dyn LocalSolver<D>>> {
    LOCAL_SOLVERS.iter().map(|name| local_solver(name).unwrap()).collect()
}

fn one_contact(w: [[f64; 3]; 3], q: [f64; 3], mu: f64) -> LocalProblem<3> {
    let entries = (0..9).map(|k| (k / 3, k % 3, w[k / 3][k % 3]));
    LocalProblem { delassus: BlockMatrix::from_entries(1, entries), free_velocity: vec![q], friction: vec![mu] }
}

const UNIT: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// VALIDATION §4: exact answers of one contact with W = I.
#[test]
fn v04_one_contact_has_the_exact_answer_with_every_solver() {
    let cases = [
        ([-1.0, 0.8, 0.6], 0.5, [1.0, -0.4, -0.3]), // slip
        ([-1.0, 0.2, 0.1], 0.5, [1.0, -0.2, -0.1]), // stick
        ([1.0, 3.0, 0.0], 0.5, [0.0, 0.0, 0.0]),    // open
        ([-1.0, 0.8, 0.6], 0.0, [1.0, 0.0, 0.0]),   // no friction
    ];
    for (q, mu, exact) in cases {
        let problem = PreparedProblem::new(one_contact(UNIT, q, mu), None).unwrap();
        for mut solver in solvers::<3>() {
            let mut r = vec![[0.0; 3]];
            let settings = LocalSettings { tolerance: 1e-9, ..LocalSettings::default() };
            let info = solver.solve(&problem, &mut r, &settings);
            assert_eq!(info.status, Status::Converged, "{} {q:?}: {info}", solver.name());
            for k in 0..3 {
                assert!((r[0][k] - exact[k]).abs() < 1e-7, "{} {q:?}: {r:?}", solver.name());
            }
        }
    }
}

/// A block on four corners, W = H M⁻¹ Hᵀ of rank 6 out of 12: impulses are not unique, the resultant is.
fn block_on_four_corners(push: f64) -> LocalProblem<3> {
    let corners = [[0.5, -0.5], [0.5, 0.5], [-0.5, 0.5], [-0.5, -0.5]];
    let rows: Vec<[f64; 6]> = corners
        .iter()
        .flat_map(|&[x, y]| {
            // velocity of the point (x, y, −½): v + ω × p, components (z, x, y)
            let z = -0.5;
            [[0.0, 0.0, 1.0, y, -x, 0.0], [1.0, 0.0, 0.0, 0.0, z, -y], [0.0, 1.0, 0.0, -z, 0.0, x]]
        })
        .collect();
    let inverse_mass = [1.0, 1.0, 1.0, 6.0, 6.0, 6.0];
    let free = [push, 0.0, -1.0, 0.0, 0.0, 0.0];
    let entries = (0..144).map(|k| (k / 12, k % 12, (0..6).map(|i| rows[k / 12][i] * inverse_mass[i] * rows[k % 12][i]).sum()));
    let q: Vec<f64> = rows.iter().map(|row| (0..6).map(|i| row[i] * free[i]).sum()).collect();
    LocalProblem {
        delassus: BlockMatrix::from_entries(4, entries),
        free_velocity: q.chunks(3).map(|c| [c[0], c[1], c[2]]).collect(),
        friction: vec![0.4; 4],
    }
}

#[test]
fn redundant_contacts_break_no_solver() {
    for push in [0.2, 0.6] {
        let problem = PreparedProblem::new(block_on_four_corners(push), None).unwrap();
        for mut solver in solvers::<3>() {
            let mut r = vec![[0.0; 3]; 4];
            let info = solver.solve(&problem, &mut r, &LocalSettings { tolerance: 1e-7, ..LocalSettings::default() });
            assert!(r.iter().flatten().all(|v| v.is_finite()), "{}: {r:?}", solver.name());
            assert_eq!(info.status, Status::Converged, "{} push {push}: {info}", solver.name());
            let sum = |k: usize| r.iter().map(|c| c[k]).sum::<f64>();
            assert!((sum(0) - 1.0).abs() < 1e-5, "{}: normal {}", solver.name(), sum(0));
            // sticks below μ = 0.4, slides with the full friction above
            assert!((sum(1) + push.min(0.4)).abs() < 1e-5, "{}: friction {}", solver.name(), sum(1));
        }
    }
}

/// A stuck wedge: q pushes into the contact and the coupling W_nt makes sliding impossible to resolve at large μ
/// (Painlevé); no solver may return a NaN or claim success it does not have.
#[test]
fn a_problem_without_solution_is_reported_not_solved() {
    // W singular along (1, −1, 0): r = s (1, −1, 0) costs nothing, q·(1, −1, 0) < 0 and μ > 1: no solution
    let w = [[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let problem = PreparedProblem::new(one_contact(w, [-1.0, 0.5, 0.0], 2.0), None).unwrap();
    for mut solver in solvers::<3>() {
        let mut r = vec![[0.0; 3]];
        let settings = LocalSettings { tolerance: 1e-6, max_iterations: Some(500), ..LocalSettings::default() };
        let info = solver.solve(&problem, &mut r, &settings);
        assert!(r.iter().flatten().all(|v| v.is_finite()), "{}: {r:?}", solver.name());
        assert!(!info.status.is_success() || info.errors.scaled <= 1e-6, "{}: {info}", solver.name());
    }
}

/// Each problem to 1e-6 (err_siconos) within thirty seconds, however busy the machine is; the few that need more are counted, not named.
#[test]
fn the_collection_is_solved_by_auto() {
    let files = collection();
    let mut missed = Vec::new();
    for path in &files {
        let settings = LocalSettings {
            tolerance: 1e-6,
            measure: Measure::Siconos,
            max_iterations: None,
            time_limit: Some(Duration::from_secs(30)),
        };
        let error = match fclib::read(path).unwrap() {
            StoredProblem::Planar(stored) => fclib::solve(&stored, &mut Auto::default(), &settings).unwrap().info.errors.siconos,
            StoredProblem::Spatial(stored) => fclib::solve(&stored, &mut Auto::default(), &settings).unwrap().info.errors.siconos,
        };
        if error.is_nan() || error > 1e-6 {
            missed.push((path.file_stem().unwrap().to_owned(), error));
        }
    }
    assert!(missed.len() <= 3, "{missed:?}");
}

/// Hard problems of moderate size, one per kind of trouble: a fold of the interior-point path, rank deficiency, mass
/// ratios, many islands.
const HARD: [&str; 6] = [
    "gen-cubes-a-00035",
    "gen-wall-a-00020",
    "gen-heavy-a-00040",
    "gen-rings-a-00048",
    "gen-arch-a-00040",
    "gen-capsules-a-00160",
];

/// Problems solved to 1e-8 and Newton systems factorised on the way (up to `most` per problem, about), for a variant.
fn worth(auto: Auto) -> (usize, usize) {
    let settings = LocalSettings {
        tolerance: 1e-8,
        measure: Measure::Siconos,
        time_limit: Some(Duration::from_secs(60)),
        ..LocalSettings::default()
    };
    let (mut solved, mut systems) = (0, 0);
    for name in HARD {
        let Some(path) = shared(&format!("fclib/open/{name}.hdf5")) else { continue };
        let StoredProblem::Spatial(stored) = fclib::read(&path).unwrap() else { panic!("dimension of {name}") };
        let info = fclib::solve(&stored, &mut auto.clone(), &settings).unwrap().info;
        solved += usize::from(info.status.is_success());
        systems += info.stages.iter().filter(|stage| stage.name != "nlgs").map(|stage| stage.iterations).sum::<usize>();
    }
    (solved, systems)
}

/// What `auto` loses without one of its members: the interior point and the proximal-point iteration must pay for
/// themselves here, the others are printed.
#[test]
fn auto_without() {
    if shared("fclib/open").is_none() {
        return;
    }
    let all = Auto::default();
    let (solved, systems) = worth(all);
    assert_eq!(solved, HARD.len());
    for (what, must_pay, variant) in [
        ("interior point", true, Auto { interior: false, ..all }),
        ("proximal", true, Auto { proximal: false, ..all }),
        ("damping", false, Auto { damped: false, ..all }),
        ("polish", false, Auto { polish: false, ..all }),
        ("islands", false, Auto { islands: false, ..all }),
        ("sweeps", false, Auto { sweeps: 0, ..all }),
    ] {
        let (left, work) = worth(variant);
        println!("without {what}: {left} of {} solved, {work} systems ({solved}, {systems} with it)", HARD.len());
        assert!(
            !must_pay || left < solved || work > systems,
            "without {what}: {left} solved with {work} systems, {systems} with it"
        );
    }
}
