//! Bodies that rigid bonds hold together while they turn: what turns steadily loads a bond with m ω² r and with nothing else, from the first step on and for as long as it turns; what
//! swings, with what a pendulum does. Strength is judged by that alone. No limits of bonds here.

use mpcd_sim::Simulation;

use crate::granular::{build, column, steps};

const LAWS: [&str; 2] = [
    "MohrCoulomb(friction: 0, cohesion: 1e7, tensile_strength: 10500, area: 1e-3, bond_distance: 1e-6)",
    "Extrinsic(friction: 0, strength: 10500, energy: 10, area: 1e-3, bond_distance: 1e-6)",
];

/// Pairs of bodies whose centres are 0.1 m apart: dimension, shape.
const SHAPES: [(usize, &str); 6] = [
    (2, "Disc(radius: 0.05)"),
    (2, "Box(size: (0.1, 0.1))"),
    (3, "Sphere(radius: 0.05)"),
    (3, "Box(size: (0.1, 0.1, 0.1))"),
    (3, "Cylinder(radius: 0.05, length: 0.1)"),
    (3, "Capsule(radius: 0.05, length: 0.05)"),
];

/// Two bodies of 2 kg that fly on at 3 m/s and turn about the middle between them at 10 rad/s: the bond bears 2 kg × 100 s⁻² × 0.05 m = 10 N.
fn pair(dimension: usize, shape: &str, law: &str, step: f64, theta: f64) -> Simulation {
    let (at, way, spin) = if dimension == 2 {
        (["(-0.05, 0)", "(0.05, 0)"], ["(3, -0.5)", "(3, 0.5)"], "10")
    } else {
        (["(-0.05, 0, 0)", "(0.05, 0, 0)"], ["(3, -0.5, 0)", "(3, 0.5, 0)"], "(0, 0, 10)")
    };
    let body = |group: &str, k: usize| {
        format!(
            r#"(group: "{group}", material: "m", shape: {shape}, mass: 2, at: {}, velocity: {}, spin: {spin})"#,
            at[k], way[k]
        )
    };
    build(
        &format!(
            r#"(dimension: {dimension}, time: (step: {step}, end: {}, theta: {theta}), materials: {{"m": (density: 1000)}},
  bodies: [{}, {}], interactions: [(between: ("a", "b"), law: {law})], physics: [Contact(tolerance: 1e-10)],
  output: (probes: [(name: "n", of: "normal_force")]))"#,
            // the last step is shorter than the others (θ beyond ½ has velocities a part of a step late, and catches up in it)
            if theta > 0.5 { 200.0 } else { 200.4 } * step,
            body("a", 0),
            body("b", 1)
        ),
        &[],
    )
}

#[test]
fn what_turns_steadily_loads_its_bond_with_nothing_else() {
    for (dimension, shape) in SHAPES {
        for law in LAWS {
            for (step, theta) in [(1e-2, 0.5), (1e-3, 0.5), (1e-5, 0.5), (1e-3, 0.75), (1e-3, 1.0)] {
                let of = format!("{shape} {law} {step} s, θ = {theta}");
                let mut run = pair(dimension, shape, law, step, theta);
                let mut done = 0;
                while !run.finished() {
                    let step = run.step().unwrap_or_else(|e| panic!("{of}: {e}"));
                    let force = -column(&run, &step, "n").unwrap();
                    // θ beyond ½ has the velocity of the end a part of a step late, and a start that knows nothing of it
                    let least = if done == 0 && theta > 0.5 { 4.9 } else { 9.95 };
                    assert!((least..10.05).contains(&force), "{of}, step {done}: {force} N, not 10");
                    done += 1;
                }
            }
        }
    }
}

/// A box of 2 kg bonded to another that is pinned, let go level: at the angle φ below the horizontal, g the way down to its centre, the bond bears m (g sin φ + ω² r), ω from what fell. Steps as short as
/// these closed the drift of a hundred thousand parts of a length at once, with a hundred times as much.
#[test]
fn a_bond_that_swings_bears_what_a_pendulum_bears() {
    for (dimension, step) in [(2, 2e-4), (2, 5e-5), (3, 1e-4)] {
        let (shape, at, gravity, joint) = if dimension == 2 {
            ("Box(size: (0.1, 0.1))", ["(0.05, 0)", "(0.15, 0)"], "(0, -9.81)", "Pin(at: (0, 0))")
        } else {
            (
                "Box(size: (0.1, 0.1, 0.1))",
                ["(0.05, 0, 0)", "(0.15, 0, 0)"],
                "(0, -9.81, 0)",
                "Hinge(at: (0, 0, 0), axis: (0, 0, 1))",
            )
        };
        let mut run = build(
            &format!(
                r#"(dimension: {dimension}, gravity: {gravity}, time: (step: {step}, end: 0.24), materials: {{"m": (density: 1000)}},
  bodies: [(group: "a", material: "m", shape: {shape}, mass: 2, at: {}), (group: "b", material: "m", shape: {shape}, mass: 2, at: {})],
  interactions: [(between: ("a", "b"), law: MohrCoulomb(friction: 0, cohesion: 1e7, tensile_strength: 1e7, area: 1e-3))],
  joints: [(to_ground: "a", name: "p", joint: {joint})], physics: [Contact(tolerance: 1e-10)],
  output: (probes: [(name: "n", of: "normal_force"), (name: "y", of: "position", component: Y, group: "b")]))"#,
                at[0], at[1]
            ),
            &[],
        );
        let (mut most, mut before) = (0.0_f64, 0.0);
        while !run.finished() {
            let step_done = run.step().unwrap_or_else(|e| panic!("{dimension}D, {step} s: {e}"));
            let y = column(&run, &step_done, "y").unwrap();
            // two boxes of 2 kg at 0.05 and 0.15 m, J of each m a²/6, and the mean of the step
            let down = -0.5 * (y + before) / 0.15;
            before = y;
            let inertia = 2.0 * (2.0 * 0.01 / 6.0 + 0.05_f64.powi(2) + 0.15_f64.powi(2));
            let square = 2.0 * 2.0 * 9.81 * 0.2 * down / inertia;
            let want = 2.0 * (9.81 * down + square * 0.15);
            let off = -column(&run, &step_done, "n").unwrap() - want;
            assert!(off.abs() < 0.4, "{dimension}D, {step} s: {off} N beside {want}");
            most = most.max(want);
        }
        assert!((most - 61.17).abs() < 0.1, "{most}");
    }
}

/// Boxes that touch without a bond, and hang together by others that do: the bonds bear m ω² r, and the contact between them nothing. Straight ways closed it by ½h²ω²d in each step, against the bonds: all
/// of them broke in the first step, at any step and any strength, or 10⁴ N stood for 5.
#[test]
fn what_touches_within_an_aggregate_bears_nothing() {
    let laws = [
        "MohrCoulomb(friction: 0.3, cohesion: 1e8, tensile_strength: 1e8)",
        "Extrinsic(friction: 0.3, strength: 1e8, energy: 1e3)",
        "Bilinear(friction: 0.3, tensile_strength: 1e8, energy: 1e7, normal_stiffness: 1e10, tangential_stiffness: 4e9)",
    ];
    // a and b side by side, both under c
    let row = |law: &str| {
        let clip = if law.starts_with("Bilinear") { "Gap" } else { "GapUnclipped" };
        format!(
            r#"(group: "a", material: "m", shape: Box(size: (0.1, 0.1)), mass: 1, at: (-0.05, -0.05), velocity: (0.5, -0.5), spin: 10),
    (group: "b", material: "m", shape: Box(size: (0.1, 0.1)), mass: 1, at: (0.05, -0.05), velocity: (0.5, 0.5), spin: 10),
    (group: "c", material: "m", shape: Box(size: (0.2, 0.1)), mass: 2, at: (0, 0.05), velocity: (-0.5, 0), spin: 10)],
  interactions: [(between: ("a", "b"), law: Coulomb(friction: 0.3, contact: {clip})), (between: ("a", "c"), law: {law}), (between: ("b", "c"), law: {law})]"#
        )
    };
    // four boxes in a block: those across a diagonal touch with a corner
    let block = |law: &str| {
        let body = |group: &str, x: f64, y: f64| {
            let (u, v) = (-10.0 * y, 10.0 * x);
            format!(
                r#"(group: "{group}", material: "m", shape: Box(size: (0.1, 0.1)), mass: 1, at: ({x}, {y}), velocity: ({u}, {v}), spin: 10)"#
            )
        };
        let sides =
            [("a", "b"), ("b", "d"), ("d", "c"), ("c", "a")].map(|(p, q)| format!(r#"(between: ("{p}", "{q}"), law: {law})"#));
        format!(
            r#"{}, {}, {}, {}], interactions: [{}, (between: ("a", "d"), law: Coulomb(friction: 0.3)), (between: ("b", "c"), law: Coulomb(friction: 0.3))]"#,
            body("a", -0.05, -0.05),
            body("b", 0.05, -0.05),
            body("c", -0.05, 0.05),
            body("d", 0.05, 0.05),
            sides.join(", ")
        )
    };
    for law in laws {
        // resultant on c: 2 kg at 0.05 m, 1 kg at 0.0707 m
        for (scene, want) in [(row(law), 10.0), (block(law), 50.0_f64.sqrt())] {
            // between springs a rigid contact bears what is of third order in the angle of a step times their stiffness
            let coarse = if law.starts_with("Bilinear") { 1e-3 } else { 1e-2 };
            for step in [coarse, 1e-3, 1e-4_f64] {
                let mut run = build(
                    &format!(
                        r#"(dimension: 2, time: (step: {step}, end: 1), materials: {{"m": (density: 1000)}}, bodies: [{scene},
  physics: [Contact(tolerance: 1e-9)], output: (probes: [(name: "c", of: "resultant", component: Norm, group: "c"), (name: "push", of: "normal_force", reduce: Max)]))"#
                    ),
                    &[],
                );
                for k in 0..20 {
                    let done = run.step().unwrap_or_else(|e| panic!("{law}, {step} s: {e}"));
                    let [c, push] = ["c", "push"].map(|name| column(&run, &done, name).unwrap());
                    // springs swing about their force
                    let near = want * if law.starts_with("Bilinear") { 0.3 } else { 0.02 + (10.0 * step).powi(2) };
                    assert!((c - want).abs() < near && push < near, "{law}, {step} s, step {k}: {c} N of {want}, {push} N");
                }
            }
        }
    }
}

/// A wall of 8 × 4 boxes that spins in flight is pulled in its middle by Σ m ω² x of a half over its section, 8 kPa here: bonded by more it holds, by less it parts there and nowhere else.
#[test]
fn a_wall_that_spins_parts_in_its_middle() {
    let spin = 10.0;
    let boxes: String = (0..32)
        .map(|k| {
            let (x, y) = (0.1 * (f64::from(k % 8) - 3.5), 0.1 * (f64::from(k / 8) - 1.5));
            let (u, v) = (-spin * y, spin * x);
            format!(r#"(group: "g", material: "m", shape: Box(size: (0.1, 0.1)), at: ({x}, {y}), velocity: ({u}, {v}), spin: {spin}),"#)
        })
        .collect();
    for (strength, bonds) in [(8160.0, 104.0), (7840.0, 96.0)] {
        let mut run = build(
            &format!(
                r#"(dimension: 2, time: (step: 1e-3, end: 1), materials: {{"m": (density: 1000)}}, bodies: [{boxes}],
  interactions: [(between: ("g", "g"), law: MohrCoulomb(friction: 0.3, tensile_strength: {strength}, cohesion: 1e6))],
  physics: [Contact(tolerance: 1e-9)])"#
            ),
            &[],
        );
        let last = steps(&mut run, 60);
        assert_eq!(column(&run, &last, "bonds"), Some(bonds), "{strength} Pa");
        let spins = &run.world().kinematics.angular_velocity;
        assert!(spins.iter().all(|w| (w.z - spin).abs() < 1e-2), "{strength} Pa: {spins:?}");
    }
}

/// Three balls that turn, a and b bonded to c in a point each, and pressed on each other without a bond by a spring of 50 N: the contact holds them apart, however long they turn. Where it went along with what closes
/// the drift of the bonds, and not with what opens, noise of both signs closed it, by a hundredth of the radius in 2,000 steps.
#[test]
fn what_is_pressed_within_an_aggregate_holds() {
    let (spin, low) = (10.0, 0.1 / 3.0_f64.sqrt());
    let ball = |group: &str, x: f64, y: f64| {
        format!(
            r#"(group: "{group}", material: "m", shape: Sphere(radius: 0.1), mass: 1, at: ({x}, {y}, 0), velocity: ({}, {}, 0), spin: (0, 0, {spin}))"#,
            -spin * y,
            spin * x
        )
    };
    let bond = "MohrCoulomb(friction: 0.3, tensile_strength: 1e8, cohesion: 1e8)";
    for step in [2e-3, 5e-3] {
        let mut run = build(
            &format!(
                r#"(dimension: 3, time: (step: {step}, end: 100), materials: {{"m": (density: 1000)}}, bodies: [{}, {}, {}],
  interactions: [(between: ("a", "b"), law: Coulomb(friction: 0.3)), (between: ("a", "c"), law: {bond}), (between: ("b", "c"), law: {bond})],
  joints: [(between: ("a", "b"), name: "s", joint: Spring(stiffness: 500, length: 0.1))], physics: [Contact()],
  output: (probes: [(name: "x", of: "position", component: X), (name: "push", of: "normal_force", reduce: Max)]))"#,
                ball("a", -0.1, -low),
                ball("b", 0.1, -low),
                ball("c", 0.0, 2.0 * low)
            ),
            &[],
        );
        let (mut sum, mut count) = (0.0, 0.0);
        for k in 0..2000 {
            let done = run.step().unwrap_or_else(|e| panic!("{step} s: {e}"));
            if k >= 1000 {
                (sum, count) = (sum + column(&run, &done, "push").unwrap(), count + 1.0);
            }
        }
        let at = &run.world().kinematics.position;
        let gap = (at[0] - at[1]).norm() - 0.2;
        assert!(gap.abs() < 1e-4, "{step} s: {gap} m");
        // about the bond, 50 N less the 2/3 of m ω² R that pull a and b apart
        let (mean, want) = (sum / count, 50.0 - spin * spin / 15.0);
        assert!((mean / want - 1.0).abs() < 0.02, "{step} s: {mean} N of {want}");
    }
}
