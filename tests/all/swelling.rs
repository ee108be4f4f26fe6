//! Bodies that grow with their temperature: what touches them is moved along with their surfaces, and what the growth does is not taken for heat of impacts.

use mpcd_sim::testkit::same_bits;

use crate::granular::{build, column, steps};

/// A plate of 2 m, fixed in its middle, whose temperature rises by 1 K a step at an expansion of 1e-5/K; a block of the same (`grows`) or of none lies at x.
fn plate(spatial: bool, shape: &str, x: f64, grows: bool) -> mpcd_sim::Simulation {
    let (dimension, gravity, plate, at, below) = if spatial {
        (3, "(0, -10, 0)", "Box(size: (2, 0.1, 1))", format!("({x}, 0.1, 0.25)"), "(0, -0.05, 0)")
    } else {
        (2, "(0, -10)", "Box(size: (2, 0.1))", format!("({x}, 0.1)"), "(0, -0.05)")
    };
    let expansion = if grows { "1e-5" } else { "0" };
    let locked = if spatial { "SpinX, SpinY, SpinZ" } else { "SpinZ" };
    build(
        &format!(
            r#"(dimension: {dimension}, gravity: {gravity}, time: (step: "1 ms", end: 1),
  materials: {{
    "plate": (density: 1000, thermal: (conductivity: 50, specific_heat: 500, expansion: 1e-5)),
    "block": (density: 1000, thermal: (conductivity: 50, specific_heat: 500, expansion: {expansion}))}},
  bodies: [(group: "block", material: "block", shape: {shape}, at: {at}), (group: "plate", material: "plate", shape: {plate}, at: {below})],
  interactions: [(between: ("block", "plate"), law: Coulomb(friction: 2))],
  loads: [(on: "plate", load: Fixed), (on: "block", load: Locked(axes: [{locked}]))],
  physics: [Contact(tolerance: 1e-11), Thermal(law: Insulating, coupling: (friction: false, impact: false), temperature: 300,
    boundary: [Temperature(group: "plate", value: "300 + 1000*t"), Temperature(group: "block", value: "300 + 1000*t")])])"#
        ),
        &[],
    )
}

/// The point of the plate under it carries the block along: x (1 + α ΔT), and across in space; up by the growth of the half plate above its middle and of the block.
#[test]
fn a_growing_plate_carries_what_lies_on_it_along() {
    for (spatial, shape) in [
        (false, "Box(size: (0.2, 0.2))"),
        (false, "Disc(radius: 0.1)"),
        (true, "Box(size: (0.2, 0.2, 0.2))"),
        (true, "Sphere(radius: 0.1)"),
    ] {
        for (x, grows) in [(0.5, false), (-0.8, false), (0.5, true)] {
            // a face that keeps its length slides on one that grows, and may go with any of its points
            if shape.starts_with("Box") && !grows {
                continue;
            }
            let mut run = plate(spatial, shape, x, grows);
            let start = run.world().kinematics.position[0];
            steps(&mut run, 200);
            let moved = run.world().kinematics.position[0] - start;
            // sizes follow the temperature of the step before, and the first step moves by the mean of rest and its velocity
            let strain = 1e-5 * 198.5;
            let up = 0.05 * strain + if grows { 0.1 * strain } else { 0.0 };
            assert!((moved.x - x * strain).abs() < 1e-8, "{shape} {x} {grows}: {moved:?} for {}", x * strain);
            assert!((moved.y - up).abs() < 1e-8, "{shape} {x} {grows}: {moved:?} for {up}");
            if spatial {
                assert!((moved.z - 0.25 * strain).abs() < 1e-8, "{shape} {x} {grows}: {moved:?}");
            }
        }
    }
}

/// What goes with a body's centre is its own growth, also where its surface passes through that; a half-space, which has none, stays as it is.
#[test]
fn a_face_through_the_centre_grows_and_a_half_space_does_not() {
    let halves =
        "Cluster(parts: [(shape: Box(size: (1, 0.1)), at: (-0.5, -0.05)), (shape: Box(size: (1, 0.1)), at: (0.5, 0.05))])";
    for (shape, wanted) in [(halves, -0.5 * 1e-5 * 198.5), ("Plane(normal: (0, 1))", 0.0)] {
        let text = format!(
            r#"(dimension: 2, gravity: (0, -10), time: (step: "1 ms", end: 1),
  materials: {{
    "plate": (density: 1000, thermal: (conductivity: 50, specific_heat: 500, expansion: 1e-5)),
    "disc": (density: 1000, thermal: (conductivity: 50, specific_heat: 500))}},
  bodies: [(group: "disc", material: "disc", shape: Disc(radius: 0.1), at: (-0.5, 0.1)), (group: "plate", material: "plate", shape: {shape})],
  interactions: [(between: ("disc", "plate"), law: Coulomb(friction: 2))],
  loads: [(on: "plate", load: Fixed), (on: "disc", load: Locked(axes: [SpinZ]))],
  physics: [Contact(tolerance: 1e-11), Thermal(law: Insulating, coupling: (friction: false, impact: false), temperature: 300,
    boundary: [Temperature(group: "plate", value: "300 + 1000*t"), Temperature(group: "disc", value: 300)])])"#
        );
        let mut run = build(&text, &[]);
        let start = run.world().kinematics.position[0].x;
        steps(&mut run, 200);
        let moved = run.world().kinematics.position[0].x - start;
        assert!((moved - wanted).abs() < 1e-8, "{shape}: {moved} for {wanted}");
    }
}

/// A bonded block on a plate that grows alike goes along by its bond, undamaged.
#[test]
fn bonds_between_what_grows_alike_stay_whole() {
    let text = r#"(dimension: 3, gravity: (0, -10, 0), time: (step: "1 ms", end: 1),
  materials: {"m": (density: 1000, thermal: (conductivity: 50, specific_heat: 500, expansion: 1e-5))},
  bodies: [(group: "block", material: "m", shape: Box(size: (0.2, 0.2, 0.2)), at: (0.5, 0.1, 0.25)), (group: "plate", material: "m", shape: Box(size: (2, 0.1, 1)), at: (0, -0.05, 0))],
  interactions: [(between: ("block", "plate"), law: Bilinear(normal_stiffness: 1e9, tensile_strength: 5e4, energy: 5, friction: 0.3))],
  loads: [(on: "plate", load: Fixed)],
  physics: [Contact(tolerance: 1e-11), Thermal(law: Insulating, coupling: (friction: false, impact: false), temperature: 300,
    boundary: [Temperature(group: "plate", value: "300 + 1000*t"), Temperature(group: "block", value: "300 + 1000*t")])])"#;
    let mut run = build(text, &[]);
    let start = run.world().kinematics.position[0];
    steps(&mut run, 200);
    let damage = run.field("damage").unwrap().iter().copied().fold(0.0, f64::max);
    let moved = run.world().kinematics.position[0] - start;
    assert!(damage == 0.0, "{damage}");
    // the bond knows the points that it holds: what they move by growth may not count a second time as a velocity; springs lag by parts of a step of it (5 µm)
    assert!((moved.x - 0.5 * 1e-5 * 198.5).abs() < 5e-6 && (moved.z - 0.25 * 1e-5 * 198.5).abs() < 5e-6, "{moved:?}");
}

/// A block that a swelling floor lifts and lowers never leaves it: nothing is an impact, whatever the growth does, and its work is the weight times the way.
#[test]
fn growth_that_changes_is_no_heat_of_impacts() {
    for shape in ["Sphere(radius: 0.1)", "Box(size: (0.2, 0.2, 0.2))"] {
        let text = format!(
            r#"(dimension: 3, gravity: (0, 0, -10), time: (step: "1 ms", end: 1),
  materials: {{"m": (density: 1000, thermal: (conductivity: 50, specific_heat: 500, expansion: 1e-4))}},
  bodies: [(group: "block", material: "m", shape: {shape}, at: (0, 0, 0.1)), (group: "floor", material: "m", shape: Plane(normal: (0, 0, 1)))],
  interactions: [(between: ("block", "floor"), law: Coulomb(friction: 0.5))],
  loads: [(on: "block", load: Locked(axes: [X, Y, SpinX, SpinY, SpinZ]))],
  physics: [Contact(tolerance: 1e-12), Thermal(law: Insulating, temperature: 300, coupling: (friction: false, impact: false),
    boundary: [Temperature(group: "block", value: "300 + 100*sin(20*t)")])])"#
        );
        let mut run = build(&text, &[]);
        steps(&mut run, 3);
        let first = steps(&mut run, 1);
        let start = column(&run, &first, "w_impact").unwrap();
        let mut turned = 0.0_f64;
        for _ in 0..400 {
            let outcome = steps(&mut run, 1);
            turned = turned.max((column(&run, &outcome, "w_impact").unwrap() - start).abs());
        }
        // m g 0.1 m α 100 K would be 0.08 J
        assert!(turned < 1e-9, "{shape}: {turned} J");
    }
}

/// A bond holds a point of a surface that passes through the centre of its body: that point grows away from the centre along the surface.
#[test]
fn a_bond_on_a_face_through_the_centre_goes_with_it() {
    let text = r#"(dimension: 2, gravity: (0, -10), time: (step: "1 ms", end: 1),
  materials: {"m": (density: 1000, thermal: (conductivity: 50, specific_heat: 500, expansion: 1e-5))},
  bodies: [(group: "block", material: "m", shape: Box(size: (0.2, 0.2)), at: (-0.5, 0.1)), (group: "plate", material: "m", shape:
    Cluster(parts: [(shape: Box(size: (1, 0.1)), at: (-0.5, -0.05)), (shape: Box(size: (1, 0.1)), at: (0.5, 0.05))]))],
  interactions: [(between: ("block", "plate"), law: Bilinear(normal_stiffness: 1e9, tensile_strength: 5e4, energy: 5, friction: 0.3))],
  loads: [(on: "plate", load: Fixed), (on: "block", load: Locked(axes: [SpinZ]))],
  physics: [Contact(tolerance: 1e-11), Thermal(law: Insulating, coupling: (friction: false, impact: false), temperature: 300,
    boundary: [Temperature(group: "plate", value: "300 + 1000*t"), Temperature(group: "block", value: "300 + 1000*t")])])"#;
    let mut run = build(text, &[]);
    let start = run.world().kinematics.position[0].x;
    steps(&mut run, 200);
    let moved = run.world().kinematics.position[0].x - start;
    assert!((moved + 0.5 * 1e-5 * 198.5).abs() < 5e-6, "{moved}");
}

/// What gives back restitutes the approach of surfaces: a disc over a face that shrinks at 0.1 m/s moves as over one that is driven down so.
#[test]
fn restitution_is_that_of_surfaces_that_shrink() {
    for law in [
        "Coulomb(friction: 0.5, restitution: 0.9)",
        "Poisson(friction: 0.5, restitution: 0.9)",
        "Stronge(friction: 0.5, restitution: 0.9)",
    ] {
        let motion = |load: &str, kelvin: &str| {
            let text = format!(
                r#"(dimension: 2, gravity: (0, -10), time: (step: "1 ms", end: 1),
  materials: {{
    "plate": (density: 1000, thermal: (conductivity: 50, specific_heat: 500, expansion: 1e-4)),
    "disc": (density: 1000)}},
  bodies: [(group: "disc", material: "disc", shape: Disc(radius: 0.1), at: (0, 0.6)), (group: "plate", material: "plate", shape: Box(size: (1, 1)))],
  interactions: [(between: ("disc", "plate"), law: {law})],
  loads: [(on: "plate", load: {load}), (on: "disc", load: Locked(axes: [X, SpinZ]))],
  physics: [Contact(tolerance: 1e-11), Thermal(law: Insulating, temperature: 600, boundary: [Temperature(group: "plate", value: {kelvin})])])"#
            );
            let mut run = build(&text, &[]);
            let mut places = Vec::new();
            let mut impact = 0.0;
            for _ in 0..200 {
                let outcome = steps(&mut run, 1);
                places.push(run.world().kinematics.position[0].y);
                impact = column(&run, &outcome, "w_impact").unwrap();
            }
            (places, impact)
        };
        let down = "Velocity(x: 0, spin_z: 0, y: Table([(0, 0), (0.001, 0), (0.0011, -0.1), (1, -0.1)]))";
        let (driven, lost) = motion(down, "600");
        let (shrinking, made) = motion("Fixed", r#""600 - 2000*t""#);
        let apart = driven.iter().zip(&shrinking).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        // the sizes of what shrinks follow a step later, and so does where the surface is
        assert!(apart < 1e-4, "{law}: {apart} m");
        assert!((lost - made).abs() < 1e-3 * lost.abs(), "{law}: {made} J for {lost} J");
    }
}

/// Warm balls under a plane with a mass, which has a temperature but no centre to grow about: the same bits after a resumption, and on any number of threads.
#[test]
fn what_grows_under_a_plane_has_the_same_bits() {
    let text = r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: "1 ms", end: "0.1 s", theta: 1),
  materials: {"m": (density: 7800, thermal: (conductivity: 50, specific_heat: 500, expansion: 1e-4))},
  bodies: [
    (group: "balls", material: "m", shape: Sphere(radius: "5 mm"), at: (0, 0, 0.005)),
    (group: "balls", material: "m", shape: Sphere(radius: "5 mm"), at: (0.02, 0.003, 0.005)),
    (group: "balls", material: "m", shape: Sphere(radius: "5 mm"), at: (0.004, 0.02, 0.005)),
    (group: "balls", material: "m", shape: Sphere(radius: "5 mm"), at: (0.021, 0.022, 0.005)),
    (group: "floor", material: "m", shape: Plane(normal: (0, 0, 1))),
    (group: "lid", material: "m", shape: Plane(normal: (0, 0, -1)), at: (0.01, 0.01, 0.01), mass: 0.2)],
  interactions: [
    (between: ("balls", "balls"), law: Coulomb(friction: 0.3)), (between: ("balls", "floor"), law: Coulomb(friction: 0.3)),
    (between: ("balls", "lid"), law: Coulomb(friction: 0.3)), (between: ("lid", "floor"), law: NoContact)],
  loads: [(on: "lid", load: Force(z: -50)), (on: "lid", load: Locked(axes: [X, Y, SpinX, SpinY, SpinZ]))],
  physics: [Contact(), Thermal(law: Insulating, boundary: [Power(group: "balls", value: "1000*t")])])"#;
    same_bits(&|| Ok(build(text, &[])), 60).unwrap_or_else(|e| panic!("{e}"));
}

/// A plate whose linear dilatation goes beyond a tenth says so with its size, and one of a hundredth says nothing.
#[test]
fn a_body_that_swells_beyond_what_materials_do_is_told() {
    let words = |rise: f64| {
        let text = format!(
            r#"(dimension: 3, time: (step: "1 ms", end: 1),
  materials: {{"stone": (density: 1000, thermal: (conductivity: 50, specific_heat: 500, expansion: 1e-3))}},
  bodies: [(group: "ball", material: "stone", shape: Sphere(radius: 1))],
  physics: [Contact(), Thermal(law: Insulating, temperature: 300, boundary: [Temperature(group: "ball", value: {})])])"#,
            300.0 + rise
        );
        let mut run = build(&text, &[]);
        steps(&mut run, 1);
        run.counters().warning_words()
    };
    assert!(words(10.0).is_empty() && words(99.0).is_empty(), "{:?}", words(99.0));
    for (rise, size) in [(2000.0, "3.000"), (-200.0, "0.800")] {
        let said = words(rise);
        let [one] = &said[..] else { panic!("{said:?}") };
        assert!(one.starts_with("dilatation changes the size of body 0 (group \"ball\") to ") && one.contains(size), "{one}");
    }
}

/// Bodies whose temperatures are all prescribed are pressed as they swell: what damping makes of the rounding of the contacts (10⁻³² J) is no heat that a balance could miss.
#[test]
fn heat_below_the_rounding_of_its_content_is_none() {
    let text = r#"(dimension: 2, time: (step: 1e-3, end: 0.02, theta: 1),
        materials: {"m": (density: 8000, elastic: (young: 1e11, poisson: 0.3), thermal: (conductivity: 50, specific_heat: 500, expansion: 1e-5))},
        bodies: [(group: "g", material: "m", shape: Box(size: (0.1, 0.08)), at: (0.05, 0)), (group: "g", material: "m", shape: Box(size: (0.1, 0.08)), at: (0.15, 0)),
                 (group: "w", material: "m", shape: Plane(normal: (1, 0)), at: (0, 0)), (group: "w", material: "m", shape: Plane(normal: (-1, 0)), at: (0.2, 0))],
        interactions: [(between: ("g", "g"), law: Elastic(friction: 0, stiffness: 1e6, damping: 200)), (between: ("g", "w"), law: Elastic(friction: 0, stiffness: 1e6, damping: 200))],
        loads: [(on: "g", load: Locked(axes: [Y, SpinZ]))],
        physics: [Contact(tolerance: 1e-10), Thermal(law: Insulating, boundary: [Temperature(group: "g", value: "293.15 + 200*t")])])"#;
    let mut run = build(text, &[]);
    while !run.finished() {
        let step = run.step().unwrap();
        assert!(column(&run, &step, "book_heat").unwrap() < 1e-10, "{} s", step.time);
    }
}
