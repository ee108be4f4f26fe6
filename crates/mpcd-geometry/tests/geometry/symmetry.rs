//! Properties that hold for every pair: exchange of names, rigid motion of the whole scene, the normal as the gradient of the
//! gap, growth as its derivative by size, one common point.

use crate::{Body, ball, disc, near, touches};
use mpcd_core::{ContactGeometry, Dimension, Quat, Vec3};
use mpcd_geometry::{Shape, Touch};
use mpcd_tests::random::cases;
use proptest::prelude::*;

fn vector(half: f64) -> impl Strategy<Value = Vec3> {
    [-half..half, -half..half, -half..half].prop_map(Vec3::from)
}

fn length() -> impl Strategy<Value = f64> {
    0.05..2.0
}

fn turn(planar: bool) -> impl Strategy<Value = Quat> {
    vector(3.0).prop_map(move |v| Quat::from_scaled_axis(if planar { v.z * Vec3::z() } else { v }))
}

fn round(planar: bool) -> BoxedStrategy<Shape> {
    if planar { prop_oneof![length().prop_map(disc), length().prop_map(ball)].boxed() } else { length().prop_map(ball).boxed() }
}

fn flat(planar: bool, v: Vec3) -> Vec3 {
    if planar { Vec3::new(v.x, v.y, 0.0) } else { v }
}

fn any_shape(planar: bool) -> BoxedStrategy<Shape> {
    prop_oneof![
        round(planar),
        vector(1.0).prop_map(move |v| Shape::Plane { normal: flat(planar, v) + 1e-3 * Vec3::x() }),
        (vector(2.0), prop_oneof![Just(0.0), length()])
            .prop_map(move |(v, thickness_radius)| Shape::Segment { half: flat(planar, v) + 1e-2 * Vec3::y(), thickness_radius }),
        vector(1.0).prop_map(|v| Shape::Box { half: v.abs().add_scalar(0.05) }),
    ]
    .boxed()
}

fn placed(shape: BoxedStrategy<Shape>, planar: bool) -> impl Strategy<Value = Body> {
    (shape, vector(2.0), turn(planar), 0.5..2.0).prop_map(move |(s, x, q, size)| Body(s, flat(planar, x), q, size))
}

/// A round body and any other; or a box and a plane.
fn pair(planar: bool) -> impl Strategy<Value = (Body, Body)> {
    let half = Just(Shape::Box { half: Vec3::new(0.3, 0.7, 0.4) }).boxed();
    let plane = vector(1.0).prop_map(move |v| Shape::Plane { normal: flat(planar, v) + 1e-3 * Vec3::x() }).boxed();
    prop_oneof![
        4 => (placed(round(planar), planar), placed(any_shape(planar), planar)),
        1 => (placed(half, planar), placed(plane, planar)),
    ]
}

fn case() -> impl Strategy<Value = (Dimension, Body, Body)> {
    any::<bool>().prop_flat_map(|planar| {
        let dimension = if planar { Dimension::Planar } else { Dimension::Spatial };
        pair(planar).prop_map(move |(a, b)| (dimension, a, b))
    })
}

fn same_geometry(a: &ContactGeometry, b: &ContactGeometry) -> bool {
    let numbers = |g: &ContactGeometry| match *g {
        ContactGeometry::Point { reduced_radius, .. } => [0.0, reduced_radius, 0.0],
        ContactGeometry::Line { reduced_radius, length } => [1.0, reduced_radius, length],
        ContactGeometry::Flat { area } => [2.0, area, 0.0],
    };
    numbers(a).iter().zip(numbers(b)).all(|(a, b)| (a - b).abs() <= 1e-9 * (1.0 + a.abs()))
}

/// Whether candidate and antagonist are where the touch says, with one common point between them.
fn sound(t: &Touch, bodies: &[Body]) -> bool {
    let [c, a] = [t.key.candidate, t.key.antagonist].map(|b| bodies[b.index()].1);
    let f = t.frame;
    near(&(c + t.arm_candidate), &t.point, 1e-12)
        && near(&(a + t.arm_antagonist), &t.point, 1e-12)
        && (f.n.norm() - 1.0).abs() < 1e-12
        && near(&f.n.cross(&f.t), &f.s(), 1e-12)
        && t.gap.is_finite()
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn every_touch_is_sound((dimension, a, b) in case()) {
        let all = touches(dimension, &[a.clone(), b.clone()], 50.0);
        prop_assert!(!all.is_empty() && all.iter().all(|t| sound(t, &[a.clone(), b.clone()])), "{:?}", all);
    }

    #[test]
    fn exchange_of_names((dimension, a, b) in case()) {
        let (one, two) = (touches(dimension, &[a.clone(), b.clone()], 50.0), touches(dimension, &[b.clone(), a.clone()], 50.0));
        prop_assert_eq!(one.len(), two.len());
        for (s, t) in one.iter().zip(&two) {
            // Who is who is decided by the shapes, or else by the id.
            let same = (s.key.candidate, s.key.antagonist) == (t.key.antagonist, t.key.candidate);
            let by_id = a.0.radius().is_some() && b.0.radius().is_some();
            prop_assert_eq!(same, !by_id);
            let sign = if same { 1.0 } else { -1.0 };
            let (c, g) = if same { (&t.arm_candidate, t.growth_candidate) } else { (&t.arm_antagonist, t.growth_antagonist) };
            prop_assert!(near(&s.frame.n, &(sign * t.frame.n), 1e-12) && near(&s.point, &t.point, 1e-12));
            prop_assert!(near(&s.arm_candidate, c, 1e-12) && s.growth_candidate == g && s.gap == t.gap);
            prop_assert!(same_geometry(&s.geometry, &t.geometry));
        }
    }

    #[test]
    fn rigid_motion_of_the_scene((dimension, a, b) in case(), shift in vector(10.0), axis in vector(3.0)) {
        let planar = dimension == Dimension::Planar;
        let (shift, q) = (flat(planar, shift), Quat::from_scaled_axis(if planar { axis.z * Vec3::z() } else { axis }));
        let moved = |body: &Body| Body(body.0.clone(), q * body.1 + shift, q * body.2, body.3);
        let (before, after) = (touches(dimension, &[a.clone(), b.clone()], 50.0), touches(dimension, &[moved(&a), moved(&b)], 50.0));
        prop_assert_eq!(before.len(), after.len());
        for (s, t) in before.iter().zip(&after) {
            prop_assert!(s.key == t.key && (s.gap - t.gap).abs() < 1e-12, "{} {}", s.gap, t.gap);
            prop_assert!(near(&(q * s.frame.n), &t.frame.n, 1e-10) && near(&(q * s.point + shift), &t.point, 1e-10));
            prop_assert!((s.growth_antagonist - t.growth_antagonist).abs() < 1e-10);
        }
    }

    /// ∂gap/∂x_candidate = n, ∂gap/∂size = −growth: central differences, away from edges where the gap has kinks.
    #[test]
    fn the_normal_and_the_growth_are_derivatives_of_the_gap((dimension, a, b) in case(), along in vector(1.0)) {
        let planar = dimension == Dimension::Planar;
        let (along, e) = (flat(planar, along), 1e-6);
        let gaps = |a: Body, b: &Body| touches(dimension, &[a, b.clone()], 50.0).iter().map(|t| t.gap).collect::<Vec<_>>();
        let moved = |d: f64| gaps(Body(a.0.clone(), a.1 + d * along, a.2, a.3), &b);
        let swollen_a = |d: f64| gaps(Body(a.0.clone(), a.1, a.2, a.3 + d), &b);
        let swollen_b = |d: f64| gaps(a.clone(), &Body(b.0.clone(), b.1, b.2, b.3 + d));
        let (here, x, sa, sb) = (touches(dimension, &[a.clone(), b.clone()], 50.0), [moved(e), moved(-e)],
            [swollen_a(e), swollen_a(-e)], [swollen_b(e), swollen_b(-e)]);
        for (k, t) in here.iter().enumerate() {
            let slope = |p: &[Vec<f64>; 2]| (p[0][k] - p[1][k]) / (2.0 * e);
            let kink = |p: &[Vec<f64>; 2]| (p[0][k] + p[1][k] - 2.0 * t.gap).abs() > 1e-10;
            let first_is_candidate = t.key.candidate.0 == 0;
            let sign = if first_is_candidate { 1.0 } else { -1.0 };
            let (ga, gb) = if first_is_candidate { (t.growth_candidate, t.growth_antagonist) } else { (t.growth_antagonist, t.growth_candidate) };
            prop_assert!(kink(&x) || (slope(&x) - sign * t.frame.n.dot(&along)).abs() < 1e-4);
            prop_assert!(kink(&sa) || (slope(&sa) + ga).abs() < 1e-4, "{} {}", slope(&sa), ga);
            prop_assert!(kink(&sb) || (slope(&sb) + gb).abs() < 1e-4, "{} {}", slope(&sb), gb);
        }
    }

    /// `growth_at` is what the touch carries where the common point is on the body's own surface: pairs in contact.
    #[test]
    fn growth_at_the_surface((dimension, a, b) in case()) {
        let bodies = [a.clone(), b.clone()];
        for far in touches(dimension, &bodies, 50.0) {
            // Bring the candidate to the surface along the normal.
            let mut bodies = bodies.clone();
            bodies[far.key.candidate.index()].1 -= far.gap * far.frame.n;
            for t in touches(dimension, &bodies, 1e-9).iter().filter(|t| t.key == far.key && t.gap.abs() < 1e-9) {
                let [c, o] = [t.key.candidate, t.key.antagonist].map(|i| &bodies[i.index()]);
                prop_assert!((c.0.growth_at(&t.arm_candidate, &-t.frame.n, c.3) - t.growth_candidate).abs() < 1e-7);
                prop_assert!((o.0.growth_at(&t.arm_antagonist, &t.frame.n, o.3) - t.growth_antagonist).abs() < 1e-7);
            }
        }
    }
}
