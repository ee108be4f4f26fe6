//! The impulses from which a solve starts: those of an earlier one, by the keys of the contacts. No problem, no solution.

use mpcd_core::{Contact, Vec3};
use mpcd_geometry::Touch;

use crate::{
    law::Cursor,
    state::{ContactState, Turning},
};

/// Impulses of an earlier solve from which this one starts; none by default.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Warm<'a> {
    /// Sorted by key.
    pub(crate) contacts: &'a [Contact],
    /// Sorted by key.
    pub(crate) turning: &'a [Turning],
    /// By which they are multiplied.
    pub(crate) scale: f64,
}

impl<'a> Warm<'a> {
    /// Those of the last step, scaled to the length `h` of this one; none in the first step.
    pub(crate) fn of_step(last: &'a ContactState, h: f64) -> Self {
        if last.last_h > 0.0 {
            return Self { contacts: &last.network.contacts, turning: &last.turning, scale: h / last.last_h };
        }
        Self::default()
    }
}

/// Impulses to start from by key.
pub(crate) struct WarmStart<'a> {
    contacts: Cursor<'a, Contact>,
    turning: Cursor<'a, Turning>,
    scale: f64,
}

impl<'a> WarmStart<'a> {
    pub(crate) fn new(warm: &Warm<'a>) -> Self {
        Self {
            contacts: Cursor::new(warm.contacts, |c| &c.key),
            turning: Cursor::new(warm.turning, |t| &t.key),
            scale: warm.scale,
        }
    }

    /// Impulse and moment, local. They keep their world direction: frames of 3D contacts turn with the normal.
    pub(crate) fn start(&mut self, touch: &Touch) -> (Vec3, Vec3) {
        let zero = Vec3::zeros();
        let impulse =
            self.contacts.find(&touch.key).map_or(zero, |c| touch.frame.to_local(&c.frame.to_world(&(c.r * self.scale))));
        let moment = self.turning.find(&touch.key).map_or(zero, |t| touch.frame.to_local(&(t.moment * self.scale)));
        (impulse, moment)
    }
}
