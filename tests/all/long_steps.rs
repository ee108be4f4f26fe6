//! Steps in which loads alone would bring bodies many radii farther: what lies at rest does not look for pairs without end, what falls still lands.

use crate::granular::{build, column};

/// Balls on each other in a narrow periodic cell: at g h² of 25 cells each had thousands of images of all others for its neighbours.
#[test]
fn a_bed_at_rest_has_its_neighbours_alone() {
    for step in [0.01, 0.05, 0.2] {
        let text = format!(
            r#"(dimension: 3, gravity: (0, 0, -10), periodic: (x: 0.02, y: 0.02), time: (step: {step:?}, end: 10), materials: {{"m": (density: 2500)}},
            bodies: [
                (group: "balls", material: "m", as: Sphere(), packing: Lattice(from: (0, 0, 0), to: (0.02, 0.02, 0.04), sizes: Fixed(radius: 0.004))),
                (group: "floor", material: "m", shape: Plane(normal: (0, 0, 1))),
            ],
            interactions: [(between: ("balls", "balls"), law: Coulomb(friction: 0.5)), (between: ("balls", "floor"), law: Coulomb(friction: 0.5))],
            physics: [Contact()])"#
        );
        let mut run = build(&text, &[]);
        for _ in 0..3 {
            run.step().unwrap();
        }
        let (world, balls) = (run.world(), run.world().kinematics.position.len() - 1);
        let pairs = world.network.contacts.len();
        assert!(pairs >= balls && pairs < 40 * balls, "step {step}: {pairs} pairs of {balls} balls");
        let fastest = world.kinematics.velocity.iter().map(|v| v.norm()).fold(0.0, f64::max);
        assert!(fastest < 1e-3 * 10.0 * step, "step {step}: {fastest}");
    }
}

/// From rest a ball falls g h² = 40 radii in a step (to half a thousandth of that, the tolerance of forces that stop it), on a floor 10 to 60 radii below, on another ball, and in a row with one above it.
#[test]
fn what_falls_from_rest_in_a_long_step_lands() {
    for (height, beside) in [(0.1, false), (0.3, false), (0.6, false), (0.3, true)] {
        let below = if beside { r#"(group: "low", material: "m", shape: Sphere(radius: 0.01), at: (0, 0, 0.01)),"# } else { "" };
        let text = format!(
            r#"(dimension: 3, gravity: (0, 0, -10), time: (step: 0.2, end: 10), materials: {{"m": (density: 2500)}},
            bodies: [
                (group: "ball", material: "m", shape: Sphere(radius: 0.01), at: (0, 0, {height:?})),
                (group: "above", material: "m", shape: Sphere(radius: 0.01), at: (0, 0, {:?})),
                {below}
                (group: "floor", material: "m", shape: Plane(normal: (0, 0, 1))),
            ],
            interactions: [{}], physics: [Contact()])"#,
            height + 0.25,
            laws(beside)
        );
        let mut run = build(&text, &[]);
        for _ in 0..20 {
            run.step().unwrap();
            let z: Vec<f64> = run.world().kinematics.position.iter().map(|x| x.z).collect();
            let floor = if beside { 0.03 } else { 0.01 };
            assert!(z[0] > floor - 2e-4 && z[1] > z[0] + 0.02 - 2e-4, "{height}, {beside}: {z:?} at t = {}", run.time());
        }
        let z = run.world().kinematics.position[0].z;
        assert!((z - if beside { 0.03 } else { 0.01 }).abs() < 2e-4, "{height}, {beside}: it lies at {z}");
    }
}

fn laws(beside: bool) -> String {
    let groups: &[&str] = if beside { &["ball", "above", "low", "floor"] } else { &["ball", "above", "floor"] };
    let pairs = groups.iter().enumerate().flat_map(|(k, a)| groups[k + 1..].iter().map(move |b| (a, b)));
    pairs.map(|(a, b)| format!("(between: (\"{a}\", \"{b}\"), law: Coulomb(friction: 0)),")).collect()
}

/// A held floor takes the heat that currents make at its contact in every step of the mechanics, also in those in which temperatures wait: with steps of heat for ten of these
/// it was told of the last of ten alone.
#[test]
fn what_a_held_body_takes_while_temperatures_wait_is_told() {
    for every in [1, 2, 10] {
        let text = format!(
            r#"(dimension: 3, gravity: (0, 0, -10), time: (step: 0.01, end: 1), materials: {{"m": (density: 1000, elastic: (young: 1e11, poisson: 0.3),
                electrical: (conductivity: 1e6), thermal: (conductivity: 50, specific_heat: 500))}},
            bodies: [(group: "ball", material: "m", shape: Sphere(radius: 0.1), at: (0, 0, 0.1), mass: 4), (group: "floor", material: "m", shape: Plane(normal: (0, 0, 1)))],
            interactions: [(between: ("ball", "floor"), law: Coulomb(friction: 0.3))],
            physics: [Contact(tolerance: 1e-10), Electrical(law: Constant(conductance: 10), potential: [(group: "floor", value: 0)], current: [(group: "ball", value: "100*t")]),
                Thermal(law: Constant(conductance: 500), every: {every}, boundary: [Temperature(group: "floor", value: 293.15)])])"#
        );
        let mut run = build(&text, &[]);
        let (mut made, mut given) = (0.0, 0.0);
        for k in 1..=100 {
            let outcome = run.step().unwrap();
            made += 0.01 * run.field("joule_power").unwrap().iter().sum::<f64>();
            if k % every == 0 {
                given += 0.01 * f64::from(every) * column(&run, &outcome, "heat_in_floor").unwrap();
            }
        }
        let stored = 4.0 * 500.0 * (run.field("temperature").unwrap()[0] - 293.15);
        assert!((stored - made - given).abs() < 1e-9 * made, "every {every}: {stored} J stored, {made} J made, {given} J given");
    }
}

/// Under `Explicit` forces act for a mean of two steps, those of contacts as all others: what a box of 2 kg presses with is its weight in a step of any length but the first, in which they are impulses on its velocity, and it stays where it is. What divided an impulse by the
/// length of its step said 108 N for 19.6 at a tenth of the length.
#[test]
fn forces_of_explicit_steps_are_forces_whatever_their_length() {
    for law in ["Coulomb(friction: 0.3)", "Elastic(stiffness: 1e6, damping: 1e3, friction: 0.3)"] {
        for (end, damping) in [("0.2001", "0.5"), ("0.2", "0.5"), ("0.2003", "0.8")] {
            let text = format!(
                r#"(dimension: 2, gravity: (0, -9.81), time: (step: 1e-3, end: {end}), materials: {{"m": (density: 1000)}},
  bodies: [(group: "b", material: "m", shape: Box(size: (0.2, 0.1)), at: (0, 0.05), mass: 2), (group: "f", material: "m", shape: Plane(normal: (0, 1)))],
  interactions: [(between: ("b", "f"), law: {law})], loads: [(on: "b", load: Force(x: 3))], physics: [Contact(tolerance: 1e-11, scheme: Explicit(damping: {damping}))],
  output: (probes: [(name: "n", of: "resultant", component: Y, group: "b"), (name: "t", of: "resultant", component: X, group: "b")]))"#
            );
            let mut run = build(&text, &[]);
            let rigid = law.starts_with("Coulomb");
            while !run.finished() {
                let step = run.step().unwrap();
                let [n, t, momentum, energy] =
                    ["n", "t", "book_momentum", "book_energy"].map(|name| column(&run, &step, name).unwrap());
                assert!(momentum < 1e-10 && energy < 1e-10, "{law} {end}: books {momentum}, {energy} at {} s", run.time());
                if run.time()
                    > if !rigid {
                        0.19
                    } else if damping == "0.5" {
                        0.0015
                    } else {
                        0.05
                    }
                {
                    assert!((n - 19.62).abs() < 1e-5, "{law} {end}, {damping}: {n} N at {} s", run.time());
                    assert!(!rigid || (t + 3.0).abs() < 1e-5, "{law} {end}, {damping}: {t} N at {} s", run.time());
                }
            }
        }
    }
}

/// A bond of 40 N that bears 19.6 N broke in a last step of a tenth; and it breaks above its strength in steps of any length.
#[test]
fn bonds_bear_their_strength_in_explicit_steps_of_any_length() {
    for (strength, holds) in [(40.0, true), (19.8, true), (19.4, false)] {
        for end in ["0.0203", "0.02003", "0.02"] {
            let text = format!(
                r#"(dimension: 2, gravity: (0, -9.81), time: (step: 1e-3, end: {end}), materials: {{"m": (density: 1000)}},
  bodies: [(group: "b", material: "m", shape: Disc(radius: 0.1), at: (0, -0.1), mass: 2), (group: "f", material: "m", shape: Plane(normal: (0, -1)))],
  interactions: [(between: ("b", "f"), law: MohrCoulomb(friction: 0.3, cohesion: 1e4, tensile_strength: {strength}, area: 1))], physics: [Contact(tolerance: 1e-11, scheme: Explicit())])"#
            );
            let mut run = build(&text, &[]);
            let mut last = None;
            while !run.finished() {
                last = Some(run.step().unwrap());
            }
            assert_eq!(column(&run, &last.unwrap(), "bonds"), Some(if holds { 1.0 } else { 0.0 }), "{strength} N, {end}");
        }
    }
}

/// What a ball that slides to rest wears off is its kinetic energy over μ, k/(2 H) of it from each body, in `Explicit` steps of any length (0.90 of it where each eighth step was the first short one).
#[test]
fn wear_of_explicit_steps_is_that_of_their_friction() {
    let hot = r#"Power(group: "hot", value: Table([(0, 0), (0.0101, 0), (0.0102, 40), (0.0149, 40), (0.015, 0), (0.0301, 0), (0.0302, 90), (0.0329, 90), (0.033, 0)]))"#;
    let mut run = build(
        &format!(
            r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: 0.004, end: 0.06, adapt: (halvings: 8, change: [(field: "temperature", by: 0.01)])),
  materials: {{"m": (density: 1000, thermal: (conductivity: 1, specific_heat: 500))}},
  bodies: [(group: "b", material: "m", shape: Sphere(radius: 0.01), at: (0, 0, 0.01), velocity: (0.1, 0, 0)), (group: "s", material: "m", shape: Plane(normal: (0, 0, 1))), (group: "hot", material: "m", shape: Sphere(radius: 0.01), at: (0, 0, 5))],
  interactions: [(between: ("b", "s"), law: CoulombWithWear(friction: 0.3, coefficient: 0.01, hardness: 1e6)), (between: ("hot", "b"), law: NoContact), (between: ("hot", "s"), law: NoContact)],
  loads: [(on: "hot", load: Fixed), (on: "b", load: Locked(axes: [SpinX, SpinY, SpinZ]))],
  physics: [Contact(scheme: Explicit()), Thermal(law: Insulating, boundary: [{hot}])],
  output: (probes: [(name: "worn", of: "worn_volume", group: "b", reduce: Sum)]))"#
        ),
        &[],
    );
    let mut worn = 0.0;
    while !run.finished() {
        let step = run.step().unwrap();
        worn = column(&run, &step, "worn").unwrap();
    }
    let mass = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-6;
    let want = 0.01 / (2.0 * 1e6) * 0.5 * mass * 0.01 / 0.3;
    assert!((worn / want - 1.0).abs() < 2e-3, "{worn} m³ of {want}");
}

/// `heat_made` and what boundaries give add up to the growth of the heat stored in the step in which temperatures move, and are 0 while they wait.
#[test]
fn heat_of_rare_steps_adds_up_to_what_is_stored() {
    for every in [1, 5] {
        let text = format!(
            r#"(dimension: 3, gravity: (0, 0, -10), time: (step: 0.001, end: 0.02), materials: {{"m": (density: 1000, thermal: (conductivity: 50, specific_heat: 500))}},
            bodies: [(group: "b", material: "m", shape: Box(size: (0.1, 0.1, 0.1)), at: (0, 0, 0.05), velocity: (1, 0, 0)), (group: "floor", material: "m", shape: Plane(normal: (0, 0, 1)))],
            interactions: [(between: ("b", "floor"), law: Coulomb(friction: 0.3))],
            physics: [Contact(tolerance: 1e-12), Thermal(law: Constant(conductance: 3), every: {every},
                boundary: [Convection(group: "b", coefficient: 1000, ambient: 400), Temperature(group: "floor", value: 293.15)])])"#
        );
        let mut run = build(&text, &[]);
        let mut before = 0.0;
        for k in 1..=20 {
            let step = run.step().unwrap();
            let of = |name: &str| column(&run, &step, name).unwrap();
            let stored = of("heat_stored");
            if k % every != 0 {
                assert_eq!((of("heat_made"), stored), (0.0, before), "every {every}, step {k}");
                continue;
            }
            let given = (of("heat_made") + of("heat_in_b") + of("heat_in_floor")) * 0.001 * f64::from(every);
            assert!(
                of("heat_made") > 1.0 && (given / (stored - before) - 1.0).abs() < 1e-9,
                "every {every}, step {k}: {given} J"
            );
            before = stored;
        }
    }
}

/// A search of `Explicit` for its configuration that ends too early is told as that search: its solves had ended.
#[test]
fn a_search_that_does_not_end_says_what_bounds_it() {
    let text = r#"(dimension: 3, gravity: (0, -9.81, 0), time: (step: 2e-3, end: 0.12, on_failure: Stop), materials: {"m": (density: 1000)},
        bodies: [(group: "a", material: "m", shape: Sphere(radius: 0.1), at: (0.12, 0.32, 0), velocity: (0.5, -2, 0), mass: 1), (group: "s", material: "m", shape: Sphere(radius: 0.2))],
        interactions: [(between: ("a", "s"), law: Coulomb(friction: 0.2))], loads: [(on: "s", load: Fixed)], physics: [Contact(scheme: Explicit(passes: 1), tolerance: 1e-12)])"#;
    let mut run = build(text, &[]);
    let said = (0..60).find_map(|_| run.step().err()).unwrap().to_string();
    for words in ["the search for the configuration", "did not end", "or more `passes` of `Contact`", "A larger `accuracy`"] {
        assert!(said.contains(words), "{said}");
    }
    assert!(!said.contains("max_iterations"), "{said}");
}
