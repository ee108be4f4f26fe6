//! The physics module: contact network, Joule power and boundary → temperatures, heat flows, sizes.
//! The laws, the boundary, the sources, the book and the solver live in their own rooms.

use mpcd_core::{
    InputError, Inputs, OptionalPort, Outputs, Patch, Patches, PerBody, PerContact, Physics, Port, PortMisuse, ReadPort, Scalar,
    Setup, SolveError, SolveReport, Step, Unit, World, WritePort, field::names,
};
use serde::{Deserialize, Serialize};

use crate::{
    boundary::Boundary,
    error::ThermalError,
    gas::GasGap,
    law::{ConductionLaw, Spot},
    material::Materials,
    network::{HeatNetwork, Node},
    params::{Coupling, Params},
    report::{self, Given, NUMBERS},
    solve::{HeatSolver, Method, SolverSettings},
    sources::{GivenHeat, add_sources},
};

const TEMPERATURE: WritePort<Scalar, PerBody> = WritePort::new(names::TEMPERATURE, Unit::TEMPERATURE);
const HEAT: WritePort<Scalar, PerContact> = WritePort::new(names::HEAT, Unit::POWER);
const SIZE_FACTOR: WritePort<Scalar, PerBody> = WritePort::new(names::SIZE_FACTOR, Unit::ONE).starting_at(1.0);
const JOULE_POWER: OptionalPort<Scalar, PerContact> = ReadPort::fresh(names::JOULE_POWER, Unit::POWER).optional();
const HEAT_SOURCE: OptionalPort<Scalar, PerBody> = ReadPort::fresh(names::HEAT_SOURCE, Unit::POWER).optional();

/// Temperature of all bodies at the start, unless the model says so (K).
const ROOM: f64 = 293.15;

/// The thermal module.
#[derive(Debug)]
pub struct Thermal {
    law: Box<dyn ConductionLaw>,
    gas: Option<GasGap>,
    coupling: Coupling,
    materials: Materials,
    boundary: Boundary,
    settings: SolverSettings,
    solver: HeatSolver,
    network: HeatNetwork,
    /// Bodies with a thermal material but neither mass nor a held temperature, for a warning.
    insulated: usize,
    /// Whether some contact pushes and the law lets it conduct nothing.
    dead: bool,
    // Buffers: caches that change no bit.
    push: Vec<f64>,
    patches: Patches,
    conductances: Vec<f64>,
}

/// Said of contacts that push and conduct nothing.
const NO_AREA: &str = "contacts push and conduct no heat: sharp edges and corners have no area, so the spot of an elastic contact has no size there; \
    `Constant` goes by no area, and rounded bodies have a spot";

/// What changes from step to step.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Temperature of each body over its temperature at the start (K).
    rise: Vec<f64>,
}

impl Clone for State {
    fn clone(&self) -> Self {
        Self { rise: self.rise.clone() }
    }
    fn clone_from(&mut self, other: &Self) {
        self.rise.clone_from(&other.rise);
    }
}

impl Thermal {
    /// Replaces the conduction law, for a program that has its own.
    ///
    /// # Errors
    /// When the materials lack what the law needs.
    pub fn with_law(mut self, law: Box<dyn ConductionLaw>, setup: &Setup) -> Result<Self, InputError> {
        self.materials = Materials::read(setup, law.needs_elastic())?;
        self.law = law;
        Ok(self)
    }

    /// Links of the step: one per contact between two bodies that take part, whether heat passes now or not. The law holds for a patch as a whole,
    /// a contact of it conducts its part of the force; the gas conducts at each.
    fn link(&mut self, inputs: &Inputs<'_>, h: f64) -> Result<(), ThermalError> {
        let contacts = inputs.world.network;
        self.push.clear();
        self.push.extend(contacts.iter().map(|c| c.normal_force(h).max(0.0)));
        self.patches.find(contacts.len(), |k| (&contacts.contacts[k]).into());
        let (law, materials, network) = (&*self.law, &self.materials, &self.network);
        let mut dead = false;
        let of_patch = |patch: &Patch<'_>, force: f64| {
            let found = of_patch(law, materials, network, inputs.setup, patch, force)?;
            let (i, j) = patch.first().bodies();
            let part = takes_part(network, i.index()) && takes_part(network, j.index());
            dead |= found == 0.0 && part && materials.pair(inputs.setup.material_of(i), inputs.setup.material_of(j)).is_some();
            Ok::<f64, ThermalError>(found)
        };
        self.patches.conductances(contacts, &self.push, of_patch, &mut self.conductances)?;
        self.dead = dead;
        for (contact, solid) in contacts.iter().zip(&self.conductances) {
            let (i, j) = contact.bodies();
            let part = takes_part(&self.network, i.index()) && takes_part(&self.network, j.index());
            if part && self.materials.pair(inputs.setup.material_of(i), inputs.setup.material_of(j)).is_some() {
                let gas = self.gas.map_or(0.0, |gas| gas.conductance(&contact.geometry, contact.gap));
                self.network.join(i.index(), j.index(), gas + solid);
            }
        }
        Ok(())
    }

    fn check_sources(&self, setup: &Setup) -> Result<(), ThermalError> {
        match self.network.source.iter().position(|p| !p.is_finite()) {
            Some(node) => Err(ThermalError::Source {
                body: setup.body_label(mpcd_core::BodyId::from_index(node)),
                power: self.network.source[node],
            }),
            None => Ok(()),
        }
    }

    /// No body is below absolute zero.
    fn check_temperatures(&self, state: &State, setup: &Setup, time: f64) -> Result<(), ThermalError> {
        let temperature = |body: usize| self.network.base[body] + state.rise[body];
        match (0..state.rise.len()).find(|&body| temperature(body) < 0.0) {
            None => Ok(()),
            Some(body) => {
                let (label, temperature) = (setup.body_label(mpcd_core::BodyId::from_index(body)), temperature(body));
                Err(ThermalError::BelowZero { body: label, temperature, time })
            }
        }
    }

    /// Temperatures and sizes of a state.
    fn write_bodies(&self, state: &State, setup: &Setup, outputs: &mut Outputs) -> Result<(), PortMisuse> {
        for (body, t) in outputs.write(TEMPERATURE)?.iter_mut().enumerate() {
            *t = self.network.base[body] + state.rise[body];
        }
        if !self.coupling.dilatation {
            return Ok(());
        }
        for (body, size) in outputs.write(SIZE_FACTOR)?.iter_mut().enumerate() {
            // a boundary without mass has no size of its own
            let swells = setup.bodies.mass[body] > 0.0 && takes_part(&self.network, body);
            *size = if swells { 1.0 + self.materials.expansion(setup.bodies.material[body]) * state.rise[body] } else { 1.0 };
        }
        Ok(())
    }

    fn write_heat(&self, inputs: &Inputs<'_>, outputs: &mut Outputs) -> Result<(), PortMisuse> {
        // links are the contacts between bodies that take part, in the same order
        let mut links = self.network.links.iter().zip(&self.solver.flows().links).peekable();
        for (heat, contact) in outputs.write(HEAT)?.iter_mut().zip(inputs.world.network.iter()) {
            let ends = (contact.key.candidate.index(), contact.key.antagonist.index());
            let takes_part = |k: usize| takes_part(&self.network, k);
            *heat = if takes_part(ends.0) && takes_part(ends.1) { links.next().map_or(0.0, |(_, flow)| *flow) } else { 0.0 };
        }
        Ok(())
    }
}

/// Conductance of the solid of a patch that pushes with `force` (N) (W/K).
fn of_patch(
    law: &dyn ConductionLaw,
    materials: &Materials,
    network: &HeatNetwork,
    setup: &Setup,
    patch: &Patch<'_>,
    force: f64,
) -> Result<f64, ThermalError> {
    let (i, j) = patch.first().bodies();
    let pair = materials.pair(setup.material_of(i), setup.material_of(j));
    let Some((conductivity, effective_modulus)) =
        pair.filter(|_| takes_part(network, i.index()) && takes_part(network, j.index()))
    else {
        return Ok(0.0);
    };
    let names = || (setup.body_label(i), setup.body_label(j));
    let spot = Spot { geometry: patch.geometry(), force, effective_modulus, conductivity };
    let conductance = law.conductance(&spot).ok_or_else(|| {
        let (first, second) = names();
        ThermalError::MissingProperty { first, second, needs: "`elastic: (young: …, poisson: …)`" }
    })?;
    if !(conductance >= 0.0 && conductance.is_finite()) {
        let (first, second) = names();
        return Err(ThermalError::Conductance { first, second, conductance, force });
    }
    Ok(conductance)
}

fn takes_part(network: &HeatNetwork, body: usize) -> bool {
    network.nodes[body] != Node::Absent
}

/// Temperature of each body at the start (K).
fn initial_temperatures(params: &Params, setup: &Setup) -> Result<Vec<f64>, InputError> {
    let mut base = vec![params.temperature.map_or(ROOM, |t| t.si()); setup.bodies.len()];
    for initial in &params.initial {
        for body in setup.bodies_of(&initial.group)? {
            base[body.index()] = initial.temperature.si();
        }
    }
    Ok(base)
}

impl Physics for Thermal {
    const NAME: &'static str = "Thermal";
    type Params = Params;
    type State = State;

    fn build(params: Params, setup: &Setup) -> Result<Self, InputError> {
        let method = Method::NAMES.iter().find(|(name, _)| *name == params.solver).map(|(_, m)| *m);
        let known = Method::NAMES.iter().map(|(name, _)| *name);
        let method = method.ok_or_else(|| InputError::unknown("thermal solver", &params.solver, known))?;
        let defaults = SolverSettings::default();
        let settings = SolverSettings {
            method,
            theta: params.theta.map_or(defaults.theta, |t| t.si()),
            tolerance: params.tolerance.map_or(defaults.tolerance, |t| t.si()),
            max_iterations: params.max_iterations.unwrap_or(defaults.max_iterations),
        };
        let law = params.law.boxed();
        let materials = Materials::read(setup, law.needs_elastic())?;
        let mut network = HeatNetwork::new(initial_temperatures(&params, setup)?);
        let thermal = |body: usize| materials.of(setup.bodies.material[body]).is_some();
        for (body, node) in network.nodes.iter_mut().enumerate() {
            let specific = materials.of(setup.bodies.material[body]).map(|m| m.specific_heat.si());
            if let (Some(specific), mass) = (specific, setup.bodies.mass[body])
                && mass > 0.0
            {
                *node = Node::Free { capacity: mass * specific };
            }
        }
        let (gas, coupling) = (params.gas, params.coupling);
        let boundary = Boundary::build(params.boundary, setup, thermal, &mut network.nodes)?;
        let insulated = (0..network.nodes.len()).filter(|&b| network.nodes[b] == Node::Absent && thermal(b)).count();
        let solver = HeatSolver::new(settings);
        Ok(Self {
            law,
            gas,
            coupling,
            materials,
            boundary,
            settings,
            solver,
            network,
            insulated,
            dead: false,
            push: Vec::new(),
            patches: Patches::default(),
            conductances: Vec::new(),
        })
    }

    fn initial_state(&self, _: &Setup) -> State {
        let mut rise = vec![0.0; self.network.base.len()];
        // a value that cannot be held is refused with the initial fields
        if self.boundary.hold(0.0, &self.network.base, &mut rise).is_err() {
            rise.fill(0.0);
        }
        State { rise }
    }

    fn ports(&self) -> Vec<Port> {
        let mut ports = vec![TEMPERATURE.into(), HEAT.into(), HEAT_SOURCE.into()];
        if self.coupling.joule {
            ports.push(JOULE_POWER.into());
        }
        if self.coupling.dilatation {
            ports.push(SIZE_FACTOR.into());
        }
        ports
    }

    fn initial_fields(&self, state: &State, setup: &Setup, _: World<'_>, outputs: &mut Outputs) -> Result<(), SolveError> {
        // A boundary without a value at t = 0 left the state alone; here it is said.
        self.boundary.check(0.0).map_err(|e| SolveError::new(Self::NAME, e))?;
        Ok(self.write_bodies(state, setup, outputs)?)
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
        let error = |e: ThermalError| SolveError::new(Self::NAME, e);
        self.network.clear();
        self.link(inputs, step.h).map_err(error)?;
        let fields = GivenHeat {
            joule: if self.coupling.joule { inputs.read(JOULE_POWER)? } else { None },
            source: inputs.read(HEAT_SOURCE)?,
        };
        let made = add_sources(&mut self.network, &self.materials, self.coupling, &fields, inputs, step.h);
        self.check_sources(inputs.setup).map_err(error)?;
        let weighed = step.time + self.settings.theta * step.h;
        let power = self.boundary.apply(weighed, inputs, &mut self.network).map_err(error)?;
        self.boundary.hold(step.end(), &self.network.base, &mut next.rise).map_err(error)?;
        let outcome = self.solver.step(&self.network, step.h, &prev.rise, &mut next.rise).map_err(|e| error(e.into()))?;

        self.check_temperatures(next, inputs.setup, step.end()).map_err(error)?;
        self.write_bodies(next, inputs.setup, outputs)?;
        self.write_heat(inputs, outputs)?;
        let given = Given { made, power, h: step.h };
        let book = report::balance(&self.network, self.solver.flows(), &outcome, &given, &prev.rise, &next.rise);
        let numbers = report::numbers(&self.network, &next.rise);
        let mut report = report::report(outcome, self.settings.tolerance, book, numbers, inputs.setup);
        report.warnings.extend(self.dead.then(|| NO_AREA.to_owned()));
        Ok(report)
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
