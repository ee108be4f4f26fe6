//! The rounds in which conductivities settle at the temperatures that they make, and the floor of temperatures. The balance of given conductances is the solver's.

use mpcd_core::{Inputs, Status};

use super::Thermal;
use crate::{
    error::ThermalError,
    network::{HeatNetwork, Node},
    solve::Outcome,
};

/// Rounds in which conductances are taken at the temperatures of the round before, and the part to which they then stand. Where conductivities are not steep two
/// to ten do; where they are it may go round for ever.
const ROUNDS: u32 = 20;
const SETTLED: f64 = 1e-11;

/// Most Newton steps after them, and most rounds of meshes, which have no slopes of their conductances.
const STEPS: u64 = 100;
const ROUNDS_OF_MESHES: u32 = 200;

impl Thermal {
    /// Solves the step; where conductivities depend on temperature, again and again until they are those of the temperatures found.
    pub(super) fn solve(
        &mut self,
        inputs: &Inputs<'_>,
        h: f64,
        before: &[f64],
        after: &mut [f64],
    ) -> Result<Outcome, ThermalError> {
        let meshed = self.meshes.any_heat();
        let most = if meshed { ROUNDS_OF_MESHES } else { ROUNDS };
        let (mut stages, mut rounds) = (Vec::new(), 0);
        let mut damping = Damping::default();
        loop {
            let mut outcome = self.solver.step(&self.network, h, before, after)?;
            self.meshes.take_means(after);
            stages.append(&mut outcome.stages);
            rounds += 1;
            let settled = !self.materials.conductivity_varies() || {
                let now = |network: &HeatNetwork| {
                    network.links.iter().chain(&network.solids).map(|l| l.conductance).collect::<Vec<f64>>()
                };
                let used = now(&self.network);
                let from = if rounds > ROUNDS { self.temperatures.clone() } else { Vec::new() };
                self.take_temperatures(before, after);
                self.link(inputs)?;
                self.meshes.conduct(&self.materials, &self.temperatures, &mut self.network);
                let settled = used.iter().zip(now(&self.network)).all(|(a, b)| (a - b).abs() <= SETTLED * a.abs());
                if !settled && rounds > ROUNDS {
                    damping.hold_back(&from, &mut self.temperatures);
                    self.link(inputs)?;
                    self.meshes.conduct(&self.materials, &self.temperatures, &mut self.network);
                }
                settled
            };
            if !settled && rounds == most && !meshed {
                outcome.stages = stages;
                return self.by_newton(inputs, h, before, after, outcome);
            }
            if settled || rounds == most {
                if !settled {
                    outcome.status = Status::Stalled;
                }
                outcome.stages = stages;
                return Ok(outcome);
            }
        }
    }

    /// The temperatures at which the scheme weighs the step.
    fn take_temperatures(&mut self, before: &[f64], after: &[f64]) {
        let theta = self.settings.theta;
        for (node, t) in self.temperatures.iter_mut().enumerate() {
            *t = self.network.base[node] + before[node] + theta * (after[node] - before[node]);
        }
    }

    /// Newton's steps on the whole balance, conductances and all, from where the rounds came to.
    fn by_newton(
        &mut self,
        inputs: &Inputs<'_>,
        h: f64,
        before: &[f64],
        after: &mut [f64],
        rounds: Outcome,
    ) -> Result<Outcome, ThermalError> {
        let mut steps = 0;
        let status = loop {
            let slopes = self.slopes(inputs)?;
            if self.solver.judge_links(&self.network, h, before) {
                break Status::Converged;
            }
            if steps == STEPS {
                break Status::Stalled;
            }
            self.solver.aim(&self.network, h, before, &slopes).map_err(crate::error::HeatError::from)?;
            let mut solver = std::mem::replace(&mut self.solver, crate::solve::HeatSolver::new(self.settings));
            let fell = solver.descend(|solver| {
                solver.rises(&self.network, before, after);
                self.take_temperatures(before, after);
                self.link(inputs)?;
                solver.judge_links(&self.network, h, before);
                Ok::<(), ThermalError>(())
            });
            self.solver = solver;
            steps += 1;
            if !fell? {
                break Status::Stalled;
            }
        };
        Ok(self.solver.outcome(status, steps, rounds.stages))
    }

    /// What is colder than absolute zero by no more than the balance may miss, a part `tolerance` of `scale` (J), or than its temperature rounds to, is at absolute zero.
    pub(super) fn stop_at_zero(&self, rises: &mut [f64], scale: f64) {
        for (node, rise) in rises.iter_mut().enumerate() {
            let base = self.network.base[node];
            let below = -(base + *rise);
            if below > 0.0
                && matches!(self.network.nodes[node], Node::Free { .. })
                && self.network.capacity(node, -base).is_some_and(|c| c * below <= self.settings.tolerance * scale)
            {
                *rise = -base;
            }
        }
    }
}

/// How far rounds go towards the temperatures that they find, where all of the way goes round: by Aitken's rule on vectors (Irons and Tuck 1969,
/// doi:10.1002/nme.1620010306), between a thousandth of it and all.
#[derive(Debug)]
struct Damping {
    part: f64,
    asked: Vec<f64>,
}

impl Default for Damping {
    fn default() -> Self {
        Self { part: 0.5, asked: Vec::new() }
    }
}

impl Damping {
    /// Moves `to` (K) back to where the round may go from `from`.
    fn hold_back(&mut self, from: &[f64], to: &mut [f64]) {
        let asked: Vec<f64> = from.iter().zip(to.iter()).map(|(from, to)| to - from).collect();
        if self.asked.len() == asked.len() {
            let (mut along, mut square) = (0.0, 0.0);
            for (old, new) in self.asked.iter().zip(&asked) {
                along += old * (new - old);
                square += (new - old) * (new - old);
            }
            if square > 0.0 {
                self.part = (-self.part * along / square).clamp(1e-3, 1.0);
            }
        }
        to.iter_mut().zip(from.iter().zip(&asked)).for_each(|(to, (from, by))| *to = from + self.part * by);
        self.asked = asked;
    }
}
