//! When a result is accepted: what is asked besides the scale-free error, as multiples of the tolerance.
//!
//! The scale-free error is relative to the impulses of the whole problem, so that a heavy body, a lively island elsewhere, or impulses that
//! grow without end make any error small. A result is accepted only if, in every island for itself,
//! - each contact misses its law by a velocity below [`SPEED`] tolerances of the speeds at that contact and in its island;
//! - these velocities work on the impulses less than [`FORCE`] tolerances of what all impulses work, which bounds the relative error of the
//!   forces that hold the bodies, and less than that of what these work on the giving way of each deformable body, which bounds that of how they share what they hold;
//! - what of these velocities counts as the rounding of great impulses hides no more than [`HIDDEN`] of what is prescribed or grows: impulses that friction
//!   makes grow without end, between driven or fixed bodies that leave no room, would hide any motion in their rounding.

use serde::Serialize;

use crate::error::{ErrorSum, FreeNorms};
use crate::sweep::Breach;

/// Share of the speeds at a contact by which it may miss its law, in tolerances.
pub const SPEED: f64 = 300.0;

/// Relative error of the forces, weighted by the masses that they hold, in tolerances.
pub const FORCE: f64 = 50.0;

/// Part of the speed that is prescribed, which the rounding of the impulses may hide, whatever the tolerance.
pub const HIDDEN: f64 = 1e-3;

/// What is left of the violations of the laws as velocities, island by island : the worst of all islands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Violation {
    /// Largest velocity by which a contact misses its law, over the speeds at that contact and in its island.
    pub speed: f64,
    /// The contact where it is.
    pub contact: usize,
    /// Work of these velocities on the impulses over the work of all impulses: bound of the relative error of the forces.
    pub force: f64,
    /// Largest velocity by which a contact misses its law over the least speed of what is prescribed at the contacts of its island, 0 where nothing is. Near
    /// one and above the solution cannot tell that motion from rest. It decides nothing.
    pub of_drive: f64,
    /// The contact where that is prescribed.
    pub drive: usize,
    /// What of the velocities counts as the rounding of the impulses, in the mean weighted by these, over the same speed or that of the island.
    pub hidden: f64,
    /// Largest velocity by which a contact misses its law over the greatest speed by which growth moves a contact of its island or that of the island, 0
    /// where nothing grows. It decides nothing.
    pub of_growth: f64,
    /// The contact where that is prescribed, or that growth moves fastest.
    pub hider: usize,
    /// Largest part of the work of a deformable body's giving way, which tells how contacts share what they hold, that the rounding of their impulses hides. It decides
    /// nothing.
    pub unseen: f64,
    /// A contact of that body.
    pub unseen_at: usize,
}

impl Violation {
    /// As an error that can be compared with the tolerance.
    #[must_use]
    pub fn error(&self) -> f64 {
        let hidden = if self.hidden > HIDDEN { self.hidden } else { 0.0 };
        greater(greater(self.speed / SPEED, self.force / FORCE), hidden)
    }
}

impl Breach {
    /// As an error that can be compared with the tolerance.
    pub(crate) fn error(&self) -> f64 {
        self.report().error()
    }

    pub(crate) const fn report(&self) -> Violation {
        Violation {
            speed: self.speed,
            contact: self.contact,
            force: self.work,
            of_drive: self.of_drive,
            drive: self.drive,
            hidden: self.hidden,
            of_growth: self.of_growth,
            hider: self.hider,
            unseen: self.unseen,
            unseen_at: self.unseen_at,
        }
    }
}

/// The greater number; a NaN is greater than any.
pub(crate) fn greater(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

/// How good impulses are, with the velocities afresh from them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Verdict {
    pub(crate) sum: ErrorSum,
    pub(crate) breach: Breach,
}

impl Verdict {
    /// The error that decides: accepted where it is at or below the tolerance.
    pub(crate) fn error(&self, free: &FreeNorms) -> f64 {
        greater(self.sum.errors(free).scaled, self.breach.error())
    }
}
