//! Faces of a `Cluster` whose parts are flush, or stand beside each other: one patch with the whole area, as a box of the same outline has, wherever on a slope it rests and
//! however that is rounded. And hollow corners: what goes into one keeps cos² of its energy, of parts as of bodies.

use std::f64::consts::PI;

use mpcd_sim::Simulation;

use crate::granular::{build, column};

/// S/m
const CONDUCTIVITY: f64 = 1e5;

const BOX: &str = "Box(size: (0.3, 0.2))";
const FLUSH: &str =
    "Cluster(parts: [(shape: Box(size: (0.15, 0.2)), at: (-0.075, 0)), (shape: Box(size: (0.15, 0.2)), at: (0.075, 0))])";
const TABLE: &str = "Cluster(parts: [(shape: Box(size: (0.1, 0.2)), at: (-0.1, 0)), (shape: Box(size: (0.1, 0.2)), at: (0.1, 0)), (shape: Box(size: (0.3, 0.05)), at: (0, 0.05))])";
const BRICK: &str = "Box(size: (0.3, 0.2, 0.3))";
const BRICKS: &str = "Cluster(parts: [(shape: Box(size: (0.15, 0.2, 0.3)), at: (-0.075, 0, 0)), (shape: Box(size: (0.15, 0.2, 0.3)), at: (0.075, 0, 0))])";

/// What stands on the floor, and its area there (m²).
const STANDS: [(u8, &str, f64); 5] = [(2, BOX, 0.3), (2, FLUSH, 0.3), (2, TABLE, 0.2), (3, BRICK, 0.09), (3, BRICKS, 0.09)];

/// How a law of contact, one of conductance and a probe of it are written.
type Laws = [&'static str; 3];

const HERTZ: Laws = ["Coulomb(friction: 0.9)", "Hertz", ""];
const CONSTANT: Laws = ["Coulomb(friction: 0.9)", "Constant(conductance: 10)", ""];
const BONDED: Laws = [
    "MohrCoulomb(friction: 0.9, tensile_strength: 1e5, cohesion: 1e5)",
    "Bonded(conductance: 1e3, bare: Insulating)",
    r#"output: (probes: [(name: "area", of: "bonded_area", reduce: Sum)])"#,
];

/// Slopes of the floor (rad), and places along them (m).
fn places() -> impl Iterator<Item = [f64; 2]> {
    let part = |k: i32, of: f64| (f64::from(k) * of).fract() - 0.5;
    let others = (1..=12).map(move |k| [0.6 * part(k, 0.6180339887498949), 2.0 * part(k, 0.4142135623730951)]);
    [[0.0, -0.2282674823101949], [0.14, -0.08]].into_iter().chain(others)
}

/// A body at a place on the floor, tilted by so much (rad), 0.1 m above it with its centre and pressed onto it; the floor is the first body or the second.
fn stands(
    (dimension, shape): (u8, &str),
    [slope, along]: [f64; 2],
    tilt: f64,
    first: bool,
    [law, electrical, probe]: Laws,
) -> Simulation {
    let (s, c) = slope.sin_cos();
    let place = |x: f64, y: f64, angle: f64| {
        let [x, y] = [x * c - y * s, x * s + y * c];
        if dimension == 2 {
            format!("at: ({x:?}, {y:?}), rotation: {angle:?}")
        } else {
            format!("at: ({x:?}, {y:?}, 0), rotation: ((0, 0, 1), {angle:?})")
        }
    };
    let below = if dimension == 2 { "(4, 0.2)" } else { "(4, 0.2, 2)" };
    let body = format!(r#"(group: "b", material: "m", shape: {shape}, {})"#, place(along, 0.1, slope + tilt));
    let floor = format!(r#"(group: "f", material: "m", shape: Box(size: {below}), {})"#, place(0.0, -0.1, slope));
    let bodies = if first { [floor, body] } else { [body, floor] }.join(", ");
    let text = format!(
        r#"(dimension: {dimension}, time: (step: "1 ms", end: 0.01),
  materials: {{"m": (density: 1000, elastic: (young: 1e7, poisson: 0), electrical: (conductivity: {CONDUCTIVITY:?}))}},
  bodies: [{bodies}],
  interactions: [(between: ("b", "f"), law: {law})],
  loads: [(on: "f", load: Fixed), (on: "b", load: Force(x: {:?}, y: {:?}))],
  physics: [Contact(), Electrical(law: {electrical}, current: [(group: "b", value: 300)], potential: [(group: "f", value: 0)], on_open_circuit: SwitchOff)],
  {probe})"#,
        2000.0 * s,
        -2000.0 * c
    );
    build(&text, &[])
}

/// Whether a column is what is wanted in every step.
fn is_always(run: &mut Simulation, name: &str, wanted: f64, of: &str) {
    while !run.finished() {
        let step = run.step().unwrap();
        let found = column(run, &step, name).unwrap_or(f64::NAN);
        assert!((found / wanted - 1.0).abs() < 1e-9, "{of}, t = {}: {name} is {found}, not {wanted}", run.time());
    }
}

/// 1/(2σ√(A/π)) of all of the area.
#[test]
fn all_that_stands_on_a_slope_conducts() {
    for (dimension, shape, area) in STANDS {
        let wanted = 1.0 / (2.0 * CONDUCTIVITY * (area / PI).sqrt());
        for place in places() {
            for (tilt, first) in [(0.0, false), (0.0, true), (1e-13, true), (1e-10, true), (1e-10, false), (1e-7, false)] {
                let mut run = stands((dimension, shape), place, tilt, first, HERTZ);
                is_always(&mut run, "resistance", wanted, &format!("{shape} at {place:?}, tilted by {tilt:e}, {first}"));
            }
        }
    }
}

/// What holds for a contact as a whole is there once.
#[test]
fn flush_parts_are_one_patch_from_the_first_step_on() {
    for (dimension, shape, _) in STANDS {
        for place in places() {
            for first in [false, true] {
                let mut run = stands((dimension, shape), place, 0.0, first, CONSTANT);
                is_always(&mut run, "resistance", 0.1, &format!("{shape} at {place:?}, {first}"));
            }
        }
    }
}

#[test]
fn all_that_stands_on_a_slope_is_bonded() {
    for (dimension, shape, area) in STANDS {
        for place in places() {
            for (tilt, first) in [(0.0, true), (1e-13, false), (1e-10, true), (1e-10, false), (1e-7, true)] {
                let mut run = stands((dimension, shape), place, tilt, first, BONDED);
                is_always(&mut run, "area", area, &format!("{shape} at {place:?}, tilted by {tilt:e}, {first}"));
            }
        }
    }
}

/// What leans by so little that its face lies on the floor stands on flush tiles as on one: each tile had its own normal, and the whole stiffness and conductance of the contact.
/// A round end leans in directions between its points, too: the one that wanders along its rim was a contact of its own beside the face.
#[test]
fn what_leans_stands_on_tiles_as_on_one() {
    const TWO: &str =
        "Cluster(parts: [(shape: Box(size: (2, 3, 0.2)), at: (-1, 0, 0)), (shape: Box(size: (2, 3, 0.2)), at: (1, 0, 0))])";
    for shape in ["Box(size: (0.2, 0.2, 0.25))", "Cylinder(radius: 0.1, length: 0.25)"] {
        for floor in ["Box(size: (4, 3, 0.2))", TWO, FOUR, SURFACE] {
            for (axis, tilt) in
                ["(0.4, 1, 0)", "(0, 1, 0)"].into_iter().flat_map(|a| [0.0, 1e-9, 1e-7, 2e-6, 1e-5, 1e-4].map(|t| (a, t)))
            {
                let body = format!("shape: {shape}, rotation: ({axis}, {tilt}), at: (0.02, 0.01, 0.124019)");
                let mut run = on_tiles(&body, floor, "Elastic(stiffness: 1e4, friction: 0.9)", "Contact(tolerance: 1e-10)", 0.02);
                while !run.finished() {
                    let step = run.step().unwrap_or_else(|e| panic!("{shape} on {floor}, {tilt}: {e}"));
                    let [force, resistance] = ["n", "resistance"].map(|name| column(&run, &step, name).unwrap());
                    assert!((force - 9.81).abs() < 0.05, "{shape} on {floor}, tilted by {tilt}: {force} N");
                    assert!((resistance - 0.1).abs() < 1e-9, "{shape} on {floor}, tilted by {tilt}: {resistance} Ω");
                }
            }
        }
    }
}

/// Half over the edge of a box, along which it may slide down alone: a tube whose bore that edge crosses, and a cylinder that is the one part of a cluster. Its points on the rim were contacts of their own beside its
/// face, or all that was left of it.
#[test]
fn what_stands_half_over_an_edge_is_one_patch() {
    for (shape, tilt) in [
        ("HollowCylinder(radius: 0.04, wall: 0.01, length: 0.04)", 0.0),
        ("Cylinder(radius: 0.05, length: 0.04)", 9e-4),
        ("Cluster(parts: [(shape: Cylinder(radius: 0.05, length: 0.04))])", 9e-4),
    ] {
        let mut run = build(
            &format!(
                r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: 1e-3, end: 0.1, theta: 1), materials: {{"m": (density: 1000, electrical: (conductivity: 1e6))}},
  bodies: [(group: "f", material: "m", shape: Box(size: (1, 1, 0.2)), at: (-0.5, 0, -0.1)),
    (group: "b", material: "m", shape: {shape}, mass: 1, rotation: ((0.9553364891, 0.2955202067, 0), {tilt}), at: (0, 0, 0.02))],
  interactions: [(between: ("b", "f"), law: Elastic(friction: 0.3, stiffness: 1e5, damping: 600))],
  loads: [(on: "f", load: Fixed), (on: "b", load: Locked(axes: [X, Y, SpinX, SpinY, SpinZ]))],
  physics: [Contact(tolerance: 1e-11), Electrical(law: Constant(conductance: 1), potential: [(group: "f", value: 0), (group: "b", value: 1)])],
  output: (probes: [(name: "z", of: "position", component: Z, group: "b"), (name: "current", of: "current", reduce: Sum, group: "b")]))"#
            ),
            &[],
        );
        let mut last = [0.0; 2];
        while !run.finished() {
            let step = run.step().unwrap_or_else(|e| panic!("{shape}: {e}"));
            last = ["z", "current"].map(|name| column(&run, &step, name).unwrap());
        }
        let [sunk, current] = [0.02 - last[0], last[1]];
        // m g/k, and the tilt's lever
        assert!((sunk / 9.81e-5 - 1.0).abs() < 0.01 + 60.0 * tilt, "{shape}: sinks by {sunk} m");
        assert!((current.abs() - 1.0).abs() < 1e-9, "{shape}: {current} A");
    }
}

const FOUR: &str = "Cluster(parts: [(shape: Box(size: (2, 2, 0.2)), at: (-1, -1, 0)), (shape: Box(size: (2, 2, 0.2)), at: (1, -1, 0)), \
     (shape: Box(size: (2, 2, 0.2)), at: (-1, 1, 0)), (shape: Box(size: (2, 2, 0.2)), at: (1, 1, 0))])";

const SURFACE: &str =
    "Surface(vertices: [(-2, -2, 0.1), (2, -2, 0.1), (2, 2, 0.1), (-2, 2, 0.1)], triangles: [(0, 1, 2), (0, 2, 3)])";

/// A body of 1 kg on a floor, with a current of 1 A through the contact.
fn on_tiles(body: &str, floor: &str, law: &str, contact: &str, end: f64) -> Simulation {
    build(
        &format!(
            r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: 0.001, end: {end}),
  materials: {{"m": (density: 1000, electrical: (conductivity: 1e5))}},
  bodies: [(group: "b", material: "m", mass: 1, {body}), (group: "f", material: "m", shape: {floor}, at: (0, 0, -0.1))],
  interactions: [(between: ("b", "f"), law: {law})], loads: [(on: "f", load: Fixed)],
  physics: [{contact}, Electrical(law: Constant(conductance: 10), current: [(group: "b", value: 1)],
    potential: [(group: "f", value: 0)], on_open_circuit: SwitchOff)],
  output: (probes: [(name: "n", of: "resultant", component: Z, group: "b")]))"#
        ),
        &[],
    )
}

/// The noise of a solve at the default tolerance tilts a body by 10⁻⁸ rad: its gaps were measured along that normal from a corner of the tile a metre away.
#[test]
fn noise_leaves_a_standing_cylinder_one_patch() {
    for shape in ["Cylinder(radius: 0.1, length: 0.25)", "Box(size: (0.2, 0.2, 0.25))"] {
        for place in ["(0.02, 0.01, 0.125)", "(0.05, -0.03, 0.125)", "(0, 0, 0.125)", "(0.4, 0.003, 0.125)"] {
            let mut run = on_tiles(&format!("shape: {shape}, at: {place}"), FOUR, "Coulomb(friction: 0.9)", "Contact()", 0.05);
            is_always(&mut run, "resistance", 0.1, &format!("{shape} at {place}"));
        }
    }
}

/// A middle leg that is too short to touch has no part of the patch of the two that do.
#[test]
fn a_leg_that_does_not_reach_the_floor_bears_nothing() {
    for short in [1e-3, 2e-3, 5e-3] {
        let height = 0.2 - short;
        let stands = |law: &str| {
            let mut run = build(
                &format!(
                    r#"(dimension: 2, gravity: (0, -9.81), time: (step: 1e-3, end: 0.5, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e7, poisson: 0), electrical: (conductivity: 1e5))}},
  bodies: [(group: "b", material: "m", mass: 1, shape: Cluster(parts: [(shape: Box(size: (0.05, 0.2)), at: (-0.125, 0)),
      (shape: Box(size: (0.05, 0.2)), at: (0.125, 0)), (shape: Box(size: (0.05, {height})), at: (0, {})),
      (shape: Box(size: (0.3, 0.05)), at: (0, 0.075))]), at: (0, 0.1)),
    (group: "f", material: "m", shape: Box(size: (4, 0.2)), at: (0, -0.1))],
  interactions: [(between: ("b", "f"), law: {law})], loads: [(on: "f", load: Fixed)],
  physics: [Contact(), Electrical(law: Hertz, current: [(group: "b", value: 1)], potential: [(group: "f", value: 0)], on_open_circuit: SwitchOff)])"#,
                    short / 2.0
                ),
                &[],
            );
            let mut last = None;
            while !run.finished() {
                last = Some(run.step().unwrap_or_else(|e| panic!("{short} m short, {law}: {e}")));
            }
            column(&run, &last.unwrap(), "resistance")
        };
        let resistance = stands("Coulomb(friction: 0.9)");
        let expected = 0.5 / CONDUCTIVITY / (0.1 / PI).sqrt();
        assert!((resistance.unwrap() / expected - 1.0).abs() < 1e-6, "{short} m short: {resistance:?} Ω, not {expected}");
    }
}

/// Boxes at (x, y, angle), as bodies of their own or as parts of one, in the plane or 1 m thick.
fn boxes(dimension: usize, size: [f64; 2], places: &[[f64; 3]], one: bool) -> String {
    let [w, h] = size;
    let each = |[x, y, angle]: &[f64; 3]| {
        if dimension == 2 {
            format!("shape: Box(size: ({w:?}, {h:?})), at: ({x:?}, {y:?}), rotation: {angle:?}")
        } else {
            format!("shape: Box(size: ({w:?}, {h:?}, 1)), at: ({x:?}, {y:?}, 0), rotation: ((0, 0, 1), {angle:?})")
        }
    };
    let all = places.iter().map(each);
    if one {
        let parts: Vec<String> = all.map(|p| format!("({p})")).collect();
        return format!(r#"(group: "f", material: "m", shape: Cluster(parts: [{}]))"#, parts.join(", "));
    }
    all.map(|p| format!(r#"(group: "f", material: "m", {p})"#)).collect::<Vec<_>>().join(", ")
}

/// A body without friction on a fixed floor, to its end.
fn slides(dimension: usize, body: &str, floor: &str, rest: &str, held: &str) -> [f64; 3] {
    let mut run = build(
        &format!(
            r#"(dimension: {dimension}, {rest}, materials: {{"m": (density: 1000)}},
  bodies: [(group: "a", material: "m", mass: 2, {body}), {floor}],
  interactions: [(between: ("a", "f"), law: Coulomb(friction: 0))], loads: [(on: "f", load: Fixed){held}], physics: [Contact(tolerance: 1e-9)],
  output: (probes: [(name: "x", of: "position", component: X, group: "a"), (name: "y", of: "position", component: Y, group: "a")]))"#
        ),
        &[],
    );
    let mut last = None;
    while !run.finished() {
        last = Some(run.step().unwrap_or_else(|e| panic!("{body}: {e}")));
    }
    let step = last.unwrap();
    ["e_kinetic", "x", "y"].map(|name| column(&run, &step, name).unwrap())
}

/// A box and an upright cylinder slide into a ramp that begins flush, at any step: the inelastic blow leaves cos² of the energy, be floor and ramp two bodies or one,
/// and does the floor end there or go on beneath.
#[test]
fn a_hollow_corner_takes_what_an_inelastic_blow_takes() {
    for angle in [0.0017_f64, 0.017, 0.05, 0.3] {
        let (s, c) = angle.sin_cos();
        let places = [[-0.5, -0.05, 0.0], [0.5 * c + 0.05 * s, 0.5 * s - 0.05 * c, angle]];
        let floors = |dimension: usize| {
            let ramp = boxes(dimension, [1.0, 0.1], &places[1..], false);
            let level = if dimension == 2 { "(0, 1)" } else { "(0, 1, 0)" };
            [
                boxes(dimension, [1.0, 0.1], &places, false),
                boxes(dimension, [1.0, 0.1], &places, true),
                format!("{}, {ramp}", boxes(dimension, [3.0, 0.1], &[[0.0, -0.05, 0.0]], false)),
                format!(r#"(group: "f", material: "m", shape: Plane(normal: {level})), {ramp}"#),
            ]
        };
        for (dimension, body) in [
            (2, "shape: Box(size: (0.2, 0.1)), at: (-0.2, 0.05), velocity: (1, 0)"),
            (3, "shape: Box(size: (0.2, 0.1, 0.15)), at: (-0.2, 0.05, 0.013), velocity: (1, 0, 0)"),
            (
                3,
                r#"shape: Cylinder(radius: 0.1, length: 0.1), rotation: ((1, 0, 0), "90 deg"), at: (-0.2, 0.05, 0.013), velocity: (1, 0, 0)"#,
            ),
        ] {
            for floor in floors(dimension) {
                let spins = if dimension == 2 { "SpinZ" } else { "SpinX, SpinY, SpinZ" };
                let held = format!(r#", (on: "a", load: Locked(axes: [{spins}]))"#);
                for h in [1e-3, 2.7e-3] {
                    let [energy, ..] = slides(dimension, body, &floor, &format!("time: (step: {h}, end: 0.35)"), &held);
                    let wanted = c * c;
                    assert!(
                        (energy - wanted).abs() < 1e-3,
                        "{body}, {floor}, {angle} rad, steps of {h} s: {energy} J, not {wanted}"
                    );
                }
            }
        }
    }
}

/// A box in a drum of 120 boxes, let go at 0.6 rad: it swings through the lowest place, though its faces are level with none of the drum's.
#[test]
fn a_box_swings_in_a_drum_of_boxes() {
    let step = PI / 60.0;
    let places: Vec<[f64; 3]> = (0..120).map(|k| f64::from(k) * step).map(|a| [1.05 * a.sin(), -1.05 * a.cos(), a]).collect();
    // Its corners on the circle of radius 1.
    let away = (1.0_f64 - 0.01).sqrt() - 0.05 - 2e-4;
    let body =
        format!("shape: Box(size: (0.2, 0.1)), at: ({:?}, {:?}), rotation: 0.6", away * 0.6_f64.sin(), -away * 0.6_f64.cos());
    for one in [false, true] {
        let floor = boxes(2, [2.0 * (0.5 * step).tan(), 0.1], &places, one);
        let [_, x, y] = slides(2, &body, &floor, "gravity: (0, -9.81), time: (step: 1e-3, end: 0.5)", "");
        let angle = x.atan2(-y);
        // Without loss 0.6 cos(0.5 ω), and a little for what the blows take.
        assert!(angle.abs() < 0.04, "one: {one}: {angle} rad after 0.5 s");
    }
}
