//! Bodies that are driven so slowly that the tolerance of the solve cannot tell their motion from rest: what they push may lie there as at rest, with forces
//! that are too small, and nothing else would tell.

use mpcd_core::BodyId;

use super::{Seen, Watchdog};

/// What the contacts of an island miss, against the least that is prescribed there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Creep {
    /// What is driven; `None` where the cell is.
    pub(crate) body: Option<BodyId>,
    /// Speed of its point at the contact, or at which the cell moves the bodies of a contact against each other (m/s).
    pub(crate) speed: f64,
    /// Largest velocity by which a contact misses its law, over this speed.
    pub(crate) missed: f64,
    /// Tolerance of the solve.
    pub(crate) tolerance: f64,
}

#[derive(Debug)]
pub(super) struct Drive {
    /// Largest of what is missed over the speed.
    pub(super) limit: f64,
}

impl Watchdog for Drive {
    fn name(&self) -> &'static str {
        "drive"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        let Creep { body, speed, missed, tolerance } = seen.creep.filter(|creep| creep.missed > self.limit)?;
        let (what, pushed) = match body {
            Some(body) => (format!("{} is driven at", seen.setup.body_label(body)), "what it pushes"),
            None => ("the cell moves bodies that touch against each other at".to_owned(), "the bodies"),
        };
        Some(format!(
            "{what} {speed:.3e} m/s, and contacts miss their laws by up to {:.3e} m/s in the step ending at t = {:.6e} s, {missed:.2} of it (limit {}): \
             {pushed} may lie there as at rest, and forces be too small; ask for a `tolerance` of {:.0e} or less, or drive faster",
            missed * speed,
            seen.step.end(),
            self.limit,
            0.1 * tolerance * self.limit / missed,
        ))
    }
}
