//! What is counted over a run: steps, repetitions, work by method, warnings. Everything here goes into a checkpoint. How it is written into the report is not here.

use std::collections::BTreeMap;

/// What is counted over a run.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Counters {
    /// Steps accepted although they missed a tolerance.
    pub failed_steps: u64,
    /// Attempts that were rejected and done again with a shorter step.
    pub rejected: u64,
    /// Those of them that failed or that a module wanted shorter; the others were too long for what `adapt` asks.
    pub halved: u64,
    /// How the first of those failed.
    pub first_halved: Option<String>,
    /// Repetitions of the coupling cycle in all.
    pub coupling_iterations: u64,
    /// Largest residual over tolerance of any accepted step.
    pub worst_ratio: f64,
    /// The residual with that ratio.
    pub worst_residual: f64,
    /// Largest penetration over the smallest radius of any accepted step.
    pub penetration_max: f64,
    /// Steps and iterations of each method of each module, as `Module: method`; of accepted steps.
    pub solved_by: BTreeMap<String, mpcd_output::MethodWork>,
    /// Warnings of the modules, each once; those that differ in their numbers alone are one.
    pub warnings: Vec<Warned>,
    /// What watchdogs saw, by kind: the first words, and in how many steps.
    pub watched: Vec<(String, String, u64)>,
}

/// A warning, as it was said first.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Warned {
    /// The first words.
    pub words: String,
    /// The last words, where numbers in them changed.
    pub last_words: Option<String>,
    /// In how many steps it was said, 0 of what was said before the first; and in which one first and last.
    pub steps: u64,
    /// The first of these steps.
    pub first: u64,
    /// The last of them.
    pub last: u64,
}

impl Warned {
    /// The words for the report of a run of so many steps, with the steps that they hold of where they do not hold of all: a switch that is open at
    /// first says so once, and the run ends with a current.
    fn told(&self, steps: u64) -> String {
        let Self { words, last_words, steps: count, first, last } = self;
        match last_words {
            Some(last_words) => format!(
                "{words} (so in step {first}, with other numbers in {count} of {steps} steps; in step {last}: {last_words})"
            ),
            None if *count == 0 || *count == steps => words.clone(),
            None => format!("{words} (in {count} of {steps} steps, last in step {last})"),
        }
    }
}

impl Counters {
    /// Takes a warning of a step, told when it is new. What was said before with other numbers, of another step or place, is not.
    pub(crate) fn warn(&mut self, step: u64, words: &str) {
        let alike = |w: &Warned| {
            if step == 0 || w.first == 0 { w.words == words } else { without_numbers(&w.words) == without_numbers(words) }
        };
        let known = self.warnings.iter().position(|w| w.words == words).or_else(|| self.warnings.iter().position(alike));
        let place = known.unwrap_or_else(|| {
            if step > 0 {
                tracing::warn!(step, "{words}");
            } else {
                tracing::warn!("{words}");
            }
            self.warnings.push(Warned { words: words.to_owned(), first: step, ..Warned::default() });
            self.warnings.len() - 1
        });
        let warned = &mut self.warnings[place];
        if warned.words != words || warned.last_words.is_some() {
            warned.last_words = Some(words.to_owned());
        }
        // parts of a step say the same
        warned.steps += u64::from(warned.last != step);
        warned.last = step;
    }

    /// The first words of each warning.
    #[must_use]
    pub fn warning_words(&self) -> Vec<String> {
        self.warnings.iter().map(|w| w.words.clone()).collect()
    }

    /// All warnings, for the report of a run of so many steps.
    pub(crate) fn told(&self, steps: u64) -> impl Iterator<Item = String> + '_ {
        self.warnings.iter().map(move |w| w.told(steps))
    }

    /// Counts an attempt that failed, or that a module wants shorter, and is done again with half its length; the first is told.
    pub(crate) fn halve(&mut self, words: impl FnOnce() -> String) {
        self.halved += 1;
        if self.first_halved.is_none() {
            let words = words();
            tracing::warn!("done again with half its length: {words}");
            self.first_halved = Some(words);
        }
    }
}

/// The text with each number as `0` and each list of numbers as one: what stays the same of words that are said again of other values and places.
fn without_numbers(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    let mut rest = words.chars().peekable();
    while let Some(c) = rest.next() {
        if !c.is_ascii_digit() {
            out.push(c);
            continue;
        }
        let mut before = c;
        while let Some(next) =
            rest.next_if(|n| n.is_ascii_digit() || matches!(n, '.' | 'e') || (before == 'e' && matches!(n, '-' | '+')))
        {
            before = next;
        }
        let sign = out.ends_with('-');
        out.truncate(out.len() - usize::from(sign));
        out.push('0');
    }
    while out.contains("0, 0") {
        out = out.replace("0, 0", "0");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_that_differ_in_numbers_alone_are_one() {
        let mut counters = Counters::default();
        counters.warn(0, "the mesh has 3 cells");
        counters.warn(0, "the mesh has 4 cells");
        counters.warn(1, "cell 3: 1.5e-3 K");
        counters.warn(1, "cell 5: -1.6e+3 K");
        counters.warn(2, "cell 5: 17. K");
        counters.warn(4, "cells 5, 6: 17 K");
        counters.warn(5, "cells 5, 6, 9: 18 K");
        counters.warn(3, "open");
        let told: Vec<String> = counters.told(5).collect();
        assert_eq!(told[..2], ["the mesh has 3 cells", "the mesh has 4 cells"]);
        assert_eq!(told[2], "cell 3: 1.5e-3 K (so in step 1, with other numbers in 2 of 5 steps; in step 2: cell 5: 17. K)");
        assert_eq!(
            told[3],
            "cells 5, 6: 17 K (so in step 4, with other numbers in 2 of 5 steps; in step 5: cells 5, 6, 9: 18 K)"
        );
        assert_eq!(told[4..], ["open (in 1 of 5 steps, last in step 3)"]);
    }
}
