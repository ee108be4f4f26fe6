//! What a solution of joints with contacts is judged by: laws kept, impulses that did not grow without end, conditions that nothing can keep. What may not live here: solutions.

use mpcd_core::{Kinematics, Vec3};
use mpcd_friction::{
    Bilateral, Cone,
    problem::{Body, Contact, ContactProblem, Response},
};

use super::{Joint, Joints, Stage};

/// What joints may lack over the speeds of their bodies where no more can be had.
pub(super) const ENOUGH: f64 = 1e-7;

/// Part of the sizes and places of the bodies that what is prescribed of them may miss a joint's condition by.
pub(super) const MISSED: f64 = 1e-9;

/// Whether the first contacts of a problem keep their laws, velocities to `least` [m/s] and impulses to the share
/// `part` of all together, as the solvers' error. What is no cone of
/// Coulomb's, and what turns under a law, is not judged here: false.
pub(super) fn obeys(problem: &ContactProblem, first: usize, least: f64, part: f64) -> bool {
    let most = part * problem.contacts[..first].iter().map(|c| c.impulse.norm_squared()).sum::<f64>().sqrt();
    problem.contacts[..first].iter().enumerate().all(|(k, contact)| {
        let friction = match contact.response {
            Response::Cone(Cone::Coulomb { friction }) => friction,
            Response::Cone(Cone::Frictionless) => 0.0,
            _ => return false,
        };
        if contact.angular().is_some() {
            return false;
        }
        let r = contact.impulse + contact.impulse_shift;
        let mut u =
            problem.relative_velocity(k).unwrap_or_default() + contact.velocity_shift + contact.compliance.component_mul(&r);
        let mut across = Vec3::new(0.0, r.y, r.z);
        if problem.dimension == mpcd_friction::problem::ContactDimension::Two {
            (u.z, across.z) = (0.0, 0.0);
        }
        let (slides, bound) = (u.y.hypot(u.z), friction * r.x);
        let pulled = across.norm();
        let normal = r.x >= -most && u.x >= -least && (r.x == 0.0 || u.x <= least);
        let within = pulled <= bound + most;
        let against = slides <= least || across.dot(&u) <= (most - bound) * slides;
        normal && within && (friction == 0.0 || against)
    })
}

/// Largest velocity that the impulse of one of these contacts alone would give one of its rigid bodies [m/s].
pub(super) fn given_by(problem: &ContactProblem, contacts: &[Contact]) -> f64 {
    let lightest = |k: usize| problem.bodies[k].inverse_mass.max();
    let turned = |k: usize, moment: f64| {
        let node = &problem.bodies[k];
        node.inverse_inertia.matrix().diagonal().max() * moment * node.gyration()
    };
    let of = |rows: &Contact| {
        let moment = rows.moment().norm();
        let pushed = rows.impulse.norm() * lightest(rows.candidate).max(lightest(rows.antagonist));
        pushed.max(turned(rows.candidate, moment)).max(turned(rows.antagonist, moment))
    };
    contacts.iter().map(of).fold(0.0, f64::max)
}

/// The fastest of bodies that nothing pushes, in the step or before it [m/s].
pub(super) fn fastest_of(free: &[Body], before: &Kinematics) -> f64 {
    let speed = |v: &Vec3, spin: &Vec3, body: &Body| v.norm().max(spin.norm() * body.gyration());
    let last = before.velocity.iter().zip(&before.angular_velocity).zip(free).map(|((v, w), body)| speed(v, w, body));
    free.iter().map(|body| speed(&body.velocity, &body.angular_velocity, body)).chain(last).fold(0.0, f64::max)
}

impl Joints {
    /// The joint of which what is prescribed of its bodies misses a condition, and by how much (m).
    pub(crate) fn unmoved(&self, problem: &ContactProblem, stage: &Stage<'_>) -> Option<(&Joint, f64)> {
        let first = problem.contacts.len().checked_sub(self.rows.len())?;
        let (contact, lacks, lever) = Bilateral::unmoved(problem)?;
        let row = contact.checked_sub(first)?;
        let size = |i: &usize| stage.now.position[*i].norm() + stage.before.position[*i].norm();
        let levers = problem.contacts[contact].candidate_lever.norm() + problem.contacts[contact].antagonist_lever.norm();
        let extent = self.bodies.iter().map(size).fold(lever + levers, f64::max);
        // A condition on places misses what all steps so far have rounded.
        let missed = lacks * stage.step.h * stage.step.theta;
        let is_missed = missed > MISSED * extent && lacks > ENOUGH * self.fastest(&problem.bodies);
        is_missed.then(|| (&self.all[self.rows[row]], missed))
    }
}
