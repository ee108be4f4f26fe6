//! Coulomb's law on the sliding displacement of the step: VALIDATION §2 and §3 with the explicit scheme, order around an impact.

use mpcd_core::{Dimension, Quat, Vec3};
use mpcd_geometry::Shape;

use super::contact;
use crate::scene::{G, Run, Scene};

fn on_incline(dimension: Dimension, shape: Shape, angle: f64, mu: f64, rotates: bool, damping: f64) -> Run {
    let mut scene = Scene::new(dimension, Vec3::y() * -G);
    let normal = Vec3::new(angle.sin(), angle.cos(), 0.0);
    scene.body("body", shape, normal * 0.1, None);
    scene.setup.initial.orientation[0] = Quat::from_axis_angle(&Vec3::z_axis(), -angle);
    scene.floor("floor", normal);
    scene.law("body", "floor", &format!("Coulomb(friction: {mu})"));
    if !rotates {
        scene.load("body", "Locked(axes: [SpinX, SpinY, SpinZ])");
    }
    scene.build(&contact(damping, 1e-13)).unwrap()
}

/// 2 s/t²: exact for a constant acceleration.
fn acceleration(run: &mut Run) -> f64 {
    let start = run.kinematics().position[0];
    for _ in 0..500 {
        run.step(1e-3);
    }
    2.0 * (run.kinematics().position[0] - start).norm() / run.time.powi(2)
}

fn bodies() -> [(Dimension, Shape, bool); 3] {
    [
        (Dimension::Spatial, Shape::Ball { radius: 0.1 }, false),
        (Dimension::Spatial, Shape::Box { half: Vec3::repeat(0.1) }, true),
        (Dimension::Planar, Shape::Box { half: Vec3::new(0.2, 0.1, 0.5) }, true),
    ]
}

#[test]
fn v03_sliding_acceleration_explicit() {
    for (angle, mu, want) in [(30.0_f64, 0.3, 2.356287), (35.0, 0.5, 1.608844)] {
        for (dimension, shape, rotates) in bodies() {
            let got = acceleration(&mut on_incline(dimension, shape, angle.to_radians(), mu, rotates, 0.5));
            assert!((got - want).abs() < 1e-6, "{angle}°: {got} instead of {want}");
        }
    }
}

#[test]
fn v03_sticks_exactly_explicit() {
    let angle = 0.9 * 0.3_f64.atan();
    for (dimension, shape, rotates) in bodies() {
        for damping in [0.5, 1.0] {
            let mut run = on_incline(dimension, shape.clone(), angle, 0.3, rotates, damping);
            let start = run.kinematics().position[0];
            for _ in 0..1000 {
                run.step(1e-3);
            }
            assert!((run.kinematics().position[0] - start).norm() < 1e-12, "β {damping}");
            assert!(run.kinematics().velocity[0].norm() < 1e-12, "β {damping}: {}", run.kinematics().velocity[0].norm());
        }
    }
}

#[test]
fn v03_rolling_explicit() {
    for (dimension, shape, want, mu) in [
        (Dimension::Spatial, Shape::Ball { radius: 0.1 }, 3.503571, 0.165057),
        (Dimension::Planar, Shape::Disc { radius: 0.1, thickness: 1.0 }, 3.27, 0.192550),
    ] {
        let mut run = on_incline(dimension, shape, 30.0_f64.to_radians(), mu, true, 0.5);
        let a = acceleration(&mut run);
        let u = run.network().contacts[0].u;
        assert!((a - want).abs() < 1e-6 && u.y.hypot(u.z) < 1e-9, "{a} {u}");
    }
}

/// Launched without spin at 5 m/s, μ = 0.3: when and where it rolls, its last speed, and what friction took.
#[test]
fn v02_sliding_then_rolling_explicit() {
    for (dimension, shape, k, t, x) in [
        (Dimension::Spatial, Shape::Ball { radius: 0.1 }, 0.4, 0.485413, 2.080343),
        (Dimension::Planar, Shape::Disc { radius: 0.1, thickness: 1.0 }, 0.5, 0.566316, 2.359648),
    ] {
        let place = |h: f64| {
            let mut scene = Scene::new(dimension, Vec3::y() * -G);
            let body = scene.body("ball", shape.clone(), Vec3::y() * 0.1, Some(1.0));
            scene.velocity(body, Vec3::x() * 5.0, Vec3::zeros());
            scene.floor("floor", Vec3::y());
            scene.law("ball", "floor", "Coulomb(friction: 0.3)");
            let mut run = scene.build(&contact(0.5, 1e-12)).unwrap();
            let (mut heat, mut at) = (0.0, None);
            while run.time < t + 0.1 {
                run.step(h);
                let c = run.network().contacts[0];
                heat += c.heat_friction;
                if at.is_none() && c.u.y.hypot(c.u.z) < 1e-9 {
                    at = Some((run.time, run.kinematics().position[0].x));
                }
            }
            let (when, place) = at.expect("it never rolled");
            let speed = run.kinematics().velocity[0].x;
            assert!((when - t).abs() <= 1.5 * h, "rolls at {when}, expected {t}");
            assert!((speed - 5.0 / (1.0 + k)).abs() < 1e-9, "speed {speed}");
            assert!((heat - 12.5 * k / (1.0 + k)).abs() < 1e-9, "friction heat {heat}");
            (place - x).abs()
        };
        let (coarse, fine) = (place(1e-3), place(1e-4));
        assert!(coarse < 7e-3 && fine < 7e-4, "{coarse:e} {fine:e}");
    }
}

/// A body falls on an incline with friction and slides on. The displacement of all normal impulses is that of the condition, and friction is
/// μ times it: on a plane even the impact is exact at the end of each step.
#[test]
fn an_impact_with_sliding_on_a_plane_is_exact() {
    let (angle, mu, height) = (30.0_f64.to_radians(), 0.3_f64, 0.2);
    let error = |h: f64| {
        let mut scene = Scene::new(Dimension::Planar, Vec3::y() * -G);
        let normal = Vec3::new(angle.sin(), angle.cos(), 0.0);
        let along = Vec3::new(angle.cos(), -angle.sin(), 0.0);
        scene.body("body", Shape::Disc { radius: 0.1, thickness: 1.0 }, normal * (0.1 + height), None);
        scene.load("body", "Locked(axes: [SpinZ])");
        scene.floor("floor", normal);
        scene.law("body", "floor", &format!("Coulomb(friction: {mu})"));
        let mut run = scene.build(&contact(0.5, 1e-12)).unwrap();
        while run.time < 1.0 - 0.5 * h {
            run.step(h);
        }
        // Falls for t₁, keeps v_t − μ v_n (both shares of friction: of the impact and of the weight), slides with g(sin − μ cos).
        let (down, pressed) = (G * angle.sin(), G * angle.cos());
        let t1 = (2.0 * height / pressed).sqrt();
        let (fell, v) = (0.5 * down * t1 * t1, down * t1 - mu * pressed * t1);
        let (rest, a) = (1.0 - t1, down - mu * pressed);
        (run.kinematics().position[0].dot(&along) - (fell + v * rest + 0.5 * a * rest * rest)).abs()
    };
    let errors = [4e-3, 1e-3, 2.5e-4].map(error);
    assert!(errors.iter().all(|e| *e < 1e-12), "{errors:?}");
}
