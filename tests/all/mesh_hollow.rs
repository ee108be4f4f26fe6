//! Deformable bodies inside hollow deformable bodies: the outside of a wall, seen from within, is no surface that something lies behind.

use std::fmt::Write as _;
use std::path::Path;

use mpcd_sim::{Model, Registry, Simulation};

use crate::granular::steps;

/// A hollow box of 1.2 m with walls of 0.1 m, or, `round`, a hollow ball with walls of that, as a file of gmsh: `n` cells a side, of which the outermost
/// are there.
fn hollow(n: usize, round: bool) -> String {
    let mut out = String::from("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n2 1 \"outer\"\n$EndPhysicalNames\n");
    let number = |[i, j, k]: [usize; 3]| 1 + i + (n + 1) * (j + (n + 1) * k);
    // inside of the walls the cells are as wide as they come
    let at = |i: usize| match i {
        0 => -0.6,
        i if i == n => 0.6,
        i => -0.5 + (i - 1) as f64 / (n - 2) as f64,
    };
    let _ = write!(out, "$Nodes\n{}\n", (n + 1).pow(3));
    for k in 0..=n {
        for j in 0..=n {
            for i in 0..=n {
                let x = [at(i), at(j), at(k)];
                let (far, norm) = (x.iter().fold(0.0, |a: f64, b| a.max(b.abs())), x.iter().map(|a| a * a).sum::<f64>().sqrt());
                let scale = if round && norm > 0.0 { far / norm } else { 1.0 };
                let _ = writeln!(out, "{} {} {} {}", number([i, j, k]), x[0] * scale, x[1] * scale, x[2] * scale);
            }
        }
    }
    let mut elements = Vec::new();
    let ends = |i: usize| i == 0 || i == n - 1;
    for k in 0..n {
        for j in 0..n {
            for i in 0..n {
                let corner = |a: usize, b: usize, c: usize| number([i + a, j + b, k + c]).to_string();
                let c = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)];
                let c = c.map(|(x, y, z)| corner(x, y, z));
                if ends(i) || ends(j) || ends(k) {
                    elements.push(format!("5 2 0 1 {}", c.join(" ")));
                }
                if j == 0 {
                    elements.push(format!("3 2 1 1 {} {} {} {}", c[0], c[1], c[5], c[4]));
                }
            }
        }
    }
    let _ = write!(out, "$EndNodes\n$Elements\n{}\n", elements.len());
    (1..).zip(&elements).for_each(|(n, e)| {
        let _ = writeln!(out, "{n} {e}");
    });
    out + "$EndElements\n"
}

/// A hollow body held at its outside, one inside of it at a height, and gravity.
fn inside(dimension: usize, shell: &str, held: &str, body: &str, at: &str, folder: &Path) -> Simulation {
    let text = format!(
        r#"(dimension: {dimension}, gravity: (0, -10), time: (step: 0.01, end: 2, theta: 1),
  materials: {{
    "m": (density: 1000, elastic: (young: 1e8, poisson: 0.3)),
    "n": (density: 1000, elastic: (young: 1e8, poisson: 0.3), solid: (law: SaintVenantKirchhoff)),
  }},
  bodies: [(group: "shell", material: "m", shape: Mesh(of: {shell})), (group: "body", material: "n", {body}, at: {at})],
  interactions: [(between: ("shell", "body"), law: Coulomb(friction: 0.6))],
  loads: [(on: "{held}", load: Fixed)],
  physics: [Contact()])"#
    );
    let model = Model::parse_with(&text, "m", "m.ron", folder, &[], &mpcd::shapes()).unwrap_or_else(|e| panic!("{e}"));
    Simulation::build(&model, &<Registry as mpcd::StandardRegistry>::standard()).unwrap_or_else(|e| panic!("{e}"))
}

/// Lets the body come to rest on the inside below: where its centre is then (m), and its weight over what the contacts carry.
fn comes_to_rest(run: &mut Simulation, count: u64) -> (f64, f64) {
    steps(run, count);
    let world = run.world();
    let up: f64 = world.network.iter().map(|c| c.r.x * c.frame.n.y + c.r.y * c.frame.t.y + c.r.z * c.frame.s().y).sum();
    let mass = run.setup().bodies.mass[1];
    (world.kinematics.position[1].y, up.abs() / (0.01 * mass * 10.0))
}

#[test]
fn a_body_lies_in_a_ring() {
    for element in ["Q8", "Q4"] {
        let shell = format!("Annulus(inner: 0.5, outer: 0.6, cells: (2, 60), element: {element})");
        let disc = format!("shape: Mesh(of: Round(radius: 0.1, cells: (3, 3), element: {element}))");
        let block = format!("shape: Mesh(of: Rectangle(size: (0.2, 0.2), cells: (3, 3), element: {element}))");
        for (body, at, lies) in [
            (disc.as_str(), "(0, 0)", -0.4),
            (&disc, "(0, -0.395)", -0.4),
            (&block, "(-0.1, -0.48)", -0.39),
            ("shape: Disc(radius: 0.1)", "(0, -0.395)", -0.4),
        ] {
            let mut run = inside(2, &shell, "shell.outer", body, at, Path::new("."));
            let (y, carried) = comes_to_rest(&mut run, 150);
            assert!((y - lies).abs() < 0.006, "{element}, {body} at {at}: lies at {y} m");
            assert!((carried - 1.0).abs() < 0.02, "{element}, {body} at {at}: contacts carry {carried} of the weight");
        }
    }
}

#[test]
fn a_body_lies_in_a_hollow_body_in_space() {
    let folder = tempfile::tempdir().unwrap();
    for (name, round) in [("box.msh", false), ("ball.msh", true)] {
        std::fs::write(folder.path().join(name), hollow(7, round)).unwrap();
        let shell = format!("Gmsh(file: \"{name}\", scale: 1)");
        let block = "shape: Mesh(of: Cuboid(size: (0.2, 0.2, 0.2), cells: (2, 2, 2), element: Hex8))";
        for (body, at) in [
            (block, "(-0.1, -0.1, -0.1)"),
            (block, "(-0.08, -0.47, -0.11)"),
            ("shape: Box(size: (0.2, 0.2, 0.2))", "(0.02, -0.37, -0.01)"),
        ] {
            let mut run = inside(3, &shell, "shell.outer", body, at, folder.path());
            let (y, carried) = comes_to_rest(&mut run, 100);
            assert!((-0.41..-0.3).contains(&y), "{name}, {body} at {at}: lies at {y} m");
            assert!((carried - 1.0).abs() < 0.02, "{name}, {body} at {at}: contacts carry {carried} of the weight");
        }
    }
}
