//! Perturbed runs of one model that must give the same bits: a step rejected and done again, caches dropped, every step by modules that were
//! built anew (so that nothing depends on what `drop_caches` leaves), a run stopped half way and resumed, other numbers of threads. For tests
//! of modules and models.

use crate::{checkpoint::first_difference, error::RunError, model::ModelErrors, simulation::Simulation};

/// A perturbed run that failed, or gave other bits.
#[derive(Debug, thiserror::Error)]
pub enum TestkitError {
    /// The model cannot be built.
    #[error("the model cannot be built: {0}")]
    Model(#[from] ModelErrors),
    /// A run stopped.
    #[error("the run `{variant}` stopped: {source}")]
    Run {
        /// Which run.
        variant: String,
        /// Why.
        source: Box<RunError>,
    },
    /// The bits differ.
    #[error(
        "after step {step} the run `{variant}` differs from the plain run, first in {what}; a module keeps something outside its state or adds in an order that depends on threads"
    )]
    Differs {
        /// Which run.
        variant: String,
        /// After which step.
        step: u64,
        /// What differs first.
        what: String,
    },
    /// No pool of threads.
    #[error("cannot make a pool of {threads} threads: {problem}")]
    Threads {
        /// Number asked for.
        threads: usize,
        /// What the system says.
        problem: String,
    },
}

/// Steps that are each made by modules built anew; building a large model is not free.
const ANEW: u64 = 5;

/// Builds the simulation of a test, anew at each call.
pub type Build<'a> = &'a (dyn Fn() -> Result<Simulation, ModelErrors> + Sync);

/// Runs the first `steps` steps plainly and in every perturbed way, and compares everything that changes, bit by bit, after
/// each step.
///
/// # Errors
/// The first run that differs, and where.
pub fn same_bits(build: Build<'_>, steps: u64) -> Result<(), TestkitError> {
    let plain = record("plain", build, steps, |_| {})?;
    let compare = |variant: &str, other: &[Vec<u8>]| {
        for (step, (a, b)) in plain.iter().zip(other).enumerate() {
            if let Some(what) = first_difference(a, b) {
                return Err(TestkitError::Differs { variant: variant.to_owned(), step: step as u64 + 1, what });
            }
        }
        Ok(())
    };
    compare("a second time", &record("a second time", build, steps, |_| {})?)?;
    compare("each step rejected once", &record("each step rejected once", build, steps, Simulation::rehearse)?)?;
    compare("caches dropped", &record("caches dropped", build, steps, Simulation::drop_caches)?)?;
    compare("built anew for each step", &anew(build, steps.min(ANEW))?)?;
    compare("resumed half way", &resumed(build, steps)?)?;
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|e| TestkitError::Threads { threads, problem: e.to_string() })?;
        let variant = format!("{threads} thread(s)");
        compare(&variant, &pool.install(|| record(&variant, build, steps, |_| {}))?)?;
    }
    Ok(())
}

/// States after each step; `perturb` acts before each.
fn record(variant: &str, build: Build<'_>, steps: u64, perturb: impl Fn(&mut Simulation)) -> Result<Vec<Vec<u8>>, TestkitError> {
    advance(variant, &mut build()?, steps, perturb)
}

fn advance(
    variant: &str,
    simulation: &mut Simulation,
    steps: u64,
    perturb: impl Fn(&mut Simulation),
) -> Result<Vec<Vec<u8>>, TestkitError> {
    let fail = |source| TestkitError::Run { variant: variant.to_owned(), source: Box::new(source) };
    let mut out = Vec::new();
    for _ in 0..steps {
        if simulation.finished() {
            break;
        }
        perturb(simulation);
        simulation.step().map_err(fail)?;
        out.push(simulation.save().map_err(fail)?);
    }
    Ok(out)
}

/// Every step by a simulation that was just built and knows nothing but the saved state.
fn anew(build: Build<'_>, steps: u64) -> Result<Vec<Vec<u8>>, TestkitError> {
    let variant = "built anew for each step";
    let mut out: Vec<Vec<u8>> = Vec::new();
    for _ in 0..steps {
        let mut simulation = build()?;
        if let Some(state) = out.last() {
            let fail = |source| TestkitError::Run { variant: variant.to_owned(), source: Box::new(source) };
            simulation.restore(state).map_err(fail)?;
        }
        let step = advance(variant, &mut simulation, 1, |_| {})?;
        if step.is_empty() {
            break;
        }
        out.extend(step);
    }
    Ok(out)
}

fn resumed(build: Build<'_>, steps: u64) -> Result<Vec<Vec<u8>>, TestkitError> {
    let variant = "resumed half way";
    let fail = |source| TestkitError::Run { variant: variant.to_owned(), source: Box::new(source) };
    let mut out = record(variant, build, steps / 2, |_| {})?;
    let mut second = build()?;
    if let Some(state) = out.last() {
        second.restore(state).map_err(fail)?;
    }
    out.extend(advance(variant, &mut second, steps - steps / 2, |_| {})?);
    Ok(out)
}
