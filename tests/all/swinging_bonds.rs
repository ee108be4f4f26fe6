//! Bodies that their bonds pull outwards: what turns them back is known a step late, so that long steps would make them swing ever farther. Here: that this is told, and what shorter steps give.

use mpcd_sim::Simulation;

use crate::granular::{build, column};

/// A body that is bonded to a wall and pulled away from it (N), with a push of 1 N across.
fn pulled(dimension: usize, shape: &str, law: &str, pull: f64, step: f64, watch: &str) -> Simulation {
    let (wall, origin, at) = if dimension == 2 {
        ("Box(size: (0.1, 0.1))", "(0, 0)", "(0.1, 0)")
    } else {
        ("Box(size: (0.1, 0.1, 0.1))", "(0, 0, 0)", "(0.1, 0, 0)")
    };
    build(
        &format!(
            r#"(dimension: {dimension}, time: (step: {step}, end: {}, theta: 1), materials: {{"m": (density: 1000)}},
  bodies: [(group: "f", material: "m", shape: {wall}, at: {origin}), (group: "b", material: "m", mass: 0.02, shape: {shape}, at: {at})],
  interactions: [(between: ("b", "f"), law: {law})],
  loads: [(on: "f", load: Fixed), (on: "b", load: Force(x: {pull}, y: 1))], physics: [Contact(tolerance: 1e-10{watch})],
  output: (probes: [(name: "y", of: "position", component: Y, group: "b")]))"#,
            80.0 * step
        ),
        &[],
    )
}

const SPRUNG: &str = "Bilinear(friction: 0.5, tensile_strength: 1e8, energy: 1e7, normal_stiffness: 1e10, tangential_stiffness: 4e9, bond_distance: 1e-6)";

const TIP: &str = "MohrCoulomb(friction: 0.5, tensile_strength: 1e9, cohesion: 1e9, area: 1e-3, bond_distance: 1e-6)";
const TRIANGLE: &str = "Polygon(vertices: [(-0.05, 0), (0.025, -0.02), (0.025, 0.02)])";

/// Dimension, shape, law, the way across at rest (m; a tip turns until push and pull are in line with it), and a step that is too long (s).
fn cases() -> [(usize, &'static str, &'static str, f64, f64); 3] {
    [
        (2, TRIANGLE, TIP, 0.05 / 1200.0, 2.2e-3),
        (2, "Box(size: (0.1, 0.004), thickness: 0.1)", SPRUNG, 3.3e-5, 0.1),
        (3, "Box(size: (0.1, 0.004, 0.1))", SPRUNG, 3.3e-5, 0.1),
    ]
}

#[test]
fn what_bonds_pull_does_not_swing_ever_farther() {
    for (dimension, shape, law, way, long) in cases() {
        let of = format!("{shape} {law}");
        // Short steps, and what they take for granted.
        for step in [1e-4, 5e-4] {
            let mut run = pulled(dimension, shape, law, 1200.0, step, "");
            let (mut sum, mut count) = (0.0, 0.0);
            while !run.finished() {
                let step = run.step().unwrap_or_else(|e| panic!("{of}, {step} s: {e}"));
                let y = column(&run, &step, "y").unwrap();
                assert!(y.abs() < 4.0 * way, "{of}, {step:?}: {y}");
                (sum, count) = (sum + y, count + 1.0);
            }
            if step > 2e-4 {
                assert!((sum / count / way - 1.0).abs() < 0.3, "{of}: {} m, not {way}", sum / count);
            }
        }
        // What turns about a tip comes through the wall at once in long steps, and is stopped for that.
        if law == TIP {
            continue;
        }
        // Far too long ones.
        let mut run = pulled(dimension, shape, law, 1200.0, long, "");
        let words = loop {
            match run.step() {
                Ok(_) if run.finished() => panic!("{of}: nothing was said"),
                Ok(_) => {}
                Err(e) => break e.to_string(),
            }
        };
        assert!(words.contains("swings ever farther"), "{of}: {words}");
        // Told where that is asked for.
        let mut run = pulled(dimension, shape, law, 1200.0, long, ", watch: (swing: Warn, overlap: Warn, spin: Warn)");
        // It breaks or stops in the end.
        while !run.finished() && run.step().is_ok() {}
        let warnings = run.summary().warnings;
        assert!(warnings.iter().any(|w| w.contains("swings ever farther")), "{of}: {warnings:?}");
    }
}

/// A body that hangs on its tip turns about it, with J + m a²: 2√((J + m a²)/(F a)) is 1.96 ms here, 2√(J/(F a)) 0.71 ms. Steps between are stable, and nothing is said or done.
#[test]
fn what_hangs_on_its_tip_may_take_the_steps_of_a_pendulum() {
    const SPRUNG_TIP: &str = "Bilinear(friction: 0.5, tensile_strength: 1e8, energy: 1e7, normal_stiffness: 1e10, tangential_stiffness: 4e9, area: 1e-3, bond_distance: 1e-6)";
    for step in [8e-4, 1.5e-3, 1.8e-3] {
        let mut run = pulled(2, TRIANGLE, SPRUNG_TIP, 1200.0, step, "");
        while !run.finished() {
            let done = run.step().unwrap_or_else(|e| panic!("{step} s: {e}"));
            let y = column(&run, &done, "y").unwrap();
            assert!(y.abs() < 5.0 * 0.05 / 1200.0 && done.rejected == 0, "{step} s: {y} m");
        }
        assert!(run.summary().warnings.is_empty(), "{step} s: {:?}", run.summary().warnings);
    }
}
