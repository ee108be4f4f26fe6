//! Energy that nothing in the model can have given: made by impacts, which some laws of impact do, or by other contacts, by joints, or missing in the
//! book, which none may.

use mpcd_core::{Balance, Contact, Vec3};

use super::{Seen, Watchdog};
use crate::law::Restitution;

/// Impacts: a property of the law (Kane's paradox), not of its solution.
#[derive(Debug)]
pub(super) struct Impacts {
    /// Over the scale of the book.
    pub(super) limit: f64,
}

/// All else: the step is wrong.
#[derive(Debug)]
pub(super) struct Work {
    /// Over the scale of the book.
    pub(super) limit: f64,
}

impl Watchdog for Impacts {
    fn name(&self) -> &'static str {
        "impacts"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        let book = seen.energy?;
        if !seen.laws.any(|law| !matches!(law.restitution(), Restitution::None)) {
            return None;
        }
        let most: f64 = contacts(seen).filter(|c| is_struck(seen, *c)).map(|(c, _)| made(c)).sum();
        let help = "Newton restitution with friction can (Kane's paradox): write `Poisson` or `Stronge`, or less restitution";
        words(seen, book, self.limit, ("impacts", most, help))
    }
}

impl Watchdog for Work {
    fn name(&self) -> &'static str {
        "work"
    }

    fn look(&mut self, seen: &mut Seen<'_>) -> Option<String> {
        let book = seen.energy?;
        // What laws on gaps do where bodies overlap: they are pushed apart, which is work.
        let parting = |c: &Contact| c.r.x * (-c.gap).max(0.0) / seen.step.h;
        let rest: f64 = contacts(seen).filter(|c| !is_struck(seen, *c)).map(|(c, _)| made(c) - parting(c)).sum();
        let all = [
            (
                "contacts",
                rest,
                "their solution is not good enough for the masses that meet: ask for a smaller `tolerance`, or make them less different",
            ),
            ("joints", flow(book, "joints"), "reduce the time step, or make the masses of the jointed bodies less different"),
            ("an open book", book.remainder().x.abs(), "reduce the time step"),
        ];
        let worst = all.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        words(seen, book, self.limit, worst)
    }
}

/// Energy that a contact made (J).
fn made(contact: &Contact) -> f64 {
    -(contact.heat_friction + contact.heat_impact)
}

/// The contacts, and how growth moves the surfaces of each [m/s].
fn contacts<'a>(seen: &Seen<'a>) -> impl Iterator<Item = (&'a Contact, Vec3)> {
    let growth = seen.growth;
    seen.next.network.iter().enumerate().map(|(place, contact)| (contact, growth.at(place)))
}

/// Whether a contact is an impact whose law gives something back: the bodies approach faster than their surfaces shrink.
fn is_struck(seen: &Seen<'_>, (contact, growth): (&Contact, Vec3)) -> bool {
    contact.u_before.x < growth.x && !matches!(seen.laws.law(contact.law).restitution(), Restitution::None)
}

fn words(seen: &Seen<'_>, book: &Balance, limit: f64, (who, most, help): (&str, f64, &str)) -> Option<String> {
    (most > limit * book.scale).then(|| {
        format!(
            "{who} made {most:.3e} J in the step at t = {:.6e} s, {:.2e} of the energy that moves in it (limit {limit:.0e}); {help}",
            seen.step.time,
            most / book.scale,
        )
    })
}

fn flow(book: &Balance, name: &str) -> f64 {
    book.flows.iter().filter(|(n, _)| *n == name).map(|(_, amount)| amount.x).sum()
}
