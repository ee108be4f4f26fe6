//! What is no grain to the pore fluid: walls outside of the grid, whose size and thickness are none of the fluid's; what may not move into it unseen; pistons that leave the end they close; what stops a run at once.

use crate::granular::{build, column};

/// The last value of a column after a run.
fn last(text: &str, name: &str) -> f64 {
    let mut run = build(text, &[]);
    let mut out = f64::NAN;
    while !run.finished() {
        let step = run.step().unwrap_or_else(|e| panic!("{e}\n{text}"));
        out = column(&run, &step, name).unwrap();
    }
    out
}

/// How a run ends that is refused on its way, and when.
fn refused(text: &str) -> (String, f64) {
    let mut run = build(text, &[]);
    while !run.finished() {
        if let Err(e) = run.step() {
            return (e.to_string(), run.time());
        }
    }
    panic!("not refused:\n{text}");
}

/// Water pressed by 100 Pa through a bed of 6 × 6 (× 6) balls of 2 mm, whatever stands outside: Q = κ(φ)/η · Δp/L · A with κ = d² φ³/(180 (1 − φ)²), φ = 1 − π/6, over what the balls are thick, or as wide.
#[test]
fn what_stands_outside_of_the_fluid_is_none_of_its_grains() {
    let (edge, d, eta) = (0.012_f64, 0.002_f64, 1e-3_f64);
    let phi = 1.0 - std::f64::consts::PI / 6.0;
    let kappa = d * d * phi.powi(3) / (180.0 * (1.0 - phi) * (1.0 - phi));
    for dimension in [2, 3] {
        let (corner, to, key, wall) = match dimension {
            2 => ("(0, 0)", "(0.012, 0.012)", "y", "at: (0.006, -0.06)"),
            _ => ("(0, 0, 0)", "(0.012, 0.012, 0.012)", "z", "at: (0.006, 0.006, -0.06)"),
        };
        let spherical = if dimension == 2 { ", as: Sphere" } else { "" };
        let planar = if dimension == 2 { "monolayer: true," } else { "" };
        let area = edge * if dimension == 2 { d } else { edge };
        let wanted = kappa / eta * 100.0 / edge * area;
        let walls = match dimension {
            2 => ["", "Box(size: (0.1, 0.02))", "Polygon(vertices: [(-0.05, -0.01), (0.05, -0.01), (0, 0.01)])"],
            _ => ["", "Box(size: (0.1, 0.1, 0.02))", "Cylinder(radius: 0.05, length: 0.01)"],
        };
        for shape in walls {
            for named in ["", r#"grains: ["beads"],"#] {
                let body = if shape.is_empty() {
                    String::new()
                } else {
                    format!(r#"(group: "table", material: "m", shape: {shape}, {wall}),"#)
                };
                let held = if shape.is_empty() { "" } else { r#"(on: "table", load: Fixed)"# };
                let text = format!(
                    r#"(dimension: {dimension}, time: (step: 0.001, end: 0.002), materials: {{"m": (density: 2500)}},
                    bodies: [(group: "beads", material: "m", packing: Lattice(from: {corner}, to: {to}, sizes: Fixed(radius: 0.001)){spherical}), {body}],
                    interactions: [(between: ("beads", "beads"), law: Coulomb(friction: 0)){also}], loads: [(on: "beads", load: Fixed), {held}],
                    physics: [Contact(), Darcy(grid: (from: {corner}, to: {to}, cell: 0.002), fluid: Liquid(viscosity: {eta}), {planar} {named}
                    boundaries: ({key}_min: Pressure(100), {key}_max: Pressure(0)))])"#,
                    also = if shape.is_empty() { "" } else { r#", (between: ("beads", "table"), law: NoContact)"# },
                );
                let inflow = last(&text, &format!("inflow_{key}_min"));
                assert!(
                    (inflow / wanted - 1.0).abs() < 1e-6,
                    "{dimension}D beside {shape:?} {named}: {inflow:e} m³/s, not {wanted:e}"
                );
            }
        }
    }
}

/// A body that falls into the fluid without being a grain of it is refused, whatever its shape, and one that falls past it is not.
#[test]
fn nothing_moves_into_the_fluid_unseen() {
    let falling = |dimension: usize, shape: &str, grains: &str, x: f64| {
        let (up, at, to, bead, top) = match dimension {
            2 => ("(0, -9.81)", format!("({x}, 0.047)"), "(0.02, 0.04)", "Disc(radius: 0.002), at: (0.004, 0.01)", "y"),
            _ => (
                "(0, 0, -9.81)",
                format!("({x}, 0.012, 0.047)"),
                "(0.02, 0.02, 0.04)",
                "Sphere(radius: 0.002), at: (0.004, 0.004, 0.01)",
                "z",
            ),
        };
        format!(
            r#"(dimension: {dimension}, gravity: {up}, time: (step: 0.001, end: 0.08), materials: {{"m": (density: 2500)}},
            bodies: [(group: "d", material: "m", shape: {bead}), (group: "c", material: "m", shape: {shape}, at: {at})],
            interactions: [(between: ("d", "c"), law: NoContact)], loads: [(on: "d", load: Fixed)],
            physics: [Contact(), Darcy(grid: (from: {from}, to: {to}, cell: 0.005), fluid: Liquid(), permeability: Given(1e-9), {grains} boundaries: ({top}_max: Pressure(0)))])"#,
            from = if dimension == 2 { "(0, 0)" } else { "(0, 0, 0)" },
        )
    };
    let walls = [
        (3, "Cylinder(radius: 0.004, length: 0.01)"),
        (3, "Capsule(radius: 0.004, length: 0.004)"),
        (3, "Ellipsoid(radii: (0.004, 0.003, 0.004))"),
        (3, "Box(size: (0.008, 0.008, 0.008))"),
        (2, "Capsule(radius: 0.004, length: 0.004)"),
        (2, "Box(size: (0.008, 0.008))"),
    ];
    let named = r#"grains: ["d"],"#;
    let round = [
        (3, "Sphere(radius: 0.004)"),
        (2, "Disc(radius: 0.004)"),
        (3, "HollowCylinder(radius: 0.004, length: 0.008, wall: 0.001)"),
    ];
    for ((dimension, shape), grains) in
        walls.map(|w| (w, "")).into_iter().chain(walls.into_iter().chain(round).map(|w| (w, named)))
    {
        let (words, time) = refused(&falling(dimension, shape, grains, 0.012));
        assert!(words.contains("(group \"c\") moves into the pore grid"), "{dimension}D {shape} {grains}: {words}");
        // its lowest point is 2 to 4 mm above the fluid, and some of it may be in before its middle is, 7 mm above it
        assert!(time > 0.0195 && time < 0.04, "{dimension}D {shape} {grains}: refused at {time} s");
        last(&falling(dimension, shape, grains, 0.03), "pressure_min");
    }
}

/// A lid that is driven aside by more than its overlap and a tenth of the vessel does not seal it any more.
#[test]
fn a_lid_beside_its_vessel_seals_nothing() {
    let vessel = |dimension: usize, piston: &str, way: f64| {
        let (from, to, at, up, lid) = match dimension {
            2 => ("(0, 0)", "(0.02, 0.04)", "(0.01, 0.045)", "y", "Box(size: (0.03, 0.01))"),
            _ => ("(0, 0, 0)", "(0.02, 0.02, 0.04)", "(0.01, 0.01, 0.045)", "z", "Box(size: (0.03, 0.03, 0.01))"),
        };
        let rest = if dimension == 2 { "y: 0, spin_z: 0" } else { "y: 0, z: 0, spin_x: 0, spin_y: 0, spin_z: 0" };
        let bead = if dimension == 2 {
            "Disc(radius: 0.002), at: (0.004, 0.01)"
        } else {
            "Sphere(radius: 0.002), at: (0.004, 0.004, 0.01)"
        };
        let boundary = if piston.is_empty() { String::new() } else { format!("boundaries: ({up}_max: {piston}),") };
        format!(
            r#"(dimension: {dimension}, time: (step: 0.001, end: 0.02), materials: {{"m": (density: 2500)}},
            bodies: [(group: "d", material: "m", shape: {bead}), (group: "lid", material: "m", shape: {lid}, at: {at})],
            interactions: [(between: ("d", "lid"), law: NoContact)], loads: [(on: "d", load: Fixed), (on: "lid", load: Velocity(x: {v}, {rest}))],
            physics: [Contact(), Darcy(grid: (from: {from}, to: {to}, cell: 0.005), fluid: Gas(), permeability: Given(1e-9), grains: ["d"], initial: Uniform("2 bar"), {boundary})])"#,
            v = way / 0.02,
        )
    };
    for dimension in [2, 3] {
        for piston in ["", r#"Piston(group: "lid", outside: "1 bar")"#] {
            for way in [0.0069, -0.0069] {
                let pressure = last(&vessel(dimension, piston, way), "pressure_max");
                assert!((pressure / 2e5 - 1.0).abs() < 1e-9, "{dimension}D {piston} {way}: {pressure} Pa");
            }
            for way in [0.008, -0.008] {
                let (words, time) = refused(&vessel(dimension, piston, way));
                assert!(
                    words.contains("has moved aside by more than a tenth of the grid"),
                    "{dimension}D {piston} {way}: {words}"
                );
                assert!((time - 0.0175).abs() < 1.1e-3, "{dimension}D {piston} {way}: {time} s");
            }
        }
    }
}

/// What stands around the fluid, and what passes beside it askew, moves into it as little as it did before.
#[test]
fn vessels_and_what_passes_beside_the_fluid_are_not_refused() {
    let beside = |dimension: usize, shape: &str, load: &str| {
        let (bead, from, to, rest) = match dimension {
            2 => ("Disc(radius: 0.002), at: (0.004, 0.01)", "(0, 0)", "(0.02, 0.04)", ""),
            _ => (
                "Sphere(radius: 0.002), at: (0.004, 0.004, 0.01)",
                "(0, 0, 0)",
                "(0.02, 0.02, 0.04)",
                ", z: 0, spin_x: 0, spin_y: 0",
            ),
        };
        format!(
            r#"(dimension: {dimension}, time: (step: 0.001, end: 0.01), materials: {{"m": (density: 2500)}},
            bodies: [(group: "d", material: "m", shape: {bead}), (group: "w", material: "m", shape: {shape})],
            interactions: [(between: ("d", "w"), law: NoContact)], loads: [(on: "d", load: Fixed), (on: "w", load: Velocity({load}{rest}))],
            physics: [Contact(), Darcy(grid: (from: {from}, to: {to}, cell: 0.005), fluid: Gas(), permeability: Given(1e-9), initial: Uniform("2 bar"), grains: ["d"])])"#
        )
    };
    for text in [
        beside(2, "HollowDisc(radius: 0.06, wall: 0.002), at: (0.01, 0.02)", "x: 0, y: 0, spin_z: 1"),
        beside(3, "HollowSphere(radius: 0.06, wall: 0.002), at: (0.01, 0.01, 0.02)", "x: 0, y: 0, spin_z: 1"),
        beside(3, "HollowCylinder(radius: 0.06, length: 0.1, wall: 0.002), at: (0.01, 0.01, 0.02)", "x: 0, y: 0.001, spin_z: 0"),
        // its nearest side is 4.7 mm from the corner
        beside(2, "Box(size: (0.04, 0.002)), at: (0.024, 0.044), rotation: -0.785398163", "x: 0.001, y: 0, spin_z: 0"),
    ] {
        let pressure = last(&text, "pressure_max");
        assert!((pressure / 2e5 - 1.0).abs() < 1e-12, "{pressure} Pa\n{text}");
    }
}

/// A lid that is no end of the fluid and is driven into it does so in shorter steps as well, and a current that has no return from the start on finds none: the run stops at once.
#[test]
fn what_no_shorter_step_avoids_stops_at_once() {
    let lid = r#"(dimension: 3, time: (step: 0.005, end: 1), materials: {"m": (density: 2000)},
        bodies: [(group: "lid", material: "m", shape: Box(size: (0.3, 0.1, 0.4)), mass: 2, at: (0.25, 1.05, 0.2))],
        loads: [(on: "lid", load: Velocity(x: 0, y: -0.05, z: 0, spin_x: 0, spin_y: 0, spin_z: 0))],
        physics: [Contact(), Darcy(grid: (from: (0, 0, 0), to: (0.5, 1, 0.4), cells: (2, 10, 2)), fluid: Gas(), permeability: Given(1e-4), boundaries: (y_max: Wall), grains: [])])"#;
    let current = r#"(dimension: 3, time: (step: 0.001, end: 0.005), materials: {"m": (density: 8000, elastic: (young: 2e11, poisson: 0.3), electrical: (conductivity: 1e6))},
        bodies: [(group: "a", material: "m", shape: Sphere(radius: 0.01)), (group: "b", material: "m", shape: Sphere(radius: 0.02), at: (0.04, 0, 0))],
        interactions: [(between: ("a", "b"), law: Coulomb(friction: 0.3))],
        physics: [Contact(), Electrical(law: Constant(conductance: 100), potential: [(group: "a", value: 0)], current: [(group: "b", value: 1)])])"#;
    for (text, words) in [(lid, "moves into the pore grid"), (current, "has no return")] {
        let (said, _) = refused(text);
        assert!(said.contains(words) && !said.contains("halved"), "{said}");
    }
}
