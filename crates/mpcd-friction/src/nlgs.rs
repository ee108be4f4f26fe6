//! NLGS: non-linear Gauss–Seidel over contacts, in the matrix-free (exchange local–global) form, and block Jacobi beside
//! it. The loop, when it looks at the error, and when it gives up; the passes themselves live in [`crate::sweep`].
//!
//! Jean, Moreau; Dubois–Renouf, *Contact Solvers*. Each contact is solved exactly with the others as they are.

use crate::error::FreeNorms;
use crate::report::{Errors, SolveInfo, Status};
use crate::rigid::{ContactDimension, ProblemError, Response, RigidProblem};
use crate::settings::{SolveSettings, SweepOrder};
use crate::solver::RigidSolver;
use crate::sweep::{Direction, Splitting, System};

/// Sweeps after which a solve may be called stalled.
const PATIENCE: usize = 200;

/// A solve is stalled if, over as many sweeps as it had done before, the error fell by less than this.
const PROGRESS: f64 = 0.99;

/// Non-linear Gauss–Seidel with exact local solves.
#[derive(Debug, Default)]
pub struct Nlgs {
    system: System,
}

impl RigidSolver for Nlgs {
    fn name(&self) -> &'static str {
        "nlgs"
    }

    fn solve(&mut self, problem: &mut RigidProblem, settings: &SolveSettings) -> Result<SolveInfo, ProblemError> {
        run(&mut self.system, Method::GaussSeidel, problem, settings)
    }
}

/// Block Jacobi: every contact solved from the same velocities, the mass of a body being shared among its contacts
/// (which bounds the step so that the sum of all changes does not overshoot). Slow; the same bits in any order.
#[derive(Debug, Default)]
pub struct Jacobi {
    system: System,
}

impl RigidSolver for Jacobi {
    fn name(&self) -> &'static str {
        "jacobi"
    }

    fn solve(&mut self, problem: &mut RigidProblem, settings: &SolveSettings) -> Result<SolveInfo, ProblemError> {
        let law = problem.contacts.iter().enumerate().find_map(|(k, c)| match c.response {
            Response::Law(law) => Some((k, problem.laws.get(law)?)),
            Response::Cone(_) => None,
        });
        if let Some((contact, law)) = law {
            return Err(ProblemError::LawNotAccepted { contact, law: law.name().to_owned(), solver: self.name() });
        }
        run(&mut self.system, Method::Jacobi, problem, settings)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    GaussSeidel,
    Jacobi,
}

impl Method {
    const fn name(self) -> &'static str {
        match self {
            Self::GaussSeidel => "nlgs",
            Self::Jacobi => "jacobi",
        }
    }
}

fn run(
    system: &mut System,
    method: Method,
    problem: &mut RigidProblem,
    settings: &SolveSettings,
) -> Result<SolveInfo, ProblemError> {
    settings.validate()?;
    problem.validate()?;
    if problem.contacts.is_empty() {
        return Ok(SolveInfo::no_contact(method.name()));
    }
    match problem.dimension {
        ContactDimension::Two => solve::<2>(system, method, problem, settings),
        ContactDimension::Three => solve::<3>(system, method, problem, settings),
    }
}

fn solve<const D: usize>(
    system: &mut System,
    method: Method,
    problem: &mut RigidProblem,
    settings: &SolveSettings,
) -> Result<SolveInfo, ProblemError> {
    let splitting = match method {
        Method::GaussSeidel => Splitting::None,
        Method::Jacobi => Splitting::Mass,
    };
    system.compile::<D>(problem, settings.order, splitting)?;
    let free = system.free_norms::<D>();
    system.rebuild::<D>();
    let mut history = History::default();
    let mut sweeps = 0;
    let status = loop {
        for _ in 0..next_check(sweeps).min(settings.max_iterations) - sweeps {
            match method {
                Method::GaussSeidel => system.sweep::<D>(direction(settings.order, sweeps)),
                Method::Jacobi => system.sweep_frozen::<D>(),
            }
            sweeps += 1;
        }
        let error = error_afresh::<D>(system, &free, settings.tolerance);
        if error <= settings.tolerance {
            break Status::Converged;
        }
        if history.is_stalled(sweeps, error) {
            break Status::Stalled;
        }
        if sweeps >= settings.max_iterations {
            break Status::MaxIterations;
        }
    };
    Ok(report::<D>(system, method, problem, &free, status, sweeps))
}

/// Error of the present impulses. Sweeps carry the velocities along with the impulses, to rounding; an error that
/// would end the solve is taken again with the velocities computed afresh.
fn error_afresh<const D: usize>(system: &mut System, free: &FreeNorms, tolerance: f64) -> f64 {
    let error = system.error_sum::<D>().errors(free).scaled;
    if error > tolerance {
        return error;
    }
    system.rebuild::<D>();
    system.error_sum::<D>().errors(free).scaled
}

fn report<const D: usize>(
    system: &mut System,
    method: Method,
    problem: &mut RigidProblem,
    free: &FreeNorms,
    mut status: Status,
    sweeps: usize,
) -> SolveInfo {
    system.rebuild::<D>();
    let mut sum = system.error_sum::<D>();
    if !sum.errors(free).scaled.is_finite() {
        // diverged beyond the range of numbers: hand back the bodies free rather than NaN
        system.reset::<D>();
        sum = system.error_sum::<D>();
        status = Status::Stalled;
    }
    system.write_back::<D>(problem);
    let errors: Errors = sum.errors(free);
    SolveInfo {
        solver: method.name(),
        status,
        iterations: sweeps,
        contact_updates: sweeps as u64 * system.len() as u64,
        errors,
        worst: sum.worst(free),
        stages: Vec::new(),
    }
}

const fn direction(order: SweepOrder, sweep: usize) -> Direction {
    match order {
        SweepOrder::Symmetric if sweep % 2 == 1 => Direction::Backward,
        _ => Direction::Forward,
    }
}

/// Sweeps after which the error is looked at next: each of the first four, then about every eighth more, so that
/// looking costs a fixed share of sweeping.
const fn next_check(sweeps: usize) -> usize {
    let step = if sweeps < 32 { sweeps / 4 } else { sweeps / 8 };
    sweeps + if step == 0 { 1 } else { step }
}

/// Best errors by sweeps, to see whether doubling the work still pays.
#[derive(Debug, Default)]
struct History {
    best: f64,
    /// Best error when half of the present sweeps were done, and the sweep of the next comparison.
    held: f64,
    compare_at: usize,
}

impl History {
    fn is_stalled(&mut self, sweeps: usize, error: f64) -> bool {
        if !error.is_finite() {
            return true;
        }
        self.best = if self.compare_at == 0 { error } else { self.best.min(error) };
        if sweeps < self.compare_at {
            return false;
        }
        let stalled = sweeps >= 2 * PATIENCE && self.best > PROGRESS * self.held;
        self.held = self.best;
        self.compare_at = 2 * sweeps.max(PATIENCE / 2);
        stalled
    }
}
