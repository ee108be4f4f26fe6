//! What a contact takes from the temperature of a mesh is that of the side that it lies on, as of a rigid body that has this temperature all through: necks, conductivities, shares of heat.

use mpcd_sim::Simulation;

use crate::granular::{build, steps};

/// A block on whose hot side (800 K; a mesh has 300 K at its other side) a body at 1,000 K stands, after `count` steps of 1 s.
fn stands(body: &str, of_block: (&str, &str), (law, electrical): (&str, &str), count: u64) -> Simulation {
    let (block, held) = of_block;
    build(
        &format!(
            r#"(dimension: 3, gravity: (0, 0, -10), time: (step: 1, end: 1e4, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: 0), thermal: (conductivity: [(300, 10), (1000, 80)], specific_heat: [(300, 100), (1000, 700)]),
    electrical: (conductivity: 1e6, temperature_coefficient: 0.004))}},
  bodies: [(group: "block", material: "m", {block}), (group: "body", material: "m", {body}, mass: 1)],
  interactions: [(between: ("block", "body"), law: Coulomb(friction: 0.3))],
  loads: [(on: "block", load: Fixed), (on: "body", load: Locked(axes: [X, Y, SpinX, SpinY, SpinZ]))],
  physics: [Contact(tolerance: 1e-10), Electrical(law: {electrical}, potential: [(group: "{held}", value: 0), (group: "body", value: 1e-6)], self_heating: false),
    Thermal(law: {law}, temperature: 800, coupling: (dilatation: false), boundary: [{far} Temperature(group: "{held}", value: 800), Temperature(group: "body", value: 1000)])])"#,
            far = if block.contains("Mesh") { r#"Temperature(group: "block.back", value: 300),"# } else { "" },
        ),
        &[],
    ).after(count)
}

trait After {
    fn after(self, count: u64) -> Self;
}

impl After for Simulation {
    fn after(mut self, count: u64) -> Self {
        steps(&mut self, count);
        self
    }
}

const RIGID: (&str, &str) = ("shape: Box(size: (0.2, 0.2, 0.1)), at: (0, 0, -0.05)", "block");

fn meshes() -> [(String, &'static str); 2] {
    ["Hex8", "Tet10"].map(|element| {
        let mesh = format!(
            "shape: Mesh(of: Cuboid(size: (0.2, 0.2, 0.1), cells: (4, 4, 3), element: {element})), at: (-0.1, -0.1, -0.1)"
        );
        (mesh, "block.front")
    })
}

const BALL: &str = "shape: Sphere(radius: 0.05), at: (0, 0, 0.05)";
const LID: &str = "shape: Box(size: (0.3, 0.3, 0.1)), at: (0, 0, 0.05)";

fn sum(run: &Simulation, name: &str) -> f64 {
    run.field(name).unwrap().iter().sum()
}

/// By the mean of the block it grew a hundred times too slowly.
#[test]
fn a_neck_on_a_mesh_grows_by_the_temperature_where_it_is_touched() {
    let law = ("Sinter(bare: Constant(conductance: 1e-3), rate: 1, exponent: 5, activation: 20000)", "Constant(conductance: 1)");
    // x⁵ = K t at the mean of both sides
    let expected = (20.0 * (-20000.0_f64 / 900.0).exp()).powf(0.2);
    for (mesh, held) in meshes().iter().map(|(mesh, held)| (mesh.as_str(), *held)).chain([RIGID]) {
        let run = stands(BALL, (mesh, held), law, 20);
        let found = run.field("neck").unwrap().iter().copied().fold(0.0, f64::max);
        assert!((found / expected - 1.0).abs() < 1e-9, "{mesh}: {found} m of {expected} m");
    }
}

/// Heat by k(T), current by σ(T).
#[test]
fn a_mesh_conducts_through_a_contact_by_the_temperature_of_its_side() {
    for body in [BALL, LID] {
        let found = |of: (&str, &str)| {
            let run = stands(body, of, ("Hertz", "Hertz"), 2);
            [sum(&run, "heat"), sum(&run, "current")].map(f64::abs)
        };
        let rigid = found(RIGID);
        for (mesh, held) in &meshes() {
            let meshed = found((mesh, held));
            for (of_mesh, of_rigid) in meshed.iter().zip(rigid) {
                assert!(of_rigid > 0.0 && (of_mesh / of_rigid - 1.0).abs() < 1e-6, "{body} on {mesh}: {meshed:?} of {rigid:?}");
            }
        }
    }
}

/// A lid that is dragged shares its heat with what it slides on by their effusivities √(k ρ c) where they touch.
#[test]
fn heat_of_friction_is_shared_by_the_temperatures_of_both_sides() {
    let share = |(block, held): (&str, &str)| {
        let mut run = build(
            &format!(
                r#"(dimension: 3, gravity: (0, 0, -10), time: (step: 1e-3, end: 1, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: 0), thermal: (conductivity: [(300, 10), (1000, 80)], specific_heat: [(300, 100), (1000, 700)]))}},
  bodies: [(group: "block", material: "m", {block}), (group: "body", material: "m", {LID}, mass: 1)],
  interactions: [(between: ("block", "body"), law: Coulomb(friction: 0.3))],
  loads: [(on: "block", load: Fixed), (on: "body", load: Velocity(x: 0.01, y: 0, spin_x: 0, spin_y: 0, spin_z: 0))],
  physics: [Contact(tolerance: 1e-10), Thermal(law: Insulating, temperature: 800, coupling: (dilatation: false),
    boundary: [{far} Temperature(group: "{held}", value: 800), Temperature(group: "body", value: 1000)])])"#,
                far = if block.contains("Mesh") { r#"Temperature(group: "block.back", value: 300),"# } else { "" },
            ),
            &[],
        );
        let outcome = steps(&mut run, 5);
        crate::granular::column(&run, &outcome, "heat_in_body").unwrap()
    };
    let (lid, block) = (80.0_f64 * 700.0, (10.0_f64 + 70.0 * 5.0 / 7.0) * (100.0 + 600.0 * 5.0 / 7.0));
    let expected = -0.3 * 10.0 * 0.01 * lid.sqrt() / (lid.sqrt() + block.sqrt());
    for (text, held) in meshes().iter().map(|(mesh, held)| (mesh.as_str(), *held)).chain([RIGID]) {
        let found = share((text, held));
        assert!((found / expected - 1.0).abs() < 1e-6, "{text}: {found} W of {expected} W");
    }
}
