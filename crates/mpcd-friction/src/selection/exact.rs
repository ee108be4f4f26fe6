//! Newton to rounding: what a solve found to its tolerance is taken on by nonsmooth Newton, island by island, until rounding is all that is left. What rests,
//! slides and opens is then read from velocities that are none or some, not from what a solver left of them, and what is picked is one for all
//! solvers. What may not live here: how one of many is picked.

use super::islands;
use crate::budget::{affordable_steps, sweep_work};
use crate::condensed::extract;
use crate::local::{
    LocalSettings, LocalSolver, NonsmoothNewton, PreparedProblem, Reformulation, RigidForm, factorisation_flops, least_if_dear,
};
use crate::nlgs::{Memory, Method};
use crate::problem::{ContactProblem, Motion, ProblemError};
use crate::report::Stage;
use crate::settings::SolveSettings;

/// Scale-free error at which Newton ends, and that which is rounding.
const ASKED: f64 = 1e-15;
pub(super) const REACHED: f64 = 1e-12;
/// Newton steps at most, and those without a better error after which no more is to be had.
const STEPS: usize = 20;
const PATIENCE: usize = 3;
/// Relative proximal term: impulses need not be unique, and the start is near.
const PROXIMAL: f64 = 1e-8;
/// Blocks of W up to which it is assembled: a body with n contacts couples n² of them.
const BLOCKS: usize = 4_000_000;

/// The name under which this is reported, and that of picking without it.
pub(super) const STAGE: &str = "newton to rounding";
pub(super) const BY_TOLERANCE: &str = "picked by the tolerance";

/// What Newton came to.
#[derive(Debug, Clone, Default)]
pub(super) struct Sharp {
    /// Of each island, whether its impulses are solutions to rounding.
    pub(super) islands: Vec<bool>,
    /// The stage; none where Newton was not tried anywhere.
    pub(super) stage: Option<Stage>,
}

/// Takes the islands that are `wanted` to rounding, and the velocities of all afresh from there and `free`. An island where Newton comes to less
/// (or cannot be had: other laws than Coulomb's, matrices dearer than the sweeps allowed) stays as it is.
pub(super) fn sharpen<const D: usize>(
    problem: &mut ContactProblem,
    free: &Motion,
    settings: &SolveSettings,
    wanted: &dyn Fn(usize) -> bool,
) -> Result<Sharp, ProblemError> {
    let islands = islands(problem);
    let mut parts: Vec<Vec<usize>> = vec![Vec::new(); islands.count()];
    for (k, contact) in problem.contacts.iter().enumerate() {
        let end = if problem.bodies[contact.candidate].moves() { contact.candidate } else { contact.antagonist };
        parts[islands.numbers()[end]].push(k);
    }
    let mut sharp = Sharp { islands: vec![false; parts.len()], stage: None };
    if !problem.compliances.is_empty() {
        return Ok(sharp);
    }
    let mut begun = problem.clone();
    begun.set_motion(free);
    let mut memory = Memory::default();
    for (number, contacts) in parts.iter().enumerate().filter(|(_, part)| part.iter().any(|&k| wanted(k))) {
        let part = extract(&begun, contacts);
        let Some((form, prepared)) = condensed::<D>(&mut memory, &part, settings)? else { continue };
        let mut r = form.impulses().to_vec();
        let (steps, error) = newton(&prepared, &mut r);
        let stage = sharp.stage.get_or_insert(Stage { name: STAGE, iterations: 0, error: 0.0 });
        stage.iterations += steps;
        if error <= REACHED {
            stage.error = stage.error.max(error);
            sharp.islands[number] = true;
            for (&k, (r, shift)) in contacts.iter().zip(r.iter().zip(form.impulse_shifts())) {
                (0..D).for_each(|i| problem.contacts[k].impulse[i] = r[i] - shift[i]);
            }
        }
    }
    if !sharp.islands.contains(&true) {
        // what was tried in vain is counted, but is no stage of the result
        sharp.stage = sharp.stage.map(|stage| Stage { error: f64::NAN, ..stage });
    }
    Ok(sharp)
}

/// An island ready for Newton, where that pays.
fn condensed<const D: usize>(
    memory: &mut Memory,
    part: &ContactProblem,
    settings: &SolveSettings,
) -> Result<Option<(RigidForm<D>, PreparedProblem<D>)>, ProblemError> {
    if blocks(part) > BLOCKS {
        return Ok(None);
    }
    memory.start::<D>(Method::GaussSeidel, part, settings)?;
    let sweep = sweep_work(memory);
    let affordable = |flops: f64| affordable_steps(part.contacts.len(), sweep, flops, settings, true).is_some();
    if least_if_dear::<D>(part, affordable).is_some() {
        return Ok(None);
    }
    let Ok(form) = RigidForm::<D>::new(part) else { return Ok(None) };
    let Ok(prepared) = form.prepare() else { return Ok(None) };
    Ok(affordable(factorisation_flops(&prepared)).then_some((form, prepared)))
}

/// Blocks of W at most.
fn blocks(part: &ContactProblem) -> usize {
    let mut contacts = vec![0_usize; part.bodies.len()];
    for side in part.contacts.iter().flat_map(|contact| contact.sides()).filter(|side| part.bodies[side.body].moves()) {
        contacts[side.body] += 1;
    }
    contacts.iter().map(|n| n * n).fold(0, usize::saturating_add)
}

/// Newton from `r`: the steps, and the error of what it came to.
fn newton<const D: usize>(prepared: &PreparedProblem<D>, r: &mut [[f64; D]]) -> (usize, f64) {
    let mut solver = NonsmoothNewton {
        proximal: PROXIMAL,
        patience: PATIENCE,
        ..NonsmoothNewton::new(Reformulation::AlartCurnier)
    };
    let asked = LocalSettings { tolerance: ASKED, max_iterations: Some(STEPS), ..LocalSettings::default() };
    let info = solver.solve(prepared, r, &asked);
    if std::env::var("MPCD_DBG").is_ok() { eprintln!("newton {} steps error {:e} contacts {}", info.iterations, info.errors.scaled, r.len()); }
    (info.iterations, info.errors.scaled)
}
