//! Boundary conditions: groups of the model turned into held nodes, films, radiation and powers of one step.
//! No contacts, no solver.

use std::ops::Range;

use mpcd_core::{BodyId, Dimension, InputError, Inputs, Setup, TimeFunction, column::kept};

use crate::{
    error::ThermalError,
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

/// A condition on the bodies of a group.
#[derive(Debug)]
struct Condition {
    group: String,
    kind: Kind,
    value: TimeFunction,
    /// Bodies and their outer surfaces at reference size (m²).
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
    /// Looks up the groups, and makes the nodes of held bodies [`Node::Held`]. `nodes` comes with the free ones.
    pub(crate) fn build(
        choices: Vec<BoundaryChoice>,
        setup: &Setup,
        thermal: impl Fn(usize) -> bool,
        nodes: &mut [Node],
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
            let members: Vec<usize> = setup.bodies_of(&group)?.into_iter().map(BodyId::index).filter(|&b| thermal(b)).collect();
            if members.is_empty() {
                return Err(InputError::new(format!(
                    "the group \"{group}\" has a boundary condition but no body with thermal properties"
                ))
                .help("add `thermal: (conductivity: …, specific_heat: …)` to its material, or remove the condition")
                .at(group));
            }
            if members.iter().any(|&b| nodes[b] == Node::Held) {
                return Err(InputError::new(format!(
                    "the group \"{group}\" is held at a temperature; a second condition on it has no effect"
                ))
                .help("remove one of the two conditions")
                .at(group));
            }
            if kind == Kind::Temperature {
                members.iter().for_each(|&b| nodes[b] = Node::Held);
            }
            let bodies: Vec<(usize, f64)> = members.into_iter().map(|b| (b, setup.bodies.surface[b])).collect();
            let reaches = |&(b, surface): &(usize, f64)| surface > 0.0 && matches!(nodes[b], Node::Free { .. });
            if kind != Kind::Temperature && !bodies.iter().any(reaches) {
                return Err(InputError::new(format!(
                    "the group \"{group}\" has no body with a mass and an outer surface to take heat"
                ))
                .help("hold a massless boundary with `Temperature(…)` instead")
                .at(group));
            }
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
    /// neighbours (m²) does not radiate to surroundings. Returns the power (W) given by `Power` and `Flux`.
    pub(crate) fn apply(
        &mut self,
        t: f64,
        inputs: &Inputs<'_>,
        seen: &[f64],
        network: &mut HeatNetwork,
    ) -> Result<f64, ThermalError> {
        let mut all = 0.0;
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
                        network.source[node] += power;
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
            all += given;
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
        for condition in &self.conditions {
            let power = match condition.kind {
                Kind::Temperature => {
                    flows.out_of_held(network, |node| condition.bodies.iter().any(|b| b.0 == node))
                        - condition.bodies.iter().map(|b| taken[b.0]).sum::<f64>() / h
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

/// Outer surface of a body over that at reference size: the square of its linear size, in the plane (rim times a thickness
/// that stays) the size itself. A ball in the plane counts as the other shapes, which are not known here.
fn growth(inputs: &Inputs<'_>, body: usize) -> f64 {
    let size = inputs.world.kinematics.size[body];
    match inputs.setup.dimension {
        Dimension::Planar => size,
        Dimension::Spatial => size * size,
    }
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
