//! Bonds on faces whose bodies slide on each other by most of their length: corners of one face leave the other, and no bond goes with them.

use mpcd_core::{Book, Dimension, Vec3};
use mpcd_geometry::Shape;

use crate::scene::Scene;

const STIFFNESS: f64 = 1e5;
const STRENGTH: f64 = 100.0;
const ENERGY: f64 = 20.0;

/// What a bilinear bond of unit area has lost of its stiffness once it was sheared by `slip`.
fn damage(slip: f64) -> f64 {
    let (onset, end) = (STRENGTH / STIFFNESS, 2.0 * ENERGY / STRENGTH);
    (end * (slip - onset) / (slip * (end - onset))).clamp(0.0, 1.0)
}

/// A small block on a large one, a large one on a small one, equal ones, glued face to face and slid by four fifths of the shorter face: what the glue
/// stores is that of its material points at that slip, nothing is lost, and the books close.
#[test]
fn bonds_stay_with_their_points_when_corners_leave_the_other_face() {
    for dimension in [Dimension::Planar, Dimension::Spatial] {
        for [upper, lower] in [[0.1, 0.2], [0.2, 0.1], [0.1, 0.1]] {
            let planar = dimension == Dimension::Planar;
            let up = if planar { Vec3::y() } else { Vec3::z() };
            let block = |edge: f64| {
                let half = if planar { Vec3::new(edge * 0.5, 0.05, 0.5) } else { Vec3::new(edge * 0.5, edge * 0.5, 0.05) };
                Shape::Box { half }
            };
            let mut scene = Scene::new(dimension, Vec3::zeros());
            scene.body("up", block(upper), up * 0.15, Some(1.0));
            scene.body("low", block(lower), up * 0.05, Some(1.0));
            scene.load("low", "Fixed");
            scene.load(
                "up",
                if planar { "Velocity(x: 0.2, spin_z: 0)" } else { "Velocity(x: 0.2, y: 0, spin_x: 0, spin_y: 0, spin_z: 0)" },
            );
            scene.load("up", if planar { "Force(y: -100)" } else { "Force(z: -100)" });
            let law =
                format!("Bilinear(friction: 0.3, normal_stiffness: {STIFFNESS}, tensile_strength: {STRENGTH}, energy: {ENERGY})");
            scene.law("up", "low", &law);
            let mut run = scene.build("Contact()").unwrap();
            // Bonds are made in the first contact configuration, half a step on, where equal faces cover each other less.
            let covered = if upper == lower { upper - 0.2 * 0.5e-3 } else { 0.1 };
            let area = if planar { covered } else { 0.1 * covered };
            for _ in 0..400 {
                let report = run.step(1e-3);
                let book = report.balances.iter().find(|b| b.book == Book::Energy).unwrap();
                let lost = book.flows.iter().find(|(n, _)| *n == "bonds_lost").map_or(0.0, |(_, flow)| flow.x);
                assert!(lost == 0.0 && book.imbalance() < 1e-9, "{dimension:?} {upper} on {lower} at {} s: {book:?}", run.time);
                let slip = run.kinematics().position[0].x;
                let whole = 0.5 * STIFFNESS * slip * slip * area;
                let expected = whole * (1.0 - damage(slip));
                let strain = book.stores.iter().find(|(n, ..)| *n == "strain").unwrap().2.x;
                assert!(
                    (strain - expected).abs() < 1e-6 * whole,
                    "{dimension:?} {upper} on {lower} at {slip} m: {strain} J of {expected} J"
                );
            }
            assert!((run.kinematics().position[0].x - 0.08).abs() < 1e-9);
        }
    }
}
