//! The books of the smooth method: momentum and energy close in every step, and the scheme's own line falls with its order.

use mpcd_core::{Book, Dimension, Vec3};
use mpcd_geometry::Shape;

use super::{materials, order};
use crate::scene::{Run, Scene};

/// Five balls flung together above a plane and against a driven one.
pub(crate) fn crowd(law: &str, module: &str) -> Run {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::new(0.5, 0.0, -9.81));
    materials(&mut scene, 1e7);
    for (i, (x, z)) in [(0.0, 0.0), (0.021, 0.0), (0.0, 0.0205), (0.0205, 0.021), (0.01, 0.04)].into_iter().enumerate() {
        let at = Vec3::new(x, 1e-3 * i as f64, 0.0102 + z);
        let ball = scene.body("balls", Shape::Ball { radius: 0.01 }, at, None);
        scene.velocity(ball, Vec3::new(0.3 - 20.0 * x, 0.05, -0.4), Vec3::new(3.0, -5.0, 2.0 * i as f64));
    }
    scene.floor("floor", Vec3::z());
    let wall = scene.floor("wall", -Vec3::x());
    scene.setup.initial.position[wall.index()] = Vec3::x() * 0.0325;
    scene.load("wall", "Velocity(x: \"-0.1*cos(40*t)\")");
    scene.load("balls", "Force(y: \"0.01*sin(50*t)\", torque_x: 1e-5)");
    for (a, b) in [("balls", "balls"), ("balls", "floor"), ("balls", "wall")] {
        scene.law(a, b, law);
    }
    scene.build_smooth(module).unwrap()
}

/// Largest imbalance of a book, and the sum of the line `scheme` of energy, over 20 ms in `n` steps.
fn closes(law: &str, module: &str, n: usize) -> (f64, f64, f64) {
    let mut run = crowd(law, module);
    let (mut momentum, mut energy, mut scheme) = (0.0_f64, 0.0_f64, 0.0_f64);
    let mut heat = 0.0;
    for _ in 0..n {
        let report = run.step(0.02 / n as f64);
        for book in &report.balances {
            if book.book == Book::Momentum {
                momentum = momentum.max(book.imbalance());
            } else {
                energy = energy.max(book.imbalance());
                scheme += book.flows.iter().find(|f| f.0 == "scheme").unwrap().1.x;
            }
        }
        heat += run.network().iter().map(|c| c.heat_friction + c.heat_impact).sum::<f64>();
    }
    assert!(heat > 1e-5, "{law}: nothing was turned to heat: {heat:e}");
    (momentum, energy, scheme.abs())
}

#[test]
fn momentum_and_energy_close_in_every_step() {
    for law in [
        "Hooke(stiffness: 2e3, friction: 0.3, restitution: 0.6)",
        "Hertz(friction: 0.3, restitution: 0.6)",
        "HertzMindlin(friction: 0.4, restitution: 0.7)",
        "Jkr(adhesion: 0.1, friction: 0.3, restitution: 0.8)",
        "SimplifiedJkr(cohesion: 5, damping: 0.05, friction: 0.3, tangential: Viscous(damping: 0.05))",
    ] {
        for integrator in ["Verlet", "TimeCentred", "Gear", "Implicit()"] {
            let substeps = if integrator == "Implicit()" { "substeps: 4" } else { "steps_per_contact: 30" };
            for damping in [0.0, 0.2] {
                if damping > 0.0 && integrator == "Implicit()" {
                    continue;
                }
                let module = format!("SmoothContact(integrator: {integrator}, {substeps}, damping: {damping})");
                let (momentum, energy, _) = closes(law, &module, 100);
                assert!(momentum < 1e-10 && energy < 1e-10, "{law}, {module}: {momentum:e} {energy:e}");
            }
        }
    }
}

#[test]
fn the_schemes_own_line_falls_with_the_step() {
    for (law, least) in
        [("Hertz(friction: 0.3, restitution: 0.6)", 0.9), ("HertzMindlin(friction: 0.4)", 0.9), ("Hertz(friction: 0)", 1.5)]
    {
        for integrator in ["Verlet", "TimeCentred"] {
            let scheme = |n| closes_scheme(law, integrator, n);
            let (coarse, fine) = (scheme(4_000), scheme(16_000));
            let got = 0.5 * order(coarse, fine);
            assert!(got >= least || fine < 1e-10, "{law}, {integrator}: {coarse:e} {fine:e}, order {got}");
        }
    }
}

fn closes_scheme(law: &str, integrator: &str, n: usize) -> f64 {
    let mut run = crowd(law, &format!("SmoothContact(integrator: {integrator}, substeps: 1)"));
    let mut scheme = 0.0;
    for _ in 0..n {
        let report = run.step(0.02 / n as f64);
        let energy = report.balances.iter().find(|b| b.book == Book::Energy).unwrap();
        scheme += energy.flows.iter().find(|f| f.0 == "scheme").unwrap().1.x;
    }
    f64::abs(scheme)
}
