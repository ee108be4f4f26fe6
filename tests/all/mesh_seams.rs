//! Bodies flush beside each other are one floor: what slides over their seam without friction keeps its speed, a mesh over rigid bodies, a rigid body over
//! meshes, and a mesh over meshes. A step is one.

use mpcd_core::Vec3;

use crate::granular::{build, steps};

/// The velocity (m/s) after 0.1 s of the first body, in the group "b", over fixed ones in the group "f".
fn after(space: usize, mover: &str, floor: &[String], h: f64, law: &str) -> Vec3 {
    after_of("1e12, poisson: 0", space, mover, floor, h, law)
}

/// The same of another stiffness.
fn after_of(young: &str, space: usize, mover: &str, floor: &[String], h: f64, law: &str) -> Vec3 {
    let down = if space == 2 { "(0, -10)" } else { "(0, 0, -10)" };
    let body = |group: &str, words: &str| format!("(group: \"{group}\", material: \"m\", shape: {words}), ");
    let floor: String = floor.iter().map(|words| body("f", words)).collect();
    let mut run = build(
        &format!(
            "(dimension: {space}, gravity: {down}, time: (step: {h}, end: 1, theta: 1),\n\
             materials: {{\"m\": (density: 1000, elastic: (young: {young}))}},\n\
             bodies: [{}{floor}],\n\
             interactions: [(between: (\"b\", \"f\"), law: {law}), (between: (\"f\", \"f\"), law: NoContact)],\n\
             loads: [(on: \"f\", load: Fixed)], physics: [Contact(tolerance: 1e-12, watch: (turn: Warn))])",
            body("b", mover)
        ),
        &[],
    );
    steps(&mut run, (0.1 / h).round() as u64);
    run.world().kinematics.velocity[0]
}

const SMOOTH: &str = "Coulomb(friction: 0)";

/// A box whose upper side is from one x to another at this height.
fn flat([from, to]: [f64; 2], y: f64) -> String {
    format!("Box(size: ({:?}, 0.1)), at: ({:?}, {:?})", to - from, 0.5 * (from + to), y - 0.05)
}

/// The same of a mesh.
fn mesh([from, to]: [f64; 2], y: f64) -> String {
    format!("Mesh(of: Rectangle(size: ({:?}, 0.1), cells: (3, 1), element: Q4)), at: ({from:?}, {:?})", to - from, y - 0.1)
}

/// The same in space, from one corner to another.
fn block([[x, y], [a, b]]: [[f64; 2]; 2], is_mesh: bool) -> String {
    let (w, l) = (a - x, b - y);
    if is_mesh {
        return format!("Mesh(of: Cuboid(size: ({w:?}, {l:?}, 0.1), cells: (2, 2, 1), element: Hex8)), at: ({x:?}, {y:?}, -0.1)");
    }
    format!("Box(size: ({w:?}, {l:?}, 0.1)), at: ({:?}, {:?}, -0.05)", 0.5 * (x + a), 0.5 * (y + b))
}

const LEFT: [f64; 2] = [0.0, 0.25];
const RIGHT: [f64; 2] = [0.25, 0.6];

/// The corner behind the seam of two boxes threw discs of cells back by 0.2 to 5 % of their speed, and turned them.
#[test]
fn round_meshes_slide_over_seams() {
    let floor = [flat(LEFT, 0.0), flat(RIGHT, 0.0)];
    for round in ["(4, 3), element: Q8", "(4, 3), element: T3", "(16, 3), element: Q4"] {
        for (x, h) in [(0.2013, 4e-3), (0.2, 2e-3), (0.2057, 1e-3)] {
            let disc = format!("Mesh(of: Round(radius: 0.05, cells: {round})), at: ({x}, 0.05), velocity: (1, 0)");
            let v = after(2, &disc, &floor, h, SMOOTH);
            assert!((v - Vec3::x()).norm() < 1e-7, "{round} from {x} m, {h} s: {v:?}");
        }
    }
}

const DISC: &str = "Mesh(of: Round(radius: 0.05, cells: (4, 3), element: Q8)), at: (0.2013, 0.05), velocity: (1, 0)";

/// Whatever the bodies are that are flush, and but for rounding.
#[test]
fn seams_of_any_bodies_are_none() {
    let polygon = |x: f64| format!("Polygon(vertices: [({x}, -0.1), ({0}, -0.1), ({0}, 0), ({x}, 0)])", x + 0.05);
    let line = |x: f64| format!("Segment(from: ({x}, 0), to: ({}, 0))", x + 0.05);
    let floors = [
        (0..12).map(|k| polygon(0.05 * f64::from(k))).collect(),
        (0..12).map(|k| line(0.05 * f64::from(k))).collect(),
        vec!["Plane(normal: (0, 1))".to_owned(), flat(RIGHT, 0.0)],
        vec![flat(LEFT, 0.0), flat([0.25 + 1e-12, 0.6], 1e-13)],
        vec![flat(LEFT, 0.0), mesh(RIGHT, 0.0)],
        vec![mesh(LEFT, 0.0), flat(RIGHT, 0.0)],
        vec![mesh(LEFT, 0.0), mesh(RIGHT, 0.0)],
    ];
    for floor in floors {
        let v = after(2, DISC, &floor, 2e-3, SMOOTH);
        assert!((v - Vec3::x()).norm() < 1e-7, "{floor:?}: {v:?}");
    }
}

/// Rigid bodies over two meshes: the corner node behind the seam stood in the way of discs (0.2 % in steps of 2 ms, 0.9 % of 4 ms), capsules, and tilted
/// boxes (9 %).
#[test]
fn rigid_bodies_slide_over_seams_of_meshes() {
    let floors = [[mesh(LEFT, 0.0), mesh(RIGHT, 0.0)], [flat(LEFT, 0.0), mesh(RIGHT, 0.0)]];
    for floor in &floors {
        for h in [4e-3, 2e-3] {
            for mover in ["Disc(radius: 0.05), at: (0.2013, 0.05)", "Capsule(radius: 0.03, length: 0.06), at: (0.1713, 0.03)"] {
                let v = after(2, &format!("{mover}, velocity: (1, 0)"), floor, h, SMOOTH);
                assert!((v - Vec3::x()).norm() < 1e-7, "{mover}, {h} s, {floor:?}: {v:?}");
            }
        }
    }
}

/// What has sunk into an elastic floor: the side of the second box is no wall (a tenth of the speed, disc and block).
#[test]
fn what_has_sunk_in_slides_over_seams() {
    let block = "Mesh(of: Rectangle(size: (0.1, 0.1), cells: (2, 2), element: Q4)), at: (0.12, 0), velocity: (1, 0)";
    let elastic = "Elastic(stiffness: 1e5, friction: 0)";
    for mover in [block, DISC] {
        let v = after(2, mover, &[flat(LEFT, 0.0), flat(RIGHT, 0.0)], 2e-3, elastic);
        assert!((v.x - 1.0).abs() < 5e-3, "{mover}: {v:?}");
    }
}

/// In space, over seams along and across and where four meet: balls of cells lost 5 to 23 % on boxes and meshes, rigid round bodies 0.2 to 0.4 % on meshes.
#[test]
fn balls_and_blocks_slide_over_seams_in_space() {
    let four = |is_mesh: bool| {
        let corners =
            [[[0.0, 0.0], [0.25, 0.13]], [[0.25, 0.0], [0.6, 0.13]], [[0.0, 0.13], [0.25, 0.4]], [[0.25, 0.13], [0.6, 0.4]]];
        corners.map(|c| block(c, is_mesh))
    };
    let moving = "velocity: (1, 0.3, 0)";
    let ball = "Mesh(of: Round(radius: 0.05, cells: (3, 2), element: Hex8)), at: (0.2013, 0.113, 0.05)";
    let speed = Vec3::new(1.0, 0.3, 0.0);
    for (mover, is_mesh, h) in [
        (ball, false, 2e-3),
        (ball, false, 4e-3),
        (ball, true, 2e-3),
        ("Sphere(radius: 0.05), at: (0.2013, 0.113, 0.05)", true, 2e-3),
        ("Capsule(radius: 0.05, length: 0.12), rotation: ((0, 0, 1), \"70 deg\"), at: (0.2013, 0.113, 0.05)", true, 2e-3),
    ] {
        let v = after(3, &format!("{mover}, {moving}"), &four(is_mesh), h, SMOOTH);
        assert!((v - speed).norm() < 1e-7, "{mover}, meshes {is_mesh}, {h} s: {v:?}");
    }
}

/// A step of 1 mm takes 2 δ/R = 4 % of the speed of a disc of 50 mm, of one of cells a part of that as it turns it, and one of 0.1 mm less; a step down takes nothing, and what falls off its corner is pushed on.
#[test]
fn steps_are_steps() {
    let rigid = "Disc(radius: 0.05), at: (0.2013, 0.05), velocity: (1, 0)";
    for (mover, floor) in [(DISC, flat as fn([f64; 2], f64) -> String), (rigid, mesh)] {
        for (step, low, high) in [(1e-3, 0.02, 0.08), (1e-4, 1e-3, 0.03), (-1e-3, -1e-3, 1e-7)] {
            let v = after(2, mover, &[flat(LEFT, 0.0), floor(RIGHT, step)], 1e-3, SMOOTH);
            assert!(1.0 - v.x > low && 1.0 - v.x < high, "{mover}, a step of {step} m: {v:?}");
        }
    }
}

/// What is round about the end of a rod is covered by the side that goes on there, of the same rod and of the next: it stood in the way of a block (6 % of its speed in
/// steps of 5 ms), as did the rims of cylinders end to end and flush in a plane, which threw it back.
#[test]
fn round_ends_and_rims_are_covered() {
    let block = "Mesh(of: Rectangle(size: (0.1, 0.1), cells: (1, 1), element: Q4)), at: (0.13, 0), velocity: (1, 0)";
    let segment = |[a, b]: [f64; 2]| format!("Segment(from: ({a:?}, -0.01), to: ({b:?}, -0.01), radius: 0.01)");
    let capsule = |[a, b]: [f64; 2]| format!("Capsule(radius: 0.01, length: {:?}), at: ({:?}, -0.01)", b - a, 0.5 * (a + b));
    let floors = [
        vec![segment(LEFT), segment(RIGHT)],
        vec![segment(LEFT), segment([0.25, 0.3]), segment([0.3, 0.6])],
        vec![capsule(LEFT), capsule(RIGHT)],
        vec![flat(LEFT, 0.0), segment(RIGHT)],
        vec![segment(LEFT), flat(RIGHT, 0.0)],
    ];
    for floor in floors {
        let v = after_of("1e9, poisson: 0.3", 2, block, &floor, 5e-3, SMOOTH);
        assert!((v - Vec3::x()).norm() < 1e-6, "{floor:?}: {v:?}");
    }
    let block = |element: &str| {
        format!(
            "Mesh(of: Cuboid(size: (0.1, 0.2, 0.1), cells: (1, 2, 1), element: {element})), at: (0.13, -0.1, 0), velocity: (1, 0, 0)"
        )
    };
    let lying = |[a, b]: [f64; 2], y: f64, shape: &str| {
        format!("{shape}length: {:?}), at: ({:?}, {y:?}, -0.02), rotation: ((0, 1, 0), \"90 deg\")", b - a, 0.5 * (a + b))
    };
    let rows = |shape: &str| [-0.05, 0.05].map(|y| [lying(LEFT, y, shape), lying(RIGHT, y, shape)]).concat();
    let plane = "Plane(normal: (0, 0, 1))".to_owned();
    let standing = |down: f64| format!("Cylinder(radius: 0.1, length: 0.2), at: (0.37, 0, {:?})", -0.1 - down);
    let floors = [
        rows("Cylinder(radius: 0.02, "),
        rows("HollowCylinder(radius: 0.015, wall: 0.005, "),
        vec![plane.clone(), standing(0.0)],
        vec![plane.clone(), standing(1e-6)],
        vec![plane.clone(), standing(1e-5)],
        vec![plane, lying([0.27, 0.5], 0.0, "Cylinder(radius: 0.02, ")],
    ];
    for floor in floors {
        for element in ["Hex8", "Tet4"] {
            let v = after_of("1e9, poisson: 0.3", 3, &block(element), &floor, 2e-3, SMOOTH);
            assert!((v - Vec3::x()).norm() < 1e-5, "{element} {floor:?}: {v:?}");
        }
    }
}

/// A corner that bodies have in common with a flat side is none: soft quadratic discs leaned on it (1.3 % of their speed), and it took a share of the area
/// of the nodes beside it (16 cells of a block had 16½).
#[test]
fn corners_in_a_flat_side_are_none() {
    let disc = "Mesh(of: Round(radius: 0.1, cells: (4, 4), element: Q8)), at: (0.15, 0.1), velocity: (1, 0)";
    let boxes: Vec<String> = (0..16).map(|k| flat([0.033 * f64::from(k), 0.033 * f64::from(k + 1)], 0.0)).collect();
    let v = after_of("1e7, poisson: 0.3", 2, disc, &boxes, 1e-3, SMOOTH);
    let one = after_of("1e7, poisson: 0.3", 2, disc, &[flat([0.0, 0.6], 0.0)], 1e-3, SMOOTH);
    assert!((v.x - one.x).abs() < 1e-6, "{v:?}, over one box {one:?}");
    for (cells, seam) in [(16, 0.25), (16, 0.253), (12, 0.25), (5, 0.27)] {
        for element in ["Q4", "Q8", "T3"] {
            let held = held(&format!(
                "(dimension: 2, time: (step: 1e-3, end: 1), materials: {{\"m\": (density: 1000, elastic: (young: 1e9, poisson: 0.3))}},
                bodies: [
                    (group: \"b\", material: \"m\", shape: Mesh(of: Rectangle(size: (0.2, 0.1), cells: ({cells}, 4), element: {element})), at: (0.15, 0)),
                    (group: \"f\", material: \"m\", shape: {}), (group: \"f\", material: \"m\", shape: {}),
                ],
                interactions: [(between: (\"b\", \"f\"), law: {BOND}), (between: (\"f\", \"f\"), law: NoContact)],
                loads: [(on: \"f\", load: Fixed)], physics: [Contact()])",
                flat([0.0, seam], 0.0),
                flat([seam, 0.6], 0.0)
            ));
            assert!((held - 0.2).abs() < 1e-12, "{held} m² of 0.2, {cells} {element}, seam at {seam}");
        }
    }
}

const BOND: &str = "Bilinear(normal_stiffness: 1e10, tensile_strength: 1e4, energy: 2, friction: 0.3)";

/// The bonded area (m²) of a model after a step.
fn held(text: &str) -> f64 {
    let mut run = build(text, &[]);
    steps(&mut run, 1);
    run.field("bonded_area").unwrap().iter().sum()
}

/// In space an edge of a cell that crosses a seam has a contact point on each of its two bodies, and areas are shared as over one body: heat that passes evenly through a
/// block on one box, 1/(L/k + 1/h), was 0.9867 of that on two, 0.8237 on strips of 0.4 cells; and a bond under an even traction was damaged at 0.82 and 0.45 of that on one box.
#[test]
fn areas_over_seams_in_space_are_those_over_one_body() {
    let floor = |seams: &[f64], across: &[f64]| -> String {
        let ends = |seams: &[f64]| -> Vec<[f64; 2]> {
            let all = [&[-0.5][..], seams, &[0.7]].concat();
            all.windows(2).map(|w| [w[0], w[1]]).collect()
        };
        let boxes = ends(seams).into_iter().flat_map(|x| ends(across).into_iter().map(move |y| [[x[0], y[0]], [x[1], y[1]]]));
        boxes.map(|c| format!("(group: \"f\", material: \"r\", shape: {}), ", block(c, false))).collect()
    };
    let strips: Vec<f64> = (0..11).map(|k| 0.02 * f64::from(k)).collect();
    let floors = [floor(&[0.113], &[]), floor(&[0.113], &[0.087]), floor(&[0.1], &[0.1]), floor(&strips, &[])];
    let model = |floor: &str, (cells, angle): (&str, &str), law: &str, physics: &str, load: &str| {
        format!(
            "(dimension: 3, gravity: (0, 0, -10), time: (step: 1e-3, end: 1, theta: 1),\n\
             materials: {{\"m\": (density: 1000, elastic: (young: 1e9, poisson: 0), thermal: (conductivity: 1e3, specific_heat: 1e-3)),\n\
               \"r\": (density: 1000, thermal: (conductivity: 1e9, specific_heat: 1))}},\n\
             bodies: [(group: \"b\", material: \"m\", shape: Mesh(of: Cuboid(size: (0.2, 0.2, 0.1), {cells})), rotation: ((0, 0, 1), \"{angle} deg\")), {floor}],\n\
             interactions: [(between: (\"b\", \"f\"), law: {law}), (between: (\"f\", \"f\"), law: NoContact)],\n\
             loads: [(on: \"f\", load: Fixed){load}], physics: [Contact(tolerance: 1e-10){physics}])"
        )
    };
    let heated = ", Thermal(law: PressurePower(coefficient: 25000, exponent: 0, reference: 1), temperature: 300, coupling: (dilatation: false),
        boundary: [Temperature(group: \"f\", value: 300), Temperature(group: \"b.front\", value: 301)])";
    let heat = |floor: &str, block: (&str, &str)| {
        let mut run = build(&model(floor, block, "Coulomb(friction: 0)", heated, ""), &[]);
        let last = steps(&mut run, 4);
        crate::granular::column(&run, &last, "heat_in_b.front").unwrap()
    };
    let even = 0.04 / (0.1 / 1e3 + 1.0 / 25000.0);
    // a node on a seam touches two bodies, and which of them bears, and conducts, is open
    for floor in [&floors[0], &floors[1], &floors[3]] {
        for cells in ["cells: (4, 4, 2), element: Hex8", "cells: (4, 4, 2), element: Tet4", "cells: (3, 5, 2), element: Hex8"] {
            let found = heat(floor, (cells, "0")) / even;
            assert!((found - 1.0).abs() < 1e-5, "{cells}: {found} on {floor}");
        }
    }
    // a seam askew to the cells; diagonals of hexahedra have no points of their own
    for (cells, most) in [("cells: (4, 4, 2), element: Tet4", 1e-6), ("cells: (4, 4, 2), element: Hex8", 5e-4)] {
        for floor in &floors[..2] {
            let found = heat(floor, (cells, "20")) / even;
            assert!((found - 1.0).abs() < most, "{cells}, 20 deg: {found} on {floor}");
        }
    }
    let lets_go = |floor: &str| {
        let law = "Bilinear(normal_stiffness: 1e10, tensile_strength: 1e4, energy: 2, friction: 0.3)";
        let pull = ", (on: \"b.front\", load: Traction(z: Ramp(from: 0, to: 14000, end: 0.03)))";
        let mut run = build(&model(floor, ("cells: (4, 4, 2), element: Hex8", "0"), law, "", pull), &[]);
        (1..=30).find(|_| {
            let last = steps(&mut run, 1);
            crate::granular::column(&run, &last, "bond_damage").is_some_and(|d| d > 0.0)
        })
    };
    let one = lets_go(&floor(&[], &[]));
    assert!(one.is_some());
    for floor in &floors {
        assert_eq!(lets_go(floor), one, "{floor}");
    }
}

/// What has flat sides and slides from one elastic strip to the next, whose law says nothing to the other: the lower corner of a rigid box met the side of the second strip (0.27 of
/// 2 m/s), a block of cells went on with 0.95 to 1.46, a standing cylinder with 0.17.
#[test]
fn flat_sides_slide_over_seams_of_strips_without_a_law() {
    let strip = |space: usize, is_mesh: bool, [from, to]: [f64; 2]| {
        let (x, w, material) = (0.5 * (from + to), to - from, if is_mesh { "f" } else { "s" });
        let shape = match (space, is_mesh) {
            (2, true) => format!("Mesh(of: Rectangle(size: ({w:?}, 0.1), cells: (5, 1), element: Q4)), at: ({from:?}, -0.1)"),
            (2, false) => format!("Box(size: ({w:?}, 0.1)), at: ({x:?}, -0.05)"),
            (_, true) => {
                format!("Mesh(of: Cuboid(size: ({w:?}, 0.4, 0.1), cells: (5, 3, 1), element: Hex8)), at: ({from:?}, -0.2, -0.1)")
            }
            (_, false) => format!("Box(size: ({w:?}, 0.4, 0.1)), at: ({x:?}, 0, -0.05)"),
        };
        format!("(group: \"{material}\", material: \"{material}\", shape: {shape}), ")
    };
    let speed = |space: usize, floor: [bool; 2], mover: &str, law: &str| {
        let (down, under) = if space == 2 { ("(0, -9.81)", "bottom") } else { ("(0, 0, -9.81)", "back") };
        let bodies = strip(space, floor[0], [-0.5, 0.0]) + &strip(space, floor[1], [0.0, 0.5]);
        let (mut laws, mut loads) = (String::new(), String::new());
        if floor.contains(&true) {
            laws += "(between: (\"f\", \"t\"), law: Coulomb(friction: 0)), ";
            loads += &format!("(on: \"f.{under}\", load: Fixed), ");
        }
        if floor.contains(&false) {
            laws += "(between: (\"s\", \"t\"), law: Coulomb(friction: 0)), ";
            loads += "(on: \"s\", load: Fixed), ";
        }
        let [a, b] = floor.map(|is_mesh| if is_mesh { "f" } else { "s" });
        let mut run = build(
            &format!(
                "(dimension: {space}, gravity: {down}, time: (step: \"1 ms\", end: 1, theta: 1),\n\
                 materials: {{\"s\": (density: 1000), \"f\": (density: 1000, elastic: (young: \"1 GPa\", poisson: 0)),\n\
                   \"m\": (density: 1000, elastic: (young: \"1 GPa\", poisson: 0), solid: (law: SaintVenantKirchhoff))}},\n\
                 bodies: [(group: \"t\", {mover}), {bodies}],\n\
                 interactions: [{laws}(between: (\"{a}\", \"{b}\"), law: {law})], loads: [{loads}], physics: [Contact()])"
            ),
            &[],
        );
        steps(&mut run, 100);
        run.world().kinematics.velocity[0].x
    };
    let mut lost = Vec::new();
    let mut check = |space: usize, floor: [bool; 2], mover: &str, law: &str| {
        let v = speed(space, floor, mover, law);
        if !(0.999 * 2.0..2.002).contains(&v) {
            lost.push(format!("{v} of {mover}, meshes {floor:?}, {law}"));
        }
    };
    for floor in [[true, true], [false, true], [true, false]] {
        for x in [-0.1507, -0.15, -0.1413, -0.133] {
            let rigid = format!("material: \"s\", shape: Box(size: (0.2, 0.1)), at: ({x:?}, 0.05), velocity: (2, 0)");
            let cells = format!(
                "material: \"m\", shape: Mesh(of: Rectangle(size: (0.2, 0.1), cells: (4, 2), element: Q4)), at: ({:?}, 0), velocity: (2, 0)",
                x - 0.1
            );
            for mover in [rigid, cells] {
                check(2, floor, &mover, "NoContact");
            }
        }
        check(
            2,
            floor,
            "material: \"s\", shape: Box(size: (0.2, 0.1)), at: (-0.1507, 0.05), velocity: (2, 0)",
            "Coulomb(friction: 0.3)",
        );
    }
    let rigid = "material: \"s\", shape: Box(size: (0.2, 0.15, 0.1)), at: (-0.1507, 0.01, 0.05), velocity: (2, 0, 0)";
    check(3, [true, true], rigid, "NoContact");
    check(3, [true, false], rigid, "NoContact");
    let standing = "material: \"s\", shape: Cylinder(radius: 0.1, length: 0.1), at: (-0.1507, 0, 0.05), velocity: (2, 0, 0)";
    check(3, [true, false], standing, "NoContact");
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

/// A wedge whose edge goes ahead of it stops at a step of 10 mm: its edge meets the side of the second strip below the corner of that.
#[test]
fn wedges_stop_at_steps_of_strips() {
    let wedge = "Polygon(vertices: [(0, 0), (0.2, 0), (0.1, 0.08), (0, 0.08)]), at: (0, 0), velocity: (1, 0)";
    let v = after(2, wedge, &[mesh(LEFT, 0.0), mesh(RIGHT, 0.01)], 2e-3, SMOOTH);
    assert!(v.x < 0.5, "{v:?}");
}

/// A wedge slides on a floor against a block that stands there: its edge lies in the hollow between floor and block. Where block and floor had a law a block of cells let it go
/// through, as what wedge and floor look to together is nothing. A rigid block and one of cells take the same speed, and no momentum is lost.
#[test]
fn wedges_meet_blocks_that_stand_on_the_same_floor() {
    let after = |space: usize, block: &str, floor: &str, law: &str| {
        let (down, wedge) = if space == 2 {
            ("(0, -10)", "Polygon(vertices: [(0, 0), (0.2, 0), (0.1, 0.08), (0, 0.08)]), at: (0, 0), velocity: (1, 0)")
        } else {
            (
                "(0, 0, -10)",
                "Polyhedron(vertices: [(0, -0.1, 0), (0.2, -0.1, 0), (0.1, -0.1, 0.08), (0, -0.1, 0.08), (0, 0.1, 0), (0.2, 0.1, 0), (0.1, 0.1, 0.08), (0, 0.1, 0.08)]), at: (0, 0, 0), velocity: (1, 0, 0)",
            )
        };
        let body = |group: &str, words: &str| format!("(group: \"{group}\", material: \"m\", shape: {words}), ");
        let bodies = body("w", wedge) + &body("f", block) + &body("p", floor);
        let mut run = build(
            &format!(
                "(dimension: {space}, gravity: {down}, time: (step: 2e-3, end: 1, theta: 1),\n\
                 materials: {{\"m\": (density: 1000, elastic: (young: 1e12, poisson: 0))}}, bodies: [{bodies}],\n\
                 interactions: [(between: (\"w\", \"f\"), law: Coulomb(friction: 0)), (between: (\"w\", \"p\"), law: Coulomb(friction: 0)),\n\
                   (between: (\"p\", \"f\"), law: {law})],\n\
                 loads: [(on: \"p\", load: Fixed){}], physics: [Contact(tolerance: 1e-12)])",
                if law == "NoContact" { ", (on: \"f.bottom\", load: Locked(axes: [Y]))" } else { "" }
            ),
            &[],
        );
        steps(&mut run, 50);
        [0, 1].map(|k| run.world().kinematics.velocity[k].x)
    };
    let (rigid, cells) = (
        "Box(size: (0.35, 0.1)), at: (0.425, 0.05)",
        "Mesh(of: Rectangle(size: (0.35, 0.1), cells: (3, 1), element: Q4)), at: (0.25, 0)",
    );
    let (plane, slab) = ("Plane(normal: (0, 1))", "Box(size: (2, 0.1)), at: (0, -0.05)");
    let strip = "Mesh(of: Rectangle(size: (2, 0.1), cells: (7, 1), element: Q4)), at: (-1, -0.1)";
    let mut wrong = Vec::new();
    let mut check = |space: usize, [block, floor]: [&str; 2], law: &str, wanted: [f64; 2], masses: [f64; 2]| {
        let v = after(space, block, floor, law);
        let lost = masses[0] - masses[0] * v[0] - masses[1] * v[1];
        if (0..2).any(|k| (v[k] - wanted[k]).abs() > 1e-3) || lost.abs() > 1e-4 * masses[0] {
            wrong.push(format!("{block} on {floor}, {law}: {v:?} for {wanted:?}, momentum {lost}"));
        }
    };
    let wanted = after(2, rigid, plane, SMOOTH);
    assert!(wanted[0] < wanted[1], "{wanted:?}");
    for floor in [plane, slab, strip] {
        check(2, [cells, floor], SMOOTH, wanted, [12.0, 35.0]);
    }
    check(2, [rigid, strip], SMOOTH, wanted, [12.0, 35.0]);
    check(2, [cells, plane], "NoContact", wanted, [12.0, 35.0]);
    let (rigid, cells) = (
        "Box(size: (0.35, 0.3, 0.1)), at: (0.425, 0, 0.05)",
        "Mesh(of: Cuboid(size: (0.35, 0.3, 0.1), cells: (3, 3, 1), element: Hex8)), at: (0.25, -0.15, 0)",
    );
    let (plane, slab) = ("Plane(normal: (0, 0, 1))", "Box(size: (2, 1, 0.1)), at: (0, 0, -0.05)");
    let wanted = after(3, rigid, plane, SMOOTH);
    assert!(wanted[0] < wanted[1], "{wanted:?}");
    for floor in [plane, slab] {
        check(3, [cells, floor], SMOOTH, wanted, [2.4, 10.5]);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
