//! Which of many: rigid contacts in more than they need to stand share their loads in many ways with the same velocities. Of these the one is picked that
//! stores the least in springs behind the contacts, ½ Σ ‖r_c‖²/k_c: the limit of vanishing compliance, or with all k alike the impulses of least norm.
//!
//! What is kept: the velocities; r_c on the side of its law that they leave (`room`): in the cone where the contact rests, along its own direction where it
//! slides, nothing where it opens. Over these convex sets the least is one alone, whatever solver, start or order found the impulses at hand. What may not live
//! here: how a step is solved, and bodies' laws.

mod dual;
mod exact;
mod room;
mod rows;

use mpcd_sparse::{Islands, SparseError};
use nalgebra::Vector3;

use crate::acceptance::FORCE;
use crate::nlgs::{Memory, Method};
use crate::problem::{ContactDimension, ContactProblem, Motion, ProblemError};
use crate::report::{SolveInfo, Stage, Status};
use crate::settings::SolveSettings;
use dual::{Island, Least};
pub use exact::{Sharp, sharpen};
use room::{Rest, Room};
use rows::Rows;

/// Velocity that counts as none, over the terms that it is the sum of: rounding.
const ROUNDING: f64 = 1e-13;

/// Share of the norm of an island's impulses that is rounding where Newton took them there: what the impulse of a contact may be wrong by, and its velocity as
/// an impulse.
const SHARP: f64 = 10.0 * exact::REACHED;

/// Share of the largest impulse of an island, in tolerances, by which friction may be turned against the slip.
const TURNED: f64 = 0.1;

/// Balance that is enough where no better one is found, as a share of the tolerance of the solve: what it makes of the step is judged afresh.
const ENOUGH: f64 = 1.0;

/// A contact as the selection sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Backing {
    /// Stiffness of the springs behind it, normal and tangential; only ratios count, and none is an impulse that stays as it is.
    pub stiffness: f64,
    /// Whether it is a bond that holds: it bears whatever comes.
    pub bonded: bool,
}

/// How a selection ended.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Selected {
    /// Islands in which impulses were picked.
    pub islands: usize,
    /// Newton steps of all of them.
    pub iterations: usize,
    /// Largest impulse that a body is given too much or too little, over the sizes of those that it is given.
    pub error: f64,
    /// Whether every island met the balance asked for (1e-11), or came as near to it as this share of the tolerance of the solve, by which the velocities are
    /// judged again: a tenth. The impulses of one that did not stay as they were.
    pub complete: bool,
    /// Islands in which what rests, slides and opens was told by the tolerance of the solve.
    pub by_tolerance: usize,
}

/// Picks among the impulses that give the velocities of a solved problem those of least ½ Σ ‖r‖²/k, in islands with a contact for which `wanted` says
/// so. Contacts beyond `backings` keep theirs (rows of joints), and those on deformable bodies; velocities follow by what rounding makes of the change.
/// What rests, slides and opens is told by rounding in the islands that are `sharp`, in others by the tolerance of the solve.
///
/// # Errors
/// [`ProblemError`] where the problem is malformed.
pub fn select(
    problem: &mut ContactProblem,
    backings: &[Backing],
    settings: &SolveSettings,
    sharp: &Sharp,
    wanted: impl Fn(usize) -> bool,
) -> Result<Selected, ProblemError> {
    settings.validate()?;
    problem.validate()?;
    let chosen = match problem.dimension {
        ContactDimension::Two => pick::<2>(problem, backings, settings.tolerance, &wanted, &sharp.islands),
        ContactDimension::Three => pick::<3>(problem, backings, settings.tolerance, &wanted, &sharp.islands),
    };
    let (selected, changes) = chosen.map_err(|e| ProblemError::Selection { problem: e.to_string() })?;
    for (contact, change) in changes {
        rows::give(problem, contact, &change);
    }
    Ok(selected)
}

/// How good the impulses at hand are: errors as of a solve from `free`, with the velocities afresh from the impulses.
///
/// # Errors
/// [`ProblemError`] where the problem is malformed.
pub fn judged(problem: &mut ContactProblem, free: &Motion, settings: &SolveSettings) -> Result<SolveInfo, ProblemError> {
    problem.set_motion(free);
    let found = match problem.dimension {
        ContactDimension::Two => judge::<2>(problem, settings),
        ContactDimension::Three => judge::<3>(problem, settings),
    };
    let mut info = found?;
    info.status = if info.error() <= settings.tolerance { Status::Converged } else { Status::Stalled };
    Ok(info)
}

fn judge<const D: usize>(problem: &mut ContactProblem, settings: &SolveSettings) -> Result<SolveInfo, ProblemError> {
    let mut memory: Memory = Memory::default();
    let free = memory.start::<D>(Method::GaussSeidel, problem, settings)?;
    let verdict = memory.judge::<D>();
    Ok(memory.finish::<D>(problem, &free, Status::Converged, verdict))
}

/// The report of a solve after which Newton was tried, with that as a stage.
#[must_use]
pub fn tried(mut info: SolveInfo, sharp: &Sharp) -> SolveInfo {
    if info.stages.is_empty() && info.iterations > 0 {
        info.stages.push(Stage { name: info.solver, iterations: info.iterations, error: info.error() });
    }
    if let Some(stage) = &sharp.stage {
        info.iterations += stage.iterations;
        info.stages.push(stage.clone());
    }
    info
}

/// The report of a solve whose impulses were picked afterwards: with Newton and the picking as stages, and the errors of what was picked;
/// the stage has what the bodies lack where the picking came to no end.
#[must_use]
pub fn reported(info: SolveInfo, name: &'static str, sharp: &Sharp, selected: Selected, judged: SolveInfo) -> SolveInfo {
    let mut info = tried(info, sharp);
    if selected.by_tolerance > 0 {
        info.stages.push(Stage { name: exact::BY_TOLERANCE, iterations: 0, error: info.error() });
    }
    let error = if selected.complete { judged.error() } else { selected.error };
    info.stages.push(Stage { name, iterations: selected.iterations, error });
    info.iterations += selected.iterations;
    if info.status == Status::Converged && !(selected.complete && judged.status == Status::Converged) {
        info.status = Status::Stalled;
    }
    SolveInfo { errors: judged.errors, worst: judged.worst, violation: judged.violation, ..info }
}

type Changes = Vec<(usize, Vector3<f64>)>;

/// What of an island was picked.
struct Picked<const D: usize> {
    contacts: Vec<usize>,
    least: Least<D>,
    /// Whether it may be taken.
    met: bool,
}

/// The problem as the selection sees it.
struct Selection<'a, const D: usize> {
    problem: &'a ContactProblem,
    backings: &'a [Backing],
    tolerance: f64,
    rows: Rows<D>,
    /// By how much impulses change the velocity of each contact, and the terms of that; that of each island.
    speeds: Vec<f64>,
    terms: Vec<f64>,
    scales: Vec<f64>,
    /// Contacts that keep their impulses.
    kept: Vec<bool>,
}

fn pick<const D: usize>(
    problem: &ContactProblem,
    backings: &[Backing],
    tolerance: f64,
    wanted: &dyn Fn(usize) -> bool,
    sharp: &[bool],
) -> Result<(Selected, Changes), SparseError> {
    let islands = islands(problem);
    let parts = parts(problem, &islands);
    let selection = Selection::<D>::new(problem, backings, tolerance, &islands);
    let mut selected = Selected { complete: true, ..Selected::default() };
    let mut changes = Changes::new();
    for (number, contacts) in parts.iter().enumerate().filter(|(_, contacts)| contacts.iter().any(|&k| wanted(k))) {
        let is_sharp = sharp.get(number).copied().unwrap_or(false);
        let mut picked = selection.island(number, contacts, is_sharp)?;
        if is_sharp && picked.as_ref().is_some_and(|p| !p.met) {
            selected.iterations += picked.map_or(0, |p| p.least.iterations);
            picked = selection.island(number, contacts, false)?;
            selected.by_tolerance += usize::from(picked.is_some());
        } else if !is_sharp {
            selected.by_tolerance += usize::from(picked.is_some());
        }
        let Some(Picked { contacts, least, met }) = picked else { continue };
        selected.islands += 1;
        selected.iterations += least.iterations;
        selected.error = selected.error.max(least.error);
        selected.complete &= met;
        if met {
            let change =
                |k: usize, r: &[f64; D]| Vector3::from_fn(|i, _| if i < D { r[i] - problem.contacts[k].impulse[i] } else { 0.0 });
            changes.extend(contacts.iter().zip(&least.impulses).map(|(&k, r)| (k, change(k, r))));
        }
    }
    Ok((selected, changes))
}

impl<'a, const D: usize> Selection<'a, D> {
    fn new(problem: &'a ContactProblem, backings: &'a [Backing], tolerance: f64, islands: &Islands) -> Self {
        let rows = Rows::<D>::of(problem);
        let (speeds, terms) = rows.speeds(problem);
        let scales = rows.island_speeds(problem, islands);
        let mut kept: Vec<bool> =
            (0..problem.contacts.len()).map(|k| backings.get(k).is_none_or(|b| b.stiffness <= 0.0)).collect();
        problem.compliances.iter().flat_map(|c| &c.contacts).for_each(|&k| kept[k] = true);
        Self { problem, backings, tolerance, rows, speeds, terms, scales, kept }
    }

    /// What is picked of an island whose impulses are solutions to rounding, or to the tolerance; `None` where all is held.
    fn island(&self, number: usize, all: &[usize], sharp: bool) -> Result<Option<Picked<D>>, SparseError> {
        let largest = all.iter().map(|&k| self.problem.contacts[k].impulse.norm()).fold(0.0, f64::max);
        let whole = all.iter().map(|&k| self.problem.contacts[k].impulse.norm_squared()).sum::<f64>().sqrt();
        let (mut moving, mut still) = (Vec::new(), Vec::new());
        // an island that all but rests, and one that rests to rounding
        let (mut slow, mut rests) = (self.problem.cell.is_none(), sharp);
        for &k in all.iter().filter(|&&k| !self.kept[k]) {
            let contact = &self.problem.contacts[k];
            let relative = self.problem.relative_velocity(k).unwrap_or_default();
            let (rounding, give) = (ROUNDING * self.terms[k], self.rows.give(k));
            let coarse = (FORCE * self.tolerance * self.speeds[k].max(self.scales[number])).max(rounding);
            let rest = if sharp {
                Rest { speed: (SHARP * give * whole).max(rounding), rounding, give, turned: SHARP * whole }
            } else {
                Rest { speed: coarse, rounding, give, turned: TURNED * self.tolerance * largest }
            };
            let bonded = self.backings[k].bonded;
            let room = Room::of(contact, bonded, &(relative + contact.velocity_shift), rest);
            if !matches!(room, Room::Held) {
                moving.push((k, room));
            }
            let free = self.rows.free_velocity(k);
            let prescribed = (0..D).map(|i| (relative[i] - free[i]).powi(2)).sum::<f64>().sqrt();
            let stopped = Room::at_rest(contact, bonded, rest);
            slow &= stopped.is_some() && relative.norm() <= coarse.max(rest.speed) && prescribed <= rounding;
            rests &= relative.norm() <= rest.speed;
            still.extend(stopped.filter(|room| !matches!(room, Room::Held)).map(|room| (k, room)));
        }
        if moving.is_empty() {
            return Ok(None);
        }
        let stopped = if slow {
            Some(self.picked(&still, Island::stopping(self.members(&still), |way| self.rows.motion(way)).least()?, sharp))
        } else {
            None
        };
        match stopped {
            // nothing moves that could be stopped wrongly
            Some(stopped) if rests && stopped.met => Ok(Some(stopped)),
            Some(stopped) => {
                let found = self.picked(&moving, Island::new(self.members(&moving)).least()?, sharp);
                let exact = stopped.least.error <= TURNED * self.tolerance;
                // what could be wedged as well as move on has more to bear where it is
                let less = self.cost(&stopped) <= self.cost(&found) * (1.0 + self.tolerance);
                let takes = stopped.met && (!found.met || (exact && less));
                let (mut taken, left) = if takes { (stopped, found) } else { (found, stopped) };
                taken.least.iterations += left.least.iterations;
                Ok(Some(taken))
            }
            None => Ok(Some(self.picked(&moving, Island::new(self.members(&moving)).least()?, sharp))),
        }
    }

    fn members<'b>(&'b self, rooms: &'b [(usize, Room<D>)]) -> impl Iterator<Item = dual::Member<'b, D>> {
        rooms.iter().map(|&(k, room)| {
            let impulse = std::array::from_fn(|i| self.problem.contacts[k].impulse[i]);
            (room, self.backings[k].stiffness, impulse, self.rows.of_contact(k))
        })
    }

    fn picked(&self, rooms: &[(usize, Room<D>)], least: Least<D>, sharp: bool) -> Picked<D> {
        let met = least.met || (!sharp && least.error <= ENOUGH * self.tolerance);
        Picked { contacts: rooms.iter().map(|(k, _)| *k).collect(), met, least }
    }

    /// What the springs store.
    fn cost(&self, picked: &Picked<D>) -> f64 {
        let worth = |(&k, r): (&usize, &[f64; D])| dual::dot(r, r) / self.backings[k].stiffness;
        picked.contacts.iter().zip(&picked.least.impulses).map(worth).sum()
    }
}

/// The contacts of each island.
fn parts(problem: &ContactProblem, islands: &Islands) -> Vec<Vec<usize>> {
    let mut parts = vec![Vec::new(); islands.count()];
    for (k, contact) in problem.contacts.iter().enumerate() {
        let end = if problem.bodies[contact.candidate].moves() { contact.candidate } else { contact.antagonist };
        parts[islands.numbers()[end]].push(k);
    }
    parts
}

/// Bodies that hang together by contacts; with a cell that moves, all of them.
fn islands(problem: &ContactProblem) -> Islands {
    let bodies = problem.bodies.len();
    let moves = |i: usize| problem.bodies[i].moves();
    let cell = problem.cell.as_ref().is_some_and(|c| c.inverse_inertia.max() > 0.0);
    let between =
        problem.contacts.iter().filter(|c| moves(c.candidate) && moves(c.antagonist)).map(|c| (c.candidate, c.antagonist));
    let soft = problem.compliances.iter().flat_map(|body| body.contacts.windows(2)).map(|pair| {
        let end = |k: usize| problem.contacts[k].candidate;
        (end(pair[0]), end(pair[1]))
    });
    let all = (1..if cell { bodies } else { 0 }).map(|i| (0, i));
    Islands::of(bodies, between.chain(soft).chain(all))
}
