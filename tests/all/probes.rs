//! Granular probes against numbers computed by hand, on packings of two and three discs.

use std::sync::atomic::AtomicBool;

use mpcd_sim::{RunOptions, run};

use crate::granular::{build, column, steps};

/// A column of two discs, R 0.1 m, 0.5 m thick, at rest on a floor. Weight of one: 154.095 N.
const COLUMN: &str = r#"(
  dimension: 2, gravity: (0, -9.81), time: (step: "1 ms", end: "1 s"),
  materials: {"m": (density: 1000)},
  bodies: [
    (group: "grains", material: "m", shape: Disc(radius: 0.1, thickness: 0.5), at: (0, 0.1)),
    (group: "grains", material: "m", shape: Disc(radius: 0.1, thickness: 0.5), at: (0, 0.3)),
    (group: "floor", material: "m", shape: Plane(normal: (0, 1))),
  ],
  interactions: [
    (between: ("grains", "grains"), law: Coulomb(friction: 0.3)),
    (between: ("grains", "floor"), law: Coulomb(friction: 0.3)),
  ],
  physics: [Contact(tolerance: 1e-12)],
  output: (every: 10,
    probes: [
      (name: "syy", of: "stress", component: YY, group: "grains"),
      (name: "sxy", of: "stress", component: XY, group: "grains"),
      (name: "p", of: "stress", component: Mean, group: "grains"),
      (name: "q", of: "stress", component: Deviator, group: "grains"),
      (name: "middle", of: "stress", component: YY, group: "grains", region: (from: (-0.1, 0.1), to: (0.1, 0.3))),
      (name: "low", of: "stress", component: YY, group: "grains", region: (from: (-0.1, 0), to: (0.1, 0.2))),
      (name: "between", of: "stress", component: YY, group: "grains", region: (from: (-0.1, 0.12), to: (0.1, 0.18))),
      (name: "above", of: "stress", component: YY, group: "grains", region: (from: (-0.1, 0.31), to: (0.1, 0.4))),
      (name: "fyy", of: "fabric", component: YY),
      (name: "fxx", of: "fabric", component: XX),
      (name: "z", of: "coordination", group: "grains"),
      (name: "z2", of: "coordination_without_rattlers", group: "grains"),
      (name: "rattlers", of: "rattlers", group: "grains"),
      (name: "solid", of: "solid_fraction", group: "grains"),
      (name: "solid_middle", of: "solid_fraction", group: "grains", region: (from: (-0.1, 0.1), to: (0.1, 0.3))),
      (name: "com", of: "centre_of_mass", component: Y, group: "grains"),
      (name: "top", of: "extent", component: Y, reduce: Max, group: "grains"),
      (name: "width", of: "extent", component: X, group: "grains"),
      (name: "floor", of: "resultant", component: Y, group: "floor"),
      (name: "grains", of: "resultant", component: Y, group: "grains"),
      (name: "inertial", of: "inertial_number", group: "grains"),
      (name: "pressed", of: "contact_pressure", reduce: Max),
      (name: "pressed_mean", of: "contact_pressure"),
      (name: "upper_y", of: "position", component: Y, region: (from: (-1, 0.2), to: (1, 1))),
    ],
    distributions: [(name: "forces", of: "normal_force", bins: 6, up_to: 1.5)],
  ),
)"#;

fn close(found: Option<f64>, want: f64, what: &str) {
    let found = found.unwrap_or_else(|| panic!("{what} has no value"));
    assert!((found - want).abs() <= 1e-8 * want.abs().max(1.0), "{what}: {found}, expected {want}");
}

#[test]
fn a_column_of_two_discs() {
    let mut run = build(COLUMN, &[]);
    let outcome = steps(&mut run, 10);
    let weight = 1000.0 * std::f64::consts::PI * 0.01 * 0.5 * 9.81;
    // Whole: (0.2 m · 1 mg + 0.1 m · 2 mg) / (0.2 · 0.4 · 0.5 m³) = 10 mg/m². From centre to centre: 0.2 m · mg / (0.2 · 0.2 · 0.5 m³),
    // the same. Below: (0.1 · mg + 0.1 · 2 mg) / (0.2 · 0.2 · 0.5).
    for (name, want) in [
        ("syy", 10.0 * weight),
        ("sxy", 0.0),
        ("p", 5.0 * weight),
        ("q", 5.0 * weight),
        ("middle", 10.0 * weight),
        ("low", 15.0 * weight),
        // Between centres: 0.06 m · mg / (0.2 · 0.06 · 0.5 m³); above them no way leads.
        ("between", 10.0 * weight),
        ("above", 0.0),
        ("fyy", 1.0),
        ("fxx", 0.0),
        ("z", 1.5),
        ("z2", 2.0),
        ("rattlers", 0.5),
        ("solid", std::f64::consts::FRAC_PI_4),
        ("solid_middle", std::f64::consts::FRAC_PI_4),
        ("com", 0.2),
        ("top", 0.4),
        ("width", 0.2),
        ("floor", -2.0 * weight),
        ("grains", 2.0 * weight),
        ("upper_y", 0.3),
        // The lower disc under W and on 2 W: 3 W R/(2 π R² 0.5 m); the upper one has a third of that, the floor no volume.
        ("pressed", 3.0 * weight / (std::f64::consts::PI * 0.1)),
        ("pressed_mean", 2.0 * weight / (std::f64::consts::PI * 0.1)),
    ] {
        close(column(&run, &outcome, name), want, name);
    }
    // All centres on one line: no velocity gradient can be told.
    assert_eq!(column(&run, &outcome, "inertial"), None);
}

/// Three discs in a triangle pressed by known forces: the stress is that of the closed polygon of forces.
#[test]
fn a_triangle_has_the_stress_of_its_three_forces() {
    let force = |x: f64, y: f64| format!("Force(x: {x}, y: {y})");
    let (c, s) = (0.5, 0.75_f64.sqrt());
    let text = format!(
        r#"(dimension: 2, time: (step: "1 ms", end: "1 s"), materials: {{"m": (density: 1000)}},
        bodies: [
          (group: "a", material: "m", shape: Disc(radius: 0.5), at: (0, 0)),
          (group: "b", material: "m", shape: Disc(radius: 0.5), at: (1, 0)),
          (group: "c", material: "m", shape: Disc(radius: 0.5), at: (0.5, {s})),
        ],
        interactions: [
          (between: ("a", "b"), law: Coulomb(friction: 0)), (between: ("b", "c"), law: Coulomb(friction: 0)),
          (between: ("a", "c"), law: Coulomb(friction: 0)),
        ],
        loads: [(on: "a", load: {}), (on: "b", load: {}), (on: "c", load: {})],
        physics: [Contact(tolerance: 1e-13)],
        output: (probes: [
          (name: "sxx", of: "stress", component: XX, region: (from: (-1, -1), to: (2, 2))),
          (name: "syy", of: "stress", component: YY, region: (from: (-1, -1), to: (2, 2))),
          (name: "fxx", of: "fabric", component: XX), (name: "z", of: "coordination"), (name: "dev", of: "fabric", component: Deviator),
        ]))"#,
        force(30.0 * s, 30.0 * c),
        force(-30.0 * s, 30.0 * c),
        force(0.0, -30.0),
    );
    let mut run = build(&text, &[]);
    let outcome = steps(&mut run, 2);
    // Symmetric: each side pushes with N, 2 N cos 30° = 30 N. σ = Σ N n ⊗ n · 1 m / 9 m³: isotropic, 3/2 N.
    let n = 15.0 / s;
    for (name, want) in [("sxx", 1.5 * n / 9.0), ("syy", 1.5 * n / 9.0), ("fxx", 0.5), ("z", 2.0), ("dev", 0.0)] {
        close(column(&run, &outcome, name), want, name);
    }
}

#[test]
fn distributions_are_files_with_a_row_for_each_frame() {
    let folder = tempfile::tempdir().unwrap();
    let mut simulation = build(COLUMN, &[]);
    let options = RunOptions { until: Some(0.02), ..RunOptions::new(folder.path()) };
    run(&mut simulation, &options, &AtomicBool::new(false), &mut ()).unwrap();
    let text = std::fs::read_to_string(folder.path().join("forces.csv")).unwrap();
    let lines: Vec<Vec<&str>> = text.lines().map(|l| l.split(',').collect()).collect();
    assert_eq!(lines[0].join(","), "step,time,count,mean,0.1250,0.3750,0.6250,0.8750,1.1250,1.3750,above");
    assert_eq!((lines.len(), lines[2][0], lines[2][2]), (3, "20", "2"));
    // Forces mg and 2 mg over their mean: 2/3 and 4/3, half of the values in each of two bins 0.25 wide.
    let density: Vec<f64> = lines[2][4..].iter().map(|v| v.parse().unwrap()).collect();
    assert_eq!(density, [0.0, 0.0, 2.0, 0.0, 0.0, 2.0, 0.0]);
}

/// Two balls side by side between two plates of 1 V: the contacts of 1 and 3 S in series carry ¾ A through each ball; half of the Joule powers are ¾²/1, half ¾²/3: over their mean of ⅜ W, 1.5 and 0.5.
#[test]
fn currents_have_a_distribution() {
    let text = r#"(dimension: 2, time: (step: "1 ms", end: "10 ms"), materials: {"m": (density: 1000, electrical: ())},
      bodies: [
        (group: "low", material: "m", shape: Plane(normal: (0, 1))),
        (group: "high", material: "m", shape: Plane(normal: (0, -1)), at: (0, 0.2), mass: 1),
        (group: "balls", material: "m", shape: Disc(radius: 0.1), at: (0, 0.1)),
        (group: "balls", material: "m", shape: Disc(radius: 0.1), at: (0.3, 0.1)),
      ],
      interactions: [(between: ("low", "balls"), law: Coulomb(friction: 0)), (between: ("high", "balls"), law: Coulomb(friction: 0)),
        (between: ("balls", "balls"), law: Coulomb(friction: 0)), (between: ("low", "high"), law: NoContact)],
      loads: [(on: "high", load: Force(y: -100)), (on: "high", load: Locked(axes: [X]))],
      physics: [Contact(tolerance: 1e-12), Electrical(law: Constant(conductance: 1), laws: [(between: ("high", "balls"), law: Constant(conductance: 3))],
        potential: [(group: "low", value: 0), (group: "high", value: 1)])],
      output: (every: 5, distributions: [(name: "currents", of: "current", bins: 4, up_to: 2), (name: "joule", of: "joule_power", bins: 4, up_to: 2)]))"#;
    let folder = tempfile::tempdir().unwrap();
    let mut simulation = build(text, &[]);
    run(&mut simulation, &RunOptions::new(folder.path()), &AtomicBool::new(false), &mut ()).unwrap();
    let row = |name: &str| -> Vec<f64> {
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        text.lines().last().unwrap().split(',').skip(2).map(|v| v.parse().unwrap()).collect()
    };
    let (currents, joule) = (row("currents.csv"), row("joule.csv"));
    assert_eq!(currents[0], 4.0);
    assert!((currents[1] - 0.75).abs() < 1e-9 && (joule[1] - 0.375).abs() < 1e-9, "{currents:?} {joule:?}");
    // bins half a mean wide: the powers 0.5 and 1.5 of the mean lie on their edges, within rounding
    assert!((currents[2..].iter().sum::<f64>() - 2.0).abs() < 1e-12 && (joule[2] + joule[3] - 1.0).abs() < 1e-12, "{joule:?}");
    let error =
        mpcd_sim::Model::parse(&text.replace("of: \"current\"", "of: \"currant\""), "m", "m.ron", std::path::Path::new("."), &[])
            .and_then(|model| mpcd_sim::Simulation::build(&model, &<mpcd::Registry as mpcd::StandardRegistry>::standard()))
            .err()
            .unwrap()
            .to_string();
    assert!(error.contains("did you mean `current`?"), "{error}");
}

/// A plate of 2 m × 0.1 m turned by 30°, a wire of radius 0 with a mass, a lid.
const LYING: &str = r#"(
  dimension: 2, gravity: (0, 0), time: (step: "1 ms", end: "1 s"), materials: {"m": (density: 1000)},
  bodies: [
    (group: "plate", material: "m", shape: Box(half: (1, 0.05)), at: (3, 4), rotation: "30 deg"),
    (group: "wire", material: "m", shape: Segment(from: (-0.5, 0), to: (0.5, 0)), at: (-2, 1), rotation: "90 deg", mass: 2),
    (group: "lid", material: "m", shape: Plane(normal: (0, -1)), at: (0, 7)),
  ],
  interactions: [
    (between: ("plate", "lid"), law: Coulomb(friction: 0)), (between: ("plate", "wire"), law: NoContact),
    (between: ("wire", "lid"), law: NoContact),
  ],
  physics: [Contact()],
  output: (probes: [
    (name: "px", of: "extent", component: X, group: "plate"), (name: "py", of: "extent", component: Y, group: "plate"),
    (name: "top", of: "extent", component: Y, reduce: Max, group: "plate"),
    (name: "wx", of: "extent", component: X, group: "wire"), (name: "wy", of: "extent", component: Y, group: "wire"),
    (name: "wc", of: "centre_of_mass", component: X, group: "wire"),
    (name: "low", of: "extent", component: X, reduce: Min),
    (name: "lid", of: "extent", component: Y, reduce: Min, group: "lid"), (name: "lidx", of: "extent", component: X, group: "lid"),
    (name: "none", of: "normal_force", group: "plate"), (name: "nmax", of: "force", reduce: Max, group: "wire"),
  ]),
)"#;

#[test]
fn the_extent_is_that_of_the_shapes_as_they_lie() {
    let mut run = build(LYING, &[]);
    let outcome = steps(&mut run, 1);
    let (c, s) = (0.75_f64.sqrt(), 0.5);
    for (name, want) in [
        ("px", 2.0 * (c + 0.05 * s)),
        ("py", 2.0 * (s + 0.05 * c)),
        ("top", 4.0 + s + 0.05 * c),
        ("wx", 0.0),
        ("wy", 1.0),
        ("wc", -2.0),
        ("low", -2.0),
        ("lid", 7.0),
        ("none", 0.0),
        ("nmax", 0.0),
    ] {
        close(column(&run, &outcome, name), want, name);
    }
    assert_eq!(column(&run, &outcome, "lidx"), None, "a plane has no end along itself");
    // In space: a cylinder of radius 0.1 m and length 1 m turned by 30° about x, a cluster of two balls.
    let text = r#"(dimension: 3, time: (step: "1 ms", end: "1 s"), materials: {"m": (density: 1000)},
        bodies: [
          (group: "c", material: "m", shape: Cylinder(radius: 0.1, length: 1), at: (0, 0, 0), rotation: ((1, 0, 0), "30 deg")),
          (group: "b", material: "m", shape: Box(half: (1, 0.2, 0.1)), at: (5, 0, 0), rotation: ((0, 0, 1), "30 deg")),
        ],
        interactions: [(between: ("c", "b"), law: Coulomb(friction: 0))], physics: [Contact()],
        output: (probes: [
          (name: "cz", of: "extent", component: Z, group: "c"), (name: "cy", of: "extent", component: Y, group: "c"),
          (name: "bx", of: "extent", component: X, group: "b"), (name: "solid", of: "solid_fraction", group: "b"),
        ]))"#;
    let mut run = build(text, &[]);
    let outcome = steps(&mut run, 1);
    let (bx, by) = (2.0 * (c + 0.2 * s), 2.0 * (s + 0.2 * c));
    let solid = 2.0 * 0.4 / (bx * by);
    for (name, want) in [("cz", c + 0.2 * s), ("cy", s + 0.2 * c), ("bx", bx), ("solid", solid)] {
        close(column(&run, &outcome, name), want, name);
    }
}

/// A cube of 0.2 m on a fixed one: four points, one contact of the weight 78.48 N; one neighbour each.
#[test]
fn a_face_is_one_contact_to_probes() {
    let text = r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: "1 ms", end: "1 s"), materials: {"m": (density: 1000)},
        bodies: [
          (group: "up", material: "m", shape: Box(size: (0.2, 0.2, 0.2)), at: (0, 0, 0.2)),
          (group: "down", material: "m", shape: Box(size: (0.2, 0.2, 0.2)), at: (0, 0, 0)),
        ],
        interactions: [(between: ("up", "down"), law: Coulomb(friction: 0.3))], loads: [(on: "down", load: Fixed)],
        physics: [Contact(tolerance: 1e-12)],
        output: (every: 1, probes: [
          (name: "mean", of: "normal_force"), (name: "max", of: "normal_force", reduce: Max),
          (name: "sum", of: "normal_force", reduce: Sum, group: "down"), (name: "side", of: "tangential_force", reduce: Max),
          (name: "length", of: "force"), (name: "z", of: "coordination"), (name: "fzz", of: "fabric", component: ZZ),
          (name: "up", of: "resultant", component: Z, group: "up"), (name: "down", of: "resultant", component: Z, group: "down"),
          (name: "szz", of: "stress", component: ZZ, group: "up"),
        ]))"#;
    let mut run = build(text, &[]);
    let outcome = steps(&mut run, 3);
    assert_eq!(run.world().network.len(), 4);
    let weight = 8.0 * 9.81;
    // Love–Weber of the upper cube: from the face to its centre 0.1 m, over its volume.
    let szz = 0.1 * weight / 0.008;
    for (name, want) in [
        ("mean", weight),
        ("max", weight),
        ("sum", weight),
        ("side", 0.0),
        ("length", weight),
        ("z", 1.0),
        ("fzz", 1.0),
        ("up", weight),
        ("down", -weight),
        ("szz", szz),
    ] {
        close(column(&run, &outcome, name), want, name);
    }
}

/// 2 A fed in on one side of a row of three balls, drawn on the other, whichever of two bodies is the candidate.
#[test]
fn currents_are_positive_when_injected() {
    for (first, last) in [("a", "c"), ("c", "a")] {
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
        physics: [Contact(tolerance: 1e-12), Electrical(law: Constant(conductance: 4),
          potential: [(group: "{last}", value: 1)], current: [(group: "{first}", value: 2)])],
        output: (probes: [
          (name: "in", of: "current", reduce: Sum, group: "{first}"), (name: "out", of: "current", reduce: Sum, group: "{last}"),
          (name: "through", of: "current", reduce: Sum, group: "b"),
        ]))"#
        );
        let mut run = build(&text, &[]);
        let outcome = steps(&mut run, 2);
        for (name, want) in [("in", 2.0), ("out", -2.0), ("through", 0.0), ("electrode_current", 2.0), ("resistance", 0.5)] {
            close(column(&run, &outcome, name), want, name);
        }
    }
}

#[test]
fn probes_without_a_value_are_refused() {
    let words = |probe: &str| {
        let sets = [format!("output.probes=[{probe}]")];
        let model =
            mpcd_sim::Model::parse_with(LYING, "model", "model.ron", std::path::Path::new("."), &sets, &mpcd::shapes()).unwrap();
        mpcd_sim::Simulation::build(&model, &<mpcd::Registry as mpcd::StandardRegistry>::standard())
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    for (probe, expected) in [
        (r#"(name: "a", of: "extent", component: Z)"#, "a planar model has no extent along z"),
        (
            r#"(name: "a", of: "resultant", component: X)"#,
            "`resultant` is the force on a group from bodies outside it; expected a `group`",
        ),
        (r#"(name: "a", of: "normal_force", component: X)"#, "`normal_force` is one number, so it has no component X"),
        (r#"(name: "a", of: "temperature")"#, "unknown field `temperature`"),
    ] {
        let found = words(probe);
        assert!(found.contains(expected), "{found}");
    }
}

/// An elastic cubic lattice under its own pressure k δ/d² in a periodic cell: the same in a part of the cell, in all of it wherever that begins, and in a region longer than it.
#[test]
fn stress_in_a_periodic_cell_is_the_same_in_every_region() {
    let (d, cell) = (0.099, 0.297);
    let at = |k: u32| d * (f64::from(k) + 0.5);
    let bodies: String = (0..27)
        .map(|k| {
            format!(
                "(group: \"g\", material: \"m\", shape: Sphere(radius: 0.05), at: ({}, {}, {})),",
                at(k % 3),
                at(k / 3 % 3),
                at(k / 9)
            )
        })
        .collect();
    let regions = [
        format!("from: (0, 0, 0), to: ({cell}, {cell}, {cell})"),
        format!("from: (0, 0, 0), to: ({cell}, {cell}, {d})"),
        format!("from: (0.02, -0.07, 0.01), to: ({}, {}, {})", 0.02 + cell, cell - 0.07, 0.01 + d),
        "from: (-9, -9, -9), to: (9, 9, 9)".to_owned(),
    ];
    let probe = |k: usize, region: &str, component: &str| {
        format!("(name: \"{component}{k}\", of: \"stress\", component: {component}, region: ({region})),")
    };
    let probes: String = regions
        .iter()
        .enumerate()
        .flat_map(|(k, region)| {
            ["XX", "YY", "ZZ"]
                .map(|c| probe(k, region, c))
                .into_iter()
                .chain([format!("(name: \"solid{k}\", of: \"solid_fraction\", region: ({region})),")])
        })
        .collect();
    let text = format!(
        r#"(dimension: 3, periodic: (x: {cell}, y: {cell}, z: {cell}), time: (step: "0.1 ms", end: "1 ms"), materials: {{"m": (density: 1000)}}, bodies: [{bodies}],
        interactions: [(between: ("g", "g"), law: Elastic(stiffness: 1e4, friction: 0))], physics: [Contact(tolerance: 1e-10)], output: (every: 100, probes: [{probes}]))"#
    );
    let mut run = build(&text, &[]);
    let outcome = steps(&mut run, 1);
    let (stress, solid) = (1e4 * 0.001 / (d * d), 4.0 / 3.0 * std::f64::consts::PI * 0.05_f64.powi(3) / d.powi(3));
    for k in 0..regions.len() {
        for component in ["XX", "YY", "ZZ"] {
            let found = column(&run, &outcome, &format!("{component}{k}")).unwrap();
            assert!((found / stress - 1.0).abs() < 1e-6, "{component} in {}: {found} Pa of {stress} Pa", regions[k]);
        }
        let found = column(&run, &outcome, &format!("solid{k}")).unwrap();
        assert!((found / solid - 1.0).abs() < 1e-4, "{}: {found} of {solid}", regions[k]);
    }
}

/// A ball of the plane that has grown by a tenth is as much thicker: W r over its box, which is 2 r thick.
#[test]
fn stress_goes_by_the_thickness_of_a_ball_that_has_grown() {
    let text = r#"(dimension: 2, gravity: (0, -10), time: (step: "10 ms", end: "2 s"),
        materials: {"m": (density: 1000, thermal: (conductivity: 1, specific_heat: 100, expansion: 0.001))},
        bodies: [(group: "a", material: "m", shape: Sphere(radius: 0.1), at: (0, 0.1)), (group: "f", material: "m", shape: Plane(normal: (0, 1)))],
        interactions: [(between: ("a", "f"), law: Coulomb(friction: 0.5))],
        physics: [Contact(tolerance: 1e-10), Thermal(law: Insulating, boundary: [Temperature(group: "a", value: Ramp(from: 293.15, to: 393.15, start: 0, end: 1))])],
        output: (every: 100, probes: [(name: "syy", of: "stress", component: YY, group: "a")]))"#;
    let mut run = build(text, &[]);
    let outcome = steps(&mut run, 150);
    let (weight, radius) = (4.0 / 3.0 * std::f64::consts::PI * 10.0, 0.11);
    let expected = weight * radius / (2.0 * radius).powi(3);
    let found = column(&run, &outcome, "syy").unwrap();
    assert!((found / expected - 1.0).abs() < 1e-6, "{found} Pa of {expected} Pa");
}
