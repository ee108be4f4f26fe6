//! Bad input: every fault is an error with a text that says what to do, and the problem is left as it was.

use mpcd_friction::problem::{Body, Contact, ContactDimension, ContactProblem, Frame, Response};
use mpcd_friction::{Cone, SolveSettings, Status, solver_by_name};
use nalgebra::Vector3;

use super::support::column;

fn message(change: impl FnOnce(&mut ContactProblem)) -> String {
    let mut problem = column(3, 1e-3);
    change(&mut problem);
    let before = format!("{problem:?}");
    let error = solver_by_name("nlgs").unwrap().solve(&mut problem, &SolveSettings::default()).unwrap_err();
    assert_eq!(before, format!("{problem:?}"), "the problem was changed");
    error.to_string()
}

#[test]
fn faults_are_named() {
    let cases: Vec<(String, &str)> = vec![
        (
            message(|p| p.bodies[1].velocity.y = f64::NAN),
            "body 1: velocity is not finite; check the free velocities, masses and inertias handed in",
        ),
        (
            message(|p| p.bodies[2].inverse_mass.x = -1.0),
            "body 2: inverse mass is negative; expected zero (locked) or a positive number",
        ),
        (message(|p| p.contacts[0].antagonist = 17), "contact 0 names body 17, but the problem has 4 bodies"),
        (message(|p| p.contacts[1].candidate = 0), "contact 1 joins body 0 to itself; candidate and antagonist must differ"),
        (
            message(|p| p.contacts[1].frame = Frame::from_normal(Vector3::zeros())),
            "contact 1: frame is not finite (a zero normal gives this too)",
        ),
        (
            message(|p| p.contacts[2].impulse.z = f64::INFINITY),
            "contact 2: starting impulse is not finite (a zero normal gives this too)",
        ),
        (
            message(|p| p.contacts[2] = p.contacts[2].clone().with_cone(Cone::coulomb(-0.1))),
            "contact 2: friction coefficient is negative; expected zero or more",
        ),
        (message(|p| p.contacts[2].compliance.y = -0.1), "contact 2: compliance is negative; expected zero or more"),
        (message(|p| p.contacts[2].response = Response::Law(1)), "contact 2 names law 1, but the problem has 0 laws"),
        (
            message(|p| p.dimension = ContactDimension::Two),
            "contact 0: its normal or tangent leaves the xy-plane, but the contact dimension is 2; use Frame::planar",
        ),
        (
            message(|p| p.bodies[0] = Body::fixed()),
            "contact 0 between bodies 0 and 3: no impulse can change its normal velocity (both are fixed or locked); \
             drop the contact (the law `NoContact` between their groups), free a body or give it a compliance (`Elastic`)",
        ),
    ];
    for (found, expected) in cases {
        assert_eq!(found, expected);
    }
}

#[test]
fn settings_are_checked() {
    for (tolerance, max_iterations, expected) in [
        (0.0, 10, "tolerance is 0; expected a positive number"),
        (f64::NAN, 10, "tolerance is NaN; expected a positive number"),
        (1e-4, 0, "max_iterations is 0; expected at least 1"),
    ] {
        let settings = SolveSettings { tolerance, max_iterations, ..SolveSettings::default() };
        let error = solver_by_name("nlgs").unwrap().solve(&mut column(2, 1e-3), &settings).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn nothing_to_solve_is_no_fault() {
    let mut problem = ContactProblem::new(ContactDimension::Three);
    problem.push_body(Body::ball(Vector3::x(), Vector3::zeros(), 1.0, 1.0));
    let info = solver_by_name("nlgs").unwrap().solve(&mut problem, &SolveSettings::default()).unwrap();
    assert_eq!(info.status, Status::NoContact);
    assert!(info.status.is_success());
    assert_eq!(problem.bodies[0].velocity, Vector3::x());
    assert!(problem.relative_velocity(0).is_none());
    let frame = Frame::from_normal(Vector3::new(1.0, -2.0, -3.0));
    assert!((frame.matrix().determinant() - 1.0).abs() < 1e-15, "right-handed");
    let _ = Contact::new(0, 1, frame, Vector3::zeros(), Vector3::zeros());
}
