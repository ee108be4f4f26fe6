//! The area of flat rigid bodies on meshes: the common face of the two, whatever the cells, the place and the turn, and each point's part of it such that
//! an even pressure has no moment about the middle of that face.

use mpcd_core::{ContactGeometry, Vec3};

use crate::granular::{build, steps};

/// A rigid body held on a mesh that is held, bonded: what is written for both.
fn bonded(space: u8, mesh: &str, body: &str) -> mpcd_sim::Simulation {
    build(
        &format!(
            r#"(dimension: {space}, time: (step: 0.01, end: 1, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: 0.2)), "r": (density: 1000)}},
  bodies: [(group: "a", material: "m", {mesh}), (group: "b", material: "r", {body})],
  interactions: [(between: ("a", "b"), law: Bilinear(normal_stiffness: 1e9, tensile_strength: 1e6, energy: 1000, friction: 0))],
  loads: [(on: "a.bottom", load: Fixed)], physics: [Contact()])"#
        ),
        &[],
    )
}

/// Area of all flat points and the middle of an even pressure on them.
fn face(run: &mpcd_sim::Simulation) -> (f64, Vec3) {
    let flat = run.world().network.iter().filter_map(|c| match c.geometry {
        ContactGeometry::Flat { area } => Some((area, c.point)),
        _ => None,
    });
    let (area, sum) = flat.fold((0.0, Vec3::zeros()), |(a, s), (area, x)| {
        assert!(area >= 0.0, "{area} m²");
        (a + area, s + x * area)
    });
    (area, sum / area)
}

fn check(what: &str, run: &mut mpcd_sim::Simulation, (area, middle): (f64, Vec3)) {
    run.step().unwrap();
    let (found, at) = face(run);
    let held: f64 = run.field("bonded_area").unwrap().iter().sum();
    assert!((found / area - 1.0).abs() < 1e-9, "{what}: {found} m² of {area} m²");
    assert!((held / area - 1.0).abs() < 1e-9, "{what}: {held} m² hold of {area} m²");
    // corners of rigid bodies are looked for from a ten-thousandth of their way inside of them
    assert!((at - middle).norm() < 2e-5, "{what}: middle {at:?}, expected {middle:?}");
}

/// Tables of 2 m by 1 m whose top is at y = 0, of every kind of cells, coarse and fine.
fn tables() -> Vec<String> {
    [
        ("(1, 1, 1)", "Hex8"),
        ("(4, 1, 3)", "Hex8"),
        ("(8, 1, 6)", "Hex8"),
        ("(16, 1, 8)", "Hex8"),
        ("(1, 1, 1)", "Hex20"),
        ("(4, 1, 3)", "Hex20"),
        ("(1, 1, 1)", "Tet4"),
        ("(4, 1, 3)", "Tet4"),
        ("(4, 1, 2)", "Tet10"),
    ]
    .map(|(cells, element)| {
        format!("shape: Mesh(of: Cuboid(size: (2, 0.2, 1), cells: {cells}, element: {element})), at: (-0.5, -0.2, -0.5)")
    })
    .to_vec()
}

#[test]
fn flat_bodies_on_meshes_have_their_own_area() {
    let box_ = "shape: Box(size: (0.4, 0.2, 0.3))";
    // a prism over a triangle with legs 0.3 m and 0.4 m, about its middle
    let corners = [-0.1, 0.1].map(|y| {
        format!("(-0.1, {y}, -0.13333333333333333), (0.2, {y}, -0.13333333333333333), (-0.1, {y}, 0.26666666666666666)")
    });
    let prism = format!("shape: Polyhedron(vertices: [{}])", corners.join(", "));
    let turned = |angle: f64| format!("rotation: ((0, 1, 0), {angle})");
    let mut bodies = Vec::new();
    for (x, z) in [(0.0, 0.0), (0.13, 0.07), (0.5, 0.0), (-0.2, 0.2)] {
        for angle in [0.0, 0.4, 1.2] {
            bodies.push((format!("{box_}, at: ({x}, 0.1, {z}), {}", turned(angle)), 0.12, Vec3::new(x, 0.0, z)));
            bodies.push((format!("{prism}, at: ({x}, 0.1, {z}), {}", turned(angle)), 0.06, Vec3::new(x, 0.0, z)));
        }
    }
    // over the rim at x = −0.5: a half of it; with one corner over the rim, by the height h of what is over it
    bodies.push((format!("{box_}, at: (-0.5, 0.1, 0.07)"), 0.06, Vec3::new(-0.4, 0.0, 0.07)));
    let (half, h) = (0.1 * 2.0_f64.sqrt(), 0.05);
    let (all, over) = (0.04, h * h);
    // the centre of the square is half − h from the rim; the triangle over the rim, of the area h², has its middle h/3 beyond it
    let centre = -0.5 + half - h;
    let left = (all * centre - over * (-0.5 - h / 3.0)) / (all - over);
    let square = format!("shape: Box(size: (0.2, 0.2, 0.2)), at: ({centre}, 0.1, 0.03), {}", turned(std::f64::consts::FRAC_PI_4));
    bodies.push((square, all - over, Vec3::new(left, 0.0, 0.03)));
    for table in tables() {
        for (body, area, middle) in &bodies {
            check(&format!("{body} on {table}"), &mut bonded(3, &table, body), (*area, *middle));
        }
    }
}

#[test]
fn the_end_of_a_cylinder_has_the_area_of_its_disc() {
    let area = std::f64::consts::PI * 0.01;
    for table in tables() {
        for (x, z) in [(0.0, 0.0), (0.13, 0.07), (0.5, 0.0)] {
            let body =
                format!("shape: Cylinder(radius: 0.1, length: 0.2), at: ({x}, 0.1, {z}), rotation: ((1, 0, 0), \"90 deg\")");
            let mut run = bonded(3, &table, &body);
            run.step().unwrap();
            let (found, _) = face(&run);
            assert!((found / area - 1.0).abs() < 1e-9, "{body} on {table}: {found} m² of {area} m²");
        }
    }
}

#[test]
fn boxes_in_the_plane_have_their_own_length() {
    for (cells, element) in [
        ("(1, 1)", "Q4"),
        ("(4, 1)", "Q4"),
        ("(30, 1)", "Q4"),
        ("(1, 1)", "Q8"),
        ("(4, 1)", "Q8"),
        ("(7, 1)", "T6"),
        ("(5, 1)", "T3"),
    ] {
        for thickness in [1.0, 0.25] {
            let mesh = format!(
                "shape: Mesh(of: Rectangle(size: (2, 0.2), cells: {cells}, element: {element}), thickness: {thickness}), at: (-1, -0.2)"
            );
            for size in [0.4, 0.05] {
                for x in [0.0, 0.1, 0.27, -0.613] {
                    let body = format!("shape: Box(size: ({size}, 0.2)), at: ({x}, 0.1)");
                    check(&format!("{body} on {mesh}"), &mut bonded(2, &mesh, &body), (size * thickness, Vec3::new(x, 0.0, 0.0)));
                }
            }
            let body = "shape: Box(size: (0.4, 0.2)), at: (0.95, 0.1)";
            check(&format!("{body} on {mesh}"), &mut bonded(2, &mesh, body), (0.25 * thickness, Vec3::new(0.875, 0.0, 0.0)));
        }
    }
}

/// A box on an elastic layer of stiffness k sinks by m g/k and stays level: every contact has the same gap.
#[test]
fn a_box_on_a_layer_over_a_mesh_stays_level() {
    let k = 1e6;
    for (x, z, angle) in [(0.0, 0.0, 0.0), (0.13, 0.07, 0.0), (0.13, 0.07, 0.4)] {
        for (cells, element) in [("(1, 1, 1)", "Hex8"), ("(4, 1, 3)", "Hex8"), ("(4, 1, 3)", "Tet4"), ("(8, 1, 6)", "Hex20")] {
            let mut run = build(
                &format!(
                    r#"(dimension: 3, gravity: (0, -10, 0), time: (step: 0.02, end: 100, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e12, poisson: 0)), "r": (density: 1000)}},
  bodies: [(group: "a", material: "m", shape: Mesh(of: Cuboid(size: (2, 0.2, 1), cells: {cells}, element: {element})), at: (-0.5, -0.2, -0.5)),
    (group: "b", material: "r", shape: Box(size: (0.4, 0.2, 0.3)), at: ({x}, 0.1, {z}), rotation: ((0, 1, 0), {angle}))],
  interactions: [(between: ("a", "b"), law: Elastic(stiffness: {k}, damping: 2e4, friction: 0))],
  loads: [(on: "a.bottom", load: Fixed)], physics: [Contact()])"#
                ),
                &[],
            );
            steps(&mut run, 100);
            let sunk = 24.0 * 10.0 / k;
            for c in run.world().network.iter().filter(|c| c.gap < 0.01) {
                assert!(
                    (c.gap / -sunk - 1.0).abs() < 2e-3,
                    "({x}, {z}), {angle} rad on {element} {cells}: {} m of {sunk} m",
                    -c.gap
                );
            }
        }
    }
}

/// What curved bodies have on a mesh is what they have on a rigid plane, whatever the cells: 2 r l of what lies on its side, π r² of a ball, 2 r of a disc.
#[test]
fn curved_bodies_on_meshes_have_the_area_that_they_have_on_a_plane() {
    let sum = |run: &mut mpcd_sim::Simulation| {
        run.step().unwrap();
        run.field("bonded_area").unwrap().iter().sum::<f64>()
    };
    let floor = |space: u8, shape: &str| {
        let text = format!(
            r#"(dimension: {space}, time: (step: 0.01, end: 1, theta: 1), materials: {{"r": (density: 1000)}},
  bodies: [(group: "a", material: "r", shape: Plane(normal: ({}))), (group: "b", material: "r", {shape})],
  interactions: [(between: ("a", "b"), law: Bilinear(normal_stiffness: 1e9, tensile_strength: 1e6, energy: 1000, friction: 0))],
  physics: [Contact()])"#,
            if space == 2 { "0, 1" } else { "0, 1, 0" }
        );
        sum(&mut build(&text, &[]))
    };
    let mut missed = Vec::new();
    let mut hold = |what: String, found: f64, area: f64| {
        let off = (found / area - 1.0).abs();
        if off.is_nan() || off >= 1e-9 {
            missed.push(format!("{what}: {found} m² of {area} m²"));
        }
    };
    let pi = std::f64::consts::PI;
    for (x, z) in [(0.13, 0.07), (0.0, 0.0), (0.5, 0.25)] {
        for angle in [0.0, 0.4] {
            for (shape, area) in [
                ("Sphere(radius: 0.05)", Some(pi * 0.0025)),
                ("Cylinder(radius: 0.05, length: 0.2)", Some(0.02)),
                ("Capsule(radius: 0.05, length: 0.2)", Some(0.02)),
                ("Ellipsoid(radii: (0.06, 0.05, 0.04))", None),
                (
                    "Cluster(parts: [(shape: Sphere(radius: 0.05), at: (-0.1, 0, 0)), (shape: Sphere(radius: 0.05), at: (0.1, 0, 0))])",
                    Some(2.0 * pi * 0.0025),
                ),
            ] {
                let body = format!("shape: {shape}, at: ({x}, 0.05, {z}), rotation: ((0, 1, 0), {angle})");
                let rigid = floor(3, &body);
                hold(format!("{body} on a plane"), rigid, area.unwrap_or(rigid));
                for table in tables() {
                    hold(format!("{body} on {table}"), sum(&mut bonded(3, &table, &body)), rigid);
                }
            }
        }
    }
    for (shape, area) in [("Disc(radius: 0.05)", 0.1), ("Capsule(radius: 0.05, length: 0.2)", 0.2)] {
        for x in [0.0, 0.13, 0.5] {
            let body = format!("shape: {shape}, at: ({x}, 0.05)");
            hold(format!("{body} on a plane"), floor(2, &body), area);
            for (cells, element) in [("(1, 1)", "Q4"), ("(4, 1)", "Q4"), ("(16, 1)", "Q8"), ("(7, 1)", "T6")] {
                let mesh =
                    format!("shape: Mesh(of: Rectangle(size: (2, 0.2), cells: {cells}, element: {element})), at: (-1, -0.2)");
                hold(format!("{body} on {mesh}"), sum(&mut bonded(2, &mesh, &body)), area);
            }
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}
