//! Velocities at the end of the step that fit the joints there: the least change of them in the metric of the masses, after the positions are
//! found. It takes energy where velocities do not fit (a wire that was caught, a start that fits no joint) and can give none; in smooth motion
//! it is O(h²). What lives here: that change and its work. What may not: positions.

use mpcd_core::{BodyId, Kinematics, Vec3};
use mpcd_fem::State;
use mpcd_friction::{
    Cone,
    problem::{self, Angular, Body, ContactDimension, ContactProblem, Frame},
};

use super::{Grew, Joint, JointState, Joints, Kind, Stage, without::Without, work_of};
use crate::{
    deformable::{Deformables, Sides, Spot},
    error::ContactError,
    rotation::inverse_or_zero,
};

/// Velocities of all bodies at the end of the step, before joints changed them.
#[derive(Debug, Default)]
pub(crate) struct Landed {
    pub(crate) velocity: Vec<Vec3>,
    pub(crate) spin: Vec<Vec3>,
}

/// Joints at the end of a step, and what contacts may have to do with them.
pub(crate) struct AtEnd<'a> {
    /// Bodies and rows with the velocities made to fit the joints alone; bodies that no joint holds do not move there.
    pub(crate) fitted: &'a ContactProblem,
    /// All bodies as they are at the end of the step and the ground, with the velocities that the solution gave them.
    pub(crate) begun: Vec<Body>,
    joints: &'a mut Joints,
    active: &'a [usize],
}

impl AtEnd<'_> {
    /// A problem of contacts and, from `first` on, the rows of the joints, without these; `None` where they cannot be taken out.
    pub(crate) fn take_out(&mut self, problem: &ContactProblem, first: usize) -> Option<Without> {
        self.joints.take_out_rows(problem, first, self.active)
    }
}

impl Joints {
    /// Makes the velocities of `end` and of the nodes of meshes fit the joints. On a mesh it is the nodes' mass that answers: nothing moves
    /// meanwhile. `blows` is told what joints do to the bodies, and may have contacts follow: it gives what it made of that, and what is to be fitted then.
    ///
    /// # Errors
    /// What finite elements say of it, and what `blows` does.
    pub(crate) fn project<B>(
        &mut self,
        (stage, grew): (&Stage<'_>, Grew<'_>),
        (end, meshes): (&mut Kinematics, &mut [State]),
        (deformables, sides): (&mut Deformables, &Sides),
        states: &mut [JointState],
        blows: impl FnOnce(&mut AtEnd<'_>) -> Result<Option<(B, Vec<Body>)>, ContactError>,
    ) -> Result<Option<B>, ContactError> {
        if self.is_empty() {
            return Ok(None);
        }
        let spots = deformables.spots(meshes);
        self.landed.velocity.clone_from(&end.velocity);
        self.landed.spin.clone_from(&end.angular_velocity);
        let mut at_end = std::mem::take(&mut self.at_end);
        at_end.dimension = if self.all.iter().any(|j| j.planar) { ContactDimension::Two } else { ContactDimension::Three };
        // Without inertia a mesh takes any velocity at one instant, and asks for no impulse.
        let stays = |joint: &Joint| joint.is_on_mesh() && deformables.are_static();
        let mut active: Vec<usize> =
            (0..self.all.len()).filter(|&k| self.all[k].is_held(&states[k]) && !stays(&self.all[k])).collect();
        let step = stage.step;
        let rate = |(k, j): (usize, &Joint)| {
            let grip = states[k].grip;
            let of_rate = || j.guide(stage.before, end, self.held[k].last).map_or(1.0, |guide| guide.travel.of_rate);
            j.axis.is_held(grip).then(|| j.axis.rate(grip, of_rate(), step))
        };
        let mut rates: Vec<Option<f64>> = self.all.iter().enumerate().map(rate).collect();
        // contacts are told once of what joints do, and joints then do it again
        let (mut blows, mut struck): (Option<_>, Option<(B, Vec<Body>)>) = (Some(blows), None);
        let ties = loop {
            self.nodes_at_end((stage, end), struck.as_ref().map(|(_, bodies)| &bodies[..]), &mut at_end.bodies);
            at_end.contacts.clear();
            at_end
                .contacts
                .extend(active.iter().map(|&k| self.all[k].end_rows((end, &spots), at_end.bodies.len() - 1, rates[k])));
            let ties = self.ties_of(0, &active);
            deformables.condense_kicks(&mut at_end, meshes, (sides, &ties))?;
            self.bilateral_at_end.settle(&mut at_end, 0);
            // A wire may give back what it took, not push.
            let pushes = |rows: &problem::Contact, k: usize| {
                self.all[k].is_wire() && rows.frame.normal().dot(&(states[k].impulse + rows.world_impulse())) > 0.0
            };
            let mut changed = false;
            for (rows, &k) in at_end.contacts.iter().zip(&active) {
                let (joint, state) = (&self.all[k], &states[k]);
                let more = joint.along(&rows.frame, &rows.world_impulse(), &rows.world_moment());
                if rates[k].is_some() && !joint.axis.allows(state.grip, &self.held[k].parts, more, step) {
                    rates[k] = None;
                    changed = true;
                }
            }
            let before = active.len();
            let mut place = 0;
            active.retain(|&k| {
                place += 1;
                !pushes(&at_end.contacts[place - 1], k)
            });
            if active.len() == before && !changed {
                let Some(blows) = blows.take().filter(|_| at_end.compliances.is_empty()) else { break ties };
                let begun =
                    (0..end.len()).map(|i| self.body_at_end((stage, end), i)).chain(std::iter::once(Body::fixed())).collect();
                struck = blows(&mut AtEnd { fitted: &at_end, begun, joints: self, active: &active })?;
                if struck.is_none() {
                    break ties;
                }
            }
        };
        deformables.kick(&at_end, &ties, meshes, end)?;
        let kicked = deformables.spots(meshes);
        for (rows, &k) in at_end.contacts.iter().zip(&active) {
            let mean = |b: BodyId| {
                let (i, node) = (b.index(), &at_end.bodies[b.index()]);
                ((self.landed.velocity[i] + node.velocity) * 0.5, (self.landed.spin[i] + node.angular_velocity) * 0.5)
            };
            let of_mark = |mark: usize| (spots[mark].velocity + kicked[mark].velocity) * 0.5;
            let work = work_of(&self.all[k], rows, mean, of_mark);
            let moment = rows.world_moment();
            states[k].impulse += work.impulse;
            states[k].moment += moment;
            let along = rates[k].map_or(0.0, |_| self.all[k].along(&rows.frame, &work.impulse, &moment));
            states[k].along += along;
            let drive = along * rates[k].unwrap_or(0.0);
            let grown = self.all[k].grown(stage.before, grew) / step.h;
            let growth = self.all[k].work_of_growth(&work.impulse, &grown, step.theta);
            self.works.push(super::JointWork { joint: k, at_end: true, drive, growth, ..work });
        }
        if !grew.0.is_empty() {
            self.give_springs_their_way(&at_end.bodies, step.theta);
        }
        for (i, body) in struck.iter().flat_map(|(_, bodies)| bodies.iter().enumerate()) {
            if i < end.len() && !stage.bodies[i].deformable {
                (end.velocity[i], end.angular_velocity[i]) = (body.velocity, body.angular_velocity);
            }
        }
        for &i in self.bodies.iter().filter(|&&i| !stage.bodies[i].deformable) {
            end.velocity[i] = at_end.bodies[i].velocity;
            end.angular_velocity[i] = at_end.bodies[i].angular_velocity;
        }
        self.at_end = at_end;
        Ok(struck.map(|(blow, _)| blow))
    }

    /// Where bodies go back by what they grew, at a speed that `nodes` have lost again, springs are longer by θ of it and have their work by half: the rest of
    /// it is work of growth.
    fn give_springs_their_way(&mut self, nodes: &[Body], theta: f64) {
        let Self { works, all, landed, .. } = self;
        for work in works.iter_mut().filter(|work| matches!(all[work.joint].kind, Kind::Spring { .. })) {
            let marks = all[work.joint].marks;
            let lost = |side: usize, body: Option<BodyId>| {
                let i = body.filter(|_| marks[side].is_none())?.index();
                Some((landed.velocity[i] - nodes[i].velocity, landed.spin[i] - nodes[i].angular_velocity))
            };
            let [c, a] = [lost(0, Some(work.candidate)), lost(1, work.antagonist)].map(Option::unwrap_or_default);
            let moved = work.impulse.dot(&(c.0 - a.0)) + work.moments[0].dot(&c.1) + work.moments[1].dot(&a.1);
            work.growth += (theta - 0.5) * moved;
        }
    }

    /// The bodies as they are at the end of the step, and the ground, with the velocities that blows left them where there were any. Those that no joint holds take no part.
    fn nodes_at_end(&self, (stage, end): (&Stage<'_>, &Kinematics), struck: Option<&[Body]>, nodes: &mut Vec<Body>) {
        nodes.clear();
        nodes.resize(end.len() + 1, Body::fixed());
        for &i in self.bodies.iter().filter(|&&i| !stage.bodies[i].deformable) {
            nodes[i] = struck.map_or_else(|| self.body_at_end((stage, end), i), |bodies| bodies[i]);
        }
    }

    /// A body as it is at the end of the step, with the velocities that the solution gave it. A mesh is not moved as one.
    fn body_at_end(&self, (stage, end): (&Stage<'_>, &Kinematics), i: usize) -> Body {
        let body = &stage.bodies[i];
        if body.deformable {
            return Body::fixed();
        }
        Body {
            velocity: self.landed.velocity[i],
            angular_velocity: self.landed.spin[i],
            inverse_mass: body.free * inverse_or_zero(body.mass),
            inverse_inertia: body.inverse_inertia(&end.orientation[i], end.size[i]),
        }
    }
}

impl Joint {
    /// Whether the joint held its bodies in the step: not where it is a spring, broken, or a slack wire.
    fn is_held(&self, state: &JointState) -> bool {
        !state.broken
            && match self.kind {
                Kind::Spring { .. } => false,
                Kind::Wire { .. } => state.impulse != Vec3::zeros(),
                Kind::Pin | Kind::Hinge { .. } | Kind::Slider { .. } | Kind::Weld { .. } | Kind::Rod { .. } => true,
            }
    }

    /// The rows of the joint where the bodies are.
    fn end_rows(&self, (end, spots): (&Kinematics, &[Spot]), ground: usize, rate: Option<f64>) -> problem::Contact {
        let [c, a] = self.ends(end, spots);
        let frame = |n: Vec3| if self.planar { Frame::planar(n) } else { Frame::from_normal(n) };
        let node = |body: Option<BodyId>| body.map_or(ground, BodyId::index);
        let (candidate, antagonist) = (Some(self.candidate), self.antagonist);
        let lever = |side: usize, body: Option<BodyId>, point: Vec3| {
            body.filter(|_| self.marks[side].is_none()).map_or_else(Vec3::zeros, |b| point - end.position[b.index()])
        };
        let held = |frame: Frame, at: [Vec3; 2]| {
            let levers = [lever(0, candidate, at[0]), lever(1, antagonist, at[1])];
            problem::Contact::new(node(candidate), node(antagonist), frame, levers[0], levers[1])
        };
        if let Some(rows) = self.guide_rows_at_end(|frame, at| held(frame, [at; 2]), end, rate) {
            return rows;
        }
        let rows = |n: Vec3, at: [Vec3; 2]| held(frame(n), at);
        match self.kind {
            Kind::Pin | Kind::Hinge { .. } | Kind::Slider { .. } | Kind::Weld { .. } => {
                let middle = (c + a) * 0.5;
                let mut out = rows(Vec3::x(), [middle; 2]).with_cone(Cone::Bilateral);
                if matches!(self.kind, Kind::Weld { .. }) {
                    out.set_angular(Some(Angular::weld(Vec3::zeros())));
                }
                out
            }
            Kind::Rod { .. } | Kind::Wire { .. } | Kind::Spring { .. } => {
                let line = c - a;
                let n = if line == Vec3::zeros() { Vec3::x() } else { line };
                rows(n, [c, a]).with_cone(Cone::BilateralNormal)
            }
        }
    }
}
