//! Towers of boxes, masses up to a million to one: the floor carries the weight.

use mpcd_core::Vec3;

use super::G;
use crate::{
    judge::Trial,
    random::Draw,
    scene::{Body, Load, Scene, Shape},
};

pub(super) fn make(seed: u64, draw: &mut Draw) -> Trial {
    let planar = draw.chance(0.5);
    let down = Scene::down(planar);
    let friction = draw.between(0.2, 0.9);
    let law =
        draw.of(&[format!("Coulomb(friction: {friction:.2})"), format!("StaticDynamic(friction: {friction:.2}, sliding: 0.1)")]);
    let mut scene = Scene::new(planar, down * G, 1e-3, 0.1, law);
    let count = draw.whole(2, 25);
    let size = Vec3::new(draw.between(0.1, 0.4), draw.between(0.1, 0.4), draw.between(0.05, 0.2));
    let size = if planar { Vec3::new(size.x, size.z, size.z) } else { size };
    let height = if planar { size.y } else { size.z };
    if draw.chance(0.5) {
        scene.bodies.push(Body::new("floor", Shape::Floor(-down), 0.0, Vec3::zeros()));
    } else {
        let slab = Vec3::new(2.0, if planar { 0.2 } else { 2.0 }, 0.2);
        scene.bodies.push(Body::new("floor", Shape::Box(slab), 1.0, down * 0.1));
        scene.loads.push(("floor", Load::Fixed));
    }
    let light = draw.decades(1e-2, 10.0);
    let heavy = light * draw.decades(1.0, 1e6);
    let place = draw.of(&[0, count / 2, count - 1]);
    let mut weight = 0.0;
    for k in 0..count {
        let mass = if k == place { heavy } else { light * draw.between(0.8, 1.2) };
        weight += mass * G;
        scene.bodies.push(Body::new("tower", Shape::Box(size), mass, -down * (height * (k as f64 + 0.5))));
    }
    let top = (place, scene.bodies.len());
    Trial { overlap: 1e-3, ..Trial::new("tower", seed, scene) }
        .expect("force on the floor", weight, 2e-3 * weight, move |o| o.support_over_last(0.5).dot(&down))
        .expect("speed of the heavy body", 0.0, 0.1 * G * 1e-3, move |o| o.velocity[top.0 + 1].norm())
        .agree("force on the floor", 2e-3 * weight, move |o| o.support_over_last(0.2).dot(&down))
}
