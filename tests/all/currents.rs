//! Currents and heat together, through whole models, against closed forms.

use mpcd_sim::Simulation;

use crate::granular::{build, column, steps};

/// Three balls in a row under 100 N, the outer ones at 300 K, 2 kA through them, copper-like, by the temperatures of the bodies; 3 W/K a contact.
pub(crate) fn row(dimension: u8, coupling: &str) -> Simulation {
    let (shape, locked) = if dimension == 2 {
        ("Disc(radius: 0.01, thickness: 0.02)", "Y, SpinZ")
    } else {
        ("Sphere(radius: 0.01)", "Y, Z, SpinX, SpinY, SpinZ")
    };
    let zero = if dimension == 2 { "0" } else { "0, 0" };
    build(
        &format!(
            r#"(dimension: {dimension}, time: (step: "1 ms", end: "1 s"),
        materials: {{"copper": (density: 9000, electrical: (conductivity: 5.8e7, temperature_coefficient: 0.0039, reference_temperature: 300),
          thermal: (conductivity: 400, specific_heat: 0.4))}},
        bodies: [
          (group: "a", material: "copper", shape: {shape}, at: (0, {zero})),
          (group: "b", material: "copper", shape: {shape}, at: (0.02, {zero})),
          (group: "c", material: "copper", shape: {shape}, at: (0.04, {zero})),
        ],
        interactions: [(between: ("a", "b"), law: Coulomb(friction: 0)), (between: ("b", "c"), law: Coulomb(friction: 0)), (between: ("a", "c"), law: NoContact)],
        loads: [(on: "a", load: Fixed), (on: "b", load: Locked(axes: [{locked}])), (on: "c", load: Locked(axes: [{locked}])), (on: "c", load: Force(x: -100))],
        physics: [Contact(tolerance: 1e-12),
          Electrical(law: Holm(hardness: 1e9), self_heating: false, potential: [(group: "a", value: 0)], current: [(group: "c", value: 2000)]),
          Thermal(law: Constant(conductance: 3), temperature: 300, coupling: (dilatation: false),
            boundary: [Temperature(group: "a", value: 300), Temperature(group: "c", value: 300)])],
        {coupling} output: (every: 1000))"#
        ),
        &[],
    )
}

/// Steady state: each contact has C = C₀/(1 + αΔ/2), Δ the rise of the middle ball, which takes half of the Joule heat of both:
/// I²/C₀ (1 + αΔ/2) = 2HΔ. In the plane and in space, staggered and iterated; the electrodes give what the contacts heat.
#[test]
fn a_current_warms_its_contacts_and_meets_more_resistance() {
    let holm = 2.0 * (100.0 / (std::f64::consts::PI * 1e9_f64)).sqrt() * 5.8e7;
    let (power, alpha) = (4e6 / holm, 0.0039);
    let rise = power / (2.0 * 3.0 - 0.5 * power * alpha);
    let resistance = 2.0 / holm * (1.0 + 0.5 * alpha * rise);
    assert!(rise > 10.0, "the case shows something: {rise} K");
    let iterated = r#"coupling: Iterated(modules: ["Electrical", "Thermal"], tolerance: 1e-12, max_iterations: 50),"#;
    let mut first_steps = Vec::new();
    for (dimension, coupling) in [(2, ""), (3, ""), (3, iterated)] {
        let mut run = row(dimension, coupling);
        let early = steps(&mut run, 2);
        first_steps.push(column(&run, &early, "resistance").unwrap());
        let outcome = steps(&mut run, 400);
        let t = run.field("temperature").unwrap()[1];
        assert!((t - 300.0 - rise).abs() < 1e-7 * rise, "{dimension}D {coupling}: {t}, expected {}", 300.0 + rise);
        let of = |name: &str| column(&run, &outcome, name).unwrap();
        assert!((of("resistance") / resistance - 1.0).abs() < 1e-9);
        assert!((of("electrode_power") / of("joule_total") - 1.0).abs() < 1e-10);
        assert!((of("joule_total") / (4e6 * resistance) - 1.0).abs() < 1e-9);
        // in = out: two ends take what the contacts make, half of it at once
        assert!((of("heat_in_a") + of("heat_in_c") + of("joule_total")).abs() < 1e-7 * of("joule_total"));
        for book in [mpcd_core::Book::Charge, mpcd_core::Book::Electricity, mpcd_core::Book::Heat] {
            assert!(run.books().account(book).unwrap().worst <= 1e-10, "{}", book.name());
        }
        // hottest inside the contacts: the drop between 300 K and the middle, by Kohlrausch with unequal ends
        let hottest = run.field("contact_temperature").unwrap();
        assert!(hottest.iter().all(|x| *x >= t), "{hottest:?}");
    }
    // while it warms, the staggered coupling is a step behind
    assert!(first_steps[2] > first_steps[1], "{first_steps:?}");
}

/// Four boxes on a floor at 300 K, the upper one fed with 2 W, 0.5 W/K a face: 304, 308, 312, 316 K, after hours as after years in
/// steps of 1 ms with a time of heat of its own, friction, impacts and dilatation and all.
#[test]
fn heat_over_years_is_not_made_of_rounding() {
    let years = |scale: f64| {
        let bodies: String = (0..4)
            .map(|k| {
                let group = if k == 3 { "top" } else { "boxes" };
                format!(
                    "(group: \"{group}\", material: \"m\", shape: Box(size: (0.1, 0.1, 0.05)), at: (0, 0, {})),\n",
                    0.025 + 0.05 * f64::from(k)
                )
            })
            .collect();
        let text = format!(
            r#"(dimension: 3, gravity: (0, 0, -9.81), time: (step: "1 ms", end: "1 s"),
        materials: {{"m": (density: 2500, thermal: (conductivity: 1, specific_heat: 800, expansion: 1e-5))}},
        bodies: [{bodies} (group: "floor", material: "m", shape: Plane(normal: (0, 0, 1)))],
        interactions: [(between: ("boxes", "boxes"), law: Coulomb(friction: 0.5)), (between: ("boxes", "top"), law: Coulomb(friction: 0.5)),
          (between: ("boxes", "floor"), law: Coulomb(friction: 0.5)), (between: ("top", "floor"), law: NoContact)],
        physics: [Contact(tolerance: 1e-6), Thermal(law: Constant(conductance: 0.5), time_scale: {scale}, every: 20, temperature: 300,
          boundary: [Temperature(group: "floor", value: 300), Power(group: "top", value: 2)])],
        output: (every: 1000))"#
        );
        let mut run = build(&text, &[]);
        let outcome = steps(&mut run, 400);
        assert!(run.counters().warning_words().is_empty(), "{:?}", run.counters().warning_words());
        assert!((column(&run, &outcome, "heat_time").unwrap() / (0.4 * scale) - 1.0).abs() < 1e-9);
        run.field("temperature").unwrap()[..4].to_vec()
    };
    // 2e7 s and 2e10 s of heat in a step of it
    for scale in [1e9, 1e12] {
        for (k, t) in years(scale).iter().enumerate() {
            let want = 300.0 + 4.0 * (k as f64 + 1.0);
            assert!((t - want).abs() < 1e-6, "box {k} after {scale:e}: {t} K, expected {want} K");
        }
    }
}
