//! Keys of the model file that no other test would miss: each with a number computed by hand.

use std::path::Path;

use mpcd::{Registry, StandardRegistry};
use mpcd_core::Vec3;
use mpcd_sim::{Model, Simulation};

fn built(text: &str) -> Simulation {
    let model = Model::parse_with(text, "keys", "keys.ron", Path::new(""), &[], &mpcd::shapes())
        .unwrap_or_else(|e| panic!("{e}\n{text}"));
    Simulation::build(&model, &Registry::standard()).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn close(value: f64, wanted: f64, what: &str) {
    assert!((value - wanted).abs() <= 1e-6 * wanted.abs().max(1.0), "{what}: {value} instead of {wanted}");
}

/// A disc or sphere of radius 0.1 m and mass 2 kg meets the floor with the velocity (1, −`speed`): velocity and spin after one step.
fn bounce(dimension: u32, law: &str, speed: f64) -> (Vec3, Vec3) {
    let (shape, at, velocity, normal) = if dimension == 2 {
        ("Disc(radius: 0.1)", "(0, 0.1)".to_owned(), format!("(1, {:?})", -speed), "(0, 1)")
    } else {
        ("Sphere(radius: 0.1)", "(0, 0, 0.1)".to_owned(), format!("(1, 0, {:?})", -speed), "(0, 0, 1)")
    };
    let mut simulation = built(&format!(
        r#"(dimension: {dimension}, time: (step: 1e-6, end: 1), materials: {{"m": (density: 1000)}},
        bodies: [
            (group: "ball", material: "m", shape: {shape}, mass: 2, at: {at}, velocity: {velocity}),
            (group: "floor", material: "m", shape: Plane(normal: {normal})),
        ],
        interactions: [(between: ("ball", "ball"), law: NoContact), (between: ("ball", "floor"), law: {law})],
        physics: [Contact(tolerance: 1e-12)])"#
    ));
    simulation.step().unwrap();
    simulation.step().unwrap();
    let k = simulation.world().kinematics;
    (k.velocity[0], k.angular_velocity[0])
}

/// ũ_t = u_t + e_t u_t⁻ = 0 under strong friction: the tangential impulse is −(1 + e_t) u_t⁻ m k/(1 + k), k = I/mR².
#[test]
fn tangential_restitution() {
    for (dimension, k) in [(2, 0.5), (3, 0.4)] {
        let law = "Coulomb(friction: 0.9, restitution: 0.5, tangential_restitution: 0.4)";
        let (v, spin) = bounce(dimension, law, 2.0);
        let lost = 1.4 * k / (1.0 + k);
        close(v.x, 1.0 - lost, "velocity along the floor");
        close(if dimension == 2 { v.y } else { v.z }, 1.0, "velocity off the floor");
        // the impulse acts at the lowest point: I ω = R m Δv, forwards
        close(if dimension == 2 { -spin.z } else { spin.y }, lost / (k * 0.1), "spin");
    }
}

/// Nothing is given back below the threshold, all of e above it.
#[test]
fn restitution_threshold() {
    for (speed, back) in [(0.49, 0.0), (0.51, 0.8 * 0.51)] {
        let (v, _) = bounce(2, "Coulomb(friction: 0, restitution: 0.8, restitution_threshold: 0.5)", speed);
        close(v.y, back, "velocity off the floor");
        let (v, _) = bounce(3, "Poisson(friction: 0, restitution: 0.8, restitution_threshold: 0.5)", speed);
        close(v.z, back, "velocity off the floor, Poisson");
    }
}

/// A block of 1 kg, bonded by 0.01 m² to a fixed one, pressed by 1 kN and sheared: the force on it along the bond after `steps`.
fn sheared(law: &str, gap: f64, speed: f64, steps: usize) -> (f64, f64) {
    let mut simulation = built(&format!(
        r#"(dimension: 3, time: (step: 1e-4, end: 1), materials: {{"m": (density: 1000)}},
        bodies: [
            (group: "base", material: "m", shape: Box(size: (0.1, 0.1, 0.1)), at: (0, 0, -0.05)),
            (group: "block", material: "m", shape: Box(size: (0.1, 0.1, 0.1)), mass: 1, at: (0, 0, {:?})),
        ],
        interactions: [(between: ("base", "block"), law: {law})],
        loads: [
            (on: "base", load: Fixed),
            (on: "block", load: Velocity(x: {speed:?}, y: 0, spin_x: 0, spin_y: 0, spin_z: 0)),
            (on: "block", load: Force(z: -1000)),
        ],
        physics: [Contact(tolerance: 1e-10)])"#,
        0.05 + gap
    ));
    let mut bonds = 0.0;
    for _ in 0..steps {
        let outcome = simulation.step().unwrap();
        bonds = outcome.numbers[0].1.iter().find(|(n, _)| *n == "bonds").map_or(f64::NAN, |b| b.1);
    }
    let on_block = simulation.world().network.iter().map(|c| {
        let force = c.frame.to_world(&c.r).x / 1e-4;
        if c.key.candidate.index() == 1 { force } else { -force }
    });
    (on_block.sum(), bonds)
}

/// Slip of 0.1 µm under 1e10 Pa/m on 0.01 m² is 10 N; friction 0.3 of 1,000 N adds 300 N where it stays, nothing where it grows with damage.
#[test]
fn friction_of_damage() {
    let bond = |friction: &str| {
        format!(
            "Bilinear(normal_stiffness: 1e10, tensile_strength: 1e6, energy: 1000, friction: 0.3, friction_of_damage: {friction}, area: 0.01)"
        )
    };
    // ten steps of 1e-4 s at 1e-4 m/s
    let (grows, bonds) = sheared(&bond("Grows"), 0.0, 1e-4, 10);
    assert!(bonds > 0.0, "{bonds} bonds");
    // area is that of a bond: on a face it is that of the whole face
    close(grows, -10.0, "an intact bond without friction");
    let (stays, _) = sheared(&bond("Stays"), 0.0, 1e-4, 10);
    close(stays, -310.0, "an intact bond with friction");
}

/// A gap of 10 µm is bonded where `bond_distance` says so, and only there.
#[test]
fn bond_distance() {
    for (distance, bonded) in [("5e-6", false), ("2e-5", true)] {
        let law = format!(
            "Bilinear(normal_stiffness: 1e10, tensile_strength: 1e6, energy: 1000, friction: 0.3, bond_distance: {distance})"
        );
        let (_, bonds) = sheared(&law, 1e-5, 0.0, 1);
        assert_eq!(bonds > 0.0, bonded, "{bonds} bonds within {distance} m");
    }
}

/// From rest under A sin(ωt + φ): after one step h the velocity is h/m times the mean of the force at both ends.
#[test]
fn phase_of_a_sine() {
    let mut simulation = built(
        r#"(dimension: 2, time: (step: 0.01, end: 1), materials: {"m": (density: 1000)},
        bodies: [(group: "a", material: "m", shape: Disc(radius: 0.1), mass: 2)],
        interactions: [(between: ("a", "a"), law: NoContact)],
        loads: [(on: "a", load: Force(x: Sine(offset: 1, amplitude: 3, frequency: 10, phase: 0.7)))],
        physics: [Contact()])"#,
    );
    simulation.step().unwrap();
    let force = |t: f64| 1.0 + 3.0 * (20.0 * std::f64::consts::PI * t + 0.7).sin();
    close(simulation.world().kinematics.velocity[0].x, 0.01 / 2.0 * 0.5 * (force(0.0) + force(0.01)), "velocity");
}

/// The lowest edge of a dome that springs at 60° from its axis is at (R − t/2) cos 60°, its outer one at (R + t/2) cos 60°; the edge of the eye above.
#[test]
fn springing_of_a_dome() {
    for (springing, cosine) in [("60 deg", 0.5), ("90 deg", 0.0)] {
        let simulation = built(&format!(
            r#"(dimension: 3, time: (step: 1e-4, end: 1), materials: {{"m": (density: 1000)}},
            bodies: [(group: "dome", material: "m", packing: Dome(radius: 2, thickness: 0.2, rings: 4, voussoirs: 8, springing: "{springing}", eye: "10 deg"))],
            interactions: [(between: ("dome", "dome"), law: Coulomb(friction: 0.5))],
            physics: [Contact()],
            output: (probes: [(name: "low", of: "extent", component: Z, reduce: Min, group: "dome")]))"#
        ));
        let lowest = simulation.world().kinematics.position.iter().map(|x| x.z).fold(f64::INFINITY, f64::min);
        // the centre of the lowest voussoir lies half a ring up from the springing, within its chord
        let ring = (cosine_angle(cosine) - 10_f64.to_radians()) / 4.0;
        let middle = 2.0 * (cosine_angle(cosine) - 0.5 * ring).cos();
        assert!((lowest - middle).abs() < 0.05, "springing {springing}: lowest centre at {lowest}, expected about {middle}");
    }
}

fn cosine_angle(cosine: f64) -> f64 {
    cosine.acos()
}

/// Moments of inertia carry units like any number: one about z in the plane, three in space.
#[test]
fn moments_of_inertia_carry_units() {
    let text = |dimension: u32, inertia: &str| {
        let shape = if dimension == 2 { "Box(size: (0.4, 0.1))" } else { "Box(size: (0.4, 0.1, 0.1))" };
        format!(
            r#"(dimension: {dimension}, time: (step: 1e-3, end: 1), materials: {{"m": (density: 1000)}},
        bodies: [(group: "b", material: "m", shape: {shape}, inertia: {inertia})], physics: [Contact()])"#
        )
    };
    let of = |dimension: u32, inertia: &str| built(&text(dimension, inertia)).setup().bodies.inertia[0];
    assert!((of(2, "\"200 kg cm^2\"").z - 0.02).abs() < 1e-15 && (of(2, "0.02").z - 0.02).abs() < 1e-15);
    assert!((of(3, "(\"10 g m^2\", \"200 kg cm^2\", 0.02)") - Vec3::new(0.01, 0.02, 0.02)).norm() < 1e-15);
    for (dimension, inertia, words) in [
        (2, "\"0.02 kg m\"", "expected a quantity in kg m², found `0.02 kg m`"),
        (3, "(0.01, 0.02)", "write `(x, y, z)`, the moments about the principal axes"),
        (3, "(0.01, 0.02, -1)", "a moment of inertia must be above zero"),
        (2, "(0.01, 0.02, 0.02)", "write one number, the moment about z"),
    ] {
        let said = Model::parse_with(&text(dimension, inertia), "keys", "keys.ron", Path::new(""), &[], &mpcd::shapes());
        let said = format!("{:?}", said.map(|_| ()).unwrap_err());
        assert!(said.contains(words), "{inertia}: {said}");
    }
}

/// What a material says for a module that the model does not have is checked all the same: it went unread.
#[test]
fn material_parts_that_no_module_reads_are_checked() {
    for (part, words) in [
        ("elastic: (young: -1, poisson: 0.3)", "young"),
        ("elastic: (young: 1e9, poisson: 1.6)", "poisson"),
        ("elastic: (yung: 3)", "yung"),
        ("elastic: (young: \"3 kg\", poisson: 0.3)", "kg"),
        ("thermal: (conducty: 4)", "conducty"),
        ("thermal: \"x\"", "x"),
        ("electrical: (conductivity: -1)", "conductivity"),
    ] {
        let text = format!(
            r#"(dimension: 2, time: (step: 1e-3, end: 1), materials: {{"m": (density: 1000, {part})}},
            bodies: [(group: "a", material: "m", shape: Disc(radius: 0.1))], interactions: [(between: ("a", "a"), law: Coulomb(friction: 0.3))], physics: [Contact()])"#
        );
        let model = Model::parse_with(&text, "keys", "keys.ron", Path::new("."), &[], &mpcd::shapes()).unwrap();
        let error = Simulation::build(&model, &Registry::standard()).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(words), "{part}: {error}");
    }
}
