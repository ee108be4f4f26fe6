//! Bodies that slide over joints and roll over edges.

use mpcd_core::{Quat, Vec3};

use super::{cuboid, placed, points, rectangle};
use mpcd_geometry::polytope::Polytope;

/// A brick slides from one brick to the next; `step` is how much higher the second one stands (m). Returns for each place the
/// patches on both, and asserts that nothing catches.
fn slide(brick: &Polytope, up: &Vec3, height: f64, step: f64) -> Vec<f64> {
    let (alert, graze) = (0.01, 1e-5);
    let first = placed(brick, -Vec3::x(), Quat::identity());
    let second = placed(brick, Vec3::x() + up * step, Quat::identity());
    (-300..=300)
        .map(|k| {
            let x = f64::from(k) * 0.003_7;
            let slider = placed(brick, Vec3::x() * (x - 1.0) + up * height, Quat::identity());
            let mut carried = 0.0;
            for below in [&first, &second] {
                let (n, found) = points(&slider, below, alert, graze);
                assert!(found.is_empty() || (n - up).norm() < 1e-12, "x {x}, step {step}: normal {n:?}");
                assert!(found.iter().all(|p| p.gap.abs() < 2e-5));
                carried += found.iter().map(|p| p.share).sum::<f64>();
            }
            carried
        })
        .collect()
}

#[test]
fn a_brick_slides_over_a_joint_without_catching() {
    for step in [0.0, 1e-9, -1e-9, 1e-6, -1e-6] {
        for sunk in [0.0, 1e-9, -1e-9, 1e-6] {
            // 2 m long, 1 m wide: 2 m² are carried wherever it is (as long as it does not leave the first brick behind).
            for (brick, up, whole) in [(cuboid(1.0, 0.5, 0.5), Vec3::z(), 2.0), (rectangle(1.0, 0.5), Vec3::y(), 2.0)] {
                let carried = slide(&brick, &up, 1.0 - sunk, step);
                let inside = &carried[301..=570];
                assert!(inside.iter().all(|c| (c - whole).abs() < 2e-5), "step {step}, sunk {sunk}: {inside:?}");
            }
        }
    }
}

#[test]
fn a_step_higher_than_the_graze_is_met() {
    let brick = cuboid(1.0, 0.5, 0.5);
    let below = placed(&brick, Vec3::new(1.0, 0.0, 1e-3), Quat::identity());
    let slider = placed(&brick, Vec3::new(-1.005, 0.0, 1.0), Quat::identity());
    let (n, found) = points(&slider, &below, 0.01, 1e-5);
    assert!((n + Vec3::x()).norm() < 1e-12 && found.len() == 4);
    assert!(found.iter().all(|p| (p.gap - 0.005).abs() < 1e-12));
}

#[test]
fn blocks_that_meet_at_a_corner_do_not_push() {
    let cube = cuboid(0.5, 0.5, 0.5);
    let below = placed(&cube, Vec3::zeros(), Quat::identity());
    for (x, z) in [(1.0, 1.0), (1.0 + 1e-7, 1.0 - 1e-7), (1.0 - 1e-7, 1.0 - 1e-7), (1.0 + 1e-3, 1.0)] {
        assert!(points(&placed(&cube, Vec3::new(x, 0.0, z), Quat::identity()), &below, 0.01, 1e-5).1.is_empty(), "{x} {z}");
    }
    // Side by side and one on the other they do.
    assert_eq!(points(&placed(&cube, Vec3::x(), Quat::identity()), &below, 0.01, 1e-5).1.len(), 4);
    assert_eq!(points(&placed(&cube, Vec3::z(), Quat::identity()), &below, 0.01, 1e-5).1.len(), 4);
}

/// A plank tips over the edge of a table: the normal goes from the table's to the plank's, the gap stays that of the edge.
#[test]
fn a_plank_tips_over_an_edge() {
    let (plank, table) = (cuboid(1.0, 0.2, 0.1), cuboid(1.0, 1.0, 1.0));
    let below = placed(&table, -Vec3::x() - Vec3::z(), Quat::identity());
    let mut last: Option<Vec3> = None;
    for k in -1000..=1000 {
        let angle = f64::from(k) * 5e-4;
        let q = Quat::from_axis_angle(&Vec3::y_axis(), angle);
        // The middle of the plank's lower face on the edge.
        let above = placed(&plank, q * Vec3::new(0.0, 0.0, 0.1), q);
        let (n, found) = points(&above, &below, 1e-3, 1e-6);
        let expected = q * Vec3::z();
        let overlap = angle < -1e-15;
        // Turned the other way its end would be in the table: there the way out is the table's or the plank's.
        if !overlap {
            assert!((n - expected).norm() < 1e-12, "angle {angle}: {n:?}");
            assert!(found.len() >= 2 && found.iter().any(|p| p.gap.abs() < 1e-12), "angle {angle}: {found:?}");
        }
        if let Some(last) = last {
            assert!((n - last).norm() < 6e-4, "angle {angle}: from {last:?} to {n:?}");
        }
        last = Some(n);
    }
}

/// A cube rolls over its edge on a table from one face to the next: the edge's two points keep their names but for the face
/// they come from, and the normal stays the table's.
#[test]
fn a_cube_rolls_over_its_edge() {
    let (cube, table) = (cuboid(0.5, 0.5, 0.5), cuboid(5.0, 5.0, 1.0));
    let below = placed(&table, -Vec3::z(), Quat::identity());
    let edge = Vec3::new(0.5, 0.0, -0.5);
    for k in 0..=900 {
        let q = Quat::from_axis_angle(&Vec3::y_axis(), f64::from(k) * 0.1_f64.to_radians());
        let (n, found) = points(&placed(&cube, -(q * edge) + Vec3::z() * 1e-4, q), &below, 1e-3, 1e-6);
        assert!((n - Vec3::z()).norm() < 1e-12 && (found.len() == 2 || found.len() == 4), "{k}: {found:?}");
        let at_edge: Vec<_> = found.iter().filter(|p| p.point.x.abs() < 1e-12).map(|p| (p.feature, p.gap)).collect();
        assert_eq!(at_edge.len(), 2);
        assert!(at_edge.iter().all(|(_, gap)| (gap - 1e-4).abs() < 1e-12));
        assert_eq!(at_edge[0].0.first, mpcd_geometry::polytope::Feature::Vertex(1));
        assert_eq!(at_edge[1].0.first, mpcd_geometry::polytope::Feature::Vertex(3));
    }
}
