//! Bodies inside of hollow ones, on triangulated surfaces that rest or move, and clusters, all of random shape: gap and normal
//! against a search, exchange of names, rigid motion of the scene.

use crate::{
    Body, ball, body, near,
    solids::{convex, farthest, lowest, most, pass_by, pose, vector},
    touches,
};
use mpcd_core::{Dimension::Spatial, Mat3, Quat, Vec3};
use mpcd_geometry::{Core, PlacedShape, Random, Shape, Touch, polytope::Polytope};
use mpcd_tests::random::cases;
use proptest::prelude::*;

/// A closed surface: the faces of the hull of random points, as triangles; and the hull itself.
pub(super) fn stone(seed: u64) -> [Shape; 2] {
    let mut r = Random::new(seed);
    let points: Vec<Vec3> = (0..14).map(|_| Vec3::from_fn(|_, _| r.within(-1.0, 1.0))).collect();
    let hull = Polytope::polyhedron(&points).unwrap();
    let triangles: Vec<[u32; 3]> = (0..hull.faces().len())
        .flat_map(|f| {
            let of: Vec<u32> = hull.face_vertices(f).iter().map(|&v| u32::from(v)).collect();
            (2..of.len()).map(|k| [of[0], of[k - 1], of[k]]).collect::<Vec<_>>()
        })
        .collect();
    let surface = PlacedShape::surface(hull.vertices(), &triangles).unwrap();
    let back = surface.orientation.inverse();
    let in_its_axes: Vec<Vec3> = hull.vertices().iter().map(|v| back * (v - surface.centre)).collect();
    let core = Core::Polytope { hull: std::sync::Arc::new(Polytope::polyhedron(&in_its_axes).unwrap()), rounding: 0.0 };
    let solid = mpcd_geometry::Solid::new("Hull", core, mpcd_geometry::Measures::default());
    [surface.shape, Shape::Solid(std::sync::Arc::new(solid))]
}

/// An open surface of 6 × 6 bumpy squares of side 1 about the origin, its sides looking up.
fn bumps(seed: u64) -> Shape {
    let mut r = Random::new(seed);
    let n = 6_u32;
    let vertices: Vec<Vec3> = (0..=n)
        .flat_map(|j| (0..=n).map(move |i| [i, j]))
        .map(|[i, j]| Vec3::new(f64::from(i) - 3.0, f64::from(j) - 3.0, r.within(-0.4, 0.4)))
        .collect();
    let at = |i: u32, j: u32| j * (n + 1) + i;
    let triangles: Vec<[u32; 3]> = (0..n)
        .flat_map(|j| (0..n).map(move |i| (i, j)))
        .flat_map(|(i, j)| [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]])
        .collect();
    PlacedShape::surface(&vertices, &triangles).unwrap().shape
}

/// Two to four convex parts somewhere within a unit, and where each of them is.
fn cluster(seed: u64) -> (Shape, Vec<Body>) {
    let mut r = Random::new(seed);
    let mut parts = Vec::new();
    for k in 0..2 + seed % 3 {
        let [at, turn] = [0; 2].map(|_| Vec3::from_fn(|_, _| r.within(-1.0, 1.0)));
        let shape = match convex(seed.wrapping_add(k) as usize, seed ^ k) {
            // Of these bodies, described by their surface alone, a cluster could not tell the mass.
            Shape::Solid(s) if s.measures().volume == 0.0 => ball(0.4),
            shape => shape,
        };
        parts.push(PlacedShape { shape, centre: at, orientation: Quat::from_scaled_axis(turn) });
    }
    let whole = PlacedShape::cluster(&parts, Spatial).unwrap();
    let back = whole.orientation.inverse();
    let places = parts.into_iter().map(|p| Body(p.shape, back * (p.centre - whole.centre), back * p.orientation, 1.0)).collect();
    (whole.shape, places)
}

/// A part of a body as a body of its own.
fn part_of(whole: &Body, part: &Body) -> Body {
    Body(part.0.clone(), whole.1 + whole.2 * (part.1 * whole.3), whole.2 * part.2, whole.3 * part.3)
}

/// The distance of two convex bodies that do not touch. `low(n)` gives the point of their difference that is lowest along n. The
/// least height n·low(n) is largest, over all n no longer than 1, at the normal, and concave: the ellipsoid method (Shor 1977).
fn apart(low: impl Fn(&Vec3) -> Vec3) -> f64 {
    let (mut centre, mut spread, mut best) = (Vec3::zeros(), Mat3::identity(), f64::NEG_INFINITY);
    for _ in 0..500 {
        let cut = if centre.norm() > 1.0 {
            centre
        } else {
            let n = centre.try_normalize(0.0).unwrap_or_else(Vec3::z);
            let w = low(&n);
            best = best.max(n.dot(&w));
            -w
        };
        let across = spread * cut / cut.dot(&(spread * cut)).sqrt();
        centre -= across / 4.0;
        spread = (spread - across * across.transpose() / 2.0) * (9.0 / 8.0);
    }
    best
}

fn from_body(a: &Body, b: &Body) -> f64 {
    apart(|n| farthest(a, &-n) - farthest(b, n))
}

/// The distance of a convex body from a triangle that it does not touch.
fn from_triangle(a: &Body, corners: &[Vec3; 3]) -> f64 {
    let top = |n: &Vec3| corners.iter().copied().max_by(|v, w| v.dot(n).total_cmp(&w.dot(n))).unwrap();
    apart(|n| farthest(a, &-n) - top(n))
}

/// The triangles of a surface in the world.
fn triangles(b: &Body) -> Vec<[Vec3; 3]> {
    let Shape::Solid(solid) = &b.0 else { panic!("not a solid") };
    let Core::Mesh(mesh) = solid.core() else { panic!("not a surface") };
    let world = |v: u32| b.1 + b.2 * (mesh.vertices()[v as usize] * b.3);
    mesh.triangles().map(|t| t.map(world)).collect()
}

fn moved(b: &Body, q: &Quat, shift: &Vec3) -> Body {
    Body(b.0.clone(), q * b.1 + shift, q * b.2, b.3)
}

/// Exchange of the two names and a rigid motion of both change nothing: the touches with small gaps are the same, whichever way
/// they are named.
fn nothing_changes(a: &Body, b: &Body, q: &Quat, shift: &Vec3) -> Result<(), TestCaseError> {
    let all = touches(Spatial, &[a.clone(), b.clone()], 20.0);
    let reach = lowest(&all).gap + 1e-3;
    let few = |bodies: [Body; 2]| {
        let mut all = touches(Spatial, &bodies, 20.0);
        all.retain(|t| t.gap <= reach);
        all
    };
    let one = few([a.clone(), b.clone()]);
    // Somewhere between the two surfaces is the common point.
    let same = |s: &Touch, t: &Touch, n: &Vec3, point: &Vec3| {
        let along = (t.point - point).dot(n);
        let aside = t.point - point - along * n;
        (s.gap - t.gap).abs() < 1e-8 && near(&t.frame.n, n, 1e-6) && aside.norm() < 1e-5 && along.abs() < s.gap.abs() + 1e-5
    };
    let two = few([moved(a, q, shift), moved(b, q, shift)]);
    for (from, to, q, shift) in [(&one, &two, *q, *shift), (&two, &one, q.inverse(), -(q.inverse() * shift))] {
        for s in from.iter().filter(|s| s.gap < reach - 1e-7) {
            let (n, point) = (q * s.frame.n, q * s.point + shift);
            prop_assert!(to.iter().any(|t| t.key == s.key && same(s, t, &n, &point)), "moved: {s:?} not in {to:?}");
        }
    }
    let three = few([b.clone(), a.clone()]);
    for (from, to) in [(&one, &three), (&three, &one)] {
        for s in from.iter().filter(|s| s.gap < reach - 1e-7) {
            let found = to.iter().any(|t| {
                let sign = if s.key.candidate == t.key.antagonist { 1.0 } else { -1.0 };
                same(s, t, &(sign * s.frame.n), &s.point)
            });
            prop_assert!(found, "exchanged: {s:?} not in {to:?}");
        }
    }
    Ok(())
}

fn sound(all: &[Touch]) -> bool {
    all.iter().all(|t| t.gap.is_finite() && (t.frame.n.norm() - 1.0).abs() < 1e-12 && t.point.iter().all(|x| x.is_finite()))
}

/// How far the farthest point of a body stands out of a cavity, in the axes of the cavity.
fn out_of(cavity: &Body, a: &Body, beyond: impl Fn(&Vec3) -> f64) -> f64 {
    let local = |p: &Vec3| cavity.2.inverse_transform_vector(&(p - cavity.1)) / cavity.3;
    most(|n| beyond(&local(&farthest(a, n))))
}

proptest! {
    #![proptest_config(cases(300))]

    /// What is inside of a ball or a tube is as near to the wall as its point that is farthest out.
    #[test]
    fn inside_of_hollow_bodies(
        kind in 0..7_usize, seed: u64, place in vector(0.5), turns in (vector(3.0), vector(3.0)), size in 0.6..1.5,
        tube: bool, closed: bool, shift in vector(5.0), turn in vector(3.0),
    ) {
        let (radius, half) = (2.3, if closed { 2.0 } else { 9.0 });
        let shape = if tube {
            PlacedShape::hollow_cylinder(radius, 0.1, 2.0 * half, closed)
        } else {
            PlacedShape::hollow_sphere(radius, 0.1)
        };
        let cavity = pose(shape.shape, Vec3::new(0.2, -0.1, 0.3), turns.0, size);
        let a = pose(convex(kind, seed), cavity.1 + 2.0 * size * place, turns.1, 1.0);
        let beyond = |p: &Vec3| match (tube, closed) {
            (false, _) => p.norm() - radius,
            (true, false) => p.x.hypot(p.y) - radius,
            (true, true) => (p.x.hypot(p.y) - radius).max(p.z.abs() - half),
        };
        let all = touches(Spatial, &[a.clone(), cavity.clone()], 20.0);
        prop_assert!(sound(&all));
        let (gap, want) = (lowest(&all).gap, -size * out_of(&cavity, &a, beyond));
        prop_assert!((gap - want).abs() < 1e-6, "gap {gap}, expected {want}");
        nothing_changes(&a, &cavity, &Quat::from_scaled_axis(turn), &shift)?;
    }

    /// From outside a hollow body is a full one.
    #[test]
    fn outside_of_hollow_bodies(kind in 0..7_usize, seed: u64, place in vector(3.0), turns in (vector(3.0), vector(3.0)), tube: bool) {
        let (hollow, full) = if tube {
            let full = mpcd_geometry::Cylinder { radius: 1.0, half_length: 1.0 };
            (PlacedShape::hollow_cylinder(0.9, 0.1, 1.8, true).shape, crate::solids::smooth(full))
        } else {
            (PlacedShape::hollow_sphere(0.9, 0.1).shape, ball(1.0))
        };
        let a = pose(convex(kind, seed), place + 1.8 * place.normalize(), turns.0, 1.0);
        let [s, t] = [hollow, full].map(|of| {
            let all = touches(Spatial, &[a.clone(), pose(of, Vec3::zeros(), turns.1, 1.0)], 20.0);
            let t = lowest(&all);
            (t.gap, t.point, if t.key.candidate.0 == 0 { t.frame.n } else { -t.frame.n })
        });
        prop_assert!((s.0 - t.0).abs() < 1e-12 && near(&s.1, &t.1, 1e-9) && near(&s.2, &t.2, 1e-9), "{s:?} {t:?}");
    }

    /// A closed surface that moves is the hull that it encloses, for any convex body beside it.
    #[test]
    fn beside_a_closed_surface(
        kind in 0..7_usize, seeds: (u64, u64), place in vector(1.0), apart in 1.0..4.0, turns in (vector(3.0), vector(3.0)),
        sizes in (0.6..1.5, 0.6..1.5), shift in vector(5.0), turn in vector(3.0),
    ) {
        prop_assume!(place.norm() > 0.1);
        let [surface, hull] = stone(seeds.1);
        let a = pose(convex(kind, seeds.0), (1.5 + apart) * place.normalize(), turns.0, sizes.0);
        let [surface, hull] = [surface, hull].map(|s| pose(s, Vec3::zeros(), turns.1, sizes.1));
        let want = from_body(&a, &hull);
        prop_assume!(want > 1e-3);
        let all = touches(Spatial, &[a.clone(), surface.clone()], 20.0);
        prop_assert!(!all.is_empty() && sound(&all));
        let gap = lowest(&all).gap;
        prop_assert!((gap - want).abs() < 1e-8, "gap {gap}, expected {want}");
        nothing_changes(&a, &surface, &Quat::from_scaled_axis(turn), &shift)?;
    }

    /// A convex body over a bumpy surface is as near as to the nearest triangle.
    #[test]
    fn over_a_bumpy_surface(
        kind in 0..7_usize, seeds: (u64, u64), place in vector(1.0), turn in vector(3.0), height in 2.0..3.0,
        shift in vector(5.0), whole in vector(3.0),
    ) {
        let surface = body(bumps(seeds.1), 0.0, 0.0, 0.0);
        let a = pose(convex(kind, seeds.0), Vec3::new(place.x, place.y, height), turn, 0.8);
        let bound = |t: &[Vec3; 3]| {
            let middle = (t[0] + t[1] + t[2]) / 3.0;
            (a.1 - middle).norm() - t.iter().map(|c| (c - middle).norm()).fold(0.0, f64::max) - 0.8 * 2.1
        };
        let all = touches(Spatial, &[a.clone(), surface.clone()], 20.0);
        prop_assert!(!all.is_empty() && sound(&all));
        let gap = lowest(&all).gap;
        let want = triangles(&surface).iter().filter(|t| bound(t) < gap + 1e-3).map(|t| from_triangle(&a, t)).fold(f64::INFINITY, f64::min);
        prop_assume!(want > 1e-3);
        prop_assert!((gap - want).abs() < 1e-8, "gap {gap}, expected {want}");
        nothing_changes(&a, &surface, &Quat::from_scaled_axis(whole), &shift)?;
    }

    /// A surface that moves lies on a plane with its lowest vertex, and meets another by the vertices of both and where ridges cross: closed ones as the hulls that they enclose.
    #[test]
    fn surfaces_that_move(
        seeds: (u64, u64), place in vector(1.0), turns in (vector(3.0), vector(3.0)), shift in vector(5.0), turn in vector(3.0),
    ) {
        let at = [(seeds.0, turns.0, Vec3::zeros()), (seeds.1, turns.1, 4.5 * (place + Vec3::x() * 1e-3).normalize())];
        let [a, b] = at.map(|(seed, turn, at)| pose(stone(seed)[0].clone(), at, turn, 1.0));
        let floor = pose(Shape::Plane { normal: Vec3::z() }, Vec3::new(0.3, 0.2, -3.0), place, 1.0);
        let up = floor.2 * Vec3::z();
        let low = |b: &Body| triangles(b).concat().iter().map(|v| up.dot(&(v - floor.1))).fold(f64::INFINITY, f64::min);
        let all = touches(Spatial, &[a.clone(), floor.clone()], 20.0);
        prop_assert!(sound(&all) && (lowest(&all).gap - low(&a)).abs() < 1e-12);
        nothing_changes(&a, &floor, &Quat::from_scaled_axis(turn), &shift)?;
        let [one, other] = at.map(|(seed, turn, at)| pose(stone(seed)[1].clone(), at, turn, 1.0));
        let want = from_body(&one, &other);
        prop_assume!(want > 1e-3);
        let all = touches(Spatial, &[a.clone(), b.clone()], 20.0);
        prop_assert!(sound(&all) && !all.is_empty());
        let gap = lowest(&all).gap;
        prop_assert!((gap - want).abs() < 1e-8, "gap {gap}, expected {want}");
        nothing_changes(&a, &b, &Quat::from_scaled_axis(turn), &shift)?;
    }

    /// Two clusters are as near as their nearest parts, and so are a cluster and a convex body or a plane.
    #[test]
    fn clusters_are_their_parts(
        seeds: (u64, u64, u64), other in 0..4_usize, place in vector(1.0), apart in 2.0..5.0, turns in (vector(3.0), vector(3.0)),
        sizes in (0.6..1.5, 0.6..1.5), shift in vector(5.0), turn in vector(3.0),
    ) {
        prop_assume!(place.norm() > 0.1);
        let place = apart * place.normalize();
        let (shape, parts) = cluster(seeds.0);
        let a = pose(shape, place, turns.0, sizes.0);
        let parts: Vec<Body> = parts.iter().map(|p| part_of(&a, p)).collect();
        let (b, want) = match other {
            0 | 1 => {
                let (shape, others) = cluster(seeds.1);
                let b = pose(shape, Vec3::zeros(), turns.1, sizes.1);
                let others: Vec<Body> = others.iter().map(|p| part_of(&b, p)).collect();
                prop_assume!(!parts.iter().any(|p| others.iter().any(|o| pass_by(p, o))));
                let pairs = parts.iter().flat_map(|p| others.iter().map(move |o| from_body(p, o)));
                let want = pairs.fold(f64::INFINITY, f64::min);
                (b, want)
            }
            2 => {
                let b = pose(convex(seeds.1 as usize, seeds.2), Vec3::zeros(), turns.1, sizes.1);
                prop_assume!(!parts.iter().any(|p| pass_by(p, &b)));
                let want = parts.iter().map(|p| from_body(p, &b)).fold(f64::INFINITY, f64::min);
                (b, want)
            }
            _ => {
                let b = pose(Shape::Plane { normal: Vec3::z() }, Vec3::zeros(), turns.1, 1.0);
                let up = b.2 * Vec3::z();
                let want = parts.iter().map(|p| up.dot(&(farthest(p, &-up) - b.1))).fold(f64::INFINITY, f64::min);
                (b, want)
            }
        };
        prop_assume!(want > 1e-3 || other == 3);
        let all = touches(Spatial, &[a.clone(), b.clone()], 20.0);
        prop_assert!(!all.is_empty() && sound(&all));
        let gap = lowest(&all).gap;
        prop_assert!((gap - want).abs() < 1e-8, "gap {gap}, expected {want}");
        let mut keys: Vec<_> = all.iter().map(|t| t.key).collect();
        keys.dedup();
        prop_assert_eq!(keys.len(), all.len());
        nothing_changes(&a, &b, &Quat::from_scaled_axis(turn), &shift)?;
    }
}
