//! The solver of the contact problem that chooses for its user: sweeps while they are the cheaper way, then Newton, island by island.
//!
//! Accelerated sweeps from the starting impulses end most steps. At each look at the error the work they still need is
//! predicted from their progress; where it exceeds what Newton's method would cost (known from the analysis of its
//! system, not from a clock, so that the choice is the same on every machine and number of threads) and a share of that has been spent,
//! where they stall, or where impulses grow without progress, each island that is not accepted goes on as W, q, μ ([`crate::condensed`]). Whatever comes of it is judged here
//! by the bodies' velocities afresh, what ends further away is not taken, and sweeps close the solve where a little is missing. Bilateral
//! contacts, laws of users, laws of turning and moving cells cannot be condensed: islands with them stay with sweeps, and the report says
//! so in a stage without iterations.

use crate::acceptance::Verdict;
use crate::budget::{EXPECTED_STEPS, affordable_steps, least_flops, newton_work, sweep_work};
use crate::condensed::{Condensed, Ended, Islander, Log};
use crate::error::FreeNorms;
use crate::local::RigidForm;
use crate::network::{Network, has_springs, is_under_weights};
use crate::nlgs::{Look, Memory, Method};
use crate::problem::{ContactDimension, ContactProblem, ProblemError};
use crate::report::{SolveInfo, Status};
use crate::settings::SolveSettings;
use crate::solver::RigidSolver;

/// Sweeps before their progress is judged.
const LEAST: usize = 12;
/// In a network with loops (a packing) errors fall by fits and starts, and what the last sweeps promise is worth little: sweeps go on until
/// they have cost this share of what Newton would cost, so that at most this share is lost where Newton follows.
const BEFORE_NEWTON: f64 = 0.25;
/// In one without loops (a stack), and where heavy bodies lie on light ones, sweeps promise too much: a weight comes down by one body a
/// sweep, and the error falls before it has arrived. There sweeps are taken to need this many times what they promise. In a stack the
/// factors have no fill, and Newton takes fewer steps.
/// Where a heavy body lies on a packing they still end most steps, and have a share of Newton's cost before it follows.
const DOUBT: f64 = 90.0;
const UNDER_WEIGHTS: f64 = 1.0;
/// Share of the tolerance asked of them there, as the last of a weight comes down late; what meets the tolerance is accepted all the same.
const UNDER_WEIGHTS_ASKED: f64 = 0.3;
const STEPS_IN_STACKS: f64 = 15.0;
/// Where springs stand beside contacts (bonds) sweeps go from one to the next, and most contacts neither open nor close: few Newton steps do.
const STEPS_WITH_SPRINGS: f64 = 5.0;
/// Sweeps first, Newton where they crawl.
#[derive(Debug, Default)]
pub struct Auto {
    memory: Memory,
    islander: Islander,
}

impl RigidSolver for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn takes_laws(&self) -> bool {
        true
    }

    fn takes_cells(&self) -> bool {
        true
    }

    fn solve(&mut self, problem: &mut ContactProblem, settings: &SolveSettings) -> Result<SolveInfo, ProblemError> {
        settings.validate()?;
        problem.validate()?;
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
    fn run<const D: usize>(&mut self, problem: &mut ContactProblem, settings: &SolveSettings) -> Result<SolveInfo, ProblemError> {
        let method = Method::Accelerated;
        let memory = &mut self.memory;
        let free = memory.start::<D>(method, problem, settings)?;
        let mut choice = Choice::<D>::new(memory, settings);
        let asked = if is_under_weights(problem) { UNDER_WEIGHTS_ASKED } else { 1.0 };
        let sweeping = SolveSettings { tolerance: asked * settings.tolerance, ..*settings };
        let mut swept = memory.sweep::<D>(method, &sweeping, &free, |look| choice.leave(problem, look));
        if swept.verdict.error(&free) <= settings.tolerance {
            swept.status = Some(Status::Converged);
        }
        let mut log = Log::default();
        log.sweeps(swept.sweeps, memory.system.len(), swept.verdict.error(&free));
        let (mut status, mut verdict, mut no_motion) = (swept.status, swept.verdict, None);
        if status != Some(Status::Converged) {
            memory.system.write_impulses::<D>(problem);
            no_motion = self.islander.run::<D>(problem, settings, (&memory.system, Ended::of(&swept)), &mut log)?;
            if no_motion.is_none() {
                memory.start::<D>(method, problem, settings)?;
                let best = memory.judge::<D>();
                // afresh from the impulses: what is left of the limit, and a tenth of it in any case
                let left = settings.max_iterations.saturating_sub(swept.sweeps).max(settings.max_iterations / 10);
                let closing = SolveSettings { max_iterations: left, ..*settings };
                (status, verdict) = memory.sweep_if_needed::<D>(method, &closing, &free, &mut log);
                if verdict.error(&free) > best.error(&free) {
                    // sweeps that start anew may lead away from where Newton came
                    memory.start::<D>(method, problem, settings)?;
                    verdict = best;
                }
            }
        }
        if let Some(kind) = choice.refused {
            log.stays(kind);
        }
        let mut info = memory.finish::<D>(problem, &free, status.unwrap_or(Status::Stalled), verdict);
        if no_motion.is_some() {
            info.status = Status::NoSolution;
        }
        let Log { stages, iterations, updates } = log;
        Ok(SolveInfo { solver: "auto", iterations, contact_updates: updates, stages, no_motion, ..info })
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
    ) -> (Option<Status>, Verdict) {
        let verdict = self.judge::<D>();
        if verdict.error(free) <= settings.tolerance {
            return (Some(Status::Converged), verdict);
        }
        if settings.max_iterations == 0 {
            return (Some(Status::MaxIterations), verdict);
        }
        let swept = self.sweep::<D>(method, settings, free, |_| false);
        log.sweeps(swept.sweeps, self.system.len(), swept.verdict.error(free));
        (swept.status, swept.verdict)
    }
}

/// When to leave the sweeps.
struct Choice<const D: usize> {
    settings: SolveSettings,
    /// Work of a sweep, and least work of Newton.
    sweep: f64,
    contacts: usize,
    /// Looked at once, after the first sweeps.
    network: Option<Network>,
    /// Sweeps and least error so far at each look.
    looks: Vec<(usize, f64)>,
    condensed: Option<Condensed<D>>,
    /// Why the problem cannot be condensed as a whole.
    refused: Option<&'static str>,
}

impl<const D: usize> Choice<D> {
    fn new(memory: &Memory, settings: &SolveSettings) -> Self {
        let [diagonal, full] = memory.system.kernels();
        Self {
            settings: *settings,
            sweep: sweep_work(memory),
            contacts: diagonal + full,
            network: None,
            looks: Vec::new(),
            condensed: None,
            refused: None,
        }
    }

    /// True where Newton is the cheaper way from here.
    fn leave(&mut self, problem: &ContactProblem, look: Look) -> bool {
        if look.anew {
            self.looks.clear();
        }
        let best = self.looks.last().map_or(look.error, |last| last.1.min(look.error));
        self.looks.push((look.sweeps, best));
        if look.sweeps < LEAST || self.refused.is_some() {
            return false;
        }
        if look.runs_away {
            return self
                .condense(problem)
                .is_some_and(|flops| affordable_steps(self.contacts, self.sweep, flops, &self.settings, false).is_some());
        }
        let network = *self.network.get_or_insert_with(|| Network::of(problem));
        let left = self.sweeps_left() * self.sweep;
        let done = look.sweeps as f64 * self.sweep;
        let (steps, pays): (f64, &dyn Fn(f64) -> bool) = match network {
            _ if has_springs(problem) => (STEPS_WITH_SPRINGS, &|newton| DOUBT * left > newton),
            Network::Stack => (STEPS_IN_STACKS, &|newton| DOUBT * left > newton),
            Network::HeavyOnLight => (EXPECTED_STEPS, &|newton| DOUBT * left > newton && done > UNDER_WEIGHTS * newton),
            Network::Packing => (EXPECTED_STEPS, &|newton| left > newton && done > BEFORE_NEWTON * newton),
        };
        pays(newton_work(self.contacts, least_flops::<D>(problem), steps))
            && self.condense(problem).is_some_and(|flops| pays(newton_work(self.contacts, flops, steps)))
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

    /// Work of a factorisation, the problem being condensed at the first call.
    fn condense(&mut self, problem: &ContactProblem) -> Option<f64> {
        if self.condensed.is_none() && self.refused.is_none() {
            match RigidForm::<D>::with_springs(problem) {
                Ok(form) => self.condensed = Condensed::new(&form),
                Err(law) => self.refused = Some(law.stays_with_sweeps()),
            }
        }
        self.condensed.as_ref().map(|c| c.flops)
    }
}
