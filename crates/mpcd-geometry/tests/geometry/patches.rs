//! What lies on a patch and what only comes near it; where two bodies touch in a line, and where in a point; how large a round end is.

use std::f64::consts::PI;

use std::sync::Arc;

use mpcd_core::{ContactGeometry, Dimension, Quat, Vec3, patch::on_patch};
use mpcd_geometry::{Core, Cylinder, PlacedShape, Shape, Solid, Touch, polytope::Polytope};

use super::{Body, touches as found_by};

const R: f64 = 0.01;
const HALF: f64 = 0.05;

type Placed = (Shape, Vec3, Quat);

fn touches(dimension: Dimension, bodies: [Placed; 2], alert: f64) -> Vec<Touch> {
    found_by(dimension, &bodies.map(|(shape, x, q)| Body(shape, x, q, 1.0)), alert)
}

fn plane(up: Vec3) -> Placed {
    (Shape::Plane { normal: up }, Vec3::zeros(), Quat::identity())
}

fn cylinder(half_length: f64) -> Shape {
    let body = Cylinder { radius: R, half_length };
    Shape::Solid(Arc::new(Solid::new("Cylinder", Core::Smooth(Arc::new(body)), body.measures())))
}

fn capsule() -> Shape {
    Shape::Segment { half: HALF * Vec3::x(), thickness_radius: R }
}

fn turned(axis: Vec3, angle: f64) -> Quat {
    Quat::new(axis * angle)
}

/// Points with an area, and their area together.
fn flat(found: &[Touch]) -> (usize, f64) {
    let area = |t: &Touch| if let ContactGeometry::Flat { area } = t.geometry { area } else { 0.0 };
    (found.iter().filter(|t| area(t) > 0.0).count(), found.iter().map(area).sum())
}

fn nearest(found: &[Touch]) -> &Touch {
    found.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)).unwrap()
}

fn near(a: f64, b: f64) -> bool {
    (a / b - 1.0).abs() < 1e-9
}

fn is_point(t: &Touch, radius: f64) -> bool {
    matches!(t.geometry, ContactGeometry::Point { reduced_radius, .. } if near(reduced_radius, radius))
}

fn line_length(found: &[Touch]) -> f64 {
    let of = |t: &Touch| if let ContactGeometry::Line { length, .. } = t.geometry { length } else { 0.0 };
    found.iter().map(of).sum()
}

/// An alert distance that reaches the upper corners gives them no part of the face below.
#[test]
fn the_area_is_that_of_the_points_that_lie_on_it() {
    let block = Shape::Box { half: Vec3::repeat(R) };
    let at = |z: f64| (block.clone(), z * Vec3::z(), Quat::identity());
    for alert in [1e-3, 0.05] {
        let found = touches(Dimension::Spatial, [at(R), plane(Vec3::z())], alert);
        assert_eq!(found.len(), if alert > R { 8 } else { 4 });
        assert!(flat(&found).0 == 4 && near(flat(&found).1, 4e-4), "{:?}", flat(&found));
        let found = touches(Dimension::Spatial, [at(R), at(-R)], alert);
        assert!(near(flat(&found).1, 4e-4), "{:?}", flat(&found));
        let triangle = [[0.0, 0.0], [0.03, 0.0], [0.0, 0.03]].map(|[x, y]| Vec3::new(x, y, 0.0));
        let hull = Polytope::polygon(&triangle).unwrap();
        let core = Core::Polytope { hull: Arc::new(hull), rounding: 0.0 };
        let solid = Shape::Solid(Arc::new(Solid::new("Polygon", core, Cylinder { radius: R, half_length: 0.5 }.measures())));
        let ground = plane(Vec3::y());
        let found = touches(Dimension::Planar, [(solid, Vec3::zeros(), Quat::identity()), ground], alert);
        let areas: Vec<f64> = found.iter().map(|t| flat(std::slice::from_ref(t)).1).filter(|a| *a > 0.0).collect();
        assert!(areas.len() == 2 && near(areas[0], areas[1]), "{areas:?}");
    }
    // On an edge there is no area, however near the face comes to the plane.
    let angle = 5_f64.to_radians();
    let z = R * (angle.cos() + angle.sin());
    let tilted = (block, z * Vec3::z(), turned(Vec3::y(), angle));
    for second in [plane(Vec3::z()), (Shape::Box { half: Vec3::new(0.1, 0.1, R) }, -R * Vec3::z(), Quat::identity())] {
        let found = touches(Dimension::Spatial, [tilted.clone(), second], 1e-2);
        assert!(found.len() >= 4 && flat(&found) == (0, 0.0), "{found:?}");
    }
}

/// Cylinders that cross touch in a point of R*, from the curvatures 1/R across each: R* = R/sin φ.
#[test]
fn crossed_cylinders_touch_in_a_point() {
    let lying = turned(Vec3::y(), PI / 2.0);
    for degrees in [90.0_f64, 60.0, 30.0, 10.0, 1.0] {
        let angle = degrees.to_radians();
        let about = turned(Vec3::z(), angle);
        for (one, two, q) in [
            (capsule(), capsule(), [Quat::identity(); 2]),
            (cylinder(HALF), cylinder(HALF), [lying; 2]),
            (capsule(), cylinder(HALF), [Quat::identity(), lying]),
        ] {
            let found = touches(Dimension::Spatial, [(one, R * Vec3::z(), q[0]), (two, 3.0 * R * Vec3::z(), about * q[1])], 1e-6);
            assert!(is_point(nearest(&found), R / angle.sin()), "{degrees}°: {found:?}");
            assert_eq!(line_length(&found), 0.0, "{degrees}°");
        }
    }
    // Parallel they touch in a line.
    let found = touches(
        Dimension::Spatial,
        [(capsule(), R * Vec3::z(), Quat::identity()), (capsule(), 3.0 * R * Vec3::z(), Quat::identity())],
        1e-6,
    );
    assert!(near(line_length(&found), 2.0 * HALF), "{found:?}");
}

/// The cap of a capsule is a ball, whatever its tilt, on planes, faces and cylinders.
#[test]
fn a_capsule_on_its_end_touches_as_a_ball() {
    for degrees in [10.0_f64, 45.0, 90.0] {
        let angle = degrees.to_radians();
        let body = || (capsule(), (R + HALF * angle.sin()) * Vec3::z(), turned(Vec3::y(), angle));
        let table = (Shape::Box { half: Vec3::new(0.1, 0.1, R) }, -R * Vec3::z(), Quat::identity());
        for second in [plane(Vec3::z()), table] {
            let found = touches(Dimension::Spatial, [body(), second], 1e-6);
            assert!(found.len() == 1 && is_point(&found[0], R), "{degrees}°: {found:?}");
        }
    }
    // A ball of R on a cylinder of R: √(R/2 · R).
    let on = (cylinder(HALF), -R * Vec3::z(), turned(Vec3::y(), PI / 2.0));
    let found = touches(Dimension::Spatial, [(capsule(), (R + HALF) * Vec3::z(), turned(Vec3::y(), PI / 2.0)), on], 1e-6);
    assert!(is_point(nearest(&found), R / 2_f64.sqrt()), "{found:?}");
}

/// A round end has the area of its disc, on a plane, on a larger and on a smaller face, and on another end.
#[test]
fn a_round_end_has_the_area_of_its_disc() {
    let q = Quat::identity();
    let at = |shape: Shape, z: f64| (shape, z * Vec3::z(), q);
    let post = || at(cylinder(R), R);
    let large = Shape::Box { half: Vec3::new(0.1, 0.1, R) };
    let small = Shape::Box { half: Vec3::new(0.5 * R, 0.5 * R, R) };
    let disc = PI * R * R;
    for (second, area) in [
        (plane(Vec3::z()), disc),
        (at(large.clone(), -R), disc),
        (at(small, -R), R * R),
        (at(cylinder(R), -R), disc),
        // Half of it over the border.
        ((large, Vec3::new(0.1, 0.0, -R), q), 0.5 * disc),
    ] {
        let found = touches(Dimension::Spatial, [post(), second], 1e-6);
        assert!(near(flat(&found).1, area), "{} for {area}: {found:?}", flat(&found).1);
    }
}

/// A side along an edge and an edge under an end touch at the two ends of what they have in common.
#[test]
fn sides_and_ends_on_an_edge_have_two_points() {
    // The edge along y of a box, and of a steep ridge, at (0, 0, 0).
    let ridge = |width: f64| {
        let across = [0.0, -width, width];
        let corner = |i: usize, y: f64| Vec3::new(across[i], y, if i == 0 { 0.0 } else { -0.2 });
        let corners: Vec<Vec3> = (0..6).map(|k| corner(k % 3, if k < 3 { -0.5 } else { 0.5 })).collect();
        let core = Core::Polytope { hull: Arc::new(Polytope::polyhedron(&corners).unwrap()), rounding: 0.0 };
        let measures = Cylinder { radius: R, half_length: R }.measures();
        (Shape::Solid(Arc::new(Solid::new("Polyhedron", core, measures))), Vec3::zeros(), Quat::identity())
    };
    let block = (Shape::Box { half: Vec3::new(0.1, 0.5, 0.1) }, Vec3::new(-0.1, 0.0, -0.1), Quat::identity());
    let along = turned(Vec3::x(), PI / 2.0);
    let from = Vec3::new(0.6, 0.0, 0.8);
    let two_points = |body: Placed, second: Placed, half: f64| {
        let found = touches(Dimension::Spatial, [body, second], 1e-6);
        let mut y: Vec<f64> = found.iter().map(|t| t.point.y).collect();
        y.sort_by(f64::total_cmp);
        assert!(found.iter().all(|t| t.gap.abs() < 1e-9), "{found:?}");
        assert!(y.len() >= 2 && (y[0] + half).abs() < 1e-9 && (y[y.len() - 1] - half).abs() < 1e-9, "{half}: {found:?}");
    };
    two_points((cylinder(HALF), R * from, along), block.clone(), HALF);
    two_points((cylinder(HALF), R * Vec3::z(), along), ridge(0.05), HALF);
    for width in [0.05, 0.02] {
        two_points((capsule(), R * Vec3::z(), turned(Vec3::z(), PI / 2.0)), ridge(width), HALF);
    }
    // An end over the edge, off its middle: a chord.
    let off = 0.6 * R;
    two_points((cylinder(HALF), HALF * Vec3::z() + off * Vec3::x(), Quat::identity()), ridge(0.05), 0.8 * R);
}

/// In the plane the straight side of a capsule is flat.
#[test]
fn a_planar_capsule_on_its_side_is_flat() {
    let body = || (capsule(), R * Vec3::y(), Quat::identity());
    let table = (Shape::Box { half: Vec3::new(0.1, R, 0.5) }, -R * Vec3::y(), Quat::identity());
    let below = (capsule(), -R * Vec3::y(), Quat::identity());
    for second in [plane(Vec3::y()), table, below] {
        let found = touches(Dimension::Planar, [body(), second], 1e-6);
        // A straight length of 0.1 m, 1 m thick.
        assert!(found.len() == 2 && near(flat(&found).1, 2.0 * HALF), "{found:?}");
    }
    // Tilted it touches with a round end.
    let tilted = (capsule(), (R + HALF * 0.1_f64.sin()) * Vec3::y(), turned(Vec3::z(), 0.1));
    let found = touches(Dimension::Planar, [tilted, plane(Vec3::y())], 1e-6);
    assert!(
        found.len() == 1 && matches!(found[0].geometry, ContactGeometry::Line { reduced_radius, .. } if near(reduced_radius, R)),
        "{found:?}"
    );
}

/// Planar capsules end to end on one line, apart, touching and one in the other: their ends' gap, in every order and turned. (The plane across
/// their common line does not part them.)
#[test]
fn planar_capsules_on_one_line_meet_with_their_ends() {
    for angle in [0.0, 0.3, 1.0, 2.5] {
        let along = turned(Vec3::z(), angle) * Vec3::x();
        for (gap, sign) in [(0.02, 1.0), (0.02, -1.0), (1e-9, 1.0), (-0.001, 1.0), (-0.001, -1.0)] {
            let second = (capsule(), along * sign * (2.0 * HALF + 2.0 * R + gap), turned(Vec3::z(), angle));
            let first = (capsule(), Vec3::zeros(), turned(Vec3::z(), angle));
            let found = touches(Dimension::Planar, [first, second], 0.1);
            let found = nearest(&found);
            assert!((found.gap - gap).abs() < 1e-12, "{angle} {gap} {sign}: {found:?}");
            assert!((found.frame.n.dot(&along).abs() - 1.0).abs() < 1e-9, "{angle} {gap} {sign}: {found:?}");
        }
    }
}

/// A box that slides on a much larger one stands on its four corners, however little of a gap and of a tilt rounding leaves.
#[test]
fn a_small_box_on_a_large_one_keeps_its_four_corners() {
    let half = Vec3::new(0.11162107398585704, 0.08371580548939278, 0.011162107398585704);
    let floor = || {
        let slab = Shape::Box { half: Vec3::new(12.162107398585704, 12.162107398585704, 0.1) };
        (slab, -0.1 * Vec3::z(), Quat::identity())
    };
    for gap in [0.0, 1e-16, -1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-10, 1e-9, -1e-12, -1e-9, 1e-6, 1e-5] {
        for tilt in [0.0, 1e-16, 1e-15, 9e-15, 1e-14, 1e-12, 1e-10, 1e-9, 1e-8, -1e-12, -1e-9] {
            for aside in [0.0, 6e-8, 1e-3] {
                let at = Vec3::new(-aside, 0.7 * aside, half.z + gap);
                for axis in [Vec3::new(0.3, 1.0, 0.1), Vec3::new(0.04, 0.03, -1.0), Vec3::new(1.0, -0.2, 0.0)] {
                    let body = || (Shape::Box { half }, at, turned(axis, tilt));
                    for pair in [[body(), floor()], [floor(), body()]] {
                        let found = touches(Dimension::Spatial, pair, 1e-4);
                        assert!(found.len() == 4, "gap {gap:e}, tilt {tilt:e}, aside {aside}: {} points", found.len());
                    }
                }
            }
        }
    }
}

/// What is equal but for rounding is on the patch; what that is goes by the sizes.
#[test]
fn rounding_takes_no_point_from_a_patch() {
    for (gap, least) in [(2.8e-17, 1.3e-17), (2.8e-17, -2.8e-17), (1e-17, 0.0), (0.0, -1e-16)] {
        assert!(on_patch(gap, least, 1e-17, 2.0), "{gap:e} m over {least:e} m");
    }
    assert!(!on_patch(1e-10, 0.0, 0.0, 1.0) && !on_patch(1e-17, 0.0, 0.0, 1e-6) && on_patch(1e-10, 0.0, 0.0, 1e4));
}

/// A block that leans by next to nothing, so high that its lower corner touches: the gap of this is found from the floor's face, and then from the block's. Whichever of
/// the two is the first body, all of the face lies.
#[test]
fn a_block_on_its_corner_lies_on_its_face() {
    let half = Vec3::new(0.075, 0.1, 0.5);
    let floor = || (Shape::Box { half: Vec3::new(2.0, 0.1, 0.5) }, -0.1 * Vec3::y(), Quat::identity());
    for k in 0..400_u32 {
        let part = |of: f64| (f64::from(k) * of).fract();
        let size = 10.0_f64.powf(-7.0 - 5.0 * part(0.6180339887498949));
        let tilt = if k.is_multiple_of(2) { size } else { -size };
        let at = Vec3::new(2.0 * part(0.4142135623730951) - 1.0, half.y * tilt.cos() + half.x * tilt.sin().abs(), 0.0);
        let body = || (Shape::Box { half }, at, turned(Vec3::z(), tilt));
        for pair in [[body(), floor()], [floor(), body()]] {
            let found = touches(Dimension::Planar, pair, 1e-4);
            assert!(flat(&found).0 == 2 && near(flat(&found).1, 0.15), "at {at:?}, tilted by {tilt:e}: {found:?}");
        }
    }
}

/// A strip or a wire under the open end of a tube has its origin at the tube's rim or a hair above it: it carries the tube from below all the same,
/// with normals along the axis and gaps that are the overlap, whatever the sign of the last bit.
#[test]
fn what_crosses_the_mouth_of_a_tube_is_not_inside() {
    let tube = PlacedShape::hollow_cylinder(0.2, 0.05, 0.2, false).shape;
    let corners = [[-0.05, -0.5], [0.05, -0.5], [0.05, 0.5], [-0.05, 0.5]].map(|[x, y]| Vec3::new(x, y, 0.0));
    let strip = PlacedShape::surface(&corners, &[[0, 1, 2], [0, 2, 3]]).unwrap().shape;
    let wire = Shape::Segment { half: 0.5 * Vec3::y(), thickness_radius: 0.0 };
    for under in [strip, wire] {
        for sunk in [-1e-7, 0.0, 1e-16, 1e-12, 1e-7, 1e-5] {
            let at = (tube.clone(), Vec3::new(0.03, 0.02, 0.1 - sunk), Quat::identity());
            let found = touches(Dimension::Spatial, [at, (under.clone(), Vec3::x() * 0.15, Quat::identity())], 1e-3);
            assert!(found.len() >= 2, "{}: {} points at {sunk}", under.name(), found.len());
            for t in &found {
                let up = if t.key.candidate.0 == 0 { t.frame.n.z } else { -t.frame.n.z };
                assert!((up - 1.0).abs() < 1e-9 && (t.gap + sunk).abs() < 1e-12, "{} at {sunk}: {t:?}", under.name());
            }
        }
    }
    // A rod that fits is inside wherever its origin is in the tube, and touches the wall from there.
    for z in [0.0, 0.05, 0.0999] {
        let rod = (Shape::Segment { half: 0.3 * Vec3::z(), thickness_radius: 0.05 }, Vec3::new(0.1, 0.0, z), Quat::identity());
        let found = touches(Dimension::Spatial, [(tube.clone(), Vec3::zeros(), Quat::identity()), rod], 0.06);
        assert!(found.iter().all(|t| t.gap >= 0.05 - 1e-12), "{found:?}");
    }
}

/// The points of a cylinder that stands on a plane, however little it tilts, have their area's middle where the disc has it, and its area.
#[test]
fn a_standing_cylinder_is_even_whichever_way_it_tilts() {
    for tilt in [0.0, 1e-9, 1e-6, 1e-4] {
        for way in [0.0, 0.3, 1.0, 2.5] {
            let axis = Vec3::new(f64::cos(way), f64::sin(way), 0.0);
            let at = (cylinder(HALF), Vec3::z() * HALF, turned(axis, tilt));
            let found = touches(Dimension::Spatial, [at, plane(Vec3::z())], 1e-4);
            let area = |t: &Touch| if let ContactGeometry::Flat { area } = t.geometry { area } else { 0.0 };
            let middle: Vec3 = found.iter().map(|t| area(t) * t.point).sum::<Vec3>() / flat(&found).1;
            assert!(near(flat(&found).1, PI * R * R), "{tilt} {way}: {:?}", flat(&found));
            // The foot of the axis.
            let foot = Vec3::z() * HALF - turned(axis, tilt) * Vec3::z() * HALF;
            assert!((middle - foot).xy().norm() < 1e-5 * R, "{tilt} {way}: {middle:?}");
        }
    }
}
