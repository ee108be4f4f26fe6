//! How bodies go through a step: the contract of a kind of dynamics, and what all kinds work on. What lives here: no equation of motion, which the
//! kinds have ([`moreau`], [`explicit`]; deformable bodies, cells and joints are parts of the first); reports are in [`report`].

mod blows;
pub(crate) mod explicit;
mod gaps;
pub(crate) mod moreau;
mod parting;
mod report;
mod start;

use std::sync::Arc;

use mpcd_core::{Balance, BodyId, Inputs, Kinematics, Setup, SolveReport, Step, Vec3, Watched};
use mpcd_friction::{SolveSettings, Violation, problem::Side, solver::RigidSolver};
use mpcd_geometry::Detector;

use crate::{
    alert::Alert,
    anchors::{Anchor, Place},
    assemble::Assembly,
    cell::Cell,
    deformable::Deformables,
    error::ContactError,
    hold::Hold,
    joint::Joints,
    law::LawTable,
    loads::Loads,
    motion::{BodyConstants, Forces},
    nearing::Nearing,
    observe::ProblemObserver,
    passing::Passing,
    shares::Pick,
    state::ContactState,
    swings::{self, Ended},
    watch::{self, Creep, Light, Seen, Watch},
};
pub(crate) use parting::doubts;
pub(crate) use report::Outcome;

/// A kind of dynamics: free motion, the configuration in which contacts are looked for, and what follows from the impulses.
pub(crate) trait Dynamics: std::fmt::Debug + Send {
    /// One step from `prev` to `next`, with its balances.
    ///
    /// # Errors
    /// What the step cannot do, and what a watchdog stops.
    fn step(
        &mut self,
        mechanics: &mut Mechanics,
        step: &Step,
        states: (&ContactState, &mut ContactState),
        inputs: &Inputs<'_>,
    ) -> Result<SolveReport, ContactError>;

    /// Names of the numbers that it adds to those of every step.
    fn columns(&self) -> &'static [&'static str];

    /// Forgets what no bit of a result depends on.
    fn drop_caches(&mut self);
}

/// What the steps of every kind work on: bodies and their parts, laws, solver, and buffers.
pub(crate) struct Mechanics {
    pub(crate) loads: Loads,
    pub(crate) bodies: Vec<BodyConstants>,
    pub(crate) laws: Arc<LawTable>,
    /// Gap (m) up to which some law may hold on to a contact.
    pub(crate) reach: f64,
    /// Whether some law acts on what comes within its range.
    pub(crate) meets_at_range: bool,
    pub(crate) remembers: bool,
    /// Whether a law has bonds.
    pub(crate) bonds: bool,
    /// Whether a law pulls beside the surfaces' pressure.
    pub(crate) pulls: bool,
    pub(crate) wears: bool,
    pub(crate) joints: Joints,
    pub(crate) detector: Detector,
    pub(crate) solver: Box<dyn RigidSolver>,
    pub(crate) settings: SolveSettings,
    pub(crate) pick: Pick,
    pub(crate) observer: Option<Arc<ProblemObserver>>,
    pub(crate) alert: Alert,
    pub(crate) warm_start: bool,
    /// From where solves start ([`mpcd_core::Physics::vary`]); 0 as ever.
    pub(crate) seed: u64,
    pub(crate) warnings: Vec<String>,
    pub(crate) smallest_radius: f64,
    pub(crate) cell: Option<Arc<Cell>>,
    pub(crate) deformables: Deformables,
    pub(crate) cell_columns: Vec<&'static str>,
    // Buffers: caches that change no bit.
    pub(crate) assembly: Assembly,
    pub(crate) nearing: Nearing,
    /// Bonds made where the bodies are as a run begins, in its first step.
    pub(crate) started: Vec<Anchor>,
    pub(crate) passing: Passing,
    pub(crate) hold: Hold,
    /// Centres in the contact configuration.
    pub(crate) centres: Vec<Vec3>,
    pub(crate) watch: Watch,
    pub(crate) forces: Forces,
    pub(crate) free_spin: Vec<Vec3>,
    pub(crate) swings: swings::Counter,
}

impl Mechanics {
    /// Gap (m) up to which pairs are looked for, where bodies come as much as `alert` (m) closer within the step.
    pub(crate) fn looked(&self, alert: f64) -> f64 {
        if self.meets_at_range { alert + self.reach } else { alert.max(self.reach) }
    }

    /// Where the bodies are, and after which lengths they come again.
    pub(crate) fn place<'a>(&self, setup: &Setup, now: &'a Kinematics) -> Place<'a> {
        let periods = if self.cell.is_some() { now.cell.lengths } else { setup.periods };
        Place { now, dimension: setup.dimension, periods }
    }

    /// Which bodies swing ever farther.
    pub(crate) fn count_swings(&mut self, step: &Step, prev: &ContactState, next: &mut ContactState, setup: &Setup) {
        let mut swings = std::mem::take(&mut next.swings);
        self.swings.count(&Ended { setup, step, prev, next, nodes: &self.assembly.problem.bodies }, &mut swings);
        next.swings = swings;
    }

    /// What the watchdogs let pass, and why a shorter step would be better.
    pub(crate) fn watched(
        &mut self,
        step: &Step,
        prev: &ContactState,
        next: &ContactState,
        setup: &Setup,
        (balances, violation): (&[Balance], Option<Violation>),
    ) -> Result<(Vec<Watched>, Option<String>), ContactError> {
        let creep = violation.and_then(|violation| self.creep(&violation, setup));
        let light = violation.and_then(|violation| self.light(&violation, setup));
        let scheme = self.joints.works.iter().map(|work| work.scheme).sum();
        let stopped = self.joints.stopped(step.h, &prev.joints, &next.joints);
        let Self { watch, laws, alert, hold, detector, nearing, assembly, deformables, .. } = self;
        let gauge = watch::gauge(detector, &mut nearing.wider);
        let (lost, growth) = (&assembly.lost, &assembly.growth);
        let (turned, strained) = (deformables.turned(), deformables.strained());
        let (waves, barred) = (deformables.waves(step.h, &next.nodal), deformables.barred);
        watch.look(&mut Seen {
            setup,
            step,
            prev,
            next,
            laws,
            alert,
            hold,
            lost,
            momentum: balances.first(),
            energy: balances.get(1),
            growth,
            gauge,
            turned,
            strained,
            waves,
            light,
            barred,
            untouched: &deformables.untouched,
            sunk: deformables.sunk(),
            creep,
            scheme,
            stopped,
        })
    }

    /// The rigid body whose contacts with a deformable one share its load by what rounding hides most.
    fn light(&self, violation: &Violation, setup: &Setup) -> Option<Light> {
        let problem = &self.assembly.problem;
        let moves = |side: &Side| problem.bodies.get(side.body).is_some_and(|body| body.inverse_mass.max() > 0.0);
        let side = problem.contacts.get(violation.unseen_at)?.sides().into_iter().find(moves)?;
        let is_body = violation.unseen > 0.0 && side.body < setup.bodies.len();
        is_body.then(|| Light { body: BodyId::from_index(side.body), hidden: violation.unseen })
    }

    /// What the solve missed where something is prescribed.
    fn creep(&self, violation: &Violation, setup: &Setup) -> Option<Creep> {
        let problem = &self.assembly.problem;
        let of_side = |side: Side| Some((side.body, problem.bodies.get(side.body)?.drive_at(&side.lever)));
        let sides = problem.contacts.get(violation.drive)?.sides().into_iter().filter_map(of_side);
        let driven = sides.filter(|(body, speed)| *speed > 0.0 && *body < setup.bodies.len());
        let body = driven.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(body, speed)| (Some(BodyId::from_index(body)), speed));
        let (body, speed) = body.or_else(|| Some((None, problem.cell.as_ref()?.drive_at(violation.drive))))?;
        Some(Creep { body, speed, missed: violation.of_drive, tolerance: self.settings.tolerance })
    }
}
