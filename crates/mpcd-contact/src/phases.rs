//! Impacts in two phases (Poisson, Stronge): after the compression a second solve restitutes. Nothing happens where nothing is struck.

use mpcd_core::{Kinematics, Vec3};
use mpcd_friction::{
    RigidSolver, SolveInfo, SolveSettings,
    problem::{Body, ProblemError, Response},
};

use crate::{
    assemble::Assembly,
    cell::CellStep,
    law::{LawTable, SecondPhase},
    stages,
};

/// Solves the problem of a step: once, or with phases of restitution where contacts are struck.
pub(crate) fn solve(
    assembly: &mut Assembly,
    laws: &LawTable,
    before: &Kinematics,
    cell: Option<&CellStep>,
    solver: &mut dyn RigidSolver,
    settings: &SolveSettings,
) -> Result<SolveInfo, ProblemError> {
    if assembly.struck.is_empty() {
        return stages::solve(assembly, laws, solver, settings);
    }
    let free = assembly.problem.motion();
    let compression = stages::solve(assembly, laws, solver, settings)?;
    let opening =
        |k: usize| assembly.problem.relative_velocity(k).map_or(0.0, |u| u.x + assembly.problem.contacts[k].velocity_shift.x);
    let compressed: Vec<(Vec3, f64)> =
        assembly.struck.iter().map(|(k, ..)| (assembly.problem.contacts[*k].impulse, opening(*k).max(0.0))).collect();
    let starts: Vec<Vec3> = assembly.problem.contacts.iter().map(|c| c.impulse).collect();
    // The impact alone: the same bodies and surfaces with the velocities before the step. What loads add in it, and drives and growth that change in it, strikes nothing.
    assembly.problem.bodies = free.bodies.iter().zip(rest_of(before)).map(|(node, v)| unloaded(node, &v)).collect();
    if let (Some(target), Some(step)) = (&mut assembly.problem.cell, cell) {
        target.rate = step.before;
    }
    let shifts: Vec<Vec3> = assembly.problem.contacts.iter().map(|c| c.velocity_shift).collect();
    for (contact, &place) in assembly.problem.contacts.iter_mut().zip(&assembly.active) {
        contact.velocity_shift += assembly.growth.of_sizes(place) - assembly.growth.before(place);
    }
    let alone = solver.solve(&mut assembly.problem, settings)?;
    for (contact, shift) in assembly.problem.contacts.iter_mut().zip(shifts) {
        contact.velocity_shift = shift;
    }
    let struck = assembly.struck.clone();
    for ((k, impact, approach), (compression, opening)) in struck.into_iter().zip(compressed) {
        let contact = &mut assembly.problem.contacts[k];
        let law = SecondPhase { impact, compression, struck: contact.impulse.x.max(0.0), approach, opening };
        contact.response = Response::Law(assembly.problem.laws.len());
        assembly.problem.laws.push(std::sync::Arc::new(law));
    }
    for (contact, start) in assembly.problem.contacts.iter_mut().zip(starts) {
        contact.impulse = start;
    }
    assembly.problem.set_motion(&free);
    let restitution = solver.solve(&mut assembly.problem, settings)?;
    Ok(joined(&[compression, alone], restitution))
}

/// Velocities before the step; nodes beyond the bodies (the ground) are at rest.
fn rest_of(before: &Kinematics) -> impl Iterator<Item = (Vec3, Vec3)> + '_ {
    let moving = before.velocity.iter().zip(&before.angular_velocity).map(|(v, w)| (*v, *w));
    moving.chain(std::iter::repeat((Vec3::zeros(), Vec3::zeros())))
}

/// A node with its velocity before the step.
fn unloaded(node: &Body, (velocity, angular_velocity): &(Vec3, Vec3)) -> Body {
    Body { velocity: *velocity, angular_velocity: *angular_velocity, ..*node }
}

/// One report of all solves: the last one's errors, all sweeps, the first status that is no success.
pub(crate) fn joined(earlier: &[SolveInfo], mut last: SolveInfo) -> SolveInfo {
    for info in earlier {
        last.iterations += info.iterations;
        last.contact_updates += info.contact_updates;
        if !info.status.is_success() && last.status.is_success() {
            last.status = info.status;
            last.errors = info.errors;
            last.worst = info.worst;
            last.violation = info.violation;
            last.no_motion.clone_from(&info.no_motion);
        }
    }
    last
}
