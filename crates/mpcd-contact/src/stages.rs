//! Bonds that soften within a step. Where a bond loses its strength faster than inertia holds it, the step has several answers and sweeps
//! over contacts go round among them. The problem is then solved in stages: damage held, raised to what the opening asks for, held again.
//! With damage held each stage is contact with springs; damage only rises, so the stages end. What is lost in a stage stays lost: load
//! that a neighbour takes over later in the step heals nothing.

use mpcd_core::{Mat3, Vec3};
use mpcd_friction::{
    RigidSolver, SolveInfo, SolveSettings, Status,
    rigid::{Contact, ContactDimension, Node, ProblemError, Response},
};

use crate::{
    assemble::{Assembly, Softening},
    law::{LawResponse, LawTable, Staged},
};

/// Sweeps after which a problem with bonds is solved in stages.
const TRIAL: usize = 1_000;

/// Rise of damage, over the damage, that asks for another stage where that is less than the tolerance; and the least rise that does.
const BEGUN: f64 = 0.01;
const LEAST: f64 = 1e-10;

/// Most stages of a step.
const STAGES: usize = 5_000;

/// Solves the problem; in stages if it has bonds and does not converge soon.
pub(crate) fn solve(
    assembly: &mut Assembly,
    laws: &LawTable,
    solver: &mut dyn RigidSolver,
    settings: &SolveSettings,
) -> Result<SolveInfo, ProblemError> {
    if assembly.softening.is_empty() {
        return solver.solve(&mut assembly.problem, settings);
    }
    let free = assembly.problem.motion();
    let starts: Vec<Vec3> = assembly.problem.contacts.iter().map(|c| c.impulse).collect();
    let trial = SolveSettings { max_iterations: settings.max_iterations.min(TRIAL), ..*settings };
    let mut info = solver.solve(&mut assembly.problem, &trial)?;
    if info.status.is_success() {
        return Ok(info);
    }
    for (contact, start) in assembly.problem.contacts.iter_mut().zip(starts) {
        contact.impulse = start;
    }
    raise(assembly, laws, settings.tolerance, false);
    for _ in 0..STAGES {
        hold(assembly, laws);
        assembly.stages += 1;
        assembly.problem.set_motion(&free);
        let earlier = info;
        info = solver.solve(&mut assembly.problem, settings)?;
        info.iterations += earlier.iterations;
        info.contact_updates += earlier.contact_updates;
        if !info.status.is_success() || !raise(assembly, laws, settings.tolerance, true) {
            return Ok(info);
        }
    }
    info.status = Status::MaxIterations;
    Ok(info)
}

/// Raises the damage held to what the motion asks for (`moved`), or sets it to what the step starts with. Whether any rose by more than
/// `tolerance`.
fn raise(assembly: &mut Assembly, laws: &LawTable, tolerance: f64, moved: bool) -> bool {
    let Assembly { problem, remembering, softening, growth, .. } = assembly;
    let mut rose = false;
    for Softening { contact, remembering: place, law } in &*softening {
        let (index, input) = &mut remembering[*place];
        let u = problem.relative_velocity(*contact).unwrap_or_default() - Vec3::x() * growth[*index];
        let contact = &problem.contacts[*contact];
        let staged = Staged { u, r: contact.impulse, block: block(contact, &problem.nodes, problem.dimension) };
        let Some(damage) = laws.law(*law).staged_damage(input, moved.then_some(&staged)) else { continue };
        // Where a bond has only begun to give way a small rise is much of its stiffness.
        rose |= damage > input.held.unwrap_or(damage) + tolerance.min(BEGUN * damage).max(LEAST);
        input.held = Some(damage);
    }
    rose
}

/// Puts the laws with their damage held into the problem.
fn hold(assembly: &mut Assembly, laws: &LawTable) {
    let Assembly { problem, remembering, softening, .. } = assembly;
    for Softening { contact, remembering: place, law } in &*softening {
        let data = laws.law(*law).prepare(&remembering[*place].1);
        if let (Response::Law(slot), Some(LawResponse::Local(local))) =
            (problem.contacts[*contact].response, data.map(|d| d.response))
        {
            problem.laws[slot] = local;
        }
    }
}

/// The block of a contact in the Delassus operator: the relative velocities (n, t, s) that unit impulses give.
fn block(contact: &Contact, nodes: &[Node], dimension: ContactDimension) -> Mat3 {
    let moved = |node: &Node, arm: &Vec3, impulse: &Vec3| {
        node.inverse_mass.component_mul(impulse) + (node.inverse_inertia.matrix() * arm.cross(impulse)).cross(arm)
    };
    let (c, a) = (&nodes[contact.candidate], &nodes[contact.antagonist]);
    let mut out = Mat3::zeros();
    for k in 0..if dimension == ContactDimension::Two { 2 } else { 3 } {
        let impulse = contact.frame.to_world(&Vec3::ith(k, 1.0));
        let u = moved(c, &contact.candidate_lever, &impulse) + moved(a, &contact.antagonist_lever, &impulse);
        out.set_column(k, &contact.frame.to_local(&u));
    }
    if dimension == ContactDimension::Two {
        out.set_row(2, &Vec3::zeros().transpose());
    }
    out
}
