//! Steps of unequal length: what limits the next one. Where a run stands in time is in `clock`, how a step runs in `step`.
//!
//! The estimate of the error of the coupling is the change of an exchanged field over the step: a module that reads the field of the step
//! before reads it wrong by just that, so it is what the first repetition of an iterated coupling would correct. It falls as the step. A field
//! that nothing reads (the damage of bonds) shows in the same way how much of what happens a step resolves.

use std::ops::Range;

use mpcd_core::{ContactKey, FieldSpec, InputError, Support};

use crate::{
    model::{Model, errors::Collect},
    pace::{Pace, carried},
    simulation::Simulation,
};

/// A change of at most this part of what is accepted lets the next step be twice as long: the change is then twice as large.
const GROW: f64 = 0.4;

/// What the change of fields says about a step that was computed.
pub(crate) struct Judged {
    /// Largest change over what is accepted, and in what field; 0 where nothing limits it.
    pub(crate) ratio: f64,
    pub(crate) field: &'static str,
    /// The change, in the unit of the field.
    pub(crate) change: f64,
}

impl Judged {
    pub(crate) fn accepted(&self) -> bool {
        self.ratio <= 1.0
    }

    pub(crate) fn grows(&self) -> bool {
        self.ratio <= GROW
    }
}

/// Looks up the fields whose change limits the step, among those that modules write, each with its writer's pace.
pub(crate) fn limits(model: &Model, written: &[(FieldSpec, Pace)], errors: &mut Collect) -> Vec<(FieldSpec, f64)> {
    let mut out = Vec::new();
    for section in model.time.adapt.iter().flat_map(|a| &a.change) {
        let word = &section.field;
        match written.iter().find(|(field, _)| field.name == word.text) {
            Some((field, Pace::Every(_))) => {
                let error = InputError::new(format!(
                    "`{}` changes once in several steps, as who writes it runs `every` so many: shorter ones change nothing of that",
                    field.name
                ));
                errors.push(
                    error
                        .help("adapt to another field, or give that module `substeps` or no pace")
                        .span(word.piece.of(&model.text).span()),
                );
            }
            Some((field, _)) => out.push((*field, section.by.si())),
            None => {
                let error = InputError::unknown("field of a module", &word.text, written.iter().map(|(field, _)| field.name));
                errors.push(error.span(word.piece.of(&model.text).span()));
            }
        }
    }
    out
}

/// Places of the contacts of a pair among sorted ones: a point of it that was found elsewhere before goes on with what another one had.
fn of_pair(sorted: &[ContactKey], key: &ContactKey) -> Range<usize> {
    let pair = |k: &ContactKey| (k.candidate, k.antagonist);
    sorted.partition_point(|k| pair(k) < pair(key))..sorted.partition_point(|k| pair(k) <= pair(key))
}

impl Simulation {
    /// The change of the fields that limit the step that was computed.
    pub(crate) fn judged(&self) -> Judged {
        let mut out = Judged { ratio: 0.0, field: "", change: 0.0 };
        let before: Vec<_> =
            if self.limits.is_empty() { Vec::new() } else { self.world().network.iter().map(|c| c.key).collect() };
        for (field, limit) in &self.limits {
            let (Some(old), Some(new)) = (self.fields.get(field.name), self.work.trial.get(field.name)) else { continue };
            let kept = carried(*field, old, &before, &self.work.keys);
            let row = |(a, b): (&[f64], &[f64])| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
            let rows = kept.chunks(field.components).zip(new.chunks(field.components));
            let change = if field.support == Support::Contact {
                let nearest = |(key, (kept, new)): (&ContactKey, (&[f64], &[f64]))| match before.binary_search(key) {
                    Ok(_) => row((kept, new)),
                    Err(_) => of_pair(&before, key)
                        .filter_map(|k| old.chunks(field.components).nth(k))
                        .map(|old| row((old, new)))
                        .fold(row((kept, new)), f64::min),
                };
                self.work.keys.iter().zip(rows).map(nearest).fold(0.0, f64::max)
            } else {
                rows.map(row).fold(0.0, f64::max)
            };
            if change / limit > out.ratio {
                out = Judged { ratio: change / limit, field: field.name, change };
            }
        }
        out
    }

    /// The shortest of the longest steps that the modules would take, and whose it is.
    pub(crate) fn longest_step(&self) -> Option<(&'static str, f64)> {
        let asked = self.slots.iter().filter_map(|s| Some((s.module.name(), s.module.max_dt(&self.setup, self.world())?)));
        asked.min_by(|a, b| a.1.total_cmp(&b.1))
    }
}
