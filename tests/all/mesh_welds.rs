//! Welds of sides of meshes, in whole models: against held sides, against rigid bodies welded to each other, and by their forces.

use mpcd_core::Book;
use mpcd_sim::{Model, ModelErrors, Registry, Simulation, testkit::same_bits};

use crate::granular::{build, column, steps};

/// A model of `space` dimensions with `rest` of its sections.
fn scene(space: usize, (step, theta): (f64, f64), gravity: f64, rest: &str) -> String {
    let down = if space == 2 { format!("(0, {:?})", -gravity) } else { format!("(0, {:?}, 0)", -gravity) };
    format!(
        "(dimension: {space}, gravity: {down}, time: (step: {step:?}, end: 1000, theta: {theta:?}),\n\
         materials: {{\"m\": (density: 1000, elastic: (young: \"10 MPa\", poisson: 0.3)),\n\
         \"rubber\": (density: 1000, elastic: (young: \"1 MPa\", poisson: 0.3), solid: (law: NeoHookean)),\n\
         \"hard\": (density: 1000, elastic: (young: \"1 GPa\", poisson: 0.3), solid: (law: SaintVenantKirchhoff)), \"s\": (density: 2000)}},\n{rest})"
    )
}

fn beam(space: usize) -> &'static str {
    if space == 2 {
        "Mesh(of: Rectangle(size: (0.4, 0.1), cells: (6, 2), element: Q8))"
    } else {
        "Mesh(of: Cuboid(size: (0.4, 0.1, 0.1), cells: (4, 1, 1), element: Hex20))"
    }
}

fn plate(space: usize, thick: f64) -> String {
    if space == 2 { format!("Box(size: ({thick}, 0.1))") } else { format!("Box(size: ({thick}, 0.1, 0.1))") }
}

fn at(space: usize, x: f64, y: f64) -> String {
    if space == 2 { format!("({x:?}, {y:?})") } else { format!("({x:?}, {y:?}, 0.05)") }
}

fn array(run: &Simulation, name: &str) -> Vec<f64> {
    run.meshes()[0].arrays.iter().find(|a| a.name == name).unwrap().values.clone()
}

fn differ(a: &[f64], b: &[f64]) -> f64 {
    let largest = a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    a.iter().zip(b).fold(0.0_f64, |m, (x, y)| m.max((x - y).abs())) / largest
}

fn books_are_closed(run: &Simulation, least: f64) {
    for book in [Book::Momentum, Book::Energy] {
        let account = run.books().account(book).unwrap();
        assert!(account.worst <= least, "{} is open by {:e}", book.name(), account.worst);
    }
}

/// A cantilever under its weight moves alike whether its side is held, welded to the ground, welded to a fixed plate, or to a plate that is driven with no
/// speed; at rest the weld bears the weight, and its moment about the mean of the side.
#[test]
fn a_welded_side_is_a_held_side() {
    for (space, material, (h, theta)) in
        [(2, "m", (2e-3, 1.0)), (2, "rubber", (2e-3, 0.5)), (3, "m", (2e-3, 0.5)), (3, "rubber", (5e-3, 1.0))]
    {
        let origin = if space == 2 { "(0, 0)" } else { "(0, 0, 0)" };
        let body = format!("(group: \"b\", material: \"{material}\", shape: {}, at: {origin})", beam(space));
        let with_plate =
            format!("{body}, (group: \"p\", material: \"s\", shape: {}, at: {})", plate(space, 0.02), at(space, -0.01, 0.05));
        let no = "interactions: [(between: (\"b\", \"p\"), law: NoContact)],";
        let ways = [
            format!("bodies: [{body}], loads: [(on: \"b.left\", load: Fixed)],"),
            format!("bodies: [{body}], joints: [(to_ground: \"b.left\", name: \"j\", joint: Weld)],"),
            format!(
                "bodies: [{with_plate}], {no} loads: [(on: \"p\", load: Fixed)], joints: [(between: (\"b.left\", \"p\"), name: \"j\", joint: Weld)],"
            ),
            format!(
                "bodies: [{with_plate}], {no} loads: [(on: \"p\", load: Fixed)], joints: [(between: (\"p\", \"b.left\"), name: \"j\", joint: Weld)],"
            ),
        ];
        let mut held = Vec::new();
        for (k, way) in ways.iter().enumerate() {
            let mut run = build(&scene(space, (h, theta), 2.0, &format!("{way} physics: [Contact(tolerance: 1e-11)]")), &[]);
            let last = steps(&mut run, 30);
            books_are_closed(&run, 1e-9);
            let moved = array(&run, "displacement");
            if k == 0 {
                held = moved;
                continue;
            }
            assert!(differ(&held, &moved) < 1e-8, "{space}D {material}, way {k}: {:e}", differ(&held, &moved));
            assert!(column(&run, &last, "j_force").unwrap() > 0.0);
        }
    }
    // At rest, by weight alone.
    let rest = "bodies: [(group: \"b\", material: \"m\", shape: Mesh(of: Rectangle(size: (0.4, 0.1), cells: (6, 2), element: Q8), plane: PlaneStress))], joints: [(to_ground: \"b.left\", name: \"j\", joint: Weld)], physics: [Contact(tolerance: 1e-11)]";
    let mut run = build(&scene(2, (0.5, 1.0), 0.01, rest), &[]);
    let last = steps(&mut run, 60);
    let (force, moment) = (column(&run, &last, "j_force").unwrap(), column(&run, &last, "j_moment").unwrap());
    let weight = 1000.0 * 0.04 * 0.01;
    assert!((force / weight - 1.0).abs() < 1e-8, "{force} N of {weight} N");
    assert!((moment / (weight * 0.2) - 1.0).abs() < 1e-4, "{moment} N m of {} N m", weight * 0.2);
}

/// A stiff block welded to a plate that turns about a pin swings as two rigid bodies that are welded.
#[test]
fn a_stiff_block_on_a_plate_swings_as_a_rigid_one() {
    for space in [2, 3] {
        let place = |run: &Simulation| run.world().kinematics.position[0];
        let swing = |shape: &str, weld: &str, corner: &str, h: f64, count: u64| {
            let pin = if space == 2 { "Pin(at: (0, 0.05))" } else { "Hinge(at: (0, 0.05, 0.05), axis: (0, 0, 1))" };
            let rest = format!(
                "bodies: [(group: \"b\", material: \"hard\", shape: {shape}, at: {corner}), (group: \"p\", material: \"s\", shape: {}, at: {})],\n\
                 interactions: [(between: (\"b\", \"p\"), law: NoContact)],\n\
                 joints: [(between: (\"{weld}\", \"p\"), name: \"j\", joint: Weld), (to_ground: \"p\", joint: {pin})], physics: [Contact(tolerance: 1e-10)]",
                plate(space, 0.02),
                at(space, -0.01, 0.05)
            );
            let mut run = build(&scene(space, (h, 0.5), 9.81, &rest), &[]);
            steps(&mut run, count);
            books_are_closed(&run, 1e-8);
            place(&run)
        };
        let (mesh, corner) = if space == 2 {
            ("Mesh(of: Rectangle(size: (0.4, 0.1), cells: (4, 1), element: Q8))", "(0, 0)")
        } else {
            ("Mesh(of: Cuboid(size: (0.4, 0.1, 0.1), cells: (2, 1, 1), element: Hex20))", "(0, 0, 0)")
        };
        let soft = swing(mesh, "b.left", corner, 2e-3, 150);
        let rigid = swing(&plate(space, 0.4), "b", &at(space, 0.2, 0.05), 2e-3, 150);
        assert!((rigid.y - 0.05).abs() > 0.05 && (soft - rigid).norm() < 1e-3, "{space}D: {soft} {rigid}");
    }
}

/// Whatever the mass of what hangs on a side is over that of the mesh, the weld bears it, and the books close.
#[test]
fn any_ratio_of_masses_hangs_on_a_side() {
    for mass in [1e-3, 1.0, 1e3, 1e6] {
        let rest = format!(
            "bodies: [(group: \"b\", material: \"m\", shape: Mesh(of: Rectangle(size: (0.1, 0.4), cells: (1, 4), element: Q4), thickness: 0.1)), (group: \"p\", material: \"s\", shape: Box(size: (0.1, 0.02)), at: (0.05, -0.01), mass: {mass:?})],\n\
             interactions: [(between: (\"b\", \"p\"), law: NoContact)], loads: [(on: \"b.top\", load: Fixed)],\n\
             joints: [(between: (\"p\", \"b.bottom\"), name: \"j\", joint: Weld)], physics: [Contact(tolerance: 1e-11)]"
        );
        let g = 1e-3;
        let mut run = build(&scene(2, (100.0, 1.0), g, &rest), &[]);
        let last = steps(&mut run, 100);
        let force = column(&run, &last, "j_force").unwrap();
        assert!((force / (mass * g) - 1.0).abs() < 1e-5, "{mass} kg: {force} N of {} N", mass * g);
        books_are_closed(&run, 1e-8);
    }
}

/// A bar that is drawn ever harder leaves its weld when the whole force passes the limit, all nodes at once.
#[test]
fn a_weld_breaks_as_a_whole() {
    let rest = "bodies: [(group: \"b\", material: \"m\", shape: Mesh(of: Rectangle(size: (0.4, 0.1), cells: (4, 3), element: Q4), plane: PlaneStress))],\n\
                loads: [(on: \"b.right\", load: Traction(x: Ramp(from: 0, to: 10000, end: 100)))],\n\
                joints: [(to_ground: \"b.left\", name: \"j\", joint: Weld(break_force: 500))], physics: [Contact(tolerance: 1e-10)]";
    let mut run = build(&scene(2, (0.5, 1.0), 0.0, rest), &[]);
    // 100 Pa/s over 0.1 m²: 500 N after 50 s.
    let last = steps(&mut run, 98);
    let force = column(&run, &last, "j_force").unwrap();
    assert!((force / 490.0 - 1.0).abs() < 1e-4 && column(&run, &last, "joints_broken").unwrap() == 0.0, "{force} N");
    let last = steps(&mut run, 5);
    assert!(column(&run, &last, "joints_broken").unwrap() == 1.0 && column(&run, &last, "j_force").unwrap() == 0.0);
    let left = run.meshes()[0].arrays.iter().find(|a| a.name == "velocity").unwrap().values.chunks(3).all(|v| v[0] > 0.0);
    assert!(left, "a node is still held");
}

#[test]
fn welds_of_sides_have_the_same_bits() {
    let rest = "bodies: [(group: \"b\", material: \"rubber\", shape: Mesh(of: Rectangle(size: (0.4, 0.1), cells: (6, 2), element: Q8)), at: (0, 0)), (group: \"p\", material: \"s\", shape: Box(size: (0.02, 0.1)), at: (-0.01, 0.05)), (group: \"floor\", material: \"s\", shape: Plane(normal: (0, 1)), at: (0, -0.01))],\n\
                interactions: [(between: (\"b\", \"p\"), law: NoContact), (between: (\"b\", \"floor\"), law: Coulomb(friction: 0.3)), (between: (\"p\", \"floor\"), law: Coulomb(friction: 0.3))],\n\
                joints: [(between: (\"b.left\", \"p\"), name: \"j\", joint: Weld(break_force: 1e4))], physics: [Contact()]";
    let text = scene(2, (1e-3, 0.5), 9.81, rest).replace("end: 1000", "end: 0.06");
    let build = || -> Result<Simulation, ModelErrors> {
        let model = Model::parse_with(&text, "m", "m.ron", std::path::Path::new("."), &[], &mpcd::shapes())?;
        Simulation::build(&model, &<Registry as mpcd::StandardRegistry>::standard())
    };
    same_bits(&build, 40).unwrap_or_else(|e| panic!("{e}"));
}

/// A side that is welded to the ground, or to a body that a load holds, and lies on a floor, is as one that a load holds there: the floor carries nothing,
/// and the block moves alike. One that is welded to what moves is carried by the floor; a weld that broke gives its nodes back to it.
#[test]
fn a_welded_side_that_touches_what_nothing_moves_is_a_held_side() {
    let body = "(group: \"b\", material: \"m\", shape: Mesh(of: Rectangle(size: (0.4, 0.1), cells: (4, 2), element: Q4)), at: (0, 0)), (group: \"floor\", material: \"s\", shape: Plane(normal: (0, 1)))";
    let plate = "(group: \"p\", material: \"s\", shape: Box(size: (0.4, 0.1)), at: (0.2, -0.05))";
    let law = "interactions: [(between: (\"b\", \"floor\"), law: Coulomb(friction: 0.3)), (between: (\"p\", \"floor\"), law: NoContact), (between: (\"b\", \"p\"), law: NoContact)]";
    let moved = |bodies: &str, loads: &str, joints: &str| {
        let law = if bodies.contains("\"p\"") {
            law
        } else {
            "interactions: [(between: (\"b\", \"floor\"), law: Coulomb(friction: 0.3))]"
        };
        let rest = format!(
            "bodies: [{bodies}], {law}, loads: [{loads}], joints: [{joints}], physics: [Contact()],\n\
             output: (probes: [(name: \"floor\", of: \"resultant\", component: Y, group: \"floor\")])"
        );
        let mut run = build(&scene(2, (2e-3, 1.0), 9.81, &rest), &[]);
        let last = steps(&mut run, 150);
        (array(&run, "displacement"), column(&run, &last, "floor").unwrap())
    };
    let held = moved(body, "(on: \"b.bottom\", load: Fixed)", "");
    let both = format!("{body}, {plate}");
    let fixed = "(on: \"p\", load: Fixed)";
    for (name, (place, force)) in [
        ("ground", moved(body, "", "(to_ground: \"b.bottom\", name: \"j\", joint: Weld())")),
        ("fixed plate", moved(&both, fixed, "(between: (\"b.bottom\", \"p\"), name: \"j\", joint: Weld())")),
        ("fixed plate, named first", moved(&both, fixed, "(between: (\"p\", \"b.bottom\"), name: \"j\", joint: Weld())")),
    ] {
        assert!(differ(&place, &held.0) < 1e-6, "welded to {name}: {:e}", differ(&place, &held.0));
        assert!(force == 0.0 && held.1 == 0.0, "welded to {name}: the floor carries {force} N");
    }
    // 0.4 x 0.1 x 1 m of 1,000 and of 2,000 kg/m3: the floor carries both.
    let (_, force) = moved(&both, "", "(between: (\"b.bottom\", \"p\"), name: \"j\", joint: Weld())");
    assert!((force / (-120.0 * 9.81) - 1.0).abs() < 1e-3, "welded to what moves: {force} N");
    let (_, force) = moved(body, "", "(to_ground: \"b.bottom\", name: \"j\", joint: Weld(break_force: 1))");
    assert!((force / (-40.0 * 9.81) - 1.0).abs() < 1e-3, "the weld broke: {force} N");
}

/// A plate that is welded to a hub and turns with it: the weld hands on the moment of the motor, whose hub weighs nothing. About places of the end of the step it was off by
/// I ω² h ω/2, the moment of the forces that keep the plate on its circle: 0.565 of 0.5 N m.
#[test]
fn welds_of_plates_that_turn_hand_on_the_moment_of_the_motor() {
    // what makes velocities fit at the end of a step acts where the nodes are then
    for (theta, most, off) in [(1.0, 0.5, 1e-2), (0.5, 0.5, 1e-4), (1.0, 5.0, 1e-2)] {
        let mut run = build(
            &format!(
                "(dimension: 3, time: (step: \"2 ms\", end: 1, theta: {theta:?}),\n\
                 materials: {{\"m\": (density: 1000, elastic: (young: \"100 MPa\", poisson: 0.3), solid: (law: SaintVenantKirchhoff)), \"s\": (density: 1000)}},\n\
                 bodies: [\n\
                   (group: \"p\", material: \"m\", shape: Mesh(of: Cuboid(size: (0.4, 0.4, 0.02), cells: (3, 4, 1), element: Hex8)), at: (-0.2, -0.2, 0), spin: (0, 0, 9)),\n\
                   (group: \"hub\", material: \"s\", shape: Box(size: (0.02, 0.02, 0.2)), mass: 1e-6, spin: (0, 0, 9)),\n\
                 ],\n\
                 joints: [(between: (\"p.back\", \"hub\"), joint: Weld(), name: \"weld\"),\n\
                   (to_ground: \"hub\", joint: Hinge(at: (0, 0, 0), axis: (0, 0, 1), motor: (speed: 9.2, torque: {most:?})), name: \"h\")],\n\
                 interactions: [(between: (\"p\", \"hub\"), law: NoContact)], physics: [Contact()])"
            ),
            &[],
        );
        for step in 0..30 {
            let outcome = steps(&mut run, 1);
            let [weld, motor] = ["weld_moment", "h_torque"].map(|name| column(&run, &outcome, name).unwrap());
            assert!((weld - motor.abs()).abs() < off, "θ = {theta}, step {step}: {weld} of {motor} N m");
        }
    }
}
