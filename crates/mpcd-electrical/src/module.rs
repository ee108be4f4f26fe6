//! The physics module: contact network → resistor network → potentials, currents and Joule power.
//! The laws, the electrodes and the solvers live in their own rooms.

use mpcd_core::{
    Balance, BodyId, Book, InputError, Inputs, Outputs, Patch, Patches, PerBody, PerContact, Physics, Port, Scalar, Setup,
    SolveError, SolveReport, Stage, Status, Step, Unit, World, WritePort, field::names,
};
use serde::{Deserialize, Serialize};

use crate::{
    electrodes::Electrodes,
    error::{ElectricalError, NetworkError},
    force::{ForceChoice, Memory},
    law::{ConductanceLaw, Spot, in_series},
    material::Materials,
    network::ResistorNetwork,
    params::Params,
    solve::{Method, NetworkSolver, Outcome, SolverSettings},
};

const POTENTIAL: WritePort<Scalar, PerBody> = WritePort::new(names::POTENTIAL, Unit::POTENTIAL);
const CURRENT: WritePort<Scalar, PerContact> = WritePort::new(names::CURRENT, Unit::CURRENT);
const JOULE_POWER: WritePort<Scalar, PerContact> = WritePort::new(names::JOULE_POWER, Unit::POWER);

/// The electrical module.
#[derive(Debug)]
pub struct Electrical {
    law: Box<dyn ConductanceLaw>,
    force: ForceChoice,
    materials: Materials,
    electrodes: Electrodes,
    settings: SolverSettings,
    solver: NetworkSolver,
    network: ResistorNetwork,
    forces: Vec<f64>,
    patches: Patches,
    /// Conductance of each contact (S).
    conductances: Vec<f64>,
    /// Whether some contact pushes and the law lets it conduct nothing.
    dead: bool,
}

/// What changes from step to step.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Potential of each body (V): the start of the iterative solvers.
    potential: Vec<f64>,
    /// Mean forces by contact, when the law sees those.
    memory: Memory,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self { potential: self.potential.clone(), memory: self.memory.clone() }
    }
    fn clone_from(&mut self, other: &Self) {
        self.potential.clone_from(&other.potential);
        self.memory.clone_from(&other.memory);
    }
}

impl Electrical {
    /// Replaces the conductance law, for a program that has its own.
    ///
    /// # Errors
    /// When the materials lack what the law needs.
    pub fn with_law(mut self, law: Box<dyn ConductanceLaw>, setup: &Setup) -> Result<Self, InputError> {
        self.materials = Materials::read(setup, law.needs())?;
        self.law = law;
        Ok(self)
    }

    /// Conductances of all contacts, boundary values: the resistor network of the step. The law holds for a patch as a whole, a contact of it conducts
    /// its part of the force.
    fn assemble(&mut self, step: &Step, inputs: &Inputs<'_>) -> Result<(), ElectricalError> {
        self.network.clear();
        let contacts = inputs.world.network;
        // What does not push now conducts nothing, whatever its mean force.
        for (force, contact) in self.forces.iter_mut().zip(contacts.iter()) {
            *force = if contact.r.x > 0.0 { force.max(0.0) } else { 0.0 };
        }
        self.patches.find(contacts.len(), |k| (&contacts.contacts[k]).into());
        let (law, materials, setup) = (&*self.law, &self.materials, inputs.setup);
        let mut dead = false;
        let of_patch = |patch: &Patch<'_>, force: f64| {
            let (i, j) = patch.first().bodies();
            let found = of_patch(law, materials, setup, patch, force)?;
            dead |= found == 0.0 && materials.pair(setup.material_of(i), setup.material_of(j)).is_some();
            Ok::<f64, ElectricalError>(found)
        };
        self.patches.conductances(contacts, &self.forces, of_patch, &mut self.conductances)?;
        self.dead = dead;
        for (contact, &conductance) in contacts.iter().zip(&self.conductances) {
            let (i, j) = contact.bodies();
            let node = |b: BodyId| self.electrodes.node_of[b.index()];
            self.network.join(node(i), node(j), conductance);
        }
        self.electrodes.apply(step.end(), &mut self.network)
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

    fn report(&self, outcome: Outcome, step: &Step, joule: f64, inputs: &Inputs<'_>) -> SolveReport {
        let (fed, drawn) = self.electrodes.in_and_out(&self.solver, &self.network);
        let setup = inputs.setup;
        let floating_bodies = (0..setup.bodies.len())
            .filter(|&b| self.materials.conducts(setup.bodies.material[b]) && self.solver.floats(self.electrodes.node_of[b]))
            .count();
        // Line 3 turns the net of in and out into the sum over all bodies of |in − out|, so that no two bodies cancel.
        let net = fed - drawn;
        let unbalanced = outcome.imbalance.copysign(net) - net;
        let balance = Balance::new(Book::Charge, outcome.throughput * step.h)
            .flow("fed in", fed * step.h)
            .flow("drawn out", -drawn * step.h)
            .flow("unbalanced at bodies", unbalanced * step.h);
        let mut warnings = Vec::new();
        if outcome.floating_islands > 0 {
            warnings.push("parts of the packing touch no electrode; their potential is written as 0 V".to_owned());
        }
        if self.dead {
            warnings.push(NO_AREA.to_owned());
        }
        for group in self.electrodes.groups_of(&outcome.switched_off) {
            warnings.push(format!("the current of group \"{group}\" was switched off while it had no return"));
        }
        let worst = match (outcome.status, outcome.worst) {
            (Status::Converged, _) | (_, None) => String::new(),
            (_, Some(node)) => format!(
                "the current is least balanced at {}; raise `max_iterations`, or use `solver: \"auto\"`",
                setup.body_label(BodyId::from_index(node))
            ),
        };
        #[expect(clippy::cast_precision_loss, reason = "counts of bodies")]
        let numbers = vec![
            ("resistance", self.resistance()),
            ("electrode_current", fed),
            ("joule_total", joule),
            ("floating_islands", outcome.floating_islands as f64),
            ("floating_bodies", floating_bodies as f64),
        ];
        SolveReport {
            status: outcome.status,
            iterations: outcome.stages.iter().map(|s: &Stage| s.iterations).sum(),
            residual: outcome.residual,
            tolerance: self.settings.tolerance,
            stages: outcome.stages,
            worst,
            balances: vec![balance],
            numbers,
            warnings,
            watched: Vec::new(),
            phases: Vec::new(),
        }
    }
}

/// Said of contacts that push and conduct nothing.
const NO_AREA: &str = "contacts push and conduct nothing: sharp edges and corners have no area, so the spot of an elastic contact has no size there; `Holm`, \
    `CubeRoot` and `Power` go by the force alone, and rounded bodies have a spot";

/// Conductance of a patch that pushes with `force` (N): its spot and the two bodies in series (S).
fn of_patch(
    law: &dyn ConductanceLaw,
    materials: &Materials,
    setup: &Setup,
    patch: &Patch<'_>,
    force: f64,
) -> Result<f64, ElectricalError> {
    let (i, j) = patch.first().bodies();
    let Some(pair) = materials.pair(setup.material_of(i), setup.material_of(j)) else { return Ok(0.0) };
    let spot =
        Spot { geometry: patch.geometry(), force, effective_modulus: pair.effective_modulus, conductivity: pair.conductivity };
    let names = || (setup.body_label(i), setup.body_label(j));
    let spot = law.conductance(&spot).ok_or_else(|| {
        let (first, second) = names();
        ElectricalError::MissingProperty { first, second, needs: law.needs().words() }
    })?;
    let conductance = in_series(pair.bulk.0, pair.bulk.1, spot);
    if !(spot >= 0.0 && conductance.is_finite()) {
        let (first, second) = names();
        return Err(ElectricalError::Conductance { first, second, conductance: spot, force });
    }
    Ok(conductance)
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
        let (law, force) = (params.law.boxed(), params.force);
        let materials = Materials::read(setup, law.needs())?;
        let electrodes = Electrodes::build(params, setup, |m| materials.conducts(m))?;
        let network = ResistorNetwork::new(setup.bodies.len());
        Ok(Self {
            law,
            force,
            materials,
            electrodes,
            settings,
            solver: NetworkSolver::new(settings),
            network,
            forces: Vec::new(),
            patches: Patches::default(),
            conductances: Vec::new(),
            dead: false,
        })
    }

    fn initial_state(&self, setup: &Setup) -> State {
        State { potential: vec![0.0; setup.bodies.len()], memory: Memory::new() }
    }

    fn ports(&self) -> Vec<Port> {
        vec![POTENTIAL.into(), CURRENT.into(), JOULE_POWER.into()]
    }

    /// No contact carries a force before the first step, so nothing but what is held has a potential.
    fn initial_fields(&self, _: &State, _: &Setup, _: World<'_>, outputs: &mut Outputs) -> Result<(), SolveError> {
        let held = self.electrodes.held(0.0).map_err(|e| SolveError::new(Self::NAME, e))?;
        let potential = outputs.write(POTENTIAL)?;
        for (body, value) in held {
            potential[body] = value;
        }
        Ok(())
    }

    fn numbers(&self) -> Vec<&'static str> {
        vec!["resistance", "electrode_current", "joule_total", "floating_islands", "floating_bodies"]
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
        let contacts = inputs.world.network;
        self.force.update(contacts, step.h, &prev.memory, &mut next.memory, &mut self.forces);
        self.assemble(step, inputs).map_err(error)?;
        let outcome =
            self.solver.solve(&self.network, &mut next.potential).map_err(|e| error(self.name_bodies(e, inputs.setup)))?;

        for body in 0..next.potential.len() {
            next.potential[body] = next.potential[self.electrodes.node_of[body]];
        }
        outputs.write(POTENTIAL)?.copy_from_slice(&next.potential);
        outputs.write(CURRENT)?.copy_from_slice(self.solver.currents());
        let mut joule = 0.0;
        for (k, power) in outputs.write(JOULE_POWER)?.iter_mut().enumerate() {
            *power = self.solver.currents()[k] * self.solver.drop_across(self.network.branches[k].ends);
            joule += *power;
        }
        Ok(self.report(outcome, step, joule, inputs))
    }

    fn drop_caches(&mut self) {
        self.solver.drop_caches();
    }
}
