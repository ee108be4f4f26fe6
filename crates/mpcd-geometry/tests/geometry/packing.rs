//! Lattices: they fill their box, nothing overlaps, seeds repeat, and what does not fit is refused.

use std::sync::Arc;

use mpcd_core::{Dimension, Fragment, InputError, Kinematics, Quat, Vec3};
use mpcd_geometry::{LatticeParams, PackingError, Shape, Shapes, lattice, overlaps};
use mpcd_tests::random::cases;
use proptest::prelude::*;

fn params(text: &str) -> Result<LatticeParams, InputError> {
    Fragment::whole(text).parse_body()
}

fn build(text: &str, dimension: Dimension) -> Result<Vec<(Vec3, f64)>, PackingError> {
    lattice(&params(text).unwrap(), dimension)
}

fn any_overlap(bodies: &[(Vec3, f64)], tolerance: f64) -> bool {
    let mut kinematics = Kinematics::default();
    bodies.iter().for_each(|(x, _)| kinematics.push_at_rest(*x, Quat::identity()));
    let shapes = Arc::new(Shapes(bodies.iter().map(|&(_, radius)| Shape::Ball { radius }).collect()));
    !overlaps(&shapes, Dimension::Spatial, |_, _| true, &kinematics, tolerance).unwrap().is_empty()
}

#[test]
fn full_boxes_hold_what_they_should() {
    let count = |text: &str, dimension| build(text, dimension).unwrap().len();
    let fixed = "sizes: Fixed(radius: \"5 mm\")";
    assert_eq!(count(&format!("Lattice(from: (0, 0), to: (0.1, 0.05), {fixed})"), Dimension::Planar), 50);
    assert_eq!(count(&format!("Lattice(from: (0, 0, 0), to: (0.1, 0.1, 0.1), {fixed})"), Dimension::Spatial), 1000);
    // Rows of 10 and 9 in turn, √3/2 diameters apart: 1 + ⌊9/0.866⌋ = 11 rows.
    let hexagonal = format!("Lattice(from: (0, 0), to: (0.1, 0.1), arrangement: Hexagonal, {fixed})");
    assert_eq!(count(&hexagonal, Dimension::Planar), 6 * 10 + 5 * 9);
}

/// Each inner place of a hexagonal lattice has 6 neighbours in the plane and 12 in space, at one diameter.
#[test]
fn hexagonal_places_have_all_their_neighbours() {
    for (dimension, neighbours) in [(Dimension::Planar, 6), (Dimension::Spatial, 12)] {
        let bodies =
            build("Lattice(from: (0, 0, 0), to: (8, 8, 8), arrangement: Hexagonal, sizes: Fixed(radius: 0.5))", dimension)
                .unwrap();
        assert!(!any_overlap(&bodies, 1e-12));
        let inner =
            bodies.iter().filter(|(x, _)| x.iter().take(if neighbours == 6 { 2 } else { 3 }).all(|c| (2.0..6.0).contains(c)));
        for (x, _) in inner {
            let near = bodies.iter().filter(|(y, _)| (1e-9..1.0 + 1e-9).contains(&(x - y).norm())).count();
            assert_eq!(near, neighbours);
        }
    }
}

#[test]
fn a_seed_is_a_packing() {
    let text = |seed| {
        format!("Lattice(from: (0, 0), to: (1, 1), sizes: Uniform(min: \"1 cm\", max: \"2 cm\"), jitter: 1, seed: {seed})")
    };
    let [a, b, c] = [1, 1, 2].map(|seed| build(&text(seed), Dimension::Planar).unwrap());
    assert!(a == b && a != c);
    // Asking for fewer gives the first of the same bodies.
    let few = build(&text(1).replace("seed", "count: 7, seed"), Dimension::Planar).unwrap();
    assert_eq!(few[..], a[..7]);
}

#[test]
fn what_cannot_be_is_refused() {
    let message = |text: &str, dimension| build(text, dimension).unwrap_err().to_string();
    let one = "sizes: Fixed(radius: 0.5)";
    assert_eq!(
        message(&format!("Lattice(from: (0, 0), to: (3, 2), {one}, count: 7)"), Dimension::Planar),
        "7 bodies do not fit: the region has 6 places 1 m apart; make the region larger, the bodies smaller, or ask for fewer"
    );
    assert!(message(&format!("Lattice(from: (0, 0), to: (3, 2), {one})"), Dimension::Spatial).contains("from 0 to 0 along z"));
    assert!(
        message(&format!("Lattice(from: (0, 0), to: (3, 2), {one}, spacing: 0.9)"), Dimension::Planar)
            .contains("below the largest diameter 1 m")
    );
    assert!(
        message(&format!("Lattice(from: (0, 0), to: (3e9, 2e9), {one})"), Dimension::Planar).contains("the limit is 20000000")
    );
    assert_eq!(build(&format!("Lattice(from: (0, 0), to: (3e9, 2e9), {one}, count: 5)"), Dimension::Planar).unwrap().len(), 5);
    assert!(build(&format!("Lattice(from: (0, 0), to: (0.9, 2), {one})"), Dimension::Planar).unwrap().is_empty());
    assert!(
        params(&format!("Lattice(from: (0, 0), to: (3, 2), {one}, jiter: 0.5)")).unwrap_err().help.unwrap().contains("`jitter`")
    );
    assert!(
        params(&format!("Lattice(from: (0, 0), to: (3, 2), {one}, jitter: 1.5)"))
            .unwrap_err()
            .message
            .contains("between 0 and 1")
    );
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn nothing_overlaps_or_leaves_the_box(
        seed: u64, jitter in 0.0..=1.0, spread in 1.0..5.0, loose in 1.0..2.0, hexagonal: bool, planar: bool,
    ) {
        let dimension = if planar { Dimension::Planar } else { Dimension::Spatial };
        let arrangement = if hexagonal { "Hexagonal" } else { "Square" };
        let max = 0.1 * spread;
        let text = format!(
            "Lattice(from: (-1, 0, 1), to: (4, 3, 4), sizes: Uniform(min: 0.1, max: {max:?}), jitter: {jitter:?}, seed: {seed}, \
             spacing: {:?}, arrangement: {arrangement})", 2.0 * max * loose
        );
        let bodies = build(&text, dimension).unwrap();
        prop_assert!(!bodies.is_empty() && !any_overlap(&bodies, 1e-12));
        for (x, r) in bodies {
            prop_assert!((0.1..=max).contains(&r));
            let inside = |c: f64, from: f64, to: f64| from + r <= c + 1e-8 && c + r <= to + 1e-8;
            prop_assert!(inside(x.x, -1.0, 4.0) && inside(x.y, 0.0, 3.0));
            let z_is_right = if planar { x.z == 0.0 } else { inside(x.z, 1.0, 4.0) };
            prop_assert!(z_is_right);
        }
    }
}

/// Inner places of the cubic lattices have 6, 8 and 12 neighbours; nothing is nearer.
#[test]
fn cubic_places_have_all_their_neighbours() {
    for (arrangement, neighbours) in [("Cubic", 6), ("BodyCentred", 8), ("FaceCentred", 12)] {
        let text = format!("Lattice(from: (0, 0, 0), to: (8, 8, 8), arrangement: {arrangement}, sizes: Fixed(radius: 0.5))");
        let bodies = build(&text, Dimension::Spatial).unwrap();
        assert!(!any_overlap(&bodies, 1e-12));
        for (x, _) in bodies.iter().filter(|(x, _)| x.iter().all(|c| (2.0..6.0).contains(c))) {
            let near = bodies.iter().filter(|(y, _)| (1e-9..1.0 + 1e-9).contains(&(x - y).norm())).count();
            assert_eq!(near, neighbours, "{arrangement}");
        }
        let planar = build(&text, Dimension::Planar).unwrap_err().to_string();
        assert_eq!(
            planar,
            format!("the arrangement {arrangement} belongs to space, but the model is planar; use Square or Hexagonal")
        );
    }
}
