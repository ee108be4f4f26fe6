//! Lumped bodies that exchange heat, as plain data for one step: nodes with capacities, links with conductances, films to
//! ambients, radiation, sources. No bodies, no contacts, no solver.
//!
//! Temperatures are rises over a base temperature of each node, so that small changes of a large temperature keep their digits.

use crate::error::HeatError;

/// What a node is in the balance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Node {
    /// Stores heat: capacity m c (J/K), above zero.
    Free {
        /// Heat capacity (J/K).
        capacity: f64,
    },
    /// Its temperature is prescribed.
    Held,
    /// Takes no part.
    Absent,
}

/// A conductance between two nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// The nodes.
    pub ends: (usize, usize),
    /// Heat conductance (W/K); 0 where nothing passes now.
    pub conductance: f64,
}

/// Exchange of a node with an ambient, proportional to the difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Film {
    /// The node.
    pub node: usize,
    /// h A (W/K).
    pub conductance: f64,
    /// Temperature of the ambient (K).
    pub ambient: f64,
}

/// Exchange of radiation of a node with its surroundings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Radiation {
    /// The node.
    pub node: usize,
    /// ε σ A (W/K⁴).
    pub strength: f64,
    /// Temperature of the surroundings (K).
    pub ambient: f64,
}

/// One step of lumped heat.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HeatNetwork {
    /// What each node is.
    pub nodes: Vec<Node>,
    /// Temperature of each node at rise 0 (K).
    pub base: Vec<f64>,
    /// The links. Keep dead ones with conductance 0: as long as the ends stay the same, a solver reuses its analysis.
    pub links: Vec<Link>,
    /// Films.
    pub films: Vec<Film>,
    /// Radiation.
    pub radiation: Vec<Radiation>,
    /// Power given to each node during the step (W).
    pub source: Vec<f64>,
}

impl HeatNetwork {
    /// Absent nodes with the given base temperatures (K).
    #[must_use]
    pub fn new(base: Vec<f64>) -> Self {
        Self { nodes: vec![Node::Absent; base.len()], source: vec![0.0; base.len()], base, ..Self::default() }
    }

    /// Takes links, films, radiation and sources away, keeping the memory.
    pub fn clear(&mut self) {
        self.links.clear();
        self.films.clear();
        self.radiation.clear();
        self.source.fill(0.0);
    }

    /// Adds a link of `conductance` (W/K).
    pub fn join(&mut self, i: usize, j: usize, conductance: f64) {
        self.links.push(Link { ends: (i, j), conductance });
    }

    /// Capacity of a free node (J/K), `None` for others.
    #[must_use]
    pub fn capacity(&self, node: usize) -> Option<f64> {
        match self.nodes[node] {
            Node::Free { capacity } => Some(capacity),
            Node::Held | Node::Absent => None,
        }
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
        for (link, l) in self.links.iter().enumerate() {
            let (from, to) = l.ends;
            if from >= n || to >= n || from == to {
                return Err(HeatError::Node { link, from, to, nodes: n });
            }
        }
        let conductances = self.links.iter().map(|l| l.conductance).chain(self.films.iter().map(|f| f.conductance));
        for (index, value) in conductances.chain(self.radiation.iter().map(|r| r.strength)).enumerate() {
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
