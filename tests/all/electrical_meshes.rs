//! Currents in meshes of whole models against closed forms and balances: bars, rings, contacts, sides as electrodes, Joule heat of elements.

use mpcd::StandardRegistry;
use mpcd_core::{Book, MeshQuantity, MeshView};
use mpcd_output::{DataSet, Values};
use mpcd_sim::{Model, ModelErrors, Registry, Simulation, StepOutcome, testkit::same_bits};

use crate::{
    granular::{build, column as cell, steps},
    thermal_meshes::{PAIRS, pressed},
};

const PLANE: [&str; 4] = ["T3", "T6", "Q4", "Q8"];
const SPACE: [&str; 4] = ["Tet4", "Tet10", "Hex8", "Hex20"];

/// Conductivity of the bars (S/m): one of 1 m by 0.01 m² has 0.1 Ω.
const SIGMA: f64 = 1000.0;

/// The shape of a bar of 1 m along x, 0.1 m (by 0.1 m) across, with `n` cells along it.
fn bar(element: &str, n: usize) -> String {
    if SPACE.contains(&element) {
        format!("Mesh(of: Cuboid(size: (1, 0.1, 0.1), cells: ({n}, 2, 1), element: {element}))")
    } else {
        format!("Mesh(of: Rectangle(size: (1, 0.1), cells: ({n}, 2), element: {element}), plane: PlaneStress, thickness: 0.1)")
    }
}

/// One bar with these properties beside density and elasticity, these electrodes, further modules and output.
fn one(element: &str, n: usize, (properties, electrodes, more): (&str, &str, &str)) -> String {
    let dimension = if SPACE.contains(&element) { 3 } else { 2 };
    format!(
        r#"(dimension: {dimension}, time: (step: 1, end: 1e4, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 210e9, poisson: 0.3), {properties})}},
  bodies: [(group: "bar", material: "m", shape: {})],
  physics: [Contact(), Electrical(law: Insulating, {electrodes}){more})"#,
        bar(element, n),
    )
}

const COPPER: &str = "electrical: (conductivity: 1000)";

fn array(mesh: &MeshView, quantity: MeshQuantity) -> &[f64] {
    &mesh.array(quantity).unwrap().values
}

/// A number of the row of a step.
fn column(run: &Simulation, step: &StepOutcome, name: &str) -> f64 {
    cell(run, step, name).unwrap_or_else(|| panic!("{name} is empty"))
}

fn unexplained(run: &Simulation, book: Book) -> f64 {
    run.books().account(book).unwrap().worst
}

/// All books of current, and that of heat, close; what the electrodes give is what contacts and meshes heat.
fn check_books(run: &Simulation, step: &StepOutcome, name: &str) {
    for book in [Book::Charge, Book::Electricity, Book::Heat] {
        let worst = run.books().account(book).map_or(0.0, |a| a.worst);
        assert!(worst < 1e-10, "{name}: {book:?} {worst:e}");
    }
    let nodes: f64 = run.field("node_joule_power").unwrap().iter().sum();
    let contacts: f64 = run.field("joule_power").unwrap().iter().sum();
    let power = column(run, step, "electrode_power");
    assert!(((nodes + contacts) / power - 1.0).abs() < 1e-10, "{name}: {nodes} W + {contacts} W of {power} W");
    assert!((column(run, step, "joule_total") / power - 1.0).abs() < 1e-10, "{name}");
}

/// R = L/(σA), and a potential that falls by a straight line, whether two sides are held, or one is fed evenly or as one potential.
#[test]
fn a_bar_has_the_resistance_of_its_length() {
    for element in PLANE.into_iter().chain(SPACE) {
        let held = r#"potential: [(group: "bar.left", value: 3), (group: "bar.right", value: 1)]"#;
        let fed = r#"potential: [(group: "bar.left", value: 3)], current: [(group: "bar.right", value: -20)]"#;
        let evenly = r#"potential: [(group: "bar.left", value: 3)], current: [(group: "bar.right", value: -20, spread: Evenly)]"#;
        for electrodes in [held, fed, evenly] {
            let output = r#"], output: (probes: [(name: "side", of: "potential", group: "bar.right", reduce: Max),
                (name: "whole", of: "potential", group: "bar"), (name: "nodes", of: "mesh_potential", group: "bar", reduce: Max)])"#;
            let mut run = build(&one(element, 4, (COPPER, electrodes, output)), &[]);
            let last = steps(&mut run, 1);
            let name = format!("{element} {electrodes}");
            let of = |name: &str| cell(&run, &last, name);
            if electrodes != evenly {
                assert!((of("resistance").unwrap() / 0.1 - 1.0).abs() < 1e-12, "{name}: {:?}", of("resistance"));
            }
            assert!((of("electrode_current").unwrap() / 20.0 - 1.0).abs() < 1e-12, "{name}: {:?}", of("electrode_current"));
            assert!((of("joule_total").unwrap() / 40.0 - 1.0).abs() < 1e-12, "{name}: {:?}", of("joule_total"));
            assert!((of("side").unwrap() - 1.0).abs() < 1e-12 && (of("whole").unwrap() - 2.0).abs() < 1e-12, "{name}");
            assert!((of("nodes").unwrap() - 3.0).abs() < 1e-12 && of("floating_bodies") == Some(0.0), "{name}");
            check_books(&run, &last, &name);
            let mesh = &run.meshes_with(&[MeshQuantity::Potential])[0];
            for (v, x) in array(mesh, MeshQuantity::Potential).iter().zip(&mesh.points) {
                assert!((v - (3.0 - 2.0 * x.x)).abs() < 1e-12, "{name}: {v} V at {x:?}");
            }
            let frame = run.frame();
            let DataSet::Mesh(shown) = &frame.iter().find(|p| p.name == "meshes").unwrap().data else { panic!("no mesh") };
            let shown = shown.point_arrays.iter().find(|a| a.name == "potential").unwrap();
            assert_eq!(shown.values, Values::F64(array(mesh, MeshQuantity::Potential).to_vec()));
        }
    }
}

/// From the inside of a quarter of a ring to its outside, thickness 0.5 m.
fn error_of_ring(element: &str, n: usize) -> f64 {
    let mut run = build(
        &format!(
            r#"(dimension: 2, time: (step: 1, end: 10, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 210e9, poisson: 0.3), {COPPER})}},
  bodies: [(group: "ring", material: "m", shape: Mesh(of: Annulus(inner: 1, outer: 3, angle: "90 deg", cells: ({n}, {n}), element: {element}), thickness: 0.5))],
  physics: [Contact(), Electrical(law: Insulating, potential: [(group: "ring.inner", value: 0)], current: [(group: "ring.outer", value: 2)])])"#
        ),
        &[],
    );
    let last = steps(&mut run, 1);
    check_books(&run, &last, element);
    let exact = 3_f64.ln() / (SIGMA * 0.5 * std::f64::consts::PI * 0.5);
    column(&run, &last, "resistance") / exact - 1.0
}

/// R = ln(r₂/r₁)/(σ φ t): the error of an energy, of order 2p.
#[test]
fn a_ring_has_the_resistance_of_its_logarithm() {
    for (element, order) in [("T3", 2.0), ("Q4", 2.0), ("T6", 4.0), ("Q8", 4.0)] {
        let [coarse, fine] = [8, 16].map(|n| error_of_ring(element, n));
        let found = (coarse / fine).abs().log2();
        assert!((found - order).abs() < 0.25, "{element}: order {found}, errors {coarse:e} {fine:e}");
    }
}

/// The same around an axis: all of a ring of 0.5 m height.
#[test]
fn a_ring_around_an_axis() {
    let error = |n: usize| {
        let mut run = build(
            &format!(
                r#"(dimension: 2, time: (step: 1, end: 10, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 210e9, poisson: 0.3), {COPPER})}},
  bodies: [(group: "ring", material: "m", shape: Mesh(of: Rectangle(size: (2, 0.5), cells: ({n}, 1), element: Q4), plane: Axisymmetric, inner_radius: 1))],
  physics: [Contact(), Electrical(law: Insulating, potential: [(group: "ring.left", value: 0), (group: "ring.right", value: 2)])])"#
            ),
            &[],
        );
        let last = steps(&mut run, 1);
        check_books(&run, &last, "axis");
        column(&run, &last, "resistance") / (3_f64.ln() / (SIGMA * 0.5 * std::f64::consts::TAU)) - 1.0
    };
    let order = (error(8) / error(16)).log2();
    assert!((order - 2.0).abs() < 0.1, "{order}");
}

/// Conductance of Holm's law of a force (N) on a hardness of 1 MPa (S).
fn holm(force: f64) -> f64 {
    2.0 * SIGMA * (force / (std::f64::consts::PI * 1e6)).sqrt()
}

/// Two bars pressed on each other, on meshes that match or not: R = 2L/(σA) + 1/C.
#[test]
fn current_passes_between_meshes() {
    for (d, first, second) in PAIRS {
        let properties = "electrical: (conductivity: 1000), thermal: (conductivity: 100, specific_heat: 500)";
        let modules = r#"Electrical(law: Holm(hardness: 1e6), potential: [(group: "hot.left", value: 0)], current: [(group: "cold.right", value: 5)]),
    Thermal(law: PressurePower(coefficient: 400, reference: 1e4), time_scale: 1e12, temperature: 300,
      boundary: [Temperature(group: "hot.left", value: 400), Temperature(group: "cold.right", value: 300)])"#;
        let probes = r#"output: (probes: [(name: "hot", of: "temperature", group: "hot.right"), (name: "cold", of: "temperature", group: "cold.left")])"#;
        let mut run = build(&pressed((d, first, second), (properties, modules, probes)), &[]);
        let last = steps(&mut run, 20);
        let name = format!("{first} on {second}");
        let expected = 2.0 / SIGMA + 1.0 / holm(1e4);
        let found = column(&run, &last, "resistance");
        assert!((found / expected - 1.0).abs() < 1e-6, "{name}: {found} Ω of {expected} Ω");
        // the spot is between the sides there, 5 A over C apart
        let (lorenz, drop) = (2.443e-8, 5.0 / holm(1e4));
        let [hot, cold] = ["hot", "cold"].map(|name| column(&run, &last, name).powi(2));
        let spot = 0.5 * (hot + cold) + drop * drop / (4.0 * lorenz) + lorenz * ((hot - cold) / drop).powi(2) / 4.0;
        for (t, i) in run.field("contact_temperature").unwrap().iter().zip(run.field("current").unwrap()) {
            assert!(*i == 0.0 || (t / spot.sqrt() - 1.0).abs() < 1e-3, "{name}: {t} K of {} K", spot.sqrt());
        }
        let passed: f64 = run.field("current").unwrap().iter().sum();
        assert!((passed.abs() / 5.0 - 1.0).abs() < 1e-10, "{name}: {passed} A");
        check_books(&run, &last, &name);
    }
}

/// A film between two bars breaks until its drop is the limit: R = 2L/(σA) + V_b/I.
#[test]
fn a_film_between_meshes_takes_its_limit() {
    let module = r#"Electrical(law: Oxide(bare: Holm(hardness: 1e6), film: 1e-4, breaks: Voltage(limit: 0.4)),
    potential: [(group: "hot.left", value: 0)], current: [(group: "cold.right", value: "5*min(1, max(0, 1e6*(t - 1.85)))")])"#;
    let mut run = build(&pressed(PAIRS[0], (COPPER, module, "")), &[]);
    // a force that has come to rest: what a smaller one breaks stays broken
    let last = steps(&mut run, 20);
    let found = column(&run, &last, "resistance");
    assert!((found / (2.0 / SIGMA + 0.4 / 5.0) - 1.0).abs() < 1e-6, "{found} Ω");
    check_books(&run, &last, "film");
}

/// A block that is pulled aside presses more on one end: all of its contacts conduct what Holm's law says of the whole, each its part by its own pressure.
#[test]
fn contacts_on_meshes_conduct_by_their_own_pressure() {
    let mut run = build(
        &format!(
            r#"(dimension: 2, gravity: (4, -10), time: (step: 0.01, end: 10, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e10, poisson: 0.3), {COPPER})}},
  bodies: [(group: "low", material: "m", shape: Mesh(of: Rectangle(size: (2, 0.5), cells: (8, 2), element: Q4)), at: (-0.5, -0.5)),
    (group: "high", material: "m", shape: Mesh(of: Rectangle(size: (1, 0.5), cells: (6, 3), element: Q4)))],
  interactions: [(between: ("low", "high"), law: Coulomb(friction: 1))],
  loads: [(on: "low.bottom", load: Fixed)],
  physics: [Contact(), Electrical(law: Holm(hardness: 1e6), potential: [(group: "low.bottom", value: 0), (group: "high.top", value: 1)])])"#
        ),
        &[],
    );
    let last = steps(&mut run, 50);
    check_books(&run, &last, "pulled");
    let network = &run.world().network;
    let (found, patches, mut pressures) = (run.field("conductance").unwrap(), network.patches(), Vec::new());
    let shares: Vec<(usize, f64)> = patches.iter(network).flat_map(|patch| patch.shares().collect::<Vec<_>>()).collect();
    let force = |k: usize| network.contacts[k].r.x / 0.01;
    let own = |(k, share): &(usize, f64)| if force(*k) > 0.0 { share * holm(force(*k) / share) } else { 0.0 };
    let (whole, sum): (f64, f64) = (shares.iter().map(|(k, _)| force(*k)).sum(), shares.iter().map(own).sum());
    assert!(sum < 0.99 * holm(whole), "{sum} S of points, {} S of the whole", holm(whole));
    for at in &shares {
        let expected = own(at) / sum * holm(whole);
        assert!((found[at.0] - expected).abs() < 1e-9 * holm(1e4), "{} S of {expected} S", found[at.0]);
        pressures.push(force(at.0) / at.1);
    }
    let [low, high] = [f64::min, f64::max].map(|of| pressures.iter().copied().fold(pressures[0], of));
    assert!(pressures.len() > 4 && high > 2.0 * low, "{pressures:?}");
    assert!(patches.len() == 1);
}

/// Friction between each of these groups and each.
fn meet(groups: &[&str]) -> String {
    let pairs = groups.iter().enumerate().flat_map(|(k, a)| groups[k..].iter().map(move |b| (a, b)));
    pairs.map(|(a, b)| format!(r#"(between: ("{a}", "{b}"), law: Coulomb(friction: 0.3)), "#)).collect()
}

/// Blocks between rigid plates, held and pressed: one a mesh of `conductivity`, beside it a rigid one of `bulk`. Contacts have 2,000 S each.
fn between_plates(element: &str, n: usize, blocks: [bool; 2]) -> f64 {
    let mesh = format!(
        r#"(group: "mesh", material: "copper", shape: Mesh(of: Rectangle(size: (0.2, 0.4), cells: ({n}, {n}), element: {element}), thickness: 1), at: (0, 0)),
        (group: "press", material: "plate", shape: Box(half: (0.1, 0.05)), at: (0.1, 0.45)),"#
    );
    let lump = r#"(group: "lump", material: "lump", shape: Box(half: (0.1, 0.2)), at: (0.5, 0.2)),
        (group: "press", material: "plate", shape: Box(half: (0.1, 0.05)), at: (0.5, 0.45)),"#;
    let named = ["mesh", "lump"].into_iter().zip(blocks).filter(|(_, with)| *with).map(|(b, _)| b);
    let groups: Vec<&str> = named.chain(["press", "floor"]).collect();
    let bodies = [mesh.as_str(), lump].into_iter().zip(blocks).filter(|(_, with)| *with).map(|(b, _)| b).collect::<String>();
    let mut run = build(
        &format!(
            r#"(dimension: 2, gravity: (0, -10), time: (step: 0.01, end: 100, theta: 1),
  materials: {{"copper": (density: 1000, elastic: (young: 1e8, poisson: 0), electrical: (conductivity: 1000, bulk: 1)),
    "lump": (density: 1000, electrical: (bulk: 500)), "plate": (density: 1000, electrical: ())}},
  bodies: [{bodies} (group: "floor", material: "plate", shape: Box(half: (1, 0.05)), at: (0.5, -0.05))],
  interactions: [{}],
  loads: [(on: "floor", load: Fixed)],
  physics: [Contact(), Electrical(law: Constant(conductance: 2000), potential: [(group: "floor", value: 0)], current: [(group: "press", value: 10)])])"#,
            meet(&groups)
        ),
        &[],
    );
    let last = steps(&mut run, 30);
    if blocks[0] {
        check_books(&run, &last, element);
    }
    column(&run, &last, "resistance")
}

/// R = L/(σA) + 2/C of the mesh, whose `bulk` says nothing, 2/C + 2/B of the lump, and both in parallel.
#[test]
fn a_mesh_between_rigid_electrodes_and_beside_a_lump() {
    let (mesh, lump) = (0.4 / (SIGMA * 0.2) + 2.0 / 2000.0, 2.0 / 2000.0 + 2.0 / 500.0);
    for element in PLANE {
        for (blocks, expected) in [([true, false], mesh), ([false, true], lump), ([true, true], 1.0 / (1.0 / mesh + 1.0 / lump))]
        {
            let off = (between_plates(element, 4, blocks) / expected - 1.0).abs();
            assert!(off < 1e-10, "{element} {blocks:?}: off by {off:e}");
        }
    }
}

/// A bar between ends of 300 K under V: T − 300 K = V²σ/(2k) x(1 − x), whose top is V²σ/(8k). What the current makes leaves through the ends.
#[test]
fn joule_heat_makes_a_parabola() {
    let properties = "electrical: (conductivity: 1000), thermal: (conductivity: 50, specific_heat: 500)";
    let electrodes = r#"potential: [(group: "bar.left", value: 2), (group: "bar.right", value: 0)]"#;
    let thermal = r#", Thermal(law: Insulating, temperature: 300, time_scale: 1e12,
        boundary: [Temperature(group: "bar.left", value: 300), Temperature(group: "bar.right", value: 300)])]"#;
    for element in PLANE.into_iter().chain(SPACE) {
        let [coarse, fine] = [4, 8].map(|n| {
            // cells of one shape on all meshes
            let width = 0.4 / n as f64;
            let text = one(element, n, (properties, electrodes, thermal));
            let text = text.replace("size: (1, 0.1, 0.1)", &format!("size: (1, {width}, {width})"));
            let mut run = build(&text.replace("size: (1, 0.1)", &format!("size: (1, {width})")), &[]);
            let last = steps(&mut run, 2);
            check_books(&run, &last, element);
            let made = 4000.0 * width * if PLANE.contains(&element) { 0.1 } else { width };
            let out = column(&run, &last, "heat_in_bar.left") + column(&run, &last, "heat_in_bar.right");
            assert!((out / -made - 1.0).abs() < 1e-9, "{element}: {out} W of {made} W");
            // the mean over the volume, held sides and all
            let volume = width * if PLANE.contains(&element) { 0.1 } else { width };
            let mean = column(&run, &last, "temperature_mean") - 300.0;
            let stored = column(&run, &last, "heat_stored") / (1000.0 * 500.0 * volume);
            assert!((mean / stored - 1.0).abs() < 1e-9, "{element}: {mean} K, and {stored} K by the heat");
            assert!((mean - 40.0 / 6.0).abs() < 0.5 * (4.0 / n as f64).powi(2), "{element}, {n} cells: {mean} K");
            let mesh = &run.meshes_with(&[MeshQuantity::Temperature])[0];
            let apart = array(mesh, MeshQuantity::Temperature).iter().zip(&mesh.points);
            apart.map(|(t, x)| (t - 300.0 - 40.0 * x.x * (1.0 - x.x)).abs()).fold(0.0, f64::max)
        });
        // where the nodes of a cross section get the heat of even slices, nodes are right; else of order 2
        let order = (coarse / fine).log2();
        assert!(coarse < 1e-6 || (order - 2.0).abs() < 0.35, "{element}: order {order}, errors {coarse:e} K {fine:e} K");
        assert!(fine < 0.25, "{element}: {fine} K of 10 K");
    }
}

/// An insulated bar warms everywhere alike: P t/(m c).
#[test]
fn an_insulated_bar_warms_evenly() {
    let properties = "electrical: (conductivity: 1000), thermal: (conductivity: 50, specific_heat: 500)";
    let electrodes = r#"potential: [(group: "bar.left", value: 2), (group: "bar.right", value: 0)]"#;
    for element in PLANE.into_iter().chain(SPACE) {
        let mut run = build(&one(element, 3, (properties, electrodes, ", Thermal(law: Insulating, temperature: 300)]")), &[]);
        let last = steps(&mut run, 5);
        check_books(&run, &last, element);
        for t in array(&run.meshes_with(&[MeshQuantity::Temperature])[0], MeshQuantity::Temperature) {
            assert!((t - 300.0 - 5.0 * 40.0 / (10.0 * 500.0)).abs() < 1e-9, "{element}: {t} K");
        }
    }
}

/// Between ends of 300 K and 400 K, ρ = ρ₀(1 + α(T − 300)) of the mean temperature of each element: R = R₀(1 + 50α).
#[test]
fn conductivity_goes_by_the_temperature_of_elements() {
    let properties = "electrical: (conductivity: 1000, temperature_coefficient: 0.01, reference_temperature: 300),
        thermal: (conductivity: 50, specific_heat: 500)";
    let electrodes = r#"potential: [(group: "bar.left", value: 0), (group: "bar.right", value: 1e-6)]"#;
    let thermal = r#", Thermal(law: Insulating, temperature: 300, time_scale: 1e12,
        boundary: [Temperature(group: "bar.left", value: 300), Temperature(group: "bar.right", value: 400)])]"#;
    for element in ["Q4", "Q8", "Hex8"] {
        let mut run = build(&one(element, 4, (properties, electrodes, thermal)), &[]);
        let last = steps(&mut run, 3);
        let found = column(&run, &last, "resistance");
        assert!((found / 0.15 - 1.0).abs() < 1e-9, "{element}: {found} Ω");
        check_books(&run, &last, element);
        // ρ rises with x: most of the potential drops at the right; 0 to 0.3125/0.75 of 1 µV at the middle
        let mesh = &run.meshes_with(&[MeshQuantity::Potential])[0];
        for (v, x) in array(mesh, MeshQuantity::Potential).iter().zip(&mesh.points).filter(|(_, x)| (x.x - 0.5).abs() < 1e-9) {
            assert!((v / 1e-6 - 0.625 / 1.5).abs() < 1e-9, "{element}: {v} V at {x:?}");
        }
    }
}

/// An insulated bar under a voltage: x = T − T₀ of the first step has x = q by the conductivity of its start, x (1 + αx) = q by that of its end,
/// q = σ₀(V/L)² h/(ρc).
#[test]
fn current_and_heat_of_a_mesh_are_coupled() {
    let properties = "electrical: (conductivity: 1000, temperature_coefficient: 0.01, reference_temperature: 300),
        thermal: (conductivity: 50, specific_heat: 0.5)";
    let electrodes = r#"potential: [(group: "bar.left", value: 2), (group: "bar.right", value: 0)]"#;
    let implicit = 50.0 * (1.32_f64.sqrt() - 1.0);
    let iterated = r#", coupling: Iterated(modules: ["Electrical", "Thermal"], tolerance: 1e-12, max_iterations: 50)"#;
    for (coupling, expected) in [("", 8.0), (iterated, implicit)] {
        let more = format!(", Thermal(law: Insulating, temperature: 300)]{coupling}");
        for element in ["Q4", "Tet10"] {
            let mut run = build(&one(element, 3, (properties, electrodes, &more)), &[]);
            let last = steps(&mut run, 1);
            check_books(&run, &last, element);
            for t in array(&run.meshes_with(&[MeshQuantity::Temperature])[0], MeshQuantity::Temperature) {
                assert!((t - 300.0 - expected).abs() < 1e-8, "{element} {coupling}: {t} K");
            }
        }
    }
}

/// A nanoampere at a megavolt: the differences of potentials keep the digits that the potentials do not have.
#[test]
fn a_small_current_at_a_high_potential_keeps_its_digits() {
    let electrodes = r#"potential: [(group: "bar.left", value: 1e6)], current: [(group: "bar.right", value: -1e-9)]"#;
    for element in PLANE.into_iter().chain(SPACE) {
        let mut run = build(&one(element, 4, (COPPER, electrodes, "]")), &[]);
        let last = steps(&mut run, 1);
        let of = |name: &str| column(&run, &last, name);
        assert!((of("resistance") / 0.1 - 1.0).abs() < 1e-11, "{element}: {} Ω", of("resistance"));
        assert!((of("joule_total") / 1e-19 - 1.0).abs() < 1e-11, "{element}: {} W", of("joule_total"));
        check_books(&run, &last, element);
    }
}

/// A scene with everything: a mesh that slides on a mesh, grains and a lump on top, an even current into a side, heat, friction.
fn everything(element: &str, solver: &str) -> String {
    format!(
        r#"(dimension: 2, gravity: (1, -10), time: (step: 2e-3, end: 10, theta: 1),
  materials: {{"rubber": (density: 1000, elastic: (young: 1e6, poisson: 0.3),
      thermal: (conductivity: 30, specific_heat: 400, expansion: 1e-4), electrical: (conductivity: 500, temperature_coefficient: 0.004)),
    "steel": (density: 7800, elastic: (young: 1e7, poisson: 0.3), thermal: (conductivity: 50, specific_heat: 500), electrical: (conductivity: 1e3, bulk: 1e4)),
    "soft": (density: 500, elastic: (young: 1e6, poisson: 0.3), electrical: ())}},
  bodies: [
    (group: "block", material: "rubber", shape: Mesh(of: Rectangle(size: (0.4, 0.2), cells: (4, 2), element: {element})), at: (0, 0.2), velocity: (1, 0)),
    (group: "base", material: "steel", shape: Mesh(of: Rectangle(size: (1, 0.2), cells: (7, 2), element: Q4))),
    (group: "pad", material: "soft", shape: Mesh(of: Rectangle(size: (0.1, 0.1), cells: (2, 2), element: Q4)), at: (0.8, 0.2)),
    (group: "ball", material: "steel", shape: Disc(radius: 0.05), at: (0.15, 0.451), velocity: (1, 0)),
    (group: "ball", material: "steel", shape: Disc(radius: 0.05), at: (0.252, 0.451), velocity: (1, 0)),
    (group: "pin", material: "steel", shape: Disc(radius: 0.03), at: (0.85, 0.331)),
  ],
  interactions: [{}],
  loads: [(on: "base.bottom", load: Fixed)],
  physics: [Contact(), Electrical(law: CubeRoot(scale: 10), solver: "{solver}", on_open_circuit: SwitchOff,
      potential: [(group: "base.left", value: 0), (group: "base.right", value: "0.1*t")],
      current: [(group: "block.top", value: 20, spread: Evenly), (group: "ball", value: 5), (group: "pin", value: -2)]),
    Thermal(law: Constant(conductance: 1000), temperature: 300, boundary: [Temperature(group: "base.bottom", value: 300)])])"#,
        meet(&["block", "base", "pad", "ball", "pin"])
    )
}

/// Every method finds the same potentials in a circuit through meshes, lumps and grains; what the electrodes give is heat.
#[test]
fn all_methods_find_the_same() {
    for element in ["Q4", "T6", "Q8"] {
        let found = ["cholesky", "cg", "gauss-seidel", "auto"].map(|solver| {
            // heat that moves bodies would carry the last digit of a current into forces, and these into the next
            let mut run = build(&everything(element, solver).replace(", expansion: 1e-4", ""), &[]);
            let last = steps(&mut run, 40);
            check_books(&run, &last, solver);
            assert!(unexplained(&run, Book::Electricity) < 1e-10, "{element} {solver}");
            let flow = |book: Book, name: &str| run.books().account(book).unwrap().flow(name).unwrap().x;
            let (made, given) = (flow(Book::Heat, "joule"), flow(Book::Electricity, "joule"));
            assert!(made > 0.0 && (made / -given - 1.0).abs() < 1e-12, "{element} {solver}: {made} J of {given} J");
            run.field("node_potential").unwrap().iter().chain(run.field("potential").unwrap()).copied().collect::<Vec<f64>>()
        });
        let spread = found[0].iter().fold(0.0_f64, |most, v| most.max((v - found[0][0]).abs()));
        assert!(spread > 1e-3, "{element}: {spread} V");
        for other in &found[1..] {
            let apart = found[0].iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(apart < 1e-9 * spread, "{element}: {apart:e} V of {spread} V");
        }
    }
}

#[test]
fn the_same_bits_on_threads_and_after_resume() {
    for solver in ["auto", "cg"] {
        let text = everything("Q8", solver);
        let build = || -> Result<Simulation, ModelErrors> {
            let model = Model::parse_with(&text, "m", "m.ron", std::path::Path::new("."), &[], &mpcd::shapes())?;
            Simulation::build(&model, &Registry::standard())
        };
        same_bits(&build, 16).unwrap_or_else(|e| panic!("{e}"));
    }
}

/// A current fed evenly into a side whose corner is held: what enters at the corner is not counted as given by both.
#[test]
fn a_fed_side_beside_a_held_one() {
    let electrodes =
        r#"potential: [(group: "bar.left", value: 3)], current: [(group: "bar.bottom", value: -20, spread: Evenly)]"#;
    for element in PLANE.into_iter().chain(SPACE) {
        let mut run = build(&one(element, 4, (COPPER, electrodes, "]")), &[]);
        let last = steps(&mut run, 1);
        let fed = column(&run, &last, "electrode_current");
        assert!((fed / 20.0 - 1.0).abs() < 1e-12, "{element}: {fed} A");
        check_books(&run, &last, element);
        // at the end V falls by ∫ I(x)/(σA) dx, I falling evenly: half of what the whole current would make; and the layer of the entry
        let mesh = &run.meshes_with(&[MeshQuantity::Potential])[0];
        let least = array(mesh, MeshQuantity::Potential).iter().fold(3.0, |least: f64, v| least.min(*v));
        assert!((3.0 - least - 1.0).abs() < 0.05, "{element}: {least} V");
    }
}

/// Without a conductivity a mesh is one lump; held as a whole, one of a conductivity is as well, and a bulk says nothing about it.
#[test]
fn lumps_and_whole_meshes() {
    let lump = one("Q4", 2, ("electrical: ()", r#"potential: [(group: "bar", value: 7)]"#, "]"));
    let mut run = build(&lump, &[]);
    steps(&mut run, 1);
    assert!(run.field("potential").unwrap() == [7.0] && run.field("node_potential").is_none());
    let whole = one("Q4", 2, ("electrical: (conductivity: 1, bulk: 5)", r#"potential: [(group: "bar", value: 7)]"#, "]"));
    let mut run = build(&whole, &[]);
    steps(&mut run, 1);
    assert!(run.field("node_potential").unwrap().iter().all(|v| *v == 7.0));
    assert!(mpcd_sim::describe(&run).warnings.iter().any(|w| w.contains("`bulk` of material \"m\"")));
    // a mesh that nothing touches is one body, no island of several; its current stops, or is switched off
    let alone = |open: &str| {
        let second = format!(
            r#"(group: "bar", material: "m", shape: {}), (group: "other", material: "m", at: (0, 5), shape: {})"#,
            bar("Q4", 2),
            bar("Q4", 3)
        );
        let electrodes =
            format!(r#"{open} potential: [(group: "bar.left", value: 0)], current: [(group: "other.top", value: 1)]"#);
        one("Q4", 2, (COPPER, &electrodes, "]"))
            .replace(&format!(r#"(group: "bar", material: "m", shape: {})"#, bar("Q4", 2)), &second)
            .replace("  physics:", r#"  interactions: [(between: ("bar", "other"), law: NoContact)], physics:"#)
    };
    let mut run = build(&alone("on_open_circuit: SwitchOff,"), &[]);
    let last = steps(&mut run, 1);
    assert!(column(&run, &last, "floating_islands") == 0.0 && column(&run, &last, "floating_bodies") == 1.0);
    let mut run = build(&alone(""), &[]);
    let words = run.step().map(|_| ()).unwrap_err().to_string();
    assert!(words.contains("no return") && words.contains("other.top"), "{words}");
}

/// What cannot be is refused with what to do.
#[test]
fn wrong_electrodes_on_meshes_are_refused() {
    let fault = |text: &str| {
        let model = Model::parse_with(text, "m", "m.ron", std::path::Path::new("."), &[], &mpcd::shapes());
        match model.and_then(|model| Simulation::build(&model, &Registry::standard())) {
            Ok(_) => panic!("accepted: {text}"),
            Err(errors) => errors.to_string(),
        }
    };
    let scene = |electrodes: &str| one("Q4", 2, (COPPER, electrodes, "]"));
    for (electrodes, says) in [
        (r#"potential: [(group: "bar.botom", value: 1)]"#, ["`botom`", "did you mean `bottom`?"]),
        (r#"potential: [(group: "br.left", value: 1)]"#, ["unknown group", "br.left"]),
        (
            r#"potential: [(group: "bar.left", value: 0)], current: [(group: "bar.origin", value: 1, spread: Evenly)]"#,
            ["`origin`", "faces"],
        ),
        (
            r#"potential: [(group: "bar", value: 1), (group: "bar.left", value: 0)]"#,
            ["held already by the electrode \"bar\"", "remove one"],
        ),
        (
            r#"potential: [(group: "bar.left", value: 1)], current: [(group: "bar.bottom", value: 0)]"#,
            ["shares nodes with the electrode \"bar.left\"", "Evenly"],
        ),
        (
            r#"current: [(group: "bar.left", value: 1), (group: "bar.bottom", value: -1, spread: Evenly)]"#,
            ["shares nodes with the electrode \"bar.left\"", "do not touch"],
        ),
        (
            r#"potential: [(group: "bar", value: 1)], current: [(group: "bar.bottom", value: 1, spread: Evenly)]"#,
            ["flows nowhere", "remove one"],
        ),
    ] {
        let words = fault(&scene(electrodes));
        assert!(says.iter().all(|s| words.contains(s)), "{electrodes}: expected {says:?}:\n{words}");
    }
    let side = r#"potential: [(group: "bar.left", value: 1)]"#;
    let rigid = scene(side).replace(&bar("Q4", 2), "Disc(radius: 1)");
    assert!(fault(&rigid).contains("has rigid bodies"), "{}", fault(&rigid));
    let lump = one("Q4", 2, ("electrical: ()", side, "]"));
    assert!(fault(&lump).contains("one lump of one potential") && fault(&lump).contains("conductivity: …"), "{}", fault(&lump));
    let probe = r#"], output: (probes: [(name: "v", of: "mesh_potential", group: "bar")])"#;
    let none = one("Q4", 2, ("electrical: ()", r#"potential: [(group: "bar", value: 1)]"#, probe));
    assert!(fault(&none).contains("unknown field `mesh_potential`"), "{}", fault(&none));
    let cold = "electrical: (conductivity: 1, temperature_coefficient: -1, reference_temperature: 100)";
    assert!(fault(&one("Q4", 2, (cold, side, "]"))).contains("above zero"));
}

/// A bar of two materials' worth of parts, turned by 30°: σ E = 20 A/0.01 m² along its axis in every element, in the field, the probe and the frames; around a
/// quarter of a ring I/(φ t r) at the middle of every element, to the order of the mesh.
#[test]
fn current_densities_stand_on_elements() {
    for element in PLANE.into_iter().chain(SPACE) {
        let electrodes = r#"potential: [(group: "bar.left", value: 3), (group: "bar.right", value: 1)]"#;
        let output = r#"], output: (probes: [(name: "mean", of: "current_density", group: "bar", component: X), (name: "end", of: "current_density", region: (from: (0.6, -1, -1), to: (2, 2, 2)), component: Y)])"#;
        let turn = if SPACE.contains(&element) { r#"rotation: ((0, 0, 1), "30 deg")"# } else { r#"rotation: "30 deg""# };
        let text =
            one(element, 4, (COPPER, electrodes, output)).replacen("(group: \"bar\", ", &format!("(group: \"bar\", {turn}, "), 1);
        let mut run = build(&text, &[]);
        let last = steps(&mut run, 1);
        let (sine, cosine) = std::f64::consts::FRAC_PI_6.sin_cos();
        let expected = [2000.0 * cosine, 2000.0 * sine, 0.0];
        let rows: Vec<[f64; 3]> = run.field("current_density").unwrap().chunks_exact(3).map(|r| [r[0], r[1], r[2]]).collect();
        assert_eq!(rows.len(), run.meshes_with(&[])[0].topology.cells.len(), "{element}");
        for row in &rows {
            assert!(row.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-8), "{element}: {row:?}");
        }
        assert!(
            (cell(&run, &last, "mean").unwrap() - expected[0]).abs() < 1e-8
                && (cell(&run, &last, "end").unwrap() - expected[1]).abs() < 1e-8
        );
        let frame = run.frame();
        let DataSet::Mesh(shown) = &frame.iter().find(|p| p.name == "meshes").unwrap().data else { panic!("no mesh") };
        let shown = shown.cell_arrays.iter().find(|a| a.name == "current_density").unwrap();
        assert_eq!(shown.values, Values::F64(rows.concat()), "{element}");
    }
    for (element, bound) in [("Q4", 2e-3), ("Q8", 2e-3), ("T3", 0.06), ("T6", 5e-3)] {
        let mut run = build(
            &format!(
                r#"(dimension: 2, time: (step: 1, end: 10, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 210e9, poisson: 0.3), {COPPER})}},
  bodies: [(group: "ring", material: "m", shape: Mesh(of: Annulus(inner: 1, outer: 3, angle: "90 deg", cells: (16, 16), element: {element}), thickness: 0.5))],
  physics: [Contact(), Electrical(law: Insulating, potential: [(group: "ring.inner", value: 0)], current: [(group: "ring.outer", value: 2)])])"#
            ),
            &[],
        );
        steps(&mut run, 1);
        let middles: Vec<_> = run.meshes_with(&[])[0].middles().collect();
        for (row, x) in run.field("current_density").unwrap().chunks_exact(3).zip(&middles) {
            let expected = -2.0 / (std::f64::consts::FRAC_PI_2 * 0.5 * x.norm_squared());
            let off =
                ((row[0] - expected * x.x).powi(2) + (row[1] - expected * x.y).powi(2)).sqrt() / (expected.abs() * x.norm());
            assert!(off < bound, "{element}: {row:?} at {x:?}, off by {off}");
        }
    }
}
