//! What a law or a module does may not depend on how fast the whole scene moves, nor on which way it turns: the same scene at rest and with one velocity added to all, and pairs that turn steadily
//! as one body. What rigid bonds bear there is in `turning_bonds`.

use crate::granular::{build, column};

/// Columns of the last step, in the order of `names`.
fn last(text: &str, names: &[&str]) -> Vec<f64> {
    let mut run = build(text, &[]);
    loop {
        let step = run.step().unwrap_or_else(|e| panic!("{e}: {text}"));
        if run.finished() {
            return names.iter().map(|name| column(&run, &step, name).unwrap()).collect();
        }
    }
}

/// Two balls 2 mm apart, the alert distance 0.4 mm (2 % of the radius): no gas conducts between them and nothing radiates, at whatever speed they go side by side. What the search for contacts
/// holds of fast bodies, and lets go of in short steps, made 412 K and 335 K of 293 K.
#[test]
fn heat_crosses_gaps_up_to_the_alert_distance_at_any_speed() {
    let hottest = |speed: f64, step: f64, gap: f64, heat: &str, alert: &str| {
        let text = format!(
            r#"(dimension: 3, time: (step: {step}, end: 0.02), materials: {{"n": (density: 1000), "m": (density: 1000, thermal: (conductivity: 50, specific_heat: 1, emissivity: 0.9))}},
  bodies: [(group: "a", material: "m", shape: Sphere(radius: 0.02), at: (0, 0, 0), velocity: (0, {speed}, 0)),
    (group: "b", material: "m", shape: Sphere(radius: 0.02), at: ({}, 0, 0), velocity: (0, {speed}, 0)),
    (group: "f", material: "n", shape: Plane(normal: (0, 0, 1)), at: (0, 0, -0.02))],
  interactions: [(between: ("a", "b"), law: Coulomb(friction: 0.5)), (between: ("a", "f"), law: Coulomb(friction: 0)), (between: ("b", "f"), law: Coulomb(friction: 0))],
  physics: [Contact({alert}), Thermal(law: Constant(conductance: 1), {heat}, initial: [(group: "a", temperature: 1000)])],
  output: (probes: [(name: "T", of: "temperature", group: "b")]))"#,
            0.04 + gap
        );
        last(&text, &["T"])[0]
    };
    for heat in [r#"gas: (conductivity: 0.5, jump_distance: "0.4 µm")"#, "radiation: true"] {
        for (gap, alert, warms) in
            [(2e-3, "", false), (2e-3, "alert: 2.5e-3", true), (3e-4, "", true), (3e-4, "alert: 2e-4", false)]
        {
            let still = hottest(0.0, 1e-3, gap, heat, alert);
            assert_eq!(still > 300.0, warms, "{heat}, {gap} m, {alert:?}: {still} K");
            for (speed, step) in [(3.0, 1e-3), (40.0, 1e-3), (3.0, 1e-4)] {
                let found = hottest(speed, step, gap, heat, alert);
                // first order in the step of the heat
                let near = if step < 1e-3 { 0.05 * (still - 293.15) } else { 1e-9 * still };
                assert!(
                    (found - still).abs() <= near,
                    "{heat}, {gap} m, {alert:?}, {speed} m/s, {step} s: {found} K, {still} K at rest"
                );
            }
        }
    }
}

/// A ball strikes another aslant: a bridge forms, at rest and at any speed of both. Whether the gap after the impact was 0 or 10⁻¹⁸ m decided.
#[test]
fn what_strikes_is_wet() {
    for (dimension, shape) in [(2, "Disc(radius: 0.02)"), (3, "Sphere(radius: 0.02)")] {
        for aslant in [0.0, 0.0139, 0.025] {
            let strike = |speed: f64| {
                let vector = |x: f64, y: f64| if dimension == 2 { format!("({x}, {y})") } else { format!("({x}, {y}, 0)") };
                let text = format!(
                    r#"(dimension: {dimension}, time: (step: 5e-4, end: 0.02), materials: {{"m": (density: 1000)}},
  bodies: [(group: "a", material: "m", shape: {shape}, at: {}, velocity: {}), (group: "b", material: "m", shape: {shape}, at: {}, velocity: {})],
  interactions: [(between: ("a", "b"), law: Capillary(friction: 0, force: 0.05, rupture: 0.002))], physics: [Contact()])"#,
                    vector(0.0, 0.0),
                    vector(0.5 + speed, 0.0),
                    vector(0.0411, aslant),
                    vector(speed, 0.0)
                );
                last(&text, &["bonds"])[0]
            };
            for speed in [0.0, 7.3, -0.31, 41.0] {
                assert_eq!(strike(speed), 1.0, "{shape}, {aslant} m, {speed} m/s");
            }
        }
    }
    // what passes without touching stays dry
    let text = r#"(dimension: 3, time: (step: 5e-4, end: 0.02), materials: {"m": (density: 1000)},
  bodies: [(group: "a", material: "m", shape: Sphere(radius: 0.02), at: (-0.002, 0, 0), velocity: (0.5, 0, 0)), (group: "b", material: "m", shape: Sphere(radius: 0.02), at: (0, 0.0401, 0))],
  interactions: [(between: ("a", "b"), law: Capillary(friction: 0, force: 0.05, rupture: 0.002))], physics: [Contact()])"#;
    assert_eq!(last(text, &["bonds"])[0], 0.0);
}

/// Two bodies that touch when the run begins and turn about the middle between them: wet from the start, and held by m ω² r. From ω h = 0.012 on they were dry, and parted.
#[test]
fn a_bridge_holds_what_turns() {
    for (shape, mass) in
        [("Sphere(radius: 0.05)", 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1.25e-4), ("Box(size: (0.1, 0.1, 0.1))", 1.0)]
    {
        for step in [2e-3, 1e-3, 1e-4] {
            let text = format!(
                r#"(dimension: 3, time: (step: {step}, end: 0.02), materials: {{"m": (density: 1000)}},
  bodies: [(group: "a", material: "m", shape: {shape}, at: (0.05, 0, 0), velocity: (1, 3, 0), spin: (0, 0, 20)),
    (group: "b", material: "m", shape: {shape}, at: (-0.05, 0, 0), velocity: (1, 1, 0), spin: (0, 0, 20))],
  interactions: [(between: ("a", "b"), law: Capillary(friction: 0.5, force: 50, rupture: 0.001))], physics: [Contact(tolerance: 1e-10)],
  output: (probes: [(name: "n", of: "normal_force", reduce: Sum), (name: "d", of: "penetration")]))"#
            );
            let names = ["bonds", "n"];
            let text = text.replace(", (name: \"d\", of: \"penetration\")", "");
            let found = last(&text, &names);
            let want = -mass * 400.0 * 0.05;
            assert!(found[0] > 0.0 && (found[1] / want - 1.0).abs() < 2e-3, "{shape}, {step} s: {found:?}, not {want} N");
        }
    }
}

/// A pair in a film that a spring presses together, and that turns: it stays as near as it was. What the way along the chord opens in each step the film held open, 3 mm in half a second.
#[test]
fn a_film_lets_what_turns_stay_together() {
    for (shape, spin) in [
        ("Box(size: (0.1, 0.1), thickness: 0.1)", 20.0_f64),
        ("Disc(radius: 0.05, thickness: 0.1)", 10.0),
        ("Sphere(radius: 0.05)", 10.0),
    ] {
        for step in [1e-3, 2.5e-4_f64] {
            let text = format!(
                r#"(dimension: 2, time: (step: {step}, end: 0.2), materials: {{"m": (density: 1000)}},
  bodies: [(group: "a", material: "m", shape: {shape}, mass: 1, at: (0.05, 0), velocity: (1, {}), spin: {spin}),
    (group: "b", material: "m", shape: {shape}, mass: 1, at: (-0.05, 0), velocity: (1, {}), spin: {spin})],
  interactions: [(between: ("a", "b"), law: Lubrication(friction: 0.5, viscosity: 1, range: 0.005, roughness: 1e-4))],
  joints: [(between: ("a", "b"), joint: Spring(stiffness: 500, length: 0))], physics: [Contact(tolerance: 1e-10)],
  output: (probes: [(name: "xa", of: "position", component: X, group: "a"), (name: "ya", of: "position", component: Y, group: "a"),
    (name: "xb", of: "position", component: X, group: "b"), (name: "yb", of: "position", component: Y, group: "b")]))"#,
                2.0 + 0.05 * spin,
                2.0 - 0.05 * spin
            );
            let [xa, ya, xb, yb] = last(&text, &["xa", "ya", "xb", "yb"])[..] else { panic!() };
            let gap = (xa - xb).hypot(ya - yb) - 0.1;
            // the chord of a step, and what a Coulomb contact has
            let chord = 0.1 * (spin * step).powi(2);
            assert!(gap.abs() < 1e-6 + chord, "{shape}, {step} s: {gap} m");
        }
    }
}
