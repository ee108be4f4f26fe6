//! Hard problems: hyperstatic, Painlevé, extreme mass ratios, no friction, no solution within reach. Never NaN, never a
//! wrong claim of convergence.

use mpcd_friction::problem::{Body, Contact, ContactDimension, ContactProblem, Frame};
use mpcd_friction::{Cone, SolveSettings, Status, SweepOrder};
use nalgebra::{Matrix3, Vector3};

use super::support::{assert_lawful, column, solve, solve_in};

/// A block of 1 kg on its four corners and, again and again, on the same four: 4n contacts where three would do.
pub(crate) fn redundant_block(times: usize, friction: f64) -> ContactProblem {
    let mut problem = ContactProblem::new(ContactDimension::Three);
    let v = Vector3::new(0.0, 0.0, -9.81e-3);
    let block = problem.push_body(Body::free(v, Vector3::zeros(), 1.0, Matrix3::identity() * 6.0));
    let floor = problem.push_body(Body::fixed());
    for _ in 0..times {
        for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
            let lever = Vector3::new(x, y, -0.5);
            let frame = Frame::from_normal(Vector3::z());
            let contact = Contact::new(block, floor, frame, lever, lever);
            problem.push_contact(contact.with_cone(Cone::coulomb(friction)));
        }
    }
    problem
}

#[test]
fn v13_hyperstatic_resultants_are_exact() {
    for times in [1, 2, 10] {
        for friction in [0.0, 0.3] {
            let mut problem = redundant_block(times, friction);
            let info = solve_in(&mut problem, SweepOrder::Coloured, 1e-11);
            assert!(info.status.is_success(), "{times} {friction}: {info}");
            let total: Vector3<f64> = problem.contacts.iter().map(Contact::world_impulse).sum();
            assert!((total - Vector3::z() * 9.81e-3).norm() < 1e-11, "{total:?}");
            assert!(problem.bodies[0].velocity.norm() < 1e-11);
            assert!(problem.bodies[0].angular_velocity.norm() < 1e-11);
        }
    }
}

/// A rod sliding at 45° with strong friction (Painlevé): the contact problem of one step has a solution, and it is found.
#[test]
fn painleve_rod() {
    for friction in [0.5, 1.0, 1.5, 2.0, 5.0] {
        for dimension in [ContactDimension::Two, ContactDimension::Three] {
            for slide in [-3.0, -0.1, 0.1, 3.0] {
                let mut problem = ContactProblem::new(dimension);
                let inertia = Matrix3::from_diagonal(&Vector3::new(12.0, 12.0, 12.0));
                let v = Vector3::new(slide, -9.81e-3, 0.0);
                let rod = problem.push_body(Body::free(v, Vector3::zeros(), 1.0, inertia));
                let floor = problem.push_body(Body::fixed());
                let lever = Vector3::new(-0.5, -0.5, 0.0) * std::f64::consts::FRAC_1_SQRT_2;
                let contact = Contact::new(rod, floor, Frame::planar(Vector3::y()), lever, Vector3::zeros());
                problem.push_contact(contact.with_cone(Cone::coulomb(friction)));
                let info = solve_in(&mut problem, SweepOrder::Coloured, 1e-12);
                assert!(info.status.is_success(), "μ {friction}, slide {slide}: {info}");
                assert_lawful(&problem, 1e-9);
            }
        }
    }
}

/// A heavy block on a light one (mass ratio 1e6), and the other way round.
#[test]
fn mass_ratio_of_a_million() {
    for heavy in [0, 1] {
        let mut problem = column(2, 1e-3);
        problem.bodies[heavy].inverse_mass.fill(1e-6);
        let settings = SolveSettings { tolerance: 1e-6, max_iterations: 20_000, order: SweepOrder::Forward };
        let info = solve(&mut problem, &settings);
        let mass = |k: usize| if k == heavy { 1e6 } else { 1.0 };
        let carried = [mass(0) + mass(1), mass(1)];
        if heavy == 0 {
            assert!(info.status.is_success(), "{info}");
            for k in 0..2 {
                let error = problem.contacts[k].impulse.x / (carried[k] * 9.81e-3) - 1.0;
                assert!(error.abs() < 1e-4, "{k} {error:e}");
            }
        } else {
            // heavy on light is Gauss–Seidel's worst case: it may give up, but it must say so, with the true error
            assert!(!info.status.is_success() || (problem.contacts[1].impulse.x / (carried[1] * 9.81e-3) - 1.0).abs() < 1e-2);
            assert!(info.error() > 0.0 && info.error().is_finite());
            assert!(problem.contacts.iter().all(|c| c.impulse.iter().all(|r| r.is_finite())));
        }
    }
}

#[test]
fn without_friction_nothing_is_tangential() {
    let mut problem = super::packing::fcc(2, super::packing::Inertia::Tensor, 3);
    for contact in &mut problem.contacts {
        *contact = contact.clone().with_cone(Cone::coulomb(0.0));
    }
    let info = solve_in(&mut problem, SweepOrder::Coloured, 1e-9);
    assert!(info.status.is_success(), "{info}");
    assert!(problem.contacts.iter().all(|c| c.impulse.yz().norm() <= 1e-15 * c.impulse.x));
    assert_lawful(&problem, 1e-7);
}

/// Jammed between two walls that close in: no velocity satisfies both. The solver must not claim success, nor NaN.
#[test]
fn no_solution_is_not_called_one() {
    for inertia in [1.0, 0.0] {
        let mut problem = ContactProblem::new(ContactDimension::Three);
        let ball = problem.push_body(Body::ball(Vector3::zeros(), Vector3::zeros(), 1.0, inertia));
        for side in [1.0, -1.0] {
            let wall = problem.push_body(Body::driven(Vector3::x() * side, Vector3::zeros()));
            let frame = Frame::from_normal(Vector3::x() * side);
            let contact = Contact::new(ball, wall, frame, -frame.normal() * 0.5, Vector3::zeros());
            problem.push_contact(contact.with_cone(Cone::coulomb(0.3)));
        }
        let settings = SolveSettings { max_iterations: 2_000, ..SolveSettings::default() };
        let info = solve(&mut problem, &settings);
        assert!(matches!(info.status, Status::Stalled | Status::MaxIterations), "{info}");
        assert!(info.error() > 1e-3 || info.error() > settings.tolerance);
        assert!(problem.contacts.iter().all(|c| c.impulse.iter().all(|r| r.is_finite())));
        assert!(info.worst.is_some_and(|w| w.contact < 2));
    }
}

#[test]
fn the_limit_of_sweeps_is_kept_and_counted() {
    let mut problem = column(50, 1e-3);
    let settings = SolveSettings { tolerance: 1e-10, max_iterations: 37, order: SweepOrder::Forward };
    let info = solve(&mut problem, &settings);
    assert_eq!((info.status, info.iterations), (Status::MaxIterations, 37));
    assert_eq!(info.contact_updates, 37 * 50);
    assert!(info.error() > 1e-10);
    assert!(info.to_string().starts_with("nlgs: maximum of iterations reached after 37 iterations"));
}
