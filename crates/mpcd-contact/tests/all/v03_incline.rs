//! VALIDATION §3: inclines (slip, exact stick, rolling), the shaken block, the three-disc pyramid.

use mpcd_core::{Dimension, Vec3};
use mpcd_geometry::Shape;

use crate::scene::{G, Run, Scene};

/// A body on a plane tilted by `angle` about z; gravity straight down.
fn on_incline(dimension: Dimension, shape: Shape, height: f64, angle: f64, mu: f64, rotates: bool) -> Run {
    let mut scene = Scene::new(dimension, Vec3::y() * -G);
    let normal = Vec3::new(angle.sin(), angle.cos(), 0.0);
    let body = scene.body("body", shape, normal * height, None);
    scene.setup.initial.orientation[body.index()] = mpcd_core::Quat::from_axis_angle(&Vec3::z_axis(), -angle);
    scene.floor("floor", normal);
    scene.law("body", "floor", &format!("Coulomb(friction: {mu})"));
    if !rotates {
        scene.load("body", "Locked(axes: [SpinX, SpinY, SpinZ])");
    }
    scene.build("Contact(tolerance: 1e-13)").unwrap()
}

fn acceleration(run: &mut Run) -> f64 {
    for _ in 0..500 {
        run.step(1e-3);
    }
    run.kinematics().velocity[0].norm() / run.time
}

#[test]
fn v03_sliding_acceleration() {
    for (angle, mu, want) in [(30.0_f64, 0.3, 2.356287), (35.0, 0.5, 1.608844)] {
        let ball =
            acceleration(&mut on_incline(Dimension::Spatial, Shape::Ball { radius: 0.1 }, 0.1, angle.to_radians(), mu, false));
        let block = acceleration(&mut on_incline(
            Dimension::Spatial,
            Shape::Box { half: Vec3::repeat(0.1) },
            0.1,
            angle.to_radians(),
            mu,
            true,
        ));
        let planar = acceleration(&mut on_incline(
            Dimension::Planar,
            Shape::Box { half: Vec3::new(0.2, 0.1, 0.5) },
            0.1,
            angle.to_radians(),
            mu,
            true,
        ));
        for got in [ball, block, planar] {
            assert!((got - want).abs() < 1e-5, "{angle}°: {got} instead of {want}");
        }
    }
}

#[test]
fn v03_sticks_exactly_below_the_friction_angle() {
    let angle = 0.9 * 0.3_f64.atan();
    for (dimension, shape, rotates) in [
        (Dimension::Spatial, Shape::Ball { radius: 0.1 }, false),
        (Dimension::Spatial, Shape::Box { half: Vec3::repeat(0.1) }, true),
        (Dimension::Planar, Shape::Box { half: Vec3::new(0.2, 0.1, 0.5) }, true),
    ] {
        let mut run = on_incline(dimension, shape, 0.1, angle, 0.3, rotates);
        let start = run.kinematics().position[0];
        for _ in 0..2000 {
            run.step(1e-3);
            assert!(run.kinematics().velocity[0].norm() < 1e-12, "creeps: {}", run.kinematics().velocity[0].norm());
        }
        assert!((run.kinematics().position[0] - start).norm() < 1e-12);
    }
}

#[test]
fn v03_rolling_without_slip_and_its_limit() {
    let angle = 30.0_f64.to_radians();
    for (dimension, shape, want, limit) in [
        (Dimension::Spatial, Shape::Ball { radius: 0.1 }, 3.503571, 0.164957),
        (Dimension::Planar, Shape::Disc { radius: 0.1, thickness: 1.0 }, 3.27, 0.192450),
    ] {
        let slips = |mu: f64| {
            let mut run = on_incline(dimension, shape.clone(), 0.1, angle, mu, true);
            let a = acceleration(&mut run);
            let u = run.network().contacts[0].u;
            (a, u.y.hypot(u.z))
        };
        let (a, slip) = slips(limit + 1e-4);
        assert!((a - want).abs() < 1e-5 && slip < 1e-9, "rolls: a {a}, slip {slip}");
        let (a, slip) = slips(limit - 1e-2);
        assert!(a > want + 1e-3 && slip > 1e-3, "slips: a {a}, slip {slip}");
    }
}

/// Block on a table, μ = 0.8, 1 kg, F = 8 cos t, h = 1e-3 (Potra et al. 2006).
#[test]
fn v03_block_under_a_cosine_force() {
    let mut scene = Scene::new(Dimension::Planar, Vec3::y() * -G);
    scene.body("block", Shape::Box { half: Vec3::new(0.2, 0.05, 0.5) }, Vec3::y() * 0.05, Some(1.0));
    scene.floor("table", Vec3::y());
    scene.law("block", "table", "Coulomb(friction: 0.8)");
    scene.load("block", "Force(x: \"8*cos(t)\")");
    let mut run = scene.build("Contact(tolerance: 1e-13)").unwrap();
    let (mut top, mut stop, mut again) = ((0.0, 0.0), None, None);
    while run.time < 3.1 {
        run.step(1e-3);
        let v = run.kinematics().velocity[0].x;
        if v.abs() > top.0 && run.time < 0.5 {
            top = (v.abs(), run.time);
        }
        if stop.is_none() && run.time > 0.1 && v.abs() < 1e-12 {
            stop = Some((run.time, run.kinematics().position[0].x));
        }
        if stop.is_some() && again.is_none() && v.abs() > 1e-10 {
            again = Some(run.time);
        }
    }
    let (when, place) = stop.unwrap();
    assert!((top.0 - 0.019772).abs() < 2e-5 && (top.1 - 0.195246).abs() < 2e-3, "{top:?}");
    assert!((when - 0.338608).abs() < 2e-3 && (place - 4.348570e-3).abs() < 2e-5, "{when} {place}");
    assert!((again.unwrap() - 2.946347).abs() < 2e-3, "{again:?}");
}

/// Three equal discs: stands iff μ_disc ≥ 0.267949 and μ_floor ≥ 0.0893164.
#[test]
fn v03_three_disc_pyramid() {
    let speed = |mu_disc: f64, mu_floor: f64| {
        let mut scene = Scene::new(Dimension::Planar, Vec3::y() * -G);
        let (radius, disc) = (0.1, Shape::Disc { radius: 0.1, thickness: 1.0 });
        scene.body("discs", disc.clone(), Vec3::new(-radius, radius, 0.0), None);
        scene.body("discs", disc.clone(), Vec3::new(radius, radius, 0.0), None);
        scene.body("discs", disc, Vec3::new(0.0, radius * (1.0 + 3.0_f64.sqrt()), 0.0), None);
        scene.floor("floor", Vec3::y());
        scene.law("discs", "discs", &format!("Coulomb(friction: {mu_disc})"));
        scene.law("discs", "floor", &format!("Coulomb(friction: {mu_floor})"));
        let mut run = scene.build("Contact(tolerance: 1e-10)").unwrap();
        for _ in 0..100 {
            run.step(1e-3);
        }
        run.kinematics().velocity.iter().map(Vec3::norm).fold(0.0, f64::max)
    };
    assert!(speed(0.2680, 0.0894) < 1e-6, "stands");
    assert!(speed(0.2650, 0.3) > 1e-4, "falls by the discs");
    assert!(speed(0.5, 0.0880) > 1e-4, "falls by the floor");
}

/// VALIDATION §13: exact rest stays at rest for 10⁵ steps.
#[test]
fn v13_rest_stays_rest() {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::y() * -G);
    scene.body("body", Shape::Ball { radius: 0.1 }, Vec3::y() * 0.1, None);
    scene.body("body", Shape::Box { half: Vec3::new(0.1, 0.2, 0.3) }, Vec3::new(1.0, 0.2, 0.0), None);
    scene.floor("floor", Vec3::y());
    scene.law("body", "floor", "Coulomb(friction: 0.3)");
    scene.law("body", "body", "NoContact");
    let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
    let start = run.kinematics().position.clone();
    for _ in 0..100_000 {
        run.step(1e-3);
    }
    for (now, then) in run.kinematics().position.iter().zip(&start) {
        assert!((now - then).norm() < 1e-12, "moved from {then} to {now}");
    }
}
