//! How far a Newton step is gone, and Newton's steps where the conductances of links follow the temperatures. The balance itself is judged by the solver.

use mpcd_core::{Stage, Status};
use mpcd_sparse::SparseError;

use super::{HeatSolver, Judged, Method, Outcome, Run};
use crate::network::{HeatNetwork, Node};

/// Part of the fall that the slope promises from which on a part of a step is taken (Armijo's rule), and the least part.
const PAYS: f64 = 1e-4;
const LEAST: f64 = 1.0 / (1_u64 << 40) as f64;

impl HeatSolver {
    /// Goes along `change`, the whole of it or the greatest of its halves, quarters, … with which Σ|F| falls; says whether one was found. `judge` judges the present Δ.
    ///
    /// With the exact slope J of F and J d = −F, F(Δ + αd) = (1 − α)F + o(α), so that Σ|F| falls for small α whatever the laws are: the enthalpy may have
    /// kinks in its slope, and conductances may fall as steeply as they like. The slope stays regular: each of its columns has hθ times the slopes of flows once
    /// with either sign, and the capacity, which is above zero.
    pub(crate) fn descend<E>(&mut self, mut judge: impl FnMut(&mut Self) -> Result<(), E>) -> Result<bool, E> {
        let (start, lacking) = (self.delta.clone(), self.judged.lacking);
        let mut part = 1.0;
        loop {
            self.delta.add(&self.change);
            judge(self)?;
            if self.judged.lacking <= (1.0 - PAYS * part) * lacking || self.judged.balanced(self.settings.tolerance) {
                return Ok(true);
            }
            self.delta.clone_from(&start);
            part *= 0.5;
            if part < LEAST {
                judge(self)?;
                return Ok(false);
            }
            self.change.iter_mut().for_each(|d| *d *= 0.5);
        }
    }

    /// Judges the present Δ with the conductances that `network` has now; says whether the heat is balanced.
    pub(crate) fn judge_links(&mut self, network: &HeatNetwork, h: f64, before: &[f64]) -> bool {
        self.judge(network, h, before);
        self.judged.balanced(self.settings.tolerance)
    }

    /// Puts the Newton step of the present Δ into `change`, where the flow of each link grows by `slopes` with the temperature of its first end, and
    /// falls by them with that of its second (W/K).
    pub(crate) fn aim(&mut self, network: &HeatNetwork, h: f64, before: &[f64], slopes: &[[f64; 2]]) -> Result<(), SparseError> {
        let (theta, delta) = (self.settings.theta, self.delta.rounded());
        let hot = |node: usize| network.base[node] + before[node] + theta * delta[node];
        let capacity = |k: usize| network.capacity(k, before[k] + delta[k]).map_or(0.0, |c| c + network.stores_more(k));
        self.unsymmetric.prepare(network, slopes, h * theta, hot, capacity)?;
        self.unsymmetric.solve(&self.lacking, &mut self.change)
    }

    /// Puts the rises of the present Δ into `after`.
    pub(crate) fn rises(&self, network: &HeatNetwork, before: &[f64], after: &mut [f64]) {
        for (node, rise) in after.iter_mut().enumerate() {
            if matches!(network.nodes[node], Node::Free { .. }) {
                *rise = before[node] + self.delta.rounded()[node];
            }
        }
    }

    /// What Newton's steps came to.
    pub(crate) fn outcome(&self, status: Status, iterations: u64, mut stages: Vec<Stage>) -> Outcome {
        let Judged { scale, worst, .. } = self.judged;
        let residual = self.judged.residual();
        stages.push(Run { iterations, ..Run::unlimited(Method::Lu) }.stage(residual, status));
        Outcome { status, residual, scale, worst, stages }
    }
}
