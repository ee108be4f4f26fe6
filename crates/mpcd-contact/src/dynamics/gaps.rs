//! How far the configuration of a solve was from the one it led to, and what is carried from pass to pass.

use mpcd_core::{ContactNetwork, Vec3};
use mpcd_friction::problem::ContactProblem;
use mpcd_geometry::Touch;

use crate::{assemble::Assembly, central::twist_across, law::Cursor, motion::Twist};

/// A solve and where it led.
pub(crate) struct Pass<'a> {
    pub(crate) assembly: &'a Assembly,
    pub(crate) network: &'a ContactNetwork,
    /// Mean velocities that led to the configuration of the solve.
    pub(crate) assumed: &'a [Twist],
    /// Those it came to.
    pub(crate) found: &'a [Twist],
    /// Length of the step (s).
    pub(crate) h: f64,
}

/// How far the configuration that a solve led to is from what the solve took it for.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Distance {
    /// Error of the gaps over a length.
    pub(crate) gap: f64,
    /// Turn of normals (rad), and of levers over the length.
    pub(crate) turn: f64,
}

/// The distance with the pairs `touches` of the configuration that the solve led to.
pub(crate) fn distance(pass: &Pass<'_>, touches: &[Touch], length: f64) -> Distance {
    let Pass { assembly, network, assumed, found, h } = *pass;
    let mut worst = Distance::default();
    let mut pushing = assembly.active.iter().zip(&assembly.problem.contacts).peekable();
    let mut before = Cursor::new(&assembly.touches, |t| &t.key);
    let mut places = network.contacts.iter().enumerate().peekable();
    for touch in touches {
        while places.next_if(|(_, c)| c.key < touch.key).is_some() {}
        let Some((index, _)) = places.next_if(|(_, c)| c.key == touch.key) else {
            worst.gap = worst.gap.max(-touch.gap / length);
            continue;
        };
        let Some(old) = before.find(&touch.key) else { continue };
        while pushing.next_if(|(k, _)| **k < index).is_some() {}
        let Some((_, solved)) = pushing.next_if(|(k, _)| **k == index) else { continue };
        let growth = assembly.growth.at(index);
        // Where the solve took the gap to be at the end of the step, and where it is.
        let moved = twist_across(found, old).x - twist_across(assumed, old).x;
        let foreseen = old.gap + h * (moved - growth.x);
        let gap = touch.gap - h * growth.x;
        if solved.impulse == Vec3::zeros() {
            worst.gap = worst.gap.max((foreseen.min(0.0) - gap) / length);
            continue;
        }
        worst.gap = worst.gap.max((gap - foreseen).abs() / length);
        worst.turn = worst.turn.max((touch.frame.n - old.frame.n).norm());
        for (lever, was, node) in [
            (touch.arm_candidate, old.arm_candidate, solved.candidate),
            (touch.arm_antagonist, old.arm_antagonist, solved.antagonist),
        ] {
            if turns(&assembly.problem, node) {
                worst.turn = worst.turn.max((lever - was).norm() / length);
            }
        }
    }
    worst
}

/// Adds to `touches` what pushed in the solve and is not among them: features that come and go from pass to pass would be exchanged for
/// ever. Such a contact goes on to the next pass with its normal, its gap moved on linearly.
pub(crate) fn carry(pass: &Pass<'_>, touches: &mut Vec<Touch>) {
    let Pass { assembly, assumed, found, h, .. } = *pass;
    let fresh = touches.len();
    for (solved, &index) in assembly.problem.contacts.iter().zip(&assembly.active) {
        let mut touch = assembly.touches[index];
        if solved.impulse == Vec3::zeros() || touches[..fresh].binary_search_by(|t| t.key.cmp(&touch.key)).is_ok() {
            continue;
        }
        let moved = (twist_across(found, &touch) - twist_across(assumed, &touch)) * h;
        touch.gap += moved.x;
        // One point for both levers, so that the impulse leaves the angular momentum as it is.
        let half = touch.frame.to_world(&moved) * 0.5;
        touch.arm_candidate -= half;
        touch.arm_antagonist += half;
        touches.push(touch);
    }
    if touches.len() > fresh {
        touches.sort_by_key(|t| t.key);
    }
}

/// Whether a moment turns the body.
fn turns(problem: &ContactProblem, node: usize) -> bool {
    problem.bodies[node].inverse_inertia.matrix() != nalgebra::Matrix3::zeros()
}
