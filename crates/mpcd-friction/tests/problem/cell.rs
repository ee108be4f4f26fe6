//! A cell whose lengths move: its equation holds, contacts obey their laws with it, threads change no bit, others refuse it.

use mpcd_friction::problem::{Body, Cell, Contact, ContactDimension, ContactProblem, Frame, ProblemError};
use mpcd_friction::{Cone, SolveSettings, SweepOrder, solver_by_name};
use nalgebra::Vector3;

use super::packing::{Inertia, fcc};
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

/// A moving cell cannot be condensed: `auto` carries it by its sweeps, to the same answer, and says so where it would have gone on.
#[test]
fn auto_carries_a_cell_by_its_sweeps_and_says_so() {
    let settings = SolveSettings { tolerance: 1e-9, max_iterations: 2_000, order: SweepOrder::Coloured };
    let solved = |name: &str| {
        let mut problem = in_a_cell(Inertia::Scalar, 1e-2);
        let mut solver = solver_by_name(name).unwrap();
        assert!(solver.takes_cells());
        let info = solver.solve(&mut problem, &settings).unwrap();
        (problem.cell.unwrap().rate, info)
    };
    let (rate, info) = solved("auto");
    let (other, _) = solved("nlgs-accelerated");
    assert!((rate - other).norm() < 1e-5 * other.norm(), "{rate:?} {other:?}");
    assert!(info.stages.iter().all(|s| s.name == "nlgs-accelerated" || s.name == "sweeps only: a cell whose lengths move"));
    assert!(info.stages.iter().any(|s| s.iterations == 0), "{info} {:?}", info.stages);
}

#[test]
fn solvers_that_cannot_carry_a_cell_refuse_it() {
    for name in ["jacobi", "nsn-ac"] {
        let mut solver = solver_by_name(name).unwrap();
        let error = solver.solve(&mut in_a_cell(Inertia::Scalar, 1.0), &SolveSettings::default()).unwrap_err();
        assert_eq!(error, ProblemError::CellNotAccepted { solver: solver.name() });
        assert!(!solver.takes_cells());
    }
    let mut problem = in_a_cell(Inertia::Scalar, 1.0);
    problem.cell.as_mut().unwrap().branches.pop();
    let error = solver_by_name("nlgs").unwrap().solve(&mut problem, &SolveSettings::default()).unwrap_err();
    assert!(error.to_string().contains("number of its branches"), "{error}");
}
