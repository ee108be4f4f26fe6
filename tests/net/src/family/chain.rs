//! Chains of joints and welded clusters, masses up to a million to one: energy and momentum stay.

use mpcd_core::Vec3;

use super::G;
use crate::{
    judge::Trial,
    random::Draw,
    scene::{Body, Joint, JointKind, Scene, Shape},
};

pub(super) fn make(seed: u64, draw: &mut Draw) -> Trial {
    let planar = draw.chance(0.6);
    let hangs = draw.chance(0.6);
    let gravity = if hangs { Scene::down(planar) * G } else { Vec3::zeros() };
    let mut scene = Scene::new(planar, gravity, 1e-3, 0.2, "NoContact");
    let count = draw.whole(2, 12);
    let length = 0.1;
    let light = draw.decades(1e-3, 1.0);
    let heavy = light * draw.decades(1.0, 1e6);
    let place = draw.of(&[0, count / 2, count - 1]);
    let along = draw.direction(planar);
    for k in 0..count {
        let mass = if k == place { heavy } else { light };
        let mut body = Body::new("beads", Shape::Round(0.02), mass, along * (length * (k as f64 + 1.0)));
        if !hangs {
            body.velocity = draw.direction(planar) * draw.between(0.0, 0.5);
        }
        scene.bodies.push(body);
    }
    let kind = draw.whole(0, 3);
    for k in 0..count {
        let (from, to) = (along * (length * k as f64), along * (length * (k as f64 + 1.0)));
        let ground = k == 0;
        if ground && !hangs {
            continue;
        }
        let joint = match kind {
            0 => JointKind::Pin(if ground { from } else { (from + to) * 0.5 }),
            1 => JointKind::Rod(ground.then_some(from)),
            2 => JointKind::Wire(ground.then_some(from)),
            _ if ground => JointKind::Rod(Some(from)),
            _ => JointKind::Weld,
        };
        scene.joints.push(Joint { bodies: if ground { (0, None) } else { (k, Some(k - 1)) }, kind: joint });
    }
    if !hangs {
        // Velocities that the joints cannot take are lost in the first step: compare from a motion they can.
        let v = draw.direction(planar) * draw.between(0.1, 1.0);
        let spin = if planar { Vec3::z() } else { draw.direction(false) } * draw.between(0.5, 5.0);
        for body in &mut scene.bodies {
            body.velocity = v + spin.cross(&body.at);
            body.spin = spin;
        }
    }
    let momentum: Vec3 = scene.bodies.iter().map(|b| b.velocity * b.mass).sum();
    let masses: Vec<f64> = scene.bodies.iter().map(|b| b.mass).collect();
    let fall = G * 0.2 * 0.2;
    let start = scene.clone();
    let trial = Trial { energy: Some(2e-3), ..Trial::new("chain", seed, scene) };
    // A wire that goes slack and tight again loses energy; all else keeps it.
    let trial = if kind == 2 { trial } else { trial.expect("energy lost", 0.0, 0.02, lost) };
    let trial = if hangs {
        trial.agree("place of the heavy body", 0.05 * fall, move |o| o.position[place].dot(&gravity) / G)
    } else {
        let scale = momentum.norm() + 1e-300;
        trial.expect("change of momentum", 0.0, 1e-9, move |o| {
            (o.velocity.iter().zip(&masses).map(|(v, m)| v * *m).sum::<Vec3>() - momentum).norm() / scale
        })
    };
    trial.expect("stretch of the joints", 0.0, 1e-3, move |o| {
        let far =
            |k: usize, j: usize| (o.position[k] - o.position[j]).norm() / (start.bodies[k].at - start.bodies[j].at).norm() - 1.0;
        // Pins let the centres come nearer; nothing lets them part further.
        (1..start.bodies.len())
            .map(|k| if kind == 0 || kind == 2 { far(k, k - 1).max(0.0) } else { far(k, k - 1).abs() })
            .fold(0.0, f64::max)
    })
}

/// Energy lost since the start over what moved: the kinetic energy at the start or the fall.
fn lost(o: &crate::run::Outcome) -> f64 {
    let first = o.energy.first().copied().unwrap_or(0.0);
    let scale = o.energy.iter().fold(0.0_f64, |m, e| m.max(e.abs()));
    if scale > 0.0 { ((first - o.energy.last().copied().unwrap_or(first)) / scale).max(0.0) } else { 0.0 }
}
