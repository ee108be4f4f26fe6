//! What `auto` is worth: variations of stored problems, and `auto` without one of its members.
//!
//! `auto_study vary TOLERANCE CAP_S [--only NAME,NAME] FILE_OR_FOLDER…` solves variations of each file.
#![allow(clippy::print_stdout, reason = "a command-line example")]

mod vary;

use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use mpcd_fclib::{self as fclib, Stored, StoredProblem};
use mpcd_friction::local::{Auto, LocalError, LocalSettings, LocalSolver, Measure};

fn files(path: PathBuf) -> std::io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path]);
    }
    let mut list: Vec<PathBuf> = std::fs::read_dir(path)?.filter_map(|entry| entry.ok().map(|e| e.path())).collect();
    list.retain(|path| path.extension().is_some_and(|e| e == "hdf5"));
    list.sort();
    Ok(list)
}

fn solve<const D: usize>(stem: &str, stored: &Stored<D>, name: &str, settings: &LocalSettings) -> Result<(), LocalError> {
    let Some(problem) = vary::varied(stored, name)? else { return Ok(()) };
    let measures: &[Measure] = match name {
        "heavy" | "light" => &[Measure::Siconos, Measure::Scaled],
        _ => &[Measure::Siconos],
    };
    for &measure in measures {
        let mut r = vec![[0.0; D]; problem.contacts()];
        let start = Instant::now();
        let info = Auto::default().solve(&problem, &mut r, &LocalSettings { measure, ..*settings });
        let stages: Vec<String> = info.stages.iter().map(|s| format!("{} {} ({:.1e})", s.name, s.iterations, s.error)).collect();
        println!(
            "{stem},{name},{},{},{},{},{:.3e},{:.4},{}",
            measure.name(),
            problem.contacts(),
            info.status,
            info.iterations,
            measure.of(&info.errors),
            start.elapsed().as_secs_f64(),
            stages.join("; ")
        );
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let mut only: Vec<String> = vary::VARIATIONS.iter().map(|&s| s.into()).collect();
    if let Some(at) = args.iter().position(|a| a == "--only") {
        only = args.get(at + 1).ok_or("expected names after --only")?.split(',').map(Into::into).collect();
        args.drain(at..at + 2);
    }
    let mut args = args.into_iter().skip(1);
    let tolerance: f64 = args.next().ok_or("expected TOLERANCE")?.parse()?;
    let cap: f64 = args.next().ok_or("expected CAP_S")?.parse()?;
    let settings = LocalSettings { tolerance, time_limit: Some(Duration::from_secs_f64(cap)), ..LocalSettings::default() };
    for path in args.map(PathBuf::from) {
        for file in files(path)? {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let problem = fclib::read(&file)?;
            for name in &only {
                match &problem {
                    StoredProblem::Planar(stored) => solve(&stem, stored, name, &settings)?,
                    StoredProblem::Spatial(stored) => solve(&stem, stored, name, &settings)?,
                }
            }
        }
    }
    Ok(())
}
