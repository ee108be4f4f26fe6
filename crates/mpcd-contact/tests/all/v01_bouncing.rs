//! VALIDATION §1: a bouncing ball and binary collisions.

use mpcd_core::{Dimension, Vec3};
use mpcd_geometry::Shape;

use crate::scene::{G, Run, Scene};

fn ball(dimension: Dimension, height: f64, restitution: f64) -> Run {
    let mut scene = Scene::new(dimension, Vec3::y() * -G);
    let radius = 0.1;
    let shape = match dimension {
        Dimension::Planar => Shape::Disc { radius, thickness: 1.0 },
        Dimension::Spatial => Shape::Ball { radius },
    };
    scene.body("ball", shape, Vec3::y() * (radius + height), None);
    scene.floor("floor", Vec3::y());
    scene.law("ball", "floor", &format!("Coulomb(friction: 0.3, restitution: {restitution})"));
    scene.build("Contact(tolerance: 1e-12)").unwrap()
}

/// Times of the impacts (the velocity turns upwards) and heights of the tops between them.
fn impacts(run: &mut Run, h: f64, end: f64) -> (Vec<f64>, Vec<f64>) {
    let (mut times, mut tops, mut top) = (Vec::new(), Vec::new(), 0.0_f64);
    let mut before = 0.0;
    while run.time < end {
        run.step(h);
        let v = run.kinematics().velocity[0].y;
        if before < 0.0 && v > 0.0 {
            if !times.is_empty() {
                tops.push(top);
            }
            times.push(run.time);
            top = 0.0;
        }
        top = top.max(run.kinematics().position[0].y - 0.1);
        before = v;
    }
    (times, tops)
}

fn check(dimension: Dimension, e: f64, want_times: &[f64], want_tops: &[f64]) {
    let error = |h: f64| {
        let (times, tops) = impacts(&mut ball(dimension, 1.0, e), h, want_times.last().unwrap() + 0.05);
        assert!(times.len() >= want_times.len(), "{times:?}");
        for (k, (got, want)) in times.iter().zip(want_times).enumerate() {
            assert!((got - want).abs() <= (2 * k + 2) as f64 * h, "h {h}, impact {k}: {got} instead of {want}");
        }
        want_tops.iter().zip(&tops).map(|(want, got)| (got - want).abs()).fold(0.0, f64::max)
    };
    // Event capturing is of first order, with an error that depends on where in its step the impact falls: over a
    // quarter of the step it must fall clearly.
    let (coarse, fine) = (error(4e-4), error(1e-4));
    assert!(fine < 2e-3 && fine <= 0.6 * coarse.max(1e-4), "apex errors {coarse:e}, {fine:e}");
}

#[test]
fn v01_restitution_one_half() {
    for d in [Dimension::Planar, Dimension::Spatial] {
        check(d, 0.5, &[0.451524, 0.903047, 1.128809, 1.241690, 1.298130], &[0.25, 0.0625, 0.015625]);
    }
}

#[test]
fn v01_restitution_four_fifths() {
    check(Dimension::Spatial, 0.8, &[0.451524, 1.173961, 1.751912, 2.214272, 2.584160], &[0.64, 0.4096, 0.262144]);
}

#[test]
fn v01_rest_after_the_zeno_time() {
    let (h, e) = (1e-3, 0.5);
    let mut run = ball(Dimension::Spatial, 1.0, e);
    let zeno = (2.0_f64 / G).sqrt() * (1.0 + e) / (1.0 - e);
    let mut deepest = 0.0_f64;
    while run.time < zeno + 0.5 {
        run.step(h);
        deepest = deepest.max(0.1 - run.kinematics().position[0].y);
    }
    assert!(run.kinematics().velocity[0].norm() <= G * h, "{}", run.kinematics().velocity[0]);
    assert!(deepest <= 5.0e-3, "penetration at impact is at most about v h: {deepest}");
}

#[test]
fn v01_binary_collisions() {
    for (m1, m2, e, want) in [(1.0, 1.0, 1.0, (0.0, 1.0)), (1.0, 2.0, 0.5, (0.0, 0.5)), (3.0, 1.0, 0.8, (0.55, 1.35))] {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
        let shape = Shape::Ball { radius: 0.5 };
        let a = scene.body("balls", shape.clone(), Vec3::zeros(), Some(m1));
        let b = scene.body("balls", shape, Vec3::x() * 1.05, Some(m2));
        scene.velocity(a, Vec3::x(), Vec3::zeros());
        scene.law("balls", "balls", &format!("Coulomb(friction: 0, restitution: {e})"));
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        for _ in 0..100 {
            run.step(1e-3);
        }
        let v = &run.kinematics().velocity;
        assert!((v[a.index()].x - want.0).abs() < 1e-9 && (v[b.index()].x - want.1).abs() < 1e-9, "{v:?}");
    }
}
