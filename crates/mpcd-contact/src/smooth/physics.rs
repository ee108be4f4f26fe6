//! The smooth contact module: one model step, sub-step by sub-step.

use mpcd_core::{
    BodyId, Contact, ContactNetwork, ContactStatus, GroupId, InputError, Inputs, Kinematics, Outputs, Physics, Port, Setup,
    SolveError, SolveReport, Stage, Status, Step, Vec3, World,
};
use mpcd_geometry::Shapes;

use crate::{
    error::ContactError,
    groups::{GroupMobility, detector, unknown_meetings},
    law::{LawRegistry, LawTable, Method, NON_SMOOTH, SMOOTH},
    loads::Loads,
    motion::{BodyConstants, Given, check_finite, grow, new_sizes},
};

use super::{
    books::Ledger,
    columns::Columns,
    engine::{Engine, Evaluation, Surroundings},
    gear,
    implicit::{Implicit, Outcome, Settings, Span},
    law::{SmoothLaw, SmoothLawRegistry},
    pairs::Pairs,
    params::{Integrator, SmoothParams},
    response::relative_velocity,
    schedule::{Plan, Schedule},
    spot::Spot,
    stability::{Limits, Stability},
    state::SmoothState,
    verlet,
};

/// Part of a radius beyond which an overlap is told.
const DEEP: f64 = 0.25;

/// Smooth contact dynamics of rigid bodies.
pub struct SmoothContact {
    engine: Engine,
    integrator: Integrator,
    schedule: Schedule,
    implicit: Settings,
    warnings: Vec<String>,
    smallest_radius: f64,
    /// Of each body (m), infinite of what has no end.
    radii: Vec<f64>,
    // Buffers: caches that change no bit.
    columns: Columns,
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
    stable: f64,
    contact_time: f64,
    level: f64,
    newton: Outcome,
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
        let mut limits = self.begin(&around, step, prev)?;
        let mut summary = Summary {
            ledger: Ledger::default(),
            stored_before: self.engine.base.iter().map(|s| s.memory.energy).sum(),
            substeps: 0,
            stable: limits.stable,
            contact_time: f64::INFINITY,
            level: 0.0,
            newton: Outcome::default(),
        };
        let mut plan = Plan::new(step.h);
        while let Some((elapsed, dt)) = self.schedule.next(&mut plan, &limits, &next.kinematics)? {
            self.check_stable(&limits, step.h, dt, inputs.setup)?;
            if target.is_some() {
                let part = (elapsed + dt) / step.h;
                self.sizes.clear();
                let rates = prev.kinematics.size.iter().zip(&self.growth);
                self.sizes.extend(rates.map(|(s, rate)| s + rate * (part * step.h)));
                summary.ledger.growth_spin += grow(&self.engine.bodies, &self.sizes, &mut next.kinematics);
            }
            self.substep(&around, next, Span { t: step.time + elapsed, dt, theta: step.theta }, target.is_some(), &mut summary)?;
            check_finite(&next.kinematics.velocity, &next.kinematics.angular_velocity, inputs.setup, step)?;
            limits = self.limits(&next.kinematics);
            summary.stable = summary.stable.min(limits.stable);
            summary.contact_time = summary.contact_time.min(limits.contact_time);
            summary.level = limits.level;
        }
        self.write_network(&next.kinematics, &mut next.network);
        next.spots.clone_from(&self.engine.base);
        next.forces.clone_from(&self.engine.old);
        next.limits = (limits.stable, limits.wanted);
        next.started = true;
        Ok(self.report(&summary, inputs.setup, step, (&prev.kinematics, &next.kinematics)))
    }

    /// Takes the state up; at the very start finds the forces of the first configuration.
    fn begin(&mut self, around: &Surroundings<'_>, step: &Step, prev: &SmoothState) -> Result<Limits, ContactError> {
        let k = &prev.kinematics;
        self.engine.begin(&prev.spots, &prev.forces, k);
        if prev.started {
            self.engine.load(around, step.time)?;
            std::mem::swap(&mut self.engine.old_loads, &mut self.engine.new_loads);
            return Ok(Limits { stable: prev.limits.0, wanted: prev.limits.1, ..Limits::NONE });
        }
        let mean = (k.velocity.as_slice(), k.angular_velocity.as_slice());
        self.engine.evaluate(around, &Evaluation { now: k, mean, dt: 0.0, time: step.time, growth: None, whole: false })?;
        self.engine.accept(0.0, 0.5, mean);
        self.engine.base.iter_mut().for_each(|s| s.done = super::spot::Done::default());
        Ok(self.limits(k))
    }

    fn set_growth(&mut self, target: Option<&[f64]>, k: &Kinematics, h: f64) {
        self.growth.clear();
        if let Some(target) = target {
            self.growth.extend(target.iter().zip(&k.size).map(|(end, start)| (end - start) / h));
        }
    }

    fn substep(
        &mut self,
        around: &Surroundings<'_>,
        next: &mut SmoothState,
        span: Span,
        grows: bool,
        summary: &mut Summary,
    ) -> Result<(), ContactError> {
        let Self { engine, columns, integrator, .. } = self;
        let growth = grows.then_some(self.growth.as_slice());
        let k = &mut next.kinematics;
        columns.start(k, &engine.bodies);
        let at = (span.t, span.dt);
        let mut theta = 0.5;
        match integrator {
            Integrator::Verlet => verlet::substep(engine, columns, around, k, at, growth, true)?,
            Integrator::TimeCentred => verlet::substep(engine, columns, around, k, at, growth, false)?,
            Integrator::Gear => gear::substep(engine, columns, around, k, &mut next.derivatives, at, growth)?,
            Integrator::Implicit { .. } => {
                theta = span.theta;
                let outcome = self.newton.substep(engine, columns, around, k, span, growth, self.implicit)?;
                summary.newton.iterations += outcome.iterations;
                summary.newton.residual = summary.newton.residual.max(outcome.residual);
            }
        }
        columns.mean.mean_of(&columns.start, k);
        summary.ledger.add(engine, columns, around.setup, k, (span.dt, theta), matches!(integrator, Integrator::Gear));
        engine.accept(span.dt, theta, columns.mean.slices());
        summary.substeps += 1;
        Ok(())
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

    /// What is said of the deepest overlap where it is no small part of the surfaces that touch: their law is one of small overlaps, and deeper ones let bodies through.
    fn deep(&self, setup: &Setup) -> Option<String> {
        let part = |s: &Spot| {
            let radius = |body: BodyId| self.radii.get(body.index()).copied().unwrap_or(f64::INFINITY);
            -s.gap / s.least_radius.min(radius(s.key.candidate)).min(radius(s.key.antagonist))
        };
        let acting = self.engine.base.iter().filter(|s| s.acts());
        let deepest = acting.map(|s| (part(s), s)).filter(|(part, _)| *part > DEEP).max_by(|a, b| a.0.total_cmp(&b.0));
        deepest.map(|(part, s)| {
            format!(
                "{} and {} overlap by {:.2e} m, {part:.2} of the radius that touches (small overlaps are below {DEEP}): their law is too soft for what presses them; raise its stiffness",
                setup.body_label(s.key.candidate),
                setup.body_label(s.key.antagonist),
                -s.gap,
            )
        })
    }

    fn report(&self, summary: &Summary, setup: &Setup, step: &Step, motion: (&Kinematics, &Kinematics)) -> SolveReport {
        let implicit = matches!(self.integrator, Integrator::Implicit { .. });
        let missed = implicit && summary.newton.residual > self.implicit.tolerance;
        let status = if missed { Status::MaxIterations } else { Status::Converged };
        let (residual, tolerance) = if implicit { (summary.newton.residual, self.implicit.tolerance) } else { (0.0, 0.0) };
        let iterations = if implicit { u64::from(summary.newton.iterations) } else { summary.substeps };
        let spots = &self.engine.base;
        let balances = summary.ledger.balances(setup, &self.engine.bodies, motion, step.h, (summary.stored_before, spots));
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
            balances: balances.into(),
            numbers,
            warnings: self.deep(setup).into_iter().collect(),
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
        let substeps = params.substeps.or(is_implicit.then_some(1));
        if is_implicit && params.damping.si() > 0.0 {
            return Err(InputError::new("local damping −α|F| sign V jumps with the velocity, which the implicit integrator cannot solve for; expected one of the two")
                .help("remove `damping` (θ above 1/2 damps the implicit form), or use Verlet")
                .at("damping"));
        }
        let schedule = Schedule { substeps, resolution: params.steps_per_contact.si(), alert };
        Ok(Self {
            engine: Engine::new((loads, bodies, laws), pairs, detector, alert, params.damping.si(), substeps.is_none()),
            integrator: params.integrator,
            schedule,
            implicit,
            warnings,
            smallest_radius,
            radii: shapes.0.iter().map(|s| s.bounding_radius(setup.dimension).unwrap_or(f64::INFINITY)).collect(),
            columns: Columns::default(),
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

/// Largest gap over which any law of the model holds on (m).
fn reach(setup: &Setup, laws: &LawTable<dyn SmoothLaw>, largest_radius: f64, pairs: &Pairs) -> f64 {
    let Some(modulus) = pairs.softest() else { return 0.0 };
    let n = setup.groups.len();
    let all = (0..n).flat_map(|i| (i..n).map(move |j| (GroupId::from_index(i), GroupId::from_index(j))));
    all.filter_map(|(a, b)| laws.between(a, b)).map(|law| laws.law(law).reach(largest_radius, modulus)).fold(0.0, f64::max)
}
