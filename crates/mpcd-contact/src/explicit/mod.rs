//! The explicit step (Carpenter, Taylor and Katona 1991): central differences, and contact conditions in the configuration that the step leads
//! to, which is sought by solving again where the last solve led. What lives here: that step. What may not: laws, assembly, books.

mod gaps;
mod motion;

use mpcd_core::{Inputs, SolveReport, Step};
use mpcd_friction::{SolveInfo, Status};
use mpcd_geometry::Touch;

pub(crate) use gaps::{Ahead, Gaps};
pub(crate) use motion::{Motion, Times, Twist, twist_across};

use crate::{
    anchors,
    assemble::{AssemblyInput, Warm},
    error::ContactError,
    motion::{Given, check_finite, grow, new_sizes},
    phases,
    physics::ContactDynamics,
    state::{ContactState, Turning},
};

/// Pass from which contacts that vanish are carried on.
const CARRY: usize = 3;

/// Passes without a nearer configuration after which the search ends.
const FRUITLESS: usize = 6;

/// The scheme with its buffers.
#[derive(Debug)]
pub(crate) struct Explicit {
    pub(crate) damping: f64,
    /// Most solves of a step.
    pub(crate) passes: usize,
    /// Where the search for the configuration stops.
    pub(crate) accuracy: f64,
    pub(crate) motion: Motion,
    /// Pairs where the last solve led.
    ahead: Vec<Touch>,
    /// Mean velocities that led to the configuration of the solve.
    assumed: Vec<Twist>,
    /// Impulses and moments of the last solve.
    solved: Vec<mpcd_core::Contact>,
    turning: Vec<Turning>,
    /// Solves of the last step, and how far its last configuration was from the one it led to.
    pub(crate) done: (usize, f64),
    /// Whether the last search ended before its accuracy was met.
    lost: bool,
    /// Centres of the bodies in the configuration of the last solve (m).
    pub(crate) centres: Vec<mpcd_core::Vec3>,
}

impl Explicit {
    pub(crate) fn new(damping: f64, passes: usize, accuracy: f64) -> Self {
        Self {
            damping,
            passes,
            accuracy,
            motion: Motion::default(),
            ahead: Vec::new(),
            assumed: Vec::new(),
            solved: Vec::new(),
            turning: Vec::new(),
            done: (0, 0.0),
            lost: false,
            centres: Vec::new(),
        }
    }

    /// Back to what it was before the first step.
    pub(crate) fn drop_caches(&mut self) {
        *self = Self::new(self.damping, self.passes, self.accuracy);
    }

    /// Words about a search that ended before its accuracy was met.
    pub(crate) fn words(&self) -> Option<String> {
        let (passes, distance) = self.done;
        self.lost.then(|| {
            format!(
                "contacts still moved by {distance:.2e} of the smallest radius after {passes} passes, accuracy {:.2e}; try a smaller time step, or more `passes` in Explicit",
                self.accuracy
            )
        })
    }
}

impl ContactDynamics {
    /// One explicit step.
    pub(crate) fn explicit_step(
        &mut self,
        scheme: &mut Explicit,
        step: &Step,
        prev: &ContactState,
        next: &mut ContactState,
        inputs: &Inputs<'_>,
    ) -> Result<SolveReport, ContactError> {
        let setup = inputs.setup;
        if step.theta != 0.5 {
            return Err(ContactError::Theta { theta: step.theta });
        }
        let times = Times::new(scheme.damping, step.h, prev.last_h);
        let sizes = new_sizes(inputs, step)?;
        // Central differences ask for the loads at the start of the step.
        self.forces.evaluate(&self.loads, &Step { theta: 0.0, ..*step }, setup, Given::read(inputs)?)?;
        let before = &prev.kinematics;
        scheme.motion.start(&self.bodies, &self.loads, &self.forces, &setup.gravity, step, &times, before);
        let info = self.seek(scheme, step, &times, prev, next, sizes, inputs)?;
        scheme.motion.finish(&self.bodies, &times, &mut next.kinematics);
        check_finite(&next.kinematics.velocity, &next.kinematics.angular_velocity, setup, step)?;
        let ahead = Ahead { mean: &scheme.motion.mean, touches: &scheme.ahead, last: prev, h: step.h };
        self.assembly.take_solution(before, &self.laws, next, Some(&ahead), None);
        next.stored = self.assembly.works.stored;
        let growth_spin = sizes.map_or(0.0, |s| grow(&self.bodies, s, &mut next.kinematics));
        next.last_h = step.h;
        let mut report = self.report(&info, step, prev, next, setup, growth_spin, Some((scheme, &times)), None);
        report.watched = self.watched(step, prev, next, setup, report.balances.get(1))?;
        Ok(report)
    }

    /// Solves, goes where the solve leads, and solves again with the contacts found there, until they no longer change. The first
    /// configuration is that at the start of the step: from there nothing is jumped over.
    fn seek(
        &mut self,
        scheme: &mut Explicit,
        step: &Step,
        times: &Times,
        prev: &ContactState,
        next: &mut ContactState,
        sizes: Option<&[f64]>,
        inputs: &Inputs<'_>,
    ) -> Result<SolveInfo, ContactError> {
        let before = &prev.kinematics;
        scheme.motion.nodes(&self.bodies, before, times, &mut self.assembly.problem.nodes);
        let alert = self.alert.distance(before, &self.assembly.problem.nodes, sizes, step.h);
        next.kinematics.position.clone_from(&before.position);
        next.kinematics.orientation.clone_from(&before.orientation);
        scheme.assumed.clear();
        scheme.assumed.resize(self.bodies.len(), Twist::default());
        self.detector.detect(&next.kinematics, alert.max(self.reach), &mut scheme.ahead)?;
        anchors::carry(&prev.anchors, &self.place(inputs.setup, &next.kinematics), &mut scheme.ahead);
        let mut earlier: Vec<SolveInfo> = Vec::new();
        let mut best = (0, f64::INFINITY);
        for pass in 1..=scheme.passes {
            std::mem::swap(&mut self.assembly.touches, &mut scheme.ahead);
            scheme.centres.clone_from(&next.kinematics.position);
            scheme.motion.nodes(&self.bodies, before, times, &mut self.assembly.problem.nodes);
            self.free_spin.clear();
            self.free_spin.extend(self.assembly.problem.nodes.iter().map(|n| n.angular_velocity));
            let warm = match (pass, self.warm_start) {
                (1, true) => Warm::of_step(prev, step.h),
                (1, false) => Warm::default(),
                _ => Warm { contacts: &scheme.solved, turning: &scheme.turning, scale: 1.0 },
            };
            let assembly = AssemblyInput {
                step,
                groups: &inputs.setup.bodies.group,
                laws: &self.laws,
                before,
                now: &next.kinematics,
                target_size: sizes,
                ahead: Some(&scheme.assumed),
                last: prev,
                warm,
                alert,
                // Refused together with explicit steps.
                cell: None,
                place: self.place(inputs.setup, &next.kinematics),
            };
            self.assembly.assemble(&assembly, &mut next.network);
            if let Some(observer) = &self.observer {
                observer.look(step, &self.assembly.problem);
            }
            let info = phases::solve(&mut self.assembly, &self.laws, before, None, &mut *self.solver, &self.settings)?;
            scheme.motion.take(&self.bodies, before, times, &self.free_spin, &self.assembly.problem.nodes);
            scheme.motion.place(before, step.h, &mut next.kinematics);
            self.detector.detect(&next.kinematics, alert.max(self.reach), &mut scheme.ahead)?;
            anchors::carry(&prev.anchors, &self.place(inputs.setup, &next.kinematics), &mut scheme.ahead);
            let found = gaps::Pass {
                assembly: &self.assembly,
                network: &next.network,
                assumed: &scheme.assumed,
                found: &scheme.motion.mean,
                h: step.h,
            };
            if pass >= CARRY {
                gaps::carry(&found, &mut scheme.ahead);
            }
            let distance = gaps::distance(&found, &scheme.ahead, self.smallest_radius);
            scheme.done = (pass, distance.gap.max(distance.turn));
            // The motion is known to the tolerance of the solver, and normals no better.
            let there = distance.gap <= scheme.accuracy && distance.turn <= scheme.accuracy.max(self.settings.tolerance);
            scheme.lost = !there;
            if scheme.done.1 < best.1 {
                best = (pass, scheme.done.1);
            }
            if there || pass == scheme.passes || pass >= best.0 + FRUITLESS {
                let mut info = phases::joined(&earlier, info);
                if !there && info.status.is_success() {
                    info.status = Status::MaxIterations;
                }
                return Ok(info);
            }
            earlier.push(info);
            scheme.assumed.clone_from(&scheme.motion.mean);
            self.assembly.give_solved(&next.network, &mut scheme.solved, &mut scheme.turning);
        }
        unreachable!("a step has at least one pass")
    }
}
