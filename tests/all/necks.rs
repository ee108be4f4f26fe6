//! Necks that sintering makes carry current: 2 σ x of a neck x^n = K t, once it is wider than the spot; between balls, on a wall, beside bonds
//! of nothing else, up to the widest neck; discs of the plane have none.

use std::path::Path;

use mpcd::StandardRegistry;
use mpcd_sim::{Model, Registry, Simulation};

use crate::granular::{build, steps};

const SIGMA: f64 = 1e6;
/// m⁵/s at 1000 K, with an activation temperature of 2000 K.
const RATE: f64 = 1e-19;

fn text(dimension: u8, bodies: &str, electrical: &str, thermal: &str) -> String {
    let (axis, other) = if dimension == 2 { ("y", "SpinZ") } else { ("z", "SpinX, SpinY, SpinZ") };
    let locked = if dimension == 2 { "X" } else { "X, Y" };
    format!(
        r#"(dimension: {dimension}, time: (step: "1 ms", end: "1 s"),
  materials: {{"m": (density: 8000, elastic: (young: 1e11, poisson: 0.3), electrical: (conductivity: {SIGMA}), thermal: (conductivity: 50, specific_heat: 500))}},
  bodies: [{bodies}],
  interactions: [(between: ("a", "b"), law: Coulomb(friction: 0.3))],
  loads: [(on: "b", load: Fixed), (on: "a", load: Locked(axes: [{locked}, {other}])), (on: "a", load: Force({axis}: -1))],
  physics: [Contact(tolerance: 1e-10), Electrical(law: {electrical}, on_open_circuit: SwitchOff, potential: [(group: "b", value: 0), (group: "a", value: 0.01)]),
    Thermal(law: {thermal}, time_scale: 1e5, coupling: (friction: false, impact: false, joule: false, dilatation: false),
      boundary: [Temperature(group: "a", value: 1000), Temperature(group: "b", value: 1000)])])"#
    )
}

const BALLS: &str = r#"(group: "a", material: "m", shape: Sphere(radius: 0.002), at: (0, 0, 0.002)), (group: "b", material: "m", shape: Sphere(radius: 0.002), at: (0, 0, -0.002))"#;
const WALL: &str = r#"(group: "a", material: "m", shape: Sphere(radius: 0.002), at: (0, 0, 0.002)), (group: "b", material: "m", shape: Box(size: (0.02, 0.02, 0.002)), at: (0, 0, -0.001))"#;
const DISCS: &str = r#"(group: "a", material: "m", shape: Disc(radius: 0.002), at: (0, 0.002)), (group: "b", material: "m", shape: Disc(radius: 0.002), at: (0, -0.002))"#;

/// Radius of a neck after a time of heat (s).
fn neck(time: f64, widest: f64) -> f64 {
    (RATE * (-2.0_f64).exp() * time).powf(0.2).min(widest)
}

#[test]
fn a_neck_carries_current_once_it_is_wider_than_the_spot() {
    let sinter = "Sinter(bare: Hertz, rate: 1e-19, exponent: 5, activation: 2000, widest: 0.5)";
    // 0.75 F R* / E*, E* = E / 2 (1 − ν²)
    let hertz = |reduced: f64| (0.75 * reduced / (1e11 / 1.82)).cbrt();
    for (bodies, reduced) in [(BALLS, 1e-3), (WALL, 2e-3)] {
        for (law, widest) in [("Hertz", 0.0), ("Neck(bare: Hertz)", 0.5 * reduced), ("Neck(bare: Insulating)", 0.5 * reduced)] {
            for count in [3_u64, 30, 300, 900] {
                let mut run = build(&text(3, bodies, law, sinter), &[]);
                steps(&mut run, count);
                let spot = if law.contains("Hertz") { hertz(reduced) } else { 0.0 };
                // the neck of the step before, 100 s of heat a step
                let expected = 0.01 * 2.0 * SIGMA * spot.max(neck(100.0 * (count - 1) as f64, widest));
                let found = run.field("current").unwrap().iter().sum::<f64>().abs();
                assert!((found / expected - 1.0).abs() < 1e-9, "{law}, {count}: {found} A of {expected}");
                let grown = run.field("neck").unwrap().iter().copied().fold(0.0, f64::max);
                assert!((grown / neck(100.0 * count as f64, 0.5 * reduced) - 1.0).abs() < 1e-9, "{grown}");
            }
        }
    }
}

/// Lines have no disc: where all contacts are lines, both laws say that they would do nothing.
#[test]
fn discs_of_the_plane_have_no_necks() {
    for (electrical, thermal, law) in
        [("Neck(bare: Hertz)", "Hertz", "`Neck`"), ("Hertz", "Sinter(bare: Hertz, rate: 1e-19)", "`Sinter`")]
    {
        let error = refused(&text(2, DISCS, electrical, thermal));
        assert!(error.contains(law) && error.contains("two dimensions"), "{error}");
    }
}

/// Repeated within the step, current and heat agree on the neck of the step itself, from the first step on: its contacts are new to what is exchanged.
#[test]
fn repeated_steps_conduct_by_the_neck_of_the_step_itself() {
    let sinter = "Sinter(bare: Hertz, rate: 1e-19, exponent: 5, activation: 2000, widest: 0.5)";
    for relaxation in ["", ", relaxation: Fixed(1)", ", relaxation: QuasiNewton"] {
        for (modules, tolerance) in [("\"Electrical\", \"Thermal\"", 1e-9), ("\"Contact\", \"Electrical\", \"Thermal\"", 1e-9)] {
            let text = text(3, BALLS, "Neck(bare: Insulating)", sinter).replace("joule: false, ", "").replace(
                "physics: [",
                &format!(
                    "coupling: Iterated(modules: [{modules}], tolerance: 1e-10, max_iterations: 100{relaxation}), physics: ["
                ),
            );
            let mut run = build(&text, &[]);
            for count in 1..=4_u64 {
                steps(&mut run, 1);
                let expected = 0.01 * 2.0 * SIGMA * neck(100.0 * count as f64, 0.5e-3);
                let found = run.field("current").unwrap().iter().sum::<f64>().abs();
                assert!((found / expected - 1.0).abs() < tolerance, "{relaxation} {modules} {count}: {found} A of {expected}");
            }
        }
    }
}

fn refused(text: &str) -> String {
    let model = Model::parse_with(text, "model", "model.ron", Path::new("."), &[], &mpcd::shapes()).unwrap();
    Simulation::build(&model, &Registry::standard()).map(|_| ()).unwrap_err().to_string()
}

#[test]
fn necks_that_nobody_makes_and_laws_before_them_are_refused() {
    let refused = |electrical: &str, thermal: &str| refused(&text(3, BALLS, electrical, thermal));
    let error = refused("Neck(bare: Hertz)", "Hertz");
    assert!(error.contains("`neck`") && error.contains("Sinter"), "{error}");
    for (law, why) in [
        ("Neck(bare: Oxide(bare: Hertz, film: 0.1))", "remembers something itself"),
        ("Neck(bare: Neck(bare: Hertz))", "follows necks itself"),
        ("Neck(bare: Bonded(conductance: 1, bare: Hertz))", "conducts where nothing pushes"),
        ("Oxide(bare: Neck(bare: Hertz), film: 0.1)", "a neck has no film"),
    ] {
        let error = refused(law, "Sinter(bare: Hertz, rate: 1e-19)");
        assert!(error.contains(why), "{law}: {error}");
    }
}

/// Heat and current take the same way through necks, C = H σ/k at every contact: a grain at the potential φ between ends at T₀ comes to
/// T₀ + φ (U − φ) σ/2k, as Σ H (T + φ² σ/2k) is balanced at every grain. A row of grains of several sizes, whose necks grow until they are widest.
#[test]
fn grains_are_as_hot_as_their_potentials_say() {
    let radii = [2.0, 1.0, 3.0, 1.5, 2.5];
    let (mut z, mut bodies) = (0.0, String::from(r#"(group: "b", material: "m", shape: Plane(normal: (0, 0, 1))),"#));
    for r in radii {
        bodies += &format!(r#"(group: "row", material: "m", shape: Sphere(radius: "{r} mm"), at: (0, 0, "{} mm")),"#, z + r);
        z += 2.0 * r;
    }
    bodies += &format!(r#"(group: "a", material: "m", shape: Plane(normal: (0, 0, -1)), at: (0, 0, "{z} mm"), mass: 1)"#);
    let text = text(3, &bodies, "Neck(bare: Hertz)", "Sinter(bare: Hertz, rate: 1e-18, widest: 0.2)")
        .replace("(between: (\"a\", \"b\"),", "(between: (\"a\", \"b\"), law: NoContact), (between: (\"row\", \"a\"), law: Coulomb(friction: 0.3)), (between: (\"row\", \"row\"), law: Coulomb(friction: 0.3)), (between: (\"row\", \"b\"),")
        .replace("loads: [", "loads: [(on: \"row\", load: Locked(axes: [X, Y, SpinX, SpinY, SpinZ])), ")
        .replace("value: 0.01", "value: 0.1")
        .replace("joule: false, ", "")
        .replace("value: 1000", "value: 300");
    let mut run = build(&text, &[]);
    steps(&mut run, 400);
    let (t, v) = (run.field("temperature").unwrap(), run.field("potential").unwrap());
    let (mut hottest, c) = (0.0, SIGMA / (2.0 * 50.0));
    for body in 1..=radii.len() {
        let expected = 300.0 + v[body] * (0.1 - v[body]) * c;
        assert!((t[body] - expected).abs() < 1e-6 * (expected - 300.0), "{body}: {} K of {expected}", t[body]);
        hottest = f64::max(hottest, t[body]);
    }
    // near the middle, a quarter of U² σ/2k
    assert!((310.0..325.1).contains(&hottest), "{hottest}");
    let widest = run.field("neck").unwrap().iter().copied().fold(0.0, f64::max);
    assert!((widest / (0.2 * 2.5e-3) - 1.0).abs() < 1e-9, "{widest}");
}
