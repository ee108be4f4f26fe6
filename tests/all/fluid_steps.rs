//! Steps that are long against the time in which pressure spreads over a cell, which those of water always are: what `Darcy` says in them by default, and of `Split`.

use crate::granular::{build, column, steps};

/// A fixed cubic bed of balls of 1 cm in cells of 1 cm.
fn bed(size: &str, periodic: &str, darcy: &str) -> mpcd_sim::Simulation {
    build(
        &format!(
            r#"(dimension: 3, gravity: (0, 0, -10), periodic: {periodic}, time: (step: "1 ms", end: 1), materials: {{"g": (density: 2500)}},
  bodies: [(group: "g", material: "g", packing: Lattice(from: (0, 0, 0), to: {size}, sizes: Fixed(radius: "5 mm")))],
  interactions: [(between: ("g", "g"), law: Coulomb(friction: 0.3))], loads: [(on: "g", load: Fixed)],
  physics: [Contact(), Darcy(grid: (from: (0, 0, 0), to: {size}, cell: "10 mm"), {darcy})],
  output: (probes: [(name: "fz", of: "fluid_force", component: Z, reduce: Sum, group: "g")]))"#
        ),
        &[],
    )
}

/// A flux that is switched on within the run: Δp = η q L/κ at once and in every step after. It was 2 Δp and 0 by turns.
#[test]
fn a_flux_that_is_switched_on_does_not_ring() {
    let darcy = r#"fluid: Liquid(viscosity: "1e-3 Pa s"), permeability: Given(1e-9), couple: (buoyancy: false),
        boundaries: (x_min: Periodic, x_max: Periodic, y_min: Periodic, y_max: Periodic, z_min: Flux(Table([(0, 0), (0.0099, 0), (0.0101, 1e-4)])), z_max: Pressure(0))"#;
    let mut run = bed(r#"("40 mm", "40 mm", "80 mm")"#, r#"(x: "40 mm", y: "40 mm")"#, darcy);
    steps(&mut run, 15);
    for step in 0..10 {
        let last = steps(&mut run, 1);
        let (p, want) = (column(&run, &last, "pressure_max").unwrap(), 1e-3 * 1e-4 * 0.075 / 1e-9);
        assert!((p / want - 1.0).abs() < 1e-6, "step {step}: {p} Pa of {want} Pa");
    }
}

/// One axis after the other loses all of the pressure where that goes farther than a cell in a step: it is told, and not of `Unsplit`.
#[test]
fn split_steps_that_are_too_long_are_told() {
    let darcy = |scheme: &str| {
        format!(
            r#"fluid: Liquid(viscosity: "1e-3 Pa s"), scheme: {scheme},
        boundaries: (x_min: Pressure(0), x_max: Pressure(0), y_min: Periodic, y_max: Periodic, z_min: Flux(1e-3), z_max: Pressure(0))"#
        )
    };
    for (scheme, told) in [("Unsplit()", false), ("Split()", true), ("Split(theta: 0.5)", true)] {
        let mut run = bed(r#"("80 mm", "40 mm", "80 mm")"#, r#"(y: "40 mm")"#, &darcy(scheme));
        steps(&mut run, 3);
        let words = run.counters().warning_words().iter().any(|w| w.contains("`Split` takes one axis after the other"));
        assert_eq!(words, told, "{scheme}: {:?}", run.counters().warning_words());
    }
}

/// A gas at a hundred bars is a hundred times as dense, and bears so much more.
#[test]
fn a_gas_bears_by_its_density() {
    for bars in [1.0, 100.0] {
        let darcy = format!(
            r#"fluid: Gas(), initial: Uniform("{bars} bar"), boundaries: (x_min: Periodic, x_max: Periodic, y_min: Periodic, y_max: Periodic, z_min: Wall, z_max: Wall)"#
        );
        let mut run = bed(r#"("30 mm", "30 mm", "100 mm")"#, r#"(x: "30 mm", y: "30 mm")"#, &darcy);
        let last = steps(&mut run, 2);
        let volume = 90.0 * 4.0 / 3.0 * std::f64::consts::PI * 5e-3_f64.powi(3);
        let (found, want) = (column(&run, &last, "fz").unwrap(), 1.2 * bars * volume * 10.0);
        assert!((found / want - 1.0).abs() < 1e-6, "{bars} bar: {found} N of {want} N");
    }
}

/// What runs out runs out for ever: below the smallest numbers a pressure has no digits to be solved for, and the run was refused there.
#[test]
fn a_pressure_that_has_run_out_stops_nothing() {
    let solvers = ["Auto", "Cholesky", "ConjugateGradients", "Multigrid"].map(|solver| format!("linear_solver: {solver}"));
    for scheme in solvers.into_iter().chain(["Conservative", "Source"].map(|form| format!("scheme: Split(form: {form})"))) {
        let mut run = build(
            &format!(
                r#"(dimension: 3, time: (step: "10 ms", end: 1.5), materials: {{"s": (density: 2500)}},
  bodies: [(group: "g", material: "s", shape: Sphere(radius: 0.01), at: (0, 0, 0.03))], loads: [(on: "g", load: Fixed)],
  physics: [Contact(), Darcy(grid: (from: (-0.06, -0.06, 0), to: (0.06, 0.06, 0.12), cells: (6, 6, 6)), fluid: Liquid(), permeability: Given("1e-7 m^2"),
    initial: Uniform(1000), boundaries: (z_max: Pressure(0)), {scheme})],
  output: (probes: [(name: "ff", of: "fluid_force", component: Z, group: "g")]))"#
            ),
            &[],
        );
        while !run.finished() {
            let step = run.step().unwrap_or_else(|e| panic!("{scheme}: {e}"));
            assert_eq!(step.rejected, 0, "{scheme}: {step:?}");
            assert!(column(&run, &step, "ff").unwrap().is_finite());
        }
    }
}
