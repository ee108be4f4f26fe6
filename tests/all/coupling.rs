//! Coupling through whole models: edges switched off, modules at a pace of their own, and the limit of vanishing steps.

use std::path::Path;

use mpcd_core::Book;
use mpcd_sim::Simulation;

use crate::{
    currents::row,
    granular::{build, column, steps},
};

/// Resistance of both contacts of the row at the start, half of its Joule power over α ΔT, and α.
fn contacts() -> (f64, f64) {
    let holm = 2.0 * (100.0 / (std::f64::consts::PI * 1e9_f64)).sqrt() * 5.8e7;
    (2.0 / holm, 4e6 / holm)
}

/// Serial: the temperature does not reach the conductivity. The resistance stays that of the start, and the middle ball, which takes half of
/// the heat of both contacts, ends I²/C₀ over 2 H above its neighbours.
#[test]
fn serial_currents_do_not_know_the_temperature() {
    let (resistance, power) = contacts();
    let off = r#"coupling: Staggered(off: [(field: "temperature", to: "Electrical")]),"#;
    for coupling in [off, "coupling: Serial,"] {
        let mut run = row(3, coupling);
        for _ in 0..4 {
            let outcome = steps(&mut run, 100);
            assert!((column(&run, &outcome, "resistance").unwrap() / resistance - 1.0).abs() < 1e-10);
        }
        let rise = run.field("temperature").unwrap()[1] - 300.0;
        assert!((rise / (power / 6.0) - 1.0).abs() < 1e-8, "{rise} K");
        assert!(run.summary().coupling_off.contains(&"Thermal -> Electrical: temperature".to_owned()));
        assert!(coupling != off || run.summary().coupling_off.len() == 1);
    }
    // The other way round: contacts heat nobody.
    let off = r#"coupling: Staggered(off: [(field: "joule_power", to: "Thermal")]),"#;
    let mut run = row(3, off);
    let outcome = steps(&mut run, 50);
    assert!(run.field("temperature").unwrap().iter().all(|t| (t - 300.0).abs() < 1e-12));
    assert!(column(&run, &outcome, "joule_total").unwrap() > 1.0 && column(&run, &outcome, "heat_made").unwrap() == 0.0);
}

/// One ball that cools into air: implicit Euler divides its excess by 1 + hK/C in each of its own steps.
#[test]
fn temperatures_at_every_pace_are_those_of_the_scheme() {
    let text = |pace: &str| {
        format!(
            r#"(dimension: 3, time: (step: "1 s", end: "12 s"),
        materials: {{"m": (density: 1000, thermal: (conductivity: 10, specific_heat: 100))}},
        bodies: [(group: "ball", material: "m", shape: Sphere(radius: 0.01))],
        interactions: [(between: ("ball", "ball"), law: Coulomb(friction: 0))],
        physics: [Contact(), Thermal(law: Constant(conductance: 1), temperature: 400, coupling: (dilatation: false),
          boundary: [Convection(group: "ball", coefficient: 50, ambient: 300)])],
        coupling: Staggered({pace}))"#
        )
    };
    // h A/(m c) over a second: 50 · 3/(1000 · 100 · 0.01)
    let rate = 0.15_f64;
    for (pace, parts, own) in [
        ("", 12, 1.0),
        (r#"pace: [(module: "Thermal", substeps: 5)]"#, 60, 0.2),
        (r#"pace: [(module: "Thermal", every: 4)]"#, 3, 4.0),
    ] {
        let mut run = build(&text(pace), &[]);
        steps(&mut run, 12);
        let expected = 300.0 + 100.0 * (1.0 + rate * own).powi(-parts);
        let found = run.field("temperature").unwrap()[0];
        assert!((found - expected).abs() < 1e-9, "{pace}: {found} K, expected {expected} K");
        let heat = run.books().account(Book::Heat).unwrap();
        assert!(heat.worst < 1e-12, "{pace}: {heat:?}");
        let stored = heat.flow("convection").unwrap().x;
        let content = 4.0 / 3.0 * std::f64::consts::PI * 1e-6 * 1000.0 * 100.0;
        assert!((stored / (content * (expected - 400.0)) - 1.0).abs() < 1e-10, "{pace}: {stored} J");
    }
}

/// Three balls on a floor whose temperature changes over days. `time` and `pace` are those of the mechanics and of heat, a second of the mechanics `scale` of heat.
fn column_over_days(time: &str, (scale, pace): (f64, &str), (expansion, floor): (f64, &str)) -> Simulation {
    let model = format!(
        r#"(dimension: 3, gravity: (0, 0, -9.81), time: ({time}, end: 100, theta: 1),
        materials: {{"m": (density: 2500, thermal: (conductivity: 2, specific_heat: 800, expansion: {expansion}))}},
        bodies: [
          (group: "floor", material: "m", shape: Box(size: (0.4, 0.4, 0.1)), at: (0, 0, -0.05)),
          (group: "column", material: "m", shape: Sphere(radius: 0.05), at: (0, 0, 0.05)),
          (group: "column", material: "m", shape: Sphere(radius: 0.05), at: (0, 0, 0.15)),
          (group: "column", material: "m", shape: Sphere(radius: 0.05), at: (0, 0, 0.25)),
        ],
        interactions: [(between: ("column", "column"), law: Coulomb(friction: 0.5)), (between: ("column", "floor"), law: Coulomb(friction: 0.5))],
        loads: [(on: "floor", load: Fixed)],
        physics: [Contact(tolerance: 1e-12), Thermal(law: Constant(conductance: 0.05), temperature: 300, time_scale: {scale},
          coupling: (friction: false, impact: false), boundary: [Temperature(group: "floor", value: "{floor}")])],
        coupling: Staggered({pace}))"#
    );
    build(&model, &[])
}

/// Mechanics now and then, at an interval: with `substeps` in a step of the mechanics, heat takes its hours while the mechanics are computed every hour, twice a day or once, and the temperatures are the same.
#[test]
fn heat_takes_its_hours_while_the_mechanics_are_computed_once_a_day() {
    let floor = "300 + 10*sin(2*PI*t/86400)";
    let temperatures = [(1_u32, 96), (12, 8), (24, 4)].map(|(hours, days)| {
        let pace = format!(r#"pace: [(module: "Thermal", substeps: {hours})]"#);
        let mut run = column_over_days(r#"step: "1 s""#, (3600.0 * f64::from(hours), &pace), (0.0, floor));
        steps(&mut run, days);
        run.field("temperature").unwrap().to_vec()
    });
    assert!(temperatures[0][1..].iter().all(|t| (t - 300.0).abs() > 0.1), "{temperatures:?}");
    for other in &temperatures[1..] {
        assert!(temperatures[0].iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-9), "{temperatures:?}");
    }
}

/// Mechanics by event: `adapt` on `size_factor` has them computed once a day while nothing grows, every 45 minutes while the floor warms, and once a day again. What stands on what swells rises as it swells.
#[test]
fn the_mechanics_of_slow_heat_are_computed_where_bodies_grow() {
    let adapt = r#"step: "1 s", adapt: (halvings: 6, change: [(field: "size_factor", by: 2e-5)])"#;
    let floor = "300 + 40*max(0, min(1, t/86400 - 3))";
    let mut run = column_over_days(adapt, (86400.0, r#"pace: [(module: "Thermal", substeps: 6)]"#), (1e-5, floor));
    let [mut quiet, mut warming, mut late] = [0; 3];
    while run.time() < 30.0 - 1e-9 {
        steps(&mut run, 1);
        let count = if run.time() < 3.0 + 1e-9 {
            &mut quiet
        } else if run.time() < 4.0 + 1e-9 {
            &mut warming
        } else {
            &mut late
        };
        *count += 1;
    }
    assert!(quiet == 3 && warming == 32 && (26..70).contains(&late), "{quiet}, {warming}, {late} steps");
    // the floor about its middle, 0.05 m below, and 0.25 m of balls, each by 40 K
    let risen = run.world().kinematics.position[3].z - 0.25;
    assert!((risen / (0.3 * 4e-4) - 1.0).abs() < 1e-4, "{risen} m");
}

fn flow(run: &Simulation, book: Book, names: &[&str]) -> f64 {
    let account = run.books().account(book).unwrap();
    names.iter().filter_map(|n| account.flow(n)).map(|v| v.x).sum()
}

/// What the electrodes give arrives as heat, joule by joule, however seldom heat is computed; and a current computed now and then heats with
/// the power it had.
#[test]
fn no_joule_is_lost_between_modules_of_different_paces() {
    let together = |coupling: &str, count: u64| {
        let mut run = row(3, coupling);
        steps(&mut run, count);
        for book in [Book::Charge, Book::Electricity, Book::Heat] {
            assert!(run.books().account(book).unwrap().worst <= 1e-10, "{coupling} {}", book.name());
        }
        let joule = ["joule"];
        (flow(&run, Book::Electricity, &joule).abs(), flow(&run, Book::Heat, &joule), run)
    };
    for coupling in [
        "",
        r#"coupling: Staggered(pace: [(module: "Thermal", every: 8)]),"#,
        r#"coupling: Staggered(pace: [(module: "Thermal", substeps: 3)]),"#,
        r#"coupling: Staggered(pace: [(module: "Electrical", substeps: 2), (module: "Thermal", every: 4)]),"#,
    ] {
        let (made, arrived, _) = together(coupling, 40);
        assert!(made > 0.0 && (arrived / made - 1.0).abs() < 1e-12, "{coupling}: {made} J made, {arrived} J arrived");
    }
    // A current every fifth step: its first power acts from the fifth step on, and it ends at the same state.
    let (made, arrived, mut run) = together(r#"coupling: Staggered(pace: [(module: "Electrical", every: 5)]),"#, 40);
    assert!(arrived < made && arrived > 0.85 * made, "{made} {arrived}");
    let (resistance, power) = contacts();
    let rise = power / (6.0 - 0.5 * power * 0.0039);
    steps(&mut run, 600);
    let found = run.field("temperature").unwrap()[1] - 300.0;
    assert!((found / rise - 1.0).abs() < 1e-6, "{found} K, expected {rise} K; {resistance} Ohm");
}

/// 20 A of 1 Hz through two contacts of 10 S in steps of half a second, of which the current takes twentieths: each part makes another power, and heat gets the mean of
/// them, I²/2 · 0.2 Ω · 2 s = 80 J (sums of sin² over whole periods are exact). Of the last part alone it would be nothing.
#[test]
fn a_current_in_parts_of_a_step_heats_by_all_of_them() {
    let model = |step: &str, coupling: &str| {
        format!(
            r#"(dimension: 3, time: (step: "{step}", end: "2 s", theta: 1),
        materials: {{"m": (density: 7800, electrical: (conductivity: 1e6), thermal: (conductivity: 50, specific_heat: 500))}},
        bodies: [(group: "a", material: "m", shape: Sphere(radius: 0.01), at: (0, 0, 0)), (group: "b", material: "m", shape: Sphere(radius: 0.006), at: (0.016, 0, 0)),
          (group: "c", material: "m", shape: Sphere(radius: 0.004), at: (0.026, 0, 0))],
        interactions: [(between: ("a", "b"), law: Coulomb(friction: 0)), (between: ("b", "c"), law: Coulomb(friction: 0)), (between: ("a", "c"), law: NoContact)],
        loads: [(on: "a", load: Fixed), (on: "b", load: Locked(axes: [Y, Z, SpinX, SpinY, SpinZ])), (on: "c", load: Locked(axes: [Y, Z, SpinX, SpinY, SpinZ])), (on: "c", load: Force(x: -5))],
        physics: [Contact(tolerance: 1e-12),
          Electrical(law: Constant(conductance: 10), potential: [(group: "a", value: 0)], current: [(group: "c", value: Sine(amplitude: 20, frequency: 1))]),
          Thermal(law: Insulating, temperature: 300, coupling: (friction: false, impact: false, dilatation: false))],
        coupling: Staggered({coupling}))"#
        )
    };
    for (step, coupling, count) in [
        ("0.5 s", r#"pace: [(module: "Electrical", substeps: 20)]"#, 4),
        ("0.5 s", r#"pace: [(module: "Electrical", substeps: 20), (module: "Thermal", substeps: 5)]"#, 4),
        ("0.5 s", r#"pace: [(module: "Electrical", substeps: 20), (module: "Thermal", every: 2)]"#, 4),
        ("25 ms", "", 80),
        ("25 ms", r#"pace: [(module: "Thermal", every: 20)]"#, 80),
    ] {
        let mut run = build(&model(step, coupling), &[]);
        steps(&mut run, count);
        let (made, arrived) = (flow(&run, Book::Electricity, &["joule"]).abs(), flow(&run, Book::Heat, &["joule"]));
        assert!(
            (made / 80.0 - 1.0).abs() < 1e-9 && (arrived / 80.0 - 1.0).abs() < 1e-9,
            "{step} {coupling}: {made} J made, {arrived} J arrived"
        );
        assert!(run.books().account(Book::Heat).unwrap().worst < 1e-10);
    }
}

/// A pressure that swings once in each step, at the foot of a lattice of grains: what twentieths of a step give to the grains is what the step gives, as with a
/// step of a twentieth. The force of the last part alone is none.
#[test]
fn a_fluid_in_parts_of_a_step_pushes_by_all_of_them() {
    let pushed = |step: &str, coupling: &str, count: u64| {
        let model = format!(
            r#"(dimension: 3, gravity: (0, 0, 0), time: (step: "{step}", end: "20 ms", theta: 0.5), materials: {{"a": (density: 2500)}},
        bodies: [(group: "p", material: "a", packing: Lattice(from: (0, 0, 0), to: (0.012, 0.012, 0.024), sizes: Fixed(radius: 0.001)))],
        interactions: [(between: ("p", "p"), law: NoContact)], loads: [(on: "p", load: Locked(axes: [X, Y]))],
        physics: [Contact(), Darcy(grid: (from: (0, 0, 0), to: (0.012, 0.012, 0.024), cells: (3, 3, 6)), fluid: Liquid(viscosity: 1e-6), permeability: Given(1e-6),
          boundaries: (z_min: Pressure("1000*(1-cos(2*PI*t/0.01))"), z_max: Pressure(0)))],
        coupling: Staggered({coupling}))"#
        );
        let mut run = build(&model, &[]);
        steps(&mut run, count);
        let velocity = &run.world().kinematics.velocity;
        velocity.iter().map(|v| v.z).sum::<f64>() / velocity.len() as f64
    };
    let parts = pushed("10 ms", r#"pace: [(module: "Darcy", substeps: 20)]"#, 2);
    let fine = pushed("0.5 ms", "", 40);
    // staggered: the last of the two pushes is felt in the step after
    assert!((parts / (0.5 * fine) - 1.0).abs() < 0.05, "{parts} m/s in parts, {fine} m/s in fine steps");
}

/// Grains that sink in a fluid which is computed in parts of a step, or now and then: no fluid is made or lost, although grains pass through
/// its cells, and momentum closes.
#[test]
fn a_fluid_at_a_pace_of_its_own_keeps_its_mass() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../models/coupled"));
    let text = std::fs::read_to_string(folder.join("settling-in-fluid.ron")).unwrap();
    let fall = |coupling: &str| {
        let text = text.replacen("physics:", &format!("coupling: {coupling},\n  physics:"), 1);
        let mut run = build(&text, &[]);
        steps(&mut run, 12);
        for book in [Book::Fluid, Book::Momentum] {
            let worst = run.books().account(book).unwrap().worst;
            assert!(worst < 1e-10, "{coupling} {}: {worst:e}", book.name());
        }
        let z = &run.world().kinematics.position;
        (0..50).map(|i| z[i].z).sum::<f64>() / 50.0
    };
    let start = {
        let run = build(&text, &[]);
        let z = &run.world().kinematics.position;
        (0..50).map(|i| z[i].z).sum::<f64>() / 50.0
    };
    let each = start - fall("Iterated()");
    let parts = start - fall(r#"Iterated(pace: [(module: "Darcy", substeps: 2)])"#);
    assert!(each > 0.0 && (parts / each - 1.0).abs() < 0.05, "{each} m and {parts} m");
    // No body that moves through the fluid while it waits is forgotten, only felt late.
    fall(r#"Staggered(pace: [(module: "Darcy", every: 3)])"#);
}

/// A block that is dragged to and fro wears its film by the way that it slides, however seldom currents are looked at: m = 1 − exp(−s/w).
#[test]
fn a_film_wears_by_the_whole_way_between_two_steps_of_the_currents() {
    for (speed, every) in [("0.1*sin(2*PI*10*t)", 1), ("0.1*sin(2*PI*10*t)", 10), ("0.1*cos(2*PI*10*t)", 10), ("0.1*t", 5)] {
        let text = format!(
            r#"(dimension: 3, gravity: (0, 0, -10), time: (step: 0.01, end: 1), materials: {{"m": (density: 1000, electrical: (conductivity: 1e6))}},
            bodies: [(group: "block", material: "m", shape: Box(size: (0.2, 0.2, 0.2)), at: (0, 0, 0.1), mass: 4), (group: "floor", material: "m", shape: Plane(normal: (0, 0, 1)))],
            interactions: [(between: ("block", "floor"), law: Coulomb(friction: 0.3))],
            loads: [(on: "block", load: Velocity(x: "{speed}", y: 0, spin_x: 0, spin_y: 0, spin_z: 0))],
            physics: [Contact(tolerance: 1e-10), Electrical(law: Oxide(bare: Constant(conductance: 10), film: 0.01, wear: 0.02), potential: [(group: "floor", value: 0)], current: [(group: "block", value: 1)])],
            coupling: Staggered(pace: [(module: "Electrical", every: {every})]))"#
        );
        let mut run = build(&text, &[]);
        let mut way = 0.0;
        for _ in 0..100 {
            run.step().unwrap();
            way += 0.01 * run.world().kinematics.velocity[0].x.abs();
        }
        let worn = 1.0 - (-way / 0.02_f64).exp();
        let expected = 10.0 * (0.01 + 0.99 * worn);
        let found = 1.0 / run.field("potential").unwrap()[0];
        assert!((found / expected - 1.0).abs() < 1e-9, "{speed}, every {every}: {found} S of {expected} S");
    }
}
