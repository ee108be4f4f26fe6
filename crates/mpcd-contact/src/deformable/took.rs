//! Wall time of a step of deformable bodies, by what it was for. No computation.

use std::time::Duration;

use mpcd_fem::BodyTimes;

/// Wall time of the parts of a step.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Took {
    bodies: BodyTimes,
    /// Columns of M̃⁻¹, and the compliances of the problem made of them.
    pub(super) condensed: Duration,
    /// The problem of the contacts.
    pub(crate) contact: Duration,
}

impl Took {
    /// Adds what a body has measured.
    pub(super) fn add(&mut self, of: BodyTimes) {
        self.bodies.assembled += of.assembled;
        self.bodies.factorised += of.factorised;
        self.bodies.solved += of.solved;
    }

    /// Adds sums over elements.
    pub(super) fn add_assembly(&mut self, time: Duration) {
        self.bodies.assembled += time;
    }

    /// The parts by the names that reports have.
    pub(crate) fn phases(&self) -> [(&'static str, Duration); 5] {
        [
            ("bodies assembled", self.bodies.assembled),
            ("bodies factorised", self.bodies.factorised),
            ("bodies solved", self.bodies.solved),
            ("bodies condensed", self.condensed),
            ("contact of bodies", self.contact),
        ]
    }
}
