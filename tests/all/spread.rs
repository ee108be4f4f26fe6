//! The spread of what rigid contacts leave open: a disc between two walls of a groove against the range that statics allows, with the resistance that follows,
//! and what is determinate.

use crate::granular::build;

const MU: f64 = 0.5;

/// A disc of 1 kg in a groove of 90°, after some steps; its forces between walls are open by friction.
fn groove(solver: &str, physics: &str) -> mpcd_sim::Simulation {
    let mut run = build(
        &format!(
            r#"(dimension: 2, gravity: (0, -10), time: (step: "1 ms", end: 1),
  materials: {{"m": (density: 1000, electrical: (conductivity: 1e9))}},
  bodies: [
    (group: "disc", material: "m", shape: Disc(radius: 0.1), mass: "1 kg", at: (0, 0.141421356)),
    (group: "left", material: "m", shape: Plane(normal: (1, 1))),
    (group: "right", material: "m", shape: Plane(normal: (-1, 1)))],
  interactions: [(between: ("disc", "left"), law: Coulomb(friction: {MU})), (between: ("disc", "right"), law: Coulomb(friction: {MU}))],
  physics: [Contact({solver}){physics}],
  output: (probes: [(name: "left", of: "normal_force", group: "left"), (name: "right", of: "normal_force", group: "right"), (name: "lift", of: "force", group: "disc", component: Y, reduce: Sum)]))"#
        ),
        &[],
    );
    for _ in 0..20 {
        run.step().unwrap();
    }
    run
}

/// Horizontal balance and moments leave N on both walls open between W/(2 (cos α + μ sin α)) and W/(2 (cos α − μ sin α)), α = 45°.
#[test]
fn forces_in_a_groove_have_the_range_of_statics() {
    let c = std::f64::consts::FRAC_1_SQRT_2;
    let [least, most] = [10.0 / (2.0 * c * (1.0 + MU)), 10.0 / (2.0 * c * (1.0 - MU))];
    let electrical =
        r#", Electrical(law: Holm(hardness: 1e8), potential: [(group: "left", value: 1), (group: "right", value: 0)])"#;
    for solver in ["tolerance: 1e-10", "tolerance: 1e-10, solver: \"nlgs\"", "tolerance: 1e-10, solver: \"nsn-ac\""] {
        let mut run = groove(solver, electrical);
        let before = (run.save().unwrap(), run.time());
        let spread = run.spread(60).unwrap();
        assert_eq!((run.save().unwrap(), run.time()), before, "{solver}: something is left behind");
        assert_eq!(spread.samples + spread.failed, 60);
        assert!(spread.failed <= 3, "{solver}: {} failed", spread.failed);
        for wall in ["left", "right"] {
            let found = spread.columns[wall];
            assert!(
                found.least > least * (1.0 - 1e-6) && found.greatest < most * (1.0 + 1e-6),
                "{solver}: {found:?} of {least} to {most}"
            );
            assert!(found.greatest - found.least > 0.7 * (most - least), "{solver}: {found:?} of {least} to {most}");
        }
        // what does not depend on it
        let lift = spread.columns["lift"];
        assert!((lift.mean - 10.0).abs() < 1e-6 && lift.relative() < 1e-7, "{solver}: {lift:?}");
        // two contacts of R = 1/(2 σ √(N/πH)) in series, both of the same N
        let resistance = spread.columns["resistance"];
        let of = |force: f64| 1.0 / (1e9 * (force / (std::f64::consts::PI * 1e8)).sqrt());
        assert!((resistance.greatest / of(spread.columns["left"].least) - 1.0).abs() < 1e-6, "{solver}: {resistance:?}");
        assert!((resistance.least / of(spread.columns["left"].greatest) - 1.0).abs() < 1e-6, "{solver}: {resistance:?}");
        assert!((spread.force - (1.0 - spread.columns["left"].least / spread.columns["left"].greatest)).abs() < 1e-6, "{solver}");
    }
}

/// Without friction nothing is open; with the same starts in another run the same comes out.
#[test]
fn what_is_determinate_has_no_spread() {
    let mut run = groove("tolerance: 1e-10", "");
    let [first, again] = [run.spread(10).unwrap(), run.spread(10).unwrap()];
    assert_eq!(first, again);
    let mut run = build(
        r#"(dimension: 2, gravity: (0, -10), time: (step: "1 ms", end: 1),
  materials: {"m": (density: 1000)},
  bodies: [
    (group: "disc", material: "m", shape: Disc(radius: 0.1), mass: "1 kg", at: (0, 0.141421356)),
    (group: "left", material: "m", shape: Plane(normal: (1, 1))),
    (group: "right", material: "m", shape: Plane(normal: (-1, 1)))],
  interactions: [(between: ("disc", "left"), law: Coulomb(friction: 0)), (between: ("disc", "right"), law: Coulomb(friction: 0))],
  physics: [Contact(tolerance: 1e-10)], output: (probes: [(name: "left", of: "normal_force", group: "left")]))"#,
        &[],
    );
    for _ in 0..20 {
        run.step().unwrap();
    }
    let spread = run.spread(20).unwrap();
    assert!(spread.failed == 0 && spread.force < 1e-7 && spread.columns["left"].relative() < 1e-7, "{spread:?}");
    assert!((spread.columns["left"].mean - 10.0 * std::f64::consts::FRAC_1_SQRT_2).abs() < 1e-6);
}
