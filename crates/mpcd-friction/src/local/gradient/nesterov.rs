//! Accelerated projected gradient descent (Nesterov; in contact mechanics Mazhar, Heyn, Negrut and Tasora 2015) on the
//! friction cones, with a step that follows the curvature met and adaptive restarts (O'Donoghue and Candès 2015).
//!
//! The convex problem is `min ½ rᵀWr + rᵀ(q + s n)` over the cones; with s = 0 it is the convex relaxation of Coulomb's law,
//! whose sliding contacts part at `u_n = μ‖u_t‖`; with s = μ‖u_t‖ at the solution it is Coulomb's law.

use super::{DEFAULT_ITERATIONS, LOOK_EVERY, OUTER_SHARE, metric, size};
use crate::cone::tangential_norm;
use crate::local::prepared::PreparedProblem;
use crate::local::settings::{LocalSettings, LocalSolver, Watch};
use crate::local::small::{dot, norm};
use crate::report::{SolveInfo, Status};

/// The curvature estimate may fall by this factor per iteration.
const FORGET: f64 = 0.9;

/// Nesterov's method.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AcceleratedProjectedGradient {
    /// Solve the convex relaxation (s = 0) instead of Coulomb's law. Its errors are reported all the same as those of
    /// Coulomb's law, so that a problem with sliding contacts ends as [`Status::Stalled`].
    pub relaxed: bool,
}

/// The last iterate x and the extrapolated y, with their products by W.
pub(super) struct State<const D: usize> {
    pub(super) x: Vec<[f64; D]>,
    wx: Vec<[f64; D]>,
    y: Vec<[f64; D]>,
    wy: Vec<[f64; D]>,
    theta: f64,
    curvature: f64,
}

impl<const D: usize> State<D> {
    pub(super) fn new(problem: &PreparedProblem<D>, x: &[[f64; D]]) -> Self {
        let mut wx = vec![[0.0; D]; x.len()];
        problem.local().delassus.multiply(x, &mut wx);
        Self { x: x.to_vec(), y: x.to_vec(), wy: wx.clone(), wx, theta: 1.0, curvature: 1.0 }
    }

    fn velocity(&self, problem: &PreparedProblem<D>, c: usize) -> [f64; D] {
        std::array::from_fn(|k| self.wx[c][k] + problem.local().free_velocity[c][k])
    }

    fn restart(&mut self) {
        self.theta = 1.0;
        self.y.copy_from_slice(&self.x);
        self.wy.copy_from_slice(&self.wx);
    }

    /// One iteration, `shift` added to the normal free velocities; false where numbers ceased to be finite.
    pub(super) fn step(&mut self, problem: &PreparedProblem<D>, metric: &[f64], shift: &[f64]) -> bool {
        let local = problem.local();
        let n = self.x.len();
        let (mut new, mut w_new, mut moved) = (self.x.clone(), self.wx.clone(), self.x.clone());
        loop {
            for c in 0..n {
                let length = 1.0 / (self.curvature * metric[c]);
                let mut aim: [f64; D] =
                    std::array::from_fn(|k| self.y[c][k] - length * (self.wy[c][k] + local.free_velocity[c][k]));
                aim[0] -= length * shift[c];
                new[c] = local.cone(c).project(&aim);
                moved[c] = std::array::from_fn(|k| new[c][k] - self.y[c][k]);
            }
            local.delassus.multiply(&new, &mut w_new);
            let bent: f64 = (0..n).map(|c| (0..D).map(|k| moved[c][k] * (w_new[c][k] - self.wy[c][k])).sum::<f64>()).sum();
            let straight: f64 = moved.iter().zip(metric).map(|(m, l)| l * m.iter().map(|v| v * v).sum::<f64>()).sum();
            if !(bent.is_finite() && straight.is_finite()) {
                return false;
            }
            // at rounding `bent` is noise; W has no more than `n` contacts' worth of curvature
            if bent <= self.curvature * straight || self.curvature >= n as f64 {
                break;
            }
            self.curvature *= 2.0;
        }
        let turned: f64 =
            (0..n).map(|c| (0..D).map(|k| -metric[c] * moved[c][k] * (new[c][k] - self.x[c][k])).sum::<f64>()).sum();
        let theta = if turned > 0.0 { 1.0 } else { self.theta };
        let next = 0.5 * theta * ((theta * theta + 4.0).sqrt() - theta);
        let beta = if turned > 0.0 { 0.0 } else { theta * (1.0 - theta) / (theta * theta + next) };
        for c in 0..n {
            self.y[c] = std::array::from_fn(|k| new[c][k] + beta * (new[c][k] - self.x[c][k]));
            self.wy[c] = std::array::from_fn(|k| w_new[c][k] + beta * (w_new[c][k] - self.wx[c][k]));
        }
        (self.x, self.wx, self.theta) = (new, w_new, next);
        self.curvature *= FORGET;
        true
    }
}

impl<const D: usize> LocalSolver<D> for AcceleratedProjectedGradient {
    fn name(&self) -> &'static str {
        if self.relaxed { "apgd-convex" } else { "apgd" }
    }

    fn solve(&mut self, problem: &PreparedProblem<D>, r: &mut [[f64; D]], settings: &LocalSettings) -> SolveInfo {
        let (local, n) = (problem.local(), problem.contacts());
        let metric = metric(problem);
        let mut watch = Watch::new(settings, r);
        let most = settings.max_iterations.unwrap_or(DEFAULT_ITERATIONS);
        let mut state = State::new(problem, r);
        let slide = |state: &State<D>, c: usize| local.friction[c] * tangential_norm(&state.velocity(problem, c));
        let mut shift: Vec<f64> = (0..n).map(|c| if self.relaxed { 0.0 } else { slide(&state, c) }).collect();
        let residual = |state: &State<D>, shift: &[f64]| {
            size::<D>(n, |c| {
                let (x, u) = (&state.x[c], state.velocity(problem, c));
                let mut aim: [f64; D] = std::array::from_fn(|k| x[k] - u[k] / metric[c]);
                aim[0] -= shift[c] / metric[c];
                let p = local.cone(c).project(&aim);
                std::array::from_fn(|k| x[k] - p[k])
            })
        };
        let mut u = vec![[0.0; D]; n];
        let (mut done, mut status) = (0, Status::MaxIterations);
        loop {
            if done % LOOK_EVERY == 0 || done == most {
                local.velocities_into(&state.x, &mut u);
                let inner = residual(&state, &shift);
                let ended = done >= most || watch.out_of_time();
                if self.relaxed {
                    let solved = inner <= settings.tolerance * dot(&state.x, &state.x).sqrt();
                    if solved || ended {
                        watch.see(&problem.errors(&state.x, &u), &state.x);
                        status = if solved { Status::Stalled } else { status };
                        break;
                    }
                } else {
                    if watch.see(&problem.errors(&state.x, &u), &state.x) || ended {
                        break;
                    }
                    let next: Vec<f64> = (0..n).map(|c| slide(&state, c)).collect();
                    if inner <= OUTER_SHARE * residual(&state, &next) {
                        shift = next;
                        state.restart();
                    }
                }
            }
            if !state.step(problem, &metric, &shift) || !norm(&state.x).is_finite() {
                status = Status::Stalled;
                break;
            }
            done += 1;
        }
        watch.finish(LocalSolver::<D>::name(self), problem, r, status, done, 0, Vec::new())
    }
}
