//! The solver of the rigid problem that chooses for its user: sweeps while they are the cheaper way, then Newton.
//!
//! Accelerated sweeps from the starting impulses end most steps. At each look at the error the work they still need is
//! predicted from their progress; where it exceeds what Newton's method would cost (known from the analysis of its
//! system, not from a clock, so that the choice is the same on every machine and number of threads), or where they stall,
//! the problem is condensed to W, q, μ and goes on there: nonsmooth Newton from the impulses of the sweeps, and the chain
//! of [`crate::local::Auto`] where that is not enough. Whatever comes of it is judged here by the bodies' velocities
//! afresh, and sweeps close the solve where a little is missing. Bilateral contacts and laws of users cannot be
//! condensed: with them the solve stays with sweeps, and the report says so in a stage without iterations.

use crate::error::FreeNorms;
use crate::local::{self, LocalSettings, LocalSolver, NonsmoothNewton, PreparedProblem, Reformulation, RigidForm};
use crate::nlgs::{Memory, Method, refuse_cell};
use crate::report::{SolveInfo, Stage, Status};
use crate::rigid::{ContactDimension, ProblemError, RigidProblem};
use crate::settings::SolveSettings;
use crate::solver::RigidSolver;

/// Sweeps before their progress is judged.
const LEAST: usize = 12;
/// Work of one update of a contact in a sweep, kernels for diagonal and for full blocks, in the time of a floating-point
/// operation of the factorisation.
const UPDATE: [f64; 2] = [60.0, 200.0];
/// The same of condensing, analysing and judging, per contact, and of what one Newton step does to a contact besides the
/// factorisation.
const SET_UP: f64 = 15_000.0;
const STEP: f64 = 3_000.0;
/// Newton steps that the condensed problem is expected to take.
const EXPECTED_STEPS: f64 = 15.0;
/// Sweeps are expected to need this many times what their progress promises: they fall by fits and starts, Newton's cost
/// is known.
const DOUBT: f64 = 30.0;
/// Sweeps that missed the tolerance are followed by Newton where it is expected to cost at most this many times as much.
const RESCUE: f64 = 10.0;
/// Newton steps from the impulses of the sweeps, before the chain.
const WARM_STEPS: usize = 4;
/// Steps of the chain at most.
const CHAIN_STEPS: usize = 400;
/// The condensed problem is solved a little further than asked: its errors are summed in another order.
const CLOSER: f64 = 0.9;

/// Sweeps first, Newton where they crawl.
#[derive(Debug, Default)]
pub struct Auto {
    memory: Memory,
}

impl RigidSolver for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn takes_laws(&self) -> bool {
        true
    }

    fn solve(&mut self, problem: &mut RigidProblem, settings: &SolveSettings) -> Result<SolveInfo, ProblemError> {
        settings.validate()?;
        problem.validate()?;
        refuse_cell(problem, self.name())?;
        if problem.contacts.is_empty() {
            return Ok(SolveInfo::no_contact(self.name()));
        }
        match problem.dimension {
            ContactDimension::Two => self.run::<2>(problem, settings),
            ContactDimension::Three => self.run::<3>(problem, settings),
        }
    }
}

impl Auto {
    fn run<const D: usize>(&mut self, problem: &mut RigidProblem, settings: &SolveSettings) -> Result<SolveInfo, ProblemError> {
        let method = Method::Accelerated;
        let memory = &mut self.memory;
        let free = memory.start::<D>(method, problem, settings)?;
        let mut choice = Choice::<D>::new(memory, settings);
        let swept = memory.sweep::<D>(method, settings, &free, |sweeps, error| choice.leave(problem, sweeps, error));
        let mut log = Log::default();
        log.sweeps(swept.sweeps, memory.system.len(), swept.sum.errors(&free).scaled);
        let (mut status, mut sum) = (swept.status, swept.sum);
        if status != Some(Status::Converged) && choice.may_rescue(problem) {
            memory.system.write_impulses::<D>(problem);
            let kept: Vec<_> = problem.contacts.iter().map(|c| c.impulse).collect();
            if let Some(condensed) = choice.condensed.take() {
                condensed.solve(problem, settings, &mut log);
            }
            memory.start::<D>(method, problem, settings)?;
            // Newton that ends further away than it started has found nothing: the sweeps go on from where they were.
            let (now, then) = (memory.system.error_sum::<D>().errors(&free).scaled, swept.sum.errors(&free).scaled);
            if now.is_nan() || now > then {
                problem.contacts.iter_mut().zip(kept).for_each(|(contact, impulse)| contact.impulse = impulse);
                memory.start::<D>(method, problem, settings)?;
            }
            let last = memory.sweep_if_needed::<D>(method, settings, &free, &mut log);
            (status, sum) = (last.0, last.1);
        }
        if let Some(kind) = choice.refused {
            log.stages.push(Stage { name: kind, iterations: 0, error: sum.errors(&free).scaled });
        }
        let info = memory.finish::<D>(problem, &free, status.unwrap_or(Status::Stalled), sum);
        Ok(SolveInfo { solver: "auto", iterations: log.iterations, contact_updates: log.updates, stages: log.stages, ..info })
    }
}

impl Memory {
    /// What closes a solve after Newton: nothing where the tolerance is met, else sweeps.
    fn sweep_if_needed<const D: usize>(
        &mut self,
        method: Method,
        settings: &SolveSettings,
        free: &FreeNorms,
        log: &mut Log,
    ) -> (Option<Status>, crate::error::ErrorSum) {
        let sum = self.system.error_sum::<D>();
        if sum.errors(free).scaled <= settings.tolerance {
            return (Some(Status::Converged), sum);
        }
        let swept = self.sweep::<D>(method, settings, free, |_, _| false);
        log.sweeps(swept.sweeps, self.system.len(), swept.sum.errors(free).scaled);
        (swept.status, swept.sum)
    }
}

/// What ran, and how much of it.
#[derive(Default)]
struct Log {
    stages: Vec<Stage>,
    iterations: usize,
    updates: u64,
}

impl Log {
    fn sweeps(&mut self, sweeps: usize, contacts: usize, error: f64) {
        self.iterations += sweeps;
        self.updates += sweeps as u64 * contacts as u64;
        self.stages.push(Stage { name: Method::Accelerated.name(), iterations: sweeps, error });
    }

    fn local(&mut self, info: SolveInfo) {
        self.iterations += info.iterations;
        self.updates += info.contact_updates;
        if info.stages.is_empty() {
            self.stages.push(Stage { name: info.solver, iterations: info.iterations, error: info.errors.scaled });
        } else {
            self.stages.extend(info.stages);
        }
    }
}

/// When to leave the sweeps.
struct Choice<const D: usize> {
    settings: SolveSettings,
    /// Work of a sweep, and least work of Newton.
    sweep: f64,
    contacts: f64,
    /// Sweeps and least error so far at each look.
    looks: Vec<(usize, f64)>,
    condensed: Option<Condensed<D>>,
    /// Why the problem cannot be condensed.
    refused: Option<&'static str>,
}

impl<const D: usize> Choice<D> {
    fn new(memory: &Memory, settings: &SolveSettings) -> Self {
        let [diagonal, full] = memory.system.kernels();
        Self {
            settings: *settings,
            sweep: UPDATE[0] * diagonal as f64 + UPDATE[1] * full as f64,
            contacts: (diagonal + full) as f64,
            looks: Vec::new(),
            condensed: None,
            refused: None,
        }
    }

    /// True where Newton is the cheaper way from here.
    fn leave(&mut self, problem: &RigidProblem, sweeps: usize, error: f64) -> bool {
        let best = self.looks.last().map_or(error, |look| look.1.min(error));
        self.looks.push((sweeps, best));
        if sweeps < LEAST || self.refused.is_some() {
            return false;
        }
        let work = DOUBT * self.sweeps_left() * self.sweep;
        work > self.newton(0.0) && self.condense(problem).is_some_and(|newton| work > newton)
    }

    /// True where sweeps that missed the tolerance are to be followed by Newton.
    fn may_rescue(&mut self, problem: &RigidProblem) -> bool {
        let budget = RESCUE * self.settings.max_iterations as f64 * self.sweep;
        self.condense(problem).is_some_and(|newton| newton <= budget)
    }

    /// Sweeps that their progress over the last half says are left, no more than the limit allows.
    fn sweeps_left(&self) -> f64 {
        let Some(&(now, error)) = self.looks.last() else { return 0.0 };
        let limit = self.settings.max_iterations.saturating_sub(now) as f64;
        let earlier = self.looks.iter().rev().find(|look| 2 * look.0 <= now).copied().unwrap_or(self.looks[0]);
        let fallen = (earlier.1 / error).ln();
        let left = (error / self.settings.tolerance).ln() * (now - earlier.0) as f64 / fallen;
        // no progress at all, or numbers that are none
        if left >= 0.0 { left.min(limit) } else { limit }
    }

    /// Work of Newton's method, the problem being condensed at the first call.
    fn condense(&mut self, problem: &RigidProblem) -> Option<f64> {
        if self.condensed.is_none() && self.refused.is_none() {
            match RigidForm::new(problem) {
                Ok(form) => self.condensed = Condensed::new(&form),
                Err(law) => self.refused = Some(law.stays_with_sweeps()),
            }
        }
        self.condensed.as_ref().map(|c| self.newton(c.flops))
    }

    /// Work of Newton's method, given that of one factorisation.
    fn newton(&self, flops: f64) -> f64 {
        SET_UP * self.contacts + EXPECTED_STEPS * (flops + STEP * self.contacts)
    }
}

/// The problem as W, q, μ.
struct Condensed<const D: usize> {
    prepared: PreparedProblem<D>,
    flops: f64,
}

impl<const D: usize> Condensed<D> {
    fn new(form: &RigidForm<D>) -> Option<Self> {
        let prepared = form.prepare().ok()?;
        let flops = local::factorisation_flops(&prepared);
        Some(Self { prepared, flops })
    }

    /// Solves from the impulses of `problem` and puts the new ones there; the bodies stay free.
    fn solve(&self, problem: &mut RigidProblem, settings: &SolveSettings, log: &mut Log) {
        let mut r: Vec<[f64; D]> =
            problem.contacts.iter().map(|c| std::array::from_fn(|k| c.impulse[k] + c.impulse_shift[k])).collect();
        let within = |steps| LocalSettings {
            tolerance: CLOSER * settings.tolerance,
            max_iterations: Some(steps),
            ..LocalSettings::default()
        };
        let mut newton = NonsmoothNewton::new(Reformulation::AlartCurnier);
        let warm = newton.solve(&self.prepared, &mut r, &within(WARM_STEPS));
        let met = warm.status.is_success();
        log.local(warm);
        if !met {
            let mut chain = local::Auto { sweeps: 0, ..local::Auto::default() };
            log.local(chain.solve(&self.prepared, &mut r, &within(CHAIN_STEPS)));
        }
        for (contact, r) in problem.contacts.iter_mut().zip(&r) {
            for k in 0..D {
                contact.impulse[k] = r[k] - contact.impulse_shift[k];
            }
        }
    }
}
