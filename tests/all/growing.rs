//! What growth of bodies does besides moving what touches them: on joints, on laws that give back, on rigid bonds.

use mpcd_sim::Simulation;

use crate::granular::{build, column, steps};

/// A bar of 1 m and 1 kg, 100 K warmer from 0 to `rise` (s) and held there, α = 1e-4/K; faults of energy stop the run.
fn warmed(spatial: bool, bar: &str, joints: &str, loads: &str, theta: f64) -> Simulation {
    let (dimension, gravity) = if spatial { (3, "(0, 0, -10)") } else { (2, "(0, -10)") };
    build(
        &format!(
            r#"(dimension: {dimension}, gravity: {gravity}, time: (step: "1 ms", end: 1, theta: {theta}),
  materials: {{"s": (density: 1000, thermal: (conductivity: 50, specific_heat: 500, expansion: 1e-4))}},
  bodies: [(group: "bar", material: "s", mass: 1, {bar})],
  joints: [{joints}], loads: [{loads}],
  physics: [Contact(tolerance: 1e-11, watch: (work: Stop)), Thermal(law: Insulating, temperature: 300,
    boundary: [Temperature(group: "bar", value: Table([(0, 300), (0.05, 300), (0.15, 400)]))])])"#
        ),
        &[],
    )
}

/// Growth that works on a joint is no work of the joint: of a spring that a bar presses, of a hinge, a pin and a rod that carry a bar which grows up or down, of
/// a slider along and across its axis. All that joints do is then what their dashpots take, and a wire that falls slack and catches what falls.
#[test]
fn growth_on_joints_is_no_work_of_theirs() {
    let upright = "shape: Box(size: (0.1, 1)), at: (0, 0.5)";
    let lying = "shape: Box(size: (1, 0.1, 0.1)), at: (0.5, 0, 0)";
    let held = r#"(on: "bar", load: Locked(axes: [X, SpinZ]))"#;
    let cases = [
        (
            true,
            lying,
            r#"(to_ground: "bar", joint: Hinge(at: (0, 0, 0), axis: (0, 0, 1))), (to_ground: "bar", joint: Spring(stiffness: 1000, damping: 20, from: (1, 0, 0), to: (2, 0, 0)))"#,
            "",
            10.0,
        ),
        (false, upright, r#"(to_ground: "bar", joint: Hinge(at: (0, 0)))"#, held, 0.0),
        (false, upright, r#"(to_ground: "bar", joint: Pin(at: (0, 0)))"#, held, 0.0),
        (false, upright, r#"(to_ground: "bar", joint: Weld(at: (0, 0)))"#, "", 0.0),
        (false, upright, r#"(to_ground: "bar", joint: Rod(from: (0, 1), to: (0, 2)))"#, held, 0.0),
        (false, upright, r#"(to_ground: "bar", joint: Wire(from: (0, 1), to: (0, 2)))"#, held, 10.0),
        (false, upright, r#"(to_ground: "bar", joint: Slider(at: (0, 0), axis: (1, 0)))"#, "", 0.0),
        (
            false,
            upright,
            r#"(to_ground: "bar", joint: Slider(at: (0, 0), axis: (0, 1), spring: (stiffness: 1000, damping: 60)))"#,
            "",
            10.0,
        ),
        (false, upright, r#"(to_ground: "bar", joint: Slider(at: (0, 0), axis: (0, 1), limits: (0, 1)))"#, "", 0.0),
    ];
    for theta in [1.0, 0.5] {
        for (spatial, bar, joints, loads, damped) in cases {
            let mut run = warmed(spatial, bar, joints, loads, theta);
            let mut last = 0.0;
            let mut most = 0.0_f64;
            for step in 0..300 {
                let outcome = steps(&mut run, 1);
                let work = column(&run, &outcome, "w_joint").unwrap();
                if step > 2 {
                    most = most.max(work - last);
                }
                last = work;
            }
            // m g 5 mm are 0.05 J in 100 steps; under θ = 1 a loaded spring has the change of the speed by half a step
            let least = if damped > 0.0 { 5e-6 } else { 1e-8 };
            assert!(most < least, "{joints} theta {theta}: a step made {most:e} J");
            assert!(damped > 0.0 || last.abs() < 1e-4, "{joints} theta {theta}: {last:e} J");
        }
    }
}

/// A warm ball and a ball on it go up with the surfaces, 0.01 and 0.02 m/s, whatever the law gives back of impacts: growth that begins strikes nothing. So it is of a
/// floor that begins to rise.
#[test]
fn what_begins_to_grow_or_to_move_strikes_nothing() {
    for law in [
        "Coulomb(friction: 0, restitution: 0.9)",
        "Poisson(friction: 0, restitution: 0.9)",
        "Stronge(friction: 0, restitution: 0.9)",
    ] {
        for grows in [true, false] {
            let (load, kelvin) = if grows {
                ("Fixed", "Table([(0, 300), (0.05, 300), (0.55, 400)])")
            } else {
                (
                    "Velocity(x: 0, y: 0, z: Table([(0, 0), (0.05, 0), (0.0501, 0.01), (1, 0.01)]), spin_x: 0, spin_y: 0, spin_z: 0)",
                    "300",
                )
            };
            let text = format!(
                r#"(dimension: 3, gravity: (0, 0, -0.001), time: (step: "1 ms", end: 1, theta: 1),
  materials: {{"s": (density: 1000, thermal: (conductivity: 50, specific_heat: 500, expansion: 1e-4)), "t": (density: 1000)}},
  bodies: [(group: "a", material: "s", shape: Sphere(radius: 0.5), at: (0, 0, 0.5), mass: 1), (group: "b", material: "t", shape: Sphere(radius: 0.1), at: (0, 0, 1.1), mass: 1),
    (group: "f", material: "t", shape: Box(size: (1, 1, 0.1)), at: (0, 0, -0.05))],
  interactions: [(between: ("a", "b"), law: {law}), (between: ("b", "f"), law: NoContact), (between: ("a", "f"), law: {law})],
  loads: [(on: "f", load: {load})],
  physics: [Contact(tolerance: 1e-12, watch: (impacts: Stop)), Thermal(law: Insulating, coupling: (friction: false, impact: false), temperature: 300,
    boundary: [Temperature(group: "a", value: {kelvin})])])"#
            );
            let mut run = build(&text, &[]);
            let outcome = steps(&mut run, 100);
            let v = &run.world().kinematics.velocity;
            let wanted = [0.01, if grows { 0.02 } else { 0.01 }];
            assert!(
                (v[0].z - wanted[0]).abs() < 1e-6 && (v[1].z - wanted[1]).abs() < 1e-6,
                "{law} {grows}: {} and {} m/s",
                v[0].z,
                v[1].z
            );
            let impact = column(&run, &outcome, "w_impact").unwrap();
            assert!(impact.abs() < 1e-9 + if grows { 0.0 } else { 1.1e-4 }, "{law} {grows}: {impact:e} J");
        }
    }
}

/// The face of a block that grows on a floor that does not: no motion of the block keeps all points of the bond where they are. The bond lets them slide, and
/// holds: against a pull below its strength, and the block goes with its middle.
#[test]
fn a_rigid_bond_lets_a_face_grow() {
    for law in
        ["MohrCoulomb(friction: 0.5, tensile_strength: \"1 kPa\")", "Extrinsic(strength: \"1 kPa\", energy: 1, friction: 0.5)"]
    {
        for (pull, holds) in [(0.0, true), (19.0, true), (21.0, false)] {
            let text = format!(
                r#"(dimension: 3, gravity: (0, 0, -10), time: (step: "1 ms", end: 1, theta: 1),
  materials: {{"s": (density: 1000, thermal: (conductivity: 50, specific_heat: 500, expansion: 1e-4)), "t": (density: 1000)}},
  bodies: [(group: "a", material: "s", shape: Box(size: (0.1, 0.1, 0.1)), at: (0.2, 0, 0.05), mass: 1), (group: "f", material: "t", shape: Box(size: (1, 1, 0.1)), at: (0, 0, -0.05))],
  interactions: [(between: ("a", "f"), law: {law})], loads: [(on: "f", load: Fixed), (on: "a", load: Force(z: {pull}))],
  physics: [Contact(), Thermal(law: Insulating, coupling: (friction: false, impact: false), temperature: 300,
    boundary: [Temperature(group: "a", value: "300 + 100*t")])])"#
            );
            let mut run = build(&text, &[]);
            steps(&mut run, 200);
            let at = run.world().kinematics.position[0];
            if holds {
                let up = 0.05 * (1.0 + 1e-4 * 19.9);
                assert!(
                    (at.z - up).abs() < 1e-8 && (at.x - 0.2).abs() < 1e-8 && at.y.abs() < 1e-8,
                    "{law} {pull}: {at:?}, not {up}"
                );
                let damage = run.field("damage").unwrap().iter().copied().fold(0.0, f64::max);
                assert!(damage < 1e-9, "{law} {pull}: {damage}");
                // along the surface no point bears anything: no motion is what each of them would ask for
                let aside = run.world().network.iter().map(|c| c.r.y.hypot(c.r.z) / 1e-3).fold(0.0, f64::max);
                assert!(aside < 1e-3, "{law} {pull}: {aside} N along the surface");
            } else {
                assert!(at.z > 0.1, "{law}: {at:?}");
            }
        }
    }
}
