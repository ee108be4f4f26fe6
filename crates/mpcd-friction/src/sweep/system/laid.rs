//! Contacts compiled straight into their lanes, on one thread or on all. Records of single contacts are [`System::compile`]'s.

use super::super::compile::{self, Compiled};
use super::super::lanes::{LANES, fetch};
use super::super::order::{Group, Plan};
use super::{AHEAD, Kernel, Run, SHARED, System, Tag};
use crate::problem::ContactProblem;

impl System {
    /// Compiles the contacts into their lanes: where all are coloured and have diagonal blocks. One thread takes them as they come, so that groups fill up in as many
    /// streams as there are colours, where colour by colour the whole problem would pass by as often; several take the lanes of each colour in order.
    pub(super) fn compile_lanes<const D: usize>(&mut self, problem: &ContactProblem, plan: &Plan) -> bool {
        if self.compliances.is_some() || plan.places.is_empty() || !plan.groups.iter().all(|group| group.independent) {
            return false;
        }
        let tag = Tag { contact: 0, bodies: [0; 2], lambda_max: 0.0 };
        self.diagonal_tags.resize(problem.contacts.len(), tag);
        self.groups.make_room(plan.groups.iter().map(|group| (group.end - group.start).div_ceil(LANES)).sum());
        plan.groups.iter().for_each(|group| self.groups.lay_room(group.end - group.start));
        let (outlines, degree) = (&self.outlines, &self.degree);
        let make = |index: usize| {
            let contact = &problem.contacts[index];
            let weights = [degree[contact.candidate], degree[contact.antagonist]];
            let Compiled { record, lambda_max } = compile::diagonal::<D>(problem, outlines, contact, weights, None)?;
            let bodies = [record.candidate, record.antagonist];
            Some((record, Tag { contact: index as u32, bodies, lambda_max }))
        };
        let (groups, tags) = (&mut self.groups, &mut self.diagonal_tags);
        let all = if rayon::current_num_threads() > 1 && problem.contacts.len() >= SHARED {
            plan.groups.iter().enumerate().all(|(run, group)| {
                let contacts = &plan.order[group.start..group.end];
                groups.put_run(run, &mut tags[group.start..group.end], |place| {
                    // colours go through the contacts in strides that no processor foresees
                    fetch(contacts.get(place + AHEAD).and_then(|soon| problem.contacts.get(*soon as usize)));
                    make(contacts[place] as usize)
                })
            })
        } else {
            plan.places.iter().enumerate().all(|(index, [place, lane])| {
                make(index).is_some_and(|(record, tag)| {
                    tags[*place as usize] = tag;
                    groups.put(*lane, &record);
                    true
                })
            })
        };
        if all && self.groups.admit() {
            let run =
                |group: &Group| Run { kernel: Kernel::Diagonal, start: group.start, end: group.end, at: 0, independent: true };
            self.runs.extend(plan.groups.iter().map(run));
            return true;
        }
        // one by one, each to its kernel
        self.diagonal_tags.clear();
        self.groups.begin(self.lines.len());
        false
    }
}
