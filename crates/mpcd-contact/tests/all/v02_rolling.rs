//! VALIDATION §2: sliding to rolling, and the oblique impact of a sphere.

use mpcd_core::{Dimension, Vec3};
use mpcd_geometry::Shape;

use crate::scene::{G, Run, Scene};

const V0: f64 = 5.0;
const MU: f64 = 0.3;

/// A round body of moment k m R² launched without spin on a floor.
fn launched(k: f64, dimension: Dimension) -> Run {
    let mut scene = Scene::new(dimension, Vec3::y() * -G);
    let radius = 0.1;
    let shape = match dimension {
        Dimension::Planar => Shape::Disc { radius, thickness: 1.0 },
        Dimension::Spatial => Shape::Ball { radius },
    };
    let body = scene.body("ball", shape, Vec3::y() * radius, Some(1.0));
    scene.setup.bodies.inertia[0] = Vec3::repeat(k * radius * radius);
    scene.velocity(body, Vec3::x() * V0, Vec3::zeros());
    scene.floor("floor", Vec3::y());
    scene.law("ball", "floor", &format!("Coulomb(friction: {MU})"));
    scene.build("Contact(tolerance: 1e-12)").unwrap()
}

fn check(k: f64, dimension: Dimension, t: f64, x: f64, v: f64) {
    let error = |h: f64| {
        let mut run = launched(k, dimension);
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
        assert!((when - t).abs() <= h, "rolls at {when}, expected {t}");
        assert!((speed - v).abs() < 1e-9, "speed {speed}, expected {v}");
        let lost = 0.5 * V0 * V0 * k / (1.0 + k);
        assert!((heat - lost).abs() < 1e-9 * lost, "friction heat {heat}, expected {lost}");
        (place - x).abs()
    };
    let (coarse, fine) = (error(1e-3), error(1e-4));
    assert!(coarse < 5e-3 && fine < 5e-4, "place {coarse:e}, {fine:e}");
}

#[test]
fn v02_sphere() {
    check(0.4, Dimension::Spatial, 0.485413, 2.080343, V0 / 1.4);
}

#[test]
fn v02_cylinder() {
    check(0.5, Dimension::Planar, 0.566316, 2.359648, V0 / 1.5);
}

#[test]
fn v02_hoop() {
    check(1.0, Dimension::Planar, 0.849473, 3.185525, V0 / 2.0);
}

#[test]
fn v02_oblique_impact_of_a_sphere() {
    for (angle, want) in [(30.0_f64, (1.385641, 0.714286, 14.285714)), (60.0, (0.8, 1.372051, 18.0))] {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
        let radius = 0.05;
        let body = scene.body("ball", Shape::Ball { radius }, Vec3::y() * (radius + 1e-3), None);
        let (s, c) = angle.to_radians().sin_cos();
        scene.velocity(body, Vec3::new(2.0 * s, -2.0 * c, 0.0), Vec3::zeros());
        scene.floor("floor", Vec3::y());
        scene.law("ball", "floor", "Coulomb(friction: 0.2, restitution: 0.8)");
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        for _ in 0..30 {
            run.step(1e-4);
        }
        let k = run.kinematics();
        let got = (k.velocity[0].y, k.velocity[0].x, -k.angular_velocity[0].z);
        assert!(
            (got.0 - want.0).abs() < 1e-6 && (got.1 - want.1).abs() < 1e-6 && (got.2 - want.2).abs() < 1e-5,
            "{angle}°: {got:?}"
        );
    }
}

/// Dumont's example 1: R = 5 mm, v₀ = 1.5 m/s, μ = 0.7, h = 1e-4 (VALIDATION §14: t* 0.062410 s, v* 1.071429 m/s).
#[test]
fn v14_dumont_ball() {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
    let body = scene.body("ball", Shape::Ball { radius: 5e-3 }, Vec3::z() * 5e-3, None);
    scene.velocity(body, Vec3::x() * 1.5, Vec3::zeros());
    scene.floor("floor", Vec3::z());
    scene.law("ball", "floor", "Coulomb(friction: 0.7)");
    let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
    let mut rolls = None;
    while run.time < 0.1 {
        run.step(1e-4);
        let u = run.network().contacts[0].u;
        if rolls.is_none() && u.y.hypot(u.z) < 1e-9 {
            rolls = Some(run.time);
        }
    }
    assert!((rolls.unwrap() - 0.062410).abs() <= 1e-4, "{rolls:?}");
    assert!((run.kinematics().velocity[0].x - 1.071429).abs() < 1e-6);
}
