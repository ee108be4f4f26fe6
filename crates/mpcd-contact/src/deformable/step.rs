//! A step of the deformable bodies, open in the middle for contact.

use std::time::Instant;

use mpcd_core::{BodyId, Kinematics, Step, Vec3};
use mpcd_fem::{Body, NodalForces, State};
use mpcd_friction::problem::ContactProblem;
use mpcd_geometry::{BodySkin, Detector, GeometryError, SkinTouch, SurfacePoint, Touch};

use super::{
    Barred, Bonded, Deformables, Member, Sides, fault_of,
    marks::{Answers, Mark, Tie},
    ring,
    strain::{strained, turned},
    swelling::FreeStrain,
    took::Took,
};
use crate::{
    error::ContactError,
    motion::{BodyConstants, Forces},
};

/// Part of a normal along an axis from which on that axis moves along it.
const HELD_ALONG: f64 = 1e-6;
/// Part of a point that a node has from which on it moves with the node: with less it lies at another one.
const BESIDE: f64 = 1e-3;
/// Part of the size of a mesh, and of a speed, below which an overlap and an approach are rounding.
const ROUNDING: f64 = 1e-6;

/// What holds between two bodies.
type Between<'a, T> = &'a dyn Fn(BodyId, BodyId) -> T;

/// What the law of a contact does by itself where no impulse moves its sides along the normal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holding {
    Nothing,
    /// A bond: it pulls by its opening; what presses it cannot be computed.
    Bond,
    /// A spring: its force is known by the gap.
    Spring,
}

impl Deformables {
    /// Starts a step, and puts the skins where contact is looked for: u⁻ + h(1 − θ)V⁻.
    ///
    /// # Errors
    /// What finite elements say of the step.
    pub(crate) fn begin(
        &mut self,
        step: &Step,
        states: &[State],
        forces: &Forces,
        swelling: FreeStrain<'_>,
    ) -> Result<(), ContactError> {
        self.steps.clear();
        self.iterations = 0;
        let started = Instant::now();
        self.took = Took::default();
        if let Some(fault) = self.params.refuses(step.theta).filter(|_| !self.is_empty()) {
            return Err(fault);
        }
        let (mut node, mut element) = (0, 0);
        for (k, state) in states.iter().enumerate() {
            let mesh = self.members[k].model.mesh();
            let own = swelling.of_rows(node..node + mesh.nodes().len(), element..element + mesh.elements());
            node += mesh.nodes().len();
            element += mesh.elements();
            let body = self.members[k].body.index();
            let given = (forces.applied[body] + forces.fluid[body]) / self.members[k].model.mass();
            let begun = self.begin_one(k, step, state, (self.gravity + given, own)).map_err(|e| self.fault(k, e))?;
            self.steps.push(begun);
        }
        self.took.add_assembly(started.elapsed());
        Ok(())
    }

    /// `acceleration` is that of gravity and of forces that other modules give to the whole body, `free` the free strain that they give to it.
    fn begin_one(
        &mut self,
        k: usize,
        step: &Step,
        state: &State,
        (acceleration, free): (Vec3, FreeStrain<'_>),
    ) -> Result<mpcd_fem::Step, mpcd_fem::FemError> {
        let (scheme, newton) = (self.params.scheme(step.theta), self.newton);
        if self.members[k].dynamics.as_ref().is_none_or(|body| body.scheme() != scheme) {
            let own = self.marks.iter().zip(&mut self.answers).filter(|(mark, _)| mark.member == k);
            own.for_each(|(_, answers)| *answers = Answers::default());
        }
        let Member { model, dynamics, loads, skin, columns, several, .. } = &mut self.members[k];
        let body = match dynamics {
            Some(body) if body.scheme() == scheme => body,
            other => {
                columns.forget();
                other.insert(Body::new(model.clone(), scheme)?.with_newton(newton).with_symmetric_tangent())
            }
        };
        let (start, mut end) = (loads.at(model, acceleration, step.time)?, loads.at(model, acceleration, step.end())?);
        if let Some(free) = free.of(model, *several) {
            end = end.with_free_strain(model, free)?;
        }
        let started = body.begin(state, step.h, &start, &end)?;
        let (d, lead) = (model.dimension(), step.h * (1.0 - scheme.theta()));
        let rest = model.mesh().nodes();
        let moved = |node: usize, i: usize| state.displacement[node * d + i] + lead * state.velocity[node * d + i];
        skin.place(|node| rest[node] + Vec3::from_fn(|i, _| if i < d { moved(node, i) } else { 0.0 }));
        let way = |node: usize, i: usize| step.h * state.velocity[node * d + i];
        skin.go(|node| Vec3::from_fn(|i, _| if i < d { way(node, i) } else { 0.0 }));
        Ok(started)
    }

    /// The gap (m) up to which contacts are looked for: what is foreseen of rigid bodies, and twice the way of the fastest node.
    pub(crate) fn alert(&self, rigid: f64, states: &[State], h: f64) -> f64 {
        rigid + 2.0 * h * self.fastest(states)
    }

    /// Twice the way (m) of the fastest node in the step as it is solved.
    pub(crate) fn way(&self, h: f64) -> f64 {
        let of = |(member, step): (&Member, &mpcd_fem::Step)| {
            let d = member.model.dimension();
            step.velocity().chunks_exact(d).map(|v| v.iter().map(|c| c * c).sum::<f64>()).fold(0.0, f64::max)
        };
        2.0 * h * self.members.iter().zip(&self.steps).map(of).fold(0.0, f64::max).sqrt()
    }

    /// Velocity (n, t, s) at which the sides of a contact part in the step as it is solved (m/s), `nodes` being the bodies of the problem.
    pub(crate) fn approach(&self, sides: &Sides, nodes: &[mpcd_friction::problem::Body], touch: &Touch) -> Vec3 {
        let rigid = |body: BodyId, arm: &Vec3, sign: f64| match &nodes[body.index()] {
            _ if sides.is_deformable(body) => Vec3::zeros(),
            node => (node.velocity + node.angular_velocity.cross(arm)) * sign,
        };
        let rigid =
            rigid(touch.key.candidate, &touch.arm_candidate, 1.0) + rigid(touch.key.antagonist, &touch.arm_antagonist, -1.0);
        let deformed = sides.of(touch).map(|side| sides.velocity(self.steps[side.member].velocity(), &side, &touch.frame));
        touch.frame.to_local(&rigid) + deformed.sum::<Vec3>()
    }

    /// Whether an impulse along the normal of a contact can move one of its sides: nodes that are held or driven there, or that joints hold to what
    /// nothing moves, on a body that is so too, are carried by their supports.
    fn gives_way(&self, sides: &Sides, bodies: &[BodyConstants], found: &SkinTouch) -> bool {
        let n = &found.touch.frame.n;
        self.gives_way_along(|k| n[k].abs() > HELD_ALONG, Some(n), (sides, bodies, found))
    }

    /// The same along some of the axes, and for what turns along `n`; in any way it can turn where there is none.
    fn gives_way_along(
        &self,
        along: impl Fn(usize) -> bool,
        n: Option<&Vec3>,
        (sides, bodies, found): (&Sides, &[BodyConstants], &SkinTouch),
    ) -> bool {
        let touch = &found.touch;
        let side = |body: BodyId, point: Option<&SurfacePoint>, arm: &Vec3| match point {
            None => {
                let body = &bodies[body.index()];
                let turns = n.map_or(body.free_spin, |n| arm.cross(n).component_mul(&body.free_spin));
                (0..sides.dimension).any(|k| along(k) && body.free[k] > 0.0) || turns != Vec3::zeros()
            }
            Some(point) => {
                let member = sides.member[body.index()] as usize;
                let (step, d) = (&self.steps[member], sides.dimension);
                let is_pinned = |node: usize| self.pinned.binary_search(&(member, node)).is_ok();
                let is_free = |node: usize| !is_pinned(node) && (0..d).any(|k| along(k) && !step.is_held(node * d + k));
                point.parts().any(|(node, w)| w.abs() > BESIDE && is_free(node))
            }
        };
        side(touch.key.candidate, found.candidate.as_ref(), &touch.arm_candidate)
            || side(touch.key.antagonist, found.antagonist.as_ref(), &touch.arm_antagonist)
    }

    /// Whether two sides that nothing can move overlap, and are driven on into each other.
    fn runs_into(&self, sides: &Sides, now: &Kinematics, found: &SkinTouch) -> bool {
        let touch = &found.touch;
        let side = |body: BodyId, point: Option<&SurfacePoint>, arm: &Vec3| match point {
            None => now.velocity[body.index()] + now.angular_velocity[body.index()].cross(arm),
            Some(point) => {
                let (all, d) = (self.steps[sides.member[body.index()] as usize].velocity(), sides.dimension);
                point.mean(|node| Vec3::from_fn(|k, _| if k < d { all[node * d + k] } else { 0.0 }))
            }
        };
        let [c, a] = [
            side(touch.key.candidate, found.candidate.as_ref(), &touch.arm_candidate),
            side(touch.key.antagonist, found.antagonist.as_ref(), &touch.arm_antagonist),
        ];
        let least = self.members.iter().map(Member::size).fold(f64::INFINITY, f64::min);
        touch.gap < -ROUNDING * least && touch.frame.n.dot(&(c - a)) < -ROUNDING * (c.norm() + a.norm())
    }

    /// Finds the contacts of the skins, with the bonds of `last` that hold, and adds them to `touches`, sorted by key. `moving` has the velocities at the start
    /// of the step, and its length (s). Between two bodies of which the law `holds` by itself, contacts stay that can only go across their normal.
    ///
    /// # Errors
    /// As [`Detector::detect`].
    pub(crate) fn detect(
        &mut self,
        detector: &mut Detector,
        (now, moving, alert): (&Kinematics, (&Kinematics, f64), f64),
        (wanted, holds): (Between<'_, bool>, Between<'_, Holding>),
        (bodies, last): (&[BodyConstants], Bonded<'_>),
        sides: &mut Sides,
        touches: &mut Vec<Touch>,
    ) -> Result<(), GeometryError> {
        let skins: Vec<BodySkin<'_>> =
            self.members.iter().map(|m| BodySkin { body: m.body, skin: &m.skin, centre: now.position[m.body.index()] }).collect();
        detector.detect_skins((now, moving), &skins, alert, wanted, (touches, &mut sides.found))?;
        let mut found = std::mem::take(&mut sides.found);
        let lead =
            self.members.iter().find_map(|m| m.dynamics.as_ref()).map_or(0.0, |body| moving.1 * (1.0 - body.scheme().theta()));
        self.carry_bonds((last, lead), (now, sides), &mut found);
        self.barred = None;
        let mut held: Vec<[BodyId; 2]> = Vec::new();
        let mut carried = std::mem::take(&mut sides.carried);
        carried.clear();
        let pair = |t: &SkinTouch| [t.touch.key.candidate, t.touch.key.antagonist];
        found.retain(|t| {
            let gives = self.gives_way(sides, bodies, t);
            if gives {
                return true;
            }
            let holding = holds(t.touch.key.candidate, t.touch.key.antagonist);
            let stays = holding != Holding::Nothing && self.gives_way_along(|_| true, None, (sides, bodies, t));
            if !stays && t.touch.gap <= t.touch.tolerance() && held.last() != Some(&pair(t)) {
                held.push(pair(t));
            }
            let bears = stays && holding == Holding::Spring;
            if !bears && self.runs_into(sides, now, t) && self.barred.is_none_or(|b| t.touch.gap < b.gap) {
                self.barred = Some(Barred { bodies: pair(t), gap: t.touch.gap });
            }
            if stays {
                carried.push(t.touch.key);
            }
            stays
        });
        held.retain(|held| held[0] != held[1] && !found.iter().any(|t| pair(t) == *held));
        self.untouched = held;
        carried.sort_unstable();
        (sides.found, sides.carried) = (found, carried);
        touches.extend(sides.found.iter().map(|t| t.touch));
        touches.sort_unstable_by_key(|t| t.key);
        Ok(())
    }

    /// Linearises all bodies where they are.
    ///
    /// # Errors
    /// What finite elements say of it.
    pub(crate) fn linearise(&mut self) -> Result<(), ContactError> {
        for k in 0..self.members.len() {
            let Some(body) = self.members[k].dynamics.as_mut() else { continue };
            body.linearise(&mut self.steps[k]).map_err(|e| self.fault(k, e))?;
        }
        self.iterations += 1;
        Ok(())
    }

    /// Takes the impulses of a solved problem, whose contacts are these of the pairs, then ties; whether all bodies have converged.
    ///
    /// # Errors
    /// What finite elements say of it.
    pub(crate) fn correct(
        &mut self,
        problem: &ContactProblem,
        (active, touches): (&[usize], &[Touch]),
        (sides, ties): (&Sides, &[Tie]),
    ) -> Result<bool, ContactError> {
        let mut impulses = self.impulses_of(problem, ties);
        let d = sides.dimension;
        for (&place, contact) in active.iter().zip(&problem.contacts) {
            let touch = &touches[place];
            for side in sides.of(touch) {
                let impulse = touch.frame.to_world(&contact.impulse) * side.sign;
                for (node, weight) in side.point.parts() {
                    (0..d).for_each(|i| impulses[side.member][node * d + i] += weight * impulse[i]);
                }
            }
        }
        let mut converged = true;
        for (k, impulse) in impulses.iter().enumerate() {
            let Some(body) = self.members[k].dynamics.as_mut() else { continue };
            converged &= body.correct(&mut self.steps[k], impulse).map_err(|e| self.fault(k, e))?;
        }
        Ok(converged)
    }

    /// Impulses of ties at all unknowns of each body.
    fn impulses_of(&self, problem: &ContactProblem, ties: &[Tie]) -> Vec<Vec<f64>> {
        let mut impulses: Vec<Vec<f64>> = self.members.iter().map(|m| vec![0.0; m.model.unknowns()]).collect();
        for tie in ties {
            for (mark, sign) in tie.marks() {
                let Mark { member, point } = &self.marks[mark];
                let (impulse, d) =
                    (problem.contacts[tie.contact].world_impulse() * sign, self.members[*member].model.dimension());
                for (node, weight) in point.parts() {
                    (0..d).for_each(|i| impulses[*member][node * d + i] += weight * impulse[i]);
                }
            }
        }
        impulses
    }

    /// Changes the velocities of these states by the impulses of ties at the end of the step, and the mean velocities in `now`.
    ///
    /// # Errors
    /// What finite elements say of it.
    pub(crate) fn kick(
        &mut self,
        problem: &ContactProblem,
        ties: &[Tie],
        states: &mut [State],
        now: &mut Kinematics,
    ) -> Result<(), ContactError> {
        let impulses = self.impulses_of(problem, ties);
        for (k, (state, impulse)) in
            states.iter_mut().zip(&impulses).enumerate().filter(|(_, (_, r))| r.iter().any(|x| *x != 0.0))
        {
            let Member { dynamics: Some(body), held, model, label, body: own, .. } = &mut self.members[k] else { continue };
            let (kick, mean) = body
                .kicked(held, impulse)
                .and_then(|change| body.kick(state, held, impulse, &change))
                .and_then(|kick| Ok((kick, body.mean_velocity(state)?)))
                .map_err(|e| fault_of(label, e))?;
            now.velocity[own.index()] = mean.component_mul(&ring::mask(model.space()));
            let balance = &mut self.balances[k];
            balance.kinetic += kick.kinetic;
            balance.held += kick.held;
            balance.reactions += kick.reactions;
        }
        Ok(())
    }

    /// Ends the step: the new states, the forces at the nodes, and the mean velocity of each body in `now`.
    ///
    /// # Errors
    /// What finite elements say of it.
    pub(crate) fn finish(
        &mut self,
        (after, forces): (&mut Vec<State>, &mut Vec<NodalForces>),
        now: &mut Kinematics,
    ) -> Result<(), ContactError> {
        let started = Instant::now();
        after.clear();
        forces.clear();
        self.balances.clear();
        for (k, step) in std::mem::take(&mut self.steps).into_iter().enumerate() {
            let Some(body) = self.members[k].dynamics.as_ref() else { continue };
            let marked = self.marks.iter().any(|mark| mark.member == k);
            let held = if marked { step.held().to_vec() } else { Vec::new() };
            let (state, balance, at_nodes) = body.finish_with_forces(step).map_err(|e| self.fault(k, e))?;
            let mean = body.mean_velocity(&state).map_err(|e| self.fault(k, e))?;
            let model = &self.members[k].model;
            now.velocity[self.members[k].body.index()] = mean.component_mul(&ring::mask(model.space()));
            let Member { model, small, .. } = &self.members[k];
            let (turn, strain) = (turned(model, &state), if *small { strained(model, &state) } else { 0.0 });
            (self.members[k].turned, self.members[k].strained) = (turn, strain);
            self.members[k].held = held;
            after.push(state);
            forces.push(at_nodes);
            self.balances.push(balance);
        }
        self.took.add_assembly(started.elapsed());
        let Self { members, took, .. } = self;
        members.iter_mut().filter_map(|m| m.dynamics.as_mut()).for_each(|body| took.add(body.take_times()));
        Ok(())
    }
}
