//! Energy that nothing in the model can have given: made by impacts, by joints, or missing in the book.

use mpcd_core::Balance;

use super::{Seen, Watchdog};
use crate::law::Restitution;

#[derive(Debug)]
pub(super) struct Work {
    /// Over the scale of the book.
    pub(super) limit: f64,
}

impl Watchdog for Work {
    fn name(&self) -> &'static str {
        "work"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        let book = seen.energy?;
        let closing = seen
            .next
            .network
            .iter()
            .filter(|c| c.u_before.x < 0.0 && matches!(seen.laws.law(c.law).restitution(), Restitution::Velocity));
        let impacts: f64 = -closing.map(|c| c.heat_friction + c.heat_impact).sum::<f64>();
        let joints = flow(book, "joints");
        let open = book.remainder().x.abs();
        let most = [impacts, joints, open].into_iter().fold(0.0, f64::max);
        if most <= self.limit * book.scale {
            return None;
        }
        let (who, help) = if most == impacts {
            (
                "impacts",
                "Newton restitution with friction can (Kane's paradox): write `Poisson` or `Stronge`, or less restitution",
            )
        } else if most == joints {
            ("joints", "reduce the time step, or make the masses of the jointed bodies less different")
        } else {
            ("an open book", "reduce the time step")
        };
        Some(format!(
            "{who} made {most:.3e} J in the step at t = {:.6e} s, {:.2e} of the energy that moves in it (limit {:.0e}); {help}",
            seen.step.time,
            most / book.scale,
            self.limit,
        ))
    }
}

fn flow(book: &Balance, name: &str) -> f64 {
    book.flows.iter().filter(|(n, _)| *n == name).map(|(_, amount)| amount.x).sum()
}
