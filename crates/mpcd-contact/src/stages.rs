//! Steps in stages. Where a bond loses its strength faster than inertia holds it, or friction falls when sliding begins, the step has several
//! answers and sweeps over contacts go round among them. The problem is then solved in stages: what decides (damage, whether a patch is let go)
//! is held, raised to what the motion asks for, held again. With it held each stage is contact with springs and one coefficient of friction; it
//! only rises, so the stages end. What is lost in a stage stays lost: load that a neighbour takes over later in the step heals nothing.

use mpcd_core::{Mat3, Vec3};
use mpcd_friction::{
    RigidSolver, SolveInfo, SolveSettings, Status,
    problem::{Frame, Motion, ProblemError, Response},
};

use crate::{
    ample,
    assemble::{Assembly, Staged, rolling},
    drift, even,
    law::{LawInput, LawResponse, LawTable, StagePoint, Stages, spread::turns},
    shares::{self, Pick},
};

/// Sweeps after which a problem with bonds is solved in stages.
const TRIAL: usize = 1_000;

/// Rise of damage, over the damage, that asks for another stage where that is less than the tolerance; and the least rise that does. What a rigid bond that begins to give way
/// bears goes as the opening over the damage, so that the first is what it may bear beyond its strength; it begins with a damage of 1e-9.
const BEGUN: f64 = 1e-3;
const LEAST: f64 = 1e-12;

/// Part of what two stages promise that is taken at once ([`Progress`]).
const SAFE: f64 = 0.9;

/// How much finer a solve is made that leaves open what is to be raised, and where that ends.
const FINER: f64 = 1e-2;
const FINEST: f64 = 1e-15;

/// Stages in a row that raise nothing by more than [`CREEP`] times the least that counts: they may go on for what the solves leave open, which changes
/// from one to the next and raises damage each time it is too large. They are solved finer from there on.
const CREEPING: usize = 20;
const CREEP: f64 = 1e3;

/// Rise of damage, over the damage, that joints may leave of a stage.
const OFF: f64 = 0.01;

/// Most stages of a step.
const STAGES: usize = 5_000;

/// Solves the problem, in stages where its laws want them, and again where faces roll.
pub(crate) fn solve(
    assembly: &mut Assembly,
    laws: &LawTable,
    solver: &mut dyn RigidSolver,
    settings: &SolveSettings,
) -> Result<SolveInfo, ProblemError> {
    let once = |assembly: &mut Assembly, solver: &mut dyn RigidSolver| {
        let info = solve_bonds(assembly, laws, solver, settings)?;
        settle(assembly, laws);
        Ok(info)
    };
    rolling::let_roll(assembly, solver, settings, once, add)
}

/// What can be found within the solve is tried there first, and held only where that does not converge soon.
fn solve_bonds(
    assembly: &mut Assembly,
    laws: &LawTable,
    solver: &mut dyn RigidSolver,
    settings: &SolveSettings,
) -> Result<SolveInfo, ProblemError> {
    if assembly.staged.is_empty() {
        return solver.solve(&mut assembly.problem, settings);
    }
    drift::close(assembly, laws);
    ample::bound(assembly, laws);
    let free = assembly.problem.motion();
    let starts: Vec<Vec3> = assembly.problem.contacts.iter().map(|c| c.impulse).collect();
    let mut all = assembly.staged.iter().all(|s| s.at_once);
    let trial = SolveSettings { max_iterations: settings.max_iterations.min(TRIAL), ..*settings };
    let mut info = solver.solve(&mut assembly.problem, if all { settings } else { &trial })?;
    let mut progress = Progress::default();
    // the finest solve asked for in this step, and that of the solution at hand
    let (mut finer, mut at) = (settings.tolerance, settings.tolerance);
    for _ in 0..STAGES {
        if ample::widen(assembly) {
            hold_and_close(assembly, laws);
            assembly.problem.set_motion(&free);
            let earlier = info;
            info = solver.solve(&mut assembly.problem, if all { settings } else { &trial })?;
            at = settings.tolerance;
            add(&mut info, earlier);
            continue;
        }
        while info.status.is_success() && finer > FINEST && (at > finer && progress.creeps || is_unclear(assembly, laws, at)) {
            finer *= if at > finer { 1.0 } else { FINER };
            let (found, ended) = solve_finer(assembly, solver, settings, (finer, &free), info)?;
            (info, at) = (found, finer);
            if ended {
                finer = FINEST;
            }
        }
        let solved = info.status.is_success();
        let shared =
            if solved { shares::of_bonds(assembly, laws, &SolveSettings { tolerance: finer, ..*settings })? } else { None };
        let again = if solved {
            raise(assembly, laws, settings.tolerance, &mut progress)
        } else if all {
            false
        } else {
            all = true;
            for (contact, start) in assembly.problem.contacts.iter_mut().zip(&starts) {
                contact.impulse = *start;
            }
            assembly.staged.iter().for_each(|s| {
                assembly.remembering[s.remembering].1.held.get_or_insert(s.begin);
            });
            true
        };
        if !again {
            let Some(shared) = shared else { return Ok(info) };
            info = shares::accepted(assembly, Pick::Compliant, settings, (&free, info), shared)?;
            if info.status.is_success() || !shared.complete || finer <= FINEST {
                return Ok(info);
            }
            // what was picked is beyond the tolerance by what the solve left: once more from a finer one
            finer *= FINER;
            info = solve_finer(assembly, solver, settings, (finer, &free), info)?.0;
            at = finer;
            continue;
        }
        if progress.small >= CREEPING && finer > FINEST {
            finer *= FINER;
            (progress.creeps, progress.small) = (true, 0);
        }
        hold_and_close(assembly, laws);
        assembly.stages += 1;
        assembly.problem.set_motion(&free);
        let earlier = info;
        info = solver.solve(&mut assembly.problem, if all { settings } else { &trial })?;
        at = settings.tolerance;
        add(&mut info, earlier);
    }
    info.status = Status::MaxIterations;
    Ok(info)
}

/// Goes on from a solution to a finer one. Where that is not reached, what was asked for is enough, and nothing finer is to be had: the second says so.
fn solve_finer(
    assembly: &mut Assembly,
    solver: &mut dyn RigidSolver,
    settings: &SolveSettings,
    (finer, free): (f64, &Motion),
    earlier: SolveInfo,
) -> Result<(SolveInfo, bool), ProblemError> {
    let enough = assembly.problem.clone();
    assembly.problem.set_motion(free);
    let mut info = solver.solve(&mut assembly.problem, &SolveSettings { tolerance: finer, ..*settings })?;
    if info.status.is_success() {
        add(&mut info, earlier);
        return Ok((info, false));
    }
    if info.error() <= settings.tolerance {
        info.status = Status::Converged;
        add(&mut info, earlier);
        return Ok((info, true));
    }
    assembly.problem = enough;
    let mut kept = earlier.clone();
    kept.iterations += info.iterations;
    kept.contact_updates += info.contact_updates;
    Ok((kept, true))
}

/// Counts what an earlier stage took.
fn add(info: &mut SolveInfo, earlier: SolveInfo) {
    info.iterations += earlier.iterations;
    info.contact_updates += earlier.contact_updates;
    let later = std::mem::replace(&mut info.stages, earlier.stages);
    for stage in later {
        match info.stages.iter_mut().find(|s| s.name == stage.name) {
            Some(own) => {
                own.iterations += stage.iterations;
                own.error = stage.error;
            }
            None => info.stages.push(stage),
        }
    }
}

/// How far damage rose in the stage before, as ln of what was left of the bonds over what is left now, by place among the staged contacts.
///
/// Damage x comes to what the motion asks for by x ← F(x), and F rises with every part of x: what one bond loses its neighbours get. Where all
/// bonds rose by at least ρ times their rise in the stage before, they will go on to at least ρ/(1 − ρ) times it more (Collatz and Wielandt's bound;
/// exact where F is linear). That much, and a little less, is taken at once. Where F bends down (a rigid bond that begins to open on a body that gives way)
/// that is too much, and a bond that was led on asks for no more than it has: then all go back to where they were, and are led on half as far.
struct Progress {
    before: Vec<f64>,
    /// Places that were led on, with what the motion had asked for there.
    led: Vec<(usize, f64)>,
    safe: f64,
    /// Stages in a row that raised next to nothing, and whether finer solves have been asked for because of such.
    small: usize,
    creeps: bool,
}

impl Default for Progress {
    fn default() -> Self {
        Self { before: Vec::new(), led: Vec::new(), safe: SAFE, small: 0, creeps: false }
    }
}

impl Progress {
    /// What to multiply the rises of this stage by to go on at once; zero where two stages do not tell.
    fn lead(&mut self, rises: Vec<f64>) -> f64 {
        let before = std::mem::take(&mut self.before);
        let ratio = |(now, before): (&f64, &f64)| if *now > 0.0 && *before > 0.0 { now / before } else { f64::INFINITY };
        let least = rises.iter().zip(&before).map(ratio).fold(f64::INFINITY, f64::min);
        if least >= 1.0 || rises.iter().zip(&before).any(|(now, before)| *before > 0.0 && *now <= 0.0) {
            self.before = rises;
            return 0.0;
        }
        self.safe * least / (1.0 - self.safe * least)
    }
}

/// The points of patches as the solve left them, with the law of each patch and their places among the contacts that remember.
fn points<'a>(
    assembly: &'a Assembly,
    laws: &'a LawTable,
    soft: &'a [Mat3],
) -> impl Iterator<Item = (&'a dyn Stages, Vec<(usize, StagePoint<'a>)>)> {
    let Assembly { problem, remembering, staged, growth, .. } = assembly;
    let rigid = staged.iter().filter(|s| laws.law(s.law).stages().is_some_and(|law| law.is_rigid(&remembering[s.remembering].1)));
    let mut rigid: Vec<usize> = rigid.map(|s| s.contact).collect();
    rigid.sort_unstable();
    let judged = even::impulses(assembly, &rigid);
    let point = move |s: &Staged| {
        let (index, input) = &remembering[s.remembering];
        let contact = &problem.contacts[s.contact];
        let point = StagePoint {
            input,
            at: contact.frame.to_local(&contact.candidate_lever),
            u: problem.relative_velocity(s.contact).unwrap_or_default() - growth.at(*index),
            r: judged.binary_search_by_key(&s.contact, |j| j.0).map_or(contact.impulse, |k| contact.frame.to_local(&judged[k].1)),
            block: problem.rigid_block(s.contact) + soft.get(s.contact).copied().unwrap_or_default(),
            turns: turns(problem, contact.candidate, contact.antagonist, axes(&contact.frame)),
            held: input.held.unwrap_or(s.begin),
            note: input.note,
        };
        (s.remembering, point)
    };
    staged.chunk_by(|a, b| a.patch == b.patch).filter_map(move |patch| {
        let law = laws.law(patch[0].law).stages()?;
        Some((law, patch.iter().map(&point).collect()))
    })
}

/// Tells the laws which points that are not held hold ([`Stages::holds`]).
fn settle(assembly: &mut Assembly, laws: &LawTable) {
    if assembly.staged.iter().all(|s| assembly.remembering[s.remembering].1.held.is_some()) {
        return;
    }
    let soft = assembly.problem.compliance_blocks();
    let of_points = |(law, points): (&dyn Stages, Vec<(usize, StagePoint<'_>)>)| {
        points.into_iter().map(|(place, point)| (place, law.holds(&point))).collect::<Vec<_>>()
    };
    let holds: Vec<(usize, Option<bool>)> = points(assembly, laws, &soft).flat_map(of_points).collect();
    holds.into_iter().for_each(|(place, holds)| assembly.remembering[place].1.holds = holds);
}

/// Whether a solve to this tolerance leaves open what is to be raised somewhere.
fn is_unclear(assembly: &Assembly, laws: &LawTable, tolerance: f64) -> bool {
    let soft = assembly.problem.compliance_blocks();
    points(assembly, laws, &soft).any(|(law, points)| points.iter().any(|(_, point)| law.is_unclear(point, tolerance)))
}

/// Raises what is held to what the motion asks for, patch by patch. Whether any rose by more than `tolerance`.
fn raise(assembly: &mut Assembly, laws: &LawTable, tolerance: f64, progress: &mut Progress) -> bool {
    let soft = assembly.problem.compliance_blocks();
    let mut raised: Vec<(usize, f64, f64, bool)> = Vec::new();
    for (law, points) in points(assembly, laws, &soft) {
        let (places, mut points): (Vec<usize>, Vec<StagePoint<'_>>) =
            points.into_iter().filter(|(_, p)| p.input.held.is_some()).unzip();
        if !points.is_empty() {
            law.raise(&mut points);
            raised.extend(places.into_iter().zip(&points).map(|(place, p)| (place, p.held, p.note, law.is_gradual())));
        }
    }
    let remembering = &mut assembly.remembering;
    let led = std::mem::take(&mut progress.led);
    let beyond = |(place, asked): &(usize, f64)| {
        let held = remembering[*place].1.held.unwrap_or(*asked);
        let rises = raised.iter().any(|(at, value, ..)| at == place && *value > held);
        held - asked > enough(*asked, tolerance) && !rises
    };
    if led.iter().any(beyond) {
        led.into_iter().for_each(|(place, asked)| remembering[place].1.held = Some(asked));
        *progress =
            Progress { safe: 0.5 * progress.safe, small: progress.small + 1, creeps: progress.creeps, ..Progress::default() };
        return true;
    }
    let (mut rose, mut large) = (false, false);
    let mut gradual: Vec<(usize, f64)> = Vec::new();
    let mut rises = vec![0.0; remembering.len()];
    for (place, value, note, is_gradual) in raised {
        let input = &mut remembering[place].1;
        // Where a bond has only begun to give way a small rise is much of its stiffness.
        let held = input.held.unwrap_or(value);
        rose |= value > held + enough(value, tolerance);
        large |= value > held + CREEP * enough(value, tolerance);
        if is_gradual && value > held && value < 1.0 {
            rises[place] = ((1.0 - held) / (1.0 - value)).ln();
            gradual.push((place, rises[place]));
        }
        (input.held, input.note) = (Some(value), note);
    }
    progress.small = if large { 0 } else { progress.small + 1 };
    let lead = if rose { progress.lead(rises) } else { 0.0 };
    for (place, rise) in gradual.into_iter().filter(|_| lead > 0.0) {
        let held = &mut remembering[place].1.held;
        progress.led.extend(held.map(|x| (place, x)));
        *held = held.map(|x| 1.0 - (1.0 - x) * (-lead * rise).exp());
    }
    rose
}

/// Raises what is held once more, to what the motion asks for after joints have moved bodies, and puts it into the problem. Whether any rose by so much that its
/// force is off: a secant stiffness is as wrong as the damage it is taken at.
pub(crate) fn raise_after(assembly: &mut Assembly, laws: &LawTable, tolerance: f64) -> bool {
    if assembly.staged.is_empty() {
        return false;
    }
    let before: Vec<(Option<f64>, f64)> = assembly.remembering.iter().map(|(_, input)| (input.held, input.note)).collect();
    raise(assembly, laws, tolerance, &mut Progress::default());
    let rose = |((held, _), (_, input)): (&(Option<f64>, f64), &(usize, LawInput))| {
        held.zip(input.held).is_some_and(|(before, after)| after > before * (1.0 + OFF) + LEAST)
    };
    if !before.iter().zip(&assembly.remembering).any(rose) {
        for ((_, input), before) in assembly.remembering.iter_mut().zip(before) {
            (input.held, input.note) = before;
        }
        return false;
    }
    hold_and_close(assembly, laws);
    assembly.stages += 1;
    true
}

/// Rise to this damage that counts.
fn enough(value: f64, tolerance: f64) -> f64 {
    tolerance.min(BEGUN * value).max(LEAST)
}

fn axes(frame: &Frame) -> [Vec3; 3] {
    [0, 1, 2].map(|k| frame.to_world(&Vec3::ith(k, 1.0)))
}

/// Puts the laws with what they hold into the problem, with what rigid bonds close and may bear in it.
fn hold_and_close(assembly: &mut Assembly, laws: &LawTable) {
    hold(assembly, laws);
    drift::close(assembly, laws);
    ample::bound(assembly, laws);
}

/// Puts the laws with what they hold into the problem.
fn hold(assembly: &mut Assembly, laws: &LawTable) {
    let Assembly { problem, remembering, staged, growth, .. } = assembly;
    for s in &*staged {
        let (index, input) = &remembering[s.remembering];
        if input.held.is_none() {
            continue;
        }
        let Some(data) = laws.law(s.law).prepare(input) else { continue };
        let contact = &mut problem.contacts[s.contact];
        contact.velocity_shift = data.velocity_shift - growth.at(*index);
        contact.compliance = data.compliance;
        contact.impulse_shift = data.impulse_shift;
        contact.response = match (contact.response, data.response) {
            (_, LawResponse::Cone(cone)) => Response::Cone(cone),
            (Response::Law(slot), LawResponse::Local(local)) => {
                problem.laws[slot] = local;
                Response::Law(slot)
            }
            (Response::Cone(_), LawResponse::Local(local)) => {
                problem.laws.push(local);
                Response::Law(problem.laws.len() - 1)
            }
        };
    }
}
