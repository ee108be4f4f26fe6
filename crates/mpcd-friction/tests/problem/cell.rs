//! A cell whose lengths move: its equation holds, contacts obey their laws with it, threads change no bit, the condensed problem says the same,
//! Newton goes on with it, `jacobi` refuses it.

use mpcd_friction::local::RigidForm;
use mpcd_friction::problem::{Body, Cell, Contact, ContactDimension, ContactProblem, Frame, ProblemError};
use mpcd_friction::{Cone, SolveSettings, SweepOrder, rigid_solver_names, solver_by_name};
use mpcd_tests::random::cases;
use nalgebra::Vector3;
use proptest::prelude::*;

use super::packing::{Inertia, fcc};
use super::properties::{Trimming, assembly};
use super::support::{assert_lawful, solve_in};

/// A lattice packing in a cell that shrinks with the rate `rate`; the inertia of the cell is `heavy` times that of the spheres.
fn in_a_cell(inertia: Inertia, heavy: f64) -> ContactProblem {
    let mut problem = fcc(3, inertia, 1);
    let total: f64 = problem.bodies.iter().filter(|n| n.inverse_mass.x > 0.0).map(|n| 1.0 / n.inverse_mass.x).sum();
    let length = 3.0 * 2.0_f64.sqrt();
    let branches = problem.contacts.iter().map(|c| c.antagonist_lever - c.candidate_lever).collect();
    problem.cell = Some(Cell {
        rate: Vector3::new(-1e-2, -2e-2, 3e-3),
        inverse_inertia: Vector3::new(1.0, 1.0, 0.0) / (heavy * total * length * length),
        branches,
    });
    problem
}

fn virial(problem: &ContactProblem) -> Vector3<f64> {
    let cell = problem.cell.as_ref().unwrap();
    problem.contacts.iter().zip(&cell.branches).map(|(c, b)| c.world_impulse().component_mul(b)).sum()
}

#[test]
fn contacts_are_lawful_and_the_cell_takes_their_impulses() {
    for inertia in [Inertia::Scalar, Inertia::Tensor] {
        for (heavy, order, tolerance) in
            [(1.0, SweepOrder::Coloured, 1e-6), (1e-2, SweepOrder::Coloured, 1e-4), (1.0, SweepOrder::Symmetric, 1e-5)]
        {
            let start = in_a_cell(inertia, heavy);
            for (name, least) in [("nlgs", 1e-5), ("nlgs-accelerated", 1e-6)] {
                let mut problem = start.clone();
                let tolerance = f64::max(tolerance, least);
                let settings = SolveSettings { tolerance, order, ..SolveSettings::default() };
                let info = solver_by_name(name).unwrap().solve(&mut problem, &settings).unwrap();
                assert!(info.status.is_success(), "{inertia:?} {heavy} {order:?}: {info}");
                assert_lawful(&problem, 1e3 * tolerance);
                let (cell, free) = (problem.cell.as_ref().unwrap(), start.cell.as_ref().unwrap());
                let push = virial(&problem).component_mul(&cell.inverse_inertia);
                assert!((cell.rate - free.rate - push).norm() < 1e-12 * free.rate.norm(), "{name}: {:?}", cell.rate);
                assert!(push.x > 1e-3, "the packing resists: {push:?}");
                assert_eq!(cell.rate.z, 3e-3, "a prescribed rate stays");
            }
        }
    }
}

/// Two balls in a row across the border of a cell: a pair of contacts whose branches add up to the length. One equation for both.
#[test]
fn a_row_across_the_border_stops_the_cell() {
    let mut problem = ContactProblem::new(ContactDimension::Three);
    let (mass, rate, inertia) = (2.0, -0.25, 3.0);
    let balls = [0, 1].map(|_| problem.push_body(Body::ball(Vector3::zeros(), Vector3::zeros(), 1.0 / mass, 10.0)));
    let frame = Frame::from_normal(Vector3::x());
    let lever = Vector3::x() * 0.5;
    for (c, a) in [(balls[1], balls[0]), (balls[0], balls[1])] {
        problem.push_contact(Contact::new(c, a, frame, -lever, lever).with_cone(Cone::coulomb(0.3)));
    }
    problem.cell =
        Some(Cell { rate: Vector3::x() * rate, inverse_inertia: Vector3::x() / inertia, branches: vec![Vector3::x(); 2] });
    let info = solve_in(&mut problem, SweepOrder::Coloured, 1e-12);
    assert!(info.status.is_success(), "{info}");
    // Σ ℓ p = −I ε̇ and both push alike.
    for contact in &problem.contacts {
        assert!((contact.impulse.x + inertia * rate / 2.0).abs() < 1e-10, "{:?}", contact.impulse);
    }
    assert!(problem.cell.as_ref().unwrap().rate.x.abs() < 1e-11);
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    for inertia in [Inertia::Scalar, Inertia::Tensor] {
        let on = |threads: usize| {
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(|| {
                let mut problem = fcc(7, inertia, 1);
                let branches = problem.contacts.iter().map(|c| c.antagonist_lever - c.candidate_lever).collect();
                problem.cell = Some(Cell { rate: Vector3::repeat(-1e-2), inverse_inertia: Vector3::repeat(1e-6), branches });
                let settings = SolveSettings { tolerance: 1e-9, max_iterations: 60, order: SweepOrder::Coloured };
                solver_by_name("nlgs-accelerated").unwrap().solve(&mut problem, &settings).unwrap();
                let rate = problem.cell.as_ref().unwrap().rate;
                let numbers = problem.contacts.iter().flat_map(|c| [c.impulse.x, c.impulse.y]).chain(rate.iter().copied());
                numbers.map(f64::to_bits).collect::<Vec<_>>()
            })
        };
        let one = on(1);
        assert!(one == on(2) && one == on(3), "{inertia:?}");
    }
}

/// A random assembly in a cell; `free` says which axes follow a stress, the others are prescribed.
fn random_in_a_cell(dimension: ContactDimension, free: [bool; 3], seed: u64) -> ContactProblem {
    let mut problem = assembly(dimension, Trimming::Rich, 8, 14, seed);
    let mut state = seed ^ 0x9E37_79B9_7F4A_7C15;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    };
    let mut vector = || Vector3::from_fn(|_, _| next());
    let branches = problem.contacts.iter().map(|_| vector()).collect();
    let inertia = vector().map(|x| 2.0 + x);
    let inverse_inertia = Vector3::from_fn(|k, _| if free[k] { 1.0 / inertia[k] } else { 0.0 });
    problem.cell = Some(Cell { rate: vector() * 0.3, inverse_inertia, branches });
    problem
}

/// W r + q of the condensed problem is what the impulses `r` of some sweeps made of bodies and cell.
fn assert_condensed_agrees<const D: usize>(start: &ContactProblem) {
    let mut problem = start.clone();
    let settings = SolveSettings { tolerance: 1e-14, max_iterations: 3, order: SweepOrder::Coloured };
    solver_by_name("nlgs").unwrap().solve(&mut problem, &settings).unwrap();
    let local = RigidForm::<D>::new(start).unwrap().prepare().unwrap().local().clone();
    let law = |k: usize| problem.contacts[k].impulse + problem.contacts[k].impulse_shift;
    let r: Vec<[f64; D]> = (0..problem.contacts.len()).map(|k| std::array::from_fn(|i| law(k)[i])).collect();
    let u = local.velocities(&r);
    let largest = u.iter().flatten().fold(1.0, |m: f64, x| m.max(x.abs()));
    let entries: Vec<_> = local.delassus.entries().collect();
    let mut product = local.free_velocity.clone();
    entries.iter().for_each(|(i, j, w)| product[i / D][i % D] += w * r[j / D][j % D]);
    for (k, contact) in problem.contacts.iter().enumerate() {
        let sweeps = problem.relative_velocity(k).unwrap() + contact.velocity_shift + contact.compliance.component_mul(&law(k));
        for i in 0..D {
            assert!((u[k][i] - sweeps[i]).abs() < 1e-12 * largest, "contact {k}: {:?} {sweeps:?}", u[k]);
            assert!((u[k][i] - product[k][i]).abs() < 1e-12 * largest, "contact {k}: multiplied out {:?}", product[k]);
        }
        let (diagonal, at) = (local.delassus.diagonal(k), |i: usize, j: usize| (D * k + i, D * k + j));
        for (i, j, w) in entries.iter().filter(|e| e.0 / D == k && e.1 / D == k) {
            assert!((diagonal[i % D][j % D] - w).abs() < 1e-14 * (1.0 + w.abs()), "{:?}", at(i % D, j % D));
        }
    }
    // the stored form condenses to the same
    let stored = RigidForm::<D>::new(start).unwrap().to_global().unwrap().condense().unwrap();
    for (a, b) in stored.velocities(&r).iter().flatten().zip(u.iter().flatten()) {
        assert!((a - b).abs() < 1e-11 * largest, "{a} {b}");
    }
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn the_condensed_problem_moves_with_the_cell_as_sweeps_do(seed in 0_u64..1_000_000, planar in any::<bool>(), axes in 0_usize..8) {
        let free = [0, 1, 2].map(|k| axes >> k & 1 == 1);
        if planar {
            assert_condensed_agrees::<2>(&random_in_a_cell(ContactDimension::Two, free, seed));
        } else {
            assert_condensed_agrees::<3>(&random_in_a_cell(ContactDimension::Three, free, seed));
        }
    }
}

/// Without friction velocities are unique: those of `auto`, of Newton alone, of the interior point and of sweeps are one. Each way must end by itself
/// nearly wherever sweeps do: a condensed problem that is not that of the bodies is accepted nowhere, and would otherwise pass unseen.
#[test]
fn every_way_comes_to_the_same_motion() {
    let ways = ["auto", "nsn-ac", "ipm"];
    let (mut all, mut ended) = (0, [0; 3]);
    for seed in 0..96 {
        let dimension = if seed % 2 == 0 { ContactDimension::Two } else { ContactDimension::Three };
        let axes = 1 + seed / 2 % 7;
        let mut start = random_in_a_cell(dimension, [0, 1, 2].map(|k| axes >> k & 1 == 1), seed);
        start.contacts.iter_mut().for_each(|c| *c = c.clone().with_cone(Cone::Frictionless));
        let settings = SolveSettings { tolerance: 1e-10, ..SolveSettings::default() };
        let solved = |name: &str| {
            let mut problem = start.clone();
            let info = solver_by_name(name).unwrap().solve(&mut problem, &settings).unwrap();
            info.status.is_success().then_some(problem)
        };
        let Some(reference) = solved("nlgs") else { continue };
        all += 1;
        for (name, ended) in ways.iter().zip(&mut ended) {
            let Some(problem) = solved(name) else { continue };
            *ended += 1;
            for (a, b) in problem.bodies.iter().zip(&reference.bodies) {
                assert!((a.velocity - b.velocity).norm() < 1e-7, "{name}: {:?} {:?}", a.velocity, b.velocity);
            }
            let rate = |p: &ContactProblem| p.cell.as_ref().unwrap().rate;
            assert!((rate(&problem) - rate(&reference)).norm() < 1e-7, "{name}");
        }
    }
    assert!(all >= 80 && ended.iter().all(|n| 20 * n >= 19 * all), "of {all} problems {ended:?} were ended by {ways:?}");
}

/// A light cell makes sweeps crawl at 3e-7: `auto` goes on with Newton, which ends it; the sweeps alone do not. Newton's chain is what ran last: sweeps
/// after it could close what a condensed problem that is a little wrong leaves.
#[test]
fn auto_goes_on_with_newton_in_a_cell() {
    let start = {
        let mut problem = in_a_cell(Inertia::Scalar, 1e-3);
        problem.contacts.iter_mut().for_each(|c| *c = c.clone().with_cone(Cone::Frictionless));
        problem
    };
    let solved = |name: &str| {
        let settings = SolveSettings { tolerance: 1e-7, ..SolveSettings::default() };
        let mut problem = start.clone();
        let mut solver = solver_by_name(name).unwrap();
        assert!(solver.takes_cells());
        let info = solver.solve(&mut problem, &settings).unwrap();
        (problem, info)
    };
    let (problem, info) = solved("auto");
    assert!(info.status.is_success(), "{info} {:?}", info.stages);
    assert!(info.stages.iter().any(|s| s.name == "nsn-ac" && s.iterations > 0), "{:?}", info.stages);
    assert!(info.stages.iter().all(|s| !s.name.starts_with("sweeps only")), "{:?}", info.stages);
    assert!(info.stages.last().is_some_and(|s| s.name != "nlgs-accelerated"), "{:?}", info.stages);
    let (cell, free) = (problem.cell.as_ref().unwrap(), start.cell.as_ref().unwrap());
    let push = virial(&problem).component_mul(&cell.inverse_inertia);
    assert!((cell.rate - free.rate - push).norm() < 1e-12 * free.rate.norm(), "{:?}", cell.rate);
    let (_, alone) = solved("nlgs-accelerated");
    assert!(!alone.status.is_success(), "{alone}");
}

/// Every name carries a cell, but `jacobi`; what a name calls converged is lawful and obeys the equation of the cell.
#[test]
fn every_named_solver_carries_a_cell() {
    let (mut done, mut all) = (0, 0);
    for name in rigid_solver_names().into_iter().filter(|name| *name != "jacobi") {
        for dimension in [ContactDimension::Two, ContactDimension::Three] {
            let start = random_in_a_cell(dimension, [true, true, false], 5);
            let mut problem = start.clone();
            let settings = SolveSettings { tolerance: 1e-8, ..SolveSettings::default() };
            let info = match solver_by_name(name).unwrap().solve(&mut problem, &settings) {
                Ok(info) => info,
                Err(refused) => {
                    assert_eq!(name, "lemke", "{refused}");
                    continue;
                }
            };
            all += 1;
            if info.status.is_success() {
                done += 1;
                assert_lawful(&problem, 1e-5);
            } else {
                println!("{name} {dimension:?}: {info}");
            }
            let (cell, free) = (problem.cell.as_ref().unwrap(), start.cell.as_ref().unwrap());
            let mut push = virial(&problem);
            if dimension == ContactDimension::Two {
                push.z = 0.0;
            }
            let moved = free.rate + push.component_mul(&cell.inverse_inertia);
            assert!((cell.rate - moved).norm() < 1e-11 * (1.0 + push.norm()), "{name}: {:?} {moved:?}", cell.rate);
        }
    }
    assert!(4 * done > 3 * all, "{done} of {all}");
}

#[test]
fn a_solver_that_cannot_carry_a_cell_refuses_it() {
    let mut solver = solver_by_name("jacobi").unwrap();
    let error = solver.solve(&mut in_a_cell(Inertia::Scalar, 1.0), &SolveSettings::default()).unwrap_err();
    assert_eq!(error, ProblemError::CellNotAccepted { solver: solver.name() });
    assert!(!solver.takes_cells());
    let mut problem = in_a_cell(Inertia::Scalar, 1.0);
    problem.cell.as_mut().unwrap().branches.pop();
    let error = solver_by_name("nlgs").unwrap().solve(&mut problem, &SolveSettings::default()).unwrap_err();
    assert!(error.to_string().contains("number of its branches"), "{error}");
}
