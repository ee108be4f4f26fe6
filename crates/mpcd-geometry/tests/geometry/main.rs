//! The geometry through its public face: measures, contacts of each pair of shapes, symmetries, model-file shapes, packings.
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod allocation;
mod families;
mod level_meshes;
mod limits;
mod masonry;
mod measures;
mod overlapping;
mod packing;
mod packing_random;
mod pairs;
mod parameters;
mod patches;
mod polytope;
mod rims;
mod same_everywhere;
mod seams;
mod sizes;
mod solids;
mod surface_edges;
mod symmetry;
mod unions;
mod voronoi;

use std::{borrow::Borrow, sync::Arc};

use mpcd_core::{Dimension, Kinematics, Quat, Vec3};
use mpcd_geometry::{Detector, GeometryError, Shape, Shapes, Touch};

/// A body: shape, position, orientation, size.
#[derive(Clone, Debug)]
pub struct Body(pub Shape, pub Vec3, pub Quat, pub f64);

pub fn body(shape: Shape, x: f64, y: f64, z: f64) -> Body {
    Body(shape, Vec3::new(x, y, z), Quat::identity(), 1.0)
}

pub const fn ball(radius: f64) -> Shape {
    Shape::Ball { radius }
}

pub const fn disc(radius: f64) -> Shape {
    Shape::Disc { radius, thickness: 0.5 }
}

pub fn scene(bodies: &[Body]) -> (Arc<Shapes>, Kinematics) {
    let mut kinematics = Kinematics::default();
    for (i, Body(_, x, q, size)) in bodies.iter().enumerate() {
        kinematics.push_at_rest(*x, *q);
        kinematics.size[i] = *size;
    }
    (Arc::new(Shapes(bodies.iter().map(|b| b.0.clone()).collect())), kinematics)
}

pub fn try_touches(dimension: Dimension, bodies: &[Body], alert: f64) -> Result<Vec<Touch>, GeometryError> {
    let (shapes, kinematics) = scene(bodies);
    let mut out = Vec::new();
    Detector::new(shapes, dimension, |_, _| true)?.detect(&kinematics, alert, &mut out)?;
    Ok(out)
}

pub fn touches(dimension: Dimension, bodies: &[Body], alert: f64) -> Vec<Touch> {
    try_touches(dimension, bodies, alert).unwrap()
}

/// The one touch of two bodies, whatever their distance below 100 m.
pub fn touch(dimension: Dimension, a: impl Borrow<Body>, b: impl Borrow<Body>) -> Touch {
    let all = touches(dimension, &[a.borrow().clone(), b.borrow().clone()], 100.0);
    assert_eq!(all.len(), 1, "{all:?}");
    all[0]
}

pub fn near(a: &Vec3, b: &Vec3, tolerance: f64) -> bool {
    (a - b).norm() <= tolerance
}
