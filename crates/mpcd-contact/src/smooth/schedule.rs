//! How a model step is divided into sub-steps.

use crate::error::ContactError;

use super::stability::Limits;

/// Most sub-steps of a model step that are chosen.
const MOST: u64 = 10_000_000;
/// How much longer than wanted a sub-step may be before the rest of the model step is divided anew.
const SLACK: f64 = 1.25;

/// The rule.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Schedule {
    /// Given number, or as the contacts ask.
    pub(crate) substeps: Option<u32>,
    /// Sub-steps in a contact time.
    pub(crate) resolution: f64,
}

/// Where a model step stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plan {
    h: f64,
    elapsed: f64,
    left: u64,
    taken: u64,
}

impl Plan {
    pub(crate) fn new(h: f64) -> Self {
        Self { h, elapsed: 0.0, left: 0, taken: 0 }
    }
}

impl Schedule {
    /// Start (from the start of the model step) and length of the next sub-step (s), `None` at the end. `crossing` is the longest in which no pair comes into contact unseen (s).
    pub(crate) fn next(&self, plan: &mut Plan, limits: &Limits, crossing: f64) -> Result<Option<(f64, f64)>, ContactError> {
        if plan.taken > 0 && plan.left == 0 {
            return Ok(None);
        }
        #[allow(clippy::cast_precision_loss, reason = "counts")]
        let dt = if let Some(n) = self.substeps {
            if plan.taken == 0 {
                plan.left = u64::from(n);
            }
            plan.elapsed = plan.h * (plan.taken as f64 / f64::from(n));
            plan.h / f64::from(n)
        } else {
            self.divide(plan, limits, crossing)?
        };
        let start = plan.elapsed;
        plan.elapsed += dt;
        plan.left -= 1;
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
