//! What can stop a run. Wrong models have their own type, [`crate::ModelErrors`].

use mpcd_core::{Search, SolveError, Status, module::StateError};
use mpcd_output::OutputError;

/// A step that missed a tolerance, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Missed {
    /// Who missed it: a module, or the coupling.
    pub who: String,
    /// How the solve ended.
    pub status: Status,
    /// The residual it left.
    pub residual: f64,
    /// The tolerance asked for.
    pub tolerance: f64,
    /// Iterations it took.
    pub iterations: u64,
    /// Where it is worst and what to try there.
    pub worst: String,
    /// What did not end, where it is not the solve.
    pub search: Option<Search>,
}

impl std::fmt::Display for Missed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { who, status, residual, tolerance, iterations, worst, search } = self;
        match search {
            Some(search) => write!(f, "{who}: {} did not end", search.what)?,
            None => write!(
                f,
                "{who} ended as {} after {iterations} iterations with a residual of {residual:.3e} (tolerance {tolerance:.1e})",
                status.name()
            )?,
        }
        if worst.is_empty() { Ok(()) } else { write!(f, "\n  {worst}") }
    }
}

/// Words and a number of times; none for zero.
fn times(number: u8, words: &str) -> String {
    match number {
        0 => String::new(),
        1 => format!("{words} once"),
        n => format!("{words} {n} times"),
    }
}

/// What may take a step that was missed; more iterations only where they had not ended by themselves.
fn to_try(missed: &Missed, halved: bool) -> String {
    let who = &missed.who;
    if let Some(search) = &missed.search {
        return match (search.more, halved) {
            (Some(more), false) => format!("Two things to try: a shorter `step` in `time`, or more `{more}` of {who}."),
            (Some(more), true) => format!("Shorter steps missed it too. To try: more `{more}` of {who}."),
            (None, false) => "To try: a shorter `step` in `time`.".to_owned(),
            (None, true) => "Shorter steps missed it too.".to_owned(),
        };
    }
    match (missed.status == Status::Stalled, halved) {
        (false, false) => format!("Two things to try: a shorter `step` in `time`, or a larger `max_iterations` of {who}."),
        (false, true) => format!("Shorter steps missed it too. To try: a larger `max_iterations` of {who}."),
        (true, false) => "To try: a shorter `step` in `time`; more iterations would not help.".to_owned(),
        (true, true) => "Shorter steps missed it too, and more iterations would not help.".to_owned(),
    }
}

/// What stops a run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A step missed a tolerance and the model says to stop.
    #[error(
        "step {step} (t = {time} s, h = {h} s) is not accepted{}: {missed}\n  \
         {} A larger `{}` accepts more error, in forces and overlaps too.\n  \
         To go on in spite of it, set `on_failure: Continue` in `time`{}",
        times(*halved, ", though it was halved"),
        to_try(missed, *halved > 0),
        missed.search.map_or("tolerance", |search| search.accuracy),
        if *halved > 0 { "" } else { "; or leave `on_failure` out, and such steps are halved" }
    )]
    NotConverged {
        /// Number of the step.
        step: u64,
        /// Time at its start (s).
        time: f64,
        /// Its length (s).
        h: f64,
        /// How often it had been halved.
        halved: u8,
        /// Who missed it.
        missed: Box<Missed>,
    },
    /// A module could not compute the step.
    #[error("step {step} (t = {time} s{}): {source}", times(*halved, ", halved"))]
    Solve {
        /// Number of the step.
        step: u64,
        /// Time at its start (s).
        time: f64,
        /// How often it had been halved.
        halved: u8,
        /// What the module says.
        source: SolveError,
    },
    /// A value that is not a finite number.
    #[error(
        "step {step} (t = {time} s{}): {what} is not a finite number after module `{module}`; {}",
        times(*halved, ", halved"),
        if *motion {
            "the motion has diverged. Try a shorter `step` in `time`, and look for overlaps at the start with `mpcd check`"
        } else {
            "a value of the model is so large or small that what the module makes of it leaves the range of numbers, or the field grows \
             from step to step. Correct the values that this module reads, or try a shorter `step` in `time`"
        }
    )]
    NotFinite {
        /// Number of the step.
        step: u64,
        /// Time at its start (s).
        time: f64,
        /// How often it had been halved.
        halved: u8,
        /// Module after which it was found.
        module: String,
        /// Which value.
        what: String,
        /// Whether it is of the motion of a body, not of a field.
        motion: bool,
    },
    /// A field that limits the step changes too much in the shortest one.
    #[error(
        "step {step} (t = {time} s, h = {h} s) is not accepted: the field `{field}` changes by {change:.3e} in it, {ratio:.3} times what \
         `adapt` accepts, and the step was halved {halved} times already. Allow more `halvings`, or a larger change of `{field}`; where a load or a \
         source jumps, let it rise over a time"
    )]
    TooCoarse {
        /// Number of the step.
        step: u64,
        /// Time at its start (s).
        time: f64,
        /// Its length (s).
        h: f64,
        /// How often it had been halved.
        halved: u8,
        /// The field.
        field: &'static str,
        /// Its change, in its unit.
        change: f64,
        /// The change over what is accepted.
        ratio: f64,
    },
    /// A module asks for a shorter step than the model allows.
    #[error(
        "step {step} (t = {time} s): the module `{module}` takes steps of at most {longest:.3e} s from here, and {h:.3e} s, halved {halved} times, is the \
         shortest that `adapt` allows; allow more `halvings`, or make `step` shorter"
    )]
    TooLong {
        /// Number of the step.
        step: u64,
        /// Time at its start (s).
        time: f64,
        /// Its length (s).
        h: f64,
        /// How often it had been halved.
        halved: u8,
        /// The module.
        module: &'static str,
        /// The longest step that it would take (s).
        longest: f64,
    },
    /// Writing failed.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A checkpoint could not be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The state of a module could not be written or read.
    #[error(transparent)]
    State(#[from] StateError),
}

impl RunError {
    /// Whether a shorter step would fail as well.
    pub(crate) fn is_at_any_step(&self) -> bool {
        matches!(self, Self::Solve { source, .. } if source.at_any_step)
    }

    /// What happened, in one line, without what to try.
    pub(crate) fn fault(&self) -> String {
        let words = match self {
            Self::NotConverged { step, time, h, missed, .. } => format!("step {step} (t = {time} s, h = {h} s): {missed}"),
            other => other.to_string(),
        };
        words.lines().next().unwrap_or_default().to_owned()
    }
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// There is none.
    #[error("there is no checkpoint in `{folder}`; run without `--resume`, or name the folder of the earlier run with `-o`")]
    Missing {
        /// Folder looked into.
        folder: String,
    },
    /// It could not be read.
    #[error("cannot read the checkpoint `{file}`: {source}")]
    Read {
        /// The file.
        file: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// It is damaged.
    #[error(
        "the checkpoint `{file}` is damaged ({problem}); remove it to resume from the one before, or start afresh with `--overwrite`"
    )]
    Damaged {
        /// The file.
        file: String,
        /// What is wrong.
        problem: String,
    },
    /// Another version wrote it.
    #[error(
        "the checkpoint `{file}` was written by mpcd {found}, this is mpcd {expected}; resume with the version that wrote it, or start afresh with `--overwrite`"
    )]
    Version {
        /// The file.
        file: String,
        /// Version that wrote it.
        found: String,
        /// This version.
        expected: String,
    },
    /// It belongs to another model.
    #[error(
        "the checkpoint `{file}` belongs to another model or other `--set` values (digest {found}, this model has {expected}); resume with the same model, or start afresh with `--overwrite`"
    )]
    Model {
        /// The file.
        file: String,
        /// Its digest.
        found: String,
        /// Digest of the model given.
        expected: String,
    },
    /// The run has gone on beyond the end that is wanted now.
    #[error(
        "the checkpoint `{file}` was written at t = {time:e} s, beyond `time.end`, {end:e} s; name a later end, or start afresh with `--overwrite`"
    )]
    Beyond {
        /// The file.
        file: String,
        /// Its time (s).
        time: f64,
        /// Where the model ends (s).
        end: f64,
    },
    /// It belongs to another run of the same model.
    #[error(
        "the checkpoint `{file}` belongs to another run than the frames and tables of its folder (`run.json` names it); restore the \
         checkpoint of this run, or start afresh with `--overwrite`"
    )]
    Run {
        /// The file.
        file: String,
    },
    /// Nothing says to which run the files around it belong.
    #[error(
        "the checkpoint `{file}` has no `run.json` beside it, which says to which run the frames and tables belong; restore \
         `run.json`, or start afresh with `--overwrite`"
    )]
    NoRecord {
        /// The file.
        file: String,
    },
    /// It does not fit the modules.
    #[error("the checkpoint does not fit the model: {problem}; start afresh with `--overwrite`")]
    Content {
        /// What does not fit.
        problem: String,
    },
}
