//! The problem of the contacts alone, joints taken out of it: joints and the bodies that they hold are then compliances at the contacts of
//! these bodies, so that every solver of contacts works on it, and what is stiff between contacts and joints is not swept. With meshes it is one for all; of
//! rigid bodies one for each group that joints hold together. Which joints there are, and when and how they go on, is not decided here.

use mpcd_core::{BodyId, Vec3};
use mpcd_friction::{
    Cone,
    problem::{Body, Compliance, ContactProblem, Motion, Response},
};

use super::{Joints, Stage};

/// Most contacts that are taken together.
const MOST: usize = 700;
/// Part of the response of a contact, and of that of its bodies, below which joints leave nothing of it: they hold the bodies apart as they are.
const NOTHING: f64 = 1e-10;

/// Part of the speeds of a contact from which what joints alone close there is a drive: nothing bears that.
const DRIVEN: f64 = 1e-3;

/// The problem of the contacts alone.
pub(crate) struct Without {
    pub(crate) problem: ContactProblem,
    /// The motion without impulses that it was made from.
    begun: Motion,
    /// Contacts that no impulse opens or closes while the joints hold: these bear what there is, and the contacts nothing.
    idle: Vec<usize>,
}

impl Without {
    /// Impulse (local) and moment (world axes) of a contact of the solved problem.
    pub(crate) fn found(&self, contact: usize) -> (Vec3, Vec3) {
        let found = &self.problem.contacts[contact];
        if self.idle.binary_search(&contact).is_ok() {
            (Vec3::zeros(), Vec3::zeros())
        } else {
            (found.impulse, found.world_moment())
        }
    }
}

impl Joints {
    /// The problem without its joints, and the motion without impulses that it was made from; `None` where no joint ends on a mesh, or where it cannot be told so.
    pub(super) fn eliminate(&mut self, problem: &ContactProblem, first: usize, stage: &Stage<'_>) -> Option<Without> {
        if stage.seats.is_empty() || problem.cell.is_some() {
            return None;
        }
        let held = |i: usize| self.bodies.binary_search(&i).is_ok();
        let soft = |compliance: usize| stage.seats.iter().any(|seat| seat.compliance == compliance);
        let reached = |c: &&mpcd_friction::problem::Contact| held(c.candidate) || held(c.antagonist);
        if problem.contacts[..first].iter().filter(reached).count() > MOST {
            return None;
        }
        let (mut alone, starts, free) = self.alone(problem, first);
        let rigid = |i: usize| held(i) && !stage.bodies[i].deformable;
        let together = self.eliminated.eliminate(&alone, first, rigid, soft)?;
        let Compliance { contacts, .. } = &together;
        if contacts.is_empty() {
            return None;
        }
        keep_contacts(&mut alone, first, starts);
        for &i in &self.bodies {
            alone.bodies[i] = Body::fixed();
        }
        let others = problem.compliances.iter().enumerate().filter(|(k, _)| !soft(*k)).map(|(_, c)| c);
        alone.compliances = others.cloned().chain([together]).collect();
        Some(Without { problem: alone, begun: free, idle: Vec::new() })
    }

    /// The same of rigid bodies: each group that joints hold together is one compliance. `None` where contacts resist turning, groups are too large, or none touches.
    pub(super) fn take_out(&mut self, problem: &ContactProblem, first: usize) -> Option<Without> {
        let rows = std::mem::take(&mut self.rows);
        let without = self.take_out_rows(problem, first, &rows);
        self.rows = rows;
        without
    }

    /// [`Self::take_out`] where the rows from `first` on are those of the joints `rows`.
    pub(super) fn take_out_rows(&mut self, problem: &ContactProblem, first: usize, rows: &[usize]) -> Option<Without> {
        let (group, groups) = self.groups(problem, rows);
        let (mut alone, starts, free) = self.alone(problem, first);
        let together = self.eliminated.reduce(&alone, first, (&|i| group.get(i).copied().flatten(), groups))?;
        if together.is_empty() {
            return None;
        }
        keep_contacts(&mut alone, first, starts);
        for (body, _) in alone.bodies.iter_mut().zip(&group).filter(|(_, group)| group.is_some()) {
            *body = Body::fixed();
        }
        alone.compliances.extend(together);
        let idle = idle(&mut alone, problem)?;
        Some(Without { problem: alone, begun: free, idle })
    }

    /// The group of each body that moves and that a joint holds, numbered in the order of their first bodies, and how many there are. What does not move joins none.
    fn groups(&self, problem: &ContactProblem, rows: &[usize]) -> (Vec<Option<usize>>, usize) {
        let mut above: Vec<usize> = (0..problem.bodies.len()).collect();
        let mut member = vec![false; above.len()];
        let root = |above: &[usize], mut i: usize| {
            while above[i] != i {
                i = above[i];
            }
            i
        };
        for &k in rows {
            let joint = &self.all[k];
            let ends = [Some(joint.candidate), joint.antagonist].map(|end| end.map(BodyId::index));
            let mut moving = ends.into_iter().flatten().filter(|&i| problem.bodies[i].moves());
            let Some(one) = moving.next() else { continue };
            member[one] = true;
            if let Some(other) = moving.next() {
                member[other] = true;
                let (a, b) = (root(&above, one), root(&above, other));
                above[a.max(b)] = a.min(b);
            }
        }
        let mut number = vec![None; above.len()];
        let mut count = 0;
        for i in (0..above.len()).filter(|&i| member[i]) {
            let first = root(&above, i);
            if first == i {
                number[i] = Some(count);
                count += 1;
            } else {
                number[i] = number[first];
            }
        }
        (number, count)
    }

    /// The problem by the impulses of the joints alone, from which rows begin, the impulses that its contacts had, and the motion without any.
    fn alone(&self, problem: &ContactProblem, first: usize) -> (ContactProblem, Vec<(Vec3, Vec3)>, Motion) {
        let held = |i: usize| self.bodies.binary_search(&i).is_ok();
        let mut alone = problem.clone();
        let starts = alone.contacts[..first].iter().map(|c| (c.impulse, c.moment())).collect();
        for contact in &mut alone.contacts[..first] {
            contact.impulse = Vec3::zeros();
            contact.set_moment(Vec3::zeros());
        }
        let free = problem.motion();
        alone.rebuild(&free.bodies, held);
        alone.rebuild_compliances(&free.compliances);
        (alone, starts, free)
    }

    /// Takes the impulses of the contacts, and the motion of the bodies that no joint holds, from the solved problem without joints, and closes the
    /// joints with them.
    pub(super) fn take_without(&mut self, problem: &mut ContactProblem, without: Without) {
        let Without { problem: without, begun: free, idle } = without;
        for (k, (contact, found)) in problem.contacts.iter_mut().zip(without.contacts).enumerate() {
            if idle.binary_search(&k).is_ok() {
                contact.impulse = Vec3::zeros();
                contact.set_moment(Vec3::zeros());
            } else {
                *contact = found;
            }
        }
        let held = |i: usize| self.bodies.binary_search(&i).is_ok();
        for (i, (body, found)) in problem.bodies.iter_mut().zip(without.bodies).enumerate() {
            if !held(i) {
                *body = found;
            }
        }
        problem.laws = without.laws;
        problem.rebuild(&free.bodies, held);
        problem.rebuild_compliances(&free.compliances);
        let first = problem.contacts.len() - self.rows.len();
        self.bilateral.settle(problem, first);
        self.take_impulses(problem);
    }
}

/// Finds the contacts of which the joints leave nothing, and lets them rest: they neither push nor close. `None` where one has a law of its own, which may ask for more, or where
/// joints drive its bodies into each other.
fn idle(alone: &mut ContactProblem, whole: &ContactProblem) -> Option<Vec<usize>> {
    let mut contacts: Vec<usize> = alone.compliances.iter().flat_map(|body| body.contacts.iter().copied()).collect();
    contacts.sort_unstable();
    contacts.dedup();
    let soft = alone.compliance_blocks();
    let nothing = |k: usize| {
        let (before, left) = (whole.rigid_block(k)[(0, 0)], alone.rigid_block(k) + soft[k]);
        left[(0, 0)] <= NOTHING * before.max(left.trace()) && whole.contacts[k].compliance.x == 0.0
    };
    contacts.retain(|&k| nothing(k));
    for &k in &contacts {
        let opening = alone.relative_velocity(k)?.x;
        let contact = &mut alone.contacts[k];
        let speed = [contact.candidate, contact.antagonist].map(|i| whole.bodies[i].velocity.norm());
        if opening + contact.velocity_shift.x < -DRIVEN * (speed[0] + speed[1] + opening.abs()) {
            return None;
        }
        let Response::Cone(_) = contact.response else { return None };
        contact.response = Response::Cone(Cone::Frictionless);
        (contact.impulse, contact.impulse_shift) = (Vec3::zeros(), Vec3::zeros());
        contact.velocity_shift = Vec3::new(-opening, 0.0, 0.0);
        contact.compliance = Vec3::new(whole.rigid_block(k)[(0, 0)], 0.0, 0.0);
    }
    Some(contacts)
}

/// The contacts before `first` alone, with these impulses.
fn keep_contacts(problem: &mut ContactProblem, first: usize, impulses: Vec<(Vec3, Vec3)>) {
    problem.contacts.truncate(first);
    for (contact, (impulse, moment)) in problem.contacts.iter_mut().zip(impulses) {
        contact.impulse = impulse;
        contact.set_moment(moment);
    }
}
