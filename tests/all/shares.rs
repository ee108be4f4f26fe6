//! Forces that rigid contacts leave open: what is picked among them against answers found by hand, whatever finds them; and bonds that only what is picked may break.

use crate::granular::{build, column, steps};

const SOLVERS: [&str; 5] = [
    "",
    r#", solver: "nlgs""#,
    r#", solver: "nlgs", order: Reverse"#,
    r#", solver: "nlgs", order: Shuffled(seed: 7)"#,
    r#", solver: "nlgs-accelerated", order: Forward"#,
];

fn probes(names: &[&str]) -> String {
    names.iter().map(|n| format!(r#"(name: "{n}", of: "normal_force", group: "{n}"), "#)).collect()
}

/// The disc in a groove of 90° (W = 10 N): N c + T s = W/2 with c = s = 1/√2 has its least N² + T² at N = T = W c/2, or with μ < 1 at the limit of friction,
/// N = W/(2 (c + μ s)); the compliant forces are the same, as both contacts are alike.
fn groove(friction: f64, contact: &str) -> mpcd_sim::Simulation {
    let probes = probes(&["left", "right"]);
    build(
        &format!(
            r#"(dimension: 2, gravity: (0, -10), time: (step: "1 ms", end: 1), materials: {{"m": (density: 1000)}},
  bodies: [
    (group: "disc", material: "m", shape: Disc(radius: 0.1), mass: "1 kg", at: (0, 0.141421356)),
    (group: "left", material: "m", shape: Plane(normal: (1, 1))),
    (group: "right", material: "m", shape: Plane(normal: (-1, 1)))],
  interactions: [(between: ("disc", "left"), law: Coulomb(friction: {friction})), (between: ("disc", "right"), law: Coulomb(friction: {friction}))],
  physics: [Contact(tolerance: 1e-10, {contact})],
  output: (probes: [{probes}]))"#
        ),
        &[],
    )
}

#[test]
fn a_groove_takes_the_least_of_its_forces() {
    let c = std::f64::consts::FRAC_1_SQRT_2;
    for forces in ["MinimumNorm", "Compliant"] {
        for (friction, wanted) in [(0.5, 10.0 / (2.0 * c * 1.5)), (1.5, 5.0 * c)] {
            for solver in SOLVERS.into_iter().chain([r#", solver: "nsn-ac""#]) {
                let mut run = groove(friction, &format!("forces: {forces}{solver}"));
                let last = steps(&mut run, 5);
                for wall in ["left", "right"] {
                    let found = column(&run, &last, wall).unwrap();
                    assert!((found / wanted - 1.0).abs() < 1e-6, "{forces} {friction} {solver}: {found} for {wanted}");
                }
                let spread = run.spread(12).unwrap();
                assert!(spread.failed == 0 && spread.force < 1e-6, "{forces} {friction} {solver}: {spread:?}");
            }
        }
    }
}

/// A beam of W = 10 N on three fixed discs (in space: a plate on balls) at x = −1, 0, 2 from its middle, pressed on them or pulled from them.
fn beam(spatial: bool, up: bool, law: &str, contact: &str) -> mpcd_sim::Simulation {
    let sign = if up { "" } else { "-" };
    let (dimension, gravity, shape, support) = if spatial {
        (3, format!("(0, 0, {sign}10)"), "Box(size: (6, 4, 0.2))", "Sphere(radius: 0.5)")
    } else {
        (2, format!("(0, {sign}10)"), "Box(size: (6, 0.2))", "Disc(radius: 0.5)")
    };
    let at = |x: f64, y: f64, z: f64| if spatial { format!("({x}, {y}, {z})") } else { format!("({x}, {z})") };
    let places = places(spatial);
    let names: Vec<String> = (0..places.len()).map(|k| format!("s{k}")).collect();
    let bodies: String = names
        .iter()
        .zip(&places)
        .map(|(n, [x, y])| format!(r#"(group: "{n}", material: "m", shape: {support}, at: {}), "#, at(*x, *y, -0.5)))
        .collect();
    let laws: String = names.iter().map(|n| format!(r#"(between: ("beam", "{n}"), law: {law}), "#)).collect();
    let fixed: String = names.iter().map(|n| format!(r#"(on: "{n}", load: Fixed), "#)).collect();
    let probes = probes(&names.iter().map(String::as_str).collect::<Vec<_>>());
    build(
        &format!(
            r#"(dimension: {dimension}, gravity: {gravity}, time: (step: "1 ms", end: 1), materials: {{"m": (density: 1000)}},
  bodies: [(group: "beam", material: "m", shape: {shape}, mass: "1 kg", at: {}), {bodies}],
  loads: [{fixed}], interactions: [{laws}], physics: [Contact(tolerance: 1e-10{contact})], output: (probes: [{probes}]))"#,
            at(0.0, 0.0, 0.1)
        ),
        &[],
    )
}

/// Where the supports are; in space one more, and across.
fn places(spatial: bool) -> Vec<[f64; 2]> {
    if spatial { vec![[-1.0, -1.0], [-1.0, 1.0], [2.0, -1.0], [2.0, 1.0]] } else { vec![[-1.0, 0.0], [0.0, 0.0], [2.0, 0.0]] }
}

/// Equal springs under a rigid beam: N_i = W/n + W e (x_i − x̄)/Σ(x − x̄)², e = −x̄.
fn shares(spatial: bool) -> Vec<f64> {
    let x: Vec<f64> = places(spatial).iter().map(|p| p[0]).collect();
    let n = x.len() as f64;
    let middle = x.iter().sum::<f64>() / n;
    let square: f64 = x.iter().map(|x| (x - middle).powi(2)).sum();
    x.iter().map(|x| 10.0 / n - 10.0 * middle * (x - middle) / square).collect()
}

#[test]
fn a_beam_on_more_supports_than_it_needs_rests_as_on_springs() {
    assert!(shares(false).iter().zip([30.0 / 7.0, 25.0 / 7.0, 15.0 / 7.0]).all(|(a, b)| (a - b).abs() < 1e-12));
    for spatial in [false, true] {
        for solver in SOLVERS {
            let mut run = beam(spatial, false, "Coulomb(friction: 0.3)", &format!(", forces: Compliant{solver}"));
            let last = steps(&mut run, 5);
            for (k, wanted) in shares(spatial).iter().enumerate() {
                let found = column(&run, &last, &format!("s{k}")).unwrap();
                assert!((found - wanted).abs() < 1e-6, "{spatial} {solver}: {found} for {wanted}");
            }
            let spread = run.spread(12).unwrap();
            assert!(spread.failed == 0 && spread.force < 1e-6, "{spatial} {solver}: {spread:?}");
        }
    }
}

/// Pulled up, a bond breaks where its spring's share is beyond what it holds, and no other; then those to which the load passes.
#[test]
fn brittle_bonds_break_by_the_shares_of_springs() {
    for spatial in [false, true] {
        let largest = shares(spatial).iter().copied().fold(0.0, f64::max);
        for (part, whole) in [(0.98, true), (1.02, false)] {
            for cohesion in ["", ", cohesion: 1000"] {
                for solver in SOLVERS {
                    let strength = largest / part;
                    let law = format!("MohrCoulomb(friction: 0.5, tensile_strength: {strength}, area: 1{cohesion})");
                    let mut run = beam(spatial, true, &law, solver);
                    let last = steps(&mut run, 5);
                    let bonds = column(&run, &last, "bonds").unwrap();
                    // in the plane the load passes from one to the next; in space the two that are left carry a plate that swings about them, W I/(I + m d²) = 4.29 N
                    let wanted = match (whole, spatial) {
                        (true, _) => places(spatial).len() as f64,
                        (false, true) => 2.0,
                        (false, false) => 0.0,
                    };
                    assert!((bonds - wanted).abs() < 0.5, "{spatial} {part} {cohesion} {solver}: {bonds} for {wanted}");
                }
            }
        }
    }
}

/// A table on four bonded legs with faces, pulled up in the middle: none breaks at 0.9 times what all four hold, all at 1.1.
#[test]
fn a_table_on_bonded_legs_breaks_evenly_or_not_at_all() {
    for spatial in [false, true] {
        for (part, wanted) in [(0.9, true), (1.1, false)] {
            for solver in SOLVERS {
                let strength = 2.5 / part;
                let (dimension, gravity, top) =
                    if spatial { (3, "(0, 0, 10)", "Box(size: (3, 2, 0.1))") } else { (2, "(0, 10)", "Box(size: (3.5, 0.1))") };
                let leg = if spatial { "Box(size: (0.2, 0.2, 0.5))" } else { "Box(size: (0.2, 0.5))" };
                let at: [&str; 5] = if spatial {
                    ["(-1, -0.5, 0)", "(-1, 0.5, 0)", "(1, -0.5, 0)", "(1, 0.5, 0)", "(0, 0, 0.3)"]
                } else {
                    ["(-1.5, 0)", "(-0.5, 0)", "(0.5, 0)", "(1.5, 0)", "(0, 0.3)"]
                };
                let legs: String =
                    at[..4].iter().map(|at| format!(r#"(group: "leg", material: "m", shape: {leg}, at: {at}), "#)).collect();
                let mut run = build(
                    &format!(
                        r#"(dimension: {dimension}, gravity: {gravity}, time: (step: "1 ms", end: 1), materials: {{"m": (density: 1000)}},
  bodies: [(group: "top", material: "m", shape: {top}, mass: "1 kg", at: {}), {legs}], loads: [(on: "leg", load: Fixed)],
  interactions: [(between: ("top", "leg"), law: MohrCoulomb(friction: 0.5, tensile_strength: {strength}, area: 1))],
  physics: [Contact(tolerance: 1e-10{solver})])"#,
                        at[4]
                    ),
                    &[],
                );
                let last = steps(&mut run, 5);
                let bonds = column(&run, &last, "bonds").unwrap();
                let points = if spatial { 16.0 } else { 8.0 };
                let wanted = if wanted { points } else { 0.0 };
                assert!((bonds - wanted).abs() < 0.5, "{spatial} {part} {solver}: {bonds} for {wanted}");
            }
        }
    }
}

#[test]
fn what_cannot_be_picked_among_is_refused_by_name() {
    let model = |contact: &str, law: &str| {
        format!(
            r#"(dimension: 2, gravity: (0, -10), time: (step: "1 ms", end: 1), materials: {{"m": (density: 1000)}},
  bodies: [(group: "a", material: "m", shape: Disc(radius: 0.1), at: (0, 0.1)), (group: "b", material: "m", shape: Plane(normal: (0, 1)))],
  interactions: [(between: ("a", "b"), law: {law})], physics: [Contact({contact})])"#
        )
    };
    for (contact, law, words) in [
        ("forces: Compliant, scheme: Explicit()", "Coulomb(friction: 0.3)", "the model has `scheme: Explicit`"),
        ("forces: Compliant", "Coulomb(friction: 0.3, rolling: 0.01)", "the law `Coulomb` resists rolling"),
        ("forces: MinimumNorm", "Poisson(friction: 0.3, restitution: 0.5)", "restitutes in a phase of its own"),
    ] {
        let text = model(contact, law);
        let read = mpcd_sim::Model::parse_with(&text, "m", "m.ron", std::path::Path::new("."), &[], &mpcd::shapes()).unwrap();
        let error = mpcd_sim::Simulation::build(&read, &<mpcd::Registry as mpcd::StandardRegistry>::standard())
            .err()
            .map(|e| e.to_string());
        assert!(error.as_deref().is_some_and(|e| e.contains(words)), "{contact} {law}: {error:?}");
    }
}
