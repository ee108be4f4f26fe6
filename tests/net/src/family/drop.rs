//! A body falls on the floor with long steps: it comes to rest on it, and the floor takes its momentum.

use mpcd_core::{Quat, Vec3};

use super::G;
use crate::{
    judge::Trial,
    random::Draw,
    scene::{Body, Load, Scene, Shape},
};

pub(super) fn make(seed: u64, draw: &mut Draw) -> Trial {
    let planar = draw.chance(0.5);
    let up = -Scene::down(planar);
    let step = draw.decades(1e-3, 0.1);
    let height = draw.decades(1e-2, 5.0);
    let fall = (2.0 * height / G).sqrt();
    let end = ((fall + 12.0 * step) / step).ceil() * step;
    let friction = draw.between(0.0, 0.8);
    let law = draw.of(&[
        format!("Coulomb(friction: {friction:?})"),
        format!("Coulomb(friction: {friction:?}, contact: GapUnclipped)"),
        format!("Coulomb(friction: {friction:?}, restitution: 0.0)"),
    ]);
    let r = draw.decades(1e-3, 0.3);
    let mut scene = Scene::new(planar, -up * G, step, end, law);
    let thin = draw.chance(0.5);
    if draw.chance(0.5) {
        scene.bodies.push(Body::new("floor", Shape::Floor(up), 0.0, Vec3::zeros()));
    } else {
        let t = if thin { 0.5 * r } else { 1.0 };
        let slab = if planar { Vec3::new(10.0, t, 0.0) } else { Vec3::new(10.0, 10.0, t) };
        scene.bodies.push(Body::new("floor", Shape::Box(slab), 1.0, -up * (0.5 * t)));
        scene.loads.push(("floor", Load::Fixed));
    }
    let (shape, half) = match draw.whole(0, 2) {
        0 => (Shape::Round(r), r),
        1 => (Shape::Box(Vec3::new(2.0 * r, if planar { 2.0 * r } else { 3.0 * r }, 2.0 * r)), r),
        _ => (Shape::Capsule(r, 2.0 * r), r),
    };
    let mass = draw.decades(1e-3, 1e3);
    let mut body = Body::new("body", shape, mass, up * (half + height));
    if planar && matches!(body.shape, Shape::Round(_)) {
        body.turned = Quat::from_scaled_axis(Vec3::z() * 0.3);
    }
    scene.bodies.push(body);
    // The gap form ends at the surface; the velocity form where it was found closed, less than a step's way below.
    let speed = G * fall;
    let below = if scene.law.contains("restitution") { speed * step } else { 0.0 };
    let trial = Trial { overlap: if below > 0.0 { f64::INFINITY } else { 0.05 }, ..Trial::new("drop", seed, scene) };
    let trial = if below > 0.0 {
        trial.expect("not through the floor", 1.0, 0.5, move |o| f64::from(u8::from(o.position[1].dot(&up) > -0.2 * half)))
    } else {
        trial.expect("height at the end", half, 0.02 * half + 1e-6, move |o| o.position[1].dot(&up))
    };
    trial.expect("speed at the end", 0.0, 1e-3 * G * step, |o| o.velocity[1].norm()).expect(
        "force on the floor",
        mass * G,
        1e-3 * mass * G,
        move |o| -o.support_over_last(0.0).dot(&up),
    )
}
