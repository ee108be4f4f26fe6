//! What holds for every solution, on random assemblies: the law at each contact, dissipation, momentum.

use mpcd_friction::problem::{Body, Contact, ContactDimension, ContactProblem, Frame};
use mpcd_friction::{Cone, SolveSettings, SweepOrder};
use mpcd_tests::random::cases;
use nalgebra::{Matrix3, Vector3};
use proptest::prelude::*;

use super::support::{assert_lawful, impulses, kinetic_energy, solve, solve_in};

/// What the random assemblies have besides bodies, contacts and friction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trimming {
    Plain,
    /// Locked translations, compliances, velocity and impulse shifts.
    Rich,
}

/// A random assembly of bodies with tensors of inertia and of balls, every contact with levers of its own.
pub(crate) fn assembly(
    dimension: ContactDimension,
    trimming: Trimming,
    bodies: usize,
    contacts: usize,
    seed: u64,
) -> ContactProblem {
    let mut state = seed;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    };
    let planar = dimension == ContactDimension::Two;
    let rich = trimming == Trimming::Rich;
    let mut problem = ContactProblem::new(dimension);
    for k in 0..bodies {
        let v = Vector3::new(next(), next(), if planar { 0.0 } else { next() });
        let w = Vector3::z() * next();
        let mass = 1.0 + 0.9 * next();
        let body = if k % 3 == 0 {
            Body::ball(v, w, mass, 4.0)
        } else {
            let a = Matrix3::from_fn(|_, _| next());
            Body::free(v, w, mass, a * a.transpose() + Matrix3::identity() * 0.5)
        };
        let locked = [rich && k % 5 == 1, rich && k % 5 == 2, rich && k % 5 == 3];
        problem.push_body(body.with_locked_translations(locked));
    }
    problem.push_body(Body::fixed());
    for k in 0..contacts {
        let i = k % bodies;
        let j = (i + 1 + ((next() + 1.0) * 0.5 * (bodies - 1) as f64) as usize) % (bodies + 1);
        let frame = if planar {
            Frame::planar(Vector3::new(next(), next(), 0.0))
        } else {
            Frame::from_normal(Vector3::new(next(), next(), next()))
        };
        let mut vector = || Vector3::new(next(), next(), if planar { 0.0 } else { next() });
        let (mut a, b) = (vector() * 0.4, vector() * 0.4);
        if i.is_multiple_of(3) {
            a = -frame.normal() * 0.3;
        }
        let mut contact = Contact::new(i, j, frame, a, b).with_cone(Cone::coulomb(0.4));
        if rich {
            contact.velocity_shift = vector() * 0.2;
            contact.compliance.x = vector().x.abs();
            if k % 2 == 0 {
                contact.compliance = vector().abs();
                contact.impulse_shift = vector() * 0.1;
            }
        }
        if i != j {
            problem.push_contact(contact);
        }
    }
    problem
}

/// What each body got is what its contacts gave: V⁺ − V_free = M⁻¹ Σ r, and the same for the spin.
fn assert_balanced(free: &ContactProblem, problem: &ContactProblem) {
    let planar = problem.dimension == ContactDimension::Two;
    for (k, (body, start)) in problem.bodies.iter().zip(&free.bodies).enumerate() {
        let (mut force, mut torque) = (Vector3::zeros(), Vector3::zeros());
        for contact in &problem.contacts {
            let impulse = contact.world_impulse();
            if contact.candidate == k {
                force += impulse;
                torque += contact.candidate_lever.cross(&impulse);
            }
            if contact.antagonist == k {
                force -= impulse;
                torque -= contact.antagonist_lever.cross(&impulse);
            }
        }
        let inertia = body.inverse_inertia.matrix();
        let v = start.velocity + body.inverse_mass.component_mul(&force);
        let w = if planar {
            start.angular_velocity + Vector3::z() * (inertia[(2, 2)] * torque.z)
        } else {
            start.angular_velocity + inertia * torque
        };
        let scale = 1.0 + force.norm() + torque.norm();
        assert!((body.velocity - v).norm() < 1e-13 * scale, "body {k}");
        assert!((body.angular_velocity - w).norm() < 1e-12 * scale, "body {k}");
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn v13_every_contact_obeys_its_law(seed in 0_u64..1_000_000, planar in any::<bool>(), rich in any::<bool>()) {
        let dimension = if planar { ContactDimension::Two } else { ContactDimension::Three };
        let trimming = if rich { Trimming::Rich } else { Trimming::Plain };
        let start = assembly(dimension, trimming, 8, 12, seed);
        let mut problem = start.clone();
        let settings = SolveSettings { tolerance: 1e-11, ..SolveSettings::default() };
        let info = solve(&mut problem, &settings);
        assert_balanced(&start, &problem);
        prop_assume!(info.status.is_success());
        assert_lawful(&problem, 1e-8);
        if !rich {
            // contact work ≤ 0 for e = 0
            prop_assert!(kinetic_energy(&problem) <= kinetic_energy(&start) * (1.0 + 1e-10));
        }
    }
}

/// Most of the random problems must be solved, or the property above says nothing.
#[test]
fn random_assemblies_are_solved() {
    let solved = (0..200)
        .filter(|seed| {
            let mut problem = assembly(ContactDimension::Three, Trimming::Rich, 8, 12, *seed);
            solve_in(&mut problem, SweepOrder::Coloured, 1e-11).status.is_success()
        })
        .count();
    assert!(solved >= 195, "{solved} of 200");
}

/// Well-posed problems have one answer: every order of sweeping finds it.
#[test]
fn all_orders_agree() {
    let start = super::packing::hexagonal(3, 1, 1);
    let mut reference = None;
    for order in
        [SweepOrder::Coloured, SweepOrder::Forward, SweepOrder::Reverse, SweepOrder::Symmetric, SweepOrder::Shuffled { seed: 9 }]
    {
        let mut problem = start.clone();
        let info = solve_in(&mut problem, order, 1e-12);
        assert!(info.status.is_success(), "{order:?} {info}");
        let velocities: Vec<_> = problem.bodies.iter().map(|n| n.velocity).collect();
        let reference = reference.get_or_insert_with(|| velocities.clone());
        for (a, b) in velocities.iter().zip(reference) {
            assert!((a - *b).norm() < 1e-9);
        }
    }
}

/// Lengths × 10³, masses × 10⁹, times × √10³: the answer scales, and the solve takes the same sweeps.
#[test]
fn v13_scale_invariance() {
    let mut plain = super::packing::fcc(2, super::packing::Inertia::Scalar, 5);
    let mut scaled = plain.clone();
    let (length, mass, speed) = (1e3, 1e9, 1e3_f64.sqrt());
    for body in &mut scaled.bodies {
        body.velocity *= speed;
        body.inverse_mass /= mass;
        if let mpcd_friction::problem::InverseInertia::Isotropic(i) = &mut body.inverse_inertia {
            *i /= mass * length * length;
        }
    }
    for contact in &mut scaled.contacts {
        contact.candidate_lever *= length;
        contact.antagonist_lever *= length;
    }
    let a = solve_in(&mut plain, SweepOrder::Coloured, 1e-8);
    let b = solve_in(&mut scaled, SweepOrder::Coloured, 1e-8);
    assert_eq!(a.iterations, b.iterations);
    let largest = impulses(&plain).iter().map(|r| r.norm()).fold(0.0, f64::max);
    for (r, s) in impulses(&plain).iter().zip(impulses(&scaled)) {
        assert!((r - s / (mass * speed)).norm() < 1e-10 * largest);
    }
    assert!((a.errors.siconos / b.errors.siconos - 1.0).abs() > 0.5, "that one does depend on units");
}

/// The same packing through both kernels.
#[test]
fn the_two_kernels_agree() {
    let mut diagonal = super::packing::fcc(2, super::packing::Inertia::Scalar, 5);
    let mut full = super::packing::fcc(2, super::packing::Inertia::Tensor, 5);
    let a = solve_in(&mut diagonal, SweepOrder::Forward, 1e-9);
    let b = solve_in(&mut full, SweepOrder::Forward, 1e-9);
    assert!(a.status.is_success() && b.status.is_success());
    let largest = impulses(&diagonal).iter().map(|r| r.norm()).fold(0.0, f64::max);
    for (r, s) in impulses(&diagonal).iter().zip(impulses(&full)) {
        assert!((r - s).norm() < 1e-6 * largest);
    }
    assert_lawful(&diagonal, 1e-6);
}

/// A planar problem and the same bodies in space with the motion out of the plane locked.
#[test]
fn planar_and_locked_spatial_agree() {
    let mut planar = super::packing::hexagonal(4, 3, 2);
    let mut spatial = planar.clone();
    spatial.dimension = ContactDimension::Three;
    for body in &mut spatial.bodies {
        body.inverse_mass.z = 0.0;
        let spin = body.inverse_inertia.matrix()[(2, 2)];
        body.inverse_inertia =
            mpcd_friction::problem::InverseInertia::Tensor(Matrix3::from_diagonal(&Vector3::new(0.0, 0.0, spin)));
    }
    let a = solve_in(&mut planar, SweepOrder::Forward, 1e-11);
    let b = solve_in(&mut spatial, SweepOrder::Forward, 1e-11);
    assert!(a.status.is_success() && b.status.is_success(), "{a} {b}");
    for (a, b) in planar.bodies.iter().zip(&spatial.bodies) {
        assert!((a.velocity - b.velocity).norm() < 1e-8);
    }
}

#[test]
fn jacobi_solves_a_packing() {
    let start = super::packing::hexagonal(5, 4, 2);
    let mut problem = start.clone();
    let settings = SolveSettings { tolerance: 1e-9, ..SolveSettings::default() };
    let info = mpcd_friction::solver_by_name("jacobi").unwrap().solve(&mut problem, &settings).unwrap();
    assert!(info.status.is_success(), "{info}");
    assert_lawful(&problem, 1e-7);
    assert_balanced(&start, &problem);
}

/// Two symmetric sweeps are one forward and one reverse.
#[test]
fn symmetric_goes_forward_and_back() {
    let mut start = super::packing::fcc(2, super::packing::Inertia::Scalar, 5);
    // every second body has a tensor, so that the sweep changes kernels
    for body in start.bodies.iter_mut().step_by(2) {
        body.inverse_inertia = mpcd_friction::problem::InverseInertia::Tensor(body.inverse_inertia.matrix());
    }
    let sweep = |problem: &mut ContactProblem, order, count| {
        let settings = SolveSettings { tolerance: 1e-300, max_iterations: count, order };
        solve(problem, &settings);
    };
    let mut symmetric = start.clone();
    sweep(&mut symmetric, SweepOrder::Symmetric, 2);
    let mut both = start.clone();
    sweep(&mut both, SweepOrder::Forward, 1);
    super::packing::restart(&mut both, &start);
    sweep(&mut both, SweepOrder::Reverse, 1);
    let mut forward = start;
    sweep(&mut forward, SweepOrder::Forward, 2);
    let distance = |a: &ContactProblem| -> f64 {
        impulses(a).iter().zip(impulses(&symmetric)).map(|(r, s)| (r - s).norm()).fold(0.0, f64::max)
    };
    assert!(distance(&both) < 1e-13);
    assert!(distance(&forward) > 1e-3);
}
