//! Motion without contacts: exact under gravity, second order for β = ½, the damping of an oscillator as derived, a free top.

use mpcd_core::{
    Dimension, FieldSpec, FieldStore, Mat3, Quat, Support, Unit, Vec3,
    field::{SupportSizes, names},
};
use mpcd_geometry::Shape;

use super::contact;
use crate::scene::{G, Run, Scene};

fn ball(gravity: Vec3, load: Option<&str>, damping: f64) -> Run {
    let mut scene = Scene::new(Dimension::Spatial, gravity);
    let body = scene.body("ball", Shape::Ball { radius: 0.1 }, Vec3::new(0.3, 0.0, 2.0), Some(2.0));
    scene.velocity(body, Vec3::new(1.0, -0.5, 3.0), Vec3::zeros());
    scene.law("ball", "ball", "Coulomb(friction: 0.3)");
    if let Some(load) = load {
        scene.load("ball", load);
    }
    scene.build(&contact(damping, 1e-12)).unwrap()
}

/// A throw is exact for every β, with steps of any length.
#[test]
fn a_throw_is_exact_whatever_the_steps() {
    for damping in [0.5, 0.7, 1.0] {
        let mut run = ball(Vec3::z() * -G, None, damping);
        for k in 0..60 {
            run.step(if k % 3 == 0 { 0.02 } else { 0.007 });
            let t = run.time;
            let want = Vec3::new(0.3 + t, -0.5 * t, 2.0 + 3.0 * t - 0.5 * G * t * t);
            assert!((run.kinematics().position[0] - want).norm() < 1e-12, "β {damping}, t {t}: {}", run.kinematics().position[0]);
        }
        // The velocity is that of βh before the end.
        let late = run.time - damping * 0.007;
        assert!((run.kinematics().velocity[0].z - (3.0 - G * late)).abs() < 1e-12);
    }
}

/// m x'' = 6 cos 5t: second order for β = ½, first for β = 1.
#[test]
fn loads_act_to_second_order_without_damping() {
    let error = |damping: f64, h: f64| {
        let mut run = ball(Vec3::zeros(), Some("Force(x: \"6*cos(5*t)\")"), damping);
        while run.time < 1.0 - 0.5 * h {
            run.step(h);
        }
        let want = 0.3 + 1.0 + 3.0 / 25.0 * (1.0 - 5.0_f64.cos());
        (run.kinematics().position[0].x - want).abs()
    };
    for (damping, order) in [(0.5, 2.0), (1.0, 1.0)] {
        let (coarse, fine) = (error(damping, 0.01), error(damping, 0.005));
        let found = (coarse / fine).log2();
        assert!((found - order).abs() < 0.15, "β {damping}: order {found} ({coarse:e}, {fine:e})");
    }
}

/// Positions of a body on a spring that a user's module applies as `body_force` at the start of each step.
fn oscillator(damping: f64, omega: f64, h: f64, steps: usize) -> Vec<f64> {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    scene.body("ball", Shape::Ball { radius: 0.1 }, Vec3::x() * 0.5, Some(1.0));
    scene.law("ball", "ball", "Coulomb(friction: 0.3)");
    let mut run = scene.build(&contact(damping, 1e-12)).unwrap();
    let force = FieldSpec::vector(names::BODY_FORCE, Unit::FORCE, Support::Body);
    run.fields = FieldStore::new([force], &SupportSizes { bodies: 1, ..SupportSizes::default() });
    let mut out = vec![0.5];
    for _ in 0..steps {
        let x = run.kinematics().position[0].x;
        run.fields.swap(names::BODY_FORCE, &mut vec![-omega * omega * x, 0.0, 0.0]);
        run.step(h);
        out.push(run.kinematics().position[0].x);
    }
    out
}

/// q_{i+1} − 2q_i + q_{i−1} = −Ω²[(½+β) q_i + (½−β) q_{i−1}]: the product of the roots is 1 − Ω²(β−½), by which q_{i+1}q_{i−1} − q_i²
/// falls in each step. β = ½ keeps it for ever, up to Ω = 2.
#[test]
fn damping_takes_from_an_oscillator_what_the_roots_say() {
    for (damping, turn) in [(0.5, 0.3), (0.6, 0.3), (1.0, 0.3), (1.0, 1.0)] {
        let q = oscillator(damping, turn / 0.01, 0.01, 40);
        let area = |k: usize| q[k + 1] * q[k - 1] - q[k] * q[k];
        let want = 1.0 - turn * turn * (damping - 0.5);
        // The first step is the starting one.
        for k in 2..39 {
            assert!((area(k + 1) / area(k) - want).abs() < 1e-9, "β {damping}, Ω {turn}: {} {want}", area(k + 1) / area(k));
        }
    }
    let largest = |turn: f64| oscillator(0.5, turn / 0.01, 0.01, 400).iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    assert!(largest(1.99) < 6.0 && largest(2.01) > 1e6, "{} {}", largest(1.99), largest(2.01));
}

/// A free body of unequal moments: its angular momentum to rounding for every β, its energy bounded and of second order for β = ½.
#[test]
fn a_free_top_keeps_its_momentum_and_bounds_its_energy() {
    let top = |damping: f64, h: f64| {
        let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
        let body = scene.body("top", Shape::Box { half: Vec3::new(0.3, 0.2, 0.1) }, Vec3::zeros(), Some(1.0));
        scene.setup.initial.orientation[0] = Quat::from_euler_angles(0.3, -0.2, 0.9);
        let spin = scene.setup.initial.orientation[0] * Vec3::new(0.4, 2.0, 0.3);
        scene.velocity(body, Vec3::zeros(), spin);
        scene.law("top", "top", "Coulomb(friction: 0.3)");
        let principal = scene.setup.bodies.inertia[0];
        let mut run = scene.build(&contact(damping, 1e-12)).unwrap();
        let world = |r: &Quat| {
            let r = r.to_rotation_matrix();
            r * Mat3::from_diagonal(&principal) * r.inverse()
        };
        let r = run.kinematics().orientation[0];
        let (start, energy) = (world(&r) * spin, 0.5 * spin.dot(&(world(&r) * spin)));
        let (mut drift, mut worst) = (0.0_f64, 0.0_f64);
        for _ in 0..2_000 {
            let report = run.step(h);
            assert!(report.balances.iter().all(|b| b.imbalance() < 1e-12));
            let (r, w) = (run.kinematics().orientation[0], run.kinematics().angular_velocity[0]);
            let then = Quat::from_scaled_axis(-w * (damping * h)) * r;
            drift = drift.max((world(&then) * w - start).norm() / start.norm());
            worst = worst.max((0.5 * w.dot(&(world(&r) * w)) / energy - 1.0).abs());
        }
        (drift, worst)
    };
    let ((drift, coarse), (_, fine)) = (top(0.5, 0.02), top(0.5, 0.01));
    assert!(drift < 1e-11 && top(1.0, 0.01).0 < 1e-11, "momentum drift {drift:e}");
    assert!(coarse < 1e-2 && (coarse / fine).log2() > 1.8, "energy {coarse:e} {fine:e}");
}
