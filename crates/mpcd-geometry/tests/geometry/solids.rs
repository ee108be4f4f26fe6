//! Contacts of the shapes that are solids: gap and normal against a search over directions, exchange, rigid motion, degenerate
//! places; how they stand, roll and slide.

use std::sync::Arc;

use crate::{Body, ball, body, near, scene, touches};
use mpcd_core::{
    Dimension::{self, Planar, Spatial},
    Quat, Vec3,
};
use mpcd_geometry::{
    Core, Cylinder, Detector, Ellipsoid, Measures, PlacedShape, Random, Shape, Shapes, Solid, Superellipsoid, SupportMap, Touch,
};
use mpcd_tests::random::cases;
use proptest::prelude::*;

pub(super) fn smooth(body: impl SupportMap + 'static) -> Shape {
    Shape::Solid(Arc::new(Solid::new("Smooth", Core::Smooth(Arc::new(body)), Measures::default())))
}

pub(super) fn cylinder(radius: f64, half_length: f64) -> Shape {
    smooth(Cylinder { radius, half_length })
}

fn hull(random: &mut Random, count: usize) -> Shape {
    let points: Vec<Vec3> = (0..count).map(|_| Vec3::from_fn(|_, _| random.within(-1.0, 1.0))).collect();
    PlacedShape::hull("Polyhedron", &points, Spatial, 1.0).unwrap().shape
}

fn plane(normal: Vec3) -> Shape {
    Shape::Plane { normal }
}

/// A random convex shape of size about 1.
pub(super) fn convex(kind: usize, seed: u64) -> Shape {
    let mut r = Random::new(seed);
    let radii = Vec3::from_fn(|_, _| r.within(0.3, 1.2));
    match kind % 7 {
        0 => ball(r.within(0.2, 1.0)),
        1 => cylinder(radii.x, radii.y),
        2 => smooth(Ellipsoid { radii }),
        3 => smooth(Superellipsoid { radii, across: r.within(1.5, 5.0), along: r.within(1.5, 5.0) }),
        4 => hull(&mut r, 12),
        5 => PlacedShape::capsule(0.5 * radii.x, radii.y, Spatial).unwrap().shape,
        _ => Shape::Box { half: radii },
    }
}

/// The farthest point of a body along a direction, by its definition and nothing else.
pub(super) fn farthest(b: &Body, direction: &Vec3) -> Vec3 {
    let d = b.2.inverse_transform_vector(direction).normalize();
    let of_core = |core: &Core| match core {
        Core::Smooth(s) => s.support(&d),
        Core::Polytope { hull, rounding } => hull.vertices()[hull.support(&d)] + *rounding * d,
        _ => panic!("not convex"),
    };
    let local = match &b.0 {
        Shape::Ball { radius } => *radius * d,
        Shape::Box { half } => half.zip_map(&d, f64::copysign),
        Shape::Solid(solid) => of_core(solid.core()),
        _ => panic!("not convex"),
    };
    b.1 + b.2 * (local * b.3)
}

/// How far apart two bodies are as seen along n: its largest value over all n is the gap, where it is taken the normal.
pub(super) fn along(a: &Body, b: &Body, n: &Vec3) -> f64 {
    n.dot(&(farthest(a, &-n) - farthest(b, n)))
}

/// The largest value of a function of directions that a coarse search with refinement finds.
pub(super) fn most(f: impl Fn(&Vec3) -> f64) -> f64 {
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let mut seen: Vec<(f64, Vec3)> = (0..400)
        .map(|i| {
            let z = 1.0 - 2.0 * (f64::from(i) + 0.5) / 400.0;
            let (s, c) = (golden * f64::from(i)).sin_cos();
            let r = (1.0 - z * z).sqrt();
            let n = Vec3::new(r * c, r * s, z);
            (f(&n), n)
        })
        .collect();
    seen.sort_by(|a, b| b.0.total_cmp(&a.0));
    seen.into_iter().take(4).map(|start| refined(&f, start)).fold(f64::NEG_INFINITY, f64::max)
}

fn refined(f: impl Fn(&Vec3) -> f64, mut best: (f64, Vec3)) -> f64 {
    let mut step = 0.1;
    while step > 1e-7 {
        let frame = mpcd_core::Frame::spatial(best.1);
        let mut better = false;
        // By the golden angle: along a kink few directions climb.
        for k in 0..24 {
            let (s, c) = (2.399_963 * f64::from(k)).sin_cos();
            let n = (best.1 + step * (c * frame.t + s * frame.s())).normalize();
            let value = f(&n);
            if value > best.0 {
                (best, better) = ((value, n), true);
            }
        }
        if !better {
            step *= 0.5;
        }
    }
    best.0
}

/// Whether a face of one sharp body is, but for a hair, a plane between the two: then they slide past each other, by choice.
pub(super) fn pass_by(a: &Body, b: &Body) -> bool {
    let faces = |b: &Body| -> Vec<Vec3> {
        let local = match &b.0 {
            Shape::Box { .. } => vec![Vec3::x(), -Vec3::x(), Vec3::y(), -Vec3::y(), Vec3::z(), -Vec3::z()],
            Shape::Solid(solid) => match solid.core() {
                Core::Polytope { hull, rounding } if *rounding == 0.0 => hull.faces().iter().map(|f| f.normal).collect(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        };
        local.iter().map(|n| b.2 * n).collect()
    };
    let (of_a, of_b) = (faces(a), faces(b));
    let hair = 3e-4;
    let both = !of_a.is_empty() && !of_b.is_empty();
    both && (of_b.iter().any(|n| along(a, b, n).abs() < hair) || of_a.iter().any(|n| along(b, a, n).abs() < hair))
}

pub(super) fn pose(shape: Shape, place: Vec3, turn: Vec3, size: f64) -> Body {
    Body(shape, place, Quat::from_scaled_axis(turn), size)
}

pub(super) fn vector(half: f64) -> impl Strategy<Value = Vec3> {
    [-half..half, -half..half, -half..half].prop_map(Vec3::from)
}

prop_compose! {
    fn two_convex()(
        kinds in (0..7_usize, 0..7_usize), seeds: (u64, u64), place in vector(2.0), turns in (vector(3.0), vector(3.0)),
        sizes in (0.6..1.5, 0.6..1.5),
    ) -> (Body, Body) {
        (
            pose(convex(kinds.0, seeds.0), place, turns.0, sizes.0),
            pose(convex(kinds.1, seeds.1), Vec3::new(0.1, -0.2, 0.3), turns.1, sizes.1),
        )
    }
}

pub(super) fn lowest(all: &[Touch]) -> &Touch {
    all.iter().min_by(|s, t| s.gap.total_cmp(&t.gap)).unwrap()
}

/// Gaps of overlapping bodies are exact where the overlap is a part in fifty of the size, as in any run; deep inside of each
/// other, where several ways out may be as short, to this part of the size.
const DEEP: f64 = 5e-3;

fn tolerance(gap: f64) -> f64 {
    if gap > -0.02 { 1e-9 } else { DEEP }
}

/// Brings the first body along the normal until the two overlap by a thousandth.
pub(super) fn brought_together(a: &Body, b: &Body) -> Body {
    let mut a = a.clone();
    for _ in 0..3 {
        let all = touches(Spatial, &[a.clone(), b.clone()], 20.0);
        let t = lowest(&all);
        let n = if t.key.candidate.0 == 0 { t.frame.n } else { -t.frame.n };
        a.1 -= (t.gap + 1e-3) * n;
    }
    a
}

proptest! {
    #![proptest_config(cases(600))]

    /// The gap is what the two bodies leave between them along the normal, and no direction leaves more.
    #[test]
    fn gap_and_normal_of_convex_bodies((a, b) in two_convex(), together: bool) {
        let a = if together { brought_together(&a, &b) } else { a };
        let all = touches(Spatial, &[a.clone(), b.clone()], 20.0);
        prop_assume!(!all.is_empty() || !pass_by(&a, &b));
        prop_assert!(!all.is_empty());
        let t = lowest(&all);
        let (c, o) = if t.key.candidate.0 == 0 { (&a, &b) } else { (&b, &a) };
        let seen = along(c, o, &t.frame.n);
        prop_assert!((seen - t.gap).abs() < 1e-9, "gap {} but {seen} along the normal", t.gap);
        let best = most(|n| along(c, o, n));
        prop_assert!(t.gap >= best - tolerance(t.gap), "gap {} but {best} along another direction", t.gap);
        for t in &all {
            prop_assert!(t.point.iter().all(|x| x.is_finite()) && (t.frame.n.norm() - 1.0).abs() < 1e-12);
            prop_assert!(near(&(c.1 + t.arm_candidate), &t.point, 1e-12) && near(&(o.1 + t.arm_antagonist), &t.point, 1e-12));
        }
    }

    #[test]
    fn names_may_be_exchanged((a, b) in two_convex(), together: bool) {
        let a = if together { brought_together(&a, &b) } else { a };
        let one = touches(Spatial, &[a.clone(), b.clone()], 20.0);
        let two = touches(Spatial, &[b.clone(), a.clone()], 20.0);
        prop_assume!(!one.is_empty() || !two.is_empty() || !pass_by(&a, &b));
        let (s, t) = (lowest(&one), lowest(&two));
        let sign = if s.key.candidate == t.key.antagonist { 1.0 } else { -1.0 };
        prop_assert!((s.gap - t.gap).abs() < tolerance(s.gap.min(t.gap)), "{} {}", s.gap, t.gap);
        // Deep inside of each other several ways out can be as short.
        prop_assert!(s.gap < -2e-3 || near(&s.frame.n, &(sign * t.frame.n), 1e-5), "{} {}", s.frame.n, t.frame.n);
    }

    #[test]
    fn the_scene_may_be_moved((a, b) in two_convex(), together: bool, shift in vector(5.0), turn in vector(3.0)) {
        let a = if together { brought_together(&a, &b) } else { a };
        let q = Quat::from_scaled_axis(turn);
        let moved = |b: &Body| Body(b.0.clone(), q * b.1 + shift, q * b.2, b.3);
        let one = touches(Spatial, &[a.clone(), b.clone()], 20.0);
        let two = touches(Spatial, &[moved(&a), moved(&b)], 20.0);
        prop_assume!(!one.is_empty() || !two.is_empty() || !pass_by(&a, &b));
        let (s, t) = (lowest(&one), lowest(&two));
        prop_assert!((s.gap - t.gap).abs() < tolerance(s.gap.min(t.gap)), "{} {}", s.gap, t.gap);
    }

    #[test]
    fn normals_move_with_the_scene((a, b) in two_convex(), together: bool, shift in vector(5.0), turn in vector(3.0)) {
        let a = if together { brought_together(&a, &b) } else { a };
        let q = Quat::from_scaled_axis(turn);
        let moved = |b: &Body| Body(b.0.clone(), q * b.1 + shift, q * b.2, b.3);
        let one = touches(Spatial, &[a.clone(), b.clone()], 20.0);
        let two = touches(Spatial, &[moved(&a), moved(&b)], 20.0);
        prop_assume!(!one.is_empty() || !two.is_empty() || !pass_by(&a, &b));
        let (s, t) = (lowest(&one), lowest(&two));
        let (c, o) = if t.key.candidate.0 == 0 { (&a, &b) } else { (&b, &a) };
        // Bodies moved along one normal and then along another overlap as far along both.
        let other = q.inverse() * t.frame.n;
        let tie = s.frame.n.dot(&other) < 0.9 && (along(c, o, &other) - s.gap).abs() < 1e-12;
        prop_assert!(s.gap < -2e-3 || tie || near(&(q * s.frame.n), &t.frame.n, 1e-5), "{} {}", q * s.frame.n, t.frame.n);
    }
}

/// All kinds at one place, turned alike or not: nothing that is not a number, unit normals.
#[test]
fn coincident_centres_have_an_answer() {
    let mut kinds: Vec<Shape> = (0..7).map(|k| convex(k, 3)).collect();
    kinds.push(PlacedShape::hollow_sphere(3.0, 0.1).shape);
    kinds.push(PlacedShape::hollow_cylinder(3.0, 0.1, 4.0, true).shape);
    kinds.push(plane(Vec3::z()));
    kinds.push(PlacedShape::surface(&cube_vertices(0.5), &cube_triangles()).unwrap().shape);
    let two = [PlacedShape::centred(ball(0.5)), PlacedShape { centre: Vec3::x(), ..PlacedShape::centred(ball(0.5)) }];
    kinds.push(PlacedShape::cluster(&two, Spatial).unwrap().shape);
    for a in &kinds {
        for b in &kinds {
            for turn in [Vec3::zeros(), Vec3::new(0.3, 0.4, -0.2)] {
                let (one, two) = (pose(a.clone(), Vec3::zeros(), Vec3::zeros(), 1.0), pose(b.clone(), Vec3::zeros(), turn, 1.0));
                for t in touches(Spatial, &[one, two], 10.0) {
                    let sound =
                        (t.frame.n.norm() - 1.0).abs() < 1e-9 && t.gap.is_finite() && t.point.iter().all(|x| x.is_finite());
                    assert!(sound, "{} {}: {t:?}", a.name(), b.name());
                }
            }
        }
    }
}

fn area_of(points: &[Touch]) -> f64 {
    let at = |i: usize| points[i].point;
    let mut most: f64 = 0.0;
    for i in 0..points.len() {
        for j in 0..i {
            for k in 0..j {
                most = most.max((at(i) - at(k)).cross(&(at(j) - at(k))).norm());
            }
        }
    }
    most
}

#[test]
fn a_cylinder_stands_and_lies() {
    let floor = body(plane(Vec3::z()), 0.0, 0.0, 0.0);
    let table = body(Shape::Box { half: Vec3::new(2.0, 2.0, 1.0) }, 0.0, 0.0, -1.0);
    let drum = body(cylinder(2.0, 1.0), 0.0, 0.0, -1.0);
    for ground in [&floor, &table, &drum] {
        let upright = touches(Spatial, &[body(cylinder(0.5, 1.0), 0.0, 0.0, 1.0), ground.clone()], 1e-3);
        assert!(upright.len() >= 3 && area_of(&upright) > 0.2, "{}: {upright:?}", ground.0.name());
        assert!(upright.iter().all(|t| t.gap.abs() < 1e-12 && near(&t.frame.n, &Vec3::z(), 1e-12)));
        let lying = pose(cylinder(0.5, 1.0), Vec3::new(0.0, 0.0, 0.5), 0.5 * std::f64::consts::PI * Vec3::x(), 1.0);
        let line = touches(Spatial, &[lying, ground.clone()], 1e-3);
        assert_eq!(line.len(), 2, "{}: {line:?}", ground.0.name());
        assert!((line[0].point - line[1].point).norm() > 1.9 && line.iter().all(|t| t.gap.abs() < 1e-9));
        // It rolls with the arm that its radius is.
        assert!(line.iter().all(|t| (t.arm_candidate.z + 0.5).abs() < 1e-9), "{line:?}");
    }
}

#[test]
fn bodies_inside_of_hollow_ones() {
    let shell = body(PlacedShape::hollow_sphere(2.0, 0.1).shape, 0.0, 0.0, 0.0);
    let t = &touches(Spatial, &[body(ball(0.5), 0.0, 1.4, 0.0), shell.clone()], 1.0)[0];
    assert!(near(&t.frame.n, &-Vec3::y(), 1e-15) && (t.gap - 0.1).abs() < 1e-15);
    assert_eq!(t.geometry, mpcd_core::ContactGeometry::Point { reduced_radius: 1.0 / (2.0 - 0.5), roundness: 1.0 });
    // From outside.
    let t = &touches(Spatial, &[body(ball(0.5), 0.0, 2.7, 0.0), shell], 1.0)[0];
    assert!(near(&t.frame.n, &Vec3::y(), 1e-15) && (t.gap - 0.1).abs() < 1e-14);
    // A box lies in a drum on two edges: 1 wide, 0.3 high, in a radius of 1.
    let drum = body(PlacedShape::hollow_disc(1.0, 0.1, 1.0).shape, 0.0, 0.0, 0.0);
    let low = -(1.0f64 - 0.25).sqrt();
    let lies = touches(Planar, &[body(Shape::Box { half: Vec3::new(0.5, 0.15, 0.5) }, 0.0, low + 0.15, 0.0), drum.clone()], 1e-6);
    assert_eq!(lies.len(), 2);
    assert!(lies.iter().all(|t| t.gap.abs() < 1e-15 && (t.frame.n.y - -low).abs() < 1e-15), "{lies:?}");
    // A hoop on a floor.
    let floor = body(plane(Vec3::y()), 0.0, -1.1, 0.0);
    let t = &touches(Planar, &[drum, floor], 0.1)[0];
    assert!(t.gap.abs() < 1e-15 && near(&t.frame.n, &Vec3::y(), 1e-15) && (t.arm_candidate.y + 1.1).abs() < 1e-15);
    // A cylinder lies in a tube along one line, an ellipsoid in a point.
    let tube = body(PlacedShape::hollow_cylinder(2.0, 0.1, 6.0, true).shape, 0.0, 0.0, 0.0);
    let line = touches(Spatial, &[body(cylinder(0.5, 1.0), 0.0, -1.5, 0.0), tube.clone()], 1e-6);
    assert!(line.len() == 2 && line.iter().all(|t| t.gap.abs() < 1e-12 && near(&t.frame.n, &Vec3::y(), 1e-9)), "{line:?}");
    let egg = smooth(Ellipsoid { radii: Vec3::new(0.2, 0.5, 1.0) });
    let point = touches(Spatial, &[body(egg, 0.0, -1.5, 0.3), tube], 1e-3);
    assert!(point.len() == 1 && point[0].gap.abs() < 1e-12 && near(&point[0].frame.n, &Vec3::y(), 1e-9), "{point:?}");
}

pub(super) fn cube_vertices(half: f64) -> Vec<Vec3> {
    (0..8).map(|i| Vec3::from_fn(|k, _| if i >> k & 1 == 1 { half } else { -half })).collect()
}

pub(super) fn cube_triangles() -> Vec<[u32; 3]> {
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    faces.iter().flat_map(|f| [[f[0], f[1], f[2]], [f[0], f[2], f[3]]]).collect()
}

/// A flat floor of n × n squares, each of two triangles.
fn floor(n: u32) -> Shape {
    let vertices: Vec<Vec3> = (0..=n).flat_map(|j| (0..=n).map(move |i| Vec3::new(f64::from(i), f64::from(j), 0.0))).collect();
    let at = |i: u32, j: u32| j * (n + 1) + i;
    let squares = (0..n).flat_map(|j| (0..n).map(move |i| (i, j)));
    let triangles: Vec<[u32; 3]> = squares
        .flat_map(|(i, j)| [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]])
        .collect();
    PlacedShape::surface(&vertices, &triangles).unwrap().shape
}

/// Whatever slides over the sides of a flat surface feels it as a plane: one normal, the same gap, area, and moment.
#[test]
fn sliding_over_the_sides_of_a_flat_surface() {
    let mesh = floor(6);
    for (what, shape, height) in [
        ("ball", ball(0.4), 0.4),
        ("box", Shape::Box { half: Vec3::new(0.7, 0.5, 0.3) }, 0.3),
        ("cylinder", cylinder(0.6, 0.4), 0.4),
        ("ellipsoid", smooth(Ellipsoid { radii: Vec3::new(0.3, 0.4, 0.5) }), 0.5),
    ] {
        for depth in [-1e-3, 1e-7, 1e-3] {
            for i in 0..60 {
                let x = 2.0 + 0.0333 * f64::from(i);
                let on = [body(shape.clone(), x, 2.9, height - depth), body(mesh.clone(), 0.0, 0.0, 0.0)];
                let all = touches(Spatial, &on, 2e-3);
                assert!(!all.is_empty(), "{what} at {x}");
                for t in &all {
                    assert!(near(&t.frame.n, &Vec3::z(), 1e-12), "{what} at {x}: {}", t.frame.n);
                    assert!((t.gap + depth).abs() < 1e-9, "{what} at {x}: {}", t.gap);
                }
                let area: f64 =
                    all.iter().map(|t| if let mpcd_core::ContactGeometry::Flat { area } = t.geometry { area } else { 0.0 }).sum();
                let expected = match what {
                    "box" => 1.4,
                    "cylinder" => 0.36 * std::f64::consts::PI,
                    _ => 0.0,
                };
                assert!((area - expected).abs() <= 1e-2 * expected, "{what} at {x}: {area}");
            }
        }
    }
}

/// A box that stands flush on a block of triangles, its side a hair inside of the block's, is not pushed sideways.
#[test]
fn flush_sides_do_not_catch() {
    let block = body(PlacedShape::surface(&cube_vertices(1.0), &cube_triangles()).unwrap().shape, 0.0, 0.0, 0.0);
    for x in [0.5, 0.5 + 1e-7, 0.5 - 1e-7, 0.9] {
        let top = body(Shape::Box { half: Vec3::new(0.5, 0.5, 0.5) }, x, 0.0, 1.5 - 1e-6);
        let all = touches(Spatial, &[top, block.clone()], 1e-4);
        assert!(all.len() >= 3 && all.iter().all(|t| near(&t.frame.n, &Vec3::z(), 1e-9)), "{x}: {all:?}");
    }
    // A ball beside the edge touches the edge, one above the face the face.
    let t = touches(Spatial, &[body(ball(0.5), 1.3, 0.2, 1.4), block.clone()], 0.1);
    assert!(t.len() == 1 && near(&t[0].frame.n, &Vec3::new(0.6, 0.0, 0.8), 1e-12) && t[0].gap.abs() < 1e-12, "{t:?}");
    let tilted =
        pose(Shape::Box { half: Vec3::repeat(0.5) }, Vec3::new(1.6, 0.1, 1.6), Vec3::y() * std::f64::consts::FRAC_PI_4, 1.0);
    let t = touches(Spatial, &[tilted, block], 1.0);
    let n = Vec3::new(1.0, 0.0, 1.0).normalize();
    assert!(
        !t.is_empty() && t.iter().any(|t| near(&t.frame.n, &n, 1e-6) && (t.gap - (0.6 * 2f64.sqrt() - 0.5)).abs() < 1e-9),
        "{t:?}"
    );
}

/// A cluster of two boxes is the box they make.
#[test]
fn clusters_touch_with_their_parts() {
    let part =
        |x: f64| PlacedShape { centre: Vec3::new(x, 0.0, 0.0), ..PlacedShape::centred(Shape::Box { half: Vec3::repeat(0.5) }) };
    let placed = PlacedShape::cluster(&[part(0.0), part(1.0)], Spatial).unwrap();
    assert!(near(&placed.centre, &Vec3::new(0.5, 0.0, 0.0), 1e-15));
    let whole = Shape::Box { half: Vec3::new(1.0, 0.5, 0.5) };
    let [one, two] = [&placed.shape, &whole].map(|s| s.mass_properties(3.0, Spatial));
    let turned = placed.orientation * one.inertia;
    assert!((one.mass - two.mass).abs() < 1e-12 && (turned.abs().sum() - two.inertia.sum()).abs() < 1e-12);
    let ground = body(plane(Vec3::z()), 0.0, 0.0, -0.5);
    let all = touches(Spatial, &[Body(placed.shape, Vec3::zeros(), placed.orientation, 1.0), ground], 1e-9);
    let mut keys: Vec<_> = all.iter().map(|t| t.key).collect();
    keys.dedup();
    assert!(all.len() == 8 && keys.len() == 8, "{all:?}");
}

fn measured(shape: &Shape, dimension: Dimension) -> (f64, Vec3) {
    let m = shape.mass_properties(1.0, dimension);
    (m.mass, m.inertia / m.mass)
}

#[test]
fn measures_of_solids() {
    let close = |a: (f64, Vec3), b: (f64, Vec3), e: f64| (a.0 - b.0).abs() < e * b.0 && (a.1 - b.1).norm() < e * b.1.norm();
    let radii = Vec3::new(0.5, 0.7, 1.1);
    let (ellipsoid, two) = (Ellipsoid { radii }, Superellipsoid { radii, across: 2.0, along: 2.0 });
    let of = |m: Measures| (m.volume, m.inertia);
    assert!(close(of(two.measures()), of(ellipsoid.measures()), 1e-12));
    // Exponents p in the section and a large q along z: towards a cylinder on an ellipse; both large: towards a box.
    let boxy = Superellipsoid { radii, across: 400.0, along: 400.0 }.measures();
    assert!(close(of(boxy), measured(&Shape::Box { half: radii }, Spatial), 1e-4));
    let ball_surface = Ellipsoid { radii: Vec3::repeat(2.0) }.measures().surface;
    assert!((ball_surface / (16.0 * std::f64::consts::PI) - 1.0).abs() < 3e-4);
    // A thin hoop has m R², a thin shell 2/3 m R², a wall as thick as can be is the full body.
    let hoop = PlacedShape::hollow_disc(1.0, 1e-9, 1.0).shape;
    assert!((measured(&hoop, Planar).1.z - 1.0).abs() < 1e-8);
    assert!((measured(&PlacedShape::hollow_sphere(1.0, 1e-6).shape, Spatial).1.x - 2.0 / 3.0).abs() < 1e-5);
    assert!(close(measured(&PlacedShape::hollow_sphere(1e-9, 1.0).shape, Spatial), measured(&ball(1.0), Spatial), 1e-6));
    let full = Cylinder { radius: 1.0, half_length: 1.0 }.measures();
    assert!(close(measured(&PlacedShape::hollow_cylinder(1e-9, 1.0, 2.0, false).shape, Spatial), of(full), 1e-6));
    let can = Cylinder { radius: 1.0, half_length: 1.5 }.measures();
    let hole = Cylinder { radius: 0.5, half_length: 1.0 }.measures();
    let closed = measured(&PlacedShape::hollow_cylinder(0.5, 0.5, 2.0, true).shape, Spatial);
    let left = (can.volume - hole.volume, (can.inertia * can.volume - hole.inertia * hole.volume) / (can.volume - hole.volume));
    assert!(close(closed, left, 1e-12));
    // A cube of triangles, off centre, is the cube.
    let shift = Vec3::new(3.0, -2.0, 1.0);
    let vertices: Vec<Vec3> = cube_vertices(0.5).iter().map(|v| v + shift).collect();
    let cube = PlacedShape::surface(&vertices, &cube_triangles()).unwrap();
    assert!(near(&cube.centre, &shift, 1e-12));
    assert!(close(measured(&cube.shape, Spatial), measured(&Shape::Box { half: Vec3::repeat(0.5) }, Spatial), 1e-12));
    let inside_out: Vec<[u32; 3]> = cube_triangles().iter().map(|t| [t[0], t[2], t[1]]).collect();
    assert!(PlacedShape::surface(&vertices, &inside_out).unwrap_err().contains("clockwise as seen from outside"));
}

#[test]
fn needles_and_flat_hulls_are_refused() {
    let line: Vec<Vec3> = (0..5).map(|i| Vec3::new(f64::from(i), 0.0, 0.0)).collect();
    assert!(PlacedShape::hull("Polyhedron", &line, Spatial, 1.0).unwrap_err().to_string().contains("expected"));
    let plate: Vec<Vec3> = (0..4).map(|i| Vec3::new(f64::from(i % 2), f64::from(i / 2), 0.0)).collect();
    assert!(
        PlacedShape::hull("Polyhedron", &plate, Spatial, 1.0).unwrap_err().to_string().contains("expected a shape with a volume")
    );
    assert!(PlacedShape::cluster(&[], Spatial).unwrap_err().contains("no volume"));
    assert!(PlacedShape::cluster(&[PlacedShape::centred(plane(Vec3::z()))], Spatial).unwrap_err().contains("a plane has no end"));
    // A thin needle is a body: it lies on a floor with two points.
    let needle = Shape::Box { half: Vec3::new(1.0, 1e-3, 1e-3) };
    let all = touches(Spatial, &[pose(needle, Vec3::z() * 1e-3, Vec3::zeros(), 1.0), body(floor(2), -1.0, -1.0, 0.0)], 1e-6);
    assert!(!all.is_empty() && all.iter().all(|t| near(&t.frame.n, &Vec3::z(), 1e-9)), "{all:?}");
}

#[test]
fn a_periodic_cell() {
    let at = |x: f64| Body(ball(0.5), Vec3::new(x, 0.0, 0.0), Quat::identity(), 1.0);
    let (shapes, kinematics) = scene(&[at(0.2), at(9.3), at(104.0)]);
    let mut detector = Detector::new(shapes, Spatial, |_, _| true).unwrap().with_periods([Some(10.0), None, None]).unwrap();
    let mut out = Vec::new();
    detector.detect(&kinematics, 0.1, &mut out).unwrap();
    assert_eq!(out.len(), 1);
    let t = &out[0];
    assert!((t.gap + 0.1).abs() < 1e-12 && near(&t.frame.n, &Vec3::x(), 1e-12), "{t:?}");
    assert!(near(&t.arm_candidate, &(-0.45 * Vec3::x()), 1e-12) && near(&t.arm_antagonist, &(0.45 * Vec3::x()), 1e-12));
    let one = |shape: Shape, periods| {
        let shapes = Arc::new(Shapes(vec![shape]));
        Detector::new(shapes, Spatial, |_, _| true).unwrap().with_periods(periods).map(|_| ()).unwrap_err().to_string()
    };
    assert!(one(ball(3.0), [None, Some(10.0), None]).contains("half the period of 10 m along y or more"));
    // Two of them touch on both sides at once.
    assert!(one(ball(2.5), [None, Some(10.0), None]).contains("half the period of 10 m along y or more"));
    assert!(one(ball(3.0), [Some(-1.0), None, None]).contains("expected a length above zero"));
    let (shapes, kinematics) = scene(&[body(plane(Vec3::x()), 0.0, 0.0, 0.0)]);
    let mut detector = Detector::new(shapes, Spatial, |_, _| true).unwrap().with_periods([Some(10.0), None, None]).unwrap();
    let error = detector.detect(&kinematics, 0.1, &mut out).unwrap_err().to_string();
    assert!(error.contains("across the periodic axis x"), "{error}");
}
