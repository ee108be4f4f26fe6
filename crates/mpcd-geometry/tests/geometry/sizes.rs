//! How large a contact is: reduced radius, length, area, and the smaller radius, against closed forms, of round and curved bodies on and in whatever there is.

use std::f64::consts::{FRAC_PI_2, PI};

use crate::{
    Body, ball, body, disc,
    solids::{cylinder, smooth},
    touches,
};
use mpcd_core::{
    ContactGeometry,
    Dimension::{Planar, Spatial},
    Quat, Vec3,
};
use mpcd_geometry::{Ellipsoid, PlacedShape, Shape, Touch};

fn placed(shape: Shape, at: [f64; 3]) -> PlacedShape {
    PlacedShape { shape, centre: Vec3::from(at), orientation: Quat::identity() }
}

fn turned(b: Body, axis: Vec3, angle: f64) -> Body {
    Body(b.0, b.1, Quat::from_scaled_axis(axis * angle), b.3)
}

fn square(half: [f64; 2], thickness: f64) -> Shape {
    let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|[x, y]| Vec3::new(x * half[0], y * half[1], 0.0));
    PlacedShape::hull("Polygon", &corners, Planar, thickness).unwrap().shape
}

fn ellipsoid(x: f64, y: f64, z: f64) -> Shape {
    smooth(Ellipsoid { radii: Vec3::new(x, y, z) })
}

/// The only touch of two bodies.
fn only(dimension: mpcd_core::Dimension, bodies: [Body; 2]) -> Touch {
    let all = touches(dimension, &bodies, 1e-6);
    assert_eq!(all.len(), 1, "{all:?}");
    all[0]
}

fn reduced_radius(t: &Touch) -> f64 {
    let ContactGeometry::Point { reduced_radius, .. } = t.geometry else { panic!("{:?}", t.geometry) };
    reduced_radius
}

fn same(found: f64, expected: f64, what: &str) {
    assert!((found / expected - 1.0).abs() < 1e-9, "{what}: {found}, {expected}");
}

/// A ball in the plane touches everything in a point, and a disc in a line; against rounded sides the two directions differ.
#[test]
fn balls_in_the_plane_touch_in_points() {
    let r = 0.1;
    let cluster = PlacedShape::cluster(&[placed(square([1.0, 0.5], 0.3), [0.0; 3])], Planar).unwrap().shape;
    let clump = PlacedShape::cluster(&[placed(ball(r), [0.0; 3])], Planar).unwrap().shape;
    let capsule = PlacedShape::capsule(0.5, 2.0, Planar).unwrap().shape;
    let flat = [square([1.0, 0.5], 0.3), cluster, capsule, Shape::Box { half: Vec3::new(1.0, 0.5, 0.5) }];
    for (k, floor) in flat.into_iter().enumerate() {
        for round in [ball(r), clump.clone()] {
            let t = only(Planar, [body(round, 0.01, 0.5 + r, 0.0), body(floor.clone(), 0.0, 0.0, 0.0)]);
            same(reduced_radius(&t), r, &format!("{k}"));
            same(t.least_radius, r, &format!("{k}"));
        }
        let t = only(Planar, [body(disc(r), 0.01, 0.5 + r, 0.0), body(floor, 0.0, 0.0, 0.0)]);
        assert!(matches!(t.geometry, ContactGeometry::Line { .. }), "{k}: {:?}", t.geometry);
    }
    let plane = Shape::Plane { normal: Vec3::y() };
    same(reduced_radius(&only(Planar, [body(clump, 0.0, r, 0.0), body(plane, 0.0, 0.0, 0.0)])), r, "clump on a plane");
    let ring = PlacedShape::hollow_disc(1.0, 0.2, 0.3).shape;
    let t = only(Planar, [body(ball(r), 0.0, r - 1.0, 0.0), body(ring.clone(), 0.0, 0.0, 0.0)]);
    same(reduced_radius(&t), 1.0 / ((1.0 / r - 1.0) / r).sqrt(), "in a ring");
    let t = only(Planar, [body(ball(r), 0.0, r + 1.2, 0.0), body(ring, 0.0, 0.0, 0.0)]);
    same(reduced_radius(&t), 1.0 / ((1.0 / r + 1.0 / 1.2) / r).sqrt(), "on a ring");
}

/// Two ellipsoids, or one and a cylinder, by the angle between the directions in which they are less curved: the product of the distance's curvatures
/// (a + b)(a′ + b′) + (a − a′)(b − b′) sin²φ.
#[test]
fn ellipsoids_touch_by_their_directions() {
    let (x, y, z) = (0.3, 0.1, 0.2);
    let [k, l] = [z / (y * y), z / (x * x)];
    for angle in [0.0, 0.4, FRAC_PI_2] {
        let sin2 = angle.sin().powi(2);
        let upper = || turned(body(ellipsoid(x, y, z), 0.0, 0.0, z), Vec3::z(), angle);
        for (what, lower, [m, n]) in [
            ("ellipsoid", body(ellipsoid(x, y, z), 0.0, 0.0, -z), [k, l]),
            ("ball", body(ball(0.2), 0.0, 0.0, -0.2), [5.0, 5.0]),
            ("cylinder", turned(body(cylinder(0.25, 1.0), 0.0, 0.0, -0.25), Vec3::y(), FRAC_PI_2), [4.0, 0.0]),
        ] {
            let t = only(Spatial, [upper(), lower]);
            let product = (k + m) * (l + n) + (k - l) * (m - n) * sin2;
            assert!((reduced_radius(&t) * product.sqrt() - 1.0).abs() < 1e-6, "{what}, {angle}: {t:?}");
            // that of the ellipsoid, 0.15 m, is the smallest of all, and smaller than its silhouette
            let least = 1.0 / (k * l).sqrt();
            assert!((t.least_radius / least - 1.0).abs() < 1e-6, "{what}, {angle}: {} of {least}", t.least_radius);
        }
    }
}

/// Capsules and cylinders that lie in a tube touch in a line, ellipsoids in tubes and shells in a point, and what is hollow is as round as its outside.
#[test]
fn curved_bodies_inside_hollow_ones() {
    let tube = || turned(body(PlacedShape::hollow_cylinder(1.0, 0.1, 5.0, false).shape, 0.0, 0.0, 0.0), Vec3::y(), FRAC_PI_2);
    let shell = || body(PlacedShape::hollow_sphere(1.0, 0.1).shape, 0.0, 0.0, 0.0);
    let r = 0.2;
    for (what, lying) in [("capsule", PlacedShape::capsule(r, 0.6, Spatial).unwrap().shape), ("cylinder", cylinder(r, 0.3))] {
        // a capsule has its axis along x, a cylinder along z
        let lying = body(lying, 0.0, 0.0, r - 1.0);
        let lying = if what == "cylinder" { turned(lying, Vec3::y(), FRAC_PI_2) } else { lying };
        let all = touches(Spatial, &[lying, tube()], 1e-6);
        let mut whole = 0.0;
        for t in &all {
            if let ContactGeometry::Line { reduced_radius, length } = t.geometry {
                whole += length;
                same(reduced_radius, 1.0 / (1.0 / r - 1.0), what);
                same(t.least_radius, r, what);
            }
        }
        same(whole, 0.6, what);
    }
    let (x, y, z) = (0.3, 0.1, 0.2);
    let [k, l] = [z / (y * y), z / (x * x)];
    let egg = || body(ellipsoid(x, y, z), 0.0, 0.0, z - 1.0);
    for (what, hollow, product) in [("shell", shell(), (k - 1.0) * (l - 1.0)), ("tube", tube(), (k - 1.0) * l)] {
        let t = only(Spatial, [egg(), hollow]);
        assert!((reduced_radius(&t) * product.sqrt() - 1.0).abs() < 1e-6, "{what}: {t:?}");
        assert!(t.least_radius <= (x * y).sqrt() * (1.0 + 1e-6), "{what}: {}", t.least_radius);
    }
    let inner = body(PlacedShape::hollow_sphere(0.15, 0.05).shape, 0.0, 0.0, r - 1.0);
    let t = only(Spatial, [inner, tube()]);
    same(t.least_radius, r, "hollow sphere in a tube");
}

/// A line of two round sides is as long as they lie along each other and as wide as the smaller one.
#[test]
fn lines_of_two_round_sides_are_of_the_smaller_one() {
    let lower = || turned(body(cylinder(0.3, 1.0), 0.0, 0.0, 0.0), Vec3::y(), FRAC_PI_2);
    for r in [0.1, 0.3, 0.5] {
        for upper in [
            body(PlacedShape::capsule(r, 0.6, Spatial).unwrap().shape, 0.0, 0.0, 0.3 + r),
            turned(body(cylinder(r, 0.3), 0.0, 0.0, 0.3 + r), Vec3::y(), FRAC_PI_2),
        ] {
            let all = touches(Spatial, &[upper, lower()], 1e-6);
            let lines = all.iter().filter(|t| matches!(t.geometry, ContactGeometry::Line { .. }));
            let section: f64 = lines.map(|t| t.geometry.section(t.least_radius)).sum();
            same(section, 2.0 * r.min(0.3) * 0.6, &format!("{r}"));
        }
    }
}

/// On the seam of two flush parts of a cluster a round body touches once, and a line that crosses it is whole.
#[test]
fn seams_of_one_cluster_count_once() {
    let half = Vec3::new(0.5, 1.0, 0.05);
    let parts = [-0.5, 0.5].map(|x| placed(Shape::Box { half }, [x, 0.0, -0.05]));
    let floor = PlacedShape::cluster(&parts, Spatial).unwrap();
    let floor = || Body(floor.shape.clone(), floor.centre, floor.orientation, 1.0);
    let r = 0.1;
    for x in [0.0, 1e-9, 1e-7, 1e-6, 1e-3] {
        let of = |b: Body| touches(Spatial, &[b, floor()], 1e-7);
        let balls = of(body(ball(r), x, 0.0, r));
        assert_eq!(balls.len(), 1, "a ball at {x}: {balls:?}");
        for (what, axis) in [("along", Vec3::x()), ("across", Vec3::y())] {
            let all = of(turned(body(cylinder(r, 0.3), x, 0.0, r), axis, FRAC_PI_2));
            let length: f64 =
                all.iter().map(|t| if let ContactGeometry::Line { length, .. } = t.geometry { length } else { 0.0 }).sum();
            assert!((length / 0.6 - 1.0).abs() < 1e-4, "a cylinder {what} the seam at {x}: {length}");
        }
    }
    let end = touches(Spatial, &[body(cylinder(r, 0.3), 0.0, 0.0, 0.3), floor()], 1e-7);
    let area: f64 = end.iter().map(|t| if let ContactGeometry::Flat { area } = t.geometry { area } else { 0.0 }).sum();
    assert!((area / (PI * r * r) - 1.0).abs() < 1e-9, "{area}");
}
