//! `mpcd run`: threads, log, progress, and the words at the end. The run itself is `mpcd_sim::run`, signals are next door.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use mpcd_output::{Spread, folder::LOG};
use mpcd_sim::{Claim, Ended, Registry, RunOptions, RunSummary};
use tracing_subscriber::{Layer, filter::Targets, fmt::MakeWriter, layer::SubscriberExt, util::SubscriberInitExt};

use super::{RunArgs, build, complain, progress::Progress, say, signals::Stop, stem};

/// Runs the model. The exit code is that of a process ended by a signal where one ended the run in order.
pub(super) fn run(registry: &Registry, args: &RunArgs, verbose: u8) -> Result<ExitCode, String> {
    if let Some(t) = args.until.filter(|t| !(t.is_finite() && *t > 0.0)) {
        return Err(format!("--until {t}: expected a time in seconds above zero"));
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads(args.threads)?)
        .build()
        .map_err(|e| format!("cannot start the threads: {e}; try --threads 1"))?;
    let mut simulation = build(registry, &args.model)?;
    let folder = args.output.clone().unwrap_or_else(|| PathBuf::from("out").join(stem(&args.model.model)));
    let (resume, overwrite) = (args.resume, args.overwrite);
    let options = RunOptions { until: args.until, resume, overwrite, ..RunOptions::new(&folder) };
    // Nothing ran yet, so there is nothing to go on from.
    let claim = Claim::take(&mut simulation, &options).map_err(|e| e.to_string())?;
    log_to(&folder, verbose)?;
    let stop = Stop::watch();
    let mut progress = Progress::new(args.until);
    let outcome = pool.install(|| claim.run(&mut simulation, &stop.asked, &mut progress));
    progress.finish();
    let resume = resume_command(args, &folder);
    let summary = outcome
        .map_err(|e| format!("{e}\nwhat was reached is in {}; `{resume}` goes on from the last checkpoint", folder.display()))?;
    say(words(&summary, &stem(&args.model.model)));
    if !summary.exit_ok {
        return Err("not every step met its tolerance; see summary.json".to_owned());
    }
    if summary.ended == Ended::Interrupted {
        complain(&format!("interrupted; `{resume}` goes on from here"));
        return Ok(ExitCode::from(stop.exit_code()));
    }
    Ok(ExitCode::SUCCESS)
}

/// The command that goes on with this run.
fn resume_command(args: &RunArgs, folder: &std::path::Path) -> String {
    let sets: String = args.model.set.iter().map(|s| format!(" --set '{s}'")).collect();
    format!("mpcd run {} -o {}{sets} --resume", args.model.model.display(), folder.display())
}

fn threads(asked: Option<usize>) -> Result<usize, String> {
    match asked {
        Some(0) => Err("--threads 0: expected at least 1".to_owned()),
        Some(n) => Ok(n),
        None => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
    }
}

/// Sends log messages to `mpcd.log` in the folder, and to the terminal with -v.
fn log_to(folder: &std::path::Path, verbose: u8) -> Result<(), String> {
    let path = folder.join(LOG);
    let file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(&path)
        .map_err(|e| format!("cannot write the log {}: {e}; choose another folder with -o", path.display()))?;
    let level = match verbose {
        0 | 1 => tracing::Level::INFO,
        _ => tracing::Level::DEBUG,
    };
    let asked = std::env::var("MPCD_LOG").ok().and_then(|text| text.parse::<Targets>().ok());
    let filter = asked.unwrap_or_else(|| Targets::new().with_default(level));
    let writer = Log { file: Arc::new(file), terminal: verbose > 0 };
    // A second run in one process keeps the first log.
    let layer = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(writer).with_filter(filter);
    let _ = tracing_subscriber::registry().with(layer).try_init();
    Ok(())
}

#[derive(Clone)]
struct Log {
    file: Arc<std::fs::File>,
    terminal: bool,
}

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.terminal {
            let _ = std::io::stderr().write_all(bytes);
        }
        (&*self.file).write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        (&*self.file).flush()
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;
    fn make_writer(&self) -> Self {
        self.clone()
    }
}

/// Relative range from which a number counts as open, and how many such are shown.
const OPEN: f64 = 1e-3;
const SHOWN: usize = 12;

/// How far numbers differ between the solutions of one step.
fn spread_words(spread: &Spread) -> String {
    let mut out = format!(
        "\nspread over {} starts of the next step: forces of contacts to {:.1e} of the largest",
        spread.samples, spread.force
    );
    if spread.failed > 0 {
        let _ = write!(out, " ({} more found no solution)", spread.failed);
    }
    let open: Vec<_> = spread.columns.iter().filter(|(_, range)| range.relative() > OPEN).collect();
    for (name, range) in open.iter().take(SHOWN) {
        let _ = write!(out, "\n  {name}: {:.6e} to {:.6e}, mean {:.6e}", range.least, range.greatest, range.mean);
    }
    match open.len() {
        0 => out.push_str("; no number of modules or probes differs by more than 1e-3 of itself"),
        n if n > SHOWN => {
            let _ = write!(out, "\n  and {} more in summary.json", n - SHOWN);
        }
        _ => {}
    }
    out
}

/// What happened and where the files are.
fn words(run: &RunSummary, name: &str) -> String {
    let s = &run.summary;
    let wall = s.wall_s.get("total").copied().unwrap_or_default();
    let mut out = format!("{} steps to t = {:.6} s in {wall:.1} s", s.steps, s.time);
    let parts: Vec<String> = s
        .wall_s
        .iter()
        .filter(|(phase, t)| *phase != "total" && **t >= 0.05 * wall)
        .map(|(phase, t)| format!("{phase} {t:.1} s"))
        .collect();
    if !parts.is_empty() {
        let _ = write!(out, " ({})", parts.join(", "));
    }
    let _ = write!(
        out,
        "\nworst residual {:.2e}, largest penetration {:.2e} of the smallest radius",
        s.worst_residual, s.penetration_max
    );
    if s.failed_steps > 0 {
        let _ = write!(out, "\n{} steps missed a tolerance", s.failed_steps);
    }
    if s.halved_steps > 0 {
        let _ = write!(out, "\n{} steps failed and were done again with half their length", s.halved_steps);
    }
    let stages: Vec<String> =
        s.solved_by.iter().map(|(name, work)| format!("{name} {} in {} steps", work.iterations, work.steps)).collect();
    if !stages.is_empty() {
        let _ = write!(out, "\niterations: {}", stages.join(", "));
    }
    for (stage, picked) in
        [(": compliant", "those of springs in the limit of no compliance"), (": minimum-norm", "those of least norm")]
    {
        if let Some((_, work)) = s.solved_by.iter().find(|(name, _)| name.ends_with(stage)) {
            let _ = write!(out, "\nof the forces that rigid contacts leave open, {picked} were taken in {} steps", work.steps);
        }
    }
    let books: Vec<String> = s.books.iter().map(|(book, worst)| format!("{book} {worst:.1e}")).collect();
    if !books.is_empty() {
        let _ = write!(out, "\nbooks (largest unexplained part): {}", books.join(", "));
    }
    if !s.coupling_off.is_empty() {
        let _ = write!(out, "\ncoupling edges switched off: {}", s.coupling_off.join(", "));
    }
    if let Some(spread) = &s.spread {
        out.push_str(&spread_words(spread));
    }
    for warning in &s.warnings {
        let _ = write!(out, "\nwarning: {warning}");
    }
    let _ = write!(out, "\n{} frames; open {} in ParaView", run.frames, run.folder.join(format!("{name}.pvd")).display());
    out
}
