//! Sliders: inclines, springs, momenta, limits and motors, and a slider-crank against its closed form.

use std::f64::consts::PI;

use mpcd_core::{Dimension, Vec3};
use mpcd_geometry::Shape;

use crate::{
    hinges::{energy, join, momenta, named, number},
    scene::{G, Scene},
};

/// A body that slides down an incline without friction goes ½ g sin α t², in the plane and in space, and does not turn.
#[test]
fn a_slider_on_an_incline_accelerates_with_g_sin_alpha() {
    let alpha: f64 = 0.4;
    for dimension in [Dimension::Planar, Dimension::Spatial] {
        let mut scene = Scene::new(dimension, Vec3::y() * -G);
        let body = scene.body("balls", Shape::Ball { radius: 0.05 }, Vec3::new(0.3, 0.2, 0.0), Some(2.0));
        scene.law("balls", "balls", "NoContact");
        let kind = format!("Slider(at: (0.5, 0.1), axis: ({:?}, {:?}))", alpha.cos(), -alpha.sin());
        let kind = if dimension == Dimension::Spatial { kind.replace("0.1)", "0.1, 0)").replace("))", ", 0))") } else { kind };
        named(&mut scene, body, None, &kind, Some("s"));
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        let mut report = run.step(1e-3);
        for _ in 1..1000 {
            report = run.step(1e-3);
        }
        let travel = number(&report, "s_travel");
        let exact = 0.5 * G * alpha.sin();
        let k = run.kinematics();
        let off = (k.position[0] - Vec3::new(0.3, 0.2, 0.0) - Vec3::new(alpha.cos(), -alpha.sin(), 0.0) * exact).norm();
        assert!((travel / exact - 1.0).abs() < 1e-12 && off < 1e-11, "{travel} {exact} {off:e}");
        assert!((number(&report, "s_force") / (2.0 * G * alpha.cos()) - 1.0).abs() < 1e-9);
        assert!(k.orientation[0].angle() < 1e-12);
    }
}

/// Two free bodies that tumble, one sliding on the other with a spring, for several ratios of masses: momentum, angular momentum and energy.
#[test]
fn a_slider_between_tumbling_bodies_keeps_momenta_and_energy() {
    let all = [(Dimension::Planar, 1.0), (Dimension::Planar, 1e6), (Dimension::Spatial, 1.0), (Dimension::Spatial, 1e6)];
    for (dimension, ratio) in all {
        let mut scene = Scene::new(dimension, Vec3::zeros());
        let ball = |scene: &mut Scene, x: f64, m: f64| scene.body("balls", Shape::Ball { radius: 0.05 }, Vec3::x() * x, Some(m));
        let (a, b) = (ball(&mut scene, 0.0, 1.0), ball(&mut scene, 0.2, 1.0 / ratio));
        scene.law("balls", "balls", "NoContact");
        let space = if dimension == Dimension::Spatial { 1.0 } else { 0.0 };
        let w = Vec3::new(2.0 * space, -3.0 * space, 5.0);
        let axis = Vec3::new(0.8, 0.6, 0.0);
        scene.velocity(a, Vec3::new(0.1, 0.3, 0.2 * space), w);
        scene.velocity(b, Vec3::new(0.1, 0.3, 0.2 * space) + w.cross(&(Vec3::x() * 0.2)) + axis * 0.7, w);
        let (direction, at) = if space > 0.0 { ("(4, 3, 0)", "(0.15, 0.02, 0.01)") } else { ("(4, 3)", "(0.15, 0.02)") };
        let k = 40.0 / ratio;
        let kind = format!("Slider(at: {at}, axis: {direction}, spring: (stiffness: {k:?}, rest: 0.01))");
        join(&mut scene, b, Some(a), &kind);
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        let (p, l) = momenta(&run);
        let first = energy(&run) + 0.5 * k * 1e-4;
        let (mut worst, mut most, mut lost) = (0.0_f64, 0.0_f64, 0.0);
        for _ in 0..500 {
            let report = run.step(2e-3);
            lost = number(&report, "w_joint_settled");
            most = most.max(number(&report, "e_joint"));
            worst = worst.max((energy(&run) + number(&report, "e_joint") - lost - first).abs() / first);
        }
        let (p1, l1) = momenta(&run);
        let turned = {
            let k = run.kinematics();
            (k.orientation[0].inverse() * k.orientation[1]).angle()
        };
        assert!(worst < 1e-10 && lost <= 1e-12 * first && -lost < 1e-3 * first, "{dimension:?} {ratio:e}: {worst:e} {lost:e}");
        assert!((p1 - p).norm() < 1e-11 * p.norm() && (l1 - l).norm() < 1e-10 * l.norm() && turned < 1e-9);
        assert!(most > 1e-8 * first, "the spring does something");
    }
}

/// Two bodies on a spring along a slider: ω = √(k/μ), and with a dashpot they come to rest where it has no force.
#[test]
fn a_spring_along_a_slider_has_the_frequency_of_the_reduced_mass() {
    let (m, k) = ([0.4, 1.1], 300.0);
    let exact = 2.0 * PI * f64::sqrt(m[0] * m[1] / (m[0] + m[1]) / k);
    let error = |h: f64| {
        let mut scene = Scene::new(Dimension::Planar, Vec3::zeros());
        let [a, b] = [0, 1].map(|i| scene.body("balls", Shape::Ball { radius: 0.05 }, Vec3::x() * (0.3 * i as f64), Some(m[i])));
        scene.law("balls", "balls", "NoContact");
        named(&mut scene, b, Some(a), &format!("Slider(axis: (1, 0), start: 0.1, spring: (stiffness: {k:?}))"), Some("s"));
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        let mut last = 0.1;
        loop {
            let t = run.time;
            let travel = number(&run.step(h), "s_travel");
            if travel <= 0.0 {
                return (4.0 * (t + h * last / (last - travel)) / exact - 1.0).abs();
            }
            last = travel;
        }
    };
    let (coarse, fine) = (error(1e-3), error(5e-4));
    assert!(fine < 1e-4 && fine < 0.35 * coarse, "{coarse:e} {fine:e}");
}

/// A lift: its motor carries up to its force, stops at the upper limit and sinks onto the lower one where it is too weak.
#[test]
fn a_lift_goes_up_to_its_limit_or_sinks() {
    let mass = 3.0;
    for (force, end) in [(1.1, 0.5), (0.9, -0.2)] {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
        let cabin = scene.body("box", Shape::Box { half: Vec3::new(0.1, 0.05, 0.03) }, Vec3::zeros(), Some(mass));
        scene.law("box", "box", "NoContact");
        let motor = format!("motor: (speed: 1, force: {:?})", force * mass * G);
        named(&mut scene, cabin, None, &format!("Slider(axis: (0, 0, 1), limits: (-0.2, 0.5), {motor})"), Some("s"));
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        let mut report = run.step(1e-3);
        let mut fastest = 0.0_f64;
        for _ in 0..2000 {
            report = run.step(1e-3);
            fastest = fastest.max(run.kinematics().velocity[0].z);
        }
        let (travel, thrust) = (number(&report, "s_travel"), number(&report, "s_thrust"));
        assert!((travel - end).abs() < 1e-12 && (thrust / (mass * G) - 1.0).abs() < 1e-9, "{travel} {thrust}");
        // v² = 2 · 0.1 g s while it gives all it can.
        assert!(force < 1.0 || (fastest / (0.2 * G * 0.5_f64).sqrt().min(1.0) - 1.0).abs() < 2e-3, "{fastest}");
    }
}

/// A crank that turns evenly moves a slider by x = r cos φ + √(ℓ² − r² sin² φ), at every step to rounding, through whole turns.
#[test]
fn a_slider_crank_follows_its_closed_form() {
    let (r, length, speed) = (0.2, 0.5, 3.0);
    for (dimension, heavy) in [(Dimension::Planar, 1.0), (Dimension::Planar, 1e6), (Dimension::Spatial, 1.0)] {
        let mut scene = Scene::new(dimension, Vec3::y() * -G);
        let part = |scene: &mut Scene, x: f64, m: f64| scene.body("parts", Shape::Ball { radius: 0.05 }, Vec3::x() * x, Some(m));
        let crank = part(&mut scene, 0.5 * r, 1.0);
        let rod = part(&mut scene, r + 0.5 * length, 0.3);
        let block = part(&mut scene, r + length, heavy);
        scene.law("parts", "parts", "NoContact");
        let (hinge, z) = if dimension == Dimension::Planar { ("Hinge(", "") } else { ("Hinge(axis: (0, 0, 1), ", ", 0") };
        named(&mut scene, crank, None, &format!("{hinge}at: (0, 0{z}), speed: {speed:?})"), Some("crank"));
        join(&mut scene, rod, Some(crank), &format!("Pin(at: ({r:?}, 0{z}))"));
        join(&mut scene, block, Some(rod), &format!("{hinge}at: ({:?}, 0{z}))", r + length));
        named(&mut scene, block, None, &format!("Slider(axis: (1, 0{z}))"), Some("block"));
        let mut run = scene.build("Contact(tolerance: 1e-12)").unwrap();
        let (mut worst, mut book) = (0.0_f64, 0.0_f64);
        let first = energy(&run);
        for _ in 0..2500 {
            let report = run.step(2e-3);
            let phi = number(&report, "crank_angle");
            assert!((phi - speed * run.time).abs() < 1e-10);
            let x = r * phi.cos() + (length * length - (r * phi.sin()).powi(2)).sqrt();
            worst = worst.max((run.kinematics().position[2].x - x).abs());
            let given = number(&report, "crank_drive") + number(&report, "w_joint");
            book = book.max((energy(&run) - first - given).abs() / heavy);
        }
        assert!(worst < 1e-10 && book < 1e-9, "{dimension:?} {worst:e} {book:e}");
    }
}
