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

/// The same of discs and balls that roll on each other (30 and -10 rad/s): the point that touches goes over both.
#[test]
fn a_step_that_is_cut_does_not_kick_what_rolls() {
    for (planar, shape) in [(true, "Disc(radius: 0.05)"), (false, "Sphere(radius: 0.05)")] {
        for law in RIGID {
            for (step, part) in [(5e-3, 64.0), (2e-3, 4096.0)] {
                let body = |group: &str, x: f64, spin: f64| round((planar, group, shape), (1.0, x), (10.0, spin));
                let bodies = body("a", -0.05, 30.0) + &body("b", 0.05, -10.0);
                let law = law.replace("area: 1e-3", "area: 1e-3, bond_distance: 1e-6");
                let mut run = pair(planar, &bodies, &law, (step, 0.1 + step / part));
                while !run.finished() {
                    let done = run.step().unwrap_or_else(|e| panic!("{shape}, {law}: {e}"));
                    let force = column(&run, &done, "f").unwrap();
                    assert!((force - 5.0).abs() < 0.15, "{shape}, {law}, {step} s, {part}: {force} N at {} s", run.time());
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

/// A box that turns at 3 rad/s as the run begins and one at rest, face on face: bonded as a face they turn at L/J = 0.6 rad/s from the first step on, and their faces bear that. Faces that lean by more than 1e-3 in the contact
/// configuration were bonded at an edge, and the pair hung on a hinge (1.2 rad/s).
#[test]
fn a_face_that_turns_as_a_run_begins_is_bonded_as_a_face() {
    for (planar, shape, mass) in [(true, "Box(size: (0.2, 0.2))", 40.0), (false, "Box(size: (0.2, 0.2, 0.2))", 8.0)] {
        // spin of the one, velocity of the other along the face and step; what slides out is no bond of its own
        for (spin, aside, step) in
            [(3.0, 0.0, 1e-3), (3.0, 0.0, 5e-3), (0.03, 0.01, 1e-2), (0.15, 0.1, 1e-2), (5.0, 1.0, 1e-3), (1.0, 0.0, 1e-3)]
        {
            for distance in ["", ", bond_distance: 0"] {
                let law = RIGID[0].replace(", area: 1e-3", distance).replace("1e7", "1e12");
                let z = if planar { "" } else { ", 0" };
                let body = |g: &str, x: f64, y: f64, w: f64| {
                    let w = if planar { format!("{w}") } else { format!("(0, 0, {w})") };
                    format!(
                        r#"(group: "{g}", material: "m", shape: {shape}, mass: {mass}, at: ({x}, 0{z}), velocity: (0, {y}{z}), spin: {w}),"#
                    )
                };
                let mut run = pair(planar, &(body("a", -0.1, 0.0, spin) + &body("b", 0.1, aside, 0.0)), &law, (step, 1.0));
                let last = steps(&mut run, 5);
                let of = format!("{law}, {spin} rad/s, {aside} m/s, {step} s");
                assert_eq!(column(&run, &last, "bonds"), Some(if planar { 2.0 } else { 4.0 }), "{of}");
                // (J ω + m d/2 v)/(2 J + m d²/2), J = m d²/6
                let want = (0.04 / 6.0 * spin + 0.1 * aside) / (0.04 / 3.0 + 0.02);
                for w in &run.world().kinematics.angular_velocity {
                    assert!((w.z / want - 1.0).abs() < 5e-3 && w.xy().norm() < 1e-5, "{of}: {w:?}, not {want}");
                }
            }
        }
    }
}

/// Boxes bonded face on face, one shifted against the other, so that straight ways to the contact configuration lead their points apart along the faces: what is bonded is where it was at the start, and the second step is as
/// the others (6 % of m ω² r off, of either sign, where the points of the contact configuration were bonded).
#[test]
fn faces_are_bonded_where_they_are_at_the_start() {
    let at = |x: f64, y: f64, z: &str| format!("at: ({x}, {y}{z}), velocity: ({}, {}{z})", -10.0 * y, 10.0 * x);
    for (dimension, shape, spin, z) in
        [(2, "Box(size: (0.1, 0.1))", "10", ""), (3, "Box(size: (0.1, 0.1, 0.1))", "(0, 0, 10)", ", 0")]
    {
        for law in RIGID {
            let body = |g: &str, x: f64, y: f64| {
                format!(r#"(group: "{g}", material: "m", shape: {shape}, mass: 1, {}, spin: {spin}),"#, at(x, y, z))
            };
            let bodies = body("a", -0.05, -0.03) + &body("b", 0.05, 0.03);
            let mut run = pair(dimension == 2, &bodies, law, (2e-3, 0.1));
            let want = 100.0 * f64::hypot(0.05, 0.03);
            for k in 0..10 {
                let done = steps(&mut run, 1);
                let force = column(&run, &done, "f").unwrap();
                assert!((force / want - 1.0).abs() < 2e-3, "{law}, step {k}: {force} of {want} N");
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

/// Discs that a load of a tenth of the strength pulls at, by `Extrinsic` bonds that part at 2 nm: they hold undamaged. What the solve leaves of their velocity moved them by as much in a step, and was taken for damage (the bond was lost in step 6).
#[test]
fn what_a_solve_leaves_damages_no_bond_of_a_point() {
    let disc =
        |group: &str, y: f64| format!(r#"(group: "{group}", material: "m", shape: Disc(radius: 0.01), mass: 1, at: (0, {y})),"#);
    for (force, energy) in [(10.0, 0.1), (1e3, 0.1), (5e3, 1.0), (9e3, 10.0)] {
        for step in [1e-3, 1e-4] {
            let law = format!("Extrinsic(friction: 0.3, strength: 1e8, energy: {energy}, area: 1e-4)");
            let mut run = build(
                &format!(
                    r#"(dimension: 2, time: (step: {step}, end: 1), materials: {{"m": (density: 1000)}}, bodies: [{}{}{}],
  interactions: [(between: ("a", "b"), law: {law}), (between: ("b", "c"), law: {law}), (between: ("a", "c"), law: NoContact)], loads: [(on: "a", load: Fixed), (on: "c", load: Force(y: -{force}))], physics: [Contact()],
  output: (probes: [(name: "y", of: "resultant", component: Y, group: "a"), (name: "d", of: "damage", reduce: Max)]))"#,
                    disc("a", 0.02),
                    disc("b", 0.0),
                    disc("c", -0.02)
                ),
                &[],
            );
            for k in 0..50 {
                let done = steps(&mut run, 1);
                let [y, d] = ["y", "d"].map(|name| column(&run, &done, name).unwrap());
                assert!((y / force + 1.0).abs() < 2e-3 && d == 0.0, "{force} N, {energy}, {step} s, step {k}: {y} N, damage {d}");
            }
        }
    }
}

/// Bonds between bodies at rest know nothing of what will come to them: a load at the end of a weightless chain (1 N), and a wall that starts to draw 1 t by a disc of 1 g (1 t times its speed in the first step).
#[test]
fn strong_bonds_at_rest_bear_what_comes_from_afar() {
    let disc = |group: &str, mass: f64, y: f64| {
        format!(r#"(group: "{group}", material: "m", shape: Disc(radius: 0.05), mass: {mass}, at: (0, {y})),"#)
    };
    for strength in [1e8_f64, 1e16, 1e20, 1e30] {
        for law in [
            format!("MohrCoulomb(friction: 0.3, cohesion: {strength:e}, tensile_strength: {strength:e}, area: 1e-3)"),
            format!("Extrinsic(friction: 0.3, strength: {strength:e}, energy: {strength:e}, area: 1e-3)"),
        ] {
            let run = |bodies: &str, loads: &str| {
                build(
                    &format!(
                        r#"(dimension: 2, time: (step: 1e-3, end: 1), materials: {{"m": (density: 1000)}}, bodies: [{bodies}],
  interactions: [(between: ("a", "b"), law: {law}), (between: ("b", "c"), law: {law}), (between: ("a", "c"), law: NoContact)], loads: [{loads}], physics: [Contact(tolerance: 1e-10)],
  output: (probes: [(name: "y", of: "resultant", component: Y, group: "a")]))"#
                    ),
                    &[],
                )
            };
            let bodies = |ends: [f64; 2]| disc("a", 1.0, 0.1) + &disc("b", ends[0], 0.0) + &disc("c", ends[1], -0.1);
            let mut hanging = run(&bodies([1.0, 1.0]), r#"(on: "a", load: Fixed), (on: "c", load: Force(y: -1))"#);
            for _ in 0..20 {
                let done = steps(&mut hanging, 1);
                let force = column(&hanging, &done, "y").unwrap();
                assert!((force + 1.0).abs() < 1e-6, "{law}: {force} N");
            }
            let mut drawn = run(&bodies([1e-3, 1e3]), r#"(on: "a", load: Velocity(x: 0, y: 0.1, spin_z: 0))"#);
            for k in 0..5 {
                let done = steps(&mut drawn, 1);
                let force = column(&drawn, &done, "y").unwrap();
                // 1 000.001 kg of 0.1 m/s within 1 ms, and nothing from then on
                let want = if k == 0 { -1_000.001 * 0.1 / 1e-3 } else { 0.0 };
                // masses that are 10⁶ apart
                assert!((force - want).abs() < 10.0, "{law}, step {k}: {force} of {want} N");
                assert!(
                    (drawn.world().kinematics.velocity[2].y - 0.1).abs() < 1e-5,
                    "{law}: {:?}",
                    drawn.world().kinematics.velocity
                );
            }
        }
    }
}
