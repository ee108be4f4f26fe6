//! The row of a solved problem in a CSV table: one place for the columns, for the command and the examples.

use crate::solve::SolvedFile;

/// Columns of [`table_row`], without the end of the line.
pub const TABLE_COLUMNS: &str = "problem,contacts,solver,tolerance,measure,status,iterations,err_siconos,err_q,err_scaled,err_balance,\
                                 seconds,flops,existence,stages";

/// One row: the problem's name, what was asked, and what came of it. `err_balance` is `‖M v − H r − f‖` relative to the largest of
/// the three, empty where there is no global form; seconds of the processor; stages `name:iterations` between blanks (in
/// names, blanks are hyphens).
#[must_use]
pub fn table_row(
    name: &str,
    tolerance: f64,
    measure: mpcd_friction::local::Measure,
    solved: &SolvedFile,
    existence: &str,
) -> String {
    let info = solved.info();
    let stages: Vec<String> =
        info.stages.iter().map(|s| format!("{}:{}", s.name.replace([' ', ','], "-"), s.iterations)).collect();
    format!(
        "{name},{},{},{tolerance:e},{},{},{},{:.3e},{:.3e},{:.3e},{},{:.6},{},{existence},{}",
        solved.contacts(),
        info.solver,
        measure.name(),
        info.status,
        info.iterations,
        info.errors.siconos,
        info.errors.q,
        info.errors.scaled,
        solved.balance().map_or_else(String::new, |b| format!("{b:.1e}")),
        solved.time().as_secs_f64(),
        solved.flops(),
        stages.join(" ")
    )
}
