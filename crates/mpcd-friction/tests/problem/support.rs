//! Small problems and the checks that every solution must pass.

use mpcd_friction::problem::{Body, Contact, ContactDimension, ContactProblem, Frame, Response};
use mpcd_friction::{Cone, SolveInfo, SolveSettings, SweepOrder, solver_by_name};
use nalgebra::Vector3;

/// Settings of the analytic tests.
pub(crate) fn tight() -> SolveSettings {
    SolveSettings { tolerance: 1e-12, ..SolveSettings::default() }
}

pub(crate) fn solve(problem: &mut ContactProblem, settings: &SolveSettings) -> SolveInfo {
    solver_by_name("nlgs").unwrap().solve(problem, settings).unwrap()
}

pub(crate) fn solve_in(problem: &mut ContactProblem, order: SweepOrder, tolerance: f64) -> SolveInfo {
    let settings = SolveSettings { tolerance, order, ..SolveSettings::default() };
    solve(problem, &settings)
}

/// A column of `count` blocks (point masses along z, no rotation) on a fixed floor, one step from rest under gravity;
/// contact k is under block k.
pub(crate) fn column(count: usize, step: f64) -> ContactProblem {
    let mut problem = ContactProblem::new(ContactDimension::Three);
    let v = Vector3::new(0.0, 0.0, -9.81 * step);
    for _ in 0..count {
        problem.push_body(Body::ball(v, Vector3::zeros(), 1.0, 0.0));
    }
    let floor = problem.push_body(Body::fixed());
    for k in 0..count {
        let below = if k == 0 { floor } else { k - 1 };
        let frame = Frame::from_normal(Vector3::z());
        let contact = Contact::new(k, below, frame, Vector3::zeros(), Vector3::zeros());
        problem.push_contact(contact.with_cone(Cone::coulomb(0.5)));
    }
    problem
}

/// Asserts, contact by contact, what the law says: cone, dual cone, complementarity; to `tolerance` relative to the
/// largest impulse and velocity of the problem.
pub(crate) fn assert_lawful(problem: &ContactProblem, tolerance: f64) {
    let components = components(problem);
    let largest = |f: &dyn Fn(usize) -> f64| (0..problem.contacts.len()).map(f).fold(0.0, f64::max);
    let impulse_scale = largest(&|c| problem.contacts[c].impulse.norm()).max(f64::MIN_POSITIVE);
    // the velocity that the largest impulse gives to the lightest body, or the largest there is
    let lightest = problem.bodies.iter().map(|n| n.inverse_mass.max()).fold(0.0, f64::max);
    let velocity_scale = problem.bodies.iter().map(|n| n.velocity.norm()).fold(impulse_scale * lightest, f64::max);
    for (k, contact) in problem.contacts.iter().enumerate() {
        let r = contact.impulse + contact.impulse_shift;
        let mut u = problem.relative_velocity(k).unwrap() + contact.velocity_shift;
        u += contact.compliance.component_mul(&r);
        let Response::Cone(Cone::Coulomb { friction }) = contact.response else {
            continue;
        };
        let norm = |x: &Vector3<f64>| x.rows(1, components - 1).norm();
        let (er, eu) = (tolerance * impulse_scale, tolerance * velocity_scale);
        assert!(norm(&r) <= friction * r.x + er, "contact {k}: cone {r:?}");
        assert!(u.x >= -eu, "contact {k}: u_n = {:e}", u.x);
        let hat = u.x + friction * norm(&u);
        let work = hat * r.x + (1..components).map(|i| u[i] * r[i]).sum::<f64>();
        assert!(work.abs() <= tolerance * impulse_scale * velocity_scale, "contact {k}: complementarity {work:e}");
    }
}

pub(crate) fn components(problem: &ContactProblem) -> usize {
    match problem.dimension {
        ContactDimension::Two => 2,
        ContactDimension::Three => 3,
    }
}

/// Kinetic energy (driven bodies have none to give).
pub(crate) fn kinetic_energy(problem: &ContactProblem) -> f64 {
    let inverse = |x: f64| if x > 0.0 { 1.0 / x } else { 0.0 };
    problem
        .bodies
        .iter()
        .map(|n| {
            let m = n.inverse_mass.map(inverse);
            let j = n.inverse_inertia.matrix();
            let w = n.angular_velocity;
            let spin = match problem.dimension {
                ContactDimension::Two => w.z * w.z * inverse(j[(2, 2)]),
                ContactDimension::Three => j.try_inverse().map_or(0.0, |i| w.dot(&(i * w))),
            };
            0.5 * (n.velocity.component_mul(&n.velocity).dot(&m) + spin)
        })
        .sum()
}

/// All impulses as one vector.
pub(crate) fn impulses(problem: &ContactProblem) -> Vec<Vector3<f64>> {
    problem.contacts.iter().map(|c| c.impulse).collect()
}
