//! Contacts held while joints are solved: where sweeps crawl, what pushes, sticks and slides is known long before how much. The rounds that they are held in, and
//! when a step is accepted, are those of `settle`.

use mpcd_core::Vec3;
use mpcd_friction::{
    Cone,
    problem::{ContactProblem, Motion, Response},
};

use super::{Joints, Stage, settle::Settled};

/// Share of all contact impulses by which those that are held may leave their cones and still be where to go on from.
const NEAR: f64 = 0.1;
/// Share of friction from which a contact that is not taken to stick is taken to slide: its friction stays at the limit, whatever pushes it.
const SLIDES: f64 = 0.9;
/// Most times that friction follows what pushes in one solution.
const FOLLOWS: usize = 12;

/// A contact that is held.
struct Held {
    contact: usize,
    /// Its law.
    cone: Cone,
    sticks: bool,
    slides: bool,
}

impl Joints {
    /// Solves the joints with the contacts that push held as they are, and says whether their impulses are in their cones then, to the share `part` of all.
    /// Those at more than the share `sure` of their friction keep it. Those that are far outside slide, as what is held between a drive and the ground
    /// would be held against both, by no finite impulse; where that does not do either, all is as it was and the joints alone are solved.
    pub(super) fn settle_holding(
        &mut self,
        problem: &mut ContactProblem,
        (first, sure, part): (usize, f64, f64),
        free: &mut Motion,
        stage: &Stage<'_>,
    ) -> (Settled, bool) {
        let size =
            |problem: &ContactProblem| problem.contacts[..first].iter().map(|c| c.impulse.norm_squared()).sum::<f64>().sqrt();
        let mut impulses: Vec<Vec3> = problem.contacts[..first].iter().map(|c| c.impulse).collect();
        let (bodies, grips, before) = (problem.bodies.clone(), self.held.clone(), size(problem));
        for sure in [sure, 0.0] {
            let held = self.hold_contacts(problem, first, sure);
            let mut settled = self.settle(problem, free, stage);
            for _ in 0..FOLLOWS {
                if follow(problem, &held) <= part * before || outside(problem, &held) > NEAR * before {
                    break;
                }
                settled = self.settle(problem, free, stage);
            }
            let off = outside(problem, &held);
            for Held { contact: k, cone, .. } in held {
                let contact = &mut problem.contacts[k];
                contact.response = Response::Cone(cone);
                if outside_of(cone, &(contact.impulse + contact.impulse_shift)) > NEAR * before {
                    slide(&mut impulses[k], cone.friction(), &contact.impulse);
                }
            }
            if off <= NEAR * before {
                return (settled, off <= part * size(problem));
            }
            problem.contacts.iter_mut().zip(&impulses).for_each(|(contact, impulse)| contact.impulse = *impulse);
            problem.bodies.clone_from(&bodies);
            self.held.clone_from(&grips);
        }
        (self.settle(problem, free, stage), true)
    }

    /// Makes rows that hold of the contacts of bodies of joints that push.
    fn hold_contacts(&self, problem: &mut ContactProblem, first: usize, sure: f64) -> Vec<Held> {
        let mut kept = Vec::new();
        for (k, contact) in problem.contacts[..first].iter_mut().enumerate() {
            let reached = [contact.candidate, contact.antagonist].iter().any(|i| self.bodies.binary_search(i).is_ok());
            let Response::Cone(cone) = contact.response else { continue };
            let r = contact.impulse + contact.impulse_shift;
            if !reached || r.x <= 0.0 || !matches!(cone, Cone::Coulomb { .. } | Cone::Frictionless) {
                continue;
            }
            let (across, bound) = (r.y.hypot(r.z), cone.friction() * r.x);
            let sticks = across < bound * sure;
            kept.push(Held { contact: k, cone, sticks, slides: !sticks && across >= SLIDES * bound });
            contact.response = Response::Cone(if sticks { Cone::Bilateral } else { Cone::BilateralNormal });
        }
        kept
    }
}

/// Friction of what slides goes to the limit that what pushes now sets, and no other beyond it; the largest change [N s].
fn follow(problem: &mut ContactProblem, held: &[Held]) -> f64 {
    let mut change: f64 = 0.0;
    for Held { contact, cone, slides, .. } in held.iter().filter(|h| !h.sticks) {
        let contact = &mut problem.contacts[*contact];
        let r = contact.impulse + contact.impulse_shift;
        let (across, bound) = (r.y.hypot(r.z), cone.friction() * r.x.max(0.0));
        if across > 0.0 && (*slides || across > bound) {
            change = change.max((bound - across).abs());
            let scale = bound / across;
            (contact.impulse.y, contact.impulse.z) =
                (scale * r.y - contact.impulse_shift.y, scale * r.z - contact.impulse_shift.z);
        }
    }
    change
}

/// How far the impulses of what is held are from their cones at most [N s].
fn outside(problem: &ContactProblem, held: &[Held]) -> f64 {
    let of = |h: &Held| {
        let contact = &problem.contacts[h.contact];
        outside_of(h.cone, &(contact.impulse + contact.impulse_shift))
    };
    held.iter().map(of).fold(0.0, f64::max)
}

fn outside_of(cone: Cone, r: &Vec3) -> f64 {
    (r - Vec3::from(cone.project::<3>(&(*r).into()))).norm()
}

/// Friction at its limit, the way of another impulse.
fn slide(impulse: &mut Vec3, friction: f64, way: &Vec3) {
    let across = way.y.hypot(way.z);
    if across > 0.0 {
        let scale = friction * impulse.x / across;
        (impulse.y, impulse.z) = (scale * way.y, scale * way.z);
    }
}
