//! Distributions: how often a value occurs, as rows of a file of its own, one with every frame.

use std::sync::Arc;

use mpcd_core::{FieldSpec, InputError, Patches, Vec3, field::names, setup::Setup};
use mpcd_output::Cell;

use super::{
    choice,
    section::DistributionSection,
    view::{Choice, View},
};
use crate::{model::Word, model::errors::Collect};

const KNOWN: [&str; 4] = ["normal_force", "tangential_force", "force", "speed"];

/// Fields of contacts whose values over the points of a face add up.
const AMOUNTS: [&str; 3] = [names::CURRENT, names::HEAT, names::JOULE_POWER];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
    NormalForce,
    TangentialForce,
    Force,
    Speed,
    /// A field of [`AMOUNTS`], without its sign, of the contacts that carry some.
    Amount(&'static str),
}

/// A distribution that was checked against the model.
#[derive(Debug, Clone)]
pub(crate) struct Distribution {
    /// Name of the file without its ending.
    pub(crate) name: String,
    value: Value,
    choice: Choice,
    bins: usize,
    up_to: f64,
}

impl Distribution {
    /// Checks all distributions of a model.
    pub(crate) fn all(
        sections: &[DistributionSection],
        fields: &[FieldSpec],
        setup: &Setup,
        text: &Arc<str>,
        errors: &mut Collect,
    ) -> Vec<Self> {
        let amounts = || AMOUNTS.into_iter().filter(|a| fields.iter().any(|f| f.name == *a));
        let mut out: Vec<Self> = Vec::new();
        for section in sections {
            let at = |word: &Word| word.piece.of(text).span();
            let name = &section.name.text;
            let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-".contains(c));
            if !plain || name == "history" {
                let error = InputError::new(format!(
                    "`{name}` cannot name a file of a distribution; expected letters, digits, _ and -, and not `history`"
                ));
                errors.push(error.help("rename it, for example `forces`").span(at(&section.name)));
            }
            if out.iter().any(|d| d.name == *name) {
                let error = InputError::new(format!("two distributions are called `{name}`; expected different names"));
                errors.push(error.help("rename one of them").span(at(&section.name)));
            }
            let value = match section.of.text.as_str() {
                "normal_force" => Value::NormalForce,
                "tangential_force" => Value::TangentialForce,
                "force" => Value::Force,
                "speed" => Value::Speed,
                other => match amounts().find(|a| *a == other) {
                    Some(field) => Value::Amount(field),
                    None => {
                        let known = KNOWN.into_iter().chain(amounts());
                        errors.push(InputError::unknown("value of a distribution", other, known).span(at(&section.of)));
                        continue;
                    }
                },
            };
            let (bins, up_to) = (section.bins.unwrap_or(50), section.up_to.unwrap_or(5.0));
            if !((1..=10_000).contains(&bins) && up_to > 0.0 && up_to.is_finite()) {
                let error = InputError::new(format!(
                    "{bins} bins up to {up_to} times the mean cannot be; expected 1 to 10000 bins up to a number above zero"
                ));
                errors.push(error.help("leave `bins` and `up_to` out for 50 bins up to 5 means").span(at(&section.name)));
                continue;
            }
            let choice = choice(&section.of, (section.group.as_ref(), section.region.as_ref()), setup, text, errors);
            out.push(Self { name: name.clone(), value, choice, bins: bins as usize, up_to });
        }
        out
    }

    /// Columns of the file: step, time, how many values, their mean, then the probability density in each bin of value over mean,
    /// named by the bin's middle, and the part of the values above all bins.
    pub(crate) fn columns(&self) -> Vec<String> {
        let width = self.up_to / self.bins as f64;
        let middle = |i: usize| format!("{:.4}", (i as f64 + 0.5) * width);
        ["step", "time", "count", "mean"]
            .map(str::to_owned)
            .into_iter()
            .chain((0..self.bins).map(middle))
            .chain(["above".to_owned()])
            .collect()
    }

    /// The row of a step.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "values and bins are not negative")]
    pub(crate) fn row(&self, step: u64, time: f64, view: &View<'_>) -> Vec<Cell> {
        let values = self.values(view);
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let width = self.up_to / self.bins as f64;
        let mut counts = vec![0_u64; self.bins + 1];
        for value in values.iter().filter(|_| mean > 0.0) {
            counts[((value / mean / width) as usize).min(self.bins)] += 1;
        }
        let shown = |number: f64| Cell::from((mean > 0.0).then_some(number));
        let mut row: Vec<Cell> = vec![step.into(), time.into(), values.len().into(), shown(mean)];
        row.extend(counts[..self.bins].iter().map(|n| shown(*n as f64 / (count * width))));
        row.push(shown(counts[self.bins] as f64 / count));
        row
    }

    fn values(&self, view: &View<'_>) -> Vec<f64> {
        if self.value == Value::Speed {
            return view.grains(&self.choice).map(|i| view.world.kinematics.velocity[i].norm()).collect();
        }
        let patches = Patches::of(view.world.network);
        if let Value::Amount(field) = self.value {
            let rows = view.fields.get(field).unwrap_or(&[]);
            let sum = |p: mpcd_core::Patch<'_>| p.places().filter_map(|k| rows.get(k)).sum::<f64>().abs();
            return view.forces(&patches, &self.choice).map(sum).filter(|amount| *amount > 0.0).collect();
        }
        let of = |r: Vec3| match self.value {
            Value::NormalForce => r.x.abs() / view.h,
            Value::TangentialForce => r.y.hypot(r.z) / view.h,
            Value::Force | Value::Speed | Value::Amount(_) => r.norm() / view.h,
        };
        view.forces(&patches, &self.choice).map(|p| of(p.impulse())).collect()
    }
}
