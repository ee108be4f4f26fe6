//! Impacts: Hertz' duration and depth, restitution from damping, and Hertz' static contact (VALIDATION §8).

use super::{ball_and_plane, gap, on_rigid};

const MASS: f64 = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-6;

/// Duration and greatest depth of an impact and the speed after it, sub-step by sub-step.
fn impact(law: &str, young: f64, speed: f64, h: f64) -> (f64, f64, f64) {
    let mut run = ball_and_plane(1e-9, speed, law, young).build_smooth("SmoothContact(substeps: 1, alert: \"1 mm\")").unwrap();
    let (mut deepest, mut begin, mut end) = (0.0_f64, 0.0, 0.0);
    let mut before = 1e-9;
    for _ in 0..1_000_000 {
        let t = run.time;
        run.step(h);
        let now = run.kinematics().position[0].z - 0.01;
        deepest = deepest.max(-now);
        if before > 0.0 && now <= 0.0 {
            begin = t + h * before / (before - now);
        }
        if before <= 0.0 && now > 0.0 {
            end = t + h * before / (before - now);
            break;
        }
        before = now;
    }
    (end - begin, deepest, run.kinematics().velocity[0].z)
}

#[test]
fn v08_hertz_impact_lasts_and_digs_as_computed() {
    for v in [0.1_f64, 1.0] {
        let e = on_rigid();
        let scale = (MASS * MASS / (0.01 * e * e * v)).powf(0.2);
        let (duration, depth, after) = impact("Hertz(friction: 0)", 2e11, v, 2.87 * scale / 2000.0);
        // The coefficient 2.8683 is 2(15/16)^(2/5) √π Γ(2/5)/Γ(9/10)/(5/2), usually given as 2.87.
        assert!((duration / scale - 2.868_265).abs() < 1e-4 * 2.87, "{}", duration / scale);
        let want = (15.0 / 16.0 * MASS * v * v / (e * 0.01_f64.sqrt())).powf(0.4);
        assert!((depth / want - 1.0).abs() < 1e-5, "{depth} {want}");
        assert!((after / v - 1.0).abs() < 1e-4, "{after}");
    }
}

#[test]
fn restitution_is_what_the_law_says() {
    for e in [0.9, 0.5, 0.1] {
        for v in [0.05, 1.0] {
            let hertz = impact(&format!("Hertz(friction: 0, restitution: {e})"), 2e9, v, 2e-8 / v.powf(0.2));
            assert!((hertz.2 / v - e).abs() < 2e-3, "Hertz {e} {v}: {}", hertz.2 / v);
        }
        for tension in [false, true] {
            let law = format!("Hooke(stiffness: 1e6, friction: 0, restitution: {e}, tension: {tension})");
            let (_, _, after) = impact(&law, 2e9, 1.0, 2e-7);
            assert!((after - e).abs() < 2e-3, "Hooke {e} {tension}: {after}");
        }
    }
}

#[test]
fn hooke_with_tension_lasts_half_a_period() {
    let (k, alpha) = (1e6_f64, 0.3);
    let damping = 2.0 * alpha * (MASS * k).sqrt();
    let (duration, ..) =
        impact(&format!("Hooke(stiffness: {k}, friction: 0, damping: {damping}, tension: true)"), 2e9, 1.0, 1e-7);
    let want = std::f64::consts::PI / (k / MASS * (1.0 - alpha * alpha)).sqrt();
    assert!((duration / want - 1.0).abs() < 1e-3, "{duration} {want}");
}

#[test]
fn v08_hertz_contact_under_100_newton() {
    let mut scene = ball_and_plane(-1e-6, 0.0, "Hertz(friction: 0)", 2e11);
    scene.load("ball", "Force(z: -100)");
    let mut run = scene.build_smooth("SmoothContact(damping: 0.7)").unwrap();
    for _ in 0..100 {
        run.step(2e-5);
    }
    let contact = run.network().contacts[0];
    let force = contact.normal_force(2e-5);
    assert!((force - 100.0).abs() < 1e-6, "{force}");
    assert!((gap(&run) + 2.266_636e-6).abs() < 1e-12, "{}", gap(&run));
    let a = mpcd_core::hertz::contact_radius(&contact.geometry, force, on_rigid());
    assert!((a - 0.150_553_5e-3).abs() < 1e-10, "{a}");
    assert!((1.5 * force / (std::f64::consts::PI * a * a) - 2.106_491e9).abs() < 1e4);
}
