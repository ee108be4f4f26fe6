//! Bodies over flush neighbours: the edge that two bodies have and their union has not is no contact; every edge and face that the
//! union has is one.

use std::sync::Arc;

use crate::{Body, ball, body, disc, solids::cylinder, touches};
use mpcd_core::{
    Dimension::{self, Planar, Spatial},
    Quat, Vec3,
};
use mpcd_geometry::{Core, Measures, Part, PlacedShape, Shape, Solid, Touch};

const R: f64 = 0.04;
const ALERT: f64 = 0.01;

fn tile() -> Shape {
    Shape::Box { half: Vec3::new(0.05, 0.25, 0.05) }
}

/// The tile as other shapes have it.
fn tiles() -> Vec<Shape> {
    let corners: Vec<Vec3> = (0..8)
        .map(|i| Vec3::new(0.05, 0.25, 0.05).zip_map(&Vec3::from_fn(|k, _| f64::from(i >> k & 1)), |h, b| h * (2.0 * b - 1.0)))
        .collect();
    let hull = PlacedShape::hull("Polyhedron", &corners, Spatial, 1.0).unwrap();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3]];
    let triangles: Vec<[u32; 3]> = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
    let surface = PlacedShape::surface(&corners, &triangles).unwrap();
    let turned = |p: PlacedShape| (p.orientation.angle() < 1e-9).then_some(p.shape);
    [Some(tile()), turned(hull), turned(surface)].into_iter().flatten().collect()
}

/// Moves everything by the same motion.
fn moved(bodies: &[Body], q: &Quat, shift: &Vec3) -> Vec<Body> {
    bodies.iter().map(|b| Body(b.0.clone(), q * b.1 + shift, q * b.2, b.3)).collect()
}

/// Contacts with the last body.
fn of_last(dimension: Dimension, bodies: &[Body]) -> Vec<Touch> {
    let last = bodies.len() - 1;
    let mut all = touches(dimension, bodies, ALERT);
    all.retain(|t| t.key.candidate.index() == last || t.key.antagonist.index() == last);
    all
}

/// The normal towards the last body.
fn up(t: &Touch, bodies: &[Body]) -> Vec3 {
    if t.key.candidate.index() == bodies.len() - 1 { t.frame.n } else { -t.frame.n }
}

/// What moves over the tiles, with the height of its centre.
fn movers() -> Vec<(Shape, Quat, f64)> {
    let across = Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2);
    let along = Quat::from_axis_angle(&Vec3::z_axis(), std::f64::consts::FRAC_PI_2);
    vec![
        (ball(R), Quat::identity(), R),
        (cylinder(R, 0.05), across, R),
        (cylinder(R, 0.02), Quat::identity(), 0.02),
        (PlacedShape::capsule(R, 0.1, Spatial).unwrap().shape, along, R),
        (PlacedShape::capsule(R, 0.01, Spatial).unwrap().shape, Quat::identity(), R),
        (Shape::Box { half: Vec3::new(0.03, 0.02, 0.01) }, Quat::identity(), 0.01),
    ]
}

/// Whatever rounding has turned a box by, and whichever of its corners is lowest towards the side of a tile: it is on the tops alone.
#[test]
fn a_box_over_tiles_of_a_surface_feels_their_tops_alone() {
    let Some(tile) = tiles().into_iter().find(|t| t.name() == "Surface") else { unreachable!("made above") };
    let at = |x: f64, z: f64| Body(tile.clone(), Vec3::new(x, 0.0, z), Quat::identity(), 1.0);
    for exponent in [-15, -14, -13, -12, -10, -8] {
        for signs in 0..4 {
            let part = |bit: i32| 10.0_f64.powi(exponent) * if signs >> bit & 1 == 0 { 1.0 } else { -1.0 };
            let q = Quat::from_scaled_axis(Vec3::new(1.4 * part(0), 0.9 * part(1), 0.0));
            for x in [0.021, 0.0215, 0.028, 0.05, 0.0785] {
                let slider = Body(Shape::Box { half: Vec3::new(0.03, 0.02, 0.01) }, Vec3::new(x, 0.0, 0.01), q, 1.0);
                // the second tile stands a rounding error higher
                let scene = [at(0.0, -0.05), at(0.1, -0.05 + 4e-13), slider];
                for t in of_last(Spatial, &scene) {
                    assert!((up(&t, &scene) - Vec3::z()).norm() < 2e-4, "turned by {q:?}, at {x}: {t:?}");
                }
            }
        }
    }
}

#[test]
fn a_body_over_flush_tiles_feels_a_floor() {
    for tile in tiles() {
        // On pieces of a surface the ball alone.
        let all = if tile.name() == "Surface" { 1 } else { usize::MAX };
        for (shape, q, height) in movers().into_iter().take(all) {
            for (k, sunk) in [0.0, 1e-12, 1e-8, 3e-6, -1e-4].into_iter().enumerate() {
                for s in [0.0, 1e-9, 1e-5, 3e-4, 2e-3, 0.011, 0.03, 0.0301, 0.0403] {
                    let turn = Quat::from_scaled_axis(Vec3::new(0.3, -1.2, 0.7) * k as f64);
                    let shift = Vec3::new(10.0, -1e3, 3.0) * k as f64;
                    let at = |x: f64, z: f64| Body(tile.clone(), Vec3::new(x, 0.0, z), Quat::identity(), 1.0);
                    // The second tile stands a rounding error higher.
                    let scene = [
                        at(-0.05, -0.05),
                        at(0.05, -0.05 + 1e-12),
                        Body(shape.clone(), Vec3::new(-s, 0.0, height - sunk), q, 1.0),
                    ];
                    let scene = moved(&scene, &turn, &shift);
                    let found = of_last(Spatial, &scene);
                    assert!(!found.is_empty(), "{} on {}, sunk {sunk}, at {s}", shape.name(), tile.name());
                    for t in &found {
                        let tilt = turn.inverse() * up(t, &scene);
                        let slight = (tilt - Vec3::z()).norm() < 2e-4;
                        assert!(slight, "{} on {}, sunk {sunk}, at {s}: {tilt:?}", shape.name(), tile.name());
                    }
                }
            }
        }
    }
}

#[test]
fn a_disc_over_flush_walls_and_polygons_feels_a_floor() {
    let wall = |r: f64| Shape::Segment { half: 0.05 * Vec3::x(), thickness_radius: r };
    let corners = [[-0.05, -0.02], [0.05, -0.02], [0.05, 0.02], [-0.05, 0.02]].map(|[x, y]| Vec3::new(x, y, 0.0));
    let polygon = PlacedShape::hull("Polygon", &corners, Planar, 1.0).unwrap().shape;
    let flat = Shape::Box { half: Vec3::new(0.05, 0.02, 0.5) };
    let cases = [(wall(0.0), 0.0), (wall(0.01), 0.01), (polygon, 0.02), (flat, 0.02)];
    let square = Shape::Box { half: Vec3::new(0.03, R, 0.5) };
    for (tile, top) in cases {
        for mover in [disc(R), square.clone()] {
            for s in [0.0, 1e-9, 1e-4, 2e-3, 0.02, 0.0301] {
                for q in [0.0, 0.4, 2.0].map(|a| Quat::from_axis_angle(&Vec3::z_axis(), a)) {
                    let scene = [
                        body(tile.clone(), -0.05, -top, 0.0),
                        body(tile.clone(), 0.05, -top, 0.0),
                        body(mover.clone(), -s, R - 1e-7, 0.0),
                    ];
                    let scene = moved(&scene, &q, &Vec3::x());
                    let found = of_last(Planar, &scene);
                    let normals: Vec<Vec3> = found.iter().map(|t| q.inverse() * up(t, &scene)).collect();
                    assert!(
                        !normals.is_empty() && normals.iter().all(|n| (n - Vec3::y()).norm() < 2e-4),
                        "{} {s} {normals:?}",
                        tile.name()
                    );
                }
            }
        }
    }
}

/// The parts of one composed body.
#[test]
fn a_ball_over_a_floor_of_one_cluster() {
    let part = |x: f64| Part::new(Core::clone(solid_of(&tiles()[1])), Vec3::new(x, 0.0, 0.0), Quat::identity());
    let floor = |gap: f64| {
        let core = Core::Cluster(Arc::from([part(-0.05 - gap), part(0.05 + gap)]));
        Shape::Solid(Arc::new(Solid::new("Cluster", core, Measures::default())))
    };
    let count = |gap: f64| of_last(Spatial, &[body(floor(gap), 0.0, 0.0, -0.05), body(ball(R), -0.003, 0.0, R)]).len();
    assert_eq!(count(0.0), 1);
    assert_eq!(count(5e-4), 2);
}

fn solid_of(shape: &Shape) -> &Core {
    let Shape::Solid(solid) = shape else { panic!("not a solid") };
    solid.core()
}

/// A ball at `x` over two tiles, the second one shifted and turned about the upper edge between them.
fn over(x: f64, height: f64, shift: Vec3, tilt: f64) -> Vec<Vec3> {
    let q = Quat::from_axis_angle(&Vec3::y_axis(), tilt);
    let scene = [
        body(tile(), -0.05, 0.0, -0.05),
        Body(tile(), shift + q * Vec3::new(0.05, 0.0, -0.05), q, 1.0),
        body(ball(R), x, 0.0, height),
    ];
    let mut found = of_last(Spatial, &scene);
    found.sort_by_key(|t| t.key.antagonist);
    found.iter().map(|t| t.frame.n).collect()
}

#[test]
fn steps_gaps_ramps_and_ends_are_met() {
    let none = Vec3::zeros();
    // Flush: one contact. A step up, a gap, a ramp: the second one is met, with a normal against the motion.
    assert_eq!(over(-0.004, R, none, 0.0), [Vec3::z()]);
    for (shift, tilt) in [(1e-3 * Vec3::z(), 0.0), (1e-3 * Vec3::x(), 0.0), (none, -0.3), (none, -0.02)] {
        let found = over(-0.004, R, shift, tilt);
        assert!(found.len() == 2 && found[0] == Vec3::z() && found[1].x < -0.0199, "{shift:?} {tilt}: {found:?}");
        // A ramp by its own normal, not by that of its edge.
        let ramp = Vec3::new(tilt.sin(), 0.0, tilt.cos());
        assert!(tilt == 0.0 || (found[1] - ramp).norm() < 1e-12, "{tilt}: {found:?}");
    }
    // A step down and a slope down are none while the ball is on the first.
    assert_eq!(over(-0.004, R, -1e-3 * Vec3::z(), 0.0), [Vec3::z()]);
    assert_eq!(over(-0.004, R, none, 0.3), [Vec3::z()]);
    // Beyond the ridge the second is met by its face, and the ridge no more.
    let beyond = over(R * 0.31_f64.sin(), R * 0.31_f64.cos(), none, 0.3);
    assert!(beyond.len() == 1 && (beyond[0].x - 0.3_f64.sin()).abs() < 1e-9, "{beyond:?}");
    // Between two edges a ball falls until both hold it.
    let gap = over(0.01, 0.035, 0.02 * Vec3::x(), 0.0);
    assert!(gap.len() == 2 && gap[0].x > 0.2 && gap[1].x < -0.2, "{gap:?}");
    // At the end of a floor the edge is met.
    let end = over(0.01, 0.0387, Vec3::x(), 0.0);
    assert!(end.len() == 1 && end[0].x > 0.2, "{end:?}");
}

/// A brick that is pushed along a floor against another one keeps its points on both; a wall keeps all.
#[test]
fn bricks_on_a_floor_and_in_a_wall_keep_their_points() {
    let brick = Shape::Box { half: Vec3::new(0.1, 0.05, 0.03) };
    let count = |bodies: &[Body]| touches(Spatial, bodies, 1e-4).len();
    for sunk in [0.0, 1e-9, 1e-5] {
        let floor = body(Shape::Box { half: Vec3::new(1.0, 1.0, 0.1) }, 0.0, 0.0, -0.1);
        let two = [body(brick.clone(), -0.1, 0.0, 0.03 - sunk), body(brick.clone(), 0.1, 0.0, 0.03 - sunk), floor];
        assert_eq!(count(&two), 12);
        // Two courses in running bond: 2 × 4 below, 4 between the two, 2 × 4 on top.
        let [a, b, floor] = two;
        assert_eq!(count(&[a, b, floor, body(brick.clone(), 0.0, 0.0, 0.09 - 2.0 * sunk)]), 20);
    }
}

/// A toe that slides along the floor meets the foot of what stands on it, though the floor holds the point too: sharp as it is, it comes under the
/// foot, with the normal of the face that rises from it. Floor and foot together hold it.
#[test]
fn a_toe_on_the_floor_meets_the_foot_of_a_brick() {
    let corners = [[0.0, 0.0], [-0.2, 0.0], [-0.2, 0.1]].map(|[x, y]| Vec3::new(x, y, 0.0));
    let wedge = PlacedShape::hull("Polygon", &corners, Planar, 1.0).unwrap();
    let floor = body(Shape::Box { half: Vec3::new(1.0, 0.1, 0.5) }, 0.0, -0.1, 0.0);
    let brick = body(Shape::Box { half: Vec3::new(0.05, 0.05, 0.5) }, 0.05, 0.05, 0.0);
    let scene = [floor, brick, Body(wedge.shape, wedge.centre - 2e-3 * Vec3::x(), wedge.orientation, 1.0)];
    let normals: Vec<Vec3> = of_last(Planar, &scene).iter().map(|t| up(t, &scene)).collect();
    let under = -Vec3::new(0.1, 0.2, 0.0).normalize();
    assert!(normals.iter().any(|n| (n - under).norm() < 1e-9), "{normals:?}");
    assert_eq!(normals.iter().filter(|n| (*n - Vec3::y()).norm() < 1e-9).count(), 2);
}

/// Where a ramp begins flush with the floor the two make a hollow corner: what comes along the floor meets the face that rises, from as far as its
/// gap along that face's normal, whatever the ramp ends with.
#[test]
fn a_ramp_that_begins_flush_is_met_by_its_face() {
    let boxes = |dimension: Dimension| {
        let half = Vec3::new(0.5, 0.25, if dimension == Planar { 0.5 } else { 0.25 });
        (half, Shape::Box { half })
    };
    // Sharp bodies that overlap sideways by less than this do not touch there.
    let graze = 1e-4 * R * 3.0_f64.sqrt();
    for dimension in [Planar, Spatial] {
        let (half, long) = boxes(dimension);
        let floor = body(long.clone(), -0.5, -0.25, 0.0);
        let small = Shape::Box { half: Vec3::new(R, R, if dimension == Planar { 0.5 } else { 0.1 }) };
        let lying = PlacedShape::capsule(R, 0.1, dimension).unwrap().shape;
        let round = if dimension == Planar { disc(R) } else { ball(R) };
        let mut movers = vec![(small, Quat::identity(), 0.0), (round, Quat::identity(), R)];
        if dimension == Spatial {
            movers.push((cylinder(R, 0.05), Quat::identity(), R));
            movers.push((lying, Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2), R));
        }
        for angle in [0.05_f64, 0.3, 0.9, 1.4] {
            let n = Vec3::new(-angle.sin(), angle.cos(), 0.0);
            let q = Quat::from_axis_angle(&Vec3::z_axis(), angle);
            let turned = Body(long.clone(), q * Vec3::new(half.x, -half.y, 0.0), q, 1.0);
            // The same slope on a piece that ends upright, level with the end of the floor.
            let flat = [[0.0, 0.0], [angle.cos(), angle.sin()], [angle.cos(), -0.4], [0.0, -0.4]];
            let depths: &[f64] = if dimension == Planar { &[0.0] } else { &[-0.25, 0.25] };
            let corners: Vec<Vec3> = depths.iter().flat_map(|z| flat.map(|[x, y]| Vec3::new(x, y, *z))).collect();
            let wedge =
                PlacedShape::hull(if dimension == Planar { "Polygon" } else { "Polyhedron" }, &corners, dimension, 1.0).unwrap();
            let wedge = Body(wedge.shape, wedge.centre, wedge.orientation, 1.0);
            for ramp in [turned, wedge] {
                for (shape, q, r) in &movers {
                    for s in [1e-5, 1e-3, 1.5 * R * angle.tan()] {
                        for sunk in [0.0, 1e-8] {
                            // A box with its toe at −s; something round with its centre above it.
                            let x = if *r > 0.0 { -s } else { -R - s };
                            let scene = [floor.clone(), ramp.clone(), Body(shape.clone(), Vec3::new(x, R - sunk, 0.0), *q, 1.0)];
                            let found = of_last(dimension, &scene);
                            let normals: Vec<Vec3> = found.iter().map(|t| up(t, &scene)).collect();
                            let of = |m: &Vec3| normals.iter().filter(|n| (*n - m).norm() < 2e-4).count();
                            let what = format!("{dimension:?} {} {angle} {s} {sunk}: {normals:?}", shape.name());
                            // Beyond the middle of the angle something round is nearer to the ramp than to the corner, by its own doing.
                            assert!(of(&Vec3::y()) > 0 && of(&Vec3::y()) + of(&n) == found.len(), "{what}");
                            let want = if *r > 0.0 {
                                n.dot(&Vec3::new(-s, R - sunk, 0.0)) - R
                            } else {
                                s * angle.sin() - sunk * angle.cos()
                            };
                            assert!(of(&n) > 0 || want > 0.99 * ALERT || want < graze || (*r == 0.0 && s > ALERT), "{what}");
                            for t in found.iter().zip(&normals).filter(|(_, m)| (*m - n).norm() < 2e-4).map(|(t, _)| t) {
                                assert!((t.gap - want).abs() < 1e-9 + 2.0 * sunk, "{what}: gap {} for {want}", t.gap);
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A floor and a ramp that begins `up` above its end, as two bodies and as parts of one.
fn ramps(dimension: Dimension, angle: f64, up: f64) -> [Vec<Body>; 2] {
    let depths: &[f64] = if dimension == Planar { &[0.0] } else { &[-0.25, 0.25] };
    let corners: Vec<Vec3> = [[0.0, 0.0], [1.0, 0.0], [1.0, -0.4], [0.0, -0.4]]
        .iter()
        .flat_map(|&[x, y]| depths.iter().map(move |z| Vec3::new(x, y, *z)))
        .collect();
    let hull = PlacedShape::hull(if dimension == Planar { "Polygon" } else { "Polyhedron" }, &corners, dimension, 1.0).unwrap();
    let turn = Quat::from_axis_angle(&Vec3::z_axis(), angle);
    let at = |q: Quat, shift: Vec3| Body(hull.shape.clone(), q * hull.centre + shift, q * hull.orientation, 1.0);
    let two = vec![at(Quat::identity(), -Vec3::x()), at(turn, up * Vec3::y())];
    let part = |b: &Body| Part::new(Core::clone(solid_of(&b.0)), b.1, b.2);
    let core = Core::Cluster(two.iter().map(part).collect());
    let one = body(Shape::Solid(Arc::new(Solid::new("Cluster", core, Measures::default()))), 0.0, 0.0, 0.0);
    [two, vec![one]]
}

/// A floor that goes on beneath a ramp which begins `up` above it: a box that comes out of it, as a body and as a part of one with it, and a wedge that lies on it.
fn ramps_on_a_floor(dimension: Dimension, angle: f64, up: f64) -> [Vec<Body>; 3] {
    let depths: &[f64] = if dimension == Planar { &[0.0] } else { &[-0.25, 0.25] };
    let hull = |corners: &[[f64; 2]], turn: f64, up: f64| {
        let all: Vec<Vec3> = corners.iter().flat_map(|&[x, y]| depths.iter().map(move |z| Vec3::new(x, y, *z))).collect();
        let hull = PlacedShape::hull(if dimension == Planar { "Polygon" } else { "Polyhedron" }, &all, dimension, 1.0).unwrap();
        let q = Quat::from_axis_angle(&Vec3::z_axis(), turn);
        Body(hull.shape.clone(), q * hull.centre + up * Vec3::y(), q * hull.orientation, 1.0)
    };
    let floor = || hull(&[[-1.0, 0.0], [1.0, 0.0], [1.0, -0.4], [-1.0, -0.4]], 0.0, 0.0);
    let ramp = || hull(&[[0.0, 0.0], [1.0, 0.0], [1.0, -0.4], [0.0, -0.4]], angle, up);
    let wedge = hull(&[[0.0, 0.0], [0.5, 0.5 * angle.tan()], [0.5, 0.0]], 0.0, up);
    let part = |b: Body| Part::new(Core::clone(solid_of(&b.0)), b.1, b.2);
    let core = Core::Cluster([floor(), ramp()].map(part).into());
    let one = body(Shape::Solid(Arc::new(Solid::new("Cluster", core, Measures::default()))), 0.0, 0.0, 0.0);
    [vec![floor(), ramp()], vec![one], vec![floor(), wedge]]
}

/// What comes along the floor with its toe at −s, upright or tilted about it.
fn on_toes(dimension: Dimension, s: f64, sunk: f64) -> Vec<Body> {
    let half = Vec3::new(R, R, if dimension == Planar { 0.5 } else { 0.1 });
    let tilted = |tilt: f64| {
        let q = Quat::from_axis_angle(&Vec3::z_axis(), tilt);
        let toe = Vec3::new(half.x, -half.y, 0.0);
        Body(Shape::Box { half }, Vec3::new(-s, -sunk, 0.0) - q * toe, q, 1.0)
    };
    let mut all: Vec<Body> = [0.0, -0.01, -0.2].into_iter().map(tilted).collect();
    if dimension == Spatial {
        let upright = Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2);
        all.push(Body(cylinder(R, R), Vec3::new(-R - s, R - sunk, 0.0), upright, 1.0));
    }
    all
}

/// Two parts of one cluster make a hollow corner as two bodies do, does the floor end there or go on beneath, for what lies on the floor and for what stands on a toe; a step stays one.
#[test]
fn parts_of_a_cluster_make_a_hollow_corner_as_bodies_do() {
    for dimension in [Planar, Spatial] {
        for angle in [0.0017_f64, 0.017, 0.05, 0.3, 0.9] {
            let n = Vec3::new(-angle.sin(), angle.cos(), 0.0);
            let all = |up: f64| ramps(dimension, angle, up).into_iter().chain(ramps_on_a_floor(dimension, angle, up));
            for (s, sunk) in [(1e-4, 0.0), (1e-3, 1e-8), (3e-3, 1e-8), (3e-3, 1e-5)] {
                for (k, mover) in on_toes(dimension, s, sunk).into_iter().enumerate() {
                    let met = |scene: &[Body]| -> (Vec<Vec3>, Vec<f64>) {
                        let scene: Vec<Body> = scene.iter().cloned().chain([mover.clone()]).collect();
                        of_last(dimension, &scene).iter().map(|t| (up(t, &scene), t.gap)).unzip()
                    };
                    for (scene, step) in all(0.0).zip(all(1e-3)) {
                        let (normals, gaps) = met(&scene);
                        let of = |m: &Vec3| normals.iter().filter(|n| (*n - m).norm() < 2e-4).count();
                        let what = format!("{dimension:?}, mover {k}, {} bodies, {angle} {s} {sunk}: {normals:?}", scene.len());
                        assert!(of(&Vec3::y()) > 0 && of(&Vec3::y()) + of(&n) == normals.len(), "{what}");
                        let want = s * angle.sin() - sunk * angle.cos();
                        // Sharp bodies that could slide past each other after a move of less than this do not touch there.
                        let graze = 6e-5;
                        assert!(of(&n) > 0 || want < graze, "{what}");
                        // In space the point is that of the front face which is nearest to the corner, up to 0.2 s above the toe.
                        let up_the_front = if dimension == Spatial { 0.2 * s } else { 0.0 };
                        let of_ramp = gaps.iter().zip(&normals).filter(|(_, m)| (*m - n).norm() < 2e-4).map(|(g, _)| *g);
                        let least = of_ramp.fold(f64::INFINITY, f64::min);
                        assert!(
                            of(&n) == 0 || (least - want).abs() < 1e-9 + 2.0 * sunk + up_the_front,
                            "{what}: gap {least} for {want}"
                        );
                        let (normals, _) = met(&step);
                        assert!(normals.iter().any(|m| m.x < -0.9), "step, {what}: {normals:?}");
                    }
                }
            }
        }
    }
}
