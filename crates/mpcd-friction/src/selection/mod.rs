//! Which of many: rigid contacts in more than they need to stand share their loads in many ways with the same velocities. Of these the one is picked that
//! stores the least in springs behind the contacts, ½ Σ ‖r_c‖²/k_c: the limit of vanishing compliance, or with all k alike the impulses of least norm.
//!
//! What is kept: the velocities; r_c on the side of its law that they leave (`room`): in the cone where the contact rests, along its own direction where it
//! slides, nothing where it opens. Over these convex sets the least is one alone, whatever solver, start or order found the impulses at hand. What may not live
//! here: how a step is solved, and bodies' laws.

mod dual;
mod room;
mod rows;

use mpcd_sparse::{Islands, SparseError};
use nalgebra::Vector3;

use crate::acceptance::FORCE;
use crate::nlgs::{Memory, Method};
use crate::problem::{Contact, ContactDimension, ContactProblem, Motion, ProblemError};
use crate::report::{SolveInfo, Stage, Status};
use crate::settings::SolveSettings;
use dual::{Island, Least};
use room::{Rest, Room};
use rows::Rows;

/// Velocity that counts as none, over the terms that it is the sum of: rounding.
const ROUNDING: f64 = 1e-13;

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
}

/// Picks among the impulses that give the velocities of a solved problem those of least ½ Σ ‖r‖²/k, in islands with a contact for which `wanted` says
/// so. Contacts beyond `backings` keep theirs (rows of joints), and those on deformable bodies; velocities follow by what rounding makes of the change.
///
/// # Errors
/// [`ProblemError`] where the problem is malformed.
pub fn select(
    problem: &mut ContactProblem,
    backings: &[Backing],
    settings: &SolveSettings,
    wanted: impl Fn(usize) -> bool,
) -> Result<Selected, ProblemError> {
    settings.validate()?;
    problem.validate()?;
    let chosen = match problem.dimension {
        ContactDimension::Two => pick::<2>(problem, backings, settings.tolerance, &wanted),
        ContactDimension::Three => pick::<3>(problem, backings, settings.tolerance, &wanted),
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

/// The report of a solve whose impulses were picked afterwards: with the picking as a stage, and the errors of what was picked;
/// the stage has what the bodies lack where the picking came to no end.
#[must_use]
pub fn reported(mut info: SolveInfo, name: &'static str, selected: Selected, judged: SolveInfo) -> SolveInfo {
    if info.stages.is_empty() && info.iterations > 0 {
        info.stages.push(Stage { name: info.solver, iterations: info.iterations, error: info.error() });
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

fn pick<const D: usize>(
    problem: &ContactProblem,
    backings: &[Backing],
    tolerance: f64,
    wanted: &dyn Fn(usize) -> bool,
) -> Result<(Selected, Changes), SparseError> {
    let rows = Rows::<D>::of(problem);
    let (speeds, terms) = rows.speeds(problem);
    let mut soft = vec![false; problem.contacts.len()];
    problem.compliances.iter().flat_map(|c| &c.contacts).for_each(|&k| soft[k] = true);
    let mut rooms: Vec<Room<D>> = vec![Room::Held; problem.contacts.len()];
    let islands = islands(problem);
    let place = |c: &Contact| islands.numbers()[if problem.bodies[c.candidate].moves() { c.candidate } else { c.antagonist }];
    let scales = rows.island_speeds(problem, &islands);
    let mut largest = vec![0.0_f64; islands.count()];
    for contact in &problem.contacts {
        let most = &mut largest[place(contact)];
        *most = most.max(contact.impulse.norm());
    }
    // rooms where nothing moves, of islands that all but rest
    let mut still: Vec<Room<D>> = rooms.clone();
    let mut slow = vec![problem.cell.is_none(); islands.count()];
    for (k, backing) in backings.iter().enumerate().filter(|(k, b)| b.stiffness > 0.0 && !soft[*k]) {
        let contact = &problem.contacts[k];
        let relative = problem.relative_velocity(k).unwrap_or_default();
        let scale = speeds[k].max(scales[place(contact)]);
        let rounding = ROUNDING * terms[k];
        let rest = (FORCE * tolerance * scale).max(rounding);
        let turned = TURNED * tolerance * largest[place(contact)];
        let rest = Rest { speed: rest, rounding, give: rows.give(k), turned };
        rooms[k] = Room::of(contact, backing.bonded, &(relative + contact.velocity_shift), rest);
        let free = rows.free_velocity(k);
        let prescribed = (0..D).map(|i| (relative[i] - free[i]).powi(2)).sum::<f64>().sqrt();
        let stopped = Room::at_rest(contact, backing.bonded, rest);
        slow[place(contact)] &= stopped.is_some() && relative.norm() <= rest.speed && prescribed <= rounding;
        still[k] = stopped.unwrap_or(Room::Held);
    }
    let mut parts: Vec<(Vec<usize>, bool)> = vec![(Vec::new(), false); islands.count()];
    let mut all: Vec<Vec<usize>> = vec![Vec::new(); islands.count()];
    for (k, contact) in problem.contacts.iter().enumerate() {
        let part = &mut parts[place(contact)];
        if !matches!(still[k], Room::Held) {
            all[place(contact)].push(k);
        }
        part.1 |= wanted(k);
        if !matches!(rooms[k], Room::Held) {
            part.0.push(k);
        }
    }
    let mut selected = Selected { complete: true, ..Selected::default() };
    let mut changes = Changes::new();
    let start = |k: usize| std::array::from_fn(|i| problem.contacts[k].impulse[i]);
    for (number, (moving, _)) in parts.iter().enumerate().filter(|(_, (contacts, wanted))| *wanted && !contacts.is_empty()) {
        let bearing = |contacts: &[usize], rooms: &[Room<D>]| {
            let members = contacts.iter().map(|&k| (rooms[k], backings.get(k).map_or(1.0, |b| b.stiffness), start(k), k));
            members.map(|(room, stiffness, impulse, k)| (room, stiffness, impulse, rows.of_contact(k))).collect::<Vec<_>>()
        };
        let least = |contacts: &[usize], found: Least<D>| {
            let worth = |(&k, r): (&usize, &[f64; D])| dual::dot(r, r) / backings[k].stiffness;
            let cost: f64 = contacts.iter().zip(&found.impulses).map(worth).sum();
            (found.met || found.error <= ENOUGH * tolerance, cost, found)
        };
        let (moves, cost, as_found) = least(moving, Island::new(bearing(moving, &rooms).into_iter()).least()?);
        let (mut contacts, mut picked) = (moving, as_found);
        if slow[number] {
            let stopped = Island::stopping(bearing(&all[number], &still).into_iter(), |way| rows.motion(way)).least()?;
            let (rests, less, stopped) = least(&all[number], stopped);
            selected.iterations += stopped.iterations;
            let exact = stopped.error <= TURNED * tolerance;
            // what could be wedged as well as move on has more to bear where it is
            if rests && (!moves || (exact && less <= cost * (1.0 + tolerance))) {
                selected.iterations += picked.iterations;
                (contacts, picked) = (&all[number], Least { iterations: 0, ..stopped });
            }
        }
        let Least { impulses, iterations, error, met } = picked;
        let met = met || error <= ENOUGH * tolerance;
        selected.islands += 1;
        selected.iterations += iterations;
        selected.error = selected.error.max(error);
        selected.complete &= met;
        if met {
            let change =
                |k: usize, r: &[f64; D]| Vector3::from_fn(|i, _| if i < D { r[i] - problem.contacts[k].impulse[i] } else { 0.0 });
            changes.extend(contacts.iter().zip(&impulses).map(|(&k, r)| (k, change(k, r))));
        }
    }
    Ok((selected, changes))
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
