//! Bodies that are held along the line between them: what does not close carries nothing and stops no run, whatever moves across; what closes is refused by name.

use crate::granular::{build, steps};

/// Two bodies locked along x, a gap apart, that fall and rest on a plane; or one beside a box that is fixed as a whole.
fn beside(dimension: u8, shape: &str, gap: f64, speed: f64, fixed: bool) -> Result<f64, String> {
    // one that is driven meets the other in the middle
    let high = if speed == 0.0 { 0.101 } else { 0.1 };
    let (g, up, axes, spots) = match dimension {
        2 => (
            "(0, -10)",
            "(0, 1)",
            "[X, SpinZ]",
            [format!("({}, 0.101)", -0.1 - 0.5 * gap), format!("({}, 0.1)", 0.1 + 0.5 * gap)],
        ),
        _ => (
            "(0, 0, -10)",
            "(0, 0, 1)",
            "[X, Y, SpinX, SpinY, SpinZ]",
            [format!("({}, 0, {high})", -0.1 - 0.5 * gap), format!("({}, 0, 0.1)", 0.1 + 0.5 * gap)],
        ),
    };
    let (other, load) = if fixed {
        ("shape: Box(size: (0.2, 0.4))", "Fixed".to_owned())
    } else {
        let drive = if dimension == 2 {
            format!("Velocity(x: {speed}, spin_z: 0)")
        } else {
            format!("Velocity(x: {speed}, y: 0, spin_x: 0, spin_y: 0, spin_z: 0)")
        };
        (shape, if speed == 0.0 { format!("Locked(axes: {axes})") } else { drive })
    };
    let mut run = build(
        &format!(
            r#"(dimension: {dimension}, gravity: {g}, time: (step: 1e-3, end: 1, on_failure: Stop), materials: {{"m": (density: 1000)}},
            bodies: [(group: "a", material: "m", {shape}, at: {}), (group: "b", material: "m", {other}, at: {}), (group: "p", material: "m", shape: Plane(normal: {up}))],
            interactions: [(between: ("a", "b"), law: Coulomb(friction: 0.3)), (between: ("a", "p"), law: Coulomb(friction: 0.3)), (between: ("b", "p"), law: Coulomb(friction: 0.3))],
            loads: [(on: "a", load: Locked(axes: {axes})), (on: "b", load: {load})],
            physics: [Contact()])"#,
            spots[0], spots[1]
        ),
        &[],
    );
    for _ in 0..50 {
        run.step().map_err(|e| e.to_string())?;
    }
    steps(&mut run, 50);
    Ok(run.world().kinematics.position[0][usize::from(dimension) - 1])
}

/// They stopped the run in its first step: "no impulse can change its normal velocity".
#[test]
fn what_locks_keep_apart_carries_nothing() {
    for gap in [0.0, 1e-4, 1e-2] {
        for (dimension, shape) in
            [(2, "shape: Disc(radius: 0.1)"), (2, "shape: Box(size: (0.2, 0.2))"), (3, "shape: Sphere(radius: 0.1)")]
        {
            let height = beside(dimension, shape, gap, 0.0, false).unwrap();
            assert!((height - 0.1).abs() < 1e-5, "{shape}, {gap} m apart: {height} m");
        }
        let height = beside(2, "shape: Box(size: (0.2, 0.2))", gap, 0.0, true).unwrap();
        assert!((height - 0.1).abs() < 1e-5, "beside a fixed box, {gap} m apart: {height} m");
    }
    // one that is driven away
    let height = beside(3, "shape: Sphere(radius: 0.1)", 1e-4, 0.05, false).unwrap();
    assert!((height - 0.1).abs() < 1e-5, "{height} m");
}

/// The line between them is off the held axes by rounding: what an impulse moves along it is none to speak of. It stopped runs between 10⁻¹⁴ and 2·10⁻⁹ m.
#[test]
fn what_is_held_but_for_rounding_carries_nothing() {
    for rise in [0.0, 1e-14, 1e-10, 1.9e-9, 2.5e-9, 1e-6] {
        let mut run = build(
            &format!(
                r#"(dimension: 3, time: (step: 1e-3, end: 1, on_failure: Stop), materials: {{"m": (density: 2500)}},
  bodies: [(group: "a", material: "m", shape: Sphere(radius: 1e-3), at: (0, 0, 0)), (group: "b", material: "m", shape: Sphere(radius: 1e-3), at: (2e-3, 0, {rise}))],
  interactions: [(between: ("a", "b"), law: Coulomb(friction: 0))],
  loads: [(on: "a", load: Locked(axes: [X, Y, SpinX, SpinY, SpinZ])), (on: "b", load: Locked(axes: [X, Y, SpinX, SpinY, SpinZ]))], physics: [Contact()])"#
            ),
            &[],
        );
        steps(&mut run, 20);
        let [a, b] = [0, 1].map(|body| run.world().kinematics.position[body]);
        assert!(a.norm() < 1e-12 && (b.z - rise).abs() < 1e-12, "{rise}: {a:?}, {b:?}");
    }
}

/// What is driven into what is locked along that line has a force that nothing tells.
#[test]
fn what_closes_all_the_same_is_refused() {
    let words = beside(3, "shape: Sphere(radius: 0.1)", 1e-3, -0.1, false).unwrap_err();
    assert!(words.contains("no impulse can change its normal velocity"), "{words}");
}
