//! Every solver on every kind of small problem: status and error asserted cell by cell.

use std::fmt::Write as _;

use mpcd_fclib::{local_solver, local_solver_names};
use mpcd_friction::local::{LocalProblem, LocalSettings, PreparedProblem};

use super::problems::{Kind, assert_lawful, block_on_four_corners, column, in_the_plane, one_contact, prescribed, tower};

/// Error to reach, scale-free.
const TOLERANCE: f64 = 1e-8;
/// Iterations of whatever kind the solver has.
const MOST: usize = 20_000;
const SEEDS: std::ops::Range<u32> = 0..4;

/// The kinds of problems, in space and in the plane.
const KINDS: [&str; 13] = [
    "sticking",
    "sliding",
    "take-off",
    "mixed",
    "no friction",
    "Painlevé",
    "mass ratio 1e6",
    "heavy on light",
    "redundant",
    "at the limit",
    "isolated",
    "no contact",
    "no solution",
];

/// Methods that pass impulses on from contact to contact.
const SWEEPS: [&str; 15] = [
    "nlgs",
    "nlgs-reverse",
    "nlgs-symmetric",
    "nlgs-shuffled",
    "nlgs-ac",
    "nlgs-jm",
    "nlgs-nm",
    "nlgs-fb",
    "nlgs-fpviupk",
    "nlgs-sbp",
    "nlgs-sal",
    "nlgs-ebp",
    "nlgs-eal",
    "quasi-nlgs",
    "jacobi",
];

/// Which cells may miss the tolerance, and why. Every other one must reach it.
const MAY_MISS: [(&[&str], &[&str], &str); 7] = [
    (&SWEEPS, &["heavy on light"], "sweeps converge at cos² of an angle that the mass ratio makes 1e-3"),
    (&SWEEPS, &["at the limit"], "between sticking and sliding sweeps converge sublinearly"),
    (&["nlgs-anderson"], &["at the limit"], "the same sweeps; their extrapolation gains one digit"),
    (&["conic"], &["heavy on light"], "the cone program's accuracy is lost in a condition of 1e6"),
    (&["nlgs-ebp", "nlgs-eal"], &["Painlevé"], "full Newton steps without line search cycle"),
    (&["nsn-ac", "nsn-jm", "nsn-nm", "nsn-fb", "cpg"], &["Painlevé"], "local minimum of the residual, or no descent"),
    (&["ipm"], &["sliding", "mixed", "mass ratio 1e6", "isolated"], "the path jams where Coulomb's law folds it"),
];

fn may_miss(solver: &str, kind: &str) -> bool {
    MAY_MISS.iter().any(|(solvers, kinds, _)| solvers.contains(&solver) && kinds.contains(&kind))
}

/// Painlevé's rod at 45° whose end slides, μ = 2 (above 4/3): sliding on towards the normal is impossible.
fn rod(seed: u32) -> LocalProblem<3> {
    let w = [[2.5, 1.5, 0.0], [1.5, 2.5, 0.0], [0.0, 0.0, 4.0]];
    one_contact(w, [[-1.0, 3.0, 0.0], [-1.0, -3.0, 0.0], [-0.01, 1.0, 0.5], [-1.0, 0.1, -2.0]][seed as usize % 4], 2.0)
}

/// The jammed contact: r = (1, −1, 0) costs nothing, is within μ = 2, and q pushes along it for ever.
fn jammed() -> LocalProblem<3> {
    one_contact([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [-1.0, 0.5, 0.0], 2.0)
}

fn planar(problem: &LocalProblem<3>) -> LocalProblem<2> {
    let delassus = in_the_plane(&problem.delassus);
    let free_velocity = problem.free_velocity.iter().map(|q| [q[0], q[1]]).collect();
    LocalProblem { delassus, free_velocity, friction: problem.friction.clone() }
}

/// A problem in space; where its free velocities are drawn, they are drawn anew for the plane.
fn problem<const D: usize>(kind: &str, seed: u32, plane: impl Fn(&LocalProblem<3>) -> LocalProblem<D>) -> LocalProblem<D> {
    let w = |ratio: f64| plane(&tower(seed, 4, ratio)).delassus;
    match kind {
        "sticking" => prescribed(w(1.0), 0.8, Kind::Sticking, seed),
        "sliding" => prescribed(w(1.0), 0.4, Kind::Sliding, seed),
        "take-off" => prescribed(w(1.0), 0.4, Kind::TakeOff, seed),
        "mixed" => prescribed(w(1.0), 0.4, Kind::Mixed, seed),
        "no friction" => prescribed(w(1.0), 0.0, Kind::Mixed, seed),
        "Painlevé" => plane(&rod(seed)),
        "mass ratio 1e6" => prescribed(w(1e6), 0.4, Kind::Mixed, seed),
        "heavy on light" => {
            let w = column(&[1.0, 1e6]);
            let weight = [[-0.01, 0.0, 0.0], [-0.01, 0.0, 0.0], [-0.01, 0.02, 0.0], [-0.01, 0.0, 0.001]][seed as usize % 4];
            plane(&LocalProblem { delassus: w, free_velocity: vec![weight, [0.0; 3]], friction: vec![0.5; 2] })
        }
        "redundant" => plane(&block_on_four_corners([0.0, 0.2, 0.39, 0.6][seed as usize % 4])),
        // pushed as hard as friction just holds
        "at the limit" => plane(&block_on_four_corners(0.4)),
        // one tower, and contacts that nothing couples to it: pressed, sliding, open, and one that no impulse moves
        "isolated" => {
            let mut entries: Vec<_> = w(1.0).entries().collect();
            let first = 4 * D;
            entries.extend((0..3 * D).map(|k| (first + k, first + k, 1.0)));
            let delassus = mpcd_friction::local::BlockMatrix::from_entries(8, entries);
            let mut all = prescribed(delassus, 0.4, Kind::Mixed, seed);
            all.free_velocity[7] = [0.0; D];
            all.free_velocity[7][0] = 1.0;
            all
        }
        "no contact" => prescribed(mpcd_friction::local::BlockMatrix::from_entries(0, []), 0.4, Kind::Mixed, seed),
        "no solution" => plane(&jammed()),
        _ => panic!("{kind}"),
    }
}

/// A problem without solution has one as soon as W is perturbed in its last digits, with impulses that are larger by as much.
/// Errors relative to ‖r‖ cannot see the difference: a claim on such a problem must come with impulses that show it.
const BEYOND: f64 = 1e6;

/// Runs one solver on all problems of a kind; returns how many it solved, of how many.
fn cell<const D: usize>(solver: &str, kind: &str, plane: impl Fn(&LocalProblem<3>) -> LocalProblem<D>) -> (usize, usize, f64) {
    let (mut solved, mut worst) = (0, 0.0_f64);
    for seed in SEEDS {
        let local = problem(kind, seed, &plane);
        let prepared = PreparedProblem::new(local.clone(), None).unwrap();
        let mut r = vec![[0.0; D]; local.contacts()];
        let settings = LocalSettings { tolerance: TOLERANCE, max_iterations: Some(MOST), ..LocalSettings::default() };
        let info = local_solver(solver).unwrap().solve(&prepared, &mut r, &settings);
        let what = format!("{solver}, {kind}, seed {seed}, in {D}D: {info}");
        assert_eq!(info.solver, solver);
        assert!(r.iter().flatten().all(|v| v.is_finite()), "{what}: {r:?}");
        let (errors, _) = prepared.judge(&r);
        assert_eq!(info.errors, errors, "{what}: the error reported is not that of the impulses");
        assert_eq!(info.status.is_success(), errors.scaled <= TOLERANCE, "{what}");
        worst = worst.max(errors.scaled);
        if info.status.is_success() {
            solved += 1;
            if kind == "no solution" {
                assert!(r.iter().flatten().any(|v| v.abs() > BEYOND), "{what}: {r:?}");
            } else {
                assert_lawful(&local, &r, 1e-6, &what);
            }
        }
    }
    (solved, SEEDS.len(), worst)
}

#[test]
fn every_solver_on_every_kind_of_problem() {
    let mut table = String::new();
    let mut wrong = Vec::new();
    for solver in local_solver_names().into_iter().filter(|name| !name.ends_with("-convex")) {
        let _ = write!(table, "{solver:15}");
        for kind in KINDS {
            let space = cell::<3>(solver, kind, Clone::clone);
            let plane = cell::<2>(solver, kind, planar);
            for (place, (solved, all, worst)) in [("3D", space), ("2D", plane)] {
                if solved < all && kind != "no solution" && !may_miss(solver, kind) {
                    wrong.push(format!("{solver}, {kind} in {place}: {solved} of {all}, error up to {worst:.1e}"));
                }
            }
            let _ = write!(table, " {}/{}", space.0, plane.0);
        }
        table.push('\n');
    }
    println!("solved in space/in the plane, of {} each: {KINDS:?}\n{table}", SEEDS.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
