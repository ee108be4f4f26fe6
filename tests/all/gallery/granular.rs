//! Cases of models/granular.

use super::{Case, runs, same};

pub(super) const CASES: &[&Case] = &[&COLUMN_COLLAPSE, &ROTATING_DRUM, &SILO];

const COLUMN_COLLAPSE: Case = Case {
    path: "granular/column-collapse.ron",
    sets: &["bodies[0].packing.count=250", "bodies[0].packing.to=(0.06, 0.15)"],
    steps: 60,
    positive: &[],
    books: &[],
};

const ROTATING_DRUM: Case =
    Case { path: "granular/rotating-drum.ron", sets: &["bodies[0].packing.count=150"], steps: 60, positive: &[], books: &[] };

const SILO: Case =
    Case { path: "granular/silo.ron", sets: &["bodies[0].packing.count=200"], steps: 60, positive: &[], books: &[] };

#[test]
fn column_collapse() {
    runs(&COLUMN_COLLAPSE);
    same(&COLUMN_COLLAPSE, 30);
}

#[test]
fn rotating_drum() {
    runs(&ROTATING_DRUM);
    same(&ROTATING_DRUM, 30);
}

#[test]
fn silo() {
    runs(&SILO);
    same(&SILO, 30);
}
