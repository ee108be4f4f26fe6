//! Alternating directions of multipliers with the friction term lagged, on the scaled problem, one factorisation of
//! `W + ρ I` per value of ρ; ρ is balanced between primal and dual residuals.
//!
//! `min ½ rᵀWr + rᵀ(q + s)` over the cones, s = (μ‖u_t‖, 0, 0) taken from the last velocities (Acary, Brémond and Huber
//! 2018, survey): r solves `(W + ρ) r = ρ z − ξ − q − s`, z is the projection of r + ξ/ρ, ξ += ρ (r − z).

use super::block::Block;
use super::newton::NewtonSystem;
use super::prepared::PreparedProblem;
use super::settings::{LocalSettings, LocalSolver, Watch};
use super::small::{norm, scaled_identity};
use crate::cone::tangential_norm;
use crate::report::{SolveInfo, Status};

/// Iterations at most when the caller does not say.
const DEFAULT_ITERATIONS: usize = 20_000;
/// Iterations between two looks at the error and at the balance of the residuals.
const LOOK_EVERY: usize = 10;
/// Residuals further apart than this change ρ by this factor.
const UNBALANCED: f64 = 10.0;
const CHANGE: f64 = 3.0;

/// Alternating directions of multipliers.
#[derive(Debug, Clone, Copy, Default)]
pub struct Admm;

impl<const D: usize> LocalSolver<D> for Admm {
    fn name(&self) -> &'static str {
        "admm"
    }

    fn solve(&mut self, problem: &PreparedProblem<D>, r: &mut [[f64; D]], settings: &LocalSettings) -> SolveInfo {
        let (local, n) = (problem.local(), problem.contacts());
        let mut watch = Watch::new(settings, r);
        let most = settings.max_iterations.unwrap_or(DEFAULT_ITERATIONS);
        let mut system = NewtonSystem::of(problem);
        // penalties of each contact in units of its block of W
        let unit: Vec<f64> = (0..n).map(|c| if problem.lambda_max(c) > 0.0 { problem.lambda_max(c) } else { 1.0 }).collect();
        let identity: Vec<Block<D>> = vec![scaled_identity(1.0); n];
        let (mut z, mut u) = (r.to_vec(), local.velocities(r));
        let mut multiplier: Vec<[f64; D]> = u.iter().map(|v| v.map(|x| -x)).collect();
        let (mut x, mut rhs) = (Vec::new(), vec![[0.0; D]; n]);
        let mut penalty = 1.0;
        let mut factorised = 0.0;
        let mut done = 0;
        loop {
            if done % LOOK_EVERY == 0 || done == most {
                local.velocities_into(&z, &mut u);
                if watch.see(&problem.errors(&z, &u), &z) || done >= most || watch.out_of_time() {
                    break;
                }
            }
            if factorised != penalty {
                let shift: Vec<Block<D>> = unit.iter().map(|w| scaled_identity(penalty * w)).collect();
                system.factorise(problem, &identity, &shift);
                factorised = penalty;
            }
            for c in 0..n {
                let slide = local.friction[c] * tangential_norm(&multiplier[c]);
                for k in 0..D {
                    rhs[c][k] = penalty * unit[c] * z[c][k] - multiplier[c][k] - local.free_velocity[c][k];
                }
                rhs[c][0] -= slide;
            }
            system.solve(problem, &rhs, &mut x);
            let (mut primal, mut dual) = (0.0, 0.0);
            for c in 0..n {
                let weight = penalty * unit[c];
                let aim: [f64; D] = std::array::from_fn(|k| x[c][k] + multiplier[c][k] / weight);
                let next = local.cone(c).project(&aim);
                for k in 0..D {
                    multiplier[c][k] += weight * (x[c][k] - next[k]);
                    primal += (x[c][k] - next[k]).powi(2);
                    dual += (penalty * (next[k] - z[c][k])).powi(2);
                }
                z[c] = next;
            }
            done += 1;
            if !norm(&z).is_finite() {
                break;
            }
            if done % LOOK_EVERY == 0 {
                let ratio = (primal / dual.max(f64::MIN_POSITIVE)).sqrt();
                if ratio > UNBALANCED {
                    penalty *= CHANGE;
                } else if ratio < 1.0 / UNBALANCED {
                    penalty /= CHANGE;
                }
            }
        }
        let status = if done >= most { Status::MaxIterations } else { Status::Stalled };
        watch.finish(LocalSolver::<D>::name(self), problem, r, status, done, 0, Vec::new())
    }
}
