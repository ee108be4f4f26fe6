//! The physics module: contact network, Joule power and boundary → temperatures, heat flows, sizes.
//! The links, the laws, the boundary, the sources, the book and the solver live in their own rooms.

mod fluid;
mod links;
mod rounds;
mod state;

use mpcd_core::{
    BodyId, Dimension, InputError, Inputs, JointPaths, MaterialId, OptionalPort, Outputs, PairLaws, Patches, PerBody, PerContact,
    PerElement, PerNode, Physics, Port, PortMisuse, ReadPort, Scalar, Setup, SolveError, SolveReport, Status, Step, Unit, Vector,
    World, WritePort, field::names,
};
use mpcd_sparse::uneven;

pub use state::State;

use crate::{
    boundary::Boundary,
    error::ThermalError,
    facing::Tilted,
    gas::GasGap,
    joints,
    law::{ConductionLaw, ConductionLaws, Grows, conduction_laws},
    material::Materials,
    meshes::Meshes,
    network::{HeatNetwork, Node},
    params::{Coupling, Params},
    report::{self, Given, NUMBERS},
    solve::{HeatSolver, Method, Outcome, SolverSettings},
    sources::{GivenHeat, add_sources},
    surroundings::Surroundings,
};

const TEMPERATURE: WritePort<Scalar, PerBody> = WritePort::new(names::TEMPERATURE, Unit::TEMPERATURE);
const HEAT: WritePort<Scalar, PerContact> = WritePort::new(names::HEAT, Unit::POWER);
const SIZE_FACTOR: WritePort<Scalar, PerBody> = WritePort::new(names::SIZE_FACTOR, Unit::ONE).starting_at(1.0);
const NODE_TEMPERATURE: WritePort<Scalar, PerNode> = WritePort::new(names::NODE_TEMPERATURE, Unit::TEMPERATURE);
const HEAT_FLUX: WritePort<Vector, PerElement> = WritePort::new(names::HEAT_FLUX, Unit::HEAT_FLUX);
const FREE_STRAIN: WritePort<Scalar, PerNode> = WritePort::new(names::FREE_STRAIN, Unit::ONE);
const FREE_STRAIN_FACTOR: WritePort<Scalar, PerElement> = WritePort::new(names::FREE_STRAIN_FACTOR, Unit::ONE).starting_at(1.0);
const JOULE_POWER: OptionalPort<Scalar, PerContact> = ReadPort::fresh(names::JOULE_POWER, Unit::POWER).optional();
const JOULE_SHARE: OptionalPort<Scalar, PerContact> = ReadPort::fresh(names::JOULE_SHARE, Unit::ONE).optional();
const NODE_JOULE_POWER: OptionalPort<Scalar, PerNode> = ReadPort::fresh(names::NODE_JOULE_POWER, Unit::POWER).optional();
/// Area over which the bonds of the contacts hold.
const BONDED_AREA: ReadPort<Scalar, PerContact> =
    ReadPort::fresh(names::BONDED_AREA, Unit::AREA).made_by("a law of contact that bonds, as `Bilinear(…)` or `MohrCoulomb(…)`");
/// Radius of the necks that laws of sintering remember.
const NECK: WritePort<Scalar, PerContact> = WritePort::new(names::NECK, Unit::LENGTH);
const ADHESION: OptionalPort<Scalar, PerContact> = ReadPort::fresh(names::ADHESION, Unit::FORCE).optional();
const HEAT_SOURCE: OptionalPort<Scalar, PerBody> = ReadPort::fresh(names::HEAT_SOURCE, Unit::POWER).optional();

/// Temperature of all bodies at the start, unless the model says so (K).
const ROOM: f64 = 293.15;

/// The thermal module.
#[derive(Debug)]
pub struct Thermal {
    laws: PairLaws<dyn ConductionLaw>,
    gas: Option<GasGap>,
    coupling: Coupling,
    /// Whether neighbours exchange radiation.
    radiation: bool,
    /// Whether the pore fluid exchanges heat with the bodies.
    pore_fluid: bool,
    /// Time of heat over that of the mechanics, and steps of the mechanics to one in which temperatures move.
    time_scale: f64,
    every: u32,
    materials: Materials,
    /// Capacities of held nodes beside free ones, see [`report::beside`].
    beside: Vec<f64>,
    /// What the heat in held bodies rounds to (J): less is no flow.
    rounding: f64,
    meshes: Meshes,
    joints: JointPaths,
    /// Whether nodes of meshes are given the strain of their temperature.
    strains: bool,
    /// Whether materials of one mesh do so differently.
    strains_unevenly: bool,
    boundary: Boundary,
    settings: SolverSettings,
    solver: HeatSolver,
    network: HeatNetwork,
    /// Bodies with a thermal material but neither mass nor a held temperature, for a warning.
    insulated: usize,
    /// Whether some contact pushes and the law lets it conduct nothing.
    dead: bool,
    /// Faces of the step that are not level, and whether something has no size by which it sees the other.
    tilted: Vec<Tilted>,
    unseen: bool,
    /// Whether some spot is wider than what touches there.
    wide: bool,
    // Buffers: caches that change no bit.
    push: Vec<f64>,
    touching: Vec<bool>,
    patches: Patches,
    /// The two bodies of each contact, and of each body whether heat can pass to and from it.
    sides: Vec<(BodyId, BodyId)>,
    passing: Vec<bool>,
    /// The sides of each contact as ends of the network.
    ends: Vec<[usize; 2]>,
    conductances: Vec<f64>,
    /// Temperature of each body and node for the properties of materials (K).
    temperatures: Vec<f64>,
    /// What each patch remembers, where its law does.
    remembered: Vec<f64>,
    /// Which neighbours see each other.
    surroundings: Surroundings,
    /// Heat that held nodes take since temperatures last moved (J).
    taken: Vec<f64>,
}

/// Mechanical steps from which on the rounding of the contact solver, which grows as the step, may be taken for heat (s).
const LONG: f64 = 100.0;

/// Said of contacts that push and conduct nothing.
const NO_AREA: &str = "contacts push and conduct no heat: sharp edges and corners have no area, so the spot of an elastic contact has no size there; \
    `Constant` goes by no area, and rounded bodies have a spot";

/// Said of pairs that see nothing of each other.
const UNSEEN: &str = "bodies within the alert distance look at each other with an edge or a corner, or with a face of which less than three corners are within it: no gas heat and no \
    radiation passes between them; a larger `alert` finds the corners of faces up to 45°, and rounded bodies have a size";

/// Said of spots that no half space has.
const WIDE: &str = "elastic spots of contacts are as wide as what touches there (R* or wider), where Hertz does not hold, nor what conducts by the spot: by constriction such a spot \
    counts as R* in the plane, between balls it grows on; check `young` and the forces";

/// Change of a body's size, as a part of it, beyond which its linear dilatation is said to be none that a material has: that of steel up to where it melts is 0.02.
const SWOLLEN: f64 = 0.1;

/// Said of long steps in which contacts made heat.
const NOISE: &str = "in steps this long the rounding of the contact solver counts as heat of friction: keep the steps of the mechanics short and give heat \
    its own time, as `time_scale: 1e6`, or switch `coupling: (friction: false, impact: false)`";

impl Thermal {
    /// Book, numbers and status of a step; without an outcome temperatures stayed.
    fn report(
        &self,
        outcome: Option<Outcome>,
        given: &Given,
        before: &[f64],
        after: &[f64],
        end: f64,
        setup: &Setup,
    ) -> SolveReport {
        let flows = self.solver.flows();
        let scale = outcome.as_ref().map_or(0.0, |o| o.scale) + self.rounding;
        let book = report::balance(&self.network, flows, scale, given, before, after);
        let mut numbers = report::numbers(&self.network, (after, &self.beside), given, end);
        if outcome.is_some() {
            numbers.extend(self.boundary.powers(&self.network, flows, &self.taken, given.moved));
        } else {
            numbers.extend(self.boundary.columns().into_iter().map(|name| (name, 0.0)));
        }
        match outcome {
            Some(outcome) => {
                let label = |node: usize| self.label(node, setup);
                let mut report = report::report(outcome, self.settings.tolerance, book, numbers, label);
                if report.status != Status::Converged {
                    let end = |end: usize| label(self.network.terms(end).next().map_or(end, |(node, _)| node));
                    let links = self.network.links.iter().map(|l| (l.ends, l.conductance));
                    report.worst.extend(uneven(links, "W/K", end).into_iter().flat_map(|why| ["; ".to_owned(), why]));
                }
                report
            }
            None => SolveReport { balances: vec![book], numbers, ..SolveReport::direct() },
        }
    }

    /// The name of the body of a node.
    fn label(&self, node: usize, setup: &Setup) -> String {
        setup.body_label(BodyId::from_index(self.meshes.body_of(node)))
    }

    fn check_sources(&self, setup: &Setup) -> Result<(), ThermalError> {
        match self.network.source.iter().position(|p| !p.is_finite()) {
            Some(node) => Err(ThermalError::Source { body: self.label(node, setup), power: self.network.source[node] }),
            None => Ok(()),
        }
    }

    /// Heats are numbers: huge conductances, powers and temperatures have none.
    fn check_range(&self, state: &State, setup: &Setup) -> Result<(), ThermalError> {
        let of_link = |k: usize| self.network.links[k].ends.0;
        let flows = &self.solver.flows().links;
        let at_node = || state.rise.iter().position(|rise| !(rise * rise).is_finite());
        let Some(node) = flows.iter().position(|flow| !flow.is_finite()).map(of_link).or_else(at_node) else { return Ok(()) };
        let most = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, |most: f64, v| most.max(v.abs()));
        let conductance = most(&mut self.network.links.iter().map(|l| l.conductance));
        let power = most(&mut self.network.source.iter().copied());
        let temperature = most(&mut self.temperatures.iter().copied());
        let body = self.label(node.min(self.network.base.len().saturating_sub(1)), setup);
        Err(ThermalError::Range { body, conductance, power, temperature })
    }

    /// No body is below absolute zero after a step of `moved` (s) that ends at `time`.
    fn check_temperatures(&self, state: &State, setup: &Setup, (time, moved): (f64, f64)) -> Result<(), ThermalError> {
        let temperature = |node: usize| self.network.base[node] + state.rise[node];
        let cold = || (0..state.rise.len()).filter(|node| temperature(*node) < 0.0);
        let Some(first) = cold().next() else { return Ok(()) };
        // What is drawn, and what the cold lack: where that is more, nothing cools them but digits that are lost.
        let drawn: f64 = self.network.source.iter().map(|power| (-power).max(0.0) * moved).sum();
        let lacks = |node: usize| -temperature(node) * self.network.capacity(node, state.rise[node]).unwrap_or(0.0);
        let lost = (drawn < cold().map(lacks).sum::<f64>()).then(|| {
            let conducts = self.network.links.iter().map(|l| l.conductance).filter(|c| *c > 0.0);
            conducts.fold([f64::INFINITY, 0.0], |[a, b], c| [a.min(c), b.max(c)])
        });
        Err(ThermalError::below_zero(self.label(first, setup), temperature(first), time, lost))
    }

    /// What is said of bodies whose dilatation is beyond what a linear expansion means: how many, and the one whose size changed most.
    fn swollen(&self, sizes: &[f64], setup: &Setup) -> Option<String> {
        let beyond = |size: f64| (size - 1.0).abs() > SWOLLEN;
        let count = sizes.iter().filter(|size| beyond(**size)).count();
        let change = |k: &(usize, &f64)| (k.1 - 1.0).abs();
        let (body, size) = sizes.iter().enumerate().max_by(|a, b| change(a).total_cmp(&change(b))).filter(|_| count > 0)?;
        Some(format!(
            "dilatation changes the size of {} to {size:.3} of what it was and that of {count} bodies in all by more than a tenth: \
             an `expansion` holds for parts of a hundred; check `expansion` and the temperatures, or switch `coupling: (dilatation: false)`",
            self.label(body, setup)
        ))
    }

    /// Temperatures and sizes of a state.
    fn write_bodies(&self, state: &State, setup: &Setup, outputs: &mut Outputs) -> Result<(), PortMisuse> {
        for (body, t) in outputs.write(TEMPERATURE)?.iter_mut().enumerate() {
            *t = self.network.base[body] + state.rise[body];
        }
        if self.pore_fluid {
            self.write_capacities(state, outputs)?;
        }
        if self.meshes.any_heat() {
            let nodes = self.network.base.iter().zip(&state.rise).skip(setup.bodies.len());
            outputs.write(NODE_TEMPERATURE)?.iter_mut().zip(nodes).for_each(|(t, (base, rise))| *t = base + rise);
            let temperature = |node: usize| self.network.base[node] + state.rise[node];
            self.meshes.fluxes(&self.materials, setup, temperature, outputs.write(HEAT_FLUX)?);
        }
        if !self.coupling.dilatation {
            return Ok(());
        }
        if self.strains {
            self.meshes.free_strain(&self.materials, &state.rise, outputs.write(FREE_STRAIN)?);
        }
        if self.strains_unevenly {
            self.meshes.free_strain_factors(&self.materials, outputs.write(FREE_STRAIN_FACTOR)?);
        }
        for (body, size) in outputs.write(SIZE_FACTOR)?.iter_mut().enumerate() {
            // a boundary without mass has no size of its own, and a mesh swells by its nodes
            let swells = setup.bodies.mass[body] > 0.0 && self.network.takes_part(body);
            *size = if swells { 1.0 + self.materials.expansion(setup.bodies.material[body]) * state.rise[body] } else { 1.0 };
        }
        Ok(())
    }

    fn write_heat(&self, inputs: &Inputs<'_>, outputs: &mut Outputs) -> Result<(), PortMisuse> {
        // links are the contacts between bodies that heat can pass, in the same order
        let mut links = self.network.links.iter().zip(&self.solver.flows().links);
        let heats = outputs.write(HEAT)?;
        for (heat, (i, j)) in heats.iter_mut().zip(&self.sides) {
            let passes = self.passing[i.index()] && self.passing[j.index()];
            *heat = if passes { links.next().map_or(0.0, |(_, flow)| *flow) } else { 0.0 };
        }
        if self.radiation {
            self.surroundings.add_heat(&self.patches, inputs.world.network, &self.solver.flows().exchanges, heats);
        }
        Ok(())
    }
}

/// Temperature of each body at the start (K).
fn initial_temperatures(params: &Params, setup: &Setup, materials: &Materials) -> Result<Vec<f64>, InputError> {
    let mut base = vec![params.temperature.map_or(ROOM, |t| t.si()); setup.bodies.len()];
    let mut given = vec![false; base.len()];
    for initial in &params.initial {
        let members = setup.bodies_of(&initial.group)?;
        if !members.iter().any(|b| materials.of(setup.bodies.material[b.index()]).is_some()) {
            let error = InputError::new(format!(
                "the group \"{}\" is given a temperature at the start, but has no body with thermal properties",
                initial.group
            ));
            let help = "add `thermal: (conductivity: …, specific_heat: …)` to its material, or remove the entry of `initial`";
            return Err(error.help(help).at(initial.group.as_str()));
        }
        for body in members {
            if std::mem::replace(&mut given[body.index()], true) {
                let error = InputError::new(format!("the group \"{}\" is given a temperature at the start twice", initial.group));
                return Err(error.help("remove one of the two entries of `initial`").at(initial.group.as_str()));
            }
            base[body.index()] = initial.temperature.si();
        }
    }
    Ok(base)
}

/// What a law remembers of a patch is of one pair of materials.
fn refuse_memory(setup: &Setup, laws: &PairLaws<dyn ConductionLaw>) -> Result<(), InputError> {
    let Some(body) = setup.filled_beside(|a, b| laws.between(setup, a, b).memory().is_some()) else { return Ok(()) };
    let label = setup.body_label(body);
    Err(InputError::new(format!(
        "{label} has several materials, but its law remembers what passed through a patch, which may lie on all of them"
    ))
    .help("give its pairs another law in `laws`, or make the materials that are touched a body of their own")
    .at("law"))
}

/// Radiation between neighbours has an emissivity and a solver.
fn check_radiation(setup: &Setup, materials: &Materials, method: Method) -> Result<(), InputError> {
    let mut ids = (0..setup.materials.len()).map(MaterialId::from_index);
    if !ids.any(|id| materials.exchange([id; 2]) > 0.0) {
        let error = InputError::new("neighbours are to exchange radiation, but no thermal material has an emissivity above zero");
        return Err(error
            .help("add `emissivity: …` to the `thermal` part of the materials, or remove `radiation: true`")
            .at("radiation"));
    }
    if method != Method::Auto {
        let error = InputError::new(format!(
            "radiation between neighbours makes the balance unsymmetric, which \"{}\" cannot solve; expected `solver: \"auto\"`, which takes LU",
            method.name()
        ));
        return Err(error.help("remove `solver`, or `radiation: true`").at("solver"));
    }
    Ok(())
}

impl Physics for Thermal {
    const NAME: &'static str = "Thermal";
    type Params = Params;
    type State = State;

    fn build(params: Params, setup: &Setup) -> Result<Self, InputError> {
        let method = Method::NAMES.iter().find(|(name, _)| *name == params.solver).map(|(_, m)| *m);
        let known = Method::NAMES.iter().map(|(name, _)| *name);
        let method = method.ok_or_else(|| InputError::unknown("thermal solver", &params.solver, known))?;
        if params.max_iterations == Some(0) {
            return Err(InputError::no_iterations());
        }
        let defaults = SolverSettings::default();
        let settings = SolverSettings {
            method,
            theta: params.theta.map_or(defaults.theta, |t| t.si()),
            tolerance: params.tolerance.map_or(defaults.tolerance, |t| t.si()),
            max_iterations: params.max_iterations.unwrap_or(defaults.max_iterations),
        };
        let known = setup.part::<ConductionLaws>().map_or_else(|_| conduction_laws(), |laws| (*laws).clone());
        let laws = PairLaws::read(setup, &known, &params.law, &params.laws)?;
        if setup.dimension == Dimension::Planar && laws.iter().filter_map(ConductionLaw::memory).any(Grows::needs_points) {
            let error = InputError::new(
                "`Sinter` grows necks between balls, and in two dimensions bodies meet along lines: nothing would grow",
            );
            return Err(error.help("model the grains in three dimensions, or write the law of the spot alone").at("Sinter"));
        }
        let materials = Materials::read(setup, laws.iter().any(ConductionLaw::needs_elastic))?;
        let mut network = HeatNetwork::new(initial_temperatures(&params, setup, &materials)?);
        let thermal = |body: usize| materials.of(setup.bodies.material[body]).is_some();
        let mut nodes = network.nodes.clone();
        for (body, node) in nodes.iter_mut().enumerate() {
            let (material, mass) = (setup.bodies.material[body], setup.bodies.mass[body]);
            let curve = materials.specific_heat(material);
            if let Some(thermal) = materials.of(material)
                && mass > 0.0
            {
                // with a curve the network takes the mass
                let capacity = if curve.is_some() { mass } else { mass * thermal.specific_heat.curve().at(0.0) };
                *node = Node::Free { capacity };
            }
            network.specific.push(curve);
        }
        network.nodes = nodes;
        let meshes = Meshes::build(setup, &materials, &mut network)?;
        if network.specific.iter().all(Option::is_none) {
            network.specific.clear();
        }
        refuse_memory(setup, &laws)?;
        let (gas, coupling, radiation) = (params.gas, params.coupling, params.radiation);
        let time_scale = params.time_scale.map_or(1.0, |s| s.si());
        let pore_fluid = params.pore_fluid;
        fluid::refuse_another_time(pore_fluid, time_scale, params.every.unwrap_or(1))?;
        if params.every == Some(0) {
            let error = InputError::new("temperatures cannot move in every 0th step; expected `every` of 1 or more");
            return Err(error.help("leave `every` out for a step of heat in every step of the mechanics").at("every"));
        }
        if radiation {
            meshes.refuse_radiation(setup)?;
            check_radiation(setup, &materials, method)?;
        }
        let whole = network.nodes.clone();
        let boundary = Boundary::build(params.boundary, setup, thermal, &meshes, &mut network)?;
        let beside = report::beside(&network, &whole, meshes.ranges());
        let rounding = report::rounding_of_held(&network, &whole);
        meshes.refuse_free_lumps_beside_rings(setup, &network)?;
        let joints = joints::read(setup, &meshes, &boundary.columns(), |body| network.takes_part(meshes.end_of(body)))?;
        let is_insulated = |b: &usize| !network.takes_part(meshes.end_of(*b)) && thermal(*b);
        let insulated = (0..setup.bodies.len()).filter(is_insulated).count();
        let strains = coupling.dilatation && meshes.any_expands(&materials);
        let strains_unevenly = strains && meshes.any_expands_unevenly(&materials);
        let solver = HeatSolver::new(settings);
        Ok(Self {
            laws,
            gas,
            coupling,
            radiation,
            pore_fluid,
            time_scale,
            every: params.every.unwrap_or(1),
            materials,
            beside,
            rounding,
            meshes,
            joints,
            strains,
            strains_unevenly,
            boundary,
            settings,
            solver,
            network,
            insulated,
            dead: false,
            tilted: Vec::new(),
            unseen: false,
            wide: false,
            push: Vec::new(),
            touching: Vec::new(),
            patches: Patches::default(),
            sides: Vec::new(),
            passing: Vec::new(),
            ends: Vec::new(),
            conductances: Vec::new(),
            temperatures: Vec::new(),
            remembered: Vec::new(),
            surroundings: Surroundings::default(),
            taken: Vec::new(),
        })
    }

    fn initial_state(&self, _: &Setup) -> State {
        let mut rise = vec![0.0; self.network.base.len()];
        // a value that cannot be held is refused with the initial fields
        if self.boundary.hold(0.0, &self.network.base, &mut rise).is_err() {
            rise.fill(0.0);
        }
        self.meshes.take_means(&mut rise);
        State { rise, ..State::default() }
    }

    fn ports(&self) -> Vec<Port> {
        let mut ports = vec![TEMPERATURE.into(), HEAT.into(), HEAT_SOURCE.into(), ADHESION.into()];
        if self.coupling.joule {
            ports.extend([Port::from(JOULE_POWER), JOULE_SHARE.into()]);
            if !self.meshes.is_empty() {
                ports.push(NODE_JOULE_POWER.into());
            }
            ports.push(joints::POWER.into());
        }
        if !self.joints.is_empty() {
            ports.push(JointPaths::HOLDS.into());
        }
        if self.bonds_conduct() {
            ports.push(BONDED_AREA.into());
        }
        if self.remembers() {
            ports.push(NECK.into());
        }
        if self.pore_fluid {
            ports.extend([Port::from(fluid::FLUID_HEAT), fluid::HEAT_CAPACITY.into()]);
        }
        if self.coupling.dilatation {
            ports.push(SIZE_FACTOR.into());
        }
        if self.meshes.any_heat() {
            ports.push(NODE_TEMPERATURE.into());
            ports.push(HEAT_FLUX.into());
        }
        if self.strains {
            ports.push(FREE_STRAIN.into());
        }
        if self.strains_unevenly {
            ports.push(FREE_STRAIN_FACTOR.into());
        }
        ports
    }

    fn initial_fields(&self, state: &State, setup: &Setup, _: World<'_>, outputs: &mut Outputs) -> Result<(), SolveError> {
        // A boundary without a value at t = 0 left the state alone; here it is said.
        self.boundary.check(0.0).map_err(|e| SolveError::new(Self::NAME, e))?;
        Ok(self.write_bodies(state, setup, outputs)?)
    }

    fn numbers(&self) -> Vec<&'static str> {
        NUMBERS.into_iter().chain(self.boundary.columns()).chain(self.joints.columns()).collect()
    }

    fn advance(
        &mut self,
        step: &Step,
        prev: &State,
        next: &mut State,
        inputs: &Inputs<'_>,
        outputs: &mut Outputs,
    ) -> Result<SolveReport, SolveError> {
        let error = |e: ThermalError| SolveError::new(Self::NAME, e);
        let h = step.h * self.time_scale;
        self.network.clear();
        self.temperatures.clear();
        self.temperatures.extend(self.network.base.iter().zip(&prev.rise).map(|(base, rise)| base + rise));
        self.find_patches(inputs, step.h)?;
        self.find_ends(inputs);
        self.find_faces(inputs);
        self.grow(inputs, h, &prev.memory, &mut next.memory);
        self.joints.take(inputs)?;
        self.link(inputs).map_err(error)?;
        if self.materials.conductivity_varies() {
            self.meshes.conduct(&self.materials, &self.temperatures, &mut self.network);
        }
        if self.radiation {
            self.surroundings
                .exchange(&mut self.network, &self.materials, (&self.patches, &self.tilted), inputs)
                .map_err(error)?;
        }
        let fields = GivenHeat {
            joule: if self.coupling.joule { inputs.read(JOULE_POWER)? } else { None },
            joule_share: if self.coupling.joule { inputs.read(JOULE_SHARE)? } else { None },
            joule_of_nodes: if self.coupling.joule && !self.meshes.is_empty() { inputs.read(NODE_JOULE_POWER)? } else { None },
            joule_of_joints: if self.coupling.joule { inputs.read(joints::POWER)? } else { None },
            source: inputs.read(HEAT_SOURCE)?,
            fluid: if self.pore_fluid { Some(inputs.read(fluid::FLUID_HEAT)?) } else { None },
            temperatures: &self.temperatures,
            ends: &self.ends,
        };
        self.taken.clone_from(&prev.taken);
        let made =
            add_sources(&mut self.network, (&self.materials, &self.meshes), self.coupling, &fields, inputs, h, &mut self.taken);
        self.check_sources(inputs.setup).map_err(error)?;
        let end = step.end() * self.time_scale;
        let waiting = [prev.waiting.iter().sum(), 0.0];
        let mut given = Given { made, power: [0.0; 2], moved: 0.0, waiting, before: prev.made, pore_fluid: self.pore_fluid };
        let mut report = if self.every > 1 && prev.skipped + u32::from(step.whole) < self.every {
            self.wait(prev, next, (h, made.all()), step.whole);
            given.waiting[1] = next.waiting.iter().sum();
            self.solver.forget_flows();
            self.report(None, &given, &prev.rise, &next.rise, end - next.since, inputs.setup)
        } else {
            given.moved = prev.since + h;
            self.collect(prev, next, h);
            let weighed = end - (1.0 - self.settings.theta) * given.moved;
            let Self { boundary, network, surroundings, taken, .. } = self;
            given.power = boundary.apply((weighed, given.moved), inputs, surroundings.seen(), network, taken).map_err(error)?;
            self.boundary.hold(end, &self.network.base, &mut next.rise).map_err(error)?;
            let outcome = self.solve(inputs, given.moved, &prev.rise, &mut next.rise).map_err(error)?;
            self.check_range(next, inputs.setup).map_err(error)?;
            self.stop_at_zero(&mut next.rise, outcome.scale);
            self.check_temperatures(next, inputs.setup, (end, given.moved)).map_err(error)?;
            self.report(Some(outcome), &given, &prev.rise, &next.rise, end, inputs.setup)
        };
        self.write_bodies(next, inputs.setup, outputs)?;
        self.write_heat(inputs, outputs)?;
        if self.remembers() {
            self.write_necks(inputs, outputs.write(NECK)?);
        }
        report.numbers.extend(self.joints.numbers(&self.solver.flows().links));
        report.warnings.extend(self.surroundings.warning());
        report.warnings.extend(self.dead.then(|| NO_AREA.to_owned()));
        report.warnings.extend(self.unseen.then(|| UNSEEN.to_owned()));
        report.warnings.extend(self.wide.then(|| WIDE.to_owned()));
        let mechanical = made.friction != 0.0 || made.impact != 0.0;
        report.warnings.extend((mechanical && step.h >= LONG).then(|| NOISE.to_owned()));
        if self.coupling.dilatation {
            report.warnings.extend(self.swollen(outputs.write(SIZE_FACTOR)?, inputs.setup));
        }
        Ok(report)
    }

    fn across(&self) -> Option<&'static str> {
        (self.gas.is_some() || self.radiation).then_some("thermal")
    }

    fn drop_caches(&mut self) {
        self.solver.drop_caches();
    }

    fn warnings(&self) -> Vec<String> {
        if self.insulated == 0 {
            return Vec::new();
        }
        vec![format!(
            "{} massless boundaries have thermal properties but no `Temperature` boundary: they are insulated",
            self.insulated
        )]
    }
}
