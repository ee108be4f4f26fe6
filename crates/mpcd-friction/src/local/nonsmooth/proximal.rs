//! Proximal-point iteration around the nonsmooth Newton method: the answer to rank-deficient W.
//!
//! Each outer step solves the problem with `W + α/ρ` and `q − α r_k/ρ` (ρ = 1/λ_max(W_cc), so α has no unit): regular and
//! the easier the larger α is; its fixed points are the solutions of the problem itself. α falls as long as Newton
//! copes and rises when it does not.
//!
//! Where impulses are not unique, the centres drift for long along a direction that W hardly feels, each by the same small
//! step. They are therefore carried on along the last step with growing momentum (Nesterov; for proximal points Güler
//! 1992), which is given up where the error grows or Newton does not cope.

use super::NonsmoothNewton;
use super::functions::Linearised;
use crate::error::natural_step;
use crate::local::newton::NewtonSystem;
use crate::local::prepared::PreparedProblem;
use crate::local::settings::Watch;
use crate::local::small::norm;

/// Newton steps per outer step at most.
const INNER_STEPS: usize = 12;
/// Inner residual relative to the outer step at which the inner iteration ends.
const INNER_SHARE: f64 = 0.05;
/// Halvings of a step at most.
const HALVINGS: usize = 6;

/// Bounds and factors of α.
const ALPHA_FIRST: f64 = 1e-2;
/// First α relative to the error of the start: near a solution it may be small.
const ALPHA_PER_ERROR: f64 = 100.0;
const ALPHA_RANGE: (f64, f64) = (1e-10, 1e3);
const EASY_STEPS: usize = 4;
/// Growth of the error, beside the best one under this momentum, at which momentum is given up.
const GIVE_UP: f64 = 3.0;

/// One outer problem: impulses to stay near, and how firmly.
struct Centre<'a, const D: usize> {
    impulses: &'a [[f64; D]],
    alpha: f64,
}

/// What carries the centres on.
struct Momentum<const D: usize> {
    last: Vec<[f64; D]>,
    run: usize,
    best: f64,
}

impl<const D: usize> Momentum<D> {
    const fn new() -> Self {
        Self { last: Vec::new(), run: 0, best: f64::INFINITY }
    }

    /// The centre after the outer solution `next`, of this error.
    fn carry(&mut self, next: Vec<[f64; D]>, error: f64) -> Vec<[f64; D]> {
        if error > GIVE_UP * self.best {
            (self.run, self.best) = (0, f64::INFINITY);
        } else if !self.last.is_empty() {
            self.run += 1;
        }
        self.best = self.best.min(error);
        let share = self.run as f64 / (self.run as f64 + 3.0);
        let mut centre = next.clone();
        if self.run > 0 {
            for (x, before) in centre.iter_mut().zip(&self.last) {
                for k in 0..D {
                    x[k] += share * (x[k] - before[k]);
                }
            }
        }
        self.last = next;
        centre
    }

    /// The last outer solution, if the centre was carried beyond it; momentum is given up.
    fn stop(&mut self) -> Option<Vec<[f64; D]>> {
        self.best = f64::INFINITY;
        (std::mem::take(&mut self.run) > 0).then(|| self.last.clone())
    }
}

/// Runs outer steps from `r` until the watch says stop or `most` Newton steps are spent; returns the Newton steps.
pub(in crate::local) fn iterate<const D: usize>(
    newton: &NonsmoothNewton,
    accelerated: bool,
    problem: &PreparedProblem<D>,
    system: &mut NewtonSystem<D>,
    r: &mut Vec<[f64; D]>,
    most: usize,
    watch: &mut Watch<D>,
) -> usize {
    let mut alpha = (ALPHA_PER_ERROR * watch.best()).clamp(ALPHA_RANGE.0, ALPHA_FIRST);
    let mut momentum = Momentum::new();
    let mut spent = 0;
    let mut u = problem.local().velocities(r);
    while spent < most && !watch.see(&problem.errors(r, &u), r) && !watch.out_of_time() {
        let centre = Centre { impulses: r, alpha };
        let (next, steps, solved) = inner(newton, problem, system, &centre, watch);
        spent += steps;
        if solved {
            problem.local().velocities_into(&next, &mut u);
            let errors = problem.errors(&next, &u);
            watch.see(&errors, &next);
            *r = if accelerated { momentum.carry(next, watch.measure(&errors)) } else { next };
            problem.local().velocities_into(r, &mut u);
            if steps <= EASY_STEPS {
                alpha = (alpha * 0.2).max(ALPHA_RANGE.0);
            }
        } else {
            if let Some(last) = momentum.stop() {
                *r = last;
                problem.local().velocities_into(r, &mut u);
            }
            alpha *= 10.0;
            if alpha > ALPHA_RANGE.1 {
                break;
            }
        }
    }
    spent
}

/// Newton on one outer problem from its centre: the point reached, the steps, whether it is a solution.
fn inner<const D: usize>(
    newton: &NonsmoothNewton,
    problem: &PreparedProblem<D>,
    system: &mut NewtonSystem<D>,
    centre: &Centre<'_, D>,
    watch: &Watch<D>,
) -> (Vec<[f64; D]>, usize, bool) {
    let n = problem.contacts();
    let mut r = centre.impulses.to_vec();
    let mut u = vec![[0.0; D]; n];
    let (mut a, mut b, mut rhs, mut step) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut trial = r.clone();
    let (mut size, mut lin) = residual(newton, problem, centre, &r, &mut u);
    for done in 0..INNER_STEPS {
        let moved: f64 = r.iter().zip(centre.impulses).map(|(x, y)| (0..D).map(|k| (x[k] - y[k]).powi(2)).sum::<f64>()).sum();
        if done > 0 && size <= INNER_SHARE * centre.alpha.min(1.0) * moved.sqrt() {
            return (r, done, true);
        }
        if watch.out_of_time() || !size.is_finite() {
            break;
        }
        a.clear();
        b.clear();
        rhs.clear();
        for (c, one) in lin.iter().enumerate() {
            let firm = centre.alpha / natural_step(problem.lambda_max(c));
            let mut block = one.b;
            for i in 0..D {
                for j in 0..D {
                    block[i][j] += firm * one.a[i][j];
                }
                block[i][i] += 1e-13;
            }
            a.push(one.a);
            b.push(block);
            rhs.push(one.value.map(|v| -v));
        }
        system.factorise(problem, &a, &b);
        system.solve(problem, &rhs, &mut step);
        let mut best = (f64::INFINITY, 0.0);
        let mut share = 1.0;
        for _ in 0..=HALVINGS {
            for c in 0..n {
                trial[c] = std::array::from_fn(|k| r[c][k] + share * step[c][k]);
            }
            let (after, _) = residual(newton, problem, centre, &trial, &mut u);
            if after < best.0 {
                best = (after, share);
            }
            if after < (1.0 - 0.1 * share) * size {
                break;
            }
            share *= 0.5;
        }
        for c in 0..n {
            for k in 0..D {
                r[c][k] += best.1 * step[c][k];
            }
        }
        (size, lin) = residual(newton, problem, centre, &r, &mut u);
    }
    (r, INNER_STEPS, false)
}

fn residual<const D: usize>(
    newton: &NonsmoothNewton,
    problem: &PreparedProblem<D>,
    centre: &Centre<'_, D>,
    r: &[[f64; D]],
    u: &mut [[f64; D]],
) -> (f64, Vec<Linearised<D>>) {
    problem.local().velocities_into(r, u);
    let mut values = Vec::with_capacity(r.len());
    let lin = (0..r.len())
        .map(|c| {
            let rho = natural_step(problem.lambda_max(c));
            let firm = centre.alpha / rho;
            let shifted: [f64; D] = std::array::from_fn(|k| u[c][k] + firm * (r[c][k] - centre.impulses[c][k]));
            let one = newton.reformulation.linearise(problem.local().friction[c], rho, &r[c], &shifted);
            values.push(one.value);
            one
        })
        .collect();
    (norm(&values), lin)
}
