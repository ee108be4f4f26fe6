//! What lies on a turntable under a smooth law: surfaces that turn together do not slide, and what slides is of the order of the integrator.

use crate::granular::{build, column};

const SPEED: f64 = 2.0;
const RADIUS: f64 = 0.15;
const STIFFNESS: f64 = 1e4;

/// Where a block of 0.5 kg, 10 cm wide and 5 cm high, is after `end` seconds on a table of two triangles that turns at 2 rad/s.
fn block(integrator: &str, h: f64, end: f64) -> [f64; 2] {
    let depth = 0.5 * 9.81 / (4.0 * STIFFNESS);
    let text = format!(
        r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: {h:?}, end: {end:?}), materials: {{"m": (density: 1000), "r": (density: 2500)}},
  bodies: [(group: "b", material: "m", shape: Box(size: (0.1, 0.1, 0.05)), at: (0, {RADIUS}, {}), velocity: ({}, 0, 0), spin: (0, 0, {SPEED})),
           (group: "s", material: "r", shape: Surface(vertices: [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], triangles: [(0, 1, 2), (0, 2, 3)]))],
  interactions: [(between: ("b", "s"), law: Hooke(stiffness: {STIFFNESS}, friction: 0.8, restitution: 0.3))],
  loads: [(on: "s", load: Velocity(x: 0, y: 0, z: 0, spin_x: 0, spin_y: 0, spin_z: {SPEED}))],
  physics: [SmoothContact(substeps: 1, integrator: {integrator})],
  output: (probes: [(name: "x", of: "position", component: X, group: "b"), (name: "y", of: "position", component: Y, group: "b")]))"#,
        0.025 - depth,
        -SPEED * RADIUS,
    );
    let mut run = build(&text, &[]);
    let mut out = [0.0; 2];
    while !run.finished() {
        let step = run.step().unwrap_or_else(|e| panic!("{integrator}, {h}: {e}"));
        out = ["x", "y"].map(|name| column(&run, &step, name).unwrap());
    }
    out
}

/// Four corners of 10 kN/m hold it by 0.8 of that along the table: m ω² r = 0.3 N stretch them by 9.375 µm, and lean it by 0.3 N · 25 mm/(4 · 10 kN/m · (50 mm)²) = 75 µrad, by which its
/// middle, 25 mm up, is another 1.875 µm farther out. There it stays: it came in by ½ h ω² r a second, 0.15 mm at 0.5 ms.
#[test]
fn a_block_rests_on_a_turntable() {
    let carried = 0.5 * SPEED * SPEED * (1.0 / (4.0 * 0.8 * STIFFNESS) + 0.025 * 0.025 / (4.0 * STIFFNESS * 0.05 * 0.05));
    let expected = RADIUS / (1.0 - carried);
    // The dashpots of the time-centred scheme are of first order in the first swings, in which the springs slide a little.
    for (integrator, h, near) in
        [("Verlet", 5e-4, 1e-8), ("TimeCentred", 5e-4, 1e-6), ("Gear", 1.25e-4, 1e-8), ("Implicit()", 2e-3, 1e-8)]
    {
        let radius = |end: f64| {
            let [x, y] = block(integrator, h, end);
            x.hypot(y)
        };
        let (middle, end) = (radius(0.6), radius(1.6));
        assert!((end - expected).abs() < near, "{integrator}: {end} m, expected {expected}");
        assert!((end - middle).abs() < 1e-11, "{integrator}: {:e} m/s", end - middle);
    }
}

/// Of steps half as long the differences are a quarter, while it swings into its place.
#[test]
fn sliding_on_a_turntable_is_of_second_order() {
    for integrator in ["Verlet", "Implicit()"] {
        let ends: Vec<[f64; 2]> = [4e-4, 2e-4, 1e-4].iter().map(|h| block(integrator, *h, 0.04)).collect();
        let apart = |k: usize| (ends[k][0] - ends[k + 1][0]).hypot(ends[k][1] - ends[k + 1][1]);
        let order = (apart(0) / apart(1)).log2();
        assert!((1.9..2.1).contains(&order), "{integrator}: order {order}");
    }
}

/// Two free balls that strike aslant and turn each other: the angular momentum about any point stays to rounding, and energy closes.
#[test]
fn free_balls_that_rub_keep_their_angular_momentum() {
    let names = |group: &str| {
        [
            ("x", "position", "X"),
            ("y", "position", "Y"),
            ("u", "velocity", "X"),
            ("v", "velocity", "Y"),
            ("w", "angular_velocity", "Z"),
        ]
        .map(|(name, of, c)| {
            (format!("{name}{group}"), format!(r#"(name: "{name}{group}", of: "{of}", component: {c}, group: "{group}"),"#))
        })
    };
    let all = [names("a"), names("b")];
    let probes: String = all.iter().flatten().map(|(_, probe)| probe.as_str()).collect();
    for integrator in ["Verlet", "TimeCentred"] {
        let text = format!(
            r#"(dimension: 3, time: (step: 1e-4, end: 0.05), materials: {{"m": (density: 1000)}},
  bodies: [(group: "a", material: "m", mass: 1, shape: Sphere(radius: 0.05), at: (0.2, 0.1, 0), velocity: (0.5, 0.3, 0), spin: (0, 0, 12)),
           (group: "b", material: "m", mass: 1, shape: Sphere(radius: 0.05), at: (0.301, 0.12, 0), velocity: (-0.6, 0.1, 0), spin: (0, 0, -3))],
  interactions: [(between: ("a", "b"), law: Hooke(stiffness: 1e4, friction: 0.4, restitution: 0.6))], loads: [],
  physics: [SmoothContact(integrator: {integrator})], output: (probes: [{probes}]))"#
        );
        let mut run = build(&text, &[]);
        let mut seen: Vec<[f64; 2]> = Vec::new();
        while !run.finished() {
            let step = run.step().unwrap_or_else(|e| panic!("{integrator}: {e}"));
            let of = |group: &[(String, String); 5]| {
                let [x, y, u, v, w] = [0, 1, 2, 3, 4].map(|k| column(&run, &step, &group[k].0).unwrap());
                x * v - y * u + 0.4 * 0.05 * 0.05 * w
            };
            seen.push([of(&all[0]) + of(&all[1]), column(&run, &step, "book_energy").unwrap()]);
        }
        let first = seen[0][0];
        let spin = |s: &[f64; 2]| (s[0] - first).abs();
        assert!(seen.iter().map(spin).fold(0.0, f64::max) < 1e-13, "{integrator}");
        assert!(seen.iter().map(|s| s[1].abs()).fold(0.0, f64::max) < 1e-10, "{integrator}");
    }
}
