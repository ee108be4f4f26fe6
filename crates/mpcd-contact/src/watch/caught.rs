//! Rigid bonds, and rigid joints that may break, that stop within a step what leaves them or slides along them: their impulse is what stops it, however long the step, and
//! their force that over the step.
//! In a step as short as stress waves are they would break.

use mpcd_core::Contact;

use super::{Seen, Watchdog};
use crate::law::Tally;

#[derive(Debug)]
pub(super) struct Caught {
    /// Energy that bonds take in a step over the energies that move in it (the scale of the balance).
    pub(super) limit: f64,
}

impl Watchdog for Caught {
    fn name(&self) -> &'static str {
        "caught"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        let balance = seen.energy?;
        // bonds are remembered
        if seen.next.memory.is_empty() {
            return None;
        }
        let (mut taken, mut most, mut count) = (0.0, (0.0, None), 0);
        for contact in seen.next.network.iter() {
            let swallowed = swallowed(contact);
            if swallowed > 0.0 && is_whole_and_rigid(seen, contact) {
                (taken, count) = (taken + swallowed, count + 1);
                if swallowed > most.0 {
                    most = (swallowed, Some(contact));
                }
            }
        }
        let contact = most.1.filter(|_| taken > self.limit * balance.scale)?;
        let more = if count > 1 { format!(" (with {} more points of bonds)", count - 1) } else { String::new() };
        Some(format!(
            "a bond of {} and {} stopped bodies that left each other at {:.3e} m/s{more}: it took {taken:.3e} J, {:.2e} of the energy that moves in the step at t = {:.6e} s (limit {:.0e}), without damage, as its impulse of {:.3e} N s is within its strength over a step of {:.3e} s; a shorter step may break it, so let bonded bodies start with one motion, or take a step in which you mean the force to act",
            seen.setup.body_label(contact.key.candidate),
            seen.setup.body_label(contact.key.antagonist),
            contact.u_before.norm(),
            taken / balance.scale,
            seen.step.time,
            self.limit,
            contact.r.norm(),
            seen.step.h,
        ))
    }
}

/// The same of joints with a `break_force`.
#[derive(Debug)]
pub(super) struct Jerked {
    /// Energy that a joint takes in a step over the energies that move in it.
    pub(super) limit: f64,
}

impl Watchdog for Jerked {
    fn name(&self) -> &'static str {
        "caught"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        let balance = seen.energy?;
        let stopped = seen.stopped.filter(|s| s.taken > self.limit * balance.scale)?;
        let joint = seen.setup.joints.get(stopped.joint)?;
        let [c, a] = [Some(joint.bodies.0), joint.bodies.1]
            .map(|b| b.map_or_else(|| "the ground".to_owned(), |b| seen.setup.body_label(b)));
        let name = joint.name.as_ref().map_or_else(String::new, |name| format!(" \"{name}\""));
        Some(format!(
            "the joint{name} of {c} and {a} stopped bodies within a step: it took {:.3e} J, {:.2e} of the energy that moves in the step at t = {:.6e} s (limit {:.0e}), by an impulse whose force over a step of {:.3e} s is {:.3e} N; it would be greater in a shorter one and may then be beyond `break_force`, so let bodies start with a motion that their joints allow, or take a `Spring` where a jerk is meant",
            stopped.taken,
            stopped.taken / balance.scale,
            seen.step.time,
            self.limit,
            seen.step.h,
            stopped.force,
        ))
    }
}

/// Energy (J) that the pull and the drag of a contact took: not what pressing stopped, which is an impact.
fn swallowed(contact: &Contact) -> f64 {
    let mean = (contact.u_before + contact.u) * 0.5;
    let across = -(contact.r.y * mean.y + contact.r.z * mean.z);
    let pulled = if contact.r.x < 0.0 { -contact.r.x * mean.x } else { 0.0 };
    across + pulled
}

/// Whether the contact is a bond that stores nothing and that nothing has damaged.
fn is_whole_and_rigid(seen: &Seen<'_>, contact: &Contact) -> bool {
    let memory = &seen.next.memory;
    let Ok(at) = memory.binary_search_by_key(&contact.key, |kept| kept.key) else { return false };
    let Some(law) = seen.laws.law(contact.law).memory() else { return false };
    let Tally { bonded, damage, anchored, .. } = law.tally(&memory[at].left());
    bonded && anchored && damage == 0.0 && memory[at].stored() == 0.0
}
