//! Cases of models/coupled.

use mpcd_core::Book;

use super::{Case, build, runs, same};
use crate::granular::{column, steps};

pub(super) const CASES: &[&Case] = &[&BRANLY, &COMPACTED_DISCS, &SETTLING_IN_FLUID];

const BRANLY: Case = Case {
    path: "coupled/branly.ron",
    sets: &[],
    steps: 200,
    positive: &["joule_power", "contact_temperature"],
    books: &[Book::Charge, Book::Electricity],
};

const COMPACTED_DISCS: Case = Case {
    path: "coupled/compacted-discs.ron",
    sets: &[
        "bodies[0].packing.count=256",
        "bodies[0].packing.to=(\"60 mm\", \"62 mm\")",
        "bodies[2].at=(0, \"62 mm\")",
        "bodies[4].at=(\"60 mm\", 0)",
    ],
    steps: 260,
    positive: &["joule_power", "heat"],
    books: &[Book::Charge, Book::Electricity, Book::Heat],
};

const SETTLING_IN_FLUID: Case = Case {
    path: "coupled/settling-in-fluid.ron",
    sets: &["bodies[0].packing.count=200"],
    steps: 60,
    positive: &[],
    books: &[Book::Fluid],
};

/// 20 contacts of a = (3·100·2 mm/(4·115.4 GPa))^⅓ = 0.10914 mm conduct 2aσ = 305.6 S bare and 10⁻⁵ of that under whole films: 6,545 Ω. From
/// 0.4 V a contact on, the row holds 8 V whatever the current; at 1 A it has 8 Ω, and keeps them on the way down and up. Relieved for an
/// instant, it has its whole films again.
#[test]
fn branly() {
    runs(&BRANLY);
    same(&BRANLY, 60);
    let bare = 2.0 * (0.75 * 100.0 * 2e-3 / (210e9 / 1.82_f64)).cbrt() * 1.4e6;
    let whole = 20.0 / (1e-5 * bare);
    assert!((whole - 6545.0).abs() < 1.0, "{whole}");
    let mut run = build(&BRANLY).unwrap();
    // steps of 1 ms
    let at = |run: &mut mpcd_sim::Simulation, ms: u64| {
        let outcome = steps(run, ms - run.steps());
        ["resistance", "voltage", "hottest"].map(|name| column(run, &outcome, name).unwrap())
    };
    let kohlrausch = (293.15_f64.powi(2) + 0.16 / (4.0 * 2.443_004_5e-8)).sqrt();
    assert!((at(&mut run, 9)[0] / whole - 1.0).abs() < 1e-6);
    for ms in [20, 60, 110] {
        let [_, voltage, hottest] = at(&mut run, ms);
        assert!((voltage - 8.0).abs() < 1e-6 && (hottest - kohlrausch).abs() < 1e-3, "{ms} ms: {voltage} V, {hottest} K");
    }
    for ms in [111, 160, 209, 260, 310, 395] {
        let [resistance, ..] = at(&mut run, ms);
        assert!((resistance - 8.0).abs() < 1e-5, "{ms} ms: {resistance}");
    }
    let [resistance, voltage, _] = at(&mut run, 450);
    assert!((resistance / whole - 1.0).abs() < 1e-6 && (voltage - 0.5e-3 * whole).abs() < 1e-5, "{resistance} Ω, {voltage} V");
}

#[test]
fn compacted_discs() {
    runs(&COMPACTED_DISCS);
    same(&COMPACTED_DISCS, 60);
}

#[test]
fn settling_in_fluid() {
    runs(&SETTLING_IN_FLUID);
    same(&SETTLING_IN_FLUID, 30);
}
