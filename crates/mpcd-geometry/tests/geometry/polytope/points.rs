//! How many points, where, under which names; what does not change when a body tilts, rocks or slides a little.

use mpcd_core::{Dimension, Quat, Vec3};
use mpcd_geometry::polytope::{Feature, Manifold, ManifoldPoint, Patch, Polytope, Reach, manifold, on_half_space};

use super::{cuboid, dodecahedron, placed, points, rectangle, rotation};

fn still(x: f64, y: f64, z: f64) -> (Vec3, Quat) {
    (Vec3::new(x, y, z), Quat::identity())
}

fn names(found: &[ManifoldPoint]) -> Vec<u32> {
    found.iter().map(|p| p.feature.code()).collect()
}

#[test]
fn a_face_on_a_face_has_the_corners_of_their_overlap() {
    let (block, table) = (cuboid(1.0, 2.0, 0.5), cuboid(5.0, 5.0, 1.0));
    let (x, q) = still(4.5, 0.0, 1.51);
    let (one, two) = (placed(&block, x, q), placed(&table, Vec3::zeros(), q));
    let mut out = Manifold::default();
    manifold(&one, &two, &Reach { alert: 0.1, graze: 1e-6 }, &mut out);
    assert_eq!((out.points().len(), *out.normal()), (4, Vec3::z()));
    assert!(matches!(out.patch(), Patch::Face { area } if (area - 6.0).abs() < 1e-12));
    for p in out.points() {
        assert!((p.gap - 0.01).abs() < 1e-12 && (p.share - 1.5).abs() < 1e-12);
        assert!([3.5, 5.0].iter().any(|x| (p.point.x - x).abs() < 1e-12) && (p.point.y.abs() - 2.0).abs() < 1e-12);
    }
    let kinds = |f: Feature| matches!(f, Feature::Vertex(_));
    assert_eq!(out.points().iter().filter(|p| kinds(p.feature.first)).count(), 2);
    assert!(out.points().windows(2).all(|w| w[0].feature < w[1].feature));
}

#[test]
fn planar_faces_edges_and_corners() {
    let (block, table) = (rectangle(1.0, 0.5), rectangle(3.0, 1.0));
    let (x, q) = still(2.5, 1.51, 0.0);
    let mut out = Manifold::default();
    let reach = Reach { alert: 0.1, graze: 1e-6 };
    manifold(&placed(&block, x, q), &placed(&table, Vec3::zeros(), q), &reach, &mut out);
    assert_eq!((out.points().len(), *out.normal()), (2, Vec3::y()));
    assert!(matches!(out.patch(), Patch::Line { length } if (length - 1.5).abs() < 1e-12));
    assert!(out.points().iter().all(|p| (p.gap - 0.01).abs() < 1e-12 && (p.share - 0.75).abs() < 1e-12));
    // On a corner: one point.
    let tilted = Quat::from_axis_angle(&Vec3::z_axis(), 0.7);
    let low = 0.5 * 0.7_f64.cos() + 0.7_f64.sin();
    let (n, found) =
        points(&placed(&block, Vec3::new(0.0, 1.0 + low - 1e-3, 0.0), tilted), &placed(&table, Vec3::zeros(), q), 0.01, 0.0);
    assert_eq!((found.len(), n), (1, Vec3::y()));
    assert!((found[0].gap + 1e-3).abs() < 1e-12);
    // Corner to corner, apart.
    let (n, found) = points(&placed(&block, Vec3::new(4.03, 1.54, 0.0), q), &placed(&table, Vec3::zeros(), q), 0.1, 1e-6);
    assert_eq!(found.len(), 1);
    assert!((found[0].gap - 0.05).abs() < 1e-12 && (n - Vec3::new(0.6, 0.8, 0.0)).norm() < 1e-12);
    // A wall without thickness is met from both sides.
    let wall = Polytope::segment(-3.0 * Vec3::x(), 3.0 * Vec3::x(), Dimension::Planar).unwrap();
    for side in [1.0, -1.0] {
        let (n, found) = points(&placed(&block, Vec3::y() * side * 0.51, q), &placed(&wall, Vec3::zeros(), q), 0.1, 1e-6);
        assert_eq!((found.len(), n), (2, side * Vec3::y()));
        assert!(found.iter().all(|p| (p.gap - 0.01).abs() < 1e-12));
    }
}

#[test]
fn an_edge_on_a_face_has_its_two_ends() {
    let (block, table) = (cuboid(1.0, 2.0, 0.5), cuboid(5.0, 5.0, 1.0));
    let q = Quat::from_axis_angle(&Vec3::y_axis(), 0.6);
    let low = 0.5 * 0.6_f64.cos() + 0.6_f64.sin();
    let (n, found) =
        points(&placed(&block, Vec3::z() * (1.0 + low + 1e-3), q), &placed(&table, Vec3::zeros(), Quat::identity()), 0.01, 0.0);
    assert_eq!((found.len(), n), (2, Vec3::z()));
    assert!(found.iter().all(|p| (p.gap - 1e-3).abs() < 1e-12 && (p.point.y.abs() - 2.0).abs() < 1e-12));
    // A blade: an edge between two steep faces.
    let blade = Polytope::polyhedron(&[
        Vec3::new(-1.0, 0.0, 0.0),
        Vec3::new(1.0, 0.0, 0.0),
        Vec3::new(-1.0, -0.1, 3.0),
        Vec3::new(1.0, -0.1, 3.0),
        Vec3::new(-1.0, 0.1, 3.0),
        Vec3::new(1.0, 0.1, 3.0),
    ])
    .unwrap();
    let (n, found) =
        points(&placed(&blade, Vec3::z() * 1.001, Quat::identity()), &placed(&table, Vec3::zeros(), Quat::identity()), 0.01, 0.0);
    assert_eq!((found.len(), n), (2, Vec3::z()));
    assert!(found.iter().all(|p| (p.point.x.abs() - 1.0).abs() < 1e-12));
}

#[test]
fn capsules_lie_on_two_points_and_cross_in_one() {
    let segment = Polytope::segment(-Vec3::x(), Vec3::x(), Dimension::Spatial).unwrap();
    let table = cuboid(5.0, 5.0, 1.0);
    let (mut lying, other) =
        (placed(&segment, Vec3::z() * 1.26, Quat::identity()), placed(&table, Vec3::zeros(), Quat::identity()));
    lying.rounding = 0.25;
    let (n, found) = points(&lying, &other, 0.1, 1e-6);
    assert_eq!((found.len(), n), (2, Vec3::z()));
    assert!(found.iter().all(|p| (p.gap - 0.01).abs() < 1e-12 && (p.point.z - 1.01).abs() < 1e-12));
    let mut below = placed(&segment, Vec3::zeros(), Quat::from_axis_angle(&Vec3::z_axis(), 1.0));
    below.rounding = 0.75;
    let (n, found) = points(&lying, &below, 0.3, 0.0);
    assert_eq!((found.len(), n), (1, Vec3::z()));
    assert!((found[0].gap - 0.26).abs() < 1e-12);
    // Between the surfaces, shared like the radii.
    assert!((found[0].point - Vec3::z() * (0.75 + 0.75 * 0.26)).norm() < 1e-12);
    // Parallel and side by side, the one shifted: the ends of what they share.
    below.orientation = Quat::identity();
    below.position = Vec3::x();
    let (n, found) = points(&lying, &below, 0.3, 0.0);
    assert_eq!((found.len(), n), (2, Vec3::z()));
    let mut x: Vec<f64> = found.iter().map(|p| p.point.x).collect();
    x.sort_by(f64::total_cmp);
    assert!((x[0] - 0.0).abs() < 1e-12 && (x[1] - 1.0).abs() < 1e-12, "{x:?}");
}

/// Force and moment (about the origin) of springs that push where the gap is below the alert distance: k (alert − gap).
fn pushed(n: &Vec3, found: &[ManifoldPoint], alert: f64) -> (f64, Vec3) {
    let force: f64 = found.iter().map(|p| alert - p.gap).sum();
    let moment: Vec3 = found.iter().map(|p| p.point.cross(n) * (alert - p.gap)).sum();
    (force, moment)
}

#[test]
fn a_tilted_cube_lands_flat_without_a_jump() {
    let (cube, table) = (cuboid(0.5, 0.5, 0.5), cuboid(5.0, 5.0, 1.0));
    let alert = 0.01;
    let axis = nalgebra::Unit::new_normalize(Vec3::new(0.3, 1.0, 0.1));
    // On an equal cube the corners leave the face below as they turn: only for turns below the margin it is the same set.
    for (on, height, from) in [(&table, 1.0, 3), (&cube, 0.5, 7)] {
        let at = |tilt: f64| {
            let q = Quat::from_axis_angle(&axis, tilt);
            points(&placed(&cube, Vec3::z() * (height + 0.502), q), &placed(on, Vec3::zeros(), Quat::identity()), alert, 1e-6)
        };
        let (n, flat) = at(0.0);
        let (force, moment) = pushed(&n, &flat, alert);
        assert_eq!(flat.len(), 4);
        for exponent in from..16 {
            for sign in [-1.0, 1.0] {
                let tilt = sign * 10.0_f64.powi(-exponent);
                let (m, found) = at(tilt);
                assert_eq!(names(&found), names(&flat), "tilt {tilt}");
                let (f, t) = pushed(&m, &found, alert);
                let change = (f / force - 1.0).abs() + (t - moment).norm() / (0.5 * force);
                assert!(change < 1e-6 + 300.0 * tilt.abs(), "tilt {tilt}: {change}");
            }
        }
    }
}

#[test]
fn small_turns_and_shifts_of_a_standing_cube_keep_its_names() {
    let cube = cuboid(0.5, 0.5, 0.5);
    let mut random = mpcd_geometry::Random::new(41);
    // One on the other, edges over edges: rounding must not choose between them.
    let two = placed(&cube, Vec3::zeros(), Quat::identity());
    let at = |x: Vec3, q: Quat| names(&points(&placed(&cube, x, q), &two, 1e-3, 1e-6).1);
    let expected = at(Vec3::z(), Quat::identity());
    assert_eq!(expected.len(), 4);
    for _ in 0..200 {
        let x = Vec3::z() + 1e-8 * super::vector(&mut random);
        let q = Quat::from_scaled_axis(1e-8 * super::vector(&mut random));
        assert_eq!(at(x, q), expected);
    }
}

#[test]
fn octagons_are_reduced_to_eight_steady_points() {
    let prism = |turn: f64| {
        let corners = (0..16).map(|k| {
            let a = std::f64::consts::FRAC_PI_4 * (f64::from(k / 2) + turn);
            Vec3::new(a.cos(), a.sin(), if k % 2 == 0 { -0.5 } else { 0.5 })
        });
        Polytope::polyhedron(&corners.collect::<Vec<_>>()).unwrap()
    };
    let (above, below) = (prism(0.0), prism(0.5));
    let mut random = mpcd_geometry::Random::new(43);
    let two = placed(&below, Vec3::zeros(), Quat::identity());
    let at = |x: Vec3, q: Quat| points(&placed(&above, x, q), &two, 1e-3, 1e-6).1;
    let expected = at(Vec3::z(), Quat::identity());
    assert_eq!(expected.len(), 8);
    // A polygon of 16 corners about a circle of radius cos(22.5°): what stays has its area and its middle.
    let (t, r) = (std::f64::consts::PI / 16.0, std::f64::consts::FRAC_PI_8.cos());
    let area = 16.0 * r * r * t.tan();
    assert!((expected.iter().map(|p| p.share).sum::<f64>() - area).abs() < 1e-12 && expected.iter().all(|p| p.share > 0.0));
    let middle = expected.iter().map(|p| p.point * p.share / area).sum::<Vec3>();
    assert!((middle - 0.5 * Vec3::z()).norm() < 1e-9, "{expected:#?}");
    // The points are all around: no gap of more than a quarter of the way.
    let angle = |p: &ManifoldPoint| p.point.y.atan2(p.point.x);
    let mut angles: Vec<_> = expected.iter().map(angle).collect();
    angles.sort_by(f64::total_cmp);
    angles.push(angles[0] + 8.0 * std::f64::consts::FRAC_PI_4);
    assert!(angles.windows(2).all(|w| w[1] - w[0] < 1.6), "{angles:?}");
    for _ in 0..100 {
        let q = Quat::from_scaled_axis(1e-9 * super::vector(&mut random));
        assert_eq!(names(&at(Vec3::z() + 1e-9 * super::vector(&mut random), q)), names(&expected));
    }
}

/// A prism of radius 1 and height 1 over n corners.
fn prism(n: u32) -> Polytope {
    let corners = (0..2 * n).map(|k| {
        let a = std::f64::consts::TAU * f64::from(k / 2) / f64::from(n);
        Vec3::new(a.cos(), a.sin(), if k % 2 == 0 { -0.5 } else { 0.5 })
    });
    Polytope::polyhedron(&corners.collect::<Vec<_>>()).unwrap()
}

/// Of more than eight corners those that stay have the area of all and its middle, though they are not evenly around.
#[test]
fn eight_of_eleven_corners_carry_the_whole_face() {
    let (above, table) = (prism(11), cuboid(5.0, 5.0, 1.0));
    let found =
        points(&placed(&above, 1.5 * Vec3::z(), Quat::identity()), &placed(&table, Vec3::zeros(), Quat::identity()), 1e-3, 1e-6)
            .1;
    let area = 5.5 * (std::f64::consts::TAU / 11.0).sin();
    assert_eq!(found.len(), 8);
    assert!((found.iter().map(|p| p.share).sum::<f64>() - area).abs() < 1e-12, "{found:?}");
    let middle = found.iter().map(|p| p.point * p.share / area).sum::<Vec3>();
    assert!((middle - Vec3::z()).norm() < 1e-12, "{middle}");
}

/// Whichever corner of twelve is lowest, it is among the eight that stay; there are no more where the face leans and none lies flat.
#[test]
fn the_lowest_corner_stays_and_no_more_than_eight_do() {
    let (above, table) = (prism(12), cuboid(5.0, 5.0, 1.0));
    let two = placed(&table, Vec3::zeros(), Quat::identity());
    for k in 0..12 {
        let a = std::f64::consts::TAU * f64::from(k) / 12.0;
        let down = |tilt: f64| Quat::from_scaled_axis(Vec3::new(-a.sin(), a.cos(), 0.0) * tilt);
        let one = placed(&above, 1.5 * Vec3::z(), down(5e-4));
        let found = points(&one, &two, 1e-3, 1e-6).1;
        let least = found.iter().map(|p| p.gap).fold(f64::INFINITY, f64::min);
        assert!(found.len() == 8 && (least - super::separation(&one, &two, &Vec3::z())).abs() < 1e-12, "{k}: {found:?}");
        // Tilted more, a part of the face is below the table's level and the rest above.
        for height in [1.4975, 1.4995, 1.503] {
            let found = points(&placed(&above, height * Vec3::z(), down(1e-2)), &two, 0.05, 1e-6).1;
            assert!(found.len() == 8 && found.iter().any(|p| p.share == 0.0), "{k}, {height}: {found:?}");
        }
    }
}

#[test]
fn a_polytope_on_a_half_space_stands_on_vertices() {
    let mut out = Manifold::default();
    let reach = Reach { alert: 0.02, graze: 0.0 };
    let cube = cuboid(0.5, 1.0, 2.0);
    let q = Quat::from_axis_angle(&Vec3::y_axis(), 1e-3);
    on_half_space(&placed(&cube, Vec3::new(3.0, 0.0, 7.01), q), &Vec3::z(), &(5.0 * Vec3::z()), &reach, &mut out);
    assert_eq!(out.points().len(), 4);
    for p in out.points() {
        assert!((p.gap - (p.point.z - 5.0)).abs() < 1e-12 && (p.share - 0.5).abs() < 1e-6);
    }
    // Against a large box the same gaps come out.
    let (n, found) = points(
        &placed(&cube, Vec3::new(3.0, 0.0, 7.01), q),
        &placed(&cuboid(9.0, 9.0, 1.0), 4.0 * Vec3::z(), Quat::identity()),
        0.02,
        0.0,
    );
    assert!((n - Vec3::z()).norm() < 1e-15);
    for (p, o) in out.points().iter().zip(&found) {
        assert!((p.gap - o.gap).abs() < 1e-12 && (p.point - o.point).norm() < 1e-12 && (p.share - o.share).abs() < 1e-12);
    }
    let hull = dodecahedron();
    let foot = hull.faces()[0].normal;
    let down = Quat::rotation_between(&foot, &-Vec3::z()).unwrap();
    let height = hull.faces()[0].offset;
    on_half_space(&placed(&hull, Vec3::z() * height, down), &Vec3::z(), &Vec3::zeros(), &reach, &mut out);
    assert_eq!(out.points().len(), 5);
    assert!(out.points().iter().all(|p| p.gap.abs() < 1e-12));
    let segment = Polytope::segment(-Vec3::x(), Vec3::x(), Dimension::Spatial).unwrap();
    let mut capsule = placed(&segment, Vec3::y(), Quat::identity());
    capsule.rounding = 0.99;
    on_half_space(&capsule, &Vec3::y(), &Vec3::zeros(), &reach, &mut out);
    assert!(out.points().iter().all(|p| (p.gap - 0.01).abs() < 1e-15 && (p.share - 1.0).abs() < 1e-15));
    assert_eq!(out.points().len(), 2);
}

#[test]
fn the_bits_are_the_same_with_old_buffers() {
    let mut random = mpcd_geometry::Random::new(47);
    let hulls = [dodecahedron(), cuboid(0.3, 0.5, 1.0)];
    let mut reused = Manifold::default();
    for k in 0..200 {
        let (a, b) = (&hulls[k % 2], &hulls[k / 2 % 2]);
        let one = placed(a, super::vector(&mut random) * 1.5, rotation(&mut random));
        let two = placed(b, super::vector(&mut random) * 0.5, rotation(&mut random));
        let mut fresh = Manifold::default();
        let reach = Reach { alert: 0.2, graze: 0.0 };
        manifold(&one, &two, &reach, &mut reused);
        manifold(&one, &two, &reach, &mut fresh);
        assert_eq!((reused.normal(), reused.points(), reused.patch()), (fresh.normal(), fresh.points(), fresh.patch()));
    }
}
