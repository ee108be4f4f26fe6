//! A simulation: modules, fields, books and clock, built from a model and ready to step. How a step runs is in `step`.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use mpcd_core::{
    Access, BodyId, ContactKey, ContactNetwork, Dimension, FieldSpec, FieldStore, Fragment, GridSpec, InputError, MeshArray,
    MeshQuantity, MeshView, Module, Outputs, Port, Setup, Support, Vec3, World, field::SupportSizes, input::Place, module::Which,
    port::Edge,
};
use mpcd_geometry::{Overlap, Shape, Shapes, overlaps};

use crate::{
    adapt,
    books::Books,
    clock::Clock,
    counters::Counters,
    coupling::{self, Cycle, Member},
    frames::DERIVED,
    model::{Model, ModelErrors, errors::Collect},
    pace::{Gathered, Instead, Pace},
    probes::{Distribution, Known, Probe, View},
    registry::Registry,
    relax::Relaxer,
    setup,
    step::take_over,
    together::{grids_and_contacts_follow_bodies, one_grid, one_world},
};

/// Contacts from which on memory is given back while a frame is written: some dozen megabytes, made again in less time than the frame takes.
const LARGE: usize = 16_384;

/// A module and what the loop keeps for it.
pub(crate) struct Slot {
    pub(crate) module: Box<dyn Module>,
    pub(crate) ports: Vec<Port>,
    pub(crate) outputs: Outputs,
    /// Time spent in it.
    pub(crate) wall: Duration,
    /// Wall time of the parts the module tells apart.
    pub(crate) phases: BTreeMap<&'static str, Duration>,
    /// How often it runs, what it reads otherwise than the run has it, and whether it let the step under way pass.
    pub(crate) pace: Pace,
    pub(crate) instead: Instead,
    pub(crate) waits: bool,
    /// What it did not see yet: accepted, and of the step under way.
    pub(crate) gathered: Gathered,
    pub(crate) gathering: Gathered,
}

/// A simulation, at the end of its last accepted step.
pub struct Simulation {
    pub(crate) model: Model,
    pub(crate) setup: Setup,
    pub(crate) shapes: Arc<Shapes>,
    /// In the order they run.
    pub(crate) slots: Vec<Slot>,
    /// Which of them owns bodies and contacts.
    pub(crate) owner: Option<usize>,
    pub(crate) edges: Vec<Edge>,
    /// Edges that are switched off.
    pub(crate) off: Vec<Edge>,
    /// Exchanged fields whose change limits the step, and the largest that is accepted.
    pub(crate) limits: Vec<(FieldSpec, f64)>,
    pub(crate) cycle: Option<(Cycle, Relaxer)>,
    pub(crate) grid: Option<GridSpec>,
    /// Fields of the last accepted step.
    pub(crate) fields: FieldStore,
    pub(crate) work: Work,
    pub(crate) clock: Clock,
    pub(crate) books: Books,
    pub(crate) counters: Counters,
    pub(crate) probes: Vec<Probe>,
    pub(crate) distributions: Vec<Distribution>,
    pub(crate) smallest_radius: f64,
    /// Nodes of the meshes of all deformable bodies.
    nodes: usize,
    /// Elements of all meshes.
    elements: usize,
    /// Length of the last accepted step (s).
    pub(crate) last_h: f64,
    /// Laws under which bodies pass through each other.
    passing_laws: Vec<&'static str>,
}

impl std::fmt::Debug for Simulation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let modules: Vec<_> = self.slots.iter().map(|s| s.module.name()).collect();
        f.debug_struct("Simulation").field("modules", &modules).field("time", &self.time()).finish_non_exhaustive()
    }
}

/// Buffers of the step under way. Nothing here outlives a step.
#[derive(Default)]
pub(crate) struct Work {
    /// Fields of the step under way.
    pub(crate) trial: FieldStore,
    /// Fields at the start of the coupling cycle.
    pub(crate) cycle_start: FieldStore,
    /// No contacts, where no module owns any.
    pub(crate) none: ContactNetwork,
    /// Whether a step was begun and not accepted since the names below were those of the accepted one.
    pub(crate) is_under_way: bool,
    /// Whether somebody asks which contacts rows belong to: contact fields, a coupling cycle, modules at other paces. Without, names are not held.
    pub(crate) names: bool,
    /// Contacts to which the rows of `trial` belong: how many, and their names.
    pub(crate) contacts: usize,
    pub(crate) keys: Vec<ContactKey>,
    pub(crate) cycle_keys: Vec<ContactKey>,
    pub(crate) new_keys: Vec<ContactKey>,
}

impl Simulation {
    /// Builds every module of the model, checks their ports, and stands at t = 0.
    ///
    /// # Errors
    /// Everything that is wrong in the model, each with its place.
    pub fn build(model: &Model, registry: &Registry) -> Result<Self, ModelErrors> {
        let mut errors = Collect::default();
        let mut setup = setup::build(model, registry, &mut errors);
        let modules = build_modules(model, registry, &setup, &mut errors);
        if !errors.is_empty() {
            return Err(model.errors(errors.finish()));
        }
        Self::assemble(model, &mut setup, modules, registry.passing_laws().to_vec()).map_err(|e| model.errors(e))
    }

    fn assemble(
        model: &Model,
        setup: &mut Setup,
        modules: Vec<Box<dyn Module>>,
        passing_laws: Vec<&'static str>,
    ) -> Result<Self, Vec<InputError>> {
        let placed = |errors: Vec<InputError>| errors.into_iter().map(|e| place(e, model)).collect::<Vec<_>>();
        let members: Vec<Member> = modules.iter().map(|m| member(m.as_ref())).collect();
        one_world(&members, model).map_err(&placed)?;
        let grid = one_grid(&modules).map_err(&placed)?;
        grids_and_contacts_follow_bodies(&modules, &members).map_err(&placed)?;
        let plan = coupling::plan(&members, model.coupling.as_ref(), &model.text).map_err(&placed)?;
        let mut modules: Vec<Option<Box<dyn Module>>> = modules.into_iter().map(Some).collect();
        let mut slots: Vec<Slot> = plan.order.iter().filter_map(|i| modules[*i].take()).map(slot).collect();
        for (place, (slot, pace)) in slots.iter_mut().zip(&plan.paces).enumerate() {
            slot.pace = *pace;
            if matches!(pace, Pace::Substeps(_)) {
                slot.hand_on(plan.edges.iter().filter(|e| e.from == place && e.to != place).map(|e| e.field));
            }
            if matches!(pace, Pace::Every(_)) {
                let read = plan.edges.iter().filter(|e| e.to == place && e.from != place).map(|e| e.field);
                slot.instead.averaged = read.collect();
                slot.instead.remembered = slot.own().filter(|f| f.support == Support::Contact).collect();
            }
        }
        let specs: Vec<FieldSpec> = slots.iter().flat_map(|s| coupling::written(&s.ports)).collect();
        let mut errors = Collect::default();
        let numbers: Vec<&'static str> = slots.iter().flat_map(|s| s.module.numbers()).collect();
        let owner = slots.iter().position(|s| s.module.world(Which::Accepted).is_some());
        let meshes = owner.map_or_else(Vec::new, |k| slots[k].module.meshes(&[]));
        let known = Known { fields: &specs, numbers: &numbers, meshes: &meshes };
        let probes = Probe::all(&model.output.probes, &known, setup, &model.text, &mut errors);
        let distributions = Distribution::all(&model.output.distributions, &specs, setup, &model.text, &mut errors);
        let given = |q: &&MeshQuantity| q.field().is_none_or(|field| specs.iter().any(|s| s.name == field));
        let of_meshes =
            MeshQuantity::ALL.iter().filter(given).map(|q| q.name()).filter(|q| !meshes.is_empty() && !DERIVED.contains(q));
        let known = || specs.iter().map(|s| s.name).chain(DERIVED).chain(of_meshes.clone());
        for word in model.output.fields.iter().flatten().filter(|w| !known().any(|k| k == w.text)) {
            errors.push(InputError::unknown("field", &word.text, known()).span(word.piece.of(&model.text).span()));
        }
        let written: Vec<_> = slots.iter().flat_map(|s| coupling::written(&s.ports).map(|field| (field, s.pace))).collect();
        let limits = adapt::limits(model, &written, &mut errors);
        if !errors.is_empty() {
            return Err(errors.finish());
        }
        let shapes = setup.part::<Shapes>().map_err(|e| placed(vec![e]))?;
        setup.across = slots.iter().filter_map(|s| s.module.across()).collect();
        let cycle = plan.cycle.map(|c| {
            let exchanged = specs.iter().copied().filter(|s| c.exchanged.contains(&s.name));
            let relaxer = Relaxer::new(c.relaxation, exchanged);
            (c, relaxer)
        });
        let smallest_radius = smallest_radius(&shapes, setup.dimension);
        let mut out = Self {
            model: model.without_places(),
            setup: std::mem::take(setup),
            shapes,
            slots,
            owner,
            edges: plan.edges,
            off: plan.off,
            limits,
            cycle,
            grid,
            fields: FieldStore::default(),
            work: Work::default(),
            clock: Clock::new(&model.time),
            books: Books::default(),
            counters: Counters::default(),
            probes,
            distributions,
            smallest_radius,
            nodes: meshes.iter().map(|m| m.points.len()).sum(),
            elements: meshes.iter().map(|m| m.topology.cells.len()).sum(),
            last_h: model.time.step.si(),
            passing_laws,
        };
        out.work.names = out.cycle.is_some()
            || specs.iter().any(|s| s.support == Support::Contact)
            || out.slots.iter().any(|s| !matches!(s.pace, Pace::Each) || s.own().any(|f| f.support == Support::Contact));
        out.refresh();
        out.fields = FieldStore::new(specs, &out.sizes(out.work.contacts));
        out.start_fields().map_err(|e| placed(vec![e]))?;
        if let Some((_, relaxer)) = &mut out.cycle {
            relaxer.stand_at(&out.fields);
        }
        out.hold();
        out.work.trial = out.fields.clone();
        out.work.cycle_start = out.fields.clone();
        Ok(out)
    }

    /// Asks every module what its fields hold before the first step.
    fn start_fields(&mut self) -> Result<(), InputError> {
        let sizes = self.sizes(self.work.contacts);
        for place in 0..self.slots.len() {
            let Some((slot, owner)) = beside(&mut self.slots, self.owner, place) else { continue };
            let still = World { kinematics: &self.setup.initial, network: &self.work.none };
            let world = owner.and_then(|o| o.module.world(Which::Accepted)).unwrap_or(still);
            let name = slot.module.name();
            slot.outputs.reset(&sizes);
            slot.module
                .initial_fields(&self.setup, world, &mut slot.outputs)
                .map_err(|e| InputError::new(format!("the start of module `{name}` cannot be stated: {}", e.source)).at(name))?;
            let told = |what| InputError::new(format!("{what} of module `{name}` is not a finite number at the start")).at(name);
            take_over(&mut slot.outputs, &mut self.fields).map_err(told)?;
        }
        Ok(())
    }

    /// Keeps the fields of the start for edges that are switched off.
    fn hold(&mut self) {
        for (place, slot) in self.slots.iter_mut().enumerate() {
            let specs = self.off.iter().filter(|e| e.to == place).map(|e| e.field);
            slot.instead.held = self.fields.only(specs);
            slot.instead.held_keys.clone_from(&self.work.keys);
            let read = slot.ports.iter().filter(|p| p.access == Access::Lagged && p.field.support != Support::Contact);
            slot.instead.start = self.fields.only(read.map(|p| p.field));
        }
    }

    /// Takes over the names of the contacts of the accepted state.
    pub(crate) fn refresh(&mut self) {
        let mut keys = std::mem::take(&mut self.work.keys);
        keys.clear();
        let network = self.world().network;
        let contacts = network.len();
        if self.work.names {
            keys.extend(network.iter().map(|c| c.key));
        }
        (self.work.keys, self.work.contacts) = (keys, contacts);
    }

    pub(crate) fn sizes(&self, contacts: usize) -> SupportSizes {
        let cells = self.grid.map_or(0, |g| g.len());
        SupportSizes {
            bodies: self.setup.bodies.len(),
            contacts,
            cells,
            nodes: self.nodes,
            elements: self.elements,
            joints: self.setup.joints.len(),
        }
    }

    /// The model it was built from; the bodies of its packings are in the set-up alone.
    #[must_use]
    pub const fn model(&self) -> &Model {
        &self.model
    }

    /// Bodies, groups, materials.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Shapes at reference size, one per body.
    #[must_use]
    pub const fn shapes(&self) -> &Arc<Shapes> {
        &self.shapes
    }

    /// The meshes of the deformable bodies at the end of the last accepted step, with all that their nodes carry.
    #[must_use]
    pub fn meshes(&self) -> Vec<MeshView> {
        self.meshes_with(&MeshQuantity::ALL)
    }

    /// The same with some of it: stress and what comes with it take time.
    #[must_use]
    pub fn meshes_with(&self, wanted: &[MeshQuantity]) -> Vec<MeshView> {
        let slot = self.owner.and_then(|k| self.slots.get(k));
        let mut meshes = slot.map_or_else(Vec::new, |slot| slot.module.meshes(wanted));
        for quantity in MeshQuantity::ALL.into_iter().filter(|q| wanted.contains(q)) {
            let Some(values) = quantity.field().and_then(|field| self.fields.get(field)) else { continue };
            let (components, mut rest) = (quantity.components(), values);
            for mesh in &mut meshes {
                let (own, others) = rest.split_at(rest.len().min(mesh.points.len() * components));
                rest = others;
                mesh.arrays.push(MeshArray { name: quantity.name(), components, values: own.to_vec() });
            }
        }
        meshes
    }

    /// Bodies and contacts at the end of the last accepted step.
    #[must_use]
    pub fn world(&self) -> World<'_> {
        let still = World { kinematics: &self.setup.initial, network: &self.work.none };
        self.owner.and_then(|o| self.slots[o].module.world(Which::Accepted)).unwrap_or(still)
    }

    /// The accepted step as probes look at it; `h` is its length (s), `meshes` its deformable bodies.
    pub(crate) fn view<'a>(&'a self, h: f64, meshes: &'a [MeshView]) -> View<'a> {
        let (setup, shapes, world) = (&self.setup, &*self.shapes, self.world());
        View { setup, shapes, world, meshes, fields: &self.fields, h, periods: world.kinematics.cell.lengths }
    }

    /// Fields at the end of the last accepted step.
    #[must_use]
    pub const fn fields(&self) -> &FieldStore {
        &self.fields
    }

    /// The books since the start.
    #[must_use]
    pub const fn books(&self) -> &Books {
        &self.books
    }

    /// What was counted since the start.
    #[must_use]
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The grid of the grid fields, if a module has one.
    #[must_use]
    pub const fn grid(&self) -> Option<GridSpec> {
        self.grid
    }

    /// Accepted steps.
    #[must_use]
    pub const fn steps(&self) -> u64 {
        self.clock.position.accepted
    }

    /// Time reached (s).
    #[must_use]
    pub fn time(&self) -> f64 {
        self.clock.time()
    }

    /// Time at which the model ends (s).
    #[must_use]
    pub fn end(&self) -> f64 {
        self.model.time.end.si()
    }

    /// Number of steps of the whole run, halved ones not counted.
    #[must_use]
    pub const fn step_count(&self) -> u64 {
        self.clock.count()
    }

    /// Whether the end of the model is reached.
    #[must_use]
    pub const fn finished(&self) -> bool {
        self.clock.finished()
    }

    /// Modules give back what the next step makes again, before something is written that takes room for each contact; a small run keeps it.
    pub(crate) fn release(&mut self) {
        if self.world().network.len() >= LARGE {
            self.slots.iter_mut().for_each(|s| s.module.release());
        }
    }

    /// Values of a field at the end of the last accepted step, row by row; `None` when nobody writes it.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&[f64]> {
        self.fields.get(name)
    }

    /// Drops the caches of all modules; no later bit may change.
    pub fn drop_caches(&mut self) {
        self.slots.iter_mut().for_each(|s| s.module.drop_caches());
    }

    /// Names of the modules in the order they run.
    pub fn modules(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.slots.iter().map(|s| s.module.name())
    }

    /// Interacting bodies that overlap now by more than `tolerance` (m).
    ///
    /// # Errors
    /// What the geometry says about shapes and positions.
    pub fn overlaps(&self, tolerance: f64) -> Result<Vec<Overlap>, mpcd_geometry::GeometryError> {
        let groups = self.setup.bodies.group.clone();
        let interactions = self.setup.interactions.iter();
        let listed: Vec<_> = interactions.filter(|i| !self.passing_laws.contains(&i.law.name())).map(|i| i.groups).collect();
        // What has no volume cannot overlap its like.
        let thin: Vec<bool> = self.shapes.0.iter().map(|s| matches!(s, Shape::Plane { .. } | Shape::Segment { .. })).collect();
        let interact = move |a: BodyId, b: BodyId| {
            let (a, b) = (a.index(), b.index());
            let pair = (groups[a], groups[b]);
            !(thin[a] && thin[b]) && listed.iter().any(|l| *l == pair || (l.1, l.0) == pair)
        };
        let mut found = overlaps(&self.shapes, self.setup.dimension, interact, self.world().kinematics, tolerance)?;
        if self.steps() == 0 {
            let of_meshes = self.slots.iter().flat_map(|s| s.module.overlaps_at_start());
            found.extend(of_meshes.map(|([a, b], depth)| Overlap { a, b, depth }).filter(|o| o.depth > tolerance));
        }
        Ok(found)
    }
}

/// The module at `place`, and the one that owns the bodies where that is another.
pub(crate) fn beside(slots: &mut [Slot], owner: Option<usize>, place: usize) -> Option<(&mut Slot, Option<&Slot>)> {
    let (left, rest) = slots.split_at_mut_checked(place)?;
    let (slot, right) = rest.split_first_mut()?;
    let owner = owner.and_then(|o| if o < place { left.get(o) } else { right.get(o.checked_sub(place + 1)?) });
    Some((slot, owner))
}

/// Gives an error about a module the place where `physics` lists it; anything else is looked for in the whole text.
fn place(error: InputError, model: &Model) -> InputError {
    let listed = |name: &str| model.physics.iter().find(|f| f.name() == name);
    let module = if let Place::Text(name) = &error.place { listed(name).map(Fragment::name_span) } else { None };
    match module {
        Some(span) => error.span(span),
        None => error.within(&Fragment::whole(model.text.clone())),
    }
}

fn build_modules(model: &Model, registry: &Registry, setup: &Setup, errors: &mut Collect) -> Vec<Box<dyn Module>> {
    let mut out: Vec<Box<dyn Module>> = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    for fragment in &model.physics {
        if seen.contains(&fragment.name()) {
            let error = InputError::new(format!("the module `{}` is listed twice; expected each once", fragment.name()));
            errors.push(error.help("remove one of the two").within(fragment));
            continue;
        }
        seen.push(fragment.name());
        let built = registry.entry(fragment).and_then(|entry| (entry.build)(fragment, setup));
        out.extend(errors.keep(built.map_err(|e| e.within(fragment))));
    }
    out
}

fn member(module: &dyn Module) -> Member {
    Member {
        name: module.name(),
        ports: module.ports(),
        world: module.world(Which::Accepted).is_some(),
        wants_iteration: module.wants_iteration(),
    }
}

fn slot(module: Box<dyn Module>) -> Slot {
    let ports = module.ports();
    Slot {
        outputs: Outputs::for_ports(module.name(), &ports),
        ports,
        module,
        wall: Duration::ZERO,
        phases: BTreeMap::new(),
        pace: Pace::Each,
        instead: Instead::default(),
        waits: false,
        gathered: Gathered::default(),
        gathering: Gathered::default(),
    }
}

/// The smallest radius, by which penetrations are judged: of balls and discs, or else half the thinnest edge of a box or of the box
/// around another body.
fn smallest_radius(shapes: &Shapes, dimension: Dimension) -> f64 {
    let round = shapes.0.iter().filter_map(Shape::radius).fold(f64::INFINITY, f64::min);
    if round.is_finite() {
        return round;
    }
    let axes = if dimension == Dimension::Planar { 2 } else { 3 };
    let thinnest = |half: Vec3| (0..axes).map(|k| half[k]).filter(|h| *h > 0.0).fold(f64::INFINITY, f64::min);
    let others = shapes.0.iter().map(|s| match s {
        Shape::Box { half } => thinnest(*half),
        Shape::Solid(solid) => thinnest((solid.bounds()[1] - solid.bounds()[0]) * 0.5),
        Shape::Ball { .. } | Shape::Disc { .. } | Shape::Plane { .. } | Shape::Segment { .. } => f64::INFINITY,
    });
    others.fold(f64::INFINITY, f64::min)
}
