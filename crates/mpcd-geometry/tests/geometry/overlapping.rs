//! Overlaps at the start.

use crate::{ball, body, scene};
use mpcd_core::{BodyId, Dimension, Vec3};
use mpcd_geometry::{Shape, overlaps};

#[test]
fn overlaps_are_listed_with_their_depth() {
    let block = Shape::Box { half: Vec3::new(1.0, 1.0, 1.0) };
    let (shapes, kinematics) = scene(&[
        body(ball(1.0), 0.0, 0.0, 9.0),
        body(ball(1.0), 1.75, 0.0, 9.0),
        body(ball(1.0), 3.75 - 1e-9, 0.0, 9.0),
        body(block, 0.0, 0.0, 0.5),
        body(Shape::Plane { normal: Vec3::z() }, 0.0, 0.0, 0.0),
    ]);
    let found = overlaps(&shapes, Dimension::Spatial, |_, _| true, &kinematics, 1e-6).unwrap();
    let rows: Vec<_> = found.iter().map(|o| (o.a.0, o.b.0, o.depth)).collect();
    assert_eq!(rows, [(0, 1, 0.25), (3, 4, 0.5)]);
    let found = overlaps(&shapes, Dimension::Spatial, |a, b| (a, b) != (BodyId(0), BodyId(1)), &kinematics, 0.0).unwrap();
    assert_eq!(found.iter().map(|o| (o.a.0, o.b.0)).collect::<Vec<_>>(), [(1, 2), (3, 4)]);
}
