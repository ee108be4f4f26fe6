//! A conductance that is the same for every contact (`Constant`, of current and of heat) beside meshes: what lies on a mesh passes it once, whatever the
//! cells below it and however many of its points bear.

use mpcd_sim::Simulation;

use crate::granular::{build, column, steps};

/// Current conductance (S) and heat conductance (W/K) of a pair.
const CURRENT: f64 = 10.0;
const HEAT: f64 = 5.0;

/// What lies on a slab under gravity, come to rest, the slab at 1 V and 301 K, the other at 0 V and 300 K: the conductances of both kinds.
fn conducted(space: usize, lower: &str, upper: &str, loads: &str) -> [f64; 2] {
    let (down, fixed) = if space == 2 { ("(0, -10)", "bottom") } else { ("(0, 0, -10)", "back") };
    let fixed = if lower.contains("Mesh(") { format!("low.{fixed}") } else { "low".to_owned() };
    let fixed = if lower.contains("Plane(") { String::new() } else { format!("(on: \"{fixed}\", load: Fixed),") };
    let materials = ["m", "r"].map(|name| {
        format!(
            "\"{name}\": (density: 1000, elastic: (young: 1e7, poisson: 0.2), electrical: (conductivity: 1e9), thermal: (conductivity: 1e9, specific_heat: 1))"
        )
    });
    let mut run = build(
        &format!(
            "(dimension: {space}, gravity: {down}, time: (step: 5e-3, end: 1, theta: 1), materials: {{{}}},\n\
             bodies: [(group: \"low\", material: \"m\", {lower}), (group: \"high\", material: \"r\", {upper})],\n\
             interactions: [(between: (\"low\", \"high\"), law: Coulomb(friction: 0.5))], loads: [{fixed} {loads}],\n\
             physics: [Contact(), Electrical(law: Constant(conductance: {CURRENT}), potential: [(group: \"low\", value: 1), (group: \"high\", value: 0)]),\n\
               Thermal(law: Constant(conductance: {HEAT}), temperature: 300, boundary: [Temperature(group: \"low\", value: 301), Temperature(group: \"high\", value: 300)])])",
            materials.join(", ")
        ),
        &[],
    );
    let last = steps(&mut run, 100);
    [1.0 / column(&run, &last, "resistance").unwrap(), heat(&run)]
}

/// Heat (W) that passes from the first body to the second.
fn heat(run: &Simulation) -> f64 {
    let sign = |first: bool| if first { 1.0 } else { -1.0 };
    run.field("heat").unwrap().iter().zip(run.world().network.iter()).map(|(q, c)| q * sign(c.key.candidate.0 == 0)).sum()
}

/// Slabs of a cell, of a few and of many below what lies on them, rigid ones beside them: in the plane and in space.
fn slabs(space: usize) -> Vec<String> {
    let plane = |n: usize, element: &str| {
        let up = (n / 4).max(1);
        format!("shape: Mesh(of: Rectangle(size: (1, 0.3), cells: ({n}, {up}), element: {element})), at: (-0.47, -0.3)")
    };
    let solid = |n: usize, element: &str| {
        let up = (n / 4).max(1);
        format!(
            "shape: Mesh(of: Cuboid(size: (1, 1, 0.3), cells: ({n}, {n}, {up}), element: {element})), at: (-0.47, -0.52, -0.3)"
        )
    };
    let surface = "shape: Surface(vertices: [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], triangles: [(0, 1, 2), (0, 2, 3)])";
    if space == 2 {
        let rigid = ["shape: Plane(normal: (0, 1))", "shape: Box(size: (1, 0.3)), at: (0, -0.15)"].map(str::to_owned);
        [plane(2, "Q4"), plane(9, "Q4"), plane(40, "Q4"), plane(9, "Q8")].into_iter().chain(rigid).collect()
    } else {
        let rigid =
            ["shape: Plane(normal: (0, 0, 1))", "shape: Box(size: (1, 1, 0.3)), at: (0, 0, -0.15)", surface].map(str::to_owned);
        [solid(2, "Hex8"), solid(9, "Hex8"), solid(3, "Hex20"), solid(4, "Tet4")].into_iter().chain(rigid).collect()
    }
}

/// The constant is that of the pair, not of its points: it went to all points of a patch by their areas, those with a gap as well, so that a capsule across
/// a fine mesh conducted a tenth of it, and to each end of one on a coarse mesh.
#[test]
fn a_pair_conducts_its_constant_once() {
    let turned = "rotation: ((0, 0, 1), \"25 deg\")";
    let capsule = "shape: Capsule(radius: 0.1, length: 0.4)";
    let cases = [
        (2, "shape: Disc(radius: 0.1), at: (0.013, 0.1)".to_owned()),
        (2, "shape: Capsule(radius: 0.1, length: 0.2), at: (0.013, 0.1)".to_owned()),
        (2, "shape: Box(size: (0.3, 0.2)), at: (0.013, 0.1)".to_owned()),
        (2, "shape: Mesh(of: Rectangle(size: (0.3, 0.2), cells: (5, 3), element: Q4)), at: (-0.13, 0)".to_owned()),
        (2, "shape: Mesh(of: Rectangle(size: (0.3, 0.2), cells: (5, 3), element: Q8)), at: (-0.13, 0)".to_owned()),
        (3, "shape: Sphere(radius: 0.1), at: (0.013, 0.007, 0.1)".to_owned()),
        (3, format!("{capsule}, at: (0.013, 0.007, 0.1)")),
        (3, format!("{capsule}, {turned}, at: (0.013, 0.007, 0.1)")),
        (3, "shape: Cylinder(radius: 0.1, length: 0.4), rotation: ((1, 0, 0), \"90 deg\"), at: (0.013, 0.007, 0.1)".to_owned()),
        (3, "shape: Box(size: (0.3, 0.2, 0.2)), at: (0.013, 0.007, 0.1)".to_owned()),
        (3, format!("shape: Box(size: (0.3, 0.2, 0.2)), {turned}, at: (0.013, 0.007, 0.1)")),
        (3, "shape: Mesh(of: Cuboid(size: (0.3, 0.3, 0.2), cells: (3, 3, 2), element: Hex8)), at: (-0.13, -0.12, 0)".to_owned()),
    ];
    for (k, (space, upper)) in cases.into_iter().enumerate() {
        // every second of the pairs, each body on some and each slab under some
        for (_, lower) in slabs(space).into_iter().enumerate().filter(|(l, _)| (k + l) % 2 == 0) {
            let [current, heat] = conducted(space, &lower, &upper, "");
            assert!((current / CURRENT - 1.0).abs() < 1e-6, "{upper} on {lower}: {current} S");
            assert!((heat / HEAT - 1.0).abs() < 1e-6, "{upper} on {lower}: {heat} W/K");
        }
    }
}

/// Held a little askew, so that one end or edge bears.
#[test]
fn a_tilt_does_not_change_the_constant() {
    for (space, upper) in [
        (2, "shape: Box(size: (0.3, 0.2)), rotation: \"0.02 deg\", at: (0.013, 0.101)"),
        (2, "shape: Capsule(radius: 0.1, length: 0.2), rotation: \"0.02 deg\", at: (0.013, 0.101)"),
        (3, "shape: Box(size: (0.3, 0.2, 0.2)), rotation: ((0, 1, 0), \"0.02 deg\"), at: (0.013, 0.007, 0.101)"),
        (3, "shape: Capsule(radius: 0.1, length: 0.4), rotation: ((0, 1, 0), \"0.02 deg\"), at: (0.013, 0.007, 0.101)"),
    ] {
        for lower in slabs(space) {
            let loads = if space == 2 {
                "(on: \"high\", load: Locked(axes: [SpinZ]))"
            } else {
                "(on: \"high\", load: Locked(axes: [SpinX, SpinY, SpinZ]))"
            };
            let [current, heat] = conducted(space, &lower, upper, loads);
            assert!((current / CURRENT - 1.0).abs() < 1e-6, "{upper} on {lower}: {current} S");
            assert!((heat / HEAT - 1.0).abs() < 1e-6, "{upper} on {lower}: {heat} W/K");
        }
    }
}

/// Two bars crossed, face on face, or a cube on a slab, pressed by a force: whatever their cells and their turn, the contact has the conductance that its law
/// says of one patch under that force. What the bodies and the constriction resist is the same for every law, and is taken off by one that conducts without end.
/// Crossed bars bend and lift in part, so that laws by area are held to on the slab alone, where all of the face of the cube touches.
#[test]
fn laws_of_a_patch_are_those_of_the_patch_between_meshes_that_do_not_match() {
    let (force, side) = (1000.0_f64, 0.2_f64);
    let resist = |[lower, upper]: [&str; 2], on_slab: bool, angle: f64, current: &str, heat: &str| {
        // the middle of the upper body stays over that of the lower one
        let (sin, cos) = angle.sin_cos();
        let ([across, along], [x, z]) = if on_slab { ([0.6, 0.2], [0.3, 0.3]) } else { ([0.2, 0.6], [0.3, 0.1]) };
        let (x, z) = (x - 0.1 * cos - 0.5 * along * sin, z - 0.5 * along * cos + 0.1 * sin);
        let mut run = build(
            &format!(
                r#"(dimension: 3, time: (step: 0.01, end: 1, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: 0), solid: (mass_damping: 50), electrical: (conductivity: 1e6), thermal: (conductivity: 1e6, specific_heat: 1e-3))}},
  bodies: [(group: "low", material: "m", shape: Mesh(of: Cuboid(size: (0.6, 0.2, {across}), {lower}))),
    (group: "high", material: "m", shape: Mesh(of: Cuboid(size: (0.2, 0.2, {along}), {upper})), at: ({x}, 0.2, {z}), rotation: ((0, 1, 0), {angle}))],
  interactions: [(between: ("low", "high"), law: Coulomb(friction: 0.3))],
  loads: [(on: "low.bottom", load: Fixed), (on: "high.top", load: Traction(y: {}))],
  physics: [Contact(),
    Electrical(law: {current}, potential: [(group: "low.bottom", value: 0)], current: [(group: "high.top", value: 10, spread: Equipotential)]),
    Thermal(law: {heat}, coupling: (friction: false, impact: false, joule: false, dilatation: false), temperature: 300,
      boundary: [Temperature(group: "low.bottom", value: 300), Temperature(group: "high.top", value: 301)])])"#,
                -force / (side * along)
            ),
            &[],
        );
        let last = steps(&mut run, 30);
        [column(&run, &last, "resistance").unwrap(), 1.0 / heat_through(&run)]
    };
    let holm = 2.0 * 1e6 * (force / (std::f64::consts::PI * 1e9)).sqrt();
    let area = side * side;
    // of a force F on the area A: Holm's spot 2 a σ with a = √(F/(π H)), s F^e, A h (F/A)^e
    let laws = [
        ("Constant(conductance: 1e3)", "Constant(conductance: 1e3)", [1e3; 2], false),
        (
            "Holm(hardness: 1e9)",
            "PressurePower(coefficient: 1, reference: 1, exponent: 0.5)",
            [holm, (force * area).sqrt()],
            true,
        ),
        (
            "Power(scale: 0.1, exponent: 0.4)",
            "PressurePower(coefficient: 1, reference: 1)",
            [0.1 * force.powf(0.4), force.powf(0.95) * area.powf(0.05)],
            true,
        ),
    ];
    let mut missed = Vec::new();
    for (number, cells) in [
        ["cells: (3, 1, 1), element: Hex8", "cells: (1, 1, 3), element: Hex8"],
        ["cells: (3, 2, 2), element: Hex20", "cells: (2, 2, 5), element: Hex8"],
        ["cells: (5, 2, 5), element: Tet10", "cells: (1, 1, 3), element: Hex20"],
        ["cells: (3, 1, 1), element: Tet4", "cells: (1, 1, 5), element: Tet4"],
    ]
    .into_iter()
    .enumerate()
    {
        // two of the three ways of each pair of meshes, in turn
        for (_, (on_slab, angle)) in
            [(false, 0.5), (true, 0.0), (true, 0.5)].into_iter().enumerate().filter(|(way, _)| (number + way) % 3 != 0)
        {
            let free = resist(cells, on_slab, angle, "Constant(conductance: 1e9)", "Constant(conductance: 1e9)");
            for (current, heat, expected, by_area) in laws {
                let found = resist(cells, on_slab, angle, current, heat);
                for k in 0..if by_area && !on_slab { 1 } else { 2 } {
                    let conductance = 1.0 / (found[k] - free[k]);
                    // The four corners of a face of three Hex20 lift, as an even pressure would have to pull there: 1/9 of the area, of the root of which laws go
                    // that are farthest from linear.
                    let lifts = by_area && k == 1 && cells[1].contains("Hex20");
                    let limit = if lifts { 1.0 - (8.0_f64 / 9.0).sqrt() + 1e-3 } else { 0.03 };
                    if (conductance / expected[k] - 1.0).abs() > limit {
                        let (law, body) = ([current, heat][k], if on_slab { "a slab" } else { "a bar" });
                        missed.push(format!("{cells:?}, {body}, {angle} rad, {law}: {conductance} of {}", expected[k]));
                    }
                }
            }
        }
    }
    assert!(missed.is_empty(), "{} missed:\n{}", missed.len(), missed.join("\n"));
}

/// Heat (W) from the second body to the first.
fn heat_through(run: &Simulation) -> f64 {
    -heat(run)
}

/// A contact that conducts a million times more than what it joins, over steps in which all becomes steady: temperatures of weighted means of nodes that differ by
/// a billionth of what their nodes differ by. Heat is balanced to the tolerance by default, in bars laid on each other and across, and passes as in one bar.
#[test]
fn heat_is_balanced_across_contacts_that_hardly_resist() {
    let (young, drop) = (1e9, 100.0);
    for (lower, upper, at, bars) in [
        (
            "size: (0.2, 0.2, 0.2), cells: (3, 2, 2), element: Hex8",
            "size: (0.2, 0.2, 0.2), cells: (2, 2, 3), element: Hex8",
            "(0, 0.2, 0)",
            Some(0.4),
        ),
        (
            "size: (0.2, 0.2, 0.2), cells: (2, 1, 1), element: Tet4",
            "size: (0.2, 0.2, 0.2), cells: (1, 1, 2), element: Tet10",
            "(0, 0.2, 0)",
            Some(0.4),
        ),
        (
            "size: (0.6, 0.2, 0.2), cells: (3, 1, 1), element: Hex8",
            "size: (0.2, 0.2, 0.6), cells: (1, 1, 3), element: Hex8",
            "(0.2, 0.2, -0.2), rotation: ((0, 1, 0), 0.5)",
            None,
        ),
        (
            "size: (0.6, 0.2, 0.2), cells: (3, 1, 1), element: Tet4",
            "size: (0.2, 0.2, 0.6), cells: (1, 1, 5), element: Tet4",
            "(0.2, 0.2, -0.2), rotation: ((0, 1, 0), 0.5)",
            None,
        ),
    ] {
        let mut run = build(
            &format!(
                r#"(dimension: 3, time: (step: 0.1, end: 10, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: {young}, poisson: 0), solid: (mass_damping: 50), thermal: (conductivity: 50, specific_heat: 500))}},
  bodies: [(group: "low", material: "m", shape: Mesh(of: Cuboid({lower}))), (group: "high", material: "m", shape: Mesh(of: Cuboid({upper})), at: {at})],
  interactions: [(between: ("low", "high"), law: Coulomb(friction: 0.3))],
  loads: [(on: "low.bottom", load: Fixed), (on: "high.top", load: Traction(y: -8333))],
  physics: [Contact(), Thermal(law: Constant(conductance: 1e7), time_scale: 1e6, coupling: (friction: false, impact: false, joule: false, dilatation: false),
    temperature: 350, boundary: [Temperature(group: "low.bottom", value: 300), Temperature(group: "high.top", value: {})])])"#,
                300.0 + drop
            ),
            &[],
        );
        for _ in 0..12 {
            run.step().unwrap_or_else(|e| panic!("{upper} on {lower}: {e}"));
        }
        if let Some(length) = bars {
            let expected = drop / (length / (50.0 * 0.04) + 1e-7);
            let found = heat_through(&run);
            assert!((found / expected - 1.0).abs() < 1e-4, "{upper} on {lower}: {found} W of {expected} W");
        }
    }
}
