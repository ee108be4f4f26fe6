//! Projection methods on stored Delassus blocks (SDL organisation of Dubois–Renouf): contact by contact, with any local
//! solver, in any order of the sweep. The loop over sweeps lives here, the local solvers in the files below.

mod contact;
mod newton;
mod sweeper;
#[cfg(test)]
mod tests;

pub use contact::{DescentStep, LocalContact};
pub(super) use sweeper::Sweeper;
use sweeper::{symmetric, visit};

use super::block::{Block, Response};
use super::nonsmooth::Reformulation;
use super::prepared::PreparedProblem;
use super::settings::{LocalSettings, LocalSolver, Watch};
use super::small::norm;
use super::spectrum::largest_eigenvalue;
use crate::random::SplitMix;
use crate::report::{SolveInfo, Status};

/// Sweeps at most when the caller does not say.
const DEFAULT_SWEEPS: usize = 100_000;
/// The error costs a sweep: it is computed after these many.
const CHECK_EVERY: usize = 10;

/// How one contact is solved while the others wait. All have the same fixed points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LocalMethod {
    /// Exactly, by cases (see [`crate::exact`]).
    #[default]
    Exact,
    /// Exactly, on a diagonal block that bounds the true one from above ("quasi NLGS" of Dubois–Renouf, who leave the
    /// block free): no coupling between normal and tangent, no equation left to solve.
    Quasi,
    /// Newton with line search on this equation, to rounding.
    Newton(Reformulation),
    /// Fixed point of the projection with a step that adapts itself (FP-VI-UPK), until the first move has shrunk to a
    /// hundredth.
    FixedPoint,
    /// One projected step of the bi-potential (Dumont (21)–(22)).
    Sbp,
    /// One projected step of the augmented Lagrangian (Dumont §3.5).
    Sal,
    /// Newton on the bi-potential's equation, full steps with the exact tangent (Dumont (26)–(32)), to 1e-5.
    Ebp,
    /// Newton on the augmented Lagrangian's equation, full steps with the exact tangent (Dumont (36)), to 1e-5.
    Eal,
}

/// Order in which a sweep visits the contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Order {
    /// In the order given.
    #[default]
    Forward,
    /// From the last contact to the first.
    Reverse,
    /// Forward and reverse in turn; each counts as one sweep.
    Symmetric,
    /// In one permutation drawn from the seed, the same in every sweep.
    Shuffled {
        /// Seed of the permutation.
        seed: u64,
    },
}

/// Nonlinear Gauss–Seidel with a local solver and an order; by default exact and forward.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Nlgs {
    /// The local solver.
    pub local: LocalMethod,
    /// The order of the sweep.
    pub order: Order,
    /// ρ̄ of the local solvers that have one.
    pub step: DescentStep,
}

impl Nlgs {
    /// With this local solver, forward.
    #[must_use]
    pub const fn with(local: LocalMethod) -> Self {
        Self { local, order: Order::Forward, step: DescentStep::Spectral }
    }

    const fn name(self) -> &'static str {
        match (self.local, self.order) {
            (LocalMethod::Exact, Order::Forward) => "nlgs",
            (LocalMethod::Exact, Order::Reverse) => "nlgs-reverse",
            (LocalMethod::Exact, Order::Symmetric) => "nlgs-symmetric",
            (LocalMethod::Exact, Order::Shuffled { .. }) => "nlgs-shuffled",
            (LocalMethod::Quasi, _) => "quasi-nlgs",
            (LocalMethod::Newton(Reformulation::AlartCurnier), _) => "nlgs-ac",
            (LocalMethod::Newton(Reformulation::JeanMoreau), _) => "nlgs-jm",
            (LocalMethod::Newton(Reformulation::NaturalMap), _) => "nlgs-nm",
            (LocalMethod::Newton(Reformulation::FischerBurmeister), _) => "nlgs-fb",
            (LocalMethod::FixedPoint, _) => "nlgs-fpviupk",
            (LocalMethod::Sbp, _) => "nlgs-sbp",
            (LocalMethod::Sal, _) => "nlgs-sal",
            (LocalMethod::Ebp, _) => "nlgs-ebp",
            (LocalMethod::Eal, _) => "nlgs-eal",
        }
    }
}

/// The local solver, ready for all contacts.
enum Ready<const D: usize> {
    Exact(Sweeper<D>),
    Other(LocalMethod, Vec<Option<LocalContact<D>>>),
}

impl<const D: usize> Ready<D> {
    fn new(method: LocalMethod, step: DescentStep, problem: &PreparedProblem<D>) -> Self {
        match method {
            LocalMethod::Exact => Self::Exact(Sweeper::new(problem)),
            LocalMethod::Quasi => Self::Exact(Sweeper::with_blocks(problem, |_, block| diagonal_bound(&block))),
            _ => {
                let local = problem.local();
                let contact = |c| LocalContact::new(local.delassus.diagonal(c), local.friction[c], step);
                Self::Other(method, (0..problem.contacts()).map(contact).collect())
            }
        }
    }

    fn solve(&self, problem: &PreparedProblem<D>, c: usize, r: &[[f64; D]], response: &Response) -> [f64; D] {
        match self {
            Self::Exact(sweeper) => sweeper.solve(problem, c, r, response),
            Self::Other(method, contacts) => {
                contacts[c].map_or([0.0; D], |contact| contact.solve(*method, &r[c], &problem.local().velocity(c, r, response)))
            }
        }
    }
}

/// The diagonal block `diag(a', b', b')` ≥ W_cc: a' = a + |w|√(a/b), b' = b + |w|√(b/a) with a = W_nn, w = W_tn and b
/// the largest eigenvalue of W_tt (Young's inequality on the coupling).
fn diagonal_bound<const D: usize>(block: &Block<D>) -> Block<D> {
    let mut tangential = *block;
    for k in 0..D {
        tangential[0][k] = 0.0;
        tangential[k][0] = 0.0;
    }
    let (a, b) = (block[0][0], largest_eigenvalue(&tangential));
    let coupling = (1..D).map(|k| block[k][0].powi(2)).sum::<f64>().sqrt();
    let mut bound = [[0.0; D]; D];
    let lift = if a > 0.0 && b > 0.0 { coupling * (a / b).sqrt() } else { 0.0 };
    bound[0][0] = a + lift;
    for k in 1..D {
        bound[k][k] = if lift > 0.0 { b + coupling * (b / a).sqrt() } else { b };
    }
    bound
}

/// Looks at the error every few sweeps until it is small enough, or a limit is met; returns the sweeps.
fn run<const D: usize>(
    problem: &PreparedProblem<D>,
    x: &mut [[f64; D]],
    settings: &LocalSettings,
    watch: &mut Watch<D>,
    mut sweep: impl FnMut(usize, &mut [[f64; D]]),
) -> usize {
    let most = settings.max_iterations.unwrap_or(DEFAULT_SWEEPS);
    let mut u = vec![[0.0; D]; x.len()];
    let mut done = 0;
    loop {
        if done % CHECK_EVERY == 0 || done == most {
            problem.local().velocities_into(x, &mut u);
            let content = watch.see(&problem.errors(x, &u), x);
            if content || done == most || watch.out_of_time() || !norm(x).is_finite() {
                return done;
            }
        }
        sweep(done, x);
        done += 1;
    }
}

impl<const D: usize> LocalSolver<D> for Nlgs {
    fn name(&self) -> &'static str {
        (*self).name()
    }

    fn solve(&mut self, problem: &PreparedProblem<D>, r: &mut [[f64; D]], settings: &LocalSettings) -> SolveInfo {
        let ready = Ready::new(self.local, self.step, problem);
        let mut order: Vec<usize> = (0..r.len()).collect();
        match self.order {
            Order::Forward | Order::Symmetric => {}
            Order::Reverse => order.reverse(),
            Order::Shuffled { seed } => SplitMix::new(seed).shuffle(&mut order),
        }
        let mut watch = Watch::new(settings, r);
        let mut x = r.to_vec();
        let done = run(problem, &mut x, settings, &mut watch, |sweep, x| {
            let backward = self.order == Order::Symmetric && sweep % 2 == 1;
            let last = order.len().wrapping_sub(1);
            let turn = (0..order.len()).map(|k| order[if backward { last - k } else { k }]);
            visit(problem, turn, x, |c, x, response| ready.solve(problem, c, x, response));
        });
        let updates = (done * x.len()) as u64;
        watch.finish(Self::name(*self), problem, r, Status::MaxIterations, done, updates, Vec::new())
    }
}

/// Block Jacobi: every contact solved exactly from the impulses of the sweep before. Its block is W_cc times the number
/// of contacts coupled with it, which bounds W from above (`2 r_c W_cd r_d ≤ r_c W_cc r_c + r_d W_dd r_d`), so that the
/// changes of all together do not overshoot. Slow; the same bits in any order.
#[derive(Debug, Clone, Copy, Default)]
pub struct Jacobi;

impl<const D: usize> LocalSolver<D> for Jacobi {
    fn name(&self) -> &'static str {
        "jacobi"
    }

    fn solve(&mut self, problem: &PreparedProblem<D>, r: &mut [[f64; D]], settings: &LocalSettings) -> SolveInfo {
        let w = &problem.local().delassus;
        let sweeper = Sweeper::with_blocks(problem, |c, _| symmetric(&w.bound(c)));
        let mut watch = Watch::new(settings, r);
        let (mut x, mut old) = (r.to_vec(), r.to_vec());
        let done = run(problem, &mut x, settings, &mut watch, |_, x| {
            old.copy_from_slice(x);
            let response = w.response(&old);
            for (c, value) in x.iter_mut().enumerate() {
                *value = sweeper.solve(problem, c, &old, &response);
            }
        });
        let updates = (done * x.len()) as u64;
        watch.finish(LocalSolver::<D>::name(self), problem, r, Status::MaxIterations, done, updates, Vec::new())
    }
}
