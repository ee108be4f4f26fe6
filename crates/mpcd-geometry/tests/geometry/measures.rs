//! Mass properties against formulas and against quadrature; volumes, bounding radii, refusals of impossible shapes.

use std::{f64::consts::PI, sync::Arc};

use crate::{ball, body, disc, try_touches};
use mpcd_core::{Dimension::*, Quat, Vec3};
use mpcd_geometry::{Core, Cylinder, Ellipsoid, Measures, Part, PlacedShape, Shape, Solid, Superellipsoid, SupportMap, TriMesh};

fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-9 * b.abs().max(1e-300), "{a} is not {b}");
}

/// PHYSICS §1: a disc has m = ρπR²t and I = ½mR²; a sphere keeps 2/5 in a plane.
#[test]
fn discs_and_balls() {
    for dimension in [Planar, Spatial] {
        let p = ball(0.2).mass_properties(7800.0, dimension);
        close(p.mass, 7800.0 * 4.0 / 3.0 * PI * 0.008);
        close(p.inertia.z, 0.4 * p.mass * 0.04);
        close(p.surface, 4.0 * PI * 0.04);
        close(ball(0.2).volume(1.5, dimension), p.volume * 3.375);
        close(ball(0.2).equivalent_radius(1.5, dimension), 0.3);
    }
    let p = disc(0.2).mass_properties(1000.0, Planar);
    close(p.mass, 1000.0 * PI * 0.04 * 0.5);
    close(p.inertia.z, 0.5 * p.mass * 0.04);
    close(p.surface, 2.0 * PI * 0.2 * 0.5);
    close(disc(0.2).volume(1.5, Planar), p.volume * 2.25);
    close(4.0 / 3.0 * PI * disc(0.2).equivalent_radius(1.0, Planar).powi(3), p.volume);
}

#[test]
fn boxes_and_planes() {
    let shape = Shape::Box { half: Vec3::new(1.0, 2.0, 3.0) };
    let p = shape.mass_properties(2.0, Spatial);
    close(p.mass, 96.0);
    close(p.surface, 2.0 * (8.0 + 12.0 + 24.0));
    for (i, expected) in [16.0 + 36.0, 4.0 + 36.0, 4.0 + 16.0].into_iter().enumerate() {
        close(p.inertia[i], 96.0 / 12.0 * expected);
    }
    close(shape.mass_properties(2.0, Planar).surface, 12.0 * 6.0);
    close(shape.bounding_radius(Spatial).unwrap(), 14f64.sqrt());
    close(shape.bounding_radius(Planar).unwrap(), 5f64.sqrt());
    close(shape.volume(2.0, Spatial), 8.0 * 48.0);
    close(shape.volume(2.0, Planar), 4.0 * 48.0);
    let plane = Shape::Plane { normal: Vec3::y() };
    assert_eq!(plane.mass_properties(1.0, Spatial), mpcd_geometry::MassProperties::default());
    assert_eq!(plane.bounding_radius(Spatial), None);
}

/// ∫ f over [a, b], midpoint rule in the angle of a half-circle: no singular derivative at its ends.
fn over_half_circle(r: f64, f: impl Fn(f64, f64) -> f64) -> f64 {
    let n = 20_000;
    let angles = (0..n).map(|i| PI * ((f64::from(i) + 0.5) / f64::from(n) - 0.5));
    angles.map(|a| f(r * a.sin(), r * a.cos()) * r * a.cos()).sum::<f64>() * PI / f64::from(n)
}

#[test]
fn a_capsule_is_the_sum_of_its_slices() {
    let (h, r) = (1.3, 0.4);
    let shape = Shape::Segment { half: Vec3::new(0.0, h, 0.0), thickness_radius: r };
    let p = shape.mass_properties(3.0, Spatial);
    // Slices across the axis: a cylinder of length 2h and two caps.
    let area = |rho: f64| PI * rho * rho;
    let volume = area(r) * 2.0 * h + over_half_circle(r, |_, rho| area(rho));
    let along = area(r) * r * r * h + over_half_circle(r, |_, rho| area(rho) * rho * rho / 2.0);
    let across = area(r) * (2.0 * h * r * r / 4.0 + 2.0 * h.powi(3) / 3.0)
        + over_half_circle(r, |x, rho| area(rho) * (rho * rho / 4.0 + (h + x.abs()).powi(2)));
    close(p.mass, 3.0 * volume);
    close(p.inertia.y, 3.0 * along);
    close(p.inertia.x, 3.0 * across);
    close(p.inertia.z, 3.0 * across);
}

#[test]
fn a_stadium_is_the_sum_of_its_slices() {
    let (h, r) = (0.7, 0.3);
    let shape = Shape::Segment { half: Vec3::new(0.6 * h, 0.8 * h, 0.0), thickness_radius: r };
    let p = shape.mass_properties(5.0, Planar);
    let area = over_half_circle(r, |_, w| 2.0 * (h + w));
    let polar = over_half_circle(r, |y, w| 2.0 * (h + w) * y * y + 2.0 * (h + w).powi(3) / 3.0);
    close(p.mass, 5.0 * area);
    close(p.inertia.z, 5.0 * polar);
    close(p.surface, 4.0 * h + 2.0 * PI * r);
}

#[test]
fn impossible_shapes_are_refused() {
    let message = |dimension, shape| try_touches(dimension, &[body(shape, 0.0, 0.0, 0.0)], 1.0).unwrap_err().to_string();
    assert_eq!(message(Spatial, ball(-1.0)), "the Sphere of body 0 has a radius of -1, expected a length above zero");
    assert!(message(Spatial, ball(f64::NAN)).contains("a radius of NaN"));
    assert!(message(Spatial, disc(1.0)).contains("which only planar models know; use a sphere"));
    assert!(message(Planar, Shape::Plane { normal: Vec3::new(0.0, 1.0, 0.1) }).contains("points out of the xy plane"));
    assert!(message(Spatial, Shape::Plane { normal: Vec3::zeros() }).contains("a vector with a direction"));
    assert!(message(Planar, Shape::Segment { half: Vec3::z(), thickness_radius: 0.0 }).contains("points out of the xy plane"));
    assert!(message(Planar, Shape::Segment { half: Vec3::zeros(), thickness_radius: 0.1 }).contains("a length of 0"));
    assert!(message(Spatial, Shape::Box { half: Vec3::new(1.0, 0.0, 1.0) }).contains("a half edge of 0"));
}

/// The least distance of two parallel planes that hold a shape.
#[test]
fn smallest_lengths() {
    let length = |shape: &Shape, dimension| shape.smallest_length(dimension);
    let solid = |placed: PlacedShape| placed.shape.smallest_length(Spatial).unwrap();
    let about = |a: f64, b: f64| assert!((a - b).abs() < 1e-7 * b, "{a} is not {b}");
    assert_eq!(length(&ball(0.2), Spatial), Some(0.4));
    assert_eq!(length(&disc(0.2), Planar), Some(0.4));
    let shape = Shape::Box { half: Vec3::new(1.0, 2.0, 0.3) };
    assert_eq!(length(&shape, Spatial), Some(0.6));
    assert_eq!(length(&shape, Planar), Some(2.0));
    assert_eq!(length(&Shape::Plane { normal: Vec3::y() }, Planar), None);
    assert_eq!(length(&Shape::Segment { half: Vec3::x(), thickness_radius: 0.1 }, Planar), Some(0.2));
    assert_eq!(length(&Shape::Segment { half: Vec3::x(), thickness_radius: 0.0 }, Planar), None);
    close(solid(PlacedShape::capsule(0.1, 2.0, Spatial).unwrap()), 0.2);
    close(PlacedShape::capsule(0.1, 2.0, Planar).unwrap().shape.smallest_length(Planar).unwrap(), 0.2);
    // A regular tetrahedron of edge √8 is narrowest from edge to edge, edge/√2; a triangle of height 1 along it.
    let corners = [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]].map(|c: [i32; 3]| Vec3::from_fn(|k, _| f64::from(c[k])));
    about(solid(PlacedShape::hull("Polyhedron", &corners, Spatial, 1.0).unwrap()), 2.0);
    let triangle = [Vec3::zeros(), 3.0 * Vec3::x(), Vec3::new(1.0, 1.0, 0.0)];
    about(PlacedShape::hull("Polygon", &triangle, Planar, 9.0).unwrap().shape.smallest_length(Planar).unwrap(), 1.0);
    about(solid(PlacedShape::hollow_sphere(0.5, 0.02)), 0.02);
    about(solid(PlacedShape::hollow_cylinder(0.5, 0.02, 3.0, true)), 0.02);
    about(solid(PlacedShape::hollow_cylinder(0.5, 0.02, 0.01, false)), 0.01);
    let smooth = |body: Arc<dyn SupportMap>| {
        let solid = Solid::new("body", Core::Smooth(body), Measures::default());
        Shape::Solid(Arc::new(solid)).smallest_length(Spatial).unwrap()
    };
    close(smooth(Arc::new(Cylinder { radius: 0.5, half_length: 0.2 })), 0.4);
    close(smooth(Arc::new(Ellipsoid { radii: Vec3::new(0.5, 0.2, 0.3) })), 0.4);
    // Of exponents above 2 the least half axis, nearly an octahedron its distance of faces: 2 · 3^(1/p' − 1/2) with 1/p + 1/p' = 1.
    about(smooth(Arc::new(Superellipsoid { radii: Vec3::new(0.5, 0.2, 0.3), across: 4.0, along: 3.0 })), 0.4);
    let p: f64 = 1.25;
    about(smooth(Arc::new(Superellipsoid { radii: Vec3::repeat(1.0), across: p, along: p })), 2.0 * 3_f64.powf(0.5 - 1.0 / p));
    let parts = [0.3, 0.1].map(|radius| Part::new(Core::Round { radius, tapers: true }, Vec3::zeros(), Quat::identity()));
    let cluster = Solid::new("Cluster", Core::Cluster(Arc::from(parts)), Measures::default());
    close(Shape::Solid(Arc::new(cluster)).smallest_length(Spatial).unwrap(), 0.2);
    let quarter = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]].map(|c: [i32; 3]| Vec3::from_fn(|k, _| f64::from(c[k])));
    let mesh = |triangles: &[[u32; 3]]| {
        let core = Core::Mesh(Arc::new(TriMesh::new(&quarter, triangles).unwrap()));
        Shape::Solid(Arc::new(Solid::new("Surface", core, Measures::default()))).smallest_length(Spatial)
    };
    assert_eq!(mesh(&[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]), Some(1.0));
    assert_eq!(mesh(&[[0, 2, 1]]), None);
}

/// Formulas of spheroids, whichever axis is the long one; bricks and octahedra of large and small exponents against a quadrature of 6 · 10⁶ triangles.
#[test]
fn surfaces_of_ellipsoids_and_superellipsoids() {
    let e = (1.0_f64 - 0.0025).sqrt();
    let (oblate, prolate) =
        (2.0 * PI + PI * 0.0025 / e * ((1.0 + e) / (1.0 - e)).ln(), 2.0 * PI * 0.0025 * (1.0 + 20.0 / e * e.asin()));
    for (radii, surface) in [
        (Vec3::new(0.05, 1.0, 1.0), oblate),
        (Vec3::new(1.0, 1.0, 0.05), oblate),
        (Vec3::new(1.0, 0.05, 0.05), prolate),
        (Vec3::new(0.05, 0.05, 1.0), prolate),
        (Vec3::new(0.1, 0.1, 0.1), 0.04 * PI),
    ] {
        let found = Ellipsoid { radii }.measures().surface;
        assert!((found / surface - 1.0).abs() < 1e-7, "{radii:?}: {found} m² of {surface} m²");
    }
    for (across, along, surface) in
        [(20.0, 20.0, 0.226_659_240), (4.0, 8.0, 0.194_728_306), (1.2, 1.2, 0.082_804_106), (8.0, 2.0, 0.151_972_888)]
    {
        let found = Superellipsoid { radii: Vec3::repeat(0.1), across, along }.measures().surface;
        assert!((found / surface - 1.0).abs() < 3e-5, "{across}, {along}: {found} m² of {surface} m²");
    }
}

/// The smallest ball about the centre: no corner of a box around what is round.
#[test]
fn what_is_round_reaches_as_far_as_it_is() {
    let solid = |core: Core| Shape::Solid(Arc::new(Solid::new("Round", core, Measures::default())));
    let reach = |shape: &Shape| shape.bounding_radius(Spatial).unwrap();
    let ellipsoid = Core::Smooth(Arc::new(Ellipsoid { radii: Vec3::new(5e-3, 3e-3, 2e-3) }));
    let cylinder = Core::Smooth(Arc::new(Cylinder { radius: 3e-3, half_length: 4e-3 }));
    close(reach(&solid(ellipsoid.clone())), 5e-3);
    close(reach(&solid(cylinder)), 5e-3);
    let parts = [-1e-3, 1e-3].map(|x| Part::new(ellipsoid.clone(), Vec3::new(x, 0.0, 0.0), Quat::identity()));
    close(reach(&solid(Core::Cluster(parts.into()))), 6e-3);
}
