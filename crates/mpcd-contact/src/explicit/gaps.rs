//! What is known of the end of a step where that is the contact configuration: the pairs there, how their gaps really changed, and how far
//! the configuration of a solve was from the one it led to.

use mpcd_core::{Contact, ContactNetwork, Vec3};
use mpcd_friction::rigid::RigidProblem;
use mpcd_geometry::Touch;

use super::motion::{Twist, twist_across};
use crate::{
    assemble::Assembly,
    law::Cursor,
    state::{ContactState, Opening},
};

/// The end of the step.
pub(crate) struct Ahead<'a> {
    /// Mean velocities of the step: its displacements over h.
    pub(crate) mean: &'a [Twist],
    /// The pairs at the end.
    pub(crate) touches: &'a [Touch],
    /// State of the last step.
    pub(crate) last: &'a ContactState,
    /// Length of the step (s).
    pub(crate) h: f64,
}

/// How gaps really change from step to step, curved surfaces and turning normals included.
pub(crate) struct Gaps<'a> {
    now: Cursor<'a, Touch>,
    last: Cursor<'a, Contact>,
    openings: Cursor<'a, Opening>,
    h: f64,
}

impl<'a> Gaps<'a> {
    pub(crate) fn new(ahead: &Ahead<'a>) -> Self {
        Self {
            now: Cursor::new(ahead.touches, |t| &t.key),
            last: Cursor::new(&ahead.last.network.contacts, |c| &c.key),
            openings: Cursor::new(&ahead.last.opening, |o| &o.key),
            h: ahead.h,
        }
    }

    /// Gives a contact the gap at the end of the step; the speeds [m/s] at which it changed in the last step and in this one. A contact
    /// without a past has that of its bodies.
    pub(crate) fn take(&mut self, contact: &mut Contact, growth: f64) -> (f64, f64) {
        if let Some(touch) = self.now.find(&contact.key) {
            contact.gap = touch.gap - self.h * growth;
        }
        let last = self.openings.find(&contact.key).map_or(contact.u_before.x - growth, |o| o.speed);
        let now = self.last.find(&contact.key).map_or(contact.u.x - growth, |c| (contact.gap - c.gap) / self.h);
        (last, now)
    }
}

/// How far the pairs `touches` of the configuration that a solve led to are from what the solve took them for: the error of the gaps over
/// `length` and the turn of normals and levers, the larger.
pub(crate) fn distance(
    assembly: &Assembly,
    network: &ContactNetwork,
    assumed: &[Twist],
    found: &[Twist],
    touches: &[Touch],
    h: f64,
    length: f64,
) -> f64 {
    let mut worst = 0.0_f64;
    let mut pushing = assembly.active.iter().zip(&assembly.problem.contacts).peekable();
    let mut before = Cursor::new(&assembly.touches, |t| &t.key);
    let mut places = network.contacts.iter().zip(&assembly.growth).enumerate().peekable();
    for touch in touches {
        while places.next_if(|(_, (c, _))| c.key < touch.key).is_some() {}
        let Some((index, (_, growth))) = places.next_if(|(_, (c, _))| c.key == touch.key) else {
            worst = worst.max(-touch.gap / length);
            continue;
        };
        let Some(old) = before.find(&touch.key) else { continue };
        while pushing.next_if(|(k, _)| **k < index).is_some() {}
        let Some((_, solved)) = pushing.next_if(|(k, _)| **k == index) else { continue };
        // Where the solve took the gap to be at the end of the step, and where it is.
        let moved = twist_across(found, old).x - twist_across(assumed, old).x;
        let foreseen = old.gap + h * (moved - growth);
        let gap = touch.gap - h * growth;
        if solved.impulse == Vec3::zeros() {
            worst = worst.max((foreseen.min(0.0) - gap) / length);
            continue;
        }
        worst = worst.max((gap - foreseen).abs() / length).max((touch.frame.n - old.frame.n).norm());
        for (lever, was, node) in [
            (touch.arm_candidate, old.arm_candidate, solved.candidate),
            (touch.arm_antagonist, old.arm_antagonist, solved.antagonist),
        ] {
            worst = worst.max(if turns(&assembly.problem, node) { (lever - was).norm() / length } else { 0.0 });
        }
    }
    worst
}

/// Whether a moment turns the body.
fn turns(problem: &RigidProblem, node: usize) -> bool {
    problem.nodes[node].inverse_inertia.matrix() != nalgebra::Matrix3::zeros()
}
