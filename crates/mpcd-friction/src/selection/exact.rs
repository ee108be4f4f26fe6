//! Newton to rounding: what a solve found to its tolerance is taken on by nonsmooth Newton, island by island, until rounding is all that is left. What rests,
//! slides and opens is then read from velocities that are none or some, not from what a solver left of them, and what is picked is one for all
//! solvers. What may not live here: how one of many is picked.

use crate::acceptance::greater;
use crate::budget::{affordable_steps, sweep_work};
use crate::condensed::extract;
use crate::local::{
    LocalSettings, LocalSolver, NonsmoothNewton, PreparedProblem, ProximalNewton, Reformulation, RigidForm, factorisation_flops,
    least_if_dear,
};
use crate::nlgs::{Memory, Method};
use crate::problem::{ContactDimension, ContactProblem, Motion, ProblemError};
use crate::report::Stage;
use crate::settings::SolveSettings;

/// Scale-free error at which Newton ends, and that which is rounding.
const ASKED: f64 = 1e-14;
pub(super) const REACHED: f64 = 1e-12;
/// Newton steps at most, and those without a better error after which no more is to be had.
const STEPS: usize = 20;
const PATIENCE: usize = 3;
/// Relative proximal term: impulses need not be unique, and the start is near.
const PROXIMAL: f64 = 1e-8;
/// Steps of proximal points at most, where Newton stalls.
const PROXIMAL_STEPS: usize = 60;
/// Blocks of W up to which it is assembled: a body with n contacts couples n² of them.
const BLOCKS: usize = 4_000_000;

/// The name under which this is reported, and that of picking without it.
pub(super) const STAGE: &str = "newton to rounding";
pub(super) const BY_TOLERANCE: &str = "picked by the tolerance";

/// What Newton came to.
#[derive(Debug, Clone, Default)]
pub struct Sharp {
    /// Of each island, whether its impulses are solutions to rounding; empty where Newton cannot be had at all.
    pub(super) islands: Vec<bool>,
    /// Whether all islands that were wanted are.
    complete: bool,
    /// Steps, and the largest error that an island was left with; none where Newton ran nowhere.
    pub(super) stage: Option<Stage>,
}

impl Sharp {
    /// Whether the impulses of all islands that were wanted are solutions to rounding.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.complete
    }
}

/// Takes the islands with a contact for which `wanted` says so to rounding, from the impulses of a problem solved from `free`, and the velocities of all
/// afresh from there. An island where Newton comes to less, or cannot be had (other laws than Coulomb's, deformable bodies, matrices dearer than the
/// sweeps that are allowed), keeps its impulses.
///
/// # Errors
/// [`ProblemError`] where the problem is malformed.
pub fn sharpen(
    problem: &mut ContactProblem,
    free: &Motion,
    settings: &SolveSettings,
    wanted: impl Fn(usize) -> bool,
) -> Result<Sharp, ProblemError> {
    settings.validate()?;
    problem.validate()?;
    if !problem.compliances.is_empty() {
        return Ok(Sharp::default());
    }
    let sharp = match problem.dimension {
        ContactDimension::Two => of_islands::<2>(problem, free, settings, &wanted),
        ContactDimension::Three => of_islands::<3>(problem, free, settings, &wanted),
    }?;
    if sharp.islands.contains(&true) {
        super::judged(problem, free, settings)?;
    }
    Ok(sharp)
}

fn of_islands<const D: usize>(
    problem: &mut ContactProblem,
    free: &Motion,
    settings: &SolveSettings,
    wanted: &dyn Fn(usize) -> bool,
) -> Result<Sharp, ProblemError> {
    let parts = super::parts(problem, &super::islands(problem));
    let mut sharp = Sharp { islands: vec![false; parts.len()], complete: true, stage: None };
    let mut begun = problem.clone();
    begun.set_motion(free);
    let mut memory = Memory::default();
    for (number, contacts) in parts.iter().enumerate().filter(|(_, part)| part.iter().any(|&k| wanted(k))) {
        let part = extract(&begun, contacts);
        let Some((form, prepared)) = condensed::<D>(&mut memory, &part, settings)? else {
            sharp.complete = false;
            continue;
        };
        let mut r = form.impulses().to_vec();
        let (steps, error) = newton(&prepared, &mut r);
        let stage = sharp.stage.get_or_insert(Stage { name: STAGE, iterations: 0, error: 0.0 });
        stage.iterations += steps;
        stage.error = greater(stage.error, error);
        sharp.islands[number] = error <= REACHED;
        sharp.complete &= sharp.islands[number];
        if sharp.islands[number] {
            for (&k, (r, shift)) in contacts.iter().zip(r.iter().zip(form.impulse_shifts())) {
                (0..D).for_each(|i| problem.contacts[k].impulse[i] = r[i] - shift[i]);
            }
        }
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

/// Newton from `r`, and where that stalls proximal points from the best of it: the steps, and the error of what they came to.
fn newton<const D: usize>(prepared: &PreparedProblem<D>, r: &mut [[f64; D]]) -> (usize, f64) {
    let within = |steps| LocalSettings { tolerance: ASKED, max_iterations: Some(steps), ..LocalSettings::default() };
    let mut plain =
        NonsmoothNewton { proximal: PROXIMAL, patience: PATIENCE, ..NonsmoothNewton::new(Reformulation::AlartCurnier) };
    let info = plain.solve(prepared, r, &within(STEPS));
    if info.errors.scaled <= REACHED {
        return (info.iterations, info.errors.scaled);
    }
    let more = ProximalNewton::default().solve(prepared, r, &within(PROXIMAL_STEPS));
    (info.iterations + more.iterations, more.errors.scaled)
}
