//! A run from its start or a checkpoint to its end: steps, frames, history, checkpoints, summary, in this order.
//! Whatever stops it, what was reached is on disk, and resuming goes on from there.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mpcd_core::Book;
use mpcd_output::{DiskSink, Frame, History, OutputError, RunOutput, Sink, Start, Summary, folder};

use crate::{
    checkpoint::{self, Beside},
    claim::{Claim, table},
    describe::{counted_twice, edge_lines, overlaps_at_start},
    error::RunError,
    probes::Distribution,
    simulation::{Simulation, Slot},
    step::StepOutcome,
};

/// How to run.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// Folder of the outputs; made where it is missing.
    pub folder: PathBuf,
    /// Stops after the step that reaches this time (s); default the end of the model.
    pub until: Option<f64>,
    /// Goes on from the checkpoint in the folder.
    pub resume: bool,
    /// Removes what an earlier run left in the folder; refused without it.
    pub overwrite: bool,
    /// Where files go.
    pub sink: Arc<dyn Sink>,
}

impl RunOptions {
    /// A fresh run to the end into `folder` on disk.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), until: None, resume: false, overwrite: false, sink: DiskSink::shared() }
    }
}

/// Looks on while a run goes: progress bars, logs.
pub trait Observer {
    /// The run starts, or goes on from a checkpoint.
    fn started(&mut self, simulation: &Simulation) {
        let _ = simulation;
    }
    /// A step was accepted.
    fn stepped(&mut self, simulation: &Simulation, outcome: &StepOutcome) {
        let _ = (simulation, outcome);
    }
}

/// Looks away.
impl Observer for () {}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The end of the model.
    Finished,
    /// The time asked for.
    Until,
    /// Asked to stop.
    Interrupted,
}

/// A run that ended in order.
#[derive(Debug, Clone)]
pub struct RunSummary {
    /// What is in `summary.json`.
    pub summary: Summary,
    /// Folder of the outputs.
    pub folder: PathBuf,
    /// Frames written, with those before a resume.
    pub frames: usize,
    /// Why it ended.
    pub ended: Ended,
    /// Whether every step met its tolerance or the model allowed otherwise.
    pub exit_ok: bool,
}

/// Takes the folder and runs a simulation that was just built. `stop` is looked at between steps.
///
/// # Errors
/// Those of [`Claim::take`] and [`Claim::run`].
pub fn run(
    simulation: &mut Simulation,
    options: &RunOptions,
    stop: &AtomicBool,
    observer: &mut dyn Observer,
) -> Result<RunSummary, RunError> {
    Claim::take(simulation, options)?.run(simulation, stop, observer)
}

/// Overlap at the start over the smallest radius that a run tells of; `check` tells of every one.
const STARTS_DEEP: f64 = 0.05;

/// Steps until the end, or until asked to stop.
pub(crate) fn drive(mut run: Run<'_>, stop: &AtomicBool, observer: &mut dyn Observer) -> Result<RunSummary, RunError> {
    let options = run.options;
    if run.simulation.steps() == 0 {
        for words in overlaps_at_start(run.simulation, STARTS_DEEP) {
            run.simulation.counters.warn(0, &words);
        }
    }
    observer.started(run.simulation);
    let reached = |s: &Simulation| options.until.is_some_and(|t| s.time() >= t - 1e-9 * s.model.time.step.si());
    let ended = loop {
        if run.simulation.finished() {
            break Ended::Finished;
        }
        if reached(run.simulation) {
            break Ended::Until;
        }
        if stop.load(Ordering::Relaxed) {
            break Ended::Interrupted;
        }
        match run.simulation.step() {
            Ok(outcome) => {
                run.record(&outcome)?;
                observer.stepped(run.simulation, &outcome);
            }
            Err(error) => {
                // The step's own error is the one to tell, whatever happens while saving what was reached.
                if let Err(other) = run.finish(Some(error.to_string())) {
                    tracing::error!("while saving after a failed step: {other}");
                }
                return Err(error);
            }
        }
    };
    let summary = run.finish(None)?;
    let frames = run.output.saved().frames;
    Ok(RunSummary { summary, folder: options.folder.clone(), frames, ended, exit_ok: true })
}

/// A run under way.
pub(crate) struct Run<'a> {
    simulation: &'a mut Simulation,
    options: &'a RunOptions,
    /// The run that its checkpoints belong to.
    id: &'a str,
    output: RunOutput,
    history: History,
    /// One file for each distribution of the model.
    distributions: Vec<History>,
    every: Cadence,
    /// Step of the last frame and of the last checkpoint.
    framed: Option<u64>,
    /// Whether that frame is there because the run stopped where none was due.
    shown: bool,
    checkpointed: Option<u64>,
    last_time: f64,
    started: Instant,
    writing: Duration,
    saving: Duration,
    /// When the last checkpoint was written, and how long that took.
    waited: Option<(Instant, Duration)>,
}

/// Time between checkpoints that come with frames, over the time that one takes.
const REST: u32 = 20;

/// When a frame is due.
pub(crate) enum Cadence {
    Steps(u64),
    Time(f64),
}

impl Cadence {
    pub(crate) fn of(simulation: &Simulation) -> Self {
        let output = &simulation.model.output;
        match (output.every, output.interval) {
            (Some(steps), _) => Self::Steps(steps.into()),
            (None, Some(interval)) => Self::Time(interval.si()),
            (None, None) => Self::Steps(simulation.step_count().div_ceil(100).max(1)),
        }
    }

    /// Frames of a run of this many steps to this time (s), with the first and the last.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an estimate, cut to the range")]
    pub(crate) fn frames(&self, steps: u64, end: f64) -> u64 {
        let due = match self {
            Self::Steps(n) => steps.div_ceil(*n),
            Self::Time(interval) => ((end / interval - 1e-9).ceil() as u64).min(steps),
        };
        due.saturating_add(1)
    }

    fn due(&self, counted: Option<u64>, before: f64, now: f64) -> bool {
        match self {
            Self::Steps(n) => counted.is_some_and(|step| step.is_multiple_of(*n)),
            Self::Time(interval) => (now / interval + 1e-9).floor() > (before / interval + 1e-9).floor(),
        }
    }
}

impl<'a> Run<'a> {
    pub(crate) fn start(simulation: &'a mut Simulation, claim: &'a Claim) -> Result<Self, RunError> {
        let started = Instant::now();
        let (options, start, frames) = (&claim.options, claim.start, claim.frames);
        let resumed = if let Start::Resume { step, .. } = start { Some(step) } else { None };
        let output = RunOutput::start(options.sink.clone(), &options.folder, &simulation.model.name, frames)?;
        let columns = simulation.history_columns();
        let history = History::start(&options.sink, &options.folder.join(folder::HISTORY), &columns, start)?;
        let file = |d: &Distribution| History::start(&options.sink, &options.folder.join(table(d)), &d.columns(), frames);
        let distributions = simulation.distributions.iter().map(file).collect::<Result<_, _>>()?;
        let mut run = Self {
            every: Cadence::of(simulation),
            last_time: simulation.time(),
            simulation,
            options,
            id: &claim.record.run,
            output,
            history,
            distributions,
            framed: resumed.filter(|_| frames == start),
            shown: false,
            checkpointed: resumed,
            started,
            writing: Duration::ZERO,
            saving: Duration::ZERO,
            waited: None,
        };
        if resumed.is_none() {
            run.frame()?;
        }
        Ok(run)
    }

    /// Writes what is due after a step.
    fn record(&mut self, outcome: &StepOutcome) -> Result<(), RunError> {
        let (counted, output) = (outcome.counted, &self.simulation.model.output);
        let due = |every: Option<u32>| every.map(|n| counted.is_some_and(|step| step.is_multiple_of(n.into())));
        let (row, saved) = (due(output.history_every).unwrap_or(true), due(output.checkpoint_every));
        if row || self.simulation.finished() {
            let started = Instant::now();
            let row = self.simulation.history_row(outcome);
            self.history.append(&row).map_err(|e| e.after(self.output.saved()))?;
            self.writing += started.elapsed();
        }
        let framed = self.every.due(counted, self.last_time, outcome.time);
        self.last_time = outcome.time;
        if framed {
            self.frame()?;
        }
        if saved.unwrap_or_else(|| framed && self.rested()) {
            self.checkpoint()?;
        }
        Ok(())
    }

    fn frame(&mut self) -> Result<(), RunError> {
        let started = Instant::now();
        let frame = Frame { step: self.simulation.steps(), time: self.simulation.time() };
        self.simulation.release();
        self.output.write_frame(frame, self.simulation.frame_parts())?;
        if frame.step > 0 {
            let meshes = self.simulation.meshes_with(&[]);
            let view = self.simulation.view(self.simulation.last_h, &meshes);
            for (distribution, file) in self.simulation.distributions.iter().zip(&mut self.distributions) {
                file.append(&distribution.row(frame.step, frame.time, &view)).map_err(|e| e.after(self.output.saved()))?;
            }
        }
        self.framed = Some(frame.step);
        self.writing += started.elapsed();
        Ok(())
    }

    fn checkpoint(&mut self) -> Result<(), RunError> {
        let started = Instant::now();
        let tables = || std::iter::once(&self.history).chain(&self.distributions);
        let (run, frames) = (self.id.to_owned(), self.output.saved().frames);
        let more = usize::from(self.shown);
        let rows = tables().enumerate().map(|(k, table)| table.rows() - if k > 0 { more } else { 0 }).collect();
        let beside = Beside { run, frames: frames - more, rows, shown: self.shown };
        self.sync().map_err(|e| e.after(self.output.saved()))?;
        let options = self.options;
        checkpoint::write(self.simulation, beside, options.sink.as_ref(), &options.folder).map_err(|e| match e {
            RunError::Output(e) => RunError::Output(e.after(self.output.saved())),
            other => other,
        })?;
        self.checkpointed = Some(self.simulation.steps());
        let took = started.elapsed();
        self.saving += took;
        self.waited = Some((Instant::now(), took));
        Ok(())
    }

    /// Whether the run got on long enough since the last checkpoint: waiting for the device takes a twentieth of the time at most. A
    /// checkpoint changes nothing that is computed, so it may depend on the clock of the wall.
    fn rested(&self) -> bool {
        self.waited.is_none_or(|(end, took)| end.elapsed() >= took * REST)
    }

    /// Waits until the device has what the next checkpoint counts on.
    fn sync(&mut self) -> Result<(), OutputError> {
        self.output.sync()?;
        std::iter::once(&mut self.history).chain(&mut self.distributions).try_for_each(History::sync)
    }

    /// Last frame, checkpoint and summary.
    fn finish(&mut self, failure: Option<String>) -> Result<Summary, RunError> {
        let step = Some(self.simulation.steps());
        let framed = self.framed != step;
        if framed {
            self.frame()?;
            self.shown = !self.simulation.finished();
        }
        // one that was written before the frame does not count on it
        if framed || self.checkpointed != step {
            self.checkpoint()?;
        }
        let mut summary = self.simulation.summary();
        if let Some(samples) = self.simulation.model.output.spread.filter(|_| failure.is_none()) {
            summary.spread = Some(self.simulation.spread(samples.into())?);
        }
        summary.warnings.extend(failure);
        let mut wall = |name: &str, time: Duration| summary.wall_s.insert(name.to_owned(), time.as_secs_f64());
        wall("output", self.writing);
        wall("checkpoint", self.saving);
        wall("total", self.started.elapsed());
        summary
            .save(self.options.sink.as_ref(), &self.options.folder.join(folder::SUMMARY))
            .map_err(|e| e.after(self.output.saved()))?;
        Ok(summary)
    }
}

impl Simulation {
    /// What the run came to so far. `wall_s` has the modules and their parts only.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let counters = self.counters();
        let books = Book::ALL.iter().filter_map(|b| self.books().account(*b));
        let mut warnings: Vec<String> = self.slots.iter().flat_map(|s| s.module.warnings()).collect();
        warnings.extend(counted_twice(self));
        warnings.extend(counters.told(self.steps()));
        let watched = counters.watched.iter();
        warnings.extend(watched.map(|(what, first, count)| format!("watch `{what}`: in {count} step(s); the first: {first}")));
        warnings.extend(self.books().warnings());
        if counters.failed_steps > 0 {
            warnings.push(format!("{} step(s) were accepted although they missed a tolerance", counters.failed_steps));
        }
        if let Some(first) = &counters.first_halved {
            warnings.push(format!(
                "{} step(s) failed, or were too long for their contacts, and were done again with half their length; the first: {first}",
                counters.halved
            ));
        }
        Summary {
            mpcd_version: env!("CARGO_PKG_VERSION").to_owned(),
            model_digest: self.model.digest.clone(),
            steps: self.steps(),
            time: self.time(),
            failed_steps: counters.failed_steps,
            halved_steps: counters.halved,
            worst_residual: counters.worst_residual,
            penetration_max: counters.penetration_max,
            wall_s: self.slots.iter().flat_map(walls).collect::<BTreeMap<_, _>>(),
            solved_by: counters.solved_by.clone(),
            spread: None,
            coupling_off: edge_lines(self)
                .iter()
                .filter(|e| e.off)
                .map(|e| format!("{} -> {}: {}", e.from, e.to, e.field))
                .collect(),
            books: books.map(|a| (a.book.name().to_owned(), a.shown_worst())).collect(),
            warnings,
        }
    }
}

/// Wall time (s) of a module, and of the parts it tells apart as `Module: part`.
fn walls(slot: &Slot) -> Vec<(String, f64)> {
    let name = slot.module.name();
    let parts = slot.phases.iter().map(|(phase, time)| (format!("{name}: {phase}"), time.as_secs_f64()));
    parts.chain([(name.to_owned(), slot.wall.as_secs_f64())]).collect()
}
