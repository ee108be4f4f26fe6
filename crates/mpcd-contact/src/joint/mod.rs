//! Joints between two bodies, or a body and the ground: rod, wire, spring and dashpot, pin, weld. They are rows of the contact problem
//! beside the network, solved with the contacts; drift is corrected by the gap form (what is missing at the end of the step over h).
//! Lengths and points are not linear in the velocity: the curvature of the motion is foreseen from the free velocities, and where that was
//! not enough the step is solved again with the velocities found, until it is (SHAKE; Ryckaert, Ciccotti and Berendsen 1977). Forces act
//! along directions of the contact configuration, conditions hold in the next one: second order, and no energy drifts in.

mod params;

use mpcd_core::{BodyId, Kinematics, Quat, Step, Vec3};
use mpcd_friction::{
    Cone,
    rigid::{self, Angular, Frame, Node, Response},
};
use serde::{Deserialize, Serialize};

pub(crate) use params::build;
pub use params::joint_schemas;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Pin,
    Weld {
        /// Orientation of the candidate as seen from the antagonist's turning, at the start.
        relative: Quat,
    },
    Rod {
        length: f64,
    },
    Wire {
        length: f64,
    },
    Spring {
        length: f64,
        stiffness: f64,
        damping: f64,
    },
}

/// A joint of the model.
#[derive(Debug, Clone)]
pub(crate) struct Joint {
    pub(crate) candidate: BodyId,
    /// `None` is the ground.
    pub(crate) antagonist: Option<BodyId>,
    anchors: [Vec3; 2],
    kind: Kind,
    break_force: Option<f64>,
    planar: bool,
}

/// A joint in the state of the contact module.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct JointState {
    /// Impulse of the last step on the first body, world axes [N s].
    pub impulse: Vec3,
    /// Impulse moment of the last step on the first body about the joint (welds), world axes [N m s].
    pub moment: Vec3,
    /// Whether it broke; a broken joint stays broken.
    pub broken: bool,
}

/// What a joint did in the step, for the books.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JointWork {
    pub(crate) candidate: BodyId,
    pub(crate) antagonist: Option<BodyId>,
    /// On the candidate, world axes.
    pub(crate) impulse: Vec3,
    /// Moment on each body about its centre of mass, world axes.
    pub(crate) moments: [Vec3; 2],
    /// Work of impulse and moment (J).
    pub(crate) work: f64,
}

/// One end of a joint in the contact configuration.
#[derive(Debug, Clone, Copy)]
struct End {
    node: usize,
    point: Vec3,
    arm: Vec3,
}

impl Joint {
    /// Whether the two bodies are held at a common point: their shapes may then overlap, and do not touch.
    pub(crate) fn holds_together(&self) -> bool {
        matches!(self.kind, Kind::Pin | Kind::Weld { .. })
    }

    fn ends(&self, k: &Kinematics, ground: usize) -> [End; 2] {
        let end = |body: Option<BodyId>, anchor: Vec3| match body {
            Some(b) => {
                let i = b.index();
                let arm = k.orientation[i] * (anchor * k.size[i]);
                End { node: i, point: k.position[i] + arm, arm }
            }
            None => End { node: ground, point: anchor, arm: Vec3::zeros() },
        };
        [end(Some(self.candidate), self.anchors[0]), end(self.antagonist, self.anchors[1])]
    }

    /// The rows of the joint in the contact configuration `now`.
    fn rows(&self, now: &Kinematics, before: &Kinematics, nodes: &[Node], step: &Step) -> rigid::Contact {
        let ends = self.ends(now, nodes.len() - 1);
        let curves = ends.map(|e| curvature(&nodes[e.node], &e.arm, step.h));
        match self.kind {
            Kind::Pin | Kind::Weld { .. } => self.point_rows(&ends, curves[0] - curves[1], now, step),
            _ => self.line_rows(&ends, curves[0] - curves[1], before, nodes, step),
        }
    }

    /// Rows that hold a common point, and for welds the relative turning.
    fn point_rows(&self, [c, a]: &[End; 2], curve: Vec3, now: &Kinematics, step: &Step) -> rigid::Contact {
        let frame = if self.planar { Frame::planar(Vec3::x()) } else { Frame::from_normal(Vec3::x()) };
        // One point for both, so that the impulse leaves the angular momentum as it is.
        let middle = (c.point + a.point) * 0.5;
        let arm = |end: &End| end.arm + (middle - end.point);
        let antagonist_arm = if self.antagonist.is_some() { arm(a) } else { Vec3::zeros() };
        let mut rows = rigid::Contact::new(c.node, a.node, frame, arm(c), antagonist_arm)
            .with_cone(Cone::Bilateral)
            .with_velocity_shift(frame.to_local(&((c.point - a.point + curve) / step.h)));
        if let Kind::Weld { relative } = self.kind {
            let seen = |b: BodyId| now.orientation[b.index()];
            let held = self.antagonist.map_or(relative, |a| relative * seen(a));
            let drift = (seen(self.candidate) * held.inverse()).scaled_axis();
            rows.angular = Some(Angular::Held { shift: frame.to_local(&(drift / step.h)) });
        }
        rows
    }

    /// Rows along the line between the ends.
    fn line_rows(&self, [c, a]: &[End; 2], curve: Vec3, before: &Kinematics, nodes: &[Node], step: &Step) -> rigid::Contact {
        let h = step.h;
        let apart = c.point - a.point;
        let distance = apart.norm();
        let n = if distance > 0.0 { apart / distance } else { Vec3::x() };
        // How far the ends move across the line, and along it by turning: the length at the end of the step is not linear in u_n.
        let moved = (nodes[c.node].velocity_at(&c.arm) - nodes[a.node].velocity_at(&a.arm)) * h + curve;
        let across = (moved - n * n.dot(&moved)).norm_squared();
        let along = |length: f64| distance + n.dot(&curve) - (length * length - across).max(0.25 * length * length).sqrt();
        let frame = |n: Vec3| if self.planar { Frame::planar(n) } else { Frame::from_normal(n) };
        let rows = |n: Vec3| rigid::Contact::new(c.node, a.node, frame(n), c.arm, a.arm);
        match self.kind {
            Kind::Wire { length } => rows(-n).with_cone(Cone::Frictionless).with_velocity_shift(Vec3::x() * (-along(length) / h)),
            Kind::Spring { length, stiffness: k, damping } => {
                // r = −h [k (x_m + hθ²u⁺ − h(1−θ)²u⁻) + c (θu⁺ + (1−θ)u⁻)], x_m the stretch in the contact configuration.
                let (theta, rest) = (step.theta, 1.0 - step.theta);
                let velocity = |end: &End, body: Option<BodyId>| {
                    body.map_or_else(Vec3::zeros, |b| {
                        before.velocity[b.index()] + before.angular_velocity[b.index()].cross(&end.arm)
                    })
                };
                let u = n.dot(&(velocity(c, Some(self.candidate)) - velocity(a, self.antagonist)));
                let response = h * h * theta * theta * k + h * theta * damping;
                let push = h * k * (distance - length) - h * h * rest * rest * k * u + h * damping * rest * u;
                let mut rows = rows(n).with_cone(Cone::BilateralNormal).with_velocity_shift(Vec3::x() * (push / response));
                rows.compliance.x = 1.0 / response;
                rows
            }
            Kind::Rod { length } => rows(n).with_cone(Cone::BilateralNormal).with_velocity_shift(Vec3::x() * (along(length) / h)),
            Kind::Pin | Kind::Weld { .. } => rows(n),
        }
    }

    /// Energy of the spring (J).
    fn stored(&self, k: &Kinematics) -> f64 {
        let Kind::Spring { length, stiffness, .. } = self.kind else { return 0.0 };
        let [c, a] = self.ends(k, 0);
        0.5 * stiffness * ((c.point - a.point).norm() - length).powi(2)
    }
}

/// What a point at `arm` moves beyond h ω × arm when the body turns through the step with its free velocity.
fn curvature(node: &Node, arm: &Vec3, h: f64) -> Vec3 {
    let turn = node.angular_velocity * h;
    if turn == Vec3::zeros() || *arm == Vec3::zeros() {
        return Vec3::zeros();
    }
    Quat::from_scaled_axis(turn) * arm - arm - turn.cross(arm)
}

/// The joints of a model, with what each step needs of them.
#[derive(Debug, Default)]
pub(crate) struct Joints {
    pub(crate) all: Vec<Joint>,
    /// Joint of each row that was added to the problem.
    rows: Vec<usize>,
    /// What they did in the last step.
    pub(crate) works: Vec<JointWork>,
}

impl Joints {
    pub(crate) fn new(all: Vec<Joint>) -> Self {
        Self { all, ..Self::default() }
    }

    /// Keeps the joints alone.
    pub(crate) fn drop_caches(&mut self) {
        *self = Self::new(std::mem::take(&mut self.all));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Appends the rows of the joints that hold to the problem, and a node for the ground.
    pub(crate) fn append(
        &mut self,
        problem: &mut rigid::RigidProblem,
        now: &Kinematics,
        before: &Kinematics,
        last: &[JointState],
        warm: Option<f64>,
        step: &Step,
    ) {
        self.rows.clear();
        if self.all.is_empty() {
            return;
        }
        problem.nodes.push(Node::fixed());
        for (k, (joint, state)) in self.all.iter().zip(last).enumerate().filter(|(_, (_, s))| !s.broken) {
            let mut rows = joint.rows(now, before, &problem.nodes, step);
            if let Some(scale) = warm {
                rows.impulse = rows.frame.to_local(&(state.impulse * scale));
                if !matches!(rows.response, Response::Cone(Cone::Bilateral)) {
                    // along the line alone
                    rows.impulse = Vec3::x() * rows.impulse.x;
                }
                if rows.angular.is_some() {
                    rows.angular_impulse = rows.frame.to_local(&(state.moment * scale));
                }
            }
            problem.contacts.push(rows);
            self.rows.push(k);
        }
    }

    /// Corrects the rows for the curvature of the motion with the velocities of the solved problem; returns the largest change of a
    /// row's shift [m/s or rad/s].
    pub(crate) fn bend(&self, problem: &mut rigid::RigidProblem, now: &Kinematics, before: &Kinematics, step: &Step) -> f64 {
        let first = problem.contacts.len() - self.rows.len();
        let mut change = 0.0_f64;
        for (row, k) in self.rows.iter().enumerate().map(|(i, k)| (first + i, *k)) {
            let shift = self.all[k].rows(now, before, &problem.nodes, step).velocity_shift;
            let rows = &mut problem.contacts[row];
            change = change.max((shift - rows.velocity_shift).norm());
            rows.velocity_shift = shift;
        }
        change
    }

    /// Takes impulses from the solved problem; joints beyond their limit are broken from the next step on.
    pub(crate) fn take_solution(
        &mut self,
        problem: &rigid::RigidProblem,
        before: &Kinematics,
        now: &Kinematics,
        step: &Step,
        states: &mut [JointState],
    ) {
        self.works.clear();
        for state in states.iter_mut() {
            (state.impulse, state.moment) = (Vec3::zeros(), Vec3::zeros());
        }
        let first = problem.contacts.len() - self.rows.len();
        for (rows, k) in problem.contacts[first..].iter().zip(&self.rows) {
            let joint = &self.all[*k];
            let impulse = rows.world_impulse();
            let moment = rows.frame.to_world(&rows.angular_impulse);
            let mean = |body: Option<BodyId>, arm: &Vec3| {
                body.map_or((Vec3::zeros(), Vec3::zeros()), |b| {
                    let i = b.index();
                    let w = (before.angular_velocity[i] + now.angular_velocity[i]) * 0.5;
                    ((before.velocity[i] + now.velocity[i]) * 0.5 + w.cross(arm), w)
                })
            };
            let (vc, wc) = mean(Some(joint.candidate), &rows.candidate_lever);
            let (va, wa) = mean(joint.antagonist, &rows.antagonist_lever);
            self.works.push(JointWork {
                candidate: joint.candidate,
                antagonist: joint.antagonist,
                impulse,
                moments: [rows.candidate_lever.cross(&impulse) + moment, -rows.antagonist_lever.cross(&impulse) - moment],
                work: impulse.dot(&(vc - va)) + moment.dot(&(wc - wa)),
            });
            let force = impulse.norm() / step.h;
            states[*k] = JointState { impulse, moment, broken: joint.break_force.is_some_and(|limit| force > limit) };
        }
    }

    /// Energy of the springs that hold (J).
    pub(crate) fn stored(&self, k: &Kinematics, states: &[JointState]) -> f64 {
        self.all.iter().zip(states).filter(|(_, s)| !s.broken).map(|(joint, _)| joint.stored(k)).sum()
    }

    /// Which of `count` bodies a joint is fixed to.
    pub(crate) fn bodies(&self, count: usize) -> Vec<bool> {
        let mut out = vec![false; count];
        for body in self.all.iter().flat_map(|j| [Some(j.candidate), j.antagonist]).flatten() {
            out[body.index()] = true;
        }
        out
    }

    /// Pairs that do not touch because a joint holds them together, sorted.
    pub(crate) fn together(&self) -> Vec<(BodyId, BodyId)> {
        let pairs = self.all.iter().filter(|j| j.holds_together()).filter_map(|j| Some((j.candidate, j.antagonist?)));
        let mut out: Vec<_> = pairs.map(|(a, b)| (a.min(b), a.max(b))).collect();
        out.sort_unstable();
        out.dedup();
        out
    }
}
