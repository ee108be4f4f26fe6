//! Faces on faces wherever the scene is: turned, mirrored, shifted far away, made larger, the bodies named in another order; and the
//! tolerance up to which bodies touch.

use crate::{Body, ball, body, touches};
use mpcd_core::{ContactGeometry, Dimension::Spatial, Quat, Vec3};
use mpcd_geometry::{PlacedShape, Shape, Touch};
use mpcd_tests::random::cases;
use proptest::prelude::*;

fn vector(half: f64) -> impl Strategy<Value = Vec3> {
    [-half..half, -half..half, -half..half].prop_map(Vec3::from)
}

fn area(t: &Touch) -> f64 {
    match t.geometry {
        ContactGeometry::Flat { area } => area,
        _ => 0.0,
    }
}

/// What does not depend on the names of points: their number, area, centre (weighted by area), the normal from 0 to 1 and the mean gap.
fn patch(all: &[Touch]) -> (usize, f64, Vec3, Vec3, f64) {
    let whole: f64 = all.iter().map(area).sum();
    let centre = all.iter().map(|t| t.point * area(t)).sum::<Vec3>() / whole;
    let sign = |t: &Touch| if t.key.candidate.0 == 0 { -1.0 } else { 1.0 };
    let normal = all.iter().map(|t| sign(t) * t.frame.n).sum::<Vec3>() / all.len() as f64;
    (all.len(), whole, centre, normal, all.iter().map(|t| t.gap).sum::<f64>() / all.len() as f64)
}

/// A brick or a six-sided column on a table.
fn pair(column: bool, x: Vec3, turn: f64, gap: f64) -> [Body; 2] {
    let table = body(Shape::Box { half: Vec3::new(1.0, 0.7, 0.2) }, 0.0, 0.0, -0.2);
    let q = Quat::from_axis_angle(&Vec3::z_axis(), turn);
    let shape = if column {
        let corner = |k: i32| {
            let (s, c) = (f64::from(k % 6) * std::f64::consts::FRAC_PI_3).sin_cos();
            Vec3::new(0.5 * c, 0.4 * s, if k < 6 { -0.3 } else { 0.3 })
        };
        let placed = PlacedShape::hull("Polyhedron", &(0..12).map(corner).collect::<Vec<_>>(), Spatial, 1.0).unwrap();
        return [table, Body(placed.shape, Vec3::new(x.x, x.y, 0.3 + gap), q * placed.orientation, 1.0)];
    } else {
        Shape::Box { half: Vec3::new(0.5, 0.4, 0.3) }
    };
    [table, Body(shape, Vec3::new(x.x, x.y, 0.3 + gap), q, 1.0)]
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn faces_on_faces_are_the_same_everywhere(
        column: bool, at in vector(1.0), turn in 0.0..6.2, gap in -1e-4..1e-3, axis in vector(3.0), far in vector(1.0), scale in 0.01..100.0,
    ) {
        let bodies = pair(column, at, turn, gap);
        let here = touches(Spatial, &bodies, 2e-3);
        prop_assume!(here.len() > 2);
        let (count, whole, centre, normal, mean) = patch(&here);
        let q = Quat::from_scaled_axis(axis);
        let shift = 1e3 * far;
        // Turned and shifted by up to a kilometre.
        let moved = bodies.clone().map(|b| Body(b.0, q * b.1 + shift, q * b.2, b.3));
        let (n, a, c, m, g) = patch(&touches(Spatial, &moved, 2e-3));
        prop_assert!(n == count && (a - whole).abs() < 1e-8 && (c - q * centre - shift).norm() < 1e-8, "{} {}", a, whole);
        prop_assert!((m - q * normal).norm() < 1e-9 && (g - mean).abs() < 1e-10, "{} {}", g, mean);
        // Mirrored in y: boxes and columns are their own mirror images.
        let image = |v: &Vec3| Vec3::new(v.x, -v.y, v.z);
        let mirrored = bodies.clone().map(|b| {
            let [w, i, j, k] = [b.2.w, b.2.i, b.2.j, b.2.k];
            Body(b.0, image(&b.1), Quat::new_unchecked(nalgebra::Quaternion::new(w, -i, j, -k)), b.3)
        });
        // Of more than four corners the image may keep others.
        let (n, a, _, m, g) = patch(&touches(Spatial, &mirrored, 2e-3));
        prop_assert!(n == count && (a - whole).abs() < 1e-9, "{} {}", a, whole);
        prop_assert!((m - image(&normal)).norm() < 1e-9 && (g - mean).abs() < 1e-12);
        // Larger or smaller.
        let scaled = bodies.clone().map(|b| Body(b.0, scale * b.1, b.2, scale));
        let (n, a, c, m, g) = patch(&touches(Spatial, &scaled, 2e-3 * scale));
        prop_assert!(n == count && (a / (scale * scale) - whole).abs() < 1e-9 && (c / scale - centre).norm() < 1e-9);
        prop_assert!((m - normal).norm() < 1e-9 && (g / scale - mean).abs() < 1e-11);
        // The other one named first.
        let [one, two] = bodies;
        let (n, a, _, m, g) = patch(&touches(Spatial, &[two, one], 2e-3));
        prop_assert!(n == count && (a - whole).abs() < 1e-9 && (m + normal).norm() < 1e-9 && (g - mean).abs() < 1e-12);
    }

    /// Balls written to touch do, wherever they are; balls apart by a millionth of their radius do not.
    #[test]
    fn the_tolerance_decides_and_not_the_last_bit(spacing in 1e-3..1.0, far in -1e3..1e3, k in 0..20) {
        let k = f64::from(k);
        let decided = |apart: f64| {
            let pair = [body(ball(0.5 * spacing), far + k * spacing, 0.0, far), body(ball(0.5 * spacing), far + (k + 1.0) * spacing + apart, 0.0, far)];
            let all = touches(Spatial, &pair, spacing);
            (all[0].decided_gap(), all[0].tolerance())
        };
        let (gap, tolerance) = decided(0.0);
        prop_assert!(gap <= 0.0 && tolerance < 1e-9 * spacing + 1e-11, "{} {}", gap, tolerance);
        prop_assert!(decided(1e-6 * spacing + 1e-10).0 > 0.0);
    }
}

/// A plate on a small leg far from its edges, tilted and apart by rounding alone: the four corners of the leg's top, always. (What the normals of crossed
/// edges make of the way from a leg to the edge of the plate is more than rounding, and once passed for a distance.)
#[test]
fn a_plate_touches_a_leg_whatever_the_last_digits() {
    let small = |seed: u64| {
        let mixed = (seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 11) as f64 / (1_u64 << 53) as f64;
        2.0 * mixed - 1.0
    };
    for turn in [1e-15, 1e-14, 1e-13, 1e-12] {
        for seed in 0..400 {
            let of = |k: u64| small(seed * 16 + k + 1);
            let pose = |k: u64, twist: f64| Quat::from_scaled_axis(Vec3::new(turn * of(k), turn * of(k + 1), twist * of(k + 2)));
            for twist in [turn, 1e-9, 1e-6] {
                let plate =
                    Body(Shape::Box { half: Vec3::new(1.0, 1.0, 0.05) }, Vec3::new(1e-14, 1e-14, 0.25), pose(0, turn), 1.0);
                let at = Vec3::new(0.8, -0.7, 0.1 + 1e-14 * of(6));
                let leg = Body(Shape::Box { half: Vec3::new(0.05, 0.05, 0.1) }, at, pose(3, twist), 1.0);
                let all = touches(Spatial, &[plate, leg], 2e-3);
                assert_eq!(all.len(), 4, "turned by {turn}, {twist}, draw {seed}");
                assert!(all.iter().all(|t| t.gap.abs() < 1e-11 && t.frame.n.z.abs() > 1.0 - 1e-11), "{turn} {twist} {seed}");
            }
        }
    }
}
