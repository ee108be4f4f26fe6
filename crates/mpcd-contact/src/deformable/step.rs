//! A step of the deformable bodies, open in the middle for contact.

use mpcd_core::{BodyId, Kinematics, Step, Vec3};
use mpcd_fem::{Body, State};
use mpcd_friction::rigid::RigidProblem;
use mpcd_geometry::{BodySkin, Detector, GeometryError, Touch};

use super::{Deformables, Member, Sides};
use crate::error::ContactError;

impl Deformables {
    /// Starts a step, and puts the skins where contact is looked for: u⁻ + h(1 − θ)V⁻.
    ///
    /// # Errors
    /// What finite elements say of the step.
    pub(crate) fn begin(&mut self, step: &Step, states: &[State]) -> Result<(), ContactError> {
        self.steps.clear();
        self.iterations = 0;
        for (k, state) in states.iter().enumerate() {
            let started = self.begin_one(k, step, state).map_err(|e| self.fault(k, e))?;
            self.steps.push(started);
        }
        Ok(())
    }

    fn begin_one(&mut self, k: usize, step: &Step, state: &State) -> Result<mpcd_fem::Step, mpcd_fem::FemError> {
        let scheme = self.params.scheme(step.theta);
        let gravity = self.gravity;
        let Member { model, dynamics, loads, skin, columns, .. } = &mut self.members[k];
        let body = match dynamics {
            Some(body) if body.scheme() == scheme => body,
            other => {
                columns.forget();
                other.insert(Body::new(model.clone(), scheme)?)
            }
        };
        let (start, end) = (loads.at(model, gravity, step.time)?, loads.at(model, gravity, step.end())?);
        let started = body.begin(state, step.h, &start, &end)?;
        let (d, lead) = (model.dimension(), step.h * (1.0 - scheme.theta()));
        let rest = model.mesh().nodes();
        let moved = |node: usize, i: usize| state.displacement[node * d + i] + lead * state.velocity[node * d + i];
        skin.place(|node| rest[node] + Vec3::from_fn(|i, _| if i < d { moved(node, i) } else { 0.0 }));
        Ok(started)
    }

    /// The gap (m) up to which contacts are looked for: what is foreseen of rigid bodies, and twice the way of the fastest node.
    pub(crate) fn alert(&self, rigid: f64, states: &[State], h: f64) -> f64 {
        rigid + 2.0 * h * self.fastest(states)
    }

    /// Finds the contacts of the skins, and adds them to `touches`, sorted by key.
    ///
    /// # Errors
    /// As [`Detector::detect`].
    pub(crate) fn detect(
        &self,
        detector: &mut Detector,
        (now, alert): (&Kinematics, f64),
        wanted: &dyn Fn(BodyId, BodyId) -> bool,
        sides: &mut Sides,
        touches: &mut Vec<Touch>,
    ) -> Result<(), GeometryError> {
        let skins: Vec<BodySkin<'_>> = self
            .members
            .iter()
            .map(|m| BodySkin { body: m.body, skin: &m.skin, centre: now.position[m.body.index()], thickness: m.thickness })
            .collect();
        detector.detect_skins(now, &skins, alert, wanted, &mut sides.found)?;
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

    /// Takes the impulses of a solved problem, whose contacts are these of the pairs; whether all bodies have converged.
    ///
    /// # Errors
    /// What finite elements say of it.
    pub(crate) fn correct(
        &mut self,
        problem: &RigidProblem,
        (active, touches): (&[usize], &[Touch]),
        sides: &Sides,
    ) -> Result<bool, ContactError> {
        let mut impulses: Vec<Vec<f64>> = self.members.iter().map(|m| vec![0.0; m.model.unknowns()]).collect();
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

    /// Ends the step: the new states, and the mean velocity of each body in `now`.
    ///
    /// # Errors
    /// What finite elements say of it.
    pub(crate) fn finish(&mut self, before: &[State], after: &mut Vec<State>, now: &mut Kinematics) -> Result<(), ContactError> {
        after.clear();
        self.balances.clear();
        for (k, step) in std::mem::take(&mut self.steps).into_iter().enumerate() {
            let Some(body) = self.members[k].dynamics.as_ref() else { continue };
            let (state, balance) = body.finish(step).map_err(|e| self.fault(k, e))?;
            let momentum = body.momenta(&state).map_err(|e| self.fault(k, e))?.0;
            now.velocity[self.members[k].body.index()] = momentum / self.members[k].model.mass();
            after.push(state);
            self.balances.push(balance);
        }
        self.sum_up(before, after)
    }
}
