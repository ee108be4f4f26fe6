//! Runs many trials and writes what they found: `cargo run --release -p mpcd-net -- --scenes 2600 --out docs/verification/net.csv`.
#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program of the command line")]

use std::{fmt::Write as _, process::ExitCode, time::Instant};

use mpcd_net::{
    Draw, Trial,
    family::{FAMILIES, trial},
    judge::{Finding, Paths, judge},
};
use rayon::prelude::*;

struct Options {
    scenes: u64,
    first: u64,
    family: Option<String>,
    out: Option<String>,
    show: bool,
    plain: bool,
}

fn options() -> Result<Options, String> {
    let mut out = Options { scenes: 100, first: 1, family: None, out: None, show: false, plain: false };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            "--scenes" => out.scenes = value()?.parse().map_err(|e| format!("--scenes: {e}"))?,
            "--first" => out.first = value()?.parse().map_err(|e| format!("--first: {e}"))?,
            "--family" => out.family = Some(value()?),
            "--out" => out.out = Some(value()?),
            "--show" => out.show = true,
            "--plain" => out.plain = true,
            _ => {
                return Err(format!(
                    "unknown option {word}; known: --scenes N, --first N, --family NAME, --out FILE, --show, --plain"
                ));
            }
        }
    }
    Ok(out)
}

fn made(seed: u64, family: Option<&str>) -> Option<Trial> {
    match family {
        None => Some(trial(seed)),
        Some(name) => FAMILIES.iter().find(|(n, _)| *n == name).map(|(_, make)| make(seed, &mut Draw::new(seed))),
    }
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(e) => {
            eprintln!("{e}");
            return ExitCode::from(2);
        }
    };
    let paths = Paths { tight: !options.plain, views: !options.plain };
    let seeds: Vec<u64> = (options.first..options.first + options.scenes).collect();
    let started = Instant::now();
    let results: Vec<(u64, &'static str, f64, Vec<Finding>)> = seeds
        .par_iter()
        .filter_map(|seed| {
            let trial = made(*seed, options.family.as_deref())?;
            if options.show {
                println!("{}", trial.scene.model(""));
            }
            let begun = Instant::now();
            let found = judge(&trial, paths);
            for f in &found {
                println!("{f}");
            }
            Some((*seed, trial.family, begun.elapsed().as_secs_f64(), found))
        })
        .collect();
    let mut table = String::from("family,seed,path,what,is,must,bound\n");
    for f in results.iter().flat_map(|r| &r.3) {
        let [is, must, bound] = f.numbers;
        let what = f.what.replace('"', "'");
        let _ = writeln!(table, "{},{},\"{}\",\"{what}\",{is:e},{must:e},{bound:e}", f.family, f.seed, f.path);
    }
    if let Some(path) = &options.out
        && let Err(e) = std::fs::write(path, table)
    {
        eprintln!("{path}: {e}");
        return ExitCode::FAILURE;
    }
    for (name, _) in FAMILIES {
        let all: Vec<_> = results.iter().filter(|r| r.1 == name).collect();
        if all.is_empty() {
            continue;
        }
        let bad = all.iter().filter(|r| !r.3.is_empty()).count();
        let time: f64 = all.iter().map(|r| r.2).sum();
        println!("{name}: {} scenes, {bad} with findings, {time:.1} s", all.len());
    }
    println!("{} scenes in {:.0} s", results.len(), started.elapsed().as_secs_f64());
    if results.iter().all(|r| r.3.is_empty()) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
