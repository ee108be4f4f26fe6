//! Cases of models/coupled.

use mpcd_core::Book;

use super::{Case, runs, same};

pub(super) const CASES: &[&Case] = &[&COMPACTED_DISCS, &SETTLING_IN_FLUID];

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
    books: &[Book::Charge, Book::Heat],
};

const SETTLING_IN_FLUID: Case = Case {
    path: "coupled/settling-in-fluid.ron",
    sets: &["bodies[0].packing.count=200"],
    steps: 60,
    positive: &[],
    books: &[Book::Fluid],
};

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
