//! A lid on discs or balls between walls, up to ten million times as heavy as a grain: the floor carries lid, grains and force.

use mpcd_core::Vec3;

use super::G;
use crate::{
    judge::Trial,
    random::Draw,
    scene::{Body, Load, Scene, Shape},
};

pub(super) fn make(seed: u64, draw: &mut Draw) -> Trial {
    let planar = draw.chance(0.6);
    let up = -Scene::down(planar);
    let friction = draw.between(0.0, 0.6);
    let mut scene = Scene::new(planar, -up * G, 5e-4, 0.1, format!("Coulomb(friction: {friction:?})"));
    scene.bodies.push(Body::new("box", Shape::Floor(up), 0.0, Vec3::zeros()));
    let r = 0.01;
    let (columns, rows) = if planar { (draw.whole(3, 8), draw.whole(2, 8)) } else { (draw.whole(2, 4), draw.whole(2, 4)) };
    let wide = 2.0 * r * columns as f64;
    let sides: &[Vec3] = if planar { &[Vec3::new(1.0, 0.0, 0.0)] } else { &[Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0)] };
    for side in sides {
        scene.bodies.push(Body::new("sides", Shape::Floor(*side), 0.0, Vec3::zeros()));
        scene.bodies.push(Body::new("sides", Shape::Floor(-side), 0.0, side * wide));
    }
    let grain = draw.decades(1e-4, 1e-1);
    let mut weight = 0.0;
    let deep = if planar { 1 } else { columns };
    for k in 0..rows {
        for i in 0..columns {
            for j in 0..deep {
                // A little smaller than their places, so that the packing has to find itself.
                let size = r * draw.between(0.9, 1.0);
                let across = if planar { Vec3::zeros() } else { Vec3::y() * (r * (2.0 * j as f64 + 1.0)) };
                let at = Vec3::x() * (r * (2.0 * i as f64 + 1.0)) + up * (r * (2.0 * k as f64 + 1.0)) + across;
                scene.bodies.push(Body::new("grains", Shape::Round(size), grain, at));
                weight += grain * G;
            }
        }
    }
    let lid = grain * draw.decades(1.0, 1e7);
    let force = lid * G * draw.between(0.0, 5.0);
    let thick = 0.02;
    let size = if planar { Vec3::new(wide * 0.98, thick, 0.0) } else { Vec3::new(wide * 0.98, wide * 0.98, thick) };
    let middle = Vec3::x() * (0.5 * wide) + if planar { Vec3::zeros() } else { Vec3::y() * (0.5 * wide) };
    scene.bodies.push(Body::new("lid", Shape::Box(size), lid, middle + up * (2.0 * r * rows as f64 + 0.5 * thick + 1e-4)));
    scene.loads.push(("lid", Load::Force(-up * force)));
    weight += lid * G + force;
    let lid_index = scene.bodies.len() - 1;
    Trial { energy: None, ..Trial::new("press", seed, scene) }
        .expect("force on the box", 1.0, 1e-9, move |o| -o.weight_over_last(0.1).dot(&up) / weight)
        .expect("lid above the floor", 1.0, 0.5, move |o| f64::from(u8::from(o.position[lid_index].dot(&up) > r)))
}
