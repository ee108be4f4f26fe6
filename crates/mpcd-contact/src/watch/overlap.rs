//! Bodies that come to overlap by more than a part of the smaller one's smallest length in this step. Those that did before are not meant: a
//! model may start so, and who wants to know was told when it happened.

use mpcd_core::Contact;

use super::{Seen, Watchdog};

#[derive(Debug)]
pub(super) struct Overlap {
    /// Over the smallest length.
    pub(super) limit: f64,
}

impl Watchdog for Overlap {
    fn name(&self) -> &'static str {
        "overlap"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        let mut worst: Option<(f64, f64, &Contact)> = None;
        let mut count = 0_usize;
        for contact in seen.next.network.iter().filter(|c| c.gap < 0.0) {
            let (c, a) = contact.bodies();
            let length = seen.hold.length_of(&seen.next.kinematics, [c, a]);
            let limit = self.limit * length;
            if contact.gap >= -limit || seen.laws.law(contact.law).yields() || !came_now(contact, limit, seen) {
                continue;
            }
            count += 1;
            if worst.is_none_or(|(ratio, _, _)| -contact.gap / length > ratio) {
                worst = Some((-contact.gap / length, length, contact));
            }
        }
        let (ratio, length, contact) = worst?;
        let (c, a) = contact.bodies();
        let more = if count > 1 { format!(", and {} more contacts as well", count - 1) } else { String::new() };
        Some(format!(
            "{} and {} came to overlap by {:.2} % of {length:.3e} m, the smallest length of the smaller one, in the step at t = {:.6e} s (limit {} %){more}; reduce the time step or the solver's `tolerance`, or state an `Elastic` law where bodies are to yield",
            seen.setup.body_label(c),
            seen.setup.body_label(a),
            100.0 * ratio,
            seen.step.time,
            100.0 * self.limit,
        ))
    }
}

/// Whether the two were nearer to apart than the limit in the step before, or, if they were no contact, at the start of this one.
fn came_now(contact: &Contact, limit: f64, seen: &mut Seen<'_>) -> bool {
    let last = &seen.prev.network.contacts;
    let before = last.binary_search_by_key(&contact.key, |c| c.key).ok().map(|k| last[k].gap);
    let before = before.unwrap_or_else(|| {
        let start = &seen.prev.kinematics;
        let (c, a) = contact.bodies();
        let at = [c, a].map(|b| (b, start.position[b.index()]));
        seen.gauge.detector.measure(start, at, 0.0, seen.gauge.points);
        seen.gauge.points.iter().map(|t| t.gap).fold(f64::INFINITY, f64::min)
    });
    before >= -limit
}
