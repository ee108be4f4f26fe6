//! What laws do before bodies touch, which is nothing but of those that reach through a gap by name: a body that flies at a wall keeps its velocity up to the step in which it touches, however far off the
//! pair is known (`alert`). And what a dashpot then takes of an impact, against its closed form.

use crate::granular::{build, column};

/// A body of 2 kg that flies at 1 m/s down towards what is fixed, 2 mm away.
fn flying(dimension: usize, shape: &str, law: &str, physics: &str, time: &str) -> String {
    let (floor, at, velocity) = match dimension {
        2 => ("Box(size: (1, 0.2))", "(0, -0.1)", "(0, -1)"),
        _ => ("Box(size: (1, 1, 0.2))", "(0, 0, -0.1)", "(0, 0, -1)"),
    };
    let up = at.replace("-0.1)", "0.052)");
    format!(
        r#"(dimension: {dimension}, time: ({time}), materials: {{"m": (density: 1000, elastic: (young: 1e7, poisson: 0.3))}},
        bodies: [(group: "b", material: "m", shape: {shape}, mass: 2, at: {up}, velocity: {velocity}), (group: "f", material: "m", shape: {floor}, at: {at})],
        loads: [(on: "f", load: Fixed)], interactions: [(between: ("b", "f"), law: {law})], physics: [{physics}])"#
    )
}

/// Point, edge and face in 2D and 3D.
const SHAPES: [(usize, &str); 5] = [
    (2, "Disc(radius: 0.05)"),
    (2, "Box(size: (0.1, 0.1))"),
    (3, "Sphere(radius: 0.05)"),
    (3, "Capsule(radius: 0.05, length: 0.1)"),
    (3, "Box(size: (0.1, 0.1, 0.1))"),
];

#[test]
fn nothing_is_felt_before_the_touch() {
    let contact = [
        "Coulomb(friction: 0.3)",
        "Coulomb(friction: 0.3, restitution: 0.5)",
        "Poisson(friction: 0.3, restitution: 0.5)",
        "Stronge(friction: 0.3, restitution: 0.5)",
        "StaticDynamic(friction: 0.5, sliding: 0.3)",
        "Elastic(stiffness: 1e5, friction: 0.3)",
        "Elastic(stiffness: 1e5, damping: 1e4, friction: 0.3)",
        "Elastic(stiffness: 1e5, damping: 1e3, tangential_stiffness: 1e4, friction: 0.3)",
        "MonerieAcary(normal_stiffness: 1e9, tangential_stiffness: 1e9, energy: 0.5, friction: 0.4, bond_distance: 1e-6)",
        "RaousCangemiCocouMonerie(normal_stiffness: 1e9, tangential_stiffness: 5e8, energy: 0.5, viscosity: 1e-3, friction: 0.4, bond_distance: 1e-6)",
        "Bilinear(normal_stiffness: 1e9, tensile_strength: 2e4, energy: 0.5, friction: 0.4, bond_distance: 1e-6)",
        "Extrinsic(strength: 2e4, energy: 0.5, friction: 0.4, bond_distance: 1e-6)",
        "MohrCoulomb(friction: 0.4, tensile_strength: 2e3, bond_distance: 1e-6)",
        "CoulombWithWear(friction: 0.4, coefficient: 1e-3, hardness: \"1 GPa\")",
    ];
    let smooth = ["Hooke(stiffness: 1e4, friction: 0.3, restitution: 0.2)", "Hertz(friction: 0.3)"];
    let contact = contact.iter().flat_map(|law| [(*law, "Contact(alert: 0.01)", "0.5"), (*law, "Contact(alert: 0.01)", "1")]);
    let explicit = [("Elastic(stiffness: 1e5, damping: 1e3, friction: 0.3)", "Contact(alert: 0.01, scheme: Explicit())", "0.5")];
    let smooth = smooth.iter().map(|law| (*law, "SmoothContact(alert: 0.01)", "0.5"));
    for (law, physics, theta) in contact.chain(explicit).chain(smooth) {
        for (dimension, shape) in SHAPES {
            let shape = if law.starts_with("Hertz") && shape.starts_with("Box") { continue } else { shape };
            let mut run =
                build(&flying(dimension, shape, law, physics, &format!("step: 1e-4, end: 1.9e-3, theta: {theta}")), &[]);
            while !run.finished() {
                run.step().unwrap_or_else(|e| panic!("{law} {shape}: {e}"));
                let v = run.world().kinematics.velocity[0][dimension - 1];
                assert!((v + 1.0).abs() < 1e-12, "{law} θ {theta}, {dimension}D {shape}: {v} m/s at t = {}", run.time());
            }
        }
    }
}

/// A spring with a dashpot that never pulls gives back e = exp(−(β/ω)(π − arctan(2βω/(ω² − β²)))) of the speed, β = c/2m, ω² = k/m − β² (Schwager and Pöschel 2007, doi:10.1007/s10035-007-0065-z, eq. 21), whatever
/// `alert` is.
#[test]
fn a_dashpot_takes_of_an_impact_what_it_must() {
    let (m, k) = (2.0_f64, 1e5_f64);
    for c in [100.0_f64, 250.0] {
        let beta = 0.5 * c / m;
        let omega = (k / m - beta * beta).sqrt();
        let wanted = (-(beta / omega) * (std::f64::consts::PI - (2.0 * beta * omega).atan2(omega * omega - beta * beta))).exp();
        for (dimension, shape) in SHAPES {
            for (theta, scheme) in [("0.5", ""), ("1", ""), ("0.5", ", scheme: Explicit()")] {
                for alert in [1e-3, 1e-2] {
                    let law = format!("Elastic(stiffness: {k}, damping: {c}, friction: 0)");
                    let physics = format!("Contact(alert: {alert}, tolerance: 1e-10{scheme})");
                    let mut run =
                        build(&flying(dimension, shape, &law, &physics, &format!("step: 5e-6, end: 0.02, theta: {theta}")), &[]);
                    let mut open = 0.0_f64;
                    while !run.finished() {
                        let step = run.step().unwrap_or_else(|e| panic!("{shape}: {e}"));
                        open = open.max(column(&run, &step, "book_energy").unwrap().abs());
                    }
                    let v = run.world().kinematics.velocity[0][dimension - 1];
                    assert!(
                        (v / wanted - 1.0).abs() < 4e-3,
                        "{c} {shape} θ {theta}{scheme}, alert {alert}: {v} m/s, not {wanted}"
                    );
                    assert!(open < 1e-10, "{c} {shape} θ {theta}{scheme}, alert {alert}: {open:e}");
                }
            }
        }
    }
}
