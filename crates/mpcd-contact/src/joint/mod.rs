//! Joints between two bodies, or a body and the ground: rod, wire, spring and dashpot, pin, hinge, slider, weld. They are rows of the contact problem
//! beside the network. Their conditions hold at the end of the step, their impulses act along the mean of the directions and at the mean
//! of the places before and after it (Gonzalez 1999, doi:10.1016/S0045-7825(98)00275-0; Betsch and Steinmann 2001): so their work is what
//! they store and no more, whatever the masses. What lives here: joints, their state and what they did; rows in `rows`, those of hinges and
//! sliders in `guide`, what acts along their axes in `axis`, the solution in `settle`, the velocities at the end of the step in `project`.

mod apart;
mod axis;
mod builder;
mod ends;
mod grips;
mod guide;
mod guide_params;
mod holding;
mod images;
mod insulating;
mod params;
mod project;
mod rows;
mod settle;
mod swings;
mod together;
mod verdict;
mod weld;
mod without;
mod work;

use std::ops::Range;

use mpcd_core::{BodyId, Kinematics, Quat, Setup, Step, Vec3};
use mpcd_friction::{Bilateral, problem::ContactProblem};

use crate::{
    deformable::{Seat, Spot, Tie},
    error::ContactError,
    joint_state::{Grip, JointState},
    motion::{BodyConstants, Rows},
};

use axis::{Axis, Parts};
use guide::Guide;
pub(crate) use images::images;
pub(crate) use insulating::insulating;
pub(crate) use params::build;
pub use params::joint_schemas;
pub(crate) use project::{AtEnd, Landed};
pub(crate) use settle::solve;
pub(crate) use together::Together;
pub(crate) use work::JointWork;
use work::{unit_along, work_of};

/// Where bodies are, and what joints end on of meshes.
type Whereabouts<'a> = (&'a Kinematics, &'a [Spot]);

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Pin,
    /// Axis in the axes of the candidate and of the antagonist; a direction across it in each, the same at the start.
    Hinge {
        axis: [Vec3; 2],
        across: [Vec3; 2],
    },
    Slider {
        /// In the axes of the antagonist.
        axis: Vec3,
        /// Orientation of the candidate in the axes of the antagonist, at the start.
        relative: Quat,
    },
    Weld {
        /// Orientation of the candidate in the axes of the antagonist, at the start.
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
    /// Where it ends on a mesh instead: the marks of the deformable bodies.
    marks: [Option<usize>; 2],
    kind: Kind,
    /// What acts along the axis of a hinge or a slider.
    axis: Axis,
    break_force: Option<f64>,
    planar: bool,
    /// Columns of its force, moment and work, and of its axis, if it has a name.
    columns: Vec<&'static str>,
    /// Names of the components of its force and moment, which probes ask for, if it has a name.
    components: Vec<&'static str>,
}

/// A joint that took energy from what it holds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopped {
    pub(crate) joint: usize,
    pub(crate) taken: f64,
    pub(crate) force: f64,
}

/// What a joint does while a step is solved.
#[derive(Debug, Clone, Copy, Default)]
struct Held {
    /// Impulse and moment on the candidate, world axes.
    impulse: Vec3,
    moment: Vec3,
    /// Whether a wire is taut, and how often that changed.
    taut: bool,
    changes: usize,
    /// How far a hinge or a slider had come before the step.
    last: f64,
    grip: Grip,
    /// Whose the impulse along the axis was, once solved.
    parts: Parts,
}

impl Joint {
    /// Whether the two bodies are held at a common point: their shapes may then overlap, and do not touch. A slider lets its bodies come
    /// together, and they touch.
    pub(crate) fn holds_together(&self) -> bool {
        matches!(self.kind, Kind::Pin | Kind::Hinge { .. } | Kind::Weld { .. })
    }

    /// Its two bodies, in words.
    fn label(&self, setup: &Setup) -> String {
        let second = self.antagonist.map_or_else(|| "the ground".to_owned(), |body| setup.body_label(body));
        format!("{} and {second}", setup.body_label(self.candidate))
    }

    /// Where the ends are, those on meshes in `spots`.
    fn ends(&self, k: &Kinematics, spots: &[Spot]) -> [Vec3; 2] {
        let end = |side: usize, body: Option<BodyId>| {
            let anchor = self.anchors[side];
            match self.marks[side].and_then(|mark| spots.get(mark)) {
                Some(spot) => spot.place,
                None => body.map_or(anchor, |b| k.position[b.index()] + k.orientation[b.index()] * (anchor * k.size[b.index()])),
            }
        };
        [end(0, Some(self.candidate)), end(1, self.antagonist)]
    }

    /// How far growth moved its ends apart at the end of the step before, which this step finds (m): the first less the second, world axes.
    fn grown(&self, before: &Kinematics, (rates, h): Grew<'_>) -> Vec3 {
        let end = |side: usize, body: Option<BodyId>| {
            let i = body.filter(|_| self.marks[side].is_none()).map(BodyId::index);
            let rise = i.and_then(|i| Some((i, rates.get(i)? * h)));
            rise.map_or_else(Vec3::zeros, |(i, rise)| before.orientation[i] * (self.anchors[side] * rise))
        };
        end(0, Some(self.candidate)) - end(1, self.antagonist)
    }

    /// Work of an impulse on the way that growth took the ends (J), over h [m/s]. Where a joint holds, bodies go back by it in θh at a speed that velocities at the
    /// end of the step lose again: of their mean, by which impulses have their work, that is 1/(2θ) of the way. A spring is longer at once, by what it stores.
    fn work_of_growth(&self, impulse: &Vec3, grown: &Vec3, theta: f64) -> f64 {
        if matches!(self.kind, Kind::Spring { .. }) { 0.0 } else { impulse.dot(grown) / (2.0 * theta) }
    }

    /// Leaves its columns to another one that it is a part of.
    fn lose_name(&mut self) {
        self.columns.clear();
        self.components.clear();
    }

    /// Whether it ends on a mesh.
    fn is_on_mesh(&self) -> bool {
        self.marks.iter().any(Option::is_some)
    }

    /// Energy of the spring (J).
    fn stored(&self, (k, spots): Whereabouts<'_>, state: &JointState) -> f64 {
        let Kind::Spring { length, stiffness, .. } = self.kind else {
            return self.axis.stored(self.axis.start + state.travelled);
        };
        let [c, a] = self.ends(k, spots);
        0.5 * stiffness * ((c - a).norm() - length).powi(2)
    }

    /// Names of the numbers of a named joint.
    fn column_names(kind: &Kind, axis: &Axis) -> Vec<&'static str> {
        let mut out = vec!["force", "moment", "work"];
        match kind {
            Kind::Hinge { .. } => out.extend(["angle", "torque"]),
            Kind::Slider { .. } => out.extend(["travel", "thrust"]),
            _ => {}
        }
        if axis.drive.is_some() {
            out.push("drive");
        }
        out
    }

    /// The numbers of [`Joint::column_names`] after a step of length `h`.
    fn values(&self, h: f64, state: &JointState) -> Vec<f64> {
        let mut out = vec![state.impulse.norm() / h, state.moment.norm() / h, state.work];
        if matches!(self.kind, Kind::Hinge { .. } | Kind::Slider { .. }) {
            out.extend([self.axis.start + state.travelled, state.along / h]);
        }
        if self.axis.drive.is_some() {
            out.push(state.drive);
        }
        out
    }
}

/// The step as joints see it.
#[derive(Clone, Copy)]
pub(crate) struct Stage<'a> {
    pub(crate) bodies: &'a [BodyConstants],
    pub(crate) step: &'a Step,
    pub(crate) before: &'a Kinematics,
    /// Contact configuration.
    pub(crate) now: &'a Kinematics,
    /// Angular velocities without impulses.
    pub(crate) free_spin: &'a [Vec3],
    /// Moments of loads (N m).
    pub(crate) torque: &'a Rows,
    /// What joints end on of meshes, before the step.
    pub(crate) spots: &'a [Spot],
    /// Where that stands in the problem, by contact, once meshes are condensed on it.
    pub(crate) seats: &'a [Seat],
}

/// How the size factors of bodies rose at the end of the step before: their rates (1/s), none where nothing grew, and the length of that step (s).
pub(crate) type Grew<'a> = (&'a [f64], f64);

/// The joints of a model, with what each step needs of them.
#[derive(Debug, Default)]
pub(crate) struct Joints {
    pub(crate) all: Vec<Joint>,
    /// Which of them each joint of the model is: one, or those of the nodes of a side.
    of_model: Vec<Range<usize>>,
    /// Bodies that a joint holds, ascending.
    bodies: Vec<usize>,
    /// Pairs that joints hold together so that they do not touch.
    together: Together,
    /// Joint of each row that was added to the problem; first those whose bodies contacts reach.
    rows: Vec<usize>,
    /// How many rows belong to bodies that contacts reach.
    coupled: usize,
    held: Vec<Held>,
    /// Where the bodies of joints are at the end of the step, by the velocities found.
    ahead: Kinematics,
    /// The same of what they end on of meshes, and how much it gives way to an impulse (1/kg).
    ahead_spots: Vec<Spot>,
    gives: Vec<f64>,
    bilateral: Bilateral,
    eliminated: Bilateral,
    /// Velocities at the end of the step before they were made consistent.
    landed: Landed,
    at_end: ContactProblem,
    bilateral_at_end: Bilateral,
    /// What they did in the last step.
    pub(crate) works: Vec<JointWork>,
    /// What springs store by the growth of bodies at its end (J).
    pub(crate) stretched: f64,
}

impl Joints {
    /// With `bodies` told which of them turn by their mean angular velocity: those that joints hold and nothing drives.
    pub(crate) fn new(of_model: Vec<Vec<Joint>>, bodies: &mut [BodyConstants], drives: impl Fn(usize) -> bool) -> Self {
        let mut ends = 0;
        let range = |joints: &Vec<Joint>| {
            let first = std::mem::replace(&mut ends, 0);
            ends = first + joints.len();
            first..ends
        };
        let ranges = of_model.iter().map(range).collect();
        let all: Vec<Joint> = of_model.into_iter().flatten().collect();
        let mut held: Vec<usize> =
            all.iter().flat_map(|j| [Some(j.candidate), j.antagonist]).flatten().map(BodyId::index).collect();
        held.sort_unstable();
        held.dedup();
        for &i in &held {
            bodies[i].at_mean = !drives(i);
        }
        let together = Together::of(&all);
        Self { all, of_model: ranges, bodies: held, together, ..Self::default() }
    }

    /// Keeps the joints alone.
    pub(crate) fn drop_caches(&mut self) {
        let Self { all, of_model, bodies, together, .. } = std::mem::take(self);
        *self = Self { all, of_model, bodies, together, ..Self::default() };
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Velocities at the end of the step before they were made consistent; `None` without joints.
    pub(crate) fn landed(&self) -> Option<&Landed> {
        (!self.is_empty()).then_some(&self.landed)
    }

    /// The marks on meshes that unbroken pins hold to the ground, or to bodies that no impulse moves.
    pub(crate) fn pinned<'a>(
        &'a self,
        states: &'a [JointState],
        bodies: &'a [BodyConstants],
    ) -> impl Iterator<Item = usize> + 'a {
        let stays = |end: BodyId| bodies[end.index()].free == Vec3::zeros() && bodies[end.index()].free_spin == Vec3::zeros();
        let unbroken = self.all.iter().zip(states).filter(|(joint, state)| matches!(joint.kind, Kind::Pin) && !state.broken);
        unbroken.filter_map(move |(joint, _)| match (joint.marks, joint.antagonist) {
            ([Some(mark), None], None) => Some(mark),
            ([Some(mark), None], Some(end)) if stays(end) => Some(mark),
            ([None, Some(mark)], _) if stays(joint.candidate) => Some(mark),
            _ => None,
        })
    }

    /// The rows that end on meshes, as they stand in a problem that ends with the rows.
    pub(crate) fn ties(&self, problem: &ContactProblem) -> Vec<Tie> {
        self.ties_of(problem.contacts.len().saturating_sub(self.rows.len()), &self.rows)
    }

    /// The same of some joints whose rows begin with contact `first`.
    fn ties_of(&self, first: usize, joints: &[usize]) -> Vec<Tie> {
        let all = joints.iter().enumerate().map(|(row, &k)| Tie { contact: first + row, marks: self.all[k].marks });
        all.filter(|tie| tie.marks.iter().any(Option::is_some)).collect()
    }

    /// Takes impulses from the solved problem.
    pub(crate) fn take_solution(
        &mut self,
        problem: &ContactProblem,
        (stage, grew): (&Stage<'_>, Grew<'_>),
        (after, spots): (&Kinematics, &[Spot]),
        states: &mut [JointState],
    ) {
        self.works.clear();
        for state in states.iter_mut() {
            (state.impulse, state.moment, state.along) = (Vec3::zeros(), Vec3::zeros(), 0.0);
        }
        let first = problem.contacts.len() - self.rows.len();
        for (rows, k) in problem.contacts[first..].iter().zip(&self.rows) {
            let joint = &self.all[*k];
            let mean = |b: BodyId| {
                let i = b.index();
                (
                    (stage.before.velocity[i] + after.velocity[i]) * 0.5,
                    (stage.before.angular_velocity[i] + after.angular_velocity[i]) * 0.5,
                )
            };
            let of_mark = |mark: usize| (stage.spots[mark].velocity + spots[mark].velocity) * 0.5;
            let mut work = JointWork { joint: *k, ..work_of(joint, rows, mean, of_mark) };
            let later = stage.step.theta - 0.5;
            if later > 0.0 && grew.0.is_empty() {
                let change = |b: BodyId| {
                    let (was, now) = (stage.before, after);
                    let i = b.index();
                    (now.velocity[i] - was.velocity[i], now.angular_velocity[i] - was.angular_velocity[i])
                };
                let of_change = |mark: usize| spots[mark].velocity - stage.spots[mark].velocity;
                work.scheme = later * work_of(joint, rows, change, of_change).work;
            }
            let grown = joint.grown(stage.before, grew) / stage.step.h;
            work.growth = joint.work_of_growth(&work.impulse, &grown, stage.step.theta);
            let state = &mut states[*k];
            (state.impulse, state.moment) = (work.impulse, rows.world_moment());
            let held = &mut self.held[*k];
            state.grip = held.grip;
            if let Some(Guide { frame, travel }) = joint.guide(stage.before, &self.ahead, held.last) {
                state.along = joint.along(&frame, &state.impulse, &state.moment) / travel.share;
                held.parts = joint.axis.parts(held.grip, &travel, state.along, stage.step);
                let motion = work_of(joint, &unit_along(joint, rows), mean, of_mark).work;
                work.drive = held.parts.drive * travel.share * motion;
                if matches!(joint.kind, Kind::Slider { .. }) {
                    // Along the axis a spring has taken the whole of the growth at once; a drive knows nothing of it.
                    let along = frame.normal().dot(&grown);
                    let (whole, led) = (frame.normal().dot(&work.impulse), travel.share * held.parts.drive);
                    let sprung = whole - led - travel.share * held.parts.stop;
                    work.growth += along * (sprung - (whole - travel.share * held.parts.stop) / (2.0 * stage.step.theta));
                }
            }
            self.works.push(work);
        }
    }

    /// Breaks joints beyond their limit, from the next step on, and adds up what all of them did; `last` are their states before the step.
    pub(crate) fn finish(
        &self,
        h: f64,
        (before, after): (Whereabouts<'_>, Whereabouts<'_>),
        last: &[JointState],
        states: &mut [JointState],
    ) {
        for range in &self.of_model {
            let whole: Vec3 = states[range.clone()].iter().map(|s| s.impulse).sum();
            let limit = self.all.get(range.start).and_then(|joint| joint.break_force);
            if limit.is_some_and(|limit| whole.norm() / h > limit) {
                states[range.clone()].iter_mut().for_each(|state| state.broken = true);
            }
        }
        for ((joint, state), last) in self.all.iter().zip(states.iter_mut()).zip(last) {
            state.travelled = joint.travelled(after.0, last.travelled);
            let stored = |state: &JointState, k: Whereabouts<'_>| if state.broken { 0.0 } else { joint.stored(k, state) };
            state.work = last.work + stored(state, after) - stored(last, before);
            (state.settled, state.drive) = (last.settled, last.drive);
        }
        for work in &self.works {
            let state = &mut states[work.joint];
            let own = work.work + work.growth - work.drive;
            state.work += own;
            state.settled += if work.at_end { own } else { 0.0 };
            state.drive += work.drive;
        }
    }

    /// The rigid joint with a `break_force` that took most energy in a step of length `h`, of those that still hold: its number in the model, what it took (J) and its
    /// force (N).
    pub(crate) fn stopped(&self, h: f64, last: &[JointState], states: &[JointState]) -> Option<Stopped> {
        let of = |(joint, range): (usize, &Range<usize>)| {
            let first = self.all.get(range.start)?;
            let yields = matches!(first.kind, Kind::Spring { .. }) || first.axis.spring.is_some();
            first.break_force.filter(|_| !yields && !states.get(range.start).is_none_or(|s| s.broken))?;
            let taken = range.clone().map(|k| last[k].work - states[k].work).sum();
            let whole: Vec3 = states[range.clone()].iter().map(|s| s.impulse).sum();
            Some(Stopped { joint, taken, force: whole.norm() / h })
        };
        self.of_model.iter().enumerate().filter_map(of).max_by(|a, b| a.taken.total_cmp(&b.taken))
    }

    /// Names of the numbers of all joints and of those that have a name.
    pub(crate) fn columns(&self) -> Vec<&'static str> {
        if self.is_empty() {
            return Vec::new();
        }
        let mut out = vec!["joint_force_max", "joints_broken", "e_joint", "w_joint", "w_joint_settled"];
        if self.are_driven() {
            out.push("w_joint_drives");
        }
        out.extend(self.all.iter().flat_map(|joint| &joint.columns));
        out
    }

    /// The numbers of [`Joints::columns`] after a step of length `h` between two places, and the components of forces and moments of those that have a name.
    pub(crate) fn numbers(
        &self,
        h: f64,
        (before, after): (Whereabouts<'_>, Whereabouts<'_>),
        states: &[JointState],
    ) -> Vec<(&'static str, f64)> {
        if self.is_empty() {
            return Vec::new();
        }
        let whole: Vec<JointState> = self.of_model.iter().map(|range| self.summed(range, [before, after], states)).collect();
        let largest = whole.iter().map(|s| s.impulse.norm()).fold(0.0, f64::max);
        let mut out = vec![
            ("joint_force_max", largest / h),
            ("joints_broken", whole.iter().filter(|s| s.broken).count() as f64),
            ("e_joint", self.stored(after, states)),
            ("w_joint", states.iter().map(|s| s.work).sum()),
            ("w_joint_settled", states.iter().map(|s| s.settled).sum()),
        ];
        if self.are_driven() {
            out.push(("w_joint_drives", states.iter().map(|s| s.drive).sum()));
        }
        let named = self.of_model.iter().zip(&whole).filter_map(|(range, state)| Some((self.all.get(range.start)?, state)));
        for (joint, state) in named {
            out.extend(joint.columns.iter().copied().zip(joint.values(h, state)));
            let vectors = state.impulse.iter().chain(state.moment.iter()).map(|x| x / h);
            out.extend(joint.components.iter().copied().zip(vectors));
        }
        out
    }

    /// A joint of the model: its own state, or of those of a side the sums, with the moment about the mean of their places midway through the step: there impulses change
    /// the moment of momentum by what it changes.
    fn summed(&self, range: &Range<usize>, ends: [Whereabouts<'_>; 2], states: &[JointState]) -> JointState {
        let own = &states[range.clone()];
        if let [one] = own {
            return *one;
        }
        let midway = |joint: &Joint| ends.iter().map(|k| joint.ends(k.0, k.1)[0]).sum::<Vec3>() * 0.5;
        let places: Vec<Vec3> = self.all[range.clone()].iter().map(midway).collect();
        let mean = places.iter().sum::<Vec3>() / places.len().max(1) as f64;
        let mut out = JointState { broken: own.iter().any(|s| s.broken), ..JointState::default() };
        for (state, place) in own.iter().zip(&places) {
            out.impulse += state.impulse;
            out.moment += (place - mean).cross(&state.impulse) + state.moment;
            out.work += state.work;
            out.settled += state.settled;
        }
        out
    }

    /// Of each joint of the model, whether it holds.
    pub(crate) fn hold<'a>(&'a self, states: &'a [JointState]) -> impl Iterator<Item = bool> + 'a {
        self.of_model.iter().map(|range| states[range.clone()].iter().all(|s| !s.broken))
    }

    /// Whether a joint has a drive.
    fn are_driven(&self) -> bool {
        self.all.iter().any(|joint| joint.axis.drive.is_some())
    }

    /// Energy of the springs that hold (J).
    pub(crate) fn stored(&self, k: Whereabouts<'_>, states: &[JointState]) -> f64 {
        self.all.iter().zip(states).filter(|(_, s)| !s.broken).map(|(joint, s)| joint.stored(k, s)).sum()
    }

    /// Which of `count` bodies a joint is fixed to.
    pub(crate) fn bodies(&self, count: usize) -> Vec<bool> {
        let mut out = vec![false; count];
        for body in self.all.iter().flat_map(|j| [Some(j.candidate), j.antagonist]).flatten() {
            out[body.index()] = true;
        }
        out
    }

    /// Whether a joint drives a body with any force that it takes.
    pub(crate) fn lead(&self, body: BodyId) -> bool {
        let leads = |joint: &Joint| joint.axis.drive.as_ref().is_some_and(|drive| drive.most.is_none());
        self.all.iter().any(|joint| (joint.candidate == body || joint.antagonist == Some(body)) && leads(joint))
    }

    /// Refuses a joint along which what is prescribed of its bodies moves them, so that no impulse keeps its condition.
    pub(crate) fn refuse_unmoved(&self, problem: &ContactProblem, stage: &Stage<'_>, setup: &Setup) -> Result<(), ContactError> {
        let Some((joint, missed)) = self.unmoved(problem, stage) else { return Ok(()) };
        let (bodies, time) = (joint.label(setup), stage.step.end());
        Err(ContactError::Unmoved { bodies, missed, time })
    }

    /// Refuses what drives a joint that holds where it is no finite number in this step.
    pub(crate) fn refuse_drives(&self, step: &Step, last: &[JointState], setup: &Setup) -> Result<(), ContactError> {
        let holding = self.all.iter().zip(last).filter(|(_, state)| !state.broken);
        let mut bad = holding.filter_map(|(joint, _)| Some((joint, joint.axis.drive.as_ref()?.is_no_number_at(step)?)));
        bad.next().map_or(Ok(()), |(joint, time)| Err(ContactError::Drive { bodies: joint.label(setup), time }))
    }

    /// Pairs that do not touch because joints hold them together.
    pub(crate) fn together(&self) -> &Together {
        &self.together
    }
}
