//! `auto`: the condensed problem is the rigid one, hard stacks in tens of iterations, the same bits on any threads.

use mpcd_friction::local::{PreparedProblem, RigidForm};
use mpcd_friction::problem::{Body, Contact, ContactDimension, ContactProblem, Frame};
use mpcd_friction::{Cone, SolveInfo, SolveSettings, solver_by_name};
use nalgebra::{Matrix3, Vector3};

use super::hard::redundant_block;
use super::packing::{Inertia, fcc};
use super::properties::{Trimming, assembly};
use super::support::{assert_lawful, column};

fn solve(problem: &mut ContactProblem, tolerance: f64) -> SolveInfo {
    let settings = SolveSettings { tolerance, ..SolveSettings::default() };
    solver_by_name("auto").unwrap().solve(problem, &settings).unwrap()
}

/// `count` boxes of 1 kg and edge 1 m on each other and on the floor, four contacts under each: 12 unknown impulses where
/// 6 equations hold a box.
fn boxes(count: usize) -> ContactProblem {
    let mut problem = ContactProblem::new(ContactDimension::Three);
    let inertia = Matrix3::identity() * 6.0;
    for _ in 0..count {
        problem.push_body(Body::free(Vector3::z() * -9.81e-3, Vector3::zeros(), 1.0, inertia));
    }
    let floor = problem.push_body(Body::fixed());
    for k in 0..count {
        let below = if k == 0 { floor } else { k - 1 };
        for (x, y) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
            let frame = Frame::from_normal(Vector3::z());
            let contact = Contact::new(k, below, frame, Vector3::new(x, y, -0.5), Vector3::new(x, y, 0.5));
            problem.push_contact(contact.with_cone(Cone::coulomb(0.5)));
        }
    }
    problem
}

fn compare<const D: usize>(problem: &ContactProblem, prepared: &PreparedProblem<D>, r: &[[f64; D]]) {
    let mut moved = problem.clone();
    for (contact, shifted) in moved.contacts.iter().zip(r) {
        let mut impulse = -contact.impulse_shift;
        for k in 0..D {
            impulse[k] += shifted[k];
        }
        if D == 2 {
            impulse.z = 0.0;
        }
        let push = contact.frame.to_world(&impulse);
        for (body, lever, sign) in
            [(contact.candidate, &contact.candidate_lever, 1.0), (contact.antagonist, &contact.antagonist_lever, -1.0)]
        {
            let body = &mut moved.bodies[body];
            body.velocity += body.inverse_mass.component_mul(&push) * sign;
            let turn = body.inverse_inertia.matrix() * lever.cross(&push) * sign;
            body.angular_velocity += if D == 2 { Vector3::z() * turn.z } else { turn };
        }
    }
    let u = prepared.local().velocities(r);
    for (c, contact) in moved.contacts.iter().enumerate() {
        let exact = moved.relative_velocity(c).unwrap() + contact.velocity_shift;
        for k in 0..D {
            let exact = exact[k] + contact.compliance[k] * r[c][k];
            assert!((u[c][k] - exact).abs() < 1e-11 * (1.0 + exact.abs()), "contact {c}, {k}: {} {exact}", u[c][k]);
        }
    }
}

fn condenses<const D: usize>(problem: &ContactProblem) {
    let form = RigidForm::<D>::new(problem).unwrap();
    let r: Vec<[f64; D]> =
        (0..problem.contacts.len()).map(|c| std::array::from_fn(|k| ((3 * c + k) as f64 * 0.7).sin())).collect();
    compare(problem, &form.prepare().unwrap(), &r);
    let stored = PreparedProblem::new(form.to_global().unwrap().condense().unwrap(), None).unwrap();
    compare(problem, &stored, &r);
}

/// Tensors and balls, locked axes, driven bodies, compliances, shifts: velocities of given impulses agree, in both forms.
#[test]
fn the_condensed_problem_is_the_rigid_one() {
    for seed in 0..20 {
        let mut planar = assembly(ContactDimension::Two, Trimming::Rich, 9, 15, seed);
        let mut spatial = assembly(ContactDimension::Three, Trimming::Rich, 9, 15, seed);
        for problem in [&mut planar, &mut spatial] {
            let driven = problem.bodies.len() - 1;
            problem.bodies[driven].velocity = Vector3::new(0.3, -0.2, 0.0);
            problem.bodies[driven].angular_velocity.z = 0.5;
            // turns about one axis alone
            let axis = Vector3::new(0.6, 0.0, 0.8);
            problem.bodies[1].inverse_inertia = mpcd_friction::problem::InverseInertia::Tensor(axis * axis.transpose() * 2.0);
        }
        condenses::<2>(&planar);
        condenses::<3>(&spatial);
    }
}

#[test]
fn every_contact_obeys_its_law() {
    for dimension in [ContactDimension::Two, ContactDimension::Three] {
        for seed in 0..40 {
            let mut problem = assembly(dimension, Trimming::Rich, 8, 12, seed);
            let info = solve(&mut problem, 1e-11);
            assert!(info.status.is_success(), "{dimension:?} {seed}: {info} {:?}", info.stages);
            assert_lawful(&problem, 1e-8);
        }
    }
}

/// From a cold start, in fewer than 50 iterations of all stages together; sweeps without momentum need 36,476 of them. At 1e-4 the impulses
/// of a stack are still loose (its smallest eigenvalue is 6e-5), at 1e-8 the weights are there.
#[test]
fn v06_stack_of_100() {
    for start in [column(100, 1e-3), boxes(100)] {
        for tolerance in [1e-4, 1e-8] {
            let mut problem = start.clone();
            let info = solve(&mut problem, tolerance);
            assert!(info.status.is_success() && info.iterations < 50, "{info} {:?}", info.stages);
            assert_eq!(info.iterations, info.stages.iter().map(|s| s.iterations).sum::<usize>());
            if tolerance > 1e-8 {
                continue;
            }
            for (k, body) in problem.bodies.iter().enumerate().take(100) {
                let carried: f64 = problem.contacts.iter().filter(|c| c.candidate == k).map(|c| c.impulse.x).sum();
                let error = carried / ((100 - k) as f64 * 9.81e-3) - 1.0;
                assert!(error.abs() < 1e-3 && body.velocity.norm() < 1e-6, "block {k}: {error:e}");
            }
        }
    }
}

/// A thousand blocks, 4,000 contacts, far more than half of the impulses undetermined.
#[test]
fn a_stack_of_a_thousand_boxes() {
    let mut problem = boxes(1000);
    let info = solve(&mut problem, 1e-6);
    assert!(info.status.is_success() && info.iterations < 100, "{info} {:?}", info.stages);
    assert_lawful(&problem, 1e-4);
}

#[test]
fn hyperstatic_resultants_are_exact() {
    let mut problem = redundant_block(10, 0.3);
    let info = solve(&mut problem, 1e-11);
    assert!(info.status.is_success(), "{info}");
    let total: Vector3<f64> = problem.contacts.iter().map(Contact::world_impulse).sum();
    assert!((total - Vector3::z() * 9.81e-3).norm() < 1e-11, "{total:?}");
}

/// A million on one.
#[test]
fn a_heavy_block_on_a_light_one() {
    let mut problem = column(2, 1e-3);
    problem.bodies[1].inverse_mass.fill(1e-6);
    let info = solve(&mut problem, 1e-9);
    assert!(info.status.is_success() && info.iterations < 100, "{info} {:?}", info.stages);
    for (k, carried) in [(0, 1e6 + 1.0), (1, 1e6)] {
        let error = problem.contacts[k].impulse.x / (carried * 9.81e-3) - 1.0;
        assert!(error.abs() < 1e-3, "contact {k}: {error:e}, {info}");
    }
}

/// What cannot be condensed stays with the sweeps, and the report says so.
#[test]
fn bilateral_contacts_stay_with_sweeps_and_the_report_says_so() {
    let mut problem = column(100, 1e-3);
    problem.contacts[3] = problem.contacts[3].clone().with_cone(Cone::Bilateral);
    let info = solve(&mut problem, 1e-5);
    assert!(info.status.is_success(), "{info}");
    let names: Vec<_> = info.stages.iter().map(|s| s.name).collect();
    assert_eq!(names, ["nlgs-accelerated", "sweeps only: bilateral contacts"]);
}

/// Sweeps on many threads, Newton on one: the same bits.
#[test]
fn same_bits_on_one_and_two_threads() {
    for start in [fcc(5, Inertia::Scalar, 1), boxes(60)] {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut problem = start.clone();
            let info = pool.install(|| solve(&mut problem, 1e-8));
            (info, problem.contacts.iter().map(|c| c.impulse.map(f64::to_bits)).collect::<Vec<_>>())
        };
        let (one, two) = (on(1), on(2));
        assert!(one.0.status.is_success(), "{}", one.0);
        assert!(one == two, "{} {}", one.0, two.0);
    }
}
