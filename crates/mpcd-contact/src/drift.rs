//! How rigid bonds close what earlier steps left of their gaps, in the solve of the next one. Each bond would ask for a velocity of its own; where bonds hang together in
//! loops no motion meets all of them, however little they ask for, and impulses would grow to what the bonds can bear. So the motion of bodies is sought that comes
//! nearest to closing all gaps, `min ‖Hᵀ V + d/h‖`, of these that of least energy, and each bond asks for its part of that: what one motion does, one motion meets. It
//! closes what is beyond a slack of the bonds alone, so that a step closes what the last one added: all at once would load bonds with what no load asks for, the more
//! the shorter the step. (Moving bodies after the step, without velocities, would keep no angular momentum: what spins grows by ½h²ω² in a step, and would be
//! drawn in.) What turns goes along arcs and asks in the same way to have no velocity against each other at the end of the step ([`crate::growth::of_bond`]), so that it does not drift at all, but for what
//! is of third order in its angle. What touches without a bond between bodies that bonds hold as one lets them do that: the least of a push against it would be answered by all that bonds can bear. Growth asks in the same way along the surfaces: a face that grows on one that does not keeps no two of its points where they are, and goes as the one motion
//! says that is nearest to all of them; across, bodies go as they grow. By conjugate gradients with the inverse masses as preconditioner; ended early, the answer is still the part of one motion. Bonds on meshes close
//! each for itself, altogether. No laws here.

use mpcd_core::Vec3;
use mpcd_friction::problem::{Body, Contact, ContactDimension, ContactProblem};

use crate::{assemble::Assembly, law::LawTable};

/// Part of the velocities at first, in their energy, that is near enough: what is left of a gap is closed in the next step.
const NEAR: f64 = 1e-3;

/// The same where bodies turn: what is left of that comes again in every step.
const NEAR_OF_TURNS: f64 = 1e-6;

/// The same of growth, which no later step makes good.
const NEARER: f64 = 1e-9;

/// Part of what is asked, as velocities, that is its rounding: what no motion does leaves no more of a motion than that, and going on would make one of it.
const ROUNDING: f64 = 1e-13;

/// Most iterations.
const MOST: usize = 100;

/// Has the rigid bonds that hold ask for what closes their gaps.
pub(crate) fn close(assembly: &mut Assembly, laws: &LawTable) {
    let Assembly { problem, remembering, staged, growth, within, .. } = assembly;
    let mut soft = vec![false; if problem.compliances.is_empty() { 0 } else { problem.contacts.len() }];
    problem.compliances.iter().flat_map(|c| &c.contacts).for_each(|&k| soft[k] = true);
    let (mut bonds, mut growing, mut near) = (Vec::new(), Vec::new(), NEAR);
    for s in &*staged {
        let (place, input) = &remembering[s.remembering];
        let law = laws.law(s.law).stages().filter(|law| law.is_rigid(input) && !input.ahead);
        let Some((drift, slack)) = law.map(|law| (law.drift(input), law.slack(input))) else { continue };
        let contact = &mut problem.contacts[s.contact];
        if soft.get(s.contact).is_some_and(|soft| *soft) {
            contact.velocity_shift += drift / input.h;
            continue;
        }
        growing.push((s.contact, -growth.of_sizes(*place)));
        // what each point would ask for by itself is left to the one motion
        let turn = growth.of_turning(*place);
        contact.velocity_shift += turn;
        near = if turn == Vec3::zeros() { near } else { NEAR_OF_TURNS };
        let far = drift.norm();
        let beyond = if far > slack { drift * (1.0 - slack / far) } else { Vec3::zeros() };
        bonds.push((s.contact, input.asks(&beyond) - turn));
    }
    let asks = |bonds: &[(usize, Vec3)]| bonds.iter().any(|(_, asked)| *asked != Vec3::zeros());
    if asks(&bonds) {
        let bodies = nearest(problem, &bonds, near);
        let mut held: Vec<usize> = Vec::with_capacity(2 * bonds.len());
        for (contact, _) in bonds {
            let contact = &mut problem.contacts[contact];
            contact.velocity_shift -= seen(problem.dimension, contact, &bodies);
            held.extend([contact.candidate, contact.antagonist]);
        }
        held.sort_unstable();
        let is_held = |body: usize| held.binary_search(&body).is_ok();
        for &(contact, touches) in &*within {
            let contact = &mut problem.contacts[contact];
            if is_held(contact.candidate) && is_held(contact.antagonist) {
                // what touches goes that way whether it closes or opens: going along where it closes alone would add up to an overlap
                let closing = seen(problem.dimension, contact, &bodies).x;
                let least = if touches { f64::NEG_INFINITY } else { contact.velocity_shift.x };
                contact.velocity_shift.x = least.max(-closing);
            }
        }
    }
    if asks(&growing) {
        let bodies = nearest(problem, &growing, NEARER);
        for (contact, asked) in growing {
            let closing = seen(problem.dimension, &problem.contacts[contact], &bodies);
            // what grows asks for its own part already
            let own = asked + closing;
            problem.contacts[contact].velocity_shift -= Vec3::new(0.0, own.y, own.z);
        }
    }
}

/// The motion of bodies that comes nearest to `Hᵀ V = −d` at these contacts, but for the part `near` of it.
fn nearest(problem: &ContactProblem, bonds: &[(usize, Vec3)], near: f64) -> Vec<Body> {
    let still = |body: &Body| Body { velocity: Vec3::zeros(), angular_velocity: Vec3::zeros(), ..*body };
    let of = |contact: usize| &problem.contacts[contact];
    // M⁻¹ H applied to local vectors at the bonds
    let answer = |rows: &[Vec3]| {
        let mut bodies: Vec<Body> = problem.bodies.iter().map(still).collect();
        for ((contact, _), row) in bonds.iter().zip(rows) {
            let contact = of(*contact);
            let push = contact.frame.to_world(row);
            contact.sides().iter().for_each(|side| side.apply(&mut bodies[side.body], &push, &Vec3::zeros()));
        }
        bodies
    };
    // V = M⁻¹ H total; the ways of the gradients likewise, with what they do at the bonds
    let mut missed: Vec<Vec3> = bonds.iter().map(|(_, asked)| *asked).collect();
    let [mut total, mut way, mut done] = [0, 1, 2].map(|_| vec![Vec3::zeros(); bonds.len()]);
    let (mut first, mut before) = (0.0, 0.0);
    // the energy if no two contacts asked for opposite motions of a body
    let whole: f64 = bonds.iter().map(|(contact, asked)| problem.rigid_block(*contact).trace() * asked.norm_squared()).sum();
    for iteration in 0..MOST {
        let bodies = answer(&missed);
        let steepest: Vec<Vec3> = bonds.iter().map(|(contact, _)| seen(problem.dimension, of(*contact), &bodies)).collect();
        let energy: f64 = missed.iter().zip(&steepest).map(|(a, b)| a.dot(b)).sum();
        if iteration == 0 {
            first = energy;
        }
        if energy.is_nan() || energy <= near * near * first || energy <= ROUNDING * ROUNDING * whole {
            break;
        }
        let beta = if iteration == 0 { 0.0 } else { energy / before };
        before = energy;
        way.iter_mut().zip(&missed).for_each(|(way, missed)| *way = missed + *way * beta);
        done.iter_mut().zip(&steepest).for_each(|(done, z)| *done = z + *done * beta);
        let alpha = energy / done.iter().map(Vec3::norm_squared).sum::<f64>();
        for k in 0..bonds.len() {
            total[k] -= way[k] * alpha;
            missed[k] -= done[k] * alpha;
        }
    }
    answer(&total)
}

/// The velocity of a contact by those of the bodies, local.
fn seen(dimension: ContactDimension, contact: &Contact, bodies: &[Body]) -> Vec3 {
    let velocity: Vec3 = contact.sides().iter().map(|side| side.velocity(&bodies[side.body])).sum();
    let mut local = contact.frame.to_local(&velocity);
    if dimension == ContactDimension::Two {
        local.z = 0.0;
    }
    local
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use mpcd_friction::problem::Frame;

    use super::*;

    /// Three bodies of unequal masses in a ring, each bonded to the next at two points: twelve rows for six ways to move apart.
    fn ring() -> ContactProblem {
        let mut problem = ContactProblem::new(ContactDimension::Two);
        let at: Vec<Vec3> = (0..3).map(|k| Vec3::new((2.1 * f64::from(k)).cos(), (2.1 * f64::from(k)).sin(), 0.0)).collect();
        for k in 0..3 {
            problem.push_body(Body::ball(Vec3::zeros(), Vec3::zeros(), 10_f64.powi(k), 1.0));
        }
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let way = (at[a] - at[b]).normalize();
            let half = 0.5 * (at[a] - at[b]).norm();
            for aside in [-0.2, 0.2] {
                let aside = Vec3::new(-way.y, way.x, 0.0) * aside;
                problem.push_contact(Contact::new(a, b, Frame::from_normal(way), aside - way * half, aside + way * half));
            }
        }
        problem
    }

    /// How far the motion found closes each bond.
    fn undone(problem: &ContactProblem, bonds: &[(usize, Vec3)]) -> Vec<Vec3> {
        let bodies = nearest(problem, bonds, NEAR);
        problem.contacts.iter().map(|c| -seen(problem.dimension, c, &bodies)).collect()
    }

    /// What bodies did to open bonds they can undo; what no motion does is left.
    #[test]
    fn what_a_motion_opened_is_closed_and_nothing_else() {
        let problem = ring();
        let mut moved = problem.bodies.clone();
        for (k, body) in moved.iter_mut().enumerate() {
            let x = k as f64;
            (body.velocity, body.angular_velocity) = (Vec3::new(0.3 - x, 0.1 * x, 0.0), Vec3::new(0.0, 0.0, 0.2 + x));
        }
        let opened: Vec<Vec3> = problem.contacts.iter().map(|c| seen(problem.dimension, c, &moved)).collect();
        let bonds: Vec<(usize, Vec3)> = opened.iter().copied().enumerate().collect();
        let met = undone(&problem, &bonds);
        let scale: f64 = opened.iter().map(Vec3::norm).sum();
        for (met, opened) in met.iter().zip(&opened) {
            assert!((met - opened).norm() < 1e-2 * scale, "{met:?} {opened:?}");
        }
        // The residual of what no motion does is orthogonal to all that motions do.
        let asked = [1.0, 0.0, 0.0, 2.0, -0.5, 0.3].map(|x| Vec3::new(x, 0.0, 0.0));
        let bonds: Vec<(usize, Vec3)> = asked.iter().copied().enumerate().collect();
        let met = undone(&problem, &bonds);
        let left: f64 = asked.iter().zip(&met).zip(&opened).map(|((a, m), o)| (a - m).dot(o)).sum();
        assert!(left.abs() < 1e-2 * scale, "{left}");
        assert!(met.iter().zip(&asked).any(|(m, a)| (m - a).norm() > 0.1), "{met:?} asks too little to show anything");
    }
}
