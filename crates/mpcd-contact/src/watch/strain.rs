//! Deformable bodies with a law of small strain that are strained far: their stress and volume are none of a material.

use super::{Seen, Watchdog};

#[derive(Debug)]
pub(super) struct Strain {
    pub(super) limit: f64,
}

impl Watchdog for Strain {
    fn name(&self) -> &'static str {
        "strain"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        let (body, strain) = seen.strained.filter(|(_, strain)| *strain > self.limit)?;
        Some(format!(
            "an element of {} is strained by {strain:.2} at t = {:.6e} s (limit {}), but its law is of small strain; give its material `solid: (law: NeoHookean)`, or less to bear",
            seen.setup.body_label(body),
            seen.step.end(),
            self.limit,
        ))
    }
}
