//! Bonds that are gone although nothing damaged them.

use super::{Seen, Watchdog};

#[derive(Debug)]
pub(super) struct Bond;

impl Watchdog for Bond {
    fn name(&self) -> &'static str {
        "bond"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        let (key, _) = seen.lost.first()?;
        let stored: f64 = seen.lost.iter().map(|(_, energy)| energy).sum();
        let more = if seen.lost.len() > 1 { format!(", and {} more bonds as well", seen.lost.len() - 1) } else { String::new() };
        Some(format!(
            "a bond of {} and {} is gone in the step at t = {:.6e} s although it was not damaged{more}: no contact of the two was found where it held, and {stored:.3e} J that it stored went with it; reduce the time step, or raise `alert` so that contacts are found farther apart",
            seen.setup.body_label(key.candidate),
            seen.setup.body_label(key.antagonist),
            seen.step.time,
        ))
    }
}
