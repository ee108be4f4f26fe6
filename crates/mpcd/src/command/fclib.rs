//! `mpcd fclib`: stored frictional contact problems, solved and compared. Reading, solving and curves are `mpcd-friction`'s.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use mpcd_friction::fclib::{self, CostTable, SolvedFile};
use mpcd_friction::local::{LOCAL_SOLVERS, LocalSettings, Measure};

use super::{complain, say, stem};

#[derive(Subcommand)]
pub(super) enum FclibCommand {
    /// Solves stored problems and prints what each took
    Solve(SolveArgs),
    /// Runs several solvers on a folder of problems: a table and performance profiles (CSV, SVG)
    Bench(BenchArgs),
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

#[derive(Args)]
pub(super) struct SolveArgs {
    /// Files (HDF5, FCLIB layout)
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Solver
    #[arg(long, default_value = "auto")]
    solver: String,
    #[command(flatten)]
    common: Common,
    /// Puts NAME.solution.hdf5, a copy with /solution, beside each file
    #[arg(long)]
    write_solution: bool,
    /// Writes the table to this file
    #[arg(long, value_name = "OUT")]
    csv: Option<PathBuf>,
}

#[derive(Args)]
pub(super) struct BenchArgs {
    /// Folder of problems
    folder: PathBuf,
    /// Solvers, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "auto,nlgs")]
    solvers: Vec<String>,
    #[command(flatten)]
    common: Common,
    /// Folder for the results
    #[arg(short, long, value_name = "DIR", default_value = "out/fclib-bench")]
    output: PathBuf,
}

pub(super) fn fclib(command: &FclibCommand) -> Result<(), String> {
    match command {
        FclibCommand::Solve(args) => solve(args),
        FclibCommand::Bench(args) => bench(args),
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

const COLUMNS: &str = "problem,contacts,solver,status,iterations,err_siconos,err_q,err_scaled,seconds,stages";

fn solve(args: &SolveArgs) -> Result<(), String> {
    let settings = args.common.settings()?;
    let mut table = format!("{COLUMNS}\n");
    let mut missed = 0;
    for file in &args.files {
        // One bad file does not keep the others from being solved.
        let solved = match solve_one(file, args, &settings) {
            Ok(solved) => solved,
            Err(message) => {
                complain(&message);
                missed += 1;
                continue;
            }
        };
        let row = row(file, &solved);
        say(words(&row));
        table.push_str(&row);
        table.push('\n');
        missed += usize::from(!solved.info().status.is_success());
    }
    if let Some(path) = &args.csv {
        write(path, &table)?;
    }
    let all = args.files.len();
    if missed == 0 { Ok(()) } else { Err(format!("{missed} of {all} problems were not solved to {:e}", settings.tolerance)) }
}

fn solve_one(file: &Path, args: &SolveArgs, settings: &LocalSettings) -> Result<SolvedFile, String> {
    for warning in fclib::warnings(file).map_err(|e| e.to_string())? {
        complain(&format!("{}: warning: {warning}", file.display()));
    }
    let solved = fclib::solve_file(file, &args.solver, settings).map_err(|e| e.to_string())?;
    if args.write_solution {
        let target = file.with_file_name(format!("{}.solution.hdf5", stem(file)));
        solved.write(file, &target).map_err(|e| e.to_string())?;
    }
    Ok(solved)
}

fn bench(args: &BenchArgs) -> Result<(), String> {
    let settings = args.common.settings()?;
    if let Some(unknown) = args.solvers.iter().find(|s| !LOCAL_SOLVERS.contains(&s.as_str())) {
        return Err(format!("no solver `{unknown}`; known: {}", LOCAL_SOLVERS.join(", ")));
    }
    let files = problems(&args.folder)?;
    let mut table = format!("{COLUMNS}\n");
    let mut costs = CostTable::new(args.solvers.iter().cloned());
    for file in &files {
        let mut times = Vec::with_capacity(args.solvers.len());
        for solver in &args.solvers {
            let solved = match fclib::solve_file(file, solver, &settings) {
                Ok(solved) => solved,
                Err(e) => {
                    complain(&e.to_string());
                    times.push(None);
                    continue;
                }
            };
            let row = row(file, &solved);
            say(words(&row));
            table.push_str(&row);
            table.push('\n');
            times.push(solved.info().status.is_success().then(|| solved.time().as_secs_f64()));
        }
        costs.push(times);
    }
    let profiles = costs.profiles();
    std::fs::create_dir_all(&args.output)
        .map_err(|e| format!("cannot make the folder {}: {e}; choose another with -o", args.output.display()))?;
    let title = format!("{} problems, error {:e} ({}), time", files.len(), settings.tolerance, settings.measure.name());
    write(&args.output.join("runs.csv"), &table)?;
    write(&args.output.join("profile.csv"), &fclib::profiles_to_csv(&profiles))?;
    write(&args.output.join("profile.svg"), &fclib::profiles_to_svg(&title, &profiles, 1e3))?;
    for profile in &profiles {
        let solved = profile.steps.last().map_or(0.0, |(_, share)| *share);
        let fastest = profile.steps.first().filter(|(tau, _)| *tau <= 1.0).map_or(0.0, |(_, share)| *share);
        say(format!("{:<16} solves {:.0} %, fastest on {:.0} %", profile.solver, 100.0 * solved, 100.0 * fastest));
    }
    say(format!("curves in {}", args.output.join("profile.svg").display()));
    Ok(())
}

/// The .hdf5 files of a folder in the order of their names, solutions left out.
fn problems(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("cannot read the folder {}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).filter(|p| is_problem(p)).collect();
    files.sort();
    if files.is_empty() { Err(format!("no .hdf5 file in {}", folder.display())) } else { Ok(files) }
}

fn is_problem(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "hdf5") && !stem(path).ends_with(".solution")
}

fn row(file: &Path, solved: &SolvedFile) -> String {
    let info = solved.info();
    let stages: Vec<String> = info.stages.iter().map(|s| format!("{}:{}", s.name, s.iterations)).collect();
    format!(
        "{},{},{},{},{},{:.3e},{:.3e},{:.3e},{:.4},{}",
        stem(file),
        solved.contacts(),
        info.solver,
        info.status,
        info.iterations,
        info.errors.siconos,
        info.errors.q,
        info.errors.scaled,
        solved.time().as_secs_f64(),
        stages.join(" ")
    )
}

/// A row of the table for the terminal.
fn words(row: &str) -> String {
    let mut out = String::new();
    for (name, value) in COLUMNS.split(',').zip(row.split(',')).filter(|(_, v)| !v.is_empty()) {
        let _ = if name == "problem" { write!(out, "{value}:") } else { write!(out, " {name} {value}") };
    }
    out
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("cannot write {}: {e}; choose another place", path.display()))
}
