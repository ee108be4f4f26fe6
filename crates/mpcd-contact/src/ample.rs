//! How much of what rigid bonds can bear is put into a solve. The solve sees the shifted impulse r + s of a bond, s what it can bear: a strength far beyond what any force of
//! the step comes to (10¹² Pa, meant as unbreakable) would leave the digits of s and none of r. So where s is that large it is bounded by some parts of what is known to move there; where a solve comes
//! near to that, the bound is widened and the step solved again, until it is not come near to or the strength itself is reached. Whether a bond breaks is asked of its patch after the solve, by the strength of the model.

use mpcd_friction::problem::{Contact, ContactProblem, Response};

use crate::{
    assemble::{Assembly, Staged, mass},
    law::LawTable,
};

/// By how much what a bond may bear is beyond what moves the lighter of its two bodies where it is bounded: that body feels the rounding of it.
const BEYOND: f64 = 2e7;

/// How much more a bounded bond may bear than what moves its two bodies, and than what moves all.
const OWN: f64 = 1e3;
const ALL: f64 = 1.0;

/// By how much more where that was not enough, and how often.
const WIDER: f64 = 1e3;
const TIMES: i32 = 100;

/// What of the bound an impulse may come to.
const NEAR: f64 = 0.5;

/// Bounds what rigid bonds may bear in the solve; their laws have just been put into the problem.
pub(crate) fn bound(assembly: &mut Assembly, laws: &LawTable) {
    let Assembly { problem, remembering, staged, ample, .. } = assembly;
    ample.bound.clear();
    let rigid = |s: &Staged| laws.law(s.law).stages().is_some_and(|law| law.is_rigid(&remembering[s.remembering].1));
    let wider = WIDER.powi(ample.wider);
    let mut all = None;
    for s in staged.iter().filter(|s| rigid(s)) {
        let contact = &problem.contacts[s.contact];
        // nodes of meshes are no bodies
        let Some([least, own]) = own(problem, contact) else { continue };
        let most = (OWN * own + ALL * *all.get_or_insert_with(|| whole(problem) + ample.asked)) * wider;
        let shift = contact.impulse_shift.x;
        // where nothing moves no impulse is anything but zero
        if shift > most.max(BEYOND * least) && most > 0.0 {
            problem.contacts[s.contact].impulse_shift.x = most;
            ample.bound.push(s.contact);
        }
    }
}

/// Whether a bound has been come to; it is wider from now on.
pub(crate) fn widen(assembly: &mut Assembly) -> bool {
    let Assembly { problem, ample, .. } = assembly;
    let reached = ample.wider < TIMES && ample.bound.iter().any(|&k| comes_near(&problem.contacts[k]));
    ample.wider += i32::from(reached);
    reached
}

fn comes_near(contact: &Contact) -> bool {
    let Response::Cone(cone) = contact.response else { return false };
    let (r, most) = (contact.impulse, contact.impulse_shift.x);
    r.x < -NEAR * most || r.y.hypot(r.z) > NEAR * cone.friction() * (r.x + most)
}

/// What moves the lighter and what moves both bodies of a contact [N s]: their masses with the velocities of either and what the contact is asked for, and what it bore before; `None` where neither has a mass.
fn own(problem: &ContactProblem, contact: &Contact) -> Option<[f64; 2]> {
    let [a, b] = contact.sides().map(|side| (&problem.bodies[side.body], side.lever));
    let speed = [a, b].map(|(body, lever)| body.velocity.norm() + body.angular_velocity.norm() * lever.norm());
    let mass = [a, b].map(|(body, _)| mass(&body.inverse_mass));
    let fastest = speed[0].max(speed[1]) + contact.velocity_shift.norm();
    let least = mass.into_iter().filter(|m| *m > 0.0).fold(f64::INFINITY, f64::min);
    least.is_finite().then(|| [least * fastest, (mass[0] + mass[1]) * fastest + contact.impulse.norm()])
}

/// The same of the whole problem; what is driven may move all the others.
fn whole(problem: &ContactProblem) -> f64 {
    let (mut masses, mut moving, mut driven) = (0.0, 0.0, 0.0_f64);
    for body in &problem.bodies {
        let (mass, speed) = (mass(&body.inverse_mass), body.velocity.norm());
        masses += mass;
        moving += mass * speed;
        driven = driven.max(if mass > 0.0 { 0.0 } else { speed });
    }
    moving + masses * driven + problem.contacts.iter().map(|c| c.impulse.norm()).sum::<f64>()
}
