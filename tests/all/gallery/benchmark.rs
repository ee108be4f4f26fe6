//! Cases of models/benchmark: the large scenes, cut down to a few hundred bodies.

use super::{Case, runs, same};

pub(super) const CASES: &[&Case] = &[&DISCS, &SPHERES];

const DISCS: Case = Case {
    path: "benchmark/collapse-of-discs.ron",
    sets: &["bodies[0].packing.count=700", "bodies[0].packing.to=(0.093, 0.3)"],
    steps: 100,
    positive: &[],
    books: &[],
};

const SPHERES: Case = Case {
    path: "benchmark/collapse-of-spheres.ron",
    sets: &["bodies[0].packing.count=900", "bodies[0].packing.to=(0.1, 0.08, 0.4)", "periodic.y=0.08"],
    steps: 60,
    positive: &[],
    books: &[],
};

/// Under the convex law as well, as the models say.
const CONVEX: [&str; 2] = ["interactions[0].law=Convex(friction:0.5)", "interactions[1].law=Convex(friction:0.5)"];

#[test]
fn collapse_of_discs() {
    runs(&DISCS);
    same(&DISCS, 8);
    let sets: Vec<&str> = DISCS.sets.iter().copied().chain(CONVEX).collect();
    runs(&Case { sets: sets.leak(), ..DISCS });
}

#[test]
fn collapse_of_spheres() {
    runs(&SPHERES);
    same(&SPHERES, 5);
    let sets: Vec<&str> = SPHERES.sets.iter().copied().chain(CONVEX).collect();
    runs(&Case { sets: sets.leak(), ..SPHERES });
}
