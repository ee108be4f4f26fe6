//! A body on a slope: it rests, slides or rolls as the formula says, whatever it is made of.

use mpcd_core::Vec3;

use super::G;
use crate::{
    judge::Trial,
    random::Draw,
    scene::{Body, Load, Scene, Shape},
};

const END: f64 = 0.2;
const STEP: f64 = 1e-3;

pub(super) fn make(seed: u64, draw: &mut Draw) -> Trial {
    let planar = draw.chance(0.4);
    let up = -Scene::down(planar);
    let angle = draw.between(0.05, 0.9_f64);
    let along = if planar {
        Vec3::x() * draw.of(&[-1.0, 1.0])
    } else {
        let a = draw.between(0.0, 6.2);
        Vec3::new(a.cos(), a.sin(), 0.0)
    };
    // Far enough from the limits that the last digit does not decide.
    let friction = loop {
        let f = draw.between(0.05, 1.0);
        if (f / angle.tan() - 1.0).abs() > 0.02
            && (f * 3.5 / angle.tan() - 1.0).abs() > 0.02
            && (f * 3.0 / angle.tan() - 1.0).abs() > 0.02
        {
            break f;
        }
    };
    let sliding = friction * draw.between(0.3, 1.0);
    let (law, kinetic) = draw.of(&[
        (format!("Coulomb(friction: {friction:?})"), friction),
        (format!("Coulomb(friction: {friction:?}, contact: Velocity)"), friction),
        (format!("Coulomb(friction: {friction:?}, contact: GapUnclipped)"), friction),
        (format!("StaticDynamic(friction: {friction:?}, sliding: {sliding:?})"), sliding),
    ]);
    let gravity = (along * angle.sin() - up * angle.cos()) * G;
    let mut scene = Scene::new(planar, gravity, STEP, END, law.clone());
    let r = draw.decades(1e-3, 1.0);
    let mass = draw.decades(1e-6, 1e6);
    if draw.chance(0.5) {
        scene.bodies.push(Body::new("floor", Shape::Floor(up), 0.0, Vec3::zeros()));
    } else {
        let slab = if planar { Vec3::new(400.0 * r + 2.0, 0.2, 0.0) } else { Vec3::new(400.0 * r + 2.0, 400.0 * r + 2.0, 0.2) };
        scene.bodies.push(Body::new("floor", Shape::Box(slab), 1.0, -up * 0.1));
        scene.loads.push(("floor", Load::Fixed));
    }
    let rolls = draw.chance(0.4);
    let acceleration = if rolls {
        scene.bodies.push(Body::new("body", Shape::Round(r), mass, up * r));
        let k = if planar { 0.5 } else { 0.4 };
        let rolling = angle.tan() <= friction * (1.0 + 1.0 / k);
        G * if rolling { angle.sin() / (1.0 + k) } else { angle.sin() - kinetic * angle.cos() }
    } else {
        // Flat, so that it does not topple.
        let low = 0.2 * r;
        let size = if planar { Vec3::new(4.0 * r, 2.0 * low, 0.0) } else { Vec3::new(4.0 * r, 3.0 * r, 2.0 * low) };
        scene.bodies.push(Body::new("body", Shape::Box(size), mass, up * low));
        if friction > angle.tan() { 0.0 } else { G * (angle.sin() - kinetic * angle.cos()) }
    };
    let speed = acceleration * END;
    // A ball that rolls under a law with two coefficients: rest of the contact point is one of two answers near the limit.
    let bound = if acceleration == 0.0 { 1e-9 } else { 2e-3 * speed + 2.0 * STEP * acceleration };
    let trial = Trial { overlap: 1e-3, views: Some((1e-3 * END * END * G, 1e-3 * END * G)), ..Trial::new("slope", seed, scene) };
    trial
        .expect("speed along the slope", speed, bound, move |o| o.velocity[1].dot(&along))
        .expect("speed off the slope", 0.0, 1e-3 * G * END, move |o| o.velocity[1].dot(&up))
        .agree("speed along the slope", bound + 1e-9, move |o| o.velocity[1].dot(&along))
}
