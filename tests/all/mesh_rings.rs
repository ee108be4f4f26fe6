//! Axisymmetric meshes in contact, against closed forms: Hertz's ball, patch test, thick cylinders one in the other, heat through both, weight.

use std::f64::consts::{PI, TAU};

use mpcd_core::{Book, ContactGeometry, MeshQuantity, MeshView};
use mpcd_sim::{Model, Simulation};

use crate::granular::{build, column, steps};

const YOUNG: f64 = 1e6;
const POISSON: f64 = 0.3;

fn of<'a>(meshes: &'a [MeshView], k: usize, name: &str) -> &'a [f64] {
    &meshes[k].arrays.iter().find(|a| a.name == name).unwrap().values
}

/// ∫ φ 2π r dr of the hat of a node at r between two others (m²).
fn ring(before: f64, r: f64, after: f64) -> f64 {
    TAU / 6.0 * ((r - before) * (before + 2.0 * r) + (after - r) * (after + 2.0 * r))
}

/// ∫ N 2π r dr of a node at r (m²), at the end of a cell of three or between such ends; its neighbours are so far apart (m).
fn quadratic((is_end, r): (bool, f64), apart: f64) -> f64 {
    TAU * r * apart * if is_end { 1.0 / 3.0 } else { 2.0 / 3.0 }
}

fn stresses(run: &Simulation) -> Vec<MeshView> {
    run.meshes_with(&[MeshQuantity::Stress])
}

fn unexplained(run: &Simulation, book: Book) -> f64 {
    run.books().account(book).unwrap().worst
}

/// `p = p₀ √(1 − r²/a²)`, `a³ = 3 F R/(4 E*)`, `p₀ = 3 F/(2 π a²)`, by the forces at the nodes over their rings.
#[test]
fn a_ball_on_the_axis_presses_as_hertz_says() {
    let (radius, ball) = (0.03, 0.5);
    let effective = YOUNG / (1.0 - POISSON * POISSON);
    let force = 4.0 * effective * f64::powi(radius, 3) / (3.0 * ball);
    let mut run = build(
        &format!(
            r#"(dimension: 2, time: (step: 0.05, end: 10, theta: 1),
  materials: {{"m": (density: 1, elastic: (young: {YOUNG}, poisson: {POISSON}))}},
  bodies: [
    (group: "block", material: "m", shape: Mesh(of: Rectangle(size: (1, 1), cells: (40, 30), element: Q4, grading: (100, 0.01)), plane: Axisymmetric)),
    (group: "ball", material: "m", shape: Disc(radius: {ball}), at: (0, 1.5), mass: 0.5),
  ],
  interactions: [(between: ("block", "ball"), law: Coulomb(friction: 0))],
  loads: [(on: "block.bottom", load: Locked(axes: [Y])),
    (on: "ball", load: Force(x: 0, y: -{force})), (on: "ball", load: Locked(axes: [X, SpinZ]))],
  physics: [Contact(tolerance: 1e-8)])"#
        ),
        &[],
    );
    steps(&mut run, 30);
    let block = run.meshes_with(&[MeshQuantity::ContactForce, MeshQuantity::ContactPressure]);
    let pushed = of(&block, 0, "contact_force").chunks_exact(3).zip(&block[0].points);
    let mut found: Vec<(f64, f64)> = pushed.filter(|(f, _)| f[1] < 0.0).map(|(f, x)| (x.x, -f[1])).collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let whole: f64 = found.iter().map(|f| f.1).sum();
    assert!((whole / force - 1.0).abs() < 1e-3, "{whole} N of {force} N");
    let peak = 1.5 * force / (PI * radius * radius);
    let mut count = 0;
    for k in 1..found.len() - 1 {
        let [before, (r, push), after] = [found[k - 1], found[k], found[k + 1]];
        if r < 0.8 * radius {
            let (pressure, theory) = (push / ring(before.0, r, after.0), peak * (1.0 - (r / radius).powi(2)).sqrt());
            assert!((pressure - theory).abs() < 0.03 * peak, "at {r} m: {pressure} Pa of {theory} Pa");
            count += 1;
        }
    }
    assert!(count > 5, "{count} nodes");
    let most = of(&block, 0, "contact_pressure").iter().fold(0.0_f64, |a, b| a.max(*b));
    assert!((most / peak - 1.0).abs() < 0.03, "`contact_pressure` of {most} Pa, p₀ = {peak} Pa");
    assert!(unexplained(&run, Book::Momentum) < 1e-10 && unexplained(&run, Book::Energy) < 1e-10);
}

/// Two discs of one material, pressed: σ_yy is the pressure everywhere, whatever the meshes, from the axis and from a hole on.
#[test]
fn a_pressure_passes_between_rings() {
    for inner in [0.0, 0.2] {
        for (low, high) in [
            ("(5, 3), element: Q4", "(7, 2), element: Q4"),
            ("(3, 2), element: Q8", "(4, 3), element: T6"),
            ("(6, 3), element: T3", "(4, 2), element: Q8"),
        ] {
            let mut run = build(
                &format!(
                    r#"(dimension: 2, time: (step: 1, end: 100, theta: 1),
  materials: {{"m": (density: 1, elastic: (young: {YOUNG}, poisson: {POISSON}))}},
  bodies: [
    (group: "low", material: "m", shape: Mesh(of: Rectangle(size: (1, 0.5), cells: {low}), plane: Axisymmetric, inner_radius: {inner})),
    (group: "high", material: "m", shape: Mesh(of: Rectangle(size: (1, 0.5), cells: {high}), plane: Axisymmetric, inner_radius: {inner}), at: (0, 0.5)),
  ],
  interactions: [(between: ("low", "high"), law: Coulomb(friction: 0))],
  loads: [(on: "low.bottom", load: Locked(axes: [Y])), (on: "high.top", load: Pressure(pressure: 10))],
  physics: [Contact(tolerance: 1e-12)])"#
                ),
                &[],
            );
            steps(&mut run, 20);
            let meshes = run.meshes_with(&[MeshQuantity::Stress, MeshQuantity::Displacement]);
            for k in 0..2 {
                let moved = meshes[k].points.iter().zip(of(&meshes, k, "displacement").chunks_exact(3));
                assert!(moved.filter(|(x, _)| x.x.abs() < 1e-6).all(|(_, u)| u[0] == 0.0), "a node left the axis");
                for (node, s) in of(&meshes, k, "stress").chunks_exact(9).enumerate() {
                    let others = [0, 8, 1].map(|i| s[i].abs()).into_iter().fold(0.0, f64::max);
                    assert!(
                        (s[4] + 10.0).abs() < 1e-3 && others < 1e-3,
                        "inner {inner}, {low} and {high}, node {node} of {k}: {s:?}"
                    );
                }
            }
        }
    }
}

/// Lamé's thick cylinder, cut in two at a radius between: the stress of the whole, carried across by contacts along the radius.
#[test]
fn two_cylinders_are_one() {
    let (inner, middle, outer, pressure, height) = (0.2, 0.5, 1.0, 1000.0, 0.3);
    let mut run = build(
        &format!(
            r#"(dimension: 2, time: (step: 1, end: 100, theta: 1),
  materials: {{"m": (density: 1, elastic: (young: {YOUNG}, poisson: {POISSON}))}},
  bodies: [
    (group: "core", material: "m", shape: Mesh(of: Rectangle(size: ({}, {height}), cells: (24, 3)), plane: Axisymmetric, inner_radius: {inner})),
    (group: "sleeve", material: "m", shape: Mesh(of: Rectangle(size: ({}, {height}), cells: (20, 2)), plane: Axisymmetric, inner_radius: {middle})),
  ],
  interactions: [(between: ("core", "sleeve"), law: Coulomb(friction: 0))],
  loads: [(on: "core.bottom", load: Locked(axes: [Y])), (on: "core.top", load: Locked(axes: [Y])),
    (on: "sleeve.bottom", load: Locked(axes: [Y])), (on: "sleeve.top", load: Locked(axes: [Y])),
    (on: "core.left", load: Pressure(pressure: {pressure}))],
  physics: [Contact(tolerance: 1e-9)])"#,
            middle - inner,
            outer - middle,
        ),
        &[],
    );
    steps(&mut run, 20);
    // σ_r = A − B/r², σ_θ = A + B/r²
    let a = pressure * inner * inner / (outer * outer - inner * inner);
    let b = a * outer * outer;
    let meshes = stresses(&run);
    for k in 0..2 {
        for (x, s) in meshes[k].points.iter().zip(of(&meshes, k, "stress").chunks_exact(9)) {
            let (radial, hoop) = (a - b / (x.x * x.x), a + b / (x.x * x.x));
            assert!((s[0] - radial).abs() < 0.01 * pressure && (s[8] - hoop).abs() < 0.01 * pressure, "at {} m: {s:?}", x.x);
        }
    }
    let pushed: f64 = run.world().network.iter().map(|c| c.r.x).sum();
    let theory = (b / (middle * middle) - a) * TAU * middle * height;
    assert!((pushed / theory - 1.0).abs() < 1e-3, "{pushed} N of {theory} N");
    assert!(unexplained(&run, Book::Momentum) < 1e-10, "{}", unexplained(&run, Book::Momentum));
}

/// Heat from ring to ring: `Q = ΔT/(Σ ln(r₂/r₁)/(2π k H) + 1/(h 2π r H))`.
#[test]
fn heat_goes_through_rings() {
    let (inner, middle, outer, height, conductivity, coefficient) = (0.2, 0.5, 1.0, 0.3, 5.0, 40.0);
    let mut run = build(
        &format!(
            r#"(dimension: 2, time: (step: 1e6, end: 1e9, theta: 1),
  materials: {{"m": (density: 1, elastic: (young: {YOUNG}, poisson: {POISSON}), thermal: (conductivity: {conductivity}, specific_heat: 1))}},
  bodies: [
    (group: "core", material: "m", shape: Mesh(of: Rectangle(size: ({}, {height}), cells: (12, 3)), plane: Axisymmetric, inner_radius: {inner})),
    (group: "sleeve", material: "m", shape: Mesh(of: Rectangle(size: ({}, {height}), cells: (16, 4)), plane: Axisymmetric, inner_radius: {middle})),
  ],
  interactions: [(between: ("core", "sleeve"), law: Coulomb(friction: 0))],
  loads: [(on: "core", load: Locked(axes: [Y])), (on: "sleeve", load: Locked(axes: [Y])), (on: "core.left", load: Pressure(pressure: 100))],
  physics: [Contact(tolerance: 1e-9), Thermal(law: PressurePower(coefficient: {coefficient}, reference: 1, exponent: 0), boundary: [
    Temperature(group: "core.left", value: 400), Temperature(group: "sleeve.right", value: 300)])])"#,
            middle - inner,
            outer - middle,
        ),
        &[],
    );
    steps(&mut run, 20);
    let around = TAU * height;
    let resistance = (f64::ln(outer / inner) / conductivity + 1.0 / (coefficient * middle)) / around;
    let theory = 100.0 / resistance;
    let meshes = run.meshes_with(&[MeshQuantity::Temperature]);
    // the jump at the contact says what goes through it
    let at = |k: usize, r: f64| {
        let pairs = meshes[k].points.iter().zip(of(&meshes, k, "temperature"));
        let (sum, n) = pairs.filter(|(x, _)| (x.x - r).abs() < 1e-3).fold((0.0, 0.0), |(s, n), (_, t)| (s + t, n + 1.0));
        sum / n
    };
    let flow = (at(0, middle) - at(1, middle)) * coefficient * middle * around;
    assert!((flow / theory - 1.0).abs() < 2e-3, "{flow} W of {theory} W");
}

/// Heat into a rigid floor through the area of a ring: `Q = h π (R² − r²) ΔT` from a mesh of one temperature.
#[test]
fn a_floor_takes_heat_from_a_ring() {
    for (inner, area) in [(0.0, PI * 0.36), (0.4, PI * (1.0 - 0.16))] {
        let mut run = build(
            &format!(
                r#"(dimension: 2, gravity: (0, -10), time: (step: 1e-3, end: 100, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: {POISSON}), thermal: (conductivity: 1e9, specific_heat: 1e-9))}},
  bodies: [
    (group: "ring", material: "m", shape: Mesh(of: Rectangle(size: (0.6, 0.5), cells: (3, 5), grading: (3, 1)), plane: Axisymmetric, inner_radius: {inner})),
    (group: "floor", material: "m", shape: Plane(normal: (0, 1))),
  ],
  interactions: [(between: ("ring", "floor"), law: Coulomb(friction: 0.3))],
  loads: [(on: "floor", load: Fixed)],
  physics: [Contact(), Thermal(law: PressurePower(coefficient: 40, reference: 1, exponent: 0), boundary: [
    Power(group: "ring.top", value: 1000), Temperature(group: "floor", value: 300)])])"#
            ),
            &[],
        );
        steps(&mut run, 60);
        let mut rings: Vec<(f64, ContactGeometry)> = run.world().network.iter().map(|c| (c.point.x, c.geometry)).collect();
        rings.sort_by(|a, b| a.0.total_cmp(&b.0));
        for k in 0..rings.len() {
            let (r, ContactGeometry::Flat { area }) = rings[k] else { panic!("{:?}", rings[k]) };
            let before = if k > 0 { rings[k - 1].0 } else { r };
            let after = rings.get(k + 1).map_or(r, |ring| ring.0);
            let theory = quadratic((k % 2 == 0, r), after - before);
            assert!((area - theory).abs() < 1e-5 * PI, "at {r} m: {area} m² of {theory} m²");
        }
        let mesh = run.meshes_with(&[MeshQuantity::Temperature]);
        let theory = 300.0 + 1000.0 / (40.0 * area);
        for t in of(&mesh, 0, "temperature") {
            assert!((t - theory).abs() < 1e-3 * (theory - 300.0), "inner {inner}: {t} K of {theory} K");
        }
    }
}

/// A ring on a floor weighs ρ g π (R² − r²) H, on a plane and on a rigid box around the axis.
#[test]
fn a_ring_has_the_weight_of_a_ring() {
    for floor in ["Plane(normal: (0, 1))", "Box(size: (3, 1))"] {
        let at = if floor.starts_with("Box") { "(0, -0.5)" } else { "(0, 0)" };
        let mut run = build(
            &format!(
                r#"(dimension: 2, gravity: (0, -10), time: (step: 0.05, end: 100, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: {YOUNG}, poisson: {POISSON}))}},
  bodies: [
    (group: "ring", material: "m", shape: Mesh(of: Rectangle(size: (0.6, 0.5), cells: (6, 5)), plane: Axisymmetric, inner_radius: 0.4)),
    (group: "floor", material: "m", shape: {floor}, at: {at}),
  ],
  interactions: [(between: ("ring", "floor"), law: Coulomb(friction: 0.3))],
  loads: [(on: "floor", load: Fixed)],
  physics: [Contact(tolerance: 1e-9)])"#
            ),
            &[],
        );
        steps(&mut run, 60);
        let weight = 1000.0 * 10.0 * PI * (1.0 - 0.16) * 0.5;
        let pushed: f64 = run.world().network.iter().map(|c| c.r.x / 0.05).sum();
        assert!((pushed / weight - 1.0).abs() < 1e-4, "{floor}: {pushed} N of {weight} N");
        assert!(unexplained(&run, Book::Momentum) < 1e-10 && unexplained(&run, Book::Energy) < 1e-10, "{floor}");
    }
}

/// Regions are in the mesh's own axes, wherever its own x = 0 lies: rings from 1 to 1.5 m and to 2 m, of 1000 and 7000 kg/m³, and of k = 50 and 5 W/(m K) between
/// 400 K inside and 300 K outside.
#[test]
fn regions_of_a_ring_are_in_the_axes_of_its_mesh() {
    let model = r#"(dimension: 2, gravity: (0, -10), time: (step: 0.01, end: 1, theta: 1),
  materials: {"m": (density: 1000, elastic: (young: 1e9, poisson: 0.3), thermal: (conductivity: 50, specific_heat: 500)),
    "n": (density: 7000, elastic: (young: 1e9, poisson: 0.3), thermal: (conductivity: 5, specific_heat: 500))},
  bodies: [(group: "ring", material: "m", materials: {"outside": "n"}, at: (0, 3), shape: Mesh(of: Rectangle(size: (1, 0.2), cells: (16, 2), element: Q8),
    plane: Axisymmetric, inner_radius: 1, regions: {"outside": Box(from: (0.5, 0), to: (1, 0.2))}))],
  loads: [(on: "ring", load: Fixed)],
  physics: [Contact(), Thermal(law: Insulating, time_scale: 1e8, boundary: [Temperature(group: "ring.left", value: 400), Temperature(group: "ring.right", value: 300)])],
  output: (probes: [(name: "weight", of: "reaction", component: Y, group: "ring"), (name: "middle", of: "mesh_temperature", group: "ring.outside", reduce: Max)]))"#;
    let mut run = build(model, &[]);
    let last = steps(&mut run, 10);
    let weight = 10.0 * PI * 0.2 * (1000.0 * (2.25 - 1.0) + 7000.0 * (4.0 - 2.25));
    let found = column(&run, &last, "weight").unwrap();
    assert!((found / weight - 1.0).abs() < 1e-6, "{found} N of {weight} N");
    let [inside, outside] = [1.5_f64.ln() / 50.0, (2.0_f64 / 1.5).ln() / 5.0];
    let middle = 400.0 - 100.0 * inside / (inside + outside);
    let found = column(&run, &last, "middle").unwrap();
    assert!((found - middle).abs() < 1e-3, "{found} K, expected {middle} K");
}

/// What a model around an axis cannot have.
#[test]
fn what_rings_cannot_do_is_refused() {
    let ring = "Mesh(of: Rectangle(size: (1, 1), cells: (2, 2)), plane: Axisymmetric)";
    let model = |gravity: &str, mesh: &str, place: &str, body: &str, loads: &str, more: &str| {
        format!(
            r#"(dimension: 2, gravity: {gravity}, time: (step: 1e-3, end: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e6, poisson: 0.3), thermal: (conductivity: 1, specific_heat: 1))}},
  bodies: [(group: "ring", material: "m", shape: {mesh}, {place}), (group: "disc", material: "m", shape: Disc(radius: 0.1), at: (0, 1.1) {body})],
  interactions: [(between: ("ring", "disc"), law: Coulomb(friction: 0.3))],
  loads: [{loads}], physics: [Contact() {more}])"#
        )
    };
    let (down, held, given) = ("(0, -9.81)", r#"(on: "disc", load: Locked(axes: [X, SpinZ]))"#, ", mass: 1");
    build(&model(down, ring, "at: (0, 0)", given, held, ""), &[]);
    let cases = [
        (model("(1, 0)", ring, "at: (0, 0)", given, held, ""), "gravity has a part along x"),
        (model(down, ring, "at: (1, 0)", given, held, ""), "moved along x"),
        (model(down, ring, "at: (0, 0), velocity: (1, 0)", given, held, ""), "moves along y alone"),
        (model(down, ring, "at: (0, 0)", given, "", ""), "may move along x"),
        (model(down, ring, "at: (0, 0)", given, r#"(on: "disc", load: Locked(axes: [X]))"#, ""), "may move along spin_z"),
        (
            model(down, ring, "at: (0, 0)", given, r#"(on: "disc", load: Velocity(x: "0*t", spin_z: 0))"#, ""),
            "a formula is not known to be 0",
        ),
        (model(down, ring, "at: (0, 0)", "", held, ""), "the mass of"),
        (model(down, ring, "at: (0, 0)", given, held, ", Thermal(law: Insulating)"), "the temperature of"),
        (
            model(down, &ring.replace("Axisymmetric", "Axisymmetric, thickness: 1"), "at: (0, 0)", given, held, ""),
            "has no thickness",
        ),
        (
            model(down, &ring.replace("Axisymmetric", "PlaneStrain, inner_radius: 1"), "at: (0, 0)", given, held, ""),
            "`inner_radius` belongs to",
        ),
    ];
    for (text, words) in cases {
        let parsed = Model::parse_with(&text, "m", "m.ron", std::path::Path::new("."), &[], &mpcd::shapes());
        let built = parsed.and_then(|m| Simulation::build(&m, &<mpcd::Registry as mpcd::StandardRegistry>::standard()));
        let said = built.map(|_| ()).expect_err(&text).to_string();
        assert!(said.contains(words), "{said}\nhas no `{words}`");
    }
}

/// A rigid plate that is driven along the axis, and across it at the speed 0, presses as one that is locked there: F = π R² E ε, to the bit the same.
#[test]
fn a_plate_driven_along_the_axis_presses() {
    let pressed = |plate: &str| {
        let text = format!(
            r#"(dimension: 2, time: (step: 0.1, end: 1, theta: 1),
  materials: {{"m": (density: 1, elastic: (young: {YOUNG}, poisson: {POISSON}))}},
  bodies: [(group: "block", material: "m", shape: Mesh(of: Rectangle(size: (0.5, 1), cells: (3, 4), element: Q4), plane: Axisymmetric)),
    (group: "plate", material: "m", shape: Box(size: (3, 0.2)), at: (0, 1.1))],
  interactions: [(between: ("block", "plate"), law: Coulomb(friction: 0))],
  loads: [(on: "block.bottom", load: Locked(axes: [Y])), {plate}], physics: [Contact(tolerance: 1e-10, deformable: (scheme: Static))],
  output: (probes: [(name: "force", of: "force", component: Y, reduce: Sum, group: "plate")]))"#
        );
        let mut run = build(&text, &[]);
        steps(&mut run, 10);
        crate::deformable::impulse(run.world().network).y.abs() / 0.1
    };
    let locked = pressed(r#"(on: "plate", load: Velocity(y: -0.01)), (on: "plate", load: Locked(axes: [X, SpinZ]))"#);
    assert!((locked / (PI * 0.25 * YOUNG * 0.01) - 1.0).abs() < 1e-6, "{locked}");
    for zero in ["x: 0, spin_z: 0", "x: Ramp(from: 0, to: 0, end: 1), spin_z: Table([(0, 0), (1, 0)])"] {
        assert_eq!(pressed(&format!(r#"(on: "plate", load: Velocity(y: -0.01, {zero}))"#)), locked, "{zero}");
    }
}
