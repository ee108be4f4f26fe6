//! `mpcd fclib dump`: a run whose contact problems are stored as FCLIB files; nothing else of the run is written.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use clap::Args;
use mpcd_contact::ProblemObserver;
use mpcd_core::Step;
use mpcd_fclib::{self as fclib, Info};
use mpcd_friction::problem::ContactProblem;
use mpcd_sim::Registry;

use super::super::{ModelArgs, build, complain, say, stem};

#[derive(Args)]
pub(crate) struct DumpArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// Every how many steps a problem is stored
    #[arg(long, value_name = "N", default_value = "1")]
    every: NonZeroU64,
    /// Folder for the files [default: out/NAME-fclib]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Time at which to stop (s)
    #[arg(long, value_name = "T")]
    until: Option<f64>,
}

/// What was stored, and the first thing that went wrong.
#[derive(Default)]
struct Stored {
    /// Steps stored, ascending.
    steps: Vec<u64>,
    fault: Option<String>,
}

/// Stores the problems of the steps asked for.
struct Recorder {
    folder: PathBuf,
    name: String,
    every: u64,
    stored: Mutex<Stored>,
}

impl Recorder {
    /// A repeated step (coupling, shorter step) replaces the file: the last solve of the step stands.
    fn look(&self, step: &Step, problem: &ContactProblem, restitutes: bool) {
        let number = step.index + 1;
        let mut stored = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
        if !number.is_multiple_of(self.every) || problem.contacts.is_empty() || stored.fault.is_some() {
            return;
        }
        if restitutes {
            stored.fault = Some(format!(
                "step {number}: what is struck there gives back in problems of its own (`Poisson`, `Stronge`), which follow from the first; expected `Coulomb`"
            ));
            return;
        }
        let info = Info {
            title: format!("{}, step {number}", self.name),
            description: format!("from t = {:.9e} s, length {:.9e} s, theta {}", step.time, step.h, step.theta),
            math_info:
                "M v = H r + f, u = H^T v + w; v: free translations (m/s) and rotations about principal axes (rad/s) of the \
                        bodies, then springs of compliant contacts; r: impulses (N s), normal first; u: velocities (m/s)"
                    .to_owned(),
        };
        match fclib::dump(self.folder.join(format!("{}-{number:05}.hdf5", self.name)), problem, info) {
            Ok(()) if stored.steps.last() == Some(&number) => {}
            Ok(()) => stored.steps.push(number),
            Err(e) => stored.fault = Some(format!("step {number}: {e}")),
        }
    }
}

pub(super) fn dump(registry: Registry, args: &DumpArgs) -> Result<(), String> {
    if let Some(t) = args.until.filter(|t| !(t.is_finite() && *t > 0.0)) {
        return Err(format!("--until {t}: expected a time in seconds above zero"));
    }
    let name = stem(&args.model.model);
    let folder = args.output.clone().unwrap_or_else(|| PathBuf::from("out").join(format!("{name}-fclib")));
    let recorder = Arc::new(Recorder { folder, name, every: args.every.get(), stored: Mutex::default() });
    let observer = recorder.clone();
    let registry =
        registry.with_part(ProblemObserver::new(move |step, problem, restitutes| observer.look(step, problem, restitutes)));
    let mut simulation = build(&registry, &args.model)?;
    super::make_folder(&recorder.folder)?;
    let mut ended = Ok(());
    while !simulation.finished() && args.until.is_none_or(|t| simulation.time() < t) {
        if let Err(e) = simulation.step() {
            ended = Err(format!("the run ended early: {e}"));
            break;
        }
        if recorder.stored.lock().unwrap_or_else(PoisonError::into_inner).fault.is_some() {
            break;
        }
    }
    let stored = recorder.stored.lock().unwrap_or_else(PoisonError::into_inner);
    say(format!("{} problems in {}", stored.steps.len(), recorder.folder.display()));
    if stored.steps.is_empty() && stored.fault.is_none() {
        complain("no step asked for had a contact; try a smaller --every or a longer run");
    }
    match &stored.fault {
        Some(fault) => Err(format!("cannot store a problem: {fault}")),
        None => ended,
    }
}
