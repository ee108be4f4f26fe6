//! Bonds and bridges that are there when a run begins, across the boundary of a cell whose lengths move from the first step on.

use crate::granular::{build, column};

/// Balls in a cubic lattice, touching, in a cell that a rate stretches along x from the start: all neighbours are bonded, those across its boundary as those within. With θ < 1 what the boundary had moved until the
/// contact configuration counted as a gap, and those bonds were not made: bridges carried −98 Pa, and then nothing, of −500 Pa.
#[test]
fn what_touches_across_the_boundary_of_a_moving_cell_is_bonded() {
    let balls: String = (0..64)
        .map(|k| {
            let at = |n: usize| 0.05 + 0.1 * n as f64;
            format!(
                r#"(group: "b", material: "m", shape: Sphere(radius: 0.05), at: ({}, {}, {})),"#,
                at(k % 4),
                at(k / 4 % 4),
                at(k / 16)
            )
        })
        .collect();
    for theta in [0.5, 0.75, 1.0] {
        for (law, stress) in [
            ("Capillary(force: 5, rupture: 1e-3, friction: 0.3)", Some(-500.0)),
            ("Bilinear(friction: 0.3, normal_stiffness: 1e5, tensile_strength: 2e4, energy: 1e5, area: 1e-3)", None),
            ("Extrinsic(friction: 0.3, strength: 2e6, energy: 1e5, area: 1e-3)", None),
        ] {
            let text = format!(
                r#"(dimension: 3, periodic: (x: 0.4, y: 0.4, z: 0.4, rate: (x: 0.05)), time: (step: 1e-3, end: 3e-3, theta: {theta}), materials: {{"m": (density: 1000)}},
                bodies: [{balls}], interactions: [(between: ("b", "b"), law: {law})], physics: [Contact()])"#
            );
            let mut run = build(&text, &[]);
            let step = run.step().unwrap_or_else(|e| panic!("θ {theta}, {law}: {e}"));
            let bonds = column(&run, &step, "bonds").unwrap();
            assert!(bonds == 192.0, "θ {theta}, {law}: {bonds} bonds");
            if let Some(stress) = stress {
                let cell = column(&run, &step, "cell_stress_x").unwrap();
                assert!((cell / stress - 1.0).abs() < 1e-2, "θ {theta}: {cell} Pa of {stress} Pa");
            }
        }
    }
}
