//! Solves every FCLIB file of a folder (or the files given) with some solvers and prints a table.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line example")]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use mpcd_friction::fclib::{self, Stored, StoredProblem};
use mpcd_friction::local::{InteriorPoint, LocalSettings, LocalSolver, Measure, Nlgs, PreparedProblem};

fn solver<const D: usize>(name: &str) -> Box<dyn LocalSolver<D>> {
    let v = std::env::var("V").is_ok();
    let start = std::env::var("START").ok().and_then(|s| s.parse().ok()).unwrap_or(1.0);
    match name {
        "nlgs" => Box::new(Nlgs),
        "ip-nt" => Box::new(InteriorPoint { nt: true, smooth: false, verbose: v, start }),
        "ip-nts" => Box::new(InteriorPoint { nt: true, smooth: true, verbose: v, start }),
        "ip-aho" => Box::new(InteriorPoint { nt: false, smooth: false, verbose: v, start }),
        _ => Box::new(InteriorPoint { nt: false, smooth: true, verbose: v, start }),
    }
}

fn run<const D: usize>(file: &str, stored: &Stored<D>, names: &[&str], tol: f64, cap: f64) {
    let start = Instant::now();
    let local = stored.to_local().unwrap();
    let prepared = PreparedProblem::new(local, stored.global.as_ref()).unwrap();
    let prepare = start.elapsed().as_secs_f64();
    for name in names {
        let start = Instant::now();
        let settings = LocalSettings { tolerance: tol, measure: Measure::Siconos, max_iterations: None, time_limit: Some(Duration::from_secs_f64(cap)) };
        let mut r = vec![[0.0; D]; prepared.contacts()];
        let info = solver::<D>(name).solve(&prepared, &mut r, &settings);
        println!("{file},{D},{},{name},{tol:e},{},{},{:.3e},{:.3e},{:.3e},{:.5},{:.5}", prepared.contacts(), info.status, info.iterations, info.errors.siconos, info.errors.q, info.errors.scaled, start.elapsed().as_secs_f64(), prepare);
        for s in &info.stages {
            println!("    {} {} {:.2e}", s.name, s.iterations, s.error);
        }
    }
}

fn main() {
    let mut args = std::env::args().skip(1);
    let names = args.next().unwrap();
    let names: Vec<&str> = names.split(',').collect();
    let tols: Vec<f64> = args.next().unwrap().split(',').map(|t| t.parse().unwrap()).collect();
    let cap: f64 = args.next().unwrap().parse().unwrap();
    let mut files: Vec<PathBuf> = Vec::new();
    for a in args {
        let path = PathBuf::from(a);
        if path.is_dir() {
            files.extend(std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == "hdf5")));
        } else {
            files.push(path);
        }
    }
    files.sort();
    println!("file,dim,contacts,solver,tolerance,status,iterations,err_siconos,err_q,err_scaled,seconds,prepare");
    for f in &files {
        let stem = f.file_stem().unwrap().to_string_lossy().to_string();
        let problem = fclib::read(f).unwrap();
        for &tol in &tols {
            match &problem {
                StoredProblem::Planar(p) => run(&stem, p, &names, tol, cap),
                StoredProblem::Spatial(p) => run(&stem, p, &names, tol, cap),
            }
        }
    }
}
