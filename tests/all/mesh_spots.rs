//! The spots at which rigid bodies that are round or sharp touch meshes: one contact each for laws of the whole, whichever nodes bear, while it rolls, where it is pressed in, and in a groove.

use std::path::Path;

use mpcd::{Registry, StandardRegistry};
use mpcd_sim::{Model, Simulation};

use crate::granular::{build, column, steps};
use crate::mesh_partners::carried;

const STIFF: &str = "\"m\": (density: 1000, elastic: (young: 1e12, poisson: 0.2), thermal: (conductivity: 1e7, specific_heat: 100), electrical: (conductivity: 1e9))";

/// A disc rolls, and one that is not turned slides, over a mesh: 1 A through 5 S is 0.2 V in every step, though nodes are newly reached and left in it.
#[test]
fn a_spot_conducts_once_while_it_moves() {
    for (cells, element) in [("(23, 3)", "Q4"), ("(40, 2)", "Q4"), ("(15, 2)", "Q8")] {
        for spin in [", spin: -10", ""] {
            let mut run = build(
                &format!(
                    "(dimension: 2, gravity: (0, -10), time: (step: 1e-3, end: 1, theta: 1), materials: {{\"m\": (density: 1000, elastic: (young: 2e6, poisson: 0.2), electrical: (conductivity: 1e9))}},\n\
                     bodies: [(group: \"floor\", material: \"m\", shape: Mesh(of: Rectangle(size: (1, 0.1), cells: {cells}, element: {element})), at: (-0.2, -0.1)),\n\
                     (group: \"wheel\", material: \"m\", shape: Disc(radius: 0.1), at: (0, 0.1), velocity: (1, 0){spin})],\n\
                     interactions: [(between: (\"floor\", \"wheel\"), law: Coulomb(friction: 0.3))], loads: [(on: \"floor.bottom\", load: Fixed)],\n\
                     physics: [Contact(tolerance: 1e-9), Electrical(law: Constant(conductance: 5), potential: [(group: \"floor\", value: 0)], current: [(group: \"wheel\", value: 1)])])"
                ),
                &[],
            );
            steps(&mut run, 20);
            for step in 0..200 {
                let last = steps(&mut run, 1);
                let found = column(&run, &last, "resistance").unwrap();
                assert!((found / 0.2 - 1.0).abs() < 1e-3, "{cells} {element}, {spin}, step {step}: {found} Ω");
            }
        }
    }
}

/// How deep (m) 100 N press a rigid body along the last axis into a spring of 1e4 N/m on a mesh that hardly gives.
fn pressed_on_a_spring(dimension: usize, block: &str, body: &str) -> f64 {
    let (down, held, side) = if dimension == 2 {
        ("Force(y: -100)", "X, SpinZ", "bottom")
    } else {
        ("Force(z: -100)", "X, Y, SpinX, SpinY, SpinZ", "back")
    };
    let mut run = build(
        &format!(
            "(dimension: {dimension}, time: (step: 1e-2, end: 10, theta: 1), materials: {{{STIFF}}},\n\
             bodies: [(group: \"low\", material: \"m\", shape: {block}), (group: \"round\", material: \"m\", shape: {body})],\n\
             interactions: [(between: (\"low\", \"round\"), law: Elastic(stiffness: 1e4, damping: 2000, friction: 0))],\n\
             loads: [(on: \"low.{side}\", load: Fixed), (on: \"round\", load: Locked(axes: [{held}])), (on: \"round\", load: {down})],\n\
             physics: [Contact(tolerance: 1e-10, watch: (overlap: Warn))])"
        ),
        &[],
    );
    let start = run.world().kinematics.position[1][dimension - 1];
    // the damper and the spring: 0.2 s
    steps(&mut run, 250);
    start - run.world().kinematics.position[1][dimension - 1]
}

/// F/k = 0.01 m, whatever the cells: springs are where the body is deepest and not at all nodes that it covers (up to twice as deep before).
#[test]
fn springs_of_round_bodies_are_where_they_are_deepest() {
    let mut missed = Vec::new();
    let mut check = |dimension: usize, block: &str, body: &str| {
        let found = pressed_on_a_spring(dimension, block, body) / 0.01;
        // along a line in space there are the nodes beside it
        let within = if body.starts_with("Segment") { 0.1 } else { 2e-3 };
        if (found - 1.0).abs() > within {
            missed.push(format!("{body} on {block}: {found}"));
        }
    };
    for cells in ["(7, 2), element: Q4", "(20, 2), element: Q4", "(50, 2), element: Q4", "(9, 2), element: Q8"] {
        let block = format!("Mesh(of: Rectangle(size: (1, 0.2), cells: {cells})), at: (-0.5, -0.2)");
        check(2, &block, "Disc(radius: 0.1), at: (0.013, 0.1)");
        check(2, &block, "Capsule(radius: 0.1, length: 0.3), at: (0.013, 0.1)");
    }
    for cells in ["(5, 5, 1), element: Hex8", "(11, 11, 1), element: Hex8", "(8, 8, 1), element: Tet4"] {
        let block = format!("Mesh(of: Cuboid(size: (1, 1, 0.2), cells: {cells})), at: (-0.5, -0.5, -0.2)");
        check(3, &block, "Sphere(radius: 0.1), at: (0.013, 0.02, 0.1)");
        check(3, &block, "Segment(from: (-0.2, 0, 0), to: (0.2, 0, 0), radius: 0.1), at: (0.013, 0.02, 0.1)");
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// A ball sinks through a film above a mesh as above a rigid block and as the law says: the film is that of the ball, once, however many nodes are within its range.
#[test]
fn one_film_lies_above_many_nodes() {
    let height = |block: &str, at: &str| {
        let fixed = if block.contains("Mesh(") { "low.back" } else { "low" };
        let mut run = build(
            &format!(
                "(dimension: 3, gravity: (0, 0, -10), time: (step: 1e-3, end: 1), materials: {{{STIFF}}},\n\
                 bodies: [(group: \"low\", material: \"m\", {block}), (group: \"ball\", material: \"m\", shape: Sphere(radius: 0.1), at: ({at}, 0.101))],\n\
                 interactions: [(between: (\"low\", \"ball\"), law: Lubrication(viscosity: 20, range: 0.01, roughness: 1e-6, friction: 0))],\n\
                 loads: [(on: \"{fixed}\", load: Fixed)], physics: [Contact(tolerance: 1e-10, solver: \"nlgs\")])"
            ),
            &[],
        );
        steps(&mut run, 100);
        run.world().kinematics.position[1].z - 0.1
    };
    let rigid = height("shape: Box(size: (1, 1, 0.2)), at: (0, 0, -0.1)", "0, 0");
    // dg/dt = −m g g / 6πηR², of a mass of 4/3 π ρ R³
    let rate: f64 = 10.0 * 4.0 / 3.0 * 1000.0 * 0.1 / (6.0 * 20.0);
    assert!((rigid / (1e-3 * (-0.1 * rate).exp()) - 1.0).abs() < 0.02, "{rigid} m");
    for (cells, at) in [("(5, 5, 1)", "0, 0"), ("(5, 4, 1)", "0, 0"), ("(4, 4, 1)", "0, 0"), ("(24, 24, 1)", "0.013, 0.02")] {
        let block = format!("shape: Mesh(of: Cuboid(size: (1, 1, 0.2), cells: {cells}, element: Hex8)), at: (-0.5, -0.5, -0.2)");
        let found = height(&block, at);
        assert!((found / rigid - 1.0).abs() < 2e-3, "{cells} at {at}: {found} m of {rigid} m");
    }
}

/// A box on its edge has no area on a mesh, as it has none on a rigid block: a law of the pressure lets nothing pass, one of the contact all that it says.
#[test]
fn sharp_edges_have_no_area() {
    let heat = |block: &str, law: &str| {
        let fixed = if block.contains("Mesh(") { "low.bottom" } else { "low" };
        let mut run = build(
            &format!(
                "(dimension: 2, time: (step: 1e-3, end: 1, theta: 1), materials: {{{STIFF}}},\n\
                 bodies: [(group: \"low\", material: \"m\", {block}), (group: \"end\", material: \"m\", shape: Box(size: (0.1, 0.1)), rotation: 45 deg, at: (0.013, 0.07071067811865475))],\n\
                 interactions: [(between: (\"low\", \"end\"), law: Coulomb(friction: 0))],\n\
                 loads: [(on: \"{fixed}\", load: Fixed), (on: \"end\", load: Locked(axes: [X, SpinZ])), (on: \"end\", load: Force(y: -100))],\n\
                 physics: [Contact(tolerance: 1e-10), Thermal(law: {law}, temperature: 300, coupling: (dilatation: false),\n\
                 boundary: [Temperature(group: \"low\", value: 300), Temperature(group: \"end\", value: 301)])])"
            ).replace("45 deg", "\"45 deg\""),
            &[],
        );
        steps(&mut run, 20);
        run.field("heat").unwrap().iter().sum::<f64>().abs()
    };
    let rigid = "shape: Box(size: (1, 0.2)), at: (0, -0.1)".to_owned();
    let mesh = |cells: &str| format!("shape: Mesh(of: Rectangle(size: (1, 0.2), cells: {cells}, element: Q4)), at: (-0.5, -0.2)");
    for block in [rigid, mesh("(7, 2)"), mesh("(40, 3)"), mesh("(1000, 1)")] {
        let found = heat(&block, "PressurePower(coefficient: 1e3, exponent: 0.5, reference: 1e5)");
        assert!(found < 1e-9, "{block}: {found} W");
        let found = heat(&block, "Constant(conductance: 30)");
        assert!((found / 30.0 - 1.0).abs() < 1e-3, "{block}: {found} W");
    }
}

/// Two meshes that touch with sides that loads hold have no contact, and nothing passes between them: that is told, in the first step, and is not where one of the two gives or nothing would pass.
#[test]
fn held_sides_that_touch_are_told_where_something_should_pass() {
    let told = |loads: &str, law: &str, physics: &str| {
        let mut run = build(
            &format!(
                "(dimension: 2, time: (step: 1e-3, end: 1, theta: 1), materials: {{{STIFF}}},\n\
                 bodies: [(group: \"low\", material: \"m\", shape: Mesh(of: Rectangle(size: (1, 0.2), cells: (4, 2), element: Q4)), at: (0, -0.2)),\n\
                 (group: \"high\", material: \"m\", shape: Mesh(of: Rectangle(size: (1, 0.2), cells: (4, 2), element: Q4)))],\n\
                 interactions: [(between: (\"low\", \"high\"), law: {law})], loads: [{loads}], physics: [Contact(){physics}])"
            ),
            &[],
        );
        steps(&mut run, 3);
        run.counters().watched.iter().filter(|w| w.0 == "parted").map(|w| w.1.clone()).collect::<Vec<_>>()
    };
    let thermal = ", Thermal(law: Constant(conductance: 30), temperature: 300)";
    let both = "(on: \"low.top\", load: Fixed), (on: \"high.bottom\", load: Fixed)";
    let said = told(both, "Coulomb(friction: 0.3)", thermal);
    assert!(said.len() == 1 && said[0].contains("`thermal`") && said[0].contains("nothing passes"), "{said:?}");
    let one = "(on: \"low.top\", load: Fixed), (on: \"high.top\", load: Fixed)";
    for (loads, law, physics) in
        [(both, "NoContact", thermal), (both, "Coulomb(friction: 0.3)", ""), (one, "Coulomb(friction: 0.3)", thermal)]
    {
        let said = told(loads, law, physics);
        assert!(said.is_empty(), "{loads} {law} {physics}: {said:?}");
    }
}

/// A file of gmsh with one body whose top is a groove of this slope (rad) along z, `columns` to each side and `rows` along it; in the plane without depth.
fn groove(slope: f64, dimension: usize, columns: i32, rows: i32) -> String {
    let count = (2 * columns + 1) as usize;
    let across = |i: i32| f64::from(i) / f64::from(columns);
    let layers = if dimension == 2 { 0 } else { rows };
    let (mut nodes, mut number) = (String::new(), 0);
    for layer in 0..=layers {
        let z = f64::from(layer) / f64::from(rows.max(1)) - 0.5;
        for i in -columns..=columns {
            for y in [-0.5, slope.tan() * across(i).abs()] {
                number += 1;
                nodes += &format!("{number} {} {y} {}\n", across(i), if dimension == 2 { 0.0 } else { z });
            }
        }
    }
    let at = |layer: i32, i: usize, top: usize| layer as usize * 2 * count + 2 * i + top + 1;
    let (mut elements, mut number) = (String::new(), 0);
    let mut put = |kind: usize, group: usize, all: &[usize]| {
        number += 1;
        let all: Vec<String> = all.iter().map(ToString::to_string).collect();
        elements += &format!("{number} {kind} 2 {group} {group} {}\n", all.join(" "));
    };
    for i in 0..count - 1 {
        if dimension == 2 {
            put(1, 1, &[at(0, i, 0), at(0, i + 1, 0)]);
            put(3, 2, &[at(0, i, 0), at(0, i + 1, 0), at(0, i + 1, 1), at(0, i, 1)]);
            continue;
        }
        for l in 0..layers {
            put(3, 1, &[at(l, i, 0), at(l, i + 1, 0), at(l + 1, i + 1, 0), at(l + 1, i, 0)]);
            let [a, b] = [l, l + 1].map(|l| [at(l, i, 0), at(l, i + 1, 0), at(l, i + 1, 1), at(l, i, 1)]);
            put(5, 2, &[a, b].concat());
        }
    }
    let d = dimension;
    format!(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n{} 1 \"foot\"\n{d} 2 \"bulk\"\n$EndPhysicalNames\n$Nodes\n{}\n{nodes}$EndNodes\n$Elements\n{}\n{elements}$EndElements\n",
        d - 1,
        nodes.lines().count(),
        elements.lines().count(),
    )
}

/// A disc, a ball and a lying capsule in a groove of one mesh rest on both its flanks, W/(2 cos α) on each, no deeper than they are put, and are two contacts for laws of the whole. One flank alone bore
/// them before, by turns: they sank, and half of their weight was to no side.
#[test]
fn round_bodies_in_a_groove_rest_on_both_flanks() {
    let folder = tempfile::tempdir().unwrap();
    let mut missed = Vec::new();
    for (dimension, degrees, columns, rows) in
        [(2, 45.0, 1, 1), (2, 45.0, 7, 1), (2, 20.0, 1, 1), (2, 12.0, 3, 1), (3, 45.0, 1, 1), (3, 30.0, 4, 3)]
    {
        let slope = f64::to_radians(degrees);
        std::fs::write(folder.path().join("groove.msh"), groove(slope, dimension, columns, rows)).unwrap();
        let shapes: &[&str] = if dimension == 2 {
            &["Disc(radius: 0.1)"]
        } else {
            &["Sphere(radius: 0.1)", "Segment(from: (0, 0, -0.2), to: (0, 0, 0.2), radius: 0.1)"]
        };
        for shape in shapes {
            for friction in [0.0, 0.3] {
                let run = in_a_groove(folder.path(), dimension, slope, shape, friction);
                let case = format!("{shape} at {degrees}°, {columns} columns, friction {friction}");
                let (force, weight) = (carried(&run.0), 10.0 * run.0.setup().bodies.mass[1]);
                if (-force[1] / weight - 1.0).abs() > 1e-6 || force[0].abs() > 1e-6 * weight {
                    missed.push(format!("{case}: {force:?} N of {weight} N"));
                }
                let at = run.0.world().kinematics.position[1];
                let sunk = 0.1 / slope.cos() - at.y;
                if sunk.abs() > 1e-6 || at.x.abs() > 1e-6 {
                    missed.push(format!("{case}: sunk {sunk} m, {} m aside", at.x));
                }
                if (run.1 * 200.0 - 1.0).abs() > 1e-3 {
                    missed.push(format!("{case}: {} S", 1.0 / run.1));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// The run, and the resistance (Ω) of two contacts of 100 S side by side in the end.
fn in_a_groove(folder: &Path, dimension: usize, slope: f64, shape: &str, friction: f64) -> (Simulation, f64) {
    let (down, at) = if dimension == 2 {
        ("(0, -10)".to_owned(), format!("(0, {:?})", 0.1 / slope.cos()))
    } else {
        ("(0, -10, 0)".to_owned(), format!("(0, {:?}, 0.013)", 0.1 / slope.cos()))
    };
    let text = format!(
        "(dimension: {dimension}, gravity: {down}, time: (step: 1e-3, end: 1, theta: 1), materials: {{{STIFF}}},\n\
         bodies: [(group: \"low\", material: \"m\", shape: Mesh(of: Gmsh(file: \"groove.msh\"))), (group: \"round\", material: \"m\", shape: {shape}, at: {at})],\n\
         interactions: [(between: (\"low\", \"round\"), law: Coulomb(friction: {friction:?}))], loads: [(on: \"low.foot\", load: Fixed)],\n\
         physics: [Contact(tolerance: 1e-9), Electrical(law: Constant(conductance: 100), potential: [(group: \"low\", value: 0)], current: [(group: \"round\", value: 1)])])"
    );
    let parsed = Model::parse_with(&text, "m", "m.ron", folder, &[], &mpcd::shapes()).unwrap_or_else(|e| panic!("{e}"));
    let mut run = Simulation::build(&parsed, &Registry::standard()).unwrap_or_else(|e| panic!("{e}"));
    let last = steps(&mut run, 50);
    let resistance = column(&run, &last, "resistance").unwrap();
    (run, resistance)
}
