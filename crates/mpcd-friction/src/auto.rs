//! The solver of the contact problem that chooses for its user: sweeps while they are the cheaper way, then Newton, island by island.
//!
//! Accelerated sweeps from the starting impulses end most steps. At each look at the error the work they still need is
//! predicted from their progress; where it exceeds what Newton's method would cost (known from the analysis of its
//! system, not from a clock, so that the choice is the same on every machine and number of threads) and a share of that has been spent,
//! where they stall, or where impulses grow without progress, each island that is not accepted goes on as W, q, μ ([`crate::condensed`]). Whatever comes of it is judged here
//! by the bodies' velocities afresh, and what ends further away is not taken. In networks with loops sweeps and Newton then take turns, each
//! for more counted work than before ([`crate::budget::Rung`]): sweeps go on from where they were, with their momentum, and Newton starts from
//! the best of both. Bilateral contacts, laws of users, laws of turning cannot be condensed: islands with them stay with sweeps, and the report says
//! so in a stage without iterations.

use crate::acceptance::Verdict;
use crate::budget::{EXPECTED_STEPS, Rung, affordable_steps, least_flops, newton_work, sweep_work, sweeps_alone};
use crate::condensed::{Condensed, Ended, Islander, Log};
use crate::local::{RigidForm, least_if_dear};
use crate::network::{Network, has_springs, is_stack, is_under_weights};
use crate::nlgs::{Course, Look, Memory, Method, Swept};
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
    /// Of the sweeps.
    memory: Memory,
    /// In which the whole is judged after Newton, and closed by sweeps from there.
    other: Memory,
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

    fn release(&mut self) {
        // patterns and orders of the islands stay: they are dear
        (self.memory, self.other) = (Memory::default(), Memory::default());
    }

    fn solve(&mut self, problem: &mut ContactProblem, settings: &SolveSettings) -> Result<SolveInfo, ProblemError> {
        settings.validate()?;
        problem.validate_around_contacts()?;
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
        let Self { memory, other, islander } = self;
        let free = memory.start::<D>(method, problem, settings)?;
        let mut choice = Choice::<D>::new(memory, settings);
        let asked = if is_under_weights(problem) { UNDER_WEIGHTS_ASKED } else { 1.0 };
        let sweeping = SolveSettings { tolerance: asked * settings.tolerance, ..*settings };
        let mut course = Course::default();
        let mut swept = memory.go_on::<D>(&mut course, method, &sweeping, &free, |look| choice.leave(problem, look));
        if swept.verdict.error(&free) <= settings.tolerance {
            swept.status = Some(Status::Converged);
        }
        let mut log = Log::default();
        log.sweeps(swept.sweeps, memory.system.len(), swept.verdict.error(&free));
        let (mut status, mut verdict, mut no_motion) = (swept.status, swept.verdict, None);
        let mut ended = Ended::of(&swept);
        let climbs = status != Some(Status::Converged);
        let in_turn = climbs && !is_stack(problem) && !has_springs(problem);
        let mut rung = climbs.then_some(if in_turn { Rung::FIRST } else { Rung::LAST });
        if climbs {
            memory.system.write_impulses::<D>(problem);
        }
        while let Some(now) = rung {
            // the better of what sweeps and Newton came to is in `problem` and in `other`
            other.start::<D>(method, problem, settings)?;
            other.judge::<D>();
            let (before, began) = (log.newton, verdict.error(&free));
            log.held_back = false;
            no_motion = islander.run::<D>(problem, settings, (&other.system, ended, now), &mut log)?;
            if no_motion.is_some() {
                break;
            }
            if ended.runs_away() {
                // without a proof the impulses are bounded, and on the way to where they end
                ended = ended.bounded();
                course.bound();
            }
            other.start::<D>(method, problem, settings)?;
            verdict = other.judge::<D>();
            if verdict.error(&free) <= settings.tolerance {
                status = Some(Status::Converged);
                break;
            }
            // where no island was held back a later rung would be this one again
            let is_last = now.is_last() || !log.held_back;
            let (newton, done) = (log.newton - before, course.sweeps);
            let mut kept = |memory: &mut Memory, swept: &Swept, made: usize, verdict: &mut Verdict| {
                log.sweeps(made, memory.system.len(), swept.verdict.error(&free));
                status = swept.status;
                if swept.verdict.error(&free) < verdict.error(&free) {
                    memory.system.write_impulses::<D>(problem);
                    *verdict = swept.verdict;
                }
            };
            if is_last || newton == 0.0 {
                // afresh, from where Newton came if it came anywhere: they may close what is missing, or lead away from there
                let left = settings.max_iterations.saturating_sub(done).max(settings.max_iterations / 10);
                let closing = SolveSettings { max_iterations: left, ..*settings };
                let swept = other.sweep::<D>(method, &closing, &free, |_| false);
                kept(other, &swept, swept.sweeps, &mut verdict);
            }
            let most = if newton > 0.0 {
                now.sweeps(newton, sweep_work(memory), done, settings.max_iterations)
            } else {
                sweeps_alone(verdict.error(&free), done, settings)
            };
            if verdict.error(&free) > settings.tolerance && (in_turn || newton == 0.0) && most > 0 {
                // on from where these sweeps were
                let more = SolveSettings { max_iterations: done + most, ..*settings };
                let swept = memory.go_on::<D>(&mut course, method, &more, &free, |_| false);
                kept(memory, &swept, swept.sweeps - done, &mut verdict);
            }
            let ends = verdict.error(&free) <= settings.tolerance || newton == 0.0 || is_last;
            let tolerances = |error: f64| error / settings.tolerance;
            rung = if ends { None } else { now.next(tolerances(began), tolerances(verdict.error(&free))) };
        }
        if climbs {
            memory.start::<D>(method, problem, settings)?;
        }
        if let Some(kind) = choice.refused {
            log.stays(kind);
        }
        let mut info = memory.finish::<D>(problem, &free, status.unwrap_or(Status::Stalled), verdict);
        if no_motion.is_some() {
            info.status = Status::NoSolution;
        }
        let Log { stages, iterations, updates, .. } = log;
        Ok(SolveInfo { solver: "auto", iterations, contact_updates: updates, stages, no_motion, ..info })
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
    /// Operations of a factorisation: known from its analysis, or at least so many.
    flops: Option<f64>,
    least: f64,
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
            flops: None,
            least: 0.0,
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
            let (contacts, sweep, settings) = (self.contacts, self.sweep, self.settings);
            return self.affords(problem, |flops| affordable_steps(contacts, sweep, flops, &settings, false).is_some());
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
        let contacts = self.contacts;
        let pays = |flops: f64| pays(newton_work(contacts, flops, steps));
        pays(least_flops::<D>(problem)) && self.affords(problem, pays)
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

    /// Whether a factorisation pays, the problem being condensed for it where that is not known to be too dear.
    fn affords(&mut self, problem: &ContactProblem, pays: impl Fn(f64) -> bool) -> bool {
        if self.flops.is_none() {
            if !pays(self.least) {
                return false;
            }
            if let Some(least) = least_if_dear::<D>(problem, &pays) {
                self.least = least;
                return false;
            }
            match RigidForm::<D>::with_springs(problem) {
                Ok(form) => self.flops = Condensed::new(&form).map(|condensed| condensed.flops()),
                Err(law) => self.refused = Some(law.stays_with_sweeps()),
            }
        }
        self.flops.is_some_and(pays)
    }
}
