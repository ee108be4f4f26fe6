//! What a step accepts and what it refuses: weights under heavy bodies, samples between rigid walls, bodies that are pinched.

use mpcd_sim::Simulation;

use crate::granular::{build, column, steps};

const G: f64 = 9.81;

/// `count` boxes of 1 kg, the one at `place` of `heavy` (kg).
fn tower(count: usize, place: usize, heavy: f64) -> Simulation {
    let bodies: String = (0..count)
        .map(|k| {
            let (z, mass) = (0.05 + 0.1 * k as f64, if k == place { heavy } else { 1.0 });
            format!(r#"(group: "s", material: "m", shape: Box(size: (0.2, 0.2, 0.1)), at: (0, 0, {z}), mass: {mass}),"#)
        })
        .collect();
    let text = format!(
        r#"(dimension: 3, gravity: (0, 0, -{G}), time: (step: 1e-3, end: 1), materials: {{"m": (density: 1000)}},
        bodies: [{bodies} (group: "f", material: "m", shape: Plane(normal: (0, 0, 1)))],
        interactions: [(between: ("s", "s"), law: Coulomb(friction: 0.5)), (between: ("s", "f"), law: Coulomb(friction: 0.5))],
        physics: [Contact()],
        output: (probes: [(name: "R", of: "resultant", component: Z, group: "f")]))"#
    );
    build(&text, &[])
}

/// Boxes under a heavy one, over it and about it: with the defaults the floor carries the weight within 0.1 % in every step. A step may miss ε of the forces, at most
/// `acceptance::FORCE` tolerances, and makes good what the step before missed: ε⁺ − ε⁻ is up to twice that. Over n steps misses do not add up: the mean is wrong by no more over n.
#[test]
fn case_tower() {
    let towers = [
        (51, 50, 1e3),
        (21, 20, 1e6),
        (21, 10, 1e6),
        (21, 0, 1e4),
        (2, 1, 1e5),
        (3, 2, 1e4),
        (12, 11, 1e6),
        (25, 0, 1.0),
        (25, 24, 1e5),
    ];
    for (count, place, heavy) in towers {
        let mut run = tower(count, place, heavy);
        let weight = (heavy + count as f64 - 1.0) * G;
        let mut sum = 0.0;
        for _ in 0..20 {
            let outcome = steps(&mut run, 1);
            let force = column(&run, &outcome, "R").unwrap().abs();
            sum += force / weight - 1.0;
            assert!((force / weight - 1.0).abs() < 1e-3, "{heavy} kg at {place}: {force} of {weight} at {} s", run.time());
        }
        assert!(
            (sum / 20.0).abs() < 1e-3 / 20.0,
            "{heavy} kg at {place} of {count}: the mean force is wrong by {:e}",
            sum / 20.0
        );
    }
}

/// A sample pressed between rigid walls without friction runs on with the defaults, through steps where sweeps jam: the stress along x over the
/// height is the force that presses (two walls, 20 kN). While the walls still move single steps differ by 5 % (standard deviation, with any tolerance);
/// the mean of forty is within 2 %. All 5,000 steps of it: docs/verification.md.
#[test]
fn case_biaxial_rigid_walls() {
    let text = r#"(dimension: 2, time: (step: "0.2 ms", end: "1 s"),
      materials: {"sand": (density: 2600), "steel": (density: 7800)},
      bodies: [
        (group: "grains", material: "sand", as: Disc(thickness: "1 m"),
         packing: Grow(from: (0, 0), to: (0.2, 0.4), sizes: Uniform(min: "4 mm", max: "6 mm"), fraction: "75 %")),
        (group: "bottom", material: "steel", shape: Plane(normal: (0, 1))),
        (group: "top",    material: "steel", shape: Plane(normal: (0, -1)), at: (0, 0.4), mass: "50 kg"),
        (group: "left",   material: "steel", shape: Plane(normal: (1, 0)),  at: (0, 0), mass: "50 kg"),
        (group: "right",  material: "steel", shape: Plane(normal: (-1, 0)), at: (0.2, 0), mass: "50 kg"),
      ],
      interactions: [
        (between: ("grains", "grains"), law: Coulomb(friction: 0.5)),
        (between: ("grains", "bottom"), law: Coulomb(friction: 0)), (between: ("grains", "top"), law: Coulomb(friction: 0)),
        (between: ("grains", "left"), law: Coulomb(friction: 0)), (between: ("grains", "right"), law: Coulomb(friction: 0)),
        (between: ("bottom", "top"), law: NoContact), (between: ("bottom", "left"), law: NoContact), (between: ("bottom", "right"), law: NoContact),
        (between: ("top", "left"), law: NoContact), (between: ("top", "right"), law: NoContact), (between: ("left", "right"), law: NoContact),
      ],
      loads: [
        (on: "left", load: Locked(axes: [Y, SpinZ])), (on: "right", load: Locked(axes: [Y, SpinZ])), (on: "top", load: Locked(axes: [X, SpinZ])),
        (on: "left", load: Force(x: 20000)), (on: "right", load: Force(x: -20000)), (on: "top", load: Force(y: -10000)),
      ],
      physics: [Contact()],
      output: (probes: [(name: "sxx", of: "stress", component: XX, group: "grains"), (name: "H", of: "position", component: Y, group: "top")]))"#;
    let mut run = build(text, &[]);
    steps(&mut run, 100);
    let forces = (0..40).map(|_| {
        let outcome = steps(&mut run, 1);
        column(&run, &outcome, "sxx").unwrap() * column(&run, &outcome, "H").unwrap()
    });
    let force = forces.sum::<f64>() / 40.0;
    assert!((force / 20_000.0 - 1.0).abs() < 0.02, "{force} N at {} s", run.time());
}

/// The words of a refusal, which are the same whatever follows a failure; no shorter step is tried.
fn refusal(text: &str) -> String {
    let words = |sets: &[&str]| {
        let mut run = build(text, sets);
        for _ in 0..50 {
            if let Err(error) = run.step() {
                assert_eq!(run.counters().rejected, 0, "a shorter step was tried");
                return error.to_string();
            }
        }
        panic!("50 steps were accepted");
    };
    let said = words(&[]);
    for policy in ["Stop", "Continue", "Halve(6)"] {
        assert_eq!(said, words(&[&format!("time.on_failure={policy}")]), "{policy}");
    }
    said
}

/// A block between a floor and a box that is driven down is refused at once, whatever `on_failure` says, and the words say who is pinched.
#[test]
fn case_pinched() {
    let said = refusal(
        r#"(dimension: 2, gravity: (0, -9.81), time: (step: "1 ms", end: "0.2 s"), materials: {"s": (density: 2600)},
        bodies: [
          (group: "block", material: "s", shape: Box(size: (0.1, 0.1)), at: (0, 0.05)),
          (group: "press", material: "s", shape: Box(size: (0.3, 0.1)), at: (0, 0.15)),
          (group: "floor", material: "s", shape: Plane(normal: (0, 1))),
        ],
        interactions: [
          (between: ("block", "floor"), law: Coulomb(friction: 0.3)), (between: ("block", "press"), law: Coulomb(friction: 0.3)),
          (between: ("press", "floor"), law: Coulomb(friction: 0.3)),
        ],
        loads: [(on: "press", load: Velocity(x: 0, y: -0.2, spin_z: 0))],
        physics: [Contact()])"#,
    );
    let expected = "step 1 (t = 0 s): module `Contact` cannot go on: no motion meets the contact conditions: body 0 (group \"block\") is \
                    pinched between body 1 (group \"press\") (driven) and body 2 (group \"floor\") (fixed); the contacts close at 2.000e-1 m/s \
                    together whatever the forces. Give one of these contacts a law that yields, such as `Elastic`, or drive it by a force \
                    instead of a velocity";
    assert_eq!(said, expected);
}

/// A disc on one 10⁻¹⁴ times as heavy: all digits take the lower for a wall. It is refused, and the words say that the masses are why; 10⁻⁴ times as heavy it bears.
#[test]
fn masses_too_far_apart_are_said_to_be() {
    let pile = |mass: f64| {
        format!(
            r#"(dimension: 2, gravity: (0, -9.81), time: (step: "1 ms", end: "0.1 s"), materials: {{"m": (density: 1000)}},
            bodies: [(group: "a", material: "m", shape: Disc(radius: 0.05), at: (0, 0.05), mass: {mass:e}),
                     (group: "b", material: "m", shape: Disc(radius: 0.05), at: (0, 0.15), mass: 1),
                     (group: "f", material: "m", shape: Plane(normal: (0, 1)))],
            interactions: [(between: ("a", "b"), law: Coulomb(friction: 0.5)), (between: ("a", "f"), law: Coulomb(friction: 0.5)),
                           (between: ("b", "f"), law: Coulomb(friction: 0.5))],
            loads: [(on: "f", load: Fixed)], physics: [Contact()])"#
        )
    };
    let said = refusal(&pile(1e-14));
    assert!(said.contains("make their masses less different: 1e14 times as heavy"), "{said}");
    let mut run = build(&pile(1e-4), &[]);
    steps(&mut run, 5);
    assert!(run.world().kinematics.velocity[1].norm() < 1e-5, "{:?}", run.world().kinematics.velocity[1]);
}

/// A sphere that heat swells between two fixed planes: refused, and the words say that surfaces grow. Each of the two contacts closes at
/// r α dT/dt = 6e-5 m/s; with equal shares whose squares add up to 1 that is √2 times as much together.
#[test]
fn case_pinched_by_its_own_growth() {
    let said = refusal(
        r#"(dimension: 3, time: (step: "1 ms", end: "0.1 s", theta: 1),
        materials: {"steel": (density: 7800, elastic: (young: 210e9, poisson: 0.3),
          thermal: (conductivity: 50, specific_heat: 500, expansion: 1.2e-5))},
        bodies: [
          (group: "plate", material: "steel", shape: Plane(normal: (0, 0, 1))),
          (group: "ball", material: "steel", shape: Sphere(radius: 5e-3), at: (0, 0, 5e-3)),
          (group: "lid", material: "steel", shape: Plane(normal: (0, 0, -1)), at: (0, 0, 10e-3)),
        ],
        interactions: [
          (between: ("ball", "plate"), law: Coulomb(friction: 0.3)), (between: ("ball", "lid"), law: Coulomb(friction: 0.3)),
          (between: ("plate", "lid"), law: NoContact),
        ],
        physics: [Contact(), Thermal(law: Hertz, temperature: 293.15, boundary: [
          Temperature(group: "plate", value: 293.15), Temperature(group: "lid", value: 293.15),
          Temperature(group: "ball", value: Ramp(from: 293.15, to: 393.15, end: 0.1)),
        ])])"#,
    );
    for words in [
        "no motion meets the contact conditions: body 1 (group \"ball\") is pinched between body 0 (group \"plate\") (fixed) and body 2 \
         (group \"lid\") (fixed), and surfaces grow",
        "close at 8.48",
        "such as `Elastic`, or load a wall by a force instead of fixing it",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
}
