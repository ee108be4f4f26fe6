//! Time of a run: which step comes next and how long it is. Times are products, never sums, so that they carry no drift.

use serde::{Deserialize, Serialize};

use crate::model::{OnFailure, TimeSection};

/// Where a run stands in time. A full step may be taken in 2^k equal parts while it is halved.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct Position {
    /// Accepted steps, parts counted one by one.
    pub(crate) accepted: u64,
    /// Whole steps done since the start of the run.
    whole: u64,
    /// Time (s) from which full steps are counted: that at which a run ended in the middle of one, and went on.
    from: f64,
    /// Full steps done.
    full: u64,
    /// The end (s), where the last step was cut there.
    cut: Option<f64>,
    /// Smallest parts of the current full step done.
    parts: u32,
    /// How often the current step is halved.
    pub(crate) level: u8,
}

/// Steps of a run.
#[derive(Debug, Clone)]
pub(crate) struct Clock {
    step: f64,
    end: f64,
    count: u64,
    halvings: u8,
    /// How often a step that failed, and one that is too long for its accuracy, may be halved.
    failed: u8,
    adapted: u8,
    pub(crate) position: Position,
}

impl Clock {
    pub(crate) fn new(time: &TimeSection) -> Self {
        let (step, end) = (time.step.si(), time.end.si());
        let failed = if let OnFailure::Halve(times) = time.on_failure { times } else { 0 };
        let adapted = time.adapt.as_ref().map_or(0, |a| a.halvings);
        let halvings = failed.max(adapted);
        let position = Position { accepted: 0, whole: 0, from: 0.0, full: 0, cut: None, parts: 0, level: 0 };
        let mut clock = Self { step, end, count: 0, halvings, failed, adapted, position };
        clock.stand(position);
        clock
    }

    /// Goes on from a position. Where an earlier end cut a step there and this one is later, steps are counted from there.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 1e12 steps, checked when read")]
    pub(crate) fn stand(&mut self, mut position: Position) {
        if let Some(from) = position.cut.filter(|cut| self.end > *cut) {
            position = Position { from, full: 0, cut: None, ..position };
        }
        self.position = position;
        // A last step shorter than 1e-9 of a step is rounding, not a step.
        self.count = ((self.end - position.from) / self.step - 1e-9).ceil().max(1.0) as u64;
    }

    const fn all_parts(&self) -> u32 {
        1 << self.halvings
    }

    /// Number of full steps.
    pub(crate) const fn count(&self) -> u64 {
        self.count
    }

    /// Length of the full step under way: the last one ends at the end of the run.
    #[allow(clippy::cast_precision_loss, reason = "at most 1e12 steps")]
    fn full_length(&self) -> f64 {
        let last = self.end - self.position.from - (self.count - 1) as f64 * self.step;
        if self.position.full + 1 == self.count && (last - self.step).abs() > 1e-9 * self.step { last } else { self.step }
    }

    /// Time at the start of the next step (s).
    #[allow(clippy::cast_precision_loss, reason = "at most 1e12 steps")]
    pub(crate) fn time(&self) -> f64 {
        let Position { full, parts, .. } = self.position;
        if full >= self.count {
            return self.end;
        }
        self.position.from + full as f64 * self.step + f64::from(parts) / f64::from(self.all_parts()) * self.full_length()
    }

    /// Length of the next step (s).
    pub(crate) fn h(&self) -> f64 {
        self.full_length() / f64::from(1_u32 << self.position.level)
    }

    pub(crate) const fn finished(&self) -> bool {
        self.position.full >= self.count
    }

    /// Whether the next step counts where the model says `every`: one that ends a whole step, so that nothing that goes by steps is shifted
    /// where a step failed and was halved. Where the model adapts its steps, each.
    pub(crate) const fn counts(&self) -> bool {
        self.adapted > 0 || self.position.parts + (self.all_parts() >> self.position.level) == self.all_parts()
    }

    /// Steps that counted.
    pub(crate) const fn counted(&self) -> u64 {
        if self.adapted > 0 { self.position.accepted } else { self.position.whole }
    }

    /// Halves the next step, which failed; `false` if it may not be halved again.
    pub(crate) const fn halve(&mut self) -> bool {
        self.halve_below(self.failed)
    }

    /// Halves the next step, which is too long to be accurate; `false` if it may not be halved again.
    pub(crate) const fn refine(&mut self) -> bool {
        self.halve_below(self.adapted)
    }

    const fn halve_below(&mut self, most: u8) -> bool {
        let possible = self.position.level < most;
        if possible {
            self.position.level += 1;
        }
        possible
    }

    /// Counts the step as done. A halved step doubles again, where `grow` says so, as soon as it fits what is left.
    pub(crate) fn advance(&mut self, grow: bool) {
        let (all, cut) = (self.all_parts(), self.full_length() != self.step);
        let p = &mut self.position;
        p.accepted += 1;
        p.parts += all >> p.level;
        if p.parts == all {
            p.parts = 0;
            p.full += 1;
            p.whole += 1;
            p.cut = cut.then_some(self.end);
        }
        if grow && p.level > 0 && p.parts.is_multiple_of(all >> (p.level - 1)) {
            p.level -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;

    fn clock(text: &str) -> Clock {
        Clock::new(&mpcd_core::Fragment::whole(text).parse().unwrap())
    }

    /// A run that ended in the middle of a step goes on from there, and comes to the later end.
    #[test]
    fn a_later_end_goes_on_from_a_cut_step() {
        for (end, later) in [(1.03, 2.0), (1.0, 2.0), (0.05, 0.3), (1.03, 1.03)] {
            let mut clock = clock(&format!("(step: 0.1, end: {end})"));
            while !clock.finished() {
                clock.advance(true);
            }
            let stood = clock.position;
            let mut clock = super::tests::clock(&format!("(step: 0.1, end: {later})"));
            clock.stand(stood);
            assert!((clock.time() - end).abs() < 1e-14, "{end}: {}", clock.time());
            let (mut t, mut last) = (clock.time(), 0.0);
            while !clock.finished() {
                last = clock.h();
                t += last;
                clock.advance(true);
            }
            assert!((t - later).abs() < 1e-12 && (clock.time() - later).abs() < 1e-14, "{end} to {later}: {t}");
            assert!(last <= 0.1 + 1e-12);
        }
    }

    #[test]
    fn steps_end_at_the_end() {
        for (text, count, last) in [
            ("(step: 0.1, end: 1)", 10, 0.1),
            ("(step: 1e-4, end: 0.05)", 500, 1e-4),
            ("(step: 0.4, end: 1)", 3, 0.2),
            ("(step: 1, end: 1)", 1, 1.0),
        ] {
            let mut clock = clock(text);
            assert_eq!(clock.count(), count);
            let mut h = 0.0;
            while !clock.finished() {
                h = clock.h();
                clock.advance(true);
            }
            assert!((h - last).abs() < 1e-12, "{text}: {h}");
            assert!((clock.time() - clock.end).abs() < 1e-15);
        }
    }

    #[test]
    fn halved_steps_fill_the_full_one_and_grow_again() {
        let mut clock = clock("(step: 1, end: 2, on_failure: Halve(2))");
        assert!(clock.halve() && clock.halve() && !clock.halve());
        let mut taken = Vec::new();
        while !clock.finished() {
            taken.push((clock.time(), clock.h()));
            clock.advance(true);
        }
        assert_eq!(taken, [(0.0, 0.25), (0.25, 0.25), (0.5, 0.5), (1.0, 1.0)]);
        assert_eq!(clock.position.accepted, 4);
    }
}
