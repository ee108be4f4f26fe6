//! Two bodies meet head on: Newton's formula for any masses, shapes, speeds, and steps in which they move less or more than their size.

use mpcd_core::Vec3;

use crate::{
    judge::Trial,
    random::Draw,
    scene::{Body, Load, Scene, Shape},
};

fn shape(draw: &mut Draw, planar: bool, half: f64) -> Shape {
    match draw.whole(0, if planar { 3 } else { 2 }) {
        0 => Shape::Round(half),
        1 => Shape::Box(Vec3::new(2.0 * half, draw.between(1.0, 20.0) * half, draw.between(1.0, 20.0) * half)),
        2 => Shape::Capsule(0.5 * half, half),
        _ => {
            let (h, w) = (half, half * draw.between(0.5, 2.0));
            Shape::Hull(vec![Vec3::new(-h, -w, 0.0), Vec3::new(h, -w, 0.0), Vec3::new(h, w, 0.0), Vec3::new(-h, w, 0.0)])
        }
    }
}

pub(super) fn make(seed: u64, draw: &mut Draw) -> Trial {
    let planar = draw.chance(0.5);
    let e = draw.of(&[0.0, 0.3, 0.5, 0.8, 1.0]);
    let friction = draw.of(&[0.0, 0.4]);
    let law = if e > 0.0 || draw.chance(0.5) {
        format!("Coulomb(friction: {friction:?}, restitution: {e:?})")
    } else {
        format!("Coulomb(friction: {friction:?})")
    };
    let (a, b) = (draw.decades(1e-3, 0.1), draw.decades(1e-3, 0.1));
    let (ma, mb) = (draw.decades(1e-3, 1e3), draw.decades(1e-3, 1e3));
    let step = 1e-3;
    // Ways in a step from a hundredth to ten times the smaller body.
    let v = a.min(b) / step * draw.decades(0.01, 10.0);
    let common = if draw.chance(0.5) { draw.between(-1.0, 1.0) * v } else { 0.0 };
    let steps = draw.between(10.0, 40.0);
    let gap = v * step * steps * draw.between(0.3, 0.6);
    let wall = draw.chance(0.3);
    let mut scene = Scene::new(planar, Vec3::zeros(), step, (steps * step / step).ceil() * step, law);
    let common = if wall { 0.0 } else { common };
    let left = shape(draw, planar, a);
    let right = shape(draw, planar, b);
    scene.bodies.push(Body::new("left", left, ma, Vec3::new(-a - gap, 0.0, 0.0)).moving(Vec3::x() * (v + common)));
    scene.bodies.push(Body::new("right", right, mb, Vec3::new(b, 0.0, 0.0)).moving(Vec3::x() * common));
    let (left, right) = if wall {
        scene.loads.push(("right", Load::Fixed));
        (-e * v, 0.0)
    } else {
        let mean = ma * v / (ma + mb);
        (mean - e * v * mb / (ma + mb) + common, mean + e * v * ma / (ma + mb) + common)
    };
    let close = 1e-6 * v;
    // A law on velocities acts on what it finds closed: up to the way of a step too late.
    let late = if scene.law.contains("restitution") { v * step / a.min(b) } else { 0.0 };
    Trial {
        overlap: late.max(0.05),
        views: Some((1e-4 * v * step * steps, 1e-4 * v)),
        // Twice what the tolerance leaves of a velocity.
        energy: Some(2e-5),
        ..Trial::new("impact", seed, scene)
    }
    .expect("velocity of the left body", left, close.max(1e-4 * v), |o| o.velocity[0].x)
    .expect("velocity of the right body", right, close.max(1e-4 * v), |o| o.velocity[1].x)
    // Flush faces meet at two points and more, whose impulses are as equal as the default tolerance (1e-5) makes them.
    .expect("speed aside", 0.0, 3e-5 * v, |o| o.velocity[0].yz().norm().max(o.velocity[1].yz().norm()))
    .expect("order of the bodies", 1.0, 0.5, |o| f64::from(u8::from(o.position[0].x < o.position[1].x)))
}
