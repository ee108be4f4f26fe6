//! Edges and corners of closed surfaces against convex bodies, apart and slightly overlapping: gap and normal are those of the hull that the surface
//! encloses, and nothing else is in the way.

use mpcd_core::{Dimension::Spatial, Quat, Vec3};
use mpcd_geometry::{PlacedShape, Random, Shape, Touch};

use crate::{
    Body, body,
    families::stone,
    near,
    solids::{convex, cube_triangles, cube_vertices, cylinder, farthest},
    touches,
};

/// From the second body to the first.
fn normal(t: &Touch) -> Vec3 {
    if t.key.candidate.0 == 0 { t.frame.n } else { -t.frame.n }
}

fn cube() -> Shape {
    PlacedShape::surface(&cube_vertices(0.5), &cube_triangles()).unwrap().shape
}

fn rotated(axis: Vec3, angle: f64) -> Quat {
    Quat::from_scaled_axis(axis.normalize() * angle)
}

fn lowest(all: &[Touch]) -> Option<Touch> {
    all.iter().copied().min_by(|a, b| a.gap.total_cmp(&b.gap))
}

/// Any convex body at any place about a stone: as near as a step comes, as far into it as a solve leaves, and deeper.
#[test]
fn a_closed_surface_touches_as_its_hull() {
    let mut r = Random::new(7);
    let mut compared = 0;
    for trial in 0..300 {
        let [surface, hull] = stone(trial + 1);
        let shape = convex(1 + trial as usize % 6, trial);
        let mut vector = |most: f64| Vec3::from_fn(|_, _| r.within(-most, most));
        let (way, turn, turned) = (vector(1.0).normalize(), vector(3.0), vector(3.0));
        let all = |other: &Shape, at: Vec3, alert: f64| {
            let one = Body(shape.clone(), at, Quat::from_scaled_axis(turn), 1.0);
            touches(Spatial, &[one, Body(other.clone(), Vec3::zeros(), Quat::from_scaled_axis(turned), 1.0)], alert)
        };
        // Moved straight up to it, until the gap is as asked: then no two features are as near as each other. Two hulls that overlap edge on edge by next to nothing pass each other.
        let brought = |gap: f64| {
            let mut at = 5.0 * way;
            for _ in 0..200 {
                let t = lowest(&all(&hull, at, 20.0))?;
                if (t.gap - gap).abs() < 1e-12 {
                    return Some((at, t));
                }
                at -= (t.gap - gap) / way.dot(&normal(&t)) * way;
            }
            None
        };
        for gap in [1e-4, 1e-9, -1e-9, -1e-6, -1e-4] {
            let Some((at, want)) = brought(gap) else { continue };
            compared += 1;
            let found = all(&surface, at, 1e-3);
            let few: Vec<_> = found.iter().map(|t| (t.gap, normal(t), t.point)).collect();
            let what =
                format!("trial {trial}, {} at {gap}: {few:?}, expected {:?} at {:?}", shape.name(), normal(&want), want.point);
            assert!(lowest(&found).is_some_and(|t| (t.gap - gap).abs() < 1e-8), "{what}");
            // What else is near may be foreseen, not in the way.
            for t in found {
                let same = near(&normal(&t), &normal(&want), 1e-3);
                assert!(same || t.gap > 0.0, "{what}, and {t:?}");
            }
        }
    }
    assert!(compared > 1400, "{compared}");
}

/// A cube with an edge, a corner or a face down on flat faces of many kinds, level and tilted: what is lowest of it within the alert distance touches, with
/// the normal of the face.
#[test]
fn a_cube_on_flat_faces() {
    let base = [Vec3::new(-3.0, -2.0, -0.3), Vec3::new(3.0, -2.0, -0.3), Vec3::new(0.1, 3.0, -0.3), Vec3::new(0.0, 0.2, -1.5)];
    let hull = PlacedShape::hull("Polyhedron", &base, Spatial, 1.0).unwrap();
    let floors = [
        body(cylinder(1.5, 0.3), 0.0, 0.0, 0.0),
        body(Shape::Box { half: Vec3::new(1.5, 1.2, 0.3) }, 0.0, 0.0, 0.0),
        body(Shape::Box { half: Vec3::new(20.0, 30.0, 0.3) }, 15.0, -11.0, 0.0),
        Body(hull.shape, hull.centre, hull.orientation, 1.0),
    ];
    let turns = [
        Quat::identity(),
        rotated(Vec3::y(), std::f64::consts::FRAC_PI_4),
        rotated(Vec3::y(), 0.9),
        rotated(Vec3::new(1.0, -1.0, 0.0), (1.0 / 3_f64.sqrt()).acos()),
        rotated(Vec3::new(1.0, 2.0, 0.5), 0.8),
    ];
    for (k, floor) in floors.iter().enumerate() {
        let top = farthest(floor, &Vec3::z()).z;
        for turn in &turns {
            for tilt in [0.0, 1e-7, 1e-5, 1e-4] {
                for gap in [1e-4, 0.0, -1e-9, -1e-6, -1e-4] {
                    let q = rotated(Vec3::new(0.3, 1.0, 0.2), tilt) * rotated(Vec3::z(), 0.3) * turn;
                    let corners: Vec<Vec3> = cube_vertices(0.5).iter().map(|v| q * v).collect();
                    let low = corners.iter().map(|v| v.z).fold(f64::INFINITY, f64::min);
                    let at = Vec3::new(0.05, 0.02, top + gap - low);
                    let all = touches(Spatial, &[Body(cube(), at, q, 1.0), floor.clone()], 1e-3);
                    let what = format!("floor {k}, turned {turn}, tilted {tilt}, gap {gap}: {all:?}");
                    for c in corners.iter().filter(|v| v.z - low < 9e-4 - gap.max(0.0)) {
                        let (place, height) = (at + c, c.z - low + gap);
                        let touched = |t: &Touch| {
                            (t.point - place).norm() < 1e-3
                                && (t.gap - height).abs() < 1e-9 + 1e-3 * tilt
                                && normal(t).z.abs() > 1.0 - 1e-6
                        };
                        assert!(all.iter().any(touched), "the corner at {place:?}: {what}");
                    }
                    assert!(all.iter().all(|t| t.gap >= gap - 1e-9), "{what}");
                    assert!(all.iter().all(|t| t.gap > 1e-5 || normal(t).z.abs() > 1.0 - 1e-6), "{what}");
                }
            }
        }
    }
}

/// A box over the edge of a slab touches it with its face, from the first tilt on.
#[test]
fn a_box_tips_over_an_edge() {
    let slab = body(cube(), 0.0, 0.0, -0.5);
    for tilt in [2e-3, 1e-2, 0.1, 0.5, 0.9] {
        for gap in [1e-5, 0.0, -1e-9, -1e-6] {
            let q = rotated(Vec3::y(), tilt);
            let n = q * Vec3::z();
            let at = Vec3::new(0.5, 0.03, 0.0) + q * Vec3::new(0.05, 0.0, 0.05 + gap);
            let one = Body(Shape::Box { half: Vec3::new(0.2, 0.1, 0.05) }, at, q, 1.0);
            let all = touches(Spatial, &[one, slab.clone()], 1e-4);
            let ends = [-0.07, 0.13].map(|y| Vec3::new(0.5, y, 0.0));
            let what = format!("tilt {tilt}, gap {gap}: {all:?}");
            for end in ends {
                assert!(all.iter().any(|t| near(&t.point, &end, 1e-4) && (t.gap - gap).abs() < 1e-9), "{end:?}: {what}");
            }
            assert!(all.iter().all(|t| near(&normal(t), &n, 1e-7)), "{what}");
        }
    }
}

/// Beside the border of a floor the cube's faces have the floor's side before them, behind them or past them; none of it is in the way.
#[test]
fn the_far_side_of_a_floor_is_not_in_the_way() {
    let q = rotated(Vec3::new(1.0, -1.0, 0.1), 0.9);
    let low = cube_vertices(0.5).iter().map(|v| (q * v).z).fold(f64::INFINITY, f64::min);
    for half in [1.0, 3.0, 20.0] {
        for x in [-0.9, -0.5, 0.0, 0.5, 0.9] {
            let floor = body(Shape::Box { half: Vec3::new(half, half, 0.5) }, x * half, 0.3 * half, -0.5);
            for depth in [1e-9, 1e-6, 1e-3] {
                let all = touches(Spatial, &[Body(cube(), Vec3::new(0.0, 0.0, -low - depth), q, 1.0), floor.clone()], 1e-2);
                let deep: Vec<_> = all.iter().filter(|t| t.gap < 0.0).collect();
                assert!(deep.len() == 1 && near(&normal(deep[0]), &Vec3::z(), 1e-9), "{half}, {x}, {depth}: {all:?}");
                assert!((deep[0].gap + depth).abs() < 1e-12, "{half}, {x}, {depth}: {all:?}");
            }
        }
    }
}
