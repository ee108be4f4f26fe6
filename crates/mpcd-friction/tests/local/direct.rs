//! Lemke and the conic solver on what only they claim: facets, limits, stages, the fixed point's work.

use mpcd_fclib::Conic;
use mpcd_friction::Status;
use mpcd_friction::local::{
    GlobalProblem, Lemke, LocalError, LocalSettings, LocalSolver, PreparedProblem, local_solver, matrix_from_entries,
};

use super::problems::{Kind, assert_lawful, column, in_the_plane, prescribed, tower};

fn tight() -> LocalSettings {
    LocalSettings { tolerance: 1e-10, ..LocalSettings::default() }
}

/// In the plane Lemke is direct: one stage, near rounding.
#[test]
fn lemke_is_exact_in_the_plane() {
    for seed in 0..20 {
        let local = prescribed(in_the_plane(&tower(seed, 8, 100.0).delassus), 0.5, Kind::Mixed, seed);
        let problem = PreparedProblem::new(local.clone(), None).unwrap();
        let mut r = vec![[0.0; 2]; 8];
        let info = Lemke::default().solve(&problem, &mut r, &LocalSettings { tolerance: 1e-12, ..tight() });
        assert_eq!(info.status, Status::Converged, "seed {seed}: {info}");
        assert_eq!(info.stages.len(), 1);
        assert!(info.iterations >= 8 && info.iterations < 100, "{info}");
        assert_lawful(&local, &r, 1e-10, "lemke");
    }
}

/// The error that the polygon leaves falls with its corners, and fans of corners remove it.
#[test]
fn more_facets_err_less_and_fans_not_at_all() {
    let mut last = f64::INFINITY;
    for facets in [4, 8, 16, 32] {
        let mut sum = 0.0;
        for seed in 0..8 {
            let local = prescribed(tower(seed, 5, 1.0).delassus, 0.4, Kind::Mixed, seed);
            let problem = PreparedProblem::new(local, None).unwrap();
            let mut r = vec![[0.0; 3]; 5];
            let info = Lemke { facets, fans: 0, ..Lemke::default() }.solve(&problem, &mut r, &tight());
            assert_eq!(info.status, Status::Stalled, "{info}");
            assert_eq!(info.stages[0].name, "polygon");
            assert!((info.stages[0].error - info.errors.scaled).abs() < 1e-15, "the stage names the error left: {info}");
            sum += info.errors.scaled;
            let info = Lemke { facets, ..Lemke::default() }.solve(&problem, &mut r, &tight());
            assert_eq!(info.status, Status::Converged, "seed {seed}, {facets} facets: {info} {:?}", info.stages);
        }
        println!("{facets} facets leave an error of {:.1e} in the mean", sum / 8.0);
        assert!(sum < 0.7 * last, "{facets} facets: {sum:e}, before {last:e}");
        last = sum;
    }
}

#[test]
fn lemke_refuses_what_is_too_large_in_words() {
    let local = prescribed(tower(0, 6, 1.0).delassus, 0.4, Kind::Mixed, 0);
    let problem = PreparedProblem::new(local, None).unwrap();
    let mut small = Lemke { most_pairs: 59, ..Lemke::default() };
    let error = LocalSolver::<3>::check(&small, &problem).unwrap_err();
    assert_eq!(error, LocalError::TooLarge { solver: "lemke", found: 60, most: 59 });
    assert!(error.to_string().ends_with("at most 59 are taken; use an iterative solver, such as `auto`"), "{error}");
    let mut r = vec![[0.0; 3]; 6];
    let info = small.solve(&problem, &mut r, &tight());
    assert_eq!((info.status, info.iterations), (Status::Stalled, 0));
    assert!(LocalSolver::<3>::check(&Lemke::default(), &problem).is_ok());
}

/// The relaxation's error is that of the first stage, the fixed point's that of the second.
#[test]
fn the_conic_fixed_point_turns_the_relaxation_into_coulomb() {
    let local = prescribed(tower(3, 6, 1.0).delassus, 0.6, Kind::Sliding, 3);
    let problem = PreparedProblem::new(local.clone(), None).unwrap();
    let mut r = vec![[0.0; 3]; 6];
    let relaxed = Conic { relaxed: true, polish: false }.solve(&problem, &mut r, &tight());
    assert_eq!((relaxed.status, relaxed.iterations), (Status::Stalled, 1));
    assert!(relaxed.errors.scaled > 1e-3);
    // the relaxation parts at u_n = μ‖u_t‖
    for u in local.velocities(&r) {
        assert!((u[0] - 0.6 * u[1].hypot(u[2])).abs() < 1e-6 || u[0] > 0.6 * u[1].hypot(u[2]), "{u:?}");
    }
    let mut r = vec![[0.0; 3]; 6];
    let info = Conic::default().solve(&problem, &mut r, &tight());
    assert_eq!(info.status, Status::Converged, "{info}");
    let names: Vec<_> = info.stages.iter().map(|stage| stage.name).collect();
    assert_eq!(names, ["relaxation", "fixed point", "newton"]);
    assert!((info.stages[0].error - relaxed.errors.scaled).abs() < 1e-6);
    // the fixed point comes to about √ε alone, Newton goes on from there
    assert!(info.stages[1].error < 1e-7 && info.stages[2].error <= 1e-10, "{:?}", info.stages);
    assert_lawful(&local, &r, 1e-8, "conic");
}

/// A column by its bodies and by its contacts: the two cone programs have one answer.
#[test]
fn conic_by_bodies_and_by_contacts_agree() {
    let masses = [1.0, 3.0, 0.5, 2.0];
    let local = prescribed(column(&masses), 0.3, Kind::Mixed, 5);
    let unknowns = 3 * masses.len();
    let levers = (0..masses.len()).flat_map(|k| {
        (0..3).flat_map(move |i| [Some((3 * k + i, 3 * k + i, 1.0)), (k > 0).then(|| (3 * k - 3 + i, 3 * k + i, -1.0))])
    });
    let global = GlobalProblem {
        mass: matrix_from_entries("M", (unknowns, unknowns), (0..unknowns).map(|i| (i, i, masses[i / 3]))).unwrap(),
        transfer: matrix_from_entries("H", (unknowns, unknowns), levers.flatten()).unwrap(),
        load: vec![0.0; unknowns],
        velocity_shift: local.free_velocity.clone(),
        friction: local.friction.clone(),
    };
    let condensed = global.condense().unwrap();
    let mut answers = Vec::new();
    for global in [None, Some(&global)] {
        let problem = PreparedProblem::new(condensed.clone(), global).unwrap();
        let mut r = vec![[0.0; 3]; masses.len()];
        let info = Conic::default().solve(&problem, &mut r, &tight());
        assert_eq!(info.status, Status::Converged, "{info}");
        assert_lawful(&local, &r, 1e-8, "conic");
        answers.push(r);
    }
    for (a, b) in answers[0].iter().flatten().zip(answers[1].iter().flatten()) {
        assert!((a - b).abs() < 1e-7, "{answers:?}");
    }
}

/// ρ̄ changes the way, not the answer; for SBP it must stay below its bound.
#[test]
fn rho_is_a_setting_of_the_sources_solvers() {
    use mpcd_friction::local::{DescentStep, LocalMethod, Nlgs};
    let local = prescribed(column(&[1.0, 3.0, 0.5, 2.0]), 0.4, Kind::Mixed, 2);
    let problem = PreparedProblem::new(local, None).unwrap();
    let mut exact = vec![[0.0; 3]; 4];
    assert!(local_solver("nlgs").unwrap().solve(&problem, &mut exact, &tight()).status.is_success());
    for method in [LocalMethod::Ebp, LocalMethod::Eal] {
        let mut sweeps = Vec::new();
        for factor in [0.2, 0.5, 1.0, 2.0, 5.0] {
            let step = DescentStep::ReducedMass { factor };
            let mut r = vec![[0.0; 3]; 4];
            let info = Nlgs { step, ..Nlgs::with(method) }.solve(&problem, &mut r, &tight());
            assert!(info.status.is_success(), "{method:?} {factor}: {info}");
            assert!(r.iter().flatten().zip(exact.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-7), "{method:?} {factor}");
            sweeps.push(info.iterations);
        }
        println!("{method:?}: {sweeps:?} sweeps");
    }
    // one contact without coupling: 0.6 · 2/W_nn · W_nn = 1.2 contracts, 0.6 · 4 = 2.4 does not
    let one = super::problems::one_contact(super::problems::UNIT, [-1.0, 0.1, 0.0], 0.5);
    let one = PreparedProblem::new(one, None).unwrap();
    for (factor, right) in [(2.0, true), (4.0, false)] {
        let step = DescentStep::ReducedMass { factor };
        let mut r = vec![[0.0; 3]];
        let settings = LocalSettings { max_iterations: Some(1_000), ..tight() };
        let info = Nlgs { step, ..Nlgs::with(LocalMethod::Sbp) }.solve(&one, &mut r, &settings);
        assert_eq!(info.status.is_success(), right, "{factor}: {info}");
    }
}
