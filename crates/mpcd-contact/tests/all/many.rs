//! Many contacts: what all threads do together has the bits of one thread. Below some thousands of contacts no other thread is called.

use mpcd_core::{Dimension, Vec3};
use mpcd_geometry::Shape;

use crate::scene::{Run, Scene};

const SIDE: u32 = 19;
/// From which on pairs are put away while their problem is solved.
const LARGE: usize = 16_384;

/// Places and velocities that look random, and are the same each time.
fn scatter(seed: u32) -> Vec3 {
    Vec3::from_fn(|k, _| {
        let x = seed.wrapping_mul(2_654_435_761).wrapping_add(k as u32 * 40_503).rotate_left(13).wrapping_mul(2_246_822_519);
        f64::from(x >> 8) / f64::from(1_u32 << 24) - 0.5
    })
}

/// A lattice of 6,859 balls that nearly touch, on a floor.
fn lattice(law: &str) -> Run {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -9.81);
    for k in 0..SIDE.pow(3) {
        let place = Vec3::new(f64::from(k % SIDE), f64::from(k / SIDE % SIDE), f64::from(k / SIDE / SIDE) + 0.5);
        let ball = scene.body("balls", Shape::Ball { radius: 0.01 }, place * 0.02 + scatter(k) * 4e-5, None);
        scene.velocity(ball, scatter(k + 7) * 0.1, scatter(k + 77) * 2.0);
    }
    scene.floor("floor", Vec3::z());
    scene.law("balls", "balls", law);
    scene.law("balls", "floor", law);
    scene.build("Contact(solver: \"nlgs-accelerated\", tolerance: 1e-2)").unwrap()
}

#[test]
fn many_contacts_have_the_same_bits_on_any_number_of_threads() {
    for law in [
        "Coulomb(friction: 0.3)",
        "Coulomb(friction: 0.3, rolling: 1e-4)",
        "Elastic(stiffness: 1e4, damping: 2, friction: 0.4)",
        // some contacts are not in the problem
        "Coulomb(friction: 0.3, restitution: 0.5)",
    ] {
        let steps = || -> Vec<Vec<u8>> {
            let mut run = lattice(law);
            let step = |_| {
                run.look(1e-3);
                run.module.save().unwrap()
            };
            let states = (0..3).map(step).collect();
            assert!(run.network().len() > LARGE, "{law}: {} contacts", run.network().len());
            states
        };
        let on = |threads: usize| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(steps);
        let one = on(1);
        for threads in [2, 3] {
            assert!(one == on(threads), "{law}, {threads} threads");
        }
    }
}
