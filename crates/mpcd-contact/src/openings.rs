//! How gaps really change over a step whose contact configuration is its own end. No solve, no motion.

use mpcd_core::Contact;
use mpcd_geometry::Touch;

use crate::{
    law::Cursor,
    motion::Twist,
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
    /// What contacts give to momenta over their impulses ([`crate::central::Times`]).
    pub(crate) gain: f64,
    /// The same of contacts that yield, over h times their forces.
    pub(crate) soft_gain: f64,
    /// Impulse that contacts that yield have in the problem, over h times their forces.
    pub(crate) soft: f64,
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
