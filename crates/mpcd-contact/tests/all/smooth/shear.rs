//! Tangential forces: Mindlin's stiffness, Coulomb's cap, the loop of a shear cycle, memory that turns with the pair.

use mpcd_core::{Dimension, MaterialId, Vec3};
use mpcd_geometry::Shape;

use super::{POISSON, YOUNG, ball_and_plane, materials, on_rigid};
use crate::scene::Scene;

/// A ball held at an overlap δ is moved along x to and fro: the shear forces on it (N), step by step.
fn cycle(law: &str, overlap: f64, speed: f64, steps: usize) -> Vec<(f64, f64)> {
    let mut scene = ball_and_plane(-overlap, 0.0, law, YOUNG);
    let h = 1e-6;
    let half = steps as f64 * h;
    scene.load("ball", &format!("Velocity(x: \"{speed}*signum(sin({}*t))\", y: 0, z: 0)", std::f64::consts::PI / half));
    // Free to spin about z alone, which shear in x does not ask for.
    scene.load("ball", "Locked(axes: [SpinX, SpinY])");
    let mut run = scene.build_smooth("SmoothContact(substeps: 1)").unwrap();
    let mut out = Vec::new();
    for _ in 0..2 * steps {
        run.step(h);
        let c = run.network().contacts[0];
        // The force at the end of the step, from two neighbouring means.
        out.push((run.kinematics().position[0].x, c.force(h).x));
    }
    out
}

#[test]
fn mindlin_stiffness_cap_and_loop() {
    let (overlap, mu) = (2e-6_f64, 0.3);
    let a = (0.01 * overlap).sqrt();
    let normal = 4.0 / 3.0 * on_rigid() * a * overlap;
    let shear = YOUNG / (2.0 * (1.0 + POISSON)) / (2.0 - POISSON);
    let stiffness = 8.0 * shear * a;
    let slip = mu * normal / stiffness;
    let steps = 4000;
    // To 2.5 times the elastic way and back.
    let speed = 2.5 * slip / (steps as f64 * 1e-6);
    let path = cycle(&format!("HertzMindlin(friction: {mu})"), overlap, speed, steps);
    // Loading: −8G*a x.
    let (x, f) = path[steps / 5];
    let mean = x - 0.5 * speed * 1e-6;
    assert!((f / (-stiffness * mean) - 1.0).abs() < 1e-3, "{f} {}", -stiffness * mean);
    // Capped.
    let f = path[steps - 10].1;
    assert!((f / (-mu * normal) - 1.0).abs() < 1e-9, "{f}");
    // Back: the spring lets go with the same stiffness and reaches the other cap after twice the elastic way.
    let (x0, _) = path[steps - 1];
    let k = path.iter().skip(steps).position(|p| p.1 >= 0.0).unwrap() + steps;
    assert!(((x0 - path[k].0) / slip - 1.0).abs() < 2e-3, "{}", (x0 - path[k].0) / slip);
    let f = path[2 * steps - 2].1;
    assert!((f / (mu * normal) - 1.0).abs() < 1e-9, "{f}");
}

#[test]
fn a_viscous_law_pulls_by_the_speed_until_it_slides() {
    let overlap = 2e-6_f64;
    let law = "Hertz(friction: 0.3, tangential: Viscous(damping: 10))";
    let path = cycle(law, overlap, 0.01, 100);
    assert!((path[50].1 / -0.1 - 1.0).abs() < 1e-9, "{}", path[50].1);
    let normal = 4.0 / 3.0 * on_rigid() * (0.01 * overlap).sqrt() * overlap;
    let path = cycle(law, overlap, 100.0, 4);
    assert!((path[2].1 / (-0.3 * normal) - 1.0).abs() < 1e-9, "{}", path[2].1);
}

/// Two discs pressed together and sheared, then turned as one body: the spring turns with them.
#[test]
fn the_spring_turns_with_the_pair() {
    let mut scene = Scene::new(Dimension::Planar, Vec3::zeros());
    materials(&mut scene, 1e7);
    let r = 0.01;
    let disc = Shape::Disc { radius: r, thickness: 0.01 };
    let overlap = 1e-4;
    let half = r - 0.5 * overlap;
    scene.body("one", disc.clone(), Vec3::x() * -half, Some(1e9));
    let b = scene.body("two", disc, Vec3::x() * half, Some(1e9));
    // Both go round the origin and spin with the turn; the first a little faster: that is the shear. Only the second's spin is free,
    // and too heavy to change.
    let (omega, faster) = (2.0, 0.01);
    for (group, side, spin) in [("one", -1.0, format!(", spin_z: {}", omega + faster)), ("two", 1.0, String::new())] {
        let speed = side * omega * half;
        scene.load(group, &format!("Velocity(x: \"{}*sin({omega}*t)\", y: \"{speed}*cos({omega}*t)\"{spin})", -speed));
    }
    scene.velocity(b, Vec3::zeros(), Vec3::z() * omega);
    scene.law("one", "two", "Hooke(stiffness: 1e5, friction: 100)");
    let mut run = scene.build_smooth("SmoothContact(substeps: 1)").unwrap();
    let mut local = Vec::new();
    for _ in 0..200 {
        run.step(1e-3);
        local.push(run.network().contacts[0].r.y / 1e-3);
    }
    // By then they have turned by 0.4 rad; the shear has gone on in the turned frame: K_t × way, within the change of frame.
    let way = faster * half * 0.2;
    let want = 0.8 * 1e5 * way;
    assert!((local[199].abs() / want - 1.0).abs() < 1e-2, "{} {want}", local[199]);
    let world = run.network().contacts[0];
    assert!((world.frame.n.y.atan2(world.frame.n.x).sin().abs() - 0.4_f64.sin()).abs() < 2e-3);
}

#[test]
fn a_ball_rolls_where_friction_asks_and_stops_where_it_is_asked() {
    // VALIDATION §2 by the smooth law: launched without spin, it rolls in the end at 5/7 of its speed.
    let mut scene = ball_and_plane(-1e-7, 0.0, "Hertz(friction: 0.3, restitution: 0.5)", 1e9);
    scene.setup.gravity = Vec3::z() * -9.81;
    scene.setup.initial.velocity[0] = Vec3::x() * 0.5;
    scene.setup.bodies.material[1] = MaterialId(1);
    let mut run = scene.build_smooth("SmoothContact()").unwrap();
    for _ in 0..100 {
        run.step(1e-3);
    }
    let v = run.kinematics().velocity[0].x;
    let w = run.kinematics().angular_velocity[0].y;
    assert!((v / (0.5 * 5.0 / 7.0) - 1.0).abs() < 2e-3, "{v}");
    assert!((w * 0.01 / v - 1.0).abs() < 2e-3, "{w}");
}

/// A ball on its tangential spring swings with the damping ratio that is asked for: half a period of π/ω√(1 − ζ²) leaves e^(−πζ/√(1 − ζ²)) of its speed.
#[test]
fn a_tangential_spring_is_damped_as_asked() {
    let (overlap, speed) = (2e-6_f64, 1e-6);
    let a = (0.01 * overlap).sqrt();
    let mindlin = 8.0 * YOUNG / (2.0 * (1.0 + POISSON)) / (2.0 - POISSON) * a;
    let of_normal = 0.8 * 2.0 * on_rigid() * a;
    for (ratio, key) in [(0.0_f64, ""), (0.05, ", damping_ratio: 0.05"), (0.4, ", damping_ratio: 0.4")] {
        for (law, stiffness) in [
            (format!("HertzMindlin(friction: 100{key})"), mindlin),
            (format!("Hertz(friction: 100, tangential: Elastic(ratio: 0.8{key}))"), of_normal),
        ] {
            let mut scene = ball_and_plane(-overlap, 0.0, &law, YOUNG);
            scene.load("ball", "Locked(axes: [Y, Z, SpinX, SpinY, SpinZ])");
            scene.velocity(mpcd_core::BodyId(0), Vec3::x() * speed, Vec3::zeros());
            let omega = (stiffness / scene.setup.bodies.mass[0]).sqrt();
            let slower = (1.0 - ratio * ratio).sqrt();
            let half = std::f64::consts::PI / (omega * slower);
            let mut run = scene.build_smooth("SmoothContact(substeps: 1)").unwrap();
            (0..2000).for_each(|_| drop(run.step(half / 2000.0)));
            let left = -run.kinematics().velocity[0].x / speed;
            let wanted = (-std::f64::consts::PI * ratio / slower).exp();
            assert!((left - wanted).abs() < 3e-3, "{law}: {left}, not {wanted}");
        }
    }
}
