//! The area of what curved rigid bodies and meshes have in common: the cross-section of the smaller of the two, whichever that is, in the plane, in space and
//! around an axis. A bond is no larger than what faces each other.

use std::f64::consts::PI;

use mpcd_core::ContactGeometry;

use crate::granular::{build, steps};

const LAW: &str = "Bilinear(normal_stiffness: 1e9, tensile_strength: 1e6, energy: 1000, friction: 0)";

/// What holds of two bodies that are held as they lie (m²).
fn held(space: u8, a: &str, b: &str) -> f64 {
    let mut run = build(
        &format!(
            r#"(dimension: {space}, time: (step: 0.01, end: 1, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: 0.2))}},
  bodies: [(group: "a", material: "m", {a}), (group: "b", material: "m", {b})],
  interactions: [(between: ("a", "b"), law: {LAW})],
  loads: [{}], physics: [Contact()])"#,
            if a.contains("Mesh") { "(on: \"a\", load: Fixed)" } else { "" },
        ),
        &[],
    );
    run.step().unwrap();
    run.field("bonded_area").unwrap().iter().sum()
}

fn check(cases: &[(u8, String, String, f64, f64)]) {
    let mut missed = Vec::new();
    for (space, a, b, area, within) in cases {
        let found = held(*space, a, b);
        let off = (found / area - 1.0).abs();
        if off.is_nan() || off > *within {
            missed.push(format!("{a} and {b}: {found} m² of {area} m²"));
        }
    }
    assert!(missed.is_empty(), "{} of {} missed:\n{}", missed.len(), cases.len(), missed.join("\n"));
}

fn rectangle(size: (f64, f64), cells: &str, element: &str, at: (f64, f64)) -> String {
    format!(
        "shape: Mesh(of: Rectangle(size: ({}, {}), cells: {cells}, element: {element})), at: ({}, {})",
        size.0, size.1, at.0, at.1
    )
}

/// A block of 0.3 m on discs of up to 10 m has the block's base, 0.3 m · 1 m, not 2 R; one on which it hangs over by half, what is over it; so on balls.
#[test]
fn a_block_on_a_large_round_body_is_bonded_by_its_own_base() {
    let mut cases = Vec::new();
    for radius in [1.0, 2.0, 10.0] {
        let disc = format!("shape: Disc(radius: {radius}), at: (0.01, -{radius})");
        for (cells, element) in [("(6, 3)", "Q4"), ("(6, 3)", "T6"), ("(3, 1)", "Q8")] {
            cases.push((2, rectangle((0.3, 0.1), cells, element, (-0.15, 0.0)), disc.clone(), 0.3, 1e-9));
        }
        for (cells, element) in [("(4, 4, 1)", "Hex8"), ("(3, 2, 1)", "Hex20"), ("(4, 3, 1)", "Tet4")] {
            let slab = format!(
                "shape: Mesh(of: Cuboid(size: (0.3, 0.2, 0.1), cells: {cells}, element: {element})), at: (-0.15, -0.1, 0)"
            );
            cases.push((3, slab.clone(), format!("shape: Sphere(radius: {radius}), at: (0.01, 0, -{radius})"), 0.06, 1e-9));
            let lying = format!("rotation: ((1, 0, 0), {}), at: (0.01, 0, -{radius})", 0.5 * PI);
            cases.push((3, slab, format!("shape: Cylinder(radius: {radius}, length: 4), {lying}"), 0.06, 1e-9));
        }
    }
    // a disc of 0.1 m whose middle is 0.05 m before the end of a bar: 0.1 + 0.05
    let bar = rectangle((1.0, 0.1), "(20, 2)", "Q4", (-0.05, 0.0));
    cases.push((2, bar, "shape: Disc(radius: 0.1), at: (0, -0.1)".to_owned(), 0.15, 1e-9));
    check(&cases);
}

/// A capsule that lies in the plane touches along its straight side, l · 1 m: nodes beyond its ends are near what is round there, and no part of it. A small
/// block on it, and one that hangs over its end, have what lies over the straight side.
#[test]
fn a_capsule_in_the_plane_has_its_straight_side() {
    let mut cases = Vec::new();
    for (cells, element) in [("(13, 2)", "Q4"), ("(13, 2)", "T6"), ("(8, 2)", "Q8"), ("(31, 2)", "Q4")] {
        for shift in [0.0, 0.013, 0.023, 0.043] {
            let slab = rectangle((1.0, 0.2), cells, element, (-0.5, -0.2));
            let capsule = format!("shape: Capsule(radius: 0.1, length: 0.3), at: ({shift}, 0.1)");
            cases.push((2, slab, capsule, 0.3, 1e-9));
        }
    }
    for (cells, element) in [("(6, 3)", "Q4"), ("(6, 3)", "T6")] {
        let block = rectangle((0.3, 0.1), cells, element, (-0.15, 0.0));
        cases.push((2, block.clone(), "shape: Capsule(radius: 0.05, length: 0.1), at: (0.01, -0.05)".to_owned(), 0.1, 1e-9));
        cases.push((2, block, "shape: Capsule(radius: 0.05, length: 0.3), at: (0.1, -0.05)".to_owned(), 0.2, 1e-9));
    }
    check(&cases);
}

/// A ball in a planar model is a ball on a mesh as on a plane: π r², and so is what its heat passes through.
#[test]
fn a_ball_in_the_plane_is_a_ball() {
    let ball = "shape: Sphere(radius: 0.1), at: (0.013, 0.1)".to_owned();
    let mut cases = vec![(2, "shape: Plane(normal: (0, 1))".to_owned(), ball.clone(), PI * 0.01, 1e-9)];
    for (cells, element) in [("(13, 2)", "Q4"), ("(13, 2)", "T6"), ("(9, 2)", "Q8"), ("(80, 2)", "Q4")] {
        cases.push((2, rectangle((1.0, 0.2), cells, element, (-0.5, -0.2)), ball.clone(), PI * 0.01, 1e-9));
    }
    check(&cases);
}

/// An ellipsoid that lies flat has radii of curvature of 0.8 m and 0.45 m where it touches, and a silhouette of π 0.2 m 0.15 m; a superellipsoid of the exponent
/// 3 is flat there, with 4 a b Γ(4/3)²/Γ(5/3). On its tip the first is sharper than its silhouette: R₁ R₂ = (0.05² / 0.2)(0.15² / 0.2).
#[test]
fn flat_curved_bodies_are_bonded_by_their_silhouette() {
    let mut cases = Vec::new();
    let (egg, pillow) = ("Ellipsoid(radii: (0.2, 0.15, 0.05))", "Superellipsoid(radii: (0.2, 0.15, 0.1), exponents: (3, 3))");
    let tip = format!("at: (0.013, 0.02, 0.2), rotation: ((0, 1, 0), {})", 0.5 * PI);
    let floors = [
        ("shape: Plane(normal: (0, 0, 1))".to_owned(), 1e-9),
        (
            "shape: Mesh(of: Cuboid(size: (1, 1, 0.2), cells: (10, 10, 2), element: Hex8)), at: (-0.5, -0.5, -0.2)".to_owned(),
            1e-3,
        ),
        ("shape: Mesh(of: Cuboid(size: (1, 1, 0.2), cells: (5, 5, 1), element: Tet4)), at: (-0.5, -0.5, -0.2)".to_owned(), 1e-3),
    ];
    for (floor, within) in floors {
        for turn in [0.0, 0.4] {
            let place = |z: f64| format!("at: (0.013, 0.02, {z}), rotation: ((0, 0, 1), {turn})");
            cases.push((3, floor.clone(), format!("shape: {egg}, {}", place(0.05)), PI * 0.03, within));
            cases.push((3, floor.clone(), format!("shape: {pillow}, {}", place(0.1)), 3.533_277_5 * 0.03, 1e-3));
        }
        let sharp = PI * (0.0025 / 0.2) * (0.0225 / 0.2);
        cases.push((3, floor, format!("shape: {egg}, {tip}"), sharp, f64::max(within, 1e-6)));
    }
    check(&cases);
}

/// A ball on the axis of rings has π r², beside it a torus 2 r · 2π x; the ball pulled off takes G π r².
#[test]
fn a_ball_on_the_axis_is_bonded_by_its_cross_section() {
    for (element, cells) in [("Q4", "(6, 3)"), ("T6", "(6, 3)"), ("Q8", "(9, 3)")] {
        for (x, r, area) in [(0.0, 0.1, PI * 0.01), (0.15, 0.05, 4.0 * PI * 0.15 * 0.05), (0.0, 2.0, PI * 0.09)] {
            let mut run = build(
                &format!(
                    r#"(dimension: 2, time: (step: 0.01, end: 4, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e12, poisson: 0.2))}},
  bodies: [(group: "t", material: "m", shape: Mesh(of: Rectangle(size: (0.3, 0.1), cells: {cells}, element: {element}), plane: Axisymmetric)),
    (group: "r", material: "m", shape: Disc(radius: {r}), at: ({x}, -{r}))],
  interactions: [(between: ("t", "r"), law: Bilinear(normal_stiffness: 1e10, tensile_strength: 2e5, energy: 100, friction: 0))],
  loads: [(on: "t.top", load: Velocity(x: 0, y: 0.001)), (on: "r", load: Fixed)],
  physics: [Contact(deformable: (scheme: Static))])"#
                ),
                &[],
            );
            run.step().unwrap();
            let found: f64 = run.field("bonded_area").unwrap().iter().sum();
            assert!((found / area - 1.0).abs() < 1e-6, "{element}, r = {r} m at {x} m: {found} m² of {area} m²");
            let mut work = -1e-3 * crate::deformable::impulse(run.world().network).y;
            for _ in 0..250 {
                run.step().unwrap();
                work -= 1e-3 * crate::deformable::impulse(run.world().network).y;
            }
            let energy = 100.0 * area;
            assert!((work.abs() / energy - 1.0).abs() < 2e-2, "{element}, r = {r} m at {x} m: {work} J of {energy} J");
        }
    }
}

/// One node of a mesh around the axis under a ball that presses with F: Hertz's spot a³ = ¾ F r/E*, which conducts 2 a k, and heat through h π a².
#[test]
fn a_ball_on_the_axis_conducts_by_its_spot() {
    let (force, radius, young) = (1.0, 0.1, 1e9);
    let effective = young / (2.0 * (1.0 - 0.04));
    let spot = f64::cbrt(0.75 * force * radius / effective);
    // the mesh conducts a million times better: half of what the contact of two like the ball would meet is left
    for (law, exact) in [
        ("Hertz", 2.0 * spot * 2.0 / (1.0 + 1e-6)),
        ("PressurePower(coefficient: 100, reference: 1e3, exponent: 0)", 100.0 * PI * spot * spot),
    ] {
        for (cells, element) in [("(3, 2)", "Q4"), ("(6, 4)", "Q4"), ("(4, 2)", "Q8")] {
            let mut run = build(
                &format!(
                    r#"(dimension: 2, time: (step: 0.01, end: 1, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: {young}, poisson: 0.2), thermal: (conductivity: 1e6, specific_heat: 1)),
    "d": (density: 1000, elastic: (young: {young}, poisson: 0.2), thermal: (conductivity: 1, specific_heat: 1))}},
  bodies: [(group: "t", material: "m", shape: Mesh(of: Rectangle(size: (0.3, 0.2), cells: {cells}, element: {element}), plane: Axisymmetric), at: (0, -0.2)),
    (group: "d", material: "d", shape: Disc(radius: {radius}), at: (0, {radius}), mass: 1)],
  interactions: [(between: ("t", "d"), law: Coulomb(friction: 0))],
  loads: [(on: "t.bottom", load: Fixed), (on: "d", load: Locked(axes: [X, SpinZ])), (on: "d", load: Force(y: -{force}))],
  physics: [Contact(deformable: (scheme: Static)),
    Thermal(law: {law}, coupling: (dilatation: false, joule: false, friction: false, impact: false), time_scale: 1e9,
      boundary: [Temperature(group: "t.bottom", value: 300), Temperature(group: "d", value: 400)])])"#
                ),
                &[],
            );
            let mut last = run.step().unwrap();
            for _ in 0..4 {
                last = run.step().unwrap();
            }
            let mut numbers = last.numbers.iter().flat_map(|(_, numbers)| numbers);
            let heat = numbers.find(|(name, _)| *name == "heat_in_d").unwrap().1 / 100.0;
            assert!((heat / exact - 1.0).abs() < 1e-2, "{law} on {element} {cells}: {heat} W/K of {exact} W/K");
        }
    }
}

/// A block that lies on a face of a rigid box under its weight W on springs of k sinks by W/k as a whole, however far that is beyond the distance up to which
/// contacts are looked for: each node has what is around it. So it does on a plane.
#[test]
fn a_block_that_sinks_into_a_box_stays_level() {
    for (element, cells) in [("Q4", "(6, 4)"), ("T6", "(6, 4)"), ("Q8", "(5, 3)"), ("Q4", "(12, 4)")] {
        for floor in ["Box(size: (1, 0.2)), at: (0, -0.1)", "Plane(normal: (0, 1))"] {
            for sink in [1e-3, 6e-3, 2e-2] {
                let stiffness = 600.0 / sink;
                let mut run = build(
                    &format!(
                        r#"(dimension: 2, gravity: (0, -10), time: (step: 0.01, end: 2, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: 0.2))}},
  bodies: [(group: "t", material: "m", shape: Mesh(of: Rectangle(size: (0.3, 0.2), cells: {cells}, element: {element})), at: (-0.15, 0)),
    (group: "f", material: "m", shape: {floor})],
  interactions: [(between: ("t", "f"), law: Elastic(stiffness: {stiffness}, friction: 0.5, damping: {}))],
  loads: [(on: "f", load: Fixed)], physics: [Contact(deformable: (scheme: Theta))])"#,
                        f64::sqrt(stiffness * 60.0),
                    ),
                    &[],
                );
                steps(&mut run, 200);
                let what = format!("{element} {cells} on {floor}, {sink} m");
                let flat = |g: &ContactGeometry| if let ContactGeometry::Flat { area } = g { *area } else { f64::NAN };
                let whole: f64 = run.world().network.iter().map(|c| flat(&c.geometry)).sum();
                assert!((whole - 0.3).abs() < 1e-3, "{what}: {whole} m² of 0.3 m²");
                for contact in run.world().network.iter() {
                    assert!((-contact.gap / sink - 1.0).abs() < 1e-2, "{what}: a node is {} m deep", -contact.gap);
                }
            }
        }
    }
}
