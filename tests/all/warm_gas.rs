//! A gas that is warmed by the grains of a whole model, from its first step on: in whichever order the modules stand, and at a pace of their own.

use crate::granular::{build, column, steps};

/// Fixed beads in a sealed box, all at the temperature that a formula gives; `modules` are heat and gas in some order.
fn bar(temperature: &str, heat_first: bool, coupling: &str, count: u64) -> f64 {
    let thermal = format!(
        r#"Thermal(law: Insulating, coupling: (dilatation: false), boundary: [Temperature(group: "beads", value: "{temperature}")])"#
    );
    let darcy =
        r#"Darcy(grid: (from: (0, 0, 0), to: ("8 mm", "8 mm", "8 mm"), cell: "2 mm"), fluid: Gas(), scheme: Unsplit(theta: 1))"#;
    let modules = if heat_first { format!("{thermal}, {darcy}") } else { format!("{darcy}, {thermal}") };
    let mut run = build(
        &format!(
            r#"(dimension: 3, gravity: (0, 0, 0), time: (step: "1 ms", end: 1),
  materials: {{"glass": (density: 2500, thermal: (conductivity: 1, specific_heat: 800))}},
  bodies: [(group: "beads", material: "glass", packing: Lattice(from: (0, 0, 0), to: ("8 mm", "8 mm", "8 mm"), sizes: Uniform(min: "0.9 mm", max: "0.9 mm")))],
  interactions: [(between: ("beads", "beads"), law: Coulomb(friction: 0.3))],
  loads: [(on: "beads", load: Fixed)], {coupling}
  physics: [Contact(), {modules}])"#
        ),
        &[],
    );
    let outcome = steps(&mut run, count);
    let [low, high] = ["pressure_min", "pressure_max"].map(|name| column(&run, &outcome, name).unwrap());
    assert!((high / low - 1.0).abs() < 1e-12, "{low} to {high} Pa");
    high / 1e5
}

/// p ∝ T, also for what happens within the first step: the gas knows the temperatures of the start, whoever comes first.
#[test]
fn a_gas_feels_what_warms_in_its_first_step() {
    let ramp = "293.15*(1 + 10*t)";
    let jump = "293.15*(1 + min(1, 1000*t))";
    for (coupling, lags) in [("", true), ("coupling: Staggered,", true), ("coupling: Iterated(),", false)] {
        // after n steps of a hundredth; a gas that runs before the heat and is not repeated with it reads the step before
        for heat_first in [true, false] {
            let late = u64::from(lags && !heat_first);
            for count in [1, 50] {
                let (found, want) = (bar(ramp, heat_first, coupling, count), 1.0 + 0.01 * (count - late) as f64);
                assert!((found - want).abs() < 1e-9, "{coupling} heat first {heat_first}: {found} bar after {count} steps");
            }
            assert!((bar(jump, heat_first, coupling, 1 + late) - 2.0).abs() < 1e-9, "{coupling} heat first {heat_first}");
        }
    }
    // of a slow warming as of a fast one: 0.3 mK a step are little of 293 K and all that happens
    for heat_first in [true, false] {
        let found = bar("293.15*(1 + 1e-3*t)", heat_first, "coupling: Iterated(),", 50);
        assert!((found - 1.0 - 5e-5).abs() < 1e-9, "heat first {heat_first}: {found} bar");
    }
    // one step of the gas in four reads the mean of 1 to 4 hundredths; four in one read the end of the step
    let seldom = r#"coupling: Staggered(pace: [(module: "Darcy", every: 4)]),"#;
    assert!((bar(ramp, true, seldom, 4) - 1.025).abs() < 1e-9, "{}", bar(ramp, true, seldom, 4));
    let often = r#"coupling: Staggered(pace: [(module: "Darcy", substeps: 4)]),"#;
    assert!((bar(ramp, true, often, 5) - 1.05).abs() < 1e-9, "{}", bar(ramp, true, often, 5));
    // an edge that is off holds the start
    let off = r#"coupling: Staggered(off: [(field: "temperature", to: "Darcy")]),"#;
    assert!((bar(ramp, true, off, 50) - 1.0).abs() < 1e-12);
}
