//! Nodes that exchange heat, lumped bodies and nodes of meshes, as plain data for one step: capacities, links with conductances, films to
//! ambients, radiation to ambients and between nodes, sources. An end of a link, a film or of radiation is a node or, from the number of
//! nodes on, a point of a mesh: a weighted mean of nodes. No bodies, no contacts, no solver.
//!
//! Temperatures are rises over a base temperature of each node, so that small changes of a large temperature keep their digits.

use std::sync::Arc;

use mpcd_sparse::Points;

use crate::{error::HeatError, property::Curve};

/// What a node is in the balance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Node {
    /// Stores heat: capacity m c (J/K), above zero.
    Free {
        /// Heat capacity (J/K); with [`HeatNetwork::specific`] the mass (kg).
        capacity: f64,
    },
    /// Its temperature is prescribed.
    Held,
    /// Takes no part.
    Absent,
}

/// A conductance between two ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// The ends.
    pub ends: (usize, usize),
    /// Heat conductance (W/K); 0 where nothing passes now.
    pub conductance: f64,
}

/// Exchange of an end with an ambient, proportional to the difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Film {
    /// The end.
    pub node: usize,
    /// h A (W/K).
    pub conductance: f64,
    /// Temperature of the ambient (K).
    pub ambient: f64,
}

/// Exchange of radiation of an end with its surroundings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Radiation {
    /// The end.
    pub node: usize,
    /// ε σ A (W/K⁴).
    pub strength: f64,
    /// Temperature of the surroundings (K).
    pub ambient: f64,
}

/// Exchange of radiation between two nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exchange {
    /// The nodes.
    pub ends: (usize, usize),
    /// σ A F over the resistances of the surfaces (W/K⁴).
    pub strength: f64,
}

/// What meshes store beside the capacities of their nodes, so that both together are consistent, ∫ ρ c N_a N_b dV: node a takes
/// own_a ΔT_a + Σ_b c_ab (ΔT_b − ΔT_a). As a whole it must not be below zero with the capacities.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Storage {
    /// Of each node (J/K), of any sign; empty where there is none.
    pub own: Vec<f64>,
    /// Between nodes: ends and c_ab (J/K), of any sign.
    pub between: Vec<((usize, usize), f64)>,
}

/// One step of heat.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HeatNetwork {
    /// What each node is.
    pub nodes: Vec<Node>,
    /// Temperature of each node at rise 0 (K).
    pub base: Vec<f64>,
    /// The links. Keep dead ones with conductance 0: as long as the ends stay the same, a solver reuses its analysis.
    pub links: Vec<Link>,
    /// Points of meshes.
    pub points: Points,
    /// Conductances between the nodes of meshes, of any sign; as a whole they must not be below zero (W/K).
    pub solids: Vec<Link>,
    /// What meshes store between their nodes.
    pub storage: Storage,
    /// Films.
    pub films: Vec<Film>,
    /// Radiation.
    pub radiation: Vec<Radiation>,
    /// Radiation between nodes.
    pub exchanges: Vec<Exchange>,
    /// Specific heat (J/(kg K)) of nodes whose capacity depends on temperature; empty where none does.
    pub specific: Vec<Option<Arc<Curve>>>,
    /// Power given to each node during the step (W).
    pub source: Vec<f64>,
}

impl HeatNetwork {
    /// Absent nodes with the given base temperatures (K).
    #[must_use]
    pub fn new(base: Vec<f64>) -> Self {
        Self { nodes: vec![Node::Absent; base.len()], source: vec![0.0; base.len()], base, ..Self::default() }
    }

    /// Takes links, films, all radiation, sources and the points that are not kept away, keeping the memory. What meshes conduct and store stays.
    pub fn clear(&mut self) {
        self.links.clear();
        self.films.clear();
        self.radiation.clear();
        self.exchanges.clear();
        self.source.fill(0.0);
        self.points.clear();
    }

    /// Nodes and weights of an end.
    pub fn terms(&self, end: usize) -> impl Iterator<Item = (usize, f64)> + Clone + '_ {
        self.points.of_end(self.nodes.len(), end)
    }

    /// Whether an end is a node.
    #[must_use]
    pub fn is_node(&self, end: usize) -> bool {
        end < self.nodes.len()
    }

    /// What an end has of a quantity of the nodes.
    #[must_use]
    pub fn mean(&self, end: usize, of_nodes: &[f64]) -> f64 {
        of_nodes
            .get(end)
            .copied()
            .filter(|_| self.is_node(end))
            .unwrap_or_else(|| self.terms(end).map(|(node, w)| w * of_nodes[node]).sum())
    }

    /// Whether both ends are nodes.
    pub(crate) fn are_nodes(&self, (i, j): (usize, usize)) -> bool {
        self.is_node(i.max(j))
    }

    /// Whether an end takes part: no node of the mesh of one that does not takes part.
    #[must_use]
    pub fn takes_part(&self, end: usize) -> bool {
        if let Some(node) = self.nodes.get(end) {
            return *node != Node::Absent;
        }
        self.terms(end).any(|(node, _)| self.nodes[node] != Node::Absent)
    }

    /// Adds a link of `conductance` (W/K).
    pub fn join(&mut self, i: usize, j: usize, conductance: f64) {
        self.links.push(Link { ends: (i, j), conductance });
    }

    /// Whether a node, or a node of a point, stores heat.
    #[must_use]
    pub fn is_free(&self, end: usize) -> bool {
        if let Some(node) = self.nodes.get(end) {
            return matches!(node, Node::Free { .. });
        }
        self.terms(end).any(|(node, _)| matches!(self.nodes[node], Node::Free { .. }))
    }

    /// Gives a power (W) to the nodes of an end; what held ones take is told, and the sum of it returned.
    pub(crate) fn give(&mut self, end: usize, power: f64, mut told: impl FnMut(usize, f64)) -> f64 {
        let Self { nodes, points, source, .. } = self;
        let one = [(end, 1.0)];
        let terms = end.checked_sub(nodes.len()).map_or(&one[..], |p| points.terms(p));
        let mut held = 0.0;
        for &(node, w) in terms {
            match nodes[node] {
                Node::Free { .. } => source[node] += w * power,
                Node::Held => {
                    held += w * power;
                    told(node, w * power);
                }
                Node::Absent => {}
            }
        }
        held
    }

    /// Part of an end that is held nodes, of those that `counts` names.
    pub(crate) fn held_part(&self, end: usize, counts: impl Fn(usize) -> bool) -> f64 {
        self.terms(end).filter(|(node, _)| self.nodes[*node] == Node::Held && counts(*node)).map(|(_, w)| w).sum()
    }

    fn curve(&self, node: usize) -> Option<&Curve> {
        self.specific.get(node).and_then(Option::as_deref)
    }

    /// Capacity of a free node (J/K) at a rise over its base (K), `None` for others.
    #[must_use]
    pub fn capacity(&self, node: usize, rise: f64) -> Option<f64> {
        match self.nodes[node] {
            Node::Free { capacity } => Some(self.capacity_at(node, capacity, rise)),
            Node::Held | Node::Absent => None,
        }
    }

    /// The same (J/K) of a node that would have this `capacity` were it free.
    pub(crate) fn capacity_at(&self, node: usize, capacity: f64, rise: f64) -> f64 {
        capacity * self.curve(node).map_or(1.0, |c| c.at(self.base[node] + rise))
    }

    /// Heat (J) that a free node takes from the rise `before` over a change (K); 0 for others.
    #[must_use]
    pub fn taken(&self, node: usize, before: f64, change: f64) -> f64 {
        match self.nodes[node] {
            Node::Free { capacity } => capacity * self.curve(node).map_or(change, |c| c.over(self.base[node] + before, change)),
            Node::Held | Node::Absent => 0.0,
        }
    }

    /// What a node stores beside its capacity as it and all others warm alike (J/K), see [`Storage`].
    pub(crate) fn stores_more(&self, node: usize) -> f64 {
        self.storage.own.get(node).copied().unwrap_or(0.0)
    }

    /// Heat (J) that free nodes have over that at rise 0, what flows between nodes being theirs that it comes to: [`Storage`] has it flow from b to a.
    #[must_use]
    pub fn content(&self, rises: &[f64]) -> f64 {
        let own = |(node, rise): (usize, &f64)| {
            let more = if matches!(self.nodes[node], Node::Free { .. }) { self.stores_more(node) * rise } else { 0.0 };
            self.taken(node, 0.0, *rise) + more
        };
        rises.iter().enumerate().map(own).sum()
    }

    /// Whether the balance is linear in the temperatures.
    #[must_use]
    pub fn is_linear(&self) -> bool {
        self.radiation.is_empty() && self.exchanges.is_empty() && self.specific.iter().all(Option::is_none)
    }

    /// Checks indices and numbers.
    ///
    /// # Errors
    /// The first fault found.
    pub fn check(&self) -> Result<(), HeatError> {
        let n = self.nodes.len();
        let fault = |what, index, value, expected| Err(HeatError::Value { what, index, value, expected });
        for (index, node) in self.nodes.iter().enumerate() {
            if let Node::Free { capacity } = *node
                && !(capacity > 0.0 && capacity.is_finite())
            {
                return fault("heat capacity of the node", index, capacity, "a finite number of J/K above zero");
            }
        }
        let all = n + self.points.len();
        let stored = self.storage.between.iter().map(|s| (s.0, n));
        let between_nodes =
            self.solids.iter().map(|l| (l.ends, n)).chain(stored).chain(self.exchanges.iter().map(|e| (e.ends, n)));
        let ends = self.links.iter().map(|l| (l.ends, all)).chain(between_nodes);
        for (link, ((from, to), nodes)) in ends.enumerate() {
            if from >= nodes || to >= nodes || from == to {
                return Err(HeatError::Node { link, from, to, nodes });
            }
        }
        let single = self.films.iter().map(|f| f.node).chain(self.radiation.iter().map(|r| r.node));
        let terms = (0..self.points.len()).flat_map(|p| self.points.terms(p)).map(|(node, _)| (*node, n));
        if let Some((link, (from, nodes))) = single.map(|e| (e, all)).chain(terms).enumerate().find(|(_, (e, n))| e >= n) {
            return Err(HeatError::Node { link, from, to: from, nodes });
        }
        let meshed = !self.points.is_empty() || !self.solids.is_empty();
        if meshed && !self.exchanges.is_empty() {
            return Err(HeatError::Mixed);
        }
        let stored = self.storage.between.iter().map(|s| s.1).chain(self.storage.own.iter().copied());
        if let Some((index, value)) = stored.enumerate().find(|(_, c)| !c.is_finite()) {
            return fault("heat capacity in a mesh", index, value, "a finite number");
        }
        if let Some((index, link)) = self.solids.iter().enumerate().find(|(_, l)| !l.conductance.is_finite()) {
            return fault("conductance in a mesh", index, link.conductance, "a finite number");
        }
        let conductances = self.links.iter().map(|l| l.conductance).chain(self.films.iter().map(|f| f.conductance));
        let strengths = self.radiation.iter().map(|r| r.strength).chain(self.exchanges.iter().map(|e| e.strength));
        for (index, value) in conductances.chain(strengths).enumerate() {
            if !(value >= 0.0 && value.is_finite()) {
                return fault("conductance", index, value, "a finite number, 0 or above");
            }
        }
        let ambients = self.films.iter().map(|f| f.ambient).chain(self.radiation.iter().map(|r| r.ambient));
        for (index, value) in self.source.iter().copied().chain(ambients).enumerate() {
            if !value.is_finite() {
                return fault("source or ambient", index, value, "a finite number");
            }
        }
        Ok(())
    }
}
