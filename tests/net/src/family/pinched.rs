//! A body between a floor and what is driven into it: there is no answer, and this must be said.

use mpcd_core::Vec3;

use super::G;
use crate::{
    judge::Trial,
    random::Draw,
    scene::{Body, Load, Scene, Shape},
};

pub(super) fn make(seed: u64, draw: &mut Draw) -> Trial {
    let planar = draw.chance(0.5);
    let up = -Scene::down(planar);
    let friction = draw.between(0.0, 0.8);
    let mut scene = Scene::new(planar, -up * G, 1e-3, 0.1, format!("Coulomb(friction: {friction:?})"));
    scene.bodies.push(Body::new("floor", Shape::Floor(up), 0.0, Vec3::zeros()));
    let r = draw.decades(1e-2, 1.0);
    let shape = if draw.chance(0.5) { Shape::Round(r) } else { Shape::Box(Vec3::repeat(2.0 * r)) };
    let count = draw.whole(1, 3);
    for k in 0..count {
        let shape = if count > 1 { Shape::Box(Vec3::repeat(2.0 * r)) } else { shape.clone() };
        scene.bodies.push(Body::new("pinched", shape, draw.decades(1e-3, 1e3), up * (r * (2.0 * k as f64 + 1.0))));
    }
    let top = 2.0 * r * count as f64;
    scene.bodies.push(Body::new("press", Shape::Box(Vec3::repeat(8.0 * r)), 1.0, up * (top + 4.0 * r)));
    // Through it within the run.
    scene.loads.push(("press", Load::Velocity(-up * (draw.between(2.0, 20.0) * r))));
    Trial { refused: Some("pinched"), ..Trial::new("pinched", seed, scene) }
}
