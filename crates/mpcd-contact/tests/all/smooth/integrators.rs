//! Orders of convergence of the integrators, and motion without contacts.

use mpcd_core::{Dimension, Vec3};
use mpcd_geometry::Shape;

use super::{materials, order};
use crate::scene::{Run, Scene};

const K: f64 = 1e5;
const RADIUS: f64 = 0.01;
const SQUEEZE: f64 = 1e-3;

/// A ball pressed between two planes, off the middle: an oscillator as long as it touches both.
fn oscillator(damping: f64, integrator: &str) -> (Run, f64) {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    materials(&mut scene, 1e9);
    let ball = scene.body("ball", Shape::Ball { radius: RADIUS }, Vec3::x() * 2e-4, Some(0.01));
    for side in [-1.0, 1.0] {
        let plane = scene.floor("walls", Vec3::x() * -side);
        scene.setup.initial.position[plane.index()] = Vec3::x() * (side * (RADIUS - SQUEEZE));
    }
    scene.law("ball", "walls", &format!("Hooke(stiffness: {K}, friction: 0, damping: {damping}, tension: true)"));
    let mass = scene.setup.bodies.mass[ball.index()];
    (scene.build_smooth(&format!("SmoothContact(substeps: 1, integrator: {integrator})")).unwrap(), mass)
}

/// Error of the position after 1 ms, in steps of h = 1 ms / n.
fn error(damping: f64, integrator: &str, theta: f64, n: usize) -> f64 {
    let (mut run, mass) = oscillator(damping, integrator);
    run.theta = theta;
    let t = 1e-3;
    for _ in 0..n {
        run.step(t / n as f64);
    }
    let (omega, a) = ((2.0 * K / mass).sqrt(), damping / mass);
    let w = (omega * omega - a * a).sqrt();
    let exact = 2e-4 * (-a * t).exp() * ((w * t).cos() + a / w * (w * t).sin());
    (run.kinematics().position[0].x - exact).abs()
}

fn orders(damping: f64, integrator: &str, theta: f64) -> f64 {
    let n = 400;
    let (coarse, fine) = (error(damping, integrator, theta, n), error(damping, integrator, theta, 2 * n));
    order(coarse, fine)
}

#[test]
fn verlet_is_second_order_with_and_without_damping() {
    for damping in [0.0, 5.0] {
        let got = orders(damping, "Verlet", 0.5);
        assert!((got - 2.0).abs() < 0.1, "damping {damping}: {got}");
    }
}

#[test]
fn the_time_centred_scheme_is_second_order_and_first_order_where_forces_are_viscous() {
    let (plain, damped) = (orders(0.0, "TimeCentred", 0.5), orders(5.0, "TimeCentred", 0.5));
    assert!((plain - 2.0).abs() < 0.1 && (damped - 1.0).abs() < 0.2, "{plain} {damped}");
}

#[test]
fn the_implicit_form_is_second_order_for_one_half_and_first_order_for_one() {
    for damping in [0.0, 5.0] {
        let (half, one) = (orders(damping, "Implicit()", 0.5), orders(damping, "Implicit()", 1.0));
        assert!((half - 2.0).abs() < 0.1 && (one - 1.0).abs() < 0.2, "damping {damping}: {half} {one}");
    }
}

#[test]
fn gear_is_fourth_order_in_smooth_flight_and_second_from_a_cold_start_under_viscous_forces() {
    // A force that grows like t⁴ starts with all its derivatives at zero.
    let flight = |n: usize| {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
        materials(&mut scene, 1e9);
        scene.body("ball", Shape::Ball { radius: RADIUS }, Vec3::zeros(), Some(1.0));
        scene.load("ball", "Force(x: \"t^4*30\")");
        let mut run = scene.build_smooth("SmoothContact(substeps: 1, integrator: Gear)").unwrap_or_else(|e| panic!("{e}"));
        for _ in 0..n {
            run.step(1.0 / n as f64);
        }
        (run.kinematics().position[0].x - 1.0).abs()
    };
    let smooth = order(flight(200), flight(400));
    let cold = orders(0.0, "Gear", 0.5);
    let damped = orders(5.0, "Gear", 0.5);
    assert!(smooth > 3.9, "{smooth}");
    // The missing third derivative of a cold start is zero for an undamped swing from rest, and costs two orders for a damped one.
    assert!(cold > 3.9 && damped > 1.9, "{cold} {damped}");
}

#[test]
fn a_free_top_keeps_its_angular_momentum() {
    for (integrator, drift) in [("Verlet", 1e-11), ("TimeCentred", 1e-11), ("Implicit()", 1e-9), ("Gear", 1e-4)] {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
        materials(&mut scene, 1e9);
        let half = Vec3::new(0.1, 0.2, 0.35);
        let top = scene.body("top", Shape::Box { half }, Vec3::zeros(), None);
        scene.velocity(top, Vec3::zeros(), Vec3::new(0.4, 2.0, 0.3));
        let inertia = scene.setup.bodies.inertia[0];
        let mut run = scene.build_smooth(&format!("SmoothContact(substeps: 1, integrator: {integrator})")).unwrap();
        let momentum = |run: &Run| {
            let (q, w) = (run.kinematics().orientation[0], run.kinematics().angular_velocity[0]);
            q * (q.inverse() * w).component_mul(&inertia)
        };
        let start = momentum(&run);
        for _ in 0..1000 {
            run.step(1e-3);
        }
        let off = (momentum(&run) - start).norm() / start.norm();
        assert!(off < drift, "{integrator}: {off:e}");
    }
}
