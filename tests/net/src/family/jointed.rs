//! Joints that change velocities within a step, and what their bodies touch or are bonded to: rows that a slider pushes from rest, stacks on a tray that a stop catches, rows on a pin that
//! begins to turn.

use mpcd_core::{Quat, Vec3};

use super::G;
use crate::{
    judge::{BONDED, Trial},
    random::Draw,
    scene::{Body, Joint, JointKind, Scene, Shape},
};

/// Length of a block (m).
const LONG: f64 = 0.1;

/// Blocks in a row along a direction, masses up to a million to one, the first at the origin.
fn row(scene: &mut Scene, along: Vec3, count: usize, draw: &mut Draw) {
    let wide = draw.between(0.05, 0.2);
    let turned =
        Quat::rotation_between(&Vec3::x(), &along).unwrap_or_else(|| Quat::from_scaled_axis(Vec3::z() * std::f64::consts::PI));
    let light = draw.decades(1e-2, 1.0);
    let ratio = draw.decades(1.0, 1e6);
    for k in 0..count {
        let mass = light * draw.decades(1.0, ratio.max(1.0 + 1e-9));
        let mut body = Body::new("g", Shape::Box(Vec3::new(LONG, wide, wide)), mass, along * (LONG * k as f64));
        body.turned = turned;
        scene.bodies.push(body);
    }
}

/// Bonds that bear by far what sets all in motion in a step.
fn law(scene: &Scene, draw: &mut Draw, speed: f64, bonded: bool) -> String {
    let all: f64 = scene.bodies.iter().map(|b| b.mass).sum();
    let strength = draw.decades(1e3, 1e8) * all * speed / (scene.step * LONG * LONG);
    if bonded {
        format!("MohrCoulomb(friction: 0.3, tensile_strength: {strength:?}, cohesion: {strength:?})")
    } else {
        format!("Coulomb(friction: {:?})", draw.between(0.0, 0.8))
    }
}

pub(super) fn make(seed: u64, draw: &mut Draw) -> Trial {
    let planar = draw.chance(0.5);
    let count = draw.whole(2, 5);
    let speed = draw.decades(0.1, 10.0);
    // the way of a step over the length of a block
    let step = draw.decades(1e-5, 1e-2) * LONG / speed;
    match draw.whole(0, 2) {
        0 => pushed(seed, draw, (planar, count), (speed, step)),
        1 => caught(seed, draw, (planar, count)),
        _ => turned(seed, draw, (planar, count), (speed, step)),
    }
}

/// All go with the slider, from the first step on.
fn pushed(seed: u64, draw: &mut Draw, (planar, count): (bool, usize), (speed, step): (f64, f64)) -> Trial {
    let along = draw.direction(planar);
    let bonded = draw.chance(0.3);
    let mut scene = Scene::new(planar, Vec3::zeros(), step, draw.of(&[1.0, 2.0, 5.0]) * step, "");
    row(&mut scene, along, count, draw);
    scene.law = law(&scene, draw, speed, bonded);
    scene.joints.push(Joint { bodies: (0, None), kind: JointKind::Drive(along, speed) });
    let momentum = if bonded { 5.0 * BONDED } else { 1e-12 };
    Trial { energy: None, momentum, views: Some((1e-5, 1e-3 * speed)), ..Trial::new("jointed", seed, scene) }.expect(
        "velocities off that of the drive, over it",
        0.0,
        1e-3,
        move |o| o.velocity.iter().map(|v| (v - along * speed).norm()).fold(0.0, f64::max) / speed,
    )
}

/// All come to rest on the tray where the stop is.
fn caught(seed: u64, draw: &mut Draw, (planar, count): (bool, usize)) -> Trial {
    let up = -Scene::down(planar);
    let reach = draw.decades(1e-3, 1.0);
    let (time, fast) = ((2.0 * reach / G).sqrt(), (2.0 * reach * G).sqrt());
    let bonded = draw.chance(0.3);
    let step = time / draw.between(10.0, 200.0);
    let mut scene = Scene::new(planar, -up * G, step, time + draw.of(&[1.5, 3.5, 10.5]) * step, "");
    row(&mut scene, up, count, draw);
    scene.law = law(&scene, draw, fast, bonded);
    scene.joints.push(Joint { bodies: (0, None), kind: JointKind::Stop(up, reach) });
    let momentum = if bonded { 5.0 * BONDED } else { 1e-12 };
    Trial { momentum, views: Some((1e-3 * reach, 2e-3 * fast)), ..Trial::new("jointed", seed, scene) }
        .expect("speed left on the tray, over that of the fall", 0.0, 2e-3, move |o| {
            o.velocity.iter().map(|v| v.norm()).fold(0.0, f64::max) / fast
        })
        .expect("places off those on the tray, over the fall", 0.0, 1e-3, move |o| {
            let off = |(k, x): (usize, &Vec3)| (x - up * (LONG * k as f64 - reach)).norm();
            o.position.iter().enumerate().map(off).fold(0.0, f64::max) / reach
        })
}

/// What is bonded to it turns with the pin.
fn turned(seed: u64, draw: &mut Draw, (planar, count): (bool, usize), (speed, step): (f64, f64)) -> Trial {
    let mut scene = Scene::new(planar, Vec3::zeros(), step, draw.of(&[1.0, 2.0, 5.0]) * step, "");
    let along = draw.direction(planar);
    row(&mut scene, along, count, draw);
    scene.law = law(&scene, draw, speed, true);
    let axis = if planar { Vec3::z() } else { scene.bodies[0].turned * Vec3::z() };
    let spin = speed / (LONG * count as f64);
    scene.joints.push(Joint { bodies: (0, None), kind: JointKind::Turn(Vec3::zeros(), axis, spin) });
    Trial { energy: None, momentum: 5.0 * BONDED, views: Some((1e-5, 5e-3 * speed)), ..Trial::new("jointed", seed, scene) }
        .expect("spins off that of the pin, over it", 0.0, 5e-3, move |o| {
            o.spin.iter().map(|w| (w - axis * spin).norm()).fold(0.0, f64::max) / spin
        })
}
