//! `mpcd fclib bench`: solvers side by side on a folder of problems; performance profiles by time and by counted operations.

use std::path::{Path, PathBuf};

use clap::Args;
use mpcd_fclib::{self as fclib, CostTable};

use super::super::{complain, say, stem};
use super::{Common, row, words, write};

#[derive(Args)]
pub(crate) struct BenchArgs {
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

pub(super) fn bench(args: &BenchArgs) -> Result<(), String> {
    let settings = args.common.settings()?;
    args.solvers.iter().try_for_each(|s| super::known(s))?;
    let files = problems(&args.folder)?;
    super::make_folder(&args.output)?;
    let mut table = format!("{}\n", fclib::TABLE_COLUMNS);
    let [mut seconds, mut flops] = [(); 2].map(|()| CostTable::new(args.solvers.iter().cloned()));
    for file in &files {
        let mut costs = Vec::with_capacity(args.solvers.len());
        for solver in &args.solvers {
            let solved = match fclib::solve_file(file, solver, &settings) {
                Ok(solved) => solved,
                Err(e) => {
                    complain(&e.to_string());
                    costs.push(None);
                    continue;
                }
            };
            let row = row(file, &settings, &solved, "");
            say(words(&row));
            table.push_str(&row);
            table.push('\n');
            costs.push(solved.info().status.is_success().then(|| [solved.time().as_secs_f64(), solved.flops() as f64]));
        }
        seconds.push(costs.iter().map(|c| c.map(|c| c[0])));
        flops.push(costs.iter().map(|c| c.map(|c| c[1])));
    }
    write(&args.output.join("runs.csv"), &table)?;
    let asked = format!("{} problems, error {:e} ({})", files.len(), settings.tolerance, settings.measure.name());
    for (costs, what, name) in [(&seconds, "processor time", "profile"), (&flops, "operations", "profile-flops")] {
        let profiles = costs.profiles();
        write(&args.output.join(format!("{name}.csv")), &fclib::profiles_to_csv(&profiles))?;
        write(&args.output.join(format!("{name}.svg")), &fclib::profiles_to_svg(&format!("{asked}, {what}"), &profiles, 1e3))?;
        for profile in &profiles {
            let solved = profile.steps.last().map_or(0.0, |(_, share)| *share);
            let least = profile.steps.first().filter(|(tau, _)| *tau <= 1.0).map_or(0.0, |(_, share)| *share);
            say(format!("{:<16} solves {:.0} %, least {what} on {:.0} %", profile.solver, 100.0 * solved, 100.0 * least));
        }
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
