//! Momentum that nothing in the model has given: a step that leaves out bodies, or counts an impulse once where it acts twice. No law and no solver does it.

use mpcd_core::Balance;

use super::{Seen, Watchdog};

/// Part of the largest scale so far below which a step is at rest, and held against what moved before.
const RESTS: f64 = 1e-6;

/// The step is wrong.
#[derive(Debug)]
pub(super) struct Momentum {
    /// Over the scale of the balance.
    pub(super) limit: f64,
    /// The largest scale so far (N s).
    pub(super) most: f64,
}

impl Watchdog for Momentum {
    fn name(&self) -> &'static str {
        "momentum"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        let balance = seen.momentum?;
        self.missing(balance).map(|part| {
            format!(
                "the momentum of the bodies changed by {:.2e} N s more than all that acts on them gives in the step ending at t = {:.6e} s, {part:.1e} of what moves \
                 (limit {:.0e}): the step is wrong, and that is a fault of the program; take a shorter step or another `solver`, and tell its authors",
                balance.remainder().norm(),
                seen.step.end(),
                self.limit
            )
        })
    }
}

impl Momentum {
    /// What a balance leaves open, as a part of what moves, where that is too much.
    fn missing(&mut self, balance: &Balance) -> Option<f64> {
        self.most = self.most.max(balance.scale);
        let part = balance.imbalance_of(balance.scale.max(RESTS * self.most));
        (part > self.limit || part.is_nan()).then_some(part)
    }
}

#[cfg(test)]
mod tests {
    use mpcd_core::Book;

    use super::*;

    /// A body that does not fall is seen; what is left of a motion that has ended is not.
    #[test]
    fn what_nothing_gave_is_seen() {
        let mut dog = Momentum { limit: 1e-3, most: 0.0 };
        let step = |scale: f64, change: f64, gravity: f64| {
            Balance::new(Book::Momentum, scale).store("bodies", 0.0, change).flow("gravity", gravity)
        };
        assert_eq!(dog.missing(&step(10.0, 3.0, 3.0)), None);
        assert_eq!(dog.missing(&step(6.0, 1.0, 3.0)), Some(2.0 / 6.0));
        assert_eq!(dog.missing(&step(1e-9, 5e-10, 0.0)), None);
        assert!(dog.missing(&step(1.0, f64::NAN, 0.0)).is_some());
    }
}
