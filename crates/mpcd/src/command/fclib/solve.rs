//! `mpcd fclib solve`: each file solved, judged, and written if asked.

use std::path::{Path, PathBuf};

use clap::Args;
use mpcd_fclib::{self as fclib, SolvedFile};
use mpcd_friction::local::LocalSettings;

use super::super::{complain, say, stem};
use super::{Common, row, words, write};

#[derive(Args)]
pub(crate) struct SolveArgs {
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
    /// Writes the solutions into this folder instead
    #[arg(long, value_name = "DIR")]
    solutions: Option<PathBuf>,
    /// Leaves out the test of existence and the checks of W, which can take longer than the solution
    #[arg(long)]
    quick: bool,
    /// Writes the table to this file
    #[arg(long, value_name = "OUT")]
    csv: Option<PathBuf>,
}

pub(super) fn solve(args: &SolveArgs) -> Result<(), String> {
    let settings = args.common.settings()?;
    super::known(&args.solver)?;
    if let Some(folder) = &args.solutions {
        super::make_folder(folder)?;
    }
    let mut table = format!("{}\n", fclib::TABLE_COLUMNS);
    let mut missed = 0;
    for file in &args.files {
        // One bad file does not keep the others from being solved.
        let (solved, existence) = match solve_one(file, args, &settings) {
            Ok(both) => both,
            Err(message) => {
                complain(&message);
                missed += 1;
                continue;
            }
        };
        let row = row(file, &settings, &solved, existence.as_ref().map_or("", |e| e.0));
        say(words(&row));
        if let Some((_, said)) = existence {
            say(format!("  {said}"));
        }
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

/// The solved file, and what the test of existence says: as one word and as a sentence.
type Outcome = (SolvedFile, Option<(&'static str, String)>);

fn solve_one(file: &Path, args: &SolveArgs, settings: &LocalSettings) -> Result<Outcome, String> {
    let text = |e: fclib::FclibError| e.to_string();
    if !args.quick {
        for warning in fclib::warnings(file).map_err(text)? {
            complain(&format!("{}: warning: {warning}", file.display()));
        }
    }
    let solved = fclib::solve_file(file, &args.solver, settings).map_err(text)?;
    let name = format!("{}.solution.hdf5", stem(file));
    if let Some(folder) = &args.solutions {
        solved.write(file, &folder.join(&name)).map_err(text)?;
    }
    if args.write_solution {
        solved.write(file, &file.with_file_name(&name)).map_err(text)?;
    }
    let existence = if args.quick { None } else { Some(fclib::existence_of(file).map_err(text)?) };
    Ok((solved, existence))
}
