//! Adhesion: pull-off force and distance of JKR, its hysteresis, and the simplified law.

use std::f64::consts::PI;

use mpcd_core::MaterialId;
use mpcd_geometry::Shape;

use super::ball_and_plane;
use crate::scene::Run;

const YOUNG: f64 = 1e8;

/// A heavy ball near a plate that moves with `speed` along z: the force on the ball (N) and the overlap (m), step by step.
fn moved(law: &str, gap: f64, speed: f64, h: f64, steps: usize) -> (Run, Vec<(f64, f64)>) {
    let mut scene = ball_and_plane(gap, 0.0, law, YOUNG);
    // The ball is the moved one: driven along z, free to turn, so that its contact is looked at.
    scene.load("ball", &format!("Velocity(x: 0, y: 0, z: {speed})"));
    let mut run = scene.build_smooth("SmoothContact(substeps: 1, alert: \"0.2 mm\")").unwrap();
    let mut out = Vec::new();
    for _ in 0..steps {
        run.step(h);
        let contact = run.network().contacts.first().copied();
        out.push(contact.map_or((0.0, -1.0), |c| (c.normal_force(h), -c.gap)));
    }
    (run, out)
}

#[test]
fn jkr_pulls_off_at_its_force_and_lets_go_at_its_distance() {
    let (w, r) = (0.5_f64, 0.01_f64);
    let modulus = YOUNG / 0.91;
    let a = (PI * w * r * r / (8.0 * modulus)).cbrt();
    let distance = 3.0 * a * a / r;
    let (steps, start) = (40_000, 2.0 * distance);
    let speed = (start + 1.2 * distance) / 1.0;
    let law = format!("Jkr(adhesion: {w}, friction: 0)");
    let (_, path) = moved(&law, -start, speed, 1.0 / steps as f64, steps);
    let least = path.iter().map(|p| p.0).fold(0.0, f64::min);
    assert!((least / (-1.5 * PI * w * r) - 1.0).abs() < 1e-4, "{least}");
    // The very last step is only half under force.
    let last = path.iter().rev().filter(|p| p.0 < 0.0).nth(1).unwrap();
    assert!((-last.1 / distance - 1.0).abs() < 1e-3, "{} {distance}", last.1);
    assert!((last.0 / (-5.0 / 6.0 * PI * w * r) - 1.0).abs() < 0.1, "{}", last.0);
    // Approach: nothing until the surfaces meet, then −4/3 πwR at once.
    let (_, path) = moved(&law, distance, -2.0 * distance, 1.0 / steps as f64, steps);
    let first = path.iter().find(|p| p.0 != 0.0).unwrap();
    assert!(first.1 >= 0.0 && first.1 < 1e-3 * distance, "{}", first.1);
    assert!(path.iter().filter(|p| p.1 < 0.0).all(|p| p.0 == 0.0));
    let jump = path.iter().map(|p| p.0).find(|f| *f < -PI * w * r).unwrap();
    assert!((jump / (-4.0 / 3.0 * PI * w * r) - 1.0).abs() < 0.02, "{jump}");
}

#[test]
fn the_simplified_form_pulls_with_its_own_force_and_only_while_it_overlaps() {
    let (k, cohesion) = (1e9_f64, 1e3_f64);
    let deepest = cohesion / k;
    let law = format!("SimplifiedJkr(stiffness: {k}, cohesion: {cohesion}, friction: 0)");
    let (_, path) = moved(&law, -1.2 * deepest, 2.0 * deepest, 1e-4, 10_000);
    let least = path.iter().map(|p| p.0).fold(0.0, f64::min);
    let want = -2.0 / 3.0 * cohesion * (cohesion / (3.0 * k)).sqrt();
    assert!((least / want - 1.0).abs() < 1e-5, "{least} {want}");
    assert!(path.iter().filter(|p| p.1 < -1e-3 * deepest).all(|p| p.0 == 0.0));
}

#[test]
fn two_sticky_balls_stay_together_below_the_speed_that_tears_them_apart() {
    // The energy lost between meeting and parting is U(end) − U(0) = 3.2 E*a_end⁵/R² + 0.3 E*a_0⁵/R², of which −U(0) is won at once
    // when they meet: a ball that comes with less than U(end) cannot leave.
    let (w, r, modulus) = (0.5_f64, 0.01_f64, YOUNG / 0.91);
    let end = (PI * w * r * r / (8.0 * modulus)).cbrt();
    let start = (2.0 * PI * w * r * r / modulus).cbrt();
    let lost = modulus / (r * r) * (3.2 * end.powi(5) + 0.3 * start.powi(5));
    let mass = 1000.0 * 4.0 / 3.0 * PI * 1e-6;
    let critical = (2.0 * lost / mass).sqrt();
    for (part, leaves) in [(0.97, false), (1.03, true)] {
        let law = format!("Jkr(adhesion: {w}, friction: 0)");
        let mut run =
            ball_and_plane(1e-9, part * critical, &law, YOUNG).build_smooth("SmoothContact(steps_per_contact: 400)").unwrap();
        for _ in 0..400 {
            run.step(1e-4);
        }
        let height = run.kinematics().position[0].z - r;
        let gone = run.kinematics().velocity[0].z > 0.0 && height > 1e-5;
        assert_eq!(gone, leaves, "{part}: height {height}, speed {}", run.kinematics().velocity[0].z);
    }
}

#[test]
fn a_law_of_spheres_refuses_flat_faces_by_name() {
    let mut scene = ball_and_plane(1.0, 0.0, "Jkr(adhesion: 1, friction: 0)", YOUNG);
    scene.body("box", Shape::Box { half: mpcd_core::Vec3::repeat(0.05) }, mpcd_core::Vec3::new(1.0, 0.0, 0.05), None);
    scene.law("box", "floor", "Jkr(adhesion: 1, friction: 0)");
    scene.law("box", "ball", "Jkr(adhesion: 1, friction: 0)");
    scene.setup.bodies.material[2] = MaterialId(0);
    let mut run = scene.build_smooth("SmoothContact()").unwrap();
    let error = run.try_step(1e-4).unwrap_err().to_string();
    assert!(error.contains("group \"box\"") && error.contains("expects spheres that touch at a point"), "{error}");
}
