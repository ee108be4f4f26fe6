//! Solving a [`ResistorNetwork`]: G V = I with G = N C Nᵀ (Dubois–Renouf (8) with the sign of an injected current).
//!
//! One loop for all methods: compute the true imbalance r = I − N C NᵀV of every node, let the method solve G d = r, add d.
//! V is kept as an unevaluated sum of two numbers, so a branch between two nearly equal potentials still has its current to
//! full precision, and the imbalance falls to the rounding of the currents, not of the potentials.
//!
//! The residual is Σ_nodes |r| / Σ_electrodes |I|. By reciprocity the error of an electrode's current, or of its
//! potential times its current, is at most Σ|r| times the largest potential: the residual bounds the relative error of the
//! equivalent resistance (within a factor 2).

mod gauss_seidel;

use mpcd_core::{Stage, Status};
use mpcd_sparse::{Choice, Compensated, Goal, SparseError, SymmetricSystem, SystemMethod};

use crate::{
    error::NetworkError,
    network::{OpenCircuit, Parts, ResistorNetwork},
};
use gauss_seidel::GaussSeidel;

/// How the network is solved.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Method {
    /// Cholesky or conjugate gradients, which of the two counts fewer operations; each goes on where the other cannot.
    #[default]
    Auto,
    /// Sparse Cholesky.
    Cholesky,
    /// Gauss–Seidel on nodes, the source's method.
    GaussSeidel,
    /// Conjugate gradients with a symmetric sweep, or the diagonal where that is enough.
    ConjugateGradients,
}

impl Method {
    /// All methods and their names in a model file.
    pub const NAMES: [(&'static str, Self); 4] = [
        ("auto", Self::Auto),
        ("cholesky", Self::Cholesky),
        ("gauss-seidel", Self::GaussSeidel),
        ("cg", Self::ConjugateGradients),
    ];

    /// The name in a model file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Cholesky => "cholesky",
            Self::GaussSeidel => "gauss-seidel",
            Self::ConjugateGradients => "cg",
        }
    }
}

/// Method and when to stop.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolverSettings {
    /// The method.
    pub method: Method,
    /// Bound on Σ_nodes |imbalance| / Σ_electrodes |I|.
    pub tolerance: f64,
    /// Most sweeps of Gauss–Seidel, or iterations of conjugate gradients.
    pub max_iterations: u64,
    /// What happens to a current without return.
    pub open_circuit: OpenCircuit,
}

impl Default for SolverSettings {
    fn default() -> Self {
        Self { method: Method::Auto, tolerance: 1e-11, max_iterations: 1_000_000, open_circuit: OpenCircuit::Stop }
    }
}

/// What a solve came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// How the last stage ended.
    pub status: Status,
    /// Σ_nodes |imbalance| / Σ_electrodes |I| of the result.
    pub residual: f64,
    /// Σ_nodes |imbalance| (A).
    pub imbalance: f64,
    /// Σ_electrodes |I| (A): what is fed in plus what is drawn.
    pub throughput: f64,
    /// The node with the largest imbalance.
    pub worst: Option<usize>,
    /// What ran.
    pub stages: Vec<Stage>,
    /// Parts of at least two nodes that no electrode reaches; their potential is set to 0 V.
    pub floating_islands: usize,
    /// Nodes whose current was switched off for want of a return.
    pub switched_off: Vec<usize>,
}

/// A solver and its memory. Everything it keeps is a cache: dropping it changes no bit of a result.
#[derive(Debug)]
pub struct NetworkSolver {
    settings: SolverSettings,
    parts: Parts,
    /// The matrix of the unknown potentials.
    system: SymmetricSystem,
    /// Whether the matrix is that of the network at hand.
    filled: bool,
    gauss_seidel: GaussSeidel,
    /// Potential relative to the part's reference (V).
    potential: Compensated,
    /// Per node: current that leaves through branches (A).
    leaving: Vec<f64>,
    /// Per node: imbalance, 0 where the potential is known (A).
    rest: Vec<f64>,
    /// Per node: correction (V).
    change: Vec<f64>,
    /// Conductances between pairs of nodes, as the methods take them.
    pairs: Vec<((usize, usize), f64)>,
    /// Per branch: current from `ends.0` to `ends.1` (A), and potential of `ends.0` over that of `ends.1` (V); 0 where none flows.
    currents: Vec<f64>,
    drops: Vec<f64>,
    judged: Judged,
}

/// Σ|imbalance|, Σ|I| and the worst node of the last evaluation.
#[derive(Debug, Clone, Copy, Default)]
struct Judged {
    imbalance: f64,
    throughput: f64,
    worst: Option<usize>,
}

impl Judged {
    fn residual(&self) -> f64 {
        if self.imbalance == 0.0 { 0.0 } else { self.imbalance / self.throughput }
    }
}

impl NetworkSolver {
    /// A solver without memory yet.
    #[must_use]
    pub fn new(settings: SolverSettings) -> Self {
        Self {
            settings,
            parts: Parts::default(),
            system: SymmetricSystem::default(),
            filled: false,
            gauss_seidel: GaussSeidel::default(),
            potential: Compensated::default(),
            leaving: Vec::new(),
            rest: Vec::new(),
            change: Vec::new(),
            pairs: Vec::new(),
            currents: Vec::new(),
            drops: Vec::new(),
            judged: Judged::default(),
        }
    }

    /// Drops all memory.
    pub fn drop_caches(&mut self) {
        *self = Self::new(self.settings);
    }

    /// Solves the network. `potential` (V), one per node, is the start of "gauss-seidel" and "cg", also where "auto" takes it, and receives the result;
    /// nodes that nothing defines get 0 V. Not to converge is no error: see [`Outcome::status`].
    ///
    /// # Errors
    /// [`NetworkError`]: a fault of the data, or a current without return.
    pub fn solve(&mut self, network: &ResistorNetwork, potential: &mut [f64]) -> Result<Outcome, NetworkError> {
        network.check()?;
        if potential.len() != network.nodes() {
            return Err(NetworkError::Length { what: "list of potentials", expected: network.nodes(), found: potential.len() });
        }
        self.filled = false;
        self.parts.update(network, self.settings.open_circuit)?;
        // a direct method needs no start, so its result has no history
        match self.settings.method {
            Method::GaussSeidel | Method::ConjugateGradients => self.start(network, Some(potential))?,
            Method::Cholesky => self.start(network, None)?,
            Method::Auto => {}
        }
        let mut stages = Vec::new();
        let status = match self.settings.method {
            Method::Cholesky => self.cholesky(network, &mut stages)?,
            Method::GaussSeidel => self.gauss_seidel(network, &mut stages),
            Method::ConjugateGradients => self.conjugate_gradients(network, self.settings.max_iterations, &mut stages)?,
            Method::Auto => self.auto(network, potential, &mut stages)?,
        };
        for (node, v) in potential.iter_mut().enumerate() {
            *v = self.parts.offset[node] + self.potential.rounded()[node];
        }
        Ok(Outcome {
            status,
            residual: self.judged.residual(),
            imbalance: self.judged.imbalance,
            throughput: self.judged.throughput,
            worst: self.judged.worst,
            stages,
            floating_islands: self.parts.floating(),
            switched_off: self.parts.switched_off.clone(),
        })
    }

    /// Per branch of the last solve: current from `ends.0` to `ends.1` (A).
    #[must_use]
    pub fn currents(&self) -> &[f64] {
        &self.currents
    }

    /// Per branch of the last solve: potential of `ends.0` over that of `ends.1` (V), to full precision; 0 where it does not conduct.
    #[must_use]
    pub fn drops(&self) -> &[f64] {
        &self.drops
    }

    /// Potential of a node in the last solve over that of another (V), to full precision.
    #[must_use]
    pub fn drop_across(&self, ends: (usize, usize)) -> f64 {
        let (i, j) = ends;
        self.parts.offset[i] - self.parts.offset[j] + self.potential.difference(i, j)
    }

    /// Potential of a node in the last solve over the reference of its part (V).
    #[must_use]
    pub fn over_reference(&self, node: usize) -> f64 {
        self.potential.rounded()[node]
    }

    /// Per node of the last solve: the current that leaves it through its branches (A). At an electrode this is what it feeds in.
    #[must_use]
    pub fn leaving(&self) -> &[f64] {
        &self.leaving
    }

    /// Whether nothing defined the potential of a node in the last solve.
    #[must_use]
    pub fn floats(&self, node: usize) -> bool {
        self.parts.floats(node)
    }

    /// Whether nodes of the last network were held at different potentials and no path joined any two of those.
    #[must_use]
    pub fn apart(&self) -> bool {
        self.parts.apart()
    }

    /// Number of the part of the last network that a node is in: nodes that conductances join are in one.
    #[must_use]
    pub fn part(&self, node: usize) -> usize {
        self.parts.part(node)
    }

    /// Starts from given potentials (V), or from those of the references, and judges that.
    fn start(&mut self, network: &ResistorNetwork, from: Option<&[f64]>) -> Result<(), NetworkError> {
        let n = network.nodes();
        self.potential.reset((0..n).map(|i| {
            let start = from.map_or(0.0, |potential| potential[i] - self.parts.offset[i]);
            self.parts.known[i].unwrap_or(if start.is_finite() { start } else { 0.0 })
        }));
        for column in [&mut self.leaving, &mut self.rest, &mut self.change] {
            column.clear();
            column.resize(n, 0.0);
        }
        for column in [&mut self.currents, &mut self.drops] {
            column.clear();
            column.resize(network.branches.len(), 0.0);
        }
        self.judge(network);
        // the residual is a sum of all of them
        let beyond = self.leaving.iter().position(|current| !current.is_finite());
        beyond.map_or(Ok(()), |node| Err(NetworkError::Range { node }))
    }

    /// Computes all currents from the potentials, and the true imbalance of every node.
    fn judge(&mut self, network: &ResistorNetwork) {
        self.leaving.fill(0.0);
        for ((i, j), conductance) in network.solid() {
            let current = conductance * self.potential.difference(i, j);
            self.leaving[i] += current;
            self.leaving[j] -= current;
        }
        for (k, ends, conductance) in network.live() {
            let drop = self.across(network, ends);
            let current = conductance * drop;
            (self.drops[k], self.currents[k]) = (drop, current);
            if network.are_nodes(ends) {
                self.leaving[ends.0] += current;
                self.leaving[ends.1] -= current;
                continue;
            }
            network.terms(ends.0).for_each(|(node, w)| self.leaving[node] += w * current);
            network.terms(ends.1).for_each(|(node, w)| self.leaving[node] -= w * current);
        }
        let (mut largest, mut judged) = (0.0, Judged::default());
        for node in 0..network.nodes() {
            if network.held[node].is_some() {
                judged.throughput += self.leaving[node].abs();
                self.rest[node] = 0.0;
                continue;
            }
            let imbalance = self.parts.injected[node] - self.leaving[node];
            judged.throughput += self.parts.injected[node].abs();
            judged.imbalance += imbalance.abs();
            if imbalance.abs() > largest {
                (largest, judged.worst) = (imbalance.abs(), Some(node));
            }
            // a reference node keeps its potential, but its imbalance is judged like any other
            self.rest[node] = if self.parts.known[node].is_some() { 0.0 } else { imbalance };
        }
        self.judged = judged;
    }

    /// Potential of one end over another in one part: of points all nodes over one of them, small differences first.
    fn across(&self, network: &ResistorNetwork, (i, j): (usize, usize)) -> f64 {
        if network.are_nodes((i, j)) {
            return self.potential.difference(i, j);
        }
        let Some((one, _)) = network.terms(i).next() else { return 0.0 };
        let mean = |end: usize| network.terms(end).map(|(node, w)| w * self.potential.difference(node, one)).sum::<f64>();
        mean(i) - mean(j)
    }

    /// Fills the matrix with the conductances, once for a network; the corrections of known potentials are 0.
    fn fill(&mut self, network: &ResistorNetwork) -> Result<(), SparseError> {
        if self.filled {
            return Ok(());
        }
        self.read_pairs(network);
        let pairs = &self.pairs;
        self.system.refill(
            network.nodes(),
            pairs.iter().map(|(ends, _)| *ends),
            |matrix| pairs.iter().enumerate().for_each(|(edge, (_, c))| matrix.add_conductance(edge, *c)),
            |node| self.parts.known[node].is_some(),
        )?;
        self.filled = true;
        Ok(())
    }

    fn read_pairs(&mut self, network: &ResistorNetwork) {
        let pairs = &mut self.pairs;
        pairs.clear();
        network.each_pair(|ends, conductance| pairs.push((ends, conductance)));
    }

    fn converged(&self) -> bool {
        self.judged.residual() <= self.settings.tolerance
    }

    fn stage(&self, stages: &mut Vec<Stage>, method: Method, iterations: u64, status: Status) {
        stages.push(Stage { solver: method.name().to_owned(), iterations, residual: self.judged.residual(), status });
    }

    /// The method of fewer counted operations, then the other one if that cannot. The choice depends on the network alone; conjugate gradients
    /// start from the potentials given.
    fn auto(&mut self, network: &ResistorNetwork, potential: &[f64], stages: &mut Vec<Stage>) -> Result<Status, NetworkError> {
        // where nothing drives a current all potentials are known
        let choice = if self.parts.driven() {
            self.fill(network)?;
            self.system.choose(self.settings.tolerance)?
        } else {
            Choice::Cholesky
        };
        self.start(network, (choice != Choice::Cholesky).then_some(potential))?;
        let limit = self.settings.max_iterations;
        let order = match choice {
            Choice::Cholesky => [(Method::Cholesky, limit), (Method::ConjugateGradients, limit)],
            Choice::ConjugateGradients { most } => [(Method::ConjugateGradients, most.min(limit)), (Method::Cholesky, limit)],
        };
        let mut status = Status::Stalled;
        for (method, most) in order {
            let run = if method == Method::Cholesky {
                self.cholesky(network, stages)
            } else {
                self.conjugate_gradients(network, most, stages)
            };
            status = match run {
                Err(NetworkError::Sparse(SparseError::NotPositiveDefinite { .. } | SparseError::TooLarge { .. }))
                    if method == Method::Cholesky =>
                {
                    self.stage(stages, method, 0, Status::Stalled);
                    Status::Stalled
                }
                other => other?,
            };
            if status == Status::Converged {
                break;
            }
        }
        Ok(status)
    }

    /// Cholesky with iterative refinement; the iterations it reports are solves with the factor.
    fn cholesky(&mut self, network: &ResistorNetwork, stages: &mut Vec<Stage>) -> Result<Status, NetworkError> {
        // it ends as soon as a solve does not pay
        self.refine(network, stages, Method::Cholesky, SystemMethod::Cholesky, u64::MAX)
    }

    fn conjugate_gradients(
        &mut self,
        network: &ResistorNetwork,
        most: u64,
        stages: &mut Vec<Stage>,
    ) -> Result<Status, NetworkError> {
        self.refine(network, stages, Method::ConjugateGradients, SystemMethod::ConjugateGradients, most)
    }

    /// Corrections by a linear solver until the true imbalance is small.
    fn refine(
        &mut self,
        network: &ResistorNetwork,
        stages: &mut Vec<Stage>,
        method: Method,
        solver: SystemMethod,
        most: u64,
    ) -> Result<Status, NetworkError> {
        let (mut iterations, mut rounds) = (0, 0);
        let mut status = if self.converged() { Status::Converged } else { Status::MaxIterations };
        while status == Status::MaxIterations && iterations < most {
            if rounds == 0 {
                self.fill(network)?;
                self.system.prepare(solver)?;
            }
            let before = self.judged.residual();
            let rest = self.settings.tolerance * self.judged.throughput;
            let goal = Goal { rest, max_iterations: most - iterations };
            iterations += self.system.solve(&self.rest, &mut self.change, goal)?;
            self.potential.add(&self.change);
            self.judge(network);
            rounds += 1;
            // the first solve starts anywhere; each later one must pay
            let pays = rounds == 1 || self.judged.residual() < 0.5 * before;
            status = match (self.converged(), pays) {
                (true, _) => Status::Converged,
                (false, true) => Status::MaxIterations,
                (false, false) if iterations >= most => Status::MaxIterations,
                (false, false) if solver == SystemMethod::Cholesky && self.system.eliminate() => Status::MaxIterations,
                (false, false) => Status::Stalled,
            };
        }
        self.stage(stages, method, iterations, status);
        Ok(status)
    }

    /// Gauss–Seidel on nodes in their order. The true imbalance is computed between batches of sweeps.
    fn gauss_seidel(&mut self, network: &ResistorNetwork, stages: &mut Vec<Stage>) -> Status {
        const BATCH: u64 = 20;
        /// Batches without any gain after which it has stalled.
        const PATIENCE: u32 = 500;
        let (mut iterations, mut best, mut idle) = (0, f64::INFINITY, 0);
        if !self.converged() {
            self.read_pairs(network);
            self.gauss_seidel.fill(&self.pairs, &self.parts.known);
        }
        let status = loop {
            if self.converged() {
                break Status::Converged;
            }
            if iterations >= self.settings.max_iterations {
                break Status::MaxIterations;
            }
            idle = if self.judged.residual() < best { 0 } else { idle + 1 };
            best = best.min(self.judged.residual());
            if idle > PATIENCE {
                break Status::Stalled;
            }
            let sweeps = BATCH.min(self.settings.max_iterations - iterations);
            self.change.fill(0.0);
            (0..sweeps).for_each(|_| self.gauss_seidel.sweep(&self.rest, &mut self.change));
            iterations += sweeps;
            self.potential.add(&self.change);
            self.judge(network);
        };
        self.stage(stages, Method::GaussSeidel, iterations, status);
        status
    }
}
