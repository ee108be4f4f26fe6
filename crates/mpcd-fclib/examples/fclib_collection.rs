//! Solves FCLIB files with some solvers and prints a table:
//! `fclib_collection SOLVERS TOLERANCES CAP_S [--write DIR] FILE_OR_FOLDER…` (lists separated by commas).
//!
//! Besides the names of `local_solver` it knows `auto-no-sweeps`, `-no-patience`, `-no-islands`, `-no-polish`,
//! `-no-proximal`, `-no-momentum`, `-no-interior`: `auto` without one of its members. The tolerance is on err_siconos.
//! Seconds are processor time of assembly and solution on one thread. `existence` in place of SOLVERS runs the
//! sufficient test of existence: `fclib_collection existence FILE_OR_FOLDER…`.
#![allow(clippy::print_stdout, reason = "a command-line example")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mpcd_fclib::{self as fclib, SolvedFile, StoredProblem, local_solver};
use mpcd_friction::local::{Auto, LocalError, LocalSettings, LocalSolver, Measure};

fn solver<const D: usize>(name: &str) -> Result<Box<dyn LocalSolver<D>>, LocalError> {
    let all = Auto::default();
    let auto = match name {
        "auto-no-sweeps" => Auto { sweeps: 0, ..all },
        "auto-no-patience" => Auto { patient: false, ..all },
        "auto-no-islands" => Auto { islands: false, ..all },
        "auto-no-polish" => Auto { polish: false, ..all },
        "auto-no-proximal" => Auto { proximal: false, ..all },
        "auto-no-momentum" => Auto { accelerated: false, ..all },
        "auto-no-interior" => Auto { interior: false, ..all },
        _ => return local_solver(name),
    };
    Ok(Box::new(auto))
}

fn files(path: PathBuf) -> std::io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path]);
    }
    let mut list = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "hdf5") {
            list.push(path);
        }
    }
    list.sort();
    Ok(list)
}

fn solve(problem: &StoredProblem, name: &str, settings: &LocalSettings) -> Result<SolvedFile, LocalError> {
    Ok(match problem {
        StoredProblem::Planar(stored) => SolvedFile::Planar(fclib::solve(stored, &mut *solver(name)?, settings)?),
        StoredProblem::Spatial(stored) => SolvedFile::Spatial(fclib::solve(stored, &mut *solver(name)?, settings)?),
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let mut next = |what: &str| args.next().ok_or_else(|| format!("expected {what}"));
    let names = next("SOLVERS")?;
    if names == "existence" {
        for path in args.map(PathBuf::from) {
            for file in files(path)? {
                let start = Instant::now();
                let report = fclib::existence_of(&file)?.1;
                let stem = file.file_stem().unwrap_or_default().to_string_lossy();
                println!("{stem}: {report} ({:.3} s)", start.elapsed().as_secs_f64());
            }
        }
        return Ok(());
    }
    let tolerances: Vec<f64> = next("TOLERANCES")?.split(',').map(str::parse).collect::<Result<_, _>>()?;
    let cap = Duration::from_secs_f64(next("CAP_S")?.parse()?);
    let mut rest: Vec<String> = args.collect();
    let mut folder = None;
    if let Some(at) = rest.iter().position(|a| a == "--write") {
        folder = rest.get(at + 1).map(PathBuf::from);
        rest.drain(at..rest.len().min(at + 2));
    }
    println!("{}", fclib::TABLE_COLUMNS);
    for path in rest.into_iter().map(PathBuf::from) {
        for file in files(path)? {
            let problem = fclib::read(&file)?;
            let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            for &tolerance in &tolerances {
                for name in names.split(',') {
                    let settings =
                        LocalSettings { tolerance, measure: Measure::Siconos, max_iterations: None, time_limit: Some(cap) };
                    let solved = solve(&problem, name, &settings)?;
                    println!("{}", fclib::table_row(&format!("{stem}:{name}"), tolerance, Measure::Siconos, &solved, ""));
                    if let Some(folder) = &folder {
                        solved.write(&file, &Path::new(folder).join(format!("{stem}.solution.hdf5")))?;
                    }
                }
            }
        }
    }
    Ok(())
}
