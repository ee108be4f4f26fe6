//! Free velocities and impulses as they are, where laws see shifted ones. The strength of a bond and the pull of a bridge stand in the impulses that laws see, and
//! with the opposite sign in the free velocities of the sweeps, however small the loads are: what a look compares with is free of them.

use super::bodies::BodyLine;
use super::diagonal::DiagonalRecord;
use super::vector::{V3, in_plane};
use crate::problem::ContactProblem;

/// Velocities and shifts of a problem with shifted impulses; empty for others. All memory is reused.
#[derive(Debug, Default)]
pub(super) struct Bare {
    /// Velocities of the bodies without any impulse.
    pub(super) free: Vec<BodyLine>,
    /// What laws see of an impulse beyond what it is, by contact, in world axes (N s).
    pub(super) shifts: Shifts,
    /// Records that groups hold, while they are looked at.
    pub(super) records: Vec<DiagonalRecord>,
}

#[derive(Debug, Default)]
pub(super) struct Shifts(Vec<Shift>);

/// What the law of a contact sees beyond its impulse.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Shift {
    /// In world axes (N s).
    pub(super) impulse: V3,
    /// [`ContactProblem::gross_speeds`].
    pub(super) gross: f64,
}

impl Shifts {
    /// That of this contact.
    pub(super) fn of(&self, contact: u32) -> Shift {
        self.0.get(contact as usize).copied().unwrap_or_default()
    }
}

impl Bare {
    /// Nothing is shifted.
    pub(super) fn clear(&mut self) {
        self.free.clear();
        self.shifts.0.clear();
    }

    /// Takes the free velocities before anything is taken off them.
    pub(super) fn take<const D: usize>(&mut self, problem: &ContactProblem, free: &[BodyLine]) {
        self.free.resize_with(free.len(), BodyLine::default);
        self.free.iter_mut().zip(free).for_each(|(bare, free)| bare.copy_from(free));
        self.shifts.0.clear();
        let gross = problem.gross_speeds();
        self.shifts.0.extend(problem.contacts.iter().enumerate().map(|(c, contact)| {
            let mut local = contact.impulse_shift;
            if D == 2 {
                local.z = 0.0;
            }
            Shift { impulse: in_plane::<D>(&contact.frame.to_world(&local)), gross: gross.get(c).copied().unwrap_or(0.0) }
        }));
    }

    /// Whether nothing is shifted.
    pub(super) fn is_empty(&self) -> bool {
        self.shifts.0.is_empty()
    }
}
