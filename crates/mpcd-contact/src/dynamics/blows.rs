//! Blows of joints. The conditions of joints hold for places at the end of a step. Where velocities before it do not fit them (a stop, a wire that is caught, a drive that starts or turns
//! round) the bodies of joints have to have, in the step, velocities that lead them there, which `joint::project` takes from them again at its end: V ≈ 2v − V⁻ for a drive of
//! speed v. What they touch has been led likewise and must lose that too, with what it touches in turn: contacts and joints are solved once more at the end of the step, for velocities alone,
//! under the same laws of the whole impulses of the step. Places stay as they are. What lives here: that solve and its part in the balances. What may not: the joints' own rows (`joint::project`).

use mpcd_core::Vec3;
use mpcd_friction::{
    Cone, RigidSolver, SolveInfo, SolveSettings, Stage as Ran, Status,
    problem::{Body, Contact, ContactProblem, ProblemError, Response, Side},
};

use crate::{
    assemble::Assembly,
    joint::{AtEnd, Landed},
    law::LawTable,
    motion::across,
    phases,
    rows::status_of,
    state::{ContactState, Turning},
};

/// Part of the speeds of a joint's body about its joints, and of what contacts and joints give it in the step, from which a contact feels what joints take from it at the end. Where motion is
/// smooth that is of second order in the angle of a step, and the contacts of the next step see it.
const FELT: f64 = 1e-3;

/// How much finer than a step its blow is solved: its impulses come beside those that joints and bonds can bear.
const FINER: f64 = 1e-3;

/// What a report calls it.
const NAME: &str = "blows of joints";

/// What contacts gave and took more at the end of the step.
#[derive(Debug)]
pub(crate) struct Blow {
    /// Place in the problem, impulse (local) and moment (world axes) on the candidate.
    more: Vec<(usize, Vec3, Vec3)>,
    info: SolveInfo,
}

/// Has the contacts of the solved problem follow what joints did at the end of the step, where one of them feels it; the velocities of all bodies with that, from which
/// joints are to fit them.
///
/// # Errors
/// What the solver cannot take.
pub(crate) fn pass_on(
    assembly: &mut Assembly,
    (solver, settings): (&mut dyn RigidSolver, &SolveSettings),
    joints: &mut AtEnd<'_>,
) -> Result<Option<(Blow, Vec<Body>)>, ProblemError> {
    let mut parts = taking_part(assembly);
    parts.retain(|k| !slides_on(&assembly.problem.contacts[*k], joints));
    if !is_felt(&parts, &assembly.problem, joints) {
        return Ok(None);
    }
    let blow = solved(assembly, (solver, settings), joints, &parts)?;
    let mut bodies = joints.begun.clone();
    for (k, impulse, moment) in &blow.more {
        let contact = &mut assembly.problem.contacts[*k];
        give(&mut bodies, contact, impulse, moment);
        contact.impulse += impulse;
        let more = contact.frame.to_local(moment);
        contact.set_moment(contact.moment() + more);
    }
    Ok(Some((blow, bodies)))
}

/// Contacts that follow: what is open stays so, and springs give what their length says. None in a moving cell.
fn taking_part(assembly: &Assembly) -> Vec<usize> {
    let Assembly { problem, active, left_over, .. } = assembly;
    let mut on_meshes: Vec<usize> = problem.compliances.iter().flat_map(|body| body.contacts.iter().copied()).collect();
    on_meshes.sort_unstable();
    let takes_part = |&k: &usize| {
        let contact = &problem.contacts[k];
        let bears = contact.impulse != Vec3::zeros() || contact.impulse_shift != Vec3::zeros();
        let follows = match contact.response {
            Response::Cone(_) => true,
            Response::Law(law) => {
                is_struck(assembly, k).is_some() || problem.laws.get(law).is_some_and(|law| law.is_of_velocities())
            }
        };
        let rigid = follows && contact.compliance == Vec3::zeros() && on_meshes.binary_search(&k).is_err();
        bears && rigid && !left_over.get(k).copied().unwrap_or(false)
    };
    (0..if problem.cell.is_none() { active.len() } else { 0 }).filter(takes_part).collect()
}

/// What joints take from the bodies of a contact at the end of the step, as its relative velocity, local [m/s].
fn taken(contact: &Contact, joints: &AtEnd<'_>) -> Vec3 {
    let (begun, fitted) = (&joints.begun, &joints.fitted.bodies);
    let held = contact.sides().into_iter().filter(|side| fitted[side.body].moves());
    contact.frame.to_local(&held.map(|side| side.velocity(&fitted[side.body]) - side.velocity(&begun[side.body])).sum())
}

/// Whether a contact slides in the step and nothing but its slip changes at the end: it keeps the friction of the step, as there is no time for another one.
fn slides_on(contact: &Contact, joints: &AtEnd<'_>) -> bool {
    let taken = taken(contact, joints);
    let slip: Vec3 = contact.sides().iter().map(|side| side.velocity(&joints.begun[side.body])).sum();
    let slip = contact.frame.to_local(&slip);
    taken.norm() > 0.0 && taken.x.abs() <= FELT * taken.norm() && slip.y.hypot(slip.z) > FELT * taken.norm()
}

/// Friction of a contact that gives back what it was struck with, and the speed at which it does.
fn is_struck(assembly: &Assembly, contact: usize) -> Option<(f64, f64)> {
    let struck = assembly.struck.iter().find(|(k, ..)| *k == contact);
    struck.map(|(_, impact, approach)| (impact.friction, impact.restitution * approach))
}

/// Whether one of these contacts feels what joints take from its bodies.
fn is_felt(parts: &[usize], problem: &ContactProblem, joints: &AtEnd<'_>) -> bool {
    let (begun, fitted) = (&joints.begun, &joints.fitted.bodies);
    // speeds of the bodies of joints about these: of the other body, and by their turning
    let mut paces = vec![0.0_f64; begun.len()];
    for rows in &joints.fitted.contacts {
        let [c, a] = rows.sides();
        let turns = [&c, &a].map(|side| begun[side.body].angular_velocity.norm() * side.lever.norm());
        let pace = (begun[c.body].velocity - begun[a.body].velocity).norm().max(turns[0]).max(turns[1]);
        [c, a].iter().for_each(|side| paces[side.body] = paces[side.body].max(pace));
    }
    let is_beyond = |k: usize, speed: &dyn Fn(&Side) -> f64| {
        let contact = &problem.contacts[k];
        let sides = contact.sides();
        let held = sides.iter().filter(|side| fitted[side.body].moves());
        taken(contact, joints).norm() > FELT * held.map(speed).fold(0.0, f64::max)
    };
    let pace = |side: &Side| paces[side.body];
    let mut beyond = parts.iter().copied().filter(|&k| is_beyond(k, &pace)).peekable();
    if beyond.peek().is_none() {
        return false;
    }
    // at rest nothing is left of speeds but what solves leave: there it is what contacts and joints keep from falling that tells
    let mut free = begun.clone();
    problem.contacts.iter().for_each(|c| give(&mut free, c, &-c.impulse, &-c.world_moment()));
    let given = |side: &Side| (begun[side.body].velocity_at(&side.lever) - free[side.body].velocity_at(&side.lever)).norm();
    beyond.any(|k| is_beyond(k, &given))
}

/// What these contacts give more once joints and contacts are solved for velocities alone.
fn solved(
    assembly: &Assembly,
    (solver, settings): (&mut dyn RigidSolver, &SolveSettings),
    joints: &mut AtEnd<'_>,
    parts: &[usize],
) -> Result<Blow, ProblemError> {
    let problem = &assembly.problem;
    let of = (joints.begun.clone(), problem.laws.clone());
    let mut blow = ContactProblem { bodies: of.0, laws: of.1, ..ContactProblem::new(problem.dimension) };
    for &k in parts {
        let contact = &problem.contacts[k];
        give(&mut blow.bodies, contact, &-contact.impulse, &-contact.world_moment());
        let mut own = contact.clone();
        if let Some((friction, back)) = is_struck(assembly, k) {
            own.response = Response::Cone(Cone::Coulomb { friction });
            own.velocity_shift.x -= back;
        }
        blow.contacts.push(own);
    }
    blow.contacts.extend_from_slice(&joints.fitted.contacts);
    let finer = SolveSettings { tolerance: settings.tolerance * FINER, ..*settings };
    // beside what joints hold together sweeps see little of what is to be found
    let mut without = joints.take_out(&blow, parts.len());
    let mut info = solver.solve(without.as_mut().map_or(&mut blow, |without| &mut without.problem), &finer)?;
    if info.error() <= settings.tolerance {
        info.status = Status::Converged;
    }
    let found = |at: usize| {
        without.as_ref().map_or_else(|| (blow.contacts[at].impulse, blow.contacts[at].world_moment()), |w| w.found(at))
    };
    let more = |(at, &k): (usize, &usize)| {
        let ((impulse, moment), contact) = (found(at), &problem.contacts[k]);
        (k, impulse - contact.impulse, moment - contact.world_moment())
    };
    Ok(Blow { more: parts.iter().enumerate().map(more).collect(), info })
}

/// Gives an impulse (local) and a moment (world axes) of a contact to its bodies.
fn give(bodies: &mut [Body], contact: &Contact, impulse: &Vec3, moment: &Vec3) {
    let impulse = contact.frame.to_world(impulse);
    contact.sides().iter().for_each(|side| side.apply(&mut bodies[side.body], &impulse, moment));
}

impl Blow {
    /// The report of the step with this as a stage of its own.
    pub(crate) fn reported(self, mut info: SolveInfo) -> SolveInfo {
        if info.stages.is_empty() && info.iterations > 0 {
            info.stages.push(Ran { name: info.solver, iterations: info.iterations, error: info.error() });
        }
        info.stages.push(Ran { name: NAME, iterations: self.info.iterations, error: self.info.error() });
        phases::joined(&[self.info], info)
    }

    /// Writes it into the network: impulses, velocities after it, and the heat of its impulses by the mean of the velocities before and after.
    pub(crate) fn book(&self, assembly: &Assembly, laws: &LawTable, landed: &Landed, next: &mut ContactState) {
        let ContactState { network, kinematics: end, turning, .. } = next;
        for (k, impulse, moment) in &self.more {
            let (index, solved) = (assembly.active[*k], &assembly.problem.contacts[*k]);
            let (contact, touch) = (&mut network.contacts[index], &assembly.touches[index]);
            let before = touch.frame.to_local(&across(touch, |body| (landed.velocity[body], landed.spin[body])));
            contact.u = touch.frame.to_local(&across(touch, |body| (end.velocity[body], end.angular_velocity[body])));
            contact.r = solved.impulse;
            let mean = (before + contact.u) * 0.5;
            contact.heat_impact -= impulse.x * mean.x;
            contact.heat_friction -= impulse.y * mean.y + impulse.z * mean.z;
            contact.status = status_of(contact, laws.law(contact.law).friction());
            if *moment == Vec3::zeros() {
                continue;
            }
            let (c, a) = contact.bodies();
            let spin = |i: usize| (landed.spin[i] + end.angular_velocity[i]) * 0.5;
            contact.heat_friction -= moment.dot(&(spin(c.index()) - spin(a.index())));
            remember(turning, &Turning { key: contact.key, moment: solved.world_moment() });
        }
    }
}

fn remember(turning: &mut [Turning], new: &Turning) {
    turning.iter_mut().filter(|old| old.key == new.key).for_each(|old| *old = *new);
}
