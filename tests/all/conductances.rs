//! Conductances hold for a patch, not for each of its points: every law on a point, a line and a face, in the plane and in space, by
//! closed forms on the force of the whole patch.

use mpcd_sim::Simulation;
use mpcd_tests::kit::shared;

use crate::granular::{build, column, steps};

const G: f64 = 9.81;
const SIGMA: f64 = 50.0;
const R: f64 = 0.1;
const L: f64 = 0.3;
const DENSITY: f64 = 1000.0;
/// E* of two equal materials of E 1 MPa and ν 0.
const MODULUS: f64 = 0.5e6;

/// A body at rest on a plane.
struct Stand {
    name: &'static str,
    dimension: u8,
    /// Its shape and place.
    body: &'static str,
    mass: f64,
    points: usize,
    /// Conductance by the Hertz law over the conductivity (m), under a force (N).
    spot: fn(f64) -> f64,
    /// Contact area under a force (m²).
    area: fn(f64) -> f64,
}

fn half_width(force: f64) -> f64 {
    (4.0 * force / L * R / (std::f64::consts::PI * MODULUS)).sqrt()
}

/// πL / (2 ln(8R*/a)).
fn line(force: f64) -> f64 {
    std::f64::consts::PI * L / (2.0 * (8.0 * R / half_width(force)).ln())
}

fn line_area(force: f64) -> f64 {
    2.0 * half_width(force) * L
}

fn stands() -> [Stand; 5] {
    use std::f64::consts::PI;
    let cylinder = DENSITY * PI * R * R * L;
    [
        Stand {
            name: "point in space",
            dimension: 3,
            body: "shape: Sphere(radius: 0.1), at: (0, 0, 0.1)",
            mass: DENSITY * 4.0 / 3.0 * PI * R * R * R,
            points: 1,
            spot: |force| 2.0 * (0.75 * force * R / MODULUS).cbrt(),
            area: |force| PI * (0.75 * force * R / MODULUS).cbrt().powi(2),
        },
        Stand {
            name: "line in space",
            dimension: 3,
            body: "shape: Cylinder(radius: 0.1, length: 0.3), at: (0, 0, 0.1), rotation: ((1, 0, 0), \"90 deg\")",
            mass: cylinder,
            points: 2,
            spot: line,
            area: line_area,
        },
        Stand {
            name: "face in space",
            dimension: 3,
            body: "shape: Box(size: (0.2, 0.3, 0.1)), at: (0, 0, 0.05)",
            mass: DENSITY * 0.2 * 0.3 * 0.1,
            points: 4,
            spot: |_| 2.0 * (0.06 / PI).sqrt(),
            area: |_| 0.06,
        },
        Stand {
            name: "line in the plane",
            dimension: 2,
            body: "shape: Disc(radius: 0.1, thickness: 0.3), at: (0, 0.1)",
            mass: cylinder,
            points: 1,
            spot: line,
            area: line_area,
        },
        Stand {
            name: "face in the plane",
            dimension: 2,
            body: "shape: Box(size: (0.2, 0.1), thickness: 0.3), at: (0, 0.05)",
            mass: DENSITY * 0.2 * 0.3 * 0.1,
            points: 2,
            spot: |_| 2.0 * (0.06 / PI).sqrt(),
            area: |_| 0.06,
        },
    ]
}

fn stand(of: &Stand, electrical: &str, thermal: &str) -> Simulation {
    stand_under(of, ("Coulomb(friction: 0.3)", ""), electrical, thermal)
}

/// The same under a law of contact and loads.
fn stand_under(stand: &Stand, (law, loads): (&str, &str), electrical: &str, thermal: &str) -> Simulation {
    let up = if stand.dimension == 2 { "(0, 1)" } else { "(0, 0, 1)" };
    let down = if stand.dimension == 2 { "(0, -9.81)" } else { "(0, 0, -9.81)" };
    let (dimension, body) = (stand.dimension, stand.body);
    let text = format!(
        r#"(dimension: {dimension}, gravity: {down}, time: (step: "1 ms", end: "1 s"),
  materials: {{"m": (density: 1000, elastic: (young: 1e6, poisson: 0), electrical: (conductivity: {SIGMA}),
    thermal: (conductivity: {SIGMA}, specific_heat: 500))}},
  bodies: [(group: "b", material: "m", {body}), (group: "f", material: "m", shape: Plane(normal: {up}))],
  interactions: [(between: ("b", "f"), law: {law})], loads: [{loads}],
  physics: [Contact(tolerance: 1e-12),
    Electrical(law: {electrical}, potential: [(group: "f", value: 0)], current: [(group: "b", value: 1)]),
    Thermal(law: {thermal}, coupling: (joule: false, friction: false, impact: false, dilatation: false),
      boundary: [Temperature(group: "b", value: 310), Temperature(group: "f", value: 300)])],
  output: (every: 10))"#
    );
    build(&text, &[])
}

/// Electrical and thermal conductance after some steps, and that the contacts share current, Joule power and heat.
fn conductances(s: &Stand, electrical: &str, thermal: &str) -> [f64; 2] {
    let mut run = stand(s, electrical, thermal);
    let outcome = steps(&mut run, 3);
    let sum = |name: &str| run.field(name).unwrap().iter().sum::<f64>();
    assert_eq!(run.world().network.len(), s.points, "{}", s.name);
    assert!((sum("current").abs() - 1.0).abs() < 1e-10, "{}: {}", s.name, sum("current"));
    let resistance = column(&run, &outcome, "resistance").unwrap();
    assert!((sum("joule_power") / resistance - 1.0).abs() < 1e-10, "{}", s.name);
    assert!(run.field("current").unwrap().iter().all(|i| i.abs() > 1e-3), "{}: every point carries a part", s.name);
    [1.0 / resistance, sum("heat").abs() / 10.0]
}

#[test]
fn a_conductance_is_that_of_the_patch_whatever_its_points() {
    use std::f64::consts::PI;
    for s in &stands() {
        let force = s.mass * G;
        let holm = 2.0 * SIGMA * (force / (PI * 1e6)).sqrt();
        let hertz = SIGMA * (s.spot)(force);
        let area = (s.area)(force);
        let pressure = area * 10.0 * (force / area / 1e3).powf(0.95);
        for (electrical, thermal, want) in [
            ("Constant(conductance: 2)", "Constant(conductance: 3)", [2.0, 3.0]),
            ("Holm(hardness: 1e6)", "Hertz", [holm, hertz]),
            ("Hertz", "BatchelorOBrien", [hertz, hertz]),
            ("CubeRoot(scale: 2)", "PressurePower(coefficient: 10, reference: 1e3)", [2.0 * force.cbrt(), pressure]),
            ("Power(scale: 2, exponent: 0.25)", "Constant(conductance: 3)", [2.0 * force.powf(0.25), 3.0]),
        ] {
            let found = conductances(s, electrical, thermal);
            for (found, want) in found.iter().zip(&want) {
                assert!((found / want - 1.0).abs() < 1e-8, "{} under {electrical}, {thermal}: {found}, expected {want}", s.name);
            }
        }
    }
}

/// A bridge that pulls with F presses the surfaces on each other by F more than the contact bears: under the weight alone, pulled up by less than F more than that, and by more, where nothing presses.
#[test]
fn surfaces_under_a_bridge_conduct_by_what_they_press() {
    for s in &stands() {
        let weight = s.mass * G;
        let pull = 3.0 * weight;
        let law = format!("Capillary(force: {pull:?}, rupture: 1e-3, friction: 0.3)");
        for up in [0.0, 0.5 * weight, weight, 3.0 * weight] {
            let axis = if s.dimension == 2 { "y" } else { "z" };
            let load = if up > 0.0 { format!("(on: \"b\", load: Force({axis}: {up:?}))") } else { String::new() };
            for (electrical, averaged) in [("Holm(hardness: 1e6)", false), ("Power(scale: 2, exponent: 0.25)", true)] {
                let force = if averaged { ", force: Averaged(time: \"0.1 ms\")" } else { "" };
                let mut run = stand_under(
                    s,
                    (&law, &load),
                    &format!("{electrical}{force}"),
                    "PressurePower(coefficient: 10, reference: 1e3)",
                );
                let outcome = steps(&mut run, 6);
                let press = weight + pull - up;
                let holm = 2.0 * SIGMA * (press / (std::f64::consts::PI * 1e6)).sqrt();
                let want = if averaged { 2.0 * press.powf(0.25) } else { holm };
                let found = 1.0 / column(&run, &outcome, "resistance").unwrap();
                let what = format!("{}, {up} N up of {weight} N and {pull} N, {electrical}", s.name);
                assert!((found / want - 1.0).abs() < 1e-8, "{what}: {found} S, must be {want} S");
                // E* of two bodies pressed by more: areas of curved ones by the same force
                let area = (s.area)(press);
                let passes = area * 10.0 * (press / area / 1e3).powf(0.95);
                let heat = run.field("heat").unwrap().iter().sum::<f64>().abs() / 10.0;
                assert!((heat / passes - 1.0).abs() < 1e-8, "{what}: {heat} W/K, must be {passes} W/K");
            }
        }
        // what hangs by its bridge alone, as a gap is left: the bridge bears all
        let load = format!("(on: \"b\", load: Force({}: {:?}))", if s.dimension == 2 { "y" } else { "z" }, 4.5 * weight);
        let mut run = stand_under(s, (&law, &load), "Holm(hardness: 1e6), on_open_circuit: SwitchOff", "Hertz");
        let outcome = steps(&mut run, 6);
        assert!(run.world().network.iter().all(|c| c.r.x <= 0.0), "{}: it is pulled", s.name);
        assert_eq!(column(&run, &outcome, "resistance").filter(|r| r.is_finite()), None, "{}", s.name);
        assert_eq!(run.field("heat").unwrap().iter().map(|q| q.abs()).sum::<f64>(), 0.0, "{}", s.name);
    }
}

/// The conductance of the bodies themselves is in series with the patch, once: 1/(1/8 + 1/8 + 1/2) for any number of points.
#[test]
fn the_bulk_of_a_body_counts_once_for_a_patch() {
    for s in &stands() {
        let mut run = {
            let text = "Constant(conductance: 2)";
            let model = stand(s, text, "Constant(conductance: 3)").model().text.to_string();
            build(&model.replace("electrical: (conductivity: 50)", "electrical: (conductivity: 50, bulk: 8)"), &[])
        };
        let outcome = steps(&mut run, 2);
        let resistance = column(&run, &outcome, "resistance").unwrap();
        assert!((resistance - 0.75).abs() < 1e-10, "{}: {resistance}", s.name);
    }
}

/// Three boxes face to face, 1 S a pair: 2 Ω between the outer ones.
#[test]
fn case_face_resistance() {
    let Some(path) = shared("cases/face-resistance.ron") else { return };
    let mut run = build(&std::fs::read_to_string(path).unwrap(), &[]);
    let outcome = steps(&mut run, 20);
    assert_eq!(run.world().network.len(), 8);
    let resistance = column(&run, &outcome, "resistance").unwrap();
    assert!((resistance - 2.0).abs() < 1e-9, "{resistance} Ω");
}

/// Bodies 20 mm large under `force`, 210 GPa and 0.3, 1.4 MS/m: conductance by the Hertz law.
fn pressed(dimension: u8, below: &str, above: &str, force: f64) -> f64 {
    let (axis, locked) = if dimension == 2 { ("y", "X, SpinZ") } else { ("z", "X, Y, SpinX, SpinY, SpinZ") };
    let text = format!(
        r#"(dimension: {dimension}, time: (step: "1 ms", end: "1 s"),
  materials: {{"m": (density: 7800, elastic: (young: "210 GPa", poisson: 0.3), electrical: (conductivity: 1.4e6))}},
  bodies: [(group: "b", material: "m", {below}), (group: "c", material: "m", {above})],
  interactions: [(between: ("b", "c"), law: Coulomb(friction: 0.3))],
  loads: [{} (on: "c", load: Force({axis}: {})), (on: "c", load: Locked(axes: [{locked}]))],
  physics: [Contact(), Electrical(law: Hertz, potential: [(group: "b", value: 0), (group: "c", value: 1)])],
  output: (every: 1000))"#,
        if below.contains("Plane") { "" } else { "(on: \"b\", load: Fixed)," },
        -force,
    );
    let mut run = build(&text, &[]);
    let outcome = steps(&mut run, 3);
    1.0 / column(&run, &outcome, "resistance").unwrap()
}

/// What the alert distance only reaches conducts nothing; crossed sides and caps touch in points; a round end is a disc.
#[test]
fn a_conductance_is_that_of_what_touches() {
    use std::f64::consts::PI;
    const SIGMA: f64 = 1.4e6;
    let modulus = 210e9 / (2.0 * (1.0 - 0.09));
    let flat = |area: f64| 2.0 * SIGMA * (area / PI).sqrt();
    let point = |radius: f64| 2.0 * SIGMA * (0.75 * 100.0 * radius / modulus).cbrt();
    let (ground, line) = ("shape: Plane(normal: (0, 0, 1))", "shape: Plane(normal: (0, 1))");
    let capsule = "shape: Capsule(radius: 0.01, length: 0.1)";
    let cylinder = "shape: Cylinder(radius: 0.01, length: 0.1)";
    let crossed = |angle: f64| format!("{capsule}, at: (0, 0, 0.03), rotation: ((0, 0, 1), \"{angle} deg\")");
    for (dimension, below, above, force, want) in [
        // The alert distance is 16 mm under 500 N, and 64 mm under 2 kN.
        (3, ground, "shape: Box(size: (0.02, 0.02, 0.02)), at: (0, 0, 0.01)".to_owned(), 2000.0, flat(4e-4)),
        (2, line, "shape: Polygon(vertices: [(0, 0), (0.03, 0), (0, 0.03)], thickness: 0.01)".to_owned(), 1e4, flat(3e-4)),
        (3, ground, "shape: Cylinder(radius: 0.01, length: 0.02), at: (0, 0, 0.01)".to_owned(), 100.0, flat(PI * 1e-4)),
        (2, line, "shape: Capsule(radius: 0.01, length: 0.1), at: (0, 0.01)".to_owned(), 100.0, flat(0.1)),
        (3, ground, format!("{capsule}, at: (0, 0, 0.06), rotation: ((0, 1, 0), \"90 deg\")"), 100.0, point(0.01)),
        (3, format!("{capsule}, at: (0, 0, 0.01)").as_str(), crossed(90.0), 100.0, point(0.01)),
        (3, format!("{capsule}, at: (0, 0, 0.01)").as_str(), crossed(30.0), 100.0, point(0.02)),
        (
            3,
            format!("{cylinder}, at: (0, 0, 0.01), rotation: ((0, 1, 0), \"90 deg\")").as_str(),
            format!("{cylinder}, at: (0, 0, 0.03), rotation: ((1, 0, 0), \"90 deg\")"),
            100.0,
            point(0.01),
        ),
    ] {
        let found = pressed(dimension, below, &above, force);
        assert!((found / want - 1.0).abs() < 1e-6, "{above}: {found} S, expected {want} S");
    }
}

/// The resistance of a row of three balls that conduct 4 S a contact is ½ Ω whatever drives a current in the step, none included.
#[test]
fn a_resistance_needs_no_current() {
    let row = |electrodes: &str| {
        let text = format!(
            r#"(dimension: 3, time: (step: "1 ms", end: "1 s"),
        materials: {{"m": (density: 1000, electrical: (conductivity: 1e6))}},
        bodies: [
          (group: "a", material: "m", shape: Sphere(radius: 0.1), at: (0, 0, 0)),
          (group: "b", material: "m", shape: Sphere(radius: 0.1), at: (0.2, 0, 0)),
          (group: "c", material: "m", shape: Sphere(radius: 0.1), at: (0.4, 0, 0)),
        ],
        interactions: [(between: ("a", "b"), law: Coulomb(friction: 0)), (between: ("b", "c"), law: Coulomb(friction: 0)),
          (between: ("a", "c"), law: NoContact)],
        loads: [(on: "a", load: Fixed), (on: "c", load: Force(x: -10))],
        physics: [Contact(tolerance: 1e-12), Electrical(law: Constant(conductance: 4), {electrodes})],
        output: (every: 1000))"#
        );
        let mut run = build(&text, &[]);
        let outcome = steps(&mut run, 2);
        column(&run, &outcome, "resistance")
    };
    for electrodes in [
        "potential: [(group: \"a\", value: 1), (group: \"c\", value: 0)]",
        "potential: [(group: \"a\", value: 0), (group: \"c\", value: 0)]",
        "potential: [(group: \"a\", value: 230), (group: \"c\", value: 230)]",
        "potential: [(group: \"a\", value: 0)], current: [(group: \"c\", value: 0)]",
        "potential: [(group: \"a\", value: 0)], current: [(group: \"c\", value: 2)]",
        "current: [(group: \"a\", value: 0), (group: \"c\", value: 0)]",
    ] {
        let found = row(electrodes).unwrap_or(f64::NAN);
        assert!((found - 0.5).abs() < 1e-9, "{electrodes}: {found} ohm");
    }
}

/// A box that is pressed down with an edge conducts nothing by the elastic spot, and the run says so; pressed with a face it does and says nothing.
#[test]
fn what_pushes_and_conducts_nothing_is_told() {
    let told = |turn: &str, at: &str| {
        let text = format!(
            r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: "1 ms", end: "1 s"),
        materials: {{"m": (density: 1000, elastic: (young: "1 MPa", poisson: 0.3), electrical: (conductivity: 1e6),
          thermal: (conductivity: 1, specific_heat: 100))}},
        bodies: [
          (group: "b", material: "m", shape: Box(size: (0.02, 0.02, 0.02)), at: (0, 0, {at}), rotation: {turn}),
          (group: "f", material: "m", shape: Plane(normal: (0, 0, 1))),
        ],
        interactions: [(between: ("b", "f"), law: Coulomb(friction: 0.3))],
        loads: [(on: "b", load: Locked(axes: [SpinX, SpinY, SpinZ]))],
        physics: [Contact(), Electrical(law: Hertz, potential: [(group: "b", value: 0), (group: "f", value: 1)]), Thermal(law: Hertz,
          boundary: [Temperature(group: "f", value: 300)])],
        output: (every: 1000))"#
        );
        let mut run = build(&text, &[]);
        steps(&mut run, 3);
        let words = &run.counters().warning_words();
        ["conduct nothing: sharp edges", "conduct no heat: sharp edges"].map(|part| words.iter().any(|w| w.contains(part)))
    };
    assert_eq!(told("((1, 0, 0), \"45 deg\")", "0.0141421356237"), [true; 2]);
    assert_eq!(told("((1, 0, 0), \"0 deg\")", "0.01"), [false; 2]);
}

/// `PressurePower` conducts by the area of the elastic spot: however large its coefficient, a spot of a tenth of R* is not said to be wide; one of soft balls that is pressed flat is.
#[test]
fn spots_are_wide_by_their_own_size() {
    let told = |coefficient: f64, young: f64| {
        let mut run = build(
            &format!(
                r#"(dimension: 3, gravity: (0, 0, -10), time: (step: 1e-3, end: 1, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: {young}, poisson: 0.3), thermal: (conductivity: 1, specific_heat: 1e3))}},
  bodies: [(group: "a", material: "m", shape: Sphere(radius: 0.05), at: (0, 0, 0)), (group: "b", material: "m", shape: Sphere(radius: 0.05), at: (0, 0, 0.1))],
  interactions: [(between: ("a", "b"), law: Coulomb(friction: 0.3))],
  loads: [(on: "a", load: Fixed), (on: "b", load: Locked(axes: [X, Y, SpinX, SpinY, SpinZ]))],
  physics: [Contact(), Thermal(law: PressurePower(coefficient: {coefficient}, reference: 1000, exponent: 0.5), temperature: 300, initial: [(group: "b", temperature: 310)])])"#
            ),
            &[],
        );
        steps(&mut run, 5);
        run.summary().warnings.iter().any(|w| w.contains("as wide as what touches there"))
    };
    // a = (¾ F R*/E*)^⅓ of 5.2 N: 0.6 mm and 28 mm, R* = 25 mm
    assert!(!told(1e2, 1e9) && !told(1e6, 1e9));
    assert!(told(1e2, 8e3));
}
