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

/// A plate of 5 mm sinks on a film in the plane, under its load F: 1/g² − 1/g₀² = 2 F t/(η L b³), a long strip of the width b (Reynolds), whatever its thickness L. With the law of a disc of the
/// same area it sank as its thickness squared said.
#[test]
fn a_plate_of_the_plane_sinks_as_a_strip() {
    for deep in [1.0, 0.05] {
        let (b, g0, eta, force, time) = (5e-3_f64, 1e-4_f64, 0.5, 0.2 * deep, 0.1);
        let mut run = build(
            &format!(
                r#"(dimension: 2, time: (step: 1e-3, end: {time}), materials: {{"m": (density: 1000)}},
  bodies: [(group: "a", material: "m", shape: Box(size: ({b}, 2e-3), thickness: {deep}), mass: {}, at: (0, {})), (group: "f", material: "m", shape: Plane(normal: (0, 1)))],
  interactions: [(between: ("a", "f"), law: Lubrication(viscosity: {eta}, roughness: "0.01 µm", range: "1 mm", friction: 0))],
  loads: [(on: "a", load: Force(y: {}))], physics: [Contact(tolerance: 1e-10)],
  output: (probes: [(name: "y", of: "position", component: Y, group: "a")]))"#,
                1e-6 * deep,
                1e-3 + g0,
                -force
            ),
            &[],
        );
        let last = steps(&mut run, 100);
        let gap = column(&run, &last, "y").unwrap() - 1e-3;
        let theory = (1.0 / (g0 * g0) + 2.0 * force * time / (eta * deep * b * b * b)).powf(-0.5);
        assert!((gap / theory - 1.0).abs() < 2e-3, "{deep} m: {gap} m of {theory} m");
    }
}

/// A body that is pulled off the roughness through its film by a force F: g = F t/λ(roughness) while it is below the roughness, however short the steps are.
#[test]
fn a_body_comes_off_its_film() {
    for (step, count) in [(1e-2, 20), (1e-3, 200), (1e-4, 2000)] {
        let (force, eta, rough, side) = (0.05, 1.0, 1e-5_f64, 2e-3_f64);
        let mut run = build(
            &format!(
                r#"(dimension: 3, time: (step: {step}, end: 1), materials: {{"m": (density: 1000)}},
  bodies: [(group: "a", material: "m", shape: Box(size: ({side}, {side}, {side})), mass: 1, at: (0, 0, {})), (group: "f", material: "m", shape: Plane(normal: (0, 0, 1)))],
  interactions: [(between: ("a", "f"), law: Lubrication(viscosity: {eta}, roughness: {rough}, range: "1 mm", friction: 0))],
  loads: [(on: "a", load: Force(z: {force}))], physics: [Contact()],
  output: (probes: [(name: "z", of: "position", component: Z, group: "a")]))"#,
                0.5 * side
            ),
            &[],
        );
        let last = steps(&mut run, count);
        let gap = column(&run, &last, "z").unwrap() - 0.5 * side;
        let theory = force * step * count as f64 * 2.0 * PI * rough.powi(3) / (3.0 * eta * side.powi(4));
        assert!((gap / theory - 1.0).abs() < 0.05, "{step} s: {gap} m of {theory} m");
    }
}

/// A disc goes round in a hollow one, V²/(R − r) its load on the film: the gap is that of the equation of motion, whatever the arc of a step opens. Computed once by small steps of
/// m g̈ = m V²/(R − r) − λ(g) ġ.
#[test]
fn a_film_bears_what_goes_round_in_a_hollow() {
    let (g0, speed, mass, eta) = (1e-4_f64, 0.5_f64, 0.1, 1.0);
    let (ring, disc) = (0.011 + g0, 0.01);
    // the film of a disc in a hollow, 1/R* = 1/r − 1/(r + c)
    let reduced = disc * ring / (ring - disc);
    let lambda = |g: f64| 3.0 * 2.0_f64.sqrt() * PI * eta * (reduced / g).powf(1.5);
    let (mut g, mut rate, dt) = (g0, 0.0, 1e-7);
    for _ in 0..50_000 {
        let arm = ring - disc - g;
        rate = (rate - dt * speed * speed / arm) / (1.0 + dt * lambda(g) / mass);
        g += dt * rate;
    }
    let mut run = build(
        &format!(
            r#"(dimension: 2, time: (step: 1e-4, end: 5e-3), materials: {{"m": (density: 1000)}},
  bodies: [(group: "a", material: "m", shape: Disc(radius: {disc}, thickness: 1), mass: {mass}, at: (0, {}), velocity: ({speed}, 0)),
    (group: "f", material: "m", shape: HollowDisc(radius: {ring}, wall: 0.01, thickness: 1))],
  interactions: [(between: ("a", "f"), law: Lubrication(viscosity: {eta}, roughness: "0.01 µm", range: "1 mm", friction: 0))],
  loads: [(on: "f", load: Fixed)], physics: [Contact(tolerance: 1e-10)],
  output: (probes: [(name: "x", of: "position", component: X, group: "a"), (name: "y", of: "position", component: Y, group: "a")]))"#,
            -(ring - disc - g0)
        ),
        &[],
    );
    let last = steps(&mut run, 50);
    let [x, y] = ["x", "y"].map(|name| column(&run, &last, name).unwrap());
    let gap = ring - disc - x.hypot(y);
    assert!((gap / g - 1.0).abs() < 0.02, "{gap} m of {g} m");
}
