//! `summary.json`: the run in one page of numbers, for programs.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::OutputError;
use crate::sink::{Sink, write_atomically};

/// What a run came to. A number that is not finite is written as `null` and read back as NaN.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Version of mpcd that ran.
    pub mpcd_version: String,
    /// Digest of the model file and its overrides.
    pub model_digest: String,
    /// Steps done.
    pub steps: u64,
    /// Time reached (s).
    pub time: f64,
    /// Steps whose solves missed their tolerance.
    pub failed_steps: u64,
    /// Steps that failed and were done again with half their length; one that was halved twice counts twice.
    #[serde(default)]
    pub halved_steps: u64,
    /// Largest residual of any step (in the measure of the solver).
    #[serde(deserialize_with = "nan_from_null")]
    pub worst_residual: f64,
    /// Largest penetration over the smallest radius, of any step.
    #[serde(deserialize_with = "nan_from_null")]
    pub penetration_max: f64,
    /// Wall time of each phase (s).
    pub wall_s: BTreeMap<String, f64>,
    /// What each module was solved by, as `Module: method`: in how many steps it ran, and the iterations of all.
    #[serde(default)]
    pub solved_by: BTreeMap<String, MethodWork>,
    /// Coupling edges that were switched off, as `writer -> reader: field`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coupling_off: Vec<String>,
    /// Worst remainder of each book: momentum, energy, charge, electricity, heat, fluid.
    pub books: BTreeMap<String, f64>,
    /// How far numbers differ between solutions that forces leave open, where the model asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spread: Option<Spread>,
    /// What the user should know.
    pub warnings: Vec<String>,
}

/// How far numbers differ between solutions of one step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Solutions.
    pub samples: u32,
    /// Starts from which none was found.
    pub failed: u32,
    /// Largest range of the normal force of a contact, over the largest force.
    pub force: f64,
    /// Range of every number of modules and probes.
    pub columns: BTreeMap<String, Range>,
}

/// Least and greatest of some numbers, and their mean.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// Least.
    pub least: f64,
    /// Greatest.
    pub greatest: f64,
    /// Mean.
    pub mean: f64,
    /// How many there are.
    pub count: u32,
}

impl Default for Range {
    fn default() -> Self {
        Self { least: f64::INFINITY, greatest: f64::NEG_INFINITY, mean: 0.0, count: 0 }
    }
}

impl Range {
    /// Takes one more.
    pub fn take(&mut self, value: f64) {
        self.count += 1;
        self.least = self.least.min(value);
        self.greatest = self.greatest.max(value);
        self.mean += (value - self.mean) / f64::from(self.count);
    }

    /// Greatest less least, over the largest absolute value; 0 where all are 0, infinite where some are not finite.
    #[must_use]
    pub fn relative(&self) -> f64 {
        if !(self.greatest - self.least).is_finite() {
            return f64::INFINITY;
        }
        let size = self.least.abs().max(self.greatest.abs());
        if size > 0.0 { (self.greatest - self.least) / size } else { 0.0 }
    }
}

/// What a method did in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodWork {
    /// Steps in which it ran.
    pub steps: u64,
    /// Iterations of all these steps.
    pub iterations: u64,
}

impl Summary {
    /// Writes the file in one step.
    ///
    /// # Errors
    /// [`OutputError::Write`], [`OutputError::Encode`].
    pub fn save(&self, sink: &dyn Sink, path: &Path) -> Result<(), OutputError> {
        let fail = |e: serde_json::Error| OutputError::Encode { path: path.to_path_buf(), problem: e.to_string() };
        let mut text = serde_json::to_vec_pretty(self).map_err(fail)?;
        text.push(b'\n');
        write_atomically(sink, path, &text)
    }
}

fn nan_from_null<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Ok(Option::<f64>::deserialize(deserializer)?.unwrap_or(f64::NAN))
}
