//! Rounds of joints and contacts that do not come nearer to an end: how they are noticed, and from where they go on.
//!
//! Where friction lets two mirror images of a slip stand beside the motion between them, rows written about one of them can lead to the other, and back, for
//! ever. Their mean is what lies between.

use mpcd_core::Vec3;
use mpcd_friction::problem::{Body, ContactProblem};

/// Share of the change of the round before from which rounds no longer come nearer to the end.
const NEARER: f64 = 0.9;

/// Motions and impulses of rounds that lead to each other in turn, as two mirror images of a slip do: from where they began neither is the end.
#[derive(Default)]
pub(super) struct Swings {
    /// How much each of the last two rounds changed at the contacts [m/s].
    changes: [f64; 2],
    last: Option<Round>,
    now: Option<Round>,
}

/// Velocities of the bodies and impulses of the contacts.
struct Round {
    bodies: Vec<Body>,
    impulses: Vec<Vec3>,
}

impl Swings {
    pub(super) fn see(&mut self, change: f64, problem: &ContactProblem, first: usize) {
        self.changes = [self.changes[1], change];
        let impulses = problem.contacts[..first].iter().map(|c| c.impulse).collect();
        self.last = self.now.replace(Round { bodies: problem.bodies.clone(), impulses });
    }

    /// Where rounds no longer come nearer goes on from the mean of the last two.
    pub(super) fn halve(&mut self, problem: &mut ContactProblem, first: usize) -> bool {
        let [before, change] = self.changes;
        let Some(last) = self.last.take_if(|_| before > 0.0 && change > NEARER * before) else { return false };
        for (body, last) in problem.bodies.iter_mut().zip(&last.bodies) {
            body.velocity = (body.velocity + last.velocity) * 0.5;
            body.angular_velocity = (body.angular_velocity + last.angular_velocity) * 0.5;
        }
        for (contact, last) in problem.contacts[..first].iter_mut().zip(&last.impulses) {
            contact.impulse = (contact.impulse + last) * 0.5;
        }
        true
    }
}
