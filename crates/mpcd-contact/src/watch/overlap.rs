//! Bodies that come to overlap by more than a part of the smaller one's smallest length in this step. Those that did before are not meant: a
//! model may start so, and who wants to know was told when it happened.

use mpcd_core::{BodyId, Contact};
use rayon::prelude::*;

use super::{Seen, Watchdog};
use crate::together::{PIECE, is_shared};

/// Growth of an overlap in a step, over the limit, at which the step is too long: surfaces that touch pass each other by what they turn in it, which goes
/// as its square, and no later step brings that back.
const GROWTH: f64 = 0.05;

#[derive(Debug)]
pub(super) struct Overlap {
    /// Over the smallest length.
    pub(super) limit: f64,
}

/// Two bodies deep in each other.
struct Deep<'a> {
    contact: &'a Contact,
    /// Smallest length of the smaller one (m).
    length: f64,
    /// Least gap between the two in the step before (m).
    before: f64,
}

impl Overlap {
    /// Calls `visit` with what overlaps by more than this part of the limit, where the law does not mean it.
    fn deep<'a>(&self, part: f64, seen: &mut Seen<'a>, mut visit: impl FnMut(&Seen<'a>, Deep<'a>)) {
        let (contacts, hold, laws, kinematics) = (&seen.next.network.contacts, seen.hold, seen.laws, &seen.next.kinematics);
        let length_if_deep = |contact: &'a Contact| {
            if contact.gap >= 0.0 {
                return None;
            }
            let length = hold.length_of(kinematics, contact.bodies().into());
            let is_deep = !(contact.gap >= -part * self.limit * length || laws.law(contact.law).yields());
            is_deep.then_some((contact, length))
        };
        let mut visit = |(contact, length): (&'a Contact, f64)| {
            let before = before(contact, seen);
            visit(seen, Deep { contact, length, before });
        };
        if is_shared(contacts.len()) {
            let deep: Vec<_> = contacts.par_iter().with_min_len(PIECE).filter_map(length_if_deep).collect();
            deep.into_iter().for_each(visit);
        } else {
            contacts.iter().filter_map(length_if_deep).for_each(&mut visit);
        }
    }
}

impl Watchdog for Overlap {
    fn name(&self) -> &'static str {
        "overlap"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        let mut worst: Option<(f64, Deep<'_>)> = None;
        let mut count = 0_usize;
        self.deep(1.0, seen, |_, deep| {
            if deep.before < -self.limit * deep.length {
                return;
            }
            count += 1;
            let ratio = -deep.contact.gap / deep.length;
            if worst.as_ref().is_none_or(|(most, _)| ratio > *most) {
                worst = Some((ratio, deep));
            }
        });
        let (ratio, Deep { contact, length, .. }) = worst?;
        let (c, a) = contact.bodies();
        let more = if count > 1 { format!(", and {} more contacts as well", count - 1) } else { String::new() };
        Some(format!(
            "{} and {} came to overlap by {:.2} % of {length:.3e} m, the smallest length of the smaller one, in the step at t = {:.6e} s (limit {} %){more}; reduce the time step or the solver's `tolerance`, write `contact: GapUnclipped` in a law that knows it, which parts what overlaps, or state an `Elastic` law where bodies are to yield",
            seen.setup.body_label(c),
            seen.setup.body_label(a),
            100.0 * ratio,
            seen.step.time,
            100.0 * self.limit,
        ))
    }

    /// What an overlap grows by from one contact configuration to the next comes in the halves of two steps, and as the squares of their lengths.
    fn too_long(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        let (h, last) = (seen.step.h, seen.prev.last_h);
        if last == 0.0 {
            return None;
        }
        // (share of the limit, growth, contact)
        let mut worst: Option<(f64, f64, &Contact)> = None;
        self.deep(GROWTH, seen, |seen, Deep { contact, length, before }| {
            let law = seen.laws.law(contact.law);
            // What a law on closed contacts lets in as a body comes to one is no fault, and halves of the step may let in more.
            if law.parts_overlaps() || before >= 0.0 && law.asks_whether_closed() {
                return;
            }
            let own = 2.0 * h * h / (h * h + last * last) * (before.min(0.0) - contact.gap) / length;
            let share = own / (GROWTH * self.limit);
            if share > 1.0 && worst.is_none_or(|(largest, ..)| share > largest) {
                worst = Some((share, own, contact));
            }
        });
        let (share, growth, contact) = worst?;
        let (c, a) = contact.bodies();
        Some(format!(
            "{} and {} come to overlap by {:.2} % more of the smallest length of the smaller one in a step of {h:.1e} s (at most {:.2} % is let pass where it can be halved)",
            seen.setup.body_label(c),
            seen.setup.body_label(a),
            100.0 * growth,
            100.0 * growth / share,
        ))
    }
}

/// The least gap of the two in the step before (m), at whatever features they touched then: endless if they were no contact. Before the first step, at the start.
fn before(contact: &Contact, seen: &mut Seen<'_>) -> f64 {
    let last = &seen.prev.network.contacts;
    let (c, a) = contact.bodies();
    let of_pair = |first: BodyId, second: BodyId| {
        let from = last.partition_point(|k| k.bodies() < (first, second));
        last[from..].iter().take_while(move |k| k.bodies() == (first, second)).map(|k| k.gap)
    };
    of_pair(c, a).chain(of_pair(a, c)).reduce(f64::min).unwrap_or_else(|| {
        if seen.prev.last_h > 0.0 {
            return f64::INFINITY;
        }
        let pair = if c < a { [c, a] } else { [a, c] };
        if let Some((_, gap)) = seen.sunk.iter().find(|(sunk, _)| *sunk == pair) {
            return *gap;
        }
        let start = &seen.prev.kinematics;
        let at = [c, a].map(|b| (b, start.position[b.index()]));
        seen.gauge.detector.measure(start, at, 0.0, seen.gauge.points);
        seen.gauge.points.iter().map(|t| t.gap).fold(f64::INFINITY, f64::min)
    })
}
