//! The physics module: contact network → resistor network → potentials, currents and Joule power.
//! The laws, the contacts, the electrodes, the solvers and the report live in their own rooms.

use mpcd_core::{
    BodyId, ContactKey, Dimension, InputError, Inputs, JointPaths, OptionalPort, Outputs, PerBody, PerContact, PerElement,
    PerNode, Physics, Port, PortMisuse, ReadPort, Scalar, Setup, SolveError, SolveReport, Stage, Status, Step, Unit, Vector,
    World, WritePort, contact_memory::ContactMemory, field::names,
};
use serde::{Deserialize, Serialize};

use crate::{
    contacts::{ADHESION, BONDED_AREA, Contacts, NECK, read_laws},
    electrodes::Electrodes,
    error::{ElectricalError, NetworkError},
    films::hold,
    joints,
    kohlrausch::contact_temperature,
    law::ConductanceLaw,
    material::{Materials, ROOM},
    meshes::Meshes,
    network::ResistorNetwork,
    params::Params,
    paths::Paths,
    report::{Found, NO_AREA, NOTHING_CONDUCTS, NUMBERS, PARTED, PARTED_BY_LAWS, PARTED_IN_AIR, WIDE, alone},
    solve::{Method, NetworkSolver, Outcome, SolverSettings},
};

const POTENTIAL: WritePort<Scalar, PerBody> = WritePort::new(names::POTENTIAL, Unit::POTENTIAL);
const CURRENT: WritePort<Scalar, PerContact> = WritePort::new(names::CURRENT, Unit::CURRENT);
const CONDUCTANCE: WritePort<Scalar, PerContact> = WritePort::new(names::CONDUCTANCE, Unit::CONDUCTANCE);
const JOULE_POWER: WritePort<Scalar, PerContact> = WritePort::new(names::JOULE_POWER, Unit::POWER);
const CONTACT_TEMPERATURE: WritePort<Scalar, PerContact> = WritePort::new(names::CONTACT_TEMPERATURE, Unit::TEMPERATURE);
const JOULE_SHARE: WritePort<Scalar, PerContact> = WritePort::new(names::JOULE_SHARE, Unit::ONE).starting_at(0.5);
const NODE_POTENTIAL: WritePort<Scalar, PerNode> = WritePort::new(names::NODE_POTENTIAL, Unit::POTENTIAL);
const CURRENT_DENSITY: WritePort<Vector, PerElement> = WritePort::new(names::CURRENT_DENSITY, Unit::CURRENT_DENSITY);
const NODE_JOULE_POWER: WritePort<Scalar, PerNode> = WritePort::new(names::NODE_JOULE_POWER, Unit::POWER);
const NODE_TEMPERATURE: OptionalPort<Scalar, PerNode> = ReadPort::lagged(names::NODE_TEMPERATURE, Unit::TEMPERATURE).optional();
const TEMPERATURE: OptionalPort<Scalar, PerBody> = ReadPort::lagged(names::TEMPERATURE, Unit::TEMPERATURE).optional();

/// Most rounds in which laws that remember settle, and rounds after which films that are held at a voltage are found together: one alone needs two or three.
const ROUNDS: u32 = 1000;
const TOGETHER: u32 = 20;

/// The electrical module.
#[derive(Debug)]
pub struct Electrical {
    contacts: Contacts,
    meshes: Meshes,
    joints: JointPaths,
    /// Temperature of the bodies where no module computes it (K).
    temperature: f64,
    electrodes: Electrodes,
    settings: SolverSettings,
    solver: NetworkSolver,
    network: ResistorNetwork,
    /// Joule power of each contact, and of each node of the meshes (W).
    powers: Vec<f64>,
    node_powers: Vec<f64>,
    /// Joule power of all joints (W).
    joint_power: f64,
    /// Said of what the model has and the module does not use.
    warnings: Vec<String>,
}

/// What changes from step to step.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Potential of each body, then of the nodes of meshes where some mesh conducts (V): the start of the iterative solvers.
    potential: Vec<f64>,
    /// Mean forces by contact, when the law sees those.
    means: Vec<(ContactKey, f64)>,
    /// What laws remember and the largest force since the contact began to push, by contact.
    memory: ContactMemory,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self { potential: self.potential.clone(), means: self.means.clone(), memory: self.memory.clone() }
    }
    fn clone_from(&mut self, other: &Self) {
        self.potential.clone_from(&other.potential);
        self.means.clone_from(&other.means);
        self.memory.clone_from(&other.memory);
    }
}

impl Electrical {
    /// Puts conductances and boundary values into the resistor network of the step.
    fn assemble(&mut self, step: &Step, inputs: &Inputs<'_>) -> Result<(), ElectricalError> {
        self.network.clear();
        let contacts = inputs.world.network;
        for (k, (&(i, j), &conductance)) in self.contacts.sides.iter().zip(&self.contacts.conductances).enumerate() {
            if !self.meshes.any() {
                let [i, j] = [i, j].map(|b| self.electrodes.node_of[b.index()]);
                self.network.join(i, j, conductance);
                continue;
            }
            let [at_i, at_j] = self.meshes.places(contacts, &contacts.contacts[k]);
            let Self { meshes, electrodes, network, .. } = self;
            let mut end = |b: BodyId, at| meshes.end_of_side(b.index(), at, &electrodes.node_of, network);
            let ends = (end(i, at_i), end(j, at_j));
            network.join(ends.0, ends.1, conductance);
        }
        self.joints.take(inputs)?;
        for (bodies, conductance) in self.joints.links() {
            let [i, j] = bodies.map(|b| self.electrodes.node_of[b.index()]);
            self.network.join(i, j, conductance);
        }
        self.electrodes.apply(step.end(), &mut self.network)
    }

    /// Solves the network; where laws remember, again and again until no memory changes its conductance.
    fn solve(&mut self, inputs: &Inputs<'_>, potential: &mut [f64]) -> Result<Outcome, ElectricalError> {
        let (mut stages, mut rounds): (Vec<Stage>, u32) = (Vec::new(), 0);
        loop {
            let solved = self.solver.solve(&self.network, potential);
            let mut outcome = solved.map_err(|e| self.name_bodies(e, inputs.setup))?;
            add_stages(&mut stages, outcome.stages);
            rounds += 1;
            let settled = !self.contacts.follow() || self.contacts.round(inputs, self.solver.currents())?;
            if settled || rounds == ROUNDS {
                if !settled && outcome.status == Status::Converged {
                    outcome.status = Status::Stalled;
                }
                outcome.stages = stages;
                return Ok(outcome);
            }
            if rounds % TOGETHER == 0 {
                self.hold_films(inputs, potential)?;
            }
            for (branch, &conductance) in self.network.branches.iter_mut().zip(&self.contacts.conductances) {
                branch.conductance = conductance;
            }
        }
    }

    /// Finds the films that are held at a voltage together, from the potentials of the last solve; where that does not end, nothing changes.
    fn hold_films(&mut self, inputs: &Inputs<'_>, potential: &[f64]) -> Result<(), ElectricalError> {
        let ends = |branch: usize| self.network.branches[branch].ends;
        let mut films = self.contacts.films(inputs, self.solver.currents(), ends);
        if films.is_empty() {
            return Ok(());
        }
        let mut network = self.network.clone();
        for (branch, &conductance) in network.branches.iter_mut().zip(&self.contacts.conductances) {
            branch.conductance = conductance;
        }
        for film in &films {
            self.contacts.of_film(film).for_each(|k| network.branches[k].conductance = 0.0);
        }
        let held = hold(&mut films, &network, self.settings, potential).map_err(|e| self.name_bodies(e, inputs.setup))?;
        if held { self.contacts.take(inputs, &films) } else { Ok(()) }
    }

    /// Names the bodies of a part from which no current returns.
    fn name_bodies(&self, error: NetworkError, setup: &Setup) -> ElectricalError {
        let (nodes, current) = match error {
            NetworkError::NoReturn { nodes, current } => (nodes, current),
            NetworkError::Range { node } => return self.beyond(node, setup),
            NetworkError::Sparse(_) => {
                return match self.uneven(setup) {
                    Some(why) => ElectricalError::Uneven { error, why },
                    None => error.into(),
                };
            }
            other => return other.into(),
        };
        let mut bodies: Vec<usize> = nodes.iter().map(|&n| self.meshes.body_of(n)).collect();
        bodies.sort_unstable();
        bodies.dedup();
        let labels: Vec<String> = bodies.iter().take(5).map(|&b| setup.body_label(BodyId::from_index(b))).collect();
        let more = bodies.len() - labels.len();
        let groups: Vec<String> = self.electrodes.groups_of(&nodes).map(|(g, ..)| format!("\"{g}\"")).collect();
        let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
        let bodies = format!("electrode {} feeds {}{tail}", groups.join(", "), labels.join(", "));
        ElectricalError::NoReturn { bodies, current }
    }

    /// Currents and powers are numbers: huge conductances under huge potentials have none.
    fn check_range(&self, setup: &Setup) -> Result<(), ElectricalError> {
        let solver = &self.solver;
        let at_node = solver.leaving().iter().position(|current| !(current * current).is_finite());
        let powers = solver.currents().iter().zip(solver.drops()).map(|(current, drop)| current * drop);
        let in_branch = || powers.map(f64::is_finite).position(|fine| !fine);
        let at_branch =
            || in_branch().and_then(|k| self.network.terms(self.network.branches[k].ends.0).next()).map(|(node, _)| node);
        at_node.or_else(at_branch).map_or(Ok(()), |node| Err(self.beyond(node, setup)))
    }

    /// What is said of conductances over many decades.
    fn uneven(&self, setup: &Setup) -> Option<String> {
        let network = &self.network;
        let label = |end: usize| {
            let node = network.terms(end).next().map_or(end, |(node, _)| node);
            setup.body_label(BodyId::from_index(self.meshes.body_of(node)))
        };
        mpcd_sparse::uneven(network.live().map(|(_, ends, conductance)| (ends, conductance)), "S", label)
    }

    /// What is said of a node whose currents are too large.
    fn beyond(&self, node: usize, setup: &Setup) -> ElectricalError {
        let held = self.network.held.iter().flatten().fold(0.0, |most: f64, v| most.max(v.abs()));
        let conductance = self.network.live().fold(0.0, |most: f64, (_, _, c)| most.max(c));
        let body = setup.body_label(BodyId::from_index(self.meshes.body_of(node)));
        ElectricalError::Range { body, conductance, held }
    }

    /// Why no current flows though electrodes are held at different potentials, where no path joins any two of those.
    fn parted(&self) -> Option<&'static str> {
        let conducts = self.network.live().next().is_some() || !self.network.inner.is_empty();
        let pushes = self.contacts.pushes();
        self.solver.apart().then_some(match (conducts, pushes) {
            (true, _) => PARTED,
            (false, true) => PARTED_BY_LAWS,
            (false, false) => PARTED_IN_AIR,
        })
    }

    /// Resistance between the two electrodes (Ω): by what is driven, or where nothing is, by what a volt between them would drive.
    fn resistance(&self) -> f64 {
        let (solver, network) = (&self.solver, &self.network);
        self.electrodes.resistance(solver, network).unwrap_or_else(|| {
            let unit = self.electrodes.under_a_volt(network);
            let mut solver = NetworkSolver::new(self.settings);
            let solved = solver.solve(&unit, &mut vec![0.0; unit.nodes()]);
            solved.map_or(f64::NAN, |_| self.electrodes.resistance_under_a_volt(&solver))
        })
    }

    /// Temperature of bodies and nodes (K): that of a node is that of its body where no module gives it one.
    fn temperatures(&self, inputs: &Inputs<'_>) -> Result<Vec<f64>, PortMisuse> {
        let (bodies, nodes) = (inputs.setup.bodies.len(), self.network.nodes());
        let given = inputs.read(TEMPERATURE)?;
        let of_nodes = if self.meshes.any() { inputs.read(NODE_TEMPERATURE)? } else { None };
        let of_body = |body: usize| given.and_then(|t| t.get(body)).copied().unwrap_or(self.temperature);
        let of_node = |row: usize| of_nodes.and_then(|t| t.get(row)).copied();
        let own = |node: usize| of_node(node - bodies).unwrap_or_else(|| of_body(self.meshes.body_of(node)));
        Ok((0..bodies).map(of_body).chain((bodies..nodes).map(own)).collect())
    }

    /// Potentials of bodies and nodes.
    fn write_potentials(&self, potential: &[f64], outputs: &mut Outputs) -> Result<(), PortMisuse> {
        let bodies = outputs.write(POTENTIAL)?;
        let (of_bodies, of_nodes) = potential.split_at(bodies.len());
        bodies.copy_from_slice(of_bodies);
        if self.meshes.any() {
            outputs.write(NODE_POTENTIAL)?.iter_mut().zip(of_nodes).for_each(|(v, own)| *v = *own);
        }
        Ok(())
    }

    fn found(&self, step: &Step, setup: &Setup) -> Found {
        let node_floats = |node: usize| self.solver.floats(self.electrodes.node_of[node]);
        let floats = |b: &usize| self.meshes.of(*b).map_or_else(|| node_floats(*b), |mesh| mesh.nodes().any(node_floats));
        let conducts = |b: &usize| self.contacts.materials.conducts(setup.bodies.material[*b]);
        Found {
            resistance: self.resistance(),
            joule: self.powers.iter().sum::<f64>() + self.node_powers.iter().sum::<f64>() + self.joint_power,
            power: self.electrodes.power(&self.solver, &self.network),
            floating_bodies: (0..setup.bodies.len()).filter(conducts).filter(floats).count(),
            paths: Paths::of(self.contacts.by_patch(self.solver.currents(), &self.powers)),
            memory: self.contacts.mean_memory(),
            h: step.h,
            tolerance: self.settings.tolerance,
        }
    }
}

/// Said of a material whose bulk of lumps has no meaning where its elements conduct.
fn bulk_of_a_mesh(material: &str) -> String {
    format!("`bulk` of material \"{material}\" does not act in its meshes: their elements are the bulk, by `conductivity`")
}

/// Adds the stages of a round to those before; the same methods in the same order are counted together.
fn add_stages(all: &mut Vec<Stage>, round: Vec<Stage>) {
    if all.is_empty() {
        *all = round;
        return;
    }
    for stage in round {
        match all.iter_mut().find(|s| s.solver == stage.solver) {
            Some(known) => {
                known.iterations += stage.iterations;
                (known.residual, known.status) = (stage.residual, stage.status);
            }
            None => all.push(stage),
        }
    }
}

impl Physics for Electrical {
    const NAME: &'static str = "Electrical";
    type Params = Params;
    type State = State;

    fn build(params: Params, setup: &Setup) -> Result<Self, InputError> {
        let method = Method::NAMES.iter().find(|(name, _)| *name == params.solver).map(|(_, m)| *m);
        let names = Method::NAMES.iter().map(|(name, _)| *name);
        let method = method.ok_or_else(|| InputError::unknown("electrical solver", &params.solver, names))?;
        if params.max_iterations == Some(0) {
            return Err(InputError::no_iterations());
        }
        let defaults = SolverSettings::default();
        let settings = SolverSettings {
            method,
            tolerance: params.tolerance.map_or(defaults.tolerance, |t| t.si()),
            max_iterations: params.max_iterations.unwrap_or(defaults.max_iterations),
            open_circuit: params.on_open_circuit,
        };
        let temperature = params.temperature.map_or(ROOM, |t| t.si());
        let laws = read_laws(setup, &params.law, &params.laws)?;
        if setup.dimension == Dimension::Planar && laws.iter().any(ConductanceLaw::follows_necks) {
            let error = InputError::new(
                "`Neck` is the disc between two balls, and in two dimensions bodies meet along lines: it would never conduct",
            );
            return Err(error.help("model the grains in three dimensions, or write the law of the spot alone").at("Neck"));
        }
        let materials = Materials::read(setup, &laws, temperature)?;
        let mut meshes = Meshes::build(setup, &materials)?;
        let electrodes = Electrodes::build(params.potential, params.current, setup, &meshes, |m| materials.conducts(m))?;
        let mut network = ResistorNetwork::new(meshes.nodes(setup.bodies.len()));
        let joints = joints::read(setup, &materials, &meshes)?;
        let conducting = meshes.conduct((&materials, setup), |_| temperature, &electrodes.node_of, &mut network);
        conducting.map_err(|e| InputError::new(e.to_string()))?;
        let bulks = meshes.materials().into_iter().filter(|m| materials.has_bulk(*m));
        let mut warnings: Vec<String> = bulks.map(|m| bulk_of_a_mesh(&setup.materials[m.index()].name)).collect();
        if joints.is_empty() && network.inner.is_empty() && laws.iter().all(ConductanceLaw::insulates) {
            warnings.push(NOTHING_CONDUCTS.to_owned());
        }
        Ok(Self {
            contacts: Contacts::new(laws, params.force, materials, params.self_heating),
            meshes,
            joints,
            temperature,
            electrodes,
            settings,
            solver: NetworkSolver::new(settings),
            network,
            powers: Vec::new(),
            node_powers: Vec::new(),
            joint_power: 0.0,
            warnings,
        })
    }

    fn initial_state(&self, _: &Setup) -> State {
        State { potential: vec![0.0; self.network.nodes()], ..State::default() }
    }

    fn ports(&self) -> Vec<Port> {
        let mut ports = vec![
            POTENTIAL.into(),
            CURRENT.into(),
            CONDUCTANCE.into(),
            JOULE_POWER.into(),
            CONTACT_TEMPERATURE.into(),
            TEMPERATURE.into(),
            ADHESION.into(),
        ];
        if self.contacts.bonds_conduct() {
            ports.push(BONDED_AREA.into());
        }
        if self.contacts.necks_conduct() {
            ports.push(NECK.into());
        }
        if self.contacts.warm() {
            ports.push(JOULE_SHARE.into());
        }
        if !self.joints.is_empty() {
            ports.extend([Port::from(JointPaths::HOLDS), joints::POWER.into()]);
        }
        if self.meshes.any() {
            ports.extend([Port::from(NODE_POTENTIAL), NODE_JOULE_POWER.into(), CURRENT_DENSITY.into(), NODE_TEMPERATURE.into()]);
        }
        ports
    }

    /// No contact carries a force before the first step, so nothing but what is held has a potential.
    fn initial_fields(&self, _: &State, _: &Setup, _: World<'_>, outputs: &mut Outputs) -> Result<(), SolveError> {
        let held = self.electrodes.held(0.0).map_err(|e| SolveError::new(Self::NAME, e))?;
        let mut potential = vec![0.0; self.network.nodes()];
        held.into_iter().for_each(|(node, value)| potential[node] = value);
        self.meshes.complete(&mut potential);
        self.write_potentials(&potential, outputs)?;
        outputs.write(CONTACT_TEMPERATURE)?.fill(self.temperature);
        Ok(())
    }

    fn numbers(&self) -> Vec<&'static str> {
        NUMBERS.into_iter().chain(self.joints.columns()).collect()
    }

    fn advance(
        &mut self,
        step: &Step,
        prev: &State,
        next: &mut State,
        inputs: &Inputs<'_>,
        outputs: &mut Outputs,
    ) -> Result<SolveReport, SolveError> {
        // A current that nothing takes from the first step on finds no way in a shorter one; later a contact may have been lost in a long step alone.
        let error = |e: ElectricalError| match e {
            ElectricalError::NoReturn { .. } if step.index == 0 => SolveError::at_any_step(Self::NAME, e),
            e => SolveError::new(Self::NAME, e),
        };
        let temperatures = self.temperatures(inputs)?;
        let temperature = |node: usize| temperatures[node];
        self.contacts
            .begin(inputs, step.h, (&prev.means, &mut next.means), &prev.memory, temperature, &self.meshes)
            .map_err(error)?;
        if self.meshes.varies() {
            let Self { meshes, contacts, electrodes, network, .. } = self;
            let conducting = meshes.conduct((&contacts.materials, inputs.setup), temperature, &electrodes.node_of, network);
            conducting.map_err(error)?;
        }
        self.assemble(step, inputs).map_err(error)?;
        let outcome = self.solve(inputs, &mut next.potential).map_err(error)?;
        self.check_range(inputs.setup).map_err(error)?;
        self.contacts.keep(inputs.world.network, &mut next.memory);

        for node in 0..next.potential.len() {
            next.potential[node] = next.potential[self.electrodes.node_of[node]];
        }
        self.meshes.complete(&mut next.potential);
        self.write_potentials(&next.potential, outputs)?;
        // the branches of contacts, then those of joints
        let contacts = inputs.world.network.len();
        let (currents, through_joints) = self.solver.currents().split_at(contacts);
        outputs.write(CURRENT)?.copy_from_slice(currents);
        outputs.write(CONDUCTANCE)?.copy_from_slice(&self.contacts.conductances);
        let drops = self.solver.drops();
        self.powers.clear();
        self.powers.extend(currents.iter().zip(drops).map(|(current, drop)| current * drop));
        if !self.joints.is_empty() {
            self.joint_power = joints::heat(&self.joints, through_joints, &drops[contacts..], outputs.write(joints::POWER)?);
        }
        outputs.write(JOULE_POWER)?.copy_from_slice(&self.powers);
        if self.contacts.warm() {
            self.contacts.share_heat(outputs.write(JOULE_SHARE)?);
        }
        self.meshes.heat(&self.solver, &self.electrodes.node_of, &mut self.node_powers);
        if self.meshes.any() {
            outputs.write(NODE_JOULE_POWER)?.iter_mut().zip(&self.node_powers).for_each(|(p, own)| *p = *own);
            let densities = outputs.write(CURRENT_DENSITY)?;
            self.meshes.current_densities(inputs.setup, &self.solver, &self.electrodes.node_of, densities);
        }
        let of_contacts = self.contacts.sides.iter().zip(&self.contacts.at_spot).zip(drops);
        for (k, (hottest, ((&(i, j), at_spot), drop))) in
            outputs.write(CONTACT_TEMPERATURE)?.iter_mut().zip(of_contacts).enumerate()
        {
            let side = |body: BodyId, at| self.meshes.at_side(body.index(), at, temperature);
            let ends = if self.meshes.any() {
                let network = inputs.world.network;
                let [at_i, at_j] = self.meshes.places(network, &network.contacts[k]);
                [side(i, at_i), side(j, at_j)]
            } else {
                [i, j].map(|body| temperatures[body.index()])
            };
            *hottest = contact_temperature(ends[0], ends[1], at_spot * drop);
        }
        let unsettled = outcome.status == Status::Stalled && outcome.residual <= self.settings.tolerance;
        let found = self.found(step, inputs.setup);
        let label = |node: usize| inputs.setup.body_label(BodyId::from_index(self.meshes.body_of(node)));
        let mut report = found.report(outcome, &self.electrodes, &self.solver, &self.network, label);
        if report.status != Status::Converged {
            report.worst.extend(self.uneven(inputs.setup).into_iter().flat_map(|why| ["; ".to_owned(), why]));
        }
        report.numbers.extend(self.joints.numbers(&self.solver.currents()[contacts..]));
        let parted = self.parted();
        report.warnings.extend(parted.map(str::to_owned));
        if parted.is_none() {
            report.warnings.extend(self.electrodes.alone(&self.solver).into_iter().map(alone));
        }
        report.warnings.extend(self.contacts.dead.then(|| NO_AREA.to_owned()));
        report.warnings.extend(self.contacts.wide.then(|| WIDE.to_owned()));
        if unsettled {
            report.worst = match self.contacts.unsettled(inputs.world.network) {
                Some((i, j)) => format!(
                    "the spot between {} and {} has no temperature with its current: its metal would melt; press harder, lower the current or the voltage, or set `self_heating: false`",
                    inputs.setup.body_label(i),
                    inputs.setup.body_label(j)
                ),
                None => {
                    format!(
                        "what the conductance laws remember did not settle in {ROUNDS} rounds; change the current by smaller steps"
                    )
                }
            };
        }
        Ok(report)
    }

    fn drop_caches(&mut self) {
        self.solver.drop_caches();
    }

    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }
}
