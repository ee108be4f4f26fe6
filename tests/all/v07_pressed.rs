//! VALIDATION §7, packings of equal spheres pressed from all sides in a periodic cell, three seeds. d = ρ = 1, the pressure is 1: times are in
//! d √(ρ/p), and the inverse of the cell's viscosity is the inertial number of the pressing.

use mpcd_core::Vec3;
use mpcd_sim::Simulation;

use crate::granular::{build, column, steps};

/// Spheres along an edge of the lattice from which the fluid melts.
const EDGE: usize = 8;
/// Solid fraction of the fluid.
const FLUID: f64 = 0.45;

/// A model of spheres at these places with these velocities in a cubic cell; `cell` is what moves it.
fn model(places: &[(Vec3, Vec3)], length: f64, cell: &str, step: f64, law: &str) -> Simulation {
    let body = |(x, v): &(Vec3, Vec3)| {
        let at = format!("at: ({:?}, {:?}, {:?}), velocity: ({:?}, {:?}, {:?})", x.x, x.y, x.z, v.x, v.y, v.z);
        format!(r#"(group: "grains", material: "m", shape: Sphere(radius: 0.5), {at})"#)
    };
    let bodies: Vec<String> = places.iter().map(body).collect();
    build(
        &format!(
            r#"(dimension: 3, periodic: (x: {length}, y: {length}, z: {length}{cell}),
            time: (step: {step}, end: 1000, on_failure: Continue), materials: {{"m": (density: 1)}},
            bodies: [{}], interactions: [(between: ("grains", "grains"), law: {law})],
            // Elastic blows of the fluid are found up to the way of a step too late, 5 % of a sphere: said and gone on with.
            physics: [Contact(tolerance: 1e-4, max_iterations: 2000, watch: (overlap: Warn))],
            output: (probes: [
              (name: "z", of: "coordination_without_rattlers", group: "grains"),
              (name: "rattlers", of: "rattlers", group: "grains"),
            ]))"#,
            bodies.join(",\n")
        ),
        &[],
    )
}

/// A fluid of hard spheres: they leave a lattice with random velocities and collide elastically about a hundred times each.
fn fluid(seed: u64) -> (Vec<(Vec3, Vec3)>, f64) {
    let count = EDGE.pow(3);
    let length = (count as f64 * std::f64::consts::PI / 6.0 / FLUID).cbrt();
    let mut state = seed;
    let mut uniform = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
    };
    let spacing = length / EDGE as f64;
    let lattice: Vec<(Vec3, Vec3)> = (0..count)
        .map(|k| {
            let place = Vec3::new((k % EDGE) as f64, (k / EDGE % EDGE) as f64, (k / (EDGE * EDGE)) as f64);
            (place * spacing, Vec3::new(uniform(), uniform(), uniform()) * 1.7)
        })
        .collect();
    let mut run = model(&lattice, length, "", 0.02, "Coulomb(friction: 0, restitution: 1)");
    steps(&mut run, 1000);
    let positions = &run.world().kinematics.position;
    let moved = positions.iter().zip(&lattice).map(|(x, (start, _))| (x - start).norm()).sum::<f64>() / count as f64;
    assert!(moved > 1.0, "the lattice has not melted: {moved}");
    (positions.iter().map(|x| (*x, Vec3::zeros())).collect(), length)
}

/// Solid fraction, contacts per sphere without rattlers, part of rattlers, of a fluid pressed until it rests.
fn pressed(friction: f64, viscosity: f64, count: u64, seed: u64) -> [f64; 3] {
    let (places, length) = fluid(seed);
    let cell = format!(", stress: (x: 1, y: 1, z: 1), viscosity: {viscosity}");
    let mut run = model(&places, length, &cell, 0.05, &format!("Coulomb(friction: {friction}, contact: GapUnclipped)"));
    let mut stress = [0.0; 3];
    let mut last = steps(&mut run, count);
    let of_last = 50;
    for _ in 0..of_last {
        last = steps(&mut run, 1);
        for (sum, name) in stress.iter_mut().zip(["cell_stress_x", "cell_stress_y", "cell_stress_z"]) {
            *sum += column(&run, &last, name).unwrap() / f64::from(of_last);
        }
    }
    assert!(stress.iter().all(|s| (s - 1.0).abs() < 0.01), "the contacts carry {stress:?}, wanted is 1 along each axis");
    let volume: f64 = run.world().kinematics.cell.lengths.iter().flatten().product();
    let phi = places.len() as f64 * std::f64::consts::PI / 6.0 / volume;
    [phi, column(&run, &last, "z").unwrap(), column(&run, &last, "rattlers").unwrap()]
}

/// Means over three seeds, and what each gave.
fn means(friction: f64, viscosity: f64, count: u64) -> ([f64; 3], [[f64; 3]; 3]) {
    let found = [1, 2, 3].map(|seed| pressed(friction, viscosity, count, seed));
    ([0, 1, 2].map(|k| found.iter().map(|f| f[k]).sum::<f64>() / 3.0), found)
}

/// Without friction: Φ ≈ 0.639, z ≈ 6 (Agnolin and Roux). Isostatic: a few contacts fewer than 6 where not all has come to rest.
#[test]
#[ignore = "three packings of 512 spheres, 1,000 steps of the fluid and 2,400 to 3,000 of pressing each: too long for the suite. Run with --include-ignored; the values are of an acceptance without violations and were not repeated since"]
fn v07_pressed_packings_without_friction() {
    let ([phi, z, rattlers], found) = means(0.0, 50.0, 3000);
    assert!((phi - 0.639).abs() < 0.01, "Φ = {phi}: {found:?}");
    assert!((5.8..6.1).contains(&z), "z = {z}: {found:?}");
    assert!(rattlers < 0.04, "rattlers {rattlers}: {found:?}");
}

/// Assembled with friction 0.3: Φ ≈ 0.593, z ≈ 4.5 (Agnolin and Roux).
#[test]
#[ignore = "three packings of 512 spheres, 1,000 steps of the fluid and 2,400 to 3,000 of pressing each: too long for the suite. Run with --include-ignored; the values are of an acceptance without violations and were not repeated since"]
fn v07_pressed_packings_with_friction() {
    let ([phi, z, rattlers], found) = means(0.3, 200.0, 2400);
    assert!((phi - 0.593).abs() < 0.02, "Φ = {phi}: {found:?}");
    assert!((4.4..4.8).contains(&z), "z = {z}: {found:?}");
    assert!((0.05..0.15).contains(&rattlers), "rattlers {rattlers}: {found:?}");
}
