//! A body slides without friction or rolls over flush boxes: neither speed nor height changes.

use mpcd_core::{Quat, Vec3};

use super::G;
use crate::{
    judge::Trial,
    random::Draw,
    scene::{Body, Load, Scene, Shape},
};

pub(super) fn make(seed: u64, draw: &mut Draw) -> Trial {
    let planar = draw.chance(0.4);
    let up = -Scene::down(planar);
    let pitch = draw.of(&[0.1, 0.07, 1.0 / 30.0]);
    let count = 14;
    let rolls = draw.chance(0.5);
    let friction = if rolls { 0.3 } else { 0.0 };
    let law = draw.of(&[
        format!("Coulomb(friction: {friction:?})"),
        format!("Coulomb(friction: {friction:?}, contact: Velocity)"),
        format!("Coulomb(friction: {friction:?}, contact: GapUnclipped)"),
        format!("Coulomb(friction: {friction:?}, restitution: 0.5)"),
    ]);
    let step = draw.decades(2e-4, 2e-3);
    let r = draw.between(0.2, 0.8) * pitch;
    let v = draw.between(0.2, 3.0);
    let (start, end) = (1.5 * pitch, (count as f64 - 2.0) * pitch);
    let time = ((end - start) / v / step).floor().min(400.0) * step;
    let mut scene = Scene::new(planar, -up * G, step, time, law);
    for k in 0..count {
        let x = pitch * (f64::from(k) + 0.5);
        let size = if planar { Vec3::new(pitch, pitch, 0.0) } else { Vec3::new(pitch, 6.0 * pitch, pitch) };
        scene.bodies.push(Body::new("floor", Shape::Box(size), 1.0, Vec3::x() * x - up * (0.5 * pitch)));
    }
    scene.loads.push(("floor", Load::Fixed));
    let mut body = Body::new("body", Shape::Round(r), 1.0, Vec3::x() * start + up * r).moving(Vec3::x() * v);
    if rolls {
        body.spin = up.cross(&Vec3::x()) * (v / r);
        if !planar && draw.chance(0.5) {
            // A capsule that lies across the way.
            body.shape = Shape::Capsule(r, 2.0 * r);
            body.turned = Quat::from_scaled_axis(Vec3::z() * std::f64::consts::FRAC_PI_2);
        }
    } else {
        body.shape = if draw.chance(0.7) {
            Shape::Box(Vec3::new(3.0 * r, if planar { 2.0 * r } else { 2.5 * r }, 2.0 * r))
        } else {
            Shape::Capsule(r, 2.0 * r)
        };
        if !planar && draw.chance(0.3) {
            // not in line with the seams
            body.turned = Quat::from_scaled_axis(Vec3::z() * draw.between(-0.6, 0.6));
        }
    }
    scene.bodies.push(body);
    let last = scene.bodies.len() - 1;
    Trial { overlap: 2e-3, ..Trial::new("seams", seed, scene) }
        .expect("speed", v, 0.01 * v, move |o| o.velocity[last].x)
        .expect("height", r, 2e-3 * r, move |o| o.position[last].dot(&up))
        .expect("speed upwards", 0.0, 5e-3 * v, move |o| o.velocity[last].dot(&up).abs())
}
