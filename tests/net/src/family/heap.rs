//! Bodies of any shape fall in a heap: no energy from nowhere, no overlap, each step's momentum, and at last the weight on the floor.

use mpcd_core::{Quat, Vec3};

use super::G;
use crate::{
    judge::Trial,
    random::Draw,
    scene::{Body, Scene, Shape},
};

pub(super) fn make(seed: u64, draw: &mut Draw) -> Trial {
    let planar = draw.chance(0.5);
    let up = -Scene::down(planar);
    let friction = draw.between(0.0, 0.8);
    let law = draw.of(&[
        format!("Coulomb(friction: {friction:?})"),
        format!("Coulomb(friction: {friction:?}, contact: GapUnclipped)"),
        format!("StaticDynamic(friction: {friction:?}, sliding: {:?})", 0.5 * friction),
        format!("Coulomb(friction: {friction:?}, rolling: 1e-4)"),
    ]);
    let mut scene = Scene::new(planar, -up * G, 5e-4, 0.3, law);
    let wide = 0.1;
    scene.bodies.push(Body::new("box", Shape::Floor(up), 0.0, Vec3::zeros()));
    let sides: &[Vec3] = if planar { &[Vec3::new(1.0, 0.0, 0.0)] } else { &[Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0)] };
    for side in sides {
        scene.bodies.push(Body::new("box", Shape::Floor(*side), 0.0, -side * wide));
        scene.bodies.push(Body::new("box", Shape::Floor(-side), 0.0, side * wide));
    }
    let spread = draw.decades(1.0, 1e4);
    // no grain starts in another one: their reaches, and a little
    let (mut weight, mut height, mut below) = (0.0, 0.0, 0.01);
    let count = draw.whole(3, 14);
    for _ in 0..count {
        let r = draw.between(0.012, 0.025);
        let shape = match draw.whole(0, 2) {
            0 => Shape::Round(r),
            1 => Shape::Box(Vec3::new(draw.between(0.8, 1.2) * r, draw.between(0.8, 1.2) * r, draw.between(0.8, 1.2) * r)),
            _ => Shape::Capsule(0.4 * r, r),
        };
        let mass = 0.01 * draw.decades(1.0, spread);
        weight += mass * G;
        let aside = draw.between(-0.05, 0.05);
        let across = if planar { 0.0 } else { draw.between(-0.05, 0.05) };
        height += below + 1.05 * r;
        below = 1.05 * r;
        let at = up * height + Vec3::x() * aside + if planar { Vec3::zeros() } else { Vec3::y() * across };
        let mut body = Body::new("grains", shape, mass, at);
        body.turned = if planar {
            Quat::from_scaled_axis(Vec3::z() * draw.between(-3.0, 3.0))
        } else {
            Quat::from_scaled_axis(draw.direction(false) * draw.between(0.1, 3.0))
        };
        scene.bodies.push(body);
    }
    Trial::new("heap", seed, scene).expect("force on the box", 1.0, 1e-9, move |o| -o.weight_over_last(0.2).dot(&up) / weight)
}
