//! How a model step is divided into sub-steps.

use crate::error::ContactError;

use super::stability::Limits;

/// Most sub-steps of a model step that are chosen.
const MOST: u64 = 10_000_000;
/// An implicit sub-step is cut to no less than this part of the model step.
const PIECES: u64 = 1 << 20;
/// Sub-steps that were good since the last cut, before a longer one is tried.
const GOOD: u32 = 4;
/// How much longer than wanted a sub-step may be before the rest of the model step is divided anew.
const SLACK: f64 = 1.25;

/// Who says how many sub-steps there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Division {
    /// The model.
    Given(u32),
    /// The contacts, beforehand.
    Asked,
    /// What came of a sub-step: one is tried, and halved where it does not do.
    Tried,
}

/// The rule.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Schedule {
    pub(crate) division: Division,
    /// Sub-steps in a contact time.
    pub(crate) resolution: f64,
}

/// Where a model step stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    h: f64,
    elapsed: f64,
    /// Sub-steps, or [`PIECES`] of the model step where they are tried.
    left: u64,
    taken: u64,
    /// Pieces of the sub-step on trial.
    length: u64,
    good: u32,
}

impl Plan {
    pub(crate) fn new(h: f64) -> Self {
        Self { h, elapsed: 0.0, left: 0, taken: 0, length: PIECES, good: 0 }
    }

    /// Takes the last sub-step back and halves it; false where it is as short as can be.
    pub(crate) fn cut(&mut self) -> bool {
        let cut = self.length > 1;
        if cut {
            self.left += self.length;
            self.taken -= 1;
            self.length /= 2;
            self.good = 0;
        }
        cut
    }

    /// The sub-step on trial is good.
    pub(crate) fn keep(&mut self) {
        self.good += 1;
        if self.good >= GOOD {
            (self.length, self.good) = (self.length * 2, 0);
        }
    }
}

impl Schedule {
    /// Start (from the start of the model step) and length of the next sub-step (s), `None` at the end. `crossing` is the longest in which no pair comes into contact unseen (s).
    pub(crate) fn next(&self, plan: &mut Plan, limits: &Limits, crossing: f64) -> Result<Option<(f64, f64)>, ContactError> {
        if plan.taken > 0 && plan.left == 0 {
            return Ok(None);
        }
        #[allow(clippy::cast_precision_loss, reason = "counts")]
        let (dt, used) = match self.division {
            Division::Given(n) => {
                if plan.taken == 0 {
                    plan.left = u64::from(n);
                }
                plan.elapsed = plan.h * (plan.taken as f64 / f64::from(n));
                (plan.h / f64::from(n), 1)
            }
            Division::Asked => (self.divide(plan, limits, crossing)?, 1),
            Division::Tried => {
                if plan.taken == 0 {
                    plan.left = PIECES;
                }
                let part = |pieces: u64| plan.h * (pieces as f64 / PIECES as f64);
                plan.elapsed = part(PIECES - plan.left);
                plan.length = plan.length.min(plan.left);
                while part(plan.length) > crossing && plan.length > 1 {
                    plan.length /= 2;
                }
                (part(plan.length), plan.length)
            }
        };
        let start = plan.elapsed;
        plan.elapsed += dt;
        plan.left -= used;
        plan.taken += 1;
        Ok(Some((start, dt)))
    }

    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked counts")]
    fn divide(&self, plan: &mut Plan, limits: &Limits, crossing: f64) -> Result<f64, ContactError> {
        let wanted = limits.wanted.min(crossing);
        let rest = plan.h - plan.elapsed;
        if plan.taken == 0 || rest > SLACK * wanted * plan.left as f64 {
            let needed = (rest / wanted).ceil().max(1.0);
            if needed.is_nan() || needed > MOST as f64 {
                return Err(ContactError::TooManySubsteps { needed, h: plan.h, most: MOST });
            }
            plan.left = needed as u64;
        }
        Ok(rest / plan.left as f64)
    }
}
