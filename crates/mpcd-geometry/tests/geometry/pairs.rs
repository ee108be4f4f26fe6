//! Contacts of each pair of shapes against values computed by hand; degenerate places; faults of the motion.

use crate::{Body, ball, body, disc, near, touch, touches, try_touches};
use mpcd_core::{
    ContactGeometry::{Flat, Line, Point},
    Dimension::{Planar, Spatial},
    Quat, Vec3,
};
use mpcd_geometry::Shape;

fn segment(hx: f64, hy: f64, r: f64) -> Shape {
    Shape::Segment { half: Vec3::new(hx, hy, 0.0), thickness_radius: r }
}

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Box { half: Vec3::new(x, y, z) }
}

fn plane(x: f64, y: f64, z: f64) -> Shape {
    Shape::Plane { normal: Vec3::new(x, y, z) }
}

#[test]
fn two_balls() {
    let t = touch(Spatial, body(ball(1.0), 0.0, 0.0, 0.0), body(ball(3.0), 0.0, 0.0, 4.4));
    assert_eq!((t.key.candidate.0, t.key.antagonist.0, t.key.feature), (0, 1, 0));
    assert!(near(&t.frame.n, &-Vec3::z(), 0.0) && (t.gap - 0.4).abs() < 1e-15);
    // The gap of 0.4 is shared 1 : 3, the point is at 1 + 0.1 from the first centre.
    assert!(near(&t.arm_candidate, &(1.1 * Vec3::z()), 1e-15) && near(&t.arm_antagonist, &(-3.3 * Vec3::z()), 1e-14));
    assert_eq!(t.geometry, Point { reduced_radius: 0.75, roundness: 1.0 });
    assert_eq!((t.growth_candidate, t.growth_antagonist), (1.0, 3.0));
}

#[test]
fn sizes_scale_radii() {
    let t = touch(Spatial, Body(ball(1.0), Vec3::zeros(), Quat::identity(), 2.0), body(ball(2.0), 5.0, 0.0, 0.0));
    assert_eq!((t.gap, t.geometry), (1.0, Point { reduced_radius: 1.0, roundness: 1.0 }));
    assert_eq!((t.growth_candidate, t.growth_antagonist), (1.0, 2.0));
}

#[test]
fn discs_make_lines_of_the_thinner_thickness() {
    let thin = Shape::Disc { radius: 1.0, thickness: 0.2 };
    assert_eq!(
        touch(Planar, body(disc(1.0), 0.0, 0.0, 0.0), body(thin, 2.0, 0.0, 0.0)).geometry,
        Line { reduced_radius: 0.5, length: 0.2 }
    );
    let on = |other| touch(Planar, body(disc(1.0), 0.0, 1.0, 0.0), body(other, 0.0, 0.0, 0.0)).geometry;
    assert_eq!(on(plane(0.0, 1.0, 0.0)), Line { reduced_radius: 1.0, length: 0.5 });
    assert_eq!(on(segment(3.0, 0.0, 0.1)), Line { reduced_radius: 1.0, length: 0.5 });
    assert_eq!(on(cuboid(1.0, 0.5, 0.1)), Line { reduced_radius: 1.0, length: 0.2 });
    // A sphere on a disc of its size: curvatures 2/R and 1/R.
    let Point { reduced_radius, .. } = on(ball(1.0)) else { panic!("not a point") };
    assert!((reduced_radius - 0.5f64.sqrt()).abs() < 1e-15);
}

/// PHYSICS §1: u = v + ω × arm. A ball that rolls on a plane has no tangential velocity, to the last bit, whatever the gap.
#[test]
fn a_rolling_ball_does_not_slide() {
    for gap in [-1e-3, 0.0, 0.2] {
        let t = touch(Spatial, body(ball(0.3), 7.0, 0.3 + gap, 1.0), body(plane(0.0, 2.0, 0.0), 1.0, 0.0, 0.0));
        let omega = -5.0 * Vec3::z();
        let u = Vec3::new(0.3 * 5.0, 0.0, 0.0) + omega.cross(&t.arm_candidate);
        assert_eq!(t.frame.to_local(&u), Vec3::zeros(), "{gap}");
    }
}

#[test]
fn gears_do_not_slide() {
    let t = touch(Planar, body(disc(1.0), 0.0, 0.0, 0.0), body(disc(3.0), 2.64, 3.52, 0.0));
    let u = (3.0 * Vec3::z()).cross(&t.arm_candidate) - (-1.0 * Vec3::z()).cross(&t.arm_antagonist);
    assert!(u.norm() < 1e-14, "{u}");
}

#[test]
fn a_ball_at_a_segment_meets_its_side_or_its_ends() {
    let wall = body(segment(2.0, 0.0, 0.1), 0.0, 0.0, 0.0);
    let side = touch(Planar, body(disc(0.5), 1.0, 1.0, 0.0), &wall);
    assert!(near(&side.frame.n, &Vec3::y(), 1e-15) && (side.gap - 0.4).abs() < 1e-15);
    assert!(near(&side.point, &Vec3::new(1.0, 0.5, 0.0), 1e-15));
    // Beyond the end at (2, 0): 3-4-5.
    let end = touch(Planar, body(disc(0.5), 2.3, 0.4, 0.0), &wall);
    assert!(near(&end.frame.n, &Vec3::new(0.6, 0.8, 0.0), 1e-15) && (end.gap + 0.1).abs() < 1e-15);
    let Line { reduced_radius, length } = end.geometry else { panic!("not a line") };
    assert!((reduced_radius - 0.05 / 0.6).abs() < 1e-15 && length == 0.5);
    assert!(near(&(end.arm_candidate + Vec3::new(2.3, 0.4, 0.0)), &end.arm_antagonist, 1e-15));
    // In space the side is curved across the axis, the ends both ways.
    let side = touch(Spatial, body(ball(0.5), 1.0, 0.0, 1.0), &wall);
    let Point { reduced_radius, .. } = side.geometry else { panic!("not a point") };
    assert!((reduced_radius - 1.0 / (12.0f64 * 2.0).sqrt()).abs() < 1e-15);
    // A wall without thickness counts as flat, also at its ends.
    let thin = body(segment(2.0, 0.0, 0.0), 0.0, 0.0, 0.0);
    assert_eq!(touch(Spatial, body(ball(0.5), 3.0, 0.0, 0.0), thin).geometry, Point { reduced_radius: 0.5, roundness: 1.0 });
}

#[test]
fn a_ball_at_a_box_meets_faces_edges_and_corners() {
    let block = Body(
        cuboid(1.0, 2.0, 3.0),
        Vec3::new(5.0, 0.0, 0.0),
        Quat::from_axis_angle(&Vec3::z_axis(), std::f64::consts::FRAC_PI_2),
        1.0,
    );
    // Turned by a quarter: half edges 2, 1, 3 in world axes.
    let face = touch(Spatial, body(ball(0.5), 5.5, 1.75, 1.0), &block);
    assert!(near(&face.frame.n, &Vec3::y(), 1e-15) && (face.gap - 0.25).abs() < 1e-14);
    let edge = touch(Spatial, body(ball(0.5), 7.3, 1.4, -2.0), &block);
    assert!(near(&edge.frame.n, &Vec3::new(0.6, 0.8, 0.0), 1e-14) && edge.gap.abs() < 1e-14);
    let corner = touch(Spatial, body(ball(1.0), 3.0 - 2.0, -1.0 - 3.0, 3.0 + 6.0), &block);
    assert!(near(&corner.frame.n, &(Vec3::new(-2.0, -3.0, 6.0) / 7.0), 1e-14) && (corner.gap - 6.0).abs() < 1e-14);
    assert_eq!(corner.geometry, Point { reduced_radius: 1.0, roundness: 1.0 });
}

#[test]
fn a_centre_inside_a_box_leaves_through_the_nearest_face() {
    let block = body(cuboid(1.0, 2.0, 3.0), 0.0, 0.0, 0.0);
    let t = touch(Spatial, body(ball(0.5), 0.2, -1.7, 2.0), &block);
    assert!(near(&t.frame.n, &-Vec3::y(), 0.0) && (t.gap + 0.3 + 0.5).abs() < 1e-15);
    // In a planar model a thin box does not let it out through its z faces.
    let sheet = body(cuboid(1.0, 2.0, 1e-3), 0.0, 0.0, 0.0);
    let t = touch(Planar, body(ball(0.5), -0.6, 0.1, 0.0), sheet);
    assert!(near(&t.frame.n, &-Vec3::x(), 0.0) && (t.gap + 0.4 + 0.5).abs() < 1e-15);
    assert_eq!(t.frame.s(), Vec3::z());
    // Just outside and just inside give one normal and one gap.
    let [out, inside] = [1e-9, -1e-9].map(|d| touch(Spatial, body(ball(0.5), 1.0 + d, 0.3, 0.3), &block));
    assert!(near(&out.frame.n, &inside.frame.n, 1e-12) && (out.gap - inside.gap).abs() < 3e-9);
}

#[test]
fn a_block_stands_on_its_face() {
    let ground = body(plane(0.0, 0.0, 2.0), 9.0, 9.0, 0.0);
    let block = body(cuboid(1.0, 2.0, 3.0), 0.0, 0.0, 3.0);
    let all = touches(Spatial, &[ground, block], 0.01);
    assert_eq!(all.iter().map(|t| t.key.feature).collect::<Vec<_>>(), [0, 1, 2, 3]);
    for t in &all {
        assert_eq!((t.key.candidate.0, t.key.antagonist.0), (1, 0));
        assert_eq!((t.frame.n, t.gap, t.geometry), (Vec3::z(), 0.0, Flat { area: 2.0 }));
        assert_eq!(t.arm_candidate.abs(), Vec3::new(1.0, 2.0, 3.0));
        assert!(near(&(t.arm_antagonist + Vec3::new(9.0, 9.0, 0.0)), &t.point, 0.0));
        assert_eq!(t.growth_candidate, 3.0);
    }
    // On an edge two points, on a corner one.
    let tilted = |q: Quat| Body(cuboid(1.0, 1.0, 1.0), Vec3::zeros(), q, 1.0);
    let lowest = |b: Body, count: usize| {
        let all = touches(Spatial, &[body(plane(0.0, 0.0, 1.0), 0.0, 0.0, -2.0), b], 2.0);
        let mut gaps: Vec<f64> = all.iter().map(|t| t.gap).collect();
        gaps.sort_by(f64::total_cmp);
        gaps.iter().filter(|g| **g < gaps[0] + 1e-9).count() == count
    };
    assert!(lowest(tilted(Quat::from_axis_angle(&Vec3::x_axis(), 0.3)), 2));
    assert!(lowest(tilted(Quat::from_euler_angles(0.3, 0.2, 0.1)), 1));
}

#[test]
fn a_planar_block_stands_on_two_points() {
    let block = Body(cuboid(1.0, 2.0, 0.25), Vec3::new(0.0, 2.0, 0.0), Quat::identity(), 2.0);
    let ground = body(plane(0.0, 1.0, 0.0), 0.0, -2.0, 0.0);
    let all = touches(Planar, &[block, ground], 0.01);
    assert_eq!(all.iter().map(|t| (t.key.feature, t.gap)).collect::<Vec<_>>(), [(0, 0.0), (1, 0.0)]);
    // The edge is 4 long at size 2, the thickness stays 0.5.
    assert!(all.iter().all(|t| t.geometry == Flat { area: 1.0 } && t.point.z == 0.0 && t.frame.s() == Vec3::z()));
}

#[test]
fn degenerate_places_have_a_stated_normal() {
    let at = |shape| body(shape, 0.5, 0.25, 0.0);
    let normal = |dimension, a, b| {
        let t = touch(dimension, at(a), at(b));
        assert!([t.point, t.frame.t, t.frame.s(), t.arm_candidate, t.arm_antagonist].iter().all(|v| v.norm().is_finite()));
        assert!((t.frame.n.norm() - 1.0).abs() < 1e-15);
        t.frame.n
    };
    assert_eq!(normal(Spatial, ball(1.0), ball(2.0)), Vec3::z());
    assert_eq!(normal(Planar, disc(1.0), disc(2.0)), Vec3::y());
    assert_eq!(normal(Planar, disc(1.0), segment(2.0, 0.0, 0.0)), Vec3::y());
    assert!(normal(Spatial, ball(1.0), segment(2.0, 0.0, 0.1)).x.abs() < 1e-15);
    assert_eq!(normal(Spatial, ball(1.0), cuboid(2.0, 1.0, 3.0)), Vec3::y());
    assert_eq!(normal(Spatial, ball(1.0), plane(0.0, 0.0, -3.0)), -Vec3::z());
}

#[test]
fn a_planar_model_does_not_look_at_z() {
    let t = touch(Planar, body(disc(1.0), 0.0, 0.0, 0.7), body(disc(1.0), 3.0, 0.0, -0.7));
    assert_eq!((t.gap, t.point.z, t.arm_candidate.z, t.arm_antagonist.z), (1.0, 0.0, 0.0, 0.0));
}

#[test]
fn planes_leave_each_other_alone() {
    let all = touches(Spatial, &[body(plane(0.0, 0.0, 1.0), 0.0, 0.0, 0.0), body(plane(1.0, 0.0, 0.0), 0.0, 0.0, 0.0)], 1.0);
    assert!(all.is_empty());
}

#[test]
fn faults_name_the_body() {
    let message = |bodies: &[Body], alert| try_touches(Spatial, bodies, alert).unwrap_err().to_string();
    let good = body(ball(1.0), 0.0, 0.0, 0.0);
    let sized = |size| Body(good.0.clone(), good.1, good.2, size);
    assert!(
        message(&[good.clone(), body(ball(1.0), 0.0, f64::NAN, 0.0)], 1.0).starts_with("the position of body 1 is not a finite")
    );
    assert!(message(&[sized(0.0)], 1.0).starts_with("the size factor of body 0 is 0"));
    assert!(message(&[sized(f64::INFINITY)], 1.0).starts_with("the size of body 0 is not a finite"));
    assert!(message(std::slice::from_ref(&good), f64::NAN).starts_with("the alert distance is NaN"));
    let turned = Quat::new_unchecked(nalgebra::Quaternion::new(f64::NAN, 0.0, 0.0, 0.0));
    assert!(message(&[Body(good.0, good.1, turned, 1.0)], 1.0).starts_with("the orientation of body 0"));
}

/// Capsules that lie in one plane, as on a floor: along the common normal of their axes they are at 0 however far apart they lie, and that
/// is no overlap. Gap and normal against the nearest of the four ends; a little out of the plane the same.
#[test]
fn capsules_side_by_side_on_a_floor_are_as_far_apart_as_they_look() {
    let (half, r) = (0.8, 0.3);
    let lying = |angle: f64, x: f64, y: f64, z: f64| {
        Body(segment(half, 0.0, r), Vec3::new(x, y, z), Quat::from_axis_angle(&Vec3::z_axis(), angle), 1.0)
    };
    let ends = |b: &Body| [-1.0, 1.0].map(|s| b.1 + b.2 * (Vec3::x() * (s * half)));
    let foot = |p: Vec3, b: &Body| {
        let along = b.2 * Vec3::x();
        b.1 + along * along.dot(&(p - b.1)).clamp(-half, half)
    };
    let mut random = mpcd_geometry::Random::new(11);
    let mut apart = 0;
    for k in 0..400 {
        let mut at = |size: f64| random.within(-size, size);
        let lift = [0.0, 1e-17, 1e-9][k % 3];
        let (a, b) = (lying(at(3.0), 0.0, 0.0, 0.2), lying(at(3.0), at(2.0), at(2.0), 0.2 + lift));
        let ways = [ends(&a).map(|p| p - foot(p, &b)), ends(&b).map(|p| foot(p, &a) - p)].concat();
        let way = ways.into_iter().min_by(|u, v| u.norm().total_cmp(&v.norm())).unwrap();
        let [p, q] = [ends(&a), ends(&b)];
        let side = |[from, to]: [Vec3; 2], x: Vec3| (to - from).cross(&(x - from)).z;
        if side(p, q[0]) * side(p, q[1]) < 0.0 && side(q, p[0]) * side(q, p[1]) < 0.0 {
            continue;
        }
        apart += 1;
        let all = touches(Spatial, &[a, b], 100.0);
        let least = all.iter().min_by(|s, t| s.gap.total_cmp(&t.gap)).unwrap();
        assert!((least.gap - (way.norm() - 2.0 * r)).abs() < 1e-8, "pair {k}: {} and not {}", least.gap, way.norm() - 2.0 * r);
        let n = way.normalize();
        assert!(
            way.norm() < 1e-3 || near(&least.frame.n, &n, 1e-6) || near(&least.frame.n, &-n, 1e-6),
            "pair {k}: {:?}",
            least.frame.n
        );
    }
    assert!(apart > 250, "{apart}");
}
