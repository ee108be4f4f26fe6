//! Small stiff bodies in long steps: what tells their stress is (L/c h)² of what moves them as wholes, less than the contacts are solved for. Light rigid bodies that are
//! pressed on deformable ones: how they share their load is told by how these give way, which rounding hides beside the way that the load would take the light body.

use mpcd_core::BodyId;

use super::{Seen, Watchdog};

#[derive(Debug)]
pub(super) struct Stiff {
    /// Lengths of the body that a wave runs in a step.
    pub(super) limit: f64,
}

/// Part of what tells how contacts share their load that rounding may hide.
const HIDDEN: f64 = 1e-3;

/// A rigid body that is pressed on a deformable one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Light {
    pub(crate) body: BodyId,
    /// Part of what tells how its contacts share its load that rounding hides.
    pub(crate) hidden: f64,
}

impl Light {
    fn words(self, seen: &Seen<'_>) -> Option<String> {
        (self.hidden > HIDDEN).then(|| {
            format!(
                "{} is so light for what presses it on a deformable body in a step of {:e} s that rounding may hide {:.0e} of what tells how its contacts share its load (limit {HIDDEN:.0e}): \
                 stress below it is not to be trusted; take steps {:.0} times as short, or give the body the {:.0e}-fold mass",
                seen.setup.body_label(self.body),
                seen.step.h,
                self.hidden,
                (self.hidden / HIDDEN).sqrt().ceil(),
                self.hidden / HIDDEN,
            )
        })
    }
}

impl Watchdog for Stiff {
    fn name(&self) -> &'static str {
        "stiff"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        if let Some(words) = seen.light.and_then(|light| light.words(seen)) {
            return Some(words);
        }
        let (body, lengths) = seen.waves.filter(|(_, lengths)| *lengths > self.limit)?;
        Some(format!(
            "a wave runs {lengths:.0} times through {} in a step of {:e} s (limit {}): with several contacts on it its stress, and how they share a load, are a part of {:.0e} of what the contacts are solved for; take steps below {:.1e} s, or, where its inertia does not matter and loads hold it, `deformable: (scheme: Static)` with `theta: 1`",
            seen.setup.body_label(body),
            seen.step.h,
            self.limit,
            lengths.powi(-2),
            seen.step.h * self.limit / lengths,
        ))
    }
}
