//! Several materials in one mesh of a model against numbers by hand: bars in series and side by side, weight and centre of mass, walls of two layers,
//! conductors in a row, a bimetal strip; what cannot be so is refused at its place.

use std::{f64::consts::PI, path::Path};

use mpcd::StandardRegistry;
use mpcd_core::{Book, MeshQuantity};
use mpcd_sim::{Model, Registry, Simulation, describe, testkit::same_bits};

use crate::granular::{build, column as cell, steps};

const PLANE: [&str; 4] = ["T3", "T6", "Q4", "Q8"];

fn column(run: &Simulation, step: &mpcd_sim::StepOutcome, name: &str) -> f64 {
    cell(run, step, name).unwrap_or_else(|| panic!("{name} is empty"))
}

/// Values of a quantity at the nodes near x.
fn near(run: &Simulation, quantity: MeshQuantity, x: f64) -> Vec<f64> {
    let mesh = &run.meshes()[0];
    let values = &mesh.array(quantity).unwrap().values;
    mesh.points.iter().zip(values).filter(|(p, _)| (p.x - x).abs() < 1e-6).map(|(_, v)| *v).collect()
}

/// A bar of 2 m by 1 m, half a metre thick, the elements of `half` stiff.
fn bar(element: &str, half: &str, (soft, stiff): (&str, &str), (loads, scheme, probes): (&str, &str, &str)) -> String {
    format!(
        r#"(dimension: 2, time: (step: 1, end: 10, theta: 1),
  materials: {{"soft": (density: 1000, elastic: (young: 1e6, poisson: 0), {soft}), "stiff": (density: 1000, elastic: (young: 4e6, poisson: 0), {stiff})}},
  bodies: [(group: "bar", material: "soft", materials: {{"half": "stiff"}}, shape: Mesh(of: Rectangle(size: (2, 1), cells: (4, 2), element: {element}),
    plane: PlaneStress, thickness: 0.5, regions: {{"half": {half}, "rest": {rest}}}))],
  loads: [(on: "bar.left", load: Locked(axes: [X])), (on: "bar.bottom", load: Locked(axes: [Y])), {loads}],
  physics: [Contact(deformable: (scheme: {scheme}))], output: (probes: [{probes}]))"#,
        rest = if half == END { BEGIN } else { BELOW },
    )
}

const END: &str = "Box(from: (1, 0), to: (2, 1))";
const BEGIN: &str = "Box(from: (0, 0), to: (1, 1))";
const ABOVE: &str = "Box(from: (0, 0.5), to: (2, 1))";
const BELOW: &str = "Box(from: (0, 0), to: (2, 0.5))";

const STRESSES: &str = r#"(name: "stiff_least", of: "mesh_stress", component: XX, group: "bar.half", reduce: Min),
 (name: "stiff_most", of: "mesh_stress", component: XX, group: "bar.half", reduce: Max),
 (name: "soft_least", of: "mesh_stress", component: XX, group: "bar.rest", reduce: Min),
 (name: "soft_most", of: "mesh_stress", component: XX, group: "bar.rest", reduce: Max),
 (name: "stiff_strain", of: "mesh_strain", component: XX, group: "bar.half", reduce: Max),
 (name: "soft_strain", of: "mesh_strain", component: XX, group: "bar.rest", reduce: Max),
 (name: "plastic", of: "plastic_strain", group: "bar.half", reduce: Min),
 (name: "end", of: "displacement", component: X, group: "bar.right"),
 (name: "held", of: "reaction", component: X, group: "bar.left")"#;

/// In a row: one stress σ, and the end moves by σ (1/E₁ + 1/E₂). Side by side: one strain, the stresses are E₁ ε and E₂ ε, each up to the very interface, and
/// the force is their mean times the area; a half that yields at 200 Pa carries what its hardening adds.
#[test]
fn bars_of_two_materials_are_springs_in_a_row_and_side_by_side() {
    for element in PLANE {
        let pulled = r#"(on: "bar.right", load: Traction(x: 400))"#;
        let mut run = build(&bar(element, END, ("", ""), (pulled, "Static", STRESSES)), &[]);
        let last = steps(&mut run, 2);
        for (name, want) in
            [("end", 400.0 * (1.0 / 1e6 + 1.0 / 4e6)), ("held", -200.0), ("soft_strain", 4e-4), ("stiff_strain", 1e-4)]
        {
            let found = column(&run, &last, name);
            assert!((found / want - 1.0).abs() < 1e-9, "{element} {name}: {found:e}, expected {want:e}");
        }
        // ε = 5e-4 = σ/E + εᵖ, σ = 200 + H εᵖ
        let yielding = "solid: (law: J2(yield_stress: 200, hardening: 1e6))";
        for (stiff, plastic, at_half) in [("", 0.0, 2000.0), (yielding, 3.6e-4, 560.0)] {
            let drawn = r#"(on: "bar.right", load: Velocity(x: 1e-3))"#;
            let mut run = build(&bar(element, ABOVE, ("", stiff), (drawn, "Static", STRESSES)), &[]);
            let mut last = steps(&mut run, 1);
            while run.time() < 0.999_999 {
                last = steps(&mut run, 1);
            }
            let force = -0.25 * (500.0 + at_half);
            for (name, want) in [
                ("soft_least", 500.0),
                ("soft_most", 500.0),
                ("stiff_least", at_half),
                ("stiff_most", at_half),
                ("held", force),
                ("plastic", plastic),
            ] {
                let found = column(&run, &last, name);
                assert!((found - want).abs() <= 1e-7 * want.abs().max(1e-9), "{element} {name}: {found:e}, expected {want:e}");
            }
        }
    }
}

/// In space: a bar of 2 m by 1 m by 0.5 m in a row, and around an axis a disc of two densities whose weight its foot bears.
#[test]
fn bars_in_space_and_rings_are_of_two_materials() {
    let materials = r#"materials: {"soft": (density: 1000, elastic: (young: 1e6, poisson: 0)), "stiff": (density: 3000, elastic: (young: 4e6, poisson: 0))}"#;
    for element in ["Tet4", "Tet10", "Hex8", "Hex20"] {
        let text = format!(
            r#"(dimension: 3, time: (step: 1, end: 10, theta: 1), {materials},
  bodies: [(group: "bar", material: "soft", materials: {{"half": "stiff"}}, shape: Mesh(of: Cuboid(size: (2, 1, 0.5), cells: (4, 2, 1), element: {element}),
    regions: {{"half": Box(from: (1, 0, 0), to: (2, 1, 0.5))}}))],
  loads: [(on: "bar.left", load: Locked(axes: [X])), (on: "bar.bottom", load: Locked(axes: [Y])), (on: "bar.back", load: Locked(axes: [Z])),
    (on: "bar.right", load: Traction(x: 400))],
  physics: [Contact(deformable: (scheme: Static))], output: (probes: [(name: "end", of: "displacement", component: X, group: "bar.right"),
    (name: "centre", of: "position", component: X, group: "bar")]))"#
        );
        let mut run = build(&text, &[]);
        // masses of 1000 kg and 3000 kg at ½ and 3/2 m
        let centre = run.world().kinematics.position[0].x;
        assert!((centre - 1.25).abs() < 1e-12, "{element}: {centre}");
        let last = steps(&mut run, 2);
        let (found, want) = (column(&run, &last, "end"), 400.0 * (1.0 / 1e6 + 1.0 / 4e6));
        assert!((found / want - 1.0).abs() < 1e-9, "{element}: {found:e}, expected {want:e}");
    }
    for element in PLANE {
        let text = format!(
            r#"(dimension: 2, gravity: (0, -10), time: (step: 1, end: 10, theta: 1), {materials},
  bodies: [(group: "disc", material: "soft", materials: {{"rim": "stiff"}}, shape: Mesh(of: Rectangle(size: (1, 0.5), cells: (4, 2), element: {element}),
    plane: Axisymmetric, regions: {{"rim": Box(from: (0.5, 0), to: (1, 0.5))}}))],
  loads: [(on: "disc.bottom", load: Fixed)],
  physics: [Contact(deformable: (scheme: Static))], output: (probes: [(name: "foot", of: "reaction", component: Y, group: "disc")]))"#
        );
        let mut run = build(&text, &[]);
        let last = steps(&mut run, 1);
        let (found, want) = (column(&run, &last, "foot"), 10.0 * PI * 0.5 * (1000.0 * 0.25 + 3000.0 * 0.75));
        assert!((found / want - 1.0).abs() < 1e-9, "{element}: {found:e}, expected {want:e}");
    }
}

/// The explicit step is that of the stiffest element for its mass, of whatever material: a bar half of which is 100 times as stiff bears what one that is all
/// stiff bears, ten times less than one that is all soft.
#[test]
fn the_stiffer_material_bounds_the_explicit_step() {
    let scene = |materials: &str, h: f64| {
        bar("Q4", END, ("", ""), ("", "Explicit", ""))
            .replace("young: 4e6", "young: 1e8")
            .replace("step: 1, end: 10, theta: 1", &format!("step: {h}, end: 10, theta: 0.5, on_failure: Stop"))
            .replace(r#"materials: {"half": "stiff"},"#, materials)
    };
    let bears = |materials: &str, h: f64| build(&scene(materials, h), &[]).step().is_ok();
    let (soft, half, stiff) = ("", r#"materials: {"half": "stiff"},"#, r#"materials: {"half": "stiff", "rest": "stiff"},"#);
    for (h, want) in [(1e-3, [true, true, true]), (5e-3, [true, false, false]), (5e-2, [false, false, false])] {
        assert_eq!([soft, half, stiff].map(|m| bears(m, h)), want, "steps of {h} s");
    }
}

/// A block of two densities, the heavy half above: its weight on a floor, its centre, its momentum and its energy in a flight that turns, as a whole and by
/// a `mass` of its own.
#[test]
fn a_block_of_two_densities_has_their_mass() {
    let scene = |gravity: f64, more: &str, element: &str| {
        format!(
            r#"(dimension: 2, gravity: (0, {gravity}), time: (step: 5e-3, end: 10, theta: 1),
  materials: {{"light": (density: 1000, elastic: (young: 1e7, poisson: 0.2)), "heavy": (density: 3000, elastic: (young: 1e7, poisson: 0.2))}},
  bodies: [(group: "block", material: "light", materials: {{"upper": "heavy"}}, at: (2, 0), {more}
      shape: Mesh(of: Rectangle(size: (1, 1), cells: (4, 4), element: {element}), regions: {{"upper": Box(from: (0, 0.5), to: (1, 1))}})),
    (group: "floor", material: "light", shape: Plane(normal: (0, 1)))],
  interactions: [(between: ("block", "floor"), law: Coulomb(friction: 0.3))],
  physics: [Contact()], output: (probes: [
    (name: "weight", of: "contact_force", component: Y, group: "block"),
    (name: "height", of: "position", component: Y, group: "block"), (name: "place", of: "position", component: X, group: "block")]))"#
        )
    };
    for element in PLANE {
        for (more, mass) in [("", 2000.0), ("mass: 500,", 500.0)] {
            let mut run = build(&scene(-10.0, more, element), &[]);
            let last = steps(&mut run, 300);
            let weight = column(&run, &last, "weight");
            assert!((weight / (10.0 * mass) - 1.0).abs() < 1e-3, "{element}: {weight}, expected {}", 10.0 * mass);
        }
        // at the start it stands for its centre of mass: (500 · ¼ + 1500 · ¾)/2000 above the floor
        let turning = scene(0.0, "velocity: (3, 0), spin: 2,", element).replace("at: (2, 0)", "at: (2, 5)");
        let mut run = build(&turning.replace("step: 5e-3", "step: 1e-7"), &[]);
        let last = steps(&mut run, 1);
        for (name, want) in [("height", 5.625), ("place", 2.5)] {
            assert!((column(&run, &last, name) - want).abs() < 1e-5, "{element} {name}: {}", column(&run, &last, name));
        }
        let momentum = run.books().account(Book::Momentum).unwrap().store("deformables").unwrap();
        assert!((momentum.x / 6000.0 - 1.0).abs() < 1e-6 && momentum.y.abs() < 1e-3, "{element}: {momentum:?}");
        // halves of 500 kg and 1500 kg about the centre: m (1 + ¼)/12 + m d²
        let inertia = 2000.0 * 1.25 / 12.0 + 500.0 * 0.375_f64.powi(2) + 1500.0 * 0.125_f64.powi(2);
        let energy = run.books().account(Book::Energy).unwrap().store("kinetic").unwrap().x;
        let want = 0.5 * 2000.0 * 9.0 + 0.5 * inertia * 4.0;
        assert!((energy / want - 1.0).abs() < 1e-6, "{element}: {energy}, expected {want}");
    }
}

/// A wall of 1 m², half of it of k = 2 and half of k = 6 W/(m K), between 400 and 300 K: the heat is ΔT/(½/2 + ½/6), the interface at 400 − ½ q/2.
#[test]
fn a_wall_of_two_layers_conducts_as_a_series() {
    for element in PLANE {
        for specific in ["2000", "[(300, 1000), (400, 3000)]"] {
            let text = format!(
                r#"(dimension: 2, time: (step: 1, end: 1e4, theta: 1),
  materials: {{"a": (density: 1000, elastic: (young: 1e9, poisson: 0.2), thermal: (conductivity: 2, specific_heat: 500)),
    "b": (density: 3000, elastic: (young: 1e9, poisson: 0.2), thermal: (conductivity: 6, specific_heat: {specific}))}},
  bodies: [(group: "wall", material: "a", materials: {{"second": "b"}},
    shape: Mesh(of: Rectangle(size: (1, 1), cells: (8, 2), element: {element}), regions: {{"second": Box(from: (0.5, 0), to: (1, 1))}}))],
  physics: [Contact(), Thermal(law: Insulating, time_scale: 1e9, temperature: 300,
    boundary: [Temperature(group: "wall.left", value: 400), Temperature(group: "wall.right", value: 300)])])"#
            );
            let mut run = build(&text, &[]);
            steps(&mut run, 3);
            let flux = 100.0 / (0.5 / 2.0 + 0.5 / 6.0);
            for row in run.field("heat_flux").unwrap().chunks_exact(3) {
                assert!((row[0] / flux - 1.0).abs() < 1e-5 && row[1].abs() < 1e-5 * flux, "{element}: {row:?}, expected {flux}");
            }
            let middle = near(&run, MeshQuantity::Temperature, 0.5);
            assert!(middle.len() >= 3);
            middle.iter().for_each(|t| assert!((t - (400.0 - 0.5 * flux / 2.0)).abs() < 1e-3, "{element}: {t}"));
            let book = run.books().account(Book::Heat).unwrap().worst;
            assert!(book < 1e-10, "{element}: {book:e}");
        }
    }
}

/// From 300 to 350 K by a held side: what is stored is by the densities and specific heats of both materials, of a curve its integral, and goes with a
/// `mass` of the body.
#[test]
fn the_capacity_of_a_mesh_is_that_of_its_materials() {
    // of a cell, the part that is a side's: ∫ N dV of Q8 is −1/12 at corners and 1/3 in the middle of sides
    for (element, side) in [("Q4", 0.5), ("Q8", 1.0 / 6.0)] {
        for (specific, per_kg) in [("2000", 2000.0 * 50.0), ("[(300, 1000), (400, 3000)]", 1500.0 * 50.0)] {
            for part in [1.0, 0.25] {
                let text = format!(
                    r#"(dimension: 2, time: (step: 1, end: 1e4, theta: 1),
  materials: {{"a": (density: 1000, elastic: (young: 1e9, poisson: 0.2), thermal: (conductivity: 2, specific_heat: 500)),
    "b": (density: 3000, elastic: (young: 1e9, poisson: 0.2), thermal: (conductivity: 6, specific_heat: {specific}))}},
  bodies: [(group: "wall", material: "a", materials: {{"second": "b"}}, mass: {},
    shape: Mesh(of: Rectangle(size: (1, 1), cells: (8, 2), element: {element}), regions: {{"second": Box(from: (0.75, 0), to: (1, 1))}}))],
  physics: [Contact(), Thermal(law: Insulating, time_scale: 1e9, temperature: 300, boundary: [Temperature(group: "wall.left", value: 350)])])"#,
                    1500.0 * part
                );
                let mut run = build(&text, &[]);
                let last = steps(&mut run, 4);
                let found = column(&run, &last, "heat_stored");
                // 750 kg of each; the nodes of the held side store nothing
                let want = part * (750.0 * 500.0 * 50.0 + 750.0 * per_kg - 1000.0 / 8.0 * side * 500.0 * 50.0);
                assert!((found / want - 1.0).abs() < 1e-9, "{element} {specific} {part}: {found}, expected {want}");
            }
        }
    }
}

/// 1 m of σ = 1000 and 1 m of σ = 4000 S/m by 0.5 m²: U = I Σ L/(σ A), the interface in between, and each half is warmed by its own I²R.
#[test]
fn conductors_in_a_row_add_their_resistances() {
    for element in PLANE {
        let text = bar(
            element,
            END,
            (
                "electrical: (conductivity: 1000), thermal: (conductivity: 1, specific_heat: 1)",
                "electrical: (conductivity: 4000), thermal: (conductivity: 1, specific_heat: 1)",
            ),
            ("", "Theta", r#"(name: "u", of: "potential", group: "bar.right")"#),
        )
        .replace(
            "physics: [Contact(deformable: (scheme: Theta))]",
            r#"physics: [Contact(), Electrical(law: Insulating, potential: [(group: "bar.left", value: 0)], current: [(group: "bar.right", value: 20)]), Thermal(law: Insulating)]"#,
        );
        let mut run = build(&text, &[]);
        let last = steps(&mut run, 1);
        let (first, second) = (1.0 / (1000.0 * 0.5), 1.0 / (4000.0 * 0.5));
        let u = column(&run, &last, "u");
        assert!((u / (20.0 * (first + second)) - 1.0).abs() < 1e-9, "{element}: {u}");
        for v in near(&run, MeshQuantity::Potential, 1.0) {
            assert!((v / (20.0 * first) - 1.0).abs() < 1e-9, "{element}: {v}");
        }
        for (e, row) in run.field("current_density").unwrap().chunks_exact(3).enumerate() {
            assert!((row[0] / -40.0 - 1.0).abs() < 1e-9, "{element} {e}: {row:?}");
        }
        let power = run.field("node_joule_power").unwrap();
        let mesh = &run.meshes()[0];
        let side = |left: bool| {
            let own = |x: f64| if (x - 1.0).abs() < 1e-6 { 0.0 } else { f64::from((x < 1.0) == left) };
            mesh.points.iter().zip(power).map(|(p, w)| own(p.x) * w).sum::<f64>()
        };
        assert!((power.iter().sum::<f64>() / (400.0 * (first + second)) - 1.0).abs() < 1e-9, "{element}");
        // but for the nodes of the interface, whose parts are alike in both
        assert!((side(true) / side(false) - first / second).abs() < 1e-6, "{element}: {} {}", side(true), side(false));
    }
}

/// A plate on a block whose halves conduct differently: a spot of Holm's law has the harmonic mean of the two conductivities that meet there.
#[test]
fn a_contact_conducts_by_the_materials_that_touch() {
    let text = r#"(dimension: 2, time: (step: 0.1, end: 10, theta: 1),
  materials: {"base": (density: 1000, elastic: (young: 1e8, poisson: 0), electrical: (conductivity: 1000)),
    "good": (density: 1000, elastic: (young: 1e8, poisson: 0), electrical: (conductivity: 9000)),
    "bad": (density: 1000, elastic: (young: 1e8, poisson: 0), electrical: (conductivity: 250))},
  bodies: [(group: "block", material: "base", materials: {"west": "good", "east": "bad"}, shape: Mesh(of: Rectangle(size: (2, 1), cells: (8, 4), element: Q4),
      regions: {"west": Box(from: (0, 0.5), to: (1, 1)), "east": Box(from: (1, 0.5), to: (2, 1))})),
    (group: "plate", material: "base", shape: Mesh(of: Rectangle(size: (2, 1), cells: (8, 4), element: Q4)), at: (0, 1))],
  interactions: [(between: ("block", "plate"), law: Coulomb(friction: 0))],
  loads: [(on: "block.bottom", load: Fixed), (on: "plate.left", load: Locked(axes: [X])), (on: "plate.top", load: Pressure(pressure: 1e4))],
  physics: [Contact(tolerance: 1e-11), Electrical(law: Holm(hardness: 1e6), potential: [(group: "block.bottom", value: 0)], current: [(group: "plate.top", value: 5)])])"#;
    let mut run = build(text, &[]);
    steps(&mut run, 30);
    let conductance = run.field("conductance").unwrap();
    let half = |west: bool| {
        let contacts = run.world().network.iter().zip(conductance);
        contacts.filter(|(c, _)| (c.point.x - 1.0).abs() > 0.1 && (c.point.x < 1.0) == west).map(|(_, g)| *g).sum::<f64>()
    };
    let pair = |a: f64, b: f64| 2.0 / (1.0 / a + 1.0 / b);
    let want = pair(1000.0, 9000.0) / pair(1000.0, 250.0);
    assert!((half(true) / half(false) / want - 1.0).abs() < 1e-3, "{} {}, expected {want}", half(true), half(false));
}

/// A strip of two metals that is warmed bends to the curvature of Timoshenko (1925): layers of thickness ratio m and ratio n of Young's moduli.
#[test]
fn a_bimetal_strip_bends_as_timoshenko_says() {
    for (element, cells) in [("Q8", "(20, 4)"), ("T6", "(20, 4)")] {
        for (first, second) in [(1.2e-5, 2.4e-5), (0.0, 2e-5), (2e-5, 0.0), (-1e-5, 1e-5)] {
            let mut run = build(&strip(element, cells, (first, second), "Static"), &[]);
            steps(&mut run, 2);
            // the second is the upper layer, a quarter of the height
            let (m, n, h, warm) = (3.0, 70.0 / 210.0, 1.0, 100.0);
            let side: f64 = (1.0 + m) * (1.0 + m);
            let want = -6.0 * (second - first) * warm * side / (h * (3.0 * side + (1.0 + m * n) * (m * m + 1.0 / (m * n))));
            let mesh = &run.meshes()[0];
            let u = &mesh.array(MeshQuantity::Displacement).unwrap().values;
            let mut seen = 0;
            for (point, u) in mesh.points.iter().zip(u.chunks_exact(3)) {
                let rest = [point.x - u[0], point.y - u[1]];
                if rest[1].abs() < 1e-9 && rest[0] > 0.9 && rest[0] < 4.1 {
                    seen += 1;
                    let found = 2.0 * u[1] / (rest[0] * rest[0]);
                    assert!(
                        (found / want - 1.0).abs() < 1e-4,
                        "{element} {first} {second}: {found:e} at {}, expected {want:e}",
                        rest[0]
                    );
                }
            }
            assert!(seen > 5, "{seen}");
        }
        // while it is warmed the work of swelling closes the balance of energy
        let slowly = strip(element, cells, (1.2e-5, 2.4e-5), "Static").replace("value: 393", r#"value: "293 + 10*t""#);
        let mut run = build(&slowly, &[]);
        steps(&mut run, 10);
        let account = run.books().account(Book::Energy).unwrap();
        let flow = |name: &str| account.flow(name).unwrap().x;
        assert!(flow("thermal") != 0.0 && flow("scheme").abs() < 1e-9 * flow("thermal").abs(), "{element}: {account:?}");
        assert!(account.worst < 1e-9, "{element}: {account:?}");
    }
}

/// Half of a strip of 20 m by 1 m, warmed by 100 K.
fn strip(element: &str, cells: &str, (first, second): (f64, f64), scheme: &str) -> String {
    format!(
        r#"(dimension: 2, time: (step: 1, end: 100, theta: 1),
  materials: {{"first": (density: 7800, elastic: (young: 70e9, poisson: 0.3), thermal: (conductivity: 50, specific_heat: 500, expansion: {first:?})),
    "second": (density: 8900, elastic: (young: 210e9, poisson: 0.3), thermal: (conductivity: 400, specific_heat: 400, expansion: {second:?}))}},
  bodies: [(group: "strip", material: "first", materials: {{"upper": "second"}},
    shape: Mesh(of: Rectangle(size: (10, 1), cells: {cells}, element: {element}), plane: PlaneStress, thickness: 0.1, regions: {{"upper": Box(from: (0, 0.75), to: (10, 1))}}))],
  loads: [(on: "strip.left", load: Locked(axes: [X])), (on: "strip.origin", load: Locked(axes: [Y]))],
  physics: [Contact(deformable: (scheme: {scheme})), Thermal(law: Insulating, temperature: 293, boundary: [Temperature(group: "strip", value: 393)])])"#
    )
}

/// The same bits on any number of threads and after a resume, while a strip of two metals is warmed from one side.
#[test]
fn meshes_of_two_materials_have_the_same_bits() {
    let text = strip("Q4", "(10, 4)", (1.2e-5, 2.4e-5), "Theta")
        .replace(r#"Temperature(group: "strip", value: 393)"#, r#"Temperature(group: "strip.top", value: 393)"#);
    let build = || {
        let model = Model::parse_with(&text, "m", "m.ron", Path::new("."), &[], &mpcd::shapes())?;
        Simulation::build(&model, &Registry::standard())
    };
    same_bits(&build, 12).unwrap_or_else(|e| panic!("{e}"));
}

/// Two squares of physical groups of gmsh, 0.1 m wide: their names take materials, and the report counts both.
#[test]
fn physical_groups_of_gmsh_take_materials() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"matrix\"\n2 2 \"core\"\n$EndPhysicalNames\n$Nodes\n6\n1 0 0 0\n2 0.1 0 0\n3 0.2 0 0\n4 0 0.1 0\n5 0.1 0.1 0\n6 0.2 0.1 0\n$EndNodes\n$Elements\n2\n1 3 2 1 1 1 2 5 4\n2 3 2 2 1 2 3 6 5\n$EndElements\n";
    std::fs::write(folder.path().join("two.msh"), mesh).unwrap();
    let text = |materials: &str| {
        format!(
            r#"(dimension: 2, time: (step: 1e-3, end: 1), gravity: (0, -10),
  materials: {{"rubber": (density: 1000, elastic: (young: 1e6, poisson: 0.4)), "steel": (density: 8000, elastic: (young: 2e11, poisson: 0.3))}},
  bodies: [(group: "part", material: "rubber", materials: {{{materials}}}, shape: Mesh(of: Gmsh(file: "two.msh"))),
    (group: "ball", material: "steel", shape: Disc(radius: 0.05), at: (1, 0))],
  interactions: [(between: ("part", "ball"), law: NoContact)], physics: [Contact()])"#
        )
    };
    let parse = |materials: &str| {
        let model = Model::parse_with(&text(materials), "m", "m.ron", folder.path(), &[], &mpcd::shapes());
        model.and_then(|m| Simulation::build(&m, &Registry::standard())).map_err(|e| e.to_string())
    };
    let run = parse(r#""core": "steel""#).unwrap();
    let mass = run.world().kinematics.position[0];
    // (10 · 0.05 + 80 · 0.15)/90
    assert!((mass.x - 12.5 / 90.0).abs() < 1e-12, "{mass}");
    assert!(describe(&run).to_string().contains("rubber, steel"), "{}", describe(&run));
    for (materials, words) in [
        (r#""cor": "steel""#, ["m.ron:3", "`cor`", "did you mean `core`?"]),
        (r#""core": "stel""#, ["m.ron:3", "unknown material `stel`", "did you mean `steel`?"]),
        (r#""core": "steel", "core": "rubber""#, ["m.ron:3", "two materials", "remove one"]),
        (r#""core": 7"#, ["m.ron:3", "", ""]),
    ] {
        let said = parse(materials).map(|_| ()).expect_err(materials);
        assert!(words.iter().all(|w| said.contains(w)), "{materials}: {said}\nhas not {words:?}");
    }
}

/// What several materials cannot be is refused by name, at its place.
#[test]
fn what_cannot_be_of_several_materials_is_refused() {
    let fault = |text: &str| {
        let model = Model::parse_with(text, "m", "m.ron", Path::new("."), &[], &mpcd::shapes());
        match model.and_then(|model| Simulation::build(&model, &Registry::standard())) {
            Ok(_) => panic!("accepted: {text}"),
            Err(errors) => errors.to_string(),
        }
    };
    let plain = |soft: &str, stiff: &str| bar("Q4", END, (soft, stiff), ("", "Theta", ""));
    let with = |soft: &str, stiff: &str, module: &str| plain(soft, stiff).replace("physics: [", &format!("physics: [{module}, "));
    let heat = "thermal: (conductivity: 1, specific_heat: 1)";
    let current = "electrical: (conductivity: 1)";
    for (text, words) in [
        (plain("", "").replace(r#""half": Box"#, r#""right": Box"#), ["a group `right` already", "another name"]),
        (plain("", "").replace(r#""rest": Box"#, r#""half": Box"#), ["region `half` is given twice", "m.ron:4"]),
        (plain("", "").replace(END, "Box(from: (5, 5), to: (6, 6))"), ["no element of mesh", "`half`"]),
        (plain("", "").replace(r#"{"half": "stiff"}"#, r#"{"hal": "stiff"}"#), ["`hal`", "did you mean `half`?"]),
        (plain("", "").replace(r#"{"half": "stiff"}"#, r#"{"left": "stiff"}"#), ["there is no group `left` of elements", "`half`"]),
        (
            plain("", "").replace(r#"{"half": "stiff"}"#, r#"{"half": "stiff", "rest": "soft"}"#).replace(BEGIN, "Box(from: (0, 0), to: (2, 1))"),
            ["have element", "in common"],
        ),
        (
            bar("Q4", END, ("", ""), (r#"(on: "bar.half", load: Force(x: 1))"#, "Theta", "")),
            ["`half` is a region of the mesh", "groups of faces or nodes"],
        ),
        (
            with(heat, heat, r#"Thermal(law: Insulating, boundary: [Flux(group: "bar.half", value: 1)])"#),
            ["there is no group `half` of faces", "it is a region, a group of elements, not a side"],
        ),
        (plain("", "").replace(", elastic: (young: 4e6, poisson: 0)", ""), ["material `stiff` has no `elastic`", "young"]),
        (with(heat, "", "Thermal(law: Insulating)"), ["`stiff` without a `thermal` part", "two bodies"]),
        (with("", heat, "Thermal(law: Insulating)"), ["`soft` without a `thermal` part", "two bodies"]),
        (with(current, "electrical: ()", "Electrical(law: Insulating)"), ["`stiff` conducts without one", "two bodies"]),
        (with(current, "", "Electrical(law: Insulating)"), ["`stiff` insulates", "two bodies"]),
        (with(current, current, "Electrical(law: Oxide(bare: Holm(hardness: 1e9), film: 0.1))"), ["has several materials", "remembers"]),
        (
            format!(
                r#"(dimension: 3, time: (step: 1, end: 2), materials: {{"m": (density: 1, elastic: (young: 1e6, poisson: 0), {heat}), "n": (density: 2, elastic: (young: 1e6, poisson: 0), {heat})}},
  bodies: [(group: "d", material: "m", materials: {{"x": "n"}}, shape: Mesh(of: Cuboid(size: (1, 1, 1), cells: (2, 1, 1)), regions: {{"x": Ball(centre: (0, 0.5, 0.5), radius: 0.5)}}))],
  physics: [Contact(), Thermal(law: Sinter(bare: Constant(conductance: 1), rate: 1))])"#
            ),
            ["has several materials", "remembers"],
        ),
        (
            r#"(dimension: 2, time: (step: 1, end: 2), materials: {"m": (density: 1)}, bodies: [(group: "d", material: "m", materials: {"x": "m"}, shape: Disc(radius: 1))], physics: [Contact()])"#.to_owned(),
            ["the shape of this body is Disc", "Mesh("],
        ),
        (
            r#"(dimension: 2, time: (step: 1, end: 2), materials: {"m": (density: 1)}, bodies: [(group: "d", material: "m", materials: {"x": "m"}, packing: Lattice(counts: (1, 1), spacing: 2, radius: 1))], physics: [Contact()])"#.to_owned(),
            ["`materials` belongs to a single body", "remove `materials`"],
        ),
    ] {
        let said = fault(&text);
        assert!(words.iter().all(|w| said.contains(w)), "{text}\n{said}\nhas not {words:?}");
    }
}

/// A ring of rubber that spins keeps what it has, whatever the weight of the ends of a step: its viscosity sees no turning, and makes neither heat nor stress of it. The rate of strain of the velocity at the end
/// was ½ω²h of a rigid turn: a ring at 100 rad/s in steps of 1 ms shrank by 3.3 %, and held five times its kinetic energy as strain.
#[test]
fn viscosity_of_large_strain_sees_no_turning() {
    for material in ["NeoHookean", "SaintVenantKirchhoff"] {
        for damping in ["retardation: 0.01", "stiffness_damping: 0.01"] {
            let spun = |theta: f64, h: f64| {
                let mut run = build(
                    &format!(
                        r#"(dimension: 2, time: (step: {h}, end: 0.02, theta: {theta}),
  materials: {{"m": (density: 1000, elastic: (young: 1e6, poisson: 0.3), solid: (law: {material}, {damping}))}},
  bodies: [(group: "a", material: "m", shape: Mesh(of: Annulus(inner: 0.005, outer: 0.01, cells: (2, 16), element: Q8)), spin: 100)],
  physics: [Contact(deformable: (scheme: Theta))])"#
                    ),
                    &[],
                );
                let (mut strain, mut first) = (0.0_f64, 0.0);
                while !run.finished() {
                    let last = steps(&mut run, 1);
                    let of = |name: &str| column(&run, &last, name);
                    if first == 0.0 {
                        first = of("e_kinetic") + of("e_strain");
                    }
                    let now = of("e_kinetic") + of("e_strain");
                    assert!(now < first * (1.0 + 1e-3), "{material}, {damping}, θ = {theta}, {h} s: {now} J of {first} J");
                    strain = of("e_strain");
                }
                strain
            };
            let right = spun(0.5, 1e-4);
            for theta in [0.55, 0.75, 1.0] {
                for h in [1e-3, 1e-4] {
                    let found = spun(theta, h);
                    // the weights of the ends lose kinetic energy, and what the ring holds goes as ω²
                    assert!(
                        found < 1.5 * right && found > 0.5 * right,
                        "{material}, {damping}, θ = {theta}, {h} s: {found} J for {right} J"
                    );
                }
            }
        }
    }
}
