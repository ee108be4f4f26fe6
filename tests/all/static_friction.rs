//! Static friction of whole faces: when a body at rest lets go, and how it moves on.

use crate::granular::{build, column};

/// A box of 1 kg under a horizontal force of 10 N/s, μ_s = 0.6, μ_d = 0.3, g = 10 m/s²: it rests up to 6 N, at 0.6 s, and has 5 t² − 3 t from there on, 0.8 m/s at 0.8 s. In space it let go at 4.5 N by
/// the default tolerance: the tangential shares of its four corners, of which the statics says the sum alone, had come to their limits against each other.
#[test]
fn a_box_on_its_face_lets_go_at_its_static_limit() {
    for (dimension, shape, way, tolerance) in [
        (2, "Box(size: (0.2, 0.1))", "x", "1e-5"),
        (3, "Box(size: (0.2, 0.2, 0.1))", "x", "1e-5"),
        (3, "Box(size: (0.2, 0.2, 0.1))", "y", "1e-5"),
        (3, "Box(size: (0.2, 0.2, 0.1))", "x", "1e-8"),
        (3, "Cylinder(radius: 0.1, length: 0.1)", "x", "1e-5"),
    ] {
        let (up, at) = if dimension == 2 { ("(0, -10)", "(0, 0.05)") } else { ("(0, 0, -10)", "(0, 0, 0.05)") };
        let normal = if dimension == 2 { "(0, 1)" } else { "(0, 0, 1)" };
        let text = format!(
            r#"(dimension: {dimension}, gravity: {up}, time: (step: 1e-3, end: 0.8), materials: {{"m": (density: 1000)}},
            bodies: [(group: "b", material: "m", mass: 1, shape: {shape}, at: {at}), (group: "f", material: "m", shape: Plane(normal: {normal}))],
            interactions: [(between: ("b", "f"), law: StaticDynamic(friction: 0.6, sliding: 0.3))],
            loads: [(on: "b", load: Force({way}: Ramp(from: 0, to: 10, end: 1)))], physics: [Contact(tolerance: {tolerance})],
            output: (probes: [(name: "v", of: "velocity", component: Norm, group: "b")]))"#
        );
        let mut run = build(&text, &[]);
        let mut v = 0.0;
        while !run.finished() {
            let step = run.step().unwrap_or_else(|e| panic!("{text}: {e}"));
            v = column(&run, &step, "v").unwrap();
            assert!(run.time() > 0.595 || v < 1e-4, "{dimension} {shape} {way} {tolerance}: {v} m/s at {} s", run.time());
        }
        assert!((v - 0.8).abs() < 0.02, "{dimension} {shape} {way} {tolerance}: {v} m/s");
    }
}

/// The force at which what is pulled lets go (a multiple of the rate at which it grows), and its speed at the end.
fn lets_go(text: &str) -> (f64, f64) {
    let mut run = build(text, &[]);
    let (mut go, mut v) = (f64::INFINITY, 0.0);
    while !run.finished() {
        let step = run.step().unwrap_or_else(|e| panic!("{text}: {e}"));
        v = column(&run, &step, "v").unwrap();
        if go.is_infinite() && v > 1e-3 {
            go = run.time();
        }
    }
    (go, v)
}

/// Boxes in a row on a floor, pushed from behind by a force that grows to their weight in a second: they hold to 0.6 of it, whatever their masses, and go on as the one box does. What statics leaves open of
/// the shares of the boxes, and what a solve leaves of their motion, let single ones go, and then all of them: five boxes at 0.41, twelve at 0.45 by the default tolerance.
#[test]
fn a_row_of_boxes_holds_what_its_boxes_hold_together() {
    let run = |dimension: usize, masses: &[f64], tolerance: &str| {
        let (size, up, normal) =
            if dimension == 2 { ("(0.2, 0.1)", "(0, -10)", "(0, 1)") } else { ("(0.2, 0.2, 0.1)", "(0, 0, -10)", "(0, 0, 1)") };
        let law = "StaticDynamic(friction: 0.6, sliding: 0.3)";
        let boxes: String = (0..masses.len())
            .map(|k| {
                let at =
                    if dimension == 2 { format!("({}, 0.05)", 0.2 * k as f64) } else { format!("({}, 0, 0.05)", 0.2 * k as f64) };
                let group = if k == 0 { "first" } else { "b" };
                format!(r#"(group: "{group}", material: "m", mass: {}, shape: Box(size: {size}), at: {at}),"#, masses[k])
            })
            .collect();
        let text = format!(
            r#"(dimension: {dimension}, gravity: {up}, time: (step: 1e-3, end: 0.8), materials: {{"m": (density: 1000)}},
            bodies: [{boxes} (group: "f", material: "m", shape: Plane(normal: {normal}))],
            interactions: [(between: ("b", "f"), law: {law}), (between: ("first", "f"), law: {law}), (between: ("first", "b"), law: Coulomb(friction: 0)), (between: ("b", "b"), law: Coulomb(friction: 0))],
            loads: [(on: "first", load: Force(x: Ramp(from: 0, to: {}, end: 1)))], physics: [Contact(tolerance: {tolerance})],
            output: (probes: [(name: "v", of: "velocity", component: X, group: "first")]))"#,
            10.0 * masses.iter().sum::<f64>()
        );
        let (go, v) = lets_go(&text);
        assert!((go - 0.601).abs() < 1.5e-3 && (v - 0.8).abs() < 0.002, "{dimension} {masses:?} {tolerance}: at {go} s, {v} m/s");
    };
    for dimension in [2, 3] {
        for tolerance in ["1e-5", "1e-8"] {
            run(dimension, &[1.0; 5], tolerance);
        }
        run(dimension, &[1.0; 12], "1e-5");
        run(dimension, &[1.0, 10.0, 100.0, 1000.0, 1.0], "1e-5");
    }
}

/// Twelve beads on a string over ten degrees of a drum each, held with 10 N and pulled by 10 N + 20 N/s: a bead holds T₂/T₁ = (c + μs)/(c − μs) with c, s the cosine and sine of half its angle, the string
/// 28.59 N. By the default tolerance it let go at 21 N.
#[test]
fn a_string_of_beads_holds_what_its_beads_hold_together() {
    const BEADS: usize = 12;
    let (drum, bead, turn, hold) = (0.1, 5e-3, 10.0_f64.to_radians(), 10.0);
    let (sine, cosine) = (0.5 * turn).sin_cos();
    let held = hold * ((cosine + 0.5 * sine) / (cosine - 0.5 * sine)).powi(12);
    let mut bodies = String::new();
    let (mut joints, mut laws, mut loads) = (String::new(), String::new(), String::new());
    for k in 0..BEADS {
        let (y, x) = (k as f64 * turn).sin_cos();
        let at = format!("({}, {}, 0)", (drum + bead) * x, (drum + bead) * y);
        bodies += &format!(r#"(group: "b{k}", material: "m", shape: Sphere(radius: {bead}), at: {at}, mass: 0.01),"#);
        laws += &format!(r#"(between: ("b{k}", "drum"), law: StaticDynamic(friction: 0.5, sliding: 0.2)),"#);
        laws += &(k + 1..BEADS).map(|i| format!(r#"(between: ("b{k}", "b{i}"), law: NoContact),"#)).collect::<String>();
        loads += &format!(r#"(on: "b{k}", load: Locked(axes: [SpinX, SpinY, SpinZ])),"#);
        if k > 0 {
            joints += &format!(r#"(between: ("b{}", "b{k}"), joint: Wire()),"#, k - 1);
        }
    }
    let last = ((BEADS - 1) as f64 + 0.5) * turn;
    let ramp = |way: f64| format!("Ramp(from: {}, to: {}, end: 1)", hold * way, (hold + 20.0) * way);
    let text = format!(
        r#"(dimension: 3, gravity: (0, 0, 0), time: (step: 1e-3, end: 1), materials: {{"m": (density: 1000)}},
        bodies: [{bodies} (group: "drum", material: "m", shape: Cylinder(radius: {drum}, length: 0.1), at: (0, 0, 0))],
        joints: [{joints}], interactions: [{laws}],
        loads: [(on: "drum", load: Fixed), {loads} (on: "b0", load: Force(x: {}, y: {})), (on: "b11", load: Force(x: {}, y: {}))],
        physics: [Contact()], output: (probes: [(name: "v", of: "velocity", component: Norm, group: "b11")]))"#,
        -hold * sine,
        -hold * cosine,
        ramp(-last.sin()),
        ramp(last.cos())
    );
    let go = hold + 20.0 * lets_go(&text).0;
    assert!((go / held - 1.0).abs() < 5e-3, "{go} N of {held} N");
}
