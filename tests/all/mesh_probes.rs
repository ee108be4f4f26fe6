//! Probes, frames and columns of deformable bodies against numbers computed by hand.

use std::sync::atomic::AtomicBool;

use mpcd::StandardRegistry;
use mpcd_core::MeshQuantity;
use mpcd_output::{DataSet, Values};
use mpcd_sim::{Model, Registry, RunOptions, Simulation, describe, run};

use crate::granular::{build, column, steps};

/// A block of 1 m by 2 m (by 0.5 m), E 1 MPa, ν ¼, on rollers below and at its back, pulled with 1 kPa above. At rest at the end: implicit Euler takes
/// 1 − 1/25² of every motion in a step of 1 s.
fn pulled(dimension: u8, mesh: &str, more: &str) -> String {
    let rollers = if dimension == 2 { "" } else { r#"(on: "block.back", load: Locked(axes: [Z])),"# };
    format!(
        r#"(dimension: {dimension}, time: (step: 1, end: 30, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e6, poisson: 0.25))}},
  bodies: [(group: "block", material: "m", shape: Mesh(of: {mesh}))],
  loads: [{rollers}
    (on: "block.bottom", load: Locked(axes: [Y])), (on: "block.left", load: Locked(axes: [X])),
    (on: "block.top", load: Traction(y: 1000))],
  physics: [Contact()],
  output: (every: 10, probes: [
    (name: "held", of: "reaction", component: Y, group: "block.bottom"),
    (name: "held_norm", of: "reaction", group: "block.bottom"),
    (name: "held_all", of: "reaction", component: Y, group: "block"),
    (name: "held_least", of: "reaction", component: Y, group: "block.bottom", reduce: Min),
    (name: "held_most", of: "reaction", component: Y, group: "block.bottom", reduce: Max),
    (name: "held_mean", of: "reaction", component: Y, group: "block.bottom", reduce: Mean),
    (name: "touched", of: "contact_force", component: Y, group: "block"),
    (name: "up", of: "displacement", component: Y, group: "block.top"),
    (name: "up_mean", of: "displacement", component: Y, group: "block"),
    (name: "in", of: "displacement", component: X, group: "block.right", reduce: Min),
    (name: "speed", of: "velocity", component: Y, group: "block.top"),
    (name: "place", of: "position", component: Y, group: "block.top"),
    (name: "centre", of: "position", component: Y, group: "block"),
    (name: "low_half", of: "displacement", component: Y, reduce: Max,
     region: (from: {low}, to: {high})),
    (name: "syy", of: "mesh_stress", component: YY, group: "block"),
    (name: "sxx", of: "mesh_stress", component: XX, group: "block.top", reduce: Max),
    (name: "mean", of: "mesh_stress", component: Mean, group: "block"),
    (name: "deviator", of: "mesh_stress", component: Deviator, group: "block"),
    (name: "eyy", of: "mesh_strain", component: YY, group: "block"),
    (name: "exx", of: "mesh_strain", component: XX, group: "block"),
    (name: "mises", of: "von_mises", group: "block", reduce: Max),
    (name: "plastic", of: "plastic_strain", group: "block", reduce: Max),
    (name: "height", of: "extent", component: Y, group: "block"),
    (name: "top", of: "extent", component: Y, reduce: Max, group: "block"),
    (name: "width", of: "extent", component: X, group: "block"),
    {more}
  ]))"#,
        low = if dimension == 2 { "(-9, -9)" } else { "(-9, -9, -9)" },
        high = if dimension == 2 { "(9, 1.1)" } else { "(9, 1.1, 9)" },
    )
}

const PLANE: &str = "Rectangle(size: (1, 2), cells: (4, 4), element: Q4), plane: PlaneStress, thickness: 0.5";
const SPACE: &str = "Cuboid(size: (1, 2, 0.5), cells: (2, 4, 1), element: Hex20)";

fn near(run: &Simulation, last: &mpcd_sim::StepOutcome, name: &str, want: f64, scale: f64) {
    let found = column(run, last, name).unwrap_or_else(|| panic!("{name} has no value"));
    assert!((found - want).abs() <= 1e-8 * scale.max(want.abs()), "{name}: {found}, expected {want}");
}

/// σ = 1 kPa along y and nothing else, ε = 1e-3 along y and −ν ε across; the force is σ A = 500 N.
#[test]
fn a_pulled_block() {
    for (dimension, mesh) in [(2, PLANE), (3, SPACE)] {
        let depth = if dimension == 3 {
            r#"(name: "depth", of: "extent", component: Z, group: "block"),"#
        } else {
            r#"(name: "depth", of: "mesh_stress", component: ZZ, group: "block"),"#
        };
        let mut run = build(&pulled(dimension, mesh, depth), &[]);
        let last = steps(&mut run, 30);
        let is = |name: &str, want: f64, scale: f64| near(&run, &last, name, want, scale);
        is("held", -500.0, 500.0);
        is("held_norm", 500.0, 500.0);
        is("held_all", -500.0, 500.0);
        is("touched", 0.0, 500.0);
        if dimension == 2 {
            // Linear sides: a node between two cells of 0.25 m has 125 N, one at the end half of it.
            is("held_least", -125.0, 500.0);
            is("held_most", -62.5, 500.0);
            is("held_mean", -100.0, 500.0);
        }
        is("up", 2e-3, 1.0);
        is("in", -0.25e-3, 1.0);
        is("speed", 0.0, 1.0);
        is("place", 2.002, 1.0);
        // Of the centre of mass.
        is("centre", 1.001, 1.0);
        // The highest node below 1.1 m is at half height.
        is("low_half", 1e-3, 1.0);
        is("syy", 1e3, 1e3);
        is("sxx", 0.0, 1e3);
        let [mean, deviator] = if dimension == 2 { [500.0, 500.0] } else { [1e3 / 3.0, 1e3] };
        is("mean", mean, 1e3);
        is("deviator", deviator, 1e3);
        is("eyy", 1e-3, 1.0);
        is("exx", -0.25e-3, 1.0);
        is("mises", 1e3, 1e3);
        is("plastic", 0.0, 1.0);
        is("height", 2.002, 1.0);
        is("top", 2.002, 1.0);
        is("width", 1.0 - 0.25e-3, 1.0);
        is("depth", if dimension == 2 { 0.0 } else { 0.5 * (1.0 - 0.25e-3) }, 1.0);
        // The nodes of Q4 lie evenly.
        if dimension == 2 {
            is("up_mean", 1e-3, 1.0);
        }
        // ½ σ ε V is stored; the load gave σ A times the way of the top.
        is("e_strain", 0.5, 1.0);
        is("e_kinetic", 0.0, 1.0);
        is("e_potential", 0.0, 1.0);
        is("w_external", 1.0, 1.0);
    }
}

/// The first frame has all arrays, at rest; frames show what probes show.
#[test]
fn frames_have_forces_and_stress() {
    let mut run = build(&pulled(2, PLANE, ""), &[]);
    let sum = |run: &Simulation, name: &str, k: usize| -> f64 {
        let parts = run.frame();
        let part = parts.iter().find(|p| p.name == "meshes").unwrap();
        let DataSet::Mesh(mesh) = &part.data else { panic!("no mesh") };
        let array = mesh.point_arrays.iter().find(|a| a.name == name).unwrap_or_else(|| panic!("no {name}"));
        let Values::F64(values) = &array.values else { panic!("no numbers") };
        assert_eq!(values.len(), 25 * array.components, "{name}");
        values.chunks_exact(array.components).map(|v| v[k]).sum()
    };
    for quantity in MeshQuantity::ALL.into_iter().filter(|q| q.field().is_none()) {
        assert_eq!(sum(&run, quantity.name(), 0), 0.0, "{}", quantity.name());
    }
    steps(&mut run, 30);
    assert!((sum(&run, "reaction", 1) + 500.0).abs() < 1e-6);
    assert!((sum(&run, "stress", 4) / 25e3 - 1.0).abs() < 1e-9);
    assert_eq!(sum(&run, "contact_force", 1), 0.0);
}

/// Only what `fields` names is in the frames.
#[test]
fn fields_choose_the_arrays_of_meshes() {
    let text = pulled(2, PLANE, "").replace("every: 10,", r#"every: 10, fields: ["von_mises", "reaction"],"#);
    let parts = build(&text, &[]).frame();
    let DataSet::Mesh(mesh) = &parts.iter().find(|p| p.name == "meshes").unwrap().data else { panic!("no mesh") };
    let names: Vec<&str> = mesh.point_arrays.iter().map(|a| a.name.as_ref()).collect();
    assert_eq!(names, ["reaction", "von_mises"]);
}

/// A block of 1 m³ under 10 m/s² on a floor: the floor pushes with 10 kN. ν = 0: u = −ρg/E (H y − y²/2), exact at the nodes; the top sinks 5 mm, the
/// centre of mass by the trapezium rule 0.328125 of 10 mm, the volume by 5 ‰.
#[test]
fn a_block_on_a_floor() {
    let mut run = build(
        r#"(dimension: 2, gravity: (0, -10), time: (step: 0.05, end: 30, theta: 1),
  materials: {"m": (density: 1000, elastic: (young: 1e6, poisson: 0))},
  bodies: [
    (group: "block", material: "m", shape: Mesh(of: Rectangle(size: (1, 1), cells: (4, 4), element: Q4))),
    (group: "floor", material: "m", shape: Plane(normal: (0, 1))),
  ],
  interactions: [(between: ("block", "floor"), law: Coulomb(friction: 0))],
  physics: [Contact(tolerance: 1e-10)],
  output: (probes: [
    (name: "pushed", of: "contact_force", component: Y, group: "block.bottom"),
    (name: "pushed_most", of: "contact_force", component: Y, group: "block", reduce: Max),
    (name: "pushed_top", of: "contact_force", group: "block.top"),
    (name: "floor", of: "resultant", component: Y, group: "floor"),
    (name: "held", of: "reaction", group: "block"),
    (name: "y", of: "position", component: Y, group: "block"),
    (name: "com", of: "centre_of_mass", component: Y, group: "block"),
    (name: "height", of: "extent", component: Y, group: "block"),
    (name: "solid", of: "solid_fraction", group: "block"),
    (name: "part", of: "solid_fraction", group: "block", region: (from: (-1, 0), to: (2, 1))),
    (name: "pressed", of: "contact_pressure", group: "block"),
    (name: "stress", of: "stress", component: YY, group: "block"),
    (name: "z", of: "coordination", group: "block"),
  ]))"#,
        &[],
    );
    let last = steps(&mut run, 300);
    // What is left of the motion, and of the gap of contacts, is a few 1e-6 of the sinking.
    let is = |name: &str, want: f64, within: f64| {
        let found = column(&run, &last, name).unwrap_or_else(|| panic!("{name} has no value"));
        assert!((found - want).abs() <= within, "{name}: {found}, expected {want}");
    };
    is("pushed", 1e4, 1e-2);
    is("pushed_most", 2.5e3, 1e-2);
    is("pushed_top", 0.0, 0.0);
    is("floor", -1e4, 1e-2);
    is("held", 0.0, 0.0);
    let centre = 0.5 - 0.328_125e-2;
    is("y", centre, 1e-7);
    is("com", centre, 1e-7);
    is("height", 0.995, 1e-7);
    is("solid", 1.0, 1e-7);
    is("part", 0.995 / 3.0, 1e-7);
    // Σ ℓ·f over the way to the centre: 1e4 · centre, over 2 V and over the box.
    is("pressed", 1e4 * centre / (2.0 * 0.995), 1e-2);
    is("stress", 1e4 * centre / 0.995, 1e-2);
    is("z", 1.0, 0.0);
    let stored = column(&run, &last, "e_strain").unwrap();
    // ∫ σ²/2E with σ constant in each of four layers: Σ (ρg)² (1 − y)² /(8E) at y = 1/8, 3/8, 5/8, 7/8.
    let layers: f64 = [0.125_f64, 0.375, 0.625, 0.875].iter().map(|y| (1e4 * (1.0 - y)).powi(2) / 8e6).sum();
    assert!((stored / layers - 1.0).abs() < 1e-6, "stored {stored} of {layers}");
    is("e_potential", 1e4 * centre, 1e-2);
    is("e_kinetic", 0.0, 1e-6);
}

/// A deformable block and a rigid ball thrown up: the columns have the energy of both, and gravity's work is in `e_potential`.
#[test]
fn energies_of_a_flight() {
    for (dimension, mesh, ball, zero) in [
        (2, "Rectangle(size: (1, 2), cells: (2, 2), element: Q8), thickness: 0.5", "Disc(radius: 1, thickness: 1)", ""),
        (3, "Cuboid(size: (1, 2, 0.5), cells: (1, 2, 1), element: Tet10)", "Sphere(radius: 1)", ", 0"),
    ] {
        let mut run = build(
            &format!(
                r#"(dimension: {dimension}, gravity: (0, -10{zero}), time: (step: 0.01, end: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e6, poisson: 0.25))}},
  bodies: [
    (group: "block", material: "m", shape: Mesh(of: {mesh}), at: (0, 3{zero}), velocity: (1, 4{zero})),
    (group: "ball", material: "m", shape: {ball}, at: (5, 1{zero}), velocity: (0, 2{zero})),
  ],
  interactions: [(between: ("block", "ball"), law: NoContact)],
  physics: [Contact()], output: (probes: [(name: "y", of: "position", component: Y, group: "block")]))"#
            ),
            &[],
        );
        let last = steps(&mut run, 50);
        let ball = if dimension == 2 { 1e3 * std::f64::consts::PI } else { 4e3 / 3.0 * std::f64::consts::PI };
        // Velocities 4 − 5 and 2 − 5 m/s; places y + v t − 5 t² of the centres, the block's at 4 m at the start.
        let is = |name: &str, want: f64| near(&run, &last, name, want, 1e4);
        is("y", 4.0 + 2.0 - 1.25);
        is("e_kinetic", 0.5 * 1e3 * (1.0 + 1.0) + 0.5 * ball * 9.0);
        is("e_potential", 1e4 * 4.75 + ball * 10.0 * (1.0 + 1.0 - 1.25));
        is("e_strain", 0.0);
        is("w_external", 0.0);
        is("book_energy", 0.0);
    }
}

/// A bar meets a wall at 1 m/s: with θ = ½ all that is lost is the energy of the nodes that stop, ½ m v² of their mass in M̃⁻¹, and that is halved
/// with the cells.
#[test]
fn the_energy_lost_in_an_impact_is_halved_with_the_cells() {
    let lost = [20_u32, 40, 80].map(|cells| {
        let mut run = build(
            &format!(
                r#"(dimension: 2, time: (step: {}, end: 6e-4, theta: 0.5),
  materials: {{"m": (density: 7800, elastic: (young: 210e9, poisson: 0))}},
  bodies: [
    (group: "bar", material: "m", shape: Mesh(of: Rectangle(size: (1, 0.02), cells: ({cells}, 1), element: Q4), plane: PlaneStress, thickness: 0.02), velocity: (-1, 0)),
    (group: "wall", material: "m", shape: Plane(normal: (1, 0)))],
  interactions: [(between: ("bar", "wall"), law: Coulomb(friction: 0))],
  physics: [Contact(tolerance: 1e-9)])"#,
                0.5 / f64::from(cells) / (210e9_f64 / 7800.0).sqrt()
            ),
            &[],
        );
        let last = steps(&mut run, u64::from(2 * cells + 10));
        let value = |name: &str| column(&run, &last, name).unwrap();
        let start = 0.5 * 7800.0 * 0.02 * 0.02;
        (start - value("e_kinetic") - value("e_strain")) / start
    });
    assert!(lost[2] > 1e-3 && lost[2] < 0.01, "{lost:?}");
    assert!((lost[0] / lost[1] - 2.0).abs() < 0.05 && (lost[1] / lost[2] - 2.0).abs() < 0.05, "{lost:?}");
}

/// A bar of J2 material drawn to 5e-3: E 1 MPa, first yield at 1 kPa, H 100 kPa. α = (Eε − σ₀)/(E + H), σ = σ₀ + Hα.
#[test]
fn a_drawn_bar_yields() {
    for drive in ["Velocity(y: 1e-4)", "Velocity(y: 1e-4, x: 0)"] {
        let mut run = build(
            &format!(
                r#"(dimension: 3, time: (step: 0.5, end: 50, theta: 1),
  materials: {{"m": (density: 1, elastic: (young: 1e6, poisson: 0.3), solid: (law: J2(yield_stress: 1e3, hardening: 1e5)))}},
  bodies: [(group: "bar", material: "m", shape: Mesh(of: Cuboid(size: (1, 1, 1), cells: (1, 1, 1), element: Hex8)))],
  loads: [(on: "bar.bottom", load: Locked(axes: [Y])), (on: "bar.left", load: Locked(axes: [X])),
    (on: "bar.back", load: Locked(axes: [Z])), (on: "bar.top", load: {drive})],
  physics: [Contact()], output: (probes: [
    (name: "alpha", of: "plastic_strain", group: "bar"),
    (name: "mises", of: "von_mises", group: "bar"),
    (name: "pull", of: "reaction", component: Y, group: "bar.top"),
    (name: "hold", of: "reaction", component: Y, group: "bar.bottom"),
    (name: "across", of: "reaction", component: X, group: "bar.top"),
    (name: "y", of: "position", component: Y, group: "bar"),
    (name: "mean_y", of: "position", component: Y, group: "bar.left"),
  ]))"#
            ),
            &[],
        );
        let free = !drive.contains('x');
        // The centre of mass moves with the nodes from the first step on, though the top alone is driven at the start.
        let first = steps(&mut run, 1);
        near(&run, &first, "y", 0.5 + 0.25e-4, 1.0);
        near(&run, &first, "mean_y", 0.5 + 0.25e-4, 1.0);
        let last = steps(&mut run, 99);
        if free {
            let alpha = 4e3 / 1.1e6;
            near(&run, &last, "alpha", alpha, 1.0);
            near(&run, &last, "mises", 1e3 + 1e5 * alpha, 1e3);
            near(&run, &last, "pull", 1e3 + 1e5 * alpha, 1e3);
            near(&run, &last, "hold", -1e3 - 1e5 * alpha, 1e3);
            near(&run, &last, "across", 0.0, 1e3);
        } else {
            // What holds the top against its narrowing pulls outward.
            let across = column(&run, &last, "across").unwrap();
            assert!(across > 100.0, "{across}");
        }
    }
}

/// A square whose top is drawn sideways to γ = 1e-2: σ = Gγ with G = E/(2(1 + ν)) = 400 kPa, ε = γ/2, and the force σ A.
#[test]
fn a_sheared_square() {
    let mut run = build(
        r#"(dimension: 2, time: (step: 0.1, end: 10, theta: 0.5),
  materials: {"m": (density: 1, elastic: (young: 1e6, poisson: 0.25))},
  bodies: [(group: "square", material: "m",
    shape: Mesh(of: Rectangle(size: (1, 1), cells: (1, 1), element: Q4), thickness: 0.5), at: (2, 3))],
  loads: [(on: "square.bottom", load: Fixed()), (on: "square.top", load: Velocity(x: 1e-3, y: 0))],
  physics: [Contact()], output: (probes: [
    (name: "exy", of: "mesh_strain", component: XY, group: "square"),
    (name: "sxy", of: "mesh_stress", component: XY, group: "square"),
    (name: "syx", of: "mesh_stress", component: YX, group: "square"),
    (name: "force", of: "reaction", component: X, group: "square.top"),
    (name: "force_up", of: "reaction", component: Y, group: "square.top", reduce: Max),
    (name: "speed", of: "velocity", component: X, group: "square.top"),
    (name: "speed_all", of: "velocity", component: X, group: "square"),
    (name: "x", of: "position", component: X, group: "square.top", reduce: Max),
    (name: "middle", of: "position", component: X, group: "square"),
    (name: "wide", of: "extent", component: X),
    (name: "none", of: "reaction", region: (from: (-9, -9), to: (-8, -8))),
    (name: "nothing", of: "displacement", region: (from: (-9, -9), to: (-8, -8))),
  ]))"#,
        &[],
    );
    let last = steps(&mut run, 100);
    let is = |name: &str, want: f64, scale: f64| near(&run, &last, name, want, scale);
    is("exy", 5e-3, 1.0);
    is("sxy", 4e3, 4e3);
    is("syx", 4e3, 4e3);
    // Forces are means over the last step, of 100: from 0.99 to the whole of the shear.
    is("force", 0.995 * 2e3, 2e3);
    // Each upright side takes as much along y, half at either end.
    is("force_up", 0.995 * 1e3, 1e3);
    is("speed", 1e-3, 1e-3);
    is("speed_all", 0.5e-3, 1e-3);
    is("x", 3.01, 1.0);
    // The centre of mass goes half of the way, from the start, where the top alone moves.
    is("middle", 2.505, 1.0);
    is("wide", 1.01, 1.0);
    is("none", 0.0, 1.0);
    assert_eq!(column(&run, &last, "nothing"), None);
}

/// A disc of 785.4 kg on a block of 1000 kg whose nodes are all held: what pushes held nodes is in `contact_force`, and what holds them bears it.
#[test]
fn a_disc_on_a_held_block() {
    let mut run = build(
        r#"(dimension: 2, gravity: (0, -10), time: (step: 0.01, end: 1),
  materials: {"m": (density: 1000, elastic: (young: 1e6, poisson: 0.25))},
  bodies: [
    (group: "block", material: "m", shape: Mesh(of: Rectangle(size: (1, 1), cells: (1, 1), element: Q4))),
    (group: "disc", material: "m", shape: Disc(radius: 0.5, thickness: 1), at: (0.25, 1.5)),
  ],
  interactions: [(between: ("block", "disc"), law: Coulomb(friction: 0))],
  loads: [(on: "block", load: Fixed())],
  physics: [Contact(tolerance: 1e-12)], output: (probes: [
    (name: "pushed", of: "contact_force", component: Y, group: "block"),
    (name: "pushed_left", of: "contact_force", component: Y, group: "block.left"),
    (name: "held", of: "reaction", component: Y, group: "block"),
    (name: "held_bottom", of: "reaction", component: Y, group: "block.bottom"),
  ]))"#,
        &[],
    );
    let last = steps(&mut run, 5);
    let weight = 1e4 * std::f64::consts::FRAC_PI_4;
    let is = |name: &str, want: f64| near(&run, &last, name, want, 1e4);
    is("pushed", -weight);
    // At a quarter of the side.
    is("pushed_left", -0.75 * weight);
    is("held", weight + 1e4);
    is("held_bottom", 0.5e4);
}

/// Newton's second law of each of two blocks that strike each other, the lower held by its bottom, in every step: Δp = h (reactions + contacts + M g);
/// and what one gives the other takes.
#[test]
fn forces_at_nodes_give_the_momentum() {
    for (more, law) in [("", "Linear"), ("", "NeoHookean"), ("deformable: (scheme: Explicit)", "NeoHookean")] {
        let mut run = build(
            &format!(
                r#"(dimension: 2, gravity: (0, -10), time: (step: 1e-3, end: 1, theta: 0.5),
  materials: {{"m": (density: 1000, elastic: (young: 1e6, poisson: 0.25), solid: (law: {law}))}},
  bodies: [
    (group: "low", material: "m", shape: Mesh(of: Rectangle(size: (1, 0.5), cells: (4, 2), element: Q4))),
    (group: "high", material: "m", shape: Mesh(of: Rectangle(size: (0.5, 0.5), cells: (3, 2), element: Q4)), at: (0.2, 0.505),
     velocity: (1, -2)),
  ],
  interactions: [(between: ("low", "high"), law: Coulomb(friction: 0.3))],
  loads: [(on: "low.bottom", load: Fixed())],
  physics: [Contact(tolerance: 1e-10, watch: (turn: Warn), {more})])"#
            ),
            &[],
        );
        let sum = |run: &Simulation, quantity: MeshQuantity| -> [mpcd_core::Vec3; 2] {
            let meshes = run.meshes_with(&[quantity]);
            [0, 1].map(|k| meshes[k].arrays[0].values.chunks_exact(3).map(|f| mpcd_core::Vec3::new(f[0], f[1], f[2])).sum())
        };
        let velocity = |run: &Simulation| run.world().kinematics.velocity.clone();
        let (mut before, mut pushed) = (velocity(&run), 0.0_f64);
        for _ in 0..40 {
            steps(&mut run, 1);
            let now = velocity(&run);
            let (reaction, contact) = (sum(&run, MeshQuantity::Reaction), sum(&run, MeshQuantity::ContactForce));
            for k in 0..2 {
                let mass = run.setup().bodies.mass[k];
                let forces = reaction[k] + contact[k] + run.setup().gravity * mass;
                let missing = (now[k] - before[k]) * mass / 1e-3 - forces;
                assert!(missing.norm() < 1e-6 * (1e4 + forces.norm()), "{law} {more}: body {k} misses {missing} of {forces}");
            }
            assert!((contact[0] + contact[1]).norm() <= 1e-9 * (1.0 + contact[0].norm()), "{law} {more}: {contact:?}");
            pushed = pushed.max(contact[1].y);
            before = now;
        }
        assert!(pushed > 1e4, "{law} {more}: {pushed}");
    }
}

/// Resumed from a checkpoint, a run shows the same meshes to the last bit before it goes on, and the same history after it.
#[test]
fn resumed_runs_show_the_same() {
    let text = pulled(2, PLANE, "");
    let mut plain = build(&text, &[]);
    steps(&mut plain, 7);
    let mut other = build(&text, &[]);
    other.restore(&plain.save().unwrap()).unwrap();
    let (a, b) = (plain.meshes(), other.meshes());
    assert!(a == b, "the meshes differ");
    let reaction = a[0].array(MeshQuantity::Reaction).unwrap();
    assert!(reaction.values.iter().any(|f| f.abs() > 10.0));

    let parent = tempfile::tempdir().unwrap();
    let history = |name: &str, until: Option<f64>| {
        let folder = parent.path().join(name);
        let options = RunOptions { until, ..RunOptions::new(folder.clone()) };
        let stop = AtomicBool::new(false);
        run(&mut build(&text, &[]), &options, &stop, &mut ()).unwrap();
        if until.is_some() {
            let options = RunOptions { resume: true, until: None, ..options };
            run(&mut build(&text, &[]), &options, &stop, &mut ()).unwrap();
        }
        std::fs::read_to_string(folder.join("history.csv")).unwrap()
    };
    assert_eq!(history("whole", None), history("parts", Some(4.0)));
}

/// What probes cannot show is refused with what to do.
#[test]
fn wrong_probes_of_meshes_are_refused() {
    let scene = |probe: &str| {
        format!(
            r#"(dimension: 2, time: (step: 1, end: 2), materials: {{"m": (density: 1000, elastic: (young: 1e6, poisson: 0.25))}},
  bodies: [(group: "block", material: "m", shape: Mesh(of: {PLANE})), (group: "disc", material: "m", shape: Disc(radius: 1), at: (9, 9))],
  interactions: [(between: ("block", "disc"), law: NoContact)],
  physics: [Contact()], output: (probes: [(name: "p", {probe})]))"#
        )
    };
    let fault = |text: &str| {
        let model = Model::parse_with(text, "m", "m.ron", std::path::Path::new("."), &[], &mpcd::shapes()).unwrap();
        Simulation::build(&model, &Registry::standard()).err().unwrap_or_else(|| panic!("accepted: {text}")).to_string()
    };
    for (probe, says) in [
        (r#"of: "reaction", group: "block.botom""#, ["`botom`", "did you mean `bottom`?"]),
        (r#"of: "displacement", group: "disc""#, ["group \"disc\" has rigid", "Mesh(…)"]),
        (r#"of: "displacement", group: "disc.top""#, ["`disc.top`", "has rigid bodies"]),
        (r#"of: "stress", component: YY, group: "block.top""#, ["whole bodies", "`mesh_stress`"]),
        (r#"of: "mesh_stress", group: "block""#, ["tensor", "component: YY"]),
        (r#"of: "von_mises", group: "block", component: X"#, ["one number", "leave `component` out"]),
        (r#"of: "reaction", group: "block", component: XX"#, ["no tensor", "`Norm`"]),
        (r#"of: "angular_velocity", group: "block""#, ["deformable", "group.part"]),
        (r#"of: "reaction", group: "blok.top""#, ["unknown group", "block"]),
        (r#"of: "von_mise", group: "block""#, ["`von_mise`", "did you mean `von_mises`?"]),
    ] {
        let words = fault(&scene(probe));
        assert!(says.iter().all(|s| words.contains(s)), "{probe}: expected {says:?}:\n{words}");
    }
    let rigid = scene(r#"of: "reaction""#).replace(&format!("Mesh(of: {PLANE})"), "Disc(radius: 1)");
    let words = fault(&rigid);
    assert!(words.contains("the model has none"), "{words}");
}

/// `check` counts the meshes of each group and of all.
#[test]
fn check_counts_meshes() {
    let text = pulled(2, PLANE, "").replace(
        "bodies: [",
        r#"bodies: [(group: "twin", material: "m", shape: Mesh(of: Rectangle(size: (1, 1), cells: (2, 1), element: Q4)), at: (5, 5)), "#,
    );
    let text = text.replace("physics:", r#"interactions: [(between: ("twin", "block"), law: NoContact)], physics:"#);
    let words = describe(&build(&text, &[])).to_string();
    assert!(words.contains("2 bodies (2 deformable, 31 nodes, 18 elements)"), "{words}");
    let line = |group: &str| words.lines().find(|l| l.trim_start().starts_with(group)).unwrap().to_owned();
    assert!(line("block").ends_with("Mesh of m (1 deformable, 25 nodes, 16 elements)"), "{words}");
    assert!(line("twin").ends_with("(1 deformable, 6 nodes, 2 elements)"), "{words}");
}

/// Wall time is told by what it was for: a linear body is factorised in its first step and never again, nor condensed where no new node touches; a body of
/// large strain is factorised in every step. Together they are no more than the time of the module.
#[test]
fn times_of_deformable_bodies_are_told_apart() {
    const PARTS: [&str; 5] = ["bodies assembled", "bodies factorised", "bodies solved", "bodies condensed", "contact of bodies"];
    for (law, again) in [("Linear", false), ("NeoHookean", true)] {
        let text = format!(
            r#"(dimension: 2, gravity: (0, -10), time: (step: 1e-3, end: 1, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e7, poisson: 0.3), solid: (law: {law}))}},
  bodies: [(group: "block", material: "m", shape: Mesh(of: Rectangle(size: (1, 1), cells: (20, 20), element: Q4))),
    (group: "floor", material: "m", shape: Plane(normal: (0, 1)))],
  interactions: [(between: ("block", "floor"), law: Coulomb(friction: 0.3))], physics: [Contact()])"#
        );
        let mut run = build(&text, &[]);
        let times = |run: &Simulation| PARTS.map(|part| run.summary().wall_s[&format!("Contact: {part}")]);
        steps(&mut run, 2);
        let first = times(&run);
        assert!(first.iter().all(|t| *t > 0.0), "{law}: {first:?}");
        steps(&mut run, 5);
        let then = times(&run);
        let grew: Vec<bool> = first.iter().zip(&then).map(|(a, b)| b > a).collect();
        assert_eq!(grew, [true, again, true, true, true], "{law}: {first:?} {then:?}");
        assert!(then.iter().sum::<f64>() <= run.summary().wall_s["Contact"], "{law}: {then:?} {:?}", run.summary().wall_s);
    }
}

/// What presses a round body without friction is its normal force, in the plane and in space, in the measures of forces as in the resultant: the nodes under it lean by x/R.
#[test]
fn forces_of_a_round_body_on_a_mesh_are_along_the_normal_of_what_bears() {
    for (dimension, block, body) in [
        (2, "Rectangle(size: (0.4, 0.2), cells: (20, 10), element: Q4)), at: (-0.2, -0.2)", "Disc(radius: 0.5), at: (0, 0.5)"),
        (2, "Rectangle(size: (0.4, 0.2), cells: (12, 5), element: Q8)), at: (-0.2, -0.2)", "Disc(radius: 0.5), at: (0.003, 0.5)"),
        (
            3,
            "Cuboid(size: (0.4, 0.1, 0.2), cells: (14, 1, 3), element: Hex8)), at: (-0.2, -0.05, -0.2)",
            "Cylinder(radius: 0.5, length: 0.3), rotation: ((1, 0, 0), \"90 deg\"), at: (0.003, 0, 0.5)",
        ),
    ] {
        let (axis, side, held) =
            if dimension == 2 { ("y", "bottom", "X, SpinZ") } else { ("z", "back", "X, Y, SpinX, SpinY, SpinZ") };
        let mut run = build(
            &format!(
                r#"(dimension: {dimension}, time: (step: 0.01, end: 1, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e7, poisson: 0.3)), "r": (density: 1000)}},
  bodies: [(group: "b", material: "m", shape: Mesh(of: {block}), (group: "c", material: "r", shape: {body}, mass: 100)],
  interactions: [(between: ("b", "c"), law: Coulomb(friction: 0))],
  loads: [(on: "b.{side}", load: Fixed), (on: "c", load: Locked(axes: [{held}])), (on: "c", load: Force({axis}: Ramp(from: 0, to: -8000, end: 0.3)))],
  physics: [Contact()],
  output: (probes: [(name: "n", of: "normal_force", reduce: Sum), (name: "t", of: "tangential_force", reduce: Sum)]))"#
            ),
            &[],
        );
        let last = steps(&mut run, 50);
        let [n, t] = ["n", "t"].map(|name| column(&run, &last, name).unwrap());
        assert!((n / 8000.0 - 1.0).abs() < 1e-3, "{body}: {n} N along the normal");
        assert!(t < 8.0, "{body}: {t} N across");
    }
}

/// Two blocks around an axis squeeze a rigid body on it by F: mean pressure over the three axes (Σ ℓ·f)/3V of a ball of radius a is 2aF/3V, of a cylinder of the height 2b 2bF/3V; a tube off the axis, which is
/// pressed above and below, has the same with its ring's volume.
#[test]
fn rigid_bodies_around_an_axis_have_the_pressure_of_what_goes_around() {
    let pi = std::f64::consts::PI;
    let force = pi * 1e5;
    let cases = [
        ("Disc(radius: 0.2)", 0.0, 0.2, 4.0 / 3.0 * pi * 0.008),
        ("Disc(radius: 0.1)", 0.0, 0.1, 4.0 / 3.0 * pi * 0.001),
        ("Disc(radius: 0.1)", 0.5, 0.1, 2.0 * pi * pi * 0.5 * 0.01),
        ("Box(size: (0.4, 0.2))", 0.0, 0.1, pi * 0.04 * 0.2),
        ("Box(size: (0.2, 0.2))", 0.5, 0.1, pi * (0.36 - 0.16) * 0.2),
        ("Polygon(vertices: [(-0.2, -0.1), (0.2, -0.1), (0.2, 0.1), (-0.2, 0.1)])", 0.0, 0.1, pi * 0.04 * 0.2),
    ];
    for (shape, x, half, volume) in cases {
        let text = format!(
            r#"(dimension: 2, time: (step: 0.01, end: 0.3, theta: 1),
            materials: {{"m": (density: 1000, elastic: (young: 2e11, poisson: 0.3), solid: (mass_damping: 1000))}},
            bodies: [(group: "lo", material: "m", shape: Mesh(of: Rectangle(size: (1, 0.5), cells: (20, 6)), plane: Axisymmetric), at: (0, {low})),
              (group: "up", material: "m", shape: Mesh(of: Rectangle(size: (1, 0.5), cells: (20, 6)), plane: Axisymmetric), at: (0, {half})),
              (group: "d", material: "m", shape: {shape}, at: ({x}, 0), mass: 10)],
            interactions: [(between: ("lo", "d"), law: Coulomb(friction: 0)), (between: ("up", "d"), law: Coulomb(friction: 0)), (between: ("up", "lo"), law: NoContact)],
            loads: [(on: "lo.bottom", load: Locked(axes: [Y])), (on: "up.top", load: Pressure(pressure: Ramp(from: 0, to: 1e5, start: 0, end: 0.2))), (on: "d", load: Locked(axes: [X, SpinZ]))],
            physics: [Contact(watch: (stiff_limit: 1e99))],
            output: (probes: [(name: "p", of: "contact_pressure", group: "d")]))"#,
            low = -half - 0.5,
        );
        let mut run = build(&text, &[]);
        let mut pressure = f64::NAN;
        while !run.finished() {
            let step = run.step().unwrap_or_else(|e| panic!("{shape}: {e}"));
            pressure = column(&run, &step, "p").unwrap();
        }
        let wanted = 2.0 * half * force / (3.0 * volume);
        // the nodes of a face lie where the face is, and are as far off as they overlap
        assert!((pressure / wanted - 1.0).abs() < 2e-3, "{shape} at {x}: {pressure} Pa, not {wanted}");
    }
}
