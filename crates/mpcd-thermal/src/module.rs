//! The physics module: contact network, Joule power and boundary → temperatures, heat flows, sizes.
//! The laws, the boundary, the sources, the book and the solver live in their own rooms.

use mpcd_core::{
    FieldSpec, InputError, Inputs, Outputs, Physics, Port, Setup, SolveError, SolveReport, Step, Support, Unit, field::names,
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
    sources::add_sources,
};

const TEMPERATURE: FieldSpec = FieldSpec::scalar(names::TEMPERATURE, Unit::TEMPERATURE, Support::Body);
const HEAT: FieldSpec = FieldSpec::scalar(names::HEAT, Unit::POWER, Support::Contact);
const SIZE_FACTOR: FieldSpec = FieldSpec::scalar(names::SIZE_FACTOR, Unit::ONE, Support::Body).starting_at(1.0);
const JOULE_POWER: FieldSpec = FieldSpec::scalar(names::JOULE_POWER, Unit::POWER, Support::Contact);
const HEAT_SOURCE: FieldSpec = FieldSpec::scalar(names::HEAT_SOURCE, Unit::POWER, Support::Body);

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
}

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

    /// Links of the step: one per contact between two bodies that take part, whether heat passes now or not.
    fn link(&mut self, inputs: &Inputs<'_>, h: f64) -> Result<(), ThermalError> {
        for contact in inputs.world.network.iter() {
            let (i, j) = contact.bodies();
            if self.network.nodes[i.index()] == Node::Absent || self.network.nodes[j.index()] == Node::Absent {
                continue;
            }
            let pair = self.materials.pair(inputs.setup.material_of(i), inputs.setup.material_of(j));
            let Some((conductivity, effective_modulus)) = pair else { continue };
            let mut conductance = self.gas.map_or(0.0, |gas| gas.conductance(&contact.geometry, contact.gap));
            let force = contact.normal_force(h);
            if force > 0.0 {
                let spot = Spot { geometry: contact.geometry, force, effective_modulus, conductivity };
                let names = || (inputs.setup.body_label(i), inputs.setup.body_label(j));
                let solid = self.law.conductance(&spot).ok_or_else(|| {
                    let (first, second) = names();
                    ThermalError::MissingProperty { first, second, needs: "`elastic: (young: …, poisson: …)`" }
                })?;
                conductance += solid;
                if !(solid >= 0.0 && conductance.is_finite()) {
                    let (first, second) = names();
                    return Err(ThermalError::Conductance { first, second, conductance: solid, force });
                }
            }
            self.network.join(i.index(), j.index(), conductance);
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

    fn write(&self, state: &State, inputs: &Inputs<'_>, outputs: &mut Outputs) {
        for (body, t) in outputs.field(names::TEMPERATURE).iter_mut().enumerate() {
            *t = self.network.base[body] + state.rise[body];
        }
        // links are the contacts between bodies that take part, in the same order
        let mut links = self.network.links.iter().zip(&self.solver.flows().links).peekable();
        for (heat, contact) in outputs.field(names::HEAT).iter_mut().zip(inputs.world.network.iter()) {
            let ends = (contact.key.candidate.index(), contact.key.antagonist.index());
            let takes_part = |k: usize| self.network.nodes[k] != Node::Absent;
            *heat = if takes_part(ends.0) && takes_part(ends.1) { links.next().map_or(0.0, |(_, flow)| *flow) } else { 0.0 };
        }
        let setup = inputs.setup;
        for (body, size) in outputs.field(names::SIZE_FACTOR).iter_mut().enumerate() {
            // a boundary without mass has no size of its own
            let swells = setup.bodies.mass[body] > 0.0 && takes_part(&self.network, body);
            *size = if swells { 1.0 + self.materials.expansion(setup.bodies.material[body]) * state.rise[body] } else { 1.0 };
        }
    }
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
        Ok(Self { law, gas, coupling, materials, boundary, settings, solver, network, insulated })
    }

    fn initial_state(&self, _: &Setup) -> State {
        let mut rise = vec![0.0; self.network.base.len()];
        // a value that is no number at the start is reported by the first step
        if self.boundary.hold(0.0, &self.network.base, &mut rise).is_err() {
            rise.fill(0.0);
        }
        State { rise }
    }

    fn ports(&self) -> Vec<Port> {
        let mut ports = vec![Port::write(TEMPERATURE), Port::write(HEAT), Port::fresh(HEAT_SOURCE).optional()];
        if self.coupling.joule {
            ports.push(Port::fresh(JOULE_POWER).optional());
        }
        if self.coupling.dilatation {
            ports.push(Port::write(SIZE_FACTOR));
        }
        ports
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
        let made = add_sources(&mut self.network, &self.materials, self.coupling, inputs, step.h);
        self.check_sources(inputs.setup).map_err(error)?;
        let weighed = step.time + self.settings.theta * step.h;
        let power = self.boundary.apply(weighed, inputs, &mut self.network).map_err(error)?;
        self.boundary.hold(step.end(), &self.network.base, &mut next.rise).map_err(error)?;
        let outcome = self.solver.step(&self.network, step.h, &prev.rise, &mut next.rise).map_err(|e| error(e.into()))?;

        self.write(next, inputs, outputs);
        let given = Given { made, power, h: step.h };
        let book = report::balance(&self.network, self.solver.flows(), &outcome, &given, &prev.rise, &next.rise);
        let numbers = report::numbers(&self.network, &next.rise);
        Ok(report::report(outcome, self.settings.tolerance, book, numbers, inputs.setup))
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
