//! Bodies of laws of large strain that only contacts hold, pressed in steps so long that their own inertia would not keep them from turning over:
//! h²σ ≫ ρL².

use crate::granular::{build, column};

/// A block between a floor and a plate that a force presses: its stress is that of the force. The tangent of the block alone is indefinite by what it is pressed by;
/// contacts were given its inverse, and every step was refused or halved without end.
#[test]
fn a_block_that_nothing_holds_bears_a_press_in_long_steps() {
    for (law, share, step) in [
        ("SaintVenantKirchhoff", 1e-4, 0.1),
        ("SaintVenantKirchhoff", 1e-3, 0.1),
        ("NeoHookean", 1e-3, 0.1),
        ("NeoHookean", 1e-2, 0.01),
        ("Linear", 1e-2, 0.1),
    ] {
        let force = share * 1e9 * 0.2;
        let model = format!(
            r#"(dimension: 2, time: (step: {step}, end: {end}, theta: 1),
            materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: 0.3), solid: (law: {law})), "n": (density: 1000)}},
            bodies: [
              (group: "block", material: "m", shape: Mesh(of: Rectangle(size: (0.2, 0.2), cells: (2, 2), element: Q8), plane: PlaneStress)),
              (group: "floor", material: "n", shape: Plane(normal: (0, 1))),
              (group: "plate", material: "n", shape: Box(size: (0.3, 0.1)), at: (0.1, 0.25), mass: 10),
            ],
            interactions: [
              (between: ("block", "floor"), law: Coulomb(friction: 0.3)),
              (between: ("block", "plate"), law: Coulomb(friction: 0.3)),
              (between: ("plate", "floor"), law: NoContact),
            ],
            loads: [(on: "plate", load: Force(y: -{force})), (on: "plate", load: Locked(axes: [X, SpinZ]))],
            physics: [Contact()],
            output: (probes: [
              (name: "stress", of: "mesh_stress", component: YY, group: "block"),
              (name: "held", of: "resultant", component: Y, group: "plate"),
            ]))"#,
            end = 20.0 * step
        );
        let mut run = build(&model, &[]);
        let (mut last, mut steps) = (None, 0);
        while !run.finished() {
            last = Some(run.step().unwrap_or_else(|e| panic!("{law} {share}: {e}")));
            steps += 1;
        }
        let [stress, held] = ["stress", "held"].map(|name| column(&run, last.as_ref().unwrap(), name).unwrap());
        assert!((held / force - 1.0).abs() < 1e-6, "{law} {share}: {held} N of {force} N");
        // per unit of the present width, which friction keeps from growing near the ends
        assert!((stress * 0.2 / force + 1.0).abs() < 2e-3 + share, "{law} {share}: {stress} Pa");
        assert!(steps < 40, "{law} {share}: {steps} steps in place of 20");
    }
}
