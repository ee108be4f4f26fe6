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

/// A light rigid box that a force presses on a mesh: how its nodes share the load is told by how the mesh gives way, a millionth of the way that the force would take the box in
/// the step and less, which was below what the solve was asked: from steps of 0.1 s on one node bore too much, from 1 s on all of it, `converged`. The stress is that of short
/// steps; where rounding hides it the watchdog `stiff` says so.
#[test]
fn all_nodes_under_a_light_body_bear_it() {
    let run = |scheme: &str, step: f64, mass: f64| {
        let model = format!(
            r#"(dimension: 2, time: (step: {step:?}, end: {end:?}, theta: 1),
            materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: 0.3)), "n": (density: 7800)}},
            bodies: [
              (group: "b", material: "m", shape: Mesh(of: Rectangle(size: (0.04, 0.02), cells: (40, 20), element: Q4)), at: (-0.02, -0.02)),
              (group: "d", material: "n", shape: Box(size: (0.01, 0.02)), at: (0.0005, 0.01), mass: {mass:?}),
            ],
            interactions: [(between: ("b", "d"), law: Coulomb(friction: 0))],
            loads: [(on: "b.bottom", load: Fixed), (on: "d", load: Force(y: Ramp(from: 0, to: -20000, end: {ramp:?}))), (on: "d", load: Locked(axes: [X, SpinZ]))],
            physics: [Contact(deformable: (scheme: {scheme}))],
            output: (probes: [
              (name: "stress", of: "mesh_stress", component: YY, group: "b.top", reduce: Min),
              (name: "y", of: "position", component: Y, group: "d"),
            ]))"#,
            end = 15.0 * step,
            ramp = 5.0 * step
        );
        let mut run = build(&model, &[]);
        let mut last = None;
        while !run.finished() {
            let outcome = run.step().unwrap_or_else(|e| panic!("{scheme}, {step} s, {mass} kg: {e}"));
            last = Some(outcome);
        }
        let [stress, y] = ["stress", "y"].map(|name| column(&run, last.as_ref().unwrap(), name).unwrap());
        let is_told = run.counters().watched.iter().any(|(what, ..)| what == "stiff");
        (stress, y - 0.01, is_told)
    };
    let (stress, sunk, is_told) = run("Static", 1e-3, 1.56);
    assert!(!is_told && sunk < -1.7e-5, "{stress} Pa, {sunk} m");
    for (scheme, step, mass) in [
        ("Static", 0.1, 1.56),
        ("Static", 0.3, 1.56),
        ("Static", 1.0, 1.56),
        ("Static", 1.0, 100.0),
        ("Theta", 1e-3, 1e-4),
        ("Theta", 1e-2, 1e-2),
    ] {
        let found = run(scheme, step, mass);
        assert!((found.0 / stress - 1.0).abs() < 1e-3, "{scheme}, {step} s, {mass} kg: {} Pa of {stress}", found.0);
        assert!((found.1 / sunk - 1.0).abs() < 1e-3, "{scheme}, {step} s, {mass} kg: {} m of {sunk}", found.1);
    }
    assert!(run("Static", 100.0, 1.56).2);
}
