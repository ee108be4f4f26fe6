//! A body that touches itself with unlike cells on its two sides, against the same as two bodies and against what is exact: one pressure, one area,
//! one energy.

use std::{fmt::Write as _, path::Path};

use mpcd_core::ContactGeometry;
use mpcd_sim::{Model, Registry, Simulation};

use crate::deformable::{impulse, range};

/// Height of each half (m), its length and its width.
const HEIGHT: f64 = 0.1;
const LENGTH: f64 = 1.0;
const WIDTH: f64 = 0.5;

/// How a body is written down.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Plain,
    /// Seen in a mirror across its length.
    Mirrored,
    /// Nodes and cells in the opposite order.
    Renumbered,
    /// The half that lies above lies below.
    Overturned,
}

/// What hangs together.
#[derive(Clone, Copy, PartialEq)]
enum Whole {
    /// A C: a soft column joins the two halves on one side.
    Joined,
    /// Two halves that nothing joins are one body.
    Parted,
    /// Two bodies.
    Two,
}

/// Nodes, cells and sides (type of gmsh, physical group, nodes), of one file.
#[derive(Default)]
struct File {
    nodes: Vec<[f64; 3]>,
    /// The half that a node is of.
    half: Vec<usize>,
    elements: Vec<(usize, usize, Vec<usize>)>,
}

impl File {
    fn node(&mut self, half: usize, at: [f64; 3]) -> usize {
        let same = |k: &usize| self.half[*k] == half && (0..3).all(|i| (self.nodes[*k][i] - at[i]).abs() < 1e-9);
        (0..self.nodes.len()).find(same).unwrap_or_else(|| {
            self.nodes.push(at);
            self.half.push(half);
            self.nodes.len() - 1
        })
    }

    /// A block of cells of a kind between planes; `side` is the end of y that has a name. In the plane `zs` is one value.
    fn block(
        &mut self,
        kind: &str,
        [xs, ys, zs]: [&[f64]; 3],
        (group, side): (usize, Option<(usize, bool)>),
        half: &dyn Fn(f64, f64) -> usize,
    ) {
        let split = matches!(kind, "T3" | "Tet4");
        if zs.len() == 1 {
            for (x, y) in xs.windows(2).flat_map(|x| ys.windows(2).map(move |y| (x, y))) {
                let at = [[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]];
                let [a, b, c, d] = at.map(|[x, y]| self.node(half(x, y), [x, y, zs[0]]));
                let cells = if split { vec![vec![a, b, c], vec![a, c, d]] } else { vec![vec![a, b, c, d]] };
                let cell_type = if split { 2 } else { 3 };
                self.elements.extend(cells.into_iter().map(|c| (cell_type, group, c)));
            }
            for (x, (name, at_top)) in xs.windows(2).flat_map(|x| side.map(|s| (x, s))) {
                let y = if at_top { ys[ys.len() - 1] } else { ys[0] };
                let ends = [x[0], x[1]].map(|x| self.node(half(x, y), [x, y, zs[0]]));
                self.elements.push((1, name, ends.to_vec()));
            }
            return;
        }
        for (x, z) in xs.windows(2).flat_map(|x| zs.windows(2).map(move |z| (x, z))) {
            for y in ys.windows(2) {
                let n = |s: &mut Self, i: usize, j: usize, k: usize| s.node(half(x[i], y[j]), [x[i], y[j], z[k]]);
                let c: Vec<usize> = (0..8).map(|b| n(self, b & 1, b >> 1 & 1, b >> 2)).collect();
                if split {
                    // along the edges from corner 0 to corner 7, each way
                    for [a, b] in [[1, 3], [3, 2], [2, 6], [6, 4], [4, 5], [5, 1]] {
                        self.elements.push((4, group, vec![c[0], c[a], c[b], c[7]]));
                    }
                } else {
                    self.elements.push((5, group, [0, 1, 3, 2, 4, 5, 7, 6].map(|b| c[b]).to_vec()));
                }
            }
            if let Some((name, at_top)) = side {
                let y = if at_top { ys[ys.len() - 1] } else { ys[0] };
                let at = [[x[0], z[0]], [x[1], z[0]], [x[1], z[1]], [x[0], z[1]]];
                let [a, b, c, d] = at.map(|[x, z]| self.node(half(x, y), [x, y, z]));
                let faces = if split { vec![vec![a, b, c], vec![a, c, d]] } else { vec![vec![a, b, c, d]] };
                self.elements.extend(faces.into_iter().map(|f| (if split { 2 } else { 3 }, name, f)));
            }
        }
    }

    fn text(mut self, way: Way) -> String {
        if way == Way::Mirrored {
            self.nodes.iter_mut().for_each(|x| x[0] = -x[0]);
            for (cell, _, nodes) in &mut self.elements {
                match cell {
                    3 => nodes.swap(1, 3),
                    5 => [[1, 3], [5, 7]].into_iter().for_each(|[a, b]| nodes.swap(a, b)),
                    _ => nodes.swap(0, 1),
                }
            }
        }
        let count = self.nodes.len();
        let mut order: Vec<usize> = (0..count).collect();
        if way == Way::Renumbered {
            order.reverse();
            self.elements.reverse();
        }
        let mut number = vec![0; count];
        (1..).zip(&order).for_each(|(k, n)| number[*n] = k);
        let flat = self.elements.iter().all(|(cell, ..)| *cell < 4);
        let (sides, cells) = if flat { (1, 2) } else { (2, 3) };
        let mut out = format!(
            "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n{cells} 1 \"halves\"\n{cells} 2 \"joint\"\n\
             {sides} 3 \"low\"\n{sides} 4 \"high\"\n$EndPhysicalNames\n$Nodes\n{count}\n"
        );
        for (k, n) in (1..).zip(&order) {
            let [x, y, z] = self.nodes[*n];
            let _ = writeln!(out, "{k} {x} {y} {z}");
        }
        let _ = write!(out, "$EndNodes\n$Elements\n{}\n", self.elements.len());
        for (k, (cell, group, nodes)) in (1..).zip(&self.elements) {
            let nodes: Vec<String> = nodes.iter().map(|n| number[*n].to_string()).collect();
            let _ = writeln!(out, "{k} {cell} 2 {group} {group} {}", nodes.join(" "));
        }
        out + "$EndElements\n"
    }
}

/// Two halves of so many cells (along, across; 0 across in the plane), the lower first, of these kinds, and how they hang together.
#[derive(Clone, Copy)]
struct Case {
    cells: [[usize; 2]; 2],
    kinds: [&'static str; 2],
    lengths: [f64; 2],
    whole: Whole,
    way: Way,
}

impl Case {
    const fn plane(along: [usize; 2], kinds: [&'static str; 2]) -> Self {
        Self { cells: [[along[0], 0], [along[1], 0]], kinds, lengths: [LENGTH; 2], whole: Whole::Joined, way: Way::Plain }
    }

    fn is_planar(&self) -> bool {
        self.cells[0][1] == 0
    }

    fn area(&self) -> f64 {
        if self.is_planar() { LENGTH } else { LENGTH * WIDTH }
    }

    fn name(&self) -> String {
        let whole = match self.whole {
            Whole::Joined => "a C",
            Whole::Parted => "one body of two parts",
            Whole::Two => "two bodies",
        };
        let way = match self.way {
            Way::Plain => "",
            Way::Mirrored => ", mirrored",
            Way::Renumbered => ", renumbered",
            Way::Overturned => ", overturned",
        };
        format!("{:?} of {:?}, {whole}{way}", self.cells, self.kinds)
    }

    /// The files of its bodies.
    fn files(&self) -> Vec<String> {
        let even = |n: usize, length: f64| (0..=n).map(|k| length * k as f64 / n as f64).collect::<Vec<f64>>();
        let across = |n: usize| if n == 0 { vec![0.0] } else { even(n, WIDTH) };
        let mut files = vec![File::default()];
        for half in 0..2 {
            if half == 1 && self.whole == Whole::Two {
                files.push(File::default());
            }
            let which = if self.way == Way::Overturned { 1 - half } else { half };
            let ([along, aside], kind) = (self.cells[which], self.kinds[which]);
            let from = HEIGHT * half as f64;
            let ys = [from, from + 0.5 * HEIGHT, from + HEIGHT];
            let file = files.last_mut().unwrap();
            let name = (1, Some((3 + half, half == 1)));
            file.block(kind, [&even(along, self.lengths[which]), &ys, &across(aside)], name, &|_, _| half);
        }
        if self.whole == Whole::Joined {
            let (kind, zs) = (if self.is_planar() { "Q4" } else { "Hex8" }, across(self.cells[0][1]));
            let arm = [-0.1, -0.05, 0.0];
            let half = |_: f64, y: f64| usize::from(y > HEIGHT);
            files[0].block(kind, [&arm, &[0.0, 0.05], &zs], (2, None), &half);
            files[0].block(kind, [&arm, &[0.15, 0.2], &zs], (2, None), &half);
            files[0].block(kind, [&[-0.2, -0.1], &[0.0, 0.05, 0.08, 0.12, 0.15, 0.2], &zs], (2, None), &half);
        }
        files.into_iter().map(|file| file.text(self.way)).collect()
    }

    /// The simulation of the halves with a law between them, the lower held, with loads of the upper, which is `HIGH`.
    fn build(&self, (step, law, young): (f64, &str, f64), loads: &str, contact: &str, folder: &Path) -> Simulation {
        let files = self.files();
        let names: Vec<String> = (0..files.len()).map(|k| format!("u{k}.msh")).collect();
        names.iter().zip(&files).for_each(|(name, text)| std::fs::write(folder.join(name), text).unwrap());
        let [low, high] = if self.whole == Whole::Two { ["l", "h"] } else { ["b", "b"] };
        let more = if self.whole == Whole::Joined { r#", materials: {"joint": "j"}"# } else { "" };
        let body = |group: &str, file: &str| {
            format!(r#"(group: "{group}", material: "m"{more}, shape: Mesh(of: Gmsh(file: "{file}", scale: 1))),"#)
        };
        let bodies: String = [low, high].iter().zip(&names).map(|(group, file)| body(group, file)).collect();
        let loads = loads.replace("HIGH", &format!("{high}.high"));
        let dimension = if self.is_planar() { 2 } else { 3 };
        simulation((dimension, step, young), (&bodies, [low, high], law), &loads, contact, folder)
    }
}

/// The simulation of bodies in a plane or in space, with steps (s) and a stiffness (Pa), and a law between two groups, the first of which is held at
/// `low`.
fn simulation(
    (dimension, step, young): (usize, f64, f64),
    (bodies, [low, high], law): (&str, [&str; 2], &str),
    loads: &str,
    contact: &str,
    folder: &Path,
) -> Simulation {
    let text = format!(
        r#"(dimension: {dimension}, time: (step: {step}, end: 10, theta: 1),
  materials: {{"m": (density: 100, elastic: (young: {young}, poisson: 0)), "j": (density: 100, elastic: (young: 1, poisson: 0))}},
  bodies: [{bodies}], interactions: [(between: ("{low}", "{high}"), law: {law})],
  loads: [(on: "{low}.low", load: Fixed), {loads}], physics: [Contact({contact})])"#
    );
    let model = Model::parse_with(&text, "m", "m.ron", folder, &[], &mpcd::shapes()).unwrap_or_else(|e| panic!("{e}\n{text}"));
    Simulation::build(&model, &<Registry as mpcd::StandardRegistry>::standard()).unwrap_or_else(|e| panic!("{e}"))
}

/// How contacts press: the area of those that stand for some (m²), the least and the largest pressure there (Pa), and the force as a whole (N).
struct Pressed {
    area: f64,
    pressure: [f64; 2],
    force: f64,
}

fn pressures(run: &Simulation, step: f64) -> Pressed {
    let mut out = Pressed { area: 0.0, pressure: [f64::INFINITY, f64::NEG_INFINITY], force: 0.0 };
    for c in run.world().network.iter() {
        let ContactGeometry::Flat { area } = c.geometry else { continue };
        out.force += c.r.x / step;
        if area > 1e-9 {
            out.area += area;
            let [low, high] = out.pressure;
            let p = c.r.x / step / area;
            out.pressure = [low.min(p), high.max(p)];
        }
    }
    out
}

/// Ratios of 2 to 3, 7 to 3, 4 to 1 and 1, each as one body in two ways and as two.
fn cases() -> Vec<Case> {
    let mut out = Vec::new();
    for (along, kinds) in [([2, 3], ["Q4", "Q4"]), ([7, 3], ["Q4", "T3"]), ([4, 1], ["T3", "Q4"]), ([5, 5], ["Q4", "Q4"])] {
        for whole in [Whole::Joined, Whole::Parted, Whole::Two] {
            out.push(Case { whole, ..Case::plane(along, kinds) });
        }
    }
    for way in [Way::Mirrored, Way::Renumbered, Way::Overturned] {
        out.push(Case { way, ..Case::plane([7, 3], ["Q4", "T3"]) });
    }
    let space =
        |cells: [[usize; 2]; 2], kinds: [&'static str; 2], whole: Whole| Case { cells, whole, ..Case::plane([1, 1], kinds) };
    out.push(space([[2, 2], [3, 2]], ["Hex8", "Hex8"], Whole::Joined));
    for whole in [Whole::Parted, Whole::Two] {
        out.push(space([[2, 2], [3, 3]], ["Hex8", "Hex8"], whole));
        out.push(space([[3, 1], [7, 2]], ["Tet4", "Hex8"], whole));
        out.push(space([[1, 1], [4, 3]], ["Hex8", "Tet4"], whole));
    }
    out
}

/// Sideways the upper half is held.
fn sideways(case: &Case) -> String {
    let axes = if case.is_planar() { "X" } else { "X, Z" };
    format!(r#"(on: "HIGH", load: Locked(axes: [{axes}])), "#)
}

/// Pressed together by 10 kPa every contact has this pressure and the areas add up to what touches, whatever the cells, and a spring gives as much
/// everywhere.
#[test]
fn unlike_sides_of_one_body_pass_one_pressure() {
    let (folder, step) = (tempfile::tempdir().unwrap(), 1e-3);
    for law in ["Coulomb(friction: 0)", "Elastic(stiffness: 1e9, friction: 0)"] {
        for case in cases() {
            let loads = sideways(&case) + r#"(on: "HIGH", load: Pressure(pressure: 1e4))"#;
            let mut run = case.build((step, law, 1e8), &loads, "tolerance: 1e-10", folder.path());
            for _ in 0..60 {
                run.step().unwrap_or_else(|e| panic!("{}: {e}", case.name()));
            }
            let Pressed { area, pressure: [low, high], force } = pressures(&run, step);
            assert!((area / case.area() - 1.0).abs() < 1e-9, "{law}, {}: {area} m²", case.name());
            assert!(low > 9999.99 && high < 10000.01, "{law}, {}: {low} to {high} Pa", case.name());
            assert!((force / (1e4 * case.area()) - 1.0).abs() < 1e-7, "{law}, {}: {force} N", case.name());
        }
    }
}

/// What lies beyond the other arm touches nothing: areas add up to what the two have in common, as between two bodies, and so does the force.
#[test]
fn arms_of_unlike_lengths_touch_as_two_bodies_do() {
    let (folder, step) = (tempfile::tempdir().unwrap(), 1e-3);
    for lengths in [[1.0, 0.65], [0.65, 1.0]] {
        for along in [[5, 7], [7, 3]] {
            let pressed = [Whole::Joined, Whole::Parted, Whole::Two].map(|whole| {
                let case = Case { whole, lengths, ..Case::plane(along, ["Q4", "T3"]) };
                let loads = sideways(&case) + r#"(on: "HIGH", load: Pressure(pressure: 1e4))"#;
                let mut run =
                    case.build((step, "Elastic(stiffness: 1e10, friction: 0)", 1e8), &loads, "tolerance: 1e-10", folder.path());
                for _ in 0..60 {
                    run.step().unwrap_or_else(|e| panic!("{}: {e}", case.name()));
                }
                pressures(&run, step)
            });
            let [joined, parted, two] = &pressed;
            let name = format!("{along:?} cells, {lengths:?} m");
            for one in [joined, parted] {
                assert!((one.area / two.area - 1.0).abs() < 1e-6, "{name}: {} m² of {} m²", one.area, two.area);
                assert!((one.force / two.force - 1.0).abs() < 1e-6, "{name}: {} N of {} N", one.force, two.force);
                for k in 0..2 {
                    let off = (one.pressure[k] - two.pressure[k]).abs();
                    assert!(off < 1e-4 * two.pressure[1], "{name}: {:?} Pa of {:?} Pa", one.pressure, two.pressure);
                }
            }
            assert!((two.area / 0.65 - 1.0).abs() < 1e-3, "{name}: {} m²", two.area);
        }
    }
}

/// Dragged over each other under a pressure the sides rub by μ times that at every point, and by μ p A as a whole.
#[test]
fn unlike_sides_of_one_body_rub_as_they_are_pressed() {
    let (folder, step) = (tempfile::tempdir().unwrap(), 1e-3);
    for case in cases() {
        let hold = if case.is_planar() { "" } else { r#"(on: "HIGH", load: Locked(axes: [Z])), "# };
        let loads = format!(r#"{hold}(on: "HIGH", load: Velocity(x: 1e-3)), (on: "HIGH", load: Pressure(pressure: 1e4))"#);
        let mut run = case.build((step, "Coulomb(friction: 0.3)", 1e8), &loads, "tolerance: 1e-10", folder.path());
        for _ in 0..60 {
            run.step().unwrap_or_else(|e| panic!("{}: {e}", case.name()));
        }
        let (mut along, mut force) = (0.0, 0.0);
        for c in run.world().network.iter() {
            (along, force) = (along + c.frame.to_world(&c.r).x.abs() / step, force + c.r.x / step);
            let rubs = (c.r.y * c.r.y + c.r.z * c.r.z).sqrt();
            assert!((rubs - 0.3 * c.r.x).abs() < 1e-6 * step * force, "{}: {rubs} of {}", case.name(), 0.3 * c.r.x);
        }
        let whole = 1e4 * case.area();
        assert!((force / whole - 1.0).abs() < 1e-4, "{}: {force} N of {whole} N", case.name());
        assert!((along / (0.3 * whole) - 1.0).abs() < 1e-4, "{}: {along} N along", case.name());
    }
}

/// Pulled apart the two sides take the strength of their bonds all over at once, and their energy once, as between two bodies.
#[test]
fn unlike_sides_of_one_body_part_with_the_energy_of_their_bonds() {
    let (folder, step, speed) = (tempfile::tempdir().unwrap(), 1e-4, 0.1);
    let law = "Bilinear(normal_stiffness: 1e10, tensile_strength: 1e5, energy: 50, friction: 0)";
    for case in cases() {
        let loads = format!("(on: \"HIGH\", load: Velocity(x: 0, y: {speed}{}))", if case.is_planar() { "" } else { ", z: 0" });
        let mut run = case.build((step, law, 1e9), &loads, "tolerance: 1e-8, watch: (turn: Warn)", folder.path());
        let (mut work, mut most) = (0.0, 0.0_f64);
        for _ in 0..150 {
            run.step().unwrap_or_else(|e| panic!("{}: {e}", case.name()));
            let y = impulse(run.world().network).y.abs();
            work += y * speed;
            most = most.max(y / step);
        }
        let left = impulse(run.world().network).norm() / step;
        let (energy, strength) = (work / case.area(), most / case.area());
        assert!((energy / 50.0 - 1.0).abs() < 1e-3, "{}: {energy} J/m²", case.name());
        assert!((strength / 1e5 - 1.0).abs() < 1e-4, "{}: {strength} Pa", case.name());
        assert!(left < 1e-6 * most, "{}: {left} N still hold", case.name());
    }
}

/// A block with a slit half way along it, with unlike cells on its sides: closed and pressed together it is as good as whole, up to the tip.
#[test]
fn a_closed_slit_with_unlike_sides_is_none() {
    let (folder, step) = (tempfile::tempdir().unwrap(), 1e-3);
    for kind in ["Q4", "T3", "Hex8", "Tet4"] {
        for along in [[2, 3], [4, 1], [3, 3], [2, 5]] {
            let mut file = File::default();
            let zs = if matches!(kind, "Q4" | "T3") { vec![0.0] } else { vec![0.0, 0.5 * WIDTH, WIDTH] };
            let xs =
                along.map(|n| (0..n).map(|k| 0.5 * f64::from(k) / f64::from(n)).chain([0.5, 0.75, 1.0]).collect::<Vec<f64>>());
            let whole = |x: f64, y: f64| usize::from(y > HEIGHT || x < 0.5);
            file.block(kind, [&xs[0], &[0.0, 0.5 * HEIGHT, HEIGHT], &zs], (1, Some((3, false))), &|_, _| 0);
            file.block(kind, [&xs[1], &[HEIGHT, 1.5 * HEIGHT, 2.0 * HEIGHT], &zs], (1, Some((4, true))), &whole);
            std::fs::write(folder.path().join("u0.msh"), file.text(Way::Plain)).unwrap();
            for law in ["Coulomb(friction: 0)", "Elastic(stiffness: 1e14, friction: 0)"] {
                let loads = r#"(on: "b.high", load: Pressure(pressure: 1e4))"#;
                let dimension = if zs.len() == 1 { 2 } else { 3 };
                let bodies = r#"(group: "b", material: "m", shape: Mesh(of: Gmsh(file: "u0.msh", scale: 1)))"#;
                let mut run =
                    simulation((dimension, step, 1e8), (bodies, ["b", "b"], law), loads, "tolerance: 1e-10", folder.path());
                for _ in 0..60 {
                    run.step().unwrap();
                }
                let Pressed { area, pressure: [low, high], .. } = pressures(&run, step);
                let name = format!("{kind} {along:?} {law}");
                for mesh in run.meshes() {
                    let (low, high) = range(&mesh, "stress", 4);
                    let off = (low + 1e4).abs().max((high + 1e4).abs()) / 1e4;
                    assert!(off < if kind == "Hex8" { 0.02 } else { 1e-5 }, "{name}: stress {low} to {high} Pa");
                }
                // the hats of points are those of triangles: of faces with four corners a part of what is the tip's comes to the nodes beside it
                if kind != "Hex8" {
                    assert!(low > 9999.9 && high < 10000.1, "{name}: {low} to {high} Pa");
                    // half a cell of the finer side is the tip's
                    let tip = 0.25 / f64::from(along[0].max(along[1]));
                    let touches = (0.5 - tip) * if zs.len() == 1 { 1.0 } else { WIDTH };
                    assert!((area / touches - 1.0).abs() < 1e-6, "{name}: {area} m² of {touches} m²");
                }
            }
        }
    }
}
