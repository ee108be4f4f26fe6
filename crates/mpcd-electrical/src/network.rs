//! A resistor network as plain data: branches with conductances, what meshes conduct, nodes held at a potential or fed with a current; and
//! its parts: which are driven, which float. An end of a branch is a node or, from the number of nodes on, a point: a weighted mean of nodes.
//! No bodies, no time, no solver.

use mpcd_sparse::{Islands, Points, pairs, weights};

use crate::error::NetworkError;

/// A resistor between two ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Branch {
    /// The nodes or points it joins. A branch from a node to itself carries nothing.
    pub ends: (usize, usize),
    /// Conductance (S); 0 for a branch that does not conduct now.
    pub conductance: f64,
}

/// Nodes, branches and boundary values.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ResistorNetwork {
    /// The branches. Keep dead ones with conductance 0: as long as the ends stay the same, a solver reuses its analysis.
    pub branches: Vec<Branch>,
    /// Points of meshes.
    pub points: Points,
    /// Conductances between the nodes of meshes, of any sign; as a whole they must not be below zero.
    pub inner: Vec<Branch>,
    /// Potential at which each node is held (V).
    pub held: Vec<Option<f64>>,
    /// Current fed into each node from outside (A), negative when drawn. Ignored at held nodes, which take what they need.
    pub injected: Vec<f64>,
    /// Which nodes are fed by an electrode, whatever it feeds now: a part with one of them does not float.
    pub fed: Vec<bool>,
}

/// What happens to a current that has no return.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize, schemars::JsonSchema)]
pub enum OpenCircuit {
    /// It is an error that names the bodies.
    #[default]
    Stop,
    /// It is switched off, with a warning, until there is a path.
    SwitchOff,
}

impl ResistorNetwork {
    /// A network of `nodes` nodes, none held, none fed.
    #[must_use]
    pub fn new(nodes: usize) -> Self {
        Self { held: vec![None; nodes], injected: vec![0.0; nodes], fed: vec![false; nodes], ..Self::default() }
    }

    /// Number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.held.len()
    }

    /// Nodes and weights of an end.
    pub fn terms(&self, end: usize) -> impl Iterator<Item = (usize, f64)> + Clone + '_ {
        self.points.of_end(self.nodes(), end)
    }

    /// Whether both ends are nodes.
    pub(crate) fn are_nodes(&self, ends: (usize, usize)) -> bool {
        ends.0.max(ends.1) < self.nodes()
    }

    /// Adds a branch of `conductance` (S).
    pub fn join(&mut self, i: usize, j: usize, conductance: f64) {
        self.branches.push(Branch { ends: (i, j), conductance });
    }

    /// Holds a node at a potential (V).
    ///
    /// # Panics
    /// When there is no such node.
    pub fn hold(&mut self, node: usize, potential: f64) {
        self.held[node] = Some(potential);
    }

    /// Adds to the current fed into a node (A), which may be none.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn inject(&mut self, node: usize, current: f64) {
        self.injected[node] += current;
        self.fed[node] = true;
    }

    /// Takes all boundary values, branches and the points that are not kept away, keeping the memory. What meshes conduct stays.
    pub fn clear(&mut self) {
        self.branches.clear();
        self.points.clear();
        self.held.fill(None);
        self.injected.fill(0.0);
        self.fed.fill(false);
    }

    /// The branches that conduct: number, ends, conductance.
    pub fn live(&self) -> impl Iterator<Item = (usize, (usize, usize), f64)> + '_ {
        self.branches
            .iter()
            .enumerate()
            .filter(|(_, b)| b.conductance > 0.0 && b.ends.0 != b.ends.1)
            .map(|(k, b)| (k, b.ends, b.conductance))
    }

    /// What conducts in meshes: ends, conductance.
    pub(crate) fn solid(&self) -> impl Iterator<Item = ((usize, usize), f64)> + '_ {
        self.inner.iter().filter(|b| b.ends.0 != b.ends.1).map(|b| (b.ends, b.conductance))
    }

    /// Every conductance between two different nodes: of meshes, and of the branches, conducting or not; a branch between points is one of
    /// pairs, some below zero.
    pub(crate) fn each_pair(&self, mut each: impl FnMut((usize, usize), f64)) {
        self.solid().for_each(|(ends, conductance)| each(ends, conductance));
        let mut z = Vec::new();
        for branch in self.branches.iter().filter(|b| b.ends.0 != b.ends.1) {
            if self.are_nodes(branch.ends) {
                each(branch.ends, branch.conductance);
                continue;
            }
            weights(self.terms(branch.ends.0), self.terms(branch.ends.1), &mut z);
            pairs(&z, |ends, product| each(ends, product * branch.conductance));
        }
    }

    /// Which nodes have one part of the network in common: the ends of what conducts.
    fn joins(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let of_live = self.live().flat_map(|(_, (i, j), _)| {
            let first = self.terms(i).next();
            self.terms(i).skip(1).chain(self.terms(j)).filter_map(move |(node, _)| Some((first?.0, node)))
        });
        self.solid().map(|(ends, _)| ends).chain(of_live)
    }

    /// Checks indices and numbers.
    ///
    /// # Errors
    /// The first fault found.
    pub fn check(&self) -> Result<(), NetworkError> {
        let nodes = self.nodes();
        if self.injected.len() != nodes {
            return Err(NetworkError::Length { what: "list of fed currents", expected: nodes, found: self.injected.len() });
        }
        if self.fed.len() != nodes {
            return Err(NetworkError::Length { what: "list of fed nodes", expected: nodes, found: self.fed.len() });
        }
        let all = nodes + self.points.len();
        let ends = self.branches.iter().map(|b| (b, all)).chain(self.inner.iter().map(|b| (b, nodes)));
        for (branch, (b, nodes)) in ends.enumerate() {
            let node = b.ends.0.max(b.ends.1);
            if node >= nodes {
                return Err(NetworkError::Node { branch, node, nodes });
            }
        }
        for point in 0..self.points.len() {
            if let Some(&(node, _)) = self.points.terms(point).iter().find(|(node, _)| *node >= nodes) {
                return Err(NetworkError::Point { point, node, nodes });
            }
        }
        if let Some((pair, b)) = self.inner.iter().enumerate().find(|(_, b)| !b.conductance.is_finite()) {
            return Err(NetworkError::Inner { pair, conductance: b.conductance });
        }
        for (branch, b) in self.branches.iter().enumerate() {
            if !(b.conductance >= 0.0 && b.conductance.is_finite()) {
                return Err(NetworkError::Conductance { branch, conductance: b.conductance });
            }
        }
        let values = self.held.iter().map(|v| v.unwrap_or(0.0)).zip(&self.injected).enumerate();
        for (node, (potential, &current)) in values {
            for value in [potential, current] {
                if !value.is_finite() {
                    return Err(NetworkError::Boundary { node, value });
                }
            }
        }
        Ok(())
    }
}

/// What kind of part a node is in.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Part {
    /// Whether a branch conducts in it: a body alone, which a mesh may be, is no part that can float.
    joined: bool,
    /// Its node that defines its zero of potential: the first held one, or of a part without the strongest sink among those that electrodes feed.
    reference: Option<usize>,
    /// Whether a node of it is held.
    held: bool,
    /// Whether nodes of it are held at different potentials.
    across: bool,
    /// Net and absolute sum of the currents fed (A).
    net: f64,
    fed: f64,
    /// Whether any potential in it can differ from its reference.
    driven: bool,
}

/// The parts of a network and what is known before solving. Potentials are taken relative to the reference of their part,
/// so that a common offset costs no digit.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parts {
    islands: Islands,
    parts: Vec<Part>,
    /// Per node: its potential relative to its part's reference where that is known beforehand (V).
    pub(crate) known: Vec<Option<f64>>,
    /// Per node: potential of the reference of its part (V).
    pub(crate) offset: Vec<f64>,
    /// Per node: current fed, after switching off (A).
    pub(crate) injected: Vec<f64>,
    /// Nodes whose current was switched off.
    pub(crate) switched_off: Vec<usize>,
    /// Whether nodes are held at different potentials, and no part has two of those.
    apart: bool,
}

/// Part of the fed currents below which their sum counts as zero: rounding of values meant to be opposite.
const BALANCED: f64 = 1e-12;

impl Parts {
    /// Finds the parts.
    ///
    /// # Errors
    /// [`NetworkError::NoReturn`] when a current has none and `open` says stop.
    pub(crate) fn update(&mut self, network: &ResistorNetwork, open: OpenCircuit) -> Result<(), NetworkError> {
        let n = network.nodes();
        self.islands.update(n, network.joins());
        self.parts.clear();
        self.parts.resize(self.islands.count(), Part::default());
        self.injected.clone_from(&network.injected);
        self.switched_off.clear();
        // nodes that no mesh has in common are in one part by branches
        let nodes_alone = network.inner.is_empty() && network.points.is_empty();
        for (_, (end, _), _) in network.live().filter(|_| !nodes_alone) {
            if let Some((node, _)) = network.terms(end).next() {
                self.parts[self.islands.numbers()[node]].joined = true;
            }
        }
        for node in 0..n {
            let number = self.islands.numbers()[node];
            self.parts[number].joined |= nodes_alone && self.islands.firsts()[node] != node;
            self.visit(network, node);
        }
        for island in 0..self.parts.len() {
            let part = self.parts[island];
            if !part.held && part.net.abs() > BALANCED * part.fed {
                self.open_circuit(island, open)?;
            }
        }
        let first = network.held.iter().flatten().next();
        self.apart = network.held.iter().flatten().any(|v| Some(v) != first) && !self.parts.iter().any(|p| p.across);
        self.known.clear();
        self.offset.clear();
        for node in 0..n {
            let part = self.parts[self.islands.numbers()[node]];
            let zero = part.reference.and_then(|r| network.held[r]).unwrap_or(0.0);
            self.offset.push(zero);
            self.known.push(match network.held[node] {
                Some(v) => Some(v - zero),
                None if !part.driven || part.reference == Some(node) => Some(0.0),
                None => None,
            });
        }
        Ok(())
    }

    fn visit(&mut self, network: &ResistorNetwork, node: usize) {
        let part = &mut self.parts[self.islands.numbers()[node]];
        match (network.held[node], part.reference) {
            (Some(_), Some(r)) if part.held => {
                part.across |= network.held[r] != network.held[node];
                part.driven |= part.across;
            }
            (Some(_), _) => (part.reference, part.held) = (Some(node), true),
            (None, r) => {
                let current = network.injected[node];
                part.net += current;
                part.fed += current.abs();
                part.driven |= current != 0.0;
                // without a held node, the strongest sink is the return, and where electrodes feed nothing one of these
                let least = r.map_or(if network.fed[node] { f64::INFINITY } else { 0.0 }, |r| network.injected[r]);
                if !part.held && current < least {
                    part.reference = Some(node);
                }
            }
        }
    }

    fn open_circuit(&mut self, island: usize, open: OpenCircuit) -> Result<(), NetworkError> {
        let members =
            |n: &Islands| n.numbers().iter().enumerate().filter(|(_, i)| **i == island).map(|(k, _)| k).collect::<Vec<_>>();
        let nodes = members(&self.islands);
        match open {
            OpenCircuit::Stop => Err(NetworkError::NoReturn { nodes, current: self.parts[island].net }),
            OpenCircuit::SwitchOff => {
                self.switched_off.extend(nodes.iter().filter(|&&k| self.injected[k] != 0.0));
                nodes.into_iter().for_each(|k| self.injected[k] = 0.0);
                self.parts[island] = Part { joined: self.parts[island].joined, ..Part::default() };
                Ok(())
            }
        }
    }

    /// Whether any potential can differ from its reference.
    pub(crate) fn driven(&self) -> bool {
        self.parts.iter().any(|p| p.driven)
    }

    /// Whether nothing defines the potential of a node.
    pub(crate) fn floats(&self, node: usize) -> bool {
        self.parts[self.islands.numbers()[node]].reference.is_none()
    }

    /// Whether electrodes are held at different potentials without a path between any two of those.
    pub(crate) fn apart(&self) -> bool {
        self.apart
    }

    /// Parts that branches join whose potential nothing defines.
    pub(crate) fn floating(&self) -> usize {
        self.parts.iter().filter(|p| p.reference.is_none() && p.joined).count()
    }

    /// Number of the part of a node.
    pub(crate) fn part(&self, node: usize) -> usize {
        self.islands.numbers()[node]
    }
}
