//! Small stiff bodies in long steps: what tells their stress is (L/c h)² of what moves them as wholes, less than the contacts are solved for.

use super::{Seen, Watchdog};

#[derive(Debug)]
pub(super) struct Stiff {
    /// Lengths of the body that a wave runs in a step.
    pub(super) limit: f64,
}

impl Watchdog for Stiff {
    fn name(&self) -> &'static str {
        "stiff"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
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
