//! The limit of vanishing steps, and repetitions to reach a step: staggered and iterated couplings of current, heat, dilatation and force.

use std::path::Path;

use crate::granular::{build, steps};

/// A ball between two fixed plates, elastic contacts of 1 MN/m that touch and carry nothing, 1 V across them, 20 W into the ball.
fn clamped(h: f64, coupling: &str, contact: &str) -> f64 {
    let text = format!(
        r#"(dimension: 3, time: (step: {h:e}, end: 1, theta: 1),
        materials: {{"steel": (
            density: 7800, elastic: (young: 210e9, poisson: 0.3), electrical: (conductivity: 1.4e6),
            thermal: (conductivity: 50, specific_heat: 500, expansion: 1.2e-5),
        )}},
        bodies: [
            (group: "plate", material: "steel", shape: Plane(normal: (0, 0, 1))),
            (group: "ball", material: "steel", shape: Sphere(radius: 5e-3), at: (0, 0, 5e-3)),
            (group: "lid", material: "steel", shape: Plane(normal: (0, 0, -1)), at: (0, 0, 10e-3)),
        ],
        interactions: [
            (between: ("ball", "plate"), law: Elastic(stiffness: 1e6, friction: 0)),
            (between: ("ball", "lid"), law: Elastic(stiffness: 1e6, friction: 0)),
            (between: ("plate", "lid"), law: NoContact),
        ],
        loads: [(on: "plate", load: Fixed), (on: "lid", load: Fixed)],
        physics: [
            Contact({contact}),
            Electrical(law: Hertz, potential: [(group: "plate", value: 0), (group: "lid", value: 1)]),
            Thermal(law: Hertz, temperature: 293.15, coupling: (friction: false, impact: false), boundary: [
                Temperature(group: "plate", value: 293.15), Temperature(group: "lid", value: 293.15), Power(group: "ball", value: 20),
            ]),
        ],
        coupling: {coupling},
        output: (every: 100000))"#
    );
    let mut run = build(&text, &[]);
    while !run.finished() {
        steps(&mut run, 1);
    }
    let contact = run.world().network.iter().next().unwrap();
    contact.r.x / h
}

/// The force at the end by the equations of the case, with 4th-order Runge–Kutta in s, t = s³, in which the temperature is smooth.
fn exact() -> f64 {
    let (radius, modulus) = (5e-3_f64, 210e9 / (2.0 * (1.0 - 0.09)));
    let capacity = 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3) * 7800.0 * 500.0;
    let force = |rise: f64| 1e6 * radius * 1.2e-5 * rise;
    // The ball that has swollen is the one that touches.
    let spot = |rise: f64| (0.75 * force(rise) * radius * (1.0 + 1.2e-5 * rise) / modulus).cbrt();
    // Two contacts of 2σa in series; half of the heat of each goes into the ball. Conduction 2ka through each.
    let rate = |rise: f64| (20.0 + 0.5 * 1.4e6 * spot(rise) - 2.0 * 2.0 * 50.0 * spot(rise) * rise) / capacity;
    let f = |s: f64, rise: f64| 3.0 * s * s * rate(rise.max(0.0));
    let (n, mut rise) = (20_000, 0.0_f64);
    let d = 1.0 / f64::from(n);
    for k in 0..n {
        let s = f64::from(k) * d;
        let k1 = f(s, rise);
        let k2 = f(s + 0.5 * d, rise + 0.5 * d * k1);
        let k3 = f(s + 0.5 * d, rise + 0.5 * d * k2);
        let k4 = f(s + d, rise + d * k3);
        rise += d / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    force(rise)
}

/// Current on from zero force. Where the contacts are solved finely enough, both couplings are of first order to the finest step, and both
/// have the limit of the equations.
#[test]
fn staggered_and_iterated_have_one_limit_from_zero_force() {
    let exact = exact();
    let extrapolated = ["Staggered", "Iterated()"].map(|coupling| {
        let found = [8, 9, 10, 11].map(|k| clamped(0.5_f64.powi(k), coupling, "tolerance: 1e-12"));
        for f in found.windows(2) {
            let ratio = (f[0] / exact - 1.0) / (f[1] / exact - 1.0);
            assert!((ratio - 2.0).abs() < 0.07, "{coupling}: {ratio}");
        }
        2.0 * found[3] - found[2]
    });
    assert!(extrapolated.iter().all(|f| (f / exact - 1.0).abs() < 1e-5), "{extrapolated:?} {exact}");
    assert!((extrapolated[0] / extrapolated[1] - 1.0).abs() < 3e-6, "{extrapolated:?}");
}

/// A step shorter than it takes the force to change by the tolerance of the contacts finds the force of the step before good enough: what is
/// left is up to 100 times that tolerance, whatever the step.
#[test]
fn forces_are_no_finer_than_the_tolerance_of_contacts() {
    for k in [10, 11, 12] {
        let h = 0.5_f64.powi(k);
        let fine = clamped(h, "Staggered", "tolerance: 1e-12");
        for tolerance in [1e-5, 1e-6, 1e-7] {
            let off = clamped(h, "Staggered", &format!("tolerance: {tolerance:e}")) / fine - 1.0;
            assert!(off.abs() < 100.0 * tolerance, "h = {h}: {off:e} at {tolerance:e}");
        }
    }
    // So it is the start from the last impulses that lags.
    let h = 0.5_f64.powi(11);
    let off = |contact: &str| (clamped(h, "Staggered", contact) / clamped(h, "Staggered", "tolerance: 1e-12") - 1.0).abs();
    assert!(off("tolerance: 1e-5, warm_start: false") < 0.05 * off("tolerance: 1e-5"));
}

/// Balls side by side between a plate and a heavy piston each, with a current through each that heats and lengthens it: one step.
fn stacks(relaxation: &str, tolerance: f64) -> (u32, f64) {
    let (mut bodies, mut loads, mut feeds, mut held, mut laws) =
        (String::new(), String::new(), String::new(), String::new(), String::new());
    for (k, (radius, mass, current)) in
        [(5e-3, 20.0, 1000.0), (3e-3, 60.0, 500.0), (2e-3, 5.0, 300.0), (4e-3, 40.0, 1200.0)].iter().enumerate()
    {
        let x = 0.1 * k as f64;
        bodies += &format!(
            r#"(group: "ball", material: "steel", shape: Sphere(radius: {radius}), at: ({x}, 0, {radius})),
            (group: "piston{k}", material: "steel", shape: Box(size: (0.02, 0.02, 0.01)), at: ({x}, 0, {}), mass: {mass}),"#,
            2.0 * radius + 5e-3
        );
        laws += &format!(
            r#"(between: ("ball", "piston{k}"), law: Coulomb(friction: 0)), (between: ("plate", "piston{k}"), law: NoContact),"#
        );
        for j in k + 1..4 {
            laws += &format!(r#"(between: ("piston{k}", "piston{j}"), law: NoContact),"#);
        }
        loads += &format!(
            r#"(on: "piston{k}", load: Force(z: -10)), (on: "piston{k}", load: Locked(axes: [X, Y, SpinX, SpinY, SpinZ])),"#
        );
        feeds += &format!(r#"(group: "piston{k}", value: {current}),"#);
        held += &format!(r#"Temperature(group: "piston{k}", value: 293.15),"#);
    }
    let text = format!(
        r#"(dimension: 3, gravity: (0, 0, 0), time: (step: 1e-3, end: 1e-3, theta: 1),
        materials: {{
            "steel": (density: 7800, elastic: (young: 210e9, poisson: 0.3), electrical: (conductivity: 1.4e6),
                thermal: (conductivity: 50, specific_heat: 500, expansion: 1.2e-5)),
        }},
        bodies: [(group: "plate", material: "steel", shape: Plane(normal: (0, 0, 1))), {bodies}],
        interactions: [(between: ("ball", "ball"), law: NoContact), (between: ("ball", "plate"), law: Coulomb(friction: 0)), {laws}],
        loads: [{loads}],
        physics: [
            Contact(tolerance: 1e-13),
            Electrical(law: Hertz, potential: [(group: "plate", value: 0)], current: [{feeds}]),
            Thermal(law: Hertz, temperature: 293.15, coupling: (friction: false, impact: false),
                boundary: [Temperature(group: "plate", value: 293.15), {held}]),
        ],
        coupling: Iterated(tolerance: {tolerance:e}, max_iterations: 200, relaxation: {relaxation}))"#
    );
    let mut run = build(&text, &[]);
    let outcome = steps(&mut run, 1);
    (outcome.coupling.unwrap().0, run.world().network.iter().map(|c| c.r.x).sum())
}

/// Repetitions of 20 steps of grains that sink in a fluid.
fn sinking(relaxation: &str, density: &str) -> (u32, f64) {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../models/coupled"));
    let text = std::fs::read_to_string(folder.join("settling-in-fluid.ron")).unwrap();
    let coupling = format!("coupling: Iterated(tolerance: 1e-9, max_iterations: 200, relaxation: {relaxation}),\n  physics:");
    let text = text.replacen("physics:", &coupling, 1).replace("tolerance: 1e-5", "tolerance: 1e-11").replace("2500 kg", density);
    let mut run = build(&text, &[]);
    let mut repetitions = 0;
    for _ in 0..20 {
        repetitions += steps(&mut run, 1).coupling.unwrap().0;
    }
    (repetitions, run.world().kinematics.position[0].z)
}

/// Several unlike loops of feedback at once: one factor for a field does not fit them all.
#[test]
fn quasi_newton_needs_fewer_repetitions() {
    let mut table = Vec::new();
    for relaxation in ["Fixed(1)", "Aitken", "QuasiNewton"] {
        let (steel, impulses) = stacks(relaxation, 1e-8);
        let (grains, height) = sinking(relaxation, "500 kg");
        table.push(([steel, grains], [impulses, height]));
    }
    let counts: Vec<[u32; 2]> = table.iter().map(|t| t.0).collect();
    assert!((0..2).all(|k| counts[2][k] < counts[1][k] && counts[1][k] < counts[0][k]), "{counts:?}");
    for (_, results) in &table {
        assert!((0..2).all(|k| (results[k] / table[0].1[k] - 1.0).abs() < 1e-7), "{table:?}");
    }
}

/// What cannot be agreed on is said: contacts solved to 1e-5 give no fields that agree to 1e-9.
#[test]
fn a_coupling_tolerance_finer_than_the_contacts_is_told() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../models/coupled"));
    let text =
        std::fs::read_to_string(folder.join("settling-in-fluid.ron")).unwrap().replace("Contact(tolerance: 1e-4)", "Contact()");
    let warnings = |tolerance: &str| {
        let mut run = build(&text.replacen("physics:", &format!("coupling: Iterated({tolerance}),\n  physics:"), 1), &[]);
        let tolerance = steps(&mut run, 1).coupling.unwrap().1;
        (run.summary().warnings, tolerance)
    };
    let found = warnings("tolerance: 1e-9").0;
    assert!(
        found
            .iter()
            .any(|w| w.contains("the coupling is to agree to 1.0e-9, but `Contact`, which is repeated, solves to 1.0e-5")
                && w.contains("leave `tolerance` of `coupling` out for 1.0e-3")),
        "{found:?}"
    );
    let (found, reached) = warnings("");
    assert!(found.is_empty() && reached <= 1e-3, "{found:?} {reached}");
}
