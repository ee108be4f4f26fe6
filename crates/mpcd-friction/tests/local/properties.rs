//! What holds for every solution that a solver claims: cone, dual cone, complementarity, dissipation (PHYSICS §4).

use mpcd_friction::local::{BlockMatrix, LocalProblem, LocalSettings, PreparedProblem, local_solver};
use mpcd_tests::random::cases;
use proptest::prelude::*;

use super::problems::{Kind, assert_lawful, in_the_plane, numbers, prescribed, solvers, tower};

/// Contacts with restitution: `ũ = u⁺ + e u⁻`, so that the problem's q is `(1 + e) u⁻` where nothing else acts.
fn shock<const D: usize>(delassus: BlockMatrix<D>, friction: f64, e: f64, seed: u32) -> (LocalProblem<D>, Vec<[f64; D]>) {
    let mut next = numbers(seed);
    // mostly approaching, as closed contacts do
    let before: Vec<[f64; D]> = (0..delassus.len())
        .map(|_| {
            let mut u: [f64; D] = std::array::from_fn(|_| next());
            u[0] = 0.3 * u[0] - 0.4;
            u
        })
        .collect();
    let free_velocity = before.iter().map(|u| u.map(|v| (1.0 + e) * v)).collect();
    let friction = vec![friction; delassus.len()];
    (LocalProblem { delassus, free_velocity, friction }, before)
}

/// `Σ r·½(u⁺ + u⁻)`, relative to the sum of the sizes of its terms.
fn contact_work<const D: usize>(problem: &LocalProblem<D>, before: &[[f64; D]], e: f64, r: &[[f64; D]]) -> (f64, f64) {
    let (mut work, mut size) = (0.0, f64::MIN_POSITIVE);
    for (c, tilde) in problem.velocities(r).iter().enumerate() {
        for k in 0..D {
            let after = tilde[k] - e * before[c][k];
            work += 0.5 * r[c][k] * (after + before[c][k]);
            size += 0.5 * (r[c][k] * after).abs() + 0.5 * (r[c][k] * before[c][k]).abs();
        }
    }
    (work, size)
}

fn dissipates<const D: usize>(name: &str, delassus: BlockMatrix<D>, friction: f64, e: f64, seed: u32) -> bool {
    let (local, before) = shock(delassus, friction, e, seed);
    let problem = PreparedProblem::new(local.clone(), None).unwrap();
    let mut r = vec![[0.0; D]; local.contacts()];
    let settings = LocalSettings { tolerance: 1e-9, max_iterations: Some(5_000), ..LocalSettings::default() };
    let info = local_solver(name).unwrap().solve(&problem, &mut r, &settings);
    if info.status.is_success() {
        let what = format!("{name}, e = {e}, μ = {friction}, seed {seed} in {D}D: {info}");
        assert_lawful(&local, &r, 1e-7, &what);
        let (work, size) = contact_work(&local, &before, e, &r);
        assert!(work <= 1e-7 * size, "{what}: contacts give {work:e} of {size:e}");
    }
    info.status.is_success()
}

proptest! {
    #![proptest_config(cases(48))]

    /// The summed work of the contacts is ≤ 0 for e = 0 and for one e = e_n = e_t at all contacts, whichever the solver.
    #[test]
    fn v13_contacts_never_give_energy(seed in 0_u32..1_000, e in prop::sample::select(vec![0.0, 0.3, 0.8, 1.0]), friction in 0.0..1.0f64, contacts in 1_usize..6) {
        let w = tower(seed, contacts, 10.0).delassus;
        let mut solved = 0;
        for solver in solvers::<3>() {
            solved += usize::from(dissipates(solver.name(), w.clone(), friction, e, seed));
            solved += usize::from(dissipates(solver.name(), in_the_plane(&w), friction, e, seed));
        }
        prop_assert!(solved * 4 >= solvers::<3>().len() * 2 * 3, "{} solves of {}", solved, 2 * solvers::<3>().len());
    }
}

/// VALIDATION §5, Kane's paradox: with e_n ≠ e_t Newton's law may create energy; here 0.05 J, with every solver.
#[test]
fn v05_kanes_paradox_with_every_solver() {
    let w = [2.5, 1.5, 1.5, 2.5];
    let delassus = BlockMatrix::<2>::from_entries(1, (0..4).map(|k| (k / 2, k % 2, w[k])));
    let before = [-1.0, -0.5];
    let local = LocalProblem { delassus, free_velocity: vec![[1.9 * before[0], before[1]]], friction: vec![0.6] };
    let problem = PreparedProblem::new(local.clone(), None).unwrap();
    for mut solver in solvers::<2>() {
        let mut r = vec![[0.0; 2]];
        let settings = LocalSettings { tolerance: 1e-10, ..LocalSettings::default() };
        let info = solver.solve(&problem, &mut r, &settings);
        assert!(info.status.is_success(), "{info}");
        assert!((r[0][0] - 1.0).abs() < 1e-8 && (r[0][1] + 0.4).abs() < 1e-8, "{}: {r:?}", solver.name());
        let tilde = local.velocities(&r)[0];
        let after = [tilde[0] - 0.9 * before[0], tilde[1]];
        let work: f64 = (0..2).map(|k| 0.5 * r[0][k] * (after[k] + before[k])).sum();
        assert!((work - 0.05).abs() < 1e-8, "{}: {work}", solver.name());
    }
}

/// The check of the law can fail: a sliding contact's friction turned round, a pulled contact, a pressed one that opens.
#[test]
fn the_check_of_the_law_can_fail() {
    let local = prescribed(tower(1, 3, 1.0).delassus, 0.4, Kind::Sliding, 1);
    let problem = PreparedProblem::new(local.clone(), None).unwrap();
    let mut r = vec![[0.0; 3]; 3];
    let info =
        local_solver("nlgs").unwrap().solve(&problem, &mut r, &LocalSettings { tolerance: 1e-12, ..LocalSettings::default() });
    assert!(info.status.is_success(), "{info}");
    assert_lawful(&local, &r, 1e-9, "right");
    let spoil: [fn(&mut [[f64; 3]]); 3] = [|r| r[0][1] = -r[0][1] - 0.1, |r| r[1][0] = -0.1, |r| r[2][0] += 0.1];
    for change in spoil {
        let mut wrong = r.clone();
        change(&mut wrong);
        assert!(std::panic::catch_unwind(|| assert_lawful(&local, &wrong, 1e-9, "wrong")).is_err(), "{wrong:?}");
    }
}
