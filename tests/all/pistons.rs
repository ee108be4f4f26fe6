//! A free lid on a sealed gas: contact mechanics and pore fluid in one iterated step, whatever the masses.

use crate::granular::build;

/// A lid of this density on a metre of gas, 0.5 m × 0.5 m across along x or y, that starts with 1 mm/s × its frequency; returns how far it
/// is after a quarter of a period over the amplitude.
fn quarter(density: f64, steps: usize, upright: bool) -> f64 {
    let mass: f64 = density * 0.5 * 0.5 * 0.1;
    let omega = (1e5 * 0.25 / mass).sqrt();
    let h = 0.5 * std::f64::consts::PI / omega / steps as f64;
    let pair = |along: f64, across: f64| if upright { format!("({across}, {along})") } else { format!("({along}, {across})") };
    let model = format!(
        r#"(dimension: 2, gravity: (0, 0), time: (step: {h}, end: {}),
  materials: {{"m": (density: {density})}},
  bodies: [
    (group: "lid", material: "m", shape: Box(size: {}, thickness: 0.5), at: {}, velocity: {}),
    (group: "floor", material: "m", shape: Plane(normal: {})),
  ],
  interactions: [(between: ("lid", "floor"), law: Coulomb(friction: 0))],
  physics: [Contact(), Darcy(grid: (from: (0, 0), to: {}, cells: {}), thickness: 0.5, scheme: Unsplit(theta: 0.5), fluid: Gas(), permeability: Given("1e-2 m^2"))])"#,
        2.0 * h * steps as f64,
        pair(0.1, 0.5),
        pair(1.05, 0.25),
        pair(-1e-3 * omega, 0.0),
        pair(1.0, 0.0),
        pair(1.0, 0.5),
        if upright { "(2, 8)" } else { "(8, 2)" },
    );
    let mut run = build(&model, &[]);
    for _ in 0..steps {
        run.step().unwrap();
    }
    let axis = usize::from(upright);
    (1.05 - run.world().kinematics.position[0][axis]) / 1e-3
}

/// ω² = p₀ A/(m L) for an isothermal gas that is light or heavy beside the lid: the way after a quarter of a period is v/ω.
/// What is left at small steps is the amplitude over the length.
#[test]
fn a_free_lid_swings_on_a_sealed_gas() {
    for (density, upright) in [(100.0, true), (1e4, true), (1e6, false)] {
        let ways = [20, 40, 80].map(|n| quarter(density, n, upright));
        assert!((ways[2] - 1.0).abs() < 2e-3, "{density}: {ways:?}");
    }
    let (a, b) = (quarter(1e4, 20, true), quarter(1e4, 20, false));
    assert!((a / b - 1.0).abs() < 1e-9, "{a} {b}");
}
