//! Laws on velocities hold what lies on something in every step, whatever the solve of the step before left of its motion.

use mpcd_core::{Dimension, Quat, Vec3};
use mpcd_geometry::Shape;

use crate::scene::{G, Scene};

const LAWS: [&str; 3] = [
    "Coulomb(friction: 0.2988746423704383, contact: Velocity)",
    "Poisson(friction: 0.3, restitution: 0)",
    "Coulomb(friction: 0.3)",
];

/// A flat box slides down a slope under loads along all axes, with the default tolerance: it stays on its four corners, so the slope carries it and it
/// does not sink. With corners that open by what the solve leaves it falls for a step: 2gh² = 2e-5 m.
#[test]
fn a_box_that_slides_down_a_slope_stays_on_it() {
    for law in LAWS {
        let mut scene =
            Scene::new(Dimension::Spatial, Vec3::new(1.548_394_073_703_536_2, 4.879_386_564_375_706, -8.368_402_628_214_636));
        let half = Vec3::new(0.029_745_909_584_312_79, 0.022_309_432_188_234_59, 0.002_974_590_958_431_279_3);
        scene.body("body", Shape::Box { half }, Vec3::z() * half.z, Some(0.012_649_612_754_734_208));
        scene.body(
            "floor",
            Shape::Box { half: Vec3::new(3.974_590_958_431_279, 3.974_590_958_431_279, 0.1) },
            Vec3::z() * -0.1,
            Some(1.0),
        );
        scene.load("floor", "Fixed");
        scene.law("body", "floor", law);
        let mut run = scene.build("Contact()").unwrap();
        for _ in 0..200 {
            run.step(1e-3);
            let sunk = half.z - run.kinematics().position[0].z;
            assert!(sunk.abs() < 1e-7, "{law}: sunk by {sunk:e} m at {} s", run.time);
        }
        let flat = run.kinematics().orientation[0] * Vec3::z();
        assert!((flat - Vec3::z()).norm() < 1e-5, "{law}: {flat:?}");
    }
}

/// A box slides without friction over flush tiles, with the default tolerance and four steps: its speed and its height stay. With corners that open it
/// fell between the tiles and was thrown back.
#[test]
fn a_box_slides_over_flush_tiles_with_the_default_tolerance() {
    for (h, speed) in [(7.600_600_877_625_955e-4, 1.172_243), (1e-3, 2.0), (5e-4, 0.7), (2e-3, 1.0)] {
        for law in ["Coulomb(friction: 0, contact: Velocity)", "Coulomb(friction: 0, restitution: 0.5)", "Coulomb(friction: 0)"] {
            let mut scene = Scene::new(Dimension::Planar, Vec3::y() * -G);
            let half = Vec3::new(0.010_720_233, 0.007_146_822, 0.5);
            let body = scene.body("body", Shape::Box { half }, Vec3::new(0.05, half.y, 0.0), Some(1.0));
            scene.velocity(body, Vec3::x() * speed, Vec3::zeros());
            let tile = Vec3::new(1.0 / 60.0, 1.0 / 60.0, 0.5);
            for k in 0..14 {
                let at = Vec3::new((2.0 * f64::from(k) + 1.0) / 60.0, -1.0 / 60.0, 0.0);
                scene.body("floor", Shape::Box { half: tile }, at, Some(1.0));
            }
            scene.load("floor", "Fixed");
            scene.law("body", "floor", law);
            let mut run = scene.build("Contact()").unwrap();
            while run.time < 0.35 / speed {
                run.step(h);
            }
            let k = run.kinematics();
            let (v, height) = (k.velocity[0].x, k.position[0].y);
            assert!(
                (v / speed - 1.0).abs() < 1e-4 && (height - half.y).abs() < 1e-6,
                "{law}, h {h}: {v} of {speed}, {height} of {}",
                half.y
            );
        }
    }
}

/// What keeps a contact closed is what loads do in a step: a box that rests on another one is let go when it is lifted, at once.
#[test]
fn what_is_lifted_is_let_go() {
    for law in LAWS {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
        let half = Vec3::new(0.1, 0.1, 0.05);
        scene.body("body", Shape::Box { half }, Vec3::z() * half.z, Some(1.0));
        scene.setup.initial.orientation[0] = Quat::identity();
        scene.floor("floor", Vec3::z());
        scene.load("body", &format!("Force(z: {})", 2.0 * G));
        scene.law("body", "floor", law);
        let mut run = scene.build("Contact()").unwrap();
        for _ in 0..100 {
            run.step(1e-3);
        }
        let (x, v) = (run.kinematics().position[0].z - half.z, run.kinematics().velocity[0].z);
        assert!((v - G * 0.1).abs() < 1e-12 && (x - 0.5 * G * 0.01).abs() < 1e-12, "{law}: {x} {v}");
    }
}
