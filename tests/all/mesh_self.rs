//! Deformable bodies that touch themselves, against the same with a wall in the plane of symmetry.

use std::{fmt::Write as _, path::Path};

use mpcd_core::MeshQuantity;
use mpcd_sim::{Model, Registry, Simulation};

use crate::granular::build;

/// A ring with a slit, pressed together from outside: at y = 0 its ends meet, as those of half of it meet a plane. Along x it is free, and driven
/// by the pressure that the slit lacks. Force (N) and deepest penetration (m).
fn slit(whole: bool, element: &str, law: &str) -> (f64, f64) {
    let (angle, half) = (340.0, 170.0);
    let angle = if whole { angle } else { half };
    let held = if whole { String::new() } else { r#"(on: "ring.end", load: Locked(axes: [Y])),"#.to_owned() };
    let plane = if whole { "" } else { r#"(group: "plane", material: "m", shape: Plane(normal: (0, 1))),"# };
    let with = if whole { "ring" } else { "plane" };
    let mut run = build(
        &format!(
            r#"(dimension: 2, time: (step: 0.02, end: 10, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e6, poisson: 0.3), solid: (law: {law}))}},
  bodies: [
    (group: "ring", material: "m", shape: Mesh(of: Annulus(inner: 0.08, outer: 0.1, angle: "{angle} deg", cells: (2, {}), element: {element})), rotation: "10 deg"), {plane}
  ],
  interactions: [(between: ("ring", "{with}"), law: Coulomb(friction: 0))],
  loads: [{held} (on: "ring.outer", load: Pressure(pressure: Ramp(from: 0, to: 300, end: 1)))],
  physics: [Contact(tolerance: 1e-8)])"#,
            angle / 10.0
        ),
        &[],
    );
    for _ in 0..150 {
        run.step().unwrap();
    }
    let network = run.world().network;
    let force: f64 = network.iter().map(|c| c.r.x).sum::<f64>() / 0.02;
    let deepest = network.iter().map(|c| c.gap).fold(0.0, f64::min);
    (force, deepest)
}

#[test]
fn a_slit_closes_as_on_a_plane() {
    let (force, deepest) = slit(true, "Q8", "NeoHookean");
    let (half, _) = slit(false, "Q8", "NeoHookean");
    assert!(half > 1.0 && (force / half - 1.0).abs() < 0.01, "{force} N of {half} N");
    assert!(deepest > -1e-6, "{deepest} m");
}

/// A U of two arms 0.1 m thick with a gap of 0.02 m, open to the right, as a file of gmsh; its floor and its top are named.
fn horseshoe() -> String {
    let (columns, rows) = (20, 11);
    let number = |i: usize, j: usize| 1 + i + (columns + 1) * j;
    let mut out = String::from(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 1 \"floor\"\n1 2 \"upper\"\n$EndPhysicalNames\n$Nodes\n",
    );
    // the nodes in the gap are none of the mesh
    let in_gap = |i: usize, j: usize| j == 5 && i >= 2;
    let _ = writeln!(out, "{}", (columns + 1) * (rows + 1));
    for j in 0..=rows {
        for i in 0..=columns {
            let _ = writeln!(out, "{} {} {} 0", number(i, j), 0.05 * i as f64, 0.02 * j as f64);
        }
    }
    let mut elements = Vec::new();
    for i in 0..columns {
        elements.push(format!("1 2 1 1 {} {}", number(i, 0), number(i + 1, 0)));
        elements.push(format!("1 2 2 1 {} {}", number(i + 1, rows), number(i, rows)));
        for j in (0..rows).filter(|j| !in_gap(i, *j)) {
            let [a, b, c, d] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
            elements.push(format!("3 2 0 1 {a} {b} {c} {d}"));
        }
    }
    let _ = write!(out, "$EndNodes\n$Elements\n{}\n", elements.len());
    for (k, element) in (1..).zip(&elements) {
        let _ = writeln!(out, "{k} {element}");
    }
    out + "$EndElements\n"
}

/// Where the upper arm is after it was pressed down in `count` steps (m): the tip, the force between the arms (N), and the deepest penetration.
fn pressed(count: usize, law: &str, folder: &Path) -> (f64, f64, f64) {
    let step = 1.0 / count as f64;
    let text = format!(
        r#"(dimension: 2, time: (step: {step}, end: 2, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e8, poisson: 0.3), solid: (law: {law}))}},
  bodies: [(group: "b", material: "m", shape: Mesh(of: Gmsh(file: "u.msh", scale: 1)))],
  interactions: [(between: ("b", "b"), law: Coulomb(friction: 0))],
  loads: [(on: "b.floor", load: Fixed), (on: "b.upper", load: Traction(y: Ramp(from: 0, to: -2400, end: 1)))],
  physics: [Contact(watch: (turn: Warn), deformable: (scheme: Static))])"#
    );
    let model = Model::parse_with(&text, "m", "m.ron", folder, &[], &mpcd::shapes()).unwrap_or_else(|e| panic!("{e}"));
    let mut run = Simulation::build(&model, &<Registry as mpcd::StandardRegistry>::standard()).unwrap_or_else(|e| panic!("{e}"));
    for _ in 0..count {
        run.step().unwrap_or_else(|e| panic!("{count} steps: {e}"));
    }
    let view = &run.meshes_with(&[MeshQuantity::Displacement])[0];
    let upper = view.topology.part("upper").unwrap();
    let u = &view.array(MeshQuantity::Displacement).unwrap().values;
    let tip = upper.iter().map(|n| u[3 * n + 1]).fold(0.0, f64::min);
    let network = run.world().network;
    let force = network.iter().map(|c| c.r.x).sum::<f64>() / step;
    // where contact was looked for, before the last step
    (tip, force, network.iter().map(|c| c.gap).fold(0.0, f64::min))
}

/// Arms that a long step would drive through each other are in contact in that step: statics ends where it does in many.
#[test]
fn arms_that_meet_within_a_step_are_in_contact_in_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("u.msh"), horseshoe()).unwrap();
    let (exact, held, _) = pressed(40, "Linear", folder.path());
    assert!(held > 100.0, "{held} N");
    for count in [1, 2, 5] {
        let (tip, force, deepest) = pressed(count, "Linear", folder.path());
        assert!((tip / exact - 1.0).abs() < 0.01, "{count} steps: the tip is at {tip} m, of {exact} m");
        assert!((force / held - 1.0).abs() < 0.02, "{count} steps: {force} N of {held} N");
        assert!(deepest > -1e-4, "{count} steps: {deepest} m");
    }
}

/// Two strips of 1 m by 0.1 m of so many cells, 10 µm apart, that an insulating column of nothing joins on their left, as a file of gmsh.
fn strips(cells: [usize; 2]) -> String {
    let mut nodes: Vec<[f64; 2]> = Vec::new();
    let mut number = |at: [f64; 2]| {
        let is_there = |n: &[f64; 2]| (n[0] - at[0]).abs() < 1e-9 && (n[1] - at[1]).abs() < 1e-9;
        nodes.iter().position(is_there).unwrap_or_else(|| {
            nodes.push(at);
            nodes.len() - 1
        }) + 1
    };
    let mut elements = Vec::new();
    let mut quads = |xs: &[f64], ys: &[f64], group: usize, number: &mut dyn FnMut([f64; 2]) -> usize| {
        for x in xs.windows(2) {
            for y in ys.windows(2) {
                let corners = [[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]].map(&mut *number);
                elements.push(format!("3 2 {group} {group} {} {} {} {}", corners[0], corners[1], corners[2], corners[3]));
            }
        }
    };
    let (low, high) = ([0.0, 0.05, 0.1], [0.100_01, 0.150_01, 0.200_01]);
    let along = |n: usize| (0..=n).map(|k| k as f64 / n as f64).collect::<Vec<f64>>();
    quads(&along(cells[0]), &low, 1, &mut number);
    quads(&along(cells[1]), &high, 1, &mut number);
    quads(&[-0.1, -0.05, 0.0], &low[..2], 2, &mut number);
    quads(&[-0.1, -0.05, 0.0], &high[1..], 2, &mut number);
    quads(&[-0.2, -0.1], &[0.0, 0.05, 0.08, 0.12, 0.150_01, 0.200_01], 2, &mut number);
    for (group, y, n) in [(3, low[0], cells[0]), (4, high[2], cells[1])] {
        for x in along(n).windows(2) {
            let ends = [x[0], x[1]].map(|x| number([x, y]));
            elements.push(format!("1 2 {group} {group} {} {}", ends[0], ends[1]));
        }
    }
    let mut out = String::from(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n2 1 \"strips\"\n2 2 \"joint\"\n1 3 \"low\"\n1 4 \"high\"\n$EndPhysicalNames\n$Nodes\n",
    );
    let _ = writeln!(out, "{}", nodes.len());
    for (k, [x, y]) in (1..).zip(&nodes) {
        let _ = writeln!(out, "{k} {x} {y} 0");
    }
    let _ = write!(out, "$EndNodes\n$Elements\n{}\n", elements.len());
    for (k, element) in (1..).zip(&elements) {
        let _ = writeln!(out, "{k} {element}");
    }
    out + "$EndElements\n"
}

/// Where the two sides of a body that touches itself do not match, nodes of both are the points of one contact: what is the same for every contact (`Constant`) was passed by each side,
/// twice in all, and a spring was twice as stiff.
#[test]
fn sides_that_do_not_match_are_one_contact() {
    let folder = std::env::temp_dir().join(format!("mpcd-strips-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for cells in [[10, 10], [10, 7], [20, 13]] {
        std::fs::write(folder.join("u.msh"), strips(cells)).unwrap();
        let run = |law: &str, steps: usize| {
            let text = format!(
                r#"(dimension: 2, time: (step: 1e-3, end: 1, theta: 1),
  materials: {{"m": (density: 100, elastic: (young: 1e8, poisson: 0), thermal: (conductivity: 1e4, specific_heat: 1)),
    "j": (density: 100, elastic: (young: 1e3, poisson: 0), thermal: (conductivity: 1e-6, specific_heat: 1))}},
  bodies: [(group: "b", material: "m", materials: {{"joint": "j"}}, shape: Mesh(of: Gmsh(file: "u.msh", scale: 1)))],
  interactions: [(between: ("b", "b"), law: {law})],
  loads: [(on: "b.low", load: Fixed), (on: "b.high", load: Pressure(pressure: 1e4))],
  physics: [Contact(tolerance: 1e-10), Thermal(law: Constant(conductance: 50), temperature: 350, coupling: (friction: false, impact: false),
    boundary: [Temperature(group: "b.low", value: 300), Temperature(group: "b.high", value: 400)])])"#
            );
            let model = Model::parse_with(&text, "m", "m.ron", &folder, &[], &mpcd::shapes()).unwrap_or_else(|e| panic!("{e}"));
            let mut run =
                Simulation::build(&model, &<Registry as mpcd::StandardRegistry>::standard()).unwrap_or_else(|e| panic!("{e}"));
            let last = crate::granular::steps(&mut run, steps as u64);
            let heat = crate::granular::column(&run, &last, "heat_in_b.high").unwrap();
            let view = &run.meshes_with(&[MeshQuantity::Displacement])[0];
            let u = &view.array(MeshQuantity::Displacement).unwrap().values;
            let high = view.topology.part("high").unwrap();
            (heat, high.iter().map(|n| u[3 * n + 1]).sum::<f64>() / high.len() as f64)
        };
        let (heat, _) = run("Coulomb(friction: 0.3)", 60);
        let passes = 100.0 / (1.0 / 50.0 + 2.0 * 0.1 / 1e4);
        assert!((heat.abs() / passes - 1.0).abs() < 1e-3, "{cells:?}: {heat} W of {passes} W");
        // the gap, the spring of the contact, and the two strips
        let (_, sunk) = run("Elastic(stiffness: 1e7, friction: 0)", 400);
        let sinks = 1e-5 + 1e4 / 1e7 + 1e4 * 0.2 / 1e8;
        assert!((-sunk / sinks - 1.0).abs() < 0.05, "{cells:?}: {sunk} m of {sinks} m");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
