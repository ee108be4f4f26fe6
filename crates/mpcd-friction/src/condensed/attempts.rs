//! The attempts at an island: which comes when, from where it starts, what it is judged by, how much is asked of it and how many steps it has.
//! What solves lives in `condensed`.

/// Share of the tolerance asked of the condensed problem: a little less than all, as its errors are summed in another order. Where the bodies'
/// velocities say that something is missing it is asked again, within these bounds and at most so often.
const SHARE: f64 = 0.9;
const AGAIN: [f64; 2] = [1e-3, 0.5];
const ROUNDS: usize = 4;
/// Scale-free error that the last attempt asks: as much less than the tolerance as violations are larger than that error, within these bounds.
const FINER: [f64; 2] = [1e-2, 1.0];
/// Error below which rounding decides, and the least that is asked at first.
const FINEST: f64 = 1e-15;
const COLDEST: f64 = 1e-14;
/// Newton steps that are few, and the error, in tolerances, from which little is missing.
const FEW: usize = 240;
const NEAR: f64 = 10.0;
/// Islands that are accepted for themselves are accepted together: their scales add up to at most √3 times that of the whole.
pub(super) const ISLAND_SHARE: f64 = 0.577;

/// Ratio of the least mass to the greatest below which the error that decides does not tell how much is missing.
const UNEVEN: f64 = 1e-4;

/// Whether little is missing.
fn is_near(error: f64, tolerance: f64) -> bool {
    error <= NEAR * tolerance
}

/// Ways to go at an island, in their order; the first one only under heavy bodies, where much is missing (what sweeps came near is ended from there).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attempt {
    /// From none, as a stored problem: by the scale-free error, asked so finely that the light bodies are right as well. Light bodies are right
    /// last, so that an error that counts their speeds does not tell how far interior points and Newton's method have come.
    Cold,
    /// From the impulses of the sweeps, judged by what the step is accepted by.
    Warm,
    /// From none: where sweeps jam, the way past is often another one.
    Afresh,
    /// From where that came, judged by the scale-free error, which other iterates make small.
    ByResidual,
}

impl Attempt {
    const fn next(self) -> Option<Self> {
        match self {
            Self::Cold => Some(Self::Warm),
            Self::Warm => Some(Self::Afresh),
            Self::Afresh => Some(Self::ByResidual),
            Self::ByResidual => None,
        }
    }

    /// Whether it is judged by what the step is accepted by, and not by the scale-free error alone.
    pub(super) const fn is_judged_as_the_step(self) -> bool {
        matches!(self, Self::Warm | Self::Afresh)
    }
}

/// The attempt that runs, and what is asked of it.
#[derive(Debug)]
pub(super) struct Attempts {
    pub(super) now: Attempt,
    tolerance: f64,
    /// What is asked, over the tolerance.
    share: f64,
    /// Solves of this attempt that did something.
    rounds: usize,
}

impl Attempts {
    /// For this tolerance, from this error; under heavy bodies with the ratio of the least mass to the greatest.
    pub(super) fn new(tolerance: f64, error: f64, under_weights: Option<f64>) -> Self {
        let share = SHARE * ISLAND_SHARE;
        let (now, share) = match under_weights.filter(|ratio| *ratio < UNEVEN || !is_near(error, tolerance)) {
            Some(ratio) => (Attempt::Cold, (share * ratio).max(COLDEST / tolerance)),
            None => (Attempt::Warm, share),
        };
        Self { now, tolerance, share, rounds: 0 }
    }

    /// Whether anything is left to be asked.
    pub(super) fn go_on(&self) -> bool {
        self.rounds < ROUNDS && self.asked() > FINEST
    }

    /// The error that is asked.
    pub(super) fn asked(&self) -> f64 {
        self.share * self.tolerance
    }

    /// Whether it starts from no impulses. Asked more finely, the stored problem goes on from where it came.
    pub(super) fn is_from_none(&self) -> bool {
        self.now == Attempt::Afresh || self.now == Attempt::Cold && self.rounds == 0
    }

    /// Of `steps` that are left of those `allowed`, those for this attempt, the error so far being `best`. Where few are allowed and little is
    /// missing, it is found from there if at all: what starts elsewhere takes more to come as far.
    pub(super) fn part(&self, steps: usize, allowed: usize, best: f64) -> usize {
        let few = allowed <= FEW && is_near(best, self.tolerance);
        match self.now {
            Attempt::Cold => steps - steps / 4,
            Attempt::Warm if few => steps - steps / 4,
            Attempt::Warm => steps / 3,
            Attempt::Afresh => steps / 2,
            Attempt::ByResidual => steps,
        }
    }

    /// A solve is over; what was there already is no round.
    pub(super) const fn made(&mut self, something: bool) {
        self.rounds += something as usize;
    }

    /// More is asked where the last solve met what was asked and the step still misses (`best` of all errors), else the next attempt comes: the new
    /// one, or whether there is any. `scaled` is the scale-free error over the error that decides.
    pub(super) fn next(&mut self, met: bool, best: f64, scaled: f64) -> Next {
        let finer = self.share * within(0.5 * self.tolerance / best, AGAIN);
        let may_be_asked = self.rounds < ROUNDS && finer * self.tolerance > FINEST;
        if met && (may_be_asked || self.now != Attempt::Cold) {
            self.share = finer;
            return Next::Finer;
        }
        let Some(next) = self.now.next() else { return Next::Nothing };
        self.now = next;
        self.rounds = 0;
        self.share = match next {
            Attempt::Warm => SHARE * ISLAND_SHARE,
            Attempt::ByResidual => SHARE * within(scaled, FINER),
            _ => self.share,
        };
        Next::Attempt
    }
}

/// What follows a solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    Finer,
    Attempt,
    Nothing,
}

/// A ratio between two bounds; the lower one for what is no number.
fn within(ratio: f64, [least, most]: [f64; 2]) -> f64 {
    if ratio > least { ratio.min(most) } else { least }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is asked of light bodies is never below rounding, and where rounding ends the first attempt the others still have their turn.
    #[test]
    fn the_first_attempt_never_ends_the_others() {
        for ratio in [1e-3, 1e-7, 1e-12, 0.0] {
            let mut attempts = Attempts::new(1e-5, 1e-3, Some(ratio));
            assert!(attempts.go_on() && attempts.asked() >= 1e-14, "{ratio:e}: {:e}", attempts.asked());
            let mut solves = 0;
            while attempts.now == Attempt::Cold {
                assert!(attempts.go_on());
                assert_eq!(attempts.is_from_none(), solves == 0);
                attempts.made(true);
                attempts.next(true, 1e-3, 1.0);
                solves += 1;
            }
            assert!(solves <= 4 && attempts.now == Attempt::Warm && attempts.go_on() && !attempts.is_from_none());
            assert!((attempts.asked() - 1e-5 * 0.9 * 0.577).abs() < 1e-18, "asked as without heavy bodies");
        }
        assert_eq!(Attempts::new(1e-5, 1e-3, None).now, Attempt::Warm);
        assert_eq!(Attempts::new(1e-5, 2e-5, Some(1e-3)).now, Attempt::Warm, "what sweeps came near");
        assert_eq!(Attempts::new(1e-5, 2e-5, Some(1e-6)).now, Attempt::Cold, "nearness says nothing there");
    }

    /// Failing attempts follow each other to the last.
    #[test]
    fn each_attempt_has_its_turn() {
        let mut attempts = Attempts::new(1e-5, 1e-3, Some(1e-3));
        let mut seen = vec![attempts.now];
        while attempts.next(false, 1e-3, 0.05) == Next::Attempt {
            seen.push(attempts.now);
        }
        assert_eq!(seen, [Attempt::Cold, Attempt::Warm, Attempt::Afresh, Attempt::ByResidual]);
        assert!((attempts.asked() - 1e-5 * 0.9 * 0.05).abs() < 1e-18);
    }
}
