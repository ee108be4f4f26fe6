//! The assembly where no contact has to do with another and none remembers: all threads make it, contact by contact, with the bits that one makes. Laws that remember,
//! give back in phases, solve their own problem or ask what loads do, cells, growth and deformable bodies are the other assembly's.

use std::sync::atomic::{AtomicBool, Ordering};

use mpcd_core::ContactNetwork;
use mpcd_friction::{
    Cone,
    problem::{Contact, Response},
};
use mpcd_geometry::Touch;
use rayon::prelude::*;

use super::{Assembly, AssemblyInput, Past, blank, is_held_apart, make_contact, rounding_of, size};
use crate::{
    growth,
    law::{Law, LawData, LawInput, LawResponse, Restitution},
    rows::new_contact,
    together::{PIECE, is_shared, make_room},
    warm::WarmStart,
};

/// What a law makes of a touch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Nothing in this step.
    Idle,
    /// A cone.
    Cone,
    /// A local problem of its own.
    Local,
}

impl Assembly {
    /// Fills `network`, which is empty, and the problem on all threads; false where that is not done.
    pub(super) fn assemble_plain<'a>(&mut self, input: &AssemblyInput<'a>, network: &mut ContactNetwork) -> bool {
        if !is_shared(self.touches.len()) || !self.is_plain(input) {
            return false;
        }
        let Self { touches, sides, active, sizes, problem, kinds, .. } = self;
        let (touches, sides, bodies) = (&touches[..], &*sides, &problem.bodies[..]);
        let law_of = |touch: &Touch| input.law_of(touch).unwrap_or_default();
        let law_input = |law: &dyn Law, past: &mut Past<'_>, place: usize, before| -> LawInput {
            input.law_input(law, (place, &touches[place], before), (0.0, 1.0, false), past, sides)
        };
        let row = |past: &mut Past<'_>, (place, touch): (usize, &Touch)| {
            let index = law_of(touch);
            let law = input.laws.law(index);
            let before = input.velocity_before(touch, sides);
            let data = law.prepare(&law_input(law, past, place, before));
            let kind = match data.filter(|data| !is_held_apart(touch, data, 0.0, bodies, input.step.h)).map(|data| data.response)
            {
                None => Kind::Idle,
                Some(LawResponse::Cone(_)) => Kind::Cone,
                Some(LawResponse::Local(_)) => Kind::Local,
            };
            (new_contact(touch, index, before), kind)
        };
        make_room(&mut network.contacts, touches.len());
        let rows = touches.par_iter().enumerate().with_min_len(PIECE).map_init(|| Past::new(input, &[]), row);
        rows.unzip_into_vecs(&mut network.contacts, kinds);
        make_room(active, touches.len());
        active.extend(kinds.iter().enumerate().filter(|(_, kind)| **kind == Kind::Cone).map(|(place, _)| place));
        let (differs, turns) = (AtomicBool::new(kinds.contains(&Kind::Local)), AtomicBool::new(false));
        let make = |(past, warm): &mut (Past<'_>, Option<WarmStart<'a>>),
                    (k, (contact, len)): (usize, (&mut Contact, &mut f64))| {
            let touch = &touches[active[k]];
            let law = input.laws.law(law_of(touch));
            let law_input = law_input(law, past, active[k], network.contacts[active[k]].u_before);
            let warm = warm.get_or_insert_with(|| WarmStart::new(&input.warm).skip_to(&touch.key));
            let data = law.prepare(&law_input).unwrap_or_else(|| {
                // a law that answers the same question twice in two ways
                differs.store(true, Ordering::Relaxed);
                LawData::of_cone(Cone::Frictionless)
            });
            let bend = growth::of_sticking(
                touch,
                (bodies, input.before),
                (input.step.h, input.last.last_h),
                &input.last.network.contacts,
            );
            make_contact(contact, touch, &data, bend.unwrap_or_default(), warm.start(touch));
            if contact.angular().is_some() {
                turns.store(true, Ordering::Relaxed);
            }
            match data.response {
                LawResponse::Cone(cone) => contact.response = Response::Cone(cone),
                LawResponse::Local(_) => differs.store(true, Ordering::Relaxed),
            }
            *len = size(law, &law_input);
        };
        let begin = || (Past::new(input, &[]), None);
        make_room(&mut problem.contacts, active.len());
        make_room(sizes, active.len());
        problem.contacts.resize_with(active.len(), blank);
        sizes.resize(active.len(), 0.0);
        let places = problem.contacts.par_iter_mut().zip(&mut sizes[..]).enumerate();
        places.with_min_len(PIECE).for_each_init(begin, make);
        if differs.into_inner() {
            active.clear();
            sizes.clear();
            network.contacts.clear();
            return false;
        }
        let open = |(contact, &place): (&Contact, &usize)| {
            let touch = &touches[place];
            if contact.compliance.x > 0.0 {
                rounding_of(touch, &input.now.position, (touch.decided_gap(), contact.velocity_shift.x))
            } else {
                0.0
            }
        };
        let open = problem.contacts.par_iter().zip(&active[..]).with_min_len(PIECE).map(open);
        problem.rounding = open.reduce(|| 0.0, f64::max);
        problem.growth.clear();
        self.turns = turns.into_inner();
        self.lost.clear();
        true
    }

    /// Whether each contact is made of its touch alone.
    fn is_plain(&self, input: &AssemblyInput<'_>) -> bool {
        let joins = |law: &dyn Law| {
            let has_phases = matches!(law.restitution(), Restitution::Phases(_));
            law.memory().is_some() || law.wear().is_some() || law.is_local() || law.asks_whether_closed() || has_phases
        };
        let moves =
            input.cell.is_some() || input.target_size.is_some() || input.ahead.is_some() || !input.last.swelling.is_empty();
        !moves && input.warm.seed == 0 && input.last.memory.is_empty() && self.sides.are_none() && !input.laws.any(joins)
    }
}
