//! Closed forms: one contact, chains of balls, columns.

use mpcd_friction::problem::{Body, Contact, ContactDimension, ContactProblem, Frame, InverseInertia};
use mpcd_friction::{Cone, LocalLaw, Status, SweepOrder, solver_by_name};
use nalgebra::{Matrix3, Vector3};

use super::support::{assert_lawful, column, kinetic_energy, solve, solve_in, tight};

/// One ball on a fixed floor whose block is the identity: q is its free velocity.
fn one_contact(q: Vector3<f64>, friction: f64, dimension: ContactDimension) -> ContactProblem {
    let mut problem = ContactProblem::new(dimension);
    let frame = match dimension {
        ContactDimension::Two => Frame::planar(Vector3::y()),
        ContactDimension::Three => Frame::from_normal_and_tangent(Vector3::z(), Vector3::x()),
    };
    let body = problem.push_body(Body::ball(frame.to_world(&q), Vector3::zeros(), 1.0, 0.0));
    let floor = problem.push_body(Body::fixed());
    let contact = Contact::new(body, floor, frame, Vector3::zeros(), Vector3::zeros());
    problem.push_contact(contact.with_cone(Cone::coulomb(friction)));
    problem
}

#[test]
fn v4_one_contact_with_an_identity_block() {
    let cases = [([-1.0, 0.3, 0.0], [1.0, -0.3, 0.0]), ([-1.0, 0.8, 0.6], [1.0, -0.4, -0.3]), ([1.0, 0.8, 0.6], [0.0, 0.0, 0.0])];
    for (q, r) in cases {
        let mut problem = one_contact(Vector3::from(q), 0.5, ContactDimension::Three);
        let info = solve(&mut problem, &tight());
        assert_eq!((info.status, info.iterations), (Status::Converged, 1));
        assert!((problem.contacts[0].impulse - Vector3::from(r)).norm() < 1e-15);
        let u = problem.relative_velocity(0).unwrap();
        assert!((u - Vector3::from(q) - Vector3::from(r)).norm() < 1e-15);
    }
    let mut planar = one_contact(Vector3::new(-1.0, 0.8, 0.0), 0.5, ContactDimension::Two);
    solve(&mut planar, &tight());
    assert!((planar.contacts[0].impulse - Vector3::new(1.0, -0.5, 0.0)).norm() < 1e-15);
}

/// W = [[1.6, −1.2], [−1.2, 3.4]] as a rigid body: W_nn = 1/m + l_t²/J, W_tt = 1/m + l_n²/J, W_nt = −l_n l_t/J for a lever
/// (l_n, l_t). With 1/m = 1, l_t² /J = 0.6, l_n²/J = 2.4: the product is 1.2².
fn coupled(friction: f64, dimension: ContactDimension) -> ContactProblem {
    let mut problem = ContactProblem::new(dimension);
    let frame = match dimension {
        ContactDimension::Two => Frame::planar(Vector3::y()),
        ContactDimension::Three => Frame::from_normal_and_tangent(Vector3::y(), -Vector3::x()),
    };
    let lever = frame.to_world(&Vector3::new(2.4_f64.sqrt(), 0.6_f64.sqrt(), 0.0));
    let v = frame.to_world(&Vector3::new(-1.0, -2.0, 0.0));
    let body = Body::free(v, Vector3::zeros(), 1.0, Matrix3::from_diagonal(&Vector3::new(0.0, 0.0, 1.0)));
    let body = problem.push_body(body);
    let floor = problem.push_body(Body::fixed());
    let contact = Contact::new(body, floor, frame, lever, Vector3::zeros());
    problem.push_contact(contact.with_cone(Cone::coulomb(friction)));
    problem
}

#[test]
fn v4_coupled_contact_is_exact_coulomb_and_not_convex() {
    for dimension in [ContactDimension::Two, ContactDimension::Three] {
        let mut stick = coupled(0.8, dimension);
        solve(&mut stick, &tight());
        assert!((stick.contacts[0].impulse - Vector3::new(1.45, 1.10, 0.0)).norm() < 1e-13);

        let mut slip = coupled(0.5, dimension);
        let info = solve(&mut slip, &tight());
        assert!(info.status.is_success());
        assert!((slip.contacts[0].impulse - Vector3::new(1.0, 0.5, 0.0)).norm() < 1e-13);
        let u = slip.relative_velocity(0).unwrap();
        assert!((u - Vector3::new(0.0, -1.5, 0.0)).norm() < 1e-13, "the convex answer has u_n = 0.6");
    }
}

/// N equal balls in a row touch; the first hits at speed 1; all contacts close with restitution e.
fn row(count: usize, restitution: f64) -> ContactProblem {
    let mut problem = ContactProblem::new(ContactDimension::Three);
    for k in 0..count {
        let speed = if k == 0 { 1.0 } else { 0.0 };
        problem.push_body(Body::ball(Vector3::x() * speed, Vector3::zeros(), 0.5, 2.0));
    }
    for k in 1..count {
        let frame = Frame::from_normal(Vector3::x());
        let approach = if k == 1 { -1.0 } else { 0.0 };
        let contact = Contact::new(k, k - 1, frame, -Vector3::x() * 0.1, Vector3::x() * 0.1)
            .with_cone(Cone::coulomb(0.3))
            .with_velocity_shift(Vector3::new(restitution * approach, 0.0, 0.0));
        problem.push_contact(contact);
    }
    problem
}

#[test]
fn v5_row_of_balls_after_newton_and_moreau() {
    for count in [2, 3, 5, 10] {
        for restitution in [0.0, 0.5, 1.0] {
            let mut problem = row(count, restitution);
            let before = kinetic_energy(&problem);
            let info = solve(&mut problem, &tight());
            assert!(info.status.is_success(), "{info}");
            let n = count as f64;
            for (k, body) in problem.bodies.iter().enumerate() {
                let expected = if k == 0 { (1.0 - (n - 1.0) * restitution) / n } else { (1.0 + restitution) / n };
                assert!((body.velocity.x - expected).abs() < 1e-10, "{count} {restitution} {k}");
            }
            assert!(kinetic_energy(&problem) <= before * (1.0 + 1e-12));
        }
    }
}

/// With one law e = 1 in a pair, energy is kept; with e the loss is ½ m_eff (1 − e²) u².
#[test]
fn v5_binary_impacts_of_unequal_masses() {
    for (m, e, after) in [([1.0, 1.0], 1.0, [0.0, 1.0]), ([1.0, 2.0], 0.5, [0.0, 0.5]), ([3.0, 1.0], 0.8, [0.55, 1.35])] {
        let mut problem = row(2, e);
        for k in 0..2 {
            problem.bodies[k].inverse_mass = Vector3::repeat(1.0 / m[k]);
        }
        solve(&mut problem, &tight());
        for k in 0..2 {
            assert!((problem.bodies[k].velocity.x - after[k]).abs() < 1e-14);
        }
    }
}

#[test]
fn v6_column_carries_the_blocks_above() {
    for order in
        [SweepOrder::Coloured, SweepOrder::Forward, SweepOrder::Reverse, SweepOrder::Symmetric, SweepOrder::Shuffled { seed: 3 }]
    {
        let mut problem = column(10, 1e-3);
        let info = solve_in(&mut problem, order, 1e-10);
        assert!(info.status.is_success(), "{order:?} {info}");
        for (k, contact) in problem.contacts.iter().enumerate() {
            let carried = (10 - k) as f64 * 9.81e-3;
            assert!((contact.impulse.x / carried - 1.0).abs() < 1e-6, "{order:?} {k}");
        }
        assert_lawful(&problem, 1e-8);
    }
}

/// Gauss–Seidel on a stack of N equal blocks converges at cos²(π/2N) per sweep.
#[test]
fn v6_stack_of_ten_converges_at_the_rate_of_the_theory() {
    let error_after = |sweeps: usize| {
        let mut problem = column(10, 1e-3);
        let settings = mpcd_friction::SolveSettings { tolerance: 1e-300, max_iterations: sweeps, order: SweepOrder::Forward };
        solve(&mut problem, &settings);
        (0..10).map(|k| (problem.contacts[k].impulse.x / ((10 - k) as f64 * 9.81e-3) - 1.0).abs()).fold(0.0, f64::max)
    };
    let rate = (error_after(400) / error_after(300)).powf(0.01);
    let theory = (std::f64::consts::PI / 20.0).cos().powi(2);
    assert!((rate - theory).abs() < 2e-4, "rate {rate}, cos²(π/20) = {theory}");
    // from r = 0 the largest relative error is 1: n sweeps bring it to 1e-4 where cos²ⁿ ≈ 1e-4
    let sweeps = (1..2000).find(|n| error_after(*n) <= 1e-4).unwrap();
    let expected = (1e-4_f64.ln() / theory.ln()).ceil();
    assert!((sweeps as f64 - expected).abs() < 0.12 * expected, "{sweeps} sweeps, {expected} expected");
}

#[test]
fn compliance_makes_a_spring_of_the_contact() {
    // ũ_n = u_n + c r_n = 0 with u_n = −v + r/m: r = v/(1/m + c)
    let mut problem = one_contact(Vector3::new(-2.0, 0.0, 0.0), 0.3, ContactDimension::Three);
    problem.contacts[0].compliance.x = 3.0;
    solve(&mut problem, &tight());
    assert!((problem.contacts[0].impulse.x - 0.5).abs() < 1e-14);
    // tangential compliance goes through the full kernel: r_t = −v_t/(1/m + c_t) below the cone
    let mut problem = one_contact(Vector3::new(-2.0, 0.4, 0.2), 0.9, ContactDimension::Three);
    problem.contacts[0].compliance = Vector3::new(0.0, 1.0, 3.0);
    solve(&mut problem, &tight());
    let r = problem.contacts[0].impulse;
    assert!((r - Vector3::new(2.0, -0.2, -0.05)).norm() < 1e-14, "{r:?}");
}

/// A column on springs: u_n = −c r_n at every contact, and no more sweeps than without them.
#[test]
fn a_column_of_springs_is_solved() {
    let mut problem = column(5, 1e-3);
    for contact in &mut problem.contacts {
        contact.compliance.x = 0.25;
    }
    let info = solve(&mut problem, &tight());
    assert!(info.status.is_success() && info.iterations < 200, "{info}");
    for k in 0..5 {
        let u = problem.relative_velocity(k).unwrap();
        assert!((u.x + 0.25 * problem.contacts[k].impulse.x).abs() < 1e-13);
        assert!(problem.contacts[k].impulse.x > 1e-3);
    }
}

#[test]
fn cohesion_holds_a_body_that_is_pulled() {
    // pulled up at 1 m/s with a cohesion of 3 N s and 1 kg: it stays; with 0.4 N s it leaves at 0.6 m/s
    for (cohesion, speed) in [(3.0, 0.0), (0.4, 0.6)] {
        let mut problem = one_contact(Vector3::new(1.0, 0.2, 0.0), 0.5, ContactDimension::Three);
        problem.contacts[0].impulse_shift.x = cohesion;
        let info = solve(&mut problem, &tight());
        assert!(info.status.is_success());
        let body = &problem.bodies[0];
        assert!((body.velocity.z - speed).abs() < 1e-14, "{cohesion}");
        assert!((problem.contacts[0].impulse.x - (speed - 1.0)).abs() < 1e-14);
        // friction is bound by the shifted impulse: 3 − 1 = 2 holds 0.2 N s of slip
        let slides = cohesion < 1.0;
        assert_eq!(body.velocity.xy().norm() > 1e-12, slides);
    }
}

#[test]
fn a_driven_wall_drags_and_lifts() {
    // the floor rises at 1 and moves at 5 along x, turning; friction 0.4 on a ball of 1 kg at rest
    for inertia in [InverseInertia::Isotropic(0.0), InverseInertia::Tensor(Matrix3::zeros())] {
        let mut problem = ContactProblem::new(ContactDimension::Three);
        let mut ball = Body::ball(Vector3::zeros(), Vector3::zeros(), 1.0, 0.0);
        ball.inverse_inertia = inertia;
        let ball = problem.push_body(ball);
        let floor = problem.push_body(Body::driven(Vector3::new(5.0, 0.0, 0.0), Vector3::new(0.0, -0.5, 0.0)));
        let frame = Frame::from_normal(Vector3::z());
        // ω × lever = (0, −0.5, 0) × (2, 0, 0) = (0, 0, 1)
        let contact = Contact::new(ball, floor, frame, Vector3::zeros(), Vector3::new(2.0, 0.0, 0.0));
        problem.push_contact(contact.with_cone(Cone::coulomb(0.4)));
        solve(&mut problem, &tight());
        assert!((problem.bodies[ball].velocity - Vector3::new(0.4, 0.0, 1.0)).norm() < 1e-14);
        assert_eq!(problem.bodies[floor].velocity, Vector3::new(5.0, 0.0, 0.0));
    }
}

/// A wall free along x alone, pushed by 2 N s, squeezes a row of balls against a fixed wall.
#[test]
fn a_loaded_wall_passes_its_load_on() {
    let mut problem = ContactProblem::new(ContactDimension::Three);
    let balls: Vec<_> = (0..4).map(|_| problem.push_body(Body::ball(Vector3::zeros(), Vector3::zeros(), 1.0, 10.0))).collect();
    let fixed = problem.push_body(Body::fixed());
    let wall = Body::ball(Vector3::new(-2.0, 0.0, 0.0), Vector3::zeros(), 1.0, 0.0).with_locked_translations([false, true, true]);
    let wall = problem.push_body(wall);
    let lever = Vector3::x() * 0.5;
    let mut join = |i: usize, j: usize| {
        let frame = Frame::from_normal(Vector3::x());
        problem.push_contact(Contact::new(i, j, frame, -lever, lever).with_cone(Cone::coulomb(0.3)));
    };
    join(balls[0], fixed);
    (1..4).for_each(|k| join(balls[k], balls[k - 1]));
    join(wall, balls[3]);
    let info = solve_in(&mut problem, SweepOrder::Coloured, 1e-12);
    assert!(info.status.is_success(), "{info}");
    for contact in &problem.contacts {
        assert!((contact.impulse.x - 2.0).abs() < 1e-9);
    }
    assert!(problem.bodies[wall].velocity.norm() < 1e-10);
}

/// A rod (bilateral normal) and a pin (bilateral) pull as well as they push.
#[test]
fn joints_pull() {
    for (cone, expected) in [(Cone::BilateralNormal, Vector3::new(0.0, 0.3, 0.0)), (Cone::Bilateral, Vector3::zeros())] {
        let mut problem = one_contact(Vector3::new(1.0, 0.3, 0.0), 0.0, ContactDimension::Three);
        problem.contacts[0] = problem.contacts[0].clone().with_cone(cone);
        let info = solve(&mut problem, &tight());
        assert!(info.status.is_success());
        let u = problem.relative_velocity(0).unwrap();
        assert!((u - expected).norm() < 1e-14, "{cone:?}");
        assert!((problem.contacts[0].impulse.x + 1.0).abs() < 1e-14);
    }
}

/// Perfectly plastic in compression up to a limit: r_n = min(limit, −q_n/W_nn), no friction.
#[derive(Debug)]
struct Crushing {
    limit: f64,
}

impl LocalLaw for Crushing {
    fn name(&self) -> &str {
        "crushing"
    }

    fn solve(&self, w: &Matrix3<f64>, q: &Vector3<f64>) -> Vector3<f64> {
        Vector3::new((-q.x / w[(0, 0)]).clamp(0.0, self.limit), 0.0, 0.0)
    }
}

#[test]
fn a_law_of_the_users_is_solved_by_nlgs_and_refused_by_jacobi() {
    let mut problem = column(3, 1.0);
    problem.laws.push(std::sync::Arc::new(Crushing { limit: 12.0 }));
    problem.contacts[0].response = mpcd_friction::problem::Response::Law(0);
    let mut refused = problem.clone();
    let info = solve(&mut problem, &tight());
    assert!(info.status.is_success(), "{info}");
    // 3 × 9.81 N s are asked for, 12 are given: the column falls at (29.43 − 12)/3
    assert!((problem.contacts[0].impulse.x - 12.0).abs() < 1e-9);
    assert!((problem.bodies[2].velocity.z + 5.81).abs() < 1e-8);

    let error = solver_by_name("jacobi").unwrap().solve(&mut refused, &tight()).unwrap_err();
    assert_eq!(error.to_string(), "contact 0 follows the law `crushing`, which solver `jacobi` cannot take; use `nlgs`");
}

#[test]
fn jacobi_finds_the_same_answer() {
    let mut problem = column(4, 1e-3);
    let info = solver_by_name("jacobi").unwrap().solve(&mut problem, &tight()).unwrap();
    assert_eq!((info.solver, info.status), ("jacobi", Status::Converged));
    for (k, contact) in problem.contacts.iter().enumerate() {
        assert!((contact.impulse.x / ((4 - k) as f64 * 9.81e-3) - 1.0).abs() < 1e-9);
    }
}

/// A wheel on a fixed axle has no way to move but to turn: what slides over it spins it, by R r_t/J. Whichever kernel it goes through.
#[test]
fn what_slides_over_a_wheel_on_a_fixed_axle_spins_it() {
    let (radius, inertia) = (0.5, 2.0);
    for dimension in [ContactDimension::Two, ContactDimension::Three] {
        let mut spins = Vec::new();
        for is_tensor in [false, true] {
            let mut problem = ContactProblem::new(dimension);
            let slider = problem.push_body(Body::ball(Vector3::new(3.0, -1.0, 0.0), Vector3::zeros(), 1.0, 0.0));
            let mut wheel = Body::ball(Vector3::zeros(), Vector3::zeros(), 0.0, 1.0 / inertia);
            if is_tensor {
                wheel.inverse_inertia = InverseInertia::Tensor(Matrix3::from_diagonal_element(1.0 / inertia));
            }
            let wheel = problem.push_body(wheel);
            let frame = Frame::planar(Vector3::y());
            let contact = Contact::new(slider, wheel, frame, Vector3::zeros(), Vector3::new(0.0, radius, 0.0));
            problem.push_contact(contact.with_cone(Cone::coulomb(0.5)));
            let info = solve(&mut problem, &tight());
            assert!(info.status.is_success(), "{info}");
            let impulse = problem.contacts[0].frame.to_world(&problem.contacts[0].impulse);
            assert!((impulse.xy() - nalgebra::Vector2::new(-0.5, 1.0)).norm() < 1e-14, "{impulse}");
            assert!((problem.bodies[wheel].angular_velocity.z - radius * impulse.x / inertia).abs() < 1e-14);
            assert_eq!(problem.bodies[wheel].velocity, Vector3::zeros());
            spins.push(problem.bodies[wheel].angular_velocity.z);
        }
        assert!((spins[0] - spins[1]).abs() < 1e-14 && spins[0] != 0.0);
    }
}
