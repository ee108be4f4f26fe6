//! Tubes, their mouths and what is in them: both ends alike, of any size, whichever body is named first. Each against numbers computed by hand.

use std::f64::consts::FRAC_PI_4;

use mpcd_core::{ContactGeometry, Dimension::Spatial, Quat, Vec3};
use mpcd_geometry::{Cavity, PlacedShape, Shape, Touch};

use crate::{Body, ball, body, near, touches};

/// An open tube about the origin, its bore of radius 0.03, 0.2 long: written smaller by `size` and grown by it.
fn tube(size: f64) -> Body {
    let shape = PlacedShape::hollow_cylinder(0.03 / size, 0.01 / size, 0.2 / size, false).shape;
    Body(shape, Vec3::zeros(), Quat::identity(), size)
}

/// From the second body to the first.
fn normal(t: &Touch) -> Vec3 {
    if t.key.candidate.0 == 0 { t.frame.n } else { -t.frame.n }
}

/// An octahedron leans on the rim of either end with four edges, at half a right angle each: moved along the axis by d its gaps change by d/√2.
#[test]
fn an_octahedron_leans_on_either_rim() {
    let corners: Vec<Vec3> = [Vec3::x(), Vec3::y(), Vec3::z()].iter().flat_map(|e| [0.06 * e, -0.06 * e]).collect();
    let six = PlacedShape::hull("Polyhedron", &corners, Spatial, 1.0).unwrap();
    for size in [1.0, 2.0] {
        for end in [1.0, -1.0] {
            for d in [5e-4, 0.0, -5e-4] {
                // Its edges are 0.03 from the axis where they are 0.03 above its tip.
                let at = Vec3::new(0.0, 0.0, end * (0.1 + 0.03 + d));
                let all = touches(Spatial, &[Body(six.shape.clone(), at, six.orientation, 1.0), tube(size)], 1e-3);
                assert_eq!(all.len(), 4, "size {size}, end {end}, {d}: {all:?}");
                for t in &all {
                    let out = Vec3::new(t.point.x, t.point.y, 0.0).normalize();
                    let n = (end * Vec3::z() - out).normalize();
                    assert!((t.gap - d / 2.0_f64.sqrt()).abs() < 1e-12, "size {size}, end {end}, {d}: {t:?}");
                    assert!(near(&normal(t), &n, 1e-9), "size {size}, end {end}, {d}: {t:?}");
                    // On the edge, d/2 along each axis from the rim.
                    let place = 0.03 * out + end * 0.1 * Vec3::z() + 0.5 * d * (end * Vec3::z() - out);
                    assert!(near(&t.point, &place, 1e-9), "size {size}, end {end}, {d}: {t:?}");
                }
            }
        }
    }
}

/// Pushed aside by d it presses one edge d/√2 into the rim, and lifts the one across as far.
#[test]
fn an_octahedron_is_pressed_against_the_rim_beside_it() {
    let corners: Vec<Vec3> = [Vec3::x(), Vec3::y(), Vec3::z()].iter().flat_map(|e| [0.06 * e, -0.06 * e]).collect();
    let six = PlacedShape::hull("Polyhedron", &corners, Spatial, 1.0).unwrap();
    for d in [5e-5, 2e-4, 1e-3] {
        let at = Vec3::new(d, 0.0, 0.13);
        let all = touches(Spatial, &[Body(six.shape.clone(), at, six.orientation, 1.0), tube(1.0)], 1e-3);
        for side in [1.0, -1.0] {
            let is_there = |t: &Touch| t.point.x * side > 0.02 && (t.gap + side * d / 2.0_f64.sqrt()).abs() < 1e-9;
            assert!(all.iter().any(is_there), "{d}, side {side}: {all:?}");
        }
    }
}

/// A plate over half of a mouth lies with its lower edge on two places of the rim, its diameter, also where springs let it sink. The upper edge, which runs along it, is none of the rim's.
#[test]
fn the_lower_edge_of_a_plate_lies_on_the_rim() {
    for gap in [1e-4, 0.0, -2e-4] {
        let plate = body(Shape::Box { half: Vec3::new(0.05, 0.05, 0.002) }, 0.05, 0.0, 0.102 + gap);
        let all = touches(Spatial, &[plate, tube(1.0)], 0.01);
        let at_edge: Vec<&Touch> = all.iter().filter(|t| t.point.x.abs() < 1e-9 && t.point.y.abs() < 0.031).collect();
        for y in [0.03, -0.03] {
            let is_there = |t: &&&Touch| (t.point.y - y).abs() < 1e-9 && (t.gap - gap).abs() < 1e-12;
            assert!(at_edge.iter().any(|t| is_there(&t)), "{gap}, {y}: {all:?}");
        }
        assert!(at_edge.iter().all(|t| (t.gap - gap).abs() < 1e-12 && near(&normal(t), &Vec3::z(), 1e-9)), "{gap}: {all:?}");
    }
}

/// A ball wider than the bore rests on three places of the rim of either end, a third of the way around from each other.
#[test]
fn a_ball_rests_on_either_rim() {
    for size in [1.0, 2.0] {
        for end in [1.0, -1.0] {
            let at = end * (0.1 + 0.04);
            let all = touches(Spatial, &[body(ball(0.05), 0.0, 0.0, at), tube(size)], 1e-4);
            assert_eq!(all.len(), 3, "size {size}, end {end}: {all:?}");
            let sum: Vec3 = all.iter().map(normal).sum();
            assert!(near(&sum, &(3.0 * end * 0.8 * Vec3::z()), 1e-12), "size {size}, end {end}: {all:?}");
            assert!(all.iter().all(|t| t.gap.abs() < 1e-12), "size {size}, end {end}: {all:?}");
        }
    }
}

/// A capsule in a tube that has grown lies on it in the line that it has in one built as large: 1/R* = 1/r − 1/R.
#[test]
fn a_line_in_a_tube_is_that_of_its_present_size() {
    for size in [1.0, 2.0, 0.5] {
        let lying =
            Body(Shape::Segment { half: 0.05 * Vec3::z(), thickness_radius: 0.01 }, Vec3::x() * 0.02, Quat::identity(), 1.0);
        let all = touches(Spatial, &[lying, tube(size)], 1e-6);
        let mut whole = 0.0;
        for t in &all {
            let ContactGeometry::Line { reduced_radius, length } = t.geometry else { panic!("size {size}: {t:?}") };
            assert!((reduced_radius * (1.0 / 0.01 - 1.0 / 0.03) - 1.0).abs() < 1e-9, "size {size}: {t:?}");
            whole += length;
        }
        assert!((whole - 0.1).abs() < 1e-12, "size {size}: {all:?}");
    }
}

/// A wire that leans out of both ends of a tube is free of it: what is beyond an end is under no wall.
#[test]
fn a_wire_that_leans_out_of_a_tube_is_free() {
    let tube = PlacedShape::hollow_cylinder(0.16, 0.01, 0.2, false).shape;
    let wire = Shape::Segment { half: Vec3::new(0.2, 0.0, 0.2), thickness_radius: 0.0 };
    let all = touches(Spatial, &[body(wire, 0.0, 0.0, 0.05), body(tube, 0.0, 0.0, 0.0)], 1e-3);
    assert!(all.iter().all(|t| t.gap >= 0.0), "{all:?}");
}

/// A shell inside of another one has the same place and the opposite normal, whichever is named first.
#[test]
fn hollow_bodies_in_each_other_may_be_named_either_way() {
    let shells = [(1.0, 0.0), (0.2, 0.7)].map(|(r, x)| body(PlacedShape::hollow_sphere(r, 0.05).shape, x, 0.0, 0.0));
    let [outer, inner] = shells;
    for (pair, side) in [([outer.clone(), inner.clone()], 1.0), ([inner, outer], -1.0)] {
        let all = touches(Spatial, &pair, 0.1);
        assert_eq!(all.len(), 1, "{all:?}");
        let t = &all[0];
        // From 0.95, the outside of the inner one, to 1; the common point is on that.
        assert!((t.gap - 0.05).abs() < 1e-12 && near(&normal(t), &(side * Vec3::x()), 1e-12), "{t:?}");
        assert!(near(&t.point, &(0.95 * Vec3::x()), 1e-12), "{t:?}");
    }
}

/// What a cavity has room for: in a flat tin half its height, in an open tube its radius.
#[test]
fn a_tin_has_room_for_half_its_height() {
    let tube = |half_length: f64, closed: bool| Cavity::Tube { radius: 0.5, half_length, closed };
    assert_eq!([tube(0.1, true), tube(2.0, true), tube(0.1, false)].map(|c| c.room()), [0.1, 0.5, 0.5]);
    assert_eq!(Cavity::Ball { radius: 0.3 }.room(), 0.3);
}

/// A tin falls down a narrow shaft of triangles and is beside its walls also where it is about the shaft's own origin: the shaft is far longer than what the tin holds.
#[test]
fn a_tin_in_a_narrow_shaft_is_not_about_it() {
    // Eight walls as far from the axis as `apothem`, open at both ends, their faces inward.
    let (apothem, half) = (0.0415, 0.2);
    let radius = apothem / (0.5 * FRAC_PI_4).cos();
    let corner = |k: u32, z: f64| {
        let (s, c) = (FRAC_PI_4 * (f64::from(k) + 0.5)).sin_cos();
        Vec3::new(radius * c, radius * s, z)
    };
    let vertices: Vec<Vec3> = (0..8).flat_map(|k| [corner(k, -half), corner(k, half)]).collect();
    let walls = (0..8).flat_map(|k| {
        let [a, b, c, d] = [2 * k, 2 * k + 1, (2 * k + 2) % 16, (2 * k + 3) % 16];
        [[a, b, c], [c, b, d]]
    });
    let shaft = PlacedShape::surface(&vertices, &walls.collect::<Vec<_>>()).unwrap();
    let shaft = Body(shaft.shape, shaft.centre, shaft.orientation, 1.0);
    for z in [0.1, 0.03, 0.01, 0.0, -0.02] {
        let tin = body(PlacedShape::hollow_cylinder(0.03, 0.01, 0.06, true).shape, 0.0, 0.0, z);
        let all = touches(Spatial, &[tin, shaft.clone()], 0.01);
        assert!(all.len() >= 8 && all.iter().all(|t| t.gap > 1.4e-3), "{z}: {all:?}");
    }
}
