//! The two methods on one settled heap: what the floor and the walls carry agrees.

use mpcd_core::{Dimension, Vec3};
use mpcd_geometry::Shape;

use super::materials;
use crate::scene::{Run, Scene};

/// Discs dropped between two walls.
pub(crate) fn heap(law: &str) -> Scene {
    let mut scene = Scene::new(Dimension::Planar, Vec3::y() * -9.81);
    materials(&mut scene, 1e7);
    let radii = [0.01, 0.009, 0.0105, 0.0095, 0.0098];
    for k in 0..25 {
        let (row, column) = (k / 5, k % 5);
        let radius = radii[(k * 3 + row) % 5];
        let at = Vec3::new(0.012 + 0.0225 * column as f64 + 0.002 * (row % 2) as f64, 0.011 + 0.022 * row as f64, 0.0);
        scene.body("grains", Shape::Disc { radius, thickness: 0.01 }, at, None);
    }
    scene.floor("floor", Vec3::y());
    let left = scene.floor("left", Vec3::x());
    let right = scene.floor("right", -Vec3::x());
    scene.setup.initial.position[left.index()] = Vec3::zeros();
    scene.setup.initial.position[right.index()] = Vec3::x() * 0.115;
    for group in ["grains", "floor", "left", "right"] {
        scene.law("grains", group, law);
    }
    scene
}

/// Force of the grains on a plane (N).
pub(crate) fn carried(run: &Run, plane: usize, h: f64) -> Vec3 {
    run.network().iter().filter(|c| c.key.antagonist.index() == plane).map(|c| -c.force(h)).sum()
}

#[test]
fn both_methods_settle_a_heap_with_the_same_resultants() {
    let h = 1e-3;
    let mut sharp = heap("Coulomb(friction: 0.3)").build("Contact(tolerance: 1e-7)").unwrap();
    let mut soft =
        heap("Hooke(stiffness: 2e4, friction: 0.3, restitution: 0.2)").build_smooth("SmoothContact(damping: 0.4)").unwrap();
    let mut implicit = heap("Hooke(stiffness: 2e4, friction: 0.3, restitution: 0.2)")
        .build_smooth("SmoothContact(integrator: Implicit(), substeps: 4)")
        .unwrap();
    implicit.theta = 1.0;
    let weight: f64 = soft.setup.bodies.mass.iter().sum::<f64>() * 9.81;
    let mut found = Vec::new();
    for (name, run) in [("sharp", &mut sharp), ("soft", &mut soft), ("implicit", &mut implicit)] {
        for _ in 0..1500 {
            run.step(h);
        }
        let fastest = run.kinematics().velocity.iter().map(Vec3::norm).fold(0.0, f64::max);
        assert!(fastest < 1e-3, "{name} still moves: {fastest:e}");
        let planes = [25, 26, 27].map(|p| carried(run, p, h));
        // What the three planes carry is the weight, to the accelerations that are left.
        let all: Vec3 = planes.iter().sum();
        assert!((all + Vec3::y() * weight).norm() < 1e-2 * weight, "{name}: {all} {weight}");
        let centre: f64 = run.kinematics().position.iter().take(25).map(|x| x.y).sum::<f64>() / 25.0;
        found.push((planes, centre));
    }
    let (reference, height) = found[0];
    for (planes, centre) in &found[1..] {
        // A heap with friction remembers how it came to rest: the split between floor and walls agrees to some parts in a hundred.
        assert!((planes[0].y - reference[0].y).abs() < 0.1 * weight, "{planes:?} {reference:?}");
        assert!((centre / height - 1.0).abs() < 0.02, "{centre} {height}");
    }
}
