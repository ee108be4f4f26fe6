//! Slender bodies on joints in space: a hundred thousand times the inertia across that they have about their length, under moments that the joint bears. The motion has closed forms.

use mpcd_sim::Simulation;

use crate::granular::{build, column};

/// A rod of 1 kg and 0.5 m of this radius.
fn rod(radius: f64, (h, end, theta): (f64, f64, f64), place: &str, joint: &str) -> Simulation {
    let text = format!(
        r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: {h}, end: {end}, theta: {theta}, on_failure: Stop), materials: {{"m": (density: 1000)}},
  bodies: [(group: "rod", material: "m", shape: Capsule(radius: {radius}, length: 0.5), mass: 1, {place})],
  joints: [(to_ground: "rod", name: "j", joint: {joint})],
  physics: [Contact()],
  output: (probes: [(name: "z", of: "position", component: Z, group: "rod")]))"#
    );
    build(&text, &[])
}

/// A rod that turns flat about one end, its weight a moment on the hinge: it turns on and on. In a step by 2 arctan(½ωh), and the hinge bears mgl/2 and the weight.
#[test]
fn a_rod_turns_on_under_the_moment_of_its_weight() {
    let spin = 8.0_f64;
    for radius in [1e-3, 3e-3, 1e-2] {
        for h in [1e-3, 4e-3, 1e-2, 3e-2] {
            for theta in [0.5, 1.0] {
                let place = format!("at: (0.25, 0, 0), velocity: (0, {}, 0), spin: (0, 0, {spin})", 0.25 * spin);
                let mut run = rod(radius, (h, 60.0 * h, theta), &place, "Hinge(at: (0, 0, 0), axis: (0, 0, 1))");
                let case = format!("radius {radius} m, step {h} s, theta {theta}");
                let mut steps = 0.0;
                let first = run.step().unwrap_or_else(|e| panic!("{case}: {e}"));
                let first = column(&run, &first, "e_kinetic").unwrap();
                while !run.finished() {
                    let step = run.step().unwrap_or_else(|e| panic!("{case}: {e}"));
                    steps = step.step as f64;
                    let of = |name: &str| column(&run, &step, name).unwrap();
                    // with θ = 1 a step takes a part of the order of (ωh)² of what turns
                    let least = if theta > 0.5 { (-steps * (spin * h).powi(2)).exp() } else { 1.0 - 1e-9 };
                    let kinetic = of("e_kinetic");
                    assert!(kinetic > first * least && kinetic < first * (1.0 + 1e-9), "{case}: {kinetic} J of {first} J");
                    if theta == 0.5 {
                        assert!(
                            (of("j_moment") / (9.81 * 0.25) - 1.0).abs() < (spin * h).powi(2),
                            "{case}: {} N m",
                            of("j_moment")
                        );
                        let angle = 2.0 * (0.5 * spin * h).atan() * steps;
                        assert!((of("j_angle") / angle - 1.0).abs() < 1e-9, "{case}: {} rad of {angle}", of("j_angle"));
                    }
                }
                assert!(steps > 10.0, "{case}");
            }
        }
    }
}

/// The conical pendulum of a rod on a pin at its end: cos b = 3g/(2lω²), and the axis keeps its height. Steps of 10 ms turn it by 0.06 rad.
#[test]
fn a_rod_on_a_pin_goes_round_a_cone() {
    let (length, tilt) = (0.5_f64, 0.7_f64);
    let spin = (1.5 * 9.81 / (length * tilt.cos())).sqrt();
    let (out, low) = (0.5 * length * tilt.sin(), -0.5 * length * tilt.cos());
    for radius in [1e-3, 3e-3] {
        let mut off = [0.0_f64; 2];
        for (h, off) in [4e-3, 2e-3].into_iter().zip(&mut off) {
            let turned = std::f64::consts::FRAC_PI_2 - tilt;
            let place = format!(
                "at: ({out}, 0, {low}), rotation: ((0, 1, 0), {turned}), velocity: (0, {}, 0), spin: (0, 0, {spin})",
                spin * out
            );
            let mut run = rod(radius, (h, 1.0, 0.5), &place, "Pin(at: (0, 0, 0))");
            while !run.finished() {
                let step = run.step().unwrap_or_else(|e| panic!("radius {radius} m, step {h} s: {e}"));
                assert!(step.iterations <= 10, "radius {radius} m, step {h} s: {} iterations", step.iterations);
                let z = column(&run, &step, "z").unwrap();
                *off = off.max((z - low).abs());
            }
            assert!(run.books().account(mpcd_core::Book::Energy).unwrap().worst < 1e-10, "radius {radius} m, step {h} s");
        }
        assert!(off[0] < 1e-3 && off[1] < 1e-3, "radius {radius} m: {off:?} m");
    }
}
