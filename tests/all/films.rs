//! Films of `Lubrication` between surfaces that curve unequally, against Reynolds' equation: F = 12 π η v (R' R″)^{3/2}/((R' + R″) g), R' and R″ the radii of
//! the gap (Kim & Karrila, Microhydrodynamics, 1991, §9.2).

use std::f64::consts::PI;

use crate::granular::{build, column, steps};

/// The force (N) on a fixed body from one that comes down on it at 1 cm/s, 0.1 mm above it.
fn film(body: &str, fixed: &str) -> f64 {
    let mut run = build(
        &format!(
            r#"(dimension: 3, time: (step: "0.01 ms", end: "0.01 ms"), materials: {{"m": (density: 1000)}},
  bodies: [(group: "a", material: "m", {body}, mass: 1, velocity: (0, 0, -0.01)), (group: "f", material: "m", {fixed})],
  joints: [(to_ground: "a", name: "s", joint: Slider(axis: (0, 0, 1), speed: -0.01))],
  interactions: [(between: ("a", "f"), law: Lubrication(viscosity: 0.5, roughness: "0.001 µm", range: "1 cm", friction: 0))],
  loads: [(on: "f", load: Fixed)], physics: [Contact(tolerance: 1e-10)],
  output: (probes: [(name: "r", of: "resultant", component: Z, group: "f")]))"#
        ),
        &[],
    );
    let last = steps(&mut run, 1);
    -column(&run, &last, "r").unwrap()
}

fn reynolds([a, b]: [f64; 2]) -> f64 {
    12.0 * PI * 0.5 * 0.01 * (a * b).powf(1.5) / ((a + b) * 1e-4)
}

/// Crossed capsules: the radii of the gap are R/(1 ± cos φ). They had 2 times their force at 30°, 5.8 times at 10°.
#[test]
fn films_of_crossed_cylinders() {
    for angle in [90.0, 60.0, 30.0, 10.0_f64] {
        let found = film(
            "shape: Capsule(radius: 0.05, length: 4), at: (0, 0, 0.1001)",
            &format!("shape: Capsule(radius: 0.05, length: 4), rotation: ((0, 0, 1), \"{angle} deg\")"),
        );
        let c = angle.to_radians().cos();
        let theory = reynolds([0.05 / (1.0 + c), 0.05 / (1.0 - c)]);
        assert!((found / theory - 1.0).abs() < 2e-3, "{angle}°: {found} N of {theory} N");
    }
}

/// An ellipsoid over a plane, R' = a²/c and R″ = b²/c, and one ball over another.
#[test]
fn films_of_ellipsoids_and_balls() {
    for b in [0.05, 0.1, 0.2] {
        let found =
            film(&format!("shape: Ellipsoid(radii: (0.05, {b}, 0.05)), at: (0, 0, 0.0501)"), "shape: Plane(normal: (0, 0, 1))");
        let theory = reynolds([0.05, b * b / 0.05]);
        assert!((found / theory - 1.0).abs() < 2e-3, "{b} m: {found} N of {theory} N");
    }
    let found = film("shape: Sphere(radius: 0.02), at: (0, 0, 0.0701)", "shape: Sphere(radius: 0.05)");
    let r = 0.02 * 0.05 / 0.07;
    assert!((found / reynolds([r, r]) - 1.0).abs() < 2e-3, "balls: {found} N of {} N", reynolds([r, r]));
}
