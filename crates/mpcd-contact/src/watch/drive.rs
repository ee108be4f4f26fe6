//! Bodies that are driven so slowly that the tolerance of the solve cannot tell their motion from rest: what they push may lie there as at rest, with forces
//! that are too small, and nothing else would tell.

use mpcd_core::BodyId;

use super::{Seen, Watchdog};

/// What the contacts of an island miss, against the least that is prescribed there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Creep {
    /// What is driven.
    pub(crate) body: BodyId,
    /// Speed of its point at the contact (m/s).
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
        Some(format!(
            "{} is driven at {speed:.3e} m/s, and contacts miss their laws by up to {:.3e} m/s in the step ending at t = {:.6e} s, {missed:.2} of it (limit {}): \
             what it pushes may lie there as at rest, and forces be too small; ask for a `tolerance` of {:.0e} or less, or drive it faster",
            seen.setup.body_label(body),
            missed * speed,
            seen.step.end(),
            self.limit,
            0.1 * tolerance * self.limit / missed,
        ))
    }
}
