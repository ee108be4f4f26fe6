//! Bodies that contacts pull outwards and that swing ever farther ([`crate::swings`]): bonds in tension break at a fraction of their strength. Turns of free bodies are the watchdog `spin`'s.

use super::{Seen, Watchdog};
use crate::swings::UNSTABLE;

/// Steps in a row in which a body turns back by more than before, from which on it is told: what rings, or is pushed to and fro by loads, does not do so as often.
const OFTEN: u32 = 6;

#[derive(Debug)]
pub(super) struct Swing;

impl Watchdog for Swing {
    fn name(&self) -> &'static str {
        "swing"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        let h = seen.step.h;
        let turn = |s: &crate::state::Swing| seen.next.kinematics.angular_velocity[s.body.index()].norm() * h;
        let often = seen.next.swings.iter().filter(|s| s.times >= OFTEN);
        let worst = often.max_by(|a, b| a.stretch.total_cmp(&b.stretch))?;
        Some(format!(
            "{} swings ever farther, by {:.1e} rad in the step at t = {:.6e} s and back by more in each of the last {}: what pulls it outwards turns it back by the places of the step's start, with {:.1e} times its moment of inertia over h² \
             (limit {UNSTABLE}); take steps of {:.1e} s, or a bond that is stiffer against turning",
            seen.setup.body_label(worst.body),
            turn(worst),
            seen.step.time,
            worst.times,
            worst.stretch,
            h * (0.5 * UNSTABLE / worst.stretch).sqrt(),
        ))
    }
}
