//! Heat across gaps of rigid bodies, by a gas and by radiation: faces that are not level, and what lies in a hollow. Numbers by hand.

use mpcd_sim::{Simulation, StepOutcome};

use crate::granular::{build, column};

const SIGMA: f64 = 5.670_374_419e-8;

/// A body over a held one for one step of 1 ms: heat that it takes (W), and whether something was said of what sees nothing.
fn passes(dimension: u8, low: &str, high: &str, module: &str) -> (f64, bool) {
    let held = if low.contains("Plane") { "" } else { r#"loads: [(on: "low", load: Fixed)],"# };
    let text = format!(
        r#"(dimension: {dimension}, time: (step: 1e-3, end: 1),
  materials: {{"m": (density: 1e9, elastic: (young: 1e9, poisson: 0.3), thermal: (conductivity: 40, specific_heat: 1e6, emissivity: 1))}},
  bodies: [(group: "low", material: "m", shape: {low}), (group: "high", material: "m", shape: {high})],
  interactions: [(between: ("low", "high"), law: Coulomb(friction: 0))], {held}
  physics: [Contact(alert: 5e-3), Thermal(law: Insulating, coupling: (dilatation: false), {module}, temperature: 300,
    boundary: [Temperature(group: "low", value: 800)])])"#
    );
    let mut run: Simulation = build(&text, &[]);
    let step: StepOutcome = run.step().unwrap();
    let unseen = format!("{:?}", run.summary().warnings).contains("an edge or a corner");
    (column(&run, &step, "heat_stored").unwrap() / 1e-3, unseen)
}

/// A box of 1 cm, tilted so that its nearer edge is `gap` over the top at `top`; in the plane its depth is `deep`.
fn box_over(dimension: u8, top: f64, gap: f64, tilt: f64) -> String {
    let (s, c) = (tilt.sin(), tilt.cos());
    let up = top + gap + 0.005 * s + 0.005 * c;
    if dimension == 2 {
        format!("Box(size: (0.01, 0.01), thickness: 0.01), at: (0, {up}), rotation: {tilt}")
    } else {
        format!("Box(size: (0.01, 0.01, 0.01)), at: (0, 0, {up}), rotation: ((0, 1, 0), {tilt})")
    }
}

/// Gas between faces at an angle is ∫ k dA/(w + j) = k L b ln(w₂/w₁)/tan θ, and radiation that of an inclined face over a plane, from level up to 45°: both were 0 from a thousandth of a radian
/// on where bodies touch.
#[test]
fn faces_at_an_angle_pass_heat() {
    let (k, jump) = (0.026, 1e-6);
    let gas = format!("gas: (conductivity: {k}, jump_distance: {jump})");
    for dimension in [2, 3] {
        let lows = if dimension == 2 {
            [("Plane(normal: (0, 1))", 0.0), ("Box(size: (0.04, 0.02), thickness: 0.01)", 0.01)]
        } else {
            [("Plane(normal: (0, 0, 1))", 0.0), ("Box(size: (0.04, 0.04, 0.02))", 0.01)]
        };
        for ((low, top), (gap, tilt)) in lows.into_iter().flat_map(|low| {
            [(1e-4, 1e-4), (1e-4, 5e-3), (1e-4, 0.012), (1e-4, 0.03), (0.0, 5e-4), (0.0, 2e-3), (0.0, 0.02), (1e-5, 0.3)]
                .map(|at| (low, at))
        }) {
            let high = box_over(dimension, top, gap, tilt);
            let what = format!("{high} on {low}");
            let (found, unseen) = passes(dimension, low, &high, &gas);
            let (near, far) = (gap + jump, gap + jump + 0.01 * tilt.sin());
            let exact = 500.0 * k * 0.01 * 0.01 * tilt.cos() * (far / near).ln() / (far - near);
            assert!((found / exact - 1.0).abs() < 3e-3 && !unseen, "{what}: gas {found} W of {exact} W");
            if dimension == 3 {
                let (found, _) = passes(dimension, low, &high, "radiation: true");
                let exact = SIGMA * (800.0_f64.powi(4) - 300.0_f64.powi(4)) * 1e-4 * 0.5 * (1.0 + tilt.cos());
                assert!((found / exact - 1.0).abs() < 3e-3, "{what}: radiation {found} W of {exact} W");
            }
        }
    }
    // What looks with its edge alone is told.
    let (found, unseen) = passes(3, "Box(size: (0.04, 0.04, 0.02))", &box_over(3, 0.01, 1e-4, 1.0), &gas);
    assert!(unseen && found == 0.0, "{found} W");
}

/// All that leaves a ball in a hollow ball ends on that, wherever it lies: it counted as one beside it. In a tube it is refused.
#[test]
fn a_ball_in_a_shell_sees_it_all() {
    for (radius, at) in [(9e-3, 1e-4), (3e-3, 6.5e-3)] {
        let high = format!("Sphere(radius: {radius}), at: ({at}, 0, 0)");
        let (found, _) = passes(3, "HollowSphere(radius: 10e-3, wall: 1e-3)", &high, "radiation: true");
        let exact = SIGMA * (800.0_f64.powi(4) - 300.0_f64.powi(4)) * 4.0 * std::f64::consts::PI * radius * radius;
        assert!((found / exact - 1.0).abs() < 3e-3, "{high}: {found} W of {exact} W");
    }
    // Beside it, as two balls.
    let (found, _) =
        passes(3, "HollowSphere(radius: 10e-3, wall: 1e-3)", "Sphere(radius: 10e-3), at: (0.021, 0, 0)", "radiation: true");
    let (of_balls, _) = passes(3, "Sphere(radius: 11e-3)", "Sphere(radius: 10e-3), at: (0.0211, 0, 0)", "radiation: true");
    assert!((found / of_balls - 1.0).abs() < 0.1, "{found} W, {of_balls} W");
    // A flat ellipsoid is blunter than it is wide, and in no hollow.
    let (found, _) =
        passes(3, "Plane(normal: (0, 0, 1))", "Ellipsoid(radii: (0.01, 0.01, 0.002)), at: (0, 0, 0.0021)", "radiation: true");
    assert!(found > 0.0);
    let text = r#"(dimension: 3, time: (step: 1e-3, end: 1),
  materials: {"m": (density: 1000, elastic: (young: 1e9, poisson: 0.3), thermal: (conductivity: 40, specific_heat: 400, emissivity: 1))},
  bodies: [(group: "low", material: "m", shape: HollowCylinder(radius: 0.01, wall: 1e-3, length: 0.1)), (group: "high", material: "m", shape: Sphere(radius: 3e-3), at: (6.5e-3, 0, 0))],
  interactions: [(between: ("low", "high"), law: Coulomb(friction: 0))], loads: [(on: "low", load: Fixed)],
  physics: [Contact(alert: 5e-3), Thermal(law: Insulating, radiation: true)])"#;
    let said = build(text, &[]).step().unwrap_err().to_string();
    assert!(said.contains("hollow"), "{said}");
}
