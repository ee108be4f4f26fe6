//! Energy that nothing in the model can have given: made by impacts and other contacts, by joints, or missing in the book.

use mpcd_core::{Balance, Contact};

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
        let struck = |c: &&Contact| c.u_before.x < 0.0 && matches!(seen.laws.law(c.law).restitution(), Restitution::Velocity);
        let made = |c: &Contact| -(c.heat_friction + c.heat_impact);
        let impacts: f64 = seen.next.network.iter().filter(struck).map(made).sum();
        // What laws on gaps do where bodies overlap: they are pushed apart, which is work.
        let parting = |c: &Contact| c.r.x * (-c.gap).max(0.0) / seen.step.h;
        let contacts: f64 = seen.next.network.iter().filter(|c| !struck(c)).map(|c| made(c) - parting(c)).sum();
        let joints = flow(book, "joints");
        let open = book.remainder().x.abs();
        let most = [impacts, contacts, joints, open].into_iter().fold(0.0, f64::max);
        if most <= self.limit * book.scale {
            return None;
        }
        let (who, help) = if most == impacts {
            (
                "impacts",
                "Newton restitution with friction can (Kane's paradox): write `Poisson` or `Stronge`, or less restitution",
            )
        } else if most == contacts {
            (
                "contacts",
                "their solution is not good enough for the masses that meet: ask for a smaller `tolerance`, or make them less different",
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
