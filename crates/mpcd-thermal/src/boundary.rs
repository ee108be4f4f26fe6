//! Boundary conditions: groups of the model turned into held nodes, films, radiation and powers of one step.
//! No contacts, no solver.

use std::ops::Range;

use mpcd_core::{BodyId, InputError, Inputs, Setup, TimeFunction, column::kept, setup::split_part};

use crate::{
    error::ThermalError,
    meshes::Meshes,
    network::{Film, HeatNetwork, Node, Radiation},
    params::BoundaryChoice,
    solve::Flows,
};

/// Stefan–Boltzmann constant (W/(m² K⁴)) (CODATA 2018).
pub(crate) const STEFAN_BOLTZMANN: f64 = 5.670_374_419e-8;

/// What a condition does to its bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    /// Their temperature is the value (K).
    Temperature,
    /// They take the value (W) together.
    Power,
    /// They take the value (W/m²).
    Flux,
    /// They exchange with an ambient at the value (K): coefficient (W/(m² K)).
    Convection(f64),
    /// They radiate to surroundings at the value (K): emissivity.
    Radiation(f64),
}

impl Kind {
    const fn quantity(self) -> &'static str {
        match self {
            Self::Temperature => "temperature",
            Self::Power => "power",
            Self::Flux => "flux",
            Self::Convection(_) | Self::Radiation(_) => "ambient temperature",
        }
    }
}

/// Whom a condition names: the bodies of a group, or a part of their meshes.
struct On<'a> {
    group: &'a str,
    members: Vec<usize>,
    part: Option<&'a str>,
}

impl<'a> On<'a> {
    /// The bodies with thermal properties among those of `group` or `group.part`.
    fn find(group: &'a str, setup: &Setup, thermal: impl Fn(usize) -> bool, meshes: &Meshes) -> Result<Self, InputError> {
        let (name, part) = split_part(group, |name| setup.groups.find(name).is_some());
        let members: Vec<usize> = setup.bodies_of(name)?.into_iter().map(BodyId::index).filter(|&b| thermal(b)).collect();
        if members.is_empty() {
            return Err(InputError::new(format!(
                "the group \"{name}\" has a boundary condition but no body with thermal properties"
            ))
            .help("add `thermal: (conductivity: …, specific_heat: …)` to its material, or remove the condition")
            .at(group));
        }
        if let Some(part) = part.filter(|_| members.iter().any(|&b| !meshes.is_mesh(b))) {
            return Err(InputError::new(format!(
                "`{name}.{part}` names a part of a mesh, but group \"{name}\" has rigid bodies"
            ))
            .help(format!("write `group: \"{name}\"`, or give its bodies a shape Mesh(…)"))
            .at(group));
        }
        Ok(Self { group, members, part })
    }

    /// Holds the nodes that no other condition holds.
    fn hold(&self, meshes: &Meshes, network: &mut HeatNetwork) -> Result<Vec<(usize, f64)>, InputError> {
        let mut held = Vec::new();
        for &body in &self.members {
            let nodes = meshes.nodes(body, self.part)?;
            let free = nodes.iter().copied().filter(|&n| network.nodes[n] != Node::Held);
            held.extend(free.map(|n| (n, 0.0)));
            if nodes.iter().all(|&n| network.nodes[n] == Node::Held) {
                return Err(self.held_already());
            }
        }
        held.iter().for_each(|(n, _)| network.nodes[*n] = Node::Held);
        Ok(held)
    }

    /// Outer surfaces of the bodies (m²), of meshes point by point.
    fn surface(&self, setup: &Setup, meshes: &Meshes, network: &mut HeatNetwork) -> Result<Vec<(usize, f64)>, InputError> {
        let mut ends = Vec::new();
        for &body in &self.members {
            if meshes.is_mesh(body) {
                ends.extend(meshes.surface(body, self.part, network)?);
            } else if network.nodes[body] == Node::Held {
                return Err(self.held_already());
            } else {
                ends.push((body, setup.bodies.surface[body]));
            }
        }
        let meshed = self.members.iter().any(|&b| meshes.is_mesh(b));
        if ends.iter().any(|&(end, surface)| surface > 0.0 && network.is_free(end)) {
            return Ok(ends);
        }
        if meshed {
            return Err(self.held_already());
        }
        Err(InputError::new(format!(
            "the group \"{}\" has no body with a mass and an outer surface (planes have none) to take heat",
            self.group
        ))
        .help("hold a massless boundary with `Temperature(…)` instead"))
    }

    fn held_already(&self) -> InputError {
        InputError::new(format!("the group \"{}\" is held at a temperature; a second condition on it has no effect", self.group))
            .help("remove one of the two conditions")
    }
}

/// A condition on the bodies of a group.
#[derive(Debug)]
struct Condition {
    group: String,
    kind: Kind,
    value: TimeFunction,
    /// Ends of the network and their outer surfaces at reference size (m²): bodies, nodes of meshes that are held, points of their surfaces.
    bodies: Vec<(usize, f64)>,
    /// Its column of the history.
    column: &'static str,
    /// Power that it gave in the last step, where it gives one itself (W).
    given: f64,
    /// Its films or its radiation in the network of the last step.
    entries: Range<usize>,
}

/// All boundary conditions.
#[derive(Debug, Default)]
pub(crate) struct Boundary {
    conditions: Vec<Condition>,
}

impl Boundary {
    /// Looks up the groups and parts of meshes, makes held nodes [`Node::Held`] and surfaces of meshes points of the network, which comes with
    /// the free nodes.
    pub(crate) fn build(
        choices: Vec<BoundaryChoice>,
        setup: &Setup,
        thermal: impl Fn(usize) -> bool,
        meshes: &Meshes,
        network: &mut HeatNetwork,
    ) -> Result<Self, InputError> {
        let parts = choices.into_iter().map(|choice| match choice {
            BoundaryChoice::Temperature(b) => (b.group, Kind::Temperature, b.value),
            BoundaryChoice::Power(b) => (b.group, Kind::Power, b.value),
            BoundaryChoice::Flux(b) => (b.group, Kind::Flux, b.value),
            BoundaryChoice::Convection(b) => (b.group, Kind::Convection(b.coefficient.si()), b.ambient),
            BoundaryChoice::Radiation(b) => (b.group, Kind::Radiation(b.emissivity.si()), b.ambient),
        });
        // held groups first, so that the others know
        let (held, others): (Vec<_>, Vec<_>) = parts.partition(|(_, kind, _)| *kind == Kind::Temperature);
        let mut conditions: Vec<Condition> = Vec::new();
        for (group, kind, value) in held.into_iter().chain(others) {
            let on = On::find(&group, setup, &thermal, meshes)?;
            let bodies = if kind == Kind::Temperature { on.hold(meshes, network) } else { on.surface(setup, meshes, network) };
            let bodies = bodies.map_err(|e| e.at(group.as_str()))?;
            let column = kept(format!("heat_in_{group}"));
            conditions.push(Condition { group, kind, value, bodies, column, given: 0.0, entries: 0..0 });
        }
        Ok(Self { conditions })
    }

    /// Puts the temperatures that are held at time `t` into `rises` (K over the base).
    pub(crate) fn hold(&self, t: f64, base: &[f64], rises: &mut [f64]) -> Result<(), ThermalError> {
        for condition in self.conditions.iter().filter(|c| c.kind == Kind::Temperature) {
            let value = condition.at(t)?;
            condition.bodies.iter().for_each(|&(b, _)| rises[b] = value - base[b]);
        }
        Ok(())
    }

    /// Every condition has a value at time `t` that it can have.
    pub(crate) fn check(&self, t: f64) -> Result<(), ThermalError> {
        self.conditions.iter().try_for_each(|c| c.at(t).map(|_| ()))
    }

    /// Puts films, radiation and powers at time `t` into a network, on the surfaces that the bodies have in this step; what a body sees of its
    /// neighbours (m²) does not radiate to surroundings. Returns the power (W) given by `Power` and `Flux`, and the part of it that held nodes
    /// of meshes take; their heat in a time of `h` (s) is added to `taken` (J).
    pub(crate) fn apply(
        &mut self,
        (t, h): (f64, f64),
        inputs: &Inputs<'_>,
        seen: &[f64],
        network: &mut HeatNetwork,
        taken: &mut [f64],
    ) -> Result<[f64; 2], ThermalError> {
        let mut all = [0.0; 2];
        for condition in self.conditions.iter_mut().filter(|c| c.kind != Kind::Temperature) {
            let value = condition.at(t)?;
            let present = || condition.bodies.iter().map(|&(body, surface)| (body, surface * growth(inputs, body)));
            let total: f64 = present().filter(|b| network.is_free(b.0)).map(|b| b.1).sum();
            let entries = |network: &HeatNetwork| match condition.kind {
                Kind::Convection(_) => network.films.len(),
                _ => network.radiation.len(),
            };
            let (from, mut given) = (entries(network), 0.0);
            for (node, surface) in present() {
                if !network.is_free(node) {
                    continue;
                }
                match condition.kind {
                    Kind::Temperature => {}
                    Kind::Power | Kind::Flux => {
                        let power = if condition.kind == Kind::Power { value * surface / total } else { value * surface };
                        all[1] += network.give(node, power, |held, power| taken[held] += power * h);
                        given += power;
                    }
                    Kind::Convection(coefficient) => {
                        network.films.push(Film { node, conductance: coefficient * surface, ambient: value });
                    }
                    Kind::Radiation(emissivity) => {
                        let open = (surface - seen.get(node).unwrap_or(&0.0)).max(0.0);
                        let strength = emissivity * STEFAN_BOLTZMANN * open;
                        network.radiation.push(Radiation { node, strength, ambient: value });
                    }
                }
            }
            all[0] += given;
            let to = entries(network);
            (condition.given, condition.entries) = (given, from..to);
        }
        Ok(all)
    }

    /// Names of the columns of the groups.
    pub(crate) fn columns(&self) -> Vec<&'static str> {
        let mut out: Vec<&'static str> = Vec::new();
        for condition in &self.conditions {
            if !out.contains(&condition.column) {
                out.push(condition.column);
            }
        }
        out
    }

    /// Power (W) that each group with a condition gives to the bodies that store heat, in the order of [`Self::columns`]: positive when it
    /// heats them. Of a held group, what flows from it less what is made in it (`taken`, J in a step of `h` s).
    pub(crate) fn powers(&self, network: &HeatNetwork, flows: &Flows, taken: &[f64], h: f64) -> Vec<(&'static str, f64)> {
        let mut out: Vec<(&'static str, f64)> = self.columns().into_iter().map(|name| (name, 0.0)).collect();
        let mut own = vec![false; network.nodes.len()];
        for condition in &self.conditions {
            let power = match condition.kind {
                Kind::Temperature => {
                    own.fill(false);
                    condition.bodies.iter().for_each(|b| own[b.0] = true);
                    flows.out_of_held(network, |node| own[node]) - condition.bodies.iter().map(|b| taken[b.0]).sum::<f64>() / h
                }
                Kind::Power | Kind::Flux => condition.given,
                Kind::Convection(_) => flows.films[condition.entries.clone()].iter().sum(),
                Kind::Radiation(_) => flows.radiation[condition.entries.clone()].iter().sum(),
            };
            out.iter_mut().filter(|c| c.0 == condition.column).for_each(|c| c.1 += power);
        }
        out
    }
}

/// Outer surface of a body over that at reference size ([`mpcd_core::BodySet::surface_growth`]).
fn growth(inputs: &Inputs<'_>, body: usize) -> f64 {
    // a mesh has none of its own
    let size = inputs.world.kinematics.size.get(body).copied().unwrap_or(1.0);
    inputs.setup.bodies.surface_growth(body, size, inputs.setup.dimension)
}

impl Condition {
    fn at(&self, t: f64) -> Result<f64, ThermalError> {
        let value = self.value.at(t);
        let cold = value < 0.0 && !matches!(self.kind, Kind::Power | Kind::Flux);
        if value.is_finite() && !cold {
            return Ok(value);
        }
        let expected = if cold { "0 K or above" } else { "a finite number" };
        Err(ThermalError::Boundary { quantity: self.kind.quantity(), group: self.group.clone(), value, time: t, expected })
    }
}
