//! Bonds of bodies that turn where something changes: the length of the steps, or the points that touch as round bodies roll on each other; and bonds far stronger than anything. What they bear is
//! m ω² r all the same. Steady turning is in `turning_bonds`.

use mpcd_sim::Simulation;

use crate::granular::{build, column, steps};

const RIGID: [&str; 2] = [
    "MohrCoulomb(friction: 0, cohesion: 1e7, tensile_strength: 1e7, area: 1e-3)",
    "Extrinsic(friction: 0, strength: 1e7, energy: 1e3, area: 1e-3)",
];

/// A body in flight that goes round the origin: group, shape, mass (kg), place along x (m), rate of going round and of turning (rad/s).
fn round((planar, group, shape): (bool, &str, &str), (mass, x): (f64, f64), (rate, spin): (f64, f64)) -> String {
    let y = rate * x;
    if planar {
        format!(
            r#"(group: "{group}", material: "m", shape: {shape}, mass: {mass}, at: ({x}, 0), velocity: (1, {y}), spin: {spin}),"#
        )
    } else {
        format!(
            r#"(group: "{group}", material: "m", shape: {shape}, mass: {mass}, at: ({x}, 0, 0), velocity: (1, {y}, 0), spin: (0, 0, {spin})),"#
        )
    }
}

fn pair(planar: bool, bodies: &str, law: &str, (step, end): (f64, f64)) -> Simulation {
    let dimension = if planar { 2 } else { 3 };
    build(
        &format!(
            r#"(dimension: {dimension}, time: (step: {step}, end: {end}), materials: {{"m": (density: 1000)}}, bodies: [{bodies}],
  interactions: [(between: ("a", "b"), law: {law})], physics: [Contact(tolerance: 1e-11)],
  output: (probes: [(name: "f", of: "resultant", component: Norm, group: "a"), (name: "d", of: "damage", reduce: Max)]))"#
        ),
        &[],
    )
}

/// Two bodies of 1 kg at 0.05 m from the middle at 10 rad/s, in steps in which they turn by a tenth and by a twentieth, and a last step that is 64 and 4,000 times shorter: 5 N. What the long steps had left open, of third order
/// in their angle, was closed in the short one: by 18 to 4,400 N.
#[test]
fn a_step_that_is_cut_does_not_kick_what_turns() {
    let shapes = [
        (true, "Disc(radius: 0.05)"),
        (true, "Box(size: (0.1, 0.1))"),
        (false, "Sphere(radius: 0.05)"),
        (false, "Box(size: (0.1, 0.1, 0.1))"),
        (false, "Capsule(radius: 0.05, length: 0.05)"),
    ];
    for (planar, shape) in shapes {
        for law in RIGID {
            for (step, part) in [(1e-2, 64.0), (1e-2, 4096.0), (5e-3, 4096.0)] {
                let bodies = [("a", -0.05), ("b", 0.05)].map(|(g, x)| round((planar, g, shape), (1.0, x), (10.0, 10.0))).concat();
                let mut run = pair(planar, &bodies, law, (step, 0.1 + step / part));
                while !run.finished() {
                    let done = run.step().unwrap_or_else(|e| panic!("{shape}, {law}: {e}"));
                    let force = column(&run, &done, "f").unwrap();
                    assert!((force - 5.0).abs() < 0.05, "{shape}, {law}, {step} s, {part}: {force} N at {} s", run.time());
                    assert_eq!(column(&run, &done, "d"), Some(0.0));
                }
            }
        }
    }
}

/// Discs and balls that roll on each other under a bond in a point while the line of their centres turns at Ω = 10 rad/s: R_a ω_a + R_b ω_b = d Ω, and the bond bears m* Ω² d. It was judged by the points of the
/// surfaces, which turn faster: 15 N for 5 in the first step, at any step, and the pair came to overlap by ½h²δ²R* in each.
#[test]
fn what_rolls_under_a_bond_is_pulled_by_the_turn_of_its_line() {
    for planar in [true, false] {
        for law in [
            RIGID[0],
            RIGID[1],
            "Bilinear(friction: 0, tensile_strength: 1e7, energy: 1e4, normal_stiffness: 1e11, tangential_stiffness: 1e11, area: 1e-3)",
        ] {
            for (ra, rb, ma, mb, spin) in
                [(0.05, 0.05, 1.0, 1.0, 30.0), (0.05, 0.02, 1.0, 0.1, 40.0), (0.01, 0.09, 0.01, 3.0, -60.0)]
            {
                for step in [1e-3, 1e-4] {
                    let (d, rate): (f64, f64) = (ra + rb, 10.0);
                    let other = (d * rate - ra * spin) / rb;
                    let shape = |r: f64| format!("{}(radius: {r})", if planar { "Disc" } else { "Sphere" });
                    let bodies = round((planar, "a", &shape(ra)), (ma, -d * mb / (ma + mb)), (rate, spin))
                        + &round((planar, "b", &shape(rb)), (mb, d * ma / (ma + mb)), (rate, other));
                    let mut run = pair(planar, &bodies, law, (step, 300.0 * step));
                    let want = ma * mb / (ma + mb) * rate * rate * d;
                    let (mut sum, mut count) = (0.0, 0.0);
                    while !run.finished() {
                        let done = run.step().unwrap_or_else(|e| panic!("{law}: {e}"));
                        let force = column(&run, &done, "f").unwrap() / want;
                        (sum, count) = (sum + force, count + 1.0);
                        // a spring swings about its force
                        let near = if law.starts_with("Bilinear") { 1.1 } else { 0.01 };
                        assert!((force - 1.0).abs() < near, "{law}, {ra} and {rb} m, {step} s: {force} of {want} N");
                    }
                    let (force, at) = (sum / count, &run.world().kinematics.position);
                    assert!((force - 1.0).abs() < 0.02, "{law}, {ra} and {rb} m, {step} s: {force} of {want} N in the mean");
                    let apart = (at[0] - at[1]).norm() / d - 1.0;
                    assert!(apart.abs() < 2e-5, "{law}, {ra} and {rb} m, {step} s: {apart} of {d} m");
                }
            }
        }
    }
}

/// Two boxes flush at t = 0 that turn by 0.2 in the first step are bonded, however near that must be; the normal of the contact configuration is not that of the start.
#[test]
fn what_touches_as_a_run_begins_is_bonded_however_fast_it_turns() {
    for (planar, shape) in [(true, "Box(size: (0.1, 0.1))"), (false, "Box(size: (0.1, 0.1, 0.1))")] {
        let bodies = [("a", -0.05), ("b", 0.05)].map(|(g, x)| round((planar, g, shape), (1.0, x), (10.0, 10.0))).concat();
        let law = "MohrCoulomb(friction: 0, cohesion: 1e7, tensile_strength: 1e7, bond_distance: 1e-6)";
        let mut run = pair(planar, &bodies, law, (2e-2, 1.0));
        let done = steps(&mut run, 1);
        let force = column(&run, &done, "f").unwrap();
        assert!((force - 5.0).abs() < 0.05, "{force} N");
    }
}

/// A box of 1 kg hangs on another by bonds of any strength, and 5 N draw it aside: it bears 9.81 and 5 N. What bonds could bear was what impulses were written from: of 10¹⁴ Pa 9.78 N were left, of 10¹⁸ Pa
/// 550 N, of 10²² Pa none.
#[test]
fn bonds_beyond_all_measure_bear_what_loads_them() {
    for strength in [1e6_f64, 1e10, 1e14, 1e18, 1e22, 1e30, 1e200] {
        for law in [
            format!("MohrCoulomb(friction: 0.3, cohesion: {strength:e}, tensile_strength: {strength:e})"),
            format!("Extrinsic(friction: 0.3, strength: {strength:e}, energy: {strength:e})"),
        ] {
            for (planar, shape, z) in [(true, "Box(size: (0.1, 0.1))", ""), (false, "Box(size: (0.1, 0.1, 0.1))", ", 0")] {
                let dimension = if planar { 2 } else { 3 };
                let mut run = build(
                    &format!(
                        r#"(dimension: {dimension}, gravity: (0, -9.81{z}), time: (step: 1e-3, end: 1), materials: {{"m": (density: 1000)}},
  bodies: [(group: "a", material: "m", shape: {shape}, at: (0, 0{z})), (group: "b", material: "m", shape: {shape}, mass: 1, at: (0, -0.1{z}))],
  interactions: [(between: ("a", "b"), law: {law})], loads: [(on: "a", load: Fixed), (on: "b", load: Force(x: 5))], physics: [Contact(tolerance: 1e-10)],
  output: (probes: [(name: "x", of: "resultant", component: X, group: "b"), (name: "y", of: "resultant", component: Y, group: "b")]))"#
                    ),
                    &[],
                );
                for _ in 0..20 {
                    let done = steps(&mut run, 1);
                    let [x, y] = ["x", "y"].map(|name| column(&run, &done, name).unwrap());
                    assert!((x + 5.0).abs() < 1e-5 && (y - 9.81).abs() < 1e-5, "{dimension}D, {law}: {x}, {y} N");
                }
            }
        }
    }
}
