//! Heat in meshes of whole models against series, balances and closed forms: conduction, sides, contacts, thermal strain.

use std::f64::consts::PI;

use mpcd::StandardRegistry;
use mpcd_core::{Book, MeshView};
use mpcd_output::{DataSet, Values};
use mpcd_sim::{Model, ModelErrors, Registry, Simulation, StepOutcome, testkit::same_bits};

use crate::granular::{build, column as cell, steps};

const PLANE: [&str; 4] = ["T3", "T6", "Q4", "Q8"];
const SPACE: [&str; 4] = ["Tet4", "Tet10", "Hex8", "Hex20"];

/// The shape of a bar of 1 m along x, 0.1 m (by 0.1 m) across, with `n` cells along it.
fn bar(element: &str, n: usize) -> String {
    if SPACE.contains(&element) {
        format!("Mesh(of: Cuboid(size: (1, 0.1, 0.1), cells: ({n}, 1, 1), element: {element}))")
    } else {
        format!("Mesh(of: Rectangle(size: (1, 0.1), cells: ({n}, 1), element: {element}), plane: PlaneStress, thickness: 0.1)")
    }
}

fn dimension(element: &str) -> u8 {
    if SPACE.contains(&element) { 3 } else { 2 }
}

/// One bar with these thermal properties, conditions and output, in steps of `h`.
fn one(element: &str, n: usize, h: f64, (thermal, module, more): (&str, &str, &str)) -> String {
    format!(
        r#"(dimension: {}, time: (step: {h}, end: 1e4, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 210e9, poisson: 0.3), thermal: ({thermal}))}},
  bodies: [(group: "bar", material: "m", shape: {})],
  physics: [Contact(), Thermal(law: Insulating, {module})], {more})"#,
        dimension(element),
        bar(element, n),
    )
}

fn array<'a>(mesh: &'a MeshView, name: &str) -> &'a [f64] {
    &mesh.arrays.iter().find(|a| a.name == name).unwrap().values
}

/// A number of the row of a step.
fn column(run: &Simulation, step: &StepOutcome, name: &str) -> f64 {
    cell(run, step, name).unwrap_or_else(|| panic!("{name} is empty"))
}

fn heat_book(run: &Simulation) -> f64 {
    run.books().account(Book::Heat).unwrap().worst
}

/// Temperature of a rod at 0 whose ends are at 1 since t = 0: 1 − Σ 4/(nπ) sin nπx e^(−n²π²t), n odd.
fn rod(x: f64, t: f64) -> f64 {
    let term = |n: f64| 4.0 / (n * PI) * (n * PI * x).sin() * (-n * n * PI * PI * t).exp();
    1.0 - (0..200).map(|k| term(f64::from(2 * k + 1))).sum::<f64>()
}

/// Mean square error over the nodes at t = 0.1, in steps of 0.64 h².
fn error_of_rod(element: &str, n: usize) -> f64 {
    let h = 0.64 / (n * n) as f64;
    let sides = r#"temperature: 300, boundary: [Temperature(group: "bar.left", value: 301), Temperature(group: "bar.right", value: 301)]"#;
    // diffusivity 1 m²/s
    let text = one(element, n, h, ("conductivity: 1000, specific_heat: 1", sides, ""));
    // cells of one shape on all meshes
    let width = 1.6 / n as f64;
    let mut run = build(
        &text
            .replace("size: (1, 0.1, 0.1)", &format!("size: (1, {width}, {width})"))
            .replace("size: (1, 0.1)", &format!("size: (1, {width})")),
        &[],
    );
    steps(&mut run, (0.1 / h).round() as u64);
    assert!(heat_book(&run) < 1e-12, "{element}: {:e}", heat_book(&run));
    let mesh = &run.meshes()[0];
    let errors = array(mesh, "temperature").iter().zip(&mesh.points).map(|(t, x)| (t - 300.0 - rod(x.x, 0.1)).powi(2));
    (errors.sum::<f64>() / mesh.points.len() as f64).sqrt()
}

/// Conduction in time: the series, in order 2 of the mesh with steps as its square.
#[test]
fn conduction_follows_the_series() {
    for element in PLANE.into_iter().chain(SPACE) {
        let [coarse, fine] = [16, 32].map(|n| error_of_rod(element, n));
        let order = (coarse / fine).log2();
        // what converges to anything but the series has no order
        assert!((order - 2.0).abs() < 0.1, "{element}: order {order}, errors {coarse:e} {fine:e}");
    }
}

/// A shock that goes along a bar of one quadratic cell across, by hand-made chains of quadratic cells in one dimension: the same at every node, and so nothing across it. Tets and
/// triangles cut it askew: across them little is left, and less of finer ones.
#[test]
fn nothing_is_across_a_flow_along_quadratic_cells() {
    let (n, h, theta) = (8, 2e-3, 1.0);
    let sides = r#"temperature: 300, boundary: [Temperature(group: "bar.left", value: 301)]"#;
    for (element, exact) in [("Q8", true), ("Hex20", true), ("T6", false), ("Tet10", false)] {
        let mut run = build(&one(element, n, h, ("conductivity: 1000, specific_heat: 1", sides, "")), &[]);
        steps(&mut run, 40);
        assert!(heat_book(&run) < 1e-12, "{element}: {:e}", heat_book(&run));
        let chain = chain_of_quadratic_cells(n, h, theta, 40);
        let mesh = &run.meshes()[0];
        let mut most = 0.0_f64;
        for (t, x) in array(mesh, "temperature").iter().zip(&mesh.points) {
            let place = x.x * 2.0 * n as f64;
            if (place - place.round()).abs() < 1e-9 {
                most = most.max((t - 300.0 - chain[place.round() as usize]).abs());
            }
        }
        assert!(most < if exact { 1e-12 } else { 3e-3 }, "{element}: {most:e}");
    }
}

/// Rises of the nodes of a rod of 1 m and 1 m²/s in `n` quadratic cells, 1 at the left and nothing through the right, after `count` steps from 0: (M + hθK)Δ = −hKT, with M and K of three
/// nodes by hand.
fn chain_of_quadratic_cells(n: usize, h: f64, theta: f64, count: usize) -> Vec<f64> {
    use nalgebra::{DMatrix, DVector};
    let length = 1.0 / n as f64;
    let (mut mass, mut flow) = (DMatrix::zeros(2 * n + 1, 2 * n + 1), DMatrix::zeros(2 * n + 1, 2 * n + 1));
    let m = [[4.0, 2.0, -1.0], [2.0, 16.0, 2.0], [-1.0, 2.0, 4.0]];
    let k = [[7.0, -8.0, 1.0], [-8.0, 16.0, -8.0], [1.0, -8.0, 7.0]];
    for e in 0..n {
        for a in 0..3 {
            for b in 0..3 {
                mass[(2 * e + a, 2 * e + b)] += m[a][b] * length / 30.0;
                flow[(2 * e + a, 2 * e + b)] += k[a][b] / (3.0 * length);
            }
        }
    }
    let mut t = DVector::<f64>::zeros(2 * n + 1);
    t[0] = 1.0;
    for _ in 0..count {
        let mut matrix = &mass + &flow * (h * theta);
        let mut rest = -(&flow * &t) * h;
        matrix.row_mut(0).fill(0.0);
        matrix[(0, 0)] = 1.0;
        rest[0] = 0.0;
        t += matrix.lu().solve(&rest).unwrap();
    }
    t.iter().copied().collect()
}

/// Held at the left, a fluid at the right: T falls by a straight line, h (T − 300) flows out. A flux into the right: T rises by qL/k. Exact in all cells.
#[test]
fn sides_of_a_bar() {
    for element in PLANE.into_iter().chain(SPACE) {
        let (k, h, q) = (50.0, 200.0, 1e4);
        let properties = format!("conductivity: {k}, specific_heat: 500");
        for (condition, right, power) in [
            (format!(r#"Convection(group: "bar.right", coefficient: {h}, ambient: 300)"#), 300.0 + 100.0 / (1.0 + h / k), None),
            (format!(r#"Flux(group: "bar.right", value: {q})"#), 400.0 + q / k, Some(0.01 * q)),
            (r#"Power(group: "bar.right", value: 100)"#.to_owned(), 400.0 + 1e4 / k, Some(100.0)),
        ] {
            let module = format!(r#"time_scale: 1e12, boundary: [Temperature(group: "bar.left", value: 400), {condition}]"#);
            let probes = r#"output: (probes: [
                (name: "right", of: "temperature", group: "bar.right"), (name: "right_min", of: "mesh_temperature", group: "bar.right", reduce: Min),
                (name: "whole", of: "temperature", group: "bar"), (name: "nodes", of: "mesh_temperature", group: "bar", reduce: Max)])"#;
            let mut run = build(&one(element, 4, 1.0, (&properties, &module, probes)), &[]);
            let last = steps(&mut run, 2);
            let mesh = &run.meshes()[0];
            for (t, x) in array(mesh, "temperature").iter().zip(&mesh.points) {
                let expected = 400.0 + (right - 400.0) * x.x;
                assert!((t - expected).abs() < 1e-7, "{element} {condition}: {t} of {expected} at {x:?}");
            }
            let probe = |name: &str| column(&run, &last, name);
            assert!((probe("right") - right).abs() < 1e-7 && (probe("right_min") - right).abs() < 1e-7, "{element}");
            assert!((probe("whole") - 0.5 * (400.0 + right)).abs() < 1e-7, "{element}: {}", probe("whole"));
            assert!((probe("nodes") - right.max(400.0)).abs() < 1e-7, "{element}");
            let frame = run.frame();
            let DataSet::Mesh(shown) = &frame.iter().find(|p| p.name == "meshes").unwrap().data else { panic!("no mesh") };
            let shown = shown.point_arrays.iter().find(|a| a.name == "temperature").unwrap();
            assert_eq!(shown.values, Values::F64(array(mesh, "temperature").to_vec()));
            // what enters at one end leaves at the other
            let at = |side: &str| column(&run, &last, &format!("heat_in_bar.{side}"));
            let power = power.unwrap_or(-0.01 * h * (right - 300.0));
            assert!(
                (at("right") / power - 1.0).abs() < 1e-9 && (at("left") / -power - 1.0).abs() < 1e-9,
                "{element} {condition}"
            );
            assert!(heat_book(&run) < 1e-12, "{element} {condition}: {:e}", heat_book(&run));
        }
    }
}

/// Radiation of a side to surroundings: ε σ (T⁴ − T∞⁴) flows through the bar.
#[test]
fn a_side_radiates() {
    let module = r#"time_scale: 1e12, temperature: 1000, boundary: [Temperature(group: "bar.left", value: 1000),
        Radiation(group: "bar.right", emissivity: 0.5, ambient: 300)]"#;
    for element in ["Q8", "Hex20", "Tet10"] {
        let mut run = build(&one(element, 3, 1.0, ("conductivity: 20, specific_heat: 500", module, "")), &[]);
        steps(&mut run, 2);
        let mesh = &run.meshes()[0];
        let right = array(mesh, "temperature").iter().zip(&mesh.points).filter(|(_, x)| x.x > 1.0 - 1e-9).map(|(t, _)| *t);
        for t in right {
            let (through, out) = (20.0 * (1000.0 - t), 0.5 * 5.670_374_419e-8 * (t.powi(4) - 300_f64.powi(4)));
            assert!((through / out - 1.0).abs() < 1e-8 && t < 900.0, "{element}: {through} W/m² of {out} at {t} K");
        }
        assert!(heat_book(&run) < 1e-12, "{element}: {:e}", heat_book(&run));
    }
}

/// Conductivity that rises with temperature: q L = ∫ k dT, exact in cells whose k is that of their mean temperature; specific heat that rises
/// with it stores ∫ c dT.
#[test]
fn properties_of_temperature() {
    let properties = "conductivity: [(300, 10), (500, 30)], specific_heat: [(300, 400), (500, 800)]";
    for element in ["Q4", "Hex8"] {
        let module = r#"time_scale: 1e12, temperature: 300, boundary: [Temperature(group: "bar.left", value: 300), Temperature(group: "bar.right", value: 500)]"#;
        let mut run = build(&one(element, 8, 1.0, (properties, module, "")), &[]);
        let last = steps(&mut run, 2);
        let flux = column(&run, &last, "heat_in_bar.right") / 0.01;
        assert!((flux / 4000.0 - 1.0).abs() < 1e-8, "{element}: {flux}");
        assert!(heat_book(&run) < 1e-11, "{element}: {:e}", heat_book(&run));
        let mut run = build(
            &one(element, 2, 1.0, (properties, r#"temperature: 300, boundary: [Power(group: "bar", value: 1200)]"#, "")),
            &[],
        );
        steps(&mut run, 1000);
        // 1.2 MJ into 10 kg: ∫ c dT = 120 kJ/kg, to 500 K, if it were even; the mean of the content is
        let mesh = &run.meshes()[0];
        let spread =
            array(mesh, "temperature").iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], t| [a.min(*t), b.max(*t)]);
        assert!(spread[0] > 480.0 && spread[1] < 520.0 && heat_book(&run) < 1e-12, "{element}: {spread:?}");
    }
}

/// VALIDATION §11: heated by 100 K between walls −E α ΔT = −252 MPa and that force on the wall; free it is longer by α ΔT L without stress.
#[test]
fn v11_bar_between_walls_and_free() {
    for element in PLANE.into_iter().chain(SPACE) {
        for law in ["Linear", "SaintVenantKirchhoff", "NeoHookean"] {
            let d = dimension(element);
            let (normal, at) = if d == 2 { ("(-1, 0)", "(1, 0)") } else { ("(-1, 0, 0)", "(1, 0, 0)") };
            let scene = |wall: bool| {
                let wall = if wall {
                    format!(r#", (group: "wall", material: "stone", shape: Plane(normal: {normal}), at: {at})"#)
                } else {
                    String::new()
                };
                let back = if d == 3 { r#", (on: "bar.back", load: Locked(axes: [Z]))"# } else { "" };
                let meet = if wall.is_empty() { "" } else { r#"(between: ("bar", "wall"), law: Coulomb(friction: 0))"# };
                format!(
                    r#"(dimension: {d}, time: (step: 0.1, end: 100, theta: 1),
  materials: {{"m": (density: 7800, elastic: (young: 210e9, poisson: 0.3), solid: (law: {law}),
    thermal: (conductivity: 50, specific_heat: 500, expansion: 1.2e-5)), "stone": (density: 1)}},
  bodies: [(group: "bar", material: "m", shape: {}){wall}],
  interactions: [{meet}],
  loads: [(on: "bar.left", load: Locked(axes: [X])), (on: "bar.bottom", load: Locked(axes: [Y])){back}],
  physics: [Contact(tolerance: 1e-10), Thermal(law: Insulating, temperature: 293.15, boundary: [Temperature(group: "bar", value: "min(293.15 + 100*t, 393.15)")])])"#,
                    bar(element, 3)
                )
            };
            let strain: f64 = 1.2e-3;
            let mut run = build(&scene(true), &[]);
            steps(&mut run, 40);
            let mesh = &run.meshes()[0];
            let stress: Vec<f64> = array(mesh, "stress").chunks_exact(9).map(|s| s[0]).collect();
            let force: f64 = run.world().network.iter().map(|c| c.frame.to_world(&c.r).x / 0.1).sum();
            // in large strain what is across grows too: corrections of the order of the strain
            let within = if law == "Linear" { 1e-6 } else { 5.0 * strain };
            for s in &stress {
                assert!((s / -252e6 - 1.0).abs() < within, "{element} {law}: {s} Pa");
            }
            assert!((force / -2.52e6 - 1.0).abs() < within, "{element} {law}: {force} N");
            let mut run = build(&scene(false), &[]);
            steps(&mut run, 40);
            let mesh = &run.meshes()[0];
            for (u, x) in array(mesh, "displacement").chunks_exact(3).zip(&mesh.points) {
                let expected = strain * x.x / (1.0 + strain);
                assert!((u[0] - expected).abs() < 1e-9, "{element} {law}: {} of {expected}", u[0]);
            }
            let worst = array(mesh, "von_mises").iter().fold(0.0_f64, |a, b| a.max(*b));
            assert!(worst < 1e-6 * 252e6, "{element} {law}: {worst} Pa in a free bar");
        }
    }
}

/// A bar heated by 10 K/s is as long as the temperature of the step before makes it, of the same step where the coupling is repeated.
#[test]
fn strain_lags_unless_the_coupling_is_repeated() {
    for (coupling, lag) in [("Staggered", 1.0), (r#"Iterated(modules: ["contact", "thermal"], tolerance: 1e-10)"#, 0.0)] {
        let module = r#"temperature: 300, boundary: [Temperature(group: "bar", value: "300 + 10*t")]"#;
        let properties = "conductivity: 50, specific_heat: 500, expansion: 1e-5";
        let held =
            r#"loads: [(on: "bar.left", load: Locked(axes: [X])), (on: "bar.bottom", load: Locked(axes: [Y]))], coupling: "#;
        let mut run = build(&one("Q8", 3, 1.0, (properties, module, &format!("{held}{coupling}"))), &[]);
        for k in 1..=5 {
            steps(&mut run, 1);
            let mesh = &run.meshes()[0];
            let expected = 1e-4 * (f64::from(k) - lag);
            let most = array(mesh, "displacement").chunks_exact(3).map(|u| u[0]).fold(0.0, f64::max);
            assert!((most - expected).abs() < 1e-10, "{coupling}: {most} of {expected} after {k} s");
        }
    }
}

/// Conjugate gradients with a preconditioner that is made for conductances above zero find what Cholesky finds, where elements conduct by some below it.
#[test]
fn both_solvers_find_the_same() {
    for element in ["T6", "Q8", "Tet10", "Hex20"] {
        let found = ["cholesky", "cg"].map(|solver| {
            let module = format!(
                r#"solver: "{solver}", boundary: [Temperature(group: "bar.left", value: "293 + 50*t"), Convection(group: "bar", coefficient: 500, ambient: 500),
                Radiation(group: "bar.top", emissivity: 1, ambient: 1000)]"#
            );
            let mut run = build(&one(element, 8, 1.0, ("conductivity: 50, specific_heat: 500", &module, "")), &[]);
            steps(&mut run, 10);
            assert!(heat_book(&run) < 1e-11, "{element} {solver}: {:e}", heat_book(&run));
            assert!(run.counters().solved_by.keys().any(|name| name == &format!("Thermal: {solver}")), "{element}");
            array(&run.meshes()[0], "temperature").to_vec()
        });
        let apart = found[0].iter().zip(&found[1]).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let spread = found[0].iter().fold(0.0_f64, |most, t| most.max((t - found[0][0]).abs()));
        assert!(apart < 1e-9 && spread > 10.0, "{element}: {apart:e} K of {spread} K");
    }
}

/// Blocks of 1 m of two meshes that match or not, in the plane and in space.
pub(crate) const PAIRS: [(u8, &str, &str); 4] = [
    (2, "Rectangle(size: (1, 1), cells: (4, 3), element: Q4)", "Rectangle(size: (1, 1), cells: (3, 5), element: Q4)"),
    (2, "Rectangle(size: (1, 1), cells: (3, 3), element: Q8)", "Rectangle(size: (1, 1), cells: (3, 2), element: T6)"),
    (3, "Cuboid(size: (1, 1, 1), cells: (2, 2, 2), element: Hex8)", "Cuboid(size: (1, 1, 1), cells: (2, 3, 3), element: Hex8)"),
    (3, "Cuboid(size: (1, 1, 1), cells: (2, 2, 2), element: Hex20)", "Cuboid(size: (1, 1, 1), cells: (2, 3, 3), element: Hex8)"),
];

/// Two such blocks, `hot` at the left and `cold` at the right, pressed on each other by 10 kPa, in steps of 0.1 s: properties of
/// their material beside density and elasticity, modules, and what else the model says.
pub(crate) fn pressed((d, first, second): (u8, &str, &str), (properties, modules, more): (&str, &str, &str)) -> String {
    let back =
        if d == 3 { r#", (on: "hot.back", load: Locked(axes: [Z])), (on: "cold.back", load: Locked(axes: [Z]))"# } else { "" };
    let at = if d == 3 { "(1, 0, 0)" } else { "(1, 0)" };
    format!(
        r#"(dimension: {d}, time: (step: 0.1, end: 10, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e8, poisson: 0), {properties})}},
  bodies: [(group: "hot", material: "m", shape: Mesh(of: {first})), (group: "cold", material: "m", shape: Mesh(of: {second}), at: {at})],
  interactions: [(between: ("hot", "cold"), law: Coulomb(friction: 0))],
  loads: [(on: "hot.left", load: Locked(axes: [X])), (on: "hot.bottom", load: Locked(axes: [Y])), (on: "cold.bottom", load: Locked(axes: [Y])),
    (on: "cold.right", load: Pressure(pressure: 1e4)){back}],
  physics: [Contact(tolerance: 1e-11), {modules}], {more})"#
    )
}

/// Two bars pressed on each other, hot and cold at their far ends: the heat is ΔT/(2L/k + 1/h) per area, the jump q/h, on meshes that match or not.
#[test]
fn heat_passes_between_meshes() {
    for (d, first, second) in PAIRS {
        let properties = "thermal: (conductivity: 100, specific_heat: 500)";
        let module = r#"Thermal(law: PressurePower(coefficient: 400, reference: 1e4), time_scale: 1e12, temperature: 300,
    boundary: [Temperature(group: "hot.left", value: 400), Temperature(group: "cold.right", value: 300)])"#;
        let mut run = build(&pressed((d, first, second), (properties, module, "")), &[]);
        let last = steps(&mut run, 20);
        let flux = 100.0 / (2.0 / 100.0 + 1.0 / 400.0);
        let passed: f64 = run
            .field("heat")
            .unwrap()
            .iter()
            .zip(run.world().network.iter())
            .map(|(q, c)| q * if c.key.candidate.0 == 0 { 1.0 } else { -1.0 })
            .sum();
        let name = format!("{first} on {second}");
        assert!((passed / flux - 1.0).abs() < 1e-6, "{name}: {passed} W of {flux} W");
        assert!((column(&run, &last, "heat_in_hot.left") / flux - 1.0).abs() < 1e-6, "{name}");
        for (k, mesh) in run.meshes().iter().enumerate() {
            for (t, x) in array(mesh, "temperature").iter().zip(&mesh.points) {
                let expected = if k == 0 { 400.0 - flux / 100.0 * x.x } else { 300.0 + flux / 100.0 * (2.0 - x.x) };
                assert!((t - expected).abs() < 1e-3 * 100.0, "{name}: {t} K of {expected} K at {x:?}");
            }
        }
        assert!(heat_book(&run) < 1e-12, "{name}: {:e}", heat_book(&run));
    }
}

/// A hot mesh that conducts well and a cold box on it: they come to m₁c₁T₁ + m₂c₂T₂ with τ = 1/(H(1/C₁ + 1/C₂)), the heat of both is that of the start.
#[test]
fn a_mesh_and_a_lump_come_to_one_temperature() {
    for lump_below in [false, true] {
        let (low, high) = if lump_below { ("lump", "mesh") } else { ("mesh", "lump") };
        let body = |group: &str, y: f64| {
            if group == "mesh" {
                format!(
                    r#"(group: "mesh", material: "copper", shape: Mesh(of: Rectangle(size: (0.2, 0.1), cells: (4, 2), element: Q8), thickness: 1), at: (-0.1, {}))"#,
                    y - 0.05
                )
            } else {
                format!(r#"(group: "lump", material: "steel", shape: Box(half: (0.1, 0.05)), at: (0, {y}))"#)
            }
        };
        let hold = if low == "mesh" { r#"(on: "mesh.bottom", load: Fixed)"# } else { r#"(on: "lump", load: Fixed)"# };
        let text = format!(
            r#"(dimension: 2, gravity: (0, -10), time: (step: 0.01, end: 100, theta: 1),
  materials: {{"copper": (density: 1000, elastic: (young: 1e8, poisson: 0), thermal: (conductivity: 1e7, specific_heat: 100)),
    "steel": (density: 2000, thermal: (conductivity: 50, specific_heat: 150))}},
  bodies: [{}, {}],
  interactions: [(between: ("mesh", "lump"), law: Coulomb(friction: 0.3))],
  loads: [{hold}],
  physics: [Contact(), Thermal(law: Constant(conductance: 2000), theta: 0.5, initial: [(group: "mesh", temperature: 400), (group: "lump", temperature: 300)],
    coupling: (friction: false, impact: false))])"#,
            body(low, 0.0),
            body(high, 0.1)
        );
        let mut run = build(&text, &[]);
        let lump = run.world().kinematics.size.len() - 1 - usize::from(lump_below);
        let [c_mesh, c_lump] = [0.02 * 1000.0 * 100.0, 0.02 * 2000.0 * 150.0];
        let (end, rate) = ((c_mesh * 400.0 + c_lump * 300.0) / (c_mesh + c_lump), 2000.0 * (1.0 / c_mesh + 1.0 / c_lump));
        for count in [50, 50, 900] {
            steps(&mut run, count);
            let found = run.field("temperature").unwrap();
            let expected = end + (300.0 - end) * (-rate * run.time()).exp();
            assert!((found[lump] - expected).abs() < 0.1, "lump below: {lump_below}: {} of {expected}", found[lump]);
            let content = c_mesh * found[1 - lump] + c_lump * found[lump];
            assert!((content / (end * (c_mesh + c_lump)) - 1.0).abs() < 1e-12, "{content}");
        }
        assert!(heat_book(&run) < 1e-12, "{:e}", heat_book(&run));
    }
}

/// A scene with everything: sliding meshes and lumps, tables of temperature, thermal strain, sides of all kinds.
fn everything() -> String {
    r#"(dimension: 2, gravity: (1, -10), time: (step: 2e-3, end: 10, theta: 1),
  materials: {"rubber": (density: 1000, elastic: (young: 1e6, poisson: 0.3),
      thermal: (conductivity: [(280, 30), (400, 60)], specific_heat: [(280, 400), (400, 500)], expansion: 1e-4)),
    "steel": (density: 7800, elastic: (young: 1e7, poisson: 0.3), thermal: (conductivity: 50, specific_heat: 500, expansion: 1e-5))},
  bodies: [
    (group: "block", material: "rubber", shape: Mesh(of: Rectangle(size: (0.4, 0.2), cells: (4, 2), element: Q8)), at: (0, 0.2), velocity: (1, 0)),
    (group: "base", material: "steel", shape: Mesh(of: Rectangle(size: (1, 0.2), cells: (7, 2), element: Q4))),
    (group: "ball", material: "steel", shape: Disc(radius: 0.05), at: (0.2, 0.451), velocity: (1, 0)),
  ],
  interactions: [(between: ("block", "base"), law: Coulomb(friction: 0.3)), (between: ("block", "ball"), law: Coulomb(friction: 0.3)),
    (between: ("ball", "base"), law: Coulomb(friction: 0.3))],
  loads: [(on: "base.bottom", load: Fixed)],
  physics: [Contact(), Thermal(law: PressurePower(coefficient: 1000, reference: 1e3), temperature: 300, theta: 0.5, time_scale: 10,
    initial: [(group: "block", temperature: 350)],
    boundary: [Temperature(group: "base.bottom", value: "300 + 20*t"), Convection(group: "block", coefficient: 10, ambient: 290),
      Radiation(group: "base.top", emissivity: 0.8, ambient: 290), Flux(group: "base.left", value: 2000), Power(group: "ball", value: 5)])])"#
        .to_owned()
}

/// Heat of friction on meshes is the work of friction, and all heat is told, in a scene with everything.
#[test]
fn the_heat_of_everything_is_balanced() {
    let mut run = build(&everything(), &[]);
    steps(&mut run, 150);
    assert!(heat_book(&run) < 1e-11, "{:e}", heat_book(&run));
    let flow = |book: Book, name: &str| run.books().account(book).unwrap().flow(name).unwrap().x;
    let (made, work) = (flow(Book::Heat, "friction"), flow(Book::Energy, "friction"));
    assert!(made > 1.0 && (made / -work - 1.0).abs() < 1e-12, "{made} J of {work} J");
    assert!(flow(Book::Energy, "thermal") != 0.0 && run.books().account(Book::Energy).unwrap().worst < 1e-8);
    for name in ["boundary power", "convection", "radiation", "held bodies"] {
        assert!(flow(Book::Heat, name) != 0.0, "{name}");
    }
}

#[test]
fn the_same_bits_on_threads_and_after_resume() {
    let text = everything();
    let build = || -> Result<Simulation, ModelErrors> {
        let model = Model::parse_with(&text, "m", "m.ron", std::path::Path::new("."), &[], &mpcd::shapes())?;
        Simulation::build(&model, &Registry::standard())
    };
    same_bits(&build, 24).unwrap_or_else(|e| panic!("{e}"));
}

/// What cannot be is refused with what to do.
#[test]
fn wrong_conditions_on_meshes_are_refused() {
    let fault = |text: &str| {
        let model = Model::parse_with(text, "m", "m.ron", std::path::Path::new("."), &[], &mpcd::shapes());
        match model.and_then(|model| Simulation::build(&model, &Registry::standard())) {
            Ok(_) => panic!("accepted: {text}"),
            Err(errors) => errors.to_string(),
        }
    };
    let scene = |module: &str| one("Q4", 2, 1.0, ("conductivity: 1, specific_heat: 1, emissivity: 0.5", module, ""));
    for (module, says) in [
        (r#"boundary: [Flux(group: "bar.botom", value: 1)]"#, ["`botom`", "did you mean `bottom`?"]),
        (r#"boundary: [Temperature(group: "bar.botom", value: 1)]"#, ["`botom`", "did you mean `bottom`?"]),
        (
            r#"boundary: [Temperature(group: "bar", value: 1), Flux(group: "bar.left", value: 1)]"#,
            ["held at a temperature", "remove one"],
        ),
        (
            r#"boundary: [Temperature(group: "bar", value: 1), Temperature(group: "bar.left", value: 1)]"#,
            ["held at a temperature", "remove one"],
        ),
        (r#"boundary: [Flux(group: "br.left", value: 1)]"#, ["unknown group", "br.left"]),
        (r#"boundary: [Flux(group: "bar.origin", value: 1)]"#, ["`origin`", "faces"]),
        ("radiation: true", ["neighbours exchange radiation", "Radiation(…)"]),
    ] {
        let words = fault(&scene(module));
        assert!(says.iter().all(|s| words.contains(s)), "{module}: expected {says:?}:\n{words}");
    }
    let rigid = scene(r#"boundary: [Flux(group: "bar.left", value: 1)]"#).replace(&bar("Q4", 2), "Disc(radius: 1)");
    assert!(fault(&rigid).contains("has rigid bodies"), "{}", fault(&rigid));
    let probe = r#"output: (probes: [(name: "t", of: "mesh_temperature", group: "bar")])"#;
    let cold = one("Q4", 2, 1.0, ("conductivity: 1, specific_heat: 1", "", probe)).replace(", Thermal(law: Insulating, )", "");
    assert!(fault(&cold).contains("unknown field `mesh_temperature`"), "{}", fault(&cold));
}

/// k ΔT/L along a bar that is turned by 30°, in every element; nothing in a mesh without heat beside it.
#[test]
fn heat_fluxes_stand_on_elements() {
    for element in PLANE.into_iter().chain(SPACE) {
        let turn = if SPACE.contains(&element) { r#"rotation: ((0, 0, 1), "30 deg")"# } else { r#"rotation: "30 deg""# };
        let text = format!(
            r#"(dimension: {}, time: (step: 1e5, end: 1e7, theta: 1),
  materials: {{"cold": (density: 1000, elastic: (young: 210e9, poisson: 0.3)), "m": (density: 1000, elastic: (young: 210e9, poisson: 0.3), thermal: (conductivity: 50, specific_heat: 500))}},
  bodies: [(group: "other", material: "cold", shape: {}, at: (0, 5)), (group: "bar", material: "m", {turn}, shape: {})],
  interactions: [(between: ("bar", "other"), law: NoContact)], loads: [(on: "bar", load: Fixed), (on: "other", load: Fixed)],
  physics: [Contact(), Thermal(law: Insulating, boundary: [Temperature(group: "bar.left", value: 310), Temperature(group: "bar.right", value: 300)])])"#,
            dimension(element),
            bar(element, 3),
            bar(element, 4),
        );
        let text = if dimension(element) == 3 { text.replace("at: (0, 5)", "at: (0, 5, 0)") } else { text };
        let mut run = build(&text, &[]);
        steps(&mut run, 60);
        let views = run.meshes_with(&[]);
        let [first, second] = [0, 1].map(|k| views[k].topology.cells.len());
        let rows: Vec<&[f64]> = run.field("heat_flux").unwrap().chunks_exact(3).collect();
        assert_eq!(rows.len(), first + second, "{element}");
        let (sine, cosine) = (PI / 6.0).sin_cos();
        for (k, row) in rows.iter().enumerate() {
            let expected = if k < first { [0.0; 3] } else { [500.0 * cosine, 500.0 * sine, 0.0] };
            assert!(row.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-6), "{element} {k}: {row:?}");
        }
    }
}

/// A contact that conducts 10¹⁸ times what the bodies do takes all digits from their temperatures: said so, and not that something cools them.
#[test]
fn conductances_beyond_the_digits_of_a_number_are_told() {
    let run = |coefficient: &str| {
        let mut run = build(
            &format!(
                r#"(dimension: 2, time: (step: 0.001, end: 1, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: 0.3), thermal: (conductivity: 10, specific_heat: 10))}},
  bodies: [(group: "a", material: "m", shape: Mesh(of: Rectangle(size: (0.2, 0.5), cells: (4, 10), element: Q4)), at: (-0.1, 0)),
    (group: "b", material: "m", shape: Mesh(of: Rectangle(size: (0.2, 0.5), cells: (3, 10), element: Q4)), at: (-0.1, 0.5))],
  interactions: [(between: ("a", "b"), law: Coulomb(friction: 0))],
  loads: [(on: "a.bottom", load: Fixed), (on: "b", load: Locked(axes: [X])), (on: "b.top", load: Traction(y: -1e4))],
  physics: [Contact(), Thermal(law: PressurePower(coefficient: {coefficient}, reference: 1e4), time_scale: 1e8, coupling: (dilatation: false),
    boundary: [Temperature(group: "a.bottom", value: 300), Temperature(group: "b.top", value: 400)], temperature: 300)])"#
            ),
            &[],
        );
        (0..4).try_for_each(|_| run.step().map(|_| ())).map_err(|e| e.to_string())
    };
    run("1e15").unwrap();
    let said = run("1e20").unwrap_err();
    assert!(said.contains("no heat that is drawn explains it") && said.contains("W/K") && !said.contains("`Power`"), "{said}");
}
