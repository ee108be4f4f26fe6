//! The impulses from which a solve starts: those of an earlier one, by the keys of the contacts. No problem, no solution.

use mpcd_core::{Contact, ContactKey, Vec3};
use mpcd_geometry::{Random, Touch};

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
    /// Where to start elsewhere; 0 to start from them.
    pub(crate) seed: u64,
}

impl<'a> Warm<'a> {
    /// Those of the last step, scaled to the length `h` of this one; none in the first step.
    pub(crate) fn of_step(last: &'a ContactState, h: f64) -> Self {
        if last.last_h > 0.0 {
            return Self { contacts: &last.network.contacts, turning: &last.turning, scale: h / last.last_h, seed: 0 };
        }
        Self::default()
    }

    /// The same, starting elsewhere by this seed unless it is 0.
    pub(crate) const fn varied(self, seed: u64) -> Self {
        Self { seed, ..self }
    }
}

/// Impulses to start from by key.
pub(crate) struct WarmStart<'a> {
    contacts: Cursor<'a, Contact>,
    turning: Cursor<'a, Turning>,
    scale: f64,
    /// Where starts are elsewhere: the numbers, and the mean normal impulse of contacts that push (N s).
    elsewhere: Option<(Random, f64)>,
}

impl<'a> WarmStart<'a> {
    pub(crate) fn new(warm: &Warm<'a>) -> Self {
        Self {
            contacts: Cursor::new(warm.contacts, |c| &c.key),
            turning: Cursor::new(warm.turning, |t| &t.key),
            scale: warm.scale,
            elsewhere: (warm.seed != 0).then(|| {
                let pushes = warm.contacts.iter().map(|c| c.r.x * warm.scale).filter(|r| *r > 0.0);
                let (sum, count) = pushes.fold((0.0, 0.0), |(sum, count), r| (sum + r, count + 1.0));
                (Random::new(warm.seed), if count > 0.0 { sum / count } else { 0.0 })
            }),
        }
    }

    /// The same for touches from `key` on.
    pub(crate) fn skip_to(self, key: &ContactKey) -> Self {
        Self { contacts: self.contacts.skip_to(key), turning: self.turning.skip_to(key), ..self }
    }

    /// Impulse and moment, local. They keep their world direction: frames of 3D contacts turn with the normal.
    pub(crate) fn start(&mut self, touch: &Touch) -> (Vec3, Vec3) {
        let zero = Vec3::zeros();
        let impulse =
            self.contacts.find(&touch.key).map_or(zero, |c| touch.frame.to_local(&c.frame.to_world(&(c.r * self.scale))));
        let impulse = match &mut self.elsewhere {
            Some((random, mean)) => elsewhere(random, *mean, impulse),
            None => impulse,
        };
        let moment = self.turning.find(&touch.key).map_or(zero, |t| touch.frame.to_local(&(t.moment * self.scale)));
        (impulse, moment)
    }
}

/// Another impulse to start from: of its own size and the mean one, pushing, and across by up to the half of that. What a law does not allow the first sweep
/// takes away.
fn elsewhere(random: &mut Random, mean: f64, impulse: Vec3) -> Vec3 {
    let normal = random.within(0.0, 2.0) * (impulse.x.abs() + mean);
    let mut across = || random.within(-0.5, 0.5) * normal;
    Vec3::new(normal, across(), across())
}
