//! The tables, as Markdown. Nothing is run here.

use std::fmt::Write as _;

use crate::simulation::Outcome;

/// One line per run: label, sweeps and criterion of the last step, penetration, sweeps of all steps, time ratio to the first line.
#[must_use]
pub fn table(first_column: &str, rows: &[(String, Outcome)]) -> String {
    let mut text = format!(
        "| {first_column} | contacts | sweeps (last step) | ε_glob (last step) | largest −ũ_n (m/s) | deepest overlap (m) | sweeps (all) | steps missed | time in sweeps (s) | time ratio |\n\
         | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
    );
    let reference = rows.first().map_or(1.0, |row| row.1.seconds[0]);
    for (label, run) in rows {
        // writing to a string cannot fail
        let _ = writeln!(
            text,
            "| {label} | {} | {} | {:.3e} | {:.3e} | {:.2e} | {} | {} | {:.2} | {:.2} |",
            run.last.contacts,
            run.last.sweeps(),
            run.last.last().global(),
            run.last.worst_penetration,
            run.overlap,
            run.sweeps,
            run.missed,
            run.seconds[0],
            run.seconds[0] / reference
        );
    }
    text
}
