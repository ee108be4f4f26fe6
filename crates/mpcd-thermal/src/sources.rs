//! Heat made in the step: at contacts (friction, impact, current) and in bodies (a user's field), given to the nodes that take
//! it and counted by origin. No conduction here.

use mpcd_core::{Contact, Inputs};

use crate::{material::Materials, network::HeatNetwork, network::Node, params::Coupling};

/// Heat of one step by origin, and where it did not go to a free body (J).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Made {
    pub(crate) friction: f64,
    pub(crate) impact: f64,
    pub(crate) joule: f64,
    pub(crate) source: f64,
    /// Taken by bodies held at a temperature.
    pub(crate) held: f64,
    /// Made where no body takes it.
    pub(crate) lost: f64,
}

/// Heat that other modules give in the step, where there are any.
pub(crate) struct GivenHeat<'a> {
    /// Power of the current at each contact (W).
    pub(crate) joule: Option<&'a [f64]>,
    /// Power given to each body (W).
    pub(crate) source: Option<&'a [f64]>,
    /// Temperature of each body (K).
    pub(crate) temperatures: &'a [f64],
}

/// Adds all heat of a step of `h` (s) to the sources of `network`; what held bodies take goes to `taken` (J), body by body.
///
/// Heat of a contact enters its two surfaces in the ratio of their effusivities √(kρc), that of a current half and half; a
/// body that takes no part leaves its part to the other. Between two such bodies the heat is lost, and counted so.
pub(crate) fn add_sources(
    network: &mut HeatNetwork,
    materials: &Materials,
    coupling: Coupling,
    fields: &GivenHeat<'_>,
    inputs: &Inputs<'_>,
    h: f64,
    taken: &mut Vec<f64>,
) -> Made {
    taken.clear();
    taken.resize(network.nodes.len(), 0.0);
    let mut made = Made::default();
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
        let (i, j) = contact.bodies();
        let ids = [i, j].map(|b| inputs.setup.material_of(b));
        let share = materials.share(ids, [i, j].map(|b| fields.temperatures[b.index()]));
        let first = share * mechanical + 0.5 * joule;
        give(network, contact, [first, mechanical + joule - first], h, (&mut made, taken));
    }
    for (body, power) in fields.source.unwrap_or(&[]).iter().enumerate() {
        made.source += power * h;
        match network.nodes.get(body) {
            Some(Node::Free { .. }) => network.source[body] += power,
            Some(Node::Held) => {
                made.held += power * h;
                taken[body] += power * h;
            }
            _ => made.lost += power * h,
        }
    }
    made
}

/// Gives heat (J) to the two bodies of a contact, or all of it to the one that takes part.
fn give(network: &mut HeatNetwork, contact: &Contact, [first, second]: [f64; 2], h: f64, (made, taken): (&mut Made, &mut [f64])) {
    let (i, j) = (contact.key.candidate.index(), contact.key.antagonist.index());
    let parts = match (network.nodes[i], network.nodes[j]) {
        (Node::Absent, Node::Absent) => {
            made.lost += first + second;
            return;
        }
        (Node::Absent, _) => [(i, 0.0), (j, first + second)],
        (_, Node::Absent) => [(i, first + second), (j, 0.0)],
        _ => [(i, first), (j, second)],
    };
    for (node, heat) in parts {
        match network.nodes[node] {
            Node::Free { .. } => network.source[node] += heat / h,
            Node::Held => {
                made.held += heat;
                taken[node] += heat;
            }
            Node::Absent => {}
        }
    }
}
