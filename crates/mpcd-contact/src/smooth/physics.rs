//! The smooth contact module: one model step, sub-step by sub-step.

use mpcd_core::{
    Balance, BodyId, Contact, ContactNetwork, ContactStatus, GroupId, InputError, Inputs, Kinematics, Outputs, Physics, Port,
    Setup, SolveError, SolveReport, Stage, Status, Step, Vec3, World,
};
use mpcd_geometry::Shapes;

use crate::{
    convex::Convex,
    error::ContactError,
    groups::{GroupMobility, detector, unknown_meetings},
    law::{LawRegistry, LawTable, Method, NON_SMOOTH, SMOOTH},
    loads::Loads,
    motion::{BodyConstants, Given, check_finite, grow, new_sizes},
    watch::{Parted, Prescribed},
};

use super::{
    books::Ledger,
    columns::Columns,
    crossing::Crossing,
    cutting::Trial,
    engine::{Engine, Evaluation, Surroundings},
    gear,
    implicit::{Implicit, Outcome, Settings, Span},
    law::{SmoothLaw, SmoothLawRegistry},
    pairs::Pairs,
    params::{Integrator, SmoothParams},
    response::relative_velocity,
    schedule::{Division, Plan, Schedule},
    spot::Spot,
    stability::{Limits, Stability},
    state::SmoothState,
    verlet,
};

/// How many times the stable step a sub-step may have been, by the contacts at its end, before it is told.
const BEYOND: f64 = 2.0;
/// What makes a contact of two bodies that no impulse moves.
const PUSHED: &str = "free one of them along an axis and push it by a `Force`";
/// Part of the energy of a step that its sub-steps may make before it is told.
const MADE: f64 = 0.05;
/// Part of a radius beyond which an overlap is told.
const DEEP: f64 = 0.25;

/// Smooth contact dynamics of rigid bodies.
pub struct SmoothContact {
    engine: Engine,
    integrator: Integrator,
    schedule: Schedule,
    crossing: Crossing,
    implicit: Settings,
    warnings: Vec<String>,
    /// Pairs that no impulse moves, which have no contact.
    unmoved: (Option<Prescribed>, Option<Parted>),
    smallest_radius: f64,
    /// Of each body (m), infinite of what has no end.
    radii: Vec<f64>,
    // Buffers: caches that change no bit.
    columns: Columns,
    /// Before a sub-step that is on trial.
    start: Kinematics,
    newton: Implicit,
    stability: Stability,
    sizes: Vec<f64>,
    growth: Vec<f64>,
}

/// What a model step adds up to, for the report.
struct Summary {
    ledger: Ledger,
    stored_before: f64,
    substeps: u64,
    /// The deepest overlap that is no small one.
    deepest: Option<Overlap>,
    /// The longest way of a body in a sub-step over its radius, and which; of an implicit integrator.
    farthest: (f64, usize),
    /// The longest sub-step over the stable one at its end, where the sub-steps are chosen.
    beyond: f64,
    stable: f64,
    contact_time: f64,
    level: f64,
    newton: Outcome,
}

/// An overlap and what part of the surfaces that touch it is.
#[derive(Debug, Clone, Copy)]
struct Overlap {
    /// Over the smallest radius of the two.
    part: f64,
    /// (m)
    depth: f64,
    bodies: [BodyId; 2],
}

impl Overlap {
    /// What is said of it: the law is one of small overlaps, and deeper ones let bodies through.
    fn words(self, setup: &Setup) -> String {
        let Self { part, depth, bodies: [candidate, antagonist] } = self;
        format!(
            "{} and {} overlap by {depth:.2e} m, {part:.2} of the radius that touches (small overlaps are below {DEEP}): their law is too soft for what presses them; raise its stiffness",
            setup.body_label(candidate),
            setup.body_label(antagonist),
        )
    }
}

impl SmoothContact {
    fn step(
        &mut self,
        step: &Step,
        prev: &SmoothState,
        next: &mut SmoothState,
        inputs: &Inputs<'_>,
    ) -> Result<SolveReport, ContactError> {
        let target = new_sizes(inputs, step)?;
        let around = Surroundings { setup: inputs.setup, given: Given::read(inputs)? };
        self.set_growth(target, &prev.kinematics, step.h);
        self.begin(&around, step, prev)?;
        let (mut limits, mut longest) = self.foresee(&around, &prev.kinematics);
        let mut summary = Summary {
            ledger: Ledger::default(),
            stored_before: self.engine.base.iter().map(|s| s.memory.energy).sum(),
            substeps: 0,
            deepest: None,
            farthest: (0.0, 0),
            beyond: 0.0,
            stable: limits.stable,
            contact_time: f64::INFINITY,
            level: 0.0,
            newton: Outcome::default(),
        };
        let mut plan = Plan::new(step.h);
        while let Some((elapsed, dt)) = self.schedule.next(&mut plan, &limits, longest)? {
            self.check_stable(&limits, step.h, dt, inputs.setup)?;
            if self.schedule.division == Division::Tried {
                self.start.clone_from(&next.kinematics);
            }
            let growth_spin =
                if target.is_some() { self.grow_to(elapsed + dt, &prev.kinematics, &mut next.kinematics) } else { 0.0 };
            let span = Span { t: step.time + elapsed, dt, theta: step.theta };
            let (theta, outcome) = self.substep(&around, next, span, target.is_some())?;
            summary.newton.iterations += outcome.iterations;
            if self.schedule.division == Division::Tried {
                if self.too_long_a_trial(&next.kinematics, (dt, theta), outcome) && plan.cut() {
                    next.kinematics.clone_from(&self.start);
                    continue;
                }
                plan.keep();
            }
            summary.newton.residual = summary.newton.residual.max(outcome.residual);
            summary.ledger.growth_spin += growth_spin;
            self.accept(inputs.setup, &next.kinematics, (dt, theta), &mut summary);
            check_finite(&next.kinematics.velocity, &next.kinematics.angular_velocity, inputs.setup, step)?;
            (limits, longest) = self.foresee(&around, &next.kinematics);
            if matches!(self.integrator, Integrator::Implicit { .. }) {
                summary.farthest = self.farthest(&next.kinematics, dt, summary.farthest);
            }
            if self.schedule.division == Division::Asked {
                summary.beyond = summary.beyond.max(dt / limits.stable);
            }
            summary.stable = summary.stable.min(limits.stable);
            summary.contact_time = summary.contact_time.min(limits.contact_time);
            summary.level = limits.level;
        }
        self.write_network(&next.kinematics, &mut next.network);
        next.spots.clone_from(&self.engine.base);
        next.forces.clone_from(&self.engine.old);
        next.started = true;
        let mut report = self.report(&summary, inputs.setup, step, (&prev.kinematics, &next.kinematics));
        report.warnings.extend(self.unmoved(inputs.setup, step, prev, &next.kinematics));
        Ok(report)
    }

    /// Takes the state up; at the very start finds the forces of the first configuration.
    fn begin(&mut self, around: &Surroundings<'_>, step: &Step, prev: &SmoothState) -> Result<(), ContactError> {
        let k = &prev.kinematics;
        self.engine.begin(&prev.spots, &prev.forces, k);
        if prev.started {
            self.engine.load(around, step.time)?;
            std::mem::swap(&mut self.engine.old_loads, &mut self.engine.new_loads);
        } else {
            let mean = (k.velocity.as_slice(), k.angular_velocity.as_slice());
            self.engine.evaluate(around, &Evaluation { now: k, mean, dt: 0.0, time: step.time, growth: None, whole: false })?;
            self.engine.accept(0.0, 0.5, mean);
            self.engine.base.iter_mut().for_each(|s| s.done = super::spot::Done::default());
        }
        if matches!(self.schedule.division, Division::Given(_)) {
            return Ok(());
        }
        let straight = self.schedule.division == Division::Tried;
        self.crossing.look_ahead(&self.engine.loads, around, step, straight)
    }

    /// What the next sub-step must keep to: what the contacts that are there ask for, and the longest in which no pair comes into contact unseen (s).
    fn foresee(&mut self, around: &Surroundings<'_>, k: &Kinematics) -> (Limits, f64) {
        if matches!(self.schedule.division, Division::Given(_)) {
            return (self.limits(k), f64::INFINITY);
        }
        let Self { engine, crossing, growth, .. } = self;
        let longest = crossing.longest(engine, &around.setup.gravity, growth, k);
        engine.foresee(k, (!growth.is_empty()).then_some(growth.as_slice()), crossing.gains());
        (self.limits(k), longest)
    }

    fn set_growth(&mut self, target: Option<&[f64]>, k: &Kinematics, h: f64) {
        self.growth.clear();
        if let Some(target) = target {
            self.growth.extend(target.iter().zip(&k.size).map(|(end, start)| (end - start) / h));
        }
    }

    /// Gives the bodies the sizes of `elapsed` seconds after the start of the model step; returns the kinetic energy that their spins gain (J).
    fn grow_to(&mut self, elapsed: f64, at_start: &Kinematics, now: &mut Kinematics) -> f64 {
        self.sizes.clear();
        self.sizes.extend(at_start.size.iter().zip(&self.growth).map(|(s, rate)| s + rate * elapsed));
        grow(&self.engine.bodies, &self.sizes, now)
    }

    /// Moves the bodies through a sub-step and finds the forces at its end, which nothing has accepted yet; returns the weight of the end,
    /// and how Newton's method ended where the integrator has one.
    fn substep(
        &mut self,
        around: &Surroundings<'_>,
        next: &mut SmoothState,
        span: Span,
        grows: bool,
    ) -> Result<(f64, Outcome), ContactError> {
        let Self { engine, columns, integrator, .. } = self;
        let growth = grows.then_some(self.growth.as_slice());
        let k = &mut next.kinematics;
        columns.start(k, &engine.bodies);
        let at = (span.t, span.dt);
        let (mut theta, mut outcome) = (0.5, Outcome::default());
        match integrator {
            Integrator::Verlet => verlet::substep(engine, columns, around, k, at, growth, true)?,
            Integrator::TimeCentred => verlet::substep(engine, columns, around, k, at, growth, false)?,
            Integrator::Gear => gear::substep(engine, columns, around, k, &mut next.derivatives, at, growth)?,
            Integrator::Implicit { .. } => {
                theta = span.theta;
                outcome = self.newton.substep(engine, columns, around, k, span, growth, self.implicit)?;
            }
        }
        columns.mean.mean_of(&columns.start, k);
        Ok((theta, outcome))
    }

    fn too_long_a_trial(&self, now: &Kinematics, (dt, theta): (f64, f64), outcome: Outcome) -> bool {
        let Self { engine, columns, .. } = self;
        let trial = Trial { engine, columns, dt, theta, outcome };
        let resolution = self.schedule.resolution;
        // those that have begun, and those that have ended
        let spots = engine.spots.iter().chain(&engine.base);
        let resolved = || Stability::shortest_contact(spots, &engine.pairs, now) / resolution;
        trial.too_long(self.implicit.tolerance, resolved)
    }

    /// Takes the last sub-step to the balances; its forces are what the next starts from.
    fn accept(&mut self, setup: &Setup, k: &Kinematics, (dt, theta): (f64, f64), summary: &mut Summary) {
        let Self { engine, columns, integrator, .. } = self;
        summary.ledger.add(engine, columns, setup, k, (dt, theta), matches!(integrator, Integrator::Gear));
        engine.accept(dt, theta, columns.mean.slices());
        summary.substeps += 1;
        if let Some(deeper) = self.deepest(summary.deepest.map_or(DEEP, |deepest| deepest.part)) {
            summary.deepest = Some(deeper);
        }
    }

    fn limits(&mut self, k: &Kinematics) -> Limits {
        let engine = &self.engine;
        let resolution = self.schedule.resolution;
        self.stability.limits(
            &engine.base,
            &engine.incidence,
            &engine.pairs,
            k,
            self.integrator,
            resolution,
            self.smallest_radius,
        )
    }

    fn check_stable(&self, limits: &Limits, h: f64, dt: f64, setup: &Setup) -> Result<(), ContactError> {
        if dt <= limits.stable {
            return Ok(());
        }
        let spot = self.engine.base.get(limits.worst);
        let label = |of: fn(&super::spot::Spot) -> mpcd_core::BodyId| spot.map_or_else(String::new, |s| setup.body_label(of(s)));
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count for a message")]
        let needed = (h / limits.stable).ceil() as u64;
        Err(ContactError::UnstableStep {
            substep: dt,
            integrator: self.integrator.name(),
            stable: limits.stable,
            candidate: label(|s| s.key.candidate),
            antagonist: label(|s| s.key.antagonist),
            stiffness: spot.map_or(0.0, |s| s.tangent.normal_stiffness.max(s.tangent.shear_stiffness)),
            needed,
        })
    }

    /// The contacts of the step as everybody reads them: impulses and heats of the whole step, geometry and status of its end.
    fn write_network(&self, k: &Kinematics, network: &mut ContactNetwork) {
        network.contacts.clear();
        network.contacts.extend(self.engine.base.iter().map(|s| Contact {
            key: s.key,
            point: s.point,
            frame: s.frame,
            gap: s.gap,
            geometry: s.geometry,
            least_radius: s.least_radius,
            law: s.law,
            u_before: s.u_before,
            u: s.frame.to_local(&relative_velocity(s, &k.velocity, &k.angular_velocity)),
            r: s.frame.to_local(&s.done.impulse),
            heat_friction: s.done.heat_shear,
            heat_impact: s.done.heat_normal,
            // what pushed and let go within the step did so in it
            status: if !s.acts() && s.done.impulse == Vec3::zeros() {
                ContactStatus::Open
            } else if s.tangent.sliding {
                ContactStatus::Slip
            } else {
                ContactStatus::Stick
            },
        }));
    }

    /// What is said of pairs that no impulse moves: they have no force, and nothing passes between them.
    fn unmoved(&mut self, setup: &Setup, step: &Step, prev: &SmoothState, next: &Kinematics) -> Vec<String> {
        let (prescribed, parted) = &mut self.unmoved;
        let meeting = prescribed.as_mut().and_then(|p| p.meeting(setup, &prev.kinematics, next, step.end()));
        let reach = if setup.across.is_empty() { 0.0 } else { self.engine.alert };
        let from = prev.started.then_some(&prev.kinematics);
        let parted = parted.as_mut().and_then(|p| p.coming(setup, from, next, reach, PUSHED));
        meeting.into_iter().chain(parted).collect()
    }

    /// The longest way of a body in a sub-step over its radius, and which, or what it was before.
    fn farthest(&self, k: &Kinematics, dt: f64, before: (f64, usize)) -> (f64, usize) {
        let part = |i: usize| (k.velocity[i].norm() * dt / (self.radii[i] * k.size[i]), i);
        (0..k.len()).map(part).fold(before, |most, new| if new.0 > most.0 { new } else { most })
    }

    /// What sub-steps are too long for: bodies that pass each other within an implicit one, and energy that is made where contacts begin and end in it, or a force jumps.
    fn too_long(&self, setup: &Setup, summary: &Summary, energy: &Balance) -> Vec<String> {
        let mut out = Vec::new();
        let (part, body) = summary.farthest;
        if part > 1.0 {
            let body = setup.body_label(BodyId::from_index(body));
            out.push(format!(
                "{body} moves by {part:.1} of its radius within an implicit sub-step, which looks for contacts at its end alone: it may pass through others; give Implicit more `substeps`, or a shorter step"
            ));
        }
        let made = energy.flows.iter().find(|(name, _)| *name == "scheme").map_or(0.0, |(_, amount)| amount.x);
        let part = made / energy.scale;
        if part > MADE && matches!(self.integrator, Integrator::Implicit { .. }) {
            out.push(format!(
                "the implicit integrator made {made:.2e} J in a step, {part:.2} of what moves and is stored: contacts begin and end within its sub-steps; give it more `substeps`, a shorter step, or θ = 1",
            ));
        } else if part > MADE {
            let worst = self.engine.base.iter().max_by(|a, b| a.done.scheme.total_cmp(&b.done.scheme));
            let pair = worst.map(|s| [s.key.candidate, s.key.antagonist].map(|body| setup.body_label(body)));
            let [c, a] = pair.unwrap_or_default();
            out.push(format!(
                "the sub-steps of a step made {made:.2e} J, {part:.2} of what moves and is stored, most of it between {c} and {a}: their force jumps at the overlap they have, as where a capsule or cylinder leans from a line to a point under `Hertz`, which has no law between (`Hooke` has no such jump); or it is too stiff for the sub-steps, and needs more `substeps`",
            ));
        }
        out
    }

    /// The deepest overlap, where it is more than `least` of the smallest radius of the surfaces that touch.
    fn deepest(&self, least: f64) -> Option<Overlap> {
        let part = |s: &Spot| {
            let radius = |body: BodyId| self.radii.get(body.index()).copied().unwrap_or(f64::INFINITY);
            -s.gap / s.least_radius.min(radius(s.key.candidate)).min(radius(s.key.antagonist))
        };
        let acting = self.engine.base.iter().filter(|s| s.acts() && s.gap < 0.0);
        let parts = acting.map(|s| Overlap { part: part(s), depth: -s.gap, bodies: [s.key.candidate, s.key.antagonist] });
        parts.filter(|o| o.part > least).max_by(|a, b| a.part.total_cmp(&b.part))
    }

    fn report(&self, summary: &Summary, setup: &Setup, step: &Step, motion: (&Kinematics, &Kinematics)) -> SolveReport {
        let implicit = matches!(self.integrator, Integrator::Implicit { .. });
        let missed = implicit && summary.newton.residual > self.implicit.tolerance;
        let status = if missed { Status::MaxIterations } else { Status::Converged };
        let (residual, tolerance) = if implicit { (summary.newton.residual, self.implicit.tolerance) } else { (0.0, 0.0) };
        let iterations = if implicit { u64::from(summary.newton.iterations) } else { summary.substeps };
        let spots = &self.engine.base;
        let balances = summary.ledger.balances(setup, &self.engine.bodies, motion, step.h, (summary.stored_before, spots));
        let too_long = self.too_long(setup, summary, &balances[1]);
        let finite = |v: f64| if v.is_finite() { v } else { 0.0 };
        #[allow(clippy::cast_precision_loss, reason = "counts")]
        let numbers = vec![
            ("contacts_active", spots.iter().filter(|s| s.acts()).count() as f64),
            ("substeps", summary.substeps as f64),
            ("stable_step", finite(summary.stable)),
            ("contact_time", finite(summary.contact_time)),
            ("stiffness_level", summary.level),
        ];
        SolveReport {
            status,
            iterations,
            residual,
            tolerance,
            stages: vec![Stage { solver: self.integrator.name().to_owned(), iterations, residual, status }],
            worst: if missed {
                format!(
                    "residual {residual:.2e} after {iterations} Newton iterations; try a smaller time step, more `substeps`, or raise max_iterations in Implicit"
                )
            } else {
                String::new()
            },
            search: None,
            balances: balances.into(),
            numbers,
            warnings: summary
                .deepest
                .map(|deepest| deepest.words(setup))
                .into_iter()
                .chain(unforeseen(summary.beyond))
                .chain(too_long)
                .collect(),
            watched: Vec::new(),
            too_long: None,
            phases: Vec::new(),
        }
    }
}

impl Physics for SmoothContact {
    const NAME: &'static str = SMOOTH;
    type Params = SmoothParams;
    type State = SmoothState;

    fn build(params: SmoothParams, setup: &Setup) -> Result<Self, InputError> {
        setup.refuse_moving_cell(Self::NAME)?;
        if !setup.joints.is_empty() {
            return Err(InputError::new("`SmoothContact` has no joints, but the model has some")
                .at("joints")
                .help("remove `joints`, or put Contact(…) in the place of SmoothContact(…)"));
        }
        let shapes = setup.part::<Shapes>()?;
        crate::deformable::refuse(
            setup,
            &shapes,
            Self::NAME,
            "put Contact(…) in the place of SmoothContact(…), or use rigid shapes",
        )?;
        let registry = setup.part::<SmoothLawRegistry>()?;
        let loads = Loads::build(setup)?;
        let bodies = BodyConstants::of_setup(setup, &loads);
        let groups = GroupMobility::of_setup(setup, &loads);
        let method = Method {
            name: Self::NAME,
            other: NON_SMOOTH,
            other_laws: setup.part::<LawRegistry>().map(|r| r.names().collect()).unwrap_or_default(),
            example: "Hertz(friction: 0.3)",
        };
        let laws = LawTable::build(setup, &registry, &method, |a, b| groups.can_meet(a, b))?;
        let pairs = Pairs::of_setup(setup, &bodies)?;
        pairs.check_moduli(setup, &laws)?;
        let warnings = unknown_meetings(setup, &shapes, &laws);
        let detector = detector(setup, &shapes, &loads, &laws)?;
        let unmoved = (Prescribed::without_bonds(setup, &shapes, &loads, &laws)?, Parted::build(setup, &shapes, &loads, &laws)?);
        let radii = || shapes.0.iter().filter_map(|s| s.bounding_radius(setup.dimension));
        let smallest = radii().fold(f64::INFINITY, f64::min);
        let smallest_radius = if smallest.is_finite() { smallest } else { 1.0 };
        let reach = reach(setup, &laws, radii().fold(0.0, f64::max), &pairs);
        let alert = params.alert.map_or(0.02 * smallest_radius, |a| a.si()).max(1.1 * reach);
        if params.substeps == Some(0) {
            return Err(InputError::new("`substeps` is 0; expected at least 1")
                .help("leave it out to have them chosen")
                .at("substeps"));
        }
        let implicit = match params.integrator {
            Integrator::Implicit { tolerance, max_iterations } => {
                Settings { tolerance: tolerance.map_or(1e-10, |t| t.si()), max_iterations: max_iterations.unwrap_or(50) }
            }
            _ => Settings { tolerance: 0.0, max_iterations: 0 },
        };
        let is_implicit = matches!(params.integrator, Integrator::Implicit { .. });
        let division = params.substeps.map_or(if is_implicit { Division::Tried } else { Division::Asked }, Division::Given);
        if is_implicit && params.damping.si() > 0.0 {
            return Err(InputError::new("local damping −α|F| sign V jumps with the velocity, which the implicit integrator cannot solve for; expected one of the two")
                .help("remove `damping` (θ above 1/2 damps the implicit form), or use Verlet")
                .at("damping"));
        }
        let schedule = Schedule { division, resolution: params.steps_per_contact.si() };
        Ok(Self {
            engine: Engine::new((loads, bodies, laws), pairs, (detector, Convex::of(&shapes)), alert, params.damping.si()),
            integrator: params.integrator,
            schedule,
            crossing: Crossing::of_setup(setup, &shapes),
            implicit,
            warnings,
            unmoved,
            smallest_radius,
            radii: shapes.0.iter().map(|s| s.bounding_radius(setup.dimension).unwrap_or(f64::INFINITY)).collect(),
            columns: Columns::default(),
            start: Kinematics::default(),
            newton: Implicit::default(),
            stability: Stability::default(),
            sizes: Vec::new(),
            growth: Vec::new(),
        })
    }

    fn initial_state(&self, setup: &Setup) -> SmoothState {
        SmoothState { kinematics: self.engine.loads.start(setup), ..SmoothState::default() }
    }

    fn ports(&self) -> Vec<Port> {
        Given::ports()
    }

    fn world<'a>(&self, state: &'a SmoothState) -> Option<World<'a>> {
        Some(World { kinematics: &state.kinematics, network: &state.network })
    }

    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    fn numbers(&self) -> Vec<&'static str> {
        vec!["contacts_active", "substeps", "stable_step", "contact_time", "stiffness_level"]
    }

    fn drop_caches(&mut self) {
        self.engine.drop_caches();
        self.columns = Columns::default();
        self.start = Kinematics::default();
        self.newton = Implicit::default();
        self.stability = Stability::default();
        self.sizes = Vec::new();
        self.growth = Vec::new();
    }

    fn advance(
        &mut self,
        step: &Step,
        prev: &SmoothState,
        next: &mut SmoothState,
        inputs: &Inputs<'_>,
        _: &mut Outputs,
    ) -> Result<SolveReport, SolveError> {
        self.step(step, prev, next, inputs).map_err(|e| e.of(Self::NAME))
    }
}

/// What is said of a sub-step that was too long for the contacts that came about in it.
fn unforeseen(beyond: f64) -> Option<String> {
    (beyond > BEYOND).then(|| {
        format!(
            "contacts became stiffer within a sub-step than foreseen: it was {beyond:.1} times the longest that is stable for them, and energy may have come from nothing; give SmoothContact a larger `alert` or `substeps`"
        )
    })
}

/// Largest gap over which any law of the model holds on (m).
fn reach(setup: &Setup, laws: &LawTable<dyn SmoothLaw>, largest_radius: f64, pairs: &Pairs) -> f64 {
    let Some(modulus) = pairs.softest() else { return 0.0 };
    let n = setup.groups.len();
    let all = (0..n).flat_map(|i| (i..n).map(move |j| (GroupId::from_index(i), GroupId::from_index(j))));
    all.filter_map(|(a, b)| laws.between(a, b)).map(|law| laws.law(law).reach(largest_radius, modulus)).fold(0.0, f64::max)
}
