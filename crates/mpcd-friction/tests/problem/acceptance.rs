//! What is accepted is right: weights of towers, whatever the mass ratio and wherever the heavy body is; and no island by another's scale.

use mpcd_friction::problem::{Body, Contact, ContactProblem, Frame};
use mpcd_friction::{Cone, SolveInfo, SolveSettings, Status, solver_by_name};
use nalgebra::Vector3;

use super::support::column;

const STEP: f64 = 1e-3;
const LIGHT: usize = 20;

/// Twenty blocks of 1 kg with a heavy one among them, at rest before the step.
pub(crate) fn tower(heavy: f64, place: usize) -> ContactProblem {
    let mut problem = column(LIGHT + 1, STEP);
    problem.bodies[place].inverse_mass.fill(1.0 / heavy);
    problem
}

/// Impulses under the blocks over those that carry the weights above them, less one: the largest.
fn error_of_forces(problem: &ContactProblem, blocks: std::ops::Range<usize>) -> f64 {
    let mass = |body: usize| 1.0 / problem.bodies[body].inverse_mass.x;
    let carried = |k: usize| (k..blocks.end).map(mass).sum::<f64>() * 9.81 * STEP;
    blocks.clone().map(|k| (problem.contacts[k].impulse.x / carried(k) - 1.0).abs()).fold(0.0, f64::max)
}

/// Mass that falls in spite of the forces, in units of free fall, over all mass.
fn error_together(problem: &ContactProblem, blocks: usize) -> f64 {
    let mass = |body: usize| 1.0 / problem.bodies[body].inverse_mass.x;
    let falling: f64 = (0..blocks).map(|k| mass(k) * problem.bodies[k].velocity.z.abs()).sum();
    falling / ((0..blocks).map(mass).sum::<f64>() * 9.81 * STEP)
}

fn solve(problem: &mut ContactProblem, solver: &str, most: usize) -> SolveInfo {
    let settings = SolveSettings { max_iterations: most, ..SolveSettings::default() };
    solver_by_name(solver).unwrap().solve(problem, &settings).unwrap()
}

/// From 1:1 to 1e6:1, the heavy block on top, in the middle, at the bottom: the default finishes, with the weight on each block within 0.1 %.
/// Sweeps alone are accepted only where the error of all forces together, weighted by the masses that they hold, is as small and about what
/// they say themselves (a small force beside great ones is not bounded by a number that belongs to all of them).
#[test]
fn v06_accepted_towers_carry_their_weight() {
    let mut refused = 0;
    for ratio in [1.0, 1e2, 1e4, 1e6] {
        for place in [LIGHT, LIGHT / 2, 0] {
            for (solver, most) in [("auto", 20_000), ("nlgs-accelerated", 3_000), ("nlgs", 3_000), ("jacobi", 3_000)] {
                let mut problem = tower(ratio, place);
                let info = solve(&mut problem, solver, most);
                let error = error_of_forces(&problem, 0..LIGHT + 1);
                if solver == "auto" {
                    assert!(info.status.is_success(), "{ratio} {place}: {info} {:?}", info.stages);
                }
                if info.status.is_success() {
                    let error = if solver == "auto" { error } else { error_together(&problem, LIGHT + 1) };
                    assert!(error < 1e-3, "{solver} {ratio} {place}: {error:e} {info} {:?}", info.violation);
                } else {
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 6, "sweeps cannot do all of this in 3,000 sweeps: {refused}");
}

/// The scale-free error alone took half the weight for all of it: at an error of 1e-5 the heavy block falls.
#[test]
fn the_scale_free_error_alone_is_not_enough() {
    let mut problem = tower(1e6, LIGHT);
    let info = solve(&mut problem, "nlgs-accelerated", 3_000);
    let error = error_of_forces(&problem, 0..LIGHT + 1);
    assert!(info.errors.scaled < 1e-5 && error > 1e-2, "{info} {error:e}");
    assert!(!info.status.is_success() && info.error() > 1e-5, "{info} {:?}", info.violation);
    assert!(info.violation.unwrap().force > 0.1 * error, "{:?} {error:e}", info.violation);
}

/// A tower beside a hammer that strikes at 100 m/s: the hammer's speed is no measure of the tower's forces.
#[test]
fn islands_are_judged_by_themselves() {
    for solver in ["auto", "nlgs-accelerated"] {
        let mut problem = column(LIGHT, STEP);
        let hammer = problem.push_body(Body::ball(Vector3::z() * -100.0, Vector3::zeros(), 1e-3, 0.0));
        let frame = Frame::from_normal(Vector3::z());
        let contact = Contact::new(hammer, LIGHT, frame, Vector3::zeros(), Vector3::zeros());
        problem.push_contact(contact.with_cone(Cone::coulomb(0.3)));
        let info = solve(&mut problem, solver, 20_000);
        assert!(info.status.is_success(), "{info}");
        let error = error_of_forces(&problem, 0..LIGHT);
        assert!(error < 1e-3, "{solver}: {error:e} {info} {:?}", info.violation);
    }
}

/// The numbers of the report are zero for what is exact, and an empty problem has none.
#[test]
fn an_exact_answer_violates_nothing() {
    let mut problem = column(1, STEP);
    let info = solve(&mut problem, "nlgs", 100);
    let violation = info.violation.unwrap();
    assert!(violation.speed < 1e-12 && violation.force < 1e-12, "{violation:?}");
    problem.contacts.clear();
    let info = solve(&mut problem, "nlgs", 100);
    assert_eq!((info.status, info.violation), (Status::NoContact, None));
}

/// A press of 1e3 to 1e7 grains' mass on 120 discs (0.1 kg to 1 t on grains of 0.1 g): its speed agrees with that of a tight solution
/// within 0.1 % of what gravity gives it in a step, and no overlap grows faster than the report says.
#[test]
fn v06_accepted_presses_stand_on_their_grains() {
    let (columns, rows) = (12, 10);
    for ratio in [1e3, 1e5, 1e7] {
        let mut start = super::packing::hexagonal(columns, rows, 5);
        let fall = start.bodies[0].velocity;
        let grain = 1.0 / start.bodies[0].inverse_mass.x;
        let press = start.push_body(Body::ball(fall, Vector3::zeros(), 1.0 / (ratio * grain), 0.0));
        for column in 0..columns {
            let lever = Vector3::y() * 0.5;
            let top = (rows - 1) * columns + column;
            let contact = Contact::new(press, top, Frame::planar(Vector3::y()), Vector3::zeros(), lever);
            start.push_contact(contact.with_cone(Cone::coulomb(0.3)));
        }
        let solved = |tolerance: f64| {
            let mut problem = start.clone();
            let settings = SolveSettings { tolerance, ..SolveSettings::default() };
            let info = solver_by_name("auto").unwrap().solve(&mut problem, &settings).unwrap();
            (problem, info)
        };
        let (tight, exact) = solved(1e-11);
        let (usual, info) = solved(1e-5);
        assert!(info.status.is_success(), "{ratio:e}: {info} {:?}", info.stages);
        let apart = (usual.bodies[press].velocity - tight.bodies[press].velocity).norm() / fall.norm();
        assert!(apart < 1e-3, "{ratio:e}: {apart:e} {info} {:?}, tight {exact}", info.violation);
        for (k, contact) in usual.contacts.iter().enumerate() {
            let closing = -(usual.relative_velocity(k).unwrap() + contact.velocity_shift).x;
            let scale = fall.norm().max(info.violation.unwrap().speed * 10.0 * fall.norm());
            assert!(closing < 1e-2 * scale, "{ratio:e}, contact {k}: closes at {closing:e}");
        }
    }
}
