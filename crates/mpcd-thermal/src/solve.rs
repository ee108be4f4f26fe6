//! One implicit step of a [`HeatNetwork`].
//!
//! Unknown is the change Δ of the rises x over the step; with x_θ = x + θΔ the heat that node i lacks is
//! F_i = h (Σ_j H_ij (T_j − T_i) + Σ films + Σ radiation + source)_θ − C_i Δ_i. Newton: (C + hθ(L + film + 4εσAT³)) d = F,
//! Δ += d, until Σ|F| is small over content plus throughput. Without radiation the first step is the answer and any
//! further one refines it. Δ is kept as an unevaluated sum of two numbers, so that a stiff step (a steady state in one step)
//! still balances to rounding.

use mpcd_core::{Stage, Status};
use mpcd_sparse::{Compensated, Goal, SparseError, SymmetricSystem, SystemMethod};

use crate::{
    error::HeatError,
    network::{HeatNetwork, Node},
};

/// How the linear systems are solved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Method {
    /// Cholesky below 20,000 nodes, conjugate gradients above.
    #[default]
    Auto,
    /// Sparse Cholesky.
    Cholesky,
    /// Conjugate gradients with incomplete Cholesky.
    ConjugateGradients,
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
        }
    }

    /// What runs on a network of this size, with its name.
    const fn for_nodes(self, nodes: usize) -> (Self, SystemMethod) {
        match self {
            Self::Auto if nodes < 20_000 => (Self::Cholesky, SystemMethod::Cholesky),
            Self::Cholesky => (self, SystemMethod::Cholesky),
            Self::Auto | Self::ConjugateGradients => (Self::ConjugateGradients, SystemMethod::ConjugateGradients),
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
    /// What ran.
    pub stage: Stage,
}

/// A solver and its memory. Everything it keeps is a cache: dropping it changes no bit of a result.
#[derive(Debug)]
pub struct HeatSolver {
    settings: SolverSettings,
    /// The matrix of the free nodes.
    system: SymmetricSystem,
    /// Change Δ of the rises (K).
    delta: Compensated,
    /// Heat each node lacks (J).
    lacking: Vec<f64>,
    /// Newton step (K).
    change: Vec<f64>,
    flows: Flows,
    judged: Judged,
}

/// Heat flows of the last step, at the time the scheme weighs them (W).
#[derive(Debug, Clone, Default)]
pub struct Flows {
    /// Through each link, from `ends.0` to `ends.1`.
    pub links: Vec<f64>,
    /// Into each film's node.
    pub films: Vec<f64>,
    /// Into each radiating node.
    pub radiation: Vec<f64>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Judged {
    lacking: f64,
    scale: f64,
    worst: Option<usize>,
}

impl Judged {
    fn residual(&self) -> f64 {
        if self.lacking == 0.0 { 0.0 } else { self.lacking / self.scale }
    }
}

impl HeatSolver {
    /// A solver without memory yet.
    #[must_use]
    pub fn new(settings: SolverSettings) -> Self {
        Self {
            settings,
            system: SymmetricSystem::default(),
            delta: Compensated::default(),
            lacking: Vec::new(),
            change: Vec::new(),
            flows: Flows::default(),
            judged: Judged::default(),
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
        let (method, solver) = self.settings.method.for_nodes(n);
        let (status, iterations) = self.newton(network, solver, h, before)?;
        for node in 0..n {
            match network.nodes[node] {
                Node::Free { .. } => after[node] = before[node] + self.delta.rounded()[node],
                Node::Absent => after[node] = before[node],
                Node::Held => {}
            }
        }
        let residual = self.judged.residual();
        let stage = Stage { solver: method.name().to_owned(), iterations, residual, status };
        Ok(Outcome { status, residual, scale: self.judged.scale, worst: self.judged.worst, stage })
    }

    /// Heat flows of the last step.
    #[must_use]
    pub fn flows(&self) -> &Flows {
        &self.flows
    }

    fn newton(
        &mut self,
        network: &HeatNetwork,
        solver: SystemMethod,
        h: f64,
        before: &[f64],
    ) -> Result<(Status, u64), HeatError> {
        let (mut iterations, mut rounds) = (0, 0);
        self.judge(network, h, before);
        loop {
            if self.judged.residual() <= self.settings.tolerance {
                return Ok((Status::Converged, iterations));
            }
            if iterations >= self.settings.max_iterations {
                return Ok((Status::MaxIterations, iterations));
            }
            if rounds == 0 || !network.radiation.is_empty() {
                self.fill(network, h, before)?;
                self.system.prepare(solver)?;
            }
            let lacking = self.judged.lacking;
            let rest = self.settings.tolerance * self.judged.scale;
            let goal = Goal { rest, max_iterations: self.settings.max_iterations - iterations };
            // a round counts even where the solver had nothing to do
            iterations += self.system.solve(&self.lacking, &mut self.change, goal)?.max(1);
            self.delta.add(&self.change);
            self.judge(network, h, before);
            rounds += 1;
            // Newton may overshoot at first; after that each round must pay (a NaN does not)
            let goes_on = rounds <= 3 || self.judged.lacking < 0.5 * lacking || self.judged.residual() <= self.settings.tolerance;
            if !goes_on && iterations < self.settings.max_iterations {
                return Ok((Status::Stalled, iterations));
            }
        }
    }

    /// Fills the matrix C + hθ(L + films + radiation's slope) at the present Δ; nodes that are not free have the row 1.
    fn fill(&mut self, network: &HeatNetwork, h: f64, before: &[f64]) -> Result<(), SparseError> {
        let theta = self.settings.theta;
        let weight = h * theta;
        let n = network.nodes.len();
        let delta = self.delta.rounded();
        let hot = |node: usize| network.base[node] + before[node] + theta * delta[node];
        self.system.refill(
            n,
            network.links.iter().map(|l| l.ends),
            |matrix| {
                network.links.iter().enumerate().for_each(|(edge, l)| matrix.add_conductance(edge, weight * l.conductance));
                network.films.iter().for_each(|f| matrix.add_diagonal(f.node, weight * f.conductance));
                for r in &network.radiation {
                    // a node below absolute zero during Newton does not radiate
                    matrix.add_diagonal(r.node, weight * 4.0 * r.strength * hot(r.node).max(0.0).powi(3));
                }
                (0..n).for_each(|node| matrix.add_diagonal(node, network.capacity(node).unwrap_or(0.0)));
            },
            |node| network.capacity(node).is_none(),
        )
    }

    /// Computes all flows from the present Δ, and what each free node lacks.
    fn judge(&mut self, network: &HeatNetwork, h: f64, before: &[f64]) {
        let theta = self.settings.theta;
        let delta = self.delta.rounded();
        // temperature of node i over that of node j, small differences first
        let over = |i: usize, j: usize| {
            (network.base[i] - network.base[j]) + (before[i] - before[j]) + theta * self.delta.difference(i, j)
        };
        let temperature = |i: usize| network.base[i] + before[i] + theta * delta[i];
        let mut moved = 0.0;
        for (node, lacking) in self.lacking.iter_mut().enumerate() {
            *lacking = network.source[node];
            if network.capacity(node).is_some() {
                moved += network.source[node].abs();
            }
        }
        self.flows.links.clear();
        for link in &network.links {
            let (i, j) = link.ends;
            let flow = if link.conductance > 0.0 { link.conductance * over(i, j) } else { 0.0 };
            self.flows.links.push(flow);
            self.lacking[i] -= flow;
            self.lacking[j] += flow;
            if network.capacity(i).or(network.capacity(j)).is_some() {
                moved += flow.abs();
            }
        }
        self.flows.films.clear();
        for film in &network.films {
            let flow = film.conductance * (film.ambient - temperature(film.node));
            self.flows.films.push(flow);
            self.lacking[film.node] += flow;
            moved += flow.abs();
        }
        self.flows.radiation.clear();
        for r in &network.radiation {
            let flow = r.strength * (r.ambient.powi(4) - temperature(r.node).powi(4));
            self.flows.radiation.push(flow);
            self.lacking[r.node] += flow;
            moved += flow.abs();
        }
        let mut judged = Judged { lacking: 0.0, scale: h * moved, worst: None };
        let mut largest = 0.0;
        for node in 0..network.nodes.len() {
            let Some(capacity) = network.capacity(node) else {
                self.lacking[node] = 0.0;
                continue;
            };
            let lacking = h * self.lacking[node] - capacity * delta[node];
            self.lacking[node] = lacking;
            judged.lacking += lacking.abs();
            judged.scale += capacity * (before[node] + delta[node]).abs();
            if lacking.abs() > largest {
                (largest, judged.worst) = (lacking.abs(), Some(node));
            }
        }
        self.judged = judged;
    }
}
