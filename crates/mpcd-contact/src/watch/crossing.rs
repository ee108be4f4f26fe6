//! Bodies that went through others, or deep into them, and could not be held at the touch.

use super::{Seen, Watchdog};

#[derive(Debug)]
pub(super) struct Crossing;

impl Watchdog for Crossing {
    fn name(&self) -> &'static str {
        "crossing"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        let &[c, a] = seen.hold.left.first()?;
        let more = if seen.hold.left.len() > 1 {
            format!(", and {} more pairs as well", seen.hold.left.len() - 1)
        } else {
            String::new()
        };
        let v = &seen.next.kinematics.velocity;
        let before = &seen.prev.kinematics.velocity;
        let speed = (v[c.index()] - v[a.index()]).norm().max((before[c.index()] - before[a.index()]).norm());
        let length = seen.hold.length_of(&seen.next.kinematics, [c, a]);
        Some(format!(
            "{} went through {}, or deep into it, within the step at t = {:.6e} s: they come {:.3e} m towards each other in it, and the smaller one is {length:.3e} m thick{more}; steps of {:.1e} s would see the contact",
            seen.setup.body_label(c),
            seen.setup.body_label(a),
            seen.step.time,
            speed * seen.step.h,
            0.05 * length / speed,
        ))
    }
}
