//! Beds that a liquid holds far more firmly than their inertia (drag · step / density is 10³ and more): one factor of relaxation does not find the step, quasi-Newton
//! does. What such a bed weighs in the liquid stands in the pressure, and the floor bears nothing yet.

use mpcd_sim::Simulation;

use crate::granular::{build, column, steps};

const STEPS: u64 = 6;

/// A bed of elastic beads, and a permeability over a viscosity that lets next to nothing out in the time of the test.
fn bed(spatial: bool, coupling: &str) -> Simulation {
    let (dimension, gravity, period, beads, floor, grid, ends, shape) = if spatial {
        (
            3,
            "(0, 0, -9.81)",
            r#"(x: "60 mm", y: "60 mm")"#,
            r#"Deposit(from: (0, 0, 0), to: ("60 mm", "60 mm", "60 mm"), sizes: Uniform(min: "4.5 mm", max: "5.5 mm"), seed: 3)"#,
            "(0, 0, 1)",
            r#"(from: (0, 0, 0), to: ("60 mm", "60 mm", "60 mm"), cell: "10 mm")"#,
            "x_min: Periodic, x_max: Periodic, y_min: Periodic, y_max: Periodic, z_min: Wall, z_max: Pressure(0)",
            "Sphere",
        )
    } else {
        (
            2,
            "(0, -9.81)",
            r#"(x: "60 mm")"#,
            r#"Deposit(from: (0, 0), to: ("60 mm", "120 mm"), sizes: Uniform(min: "2.2 mm", max: "2.8 mm"), seed: 3)"#,
            "(0, 1)",
            r#"(from: (0, 0), to: ("60 mm", "120 mm"), cell: "10 mm")"#,
            "x_min: Periodic, x_max: Periodic, y_min: Wall, y_max: Pressure(0)",
            r#"Disc(thickness: "10 mm")"#,
        )
    };
    let axis = if spatial { "Z" } else { "Y" };
    let text = format!(
        r#"(dimension: {dimension}, gravity: {gravity}, periodic: {period}, time: (step: "0.4 ms", end: 1, theta: 1),
  materials: {{"glass": (density: 2500)}},
  bodies: [
    (group: "beads", material: "glass", as: {shape}, packing: {beads}),
    (group: "floor", material: "glass", shape: Plane(normal: {floor})),
  ],
  interactions: [
    (between: ("beads", "beads"), law: Elastic(stiffness: "10 kN/m", friction: 0.5)),
    (between: ("beads", "floor"), law: Elastic(stiffness: "10 kN/m", friction: 0.5)),
  ],
  loads: [(on: "floor", load: Fixed)],
  physics: [
    Contact(),
    Darcy(
      grid: {grid}, fluid: Liquid(viscosity: "1 Pa s", density: 1000, compressibility: 1e-8), permeability: Given("1e-10 m^2"),
      boundaries: ({ends}), scheme: Unsplit(theta: 1),
    ),
  ],
  {coupling}
  output: (probes: [(name: "floor", of: "resultant", component: {axis}, group: "floor")]))"#
    );
    build(&text, &[])
}

/// Weight of the beads in the liquid above a height (N).
fn weight_above(run: &Simulation, height: f64, spatial: bool) -> f64 {
    let bodies = &run.setup().bodies;
    let centres = &run.world().kinematics.position;
    let beads = bodies.mass.iter().zip(centres).filter(|(m, _)| m.is_finite());
    beads.filter(|(_, c)| (if spatial { c.z } else { c.y }) > height).map(|(m, _)| m * (1.0 - 1000.0 / 2500.0) * 9.81).sum()
}

/// Mean pressure in the lowest cells (Pa).
fn lowest(run: &Simulation, spatial: bool) -> f64 {
    let cells = if spatial { 36 } else { 6 };
    run.field("pressure").unwrap()[..cells].iter().sum::<f64>() / cells as f64
}

#[test]
fn a_tight_bed_of_the_plane_is_solved_without_halving() {
    solved(false);
}

#[test]
fn a_tight_bed_of_space_is_solved_without_halving() {
    solved(true);
}

fn solved(spatial: bool) {
    let mut run = bed(spatial, "");
    let outcome = steps(&mut run, STEPS);
    assert_eq!((run.counters().rejected, run.counters().failed_steps), (0, 0));
    let floor = column(&run, &outcome, "floor").unwrap();
    let whole = weight_above(&run, -1.0, spatial);
    assert!(floor.abs() < 0.01 * whole, "the floor bears {floor} of {whole} N");
    // in the middle of the lowest cells: more than what lies above these, less than all
    let area = if spatial { 0.06 * 0.06 } else { 0.06 * 0.01 };
    let pressure = lowest(&run, spatial);
    let [least, most] = [weight_above(&run, 10e-3, spatial), whole].map(|weight| weight / area);
    assert!(pressure > least && pressure < most && most < 1.25 * least, "{pressure} within {least} and {most} Pa");
    // the same as by quasi-Newton alone, and not by one factor
    let mut alone = bed(spatial, "coupling: Iterated(relaxation: QuasiNewton),");
    steps(&mut alone, STEPS);
    let same = lowest(&alone, spatial);
    assert!((pressure / same - 1.0).abs() < 2e-3, "{pressure} and {same} Pa");
    let mut one = bed(spatial, "coupling: Iterated(relaxation: Aitken),");
    let stopped = (0..STEPS).any(|_| one.step().is_err());
    assert!(stopped || one.counters().rejected > 0, "Aitken's factor does");
}
