//! Cases of models/granular.

use super::{Case, runs, same};

pub(super) const CASES: &[&Case] =
    &[&COLUMN_COLLAPSE, &ROTATING_DRUM, &SILO, &POLYHEDRA_IN_A_BOX, &CAPSULES, &BIAXIAL, &PRESSED_SPHERES];

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

const POLYHEDRA_IN_A_BOX: Case = Case {
    path: "granular/polyhedra-in-a-box.ron",
    sets: &[
        "bodies[0].packing.count=30",
        "bodies[0].packing.to=(0.1, 0.1, 0.6)",
        "bodies[3].at=(0.1, 0, 0)",
        "bodies[5].at=(0, 0.1, 0)",
    ],
    steps: 240,
    positive: &[],
    books: &[],
};

const CAPSULES: Case = Case {
    path: "granular/capsules.ron",
    sets: &[
        "bodies[0].packing.count=40",
        "bodies[0].packing.to=(0.08, 0.08, 0.6)",
        "bodies[3].at=(0.08, 0, 0)",
        "bodies[5].at=(0, 0.08, 0)",
    ],
    steps: 240,
    positive: &[],
    books: &[],
};

const BIAXIAL: Case = Case {
    path: "granular/biaxial.ron",
    sets: &[
        "periodic.x=\"60 mm\"",
        "bodies[0].packing.to=(\"60 mm\", \"50 mm\")",
        "bodies[1].packing.to=(\"60 mm\", \"6 mm\")",
        "bodies[2].at=(0, \"50 mm\")",
        "loads[2].load.x=0.05",
    ],
    steps: 60,
    positive: &[],
    books: &[],
};

const PRESSED_SPHERES: Case = Case {
    path: "granular/pressed-spheres.ron",
    sets: &[
        "periodic.x=\"50 mm\"",
        "periodic.y=\"48 mm\"",
        "periodic.z=\"52 mm\"",
        "periodic.viscosity=\"2 kPa s\"",
        "bodies[0].packing.to=(\"50 mm\", \"48 mm\", \"52 mm\")",
        "bodies[0].packing.fraction=0.53",
    ],
    steps: 120,
    positive: &[],
    books: &[],
};

#[test]
fn column_collapse() {
    runs(&COLUMN_COLLAPSE);
    same(&COLUMN_COLLAPSE, 10);
}

#[test]
fn rotating_drum() {
    runs(&ROTATING_DRUM);
    same(&ROTATING_DRUM, 15);
}

#[test]
fn silo() {
    runs(&SILO);
    same(&SILO, 10);
}

#[test]
fn polyhedra_in_a_box() {
    runs(&POLYHEDRA_IN_A_BOX);
    same(&POLYHEDRA_IN_A_BOX, 20);
}

#[test]
fn capsules() {
    runs(&CAPSULES);
    same(&CAPSULES, 60);
}

#[test]
fn biaxial() {
    runs(&BIAXIAL);
    same(&BIAXIAL, 5);
}

/// The books have the cell in them, and its lengths and rates come back with the same bits.
#[test]
fn pressed_spheres() {
    runs(&PRESSED_SPHERES);
    same(&PRESSED_SPHERES, 20);
}
