//! From the solution of the discrete problem back to the contact network: velocities, impulses, heats, memory and wear. No assembly.

use mpcd_core::{BodyId, Contact, ContactGeometry, ContactNetwork, ContactStatus, Kinematics, Patches, Vec3};
use mpcd_friction::SolveInfo;
use mpcd_geometry::Touch;
use rayon::prelude::*;

use super::{Assembly, Solved};
use crate::{
    anchors::{self, Anchor},
    cell::{Cell, CellStep},
    central::twist_across,
    growth,
    law::{LawTable, Remembered, Shares, place_of},
    openings::{Ahead, Gaps},
    rows::{Works, finish, relative_velocity},
    state::{ContactState, Opening, Turning},
    together::{PIECE, is_shared},
};

/// Part of what a bond can bear below which a step is at rest: an impulse that is written from there is known to 2·10⁻¹⁶ of it, which is 10⁻¹⁰ of what moves.
const BEARS: f64 = 1e-5;

impl Assembly {
    /// How growth moved the surfaces of a contact in the mean of the step, as the motion is meant: with that of the step alone, a change of it would pass for
    /// heat of an impact.
    fn grown(&self, place: usize, touch: &Touch, (swelling, now): (&[f64], &Kinematics), ahead: bool) -> Vec3 {
        let grown = self.growth.of_sizes(place);
        if ahead {
            return grown;
        }
        let rate = |body: usize| swelling.get(body).copied().unwrap_or_default();
        let then = if swelling.is_empty() { Vec3::zeros() } else { growth::of_pair(touch, rate, now, &self.endless) };
        (grown + then) * 0.5
    }

    /// Impulses and moments of the solved problem, to start another one from.
    pub(crate) fn give_solved(&self, network: &ContactNetwork, contacts: &mut Vec<Contact>, turning: &mut Vec<Turning>) {
        contacts.clone_from(&network.contacts);
        turning.clear();
        for (solved, &index) in self.problem.contacts.iter().zip(&self.active) {
            contacts[index].r = solved.impulse;
            if solved.angular().is_some() {
                let contact = &contacts[index];
                turning.push(Turning { key: contact.key, moment: contact.frame.to_world(&solved.moment()) });
            }
        }
    }

    /// Writes velocities, impulses, statuses, heats and memory of the solved problem into `next`.
    pub(crate) fn take_solution(
        &mut self,
        before: &Kinematics,
        laws: &LawTable,
        next: &mut ContactState,
        ahead: Option<&Ahead<'_>>,
        cell: Option<(&Cell, &CellStep)>,
    ) {
        let ContactState {
            kinematics: now,
            network,
            memory,
            anchors,
            mesh_anchors,
            turning,
            worn,
            opening,
            deformables,
            swelling,
            ..
        } = next;
        let sides = std::mem::take(&mut self.sides);
        let meshes = (&sides, &deformables[..]);
        self.holding.clear();
        memory.clear();
        turning.clear();
        opening.clear();
        let mut gaps = ahead.map(Gaps::new);
        let gain = ahead.map_or(1.0, |ahead| ahead.gain);
        let (soft, soft_gain) = ahead.map_or((1.0, 1.0), |ahead| (ahead.soft, ahead.soft_gain));
        self.works = Works { lost: self.lost.iter().map(|(_, energy)| energy).sum(), ..Works::default() };
        let velocity = |touch: &Touch| relative_velocity(now, meshes, touch, cell.map(|(cell, step)| (cell, &step.after)));
        let is_shared = is_shared(network.contacts.len());
        // Nothing is remembered, nothing grows: no contact has to do with another, and the works stay what they are.
        let is_plain = self.remembering.is_empty() && ahead.is_none() && self.growth.is_empty() && swelling.is_empty();
        if is_shared {
            let (active, problem) = (&self.active, &self.problem.contacts);
            let one = |solved: &mut Solved<'_>, (index, (contact, touch)): (usize, (&mut Contact, &Touch))| {
                contact.u = velocity(touch);
                if is_plain {
                    if let Ok(solved) = solved.at(index) {
                        contact.r = problem[solved].impulse;
                    }
                    let mean = (contact.u + contact.u_before) * 0.5;
                    let friction = laws.law(contact.law).friction();
                    finish(contact, &mean, mean.x, friction, &Shares::default(), &mut Works::default());
                }
            };
            let contacts = network.contacts.par_iter_mut().zip(&self.touches).enumerate().with_min_len(PIECE);
            contacts.for_each_init(|| Solved::of(active), one);
        }
        let mut on_meshes: Vec<usize> = Vec::new();
        let mut remembering = self.remembering.iter().peekable();
        let mut solved = self.active.iter().zip(&self.problem.contacts).peekable();
        let left = if is_shared && is_plain { &mut [] } else { &mut network.contacts[..] };
        for (index, (contact, touch)) in left.iter_mut().zip(&self.touches).enumerate() {
            let growth = self.growth.at(index);
            let end = if is_shared { contact.u } else { velocity(touch) };
            contact.u = ahead.map_or(end, |a| twist_across(a.mean, touch));
            let mut bears = 0.0;
            let law = laws.law(contact.law);
            let (soft, gain) = if law.yields() { (soft, soft_gain) } else { (1.0, gain) };
            if let Some((_, solved)) = solved.next_if(|(k, _)| **k == index) {
                contact.r = solved.impulse / soft;
                bears = solved.impulse_shift.norm();
            }
            let mut shares = Shares::default();
            if let Some((_, input)) = remembering.next_if(|(k, _)| *k == index) {
                let (apart, mut kept) = (contact.u - growth, input.memory);
                if let Some(law) = law.memory() {
                    shares = law.accept(input, &apart, &contact.r, &mut kept);
                    memory
                        .push(Remembered::keep(contact.key, &contact.frame, place_of(touch, now), &kept).storing(shares.stored));
                    let anchored = law.tally(&kept).anchored;
                    if anchored && sides.has(touch) {
                        on_meshes.push(index);
                    } else if anchored {
                        let extent = extent_of(index, &self.touches, &self.patches);
                        let endless = self.endless.get(touch.key.antagonist.index()).copied().unwrap_or_default();
                        self.holding.extend(Anchor::new(touch, &input.led, extent, (now, !endless)));
                    }
                }
            }
            let grown = self.grown(index, touch, (swelling, now), ahead.is_some());
            self.works.growth += gain * contact.r.dot(&grown);
            let mean = (end + contact.u_before) * 0.5 - grown;
            let normal = gaps.as_mut().map_or(mean.x, |gaps| {
                let (last, now) = gaps.take(contact, growth.x);
                opening.push(Opening { key: contact.key, speed: now });
                0.5 * (last + now)
            });
            finish(contact, &(mean * gain), normal * gain, law.friction(), &shares, &mut self.works);
            let (c, a) = contact.bodies();
            let sprung = if shares.slid.is_some() { Vec3::new(0.0, contact.r.y, contact.r.z) } else { Vec3::zeros() };
            let pulled = ((shares.bond + shares.viscous + sprung).norm() + BEARS * bears) * gain;
            if pulled == 0.0 {
                continue;
            }
            let inverse_mass = |node: usize| self.problem.bodies.get(node).map_or(0.0, |n| n.inverse_mass.max());
            self.works.pulled += pulled;
            self.works.spared += 0.5 * pulled * pulled * (inverse_mass(c.index()) + inverse_mass(a.index()));
        }
        if laws.any(|law| law.wear().is_some()) {
            let mean = |place: usize| {
                let (contact, touch) = (&network.contacts[place], &self.touches[place]);
                (velocity(touch) + contact.u_before) * 0.5 - self.grown(place, touch, (swelling, now), ahead.is_some())
            };
            self.wear(network, laws, (mean, gain), worn);
        }
        if !(self.holding.is_empty() && anchors.is_empty()) {
            let last = std::mem::take(anchors);
            anchors::renew(&last, &self.holding, anchors);
        }
        if !(on_meshes.is_empty() && mesh_anchors.is_empty()) {
            let endless = |body: BodyId| self.endless.get(body.index()).copied().unwrap_or_default();
            *mesh_anchors = sides.keep_bonds(on_meshes.iter().map(|k| &self.touches[*k]), mesh_anchors, now, &endless);
        }
        let turning_ones = if self.turns { &self.problem.contacts[..] } else { &[] };
        for (solved, &index) in turning_ones.iter().zip(&self.active).filter(|(c, _)| c.angular().is_some()) {
            let contact = &mut network.contacts[index];
            let (c, a) = contact.bodies();
            let mean = |i: usize| (before.angular_velocity[i] + now.angular_velocity[i]) * 0.5;
            let moment = contact.frame.to_world(&solved.moment());
            contact.heat_friction -= gain * moment.dot(&(mean(c.index()) - mean(a.index())));
            turning.push(Turning { key: contact.key, moment });
        }
        for (&index, left) in self.active.iter().zip(&self.left_over) {
            if *left {
                network.contacts[index].status = ContactStatus::Open;
            }
        }
        self.sides = sides;
    }

    /// Looks for what the solver of the problem left at open contacts.
    pub(crate) fn look_for_left_over(&mut self, info: &SolveInfo) {
        self.left_over.clear();
        if !info.is_swept() {
            self.left_over = self.problem.left_over();
        }
    }
}

/// How far from a bond what detection finds is still its place (m): to the farthest point of its patch, or the edge of a patch of one point.
fn extent_of(place: usize, touches: &[Touch], patches: &Patches) -> f64 {
    let own = &touches[place];
    let across = patches.contacts(patches.patch_of(place)).map(|k| (touches[k].point - own.point).norm()).fold(0.0, f64::max);
    match own.geometry {
        ContactGeometry::Flat { area } if across == 0.0 => area.sqrt(),
        _ => across,
    }
}
