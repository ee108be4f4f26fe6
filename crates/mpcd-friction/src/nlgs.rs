//! NLGS: non-linear Gauss–Seidel over contacts, in the matrix-free (exchange local–global) form, plain and with momentum,
//! and block Jacobi beside it. The loop, when it looks at the error, and when it gives up; the passes themselves live in
//! [`crate::sweep`].
//!
//! Jean, Moreau; Dubois–Renouf, *Contact Solvers*. Each contact is solved exactly with the others as they are. Where
//! sweeps crawl (stacks, dense packings), momentum between them (Nesterov, with restarts) makes of some κ sweeps √κ.

mod history;

use self::history::{Growth, History, PATIENCE};
use crate::acceptance::{Verdict, greater};
use crate::error::FreeNorms;
use crate::problem::{ContactDimension, ContactProblem, ProblemError, Response};
use crate::report::{SolveInfo, Status};
use crate::settings::{SolveSettings, SweepOrder};
use crate::solver::RigidSolver;
use crate::sweep::{Direction, Momentum, Splitting, Sweeper, System};

/// Plain sweeps before momentum: where they suffice, nothing is spent on it.
const PLAIN: usize = 10;

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

    fn release(&mut self) {
        *self = Self::default();
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

    fn release(&mut self) {
        *self = Self::default();
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

    fn release(&mut self) {
        *self = Self::default();
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

/// Working memory of a solver, and what sweeps for it.
#[derive(Debug, Default)]
pub(crate) struct Memory<S = System> {
    pub(crate) system: S,
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
        self.growth.bound();
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
    problem.validate_around_contacts()?;
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
    info.contact_updates = swept.sweeps as u64 * Sweeper::<D>::contacts(&memory.system) as u64;
    Ok(info)
}

impl<S> Memory<S> {
    /// Compiles a problem that is valid around its contacts, with the velocities from its starting impulses.
    pub(crate) fn start<const D: usize>(
        &mut self,
        method: Method,
        problem: &ContactProblem,
        settings: &SolveSettings,
    ) -> Result<FreeNorms, ProblemError>
    where
        S: Sweeper<D>,
    {
        let splitting = match method {
            Method::GaussSeidel | Method::Accelerated => Splitting::None,
            Method::Jacobi => Splitting::Mass,
        };
        self.system.compile(problem, settings.order, splitting)?;
        let free = self.system.free_norms();
        self.system.rebuild();
        Ok(free)
    }

    /// Sweeps until the result is accepted, the limit is reached or the error ceases to fall; or until `leave`, told of each look, says so.
    pub(crate) fn sweep<const D: usize>(
        &mut self,
        method: Method,
        settings: &SolveSettings,
        free: &FreeNorms,
        leave: impl FnMut(Look) -> bool,
    ) -> Swept
    where
        S: Sweeper<D>,
    {
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
    ) -> Swept
    where
        S: Sweeper<D>,
    {
        let Course { sweeps, closing, history, growth, last } = course;
        if *sweeps == 0 {
            self.momentum.forget();
        } else {
            self.system.restore(last);
            history.go_on();
        }
        loop {
            let next = history.next_look(*sweeps, settings.tolerance).min(settings.max_iterations);
            self.sweep_to::<D>(method, settings.order, sweeps, next);
            let sum = if *closing { self.system.look_and_sum() } else { self.system.scaled_sum() };
            growth.note(*sweeps, &sum, free);
            let mut error = sum.error(free);
            let anew = !*closing && error <= settings.tolerance;
            if anew {
                self.system.look();
            }
            *closing |= anew;
            if *closing {
                let breach = self.system.worst();
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
                self.system.restore(&self.best.impulses);
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

    fn sweep_to<const D: usize>(&mut self, method: Method, order: SweepOrder, sweeps: &mut usize, end: usize)
    where
        S: Sweeper<D>,
    {
        let Self { system, momentum, .. } = self;
        while *sweeps < end {
            let direction = direction(order, *sweeps);
            match method {
                Method::Accelerated if *sweeps >= PLAIN => momentum.sweep::<D>(system, direction),
                Method::Accelerated | Method::GaussSeidel => system.sweep(direction),
                Method::Jacobi => system.sweep_frozen(),
            }
            *sweeps += 1;
        }
    }

    /// Sweeps carry the velocities along with the impulses, to rounding. Here they come afresh from the impulses, and all is judged.
    pub(crate) fn judge<const D: usize>(&mut self) -> Verdict
    where
        S: Sweeper<D>,
    {
        self.system.rebuild();
        let sum = self.system.look_and_judge();
        Verdict { sum, breach: self.system.worst() }
    }

    /// Writes the impulses and velocities back into the problem and says how good they are; counts are the caller's.
    pub(crate) fn finish<const D: usize>(
        &mut self,
        problem: &mut ContactProblem,
        free: &FreeNorms,
        mut status: Status,
        mut verdict: Verdict,
    ) -> SolveInfo
    where
        S: Sweeper<D>,
    {
        if !verdict.sum.errors(free).scaled.is_finite() {
            // diverged beyond the range of numbers: hand back the bodies free rather than NaN
            self.system.reset();
            verdict = self.judge::<D>();
            status = Status::Stalled;
        }
        self.system.write_back(problem);
        SolveInfo {
            status,
            errors: verdict.sum.errors(free),
            worst: verdict.sum.worst(free),
            violation: Some(verdict.breach.report()),
            ..SolveInfo::no_contact("")
        }
    }
}

const fn direction(order: SweepOrder, sweep: usize) -> Direction {
    match order {
        SweepOrder::Symmetric if sweep % 2 == 1 => Direction::Backward,
        _ => Direction::Forward,
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
            let (mut memory, mut course): (Memory, _) = (Memory::default(), Course::default());
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
}
