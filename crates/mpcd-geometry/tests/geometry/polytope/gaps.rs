//! Gaps and normals of random hulls against what is known of separating directions; symmetry; invariance.

use mpcd_core::{Dimension, Quat, Vec3};
use mpcd_geometry::{
    Random,
    polytope::{Feature, Placed, nearest},
};

use super::{corners, dodecahedron, placed, points, random_hull, rotation, separation, vector};

/// A pose that stays in the plane of a planar model.
fn pose(random: &mut Random, dimension: Dimension, spread: f64) -> (Vec3, Quat) {
    let x = spread * vector(random);
    match dimension {
        Dimension::Planar => (Vec3::new(x.x, x.y, 0.0), Quat::from_axis_angle(&Vec3::z_axis(), 6.3 * random.unit())),
        Dimension::Spatial => (x, rotation(random)),
    }
}

/// The largest separation over all normals of faces and all pairs of edges, no matter whether they belong together (m).
fn widest(a: &Placed, b: &Placed) -> f64 {
    let mut axes = Vec::new();
    for p in [a, b] {
        axes.extend(p.hull.faces().iter().map(|f| p.orientation * f.normal));
    }
    for d in a.hull.edges() {
        for e in b.hull.edges() {
            let m = (a.orientation * d.direction).cross(&(b.orientation * e.direction));
            if m.norm() > 1e-9 {
                axes.push(m.normalize());
            }
        }
    }
    axes.iter().map(|n| separation(a, b, n).max(separation(a, b, &-n))).fold(f64::NEG_INFINITY, f64::max)
}

/// Whether some direction separates two hulls by more than `wanted` (m): the direction from the origin to the nearest point of
/// all differences of vertices, sought by moving weight from the worst vertex to the best.
fn is_apart(a: &Placed, b: &Placed, wanted: f64) -> bool {
    let (ca, cb) = (corners(a), corners(b));
    let differences: Vec<Vec3> = ca.iter().flat_map(|x| cb.iter().map(move |y| x - y)).collect();
    let mut weights = vec![0.0; differences.len()];
    weights[0] = 1.0;
    let mut x = differences[0];
    for _ in 0..20_000 {
        if separation(a, b, &x.normalize()) > wanted {
            return true;
        }
        let along = |i: usize| differences[i].dot(&x);
        let best = (0..differences.len()).min_by(|&i, &j| along(i).total_cmp(&along(j))).unwrap();
        let away = (0..differences.len()).filter(|&i| weights[i] > 0.0).max_by(|&i, &j| along(i).total_cmp(&along(j))).unwrap();
        let d = differences[best] - differences[away];
        let step = (-x.dot(&d) / d.norm_squared()).clamp(0.0, weights[away]);
        weights[best] += step;
        weights[away] = if step == weights[away] { 0.0 } else { weights[away] - step };
        x += step * d;
    }
    false
}

/// Whether a point is in a hull, to 1e-12 m.
fn holds(p: &Placed, x: &Vec3) -> bool {
    let local = p.orientation.inverse() * (x - p.position);
    p.hull.faces().iter().all(|f| f.normal.dot(&local) - f.offset < 1e-12)
}

#[test]
fn gaps_are_distances_and_normals_separate() {
    for dimension in [Dimension::Planar, Dimension::Spatial] {
        let mut random = Random::new(23);
        let (mut apart, mut overlapping, mut none) = (0, 0, 0);
        for case in 0..3000 {
            let (hull_a, hull_b) = (random_hull(&mut random, dimension), random_hull(&mut random, dimension));
            let (x, q) = pose(&mut random, dimension, if case % 3 == 0 { 0.5 } else { 1.8 });
            let (y, r) = pose(&mut random, dimension, 0.5);
            let (a, b) = (placed(&hull_a, x, q), placed(&hull_b, y, r));
            let alert = 0.3;
            let (n, found) = points(&a, &b, alert, 0.0);
            let widest = widest(&a, &b);
            if found.is_empty() {
                none += 1;
                assert!(is_apart(&a, &b, alert - 1e-9), "case {case}: overlap or distance {widest} not found");
                continue;
            }
            assert!((n.norm() - 1.0).abs() < 1e-12 && found.len() <= 8);
            let gap = found.iter().map(|p| p.gap).fold(f64::INFINITY, f64::min);
            // The normal separates by the gap: a lower bound of the distance, and of the way out an upper one.
            assert!((separation(&a, &b, &n) - gap).abs() < 1e-12, "case {case}: {} {gap}", separation(&a, &b, &n));
            if gap > 0.0 {
                apart += 1;
                // And two points, one of each hull, are no farther apart: so it is the distance.
                let p = found.iter().min_by(|p, q| p.gap.total_cmp(&q.gap)).unwrap();
                let shares = [0.0, 0.5, 1.0].map(|s| (p.point + n * (s * gap), p.point - n * ((1.0 - s) * gap)));
                assert!(shares.iter().any(|(on_a, on_b)| holds(&a, on_a) && holds(&b, on_b)), "case {case}: {p:?}");
            } else {
                overlapping += 1;
                assert!((widest - gap).abs() < 1e-12, "case {case}: {widest} {gap}");
            }
        }
        assert!(apart > 300 && overlapping > 300 && none > 300, "{apart} {overlapping} {none}");
    }
}

#[test]
fn exchange_and_motion_of_both_change_nothing() {
    for dimension in [Dimension::Planar, Dimension::Spatial] {
        let mut random = Random::new(29);
        let mut found = 0;
        for case in 0..2000 {
            let (hull_a, hull_b) = (random_hull(&mut random, dimension), random_hull(&mut random, dimension));
            let (x, q) = pose(&mut random, dimension, 1.5);
            let (y, r) = pose(&mut random, dimension, 0.5);
            let (mut a, mut b) = (placed(&hull_a, x, q), placed(&hull_b, y, r));
            (a.size, b.size) = (0.5 + random.unit(), 0.5 + random.unit());
            (a.rounding, b.rounding) = (0.1 * random.unit(), 0.1 * random.unit());
            let (n, one) = points(&a, &b, 0.2, 1e-6);
            let (m, other) = points(&b, &a, 0.2, 1e-6);
            assert_eq!(one.len(), other.len(), "case {case}: {n} {m} {one:?} {other:?}");
            assert!((n + m).norm() < 1e-11, "case {case}");
            for p in &one {
                let o = other
                    .iter()
                    .find(|o| o.feature.swapped() == p.feature)
                    .unwrap_or_else(|| panic!("case {case}: {one:#?} {other:#?}"));
                let same = (o.gap - p.gap).abs() < 1e-12 && (o.point - p.point).norm() < 1e-9 && (o.share - p.share).abs() < 1e-9;
                assert!(same, "case {case}: {p:?} {o:?}");
            }
            let (shift, turn) = pose(&mut random, dimension, 10.0);
            let moved = |p: &Placed<'_>| (shift + turn * p.position, turn * p.orientation);
            let (xa, xb) = (moved(&a), moved(&b));
            (a.position, a.orientation) = xa;
            (b.position, b.orientation) = xb;
            let (m, third) = points(&a, &b, 0.2, 1e-6);
            assert!((m - turn * n).norm() < 1e-9, "case {case}");
            assert_eq!(third.len(), one.len());
            for (p, o) in one.iter().zip(&third) {
                assert_eq!(p.feature, o.feature);
                assert!((p.gap - o.gap).abs() < 1e-11 && (shift + turn * p.point - o.point).norm() < 1e-9);
            }
            found += usize::from(!one.is_empty());
        }
        assert!(found > 500, "{found}");
    }
}

#[test]
fn the_nearest_point_of_a_hull_is_nearest() {
    for dimension in [Dimension::Planar, Dimension::Spatial] {
        let mut random = Random::new(31);
        let mut kinds = [0; 4];
        for _ in 0..3000 {
            let hull = random_hull(&mut random, dimension);
            let (x, q) = pose(&mut random, dimension, 1.0);
            let mut body = placed(&hull, x, q);
            body.size = 0.5 + random.unit();
            let (p, _) = pose(&mut random, dimension, 3.0);
            let near = nearest(&body, &p);
            assert!((near.normal.norm() - 1.0).abs() < 1e-12);
            assert!((p - near.point - near.normal * near.distance).norm() < 1e-12);
            let highest = corners(&body).iter().map(|v| v.dot(&near.normal)).fold(f64::NEG_INFINITY, f64::max);
            if near.distance > 0.0 {
                // The plane through the point separates: no point of the hull is nearer.
                assert!((near.point.dot(&near.normal) - highest).abs() < 1e-12);
                kinds[match near.feature {
                    Feature::Vertex(_) => 0,
                    Feature::Edge(_) => 1,
                    Feature::Face(_) => 2,
                }] += 1;
            } else {
                let out = hull
                    .faces()
                    .iter()
                    .map(|f| f.offset * body.size - (q * f.normal).dot(&(p - x)))
                    .fold(f64::INFINITY, f64::min);
                assert!((near.distance + out).abs() < 1e-12);
                kinds[3] += 1;
            }
            body.rounding = 0.2;
            let rounded = nearest(&body, &p);
            assert!((rounded.distance + 0.2 - near.distance).abs() < 1e-12 && (rounded.normal - near.normal).norm() < 1e-12);
        }
        assert!(kinds[0] > 100 && kinds[2] > 100 && kinds[3] > 30, "{kinds:?}");
        assert!(dimension == Dimension::Planar || kinds[1] > 100, "{kinds:?}");
    }
}

#[test]
fn one_in_the_other_and_degenerate_poses_give_numbers() {
    let mut random = Random::new(37);
    let needle = super::cuboid(1.0, 1e-4, 1e-4);
    let wafer = super::cuboid(1.0, 1.0, 1e-4);
    let segment = mpcd_geometry::polytope::Polytope::segment(-Vec3::z(), Vec3::z(), Dimension::Spatial).unwrap();
    let triangle = mpcd_geometry::polytope::Polytope::plate(&[Vec3::zeros(), Vec3::x(), Vec3::y()]).unwrap();
    let hulls = [needle, wafer, segment, triangle, dodecahedron()];
    let poses = [Quat::identity(), rotation(&mut random), Quat::from_axis_angle(&Vec3::x_axis(), 1e-9)];
    for a in &hulls {
        for b in &hulls {
            for q in poses {
                for shift in [Vec3::zeros(), 1e-14 * Vec3::x(), 1e-5 * vector(&mut random), 0.5 * Vec3::z()] {
                    let (mut one, two) = (placed(a, shift, q), placed(b, Vec3::zeros(), Quat::identity()));
                    one.rounding = 1e-3;
                    let (n, found) = points(&one, &two, 0.01, 0.0);
                    assert!(found.is_empty() || (n.norm() - 1.0).abs() < 1e-12);
                    assert!(!found.is_empty() || shift.norm() > 0.1, "{one:?} {two:?}");
                    for p in &found {
                        assert!(p.gap.is_finite() && p.point.iter().all(|c| c.is_finite()) && p.share.is_finite());
                    }
                }
                let near = nearest(&placed(a, Vec3::zeros(), q), &Vec3::zeros());
                assert!((near.normal.norm() - 1.0).abs() < 1e-12 && near.distance.is_finite());
            }
        }
    }
}
