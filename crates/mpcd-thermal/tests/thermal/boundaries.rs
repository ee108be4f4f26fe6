//! Boundary conditions against closed forms, and what a wrong one says.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::f64::consts::PI;

use mpcd_core::{Dimension, Form};

use crate::{
    closed_forms::{STEEL, entry, row},
    kit::{Bench, Rig, build, number},
};

const SURFACE: f64 = 4.0 * PI * 25e-6;

fn capacity() -> f64 {
    7800.0 * 4.0 / 3.0 * PI * 125e-9 * 500.0
}

/// Newton cooling: T − T∞ decays with C/(hA); trapezoidal rule, error O(h²).
#[test]
fn convection_cools_exponentially() {
    let tau = capacity() / (20.0 * SURFACE);
    let error = |n: u32| {
        let (bench, _) = row(1, 0.0, tau / f64::from(n));
        let text = r#"Thermal(law: Hertz, theta: 0.5, temperature: 400, boundary: [Convection(group: "s0", coefficient: 20, ambient: 300)])"#;
        let mut rig = Rig::new(&entry(), text, &bench);
        for _ in 0..n {
            assert!(rig.step(&bench).unwrap().balances[0].imbalance() <= 1e-10);
        }
        rig.written("temperature")[0] - 300.0 - 100.0 / 1.0_f64.exp()
    };
    let slope = (error(20) / error(40)).log2();
    assert!((slope - 2.0).abs() < 0.02, "{slope}");
}

/// Radiation into the cold: 1/T³ grows linearly, T⁻³ = T₀⁻³ + 3εσA t/C.
#[test]
fn radiation_into_the_cold_follows_its_power_law() {
    let rate = 3.0 * 0.8 * 5.670_374_419e-8 * SURFACE / capacity();
    let span = 1.0 / (rate * 1000.0_f64.powi(3));
    let exact = (1e-9_f64 + rate * span).powf(-1.0 / 3.0);
    let error = |n: u32, solver: &str| {
        let (bench, _) = row(1, 0.0, span / f64::from(n));
        let text = format!(
            r#"Thermal(law: Hertz, theta: 0.5, solver: "{solver}", temperature: 1000, boundary: [Radiation(group: "s0", emissivity: 0.8, ambient: 0)])"#
        );
        let mut rig = Rig::new(&entry(), &text, &bench);
        for _ in 0..n {
            let report = rig.step(&bench).unwrap();
            assert_eq!(report.status, mpcd_core::Status::Converged);
            assert!(report.balances[0].imbalance() <= 1e-10 && report.iterations < 12, "{report:?}");
        }
        rig.written("temperature")[0] - exact
    };
    let slope = (error(20, "cholesky") / error(40, "cholesky")).log2();
    assert!((slope - 2.0).abs() < 0.05, "{slope}");
    assert!((error(40, "cg") / error(40, "cholesky") - 1.0).abs() < 1e-4);
    // one huge implicit step still finds the balance
    let (bench, _) = row(1, 0.0, 1e3 * span);
    let text = r#"Thermal(law: Hertz, temperature: 1000, boundary: [Radiation(group: "s0", emissivity: 1, ambient: 300)])"#;
    let mut rig = Rig::new(&entry(), text, &bench);
    assert_eq!(rig.step(&bench).unwrap().status, mpcd_core::Status::Converged);
    let t = rig.written("temperature")[0];
    assert!((300.0..340.0).contains(&t), "{t}");
}

#[test]
fn power_is_spread_over_surfaces_and_flux_over_each() {
    let mut bench = Bench::new(2.0);
    let steel = bench.material("steel", 7800.0, &STEEL);
    bench.sphere("balls", steel, 5e-3);
    bench.sphere("balls", steel, 10e-3);
    let rises = |condition: &str| {
        let mut rig = Rig::new(&entry(), &format!("Thermal(law: Hertz, boundary: [{condition}])"), &bench);
        let report = rig.step(&bench).unwrap();
        assert!(report.balances[0].imbalance() <= 1e-10);
        let t = rig.written("temperature");
        ((t[0] - 293.15) * capacity(), (t[1] - 293.15) * 8.0 * capacity())
    };
    let (a, b) = rises(r#"Power(group: "balls", value: 5)"#);
    assert!((a - 2.0).abs() < 1e-9 && (b - 8.0).abs() < 1e-9, "{a} {b}");
    let (a, b) = rises(r#"Flux(group: "balls", value: 1000)"#);
    assert!((a - 2000.0 * SURFACE).abs() < 1e-9 && (b - 8000.0 * SURFACE).abs() < 1e-9, "{a} {b}");
}

/// A body that has grown by s has s² of the surface in space, s in the plane, whose thickness stays, but for balls: one tiny step moves that
/// much of the heat, whatever the condition; `Power` gives the bigger of two twins the bigger part of the same whole.
#[test]
fn surfaces_follow_the_size_of_the_body() {
    let heat = |(dimension, form): (Dimension, Form), size: [f64; 2], condition: &str| {
        let (mut bench, _) = row(2, 0.0, 1e-4);
        (bench.setup.dimension, bench.setup.bodies.form) = (dimension, vec![form; 2]);
        bench.kinematics.size = size.to_vec();
        let text = format!("Thermal(law: Hertz, temperature: 500, boundary: [{condition}])");
        let mut rig = Rig::new(&entry(), &text, &bench);
        let report = rig.step(&bench).unwrap();
        assert!(report.balances[0].imbalance() <= 1e-10);
        number(&report, "heat_stored")
    };
    for (dimension, form, power) in [
        (Dimension::Spatial, Form::Other, 2),
        (Dimension::Spatial, Form::Ball, 2),
        (Dimension::Planar, Form::Other, 1),
        (Dimension::Planar, Form::Ball, 2),
    ] {
        for condition in [
            r#"Convection(group: "s0", coefficient: 20, ambient: 300)"#,
            r#"Radiation(group: "s0", emissivity: 0.8, ambient: 1000)"#,
            r#"Flux(group: "s0", value: 1000)"#,
        ] {
            let ratio = heat((dimension, form), [1.25, 1.0], condition) / heat((dimension, form), [1.0, 1.0], condition);
            // the step cools by less than 1e-6 of the difference, and temperatures have 1e-13 of theirs
            assert!((ratio - 1.25_f64.powi(power)).abs() < 2e-6, "{dimension:?}, {form:?}, {condition}: {ratio}");
        }
        let mut bench = Bench::new(1.0);
        let steel = bench.material("steel", 7800.0, &STEEL);
        for _ in 0..2 {
            bench.sphere("twins", steel, 5e-3);
        }
        (bench.setup.dimension, bench.kinematics.size) = (dimension, vec![1.25, 1.0]);
        bench.setup.bodies.form = vec![form; 2];
        let mut rig = Rig::new(&entry(), r#"Thermal(law: Hertz, boundary: [Power(group: "twins", value: 3)])"#, &bench);
        assert!((number(&rig.step(&bench).unwrap(), "heat_stored") - 3.0).abs() < 1e-12);
        let t = rig.written("temperature");
        let ratio = (t[0] - 293.15) / (t[1] - 293.15);
        assert!((ratio - 1.25_f64.powi(power)).abs() < 1e-10, "{dimension:?}, {form:?}: {ratio}");
    }
}

/// A massless wall that is held exchanges through its contacts; the same wall left alone is insulated.
#[test]
fn a_held_wall_heats_through_contacts() {
    let run = |boundary: &str| {
        let mut bench = Bench::new(1e9);
        let steel = bench.material("steel", 7800.0, &STEEL);
        let wall = bench.body("wall", steel, 0.0, 0.0, 0.0);
        let ball = bench.sphere("ball", steel, 5e-3);
        bench.touch(ball, wall, 10.0);
        let mut rig = Rig::new(&entry(), &format!("Thermal(law: Hertz, temperature: 300, boundary: [{boundary}])"), &bench);
        let report = rig.step(&bench).unwrap();
        assert!(report.balances[0].imbalance() <= 1e-10, "{:?}", report.balances);
        (rig.written("temperature")[1], rig.written("size_factor"), number(&report, "heat_stored"))
    };
    let (t, size, stored) = run(r#"Temperature(group: "wall", value: "300 + 0.0000001*t")"#);
    // one implicit step: the ball lags by C/(hH) of the difference
    let lag = capacity() / (1e9 * 2.0 * 50.0 * 54.5696e-6);
    let want = 300.0 + 100.0 / (1.0 + lag);
    assert!((t - want).abs() < 1e-9 && (stored - (t - 300.0) * capacity()).abs() < 1e-9, "{t} {want} {stored}");
    assert!(size[0] == 1.0 && (size[1] - 1.0 - 1.2e-3).abs() < 1e-9, "{size:?}");
    assert_eq!(run("").0, 300.0);
}

#[test]
fn wrong_boundaries_say_what_to_do() {
    let (mut bench, _) = row(2, 10.0, 1e-3);
    let wood = bench.material("wood", 600.0, &[]);
    bench.sphere("wood", wood, 0.1);
    let steel = mpcd_core::MaterialId(0);
    bench.body("wall", steel, 0.0, 0.0, 0.0);
    for (text, part) in [
        (r#"Thermal(law: Hertz, boundary: [Temperature(group: "wood", value: 3)])"#, "no body with thermal properties"),
        (r#"Thermal(law: Hertz, boundary: [Power(group: "wall", value: 3)])"#, "no body with a mass and an outer surface"),
        (
            r#"Thermal(law: Hertz, boundary: [Power(group: "s0", value: 3), Temperature(group: "s0", value: 3)])"#,
            "is held at a temperature; a second condition",
        ),
        (r#"Thermal(law: Hertz, boundary: [Heat(group: "s0", value: 3)])"#, "Heat"),
        (r#"Thermal(law: Hertz, boundary: [Temperature(group: "s9", value: 3)])"#, "unknown group `s9`"),
        (r#"Thermal(law: Hertz, boundary: [Radiation(group: "s0", emissivity: 1.2, ambient: 3)])"#, "between 0 and 1, found 1.2"),
        (r#"Thermal(law: Hertz, theta: 0.3)"#, "between 0.5 and 1, found 0.3"),
        (r#"Thermal(law: Hertz, temperature: "-10 K")"#, "zero or above"),
        (r#"Thermal(law: Hertz, solver: "gmres")"#, "unknown thermal solver `gmres`"),
        (r#"Thermal(law: Hertz, coupling: (frction: false))"#, "frction"),
    ] {
        let error = build(&entry(), text, &bench).err().unwrap_or_else(|| panic!("{text} was accepted"));
        assert!(error.message.contains(part), "{text}: {}", error.message);
        assert!(error.help.is_some() || error.message.contains("expected"), "{text}: {}", error.message);
    }
    let text = r#"Thermal(law: Hertz, boundary: [Convection(group: "s0", coefficient: 3, ambient: "1/(0.002-t)")])"#;
    let mut rig = Rig::new(&entry(), text, &bench);
    rig.step(&bench).unwrap();
    let error = rig.step(&bench).unwrap_err().to_string();
    assert!(error.contains("the ambient temperature of group \"s0\" is inf at t = 0.002 s"), "{error}");
}

/// What is colder than 0 K is refused: as a boundary at the start and later, as an ambient, and as the end of too much cooling.
#[test]
fn nothing_is_colder_than_absolute_zero() {
    let (bench, _) = row(1, 0.0, 1.0);
    let mut cold = Rig::new(&entry(), r#"Thermal(law: Hertz, boundary: [Temperature(group: "s0", value: -500)])"#, &bench);
    assert_eq!(
        cold.start(&bench).unwrap_err().to_string(),
        "module `Thermal` cannot go on: the temperature of group \"s0\" is -500 at t = 0 s, expected 0 K or above; correct its \
         function of time"
    );
    let text = r#"Thermal(law: Hertz, boundary: [Temperature(group: "s0", value: "3 - 2*t")])"#;
    let mut later = Rig::new(&entry(), text, &bench);
    later.start(&bench).unwrap();
    later.step(&bench).unwrap();
    let error = later.step(&bench).unwrap_err().to_string();
    assert!(error.contains("the temperature of group \"s0\" is -1 at t = 2 s, expected 0 K or above"), "{error}");
    let text = r#"Thermal(law: Hertz, boundary: [Radiation(group: "s0", emissivity: 0.5, ambient: "-1")])"#;
    let error = Rig::new(&entry(), text, &bench).start(&bench).unwrap_err().to_string();
    assert!(error.contains("the ambient temperature of group \"s0\" is -1 at t = 0 s, expected 0 K or above"), "{error}");
    let power = -2.0 * 293.15 * capacity();
    let text = format!(r#"Thermal(law: Hertz, boundary: [Power(group: "s0", value: {power})])"#);
    let mut drained = Rig::new(&entry(), &text, &bench);
    drained.start(&bench).unwrap();
    let error = drained.step(&bench).unwrap_err().to_string();
    assert!(
        error.contains("the temperature of body 0 (group \"s0\") would be -293.15")
            && error.contains("below absolute zero: more heat is drawn from it")
            && error.contains("`Power`"),
        "{error}"
    );
}

/// A group has one temperature at the start.
#[test]
fn a_group_starts_at_one_temperature() {
    let (bench, _) = row(2, 1.0, 1.0);
    let text = r#"Thermal(law: Hertz, initial: [(group: "s0", temperature: 300), (group: "s1", temperature: 310), (group: "s0", temperature: 400)])"#;
    let error = build(&entry(), text, &bench).err().unwrap();
    assert!(error.message.contains("the group \"s0\" is given a temperature at the start twice"), "{error}");
}

/// A temperature at the start of what has no thermal properties would be forgotten.
#[test]
fn what_takes_no_part_has_no_temperature_at_the_start() {
    let (mut bench, _) = row(2, 1.0, 1.0);
    let plain = bench.material("plain", 1000.0, &[]);
    bench.sphere("p", plain, 5e-3);
    let text = r#"Thermal(law: Hertz, initial: [(group: "p", temperature: 300)])"#;
    let error = build(&entry(), text, &bench).err().unwrap();
    assert!(error.message.contains("the group \"p\" is given a temperature at the start, but has no body"), "{error}");
}

/// Temperatures whose squares are no numbers, as 1e300 W make, have no book: refused by the name of the body. 1e12 W do.
#[test]
fn temperatures_beyond_numbers_name_the_body() {
    for (power, refused) in [(1e300, true), (1e200, true), (1e12, false)] {
        let (bench, _) = row(2, 1.0, 1e-3);
        let text = format!(r#"Thermal(law: Insulating, temperature: 300, boundary: [Power(group: "s1", value: {power:e})])"#);
        let found = Rig::new(&entry(), &text, &bench).step(&bench);
        match found {
            Ok(report) => assert!(!refused && report.balances[0].imbalance() <= 1e-11, "{power}"),
            Err(error) => {
                let words = error.to_string();
                assert!(refused && words.contains("s1") && words.contains("too large for a number"), "{power}: {words}");
            }
        }
    }
}
