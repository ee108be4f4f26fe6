//! Sweeps with momentum: the answer of plain sweeps, in far fewer of them; hard problems.

use mpcd_friction::problem::{Contact, ContactDimension, ContactProblem};
use mpcd_friction::{SolveInfo, SolveSettings, solver_by_name};
use nalgebra::Vector3;

use super::hard::redundant_block;
use super::packing::{Inertia, fcc, hexagonal};
use super::properties::{Trimming, assembly};
use super::support::{assert_lawful, column};

fn solve(name: &str, problem: &mut ContactProblem, tolerance: f64) -> SolveInfo {
    let settings = SolveSettings { tolerance, max_iterations: 60_000, ..SolveSettings::default() };
    solver_by_name(name).unwrap().solve(problem, &settings).unwrap()
}

/// Both kernels and dimensions; velocities are unique here, impulses are not.
#[test]
fn the_velocities_of_plain_sweeps_in_half_of_them() {
    for start in [fcc(4, Inertia::Scalar, 1), fcc(3, Inertia::Tensor, 2), hexagonal(16, 16, 1)] {
        let (mut plain, mut fast) = (start.clone(), start);
        let slow = solve("nlgs", &mut plain, 1e-9);
        let info = solve("nlgs-accelerated", &mut fast, 1e-9);
        assert!(slow.status.is_success() && info.status.is_success(), "{slow} {info}");
        assert!(2 * info.iterations < slow.iterations, "{slow} {info}");
        for (a, b) in plain.bodies.iter().zip(&fast.bodies) {
            assert!((a.velocity - b.velocity).norm() < 1e-6 * 9.81e-3, "{:?} {:?}", a.velocity, b.velocity);
        }
        assert_lawful(&fast, 1e-6);
    }
}

/// Contacts of all kinds: pins, rods, compliance, cohesion, restitution, laws of users.
#[test]
fn all_kinds_of_contacts_are_solved() {
    for dimension in [ContactDimension::Two, ContactDimension::Three] {
        for seed in 0..10 {
            let mut problem = assembly(dimension, Trimming::Rich, 12, 20, seed);
            let info = solve("nlgs-accelerated", &mut problem, 1e-9);
            assert!(info.status.is_success(), "{dimension:?} {seed}: {info}");
        }
    }
}

/// 100 blocks on each other: plain sweeps need 12,000 to 1e-5, the square root of which is in reach.
#[test]
fn a_stack_of_a_hundred_takes_hundreds_of_sweeps() {
    let mut problem = column(100, 1e-3);
    let info = solve("nlgs-accelerated", &mut problem, 1e-5);
    assert!(info.status.is_success() && info.iterations < 600, "{info}");
    for (k, contact) in problem.contacts.iter().enumerate() {
        let error = contact.impulse.x / ((100 - k) as f64 * 9.81e-3) - 1.0;
        assert!(error.abs() < 1e-2, "contact {k}: {error:e}");
    }
}

/// A million on one: plain sweeps give up.
#[test]
fn a_heavy_block_on_a_light_one() {
    let mut problem = column(2, 1e-3);
    problem.bodies[1].inverse_mass.fill(1e-6);
    let info = solve("nlgs-accelerated", &mut problem, 1e-9);
    assert!(info.status.is_success(), "{info}");
    for (k, carried) in [(0, 1e6 + 1.0), (1, 1e6)] {
        let error = problem.contacts[k].impulse.x / (carried * 9.81e-3) - 1.0;
        assert!(error.abs() < 1e-3, "contact {k}: {error:e}, {info}");
    }
}

#[test]
fn hyperstatic_resultants_are_exact() {
    let mut problem = redundant_block(10, 0.3);
    let info = solve("nlgs-accelerated", &mut problem, 1e-11);
    assert!(info.status.is_success(), "{info}");
    let total: Vector3<f64> = problem.contacts.iter().map(Contact::world_impulse).sum();
    assert!((total - Vector3::z() * 9.81e-3).norm() < 1e-11, "{total:?}");
}
