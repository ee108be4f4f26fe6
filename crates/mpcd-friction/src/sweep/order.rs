//! The order of a sweep: permutations, and the colouring that makes parallel sweeps give the same bits.

use nalgebra::Vector3;
use rayon::prelude::*;

use super::lanes::LANES;
use super::passes::CHUNK;
use super::system::SHARED;
use crate::problem::{Contact, ContactProblem, ProblemError};
use crate::random::SplitMix;
use crate::settings::SweepOrder;

/// Colours at most: one bit of a mask per colour. Contacts that find no free colour close the sweep in series.
const COLOURS: usize = 64;

/// Beside a colour: one of the bodies is driven.
const DRIVEN: u8 = 128;

/// A part of the sweep whose contacts are given as a range of [`Plan::order`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) start: usize,
    pub(super) end: usize,
    /// True if no two contacts of the group share a free body.
    pub(super) independent: bool,
}

/// Order of the contacts in a sweep. Its memory is reused from solve to solve.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) order: Vec<u32>,
    pub(super) groups: Vec<Group>,
    /// Whether a contact resists turning; where there is no colouring it is said of all.
    pub(super) turns: bool,
    /// Whether a contact has an impulse shift.
    pub(super) pulls: bool,
    /// Place in the order of each contact, and its lane where every colour begins with a group of lanes: only where all contacts are coloured.
    pub(super) places: Vec<[u32; 2]>,
    used: Vec<u64>,
    colour: Vec<u8>,
}

impl Plan {
    /// Lays out a sweep. `is_driven` says which bodies no impulse moves: they may be shared within a colour. Contacts that
    /// `closes` close the sweep, in series.
    ///
    /// # Errors
    /// The first fault of a contact.
    pub(super) fn lay_out(
        &mut self,
        problem: &ContactProblem,
        order: SweepOrder,
        is_driven: impl Fn(usize) -> bool,
        closes: impl Fn(usize) -> bool,
    ) -> Result<(), ProblemError> {
        let count = problem.contacts.len();
        self.order.clear();
        self.groups.clear();
        self.places.clear();
        self.turns = order != SweepOrder::Coloured;
        self.pulls = false;
        if order == SweepOrder::Coloured {
            return self.colour_contacts(problem, is_driven, closes);
        }
        for (index, contact) in problem.contacts.iter().enumerate() {
            problem.validate_contact(index, contact)?;
            self.pulls |= contact.impulse_shift != Vector3::zeros();
        }
        // validated: fewer than 2³² contacts
        self.order.extend((0..count).map(|c| c as u32));
        match order {
            SweepOrder::Reverse => self.order.reverse(),
            SweepOrder::Shuffled { seed } => SplitMix::new(seed).shuffle(&mut self.order),
            SweepOrder::Forward | SweepOrder::Symmetric | SweepOrder::Coloured => {}
        }
        self.groups.push(Group { start: 0, end: count, independent: false });
        Ok(())
    }

    /// Looks at all contacts before they are coloured, on all threads: whether one is at fault, resists turning or has an impulse shift. Their bodies are left where
    /// their places will be, so that the colouring, which goes one by one, reads little.
    ///
    /// # Errors
    /// The first fault of a contact.
    fn look_at_contacts(&mut self, problem: &ContactProblem) -> Result<(), ProblemError> {
        let contacts = &problem.contacts[..];
        let look = |(index, contact): (usize, &Contact)| {
            problem.validate_contact(index, contact).map(|()| {
                let bodies = [contact.candidate as u32, contact.antagonist as u32];
                (bodies, [contact.angular().is_some(), contact.impulse_shift != Vector3::zeros()])
            })
        };
        let either = |a: [bool; 2], b: [bool; 2]| [a[0] | b[0], a[1] | b[1]];
        self.places.reserve_exact(contacts.len());
        let mut found = None;
        if contacts.len() >= SHARED && rayon::current_num_threads() > 1 {
            self.places.resize(contacts.len(), [0; 2]);
            let all = contacts.par_iter().zip(&mut self.places).with_min_len(CHUNK).enumerate();
            let seen = all.map(|(index, (contact, place))| {
                look((index, contact)).ok().map(|(bodies, seen)| {
                    *place = bodies;
                    seen
                })
            });
            found = seen.try_reduce(|| [false; 2], |a, b| Some(either(a, b)));
        }
        // one after another where there is one thread, and to find the first that is at fault
        let [turns, pulls] = match found {
            Some(found) => found,
            None => {
                self.places.clear();
                contacts.iter().enumerate().try_fold([false; 2], |found, place| {
                    let (bodies, seen) = look(place)?;
                    self.places.push(bodies);
                    Ok(either(found, seen))
                })?
            }
        };
        self.turns |= turns;
        self.pulls |= pulls;
        Ok(())
    }

    /// Greedy colouring in the order given: the least colour that neither body has met. Within a colour contacts with driven bodies come first, so that groups
    /// of lanes meet the world or do not.
    fn colour_contacts(
        &mut self,
        problem: &ContactProblem,
        is_driven: impl Fn(usize) -> bool,
        closes: impl Fn(usize) -> bool,
    ) -> Result<(), ProblemError> {
        self.used.clear();
        self.used.resize(problem.bodies.len(), 0);
        self.colour.clear();
        self.look_at_contacts(problem)?;
        let mut sizes = [0_usize; COLOURS + 1];
        let mut driven = [0_usize; COLOURS + 1];
        for (index, sides) in self.places.drain(..).enumerate() {
            let sides = sides.map(|body| body as usize);
            let met = sides.iter().filter(|n| !is_driven(**n)).fold(0, |mask, n| mask | self.used[*n]);
            let colour = if closes(index) { COLOURS } else { met.trailing_ones() as usize };
            if colour < COLOURS {
                for body in sides {
                    self.used[body] |= 1 << colour;
                }
            }
            sizes[colour] += 1;
            let meets_driven = colour < COLOURS && sides.iter().any(|n| is_driven(*n));
            driven[colour] += usize::from(meets_driven);
            self.colour.push(colour as u8 | if meets_driven { DRIVEN } else { 0 });
        }
        // places of those with driven bodies, and of the others
        let mut next = [[0; 2]; COLOURS + 1];
        let mut padding = [0; COLOURS + 1];
        let (mut start, mut left_over) = (0, 0);
        for (colour, size) in sizes.into_iter().enumerate() {
            (next[colour], padding[colour]) = ([start, start + driven[colour]], left_over);
            left_over += size.next_multiple_of(LANES) - size;
            if size > 0 {
                self.groups.push(Group { start, end: start + size, independent: colour < COLOURS });
            }
            start += size;
        }
        self.order.resize(problem.contacts.len(), 0);
        self.places.reserve(self.colour.len());
        for (contact, colour) in self.colour.iter().enumerate() {
            let (colour, others) = (usize::from(colour & !DRIVEN), usize::from(colour & DRIVEN == 0));
            let place = &mut next[colour][others];
            self.order[*place] = contact as u32;
            let lane = *place + padding[colour];
            self.places.push([*place as u32, lane as u32]);
            *place += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use crate::problem::{Body, ContactDimension, Frame};

    /// A random graph with one body of 200 contacts and a fixed one of 300.
    fn graph() -> ContactProblem {
        let mut random = SplitMix::new(1);
        let mut problem = ContactProblem::new(ContactDimension::Three);
        problem.push_body(Body::fixed());
        for _ in 0..600 {
            problem.push_body(Body::ball(Vector3::zeros(), Vector3::zeros(), 1.0, 1.0));
        }
        let mut join = |a: usize, b: usize| {
            let zero = Vector3::zeros();
            problem.push_contact(Contact::new(a, b, Frame::from_normal(Vector3::x()), zero, zero));
        };
        for body in 1..=300 {
            join(body, 0);
        }
        for body in 101..=300 {
            join(body, 1);
        }
        for _ in 0..1500 {
            let a = 1 + random.next() as usize % 600;
            join(a, 1 + (a + 1 + random.next() as usize % 500) % 600);
        }
        problem
    }

    #[test]
    fn no_two_contacts_of_a_colour_share_a_free_body() {
        let problem = graph();
        let mut is_driven = vec![false; problem.bodies.len()];
        is_driven[0] = true;
        let mut plan = Plan::default();
        plan.lay_out(&problem, SweepOrder::Coloured, |body| is_driven[body], |_| false).unwrap();
        let mut seen = vec![false; problem.contacts.len()];
        for group in &plan.groups {
            let at_driven = |contact: &u32| problem.contacts[*contact as usize].sides().iter().any(|side| side.body == 0);
            let own = &plan.order[group.start..group.end];
            assert!(
                !group.independent || own.is_sorted_by_key(|contact| !at_driven(contact)),
                "those at driven bodies come first"
            );
            let mut bodies = Vec::new();
            for contact in &plan.order[group.start..group.end] {
                assert!(!std::mem::replace(&mut seen[*contact as usize], true), "twice");
                let contact = &problem.contacts[*contact as usize];
                bodies.extend([contact.candidate, contact.antagonist].into_iter().filter(|n| *n > 0));
            }
            let all = bodies.len();
            bodies.sort_unstable();
            bodies.dedup();
            assert!(!group.independent || bodies.len() == all);
        }
        assert!(seen.iter().all(|s| *s), "every contact is visited");
        let tail = plan.groups.last().copied();
        assert!(tail.is_some_and(|g| !g.independent && g.end - g.start >= 200 - 64));
    }

    #[test]
    fn orders_are_permutations_and_the_shuffle_depends_on_its_seed() {
        let problem = graph();
        let is_driven = vec![false; problem.bodies.len()];
        let mut plans = Vec::new();
        for order in
            [SweepOrder::Forward, SweepOrder::Reverse, SweepOrder::Shuffled { seed: 1 }, SweepOrder::Shuffled { seed: 2 }]
        {
            let mut plan = Plan::default();
            plan.lay_out(&problem, order, |body| is_driven[body], |_| false).unwrap();
            let mut sorted = plan.order.clone();
            sorted.sort_unstable();
            assert!(sorted.iter().enumerate().all(|(k, c)| k == *c as usize));
            plans.push(plan.order);
        }
        assert_ne!(plans[2], plans[3]);
        assert_eq!(plans[1][0] as usize, problem.contacts.len() - 1);
    }
}
