//! Fuzzing of the readers of models and of mesh files (gmsh 2.2 and 4.1, grids of VTK): makes damaged ones for as long as asked and gives each to its reader in a
//! process of its own, with a limit of time and of memory. Cases that panic, abort, hang or take too much memory are saved.
//!
//! `cargo run --release -p mpcd-tests --features fuzz --example fuzz_models -- [--seconds 60] [--seed 1] [--limit 10] [--memory 2000]
//! [--out out/fuzz] [--meshes]`; `--meshes` makes mesh files alone, `--show N` prints case N of the seed, `--read FILE` reads a file as a case.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, reason = "a program for developers")]

#[path = "../fuzz/target.rs"]
mod target;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use target::{Case, Cases};

fn option(name: &str) -> Option<String> {
    let arguments: Vec<String> = std::env::args().collect();
    arguments.iter().position(|a| a == name).and_then(|i| arguments.get(i + 1).cloned())
}

fn number(name: &str, default: u64) -> u64 {
    option(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} {text}: expected a whole number")))
}

/// Whether mesh files alone are wanted.
fn only_meshes() -> bool {
    std::env::args().any(|a| a == "--meshes")
}

fn main() -> ExitCode {
    let (seed, cases) = (number("--seed", 1), Cases::new(quick(target::models())));
    let case = |n: u64| cases.case(seed, n, only_meshes());
    if let Some(n) = option("--show") {
        std::io::stdout().write_all(case(n.parse().expect("a case number")).bytes()).expect("somebody listens");
    } else if let Some(file) = option("--read") {
        println!("{:?}", target::check(&target::registry(), &Case::read(Path::new(&file)).expect("a readable file")));
    } else if option("--from").is_some() {
        work(&case, number("--from", 0));
    } else {
        return watch(&case, seed);
    }
    ExitCode::SUCCESS
}

/// Reads case after case, and tells the number of each before it, and what went wrong after it.
fn work(make: &dyn Fn(u64) -> Case, from: u64) {
    std::panic::set_hook(Box::new(|panic| {
        println!("at {}", panic.location().map_or_else(String::new, ToString::to_string));
    }));
    let registry = target::registry();
    let mut out = std::io::stdout();
    for n in from.. {
        writeln!(out, "case {n}").and_then(|()| out.flush()).expect("somebody listens");
        if let Err(problem) = target::check(&registry, &make(n)) {
            println!("wrong {}", problem.replace('\n', " "));
        }
    }
}

/// A process that reads cases, and what it says.
struct Worker {
    child: Child,
    lines: Receiver<String>,
}

impl Worker {
    fn start(seed: u64, from: u64) -> Self {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(["--seed", &seed.to_string(), "--from", &from.to_string()]);
        command.args(only_meshes().then_some("--meshes"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("a worker");
        let (send, lines) = channel();
        let out = BufReader::new(child.stdout.take().expect("its output"));
        std::thread::spawn(move || out.lines().map_while(Result::ok).try_for_each(|line| send.send(line)));
        Self { child, lines }
    }

    /// Memory in use (MB), where the system tells.
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"));
        line.and_then(|l| l.trim().split(' ').next()?.parse::<u64>().ok()).map_or(0, |kb| kb / 1000)
    }

    fn end(mut self) -> String {
        let _ = self.child.kill();
        self.child.wait().map_or_else(|e| e.to_string(), |status| status.to_string())
    }
}

fn watch(make: &dyn Fn(u64) -> Case, seed: u64) -> ExitCode {
    let end = Instant::now() + Duration::from_secs(number("--seconds", 60));
    let (limit, memory) = (Duration::from_secs(number("--limit", 10)), number("--memory", 2000));
    let folder = PathBuf::from(option("--out").unwrap_or_else(|| "out/fuzz".to_owned()));
    let mut found: BTreeMap<String, u64> = BTreeMap::new();
    let mut report = |case: u64, kind: &str, words: &str| {
        let times = found.entry(format!("{kind} {words}")).or_default();
        *times += 1;
        if *times <= 3 {
            std::fs::create_dir_all(&folder).expect("a folder for what is found");
            let made = make(case);
            let file = folder.join(format!("{kind}-{seed}-{case}.{}", made.extension()));
            std::fs::write(&file, made.bytes()).expect("room for a case");
            println!("{kind} {words}: {}", file.display());
        }
    };
    let (mut case, mut begun, mut looked, mut place) = (0, Instant::now(), Instant::now(), String::new());
    let mut worker = Worker::start(seed, case);
    while Instant::now() < end {
        let fault = match worker.lines.recv_timeout(Duration::from_millis(50)) {
            Ok(line) => {
                match line.split_once(' ') {
                    Some(("case", n)) => (case, begun) = (n.parse().expect("a number"), Instant::now()),
                    Some(("at", here)) => here.clone_into(&mut place),
                    Some(("wrong", problem)) => report(case, "panic", &format!("{problem:.200} {place}")),
                    _ => {}
                }
                None
            }
            Err(RecvTimeoutError::Disconnected) => Some("abort"),
            Err(RecvTimeoutError::Timeout) => None,
        };
        let fault = fault.or_else(|| (begun.elapsed() > limit).then_some("hang"));
        let look = looked.elapsed() > Duration::from_millis(50);
        if look {
            looked = Instant::now();
        }
        if let Some(kind) = fault.or_else(|| (look && worker.memory() > memory).then_some("memory")) {
            let status = worker.end();
            report(case, kind, if kind == "abort" { &status } else { "" });
            worker = Worker::start(seed, case + 1);
            begun = Instant::now();
        }
    }
    worker.end();
    let faults: u64 = found.values().sum();
    println!("{case} cases of seed {seed}, {faults} went wrong in {} ways", found.len());
    if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Without packings that take as long as they are large: a case of theirs over the limit of time is none that hangs.
fn quick(models: Vec<String>) -> Vec<String> {
    models.into_iter().filter(|m| !["Deposit", "Grow", "Voronoi"].iter().any(|slow| m.contains(slow))).collect()
}
