//! Problems that no motion solves: proved, with the contacts that take part, or not accepted.

use mpcd_friction::problem::{Body, Contact, ContactDimension, ContactProblem, Frame};
use mpcd_friction::{Cone, SolveSettings, Status, solver_by_name};
use nalgebra::Vector3;

/// Discs of 1 kg in a row along x between a fixed wall and one that is driven at `speed` towards it; beside them, if `lively`, a disc on
/// the fixed wall that falls at 1 m/s and has its solution.
fn squeezed(count: usize, speed: f64, lively: bool) -> ContactProblem {
    let mut problem = ContactProblem::new(ContactDimension::Two);
    let wall = problem.push_body(Body::fixed());
    let driven = problem.push_body(Body { velocity: Vector3::x() * -speed, ..Body::fixed() });
    let first = problem.bodies.len();
    for _ in 0..count {
        problem.push_body(Body::ball(Vector3::y() * -9.81e-3, Vector3::zeros(), 1.0, 2e2));
    }
    if lively {
        let disc = problem.push_body(Body::ball(Vector3::new(0.0, -1.0, 0.0), Vector3::zeros(), 1.0, 2e2));
        let contact = Contact::new(disc, wall, Frame::planar(Vector3::y()), -Vector3::y() * 0.1, Vector3::zeros());
        problem.push_contact(contact.with_cone(Cone::coulomb(0.3)));
    }
    let chain: Vec<usize> = std::iter::once(wall).chain(first..first + count).chain([driven]).collect();
    for pair in chain.windows(2) {
        let lever = Vector3::x() * 0.1;
        let contact = Contact::new(pair[1], pair[0], Frame::planar(Vector3::x()), -lever, lever);
        problem.push_contact(contact.with_cone(Cone::coulomb(0.3)));
    }
    problem
}

#[test]
fn what_is_squeezed_between_driven_bodies_is_proved_impossible_soon() {
    for (count, lively) in [(1, false), (1, true), (7, false), (40, true)] {
        let mut problem = squeezed(count, 0.2, lively);
        let info = solver_by_name("auto").unwrap().solve(&mut problem, &SolveSettings::default()).unwrap();
        assert_eq!(info.status, Status::NoSolution, "{count} {lively}: {info} {:?}", info.stages);
        assert!(info.iterations < 3_000, "{info} {:?}", info.stages);
        let proof = info.no_motion.unwrap();
        let named: Vec<usize> = proof.contacts.iter().map(|(c, _)| *c).collect();
        let offset = usize::from(lively);
        assert_eq!(named, (offset..offset + count + 1).collect::<Vec<_>>(), "{proof:?}");
        // all shares are 1/√(n + 1): together the contacts close at the speed of the wall times that
        let closing = 0.2 / ((count + 1) as f64).sqrt();
        assert!((proof.closing / closing - 1.0).abs() < 1e-6, "{proof:?}");
    }
}

/// Sweeps alone prove nothing, but do not take it for solved either, however long they go on; and they end.
#[test]
fn sweeps_do_not_accept_impulses_that_grow_without_progress() {
    for solver in ["nlgs", "nlgs-accelerated", "jacobi"] {
        let mut problem = squeezed(3, 0.2, false);
        for _ in 0..3 {
            let motion = problem.motion();
            let info = solver_by_name(solver).unwrap().solve(&mut problem, &SolveSettings::default()).unwrap();
            assert_eq!(info.status, Status::Stalled, "{info}");
            assert!(info.iterations < 20_000, "{info}");
            problem.set_motion(&motion);
        }
    }
}

/// A wall that parts, or one that holds: nothing is refused.
#[test]
fn what_can_move_is_solved() {
    for speed in [0.0, -0.2] {
        let mut problem = squeezed(5, speed, true);
        let info = solver_by_name("auto").unwrap().solve(&mut problem, &SolveSettings::default()).unwrap();
        assert!(info.status.is_success(), "{speed}: {info}");
    }
}
