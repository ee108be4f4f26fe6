//! Deformable bodies that touch themselves, against the same with a wall in the plane of symmetry.

use crate::granular::build;

/// A ring with a slit, pressed together from outside: at y = 0 its ends meet, as those of half of it meet a plane. Along x it is free, and driven
/// by the pressure that the slit lacks. Force (N) and deepest penetration (m).
fn slit(whole: bool, element: &str, law: &str) -> (f64, f64) {
    let (angle, half) = (340.0, 170.0);
    let angle = if whole { angle } else { half };
    let held = if whole { String::new() } else { r#"(on: "ring.end", load: Locked(axes: [Y])),"#.to_owned() };
    let plane = if whole { "" } else { r#"(group: "plane", material: "m", shape: Plane(normal: (0, 1))),"# };
    let with = if whole { "ring" } else { "plane" };
    let mut run = build(
        &format!(
            r#"(dimension: 2, time: (step: 0.02, end: 10, theta: 1),
  materials: {{"m": (density: 1000, elastic: (young: 1e6, poisson: 0.3), solid: (law: {law}))}},
  bodies: [
    (group: "ring", material: "m", shape: Mesh(of: Annulus(inner: 0.08, outer: 0.1, angle: "{angle} deg", cells: (2, {}), element: {element})), rotation: "10 deg"), {plane}
  ],
  interactions: [(between: ("ring", "{with}"), law: Coulomb(friction: 0))],
  loads: [{held} (on: "ring.outer", load: Pressure(pressure: Ramp(from: 0, to: 300, end: 1)))],
  physics: [Contact(tolerance: 1e-8)])"#,
            angle / 10.0
        ),
        &[],
    );
    for _ in 0..150 {
        run.step().unwrap();
    }
    let network = run.world().network;
    let force: f64 = network.iter().map(|c| c.r.x).sum::<f64>() / 0.02;
    let deepest = network.iter().map(|c| c.gap).fold(0.0, f64::min);
    (force, deepest)
}

#[test]
fn a_slit_closes_as_on_a_plane() {
    for element in ["Q8", "Q4"] {
        let (force, deepest) = slit(true, element, "NeoHookean");
        let (half, _) = slit(false, element, "NeoHookean");
        assert!(half > 1.0 && (force / half - 1.0).abs() < 0.01, "{element}: {force} N of {half} N");
        assert!(deepest > -1e-6, "{deepest} m");
    }
}
