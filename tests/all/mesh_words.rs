//! What a model asks of a mesh and would be left out in silence: refused, or said, with its place.

use std::path::Path;

use mpcd_sim::{Model, Registry, Simulation, describe};

use crate::granular::{build, steps};

const BAR: &str = "Mesh(of: Rectangle(size: (0.4, 0.1), cells: (4, 1), element: Q4))";

fn text(body: &str, law: &str, loads: &str) -> String {
    format!(
        "(dimension: 2, time: (step: 0.1, end: 10, theta: 1), materials: {{\"m\": (density: 1000, elastic: (young: 1e6, poisson: 0), solid: (law: {law}))}},\n\
         bodies: [(group: \"b\", material: \"m\", {body})], loads: [{loads}], physics: [Contact()])"
    )
}

pub(crate) fn built(text: &str) -> Result<Simulation, String> {
    let parsed = Model::parse_with(text, "m", "m.ron", Path::new("."), &[], &mpcd::shapes());
    parsed.and_then(|m| Simulation::build(&m, &<Registry as mpcd::StandardRegistry>::standard())).map_err(|e| e.to_string())
}

/// Parts of forces that a plane has not, and moments of inertia that a mesh has by its nodes.
#[test]
fn what_would_be_left_out_is_refused() {
    let mesh = format!("shape: {BAR}");
    let disc = "shape: Disc(radius: 0.1)".to_owned();
    let heavy = format!("shape: {BAR}, inertia: 3");
    for (body, load, words) in [
        (&mesh, "(on: \"b.right\", load: Traction(x: 1, z: 5))", "forces along x and y only"),
        (&mesh, "(on: \"b.right\", load: Force(z: 5))", "forces along x and y only"),
        (&disc, "(on: \"b\", load: Force(x: 1, z: 5))", "forces along x and y and moments about z only"),
        (&disc, "(on: \"b\", load: Force(x: 1, torque_x: 5))", "forces along x and y and moments about z only"),
        (&heavy, "(on: \"b.right\", load: Force(x: 1))", "those of its nodes"),
    ] {
        let said = built(&text(body, "Linear", load)).map(|_| ()).expect_err(load);
        assert!(said.contains(words) && said.contains("m.ron:"), "{load}: {said}");
    }
    // The thickness that a pressure acts on changes in plane stress at large strain, and is not known there.
    let sheet = format!("shape: {}", BAR.replace("element: Q4)", "element: Q4), plane: PlaneStress"));
    let pressed = "(on: \"b.right\", load: Pressure(pressure: 1))";
    let said = built(&text(&sheet, "NeoHookean", pressed)).map(|_| ()).expect_err(pressed);
    assert!(said.contains("thickness") && said.contains("m.ron:"), "{said}");
    // A viscous stress that thins a plate unlike the law's, told at the material.
    for law in ["NeoHookean, retardation: 0.1", "NeoHookean, stiffness_damping: 0.1", "J2(yield_stress: 1e4), retardation: 0.1"] {
        let said = built(&text(&sheet, law, "")).map(|_| ()).expect_err(law);
        assert!(said.contains("plane stress") && said.contains("body 0") && said.contains("m.ron:1:"), "{law}: {said}");
        built(&text(&mesh, law, "")).unwrap();
    }
    built(&text(&sheet, "SaintVenantKirchhoff, retardation: 0.1, stiffness_damping: 0.1", "")).unwrap();
    built(&text(&sheet, "Linear", pressed)).unwrap();
    built(&text(&mesh, "NeoHookean", pressed)).unwrap();
    for load in ["(on: \"b.right\", load: Traction(x: 1))", "(on: \"b.right\", load: Locked(axes: [X, Y]))"] {
        built(&text(&mesh, "Linear", load)).unwrap();
    }
}

/// Loads that hold or move nothing, of meshes and of rigid bodies; what belongs to space, in the plane, and the other way round; what a scheme has no use
/// for. Each is refused with its place.
#[test]
fn what_would_do_nothing_is_refused() {
    let mesh = format!("shape: {BAR}");
    let disc = "shape: Disc(radius: 0.1)".to_owned();
    let deep = format!("shape: {}", BAR.replace("(0.4, 0.1)", "(0.4, 0.1, 0.7)"));
    let named =
        |region: &str| format!("shape: {}", BAR.replace("element: Q4)", &format!("element: Q4), regions: {{\"up\": {region}}}")));
    let thrown = format!("shape: {BAR}, velocity: (1, 0)");
    let refused = |text: &str, words: &str| {
        let said = built(text).map(|_| ()).expect_err(text);
        assert!(said.contains(words) && said.contains("m.ron:"), "{text}: {said}");
    };
    for (body, part) in [(&mesh, "b.right"), (&mesh, "b"), (&disc, "b")] {
        for (load, words) in [
            ("Locked(axes: [])", "says nothing"),
            ("Locked(axes: [X, Z])", "locked along Z"),
            ("Locked(axes: [X, SpinX])", if body == &disc { "locked along SpinX" } else { "nodes have no rotation" }),
            ("Velocity()", "says nothing"),
            ("Force()", "says nothing"),
        ] {
            refused(&text(body, "Linear", &format!("(on: \"{part}\", load: {load})")), words);
        }
    }
    refused(&text(&mesh, "Linear", "(on: \"b.right\", load: Traction())"), "says nothing");
    refused(&text(&deep, "Linear", ""), "`size` has three components");
    refused(&text(&named("Box(from: (0, 0, -1), to: (1, 1, 1))"), "Linear", ""), "has a z component");
    refused(&text(&named("Ball(centre: (0, 0, 0.1), radius: 1)"), "Linear", ""), "has a z component");
    built(&text(&named("Box(from: (0, 0), to: (1, 1))"), "Linear", "")).unwrap();
    let cube = "shape: Mesh(of: Cuboid(size: (1, 1, 1), cells: (1, 1, 1)), thickness: 0.1)";
    refused(&text(cube, "Linear", "").replace("dimension: 2", "dimension: 3"), "`thickness` belongs to planar models");
    // A start that loads or the scheme take away.
    let held = "(on: \"b\", load: Fixed)";
    refused(&text(&thrown, "Linear", held), "starts with a velocity along x");
    refused(&text(&thrown, "Linear", "(on: \"b\", load: Velocity(x: 2))"), "starts with a velocity along x");
    let spun = format!("shape: {BAR}, spin: 1");
    refused(&text(&spun, "Linear", "(on: \"b\", load: Velocity(x: 0))"), "starts with a velocity along x");
    for load in ["(on: \"b.left\", load: Fixed)", "(on: \"b\", load: Velocity(x: 1))", "(on: \"b\", load: Velocity(y: 1))"] {
        built(&text(&thrown, "Linear", load)).unwrap();
    }
    let by = |scheme: &str, body: &str, loads: &str| {
        text(body, "Linear", loads).replace("Contact()", &format!("Contact(deformable: ({scheme}))"))
    };
    let side = "(on: \"b.left\", load: Fixed)";
    refused(&by("scheme: Static", &thrown, side), "`velocity` and `spin` of body 0");
    refused(&by("scheme: Static, mass: Consistent", &mesh, side), "`mass` has no meaning");
    let half = by("scheme: Explicit, mass: Consistent", &mesh, side).replace("theta: 1", "theta: 0.5");
    refused(&half, "has a diagonal mass");
    refused(&by("scheme: Static", &disc, ""), "the model has none");
    built(&by("scheme: Static", &mesh, side)).unwrap();
}

/// What laws say of rigid bodies alone: moments against rolling and spinning, and what is given back of a velocity of approach, with a mesh on either side
/// of the pair, in the plane and in space. Beside it two rigid bodies have them.
#[test]
fn laws_of_rigid_bodies_are_refused_on_meshes() {
    let model = |dimension: usize, law: &str, order: &str, rigid: &str| {
        let (mesh, at, ball, down) = match dimension {
            2 => (BAR.to_owned(), "(0.1, 0.3)", "Disc(radius: 0.1)", "(0, 1)"),
            _ => (
                "Mesh(of: Cuboid(size: (0.4, 0.4, 0.1), cells: (1, 1, 1), element: Hex8))".to_owned(),
                "(0.1, 0.1, 0.3)",
                "Sphere(radius: 0.1)",
                "(0, 0, 1)",
            ),
        };
        format!(
            "(dimension: {dimension}, time: (step: 1e-3, end: 10), materials: {{\"m\": (density: 1000, elastic: (young: 1e6, poisson: 0))}},\n\
             bodies: [(group: \"b\", material: \"m\", shape: {mesh}), (group: \"r\", material: \"m\", shape: {ball}, at: {at}), (group: \"p\", material: \"m\", shape: Plane(normal: {down}))],\n\
             interactions: [(between: {order}, law: {law}), (between: (\"b\", \"p\"), law: Coulomb(friction: 0)),\n\
             (between: (\"r\", \"p\"), law: {rigid})], physics: [Contact()])"
        )
    };
    for dimension in [2, 3] {
        for order in ["(\"b\", \"r\")", "(\"r\", \"b\")"] {
            for (law, words) in [
                ("Coulomb(friction: 0.3, rolling: 1e-3)", "remove `rolling` and `spinning`"),
                ("Coulomb(friction: 0.3, spinning: 1e-3)", "remove `rolling` and `spinning`"),
                ("Coulomb(friction: 0.3, restitution: 0.5)", "a part of the velocity of approach"),
                ("Coulomb(friction: 0.3, tangential_restitution: 0.5)", "a part of the velocity of approach"),
                ("Stronge(friction: 0.3, restitution: 0.5)", "phases of impact"),
            ] {
                let said = built(&model(dimension, law, order, "Coulomb(friction: 0)")).map(|_| ()).expect_err(law);
                assert!(said.contains(words) && said.contains("m.ron:3:"), "{dimension} {order} {law}: {said}");
            }
            for rigid in ["Coulomb(friction: 0.3, rolling: 1e-3, spinning: 1e-3)", "Coulomb(friction: 0.3, restitution: 0.5)"] {
                built(&model(dimension, "Coulomb(friction: 0.3, restitution: 0, rolling: 0)", order, rigid)).unwrap();
            }
        }
    }
}

/// The corner of a held side and a driven one goes with the later load, and the model says so; sides that agree, or move along other axes, are not meant.
#[test]
fn nodes_of_two_sides_are_told() {
    let mesh = format!("shape: {BAR}");
    let warned = |loads: &str| describe(&built(&text(&mesh, "Linear", loads)).unwrap()).to_string();
    let said = warned("(on: \"b.left\", load: Fixed), (on: \"b.top\", load: Velocity(x: 0.1))");
    assert!(said.contains("1 node(s)") && said.contains("they go with `top`") && said.contains("along x"), "{said}");
    let said = warned("(on: \"b.left\", load: Velocity(y: 0.1)), (on: \"b.top\", load: Velocity(y: 0.2))");
    assert!(said.contains("they go with `top`") && said.contains("along y"), "{said}");
    for loads in [
        "(on: \"b.left\", load: Fixed), (on: \"b.top\", load: Fixed)",
        "(on: \"b.left\", load: Velocity(y: 0.1)), (on: \"b.top\", load: Velocity(y: 0.1))",
        "(on: \"b.left\", load: Locked(axes: [X])), (on: \"b.top\", load: Velocity(y: 0.1))",
        "(on: \"b.left\", load: Fixed), (on: \"b.right\", load: Velocity(x: 0.1))",
    ] {
        let said = warned(loads);
        assert!(!said.contains("they go with"), "{loads}: {said}");
    }
}

/// A bar of a law of small strain that is drawn by a fifth is told in the step that goes beyond a tenth; one by a twentieth, or of a law of large strain,
/// is not.
#[test]
fn small_strain_laws_are_told_of_large_strain() {
    let told = |law: &str, rate: f64| -> Vec<String> {
        let loads = format!("(on: \"b.left\", load: Fixed), (on: \"b.right\", load: Velocity(x: {rate:?}, y: 0))");
        let mut run = build(&text(&format!("shape: {BAR}"), law, &loads), &[]);
        steps(&mut run, 10);
        run.counters().watched.iter().filter(|(what, ..)| what == "strain").map(|w| w.1.clone()).collect()
    };
    // 0.4 m in a second
    let words = told("Linear", 0.09);
    assert!(words.len() == 1 && words[0].contains("strained by 0.11") && words[0].contains("t = 5.0"), "{words:?}");
    assert_eq!(told("Linear", -0.08).len(), 1);
    let spinning = format!("shape: {BAR}, spin: 0.5");
    let mut run = build(&text(&spinning, "Linear", "").replace("Contact()", "Contact(watch: (turn: Warn))"), &[]);
    steps(&mut run, 10);
    assert!(run.counters().watched.iter().all(|(what, ..)| what != "strain"), "{:?}", run.counters().watched);
    assert!(told("Linear", 0.02).is_empty() && told("NeoHookean", 0.08).is_empty());
}

/// A force on what other loads hold along it moves nothing, whatever the order of the two.
#[test]
fn forces_on_held_sides_are_refused() {
    let mesh = format!("shape: {BAR}");
    let held = "(on: \"b.right\", load: Fixed)";
    for load in ["Force(x: 1)", "Traction(y: 1)", "Pressure(pressure: 1)"] {
        let load = format!("(on: \"b.right\", load: {load})");
        for loads in [format!("{held}, {load}"), format!("{load}, {held}"), format!("(on: \"b\", load: Fixed), {load}")] {
            let said = built(&text(&mesh, "Linear", &loads)).map(|_| ()).expect_err(&loads);
            assert!(said.contains("a force on `right`, which other loads hold") && said.contains("m.ron:2:"), "{loads}: {said}");
        }
    }
    let all = "(on: \"b\", load: Fixed), (on: \"b\", load: Force(x: 1))";
    assert!(built(&text(&mesh, "Linear", all)).map(|_| ()).expect_err(all).contains("a force on the whole body"));
    for loads in [
        "(on: \"b.right\", load: Locked(axes: [X])), (on: \"b.right\", load: Force(x: 1, y: 1))",
        "(on: \"b.left\", load: Fixed), (on: \"b.top\", load: Pressure(pressure: 1))",
        "(on: \"b.left\", load: Fixed), (on: \"b\", load: Force(x: 1))",
    ] {
        built(&text(&mesh, "Linear", loads)).unwrap();
    }
}

/// A mesh that is partly beyond a plane is refused as one that is in another body is, and the arrow is at the law of the two.
#[test]
fn meshes_beyond_a_plane_are_refused() {
    let model = |y: f64| {
        format!(
            "(dimension: 2, time: (step: 0.1, end: 10, theta: 1), materials: {{\"m\": (density: 1000, elastic: (young: 1e6, poisson: 0))}},\n\
             bodies: [(group: \"b\", material: \"m\", shape: {BAR}, at: (0, {y})), (group: \"p\", material: \"m\", shape: Plane(normal: (0, 1)))],\n\
             interactions: [(between: (\"b\", \"p\"), law: Coulomb(friction: 0.3))], physics: [Contact()])"
        )
    };
    let said = built(&model(-0.04)).map(|_| ()).expect_err("beyond");
    assert!(said.contains("lies 4.000e-2 m deep in body 1") && said.contains("m.ron:3:"), "{said}");
    built(&model(-0.004)).unwrap();
    built(&model(0.0)).unwrap();
}

/// A rigid body that lies deep in a mesh is refused as another mesh is, wherever its middle is; what lies in it by less is listed, and is none that comes about in the first step.
#[test]
fn rigid_bodies_in_a_mesh_are_told_before_the_run() {
    let model = |shape: &str, at: &str, limit: f64| {
        format!(
            "(dimension: 2, time: (step: 1e-3, end: 1), materials: {{\"m\": (density: 2000, elastic: (young: 2e11, poisson: 0.3))}},\n\
             bodies: [(group: \"mesh\", material: \"m\", shape: Mesh(of: Rectangle(size: (0.1, 0.2), cells: (4, 8)))), (group: \"b\", material: \"m\", shape: {shape}, at: {at})],\n\
             interactions: [(between: (\"mesh\", \"b\"), law: Coulomb(friction: 0.3))], loads: [(on: \"mesh.bottom\", load: Fixed)], physics: [Contact(watch: (overlap_limit: {limit}))])"
        )
    };
    for (shape, at, depth) in [
        ("Box(size: (0.1, 0.1))", "(0.05, 0.24)", "1.000e-2"),
        ("Box(size: (0.1, 0.1))", "(0.05, 0.22)", "3.000e-2"),
        ("Disc(radius: 0.05)", "(0.05, 0.24)", "1.000e-2"),
        ("Disc(radius: 0.05)", "(0.14, 0.1)", "1.000e-2"),
    ] {
        let said = built(&model(shape, at, 0.05)).map(|_| ()).expect_err(shape);
        assert!(said.contains(&format!("lies {depth} m deep in")) && said.contains("m.ron:3:"), "{shape} {at}: {said}");
    }
    for (at, listed) in [("(0.05, 0.248)", true), ("(0.05, 0.25)", false)] {
        let text = model("Box(size: (0.1, 0.1))", at, 0.01);
        let warned = describe(&built(&text).unwrap()).warnings;
        assert_eq!(warned.iter().any(|w| w.contains("overlap by 2.000e-3 m at the start")), listed, "{at}: {warned:?}");
        steps(&mut build(&text, &[]), 2);
    }
}
