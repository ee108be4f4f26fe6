//! Meshes from files in models, and what can be wrong with them: told by the name of the file and the element, before the run. Small stiff bodies in long
//! steps, told in the run.

use std::path::Path;

use mpcd_sim::{Model, Registry, Simulation, describe};

use crate::granular::{build, steps};

const HEAD: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";

/// A square of `size` in a file of gmsh, with its elements.
fn square(size: f64, elements: &str) -> String {
    format!(
        "{HEAD}$Nodes\n5\n1 0 0 0\n2 {size} 0 0\n3 {size} {size} 0\n4 0 {size} 0\n5 {0} {0} 0\n$EndNodes\n$Elements\n{elements}\n$EndElements\n",
        0.5 * size
    )
}

const FOUR: &str = "4\n1 2 2 1 1 1 2 5\n2 2 2 1 1 2 3 5\n3 2 2 1 1 3 4 5\n4 2 2 1 1 4 1 5";

fn model(mesh: &str, poisson: f64, more: &str) -> String {
    let laws = if more.is_empty() {
        ""
    } else {
        ", (between: (\"part\", \"bar\"), law: NoContact), (between: (\"ball\", \"bar\"), law: NoContact)"
    };
    format!(
        "(dimension: 2, gravity: (0, -10), time: (step: 1e-3, end: 1),\n\
         materials: {{\"m\": (density: 1000, elastic: (young: 1e8, poisson: {poisson:?}))}},\n\
         bodies: [(group: \"part\", material: \"m\", shape: Mesh(of: {mesh})), (group: \"ball\", material: \"m\", shape: Disc(radius: 0.05), at: (-3, 5)){more}],\n\
         interactions: [(between: (\"part\", \"ball\"), law: Coulomb(friction: 0.3)){laws}], physics: [Contact()])"
    )
}

fn built(text: &str, folder: &Path) -> Result<Simulation, String> {
    let parsed = Model::parse_with(text, "m", "m.ron", folder, &[], &mpcd::shapes());
    let built = parsed.and_then(|m| Simulation::build(&m, &<Registry as mpcd::StandardRegistry>::standard()));
    built.map_err(|errors| errors.to_string())
}

#[test]
fn bad_files_and_sizes_are_told_in_a_model() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    put("good.msh", &square(0.1, FOUR));
    put("millimetres.msh", &square(100.0, FOUR));
    put("reversed.msh", &square(0.1, &FOUR.replace("2 2 2 1 1 2 3 5", "2 2 2 1 1 3 2 5")));
    put("flat.msh", &square(0.1, &FOUR.replace("2 2 2 1 1 2 3 5", "2 2 2 1 1 2 5 4")));
    put("fan.msh", &square(0.1, "3\n1 2 2 1 1 1 2 5\n2 2 2 1 1 1 2 3\n3 2 2 1 1 1 2 4"));
    put("nine.msh", &square(0.1, "1\n1 10 2 1 1 1 2 3 4 1 2 3 4 5"));
    put("cut.msh", &square(0.1, FOUR)[..120]);
    put("lines.vtu", "<VTKFile type=\"PolyData\"></VTKFile>");
    for (mesh, poisson, words) in [
        ("Gmsh(file: \"reversed.msh\")", 0.3, ["reversed.msh: element 2 (T3)", "wrong way round"]),
        ("Gmsh(file: \"flat.msh\")", 0.3, ["flat.msh: element 2 (T3)", "degenerate"]),
        ("Gmsh(file: \"fan.msh\")", 0.3, ["fan.msh", "3 elements meet there"]),
        ("Gmsh(file: \"nine.msh\")", 0.3, ["element 1 is of type 10 of gmsh", "9 nodes"]),
        ("Gmsh(file: \"cut.msh\")", 0.3, ["cut.msh", "expected"]),
        ("Gmsh(file: \"none.msh\")", 0.3, ["none.msh", "cannot read the file"]),
        ("Vtu(file: \"lines.vtu\")", 0.3, ["lines.vtu", "expected an unstructured grid"]),
        ("Vtu(file: \"good.msh\")", 0.3, ["good.msh", "expected an unstructured grid"]),
        ("Gmsh(file: \"good.msh\")", 0.5, ["0.5", "below 0.5"]),
        ("Gmsh(file: \"good.msh\")", -1.0, ["above -1", "found -1"]),
    ] {
        let said = built(&model(mesh, poisson, ""), folder.path()).map(|_| ()).expect_err(mesh);
        assert!(words.iter().all(|w| said.contains(w)), "{mesh}: {said}\nhas not {words:?}");
    }
    // A mesh in millimetres beside a ball of 5 cm, and where it is meant.
    let warned = |mesh: &str, more: &str| describe(&built(&model(mesh, 0.3, more), folder.path()).unwrap()).to_string();
    let doubt = "if the file is in millimetres, write `scale: 0.001`";
    assert!(warned("Gmsh(file: \"millimetres.msh\")", "").contains(doubt), "{}", warned("Gmsh(file: \"millimetres.msh\")", ""));
    for (mesh, more) in [
        ("Gmsh(file: \"millimetres.msh\", scale: 0.001)", ""),
        ("Gmsh(file: \"millimetres.msh\", scale: 1)", ""),
        ("Gmsh(file: \"good.msh\")", ""),
        ("Gmsh(file: \"millimetres.msh\")", ", (group: \"bar\", material: \"m\", shape: Box(size: (80, 2)), at: (-3, -200))"),
    ] {
        let said = warned(mesh, more);
        assert!(!said.contains("if the file is in"), "{mesh}: {said}");
    }
}

/// Two cubes in a file that have an edge or a corner alone in common: told with the file, the nodes and the elements.
#[test]
fn cubes_that_touch_in_an_edge_or_a_corner_are_told() {
    let folder = tempfile::tempdir().unwrap();
    for (name, shift, words) in [
        (
            "corner.msh",
            [1, 1, 1],
            "not a surface at nodes [7]: 2 parts of the boundary without a common edge meet there (elements [11, 12])",
        ),
        ("edge.msh", [1, 1, 0], "not a surface at nodes [3, 7]: 4 boundary faces meet there (elements [11, 12])"),
    ] {
        let mut nodes: Vec<[i32; 3]> = Vec::new();
        let elements = [[0; 3], shift].map(|[a, b, c]| {
            let corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];
            corners.map(|[x, y, z]| {
                let at = [x + a, y + b, z + c];
                let known = nodes.iter().position(|n| *n == at);
                1 + known.unwrap_or_else(|| {
                    nodes.push(at);
                    nodes.len() - 1
                })
            })
        });
        let nodes: String = nodes.iter().zip(1..).map(|([x, y, z], n)| format!("{n} {x} {y} {z}\n")).collect();
        let list = elements.iter().zip(11..).map(|(e, n)| format!("{n} 5 2 1 1 {}\n", e.map(|n| n.to_string()).join(" ")));
        let count = nodes.lines().count();
        let text = format!("{HEAD}$Nodes\n{count}\n{nodes}$EndNodes\n$Elements\n2\n{}$EndElements\n", list.collect::<String>());
        std::fs::write(folder.path().join(name), text).unwrap();
        let model = format!(
            "(dimension: 3, time: (step: 1e-3, end: 1), materials: {{\"m\": (density: 1000, elastic: (young: 1e8, poisson: 0.3))}},\n\
             bodies: [(group: \"part\", material: \"m\", shape: Mesh(of: Gmsh(file: \"{name}\", scale: 1)))], physics: [Contact()])"
        );
        let said = built(&model, folder.path()).map(|_| ()).expect_err(name);
        assert!(said.contains(name) && said.contains(words), "{said}");
    }
}

/// 1 mm of steel between a floor and a load, in steps of 10 ms: its stress is not to be had from dynamics, and the run says so and what helps. In steps of
/// 1 µs, and without inertia, it is silent, and the stress is that of the load.
#[test]
fn long_steps_of_small_stiff_bodies_are_told() {
    let plate = |h: f64, theta: f64, scheme: &str, held: &str, count: u64| {
        let mut run = build(
            &format!(
                "(dimension: 2, time: (step: {h:?}, end: 1000, theta: {theta:?}),\n\
                 materials: {{\"m\": (density: 7800, elastic: (young: 210e9, poisson: 0.3), solid: (stiffness_damping: 1e-7))}},\n\
                 bodies: [(group: \"plate\", material: \"m\", shape: Mesh(of: Rectangle(size: (1e-3, 1e-3), cells: (4, 4), element: Q4), plane: PlaneStress)),\n\
                 (group: \"floor\", material: \"m\", shape: Plane(normal: (0, 1)))],\n\
                 interactions: [(between: (\"plate\", \"floor\"), law: Coulomb(friction: 0))],\n\
                 loads: [(on: \"plate.top\", load: Pressure(pressure: 1e6)){held}], physics: [Contact({scheme})])"
            ),
            &[],
        );
        steps(&mut run, count);
        let stress = run.meshes()[0].arrays.iter().find(|a| a.name == "stress").unwrap().values.clone();
        let worst = stress.chunks(9).map(|s| (s[4] / -1e6 - 1.0).abs()).fold(0.0, f64::max);
        let told: Vec<String> = run.counters().watched.iter().filter(|(what, ..)| what == "stiff").map(|w| w.1.clone()).collect();
        (worst, told)
    };
    let (_, told) = plate(1e-2, 1.0, "", "", 5);
    let [words] = &told[..] else { panic!("{told:?}") };
    assert!(words.contains("a wave runs") && words.contains("plate") && words.contains("take steps below"), "{words}");
    let (worst, told) = plate(1e-6, 1.0, "", "", 400);
    assert!(told.is_empty() && worst < 1e-3, "{worst:e} {told:?}");
    // Held along x in its middle, and along y by the floor it is held on.
    let held = ", (on: \"plate.bottom\", load: Locked(axes: [Y])), (on: \"plate.origin\", load: Locked(axes: [X]))";
    let (worst, told) = plate(1e-2, 1.0, "deformable: (scheme: Static)", held, 2);
    assert!(told.is_empty() && worst < 1e-9, "{worst:e} {told:?}");
}

/// Beside planes alone nothing has a size: a mesh in millimetres by mistake is doubted where its own weight would crush it, where no wave crosses it in the
/// whole run, or where it lies beyond a plane. The same mesh in metres is not, nor one whose scale is given, nor one that a body of its size is beside.
#[test]
fn meshes_beside_planes_alone_are_doubted_by_weight_waves_and_planes() {
    let folder = tempfile::tempdir().unwrap();
    for (name, size) in [("metres.msh", 0.1), ("millimetres.msh", 100.0)] {
        std::fs::write(folder.path().join(name), square(size, FOUR)).unwrap();
    }
    let said_of = |mesh: &str, (young, end, gravity): (f64, f64, f64), (scheme, more): (&str, &str)| {
        let held = if scheme.contains("Static") { "X, Y" } else { "X" };
        let text = format!(
            "(dimension: 2, gravity: (0, {gravity:?}), time: (step: {:?}, end: {end:?}, theta: 1),\n\
             materials: {{\"m\": (density: 1000, elastic: (young: {young:?}, poisson: 0.3))}},\n\
             bodies: [(group: \"part\", material: \"m\", shape: Mesh(of: Gmsh(file: {mesh}))),\n\
             (group: \"wall\", material: \"m\", shape: Plane(normal: (0, 1))){more}],\n\
             loads: [(on: \"part\", load: Locked(axes: [{held}]))],\n\
             interactions: [(between: (\"part\", \"wall\"), law: Coulomb(friction: 0.3)), (between: (\"wall\", \"wall\"), law: NoContact)],\n\
             physics: [Contact({scheme})])",
            end / 100.0
        );
        built(&text, folder.path()).map(|run| describe(&run).to_string()).map_err(|e| e.to_string())
    };
    let warned = |mesh: &str, bar: (f64, f64, f64), more: (&str, &str)| said_of(mesh, bar, more).unwrap();
    // ρ g L/E = 1000 · 10 · 100/1e6 = 1 of rubber, 1e-3 of a tenth of a metre
    let (rubber, steel) = ((1e6, 10.0, -10.0), (2e11, 1e-3, -10.0));
    // beyond a plane it is refused, with or without a scale
    let ceiling = ", (group: \"wall\", material: \"m\", shape: Plane(normal: (0, -1)), at: (0, 0.12))";
    for (what, bar, more, words) in [
        ("weight", rubber, "", "its own weight would strain it by 1.00e0"),
        // √(1.346 · 2e11/1000) = 16,400 m/s: 6 ms through 100 m
        ("waves", steel, "", "longer than the run of 1.000e-3 s"),
    ] {
        let said = warned("\"millimetres.msh\"", bar, ("", more));
        assert!(said.contains(words) && said.contains("`scale: 0.001`") && said.contains("millimetres.msh"), "{what}: {said}");
        for mesh in ["\"metres.msh\"", "\"millimetres.msh\", scale: 0.001", "\"millimetres.msh\", scale: 1"] {
            let said = warned(mesh, bar, ("", more));
            assert!(!said.contains("scale:"), "{what} {mesh}: {said}");
        }
    }
    for mesh in ["\"millimetres.msh\"", "\"millimetres.msh\", scale: 1"] {
        let said = said_of(mesh, (2e11, 1.0, 0.0), ("", ceiling)).expect_err(mesh);
        assert!(said.contains("lies 9.988e1 m deep in") && said.contains("`scale`"), "{said}");
    }
    for mesh in ["\"metres.msh\"", "\"millimetres.msh\", scale: 0.001"] {
        assert!(!warned(mesh, (2e11, 1.0, 0.0), ("", ceiling)).contains("scale:"), "{mesh}");
    }
    let ball = ", (group: \"wall\", material: \"m\", shape: Disc(radius: 50), at: (500, 50))";
    assert!(!warned("\"millimetres.msh\"", rubber, ("", ball)).contains("scale:"));
    // without inertia there are no waves
    assert!(!warned("\"millimetres.msh\"", steel, ("deformable: (scheme: Static)", "")).contains("scale:"));
}

/// A driven side that passes into a held one of its own body, into a fixed body or a held side of another one is told; one that slides along, or goes away, is not.
#[test]
fn sides_that_nothing_moves_are_told_where_they_meet() {
    let told = |bodies: &str, laws: &str, loads: &str, count: u64| -> Vec<String> {
        let mut run = build(
            &format!(
                "(dimension: 2, time: (step: 1e-3, end: 1, theta: 1),\n\
                 materials: {{\"m\": (density: 1000, elastic: (young: 1e6, poisson: 0.3), solid: (law: NeoHookean))}},\n\
                 bodies: [{bodies}], interactions: [{laws}], loads: [{loads}], physics: [Contact(watch: (overlap: Warn, crossing: Warn))])"
            ),
            &[],
        );
        steps(&mut run, count);
        run.counters().watched.iter().filter(|(what, ..)| what == "prescribed").map(|w| w.1.clone()).collect()
    };
    let ring = "(group: \"c\", material: \"m\", shape: Mesh(of: Annulus(inner: 0.05, outer: 0.1, angle: \"350 deg\", cells: (2, 40), element: Q4)))";
    let own = "(between: (\"c\", \"c\"), law: Coulomb(friction: 0.3))";
    let drive = |v: f64| format!("(on: \"c.start\", load: Fixed), (on: \"c.end\", load: Velocity(x: 0, y: {v:?}))");
    let words = told(ring, own, &drive(1.0), 25);
    assert!(words.len() == 1 && words[0].contains("another side of it"), "{words:?}");
    assert!(told(ring, own, &drive(-1.0), 25).is_empty() && told(ring, own, &drive(0.0), 5).is_empty());
    let block = "(group: \"c\", material: \"m\", shape: Mesh(of: Rectangle(size: (0.2, 0.1), cells: (4, 2), element: Q4)), at: (0, 0.005))";
    let floor = "(group: \"f\", material: \"m\", shape: Plane(normal: (0, 1)))";
    let law = "(between: (\"c\", \"f\"), law: Coulomb(friction: 0.3))";
    let push = |x: f64, y: f64| format!("(on: \"c.bottom\", load: Velocity(x: {x:?}, y: {y:?}))");
    let words = told(&format!("{block}, {floor}"), law, &push(0.0, -1.0), 10);
    assert!(words.len() == 1 && words[0].contains("no impulse moves there"), "{words:?}");
    let on = block.replace("0.005", "0");
    for (x, y) in [(1.0, 0.0), (0.0, 0.0), (0.0, 1.0)] {
        let words = told(&format!("{on}, {floor}"), law, &push(x, y), 10);
        assert!(words.is_empty(), "{x} {y}: {words:?}");
    }
}

/// A line of a file between two elements has the body on both sides: a pressure there would be a net force from nowhere, by the way its nodes are numbered. On
/// the end of the body it acts, and a traction has a direction of its own.
#[test]
fn a_pressure_inside_a_body_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let names = "$PhysicalNames\n3\n1 2 \"seam\"\n1 3 \"end\"\n2 1 \"bulk\"\n$EndPhysicalNames\n";
    let nodes = "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 2 0 0\n6 2 1 0\n$EndNodes\n";
    let elements = "$Elements\n4\n1 3 2 1 1 1 2 3 4\n2 3 2 1 1 2 5 6 3\n3 1 2 2 1 2 3\n4 1 2 3 2 5 6\n$EndElements\n";
    std::fs::write(folder.path().join("two.msh"), format!("{HEAD}{names}{nodes}{elements}")).unwrap();
    let text = |load: &str| {
        format!(
            "(dimension: 2, time: (step: 1e-3, end: 1), materials: {{\"m\": (density: 1000, elastic: (young: 1e8, poisson: 0.3))}},\n\
             bodies: [(group: \"b\", material: \"m\", shape: Mesh(of: Gmsh(file: \"two.msh\")))],\n\
             loads: [(on: \"b.{load})], physics: [Contact()])"
        )
    };
    let said = built(&text("seam\", load: Pressure(pressure: 5)"), folder.path()).map(|_| ()).unwrap_err();
    for words in ["1 of the 1 faces of `seam` lie inside the body", "Traction", "m.ron:3"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    for load in ["end\", load: Pressure(pressure: 5)", "seam\", load: Traction(x: 5)"] {
        built(&text(load), folder.path()).unwrap();
    }
}

/// A group of a file may have any name: `all` is a side like any other, and what acts on the body acts on all of it. Two physical groups of one name and
/// dimension are one group; where a group of nodes and one of sides have a name, a load on it is refused.
#[test]
fn names_of_groups_are_those_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, names: &str, sides: &str| {
        let (count, lines) = (names.lines().count(), sides.lines().count() + 4);
        let text = square(1.0, &format!("{lines}\n{}\n{sides}", &FOUR[2..]))
            .replace("$Nodes", &format!("$PhysicalNames\n{count}\n{names}\n$EndPhysicalNames\n$Nodes"));
        std::fs::write(folder.path().join(name), text).unwrap();
    };
    put("all.msh", "1 7 \"all\"", "5 1 2 7 1 1 2");
    put("both.msh", "1 7 \"side\"\n1 8 \"side\"", "5 1 2 7 1 1 2\n6 1 2 8 2 3 4");
    put("twofold.msh", "0 7 \"side\"\n1 8 \"side\"", "5 15 2 7 1 1\n6 1 2 8 2 3 4");
    let started = |file: &str, loads: &str| -> Result<Vec<f64>, String> {
        let text = model(&format!("Gmsh(file: \"{file}\", scale: 1)"), 0.3, "")
            .replace("physics:", &format!("loads: [{loads}], physics:"));
        let mut run = built(&text, folder.path())?;
        steps(&mut run, 1);
        let meshes = run.meshes();
        Ok(meshes[0].arrays.iter().find(|a| a.name == "velocity").unwrap().values.clone())
    };
    let held = |values: &[f64]| values.chunks_exact(3).map(|v| v[0] == 0.0 && v[1] == 0.0).collect::<Vec<_>>();
    let fixed = |on: &str| format!("(on: \"{on}\", load: Fixed)");
    assert_eq!(held(&started("all.msh", &fixed("part")).unwrap()), [true; 5]);
    assert_eq!(held(&started("all.msh", &fixed("part.all")).unwrap()), [true, true, false, false, false]);
    assert_eq!(held(&started("both.msh", &fixed("part.side")).unwrap()), [true, true, true, true, false]);
    for load in ["Fixed", "Force(x: 1)", "Traction(x: 1)"] {
        let said = started("twofold.msh", &format!("(on: \"part.side\", load: {load})")).expect_err(load);
        assert!(said.contains("a group of nodes and of a group of faces") && said.contains("m.ron:"), "{load}: {said}");
    }
}
