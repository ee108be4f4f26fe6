//! Helpers for granular and masonry tests: run a model, read columns of its history.

use std::path::Path;

use mpcd::{Registry, StandardRegistry};
use mpcd_output::Cell;
use mpcd_sim::{Model, Simulation, StepOutcome};

/// Builds the model in `text` with `--set` values.
pub(crate) fn build(text: &str, sets: &[&str]) -> Simulation {
    let sets: Vec<String> = sets.iter().map(|s| (*s).to_owned()).collect();
    let model =
        Model::parse_with(text, "model", "model.ron", Path::new("."), &sets, &mpcd::shapes()).unwrap_or_else(|e| panic!("{e}"));
    Simulation::build(&model, &Registry::standard()).unwrap_or_else(|e| panic!("{e}"))
}

/// Does `count` steps.
pub(crate) fn steps(simulation: &mut Simulation, count: u64) -> StepOutcome {
    let mut last = None;
    for _ in 0..count {
        last = Some(simulation.step().unwrap_or_else(|e| panic!("{e}")));
    }
    last.unwrap()
}

/// The number in a column of the history after a step; `None` where it is empty.
pub(crate) fn column(simulation: &Simulation, outcome: &StepOutcome, name: &str) -> Option<f64> {
    let place = simulation.history_columns().iter().position(|c| c == name).unwrap_or_else(|| panic!("no column {name}"));
    match &simulation.history_row(outcome)[place] {
        Cell::Real(x) => Some(*x),
        Cell::Integer(i) => Some(*i as f64),
        Cell::Text(_) | Cell::Empty => None,
    }
}
