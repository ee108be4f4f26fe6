//! NLGS: non-linear Gauss–Seidel over contacts, in the matrix-free (exchange local–global) form, plain and with momentum,
//! and block Jacobi beside it. The loop, when it looks at the error, and when it gives up; the passes themselves live in
//! [`crate::sweep`].
//!
//! Jean, Moreau; Dubois–Renouf, *Contact Solvers*. Each contact is solved exactly with the others as they are. Where
//! sweeps crawl (stacks, dense packings), momentum between them (Nesterov, with restarts) makes of some κ sweeps √κ.

use crate::acceptance::{Verdict, greater};
use crate::error::{FreeNorms, ScaledSum};
use crate::problem::{ContactDimension, ContactProblem, ProblemError, Response};
use crate::report::{SolveInfo, Status};
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

/// Impulses run away where, since half as many sweeps, their growth grew by the first factor without the residual falling below the second;
/// at least so many sweeps after the start, and beyond this multiple of what could stop the free velocities one by one. Where nothing
/// bounds them they grow with the sweeps at a constant residual; in a stack that fills up they grow, and the residual falls, with the root.
const GROWN: f64 = 1.7;
const NOT_FALLEN: f64 = 0.9;
const SOON: usize = 64;
const GREAT: f64 = 10.0;

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

    fn takes_cells(&self) -> bool {
        true
    }

    fn solve(&mut self, problem: &mut ContactProblem, settings: &SolveSettings) -> Result<SolveInfo, ProblemError> {
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

    fn takes_cells(&self) -> bool {
        true
    }

    fn solve(&mut self, problem: &mut ContactProblem, settings: &SolveSettings) -> Result<SolveInfo, ProblemError> {
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

    fn solve(&mut self, problem: &mut ContactProblem, settings: &SolveSettings) -> Result<SolveInfo, ProblemError> {
        let law = problem.contacts.iter().enumerate().find_map(|(k, c)| match c.response {
            Response::Law(law) => Some((k, problem.laws.get(law)?)),
            Response::Cone(_) => None,
        });
        if let Some((contact, law)) = law {
            return Err(ProblemError::LawNotAccepted { contact, law: law.name().to_owned(), solver: self.name() });
        }
        refuse_cell(problem, self.name())?;
        run(&mut self.memory, Method::Jacobi, problem, settings)
    }
}

/// For solvers that cannot carry a cell: where all contacts are solved from the same velocities, the cell would have to be shared among all of
/// them, as a body is among its own, and would hardly move.
fn refuse_cell(problem: &ContactProblem, solver: &'static str) -> Result<(), ProblemError> {
    if problem.cell.is_some() { Err(ProblemError::CellNotAccepted { solver }) } else { Ok(()) }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    GaussSeidel,
    Accelerated,
    Jacobi,
}

impl Method {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::GaussSeidel => "nlgs",
            Self::Accelerated => "nlgs-accelerated",
            Self::Jacobi => "jacobi",
        }
    }
}

/// Working memory of a solver.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pub(crate) system: System,
    momentum: Momentum,
    best: Best,
}

/// The best impulses of a solve since the violations count, as the records hold them.
#[derive(Debug, Default)]
struct Best {
    error: f64,
    impulses: Vec<[f64; 3]>,
}

/// How some sweeps ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Swept {
    /// Sweeps done.
    pub(crate) sweeps: usize,
    /// `None` where the caller asked to leave.
    pub(crate) status: Option<Status>,
    /// Errors, with the velocities afresh from the impulses.
    pub(crate) verdict: Verdict,
    /// Whether the impulses grew without progress.
    pub(crate) runs_away: bool,
}

/// Where sweeps have come, to go on from there.
#[derive(Debug, Default)]
pub(crate) struct Course {
    pub(crate) sweeps: usize,
    /// From when the scale-free error has met the tolerance once, the violations count as well.
    closing: bool,
    history: History,
    growth: Growth,
    /// The impulses as the records hold them.
    last: Vec<[f64; 3]>,
}

impl Course {
    /// No proof was found that impulses grow without end: from now on their growth is no reason to stop.
    pub(crate) const fn bound(&mut self) {
        self.growth.bounded = true;
    }
}

/// What is seen between sweeps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    pub(crate) sweeps: usize,
    /// The error that decides; the scale-free one alone until it has met the tolerance once.
    pub(crate) error: f64,
    /// Whether the error is measured otherwise than at the look before.
    pub(crate) anew: bool,
    /// Whether the impulses grow without progress.
    pub(crate) runs_away: bool,
}

fn run(
    memory: &mut Memory,
    method: Method,
    problem: &mut ContactProblem,
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
    problem: &mut ContactProblem,
    settings: &SolveSettings,
) -> Result<SolveInfo, ProblemError> {
    let free = memory.start::<D>(method, problem, settings)?;
    let swept = memory.sweep::<D>(method, settings, &free, |_| false);
    let status = swept.status.unwrap_or(Status::Stalled);
    let mut info = memory.finish::<D>(problem, &free, status, swept.verdict);
    info.solver = method.name();
    info.iterations = swept.sweeps;
    info.contact_updates = swept.sweeps as u64 * memory.system.len() as u64;
    Ok(info)
}

impl Memory {
    /// Compiles a validated problem, with the velocities from its starting impulses.
    pub(crate) fn start<const D: usize>(
        &mut self,
        method: Method,
        problem: &ContactProblem,
        settings: &SolveSettings,
    ) -> Result<FreeNorms, ProblemError> {
        let splitting = match method {
            Method::GaussSeidel | Method::Accelerated => Splitting::None,
            Method::Jacobi => Splitting::Mass,
        };
        self.system.compile::<D>(problem, settings.order, splitting)?;
        let free = self.system.free_norms::<D>();
        self.system.rebuild::<D>();
        Ok(free)
    }

    /// Sweeps until the result is accepted, the limit is reached or the error ceases to fall; or until `leave`, told of each look, says so.
    pub(crate) fn sweep<const D: usize>(
        &mut self,
        method: Method,
        settings: &SolveSettings,
        free: &FreeNorms,
        leave: impl FnMut(Look) -> bool,
    ) -> Swept {
        self.go_on::<D>(&mut Course::default(), method, settings, free, leave)
    }

    /// The same from where these sweeps have come, as if they had not been left; the limit is that of all of them.
    pub(crate) fn go_on<const D: usize>(
        &mut self,
        course: &mut Course,
        method: Method,
        settings: &SolveSettings,
        free: &FreeNorms,
        mut leave: impl FnMut(Look) -> bool,
    ) -> Swept {
        let Course { sweeps, closing, history, growth, last } = course;
        if *sweeps == 0 {
            self.momentum.forget();
        } else {
            self.system.restore::<D>(last);
            history.stalled = false;
        }
        loop {
            let next = history.next_check(*sweeps, settings.tolerance).min(settings.max_iterations);
            self.sweep_to::<D>(method, settings.order, sweeps, next);
            let sum = self.system.scaled_sum::<D>();
            growth.note(*sweeps, &sum, free);
            let mut error = sum.error(free);
            let anew = !*closing && error <= settings.tolerance;
            *closing |= anew;
            if *closing {
                let breach = self.system.look_at_islands::<D>().worst();
                let scaled = error;
                error = greater(scaled, breach.error());
                if anew {
                    history.note(*sweeps, scaled);
                    history.measure_anew(error / scaled);
                }
            }
            history.note(*sweeps, error);
            let is_best = *closing && (anew || error < self.best.error);
            if is_best {
                self.best.error = error;
            }
            let runs_away = growth.runs_away();
            let stalled = history.is_stalled() || runs_away && *sweeps >= PATIENCE;
            let goes_on = error > settings.tolerance && !stalled && *sweeps < settings.max_iterations;
            let leaves = goes_on && leave(Look { sweeps: *sweeps, error, anew, runs_away });
            if goes_on && !leaves {
                if is_best {
                    self.system.keep(&mut self.best.impulses);
                }
                continue;
            }
            // What ends the solve is the error with the velocities afresh from the impulses.
            let mut verdict = self.judge::<D>();
            if verdict.error(free) > settings.tolerance {
                self.system.keep(last);
                if is_best {
                    self.system.keep(&mut self.best.impulses);
                }
            }
            // The best impulses are at hand where this look was at them.
            if *closing && !is_best && self.best.error < verdict.error(free) {
                self.system.restore::<D>(&self.best.impulses);
                verdict = self.judge::<D>();
            }
            let ended = |status| Swept { sweeps: *sweeps, status, verdict, runs_away };
            if verdict.error(free) <= settings.tolerance {
                return ended(Some(Status::Converged));
            }
            if leaves {
                return ended(None);
            }
            if stalled {
                return ended(Some(Status::Stalled));
            }
            if *sweeps >= settings.max_iterations {
                return ended(Some(Status::MaxIterations));
            }
        }
    }

    fn sweep_to<const D: usize>(&mut self, method: Method, order: SweepOrder, sweeps: &mut usize, end: usize) {
        let Self { system, momentum, .. } = self;
        while *sweeps < end {
            let direction = direction(order, *sweeps);
            match method {
                Method::Accelerated if *sweeps >= PLAIN => momentum.sweep::<D>(system, direction),
                Method::Accelerated | Method::GaussSeidel => system.sweep::<D>(direction),
                Method::Jacobi => system.sweep_frozen::<D>(),
            }
            *sweeps += 1;
        }
    }

    /// Sweeps carry the velocities along with the impulses, to rounding. Here they come afresh from the impulses, and all is judged.
    pub(crate) fn judge<const D: usize>(&mut self) -> Verdict {
        self.system.rebuild::<D>();
        let (sum, islands) = self.system.error_and_islands::<D>();
        Verdict { sum, breach: islands.worst() }
    }

    /// Writes the impulses and velocities back into the problem and says how good they are; counts are the caller's.
    pub(crate) fn finish<const D: usize>(
        &mut self,
        problem: &mut ContactProblem,
        free: &FreeNorms,
        mut status: Status,
        mut verdict: Verdict,
    ) -> SolveInfo {
        if !verdict.sum.errors(free).scaled.is_finite() {
            // diverged beyond the range of numbers: hand back the bodies free rather than NaN
            self.system.reset::<D>();
            verdict = self.judge::<D>();
            status = Status::Stalled;
        }
        self.system.write_back::<D>(problem);
        SolveInfo {
            status,
            errors: verdict.sum.errors(free),
            worst: verdict.sum.worst(free),
            violation: Some(verdict.breach.report()),
            ..SolveInfo::no_contact("")
        }
    }
}

/// Residual, and growth of the impulses since the first look, at each look.
#[derive(Debug, Default)]
struct Growth {
    /// Something bounds the impulses, so that their growth says nothing.
    bounded: bool,
    looks: Vec<(usize, f64, f64)>,
    first: Option<f64>,
    is_great: bool,
}

impl Growth {
    fn note(&mut self, sweeps: usize, sum: &ScaledSum, free: &FreeNorms) {
        let [residual, impulse] = sum.sizes();
        let grown = impulse - *self.first.get_or_insert(impulse);
        self.looks.push((sweeps, residual, grown));
        self.is_great = grown > GREAT * free.stopping();
    }

    fn runs_away(&self) -> bool {
        let Some(&(now, residual, grown)) = self.looks.last() else { return false };
        if self.bounded {
            return false;
        }
        let earlier = self.looks.iter().rev().find(|look| 2 * look.0 <= now);
        let without_progress = |&(_, r, g): &(usize, f64, f64)| grown > GROWN * g && residual > NOT_FALLEN * r;
        now >= SOON && self.is_great && earlier.is_some_and(without_progress)
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

    /// From now on the error is measured otherwise, and is larger by `factor`: its rate is the same, what was best is forgotten.
    fn measure_anew(&mut self, factor: f64) {
        let last = self.before.map(|(sweeps, error)| (sweeps, error * factor));
        *self = Self { last, best: f64::INFINITY, ..Self::default() };
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
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    /// Twenty balls of 1 kg on each other, before a step of a millisecond.
    fn column() -> ContactProblem {
        use crate::problem::{Body, Contact, Frame};
        use nalgebra::Vector3;
        let mut problem = ContactProblem::new(ContactDimension::Three);
        for _ in 0..20 {
            problem.push_body(Body::ball(Vector3::new(1e-3, 0.0, -9.81e-3), Vector3::zeros(), 1.0, 2.5));
        }
        let floor = problem.push_body(Body::fixed());
        for k in 0..20 {
            let (frame, lever) = (Frame::from_normal(Vector3::z()), Vector3::z());
            let contact = Contact::new(k, if k == 0 { floor } else { k - 1 }, frame, -lever, lever);
            problem.push_contact(contact.with_cone(crate::Cone::coulomb(0.3)));
        }
        problem
    }

    /// Sweeps that were left, and looked at from their best impulses meanwhile, come to what they would have come to: with their momentum.
    #[test]
    fn sweeps_go_on_as_if_they_had_not_been_left() {
        let problem = column();
        let swept = |leaves: &[usize]| {
            let (mut memory, mut course) = (Memory::default(), Course::default());
            let method = Method::Accelerated;
            let free = memory.start::<3>(method, &problem, &SolveSettings::default()).unwrap();
            for &max_iterations in leaves {
                let settings = SolveSettings { tolerance: 1e-14, max_iterations, ..SolveSettings::default() };
                let swept = memory.go_on::<3>(&mut course, method, &settings, &free, |_| false);
                assert_eq!((swept.sweeps, swept.status), (max_iterations, Some(Status::MaxIterations)));
            }
            course.last.iter().map(|r| r[2]).collect::<Vec<_>>()
        };
        let (whole, parts, plain) = (swept(&[60]), swept(&[17, 41, 60]), swept(&[12]));
        let apart = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart(&whole, &parts) < 1e-12, "{whole:?} {parts:?}");
        assert!(apart(&whole, &plain) > 1e-3);
    }

    /// Impulses that double with the sweeps at a constant residual run away, unless it is known that they are bounded.
    #[test]
    fn what_is_bounded_does_not_run_away() {
        let mut course = Course::default();
        course.growth.looks = vec![(32, 1.0, 1.0), (64, 1.0, 2.0)];
        course.growth.is_great = true;
        assert!(course.growth.runs_away());
        course.bound();
        assert!(!course.growth.runs_away());
    }

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
