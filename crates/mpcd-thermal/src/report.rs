//! The heat book of a step, the numbers for the history, and the words for a step that did not converge. No physics.

use std::ops::Range;

use mpcd_core::{Balance, Book, SolveReport, Status};

use crate::{
    network::{HeatNetwork, Node},
    solve::{Flows, Outcome},
    sources::Made,
};

/// Names of the numbers, in the order of [`numbers`].
pub(crate) const NUMBERS: [&str; 6] =
    ["temperature_min", "temperature_mean", "temperature_max", "heat_stored", "heat_made", "heat_time"];

/// What the book counts besides the solver's own flows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Given {
    /// Heat made in the step (J).
    pub(crate) made: Made,
    /// Power of `Power` and `Flux` boundaries (W), and the part of it that held nodes take.
    pub(crate) power: [f64; 2],
    /// What was made in the steps before in which temperatures waited (J).
    pub(crate) before: f64,
    /// Time of heat over which temperatures moved in the step (s); 0 where they stay.
    pub(crate) moved: f64,
    /// Heat that waits for the next step of temperatures, before and after (J).
    pub(crate) waiting: [f64; 2],
    /// Whether the pore fluid exchanges heat with the bodies: a line of the book.
    pub(crate) pore_fluid: bool,
}

/// The heat book: content of the free bodies over their temperature at the start, and every flow into them.
pub(crate) fn balance(network: &HeatNetwork, flows: &Flows, scale: f64, given: &Given, before: &[f64], after: &[f64]) -> Balance {
    let from_held = flows.out_of_held(network, |_| true);
    let (made, h) = (given.made, given.moved);
    // what temperatures over 0 K round to is no heat
    let rounding = f64::EPSILON
        * after
            .iter()
            .enumerate()
            .map(|(k, x)| network.capacity(k, *x).unwrap_or(0.0) * (network.base[k] + x).abs())
            .sum::<f64>();
    let scale = scale
        + rounding
        + given.waiting[0].abs()
        + [made.friction, made.impact, made.joule, made.source, made.fluid].iter().map(|q| q.abs()).sum::<f64>();
    let book = Balance::new(Book::Heat, scale)
        .store("bodies", network.content(before), network.content(after))
        .store("waiting", given.waiting[0], given.waiting[1])
        .flow("friction", made.friction)
        .flow("impact", made.impact)
        .flow("joule", made.joule)
        .flow("heat source", made.source)
        .flow("boundary power", given.power[0] * h)
        .flow("convection", flows.films.iter().sum::<f64>() * h)
        .flow("radiation", flows.radiation.iter().sum::<f64>() * h)
        .flow("held bodies", from_held * h - made.held - given.power[1] * h)
        .flow("made where nothing takes heat", -made.lost);
    if given.pore_fluid { book.flow("pore fluid", made.fluid) } else { book }
}

/// Capacities of the held nodes of meshes that have free nodes too, by `whole`, what nodes were before some were held; 0 of all others: a body that is
/// held altogether is a reservoir and has no part in a mean.
pub(crate) fn beside(network: &HeatNetwork, whole: &[Node], meshes: impl Iterator<Item = Range<usize>>) -> Vec<f64> {
    let mut out = vec![0.0; network.nodes.len()];
    for nodes in meshes {
        if network.nodes[nodes.clone()].iter().any(|n| matches!(n, Node::Free { .. })) {
            for k in nodes.filter(|k| network.nodes[*k] == Node::Held) {
                out[k] = if let Node::Free { capacity } = whole[k] { capacity } else { 0.0 };
            }
        }
    }
    out
}

/// What the heat over 0 K of held nodes rounds to at the start (J), by `whole`, what nodes were before some were held.
pub(crate) fn rounding_of_held(network: &HeatNetwork, whole: &[Node]) -> f64 {
    let content = |k: usize| match whole[k] {
        Node::Free { capacity } if network.nodes[k] == Node::Held => {
            network.capacity_at(k, capacity, 0.0) * network.base[k].abs()
        }
        _ => 0.0,
    };
    f64::EPSILON * (0..whole.len()).map(content).sum::<f64>()
}

/// Least, mean (weighed by capacity, held nodes of meshes with free ones as well, `beside` being their capacities, see [`beside`]; of all held bodies alike where
/// there is no other) and greatest temperature of the bodies that take part (K), heat stored over the start (J), heat made since temperatures last moved over the time since (W; 0 where they wait), and the time that heat has come to (s).
pub(crate) fn numbers(
    network: &HeatNetwork,
    (rises, beside): (&[f64], &[f64]),
    given: &Given,
    time: f64,
) -> Vec<(&'static str, f64)> {
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    let (mut capacities, mut sum, mut count, mut plain) = (0.0, 0.0, 0.0, 0.0);
    for (node, rise) in rises.iter().enumerate().filter(|(k, _)| network.nodes[*k] != Node::Absent) {
        let temperature = network.base[node] + rise;
        low = low.min(temperature);
        high = high.max(temperature);
        count += 1.0;
        plain += temperature;
        if let Some(capacity) = network.capacity(node, *rise) {
            let capacity = capacity + network.stores_more(node);
            capacities += capacity;
            sum += capacity * temperature;
        } else if beside.get(node).is_some_and(|c| *c > 0.0) {
            let capacity = network.capacity_at(node, beside[node], *rise) + network.stores_more(node);
            capacities += capacity;
            sum += capacity * temperature;
        }
    }
    let mean = if capacities > 0.0 { sum / capacities } else { plain / count };
    let power = if given.moved > 0.0 { (given.before + given.made.all()) / given.moved } else { 0.0 };
    NUMBERS.into_iter().zip([low, mean, high, network.content(rises), power, time]).collect()
}

/// The report of a step.
pub(crate) fn report(
    outcome: Outcome,
    tolerance: f64,
    balance: Balance,
    numbers: Vec<(&'static str, f64)>,
    label: impl Fn(usize) -> String,
) -> SolveReport {
    let worst = match (outcome.status, outcome.worst) {
        (Status::Converged, _) | (_, None) => String::new(),
        (_, Some(node)) => {
            format!("the heat is least balanced at {}; raise `max_iterations`, or take a smaller step", label(node))
        }
    };
    let mut report = SolveReport {
        status: outcome.status,
        iterations: outcome.stages.iter().map(|s| s.iterations).sum(),
        residual: outcome.residual,
        tolerance,
        stages: outcome.stages,
        worst,
        ..SolveReport::direct()
    };
    report.balances.push(balance);
    report.numbers = numbers;
    report
}
