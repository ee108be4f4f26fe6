//! Places of deformable bodies that joints end on: the mean of a side, or a point of the surface, as weights of nodes; what impulses there do to all
//! nodes, solved for once for each factorisation. What lives here: nodes and their answers. What may not: what a joint holds.

use mpcd_core::{BodyId, InputError, Mat3, Setup, Vec3};
use mpcd_fem::{Model, Space, State};
use mpcd_geometry::SurfacePoint;

use super::{Deformables, Member, fault_of, loads::ALL};
use crate::error::ContactError;

/// Part of the size of a mesh within which a joint finds the surface from the point that the model gives.
const NEAR: f64 = 0.01;

/// A place that a joint ends on.
#[derive(Debug, Clone)]
pub(super) struct Mark {
    pub(super) member: usize,
    pub(super) point: SurfacePoint,
}

/// Velocities of all unknowns of a body by unit impulses on a mark along the axes, one after another.
#[derive(Debug, Clone, Default)]
pub(super) struct Answers {
    /// M̃⁻¹, and the factorisation that it belongs to (1/kg).
    pub(super) moved: Vec<Vec<f64>>,
    of: u64,
    /// M⁻¹, and what was held for it (1/kg).
    pub(super) kicked: Vec<Vec<f64>>,
    held: Vec<bool>,
}

/// Where a mark is, and how fast (m, m/s).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Spot {
    pub(crate) place: Vec3,
    pub(crate) velocity: Vec3,
}

/// A contact of the problem that stands for a joint, with the marks of its candidate and its antagonist.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tie {
    pub(crate) contact: usize,
    pub(crate) marks: [Option<usize>; 2],
}

impl Tie {
    /// Its marks, and how their velocities count in the relative one.
    pub(super) fn marks(&self) -> impl Iterator<Item = (usize, f64)> {
        self.marks.into_iter().zip([1.0, -1.0]).filter_map(|(mark, sign)| Some((mark?, sign)))
    }
}

/// Where a mark of a tie stands among the compliances of the problem.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seat {
    pub(crate) contact: usize,
    pub(crate) mark: usize,
    pub(crate) sign: f64,
    pub(crate) compliance: usize,
    pub(crate) at: usize,
}

impl Answers {
    /// The vectors of a node as columns.
    pub(super) fn at(columns: &[Vec<f64>], node: usize) -> Mat3 {
        let d = columns.len();
        Mat3::from_fn(|i, j| if i < d && j < d { columns[j][node * d + i] } else { 0.0 })
    }
}

fn unit(model: &Model, point: &SurfacePoint, axis: usize) -> Vec<f64> {
    let (mut out, d) = (vec![0.0; model.unknowns()], model.dimension());
    point.parts().for_each(|(node, w)| out[node * d + axis] += w);
    out
}

impl Deformables {
    /// Which deformable body a body is.
    fn member_of(&self, body: BodyId) -> Option<usize> {
        self.members.iter().position(|m| m.body == body)
    }

    pub(crate) fn has(&self, body: BodyId) -> bool {
        self.member_of(body).is_some()
    }

    /// Whether a body is a ring, whose points are rings too.
    pub(crate) fn is_ring(&self, body: BodyId) -> bool {
        self.member_of(body).is_some_and(|k| self.members[k].model.space() == Space::Axisymmetric)
    }

    /// Names of the parts of a body that a joint can end on.
    pub(crate) fn parts_of(&self, body: BodyId) -> Vec<String> {
        let Some(k) = self.member_of(body) else { return Vec::new() };
        let [elements, faces, nodes] = self.members[k].model.mesh().group_names();
        faces.into_iter().chain(nodes).chain(elements).filter(|n| *n != ALL).map(str::to_owned).collect()
    }

    fn add_mark(&mut self, member: usize, point: SurfacePoint) -> (usize, Vec3) {
        let place = point.mean(|node| self.members[member].model.mesh().nodes()[node]);
        self.marks.push(Mark { member, point });
        self.answers.push(Answers::default());
        (self.marks.len() - 1, place)
    }

    /// The mean of a part of a body, and where it is at the start (m).
    ///
    /// # Errors
    /// A rigid body, or a part that there is not.
    pub(crate) fn mark_part(&mut self, setup: &Setup, body: BodyId, part: &str) -> Result<(usize, Vec3), InputError> {
        let Some(k) = self.member_of(body) else {
            let group = setup.groups.name(setup.bodies.group[body.index()].index());
            return Err(InputError::new(format!(
                "`{group}.{part}` names a part of a mesh, but {} is rigid",
                setup.body_label(body)
            ))
            .help(format!("write \"{group}\", and the point in the joint")));
        };
        let names = self.parts_of(body);
        if !names.iter().any(|n| n == part) {
            return Err(InputError::unknown("group of the mesh", part, names.iter().map(String::as_str)));
        }
        let point = self.members[k].model.mean_of(part).map_err(InputError::from)?;
        Ok(self.add_mark(k, point))
    }

    /// All nodes of a part of a body, each for itself, and where they are at the start (m).
    ///
    /// # Errors
    /// As [`Self::mark_part`].
    pub(crate) fn mark_nodes(&mut self, setup: &Setup, body: BodyId, part: &str) -> Result<Vec<(usize, Vec3)>, InputError> {
        // Asked for what it refuses; the mean itself is not needed.
        self.mark_part(setup, body, part)?;
        self.marks.pop();
        self.answers.pop();
        let Some(k) = self.member_of(body) else { return Ok(Vec::new()) };
        let nodes = self.members[k].model.mesh().nodes_of(part).map_err(InputError::from)?;
        #[allow(clippy::cast_possible_truncation, reason = "a mesh has fewer than 2³² nodes")]
        let mark = |node: usize| self.add_mark(k, SurfacePoint::node(node as u32));
        Ok(nodes.into_iter().map(mark).collect())
    }

    /// Whether the loads hold or drive a node of a mark along an axis.
    pub(crate) fn is_held(&self, mark: usize) -> bool {
        let Mark { member, point } = &self.marks[mark];
        let Member { model, loads, .. } = &self.members[*member];
        (0..model.dimension()).any(|axis| {
            let moved = loads.moved(model, axis);
            point.parts().any(|(node, _)| moved.contains(&node))
        })
    }

    /// The point of the surface of a deformable body nearest to a point (m), and where it is.
    ///
    /// # Errors
    /// A point that is farther from the surface than a hundredth of the size of the body.
    pub(crate) fn mark_point(&mut self, body: BodyId, point: &Vec3, key: &str) -> Result<(usize, Vec3), InputError> {
        let Some(k) = self.member_of(body) else { return Err(InputError::new("this body is rigid and has no mesh")) };
        let member = &self.members[k];
        let (low, high) = member.model.mesh().bounds();
        let near = NEAR * (high - low).norm();
        let Some(found) = member.skin.nearest(point, near, near) else {
            return Err(InputError::new(format!(
                "the point ({}, {}, {}) is farther than {near:.3e} m, a hundredth of its size, from the surface of {}",
                point.x, point.y, point.z, member.label
            ))
            .help("give a point of its surface, or name a side or a group of its nodes, as \"group.side\"")
            .at(key));
        };
        Ok(self.add_mark(k, found.on))
    }

    /// Whether the loads hold or drive all nodes of a mark along all axes.
    pub(crate) fn is_carried(&self, mark: usize) -> bool {
        let Mark { member, point } = &self.marks[mark];
        let Member { model, loads, .. } = &self.members[*member];
        (0..model.dimension()).all(|axis| {
            let moved = loads.moved(model, axis);
            point.parts().all(|(node, _)| moved.contains(&node))
        })
    }

    /// These marks are held to what no impulse moves: each of them that is a node carries what it touches no more.
    pub(crate) fn pin(&mut self, marks: impl Iterator<Item = usize>) {
        let Self { pinned, marks: all, .. } = self;
        pinned.clear();
        for Mark { member, point } in marks.map(|mark| &all[mark]) {
            let mut nodes = point.parts().filter(|(_, w)| *w != 0.0).map(|(node, _)| node);
            if let (Some(node), None) = (nodes.next(), nodes.next()) {
                pinned.push((*member, node));
            }
        }
        pinned.sort_unstable();
    }

    /// Where all marks are in these states.
    pub(crate) fn spots(&self, states: &[State]) -> Vec<Spot> {
        let spot = |mark: &Mark| {
            let (state, model) = (&states[mark.member], &self.members[mark.member].model);
            let (d, rest) = (model.dimension(), model.mesh().nodes());
            let of = |all: &[f64], node: usize| Vec3::from_fn(|i, _| if i < d { all[node * d + i] } else { 0.0 });
            Spot {
                place: mark.point.mean(|node| rest[node] + of(&state.displacement, node)),
                velocity: mark.point.mean(|node| of(&state.velocity, node)),
            }
        };
        self.marks.iter().map(spot).collect()
    }

    /// Has what impulses on the marks of these ties do, through the bodies as they are linearised.
    pub(super) fn ask_marks(&mut self, ties: &[Tie]) -> Result<(), ContactError> {
        for (mark, _) in ties.iter().flat_map(Tie::marks) {
            let Mark { member, point } = &self.marks[mark];
            let Member { dynamics, label, .. } = &mut self.members[*member];
            let Some(body) = dynamics.as_mut() else { continue };
            let answers = &mut self.answers[mark];
            if answers.moved.is_empty() || answers.of != body.factorisations() {
                let model = body.model().clone();
                let columns: Result<_, _> = (0..model.dimension()).map(|axis| body.respond(&unit(&model, point, axis))).collect();
                (answers.moved, answers.of) = (columns.map_err(|e| fault_of(label, e))?, body.factorisations());
            }
        }
        Ok(())
    }

    /// The same at one instant, by the masses alone.
    pub(super) fn ask_kicks(&mut self, ties: &[Tie]) -> Result<(), ContactError> {
        for (mark, _) in ties.iter().flat_map(Tie::marks) {
            let Mark { member, point } = &self.marks[mark];
            let Member { dynamics, held, label, .. } = &mut self.members[*member];
            let Some(body) = dynamics.as_mut() else { continue };
            let answers = &mut self.answers[mark];
            if answers.kicked.is_empty() || answers.held != *held {
                let model = body.model().clone();
                let columns: Result<_, _> =
                    (0..model.dimension()).map(|axis| body.kicked(held, &unit(&model, point, axis))).collect();
                (answers.kicked, answers.held) = (columns.map_err(|e| fault_of(label, e))?, held.clone());
            }
        }
        Ok(())
    }
}
