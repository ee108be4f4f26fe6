//! Heat made in the step: at contacts (friction, impact, current), in joints and meshes (current) and in bodies (a user's field, the pore fluid), given to the nodes that take
//! it and counted by origin. No conduction here.

use mpcd_core::Inputs;

use crate::{material::Materials, meshes::Meshes, network::HeatNetwork, params::Coupling};

/// Heat of one step by origin, and where it did not go to a free body (J).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Made {
    pub(crate) friction: f64,
    pub(crate) impact: f64,
    pub(crate) joule: f64,
    pub(crate) source: f64,
    /// Given by the pore fluid.
    pub(crate) fluid: f64,
    /// Taken by bodies held at a temperature.
    pub(crate) held: f64,
    /// Made where no body takes it.
    pub(crate) lost: f64,
}

impl Made {
    /// What contacts and sources give to bodies (J).
    pub(crate) fn all(&self) -> f64 {
        self.friction + self.impact + self.joule + self.source - self.lost
    }
}

/// Heat that other modules give in the step, where there are any.
pub(crate) struct GivenHeat<'a> {
    /// Power of the current at each contact (W).
    pub(crate) joule: Option<&'a [f64]>,
    /// Part of it that the second body takes; half where nothing says it.
    pub(crate) joule_share: Option<&'a [f64]>,
    /// The power at each node of a mesh (W).
    pub(crate) joule_of_nodes: Option<&'a [f64]>,
    /// The same of each joint (W).
    pub(crate) joule_of_joints: Option<&'a [f64]>,
    /// Power given to each body (W).
    pub(crate) source: Option<&'a [f64]>,
    /// Power that the pore fluid gives to each body (W).
    pub(crate) fluid: Option<&'a [f64]>,
    /// Temperature of each body and node (K).
    pub(crate) temperatures: &'a [f64],
    /// The sides of each contact as ends of the network.
    pub(crate) ends: &'a [[usize; 2]],
}

/// Adds all heat of a step of `h` (s) to the sources of `network`; what held bodies take is added to `taken` (J), node by node.
///
/// Heat of a contact enters its two surfaces, on meshes where it lies, in the ratio of their effusivities √(kρc), that of a current half and half or as `joule_share` says; a
/// body that takes no part leaves its part to the other. Between two such bodies the heat is lost, and counted so.
pub(crate) fn add_sources(
    network: &mut HeatNetwork,
    (materials, meshes): (&Materials, &Meshes),
    coupling: Coupling,
    fields: &GivenHeat<'_>,
    inputs: &Inputs<'_>,
    h: f64,
    taken: &mut Vec<f64>,
) -> Made {
    taken.resize(network.nodes.len(), 0.0);
    let mut made = Made::default();
    let mut cold = Cold { temperatures: fields.temperatures, drawn: Vec::new() };
    for (row, contact) in inputs.world.network.iter().enumerate() {
        let friction = if coupling.friction { contact.heat_friction } else { 0.0 };
        let impact = if coupling.impact { contact.heat_impact } else { 0.0 };
        let joule = fields.joule.and_then(|p| p.get(row)).map_or(0.0, |power| power * h);
        made.friction += friction;
        made.impact += impact;
        made.joule += joule;
        let mechanical = friction + impact;
        if mechanical == 0.0 && joule == 0.0 {
            continue;
        }
        let ids = inputs.setup.materials_at(inputs.world.network, contact);
        let share = materials.share(ids, fields.ends[row].map(|end| network.mean(end, fields.temperatures)));
        let to_second = fields.joule_share.and_then(|s| s.get(row)).copied().unwrap_or(0.5);
        let first = share * mechanical + (1.0 - to_second) * joule;
        let mut both = [first, mechanical + joule - first];
        for (heat, end) in both.iter_mut().zip(fields.ends[row]) {
            let there = cold.there_is(*heat, end, network);
            made.lost += *heat - there;
            *heat = there;
        }
        give(network, fields.ends[row], both, h, (&mut made, taken));
    }
    for (power, joint) in fields.joule_of_joints.unwrap_or(&[]).iter().zip(&inputs.setup.joints) {
        let (first, Some(second)) = joint.bodies else { continue };
        made.joule += power * h;
        let ends = [first, second].map(|body| meshes.end_of(body.index()));
        give(network, ends, [0.5 * power * h; 2], h, (&mut made, taken));
    }
    let nodes = fields.joule_of_nodes.unwrap_or(&[]).iter().zip(inputs.setup.bodies.len()..);
    for (power, node) in nodes {
        made.joule += power * h;
        give_one(network, node, *power, h, (&mut made, taken));
    }
    for (body, power) in fields.source.unwrap_or(&[]).iter().enumerate() {
        made.source += power * h;
        give_one(network, meshes.end_of(body), *power, h, (&mut made, taken));
    }
    for (body, power) in fields.fluid.unwrap_or(&[]).iter().enumerate() {
        made.fluid += power * h;
        give_one(network, meshes.end_of(body), *power, h, (&mut made, taken));
    }
    made
}

/// What contacts may draw: their heat is below zero only by the rounding of the mechanics, and a body at absolute zero, or near it, has not as much.
struct Cold<'a> {
    /// Temperature of each body at the start of the step (K).
    temperatures: &'a [f64],
    /// Heat drawn from each body so far (J); empty as long as nothing was.
    drawn: Vec<f64>,
}

impl Cold<'_> {
    /// Of a heat (J) that goes to an end, what there is: all of it above zero, and below it as much as the body still has.
    fn there_is(&mut self, heat: f64, end: usize, network: &HeatNetwork) -> f64 {
        let Some(temperature) = self.temperatures.get(end).filter(|_| heat < 0.0 && network.is_node(end)) else { return heat };
        if !network.is_free(end) {
            return heat;
        }
        self.drawn.resize(self.temperatures.len(), 0.0);
        let has = network.taken(end, -network.base[end], *temperature) - self.drawn[end];
        let there = heat.max(-has.max(0.0));
        self.drawn[end] -= there;
        there
    }
}

/// Gives a power (W) to an end, if it takes part.
fn give_one(network: &mut HeatNetwork, end: usize, power: f64, h: f64, (made, taken): (&mut Made, &mut [f64])) {
    if network.takes_part(end) {
        made.held += network.give(end, power, |held, power| taken[held] += power * h) * h;
    } else {
        made.lost += power * h;
    }
}

/// Gives heat (J) to the two sides of a contact, or all of it to the one that takes part.
fn give(
    network: &mut HeatNetwork,
    [i, j]: [usize; 2],
    [first, second]: [f64; 2],
    h: f64,
    (made, taken): (&mut Made, &mut [f64]),
) {
    let parts = match (network.takes_part(i), network.takes_part(j)) {
        (false, false) => {
            made.lost += first + second;
            return;
        }
        (false, true) => [0.0, first + second],
        (true, false) => [first + second, 0.0],
        (true, true) => [first, second],
    };
    for (end, heat) in [i, j].into_iter().zip(parts) {
        made.held += network.give(end, heat / h, |held, power| taken[held] += power * h) * h;
    }
}
