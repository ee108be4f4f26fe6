//! Forces of joints: of joints that repeat each other on what moves, and of drives that have nothing to do.

use mpcd_sim::Simulation;

use crate::granular::{build, column, steps};

/// A platform of 6 kg on three parallel rods of 1 m, of which two would do.
fn platform(h: f64, more: &str) -> Simulation {
    let rod =
        |name: &str, x: f64| format!(r#"(to_ground: "a", name: "{name}", joint: Rod(from: ({x:?}, 0), to: ({x:?}, 1){more}))"#);
    let rods = [("r0", -0.9), ("r1", 0.1), ("r2", 0.9)].map(|(name, x)| rod(name, x)).join(", ");
    build(
        &format!(
            r#"(dimension: 2, gravity: (0, -10), time: (step: {h:?}, end: 10), materials: {{"m": (density: 1000)}},
            bodies: [(group: "a", material: "m", shape: Box(size: (2, 0.2)), mass: 6, velocity: (1, 0))],
            joints: [{rods}], physics: [Contact()])"#
        ),
        &[],
    )
}

/// Shares f of the rods with the least Σ W f² that carry the weight without a moment, W = 1/m + (x cos φ)²/I being what each rod feels of its own force.
fn least(cosine: f64) -> [f64; 3] {
    let places = [-0.9, 0.1, 0.9];
    let inertia = 6.0 * (4.0 + 0.04) / 12.0;
    let gives = places.map(|x: f64| 1.0 / (1.0 / 6.0 + (x * cosine).powi(2) / inertia));
    let sum = |power: i32| gives.iter().zip(places).map(|(u, x)| u * x.powi(power)).sum::<f64>();
    let across = -sum(1) / sum(2);
    let along = 1.0 / (sum(0) + across * sum(1));
    [0, 1, 2].map(|k| gives[k] * along * (1.0 + across * places[k]))
}

/// They bear m (g cos φ + v²/ℓ) together and share it in one way (which turns with the rods a little), at every step and however short steps are: rows that contradict
/// each other by rounding made forces that grew with time and as 1/h² (1.8e5 N of 66 N), and joints that break at 500 N broke.
#[test]
fn rods_that_repeat_each_other_bear_what_hangs_on_them() {
    for (h, count) in [(1e-2, 100), (1e-3, 1000), (1e-4, 3000)] {
        let mut run = platform(h, ", break_force: 500");
        for step in 0..count {
            let outcome = run.step().unwrap();
            let forces = ["r0_force", "r1_force", "r2_force"].map(|name| column(&run, &outcome, name).unwrap());
            let k = run.world().kinematics;
            let (x, v) = (k.position[0], k.velocity[0]);
            let want = 6.0 * (10.0 * (1.0 - x.y) + v.norm_squared());
            let sum: f64 = forces.iter().sum();
            // forces are those of the middle of the step
            assert!((sum / want - 1.0).abs() < 30.0 * h, "step {step} of {h} s: {sum} N of {want} N");
            let shares = forces.map(|f| f / sum);
            for (share, want) in shares.iter().zip(least(1.0 - x.y)) {
                assert!((share - want).abs() < 1e-4 + 0.5 * h, "step {step} of {h} s: {shares:?}, {want}");
            }
        }
    }
}

/// A door of 20 kg on two hinges that turns freely: each bears the same at all times, with every step.
#[test]
fn hinges_of_a_door_bear_the_same_all_the_way() {
    for (h, count) in [(1e-3, 1000), (1e-4, 2000)] {
        let mut run = build(
            &format!(
                r#"(dimension: 3, gravity: (0, 0, -10), time: (step: {h:?}, end: 10), materials: {{"m": (density: 1000)}},
                bodies: [(group: "a", material: "m", shape: Box(size: (1, 0.05, 2)), mass: 20, at: (0.5, 0, 0), spin: (0, 0, 4), velocity: (0, 2, 0))],
                joints: [(to_ground: "a", name: "j0", joint: Hinge(at: (0, 0, -0.8), axis: (0, 0, 1), break_force: 300)),
                  (to_ground: "a", name: "j1", joint: Hinge(at: (0, 0, 0.8), axis: (0, 0, 1)))], physics: [Contact()])"#
            ),
            &[],
        );
        let forces = |run: &Simulation, outcome: &mpcd_sim::StepOutcome| {
            ["j0_force", "j1_force"].map(|n| column(run, outcome, n).unwrap())
        };
        let outcome = run.step().unwrap();
        let first = forces(&run, &outcome);
        // 20 kg · 16 /s² · 0.5 m across in all, the weight along
        assert!(first.iter().all(|f| (80.0..200.0).contains(f)), "{first:?}");
        for step in 1..count {
            let outcome = run.step().unwrap();
            let now = forces(&run, &outcome);
            let off = now.iter().zip(&first).map(|(a, b)| (a / b - 1.0).abs()).fold(0.0, f64::max);
            assert!(off < 1e-3, "step {step} of {h} s: {now:?} and {first:?} N");
        }
    }
}

/// A free wheel that turns at the speed of its motor or as an angle says, by 0.3 to 2 rad a step, asks nothing of either after the first step, with the spin that turns it so
/// far in a step, 2/h tan(hω/2).
#[test]
fn drives_do_no_work_on_what_goes_as_they_say() {
    for (h, speed) in [(1e-3_f64, 314.0_f64), (5e-3, 400.0)] {
        for dimension in [2, 3] {
            let angle = format!("angle: \"{speed:?}*t\"");
            let motor = format!("motor: (speed: {speed:?}, torque: 1000)");
            let spin = 2.0 / h * (0.5 * h * speed).tan();
            for drive in [&motor, &angle] {
                let (shape, gravity, axis, turn) = match dimension {
                    2 => ("Disc(radius: 0.1, thickness: 0.01)", "(0, 0)", "", format!("{speed:?}")),
                    _ => ("Sphere(radius: 0.1)", "(0, 0, 0)", "axis: (0, 0, 1), ", format!("(0, 0, {speed:?})")),
                };
                let at = if dimension == 2 { "(0, 0)" } else { "(0, 0, 0)" };
                let mut run = build(
                    &format!(
                        r#"(dimension: {dimension}, gravity: {gravity}, time: (step: {h:?}, end: 10), materials: {{"m": (density: 1000)}},
                        bodies: [(group: "a", material: "m", shape: {shape}, mass: 2, spin: {turn})],
                        joints: [(to_ground: "a", name: "d", joint: Hinge(at: {at}, {axis}{drive}))], physics: [Contact()])"#
                    ),
                    &[],
                );
                steps(&mut run, 2);
                let start = run.world().kinematics.angular_velocity[0].z;
                let mut outcome = run.step().unwrap();
                let work = |run: &Simulation, outcome: &mpcd_sim::StepOutcome| column(run, outcome, "d_drive").unwrap();
                let before = work(&run, &outcome);
                for _ in 0..100 {
                    outcome = run.step().unwrap();
                    let torque = column(&run, &outcome, "d_torque").unwrap();
                    assert!(torque.abs() < 1e-6, "{drive}, {dimension}D, {h} s: {torque} N m");
                }
                let now = run.world().kinematics.angular_velocity[0].z;
                assert!((now / spin - 1.0).abs() < 1e-9 && (start / spin - 1.0).abs() < 1e-9, "{drive}: {now} rad/s of {spin}");
                assert!((work(&run, &outcome) - before).abs() < 1e-6, "{drive}: {} J", work(&run, &outcome) - before);
            }
        }
    }
}

/// A wire of 1 m catches 1 kg that fell by half of it: an impulse of m √(2 g l/2) whatever the step, whose force only the step says; it is told where the wire may break. A pendulum
/// on such a wire is not.
#[test]
fn what_a_joint_catches_within_a_step_is_told_where_it_may_break() {
    let fall = "at: (0, -0.5)";
    let swing = "at: (0.6, -0.8)";
    for (start, more, told) in [(fall, ", break_force: 1e9", true), (fall, "", false), (swing, ", break_force: 1e9", false)] {
        let mut run = build(
            &format!(
                r#"(dimension: 2, gravity: (0, -10), time: (step: 1e-3, end: 10), materials: {{"m": (density: 1000)}},
                bodies: [(group: "a", material: "m", shape: Disc(radius: 0.05, thickness: 0.01), mass: 1, {start})],
                joints: [(to_ground: "a", name: "w", joint: Wire(to: (0, 0), length: 1{more}))], physics: [Contact()])"#
            ),
            &[],
        );
        let mut largest: f64 = 0.0;
        for _ in 0..500 {
            let outcome = run.step().unwrap();
            largest = largest.max(column(&run, &outcome, "w_force").unwrap());
        }
        let caught = run.summary().warnings.iter().any(|w| w.contains("watch `caught`") && w.contains("the joint \"w\" of"));
        assert_eq!(caught, told, "{start}{more}: {:?}", run.summary().warnings);
        if start == fall {
            assert!((largest * 1e-3 / 10.0_f64.sqrt() - 1.0).abs() < 0.02, "{largest}");
        }
    }
}
