//! Proximal-point iteration around the nonsmooth Newton method: the answer to rank-deficient W.
//!
//! Each outer step solves the problem with `W + α C` and `q − α C r_k` (C diagonal, so that α has no unit): regular and
//! the easier the larger α is; its fixed points are the solutions of the problem itself. α falls as long as Newton
//! copes and rises when it does not. What Newton came to is the next centre in both cases: where a packing snaps it is on the way to where the
//! impulses go, and a centre that is held until Newton copes comes to the same place again.
//!
//! C gives each contact the same velocity for a change of its impulse in the same ratio: under a heavy body chains of contacts carry
//! thousands of times what their neighbours do, and one compliance for all holds the chains where it hardly holds the others.
//!
//! Where impulses are not unique, the centres drift for long along a direction that W hardly feels, each by the same small
//! step. They are therefore carried on along the last step with growing momentum (Nesterov; for proximal points Güler
//! 1992), which is given up where the error grows or Newton does not cope.

use super::NonsmoothNewton;
use super::functions::Linearised;
use crate::cone::project_coulomb;
use crate::error::natural_step;
use crate::local::newton::NewtonSystem;
use crate::local::prepared::PreparedProblem;
use crate::local::settings::Watch;
use crate::local::small::norm;

/// Newton steps per outer step at most.
const INNER_STEPS: usize = 6;
/// Outer steps in a row on which Newton may fail before it goes back to where it last coped and all contacts are held alike, and Newton steps of
/// each from there on. Where that fails at every α, or so many failures bring
/// no better error, all begins once more in this way.
const FAILURES: i32 = 2;
const WITHOUT_GAIN: usize = 100;
const STEPS_FROM_THERE: usize = 12;
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
/// Factor of α where Newton fails.
const FIRMER: f64 = 10.0;
/// Share of the mean impulse below which contacts are not held more firmly, and compliance along the normal over that across: sliding is what makes
/// solutions many.
const LEAST_SHARE: f64 = 0.03;
const ALONG_NORMAL: f64 = 0.1;
/// Growth of the error, beside the best one under this momentum, at which momentum is given up.
const GIVE_UP: f64 = 3.0;

/// One outer problem: impulses to stay near, how firmly, and the compliance α C of each contact.
struct Centre<'a, const D: usize> {
    impulses: &'a [[f64; D]],
    alpha: f64,
    compliance: Vec<[f64; D]>,
}

impl<'a, const D: usize> Centre<'a, D> {
    /// With one compliance for all.
    fn alike(problem: &PreparedProblem<D>, impulses: &'a [[f64; D]], alpha: f64) -> Self {
        let compliance = (0..impulses.len()).map(|c| [alpha / natural_step(problem.lambda_max(c)); D]).collect();
        Self { impulses, alpha, compliance }
    }

    /// With one by the contact's impulse.
    fn new(problem: &PreparedProblem<D>, impulses: &'a [[f64; D]], alpha: f64) -> Self {
        // impulses as the velocities that they give their own contacts
        let sizes: Vec<f64> = impulses.iter().enumerate().map(|(c, r)| problem.lambda_max(c) * norm(&[*r])).collect();
        let mean = (sizes.iter().map(|size| size * size).sum::<f64>() / sizes.len() as f64).sqrt();
        let compliance = |(c, size): (usize, &f64)| {
            let share = if mean > 0.0 { size / mean + LEAST_SHARE } else { 1.0 };
            let across = alpha / (natural_step(problem.lambda_max(c)) * share);
            std::array::from_fn(|k| if k == 0 { ALONG_NORMAL * across } else { across })
        };
        Self { impulses, alpha, compliance: sizes.iter().enumerate().map(compliance).collect() }
    }
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

    /// Momentum is given up.
    const fn stop(&mut self) {
        (self.run, self.best) = (0, f64::INFINITY);
    }
}

/// How the centres move.
#[derive(Debug, Clone, Copy)]
pub(in crate::local) struct Manner {
    /// With momentum.
    pub(in crate::local) accelerated: bool,
    /// Held alike at all contacts, and only on from where Newton coped.
    pub(in crate::local) alike: bool,
}

/// Runs outer steps from `r` until the watch says stop or `most` Newton steps are spent; returns the Newton steps.
pub(in crate::local) fn iterate<const D: usize>(
    newton: &NonsmoothNewton,
    Manner { accelerated, alike }: Manner,
    problem: &PreparedProblem<D>,
    system: &mut NewtonSystem<D>,
    r: &mut Vec<[f64; D]>,
    most: usize,
    watch: &mut Watch<D>,
) -> usize {
    let mut alpha = (ALPHA_PER_ERROR * watch.best()).clamp(ALPHA_RANGE.0, ALPHA_FIRST);
    let mut momentum = Momentum::new();
    let (mut spent, mut failures) = (0, 0);
    let (mut best, mut without_gain) = (watch.best(), 0);
    let (start, mut coped, mut only_alike) = (r.clone(), r.clone(), alike);
    let mut u = problem.local().velocities(r);
    while spent < most && !watch.see(&problem.errors(r, &u), r) && !watch.out_of_time() {
        let (centre, most_steps) = if only_alike || failures > FAILURES {
            (Centre::alike(problem, r, alpha), STEPS_FROM_THERE)
        } else {
            (Centre::new(problem, r, alpha), INNER_STEPS)
        };
        let (next, steps, solved) = inner(newton, problem, system, &centre, most_steps, watch);
        spent += steps;
        if solved {
            failures = 0;
            coped.clone_from(&next);
            problem.local().velocities_into(&next, &mut u);
            let errors = problem.errors(&next, &u);
            watch.see(&errors, &next);
            *r = if accelerated { momentum.carry(next, watch.measure(&errors)) } else { next };
            problem.local().velocities_into(r, &mut u);
            if steps <= EASY_STEPS {
                alpha = (alpha * 0.2).max(ALPHA_RANGE.0);
            }
        } else {
            momentum.stop();
            failures += 1;
            if only_alike || failures > FAILURES {
                r.clone_from(&coped);
            } else {
                // Newton may end outside the cones, where no impulse is held
                *r = next.iter().zip(&problem.local().friction).map(|(r, mu)| project_coulomb(*mu, r)).collect();
            }
            if !only_alike && failures == FAILURES + 1 {
                // as firmly as on the first of them
                alpha *= FIRMER.powi(-failures);
            }
            alpha *= FIRMER;
            let is_lost = alpha > ALPHA_RANGE.1;
            if is_lost && only_alike {
                break;
            }
            without_gain = if watch.best() < best { 0 } else { without_gain + 1 };
            best = watch.best();
            if !only_alike && (is_lost || without_gain > WITHOUT_GAIN) {
                // once more from the start, all contacts held alike and no step kept on which Newton failed
                only_alike = true;
                alpha = ALPHA_FIRST;
                coped.clone_from(&start);
                r.clone_from(&start);
            }
            problem.local().velocities_into(r, &mut u);
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
    most: usize,
    watch: &Watch<D>,
) -> (Vec<[f64; D]>, usize, bool) {
    let n = problem.contacts();
    let mut r = centre.impulses.to_vec();
    let mut u = vec![[0.0; D]; n];
    let (mut a, mut b, mut rhs, mut step) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut trial = r.clone();
    let (mut size, mut lin) = residual(newton, problem, centre, &r, &mut u);
    for done in 0..most {
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
            let mut block = one.b;
            for i in 0..D {
                for j in 0..D {
                    block[i][j] += centre.compliance[c][j] * one.a[i][j];
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
    (r, most, false)
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
            let compliance = &centre.compliance[c];
            let shifted: [f64; D] = std::array::from_fn(|k| u[c][k] + compliance[k] * (r[c][k] - centre.impulses[c][k]));
            let one = newton.reformulation.linearise(problem.local().friction[c], rho, &r[c], &shifted);
            values.push(one.value);
            one
        })
        .collect();
    (norm(&values), lin)
}
