//! The explicit step (Carpenter, Taylor and Katona 1991): central differences, and contact conditions in the configuration that the step leads
//! to, which is sought by solving again where the last solve led. What lives here: that step. What may not: laws, assembly, books.

use mpcd_core::{Inputs, Search, SolveReport, Step};
use mpcd_friction::{SolveInfo, Status};
use mpcd_geometry::Touch;

use super::{Dynamics, Mechanics, Outcome, gaps};
use crate::{
    anchors,
    assemble::AssemblyInput,
    books::Leap,
    central::{Motion, Times},
    error::ContactError,
    motion::{Given, Twist, check_finite, grow, new_sizes},
    openings::Ahead,
    phases,
    state::{ContactState, Turning},
    warm::Warm,
};

/// Pass from which contacts that vanish are carried on.
const CARRY: usize = 3;

/// Passes without a nearer configuration after which the search ends.
const FRUITLESS: usize = 6;

/// A search that ended before its accuracy was met.
#[derive(Debug, Clone, Copy)]
struct Lost {
    /// Whether its solves met theirs.
    solved: bool,
    /// Whether it came no nearer any more.
    fruitless: bool,
}

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
    /// How the last search ended, where that was before its accuracy was met.
    lost: Option<Lost>,
}

impl Explicit {
    /// What it adds to the numbers of a step.
    const NUMBERS: [&'static str; 2] = ["passes", "configuration_error"];

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
            lost: None,
        }
    }

    /// Words about a search that ended before its accuracy was met.
    pub(crate) fn words(&self) -> Option<String> {
        let (passes, distance) = self.done;
        self.lost.map(|lost| {
            let more = if lost.fruitless {
                format!("the last {FRUITLESS} came no nearer, so more `passes` would not help: try a smaller time step")
            } else {
                "try a smaller time step, or more `passes` in Explicit".to_owned()
            };
            format!(
                "contacts still moved by {distance:.2e} of the smallest radius after {passes} passes, `accuracy` {:.2e}; {more}",
                self.accuracy
            )
        })
    }

    /// That search, where its solves did end.
    fn search(&self) -> Option<Search> {
        let lost = self.lost.filter(|lost| lost.solved)?;
        let more = (!lost.fruitless).then_some("passes");
        Some(Search { what: "the search for the configuration that the step leads to", more, accuracy: "accuracy" })
    }
}

impl Dynamics for Explicit {
    fn step(
        &mut self,
        m: &mut Mechanics,
        step: &Step,
        (prev, next): (&ContactState, &mut ContactState),
        inputs: &Inputs<'_>,
    ) -> Result<SolveReport, ContactError> {
        let setup = inputs.setup;
        if step.theta != 0.5 {
            return Err(ContactError::Theta { theta: step.theta });
        }
        let times = Times::new(self.damping, step.h, prev.last_h);
        let sizes = new_sizes(inputs, step)?;
        // Central differences ask for the loads at the start of the step.
        m.forces.evaluate(&m.loads, &Step { theta: 0.0, ..*step }, setup, Given::read(inputs)?)?;
        let before = &prev.kinematics;
        self.motion.start(&m.bodies, &m.loads, &m.forces, &setup.gravity, step, &times, before);
        let info = self.seek(m, step, &times, prev, next, sizes, inputs)?;
        self.give_beside(m, &times, next);
        self.motion.finish(&m.bodies, &times, before, &mut next.kinematics);
        check_finite(&next.kinematics.velocity, &next.kinematics.angular_velocity, setup, step)?;
        let ahead = Ahead {
            mean: &self.motion.mean,
            touches: &self.ahead,
            last: prev,
            h: step.h,
            gain: times.gain,
            soft_gain: times.soft_gain,
            soft: times.soft(),
        };
        m.assembly.take_solution(before, &m.laws, next, Some(&ahead), None);
        let works = &m.assembly.works;
        next.keep_energy(prev, works.stored, (works.restrung, works.viscous));
        let growth_spin = sizes.map_or(0.0, |s| grow(&m.bodies, s, &mut next.kinematics));
        next.last_h = step.h;
        next.closing = m.assembly.closing;
        let (passes, distance) = self.done;
        let laws = m.laws.clone();
        let outcome = Outcome {
            leap: Some(Leap { times: &times, laws: &laws, mean: &self.motion.mean }),
            words: self.words(),
            search: self.search(),
            numbers: Self::NUMBERS.into_iter().zip([passes as f64, distance]).collect(),
            ..Outcome::of(&info, growth_spin)
        };
        m.count_swings(step, prev, next, setup);
        let mut report = m.report(&outcome, step, prev, next, setup);
        (report.watched, report.too_long) = m.watched(step, prev, next, setup, (&report.balances, info.violation))?;
        Ok(report)
    }

    fn columns(&self) -> &'static [&'static str] {
        &Self::NUMBERS
    }

    fn drop_caches(&mut self) {
        *self = Self::new(self.damping, self.passes, self.accuracy);
    }
}

impl Explicit {
    /// What contacts that yield give to the velocities beside what follows from the mean ones: in the first step they act as loads do, others as impulses.
    fn give_beside(&mut self, m: &Mechanics, times: &Times, next: &ContactState) {
        let rest = times.soft_rest() / times.soft();
        self.motion.beside.clear();
        if rest == 0.0 {
            return;
        }
        self.motion.beside.resize(m.bodies.len(), Twist::default());
        for (solved, &index) in m.assembly.problem.contacts.iter().zip(&m.assembly.active) {
            let touch = &m.assembly.touches[index];
            if !m.laws.law(next.network.contacts[index].law).yields() {
                continue;
            }
            let impulse = touch.frame.to_world(&solved.impulse) * rest;
            let sides = [(touch.key.candidate, touch.arm_candidate, 1.0), (touch.key.antagonist, touch.arm_antagonist, -1.0)];
            for (body, arm, sign) in sides {
                let given = &mut self.motion.beside[body.index()];
                given.0 += impulse * sign;
                given.1 += arm.cross(&impulse) * sign;
            }
        }
    }

    /// Solves, goes where the solve leads, and solves again with the contacts found there, until they no longer change. The first
    /// configuration is that at the start of the step: from there nothing is jumped over.
    fn seek(
        &mut self,
        m: &mut Mechanics,
        step: &Step,
        times: &Times,
        prev: &ContactState,
        next: &mut ContactState,
        sizes: Option<&[f64]>,
        inputs: &Inputs<'_>,
    ) -> Result<SolveInfo, ContactError> {
        let before = &prev.kinematics;
        self.motion.nodes(&m.bodies, before, times, &mut m.assembly.problem.bodies);
        let alert = m.alert.distance(before, &m.assembly.problem.bodies, sizes, step.h);
        next.kinematics.position.clone_from(&before.position);
        next.kinematics.orientation.clone_from(&before.orientation);
        self.assumed.clear();
        self.assumed.resize(m.bodies.len(), Twist::default());
        m.detector.detect(&next.kinematics, m.looked(alert), &mut self.ahead)?;
        anchors::carry(&prev.anchors, &m.place(inputs.setup, &next.kinematics), &mut self.ahead);
        let mut earlier: Vec<SolveInfo> = Vec::new();
        let mut best = (0, f64::INFINITY);
        for pass in 1..=self.passes {
            std::mem::swap(&mut m.assembly.touches, &mut self.ahead);
            self.motion.nodes(&m.bodies, before, times, &mut m.assembly.problem.bodies);
            m.free_spin.clear();
            m.free_spin.extend(m.assembly.problem.bodies.iter().map(|n| n.angular_velocity));
            let warm = match (pass, m.warm_start) {
                (1, _) if m.seed != 0 => Warm::of_step(prev, step.h).varied(m.seed),
                (1, true) => Warm::of_step(prev, step.h),
                (1, false) => Warm::default(),
                _ => Warm { contacts: &self.solved, turning: &self.turning, scale: 1.0, seed: 0 },
            };
            let assembly = AssemblyInput {
                step,
                groups: &inputs.setup.bodies.group,
                laws: &m.laws,
                before,
                now: &next.kinematics,
                target_size: sizes,
                thickness: &inputs.setup.bodies.thickness,
                ahead: Some(&self.assumed),
                soft: times.soft(),
                last: prev,
                warm,
                alert,
                // Refused together with explicit steps.
                cell: None,
                place: m.place(inputs.setup, &next.kinematics),
                started: &[],
            };
            m.assembly.assemble(&assembly, &mut next.network);
            next.network.reach = m.alert.reach();
            if let Some(observer) = &m.observer {
                observer.look(step, &m.assembly.problem, !m.assembly.struck.is_empty());
            }
            let info = phases::solve(&mut m.assembly, &m.laws, before, None, &mut *m.solver, &m.settings)?;
            m.assembly.look_for_left_over(&info);
            self.motion.take(&m.bodies, before, times, &m.free_spin, &m.assembly.problem.bodies);
            self.motion.place(before, step.h, &mut next.kinematics);
            m.detector.detect(&next.kinematics, m.looked(alert), &mut self.ahead)?;
            anchors::carry(&prev.anchors, &m.place(inputs.setup, &next.kinematics), &mut self.ahead);
            let found = gaps::Pass {
                assembly: &m.assembly,
                network: &next.network,
                assumed: &self.assumed,
                found: &self.motion.mean,
                h: step.h,
            };
            if pass >= CARRY {
                gaps::carry(&found, &mut self.ahead);
            }
            let distance = gaps::distance(&found, &self.ahead, m.smallest_radius);
            self.done = (pass, distance.gap.max(distance.turn));
            // The motion is known to the tolerance of the solver, and normals no better.
            let there = distance.gap <= self.accuracy && distance.turn <= self.accuracy.max(m.settings.tolerance);
            if self.done.1 < best.1 {
                best = (pass, self.done.1);
            }
            let fruitless = pass >= best.0 + FRUITLESS;
            self.lost = (!there).then_some(Lost { solved: info.status.is_success(), fruitless });
            if there || fruitless || pass == self.passes {
                let mut info = phases::joined(&earlier, info);
                if !there && info.status.is_success() {
                    info.status = Status::MaxIterations;
                }
                return Ok(info);
            }
            earlier.push(info);
            self.assumed.clone_from(&self.motion.mean);
            m.assembly.give_solved(&next.network, &mut self.solved, &mut self.turning);
        }
        unreachable!("a step has at least one pass")
    }
}
