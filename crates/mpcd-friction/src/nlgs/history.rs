//! What was seen of the errors between sweeps: when to look next, whether going on still pays, whether the impulses run away. No sweeps, no looks.

use crate::error::{FreeNorms, ScaledSum};

/// Sweeps after which progress is first judged. Dense packings fall by fits and starts over thousands of sweeps.
pub(super) const PATIENCE: usize = 2_000;

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

/// Residual, and growth of the impulses since the first look, at each look.
#[derive(Debug, Default)]
pub(super) struct Growth {
    /// Something bounds the impulses, so that their growth says nothing.
    bounded: bool,
    looks: Vec<(usize, f64, f64)>,
    first: Option<f64>,
    is_great: bool,
}

impl Growth {
    pub(super) fn note(&mut self, sweeps: usize, sum: &ScaledSum, free: &FreeNorms) {
        let [residual, impulse] = sum.sizes();
        let grown = impulse - *self.first.get_or_insert(impulse);
        self.looks.push((sweeps, residual, grown));
        self.is_great = grown > GREAT * free.stopping();
    }

    /// No proof was found that impulses grow without end: from now on their growth is no reason to stop.
    pub(super) const fn bound(&mut self) {
        self.bounded = true;
    }

    pub(super) fn runs_away(&self) -> bool {
        let Some(&(now, residual, grown)) = self.looks.last() else { return false };
        if self.bounded {
            return false;
        }
        let earlier = self.looks.iter().rev().find(|look| 2 * look.0 <= now);
        let without_progress = |&(_, r, g): &(usize, f64, f64)| grown > GROWN * g && residual > NOT_FALLEN * r;
        now >= SOON && self.is_great && earlier.is_some_and(without_progress)
    }
}

/// Errors seen so far: when to look next, and whether going on still pays.
#[derive(Debug, Default)]
pub(super) struct History {
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
    pub(super) fn next_look(&self, sweeps: usize, tolerance: f64) -> usize {
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
    pub(super) fn measure_anew(&mut self, factor: f64) {
        let last = self.before.map(|(sweeps, error)| (sweeps, error * factor));
        *self = Self { last, best: f64::INFINITY, ..Self::default() };
    }

    pub(super) fn note(&mut self, sweeps: usize, error: f64) {
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

    /// Sweeps go on although they were given up.
    pub(super) const fn go_on(&mut self) {
        self.stalled = false;
    }

    pub(super) const fn is_stalled(&self) -> bool {
        self.stalled
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    /// Impulses that double with the sweeps at a constant residual run away, unless it is known that they are bounded.
    #[test]
    fn what_is_bounded_does_not_run_away() {
        let mut growth = Growth { looks: vec![(32, 1.0, 1.0), (64, 1.0, 2.0)], is_great: true, ..Growth::default() };
        assert!(growth.runs_away());
        growth.bound();
        assert!(!growth.runs_away());
    }

    /// Looks at a geometric sequence: few looks, little beyond the sweep where the tolerance is met.
    #[test]
    fn few_looks_and_little_overshoot() {
        for rate in [0.5_f64, 0.9, 0.99, 0.999] {
            let exact = (1e-6_f64.ln() / rate.ln()).ceil() as usize;
            let (mut history, mut sweeps, mut looks) = (History::default(), 0, 0);
            loop {
                sweeps = history.next_look(sweeps, 1e-6);
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
            sweeps = history.next_look(sweeps, 1e-6);
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
            sweeps = history.next_look(sweeps, 1e-9);
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
