//! Which laws go with the explicit scheme, and what is said of the others; an elastic contact in the unknown configuration.

use mpcd_core::{Dimension, Quat, Vec3};
use mpcd_geometry::Shape;

use super::contact;
use crate::scene::{G, Run, Scene};

fn build(law: &str, module: &str) -> Result<Run, mpcd_core::InputError> {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
    scene.body("grain", Shape::Ball { radius: 0.1 }, Vec3::z() * 0.1, Some(1.0));
    scene.floor("floor", Vec3::z());
    scene.law("grain", "floor", law);
    scene.build(module)
}

#[test]
fn laws_with_impacts_are_refused_by_name_of_both_groups() {
    for law in [
        "Coulomb(friction: 0.3, restitution: 0.5)",
        "Coulomb(friction: 0.3, contact: Velocity)",
        "Poisson(friction: 0.3, restitution: 0.5)",
        "Stronge(friction: 0.3, restitution: 0.5)",
        "Lubrication(viscosity: 0.1, roughness: 1e-5, range: 1e-3, friction: 0.3)",
    ] {
        let error = build(law, "Contact(scheme: Explicit())").err().unwrap().to_string();
        assert!(["grain", "floor", "Explicit"].iter().all(|word| error.contains(word)), "{error}");
        assert!(build(law, "Contact(scheme: MoreauJean)").is_ok());
    }
}

#[test]
fn laws_on_displacements_hold_a_ball() {
    for law in [
        "Coulomb(friction: 0.3, contact: GapUnclipped)",
        "Convex(friction: 0.3)",
        "StaticDynamic(friction: 0.5, sliding: 0.3)",
        "SlipWeakening(friction: 0.5, sliding: 0.3, distance: 0.01)",
        "VelocityWeakening(friction: 0.5, sliding: 0.3, speed: 0.1)",
        "Regularised(friction: 0.5, speed: 0.1)",
        "Capillary(force: 1, rupture: 1e-3, friction: 0.3)",
        "MohrCoulomb(friction: 0.3, tensile_strength: 1e3)",
        "RaousCangemiCocouMonerie(friction: 0.3, normal_stiffness: 1e9, tangential_stiffness: 1e9, energy: 10)",
    ] {
        let mut run = match build(law, "Contact(scheme: Explicit(), tolerance: 1e-10)") {
            Ok(run) => run,
            Err(error) => panic!("{law}: {error}"),
        };
        for _ in 0..50 {
            let report = run.step(1e-3);
            assert!(report.balances.iter().all(|b| b.imbalance() <= 1e-10), "{law}");
        }
        let (z, force) = (run.kinematics().position[0].z, run.network().contacts[0].normal_force(1e-3));
        assert!((z - 0.1).abs() < 1e-9 && (force - G).abs() < 1e-6, "{law}: {z} {force}");
    }
}

/// m x'' = −k x with the force of the end of the step: the product of the roots is 1/(1 + (½+β)Ω²).
#[test]
fn an_elastic_contact_is_damped_as_the_roots_say() {
    let (k, h) = (400.0_f64, 0.01);
    for damping in [0.5, 1.0] {
        let mut run = build(&format!("Elastic(stiffness: {k}, friction: 0.3)"), &contact(damping, 1e-13)).unwrap();
        let rest = 0.1 - G / k;
        let mut x = vec![0.1 - rest];
        for _ in 0..20 {
            run.step(h);
            x.push(run.kinematics().position[0].z - rest);
        }
        let area = |i: usize| x[i + 1] * x[i - 1] - x[i] * x[i];
        let want = 1.0 / (1.0 + (0.5 + damping) * k * h * h);
        for i in 3..19 {
            assert!((area(i + 1) / area(i) - want).abs() < 1e-8, "β {damping}: {} {want}", area(i + 1) / area(i));
        }
    }
}

#[test]
fn theta_and_joints_do_not_go_with_the_explicit_scheme() {
    let mut run = build("Coulomb(friction: 0.3)", "Contact(scheme: Explicit())").unwrap();
    run.theta = 0.7;
    let error = run.try_step(1e-3).unwrap_err().to_string();
    assert!(error.contains("theta"), "{error}");
}

/// A box that lies on its springs by m g/k from the start on bears its weight and stays, from the first step on and in steps of any length, for any β: springs pull for as long as the weight does.
#[test]
fn what_rests_on_its_spring_is_at_rest_from_the_first_step_on() {
    for dimension in [Dimension::Planar, Dimension::Spatial] {
        let down = if dimension == Dimension::Planar { Vec3::y() } else { Vec3::z() };
        for damping in [0.5, 0.75, 1.0] {
            let mut scene = Scene::new(dimension, down * -G);
            scene.body("box", Shape::Box { half: Vec3::new(0.2, 0.1, 0.1) }, down * (0.1 - 2.0 * G / 1e5), Some(2.0));
            scene.floor("floor", down);
            scene.law("box", "floor", "Elastic(stiffness: 1e5, damping: 20, tangential_stiffness: 5e4, friction: 0.3)");
            let mut run = scene.build(&contact(damping, 1e-12)).unwrap();
            for h in [1e-3, 1e-3, 2e-4, 2e-4, 1e-3, 7e-4] {
                let report = run.step(h);
                let force: f64 = run.network().iter().map(|c| c.normal_force(h)).sum();
                let (v, w) = (run.kinematics().velocity[0].norm(), run.kinematics().angular_velocity[0].norm());
                assert!(
                    v < 1e-9 && w < 1e-8 && (force - 2.0 * G).abs() < 1e-6,
                    "β {damping}, {h}: {v} m/s, {w} rad/s, {force} N"
                );
                assert!(report.balances.iter().all(|b| b.imbalance() <= 1e-10), "β {damping}, {h}");
            }
        }
    }
}

/// Momentum and energy are in the books where a corner of a box that turns freely lies in its spring at the start.
#[test]
fn a_corner_that_starts_in_its_spring_closes_the_books() {
    for damping in [0.5, 0.75, 1.0] {
        for turned in [Vec3::zeros(), Vec3::new(0.3, -0.2, 0.5)] {
            let mut scene = Scene::new(Dimension::Spatial, Vec3::z() * -G);
            scene.body("box", Shape::Box { half: Vec3::new(0.2, 0.1, 0.15) }, Vec3::z() * 0.25, Some(2.0));
            scene.setup.initial.orientation[0] = Quat::from_euler_angles(0.2, 0.5, 0.35);
            let corners = (0..8).map(|c| {
                let sign = |bit: i32| if c & bit == 0 { 1.0 } else { -1.0 };
                (scene.setup.initial.orientation[0] * Vec3::new(0.2 * sign(1), 0.1 * sign(2), 0.15 * sign(4))).z
            });
            scene.setup.initial.position[0].z = -1e-3 - corners.fold(f64::INFINITY, f64::min);
            scene.setup.initial.angular_velocity[0] = turned;
            scene.floor("floor", Vec3::z());
            scene.law("box", "floor", "Elastic(stiffness: 1e5, friction: 0.3)");
            let mut run = scene.build(&contact(damping, 1e-12)).unwrap();
            for k in 0..20 {
                let report = run.step(5e-4);
                let worst = report.balances.iter().map(|b| b.imbalance()).fold(0.0, f64::max);
                assert!(worst <= 1e-10, "β {damping}, step {k}: {worst}");
            }
            let struck = run.kinematics().angular_velocity[0] - turned;
            assert!(struck.norm() > 0.1, "the case shows something: {struck}");
        }
    }
}
