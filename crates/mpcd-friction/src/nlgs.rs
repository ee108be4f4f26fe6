//! NLGS: non-linear Gauss–Seidel over contacts, in the matrix-free (exchange local–global) form, and block Jacobi beside
//! it. The loop, when it looks at the error, and when it gives up; the passes themselves live in [`crate::sweep`].
//!
//! Jean, Moreau; Dubois–Renouf, *Contact Solvers*. Each contact is solved exactly with the others as they are.

use crate::error::{ErrorSum, FreeNorms};
use crate::report::{SolveInfo, Status};
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
    let (status, sum) = loop {
        let next = history.next_check(sweeps, settings.tolerance);
        while sweeps < next.min(settings.max_iterations) {
            match method {
                Method::GaussSeidel => system.sweep::<D>(direction(settings.order, sweeps)),
                Method::Jacobi => system.sweep_frozen::<D>(),
            }
            sweeps += 1;
        }
        let error = system.scaled_sum::<D>().error(&free);
        history.note(sweeps, error);
        if error > settings.tolerance && !history.is_stalled() && sweeps < settings.max_iterations {
            continue;
        }
        // Sweeps carry the velocities along with the impulses, to rounding. What ends the solve is the error with the
        // velocities afresh from the impulses.
        system.rebuild::<D>();
        let sum = system.error_sum::<D>();
        if sum.errors(&free).scaled <= settings.tolerance {
            break (Status::Converged, sum);
        }
        if history.is_stalled() {
            break (Status::Stalled, sum);
        }
        if sweeps >= settings.max_iterations {
            break (Status::MaxIterations, sum);
        }
    };
    Ok(report::<D>(system, method, problem, &free, (status, sum), sweeps))
}

fn report<const D: usize>(
    system: &mut System,
    method: Method,
    problem: &mut RigidProblem,
    free: &FreeNorms,
    (mut status, mut sum): (Status, ErrorSum),
    sweeps: usize,
) -> SolveInfo {
    if !sum.errors(free).scaled.is_finite() {
        // diverged beyond the range of numbers: hand back the bodies free rather than NaN
        system.reset::<D>();
        sum = system.error_sum::<D>();
        status = Status::Stalled;
    }
    system.write_back::<D>(problem);
    SolveInfo {
        solver: method.name(),
        status,
        iterations: sweeps,
        contact_updates: sweeps as u64 * system.len() as u64,
        errors: sum.errors(free),
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

/// Errors seen so far: when to look next, and whether going on still pays.
#[derive(Debug, Default)]
struct History {
    /// Sweeps and error of the last look, and of the one before it.
    last: Option<(usize, f64)>,
    before: Option<(usize, f64)>,
    best: f64,
    /// Best error at the last comparison, and the sweep of the next one.
    held: f64,
    compare_at: usize,
    stalled: bool,
}

impl History {
    /// Sweeps after which the error is looked at next: where the last two looks predict the tolerance, but between a
    /// sixteenth and a half more than there are, so that looking costs little and no solve runs on for long.
    fn next_check(&self, sweeps: usize, tolerance: f64) -> usize {
        let (least, most) = ((sweeps / 16).max(1), (sweeps / 2).max(1));
        let predicted = match (self.before, self.last) {
            (Some((s0, e0)), Some((s1, e1))) if e1 < e0 && e1 > tolerance => {
                let per_sweep = (e0 / e1).ln() / (s1 - s0) as f64;
                // the cast saturates
                ((e1 / tolerance).ln() / per_sweep) as usize
            }
            _ => sweeps / 4,
        };
        sweeps + predicted.clamp(least, most)
    }

    fn note(&mut self, sweeps: usize, error: f64) {
        self.best = if self.last.is_none() { error } else { self.best.min(error) };
        self.before = self.last;
        self.last = Some((sweeps, error));
        if !error.is_finite() {
            self.stalled = true;
        } else if sweeps >= self.compare_at {
            self.stalled = sweeps >= 2 * PATIENCE && self.best > PROGRESS * self.held;
            self.held = self.best;
            self.compare_at = 2 * sweeps.max(PATIENCE / 2);
        }
    }

    const fn is_stalled(&self) -> bool {
        self.stalled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks at a geometric sequence: few looks, little beyond the sweep where the tolerance is met.
    #[test]
    fn few_looks_and_little_overshoot() {
        for rate in [0.5_f64, 0.9, 0.99, 0.999] {
            let exact = (1e-6_f64.ln() / rate.ln()).ceil() as usize;
            let (mut history, mut sweeps, mut looks) = (History::default(), 0, 0);
            loop {
                sweeps = history.next_check(sweeps, 1e-6);
                let error = rate.powi(sweeps as i32);
                history.note(sweeps, error);
                looks += 1;
                assert!(!history.is_stalled());
                if error <= 1e-6 {
                    break;
                }
            }
            assert!(sweeps <= exact + 1 + exact / 8, "{sweeps} {exact}");
            // growing by half each time takes ln(14,000)/ln 1.5 = 24 looks, the first few steps of one sweep a few more
            assert!(looks <= 30, "{looks} looks for {exact} sweeps");
        }
    }

    #[test]
    fn an_error_that_stays_is_a_stall() {
        let (mut history, mut sweeps) = (History::default(), 0);
        while !history.is_stalled() {
            sweeps = history.next_check(sweeps, 1e-6);
            history.note(sweeps, 1e-2 + 0.5_f64.powi(sweeps as i32));
            assert!(sweeps < 2_000);
        }
        assert!(sweeps >= 2 * PATIENCE);
    }
}
