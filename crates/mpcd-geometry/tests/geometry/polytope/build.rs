//! Hulls and their measures against known values.

use mpcd_core::{Dimension, Mat3, Vec3};
use mpcd_geometry::{
    Random,
    polytope::{Polytope, PolytopeError},
};

use super::{cuboid, dodecahedron, random_hull, rectangle, rotation, vector};

#[test]
fn a_cube_with_points_in_faces_and_edges_has_six_faces() {
    let mut points = Vec::new();
    for i in 0..5 {
        for j in 0..5 {
            for k in 0..5 {
                points.push(Vec3::new(f64::from(i), f64::from(j), f64::from(k)) * 0.25);
            }
        }
    }
    let mut random = Random::new(3);
    for noise in [0.0, 1e-13, 1e-8] {
        let turn = rotation(&mut random);
        let points: Vec<Vec3> = points.iter().map(|p| turn * p + noise * vector(&mut random)).collect();
        let cube = Polytope::polyhedron(&points).unwrap();
        assert_eq!((cube.vertices().len(), cube.edges().len(), cube.faces().len()), (8, 12, 6), "noise {noise}");
        let m = cube.measures(1.0);
        assert!((m.volume - 1.0).abs() < 1e-12 + 10.0 * noise && (m.surface - 6.0).abs() < 1e-12 + 10.0 * noise);
        assert!((m.inertia - Mat3::identity() / 6.0).norm() < 1e-12 + 10.0 * noise);
        for v in &points {
            assert!(cube.faces().iter().all(|f| f.normal.dot(v) - f.offset < 1e-12 + 10.0 * noise));
        }
    }
}

#[test]
fn a_dodecahedron_has_twelve_pentagons() {
    let hull = dodecahedron();
    assert_eq!((hull.vertices().len(), hull.edges().len(), hull.faces().len()), (20, 30, 12));
    assert!((0..12).all(|f| hull.face_vertices(f).len() == 5));
    // Edge a = 2/φ: V = (15 + 7√5)/4 a³.
    let a = 2.0 / (0.5 * (1.0 + 5.0_f64.sqrt()));
    let m = hull.measures(1.0);
    assert!((m.volume - (15.0 + 7.0 * 5.0_f64.sqrt()) / 4.0 * a * a * a).abs() < 1e-12);
    assert!(m.centroid.norm() < 1e-14);
}

#[test]
fn every_hull_is_closed_and_holds_its_points() {
    let mut random = Random::new(5);
    let flat = 4e-6; // coplanar to a millionth of the diagonal is one face
    for n in [4, 5, 8, 20, 100, 1000] {
        for round in [false, true] {
            let points: Vec<Vec3> = (0..n).map(|_| vector(&mut random)).map(|p| if round { p.normalize() } else { p }).collect();
            let hull = Polytope::polyhedron(&points).unwrap();
            let (v, e, f) = (hull.vertices().len(), hull.edges().len(), hull.faces().len());
            assert_eq!(v + f, e + 2);
            assert!(!round || v == n);
            for p in &points {
                assert!(hull.faces().iter().all(|f| f.normal.dot(p) - f.offset < flat));
            }
            for edge in hull.edges() {
                let [a, b] = edge.ends.map(|v| hull.vertices()[v as usize]);
                for (number, into) in edge.faces.unwrap().iter().zip(edge.inward) {
                    let face = &hull.faces()[*number as usize];
                    let corners =
                        hull.face_vertices(*number as usize).iter().map(|&v| into.dot(&(hull.vertices()[v as usize] - a)));
                    assert!(corners.clone().all(|c| c > -1e-8) && corners.sum::<f64>() > 1e-3 * (b - a).norm());
                    assert!([a, b].iter().all(|v| (face.normal.dot(v) - face.offset).abs() < flat));
                    assert!(into.dot(&face.normal).abs() < 1e-12 && into.dot(&edge.direction).abs() < 1e-12);
                }
            }
            for i in 0..v {
                let faces = hull.vertex_faces(i);
                assert!(faces.len() > 2 && faces.iter().all(|&f| hull.face_vertices(f as usize).contains(&(i as u16))));
            }
        }
    }
}

#[test]
fn measures_agree_with_a_sum_over_random_points() {
    let mut random = Random::new(7);
    for dimension in [Dimension::Planar, Dimension::Spatial] {
        let hull = random_hull(&mut random, dimension);
        let thickness = 0.7;
        let m = hull.measures(thickness);
        let half = Vec3::new(2.0, 2.0, if dimension == Dimension::Planar { 0.5 * thickness } else { 2.0 });
        let (mut inside, mut first, mut second) = (0.0, Vec3::zeros(), Mat3::zeros());
        let n = 400_000;
        for _ in 0..n {
            let p = vector(&mut random).component_mul(&half);
            if hull.faces().iter().all(|f| f.normal.dot(&p) <= f.offset) {
                inside += 1.0;
                first += p;
                second += (p - m.centroid) * (p - m.centroid).transpose();
            }
        }
        let weight = 8.0 * half.x * half.y * half.z / f64::from(n);
        assert!((inside * weight / m.volume - 1.0).abs() < 0.01);
        assert!((first / inside - m.centroid).norm() < 0.01);
        let inertia = (Mat3::identity() * second.trace() - second) * weight;
        assert!((inertia - m.inertia).norm() < 0.01 * m.inertia.norm(), "{inertia} {}", m.inertia);
    }
}

#[test]
fn principal_axes_are_principal() {
    let mut random = Random::new(11);
    for _ in 0..20 {
        let hull = random_hull(&mut random, Dimension::Spatial);
        let (own, centroid, axes) = hull.principal().unwrap();
        let m = own.measures(1.0);
        let off = m.inertia - Mat3::from_diagonal(&m.inertia.diagonal());
        assert!(off.norm() < 1e-12 * m.inertia.norm() && m.centroid.norm() < 1e-13);
        for (v, w) in own.vertices().iter().zip(hull.vertices()) {
            assert!((axes * v + centroid - w).norm() < 1e-13);
        }
        for f in own.faces() {
            let highest = own.vertices().iter().map(|v| f.normal.dot(v)).fold(f64::NEG_INFINITY, f64::max);
            assert!((highest - f.offset).abs() < 1e-13);
        }
    }
    let (own, _, axes) = cuboid(3.0, 1.0, 2.0).principal().unwrap();
    assert_eq!(axes, mpcd_core::Quat::identity());
    // a corner that is rounded otherwise turns them by next to nothing, and each stays the axis that it was
    for moved in [1e-12, 1e-9, 1e-5] {
        let mut corners = cuboid(3.0, 1.0, 2.0).vertices().to_vec();
        corners[0].x += moved;
        let (nudged, _, axes) = Polytope::from_points(&corners, Dimension::Spatial).unwrap().principal().unwrap();
        assert!(axes.angle() < 2.0 * moved, "{moved}: turned by {} rad", axes.angle());
        let [before, after] = [&own, &nudged].map(|hull| hull.measures(1.0).inertia.diagonal());
        assert!((before - after).amax() < 100.0 * moved, "{moved}: {after} for {before}");
    }
    assert!((own.measures(1.0).volume - 48.0).abs() < 1e-12);
}

#[test]
fn rounded_volumes_are_steiner_s() {
    let pi = std::f64::consts::PI;
    let r = 0.3;
    let capsule = Polytope::segment(-Vec3::x(), Vec3::x(), Dimension::Spatial).unwrap();
    assert!((capsule.rounded_volume(r, 1.0) - (2.0 * pi * r * r + 4.0 / 3.0 * pi * r.powi(3))).abs() < 1e-14);
    assert!((capsule.rounded_surface(r, 1.0) - (4.0 * pi * r + 4.0 * pi * r * r)).abs() < 1e-14);
    let plate = Polytope::plate(&[Vec3::zeros(), Vec3::x(), Vec3::new(1.0, 1.0, 0.0), Vec3::y()]).unwrap();
    assert!((plate.rounded_volume(r, 1.0) - (2.0 * r + 2.0 * pi * r * r + 4.0 / 3.0 * pi * r.powi(3))).abs() < 1e-14);
    let cube = cuboid(1.0, 1.0, 1.0);
    let expected = 8.0 + 24.0 * r + 6.0 * pi * r * r + 4.0 / 3.0 * pi * r.powi(3);
    assert!((cube.rounded_volume(r, 1.0) - expected).abs() < 1e-13);
    let stadium = Polytope::segment(-Vec3::x(), Vec3::x(), Dimension::Planar).unwrap();
    assert!((stadium.rounded_volume(r, 2.0) - 2.0 * (4.0 * r + pi * r * r)).abs() < 1e-14);
    assert!((rectangle(2.0, 1.0).rounded_surface(r, 1.0) - (12.0 + 2.0 * pi * r)).abs() < 1e-14);
}

#[test]
fn degenerate_points_are_refused_in_words() {
    let line = [Vec3::zeros(), Vec3::x(), 2.0 * Vec3::x(), 3.0 * Vec3::x(), 4.0 * Vec3::x()];
    assert_eq!(Polytope::polyhedron(&line), Err(PolytopeError::Flat("on one line")));
    assert_eq!(Polytope::polygon(&line), Err(PolytopeError::Flat("on one line")));
    assert_eq!(Polytope::plate(&line), Err(PolytopeError::Flat("on one line")));
    let square = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::new(1.0, 1.0, 1e-9)];
    assert_eq!(Polytope::polyhedron(&square), Err(PolytopeError::Flat("in one plane")));
    assert!(Polytope::plate(&square).is_ok() && Polytope::polygon(&square).is_ok());
    assert_eq!(Polytope::polyhedron(&[Vec3::x(); 9]), Err(PolytopeError::TooFew { expected: 4, got: 1 }));
    assert_eq!(Polytope::polyhedron(&[]), Err(PolytopeError::TooFew { expected: 2, got: 0 }));
    let bad = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::new(0.0, f64::NAN, 1.0)];
    assert_eq!(Polytope::polyhedron(&bad), Err(PolytopeError::NotFinite(3)));
    assert!(matches!(
        Polytope::polygon(&[Vec3::zeros(), Vec3::x(), Vec3::z()]),
        Err(PolytopeError::OutOfPlane { vertex: 2, .. })
    ));
    assert!(Polytope::segment(Vec3::x(), Vec3::x(), Dimension::Spatial).is_err());
    // A needle and a wafer are still bodies.
    for squeeze in [Vec3::new(1.0, 1e-4, 1e-4), Vec3::new(1.0, 1.0, 1e-4)] {
        let hull = cuboid(squeeze.x, squeeze.y, squeeze.z);
        assert_eq!(hull.faces().len(), 6);
        assert!((hull.measures(1.0).volume / (8.0 * squeeze.x * squeeze.y * squeeze.z) - 1.0).abs() < 1e-9);
    }
}
