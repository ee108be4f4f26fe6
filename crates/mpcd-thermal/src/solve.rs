//! One implicit step of a [`HeatNetwork`].
//!
//! Unknown is the change Δ of the rises x over the step; with x_θ = x + θΔ the heat that node i lacks is
//! F_i = h (Σ_j H_ij (T_j − T_i) + Σ films + Σ radiation + source)_θ − m_i ∫ c_i dT over the step. Newton: (C + hθ(L + film + 4εσAT³)) d = F,
//! Δ += d, until Σ|F| is small over content plus throughput. Where nothing but links, films and sources is there, the first step is the
//! answer and any further one refines it. Δ is kept as an unevaluated sum of two numbers, so that a stiff step (a steady state in one
//! step) still balances to rounding.
//!
//! Where the balance is not linear each Newton step goes as far as Σ|F| falls, and Σ|F| is known no better than its terms round. Radiation between nodes
//! makes the Jacobian unsymmetric: its matrix lives in its own room, and so does the search along a step.

mod descent;

use std::iter;

use mpcd_core::{Stage, Status};
use mpcd_sparse::{
    Choice, Compensated, Goal, SparseError, SymmetricMatrix, SymmetricSystem, SystemMethod, add_product, pairs, weights,
};

use crate::{
    error::HeatError,
    network::{HeatNetwork, Node},
    unsymmetric::UnsymmetricSystem,
};

/// How the linear systems are solved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Method {
    /// Cholesky or conjugate gradients, which of the two counts fewer operations; each goes on where the other cannot.
    #[default]
    Auto,
    /// Sparse Cholesky.
    Cholesky,
    /// Conjugate gradients with a symmetric sweep, or the diagonal where that is enough.
    ConjugateGradients,
    /// Sparse LU: what runs where nodes exchange radiation, and cannot be named.
    Lu,
}

impl Method {
    /// All methods and their names in a model file.
    pub const NAMES: [(&'static str, Self); 3] =
        [("auto", Self::Auto), ("cholesky", Self::Cholesky), ("cg", Self::ConjugateGradients)];

    /// The name in a model file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Cholesky => "cholesky",
            Self::ConjugateGradients => "cg",
            Self::Lu => "lu",
        }
    }
}

/// Method and when to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolverSettings {
    /// The method.
    pub method: Method,
    /// Weight of the end of the step, ½ … 1.
    pub theta: f64,
    /// Bound on Σ|F| over content plus throughput.
    pub tolerance: f64,
    /// Most solves with the factor, or iterations of conjugate gradients.
    pub max_iterations: u64,
}

impl Default for SolverSettings {
    fn default() -> Self {
        Self { method: Method::Auto, theta: 1.0, tolerance: 1e-12, max_iterations: 100_000 }
    }
}

/// What a step came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// How it ended.
    pub status: Status,
    /// Σ|F| over content plus throughput.
    pub residual: f64,
    /// Content of the free nodes at the end over their base, in absolute values, plus all heat that moved (J).
    pub scale: f64,
    /// The node with the largest |F|.
    pub worst: Option<usize>,
    /// What ran, in order.
    pub stages: Vec<Stage>,
}

/// A solver and its memory. Everything it keeps is a cache: dropping it changes no bit of a result.
#[derive(Debug)]
pub struct HeatSolver {
    settings: SolverSettings,
    /// The matrix of the free nodes.
    system: SymmetricSystem,
    /// The same where they exchange radiation.
    unsymmetric: UnsymmetricSystem,
    /// Change Δ of the rises (K).
    delta: Compensated,
    /// Heat each node lacks (J).
    lacking: Vec<f64>,
    /// Newton step (K).
    change: Vec<f64>,
    flows: Flows,
    judged: Judged,
    /// Entries of the matrix: pairs of nodes.
    edges: Vec<(usize, usize)>,
    /// Weights of one entry of the network.
    z: Vec<(usize, f64)>,
}

/// The method that runs, and how long.
#[derive(Debug, Clone, Copy)]
struct Run {
    method: Method,
    /// Iterations that it may still take.
    left: u64,
    /// Iterations that it took.
    iterations: u64,
}

impl Run {
    const fn unlimited(method: Method) -> Self {
        Self { method, left: u64::MAX, iterations: 0 }
    }

    fn stage(&self, residual: f64, status: Status) -> Stage {
        Stage { solver: self.method.name().to_owned(), iterations: self.iterations, residual, status }
    }
}

/// Heat flows of the last step, at the time the scheme weighs them (W).
#[derive(Debug, Clone, Default)]
pub struct Flows {
    /// Through each link, from `ends.0` to `ends.1`.
    pub links: Vec<f64>,
    /// The same within meshes.
    pub solids: Vec<f64>,
    /// Between nodes of meshes as their temperatures change, from `.0.0` to `.0.1` of [`Storage::between`](crate::network::Storage).
    pub storage: Vec<f64>,
    /// Into each film's node.
    pub films: Vec<f64>,
    /// Into each radiating node.
    pub radiation: Vec<f64>,
    /// Between nodes by radiation, from `ends.0` to `ends.1`.
    pub exchanges: Vec<f64>,
}

impl Flows {
    /// What flows from the held nodes that `counts` names to nodes that store heat (W). Of a point that is held in part, its part counts.
    pub(crate) fn out_of_held(&self, network: &HeatNetwork, counts: impl Fn(usize) -> bool) -> f64 {
        let inside = |(i, j): (usize, usize)| {
            network.is_node(i.max(j)) && matches!((network.nodes[i], network.nodes[j]), (Node::Free { .. }, Node::Free { .. }))
        };
        let links = network.links.iter().map(|l| l.ends).zip(&self.links);
        let solids = network.solids.iter().map(|l| l.ends).zip(&self.solids);
        let exchanges = network.exchanges.iter().map(|e| e.ends).zip(&self.exchanges);
        let storage = network.storage.between.iter().map(|s| s.0).zip(&self.storage);
        let between =
            links.chain(solids).chain(storage).chain(exchanges).filter(|(ends, _)| !inside(*ends)).map(|((i, j), flow)| {
                let part = if network.is_free(i) || network.is_free(j) {
                    network.held_part(i, &counts) - network.held_part(j, &counts)
                } else {
                    0.0
                };
                part * flow
            });
        let films = network.films.iter().map(|f| f.node).zip(&self.films);
        let radiation = network.radiation.iter().map(|r| r.node).zip(&self.radiation);
        let from_outside = films.chain(radiation).map(|(end, flow)| -network.held_part(end, &counts) * flow);
        between.chain(from_outside).sum()
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Judged {
    lacking: f64,
    scale: f64,
    /// What Σ|F| may be by rounding alone (J).
    rounding: f64,
    worst: Option<usize>,
}

impl Judged {
    fn residual(&self) -> f64 {
        if self.lacking == 0.0 { 0.0 } else { self.lacking / self.scale }
    }

    /// Whether the heat is balanced to a part `tolerance` of content and throughput, or as far as numbers tell.
    fn balanced(&self, tolerance: f64) -> bool {
        self.lacking <= self.rounding || self.residual() <= tolerance
    }
}

impl HeatSolver {
    /// A solver without memory yet.
    #[must_use]
    pub fn new(settings: SolverSettings) -> Self {
        Self {
            settings,
            system: SymmetricSystem::default(),
            unsymmetric: UnsymmetricSystem::default(),
            delta: Compensated::default(),
            lacking: Vec::new(),
            change: Vec::new(),
            flows: Flows::default(),
            judged: Judged::default(),
            edges: Vec::new(),
            z: Vec::new(),
        }
    }

    /// Drops all memory.
    pub fn drop_caches(&mut self) {
        *self = Self::new(self.settings);
    }

    /// Advances the rises (K) by a step of `h` (s). On entry `after` holds the rises at the end of held nodes; on return it
    /// holds those of all nodes. Not to converge is no error: see [`Outcome::status`].
    ///
    /// # Errors
    /// [`HeatError`]: a fault of the data.
    ///
    /// # Panics
    /// When `before` or `after` has not one entry per node.
    pub fn step(&mut self, network: &HeatNetwork, h: f64, before: &[f64], after: &mut [f64]) -> Result<Outcome, HeatError> {
        network.check()?;
        let n = network.nodes.len();
        assert_eq!((before.len(), after.len()), (n, n), "one rise per node");
        for column in [&mut self.lacking, &mut self.change] {
            column.clear();
            column.resize(n, 0.0);
        }
        let known = |k: usize| if network.nodes[k] == Node::Held { after[k] - before[k] } else { 0.0 };
        self.delta.reset((0..n).map(known));
        let mut stages = Vec::new();
        let status = self.newton(network, h, before, &mut stages)?;
        for node in 0..n {
            match network.nodes[node] {
                Node::Free { .. } => after[node] = before[node] + self.delta.rounded()[node],
                Node::Absent => after[node] = before[node],
                Node::Held => {}
            }
        }
        let residual = self.judged.residual();
        Ok(Outcome { status, residual, scale: self.judged.scale, worst: self.judged.worst, stages })
    }

    /// Heat flows of the last step.
    #[must_use]
    pub fn flows(&self) -> &Flows {
        &self.flows
    }

    /// Forgets the flows, where a step has none.
    pub(crate) fn forget_flows(&mut self) {
        self.flows = Flows::default();
    }

    /// Newton's rounds. The stages say which methods solved them.
    fn newton(&mut self, network: &HeatNetwork, h: f64, before: &[f64], stages: &mut Vec<Stage>) -> Result<Status, HeatError> {
        let linear = network.is_linear();
        // a linear balance may need some rounds until rounding is gone
        const PATIENCE: u32 = 3;
        let (mut rounds, mut left) = (0, self.settings.max_iterations);
        let mut run: Option<Run> = None;
        self.judge(network, h, before);
        let status = loop {
            if self.judged.balanced(self.settings.tolerance) {
                break Status::Converged;
            }
            if left == 0 {
                break Status::MaxIterations;
            }
            if rounds == 0 || !linear {
                self.fill(network, h, before)?;
                let mut present = match run.take() {
                    Some(run) => run,
                    None => self.choose(network)?,
                };
                self.prepare_or_change(&mut present, stages)?;
                run = Some(present);
            }
            let Some(present) = run.as_mut() else { break Status::Stalled };
            let lacking = self.judged.lacking;
            let rest = self.settings.tolerance * self.judged.scale;
            let most = left.min(present.left);
            // a round counts even where the solver had nothing to do
            let iterations = self.correct(present.method, Goal { rest, max_iterations: most })?.max(1);
            left = left.saturating_sub(iterations);
            present.left = present.left.saturating_sub(iterations);
            present.iterations += iterations;
            let falls = if linear {
                self.delta.add(&self.change);
                self.judge(network, h, before);
                rounds < PATIENCE || self.judged.lacking < 0.5 * lacking
            } else {
                self.descend(|solver| {
                    solver.judge(network, h, before);
                    Ok::<(), HeatError>(())
                })?
            };
            rounds += 1;
            let converged = self.judged.balanced(self.settings.tolerance);
            if present.left == 0 && !converged && left > 0 {
                // more uneven than was counted with: the other method takes over
                stages.push(present.stage(self.judged.residual(), Status::MaxIterations));
                *present = Run::unlimited(Method::Cholesky);
                self.prepare_or_change(present, stages)?;
                continue;
            }
            // each round must pay (a NaN does not)
            if !falls && !converged && left > 0 {
                if linear && present.method == Method::Cholesky && self.system.eliminate() {
                    continue;
                }
                break Status::Stalled;
            }
        };
        let last = run.unwrap_or(Run::unlimited(Method::Cholesky));
        stages.push(last.stage(self.judged.residual(), status));
        Ok(status)
    }

    /// The method for the matrix that was just filled.
    fn choose(&mut self, network: &HeatNetwork) -> Result<Run, SparseError> {
        Ok(match self.settings.method {
            _ if !network.exchanges.is_empty() => Run::unlimited(Method::Lu),
            Method::Auto => match self.system.choose(self.settings.tolerance)? {
                Choice::Cholesky => Run::unlimited(Method::Cholesky),
                Choice::ConjugateGradients { most } => Run { left: most, ..Run::unlimited(Method::ConjugateGradients) },
            },
            named => Run::unlimited(named),
        })
    }

    /// Prepares a run. Where `auto` took a factorisation that rounding does not let be, as with conductances and capacities over some fifteen
    /// decades, or that does not fit into memory, conjugate gradients take over.
    fn prepare_or_change(&mut self, run: &mut Run, stages: &mut Vec<Stage>) -> Result<(), SparseError> {
        match self.prepare(run.method) {
            Err(SparseError::NotPositiveDefinite { .. } | SparseError::TooLarge { .. })
                if self.settings.method == Method::Auto && run.method == Method::Cholesky =>
            {
                stages.push(run.stage(self.judged.residual(), Status::Stalled));
                *run = Run::unlimited(Method::ConjugateGradients);
                self.prepare(run.method)
            }
            other => other,
        }
    }

    /// Factorises what was filled, or makes its preconditioner.
    fn prepare(&mut self, method: Method) -> Result<(), SparseError> {
        match method {
            Method::Lu => Ok(()),
            Method::ConjugateGradients => self.system.prepare(SystemMethod::ConjugateGradients),
            Method::Cholesky | Method::Auto => self.system.prepare(SystemMethod::Cholesky),
        }
    }

    /// Puts the Newton step for what the nodes lack into `change`; returns the iterations.
    fn correct(&mut self, method: Method, goal: Goal) -> Result<u64, SparseError> {
        match method {
            Method::Lu => self.unsymmetric.solve(&self.lacking, &mut self.change).map(|()| 1),
            _ => self.system.solve(&self.lacking, &mut self.change, goal),
        }
    }

    /// Fills the matrix C + hθ(L + films + radiation's slope) at the present Δ; nodes that are not free have the row 1.
    fn fill(&mut self, network: &HeatNetwork, h: f64, before: &[f64]) -> Result<(), SparseError> {
        let theta = self.settings.theta;
        let weight = h * theta;
        let n = network.nodes.len();
        let delta = self.delta.rounded();
        let hot = |node: usize| network.base[node] + before[node] + theta * delta[node];
        if !network.exchanges.is_empty() {
            let capacity = |k: usize| network.capacity(k, before[k] + delta[k]).map_or(0.0, |c| c + network.stores_more(k));
            return self.unsymmetric.prepare(network, &[], weight, hot, capacity);
        }
        // a node below absolute zero during Newton does not radiate
        let slope = |end: usize| 4.0 * network.terms(end).map(|(node, w)| w * hot(node)).sum::<f64>().max(0.0).powi(3);
        let outside = network.films.iter().map(|f| (f.node, f.conductance));
        let outside = || outside.clone().chain(network.radiation.iter().map(|r| (r.node, r.strength * slope(r.node))));
        let inside = || network.solids.iter().chain(&network.links);
        let Self { edges, z, system, .. } = self;
        edges.clear();
        for link in inside() {
            if network.are_nodes(link.ends) {
                edges.push(link.ends);
                continue;
            }
            weights(network.terms(link.ends.0), network.terms(link.ends.1), z);
            pairs(z, |pair, _| edges.push(pair));
        }
        for (end, _) in outside().filter(|(end, _)| !network.is_node(*end)) {
            weights(network.terms(end), iter::empty(), z);
            pairs(z, |pair, _| edges.push(pair));
        }
        edges.extend(network.storage.between.iter().map(|s| s.0));
        system.refill(
            n,
            edges.iter().copied(),
            |matrix| {
                let mut edge = 0;
                let mut add = |matrix: &mut SymmetricMatrix, conductance: f64| {
                    matrix.add_conductance(edge, conductance);
                    edge += 1;
                };
                for link in inside() {
                    if network.are_nodes(link.ends) {
                        add(matrix, weight * link.conductance);
                        continue;
                    }
                    weights(network.terms(link.ends.0), network.terms(link.ends.1), z);
                    pairs(z, |_, product| add(matrix, weight * link.conductance * product));
                }
                for (end, conductance) in outside() {
                    weights(network.terms(end), iter::empty(), z);
                    z.iter().for_each(|(node, w)| matrix.add_diagonal(*node, weight * conductance * w));
                    pairs(z, |_, product| add(matrix, weight * conductance * product));
                }
                network.storage.between.iter().for_each(|(_, c)| add(matrix, -c));
                for k in 0..n {
                    let own = network.capacity(k, before[k] + delta[k]).map(|c| c + network.stores_more(k));
                    matrix.add_diagonal(k, own.unwrap_or(0.0));
                }
            },
            |node| !network.is_free(node),
        )
    }

    /// Computes all flows from the present Δ, and what each free node lacks.
    fn judge(&mut self, network: &HeatNetwork, h: f64, before: &[f64]) {
        let theta = self.settings.theta;
        let delta = self.delta.rounded();
        // temperature of node i over that of node j, small differences first
        let over_node = |i: usize, j: usize| {
            let start = (network.base[i] - network.base[j]) + (before[i] - before[j]);
            self.delta.offset_difference_parts(start, theta, i, j)
        };
        // Of ends: all their nodes over one of them. Two means of a field that differ by little are subtracted with all digits of both: a good contact between
        // meshes makes much heat of what rounding would leave.
        let over = |i: usize, j: usize| {
            if network.is_node(i) && network.is_node(j) {
                let [sum, rest] = over_node(i, j);
                return sum + rest;
            }
            let Some((least, _)) = network.terms(i).next() else { return 0.0 };
            let own = network.terms(i).chain(network.terms(j).map(|(node, w)| (node, -w)));
            let [sum, rest] = own.fold([0.0; 2], |sum, (node, w)| add_product(sum, w, over_node(node, least)));
            sum + rest
        };
        let temperature_of = |i: usize| network.base[i] + before[i] + theta * delta[i];
        let temperature = |end: usize| network.terms(end).map(|(node, w)| w * temperature_of(node)).sum::<f64>();
        let mut moved = 0.0;
        for (node, lacking) in self.lacking.iter_mut().enumerate() {
            *lacking = network.source[node];
            if network.is_free(node) {
                moved += network.source[node].abs();
            }
        }
        let give = |lacking: &mut [f64], end: usize, flow: f64| {
            if network.is_node(end) {
                lacking[end] += flow;
                return;
            }
            network.terms(end).for_each(|(node, w)| lacking[node] += w * flow);
        };
        self.flows.links.clear();
        self.flows.solids.clear();
        let Flows { links, solids, .. } = &mut self.flows;
        for (list, flows) in [(&network.links, links), (&network.solids, solids)] {
            for link in list {
                let (i, j) = link.ends;
                let flow = if link.conductance == 0.0 { 0.0 } else { link.conductance * over(i, j) };
                flows.push(flow);
                give(&mut self.lacking, i, -flow);
                give(&mut self.lacking, j, flow);
                if network.is_free(i) || network.is_free(j) {
                    moved += flow.abs();
                }
            }
        }
        self.flows.storage.clear();
        for ((i, j), c) in &network.storage.between {
            let flow = c * (delta[*j] - delta[*i]) / h;
            self.flows.storage.push(flow);
            self.lacking[*i] -= flow;
            self.lacking[*j] += flow;
        }
        // what temperatures, rounded as they are, make of flows to what is not near them (W)
        let mut rounding = 0.0;
        self.flows.films.clear();
        for film in &network.films {
            let own = temperature(film.node);
            let flow = film.conductance * (film.ambient - own);
            self.flows.films.push(flow);
            give(&mut self.lacking, film.node, flow);
            moved += flow.abs();
            rounding += film.conductance * (film.ambient.abs() + own.abs());
        }
        self.flows.radiation.clear();
        for r in &network.radiation {
            let own = temperature(r.node).powi(4);
            let flow = r.strength * (r.ambient.powi(4) - own);
            self.flows.radiation.push(flow);
            give(&mut self.lacking, r.node, flow);
            moved += flow.abs();
            rounding += 4.0 * r.strength * (r.ambient.powi(4) + own);
        }
        self.flows.exchanges.clear();
        for e in &network.exchanges {
            let (i, j) = e.ends;
            let (hot, cold) = (temperature(i), temperature(j));
            // T_i⁴ − T_j⁴ without the loss of digits between nearly equal ones
            let flow = e.strength * over(i, j) * (hot + cold) * (hot * hot + cold * cold);
            self.flows.exchanges.push(flow);
            self.lacking[i] -= flow;
            self.lacking[j] += flow;
            if network.is_free(i) || network.is_free(j) {
                moved += flow.abs();
            }
        }
        let rounding = f64::EPSILON * h * rounding;
        let mut judged = Judged { lacking: 0.0, scale: h * moved, rounding, worst: None };
        let mut largest = 0.0;
        for node in 0..network.nodes.len() {
            if !network.is_free(node) {
                self.lacking[node] = 0.0;
                continue;
            }
            let taken = network.taken(node, before[node], delta[node]) + network.stores_more(node) * delta[node];
            let lacking = h * self.lacking[node] - taken;
            self.lacking[node] = lacking;
            judged.lacking += lacking.abs();
            judged.scale += network.taken(node, 0.0, before[node] + delta[node]).abs();
            if lacking.abs() > largest {
                (largest, judged.worst) = (lacking.abs(), Some(node));
            }
        }
        self.judged = judged;
    }
}
