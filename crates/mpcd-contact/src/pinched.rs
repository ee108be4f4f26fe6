//! Words about contacts whose conditions no motion meets: who is pinched, between whom, why, and what helps. No numerics.

use std::collections::BTreeSet;

use mpcd_core::{BodyId, Setup};
use mpcd_friction::{NoMotion, problem::Body};

use crate::assemble::Assembly;

/// Bodies named at most, of each kind.
const NAMED: usize = 4;
/// Masses so many times apart leave no digits for the motion of the heavier.
const FAR_APART: f64 = 1e9;

/// The proof in words. Bodies that impulses move are pinched, between those that they do not.
pub(crate) fn describe(proof: &NoMotion, assembly: &Assembly, setup: &Setup) -> String {
    let nodes = &assembly.problem.bodies;
    let (mut pinched, mut between) = (BTreeSet::new(), BTreeSet::new());
    let mut grows = false;
    for (contact, _) in &proof.contacts {
        let Some(contact_data) = assembly.problem.contacts.get(*contact) else { continue };
        let growth = assembly.active.get(*contact).map(|k| assembly.growth.of_sizes(*k));
        grows |= growth.is_some_and(|speed| speed.x > 0.0);
        for body in [contact_data.candidate, contact_data.antagonist] {
            let free = nodes.get(body).is_some_and(|n| yields(n, &contact_data.frame.normal().abs()));
            if free {
                pinched.insert(body)
            } else {
                between.insert(body)
            };
        }
    }
    let label = |body: usize| {
        if body < setup.bodies.len() { setup.body_label(BodyId::from_index(body)) } else { "the ground".to_owned() }
    };
    let wall = |body: usize| {
        let moves = nodes.get(body).is_some_and(|n| n.velocity.norm() > 0.0 || n.angular_velocity.norm() > 0.0);
        format!("{} ({})", label(body), if moves { "driven" } else { "fixed" })
    };
    let driven =
        between.iter().any(|b| nodes.get(*b).is_some_and(|n| n.velocity.norm() > 0.0 || n.angular_velocity.norm() > 0.0));
    let why = match (grows, driven) {
        (true, false) => ", and surfaces grow",
        (true, true) => ", surfaces grow and bodies are driven",
        (false, _) => "",
    };
    let help = if driven { "drive it by a force instead of a velocity" } else { "load a wall by a force instead of fixing it" };
    let inverse = pinched.iter().filter_map(|b| nodes.get(*b)).map(|node| node.inverse_mass.max());
    let (least, most) = inverse.fold((f64::INFINITY, 0.0_f64), |(low, high), m| (low.min(m), high.max(m)));
    let apart = if most > FAR_APART * least {
        format!(
            "; or make their masses less different: {:.0e} times as heavy, one is a wall to the other in all digits there are",
            most / least
        )
    } else {
        String::new()
    };
    let verb = if pinched.len() == 1 { "is" } else { "are" };
    let what = if pinched.is_empty() {
        format!("{} are held or driven where they meet{why}", list(&between, label))
    } else {
        format!("{} {verb} pinched between {}{why}", list(&pinched, label), list(&between, wall))
    };
    format!(
        "no motion meets the contact conditions: {what}; the contacts close at {:.3e} m/s together whatever the \
         forces. Give one of these contacts a law that yields, such as `Elastic`, or {help}{apart}",
        proof.closing,
    )
}

/// Whether impulses along a normal (by the sizes of its components) move the body.
fn yields(node: &Body, normal: &mpcd_core::Vec3) -> bool {
    node.inverse_mass.component_mul(normal).norm() > 0.0
}

fn list(bodies: &BTreeSet<usize>, name: impl Fn(usize) -> String) -> String {
    let named: Vec<String> = bodies.iter().take(NAMED).map(|b| name(*b)).collect();
    let more = bodies.len().saturating_sub(NAMED);
    match named.split_last() {
        None => String::new(),
        Some(_) if more > 0 => format!("{} and {more} more", named.join(", ")),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}
