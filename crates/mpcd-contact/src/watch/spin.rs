//! Bodies that turn too far in a step: for contacts that are found once in it (a round body may, as its turning moves no surface), and for joints, as in a step
//! a body turns by 2 arctan(hω/2).

use mpcd_core::BodyId;

use super::{Seen, Watchdog};
use crate::state::ContactState;

#[derive(Debug)]
pub(super) struct Spin {
    /// rad
    pub(super) limit: f64,
}

impl Watchdog for Spin {
    fn name(&self) -> &'static str {
        "spin"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        let of = |state: &ContactState, i: usize| state.kinematics.angular_velocity[i].norm();
        let spin = |i: usize| of(seen.prev, i).max(of(seen.next, i));
        let h = seen.step.h;
        let fast = |b: &BodyId| spin(b.index()) * h > self.limit && seen.alert.turns(b.index());
        // Most steps have none: bodies are fewer than their contacts.
        (0..seen.next.kinematics.len()).find(|i| spin(*i) * h > self.limit)?;
        let touching = seen.next.network.iter().filter(|c| c.bears()).flat_map(|c| [c.bodies().0, c.bodies().1]);
        let jointed = seen.setup.joints.iter().flat_map(|j| [Some(j.bodies.0), j.bodies.1]).flatten();
        let far = |b: &BodyId| spin(b.index()) * h > self.limit;
        let mut found: Vec<BodyId> = touching.filter(fast).chain(jointed.filter(far)).collect();
        found.sort_unstable();
        found.dedup();
        let worst = *found.iter().max_by(|a, b| spin(a.index()).total_cmp(&spin(b.index())))?;
        let more = if found.len() > 1 { format!(", and {} more bodies as well", found.len() - 1) } else { String::new() };
        let omega = spin(worst.index());
        Some(format!(
            "{} turns by {:.2} rad (ω h, of which a step makes 2 arctan(½ω h) = {:.2}) in the step at t = {:.6e} s while it touches another body or a joint \
             holds it (limit {} rad){more}; steps of {:.1e} s would do",
            seen.setup.body_label(worst),
            omega * h,
            2.0 * (0.5 * omega * h).atan(),
            seen.step.time,
            self.limit,
            self.limit / omega,
        ))
    }
}
