//! Solvers of stored problems against small problems with known answers, and on the collection.

use std::time::Duration;

use mpcd_fclib::{self as fclib, StoredProblem, local_solver};
use mpcd_friction::Status;
use mpcd_friction::local::{Auto, BlockMatrix, LocalProblem, LocalSettings, Measure, PreparedProblem};

use super::problems::{UNIT, block_on_four_corners, one_contact, solvers, tower};
use mpcd_tests::kit::{shared, stored_problems};

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

fn coupled_in_the_plane(mu: f64) -> PreparedProblem<2> {
    let w = [[1.6, -1.2], [-1.2, 3.4]];
    let entries = (0..4).map(|k| (k / 2, k % 2, w[k / 2][k % 2]));
    let delassus = BlockMatrix::from_entries(1, entries);
    PreparedProblem::new(LocalProblem { delassus, free_velocity: vec![[-1.0, -2.0]], friction: vec![mu] }, None).unwrap()
}

/// VALIDATION §4: coupled 2D contact; the convex model's answer must not be mistaken for Coulomb's.
#[test]
fn v04_coupled_contact_in_the_plane() {
    let settings = LocalSettings { tolerance: 1e-9, ..LocalSettings::default() };
    for (mu, exact) in [(0.8, [1.45, 1.10]), (0.5, [1.0, 0.5])] {
        for mut solver in solvers::<2>() {
            let mut r = vec![[0.0; 2]];
            let info = solver.solve(&coupled_in_the_plane(mu), &mut r, &settings);
            assert_eq!(info.status, Status::Converged, "{} μ = {mu}: {info}", solver.name());
            assert!((0..2).all(|k| (r[0][k] - exact[k]).abs() < 1e-7), "{} μ = {mu}: {r:?}", solver.name());
        }
    }
    for name in ["apgd-convex", "conic-convex"] {
        let mut r = vec![[0.0; 2]];
        let info = local_solver::<2>(name).unwrap().solve(&coupled_in_the_plane(0.5), &mut r, &settings);
        assert_eq!(info.status, Status::Stalled, "{info}");
        assert!((r[0][0] - 1.6).abs() < 1e-7 && (r[0][1] - 0.8).abs() < 1e-7, "{name}: {r:?}");
        // ρ = ¼, û = (1.2, −1.2): P_K(1.3, 1.1) = (1.48, 0.74), which is 0.06·√5 off, relative to ‖r‖ = 0.8·√5
        assert!((info.errors.scaled - 0.075).abs() < 1e-7, "{info}");
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

/// Every solver on generated towers: all must be solved (the interior point alone collapses on some), whatever is claimed
/// must hold (cone, complementarity), and no number may be infinite.
#[test]
fn generated_towers_with_every_solver() {
    for mut solver in solvers::<3>() {
        let (mut solved, mut all) = (0, 0);
        let (mut open, mut sticking, mut sliding) = (0, 0, 0);
        for seed in 0..10 {
            for ratio in [1.0, 1e3] {
                let local = tower(seed, 4, ratio);
                let problem = PreparedProblem::new(local.clone(), None).unwrap();
                let mut r = vec![[0.0; 3]; 4];
                let settings = LocalSettings { tolerance: 1e-8, max_iterations: Some(20_000), ..LocalSettings::default() };
                let info = solver.solve(&problem, &mut r, &settings);
                assert!(r.iter().flatten().all(|v| v.is_finite()), "{}: {r:?}", solver.name());
                all += 1;
                if !info.status.is_success() {
                    continue;
                }
                solved += 1;
                let u = local.velocities(&r);
                for c in 0..4 {
                    let (mu, size) = (local.friction[c], 1e-6 * ratio);
                    let (slide, pull) = (u[c][1].hypot(u[c][2]), r[c][1].hypot(r[c][2]));
                    assert!(pull <= mu * r[c][0] + size && u[c][0] > -1e-6, "{} {info}: {r:?} {u:?}", solver.name());
                    open += usize::from(r[c][0] < size && u[c][0] > 1e-6);
                    sticking += usize::from(r[c][0] > size && slide < 1e-6);
                    sliding += usize::from(r[c][0] > size && slide > 1e-6);
                    // no work by the normal impulse, the greatest dissipation by the tangential one
                    let work = r[c][1] * u[c][1] + r[c][2] * u[c][2];
                    assert!((r[c][0] * u[c][0]).abs() < size, "{}: {r:?} {u:?}", solver.name());
                    assert!((work + mu * r[c][0] * slide).abs() < size, "{}: {r:?} {u:?}", solver.name());
                }
            }
        }
        let least = if solver.name() == "ipm" { all * 3 / 4 } else { all };
        assert!(solved >= least, "{}: {solved} of {all}", solver.name());
        let counts = [open, sticking, sliding];
        assert!(counts.iter().all(|n| *n >= 5), "{}: open, sticking, sliding {counts:?}", solver.name());
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
    let files = stored_problems();
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
