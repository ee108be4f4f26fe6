//! Radiation between neighbours: which pairs of the contact network see each other, and how much of its surface each body sees of
//! the others. The view factors are in their own room; no solver here.

use mpcd_core::{Dimension, Inputs, Patches};

use crate::{
    boundary::STEFAN_BOLTZMANN,
    material::Materials,
    network::{Exchange, HeatNetwork, Node},
    view::viewed_area,
};

/// Puts the exchange of every pair into the network, once a pair, and what each body sees of its neighbours (m²) into `seen`.
///
/// A pair sees itself by the nearest of its patches that sees most. Each pair exchanges as two grey surfaces of the area A F that see
/// nothing but each other, σ A F (T_i⁴ − T_j⁴)/(1/ε_i + 1/ε_j − 1): exact for parallel faces and for black bodies.
pub(crate) fn exchange(
    network: &mut HeatNetwork,
    materials: &Materials,
    patches: &Patches,
    inputs: &Inputs<'_>,
    seen: &mut Vec<f64>,
) {
    seen.clear();
    seen.resize(network.nodes.len(), 0.0);
    let setup = inputs.setup;
    let growth = |body: usize| {
        let size = inputs.world.kinematics.size[body];
        if setup.dimension == Dimension::Planar { size } else { size * size }
    };
    let mut last: Option<(usize, usize, f64, f64)> = None;
    let mut add = |pair: Option<(usize, usize, f64, f64)>| {
        let Some((i, j, area, grey)) = pair else { return };
        network.exchanges.push(Exchange { ends: (i, j), strength: STEFAN_BOLTZMANN * area * grey });
        seen[i] += area;
        seen[j] += area;
    };
    for patch in patches.iter(inputs.world.network) {
        let (a, b) = patch.first().bodies();
        let (i, j) = (a.index(), b.index());
        let grey = materials.exchange([a, b].map(|x| setup.material_of(x)));
        if grey <= 0.0 || network.nodes[i] == Node::Absent || network.nodes[j] == Node::Absent {
            continue;
        }
        let gap = patch.contacts().map(|c| c.gap).fold(f64::INFINITY, f64::min);
        let area = viewed_area(&patch.geometry(), [i, j].map(|k| setup.bodies.surface[k] * growth(k)), gap);
        let area = match last.take() {
            Some((k, l, before, _)) if (k, l) == (i, j) => area.max(before),
            other => {
                add(other);
                area
            }
        };
        last = Some((i, j, area, grey));
    }
    add(last);
}
