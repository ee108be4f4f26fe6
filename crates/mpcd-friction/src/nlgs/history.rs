//! What was seen of the errors between sweeps: when to look next, whether going on still pays, whether the impulses run away. No sweeps, no looks.

use super::PLAIN;
use crate::error::{FreeNorms, ScaledSum};

/// Sweeps after which the change of the impulses says when to look; what was seen before them is far from what is seen at the end.
const FIRST: usize = PLAIN + 2;

/// Contacts from which on looks are spared: where there are fewer, what a look costs is little, and they are made by the errors alone.
pub(super) const LARGE: usize = 2_048;

/// A look costs as much as several sweeps: where the change of the impulses says that the tolerance is not met, so many are made without one, or half as
/// many as there are.
const UNSEEN: usize = 16;

/// The error falls as this power of the change at least and at most.
const POWERS: (f64, f64) = (0.4, 1.0);

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

    pub(super) fn runs_away(&self) -> bool {
        let Some(&(now, residual, grown)) = self.looks.last() else { return false };
        let earlier = self.looks.iter().rev().find(|look| 2 * look.0 <= now);
        let without_progress = |&(_, r, g): &(usize, f64, f64)| grown > GROWN * g && residual > NOT_FALLEN * r;
        now >= SOON && self.is_great && earlier.is_some_and(without_progress)
    }
}

/// What a look saw.
#[derive(Debug, Clone, Copy)]
struct Seen {
    sweeps: usize,
    error: f64,
    /// How much the last sweep changed the impulses ([`Momentum::change`]), if that is known.
    change: Option<f64>,
}

/// When to look next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Next {
    /// Not before so many sweeps, and after so many whatever they changed.
    least: usize,
    most: usize,
    /// After so many where it is not known what they changed.
    blind: usize,
    /// The change at which the tolerance is expected to be met.
    change: f64,
}

impl Next {
    /// After so many sweeps.
    const fn at(sweeps: usize) -> Self {
        Self { least: sweeps, most: sweeps, blind: sweeps, change: 0.0 }
    }

    pub(super) fn is_due(&self, sweeps: usize, change: Option<f64>) -> bool {
        sweeps >= self.most || sweeps >= self.least && change.map_or(sweeps >= self.blind, |change| change <= self.change)
    }
}

/// Errors seen so far: when to look next, and whether going on still pays.
#[derive(Debug, Default)]
pub(super) struct History {
    /// Whether looks are spared.
    pub(super) spares: bool,
    /// The last look, and the one before it.
    last: Option<Seen>,
    before: Option<Seen>,
    best: f64,
    /// Best error at the last comparison, and the sweep of the next one.
    held: f64,
    compare_at: usize,
    stalled: bool,
}

impl History {
    /// Where the tolerance is expected: from the change of the impulses, which every sweep with momentum sees, where two looks say how the error goes by it; else
    /// from the errors of the last two looks. Between a sixteenth and a half more sweeps than there are, so that looking costs little and no solve runs on
    /// for long; a few more where there are few.
    pub(super) fn next_look(&self, sweeps: usize, tolerance: f64) -> Next {
        let (least, most) = ((sweeps / 16).max(1), (sweeps / 2).max(1));
        let Some(last) = self.last else { return Next::at(1) };
        let missing = last.error / tolerance;
        let by_rate = self.falling().map(|before| {
            let per_sweep = (before.error / last.error).ln() / (last.sweeps - before.sweeps) as f64;
            // casts saturate
            (missing.ln() / per_sweep) as usize
        });
        if self.spares && sweeps < FIRST {
            // at the start errors fall as a root of the sweeps
            let predicted = by_rate.unwrap_or((sweeps as f64 * (missing * missing - 1.0)) as usize);
            return Next::at(sweeps + predicted.clamp(1, FIRST - sweeps));
        }
        match last.change {
            Some(change) if self.spares && change > 0.0 && missing > 1.0 => Next {
                least: sweeps + least,
                most: sweeps + most.max(UNSEEN),
                blind: sweeps + most,
                change: change * missing.powf(-1.0 / self.power()),
            },
            _ => Next::at(sweeps + by_rate.filter(|_| missing > 1.0).unwrap_or(sweeps / 4).clamp(least, most)),
        }
    }

    /// The look before the last, where the error has fallen since.
    fn falling(&self) -> Option<Seen> {
        self.before.zip(self.last).filter(|(before, last)| last.error < before.error).map(|(before, _)| before)
    }

    /// The power of the change by which the error falls.
    fn power(&self) -> f64 {
        let changes = || Some((self.falling()?, self.falling()?.change?, self.last?, self.last?.change?));
        match changes() {
            Some((before, from, last, to)) if to < from => {
                ((before.error / last.error).ln() / (from / to).ln()).clamp(POWERS.0, POWERS.1)
            }
            _ => POWERS.1,
        }
    }

    /// From now on the error is measured otherwise, and is larger by `factor`: its rate is the same, what was best is forgotten.
    pub(super) fn measure_anew(&mut self, factor: f64) {
        let last = self.before.map(|seen| Seen { error: seen.error * factor, ..seen });
        *self = Self { spares: self.spares, last, best: f64::INFINITY, ..Self::default() };
    }

    pub(super) fn note(&mut self, sweeps: usize, error: f64, change: Option<f64>) {
        self.best = if self.last.is_none() { error } else { self.best.min(error) };
        self.before = self.last;
        self.last = Some(Seen { sweeps, error, change });
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

    /// Looks at a geometric sequence: few looks, little beyond the sweep where the tolerance is met.
    #[test]
    fn few_looks_and_little_overshoot() {
        for rate in [0.5_f64, 0.9, 0.99, 0.999] {
            let exact = (1e-6_f64.ln() / rate.ln()).ceil() as usize;
            let (mut history, mut sweeps, mut looks) = (History::default(), 0, 0);
            loop {
                sweeps = history.next_look(sweeps, 1e-6).most;
                let error = rate.powi(sweeps as i32);
                history.note(sweeps, error, None);
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

    /// An error that falls as a power of the change of the impulses is looked at where it meets the tolerance, with few looks before.
    #[test]
    fn the_change_of_the_impulses_says_when_to_look() {
        for power in [0.5, 0.8, 1.0] {
            for rate in [0.8_f64, 0.95, 0.99] {
                let change = |sweeps: usize| (sweeps > PLAIN).then(|| 3.0 * rate.powi(sweeps as i32));
                let error = |sweeps: usize| 0.1 * rate.powi(sweeps as i32).powf(power);
                let exact = (1..).find(|sweeps| error(*sweeps) <= 1e-4).unwrap();
                let (mut history, mut sweeps, mut looks) = (History { spares: true, ..History::default() }, 0, 0);
                while looks == 0 || error(sweeps) > 1e-4 {
                    let next = history.next_look(sweeps, 1e-4);
                    while !next.is_due(sweeps, change(sweeps)) {
                        sweeps += 1;
                    }
                    history.note(sweeps, error(sweeps), change(sweeps));
                    looks += 1;
                }
                assert!(sweeps <= exact + exact / 16 + 1, "{sweeps} {exact}");
                assert!(looks <= 14, "{looks} looks for {exact} sweeps");
            }
        }
    }

    #[test]
    fn an_error_that_stays_is_a_stall() {
        let (mut history, mut sweeps) = (History::default(), 0);
        while !history.is_stalled() {
            sweeps = history.next_look(sweeps, 1e-6).most;
            history.note(sweeps, 1e-2 + 0.5_f64.powi(sweeps as i32), None);
            assert!(sweeps < 2 * WINDOW * PATIENCE);
        }
        assert!(sweeps >= WINDOW * PATIENCE);
    }

    /// Flat from 500 to 3,500 sweeps, then falling again.
    #[test]
    fn a_plateau_is_no_stall() {
        let (mut history, mut sweeps) = (History::default(), 0);
        while sweeps < 12_000 {
            sweeps = history.next_look(sweeps, 1e-9).most;
            let error = match sweeps {
                0..500 => 1e-2 / sweeps as f64,
                500..3_500 => 2e-5,
                _ => 2e-5 * (-((sweeps - 3_499) as f64) / 1_000.0).exp(),
            };
            history.note(sweeps, error, None);
            assert!(!history.is_stalled(), "{sweeps}");
        }
    }
}
