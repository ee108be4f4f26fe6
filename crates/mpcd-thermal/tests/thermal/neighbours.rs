//! Radiation between neighbours as a whole: what all pairs of a body may take together, what a contact's `heat` says of it. View factors of one pair are beside
//! their formulas.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use mpcd_core::{BodyId, ContactGeometry};

use crate::kit::{Bench, Rig, number};

const SIGMA: f64 = 5.670_374_419e-8;
const PI: f64 = std::f64::consts::PI;

/// A bench with a black (or grey) material.
fn bench_of(emissivity: f64) -> (Bench, mpcd_core::MaterialId) {
    let mut bench = Bench::new(1e-6);
    let part = format!("(conductivity: 50, specific_heat: 500, emissivity: {emissivity})");
    let material = bench.material("m", 7800.0, &[("thermal", &part)]);
    (bench, material)
}

/// A black ball of 5 mm at 1000 K loses σ 4πr² (1000⁴ − 10⁴) = 17.8141 W at most, whatever stands around it: between six planes, where each alone would
/// see half of it, a sixth goes to each; in a corner of three a third; on one a half, and the rest to the surroundings.
#[test]
fn a_body_radiates_no_more_than_its_surface_whatever_stands_around_it() {
    let most = SIGMA * 4.0 * PI * 25e-6 * (1e12 - 1e4);
    assert!((most - 17.8141).abs() < 1e-4);
    for (planes, part) in [(1, 0.5), (2, 0.5), (3, 1.0 / 3.0), (6, 1.0 / 6.0)] {
        let (mut bench, black) = bench_of(1.0);
        let ball = bench.sphere("ball", black, 5e-3);
        for k in 0..planes {
            let wall = bench.sphere(&format!("w{k}"), black, 0.0);
            bench.touch(ball, wall, 0.0);
        }
        let held: String = (0..planes).map(|k| format!(r#"Temperature(group: "w{k}", value: 10), "#)).collect();
        let text = format!(
            r#"Thermal(law: Constant(conductance: 0), radiation: true, temperature: 1000, boundary: [{held}Radiation(group: "ball", emissivity: 1, ambient: 10)])"#
        );
        let mut rig = Rig::new(&crate::closed_forms::entry(), &text, &bench);
        let report = rig.step(&bench).unwrap();
        for (k, heat) in rig.written("heat").iter().enumerate() {
            assert!((heat / (part * most) - 1.0).abs() < 1e-4, "{planes} planes, {k}: {heat} W");
        }
        let all = number(&report, "heat_stored") / 1e-6;
        assert!((all / -most - 1.0).abs() < 1e-4, "{planes} planes: {all} W of {most} W");
        assert!(report.balances[0].imbalance() <= 1e-11);
    }
}

/// A small ball among large ones that are among themselves: no body sees more than its surface, and what one gives the other takes, by whatever turn the
/// contacts come. The neighbours of a disc in a lattice of equal discs see a sixth of it each, where crossed strings alone give 0.1817.
#[test]
fn what_is_limited_is_the_same_from_both_sides() {
    let (mut bench, black) = bench_of(1.0);
    let radii = [1e-3, 9e-3, 8e-3, 7e-3, 9e-3, 6e-3];
    let balls: Vec<BodyId> = radii.iter().enumerate().map(|(k, r)| bench.sphere(&format!("s{k}"), black, *r)).collect();
    for i in 0..balls.len() {
        for j in i + 1..balls.len() {
            bench.touch(balls[i], balls[j], 0.0);
        }
    }
    let text =
        r#"Thermal(law: Constant(conductance: 0), radiation: true, temperature: 0, initial: [(group: "s0", temperature: 1000)])"#;
    let mut rig = Rig::new(&crate::closed_forms::entry(), text, &bench);
    let report = rig.step(&bench).unwrap();
    let most = SIGMA * 4.0 * PI * 1e-6 * 1e12;
    let lost: f64 = rig.written("heat").iter().take(5).sum();
    assert!((lost / most - 1.0).abs() < 1e-4, "{lost} W of {most} W");
    assert!(report.balances[0].imbalance() <= 1e-11);

    let (mut bench, black) = bench_of(1.0);
    let line = ContactGeometry::Line { reduced_radius: 2.5e-3, length: 1.0 };
    let discs: Vec<BodyId> = (0..7).map(|k| bench.body(&format!("d{k}"), black, 1.0, 1e-9, 2.0 * PI * 5e-3)).collect();
    discs[1..].iter().for_each(|other| {
        bench.contact(discs[0], *other, line, 0.0);
    });
    let text =
        r#"Thermal(law: Constant(conductance: 0), radiation: true, temperature: 0, initial: [(group: "d0", temperature: 500)])"#;
    let mut rig = Rig::new(&crate::closed_forms::entry(), text, &bench);
    rig.step(&bench).unwrap();
    let sixth = SIGMA * 2.0 * PI * 5e-3 * 500.0_f64.powi(4) / 6.0;
    assert!(
        rig.written("heat").iter().all(|heat| (heat / sixth - 1.0).abs() < 1e-4),
        "{:?}, expected {sixth}",
        rig.written("heat")
    );
}

/// `heat` of a contact has its radiation: faces of 1 cm² at 1000 and 300 K, ε = 0.8 both, σ A (T₁⁴ − T₂⁴)/(2/0.8 − 1) = 3.74961 W; balls of 5 mm and
/// 3 mm that touch, black, σ · 13.5227 mm² (T₁⁴ − T₂⁴) = 0.76060 W. Beside 1 mW/K of conduction the two add up to what the held body gives.
#[test]
fn heat_of_a_contact_has_its_radiation() {
    let flow = |emissivity: f64, geometry: ContactGeometry, conductance: f64| {
        let (mut bench, metal) = bench_of(emissivity);
        let ids = [bench.sphere("a", metal, 5e-3), bench.sphere("b", metal, 3e-3)];
        bench.contact(ids[0], ids[1], geometry, 10.0);
        let text = format!(
            r#"Thermal(law: Constant(conductance: {conductance}), radiation: true, temperature: 300, boundary: [Temperature(group: "a", value: 1000)])"#
        );
        let mut rig = Rig::new(&crate::closed_forms::entry(), &text, &bench);
        let report = rig.step(&bench).unwrap();
        let heat = rig.written("heat")[0];
        assert!((heat / number(&report, "heat_in_a") - 1.0).abs() < 1e-12, "{heat}");
        heat
    };
    let fall = 1e12 - 8.1e9;
    let face = ContactGeometry::Flat { area: 1e-4 };
    assert!((SIGMA * 1e-4 * fall / 1.5 - 3.74961).abs() < 1e-4);
    assert!((flow(0.8, face, 0.0) / 3.749_627 - 1.0).abs() < 1e-5, "{}", flow(0.8, face, 0.0));
    let point = ContactGeometry::Point { reduced_radius: 1.875e-3, roundness: 1.0 };
    let balls = SIGMA * 13.522_748e-6 * fall;
    assert!((flow(1.0, point, 0.0) / balls - 1.0).abs() < 1e-4, "{}", flow(1.0, point, 0.0));
    assert!((flow(1.0, point, 1e-3) - (flow(1.0, point, 0.0) + 0.7)).abs() < 1e-3, "{}", flow(1.0, point, 1e-3));
}
