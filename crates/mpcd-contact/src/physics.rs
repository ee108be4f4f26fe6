//! The contact module: one step, readable on one screen.

use std::{sync::Arc, time::Instant};

use mpcd_core::{
    Balance, BodyId, CellMotion, ContactNetwork, Dimension, InputError, Inputs, Kinematics, MeshQuantity, MeshView, Outputs,
    PerBody, Physics, Port, Scalar, Setup, SolveError, SolveReport, Stage, Status, Step, Unit, Vec3, Watched, World, WritePort,
};
use mpcd_friction::{
    SolveInfo, SolveSettings, Status as SolveStatus,
    rigid::ContactDimension,
    solver::{RigidSolver, solver_by_name},
};
use mpcd_geometry::{Detector, Shapes, Touch};

use crate::{
    alert::Alert,
    anchors::{self, Place},
    assemble::{Assembly, AssemblyInput, Warm},
    books::{BookInput, Leap},
    cell::{Cell, CellStep},
    deformable::Deformables,
    error::ContactError,
    explicit::{Explicit, Times},
    groups::{GroupMobility, detector_apart_from, unknown_meetings},
    hold::{Found, Hold},
    joint::{self, Joints},
    law::{Cursor, LawRegistry, LawTable, Method, Restitution},
    loads::Loads,
    motion::{BodyConstants, Forces, FreeStrain, Given, check_finite, correct, grow, new_sizes, predict, take_velocities},
    nearing::Nearing,
    observe::ProblemObserver,
    params::{ContactParams, Scheme},
    phases, pinched,
    smooth::{SmoothContact, SmoothLawRegistry},
    state::ContactState,
    watch::{self, Seen, Watch},
    worst,
};

/// Volume worn off each body since the start.
const WORN: WritePort<Scalar, PerBody> = WritePort::new("worn_volume", Unit::VOLUME);

/// Non-smooth contact dynamics of rigid bodies.
pub struct ContactDynamics {
    pub(crate) loads: Loads,
    pub(crate) bodies: Vec<BodyConstants>,
    pub(crate) laws: Arc<LawTable>,
    /// Gap (m) up to which some law may hold on to a contact.
    pub(crate) reach: f64,
    pub(crate) remembers: bool,
    pub(crate) wears: bool,
    pub(crate) joints: Joints,
    pub(crate) detector: Detector,
    pub(crate) solver: Box<dyn RigidSolver>,
    pub(crate) settings: SolveSettings,
    pub(crate) observer: Option<Arc<ProblemObserver>>,
    pub(crate) alert: Alert,
    pub(crate) warm_start: bool,
    pub(crate) warnings: Vec<String>,
    pub(crate) smallest_radius: f64,
    /// `None` is Moreau–Jean.
    explicit: Option<Box<Explicit>>,
    pub(crate) cell: Option<Arc<Cell>>,
    deformables: Deformables,
    cell_columns: Vec<&'static str>,
    // Buffers: caches that change no bit.
    pub(crate) assembly: Assembly,
    nearing: Nearing,
    hold: Hold,
    /// Centres in the contact configuration.
    centres: Vec<Vec3>,
    watch: Watch,
    pub(crate) forces: Forces,
    pub(crate) free_spin: Vec<Vec3>,
}

impl ContactDynamics {
    /// Where the bodies are, and after which lengths they come again.
    pub(crate) fn place<'a>(&self, setup: &Setup, now: &'a Kinematics) -> Place<'a> {
        let periods = if self.cell.is_some() { now.cell.lengths } else { setup.periods };
        Place { now, dimension: setup.dimension, periods }
    }

    fn step(
        &mut self,
        step: &Step,
        prev: &ContactState,
        next: &mut ContactState,
        inputs: &Inputs<'_>,
    ) -> Result<SolveReport, ContactError> {
        if let Some(mut scheme) = self.explicit.take() {
            let report = self.explicit_step(&mut scheme, step, prev, next, inputs);
            self.explicit = Some(scheme);
            return report;
        }
        let setup = inputs.setup;
        let sizes = new_sizes(inputs, step)?;
        self.forces.evaluate(&self.loads, step, setup, Given::read(inputs)?)?;
        let nodes = &mut self.assembly.problem.nodes;
        predict(&self.bodies, &self.loads, &self.forces, &setup.gravity, step, &prev.kinematics, &mut next.kinematics, nodes);
        let mut cell = match &self.cell {
            Some(cell) => Some(cell.predict(step, &prev.kinematics, &mut next.kinematics, &mut self.assembly.problem)?),
            None => None,
        };
        if cell.is_some() {
            self.detector.set_periods(next.kinematics.cell.lengths)?;
        }
        self.free_spin.clear();
        self.free_spin.extend(self.assembly.problem.nodes.iter().map(|n| n.angular_velocity));

        self.deformables.refuse_growth(sizes, setup, step)?;
        self.deformables.begin(step, &prev.deformables, &self.forces, FreeStrain::read(inputs)?)?;

        let started = Instant::now();
        let closing = self.cell.as_ref().map_or(0.0, |cell| step.h * cell.closing(&prev.kinematics.cell));
        let alert = self.alert.distance(&prev.kinematics, &self.assembly.problem.nodes, sizes, step.h) + closing;
        let alert = self.deformables.alert(alert, &prev.deformables, step.h);
        self.detector.detect(&next.kinematics, alert.max(self.reach), &mut self.assembly.touches)?;
        if self.hold_back(&prev.kinematics.position, Found::After, &mut next.kinematics, setup, &prev.network) {
            self.detector.detect(&next.kinematics, alert.max(self.reach), &mut self.assembly.touches)?;
        }
        self.detect_skins(&next.kinematics, alert.max(self.reach), setup)?;
        let place = self.place(setup, &next.kinematics);
        anchors::carry(&prev.anchors, &place, &mut self.assembly.touches);
        let detection = started.elapsed();
        let laws = Arc::clone(&self.laws);
        let moving = self.cell.clone();
        let mut assembly = AssemblyInput {
            step,
            groups: &setup.bodies.group,
            laws: &laws,
            before: &prev.kinematics,
            now: &next.kinematics,
            target_size: sizes,
            ahead: None,
            last: prev,
            warm: if self.warm_start { Warm::of_step(prev, step.h) } else { Warm::default() },
            alert,
            cell: moving.as_deref().zip(cell.as_ref()),
            place,
        };
        self.set_far_aside(&assembly);
        // Before joints add the ground to the nodes.
        self.nearing.remember_free(&self.assembly.problem);
        self.assemble(&assembly, &mut next.network);
        let started = Instant::now();
        let mut info = self.solve(step, prev, &next.kinematics, cell.as_ref(), setup)?;
        while self.foresees_more(&mut assembly, closing)? {
            self.assemble(&assembly, &mut next.network);
            self.nearing.start_from_last(&mut self.assembly);
            info = phases::joined(&[info], self.solve(step, prev, &next.kinematics, cell.as_ref(), setup)?);
        }
        let solution = started.elapsed();
        if let (Some(moving), Some(cell)) = (&self.cell, &mut cell) {
            moving.take_solution(&self.assembly.problem, cell, &mut next.kinematics.cell);
        }

        let nodes = &self.assembly.problem.nodes;
        take_velocities(&self.bodies, step, &self.free_spin, nodes, &prev.kinematics, &mut next.kinematics);
        let meshes = (&mut next.deformables, &mut next.nodal);
        self.deformables.finish(step.h, &prev.deformables, meshes, &mut next.kinematics)?;
        check_finite(&next.kinematics.velocity, &next.kinematics.angular_velocity, setup, step)?;
        let before = &prev.kinematics;
        let stage = joint::Stage { bodies: &self.bodies, step, before, now: before, free_spin: &self.free_spin };
        self.joints.take_solution(&self.assembly.problem, &stage, &next.kinematics, &mut next.joints);
        self.assembly.take_solution(&prev.kinematics, &self.laws, next, None, self.cell.as_deref().zip(cell.as_ref()));
        next.stored = self.assembly.works.stored;
        if self.cell.is_some() {
            Cell::correct(step, &mut next.kinematics);
        }
        let mut centres = std::mem::take(&mut self.centres);
        centres.clone_from(&next.kinematics.position);
        correct(&self.bodies, step, &prev.kinematics, &mut next.kinematics);
        self.hold_back(&centres, Found::Before, &mut next.kinematics, setup, &ContactNetwork::default());
        self.centres = centres;
        let stage = joint::Stage { bodies: &self.bodies, step, before, now: before, free_spin: &self.free_spin };
        self.joints.project(&stage, &mut next.kinematics, &mut next.joints);
        self.joints.finish(step.h, (&prev.kinematics, &next.kinematics), &prev.joints, &mut next.joints);
        let growth_spin = sizes.map_or(0.0, |s| grow(&self.bodies, s, &mut next.kinematics));
        next.last_h = step.h;
        let mut report = self.report(&info, step, prev, next, setup, growth_spin, None, cell.as_ref());
        report.phases = vec![("detection", detection), ("solution", solution)];
        if !self.deformables.is_empty() {
            let [factorised, condensed] = self.deformables.took;
            report
                .phases
                .extend([("solution: bodies linearised and factorised", factorised), ("solution: bodies condensed", condensed)]);
        }
        report.watched = self.watched(step, prev, next, setup, report.balances.get(1))?;
        Ok(report)
    }

    /// Holds fast bodies back on their way from `start` at what they touch first. Their contacts at one end of it are at hand; those of
    /// `last` have acted on the velocities with which they go.
    fn hold_back(&mut self, start: &[Vec3], found: Found, end: &mut Kinematics, setup: &Setup, last: &ContactNetwork) -> bool {
        if found == Found::After {
            self.hold.clear();
            self.nearing.clear();
        }
        // The way in a moving cell is not that of the body alone.
        if self.cell.is_some() || !self.hold.is_fast(start, end) {
            return false;
        }
        let Self { hold, detector, assembly, nearing, laws, bodies, .. } = self;
        let sides = &assembly.sides;
        let group = |body: BodyId| setup.bodies.group[body.index()];
        let rigid = |t: &&Touch| {
            !sides.has(t) && laws.between(group(t.key.candidate), group(t.key.antagonist)).is_some_and(|l| !laws.law(l).yields())
        };
        let touches = assembly.touches.iter().chain(nearing.waiting()).filter(rigid);
        let acted = |pair: [BodyId; 2], normal: &Vec3| {
            let of_pair = |c: &&mpcd_core::Contact| [c.key.candidate, c.key.antagonist] == pair;
            last.iter().filter(of_pair).any(|c| c.r.x > 0.0 && c.frame.n.dot(normal) > crate::first_touch::SAME)
        };
        hold.hold(detector, touches, found, (start, end), (&bodies[..], &setup.gravity), acted)
    }

    /// What the watchdogs let pass.
    pub(crate) fn watched(
        &mut self,
        step: &Step,
        prev: &ContactState,
        next: &ContactState,
        setup: &Setup,
        energy: Option<&Balance>,
    ) -> Result<Vec<Watched>, ContactError> {
        let Self { watch, laws, alert, hold, detector, nearing, assembly, deformables, .. } = self;
        let gauge = watch::gauge(detector, &mut nearing.wider);
        let lost = &assembly.lost;
        let turned = deformables.turned();
        watch.look(&mut Seen { setup, step, prev, next, laws, alert, hold, lost, energy, gauge, turned })
    }

    /// Sets pairs aside that cannot come to push within the step. Those nearer than what is asked for stay, and all where bodies grow.
    fn set_far_aside(&mut self, input: &AssemblyInput<'_>) {
        // What a moving cell does to a gap is not foreseen by the velocities of two bodies.
        if self.cell.is_some() || input.target_size.is_some_and(|target| *target != input.now.size) {
            return;
        }
        let mut memories = input.memories();
        let asked = self.alert.asked.unwrap_or(f64::NEG_INFINITY);
        let sides = std::mem::take(&mut self.assembly.sides);
        let holds = |touch: &Touch| {
            touch.gap <= asked
                || sides.has(touch)
                || input.law_of(touch).is_some_and(|law| {
                    let law = input.laws.law(law);
                    let remembered = law.memory().is_some() && memories.find(&touch.key).is_some();
                    remembered || law.reach().is_some_and(|law| touch.gap <= law.range(None))
                })
        };
        self.nearing.set_aside(
            &mut self.assembly.touches,
            &self.assembly.problem.nodes,
            (self.alert.margin, input.step.h),
            holds,
        );
        self.assembly.sides = sides;
    }

    /// Adds the contacts of deformable bodies to those at hand.
    fn detect_skins(&mut self, now: &Kinematics, alert: f64, setup: &Setup) -> Result<(), ContactError> {
        if self.deformables.is_empty() {
            return Ok(());
        }
        let (group, laws) = (&setup.bodies.group, &self.laws);
        let wanted = |a: BodyId, b: BodyId| laws.between(group[a.index()], group[b.index()]).is_some();
        let Assembly { sides, touches, .. } = &mut self.assembly;
        Ok(self.deformables.detect(&mut self.detector, (now, alert), &wanted, &self.bodies, sides, touches)?)
    }

    /// Whether the solution brings pairs together that were not in its problem: set aside, or beyond the alert distance because the
    /// impulses make bodies faster than they were foreseen to be. They are in the next one.
    fn foresees_more(&mut self, input: &mut AssemblyInput<'_>, closing: f64) -> Result<bool, ContactError> {
        let nodes = &self.assembly.problem.nodes;
        let reach = self.alert.distance(input.before, nodes, input.target_size, input.step.h) + closing;
        if reach > input.alert && reach.is_finite() {
            self.detector.detect(input.now, reach.max(self.reach), &mut self.nearing.wider)?;
            anchors::carry(&input.last.anchors, &input.place, &mut self.nearing.wider);
            self.nearing.wait_for_wider(&self.assembly.touches);
            input.alert = reach;
        }
        let friction = |touch: &Touch| input.law_of(touch).map_or(0.0, |law| input.laws.law(law).friction());
        Ok(self.nearing.take_back(&mut self.assembly, input.step.h, friction))
    }

    /// The problem of the pairs at hand and of the joints.
    fn assemble(&mut self, input: &AssemblyInput<'_>, network: &mut ContactNetwork) {
        self.assembly.assemble(input, network);
        let (step, last) = (input.step, input.last);
        let warm = (self.warm_start && last.last_h > 0.0).then(|| step.h / last.last_h);
        let stage = joint::Stage { bodies: &self.bodies, step, before: input.before, now: input.now, free_spin: &self.free_spin };
        self.joints.append(&mut self.assembly.problem, &stage, &last.joints, warm);
        if let Some(observer) = &self.observer {
            observer.look(step, &self.assembly.problem);
        }
    }

    /// Solves the assembled problem; with deformable bodies around them, until their motions and the impulses agree.
    fn solve(
        &mut self,
        step: &Step,
        prev: &ContactState,
        now: &Kinematics,
        cell: Option<&CellStep>,
        setup: &Setup,
    ) -> Result<SolveInfo, ContactError> {
        if self.deformables.is_empty() {
            return self.solve_linearised(step, prev, now, cell, setup);
        }
        let free = self.assembly.problem.nodes.clone();
        let mut earlier = Vec::new();
        loop {
            self.deformables.linearise()?;
            let Assembly { problem, active, touches, sides, .. } = &mut self.assembly;
            self.deformables.condense(problem, (active, touches), sides)?;
            let info = self.solve_linearised(step, prev, now, cell, setup)?;
            let Assembly { problem, active, touches, sides, .. } = &mut self.assembly;
            if self.deformables.correct(problem, (active, touches), sides)? {
                return Ok(phases::joined(&earlier, info));
            }
            problem.nodes.clone_from(&free);
            earlier.push(info);
        }
    }

    /// Solves the assembled problem as it is.
    fn solve_linearised(
        &mut self,
        step: &Step,
        prev: &ContactState,
        now: &Kinematics,
        cell: Option<&CellStep>,
        setup: &Setup,
    ) -> Result<SolveInfo, ContactError> {
        let (assembly, solver) = (&mut self.assembly, &mut *self.solver);
        let info = if self.joints.is_empty() {
            phases::solve(assembly, &self.laws, &prev.kinematics, cell, solver, &self.settings)?
        } else {
            let stage = joint::Stage { bodies: &self.bodies, step, before: &prev.kinematics, now, free_spin: &self.free_spin };
            joint::solve(&mut self.joints, assembly, &self.laws, cell, solver, &self.settings, &stage)?
        };
        if let Some(proof) = &info.no_motion {
            return Err(ContactError::NoMotion { words: pinched::describe(proof, &self.assembly, setup) });
        }
        Ok(info)
    }

    pub(crate) fn report(
        &self,
        info: &SolveInfo,
        step: &Step,
        prev: &ContactState,
        next: &ContactState,
        setup: &Setup,
        growth_spin: f64,
        explicit: Option<(&Explicit, &Times)>,
        cell: Option<&CellStep>,
    ) -> SolveReport {
        let status = match info.status {
            SolveStatus::Converged | SolveStatus::NoContact => Status::Converged,
            SolveStatus::MaxIterations => Status::MaxIterations,
            _ => Status::Stalled,
        };
        let stages = if info.stages.is_empty() {
            vec![Stage { solver: info.solver.to_owned(), iterations: info.iterations as u64, residual: info.error(), status }]
        } else {
            info.stages
                .iter()
                .map(|s| Stage { solver: s.name.to_owned(), iterations: s.iterations as u64, residual: s.error, status })
                .collect()
        };
        let books = BookInput {
            setup,
            step,
            bodies: &self.bodies,
            forces: &self.forces,
            before: &prev.kinematics,
            after: &next.kinematics,
            landed: self.joints.landed(),
            network: &next.network,
            growth: &self.assembly.growth,
            growth_spin,
            works: &self.assembly.works,
            stored: (prev.stored, next.stored),
            held: self.hold.work,
            joints: &self.joints.works,
            stored_joints: (
                self.joints.stored(&prev.kinematics, &prev.joints),
                self.joints.stored(&next.kinematics, &next.joints),
            ),
            turning: &next.turning,
            explicit: explicit.map(|(scheme, times)| Leap { times, mean: &scheme.motion.mean, centres: &scheme.centres }),
            deformables: (!self.deformables.is_empty()).then_some(&self.deformables.totals),
            cell: self
                .cell
                .as_ref()
                .zip(cell)
                .map(|(moving, cell)| moving.book(cell, &prev.kinematics.cell, &next.kinematics.cell, step.h)),
        };
        let energy = books.energy();
        let warnings = self.energy_warning(&next.network, energy.scale);
        SolveReport {
            status,
            iterations: info.iterations as u64,
            residual: info.error(),
            tolerance: self.settings.tolerance,
            stages,
            worst: if status == Status::Converged {
                String::new()
            } else if let Some(lost) = explicit.and_then(|(scheme, _)| scheme.words()) {
                lost
            } else {
                worst::describe(info, |k| self.assembly.active.get(k).copied().unwrap_or(usize::MAX), &next.network, setup)
            },
            balances: vec![books.momentum(), energy],
            numbers: self.counts(info, step, next, explicit.map(|(scheme, _)| scheme.done), cell),
            warnings,
            watched: Vec::new(),
            phases: Vec::new(),
        }
    }

    /// The numbers of [`Physics::numbers`].
    fn counts(
        &self,
        info: &SolveInfo,
        step: &Step,
        next: &ContactState,
        done: Option<(usize, f64)>,
        cell: Option<&CellStep>,
    ) -> Vec<(&'static str, f64)> {
        let mut out = vec![
            ("contacts_active", self.assembly.active.len() as f64),
            ("contacts_late", self.nearing.late() as f64),
            ("pairs_held", self.hold.count as f64),
            ("contact_updates", info.contact_updates as f64),
            ("violation", info.violation.map_or(0.0, |v| v.speed)),
            ("force_error", info.violation.map_or(0.0, |v| v.force)),
        ];
        if let Some((passes, distance)) = done {
            out.push(("passes", passes as f64));
            out.push(("configuration_error", distance));
        }
        if self.remembers {
            let mut memory = Cursor::new(&next.memory, |r| &r.key);
            let (mut bonds, mut damage) = (0.0, 0.0);
            for contact in next.network.iter() {
                let Some(kept) = memory.find(&contact.key) else { continue };
                let Some(law) = self.laws.law(contact.law).memory() else { continue };
                let tally = law.tally(&kept.recall(&contact.frame, 0.0));
                bonds += f64::from(u8::from(tally.bonded));
                damage += if tally.bonded { tally.damage } else { 0.0 };
            }
            out.push(("bonds", bonds));
            out.push(("bond_damage", if bonds > 0.0 { damage / bonds } else { 0.0 }));
            out.push(("damage_stages", self.assembly.stages as f64));
        }
        out.extend(self.joints.numbers(step.h, &next.kinematics, &next.joints));
        if let (Some(moving), Some(cell)) = (&self.cell, cell) {
            out.extend(moving.numbers(cell, &next.kinematics.cell, step.h));
        }
        out
    }

    /// Newton restitution with friction can create energy (Kane's paradox): said once, the books have the numbers.
    fn energy_warning(&self, network: &ContactNetwork, scale: f64) -> Vec<String> {
        let closing =
            network.iter().filter(|c| c.u_before.x < 0.0 && matches!(self.laws.law(c.law).restitution(), Restitution::Velocity));
        let made: f64 = closing.map(|c| c.heat_friction + c.heat_impact).sum();
        if made >= -(1e-9 + 10.0 * self.settings.tolerance) * scale {
            return Vec::new();
        }
        vec!["impacts created energy: Newton restitution with friction can (Kane's paradox); see w_friction and w_impact in history.csv".to_owned()]
    }
}

impl Physics for ContactDynamics {
    const NAME: &'static str = "Contact";
    type Params = ContactParams;
    type State = ContactState;

    fn build(params: ContactParams, setup: &Setup) -> Result<Self, InputError> {
        let shapes = setup.part::<Shapes>()?;
        let registry = setup.part::<LawRegistry>()?;
        let loads = Loads::build(setup)?;
        let mut bodies = BodyConstants::of_setup(setup, &loads);
        let groups = GroupMobility::of_setup(setup, &loads);
        let method = Method {
            name: Self::NAME,
            other: SmoothContact::NAME,
            other_laws: setup.part::<SmoothLawRegistry>().map(|r| r.names().collect()).unwrap_or_default(),
            example: "Coulomb(friction: 0.3)",
        };
        let laws = LawTable::build(setup, &registry, &method, |a, b| groups.can_meet(a, b))?;
        let warnings = unknown_meetings(setup, &shapes, &laws);
        let solver = solver_by_name(&params.solver)
            .map_err(|e| InputError::new(e.to_string()).at(params.solver.as_str()).help("see `mpcd doc contact`"))?;
        laws.check_solver(setup, &*solver)?;
        let explicit = match params.scheme {
            Scheme::MoreauJean => None,
            Scheme::Explicit { damping, passes, accuracy } => {
                laws.check_displacements(setup)?;
                Some(Box::new(Explicit::new(damping.si(), passes.get(), accuracy.si())))
            }
        };
        let cell = Cell::build(setup, &loads, &shapes)?.map(Arc::new);
        if cell.is_some() && !solver.takes_cells() {
            let message = format!(
                "the solver `{}` cannot carry a cell whose lengths move; expected `auto`, `nlgs-accelerated` or `nlgs`",
                solver.name()
            );
            return Err(InputError::new(message).help("remove `solver`: the default can").at("solver"));
        }
        if let (Some(_), Some(moving)) = (&explicit, &setup.cell) {
            let error = InputError::new(
                "explicit steps are made in a cell of fixed lengths, but here its lengths follow a stress or a rate",
            );
            return Err(error.help("remove `scheme`, or `stress` and `rate` from `periodic`").within(&moving.text));
        }
        let joints = Joints::new(joint::build(setup, &loads)?, &mut bodies, |i| loads.drives_spin(i));
        if !joints.is_empty() && !solver.takes_joints() {
            let message = format!(
                "the solver `{}` works on the condensed problem, which has no joints; expected `auto`, `nlgs-accelerated`, `nlgs` or `jacobi`",
                solver.name()
            );
            return Err(InputError::new(message).help("remove `solver`: the default takes joints").at("solver"));
        }
        if explicit.is_some() && !joints.is_empty() {
            return Err(InputError::new("`scheme: Explicit` has no joints yet, but the model has some")
                .at("scheme")
                .help("remove `joints`, or write Contact(scheme: MoreauJean)"));
        }
        let (mut deformables, sides) = Deformables::build(&params.deformable, setup, &shapes)?;
        let tolerance = params.tolerance(!deformables.is_empty());
        deformables.agree_to(tolerance);
        deformables.check(setup, &shapes, &loads, &laws)?;
        if explicit.is_some() && !deformables.is_empty() {
            return Err(InputError::new("`scheme: Explicit` moves rigid bodies only, but the model has deformable ones")
                .at("scheme")
                .help("write Contact(scheme: MoreauJean, deformable: (scheme: Explicit))"));
        }
        let detector = detector_apart_from(setup, &shapes, &loads, &laws, joints.together())?;
        let watch = Watch::build(&params.watch, setup, &shapes, &loads, &laws)?;
        let length = shapes.0.iter().map(|s| s.smallest_length(setup.dimension).unwrap_or(f64::INFINITY)).collect();
        let hold = Hold::new(length, &bodies, &joints.bodies(bodies.len()));
        let smallest_radius = shapes.0.iter().filter_map(|s| s.bounding_radius(setup.dimension)).fold(f64::INFINITY, f64::min);
        let smallest_radius = if smallest_radius.is_finite() { smallest_radius } else { 1.0 };
        let periods = CellMotion { lengths: setup.periods, ..CellMotion::default() };
        let cell_columns = cell.as_ref().map_or_else(Vec::new, |cell| cell.columns(&periods));
        let alert = Alert::new(&shapes, setup.dimension, smallest_radius, params.alert.map(|a| a.si()));
        // A bond that its law ends at its range is seen there once more, whatever the last bit of the gap.
        let reach = if laws.reach() > 0.0 { laws.reach() + alert.margin } else { 0.0 };
        let mut assembly = Assembly::default();
        assembly.sides = sides;
        assembly.problem.dimension = match setup.dimension {
            Dimension::Planar => ContactDimension::Two,
            Dimension::Spatial => ContactDimension::Three,
        };
        Ok(Self {
            loads,
            bodies,
            reach,
            remembers: laws.any(|law| law.memory().is_some()),
            wears: laws.any(|law| law.wear().is_some()),
            laws: Arc::new(laws),
            joints,
            cell,
            cell_columns,
            deformables,
            detector,
            solver,
            settings: SolveSettings { tolerance, max_iterations: params.max_iterations, order: params.order.into() },
            observer: setup.part::<ProblemObserver>().ok(),
            alert,
            warm_start: params.warm_start,
            warnings,
            smallest_radius,
            explicit,
            assembly,
            nearing: Nearing::default(),
            hold,
            centres: Vec::new(),
            watch,
            forces: Forces::default(),
            free_spin: Vec::new(),
        })
    }

    fn initial_state(&self, setup: &Setup) -> ContactState {
        let mut kinematics = self.loads.start(setup);
        let deformables = self.deformables.start(setup);
        self.deformables.start_kinematics(&deformables, &mut kinematics);
        if let Some(cell) = &self.cell {
            cell.start(&mut kinematics.cell);
        }
        ContactState {
            kinematics,
            joints: vec![joint::JointState::default(); self.joints.all.len()],
            deformables,
            nodal: self.deformables.no_forces(),
            worn: if self.wears { vec![0.0; setup.bodies.len()] } else { Vec::new() },
            ..ContactState::default()
        }
    }

    fn ports(&self) -> Vec<Port> {
        let mut ports = Given::ports();
        ports.push(FreeStrain::port());
        if self.wears {
            ports.push(WORN.into());
        }
        ports
    }

    fn world<'a>(&self, state: &'a ContactState) -> Option<World<'a>> {
        Some(World { kinematics: &state.kinematics, network: &state.network })
    }

    fn meshes(&self, state: &ContactState, wanted: &[MeshQuantity]) -> Vec<MeshView> {
        self.deformables.views(&state.deformables, &state.nodal, wanted)
    }

    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    fn numbers(&self) -> Vec<&'static str> {
        let mut out = vec!["contacts_active", "contacts_late", "pairs_held", "contact_updates", "violation", "force_error"];
        if self.explicit.is_some() {
            out.extend(["passes", "configuration_error"]);
        }
        if self.remembers {
            out.extend(["bonds", "bond_damage", "damage_stages"]);
        }
        out.extend(self.joints.columns());
        out.extend(&self.cell_columns);
        out
    }

    fn drop_caches(&mut self) {
        self.detector.drop_caches();
        self.assembly.drop_caches();
        self.nearing = Nearing::default();
        self.deformables.drop_caches();
        self.joints.drop_caches();
        self.forces = Forces::default();
        self.free_spin = Vec::new();
        if let Some(scheme) = &mut self.explicit {
            scheme.drop_caches();
        }
        // The name was found when the module was built.
        if let Ok(solver) = solver_by_name(self.solver.name()) {
            self.solver = solver;
        }
    }

    fn advance(
        &mut self,
        step: &Step,
        prev: &ContactState,
        next: &mut ContactState,
        inputs: &Inputs<'_>,
        outputs: &mut Outputs,
    ) -> Result<SolveReport, SolveError> {
        let report = self.step(step, prev, next, inputs).map_err(|e| SolveError::new(Self::NAME, e))?;
        if self.wears {
            outputs.write(WORN)?.copy_from_slice(&next.worn);
        }
        Ok(report)
    }
}
