//! Bodies that turn to and fro by more from step to step under what pulls them outwards, counted at the end of each step. The pull acts at the places of the contact configuration, so what turns a body back is known a
//! step late. No law, no impulse; what follows is the watchdog `swing`'s.

use mpcd_core::{BodyId, Contact, Kinematics, Setup, Step, Vec3};
use mpcd_friction::problem::Body;

use crate::{
    rotation::world_inertia,
    state::{ContactState, Swing},
};

/// h² Σ f·a over the moment of inertia beyond which a body that nothing else holds swings ever farther: ω⁺ = ω − (h/J) Σ f·a φ, φ⁺ = φ + h ω⁺.
pub(crate) const UNSTABLE: f64 = 4.0;
/// Turn in a step below which nothing is counted (rad).
const NOTHING: f64 = 1e-4;

/// What is known of the step at its end.
pub(crate) struct Ended<'a> {
    pub(crate) setup: &'a Setup,
    pub(crate) step: &'a Step,
    pub(crate) prev: &'a ContactState,
    pub(crate) next: &'a ContactState,
    /// The bodies of the problem: how they answer impulses.
    pub(crate) nodes: &'a [Body],
}

/// Counts them; reused from step to step.
#[derive(Debug, Default)]
pub(crate) struct Counter {
    /// Bodies that turned back by more than they had turned, rising, and what pulls them.
    found: Vec<(usize, Pull)>,
}

impl Counter {
    /// The bodies that turned back by more than they had turned under what pulls them, by id, with how often they did so before.
    pub(crate) fn count(&mut self, ended: &Ended<'_>, out: &mut Vec<Swing>) {
        out.clear();
        let h = ended.step.h;
        let [before, after] = [ended.prev, ended.next].map(|state| &state.kinematics.angular_velocity);
        let grows = |i: &usize| {
            let (was, is) = (before[*i], after[*i]);
            was.dot(&is) < 0.0 && is.norm_squared() > was.norm_squared() && is.norm() * h > NOTHING
        };
        self.found.clear();
        self.found.extend((0..after.len()).filter(grows).map(|i| (i, Pull::default())));
        if self.found.is_empty() {
            return;
        }
        self.pull(ended);
        out.extend(self.found.iter().filter_map(|(i, pull)| {
            let stretch = h * h * pull.whole / pull.inertia(ended, *i, &after[*i]);
            let body = BodyId::from_index(*i);
            let times = ended.prev.swings.binary_search_by_key(&body, |s| s.body).map_or(0, |k| ended.prev.swings[k].times);
            (stretch > UNSTABLE).then_some(Swing { body, times: times + 1, stretch })
        }));
    }

    /// Adds up what pulls them.
    fn pull(&mut self, ended: &Ended<'_>) {
        let network = &ended.next.network;
        for contact in network.iter().filter(|c| c.r != Vec3::zeros()) {
            let (c, a) = contact.bodies();
            let [on_candidate, on_antagonist] =
                [c, a].map(|body| self.found.binary_search_by_key(&body.index(), |(i, _)| *i).ok());
            if on_candidate.is_none() && on_antagonist.is_none() {
                continue;
            }
            // A mesh that turns to and fro bends.
            let on_mesh = network.on_mesh(&contact.key).map_or([false; 2], |m| m.points.each_ref().map(Option::is_some));
            let force = contact.frame.to_world(&contact.r) / ended.step.h;
            let sides = [(on_candidate, (c, a), force), (on_antagonist, (a, c), -force)];
            for (place, pair, force) in sides.into_iter().zip(on_mesh).filter(|(_, mesh)| !mesh).map(|(side, _)| side) {
                if let Some(place) = place {
                    self.found[place].1.add(ended, contact, pair, &force);
                }
            }
        }
    }
}

/// What pulls a body outwards.
#[derive(Debug, Clone, Copy, Default)]
struct Pull {
    /// Σ f·a, a from the centre of the body to the contact (J).
    whole: f64,
    /// Σ f·a a (J m).
    arms: Vec3,
    /// Σ f·a times how a side of the contact answers that is not this body's (J/kg).
    recoil: f64,
}

impl Pull {
    fn add(&mut self, ended: &Ended<'_>, contact: &Contact, (body, other): (BodyId, BodyId), force: &Vec3) {
        let now = &ended.next.kinematics;
        let arm = arm(ended.setup, now, body, &contact.point);
        let part = force.dot(&arm);
        self.whole += part;
        self.arms += arm * part;
        let spin = now.angular_velocity[body.index()];
        let across = spin.cross(&arm).try_normalize(0.0).unwrap_or_default();
        self.recoil += part * answer(ended, other, &contact.point, &across);
    }

    /// The moment of inertia about an axis: of the body about its centre, and of what its centre moves with where it hangs on one side [kg m²].
    fn inertia(&self, ended: &Ended<'_>, i: usize, spin: &Vec3) -> f64 {
        let (bodies, now) = (&ended.setup.bodies, &ended.next.kinematics);
        let principal = bodies.inertia[i] * now.size[i].powi(2);
        let axis = spin.normalize();
        let own = axis.dot(&(world_inertia(&now.orientation[i], &principal) * axis));
        let (middle, recoil) = (self.arms / self.whole, self.recoil / self.whole);
        let way = axis.cross(&middle);
        let across = way.try_normalize(0.0).unwrap_or_default();
        let answers = ended.nodes[i].inverse_mass.dot(&across.component_mul(&across)) + recoil;
        own + if answers > 0.0 { way.norm_squared() / answers } else { 0.0 }
    }
}

/// How fast an impulse along a direction at a point of a body makes it there [1/kg].
fn answer(ended: &Ended<'_>, body: BodyId, point: &Vec3, along: &Vec3) -> f64 {
    let node = &ended.nodes[body.index()];
    let turn = arm(ended.setup, &ended.next.kinematics, body, point).cross(along);
    node.inverse_mass.dot(&along.component_mul(along)) + turn.dot(&(node.inverse_inertia.matrix() * turn))
}

/// From a body's centre to a contact point of it, the nearest image (m).
fn arm(setup: &Setup, now: &Kinematics, body: BodyId, point: &Vec3) -> Vec3 {
    let apart = point - now.position[body.index()];
    // the lengths of a cell that moves
    let period = |k: usize| now.cell.lengths[k].or(setup.periods[k]);
    Vec3::from_fn(|k, _| period(k).map_or(apart[k], |l| apart[k] - l * (apart[k] / l).round()))
}
