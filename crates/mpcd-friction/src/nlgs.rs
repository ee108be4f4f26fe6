//! NLGS: non-linear Gauss–Seidel over contacts, in the matrix-free (exchange local–global) form, plain and with momentum,
//! and block Jacobi beside it. The loop, when it looks at the error, and when it gives up; the passes themselves live in
//! [`crate::sweep`].
//!
//! Jean, Moreau; Dubois–Renouf, *Contact Solvers*. Each contact is solved exactly with the others as they are. Where
//! sweeps crawl (stacks, dense packings), momentum between them (Nesterov, with restarts) makes of some κ sweeps √κ.

use crate::error::{ErrorSum, FreeNorms};
use crate::report::{SolveInfo, Status};
use crate::rigid::{ContactDimension, ProblemError, Response, RigidProblem};
use crate::settings::{SolveSettings, SweepOrder};
use crate::solver::RigidSolver;
use crate::sweep::{Direction, Momentum, Splitting, System};

/// Plain sweeps before momentum: where they suffice, nothing is spent on it.
const PLAIN: usize = 10;

/// Sweeps after which progress is first judged. Dense packings fall by fits and starts over thousands of sweeps.
const PATIENCE: usize = 2_000;

/// A solve is stalled if its best error fell by less than this while the sweeps grew by the factor [`WINDOW`].
const PROGRESS: f64 = 0.99;
const WINDOW: usize = 4;

/// Non-linear Gauss–Seidel with exact local solves.
#[derive(Debug, Default)]
pub struct Nlgs {
    memory: Memory,
}

impl RigidSolver for Nlgs {
    fn name(&self) -> &'static str {
        "nlgs"
    }

    fn takes_laws(&self) -> bool {
        true
    }

    fn solve(&mut self, problem: &mut RigidProblem, settings: &SolveSettings) -> Result<SolveInfo, ProblemError> {
        run(&mut self.memory, Method::GaussSeidel, problem, settings)
    }
}

/// Non-linear Gauss–Seidel with momentum between the sweeps: after a few plain sweeps each one starts from the iterate
/// moved on along its last change (Nesterov's weights), until a sweep turns back and the momentum starts afresh. An
/// iteration is a sweep, and what is judged and handed back is always the result of a sweep.
#[derive(Debug, Default)]
pub struct AcceleratedNlgs {
    memory: Memory,
}

impl RigidSolver for AcceleratedNlgs {
    fn name(&self) -> &'static str {
        Method::Accelerated.name()
    }

    fn takes_laws(&self) -> bool {
        true
    }

    fn solve(&mut self, problem: &mut RigidProblem, settings: &SolveSettings) -> Result<SolveInfo, ProblemError> {
        run(&mut self.memory, Method::Accelerated, problem, settings)
    }
}

/// Block Jacobi: every contact solved from the same velocities, the mass of a body being shared among its contacts
/// (which bounds the step so that the sum of all changes does not overshoot). Slow; the same bits in any order.
#[derive(Debug, Default)]
pub struct Jacobi {
    memory: Memory,
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
        run(&mut self.memory, Method::Jacobi, problem, settings)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    GaussSeidel,
    Accelerated,
    Jacobi,
}

impl Method {
    const fn name(self) -> &'static str {
        match self {
            Self::GaussSeidel => "nlgs",
            Self::Accelerated => "nlgs-accelerated",
            Self::Jacobi => "jacobi",
        }
    }
}

/// Working memory of a solver.
#[derive(Debug, Default)]
struct Memory {
    system: System,
    momentum: Momentum,
}

fn run(
    memory: &mut Memory,
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
        ContactDimension::Two => solve::<2>(memory, method, problem, settings),
        ContactDimension::Three => solve::<3>(memory, method, problem, settings),
    }
}

fn solve<const D: usize>(
    memory: &mut Memory,
    method: Method,
    problem: &mut RigidProblem,
    settings: &SolveSettings,
) -> Result<SolveInfo, ProblemError> {
    let Memory { system, momentum } = memory;
    momentum.forget();
    let splitting = match method {
        Method::GaussSeidel | Method::Accelerated => Splitting::None,
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
            if method == Method::Accelerated && sweeps >= PLAIN {
                momentum.carry(system);
            }
            match method {
                Method::GaussSeidel | Method::Accelerated => system.sweep::<D>(direction(settings.order, sweeps)),
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
            self.stalled = sweeps >= WINDOW * PATIENCE && self.best > PROGRESS * self.held;
            self.held = self.best;
            self.compare_at = (WINDOW * sweeps).max(PATIENCE);
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
            assert!(sweeps < 2 * WINDOW * PATIENCE);
        }
        assert!(sweeps >= WINDOW * PATIENCE);
    }

    /// Flat from 500 to 3,500 sweeps, then falling again.
    #[test]
    fn a_plateau_is_no_stall() {
        let (mut history, mut sweeps) = (History::default(), 0);
        while sweeps < 12_000 {
            sweeps = history.next_check(sweeps, 1e-9);
            let error = match sweeps {
                0..500 => 1e-2 / sweeps as f64,
                500..3_500 => 2e-5,
                _ => 2e-5 * (-((sweeps - 3_499) as f64) / 1_000.0).exp(),
            };
            history.note(sweeps, error);
            assert!(!history.is_stalled(), "{sweeps}");
        }
    }
}
