//! When joints of rigid bodies are taken out of the problem of a step, and how what comes of it is judged. Rounds of joints and contacts end most steps; where a
//! solve of both ends without a solution, contacts are solved with the joints taken out exactly, as a solver of contacts alone can: the strongest
//! chain of the default, island by island. What is accepted is the whole, joints and contacts, judged as every solve is. How they are taken out: `without`.

use mpcd_friction::{
    Bilateral, RigidSolver, SolveInfo, SolveSettings, Stage as Ran, Status,
    problem::{ContactProblem, Motion},
    selection::judged,
};

use super::Joints;

/// The solver that goes on so: a named one runs alone.
const SOLVER: &str = "auto";
/// What a report calls it.
const NAME: &str = "joints taken out";
/// Rounds without a solution after which joints and contacts are solved in turn again.
const FAILURES: usize = 3;
/// How much more is asked of contacts where the whole misses the tolerance, and the least that is asked.
const FINER: f64 = 0.1;
const FINEST: f64 = 1e-15;

/// What rows lack, over the speeds of their bodies and what impulses give, from which rows are far from where they were written.
const FAR: f64 = 1e-6;

/// The joints of a step, in the problem or out of it.
pub(super) struct Apart {
    may: bool,
    is_on: bool,
    turns: bool,
    /// Rounds with the joints taken out, and those of them without a solution.
    rounds: usize,
    failures: usize,
    settings: SolveSettings,
}

impl Apart {
    pub(super) fn new(may: bool, solver: &dyn RigidSolver, settings: &SolveSettings) -> Self {
        Self { may: may && solver.name() == SOLVER, is_on: false, turns: false, rounds: 0, failures: 0, settings: *settings }
    }

    /// Whether joints are taken out in this round.
    pub(super) const fn is_on(&self) -> bool {
        self.is_on
    }

    /// Whether they are taken out for the first time: laws that want stages have them there once more.
    pub(super) const fn begins(&self) -> bool {
        self.is_on && self.rounds == 0
    }

    /// Joints stay in: they cannot be taken out.
    pub(super) const fn give_up(&mut self) {
        (self.may, self.is_on) = (false, false);
    }

    /// What is asked of the contacts alone.
    pub(super) const fn settings(&self) -> &SolveSettings {
        &self.settings
    }

    /// A round is over, with what was found.
    pub(super) fn learn(&mut self, found: &SolveInfo) {
        let was = self.is_on;
        self.rounds += usize::from(was);
        self.failures += usize::from(was && !found.status.is_success());
        self.is_on = self.may && self.failures < FAILURES;
        self.turns = self.is_on != was;
    }

    /// Whether the next round is the first of its kind.
    pub(super) const fn turns(&self) -> bool {
        self.turns
    }

    /// Whether joints may be taken out in this step.
    pub(super) const fn may(&self) -> bool {
        self.may
    }

    /// Whether the whole, its joints closed, is what a solve would accept; then `info` says what it misses. Else more is asked of the contacts.
    pub(super) fn fits(
        &mut self,
        problem: &ContactProblem,
        free: &Motion,
        (settings, info): (&SolveSettings, &mut SolveInfo),
    ) -> bool {
        // What cannot be judged is none.
        let Ok(found) = judged(&mut problem.clone(), free, settings) else {
            self.give_up();
            return false;
        };
        (info.errors, info.worst, info.violation) = (found.errors, found.worst, found.violation);
        if let Some(stage) = info.stages.iter_mut().find(|stage| stage.name == NAME) {
            stage.error = found.error();
        }
        let fits = found.status.is_success();
        if !fits {
            self.settings.tolerance = (FINER * self.settings.tolerance).max(FINEST);
        }
        fits
    }
}

/// The report of a round that follows an earlier one.
pub(super) fn joined(earlier: Option<SolveInfo>, mut found: SolveInfo, is_out: bool) -> SolveInfo {
    if is_out {
        found.stages.insert(0, Ran { name: NAME, iterations: 1, error: found.error() });
    }
    let Some(earlier) = earlier else { return found };
    found.iterations += earlier.iterations;
    found.contact_updates += earlier.contact_updates;
    if !is_out {
        return found;
    }
    let later = std::mem::replace(&mut found.stages, earlier.stages);
    for stage in later {
        match found.stages.iter_mut().find(|s| s.name == stage.name) {
            Some(own) => {
                own.iterations += stage.iterations;
                own.error = stage.error;
            }
            None => found.stages.push(stage),
        }
    }
    found
}

/// Gives a report that is no success the greatest of these errors and its own; what is no number is greater than any.
pub(super) fn refuse(info: &mut SolveInfo, errors: [f64; 2]) {
    info.status = Status::MaxIterations;
    info.errors.scaled = errors.into_iter().fold(info.errors.scaled, greater);
}

/// The greater of two; what is no number is greater than any.
pub(super) fn greater(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

impl Joints {
    /// Writes the rows about the velocities found, and says whether those were far from them.
    pub(super) fn go_on(&mut self, problem: &mut ContactProblem, free: &mut Motion, stage: &super::Stage<'_>) -> bool {
        self.place(&problem.bodies, stage);
        let changed = self.judge_wires() | self.judge_axes(stage, true);
        self.renew(problem, free, stage);
        let all = self.fastest(&problem.bodies) + self.given(problem, stage);
        let near = Bilateral::lacks(problem) <= FAR * all;
        changed || !near
    }
}
