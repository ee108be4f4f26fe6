//! Nothing is allocated once the buffers have grown. Counted by an allocator that knows which thread asks.
#![allow(unsafe_code, reason = "an allocator is an unsafe trait; this one hands every call unchanged to the system's")]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

use crate::{Body, ball, scene};
use mpcd_core::{Dimension, Quat, Vec3};
use mpcd_geometry::{Detector, Random, Shape};

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every request goes to the system allocator as it came; the counter is a plain thread-local that does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

#[test]
fn nothing_is_allocated_after_the_first_steps() {
    let mut random = Random::new(1);
    let mut bodies: Vec<Body> = (0..3000)
        .map(|i| {
            let place = Vec3::new(f64::from(i % 15), f64::from(i / 15 % 15), f64::from(i / 225)) * 2.0;
            Body(ball(0.8 + 0.2 * random.unit()), place, Quat::identity(), 1.0)
        })
        .collect();
    bodies.push(Body(Shape::Plane { normal: Vec3::z() }, -Vec3::z(), Quat::identity(), 1.0));
    bodies.push(Body(Shape::Box { half: Vec3::repeat(20.0) }, -21.0 * Vec3::z(), Quat::identity(), 1.0));
    let (shapes, kinematics) = scene(&bodies);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let mut detector = Detector::new(shapes, Dimension::Spatial, |a, b| a.0 < 3000 || b.0 < 3000).unwrap();
        let mut out = Vec::new();
        // Further than any list of near pairs is kept for.
        let mut elsewhere = kinematics.clone();
        elsewhere.position.iter_mut().for_each(|x| x.x += 5.0);
        let round = |detector: &mut Detector, out: &mut Vec<_>| {
            for scene in [&kinematics, &elsewhere] {
                detector.detect(scene, 0.1, out).unwrap();
                detector.detect(scene, 0.05, out).unwrap();
            }
        };
        detector.detect(&kinematics, 0.1, &mut out).unwrap();
        assert!(out.len() > 500);
        round(&mut detector, &mut out);
        let before = COUNT.get();
        for _ in 0..3 {
            round(&mut detector, &mut out);
        }
        assert_eq!(COUNT.get() - before, 0);
        drop(Vec::<u8>::with_capacity(1)); // the counter does count
        assert_eq!(COUNT.get() - before, 1);
    });
}
