//! The problem of the contacts alone, joints on meshes taken out of it: joints and the bodies that they hold are then one compliance at the contacts of
//! these bodies, so that every solver of contacts works on it, and what is stiff between contacts and joints is not swept. Which joints there are,
//! and how they go on, is not decided here.

use mpcd_core::Vec3;
use mpcd_friction::problem::{Body, Compliance, ContactProblem, Motion};

use super::{Joints, Stage};

/// Most contacts that are taken together.
const MOST: usize = 700;

impl Joints {
    /// The problem without its joints, and the motion without impulses that it was made from; `None` where no joint ends on a mesh, or where it cannot be told so.
    pub(super) fn eliminate(
        &mut self,
        problem: &ContactProblem,
        first: usize,
        stage: &Stage<'_>,
    ) -> Option<(ContactProblem, Motion)> {
        if stage.seats.is_empty() || problem.cell.is_some() {
            return None;
        }
        let held = |i: usize| self.bodies.binary_search(&i).is_ok();
        let soft = |compliance: usize| stage.seats.iter().any(|seat| seat.compliance == compliance);
        let reached = |c: &&mpcd_friction::problem::Contact| held(c.candidate) || held(c.antagonist);
        if problem.contacts[..first].iter().filter(reached).count() > MOST {
            return None;
        }
        // The motion by the impulses of the joints alone, from which rows begin.
        let mut alone = problem.clone();
        let starts: Vec<(Vec3, Vec3)> = alone.contacts[..first].iter().map(|c| (c.impulse, c.angular_impulse)).collect();
        for contact in &mut alone.contacts[..first] {
            (contact.impulse, contact.angular_impulse) = (Vec3::zeros(), Vec3::zeros());
        }
        let free = problem.motion();
        alone.rebuild(&free.bodies, held);
        alone.rebuild_compliances(&free.compliances);
        let rigid = |i: usize| held(i) && !stage.bodies[i].deformable;
        let together = self.eliminated.eliminate(&alone, first, rigid, soft)?;
        let Compliance { contacts, .. } = &together;
        if contacts.is_empty() {
            return None;
        }
        alone.contacts.truncate(first);
        for (contact, (impulse, moment)) in alone.contacts.iter_mut().zip(starts) {
            (contact.impulse, contact.angular_impulse) = (impulse, moment);
        }
        for &i in &self.bodies {
            alone.bodies[i] = Body::fixed();
        }
        let others = problem.compliances.iter().enumerate().filter(|(k, _)| !soft(*k)).map(|(_, c)| c);
        alone.compliances = others.cloned().chain([together]).collect();
        Some((alone, free))
    }

    /// Takes the impulses of the contacts, and the motion of the bodies that no joint holds, from the solved problem without joints, and closes the
    /// joints with them.
    pub(super) fn take_without(&mut self, problem: &mut ContactProblem, without: ContactProblem, free: &Motion) {
        for (contact, found) in problem.contacts.iter_mut().zip(without.contacts) {
            *contact = found;
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
        self.bilateral.settle(problem);
        self.take_impulses(problem);
    }
}
