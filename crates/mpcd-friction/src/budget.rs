//! Work of sweeps and of Newton's method, counted and not measured, so that choices are the same on every machine and number of threads.

use crate::nlgs::Memory;
use crate::problem::{Compliance, ContactProblem};
use crate::settings::SolveSettings;

/// Work of one update of a contact in a sweep, kernels for diagonal and for full blocks, in the time of a floating-point
/// operation of the factorisation (a third of a nanosecond where this was measured).
const UPDATE: [f64; 2] = [50.0, 500.0];
/// The same of one entry of the matrix of a deformable body.
const ENTRY: f64 = 2.0;
/// Numbers of a deformable body up to which it may be a node of the bodies' form, which is cheaper.
const BODY: f64 = 300.0;
/// The same of condensing, analysing and judging, per contact, and of what one Newton step does to a contact besides the
/// factorisation.
const SET_UP: f64 = 20_000.0;
const STEP: f64 = 5_000.0;
/// Newton steps that the condensed problem is expected to take.
pub(crate) const EXPECTED_STEPS: f64 = 25.0;
/// Newton follows where it is expected to cost no more than the sweeps that the limit of iterations allows, and is given up where it has
/// cost this many times as much: the limit bounds the work of a step, whatever does it. (With 12 a packing of
/// 1,350 contacts between pressed walls stopped where it is about to slip.) Where the sweeps are spent, it also follows where less is enough for a few steps.
/// Then nothing is to be gained by doubting it: its steps are counted by what they take. Fronts of packings in space are large and dense, and run at more
/// than ten times the speed of sweeps (2,890 contacts, 2.6e9 operations: 0.14 s, as long as 1,600 sweeps and not 18,000). With less a thousand pressed spheres
/// stopped after 13 steps on the first step of the run that takes a hundred. No more than where they are cheap.
const RESCUE: f64 = 40.0;
const LAST_RESCUE: f64 = 12.0;
const DENSE: f64 = 10.0;
const LAST_STEPS: f64 = 8.0;

/// Newton steps on each rung of the ladder that sweeps and Newton climb in turn; on the last what is left.
const RUNGS: [usize; 2] = [60, 240];
/// Each rung has so many times as many where it starts from none: an interior point and Newton need a hundred to come anywhere.
const FROM_NONE: usize = 4;
/// Where a rung, the first or the second, has not halved an error beyond so many tolerances, so many Newton steps are the last ones: what is that far after hundreds of them
/// jams, and thousands more come no nearer (a shorter step ends at once). Near a solution the ladder goes on.
const FAR: [f64; 2] = [50.0, 5.0];
const GAINED: f64 = 0.5;
const LAST_OF_FAR: usize = 240;
/// Work of the sweeps after a rung over that of Newton on it, and after the last.
const BESIDE: [f64; 2] = [2.0, 1.0];
/// Sweeps of a solve in turn with Newton over the limit of sweeps.
const TURNS: usize = 2;
/// Where nothing can follow the sweeps they go on to so many times their limit if they came within so many tolerances.
const ALONE: usize = 4;
const NEAR: f64 = 3.0;

/// Sweeps and Newton in turn, each for more work than before: which of them ends a packing that is about to slip nothing tells before, and
/// where it was the other one no more is lost than a multiple of what that needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rung {
    at: usize,
    /// Most steps on the last one.
    last: usize,
}

impl Rung {
    pub(crate) const FIRST: Self = Self { at: 0, last: usize::MAX };
    /// The only one where sweeps are no match for Newton.
    pub(crate) const LAST: Self = Self { at: RUNGS.len(), last: usize::MAX };

    /// What follows where the error in tolerances was `before` this rung and is `after` it.
    pub(crate) fn next(self, before: f64, after: f64) -> Option<Self> {
        let jams = FAR.get(self.at).is_some_and(|far| after > *far) && after > GAINED * before;
        match self.is_last() {
            true => None,
            false if jams => Some(Self { last: LAST_OF_FAR, ..Self::LAST }),
            false => Some(Self { at: self.at + 1, ..self }),
        }
    }

    pub(crate) const fn is_last(self) -> bool {
        self.at >= RUNGS.len()
    }

    /// Newton steps on this rung, of those that may be taken in all; and whether these are all.
    pub(crate) fn steps(self, all: usize, from_none: bool) -> (usize, bool) {
        let more = if from_none { FROM_NONE } else { 1 };
        let most = all.min(RUNGS.get(self.at).copied().unwrap_or(self.last).saturating_mul(more));
        (most, most == all || self.is_last())
    }

    /// Sweeps after this rung, by the work of Newton on it, where so many are done: no more in all than [`TURNS`] times the limit.
    pub(crate) fn sweeps(self, newton: f64, sweep: f64, done: usize, limit: usize) -> usize {
        let left = TURNS.saturating_mul(limit).saturating_sub(done);
        // the cast saturates
        left.min((BESIDE[usize::from(self.is_last())] * newton / sweep) as usize)
    }
}

/// Sweeps that may still be made where nothing can follow them, after so many.
pub(crate) fn sweeps_alone(error: f64, done: usize, settings: &SolveSettings) -> usize {
    let limit = settings.max_iterations;
    let most = if error <= NEAR * settings.tolerance { ALONE.saturating_mul(limit) } else { limit };
    most.saturating_sub(done).max(limit / 10)
}

/// Work of so many Newton steps on so many contacts, given that of one factorisation.
pub(crate) fn steps_work(contacts: usize, flops: f64, steps: f64) -> f64 {
    steps * (flops + STEP * contacts as f64)
}

/// Least work of a factorisation, as far as it is known before the problem is condensed: the contacts of a deformable body are all coupled.
pub(crate) fn least_flops<const D: usize>(problem: &ContactProblem) -> f64 {
    let body = |c: &Compliance| (D * c.contacts.len()) as f64;
    problem.compliances.iter().map(body).filter(|n| *n > BODY).map(|n| 2.0 / 3.0 * n * n * n).sum()
}

/// Work of Newton's method on so many contacts, given that of one factorisation.
pub(crate) fn newton_work(contacts: usize, flops: f64, steps: f64) -> f64 {
    SET_UP * contacts as f64 + steps_work(contacts, flops, steps)
}

/// Work of a sweep over the contacts of a compiled problem.
pub(crate) fn sweep_work(memory: &Memory) -> f64 {
    let [diagonal, full] = memory.system.kernels();
    UPDATE[0] * diagonal as f64 + UPDATE[1] * full as f64 + ENTRY * memory.system.compliance_entries() as f64
}

/// Newton steps that may be taken where sweeps of so much work each do not do; none where they would not be enough. Where the sweeps are
/// spent there is nothing else, and fewer will do: what is missing then is often little.
pub(crate) fn affordable_steps(contacts: usize, sweep: f64, flops: f64, settings: &SolveSettings, spent: bool) -> Option<usize> {
    let contacts = contacts as f64;
    let work = settings.max_iterations as f64 * sweep;
    let steps = |work: f64, flops: f64| (work - SET_UP * contacts) / (flops + STEP * contacts);
    let (enough, most) = if steps(work, flops) >= EXPECTED_STEPS {
        (true, steps(RESCUE * work, flops))
    } else {
        let most = steps(LAST_RESCUE * work, flops / DENSE).min(RESCUE * EXPECTED_STEPS);
        (spent && most >= LAST_STEPS, most)
    };
    // the cast saturates
    enough.then_some(most as usize)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    /// What jams is given up after hundreds of steps; what comes nearer, or is near, has all of them.
    #[test]
    fn what_is_far_and_comes_no_nearer_has_few_more_steps() {
        let all = |rungs: &[[f64; 2]]| {
            let (mut rung, mut steps) = (Rung::FIRST, Rung::FIRST.steps(5_000, false).0);
            for [before, after] in rungs {
                rung = rung.next(*before, *after).unwrap();
                steps += rung.steps(5_000, false).0;
            }
            assert!(rung.is_last() && rung.steps(5_000, false).1 && rung.next(1.0, 1.0).is_none());
            steps
        };
        assert_eq!(all(&[[500.0, 400.0]]), 60 + 240, "a lid of 0.5 kg on balls of 0.6 mg that it presses together in a step");
        assert_eq!(all(&[[500.0, 100.0], [100.0, 93.0]]), 60 + 240 + 240);
        assert_eq!(all(&[[500.0, 200.0], [200.0, 90.0]]), 60 + 240 + 5_000, "it comes nearer");
        assert_eq!(
            all(&[[14.0, 13.0], [13.0, 12.0]]),
            60 + 240 + 240,
            "the first steps of a column of 5,000 discs that is let go"
        );
        assert_eq!(all(&[[3.0, 2.9], [2.9, 2.8]]), 60 + 240 + 5_000, "it is near");
    }

    /// Numbers of step 417 of `models/granular/pressed-spheres.ron` with the defaults: sweeps end at 14 tolerances, and Newton needs a hundred steps.
    #[test]
    fn newton_that_follows_spent_sweeps_may_end_what_they_began() {
        let steps = |flops: f64, spent: bool| affordable_steps(2_887, 1.44e5, flops, &SolveSettings::default(), spent);
        let most = RESCUE * EXPECTED_STEPS;
        assert_eq!(steps(2.59e9, false), None, "sweeps are cheaper while there are any left");
        assert!(steps(2.59e9, true).is_some_and(|n| (100..200).contains(&n)), "{:?}", steps(2.59e9, true));
        assert_eq!(steps(1e14, true), None, "and no run waits an hour for a step");
        // what is expected to be dear has never more than what is expected to be cheap
        let mut flops = 1e6;
        while let (Some(n), cheap) = (steps(flops, true), steps(flops, false)) {
            assert!(cheap.map_or(n as f64 <= most, |cheap| cheap == n && n as f64 >= most), "{flops:e}: {n} {cheap:?}");
            flops *= 1.5;
        }
        assert!(flops > 1e10);
    }
}
