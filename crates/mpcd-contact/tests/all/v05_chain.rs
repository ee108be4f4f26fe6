//! VALIDATION §5: several impacts at once (Newton–Moreau), the sequential limit, Kane's paradox.

use mpcd_core::{Dimension, Vec3};
use mpcd_geometry::Shape;

use crate::scene::{Run, Scene};

fn row(n: usize, e: f64, gap: f64) -> Run {
    let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
    for k in 0..n {
        let body = scene.body("balls", Shape::Ball { radius: 0.5 }, Vec3::x() * (k as f64 * (1.0 + gap)), None);
        if k == 0 {
            scene.velocity(body, Vec3::x(), Vec3::zeros());
        }
    }
    scene.law("balls", "balls", &format!("Coulomb(friction: 0, restitution: {e}, contact: Velocity)"));
    scene.build("Contact(tolerance: 1e-13)").unwrap()
}

#[test]
fn v05_touching_balls_hit_at_once() {
    for n in [3_usize, 5] {
        for e in [1.0, 0.5, 0.0] {
            // The first ball starts in contact (gap −ε) so that all contacts are closed in the contact configuration.
            let mut run = row(n, e, -1e-12);
            run.step(1e-6);
            let v = &run.kinematics().velocity;
            let count = n as f64;
            assert!((v[0].x - (1.0 - (count - 1.0) * e) / count).abs() < 1e-9, "N {n}, e {e}: {v:?}");
            assert!(v[1..].iter().all(|v| (v.x - (1.0 + e) / count).abs() < 1e-9), "N {n}, e {e}: {v:?}");
        }
    }
}

/// A row of balls written to touch, its spacing and place in decimals: whether they do may not depend on the last bit.
#[test]
fn v05_a_cradle_hits_at_once_whatever_its_spacing() {
    for spacing in [0.04, 0.08, 0.1, 0.3, 0.7, 1.1] {
        for x in [0.0, 0.1, -0.37, 1e3, -1234.56] {
            for (n, e) in [(3, 1.0), (5, 0.5), (7, 0.8)] {
                let mut scene = Scene::new(Dimension::Spatial, Vec3::zeros());
                for k in 0..n {
                    let at = Vec3::new(x + f64::from(k) * spacing, x, -x);
                    let body = scene.body("balls", Shape::Ball { radius: 0.5 * spacing }, at, None);
                    if k == 0 {
                        scene.velocity(body, Vec3::x(), Vec3::zeros());
                    }
                }
                scene.law("balls", "balls", &format!("Coulomb(friction: 0, restitution: {e})"));
                let mut run = scene.build("Contact(tolerance: 1e-13)").unwrap();
                run.step(1e-6);
                let (v, count) = (&run.kinematics().velocity, f64::from(n));
                let first = (1.0 - (count - 1.0) * e) / count;
                assert!((v[0].x - first).abs() < 1e-9, "spacing {spacing} at {x}, {n} balls, e {e}: {v:?}");
                assert!(v[1..].iter().all(|v| (v.x - (1.0 + e) / count).abs() < 1e-9), "spacing {spacing} at {x}: {v:?}");
            }
        }
    }
}

#[test]
fn v05_gaps_give_the_sequential_answer() {
    let mut run = row(3, 1.0, 0.01);
    for _ in 0..60 {
        run.step(1e-3);
    }
    let v = &run.kinematics().velocity;
    assert!(v[0].norm() < 1e-9 && v[1].norm() < 1e-9 && (v[2].x - 1.0).abs() < 1e-9, "{v:?}");
}

/// A free rigid impact loses ½ m_eff (1−e²) u⁻² for every θ.
#[test]
fn v05_energy_loss_of_a_free_impact_for_every_theta() {
    for theta in [0.5, 0.7, 1.0] {
        for e in [0.0, 0.5, 1.0] {
            let mut run = row(2, e, 1e-3);
            run.theta = theta;
            let m = run.setup.bodies.mass[0];
            let mut heat = 0.0;
            for _ in 0..10 {
                run.step(1e-3);
                heat += run.network().iter().map(|c| c.heat_impact + c.heat_friction).sum::<f64>();
            }
            let want = 0.25 * m * (1.0 - e * e);
            assert!((heat - want).abs() < 1e-9 * m, "θ {theta}, e {e}: {heat} instead of {want}");
        }
    }
}

/// Kane's paradox: Newton restitution with friction creates energy, and the module says so.
/// Rod of mass and length 1 at 45°, e_n 0.9, e_t 0, μ 0.6, u⁻ = (−1, −0.5): r = (1, −0.4)?, work +0.05 J.
#[test]
fn v05_kane_paradox_is_reported() {
    // A segment of vanishing thickness has its lever at the end. m = 1, I = 1/12, lever (½ cos 45°, −½ sin 45°).
    let mut scene = Scene::new(Dimension::Planar, Vec3::zeros());
    let thin = 1e-9;
    let body =
        scene.body("rod", Shape::Segment { half: Vec3::new(0.5, 0.0, 0.0), thickness_radius: thin }, Vec3::zeros(), Some(1.0));
    scene.setup.bodies.inertia[0] = Vec3::repeat(1.0 / 12.0);
    let angle = std::f64::consts::FRAC_PI_4;
    scene.setup.initial.orientation[0] = mpcd_core::Quat::from_axis_angle(&Vec3::z_axis(), angle);
    // The lower end is at −½(cos, sin); the floor passes just through it.
    scene.setup.initial.position[0] = Vec3::new(0.0, 0.5 * angle.sin() - 1e-8, 0.0);
    // u at the end: n = y, t = (−1, 0). Want u_n = −1, u_t = −0.5, so the end moves by (+0.5, −1) without spin.
    scene.velocity(body, Vec3::new(0.5, -1.0, 0.0), Vec3::zeros());
    scene.floor("floor", Vec3::y());
    scene.law("rod", "floor", "Coulomb(friction: 0.6, restitution: 0.9)");
    let mut run = scene.build("Contact(tolerance: 1e-13)").unwrap();
    let report = run.step(1e-9);
    let total = run.network().iter().fold(Vec3::zeros(), |sum, c| sum + c.r);
    let work: f64 = -run.network().iter().map(|c| c.heat_friction + c.heat_impact).sum::<f64>();
    assert!((total.x - 1.0).abs() < 1e-6 && (total.y.abs() - 0.4).abs() < 1e-6, "r = {total}");
    assert!((work - 0.05).abs() < 1e-6, "contact work {work}");
    assert!(report.warnings.iter().any(|w| w.contains("created energy")), "{:?}", report.warnings);
}
