//! The physics module: contact network → resistor network → potentials, currents and Joule power.
//! The laws, the contacts, the electrodes, the solvers and the report live in their own rooms.

use mpcd_core::{
    BodyId, ContactKey, InputError, Inputs, OptionalPort, Outputs, PerBody, PerContact, Physics, Port, ReadPort, Scalar, Setup,
    SolveError, SolveReport, Stage, Status, Step, Unit, World, WritePort, contact_memory::ContactMemory, field::names,
};
use serde::{Deserialize, Serialize};

use crate::{
    contacts::{Contacts, read_laws},
    electrodes::Electrodes,
    error::{ElectricalError, NetworkError},
    kohlrausch::contact_temperature,
    material::{Materials, ROOM},
    network::ResistorNetwork,
    params::Params,
    paths::Paths,
    report::{Found, NO_AREA, NUMBERS},
    solve::{Method, NetworkSolver, Outcome, SolverSettings},
};

const POTENTIAL: WritePort<Scalar, PerBody> = WritePort::new(names::POTENTIAL, Unit::POTENTIAL);
const CURRENT: WritePort<Scalar, PerContact> = WritePort::new(names::CURRENT, Unit::CURRENT);
const CONDUCTANCE: WritePort<Scalar, PerContact> = WritePort::new(names::CONDUCTANCE, Unit::CONDUCTANCE);
const JOULE_POWER: WritePort<Scalar, PerContact> = WritePort::new(names::JOULE_POWER, Unit::POWER);
const CONTACT_TEMPERATURE: WritePort<Scalar, PerContact> = WritePort::new(names::CONTACT_TEMPERATURE, Unit::TEMPERATURE);
const TEMPERATURE: OptionalPort<Scalar, PerBody> = ReadPort::lagged(names::TEMPERATURE, Unit::TEMPERATURE).optional();

/// Most rounds in which laws that remember settle.
const ROUNDS: u32 = 1000;

/// The electrical module.
#[derive(Debug)]
pub struct Electrical {
    contacts: Contacts,
    /// Temperature of the bodies where no module computes it (K).
    temperature: f64,
    electrodes: Electrodes,
    settings: SolverSettings,
    solver: NetworkSolver,
    network: ResistorNetwork,
    powers: Vec<f64>,
}

/// What changes from step to step.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Potential of each body (V): the start of the iterative solvers.
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
        for (contact, &conductance) in inputs.world.network.iter().zip(&self.contacts.conductances) {
            let (i, j) = contact.bodies();
            let node = |b: BodyId| self.electrodes.node_of[b.index()];
            self.network.join(node(i), node(j), conductance);
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
            let settled = !self.contacts.remember() || self.contacts.round(inputs, self.solver.currents())?;
            if settled || rounds == ROUNDS {
                if !settled && outcome.status == Status::Converged {
                    outcome.status = Status::MaxIterations;
                }
                outcome.stages = stages;
                return Ok(outcome);
            }
            for (branch, &conductance) in self.network.branches.iter_mut().zip(&self.contacts.conductances) {
                branch.conductance = conductance;
            }
        }
    }

    /// Names the bodies of a part from which no current returns.
    fn name_bodies(&self, error: NetworkError, setup: &Setup) -> ElectricalError {
        let NetworkError::NoReturn { nodes, current } = error else { return error.into() };
        let labels: Vec<String> = nodes.iter().take(5).map(|&n| setup.body_label(BodyId::from_index(n))).collect();
        let more = nodes.len() - labels.len();
        let groups: Vec<String> = self.electrodes.groups_of(&nodes).map(|g| format!("\"{g}\"")).collect();
        let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
        let bodies = format!("electrode {} feeds {}{tail}", groups.join(", "), labels.join(", "));
        ElectricalError::NoReturn { bodies, current }
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

    fn found(&self, step: &Step, setup: &Setup) -> Found {
        let floats = |b: &usize| self.solver.floats(self.electrodes.node_of[*b]);
        let conducts = |b: &usize| self.contacts.materials.conducts(setup.bodies.material[*b]);
        Found {
            resistance: self.resistance(),
            joule: self.powers.iter().sum(),
            power: self.electrodes.power(&self.solver, &self.network),
            floating_bodies: (0..setup.bodies.len()).filter(conducts).filter(floats).count(),
            paths: Paths::of(self.contacts.by_patch(self.solver.currents(), &self.powers)),
            memory: self.contacts.mean_memory(),
            h: step.h,
            tolerance: self.settings.tolerance,
        }
    }
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
        let defaults = SolverSettings::default();
        let settings = SolverSettings {
            method,
            tolerance: params.tolerance.map_or(defaults.tolerance, |t| t.si()),
            max_iterations: params.max_iterations.unwrap_or(defaults.max_iterations),
            open_circuit: params.on_open_circuit,
        };
        let temperature = params.temperature.map_or(ROOM, |t| t.si());
        let laws = read_laws(setup, &params.law, &params.laws)?;
        let materials = Materials::read(setup, &laws, temperature)?;
        let electrodes = Electrodes::build(params.potential, params.current, setup, |m| materials.conducts(m))?;
        Ok(Self {
            contacts: Contacts::new(laws, params.force, materials),
            temperature,
            electrodes,
            settings,
            solver: NetworkSolver::new(settings),
            network: ResistorNetwork::new(setup.bodies.len()),
            powers: Vec::new(),
        })
    }

    fn initial_state(&self, setup: &Setup) -> State {
        State { potential: vec![0.0; setup.bodies.len()], ..State::default() }
    }

    fn ports(&self) -> Vec<Port> {
        vec![
            POTENTIAL.into(),
            CURRENT.into(),
            CONDUCTANCE.into(),
            JOULE_POWER.into(),
            CONTACT_TEMPERATURE.into(),
            TEMPERATURE.into(),
        ]
    }

    /// No contact carries a force before the first step, so nothing but what is held has a potential.
    fn initial_fields(&self, _: &State, _: &Setup, _: World<'_>, outputs: &mut Outputs) -> Result<(), SolveError> {
        let held = self.electrodes.held(0.0).map_err(|e| SolveError::new(Self::NAME, e))?;
        let potential = outputs.write(POTENTIAL)?;
        for (body, value) in held {
            potential[body] = value;
        }
        outputs.write(CONTACT_TEMPERATURE)?.fill(self.temperature);
        Ok(())
    }

    fn numbers(&self) -> Vec<&'static str> {
        NUMBERS.to_vec()
    }

    fn advance(
        &mut self,
        step: &Step,
        prev: &State,
        next: &mut State,
        inputs: &Inputs<'_>,
        outputs: &mut Outputs,
    ) -> Result<SolveReport, SolveError> {
        let error = |e: ElectricalError| SolveError::new(Self::NAME, e);
        let given = inputs.read(TEMPERATURE)?;
        let default = self.temperature;
        let temperature = |body: usize| given.and_then(|t| t.get(body)).copied().unwrap_or(default);
        self.contacts.begin(inputs, step.h, (&prev.means, &mut next.means), &prev.memory, temperature).map_err(error)?;
        self.assemble(step, inputs).map_err(error)?;
        let outcome = self.solve(inputs, &mut next.potential).map_err(error)?;
        self.contacts.keep(inputs.world.network, &mut next.memory);

        for body in 0..next.potential.len() {
            next.potential[body] = next.potential[self.electrodes.node_of[body]];
        }
        outputs.write(POTENTIAL)?.copy_from_slice(&next.potential);
        outputs.write(CURRENT)?.copy_from_slice(self.solver.currents());
        outputs.write(CONDUCTANCE)?.copy_from_slice(&self.contacts.conductances);
        let drop = |k: usize| self.solver.drop_across(self.network.branches[k].ends);
        self.powers.clear();
        self.powers.extend(self.solver.currents().iter().enumerate().map(|(k, current)| current * drop(k)));
        outputs.write(JOULE_POWER)?.copy_from_slice(&self.powers);
        for (k, (hottest, contact)) in outputs.write(CONTACT_TEMPERATURE)?.iter_mut().zip(inputs.world.network.iter()).enumerate()
        {
            let (i, j) = contact.bodies();
            *hottest = contact_temperature(temperature(i.index()), temperature(j.index()), self.contacts.at_spot[k] * drop(k));
        }
        let unsettled = outcome.status == Status::MaxIterations && outcome.residual <= self.settings.tolerance;
        let found = self.found(step, inputs.setup);
        let mut report = found.report(outcome, &self.electrodes, &self.solver, &self.network, inputs.setup);
        report.warnings.extend(self.contacts.dead.then(|| NO_AREA.to_owned()));
        if unsettled {
            report.worst = format!(
                "what the conductance laws remember did not settle in {ROUNDS} rounds; change the current by smaller steps"
            );
        }
        Ok(report)
    }

    fn drop_caches(&mut self) {
        self.solver.drop_caches();
    }
}
