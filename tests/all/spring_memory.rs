//! What springs and bonds along a surface remember from step to step: steps of unequal length, the first step, no friction work of what never slid.

use crate::granular::{build, column, steps};

const SPRING: &str = "Elastic(friction: 10, stiffness: 1e6, tangential_stiffness: 1e5)";
/// As stiff along the surface.
const BONDS: [&str; 2] = [
    "Bilinear(friction: 0, tensile_strength: 1e9, energy: 1e9, normal_stiffness: 1e10, tangential_stiffness: 1e9, area: 1e-4, bond_distance: 1e-2)",
    "MonerieAcary(friction:0,energy:1e9,normal_stiffness:10000000000.0,tangential_stiffness:1000000000.0,area:0.0001,bond_distance:1e-2)",
];

/// A ball of 10 kg at rest on a plane by its weight, led to and fro by ±(0.01/2π) m once a second; steps are halved in the same part of each cycle, where something unrelated gets warm.
fn led(shape: &str, law: &str, (h, theta, adapt): (f64, f64, &str)) -> mpcd_sim::Simulation {
    let dimension = if shape.contains("Cylinder") { 3 } else { 2 };
    let (up, gravity) = if dimension == 3 { ("0, 0", "(0, 0, -10)") } else { ("0", "(0, -10)") };
    let (normal, locked) =
        if dimension == 3 { ("(0, 0, 1)", "y: 0, spin_x: 0, spin_y: 0, spin_z: 0") } else { ("(0, 1)", "spin_z: 0") };
    let velocity = if dimension == 3 { "(0.01, 0, 0)" } else { "(0.01, 0)" };
    build(
        &format!(
            r#"(dimension: {dimension}, gravity: {gravity}, time: (step: {h}, end: 20, theta: {theta}{adapt}),
  materials: {{"m": (density: 1000, elastic: (young: 1e9, poisson: 0.3)),
    "hot": (density: 1000, thermal: (conductivity: 10, specific_heat: 500))}},
  bodies: [(group: "b", material: "m", shape: {shape}, mass: 10, at: ({up}, 0.0499), velocity: {velocity}),
    (group: "f", material: "m", shape: Plane(normal: {normal})),
    (group: "hot", material: "hot", shape: Sphere(radius: 0.05), at: ({}5, 5))],
  interactions: [(between: ("b", "f"), law: {law}), (between: ("b", "hot"), law: NoContact)],
  loads: [(on: "hot", load: Fixed), (on: "b", load: Velocity(x: "0.01*cos(2*PI*t)", {locked}))],
  physics: [Contact(tolerance: 1e-12, watch: (turn: Warn)),
    Thermal(law: Insulating, boundary: [Temperature(group: "hot", value: "300+10*sin(PI*(t-0.25))")])],
  output: (every: 1000000, probes: [(name: "F", of: "resultant", component: X, group: "b"),
    (name: "x", of: "position", component: X, group: "b")]))"#,
            if dimension == 3 { "5, " } else { "" }
        ),
        &[],
    )
}

const HALVED: &str = r#", adapt: (halvings: 3, change: [(field: "temperature", by: 0.5)])"#;

/// The force was off by (1 − θ)(h − h′) u k at each change of the step: −184 N after 20 cycles of ±159 N.
#[test]
fn springs_and_bonds_lose_nothing_where_steps_change_their_length() {
    for shape in ["Sphere(radius: 0.05)", "Cylinder(radius: 0.05, length: 0.1)"] {
        for law in [SPRING, BONDS[0], BONDS[1]] {
            for theta in [0.5, 0.7] {
                let mut run = led(shape, law, (0.02, theta, HALVED));
                let (mut last, mut unequal) = (None, 0);
                while !run.finished() {
                    let done = run.step().unwrap_or_else(|e| panic!("{shape}, {law}: {e}"));
                    unequal += usize::from((column(&run, &done, "h").unwrap() - 0.02).abs() > 1e-9);
                    last = Some(done);
                }
                let last = last.unwrap();
                let [force, x] = ["F", "x"].map(|name| column(&run, &last, name).unwrap());
                assert!(unequal > 300, "{unequal} steps were halved");
                let expected = -1e5 * x;
                assert!((force - expected).abs() < 1.0, "{shape}, {law}, θ = {theta}: {force} N, not {expected}");
                assert!(column(&run, &last, "w_friction").unwrap().abs() < 1e-12);
            }
        }
    }
}

/// Unstretched is where the run begins, not where the first contact configuration is: half a step of the first velocity lies between, 5 N here.
#[test]
fn a_spring_that_touches_from_the_start_is_unstretched_there() {
    for theta in [0.5, 0.8, 1.0] {
        let mut run = led("Sphere(radius: 0.05)", SPRING, (0.01, theta, ""));
        for quarter in 1..=4 {
            let last = steps(&mut run, 25);
            let [force, x] = ["F", "x"].map(|name| column(&run, &last, name).unwrap());
            assert!((force + 1e5 * x).abs() < 1e-6, "θ = {theta}, quarter {quarter}: {force} N at {x} m");
            // 0.7 mJ were taken for friction in each step that ended with next to no velocity
            assert_eq!(column(&run, &last, "w_friction"), Some(0.0));
        }
    }
}

/// In the first step a spring that is longer than friction lets it be only in the next contact configuration has not slid yet: its friction took −4 mJ.
#[test]
fn no_friction_is_taken_of_what_has_not_slid_in_the_first_step() {
    // the limit is 50 N, 0.5 mm of the spring, the first step 0.4 mm
    let law = "Elastic(friction: 0.5, stiffness: 1e6, tangential_stiffness: 1e5)";
    let mut run = led("Sphere(radius: 0.05)", law, (0.04, 0.5, ""));
    let last = steps(&mut run, 1);
    assert_eq!(column(&run, &last, "w_friction"), Some(0.0));
    let last = steps(&mut run, 4);
    assert!(column(&run, &last, "w_friction").unwrap() < 0.0);
}
