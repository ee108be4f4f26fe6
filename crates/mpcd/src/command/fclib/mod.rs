//! `mpcd fclib`: stored frictional contact problems, solved, compared, and taken from runs. What the commands share lives
//! here; reading, solving and curves are `mpcd-fclib`'s.

mod bench;
mod dump;
mod solve;

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use mpcd_fclib::{self as fclib, SolvedFile};
use mpcd_friction::local::{LocalSettings, Measure};
use mpcd_sim::Registry;

use super::stem;

#[derive(Subcommand)]
pub(super) enum FclibCommand {
    /// Solves stored problems and prints what each took
    Solve(solve::SolveArgs),
    /// Runs several solvers on a folder of problems: a table and performance profiles (CSV, SVG)
    Bench(bench::BenchArgs),
    /// Runs a model and stores the contact problems that it meets
    Dump(dump::DumpArgs),
}

/// Which error decides.
#[derive(Clone, Copy, ValueEnum)]
enum MeasureName {
    /// Scale-free
    Scaled,
    /// As Siconos scales it
    Siconos,
    /// Relative to the norm of q
    Q,
}

#[derive(Args)]
struct Common {
    /// Error to reach
    #[arg(long, default_value_t = 1e-6)]
    tolerance: f64,
    /// Which error
    #[arg(long, value_enum, default_value = "scaled")]
    measure: MeasureName,
    /// Longest time for one solve [s]
    #[arg(long)]
    time_limit: Option<f64>,
}

/// The solvers of `mpcd-fclib` join the table of names of this process.
pub(crate) fn join_solvers() {
    fclib::register_solvers();
}

pub(super) fn fclib(registry: Registry, command: &FclibCommand) -> Result<(), String> {
    match command {
        FclibCommand::Solve(args) => solve::solve(args),
        FclibCommand::Bench(args) => bench::bench(args),
        FclibCommand::Dump(args) => dump::dump(registry, args),
    }
}

impl Common {
    fn settings(&self) -> Result<LocalSettings, String> {
        let positive = |name: &str, v: f64| {
            (v.is_finite() && v > 0.0).then_some(v).ok_or_else(|| format!("--{name} {v}: expected a number above zero"))
        };
        let measure = match self.measure {
            MeasureName::Scaled => Measure::Scaled,
            MeasureName::Siconos => Measure::Siconos,
            MeasureName::Q => Measure::Q,
        };
        let time_limit = self.time_limit.map(|t| positive("time-limit", t)).transpose()?;
        Ok(LocalSettings {
            tolerance: positive("tolerance", self.tolerance)?,
            measure,
            time_limit: time_limit.and_then(|t| Duration::try_from_secs_f64(t).ok()),
            ..LocalSettings::default()
        })
    }
}

/// Refuses a name that no solver has.
fn known(solver: &str) -> Result<(), String> {
    fclib::local_solver::<3>(solver).map(drop).map_err(|e| e.to_string())
}

/// The row of a table for a solved file.
fn row(file: &Path, settings: &LocalSettings, solved: &SolvedFile, existence: &str) -> String {
    fclib::table_row(&stem(file), settings.tolerance, settings.measure, solved, existence)
}

/// A row of the table for the terminal.
fn words(row: &str) -> String {
    let mut out = String::new();
    for (name, value) in fclib::TABLE_COLUMNS.split(',').zip(row.split(',')).filter(|(_, v)| !v.is_empty()) {
        let _ = if name == "problem" { write!(out, "{value}:") } else { write!(out, " {name} {value}") };
    }
    out
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("cannot write {}: {e}; choose another place", path.display()))
}

fn make_folder(path: &Path) -> Result<(), String> {
    std::fs::create_dir_all(path).map_err(|e| format!("cannot make the folder {}: {e}; choose another with -o", path.display()))
}
