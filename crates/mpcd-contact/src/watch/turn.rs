//! Deformable bodies with a law of small strain that turn: their elements take the turning for strain.

use super::{Seen, Watchdog};

#[derive(Debug)]
pub(super) struct Turn {
    /// rad
    pub(super) limit: f64,
}

impl Watchdog for Turn {
    fn name(&self) -> &'static str {
        "turn"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        let (body, angle) = seen.turned.filter(|(_, angle)| *angle > self.limit)?;
        Some(format!(
            "{} has turned by {} rad at t = {:.6e} s (limit {} rad), but its law is of small strain and takes this for a strain of {:.1e}; give its material `solid: (law: SaintVenantKirchhoff)`",
            seen.setup.body_label(body),
            // what runs away has no digits worth reading
            if angle < 1e4 { format!("{angle:.3}") } else { format!("{angle:.1e}") },
            seen.step.end(),
            self.limit,
            1.0 - angle.cos(),
        ))
    }
}
