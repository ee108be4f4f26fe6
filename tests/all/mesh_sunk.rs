//! Two meshes with springs between them (`Elastic`) that sink into each other by more than their cells resolve: a constant pressure stays one.

use std::f64::consts::FRAC_PI_4;

use mpcd::StandardRegistry;
use mpcd_sim::{Model, Registry, Simulation, StepOutcome};

use crate::granular::{build, column, steps};

/// Shape, size and element of the pressed block; of the block below; where it is pressed, and what else holds it.
type Pair = (u8, &'static str, &'static str);

const PAIRS: [Pair; 6] = [
    (2, "cells: (2, 1), element: Q4", "cells: (3, 1), element: Q4"),
    (2, "cells: (5, 1), element: T3", "cells: (2, 1), element: Q4"),
    (2, "cells: (2, 1), element: Q8", "cells: (3, 1), element: T6"),
    (3, "cells: (2, 1, 2), element: Hex8", "cells: (3, 1, 3), element: Hex8"),
    (3, "cells: (3, 1, 2), element: Tet4", "cells: (2, 1, 1), element: Hex8"),
    (3, "cells: (2, 1, 1), element: Hex20", "cells: (3, 1, 2), element: Hex8"),
];

/// A block of half a metre on another, of ν = 0, at a pressure; the springs have 10⁷ N/m for 1 m².
fn pressed((dimension, high, low): Pair, pressure: f64, physics: &str, probes: &str) -> String {
    let (shape, size, up, more) = if dimension == 2 {
        ("Rectangle", "(1, 0.5)", "(0, 0.5)", "")
    } else {
        ("Cuboid", "(1, 0.5, 1)", "(0, 0.5, 0)", r#"(on: "high.back", load: Locked(axes: [Z])),"#)
    };
    format!(
        r#"(dimension: {dimension}, time: (step: 0.1, end: 10, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e8, poisson: 0), thermal: (conductivity: 50, specific_heat: 500), electrical: (conductivity: 1e6))}},
  bodies: [(group: "low", material: "m", shape: Mesh(of: {shape}(size: {size}, {low}))),
    (group: "high", material: "m", shape: Mesh(of: {shape}(size: {size}, {high})), at: {up})],
  interactions: [(between: ("low", "high"), law: Elastic(stiffness: 1e7, friction: 0))],
  loads: [(on: "low.bottom", load: Fixed), (on: "high.left", load: Locked(axes: [X])), {more} (on: "high.top", load: Pressure(pressure: {pressure}))],
  physics: [Contact(tolerance: 1e-10){physics}], output: (probes: [{probes}]))"#
    )
}

const STRESSES: &str = r#"(name: "least", of: "mesh_stress", component: YY, reduce: Min), (name: "most", of: "mesh_stress", component: YY, reduce: Max)"#;

fn found(run: &Simulation, last: &StepOutcome, name: &str) -> f64 {
    column(run, last, name).unwrap()
}

/// σ = −p everywhere, and the two sink into each other by p/k, from 10⁻⁴ m to a fifth of a block.
#[test]
fn a_pressure_passes_however_deep_meshes_sink() {
    for pair in PAIRS {
        for pressure in [1e3, 3e4, 4e4, 1e5, 1e6] {
            let more = r#", (name: "down", of: "displacement", component: Y, group: "high.bottom"), (name: "below", of: "displacement", component: Y, group: "low.top")"#;
            let mut run = build(&pressed(pair, pressure, "", &format!("{STRESSES}{more}")), &[]);
            let last = steps(&mut run, 30);
            for name in ["least", "most"] {
                let stress = found(&run, &last, name);
                assert!((stress / pressure + 1.0).abs() < 1e-6, "{pair:?} at {pressure} Pa: {name} {stress}");
            }
            let sunk = found(&run, &last, "below") - found(&run, &last, "down");
            assert!((sunk * 1e7 / pressure - 1.0).abs() < 1e-6, "{pair:?} at {pressure} Pa: {sunk} m");
        }
    }
}

/// At 10⁵ Pa, a hundredth of a metre deep: h = 50 (p/10⁴)^0.95, 100 K over ½/50 twice and 1/h; 10⁴ A over the law's 2·10⁴ √F.
#[test]
fn heat_and_current_pass_however_deep_meshes_sink() {
    for pair in PAIRS {
        let physics = r#", Electrical(law: Power(scale: 2e4, exponent: 0.5), potential: [(group: "low.bottom", value: 0)], current: [(group: "high.top", value: 1e4)]),
  Thermal(law: PressurePower(coefficient: 50, reference: 1e4, exponent: 0.95), time_scale: 1e7, coupling: (joule: false),
    boundary: [Temperature(group: "high.top", value: 400), Temperature(group: "low.bottom", value: 300)])"#;
        let probes = ["mesh_temperature", "mesh_potential"].map(|of| {
            ["high.bottom", "low.top"].map(|side| {
                ["Min", "Max"]
                    .map(|how| format!(r#"(name: "{of} {side} {how}", of: "{of}", group: "{side}", reduce: {how}),"#))
                    .concat()
            })
        });
        let mut run = build(&pressed(pair, 1e5, physics, &probes.concat().concat()), &[]);
        let last = steps(&mut run, 40);
        let h = 50.0 * f64::powf(10.0, 0.95);
        let heat = 100.0 / (2.0 * 0.5 / 50.0 + 1.0 / h);
        let (below, across) = (1e4 * 0.5 / 1e6, 1e4 / (2e4 * f64::sqrt(1e5)));
        for (name, want, scale) in [
            ("mesh_temperature high.bottom", 400.0 - heat * 0.5 / 50.0, 100.0),
            ("mesh_temperature low.top", 300.0 + heat * 0.5 / 50.0, 100.0),
            ("mesh_potential high.bottom", below + across, below),
            ("mesh_potential low.top", below, below),
        ] {
            for how in ["Min", "Max"] {
                let value = found(&run, &last, &format!("{name} {how}"));
                assert!((value - want).abs() < 1e-6 * scale, "{pair:?}: {name} {how} {value}, expected {want}");
            }
        }
    }
}

/// Turned in the plane, and in space about two axes, with friction: the same stress in as many contacts.
#[test]
fn a_turned_scene_has_the_same_contacts() {
    for (dimension, high, low) in [PAIRS[0], PAIRS[1], PAIRS[3]] {
        let mut first = None;
        for angle in [0.0, FRAC_PI_4, 0.6] {
            let (shape, size) = if dimension == 2 { ("Rectangle", "(1, 0.5)") } else { ("Cuboid", "(1, 0.5, 1)") };
            let (sine, cosine) = f64::sin_cos(angle);
            let (up, turn) = if dimension == 2 {
                (format!("({}, {})", -0.5 * sine, 0.5 * cosine), format!("{angle}"))
            } else {
                (format!("({}, {}, 0)", -0.5 * sine, 0.5 * cosine), format!("((0, 0, 1), {angle})"))
            };
            let model = format!(
                r#"(dimension: {dimension}, time: (step: 0.1, end: 10, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e8, poisson: 0))}},
  bodies: [(group: "low", material: "m", shape: Mesh(of: {shape}(size: {size}, {low})), rotation: {turn}),
    (group: "high", material: "m", shape: Mesh(of: {shape}(size: {size}, {high})), at: {up}, rotation: {turn})],
  interactions: [(between: ("low", "high"), law: Elastic(stiffness: 1e7, friction: 0.9))],
  loads: [(on: "low.bottom", load: Fixed), (on: "high.top", load: Pressure(pressure: 1e5))],
  physics: [Contact(tolerance: 1e-10)], output: (probes: [
    (name: "least", of: "von_mises", reduce: Min), (name: "most", of: "von_mises", reduce: Max)]))"#
            );
            let mut run = build(&model, &[]);
            let last = steps(&mut run, 30);
            for name in ["least", "most"] {
                let stress = found(&run, &last, name);
                assert!((stress / 1e5 - 1.0).abs() < 1e-6, "{high} on {low}, {angle} rad: {name} {stress}");
            }
            let count = run.world().network.len();
            assert_eq!(*first.get_or_insert(count), count, "{high} on {low}, {angle} rad");
        }
    }
}

/// A thorn of 2 mm on the coarser side, which the integrals of the joint pass over, stands out by 2 cm: it is a contact of its own, however deep the two are.
#[test]
fn a_thorn_of_the_coarser_side_is_a_contact() {
    let folder = tempfile::tempdir().unwrap();
    let thorn = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n1 2 \"bottom\"\n2 1 \"all of it\"\n$EndPhysicalNames\n$Nodes\n8\n1 0 0 0\n2 0.5 0 0\n3 1 0 0\n\
        4 1 0.5 0\n5 0.501 0.5 0\n6 0.5 0.52 0\n7 0.499 0.5 0\n8 0 0.5 0\n$EndNodes\n$Elements\n8\n1 1 2 2 2 1 2\n2 1 2 2 2 2 3\n3 2 2 1 1 1 2 8\n\
        4 2 2 1 1 2 7 8\n5 2 2 1 1 2 5 7\n6 2 2 1 1 7 5 6\n7 2 2 1 1 2 4 5\n8 2 2 1 1 2 3 4\n$EndElements\n";
    std::fs::write(folder.path().join("thorn.msh"), thorn).unwrap();
    for pressure in [1e3, 1e5] {
        let text = format!(
            r#"(dimension: 2, time: (step: 0.1, end: 10, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e8, poisson: 0))}},
  bodies: [(group: "low", material: "m", shape: Mesh(of: Gmsh(file: "thorn.msh"))),
    (group: "high", material: "m", shape: Mesh(of: Rectangle(size: (1, 0.5), cells: (3, 1), element: Q4)), at: (0, 0.5))],
  interactions: [(between: ("low", "high"), law: Elastic(stiffness: 1e7, friction: 0))],
  loads: [(on: "low.bottom", load: Fixed), (on: "high.left", load: Locked(axes: [X])), (on: "high.top", load: Pressure(pressure: {pressure}))],
  physics: [Contact(tolerance: 1e-10)])"#
        );
        let model = Model::parse_with(&text, "m", "m.ron", folder.path(), &[], &mpcd::shapes());
        let mut run = model.and_then(|m| Simulation::build(&m, &Registry::standard())).unwrap();
        steps(&mut run, 30);
        let contacts = &run.world().network;
        let deepest = contacts.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)).unwrap();
        // four nodes of the joint, and the tip
        assert_eq!(contacts.len(), 5, "{pressure} Pa");
        let even = -pressure / 1e7;
        assert!((deepest.gap - even + 0.02).abs() < 2e-3, "{pressure} Pa: {} m deep, {even} m without it", deepest.gap);
        assert!((deepest.point.x - 0.5).abs() < 1e-3, "{pressure} Pa: at {}", deepest.point.x);
    }
}
